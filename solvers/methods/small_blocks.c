/* small_blocks.c: plain Gauss-Seidel for a few contacts, without preparation.
 *
 * Groups, columns and momentum cost what ten sweeps over a few contacts do, and
 * few contacts seldom need more. Here W is copied once into dense columns, u =
 * W r + q is kept up to date by whole columns, u += W_:i d, and a sweep is a
 * chain of the contacts' latencies: u_i from the last contact's column, d, its
 * column. The shortest way to d is the step that sticks,
 *     d = -omega W_ii^-1 u_i,      taken if r_i + d lies in K,
 * the exact solution of a contact that sticks, and a little beyond; the others
 * take one prox step on r_N, then one on r_T with what the first did to u_T. What
 * SWEEPS do not bring to the tolerance is left to methods that expect more. */
#include <math.h>
#include <string.h>

#include "engine/base/simd.h"
#include "solvers/blocks/fc3d.h"

enum { SWEEPS = 50, ROWS = 3 * SCREE_FC3D_SMALL };
static const double OMEGA = 1.05;
_Static_assert(ROWS % SCREE_LANES == 0, "columns of whole lanes");

/* What the steps of a contact need. */
typedef struct local {
    double stick[9]; /* -omega W_ii^-1; NaN if there is none: in no cone */
    double step_n, step_t; /* 1 / W_NN, 1 / a bound of W_TT's eigenvalues */
    double W_tn[2], mu;
} local;

typedef struct state {
    int rows; /* of a column: 3 nc in whole lanes */
    local local[SCREE_FC3D_SMALL];
    double r[ROWS], u[ROWS];
    double W[ROWS * ROWS]; /* by columns */
} state;

/* ---- one sweep ----------------------------------------------------------- */

static inline bool contact_sticks(const local *c, const double *u,
                                  const double *r, double d[3]) {
    const double *stick = c->stick;
    for (int k = 0; k < 3; k++, stick += 3)
        d[k] = stick[0] * u[0] + stick[1] * u[1] + stick[2] * u[2];
    const double n = r[0] + d[0], t1 = r[1] + d[1], t2 = r[2] + d[2];
    const double radius = c->mu * n;
    return n >= 0 && t1 * t1 + t2 * t2 <= radius * radius;
}

static inline void prox_step(const local *c, const double *u, const double *r,
                             double d[3]) {
    const double to = r[0] - c->step_n * u[0], n = to > 0 ? to : 0;
    d[0] = n - r[0];
    double t1 = r[1] - c->step_t * (u[1] + c->W_tn[0] * d[0]);
    double t2 = r[2] - c->step_t * (u[2] + c->W_tn[1] * d[0]);
    const double length2 = t1 * t1 + t2 * t2, radius = c->mu * n;
    if (length2 > radius * radius) {
        const double shrink = radius / sqrt(length2);
        t1 *= shrink, t2 *= shrink;
    }
    d[1] = t1 - r[1], d[2] = t2 - r[2];
}

/* u += W_:i d */
SCREE_INLINE void add_columns(state *s, int i, const double d[3]) {
    const scree_v4 d0 = v4_set(d[0]), d1 = v4_set(d[1]), d2 = v4_set(d[2]);
    const int rows = s->rows;
    double *restrict u = s->u;
    const double *W0 = &s->W[3 * i * rows], *W1 = W0 + rows, *W2 = W1 + rows;
    for (int k = 0; k < rows; k += SCREE_LANES)
        v4_store(&u[k], (v4_load(&u[k]) + d0 * v4_load(&W0[k])) +
                            (d1 * v4_load(&W1[k]) + d2 * v4_load(&W2[k])));
}

SCREE_WIDE static void sweep(state *s, int nc) {
    for (int i = 0; i < nc; i++) {
        double d[3], *r = &s->r[3 * i];
        const local *c = &s->local[i];
        if (!contact_sticks(c, &s->u[3 * i], r, d))
            prox_step(c, &s->u[3 * i], r, d);
        for (int k = 0; k < 3; k++) r[k] += d[k];
        add_columns(s, i, d);
    }
}

/* ---- from the problem and back ------------------------------------------- */

static void load_stick(const double W[9], double stick[9]) {
    for (int k = 0; k < 9; k++) { /* cofactors, transposed */
        const int a = k % 3, b = k / 3;
        const int a1 = (a + 1) % 3, a2 = (a + 2) % 3;
        const int b1 = (b + 1) % 3, b2 = (b + 2) % 3;
        stick[k] =
            W[3 * a1 + b1] * W[3 * a2 + b2] - W[3 * a1 + b2] * W[3 * a2 + b1];
    }
    const double det = W[0] * stick[0] + W[1] * stick[3] + W[2] * stick[6];
    const bool regular = W[0] > 0 && det > 1e-9 * W[0] * W[4] * W[8];
    const double f = regular ? -OMEGA / det : NAN;
    for (int k = 0; k < 9; k++) stick[k] *= f;
}

/* A contact without W_NN has no steps, and keeps r = 0. */
static void load_contact(local *c, const double W[9], double mu) {
    const double most = (W[4] > W[8] ? W[4] : W[8]) + fabs(W[5]);
    c->step_n = W[0] > 0 ? 1 / W[0] : 0;
    c->step_t = W[0] > 0 && most > 0 ? 1 / most : 0;
    c->W_tn[0] = W[3], c->W_tn[1] = W[6];
    c->mu = mu;
    load_stick(W, c->stick);
}

static void load_row(state *s, const scree_fc3d *p, int i) {
    for (int64_t k = p->row[i]; k < p->row[i + 1]; k++) {
        const double *W = &p->W[9 * k];
        double *to = &s->W[3 * p->column[k] * s->rows + 3 * i];
        for (int b = 0; b < 3; b++, to += s->rows)
            to[0] = W[b], to[1] = W[3 + b], to[2] = W[6 + b];
    }
}

/* u = W r + q */
SCREE_WIDE static void renew(state *s, const scree_fc3d *p) {
    memcpy(s->u, p->q, 3 * (size_t)p->nc * sizeof *s->u);
    for (int i = 0; i < p->nc; i++) {
        const double *r = &s->r[3 * i];
        if (r[0] != 0 || r[1] != 0 || r[2] != 0) add_columns(s, i, r);
    }
}

static void load_problem(state *s, const scree_fc3d *p) {
    const int n = 3 * p->nc;
    s->rows = (n + SCREE_LANES - 1) / SCREE_LANES * SCREE_LANES;
    if (p->n_block < (int64_t)p->nc * p->nc)
        memset(s->W, 0, (size_t)(n * s->rows) * sizeof *s->W);
    for (int k = n; k < s->rows; k++) {
        s->u[k] = 0;
        for (int c = 0; c < n; c++) s->W[c * s->rows + k] = 0;
    }
    for (int i = 0; i < p->nc; i++) {
        const double *W = &p->W[9 * p->row[i]];
        load_row(s, p, i);
        load_contact(&s->local[i], W, p->mu[i]);
        for (int k = 0; k < 3; k++)
            s->r[3 * i + k] = W[0] > 0 ? p->r[3 * i + k] : 0;
    }
}

static void store_solution(const state *s, scree_fc3d *p) {
    const size_t bytes = 3 * (size_t)p->nc * sizeof *p->r;
    memcpy(p->r, s->r, bytes);
    memcpy(p->u, s->u, bytes);
}

static void run_sweeps(state *s, scree_fc3d *p, scree_loop *g) {
    for (;;) {
        if (scree_loop_is_due(g)) {
            renew(s, p);
            store_solution(s, p);
            g->has_u = g->exact_u = true;
        }
        if (scree_loop_advance(g)) break;
        sweep(s, p->nc);
    }
    scree_loop_end(g);
}

scree_status scree_blocks_small(scree_fc3d *p,
                                const scree_solver_options *options,
                                scree_arena *scratch, scree_report *report) {
    if (p->nc > SCREE_FC3D_SMALL) return SCREE_UNSUPPORTED;
    scree_solver_options o = *options;
    const bool short_of = o.iterations > SWEEPS;
    if (short_of) o.iterations = SWEEPS;
    scree_loop g;
    TRY(scree_fc3d_begin(&g, "small", p, &o, scratch, report));
    state s;
    load_problem(&s, p);
    run_sweeps(&s, p, &g);
    if (short_of && report->stop == SCREE_STOP_ITERATIONS)
        report->stop = SCREE_STOP_STALL;
    return SCREE_OK;
}
