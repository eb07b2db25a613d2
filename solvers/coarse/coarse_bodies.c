/* coarse_bodies.c: one proximal Newton step for all bodies of a small, narrow problem,
 * coarse.h.
 *
 *     (M + kappa W rho W^T) du = -kappa W rho xi,    dP = -kappa rho (xi + W^T du)
 *
 * over the contacts that bear now, sticking ones with three rows, sliding ones with
 * their normal alone, and the bars of joints that are within their bounds: a chain of a
 * hundred links is out of reach of sweeps. Bodies are sorted by height, or along joints
 * (coarse_order.c), and the matrix is kept as an envelope: row i from the first column that is not zero up to the diagonal. Cholesky's
 * factor has the same envelope (George and Liu 1981, chapter 4). A larger kappa leaves
 * less of the error, but contacts that ought to open or slide take it the worse: while
 * the residual falls kappa grows by GROW, else the step is undone and tried with less. */
#include <string.h>

#include "solvers/coarse/coarse_parts.h"
#include "solvers/problem/kernel.h"

enum { SIX = 6, MOST_BODIES = 256, MOST_CONTACTS = 1024, TRIES = 3 };
/* Multiplications of a factorisation, at most, by contact: some 40 sweeps. */
static const double WORK = 4000;
static const double FIRST_KAPPA = 1e3, LEAST_KAPPA = 10, MOST_KAPPA = 1e6;
static const double GROW = 10;

bool scree_coarse_is_small(const scree_problem *p) {
    return p->x && !p->coupling && !p->ordering.on &&
           p->n_body <= MOST_BODIES && p->n_contact > 0 &&
           p->n_contact <= MOST_CONTACTS;
}

/* ---- envelope ------------------------------------------------------------------------ */

/* The first body, by rank, that each shares a contact with. */
static void find_first(const scree_coarse *c) {
    const int32_t *rank = c->bodies.rank;
    int32_t *first = c->bodies.first;
    for (int32_t i = 0; i < c->bodies.n; ++i) first[i] = i;
    for (int64_t i = 0; i < c->p->n_contact; ++i) {
        const scree_row row = scree_problem_row(c->p, i);
        const int32_t a = rank[row.a], b = rank[row.b];
        if (a < 0 || b < 0) continue;
        const int32_t high = a > b ? a : b, low = a > b ? b : a;
        if (low < first[high]) first[high] = low;
    }
}

/* Where rows end; returns the multiplications of a factorisation. */
static double lay_out(scree_bodies_step *s) {
    double work = 0;
    s->row[0] = 0;
    for (int32_t i = 0; i < SIX * s->n; ++i) {
        const int64_t length = i - SIX * s->first[i / SIX] + 1;
        s->row[i + 1] = s->row[i] + length;
        work += 0.5 * (double)(length * length);
    }
    return work;
}

/* Column of a row's first entry; its entries by column. */
static int64_t first_of(const scree_bodies_step *s, int64_t i) {
    return i + 1 - (s->row[i + 1] - s->row[i]);
}
static double *entries_of(const scree_bodies_step *s, int64_t i) {
    return s->entries + s->row[i] - first_of(s, i);
}

static void *take_room(scree_coarse *c, double n, size_t size) {
    return scree_arena_push(c->scratch, (size_t)n * size);
}

scree_status scree_coarse_make_bodies(scree_coarse *c) {
    scree_bodies_step *s = &c->bodies;
    const scree_problem *p = c->p;
    const int64_t lanes =
        SCREE_LANES * (p->round.capacity + p->general.capacity);
    const double contacts =
        (double)(lanes < MOST_CONTACTS ? lanes : MOST_CONTACTS);
    const double n = 2 * contacts, rows = SIX * n;
    s->rank = take_room(c, p->n_body + 1, sizeof *s->rank);
    s->body = take_room(c, n, sizeof *s->body);
    s->first = take_room(c, n, sizeof *s->first);
    s->row = take_room(c, rows + 1, sizeof *s->row);
    s->du = take_room(c, rows, sizeof *s->du);
    s->u = take_room(c, n, sizeof *s->u);
    s->change = take_room(c, contacts, sizeof *s->change);
    s->head = take_room(c, p->n_body + 1, sizeof *s->head);
    s->next = take_room(c, 2 * contacts, sizeof *s->next);
    /* The sum of lengths is bounded by that of their squares. */
    s->entries =
        take_room(c, sqrt(rows * 2 * WORK * contacts) + 1, sizeof *s->entries);
    return s->rank && s->body && s->first && s->row && s->du && s->u &&
                   s->change && s->head && s->next && s->entries
               ? SCREE_OK
               : SCREE_OUT_OF_MEMORY;
}

/* Is the problem narrow enough? Its lists are made. */
static bool prepare_lists(scree_coarse *c) {
    scree_bodies_step *s = &c->bodies;
    s->made = true;
    s->kappa = FIRST_KAPPA;
    if (scree_problem_obeys(c->p, SCREE_TIED)) return false;
    scree_coarse_order(c);
    find_first(c);
    return lay_out(s) <= WORK * (double)c->p->n_contact;
}

/* ---- the matrix ---------------------------------------------------------------------- */

/* Inertia from its inverse. A turn that is frozen has an inverse of 0, and no
 * percussion turns it: any number will do. */
static scree_sym3 inertia_of(const scree_problem *p, int32_t body) {
    const double t = p->u[body].inv_theta;
    const scree_sym3 q =
        p->inv_I ? p->inv_I[body] : (scree_sym3){.xx = t, .yy = t, .zz = t};
    const double xx = q.yy * q.zz - q.yz * q.yz;
    const double xy = q.xz * q.yz - q.xy * q.zz;
    const double xz = q.xy * q.yz - q.xz * q.yy;
    const double det = q.xx * xx + q.xy * xy + q.xz * xz;
    if (!(det > 0))
        return (scree_sym3){.xx = q.xx > 0 ? 1 / q.xx : 1,
                            .yy = q.yy > 0 ? 1 / q.yy : 1,
                            .zz = q.zz > 0 ? 1 / q.zz : 1};
    return (scree_sym3){.xx = xx / det,
                        .yy = (q.xx * q.zz - q.xz * q.xz) / det,
                        .zz = (q.xx * q.yy - q.xy * q.xy) / det,
                        .xy = xy / det,
                        .xz = xz / det,
                        .yz = (q.xy * q.xz - q.xx * q.yz) / det};
}

static void set_inertia(scree_coarse *c) {
    const scree_bodies_step *s = &c->bodies;
    memset(s->entries, 0, (size_t)s->row[SIX * s->n] * sizeof *s->entries);
    for (int32_t k = 0; k < s->n; ++k) {
        const int64_t i = SIX * k;
        const scree_sym3 I = inertia_of(c->p, s->body[k]);
        for (int x = 0; x < 3; ++x)
            entries_of(s, i + x)[i + x] = 1 / c->p->u[s->body[k]].inv_m;
        entries_of(s, i + 3)[i + 3] = I.xx;
        entries_of(s, i + 4)[i + 3] = I.xy, entries_of(s, i + 4)[i + 4] = I.yy;
        entries_of(s, i + 5)[i + 3] = I.xz, entries_of(s, i + 5)[i + 4] = I.yz;
        entries_of(s, i + 5)[i + 5] = I.zz;
    }
}

/* One row of W^T along d: what it has of each body, the lower one first. */
typedef struct row_part {
    int64_t at; /* 6 rank, or -1 */
    double w[SIX];
} row_part;

static row_part part_of(const scree_coarse *c, const scree_row *row, bool of_a,
                        scree_vec3 d, bool turns) {
    const int32_t rank = c->bodies.rank[of_a ? row->a : row->b];
    const scree_vec3 w = of_a ? d : scale(-1, d), none = vec(0, 0, 0);
    const scree_vec3 f = turns ? none : w;
    const scree_vec3 m = turns ? w : cross(scree_row_arm(row, of_a), f);
    return (row_part){rank < 0 ? -1 : SIX * (int64_t)rank,
                      {f.x, f.y, f.z, m.x, m.y, m.z}};
}

/* The lower triangle of f g^T. */
static void add_product(const scree_bodies_step *s, double factor,
                        const row_part *f, const row_part *g) {
    if (f->at < g->at || g->at < 0) return;
    for (int i = 0; i < SIX; ++i) {
        double *row = entries_of(s, f->at + i);
        const int end = f->at == g->at ? i + 1 : SIX;
        for (int k = 0; k < end; ++k)
            row[g->at + k] += factor * f->w[i] * g->w[k];
    }
}

/* d: of force, or of moment; r: kappa rho. */
static void add_direction(scree_coarse *c, const scree_row *row, scree_vec3 d,
                          bool turns, double r, double xi) {
    const scree_bodies_step *s = &c->bodies;
    const row_part part[2] = {part_of(c, row, true, d, turns),
                              part_of(c, row, false, d, turns)};
    for (int f = 0; f < 2; ++f) {
        for (int g = 0; g < 2; ++g) add_product(s, r, &part[f], &part[g]);
        for (int k = 0; part[f].at >= 0 && k < SIX; ++k)
            s->du[part[f].at + k] -= r * xi * part[f].w[k];
    }
}

/* How a contact takes part. */
typedef enum status { OPEN, SLIDES, STICKS } status;

static status status_of(const scree_row *row, scree_vec3 xi) {
    const double P_n = row->P_n - row->rho_n * dot(row->n, xi);
    if (!(P_n > 0)) return OPEN;
    if (scree_row_turns(row)) return SLIDES;
    const double limit = row->mu * P_n;
    return norm(row_friction_step(row, xi, row->rho_t)) < limit ? STICKS
                                                                : SLIDES;
}

static scree_vec3 xi_of(const scree_problem *p, const scree_row *row) {
    return row_xi(row, &p->u[row->a], &p->u[row->b]);
}

static void add_contact(scree_coarse *c, const scree_row *row) {
    const scree_vec3 xi = xi_of(c->p, row), t = perpendicular(row->n);
    const scree_vec3 d[3] = {row->n, t, cross(row->n, t)};
    static const int rows[] = {[OPEN] = 0, [SLIDES] = 1, [STICKS] = 3};
    const int n = rows[status_of(row, xi)];
    for (int k = 0; k < n; ++k)
        add_direction(c, row, d[k], false, c->bodies.kappa * row->rho_n,
                      dot(d[k], xi));
}

/* ---- joints -------------------------------------------------------------------------- */

/* p and xi of the bars of a row, and which are within their bounds. */
typedef struct bars_now {
    double p[SCREE_BARS], xi[SCREE_BARS], r[SCREE_BARS]; /* r: 0, it stays */
} bars_now;

/* Softness takes part of a step: dp = -kappa rho (xi + W^T du + s dp). */
static double step_of(const scree_bar *b, double p, double xi, double kappa) {
    if (!(b->A > 0) || !(b->G > 0)) return 0;
    const double to = p - xi / b->A, r = kappa / b->G;
    return to > b->lo && to < b->hi ? r / (1 + r * b->soft) : 0;
}

static bars_now look_at_bars(const scree_coarse *c, const scree_row *row) {
    const scree_twist *a = &c->p->u[row->a], *b = &c->p->u[row->b];
    const scree_vec3 P = row_force(row);
    bars_now now;
    bars_xi(row->bars, P, row->M, row_xi(row, a, b), row_omega(row, a, b),
            now.xi);
    for (int k = 0; k < row->bars->n; ++k) {
        now.p[k] = bar_of(&row->bars->bar[k], P, row->M);
        now.r[k] =
            step_of(&row->bars->bar[k], now.p[k], now.xi[k], c->bodies.kappa);
    }
    return now;
}

static void add_joint(scree_coarse *c, const scree_row *row) {
    const bars_now now = look_at_bars(c, row);
    for (int k = 0; k < row->bars->n; ++k) {
        const scree_bar *b = &row->bars->bar[k];
        if (now.r[k] > 0)
            add_direction(c, row, b->d, b->turns, now.r[k], now.xi[k]);
    }
}

/* The change along each bar, cut to its bounds. */
static row_step change_of_joint(const scree_row *row, const bars_now *now,
                                const scree_twist *a, const scree_twist *b) {
    scree_row still = *row;
    still.c = still.c_m = vec(0, 0, 0);
    const scree_vec3 xi = row_xi(&still, a, b), omega = row_omega(&still, a, b);
    row_step step = {0};
    scree_vec3 P = vec(0, 0, 0);
    for (int k = 0; k < row->bars->n; ++k) {
        const scree_bar *bar = &row->bars->bar[k];
        if (!(now->r[k] > 0)) continue;
        const double to =
            now->p[k] - now->r[k] * (now->xi[k] + bar_of(bar, xi, omega));
        const double dp = bar_clip(bar, to) - now->p[k];
        scree_vec3 *sum = bar->turns ? &step.M : &P;
        *sum = add_scaled(*sum, dp, bar->d);
    }
    step.P_n = dot(row->n, P);
    step.P_t = add_scaled(P, -step.P_n, row->n);
    return step;
}

static void write_equations(scree_coarse *c) {
    memset(c->bodies.du, 0, (size_t)(SIX * c->bodies.n) * sizeof(double));
    set_inertia(c);
    for (int64_t i = 0; i < c->p->n_contact; ++i) {
        const scree_row row = scree_problem_row(c->p, i);
        if (scree_row_is_joint(&row))
            add_joint(c, &row);
        else
            add_contact(c, &row);
    }
}

/* ---- Cholesky ------------------------------------------------------------------------ */

static double dot_rows(const double *a, const double *b, int64_t first,
                       int64_t end) {
    double sum = 0;
    for (int64_t k = first; k < end; ++k) sum += a[k] * b[k];
    return sum;
}

/* A = L L^T in place; false: A is not positive, by rounding. */
static bool factorise_band(const scree_bodies_step *s) {
    for (int64_t i = 0; i < SIX * (int64_t)s->n; ++i) {
        double *a = entries_of(s, i);
        const int64_t start = first_of(s, i);
        for (int64_t j = start; j < i; ++j) {
            const double *b = entries_of(s, j);
            const int64_t from =
                first_of(s, j) > start ? first_of(s, j) : start;
            a[j] = (a[j] - dot_rows(a, b, from, j)) / b[j];
        }
        const double d = a[i] - dot_rows(a, a, start, i);
        if (!(d > 0)) return false;
        a[i] = sqrt(d);
    }
    return true;
}

static void solve_triangles(const scree_bodies_step *s) {
    const int64_t n = SIX * (int64_t)s->n;
    double *x = s->du;
    for (int64_t i = 0; i < n; ++i) {
        const double *a = entries_of(s, i);
        x[i] = (x[i] - dot_rows(a, x, first_of(s, i), i)) / a[i];
    }
    for (int64_t i = n - 1; i >= 0; --i) {
        const double *a = entries_of(s, i);
        x[i] /= a[i];
        for (int64_t k = first_of(s, i); k < i; ++k) x[k] -= a[k] * x[i];
    }
}

/* ---- the step ------------------------------------------------------------------------ */

static scree_twist gain_of(const scree_bodies_step *s, int32_t body) {
    const int32_t rank = s->rank[body];
    if (rank < 0) return (scree_twist){0};
    const double *x = &s->du[SIX * rank];
    return (scree_twist){.v = vec(x[0], x[1], x[2]),
                         .w = vec(x[3], x[4], x[5])};
}

/* What the step makes of a contact, cut to its cone, less what it is. */
static row_step change_of(const scree_coarse *c, const scree_row *row) {
    const scree_bodies_step *s = &c->bodies;
    const scree_twist a = gain_of(s, row->a), b = gain_of(s, row->b);
    if (scree_row_is_joint(row)) {
        const bars_now bars = look_at_bars(c, row);
        return change_of_joint(row, &bars, &a, &b);
    }
    const scree_vec3 xi = xi_of(c->p, row), rest = vec(0, 0, 0);
    const status now = status_of(row, xi);
    if (now == OPEN) return (row_step){0};
    scree_row next = *row;
    next.c = rest;
    const scree_vec3 to = add(xi, row_xi(&next, &a, &b));
    const double r = s->kappa * row->rho_n, to_n = dot(row->n, to);
    row_step step = {.P_n = prox_half_line(row->P_n - r * to_n)};
    if (now == STICKS)
        next.P_t = add_scaled(row->P_t, -r, add_scaled(to, -to_n, row->n));
    row_resist(&next, rest, rest, 0, 0, &step); /* a prox step of length 0 */
    return (row_step){step.P_n - row->P_n, sub(step.P_t, row->P_t),
                      sub(step.M, row->M)};
}

static void raise_vector(double P[3][SCREE_LANES], double last[3][SCREE_LANES],
                         int lane, scree_vec3 d) {
    lane_set(P, lane, add(lane_get(P, lane), d));
    lane_set(last, lane, add(lane_get(last, lane), d));
}

/* Percussions alone; sign -1 takes the change back. */
static void change_contact(scree_problem *p, int64_t i, const row_step *d,
                           double sign) {
    int l;
    if (scree_problem_is_general(p, i)) {
        scree_general *k = scree_problem_general(p, i, &l);
        k->P_n[l] += sign * d->P_n, k->P_n_last[l] += sign * d->P_n;
        raise_vector(k->P_t, k->P_t_last, l, scale(sign, d->P_t));
        raise_vector(k->M, k->M_last, l, scale(sign, d->M));
    } else {
        scree_block *k = scree_problem_block(p, i, &l);
        k->P_n[l] += sign * d->P_n, k->P_n_last[l] += sign * d->P_n;
        raise_vector(k->P_t, k->P_t_last, l, scale(sign, d->P_t));
    }
}

static void take_step(scree_coarse *c) {
    scree_bodies_step *s = &c->bodies;
    scree_problem *p = c->p;
    for (int32_t k = 0; k < s->n; ++k) s->u[k] = p->u[s->body[k]];
    for (int64_t i = 0; i < p->n_contact; ++i) {
        const scree_row row = scree_problem_row(p, i);
        s->change[i] = change_of(c, &row);
    }
    for (int64_t i = 0; i < p->n_contact; ++i) {
        const scree_row row = scree_problem_row(p, i);
        const row_step *d = &s->change[i];
        row_bodies bodies;
        row_find(p, &row, &bodies);
        row_move(&row, &bodies, d->P_n, d->P_t, d->M);
        change_contact(p, i, d, 1);
    }
}

static void undo_step(scree_coarse *c) {
    const scree_bodies_step *s = &c->bodies;
    for (int32_t k = 0; k < s->n; ++k) c->p->u[s->body[k]] = s->u[k];
    for (int64_t i = 0; i < c->p->n_contact; ++i)
        change_contact(c->p, i, &s->change[i], -1);
}

/* Did the residual fall? Else nothing has changed, but for rounding. */
static bool try_step(scree_coarse *c) {
    write_equations(c);
    if (!factorise_band(&c->bodies)) return false;
    solve_triangles(&c->bodies);
    take_step(c);
    if (scree_problem_residual(c->p, c->free).residual < c->last) return true;
    undo_step(c);
    return false;
}

scree_coarse_result scree_coarse_move_bodies(scree_coarse *c) {
    scree_bodies_step *s = &c->bodies;
    if (!s->made) s->fits = prepare_lists(c);
    if (!s->fits) return SCREE_COARSE_UNFIT;
    for (int k = 0; k < TRIES; ++k) {
        if (try_step(c)) {
            s->kappa = fmin(MOST_KAPPA, GROW * s->kappa);
            return SCREE_COARSE_CHANGED;
        }
        s->kappa = fmax(LEAST_KAPPA, s->kappa / GROW);
    }
    return SCREE_COARSE_SMALL;
}
