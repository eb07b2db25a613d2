#include "contact/shape.h"

#include <stddef.h>

#define SCREE_SHAPE(name) extern const scree_shape_ops scree_shape_##name;
#include "contact/shapes.def"
#undef SCREE_SHAPE

const scree_shape_ops *scree_shape_get(int i) {
    static const scree_shape_ops *const table[] = {
#define SCREE_SHAPE(name) &scree_shape_##name,
#include "contact/shapes.def"
#undef SCREE_SHAPE
    };
    const int n = (int)(sizeof table / sizeof *table);
    return i >= 0 && i < n ? table[i] : NULL;
}
