/* table.c: the models of the program, from models.def, and those of libraries. */
#include <stddef.h>
#include <string.h>

#include "cases/models/loaded.h"

#define SCREE_MODEL(name) extern const scree_model_ops scree_model_##name;
#include "cases/models/models.def"
#undef SCREE_MODEL

const scree_model_ops *scree_model_get(int i) {
    static const scree_model_ops *const table[] = {
#define SCREE_MODEL(name) &scree_model_##name,
#include "cases/models/models.def"
#undef SCREE_MODEL
    };
    const int n = (int)(sizeof table / sizeof *table);
    if (i < 0) return NULL;
    return i < n ? table[i] : scree_model_loaded(i - n);
}

const scree_model_ops *scree_model_find(const char *name) {
    const scree_model_ops *ops;
    for (int i = 0; (ops = scree_model_get(i)); ++i)
        if (!strcmp(ops->name, name)) return ops;
    return NULL;
}
