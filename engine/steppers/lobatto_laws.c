/* lobatto_laws.c: the set-valued laws of the Lobatto pair as residuals on
 * branches, 001 (66) to (69), and when the collocated friction law may act. */
#include "engine/steppers/lobatto.h"

#include <math.h>
#include <string.h>

typedef scree_lobatto lobatto;
typedef scree_lobatto_stage stage;

enum branch {
    RELEASED, /* percussion is zero */
    HELD,     /* kinematic condition: closed, stick */
    SLIP,     /* on the ball's surface, against y */
    SLIP_UP,  /* one component: y > 0; interval: at hi */
    SLIP_DOWN /* one component: y < 0; interval: at lo */
};

static double restitution_of(const scree_law *law, int row) {
    switch (law->kind) {
    case SCREE_LAW_CONTACT:
        return row == law->row ? law->e_n : law->e_f;
    case SCREE_LAW_FRICTION:
        return law->e_f;
    default:
        return 0;
    }
}

/* What the last slot compares: P and xi = gamma_{n+1} + e gamma_n. */
static void set_totals(lobatto *w, const double *x) {
    memset(w->P, 0, (size_t)w->n_row * sizeof *w->P);
    for (int j = 0; j < w->n_stage; ++j)
        scree_lobatto_add(w->P, w->table.b[j], scree_lobatto_R(w, x, j),
                          w->n_row);
    scree_lobatto_gamma(w, &w->stages[w->n_stage - 1], &x[w->at_end],
                        w->gamma_end);
    for (int l = 0; l < w->n_law; ++l) {
        const scree_law *law = &w->s->laws[l];
        for (int k = law->row; k < law->row + scree_law_rows(law); ++k)
            w->xi[k] =
                w->gamma_end[k] + restitution_of(law, k) * w->gamma_start[k];
    }
}

/* One slot of one law: R against xi, both from row 0. */
typedef struct slot {
    int i; /* 0 .. s - 1 */
    bool last;
    const double *R, *xi;
    double g;        /* of the stage i + 1 */
    double R_before; /* last: the R_N^{s-1} that g is against */
    double *F;       /* from row 0 */
    int *branch;     /* [2] */
    bool frozen;
} slot;

static double norm_of(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += x[i] * x[i];
    return sqrt(sum);
}

/* Signorini's law (66). The last slot acts where the contact is closed at the
 * end, (67), with the tolerance that keeps resting contacts from chattering. */
static void normal_law(const lobatto *w, int row, const slot *k) {
    const double r = w->r / w->weight[row];
    if (!k->frozen) {
        bool closed = k->last
                          ? r * (k->g - SCREE_LOBATTO_CLOSED) - k->R_before <= 0
                          : r * k->g - k->R[row] <= 0;
        if (k->last) closed = closed && r * k->xi[row] - k->R[row] <= 0;
        k->branch[0] = closed ? HELD : RELEASED;
    }
    if (k->branch[0] == RELEASED)
        k->F[row] = w->weight[row] * k->R[row];
    else
        k->F[row] = k->last ? k->xi[row] : k->g;
}

/* The set {0} is not stick: an open contact has no condition on gamma. */
static int ball_branch(const double *y, int n, double radius) {
    if (!(radius > 0)) return RELEASED;
    if (norm_of(y, n) <= radius) return HELD;
    if (n > 1) return SLIP;
    return y[0] > 0 ? SLIP_UP : SLIP_DOWN;
}

/* y <- prox_ball(y) on a branch outside the ball. */
static void project_ball(double *y, int n, double radius, int branch) {
    const double scale = branch == SLIP ? radius / norm_of(y, n) : 0;
    for (int i = 0; i < n; ++i) y[i] *= scale;
    if (branch == SLIP_UP) y[0] = radius;
    if (branch == SLIP_DOWN) y[0] = -radius;
}

/* -R = prox_ball(y), y = r xi - R, (69). */
static void ball_law(const lobatto *w, int row, int n, double radius,
                     const slot *k) {
    const double r = w->r / w->weight[row];
    double y[3] = {0};
    for (int i = 0; i < n; ++i) y[i] = r * k->xi[row + i] - k->R[row + i];
    if (!k->frozen) k->branch[1] = ball_branch(y, n, radius);
    if (k->branch[1] == HELD) {
        memcpy(&k->F[row], &k->xi[row], (size_t)n * sizeof *y);
        return;
    }
    project_ball(y, n, radius, k->branch[1]);
    for (int i = 0; i < n; ++i)
        k->F[row + i] = w->weight[row] * (k->R[row + i] + y[i]);
}

/* R = prox_[lo, hi](R - r xi) */
static void interval_law(const lobatto *w, int row, double lo, double hi,
                         const slot *k) {
    const double R = k->R[row], r = w->r / w->weight[row];
    const double y = R - r * k->xi[row];
    if (!k->frozen) k->branch[1] = y > hi ? SLIP_UP : y < lo ? SLIP_DOWN : HELD;
    if (k->branch[1] == HELD)
        k->F[row] = k->xi[row];
    else
        k->F[row] = w->weight[row] * (R - (k->branch[1] == SLIP_UP ? hi : lo));
}

static double radius_of(const lobatto *w, const scree_law *law,
                        const double *R) {
    if (law->kind == SCREE_LAW_FRICTION) return law->a * w->dt;
    return law->mu * R[law->row];
}

/* `collocated`: in smooth slip, R_F^i = -mu R_N^i d(gamma(t^i, Q^i, V^i)) at
 * each stage i = 1 .. s. (57), (58) take the direction one stage later and, for
 * the step as a whole, at its end: backward Euler in the direction, first order
 * when it turns. Here friction is one more force of the Runge-Kutta pair: order
 * 2 s - 2. */
static void collocated_law(const lobatto *w, const scree_law *law,
                           const double *R, const slot *k) {
    const int row = scree_lobatto_friction_row(law);
    const double *gamma = &w->stages[k->i].gamma[row];
    const double scale = radius_of(w, law, R) / norm_of(gamma, law->n_f);
    k->branch[1] = SLIP;
    for (int i = 0; i < law->n_f; ++i)
        k->F[row + i] = w->weight[row] * (R[row + i] + scale * gamma[i]);
}

static void law_residual(const lobatto *w, int l, const double *x,
                         const slot *k) {
    const scree_law *law = &w->s->laws[l];
    switch (law->kind) {
    case SCREE_LAW_HOLONOMIC:
        k->F[law->row] = k->last ? k->xi[law->row] : k->g;
        return;
    case SCREE_LAW_NONHOLONOMIC:
        k->F[law->row] = k->xi[law->row];
        return;
    case SCREE_LAW_FORCE:
        interval_law(w, law->row, law->lo * w->dt, law->hi * w->dt, k);
        return;
    case SCREE_LAW_CONTACT:
        normal_law(w, law->row, k);
        break;
    case SCREE_LAW_FRICTION:
        break;
    }
    if (w->collocated[l])
        collocated_law(w, law, scree_lobatto_R(w, x, k->i), k);
    else if (law->n_f)
        ball_law(w, scree_lobatto_friction_row(law), law->n_f,
                 radius_of(w, law, k->R), k);
}

static void slot_residual(const lobatto *w, int i, const double *x, double *F,
                          int *active, bool frozen) {
    const bool last = i == w->n_stage - 1;
    const stage *next = &w->stages[last ? i : i + 1];
    slot k = {.i = i, .last = last, .frozen = frozen};
    k.R = last ? w->P : scree_lobatto_R(w, x, i);
    k.xi = last ? w->xi : next->gamma;
    k.F = &F[w->at_R + i * w->n_row];
    for (int l = 0; l < w->n_law; ++l) {
        k.g = next->g[l];
        if (last) k.R_before = scree_lobatto_R(w, x, i - 1)[w->s->laws[l].row];
        k.branch = &active[2 * (i * w->n_law + l)];
        law_residual(w, l, x, &k);
    }
}

void scree_lobatto_law_residual(lobatto *w, const double *x, double *F,
                                int *active, bool frozen) {
    set_totals(w, x);
    for (int i = 0; i < w->n_stage; ++i)
        slot_residual(w, i, x, F, active, frozen);
}

/* ---- smooth slip --------------------------------------------------------- */

static double inner_product(const double *a, const double *b, int n) {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
}

/* Closed and pressed at t_n and at every stage. */
static bool is_pressed(const lobatto *w, int l, const double *x) {
    const int row = w->s->laws[l].row;
    if (w->g_start[l] > SCREE_LOBATTO_CLOSED || !(w->P[row] > 0)) return false;
    for (int i = 0; i < w->n_stage; ++i)
        if (w->stages[i].g[l] > SCREE_LOBATTO_CLOSED ||
            !(scree_lobatto_R(w, x, i)[row] > 0))
            return false;
    return true;
}

/* Slips throughout, with no reversal, and fast enough for the step to resolve
 * the slip: half the friction percussion does not stop it. */
static bool smooth_slip(const lobatto *w, int l) {
    const scree_law *law = &w->s->laws[l];
    const int row = scree_lobatto_friction_row(law), n = law->n_f;
    const double *before = &w->gamma_start[row], *after = &w->gamma_end[row];
    const double stop = 0.5 * w->G_bound[l] * norm_of(&w->P[row], n);
    if (!(inner_product(before, after, n) > 0)) return false;
    for (int i = 0; i < w->n_stage; ++i) {
        const double *gamma = &w->stages[i].gamma[row];
        if (w->branch[2 * (i * w->n_law + l) + 1] != SLIP) return false;
        if (!(inner_product(before, gamma, n) > 0)) return false;
        if (!(inner_product(after, gamma, n) > 0)) return false;
        if (norm_of(gamma, n) < stop) return false;
    }
    return true;
}

bool scree_lobatto_resolved(const lobatto *w, int l, const double *x) {
    const scree_law *law = &w->s->laws[l];
    const bool contact = law->kind == SCREE_LAW_CONTACT;
    if (!contact && law->kind != SCREE_LAW_FRICTION) return false;
    if (law->n_f < 2) return false; /* cannot turn: both laws agree */
    return (!contact || is_pressed(w, l, x)) && smooth_slip(w, l);
}

/* An impact turns slip directions at once. */
bool scree_lobatto_impact(const lobatto *w) {
    const double *g_end = w->stages[w->n_stage - 1].g;
    for (int l = 0; l < w->n_law; ++l)
        if (w->s->laws[l].kind == SCREE_LAW_CONTACT &&
            w->g_start[l] > SCREE_LOBATTO_CLOSED &&
            g_end[l] <= SCREE_LOBATTO_CLOSED)
            return true;
    return false;
}

/* ---- modes --------------------------------------------------------------- */

int scree_lobatto_mode(const lobatto *w, int l, int row) {
    const scree_law *law = &w->s->laws[l];
    const int *branch = &w->branch[2 * ((w->n_stage - 1) * w->n_law + l)];
    switch (law->kind) {
    case SCREE_LAW_HOLONOMIC:
    case SCREE_LAW_NONHOLONOMIC:
        return 0;
    case SCREE_LAW_CONTACT:
        return branch[row > law->row] != HELD;
    default:
        return branch[1] != HELD;
    }
}
