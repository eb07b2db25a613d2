/* fc3d_lu.c: ordering, pattern and numbers of the block LU.
 *
 * Row by row, with w the row in the making:
 *     w = A_i;   for k in the pattern of L_i, ascending:
 *         L_ik = w_k U_kk^-1,    y_i -= L_ik y_k,    w_j -= L_ik U_kj  (j > k)
 *     U_i = what is left of w
 * L is used at once on the right hand side and never stored. The pattern of L_i
 * is what the elimination tree reaches from the entries of A_i (Gilbert, Liu);
 * the pattern of U is that of L transposed, because that of W is symmetric. */
#include "solvers/blocks/fc3d_lu.h"

#include <amd.h>
#include <math.h>
#include <string.h>

#include "engine/base/simd.h"

/* Blocks of U and w have rows of four numbers, the last one idle. */
enum { BLOCK = 12 };

struct scree_factors {
    const scree_fc3d *p;
    const double *C;
    const double *E;  /* or NULL: identity */
    int n;            /* active contacts */
    int32_t *contact; /* (n) by place in the order */
    int32_t *place;   /* (nc) by contact; -1: not active */
    int32_t *parent;  /* (n) elimination tree, -1: root */
    int32_t *mark;    /* (n) last row that reached this one */
    int32_t *reach;   /* (n) pattern of a row of L, from `top` on */
    int64_t *start;   /* (n + 1) rows of U, diagonal not in them */
    int64_t *end;     /* (n) filled so far */
    int32_t *column;  /* (blocks of U) ascending in each row */
    double *U;        /* (blocks of U x BLOCK) */
    double *D;        /* (n x BLOCK) inverse diagonal blocks */
    int64_t *first;   /* (n + 1) rows of L, if it is kept, else NULL */
    int32_t *left;    /* (blocks of L) their columns */
    double *L;        /* (blocks of L x BLOCK) or NULL */
    bool negative;    /* the determinant */
    double *w;        /* (n x BLOCK) the row in the making, zero elsewhere */
    double *y;        /* (n x 4) */
    int64_t work;     /* block products */
};
typedef struct scree_factors factor;

/* ---- ordering ------------------------------------------------------------ */

/* Numbers the active contacts as they come; NULL: all. */
static void number_active(factor *f, const bool *active) {
    f->n = 0;
    for (int i = 0; i < f->p->nc; i++) {
        const bool takes = !active || active[i];
        f->place[i] = takes ? f->n : -1;
        if (takes) f->contact[f->n++] = i;
    }
}

static int64_t count_blocks(const factor *f) {
    int64_t n = 0;
    for (int i = 0; i < f->n; i++)
        n += f->p->row[f->contact[i] + 1] - f->p->row[f->contact[i]];
    return n;
}

/* Compressed rows of the active part, for amd_order. */
static void write_graph(const factor *f, int32_t *row, int32_t *column) {
    int32_t n = 0;
    for (int i = 0; i < f->n; i++) {
        const int c = f->contact[i];
        row[i] = n;
        for (int64_t k = f->p->row[c]; k < f->p->row[c + 1]; k++)
            if (f->place[f->p->column[k]] >= 0)
                column[n++] = f->place[f->p->column[k]];
    }
    row[f->n] = n;
}

static bool order_active(factor *f, scree_arena *scratch) {
    const size_t mark = scree_arena_mark(scratch);
    int32_t *row, *column, *chosen;
    const bool room = SCREE_PUSH(scratch, row, f->n + 1) &&
                      SCREE_PUSH(scratch, column, count_blocks(f)) &&
                      SCREE_PUSH(scratch, chosen, f->n);
    int done = AMD_OUT_OF_MEMORY;
    if (room) {
        write_graph(f, row, column);
        done = amd_order(f->n, row, column, chosen, NULL, NULL);
    }
    if (done >= AMD_OK && done <= AMD_OK_BUT_JUMBLED) {
        for (int i = 0; i < f->n; i++) row[i] = f->contact[chosen[i]];
        memcpy(f->contact, row, (size_t)f->n * sizeof *row);
        for (int i = 0; i < f->n; i++) f->place[f->contact[i]] = i;
    }
    scree_arena_pop(scratch, mark);
    return done >= AMD_OK;
}

/* ---- pattern ------------------------------------------------------------- */

/* Places below i on the paths from the entries of row i up the tree, ascending
 * towards the root: reach[top .. n). Grows the tree the first time. */
static int reach_row(factor *f, int i, bool grow) {
    const int c = f->contact[i];
    int top = f->n;
    f->mark[i] = i;
    for (int64_t b = f->p->row[c]; b < f->p->row[c + 1]; b++) {
        int k = f->place[f->p->column[b]], length = 0;
        if (k < 0 || k > i) continue;
        for (; k >= 0 && f->mark[k] != i; k = f->parent[k]) {
            f->reach[length++] = k;
            f->mark[k] = i;
            if (grow && f->parent[k] < 0) f->parent[k] = i;
        }
        while (length > 0) f->reach[--top] = f->reach[--length];
    }
    return top;
}

/* Row lengths of U into start; their sum. */
static int64_t count_rows(factor *f) {
    int64_t sum = 0;
    for (int i = 0; i < f->n; i++) f->parent[i] = f->mark[i] = -1;
    memset(f->start, 0, ((size_t)f->n + 1) * sizeof *f->start);
    for (int i = 0; i < f->n; i++)
        for (int t = reach_row(f, i, true); t < f->n; t++)
            f->start[f->reach[t] + 1]++;
    for (int i = 0; i < f->n; i++) {
        sum += f->start[i + 1];
        f->start[i + 1] += f->start[i];
        f->end[i] = f->start[i];
        f->mark[i] = -1;
    }
    return sum;
}

/* ---- numbers ------------------------------------------------------------- */

/* The block (I + W C)_ij into rows of four. */
static void matrix_block(const double *W, const double *C, const double *E,
                         double *to) {
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            to[4 * a + b] = W[3 * a] * C[b] + W[3 * a + 1] * C[3 + b] +
                            W[3 * a + 2] * C[6 + b] + (E ? E[3 * a + b] : 0);
}

static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

static void scatter_row(factor *f, int i) {
    const int c = f->contact[i];
    for (int64_t k = f->p->row[c]; k < f->p->row[c + 1]; k++) {
        const int j = f->p->column[k];
        if (f->place[j] < 0) continue;
        const double *E = f->E ? &f->E[9 * c] : identity;
        matrix_block(&f->p->W[9 * k], &f->C[9 * j], j == c ? E : NULL,
                     &f->w[BLOCK * (int64_t)f->place[j]]);
    }
}

/* By cofactors; false if it is not invertible. */
static bool invert_block(const double *A, double *to, bool *negative) {
    double cofactor[9];
    for (int a = 0; a < 9; a++) {
        const double *p = &A[(a / 3 + 1) % 3 * 4], *q = &A[(a / 3 + 2) % 3 * 4];
        const int j = (a % 3 + 1) % 3, k = (a % 3 + 2) % 3;
        cofactor[a] = p[j] * q[k] - p[k] * q[j];
    }
    const double det =
        A[0] * cofactor[0] + A[1] * cofactor[1] + A[2] * cofactor[2];
    if (!(fabs(det) > 0) || !isfinite(det)) return false;
    for (int a = 0; a < 9; a++) to[a % 3 * 4 + a / 3] = cofactor[a] / det;
    *negative ^= det < 0;
    return true;
}

SCREE_INLINE scree_v4 row_times(const double *l, const double *U) {
    return v4_set(l[0]) * v4_load(U) + v4_set(l[1]) * v4_load(U + 4) +
           v4_set(l[2]) * v4_load(U + 8);
}

/* w_j -= L U_kj along one row of U. */
SCREE_INLINE void subtract_row(double *restrict w, const double L[BLOCK],
                               const double *restrict U,
                               const int32_t *restrict column, int64_t n) {
    for (int64_t b = 0; b < n; b++, U += BLOCK) {
        double *to = &w[BLOCK * (int64_t)column[b]];
        const scree_v4 x = v4_load(U), y = v4_load(U + 4), z = v4_load(U + 8);
        for (int a = 0; a < BLOCK; a += 4)
            v4_store(to + a, v4_load(to + a) -
                                 (v4_set(L[a]) * x + v4_set(L[a + 1]) * y +
                                  v4_set(L[a + 2]) * z));
    }
}

/* y -= A x for a block with rows of four. */
SCREE_INLINE void subtract_product(double *y, const double *A,
                                   const double *x) {
    for (int a = 0; a < 3; a++)
        y[a] -= A[4 * a] * x[0] + A[4 * a + 1] * x[1] + A[4 * a + 2] * x[2];
}

/* L_ik, and what it does to the rest of row i. */
SCREE_WIDE static void eliminate(factor *f, int i, int k, int64_t at) {
    double L[BLOCK];
    double *w = &f->w[BLOCK * (int64_t)k];
    for (int a = 0; a < BLOCK; a += 4)
        v4_store(&L[a], row_times(&w[a], &f->D[BLOCK * (int64_t)k]));
    memset(w, 0, BLOCK * sizeof *w);
    subtract_product(&f->y[4 * (int64_t)i], L, &f->y[4 * (int64_t)k]);
    if (f->L) {
        memcpy(&f->L[BLOCK * at], L, sizeof L);
        f->left[at] = k;
    }
    const int64_t first = f->start[k], n = f->start[k + 1] - first;
    f->work += n;
    subtract_row(f->w, L, &f->U[BLOCK * first], &f->column[first], n);
}

/* Row i of U out of w, which is zero again afterwards. */
static bool gather_row(factor *f, int i) {
    double *diagonal = &f->w[BLOCK * (int64_t)i];
    if (!invert_block(diagonal, &f->D[BLOCK * (int64_t)i], &f->negative))
        return false;
    memset(diagonal, 0, BLOCK * sizeof *diagonal);
    for (int64_t b = f->start[i]; b < f->start[i + 1]; b++) {
        double *w = &f->w[BLOCK * (int64_t)f->column[b]];
        memcpy(&f->U[BLOCK * b], w, BLOCK * sizeof *w);
        memset(w, 0, BLOCK * sizeof *w);
    }
    return true;
}

/* The columns of U, before any number: row i adds itself to the rows it
 * reaches. */
static void fill_pattern(factor *f) {
    for (int i = 0; i < f->n; i++)
        for (int t = reach_row(f, i, false); t < f->n; t++)
            f->column[f->end[f->reach[t]]++] = i;
    for (int i = 0; i < f->n; i++) f->mark[i] = -1;
}

static bool eliminate_forward(factor *f) {
    int64_t at = 0;
    f->negative = false;
    for (int i = 0; i < f->n; i++) {
        scatter_row(f, i);
        for (int t = reach_row(f, i, false); t < f->n; t++, at++)
            eliminate(f, i, f->reach[t], at);
        if (f->L) f->first[i + 1] = at;
        if (!gather_row(f, i)) return false;
    }
    return true;
}

static void substitute_back(factor *f) {
    for (int i = f->n - 1; i >= 0; i--) {
        double *y = &f->y[4 * (int64_t)i], s[3] = {y[0], y[1], y[2]};
        const double *D = &f->D[BLOCK * (int64_t)i];
        for (int64_t b = f->start[i]; b < f->start[i + 1]; b++)
            subtract_product(s, &f->U[BLOCK * b],
                             &f->y[4 * (int64_t)f->column[b]]);
        for (int a = 0; a < 3; a++)
            y[a] = D[4 * a] * s[0] + D[4 * a + 1] * s[1] + D[4 * a + 2] * s[2];
    }
}

/* x_i = b_i - sum over active j of W_ij C_j x_j, where i is not active. */
static void finish_contact(const factor *f, const double *x, double *to,
                           int i) {
    for (int64_t k = f->p->row[i]; k < f->p->row[i + 1]; k++) {
        const int j = f->p->column[k];
        if (f->place[j] < 0) continue;
        double A[BLOCK];
        matrix_block(&f->p->W[9 * k], &f->C[9 * j], NULL, A);
        subtract_product(to, A, &x[3 * j]);
    }
}

/* ---- all together -------------------------------------------------------- */

static bool push_rows(factor *f, scree_arena *to) {
    const size_t n = (size_t)f->n;
    return SCREE_PUSH(to, f->parent, n) && SCREE_PUSH(to, f->mark, n) &&
           SCREE_PUSH(to, f->reach, n) && SCREE_PUSH(to, f->start, n + 1) &&
           SCREE_PUSH(to, f->end, n) && SCREE_PUSH(to, f->D, BLOCK * n) &&
           SCREE_PUSH(to, f->w, BLOCK * n) && SCREE_PUSH(to, f->y, 4 * n);
}

static bool push_blocks(factor *f, int64_t n, bool keeps, scree_arena *to) {
    return SCREE_PUSH(to, f->column, n) && SCREE_PUSH(to, f->U, BLOCK * n) &&
           (!keeps ||
            (SCREE_PUSH(to, f->left, n) && SCREE_PUSH(to, f->L, BLOCK * n) &&
             SCREE_PUSH(to, f->first, f->n + 1)));
}

/* All but numbers. keeps: L stays too. */
static bool prepare_factor(factor *f, const bool *active, bool keeps,
                           int64_t most, scree_arena *scratch) {
    if (!SCREE_PUSH(scratch, f->contact, f->p->nc) ||
        !SCREE_PUSH(scratch, f->place, f->p->nc))
        return false;
    number_active(f, active);
    if (!order_active(f, scratch) || !push_rows(f, scratch)) return false;
    const int64_t blocks = count_rows(f);
    if (blocks > most || !push_blocks(f, blocks, keeps, scratch)) return false;
    if (keeps) f->first[0] = 0;
    fill_pattern(f);
    return true;
}

static bool compute_factor(factor *f, const double *E, const double *C) {
    f->E = E;
    f->C = C;
    memset(f->w, 0, BLOCK * (size_t)f->n * sizeof *f->w);
    memset(f->D, 0, BLOCK * (size_t)f->n * sizeof *f->D);
    for (int i = 0; i < f->n; i++) f->mark[i] = -1;
    return eliminate_forward(f);
}

static void load_row(const factor *f, int i, const double *x) {
    memcpy(&f->y[4 * i], &x[3 * f->contact[i]], 3 * sizeof *x);
}

static void solve_rest(factor *f, double *x) {
    substitute_back(f);
    for (int i = 0; i < f->n; i++)
        memcpy(&x[3 * f->contact[i]], &f->y[4 * i], 3 * sizeof *x);
    for (int i = 0; i < f->p->nc; i++)
        if (f->place[i] < 0) finish_contact(f, x, &x[3 * i], i);
}

scree_lu_result scree_fc3d_lu(const scree_fc3d *p, const double *C,
                              const bool *active, int64_t most, double *x,
                              int64_t *work, scree_arena *scratch) {
    const size_t mark = scree_arena_mark(scratch);
    scree_lu_result result = SCREE_LU_TOO_LARGE;
    factor f = {.p = p};
    if (prepare_factor(&f, active, false, most, scratch)) {
        for (int i = 0; i < f.n; i++) load_row(&f, i, x);
        result = compute_factor(&f, NULL, C) ? SCREE_LU_OK : SCREE_LU_SINGULAR;
        if (result == SCREE_LU_OK) solve_rest(&f, x);
    }
    *work += f.work;
    scree_arena_pop(scratch, mark);
    return result;
}

/* ---- factors that stay --------------------------------------------------- */

scree_factors *scree_factors_create(const scree_fc3d *p, int64_t most,
                                    scree_arena *scratch) {
    factor *f;
    if (!SCREE_PUSH(scratch, f, 1)) return NULL;
    *f = (factor){.p = p};
    return prepare_factor(f, NULL, true, most, scratch) ? f : NULL;
}

bool scree_factors_compute(scree_factors *f, const double *E, const double *D) {
    memset(f->y, 0, 4 * (size_t)f->n * sizeof *f->y);
    return compute_factor(f, E, D);
}

int64_t scree_factors_work(const scree_factors *f) {
    return f->work;
}

bool scree_factors_are_negative(const scree_factors *f) {
    return f->negative;
}

void scree_factors_solve(scree_factors *f, double *x) {
    for (int i = 0; i < f->n; i++) {
        load_row(f, i, x);
        for (int64_t b = f->first[i]; b < f->first[i + 1]; b++)
            subtract_product(&f->y[4 * (int64_t)i], &f->L[BLOCK * b],
                             &f->y[4 * (int64_t)f->left[b]]);
    }
    solve_rest(f, x);
}
