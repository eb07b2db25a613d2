/* ensemble_maps.h: the maps of an ensemble as files, map-NAME.asc and map-NAME.tif, with
 * the coordinate reference of the terrain. */
#ifndef SCREE_IO_ENSEMBLE_MAPS_H
#define SCREE_IO_ENSEMBLE_MAPS_H

#include "engine/ensemble/maps.h"
#include "io/ensemble/ensemble_make.h"

/* Sorts them on the way. */
scree_status scree_ensemble_write_maps(const scree_case *c, const char *folder,
                                       const double *origin, scree_maps *maps,
                                       scree_error *error);

#endif
