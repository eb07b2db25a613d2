#include "io/ensemble/ensemble_make.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/parallel.h"
#include "engine/ensemble/flight.h"
#include "io/run/run_common.h"

/* Places from the local origin, as memory of their own. */
static bool copy_release(const scree_release *from, const double *origin,
                         scree_release *to) {
    const size_t n = (size_t)from->n_point;
    double *points = malloc(3 * n * sizeof *points);
    *to = *from;
    to->points = points;
    if (!points) return false;
    for (size_t i = 0; i < 3 * n; i++)
        points[i] = from->points[i] - (i % 3 < 2 ? origin[i % 3] : 0);
    return true;
}

static scree_status copy_releases(const scree_case *c,
                                  scree_ensemble_made *made) {
    made->releases = calloc((size_t)c->n_body, sizeof *made->releases);
    if (!made->releases) return SCREE_OUT_OF_MEMORY;
    for (int i = 0; i < c->n_body; i++) {
        made->e.n_release = i + 1;
        if (!copy_release(&c->bodies[i].as.release.it, made->origin,
                          &made->releases[i]))
            return SCREE_OUT_OF_MEMORY;
    }
    return SCREE_OK;
}

static scree_status make_raster(const scree_case *c, scree_ensemble_made *made,
                                scree_error *error) {
    const scree_case_ensemble *asked = &c->ensemble;
    const double own = c->walls[made->e.ground].surface.heights.cell;
    if (!asked->maps) return SCREE_OK;
    made->e.raster =
        scree_ensemble_cells(&made->e, asked->cell > 0 ? asked->cell : own);
    if (made->e.raster.nx > 0) return SCREE_OK;
    return scree_fail(error, SCREE_BAD_INPUT,
                      "%.300s: ensemble.cell: cells of %g m are more than a "
                      "billion\n  remedy: larger ones",
                      c->path, asked->cell);
}

/* What one rank can do alone. */
static scree_status make_parts(const scree_case *c, scree_ensemble_made *made,
                               scree_error *error) {
    scree_case_origin(c, made->origin);
    made->e.scene = made->scene;
    made->e.ground = scree_case_ground(c);
    made->e.steepness = scree_ensemble_steepness(&made->e);
    made->e.seed = c->seed;
    made->e.end = c->end;
    made->e.rest_speed = c->ensemble.rest_speed;
    made->e.rest_for = c->ensemble.rest_for;
    made->e.every = c->ensemble.every;
    if (copy_releases(c, made) != SCREE_OK) return scree_run_no_memory(error);
    made->e.releases = made->releases;
    return make_raster(c, made, error);
}

/* All ranks have the whole scene: trajectories are theirs, not space. */
scree_status scree_ensemble_make(const scree_case *c, const scree_comm *comm,
                                 scree_ensemble_made *made,
                                 scree_error *error) {
    *made = (scree_ensemble_made){.e = {.threads = 1}};
    made->e.threads = scree_thread_share(comm, c->world.threads);
    scree_status status =
        scree_case_build_over(c, scree_comm_alone(), &made->scene, NULL, error);
    if (status == SCREE_OK) status = make_parts(c, made, error);
    return scree_comm_agree(comm, status, error);
}

void scree_ensemble_unmake(scree_ensemble_made *made) {
    for (int i = 0; i < made->e.n_release; i++)
        free((double *)made->releases[i].points);
    free(made->releases);
    scree_world_destroy(made->scene);
    *made = (scree_ensemble_made){0};
}

scree_status scree_ensemble_look(const scree_case *c, const scree_comm *comm,
                                 const scree_ensemble_made *made,
                                 scree_error *error) {
    const scree_case_ensemble *asked = &c->ensemble;
    scree_error why = {0};
    scree_status status = scree_ensemble_check(
        &made->e, asked->first + comm->rank, asked->first + asked->trajectories,
        comm->size, &why);
    if (status == SCREE_NO_ROOM)
        status =
            scree_fail(error, SCREE_BAD_INPUT,
                       "%.300s: bodies: %.500s\n  remedy: another place, a "
                       "larger height or smaller rocks",
                       c->path, why.text);
    else if (status != SCREE_OK)
        scree_fail(error, status, "%s", why.text);
    return scree_comm_agree(comm, status, error);
}
