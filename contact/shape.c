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

const scree_solid_ops *const scree_solids[] = {
#define SCREE_CORE(core, ops) [SCREE_CORE_##core] = &scree_solid_##ops,
#include "contact/cores.def"
#undef SCREE_CORE
};

const scree_shape_ops *const scree_walls[] = {
#define SCREE_WALL(kind, name) [SCREE_GROUND_##kind] = &scree_shape_##name,
#include "contact/walls.def"
#undef SCREE_WALL
};

scree_mass scree_mass_solid(const scree_solid *solid) {
    return scree_ops_of(solid)->mass(solid);
}
