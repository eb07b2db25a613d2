/* case_node.c: building and searching the tree. */
#include "io/case/yaml/case_node.h"

#include <string.h>

int scree_node_find(const scree_node *map, const char *key) {
    for (int i = 0; i < map->n; i++)
        if (strcmp(map->keys[i].text, key) == 0) return i;
    return -1;
}

const scree_node *scree_node_value(const scree_node *map, const char *key) {
    const int i = scree_node_find(map, key);
    return i < 0 ? NULL : map->items[i];
}

scree_node *scree_node_create(scree_pool *pool, scree_node_kind kind,
                              scree_origin origin) {
    scree_node *node = scree_pool_take(pool, 1, sizeof *node);
    if (!node) return NULL;
    node->kind = kind;
    node->origin = origin;
    return node;
}

bool scree_node_reserve(scree_pool *pool, scree_node *parent, int room) {
    const bool map = parent->kind == SCREE_NODE_MAP;
    scree_node **items = scree_pool_take(pool, (size_t)room, sizeof *items);
    scree_node_key *keys =
        map ? scree_pool_take(pool, (size_t)room, sizeof *keys) : NULL;
    if (!items || (map && !keys)) return false;
    if (parent->n > 0) {
        memcpy(items, parent->items, (size_t)parent->n * sizeof *items);
        if (map) memcpy(keys, parent->keys, (size_t)parent->n * sizeof *keys);
    }
    parent->items = items;
    parent->keys = keys;
    parent->room = room;
    return true;
}

bool scree_node_append(scree_pool *pool, scree_node *parent,
                       const scree_node_key *key, scree_node *value) {
    if (parent->n == parent->room &&
        !scree_node_reserve(pool, parent, parent->room ? 2 * parent->room : 4))
        return false;
    if (key) parent->keys[parent->n] = *key;
    parent->items[parent->n++] = value;
    return true;
}
