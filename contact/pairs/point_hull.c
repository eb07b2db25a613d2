#include "contact/narrow/pair.h"

/* The point of the segment (p, q) nearest to x. */
static scree_vec3 foot_on(scree_vec3 p, scree_vec3 q, scree_vec3 x) {
    const scree_vec3 e = sub(q, p);
    const double t = dot(sub(x, p), e) / dot(e, e);
    return add_scaled(p, fmin(fmax(t, 0), 1), e);
}

typedef struct nearest {
    scree_vec3 p;
    double d2;
    uint32_t feature;
} nearest;

/* The point of face f nearest to x: below x, or on the edges that x is
 * beyond. */
static void try_face(const scree_hull *h, int f, scree_vec3 x, double above,
                     nearest *best) {
    const int first = h->loop[f], last = h->loop[f + 1];
    bool over = true;
    for (int c = first, prior = last - 1; c < last; prior = c++) {
        const scree_vec3 p = h->vertex[h->corner[prior]];
        const scree_vec3 q = h->vertex[h->corner[c]];
        if (dot(cross(sub(q, p), h->normal[f]), sub(x, p)) <= 0) continue;
        over = false;
        const scree_vec3 foot = foot_on(p, q, x), d = sub(x, foot);
        if (dot(d, d) < best->d2)
            *best =
                (nearest){foot, dot(d, d), scree_feature(SCREE_EDGE, prior)};
    }
    if (over && above * above < best->d2)
        *best = (nearest){add_scaled(x, -above, h->normal[f]), above * above,
                          scree_feature(SCREE_FACE, f)};
}

static int highest_face(const scree_hull *h, scree_vec3 x, double *most) {
    int best = 0;
    *most = -INFINITY;
    for (int f = 0; f < h->n_face; ++f) {
        const double s = dot(h->normal[f], x) - h->offset[f];
        if (s > *most) *most = s, best = f;
    }
    return best;
}

/* The nearest point of the hull lies on a face that x is above of, and no face
 * is nearer than its plane. */
static nearest nearest_outside(const scree_hull *h, scree_vec3 x, int first,
                               double most) {
    nearest best = {.d2 = INFINITY};
    try_face(h, first, x, most, &best);
    for (int f = 0; f < h->n_face; ++f) {
        const double s = dot(h->normal[f], x) - h->offset[f];
        if (s > 0 && s * s < best.d2 && f != first) try_face(h, f, x, s, &best);
    }
    return best;
}

/* Inside the way out is through the nearest face. */
int scree_point_hull(const scree_placed *a, const scree_placed *b, double reach,
                     scree_touch *touches) {
    const scree_hull *h = b->solid->hull;
    const scree_vec3 x = mat3_mul_back(&b->R, sub(a->x, b->x));
    double s;
    const int f = highest_face(h, x, &s);
    const double limit = scree_core_reach(a, b, reach);
    if (s > limit) return 0;
    scree_vec3 n = h->normal[f], foot = add_scaled(x, -s, n);
    uint32_t feature = scree_feature(SCREE_FACE, f);
    if (s > 0) {
        const nearest p = nearest_outside(h, x, f, s);
        const scree_vec3 d = sub(x, p.p);
        const double distance = sqrt(p.d2);
        if (distance > limit) return 0;
        foot = p.p, feature = p.feature;
        if (distance > 1e-12 * b->solid->bound)
            s = distance, n = scale(1 / distance, d);
    }
    touches[0] = scree_touch_between(a, b, a->x, scree_placed_point(b, foot),
                                     mat3_mul(&b->R, n), s, feature);
    return 1;
}
