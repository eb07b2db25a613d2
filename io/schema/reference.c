/* reference.c: gathering the keys of worlds and of models from their tables.
 *
 * Beside each table goes a struct as the reader prepares it before it reads: what the
 * struct has there is the default. A key of models that says the same as that of worlds
 * is one key of both. */
#include "io/schema/reference.h"

#include "io/case/case_check.h"
#include "io/case/yaml/case_message.h"

#include <string.h>

enum { MOST_KEYS = 1000 };

typedef struct gatherer {
    scree_reference *to;
    bool of_model;
    int n_world; /* keys of worlds come first */
} gatherer;

const scree_table *scree_field_table(const scree_field *field) {
    return field->type == SCREE_FIELD_QUATERNION ? &scree_axis_angle_table
                                                 : field->table;
}

/* ---- defaults ------------------------------------------------------------ */

/* "one of plane, box, prism" */
static void name_group(const scree_table *table, unsigned group,
                       char out[SCREE_DEFAULT_BYTES]) {
    size_t used = (size_t)snprintf(out, SCREE_DEFAULT_BYTES, "one of");
    for (int i = 0, k = 0; i < table->n; i++)
        if ((table->fields[i].flags & group) && used < SCREE_DEFAULT_BYTES)
            used +=
                (size_t)snprintf(out + used, SCREE_DEFAULT_BYTES - used,
                                 "%s %s", k++ ? "," : "", table->fields[i].key);
    if (used < SCREE_DEFAULT_BYTES - 10) strcat(out, " is required");
}

static scree_status find_default(scree_reference_key *key, const char *base) {
    const scree_field *field = key->field;
    const unsigned group = field->flags & (SCREE_ONE_OF | SCREE_ALSO_ONE_OF);
    if (field->flags & SCREE_REQUIRED) {
        strcpy(key->unless, "required");
        return SCREE_OK;
    }
    if (group) {
        name_group(key->table, group, key->unless);
        return SCREE_OK;
    }
    if (field->otherwise) {
        snprintf(key->unless, sizeof key->unless, "%s", field->otherwise);
        return SCREE_OK;
    }
    if (field->type == SCREE_FIELD_MAP) {
        strcpy(key->unless, "the defaults of its keys");
        return SCREE_OK;
    }
    TRY(scree_value_print(field, base, key->value));
    strcpy(key->unless, key->value);
    return SCREE_OK;
}

/* ---- gathering ----------------------------------------------------------- */

static bool says_the_same(const scree_reference_key *a,
                          const scree_reference_key *b) {
    return strcmp(a->path, b->path) == 0 &&
           strcmp(a->field->about, b->field->about) == 0 &&
           strcmp(a->unless, b->unless) == 0 &&
           a->field->names == b->field->names;
}

/* Adds the key, or finds that worlds have it already. */
static scree_status add_key(gatherer *g, const scree_reference_key *key) {
    scree_reference *to = g->to;
    for (int i = 0; g->of_model && i < g->n_world; i++)
        if (says_the_same(&to->keys[i], key)) {
            to->keys[i].of_models = true;
            return SCREE_OK;
        }
    if (to->n == MOST_KEYS) return SCREE_OUT_OF_MEMORY;
    to->keys[to->n++] = *key;
    return SCREE_OK;
}

static scree_status gather_table(gatherer *g, const scree_table *table,
                                 const char *path, const char *base);

/* The struct of a list's entry is the reader's too. */
static scree_status gather_parts(gatherer *g, const scree_reference_key *key,
                                 const char *base) {
    const scree_field *field = key->field;
    const scree_table *table = scree_field_table(field);
    if (!table) return SCREE_OK;
    if (field->type == SCREE_FIELD_MAP)
        return gather_table(g, table, key->path, base + field->offset);
    const size_t size = table->size ? table->size : sizeof(scree_axis_angle);
    char *entry = scree_pool_take(g->to->pool, 1, size);
    if (!entry) return SCREE_OUT_OF_MEMORY;
    if (table->prepare) table->prepare(entry);
    return gather_table(g, table, key->path, entry);
}

static scree_status gather_table(gatherer *g, const scree_table *table,
                                 const char *path, const char *base) {
    for (int i = 0; i < table->n; i++) {
        scree_reference_key key = {.field = &table->fields[i],
                                   .table = table,
                                   .of_worlds = !g->of_model,
                                   .of_models = g->of_model};
        snprintf(key.path, sizeof key.path, "%s%s%s", path, *path ? "." : "",
                 key.field->key);
        TRY(find_default(&key, base));
        TRY(add_key(g, &key));
        TRY(gather_parts(g, &key, base));
    }
    return SCREE_OK;
}

static scree_status gather_all(scree_reference *to) {
    scree_draft *draft = scree_pool_take(to->pool, 1, sizeof *draft);
    to->keys = scree_pool_take(to->pool, MOST_KEYS, sizeof *to->keys);
    if (!draft || !to->keys) return SCREE_OUT_OF_MEMORY;
    scree_prepare_case(&draft->c);
    gatherer g = {.to = to};
    TRY(gather_table(&g, &scree_case_table, "", (const char *)draft));
    g.of_model = true;
    g.n_world = to->n;
    return gather_table(&g, &scree_model_case_table, "", (const char *)draft);
}

scree_status scree_reference_make(scree_reference *reference) {
    *reference = (scree_reference){.pool = scree_pool_create()};
    if (!reference->pool) return SCREE_OUT_OF_MEMORY;
    const scree_status status = gather_all(reference);
    if (status != SCREE_OK) scree_reference_free(reference);
    return status;
}

void scree_reference_free(scree_reference *reference) {
    scree_pool_destroy(reference->pool);
    *reference = (scree_reference){0};
}

/* ---- words --------------------------------------------------------------- */

static void list_names(const scree_field *field, char *out, size_t size) {
    const char *about = "", *name;
    size_t used = (size_t)snprintf(
        out, size, "%s",
        field->type == SCREE_FIELD_CHOICES ? "list of names: " : "");
    for (int i = 0; (name = field->names(i, &about)) && used < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%s%s",
                                 i > 0 ? ", " : "", name);
}

void scree_key_allowed(const scree_reference_key *key, char *out, size_t size) {
    const scree_field *field = key->field;
    char words[300];
    switch (field->type) {
    case SCREE_FIELD_MATERIAL:
    case SCREE_FIELD_SHAPE:
        snprintf(out, size, "name of an entry of `%ss`", field->key);
        break;
    case SCREE_FIELD_MATERIALS:
        snprintf(out, size, "list of 2 names of entries of `materials`");
        break;
    case SCREE_FIELD_SOME_MATERIALS:
        snprintf(out, size, "list of names of entries of `materials`");
        break;
    case SCREE_FIELD_PARAMETERS:
        snprintf(out, size, "mapping from parameters to numbers");
        break;
    case SCREE_FIELD_LIST:
        snprintf(out, size, "list of mappings");
        break;
    case SCREE_FIELD_MAP:
        scree_value_words(&field->table->fields[0], false, words);
        snprintf(out, size, "%s%smapping", field->table->shorthand ? words : "",
                 field->table->shorthand ? ", or " : "");
        break;
    default:
        if (field->names)
            list_names(field, out, size);
        else {
            scree_value_words(field, false, words);
            snprintf(out, size, "%s", words);
        }
    }
}

const char *scree_key_kinds(const scree_reference_key *key) {
    if (!key->of_models) return "worlds";
    return key->of_worlds ? "worlds and models" : "models";
}

static bool is_list(const char *root) {
    for (int i = 0; i < scree_case_table.n; i++)
        if (strcmp(scree_case_table.fields[i].key, root) == 0)
            return scree_case_table.fields[i].type == SCREE_FIELD_LIST;
    return false;
}

/* Lists stand in the file itself: "bodies" opens [{, any other key {. */
void scree_key_example(const scree_reference_key *key, char *out, size_t size) {
    char path[SCREE_PATH_BYTES], closing[SCREE_PATH_BYTES] = "";
    size_t used = 0;
    strcpy(path, key->path);
    char *rest = path, *word = strsep(&rest, ".");
    for (bool first = true; rest; word = strsep(&rest, "."), first = false) {
        const bool list = first && is_list(word);
        used += (size_t)snprintf(out + used, size - used, "%s: %s{", word,
                                 list ? "[" : "");
        memmove(closing + (list ? 2 : 1), closing, strlen(closing) + 1);
        memcpy(closing, "}]", list ? 2 : 1);
    }
    snprintf(out + used, size - used, "%s: %s%s", word,
             key->field->example ? key->field->example : "", closing);
}

/* Where a list has no entry with the key, --set would add one. */
void scree_key_option(const scree_reference_key *key,
                      char out[SCREE_PATH_BYTES + 4]) {
    const char *dot = strchr(key->path, '.');
    const int n = dot ? (int)(dot - key->path) : 0;
    const bool part =
        n > 0 && !strchr(dot + 1, '.') && !(key->field->flags & SCREE_ONE_OF);
    char root[SCREE_PATH_BYTES];
    snprintf(root, sizeof root, "%.*s", n, key->path);
    if (part && is_list(root))
        snprintf(out, SCREE_PATH_BYTES + 4, "%s[0]%s", root, dot);
    else
        snprintf(out, SCREE_PATH_BYTES + 4, "%s", key->path);
}

void scree_first_sentence(const char *about, char *out, size_t size) {
    const char *end = strstr(about, ". ");
    size_t n = end ? (size_t)(end - about) : strlen(about);
    if (!end && n > 0 && about[n - 1] == '.') n--;
    snprintf(out, size, "%.*s", (int)n, about);
}

bool scree_key_is_part(const scree_reference_key *key,
                       const scree_reference_key *parent) {
    const size_t n = parent ? strlen(parent->path) : 0;
    const char *rest = key->path + n;
    if (parent) {
        if (strncmp(key->path, parent->path, n) != 0 || *rest != '.')
            return false;
        if (!(key->of_worlds && parent->of_worlds) &&
            !(key->of_models && parent->of_models))
            return false;
        rest++;
    }
    return !strchr(rest, '.');
}

bool scree_key_opens_section(const scree_reference *r, int i) {
    if (!scree_key_is_part(&r->keys[i], NULL)) return false;
    for (int k = 0; k < i; k++)
        if (strcmp(r->keys[k].path, r->keys[i].path) == 0) return false;
    return true;
}
