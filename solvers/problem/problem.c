#include "solvers/problem/problem.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/assert.h"
#include "engine/base/error.h"
#include "solvers/problem/kernel.h"
#include "solvers/problem/pass.h"
#include "solvers/problem/problem_valid.h"
#include "solvers/problem/round.h"

static void free_shelf(scree_shelf *s) {
    free(s->laws);
    free(s->ties);
    free(s->bars);
    free(s->order);
    free(s->colour);
    free(s->first);
    free(s->run);
    free(s->list);
}

static void free_ordering(scree_ordering *o) {
    free(o->list);
    free(o->first);
    free(o->crosses);
    free(o->tallies);
}

void scree_problem_free(scree_problem *p) {
    free_shelf(&p->round);
    free_shelf(&p->general);
    free_ordering(&p->ordering);
    scree_parts_free(&p->parts);
    free(p->blocks);
    free(p->generals);
    free(p->bars);
    free(p->slot);
    free(p->used);
    free(p->partial);
    free(p->touched);
    scree_strain_free(&p->strain);
    scree_mail_free(&p->letters);
    scree_mail_free(&p->answers);
    *p = (scree_problem){0};
}

static size_t shelf_bytes(const scree_shelf *s, size_t block) {
    return (size_t)s->capacity * block +
           (size_t)s->laws_capacity * SCREE_LANES * sizeof *s->laws +
           (size_t)s->ties_capacity * sizeof *s->ties +
           (size_t)s->bars_capacity * SCREE_LANES * sizeof *s->bars +
           (size_t)s->order_capacity * sizeof *s->order +
           (size_t)s->colour_capacity * sizeof *s->colour +
           (size_t)s->first_capacity * sizeof *s->first +
           (size_t)s->run_capacity * sizeof *s->run +
           (size_t)s->list_capacity * sizeof *s->list;
}

static size_t ordering_bytes(const scree_ordering *o) {
    return (size_t)o->list_capacity * sizeof *o->list +
           (size_t)o->first_capacity * sizeof *o->first +
           (size_t)o->crosses_capacity * sizeof *o->crosses +
           (size_t)o->tally_capacity * sizeof *o->tallies;
}

size_t scree_problem_bytes(const scree_problem *p) {
    return shelf_bytes(&p->round, sizeof *p->blocks) +
           shelf_bytes(&p->general, sizeof *p->generals) +
           ordering_bytes(&p->ordering) + scree_parts_bytes(&p->parts) +
           (size_t)p->slot_capacity * sizeof *p->slot +
           (size_t)p->bars_capacity * sizeof *p->bars +
           (size_t)p->used_capacity * sizeof *p->used +
           (size_t)p->partial_capacity * sizeof *p->partial +
           (size_t)p->touched_capacity + scree_strain_bytes(&p->strain) +
           scree_mail_memory(&p->letters) + scree_mail_memory(&p->answers);
}

/* ---- colours -------------------------------------------------------------- */

/* Room for the places of so many blocks. */
static scree_status clear_shelf(scree_shelf *s, int64_t blocks) {
    s->n_block = 0;
    for (int c = 0; c <= SCREE_COLOURS; ++c) s->open[c] = -1;
    TRY(scree_reserve_anew(&s->order, &s->order_capacity, blocks,
                           sizeof *s->order));
    TRY(scree_reserve(&s->first, &s->first_capacity, SCREE_COLOURS + 2,
                      sizeof *s->first));
    return scree_reserve_anew(&s->colour, &s->colour_capacity, blocks,
                              sizeof *s->colour);
}

/* Every colour may leave one block that is not full. */
static int64_t blocks_for(int64_t contacts) {
    const int64_t most = contacts / SCREE_LANES + 1 + SCREE_COLOURS;
    return most < contacts ? most : contacts;
}

static scree_status reserve_laws(scree_shelf *s, bool ties, int64_t blocks) {
    TRY(scree_reserve_anew(&s->laws, &s->laws_capacity, blocks,
                           SCREE_LANES * sizeof *s->laws));
    return scree_reserve_anew(&s->ties, &s->ties_capacity, ties ? blocks : 0,
                              sizeof *s->ties);
}

scree_status scree_problem_reserve_blocks(scree_problem *p, int64_t round,
                                          int64_t general) {
    TRY(reserve_laws(&p->round, p->ties, round));
    TRY(reserve_laws(&p->general, p->ties, general));
    TRY(scree_reserve_anew(&p->general.bars, &p->general.bars_capacity,
                           p->n_bars ? general : 0,
                           SCREE_LANES * sizeof *p->general.bars));
    TRY(scree_reserve_anew(&p->blocks, &p->round.capacity, round,
                           sizeof *p->blocks));
    return scree_reserve_anew(&p->generals, &p->general.capacity, general,
                              sizeof *p->generals);
}

scree_status scree_problem_reserve_bars(scree_problem *p, int64_t n) {
    p->n_bars = n;
    return scree_reserve_anew(&p->bars, &p->bars_capacity, n, sizeof *p->bars);
}

scree_status scree_problem_clear(scree_problem *p, int64_t n_contact,
                                 int64_t n_general) {
    p->n_contact = 0;
    p->sorted = p->ordering.on = false;
    TRY(scree_reserve_anew(&p->slot, &p->slot_capacity, n_contact,
                           sizeof *p->slot));
    TRY(scree_reserve_anew(&p->used, &p->used_capacity, p->n_body,
                           sizeof *p->used));
    if (p->n_body) memset(p->used, 0, (size_t)p->n_body * sizeof *p->used);
    const int64_t round = blocks_for(n_contact);
    const int64_t general = blocks_for(n_general);
    TRY(clear_shelf(&p->round, round));
    TRY(clear_shelf(&p->general, general));
    return scree_problem_reserve_blocks(p, round, general);
}

/* Where the blocks of each colour begin. */
static void count_colours(const scree_shelf *s, int64_t at[SCREE_COLOURS + 2]) {
    memset(at, 0, (SCREE_COLOURS + 2) * sizeof *at);
    for (int64_t k = 0; k < s->n_block; ++k) ++at[s->colour[k] + 1];
    for (int c = 0; c <= SCREE_COLOURS; ++c) at[c + 1] += at[c];
}

static void sort_shelf(scree_shelf *s) {
    int64_t at[SCREE_COLOURS + 2];
    count_colours(s, s->first);
    memcpy(at, s->first, sizeof at);
    for (int64_t k = 0; k < s->n_block; ++k)
        s->order[at[s->colour[k]]++] = (int32_t)k;
}

/* ---- rows ------------------------------------------------------------------ */

static double inverse_of(double G) {
    return G > 0 ? 1.0 / G : 0;
}

static void set_percussion(scree_four *k, int lane, double P_n,
                           scree_vec3 P_t) {
    lane_store(k, lane, P_n, P_t);
    k->P_n_last[lane] = P_n;
    lane_set(k->P_t_last, lane, P_t);
}

/* What a percussion d at the contact gives to its relative velocity. */
static scree_vec3 local_G(const scree_problem *p, const scree_row *row,
                          scree_vec3 d) {
    const scree_vec3 w_a = sym3_mul(&p->inv_I[row->a], cross(row->r_a, d));
    const scree_vec3 w_b = sym3_mul(&p->inv_I[row->b], cross(row->r_b, d));
    const scree_vec3 turned = add(cross(w_a, row->r_a), cross(w_b, row->r_b));
    return add_scaled(turned, p->u[row->a].inv_m + p->u[row->b].inv_m, d);
}

/* Largest eigenvalue of G_ii across n, of S G_ii S if friction is anisotropic. */
static double largest_tangential(const scree_problem *p, const scree_row *row) {
    scree_vec3 s = perpendicular(row->n), t = cross(row->n, s);
    if (scree_row_is_oval(row))
        s = scree_row_stretch(row, s), t = scree_row_stretch(row, t);
    const scree_vec3 Gs = local_G(p, row, s), Gt = local_G(p, row, t);
    const double mean = 0.5 * (dot(s, Gs) + dot(t, Gt));
    const double half = 0.5 * (dot(s, Gs) - dot(t, Gt)), off = dot(s, Gt);
    return mean + sqrt(half * half + off * off);
}

/* Largest row sum of Theta_a^-1 + Theta_b^-1, which bounds its eigenvalues. */
static double largest_turning(const scree_problem *p, const scree_row *row) {
    const scree_sym3 *a = &p->inv_I[row->a], *b = &p->inv_I[row->b];
    const double xx = a->xx + b->xx, yy = a->yy + b->yy, zz = a->zz + b->zz;
    const double xy = a->xy + b->xy, xz = a->xz + b->xz, yz = a->yz + b->yz;
    const double x = xx + fabs(xy) + fabs(xz), y = yy + fabs(xy) + fabs(yz);
    return fmax(fmax(x, y), zz + fabs(xz) + fabs(yz));
}

double scree_problem_rho_t(const scree_problem *p, const scree_row *row) {
    if (row->general) return inverse_of(largest_tangential(p, row));
    const scree_twist *a = &p->u[row->a], *b = &p->u[row->b];
    return inverse_of(a->inv_m + b->inv_m +
                      row->arm_a * row->arm_a * a->inv_theta +
                      row->arm_b * row->arm_b * b->inv_theta);
}

SCREE_INLINE void fill_four(const scree_problem *p, scree_four *k, int lane,
                            const scree_row *row) {
    k->a[lane] = row->a, k->b[lane] = row->b;
    lane_set(k->n, lane, row->n);
    k->mu[lane] = row->mu;
    lane_set(k->c, lane, row->c);
    k->rho_t[lane] = scree_problem_rho_t(p, row);
    set_percussion(k, lane, row->P_n, row->P_t);
}

static void fill_round(const scree_problem *p, scree_block *k, int lane,
                       const scree_row *row) {
    fill_four(p, &k->four, lane, row);
    k->arm_a[lane] = row->arm_a, k->arm_b[lane] = row->arm_b;
    k->rho_n[lane] = inverse_of(p->u[row->a].inv_m + p->u[row->b].inv_m);
}

static void fill_general(const scree_problem *p, scree_general *k, int lane,
                         const scree_row *row) {
    fill_four(p, &k->four, lane, row);
    lane_set(k->r_a, lane, row->r_a);
    lane_set(k->r_b, lane, row->r_b);
    const scree_vec3 x = local_G(p, row, vec(1, 0, 0));
    const scree_vec3 y = local_G(p, row, vec(0, 1, 0));
    const scree_vec3 z = local_G(p, row, vec(0, 0, 1));
    const double G[6] = {x.x, y.y, z.z, x.y, x.z, y.z};
    for (int e = 0; e < 6; ++e) k->G[e][lane] = G[e];
    k->rho_n[lane] = inverse_of(dot(row->n, local_G(p, row, row->n)));
    k->roll[lane] = row->roll, k->drill[lane] = row->drill;
    k->rho_m[lane] = inverse_of(largest_turning(p, row));
    lane_set(k->c_m, lane, row->c_m);
    lane_set(k->M, lane, row->M);
    lane_set(k->M_last, lane, row->M);
    k->ratio[lane] = row->ratio;
    lane_set(k->across, lane, row->across);
}

/* What bars do to the velocities at their row. */
static void factor_bars(const scree_problem *p, const scree_row *row) {
    scree_bars *s = row->bars;
    scree_bar_response response[SCREE_BARS];
    const scree_sym3 *I_a = &p->inv_I[row->a], *I_b = &p->inv_I[row->b];
    const double inv_m = p->u[row->a].inv_m + p->u[row->b].inv_m;
    for (int k = 0; k < s->n; ++k) {
        const scree_vec3 d = s->bar[k].d, none = vec(0, 0, 0);
        const bool turns = s->bar[k].turns;
        const scree_vec3 f = turns ? none : d;
        const scree_vec3 w_a = sym3_mul(I_a, turns ? d : cross(row->r_a, d));
        const scree_vec3 w_b = sym3_mul(I_b, turns ? d : cross(row->r_b, d));
        response[k].omega = add(w_a, w_b);
        response[k].xi = add_scaled(
            add(cross(w_a, row->r_a), cross(w_b, row->r_b)), inv_m, f);
    }
    scree_bars_factor(s, response, inv_m);
}

static void fill_bars(const scree_problem *p, int at, const scree_row *row) {
    p->general.bars[at] = (int32_t)(row->bars - p->bars);
    factor_bars(p, row);
}

static void fill_laws(const scree_shelf *s, int at, const scree_row *row) {
    s->laws[at] = row->laws;
    scree_assert(!scree_row_is_tied(row) || s->ties_capacity > 0);
    if (scree_row_is_tied(row))
        lane_set(s->ties[at / SCREE_LANES].d, at % SCREE_LANES, row->tie);
}

static void write_row(const scree_problem *p, int32_t slot,
                      const scree_row *row) {
    const int at = slot < 0 ? ~slot : slot, lane = at % SCREE_LANES;
    fill_laws(slot < 0 ? &p->general : &p->round, at, row);
    if (scree_row_is_joint(row)) fill_bars(p, at, row);
    if (slot < 0)
        fill_general(p, &p->generals[at / SCREE_LANES], lane, row);
    else
        fill_round(p, &p->blocks[at / SCREE_LANES], lane, row);
}

void scree_problem_fill(scree_problem *p, int64_t i, const scree_row *row) {
    scree_assert(i >= 0 && i < p->n_contact);
    scree_assert(scree_problem_is_general(p, i) == row->general);
    scree_assert(scree_row_is_valid(p, row));
    write_row(p, p->slot[i], row);
}

void scree_problem_clear_lane(scree_problem *p, int32_t slot) {
    const scree_row nothing = {
        .a = p->n_body, .b = p->n_body, .general = slot < 0, .n = vec(0, 0, 1)};
    write_row(p, slot, &nothing);
}

/* In the last block of each colour. */
static void clear_free_lanes(scree_problem *p, bool general) {
    const scree_shelf *s = general ? &p->general : &p->round;
    for (int c = 0; c <= SCREE_COLOURS; ++c)
        for (int l = s->filled[c]; s->open[c] >= 0 && l < SCREE_LANES; ++l) {
            const int32_t at = s->open[c] * SCREE_LANES + l;
            scree_problem_clear_lane(p, general ? ~at : at);
        }
}

/* An ordered problem has its blocks by colour, and its lanes clear, since all
 * contacts have their places. */
static void list_shelf(scree_shelf *s) {
    for (int64_t k = 0; k < s->n_block; ++k) s->order[k] = (int32_t)k;
}

scree_status scree_problem_sort(scree_problem *p) {
    if (p->sorted) return SCREE_OK;
    if (p->ordering.on) {
        list_shelf(&p->round);
        list_shelf(&p->general);
    } else {
        clear_free_lanes(p, false);
        clear_free_lanes(p, true);
        sort_shelf(&p->round);
        sort_shelf(&p->general);
    }
    TRY(scree_problem_share(p));
    TRY(scree_reserve(&p->partial, &p->partial_capacity,
                      SCREE_PARTIALS *
                          (scree_problem_blocks(p) / SCREE_SUM_CHUNK + 1),
                      sizeof *p->partial));
    TRY(scree_reserve_anew(&p->touched, &p->touched_capacity,
                           (int64_t)p->n_body + 1, 1));
    p->sorted = true;
    scree_assert(scree_problem_is_valid(p));
    return SCREE_OK;
}

void scree_problem_set_P(scree_problem *p, int64_t i, double P_n,
                         scree_vec3 P_t) {
    int lane;
    scree_four *k = scree_problem_four(p, i, &lane);
    set_percussion(k, lane, P_n, P_t);
}

void scree_problem_bodies(const scree_problem *p, int64_t i, int32_t *a,
                          int32_t *b) {
    int lane;
    const scree_four *k = scree_problem_four(p, i, &lane);
    *a = k->a[lane], *b = k->b[lane];
}

scree_row scree_problem_row(const scree_problem *p, int64_t i) {
    int lane;
    if (scree_problem_is_general(p, i)) {
        const scree_general *k = scree_problem_general(p, i, &lane);
        return row_of_general(p, k, lane);
    }
    const scree_block *k = scree_problem_block(p, i, &lane);
    return row_of_round(p, k, lane);
}

bool scree_problem_obeys(const scree_problem *p, int laws) {
    int all = 0;
    for (int64_t i = 0; i < p->n_contact; ++i) {
        const int32_t at = p->slot[i];
        all |= at < 0 ? p->general.laws[~at] : p->round.laws[at];
    }
    return all & laws;
}

scree_vec3 scree_problem_xi(const scree_problem *p, int64_t i) {
    const scree_row row = scree_problem_row(p, i);
    return row_xi(&row, &p->u[row.a], &p->u[row.b]);
}

void scree_problem_push(scree_problem *p, int64_t i, scree_vec3 P) {
    const scree_row row = scree_problem_row(p, i);
    const double P_n = dot(row.n, P);
    row_bodies s;
    row_find(p, &row, &s);
    row_push(&row, s.a, s.b, s.I_a, s.I_b, P_n, add_scaled(P, -P_n, row.n));
}

void scree_problem_turn(scree_problem *p, int64_t i, scree_vec3 M) {
    const scree_row row = scree_problem_row(p, i);
    row_bodies s;
    row_find(p, &row, &s);
    row_turn(&s, M);
}

/* ---- u += M^-1 W P ----------------------------------------------------------- */

/* Blocks of the overflow, or general ones: base is the number of the first of their
 * kind. */
static void apply_rows(scree_problem *p, const int32_t *list, int64_t first,
                       int64_t last, int64_t base) {
    for (int64_t k = SCREE_LANES * first; k < SCREE_LANES * last; ++k) {
        const scree_row row = row_of_block(p, base + list[k / SCREE_LANES],
                                           (int)(k % SCREE_LANES));
        row_bodies s;
        row_find(p, &row, &s);
        row_move(&row, &s, row.P_n, row.P_t, row.M);
    }
}

static void apply_overflow(scree_problem *p, const int32_t *list, int64_t first,
                           int64_t last, const void *context) {
    (void)context;
    apply_rows(p, list, first, last, 0);
}

static void apply_general(scree_problem *p, const int32_t *list, int64_t first,
                          int64_t last, const void *context) {
    (void)context;
    apply_rows(p, list, first, last, p->round.n_block);
}

static void apply_part(void *context, const scree_team *team) {
    static const scree_pass apply = {scree_round_apply, apply_overflow,
                                     apply_general, apply_general};
    scree_problem_pass(context, team, &apply, NULL);
}

void scree_problem_apply(scree_problem *p) {
    scree_team_run(scree_problem_threads(p), apply_part, p);
}

/* ---- threads and ranks ------------------------------------------------------ */

int scree_problem_threads(const scree_problem *p) {
    return scree_threads_for(p->n_contact, p->threads);
}

void scree_problem_mark(scree_problem *p) {
    if (p->coupling) scree_coupling_mark(p->coupling, p->u);
}

void scree_problem_couple(scree_problem *p) {
    if (!p->coupling) return;
    scree_coupling_begin(p->coupling, p->u);
    scree_coupling_turn(p->coupling, p->u);
    scree_coupling_end(p->coupling, p->u);
}

void scree_problem_push_each(scree_problem *p, scree_push *push,
                             const void *context) {
    const scree_ordering *o = &p->ordering;
    scree_problem_mark(p);
    for (int64_t i = 0; i < p->n_contact && !o->on; ++i) push(p, i, context);
    for (int c = 0; o->on && c < o->n_colour; ++c) {
        for (int64_t k = o->first[c]; k < o->first[c + 1]; ++k)
            push(p, o->list[k], context);
        if (!o->crosses[c]) continue;
        scree_problem_couple(p);
        scree_problem_mark(p);
    }
    if (!o->on) scree_problem_couple(p);
}

bool scree_problem_any(const scree_problem *p, bool here) {
    return p->coupling ? scree_comm_any(p->coupling->comm, here) : here;
}
