#include "io/file/mesh_file.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/base/arena.h"
#include "io/case/yaml/case_message.h"
#include "io/file/text_file.h"

/* ---- a surface in the making --------------------------------------------- */

typedef struct builder {
    scree_triangles *out;
    int64_t vertex_room, corner_room, line_room;
    const char *path;
    scree_error *error;
} builder;

static scree_status no_memory(const builder *b) {
    return scree_fail(b->error, SCREE_OUT_OF_MEMORY, "%s: no memory for it",
                      b->path);
}

static scree_status add_vertex(builder *b, const double x[3]) {
    scree_triangles *t = b->out;
    if (scree_reserve(&t->vertex, &b->vertex_room, t->n_vertex + 1,
                      sizeof *t->vertex) != SCREE_OK)
        return no_memory(b);
    t->vertex[t->n_vertex++] = vec_from(x);
    return SCREE_OK;
}

/* line = 0: a file without lines. */
static scree_status add_triangle(builder *b, int32_t i, int32_t j, int32_t k,
                                 int line) {
    scree_triangles *t = b->out;
    const int64_t need = t->n_triangle + 1;
    if (scree_reserve(&t->corner, &b->corner_room, need, sizeof *t->corner) ||
        (line && scree_reserve(&t->line, &b->line_room, need, sizeof *t->line)))
        return no_memory(b);
    int32_t *corner = t->corner[t->n_triangle];
    corner[0] = i, corner[1] = j, corner[2] = k;
    if (line) t->line[t->n_triangle] = line;
    t->n_triangle++;
    return SCREE_OK;
}

#define COMPLAIN(b, line, ...)                                                 \
    scree_complain((b)->error, (scree_origin){(b)->path, (line)}, "",          \
                   __VA_ARGS__)

/* ---- binary STL ---------------------------------------------------------- */

enum { STL_HEADER = 80, STL_FACET = 50 };

static uint32_t little_u32(const char *bytes) {
    const unsigned char *b = (const unsigned char *)bytes;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 |
           (uint32_t)b[3] << 24;
}

static double little_float(const char *bytes) {
    const uint32_t bits = little_u32(bytes);
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Facets are a normal (not read: the corners' order tells), three corners, and
 * two bytes of attributes. */
static scree_status read_binary_stl(builder *b, const scree_text *text) {
    if (text->n < STL_HEADER + 4)
        return scree_fail(b->error, SCREE_BAD_INPUT,
                          "%s: %zu bytes are too few for an STL file", b->path,
                          text->n);
    const uint32_t n = little_u32(text->bytes + STL_HEADER);
    const size_t there = (text->n - STL_HEADER - 4) / STL_FACET;
    if (n > there)
        return scree_fail(b->error, SCREE_BAD_INPUT,
                          "%s: facet %zu: the file ends here, although it "
                          "announces %u facets",
                          b->path, there + 1, n);
    if (n < there)
        return scree_fail(b->error, SCREE_BAD_INPUT,
                          "%s: the file announces %u facets, but holds %zu",
                          b->path, n, there);
    const char *at = text->bytes + STL_HEADER + 4;
    for (uint32_t f = 0; f < n; f++, at += STL_FACET) {
        for (int k = 1; k <= 3; k++) {
            const char *p = at + 12 * k;
            const double x[] = {little_float(p), little_float(p + 4),
                                little_float(p + 8)};
            TRY(add_vertex(b, x));
        }
        const int32_t last = b->out->n_vertex - 1;
        TRY(add_triangle(b, last - 2, last - 1, last, 0));
    }
    return SCREE_OK;
}

/* ---- ASCII STL ----------------------------------------------------------- */

static scree_status expect_text(builder *b, scree_cursor *c, const char *text) {
    const scree_word word = scree_next_word(c);
    if (scree_word_is(word, text)) return SCREE_OK;
    if (word.n == 0)
        return COMPLAIN(b, word.line, "facet %d: the file ends, '%s' expected",
                        b->out->n_triangle + 1, text);
    return COMPLAIN(b, word.line, "facet %d: expected '%s', found '%s'",
                    b->out->n_triangle + 1, text, scree_quote_word(word).text);
}

static scree_status read_numbers(builder *b, scree_cursor *c, double x[3]) {
    for (int k = 0; k < 3; k++) {
        const scree_word word = scree_next_word(c);
        if (!scree_word_number(word, &x[k]))
            return COMPLAIN(
                b, word.line, "facet %d: expected a finite number, found '%s'",
                b->out->n_triangle + 1, scree_quote_word(word).text);
    }
    return SCREE_OK;
}

/* The normal is read past: exporters write nan or zero there. */
static scree_status read_ascii_facet(builder *b, scree_cursor *c) {
    double x[3];
    TRY(expect_text(b, c, "normal"));
    for (int k = 0; k < 3; k++) scree_next_word(c);
    TRY(expect_text(b, c, "outer"));
    TRY(expect_text(b, c, "loop"));
    for (int k = 0; k < 3; k++) {
        TRY(expect_text(b, c, "vertex"));
        TRY(read_numbers(b, c, x));
        TRY(add_vertex(b, x));
    }
    TRY(expect_text(b, c, "endloop"));
    TRY(expect_text(b, c, "endfacet"));
    const int32_t last = b->out->n_vertex - 1;
    return add_triangle(b, last - 2, last - 1, last, 0);
}

/* "solid name", facets, "endsolid name"; more than one solid may follow. */
static scree_status read_ascii_stl(builder *b, const scree_text *text) {
    scree_cursor c = scree_cursor_start(text);
    bool ended = false;
    for (;;) {
        const scree_word word = scree_next_word(&c);
        if (word.n == 0 && ended) return SCREE_OK;
        if (scree_word_is(word, "facet")) {
            TRY(read_ascii_facet(b, &c));
        } else if (scree_word_is(word, "solid") ||
                   scree_word_is(word, "endsolid")) {
            ended = scree_word_is(word, "endsolid");
            scree_next_line(&c);
        } else if (word.n)
            return COMPLAIN(b, word.line,
                            "expected 'facet' or 'endsolid', found '%s'",
                            scree_quote_word(word).text);
        else
            return COMPLAIN(b, word.line, "the file ends, 'endsolid' expected");
    }
}

/* Binary files may begin with "solid" too, but the count of their facets has a
 * zero byte. */
static scree_status read_stl(builder *b, const scree_text *text) {
    const bool solid = text->n >= 5 && strncmp(text->bytes, "solid", 5) == 0;
    const bool zeros = memchr(text->bytes, '\0', text->n) != NULL;
    return solid && !zeros ? read_ascii_stl(b, text) : read_binary_stl(b, text);
}

/* ---- OBJ ----------------------------------------------------------------- */

/* The part of "a/b/c" before the first slash; negative ones count back from the
 * last vertex. */
static scree_status read_index(builder *b, scree_word word, int32_t *index) {
    const char *slash = memchr(word.text, '/', (size_t)word.n);
    const scree_word first = {
        word.text, slash ? (int)(slash - word.text) : word.n, word.line};
    int k;
    if (!scree_word_integer(first, &k))
        return COMPLAIN(b, word.line,
                        "expected the number of a vertex, found "
                        "'%s'",
                        scree_quote_word(word).text);
    const int n = b->out->n_vertex;
    if (k == 0 || k > n || k < -n)
        return COMPLAIN(b, word.line,
                        "vertex %d does not exist (%d are given before)", k, n);
    *index = k > 0 ? k - 1 : n + k;
    return SCREE_OK;
}

static scree_status read_obj_face(builder *b, scree_cursor *c) {
    const int line = c->line;
    int32_t first = 0, last = 0, next = 0;
    int n = 0;
    for (scree_word word; (word = scree_next_on_line(c)).n; n++, last = next) {
        TRY(read_index(b, word, &next));
        if (n == 0) first = next;
        if (n >= 2) TRY(add_triangle(b, first, last, next, line));
    }
    if (n >= 3) return SCREE_OK;
    return COMPLAIN(b, line, "a facet has at least 3 corners, not %d", n);
}

static scree_status read_obj_vertex(builder *b, scree_cursor *c) {
    double x[3];
    for (int k = 0; k < 3; k++) {
        const scree_word word = scree_next_on_line(c);
        if (!scree_word_number(word, &x[k]))
            return COMPLAIN(b, c->line,
                            "a vertex has three finite coordinates, found '%s'",
                            scree_quote_word(word).text);
    }
    return add_vertex(b, x);
}

static scree_status read_obj(builder *b, const scree_text *text) {
    scree_cursor c = scree_cursor_start(text);
    do {
        const scree_word word = scree_next_on_line(&c);
        if (scree_word_is(word, "v")) TRY(read_obj_vertex(b, &c));
        if (scree_word_is(word, "f")) TRY(read_obj_face(b, &c));
    } while (scree_next_line(&c));
    return SCREE_OK;
}

/* ---- any of them --------------------------------------------------------- */

static bool ends_with(const char *path, const char *ending) {
    const size_t n = strlen(path), m = strlen(ending);
    return n >= m && strcasecmp(path + n - m, ending) == 0;
}

static scree_status read_text(builder *b, const scree_text *text) {
    if (ends_with(b->path, ".stl")) return read_stl(b, text);
    if (ends_with(b->path, ".obj")) return read_obj(b, text);
    return scree_fail(b->error, SCREE_BAD_INPUT,
                      "%s: expected a file .stl or .obj", b->path);
}

scree_status scree_mesh_read(const char *path, bool closed,
                             scree_triangles *triangles, scree_error *error) {
    scree_text text;
    *triangles = (scree_triangles){0};
    TRY(scree_text_read(&text, path, error));
    builder b = {.out = triangles, .path = path, .error = error};
    scree_status status = read_text(&b, &text);
    scree_text_free(&text);
    if (status == SCREE_OK) status = scree_triangles_merge(triangles, error);
    if (status == SCREE_OK)
        status = scree_triangles_check(triangles, closed, path, error);
    if (status != SCREE_OK) scree_triangles_free(triangles);
    return status;
}
