/* coarse_layers.c: percussions scaled layer by layer, coarse.h.
 *
 *     grid      heights of bodies and contacts, masses of layers, once per solve
 *     sums      phi^T W b, phi^T W t, t^T xi over all contacts that carry
 *     solve     the coarse equations, some dozen unknowns, by elimination
 *     scale     P += s P, u += M^-1 W s P, one pass
 */
#include <string.h>

#include "solvers/coarse/coarse_parts.h"
#include "solvers/dense/semismooth.h"
#include "solvers/problem/pass.h"
#include "solvers/problem/wide.h"

/* Fewer nodes are for sweeps: they take loads through so few layers at once. */
enum { LEAST_NODES = 5 };
/* s within these bounds. A percussion cannot turn round, and as the first few are far
 * from the load they come to it in some corrections. */
static const double LEAST_S = -0.5, MOST_S = 3;
/* A largest s that is not worth a pass. */
static const double WORTH = 0.01;
/* Factors that agree less are left alone: beds at rest have 1.00, nine tenths of the
 * corrections of a drum less than 0.95. */
static const double AGREED = 0.95;
/* On the diagonal, of its largest entry: layers in which nothing carries. */
static const double FLOOR = 1e-9;
/* Friction that is this near to its limit slides. */
static const double AT_LIMIT = 0.999;
/* Bits of the largest part of a sum of integers, which leave room for 2^26 parts. */
enum { FIXED_BITS = 36 };

/* ---- chunks of contacts ------------------------------------------------------------ */

typedef struct chunk_task {
    scree_coarse *c;
    scree_coarse_work *work;
} chunk_task;

static void share_chunks(void *context, const scree_team *team) {
    const chunk_task *t = context;
    const int64_t n = scree_problem_blocks(t->c->p);
    for (int k = team->rank; k < SCREE_COARSE_CHUNKS; k += team->size)
        t->work(t->c, k, n * k / SCREE_COARSE_CHUNKS,
                n * (k + 1) / SCREE_COARSE_CHUNKS);
}

void scree_coarse_for_chunks(scree_coarse *c, scree_coarse_work *work) {
    chunk_task t = {c, work};
    scree_team_run(scree_problem_threads(c->p), share_chunks, &t);
}

/* ---- grid -------------------------------------------------------------------------- */

/* The contact's height above the centre of its first body that moves. */
static double rise_of(const scree_problem *p, const scree_row *row) {
    return dot(p->axis, scree_row_arm(row, row->a < p->n_body));
}

/* Of a chunk, in the place of its first sums: heights, and the longest arm. */
typedef struct extent {
    double low, high, arm;
} extent;

static void note_body(scree_coarse *c, int32_t body, double arm, extent *e) {
    if (body >= c->p->n_body) return;
    const double z = dot(c->p->axis, c->p->x[body].x);
    scree_set_mark(&c->layers.touched[body]);
    e->low = fmin(e->low, fmin(z, z + arm));
    e->high = fmax(e->high, fmax(z, z + arm));
    e->arm = fmax(e->arm, fabs(arm));
}

static void note_round(scree_coarse *c, const scree_block *k, extent *e) {
    for (int l = 0; l < SCREE_LANES; ++l) {
        const double rise = dot(c->p->axis, lane_get(k->n, l));
        note_body(c, k->a[l], -k->arm_a[l] * rise, e);
        note_body(c, k->b[l], k->arm_b[l] * rise, e);
    }
}

static void note_general(scree_coarse *c, const scree_general *k, extent *e) {
    for (int l = 0; l < SCREE_LANES; ++l) {
        note_body(c, k->a[l], dot(c->p->axis, lane_get(k->r_a, l)), e);
        note_body(c, k->b[l], dot(c->p->axis, lane_get(k->r_b, l)), e);
    }
}

static void find_extent(scree_coarse *c, int chunk, int64_t first,
                        int64_t last) {
    const scree_problem *p = c->p;
    const int64_t round = p->round.n_block;
    extent e = {INFINITY, -INFINITY, 0};
    for (int64_t i = first; i < last; ++i)
        if (i < round)
            note_round(c, &p->blocks[i], &e);
        else
            note_general(c, &p->generals[i - round], &e);
    memcpy(&c->layers.sums[chunk], &e, sizeof e);
}

static extent whole_extent(scree_coarse *c) {
    double most[3] = {-INFINITY, -INFINITY, 0};
    memset(c->layers.touched, 0, (size_t)c->p->n_body + 1);
    scree_coarse_for_chunks(c, find_extent);
    for (int k = 0; k < SCREE_COARSE_CHUNKS; ++k) {
        extent e;
        memcpy(&e, &c->layers.sums[k], sizeof e);
        most[0] = fmax(most[0], -e.low), most[1] = fmax(most[1], e.high);
        most[2] = fmax(most[2], e.arm);
    }
    if (c->p->coupling) scree_comm_max(c->p->coupling->comm, most, 3);
    return (extent){-most[0], most[1], most[2]};
}

/* Nodes as far apart as the largest body is high: a contact then lies at most one
 * interval from the centres of its bodies. */
static void choose_nodes(scree_layers *l, extent e) {
    const double high = e.high - e.low;
    const double count = e.arm > 0 ? floor(high / (2 * e.arm)) + 1 : 0;
    const double most = SCREE_COARSE_NODES;
    l->n = count >= LEAST_NODES ? (int)fmin(count, most) : 0;
    l->low = e.low;
    l->per = l->n ? (l->n - 1) / high : 0;
}

/* ---- masses ------------------------------------------------------------------------ */

/* Mass of a body that counts here [kg]: a split one has a share on every rank, else
 * its owner has the whole of it. */
static double mass_here(const scree_coarse *c, int32_t body) {
    const scree_coupling *k = c->p->coupling;
    const double inv_m = c->p->u[body].inv_m;
    bool counts = c->layers.touched[body] && inv_m > 0;
    if (k && scree_coupling_shares(k, body) && !k->is_split)
        counts = k->slot[body] < k->n_owned && inv_m > 0 &&
                 k->shared[k->slot[body]].degree > 0;
    return counts ? 1 / inv_m : 0;
}

/* A unit in which the largest number has FIXED_BITS bits, on all ranks. */
static double unit_for(const scree_problem *p, double largest) {
    if (p->coupling) scree_comm_max(p->coupling->comm, &largest, 1);
    return largest > 0 ? ldexp(1, FIXED_BITS - ilogb(largest)) : 1;
}

SCREE_INLINE void add_to(scree_coarse_sum *sum, bool fixed, double unit,
                         double x) {
    if (fixed)
        sum->fixed += llrint(unit * x);
    else
        sum->real += x;
}

/* The interval of a height, in nodes, and how far into it. */
SCREE_INLINE int interval_of(const scree_layers *l, double z, double *part) {
    const int k = z < 0 ? 0 : z >= l->n - 1 ? l->n - 2 : (int)z;
    *part = z - k;
    return k;
}

static void sum_ranks(const scree_problem *p, bool fixed, scree_coarse_sum *sum,
                      int n) {
    if (!p->coupling) return;
    if (fixed)
        scree_comm_sum_counts(p->coupling->comm, &sum->fixed, n);
    else
        scree_comm_sum(p->coupling->comm, &sum->real, n);
}

static double value_of(const scree_coarse_sum *sum, bool fixed, double unit) {
    return fixed ? (double)sum->fixed / unit : sum->real;
}

static void weigh_layers(scree_coarse *c) {
    scree_layers *l = &c->layers;
    scree_coarse_sum sum[SCREE_COARSE_NODES];
    double largest = 0, part;
    memset(sum, 0, sizeof sum);
    for (int32_t i = 0; i < c->p->n_body; ++i)
        largest = fmax(largest, mass_here(c, i));
    const double unit = l->fixed ? unit_for(c->p, largest) : 1;
    for (int32_t i = 0; i < c->p->n_body; ++i) {
        const double z = dot(c->p->axis, c->p->x[i].x), m = mass_here(c, i);
        l->height[i] = l->per * (z - l->low);
        if (m == 0) continue;
        const int k = interval_of(l, l->height[i], &part);
        add_to(&sum[k], l->fixed, unit, (1 - part) * m);
        add_to(&sum[k + 1], l->fixed, unit, part * m);
    }
    sum_ranks(c->p, l->fixed, sum, l->n);
    for (int k = 0; k < l->n; ++k)
        l->mass[k] = value_of(&sum[k], l->fixed, unit);
}

bool scree_coarse_has_layers(scree_coarse *c) {
    if (!c->layers.made) {
        c->layers.made = true;
        c->layers.fixed = c->p->ordering.on;
        choose_nodes(&c->layers, whole_extent(c));
        if (c->layers.n) weigh_layers(c);
    }
    return c->layers.n > 0;
}

/* ---- sums -------------------------------------------------------------------------- */

/* A contact that carries, as the layers see it. */
typedef struct load {
    int32_t a, b;
    double z; /* in nodes */
    double force,
        test;     /* along the axis, of its percussion and test column [N s] */
    double power; /* test column times xi [J] */
} load;

/* What a contact between nodes k and k + 1 does to the layers of a body there. */
typedef struct effect {
    int k;
    double in[4]; /* hat k of force and test, hat k + 1 of both */
} effect;

SCREE_INLINE void add_effect(const scree_layers *l, scree_coarse_sum *to,
                             double w, const double *in, bool fixed) {
    if (fixed)
        for (int q = 0; q < 4; ++q)
            add_to(&to[q], true, l->force_unit, w * in[q]);
    else
        v4_store(&to->real, v4_load(&to->real) + v4_set(w) * v4_load(in));
}

SCREE_INLINE void add_body(const scree_layers *l, scree_coarse_node *sums,
                           double z, double sign, const effect *e, bool fixed) {
    double part;
    const int at = interval_of(l, z, &part);
    for (int x = 0; x < 2; ++x) {
        const int band = e->k - (at + x) + SCREE_COARSE_REACH;
        if (band < 0 || band + 1 >= SCREE_COARSE_BAND) continue;
        add_effect(l, sums[at + x].in[band], sign * (x ? part : 1 - part),
                   e->in, fixed);
    }
}

SCREE_INLINE void add_load(const scree_coarse *c, scree_coarse_node *sums,
                           const load *d, bool fixed) {
    const scree_layers *l = &c->layers;
    double part;
    const int k = interval_of(l, d->z, &part);
    const double low = 1 - part;
    const effect e = {
        k, {low * d->force, low * d->test, part * d->force, part * d->test}};
    add_to(&sums[k].power, fixed, l->power_unit, low * d->power);
    add_to(&sums[k + 1].power, fixed, l->power_unit, part * d->power);
    if (d->a < c->p->n_body) add_body(l, sums, l->height[d->a], 1, &e, fixed);
    if (d->b < c->p->n_body) add_body(l, sums, l->height[d->b], -1, &e, fixed);
}

/* Height of a contact in nodes, from that of a body that moves. */
static double height_of(const scree_coarse *c, const scree_row *row) {
    const int32_t body = row->a < c->p->n_body ? row->a : row->b;
    return c->layers.height[body] + c->layers.per * rise_of(c->p, row);
}

/* Does the contact stick, so that its whole percussion does no work? One that tells
 * friction otherwise, or turns, is tested by its normal part alone. */
static bool row_sticks(const scree_row *row) {
    if (scree_row_is_tied(row) || scree_row_turns(row)) return false;
    const scree_vec3 P_t =
        scree_row_is_oval(row) ? scree_row_shrink(row, row->P_t) : row->P_t;
    const double limit = AT_LIMIT * row->mu * row->P_n;
    return dot(P_t, P_t) <= limit * limit;
}

static load load_of(const scree_coarse *c, const scree_row *row) {
    const scree_problem *p = c->p;
    const scree_vec3 normal = scale(row->P_n, row->n);
    const scree_vec3 P = add(normal, row->P_t);
    const scree_vec3 test = row_sticks(row) ? P : normal;
    const scree_vec3 xi = row_xi(row, &p->u[row->a], &p->u[row->b]);
    return (load){.a = row->a,
                  .b = row->b,
                  .z = height_of(c, row),
                  .force = dot(p->axis, P),
                  .test = dot(p->axis, test),
                  .power = dot(test, xi)};
}

/* Lane by lane, of both kinds. */
static void add_rows(scree_coarse *c, scree_coarse_node *sums, int64_t first,
                     int64_t last) {
    for (int64_t i = first; i < last; ++i)
        for (int lane = 0; lane < SCREE_LANES; ++lane) {
            const scree_row row = row_of_block(c->p, i, lane);
            if (!(row.P_n > 0)) continue;
            const load d = load_of(c, &row);
            add_load(c, sums, &d, c->layers.fixed);
        }
}

/* The wide twin of load_of, of round contacts. */
SCREE_WIDE
static void add_round(scree_coarse *c, scree_coarse_node *sums, int64_t first,
                      int64_t last) {
    const scree_problem *p = c->p;
    const scree_v4x3 axis = {v4_set(p->axis.x), v4_set(p->axis.y),
                             v4_set(p->axis.z)};
    for (int64_t i = first; i < last; ++i) {
        const scree_block *k = &p->blocks[i];
        const scree_twist *pa[SCREE_LANES], *pb[SCREE_LANES];
        for (int l = 0; l < SCREE_LANES; ++l)
            pa[l] = &p->u[k->a[l]], pb[l] = &p->u[k->b[l]];
        const wide_twist a = wide_load(pa), b = wide_load(pb);
        const scree_v4x3 n = wide_get(k->n), P_t = wide_get(k->P_t);
        const scree_v4x3 xi = wide_xi(k, &a, &b);
        const scree_v4 P_n = v4_load(k->P_n), mu = v4_load(k->mu);
        const scree_v4 limit = v4_set(AT_LIMIT) * mu * P_n, zero = v4_set(0);
        const scree_m4 slides =
            (mu < zero) | (v4_dot(P_t, P_t) > limit * limit);
        const scree_v4 rise = v4_dot(axis, n), along = v4_dot(axis, P_t);
        const scree_v4 work = v4_dot(P_t, xi), lift = P_n * rise;
        const scree_v4 power = P_n * v4_dot(n, xi);
        const scree_v4 force = lift + along;
        const scree_v4 test = v4_select(slides, lift, force);
        const scree_v4 done = v4_select(slides, power, power + work);
        for (int l = 0; l < SCREE_LANES; ++l) {
            if (!(k->P_n[l] > 0)) continue;
            const bool of_a = k->a[l] < p->n_body;
            const double arm = of_a ? -k->arm_a[l] : k->arm_b[l];
            const int32_t body = of_a ? k->a[l] : k->b[l];
            const double z =
                c->layers.height[body] + c->layers.per * arm * rise[l];
            add_load(c, sums,
                     &(load){k->a[l], k->b[l], z, force[l], test[l], done[l]},
                     false);
        }
    }
}

static void add_chunk(scree_coarse *c, int chunk, int64_t first, int64_t last) {
    scree_coarse_node *sums = &c->layers.sums[chunk * SCREE_COARSE_NODES];
    int64_t round = c->p->round.n_block;
    round = round < first ? first : round < last ? round : last;
    memset(sums, 0, (size_t)c->layers.n * sizeof *sums);
    if (c->layers.fixed) {
        add_rows(c, sums, first, last);
        return;
    }
    add_round(c, sums, first, round);
    add_rows(c, sums, round, last);
}

/* Largest force and power of a contact, for the units of integers. */
static void find_largest(scree_coarse *c, int chunk, int64_t first,
                         int64_t last) {
    double largest[2] = {0};
    for (int64_t i = first; i < last; ++i)
        for (int lane = 0; lane < SCREE_LANES; ++lane) {
            const scree_row row = row_of_block(c->p, i, lane);
            if (!(row.P_n > 0)) continue;
            const load d = load_of(c, &row);
            largest[0] = fmax(largest[0], fmax(fabs(d.force), fabs(d.test)));
            largest[1] = fmax(largest[1], fabs(d.power));
        }
    memcpy(&c->layers.sums[chunk], largest, sizeof largest);
}

static void choose_units(scree_coarse *c) {
    double largest[2] = {0};
    scree_coarse_for_chunks(c, find_largest);
    for (int k = 0; k < SCREE_COARSE_CHUNKS; ++k) {
        double here[2];
        memcpy(here, &c->layers.sums[k], sizeof here);
        largest[0] = fmax(largest[0], here[0]);
        largest[1] = fmax(largest[1], here[1]);
    }
    c->layers.force_unit = unit_for(c->p, largest[0]);
    c->layers.power_unit = unit_for(c->p, largest[1]);
}

/* Into the sums of the first chunk. */
static void add_contacts(scree_coarse *c) {
    scree_layers *l = &c->layers;
    enum { SIZE = sizeof *l->sums / sizeof(scree_coarse_sum) };
    if (l->fixed) choose_units(c);
    scree_coarse_for_chunks(c, add_chunk);
    scree_coarse_sum *all = l->sums[0].in[0];
    const int n = l->n * SIZE;
    for (int k = 1; k < SCREE_COARSE_CHUNKS; ++k) {
        const scree_coarse_sum *more = l->sums[k * SCREE_COARSE_NODES].in[0];
        for (int i = 0; i < n; ++i)
            if (l->fixed)
                all[i].fixed += more[i].fixed;
            else
                all[i].real += more[i].real;
    }
    sum_ranks(c->p, l->fixed, all, n);
}

/* ---- the coarse equations ---------------------------------------------------------- */

/* sum over L of (phi_L^T W t_j) (phi_L^T W b_k) / D_L, and -t_j^T xi. */
static void write_equations(scree_layers *l) {
    const int n = l->n, reach = SCREE_COARSE_REACH;
    memset(l->matrix, 0, (size_t)(n * n) * sizeof *l->matrix);
    for (int L = 0; L < n; ++L) {
        const scree_coarse_node *node = &l->sums[L];
        l->s[L] = -value_of(&node->power, l->fixed, l->power_unit);
        if (!(l->mass[L] > 0)) continue;
        for (int j = 0; j < SCREE_COARSE_BAND; ++j)
            for (int k = 0; k < SCREE_COARSE_BAND; ++k) {
                const int row = L + j - reach, column = L + k - reach;
                if (row < 0 || row >= n || column < 0 || column >= n) continue;
                l->matrix[row * n + column] +=
                    value_of(&node->in[j][1], l->fixed, l->force_unit) *
                    value_of(&node->in[k][0], l->fixed, l->force_unit) /
                    l->mass[L];
            }
    }
    double largest = 0;
    for (int k = 0; k < n; ++k)
        largest = fmax(largest, fabs(l->matrix[k * n + k]));
    for (int k = 0; k < n; ++k) l->matrix[k * n + k] += FLOOR * largest;
}

/* Within bounds; the largest of them. */
static double bound_factors(scree_layers *l, double least, double most) {
    double largest = 0;
    for (int k = 0; k < l->n; ++k) {
        l->s[k] = fmin(fmax(l->s[k], least), most);
        largest = fmax(largest, fabs(l->s[k]));
    }
    return largest;
}

/* |sum| over sum of | | of the factors, by the load of their layers: 1 where all loads
 * are too small, or too large. In a flow they are the one here and the other there:
 * what is wrong with them is not their weight. */
static double agreement_of(const scree_layers *l) {
    double sum = 0, size = 0;
    for (int k = 0; k < l->n; ++k) {
        double weight = 0;
        for (int band = 0; band < SCREE_COARSE_BAND; ++band)
            weight += fabs(
                value_of(&l->sums[k].in[band][0], l->fixed, l->force_unit));
        sum += weight * l->s[k];
        size += weight * fabs(l->s[k]);
    }
    return size > 0 ? fabs(sum) / size : 0;
}

static double factor_at(const scree_layers *l, double z) {
    double part;
    const int k = interval_of(l, z, &part);
    return (1 - part) * l->s[k] + part * l->s[k + 1];
}

bool scree_coarse_find_factors(scree_coarse *c, double least, double most) {
    scree_layers *l = &c->layers;
    add_contacts(c);
    write_equations(l);
    if (!scree_lu_factor(l->matrix, l->pivot, l->n)) return false;
    scree_lu_solve(l->matrix, l->pivot, l->n, l->s);
    for (int k = 0; k < l->n; ++k)
        if (!isfinite(l->s[k])) return false;
    return bound_factors(l, least, most) >= WORTH && agreement_of(l) >= AGREED;
}

double scree_coarse_factor(const scree_coarse *c, const scree_row *row) {
    return factor_at(&c->layers, height_of(c, row));
}

/* ---- scaling ----------------------------------------------------------------------- */

static void raise_lane(double *P, double *last, int lane, double d) {
    P[lane] += d;
    last[lane] += d;
}

static void raise_vector(double P[3][SCREE_LANES], double last[3][SCREE_LANES],
                         int lane, scree_vec3 d) {
    raise_lane(P[0], last[0], lane, d.x);
    raise_lane(P[1], last[1], lane, d.y);
    raise_lane(P[2], last[2], lane, d.z);
}

static void move_row(scree_problem *p, const scree_row *row, double s) {
    row_bodies bodies;
    row_find(p, row, &bodies);
    row_move(row, &bodies, s * row->P_n, scale(s, row->P_t), scale(s, row->M));
}

/* Where nothing carries P is 0 and stays so. */
static void find_factors(const scree_coarse *c, const scree_block *k,
                         double s[SCREE_LANES]) {
    for (int l = 0; l < SCREE_LANES; ++l) {
        s[l] = 0;
        if (!(k->P_n[l] > 0)) continue;
        const bool of_a = k->a[l] < c->p->n_body;
        const double arm = of_a ? -k->arm_a[l] : k->arm_b[l];
        const double rise = arm * dot(c->p->axis, lane_get(k->n, l));
        const double z = c->layers.height[of_a ? k->a[l] : k->b[l]];
        s[l] = factor_at(&c->layers, z + c->layers.per * rise);
    }
}

SCREE_INLINE void raise_wide(double *P, double *last, scree_v4 d) {
    v4_store(P, v4_load(P) + d);
    v4_store(last, v4_load(last) + d);
}

SCREE_WIDE
static void scale_round(scree_problem *p, const int32_t *list, int64_t first,
                        int64_t last, const void *context) {
    scree_twist still = {0};
    for (int64_t i = first; i < last; ++i) {
        scree_block *k = &p->blocks[list[i]];
        double factor[SCREE_LANES];
        find_factors(context, k, factor);
        const scree_v4 s = v4_load(factor);
        const scree_v4x3 P_t = wide_get(k->P_t);
        const scree_v4 d_n = s * v4_load(k->P_n);
        const scree_v4x3 d_t = {s * P_t.x, s * P_t.y, s * P_t.z};
        scree_twist *pa[SCREE_LANES], *pb[SCREE_LANES];
        wide_find(p, k->a, k->b, &still, pa, pb);
        wide_twist a = wide_load((const scree_twist *const *)pa);
        wide_twist b = wide_load((const scree_twist *const *)pb);
        wide_push(k, d_n, d_t, &a, &b);
        wide_store(pa, &a);
        wide_store(pb, &b);
        raise_wide(k->P_n, k->P_n_last, d_n);
        raise_wide(k->P_t[0], k->P_t_last[0], d_t.x);
        raise_wide(k->P_t[1], k->P_t_last[1], d_t.y);
        raise_wide(k->P_t[2], k->P_t_last[2], d_t.z);
    }
}

/* The overflow: its contacts may share bodies. */
static void scale_one_by_one(scree_problem *p, const int32_t *list,
                             int64_t first, int64_t last, const void *context) {
    for (int64_t i = first; i < last; ++i)
        for (int l = 0; l < SCREE_LANES; ++l) {
            scree_block *k = &p->blocks[list[i]];
            double factor[SCREE_LANES];
            find_factors(context, k, factor);
            const double s = factor[l];
            const scree_row row = row_of_round(p, k, l);
            move_row(p, &row, s);
            raise_lane(k->P_n, k->P_n_last, l, s * row.P_n);
            raise_vector(k->P_t, k->P_t_last, l, scale(s, row.P_t));
        }
}

static void scale_general(scree_problem *p, const int32_t *list, int64_t first,
                          int64_t last, const void *context) {
    const scree_coarse *c = context;
    for (int64_t i = first; i < last; ++i)
        for (int l = 0; l < SCREE_LANES; ++l) {
            scree_general *k = &p->generals[list[i]];
            if (!(k->P_n[l] > 0)) continue;
            const scree_row row = row_of_general(p, k, l);
            const double s = scree_coarse_factor(c, &row);
            move_row(p, &row, s);
            raise_lane(k->P_n, k->P_n_last, l, s * row.P_n);
            raise_vector(k->P_t, k->P_t_last, l, scale(s, row.P_t));
            raise_vector(k->M, k->M_last, l, scale(s, row.M));
        }
}

static void scale_share(void *context, const scree_team *team) {
    static const scree_pass pass = {scale_round, scale_one_by_one,
                                    scale_general, scale_general};
    scree_coarse *c = context;
    scree_problem_pass(c->p, team, &pass, c);
}

scree_coarse_result scree_coarse_scale_layers(scree_coarse *c) {
    if (!scree_coarse_has_layers(c)) return SCREE_COARSE_UNFIT;
    if (!scree_coarse_find_factors(c, LEAST_S, MOST_S))
        return SCREE_COARSE_SMALL;
    scree_team_run(scree_problem_threads(c->p), scale_share, c);
    return SCREE_COARSE_CHANGED;
}
