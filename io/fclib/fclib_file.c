/* fclib_file.c: reading arrays of a file that may be wrong in any way. Sizes
 * come from HDF5, never from numbers in the file; HDF5 itself is at work in a
 * process of its own. */
#include "io/fclib/fclib_file.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

scree_status fclib_bad(const fclib_file *file, const char *name,
                       const char *reason) {
    return scree_fail(file->error, SCREE_BAD_INPUT, "%s: %s: %s", file->path,
                      name, reason);
}

scree_status fclib_room(fclib_file *file, size_t bytes, void *pointer) {
    void *room = scree_arena_push(file->arena, bytes + 1);
    memcpy(pointer, &room, sizeof room);
    if (room) return SCREE_OK;
    return scree_fail(file->error, SCREE_OUT_OF_MEMORY, "%s: out of memory",
                      file->path);
}

scree_status fclib_open(fclib_file *file, const char *path, scree_arena *arena,
                        scree_error *error) {
    *file = (fclib_file){.path = path, .arena = arena, .error = error};
    struct stat about; /* the reader would wait for the other end of a FIFO */
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode))
        return scree_fail(error, SCREE_BAD_INPUT, "%s: not a file", path);
    const fclib_outcome outcome = fclib_reader_start(&file->reader, path);
    if (outcome == FCLIB_FOUND) return SCREE_OK;
    return scree_fail(error,
                      outcome == FCLIB_NO_MEMORY ? SCREE_OUT_OF_MEMORY
                                                 : SCREE_BAD_INPUT,
                      "%s: %s", path, fclib_outcome_text(outcome));
}

scree_status fclib_close(fclib_file *file, scree_status status) {
    fclib_reader_end(&file->reader);
    if (!file->reader.crashed) return status;
    return scree_fail(file->error, SCREE_BAD_INPUT, "%s: %s", file->path,
                      fclib_outcome_text(FCLIB_CRASHED));
}

bool fclib_has(fclib_file *file, const char *name) {
    return fclib_reader_has(&file->reader, name);
}

/* ---- arrays -------------------------------------------------------------- */

static scree_status refuse_name(fclib_file *file, const char *name,
                                fclib_outcome outcome) {
    const char *reason = fclib_outcome_text(outcome);
    if (outcome != FCLIB_NO_MEMORY) return fclib_bad(file, name, reason);
    return scree_fail(file->error, SCREE_OUT_OF_MEMORY, "%s: %s", file->path,
                      reason);
}

/* int64_t or double: eight bytes each. */
static scree_status read_array(fclib_file *file, const char *name, bool whole,
                               void *values, int64_t *n) {
    void *room = NULL;
    fclib_outcome outcome = fclib_reader_ask(
        &file->reader, whole ? FCLIB_WHOLE : FCLIB_REAL, name, n);
    const size_t bytes = 8 * (size_t)*n;
    if (outcome == FCLIB_FOUND) TRY(fclib_room(file, bytes, &room));
    if (outcome == FCLIB_FOUND)
        outcome = fclib_reader_take(&file->reader, room, bytes);
    memcpy(values, &room, sizeof room);
    return outcome == FCLIB_FOUND ? SCREE_OK : refuse_name(file, name, outcome);
}

scree_status fclib_read_int(fclib_file *file, const char *name,
                            int64_t *value) {
    int64_t *values = NULL, n = 0;
    TRY(read_array(file, name, true, &values, &n));
    if (n != 1) return fclib_bad(file, name, "is not one number");
    *value = values[0];
    return SCREE_OK;
}

scree_status fclib_read_numbers(fclib_file *file, const char *name, int64_t n,
                                double **values, int64_t *found) {
    int64_t size;
    char reason[100];
    TRY(read_array(file, name, false, values, &size));
    snprintf(reason, sizeof reason, "holds %lld numbers, not %lld",
             (long long)size, (long long)n);
    if (n >= 0 && size != n) return fclib_bad(file, name, reason);
    for (int64_t i = 0; i < size; i++)
        if (!isfinite((*values)[i]))
            return fclib_bad(file, name, "holds a number that is not finite");
    if (found) *found = size;
    return SCREE_OK;
}

void fclib_read_text(fclib_file *file, const char *name, char *text,
                     size_t size) {
    char *room;
    int64_t n;
    *text = 0;
    if (fclib_reader_ask(&file->reader, FCLIB_TEXT, name, &n) != FCLIB_FOUND ||
        fclib_room(file, (size_t)n, &room) != SCREE_OK ||
        fclib_reader_take(&file->reader, room, (size_t)n) != FCLIB_FOUND)
        return;
    room[n] = 0;
    for (char *c = room; *c; c++) /* it goes to the terminal */
        if (iscntrl((unsigned char)*c)) *c = ' ';
    snprintf(text, size, "%s", room);
}

/* ---- matrices ------------------------------------------------------------ */

/* The arrays as they are in the file. */
typedef struct raw {
    const char *name;
    int64_t m, n, nz;
    int64_t *p, *i, n_p, n_i, n_x;
    double *x;
} raw;

/* "<matrix>/<part>", for reading and for messages. */
typedef struct name {
    char text[64];
} name;

static name part_name(const raw *a, const char *what) {
    name out;
    snprintf(out.text, sizeof out.text, "%s/%s", a->name, what);
    return out;
}

static scree_status read_raw(fclib_file *file, raw *a) {
    TRY(fclib_read_int(file, part_name(a, "m").text, &a->m));
    TRY(fclib_read_int(file, part_name(a, "n").text, &a->n));
    TRY(fclib_read_int(file, part_name(a, "nz").text, &a->nz));
    if (a->m < 0 || a->m > INT32_MAX)
        return fclib_bad(file, part_name(a, "m").text, "is out of range");
    if (a->n < 0 || a->n > INT32_MAX)
        return fclib_bad(file, part_name(a, "n").text, "is out of range");
    if (a->nz < -2)
        return fclib_bad(file, part_name(a, "nz").text, "is no known storage");
    TRY(read_array(file, part_name(a, "p").text, true, &a->p, &a->n_p));
    TRY(read_array(file, part_name(a, "i").text, true, &a->i, &a->n_i));
    return read_array(file, part_name(a, "x").text, false, &a->x, &a->n_x);
}

static scree_status check_pointers(fclib_file *file, const raw *a,
                                   int64_t lines) {
    const name p = part_name(a, "p");
    if (a->n_p < lines + 1) return fclib_bad(file, p.text, "is too short");
    if (a->p[0] != 0) return fclib_bad(file, p.text, "does not begin with 0");
    for (int64_t k = 0; k < lines; k++)
        if (a->p[k + 1] < a->p[k])
            return fclib_bad(file, p.text, "is not in ascending order");
    return SCREE_OK;
}

static scree_status check_count(fclib_file *file, const raw *a, int64_t count) {
    if (a->n_i < count)
        return fclib_bad(file, part_name(a, "i").text, "is too short");
    if (a->n_x < count)
        return fclib_bad(file, part_name(a, "x").text, "is too short");
    if (a->nz >= 0 && a->n_p < count)
        return fclib_bad(file, part_name(a, "p").text, "is too short");
    return SCREE_OK;
}

static scree_status add_entry(fclib_file *file, const raw *a, fclib_matrix *out,
                              int64_t row, int64_t column, double x) {
    if (row < 0 || row >= a->m)
        return fclib_bad(file, part_name(a, a->nz == -2 ? "p" : "i").text,
                         "holds a row outside the matrix");
    if (column < 0 || column >= a->n)
        return fclib_bad(file, part_name(a, a->nz == -2 ? "i" : "p").text,
                         "holds a column outside the matrix");
    if (!isfinite(x))
        return fclib_bad(file, part_name(a, "x").text,
                         "holds a number that is not finite");
    out->entries[out->count++] =
        (scree_entry){(int32_t)row, (int32_t)column, x};
    return SCREE_OK;
}

static scree_status take_triplets(fclib_file *file, const raw *a,
                                  fclib_matrix *out) {
    for (int64_t k = 0; k < a->nz; k++)
        TRY(add_entry(file, a, out, a->i[k], a->p[k], a->x[k]));
    return SCREE_OK;
}

static scree_status take_lines(fclib_file *file, const raw *a, int64_t lines,
                               fclib_matrix *out) {
    const bool by_row = a->nz == -2;
    for (int64_t line = 0; line < lines; line++)
        for (int64_t k = a->p[line]; k < a->p[line + 1]; k++)
            TRY(add_entry(file, a, out, by_row ? line : a->i[k],
                          by_row ? a->i[k] : line, a->x[k]));
    return SCREE_OK;
}

scree_status fclib_read_matrix(fclib_file *file, const char *matrix_name,
                               fclib_matrix *out) {
    raw a = {.name = matrix_name};
    TRY(read_raw(file, &a));
    const int64_t lines = a.nz == -1 ? a.n : a.m;
    if (a.nz < 0) TRY(check_pointers(file, &a, lines));
    const int64_t count = a.nz < 0 ? a.p[lines] : a.nz;
    TRY(check_count(file, &a, count));
    *out = (fclib_matrix){.m = a.m, .n = a.n};
    TRY(fclib_room(file, (size_t)count * sizeof *out->entries, &out->entries));
    if (a.nz < 0) return take_lines(file, &a, lines, out);
    return take_triplets(file, &a, out);
}
