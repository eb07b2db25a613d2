/* triangle_cylinder.c: cylinders against facets, ridges and peaks.
 *
 * The core is a solid cylinder about z: two caps, a mantle, two rims. On a facet
 * it lies on the lowest line of its mantle (two points) or stands on a cap (the
 * lowest point of the rim and four that are fixed to the body, whose keys last).
 * Ridges and peaks meet mantle, rims and caps. */
#include "contact/surface/triangle_touch.h"

/* Names of the body features. */
enum { LOWEST = 0, FIXED = 2, MANTLE = 10, RIM = 11, CAP = 15 };

static const scree_solid *solid_of(const scree_probe *probe) {
    return probe->body->solid;
}

/* ---- facets ------------------------------------------------------------- */

/* A cap stands on a facet if it is turned from it by less than about 30 deg. */
#define STANDS 0.87

void scree_cylinder_face(scree_probe *probe, const scree_view *f) {
    const double half = solid_of(probe)->half, R = solid_of(probe)->disc;
    const double side = scree_hypot(f->n.x, f->n.y);
    if (side > 1e-9)
        for (int cap = 0; cap < 2; ++cap)
            scree_probe_vertex(
                probe, f,
                vec(-R * f->n.x / side, -R * f->n.y / side, cap ? half : -half),
                LOWEST + cap);
    if (fabs(f->n.z) < STANDS) return;
    const int cap = f->n.z < 0;
    const double z = cap ? half : -half;
    const scree_vec3 rim[4] = {{R, 0, z}, {0, R, z}, {-R, 0, z}, {0, -R, z}};
    for (int i = 0; i < 4; ++i)
        scree_probe_vertex(probe, f, rim[i], FIXED + 4 * cap + i);
}

/* ---- ridges ------------------------------------------------------------- */

typedef struct line {
    const scree_view *f;
    int k;
    scree_vec3 p, e;
    double length;
    double shallow; /* core overlap up to which touches make sense */
} line;

static void report_line(scree_probe *probe, const line *r, double t,
                        scree_vec3 n, double g, int feature) {
    if (t < -probe->tiny || t > r->length + probe->tiny ||
        g < fmin(0, r->shallow) - probe->tiny ||
        !scree_view_between(r->f, r->k, n, SCREE_SLOPE))
        return;
    scree_probe_report(probe, add_scaled(r->p, t, r->e), n, g,
                       SCREE_TOUCH_CROSS, r->f->facet->edge[r->k], feature);
}

/* The mantle: shortest connection of the ridge and the axis. */
static void ridge_mantle(scree_probe *probe, const line *r) {
    const scree_vec3 z = vec(0, 0, 1);
    scree_vec3 n = cross(r->e, z);
    const double sine = norm(n);
    if (sine < 1e-4) return;
    const double up = dot(n, add(r->f->n, r->f->beyond[r->k]));
    n = scale((up < 0 ? -1 : 1) / sine, n);
    const double c = r->e.z, a = dot(r->p, r->e), b = r->p.z;
    const double t = (c * b - a) / (sine * sine), u = b + c * t;
    if (fabs(u) > solid_of(probe)->half + probe->tiny) return;
    report_line(probe, r, t, n, -dot(n, r->p) - solid_of(probe)->disc, MANTLE);
}

/* A rim and the ridge's line: where is the connection normal to both? Seen along
 * the ridge, D(phi) reaches from the line to the rim point at angle phi, and
 * half the slope of |D|^2 / R is a trigonometric polynomial of second degree. */
typedef struct rim {
    scree_vec3 centre; /* of the rim, from the ridge's first end, across it */
    scree_vec3 x, y;   /* the body's axes, across the ridge */
    double R;
} rim;

static double rim_slope(const rim *c, double phi) {
    const double s = scree_sin(phi), k = scree_cos(phi);
    const scree_vec3 t = add(scale(-s, c->x), scale(k, c->y));
    const scree_vec3 u = add(scale(k, c->x), scale(s, c->y));
    return dot(add_scaled(c->centre, c->R, u), t);
}

/* Root between a and b, where the slope changes from falling to rising. */
static double rim_bottom(const rim *c, double a, double b) {
    double fa = rim_slope(c, a), fb = rim_slope(c, b), last = a;
    for (int i = 0; i < 60; ++i) {
        double m = a - fa * (b - a) / (fb - fa);
        if (i % 3 == 2) m = (a + b) / 2;
        const double f = rim_slope(c, m);
        if (f < 0)
            a = m, fa = f;
        else
            b = m, fb = f;
        if (f == 0 || fabs(m - last) < 1e-14) return m;
        last = m;
    }
    return last;
}

/* -n between the cap's normal and the radius. */
static void rim_touch(scree_probe *probe, const line *r, int cap, double phi,
                      int which) {
    const double out = cap ? 1 : -1;
    const scree_vec3 u = vec(scree_cos(phi), scree_sin(phi), 0);
    scree_vec3 n = cross(r->e, vec(-u.y, u.x, 0));
    const double sine = norm(n);
    if (sine < 1e-4) return;
    const double up = dot(n, add(r->f->n, r->f->beyond[r->k]));
    n = scale((up < 0 ? -1 : 1) / sine, n);
    if (dot(n, u) > SCREE_SLOPE || out * n.z > SCREE_SLOPE) return;
    const scree_vec3 centre = vec(0, 0, out * solid_of(probe)->half);
    const scree_vec3 d =
        sub(add_scaled(centre, solid_of(probe)->disc, u), r->p);
    report_line(probe, r, dot(d, r->e), n, dot(n, d), RIM + 2 * cap + which);
}

static scree_vec3 across_edge(scree_vec3 a, scree_vec3 e) {
    return add_scaled(a, -dot(a, e), e);
}

static void ridge_rim(scree_probe *probe, const line *r, int cap) {
    enum { STEPS = 16 };
    const double half = solid_of(probe)->half;
    const rim c = {across_edge(sub(vec(0, 0, cap ? half : -half), r->p), r->e),
                   across_edge(vec(1, 0, 0), r->e),
                   across_edge(vec(0, 1, 0), r->e), solid_of(probe)->disc};
    double slope = rim_slope(&c, 0);
    for (int i = 0, which = 0; i < STEPS; ++i) {
        const double a = 2 * SCREE_PI * i / STEPS,
                     b = 2 * SCREE_PI * (i + 1) / STEPS;
        const double next = rim_slope(&c, b);
        if (slope < 0 && next >= 0)
            rim_touch(probe, r, cap, rim_bottom(&c, a, b), which++ & 1);
        slope = next;
    }
}

/* A cap over a ridge that is nearly parallel to it: the ends of what lies under
 * the disc. (Ends of the ridge itself are peaks.) */
static void ridge_cap(scree_probe *probe, const line *r, int cap) {
    const double R = solid_of(probe)->disc, out = cap ? 1 : -1;
    const scree_vec3 n = vec(0, 0, -out);
    const double flat = 1 - r->e.z * r->e.z;
    if (fabs(r->e.z) > SCREE_SLOPE) return;
    const double a = (r->p.x * r->e.x + r->p.y * r->e.y) / flat;
    const double b = (r->p.x * r->p.x + r->p.y * r->p.y - R * R) / flat;
    if (a * a <= b) return;
    for (int end = 0; end < 2; ++end) {
        const double t = -a + (end ? 1 : -1) * sqrt(a * a - b);
        const double g = out * (r->p.z + t * r->e.z) - solid_of(probe)->half;
        report_line(probe, r, t, n, g, CAP + 2 * cap + end);
    }
}

/* Is no point of the edge within reach of the ball around the body? */
static bool far_off(const scree_probe *probe, const scree_view *f, int k) {
    const double t = fmin(fmax(-dot(f->p[k], f->e[k]), 0), f->length[k]);
    const double reach = solid_of(probe)->bound - probe->radius + probe->reach;
    return norm(add_scaled(f->p[k], t, f->e[k])) > reach;
}

void scree_cylinder_ridge(scree_probe *probe, const scree_view *f, int k) {
    if (far_off(probe, f, k)) return;
    line r = {f,
              k,
              f->p[k],
              f->e[k],
              f->length[k],
              scree_probe_depth(probe, f->n, f->p[k])};
    if (f->facet->fold[k] == SCREE_RIDGE)
        r.shallow =
            fmax(r.shallow, scree_probe_depth(probe, f->beyond[k], f->p[k]));
    ridge_mantle(probe, &r);
    for (int cap = 0; cap < 2; ++cap) {
        ridge_rim(probe, &r, cap);
        ridge_cap(probe, &r, cap);
    }
}

/* ---- peaks -------------------------------------------------------------- */

static void touch_peak(scree_probe *probe, const scree_view *f, int k,
                       scree_vec3 n, double g, double slope, int feature) {
    if (g > probe->reach || !scree_view_cone(probe, f, k, n, slope)) return;
    if (g < 0 && g < scree_probe_depth(probe, f->n, f->p[k]) - probe->tiny)
        return;
    scree_probe_report(probe, f->p[k], n, g, SCREE_TOUCH_PEAK_FACE,
                       f->facet->vertex[k], feature);
}

/* Outside, the nearest of mantle, cap and rim; inside, the cap or the mantle. */
void scree_cylinder_peak(scree_probe *probe, const scree_view *f, int k) {
    const scree_vec3 p = f->p[k];
    const double out = p.z > 0 ? 1 : -1, size = scree_hypot(p.x, p.y);
    const double over_cap = out * p.z - solid_of(probe)->half;
    const double off_mantle = size - solid_of(probe)->disc;
    const scree_vec3 u =
        size > 0 ? vec(p.x / size, p.y / size, 0) : vec(1, 0, 0);
    const scree_vec3 cap = vec(0, 0, -out);
    if (over_cap > 0 && off_mantle > 0) {
        const double g = scree_hypot(over_cap, off_mantle);
        const scree_vec3 d = add(scale(over_cap, cap), scale(-off_mantle, u));
        touch_peak(probe, f, k, scale(1 / g, d), g, probe->tiny / g,
                   RIM + (out > 0));
    } else if (over_cap > off_mantle) {
        touch_peak(probe, f, k, cap, over_cap, SCREE_SLOPE, CAP + (out > 0));
    } else {
        touch_peak(probe, f, k, scale(-1, u), off_mantle, 1e-9, MANTLE);
    }
}
