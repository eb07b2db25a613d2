#include "io/file/terrain_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/case/yaml/case_message.h"
#include "io/file/text_file.h"

void scree_heights_free(scree_heights *heights) {
    free(heights->z);
    *heights = (scree_heights){0};
}

/* ---- header -------------------------------------------------------------- */

enum {
    NCOLS,
    NROWS,
    X_CORNER,
    X_CENTER,
    Y_CORNER,
    Y_CENTER,
    CELL,
    NODATA,
    KEYS
};

static const char *const names[KEYS] = {"ncols",     "nrows",       "xllcorner",
                                        "xllcenter", "yllcorner",   "yllcenter",
                                        "cellsize",  "NODATA_value"};

typedef struct header {
    double value[KEYS];
    int line[KEYS]; /* 0: not given */
    int last;       /* line */
} header;

static const char *name_at(const void *from, int i) {
    (void)from;
    return i < KEYS ? names[i] : NULL;
}

static scree_status read_key(header *h, scree_word key, scree_word value,
                             const char *path, scree_error *error) {
    const scree_origin at = {path, key.line};
    int k = 0;
    while (k < KEYS && !scree_word_is(key, names[k])) k++;
    if (scree_word_is(key, "dx") || scree_word_is(key, "dy"))
        return scree_complain(error, at, "",
                              "'%s': the cells are no squares; resample the "
                              "grid to square ones (gdalwarp -tr 2 2)",
                              scree_quote_word(key).text);
    if (k == KEYS) {
        scree_complain(error, at, "", "'%s' is no key of an ESRI grid",
                       scree_quote_word(key).text);
        scree_hint_names(error, "allowed", (scree_names){name_at, NULL});
        scree_hint_nearest(error, scree_quote_word(key).text,
                           (scree_names){name_at, NULL});
        return SCREE_BAD_INPUT;
    }
    if (h->line[k])
        return scree_complain(error, at, names[k], "already given in line %d",
                              h->line[k]);
    if (!scree_word_number(value, &h->value[k]))
        return scree_complain(error, at, names[k],
                              "expected a number, found '%s'",
                              scree_quote_word(value).text);
    h->line[k] = key.line;
    return SCREE_OK;
}

/* Keys come first; a line that begins with a number ends them. */
static scree_status read_keys(scree_cursor *cursor, header *h, const char *path,
                              scree_error *error) {
    double number;
    for (;;) {
        scree_cursor ahead = *cursor;
        const scree_word key = scree_next_word(&ahead);
        h->last = key.line;
        if (key.n == 0 || scree_word_number(key, &number)) return SCREE_OK;
        TRY(read_key(h, key, scree_next_on_line(&ahead), path, error));
        const scree_word more = scree_next_on_line(&ahead);
        if (more.n)
            return scree_complain(error, (scree_origin){path, more.line}, "",
                                  "'%s' after the value",
                                  scree_quote_word(more).text);
        *cursor = ahead;
    }
}

static scree_status need_key(const header *h, int k, int or, const char *path,
                             scree_error *error) {
    if (h->line[k] && h->line[or] && k != or)
        return scree_complain(error, (scree_origin){path, h->line[or]}, "",
                              "both %s and %s are given", names[k], names[or]);
    if (h->line[k] || h->line[or]) return SCREE_OK;
    return scree_complain(error, (scree_origin){path, h->last}, "",
                          "the key %s is missing", names[k]);
}

static scree_status check_count(const header *h, int k, int *n,
                                const char *path, scree_error *error) {
    const double x = h->value[k];
    if (!(x >= 2 && x <= 1e6 && x == floor(x)))
        return scree_complain(error, (scree_origin){path, h->line[k]}, names[k],
                              "must be a whole number from 2 to 1e6, not %g",
                              x);
    *n = (int)x;
    return SCREE_OK;
}

static double middle_of_cell(const header *h, int corner, int center) {
    return h->line[center] ? h->value[center]
                           : h->value[corner] + 0.5 * h->value[CELL];
}

static scree_status read_header(scree_cursor *cursor, header *h,
                                scree_heights *out, const char *path,
                                scree_error *error) {
    TRY(read_keys(cursor, h, path, error));
    TRY(need_key(h, NCOLS, NCOLS, path, error));
    TRY(need_key(h, NROWS, NROWS, path, error));
    TRY(need_key(h, X_CORNER, X_CENTER, path, error));
    TRY(need_key(h, Y_CORNER, Y_CENTER, path, error));
    TRY(need_key(h, CELL, CELL, path, error));
    TRY(check_count(h, NCOLS, &out->nx, path, error));
    TRY(check_count(h, NROWS, &out->ny, path, error));
    if (!(h->value[CELL] > 0))
        return scree_complain(error, (scree_origin){path, h->line[CELL]},
                              names[CELL], "must be positive, not %g",
                              h->value[CELL]);
    if (!h->line[NODATA]) h->value[NODATA] = -9999; /* ESRI's default */
    out->cell = h->value[CELL];
    out->x0 = middle_of_cell(h, X_CORNER, X_CENTER);
    out->y0 = middle_of_cell(h, Y_CORNER, Y_CENTER);
    return SCREE_OK;
}

/* ---- heights ------------------------------------------------------------- */

static scree_status read_height(scree_word word, int column, double nodata,
                                bool holes, double *z, const char *path,
                                scree_error *error) {
    const scree_origin at = {path, word.line};
    if (!scree_word_number(word, z))
        return scree_complain(error, at, "",
                              "column %d: expected a height, found '%s'",
                              column, scree_quote_word(word).text);
    if (*z != nodata) return SCREE_OK;
    *z = NAN;
    if (!holes)
        return scree_complain(error, at, "",
                              "column %d: no height here (NODATA, %g): cut the "
                              "grid to its part without holes (terrain.crop), "
                              "or fill them",
                              column, nodata);
    return SCREE_OK;
}

static scree_status read_row(scree_cursor *cursor, const scree_heights *h,
                             double nodata, bool holes, double *row, int number,
                             const char *path, scree_error *error) {
    scree_word word = scree_next_word(cursor);
    if (word.n == 0)
        return scree_complain(error, (scree_origin){path, word.line}, "",
                              "the file ends after %d of %d rows", number,
                              h->ny);
    const scree_origin at = {path, word.line};
    int n = 0;
    for (; word.n && n < h->nx; n++) {
        TRY(read_height(word, n + 1, nodata, holes, &row[n], path, error));
        word = scree_next_on_line(cursor);
    }
    if (n < h->nx)
        return scree_complain(error, at, "", "%d heights, expected %d (ncols)",
                              n, h->nx);
    if (word.n)
        return scree_complain(error, at, "", "more than %d heights (ncols)",
                              h->nx);
    return SCREE_OK;
}

/* The file's first row is the northernmost: y grows upward in memory. */
static scree_status read_rows(scree_cursor *cursor, const scree_heights *h,
                              double nodata, bool holes, const char *path,
                              scree_error *error) {
    for (int j = 0; j < h->ny; j++)
        TRY(read_row(cursor, h, nodata, holes,
                     h->z + (size_t)(h->ny - 1 - j) * (size_t)h->nx, j, path,
                     error));
    const scree_word more = scree_next_word(cursor);
    if (more.n)
        return scree_complain(error, (scree_origin){path, more.line}, "",
                              "'%s' after the last of %d rows",
                              scree_quote_word(more).text, h->ny);
    return SCREE_OK;
}

static scree_status read_grid(const scree_text *text, bool holes,
                              scree_heights *out, scree_error *error) {
    header h = {0};
    scree_cursor cursor = scree_cursor_start(text);
    TRY(read_header(&cursor, &h, out, text->path, error));
    const size_t n = (size_t)out->nx * (size_t)out->ny;
    if (n > text->n) /* a height takes a byte at least: no memory for nothing */
        return scree_complain(error, (scree_origin){text->path, h.line[NROWS]},
                              "", "%d x %d heights do not fit into the file",
                              out->nx, out->ny);
    out->z = malloc(n * sizeof *out->z);
    if (!out->z)
        return scree_fail(error, SCREE_OUT_OF_MEMORY,
                          "%s: no memory for %zu heights", text->path, n);
    return read_rows(&cursor, out, h.value[NODATA], holes, text->path, error);
}

static scree_status read_file(const char *path, bool holes,
                              scree_heights *heights, scree_error *error) {
    scree_text text;
    *heights = (scree_heights){0};
    TRY(scree_text_read(&text, path, error));
    const scree_status status = read_grid(&text, holes, heights, error);
    scree_text_free(&text);
    if (status != SCREE_OK) scree_heights_free(heights);
    return status;
}

scree_status scree_terrain_read(const char *path, scree_heights *heights,
                                scree_error *error) {
    return read_file(path, false, heights, error);
}

scree_status scree_terrain_read_holes(const char *path, scree_heights *heights,
                                      scree_error *error) {
    return read_file(path, true, heights, error);
}

/* ---- coordinate reference -------------------------------------------------- */

/* hill.asc: hill.prj; NULL: no memory. */
static char *name_beside(const char *path) {
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    const bool ends = dot && (!slash || dot > slash);
    char *name;
    const int n = (int)(ends ? (size_t)(dot - path) : strlen(path));
    return asprintf(&name, "%.*s.prj", n, path) < 0 ? NULL : name;
}

static scree_status read_crs(const char *name, char **crs, scree_error *error) {
    scree_text text;
    TRY(scree_text_read(&text, name, error));
    *crs = strndup(text.bytes, text.n);
    scree_text_free(&text);
    if (!*crs)
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "%s: out of memory",
                          name);
    const bool degrees =
        strncmp(*crs, "GEOGCS", 6) == 0 || strncmp(*crs, "GEOGCRS", 7) == 0;
    if (!degrees) return SCREE_OK;
    free(*crs);
    *crs = NULL;
    return scree_fail(
        error, SCREE_BAD_INPUT,
        "%s: the coordinates of the terrain are degrees; project "
        "it to metres (gdalwarp -t_srs EPSG:2056, or that of your "
        "country)",
        name);
}

scree_status scree_terrain_crs(const char *path, char **crs,
                               scree_error *error) {
    char *name = name_beside(path);
    *crs = NULL;
    if (!name)
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "%s: out of memory",
                          path);
    const scree_status status =
        access(name, F_OK) == 0 ? read_crs(name, crs, error) : SCREE_OK;
    free(name);
    return status;
}
