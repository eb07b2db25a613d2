/* fc3d_public.c: solves of problems by blocks, for those who only have the problem. */
#include "solvers/problem/method.h"

double scree_fc3d_residual(scree_fc3d *p) {
    return scree_fc3d_measure(p).residual;
}

scree_status scree_fc3d_solve(scree_fc3d *p,
                              const scree_solver_options *options,
                              scree_report *report, scree_error *error) {
    REQUIRE(options && options->method, "options.method is NULL");
    const scree_method *method = scree_method_find(options->method);
    REQUIRE(method, "options.method: no solver '%s'", options->method);
    scree_arena scratch = {0};
    scree_error why = {.text = "out of memory"};
    const scree_status status = scree_inclusion_solve(
        scree_in_blocks(p), method, options, &scratch, report, &why);
    scree_arena_free(&scratch);
    if (status == SCREE_OK) return SCREE_OK;
    return scree_fail(error, status, "%s", why.text);
}
