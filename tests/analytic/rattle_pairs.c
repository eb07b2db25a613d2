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

/* ---- two solids ---------------------------------------------------------------- */

typedef enum solid { BOX, ROCK, CYLINDER, CAPSULE, SOLIDS } solid;

static int add_solid(scree_world *world, solid kind, scree_random *rng) {
    double p[20][3];
    switch (kind) {
    case BOX:
        return add_box_shape(world, D, 0.7 * D, 0.5 * D);
    case CYLINDER:
        return add_round_shape(world, SCREE_SHAPE_CYLINDER, D / 2, D / 4);
    case CAPSULE:
        return add_round_shape(world, SCREE_SHAPE_CAPSULE, D / 4, D / 2);
    default:
        for (int k = 0; k < 20; ++k) {
            const scree_vec3 d = random_vec(rng);
            vec_to(scale(D / 2 / norm(d), d), p[k]);
        }
        return add_points_shape(world, SCREE_SHAPE_POLYHEDRON, p[0], 20, 0);
    }
}

/* At a solid at rest, so that their inner parts meet. */
static scree_world *shoot_solid(solid kind, double sizes, double e,
                                scree_random *rng) {
    const scree_world_def def = pairs_def(false);
    scree_world *world = make_world(&def, (scree_contact_law){.e_n = e});
    const int shape = add_solid(world, kind, rng);
    const double far = (1.5 + (3 + sizes) * scree_random_unit(rng)) * D;
    const double b = 0.1 * D * scree_random_unit(rng);
    const double angle = scree_random_range(rng, 0, 2 * SCREE_PI);
    put_body(world, (put){.shape = shape,
                          .x = vec(-far, b * cos(angle), b * sin(angle)),
                          .turn = random_vec(rng),
                          .v = vec(sizes * D / DT, 0, 0)});
    put_body(world, (put){.shape = shape, .turn = random_vec(rng)});
    return world;
}

/* Until both move: by then the hit has acted, and nothing has turned far. */
static void check_solids(solid kind, double sizes, double e,
                         scree_random *rng) {
    scree_world *world = shoot_solid(kind, sizes, e, rng);
    const scree_scalars before = read_scalars(world);
    int steps = 0;
    while (norm(read_body(world, 1).v) == 0 && ++steps < 20 + 10 / sizes)
        run(world, 1);
    const scree_scalars after = read_scalars(world);
    const body a = read_body(world, 0), b = read_body(world, 1);
    assert_true(norm(b.v) > 0); /* they hit each other, */
    assert_true(b.x.x > a.x.x); /* and neither has passed */
    assert_true(after.penetration_max < 1e-4 * D);
    assert_true(after.kinetic <= before.kinetic * (1 + 1e-9));
    if (e == 1 && sizes >= 1)
        assert_near(after.kinetic / before.kinetic, 1, 1e-9);
    for (int k = 0; k < 3; ++k)
        assert_near(after.momentum[k], before.momentum[k],
                    1e-12 * before.momentum[0]);
    scree_world_destroy(world);
}

static void pairs__solids_from_afar__none_passes(void **state) {
    (void)state;
    const double sizes[] = {0.5, 1, 2, 10};
    scree_random rng = {9};
    for (solid kind = BOX; kind < SOLIDS; ++kind)
        for (int k = 0; k < 4; ++k)
            for (int n = 0; n < 60; ++n)
                check_solids(kind, sizes[k], 0.5 * (n % 3), &rng);
}

/* Boxes and rocks that fly past each other, their balls not. */
static void pairs__solids_that_miss__go_on(void **state) {
    (void)state;
    scree_random rng = {10};
    for (int n = 0; n < 100; ++n) {
        const scree_world_def def = pairs_def(false);
        scree_world *world = make_world(&def, (scree_contact_law){.e_n = 1});
        const int shape = add_box_shape(world, D, 0.7 * D, 0.5 * D);
        const double sizes = 0.3 + 9 * scree_random_unit(&rng);
        const double far = (1.5 + 10 * scree_random_unit(&rng)) * D;
        const bool high = n % 2; /* sides along the way are apart by 1e-3 D */
        put_body(world, (put){.shape = shape,
                              .x = vec(-far, high ? 0 : 0.701 * D,
                                       high ? 0.501 * D : 0),
                              .v = vec(sizes * D / DT, 0, 0)});
        put_body(world, (put){.shape = shape});
        run(world, 60);
        assert_true(norm(read_body(world, 1).v) == 0);
        scree_world_destroy(world);
    }
}

/* ---- crowds -------------------------------------------------------------------- */

/* Discs on a loose lattice fall with 3 m/s into a bin 0.2 m wide. */
static scree_world *make_crowd(double dt, double e, int n) {
    scree_world_def def = pairs_def(true);
    def.dt = dt;
    def.gravity[1] = -G;
    scree_world *world =
        make_world(&def, (scree_contact_law){.friction = 0.5, .e_n = e});
    scree_random rng = {11};
    add_plane(world, zero, vec(0, 1, 0));
    add_plane(world, vec(-0.1, 0, 0), vec(1, 0, 0));
    add_plane(world, vec(0.1, 0, 0), vec(-1, 0, 0));
    for (int i = 0; i < n; ++i)
        add_sphere(
            world, scree_random_range(&rng, 0.45, 0.55) * D,
            vec(-0.09 + 0.0112 * (i % 17) + 0.1 * D * scree_random_unit(&rng),
                0.006 + 0.0125 * (i / 17), 0),
            vec(0, -3, 0), zero);
    return world;
}

/* The deepest overlap over D, by brute force. */
static double deepest_overlap(const scree_world *world, int n) {
    static body b[300];
    double worst = 0;
    for (int i = 0; i < n; ++i) {
        b[i] = read_body(world, i);
        for (int j = 0; j < i; ++j)
            worst = fmax(worst, b[i].r + b[j].r - norm(sub(b[i].x, b[j].x)));
    }
    return worst / D;
}

/* From 1.5 to 10 sizes in a step: none is left in another, none in the walls, and the
 * energy that is made is little beside that of the fall. */
static void check_crowd(double dt, double e, double most) {
    enum { N = 204 };
    scree_world *world = make_crowd(dt, e, N);
    const scree_scalars first = read_scalars(world);
    double worst = 0, energy = 0;
    for (int k = 0; k < 0.3 / dt; ++k) {
        run(world, 1);
        const scree_scalars s = read_scalars(world);
        worst = fmax(worst, deepest_overlap(world, N));
        energy = fmax(energy, s.kinetic + s.potential - s.recovery_work);
    }
    const scree_scalars last = read_scalars(world);
    const double start = first.kinetic + first.potential;
    print_message("crowd, dt %g, e %g: overlap %.4f D, energy %.4f at most, "
                  "kinetic %.1e at last, recovery %.3f\n",
                  dt, e, worst, energy / start, last.kinetic / start,
                  last.recovery_work / start);
    assert_true(worst < most);
    assert_true(energy < 1.01 * start);
    assert_true(last.kinetic < 0.05 * start);
    for (int i = 0; i < N; ++i) {
        const body b = read_body(world, i);
        assert_true(b.x.y > b.r - 0.01 * D);
        assert_true(fabs(b.x.x) < 0.1 - b.r + 0.01 * D);
    }
    scree_world_destroy(world);
}

static void pairs__crowd_of_discs__does_not_overlap(void **state) {
    (void)state;
    for (int e = 0; e < 2; ++e) {
        check_crowd(5e-3, 0.5 * e, 0.02);
        check_crowd(3e-2, 0.5 * e, 0.02);
    }
}

/* Boxes in two clouds that fly into each other: all steps converge. Rounds alone held
 * them back for ever: 9 of 12 steps did not, at three sizes in a step. */
static void check_clash(double sizes, double e) {
    enum { N = 32, STEPS = 10 };
    scree_world_def def = pairs_def(false);
    scree_world *world =
        make_world(&def, (scree_contact_law){.friction = 0.3, .e_n = e});
    const int shape = add_box_shape(world, D, 0.7 * D, 0.5 * D);
    const double pitch = 1.3 * D, v = 0.5 * sizes * D / DT;
    scree_random rng = {12};
    for (int k = 0; k < N; ++k) {
        const double side = k < N / 2 ? -1 : 1;
        const scree_vec3 at = vec(side * pitch * (k % 2 + 0.7),
                                  pitch * (k / 2 % 2), pitch * (k / 4 % 4));
        put_body(world, (put){.shape = shape,
                              .x = add_scaled(at, 0.1 * D, random_vec(&rng)),
                              .turn = random_vec(&rng),
                              .v = vec(-side * v, 0, 0)});
    }
    const double start = read_scalars(world).kinetic;
    for (int k = 0; k < STEPS; ++k) {
        run(world, 1);
        assert_true(read_scalars(world).penetration_max < 1e-4 * D);
        assert_true(read_scalars(world).kinetic < 1.01 * start);
    }
    scree_cost cost;
    scree_world_read_cost(world, &cost);
    print_message("clash, %g sizes, e %g: %d of %d steps do not converge\n",
                  sizes, e, (int)cost.unconverged, STEPS);
    assert_int_equal(cost.unconverged, 0);
    scree_world_destroy(world);
}

static void pairs__boxes_clash__every_step_converges(void **state) {
    (void)state;
    for (int e = 0; e < 2; ++e) {
        check_clash(1, 0.5 * e);
        check_clash(3, 0.5 * e);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs__oblique_shots__hit_as_the_law_says),
        cmocka_unit_test(pairs__near_misses__go_on),
        cmocka_unit_test(pairs__solids_from_afar__none_passes),
        cmocka_unit_test(pairs__solids_that_miss__go_on),
        cmocka_unit_test(pairs__crowd_of_discs__does_not_overlap),
        cmocka_unit_test(pairs__boxes_clash__every_step_converges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
