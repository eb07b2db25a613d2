/* pass.h: work on all contacts of a problem, colour after colour, by a team and
 * together with other ranks. */
#ifndef SCREE_SOLVERS_PASS_H
#define SCREE_SOLVERS_PASS_H

#include "solvers/problem/parts.h"

/* Works on the blocks list[first .. last) of one colour and kind. But for the overflow
 * the list goes on for SCREE_AHEAD more, which the member will work on next. */
typedef void scree_block_work(scree_problem *p, const int32_t *list,
                              int64_t first, int64_t last, const void *context);
/* What one pass over all contacts does. Contacts in the overflow colour may share
 * bodies: one member of the team works on them, one by one. */
typedef struct scree_pass {
    scree_block_work *round, *round_overflow;
    scree_block_work *general, *general_overflow;
} scree_pass;

/* A team member's part of one pass, colour after colour. All members call it
 * together. It follows other passes without waiting for the whole team; what others
 * did in it is there after the next scree_team_wait. Shared bodies are the same on all
 * ranks before and after it. */
void scree_problem_pass(scree_problem *p, const scree_team *team,
                        const scree_pass *pass, const void *context);

/* The same for the bodies list[first .. last), each of them once. */
typedef void scree_body_work(scree_problem *p, const int32_t *list,
                             int64_t first, int64_t last, const void *context);
void scree_problem_pass_bodies(scree_problem *p, const scree_team *team,
                               scree_body_work *work, const void *context);

#endif
