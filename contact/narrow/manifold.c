/* manifold.c: from normal and closest points of two cores to their touches. */
#include "contact/narrow/clip.h"
#include "contact/solid/shape.h"

/* ---- by a face ----------------------------------------------------------- */

static scree_face_axis face_of(const scree_placed *p, const scree_placed *other,
                               scree_vec3 d) {
    scree_face_axis c = {.s = -INFINITY};
    uint32_t feature;
    c.face = scree_face_towards(p, d, &c.out);
    if (c.face < 0) return c;
    const scree_vec3 low =
        scree_core_support(other, scale(-1, c.out), &feature);
    const scree_vec3 top = scree_core_support(p, c.out, &feature);
    c.s = dot(c.out, sub(low, top));
    return c;
}

static double patch_area(const scree_patch *f) {
    scree_vec3 sum = vec(0, 0, 0);
    for (int k = 2; k < f->n; ++k)
        sum = add(sum, cross(sub(f->p[k - 1], f->p[0]), sub(f->p[k], f->p[0])));
    return fabs(dot(sum, f->normal));
}

/* The face that separates best; of two that do so equally the preferred one. */
static bool reference_is_a(const scree_face_axis *fa, const scree_face_axis *fb,
                           const scree_patch *pa, const scree_patch *pb,
                           double bias, scree_vec3 n) {
    if (fa->s > fb->s + bias) return true;
    if (fb->s > fa->s + bias) return false;
    return scree_prefer_a(patch_area(pa), patch_area(pb), n);
}

/* The reference face, and whose it is. */
typedef struct reference {
    bool is_a;
    scree_patch face;
} reference;

static void choose_reference(const scree_placed *a, const scree_placed *b,
                             const scree_face_axis *fa,
                             const scree_face_axis *fb, double bias,
                             scree_vec3 n, reference *r) {
    scree_patch of_b;
    if (fa->face >= 0) scree_face_patch(a, fa->face, fa->out, &r->face);
    if (fb->face >= 0) scree_face_patch(b, fb->face, fb->out, &of_b);
    r->is_a = fb->face < 0 || (fa->face >= 0 && reference_is_a(fa, fb, &r->face,
                                                               &of_b, bias, n));
    if (!r->is_a) r->face = of_b;
}

/* Touches over the better of the two faces; c: what separates best. */
static int by_face(const scree_placed *a, const scree_placed *b,
                   const scree_face_axis *fa, const scree_face_axis *fb,
                   const scree_closest *c, double reach, reference *r,
                   scree_touch *touches) {
    const double bias = scree_face_bias(a, b, c->s);
    if (fmax(fa->s, fb->s) < c->s - bias) return 0;
    scree_patch incident;
    choose_reference(a, b, fa, fb, bias, c->n, r);
    scree_facing_patch(r->is_a ? b : a, scale(-1, r->is_a ? fa->out : fb->out),
                       &incident);
    const int n =
        scree_clip(a, b, &r->face, &incident, r->is_a, reach, touches);
    const double least = c->s - a->solid->radius - b->solid->radius;
    return scree_deepest(touches, n) <= least + 2 * bias ? n : 0;
}

/* ---- by a face, before anything else is known ---------------------------------
 *
 * A point p of the other solid, s over the reference face of normal m, says how far
 * any direction d, turned by theta from m, separates the cores: p and the face's
 * point rho from below it, against the turn, give s cos(theta) - rho sin(theta),
 * if the face reaches so far on all sides. Cores that are apart are so by s then.
 * For s < 0 that is below s up to theta = 90 degrees if rho >= |s|, and up to 136
 * if rho >= 2.5 |s|. Beyond, the balls inside the cores tell: with centres H apart
 * along m and T across it d separates them by T sin(theta) + H cos(theta) at
 * most. */

static double core_inside(const scree_placed *p) {
    return scree_ops_of(p->solid)->inside(p->solid) - p->solid->radius;
}

/* The middle of the touches that are as deep as any. */
static scree_vec3 deepest_middle(const scree_touch *t, int n, double hair) {
    const double most = scree_deepest(t, n) + hair;
    scree_vec3 sum = vec(0, 0, 0);
    int count = 0;
    for (int k = 0; k < n; ++k)
        if (t[k].g <= most) sum = add(sum, t[k].x), ++count;
    return scale(1. / count, sum);
}

/* How far the face reaches around p, on all sides. */
static double room_around(const scree_patch *f, scree_vec3 p) {
    double least = INFINITY;
    for (int k = 0; k < f->n; ++k) {
        const scree_vec3 o = f->p[k];
        const scree_vec3 e = sub(f->p[k + 1 < f->n ? k + 1 : 0], o);
        least = fmin(least, dot(cross(f->normal, e), sub(p, o)) / norm(e));
    }
    return least;
}

static bool balls_overlap_more(const scree_placed *a, const scree_placed *b,
                               scree_vec3 m, double depth) {
    const scree_vec3 d = sub(a->x, b->x);
    const double H = fabs(dot(m, d));
    const double T = sqrt(fmax(dot(d, d) - H * H, 0));
    return 0.7 * (T - H) + depth <= core_inside(a) + core_inside(b);
}

static bool face_decides(const scree_placed *a, const scree_placed *b,
                         const reference *r, double s, const scree_touch *t,
                         int n) {
    if (s >= 0) return true;
    const scree_vec3 middle = deepest_middle(t, n, scree_face_bias(a, b, s));
    return room_around(&r->face, middle) >= -2.5 * s &&
           balls_overlap_more(a, b, r->face.normal, -s);
}

int scree_manifold_flat(const scree_placed *a, const scree_placed *b,
                        const scree_face_axis *fa, const scree_face_axis *fb,
                        double reach, scree_touch *touches) {
    reference r;
    const bool by_a = fa->s > fb->s;
    const scree_closest c = {.s = by_a ? fa->s : fb->s,
                             .n = by_a ? scale(-1, fa->out) : fb->out};
    const int n = by_face(a, b, fa, fb, &c, reach, &r, touches);
    return n > 0 && face_decides(a, b, &r, c.s, touches, n) ? n : 0;
}

/* ---- by two lines -------------------------------------------------------- */

/* A line as an interval along the direction e that both lines share. */
typedef struct interval {
    double lo, hi;
    int first; /* the end at lo */
} interval;

static interval extent_along(const scree_patch *l, scree_vec3 e) {
    const double p = dot(e, l->p[0]), q = dot(e, l->p[1]);
    return (interval){fmin(p, q), fmax(p, q), q < p};
}

static scree_vec3 line_point(const scree_patch *l, interval i, double at) {
    const double k = fmin(fmax((at - i.lo) / (i.hi - i.lo), 0), 1);
    const scree_vec3 from = l->p[i.first], to = l->p[!i.first];
    return add_scaled(from, k, sub(to, from));
}

/* The direction between those of both lines; false if they are not parallel. */
static bool shared_direction(const scree_patch *la, const scree_patch *lb,
                             scree_vec3 *e) {
    const scree_vec3 a = sub(la->p[1], la->p[0]), b = sub(lb->p[1], lb->p[0]);
    const scree_vec3 turn = cross(a, b);
    if (dot(turn, turn) >
        SCREE_PARALLEL * SCREE_PARALLEL * dot(a, a) * dot(b, b))
        return false;
    const scree_vec3 ua = scale(1 / norm(a), a), ub = scale(1 / norm(b), b);
    const scree_vec3 sum = dot(a, b) > 0 ? add(ua, ub) : sub(ua, ub);
    *e = scale(1 / norm(sum), sum);
    return true;
}

/* End k of the stretch that both lines cover is named by the end of the line
 * that bounds it; by both where they are level. */
static uint32_t end_key(const scree_patch *la, const scree_patch *lb,
                        interval ia, interval ib, int k) {
    const uint32_t va = la->vertex[ia.first ^ k], vb = lb->vertex[ib.first ^ k];
    const double beyond = k ? ib.hi - ia.hi : ia.lo - ib.lo; /* b beyond a */
    const double level = 1e-4 * fmin(ia.hi - ia.lo, ib.hi - ib.lo);
    if (beyond > level) return scree_touch_key(va, lb->face);
    if (beyond < -level) return scree_touch_key(la->face, vb);
    return scree_touch_key(va, vb);
}

static int by_lines(const scree_placed *a, const scree_placed *b,
                    const scree_patch *la, const scree_patch *lb,
                    const scree_closest *c, double reach,
                    scree_touch *touches) {
    scree_vec3 e;
    if (!shared_direction(la, lb, &e)) return 0;
    const interval ia = extent_along(la, e), ib = extent_along(lb, e);
    const double at[2] = {fmax(ia.lo, ib.lo), fmin(ia.hi, ib.hi)};
    if (at[1] - at[0] <= 1e-3 * fmin(ia.hi - ia.lo, ib.hi - ib.lo)) return 0;
    int n = 0;
    for (int k = 0; k < 2; ++k) {
        const scree_vec3 pa = line_point(la, ia, at[k]);
        const scree_vec3 pb = line_point(lb, ib, at[k]);
        const double s = dot(c->n, sub(pa, pb));
        if (s <= scree_core_reach(a, b, reach))
            touches[n++] = scree_touch_between(a, b, pa, pb, c->n, s,
                                               end_key(la, lb, ia, ib, k));
    }
    const double least = c->s - a->solid->radius - b->solid->radius;
    const double bias = scree_face_bias(a, b, c->s);
    return fabs(scree_deepest(touches, n) - least) <= bias ? n : 0;
}

/* ---- beside the nearest points ----------------------------------------------
 *
 * Faces that look at each other along n within some degrees may meet soon, though
 * the nearest points lie on their rims: a touch there alone would let the bodies
 * turn about it, into each other. What the other's face has over the reference
 * face, of normal m, are true points of it at true heights h: h >= s where the
 * cores are apart, and h = s / (m . n) where two rims cross. So they are touches
 * too. None counts as deeper than s, the least translation that separates. */

static double face_area(const scree_placed *p, int face, scree_vec3 d) {
    scree_patch patch;
    scree_face_patch(p, face, d, &patch);
    return patch_area(&patch);
}

/* The face that looks most along n; of two that do so equally the preferred one. */
static bool a_looks_best(const scree_placed *a, const scree_placed *b,
                         const scree_face_axis *fa, const scree_face_axis *fb,
                         scree_vec3 n) {
    if (fa->face < 0 || fb->face < 0) return fb->face < 0;
    const double along_a = -dot(fa->out, n), along_b = dot(fb->out, n);
    if (fabs(along_a - along_b) > 1e-3) return along_a > along_b;
    return scree_prefer_a(face_area(a, fa->face, fa->out),
                          face_area(b, fb->face, fb->out), n);
}

/* Does what is below `most` over the face reach farther than `far` from the lowest
 * corner? If not, it is what the nearest points tell. */
static bool spreads_beyond(const scree_patch *face, const scree_patch *incident,
                           double most, double far) {
    double h[SCREE_PATCH_MOST];
    int low = 0;
    for (int k = 0; k < incident->n; ++k) {
        h[k] = dot(face->normal, sub(incident->p[k], face->p[0]));
        if (h[k] < h[low]) low = k;
    }
    for (int k = 0; k < incident->n; ++k) {
        const scree_vec3 d = sub(incident->p[k], incident->p[low]);
        const double rise = h[k] - h[low], room = most - h[low];
        const double share = rise > room ? room / rise : 1;
        if (share > 0 && share * share * dot(d, d) > far * far) return true;
    }
    return false;
}

static int over_face(const scree_placed *a, const scree_placed *b,
                     const scree_face_axis *fa, const scree_face_axis *fb,
                     const scree_closest *c, double reach,
                     scree_touch *touches) {
    if (fa->face < 0 && fb->face < 0) return 0;
    const bool is_a = a_looks_best(a, b, fa, fb, c->n);
    const scree_face_axis *f = is_a ? fa : fb;
    scree_patch face, incident;
    scree_face_patch(is_a ? a : b, f->face, f->out, &face);
    scree_facing_patch(is_a ? b : a, scale(-1, f->out), &incident);
    if (!spreads_beyond(&face, &incident, scree_core_reach(a, b, reach),
                        0.1 * scree_least_bound(a, b)))
        return 0;
    return scree_clip(a, b, &face, &incident, is_a, reach, touches);
}

/* Is it one of the nearest points again? Then they go on under its name, which
 * they had while the face was the nearest. */
static bool is_among(scree_touch *nearest, int n, const scree_touch *t,
                     double near) {
    for (int k = 0; k < n; ++k) {
        const scree_vec3 d = sub(nearest[k].x, t->x);
        if (dot(d, d) > near * near) continue;
        nearest[k].key = t->key;
        return true;
    }
    return false;
}

/* Adds to the n nearest touches those over a face. */
static int add_beside(const scree_placed *a, const scree_placed *b,
                      const scree_face_axis *fa, const scree_face_axis *fb,
                      const scree_closest *c, double reach,
                      scree_touch *touches, int n) {
    scree_touch beside[4];
    const int found = over_face(a, b, fa, fb, c, reach, beside);
    const double least = c->s - a->solid->radius - b->solid->radius;
    const double near = fabs(c->s) + 1e-3 * scree_least_bound(a, b);
    int all = n;
    for (int k = 0; k < found; ++k) {
        if (is_among(touches, n, &beside[k], near)) continue;
        touches[all] = beside[k];
        touches[all].g = fmax(beside[k].g, least);
        ++all;
    }
    return scree_thin_after(touches, n, all, 4);
}

int scree_manifold_beside_faces(const scree_placed *a, const scree_placed *b,
                                const scree_closest *c, bool lines,
                                const scree_face_axis *fa,
                                const scree_face_axis *fb, double reach,
                                scree_touch *touches) {
    scree_patch la, lb;
    int n = 0;
    if (lines && scree_edge_patch(a, scale(-1, c->n), &la) &&
        scree_edge_patch(b, c->n, &lb))
        n = by_lines(a, b, &la, &lb, c, reach, touches);
    if (n == 0)
        touches[n++] =
            scree_touch_between(a, b, c->on_a, c->on_b, c->n, c->s, c->key);
    for (int k = 0; k < n; ++k)
        touches[k].key |= scree_touch_key(SCREE_NEAREST, SCREE_NEAREST);
    return add_beside(a, b, fa, fb, c, reach, touches, n);
}

int scree_manifold_beside(const scree_placed *a, const scree_placed *b,
                          const scree_closest *c, bool lines, double reach,
                          scree_touch *touches) {
    scree_face_axis fa, fb;
    fa.face = scree_face_towards(a, scale(-1, c->n), &fa.out);
    fb.face = scree_face_towards(b, c->n, &fb.out);
    return scree_manifold_beside_faces(a, b, c, lines, &fa, &fb, reach,
                                       touches);
}

int scree_manifold(const scree_placed *a, const scree_placed *b,
                   const scree_closest *c, double reach, scree_touch *touches) {
    if (c->s > scree_core_reach(a, b, reach)) return 0;
    reference r;
    const scree_face_axis fa = face_of(a, b, scale(-1, c->n));
    const scree_face_axis fb = face_of(b, a, c->n);
    const int n = by_face(a, b, &fa, &fb, c, reach, &r, touches);
    return n > 0 ? n : scree_manifold_beside(a, b, c, true, reach, touches);
}

/* A flat end of a cylinder meets others as a polygon in its rim, its side as the
 * line nearest to the other. */
int scree_manifold_by_supports(const scree_placed *a, const scree_placed *b,
                               double reach, scree_touch *touches) {
    scree_closest c;
    const double most = scree_core_reach(a, b, reach);
    scree_closest_cores(a, b, most, &c);
    if (c.s > most) return 0;
    scree_climb_at_rim(a, b, &c);
    return scree_manifold(a, b, &c, reach, touches);
}
