/* case_print.c: a resolved case as YAML, by the same tables that read it.
 *
 * Every key is printed with its value, except where a value lies outside the
 * limits of its row: such a value means "not given". */
#include "io/case/case.h"
#include "io/case/yaml/case_pool.h"
#include "io/file/memo.h"
#include "io/schema/case_schema.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

typedef struct printer {
    yaml_emitter_t emitter;
    const scree_draft *draft;
    bool failed;   /* once set, nothing more is printed */
    bool bad_text; /* the reason: it is not UTF-8 */
} printer;

/* ---- events -------------------------------------------------------------- */

static void emit_event(printer *p, int made, yaml_event_t *event) {
    if (p->failed || !made) {
        if (made) yaml_event_delete(event);
        p->failed = true;
        return;
    }
    p->failed = !yaml_emitter_emit(&p->emitter, event);
}

static bool is_ascii(const char *text) {
    while (*text && (unsigned char)*text < 0x80) text++;
    return !*text;
}

/* libyaml refuses what is not UTF-8, and does not say so. */
static void put_scalar(printer *p, const char *text,
                       yaml_scalar_style_t style) {
    yaml_event_t event;
    const bool plain = style == YAML_PLAIN_SCALAR_STYLE;
    const int made =
        yaml_scalar_event_initialize(&event, NULL, NULL, (yaml_char_t *)text,
                                     (int)strlen(text), plain, !plain, style);
    p->bad_text = p->bad_text || (!made && !is_ascii(text));
    emit_event(p, made, &event);
}

static void put_word(printer *p, const char *word) {
    put_scalar(p, word, YAML_PLAIN_SCALAR_STYLE);
}

static void put_text(printer *p, const char *text) {
    put_scalar(p, text, YAML_DOUBLE_QUOTED_SCALAR_STYLE);
}

/* The shortest decimal that reads back as the same bits. */
static void put_number(printer *p, double x) {
    char text[32];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, x);
        if (strtod(text, NULL) == x) break;
    }
    put_word(p, text);
}

static void put_integer(printer *p, int64_t k) {
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, k);
    put_word(p, text);
}

static void begin_list(printer *p, yaml_sequence_style_t style) {
    yaml_event_t event;
    emit_event(
        p, yaml_sequence_start_event_initialize(&event, NULL, NULL, 1, style),
        &event);
}

static void end_list(printer *p) {
    yaml_event_t event;
    emit_event(p, yaml_sequence_end_event_initialize(&event), &event);
}

static void put_numbers(printer *p, const double *x, int n) {
    begin_list(p, YAML_FLOW_SEQUENCE_STYLE);
    for (int i = 0; i < n; i++) put_number(p, x[i]);
    end_list(p);
}

/* n lists of `width` numbers each, which lie `stride` apart. */
static void put_tuples(printer *p, const double *x, int n, int width,
                       int stride) {
    begin_list(p, YAML_FLOW_SEQUENCE_STYLE);
    for (int i = 0; i < n; i++) put_numbers(p, x + i * stride, width);
    end_list(p);
}

static void put_texts(printer *p, const char *const *texts, int n) {
    begin_list(p, YAML_FLOW_SEQUENCE_STYLE);
    for (int i = 0; i < n; i++) put_text(p, texts[i]);
    end_list(p);
}

/* ---- what was given ------------------------------------------------------ */

static bool number_given(const scree_range *range, double x) {
    return isfinite(x) && scree_range_contains(range, x);
}

static bool vector_given(const scree_field *field, const double x[3]) {
    const bool zero = x[0] == 0 && x[1] == 0 && x[2] == 0;
    return !isnan(x[0]) && !(zero && (field->flags & SCREE_DIRECTION));
}

static bool is_given(const scree_field *field, const char *base);

static int stored_which(const scree_table *table, const char *base) {
    int which = -1;
    if (table->has_which) memcpy(&which, base + table->which, sizeof which);
    return which;
}

/* A mapping whose required keys are not all given was not given, nor one of
 * which the first key would be printed but is not given, nor one that should have one of
 * several keys and has none. */
static bool map_given(const scree_table *table, const char *base) {
    if (table->has_which && stored_which(table, base) < 0) return false;
    if (table->shorthand && stored_which(table, base) == 0)
        return is_given(&table->fields[0], base);
    for (int i = 0; i < table->n; i++)
        if ((table->fields[i].flags & SCREE_REQUIRED) &&
            !is_given(&table->fields[i], base))
            return false;
    return true;
}

static bool is_given(const scree_field *field, const char *base) {
    const void *value = base + field->offset;
    switch (field->type) {
    case SCREE_FIELD_NUMBER:
        return number_given(field->range, *(const double *)value);
    case SCREE_FIELD_COUNT:
        return number_given(field->range, (double)*(const int64_t *)value);
    case SCREE_FIELD_INTEGER:
        return number_given(field->range, *(const int *)value);
    case SCREE_FIELD_VECTOR:
        return vector_given(field, value);
    case SCREE_FIELD_SHAPE:
    case SCREE_FIELD_OPTION:
        return *(const int *)value >= 0;
    case SCREE_FIELD_NUMBERS:
    case SCREE_FIELD_POINTS:
    case SCREE_FIELD_CORNERS:
    case SCREE_FIELD_BALLS:
        return *(double *const *)value != NULL;
    case SCREE_FIELD_FILE:
    case SCREE_FIELD_NAME:
        return *(char *const *)value != NULL;
    case SCREE_FIELD_CHOICE:
    case SCREE_FIELD_MODEL:
    case SCREE_FIELD_SOME_MATERIALS:
        return *(void *const *)value != NULL;
    case SCREE_FIELD_CHOICES:
        return *(const uint32_t *)value != 0;
    case SCREE_FIELD_MAP:
        return map_given(field->table, value);
    default:
        return true;
    }
}

/* ---- values -------------------------------------------------------------- */

static void put_map(printer *p, const scree_table *table, const char *base,
                    yaml_mapping_style_t style);

static void put_auto(printer *p, double x) {
    if (x < 0)
        put_word(p, "auto");
    else
        put_number(p, x);
}

static void put_counts(printer *p, const int64_t k[3]) {
    begin_list(p, YAML_FLOW_SEQUENCE_STYLE);
    for (int i = 0; i < 3; i++) put_integer(p, k[i]);
    end_list(p);
}

static void put_option(printer *p, const scree_field *field, int i) {
    const char *about;
    put_word(p, field->names(i, &about));
}

static void put_choices(printer *p, const scree_field *field, uint32_t bits) {
    const char *about, *name;
    begin_list(p, YAML_FLOW_SEQUENCE_STYLE);
    for (int i = 0; (name = field->names(i, &about)) != NULL; i++)
        if (bits >> i & 1) put_word(p, name);
    end_list(p);
}

static void put_material(printer *p, int material) {
    put_text(p, p->draft->c.materials[material].name);
}

static void put_materials(printer *p, const int *materials, int n) {
    begin_list(p, YAML_FLOW_SEQUENCE_STYLE);
    for (int i = 0; i < n; i++) put_material(p, materials[i]);
    end_list(p);
}

static void put_entry(printer *p, const scree_table *table, const char *kept) {
    _Alignas(max_align_t) char room[SCREE_ENTRY_BYTES];
    if (table->packed) table->unpack(kept, room);
    put_map(p, table, table->packed ? room : kept, YAML_BLOCK_MAPPING_STYLE);
}

static void put_list(printer *p, const scree_field *field, const char *base) {
    const char *entries = *(char *const *)(const void *)(base + field->offset);
    const int n = *(const int *)(const void *)(base + field->count);
    const scree_table *table = field->table;
    const size_t size = table->packed ? table->packed : table->size;
    begin_list(p, YAML_BLOCK_SEQUENCE_STYLE);
    for (int i = 0; i < n; i++) put_entry(p, table, entries + (size_t)i * size);
    end_list(p);
}

static void put_value(printer *p, const scree_field *field, const char *base) {
    const void *v = base + field->offset;
    switch (field->type) {
    case SCREE_FIELD_NUMBER:
        put_number(p, *(const double *)v);
        break;
    case SCREE_FIELD_AUTO:
        put_auto(p, *(const double *)v);
        break;
    case SCREE_FIELD_INTEGER:
        put_integer(p, *(const int *)v);
        break;
    case SCREE_FIELD_COUNT:
        put_integer(p, *(const int64_t *)v);
        break;
    case SCREE_FIELD_SWITCH:
        put_word(p, *(const bool *)v ? "on" : "off");
        break;
    case SCREE_FIELD_TEXT:
    case SCREE_FIELD_NAME:
    case SCREE_FIELD_FILE:
        put_text(p, *(char *const *)v);
        break;
    case SCREE_FIELD_FILES:
        put_texts(p, *(const char *const *const *)v,
                  *(const int *)(const void *)(base + field->count));
        break;
    case SCREE_FIELD_VECTOR:
        put_numbers(p, v, 3);
        break;
    case SCREE_FIELD_QUATERNION:
        put_numbers(p, v, 4);
        break;
    case SCREE_FIELD_COUNTS:
        put_counts(p, v);
        break;
    case SCREE_FIELD_NUMBERS:
        put_numbers(p, *(double *const *)v,
                    *(const int *)(const void *)(base + field->count));
        break;
    case SCREE_FIELD_POINTS:
    case SCREE_FIELD_CORNERS:
    case SCREE_FIELD_BALLS:
        put_tuples(p, *(double *const *)v,
                   *(const int *)(const void *)(base + field->count),
                   field->type == SCREE_FIELD_CORNERS ? 2
                   : field->type == SCREE_FIELD_BALLS ? 4
                                                      : 3,
                   field->type == SCREE_FIELD_BALLS ? 4 : 3);
        break;
    case SCREE_FIELD_SHAPE:
        put_text(p, p->draft->c.shapes[*(const int *)v].name);
        break;
    case SCREE_FIELD_CHOICE:
        put_word(p, *(const char *const *)v);
        break;
    case SCREE_FIELD_OPTION:
        put_option(p, field, *(const int *)v);
        break;
    case SCREE_FIELD_MODEL:
        put_word(p, p->draft->c.model->name);
        break;
    case SCREE_FIELD_PARAMETERS:
        put_map(p, p->draft->parameters, *(char *const *)v,
                YAML_BLOCK_MAPPING_STYLE);
        break;
    case SCREE_FIELD_CHOICES:
        put_choices(p, field, *(const uint32_t *)v);
        break;
    case SCREE_FIELD_MATERIAL:
        put_material(p, *(const int *)v);
        break;
    case SCREE_FIELD_MATERIALS:
        put_materials(p, v, 2);
        break;
    case SCREE_FIELD_SOME_MATERIALS:
        put_materials(p, *(const int *const *)v,
                      *(const int *)(const void *)(base + field->count));
        break;
    case SCREE_FIELD_MAP:
        put_map(p, field->table, v, YAML_FLOW_MAPPING_STYLE);
        break;
    case SCREE_FIELD_LIST:
        put_list(p, field, base);
        break;
    }
}

/* Of the ONE_OF keys the stored one is printed, of all others those given. */
static void put_map(printer *p, const scree_table *table, const char *base,
                    yaml_mapping_style_t style) {
    yaml_event_t event;
    emit_event(
        p, yaml_mapping_start_event_initialize(&event, NULL, NULL, 1, style),
        &event);
    const int which = stored_which(table, base);
    int k = 0;
    for (int i = 0; i < table->n; i++) {
        const scree_field *field = &table->fields[i];
        if ((field->flags & SCREE_ONE_OF) && k++ != which) continue;
        if (!is_given(field, base)) continue;
        put_word(p, field->key);
        put_value(p, field, base);
    }
    emit_event(p, yaml_mapping_end_event_initialize(&event), &event);
}

/* ---- from the case back to the entries ----------------------------------- */

static scree_wall_entry wall_entry(const scree_case_wall *wall) {
    static const scree_wall_kind kinds[] = {
        [SCREE_CASE_PLANE] = SCREE_WALL_PLANE,
        [SCREE_CASE_MESH] = SCREE_WALL_MESH,
        [SCREE_CASE_TERRAIN] = SCREE_WALL_TERRAIN,
        [SCREE_CASE_SEGMENTS] = SCREE_WALL_SEGMENTS,
        [SCREE_CASE_REVOLVED] = SCREE_WALL_PROFILE};
    const scree_case_turned *turned = &wall->surface.turned;
    const scree_wall_kind kind = turned->profile ? SCREE_WALL_PROFILE
                                 : turned->top_radius >= 0
                                     ? SCREE_WALL_CONE
                                     : SCREE_WALL_CYLINDER;
    const bool revolved = wall->kind == SCREE_CASE_REVOLVED;
    return (scree_wall_entry){.name = wall->name,
                              .kind = revolved ? kind : kinds[wall->kind],
                              .plane = wall->def,
                              .servo = wall->servo,
                              .surface = wall->surface};
}

static scree_output_entry output_entry(const scree_case *c, int k) {
    const scree_case_output *output = &c->outputs[k];
    scree_output_entry entry = {.output = *output};
    const scree_table *table = scree_outputs_of(c);
    for (int i = 0; i < table->n; i++)
        if (strcmp(table->fields[i].key, output->sink) == 0) entry.sink = i;
    return entry;
}

static bool make_draft(const scree_case *c, scree_pool *pool,
                       scree_draft *draft) {
    *draft = (scree_draft){*c, .n_wall = c->n_wall, .n_output = c->n_output};
    draft->walls =
        scree_pool_take(pool, (size_t)c->n_wall, sizeof *draft->walls);
    draft->outputs =
        scree_pool_take(pool, (size_t)c->n_output, sizeof *draft->outputs);
    if (!draft->walls || !draft->outputs) return false;
    for (int i = 0; i < c->n_wall; i++)
        draft->walls[i] = wall_entry(&c->walls[i]);
    for (int i = 0; i < c->n_output; i++)
        draft->outputs[i] = output_entry(c, i);
    if (c->model) draft->parameters = scree_parameter_table(c->model, pool);
    if (c->model && !draft->parameters) return false;
    return true;
}

/* ---- the document -------------------------------------------------------- */

static void begin_document(printer *p) {
    yaml_event_t event;
    emit_event(p,
               yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING),
               &event);
    emit_event(
        p, yaml_document_start_event_initialize(&event, NULL, NULL, NULL, 1),
        &event);
}

static void end_document(printer *p) {
    yaml_event_t event;
    emit_event(p, yaml_document_end_event_initialize(&event, 1), &event);
    emit_event(p, yaml_stream_end_event_initialize(&event), &event);
}

static void put_document(printer *p) {
    begin_document(p);
    put_map(p, p->draft->c.model ? &scree_model_case_table : &scree_case_table,
            (const char *)p->draft, YAML_BLOCK_MAPPING_STYLE);
    end_document(p);
}

static bool begin_printer(printer *p, FILE *file) {
    if (!yaml_emitter_initialize(&p->emitter)) return false;
    yaml_emitter_set_output_file(&p->emitter, file);
    yaml_emitter_set_unicode(&p->emitter, 1);
    yaml_emitter_set_width(&p->emitter, -1);
    return true;
}

static scree_status print_draft(const scree_draft *draft, FILE *file) {
    printer p = {.draft = draft};
    if (!begin_printer(&p, file)) return SCREE_OUT_OF_MEMORY;
    put_document(&p);
    const yaml_error_type_t why = p.emitter.error;
    yaml_emitter_delete(&p.emitter);
    if (p.bad_text || why == YAML_EMITTER_ERROR) return SCREE_BAD_INPUT;
    if (p.failed && why != YAML_WRITER_ERROR) return SCREE_OUT_OF_MEMORY;
    return p.failed || fflush(file) != 0 ? SCREE_IO_ERROR : SCREE_OK;
}

scree_status scree_case_print(const scree_case *c, FILE *file) {
    scree_pool *pool = scree_pool_create();
    scree_draft draft;
    if (!pool) return SCREE_OUT_OF_MEMORY;
    const scree_status status = make_draft(c, pool, &draft)
                                    ? print_draft(&draft, file)
                                    : SCREE_OUT_OF_MEMORY;
    scree_pool_destroy(pool);
    return status;
}

scree_status scree_case_print_text(const scree_case *c, char **text) {
    scree_memo memo;
    *text = NULL;
    FILE *file = scree_memo_open(&memo);
    if (!file) return SCREE_OUT_OF_MEMORY;
    scree_status status = scree_case_print(c, file);
    *text = scree_memo_close(&memo);
    /* Memory is all that such a file can lack. */
    if (!*text || status == SCREE_IO_ERROR) status = SCREE_OUT_OF_MEMORY;
    if (status == SCREE_OK) return status;
    free(*text);
    *text = NULL;
    return status;
}

scree_status scree_value_print(const scree_field *field, const void *base,
                               char out[120]) {
    printer p = {0};
    out[0] = '\0';
    if (!is_given(field, base)) return SCREE_OK;
    char text[200] = "";
    FILE *file = fmemopen(text, sizeof text, "w");
    if (!file || !begin_printer(&p, file)) {
        if (file) fclose(file);
        return SCREE_OUT_OF_MEMORY;
    }
    begin_document(&p);
    put_value(&p, field, base);
    end_document(&p);
    yaml_emitter_delete(&p.emitter);
    const bool whole = fclose(file) == 0 && !p.failed;
    /* Behind a bare scalar libyaml marks the end of the document. */
    snprintf(out, 120, "%.*s", (int)strcspn(text, "\n"), text);
    return whole ? SCREE_OK : SCREE_OUT_OF_MEMORY;
}
