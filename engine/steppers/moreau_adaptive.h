/* moreau_adaptive.h: the step-size adjustment module, for its test. */
#ifndef SCREE_STEPPERS_MOREAU_ADAPTIVE_H
#define SCREE_STEPPERS_MOREAU_ADAPTIVE_H

#include "engine/steppers/extrapolation.h"

/* What "moreau-adaptive" does with SCREE_SUBSTEPS_ODD. */
scree_status scree_moreau_adaptive(scree_dense *s,
                                   const scree_dense_options *options,
                                   scree_substep_sequence sequence,
                                   scree_error *error);

#endif
