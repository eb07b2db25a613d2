/* solve.h: scree solve, a contact problem from a file. */
#ifndef SCREE_CASES_SOLVE_H
#define SCREE_CASES_SOLVE_H

#include "engine/base/error.h"
#include "solvers/problem/method.h"

typedef struct scree_solve_request {
    const char *path; /* FCLIB file */
    const scree_method *method;
    double tolerance;
    int iterations;
    int guess;           /* of the file to start from, or 0: from r = 0 */
    const char *history; /* CSV of residuals, or NULL */
    const char *out;     /* FCLIB file with the solution, or NULL */
} scree_solve_request;

/* Reads, solves, prints what happened, writes what is asked for. */
scree_status scree_solve(const scree_solve_request *request, bool *converged,
                         scree_error *error);

#endif
