/* case_changes.h: what of a resolved case is not as it would be without being said. */
#ifndef SCREE_IO_CASE_CHANGES_H
#define SCREE_IO_CASE_CHANGES_H

#include <stdio.h>

#include "engine/base/error.h"

/* Prints, as YAML, the keys of the case `text` whose values are not the defaults;
 * lists (materials, walls, bodies, outputs) whole. SCREE_BAD_INPUT if the text is no
 * YAML. */
scree_status scree_case_changes(const char *text, FILE *out,
                                scree_error *error);

#endif
