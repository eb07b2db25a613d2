#include "io/report/case_changes.h"

#include <stdlib.h>
#include <string.h>

#include "io/case/case.h"
#include "io/case/yaml/case_node.h"
#include "io/schema/reference.h"

/* ---- printing ------------------------------------------------------------ */

static void put_node(FILE *out, const scree_node *node) {
    const bool map = node->kind == SCREE_NODE_MAP;
    if (node->kind == SCREE_NODE_SCALAR) {
        fprintf(out, node->plain ? "%s" : "\"%s\"", node->text);
        return;
    }
    fputc(map ? '{' : '[', out);
    for (int i = 0; i < node->n; i++) {
        fprintf(out, "%s", i ? ", " : "");
        if (map) fprintf(out, "%s: ", node->keys[i].text);
        put_node(out, node->items[i]);
    }
    fputc(map ? '}' : ']', out);
}

/* ---- entries of lists ------------------------------------------------------ */

/* So many entries of a list are printed. */
enum { MOST_ENTRIES = 50 };

/* NULL: the reference does not have the key. */
static const scree_reference_key *find_key(const scree_reference *reference,
                                           const char *path) {
    for (int i = 0; i < reference->n; i++)
        if (strcmp(reference->keys[i].path, path) == 0)
            return &reference->keys[i];
    return NULL;
}

/* The rest of `text` behind `piece`, or NULL. */
static const char *skip_piece(const char *text, const char *piece) {
    const size_t n = strlen(piece);
    return text && strncmp(text, piece, n) == 0 ? text + n : NULL;
}

/* The rest of `text` behind what put_node prints, or NULL. Needs no memory: what the
 * report says must not depend on how much there is. */
static const char *skip_node(const char *text, const scree_node *node) {
    if (node->kind == SCREE_NODE_SCALAR) {
        const char *quote = node->plain ? "" : "\"";
        return skip_piece(skip_piece(skip_piece(text, quote), node->text),
                          quote);
    }
    const bool map = node->kind == SCREE_NODE_MAP;
    text = skip_piece(text, map ? "{" : "[");
    for (int i = 0; i < node->n; i++) {
        if (i) text = skip_piece(text, ", ");
        if (map) text = skip_piece(skip_piece(text, node->keys[i].text), ": ");
        text = skip_node(text, node->items[i]);
    }
    return skip_piece(text, map ? "}" : "]");
}

static bool prints_as(const scree_node *node, const char *value) {
    const char *rest = skip_node(value, node);
    return rest && *rest == '\0';
}

static bool is_default_value(const scree_reference *reference, const char *path,
                             const scree_node *node) {
    const scree_reference_key *key = find_key(reference, path);
    return key && *key->value && prints_as(node, key->value);
}

/* A key that a mapping must have, if there is one: it is as the program leaves it where
 * there is none, rotation: {axis: [0, 0, 1], rate: 0}. */
static bool is_unset(const scree_reference *reference, const char *path,
                     const scree_node *node) {
    const scree_reference_key *key = find_key(reference, path);
    if (!key || !(key->field->flags & SCREE_REQUIRED)) return false;
    return (key->field->flags & SCREE_DIRECTION) || prints_as(node, "0") ||
           prints_as(node, "[0, 0, 0]");
}

/* All that is in it need not be there. */
static bool is_default_map(const scree_reference *reference, const char *path,
                           const scree_node *map) {
    char inner[SCREE_PATH_BYTES];
    for (int i = 0; i < map->n; i++) {
        const scree_node *item = map->items[i];
        snprintf(inner, sizeof inner, "%s.%s", path, map->keys[i].text);
        if (item->kind == SCREE_NODE_MAP
                ? !is_default_map(reference, inner, item)
                : !is_default_value(reference, inner, item) &&
                      !is_unset(reference, inner, item))
            return false;
    }
    return true;
}

/* A mapping without what is default in it. The first key of an entry, which says what it
 * is, stays though all in it may be default: {scalars: {}}. */
static void put_rest(FILE *out, const scree_reference *reference,
                     const char *path, const scree_node *map, bool entry) {
    char inner[SCREE_PATH_BYTES];
    int n = 0;
    fputc('{', out);
    for (int i = 0; i < map->n; i++) {
        const scree_node *item = map->items[i];
        const bool inside = item->kind == SCREE_NODE_MAP;
        snprintf(inner, sizeof inner, "%s.%s", path, map->keys[i].text);
        if (!(entry && i == 0) &&
            (inside ? is_default_map(reference, inner, item)
                    : is_default_value(reference, inner, item)))
            continue;
        fprintf(out, "%s%s: ", n++ ? ", " : "", map->keys[i].text);
        if (inside)
            put_rest(out, reference, inner, item, false);
        else
            put_node(out, item);
    }
    fputc('}', out);
}

/* Lists of mappings have a line for each. */
static void put_entry(FILE *out, const scree_reference *reference,
                      const char *key, const scree_node *value) {
    fprintf(out, "%s:", key);
    if (value->kind == SCREE_NODE_LIST && value->n > 0 &&
        value->items[0]->kind == SCREE_NODE_MAP) {
        for (int i = 0; i < value->n && i < MOST_ENTRIES; i++) {
            fprintf(out, "\n  - ");
            put_rest(out, reference, key, value->items[i], true);
        }
        if (value->n > MOST_ENTRIES)
            fprintf(out, "\n  # and %d more", value->n - MOST_ENTRIES);
    } else {
        fputc(' ', out);
        put_node(out, value);
    }
    fputc('\n', out);
}

/* ---- comparing ----------------------------------------------------------- */

static bool same_node(const scree_node *a, const scree_node *b) {
    if (a->kind != b->kind || a->n != b->n) return false;
    if (a->kind == SCREE_NODE_SCALAR) return strcmp(a->text, b->text) == 0;
    for (int i = 0; i < a->n; i++) {
        if (a->kind == SCREE_NODE_MAP &&
            strcmp(a->keys[i].text, b->keys[i].text) != 0)
            return false;
        if (!same_node(a->items[i], b->items[i])) return false;
    }
    return true;
}

/* "solver: {tolerance: 1e-5}": of a section the keys that differ. */
static void put_section(FILE *out, const char *key, const scree_node *is,
                        const scree_node *was) {
    int n = 0;
    for (int i = 0; i < is->n; i++) {
        const scree_node *other = scree_node_value(was, is->keys[i].text);
        if (other && same_node(is->items[i], other)) continue;
        if (n++ == 0)
            fprintf(out, "%s: {", key);
        else
            fprintf(out, ", ");
        fprintf(out, "%s: ", is->keys[i].text);
        put_node(out, is->items[i]);
    }
    if (n > 0) fprintf(out, "}\n");
}

static void put_changes(FILE *out, const scree_reference *reference,
                        const scree_node *is, const scree_node *was) {
    for (int i = 0; i < is->n; i++) {
        const char *key = is->keys[i].text;
        const scree_node *value = is->items[i],
                         *other = was ? scree_node_value(was, key) : NULL;
        if (!other)
            put_entry(out, reference, key, value);
        else if (value->kind == SCREE_NODE_MAP && other->kind == value->kind)
            put_section(out, key, value, other);
        else if (!same_node(value, other))
            put_entry(out, reference, key, value);
    }
}

/* ---- defaults ------------------------------------------------------------ */

static scree_status out_of_memory(scree_error *error) {
    return scree_fail(error, SCREE_OUT_OF_MEMORY, "out of memory");
}

/* The least that a case must say. Its name, times, materials and bodies are never
 * those of a case, and so are printed. */
static char *least_case(const scree_node *root) {
    const scree_node *model = scree_node_value(root, "model");
    char *text;
    int n;
    if (model && model->kind == SCREE_NODE_SCALAR)
        n = asprintf(&text,
                     "name: '-'\ntime: {end: 1.23e-7, step: 1.23e-7}\n"
                     "model: %s\n",
                     model->text);
    else
        n = asprintf(&text, "name: '-'\ntime: {end: 1.23e-7, step: 1.23e-7}\n"
                            "materials: [{name: '-', density: 1}]\n"
                            "bodies: [{sphere: {position: [0, 0, 0]}, "
                            "radius: 1, material: '-'}]\n");
    return n < 0 ? NULL : text;
}

/* The least case as the program resolves it; NULL without an error: it cannot be had,
 * and all keys count as changed. */
static scree_status load_defaults(const scree_node *root, scree_pool *pool,
                                  scree_node **defaults, scree_error *error) {
    scree_case *c = NULL;
    char *text = least_case(root), *resolved = NULL;
    *defaults = NULL;
    scree_status status =
        text ? scree_case_read_text(text, "defaults", 0, NULL, &c, error)
             : SCREE_OUT_OF_MEMORY;
    if (status == SCREE_OK) status = scree_case_print_text(c, &resolved);
    if (status == SCREE_OK)
        status = scree_node_load(resolved, (scree_origin){"defaults", 0}, pool,
                                 defaults, error);
    if (status != SCREE_OK) *defaults = NULL;
    scree_case_free(c);
    free(resolved);
    free(text);
    return status == SCREE_OUT_OF_MEMORY ? out_of_memory(error) : SCREE_OK;
}

scree_status scree_case_changes(const char *text, FILE *out,
                                scree_error *error) {
    scree_pool *pool = scree_pool_create();
    scree_node *root = NULL, *defaults;
    if (!pool) return out_of_memory(error);
    scree_status status = scree_node_load(text, (scree_origin){"case.yaml", 1},
                                          pool, &root, error);
    if (status == SCREE_OK && (!root || root->kind != SCREE_NODE_MAP))
        status = scree_fail(error, SCREE_BAD_INPUT, "case.yaml: no mapping");
    if (status == SCREE_OK)
        status = load_defaults(root, pool, &defaults, error);
    scree_reference reference = {0};
    if (status == SCREE_OK && scree_reference_make(&reference) != SCREE_OK)
        status = out_of_memory(error);
    if (status == SCREE_OK) put_changes(out, &reference, root, defaults);
    scree_reference_free(&reference);
    scree_pool_destroy(pool);
    return status;
}
