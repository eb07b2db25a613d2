/* clump.c: balls held together, about their centre of mass. They touch as
 * points do, each for itself (contact/narrow/touch.c), and overlap as much as they
 * like. */
#include <stdlib.h>

#include "contact/solid/shape.h"

static scree_status take_balls(scree_form *f, const scree_shape_sizes *s,
                               scree_error *error) {
    if (s->n_ball < 1 || !s->balls)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "a clump has no balls");
    f->balls = malloc((size_t)s->n_ball * sizeof *f->balls);
    if (!f->balls) return SCREE_OUT_OF_MEMORY;
    f->n_ball = s->n_ball;
    for (int i = 0; i < f->n_ball; ++i) {
        const double *b = &s->balls[4 * i];
        f->balls[i] = (scree_ball){vec_from(b), b[3]};
        if (!scree_above_zero(b[3]) || !isfinite(b[0] + b[1] + b[2]))
            return scree_fail(error, SCREE_BAD_ARGUMENT,
                              "a ball of a clump has no radius or place");
    }
    return SCREE_OK;
}

static scree_status make_clump(scree_form *f, const scree_shape_sizes *s,
                               scree_error *error) {
    scree_mass m;
    TRY(take_balls(f, s, error));
    TRY(scree_mass_clump(f->balls, f->n_ball, &m, error));
    double bound = 0;
    for (int i = 0; i < f->n_ball; ++i) {
        f->balls[i].x = sub(f->balls[i].x, m.centre);
        bound = fmax(bound, norm(f->balls[i].x) + f->balls[i].r);
    }
    f->solid = (scree_solid){
        .core = SCREE_CORE_POINT, .radius = bound, .bound = bound};
    scree_form_weigh(f, &m);
    return SCREE_OK;
}

static const double dumbbell[] = {-0.4, 0, 0, 0.2, 0.4, 0, 0, 0.3};
static const double heap[] = {-0.2, 0, 0,   0.3, 0.2, 0,   0, 0.3,
                              0,    0, 0.3, 0.2, 0,   0.2, 0, 0.25};
static const scree_shape_sizes samples[] = {
    {.balls = dumbbell, .n_ball = 2},
    {.balls = heap, .n_ball = 4},
};

const scree_shape_ops scree_shape_clump = {
    .name = "clump",
    .about = "balls held together as one rigid body",
    .make = make_clump,
    SCREE_SAMPLES(samples),
};
