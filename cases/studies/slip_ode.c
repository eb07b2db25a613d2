#include "cases/studies/slip_ode.h"

#include <math.h>
#include <string.h>

#include "solvers/dense/semismooth.h"

enum { MOST = 16 }; /* coordinates, velocities, rows */

/* d(gamma_N)/dt at constant u: how the row turns along the motion. Central
 * difference of fourth order; truncation and rounding are both below 1e-10. */
static double row_rate(scree_dense *s, double t, const double *q,
                       const double *u, int row) {
    static const double at[] = {-2, -1, 1, 2}, weight[] = {1, -8, 8, -1};
    const double e = 3e-5; /* [s] */
    double qdot[MOST], moved[MOST], gamma[MOST], rate = 0;
    scree_dense_kinematics(s, t, q, u, qdot);
    for (int k = 0; k < 4; ++k) {
        for (int i = 0; i < s->ops->n_q; ++i)
            moved[i] = q[i] + at[k] * e * qdot[i];
        scree_dense_gamma(s, t + at[k] * e, moved, u, gamma);
        rate += weight[k] * gamma[row] / (12 * e);
    }
    return rate;
}

/* y += c x, and the product of x and y */
static void add(double *y, double c, const double *x, int n) {
    for (int i = 0; i < n; ++i) y[i] += c * x[i];
}
static double product(const double *x, const double *y, int n) {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += x[i] * y[i];
    return sum;
}

/* pull = M^-1 W_F d: what a unit of friction against the slip takes away. */
static void friction_pull(scree_dense *s, const scree_frame *f, int first,
                          const double *u, double *pull) {
    const int n = s->ops->n_u, n_f = s->laws[0].n_f;
    double gamma[MOST];
    memset(pull, 0, (size_t)n * sizeof *pull);
    for (int i = 0; i < n_f; ++i)
        gamma[i] = f->chi[first + i] + product(&f->Wt[(first + i) * n], u, n);
    const double speed = sqrt(product(gamma, gamma, n_f));
    for (int i = 0; i < n_f; ++i)
        add(pull, gamma[i] / speed, &f->X[(first + i) * n], n);
}

static scree_status acceleration(scree_dense *s, double t, const double *q,
                                 const double *u, double *du) {
    const int n = s->ops->n_u;
    const scree_law *law = &s->laws[0];
    const bool contact = law->kind == SCREE_LAW_CONTACT;
    double pull[MOST], push[MOST];
    scree_frame f;
    TRY(scree_dense_frame(s, t, q, &f));
    friction_pull(s, &f, law->row + contact, u, pull);
    s->ops->force(s->p, t, q, u, du);
    scree_lu_solve(f.M, f.pivot, n, du);
    if (!contact) {
        add(du, -law->a, pull, n);
        return SCREE_OK;
    }
    const double *w = &f.Wt[law->row * n];
    memcpy(push, &f.X[law->row * n], (size_t)n * sizeof *push);
    add(push, -law->mu, pull, n);
    const double lambda =
        -(product(w, du, n) + row_rate(s, t, q, u, law->row)) /
        product(w, push, n);
    add(du, lambda, push, n);
    return SCREE_OK;
}

static scree_status rk4(scree_dense *s, double h) {
    static const double at[] = {0, 0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
    const int n_q = s->ops->n_q, n_u = s->ops->n_u;
    double q[MOST], u[MOST], dq[MOST] = {0}, du[MOST] = {0};
    double q_end[MOST], u_end[MOST];
    memcpy(q_end, s->q, (size_t)n_q * sizeof *q);
    memcpy(u_end, s->u, (size_t)n_u * sizeof *u);
    for (int i = 0; i < 4; ++i) {
        memcpy(q, s->q, (size_t)n_q * sizeof *q);
        memcpy(u, s->u, (size_t)n_u * sizeof *u);
        add(q, at[i] * h, dq, n_q);
        add(u, at[i] * h, du, n_u);
        TRY(acceleration(s, s->t + at[i] * h, q, u, du));
        scree_dense_kinematics(s, s->t + at[i] * h, q, u, dq);
        add(q_end, h / 6 * weight[i], dq, n_q);
        add(u_end, h / 6 * weight[i], du, n_u);
    }
    memcpy(s->q, q_end, (size_t)n_q * sizeof *q);
    memcpy(s->u, u_end, (size_t)n_u * sizeof *u);
    s->t += h;
    return SCREE_OK;
}

void slip_ode_run(study *st, scree_dense *s, double time, int n) {
    for (int i = 0; i < n && st->error.status == SCREE_OK; ++i) {
        const size_t mark = scree_arena_mark(&s->scratch);
        const scree_status status = rk4(s, time / n);
        scree_arena_pop(&s->scratch, mark);
        if (status != SCREE_OK)
            scree_fail(&st->error, status,
                       "reference of model '%s': no acceleration at t = %g s",
                       s->ops->name, s->t);
    }
}
