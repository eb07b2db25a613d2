/* fclib_file.c: reading arrays of a file that may be wrong in any way. Sizes
 * come from HDF5, never from numbers in the file; HDF5 itself is at work in a
 * process of its own. */
#include "io/fclib/fclib_file.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

scree_status scree_fclib_bad(const scree_fclib_file *file, const char *name,
                             const char *reason) {
    return scree_fail(file->error, SCREE_BAD_INPUT, "%s: %s: %s", file->path,
                      name, reason);
}

scree_status scree_fclib_room(scree_fclib_file *file, size_t bytes,
                              void *pointer) {
    void *room = scree_arena_push(file->arena, bytes + 1);
    memcpy(pointer, &room, sizeof room);
    if (room) return SCREE_OK;
    return scree_fail(file->error, SCREE_OUT_OF_MEMORY, "%s: out of memory",
                      file->path);
}

scree_status scree_fclib_open(scree_fclib_file *file, const char *path,
                              scree_arena *arena, scree_error *error) {
    *file = (scree_fclib_file){.path = path, .arena = arena, .error = error};
    struct stat about; /* the reader would wait for the other end of a FIFO */
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode))
        return scree_fail(error, SCREE_BAD_INPUT, "%s: not a file", path);
    const scree_fclib_outcome outcome =
        scree_fclib_reader_start(&file->reader, path);
    if (outcome == SCREE_FCLIB_FOUND) return SCREE_OK;
    return scree_fail(error,
                      outcome == SCREE_FCLIB_NO_MEMORY ? SCREE_OUT_OF_MEMORY
                                                       : SCREE_BAD_INPUT,
                      "%s: %s", path, scree_fclib_outcome_text(outcome));
}

scree_status scree_fclib_close(scree_fclib_file *file, scree_status status) {
    scree_fclib_reader_end(&file->reader);
    if (!file->reader.crashed) return status;
    return scree_fail(file->error, SCREE_BAD_INPUT, "%s: %s", file->path,
                      scree_fclib_outcome_text(SCREE_FCLIB_CRASHED));
}

bool scree_fclib_has(scree_fclib_file *file, const char *name) {
    return scree_fclib_reader_has(&file->reader, name);
}

/* ---- arrays -------------------------------------------------------------- */

static scree_status refuse_name(scree_fclib_file *file, const char *name,
                                scree_fclib_outcome outcome) {
    const char *reason = scree_fclib_outcome_text(outcome);
    if (outcome != SCREE_FCLIB_NO_MEMORY)
        return scree_fclib_bad(file, name, reason);
    return scree_fail(file->error, SCREE_OUT_OF_MEMORY, "%s: %s", file->path,
                      reason);
}

/* int64_t or double: eight bytes each. */
static scree_status read_array(scree_fclib_file *file, const char *name,
                               bool whole, void *values, int64_t *n) {
    void *room = NULL;
    scree_fclib_outcome outcome = scree_fclib_reader_ask(
        &file->reader, whole ? SCREE_FCLIB_WHOLE : SCREE_FCLIB_REAL, name, n);
    const size_t bytes = 8 * (size_t)*n;
    if (outcome == SCREE_FCLIB_FOUND) TRY(scree_fclib_room(file, bytes, &room));
    if (outcome == SCREE_FCLIB_FOUND)
        outcome = scree_fclib_reader_take(&file->reader, room, bytes);
    memcpy(values, &room, sizeof room);
    return outcome == SCREE_FCLIB_FOUND ? SCREE_OK
                                        : refuse_name(file, name, outcome);
}

scree_status scree_fclib_read_int(scree_fclib_file *file, const char *name,
                                  int64_t *value) {
    int64_t *values = NULL, n = 0;
    TRY(read_array(file, name, true, &values, &n));
    if (n != 1) return scree_fclib_bad(file, name, "is not one number");
    *value = values[0];
    return SCREE_OK;
}

scree_status scree_fclib_read_numbers(scree_fclib_file *file, const char *name,
                                      int64_t n, double **values,
                                      int64_t *found) {
    int64_t size;
    char reason[100];
    TRY(read_array(file, name, false, values, &size));
    snprintf(reason, sizeof reason, "holds %lld numbers, not %lld",
             (long long)size, (long long)n);
    if (n >= 0 && size != n) return scree_fclib_bad(file, name, reason);
    for (int64_t i = 0; i < size; i++)
        if (!isfinite((*values)[i]))
            return scree_fclib_bad(file, name,
                                   "holds a number that is not finite");
    if (found) *found = size;
    return SCREE_OK;
}

void scree_fclib_read_text(scree_fclib_file *file, const char *name, char *text,
                           size_t size) {
    char *room;
    int64_t n;
    *text = 0;
    if (scree_fclib_reader_ask(&file->reader, SCREE_FCLIB_TEXT, name, &n) !=
            SCREE_FCLIB_FOUND ||
        scree_fclib_room(file, (size_t)n, &room) != SCREE_OK ||
        scree_fclib_reader_take(&file->reader, room, (size_t)n) !=
            SCREE_FCLIB_FOUND)
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

static scree_status read_raw(scree_fclib_file *file, raw *a) {
    TRY(scree_fclib_read_int(file, part_name(a, "m").text, &a->m));
    TRY(scree_fclib_read_int(file, part_name(a, "n").text, &a->n));
    TRY(scree_fclib_read_int(file, part_name(a, "nz").text, &a->nz));
    if (a->m < 0 || a->m > INT32_MAX)
        return scree_fclib_bad(file, part_name(a, "m").text, "is out of range");
    if (a->n < 0 || a->n > INT32_MAX)
        return scree_fclib_bad(file, part_name(a, "n").text, "is out of range");
    if (a->nz < -2)
        return scree_fclib_bad(file, part_name(a, "nz").text,
                               "is no known storage");
    TRY(read_array(file, part_name(a, "p").text, true, &a->p, &a->n_p));
    TRY(read_array(file, part_name(a, "i").text, true, &a->i, &a->n_i));
    return read_array(file, part_name(a, "x").text, false, &a->x, &a->n_x);
}

static scree_status check_pointers(scree_fclib_file *file, const raw *a,
                                   int64_t lines) {
    const name p = part_name(a, "p");
    if (a->n_p < lines + 1)
        return scree_fclib_bad(file, p.text, "is too short");
    if (a->p[0] != 0)
        return scree_fclib_bad(file, p.text, "does not begin with 0");
    for (int64_t k = 0; k < lines; k++)
        if (a->p[k + 1] < a->p[k])
            return scree_fclib_bad(file, p.text, "is not in ascending order");
    return SCREE_OK;
}

static scree_status check_count(scree_fclib_file *file, const raw *a,
                                int64_t count) {
    if (a->n_i < count)
        return scree_fclib_bad(file, part_name(a, "i").text, "is too short");
    if (a->n_x < count)
        return scree_fclib_bad(file, part_name(a, "x").text, "is too short");
    if (a->nz >= 0 && a->n_p < count)
        return scree_fclib_bad(file, part_name(a, "p").text, "is too short");
    return SCREE_OK;
}

static scree_status add_entry(scree_fclib_file *file, const raw *a,
                              scree_fclib_matrix *out, int64_t row,
                              int64_t column, double x) {
    if (row < 0 || row >= a->m)
        return scree_fclib_bad(file, part_name(a, a->nz == -2 ? "p" : "i").text,
                               "holds a row outside the matrix");
    if (column < 0 || column >= a->n)
        return scree_fclib_bad(file, part_name(a, a->nz == -2 ? "i" : "p").text,
                               "holds a column outside the matrix");
    if (!isfinite(x))
        return scree_fclib_bad(file, part_name(a, "x").text,
                               "holds a number that is not finite");
    out->entries[out->count++] =
        (scree_entry){(int32_t)row, (int32_t)column, x};
    return SCREE_OK;
}

static scree_status take_triplets(scree_fclib_file *file, const raw *a,
                                  scree_fclib_matrix *out) {
    for (int64_t k = 0; k < a->nz; k++)
        TRY(add_entry(file, a, out, a->i[k], a->p[k], a->x[k]));
    return SCREE_OK;
}

static scree_status take_lines(scree_fclib_file *file, const raw *a,
                               int64_t lines, scree_fclib_matrix *out) {
    const bool by_row = a->nz == -2;
    for (int64_t line = 0; line < lines; line++)
        for (int64_t k = a->p[line]; k < a->p[line + 1]; k++)
            TRY(add_entry(file, a, out, by_row ? line : a->i[k],
                          by_row ? a->i[k] : line, a->x[k]));
    return SCREE_OK;
}

scree_status scree_fclib_read_matrix(scree_fclib_file *file,
                                     const char *matrix_name,
                                     scree_fclib_matrix *out) {
    raw a = {.name = matrix_name};
    TRY(read_raw(file, &a));
    const int64_t lines = a.nz == -1 ? a.n : a.m;
    if (a.nz < 0) TRY(check_pointers(file, &a, lines));
    const int64_t count = a.nz < 0 ? a.p[lines] : a.nz;
    TRY(check_count(file, &a, count));
    *out = (scree_fclib_matrix){.m = a.m, .n = a.n};
    TRY(scree_fclib_room(file, (size_t)count * sizeof *out->entries,
                         &out->entries));
    if (a.nz < 0) return take_lines(file, &a, lines, out);
    return take_triplets(file, &a, out);
}
