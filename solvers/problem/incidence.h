/* incidence.h: which contacts a body has. */
#ifndef SCREE_SOLVERS_INCIDENCE_H
#define SCREE_SOLVERS_INCIDENCE_H

#include "solvers/problem/problem.h"

/* Contacts of body k, in their order: list[first[k] .. first[k + 1]). */
typedef struct scree_incidence {
    int64_t *first; /* (n_body + 2) */
    int32_t *list;  /* (2 n_contact) */
} scree_incidence;

/* Both live in `scratch`, with room for all contacts that there may be: the same from
 * step to step. */
scree_status scree_problem_find_incidence(const scree_problem *p,
                                          scree_arena *scratch,
                                          scree_incidence *at);

#endif
