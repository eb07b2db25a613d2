/* case_allowed.c: what is allowed, in words, from the rows of the tables. */
#include "io/case/case_reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const expected_words[] = {
#define X(type, expected, allowed) expected,
    SCREE_FIELD_TYPE_LIST(X)
#undef X
};

static const char *const allowed_words[] = {
#define X(type, expected, allowed) allowed,
    SCREE_FIELD_TYPE_LIST(X)
#undef X
};

const char *scree_field_expected(const scree_field *field) {
    return expected_words[field->type];
}

/* ---- names --------------------------------------------------------------- */

static const char *key_at(const void *from, int i) {
    const scree_table *table = from;
    return i < table->n ? table->fields[i].key : NULL;
}

scree_names scree_names_keys(const scree_table *table) {
    return (scree_names){key_at, table};
}

static const char *choice_at(const void *from, int i) {
    const scree_field *field = from;
    const char *about;
    return field->names(i, &about);
}

scree_names scree_names_choices(const scree_field *field) {
    return (scree_names){choice_at, field};
}

static const char *material_at(const void *from, int i) {
    const scree_draft *draft = from;
    return i < draft->c.n_material ? draft->c.materials[i].name : NULL;
}

scree_names scree_names_materials(const scree_draft *draft) {
    return (scree_names){material_at, draft};
}

static const char *shape_at(const void *from, int i) {
    const scree_draft *draft = from;
    return i < draft->c.n_shape ? draft->c.shapes[i].name : NULL;
}

scree_names scree_names_shapes(const scree_draft *draft) {
    return (scree_names){shape_at, draft};
}

/* ---- values -------------------------------------------------------------- */

void scree_range_words(const scree_range *range, char out[80]) {
    char lo[32] = "", hi[32] = "";
    out[0] = '\0';
    if (!range) return;
    if (isfinite(range->lo))
        snprintf(lo, sizeof lo, " %s %.10g",
                 range->lo_open ? ">" : ">=", range->lo);
    if (isfinite(range->hi))
        snprintf(hi, sizeof hi, " %s %.10g",
                 range->hi_open ? "<" : "<=", range->hi);
    snprintf(out, 80, "%s%s%s", lo, lo[0] && hi[0] ? " and" : "", hi);
}

static const char *alternative_of(const scree_field *field) {
    if (field->type == SCREE_FIELD_AUTO) return ", or auto";
    if (field->flags & SCREE_DIRECTION) return ", not all zero";
    if (field->flags & SCREE_BROADCAST) return ", or one number";
    return "";
}

/* In the plane a vector needs less. */
static const char *type_words(const scree_field *field, bool planar) {
    const bool place =
        field->type == SCREE_FIELD_VECTOR && !(field->flags & SCREE_BROADCAST);
    if (!place || !planar) return allowed_words[field->type];
    return field->flags & SCREE_AXIAL ? "number, about z" : "list of 2 numbers";
}

void scree_value_words(const scree_field *field, bool planar, char out[300]) {
    char range[80];
    scree_range_words(field->range, range);
    const char *unit = field->unit;
    char most[32] = "";
    if (field->most) snprintf(most, sizeof most, ", at most %d", field->most);
    snprintf(out, 300, "%s%s%s%s%s%s%s", type_words(field, planar), range,
             unit ? " [" : "", unit ? unit : "", unit ? "]" : "",
             alternative_of(field), most);
}

static void hint_value(scree_reader *r, const scree_field *field) {
    char words[300];
    scree_value_words(field, r->draft.c.world.planar, words);
    scree_hint(r->error, "allowed: %s", words);
}

static void hint_map(scree_reader *r, const scree_table *table) {
    if (table->shorthand) hint_value(r, &table->fields[0]);
    scree_hint_names(r->error,
                     table->shorthand ? "or the keys" : "allowed here",
                     scree_names_keys(table));
}

void scree_hint_allowed(scree_reader *r, const scree_field *field) {
    switch (field->type) {
    case SCREE_FIELD_CHOICE:
    case SCREE_FIELD_OPTION:
    case SCREE_FIELD_CHOICES:
        scree_hint_names(r->error, "allowed", scree_names_choices(field));
        break;
    case SCREE_FIELD_MODEL:
        scree_hint_names(r->error, "allowed", scree_names_choices(field));
        scree_hint(r->error, "and those of a library: --model LIBRARY.so");
        break;
    case SCREE_FIELD_MATERIAL:
    case SCREE_FIELD_MATERIALS:
    case SCREE_FIELD_SOME_MATERIALS:
        scree_hint_names(r->error, "materials",
                         scree_names_materials(&r->draft));
        break;
    case SCREE_FIELD_SHAPE:
        if (r->draft.c.n_shape > 0)
            scree_hint_names(r->error, "shapes", scree_names_shapes(&r->draft));
        else
            scree_hint(r->error, "the case has no key 'shapes'");
        break;
    case SCREE_FIELD_PARAMETERS:
        hint_map(r, r->draft.parameters);
        break;
    case SCREE_FIELD_MAP:
        hint_map(r, field->table);
        break;
    case SCREE_FIELD_LIST:
        scree_hint_names(r->error, "allowed: list of mappings with the keys",
                         scree_names_keys(field->table));
        break;
    default:
        hint_value(r, field);
        break;
    }
}
