/* case_set.c: overrides from the command line.
 *
 *     option = path ( "=" | "+=" ) value
 *     path   = key { "." key | "[" digits "]" }
 *     key    = any characters but . [ ] =
 *
 * "+=" adds an item to a list. A key of a list is the entry that has this key:
 * outputs.frames.every=0.1. Lists, entries and mappings that are not there come
 * into being.
 */
#include "io/case/case_set.h"

#include "io/case/yaml/case_message.h"
#include "io/schema/case_schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct setter {
    scree_pool *pool;
    scree_origin origin;
    const char *path;  /* as given */
    const char *rest;  /* what is still to go */
    scree_node **slot; /* where the path has led so far; may hold NULL */
    scree_error *error;
} setter;

static scree_status no_memory(const setter *s) {
    return scree_fail(s->error, SCREE_OUT_OF_MEMORY, "out of memory");
}

static scree_status bad_form(const setter *s) {
    scree_complain(s->error, s->origin, "", "not of the form key.path=value");
    scree_hint(s->error, "examples: solver.iterations=100, "
                         "bodies[0].radius=0.1, 'gravity=[0, 0, -1]'");
    return SCREE_BAD_INPUT;
}

/* The part of the path that has been gone, for messages. */
static scree_quoted path_gone(const setter *s) {
    char text[sizeof(scree_quoted)];
    snprintf(text, sizeof text, "%.*s", (int)(s->rest - s->path), s->path);
    return scree_quote(text);
}

/* ---- one step along the path --------------------------------------------- */

static scree_status step_item(setter *s) {
    char *end;
    const long i = strtol(s->rest + 1, &end, 10);
    if (s->rest[1] < '0' || s->rest[1] > '9' || *end != ']') return bad_form(s);
    const scree_node *list = *s->slot;
    if (!list || list->kind != SCREE_NODE_LIST)
        return scree_complain(s->error, s->origin, "", "'%s' is not a list",
                              path_gone(s).text);
    if (i >= list->n) {
        scree_complain(s->error, s->origin, "", "'%s' has no item %ld",
                       path_gone(s).text, i);
        scree_hint(s->error, "it has %d, counted from 0", list->n);
        return SCREE_BAD_INPUT;
    }
    s->slot = &list->items[i];
    s->rest = end + 1;
    return SCREE_OK;
}

static scree_status expect_map(setter *s) {
    if (!*s->slot)
        *s->slot = scree_node_create(s->pool, SCREE_NODE_MAP, s->origin);
    if (!*s->slot) return no_memory(s);
    if ((*s->slot)->kind == SCREE_NODE_MAP) return SCREE_OK;
    return scree_complain(s->error, s->origin, "", "'%s' is not a mapping",
                          path_gone(s).text);
}

/* Does the path so far name a section of the file that is a list? */
static bool at_list_section(const setter *s) {
    const size_t n = (size_t)(s->rest - s->path);
    const scree_table *table = &scree_case_table;
    for (int i = 0; i < table->n; i++)
        if (table->fields[i].type == SCREE_FIELD_LIST &&
            strlen(table->fields[i].key) == n &&
            strncmp(table->fields[i].key, s->path, n) == 0)
            return true;
    return false;
}

/* Goes on to the entry of a list that has the key. */
static scree_status step_entry(setter *s, const char *key) {
    scree_node *list = *s->slot;
    for (int i = 0; i < list->n; i++)
        if (list->items[i] && list->items[i]->kind == SCREE_NODE_MAP &&
            scree_node_find(list->items[i], key) >= 0) {
            s->slot = &list->items[i];
            return SCREE_OK;
        }
    if (!scree_node_append(s->pool, list, NULL, NULL)) return no_memory(s);
    s->slot = &list->items[list->n - 1];
    return SCREE_OK;
}

static scree_status step_key(setter *s, const char *from) {
    const size_t n = strcspn(from, ".[]");
    if (n == 0) return bad_form(s);
    const char *key = scree_pool_text(s->pool, from, n);
    if (!key) return no_memory(s);
    if (!*s->slot && at_list_section(s))
        *s->slot = scree_node_create(s->pool, SCREE_NODE_LIST, s->origin);
    if (*s->slot && (*s->slot)->kind == SCREE_NODE_LIST)
        TRY(step_entry(s, key));
    TRY(expect_map(s));
    scree_node *map = *s->slot;
    int i = scree_node_find(map, key);
    if (i < 0) {
        i = map->n;
        if (!scree_node_append(s->pool, map, &(scree_node_key){key, s->origin},
                               NULL))
            return no_memory(s);
    }
    s->slot = &map->items[i];
    s->rest = from + n;
    return SCREE_OK;
}

static scree_status walk_path(setter *s) {
    TRY(step_key(s, s->rest));
    while (*s->rest) switch (*s->rest) {
        case '.':
            TRY(step_key(s, s->rest + 1));
            break;
        case '[':
            TRY(step_item(s));
            break;
        default:
            return bad_form(s);
        }
    return SCREE_OK;
}

/* The place after the last item of the list that the path leads to. */
static scree_status step_new_item(setter *s) {
    if (!*s->slot)
        *s->slot = scree_node_create(s->pool, SCREE_NODE_LIST, s->origin);
    scree_node *list = *s->slot;
    if (!list) return no_memory(s);
    if (list->kind != SCREE_NODE_LIST)
        return scree_complain(s->error, s->origin, "", "'%s' is not a list",
                              path_gone(s).text);
    if (!scree_node_append(s->pool, list, NULL, NULL)) return no_memory(s);
    s->slot = &list->items[list->n - 1];
    return SCREE_OK;
}

/* ---- the whole option ---------------------------------------------------- */

/* An empty value is a scalar without text, as in the file. */
static scree_status load_value(setter *s, const char *text,
                               scree_node **value) {
    TRY(scree_node_load(text, s->origin, s->pool, value, s->error));
    if (*value) return SCREE_OK;
    *value = scree_node_create(s->pool, SCREE_NODE_SCALAR, s->origin);
    if (!*value) return no_memory(s);
    (*value)->text = "";
    (*value)->plain = true;
    return SCREE_OK;
}

/* The option as messages show it: on one line, whatever it holds. */
static char *option_text(scree_pool *pool, const char *set) {
    const size_t size = strlen(set) + sizeof "--set ";
    char *text = scree_pool_take(pool, size, 1);
    if (!text) return NULL;
    snprintf(text, size, "--set %s", set);
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < 0x20) *c = ' ';
    return text;
}

scree_status scree_case_set(scree_node **root, const char *set,
                            scree_pool *pool, scree_error *error) {
    setter s = {.pool = pool, .slot = root, .error = error};
    s.origin.source = option_text(pool, set);
    const char *equal = strchr(set, '=');
    if (!s.origin.source) return no_memory(&s);
    /* The case keeps its overrides one per line. */
    if (!equal || strchr(set, '\n')) return bad_form(&s);
    const bool adds = equal > set && equal[-1] == '+';
    s.path = s.rest = scree_pool_text(pool, set, (size_t)(equal - adds - set));
    if (!s.path) return no_memory(&s);
    TRY(walk_path(&s));
    if (adds) TRY(step_new_item(&s));
    return load_value(&s, equal + 1, s.slot);
}
