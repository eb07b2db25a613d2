#include "engine/system/dense_system.h"

#include <string.h>

#include "engine/system/dense_impact.h"
#include "solvers/dense/semismooth.h"

/* ---- sets and solve ------------------------------------------------------- */

static scree_set one_row(scree_set_kind kind, int row) {
    return (scree_set){.kind = kind, .row = row, .n = 1, .normal = -1};
}

static int no_action(const scree_law *law, scree_set *sets) {
    const int n = scree_law_rows(law);
    for (int i = 0; i < n; ++i) sets[i] = one_row(SCREE_SET_ZERO, law->row + i);
    return n;
}

static int contact_sets(const scree_law *law, scree_set *sets) {
    sets[0] = one_row(SCREE_SET_HALFLINE, law->row);
    if (!law->n_f) return 1;
    sets[1] = (scree_set){.kind = SCREE_SET_BALL,
                          .row = law->row + 1,
                          .n = law->n_f,
                          .normal = law->row,
                          .mu = law->mu};
    return 2;
}

static int law_sets(const scree_law *law, double dt, scree_set *sets) {
    switch (law->kind) {
    case SCREE_LAW_CONTACT:
        return contact_sets(law, sets);
    case SCREE_LAW_FRICTION:
        sets[0] = (scree_set){.kind = SCREE_SET_BALL,
                              .row = law->row,
                              .n = law->n_f,
                              .normal = -1,
                              .radius = law->a * dt};
        return 1;
    case SCREE_LAW_FORCE:
        sets[0] = one_row(SCREE_SET_INTERVAL, law->row);
        sets[0].lo = law->lo * dt;
        sets[0].hi = law->hi * dt;
        return 1;
    case SCREE_LAW_HOLONOMIC:
    case SCREE_LAW_NONHOLONOMIC:
        break;
    }
    sets[0] = one_row(SCREE_SET_FREE, law->row);
    return 1;
}

int scree_dense_sets(const scree_dense *s, double dt, const bool *acts,
                     scree_set *sets) {
    int n = 0;
    for (int k = 0; k < s->ops->n_law; ++k) {
        const scree_law *law = &s->laws[k];
        n += !acts || acts[k] ? law_sets(law, dt, &sets[n])
                              : no_action(law, &sets[n]);
    }
    return n;
}

static double inner_product(const double *a, const double *b, int n) {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
}

/* Modes of sets to modes of rows. */
static void keep_modes(scree_dense *s, const scree_delassus *d, int *set_mode) {
    scree_delassus_modes(d, set_mode, &s->scratch);
    for (int k = 0; k < d->n_set; ++k)
        for (int i = 0; i < d->sets[k].n; ++i)
            s->mode[d->sets[k].row + i] = set_mode[k];
}

/* Open contacts have no percussion: what the solver leaves of one is rounding,
 * which steppers that ask P_N > 0 would take for contact. */
static void clear_open(const scree_delassus *d, const int *set_mode) {
    for (int k = 0; k < d->n_set; ++k) {
        const scree_set *set = &d->sets[k];
        const bool open = set->kind == SCREE_SET_ZERO ||
                          (set->kind == SCREE_SET_HALFLINE && set_mode[k] == 1);
        if (open) d->P[set->row] = 0;
    }
    for (int k = 0; k < d->n_set; ++k) {
        const scree_set *set = &d->sets[k];
        if (set->kind != SCREE_SET_BALL || set->normal < 0) continue;
        if (set->radius > 0) continue;
        for (int i = 0; i < set->n && d->P[set->normal] == 0; ++i)
            d->P[set->row + i] = 0;
    }
}

scree_status scree_dense_solve(scree_dense *s, const scree_dense_inclusion *in,
                               const scree_dense_options *options,
                               scree_report *report, scree_error *error) {
    const int n = s->ops->n_u, m = s->ops->n_row;
    *report = (scree_report){.converged = true};
    if (m == 0) return SCREE_OK;
    const scree_method *method = scree_method_find(options->solver);
    if (!method)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "no solver '%s' for models", options->solver);
    const size_t mark = scree_arena_mark(&s->scratch);
    scree_delassus d = {.n = m,
                        .G = scree_dense_push(s, m * m),
                        .b = scree_dense_push(s, m),
                        .P = in->P,
                        .n_set = in->n_set,
                        .sets = in->sets};
    int *mode = scree_arena_push(&s->scratch, (size_t)m * sizeof *mode);
    if (!d.G || !d.b || !mode) return SCREE_OUT_OF_MEMORY;
    for (int i = 0; i < m; ++i) {
        d.b[i] = in->shift[i] + inner_product(&in->Jt[i * n], in->u, n);
        for (int j = 0; j < m; ++j)
            d.G[i * m + j] = inner_product(&in->Jt[i * n], &in->X[j * n], n);
    }
    const scree_solver_options o = {.tolerance = options->tolerance,
                                    .iterations = options->iterations};
    TRY(scree_inclusion_solve(scree_in_dense(&d), method, &o, &s->scratch,
                              report, error));
    if (report->by[0] && strcmp(report->by, method->name) != 0)
        memcpy(s->fallback, report->by, sizeof s->fallback);
    keep_modes(s, &d, mode);
    if (report->converged) clear_open(&d, mode);
    for (int i = 0; i < m; ++i)
        for (int k = 0; k < n; ++k) in->u[k] += in->X[i * n + k] * in->P[i];
    scree_arena_pop(&s->scratch, mark);
    return SCREE_OK;
}

/* ---- the system interface ------------------------------------------------- */

typedef struct dense_system {
    scree_dense *s;
    const scree_dense_options *options;
    scree_error *error;
    scree_frame frame;
    double *u_b;   /* (n_u) at the beginning of the step */
    double *shift; /* (n_row) chi plus what the stepper's rule asks */
    double *fall; /* (n_row) what the kick adds to gamma, Poisson's law alone */
    bool *acts;   /* (n_law) */
    scree_set *sets;
} dense_system;

static bool obeys_poisson(const dense_system *d) {
    return d->options->impact == SCREE_IMPACT_POISSON;
}

static void move_with(dense_system *d, const double *u, double dt) {
    scree_dense *s = d->s;
    const size_t mark = scree_arena_mark(&s->scratch);
    double *qdot = scree_dense_push(s, s->ops->n_q);
    scree_dense_kinematics(s, s->t, s->q, u, qdot);
    for (int i = 0; i < s->ops->n_q; ++i) s->q[i] += dt * qdot[i];
    if (s->ops->normalise) s->ops->normalise(s->p, s->q);
    s->t += dt;
    scree_arena_pop(&s->scratch, mark);
}

static void system_move(void *self, double dt) {
    dense_system *d = self;
    move_with(d, d->s->u, dt);
}

static void system_drift(void *self, double dt) {
    dense_system *d = self;
    move_with(d, d->u_b, dt);
}

static scree_status system_detect(void *self, double dt, bool foresee) {
    dense_system *d = self;
    (void)dt, (void)foresee; /* all laws are listed at all times */
    scree_dense_gaps(d->s, d->s->t, d->s->q, d->s->g);
    return SCREE_OK;
}

/* Normal row of a contact, or the row of a holonomic constraint. */
static double enter_normal(dense_system *d, int k, double gamma_n, double *e_f,
                           scree_law_rule rule, const void *context) {
    const scree_law *law = &d->s->laws[k];
    const scree_law_state state = {.g = d->s->g[k],
                                   .gamma_n = gamma_n,
                                   .e_n = obeys_poisson(d) ? 0 : law->e_n,
                                   .e_t = obeys_poisson(d) ? 0 : law->e_f,
                                   .length = 1.0,
                                   .bilateral =
                                       law->kind == SCREE_LAW_HOLONOMIC};
    const scree_law_entry entry = rule(context, &state);
    d->acts[k] = entry.acts;
    *e_f = entry.e_t;
    return entry.c_n;
}

static scree_status system_assemble(void *self, scree_law_rule rule,
                                    const void *context) {
    dense_system *d = self;
    scree_dense *s = d->s;
    TRY(scree_dense_frame(s, s->t, s->q, &d->frame));
    memcpy(d->u_b, s->u, (size_t)s->ops->n_u * sizeof *d->u_b);
    const int n = s->ops->n_u;
    for (int k = 0; k < s->ops->n_law; ++k) {
        const scree_law *law = &s->laws[k];
        double e_f = obeys_poisson(d) ? 0 : law->e_f;
        int row = law->row;
        const int last = law->row + scree_law_rows(law);
        d->acts[k] = true;
        if (scree_law_has_gap(law)) {
            const double gamma_n =
                d->frame.chi[row] +
                inner_product(&d->frame.Wt[row * n], s->u, n);
            d->shift[row] = d->frame.chi[row] +
                            enter_normal(d, k, gamma_n, &e_f, rule, context);
            ++row;
        }
        for (; row < last; ++row) {
            const double gamma = d->frame.chi[row] +
                                 inner_product(&d->frame.Wt[row * n], s->u, n);
            d->shift[row] = d->frame.chi[row] + e_f * gamma;
        }
    }
    return SCREE_OK;
}

static void system_kick(void *self, double dt) {
    dense_system *d = self;
    scree_dense *s = d->s;
    const size_t mark = scree_arena_mark(&s->scratch);
    double *h = scree_dense_push(s, s->ops->n_u);
    s->ops->force(s->p, s->t, s->q, s->u, h);
    scree_lu_solve(d->frame.M, d->frame.pivot, s->ops->n_u, h);
    for (int i = 0; i < s->ops->n_u; ++i) s->u[i] += dt * h[i];
    for (int i = 0; obeys_poisson(d) && i < s->ops->n_row; ++i)
        d->fall[i] =
            dt * inner_product(&d->frame.Wt[i * s->ops->n_u], h, s->ops->n_u);
    scree_arena_pop(&s->scratch, mark);
}

static scree_status system_solve(void *self) {
    dense_system *d = self;
    scree_dense *s = d->s;
    const int n_set = scree_dense_sets(s, d->options->dt, d->acts, d->sets);
    const scree_dense_inclusion in = {.Jt = d->frame.Wt,
                                      .shift = d->shift,
                                      .X = d->frame.X,
                                      .sets = d->sets,
                                      .n_set = n_set,
                                      .u = s->u,
                                      .P = s->P};
    scree_report report;
    const size_t mark = scree_arena_mark(&s->scratch);
    double *before = scree_dense_push(s, s->ops->n_row);
    if (!before) return SCREE_OUT_OF_MEMORY;
    memcpy(before, s->P, (size_t)s->ops->n_row * sizeof *before);
    TRY(scree_dense_solve(s, &in, d->options, &report, d->error));
    if (obeys_poisson(d))
        TRY(scree_dense_decompress(s, &in, d->fall, before, d->options, &report,
                                   d->error));
    scree_arena_pop(&s->scratch, mark);
    scree_dense_count(s, 0, report.iterations, report.converged,
                      report.singular, report.residual);
    return SCREE_OK;
}

/* The books of a model are those of its stepper. */
static scree_status system_account(void *self) {
    (void)self;
    return SCREE_OK;
}

/* Models are run to the letter: overlap is the stepper's business. */
static scree_status system_recover(void *self, double velocity, double dt) {
    (void)self, (void)velocity, (void)dt;
    return SCREE_OK;
}

static const scree_system_ops dense_ops = {
    .move = system_move,
    .drift = system_drift,
    .detect = system_detect,
    .assemble = system_assemble,
    .kick = system_kick,
    .solve = system_solve,
    .account = system_account,
    .recover = system_recover,
};

scree_status scree_dense_system_step(scree_dense *s,
                                     const scree_stepper_ops *stepper,
                                     const scree_dense_options *options,
                                     scree_error *error) {
    const size_t n_law = (size_t)s->ops->n_law, m = (size_t)s->ops->n_row;
    dense_system d = {
        .s = s,
        .options = options,
        .error = error,
        .u_b = scree_dense_push(s, s->ops->n_u),
        .shift = scree_dense_push(s, s->ops->n_row),
        .fall = scree_dense_push(s, s->ops->n_row),
        .acts = scree_arena_push(&s->scratch, n_law * sizeof *d.acts),
        .sets = scree_arena_push(&s->scratch, m * sizeof *d.sets)};
    if (!d.u_b || !d.shift || !d.fall || !d.acts || !d.sets)
        return SCREE_OUT_OF_MEMORY;
    const scree_system system = {.self = &d, .ops = &dense_ops};
    const scree_step_options step = {.dt = options->dt,
                                     .control = {.dt = options->dt}};
    const double t = s->t;
    memset(s->P_first, 0, m * sizeof *s->P_first);
    TRY(stepper->step(&system, &step));
    s->t = t + options->dt;
    s->dt = options->dt;
    scree_dense_gaps(s, s->t, s->q, s->g);
    return SCREE_OK;
}
