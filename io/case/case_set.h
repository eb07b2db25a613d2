/* case_set.h: overrides from the command line. */
#ifndef SCREE_IO_CASE_SET_H
#define SCREE_IO_CASE_SET_H

#include "io/case/yaml/case_node.h"

/* Puts the value of "key.path=value" into the tree: any YAML, at any key or
 * list item. Missing mappings and keys are made, list items are not. Whether
 * the key means anything is for the reader to say. */
scree_status scree_case_set(scree_node **root, const char *set,
                            scree_pool *pool, scree_error *error);

#endif
