/* trace.h: what is kept of a way, while a trajectory runs.
 *
 * Cells are those that the straight way of a step crosses (Amanatides and Woo 1987): none
 * is left out, whatever its size. The values are those at the end of the step. */
#ifndef SCREE_ENSEMBLE_TRACE_H
#define SCREE_ENSEMBLE_TRACE_H

#include "engine/ensemble/ensemble.h"

/* A thread's own: where a cell is among the visits of the trajectory at hand. */
typedef struct scree_tracer {
    scree_raster raster;
    int32_t *slots; /* (ny x nx) 1 + place in visits, 0: not there yet */
    double every;   /* as of the ensemble */
    double next;    /* time of the next sample [s] */
} scree_tracer;

scree_status scree_tracer_open(scree_tracer *tracer, const scree_ensemble *e);
void scree_tracer_close(scree_tracer *tracer);

/* A track begins, goes on from the last sample to the next one, and ends there. */
scree_status scree_trace_begin(scree_tracer *tracer, scree_track *track,
                               const scree_sample *at);
scree_status scree_trace_step(scree_tracer *tracer, scree_track *track,
                              const scree_sample *from, const scree_sample *at);
scree_status scree_trace_end(scree_tracer *tracer, scree_track *track,
                             const scree_sample *at);

/* The cell of a place, -1: beside the grid. */
int32_t scree_raster_cell(const scree_raster *grid, double x, double y);

#endif
