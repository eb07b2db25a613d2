#include "contact/solid/shape.h"

static scree_status make_box(scree_form *f, const scree_shape_sizes *s,
                             scree_error *error) {
    for (int k = 0; k < 3; ++k)
        if (!scree_above_zero(s->size[k]))
            return scree_fail(error, SCREE_BAD_ARGUMENT,
                              "the size of a box is not > 0");
    TRY(scree_hull_box(&f->hull, scale(0.5, vec_from(s->size)), error));
    scree_form_finish(
        f, (scree_solid){.core = SCREE_CORE_HULL, .radius = s->rounding});
    return SCREE_OK;
}

static const scree_shape_sizes samples[] = {
    {.size = {1, 0.8, 0.5}},
    {.size = {0.9, 0.9, 0.2}, .rounding = 0.1},
};

const scree_shape_ops scree_shape_box = {
    .name = "box",
    .about = "box of given edge lengths, sharp or rounded",
    .solid = &scree_solid_polyhedron,
    .make = make_box,
    SCREE_SAMPLES(samples),
};
