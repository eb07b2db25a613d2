/* pgs_blocks.c: block Gauss-Seidel with momentum fused into the sweep.
 *
 * Before sweep k every contact moves on in the direction of its last change,
 *     r <- r + b (r - r_last),     b = min(b_max, (k - 1) / (k + 2)),
 * and u = W r + q, which is kept up to date, moves with it. Then the sweep
 * corrects contact after contact: the change d of r_i adds W_ji d to u_j. So a
 * contact that stays open costs nothing, and the residual needs no product with
 * W.
 *
 * Alone, a contact is a chain of a hundred cycles (a root, a division, and the u
 * that its neighbour has just stored). So contacts go in groups of four that
 * share no block of W, one to a SIMD lane: their steps together cost what one
 * does, and the loops that add W_ji d overlap the next group. This makes a sweep
 * 1.3 to 1.8 times as fast. The blocks W_ji are copied in the order of use, by
 * columns (W in a file is symmetric only to the digits of who wrote it): a block
 * is then three overlapping loads of four numbers, of which the last lane is
 * never used. Rounding in u is taken out every REBUILD sweeps.
 *
 * The friction coupling is not the gradient of anything, so b_max -> 1 diverges,
 * and below a residual of about 1e-4 the best b_max is a matter of luck. After
 * EARLY sweeps b_max grows once, and then follows the mean square update over
 * windows of WINDOW sweeps: growth takes momentum away and starts k anew; steady
 * decay gives it back. On a bed of 4 463 contacts in 14 orders this reaches 1e-4
 * in all, after 1 075 sweeps in the median; b_max = 0.85 throughout does in 10,
 * after 1 350. */
#include <math.h>
#include <string.h>

#include "engine/base/simd.h"
#include "solvers/blocks/fc3d_groups.h"
#include "solvers/problem/method.h"

enum { EARLY = 150, WINDOW = 50, REBUILD = 200 };
enum { FAR = 150000, AHEAD = 24 }; /* blocks: W beyond 10 MB is far */
static const double LEAST = 0.7, MOST = 0.98;

/* What the prox steps of a group need of its contacts, lane by lane. */
typedef struct local {
    scree_v4 step_n, step_t; /* 1 / W_NN, 1 / the largest eigenvalue of W_TT */
    scree_v4 W_tn[2], mu;
} local;

typedef struct state {
    scree_fc3d *p;
    const scree_solver_options *options;
    scree_fc3d_groups groups;
    local *local;       /* (groups) */
    int64_t *start;     /* (slots + 1) blocks W_ji of slot i are
                                start[i] .. start[i + 1] - 1 */
    int32_t *row;       /* (n_block) slot j */
    double *W;          /* (n_block x 9) each by columns */
    double *r, *r_last; /* (groups x 3 x 4) n, t1, t2 of the lanes; one
                                sweep ago */
    double *u, *u_last; /* (slots x 4) padded */
    int64_t k;          /* sweeps since the last restart */
    double b_max;
    double update, update_before; /* sums of squares over a window */
    int sweeps, decays;           /* in the window; windows in a row */
    bool is_late;                 /* past EARLY */
} state;

/* ---- one sweep ----------------------------------------------------------- */

/* Of x and its last one; returns the sum of the squared last changes. */
SCREE_INLINE scree_v4 push_on(double *x, double *last, scree_v4 b, int64_t n) {
    scree_v4 sum = v4_set(0);
    for (int64_t i = 0; i < n; i += 4) {
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
    const int64_t n = s->groups.n;
    const scree_v4 sum = push_on(s->r, s->r_last, b, 12 * n);
    push_on(s->u, s->u_last, b, 16 * n);
    s->update += sum[0] + sum[1] + sum[2] + sum[3];
}

/* u_j += W_ji d for the n blocks of one column. A W from memory (far) is asked
 * for AHEAD blocks before its use. */
SCREE_INLINE void scatter_blocks(const double *restrict W,
                                 const int32_t *restrict row, int64_t n,
                                 double *restrict u, const double d[3],
                                 const bool far) {
    const scree_v4 d0 = v4_set(d[0]), d1 = v4_set(d[1]), d2 = v4_set(d[2]);
#pragma GCC unroll 2
    for (int64_t k = 0; k < n; k++, W += 9) {
        double *to = &u[4 * (int64_t)row[k]];
        if (far) __builtin_prefetch(W + 9 * AHEAD);
        v4_store(to, v4_load(to) + (d0 * v4_load(W) + d1 * v4_load(W + 3) +
                                    d2 * v4_load(W + 6)));
    }
}

SCREE_INLINE void scatter_change(const state *s, int64_t slot,
                                 const double d[3], const bool far) {
    const int64_t k = s->start[slot], n = s->start[slot + 1] - k;
    scatter_blocks(&s->W[9 * k], &s->row[k], n, s->u, d, far);
}

/* One step on r_N, then one on r_T with what the first did to u_T. */
SCREE_INLINE void prox_step(const local *c, scree_v4x3 u, scree_v4 r[3]) {
    const scree_v4 to = r[0] - c->step_n * u.x;
    const scree_v4 r_n = v4_select(to > 0, to, v4_set(0)), d = r_n - r[0];
    r[0] = r_n;
    r[1] -= c->step_t * (u.y + c->W_tn[0] * d);
    r[2] -= c->step_t * (u.z + c->W_tn[1] * d);
    const scree_v4 length2 = r[1] * r[1] + r[2] * r[2], radius = c->mu * r_n;
    const scree_m4 slips = length2 > radius * radius;
    if (!v4_any(slips)) return;
    const scree_v4 shrink =
        v4_select(slips, radius / v4_sqrt(length2), v4_set(1));
    r[1] *= shrink, r[2] *= shrink;
}

/* The u of four slots. */
SCREE_INLINE scree_v4x3 load_u(const double *u) {
    scree_v4 a = v4_load(u), b = v4_load(u + 4), c = v4_load(u + 8);
    scree_v4 d = v4_load(u + 12);
    v4_transpose(&a, &b, &c, &d);
    return (scree_v4x3){a, b, c};
}

SCREE_INLINE void sweep_lanes(state *s, const bool far) {
    for (int64_t g = 0; g < s->groups.n; g++) {
        double change[3][4], *at = &s->r[12 * g];
        const scree_v4 old[3] = {v4_load(at), v4_load(at + 4), v4_load(at + 8)};
        scree_v4 r[3] = {old[0], old[1], old[2]};
        scree_m4 moved = {0};
        prox_step(&s->local[g], load_u(&s->u[16 * g]), r);
        for (int k = 0; k < 3; k++) {
            v4_store(&at[4 * k], r[k]);
            v4_store(change[k], r[k] - old[k]);
            moved |= r[k] != old[k];
        }
#pragma GCC unroll 4
        for (int l = 0; l < 4; l++) {
            const double d[3] = {change[0][l], change[1][l], change[2][l]};
            if (moved[l]) scatter_change(s, 4 * g + l, d, far);
        }
    }
}

SCREE_WIDE static void sweep_near(state *s) {
    sweep_lanes(s, false);
}
SCREE_WIDE static void sweep_far(state *s) {
    sweep_lanes(s, true);
}

/* u without the contact's own share, then the contact's own problem. */
static void sweep_exact(state *s) {
    const scree_fc3d *p = s->p;
    for (int64_t slot = 0; slot < 4 * s->groups.n; slot++) {
        const int i = s->groups.contact[slot];
        if (i < 0) continue;
        double *at = &s->r[slot / 4 * 12 + slot % 4], b[3], d[3];
        const double *W = &p->W[9 * p->row[i]], *u = &s->u[4 * slot];
        double r[3] = {at[0], at[4], at[8]};
        for (int k = 0; k < 3; k++)
            b[k] = u[k] - (W[3 * k] * r[0] + W[3 * k + 1] * r[1] +
                           W[3 * k + 2] * r[2]);
        scree_fc3d_contact(W, b, p->mu[i], r);
        for (int k = 0; k < 3; k++) d[k] = r[k] - at[4 * k], at[4 * k] = r[k];
        scatter_change(s, slot, d, false);
    }
}

static void sweep_rows(state *s) {
    s->k++;
    add_momentum(s);
    if (s->options->local == SCREE_LOCAL_EXACT)
        sweep_exact(s);
    else if (s->p->n_block > FAR)
        sweep_far(s);
    else
        sweep_near(s);
}

/* ---- momentum ------------------------------------------------------------ */

static void take_momentum(state *s) {
    s->b_max = fmax(LEAST, 1 - 1.3 * (1 - s->b_max));
    s->k = 0;
    s->decays = 0;
}

static void give_momentum(state *s) {
    if (++s->decays < 2) return;
    s->b_max = fmin(MOST, 1 - (1 - s->b_max) / 1.1);
    s->decays = 0;
}

static void adapt_omega(state *s) {
    if (s->options->momentum == 0) return;
    if (++s->sweeps < (s->is_late ? WINDOW : EARLY)) return;
    if (!s->is_late)
        s->b_max = 1 - (1 - s->b_max) / 1.5;
    else if (s->update > s->update_before)
        take_momentum(s);
    else
        give_momentum(s);
    s->update_before = s->is_late ? s->update : INFINITY;
    s->is_late = true;
    s->update = 0;
    s->sweeps = 0;
}

/* ---- from the problem and back ------------------------------------------- */

/* Into the lanes of a group and back. */
static void load_r(state *s) {
    for (int i = 0; i < s->p->nc; i++) {
        const int64_t slot = s->groups.slot[i];
        const bool live = s->p->W[9 * s->p->row[i]] > 0;
        for (int k = 0; k < 3; k++)
            s->r[slot / 4 * 12 + 4 * k + slot % 4] =
                live ? s->p->r[3 * i + k] : 0;
    }
}

static void store_percussions(const state *s) {
    for (int i = 0; i < s->p->nc; i++) {
        const int64_t slot = s->groups.slot[i];
        const double *r = &s->r[slot / 4 * 12 + slot % 4], *u = &s->u[4 * slot];
        for (int k = 0; k < 3; k++) {
            s->p->r[3 * i + k] = r[4 * k];
            s->p->u[3 * i + k] = u[k];
        }
    }
}

/* u = W r + q anew; the u of one sweep ago has drifted as much. */
static void rebuild_velocities(state *s) {
    store_percussions(s);
    for (int i = 0; i < s->p->nc; i++) {
        const int64_t at = 4 * s->groups.slot[i];
        double u[3];
        scree_fc3d_row(s->p, i, u);
        for (int k = 0; k < 3; k++) {
            s->u_last[at + k] += u[k] - s->u[at + k];
            s->u[at + k] = u[k];
        }
    }
}

/* W by columns; start[i + 1] runs from the start of slot i to its end. */
static void load_columns(state *s) {
    const scree_fc3d *p = s->p;
    const int32_t *slot = s->groups.slot;
    const int64_t n = 4 * s->groups.n;
    memset(s->start, 0, ((size_t)n + 2) * sizeof *s->start);
    for (int64_t k = 0; k < p->n_block; k++) s->start[slot[p->column[k]] + 2]++;
    for (int64_t i = 0; i < n; i++) s->start[i + 2] += s->start[i + 1];
    for (int j = 0; j < p->nc; j++)
        for (int64_t k = p->row[j]; k < p->row[j + 1]; k++) {
            const int64_t to = s->start[slot[p->column[k]] + 1]++;
            s->row[to] = slot[j];
            for (int a = 0; a < 9; a++)
                s->W[9 * to + a] = p->W[9 * k + a % 3 * 3 + a / 3];
        }
}

static void load_contact(state *s, int i) {
    const double *W = &s->p->W[9 * s->p->row[i]];
    const double most = scree_fc3d_tangent(W);
    const int32_t slot = s->groups.slot[i], l = slot % 4;
    local *c = &s->local[slot / 4];
    if (!(W[0] > 0)) return;
    c->step_n[l] = 1 / W[0];
    c->step_t[l] = most > 0 ? 1 / most : 0;
    c->W_tn[0][l] = W[3], c->W_tn[1][l] = W[6];
    c->mu[l] = s->p->mu[i];
}

static bool reserve_state(state *s, scree_arena *to) {
    const size_t groups = (size_t)s->groups.n, n = (size_t)s->p->n_block;
    return SCREE_PUSH(to, s->local, groups) &&
           SCREE_PUSH(to, s->start, 4 * groups + 2) &&
           SCREE_PUSH(to, s->row, n) && SCREE_PUSH(to, s->W, 9 * (n + AHEAD)) &&
           SCREE_PUSH(to, s->r, 12 * groups) &&
           SCREE_PUSH(to, s->r_last, 12 * groups) &&
           SCREE_PUSH(to, s->u, 16 * groups) &&
           SCREE_PUSH(to, s->u_last, 16 * groups);
}

static scree_status make_state(state *s, scree_arena *scratch) {
    TRY(scree_fc3d_group(&s->groups, s->p, s->options->order, scratch));
    if (!reserve_state(s, scratch)) return SCREE_OUT_OF_MEMORY;
    const size_t groups = (size_t)s->groups.n;
    memset(s->local, 0, groups * sizeof *s->local);
    memset(s->r, 0, 12 * groups * sizeof *s->r);
    memset(s->u, 0, 16 * groups * sizeof *s->u);
    memset(s->u_last, 0, 16 * groups * sizeof *s->u_last);
    s->W[9 * s->p->n_block] = 0; /* the last block's fourth lane */
    load_columns(s);
    for (int i = 0; i < s->p->nc; i++) load_contact(s, i);
    load_r(s);
    rebuild_velocities(s);
    memcpy(s->r_last, s->r, 12 * groups * sizeof *s->r);
    memcpy(s->u_last, s->u, 16 * groups * sizeof *s->u);
    return SCREE_OK;
}

static void run_sweeps(state *s, scree_loop *g) {
    for (;;) {
        if (scree_loop_is_due(g)) {
            store_percussions(s);
            g->has_u = true;
        }
        if (scree_loop_advance(g)) break;
        sweep_rows(s);
        adapt_omega(s);
        if (g->iteration % REBUILD == 0) rebuild_velocities(s);
    }
    scree_loop_end(g);
}

scree_status scree_blocks_pgs(scree_fc3d *p,
                              const scree_solver_options *options,
                              scree_arena *scratch, scree_report *report) {
    state s = {.p = p, .options = options, .b_max = options->momentum};
    scree_loop g;
    TRY(make_state(&s, scratch));
    TRY(scree_fc3d_begin(&g, "pgs", p, options, scratch, report));
    run_sweeps(&s, &g);
    return SCREE_OK;
}
