/* triangle_ridge.c: a core of vertices, edges and faces against what sticks out
 * of a surface: ridges (h - e, v - e) and peaks (f - p, h - p, v - p). */
#include "contact/surface/triangle_touch.h"

/* ---- the part of the ridge inside the core ------------------------------ */

/* A ridge that overlaps sideways by this many times its length in the core only
 * dips its tip into it. */
#define TIP 4

typedef struct ridge {
    const scree_view *f;
    int k;
    scree_vec3 p, e; /* from p along e */
    double length;
    bool through; /* some of it lies in the core */
    double
        shallow; /* least overlap, with the facets' planes and in core faces */
    scree_vec3 way; /* normal along which it is so */
    double sunk;    /* how much of it is inside, if an end is [m] */
} ridge;

/* Height over core face i. */
static double height_over(const scree_hull *hull, int i, scree_vec3 x) {
    return dot(hull->normal[i], x) - hull->offset[i];
}

/* Some face lies between: no point of the ridge is within reach. */
static bool is_apart(const scree_probe *probe, const ridge *r) {
    const scree_hull *hull = &probe->core;
    const scree_vec3 q = add_scaled(r->p, r->length, r->e);
    for (int i = 0; i < hull->n_face; ++i)
        if (height_over(hull, i, r->p) > probe->reach &&
            height_over(hull, i, q) > probe->reach)
            return true;
    return false;
}

/* Clips [t0, t1] of the ridge to the inside of all faces. */
static bool clip_ridge(const scree_hull *hull, const ridge *r, double *t0,
                       double *t1) {
    *t0 = 0, *t1 = r->length;
    for (int i = 0; i < hull->n_face && *t0 < *t1; ++i) {
        const double h = height_over(hull, i, r->p),
                     slope = dot(hull->normal[i], r->e);
        if (slope > 0)
            *t1 = fmin(*t1, -h / slope);
        else if (slope < 0)
            *t0 = fmax(*t0, -h / slope);
        else if (h > 0)
            return false;
    }
    return hull->n_face && *t0 < *t1;
}

static void consider_way(ridge *r, double overlap, scree_vec3 n) {
    if (overlap > r->shallow) r->shallow = overlap, r->way = n;
}

/* The shortest way out: along the normals of the two facets, or out of a core
 * face that the ridge may touch. */
static void measure_ways(const scree_probe *probe, ridge *r) {
    const scree_hull *hull = &probe->core;
    const scree_view *f = r->f;
    double t0, t1;
    r->through = clip_ridge(hull, r, &t0, &t1);
    consider_way(r, scree_probe_depth(probe, f->n, r->p), f->n);
    if (f->facet->fold[r->k] == SCREE_RIDGE)
        consider_way(r, scree_probe_depth(probe, f->beyond[r->k], r->p),
                     f->beyond[r->k]);
    if (!r->through) return;
    if (t0 == 0 || t1 == r->length) r->sunk = t1 - t0;
    for (int i = 0; i < hull->n_face; ++i) {
        const scree_vec3 n = scale(-1, hull->normal[i]);
        if (!scree_view_between(f, r->k, n, 0)) continue;
        consider_way(r,
                     fmin(height_over(hull, i, add_scaled(r->p, t0, r->e)),
                          height_over(hull, i, add_scaled(r->p, t1, r->e))),
                     n);
    }
}

/* ---- h - e -------------------------------------------------------------- */

/* Does -n look out of the core at edge i: do its faces recede? */
static bool edge_recedes(const scree_hull *hull, int i, scree_vec3 h,
                         scree_vec3 n) {
    const scree_edge *edge = &hull->edge[i];
    if (edge->f[0] < 0) return true;
    const scree_vec3 a = cross(hull->normal[edge->f[0]], h);
    const scree_vec3 b = cross(h, hull->normal[edge->f[1]]);
    return dot(a, n) >= -SCREE_SLOPE && dot(b, n) >= -SCREE_SLOPE;
}

/* Takes the shorter way out, if there is one; false if there is no overlap, or
 * if only the tip of the ridge is in the core: that is the peak's touch. A
 * segment has no inside: there the shorter way belongs to its ends. */
static bool ridge_overlaps(const scree_probe *probe, const ridge *r, double *g,
                           scree_vec3 *n) {
    if (!probe->core.n_face) return *g >= r->shallow - probe->tiny;
    if (*g < -TIP * r->sunk) return false;
    if (*g < r->shallow) *g = fmin(0, r->shallow), *n = r->way;
    return r->through;
}

static void cross_edge(scree_probe *probe, const ridge *r, int i) {
    const scree_hull *hull = &probe->core;
    const scree_vec3 w = hull->vertex[hull->edge[i].v[0]];
    const scree_vec3 side = sub(hull->vertex[hull->edge[i].v[1]], w);
    const double length = norm(side);
    const scree_vec3 h = scale(1 / length, side);
    scree_vec3 n = cross(r->e, h);
    const double sine = norm(n);
    if (sine < 1e-4) return;
    const double up = dot(n, add(r->f->n, r->f->beyond[r->k]));
    n = scale((up < 0 ? -1 : 1) / sine, n);
    const scree_vec3 d = sub(r->p, w);
    double g = -dot(n, d);
    if (g > probe->reach || !scree_view_between(r->f, r->k, n, SCREE_SLOPE) ||
        !edge_recedes(hull, i, h, n))
        return;
    const double c = dot(r->e, h), a = dot(d, r->e), b = dot(d, h);
    const double t = (c * b - a) / (sine * sine), u = b + c * t;
    if (t < -probe->tiny || t > r->length + probe->tiny || u < -probe->tiny ||
        u > length + probe->tiny)
        return;
    if (g < 0 && !ridge_overlaps(probe, r, &g, &n)) return;
    scree_probe_report(probe, add_scaled(r->p, t, r->e), n, g,
                       SCREE_TOUCH_CROSS, r->f->facet->edge[r->k], i);
}

/* ---- v - e -------------------------------------------------------------- */

/* Is -d in the normal cone of core vertex i? */
static bool sticks_out(const scree_hull *hull, int i, scree_vec3 d) {
    for (int j = hull->ring[i]; j < hull->ring[i + 1]; ++j) {
        const scree_vec3 side =
            sub(hull->vertex[hull->neighbour[j]], hull->vertex[i]);
        if (dot(side, d) < -SCREE_SLOPE * norm(side) * norm(d)) return false;
    }
    return true;
}

static void over_ridge(scree_probe *probe, const ridge *r, int i) {
    const scree_hull *hull = &probe->core;
    const scree_vec3 v = sub(hull->vertex[i], r->p);
    const double t = dot(v, r->e);
    if (t < 0 || t > r->length) return;
    const scree_vec3 d = add_scaled(v, -t, r->e);
    const double g = norm(d);
    if (g > probe->reach || g < probe->tiny) return;
    const scree_vec3 n = scale(1 / g, d);
    if (!scree_view_between(r->f, r->k, n, probe->tiny / g) ||
        !sticks_out(hull, i, d))
        return;
    scree_probe_report(probe, add_scaled(r->p, t, r->e), n, g,
                       SCREE_TOUCH_RIDGE_POINT, r->f->facet->edge[r->k], i);
}

void scree_probe_ridge(scree_probe *probe, const scree_view *f, int k) {
    const scree_hull *hull = &probe->core;
    ridge r = {f,     k,         f->p[k], f->e[k], f->length[k],
               false, -INFINITY, f->n,    INFINITY};
    if (is_apart(probe, &r)) return;
    if (hull->n_edge) measure_ways(probe, &r);
    for (int i = 0; i < hull->n_edge; ++i) cross_edge(probe, &r, i);
    if (r.through) return;
    for (int i = 0; i < hull->n_vertex; ++i) over_ridge(probe, &r, i);
}

/* ---- peaks -------------------------------------------------------------- */

/* Does the peak lie over core face i? */
static bool over_face(const scree_hull *hull, int i, scree_vec3 p,
                      double tiny) {
    const int first = hull->loop[i], n = hull->loop[i + 1] - first;
    for (int c = 0; c < n; ++c) {
        const scree_vec3 a = hull->vertex[hull->corner[first + c]];
        const scree_vec3 b = hull->vertex[hull->corner[first + (c + 1) % n]];
        const scree_vec3 in = cross(hull->normal[i], sub(b, a));
        if (dot(in, sub(p, a)) < -tiny * norm(sub(b, a))) return false;
    }
    return true;
}

/* f - p. Returns whether the peak lies inside the core. */
static bool peak_face(scree_probe *probe, const scree_view *f, int k) {
    const scree_hull *hull = &probe->core;
    const scree_vec3 p = f->p[k];
    double least = -INFINITY, outside = -INFINITY;
    int best = -1;
    for (int i = 0; i < hull->n_face; ++i) {
        const double h = height_over(hull, i, p);
        outside = fmax(outside, h);
        if (h > least && over_face(hull, i, p, probe->tiny) &&
            scree_view_cone(probe, f, k, scale(-1, hull->normal[i]),
                            SCREE_SLOPE))
            least = h, best = i;
    }
    if (best >= 0 && (least >= 0 || outside <= 0)) {
        const double plane = fmin(0, scree_probe_depth(probe, f->n, p));
        const scree_vec3 n =
            least < plane ? f->n : scale(-1, hull->normal[best]);
        scree_probe_report(probe, p, n, fmax(least, plane),
                           SCREE_TOUCH_PEAK_FACE, f->facet->vertex[k], best);
    }
    return hull->n_face && outside <= 0;
}

/* Shortest connection d from the peak to core feature i. */
static void peak_near(scree_probe *probe, const scree_view *f, int k,
                      scree_vec3 d, scree_touch_kind kind, int i) {
    const double g = norm(d);
    if (g > probe->reach || g < probe->tiny ||
        !scree_view_cone(probe, f, k, d, probe->tiny / g))
        return;
    scree_probe_report(probe, f->p[k], scale(1 / g, d), g, kind,
                       f->facet->vertex[k], i);
}

static void peak_edge(scree_probe *probe, const scree_view *f, int k, int i) {
    const scree_hull *hull = &probe->core;
    const scree_vec3 w = hull->vertex[hull->edge[i].v[0]];
    const scree_vec3 side = sub(hull->vertex[hull->edge[i].v[1]], w);
    const scree_vec3 a = sub(f->p[k], w);
    const double length = norm(side), u = dot(a, side) / length;
    if (u < 0 || u > length) return;
    const scree_vec3 h = scale(1 / length, side);
    const scree_vec3 d = sub(add_scaled(vec(0, 0, 0), u, h), a);
    const double g = norm(d);
    if (g > probe->reach || g < probe->tiny) return;
    if (!edge_recedes(hull, i, h, scale(1 / g, d))) return;
    peak_near(probe, f, k, d, SCREE_TOUCH_PEAK_EDGE, i);
}

static void peak_vertex(scree_probe *probe, const scree_view *f, int k, int i) {
    const scree_vec3 d = sub(probe->core.vertex[i], f->p[k]);
    if (dot(d, d) > probe->reach * probe->reach) return;
    if (!sticks_out(&probe->core, i, d)) return;
    peak_near(probe, f, k, d, SCREE_TOUCH_PEAK_POINT, i);
}

static bool far_from_core(const scree_probe *probe, scree_vec3 p) {
    const scree_hull *hull = &probe->core;
    for (int i = 0; i < hull->n_face; ++i)
        if (height_over(hull, i, p) > probe->reach) return true;
    return false;
}

void scree_probe_peak(scree_probe *probe, const scree_view *f, int k) {
    const scree_hull *hull = &probe->core;
    if (far_from_core(probe, f->p[k]) || peak_face(probe, f, k)) return;
    for (int i = 0; i < hull->n_edge; ++i) peak_edge(probe, f, k, i);
    for (int i = 0; i < hull->n_vertex; ++i) peak_vertex(probe, f, k, i);
}
