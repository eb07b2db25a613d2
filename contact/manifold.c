/* manifold.c: from normal and closest points of two cores to their touches. */
#include "contact/clip.h"

/* ---- by a face -------------------------------------------------------------- */

typedef struct candidate {
    int face;       /* -1: none */
    scree_vec3 out; /* its normal */
    double s;       /* how far it separates the cores */
} candidate;

static candidate face_of(const scree_placed *p, const scree_placed *other,
                         scree_vec3 d) {
    candidate c = {.s = -INFINITY};
    uint32_t feature;
    c.face = scree_face_towards(p, d, &c.out);
    if (c.face < 0) return c;
    const scree_vec3 low = scree_core_support(other, scale(-1, c.out), &feature);
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
static bool reference_is_a(const candidate *fa, const candidate *fb,
                           const scree_patch *pa, const scree_patch *pb,
                           double bias, scree_vec3 n) {
    if (fa->s > fb->s + bias) return true;
    if (fb->s > fa->s + bias) return false;
    return scree_prefer_a(patch_area(pa), patch_area(pb), n);
}

static int by_face(const scree_placed *a, const scree_placed *b,
                   const scree_closest *c, double reach, scree_touch *touches) {
    const double bias = scree_face_bias(a, b, c->s);
    const scree_vec3 back = scale(-1, c->n);
    const candidate fa = face_of(a, b, back), fb = face_of(b, a, c->n);
    if (fmax(fa.s, fb.s) < c->s - bias) return 0;
    scree_patch pa, pb, incident;
    if (fa.face >= 0) scree_face_patch(a, fa.face, back, &pa);
    if (fb.face >= 0) scree_face_patch(b, fb.face, c->n, &pb);
    const bool is_a = fb.face < 0 ||
        (fa.face >= 0 && reference_is_a(&fa, &fb, &pa, &pb, bias, c->n));
    scree_facing_patch(is_a ? b : a, scale(-1, is_a ? fa.out : fb.out),
                       &incident);
    const int n = scree_clip(a, b, is_a ? &pa : &pb, &incident, is_a, reach,
                             touches);
    const double least = c->s - a->solid->radius - b->solid->radius;
    return scree_deepest(touches, n) <= least + 2 * bias ? n : 0;
}

/* ---- by two lines ------------------------------------------------------------- */

/* Lines within this angle (its sine) are parallel. */
static const double parallel = 0.02;

typedef struct stretch {
    double at;    /* along the line of a */
    uint32_t key; /* the end that bounds it */
} stretch;

static stretch later(stretch p, stretch q) { return p.at >= q.at ? p : q; }
static stretch sooner(stretch p, stretch q) { return p.at <= q.at ? p : q; }

static scree_vec3 line_point(const scree_patch *l, double at, double from,
                             double to) {
    const double k = fmin(fmax((at - from) / (to - from), 0), 1);
    return add_scaled(l->p[0], k, sub(l->p[1], l->p[0]));
}

/* The two ends of the stretch that both lines cover. */
static int by_lines(const scree_placed *a, const scree_placed *b,
                    const scree_patch *la, const scree_patch *lb,
                    const scree_closest *c, double reach,
                    scree_touch *touches) {
    const scree_vec3 ea = sub(la->p[1], la->p[0]), eb = sub(lb->p[1], lb->p[0]);
    const scree_vec3 turn = cross(ea, eb);
    if (dot(turn, turn) > parallel * parallel * dot(ea, ea) * dot(eb, eb))
        return 0;
    const double length = norm(ea);
    const scree_vec3 e = scale(1 / length, ea);
    const double b0 = dot(e, sub(lb->p[0], la->p[0]));
    const double b1 = dot(e, sub(lb->p[1], la->p[0]));
    const int first = b0 > b1; /* end of b that comes first along a */
    const stretch lo = later(
        (stretch){0, scree_touch_key(la->vertex[0], lb->face)},
        (stretch){fmin(b0, b1), scree_touch_key(la->face, lb->vertex[first])});
    const stretch hi = sooner(
        (stretch){length, scree_touch_key(la->vertex[1], lb->face)},
        (stretch){fmax(b0, b1), scree_touch_key(la->face, lb->vertex[!first])});
    if (hi.at - lo.at <= 1e-3 * fmin(length, norm(eb))) return 0;
    const stretch ends[2] = {lo, hi};
    int n = 0;
    for (int k = 0; k < 2; ++k) {
        const scree_vec3 pa = line_point(la, ends[k].at, 0, length);
        const scree_vec3 pb = line_point(lb, ends[k].at, b0, b1);
        const double s = dot(c->n, sub(pa, pb));
        if (s <= scree_core_reach(a, b, reach))
            touches[n++] =
                scree_touch_between(a, b, pa, pb, c->n, s, ends[k].key);
    }
    const double least = c->s - a->solid->radius - b->solid->radius;
    const double bias = scree_face_bias(a, b, c->s);
    return fabs(scree_deepest(touches, n) - least) <= bias ? n : 0;
}

int scree_manifold(const scree_placed *a, const scree_placed *b,
                   const scree_closest *c, double reach, scree_touch *touches) {
    if (c->s > scree_core_reach(a, b, reach)) return 0;
    int n = by_face(a, b, c, reach, touches);
    if (n > 0) return n;
    scree_patch la, lb;
    if (scree_edge_patch(a, scale(-1, c->n), &la) &&
        scree_edge_patch(b, c->n, &lb))
        n = by_lines(a, b, &la, &lb, c, reach, touches);
    if (n > 0) return n;
    touches[0] = scree_touch_between(a, b, c->on_a, c->on_b, c->n, c->s, c->key);
    return 1;
}
