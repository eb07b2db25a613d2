/* pgs_lanes.c: projected Gauss-Seidel, 002 equation (23), relaxed (28).
 *
 *     P_i <- prox_{C_i}(P_i - r_i (W_i^T u + c_i)),   u <- u + M^-1 W_i dP_i
 *
 * colour after colour, r_i = omega / G_ii. Contacts of a colour share no body,
 * so four of them go through one wide kernel, and threads share the blocks of a
 * colour; each contact sees the percussions that the colours before it have
 * changed through u. Cost per contact and sweep: two bodies and one lane of a
 * block, about 100 flops.
 *
 * Momentum (momentum.h) is fused into the sweep: it divides the sweeps to a given
 * residual by five on beds of spheres. Where b_max has fallen as far as it may,
 * over-relaxation is what is left to blame for a residual that grows: omega > 1 goes
 * halfway to 1, and comes back by as much, at most to the one asked for, after CALM
 * checks without growth. Between sweeps coarse.h corrects what they are slow at.
 *
 *     sweep_all, then watch, until the residual is small (scree_iterate):
 *         coarse correction, if one is due
 *         team, sweep_share:  for each sweep
 *             b <- momentum;   bodies:  u <- u + b (u - u_last)
 *             for each colour, then the overflow:  for a member's blocks
 *                 sweep_block, four contacts:
 *                     xi  = W^T u + c                    from the 4 + 4 bodies
 *                     P0  = P + b (P - P_last)
 *                     P_n = max(0, P0_n - omega rho_n xi_n)
 *                     P_t = disc(mu P_n, P0_t - omega rho_t xi_t)
 *                     u  <- u + M^-1 W (P - P0),   P_last <- the P before
 *                 other laws than Coulomb's: contact by contact, sweep_lane
 *         watch:  the residual grew?  start momentum again, less of it; less omega
 *
 * Without friction only P_n is left, sweep_normal_block. The sweep over general
 * contacts is in pgs_general.c. */
#include "solvers/methods/pgs.h"

#include "engine/base/error.h"

/* ---- one contact after another: overflow and tied contacts ------------------- */

static void sweep_lane(scree_problem *p, scree_block *k, int lane,
                       const scree_pgs *g) {
    lane_extrapolate(&k->four, lane, g->momentum);
    const scree_row row = row_of_round(p, k, lane);
    row_bodies s;
    row_find(p, &row, &s);
    const scree_vec3 xi = row_xi(&row, s.a, s.b);
    const row_step to =
        row_prox(&row, xi, g->omega * row.rho_n, g->omega * row.rho_t);
    row_push(&row, s.a, s.b, NULL, NULL, to.P_n - row.P_n,
             sub(to.P_t, row.P_t));
    lane_store(&k->four, lane, to.P_n, to.P_t);
}

void scree_pgs_one_by_one(scree_problem *p, const int32_t *list, int64_t first,
                          int64_t last, const void *context) {
    for (int64_t i = first; i < last; ++i)
        for (int lane = 0; lane < SCREE_LANES; ++lane)
            sweep_lane(p, &p->blocks[list[i]], lane, context);
}

/* ---- four contacts at a time --------------------------------------------------- */

/* The wide twin of row_xi, row_prox and row_push (kernel.h), operation by
 * operation, so that both give the same bits. */
SCREE_INLINE void sweep_block(scree_block *k, scree_twist *const pa[],
                              scree_twist *const pb[], const scree_pgs *g) {
    wide_twist a = wide_load((const scree_twist *const *)pa);
    wide_twist b = wide_load((const scree_twist *const *)pb);
    const scree_v4x3 n = wide_get(k->n), xi = wide_xi(k, &a, &b);

    const scree_v4 w = v4_set(g->omega), zero = v4_set(0);
    const scree_v4 xi_n = v4_dot(n, xi);
    const scree_v4x3 xi_t = v4_add_scaled(xi, -xi_n, n);
    const wide_percussion last = wide_percussion_of(&k->four);
    const wide_percussion P0 = wide_extrapolate(&last, &k->four, g->momentum);
    const scree_v4 x_n = P0.n - w * v4_load(k->rho_n) * xi_n;
    const scree_v4 P_n = v4_select(x_n < zero, zero, x_n);
    scree_v4x3 P_t = v4_add_scaled(P0.t, -(w * v4_load(k->rho_t)), xi_t);
    const scree_v4 limit = v4_load(k->mu) * P_n;
    P_t = wide_disc(limit, P_t);

    wide_push(k, P_n - P0.n, v4_sub(P_t, P0.t), &a, &b);
    wide_store(pa, &a);
    wide_store(pb, &b);
    wide_keep(&k->four, &last, P_n, P_t);
}

/* Blocks of a colour lie apart in memory, and bodies anywhere: what the hardware
 * cannot foresee is asked for ahead, first the block, then its bodies. */
enum { BLOCKS_AHEAD = 6, BODIES_AHEAD = 3 };
_Static_assert((int)BLOCKS_AHEAD <= (int)SCREE_AHEAD, "lists go on that far");

SCREE_INLINE void look_ahead(const scree_problem *p, const int32_t *next) {
    const scree_block *near = &p->blocks[next[BODIES_AHEAD]];
    wide_ask(&p->blocks[next[BLOCKS_AHEAD]], sizeof *near);
    wide_ask_bodies(p, near->a, near->b);
}

SCREE_WIDE
void scree_pgs_wide(scree_problem *p, const int32_t *list, int64_t first,
                    int64_t last, const void *context) {
    /* The static body is read and written here, by each thread on its own. */
    scree_twist still = {0};
    for (int64_t i = first; i < last; ++i) {
        scree_block *k = &p->blocks[list[i]];
        look_ahead(p, &list[i]);
        if (scree_shelf_laws(&p->round, list[i])) { /* not Coulomb's alone */
            scree_pgs_one_by_one(p, list, i, i + 1, context);
            continue;
        }
        scree_twist *a[SCREE_LANES], *b[SCREE_LANES];
        wide_find(p, k->a, k->b, &still, a, b);
        sweep_block(k, a, b, context);
    }
}

/* ---- without friction only centres move, along n ------------------------------- */

static void sweep_normal_lane(scree_block *k, int lane, scree_twist *u,
                              int32_t n_body, const scree_pgs *g) {
    scree_twist still = {0};
    scree_twist *a = k->a[lane] < n_body ? &u[k->a[lane]] : &still;
    scree_twist *b = k->b[lane] < n_body ? &u[k->b[lane]] : &still;
    const scree_vec3 n = lane_get(k->n, lane);
    const double last = k->P_n[lane];
    const double x = last + g->momentum * (last - k->P_n_last[lane]);
    const double xi_n = dot(n, add(sub(a->v, b->v), lane_get(k->c, lane)));
    const double P_n = prox_half_line(x - g->omega * k->rho_n[lane] * xi_n);
    a->v = add_scaled(a->v, a->inv_m * (P_n - x), n);
    b->v = add_scaled(b->v, -b->inv_m * (P_n - x), n);
    k->P_n[lane] = P_n;
    k->P_n_last[lane] = last;
}

/* Its wide twin: half of each body, and what lies along n. */
SCREE_INLINE void sweep_normal_block(scree_block *k, scree_twist *const pa[],
                                     scree_twist *const pb[],
                                     const scree_pgs *g) {
    scree_v4 a[4], b[4];
    for (int l = 0; l < SCREE_LANES; ++l) {
        a[l] = v4_load(&pa[l]->v.x);
        b[l] = v4_load(&pb[l]->v.x);
    }
    v4_transpose(&a[0], &a[1], &a[2], &a[3]);
    v4_transpose(&b[0], &b[1], &b[2], &b[3]);
    const scree_v4x3 n = wide_get(k->n), c = wide_get(k->c);
    const scree_v4x3 dv = {a[0] - b[0] + c.x, a[1] - b[1] + c.y,
                           a[2] - b[2] + c.z};
    const scree_v4 xi_n = v4_dot(n, dv), zero = v4_set(0);
    const scree_v4 last = v4_load(k->P_n);
    const scree_v4 x =
        last + v4_set(g->momentum) * (last - v4_load(k->P_n_last));
    const scree_v4 step = x - v4_set(g->omega) * v4_load(k->rho_n) * xi_n;
    const scree_v4 P_n = v4_select(step < zero, zero, step);
    const scree_v4 da = a[3] * (P_n - x), db = -b[3] * (P_n - x);
    a[0] += da * n.x, a[1] += da * n.y, a[2] += da * n.z;
    b[0] += db * n.x, b[1] += db * n.y, b[2] += db * n.z;
    v4_transpose(&a[0], &a[1], &a[2], &a[3]);
    v4_transpose(&b[0], &b[1], &b[2], &b[3]);
    for (int l = 0; l < SCREE_LANES; ++l) {
        v4_store(&pa[l]->v.x, a[l]);
        v4_store(&pb[l]->v.x, b[l]);
    }
    v4_store(k->P_n, P_n);
    v4_store(k->P_n_last, last);
}

SCREE_WIDE
void scree_pgs_normal(scree_problem *p, const int32_t *list, int64_t first,
                      int64_t last, const void *context) {
    scree_twist still = {0};
    for (int64_t i = first; i < last; ++i) {
        scree_block *k = &p->blocks[list[i]];
        scree_twist *a[SCREE_LANES], *b[SCREE_LANES];
        look_ahead(p, &list[i]);
        wide_find(p, k->a, k->b, &still, a, b);
        sweep_normal_block(k, a, b, context);
    }
}

void scree_pgs_normal_one_by_one(scree_problem *p, const int32_t *list,
                                 int64_t first, int64_t last,
                                 const void *context) {
    for (int64_t i = first; i < last; ++i)
        for (int lane = 0; lane < SCREE_LANES; ++lane)
            sweep_normal_lane(&p->blocks[list[i]], lane, p->u, p->n_body,
                              context);
}

enum { CALM = 4 };

/* After a check of the residual. */
static void watch_residual(void *context, double residual) {
    scree_pgs *g = context;
    const bool least = g->going.most <= g->going.least;
    scree_coarse_watch(&g->coarse, residual);
    if (scree_momentum_watch(&g->going, residual)) {
        if (least) g->excess *= 0.5;
        g->falls = 0;
    } else if (++g->falls >= CALM) {
        g->excess = fmin(1, 2 * g->excess);
        g->falls = 0;
    }
    if (g->asked > 1) g->omega = 1 + g->excess * (g->asked - 1);
}

/* ---- the solver ------------------------------------------------------------------ */

typedef struct sweeps_task {
    scree_problem *p;
    const scree_pgs *g;
    int count;
} sweeps_task;

static const scree_pass whole = {scree_pgs_wide, scree_pgs_one_by_one,
                                 scree_pgs_general,
                                 scree_pgs_general_one_by_one};
static const scree_pass normal = {scree_pgs_normal, scree_pgs_normal_one_by_one,
                                  scree_pgs_general,
                                  scree_pgs_general_one_by_one};

/* A member's part of `count` sweeps. */
static void sweep_share(void *context, const scree_team *team) {
    const sweeps_task *t = context;
    scree_problem *p = t->p;
    scree_pgs g = *t->g; /* every member counts for itself */
    for (int s = 0; s < t->count; ++s) {
        scree_momentum_step(&g.going);
        g.momentum = g.going.b;
        if (g.going.most > 0)
            scree_problem_pass_bodies(p, team, scree_momentum_extrapolate,
                                      &g.going);
        scree_problem_pass(p, team, p->frictionless ? &normal : &whole, &g);
    }
}

static void sweep_all(scree_problem *p, void *context, int count) {
    scree_pgs *g = context;
    sweeps_task t = {p, g, count};
    scree_momentum *m = &g->going;
    scree_momentum_correct(m, &g->coarse, count);
    scree_momentum_carry_frame(m, p);
    scree_team_run(scree_problem_threads(p), sweep_share, &t);
    m->k += count;
}

scree_status scree_lanes_pgs(scree_problem *p,
                             const scree_solver_options *options,
                             scree_arena *scratch, scree_report *report) {
    const size_t mark = scree_arena_mark(scratch);
    scree_pgs g = {
        .omega = options->relaxation,
        .asked = options->relaxation,
        .excess = 1,
        .exact = options->local == SCREE_LOCAL_EXACT,
        .going = {.most = options->momentum,
                  .least =
                      scree_problem_any(p, p->general.n_block > 0) ? 0 : 0.5,
                  .last_residual = INFINITY,
                  .u_last = scree_arena_push(
                      scratch, (size_t)p->n_body * sizeof(scree_twist))}};
    if (!g.going.u_last) return SCREE_OUT_OF_MEMORY;
    TRY(scree_coarse_begin(&g.coarse, p, options, 1, scratch));
    scree_iterate(p, options, sweep_all, watch_residual, &g, report);
    scree_arena_pop(scratch, mark);
    return SCREE_OK;
}
