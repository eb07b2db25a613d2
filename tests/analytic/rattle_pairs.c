/* Bodies that would pass each other within a step of RATTLE: none does, hits are those of
 * the law where they touch, and those that fly past do not act. At default settings. */
#include <stdlib.h>

#include "tests/analytic/shapes_fixture.h"

static const scree_vec3 zero = {0, 0, 0};
static const double D = 0.01, DT = 1e-3;

static scree_world_def pairs_def(bool planar) {
    scree_world_def def = scree_world_def_default();
    def.stepper = "rattle";
    def.dt = DT;
    def.planar = planar;
    def.gravity[2] = 0;
    return def;
}

/* ---- two spheres --------------------------------------------------------------- */

/* A shot at a sphere at rest with the impact parameter b, from anywhere in front of
 * it. */
typedef struct shot {
    double sizes; /* that it goes in a step */
    double e, b;
    double friction;
} shot;

static scree_world *shoot(const shot *s, scree_random *rng, bool planar) {
    const scree_world_def def = pairs_def(planar);
    const double v = s->sizes * D / DT;
    const double far = (1 + (3 + s->sizes) * scree_random_unit(rng)) * D;
    const double angle = planar ? 0 : scree_random_range(rng, 0, 2 * SCREE_PI);
    const scree_vec3 side =
        vec(0, s->b * D * cos(angle), s->b * D * sin(angle));
    scree_world *world = make_world(
        &def, (scree_contact_law){.e_n = s->e, .friction = s->friction});
    add_sphere(world, D / 2, add(vec(-far, 0, 0), side), vec(v, 0, 0), zero);
    add_sphere(world, D / 2, zero, zero, zero);
    return world;
}

static double gap_of(const scree_world *world) {
    return norm(sub(read_body(world, 0).x, read_body(world, 1).x)) - D;
}

static void check_momenta(const scree_scalars *before,
                          const scree_scalars *after, double sizes) {
    for (int k = 0; k < 3; ++k) {
        assert_near(after->momentum[k], before->momentum[k],
                    1e-14 * before->momentum[0]);
        assert_near(after->angular_momentum[k], before->angular_momentum[k],
                    1e-13 * (1 + 1 / sizes) * before->momentum[0] * D * 20);
    }
}

/* Half of the energy is that of the relative motion, of which the part along the
 * normal, cos^2 = 1 - b^2, loses 1 - e^2. */
static void check_shot(const shot *s, scree_random *rng, bool planar) {
    scree_world *world = shoot(s, rng, planar);
    const scree_scalars before = read_scalars(world);
    for (int k = 0; k < 20 + 20 / s->sizes; ++k) {
        run(world, 1);
        assert_true(gap_of(world) > -1e-4 * D);
    }
    const scree_scalars after = read_scalars(world);
    const double left = 1 - 0.5 * (1 - s->e * s->e) * (1 - s->b * s->b);
    if (s->friction == 0)
        assert_near(after.kinetic / before.kinetic, left, 1e-12);
    assert_true(after.kinetic <= before.kinetic * (1 + 1e-12));
    assert_true(norm(read_body(world, 1).v) > 0);
    assert_near(energy_defect(world) / before.kinetic, 0, 1e-12);
    check_momenta(&before, &after, s->sizes);
    scree_world_destroy(world);
}

static void pairs__oblique_shots__hit_as_the_law_says(void **state) {
    (void)state;
    const double sizes[] = {0.5, 1, 2, 10};
    scree_random rng = {7};
    for (int k = 0; k < 4; ++k)
        for (int e = 0; e < 3; ++e)
            for (int n = 0; n < 400; ++n) {
                const shot s = {sizes[k], 0.5 * e,
                                0.999 * sqrt(scree_random_unit(&rng)),
                                n % 4 == 3 ? 0.4 : 0};
                check_shot(&s, &rng, n % 2);
            }
}

/* One that flies past is not touched. */
static void pairs__near_misses__go_on(void **state) {
    (void)state;
    scree_random rng = {8};
    for (int n = 0; n < 200; ++n) {
        const shot s = {0.1 + 10 * scree_random_unit(&rng), 0.5 * (n % 3),
                        1.0005 + 2 * scree_random_unit(&rng), 0.3};
        scree_world *world = shoot(&s, &rng, false);
        run(world, 200);
        assert_true(norm(read_body(world, 1).v) == 0);
        scree_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs__oblique_shots__hit_as_the_law_says),
        cmocka_unit_test(pairs__near_misses__go_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
