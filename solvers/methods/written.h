/* written.h: methods on problems that are written out in the next layout, solved there
 * and read back: lanes as blocks (solvers/blocks/explicit.h), blocks as dense. */
#ifndef SCREE_SOLVERS_WRITTEN_H
#define SCREE_SOLVERS_WRITTEN_H

#include "solvers/problem/method.h"

scree_status scree_lanes_write(const scree_method *m, scree_problem *p,
                               const scree_solver_options *options,
                               scree_arena *scratch, scree_report *report);
/* Goes on from the (u, P) that another method left, whose iterations are in the
 * report. */
scree_status scree_lanes_go_on(const scree_method *m, scree_problem *p,
                               const scree_solver_options *options,
                               scree_size free, scree_arena *scratch,
                               scree_report *report);

/* SCREE_UNSUPPORTED if the method takes fewer rows. */
scree_status scree_blocks_write(const scree_method *m, scree_fc3d *p,
                                const scree_solver_options *options,
                                scree_arena *scratch, scree_report *report);

#endif
