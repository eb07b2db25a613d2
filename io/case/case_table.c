/* case_table.c: reading a mapping, or a list of mappings, as its table says. */
#include "io/case/case_reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- the key path -------------------------------------------------------- */

size_t scree_reader_enter(scree_reader *r, const char *key) {
    const size_t mark = strlen(r->key);
    snprintf(r->key + mark, sizeof r->key - mark, "%s%s", mark > 0 ? "." : "",
             scree_quote(key).text);
    return mark;
}

size_t scree_reader_enter_item(scree_reader *r, int i) {
    const size_t mark = strlen(r->key);
    snprintf(r->key + mark, sizeof r->key - mark, "[%d]", i);
    return mark;
}

void scree_reader_leave(scree_reader *r, size_t mark) {
    r->key[mark] = '\0';
}

/* ---- refusals ------------------------------------------------------------ */

scree_status scree_reader_refuse(scree_reader *r, const scree_node *map,
                                 const char *key, const char *format, ...) {
    const scree_node *value = scree_node_value(map, key);
    if (value) scree_reader_enter(r, key);
    char what[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return scree_complain(r->error, value ? value->origin : map->origin, r->key,
                          "%s", what);
}

scree_status scree_reader_no_memory(scree_reader *r) {
    return scree_fail(r->error, SCREE_OUT_OF_MEMORY, "%s: out of memory",
                      r->draft.c.path);
}

scree_status scree_reader_add_name(scree_reader *r, const scree_node *map,
                                   scree_index *index, const char *list, int i,
                                   const char *name) {
    const int other = scree_index_find(index, name);
    if (other >= 0)
        return scree_reader_refuse(r, map, "name",
                                   "%s[%d] has the name '%s' already", list,
                                   other, scree_quote(name).text);
    return scree_index_add(index, r->pool, name, i) ? SCREE_OK
                                                    : scree_reader_no_memory(r);
}

static bool is_key_of(const scree_table *table, const char *key) {
    for (int i = 0; i < table->n; i++)
        if (strcmp(table->fields[i].key, key) == 0) return true;
    return false;
}

static scree_status unknown_key(scree_reader *r, const scree_table *table,
                                const scree_node_key *key) {
    const bool foreign =
        table->elsewhere && is_key_of(table->elsewhere, key->text);
    scree_reader_enter(r, key->text);
    scree_complain(r->error, key->origin, r->key, "%s",
                   foreign ? table->why_not : "unknown key");
    scree_hint_names(r->error, "allowed here", scree_names_keys(table));
    if (!foreign)
        scree_hint_nearest(r->error, key->text, scree_names_keys(table));
    return SCREE_BAD_INPUT;
}

static scree_status repeated_key(scree_reader *r, const scree_node_key *first,
                                 const scree_node_key *again) {
    scree_reader_enter(r, again->text);
    scree_complain(r->error, again->origin, r->key, "the key is given twice");
    if (first->origin.line > 0)
        scree_hint(r->error, "first on line %d", first->origin.line);
    return SCREE_BAD_INPUT;
}

/* A key that is missing may be the one that is misspelt. */
static bool has_unknown_key(const scree_table *table, const scree_node *map) {
    for (int i = 0; i < map->n; i++)
        if (!is_key_of(table, map->keys[i].text)) return true;
    return false;
}

static scree_status missing_key(scree_reader *r, const scree_node *map,
                                const scree_field *field) {
    scree_complain(r->error, map->origin, r->key, "missing key '%s'",
                   field->key);
    scree_hint_allowed(r, field);
    return SCREE_BAD_INPUT;
}

/* ---- the keys of a mapping ----------------------------------------------- */

static scree_status check_key(scree_reader *r, const scree_table *table,
                              const scree_node *map, int i) {
    if (!is_key_of(table, map->keys[i].text))
        return unknown_key(r, table, &map->keys[i]);
    const int first = scree_node_find(map, map->keys[i].text);
    return first < i ? repeated_key(r, &map->keys[first], &map->keys[i])
                     : SCREE_OK;
}

static scree_status check_keys(scree_reader *r, const scree_table *table,
                               const scree_node *map) {
    const size_t mark = strlen(r->key);
    for (int i = 0; i < map->n; i++)
        TRY(scree_reader_pass(r, check_key(r, table, map, i), mark));
    return SCREE_OK;
}

/* "sphere, lattice, fill, pour" */
static void list_group(const scree_table *table, unsigned group,
                       char out[200]) {
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; i < table->n; i++)
        if ((table->fields[i].flags & group) && used < 200)
            used +=
                (size_t)snprintf(out + used, 200 - used, "%s%s",
                                 used > 0 ? ", " : "", table->fields[i].key);
}

/* Of the keys of a group exactly one is there: *which, counted from the first
 * of them, or -1 if the table has no such group. */
static scree_status check_group(scree_reader *r, const scree_table *table,
                                const scree_node *map, unsigned group,
                                int *which) {
    const char *given = NULL;
    int k = 0;
    *which = -1;
    char keys[200];
    list_group(table, group, keys);
    for (int i = 0; i < table->n; i++) {
        const scree_field *field = &table->fields[i];
        if (!(field->flags & group)) continue;
        if (scree_node_value(map, field->key)) {
            if (given) {
                scree_reader_refuse(r, map, field->key,
                                    "cannot be with '%s' in one entry", given);
                scree_hint(r->error, "allowed: exactly one of %s", keys);
                return SCREE_BAD_INPUT;
            }
            given = field->key;
            *which = k;
        }
        k++;
    }
    if (k == 0 || given) return SCREE_OK;
    return has_unknown_key(table, map)
               ? scree_reader_follow(r)
               : scree_complain(r->error, map->origin, r->key,
                                "missing key: one of %s", keys);
}

static scree_status check_groups(scree_reader *r, const scree_table *table,
                                 const scree_node *map, char *base) {
    const size_t mark = strlen(r->key);
    int which, unused;
    TRY(scree_reader_pass(r, check_group(r, table, map, SCREE_ONE_OF, &which),
                          mark));
    TRY(scree_reader_pass(
        r, check_group(r, table, map, SCREE_ALSO_ONE_OF, &unused), mark));
    if (table->has_which) *(int *)(void *)(base + table->which) = which;
    return SCREE_OK;
}

/* ---- mappings and lists -------------------------------------------------- */

/* A key that is not there. */
static scree_status skip_field(scree_reader *r, const scree_table *table,
                               const scree_field *field,
                               const scree_node *map) {
    if (!(field->flags & SCREE_REQUIRED)) return SCREE_OK;
    return has_unknown_key(table, map) ? scree_reader_follow(r)
                                       : missing_key(r, map, field);
}

static scree_status read_field(scree_reader *r, const scree_field *field,
                               const scree_node *map, char *base) {
    const scree_node *value = scree_node_value(map, field->key);
    if ((field->flags & SCREE_SPACE) && r->draft.c.world.planar) {
        scree_reader_refuse(r, map, field->key,
                            "has no meaning in a plane world");
        scree_hint(r->error, "remedy: leave it out, or planar: off");
        return SCREE_BAD_INPUT;
    }
    const size_t mark = scree_reader_enter(r, field->key);
    TRY(scree_reader_value(r, field, value, base + field->offset));
    scree_reader_leave(r, mark);
    return SCREE_OK;
}

static scree_status read_row(scree_reader *r, const scree_table *table, int i,
                             const scree_node *map, char *base) {
    const scree_field *field = &table->fields[i];
    const size_t mark = strlen(r->key);
    const scree_status status = scree_node_value(map, field->key)
                                    ? read_field(r, field, map, base)
                                    : skip_field(r, table, field, map);
    if (status == SCREE_OK) return SCREE_OK;
    if (field->flags & SCREE_NAMED) r->lost_names = true;
    if (field->flags & SCREE_DECIDES) return status;
    return scree_reader_pass(r, status, mark);
}

/* Rules that span several keys count on every one of them. */
scree_status scree_reader_map(scree_reader *r, const scree_table *table,
                              const scree_node *map, void *base) {
    const int before = r->n_refused;
    TRY(check_keys(r, table, map));
    TRY(check_groups(r, table, map, base));
    for (int i = 0; i < table->n; i++) TRY(read_row(r, table, i, map, base));
    if (r->n_refused > before) return scree_reader_follow(r);
    return table->check ? table->check(r, map, base) : SCREE_OK;
}

static scree_status read_entry(scree_reader *r, const scree_field *field,
                               const scree_node *node, void *entry) {
    const scree_table *table = field->table;
    if (node->kind != SCREE_NODE_MAP)
        return scree_reader_wrong_type(r, field, "a mapping", node);
    if (table->prepare) table->prepare(entry);
    return scree_reader_map(r, table, node, entry);
}

static scree_status check_list(scree_reader *r, const scree_field *field,
                               const scree_node *node) {
    if (node->kind != SCREE_NODE_LIST)
        return scree_reader_wrong_type(r, field, scree_field_expected(field),
                                       node);
    if (node->n == 0 && (field->flags & SCREE_REQUIRED))
        return scree_reader_wrong_type(r, field, "at least one entry", node);
    return SCREE_OK;
}

static scree_status read_packed(scree_reader *r, const scree_field *field,
                                const scree_node *node, void *room,
                                void *kept) {
    memset(room, 0, field->table->size);
    TRY(read_entry(r, field, node, room));
    field->table->pack(room, kept);
    return SCREE_OK;
}

/* The count goes up entry by entry, so that a check sees the entries before its
 * own. */
scree_status scree_reader_list(scree_reader *r, const scree_field *field,
                               const scree_node *node, void *base) {
    TRY(check_list(r, field, node));
    const scree_table *table = field->table;
    const size_t size = table->packed ? table->packed : table->size;
    char *entries = scree_pool_take(r->pool, (size_t)node->n, size);
    void *room = scree_pool_take(r->pool, table->packed ? 1 : 0, table->size);
    if (!entries || !room) return scree_reader_no_memory(r);
    memcpy((char *)base + field->offset, &entries, sizeof entries);
    int *count = (int *)(void *)((char *)base + field->count);
    const int before = r->n_refused;
    for (int i = 0; i < node->n; i++) {
        const size_t mark = scree_reader_enter_item(r, i);
        const scree_node *item = node->items[i];
        void *entry = entries + (size_t)i * size;
        r->item = i;
        TRY(scree_reader_pass(r,
                              table->packed
                                  ? read_packed(r, field, item, room, entry)
                                  : read_entry(r, field, item, entry),
                              mark));
        scree_reader_leave(r, mark);
        *count = i + 1;
    }
    return r->n_refused > before ? scree_reader_follow(r) : SCREE_OK;
}
