/* case_value.c: reading one value of a given type.
 *
 * Quotes make a text: "5" is no number and "on" no switch. */
#include "io/case/case_reader.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/catalyst/catalyst.h"
#include "solvers/problem/method.h"

/* ---- refusals ------------------------------------------------------------ */

scree_status scree_reader_wrong_type(scree_reader *r, const scree_field *field,
                                     const char *expected,
                                     const scree_node *node) {
    char found[100];
    double x;
    if (node->kind == SCREE_NODE_MAP)
        snprintf(found, sizeof found, "a mapping");
    else if (node->kind == SCREE_NODE_LIST)
        snprintf(found, sizeof found, "a list of %d", node->n);
    else if (scree_node_is_nothing(node))
        snprintf(found, sizeof found, "nothing");
    else
        snprintf(found, sizeof found,
                 scree_node_number(node, &x) == SCREE_NO_NUMBER
                     ? "the text '%s'"
                     : "the number %s",
                 scree_quote(node->text).text);
    scree_complain(r->error, node->origin, r->key, "expected %s, found %s",
                   expected, found);
    scree_hint_allowed(r, field);
    return SCREE_BAD_INPUT;
}

static scree_status refuse_value(scree_reader *r, const scree_field *field,
                                 const scree_node *node, const char *why) {
    scree_complain(r->error, node->origin, r->key, "%s", why);
    scree_hint_allowed(r, field);
    return SCREE_BAD_INPUT;
}

static scree_status out_of_range(scree_reader *r, const scree_field *field,
                                 const scree_node *node) {
    char why[100];
    snprintf(why, sizeof why, "%s is out of range",
             scree_quote(node->text).text);
    return refuse_value(r, field, node, why);
}

static scree_status unknown_name(scree_reader *r, const scree_field *field,
                                 const scree_node *node, const char *what,
                                 scree_names names) {
    char why[SCREE_REFUSAL];
    if (field->why_not && field->why_not(node->text, why, sizeof why)) {
        scree_complain(r->error, node->origin, r->key, "%s", why);
    } else {
        scree_complain(r->error, node->origin, r->key, "unknown %s '%s'", what,
                       scree_quote(node->text).text);
        scree_hint_allowed(r, field);
        scree_hint_nearest(r->error, node->text, names);
    }
    return SCREE_BAD_INPUT;
}

/* ---- numbers ------------------------------------------------------------- */

/* A value that is refused leaves the default, for the checks of what follows. */

static scree_status take_number(scree_reader *r, const scree_field *field,
                                const scree_node *node, double *x) {
    const scree_parsed p = scree_node_number(node, x);
    if (p == SCREE_NO_NUMBER)
        return scree_reader_wrong_type(r, field, "a number", node);
    if (p == SCREE_TOO_LARGE || !scree_range_contains(field->range, *x))
        return out_of_range(r, field, node);
    return SCREE_OK;
}

static scree_status take_integer(scree_reader *r, const scree_field *field,
                                 const scree_node *node, int64_t *k) {
    const scree_parsed p = scree_node_integer(node, k);
    if (p == SCREE_NO_NUMBER)
        return scree_reader_wrong_type(r, field, "an integer", node);
    if (p == SCREE_TOO_LARGE || !scree_range_contains(field->range, (double)*k))
        return out_of_range(r, field, node);
    return SCREE_OK;
}

static scree_status read_number(scree_reader *r, const scree_field *field,
                                const scree_node *node, void *value) {
    double x = 0;
    TRY(take_number(r, field, node, &x));
    *(double *)value = x;
    return SCREE_OK;
}

static scree_status read_auto(scree_reader *r, const scree_field *field,
                              const scree_node *node, void *value) {
    double x = -1;
    if (node->kind != SCREE_NODE_SCALAR || strcmp(node->text, "auto") != 0)
        TRY(take_number(r, field, node, &x));
    *(double *)value = x;
    return SCREE_OK;
}

static scree_status read_integer(scree_reader *r, const scree_field *field,
                                 const scree_node *node, void *value) {
    int64_t k = 0;
    TRY(take_integer(r, field, node, &k));
    *(int *)value = (int)k;
    return SCREE_OK;
}

static scree_status read_count(scree_reader *r, const scree_field *field,
                               const scree_node *node, void *value) {
    int64_t k = 0;
    TRY(take_integer(r, field, node, &k));
    *(int64_t *)value = k;
    return SCREE_OK;
}

/* ---- switches, texts, names ---------------------------------------------- */

static scree_status read_switch(scree_reader *r, const scree_field *field,
                                const scree_node *node, void *value) {
    static const char *const words[] = {"off",  "on", "false",
                                        "true", "no", "yes"};
    if (node->kind == SCREE_NODE_SCALAR && node->plain)
        for (int i = 0; i < 6; i++)
            if (strcmp(node->text, words[i]) == 0) {
                *(bool *)value = i % 2 == 1;
                return SCREE_OK;
            }
    return scree_reader_wrong_type(r, field, scree_field_expected(field), node);
}

static scree_status expect_text(scree_reader *r, const scree_field *field,
                                const scree_node *node) {
    if (node->kind != SCREE_NODE_SCALAR || scree_node_is_nothing(node))
        return scree_reader_wrong_type(r, field, scree_field_expected(field),
                                       node);
    return SCREE_OK;
}

static scree_status read_text(scree_reader *r, const scree_field *field,
                              const scree_node *node, void *value) {
    TRY(expect_text(r, field, node));
    char *text = scree_pool_text(r->pool, node->text, strlen(node->text));
    if (!text) return scree_reader_no_memory(r);
    *(char **)value = text;
    return SCREE_OK;
}

/* Names are printed, and stand in the heads of tables: one that ended a line there, or
 * told the terminal what to do (escape sequences), would say something else. The second
 * block of control characters is two bytes in UTF-8, 0xC2 0x80 to 0xC2 0x9F. */
static bool has_controls(const char *text) {
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        if (*c < 0x20 || *c == 0x7F || (*c == 0xC2 && c[1] < 0xA0)) return true;
    return false;
}

static scree_status read_name(scree_reader *r, const scree_field *field,
                              const scree_node *node, void *value) {
    TRY(expect_text(r, field, node));
    if (!node->text[0])
        return scree_reader_wrong_type(r, field, scree_field_expected(field),
                                       node);
    if (has_controls(node->text))
        return refuse_value(r, field, node, "holds control characters");
    if (strlen(node->text) > SCREE_NAME_BYTES)
        return refuse_value(r, field, node, "too long");
    return read_text(r, field, node, value);
}

/* Position of a node's text among the names. */
static scree_status find_name(scree_reader *r, const scree_field *field,
                              const scree_node *node, const char *what,
                              scree_names names, int *found) {
    TRY(expect_text(r, field, node));
    const char *name;
    for (int i = 0; (name = names.at(names.from, i)) != NULL; i++)
        if (strcmp(name, node->text) == 0) {
            *found = i;
            return SCREE_OK;
        }
    return unknown_name(r, field, node, what, names);
}

static scree_status read_choice(scree_reader *r, const scree_field *field,
                                const scree_node *node, void *value) {
    int i;
    const scree_names names = scree_names_choices(field);
    TRY(find_name(r, field, node, field->key, names, &i));
    *(const char **)value = names.at(names.from, i);
    return SCREE_OK;
}

static scree_status read_option(scree_reader *r, const scree_field *field,
                                const scree_node *node, void *value) {
    return find_name(r, field, node, field->key, scree_names_choices(field),
                     value);
}

static scree_status read_model(scree_reader *r, const scree_field *field,
                               const scree_node *node, void *value) {
    int i;
    (void)value;
    TRY(find_name(r, field, node, "model", scree_names_choices(field), &i));
    return scree_reader_model(r, scree_model_get(i));
}

/* As find_name, of the names that the file itself has given. */
static scree_status find_entry(scree_reader *r, const scree_field *field,
                               const scree_node *node, const char *what,
                               const scree_index *index, scree_names names,
                               int *found) {
    TRY(expect_text(r, field, node));
    *found = scree_index_find(index, node->text);
    if (*found >= 0) return SCREE_OK;
    return r->lost_names ? scree_reader_follow(r)
                         : unknown_name(r, field, node, what, names);
}

static scree_status read_material(scree_reader *r, const scree_field *field,
                                  const scree_node *node, void *value) {
    return find_entry(r, field, node, "material", &r->materials,
                      scree_names_materials(&r->draft), value);
}

static scree_status read_shape(scree_reader *r, const scree_field *field,
                               const scree_node *node, void *value) {
    return find_entry(r, field, node, "shape", &r->shapes,
                      scree_names_shapes(&r->draft), value);
}

/* A relative name is looked up beside the case file, then, of a script, among
 * those that come with the program. What is kept is the whole path, so that a
 * printed case finds the file from anywhere. */
static scree_status read_file(scree_reader *r, const scree_field *field,
                              const scree_node *node, void *value) {
    TRY(expect_text(r, field, node));
    const char *path = r->draft.c.path, *slash = strrchr(path, '/');
    const bool beside = node->text[0] != '/' && slash;
    char name[4096];
    snprintf(name, sizeof name, "%.*s%s", beside ? (int)(slash + 1 - path) : 0,
             path, node->text);
    char *whole = realpath(name, NULL);
    if (!whole && errno == ENOMEM) return scree_reader_no_memory(r);
    if (!whole && field->type == SCREE_FIELD_FILES)
        whole = scree_catalyst_ready(node->text);
    if (!whole) {
        char why[200];
        snprintf(why, sizeof why, "'%s': %s", scree_quote(name).text,
                 strerror(errno));
        return refuse_value(r, field, node, why);
    }
    char *kept = scree_pool_text(r->pool, whole, strlen(whole));
    free(whole);
    *(char **)value = kept;
    return kept ? SCREE_OK : scree_reader_no_memory(r);
}

/* ---- lists of values ----------------------------------------------------- */

/* A list of n items, or of any number if n is 0. */
static scree_status expect_items(scree_reader *r, const scree_field *field,
                                 const scree_node *node, int n) {
    if (node->kind == SCREE_NODE_LIST && (n == 0 || node->n == n))
        return SCREE_OK;
    return scree_reader_wrong_type(r, field, scree_field_expected(field), node);
}

static scree_status expect_at_most(scree_reader *r, const scree_field *field,
                                   const scree_node *node) {
    if (!field->most || node->n <= field->most) return SCREE_OK;
    return refuse_value(r, field, node, "too many");
}

static scree_status read_items(scree_reader *r, const scree_field *field,
                               const scree_node *node, double *x) {
    for (int i = 0; i < node->n; i++) {
        const size_t mark = scree_reader_enter_item(r, i);
        TRY(take_number(r, field, node->items[i], &x[i]));
        scree_reader_leave(r, mark);
    }
    return SCREE_OK;
}

static scree_status read_broadcast(scree_reader *r, const scree_field *field,
                                   const scree_node *node, double x[3]) {
    TRY(take_number(r, field, node, &x[0]));
    x[1] = x[2] = x[0];
    return SCREE_OK;
}

/* In the plane two numbers are enough for a place, one for a turn about z. */
static scree_status read_plane_vector(scree_reader *r, const scree_field *field,
                                      const scree_node *node, double x[3]) {
    const bool axial = field->flags & SCREE_AXIAL;
    x[0] = x[1] = x[2] = 0;
    if (axial && node->kind == SCREE_NODE_SCALAR)
        return take_number(r, field, node, &x[2]);
    if (node->kind != SCREE_NODE_LIST ||
        (node->n != 3 && (axial || node->n != 2)))
        return scree_reader_wrong_type(
            r, field, axial ? "a number" : "a list of 2 numbers", node);
    TRY(read_items(r, field, node, x));
    if (axial ? x[0] == 0 && x[1] == 0
              : x[2] == 0 || field->flags & SCREE_ANY_WAY)
        return SCREE_OK;
    return refuse_value(r, field, node,
                        axial ? "in a plane world all turns about z"
                              : "in a plane world z is 0");
}

static scree_status read_components(scree_reader *r, const scree_field *field,
                                    const scree_node *node, double x[3]) {
    const bool size = field->flags & SCREE_BROADCAST;
    const bool planar = r->draft.c.world.planar;
    if (size && node->kind == SCREE_NODE_SCALAR)
        return read_broadcast(r, field, node, x);
    if (planar && !size) return read_plane_vector(r, field, node, x);
    if (planar && node->kind == SCREE_NODE_LIST && node->n == 2) {
        TRY(read_items(r, field, node, x));
        x[2] = x[0];
        return SCREE_OK;
    }
    TRY(expect_items(r, field, node, 3));
    return read_items(r, field, node, x);
}

static scree_status read_vector(scree_reader *r, const scree_field *field,
                                const scree_node *node, void *value) {
    double *x = value;
    TRY(read_components(r, field, node, x));
    if ((field->flags & SCREE_DIRECTION) && x[0] == 0 && x[1] == 0 && x[2] == 0)
        return refuse_value(r, field, node, "zero is no direction");
    return SCREE_OK;
}

static scree_status read_axis_angle(scree_reader *r, const scree_node *node,
                                    double q[4]) {
    scree_axis_angle turn = {0};
    TRY(scree_reader_map(r, &scree_axis_angle_table, node, &turn));
    const double *a = turn.axis;
    const double s =
        scree_sin(turn.angle / 2) / scree_hypot(scree_hypot(a[0], a[1]), a[2]);
    q[0] = scree_cos(turn.angle / 2);
    for (int i = 0; i < 3; i++) q[1 + i] = s * a[i];
    return SCREE_OK;
}

static scree_status read_quaternion(scree_reader *r, const scree_field *field,
                                    const scree_node *node, void *value) {
    double *q = value;
    if (node->kind == SCREE_NODE_MAP) return read_axis_angle(r, node, q);
    TRY(expect_items(r, field, node, 4));
    TRY(read_items(r, field, node, q));
    if (r->draft.c.world.planar && (q[1] != 0 || q[2] != 0))
        return refuse_value(r, field, node,
                            "in a plane world bodies turn about z: x and y "
                            "are 0");
    const double length =
        sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (fabs(length - 1) <= 1e-6) return SCREE_OK;
    char why[100];
    snprintf(why, sizeof why, "its length is %.9g, not 1", length);
    return refuse_value(r, field, node, why);
}

static scree_status read_counts(scree_reader *r, const scree_field *field,
                                const scree_node *node, void *value) {
    int64_t *k = value;
    const bool planar = r->draft.c.world.planar;
    const bool two = planar && node->kind == SCREE_NODE_LIST && node->n == 2;
    k[2] = 1;
    TRY(expect_items(r, field, node, two ? 2 : 3));
    for (int i = 0; i < node->n; i++) {
        const size_t mark = scree_reader_enter_item(r, i);
        TRY(take_integer(r, field, node->items[i], &k[i]));
        scree_reader_leave(r, mark);
    }
    if (planar && k[2] != 1)
        return refuse_value(r, field, node,
                            "in a plane world there is 1 layer along z");
    return SCREE_OK;
}

static scree_status read_choices(scree_reader *r, const scree_field *field,
                                 const scree_node *node, void *value) {
    TRY(expect_items(r, field, node, 0));
    uint32_t bits = 0;
    for (int i = 0; i < node->n; i++) {
        int k = 0;
        const size_t mark = scree_reader_enter_item(r, i);
        TRY(find_name(r, field, node->items[i], "name",
                      scree_names_choices(field), &k));
        scree_reader_leave(r, mark);
        bits |= (uint32_t)1 << k;
    }
    *(uint32_t *)value = bits;
    return SCREE_OK;
}

static scree_status read_materials(scree_reader *r, const scree_field *field,
                                   const scree_node *node, void *value) {
    TRY(expect_items(r, field, node, 2));
    for (int i = 0; i < 2; i++) {
        const size_t mark = scree_reader_enter_item(r, i);
        TRY(read_material(r, field, node->items[i], (int *)value + i));
        scree_reader_leave(r, mark);
    }
    return SCREE_OK;
}

static scree_status read_some_materials(scree_reader *r,
                                        const scree_field *field,
                                        const scree_node *node, void *value) {
    TRY(expect_items(r, field, node, 0));
    if (node->n == 0)
        return scree_reader_wrong_type(r, field, "at least one material", node);
    int *materials = scree_pool_take(r->pool, (size_t)node->n, sizeof(int));
    if (!materials) return scree_reader_no_memory(r);
    for (int i = 0; i < node->n; i++) {
        const size_t mark = scree_reader_enter_item(r, i);
        TRY(read_material(r, field, node->items[i], &materials[i]));
        scree_reader_leave(r, mark);
    }
    *(const int **)value = materials;
    char *base = (char *)value - field->offset;
    *(int *)(void *)(base + field->count) = node->n;
    return SCREE_OK;
}

static scree_status read_files(scree_reader *r, const scree_field *field,
                               const scree_node *node, void *value) {
    TRY(expect_items(r, field, node, 0));
    if (node->n == 0)
        return scree_reader_wrong_type(r, field, "at least one file", node);
    char **files = scree_pool_take(r->pool, (size_t)node->n, sizeof *files);
    if (!files) return scree_reader_no_memory(r);
    for (int i = 0; i < node->n; i++) {
        const size_t mark = scree_reader_enter_item(r, i);
        TRY(read_file(r, field, node->items[i], &files[i]));
        scree_reader_leave(r, mark);
    }
    *(char ***)value = files;
    char *base = (char *)value - field->offset;
    *(int *)(void *)(base + field->count) = node->n;
    return SCREE_OK;
}

static scree_status read_numbers(scree_reader *r, const scree_field *field,
                                 const scree_node *node, void *value) {
    TRY(expect_items(r, field, node, 0));
    if (node->n == 0)
        return scree_reader_wrong_type(r, field, "at least one number", node);
    TRY(expect_at_most(r, field, node));
    double *x = scree_pool_take(r->pool, (size_t)node->n, sizeof *x);
    if (!x) return scree_reader_no_memory(r);
    TRY(read_items(r, field, node, x));
    *(const double **)value = x;
    /* The count lies in the same struct as the pointer. */
    char *base = (char *)value - field->offset;
    *(int *)(void *)(base + field->count) = node->n;
    return SCREE_OK;
}

/* ---- lists of points ----------------------------------------------------- */

/* One [x, y, ...] of `width` numbers; the last of four is a radius. */
static scree_status read_tuple(scree_reader *r, const scree_field *field,
                               const scree_node *node, int width, double *x) {
    static const char *const expected[] = {
        [2] = "[x, y]", [3] = "[x, y, z]", [4] = "[x, y, z, radius]"};
    if (node->kind != SCREE_NODE_LIST || node->n != width)
        return scree_reader_wrong_type(r, field, expected[width], node);
    TRY(read_items(r, field, node, x));
    if (width < 4 || x[3] > 0) return SCREE_OK;
    scree_reader_enter_item(r, 3);
    return out_of_range(r, field, node->items[3]);
}

static scree_status read_tuples(scree_reader *r, const scree_field *field,
                                const scree_node *node, void *value) {
    const int width = field->type == SCREE_FIELD_CORNERS ? 2
                      : field->type == SCREE_FIELD_BALLS ? 4
                                                         : 3;
    const int stride = width == 4 ? 4 : 3;
    if (node->kind != SCREE_NODE_LIST || node->n == 0)
        return scree_reader_wrong_type(r, field, scree_field_expected(field),
                                       node);
    TRY(expect_at_most(r, field, node));
    double *x =
        scree_pool_take(r->pool, (size_t)node->n * (size_t)stride, sizeof *x);
    if (!x) return scree_reader_no_memory(r);
    for (int i = 0; i < node->n; i++) {
        const size_t mark = scree_reader_enter_item(r, i);
        TRY(read_tuple(r, field, node->items[i], width, x + i * stride));
        scree_reader_leave(r, mark);
    }
    *(const double **)value = x;
    char *base = (char *)value - field->offset;
    *(int *)(void *)(base + field->count) = node->n;
    return SCREE_OK;
}

/* ---- mappings and lists of mappings -------------------------------------- */

/* A bare value stands for the first key of the table. */
static scree_status read_shorthand(scree_reader *r, const scree_table *table,
                                   const scree_node *node, char *base) {
    const scree_field *first = &table->fields[0];
    const scree_status status =
        scree_reader_value(r, first, node, base + first->offset);
    if (status == SCREE_OK)
        *(int *)(void *)(base + table->which) = 0;
    else
        scree_hint_names(r->error, "or the keys", scree_names_keys(table));
    return status;
}

static scree_status read_map(scree_reader *r, const scree_field *field,
                             const scree_node *node, void *value) {
    if (node->kind == SCREE_NODE_MAP)
        return scree_reader_map(r, field->table, node, value);
    if (field->table->shorthand)
        return read_shorthand(r, field->table, node, value);
    return scree_reader_wrong_type(r, field, scree_field_expected(field), node);
}

/* The row of the model is above this one, so its table is there. */
static scree_status read_parameters(scree_reader *r, const scree_field *field,
                                    const scree_node *node, void *value) {
    if (node->kind != SCREE_NODE_MAP)
        return scree_reader_wrong_type(r, field, scree_field_expected(field),
                                       node);
    return scree_reader_map(r, r->draft.parameters, node, *(double **)value);
}

static scree_status read_list(scree_reader *r, const scree_field *field,
                              const scree_node *node, void *value) {
    return scree_reader_list(r, field, node, (char *)value - field->offset);
}

scree_status scree_reader_value(scree_reader *r, const scree_field *field,
                                const scree_node *node, void *value) {
    typedef scree_status reading(scree_reader *, const scree_field *,
                                 const scree_node *, void *);
    static reading *const readings[] = {
        [SCREE_FIELD_NUMBER] = read_number,
        [SCREE_FIELD_AUTO] = read_auto,
        [SCREE_FIELD_INTEGER] = read_integer,
        [SCREE_FIELD_COUNT] = read_count,
        [SCREE_FIELD_SWITCH] = read_switch,
        [SCREE_FIELD_TEXT] = read_text,
        [SCREE_FIELD_NAME] = read_name,
        [SCREE_FIELD_VECTOR] = read_vector,
        [SCREE_FIELD_QUATERNION] = read_quaternion,
        [SCREE_FIELD_COUNTS] = read_counts,
        [SCREE_FIELD_NUMBERS] = read_numbers,
        [SCREE_FIELD_POINTS] = read_tuples,
        [SCREE_FIELD_CORNERS] = read_tuples,
        [SCREE_FIELD_BALLS] = read_tuples,
        [SCREE_FIELD_FILE] = read_file,
        [SCREE_FIELD_FILES] = read_files,
        [SCREE_FIELD_SHAPE] = read_shape,
        [SCREE_FIELD_CHOICE] = read_choice,
        [SCREE_FIELD_OPTION] = read_option,
        [SCREE_FIELD_CHOICES] = read_choices,
        [SCREE_FIELD_MODEL] = read_model,
        [SCREE_FIELD_PARAMETERS] = read_parameters,
        [SCREE_FIELD_MATERIAL] = read_material,
        [SCREE_FIELD_MATERIALS] = read_materials,
        [SCREE_FIELD_SOME_MATERIALS] = read_some_materials,
        [SCREE_FIELD_MAP] = read_map,
        [SCREE_FIELD_LIST] = read_list,
    };
    return readings[field->type](r, field, node, value);
}
