/* stub.h: the nodes of the recording library, and what it is told to do. */
#ifndef SCREE_TESTS_CATALYST_STUB_NODES_H
#define SCREE_TESTS_CATALYST_STUB_NODES_H

#include <catalyst.h>

typedef enum stub_kind {
    STUB_EMPTY,
    STUB_TEXT,
    STUB_WHOLE,
    STUB_REAL,
    STUB_INT32,
    STUB_INT64,
    STUB_FLOAT64
} stub_kind;

/* A leaf holds one value, or names memory that is not its own: number i is
 * `bytes` long at data + offset + i stride. */
struct conduit_node {
    char *name; /* NULL: of a list */
    stub_kind kind;
    char *text;
    int64_t whole;
    double real;
    const void *data;
    int64_t n, offset, stride, bytes;
    int n_child;
    conduit_node **children;
};

/* NULL: there is none. */
const conduit_node *stub_find(const conduit_node *node, const char *path);

/* Called inside initialize, execute and finalize, named so. */
extern void (*stub_watch)(const char *call, const conduit_node *params);
extern enum catalyst_status stub_status; /* what they return */
extern const char *stub_implementation;  /* what about says; NULL: nothing */
extern int stub_nodes;                   /* alive */

#endif
