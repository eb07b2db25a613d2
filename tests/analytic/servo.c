/* Walls that forces drive (engine/walls/servo.h), by closed forms. */
#include <string.h>

#include "engine/scree_joints.h"
#include "engine/world/state.h"
#include "tests/analytic/shapes_fixture.h"
#include "tests/in_memory.h"

static scree_world_def loose_def(double dt) {
    scree_world_def def = firm_def(dt);
    def.gravity[2] = 0;
    def.solver.tolerance = 1e-10;
    return def;
}

static int add_driven(scree_world *world, scree_vec3 point, scree_vec3 normal,
                      const scree_servo *servo) {
    scree_plane_def def = scree_plane_def_default();
    int wall;
    vec_to(point, def.point);
    vec_to(normal, def.normal);
    def.servo = *servo;
    assert_ok(scree_world_add_plane(world, &def, &wall));
    return wall;
}

static scree_servo servo_of(scree_servo_kind kind, double target) {
    scree_servo servo = scree_servo_default();
    servo.kind = kind, servo.target = target;
    return servo;
}

static scree_servo_view look(const scree_world *world, int wall) {
    scree_servo_view view;
    scree_world_read_servo(world, wall, &view);
    return view;
}

/* Of bodies on the wall, along its normal. */
static double load_on(const scree_world *world, int wall) {
    double force[3], point[3], normal[3];
    scree_world_read_wall_force(world, wall, force);
    scree_world_read_wall(world, wall, point, normal);
    return -dot(vec_from(force), vec_from(normal));
}

/* ---- nothing in its way -------------------------------------------------------- */

/* v = speed (1 - (1 + dt c / m)^-n), and never faster. */
static void wall__with_nothing_in_its_way__comes_to_its_speed(void **state) {
    (void)state;
    const double dt = 1e-3;
    const scree_world_def def = loose_def(dt);
    scree_world *world = make_world(&def, (scree_contact_law){0});
    scree_servo servo = servo_of(SCREE_SERVO_FORCE, 50);
    servo.speed = 0.2;
    servo.mass = 10 * 50 * dt / servo.speed;
    const int wall = add_driven(world, vec(0, 0, 3), vec(0, 0, -1), &servo);
    double way = 0, before = 0;
    for (int n = 1; n <= 300; ++n) {
        run(world, 1);
        const double v = 0.2 * (1 - pow(1.1, -n));
        way += 0.5 * dt * (before + v), before = v;
        assert_near(look(world, wall).velocity, v, 1e-12);
        assert_true(look(world, wall).velocity <= 0.2 * (1 + 1e-15));
    }
    double point[3], normal[3], velocity[3];
    scree_world_read_wall(world, wall, point, normal);
    assert_near(point[2], 3 - way, 1e-12);
    scree_world_read_wall_velocity(world, wall, point, velocity);
    assert_near(velocity[2], -before, 1e-15);
    scree_world_destroy(world);
}

/* ---- against a body ------------------------------------------------------------- */

/* It bears the force exactly from the second step of contact on. */
static void sphere__under_a_driven_wall__bears_its_force(void **state) {
    (void)state;
    const scree_world_def def = loose_def(1e-3);
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 0.3});
    add_floor(world);
    add_sphere(world, 0.5, vec(0, 0, 0.5), vec(0, 0, 0), vec(0, 0, 0));
    const scree_servo servo = servo_of(SCREE_SERVO_FORCE, 200);
    const int wall = add_driven(world, vec(0, 0, 1.01), vec(0, 0, -1), &servo);
    int n = 0;
    for (; load_on(world, wall) == 0 && n < 1000; ++n) run(world, 1);
    assert_true(n < 200);
    run(world, 2);
    for (int k = 0; k < 50; ++k) {
        run(world, 1);
        assert_near(load_on(world, wall), 200, 1e-6);
        assert_near(load_on(world, 0), 200, 1e-6);
        assert_near(look(world, wall).velocity, 0, 1e-9);
    }
    assert_near(look(world, wall).way, 0.01, 2e-5);
    assert_near(energy_defect(world), 0, 1e-12);
    scree_world_destroy(world);
}

/* The ground is not the wall: both have no body's number. */
static void
sphere__on_a_rod_to_the_ground__leaves_a_driven_wall_alone(void **state) {
    (void)state;
    const scree_world_def def = firm_def(1e-3);
    scree_world *world = make_world(&def, (scree_contact_law){0});
    scree_joint_def rod = scree_joint_def_default();
    scree_joint_view view;
    add_floor(world);
    rod.kind = SCREE_JOINT_ROD, rod.b = SCREE_GROUND;
    rod.a = add_sphere(world, 0.2, vec(3, 0, 1), vec(0, 0, 0), vec(0, 0, 0));
    vec_to(vec(3, 0, 1), rod.point_a), vec_to(vec(3, 0, 2), rod.point_b);
    assert_ok(scree_world_add_joint(world, &rod, NULL));
    scree_servo servo = servo_of(SCREE_SERVO_TORQUE, 5);
    servo.mass = 10, servo.damping = 0;
    vec_to(vec(0, 1, 0), servo.axis);
    const int wall = add_driven(world, vec(-9, 0, 0), vec(1, 0, 0), &servo);
    run(world, 100);
    assert_ok(scree_world_read_joint(world, 0, &view));
    const double m = read_body(world, rod.a).m;
    assert_near(view.force / m, norm(vec_from(def.gravity)), 1e-6);
    assert_near(read_body(world, rod.a).x.z, 1, 1e-8);
    assert_near(look(world, wall).velocity, 0.05, 1e-12);
    scree_world_destroy(world);
}

/* A sphere hits a wall that nothing presses: two bodies on a line. */
static void sphere__hits_a_free_wall__as_bodies_hit(void **state) {
    (void)state;
    const double e = 0.6, M = 700, v = -2;
    const scree_world_def def = loose_def(1e-3);
    scree_world *world = make_world(&def, (scree_contact_law){.e_n = e});
    scree_servo servo = servo_of(SCREE_SERVO_FORCE, 0);
    servo.mass = M, servo.damping = 0;
    const int wall = add_driven(world, vec(0, 0, 0), vec(0, 0, 1), &servo);
    const int64_t id =
        add_sphere(world, 0.5, vec(0.2, 0, 0.6), vec(1, 0, v), vec(0, 3, 0));
    const double m = read_body(world, id).m;
    run(world, 300);
    const double common = m * v / (m + M);
    assert_near(read_body(world, id).v.z, common - e * M * v / (m + M), 1e-9);
    assert_near(look(world, wall).velocity, common + e * m * v / (m + M), 1e-9);
    assert_near(read_body(world, id).v.x, 1, 1e-12);
    assert_near(energy_defect(world) / m, 0, 1e-12);
    scree_world_destroy(world);
}

/* (m + c dt) v_E = m v_B + F dt - P, to rounding, whatever the spheres do under it: hits
 * that follow each other within a step, and pairs that come in late. */
static void lid__on_spheres_that_bounce__keeps_its_momentum(void **state) {
    (void)state;
    scree_world_def def = firm_def(2e-3);
    scree_world *world =
        make_world(&def, (scree_contact_law){.friction = 0.3, .e_n = 0.5});
    add_box(world, 0.5);
    add_cloud(world, 60, 0.4, 0.05, 0.08, 3);
    scree_servo servo = servo_of(SCREE_SERVO_FORCE, 60);
    servo.mass = 4, servo.damping = 30;
    const int wall = add_driven(world, vec(0, 0, 2.5), vec(0, 0, -1), &servo);
    double loaded = 0;
    for (int n = 0; n < 1000; ++n) {
        const double before = look(world, wall).velocity;
        run(world, 1);
        const double now = look(world, wall).velocity,
                     P = def.dt * load_on(world, wall);
        assert_near((4 + 30 * def.dt) * now, 4 * before + 60 * def.dt - P,
                    1e-9);
        loaded += P > 0;
    }
    scree_cost cost;
    scree_world_read_cost(world, &cost);
    assert_true(cost.rounds > 300 && loaded > 150);
    scree_world_destroy(world);
}

/* A lid that overlaps what it presses on is lifted out of it. */
static void lid__in_a_sphere__is_moved_out(void **state) {
    (void)state;
    const scree_world_def def = firm_def(1e-3);
    scree_world *world = make_world(&def, (scree_contact_law){0});
    add_floor(world);
    add_sphere(world, 0.5, vec(0, 0, 0.5), vec(0, 0, 0), vec(0, 0, 0));
    const scree_servo servo = servo_of(SCREE_SERVO_FORCE, 200);
    const int wall = add_driven(world, vec(0, 0, 0.98), vec(0, 0, -1), &servo);
    run(world, 600);
    assert_near(look(world, wall).way, -0.02, 1e-4);
    assert_near(read_body(world, 0).x.z, 0.5, 1e-4);
    assert_near(load_on(world, wall), 200, 1);
    scree_world_destroy(world);
}

/* A plate from triangles is driven like a plane. */
static void sphere__under_a_driven_mesh__bears_its_force(void **state) {
    (void)state;
    const scree_world_def def = loose_def(1e-3);
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 0.3});
    const double v[] = {-2, -2, 1.01, 2, -2, 1.01, 2, 2, 1.01, -2, 2, 1.01};
    const int32_t c[] = {0, 2, 1, 0, 3, 2};
    scree_mesh_def plate = scree_mesh_def_default();
    plate.vertices = v, plate.n_vertex = 4;
    plate.corners = c, plate.n_triangle = 2;
    plate.servo = servo_of(SCREE_SERVO_PRESSURE, 100);
    plate.servo.area = 2;
    plate.servo.direction[2] = -3;
    int wall;
    assert_ok(scree_world_add_mesh(world, &plate, &wall));
    add_floor(world);
    add_sphere(world, 0.5, vec(0.3, 0.2, 0.5), vec(0, 0, 0), vec(0, 0, 0));
    run(world, 100);
    double force[3];
    for (int k = 0; k < 20; ++k) {
        run(world, 1);
        scree_world_read_wall_force(world, wall, force);
        assert_near(force[2], 200, 1e-6);
    }
    assert_near(look(world, wall).way, 0.01, 2e-5);
    scree_world_destroy(world);
}

/* Friction of a plate that is pressed and drawn across: mu F on what lies under it. */
static void plate__pressed_and_drawn_across__drags_by_friction(void **state) {
    (void)state;
    const scree_world_def def = loose_def(1e-3);
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 0.2});
    add_floor(world);
    const int shape = add_box_shape(world, 1, 1, 0.5);
    put_body(world, (put){.shape = shape, .x = vec(0, 0, 0.25)});
    scree_plane_def plane = scree_plane_def_default();
    plane.point[2] = 0.5, plane.normal[2] = -1;
    plane.motion.velocity[0] = 0.3;
    plane.servo = servo_of(SCREE_SERVO_FORCE, 500);
    int wall;
    assert_ok(scree_world_add_plane(world, &plane, &wall));
    run(world, 50);
    double force[3];
    for (int k = 0; k < 20; ++k) {
        run(world, 1);
        scree_world_read_wall_force(world, wall, force);
        assert_near(force[2], 500, 1e-5);
        assert_near(force[0], -0.2 * 500, 1e-5);
    }
    assert_near(energy_defect(world), 0, 1e-9);
    scree_world_destroy(world);
}

/* ---- torque ---------------------------------------------------------------------- */

/* A paddle in the plane x = 0 that turns about y, touched from both sides. */
static int add_paddle(scree_world *world, const scree_servo *servo) {
    static const double v[] = {0, -1, -2, 0, 1, -2, 0, 1, 2, 0, -1, 2};
    static const int32_t c[] = {0, 1, 2, 0, 2, 3};
    scree_mesh_def def = scree_mesh_def_default();
    def.vertices = v, def.n_vertex = 4;
    def.corners = c, def.n_triangle = 2;
    def.two_sided = true;
    def.servo = *servo;
    int wall;
    assert_ok(scree_world_add_mesh(world, &def, &wall));
    return wall;
}

static scree_servo torque_of(double torque, double inertia) {
    scree_servo servo = servo_of(SCREE_SERVO_TORQUE, torque);
    servo.axis[1] = 2, servo.axis[2] = 0;
    servo.mass = inertia;
    return servo;
}

/* omega = T t / J, phi = T t^2 / (2 J): midpoints are exact. */
static void paddle__under_a_torque__turns_faster_and_faster(void **state) {
    (void)state;
    const scree_world_def def = loose_def(1e-3);
    scree_world *world = make_world(&def, (scree_contact_law){0});
    const scree_servo servo = torque_of(3, 2);
    const int wall = add_paddle(world, &servo);
    run(world, 500);
    assert_near(look(world, wall).velocity, 3 * 0.5 / 2, 1e-12);
    assert_near(look(world, wall).way, 3 * 0.25 / 4, 1e-12);
    const double x[] = {0, 0, 1};
    double velocity[3];
    scree_world_read_wall_velocity(world, wall, x, velocity);
    assert_near(velocity[0], 0.75, 1e-12);
    scree_world_destroy(world);
}

/* A sphere hits it off its axis: with the angular momentum about the axis, and with
 * the wall's point going apart from it at e v: two bodies on a line, of which it feels
 * J / h^2. The point is seen at the midpoint of a step. */
static void sphere__hits_a_free_paddle__gives_its_angular_momentum(void **s) {
    (void)s;
    const double J = 900, e = 0.5, v = 1.5, h = 1.25;
    const scree_world_def def = loose_def(1e-4);
    scree_world *world = make_world(&def, (scree_contact_law){.e_n = e});
    scree_servo servo = torque_of(0, J);
    const int wall = add_paddle(world, &servo);
    const int64_t id =
        add_sphere(world, 0.5, vec(-0.501, 0, h), vec(v, 0, 0), vec(0, 0, 0));
    const double m = read_body(world, id).m, M = J / (h * h); /* as it feels */
    run(world, 40);
    const double common = m * v / (m + M);
    assert_near(read_body(world, id).v.x, common - e * M * v / (m + M), 2e-3);
    assert_near(look(world, wall).velocity * h, common + e * m * v / (m + M),
                2e-3);
    assert_near(J * look(world, wall).velocity +
                    m * h * read_body(world, id).v.x,
                m * h * v, 1e-9 * m * h * v);
    assert_near(energy_defect(world) / m, 0, 1e-12);
    scree_world_destroy(world);
}

/* ---- tables, and what comes then --------------------------------------------------- */

static void wall__by_a_table__goes_straight_between_entries(void **state) {
    (void)state;
    const scree_world_def def = loose_def(1e-3);
    scree_world *world = make_world(&def, (scree_contact_law){0});
    const double table[] = {0.1, 0, 0, 0.2, 0.05, 0, 0.4, -0.01, 0};
    scree_plane_def plane = scree_plane_def_default();
    plane.motion.table = table, plane.motion.n_table = 3;
    plane.motion.along[2] = 7;
    int wall;
    assert_ok(scree_world_add_plane(world, &plane, &wall));
    add_sphere(world, 0.5, vec(0, 0, 0.5), vec(0, 0, 0), vec(0, 0, 0));
    const double at[] = {0.05, 0.15, 0.3, 0.5}, z[] = {0, 0.025, 0.02, -0.01},
                 v[] = {0, 0.5, -0.3, 0};
    for (int k = 0; k < 4; ++k) {
        while (scree_world_time(world) < at[k] - 1e-9) run(world, 1);
        double point[3], normal[3], velocity[3];
        scree_world_read_wall(world, wall, point, normal);
        scree_world_read_wall_velocity(world, wall, point, velocity);
        assert_near(point[2], z[k], 1e-12);
        assert_near(velocity[2], v[k], 1e-12);
    }
    assert_near(read_body(world, 0).v.z, 0.5, 1e-6); /* thrown up by it */
    assert_near(energy_defect(world), 0, 1e-9);
    scree_world_destroy(world);
}

static void wall__after_until__goes_on_as_told(void **state) {
    (void)state;
    const scree_world_def def = loose_def(1e-3);
    scree_world *world = make_world(&def, (scree_contact_law){0});
    scree_servo servo = servo_of(SCREE_SERVO_FORCE, 5);
    servo.until = 0.1, servo.then = -0.25;
    const int wall = add_driven(world, vec(0, 0, 1), vec(0, 0, -1), &servo);
    run(world, 100);
    const double way = look(world, wall).way;
    assert_true(look(world, wall).velocity > 0.9);
    run(world, 101);
    assert_near(look(world, wall).velocity, -0.25, 1e-15);
    assert_near(look(world, wall).target, 0, 0);
    assert_near(look(world, wall).way, way - 0.25 * 0.1, 1e-3);
    scree_world_destroy(world);
}

/* ---- a box of plates ----------------------------------------------------------------- */

typedef struct cell {
    scree_world *world;
    int walls[6];
} cell;

enum { SIDE = 6 };

/* SIDE^3 spheres of 8 to 10 mm on a lattice, between plates that press with 10 kPa on what
 * the others span. */
static cell make_cell(bool reproducible, int threads) {
    scree_world_def def = scree_world_def_default();
    def.dt = 2e-4;
    def.gravity[2] = 0;
    def.reproducible = reproducible;
    def.threads = threads;
    cell c = {.world = make_world(&def, (scree_contact_law){.friction = 0.3})};
    const double pitch = 0.0115, size = SIDE * pitch;
    scree_random rng = {7};
    for (int k = 0; k < 6; ++k) {
        scree_servo servo = servo_of(SCREE_SERVO_PRESSURE, 1e4);
        double point[3] = {0}, normal[3] = {0};
        point[k / 2] = k % 2 ? size : 0;
        normal[k / 2] = k % 2 ? -1 : 1;
        for (int i = 0; i < 2; ++i) {
            const int axis = (k / 2 + 1 + i) % 3;
            servo.across[2 * i] = 2 * axis,
                             servo.across[2 * i + 1] = 2 * axis + 1;
        }
        c.walls[k] =
            add_driven(c.world, vec_from(point), vec_from(normal), &servo);
    }
    for (int k = 0; k < SIDE * SIDE * SIDE; ++k) {
        const scree_vec3 at =
            vec(k % SIDE + 0.5, k / SIDE % SIDE + 0.5, k / SIDE / SIDE + 0.5);
        add_sphere(c.world, scree_random_range(&rng, 0.004, 0.005),
                   scale(pitch, at), scale(0.05, random_vec(&rng)),
                   vec(0, 0, 0));
    }
    return c;
}

static double pressure_on(const cell *c, int k) {
    return load_on(c->world, c->walls[k]) / look(c->world, c->walls[k]).area;
}

/* The mean over the last 40 ms; and what all percussions, walls and laws did closes to
 * rounding at any time. */
static void packing__under_10_kPa__settles_to_it(void **state) {
    (void)state;
    cell c = make_cell(false, 1);
    double mean[6] = {0};
    run(c.world, 500);
    assert_near(energy_defect(c.world), 0, 1e-12);
    for (int n = 0; n < 200; ++n) {
        run(c.world, 1);
        for (int k = 0; k < 6; ++k) mean[k] += pressure_on(&c, k) / 200;
    }
    for (int k = 0; k < 6; ++k) assert_near(mean[k], 1e4, 100);
    const scree_scalars s = read_scalars(c.world);
    assert_true(s.wall_work > 0.1 && s.contacts > 2 * SIDE * SIDE * SIDE);
    assert_near(s.scheme_error, 0, 1e-12);
    assert_true(s.penetration_max < 2e-3 * 0.009);
    double force[3] = {0};
    for (int k = 0; k < 6; ++k) {
        double one[3];
        scree_world_read_wall_force(c.world, c.walls[k], one);
        for (int i = 0; i < 3; ++i) force[i] += one[i];
    }
    assert_true(norm(vec_from(force)) < 0.01 * load_on(c.world, c.walls[0]));
    scree_world_destroy(c.world);
}

static uint64_t hash_of(bool reproducible, int threads) {
    cell c = make_cell(reproducible, threads);
    run(c.world, 400);
    const uint64_t hash = scree_world_hash(c.world);
    scree_world_destroy(c.world);
    return hash;
}

static void cell__with_more_threads__has_the_same_bits(void **state) {
    (void)state;
    assert_true(hash_of(false, 1) == hash_of(false, 3));
}

/* A checkpoint holds where walls are and how fast. */
static void cell__from_a_checkpoint__has_the_same_bits(void **state) {
    (void)state;
    cell c = make_cell(false, 1), d = make_cell(false, 1);
    in_memory m = {.n = 0};
    scree_error error = {0};
    scree_archive a = {.ops = &in_memory_ops, .self = &m, .error = &error};
    run(c.world, 150);
    assert_ok(scree_world_archive(c.world, &a));
    run(c.world, 150);
    a = (scree_archive){
        .ops = &in_memory_ops, .self = &m, .loads = true, .error = &error};
    assert_ok(scree_world_archive(d.world, &a));
    run(d.world, 150);
    assert_true(scree_world_hash(c.world) == scree_world_hash(d.world));
    for (int k = 0; k < 6; ++k) {
        const scree_servo_view x = look(c.world, c.walls[k]),
                               y = look(d.world, d.walls[k]);
        assert_true(x.way == y.way && x.velocity == y.velocity && x.way > 0);
    }
    in_memory_clear(&m);
    scree_world_destroy(c.world);
    scree_world_destroy(d.world);
}

/* ---- nothing passes --------------------------------------------------------------------- */

/* A plate comes with 40 m/s, three diameters in a step, to spheres on the floor, and they
 * stay between; also while it gathers speed, beyond what pairs were listed for. */
static void plate__that_comes_fast__leaves_nothing_behind(void **state) {
    (void)state;
    const scree_world_def def = loose_def(1e-3);
    for (int k = 0; k < 4; ++k) {
        const bool mesh = k % 2;
        const double from = k / 2 ? 0.11 : 1;
        scree_world *world =
            make_world(&def, (scree_contact_law){.friction = 0.3});
        add_floor(world);
        scree_servo servo = servo_of(SCREE_SERVO_FORCE, 2000);
        servo.speed = 40, servo.direction[2] = -1;
        if (k / 2) servo.mass = 10 * 2000 * def.dt / servo.speed;
        int wall;
        if (mesh) {
            const double v[] = {-2, -2, from, 2,  -2, from,
                                2,  2,  from, -2, 2,  from};
            const int32_t corners[] = {0, 2, 1, 0, 3, 2};
            scree_mesh_def plate = scree_mesh_def_default();
            plate.vertices = v, plate.n_vertex = 4;
            plate.corners = corners, plate.n_triangle = 2;
            plate.servo = servo;
            assert_ok(scree_world_add_mesh(world, &plate, &wall));
        } else {
            wall = add_driven(world, vec(0, 0, from), vec(0, 0, -1), &servo);
        }
        for (int i = 0; i < 25; ++i)
            add_sphere(world, 0.007,
                       vec(0.02 * (i % 5), 0.02 * (i / 5), 0.007 + 1e-3 * i),
                       vec(0, 0, 0), vec(0, 0, 0));
        for (int n = 0; n < 300; ++n) {
            run(world, 1);
            const double top = from - look(world, wall).way;
            for (int i = 0; i < 25; ++i) {
                const double z = read_body(world, i).x.z;
                assert_true(z > 0.0069 && z < top - 0.0069);
            }
        }
        double force[3];
        scree_world_read_wall_force(world, wall, force);
        assert_near(force[2], 2000, 20);
        scree_world_destroy(world);
    }
}

/* Moreau's scheme to the letter looks once in a step, and finds bodies where the plate has
 * entered them by the way of one step: not later, though it was slow when pairs were
 * listed. */
static void plate__that_gathers_speed__is_listed_in_time(void **state) {
    (void)state;
    scree_world_def def = loose_def(1e-3);
    def.gap_control = false;
    scree_world *world = make_world(&def, (scree_contact_law){0});
    add_floor(world);
    scree_servo servo = servo_of(SCREE_SERVO_FORCE, 2000);
    servo.speed = 40, servo.mass = 10 * 2000 * def.dt / servo.speed;
    const int wall = add_driven(world, vec(0, 0, 0.11), vec(0, 0, -1), &servo);
    add_sphere(world, 0.02, vec(0, 0, 0.02), vec(0, 0, 0), vec(0, 0, 0));
    for (int n = 0; n < 30; ++n) {
        run(world, 1);
        const double top = 0.11 - look(world, wall).way;
        assert_true(top > 0.04 - 40 * def.dt);
    }
    scree_world_destroy(world);
}

/* A light plate that a sphere hits from the right, which hardly feels it, comes to the one
 * on its left before that was near. */
static void plate__that_is_hit__does_not_enter_the_next_one(void **state) {
    (void)state;
    const scree_world_def def = loose_def(1e-3);
    scree_world *world = make_world(&def, (scree_contact_law){0});
    const double v[] = {0, -1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1};
    const int32_t c[] = {0, 1, 2, 0, 2, 3};
    scree_mesh_def plate = scree_mesh_def_default();
    plate.vertices = v, plate.n_vertex = 4;
    plate.corners = c, plate.n_triangle = 2;
    plate.two_sided = true;
    plate.servo = servo_of(SCREE_SERVO_FORCE, 0);
    plate.servo.mass = 1e-3, plate.servo.damping = 0;
    plate.servo.direction[0] = 1;
    int wall;
    assert_ok(scree_world_add_mesh(world, &plate, &wall));
    add_sphere(world, 0.1, vec(0.131, 0, 0), vec(-10, 0, 0), vec(0, 0, 0));
    add_sphere(world, 0.1, vec(-0.103, 0, 0), vec(0, 0, 0), vec(0, 0, 0));
    for (int n = 0; n < 20; ++n) {
        run(world, 1);
        const double x = look(world, wall).way;
        assert_true(read_body(world, 0).x.x - 0.1 > x - 1e-4);
        assert_true(read_body(world, 1).x.x + 0.1 < x + 1e-4);
    }
    assert_true(read_body(world, 1).v.x < -4);
    scree_world_destroy(world);
}

/* ---- refusals ------------------------------------------------------------------------------ */

static void try_refusal(const scree_world_def *def,
                        const scree_plane_def *plane, const char *words) {
    scree_world *world = make_world(def, (scree_contact_law){0});
    int wall;
    assert_int_equal(scree_world_add_plane(world, plane, &wall),
                     SCREE_BAD_ARGUMENT);
    if (!strstr(scree_world_error(world), words))
        fail_msg("'%s' is not in '%s'", words, scree_world_error(world));
    scree_world_destroy(world);
}

static void what_cannot_be__is_refused(void **state) {
    (void)state;
    scree_world_def def = loose_def(1e-3);
    scree_plane_def good = scree_plane_def_default();
    good.servo = servo_of(SCREE_SERVO_FORCE, 10);
    struct {
        scree_plane_def plane;
        const char *words;
    } t[12];
    for (int k = 0; k < 12; ++k) t[k].plane = good;
    t[0].plane.servo.mass = -1, t[0].words = "mass";
    t[1].plane.servo.target = 0, t[1].words = "nothing presses";
    t[2].plane.servo.area = 1, t[2].words = "only a pressure";
    t[3].plane.servo.kind = SCREE_SERVO_PRESSURE, t[3].words = "an area";
    t[4].plane.motion.velocity[2] = 0.1, t[4].words = "in that direction";
    t[5].plane.motion.rate = 1, t[5].words = "does not rotate";
    t[6].plane.servo.kind = SCREE_SERVO_TORQUE, t[6].words = "inertia";
    t[7].plane.servo.speed = 1, t[7].plane.servo.damping = 1;
    t[7].words = "follows from its damping";
    t[8].plane.servo.target = NAN, t[8].words = "not finite";
    t[9].plane.servo.speed = -1, t[9].words = "highest speed";
    t[10].plane.servo.then = NAN, t[10].words = "until or then";
    const double table[] = {0, 0, 0, 1, 1, 0};
    t[11].plane.motion.table = table, t[11].plane.motion.n_table = 2;
    t[11].plane.motion.along[2] = 1, t[11].words = "in that direction";
    for (int k = 0; k < 12; ++k) try_refusal(&def, &t[k].plane, t[k].words);
    def.stepper = "rattle";
    try_refusal(&def, &good, "the stepper rattle");
    good.servo = scree_servo_default();
    const double back[] = {1, 0, 0, 0, 1, 0};
    good.motion.table = back, good.motion.n_table = 2, good.motion.along[2] = 1;
    try_refusal(&def, &good, "do not grow");
}

static void area__of_planes_that_do_not_face__is_refused(void **state) {
    (void)state;
    const scree_world_def def = loose_def(1e-3);
    scree_world *world = make_world(&def, (scree_contact_law){0});
    scree_servo servo = servo_of(SCREE_SERVO_PRESSURE, 10);
    servo.across[0] = 1, servo.across[1] = 2;
    servo.across[2] = 1, servo.across[3] = 2;
    add_driven(world, vec(0, 0, 0), vec(0, 0, 1), &servo);
    add_plane(world, vec(0, 0, 0), vec(1, 0, 0));
    add_plane(world, vec(1, 0, 0), vec(0, 1, 0));
    assert_int_equal(scree_world_step(world), SCREE_BAD_ARGUMENT);
    assert_non_null(strstr(scree_world_error(world), "face each other"));
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wall__with_nothing_in_its_way__comes_to_its_speed),
        cmocka_unit_test(sphere__under_a_driven_wall__bears_its_force),
        cmocka_unit_test(
            sphere__on_a_rod_to_the_ground__leaves_a_driven_wall_alone),
        cmocka_unit_test(sphere__hits_a_free_wall__as_bodies_hit),
        cmocka_unit_test(lid__on_spheres_that_bounce__keeps_its_momentum),
        cmocka_unit_test(lid__in_a_sphere__is_moved_out),
        cmocka_unit_test(plate__that_gathers_speed__is_listed_in_time),
        cmocka_unit_test(plate__that_is_hit__does_not_enter_the_next_one),
        cmocka_unit_test(sphere__under_a_driven_mesh__bears_its_force),
        cmocka_unit_test(plate__pressed_and_drawn_across__drags_by_friction),
        cmocka_unit_test(paddle__under_a_torque__turns_faster_and_faster),
        cmocka_unit_test(
            sphere__hits_a_free_paddle__gives_its_angular_momentum),
        cmocka_unit_test(wall__by_a_table__goes_straight_between_entries),
        cmocka_unit_test(wall__after_until__goes_on_as_told),
        cmocka_unit_test(packing__under_10_kPa__settles_to_it),
        cmocka_unit_test(cell__with_more_threads__has_the_same_bits),
        cmocka_unit_test(cell__from_a_checkpoint__has_the_same_bits),
        cmocka_unit_test(plate__that_comes_fast__leaves_nothing_behind),
        cmocka_unit_test(what_cannot_be__is_refused),
        cmocka_unit_test(area__of_planes_that_do_not_face__is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
