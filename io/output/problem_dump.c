#include "io/output/problem_dump.h"

#include <inttypes.h>
#include <stdio.h>

#include "engine/world/make.h"
#include "engine/world/view.h"
#include "io/fclib/fclib.h"
#include "solvers/blocks/explicit.h"

static void choose_name(scree_problem_dump *d, int64_t step, char path[4096]) {
    d->in_step = step == d->step ? d->in_step + 1 : 1;
    d->step = step;
    const int n =
        snprintf(path, 4096, "%.4000s/problem-%08" PRId64, d->folder, step);
    if (d->in_step > 1)
        snprintf(path + n, 4096 - (size_t)n, "-%d.hdf5", d->in_step);
    else
        snprintf(path + n, 4096 - (size_t)n, ".hdf5");
}

/* Anisotropic contacts are Coulomb's in tangents of their own (explicit.h): who
 * reads forces from the file must know. */
static void choose_title(const scree_problem_dump *d, const scree_world *world,
                         int64_t step, char title[200]) {
    const scree_world_view view = scree_world_view_of(world);
    snprintf(title, 200, "%.100s, step %" PRId64 ", dt %g s%s", d->name, step,
             view.dt,
             scree_problem_obeys(view.problem, SCREE_ELLIPSE)
                 ? ", tangents stretched where friction is anisotropic"
                 : "");
}

static scree_status save_problem(void *context, const scree_world *world,
                                 scree_error *error) {
    scree_problem_dump *d = context;
    if (d->saved == SCREE_DUMPS_MOST) return SCREE_OK;
    const scree_problem *problem = scree_world_view_of(world).problem;
    const int64_t step = scree_world_steps(world) + 1;
    if (!scree_problem_is_coulomb(problem))
        return scree_fail(error, SCREE_BAD_INPUT,
                          "solver.dump: rolling and drilling have no form in "
                          "FCLIB files");
    const size_t mark = scree_arena_mark(&d->scratch);
    scree_fclib f = {0};
    scree_status status =
        scree_problem_write_out(problem, &d->scratch, &f.problem);
    if (status == SCREE_OK) {
        char path[4096];
        choose_name(d, step, path);
        choose_title(d, world, step, f.title);
        scree_fc3d_measure(&f.problem);
        status = scree_fclib_write(&f, path, error);
        d->saved += status == SCREE_OK;
    } else {
        scree_fail(error, status,
                   "no memory to save the problem of step %" PRId64, step);
    }
    scree_arena_pop(&d->scratch, mark);
    return status;
}

void scree_problem_dump_attach(scree_problem_dump *d, const char *name,
                               const char *folder, scree_world *world) {
    d->name = name, d->folder = folder;
    scree_world_set_saver(world, save_problem, d);
}

void scree_problem_dump_free(scree_problem_dump *d) {
    scree_arena_free(&d->scratch);
}
