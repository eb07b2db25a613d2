/* case_node.h: a YAML document as a tree that knows where it was written.
 *
 * Aliases are expanded into copies, so that an override of one use leaves the
 * others alone. Nothing is interpreted here: a scalar is its text. */
#ifndef SCREE_IO_CASE_NODE_H
#define SCREE_IO_CASE_NODE_H

#include "engine/base/error.h"
#include "io/case/yaml/case_pool.h"

/* A line of the case file, or an option of the command line. */
typedef struct scree_origin {
    const char *source; /* the file's path, or "--set key=value" */
    int line;           /* from 1; 0 for an option */
} scree_origin;

typedef enum scree_node_kind {
    SCREE_NODE_SCALAR,
    SCREE_NODE_LIST,
    SCREE_NODE_MAP,
} scree_node_kind;

typedef struct scree_node_key {
    const char *text;
    scree_origin origin;
} scree_node_key;

typedef struct scree_node {
    scree_node_kind kind;
    scree_origin origin;
    const char *text;          /* scalar */
    bool plain;                /* scalar: written without quotes */
    int n, room;               /* list, map */
    scree_node_key *keys;      /* (room) map */
    struct scree_node **items; /* (room) list, map */
} scree_node;

/* Reads the one YAML document in `text`. Its nodes come from `start.source` and
 * are numbered from `start.line` on, or not at all if that is 0. A text without
 * a document gives *root = NULL. */
scree_status scree_node_load(const char *text, scree_origin start,
                             scree_pool *pool, scree_node **root,
                             scree_error *error);

/* Position of the first `key` in a map, or -1. */
int scree_node_find(const scree_node *map, const char *key);
/* The value of `key` in a map, or NULL. */
const scree_node *scree_node_value(const scree_node *map, const char *key);

/* Scalars as numbers (case_scalar.c). */
typedef enum scree_parsed {
    SCREE_NO_NUMBER,
    SCREE_TOO_LARGE,
    SCREE_IS_NUMBER
} scree_parsed;
scree_parsed scree_node_number(const scree_node *node, double *x);
scree_parsed scree_node_integer(const scree_node *node, int64_t *k);
/* An empty value, ~ or null. */
bool scree_node_is_nothing(const scree_node *node);

scree_node *scree_node_create(scree_pool *pool, scree_node_kind kind,
                              scree_origin origin);
/* Room for so many items of a list or map. False when there is no memory. */
bool scree_node_reserve(scree_pool *pool, scree_node *parent, int room);
/* Adds an item to a list (key NULL) or map. False when there is no memory. */
bool scree_node_append(scree_pool *pool, scree_node *parent,
                       const scree_node_key *key, scree_node *value);

#endif
