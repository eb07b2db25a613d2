/* reference_json.c: a JSON schema of case files, for editors that complete and check.
 *
 * It follows the tables: what one row cannot say (io/case/case_check.h) is not in it.
 * A file with the key `model` is of the second kind. */
#include "io/schema/reference.h"

#include "engine/scree_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct json {
    FILE *out;
    scree_pool *pool;
    scree_status status; /* of the first failure */
} json;

/* ---- JSON ---------------------------------------------------------------- */

static void put_string(json *j, const char *text) {
    fputc('"', j->out);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(j->out, "\\%c", c);
        else if (c < 0x20)
            fprintf(j->out, "\\u%04x", c);
        else
            fputc(c, j->out);
    }
    fputc('"', j->out);
}

/* A scalar of YAML as JSON has it: numbers and true, false as they are. */
static void put_scalar(json *j, const scree_node *node) {
    char *end;
    const double x = strtod(node->text, &end);
    const bool word =
        strcmp(node->text, "true") == 0 || strcmp(node->text, "false") == 0;
    if (node->plain && *node->text && !*end && isfinite(x))
        fprintf(j->out, "%.15g", x);
    else if (node->plain && word)
        fputs(node->text, j->out);
    else
        put_string(j, node->text);
}

static void put_node(json *j, const scree_node *node) {
    if (node->kind == SCREE_NODE_SCALAR) {
        put_scalar(j, node);
        return;
    }
    const bool map = node->kind == SCREE_NODE_MAP;
    fputc(map ? '{' : '[', j->out);
    for (int i = 0; i < node->n; i++) {
        if (i > 0) fputs(", ", j->out);
        if (map) {
            put_string(j, node->keys[i].text);
            fputs(": ", j->out);
        }
        put_node(j, node->items[i]);
    }
    fputc(map ? '}' : ']', j->out);
}

static void put_example(json *j, const char *text) {
    scree_node *node = NULL;
    scree_error error;
    if (!text || j->status != SCREE_OK) return;
    j->status = scree_node_load(text, (scree_origin){"example", 1}, j->pool,
                                &node, &error);
    if (j->status != SCREE_OK || !node) return;
    fputs(", \"examples\": [", j->out);
    put_node(j, node);
    fputc(']', j->out);
}

/* ---- values -------------------------------------------------------------- */

/* Members of an object go on behind a comma. */
static void put_number(json *j, const char *type, const scree_range *range) {
    fprintf(j->out, "\"type\": \"%s\"", type);
    if (range && isfinite(range->lo))
        fprintf(j->out, ", \"%s\": %.15g",
                range->lo_open ? "exclusiveMinimum" : "minimum", range->lo);
    if (range && isfinite(range->hi))
        fprintf(j->out, ", \"%s\": %.15g",
                range->hi_open ? "exclusiveMaximum" : "maximum", range->hi);
}

static void put_numbers(json *j, const char *type, const scree_range *range,
                        int least, int most) {
    fprintf(j->out, "\"type\": \"array\", \"minItems\": %d", least);
    if (most > 0) fprintf(j->out, ", \"maxItems\": %d", most);
    fputs(", \"items\": {", j->out);
    put_number(j, type, range);
    fputc('}', j->out);
}

static void put_tuples(json *j, const scree_field *field, int width) {
    fputs("\"type\": \"array\", \"minItems\": 1", j->out);
    if (field->most) fprintf(j->out, ", \"maxItems\": %d", field->most);
    fputs(", \"items\": {", j->out);
    put_numbers(j, "number", NULL, width, width);
    fputc('}', j->out);
}

/* In YAML 1.1 the words on and off are no texts. */
static void put_names(json *j, const scree_field *field) {
    const char *about = "", *name;
    bool on = false, off = false;
    fputs("\"enum\": [", j->out);
    for (int i = 0; (name = field->names(i, &about)); i++) {
        if (i > 0) fputs(", ", j->out);
        put_string(j, name);
        on = on || strcmp(name, "on") == 0;
        off = off || strcmp(name, "off") == 0;
    }
    fprintf(j->out, "%s%s]", on ? ", true" : "", off ? ", false" : "");
}

/* Two numbers are enough in the plane, one where a size or a turn is meant. */
static void put_vector(json *j, const scree_field *field) {
    const bool one = field->flags & (SCREE_BROADCAST | SCREE_AXIAL);
    if (one) {
        fputs("\"anyOf\": [{", j->out);
        put_number(j, "number", field->range);
        fputs("}, {", j->out);
    }
    put_numbers(j, "number", field->range, 2, 3);
    if (one) fputs("}]", j->out);
}

static void put_object(json *j, const scree_table *table);

static void put_quaternion(json *j) {
    fputs("\"anyOf\": [{", j->out);
    put_numbers(j, "number", NULL, 4, 4);
    fputs("}, {", j->out);
    put_object(j, &scree_axis_angle_table);
    fputs("}]", j->out);
}

static void put_value(json *j, const scree_field *field);

static void put_map(json *j, const scree_table *table) {
    if (table->shorthand) {
        fputs("\"anyOf\": [{", j->out);
        put_value(j, &table->fields[0]);
        fputs("}, {", j->out);
    }
    put_object(j, table);
    if (table->shorthand) fputs("}]", j->out);
}

static void put_list(json *j, const scree_field *field) {
    fprintf(j->out, "\"type\": \"array\"%s, \"items\": {",
            field->flags & SCREE_REQUIRED ? ", \"minItems\": 1" : "");
    put_object(j, field->table);
    fputc('}', j->out);
}

static void put_value(json *j, const scree_field *field) {
    static const char text[] =
        "\"type\": [\"string\", \"number\", \"boolean\"]";
    switch (field->type) {
    case SCREE_FIELD_NUMBER:
        put_number(j, "number", field->range);
        break;
    case SCREE_FIELD_AUTO:
        fputs("\"anyOf\": [{\"const\": \"auto\"}, {", j->out);
        put_number(j, "number", field->range);
        fputs("}]", j->out);
        break;
    case SCREE_FIELD_INTEGER:
    case SCREE_FIELD_COUNT:
        put_number(j, "integer", field->range);
        break;
    case SCREE_FIELD_SWITCH:
        fputs("\"enum\": [true, false, \"on\", \"off\", \"yes\", \"no\"]",
              j->out);
        break;
    case SCREE_FIELD_VECTOR:
        put_vector(j, field);
        break;
    case SCREE_FIELD_QUATERNION:
        put_quaternion(j);
        break;
    case SCREE_FIELD_COUNTS:
        put_numbers(j, "integer", field->range, 2, 3);
        break;
    case SCREE_FIELD_NUMBERS:
        put_numbers(j, "number", field->range, 1, field->most);
        break;
    case SCREE_FIELD_POINTS:
        put_tuples(j, field, 3);
        break;
    case SCREE_FIELD_CORNERS:
        put_tuples(j, field, 2);
        break;
    case SCREE_FIELD_BALLS:
        put_tuples(j, field, 4);
        break;
    case SCREE_FIELD_FILES:
    case SCREE_FIELD_SOME_MATERIALS:
        fprintf(j->out, "\"type\": \"array\", \"minItems\": 1, \"items\": {%s}",
                text);
        break;
    case SCREE_FIELD_CHOICE:
    case SCREE_FIELD_OPTION:
    case SCREE_FIELD_MODEL:
        put_names(j, field);
        break;
    case SCREE_FIELD_CHOICES:
        fputs("\"type\": \"array\", \"items\": {", j->out);
        put_names(j, field);
        fputc('}', j->out);
        break;
    case SCREE_FIELD_MATERIALS:
        fprintf(j->out,
                "\"type\": \"array\", \"minItems\": 2, \"maxItems\": 2, "
                "\"items\": {%s}",
                text);
        break;
    case SCREE_FIELD_PARAMETERS: /* each model has its own, below */
        fputs("\"type\": \"object\"", j->out);
        break;
    case SCREE_FIELD_MAP:
        put_map(j, field->table);
        break;
    case SCREE_FIELD_LIST:
        put_list(j, field);
        break;
    case SCREE_FIELD_TEXT:
    case SCREE_FIELD_NAME:
    case SCREE_FIELD_FILE:
    case SCREE_FIELD_MATERIAL:
    case SCREE_FIELD_SHAPE:
        fputs(text, j->out);
        break;
    }
}

/* ---- mappings ------------------------------------------------------------ */

static void put_property(json *j, const scree_field *field) {
    put_string(j, field->key);
    fputs(": {", j->out);
    put_value(j, field);
    if (field->about) {
        char about[600];
        snprintf(about, sizeof about, "%s%s%s%s", field->about,
                 field->unit ? " [" : "", field->unit ? field->unit : "",
                 field->unit ? "]" : "");
        fputs(", \"description\": ", j->out);
        put_string(j, about);
    }
    put_example(j, field->example);
    fputc('}', j->out);
}

static void put_required(json *j, const scree_table *table) {
    const char *comma = "";
    fputs("\"required\": [", j->out);
    for (int i = 0; i < table->n; i++)
        if (table->fields[i].flags & SCREE_REQUIRED) {
            fputs(comma, j->out);
            put_string(j, table->fields[i].key);
            comma = ", ";
        }
    fputc(']', j->out);
}

/* Exactly one of the keys of the group. */
static void put_group(json *j, const scree_table *table, unsigned group) {
    const char *comma = "";
    fputs("{\"oneOf\": [", j->out);
    for (int i = 0; i < table->n; i++)
        if (table->fields[i].flags & group) {
            fprintf(j->out, "%s{\"required\": [", comma);
            put_string(j, table->fields[i].key);
            fputs("]}", j->out);
            comma = ", ";
        }
    fputs("]}", j->out);
}

static bool has_group(const scree_table *table, unsigned group) {
    for (int i = 0; i < table->n; i++)
        if (table->fields[i].flags & group) return true;
    return false;
}

static void put_groups(json *j, const scree_table *table) {
    const bool one = has_group(table, SCREE_ONE_OF);
    const bool also = has_group(table, SCREE_ALSO_ONE_OF);
    if (!one && !also) return;
    fputs(", \"allOf\": [", j->out);
    if (one) put_group(j, table, SCREE_ONE_OF);
    if (one && also) fputs(", ", j->out);
    if (also) put_group(j, table, SCREE_ALSO_ONE_OF);
    fputc(']', j->out);
}

/* The members of the object, without its braces. */
static void put_object(json *j, const scree_table *table) {
    fputs("\"type\": \"object\", \"additionalProperties\": false, ", j->out);
    put_required(j, table);
    put_groups(j, table);
    fputs(", \"properties\": {", j->out);
    for (int i = 0; i < table->n; i++) {
        if (i > 0) fputs(",\n", j->out);
        put_property(j, &table->fields[i]);
    }
    fputc('}', j->out);
}

/* The parameters of the model that the file names. */
static void put_models(json *j) {
    const scree_model_ops *model;
    fputs("\"allOf\": [", j->out);
    for (int i = 0; (model = scree_model_get(i)); i++) {
        const scree_table *table = scree_parameter_table(model, j->pool);
        if (!table) {
            j->status = SCREE_OUT_OF_MEMORY;
            return;
        }
        fprintf(j->out, "%s{\"if\": {\"properties\": {\"model\": {\"const\": ",
                i > 0 ? ",\n" : "");
        put_string(j, model->name);
        fputs("}}}, \"then\": {\"properties\": {\"parameters\": {", j->out);
        put_object(j, table);
        fputs("}}}}", j->out);
    }
    fputs("], ", j->out);
}

static void put_schema(json *j) {
    fputs("{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
          "\"title\": \"Scree case\",\n\"type\": \"object\",\n"
          "\"if\": {\"required\": [\"model\"]},\n\"then\": {",
          j->out);
    put_models(j);
    put_object(j, &scree_model_case_table);
    fputs("},\n\"else\": {", j->out);
    put_object(j, &scree_case_table);
    fputs("}}\n", j->out);
}

scree_status scree_reference_json(FILE *out) {
    json j = {.out = out, .pool = scree_pool_create()};
    if (!j.pool) return SCREE_OUT_OF_MEMORY;
    put_schema(&j);
    scree_pool_destroy(j.pool);
    return j.status;
}
