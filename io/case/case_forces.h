/* case_forces.h: forces of a case, and materials that pass each other, in its world. */
#ifndef SCREE_IO_CASE_FORCES_H
#define SCREE_IO_CASE_FORCES_H

#include "io/case/case_check.h"

/* Steppers that know none are refused, and more passing materials than there are groups. */
scree_status scree_check_forces(scree_reader *r, const scree_node *map,
                                const scree_case *c);
/* Before there are bodies. */
scree_status scree_case_add_forces(const scree_case *c, scree_world *world,
                                   scree_error *error);

#endif
