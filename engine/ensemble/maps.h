/* maps.h: statistics of an ensemble over the cells of a grid.
 *
 * Of each trajectory a cell has one visit at most, with the largest values that the rock
 * had in it. Over the trajectories that came to a cell:
 *
 *     passages    how many did
 *     reach       the same over the number of all
 *     deposits    how many ended there, at rest or because their time was over
 *     max, mean   of speed, kinetic energy, height
 *     p95         the least value that 95 % of them do not exceed
 *
 * Visits are kept in the order of trajectories, so that sums have the same bits whoever
 * ran them. 16 bytes each. */
#ifndef SCREE_ENSEMBLE_MAPS_H
#define SCREE_ENSEMBLE_MAPS_H

#include "engine/base/archive.h"
#include "engine/ensemble/ensemble.h"

#define SCREE_MAP_LIST(X)                                                      \
    X(PASSAGES, "passages", "trajectories that came to the cell")              \
    X(REACH, "reach", "share of all trajectories that came to the cell")       \
    X(DEPOSITS, "deposits", "trajectories that ended in the cell")             \
    X(SPEED_MAX, "speed-max", "largest speed [m/s]")                           \
    X(SPEED_MEAN, "speed-mean", "mean of largest speeds [m/s]")                \
    X(SPEED_P95, "speed-p95", "95 % of largest speeds [m/s]")                  \
    X(KINETIC_MAX, "kinetic-max", "largest kinetic energy [J]")                \
    X(KINETIC_MEAN, "kinetic-mean", "mean of largest kinetic energies [J]")    \
    X(KINETIC_P95, "kinetic-p95", "95 % of largest kinetic energies [J]")      \
    X(HEIGHT_MAX, "height-max", "largest height above ground [m]")             \
    X(HEIGHT_MEAN, "height-mean", "mean of largest heights [m]")               \
    X(HEIGHT_P95, "height-p95", "95 % of largest heights [m]")

typedef enum scree_map {
#define X(map, name, about) SCREE_MAP_##map,
    SCREE_MAP_LIST(X)
#undef X
        SCREE_MAPS
} scree_map;
const char *scree_map_name(scree_map map);
const char *scree_map_about(scree_map map);

typedef struct scree_maps {
    scree_raster raster;
    int64_t trajectories, n, room;
    scree_visit *visits; /* (n) */
    int32_t *deposits;   /* (ny x nx) */
    int64_t *begin;      /* (ny nx + 1) sorted: the first visit of each cell */
} scree_maps;

scree_status scree_maps_open(scree_maps *maps, const scree_raster *grid);
void scree_maps_close(scree_maps *maps);

/* The next one, in the order of trajectories. */
scree_status scree_maps_add(scree_maps *maps, const scree_track *track);
/* All but `trajectories`. Of ranks that save together one has a raster with cells. */
void scree_maps_archive(scree_maps *maps, scree_archive *a);

/* Visits by cells; those of one stay in their order. Then maps can be drawn, and nothing
 * can be added. */
scree_status scree_maps_sort(scree_maps *maps);
/* (ny x nx), the southernmost row first; NAN where nothing came. */
scree_status scree_maps_draw(const scree_maps *maps, scree_map map,
                             double *values);

#endif
