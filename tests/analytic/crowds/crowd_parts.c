/* Crowds that land fast: their steps are taken in parts (engine/step/parts.c), and what
 * steps add up to is still theirs. At default settings of the solver. */
#include "contact/solid/rock.h"
#include "engine/base/random.h"
#include "engine/world/state.h"
#include "engine/world/world.h"
#include "tests/analytic/shapes_fixture.h"
#include "tests/in_memory.h"

static const double D = 0.01;
static const scree_vec3 zero = {0, 0, 0};

typedef enum kind { ROUND, BOXES, ROCKS, POLYGONS } kind;
static const char *const name_of[] = {"round", "boxes", "rocks", "polygons"};

typedef struct landing {
    double dt, e;
    bool planar, reproducible;
    int across, rows; /* bodies side by side, and above each other */
    kind k;
} landing;

/* Sizes from one body of the lattice to the next. */
static double pitch_of(const landing *l) {
    return l->k == ROUND ? 1.3 : 1.75;
}

/* A bin without bodies; y is up. */
static scree_world *empty_bin(const landing *l) {
    scree_world_def def = scree_world_def_default();
    const double side = pitch_of(l) * D * l->across;
    def.dt = l->dt;
    def.planar = l->planar;
    def.reproducible = l->reproducible;
    def.gravity[1] = -9.81, def.gravity[2] = 0;
    scree_world *world =
        make_world(&def, (scree_contact_law){.friction = 0.5, .e_n = l->e});
    add_plane(world, zero, vec(0, 1, 0));
    add_plane(world, zero, vec(1, 0, 0));
    add_plane(world, vec(side, 0, 0), vec(-1, 0, 0));
    if (l->planar) return world;
    add_plane(world, zero, vec(0, 0, 1));
    add_plane(world, vec(0, 0, side), vec(0, 0, -1));
    return world;
}

static int add_rock_shape(scree_world *world) {
    scree_rock_def def = scree_rock_default();
    scree_hull hull = {0};
    scree_error error;
    double p[3 * 16];
    def.diameter = D, def.n_points = 12;
    assert_ok(scree_rock_make(&def, &hull, &error));
    const int n = hull.n_vertex;
    for (int k = 0; k < n; ++k) vec_to(hull.vertex[k], p + 3 * k);
    scree_hull_free(&hull);
    return add_points_shape(world, SCREE_SHAPE_POLYHEDRON, p, n, 0);
}

static int add_kind(scree_world *world, kind k) {
    switch (k) {
    case BOXES:
        return add_box_shape(world, D, 0.8 * D, 0.7 * D);
    case ROCKS:
        return add_rock_shape(world);
    case POLYGONS:
        return add_rectangle(world, D, 0.7 * D, 0);
    default:
        return -1;
    }
}

static scree_vec3 turn_of(const landing *l, scree_random *rng) {
    if (l->k == ROUND) return zero;
    const scree_vec3 turn = scale(3, random_vec(rng));
    return l->planar ? vec(0, 0, turn.z) : turn;
}

/* On a loose lattice, at 4 m/s: 0.8 of their size in steps of 2 ms. */
static scree_world *falling_crowd(const landing *l) {
    scree_world *world = empty_bin(l);
    scree_random rng = {3};
    const int deep = l->planar ? 1 : l->across, shape = add_kind(world, l->k);
    const double pitch = pitch_of(l);
    for (int i = 0; i < l->across * deep * l->rows; ++i) {
        const int layer = i / l->across;
        const double z = l->planar ? 0 : pitch * (layer % deep + 0.5) * D;
        const scree_vec3 at = vec(pitch * (i % l->across + 0.5) * D,
                                  pitch * (layer / deep + 1) * D, z);
        const scree_vec3 off = vec(scree_random_range(&rng, -0.14, 0.14),
                                   scree_random_range(&rng, -0.14, 0.14), 0);
        put_kind(world, D / 2,
                 (put){.shape = shape,
                       .x = add_scaled(at, D, off),
                       .turn = turn_of(l, &rng),
                       .v = vec(0, -4, 0)});
    }
    return world;
}

static int64_t parts_of(const scree_world *world) {
    scree_cost cost;
    scree_world_read_cost(world, &cost);
    return cost.parts;
}

/* What friction has taken of the energy that came in. */
static double friction_of(landing l, double dt, double time) {
    l.dt = dt;
    scree_world *world = falling_crowd(&l);
    run(world, (int)lround(time / dt));
    const scree_scalars s = read_scalars(world);
    assert_near(energy_defect(world) / s.inserted, 0,
                l.k == ROUND ? 1e-10 : 1e-5);
    assert_true(s.penetration_max < 0.01 * D);
    print_message("%s, step %g s, e = %g: friction %.4f, height %.5f, %lld "
                  "parts\n",
                  name_of[l.k], dt, l.e, s.dissipated_friction / s.inserted,
                  s.potential / s.inserted, (long long)parts_of(world));
    scree_world_destroy(world);
    return s.dissipated_friction / s.inserted;
}

static void check_friction(landing l, double least, double most) {
    const double coarse = friction_of(l, 2e-3, 0.3);
    const double fine = friction_of(l, 4e-4, 0.3);
    print_message("friction by large steps over small ones: %.3f\n",
                  coarse / fine);
    assert_true(coarse > least * fine);
    assert_true(coarse < most * fine);
}

/* Where hits are seen at once friction takes less, and impacts take more: in steps of
 * one part 0.65 to 0.79 of what it takes by small ones. */
static void
parts__crowd_of_discs_lands__friction_takes_what_is_its(void **state) {
    (void)state;
    const landing l = {.planar = true, .across = 12, .rows = 25};
    landing bouncing = l;
    bouncing.e = 0.5;
    check_friction(l, 0.85, 1.1);
    check_friction(bouncing, 0.85, 1.1);
}

static void
parts__crowd_of_spheres_lands__friction_takes_what_is_its(void **state) {
    (void)state;
    check_friction((landing){.across = 6, .rows = 10, .e = 0.5}, 0.85, 1.1);
}

/* In one part 0.5 to 0.7 of it. */
static void
parts__crowds_of_shapes_land__friction_takes_what_is_its(void **state) {
    (void)state;
    check_friction((landing){.k = BOXES, .across = 5, .rows = 4}, 0.8, 1.2);
    check_friction((landing){.k = ROCKS, .across = 5, .rows = 4}, 0.8, 1.2);
    check_friction(
        (landing){
            .k = POLYGONS, .planar = true, .across = 12, .rows = 12, .e = 0.5},
        0.8, 1.2);
}

/* ---- who needs no parts ---------------------------------------------------------- */

static void parts__bed_at_rest__none(void **state) {
    (void)state;
    scree_world *world = falling_crowd(&(landing){
        .dt = 2e-3, .e = 0.5, .planar = true, .across = 12, .rows = 12});
    run(world, 400);
    const int64_t landed = parts_of(world);
    assert_true(landed > 10);
    run(world, 200);
    assert_int_equal(parts_of(world), landed);
    scree_world_destroy(world);
}

/* Spheres that meet alone are taken where they touch, and walls hit as they are. */
static void parts__fast_but_alone__none(void **state) {
    (void)state;
    scree_world_def def = scree_world_def_default();
    def.dt = 1e-3;
    scree_world *world = make_world(&def, (scree_contact_law){.e_n = 0.5});
    add_floor(world);
    for (int i = 0; i < 20; ++i) {
        const scree_vec3 at = vec(0.5 * i, 0, 1);
        add_sphere(world, D / 2, at, zero, zero);
        add_sphere(world, D / 2, add(at, vec(-0.1, 0.3 * D, 0)), vec(20, 0, 0),
                   zero);
        add_sphere(world, D / 2, add(at, vec(0, 0.2, -0.9)), vec(0, 0, -20),
                   zero);
    }
    run(world, 30);
    for (int i = 0; i < 20; ++i) {
        assert_true(read_body(world, 3 * i).v.x > 1);
        assert_true(read_body(world, 3 * i + 2).v.z > 5);
    }
    assert_int_equal(parts_of(world), 0);
    scree_world_destroy(world);
}

/* ---- what parts add up to -------------------------------------------------------- */

static scree_vec3 momentum_of(const scree_world *world) {
    return vec_from(read_scalars(world).momentum);
}

/* Walls bear in a step what bodies lose in it: of all parts, not of the last one. */
static void parts__walls__bear_what_all_parts_give(void **state) {
    (void)state;
    const landing l = {
        .dt = 2e-3, .e = 0.5, .planar = true, .across = 12, .rows = 15};
    scree_world *world = falling_crowd(&l);
    const double m = 180 * read_body(world, 0).m;
    for (int k = 0; k < 60; ++k) {
        scree_vec3 lost = momentum_of(world), borne = zero;
        run(world, 1);
        lost = sub(lost, momentum_of(world));
        for (int w = 0; w < 3; ++w) {
            double force[3];
            scree_world_read_wall_force(world, w, force);
            borne = add_scaled(borne, l.dt, vec_from(force));
        }
        lost.y -= 9.81 * m * l.dt;
        assert_near(norm(sub(lost, borne)) / (4 * m), 0, 1e-12);
    }
    assert_true(parts_of(world) > 15);
    scree_world_destroy(world);
}

static uint64_t hash_after(scree_world *world, int steps) {
    run(world, steps);
    return scree_world_hash(world);
}

/* After any of the steps of a landing: how far the last part has seen goes on too. */
static void check_checkpoints(landing l, int every) {
    for (int k = 4; k < 40; k += every) {
        scree_error error = {0};
        in_memory m = {.n = 0};
        scree_archive a = {.ops = &in_memory_ops, .self = &m, .error = &error};
        scree_world *world = falling_crowd(&l), *again = empty_bin(&l);
        add_kind(again, l.k);
        run(world, k);
        assert_ok(scree_world_archive(world, &a));
        a.loads = true;
        assert_ok(scree_world_archive(again, &a));
        assert_true(hash_after(world, 6) == hash_after(again, 6));
        assert_int_equal(parts_of(world), parts_of(again));
        scree_world_destroy(world);
        scree_world_destroy(again);
        in_memory_clear(&m);
    }
}

static void parts__checkpoint__same_bits(void **state) {
    (void)state;
    landing l = {.dt = 2e-3,
                 .e = 0.5,
                 .planar = true,
                 .reproducible = true,
                 .across = 8,
                 .rows = 8};
    check_checkpoints(l, 3);
    l.k = POLYGONS;
    check_checkpoints(l, 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            parts__crowd_of_discs_lands__friction_takes_what_is_its),
        cmocka_unit_test(
            parts__crowd_of_spheres_lands__friction_takes_what_is_its),
        cmocka_unit_test(
            parts__crowds_of_shapes_land__friction_takes_what_is_its),
        cmocka_unit_test(parts__bed_at_rest__none),
        cmocka_unit_test(parts__fast_but_alone__none),
        cmocka_unit_test(parts__walls__bear_what_all_parts_give),
        cmocka_unit_test(parts__checkpoint__same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
