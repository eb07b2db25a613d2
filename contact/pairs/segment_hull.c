#include "contact/narrow/clip.h"
#include "contact/narrow/pair.h"

/* Least translation of a segment out of a hull: through a face, or across an
 * edge whose faces look to both sides of the segment's direction. All in the
 * hull's frame; out points away from the hull. */
typedef struct way_out {
    double s;
    scree_vec3 out;
    uint32_t feature;
} way_out;

static way_out by_faces(const scree_hull *h, scree_vec3 x, scree_vec3 half) {
    way_out best = {.s = -INFINITY};
    for (int f = 0; f < h->n_face; ++f) {
        const scree_vec3 n = h->normal[f];
        const double s = dot(n, x) - h->offset[f] - fabs(dot(n, half));
        if (s > best.s) best = (way_out){s, n, scree_feature(SCREE_FACE, f)};
    }
    return best;
}

static void by_edges(const scree_hull *h, scree_vec3 x, scree_vec3 half,
                     double bias, way_out *best) {
    for (int k = 0; k < h->n_edge; ++k) {
        const scree_edge *e = &h->edge[k];
        const scree_vec3 n0 = h->normal[e->f[0]], n1 = h->normal[e->f[1]];
        if (dot(n0, half) * dot(n1, half) >= 0) continue;
        const scree_vec3 p = h->vertex[e->v[0]], q = h->vertex[e->v[1]];
        const scree_vec3 m = cross(sub(q, p), half);
        const double length = norm(m);
        if (length <= 1e-9 * norm(sub(q, p)) * norm(half)) continue;
        const double sign = dot(m, add(n0, n1)) > 0 ? 1 : -1;
        const scree_vec3 out = scale(sign / length, m);
        const double s = dot(out, sub(x, p));
        if (s > best->s + bias)
            *best = (way_out){s, out, scree_feature(SCREE_EDGE, k)};
    }
}

/* Where the line x + t half is nearest to the edge, for a touch across it. */
static scree_vec3 place_across(const scree_hull *h, int edge, scree_vec3 x,
                               scree_vec3 half, scree_vec3 out) {
    const scree_vec3 p = h->vertex[h->edge[edge].v[0]];
    const scree_vec3 side = cross(sub(h->vertex[h->edge[edge].v[1]], p), out);
    const double t = dot(side, sub(p, x)) / dot(side, half);
    return add_scaled(x, fmin(fmax(t, -1), 1), half);
}

static scree_closest deepest_overlap(const scree_placed *a,
                                     const scree_placed *b) {
    const scree_hull *h = b->solid->hull;
    const scree_vec3 x = mat3_mul_back(&b->R, sub(a->x, b->x));
    const scree_vec3 half = mat3_mul_back(&b->R, scale(a->solid->half, a->R.z));
    way_out w = by_faces(h, x, half);
    by_edges(h, x, half, scree_face_bias(a, b, w.s), &w);
    const bool across = (w.feature & SCREE_EDGE) != 0;
    const scree_vec3 low =
        across ? place_across(h, (int)(w.feature & SCREE_INDEX), x, half, w.out)
               : add_scaled(x, dot(half, w.out) > 0 ? -1 : 1, half);
    const scree_vec3 foot = add_scaled(low, -w.s, w.out);
    return (scree_closest){.n = mat3_mul(&b->R, w.out),
                           .s = w.s,
                           .on_a = scree_placed_point(b, low),
                           .on_b = scree_placed_point(b, foot),
                           .key = scree_touch_key(SCREE_EDGE, w.feature)};
}

int scree_segment_hull(const scree_placed *a, const scree_placed *b,
                       double reach, scree_touch *touches) {
    scree_closest c;
    if (!scree_gjk(a, b, scree_core_reach(a, b, reach), &c))
        c = deepest_overlap(a, b);
    return scree_manifold(a, b, &c, reach, touches);
}
