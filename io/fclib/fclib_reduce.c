/* fclib_reduce.c: W and q of a global problem, component by component (the
 * equations are in fclib.h). Within a component everything is dense:
 *     Z = L^-1 [H f G]     s x (k + 1 + g),     rows of Z are contiguous
 * so the forward substitution runs along rows, and diagonal M skips it. */
#include <math.h>
#include <string.h>

#include "io/fclib/fclib_file.h"

enum { MOST_FREEDOMS = 8000 }; /* of one component: 512 MB */

/* Entries of a matrix grouped by component. */
typedef struct group {
    int64_t *start; /* (components + 1) */
    scree_entry *entries;
} group;

typedef struct reduction {
    scree_fclib_file *file;
    const scree_fclib_global *g;
    int64_t n_component;
    int32_t *component; /* (M.m) of a degree of freedom */
    int32_t *place;     /* (M.m) index within its component */
    int32_t *size;      /* (n_component) degrees of freedom */
    int32_t *next;      /* (M.m) next one of the component, -1 at the end */
    int32_t *head;      /* (n_component) last one of the component */
    int32_t *column_of; /* (max(H.n, G.n)) local column, -1 outside */
    group M, H, G;
    scree_arena work; /* of one component */
    scree_fclib_matrix *W;
    double *q;
} reduction;

/* ---- components ---------------------------------------------------------- */

static int32_t root_of(int32_t *parent, int32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

static void join_groups(int32_t *parent, int32_t a, int32_t b) {
    const int32_t x = root_of(parent, a), y = root_of(parent, b);
    if (x < y)
        parent[y] = x;
    else
        parent[x] = y;
}

/* Degrees of freedom of one constraint belong together. */
static void join_constraints(int32_t *parent, const scree_fclib_matrix *G,
                             int32_t *first) {
    for (int64_t j = 0; j < G->n; j++) first[j] = -1;
    for (int64_t k = 0; k < G->count; k++) {
        const scree_entry e = G->entries[k];
        if (first[e.column] < 0) first[e.column] = e.row;
        join_groups(parent, first[e.column], e.row);
    }
}

/* Roots are the least of their component, so one pass numbers them. */
static void number_components(reduction *d, int32_t *parent) {
    for (int32_t i = 0; i < d->g->M.m; i++) {
        const int32_t top = root_of(parent, i);
        if (top == i) d->size[d->n_component] = 0, d->head[d->n_component] = -1;
        const int32_t c =
            top == i ? (int32_t)d->n_component++ : d->component[top];
        d->component[i] = c;
        d->place[i] = d->size[c]++;
        d->next[i] = d->head[c];
        d->head[c] = i;
    }
}

static scree_status find_components(reduction *d) {
    const scree_fclib_matrix *M = &d->g->M;
    const size_t bytes = (size_t)M->m * sizeof(int32_t);
    int32_t *parent;
    TRY(scree_fclib_room(d->file, bytes, &parent));
    TRY(scree_fclib_room(d->file, bytes, &d->component));
    TRY(scree_fclib_room(d->file, bytes, &d->place));
    TRY(scree_fclib_room(d->file, bytes, &d->size));
    TRY(scree_fclib_room(d->file, bytes, &d->next));
    TRY(scree_fclib_room(d->file, bytes, &d->head));
    const int64_t columns = d->g->H.n > d->g->G.n ? d->g->H.n : d->g->G.n;
    TRY(scree_fclib_room(d->file, (size_t)columns * sizeof(int32_t),
                         &d->column_of));
    for (int32_t i = 0; i < M->m; i++) parent[i] = i;
    for (int64_t k = 0; k < M->count; k++)
        join_groups(parent, M->entries[k].row, M->entries[k].column);
    join_constraints(parent, &d->g->G, d->column_of);
    number_components(d, parent);
    return SCREE_OK;
}

/* Counting sort of entries by the component of their row. */
static scree_status group_entries(reduction *d, const scree_fclib_matrix *a,
                                  group *out) {
    const size_t n = (size_t)d->n_component + 2;
    TRY(scree_fclib_room(d->file, n * sizeof *out->start, &out->start));
    TRY(scree_fclib_room(d->file, (size_t)a->count * sizeof *out->entries,
                         &out->entries));
    memset(out->start, 0, n * sizeof *out->start);
    for (int64_t k = 0; k < a->count; k++)
        out->start[d->component[a->entries[k].row] + 2]++;
    for (size_t c = 2; c < n; c++) out->start[c] += out->start[c - 1];
    for (int64_t k = 0; k < a->count; k++)
        out->entries[out->start[d->component[a->entries[k].row] + 1]++] =
            a->entries[k];
    return SCREE_OK;
}

/* Numbers the columns that a component touches; list may be NULL. */
static int number_columns(reduction *d, const group *a, int64_t c,
                          int32_t *list) {
    int n = 0;
    for (int64_t k = a->start[c]; k < a->start[c + 1]; k++)
        d->column_of[a->entries[k].column] = -1;
    for (int64_t k = a->start[c]; k < a->start[c + 1]; k++) {
        const int32_t column = a->entries[k].column;
        if (d->column_of[column] >= 0) continue;
        if (list) list[n] = column;
        d->column_of[column] = n++;
    }
    return n;
}

/* ---- dense parts --------------------------------------------------------- */

/* Lower factor in place, (n x n) row-major; false: not positive definite. */
static bool factor_cholesky(double *A, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = A[(size_t)i * n + j];
            const double before = sum;
            for (int k = 0; k < j; k++)
                sum -= A[(size_t)i * n + k] * A[(size_t)j * n + k];
            if (j < i)
                A[(size_t)i * n + j] = sum / A[(size_t)j * n + j];
            else if (!(sum > 1e-14 * before))
                return false;
            else
                A[(size_t)i * n + i] = sqrt(sum);
        }
    return true;
}

/* Z <- L^-1 Z, Z is (n x columns). */
static void substitute_forward(const double *L, int n, double *Z, int columns) {
    for (int i = 0; i < n; i++) {
        double *z = &Z[(size_t)i * columns];
        for (int j = 0; j < i; j++) {
            const double factor_ij = L[(size_t)i * n + j];
            if (factor_ij == 0) continue;
            const double *y = &Z[(size_t)j * columns];
            for (int k = 0; k < columns; k++) z[k] -= factor_ij * y[k];
        }
        for (int k = 0; k < columns; k++) z[k] /= L[(size_t)i * n + i];
    }
}

/* C (k x l) += sign A^T B over the rows of Z: columns a.., b.. of it. */
static void add_product(const double *Z, int n, int width, int a, int k, int b,
                        int l, double sign, double *C) {
    for (int i = 0; i < n; i++) {
        const double *z = &Z[(size_t)i * width];
        for (int x = 0; x < k; x++) {
            const double f = sign * z[a + x];
            if (f == 0) continue;
            for (int y = 0; y < l; y++) C[(size_t)x * l + y] += f * z[b + y];
        }
    }
}

/* ---- one component ------------------------------------------------------- */

typedef struct part {
    int s, k, g, width;       /* freedoms, columns of H and G, k + 1 + g */
    int32_t *h_list, *g_list; /* global columns */
    double *M, *Z;            /* (s x s), (s x width) */
    double *A, *T;            /* (g x g), (g x k + 1) */
    double *W;                /* (k x k + 1), the last column is q's */
} part;

static scree_status make_zeros(reduction *d, size_t rows, size_t columns,
                               double **a) {
    *a = scree_arena_push(&d->work, (rows * columns + 1) * sizeof **a);
    if (!*a)
        return scree_fail(d->file->error, SCREE_OUT_OF_MEMORY,
                          "%s: out of memory", d->file->path);
    memset(*a, 0, rows * columns * sizeof **a);
    return SCREE_OK;
}

static scree_status make_part(reduction *d, int64_t c, part *p) {
    p->s = d->size[c];
    p->k = number_columns(d, &d->H, c, NULL);
    p->g = number_columns(d, &d->G, c, NULL);
    p->width = p->k + 1 + p->g;
    if (p->s > MOST_FREEDOMS)
        return scree_fclib_bad(d->file, "fclib_global/M",
                               "couples more than 8000 degrees of freedom");
    const size_t s = (size_t)p->s, k = (size_t)p->k, g = (size_t)p->g;
    double *lists;
    TRY(make_zeros(d, k + g + 1, 1, &lists));
    p->h_list = (int32_t *)lists;
    p->g_list = p->h_list + k;
    TRY(make_zeros(d, s, s, &p->M));
    TRY(make_zeros(d, s, k + 1 + g, &p->Z));
    TRY(make_zeros(d, g, g, &p->A));
    TRY(make_zeros(d, g, k + 1, &p->T));
    return make_zeros(d, k, k + 1, &p->W);
}

static void scatter_rows(reduction *d, const group *a, int64_t c, double *to,
                         int width, int offset) {
    for (int64_t n = a->start[c]; n < a->start[c + 1]; n++) {
        const scree_entry e = a->entries[n];
        to[(size_t)d->place[e.row] * width + offset + d->column_of[e.column]] +=
            e.value;
    }
}

/* Files hold M whole or only one triangle of it (LMGC90 does). True: M is
 * whole and symmetric now. */
static bool make_symmetric(double *M, size_t s) {
    bool lower = false, upper = false, equal = true;
    for (size_t i = 0; i < s; i++)
        for (size_t j = 0; j < i; j++) {
            const double a = M[i * s + j], b = M[j * s + i];
            lower |= a != 0;
            upper |= b != 0;
            equal &=
                fabs(a - b) <= 1e-8 * sqrt(fabs(M[i * s + i] * M[j * s + j]));
        }
    if (lower && upper) return equal;
    for (size_t i = 0; i < s; i++)
        for (size_t j = 0; j < i; j++)
            M[i * s + j] = M[j * s + i] = M[i * s + j] + M[j * s + i];
    return true;
}

static scree_status fill_mass(reduction *d, int64_t c, part *p) {
    const size_t s = (size_t)p->s;
    for (int64_t n = d->M.start[c]; n < d->M.start[c + 1]; n++) {
        const scree_entry e = d->M.entries[n];
        p->M[d->place[e.row] * s + d->place[e.column]] += e.value;
    }
    if (make_symmetric(p->M, s)) return SCREE_OK;
    return scree_fclib_bad(d->file, "fclib_global/M", "is not symmetric");
}

static scree_status fill_part(reduction *d, int64_t c, part *p) {
    TRY(fill_mass(d, c, p));
    number_columns(d, &d->H, c, p->h_list);
    scatter_rows(d, &d->H, c, p->Z, p->width, 0);
    number_columns(d, &d->G, c, p->g_list);
    scatter_rows(d, &d->G, c, p->Z, p->width, p->k + 1);
    for (int32_t i = d->head[c]; i >= 0; i = d->next[i])
        p->Z[(size_t)d->place[i] * p->width + p->k] = d->g->f[i];
    return SCREE_OK;
}

/* T = A^-1 (Z_G^T [Z_H Z_f] + [0 b]). */
static scree_status eliminate_constraints(reduction *d, part *p) {
    const int G = p->k + 1;
    add_product(p->Z, p->s, p->width, G, p->g, G, p->g, 1, p->A);
    add_product(p->Z, p->s, p->width, G, p->g, 0, p->k + 1, 1, p->T);
    for (int j = 0; j < p->g && d->g->b; j++)
        p->T[(size_t)j * (p->k + 1) + p->k] += d->g->b[p->g_list[j]];
    if (!factor_cholesky(p->A, p->g))
        return scree_fclib_bad(d->file, "fclib_global/G",
                               "has constraints that depend on each other");
    substitute_forward(p->A, p->g, p->T, p->k + 1);
    return SCREE_OK;
}

static void emit_part(reduction *d, const part *p) {
    const int width = p->k + 1;
    for (int a = 0; a < p->k; a++) {
        const double *row = &p->W[(size_t)a * width];
        d->q[p->h_list[a]] += row[p->k];
        for (int b = 0; b < p->k; b++)
            if (row[b] != 0)
                d->W->entries[d->W->count++] =
                    (scree_entry){p->h_list[a], p->h_list[b], row[b]};
    }
}

static scree_status reduce_part(reduction *d, int64_t c) {
    part p = {0};
    TRY(make_part(d, c, &p));
    TRY(fill_part(d, c, &p));
    if (!factor_cholesky(p.M, p.s))
        return scree_fclib_bad(d->file, "fclib_global/M",
                               "is not positive definite");
    substitute_forward(p.M, p.s, p.Z, p.width);
    TRY(eliminate_constraints(d, &p));
    add_product(p.Z, p.s, p.width, 0, p.k, 0, p.k + 1, 1, p.W);
    add_product(p.T, p.g, p.k + 1, 0, p.k, 0, p.k + 1, -1, p.W);
    emit_part(d, &p);
    return SCREE_OK;
}

/* ---- all ----------------------------------------------------------------- */

static scree_status make_room(reduction *d) {
    size_t count = 0;
    for (int64_t c = 0; c < d->n_component; c++) {
        const size_t k = (size_t)number_columns(d, &d->H, c, NULL);
        count += k * k;
    }
    *d->W = (scree_fclib_matrix){.m = d->g->H.n, .n = d->g->H.n};
    return scree_fclib_room(d->file, count * sizeof *d->W->entries,
                            &d->W->entries);
}

static scree_status reduce_all(reduction *d) {
    TRY(find_components(d));
    TRY(group_entries(d, &d->g->M, &d->M));
    TRY(group_entries(d, &d->g->H, &d->H));
    TRY(group_entries(d, &d->g->G, &d->G));
    TRY(make_room(d));
    memcpy(d->q, d->g->w, (size_t)d->g->H.n * sizeof *d->q);
    for (int64_t c = 0; c < d->n_component; c++) {
        const size_t mark = scree_arena_mark(&d->work);
        TRY(reduce_part(d, c));
        scree_arena_pop(&d->work, mark);
    }
    return SCREE_OK;
}

scree_status scree_fclib_reduce(scree_fclib_file *file,
                                const scree_fclib_global *g,
                                scree_fclib_matrix *W, double *q) {
    reduction d = {.file = file, .g = g, .W = W, .q = q};
    const scree_status status = reduce_all(&d);
    scree_arena_free(&d.work);
    return status;
}
