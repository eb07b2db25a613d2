/* flux.h: what goes through gates, added up exactly.
 *
 * Each body that crosses in a step, by the straight path of its centre, adds its
 * number 1, mass m, momentum m v and kinetic energy (m v^2 + w . Theta w) / 2, with the
 * velocities at the end of the step; backwards it takes them off. Sums are exact
 * (ledger.h), so they have the same bits for any ranks and any restart,
 * and what went and came back leaves 0. Cost: a product for each body and gate in a
 * step, sums where one crosses. */
#ifndef SCREE_MEASURE_FLUX_H
#define SCREE_MEASURE_FLUX_H

#include "engine/base/archive.h"
#include "engine/base/comm.h"
#include "engine/measure/gate.h"
#include "engine/measure/ledger.h"
#include "engine/measure/passage.h"
#include "engine/world/view.h"

/* Each gate has channels: all bodies, then by material, then by size. */
typedef struct scree_flux_def {
    int n_gate, n_material, n_size; /* materials 0: not by material */
    const scree_gate *gates;
    const double
        *sizes; /* (n_size) diameters that bound the n_size + 1 classes, rising
                            [m]; n_size 0: not by size */
} scree_flux_def;

typedef struct scree_flux scree_flux;

/* What the definition points to must stay. */
scree_status scree_flux_create(const scree_flux_def *def, scree_flux **flux);
void scree_flux_destroy(scree_flux *flux);
int scree_flux_channels(const scree_flux_def *def);

/* After each step of a world that keeps paths. Not collective. */
void scree_flux_count(scree_flux *flux, const scree_world *world);
/* Totals since the start, (n_gate x channels x SCREE_FLUX_WIDTH). Collective. */
void scree_flux_read(scree_flux *flux, const scree_comm *comm, double *totals);
/* Saves and loads. Collective when it saves. */
void scree_flux_archive(scree_flux *flux, const scree_comm *comm,
                        scree_archive *a);

#endif
