#include "solvers/problem.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/error.h"
#include "solvers/kernel.h"
#include "solvers/round.h"

/* Numbers that a chunk leaves for a sum. */
enum { PARTIALS = 5 };

static void free_shelf(scree_shelf *s) {
    free(s->order);
    free(s->colour);
}

void scree_problem_free(scree_problem *p) {
    free_shelf(&p->round);
    free_shelf(&p->general);
    free(p->blocks);
    free(p->generals);
    free(p->slot);
    free(p->used);
    free(p->partial);
    *p = (scree_problem){0};
}

static size_t shelf_bytes(const scree_shelf *s, size_t block) {
    return (size_t)s->capacity * block +
           (size_t)s->order_capacity * sizeof *s->order +
           (size_t)s->colour_capacity * sizeof *s->colour;
}

size_t scree_problem_bytes(const scree_problem *p) {
    return shelf_bytes(&p->round, sizeof *p->blocks) +
           shelf_bytes(&p->general, sizeof *p->generals) +
           (size_t)p->slot_capacity * sizeof *p->slot +
           (size_t)p->used_capacity * sizeof *p->used +
           (size_t)p->partial_capacity * sizeof *p->partial;
}

/* ---- colours -------------------------------------------------------------- */

/* Room for the places of so many blocks. */
static scree_status clear_shelf(scree_shelf *s, int64_t blocks) {
    s->n_block = 0;
    for (int c = 0; c <= SCREE_COLOURS; ++c) s->open[c] = -1;
    TRY(scree_reserve(&s->order, &s->order_capacity, blocks,
                      sizeof *s->order));
    return scree_reserve(&s->colour, &s->colour_capacity, blocks,
                         sizeof *s->colour);
}

/* Every colour may leave one block that is not full. */
static int64_t blocks_for(int64_t contacts) {
    const int64_t most = contacts / SCREE_LANES + 1 + SCREE_COLOURS;
    return most < contacts ? most : contacts;
}

scree_status scree_problem_clear(scree_problem *p, int64_t n_contact,
                                 int64_t n_general) {
    p->n_contact = 0;
    TRY(scree_reserve(&p->slot, &p->slot_capacity, n_contact,
                      sizeof *p->slot));
    TRY(scree_reserve(&p->used, &p->used_capacity, p->n_body,
                      sizeof *p->used));
    if (p->n_body)
        memset(p->used, 0, (size_t)p->n_body * sizeof *p->used);
    const int64_t round = blocks_for(n_contact);
    const int64_t general = blocks_for(n_general);
    TRY(clear_shelf(&p->round, round));
    TRY(clear_shelf(&p->general, general));
    TRY(scree_reserve(&p->blocks, &p->round.capacity, round,
                      sizeof *p->blocks));
    return scree_reserve(&p->generals, &p->general.capacity, general,
                         sizeof *p->generals);
}

/* Bits of the colours below this one. */
static uint64_t colours_below(int colour) {
    return (UINT64_C(1) << colour) - 1;
}

/* The least colour that neither body has yet. The static body has none. */
static int choose_colour(scree_problem *p, int32_t a, int32_t b) {
    const bool border = scree_problem_at_border(p, a, b);
    uint64_t used = 0;
    if (a < p->n_body) used |= p->used[a];
    if (b < p->n_body) used |= p->used[b];
    if (p->coupling && !border) used |= colours_below(SCREE_AT_BORDER + 1);
    const uint64_t free_colours =
        ~used & colours_below(border ? SCREE_AT_BORDER : SCREE_COLOURS);
    if (!free_colours) return border ? SCREE_AT_BORDER : SCREE_OVERFLOW;
    const int colour = __builtin_ctzll(free_colours);
    if (a < p->n_body) p->used[a] |= UINT64_C(1) << colour;
    if (b < p->n_body) p->used[b] |= UINT64_C(1) << colour;
    return colour;
}

/* A lane of the colour: block * SCREE_LANES + lane. The block's memory is not
 * touched: placing goes contact after contact, and filling writes all of a lane,
 * in threads. */
static int32_t next_lane(scree_shelf *s, int colour) {
    if (s->open[colour] < 0 || s->filled[colour] == SCREE_LANES) {
        s->open[colour] = (int32_t)s->n_block++;
        s->colour[s->open[colour]] = (uint8_t)colour;
        s->filled[colour] = 0;
    }
    return s->open[colour] * SCREE_LANES + s->filled[colour]++;
}

void scree_problem_place(scree_problem *p, int32_t a, int32_t b, bool general) {
    const int colour = choose_colour(p, a, b);
    p->slot[p->n_contact++] = general ? ~next_lane(&p->general, colour)
                                      : next_lane(&p->round, colour);
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

/* Leaves the new place of block k in order[k]. */
static void arrange_shelf(scree_shelf *s) {
    int64_t at[SCREE_COLOURS + 2];
    count_colours(s, at);
    for (int64_t k = 0; k < s->n_block; ++k)
        s->order[k] = (int32_t)at[s->colour[k]]++;
    for (int64_t c = 0, k = 0; c <= SCREE_COLOURS; ++c) {
        if (s->open[c] >= 0) s->open[c] = s->order[s->open[c]];
        for (; k < at[c]; ++k) s->colour[k] = (uint8_t)c;
    }
}

void scree_problem_arrange(scree_problem *p) {
    arrange_shelf(&p->round);
    arrange_shelf(&p->general);
    for (int64_t i = 0; i < p->n_contact; ++i) {
        const bool general = scree_problem_is_general(p, i);
        const int32_t at = general ? ~p->slot[i] : p->slot[i];
        const int32_t *place = general ? p->general.order : p->round.order;
        const int32_t to =
            place[at / SCREE_LANES] * SCREE_LANES + at % SCREE_LANES;
        p->slot[i] = general ? ~to : to;
    }
}

static int64_t block_count(const scree_problem *p) {
    return p->round.n_block + p->general.n_block;
}

/* ---- rows ------------------------------------------------------------------ */

static double inverse(double G) { return G > 0 ? 1.0 / G : 0; }

static void fill_round(const scree_problem *p, scree_block *k, int lane,
                       const scree_row *row) {
    k->a[lane] = row->a, k->b[lane] = row->b;
    lane_set(k->n, lane, row->n);
    k->arm_a[lane] = row->arm_a, k->arm_b[lane] = row->arm_b;
    k->mu[lane] = row->mu;
    lane_set(k->c, lane, row->c);
    k->rho_n[lane] = inverse(p->u[row->a].inv_m + p->u[row->b].inv_m);
    k->rho_t[lane] = scree_problem_rho_t(p, row);
    k->P_n[lane] = k->P_n_last[lane] = row->P_n;
    lane_set(k->P_t, lane, row->P_t);
    lane_set(k->P_t_last, lane, row->P_t);
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
    if (row->general) return inverse(largest_tangential(p, row));
    const scree_twist *a = &p->u[row->a], *b = &p->u[row->b];
    return inverse(a->inv_m + b->inv_m +
                   row->arm_a * row->arm_a * a->inv_theta +
                   row->arm_b * row->arm_b * b->inv_theta);
}

static void fill_general(const scree_problem *p, scree_general *k, int lane,
                         const scree_row *row) {
    k->a[lane] = row->a, k->b[lane] = row->b;
    lane_set(k->n, lane, row->n);
    lane_set(k->r_a, lane, row->r_a);
    lane_set(k->r_b, lane, row->r_b);
    k->mu[lane] = row->mu;
    lane_set(k->c, lane, row->c);
    const scree_vec3 x = local_G(p, row, vec(1, 0, 0));
    const scree_vec3 y = local_G(p, row, vec(0, 1, 0));
    const scree_vec3 z = local_G(p, row, vec(0, 0, 1));
    const double G[6] = {x.x, y.y, z.z, x.y, x.z, y.z};
    for (int e = 0; e < 6; ++e) k->G[e][lane] = G[e];
    k->rho_n[lane] = inverse(dot(row->n, local_G(p, row, row->n)));
    k->rho_t[lane] = scree_problem_rho_t(p, row);
    k->roll[lane] = row->roll, k->drill[lane] = row->drill;
    k->rho_m[lane] = inverse(largest_turning(p, row));
    lane_set(k->c_m, lane, row->c_m);
    lane_set(k->M, lane, row->M);
    lane_set(k->M_last, lane, row->M);
    k->ratio[lane] = row->ratio;
    lane_set(k->across, lane, row->across);
    k->P_n[lane] = k->P_n_last[lane] = row->P_n;
    lane_set(k->P_t, lane, row->P_t);
    lane_set(k->P_t_last, lane, row->P_t);
}

static void write_row(const scree_problem *p, int32_t slot,
                      const scree_row *row) {
    const int at = slot < 0 ? ~slot : slot, lane = at % SCREE_LANES;
    if (slot < 0)
        fill_general(p, &p->generals[at / SCREE_LANES], lane, row);
    else
        fill_round(p, &p->blocks[at / SCREE_LANES], lane, row);
}

void scree_problem_fill(scree_problem *p, int64_t i, const scree_row *row) {
    write_row(p, p->slot[i], row);
}

/* Lanes that no contact took, in the last block of each colour, belong to the
 * static body, whose inverse inertia gives them rho = 0. */
static void clear_free_lanes(const scree_problem *p, bool general) {
    const scree_row nothing = {.a = p->n_body,
                               .b = p->n_body,
                               .general = general,
                               .n = vec(0, 0, 1)};
    const scree_shelf *s = general ? &p->general : &p->round;
    for (int c = 0; c <= SCREE_COLOURS; ++c)
        for (int l = s->filled[c]; s->open[c] >= 0 && l < SCREE_LANES; ++l) {
            const int32_t at = s->open[c] * SCREE_LANES + l;
            write_row(p, general ? ~at : at, &nothing);
        }
}

scree_status scree_problem_sort(scree_problem *p) {
    clear_free_lanes(p, false);
    clear_free_lanes(p, true);
    sort_shelf(&p->round);
    sort_shelf(&p->general);
    return scree_reserve(&p->partial, &p->partial_capacity,
                         PARTIALS * (block_count(p) / SCREE_SUM_CHUNK + 1),
                         sizeof *p->partial);
}

void scree_problem_add(scree_problem *p, const scree_row *row) {
    scree_problem_place(p, row->a, row->b, row->general);
    scree_problem_fill(p, p->n_contact - 1, row);
}

void scree_problem_set_P(scree_problem *p, int64_t i, double P_n,
                         scree_vec3 P_t) {
    int lane;
    if (scree_problem_is_general(p, i)) {
        scree_general *k = scree_problem_general(p, i, &lane);
        k->P_n[lane] = k->P_n_last[lane] = P_n;
        lane_set(k->P_t, lane, P_t);
        lane_set(k->P_t_last, lane, P_t);
    } else {
        scree_block *k = scree_problem_block(p, i, &lane);
        k->P_n[lane] = k->P_n_last[lane] = P_n;
        lane_set(k->P_t, lane, P_t);
        lane_set(k->P_t_last, lane, P_t);
    }
}

scree_row scree_problem_row(const scree_problem *p, int64_t i) {
    int lane;
    if (scree_problem_is_general(p, i)) {
        const scree_general *k = scree_problem_general(p, i, &lane);
        return row_of_general(k, lane);
    }
    const scree_block *k = scree_problem_block(p, i, &lane);
    return row_of_round(k, lane);
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

/* ---- sums, chunk by chunk --------------------------------------------------- */

/* Calls part(p, first, last, partial) for chunks of blocks, in threads; the
 * partial sums are added in the order of the chunks, so that the bits do not
 * depend on the number of threads. */
typedef void sum_part(const scree_problem *p, int64_t first, int64_t last,
                      double *partial);

static int64_t chunk_count(const scree_problem *p) {
    return (block_count(p) + SCREE_SUM_CHUNK - 1) / SCREE_SUM_CHUNK;
}

/* Blocks are counted with the round ones first, which go four lanes at a time
 * (round.h): where they end between first and last. */
static int64_t end_of_round(const scree_problem *p, int64_t first,
                            int64_t last) {
    const int64_t end = p->round.n_block;
    return end < first ? first : end < last ? end : last;
}

/* Lane l of block i. An unused lane has rho_n = 0. */
static scree_row general_at(const scree_problem *p, int64_t i, int lane) {
    return row_of_general(&p->generals[i - p->round.n_block], lane);
}

typedef struct sum_task {
    const scree_problem *p;
    sum_part *part;
} sum_task;

static void sum_share(void *context, const scree_team *team) {
    const sum_task *t = context;
    int64_t first = 0, last = chunk_count(t->p);
    scree_team_share(team, &first, &last);
    for (int64_t c = first; c < last; ++c) {
        const int64_t begin = c * SCREE_SUM_CHUNK;
        const int64_t end = begin + SCREE_SUM_CHUNK;
        t->part(t->p, begin, end < block_count(t->p) ? end : block_count(t->p),
                &t->p->partial[PARTIALS * c]);
    }
}

static void for_chunks(const scree_problem *p, sum_part *part) {
    sum_task t = {p, part};
    scree_team_run(scree_problem_threads(p), sum_share, &t);
}

/* |xi|^2 as the residual counts it. */
static inline double size2_of(const scree_row *row, scree_vec3 xi) {
    if (row->mu >= 0 && !scree_row_is_oval(row)) return dot(xi, xi);
    const double xi_n = dot(row->n, xi);
    if (row->mu < 0) return xi_n * xi_n;
    const scree_vec3 xi_t =
        scree_row_stretch(row, add_scaled(xi, -xi_n, row->n));
    return xi_n * xi_n + dot(xi_t, xi_t);
}

static void xi_part(const scree_problem *p, int64_t first, int64_t last,
                    double *partial) {
    const int64_t middle = end_of_round(p, first, last);
    scree_size size = {0};
    scree_round_size(p, first, middle, &size);
    for (int64_t i = middle; i < last; ++i)
        for (int lane = 0; lane < SCREE_LANES; ++lane) {
            const scree_row row = general_at(p, i, lane);
            const scree_vec3 xi = row_xi(&row, &p->u[row.a], &p->u[row.b]);
            const double xi2 = size2_of(&row, xi);
            size.sum2 += xi2;
            size.max2 = fmax(size.max2, xi2);
        }
    partial[0] = size.sum2, partial[1] = size.max2;
}

scree_size scree_problem_size(const scree_problem *p) {
    scree_size size = {0};
    for_chunks(p, xi_part);
    for (int64_t c = 0; c < chunk_count(p); ++c) {
        size.sum2 += p->partial[PARTIALS * c];
        size.max2 = fmax(size.max2, p->partial[PARTIALS * c + 1]);
    }
    if (p->coupling) {
        scree_comm_sum(p->coupling->comm, &size.sum2, 1);
        scree_comm_max(p->coupling->comm, &size.max2, 1);
    }
    return size;
}

/* |F|^2 of a contact with p = P / rho. While p - y lies in K it is |y|^2, and
 * |p|^2 in the polar cone: no cancellation. */
static inline double map2(double mu, double p_n, scree_vec3 p_t, double xi_n,
                          scree_vec3 xi_t) {
    const double y_n = xi_n + mu * norm(xi_t);
    const double x_n = p_n - y_n;
    const scree_vec3 x_t = sub(p_t, xi_t);
    const double tangent = norm(x_t);
    if (tangent <= mu * x_n) return y_n * y_n + dot(xi_t, xi_t);
    if (mu * tangent <= -x_n) return p_n * p_n + dot(p_t, p_t);
    const double near_n = (x_n + mu * tangent) / (1 + mu * mu);
    const scree_vec3 F_t = add_scaled(p_t, -mu * near_n / tangent, x_t);
    return (p_n - near_n) * (p_n - near_n) + dot(F_t, F_t);
}

/* The larger one; a NaN stays. */
static inline double worse(double a, double b) {
    return b > a || b != b ? b : a;
}

/* Contacts that resist turning: the natural map of the prox step, with moments
 * over their lengths and angular velocities times them. */
static void measure_turning(const scree_row *k, const scree_twist *u,
                            scree_vec3 xi, scree_measure *m) {
    const double rho = k->rho_n, length = fmax(k->roll, k->drill);
    const scree_vec3 omega = row_omega(k, &u[k->a], &u[k->b]);
    row_step s = {.P_n = prox_half_line(k->P_n - rho * dot(k->n, xi))};
    const double F_n = (k->P_n - s.P_n) / rho;
    s.P_n = k->P_n; /* friction and moments within what the contact bears now */
    row_resist(k, xi, omega, rho, rho * length * length, &s);
    const bool oval = scree_row_is_oval(k);
    const scree_vec3 P_t = oval ? scree_row_shrink(k, k->P_t) : k->P_t;
    const scree_vec3 to_t = oval ? scree_row_shrink(k, s.P_t) : s.P_t;
    const scree_vec3 F_t = scale(1 / rho, sub(P_t, to_t));
    const scree_vec3 F_m = scale(1 / (rho * length), sub(k->M, s.M));
    m->F2 += F_n * F_n + dot(F_t, F_t) + dot(F_m, F_m);
    m->P2 += (dot(P_t, P_t) + dot(k->M, k->M) / (length * length)) /
             (rho * rho);
}

static inline void measure_row(const scree_row *k, const scree_twist *u,
                               scree_measure *m) {
    const double rho = k->rho_n, mu = k->mu;
    if (rho == 0) return; /* an unused lane */
    const double p_n = k->P_n / rho;
    const scree_vec3 xi = row_xi(k, &u[k->a], &u[k->b]);
    const double xi_n = dot(k->n, xi);
    m->normal = worse(m->normal, -xi_n);
    m->cone = worse(m->cone, -k->P_n);
    m->P2 += p_n * p_n;
    m->xi2 += xi_n * xi_n;
    if (scree_row_turns(k)) {
        measure_turning(k, u, xi, m);
        return;
    }
    if (mu < 0) {
        const double F_n = p_n < xi_n ? p_n : xi_n;
        m->F2 += F_n * F_n;
        return;
    }
    scree_vec3 xi_t = add_scaled(xi, -xi_n, k->n), P_t = k->P_t;
    if (scree_row_is_oval(k))
        xi_t = scree_row_stretch(k, xi_t), P_t = scree_row_shrink(k, P_t);
    const scree_vec3 p_t = scale(1 / rho, P_t);
    m->F2 += map2(mu, p_n, p_t, xi_n, xi_t);
    m->cone = worse(m->cone, norm(P_t) - mu * k->P_n);
    m->P2 += dot(p_t, p_t);
    m->xi2 += dot(xi_t, xi_t);
}

static void residual_part(const scree_problem *p, int64_t first, int64_t last,
                          double *partial) {
    const int64_t middle = end_of_round(p, first, last);
    scree_measure m = {0};
    scree_round_measure(p, first, middle, &m);
    for (int64_t i = middle; i < last; ++i)
        for (int lane = 0; lane < SCREE_LANES; ++lane) {
            const scree_row row = general_at(p, i, lane);
            measure_row(&row, p->u, &m);
        }
    memcpy(partial, &m, sizeof m);
}

/* A NaN has made the sums NaN as well; as a maximum MPI may lose it. */
static void add_ranks(const scree_comm *comm, scree_measure *m) {
    double sum[3] = {m->F2, m->P2, m->xi2};
    double worst[2] = {isnan(m->normal) ? INFINITY : m->normal,
                       isnan(m->cone) ? INFINITY : m->cone};
    scree_comm_sum(comm, sum, 3);
    scree_comm_max(comm, worst, 2);
    *m = (scree_measure){sum[0], sum[1], sum[2], worst[0], worst[1]};
}

scree_residual scree_problem_residual(const scree_problem *p,
                                      scree_size free) {
    scree_measure all = {0};
    for_chunks(p, residual_part);
    for (int64_t c = 0; c < chunk_count(p); ++c) {
        scree_measure m;
        memcpy(&m, &p->partial[PARTIALS * c], sizeof m);
        all.F2 += m.F2, all.P2 += m.P2, all.xi2 += m.xi2;
        all.normal = worse(all.normal, m.normal);
        all.cone = worse(all.cone, m.cone);
    }
    if (p->coupling) add_ranks(p->coupling->comm, &all);
    const double size2 = fmax(fmax(all.P2, all.xi2), free.sum2);
    return (scree_residual){
        .residual = all.F2 == 0 ? 0 : sqrt(all.F2 / size2),
        .normal = all.normal,
        .cone = all.cone};
}

/* ---- u += M^-1 W P ----------------------------------------------------------- */

static void apply_row(scree_problem *p, const scree_row *row) {
    row_bodies s;
    row_find(p, row, &s);
    row_move(row, &s, row->P_n, row->P_t, row->M);
}

static void apply_overflow(scree_problem *p, const int32_t *list,
                           int64_t first, int64_t last, const void *context) {
    (void)context;
    for (int64_t i = first; i < last; ++i)
        for (int lane = 0; lane < SCREE_LANES; ++lane) {
            const scree_row row = row_of_round(&p->blocks[list[i]], lane);
            apply_row(p, &row);
        }
}

static void apply_general(scree_problem *p, const int32_t *list, int64_t first,
                          int64_t last, const void *context) {
    (void)context;
    for (int64_t i = first; i < last; ++i)
        for (int lane = 0; lane < SCREE_LANES; ++lane) {
            const scree_row row = row_of_general(&p->generals[list[i]], lane);
            apply_row(p, &row);
        }
}

static void apply_part(void *context, const scree_team *team) {
    static const scree_pass apply = {scree_round_apply, apply_overflow,
                                     apply_general, apply_general};
    scree_problem_pass(context, team, &apply, NULL);
}

void scree_problem_apply(scree_problem *p) {
    scree_team_run(scree_problem_threads(p), apply_part, p);
}

/* ---- colour after colour ------------------------------------------------------ */

int scree_problem_threads(const scree_problem *p) {
    return scree_threads_for(p->n_contact, p->threads);
}

/* A member's share of one colour of a kind; was there anything? */
static bool work_on(scree_problem *p, const scree_shelf *s, int colour,
                    const scree_team *team, scree_block_work *work,
                    const void *context) {
    int64_t first = s->first[colour], last = s->first[colour + 1];
    if (first == last) return false;
    scree_team_share(team, &first, &last);
    work(p, s->order, first, last, context);
    return true;
}

static void pass_colours(scree_problem *p, const scree_team *team,
                         const scree_pass *pass, const void *context, int first,
                         int end) {
    for (int c = first; c < end; ++c) {
        const bool round =
            work_on(p, &p->round, c, team, pass->round, context);
        const bool general =
            work_on(p, &p->general, c, team, pass->general, context);
        if (round || general) scree_team_wait(team);
    }
}

static void pass_overflow(scree_problem *p, const scree_team *team,
                          const scree_pass *pass, const void *context,
                          int colour) {
    const int64_t *round = &p->round.first[colour];
    const int64_t *general = &p->general.first[colour];
    if (round[0] == round[1] && general[0] == general[1]) return;
    if (team->rank == 0) {
        pass->round_overflow(p, p->round.order, round[0], round[1], context);
        pass->general_overflow(p, p->general.order, general[0], general[1],
                               context);
    }
    scree_team_wait(team);
}

/* The colour before which about half of the contacts without shared bodies come. */
static int middle_colour(const scree_problem *p) {
    const int64_t *round = p->round.first, *general = p->general.first;
    const int64_t first = round[SCREE_AT_BORDER + 1] + general[SCREE_AT_BORDER + 1];
    const int64_t half = (first + block_count(p)) / 2;
    int c = SCREE_AT_BORDER + 1;
    while (c < SCREE_COLOURS && round[c] + general[c] < half) ++c;
    return c;
}

/* Messages travel while contacts without shared bodies are worked on. */
static void pass_coupled(scree_problem *p, const scree_team *team,
                         const scree_pass *pass, const void *context) {
    const bool leads = team->rank == 0;
    const int middle = middle_colour(p);
    if (leads) scree_coupling_mark(p->coupling, p->u);
    scree_team_wait(team);
    pass_colours(p, team, pass, context, 0, SCREE_AT_BORDER);
    pass_overflow(p, team, pass, context, SCREE_AT_BORDER);
    if (leads) scree_coupling_begin(p->coupling, p->u);
    pass_colours(p, team, pass, context, SCREE_AT_BORDER + 1, middle);
    if (leads) scree_coupling_turn(p->coupling, p->u);
    pass_colours(p, team, pass, context, middle, SCREE_COLOURS);
    pass_overflow(p, team, pass, context, SCREE_OVERFLOW);
    if (leads) scree_coupling_end(p->coupling, p->u);
    scree_team_wait(team);
}

void scree_problem_pass(scree_problem *p, const scree_team *team,
                        const scree_pass *pass, const void *context) {
    if (p->coupling) {
        pass_coupled(p, team, pass, context);
    } else {
        pass_colours(p, team, pass, context, 0, SCREE_COLOURS);
        pass_overflow(p, team, pass, context, SCREE_OVERFLOW);
    }
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

bool scree_problem_any(const scree_problem *p, bool here) {
    return p->coupling ? scree_comm_any(p->coupling->comm, here) : here;
}
