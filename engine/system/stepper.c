#include "engine/system/stepper.h"

#include <string.h>

#define SCREE_STEPPER(name) extern const scree_stepper_ops scree_stepper_##name;
#include "engine/steppers.def"
#undef SCREE_STEPPER

const scree_stepper_ops *scree_stepper_get(int i) {
    static const scree_stepper_ops *const table[] = {
#define SCREE_STEPPER(name) &scree_stepper_##name,
#include "engine/steppers.def"
#undef SCREE_STEPPER
    };
    const int n = (int)(sizeof table / sizeof *table);
    return i >= 0 && i < n ? table[i] : NULL;
}

const scree_stepper_ops *scree_stepper_find(const char *name) {
    const scree_stepper_ops *ops;
    for (int i = 0; (ops = scree_stepper_get(i)); ++i)
        if (!strcmp(ops->name, name)) return ops;
    return NULL;
}

const char *scree_stepper_name(int i, const char **about) {
    const scree_stepper_ops *ops = scree_stepper_get(i);
    if (ops && about) *about = ops->about;
    return ops ? ops->name : NULL;
}
