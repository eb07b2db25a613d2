#include "solvers/problem.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/error.h"
#include "solvers/kernel.h"

void scree_problem_free(scree_problem *p) {
    free(p->blocks);
    free(p->slot);
    free(p->used);
    free(p->order);
    free(p->colour);
    free(p->partial);
    *p = (scree_problem){0};
}

size_t scree_problem_bytes(const scree_problem *p) {
    return (size_t)p->block_capacity * sizeof *p->blocks +
           (size_t)p->slot_capacity * sizeof *p->slot +
           (size_t)p->used_capacity * sizeof *p->used +
           (size_t)p->order_capacity * sizeof *p->order +
           (size_t)p->colour_capacity * sizeof *p->colour +
           (size_t)p->partial_capacity * sizeof *p->partial;
}

/* ---- colours -------------------------------------------------------------- */

scree_status scree_problem_clear(scree_problem *p, int64_t n_contact) {
    p->n_contact = p->n_block = 0;
    for (int c = 0; c <= SCREE_COLOURS; ++c) p->open[c] = -1;
    TRY(scree_reserve(&p->slot, &p->slot_capacity, n_contact,
                      sizeof *p->slot));
    TRY(scree_reserve(&p->used, &p->used_capacity, p->n_body,
                      sizeof *p->used));
    if (p->n_body)
        memset(p->used, 0, (size_t)p->n_body * sizeof *p->used);
    /* Every colour may leave one block that is not full. */
    const int64_t most = n_contact / SCREE_LANES + 1 + SCREE_COLOURS;
    const int64_t blocks = most < n_contact ? most : n_contact;
    TRY(scree_reserve(&p->blocks, &p->block_capacity, blocks,
                      sizeof *p->blocks));
    TRY(scree_reserve(&p->order, &p->order_capacity, blocks,
                      sizeof *p->order));
    return scree_reserve(&p->colour, &p->colour_capacity, blocks,
                         sizeof *p->colour);
}

/* The least colour that neither body has yet. The static body has none. */
static int choose_colour(scree_problem *p, int32_t a, int32_t b) {
    uint64_t used = 0;
    if (a < p->n_body) used |= p->used[a];
    if (b < p->n_body) used |= p->used[b];
    const uint64_t free_colours = ~used & ((UINT64_C(1) << SCREE_COLOURS) - 1);
    if (!free_colours) return SCREE_OVERFLOW;
    const int colour = __builtin_ctzll(free_colours);
    if (a < p->n_body) p->used[a] |= UINT64_C(1) << colour;
    if (b < p->n_body) p->used[b] |= UINT64_C(1) << colour;
    return colour;
}

/* A block of the colour with a free lane. Its memory is not touched: placing goes
 * contact after contact, and filling writes all of a lane, in threads. */
static int32_t open_block(scree_problem *p, int colour) {
    if (p->open[colour] >= 0 && p->filled[colour] < SCREE_LANES)
        return p->open[colour];
    const int32_t k = (int32_t)p->n_block++;
    p->colour[k] = (uint8_t)colour;
    p->open[colour] = k;
    p->filled[colour] = 0;
    return k;
}

static void fill_lane(scree_block *k, int lane, const scree_row *row) {
    k->a[lane] = row->a, k->b[lane] = row->b;
    lane_set(k->n, lane, row->n);
    k->arm_a[lane] = row->arm_a, k->arm_b[lane] = row->arm_b;
    k->mu[lane] = row->mu;
    lane_set(k->c, lane, row->c);
    k->P_n[lane] = k->P_n_last[lane] = row->P_n;
    lane_set(k->P_t, lane, row->P_t);
    lane_set(k->P_t_last, lane, row->P_t);
}

/* Lanes that no contact took, in the last block of each colour. */
static void clear_free_lanes(scree_problem *p) {
    const scree_row nothing = {.a = p->n_body, .b = p->n_body};
    for (int c = 0; c <= SCREE_COLOURS; ++c)
        for (int l = p->filled[c]; p->open[c] >= 0 && l < SCREE_LANES; ++l) {
            scree_block *k = &p->blocks[p->open[c]];
            fill_lane(k, l, &nothing);
            k->rho_n[l] = k->rho_t[l] = 0;
        }
}

scree_status scree_problem_sort(scree_problem *p) {
    clear_free_lanes(p);
    int64_t at[SCREE_COLOURS + 2] = {0};
    for (int64_t k = 0; k < p->n_block; ++k) ++at[p->colour[k] + 1];
    for (int c = 0; c <= SCREE_COLOURS; ++c) at[c + 1] += at[c];
    memcpy(p->first, at, sizeof at);
    for (int64_t k = 0; k < p->n_block; ++k)
        p->order[at[p->colour[k]]++] = (int32_t)k;
    return scree_reserve(&p->partial, &p->partial_capacity,
                         3 * (p->n_block / SCREE_SUM_CHUNK + 1),
                         sizeof *p->partial);
}

/* ---- rows ------------------------------------------------------------------ */

static double inverse(double G) { return G > 0 ? 1.0 / G : 0; }

double scree_problem_rho_t(const scree_problem *p, const scree_row *row) {
    const scree_twist *a = &p->u[row->a], *b = &p->u[row->b];
    return inverse(a->inv_m + b->inv_m +
                   row->arm_a * row->arm_a * a->inv_theta +
                   row->arm_b * row->arm_b * b->inv_theta);
}

void scree_problem_place(scree_problem *p, int32_t a, int32_t b) {
    const int colour = choose_colour(p, a, b);
    const int32_t block = open_block(p, colour);
    p->slot[p->n_contact++] = block * SCREE_LANES + p->filled[colour]++;
}

void scree_problem_fill(scree_problem *p, int64_t i, const scree_row *row) {
    int lane;
    scree_block *k = scree_problem_block(p, i, &lane);
    fill_lane(k, lane, row);
    k->rho_n[lane] = inverse(p->u[row->a].inv_m + p->u[row->b].inv_m);
    k->rho_t[lane] = scree_problem_rho_t(p, row);
}

void scree_problem_add(scree_problem *p, const scree_row *row) {
    scree_problem_place(p, row->a, row->b);
    scree_problem_fill(p, p->n_contact - 1, row);
}

void scree_problem_set_P(scree_problem *p, int64_t i, double P_n,
                         scree_vec3 P_t) {
    int lane;
    scree_block *k = scree_problem_block(p, i, &lane);
    k->P_n[lane] = k->P_n_last[lane] = P_n;
    lane_set(k->P_t, lane, P_t);
    lane_set(k->P_t_last, lane, P_t);
}

scree_row scree_problem_row(const scree_problem *p, int64_t i) {
    int lane;
    const scree_block *k = scree_problem_block(p, i, &lane);
    return (scree_row){.a = k->a[lane],
                       .b = k->b[lane],
                       .n = lane_get(k->n, lane),
                       .arm_a = k->arm_a[lane],
                       .arm_b = k->arm_b[lane],
                       .mu = k->mu[lane],
                       .c = lane_get(k->c, lane),
                       .P_n = k->P_n[lane],
                       .P_t = lane_get(k->P_t, lane)};
}

scree_vec3 scree_problem_xi(const scree_problem *p, int64_t i) {
    int lane;
    const scree_block *k = scree_problem_block(p, i, &lane);
    return lane_xi(k, lane, &p->u[k->a[lane]], &p->u[k->b[lane]]);
}

void scree_problem_push(scree_problem *p, int64_t i, scree_vec3 P) {
    int lane;
    const scree_block *k = scree_problem_block(p, i, &lane);
    const scree_vec3 n = lane_get(k->n, lane);
    const double P_n = dot(n, P);
    lane_push(k, lane, &p->u[k->a[lane]], &p->u[k->b[lane]], P_n,
              add_scaled(P, -P_n, n));
}

/* ---- sums, chunk by chunk --------------------------------------------------- */

/* Calls part(p, first, last, partial) for chunks of blocks, in threads; the
 * partial sums are added in the order of the chunks, so that the bits do not
 * depend on the number of threads. */
typedef void sum_part(const scree_problem *p, int64_t first, int64_t last,
                      double *partial);

static int64_t chunk_count(const scree_problem *p) {
    return (p->n_block + SCREE_SUM_CHUNK - 1) / SCREE_SUM_CHUNK;
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
        t->part(t->p, begin, end < t->p->n_block ? end : t->p->n_block,
                &t->p->partial[3 * c]);
    }
}

static void for_chunks(const scree_problem *p, sum_part *part) {
    sum_task t = {p, part};
    scree_team_run(scree_problem_threads(p), sum_share, &t);
}

static void xi_part(const scree_problem *p, int64_t first, int64_t last,
                    double *partial) {
    double sum = 0;
    for (int64_t i = first; i < last; ++i)
        for (int lane = 0; lane < SCREE_LANES; ++lane) {
            const scree_block *k = &p->blocks[i];
            const scree_vec3 xi =
                lane_xi(k, lane, &p->u[k->a[lane]], &p->u[k->b[lane]]);
            const double xi_n = dot(lane_get(k->n, lane), xi);
            sum += k->mu[lane] < 0 ? xi_n * xi_n : dot(xi, xi);
        }
    partial[0] = sum;
}

double scree_problem_xi_norm2(const scree_problem *p) {
    double sum = 0;
    for_chunks(p, xi_part);
    for (int64_t c = 0; c < chunk_count(p); ++c) sum += p->partial[3 * c];
    return sum;
}

/* e_i^2 of one contact, and |P / rho|^2. In m/s the natural map reads
 *     F_N / rho = min(xi_N, P_N / rho),    F_T / rho = xi_T while inside the
 * disc: no cancellation, and few divisions. */
static inline double violation2(const scree_block *k, int lane,
                                const scree_twist *u, double *P2) {
    const double rho_t = k->rho_t[lane], P_n = k->P_n[lane];
    if (rho_t == 0) return 0; /* an unused lane */
    const scree_vec3 n = lane_get(k->n, lane), P_t = lane_get(k->P_t, lane);
    const scree_vec3 xi = lane_xi(k, lane, &u[k->a[lane]], &u[k->b[lane]]);
    const double xi_n = dot(n, xi);
    const scree_vec3 xi_t = add_scaled(xi, -xi_n, n);

    const double p_n = P_n / k->rho_n[lane], inv_t = 1.0 / rho_t;
    const double f_n = p_n < xi_n ? p_n : xi_n;
    if (k->mu[lane] < 0) {
        *P2 += p_n * p_n;
        return f_n * f_n; /* P_T follows exactly */
    }
    const scree_vec3 Q = add_scaled(P_t, -rho_t, xi_t);
    const double limit = k->mu[lane] * P_n;
    const scree_vec3 f_t = dot(Q, Q) <= limit * limit
                               ? xi_t
                               : scale(inv_t, sub(P_t, prox_disc(limit, Q)));
    *P2 += p_n * p_n + dot(P_t, P_t) * inv_t * inv_t;
    return f_n * f_n + dot(f_t, f_t);
}

static void residual_part(const scree_problem *p, int64_t first, int64_t last,
                          double *partial) {
    double sum = 0, worst = 0, P2 = 0;
    for (int64_t i = first; i < last; ++i)
        for (int lane = 0; lane < SCREE_LANES; ++lane) {
            const double e2 = violation2(&p->blocks[i], lane, p->u, &P2);
            sum += e2;
            if (!(e2 <= worst)) worst = e2; /* lets a NaN through */
        }
    partial[0] = sum, partial[1] = worst, partial[2] = P2;
}

scree_residual scree_problem_residual(const scree_problem *p,
                                      double xi_free2) {
    double sum = 0, worst = 0, P2 = 0;
    for_chunks(p, residual_part);
    for (int64_t c = 0; c < chunk_count(p); ++c) {
        const double *partial = &p->partial[3 * c];
        sum += partial[0];
        if (!(partial[1] <= worst)) worst = partial[1];
        P2 += partial[2];
    }
    const double size2 = fmax(P2, xi_free2);
    return (scree_residual){.residual = sum == 0 ? 0 : sqrt(sum / size2),
                            .violation = sqrt(worst)};
}

/* ---- u += M^-1 W P ----------------------------------------------------------- */

static void apply_blocks(scree_problem *p, const int32_t *list, int64_t first,
                         int64_t last, const void *context) {
    (void)context;
    for (int64_t i = first; i < last; ++i) {
        const scree_block *k = &p->blocks[list[i]];
        for (int lane = 0; lane < SCREE_LANES; ++lane) {
            scree_twist nothing = {0};
            scree_twist *b = k->b[lane] < p->n_body ? &p->u[k->b[lane]]
                                                    : &nothing;
            if (k->a[lane] < p->n_body)
                lane_push(k, lane, &p->u[k->a[lane]], b, k->P_n[lane],
                          lane_get(k->P_t, lane));
        }
    }
}

static void apply_part(void *context, const scree_team *team) {
    scree_problem_pass(context, team, apply_blocks, apply_blocks, NULL);
}

void scree_problem_apply(scree_problem *p) {
    scree_team_run(scree_problem_threads(p), apply_part, p);
}

/* ---- colour after colour ------------------------------------------------------ */

int scree_problem_threads(const scree_problem *p) {
    return scree_threads_for(p->n_contact, p->threads);
}

void scree_problem_pass(scree_problem *p, const scree_team *team,
                        scree_block_work *work, scree_block_work *overflow,
                        const void *context) {
    for (int c = 0; c < SCREE_COLOURS; ++c) {
        int64_t first = p->first[c], last = p->first[c + 1];
        if (first == last) continue;
        scree_team_share(team, &first, &last);
        work(p, p->order, first, last, context);
        scree_team_wait(team);
    }
    const int64_t first = p->first[SCREE_OVERFLOW];
    const int64_t last = p->first[SCREE_OVERFLOW + 1];
    if (first == last) return;
    if (team->rank == 0) overflow(p, p->order, first, last, context);
    scree_team_wait(team);
}
