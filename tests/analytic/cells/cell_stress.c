/* Cells that hold a pressure (engine/step/stress.h): the equation of the edges in free flight,
 * the mean stress of packings at rest and in shear, the balance of energy, threads and
 * checkpoints, and what is refused. */
#include <string.h>

#include "engine/base/random.h"
#include "engine/world/state.h"
#include "engine/world/world.h"
#include "tests/in_memory.h"
#include "tests/support.h"

static const scree_vec3 zero = {0, 0, 0};
static const double RADIUS = 0.01, PITCH = 0.026, PRESSURE = 1e4;

typedef struct trial {
    const char *stepper, *solver;
    bool planar, reproducible, boxes, empty;
    int threads, row;
    double friction, restitution, shear_rate;
    scree_vec3 pressure, stretch;
} trial;

static scree_status try_cell(const trial *t, scree_world **world) {
    scree_world_def def = scree_world_def_default();
    scree_cell_def cell = scree_cell_def_default();
    if (t->stepper) def.stepper = t->stepper;
    if (t->solver) def.solver.method = t->solver;
    def.dt = 5e-4;
    def.planar = t->planar;
    def.reproducible = t->reproducible;
    def.threads = t->threads ? t->threads : 1;
    vec_to(zero, def.gravity);
    scree_material_def rock = scree_material_def_default();
    assert_ok(scree_world_create(&def, world));
    rock.density = 2500;
    rock.law =
        (scree_contact_law){.friction = t->friction, .e_n = t->restitution};
    assert_ok(scree_world_add_material(*world, &rock, NULL));
    for (int k = 0; k < (t->planar ? 2 : 3); ++k) {
        cell.high[k] = t->row * PITCH;
        cell.periodic[k] = true;
    }
    vec_to(t->pressure, cell.pressure);
    vec_to(t->stretch, cell.stretch);
    cell.shear_rate = t->shear_rate;
    return scree_world_set_cell(*world, &cell);
}

static int add_brick(scree_world *world) {
    scree_shape_def def = scree_shape_def_default();
    int shape;
    def.kind = SCREE_SHAPE_BOX;
    vec_to(vec(0.018, 0.015, 0.012), def.size);
    assert_ok(scree_world_add_shape(world, &def, &shape));
    return shape;
}

/* A lattice that is jolted, loose enough for bodies of different sizes. */
static scree_world *make_cell(const trial *t) {
    scree_world *world;
    scree_random rng = {5};
    assert_ok(try_cell(t, &world));
    const int brick = t->boxes ? add_brick(world) : -1;
    const int n = t->row * t->row * (t->planar ? 1 : t->row);
    for (int k = 0; k < n && !t->empty; ++k) {
        scree_vec3 x =
            vec(PITCH * (k % t->row + 0.5), PITCH * (k / t->row % t->row + 0.5),
                t->planar ? 0 : PITCH * (k / t->row / t->row + 0.5));
        x.x += scree_random_range(&rng, -1e-3, 1e-3);
        x.y += scree_random_range(&rng, -1e-3, 1e-3);
        if (!t->planar) x.z += scree_random_range(&rng, -1e-3, 1e-3);
        const double r = RADIUS * scree_random_range(&rng, 0.8, 1.2);
        const scree_vec3 v = vec(t->shear_rate * x.y, 0, 0);
        if (brick < 0 || k % 2 == 0) {
            add_sphere(world, r, x, v, zero);
            continue;
        }
        scree_body_def def = scree_body_def_default();
        def.shape = brick;
        vec_to(x, def.position);
        vec_to(v, def.velocity);
        assert_ok(scree_world_add_body(world, &def, NULL));
    }
    return world;
}

static scree_cell_view view_of(const scree_world *world) {
    scree_cell_view view;
    assert_true(scree_world_read_cell(world, &view));
    return view;
}

/* ---- the equation ------------------------------------------------------------- */

/* Two bodies that fly: M L'' = (sum of m w w - p V) / L, and bodies follow by where they
 * are. Edges without a pressure stay. */
static void free_flight__one_step__edges_as_by_hand(void **state) {
    (void)state;
    const trial t = {.row = 10, .empty = true, .pressure = vec(0, 100, 50)};
    scree_world *world = make_cell(&t);
    const double l = t.row * PITCH, dt = 5e-4;
    add_sphere(world, RADIUS, vec(0.1, 0.05, 0.2), vec(1, 2, -1), zero);
    add_sphere(world, RADIUS, vec(0.2, 0.2, 0.1), vec(0, -1, 3), zero);
    const double m = read_body(world, 0).m;
    run(world, 1);
    /* of w less its mean: +-3/2 along y, +-2 along z */
    const double y = (2 * m * 2.25 - 100 * l * l * l) / (2 * m * l) * dt,
                 z = (2 * m * 4 - 50 * l * l * l) / (2 * m * l) * dt;
    const scree_cell_view cell = view_of(world);
    assert_near(cell.speed[1][1] / y, 1, 1e-12);
    assert_near(cell.speed[2][2] / z, 1, 1e-12);
    assert_near(cell.edge[1][1], l + 0.5 * dt * y, 1e-15);
    assert_near(cell.edge[0][0], l, 1e-15);
    const body b = read_body(world, 0);
    const scree_vec3 mid = vec(0.1, 0.05 + dt, 0.2 - 0.5 * dt);
    assert_near(b.v.x, 1, 1e-15);
    assert_near(b.v.y, 2 + y / l * mid.y, 1e-14);
    assert_near(b.v.z, -1 + z / l * mid.z, 1e-14);
    assert_near(cell.stress[1][1] * cell.edge[0][0] * cell.edge[1][1] *
                    cell.edge[2][2] / (2 * m * 2.25),
                1, 1e-2);
    scree_world_destroy(world);
}

/* ---- stress --------------------------------------------------------------------- */

/* Means over steps of stress and of |stress - mean|. */
static scree_cell_view mean_of(scree_world *world, int steps, double *worst) {
    scree_cell_view sum = {{0}};
    *worst = 0;
    for (int k = 0; k < steps; ++k) {
        run(world, 1);
        const scree_cell_view now = view_of(world);
        for (int i = 0; i < 9; ++i)
            sum.stress[i / 3][i % 3] += now.stress[i / 3][i % 3] / steps;
        for (int i = 0; i < 3; ++i) {
            const double p = world->state.cell.def.pressure[i];
            if (p > 0) *worst = fmax(*worst, fabs(now.stress[i][i] / p - 1));
        }
    }
    return sum;
}

static void balances_energy(scree_world *world) {
    const scree_scalars s = read_scalars(world);
    assert_true(s.wall_work > 0 && s.dissipated > 0.5 * s.wall_work);
    assert_near(s.scheme_error, 0, 1e-9 * s.wall_work);
}

static void packs(const trial *t, int settle) {
    scree_world *world = make_cell(t);
    double worst;
    run(world, settle);
    const scree_cell_view mean = mean_of(world, 100, &worst);
    for (int k = 0; k < (t->planar ? 2 : 3); ++k)
        assert_near(mean.stress[k][k] / PRESSURE, 1, 1e-3);
    assert_true(worst < 1e-2);
    balances_energy(world);
    scree_world_destroy(world);
}

static void packing__spheres__pressure_in_every_step(void **state) {
    (void)state;
    trial t = {.row = 5,
               .friction = 0.5,
               .pressure = vec(PRESSURE, PRESSURE, PRESSURE)};
    packs(&t, 400);
    t.solver = "jacobi", t.row = 4;
    packs(&t, 400);
}

static void packing__boxes_among_spheres__pressure_in_every_step(void **state) {
    (void)state;
    const trial t = {.row = 4,
                     .boxes = true,
                     .friction = 0.5,
                     .pressure = vec(PRESSURE, PRESSURE, PRESSURE)};
    packs(&t, 800);
}

static void packing__plane_world__pressure_in_every_step(void **state) {
    (void)state;
    const trial t = {.row = 10,
                     .planar = true,
                     .friction = 0.5,
                     .pressure = vec(PRESSURE, PRESSURE, 0)};
    packs(&t, 500);
}

/* Sheared, with a pressure across the gradient: the mean is held, friction of the grains
 * with mu = 0.5 at an inertial number of 0.05 is near 0.4 (da Cruz and others 2005 for
 * discs, Azema and Radjai 2014 for spheres: 0.35 to 0.45). */
static void sheared__spheres__mean_pressure_and_friction(void **state) {
    (void)state;
    const trial t = {.row = 6,
                     .friction = 0.5,
                     .shear_rate = 5,
                     .pressure = vec(0, PRESSURE, 0)};
    scree_world *world = make_cell(&t);
    double worst;
    run(world, 600);
    const scree_cell_view mean = mean_of(world, 800, &worst);
    assert_near(mean.stress[1][1] / PRESSURE, 1, 1e-2);
    assert_near(mean.stress[0][1] / mean.stress[1][0], 1, 3e-2);
    assert_near(-mean.stress[0][1] / PRESSURE, 0.4, 0.06);
    assert_near(view_of(world).edge[0][0], 6 * PITCH, 1e-12);
    balances_energy(world);
    scree_world_destroy(world);
}

static void sheared__reproducible__balance_of_energy_closes(void **state) {
    (void)state;
    const trial t = {.row = 4,
                     .reproducible = true,
                     .friction = 0.5,
                     .restitution = 0.5,
                     .shear_rate = 10,
                     .pressure = vec(0, PRESSURE, 0)};
    scree_world *world = make_cell(&t);
    for (int k = 0; k < 300; ++k) {
        run(world, 1);
        const scree_scalars s = read_scalars(world);
        assert_near(s.scheme_error, 0, 1e-9 * (1 + s.wall_work));
    }
    scree_world_destroy(world);
}

/* ---- the same bits ------------------------------------------------------------------ */

static const trial sheared = {.row = 5,
                              .friction = 0.5,
                              .restitution = 0.3,
                              .shear_rate = 5,
                              .pressure = {1e4, 2e4, 1e4}};

static void threads__sheared__same_bits(void **state) {
    (void)state;
    trial two = sheared;
    two.threads = 2;
    scree_world *x = make_cell(&sheared), *y = make_cell(&two);
    run(x, 200);
    run(y, 200);
    assert_true(scree_world_hash(x) == scree_world_hash(y));
    assert_true(view_of(x).edge[1][1] == view_of(y).edge[1][1]);
    scree_world_destroy(x);
    scree_world_destroy(y);
}

static void checkpoint__sheared__goes_on_with_the_same_bits(void **state) {
    (void)state;
    trial bare = sheared;
    scree_world *x = make_cell(&sheared);
    scree_error error = {0};
    in_memory m = {.n = 0};
    run(x, 230); /* o has been brought back by an edge */
    assert_true(x->state.cell.slid > 0);
    scree_archive save = {.ops = &in_memory_ops, .self = &m, .error = &error};
    assert_ok(scree_world_archive(x, &save));
    bare.empty = true;
    scree_world *y = make_cell(&bare);
    scree_archive load = {
        .ops = &in_memory_ops, .self = &m, .loads = true, .error = &error};
    assert_ok(scree_world_archive(y, &load));
    run(x, 100);
    run(y, 100);
    const scree_cell_view a = view_of(x), b = view_of(y);
    assert_true(scree_world_hash(x) == scree_world_hash(y));
    assert_memory_equal(&a, &b, sizeof a);
    scree_world_destroy(x);
    scree_world_destroy(y);
    in_memory_clear(&m);
}

/* ---- what is refused -------------------------------------------------------------- */

static void refuses(const trial *t, const char *why) {
    scree_world *world;
    assert_int_equal(try_cell(t, &world), SCREE_BAD_ARGUMENT);
    if (!strstr(scree_world_error(world), why))
        print_error("%s\n", scree_world_error(world));
    assert_non_null(strstr(scree_world_error(world), why));
    scree_world_destroy(world);
}

static void cell__what_holds_no_pressure__is_refused(void **state) {
    (void)state;
    trial t = {.row = 5, .pressure = vec(0, -1, 0)};
    refuses(&t, "pressure of the cell along y is -1 Pa");
    t.pressure = vec(0, 1, 0), t.stretch = vec(0, 0.1, 0);
    refuses(&t, "and cannot stretch there");
    t.stretch = vec(0.1, 0, 0);
    refuses(&t, "holds pressures or stretches, not both");
    t.stretch = zero, t.stepper = "rattle";
    refuses(&t, "rattle does not run in a cell that holds a pressure");
    t.stepper = "moreau", t.solver = "newton";
    refuses(&t, "newton does not run on worlds with a cell that holds");
    t.solver = "pgs", t.planar = true, t.pressure = vec(0, 1, 1);
    refuses(&t, "holds a pressure along z, in which it is not periodic");
}

static void cell__walls_beside_a_pressure__are_refused(void **state) {
    (void)state;
    scree_world *world;
    const trial t = {.row = 5, .pressure = vec(1, 1, 1)};
    static const double corners[] = {-1, -1, 0.01, 1, -1, 0.01, 0, 1, 0.01};
    static const int32_t triangle[] = {0, 1, 2};
    scree_mesh_def mesh = scree_mesh_def_default();
    assert_ok(try_cell(&t, &world));
    mesh.vertices = corners, mesh.n_vertex = 3;
    mesh.corners = triangle, mesh.n_triangle = 1;
    assert_int_equal(scree_world_add_mesh(world, &mesh, NULL),
                     SCREE_BAD_ARGUMENT);
    assert_non_null(strstr(scree_world_error(world), "has no walls"));
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_flight__one_step__edges_as_by_hand),
        cmocka_unit_test(packing__spheres__pressure_in_every_step),
        cmocka_unit_test(packing__boxes_among_spheres__pressure_in_every_step),
        cmocka_unit_test(packing__plane_world__pressure_in_every_step),
        cmocka_unit_test(sheared__spheres__mean_pressure_and_friction),
        cmocka_unit_test(sheared__reproducible__balance_of_energy_closes),
        cmocka_unit_test(threads__sheared__same_bits),
        cmocka_unit_test(checkpoint__sheared__goes_on_with_the_same_bits),
        cmocka_unit_test(cell__what_holds_no_pressure__is_refused),
        cmocka_unit_test(cell__walls_beside_a_pressure__are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
