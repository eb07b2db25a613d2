#include "engine/ensemble/trace.h"

#include <math.h>
#include <stdlib.h>

#include "engine/base/arena.h"

scree_status scree_tracer_open(scree_tracer *tracer, const scree_ensemble *e) {
    const size_t n = (size_t)e->raster.nx * (size_t)e->raster.ny;
    *tracer = (scree_tracer){.raster = e->raster, .every = e->every};
    if (n == 0) return SCREE_OK;
    tracer->slots = calloc(n, sizeof *tracer->slots);
    return tracer->slots ? SCREE_OK : SCREE_OUT_OF_MEMORY;
}

void scree_tracer_close(scree_tracer *tracer) {
    free(tracer->slots);
    tracer->slots = NULL;
}

void scree_track_free(scree_track *track) {
    free(track->samples);
    free(track->visits);
    *track = (scree_track){0};
}

/* ---- samples --------------------------------------------------------------- */

static scree_status keep_sample(scree_track *track, const scree_sample *at) {
    TRY(scree_reserve(&track->samples, &track->sample_room, track->n_sample + 1,
                      sizeof *track->samples));
    track->samples[track->n_sample++] = *at;
    return SCREE_OK;
}

/* The first step that ends at a multiple of `every` or behind it. */
static bool is_due(scree_tracer *tracer, double t) {
    if (tracer->every < 0 || t < tracer->next * (1 - 1e-12)) return false;
    if (tracer->every > 0)
        tracer->next = tracer->every * (1 + floor(t / tracer->every + 1e-9));
    return true;
}

/* ---- cells ----------------------------------------------------------------- */

/* Of a coordinate, as a number that may be beside the grid. */
static double line_of(double x, double x0, double cell) {
    return floor((x - x0) / cell);
}

int32_t scree_raster_cell(const scree_raster *g, double x, double y) {
    const double i = line_of(x, g->x0, g->cell), j = line_of(y, g->y0, g->cell);
    if (!(i >= 0 && j >= 0 && i < g->nx && j < g->ny)) return -1;
    return (int32_t)j * g->nx + (int32_t)i;
}

static scree_status visit_cell(scree_tracer *tracer, scree_track *track,
                               double i, double j, const scree_sample *at) {
    const scree_raster *g = &tracer->raster;
    if (!(i >= 0 && j >= 0 && i < g->nx && j < g->ny)) return SCREE_OK;
    const int32_t cell = (int32_t)j * g->nx + (int32_t)i;
    if (tracer->slots[cell] == 0) {
        TRY(scree_reserve(&track->visits, &track->visit_room,
                          track->n_visit + 1, sizeof *track->visits));
        track->visits[track->n_visit++] =
            (scree_visit){.cell = cell, .height = -INFINITY};
        tracer->slots[cell] = (int32_t)track->n_visit;
    }
    scree_visit *v = &track->visits[tracer->slots[cell] - 1];
    v->speed = fmaxf(v->speed, (float)norm(vec_from(at->v)));
    v->kinetic = fmaxf(v->kinetic, (float)(at->translation + at->rotation));
    v->height = fmaxf(v->height, (float)at->height);
    return SCREE_OK;
}

/* Along one axis of the way from a to b: the line it begins on, lines to cross, which
 * way, and the shares of the way at the first crossing and between two. */
typedef struct crossing {
    double line, left, sign, at, step;
} crossing;

static crossing crossing_of(double a, double b, double x0, double cell) {
    crossing c = {.line = line_of(a, x0, cell), .at = INFINITY};
    const double last = line_of(b, x0, cell), way = fabs(b - a);
    c.left = fabs(last - c.line);
    c.sign = last < c.line ? -1 : 1;
    if (c.left == 0) return c;
    const double edge = x0 + cell * (c.sign > 0 ? c.line + 1 : c.line);
    c.at = fabs(edge - a) / way;
    c.step = cell / way;
    return c;
}

static void cross_line(crossing *c) {
    c->line += c->sign;
    c->left -= 1;
    c->at = c->left > 0 ? c->at + c->step : INFINITY;
}

static scree_status visit_way(scree_tracer *tracer, scree_track *track,
                              const scree_sample *from,
                              const scree_sample *at) {
    const scree_raster *g = &tracer->raster;
    if (!tracer->slots) return SCREE_OK;
    crossing x = crossing_of(from->x[0], at->x[0], g->x0, g->cell);
    crossing y = crossing_of(from->x[1], at->x[1], g->y0, g->cell);
    while (x.left > 0 || y.left > 0) {
        cross_line(x.at <= y.at ? &x : &y);
        TRY(visit_cell(tracer, track, x.line, y.line, at));
    }
    return visit_cell(tracer, track, x.line, y.line, at);
}

/* ---- both ------------------------------------------------------------------ */

scree_status scree_trace_begin(scree_tracer *tracer, scree_track *track,
                               const scree_sample *at) {
    tracer->next = 0;
    track->n_sample = track->n_visit = 0;
    if (is_due(tracer, at->t)) TRY(keep_sample(track, at));
    return visit_way(tracer, track, at, at);
}

scree_status scree_trace_step(scree_tracer *tracer, scree_track *track,
                              const scree_sample *from,
                              const scree_sample *at) {
    if (is_due(tracer, at->t)) TRY(keep_sample(track, at));
    return visit_way(tracer, track, from, at);
}

scree_status scree_trace_end(scree_tracer *tracer, scree_track *track,
                             const scree_sample *at) {
    for (int64_t i = 0; i < track->n_visit; ++i)
        tracer->slots[track->visits[i].cell] = 0;
    const bool kept =
        track->n_sample > 0 && track->samples[track->n_sample - 1].t == at->t;
    return tracer->every < 0 || kept ? SCREE_OK : keep_sample(track, at);
}
