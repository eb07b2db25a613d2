/* Bodies that come near each other in a step: none passes another, none overlaps,
 * hits are those of the law. At default settings of the solver. */
#include <stdlib.h>

#include "engine/base/random.h"
#include "engine/laws/laws.h"
#include "engine/world/world.h"
#include "tests/support.h"

static const scree_vec3 zero = {0, 0, 0};

static scree_world_def def_of(double dt, double gravity, bool planar) {
    scree_world_def def = scree_world_def_default();
    def.dt = dt;
    def.planar = planar;
    def.gravity[2] = planar ? 0 : -gravity;
    def.gravity[1] = planar ? -gravity : 0;
    return def;
}

/* ---- two spheres ----------------------------------------------------------- */

static const double D = 0.01;

/* A shot at a sphere at rest with the impact parameter b, from anywhere in front of
 * it: what is left of the kinetic energy is known. */
typedef struct shot {
    double sizes; /* that it goes in a step */
    double e, b;
} shot;

static scree_world *shoot(const shot *s, scree_random *rng) {
    const scree_world_def def = def_of(1e-3, 0, false);
    const double v = s->sizes * D / def.dt;
    const double far = (1 + (3 + s->sizes) * scree_random_unit(rng)) * D;
    const double angle = scree_random_range(rng, 0, 2 * SCREE_PI);
    const scree_vec3 side =
        vec(0, s->b * D * cos(angle), s->b * D * sin(angle));
    scree_world *world = make_world(&def, (scree_contact_law){.e_n = s->e});
    add_sphere(world, D / 2, add(vec(-far, 0, 0), side), vec(v, 0, 0), zero);
    add_sphere(world, D / 2, zero, zero, zero);
    return world;
}

static double gap_of(const scree_world *world) {
    return norm(sub(read_body(world, 0).x, read_body(world, 1).x)) - D;
}

/* Half of the energy is that of the relative motion, of which the part along the
 * normal, cos^2 = 1 - b^2, loses 1 - e^2. */
static void check_shot(const shot *s, scree_random *rng) {
    scree_world *world = shoot(s, rng);
    const scree_scalars before = read_scalars(world);
    for (int k = 0; k < 20 + 20 / s->sizes; ++k) {
        run(world, 1);
        assert_true(gap_of(world) > -1e-12 * D);
    }
    const scree_scalars after = read_scalars(world);
    const double left = 1 - 0.5 * (1 - s->e * s->e) * (1 - s->b * s->b);
    assert_near(after.kinetic / before.kinetic, left, 1e-12);
    assert_near(energy_defect(world) / before.kinetic, 0, 1e-12);
    const double size = 1.0 / s->sizes;
    for (int k = 0; k < 3; ++k) {
        assert_near(after.momentum[k], before.momentum[k],
                    1e-14 * before.momentum[0]);
        assert_near(after.angular_momentum[k], before.angular_momentum[k],
                    1e-13 * (1 + size) * before.momentum[0] * D * 20);
    }
    scree_world_destroy(world);
}

static void moreau__oblique_shots__hit_as_the_law_says(void **state) {
    (void)state;
    const double sizes[] = {0.02, 0.1, 0.5, 1, 2, 10};
    scree_random rng = {7};
    for (int k = 0; k < 6; ++k)
        for (int e = 0; e < 3; ++e)
            for (int n = 0; n < 30; ++n) {
                const shot s = {sizes[k], 0.5 * e,
                                0.98 * sqrt(scree_random_unit(&rng))};
                check_shot(&s, &rng);
            }
}

/* One that flies past is not touched: its normal at first sight says otherwise. */
static void moreau__near_misses__go_on(void **state) {
    (void)state;
    scree_random rng = {8};
    for (int n = 0; n < 60; ++n) {
        const shot s = {0.1 + 3 * scree_random_unit(&rng), 0.5 * (n % 3),
                        1.001 + 2 * scree_random_unit(&rng)};
        scree_world *world = shoot(&s, &rng);
        run(world, 200);
        assert_true(norm(read_body(world, 1).v) == 0);
        scree_world_destroy(world);
    }
}

/* ---- a row of balls ---------------------------------------------------------- */

/* The first of five comes with 1 m/s. With gaps the last one leaves alone, whatever
 * their size; in contact Newton's law of all contacts at once has the others leave
 * together. */
static void check_cradle(double gap, double e, double tolerance) {
    const scree_world_def def = def_of(1e-3, 0, false);
    const double r = 0.025;
    scree_world *world = make_world(&def, (scree_contact_law){.e_n = e});
    add_sphere(world, r, vec(-0.05, 0, 0), vec(1, 0, 0), zero);
    for (int i = 1; i < 5; ++i)
        add_sphere(world, r, vec(i * (2 * r + gap), 0, 0), zero, zero);
    run(world, 200);
    const scree_scalars s = read_scalars(world);
    assert_near(s.momentum[0] * 1.0 / read_body(world, 0).m, 1, 1e-12);
    if (e == 1) assert_near(s.kinetic / s.inserted, 1, tolerance);
    assert_true(s.kinetic <= s.inserted * (1 + 1e-4)); /* as far as solved */
    for (int i = 1; i < 5 && gap < 5e-3; ++i) /* else they are to meet again */
        assert_true(read_body(world, i).v.x >=
                    read_body(world, i - 1).v.x - 1e-3);
    if (e == 1 && gap > SCREE_DEAD_ZONE * r)
        assert_near(read_body(world, 4).v.x, 1, 1e-9);
    scree_world_destroy(world);
}

static void moreau__cradle__keeps_energy_whatever_the_gaps(void **state) {
    (void)state;
    const double gaps[] = {0, 1e-8, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2};
    for (int k = 0; k < 7; ++k) {
        check_cradle(gaps[k], 1, 1e-3);
        check_cradle(gaps[k], 0.8, 0);
    }
}

/* ---- a gas --------------------------------------------------------------------- */

static void add_walls(scree_world *world, double side) {
    const scree_material_def def = scree_material_def_default();
    int smooth;
    assert_ok(scree_world_add_material(world, &def, &smooth));
    assert_ok(
        scree_world_set_pair(world, 0, smooth, &(scree_contact_law){.e_n = 1}));
    for (int k = 0; k < 6; ++k) {
        scree_plane_def p = scree_plane_def_default();
        for (int i = 0; i < 3; ++i) {
            p.point[i] = k < 3 ? 0 : side;
            p.normal[i] = k % 3 != i ? 0 : k < 3 ? 1 : -1;
        }
        p.material = smooth;
        assert_ok(scree_world_add_plane(world, &p, NULL));
    }
}

/* Spheres on a lattice in a box with elastic walls, with an rms speed of 1 m/s; of
 * which a share phi is filled. */
static scree_world *gas(int side, double phi, double sizes, double e) {
    const scree_world_def def = def_of(sizes * D, 0, false);
    scree_world *world = make_world(&def, (scree_contact_law){.e_n = e});
    const double cell = D * cbrt(SCREE_PI / 6 / phi);
    scree_random rng = {5};
    add_walls(world, side * cell);
    for (int i = 0; i < side * side * side; ++i) {
        const scree_vec3 at = vec(i % side, i / side % side, i / side / side);
        const scree_vec3 v =
            vec(scree_random_normal(&rng), scree_random_normal(&rng),
                scree_random_normal(&rng));
        add_sphere(world, D / 2, scale(cell, add(at, vec(0.5, 0.5, 0.5))),
                   scale(1 / sqrt(3), v), zero);
    }
    return world;
}

/* Kinetic energy that is left after a while. */
static double cool(double sizes, double e, double time) {
    scree_world *world = gas(9, 0.05, sizes, e);
    const double first = read_scalars(world).kinetic;
    run(world, (int)lround(time / (sizes * D)));
    const double left = read_scalars(world).kinetic / first;
    assert_near(energy_defect(world) / first, 0, 1e-10);
    scree_world_destroy(world);
    return left;
}

/* Steps of a tenth of a diameter see the same hits as small ones. */
static void moreau__gas__cools_as_with_small_steps(void **state) {
    (void)state;
    const double fine = cool(0.01, 0.9, 0.5), coarse = cool(0.1, 0.9, 0.5);
    print_message("energy left: %.4f, %.4f with steps of a tenth\n", fine,
                  coarse);
    assert_true(fine < 0.5);
    assert_near(coarse / fine, 1, 0.05);
}

static void moreau__elastic_gas__keeps_its_energy(void **state) {
    (void)state;
    assert_near(cool(0.1, 1, 0.5), 1, 1e-4);
    assert_near(cool(0.3, 1, 0.5), 1, 1e-2);
}

/* ---- crowds -------------------------------------------------------------------- */

/* The deepest overlap, by brute force in order of x. */
typedef struct place {
    scree_vec3 x;
    double r;
} place;

static int by_x(const void *a, const void *b) {
    const double x = ((const place *)a)->x.x, y = ((const place *)b)->x.x;
    return (x > y) - (x < y);
}

static double deepest_overlap(const scree_world *world) {
    const int64_t n = scree_world_body_count(world);
    double *x = malloc((size_t)n * 4 * sizeof *x), worst = 0;
    place *p = malloc((size_t)n * sizeof *p);
    assert_true(x && p);
    assert_ok(scree_world_read_state(
        world, &(scree_state_view){.position = x, .radius = x + 3 * n}));
    for (int64_t i = 0; i < n; ++i)
        p[i] = (place){vec_from(&x[3 * i]), x[3 * n + i]};
    qsort(p, (size_t)n, sizeof *p, by_x);
    for (int64_t i = 0; i < n; ++i)
        for (int64_t j = i + 1; j < n && p[j].x.x - p[i].x.x < 1.1 * D; ++j)
            worst = fmax(worst, p[i].r + p[j].r - norm(sub(p[i].x, p[j].x)));
    free(x), free(p);
    return worst;
}

/* Discs on a loose lattice fall into a bin 0.2 m wide, with half a metre behind
 * them. */
static scree_world *crowd(double dt, double e, int n, uint64_t seed) {
    const scree_world_def def = def_of(dt, 9.81, true);
    scree_world *world =
        make_world(&def, (scree_contact_law){.friction = 0.5, .e_n = e});
    scree_random rng = {seed};
    add_plane(world, zero, vec(0, 1, 0));
    add_plane(world, vec(-0.1, 0, 0), vec(1, 0, 0));
    add_plane(world, vec(0.1, 0, 0), vec(-1, 0, 0));
    for (int i = 0; i < n; ++i) {
        const scree_vec3 x =
            vec(-0.09 + 0.0112 * (i % 17), 0.006 + 0.0125 * (i / 17), 0);
        add_sphere(world, scree_random_range(&rng, 0.45, 0.55) * D,
                   add(x, vec(0.1 * D * scree_random_unit(&rng), 0, 0)),
                   vec(0, -3, 0), zero);
    }
    return world;
}

typedef struct fall {
    double worst, last; /* overlap over D */
    double height;      /* of the centre of mass at rest [m] */
    double defect;      /* of the energy, over what came in */
    double sweeps;      /* in a step, or a part of one */
} fall;

static fall let_fall(double dt, double e, int n, double time, uint64_t seed) {
    scree_world *world = crowd(dt, e, n, seed);
    fall f = {0};
    const int every = dt < 2e-3 ? (int)lround(2e-3 / dt) : 1;
    for (int k = 0; k < time / dt; k += every) {
        run(world, every);
        f.last = deepest_overlap(world) / D;
        f.worst = fmax(f.worst, f.last);
    }
    const scree_scalars s = read_scalars(world);
    scree_cost cost;
    scree_world_read_cost(world, &cost);
    assert_int_equal(cost.incomplete, 0);
    f.height = s.potential;
    f.defect = energy_defect(world) / s.inserted;
    f.sweeps = (double)cost.iterations / (time / dt + (double)cost.parts);
    print_message("step %g s, e = %g: overlap %.4f at most, %.5f at rest, "
                  "%.2f J, %.1f rounds a step, %.0f sweeps a part\n",
                  dt, e, f.worst, f.last, f.height,
                  (double)cost.rounds * dt / time, f.sweeps);
    scree_world_destroy(world);
    return f;
}

/* At 2 ms the fastest discs go 0.8 of their size in a step. */
static void moreau__crowd_of_discs__does_not_overlap(void **state) {
    (void)state;
    for (int e = 0; e < 3; ++e) {
        const fall f = let_fall(2e-3, 0.45 * e, 700, 0.8, 11);
        assert_true(f.worst < 0.05);
        assert_true(f.last < 0.01);
        assert_near(f.defect, 0, 1e-10);
        /* 95 with e = 0.45 */
        assert_true(e == 0 || f.sweeps < 105);
    }
}

/* Steps five times as large leave beds as high as small ones do. Where a bed of 400
 * discs jams is chance: by the same steps, from other places, its height differs by 1 %,
 * and that of two such beds by 1.4 %. The mean of four is good to 0.7 %, one and a half
 * times which is let pass. Of 3 000 equal discs that fall by 0.6 to 1.2 m, five seeds,
 * beds by 2 ms are lower by 0.32 +- 0.28 % than by 0.2 ms. That is so with e = 0.9; for
 * 0.5 and 0 see engine/step/parts.c. */
static void moreau__crowd_of_discs__rests_as_with_small_steps(void **state) {
    (void)state;
    double coarse = 0, fine = 0;
    for (uint64_t seed = 11; seed < 15; ++seed) {
        coarse += let_fall(2e-3, 0.9, 400, 1.2, seed).height;
        fine += let_fall(4e-4, 0.9, 400, 1.2, seed).height;
    }
    print_message("height with large steps over small ones: %.4f\n",
                  coarse / fine);
    assert_near(coarse / fine, 1, 0.01);
}

/* Far beyond what the step resolves: 2 sizes in a step. */
static void moreau__fast_crowd__comes_to_rest_without_overlap(void **state) {
    (void)state;
    const fall f = let_fall(5e-3, 0.5, 700, 1, 11);
    assert_true(f.worst < 0.1);
    assert_true(f.last < 0.01);
}

/* ---- quiet scenes ---------------------------------------------------------------- */

/* A bed at rest needs no further rounds. */
static void moreau__bed_at_rest__is_solved_once(void **state) {
    (void)state;
    scree_world *world = crowd(1e-3, 0.3, 300, 11);
    scree_cost before, after;
    run(world, 2000);
    scree_world_read_cost(world, &before);
    run(world, 200);
    scree_world_read_cost(world, &after);
    assert_int_equal(after.rounds, before.rounds);
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moreau__oblique_shots__hit_as_the_law_says),
        cmocka_unit_test(moreau__near_misses__go_on),
        cmocka_unit_test(moreau__cradle__keeps_energy_whatever_the_gaps),
        cmocka_unit_test(moreau__gas__cools_as_with_small_steps),
        cmocka_unit_test(moreau__elastic_gas__keeps_its_energy),
        cmocka_unit_test(moreau__crowd_of_discs__does_not_overlap),
        cmocka_unit_test(moreau__crowd_of_discs__rests_as_with_small_steps),
        cmocka_unit_test(moreau__fast_crowd__comes_to_rest_without_overlap),
        cmocka_unit_test(moreau__bed_at_rest__is_solved_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
