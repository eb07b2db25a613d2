/* Two convex polygons in the plane: all normals lie in it.
 *
 * The edge that separates best is the reference; the edge of the other that
 * looks against it is cut at its ends. Polygons that are apart and have no
 * vertex over an edge are nearest at two vertices. */
#include "contact/narrow/clip.h"
#include "contact/pairs/planar.h"

typedef struct side_axis {
    double s;
    scree_side side;
} side_axis;

/* How far the edge separates p from the other. */
static double separation_by(const scree_side *side, const scree_placed *other) {
    uint32_t feature;
    const scree_vec3 low =
        scree_core_support(other, scale(-1, side->n), &feature);
    return dot(side->n, sub(low, side->p));
}

static side_axis best_side(const scree_placed *p, const scree_placed *other) {
    side_axis best = {.s = -INFINITY};
    for (int k = 0; k < scree_polygon_size(p); ++k) {
        const scree_side side = scree_polygon_side(p, k);
        const double s = separation_by(&side, other);
        if (s > best.s) best = (side_axis){s, side};
    }
    return best;
}

/* Of the edges at the vertex farthest against n the one that looks most so. */
static scree_side facing_side(const scree_placed *p, scree_vec3 n) {
    const int count = scree_polygon_size(p);
    int low = 0;
    double least = INFINITY;
    for (int k = 0; k < count; ++k) {
        const double h = dot(n, scree_polygon_corner(p, k));
        if (h < least) least = h, low = k;
    }
    const scree_side before = scree_polygon_side(p, (low + count - 1) % count);
    const scree_side after = scree_polygon_side(p, low);
    return dot(before.n, n) < dot(after.n, n) ? before : after;
}

static bool reference_is_a(const scree_placed *a, const scree_placed *b,
                           const side_axis *sa, const side_axis *sb) {
    const double bias = scree_face_bias(a, b, fmax(sa->s, sb->s));
    if (sa->s > sb->s + bias) return true;
    if (sb->s > sa->s + bias) return false;
    return scree_prefer_a(sa->side.length, sb->side.length,
                          sub(sb->side.n, sa->side.n));
}

/* The incident edge between the ends of the reference. */
typedef struct cut_end {
    scree_vec3 p;
    uint32_t of_reference, of_incident;
} cut_end;

/* Cuts away what lies beyond the end `o` in direction `out`; false: all. An end
 * nearer to the cut than a hair is left alone, so that its name stays. */
static bool cut_beyond(cut_end e[2], scree_vec3 o, scree_vec3 out, double hair,
                       uint32_t vertex, uint32_t edge) {
    const double h[2] = {dot(out, sub(e[0].p, o)), dot(out, sub(e[1].p, o))};
    if (fmin(h[0], h[1]) > hair) return false;
    const int outer = h[1] > h[0];
    if (h[outer] <= hair) return true;
    const double k = fmin(fmax(h[0] / (h[0] - h[1]), 0), 1);
    e[outer] =
        (cut_end){add_scaled(e[0].p, k, sub(e[1].p, e[0].p)), vertex, edge};
    return true;
}

static int by_side(const scree_placed *a, const scree_placed *b,
                   const side_axis *x, bool is_a, double reach,
                   scree_touch *touches) {
    const scree_side *ref = &x->side;
    const scree_side inc = facing_side(is_a ? b : a, ref->n);
    const uint32_t edge = scree_feature(SCREE_EDGE, inc.edge);
    const uint32_t own = scree_feature(SCREE_EDGE, ref->edge);
    const scree_vec3 t = scale(1 / ref->length, sub(ref->q, ref->p));
    const double hair = 1e-4 * ref->length;
    cut_end e[2] = {{inc.p, own, scree_feature(SCREE_VERTEX, inc.from)},
                    {inc.q, own, scree_feature(SCREE_VERTEX, inc.to)}};
    if (!cut_beyond(e, ref->p, scale(-1, t), hair,
                    scree_feature(SCREE_VERTEX, ref->from), edge) ||
        !cut_beyond(e, ref->q, t, hair, scree_feature(SCREE_VERTEX, ref->to),
                    edge))
        return 0;
    int n = 0;
    for (int k = 0; k < 2; ++k) {
        const double s = dot(ref->n, sub(e[k].p, ref->p));
        const scree_vec3 foot = add_scaled(e[k].p, -s, ref->n);
        if (s > scree_core_reach(a, b, reach)) continue;
        touches[n++] =
            is_a ? scree_touch_between(
                       a, b, foot, e[k].p, scale(-1, ref->n), s,
                       scree_touch_key(e[k].of_reference, e[k].of_incident))
                 : scree_touch_between(
                       a, b, e[k].p, foot, ref->n, s,
                       scree_touch_key(e[k].of_incident, e[k].of_reference));
    }
    const double g = x->s - a->solid->radius - b->solid->radius;
    const double slack = 2 * scree_face_bias(a, b, x->s);
    return scree_deepest(touches, n) <= g + slack ? n : 0;
}

static int by_vertices(const scree_placed *a, const scree_placed *b,
                       double reach, scree_touch *touches) {
    double least = INFINITY;
    int va = 0, vb = 0;
    for (int i = 0; i < scree_polygon_size(a); ++i)
        for (int j = 0; j < scree_polygon_size(b); ++j) {
            const scree_vec3 d = scree_in_plane(
                sub(scree_polygon_corner(a, i), scree_polygon_corner(b, j)));
            if (dot(d, d) < least) least = dot(d, d), va = i, vb = j;
        }
    const double s = sqrt(least);
    if (s > scree_core_reach(a, b, reach) || s == 0) return 0;
    const scree_vec3 pa = scree_polygon_corner(a, va);
    const scree_vec3 pb = scree_polygon_corner(b, vb);
    touches[0] = scree_touch_between(
        a, b, pa, pb, scale(1 / s, scree_in_plane(sub(pa, pb))), s,
        scree_touch_key(scree_polygon_vertex(va), scree_polygon_vertex(vb)));
    return 1;
}

int scree_polygon_polygon(const scree_placed *a, const scree_placed *b,
                          double reach, scree_touch *touches) {
    const side_axis sa = best_side(a, b);
    const double most = scree_core_reach(a, b, reach);
    if (sa.s > most) return 0;
    const side_axis sb = best_side(b, a);
    if (sb.s > most) return 0;
    const bool is_a = reference_is_a(a, b, &sa, &sb);
    const int n = by_side(a, b, is_a ? &sa : &sb, is_a, reach, touches);
    return n > 0 ? n : by_vertices(a, b, reach, touches);
}
