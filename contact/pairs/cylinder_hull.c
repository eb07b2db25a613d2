/* A cylinder a and a hull b. By the face that separates best, if that decides:
 * the hull's, or a cap. By the cylinder's side, if its axis is nearest to the
 * hull where both look across it. By supports where neither is sure: at rims.
 */
#include "contact/narrow/pair.h"
#include "contact/pairs/axis.h"

/* n . x + half |n . z| + disc |n across z| is how far a cylinder at x, about z,
 * reaches along n. In the hull's frame. */
static scree_face_axis best_face(const scree_placed *a, const scree_placed *b) {
    const scree_hull *h = b->solid->hull;
    const scree_vec3 x = mat3_mul_back(&b->R, sub(a->x, b->x));
    const scree_vec3 z = mat3_mul_back(&b->R, a->R.z);
    scree_face_axis best = {.s = -INFINITY};
    for (int f = 0; f < h->n_face; ++f) {
        const double rise = dot(h->normal[f], z);
        const double across = sqrt(fmax(1 - rise * rise, 0));
        const double s = dot(h->normal[f], x) - h->offset[f] -
                         a->solid->half * fabs(rise) - a->solid->disc * across;
        if (s > best.s) best.s = s, best.face = f;
    }
    best.out = mat3_mul(&b->R, h->normal[best.face]);
    return best;
}

/* Nearest points of axis and hull, D apart along n across the axis z, with L of
 * the axis left on both sides, show that a direction d separates by at most D n
 * . d - R sqrt(1 - x^2) - L |x|,  x = d . z,  n . d <= sqrt(1 - x^2): n does so
 * best if D >= R, or if R - D <= L. *apart: by no less than `most`. */
static bool by_side(const scree_placed *a, const scree_placed *b, double most,
                    bool *apart, scree_closest *c) {
    const double half = a->solid->half, R = a->solid->disc;
    const scree_solid axis = {
        .core = SCREE_CORE_SEGMENT, .half = half, .bound = half};
    const scree_placed line = {&axis, a->x, a->R};
    if (!scree_gjk(&line, b, most + R, c)) return false;
    *apart = c->s == INFINITY;
    if (*apart ||
        !scree_meets_sideways(a, c->n, 0.5 * scree_face_bias(a, b, 0)))
        return false;
    const double left = half - fabs(dot(a->R.z, sub(c->on_a, a->x)));
    c->s -= R;
    c->on_a = add_scaled(c->on_a, -R, c->n);
    c->key = scree_touch_key(scree_feature(SCREE_EDGE, 0), c->key & 0xffff);
    return -c->s <= fmax(left, 0);
}

int scree_cylinder_hull(const scree_placed *a, const scree_placed *b,
                        double reach, scree_touch *touches) {
    const double most = scree_core_reach(a, b, reach);
    const scree_face_axis fa = scree_cap_axis(a, b), fb = best_face(a, b);
    if (fmax(fa.s, fb.s) > most) return 0;
    const int n = scree_manifold_flat(a, b, &fa, &fb, reach, touches);
    if (n > 0) return n;
    scree_closest c;
    bool apart = false;
    if (by_side(a, b, most, &apart, &c))
        return scree_touch_sideways(a, b, &c, reach, touches);
    return apart ? 0 : scree_manifold_by_supports(a, b, reach, touches);
}
