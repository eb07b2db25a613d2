/* fc3d_pgs.c: block Gauss-Seidel with momentum fused into the sweep.
 *
 * Before sweep k every contact moves on in the direction of its last change,
 *     r <- r + b (r - r_last),     b = min(b_max, (k - 1) / (k + 2)),
 * and u = W r + q, which is kept up to date, moves with it. Then the sweep
 * corrects contact after contact: the change d of r_i adds W_ji d to u_j. So a
 * contact that stays open costs nothing, and the residual needs no product with
 * W. The blocks W_ji are copied in the order of use, by columns (W in a file is
 * symmetric only to the digits of who wrote it): a block is then three
 * overlapping loads of four numbers, of which the last lane is never used.
 * Rounding in u is taken out every REBUILD sweeps.
 *
 * The friction coupling is not the gradient of anything, so b_max -> 1 diverges:
 * b_max follows the mean square update over windows of WINDOW sweeps. Growth
 * takes momentum away and starts k anew; steady decay gives it back. */
#include <math.h>
#include <string.h>

#include "engine/base/simd.h"
#include "solvers/fc3d.h"

enum { WINDOW = 50, REBUILD = 200, AHEAD = 88 };
static const double LEAST = 0.5, MOST = 0.98;

/* What one prox step needs of its contact. */
typedef struct local {
    double step_n, step_t; /* 1 / W_NN, 1 / the largest eigenvalue of W_TT */
    double W_tn[2], mu;
} local;

typedef struct state {
    scree_fc3d *p;
    const scree_fc3d_options *options;
    local *local;            /* (nc) */
    int64_t *start;          /* (nc + 1) blocks W_ji of column i are
                                start[i] .. start[i + 1] - 1 */
    int32_t *row;            /* (n_block) j */
    double *W;               /* (n_block x 9) each by columns */
    double *r, *u;           /* (4 nc) padded */
    double *r_last, *u_last; /* (4 nc) one sweep ago */
    int64_t k;               /* sweeps since the last restart */
    double b_max;
    double update, update_before; /* sums of squares over a window */
    int sweeps, decays;           /* in the window; windows in a row */
} state;

/* ---- one sweep ----------------------------------------------------------- */

/* Of x and its last one; returns the sum of the squared last changes. */
SCREE_INLINE scree_v4 push_on(double *x, double *last, scree_v4 b, int n) {
    scree_v4 sum = v4_set(0);
    for (int i = 0; i < 4 * n; i += 4) {
        const scree_v4 now = v4_load(&x[i]), d = now - v4_load(&last[i]);
        sum += d * d;
        v4_store(&last[i], now);
        v4_store(&x[i], now + b * d);
    }
    return sum;
}

SCREE_WIDE static void add_momentum(state *s) {
    const double most = s->b_max, k = (double)s->k;
    const scree_v4 b = v4_set(fmin(most, (k - 1) / (k + 2)));
    const scree_v4 sum = push_on(s->r, s->r_last, b, s->p->nc);
    push_on(s->u, s->u_last, b, s->p->nc);
    s->update += sum[0] + sum[1] + sum[2];
}

/* u_j += W_ji d for the n blocks of one column. */
SCREE_INLINE void scatter_blocks(const double *restrict W,
                                 const int32_t *restrict row, int64_t n,
                                 double *restrict u, const double d[3]) {
    const scree_v4 d0 = v4_set(d[0]), d1 = v4_set(d[1]), d2 = v4_set(d[2]);
    for (int64_t k = 0; k < n; k++, W += 9) {
        double *to = &u[4 * (int64_t)row[k]];
        v4_store(to, v4_load(to) + (d0 * v4_load(W) + d1 * v4_load(W + 3) +
                                    d2 * v4_load(W + 6)));
    }
}

SCREE_INLINE void scatter(const state *s, int i, const double d[3]) {
    const int64_t k = s->start[i];
    scatter_blocks(&s->W[9 * k], &s->row[k], s->start[i + 1] - k, s->u, d);
}

/* One step on r_N, then one on r_T with what the first did to u_T. */
SCREE_INLINE void prox_step(const local *c, const double *u, double r[3]) {
    const double r_n = fmax(0, r[0] - c->step_n * u[0]), d = r_n - r[0];
    r[0] = r_n;
    r[1] -= c->step_t * (u[1] + c->W_tn[0] * d);
    r[2] -= c->step_t * (u[2] + c->W_tn[1] * d);
    const double length2 = r[1] * r[1] + r[2] * r[2], radius = c->mu * r_n;
    if (!(length2 > radius * radius)) return;
    const double shrink = radius / sqrt(length2);
    r[1] *= shrink, r[2] *= shrink;
}

/* Asks for what will be used a contact or two after the blocks W: a large W
 * comes from memory, and open contacts are gaps in its stream. */
SCREE_INLINE void fetch_ahead(const double *W) {
    for (int k = AHEAD; k < 2 * AHEAD; k += 8) __builtin_prefetch(W + k);
}

SCREE_WIDE static void sweep_prox(state *s) {
    for (int i = 0; i < s->p->nc; i++) {
        fetch_ahead(&s->W[9 * s->start[i + 1]]);
        double *r = &s->r[4 * i];
        const double before[3] = {r[0], r[1], r[2]};
        if (s->local[i].step_n > 0) prox_step(&s->local[i], &s->u[4 * i], r);
        else r[0] = r[1] = r[2] = 0;
        const double d[3] = {r[0] - before[0], r[1] - before[1],
                             r[2] - before[2]};
        if (d[0] != 0 || d[1] != 0 || d[2] != 0) scatter(s, i, d);
    }
}

/* u without the contact's own share, then the contact's own problem. */
static void sweep_exact(state *s) {
    const scree_fc3d *p = s->p;
    for (int i = 0; i < p->nc; i++) {
        double *r = &s->r[4 * i], b[3], d[3];
        const double *W = &p->W[9 * p->row[i]], *u = &s->u[4 * i];
        for (int k = 0; k < 3; k++)
            b[k] = u[k] - (W[3 * k] * r[0] + W[3 * k + 1] * r[1] +
                           W[3 * k + 2] * r[2]);
        memcpy(d, r, sizeof d);
        scree_fc3d_contact(W, b, p->mu[i], r);
        for (int k = 0; k < 3; k++) d[k] = r[k] - d[k];
        scatter(s, i, d);
    }
}

static void sweep(state *s) {
    s->k++;
    add_momentum(s);
    if (s->options->local == SCREE_LOCAL_EXACT) sweep_exact(s);
    else sweep_prox(s);
}

/* ---- momentum ------------------------------------------------------------ */

static void take_momentum(state *s) {
    s->b_max = fmax(LEAST, 1 - 1.5 * (1 - s->b_max));
    s->k = 0;
    s->decays = 0;
}

static void give_momentum(state *s) {
    if (++s->decays < 2) return;
    s->b_max = fmin(MOST, 1 - (1 - s->b_max) / 1.1);
    s->decays = 0;
}

static void adapt(state *s) {
    if (!s->options->adaptive || ++s->sweeps < WINDOW) return;
    if (s->update > s->update_before) take_momentum(s);
    else give_momentum(s);
    s->update_before = s->update;
    s->update = 0;
    s->sweeps = 0;
}

/* ---- from the problem and back ------------------------------------------- */

static void pad(double *to, const double *from, int nc) {
    for (int i = 0; i < nc; i++)
        for (int k = 0; k < 3; k++) to[4 * i + k] = from[3 * i + k];
}

static void store(const state *s) {
    for (int i = 0; i < s->p->nc; i++)
        for (int k = 0; k < 3; k++) {
            s->p->r[3 * i + k] = s->r[4 * i + k];
            s->p->u[3 * i + k] = s->u[4 * i + k];
        }
}

/* u = W r + q anew; the u of one sweep ago has drifted as much. */
static void rebuild(state *s) {
    store(s);
    for (int i = 0; i < s->p->nc; i++) {
        double u[3];
        scree_fc3d_row(s->p, i, u);
        for (int k = 0; k < 3; k++) {
            s->u_last[4 * i + k] += u[k] - s->u[4 * i + k];
            s->u[4 * i + k] = u[k];
        }
    }
}

/* W by columns; start[i + 1] runs from the start of column i to its end. */
static void load_columns(state *s) {
    const scree_fc3d *p = s->p;
    memset(s->start, 0, ((size_t)p->nc + 2) * sizeof *s->start);
    for (int64_t k = 0; k < p->n_block; k++) s->start[p->column[k] + 2]++;
    for (int i = 0; i < p->nc; i++) s->start[i + 2] += s->start[i + 1];
    for (int j = 0; j < p->nc; j++)
        for (int64_t k = p->row[j]; k < p->row[j + 1]; k++) {
            const int64_t to = s->start[p->column[k] + 1]++;
            s->row[to] = j;
            for (int a = 0; a < 9; a++)
                s->W[9 * to + a] = p->W[9 * k + a % 3 * 3 + a / 3];
        }
}

static void load_contact(const scree_fc3d *p, int i, local *c) {
    const double *W = &p->W[9 * p->row[i]];
    const double most =
        0.5 * (W[4] + W[8]) + hypot(0.5 * (W[4] - W[8]), W[5]);
    *c = (local){.step_n = W[0] > 0 ? 1 / W[0] : 0,
                 .step_t = most > 0 ? 1 / most : 0,
                 .W_tn = {W[3], W[6]},
                 .mu = p->mu[i]};
}

static bool reserve(state *s, scree_arena *scratch) {
    const size_t nc = (size_t)s->p->nc, n = (size_t)s->p->n_block;
    double **const parts[] = {&s->r, &s->u, &s->r_last, &s->u_last};
    s->local = scree_arena_push(scratch, (nc + 1) * sizeof *s->local);
    s->start = scree_arena_push(scratch, (nc + 2) * sizeof *s->start);
    s->row = scree_arena_push(scratch, (n + 1) * sizeof *s->row);
    s->W = scree_arena_push(scratch, (9 * n + 2 * AHEAD) * sizeof *s->W);
    for (int k = 0; k < 4; k++) {
        const size_t bytes = (4 * nc + 1) * sizeof(double);
        *parts[k] = scree_arena_push(scratch, bytes);
        if (*parts[k]) memset(*parts[k], 0, bytes);
    }
    return s->local && s->start && s->row && s->W && s->r && s->u &&
           s->r_last && s->u_last;
}

static scree_status make_state(state *s, scree_arena *scratch) {
    if (!reserve(s, scratch)) return SCREE_OUT_OF_MEMORY;
    s->W[9 * s->p->n_block] = 0; /* the last block's fourth lane */
    load_columns(s);
    for (int i = 0; i < s->p->nc; i++) load_contact(s->p, i, &s->local[i]);
    pad(s->r, s->p->r, s->p->nc);
    pad(s->r_last, s->p->r, s->p->nc);
    rebuild(s);
    memcpy(s->u_last, s->u, 4 * (size_t)s->p->nc * sizeof *s->u);
    return SCREE_OK;
}

static void run(state *s, scree_fc3d_progress *g) {
    for (;;) {
        if (scree_fc3d_is_due(g)) {
            store(s);
            g->has_u = true;
        }
        if (scree_fc3d_advance(g)) break;
        sweep(s);
        adapt(s);
        if (g->iteration % REBUILD == 0) rebuild(s);
    }
    scree_fc3d_end(g);
}

scree_status scree_fc3d_pgs(scree_fc3d *p, const scree_fc3d_options *options,
                            scree_arena *scratch, scree_fc3d_report *report) {
    const size_t mark = scree_arena_mark(scratch);
    state s = {.p = p,
               .options = options,
               .b_max = options->momentum,
               .update_before = INFINITY};
    scree_fc3d_progress g;
    scree_status status = make_state(&s, scratch);
    if (status == SCREE_OK)
        status = scree_fc3d_begin(&g, "pgs", p, options, scratch, report);
    if (status == SCREE_OK) run(&s, &g);
    scree_arena_pop(scratch, mark);
    return status;
}
