/* revolved_sweep.c: when does a ball on a straight way hit a surface of revolution?
 *
 * Over a strip f(t) = s(x + t d) - r is concave or convex in t (revolved.h), so f' changes
 * its sign once: the first t with f <= 0 and f' < 0 is found by two bisections, to
 * rounding. Circles of ridges and rims are come near to by their distance, which grows by
 * |d| per unit of t at most. */
#include "contact/surface/revolved.h"

enum { HALVINGS = 60, APPROACHES = 200 };
/* A ball this near to a circle, as a share of its radius, is at it. */
static const double NEAR = 1e-9;

typedef struct way {
    const scree_strip *s;
    scree_ball ball;
    scree_vec3 d;
} way;

static scree_vec3 place_at(const way *w, double t) {
    return add_scaled(w->ball.x, t, w->d);
}

static double gap_at(const way *w, double t) {
    const scree_vec3 x = place_at(w, t);
    return w->s->n_r * sqrt(x.x * x.x + x.y * x.y) + w->s->n_z * x.z - w->s->d -
           w->ball.r;
}

static double slope_at(const way *w, double t) {
    const scree_vec3 e = scree_away_from_axis(place_at(w, t));
    return w->s->n_r * dot(e, w->d) + w->s->n_z * w->d.z;
}

/* Where the slope changes its sign from what it has at `lo`; hi: nowhere. */
static double turning_point(const way *w, double lo, double hi) {
    const bool falls = slope_at(w, lo) < 0;
    if ((slope_at(w, hi) < 0) == falls) return hi;
    for (int k = 0; k < HALVINGS; ++k) {
        const double t = 0.5 * (lo + hi);
        if ((slope_at(w, t) < 0) == falls)
            lo = t;
        else
            hi = t;
    }
    return hi;
}

/* f falls from lo to hi; > 1: it stays above 0. */
static double first_root(const way *w, double lo, double hi) {
    if (gap_at(w, lo) <= 0) return lo;
    if (gap_at(w, hi) > 0) return INFINITY;
    for (int k = 0; k < HALVINGS; ++k) {
        const double t = 0.5 * (lo + hi);
        if (gap_at(w, t) > 0)
            lo = t;
        else
            hi = t;
    }
    return hi;
}

static double time_of_strip(const way *w) {
    if (gap_at(w, 0) > norm(w->d)) return INFINITY;
    const double turn = turning_point(w, 0, 1);
    if (slope_at(w, 0) < 0) return first_root(w, 0, turn);
    return turn < 1 ? first_root(w, turn, 1) : INFINITY;
}

static void sweep_strip(const scree_revolved *wall, int k,
                        const scree_ball *ball, scree_vec3 d, scree_hit *hit) {
    const scree_strip *s = &wall->strip[k];
    const way w = {s, *ball, d};
    if (gap_at(&w, 0) < -2 * ball->r) return; /* seen from behind */
    const double t = time_of_strip(&w);
    if (!(t < hit->t || (t == hit->t && hit->distance == INFINITY))) return;
    const scree_vec3 x = place_at(&w, t);
    const double rho = sqrt(x.x * x.x + x.y * x.y);
    const double along =
        (rho - wall->r[k]) * s->t_r + (x.z - wall->z[k]) * s->t_z;
    if (!scree_strip_spans(wall, k, along, ball->r)) return;
    *hit = (scree_hit){.t = t,
                       .n = scree_strip_normal(s, scree_away_from_axis(x)),
                       .distance = gap_at(&w, t) + ball->r};
}

/* From the nearest point of a circle to x. */
static scree_vec3 from_circle(double r, double z, scree_vec3 x) {
    const scree_vec3 e = scree_away_from_axis(x);
    return sub(x, vec(r * e.x, r * e.y, z));
}

static void sweep_circle(double r, double z, const scree_ball *ball,
                         scree_vec3 d, scree_hit *hit) {
    const double length = norm(d);
    double t = 0;
    for (int k = 0; k < APPROACHES && t < hit->t && length > 0; ++k) {
        const scree_vec3 from = from_circle(r, z, add_scaled(ball->x, t, d));
        const double s = norm(from);
        if (s == 0) return;
        if (s - ball->r > NEAR * ball->r) {
            t += (s - ball->r) / length;
            continue;
        }
        if (dot(from, d) < 0)
            *hit = (scree_hit){.t = t, .n = scale(1 / s, from), .distance = s};
        return;
    }
}

bool scree_revolved_sweep(const scree_revolved *wall, scree_ball ball,
                          scree_vec3 d, scree_hit *hit) {
    scree_hit first = scree_no_hit();
    for (int k = 0; k + 1 < wall->n_point; ++k)
        sweep_strip(wall, k, &ball, d, &first);
    for (int k = 0; k < wall->n_point; ++k)
        if (wall->joint[k] != SCREE_JOINT_VALLEY)
            sweep_circle(wall->r[k], wall->z[k], &ball, d, &first);
    if (first.distance == INFINITY) return false;
    *hit = first;
    return true;
}
