/* loaded.h: models of shared libraries, for the table of all models. */
#ifndef SCREE_MODELS_LOADED_H
#define SCREE_MODELS_LOADED_H

#include "engine/scree_model.h"

/* Loaded model i, NULL past the end. */
const scree_model_ops *scree_model_loaded(int i);

#endif
