/* pgs_general.c: the sweep of pgs over general contacts: arms in any direction,
 * bodies with inertia tensors.
 *
 * Within a contact normal and tangent couple through G_ii. A prox step takes the
 * normal first and lets friction see what it did,
 *     P_N <- prox(x_N - r_N xi_N),   xi <- xi + G_ii n (P_N - x_N),
 *     P_T <- prox_{D(mu P_N)}(x_T - r_T xi_T).
 * `solver.local: exact` repeats these with xi <- xi + G_ii dP until the contact's
 * own problem is solved. Anisotropic contacts take the same steps with their
 * tangents stretched (problem.h). */
#include "solvers/methods/pgs.h"

#include <stddef.h>

/* ---- one by one --------------------------------------------------------------------- */

enum { LOCAL_ROUNDS = 100 };
static const double LOCAL_TOLERANCE = 1e-14;

/* Solves the contact's own problem from `to` on; xi is its velocity there. */
static row_step solve_locally(const scree_general *k, int lane, scree_row row,
                              row_step to, scree_vec3 xi) {
    for (int round = 0; round < LOCAL_ROUNDS; ++round) {
        row.P_n = to.P_n, row.P_t = to.P_t;
        to.P_n = prox_half_line(row.P_n - row.rho_n * dot(row.n, xi));
        const scree_vec3 dn = scale(to.P_n - row.P_n, row.n);
        xi = add(xi, lane_G(k, lane, dn));
        to.P_t = row_friction(&row, to.P_n, xi, row.rho_t);
        const scree_vec3 dt = sub(to.P_t, row.P_t);
        xi = add(xi, lane_G(k, lane, dt));
        const double moved = norm(add(dn, dt));
        if (moved <= LOCAL_TOLERANCE * (to.P_n + norm(to.P_t))) break;
    }
    return to;
}

/* Friction and moments for the normal percussion to->P_n, and u. Rolling sees what
 * friction did; drilling shares a ball with it, and one step. */
static void resist_turning(const scree_row *row, row_bodies *s, scree_vec3 xi,
                           double omega, row_step *to) {
    const double dP_n = to->P_n - row->P_n;
    if (scree_row_drills(row)) {
        row_resist(row, xi, row_omega(row, s->a, s->b), omega * row->rho_t,
                   omega * row->rho_m, to);
        row_move(row, s, dP_n, sub(to->P_t, row->P_t), sub(to->M, row->M));
        return;
    }
    to->P_t = row_friction(row, to->P_n, xi, omega * row->rho_t);
    row_push(row, s->a, s->b, s->I_a, s->I_b, dP_n, sub(to->P_t, row->P_t));
    row_moments(row, row_omega(row, s->a, s->b), omega * row->rho_m, to);
    row_turn(s, sub(to->M, row->M));
}

static void sweep_joint(scree_general *k, int lane, const scree_row *row,
                        const scree_pgs *g, row_bodies *s) {
    const row_step to = row_joint_step(row, s->a, s->b, g->omega);
    row_move(row, s, to.P_n - row->P_n, sub(to.P_t, row->P_t),
             sub(to.M, row->M));
    lane_set(k->M, lane, to.M);
    lane_store(&k->four, lane, to.P_n, to.P_t);
}

/* One end of a bar of force: the velocity there, and what a percussion does to it. */
typedef struct bar_end {
    scree_twist *u; /* NULL: it stands still */
    const scree_sym3 *inv_I;
    scree_vec3 r;
} bar_end;

static bar_end end_of(const scree_problem *p, int32_t body,
                      const double r[3][SCREE_LANES], int lane) {
    if (body >= p->n_body) return (bar_end){NULL, NULL, vec(0, 0, 0)};
    return (bar_end){&p->u[body], &p->inv_I[body], lane_get(r, lane)};
}

static scree_vec3 end_velocity(const bar_end *e) {
    return e->u ? add(e->u->v, cross(e->u->w, e->r)) : vec(0, 0, 0);
}

static void push_end(const bar_end *e, scree_vec3 dP) {
    if (!e->u) return;
    e->u->v = add_scaled(e->u->v, e->u->inv_m, dP);
    if (dot(e->r, e->r) > 0)
        e->u->w = add(e->u->w, sym3_mul(e->inv_I, cross(e->r, dP)));
}

/* The joint of a lane if it has one bar, of force: a cable, spring or rod. */
static const scree_bars *single_bar(const scree_problem *p,
                                    const scree_general *k, int lane) {
    const int64_t i = (k - p->generals) * SCREE_LANES + lane;
    if (!(p->general.laws[i] & SCREE_JOINT)) return NULL;
    const scree_bars *s = &p->bars[p->general.bars[i]];
    return s->n == 1 && !s->bar[0].turns ? s : NULL;
}

/* Its bar is n, and its percussion P_N: what scree_bars_step does, in short. Most of the
 * rows of nets are such. */
static void sweep_single(const scree_problem *p, scree_general *k, int lane,
                         const scree_bars *s, double omega) {
    const scree_bar *b = &s->bar[0];
    const bar_end at_a = end_of(p, k->a[lane], k->r_a, lane),
                  at_b = end_of(p, k->b[lane], k->r_b, lane);
    const scree_vec3 n = lane_get(k->n, lane);
    const scree_vec3 xi = add(sub(end_velocity(&at_a), end_velocity(&at_b)),
                              lane_get(k->c, lane));
    const double A = s->A[0][0], last = k->P_n[lane];
    if (!(A > 0)) return;
    const double to =
        bar_clip(b, last - (dot(n, xi) + b->c + b->soft * last) / A);
    const double next = bar_clip(b, last + omega * (to - last));
    const scree_vec3 dP = scale(next - last, n);
    push_end(&at_a, dP);
    push_end(&at_b, scale(-1, dP));
    k->P_n[lane] = next;
}

static void sweep_lane(scree_problem *p, scree_general *k, int lane,
                       const scree_pgs *g) {
    lane_extrapolate(&k->four, lane, g->momentum);
    const scree_bars *single = single_bar(p, k, lane);
    if (single) {
        sweep_single(p, k, lane, single, g->omega);
        return;
    }
    if (p->general.laws[(k - p->generals) * SCREE_LANES + lane] & SCREE_TURNING)
        lane_extrapolate_moment(k, lane, g->momentum);
    const scree_row row = row_of_general(p, k, lane);
    row_bodies s;
    row_find(p, &row, &s);
    if (scree_row_is_joint(&row)) {
        sweep_joint(k, lane, &row, g, &s);
        return;
    }
    scree_vec3 xi = row_xi(&row, s.a, s.b);
    row_step to = {
        .P_n = prox_half_line(row.P_n - g->omega * row.rho_n * dot(row.n, xi))};
    const double dP_n = to.P_n - row.P_n;
    xi = add_scaled(xi, dP_n, lane_G(k, lane, row.n));
    if (scree_row_turns(&row)) {
        resist_turning(&row, &s, xi, g->omega, &to);
        lane_set(k->M, lane, to.M);
    } else {
        to.P_t = row_friction(&row, to.P_n, xi, g->omega * row.rho_t);
        if (g->exact) {
            xi = add(xi, lane_G(k, lane, sub(to.P_t, row.P_t)));
            to = solve_locally(k, lane, row, to, xi);
        }
        row_push(&row, s.a, s.b, s.I_a, s.I_b, to.P_n - row.P_n,
                 sub(to.P_t, row.P_t));
    }
    lane_store(&k->four, lane, to.P_n, to.P_t);
}

void scree_pgs_general_one_by_one(scree_problem *p, const int32_t *list,
                                  int64_t first, int64_t last,
                                  const void *context) {
    for (int64_t i = first; i < last; ++i)
        for (int lane = 0; lane < SCREE_LANES; ++lane)
            sweep_lane(p, &p->generals[list[i]], lane, context);
}

/* ---- four contacts at a time ------------------------------------------------------------ */

/* Four inertia tensors, entry by entry. */
typedef struct wide_sym3 {
    scree_v4 xx, yy, zz, xy, xz, yz;
} wide_sym3;

SCREE_INLINE wide_sym3 wide_tensor(const scree_problem *p, const int32_t *body,
                                   const scree_sym3 *rigid) {
    scree_v4 r[8];
    for (int l = 0; l < SCREE_LANES; ++l) {
        const scree_sym3 *I = body[l] < p->n_body ? &p->inv_I[body[l]] : rigid;
        r[l] = v4_load(&I->xx);
        r[4 + l] = v4_load(&I->xz);
    }
    v4_transpose(&r[0], &r[1], &r[2], &r[3]);
    v4_transpose(&r[4], &r[5], &r[6], &r[7]);
    return (wide_sym3){r[0], r[1], r[2], r[3], r[4], r[5]};
}

SCREE_INLINE scree_v4x3 wide_mul(const wide_sym3 *A, scree_v4x3 b) {
    return (scree_v4x3){A->xx * b.x + A->xy * b.y + A->xz * b.z,
                        A->xy * b.x + A->yy * b.y + A->yz * b.z,
                        A->xz * b.x + A->yz * b.y + A->zz * b.z};
}

SCREE_INLINE scree_v4x3 wide_add(scree_v4x3 a, scree_v4x3 b) {
    return (scree_v4x3){a.x + b.x, a.y + b.y, a.z + b.z};
}

/* The wide twin of sweep_lane. */
SCREE_INLINE void sweep_block(const scree_problem *p, scree_general *k,
                              scree_twist *const pa[], scree_twist *const pb[],
                              bool oval, const scree_pgs *g) {
    static const scree_sym3 rigid = {0};
    wide_twist a = wide_load((const scree_twist *const *)pa);
    wide_twist b = wide_load((const scree_twist *const *)pb);
    const scree_v4x3 n = wide_get(k->n);
    const scree_v4x3 r_a = wide_get(k->r_a), r_b = wide_get(k->r_b);
    const scree_v4x3 at_a = wide_add(a.v, v4_cross(a.w, r_a));
    const scree_v4x3 at_b = wide_add(b.v, v4_cross(b.w, r_b));
    const scree_v4x3 xi = wide_add(v4_sub(at_a, at_b), wide_get(k->c));

    const scree_v4 w = v4_set(g->omega), zero = v4_set(0);
    const wide_percussion last = wide_percussion_of(&k->four);
    const wide_percussion P0 = wide_extrapolate(&last, &k->four, g->momentum);
    const scree_v4 x_n = P0.n - w * v4_load(k->rho_n) * v4_dot(n, xi);
    const scree_v4 P_n = v4_select(x_n < zero, zero, x_n);
    const wide_sym3 G = {v4_load(k->G[0]), v4_load(k->G[1]), v4_load(k->G[2]),
                         v4_load(k->G[3]), v4_load(k->G[4]), v4_load(k->G[5])};
    const scree_v4x3 seen = v4_add_scaled(xi, P_n - P0.n, wide_mul(&G, n));
    const scree_v4x3 xi_t = v4_add_scaled(seen, -v4_dot(n, seen), n);
    const scree_v4 limit = v4_load(k->mu) * P_n, r_t = w * v4_load(k->rho_t);
    const scree_v4x3 P_t =
        oval ? wide_ellipse(v4_load(k->ratio), wide_get(k->across), limit, P0.t,
                            r_t, xi_t)
             : wide_disc(limit, v4_add_scaled(P0.t, -r_t, xi_t));

    const scree_v4x3 dP = v4_add_scaled(v4_sub(P_t, P0.t), P_n - P0.n, n);
    const wide_sym3 I_a = wide_tensor(p, k->a, &rigid);
    const wide_sym3 I_b = wide_tensor(p, k->b, &rigid);
    a.v = v4_add_scaled(a.v, a.inv_m, dP);
    b.v = v4_add_scaled(b.v, -b.inv_m, dP);
    a.w = wide_add(a.w, wide_mul(&I_a, v4_cross(r_a, dP)));
    b.w = v4_sub(b.w, wide_mul(&I_b, v4_cross(r_b, dP)));
    wide_store(pa, &a);
    wide_store(pb, &b);
    wide_keep(&k->four, &last, P_n, P_t);
}

/* Blocks are larger than round ones, and worked on longer. */
enum { BLOCKS_AHEAD = 4, BODIES_AHEAD = 2 };
_Static_assert((int)BLOCKS_AHEAD <= (int)SCREE_AHEAD, "lists go on that far");

/* Moments are left out: few contacts have them. */
SCREE_INLINE void look_ahead(const scree_problem *p, const int32_t *next) {
    const scree_general *near = &p->generals[next[BODIES_AHEAD]];
    wide_ask(&p->generals[next[BLOCKS_AHEAD]], offsetof(scree_general, roll));
    wide_ask_bodies(p, near->a, near->b);
    for (int l = 0; l < SCREE_LANES; ++l) {
        __builtin_prefetch(&p->inv_I[near->a[l]]);
        __builtin_prefetch(&p->inv_I[near->b[l]]);
    }
}

SCREE_WIDE
void scree_pgs_general(scree_problem *p, const int32_t *list, int64_t first,
                       int64_t last, const void *context) {
    const scree_pgs *g = context;
    scree_twist still = {0};
    for (int64_t i = first; i < last; ++i) {
        scree_general *k = &p->generals[list[i]];
        const uint32_t laws = scree_shelf_laws(&p->general, list[i]);
        look_ahead(p, &list[i]);
        if (g->exact || laws & ~SCREE_IN_LANES(SCREE_ELLIPSE)) {
            scree_pgs_general_one_by_one(p, list, i, i + 1, context);
            continue;
        }
        scree_twist *a[SCREE_LANES], *b[SCREE_LANES];
        wide_find(p, k->a, k->b, &still, a, b);
        if (laws)
            sweep_block(p, k, a, b, true, g);
        else
            sweep_block(p, k, a, b, false, g);
    }
}
