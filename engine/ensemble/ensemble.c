/* ensemble.c: trajectories over threads. Who is free takes the next one, so that a rock
 * that goes far holds up nobody; each has a place of its own for what it becomes. */
#include "engine/ensemble/ensemble.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "contact/surface/heightfield.h"
#include "engine/base/parallel.h"
#include "engine/ensemble/trajectory.h"
#include "engine/world/world.h"

/* Cells stay numbers that an int32_t has. */
static const double MOST_CELLS = 1e9;

scree_raster scree_ensemble_cells(const scree_ensemble *e, double cell) {
    const scree_heightfield *h = e->scene->scene.walls[e->ground].field;
    const double nx = ceil(h->nx * h->cell / cell - 1e-9),
                 ny = ceil(h->ny * h->cell / cell - 1e-9);
    if (!(nx * ny <= MOST_CELLS)) return (scree_raster){0};
    return (scree_raster){.nx = (int)nx,
                          .ny = (int)ny,
                          .x0 = h->x0 - 0.5 * h->cell,
                          .y0 = h->y0 - 0.5 * h->cell,
                          .cell = cell};
}

/* ---- before ---------------------------------------------------------------- */

static scree_status check_places(const scree_ensemble *e, scree_error *error) {
    for (int i = 0; i < e->n_release; ++i)
        for (int c = 0; c < e->releases[i].n_point; ++c) {
            const double *x = &e->releases[i].points[3 * c];
            if (isfinite(scree_ensemble_ground(e, x[0], x[1]))) continue;
            return scree_fail(
                error, SCREE_NO_ROOM,
                "release %d: its place %d lies beside the terrain", i, c);
        }
    return SCREE_OK;
}

scree_status scree_ensemble_check(const scree_ensemble *e, int64_t first,
                                  int64_t last, int64_t stride,
                                  scree_error *error) {
    TRY(check_places(e, error));
    for (int64_t k = first; k < last; k += stride) {
        scree_launch start;
        TRY(scree_trajectory_start(e, k, &start, error));
    }
    return SCREE_OK;
}

/* ---- over threads ---------------------------------------------------------- */

typedef struct crew {
    const scree_ensemble *e;
    int64_t first, stride, n;
    scree_track *tracks;
    atomic_llong taken;
    scree_status *status; /* (threads) */
    scree_error *errors;  /* (threads) */
} crew;

static void run_share(void *context, const scree_team *team) {
    crew *c = context;
    scree_tracer tracer;
    scree_status status = scree_tracer_open(&tracer, c->e);
    while (status == SCREE_OK) {
        const int64_t i = atomic_fetch_add(&c->taken, 1);
        if (i >= c->n) break;
        status = scree_trajectory_run(c->e, c->first + i * c->stride, &tracer,
                                      &c->tracks[i], &c->errors[team->rank]);
    }
    scree_tracer_close(&tracer);
    c->status[team->rank] = status;
}

static scree_status first_failure(const crew *c, int threads,
                                  scree_error *error) {
    for (int t = 0; t < threads; ++t) {
        const char *why = c->errors[t].text;
        if (c->status[t] != SCREE_OK)
            return scree_fail(error, c->status[t], "%s",
                              *why ? why : scree_status_text(c->status[t]));
    }
    return SCREE_OK;
}

scree_status scree_ensemble_run(const scree_ensemble *e, int64_t first,
                                int64_t stride, int64_t n, scree_track *tracks,
                                scree_error *error) {
    const int threads = (int)fmax(1, fmin(e->threads, (double)n));
    crew c = {.e = e,
              .first = first,
              .stride = stride,
              .n = n,
              .tracks = tracks,
              .status = calloc((size_t)threads, sizeof *c.status),
              .errors = calloc((size_t)threads, sizeof *c.errors)};
    scree_status status = SCREE_OUT_OF_MEMORY;
    atomic_init(&c.taken, 0);
    if (c.status && c.errors) {
        scree_team_run(threads, run_share, &c);
        status = first_failure(&c, threads, error);
    } else {
        scree_fail(error, status, "no memory for %d threads", threads);
    }
    free(c.status);
    free(c.errors);
    return status;
}
