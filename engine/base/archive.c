#include "engine/base/archive.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_NAME = 160 };

size_t scree_number_size(scree_number type) {
    switch (type) {
    case SCREE_F32:
    case SCREE_I32:
        return 4;
    case SCREE_U8:
        return 1;
    default:
        return 8;
    }
}

void scree_archive_group(scree_archive *a, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(a->group, sizeof a->group, format, args);
    va_end(args);
}

void scree_archive_fail(scree_archive *a, scree_status status,
                        const char *format, ...) {
    if (a->status != SCREE_OK) return;
    char text[600];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    a->status = scree_fail(a->error, status, "%s", text);
}

/* What one rank alone has met would leave the others waiting. */
static void agree_failure(scree_archive *a) {
    a->status = a->ops->agree(a->self, a->status, a->error);
}

void scree_archive_parts(scree_archive *a, bool on) {
    a->parts = on;
    if (on) agree_failure(a);
}

void scree_archive_block(scree_archive *a, int64_t first) {
    a->block = first >= 0;
    a->first = first;
}

static void whole_name(const scree_archive *a, const char *name,
                       char whole[LONGEST_NAME]) {
    snprintf(whole, LONGEST_NAME, "%s/%s", a->group, name);
}

static int64_t count_rows(scree_archive *a, const char *whole) {
    const int64_t n = a->ops->count(a->self, whole);
    if (n == SCREE_UNREADABLE)
        scree_archive_fail(a, SCREE_BAD_INPUT, "'%s' cannot be read", whole);
    return n;
}

bool scree_archive_has(scree_archive *a, const char *name) {
    char whole[LONGEST_NAME];
    if (!a->loads || a->status != SCREE_OK) return false;
    whole_name(a, name, whole);
    return count_rows(a, whole) >= 0;
}

/* Files of another version may be whole and yet not hold all that is needed. */
static int64_t require_rows(scree_archive *a, const char *whole) {
    const int64_t n = count_rows(a, whole);
    if (n >= 0 || a->status != SCREE_OK) return n;
    if (a->version)
        scree_archive_fail(a, SCREE_BAD_INPUT,
                           "it has no '%s' that this program can read; Scree "
                           "%.100s wrote it: go on with that version",
                           whole, a->version);
    else
        scree_archive_fail(a, SCREE_BAD_INPUT, "it has no '%s'", whole);
    return -1;
}

void scree_archive_array(scree_archive *a, const char *name, scree_number type,
                         int64_t n, int columns, void *data) {
    char whole[LONGEST_NAME];
    if (a->status != SCREE_OK) return;
    whole_name(a, name, whole);
    const scree_rows rows = {whole, type, n, columns, a->block, a->first};
    if (a->loads && require_rows(a, whole) < 0) return;
    if (a->loads)
        a->status = a->ops->get(a->self, &rows, data, a->error);
    else
        a->status = (a->parts ? a->ops->put_part : a->ops->put)(a->self, &rows,
                                                                data, a->error);
}

int64_t scree_archive_count(scree_archive *a, const char *name, int64_t n) {
    char whole[LONGEST_NAME];
    if (a->status != SCREE_OK) return 0;
    if (!a->loads) return n;
    whole_name(a, name, whole);
    const int64_t found = require_rows(a, whole);
    return found < 0 ? 0 : found;
}

void scree_archive_text(scree_archive *a, const char *name, char **text) {
    const int64_t n =
        scree_archive_count(a, name, a->loads ? 0 : (int64_t)strlen(*text));
    if (a->loads) {
        *text = a->status == SCREE_OK ? calloc((size_t)n + 1, 1) : NULL;
        if (!*text) scree_archive_fail(a, SCREE_OUT_OF_MEMORY, "out of memory");
    }
    scree_archive_array(a, name, SCREE_U8, n, 1, *text);
    if (a->loads && a->status != SCREE_OK) {
        free(*text);
        *text = NULL;
    }
}

/* ---- members of structs --------------------------------------------------- */

static char *member_at(const scree_items *items, const scree_archive_field *f,
                       int64_t i) {
    const int64_t at = items->place ? items->place[i] : i;
    return (char *)items->first + (size_t)at * items->stride + f->offset;
}

static void collect_member(const scree_items *items,
                           const scree_archive_field *f, char *rows) {
    const size_t size = (size_t)f->columns * scree_number_size(f->type);
    for (int64_t i = 0; i < items->n; ++i)
        memcpy(rows + (size_t)i * size, member_at(items, f, i), size);
}

static void spread_member(const scree_items *items,
                          const scree_archive_field *f, const char *rows) {
    const size_t size = (size_t)f->columns * scree_number_size(f->type);
    for (int64_t i = 0; i < items->n; ++i)
        memcpy(member_at(items, f, i), rows + (size_t)i * size, size);
}

static void one_field(scree_archive *a, const scree_items *items,
                      const scree_archive_field *f, char *rows) {
    if (!a->loads) collect_member(items, f, rows);
    scree_archive_array(a, f->name, f->type, items->n, f->columns, rows);
    if (a->loads && a->status == SCREE_OK) spread_member(items, f, rows);
}

void scree_archive_items(scree_archive *a, const scree_items *items,
                         const scree_archive_field *fields, int n_field) {
    size_t widest = 1;
    for (int k = 0; k < n_field; ++k) {
        const size_t size =
            (size_t)fields[k].columns * scree_number_size(fields[k].type);
        if (size > widest) widest = size;
    }
    if (a->status != SCREE_OK) return;
    char *rows = malloc(((size_t)items->n + 1) * widest);
    if (!rows) scree_archive_fail(a, SCREE_OUT_OF_MEMORY, "out of memory");
    if (a->parts) agree_failure(a);
    for (int k = 0; k < n_field && a->status == SCREE_OK; ++k)
        one_field(a, items, &fields[k], rows);
    free(rows);
}

void scree_archive_struct(scree_archive *a, void *one,
                          const scree_archive_field *fields, int n_field) {
    const scree_items items = {.first = one, .n = 1};
    scree_archive_items(a, &items, fields, n_field);
}

void scree_archive_check_truth(scree_archive *a, const char *name,
                               const bool *x) {
    unsigned char byte;
    memcpy(&byte, x, sizeof byte);
    if (byte > 1)
        scree_archive_fail(a, SCREE_BAD_INPUT, "'%s' is neither 0 nor 1", name);
}
