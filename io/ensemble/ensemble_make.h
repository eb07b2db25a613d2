/* ensemble_make.h: an ensemble from its case. */
#ifndef SCREE_IO_ENSEMBLE_MAKE_H
#define SCREE_IO_ENSEMBLE_MAKE_H

#include "engine/ensemble/ensemble.h"
#include "io/case/case.h"

/* An ensemble with what it points to. */
typedef struct scree_ensemble_made {
    scree_ensemble e;
    scree_world *scene;
    scree_release
        *releases;    /* (e.n_release) with places from the local origin */
    double origin[2]; /* of coordinates [m] */
} scree_ensemble_made;

/* Collective; to be freed if it fails as well. */
scree_status scree_ensemble_make(const scree_case *c, const scree_comm *comm,
                                 scree_ensemble_made *made, scree_error *error);
void scree_ensemble_unmake(scree_ensemble_made *made);

/* Does every trajectory start where it can? The ranks share the work. */
scree_status scree_ensemble_look(const scree_case *c, const scree_comm *comm,
                                 const scree_ensemble_made *made,
                                 scree_error *error);

#endif
