/* catalyst.h: as much of the Catalyst 2 library as io/catalyst/catalyst_conduit.c calls,
 * under the names and with the arguments of that library. Nodes are kept as
 * they were set, for tests/io/catalyst_conduit.c to look at. */
#ifndef SCREE_TESTS_CATALYST_STUB_H
#define SCREE_TESTS_CATALYST_STUB_H

#include <stdint.h>

typedef struct conduit_node conduit_node;
typedef int64_t conduit_index_t;
typedef int32_t conduit_int32;
typedef int64_t conduit_int64;
typedef double conduit_float64;

enum { CONDUIT_ENDIANNESS_DEFAULT_ID = 0 };

enum catalyst_status {
    catalyst_status_ok = 0,
    catalyst_status_error_no_implementation
};

enum catalyst_status catalyst_initialize(const conduit_node *params);
enum catalyst_status catalyst_execute(const conduit_node *params);
enum catalyst_status catalyst_finalize(const conduit_node *params);
enum catalyst_status catalyst_about(conduit_node *params);

conduit_node *conduit_node_create(void);
void conduit_node_destroy(conduit_node *node);
conduit_node *conduit_node_fetch(conduit_node *node, const char *path);
conduit_node *conduit_node_append(conduit_node *node);
int conduit_node_has_path(const conduit_node *node, const char *path);
char *conduit_node_fetch_path_as_char8_str(conduit_node *node,
                                           const char *path);

void conduit_node_set_char8_str(conduit_node *node, const char *text);
void conduit_node_set_path_char8_str(conduit_node *node, const char *path,
                                     const char *text);
void conduit_node_set_path_int32(conduit_node *node, const char *path,
                                 conduit_int32 value);
void conduit_node_set_path_int64(conduit_node *node, const char *path,
                                 conduit_int64 value);
void conduit_node_set_path_float64(conduit_node *node, const char *path,
                                   conduit_float64 value);
void conduit_node_set_path_external_int64_ptr(conduit_node *node,
                                              const char *path,
                                              conduit_int64 *data,
                                              conduit_index_t n);
#define STUB_DETAILED(type)                                                    \
    void conduit_node_set_path_external_##type##_ptr_detailed(                 \
        conduit_node *node, const char *path, conduit_##type *data,            \
        conduit_index_t n, conduit_index_t offset, conduit_index_t stride,     \
        conduit_index_t bytes, conduit_index_t endianness)
STUB_DETAILED(int32);
STUB_DETAILED(int64);
STUB_DETAILED(float64);

#endif
