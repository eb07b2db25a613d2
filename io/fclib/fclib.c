/* fclib.c: an FCLIB file becomes a scree_fc3d, and back. */
#include "io/fclib/fclib.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/fclib/fclib_file.h"
#include "io/hdf5/hdf5_file.h"

/* ---- reading ------------------------------------------------------------- */

/* A local problem as in the file, before padding. */
typedef struct local {
    int64_t dim, nc;
    scree_fclib_matrix W;
    double *mu, *q;
} local;

static scree_status read_dim(scree_fclib_file *file, const char *name,
                             local *l) {
    TRY(scree_fclib_read_int(file, name, &l->dim));
    if (l->dim == 2 || l->dim == 3) return SCREE_OK;
    return scree_fclib_bad(file, name, "is neither 2 nor 3");
}

static scree_status read_friction(scree_fclib_file *file, const char *name,
                                  local *l) {
    TRY(scree_fclib_read_numbers(file, name, -1, &l->mu, &l->nc));
    if (l->nc > INT32_MAX / 3)
        return scree_fclib_bad(file, name, "is too long");
    for (int64_t i = 0; i < l->nc; i++)
        if (l->mu[i] < 0)
            return scree_fclib_bad(file, name, "holds a negative friction");
    return SCREE_OK;
}

static scree_status check_size(const scree_fclib_file *file, const char *name,
                               int64_t found, int64_t expected) {
    if (found == expected) return SCREE_OK;
    return scree_fail(file->error, SCREE_BAD_INPUT, "%s: %s: is %lld, not %lld",
                      file->path, name, (long long)found, (long long)expected);
}

static scree_status read_local(scree_fclib_file *file, local *l) {
    TRY(read_dim(file, "fclib_local/spacedim", l));
    TRY(read_friction(file, "fclib_local/vectors/mu", l));
    TRY(scree_fclib_read_matrix(file, "fclib_local/W", &l->W));
    TRY(check_size(file, "fclib_local/W/m", l->W.m, l->dim * l->nc));
    TRY(check_size(file, "fclib_local/W/n", l->W.n, l->dim * l->nc));
    return scree_fclib_read_numbers(file, "fclib_local/vectors/q",
                                    l->dim * l->nc, &l->q, NULL);
}

static scree_status read_constraints(scree_fclib_file *file,
                                     scree_fclib_global *g) {
    double *b = NULL;
    if (!scree_fclib_has(file, "fclib_global/G")) return SCREE_OK;
    TRY(scree_fclib_read_matrix(file, "fclib_global/G", &g->G));
    TRY(check_size(file, "fclib_global/G/m", g->G.m, g->M.m));
    if (g->G.n > g->M.m)
        return scree_fclib_bad(file, "fclib_global/G/n",
                               "is more than the degrees of freedom");
    if (scree_fclib_has(file, "fclib_global/vectors/b"))
        TRY(scree_fclib_read_numbers(file, "fclib_global/vectors/b", g->G.n, &b,
                                     NULL));
    g->b = b;
    return SCREE_OK;
}

static scree_status read_global(scree_fclib_file *file, local *l) {
    scree_fclib_global g = {0};
    double *f, *w;
    TRY(read_dim(file, "fclib_global/spacedim", l));
    TRY(read_friction(file, "fclib_global/vectors/mu", l));
    const int64_t rows = l->dim * l->nc;
    TRY(scree_fclib_read_matrix(file, "fclib_global/M", &g.M));
    TRY(scree_fclib_read_matrix(file, "fclib_global/H", &g.H));
    TRY(check_size(file, "fclib_global/M/n", g.M.n, g.M.m));
    TRY(check_size(file, "fclib_global/H/m", g.H.m, g.M.m));
    TRY(check_size(file, "fclib_global/H/n", g.H.n, rows));
    TRY(scree_fclib_read_numbers(file, "fclib_global/vectors/f", g.M.m, &f,
                                 NULL));
    TRY(scree_fclib_read_numbers(file, "fclib_global/vectors/w", rows, &w,
                                 NULL));
    TRY(read_constraints(file, &g));
    g.f = f, g.w = w;
    TRY(scree_fclib_room(file, (size_t)rows * sizeof *l->q, &l->q));
    return scree_fclib_reduce(file, &g, &l->W, l->q);
}

/* Where row i of the file lies among three rows per contact. */
static int32_t padded_row(const local *l, int64_t i) {
    return (int32_t)(i / l->dim * 3 + i % l->dim);
}

static void pad_vector(const local *l, const double *from, double *to) {
    for (int64_t i = 0; i < l->dim * l->nc; i++) to[padded_row(l, i)] = from[i];
}

static scree_status take_problem(scree_fclib_file *file, const local *l,
                                 scree_fc3d *p) {
    for (int64_t k = 0; k < l->W.count; k++) {
        l->W.entries[k].row = padded_row(l, l->W.entries[k].row);
        l->W.entries[k].column = padded_row(l, l->W.entries[k].column);
    }
    if (scree_fc3d_assemble(p, (int)l->nc, l->W.count, l->W.entries,
                            file->arena) != SCREE_OK)
        return scree_fail(file->error, SCREE_OUT_OF_MEMORY, "%s: out of memory",
                          file->path);
    p->dim = (int)l->dim;
    memcpy(p->mu, l->mu, (size_t)l->nc * sizeof *p->mu);
    pad_vector(l, l->q, p->q);
    return SCREE_OK;
}

static scree_status take_solution(scree_fclib_file *file, const local *l,
                                  scree_fclib *f) {
    double *r, *u;
    if (!scree_fclib_has(file, "solution/r") ||
        !scree_fclib_has(file, "solution/u"))
        return SCREE_OK;
    TRY(scree_fclib_read_numbers(file, "solution/r", l->dim * l->nc, &r, NULL));
    TRY(scree_fclib_read_numbers(file, "solution/u", l->dim * l->nc, &u, NULL));
    f->solution_u = calloc(3 * (size_t)l->nc + 1, sizeof *u);
    if (!f->solution_u)
        return scree_fail(file->error, SCREE_OUT_OF_MEMORY, "%s: out of memory",
                          file->path);
    pad_vector(l, r, f->problem.r);
    pad_vector(l, u, f->solution_u);
    return SCREE_OK;
}

static scree_status read_file(scree_fclib_file *file, scree_fclib *f) {
    local l = {0};
    f->global = scree_fclib_has(file, "fclib_global");
    if (f->global)
        TRY(read_global(file, &l));
    else if (scree_fclib_has(file, "fclib_local"))
        TRY(read_local(file, &l));
    else
        return scree_fail(file->error, SCREE_BAD_INPUT,
                          "%s: holds neither fclib_local nor fclib_global",
                          file->path);
    scree_fclib_read_text(
        file, f->global ? "fclib_global/info/title" : "fclib_local/info/title",
        f->title, sizeof f->title);
    TRY(take_problem(file, &l, &f->problem));
    return take_solution(file, &l, f);
}

scree_status scree_fclib_read(scree_fclib *f, const char *path,
                              scree_error *error) {
    *f = (scree_fclib){0};
    scree_arena arena = {0};
    scree_fclib_file file;
    TRY(scree_fclib_open(&file, path, &arena, error));
    const scree_status status = scree_fclib_close(&file, read_file(&file, f));
    scree_arena_free(&arena);
    if (status != SCREE_OK) scree_fclib_free(f);
    return status;
}

static scree_status take_guess(scree_fclib_file *file, int guess,
                               scree_fc3d *p) {
    const local l = {.dim = p->dim, .nc = p->nc};
    char name[64];
    double *r;
    snprintf(name, sizeof name, "guesses/%d/r", guess);
    TRY(scree_fclib_read_numbers(file, name, l.dim * l.nc, &r, NULL));
    pad_vector(&l, r, p->r);
    return SCREE_OK;
}

scree_status scree_fclib_read_guess(scree_fclib *f, const char *path, int guess,
                                    scree_error *error) {
    scree_arena arena = {0};
    scree_fclib_file file;
    TRY(scree_fclib_open(&file, path, &arena, error));
    const scree_status status =
        scree_fclib_close(&file, take_guess(&file, guess, &f->problem));
    scree_arena_free(&arena);
    return status;
}

void scree_fclib_free(scree_fclib *f) {
    scree_fc3d_free(&f->problem);
    free(f->solution_u);
    *f = (scree_fclib){0};
}

/* ---- writing ------------------------------------------------------------- */

/* W as compressed rows of the file's spacedim, and vectors without padding. */
typedef struct rows {
    int dim, n; /* scalar rows */
    int *p, *i;
    double *x, *vector;
} rows;

static bool make_rows(rows *s, const scree_fc3d *p, scree_arena *arena) {
    const size_t most = (size_t)(p->n_block * p->dim * p->dim) + 1;
    s->dim = p->dim;
    s->n = p->dim * p->nc;
    s->p = scree_arena_push(arena, ((size_t)s->n + 1) * sizeof *s->p);
    s->i = scree_arena_push(arena, most * sizeof *s->i);
    s->x = scree_arena_push(arena, most * sizeof *s->x);
    s->vector = scree_arena_push(arena, ((size_t)s->n + 1) * sizeof *s->vector);
    return s->p && s->i && s->x && s->vector;
}

static void fill_rows(rows *s, const scree_fc3d *p) {
    int count = 0;
    for (int row = 0; row < s->n; row++) {
        const int contact = row / s->dim, a = row % s->dim;
        s->p[row] = count;
        for (int64_t k = p->row[contact]; k < p->row[contact + 1]; k++)
            for (int b = 0; b < s->dim; b++) {
                s->i[count] = p->column[k] * s->dim + b;
                s->x[count++] = p->W[9 * k + 3 * a + b];
            }
    }
    s->p[s->n] = count;
}

static void write_ints(scree_hdf5_file *out, const char *name, int64_t n,
                       const int *values) {
    scree_hdf5_write(out, name,
                     &(scree_hdf5_rows){H5T_NATIVE_INT, n, 1, 0, values});
}

static void write_int(scree_hdf5_file *out, const char *name, int value) {
    write_ints(out, name, 1, &value);
}

static void write_numbers(scree_hdf5_file *out, const char *name, int64_t n,
                          const double *values) {
    scree_hdf5_write(out, name,
                     &(scree_hdf5_rows){H5T_NATIVE_DOUBLE, n, 1, 0, values});
}

static void write_vector(scree_hdf5_file *out, const char *name, const rows *s,
                         const double *padded_vector) {
    for (int i = 0; i < s->n; i++)
        s->vector[i] = padded_vector[i / s->dim * 3 + i % s->dim];
    write_numbers(out, name, s->n, s->vector);
}

static void write_matrix(scree_hdf5_file *out, const rows *s) {
    const int count = s->p[s->n];
    write_int(out, "fclib_local/W/m", s->n);
    write_int(out, "fclib_local/W/n", s->n);
    write_int(out, "fclib_local/W/nz", -2);
    write_int(out, "fclib_local/W/nzmax", count);
    write_ints(out, "fclib_local/W/p", s->n + 1, s->p);
    write_ints(out, "fclib_local/W/i", count, s->i);
    write_numbers(out, "fclib_local/W/x", count, s->x);
}

/* Fixed length, as FCLIB's own reader wants it. */
static void write_text(scree_hdf5_file *out, const char *name,
                       const char *text) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, strlen(text) + 1);
    scree_hdf5_write(out, name, &(scree_hdf5_rows){type, 1, 1, 0, text});
    H5Tclose(type);
}

static void write_problem(scree_hdf5_file *out, const scree_fclib *f,
                          const rows *s) {
    const scree_fc3d *p = &f->problem;
    write_int(out, "fclib_local/spacedim", s->dim);
    write_matrix(out, s);
    write_numbers(out, "fclib_local/vectors/mu", p->nc, p->mu);
    write_vector(out, "fclib_local/vectors/q", s, p->q);
    write_text(out, "fclib_local/info/title", f->title);
    write_text(out, "fclib_local/info/description",
               f->global ? "solved by Scree; reduced from fclib_global to "
                           "contact frames"
                         : "solved by Scree");
    write_text(out, "fclib_local/info/math_info", "");
    write_vector(out, "solution/r", s, p->r);
    write_vector(out, "solution/u", s, p->u);
}

scree_status scree_fclib_write(const scree_fclib *f, const char *path,
                               scree_error *error) {
    scree_arena arena = {0};
    rows s;
    scree_status status;
    if (make_rows(&s, &f->problem, &arena)) {
        fill_rows(&s, &f->problem);
        scree_hdf5_file *out = scree_hdf5_create();
        write_problem(out, f, &s);
        status = scree_hdf5_close(out, path, error);
    } else
        status =
            scree_fail(error, SCREE_OUT_OF_MEMORY, "%s: out of memory", path);
    scree_arena_free(&arena);
    return status;
}
