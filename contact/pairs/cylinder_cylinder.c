/* Two cylinders, or a segment, which is one without width, and a cylinder. By
 * the cap that separates best, if that decides; by both sides, if the axes are
 * nearest where both look across them; by supports where neither is sure: at
 * rims. */
#include "contact/narrow/pair.h"
#include "contact/pairs/axis.h"

/* Nearest points of the axes, D apart along n across both, with L_a and L_b
 * left of them on both sides, show that a direction d separates by at most D n
 * . d - sum of R_i sqrt(1 - x_i^2) + L_i |x_i|,  x_i = d . z_i, and n . d <=
 * sqrt(1 - x_i^2): n does so best if D can be shared out so that R_i - D_i <=
 * L_i. That is how much of D this one needs. */
static double share_of(const scree_placed *p, double t) {
    const double left = p->solid->half - fabs(t);
    return fmax(p->solid->disc - left, 0);
}

static bool by_sides(const scree_placed *a, const scree_placed *b,
                     scree_closest *c) {
    double t_a, t_b;
    scree_nearest_places(a, b, &t_a, &t_b);
    const scree_vec3 on_a = add_scaled(a->x, t_a, a->R.z);
    const scree_vec3 on_b = add_scaled(b->x, t_b, b->R.z);
    const scree_vec3 d = sub(on_a, on_b);
    const double D = norm(d), bias = 0.5 * scree_face_bias(a, b, 0);
    if (D <= 1e-6 * (a->solid->bound + b->solid->bound)) return false;
    c->n = scale(1 / D, d);
    c->s = D - a->solid->disc - b->solid->disc;
    c->on_a = add_scaled(on_a, -a->solid->disc, c->n);
    c->on_b = add_scaled(on_b, b->solid->disc, c->n);
    c->key = scree_touch_key(scree_feature(SCREE_EDGE, 0),
                             scree_feature(SCREE_EDGE, 0));
    return scree_meets_sideways(a, c->n, bias) &&
           scree_meets_sideways(b, c->n, bias) &&
           share_of(a, t_a) + share_of(b, t_b) <= D;
}

int scree_cylinder_cylinder(const scree_placed *a, const scree_placed *b,
                            double reach, scree_touch *touches) {
    const double most = scree_core_reach(a, b, reach);
    const scree_face_axis fa = scree_cap_axis(a, b), fb = scree_cap_axis(b, a);
    if (fmax(fa.s, fb.s) > most) return 0;
    const int n = scree_manifold_flat(a, b, &fa, &fb, reach, touches);
    if (n > 0) return n;
    scree_closest c;
    if (by_sides(a, b, &c))
        return scree_touch_sideways(a, b, &c, reach, touches);
    return scree_manifold_by_supports(a, b, reach, touches);
}
