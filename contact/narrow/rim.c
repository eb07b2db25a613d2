/* rim.c: the direction in which a cylinder is separated best from another core,
 * from one that nearly does so.
 *
 * A unit vector d separates by s(d) = d . w, with w from the highest point of b
 * to the lowest of a along d. On the sphere s has the slope w - s d and the
 * second derivative - s I - sum of k t t': a rim of radius R whose axis is seen
 * under an angle of sine rho bends by k = R / rho along its tangent t. Newton's
 * method climbs to where the slope is none. The summit may lie on a crease
 * instead: where an edge of a hull or the side of a cylinder is highest, d is
 * perpendicular to it; then the climb is along the crease. Or it is the normal
 * of a face. The best of all that are near the direction wins: s is computed
 * from the supports, so none can claim too much. */
#include "contact/narrow/clip.h"

enum { CREASE_MOST = 8, CLIMB_MOST = 8 };

/* A line that a core may touch with. */
typedef struct crease {
    scree_vec3 e; /* unit vector along it */
    uint32_t feature;
} crease;

typedef struct creases {
    int n;
    crease at[CREASE_MOST];
} creases;

typedef struct look {
    scree_vec3 d;
    double s;
    scree_minkowski m;
} look;

static look look_along(const scree_placed *a, const scree_placed *b,
                       scree_vec3 d) {
    look l = {.d = scale(1 / norm(d), d)};
    l.m = scree_minkowski_support(a, b, scale(-1, l.d));
    l.s = dot(l.d, l.m.w);
    return l;
}

/* ---- creases ------------------------------------------------------------- */

/* Those steeper than this against d are not near it. */
static const double steep = 0.05;

static void put_crease(creases *c, scree_vec3 e, scree_vec3 d,
                       uint32_t feature) {
    const double length = norm(e);
    if (c->n < CREASE_MOST && fabs(dot(e, d)) <= steep * length)
        c->at[c->n++] = (crease){scale(1 / length, e), feature};
}

/* The edges at the vertex v of a hull. */
static void edges_at(const scree_placed *p, int v, scree_vec3 d, creases *c) {
    const scree_hull *h = p->solid->hull;
    for (int k = h->ring[v]; k < h->ring[v + 1]; ++k) {
        const int w = h->neighbour[k];
        put_crease(c, mat3_mul(&p->R, sub(h->vertex[w], h->vertex[v])), d,
                   scree_feature(SCREE_EDGE, v < w ? v : w));
    }
}

static void creases_of(const scree_placed *p, uint32_t feature, scree_vec3 d,
                       creases *c) {
    c->n = 0;
    if (p->solid->core == SCREE_CORE_HULL)
        edges_at(p, (int)(feature & SCREE_INDEX), d, c);
    else
        put_crease(c, p->R.z, d, scree_feature(SCREE_EDGE, 0));
}

/* ---- the climb ----------------------------------------------------------- */

/* What the rim of p adds to - d^2 s / du dv. */
static double rim_bend(const scree_placed *p, scree_vec3 d, scree_vec3 u,
                       scree_vec3 v) {
    if (p->solid->core != SCREE_CORE_CYLINDER) return 0;
    const scree_vec3 t = cross(p->R.z, d);
    const double rho2 = dot(t, t);
    if (rho2 == 0) return 0;
    return p->solid->disc * dot(t, u) * dot(t, v) / (rho2 * sqrt(rho2));
}

static double fall_along(const scree_placed *a, const scree_placed *b,
                         const look *l, scree_vec3 u, scree_vec3 v) {
    return rim_bend(a, l->d, u, v) + rim_bend(b, l->d, u, v) + l->s * dot(u, v);
}

/* Newton's step; 0 where s is not bent like a summit. */
static scree_vec3 step_anywhere(const scree_placed *a, const scree_placed *b,
                                const look *l) {
    const scree_vec3 u = perpendicular(l->d), v = cross(l->d, u);
    const double gu = dot(l->m.w, u), gv = dot(l->m.w, v);
    const double uu = fall_along(a, b, l, u, u), uv = fall_along(a, b, l, u, v);
    const double vv = fall_along(a, b, l, v, v), det = uu * vv - uv * uv;
    if (det <= 0 || uu + vv <= 0) return vec(0, 0, 0);
    return add(scale((vv * gu - uv * gv) / det, u),
               scale((uu * gv - uv * gu) / det, v));
}

static scree_vec3 step_along(const scree_placed *a, const scree_placed *b,
                             const look *l, scree_vec3 e) {
    const scree_vec3 t = cross(l->d, e);
    const double f = fall_along(a, b, l, t, t);
    return scale(f > 0 ? dot(l->m.w, t) / f : 0, t);
}

/* From l, upward only; e: along the crease, or NULL. */
static look climb_up(const scree_placed *a, const scree_placed *b, look l,
                     const scree_vec3 *e) {
    for (int k = 0; k < CLIMB_MOST; ++k) {
        const scree_vec3 step =
            e ? step_along(a, b, &l, *e) : step_anywhere(a, b, &l);
        const look next = look_along(a, b, add(l.d, step));
        if (next.s <= l.s) break;
        l = next;
    }
    return l;
}

/* ---- the best of all ----------------------------------------------------- */

typedef struct summit {
    look l;
    const crease *of_a, *of_b; /* NULL: none */
    double hair;
} summit;

/* Later ones must be better by more than rounding: creases go first, for beside
 * them another point of the core would be the support. */
static void take_better(summit *best, look l, const crease *of_a,
                        const crease *of_b) {
    if (l.s > best->l.s + best->hair)
        best->l = l, best->of_a = of_a, best->of_b = of_b;
}

static look onto_crease(const scree_placed *a, const scree_placed *b,
                        scree_vec3 d, scree_vec3 e) {
    return look_along(a, b, add_scaled(d, -dot(d, e), e));
}

static void try_crossing(const scree_placed *a, const scree_placed *b,
                         scree_vec3 d, const crease *ca, const crease *cb,
                         summit *best) {
    const scree_vec3 n = cross(ca->e, cb->e);
    if (dot(n, n) < SCREE_PARALLEL * SCREE_PARALLEL) return;
    take_better(best, look_along(a, b, dot(n, d) < 0 ? scale(-1, n) : n), ca,
                cb);
}

/* The faces and caps that look along d most. */
static void try_faces(const scree_placed *a, const scree_placed *b,
                      scree_vec3 d, summit *best) {
    scree_vec3 out;
    if (scree_face_towards(b, d, &out) >= 0)
        take_better(best, look_along(a, b, out), NULL, NULL);
    if (scree_face_towards(a, scale(-1, d), &out) >= 0)
        take_better(best, look_along(a, b, scale(-1, out)), NULL, NULL);
}

static void try_all(const scree_placed *a, const scree_placed *b, look start,
                    const creases *ca, const creases *cb, summit *best) {
    try_faces(a, b, start.d, best);
    for (int k = 0; k < ca->n * cb->n; ++k)
        try_crossing(a, b, start.d, &ca->at[k / cb->n], &cb->at[k % cb->n],
                     best);
    for (int k = 0; k < ca->n; ++k) {
        const crease *c = &ca->at[k];
        take_better(best,
                    climb_up(a, b, onto_crease(a, b, start.d, c->e), &c->e), c,
                    NULL);
    }
    for (int k = 0; k < cb->n; ++k) {
        const crease *c = &cb->at[k];
        take_better(best,
                    climb_up(a, b, onto_crease(a, b, start.d, c->e), &c->e),
                    NULL, c);
    }
    take_better(best, climb_up(a, b, start, NULL), NULL, NULL);
}

/* Rims are named by their ends, other features as ever. */
static uint32_t name_of(const scree_placed *p, const crease *c, scree_vec3 d,
                        uint32_t support) {
    if (c) return c->feature;
    if (p->solid->core != SCREE_CORE_CYLINDER) return support;
    return scree_feature(SCREE_EDGE, 1 + (dot(p->R.z, d) < 0));
}

/* Does p touch with one point of it? Along its axis all of a cap is highest. */
static bool is_pointed(const scree_placed *p, const crease *c, scree_vec3 d) {
    const scree_vec3 t = cross(p->R.z, d);
    return !c && (p->solid->core != SCREE_CORE_CYLINDER || dot(t, t) > 1e-8);
}

/* Where the line of a passes that of b. */
static scree_vec3 crossing_of(const summit *best) {
    const scree_vec3 side = cross(best->of_b->e, best->l.d);
    const scree_vec3 e = best->of_a->e;
    return add_scaled(best->l.m.on_a, -dot(side, best->l.m.w) / dot(side, e),
                      e);
}

void scree_climb_at_rim(const scree_placed *a, const scree_placed *b,
                        scree_closest *c) {
    const look start = look_along(a, b, c->n);
    creases ca, cb;
    creases_of(a, start.m.of_a, start.d, &ca);
    creases_of(b, start.m.of_b, start.d, &cb);
    summit best = {.l = {.s = -INFINITY},
                   .hair = 1e-11 * (a->solid->bound + b->solid->bound)};
    try_all(a, b, start, &ca, &cb, &best);
    const scree_vec3 n = best.l.d;
    c->n = n, c->s = best.l.s;
    if (is_pointed(a, best.of_a, n)) {
        c->on_a = best.l.m.on_a;
        c->on_b = add_scaled(c->on_a, -c->s, n);
    } else if (is_pointed(b, best.of_b, n)) {
        c->on_b = best.l.m.on_b;
        c->on_a = add_scaled(c->on_b, c->s, n);
    } else if (best.of_a && best.of_b) {
        c->on_a = crossing_of(&best);
        c->on_b = add_scaled(c->on_a, -c->s, n);
    }
    c->key = scree_touch_key(name_of(a, best.of_a, scale(-1, n), best.l.m.of_a),
                             name_of(b, best.of_b, n, best.l.m.of_b));
}
