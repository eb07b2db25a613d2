/* apgd_general.c: steps and sums of apgd over general contacts, one by one, with
 * moments and anisotropic friction. */
#include "solvers/methods/apgd.h"
#include "solvers/problem/kernel.h"

/* ---- cones ---------------------------------------------------------------------- */

/* A percussion, or a velocity, in the coordinates of the contact's cone. */
typedef struct point {
    double n;
    scree_vec3 t; /* stretched */
    double spin;  /* drilling: y is (t, spin) */
    scree_vec3 z; /* rolling */
} point;

static double length_of(const scree_row *k) {
    return k->rho_m > 0 && k->rho_n > 0 ? sqrt(k->rho_m / k->rho_n) : 1;
}

static point percussion_point(const scree_row *k, const row_step *P) {
    point x = {.n = P->P_n,
               .t =
                   scree_row_is_oval(k) ? scree_row_shrink(k, P->P_t) : P->P_t};
    if (!scree_row_turns(k)) return x;
    const double M_n = dot(k->n, P->M);
    if (scree_row_drills(k)) x.spin = M_n / k->drill;
    x.z = scale(1 / length_of(k), add_scaled(P->M, -M_n, k->n));
    return x;
}

static row_step percussion_back(const scree_row *k, const point *x) {
    row_step P = {.P_n = x->n,
                  .P_t =
                      scree_row_is_oval(k) ? scree_row_stretch(k, x->t) : x->t};
    if (scree_row_turns(k))
        P.M = add_scaled(scale(length_of(k), x->z), k->drill * x->spin, k->n);
    return P;
}

static point velocity_point(const scree_row *k, scree_vec3 xi,
                            scree_vec3 omega) {
    const double xi_n = dot(k->n, xi);
    const scree_vec3 xi_t = add_scaled(xi, -xi_n, k->n);
    point v = {.n = xi_n,
               .t = scree_row_is_oval(k) ? scree_row_stretch(k, xi_t) : xi_t};
    if (!scree_row_turns(k)) return v;
    const double omega_n = dot(k->n, omega);
    v.spin = k->drill * omega_n;
    v.z = scale(length_of(k), add_scaled(omega, -omega_n, k->n));
    return v;
}

static double size_across(const point *x) {
    return sqrt(dot(x->t, x->t) + x->spin * x->spin);
}

static double inner_product(const point *a, const point *b) {
    return a->n * b->n + dot(a->t, b->t) + a->spin * b->spin + dot(a->z, b->z);
}

static point minus_point(const point *a, const point *b) {
    return (point){a->n - b->n, sub(a->t, b->t), a->spin - b->spin,
                   sub(a->z, b->z)};
}

static point plus_point(const point *a, const point *b) {
    return (point){a->n + b->n, add(a->t, b->t), a->spin + b->spin,
                   add(a->z, b->z)};
}

static double slip_of(const scree_row *k, const point *v) {
    return k->mu * size_across(v) + k->roll / length_of(k) * norm(v->z);
}

/* The P_N nearest to (n, |y|, |z|) in K: the root of a function that rises and
 * has a kink where y, or z, comes to lie inside. It is never below the root for
 * both outside: what lies inside there, lies inside at the root. */
static double nearest_normal(double n, double mu, double y, double nu,
                             double z) {
    const double both = (n + mu * y + nu * z) / (1 + mu * mu + nu * nu);
    const double y_alone = (n + mu * y) / (1 + mu * mu);
    const double z_alone = (n + nu * z) / (1 + nu * nu);
    const bool y_out = mu * both < y, z_out = nu * both < z;
    if (y_out && z_out) return both;
    if (y_out && mu * y_alone < y) return y_alone;
    if (z_out && nu * z_alone < z) return z_alone;
    return n;
}

static double cut_factor(double limit, double size) {
    return size <= limit ? 1 : limit / size;
}

static void project_point(const scree_row *k, point *x) {
    const double nu = k->roll / length_of(k);
    const double y = size_across(x), z = norm(x->z);
    const double n = nearest_normal(x->n, k->mu, y, nu, z);
    x->n = prox_half_line(n);
    const double f = cut_factor(k->mu * x->n, y);
    x->t = scale(f, x->t);
    x->spin *= f;
    x->z = scale(cut_factor(nu * x->n, z), x->z);
}

/* ---- steps ---------------------------------------------------------------------- */

static row_step now_at(const scree_general *k, int lane) {
    return (row_step){k->P_n[lane], lane_get(k->P_t, lane),
                      lane_get(k->M, lane)};
}
static row_step last_at(const scree_general *k, int lane) {
    return (row_step){k->P_n_last[lane], lane_get(k->P_t_last, lane),
                      lane_get(k->M_last, lane)};
}
static row_step y_at(const scree_apgd_general *e, int lane) {
    return (row_step){e->common.y_n[lane], lane_get(e->common.y_t, lane),
                      lane_get(e->y_m, lane)};
}

/* grad f at y, without the shift. */
static point velocity_at(const scree_row *k, const scree_apgd_general *e,
                         int lane) {
    return velocity_point(k, lane_get(e->common.xi, lane),
                          lane_get(e->omega, lane));
}

/* y = x + beta (x - x_last), xi and omega there; x_last = x. */
static void take_lane(const scree_apgd *s, scree_general *k,
                      scree_apgd_general *e, int lane) {
    const scree_row row = row_of_general(s->p, k, lane);
    const row_step x = now_at(k, lane), last = last_at(k, lane);
    e->common.y_n[lane] = x.P_n + s->rule.beta * (x.P_n - last.P_n);
    lane_set(e->common.y_t, lane,
             add_scaled(x.P_t, s->rule.beta, sub(x.P_t, last.P_t)));
    lane_set(e->y_m, lane, add_scaled(x.M, s->rule.beta, sub(x.M, last.M)));
    k->P_n_last[lane] = x.P_n;
    lane_set(k->P_t_last, lane, x.P_t);
    lane_set(k->M_last, lane, x.M);
    const scree_twist *a = &s->at_y[row.a], *b = &s->at_y[row.b];
    lane_set(e->common.xi, lane, row_xi(&row, a, b));
    lane_set(e->omega, lane, row_omega(&row, a, b));
    if (s->rule.feeds) e->common.shift[lane] = e->common.slip[lane];
}

/* x = P_K(y - r (xi + s n)) */
static void step_lane(const scree_apgd *s, scree_general *k,
                      const scree_apgd_general *e, int lane) {
    const scree_row row = row_of_general(s->p, k, lane);
    const row_step from = y_at(e, lane);
    const point y = percussion_point(&row, &from),
                g = velocity_at(&row, e, lane);
    const double r = row.rho_n / s->rule.L;
    point x = {y.n - r * (g.n + e->common.shift[lane]),
               add_scaled(y.t, -r, g.t), y.spin - r * g.spin,
               add_scaled(y.z, -r, g.z)};
    project_point(&row, &x);
    const row_step P = percussion_back(&row, &x);
    lane_store(&k->four, lane, P.P_n, P.P_t);
    lane_set(k->M, lane, P.M);
}

void scree_apgd_general_start(const scree_apgd *s, int64_t first,
                              int64_t last) {
    for (int64_t i = first; i < last; ++i)
        for (int lane = 0; lane < SCREE_LANES; ++lane) {
            take_lane(s, &s->p->generals[i], &s->generals[i], lane);
            step_lane(s, &s->p->generals[i], &s->generals[i], lane);
        }
}

void scree_apgd_general_step(const scree_apgd *s, int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i)
        for (int lane = 0; lane < SCREE_LANES; ++lane)
            step_lane(s, &s->p->generals[i], &s->generals[i], lane);
}

void scree_apgd_general_slip(const scree_apgd *s, int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i)
        for (int lane = 0; lane < SCREE_LANES; ++lane) {
            const scree_row row =
                row_of_general(s->p, &s->p->generals[i], lane);
            const scree_twist *a = &s->p->u[row.a], *b = &s->p->u[row.b];
            const point v =
                velocity_point(&row, row_xi(&row, a, b), row_omega(&row, a, b));
            s->generals[i].common.slip[lane] = slip_of(&row, &v);
        }
}

/* ---- sums ----------------------------------------------------------------------- */

static void sum_lane(const scree_apgd *s, int64_t i, int lane,
                     scree_apgd_sums *sums) {
    scree_apgd_general *e = &s->generals[i];
    const scree_general *k = &s->p->generals[i];
    scree_row row = row_of_general(s->p, k, lane);
    if (row.rho_n == 0) return; /* an unused lane */
    const row_step now = now_at(k, lane), from = y_at(e, lane),
                   before = last_at(k, lane);
    const point x = percussion_point(&row, &now),
                y = percussion_point(&row, &from);
    const point x_last = percussion_point(&row, &before);
    const point d = minus_point(&x, &y), way = minus_point(&x, &x_last);
    point g = velocity_at(&row, e, lane);
    g.n += e->common.shift[lane];
    row.c = row.c_m = vec(0, 0, 0); /* W^T alone */
    const scree_twist *a = &s->p->u[row.a], *b = &s->p->u[row.b];
    const point Gd =
        velocity_point(&row, row_xi(&row, a, b), row_omega(&row, a, b));
    sums->bend += inner_product(&d, &Gd);
    sums->length += inner_product(&d, &d) / row.rho_n;
    sums->slope += inner_product(&g, &way);
    const point at_x = plus_point(&g, &Gd);
    e->common.slip[lane] = slip_of(&row, &at_x);
}

void scree_apgd_general_sum(const scree_apgd *s, int64_t first, int64_t last,
                            scree_apgd_sums *sums) {
    for (int64_t i = first; i < last; ++i)
        for (int lane = 0; lane < SCREE_LANES; ++lane)
            sum_lane(s, i, lane, sums);
}

/* ---- u += M^-1 W d --------------------------------------------------------------- */

void scree_apgd_general_push(scree_problem *p, const int32_t *list,
                             int64_t first, int64_t last, const void *context) {
    const scree_apgd *s = context;
    for (int64_t i = first; i < last; ++i)
        for (int lane = 0; lane < SCREE_LANES; ++lane) {
            const scree_row row =
                row_of_general(p, &p->generals[list[i]], lane);
            const row_step y = y_at(&s->generals[list[i]], lane);
            row_bodies at;
            row_find(p, &row, &at);
            row_move(&row, &at, row.P_n - y.P_n, sub(row.P_t, y.P_t),
                     sub(row.M, y.M));
        }
}
