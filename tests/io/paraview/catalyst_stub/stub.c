#include "stub.h"

#include <stdlib.h>
#include <string.h>

void (*stub_watch)(const char *call, const conduit_node *params);
enum catalyst_status stub_status;
const char *stub_implementation;
int stub_nodes;

/* ---- nodes --------------------------------------------------------------- */

static conduit_node *add_child(conduit_node *node, const char *name,
                               size_t length) {
    conduit_node *child = conduit_node_create();
    child->name = name ? strndup(name, length) : NULL;
    node->children = realloc(node->children, sizeof(conduit_node *) *
                                                 ((size_t)node->n_child + 1));
    node->children[node->n_child++] = child;
    return child;
}

static conduit_node *child_of(const conduit_node *node, const char *name,
                              size_t length) {
    for (int i = 0; i < node->n_child; i++) {
        const char *other = node->children[i]->name;
        if (other && strlen(other) == length &&
            memcmp(other, name, length) == 0)
            return node->children[i];
    }
    return NULL;
}

conduit_node *conduit_node_create(void) {
    stub_nodes++;
    return calloc(1, sizeof(conduit_node));
}

void conduit_node_destroy(conduit_node *node) {
    for (int i = 0; i < node->n_child; i++)
        conduit_node_destroy(node->children[i]);
    free(node->children);
    free(node->name);
    free(node->text);
    free(node);
    stub_nodes--;
}

conduit_node *conduit_node_fetch(conduit_node *node, const char *path) {
    const size_t n = strcspn(path, "/");
    conduit_node *child = child_of(node, path, n);
    if (!child) child = add_child(node, path, n);
    return path[n] ? conduit_node_fetch(child, path + n + 1) : child;
}

conduit_node *conduit_node_append(conduit_node *node) {
    return add_child(node, NULL, 0);
}

const conduit_node *stub_find(const conduit_node *node, const char *path) {
    const size_t n = strcspn(path, "/");
    const conduit_node *child = child_of(node, path, n);
    return child && path[n] ? stub_find(child, path + n + 1) : child;
}

int conduit_node_has_path(const conduit_node *node, const char *path) {
    return stub_find(node, path) != NULL;
}

char *conduit_node_fetch_path_as_char8_str(conduit_node *node,
                                           const char *path) {
    return conduit_node_fetch(node, path)->text;
}

/* ---- values -------------------------------------------------------------- */

void conduit_node_set_char8_str(conduit_node *node, const char *text) {
    node->kind = STUB_TEXT;
    free(node->text);
    node->text = strdup(text);
}

void conduit_node_set_path_char8_str(conduit_node *node, const char *path,
                                     const char *text) {
    conduit_node_set_char8_str(conduit_node_fetch(node, path), text);
}

void conduit_node_set_path_int32(conduit_node *node, const char *path,
                                 conduit_int32 value) {
    conduit_node_set_path_int64(node, path, value);
}

void conduit_node_set_path_int64(conduit_node *node, const char *path,
                                 conduit_int64 value) {
    conduit_node *leaf = conduit_node_fetch(node, path);
    leaf->kind = STUB_WHOLE;
    leaf->whole = value;
}

void conduit_node_set_path_float64(conduit_node *node, const char *path,
                                   conduit_float64 value) {
    conduit_node *leaf = conduit_node_fetch(node, path);
    leaf->kind = STUB_REAL;
    leaf->real = value;
}

#define DEFINE_DETAILED(type, KIND)                                            \
    STUB_DETAILED(type) {                                                      \
        (void)endianness;                                                      \
        conduit_node *leaf = conduit_node_fetch(node, path);                   \
        leaf->kind = KIND;                                                     \
        leaf->data = data;                                                     \
        leaf->n = n;                                                           \
        leaf->offset = offset;                                                 \
        leaf->stride = stride;                                                 \
        leaf->bytes = bytes;                                                   \
    }
DEFINE_DETAILED(int32, STUB_INT32)
DEFINE_DETAILED(int64, STUB_INT64)
DEFINE_DETAILED(float64, STUB_FLOAT64)

void conduit_node_set_path_external_int64_ptr(conduit_node *node,
                                              const char *path,
                                              conduit_int64 *data,
                                              conduit_index_t n) {
    conduit_node_set_path_external_int64_ptr_detailed(
        node, path, data, n, 0, 8, 8, CONDUIT_ENDIANNESS_DEFAULT_ID);
}

/* ---- the library --------------------------------------------------------- */

static enum catalyst_status tell(const char *call, const conduit_node *params) {
    if (stub_watch) stub_watch(call, params);
    return stub_status;
}

enum catalyst_status catalyst_initialize(const conduit_node *params) {
    return tell("initialize", params);
}

enum catalyst_status catalyst_execute(const conduit_node *params) {
    return tell("execute", params);
}

enum catalyst_status catalyst_finalize(const conduit_node *params) {
    return tell("finalize", params);
}

enum catalyst_status catalyst_about(conduit_node *params) {
    if (stub_implementation)
        conduit_node_set_path_char8_str(params, "catalyst/implementation",
                                        stub_implementation);
    return catalyst_status_ok;
}
