/* case_joints.h: joints and nets of a case in its world, after its bodies. */
#ifndef SCREE_IO_CASE_JOINTS_H
#define SCREE_IO_CASE_JOINTS_H

#include <math.h>
#include <stdlib.h>

#include "engine/base/error.h"
#include "io/case/case_check.h"

scree_status scree_case_add_joints(const scree_case *c, scree_world *world,
                                   scree_error *error);

#endif
