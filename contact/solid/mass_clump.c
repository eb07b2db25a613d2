/* mass_clump.c: mass properties of a union of balls.
 *
 * Why slices: three and more balls may share a region, so that formulas for
 * pairs do not do, and sampling in space converges slowly. The slice of the
 * union at height z is a union of discs, whose moments are exact: each arc of a
 * disc that no other disc covers contributes what the ray from the origin
 * sweeps along it, a sector about the disc's centre and two triangles.
 *
 * Balls one by one: what the arcs of one ball contribute depends on the balls that
 * overlap it alone. Along z it is smooth between critical heights: where the ball begins
 * or ends, where its sphere begins or ceases to cross another (roots, which
 * z = lo + (hi - lo) sin^2 takes away), and where three spheres meet (kinks). Of these
 * points only those count that no other ball covers. Gauss-Legendre quadrature of 10
 * points on an interval is compared with that on its halves; bisection closes in on
 * what rounding hides.
 *
 * Cost: a look at each pair of neighbours of each ball, and thirty slices for each
 * critical height. */
#include <stdlib.h>

#include "contact/solid/mass_moments.h"
#include "engine/base/arena.h"

typedef struct cover {
    double from, to;
} cover;

typedef struct neighbour {
    scree_ball ball;
    bool first; /* of two equal ones the first has the rim */
} neighbour;

typedef struct clump {
    const scree_ball *balls; /* (n) from the origin */
    int n;
    scree_ball ball; /* the one at hand */
    neighbour *near; /* (n) those that overlap it */
    int n_near;
    double *heights; /* (n_height) critical ones, in turn */
    int64_t n_height, height_capacity;
    cover *covers; /* (2 n + 1) of its disc */
    double size;   /* of the clump, about the origin */
    double volume; /* of the largest ball */
} clump;

static const double TOLERANCE = 1e-11;
enum { DEEPEST = 30 };

/* ---- a slice ------------------------------------------------------------- */

/* Centre, and the radius as z; 0 if the ball does not reach there. */
static scree_vec3 disc_at(const scree_ball *b, double z) {
    const double d = z - b->x.z;
    return vec(b->x.x, b->x.y, sqrt(fmax(b->r * b->r - d * d, 0)));
}

static int by_from(const void *p, const void *q) {
    const cover *a = p, *b = q;
    return a->from < b->from ? -1 : a->from > b->from;
}

/* Angles in -pi..pi; an interval across the seam becomes two. */
static int add_cover(cover *list, int n, double middle, double half) {
    const double from = middle - half, to = middle + half;
    if (from < -SCREE_PI) {
        list[n++] = (cover){from + 2 * SCREE_PI, SCREE_PI};
        list[n++] = (cover){-SCREE_PI, to};
    } else if (to > SCREE_PI) {
        list[n++] = (cover){from, SCREE_PI};
        list[n++] = (cover){-SCREE_PI, to - 2 * SCREE_PI};
    } else
        list[n++] = (cover){from, to};
    return n;
}

/* What other balls cover of the rim of disc a at height z, or -1: all of it. */
static int list_covers(const clump *c, scree_vec3 a, double z) {
    int covers = 0;
    for (int j = 0; j < c->n_near; j++) {
        const scree_vec3 b = disc_at(&c->near[j].ball, z);
        const double dx = b.x - a.x, dy = b.y - a.y, d = scree_hypot(dx, dy);
        if (b.z == 0 || d >= a.z + b.z) continue;
        if (d + a.z <= b.z) {
            if (d > 0 || a.z < b.z || c->near[j].first) return -1;
            continue;
        }
        if (d + b.z <= a.z) continue;
        const double cosine = (d * d + a.z * a.z - b.z * b.z) / (2 * d * a.z);
        covers = add_cover(c->covers, covers, scree_atan2(dy, dx),
                           scree_acos(fmin(fmax(cosine, -1), 1)));
    }
    return covers;
}

static void add_arc(scree_vec3 disc, double from, double to,
                    scree_moments *sum) {
    const double r = disc.z, half = 0.5 * (from + to);
    const scree_vec3 o = vec(disc.x, disc.y, 0), zero = vec(0, 0, 0);
    const scree_vec3 p =
        add(o, vec(r * scree_cos(from), r * scree_sin(from), 0));
    const scree_vec3 q = add(o, vec(r * scree_cos(to), r * scree_sin(to), 0));
    const scree_vec3 middle = vec(scree_cos(half), scree_sin(half), 0);
    scree_moments_add(
        sum, 1,
        scree_moments_sector(r, to - from, middle, vec(-middle.y, middle.x, 0)),
        o);
    scree_moments_add(sum, 1, scree_moments_triangle(p, o), zero);
    scree_moments_add(sum, 1, scree_moments_triangle(o, q), zero);
}

/* The share of the ball at hand. */
static scree_moments slice_at(const clump *c, double z) {
    scree_moments sum = {0};
    const scree_vec3 disc = disc_at(&c->ball, z);
    int covers = list_covers(c, disc, z);
    if (covers < 0 || disc.z == 0) return sum;
    qsort(c->covers, (size_t)covers, sizeof *c->covers, by_from);
    c->covers[covers++] = (cover){SCREE_PI, SCREE_PI};
    double from = -SCREE_PI;
    for (int k = 0; k < covers; k++) {
        if (c->covers[k].from > from)
            add_arc(disc, from, c->covers[k].from, &sum);
        from = fmax(from, c->covers[k].to);
    }
    return sum;
}

/* ---- along z ------------------------------------------------------------- */

/* An interval between two critical heights; s in 0..1 runs through it. */
typedef struct span {
    double lo, hi;
} span;

static scree_moments gauss_sum(const clump *c, span z, double s0, double s1) {
    static const double x[] = {0.1488743389816312, 0.4333953941292472,
                               0.6794095682990244, 0.8650633666889845,
                               0.9739065285171717};
    static const double w[] = {0.2955242247147529, 0.2692667193099963,
                               0.2190863625159820, 0.1494513491505806,
                               0.0666713443086881};
    scree_moments sum = {0};
    for (int i = 0; i < 10; i++) {
        const double s =
            0.5 * (s0 + s1 + (i < 5 ? x[i] : -x[i - 5]) * (s1 - s0));
        const double sine = scree_sin(0.5 * SCREE_PI * s), dz = z.hi - z.lo;
        const double slope = 0.5 * SCREE_PI * dz * scree_sin(SCREE_PI * s);
        const double height = z.lo + dz * sine * sine;
        scree_moments_add(&sum, 0.5 * (s1 - s0) * w[i % 5] * slope,
                          slice_at(c, height), vec(0, 0, height));
    }
    return sum;
}

/* Largest difference of the moments, in units of the largest ball's volume and
 * the clump's size. */
static double moments_differ(const clump *c, scree_moments a, scree_moments b) {
    scree_moments d = a;
    scree_moments_add(&d, -1, b, vec(0, 0, 0));
    const double s = fmax(fmax(fabs(d.s.xx), fabs(d.s.yy)), fabs(d.s.zz));
    const double t = fmax(fmax(fabs(d.s.xy), fabs(d.s.xz)), fabs(d.s.yz));
    const double second = fmax(s, t) / c->size;
    return fmax(fabs(d.v), fmax(norm(d.m), second) / c->size) / c->volume;
}

static void integrate_span(const clump *c, span z, double s0, double s1,
                           scree_moments coarse, int depth,
                           scree_moments *sum) {
    const double mid = 0.5 * (s0 + s1);
    const scree_moments left = gauss_sum(c, z, s0, mid),
                        right = gauss_sum(c, z, mid, s1);
    scree_moments fine = left;
    scree_moments_add(&fine, 1, right, vec(0, 0, 0));
    if (depth == DEEPEST || moments_differ(c, fine, coarse) <= TOLERANCE) {
        scree_moments_add(sum, 1, fine, vec(0, 0, 0));
        return;
    }
    integrate_span(c, z, s0, mid, left, depth + 1, sum);
    integrate_span(c, z, mid, s1, right, depth + 1, sum);
}

/* ---- critical heights ---------------------------------------------------- */

static scree_status add_height(clump *c, double z) {
    TRY(scree_reserve(&c->heights, &c->height_capacity, c->n_height + 1,
                      sizeof *c->heights));
    c->heights[c->n_height++] = z;
    return SCREE_OK;
}

/* The height of a point of neighbours j and k, if no other one covers it. */
static scree_status add_point(clump *c, scree_vec3 x, int j, int k) {
    for (int m = 0; m < c->n_near; m++) {
        const scree_ball *b = &c->near[m].ball;
        const scree_vec3 d = sub(x, b->x);
        if (m != j && m != k && dot(d, d) < b->r * b->r) return SCREE_OK;
    }
    return add_height(c, x.z);
}

/* Lowest and highest point of the circle in which the spheres cross. One that lies
 * flat is at one height. */
static scree_status add_circle(clump *c, int j) {
    const scree_ball *a = &c->ball, *b = &c->near[j].ball;
    const scree_vec3 ab = sub(b->x, a->x);
    const double d = norm(ab);
    if (d == 0 || d <= fabs(a->r - b->r)) return SCREE_OK;
    const double t = (d * d + a->r * a->r - b->r * b->r) / (2 * d);
    const double radius = sqrt(fmax(a->r * a->r - t * t, 0));
    const scree_vec3 u = scale(1 / d, ab), middle = add_scaled(a->x, t, u);
    const scree_vec3 up = sub(vec(0, 0, 1), scale(u.z, u));
    const double sine = scree_hypot(u.x, u.y);
    if (sine < 1e-8) return add_height(c, middle.z);
    const scree_vec3 rise = scale(radius / sine, up);
    TRY(add_point(c, sub(middle, rise), j, j));
    return add_point(c, add(middle, rise), j, j);
}

/* The two points in which three spheres meet: x from the ball at hand has
 *     x . p = (r^2 - r_p^2 + p^2) / 2 for both others, and |x| = r. */
static scree_status add_corners(clump *c, int j, int k) {
    const scree_ball *a = &c->ball, *b = &c->near[j].ball,
                     *e = &c->near[k].ball;
    const scree_vec3 p = sub(b->x, a->x), q = sub(e->x, a->x), n = cross(p, q);
    const double det = dot(n, n), pp = dot(p, p), qq = dot(q, q),
                 pq = dot(p, q);
    if (!(det > 1e-20 * pp * qq)) return SCREE_OK;
    const double x_p = 0.5 * (a->r * a->r - b->r * b->r + pp);
    const double x_q = 0.5 * (a->r * a->r - e->r * e->r + qq);
    const scree_vec3 flat = add(scale((qq * x_p - pq * x_q) / det, p),
                                scale((pp * x_q - pq * x_p) / det, q));
    const double up2 = (a->r * a->r - dot(flat, flat)) / det;
    if (!(up2 > 0)) return SCREE_OK;
    const scree_vec3 middle = add(a->x, flat), up = scale(sqrt(up2), n);
    TRY(add_point(c, add(middle, up), j, k));
    return add_point(c, sub(middle, up), j, k);
}

static int by_height(const void *p, const void *q) {
    const double a = *(const double *)p, b = *(const double *)q;
    return a < b ? -1 : a > b;
}

static scree_status find_heights(clump *c) {
    c->n_height = 0;
    TRY(add_height(c, c->ball.x.z - c->ball.r));
    TRY(add_height(c, c->ball.x.z + c->ball.r));
    for (int j = 0; j < c->n_near; j++) {
        TRY(add_circle(c, j));
        for (int k = 0; k < j; k++) TRY(add_corners(c, j, k));
    }
    qsort(c->heights, (size_t)c->n_height, sizeof *c->heights, by_height);
    return SCREE_OK;
}

static scree_status add_ball(clump *c, scree_moments *sum) {
    TRY(find_heights(c));
    const double *z = c->heights;
    for (int64_t k = 0; k + 1 < c->n_height; k++)
        if (z[k + 1] - z[k] > 1e-14 * c->size) {
            const span between = {z[k], z[k + 1]};
            integrate_span(c, between, 0, 1, gauss_sum(c, between, 0, 1), 0,
                           sum);
        }
    return SCREE_OK;
}

/* ---- the clump ----------------------------------------------------------- */

static bool balls_overlap(const scree_ball *a, const scree_ball *b) {
    return norm(sub(a->x, b->x)) < a->r + b->r;
}

static void take_ball(clump *c, int i) {
    c->ball = c->balls[i];
    c->n_near = 0;
    for (int j = 0; j < c->n; j++)
        if (j != i && balls_overlap(&c->balls[i], &c->balls[j]))
            c->near[c->n_near++] = (neighbour){c->balls[j], j < i};
}

static void add_whole_ball(const scree_ball *ball, scree_moments *sum) {
    const double v = scree_mass_sphere(ball->r).volume;
    scree_moments whole = {.v = v};
    sym_add_unit(&whole.s, v * ball->r * ball->r / 5);
    scree_moments_add(sum, 1, whole, ball->x);
}

/* Balls on their own by formula. */
static scree_status add_balls(clump *c, scree_moments *sum) {
    for (int i = 0; i < c->n; i++) {
        take_ball(c, i);
        if (c->n_near)
            TRY(add_ball(c, sum));
        else
            add_whole_ball(&c->ball, sum);
    }
    return SCREE_OK;
}

static void measure_size(clump *c) {
    for (int i = 0; i < c->n; i++) {
        const scree_ball *b = &c->balls[i];
        c->size = fmax(c->size, norm(b->x) + b->r);
        c->volume = fmax(c->volume, scree_mass_sphere(b->r).volume);
    }
}

static double eighth_power(double x) {
    const double square = x * x, fourth = square * square;
    return fourth * fourth;
}

/* First moments go with the fourth power of lengths, and their size is the root of a
 * square: the eighth power must be a number too. Else spans would be divided for ever,
 * since differences that are no numbers never become small. */
static bool can_be_measured(const scree_ball *ball) {
    const double far = norm(ball->x) + ball->r;
    return ball->r > 0 && eighth_power(ball->r) > 0 &&
           isfinite(eighth_power(far));
}

static scree_status check_balls(const scree_ball *balls, int n,
                                scree_error *error) {
    if (n < 1)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "a clump needs at least one sphere");
    for (int i = 0; i < n; i++)
        if (!can_be_measured(&balls[i]))
            return scree_fail(
                error, SCREE_BAD_ARGUMENT,
                "sphere %d of the clump must have a finite centre "
                "and a positive radius, from 1e-38 to 1e38 m",
                i + 1);
    return SCREE_OK;
}

int64_t scree_mass_clump_overlaps(const scree_ball *balls, int n) {
    int64_t overlaps = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            overlaps += balls_overlap(&balls[i], &balls[j]);
    return overlaps;
}

static scree_status check_overlaps(const clump *c, scree_error *error) {
    const int64_t overlaps = scree_mass_clump_overlaps(c->balls, c->n);
    if (overlaps <= SCREE_MOST_OVERLAPS) return SCREE_OK;
    return scree_fail(error, SCREE_BAD_ARGUMENT,
                      "%lld pairs of spheres of the clump overlap, at most %d "
                      "are measured",
                      (long long)overlaps, SCREE_MOST_OVERLAPS);
}

static void move_to_origin(const scree_ball *balls, scree_vec3 origin,
                           scree_ball *to, int n) {
    for (int i = 0; i < n; i++)
        to[i] = (scree_ball){sub(balls[i].x, origin), balls[i].r};
}

static scree_status measure_clump(clump *c, scree_vec3 origin, scree_mass *mass,
                                  scree_error *error) {
    scree_moments sum = {0};
    measure_size(c);
    TRY(check_overlaps(c, error));
    TRY(add_balls(c, &sum));
    *mass = scree_mass_from_moments(sum, origin);
    return SCREE_OK;
}

scree_status scree_mass_clump(const scree_ball *balls, int n, scree_mass *mass,
                              scree_error *error) {
    TRY(check_balls(balls, n, error));
    const size_t m = (size_t)n;
    scree_ball *moved = malloc(m * sizeof *moved);
    clump c = {.balls = moved,
               .n = n,
               .near = malloc(m * sizeof *c.near),
               .covers = malloc((2 * m + 1) * sizeof *c.covers)};
    scree_status status = SCREE_OUT_OF_MEMORY;
    if (moved && c.near && c.covers) {
        move_to_origin(balls, balls[0].x, moved, n);
        status = measure_clump(&c, balls[0].x, mass, error);
    }
    if (status == SCREE_OUT_OF_MEMORY)
        scree_fail(error, status, "no memory for a clump of %d spheres", n);
    free(moved);
    free(c.near);
    free(c.heights);
    free(c.covers);
    return status;
}
