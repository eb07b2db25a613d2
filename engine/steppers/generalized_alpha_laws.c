/* generalized_alpha_laws.c: the sets of the three levels, the forces at t_{n+1}, and friction
 * that turns with the slip.
 *
 * Accelerations: a = free + M^-1 W lambda, gamma' = W^T a + d(W^T u + chi)/dt at fixed u, by
 * central differences along the motion. Laws that hold on the level of velocities hold or
 * end on this one; friction that slips is -mu lambda_N d, d the direction of slip. All of it
 * is multiplied by dt, so that tolerances and percussions are those of the other levels. */
#include "engine/steppers/generalized_alpha.h"

#include <math.h>
#include <string.h>

typedef scree_alpha_step step;

/* Closed, in the length scale of the models, as in rattle.c. */
static const double CLOSED = 1e-10;
/* Part of a step over which rows are differenced. */
static const double DIFFERENCE = 1e-2;

static double inner_product(const double *a, const double *b, int n) {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
}

/* What the solves leave of a law, as a velocity. */
static double accuracy_of(const step *w, const double *u) {
    double most = 0;
    for (int i = 0; i < w->s->ops->n_u; ++i) most = fmax(most, fabs(u[i]));
    return 10 * w->options->tolerance * (1 + most);
}

/* ---- sets -------------------------------------------------------------------- */

/* Rows of gaps alone. */
int scree_alpha_position_sets(step *w) {
    const scree_dense *s = w->s;
    int n = 0;
    for (int k = 0; k < s->ops->n_law; ++k) {
        const scree_law *law = &s->laws[k];
        for (int i = law->row; i < law->row + scree_law_rows(law); ++i) {
            scree_set *set = &w->sets[n++];
            *set = (scree_set){SCREE_SET_ZERO, .row = i, .n = 1, .normal = -1};
            if (!scree_alpha_is_gap(law, i)) continue;
            set->kind = law->kind == SCREE_LAW_CONTACT ? SCREE_SET_HALFLINE
                                                       : SCREE_SET_FREE;
        }
    }
    return n;
}

/* Friction of `ties` takes no part of its own: a ball of radius 0. That of open contacts is
 * zero row by row already. */
static void empty_ties(step *w, int n) {
    const scree_dense *s = w->s;
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < s->ops->n_law; ++k) {
            const scree_law *law = &s->laws[k];
            const int row = scree_alpha_friction_row(law);
            if (!w->ties[k] || w->sets[i].row != row ||
                w->sets[i].n != law->n_f)
                continue;
            w->sets[i] = (scree_set){SCREE_SET_BALL, .row = row, .n = law->n_f,
                                     .normal = -1};
        }
}

int scree_alpha_velocity_sets(step *w) {
    for (int k = 0; k < w->s->ops->n_law; ++k)
        w->closed[k] |= w->at.g[k] <= CLOSED;
    const int n = scree_dense_sets(w->s, w->dt, w->closed, w->sets);
    empty_ties(w, n);
    return n;
}

/* ---- friction against a direction --------------------------------------------- */

void scree_alpha_directions(step *w) {
    const scree_dense *s = w->s;
    memcpy(w->slip, w->at.gamma, (size_t)s->ops->n_row * sizeof *w->slip);
    for (int k = 0; k < s->ops->n_law; ++k) {
        const scree_law *law = &s->laws[k];
        double *d = &w->slip[scree_alpha_friction_row(law)];
        const double speed = sqrt(inner_product(d, d, law->n_f));
        for (int i = 0; i < law->n_f && speed > 0; ++i) d[i] /= speed;
    }
}

void scree_alpha_tie(const step *w, double *X, double sign) {
    const int n = w->s->ops->n_u;
    for (int k = 0; k < w->s->ops->n_law; ++k) {
        const scree_law *law = &w->s->laws[k];
        if (!w->ties[k] || law->kind != SCREE_LAW_CONTACT) continue;
        for (int i = law->row + 1; i <= law->row + law->n_f; ++i)
            for (int c = 0; c < n; ++c)
                X[law->row * n + c] -=
                    sign * law->mu * w->slip[i] * X[i * n + c];
    }
}

/* dt times the mean of lambda over the step. */
static double mean_percussion(const step *w, int row) {
    return w->P_known[row] + w->alpha.gamma * w->alpha.share * w->L[row];
}

/* P_F - mean = -mu (P_N - mean_N) d, without the term in P_N. */
double scree_alpha_turned(const step *w, const scree_law *law, int i) {
    const double mean = mean_percussion(w, i);
    if (law->kind != SCREE_LAW_CONTACT) return mean;
    return mean + law->mu * mean_percussion(w, law->row) * w->slip[i];
}

void scree_alpha_tied_friction(step *w) {
    for (int k = 0; k < w->s->ops->n_law; ++k) {
        const scree_law *law = &w->s->laws[k];
        const int row = scree_alpha_friction_row(law);
        const double N =
            law->kind == SCREE_LAW_CONTACT ? law->mu * w->P[law->row] : 0;
        for (int i = row; w->tied[k] && i < row + law->n_f; ++i)
            w->P[i] = scree_alpha_turned(w, law, i) - N * w->slip[i];
    }
}

/* ---- accelerations -------------------------------------------------------------- */

/* dt d(W^T u + chi)/dt with u held. */
static scree_status turn_of_rows(step *w, const double *u, double *turn) {
    scree_dense *s = w->s;
    const int n_q = s->ops->n_q, m = s->ops->n_row;
    const double t = w->at.t, h = DIFFERENCE * w->dt;
    double *rate = scree_dense_push(s, n_q), *q = scree_dense_push(s, n_q);
    double *before = scree_dense_push(s, m);
    if (!rate || !q || !before) return SCREE_OUT_OF_MEMORY;
    scree_dense_kinematics(s, t, w->at.q, u, rate);
    for (int i = 0; i < n_q; ++i) q[i] = w->at.q[i] - h * rate[i];
    scree_dense_gamma(s, t - h, q, u, before);
    for (int i = 0; i < n_q; ++i) q[i] = w->at.q[i] + h * rate[i];
    scree_dense_gamma(s, t + h, q, u, turn);
    for (int i = 0; i < m; ++i)
        turn[i] = w->dt * (turn[i] - before[i]) / (2 * h);
    return SCREE_OK;
}

/* Does the law hold on the level of velocities, so that accelerations may hold it? A contact
 * that is thrown back does not: by the velocity that its law asks for, since that of the iterate
 * still has an error that would switch forces on and off from round to round. */
static bool may_hold(const step *w, int k, double accuracy) {
    const scree_law *law = &w->s->laws[k];
    if (law->kind != SCREE_LAW_CONTACT) return true;
    return w->closed[k] && w->mode[law->row] == 0 &&
           -law->e_n * w->gamma_n[law->row] <= accuracy;
}

static bool row_slips(const step *w, int k) {
    const scree_law *law = &w->s->laws[k];
    const bool friction =
        law->kind == SCREE_LAW_CONTACT || law->kind == SCREE_LAW_FRICTION;
    const double *d = &w->slip[scree_alpha_friction_row(law)];
    return friction && law->n_f > 0 && inner_product(d, d, law->n_f) > 0 &&
           w->mode[scree_alpha_friction_row(law)] == 1;
}

/* What does not wait for the solve: fixed friction that slips, forces at their bounds. */
static double fixed_percussion(const step *w, int k, int i) {
    const scree_law *law = &w->s->laws[k];
    if (law->kind == SCREE_LAW_FRICTION && row_slips(w, k))
        return -law->a * w->dt * w->slip[i];
    if (law->kind != SCREE_LAW_FORCE || w->mode[i] == 0) return 0;
    return w->dt * (w->at.gamma[i] > 0 ? law->lo : law->hi);
}

static bool is_fixed(const step *w, int k) {
    const scree_law *law = &w->s->laws[k];
    return (law->kind == SCREE_LAW_FRICTION && row_slips(w, k)) ||
           (law->kind == SCREE_LAW_FORCE && w->mode[law->row] == 1);
}

/* What such laws do to the velocity; in the solve their set is {0}. */
static void add_fixed(step *w, double *velocity) {
    const scree_dense *s = w->s;
    const int n = s->ops->n_u;
    for (int k = 0; k < s->ops->n_law; ++k) {
        const scree_law *law = &s->laws[k];
        for (int i = law->row; i < law->row + scree_law_rows(law); ++i)
            for (int c = 0; is_fixed(w, k) && c < n; ++c)
                velocity[c] +=
                    fixed_percussion(w, k, i) * w->at.frame.X[i * n + c];
    }
}

static void put_friction(step *w) {
    const scree_dense *s = w->s;
    for (int k = 0; k < s->ops->n_law; ++k) {
        const scree_law *law = &s->laws[k];
        const int row = scree_alpha_friction_row(law);
        for (int i = row; w->ties[k] && i < row + law->n_f; ++i)
            w->L[i] = -law->mu * w->L[law->row] * w->slip[i];
        for (int i = law->row; i < law->row + scree_law_rows(law); ++i)
            if (is_fixed(w, k)) w->L[i] = fixed_percussion(w, k, i);
    }
}

static scree_status solve_forces(step *w, double *shift, double *velocity,
                                 bool *acts) {
    scree_dense *s = w->s;
    for (int k = 0; k < s->ops->n_law; ++k)
        w->ties[k] = row_slips(w, k) && s->laws[k].kind == SCREE_LAW_CONTACT;
    const int n_set = scree_dense_sets(s, w->dt, acts, w->sets);
    empty_ties(w, n_set);
    add_fixed(w, velocity);
    scree_alpha_tie(w, w->at.frame.X, 1);
    const scree_dense_inclusion in = {.Jt = w->at.frame.Wt,
                                      .shift = shift,
                                      .X = w->at.frame.X,
                                      .sets = w->sets,
                                      .n_set = n_set,
                                      .u = velocity,
                                      .P = w->L};
    scree_report report;
    TRY(scree_dense_solve(s, &in, w->options, &report, w->error));
    scree_alpha_tie(w, w->at.frame.X, -1);
    put_friction(w);
    return SCREE_OK;
}

scree_status scree_alpha_accelerate(step *w, const double *u) {
    scree_dense *s = w->s;
    const int n = s->ops->n_u;
    const size_t mark = scree_arena_mark(&s->scratch);
    double *shift = scree_dense_push(s, s->ops->n_row);
    double *velocity = scree_dense_push(s, n);
    bool *acts = scree_arena_push(&s->scratch, (size_t)s->ops->n_law);
    if (!shift || !velocity || !acts) return SCREE_OUT_OF_MEMORY;
    TRY(turn_of_rows(w, u, shift));
    const double accuracy = accuracy_of(w, u);
    for (int i = 0; i < n; ++i) velocity[i] = w->dt * w->at.free[i];
    for (int k = 0; k < s->ops->n_law; ++k)
        acts[k] = may_hold(w, k, accuracy) && !is_fixed(w, k);
    TRY(solve_forces(w, shift, velocity, acts));
    scree_arena_pop(&s->scratch, mark);
    return SCREE_OK;
}

/* Modes of a state that no step has led to. */
void scree_alpha_guess_modes(step *w, const double *u) {
    const scree_dense *s = w->s;
    const double accuracy = accuracy_of(w, u);
    for (int k = 0; k < s->ops->n_law; ++k) {
        const scree_law *law = &s->laws[k];
        const int row = scree_alpha_friction_row(law);
        const double *gamma = &w->at.gamma[row];
        const int n = law->kind == SCREE_LAW_FORCE ? 1 : law->n_f;
        w->closed[k] = law->kind != SCREE_LAW_CONTACT || w->at.g[k] <= CLOSED;
        for (int i = law->row; i < law->row + scree_law_rows(law); ++i)
            w->mode[i] = 0;
        for (int i = row; i < row + n; ++i)
            w->mode[i] = sqrt(inner_product(gamma, gamma, n)) > accuracy;
        if (law->kind == SCREE_LAW_CONTACT)
            w->mode[law->row] = fabs(w->at.gamma[law->row]) > accuracy;
    }
}

/* ---- slip that turns -------------------------------------------------------------- */

static bool is_pressed(const step *w, int k) {
    const scree_law *law = &w->s->laws[k];
    if (law->kind == SCREE_LAW_FRICTION) return true;
    const double accuracy = accuracy_of(w, w->s->u);
    return w->g_n[k] <= CLOSED + accuracy * w->dt &&
           fabs(w->gamma_n[law->row]) <= accuracy && w->P[law->row] > 0 &&
           w->kept.lambda[law->row] > 0 && w->L[law->row] > 0;
}

/* Slides on at both ends, and faster than its friction could stop. */
static bool slides_on(const step *w, int k) {
    const scree_law *law = &w->s->laws[k];
    const int row = scree_alpha_friction_row(law), n = w->s->ops->n_u;
    const double *P = &w->P[row], *gamma = &w->at.gamma[row];
    const double speed = sqrt(inner_product(gamma, gamma, law->n_f));
    double G = 0;
    for (int i = row; i < row + law->n_f; ++i)
        G += inner_product(&w->at.frame.Wt[i * n], &w->at.frame.X[i * n], n);
    return row_slips(w, k) &&
           inner_product(&w->gamma_n[row], gamma, law->n_f) > 0 &&
           G * sqrt(inner_product(P, P, law->n_f)) <= speed;
}

static bool slips_smoothly(const step *w, int k) {
    const scree_law *law = &w->s->laws[k];
    const bool friction =
        law->kind == SCREE_LAW_CONTACT || law->kind == SCREE_LAW_FRICTION;
    /* With one component it cannot turn: both laws agree. */
    return friction && law->n_f >= 2 && law->e_f == 0 && is_pressed(w, k) &&
           slides_on(w, k);
}

static bool closes_newly(const step *w, int k) {
    const scree_law *law = &w->s->laws[k];
    return law->kind == SCREE_LAW_CONTACT && w->P[law->row] > 0 &&
           w->g_n[k] > CLOSED + accuracy_of(w, w->s->u) * w->dt;
}

bool scree_alpha_mark_slip(step *w) {
    const int n_law = w->s->ops->n_law;
    bool quiet = true, any = false;
    for (int k = 0; k < n_law; ++k) quiet &= !closes_newly(w, k);
    for (int k = 0; k < n_law; ++k)
        any |= w->tied[k] = quiet && slips_smoothly(w, k);
    return any;
}

bool scree_alpha_unmark_slip(step *w) {
    bool any = false;
    for (int k = 0; k < w->s->ops->n_law; ++k) {
        if (!w->tied[k] || slips_smoothly(w, k)) continue;
        w->tied[k] = false;
        any = true;
    }
    return any;
}
