/* lobatto.c: the Lobatto IIIA-IIIB pair with s stages, 001 sections 4 and 5.
 *
 *     Q^i     = q_n + dt sum_j a_ij qdot(t^j, Q^j, V^j)               (33)
 *     V^i     = u_n + sum_j a_hat_ij M(t^j, Q^j)^-1 F^j               (47d)
 *     u_{n+1} = u_n + sum_j b_j      M(t^j, Q^j)^-1 F^j               (47b)
 *     F^j     = dt h(t^j, Q^j, V^j) + W(t^j, Q^j) R^j                 (63)
 *     P       = sum_j b_j R^j,    q_{n+1} = Q^s                       (55)
 *
 * a_hat_is = 0: R^s moves u_{n+1} only. So R^1 .. R^{s-1} carry the laws at the
 * stages 2 .. s, and R^s the law of the whole step, with s slots in all:
 *
 *     slot i < s:  contact    g(t^{i+1}, Q^{i+1}) against R_N^i       (52)
 *                  friction   gamma(t^{i+1}, Q^{i+1}, V^{i+1}) against R_F^i,
 *                             radius mu R_N^i                         (57)
 *     slot s:      contact    gamma_{n+1} + e_n gamma_n against P_N   (56)
 *                  friction   gamma_{n+1} + e_f gamma_n against P_F,
 *                             radius mu P_N                           (58)
 *
 * Bilateral laws are the same with equality; sets of fixed force are scaled by
 * dt, since sum_j b_j = 1.
 *
 * That is the scheme for a mass matrix that is constant. 001 writes momenta,
 * pi = M u, and with M(t, q) these are what is advanced:
 *
 *     M(t^i, Q^i) V^i = M_n u_n + sum_j a_hat_ij F^j                  (47d)
 *     M_{n+1} u_{n+1} = M_n u_n + sum_j b_j      F^j                  (47b)
 *     F^j             = dt (h + Mdot V^j) + W R^j,
 *
 * since dL/dq + f of 001 is h + Mdot u for h of M du = h dt + W dP. Mdot, the
 * derivative of M along (1, qdot), is by differences of fourth order. This form is
 * symplectic where no law acts; advancing velocities is not (order/mass_matrix).
 *
 * One semismooth Newton per step, unknowns V^i, u_{n+1}, Q^2 .. Q^s (these only
 * if qdot != u), R^i. Residuals are velocities and positions: a percussion
 * counts as the velocity it causes, by the diagonal of W^T M^-1 W at t_n. The
 * parameter r decides between branches and does not move the root.
 *
 * Order 2 s - 2 while no law changes its branch and the slip direction does not
 * turn; for one that turns see `collocated` in lobatto_laws.c. Events are first
 * order for every s.
 *
 * With s >= 4 a contact may touch at an inner stage and be open at the end. Then
 * (56) makes P zero: the stage percussions turn the position away and leave the
 * velocity, and the impact comes some steps late. Seen in the woodpecker (004),
 * which falls too far with s = 4, 5; systems that live by events want s <= 3. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "engine/steppers/lobatto.h"
#include "engine/steppers/lobatto_world.h"
#include "engine/system/stepper.h"
#include "solvers/dense/semismooth.h"

typedef scree_lobatto lobatto;
typedef scree_lobatto_stage stage;

static const double *stage_velocity(const lobatto *w, const double *x, int i) {
    return &x[i * w->n_u];
}

/* ---- motion -------------------------------------------------------------- */

void scree_lobatto_gamma(const lobatto *w, const stage *st, const double *u,
                         double *gamma) {
    memcpy(gamma, st->chi, (size_t)w->n_row * sizeof *gamma);
    for (int k = 0; k < w->n_row; ++k)
        for (int j = 0; j < w->n_u; ++j)
            gamma[k] += st->Wt[k * w->n_u + j] * u[j];
}

static void stage_position(const lobatto *w, const double *x, int i,
                           double *Q) {
    const double *q = w->s->q;
    if (i > 0 && w->s->ops->kinematics) q = &x[w->at_Q + (i - 1) * w->n_q];
    memcpy(Q, q, (size_t)w->n_q * sizeof *Q);
    if (w->s->ops->kinematics) return;
    for (int j = 0; j < w->n_stage; ++j)
        scree_lobatto_add(Q, w->dt * w->table.a[i][j], stage_velocity(w, x, j),
                          w->n_q);
}

/* Most columns of the Jacobian leave Q alone: what depends on it is kept. */
static void set_position(lobatto *w, stage *st, const double *Q) {
    const size_t bytes = (size_t)w->n_q * sizeof *Q;
    if (st->known && !memcmp(st->Q, Q, bytes)) return;
    memcpy(st->Q, Q, bytes);
    st->known = true;
    w->s->ops->mass(w->s->p, st->t, Q, st->M);
    st->regular = scree_lu_factor(st->M, st->pivot, w->n_u);
    scree_dense_rows(w->s, st->t, Q, st->Wt, st->chi);
    scree_dense_gaps(w->s, st->t, Q, st->g);
}

/* y += f A x, (n x n) */
static void add_product(double *y, double f, const double *A, const double *x,
                        int n) {
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) y[i] += f * A[i * n + j] * x[j];
}

/* F += dt Mdot V: M along (1, qdot), central differences over two widths. */
static void add_mass_rate(const lobatto *w, const stage *st, const double *V,
                          double *F) {
    static const double at[] = {-2, -1, 1, 2};
    static const double weight[] = {1. / 12, -8. / 12, 8. / 12, -1. / 12};
    double speed = 1;
    for (int i = 0; i < w->n_q; ++i) speed = fmax(speed, fabs(st->qdot[i]));
    const double width = 1e-3 / speed;
    for (int k = 0; k < 4; ++k) {
        for (int i = 0; i < w->n_q; ++i)
            w->Q_new[i] = st->Q[i] + at[k] * width * st->qdot[i];
        w->s->ops->mass(w->s->p, st->t + at[k] * width, w->Q_new, w->M_near);
        add_product(F, w->dt * weight[k] / width, w->M_near, V, w->n_u);
    }
}

/* A = M^-1 (dt h + W R), or dt (h + Mdot V) + W R where momenta are advanced. */
static void set_force(lobatto *w, stage *st, const double *V, const double *R) {
    scree_dense_kinematics(w->s, st->t, st->Q, V, st->qdot);
    w->s->ops->force(w->s->p, st->t, st->Q, V, st->A);
    for (int j = 0; j < w->n_u; ++j) st->A[j] *= w->dt;
    for (int k = 0; k < w->n_row; ++k)
        scree_lobatto_add(st->A, R[k], &st->Wt[k * w->n_u], w->n_u);
    if (w->momenta)
        add_mass_rate(w, st, V, st->A);
    else
        scree_lu_solve(st->M, st->pivot, w->n_u, st->A);
    scree_lobatto_gamma(w, st, V, st->gamma);
}

static void set_stages(lobatto *w, const double *x) {
    for (int i = 0; i < w->n_stage; ++i) {
        stage_position(w, x, i, w->Q_new);
        set_position(w, &w->stages[i], w->Q_new);
        set_force(w, &w->stages[i], stage_velocity(w, x, i),
                  scree_lobatto_R(w, x, i));
    }
}

/* F = u - u_n - sum_j a_j A^j, or u - M^-1 (pi_n + sum_j a_j A^j) */
static void velocity_residual(const lobatto *w, const stage *at,
                              const double *u, const double *a, double *F) {
    const double *begin = w->momenta ? w->pi : w->s->u;
    for (int k = 0; k < w->n_u; ++k) F[k] = (w->momenta ? 0 : u[k]) - begin[k];
    for (int j = 0; j < w->n_stage; ++j)
        scree_lobatto_add(F, -a[j], w->stages[j].A, w->n_u);
    if (!w->momenta) return;
    scree_lu_solve(at->M, at->pivot, w->n_u, F);
    scree_lobatto_add(F, 1, u, w->n_u);
}

static void position_residual(const lobatto *w, int i, double *F) {
    for (int k = 0; k < w->n_q; ++k) F[k] = w->stages[i].Q[k] - w->s->q[k];
    for (int j = 0; j < w->n_stage; ++j)
        scree_lobatto_add(F, -w->dt * w->table.a[i][j], w->stages[j].qdot,
                          w->n_q);
}

static void motion_residual(const lobatto *w, const double *x, double *F) {
    for (int i = 0; i < w->n_stage; ++i)
        velocity_residual(w, &w->stages[i], stage_velocity(w, x, i),
                          w->table.a_hat[i], &F[i * w->n_u]);
    velocity_residual(w, &w->stages[w->n_stage - 1], &x[w->at_end], w->table.b,
                      &F[w->at_end]);
    for (int i = 1; i < w->n_stage && w->s->ops->kinematics; ++i)
        position_residual(w, i, &F[w->at_Q + (i - 1) * w->n_q]);
}

static void evaluate_stages(void *context, const double *x, double *F,
                            int *active, bool frozen) {
    lobatto *w = context;
    set_stages(w, x);
    motion_residual(w, x, F);
    scree_lobatto_law_residual(w, x, F, active, frozen);
    const size_t n = 2 * (size_t)(w->n_stage * w->n_law);
    if (!frozen && n) memcpy(w->branch, active, n * sizeof *active);
}

/* ---- set-up -------------------------------------------------------------- */

static bool allocate_stage(lobatto *w, stage *st) {
    scree_dense *s = w->s;
    const size_t pivots = (size_t)w->n_u * sizeof *st->pivot;
    return (st->Q = scree_dense_push(s, w->n_q)) &&
           (st->M = scree_dense_push(s, w->n_u * w->n_u)) &&
           (st->pivot = scree_arena_push(&s->scratch, pivots)) &&
           (st->Wt = scree_dense_push(s, w->n_row * w->n_u)) &&
           (st->chi = scree_dense_push(s, w->n_row)) &&
           (st->g = scree_dense_push(s, w->n_law)) &&
           (st->qdot = scree_dense_push(s, w->n_q)) &&
           (st->A = scree_dense_push(s, w->n_u)) &&
           (st->gamma = scree_dense_push(s, w->n_row));
}

static bool allocate_work(lobatto *w) {
    scree_dense *s = w->s;
    const size_t laws = (size_t)w->n_law, slots = (size_t)w->n_stage;
    for (int i = 0; i < w->n_stage; ++i)
        if (!allocate_stage(w, &w->stages[i])) return false;
    return (w->Q_new = scree_dense_push(s, w->n_q)) &&
           (w->M_near = scree_dense_push(s, w->n_u * w->n_u)) &&
           (w->pi = scree_dense_push(s, w->n_u)) &&
           (w->g_start = scree_dense_push(s, w->n_law)) &&
           (w->gamma_start = scree_dense_push(s, w->n_row)) &&
           (w->P = scree_dense_push(s, w->n_row)) &&
           (w->gamma_end = scree_dense_push(s, w->n_row)) &&
           (w->xi = scree_dense_push(s, w->n_row)) &&
           (w->weight = scree_dense_push(s, w->n_row)) &&
           (w->G_bound = scree_dense_push(s, w->n_law)) &&
           (w->collocated = scree_arena_push(&s->scratch, laws)) &&
           (w->branch =
                scree_arena_push(&s->scratch, 2 * laws * slots * sizeof(int)));
}

static void lay_out(lobatto *w) {
    const scree_model_ops *ops = w->s->ops;
    w->n_q = ops->n_q, w->n_u = ops->n_u;
    w->n_row = ops->n_row, w->n_law = ops->n_law;
    w->n_stage = w->table.s;
    w->at_end = w->n_stage * w->n_u;
    w->at_Q = w->at_end + w->n_u;
    w->at_R = w->at_Q + (ops->kinematics ? (w->n_stage - 1) * w->n_q : 0);
    w->n = w->at_R + w->n_stage * w->n_row;
}

/* w_k^T M^-1 w_k at t_n */
static double delassus_diagonal(const lobatto *w, int k, double *scratch) {
    const stage *st = &w->stages[0];
    const double *row = &st->Wt[k * w->n_u];
    double sum = 0;
    memcpy(scratch, row, (size_t)w->n_u * sizeof *row);
    scree_lu_solve(st->M, st->pivot, w->n_u, scratch);
    for (int j = 0; j < w->n_u; ++j) sum += row[j] * scratch[j];
    return sum;
}

/* The components of one ball share their weight. */
static void set_weights(lobatto *w, int l) {
    const scree_law *law = &w->s->laws[l];
    const int first = scree_lobatto_friction_row(law),
              end = law->row + scree_law_rows(law);
    double most = 0;
    w->G_bound[l] = 0;
    for (int k = law->row; k < end; ++k) {
        const double G = delassus_diagonal(w, k, w->stages[0].A);
        w->weight[k] = G > 0 ? G : 1;
        if (k < first) continue;
        w->G_bound[l] += G, most = fmax(most, G);
    }
    for (int k = first; k < end; ++k) w->weight[k] = most > 0 ? most : 1;
}

/* Is M another one a little later and elsewhere? Decides on the form alone: where M
 * is constant both are the same scheme. */
static bool mass_varies(const lobatto *w) {
    const scree_dense *s = w->s;
    const size_t bytes = (size_t)(w->n_u * w->n_u) * sizeof(double);
    double *M = w->stages[0].M; /* set_position makes it again */
    for (int i = 0; i < w->n_q; ++i)
        w->Q_new[i] = s->q[i] + 1e-2 * (1 + fabs(s->q[i])) * (1 + 0.1 * i);
    s->ops->mass(s->p, s->t, s->q, M);
    s->ops->mass(s->p, s->t + 0.1, w->Q_new, w->M_near);
    return memcmp(M, w->M_near, bytes) != 0;
}

/* pi_n = M_n u_n */
static void set_momentum(lobatto *w) {
    w->momenta = mass_varies(w);
    memset(w->pi, 0, (size_t)w->n_u * sizeof *w->pi);
    add_product(w->pi, 1, w->stages[0].M, w->s->u, w->n_u);
}

static void start_step(lobatto *w) {
    stage *first = &w->stages[0];
    for (int i = 0; i < w->n_stage; ++i) {
        w->stages[i].t = w->s->t + w->table.c[i] * w->dt;
        w->stages[i].known = false;
    }
    set_momentum(w);
    set_position(w, first, w->s->q);
    memcpy(w->g_start, first->g, (size_t)w->n_law * sizeof *w->g_start);
    scree_lobatto_gamma(w, first, w->s->u, w->gamma_start);
    for (int l = 0; l < w->n_law; ++l) {
        set_weights(w, l);
        w->collocated[l] = false;
    }
}

static double size_of_state(const scree_dense *s) {
    double most = 1;
    for (int i = 0; i < s->ops->n_q; ++i) most = fmax(most, fabs(s->q[i]));
    for (int i = 0; i < s->ops->n_u; ++i) most = fmax(most, fabs(s->u[i]));
    return most;
}

/* Starts of Newton's method. They matter through the branches they imply. */
enum guess {
    WARM,   /* percussions of the last step, where they can still act */
    COLD,   /* none */
    PRESSED /* contacts in reach are closed and stick */
};

/* Percussion of row k at the start. PRESSED: a normal percussion beyond any
 * that r xi could outweigh. */
static double first_percussion(const lobatto *w, const scree_law *law, int k,
                               double g, enum guess kind) {
    const bool contact = law->kind == SCREE_LAW_CONTACT;
    const double size = w->r * size_of_state(w->s) / w->weight[k];
    if (kind == PRESSED && contact)
        return k == law->row && g < w->dt * size_of_state(w->s) ? 1e3 * size
                                                                : 0;
    if (kind == COLD || w->s->dt <= 0 || (contact && g > SCREE_LOBATTO_CLOSED))
        return 0;
    return w->dt / w->s->dt * w->s->P[k];
}

static void guess_percussions(const lobatto *w, double *x, enum guess kind) {
    for (int l = 0; l < w->n_law; ++l) {
        const scree_law *law = &w->s->laws[l];
        for (int k = law->row; k < law->row + scree_law_rows(law); ++k)
            for (int i = 0; i < w->n_stage; ++i)
                x[w->at_R + i * w->n_row + k] =
                    first_percussion(w, law, k, w->g_start[l], kind);
    }
}

static void guess_stages(const lobatto *w, double *x, enum guess kind) {
    const stage *first = &w->stages[0];
    for (int i = 0; i <= w->n_stage; ++i)
        memcpy(&x[i * w->n_u], w->s->u, (size_t)w->n_u * sizeof *x);
    scree_dense_kinematics(w->s, first->t, w->s->q, w->s->u, first->qdot);
    for (int i = 1; i < w->n_stage && w->s->ops->kinematics; ++i) {
        double *Q = &x[w->at_Q + (i - 1) * w->n_q];
        memcpy(Q, w->s->q, (size_t)w->n_q * sizeof *Q);
        scree_lobatto_add(Q, w->table.c[i] * w->dt, first->qdot, w->n_q);
    }
    guess_percussions(w, x, kind);
}

/* ---- the step ------------------------------------------------------------ */

/* To options->tolerance, or to rounding if that is more. Sums up the report. */
static scree_status solve_stages(lobatto *w, double *x, int iterations,
                                 scree_newton_report *total) {
    const scree_residual_function f = {w->n, 2 * w->n_stage * w->n_law,
                                       evaluate_stages, w};
    const double rounding = 8 * DBL_EPSILON * size_of_state(w->s);
    scree_newton_report report;
    TRY(scree_semismooth_newton(&f, x, fmax(w->options->tolerance, rounding),
                                iterations, &w->s->scratch, &report));
    report.iterations += total->iterations;
    report.singular = report.singular || total->singular;
    *total = report;
    return SCREE_OK;
}

/* Where the branches cycle, another r or another start breaks the cycle. They
 * settle soonest where velocities outweigh percussions: a large r first. */
typedef struct attempt {
    enum guess kind;
    double r; /* times options->r */
} attempt;
static const attempt attempts[] = {{WARM, 100}, {COLD, 1e4},   {PRESSED, 100},
                                   {WARM, 1},   {PRESSED, 10}, {COLD, 10}};
/* A cycle is short, and what converges does so in fewer iterations than this.
 */
enum { N_ATTEMPT = sizeof attempts / sizeof *attempts, MOST_ITERATIONS = 30 };

static int iteration_limit(const scree_dense_options *options) {
    return options->iterations < MOST_ITERATIONS ? options->iterations
                                                 : MOST_ITERATIONS;
}

/* The published laws. If no attempt converges the least residual counts. */
static scree_status solve_published(lobatto *w, double *x,
                                    scree_newton_report *total) {
    const size_t bytes = (size_t)w->n * sizeof *x;
    double *best = scree_dense_push(w->s, w->n);
    if (!best) return SCREE_OUT_OF_MEMORY;
    double least = INFINITY, r = 0;
    for (const attempt *a = attempts; a < attempts + N_ATTEMPT; ++a) {
        w->r = a->r * w->options->r;
        guess_stages(w, x, a->kind);
        if (a == attempts) memcpy(best, x, bytes), r = w->r;
        TRY(solve_stages(w, x, iteration_limit(w->options), total));
        if (total->converged) return SCREE_OK;
        if (!(total->residual < least)) continue;
        least = total->residual, r = w->r;
        memcpy(best, x, bytes);
    }
    w->r = r;
    memcpy(x, best, bytes);
    return solve_stages(w, x, 0, total);
}

/* From the published solution x: marks the laws in smooth slip, solves again
 * with their collocated law, and takes back marks that the result contradicts,
 * until none does. Every turn but the last removes a mark. */
static scree_status turn_slip(lobatto *w, double *x,
                              scree_newton_report *total) {
    double *published = scree_dense_push(w->s, w->n);
    if (!published) return SCREE_OUT_OF_MEMORY;
    memcpy(published, x, (size_t)w->n * sizeof *x);
    int marks = 0, kept = 0;
    const bool smooth = total->converged && !scree_lobatto_impact(w);
    for (int l = 0; l < w->n_law; ++l)
        marks += w->collocated[l] = smooth && scree_lobatto_resolved(w, l, x);
    for (; marks; marks = kept, kept = 0) {
        memcpy(x, published, (size_t)w->n * sizeof *x);
        TRY(solve_stages(w, x, iteration_limit(w->options), total));
        for (int l = 0; l < w->n_law; ++l)
            kept += w->collocated[l] = w->collocated[l] && total->converged &&
                                       scree_lobatto_resolved(w, l, x);
        if (kept == marks) return SCREE_OK;
        if (kept) continue;
        memcpy(x, published, (size_t)w->n * sizeof *x);
        TRY(solve_stages(w, x, iteration_limit(w->options), total));
    }
    return SCREE_OK;
}

static void finish_step(lobatto *w, const double *x) {
    scree_dense *s = w->s;
    const stage *end = &w->stages[w->n_stage - 1];
    memcpy(s->q, end->Q, (size_t)w->n_q * sizeof *s->q);
    memcpy(s->u, &x[w->at_end], (size_t)w->n_u * sizeof *s->u);
    if (s->ops->normalise) s->ops->normalise(s->p, s->q);
    memcpy(s->P, w->P, (size_t)w->n_row * sizeof *s->P);
    memcpy(s->g, end->g, (size_t)w->n_law * sizeof *s->g);
    for (int l = 0; l < w->n_law; ++l) {
        const scree_law *law = &s->laws[l];
        for (int k = law->row; k < law->row + scree_law_rows(law); ++k)
            s->mode[k] = scree_lobatto_mode(w, l, k);
    }
    s->dt = w->dt;
    s->t += w->dt;
}

static scree_status dense_step(scree_dense *s,
                               const scree_dense_options *options,
                               scree_error *error) {
    lobatto w = {.s = s, .options = options, .dt = options->dt};
    if (!scree_tableau_lobatto(options->stages ? options->stages : 2, &w.table))
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "lobatto has 2 to %d stages, not %d",
                          SCREE_TABLEAU_MOST, options->stages);
    lay_out(&w);
    double *x = scree_dense_push(s, w.n);
    if (!x || !allocate_work(&w)) return SCREE_OUT_OF_MEMORY;
    start_step(&w);
    if (!w.stages[0].regular)
        return scree_fail(error, SCREE_UNSUPPORTED,
                          "the mass matrix of model '%s' is singular",
                          s->ops->name);

    scree_newton_report report = {0};
    TRY(solve_published(&w, x, &report));
    if (options->friction == SCREE_FRICTION_MIDSLIP)
        TRY(turn_slip(&w, x, &report));
    scree_dense_count(s, 0, report.iterations, report.converged,
                      report.singular, report.residual);
    finish_step(&w, x);
    return SCREE_OK;
}

const scree_stepper_ops scree_stepper_lobatto = {
    .name = "lobatto",
    .about = "Lobatto IIIA-IIIB with 2 to 5 stages, order 2 s - 2; models, "
             "and worlds of up to 300 contacts",
    .dense_step = dense_step,
    .world_step = scree_world_lobatto,
};
