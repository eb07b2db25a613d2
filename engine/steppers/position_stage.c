#include "engine/steppers/position_stage.h"

#include <math.h>
#include <string.h>

#include "solvers/dense/semismooth.h"

enum { MOST_ROUNDS = 50, KINEMATIC_ROUNDS = 50 };

/* Step of the forward differences: root of the rounding unit. */
static double difference_step(double x) {
    return 1.5e-8 * fmax(1.0, fabs(x));
}

static double largest_of(const double *x, int n) {
    double most = 0;
    for (int i = 0; i < n; ++i) most = fmax(most, fabs(x[i]));
    return most;
}

typedef struct work {
    scree_dense *s;
    const scree_position_stage *stage;
    const scree_frame *frame_n;
    double *rho,
        *rho_moved; /* (n_row) what the laws measure, at u and beside */
    double *Jt;     /* (n_row x n_u) d rho / d u */
    double *A;      /* (n_u x n_u) M_n - tau dh/du */
    int *pivot;
    double *X;             /* (n_row x n_u) rows A^-1 w_i */
    double *h, *h_moved;   /* (n_u) */
    double *u_moved;       /* (n_u) */
    double *Wt, *g;        /* (n_row x n_u), (n_law) at the end */
    double *qdot_n, *qdot; /* (n_q) */
    scree_set *sets;
    int n_set;
} work;

static bool allocate_work(work *w) {
    scree_dense *s = w->s;
    const int n = s->ops->n_u, m = s->ops->n_row;
    w->rho = scree_dense_push(s, m);
    w->rho_moved = scree_dense_push(s, m);
    w->Jt = scree_dense_push(s, m * n);
    w->A = scree_dense_push(s, n * n);
    w->pivot = scree_arena_push(&s->scratch, (size_t)n * sizeof(int));
    w->X = scree_dense_push(s, m * n);
    w->h = scree_dense_push(s, n);
    w->h_moved = scree_dense_push(s, n);
    w->u_moved = scree_dense_push(s, n);
    w->Wt = scree_dense_push(s, m * n);
    w->g = scree_dense_push(s, s->ops->n_law);
    w->qdot_n = scree_dense_push(s, s->ops->n_q);
    w->qdot = scree_dense_push(s, s->ops->n_q);
    w->sets = scree_arena_push(&s->scratch, (size_t)m * sizeof *w->sets);
    return w->rho && w->rho_moved && w->Jt && w->A && w->pivot && w->X &&
           w->h && w->h_moved && w->u_moved && w->Wt && w->g && w->qdot_n &&
           w->qdot && w->sets;
}

/* q(u), by fixed point where the kinematics depend on q. */
static void end_position(work *w, const double *u, double *q) {
    scree_dense *s = w->s;
    const int n_q = s->ops->n_q;
    const double dt = w->stage->dt, t = s->t;
    scree_dense_kinematics(s, t, s->q, u, w->qdot_n);
    for (int i = 0; i < n_q; ++i) q[i] = s->q[i] + dt * w->qdot_n[i];
    if (!w->stage->implicit || !s->ops->kinematics) return;
    double change = INFINITY, last = INFINITY;
    for (int k = 0; k < KINEMATIC_ROUNDS && change > 0; ++k) {
        scree_dense_kinematics(s, t + dt, q, u, w->qdot);
        change = 0;
        for (int i = 0; i < n_q; ++i) {
            const double next =
                s->q[i] + 0.5 * dt * (w->qdot_n[i] + w->qdot[i]);
            change = fmax(change, fabs(next - q[i]));
            q[i] = next;
        }
        if (change >= last) break; /* down to rounding */
        last = change;
    }
}

/* rho(u): g / dt of laws on positions, gamma of laws on velocities. */
static void measure_laws(work *w, const double *u, double *rho) {
    scree_dense *s = w->s;
    const int n = s->ops->n_u;
    const double t = s->t + w->stage->dt;
    double *q = w->stage->q;
    end_position(w, u, q);
    scree_dense_rows(s, t, q, w->Wt, rho);
    for (int i = 0; i < s->ops->n_row; ++i)
        for (int k = 0; k < n; ++k) rho[i] += w->Wt[i * n + k] * u[k];
    scree_dense_gaps(s, t, q, w->g);
    for (int k = 0; k < s->ops->n_law; ++k)
        if (scree_law_has_gap(&s->laws[k]))
            rho[s->laws[k].row] = w->g[k] / w->stage->dt;
}

static void force_at(work *w, const double *u, double *h) {
    const scree_dense *s = w->s;
    s->ops->force(s->p, s->t, s->q, w->stage->implicit ? u : w->stage->u_n, h);
}

/* Jt, A and X about the iterate u, where rho and h are those of u. */
static bool linearise_stage(work *w) {
    scree_dense *s = w->s;
    const int n = s->ops->n_u, m = s->ops->n_row;
    const double *u = w->stage->u;
    s->ops->mass(s->p, s->t, s->q, w->A);
    memcpy(w->u_moved, u, (size_t)n * sizeof *u);
    for (int k = 0; k < n; ++k) {
        const double eps = difference_step(u[k]);
        w->u_moved[k] = u[k] + eps;
        force_at(w, w->u_moved, w->h_moved);
        measure_laws(w, w->u_moved, w->rho_moved);
        for (int i = 0; i < n; ++i)
            w->A[i * n + k] -= w->stage->tau * (w->h_moved[i] - w->h[i]) / eps;
        for (int i = 0; i < m; ++i)
            w->Jt[i * n + k] = (w->rho_moved[i] - w->rho[i]) / eps;
        w->u_moved[k] = u[k];
    }
    if (!scree_lu_factor(w->A, w->pivot, n)) return false;
    memcpy(w->X, w->frame_n->Wt, (size_t)(m * n) * sizeof *w->X);
    for (int i = 0; i < m; ++i) scree_lu_solve(w->A, w->pivot, n, &w->X[i * n]);
    return true;
}

/* M_n (u - u_n) - tau h(u) */
static void free_defect(work *w, double *M, double *defect) {
    const scree_dense *s = w->s;
    const scree_position_stage *stage = w->stage;
    const int n = s->ops->n_u;
    s->ops->mass(s->p, s->t, s->q, M);
    for (int i = 0; i < n; ++i) {
        defect[i] = -stage->tau * w->h[i];
        for (int k = 0; k < n; ++k)
            defect[i] += M[i * n + k] * (stage->u[k] - stage->u_n[k]);
    }
}

/* M_n (u - u_n) - tau h(u) - W_n P, as a velocity. */
static void momentum_defect(work *w, double *M, double *defect) {
    const scree_dense *s = w->s;
    const int n = s->ops->n_u;
    free_defect(w, M, defect);
    for (int j = 0; j < s->ops->n_row; ++j)
        for (int i = 0; i < n; ++i)
            defect[i] -= w->frame_n->Wt[j * n + i] * w->stage->P[j];
    scree_lu_solve(w->frame_n->M, w->frame_n->pivot, n, defect);
}

/* Worst violation at (u, P): of the laws in m/s, of the momentum in m/s. */
static double worst_violation(work *w, double *M, double *defect) {
    scree_dense *s = w->s;
    const int m = s->ops->n_row, n = s->ops->n_u;
    const size_t mark = scree_arena_mark(&s->scratch);
    momentum_defect(w, M, defect);
    double worst = largest_of(defect, n);
    if (m) {
        scree_delassus d = {.n = m,
                            .G = scree_dense_push(s, m * m),
                            .b = scree_dense_push(s, m),
                            .P = w->stage->P,
                            .n_set = w->n_set,
                            .sets = w->sets};
        for (int i = 0; i < m; ++i) {
            d.b[i] = w->rho[i];
            for (int j = 0; j < m; ++j) {
                double G = 0;
                for (int k = 0; k < n; ++k)
                    G += w->frame_n->Wt[i * n + k] * w->frame_n->X[j * n + k];
                d.G[i * m + j] = G;
                d.b[i] -= G * d.P[j]; /* so that xi = G P + b = rho */
            }
        }
        worst = fmax(worst, scree_delassus_residual(&d, &s->scratch));
    }
    scree_arena_pop(&s->scratch, mark);
    return worst;
}

/* One Newton step: u = u_free + X^T P, xi = rho(u^k) + Jt (u - u^k). */
static scree_status newton_step(work *w, double *M, double *shift,
                                const scree_dense_options *options,
                                bool *singular, scree_error *error) {
    scree_dense *s = w->s;
    const scree_position_stage *stage = w->stage;
    const int n = s->ops->n_u, m = s->ops->n_row;
    for (int i = 0; i < m; ++i) {
        shift[i] = w->rho[i];
        for (int k = 0; k < n; ++k) shift[i] -= w->Jt[i * n + k] * stage->u[k];
    }
    /* u_free: the momentum equation linearised, without percussions. */
    double *defect = w->h_moved;
    free_defect(w, M, defect);
    scree_lu_solve(w->A, w->pivot, n, defect);
    for (int i = 0; i < n; ++i) stage->u[i] -= defect[i];

    const scree_dense_inclusion in = {.Jt = w->Jt,
                                      .shift = shift,
                                      .X = w->X,
                                      .sets = w->sets,
                                      .n_set = w->n_set,
                                      .u = stage->u,
                                      .P = stage->P};
    scree_report report;
    TRY(scree_dense_solve(s, &in, options, &report, error));
    *singular |= report.singular;
    return SCREE_OK;
}

scree_status scree_position_stage_solve(scree_dense *s,
                                        const scree_position_stage *stage,
                                        const scree_frame *frame_n,
                                        const scree_dense_options *options,
                                        scree_error *error) {
    const int n = s->ops->n_u;
    work w = {.s = s, .stage = stage, .frame_n = frame_n};
    double *M = scree_dense_push(s, n * n);
    double *shift = scree_dense_push(s, s->ops->n_row);
    double *defect = scree_dense_push(s, n);
    if (!allocate_work(&w) || !M || !shift || !defect)
        return SCREE_OUT_OF_MEMORY;
    w.n_set = scree_dense_sets(s, stage->set_dt, NULL, w.sets);
    memcpy(stage->u, stage->u_n, (size_t)n * sizeof *stage->u);

    /* The tolerance counts from the size of the velocities. */
    const double tolerance =
        options->tolerance * (1 + largest_of(stage->u_n, n));
    /* Gaps are rounded like positions, and count as velocities over dt: what is
     * below this and does not fall any more is rounding. */
    const double rounding =
        8 * 0x1p-52 * largest_of(s->q, s->ops->n_q) / stage->dt;
    bool singular = false, done = false;
    double worst = INFINITY, last;
    int k = -1;
    do {
        if (++k > 0) {
            if (!linearise_stage(&w)) return SCREE_UNSUPPORTED;
            TRY(newton_step(&w, M, shift, options, &singular, error));
        }
        force_at(&w, stage->u, w.h);
        measure_laws(&w, stage->u, w.rho);
        last = worst;
        worst = worst_violation(&w, M, defect);
        done = worst <= tolerance || (worst <= rounding && worst > 0.5 * last);
    } while (!done && k < MOST_ROUNDS);
    end_position(&w, stage->u, stage->q);
    scree_dense_count(s, 0, k, done, singular, worst);
    return SCREE_OK;
}
