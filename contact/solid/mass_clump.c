/* mass_clump.c: mass properties of a union of balls.
 *
 * Why slices: three and more balls may share a region, so that formulas for
 * pairs do not do, and sampling in space converges slowly. The slice of the
 * union at height z is a union of discs, whose moments are exact: each arc of a
 * disc that no other disc covers contributes what the ray from the origin
 * sweeps along it, a sector about the disc's centre and two triangles.
 *
 * Along z the moments of slices are smooth between the heights where a ball
 * begins or ends, or two spheres begin or cease to cross, except for roots at
 * these heights (which z = lo + (hi - lo) sin^2 takes away) and kinks of the
 * second derivative where three spheres meet (which bisection closes in on).
 * Gauss-Legendre quadrature of 10 points on an interval is compared with that
 * on its halves.
 *
 * Cost: slices x (overlapping balls)^2. */
#include <stdlib.h>

#include "contact/solid/mass_moments.h"

typedef struct cover {
    double from, to;
} cover;

typedef struct clump {
    const scree_ball *ball; /* those that overlap another one */
    int n;
    scree_vec3 *disc; /* (n) of the slice: centre, z is the radius */
    cover *covers;    /* (2 n + 1) of the disc at hand */
    double size;      /* of the clump, about the origin */
    double volume;    /* of the largest ball */
} clump;

static const double tolerance = 1e-11;
enum { DEEPEST = 30 };

/* ---- a slice ------------------------------------------------------------- */

static int cut(const clump *c, double z) {
    int n = 0;
    for (int i = 0; i < c->n; i++) {
        const scree_ball *b = &c->ball[i];
        const double d = z - b->x.z, r2 = b->r * b->r - d * d;
        if (r2 > 0) c->disc[n++] = vec(b->x.x, b->x.y, sqrt(r2));
    }
    return n;
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

/* What the other discs cover of the rim of disc i, or -1: all of it. Of two
 * equal discs the first keeps its rim. */
static int list_covers(const clump *c, int n, int i) {
    const scree_vec3 a = c->disc[i];
    int covers = 0;
    for (int j = 0; j < n; j++) {
        if (j == i) continue;
        const scree_vec3 b = c->disc[j];
        const double dx = b.x - a.x, dy = b.y - a.y, d = scree_hypot(dx, dy);
        if (d >= a.z + b.z) continue;
        if (d + a.z <= b.z) {
            if (d > 0 || a.z < b.z || j < i) return -1;
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

static scree_moments slice(const clump *c, double z) {
    scree_moments sum = {0};
    const int n = cut(c, z);
    for (int i = 0; i < n; i++) {
        int covers = list_covers(c, n, i);
        if (covers < 0) continue;
        qsort(c->covers, (size_t)covers, sizeof *c->covers, by_from);
        c->covers[covers++] = (cover){SCREE_PI, SCREE_PI};
        double from = -SCREE_PI;
        for (int k = 0; k < covers; k++) {
            if (c->covers[k].from > from)
                add_arc(c->disc[i], from, c->covers[k].from, &sum);
            from = fmax(from, c->covers[k].to);
        }
    }
    return sum;
}

/* ---- along z ------------------------------------------------------------- */

/* An interval between two critical heights; s in 0..1 runs through it. */
typedef struct span {
    double lo, hi;
} span;

static scree_moments gauss(const clump *c, span z, double s0, double s1) {
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
                          slice(c, height), vec(0, 0, height));
    }
    return sum;
}

/* Largest difference of the moments, in units of the largest ball's volume and
 * the clump's size. */
static double difference(const clump *c, scree_moments a, scree_moments b) {
    scree_moments d = a;
    scree_moments_add(&d, -1, b, vec(0, 0, 0));
    const double s = fmax(fmax(fabs(d.s.xx), fabs(d.s.yy)), fabs(d.s.zz));
    const double t = fmax(fmax(fabs(d.s.xy), fabs(d.s.xz)), fabs(d.s.yz));
    const double second = fmax(s, t) / c->size;
    return fmax(fabs(d.v), fmax(norm(d.m), second) / c->size) / c->volume;
}

static void integrate(const clump *c, span z, double s0, double s1,
                      scree_moments coarse, int depth, scree_moments *sum) {
    const double mid = 0.5 * (s0 + s1);
    const scree_moments left = gauss(c, z, s0, mid),
                        right = gauss(c, z, mid, s1);
    scree_moments fine = left;
    scree_moments_add(&fine, 1, right, vec(0, 0, 0));
    if (depth == DEEPEST || difference(c, fine, coarse) <= tolerance) {
        scree_moments_add(sum, 1, fine, vec(0, 0, 0));
        return;
    }
    integrate(c, z, s0, mid, left, depth + 1, sum);
    integrate(c, z, mid, s1, right, depth + 1, sum);
}

/* ---- critical heights ---------------------------------------------------- */

/* Lowest and highest point of the circle in which two spheres cross. */
static int crossing_heights(scree_ball a, scree_ball b, double *z) {
    const scree_vec3 ab = sub(b.x, a.x);
    const double d = norm(ab);
    if (d == 0 || d >= a.r + b.r || d <= fabs(a.r - b.r)) return 0;
    const double t = (d * d + a.r * a.r - b.r * b.r) / (2 * d);
    const double sine = scree_hypot(ab.x, ab.y) / d;
    const double rise = sqrt(fmax(a.r * a.r - t * t, 0)) * sine;
    z[0] = a.x.z + t * ab.z / d - rise;
    z[1] = a.x.z + t * ab.z / d + rise;
    return 2;
}

static int by_height(const void *p, const void *q) {
    const double a = *(const double *)p, b = *(const double *)q;
    return a < b ? -1 : a > b;
}

static int64_t critical_heights(const clump *c, double *z) {
    int64_t n = 0;
    for (int i = 0; i < c->n; i++) {
        z[n++] = c->ball[i].x.z - c->ball[i].r;
        z[n++] = c->ball[i].x.z + c->ball[i].r;
        for (int j = 0; j < i; j++)
            n += crossing_heights(c->ball[i], c->ball[j], z + n);
    }
    qsort(z, (size_t)n, sizeof *z, by_height);
    return n;
}

static void add_overlapping(const clump *c, double *z, scree_moments *sum) {
    const int64_t n = critical_heights(c, z);
    for (int64_t k = 0; k + 1 < n; k++)
        if (z[k + 1] - z[k] > 1e-14 * c->size) {
            const span between = {z[k], z[k + 1]};
            integrate(c, between, 0, 1, gauss(c, between, 0, 1), 0, sum);
        }
}

/* ---- the clump ----------------------------------------------------------- */

static bool overlaps_another(const scree_ball *balls, int n, int i) {
    for (int j = 0; j < n; j++)
        if (j != i &&
            norm(sub(balls[i].x, balls[j].x)) < balls[i].r + balls[j].r)
            return true;
    return false;
}

/* Balls on their own go into the sum; returns how many are left in `shared`. */
static int sort_out(const scree_ball *balls, int n, scree_vec3 origin,
                    scree_ball *shared, scree_moments *sum) {
    int left = 0;
    for (int i = 0; i < n; i++) {
        const scree_vec3 x = sub(balls[i].x, origin);
        if (overlaps_another(balls, n, i)) {
            shared[left++] = (scree_ball){x, balls[i].r};
            continue;
        }
        const double v = scree_mass_sphere(balls[i].r).volume;
        scree_moments ball = {.v = v};
        sym_add_unit(&ball.s, v * balls[i].r * balls[i].r / 5);
        scree_moments_add(sum, 1, ball, x);
    }
    return left;
}

static void measure(clump *c) {
    for (int i = 0; i < c->n; i++) {
        const scree_ball *b = &c->ball[i];
        c->size = fmax(c->size, norm(b->x) + b->r);
        c->volume = fmax(c->volume, scree_mass_sphere(b->r).volume);
    }
}

static double fifth_power(double x) {
    return x * x * x * x * x;
}

/* Moments go with the fifth power of lengths: it must be a number too. */
static bool can_be_measured(const scree_ball *ball) {
    const double far = norm(ball->x) + ball->r;
    return ball->r > 0 && fifth_power(ball->r) > 0 &&
           isfinite(fifth_power(far));
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
                "and a positive radius, from 1e-60 to 1e60 m",
                i + 1);
    return SCREE_OK;
}

scree_status scree_mass_clump(const scree_ball *balls, int n, scree_mass *mass,
                              scree_error *error) {
    TRY(check_balls(balls, n, error));
    const size_t m = (size_t)n;
    scree_ball *shared = malloc(m * sizeof *shared);
    clump c = {.ball = shared,
               .disc = malloc(m * sizeof *c.disc),
               .covers = malloc((2 * m + 1) * sizeof *c.covers)};
    double *z = malloc((m * m + m) * sizeof *z);
    scree_status status = SCREE_OK;
    if (shared && c.disc && c.covers && z) {
        scree_moments sum = {0};
        c.n = sort_out(balls, n, balls[0].x, shared, &sum);
        measure(&c);
        add_overlapping(&c, z, &sum);
        *mass = scree_mass_from_moments(sum, balls[0].x);
    } else
        status = scree_fail(error, SCREE_OUT_OF_MEMORY,
                            "no memory for a clump of %d spheres", n);
    free(shared);
    free(c.disc);
    free(c.covers);
    free(z);
    return status;
}
