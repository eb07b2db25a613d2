#include "contact/solid/shape.h"

#include <stdlib.h>

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

/* ---- forms --------------------------------------------------------------- */

void scree_form_finish(scree_form *f, scree_solid solid) {
    const scree_solid_ops *ops = scree_ops_of(&solid);
    solid.hull = f->hull.n_vertex ? &f->hull : NULL;
    if (solid.hull)
        scree_hull_moved(&f->hull, 1, scale(-1, ops->mass(&solid).centre));
    solid.bound = ops->bound(&solid);
    f->solid = solid;
    const scree_mass m = ops->mass(&solid);
    scree_form_weigh(f, &m);
}

scree_status scree_form_along_axis(scree_form *f, scree_solid solid,
                                   const scree_shape_sizes *s,
                                   scree_error *error) {
    if (!scree_above_zero(s->radius) || !scree_above_zero(s->length))
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "radius or length of a shape is not > 0");
    solid.half = 0.5 * s->length;
    scree_form_finish(f, solid);
    return SCREE_OK;
}

scree_status scree_form_from_points(scree_form *f, scree_core core,
                                    scree_hull_maker *hull,
                                    const scree_shape_sizes *s,
                                    scree_error *error) {
    if (s->n_point < 1 || !s->points)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "a shape from points has none");
    scree_vec3 *points = malloc((size_t)s->n_point * sizeof *points);
    if (!points) return SCREE_OUT_OF_MEMORY;
    for (int i = 0; i < s->n_point; ++i)
        points[i] = vec_from(&s->points[3 * i]);
    const scree_status status = hull(&f->hull, points, s->n_point, error);
    free(points);
    TRY(status);
    scree_form_finish(f, (scree_solid){.core = core, .radius = s->rounding});
    return SCREE_OK;
}
