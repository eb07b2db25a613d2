/* lemke_dense.c: the inclusion as a linear complementarity problem (004
 * section 6), solved by Lemke's algorithm.
 *
 *     w = M z + q,   w >= 0,  z >= 0,  w z = 0
 *
 * Pairs (w, z) of a set:
 *     half line                 (xi, P)
 *     friction |P| <= a, a = mu P_N + radius, with P = -a + Lambda_R:
 *                               (xi_R, Lambda_R), xi_R = xi + xi_L
 *                               (Lambda_L, xi_L), Lambda_L = 2 a - Lambda_R
 *     interval [lo, hi]: the same with P = lo + Lambda_R, Lambda_L = hi - P;
 *                        with one infinite end a shifted half line
 *     free                      eliminated: P_f = -G_ff^-1 (G_fr P_r + b_f)
 *
 * So P = T z + t, xi = G T z + G t + b, and the rows of M are those of G T, of
 * T and of the identity. The problem is scaled: percussions by beta / g and
 * velocities by beta, g the mean diagonal entry of G and beta = max |b|;
 * without it the ratio test ends on a ray that does not exist. Ties of the
 * ratio test are broken in lexicographic order, so that no basis comes twice.
 * Another covering vector is tried when a ray is met, since the matrix of
 * friction is not copositive, or when what a path ends at is no solution to the
 * tolerance. If none is found, newton goes on from the P that was given, and
 * report->by says so: what counts as solved is so by its residual, never by the path.
 *
 * q >= 0 but for roundings needs no pivot: z = 0.
 *
 * One pivot costs 2 m^2. */
#include "solvers/dense/delassus_sets.h"
#include "solvers/dense/semismooth.h"
#include "solvers/problem/method.h"

#include "engine/base/error.h"
#include "engine/base/random.h"

enum { ATTEMPTS = 8 };
/* Chosen on 800 random problems of 10 contacts with redundant rows: pivots from
 * 1e-11 and ties at 1e-13 left 12 unsolved, these left 1. */
static const double LEAST_PIVOT = 1e-10, TIE = 1e-10;
/* Entries of q above minus this are roundings, in the units of the scaled problem. */
static const double ROUNDING = 1e-14;

typedef struct lcp {
    scree_delassus *d;
    scree_arena *scratch;
    int n, m; /* rows of P, pairs */
    int n_free;
    double *T;    /* (n x (m + 1)) P = T z + t, t at its end */
    double *M;    /* (m x (m + 1)) with q at its end */
    double *unit; /* (m) of z [N s or m/s]: z = unit z'; then 1 */
    double percussion, velocity; /* the two units */
    int *first;                  /* (n_set) first pair of each set */
    int *free;                   /* (n_free) rows that are eliminated */
    double *tableau;             /* (m x (2 m + 2)) w, z, z0, right-hand side */
    int *basis; /* (m) variable of each row: w_i = i, z_i = m + i, z0 = 2m */
    double *z;  /* (m) */
} lcp;

/* ---- which pairs a set has ---------------------------------------------- */

static bool is_ball(const scree_set *s) {
    return s->kind == SCREE_SET_BALL;
}

static bool is_free(const scree_set *s) {
    return !is_ball(s) && isinf(set_lo(s)) && isinf(set_hi(s));
}

static int pair_count(const scree_set *s) {
    return is_ball(s) ? 2
           : s->kind == SCREE_SET_ZERO
               ? 0
               : isfinite(set_lo(s)) + isfinite(set_hi(s));
}

/* An interval with an upper end alone. */
static bool is_upper(const scree_set *s) {
    return !is_ball(s) && isinf(set_lo(s));
}

/* Friction in one component, whose normal is not itself eliminated. */
static bool is_supported(const scree_delassus *d, const scree_set *s) {
    if (!is_ball(s)) return true;
    if (s->n != 1) return false;
    for (int k = 0; k < d->n_set; ++k) {
        const scree_set *other = &d->sets[k];
        if (other->row == s->normal && s->mu != 0 &&
            (is_free(other) || is_ball(other)))
            return false;
    }
    return true;
}

static bool count_rows(lcp *c) {
    for (int k = 0; k < c->d->n_set; ++k) {
        const scree_set *s = &c->d->sets[k];
        if (!is_supported(c->d, s)) return false;
        c->m += pair_count(s);
        c->n_free += is_free(s);
    }
    return true;
}

static bool allocate_lcp(lcp *c) {
    const size_t n = (size_t)c->n, m = (size_t)c->m;
    scree_arena *to = c->scratch;
    return SCREE_PUSH(to, c->T, n * (m + 1)) &&
           SCREE_PUSH(to, c->M, m * (m + 1)) &&
           SCREE_PUSH(to, c->unit, m + 1) &&
           SCREE_PUSH(to, c->first, c->d->n_set) &&
           SCREE_PUSH(to, c->free, c->n_free) &&
           SCREE_PUSH(to, c->tableau, m * (2 * m + 2)) &&
           SCREE_PUSH(to, c->basis, m) && SCREE_PUSH(to, c->z, m);
}

static double *T_row(const lcp *c, int i) {
    return &c->T[(size_t)i * ((size_t)c->m + 1)];
}
static double *M_row(const lcp *c, int i) {
    return &c->M[(size_t)i * ((size_t)c->m + 1)];
}

static void choose_units(lcp *c) {
    double trace = 0, b = 0;
    for (int i = 0; i < c->n; ++i) {
        trace += fabs(G_row(c->d, i)[i]);
        b = fmax(b, fabs(c->d->b[i]));
    }
    c->velocity = b > 0 ? b : 1;
    c->percussion = trace > 0 ? c->velocity * c->n / trace : 1;
}

/* ---- P = T z + t -------------------------------------------------------- */

static void write_row(lcp *c, const scree_set *s, int pair) {
    double *T = T_row(c, s->row);
    T[pair] = is_upper(s) ? -1 : 1;
    T[c->m] = is_upper(s) ? set_hi(s) : set_lo(s);
}

/* P = -(mu P_N + radius) + Lambda_R */
static void write_friction(lcp *c, const scree_set *s, int pair) {
    double *T = T_row(c, s->row);
    for (int j = 0; j <= c->m && s->normal >= 0; ++j)
        T[j] = -s->mu * T_row(c, s->normal)[j];
    T[c->m] -= s->radius;
    T[pair] += 1;
}

/* Friction after its normal, whatever the order of the sets. */
static void write_sets(lcp *c) {
    memset(c->T, 0, (size_t)c->n * ((size_t)c->m + 1) * sizeof *c->T);
    int pair = 0, n_free = 0;
    for (int k = 0; k < c->d->n_set; ++k) {
        const scree_set *s = &c->d->sets[k];
        c->first[k] = pair;
        if (is_free(s)) c->free[n_free++] = s->row;
        if (!is_ball(s) && pair_count(s)) write_row(c, s, pair);
        pair += pair_count(s);
    }
    for (int k = 0; k < c->d->n_set; ++k)
        if (is_ball(&c->d->sets[k]))
            write_friction(c, &c->d->sets[k], c->first[k]);
}

/* Column j of T on the free rows, from the other rows: -G_ff^-1 G_fr T_r; column m, which
 * is t, has -b_f too. The free rows of T are still 0. */
static void free_column(const lcp *c, const double *LU, const int *pivot, int j,
                        double *column) {
    for (int f = 0; f < c->n_free; ++f) {
        const double *G = G_row(c->d, c->free[f]);
        double sum = j == c->m ? c->d->b[c->free[f]] : 0;
        for (int i = 0; i < c->n; ++i) sum += G[i] * T_row(c, i)[j];
        column[f] = -sum;
    }
    scree_lu_solve(LU, pivot, c->n_free, column);
    for (int f = 0; f < c->n_free; ++f) T_row(c, c->free[f])[j] = column[f];
}

static scree_status eliminate_free(lcp *c) {
    const size_t mark = scree_arena_mark(c->scratch), n = (size_t)c->n_free;
    double *LU, *column;
    int *pivot;
    scree_status status = SCREE_OUT_OF_MEMORY;
    if (SCREE_PUSH(c->scratch, LU, n * n) &&
        SCREE_PUSH(c->scratch, column, n) && SCREE_PUSH(c->scratch, pivot, n)) {
        for (size_t i = 0; i < n; ++i)
            for (size_t j = 0; j < n; ++j)
                LU[i * n + j] = G_row(c->d, c->free[i])[c->free[j]];
        status = scree_lu_factor(LU, pivot, c->n_free) ? SCREE_OK
                                                       : SCREE_UNSUPPORTED;
    }
    for (int j = 0; j <= c->m && status == SCREE_OK; ++j)
        free_column(c, LU, pivot, j, column);
    scree_arena_pop(c->scratch, mark);
    return status;
}

/* ---- w = M z + q -------------------------------------------------------- */

/* w_pair = sign (G_i P + b_i), and the unit of its z. */
static void write_velocity(lcp *c, int pair, int i, double sign) {
    const double *G = G_row(c->d, i);
    double *M = M_row(c, pair);
    M[c->m] = sign * c->d->b[i];
    for (int k = 0; k < c->n; ++k)
        for (int j = 0; j <= c->m; ++j) M[j] += sign * G[k] * T_row(c, k)[j];
    c->unit[pair] = c->percussion;
}

/* w = Lambda_L = P_max - P, z = xi_L; xi_L enters xi_R = xi + xi_L. */
static void write_slack(lcp *c, const scree_set *s, int pair) {
    double *M = M_row(c, pair + 1);
    M_row(c, pair)[pair + 1] += 1;
    M[pair] = -1;
    c->unit[pair + 1] = c->velocity;
    M[c->m] = is_ball(s) ? 2 * s->radius : s->hi - s->lo;
    for (int j = 0; j <= c->m && is_ball(s) && s->normal >= 0; ++j)
        M[j] += 2 * s->mu * T_row(c, s->normal)[j];
}

/* z = unit z', and w in the other unit: percussion * velocity / unit. */
static void scale_rows(lcp *c) {
    c->unit[c->m] = 1;
    for (int i = 0; i < c->m; ++i) {
        const double to = c->unit[i] / (c->percussion * c->velocity);
        for (int j = 0; j <= c->m; ++j) M_row(c, i)[j] *= to * c->unit[j];
    }
}

static scree_status formulate_lcp(lcp *c) {
    choose_units(c);
    write_sets(c);
    TRY(eliminate_free(c));
    memset(c->M, 0, (size_t)c->m * ((size_t)c->m + 1) * sizeof *c->M);
    for (int k = 0; k < c->d->n_set; ++k) {
        const scree_set *s = &c->d->sets[k];
        const int pairs = pair_count(s), pair = c->first[k];
        if (pairs > 0) write_velocity(c, pair, s->row, is_upper(s) ? -1 : 1);
        if (pairs > 1) write_slack(c, s, pair);
    }
    scale_rows(c);
    return SCREE_OK;
}

/* ---- Lemke -------------------------------------------------------------- */

static double *tableau_row(const lcp *c, int i) {
    return &c->tableau[(size_t)i * (size_t)(2 * c->m + 2)];
}

/* w - M z - cover z0 = q. The first cover is 1, others are spread about it. */
static void start_tableau(lcp *c, int attempt) {
    const int m = c->m;
    scree_random rng = scree_random_stream(1, (uint64_t)attempt);
    for (int i = 0; i < m; ++i) {
        double *row = tableau_row(c, i);
        memset(row, 0, (size_t)m * sizeof *row);
        row[i] = 1;
        for (int j = 0; j < m; ++j) row[m + j] = -M_row(c, i)[j];
        row[2 * m] = attempt ? -scree_random_range(&rng, 0.1, 2) : -1;
        row[2 * m + 1] = M_row(c, i)[m];
        c->basis[i] = i;
    }
}

static void pivot_on(lcp *c, int row, int column) {
    const int width = 2 * c->m + 2;
    double *p = tableau_row(c, row);
    const double by = 1 / p[column];
    for (int j = 0; j < width; ++j) p[j] *= by;
    p[column] = 1;
    for (int i = 0; i < c->m; ++i) {
        double *a = tableau_row(c, i);
        const double f = a[column];
        if (i == row || f == 0) continue;
        for (int j = 0; j < width; ++j) a[j] -= f * p[j];
        a[column] = 0;
    }
    c->basis[row] = column;
}

/* Whether row a comes before row b: (right-hand side, w columns) / pivot. */
static bool row_precedes(const lcp *c, int a, int b, int column) {
    const double *x = tableau_row(c, a), *y = tableau_row(c, b);
    for (int k = -1; k < c->m; ++k) {
        const int j = k < 0 ? 2 * c->m + 1 : k;
        const double u = x[j] / x[column], v = y[j] / y[column];
        const double tie = fmax(ROUNDING, TIE * fmax(fabs(u), fabs(v)));
        if (fabs(u - v) > tie) return u < v;
        if (k < 0 && c->basis[a] == 2 * c->m) return true; /* z0 first */
        if (k < 0 && c->basis[b] == 2 * c->m) return false;
    }
    return false;
}

/* The row that leaves; -1: a ray. */
static int leaving_row(const lcp *c, int column) {
    int best = -1;
    for (int i = 0; i < c->m; ++i) {
        if (!(tableau_row(c, i)[column] > LEAST_PIVOT)) continue;
        if (best < 0 || row_precedes(c, i, best, column)) best = i;
    }
    return best;
}

/* q / cover of a row. Pivots on z0 are negative. */
static double row_need(const lcp *c, int i) {
    return -tableau_row(c, i)[2 * c->m + 1] / tableau_row(c, i)[2 * c->m];
}

/* The row that z0 must cover most; -1: none, q >= 0. A small negative entry beside
 * zeros is no tie: a pivot on one of those would leave it negative, which is no vertex to
 * start a path from. Equal ones are taken in lexicographic order, the last first. */
static int most_negative(const lcp *c) {
    int best = -1;
    bool needed = false;
    for (int i = 0; i < c->m; ++i) {
        needed = needed || M_row(c, i)[c->m] < -ROUNDING;
        const double less = best < 0 ? -1 : row_need(c, i) - row_need(c, best);
        if (less < 0 || (less == 0 && row_precedes(c, best, i, 2 * c->m)))
            best = i;
    }
    return needed ? best : -1;
}

/* Lemke's path; true at a solution. */
static bool follow_path(lcp *c, int iterations, int *pivots) {
    int row = most_negative(c), column = 2 * c->m;
    if (row < 0) return true;
    while (*pivots < iterations) {
        const int out = c->basis[row];
        pivot_on(c, row, column);
        ++*pivots;
        if (out == 2 * c->m) return true;
        column = out < c->m ? out + c->m : out - c->m;
        row = leaving_row(c, column);
        if (row < 0) return false;
    }
    return false;
}

/* ---- solution ----------------------------------------------------------- */

/* The values of the basis from the given M and q, free of what the pivots have
 * rounded: column by column w_i - M z = q. */
static scree_status refine_basis(lcp *c) {
    const size_t mark = scree_arena_mark(c->scratch), m = (size_t)c->m;
    double *B, *x;
    int *pivot;
    const bool room = SCREE_PUSH(c->scratch, B, m * m) &&
                      SCREE_PUSH(c->scratch, x, m) &&
                      SCREE_PUSH(c->scratch, pivot, m);
    for (int i = 0; i < c->m && room; ++i) {
        x[i] = M_row(c, i)[c->m];
        for (int j = 0; j < c->m; ++j)
            B[(size_t)i * m + (size_t)j] =
                c->basis[j] < c->m ? (i == c->basis[j])
                                   : -M_row(c, i)[c->basis[j] - c->m];
    }
    if (room && scree_lu_factor(B, pivot, c->m)) {
        scree_lu_solve(B, pivot, c->m, x);
        for (int i = 0; i < c->m; ++i) tableau_row(c, i)[2 * c->m + 1] = x[i];
    }
    scree_arena_pop(c->scratch, mark);
    return room ? SCREE_OK : SCREE_OUT_OF_MEMORY;
}

static scree_status store_solution(lcp *c) {
    TRY(refine_basis(c));
    memset(c->z, 0, (size_t)c->m * sizeof *c->z);
    for (int i = 0; i < c->m; ++i) {
        const int j = c->basis[i] - c->m;
        if (j >= 0)
            c->z[j] = c->unit[j] * fmax(0, tableau_row(c, i)[2 * c->m + 1]);
    }
    for (int i = 0; i < c->n; ++i) {
        c->d->P[i] = T_row(c, i)[c->m];
        for (int j = 0; j < c->m; ++j) c->d->P[i] += T_row(c, i)[j] * c->z[j];
    }
    return SCREE_OK;
}

static bool is_finite(const scree_delassus *d) {
    const size_t n = (size_t)d->n;
    double sum = 0; /* one that is not finite makes the sum so */
    for (size_t i = 0; i < n; ++i) sum += 0 * d->b[i];
    for (size_t i = 0; i < n * n; ++i) sum += 0 * d->G[i];
    return sum == 0;
}

static bool is_solution(const scree_delassus *d, double tolerance,
                        scree_arena *scratch) {
    return scree_delassus_residual(d, scratch) <=
           scree_delassus_reachable(d, tolerance);
}

/* Paths from different covers, until one ends at a solution. */
static scree_status solve_lcp(lcp *c, const scree_solver_options *options,
                              int *pivots, bool *solved) {
    *solved = false;
    if (!is_finite(c->d)) return SCREE_OK;
    TRY(formulate_lcp(c));
    for (int k = 0; k < ATTEMPTS && !*solved; ++k) {
        start_tableau(c, k);
        if (!follow_path(c, options->iterations, pivots)) continue;
        TRY(store_solution(c));
        *solved = is_solution(c->d, options->tolerance, c->scratch);
    }
    return SCREE_OK;
}

/* Solves, or leaves P as it is given. */
static scree_status try_lcp(lcp *c, const scree_solver_options *options,
                            int *pivots, bool *solved) {
    double *given;
    const size_t bytes = (size_t)c->n * sizeof *given;
    if (!SCREE_PUSH(c->scratch, given, c->n) || !allocate_lcp(c))
        return SCREE_OUT_OF_MEMORY;
    memcpy(given, c->d->P, bytes);
    TRY(solve_lcp(c, options, pivots, solved));
    if (!*solved) memcpy(c->d->P, given, bytes);
    return SCREE_OK;
}

static scree_status fall_back(scree_delassus *d,
                              const scree_solver_options *options,
                              scree_arena *scratch, scree_report *report) {
    const int pivots = report->iterations;
    scree_solver_options left = *options;
    left.iterations -= pivots;
    TRY(scree_dense_newton(d, &left, scratch, report));
    report->iterations += pivots;
    scree_report_sign(report, "newton");
    return SCREE_OK;
}

scree_status scree_dense_lemke(scree_delassus *d,
                               const scree_solver_options *options,
                               scree_arena *scratch, scree_report *report) {
    const size_t mark = scree_arena_mark(scratch);
    lcp c = {.d = d, .scratch = scratch, .n = d->n};
    bool solved;
    *report = (scree_report){.residual = NAN};
    if (!count_rows(&c)) return SCREE_UNSUPPORTED;
    const scree_status status =
        try_lcp(&c, options, &report->iterations, &solved);
    scree_arena_pop(scratch, mark);
    if (status != SCREE_OK) return status;
    if (!solved) return fall_back(d, options, scratch, report);
    report->residual = scree_delassus_residual(d, scratch);
    report->converged = true;
    return SCREE_OK;
}
