#include "solvers/solver.h"

#include <string.h>

#define SCREE_SOLVER(name) extern const scree_solver_ops scree_solver_##name;
#include "solvers/solvers.def"
#undef SCREE_SOLVER

const scree_solver_ops *scree_solver_get(int i) {
    static const scree_solver_ops *const table[] = {
#define SCREE_SOLVER(name) &scree_solver_##name,
#include "solvers/solvers.def"
#undef SCREE_SOLVER
    };
    const int n = (int)(sizeof table / sizeof *table);
    return i >= 0 && i < n ? table[i] : NULL;
}

const scree_solver_ops *scree_solver_find(const char *name) {
    const scree_solver_ops *ops;
    for (int i = 0; (ops = scree_solver_get(i)); ++i)
        if (!strcmp(ops->name, name)) return ops;
    return NULL;
}

const char *scree_solver_name(int i, const char **about) {
    const scree_solver_ops *ops = scree_solver_get(i);
    if (ops && about) *about = ops->about;
    return ops ? ops->name : NULL;
}

scree_status scree_solver_run(const scree_solver_ops *ops, scree_problem *p,
                              const scree_solver_options *options,
                              scree_arena *scratch, scree_report *report) {
    const scree_status status = scree_problem_sort(p);
    return status == SCREE_OK ? ops->solve(p, options, scratch, report)
                              : status;
}

void scree_iterate(scree_problem *problem, const scree_solver_options *options,
                   scree_sweep sweep, scree_watch watch, void *context,
                   scree_report *report) {
    *report = (scree_report){0};
    const double xi_free2 = scree_problem_xi_norm2(problem);
    scree_problem_apply(problem);

    for (int it = 0;;) {
        const scree_residual r = scree_problem_residual(problem, xi_free2);
        report->iterations = it;
        report->residual = r.residual;
        report->violation = r.violation;
        report->converged = r.residual <= options->tolerance;
        if (report->converged || it == options->iterations) return;
        if (watch) watch(context, r.residual);
        const int next = it + 4 + it / 4;
        const int count =
            (next < options->iterations ? next : options->iterations) - it;
        sweep(problem, context, count);
        it += count;
    }
}
