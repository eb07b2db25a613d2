/* Kinematic bodies, groups and callbacks of worlds. */
#include <string.h>

#include "engine/scree_forces.h"
#include "engine/scree_joints.h"
#include "tests/support.h"

static const char *const steppers[] = {"moreau", "rattle"};
enum { STEPPERS = 2 };

static const double G = 9.81, RADIUS = 0.1;
static const scree_vec3 none = {0, 0, 0};

static scree_world *make_scene(const char *stepper, double g, double e_n) {
    scree_world_def def = scree_world_def_default();
    def.stepper = stepper;
    def.gravity[2] = -g;
    return make_world(&def, (scree_contact_law){.friction = 0.5, .e_n = e_n});
}

static int64_t add_plate(scree_world *world, scree_vec3 size, scree_vec3 x) {
    scree_shape_def shape = scree_shape_def_default();
    scree_body_def def = scree_body_def_default();
    int64_t id;
    vec_to(size, shape.size);
    vec_to(x, def.position);
    assert_ok(scree_world_add_shape(world, &shape, &def.shape));
    assert_ok(scree_world_add_body(world, &def, &id));
    return id;
}

static void make_kinematic(scree_world *world, int64_t id,
                           scree_kinematic_motion *motion, void *context) {
    if (scree_world_set_kinematic(world, id, true, motion, context) != SCREE_OK)
        fail_msg("%s", scree_world_error(world));
}

/* ---- kinematic bodies -------------------------------------------------------------------- */

/* A paddle at speed V hits a ball at rest: it leaves with (1 + e) V. The paddle gave the
 * ball's energy and what the hit took, P V. */
static void paddle__ball__leaves_with_1_plus_e(void **state) {
    (void)state;
    static const double restitution[] = {0, 0.5, 1};
    for (int s = 0; s < STEPPERS; ++s)
        for (int k = 0; k < 3; ++k) {
            const double e = restitution[k], V = 2;
            scree_world *world = make_scene(steppers[s], 0, e);
            const int64_t paddle =
                add_plate(world, vec(0.1, 1, 1), vec(-0.3, 0, 0));
            const int64_t ball = add_sphere(world, RADIUS, none, none, none);
            make_kinematic(world, paddle, NULL, NULL);
            assert_ok(scree_world_set_velocity(world, paddle,
                                               (double[3]){V, 0, 0}, NULL));
            assert_near(read_scalars(world).inserted, 0, 0);
            run(world, 200);
            const scree_scalars now = read_scalars(world);
            const body b = read_body(world, ball);
            const double v = (1 + e) * V, P = b.m * v;
            assert_near(b.v.x, v, 1e-6);
            assert_near(read_body(world, paddle).x.x, -0.3 + V * 0.2, 1e-12);
            assert_near(now.kinetic, 0.5 * b.m * v * v, 1e-5);
            assert_near(now.wall_work, P * V, 1e-5 * P * V);
            assert_near(now.dissipated_normal, P * V - 0.5 * b.m * v * v, 1e-4);
            assert_near(now.scheme_error, 0, 1e-10);
            scree_world_destroy(world);
        }
}

/* A kinematic ball that others fall on: what they hit between two looks is not worked out by
 * moving both (engine/step/meet.c), which would leave the other one's height changed. */
static void ball__rain__keeps_the_books(void **state) {
    (void)state;
    for (int s = 0; s < STEPPERS; ++s) {
        scree_world *world = make_scene(steppers[s], G, 0.4);
        const int64_t still = add_sphere(world, RADIUS, none, none, none);
        make_kinematic(world, still, NULL, NULL);
        assert_ok(scree_world_set_velocity(world, still, (double[3]){0, 0, 1},
                                           (double[3]){3, 0, 0}));
        for (int k = 0; k < 5; ++k)
            add_sphere(world, RADIUS, vec(0.01 * k, 0.02, 0.7 + 0.3 * k), none,
                       none);
        run(world, 300);
        const scree_scalars now = read_scalars(world);
        assert_near(read_body(world, still).x.z, 0.3, 1e-12);
        assert_true(now.wall_work > 1);
        assert_near(now.scheme_error, 0, (s ? 5e-3 : 1e-12) * now.dissipated);
        scree_world_destroy(world);
    }
}

/* A world begins late where bodies would touch in their first half step: not for a kinematic
 * one, whose way is prescribed. */
static void ball__fast_at_first__is_not_late(void **state) {
    (void)state;
    scree_world *world = make_scene("moreau", 0, 0);
    const int64_t fast = add_sphere(world, RADIUS, none, vec(50, 0, 0), none);
    add_sphere(world, RADIUS, vec(0.21, 0, 0), none, none);
    make_kinematic(world, fast, NULL, NULL);
    run(world, 2);
    assert_near(read_body(world, fast).x.x, 0.1, 1e-15);
    assert_near(read_body(world, 1).v.x, 50, 1e-6);
    scree_world_destroy(world);
}

/* z(t) = A (1 - cos w t), by its mean velocity over each step. */
typedef struct swing {
    double amplitude, frequency;
    int64_t calls;
} swing;

static double height(const swing *s, double t) {
    return s->amplitude * (1 - cos(s->frequency * t));
}

static void lift(void *context, int64_t id, double t, double dt, double v[3],
                 double w[3]) {
    swing *s = context;
    (void)id;
    (void)w;
    ++s->calls;
    v[0] = v[1] = 0;
    v[2] = (height(s, t + dt) - height(s, t)) / dt;
}

/* A lift carries a ball up and down: it goes where its motion says, and its work is that
 * of weight, but for what is on the way. */
static void lift__ball__rides_along(void **state) {
    (void)state;
    for (int s = 0; s < STEPPERS; ++s) {
        swing way = {.amplitude = 0.2, .frequency = 4};
        scree_world *world = make_scene(steppers[s], G, 0);
        const int64_t plate = add_plate(world, vec(1, 1, 0.1), none);
        const int64_t ball =
            add_sphere(world, RADIUS, vec(0, 0, 0.05 + RADIUS), none, none);
        make_kinematic(world, plate, lift, &way);
        const double m = read_body(world, ball).m;
        run(world, 785); /* half a turn */
        const double rise = height(&way, 0.785);
        assert_int_equal(way.calls, 785);
        assert_near(read_body(world, plate).x.z, rise, 1e-12);
        assert_near(read_body(world, ball).x.z, rise + 0.05 + RADIUS, 1e-5);
        const scree_scalars now = read_scalars(world);
        assert_near(now.wall_work, m * G * rise, 1e-2 * m * G * rise);
        assert_near(now.scheme_error, 0, s ? 1e-3 : 1e-10);
        scree_world_destroy(world);
    }
}

/* A plate that turns in the air is a body with its old mass again when it is let go. */
static void let_go__old_mass__falls(void **state) {
    (void)state;
    for (int s = 0; s < STEPPERS; ++s) {
        scree_world *world = make_scene(steppers[s], G, 0);
        const int64_t plate = add_plate(world, vec(1, 1, 0.1), none);
        const double m = read_body(world, plate).m;
        make_kinematic(world, plate, NULL, NULL);
        assert_true(isinf(read_body(world, plate).m));
        assert_ok(
            scree_world_set_velocity(world, plate, NULL, (double[3]){0, 0, 2}));
        run(world, 100);
        assert_near(read_body(world, plate).x.z, 0, 0);
        assert_near(read_body(world, plate).q.z, sin(0.1), 1e-12);
        assert_ok(scree_world_set_kinematic(world, plate, false, NULL, NULL));
        assert_near(read_body(world, plate).m, m, 0);
        run(world, 100);
        assert_near(read_body(world, plate).v.z, -G * 0.1, 1e-12);
        assert_near(read_body(world, plate).w.z, 2, 1e-12);
        assert_near(energy_defect(world), 0, s ? 1e-2 * m : 1e-10 * m);
        scree_world_destroy(world);
    }
}

/* Two plates that pass the floor and each other push a heap: all methods know bodies that
 * nothing moves. */
static void kinematic__all_methods__push_a_heap(void **state) {
    (void)state;
    const char *method;
    int tried = 0;
    for (int k = 0; (method = scree_solver_name(k, NULL)); ++k) {
        scree_world_def def = scree_world_def_default();
        scree_world *world;
        def.solver.method = method;
        def.dt = 2e-3;
        if (scree_world_def_check(&def, NULL) != SCREE_OK) continue;
        assert_ok(scree_world_create(&def, &world));
        scree_material_def material = scree_material_def_default();
        material.law.friction = 0.4;
        assert_ok(scree_world_add_material(world, &material, NULL));
        add_floor(world);
        for (int i = 0; i < 9; ++i)
            add_sphere(world, RADIUS,
                       vec(0.21 * (i % 3), 0.21 * (i / 3), RADIUS), none, none);
        const int64_t a = add_plate(world, vec(0.1, 1, 1), vec(-0.3, 0, 0.2)),
                      b = add_plate(world, vec(1, 0.1, 1), vec(0, -0.3, 0.2));
        make_kinematic(world, a, NULL, NULL);
        make_kinematic(world, b, NULL, NULL);
        assert_ok(
            scree_world_set_velocity(world, a, (double[3]){1, 0, 0}, NULL));
        const scree_status status = scree_world_step(world);
        if (status == SCREE_UNSUPPORTED) { /* friction in space */
            scree_world_destroy(world);
            continue;
        }
        assert_ok(status);
        run(world, 249);
        assert_near(read_body(world, a).x.x, 0.2, 1e-12);
        for (int i = 0; i < 9; ++i)
            assert_true(read_body(world, i).x.x > 0.25 + 0.9 * RADIUS);
        ++tried;
        const scree_scalars now = read_scalars(world);
        assert_true(now.wall_work > 0);
        assert_near(now.scheme_error, 0, 1e-10 * now.wall_work);
        scree_world_destroy(world);
    }
    assert_true(tried >= 5);
}

static void kinematic__joint__is_refused(void **state) {
    (void)state;
    scree_world *world = make_scene("moreau", G, 0);
    const int64_t a = add_sphere(world, RADIUS, none, none, none);
    const int64_t b = add_sphere(world, RADIUS, vec(1, 0, 0), none, none);
    scree_joint_def def = scree_joint_def_default();
    def.a = a, def.b = SCREE_GROUND;
    assert_ok(scree_world_add_joint(world, &def, NULL));
    assert_int_equal(scree_world_set_kinematic(world, a, true, NULL, NULL),
                     SCREE_BAD_ARGUMENT);
    assert_non_null(strstr(scree_world_error(world), "body 0 has a joint"));
    make_kinematic(world, b, NULL, NULL);
    def.a = b;
    assert_int_equal(scree_world_add_joint(world, &def, NULL),
                     SCREE_BAD_ARGUMENT);
    assert_non_null(
        strstr(scree_world_error(world), "kinematic bodies have no joints"));
    assert_ok(scree_world_remove_bodies(world, &b, 1));
    assert_false(scree_world_is_kinematic(world, b));
    run(world, 3);
    scree_world_destroy(world);
}

/* ---- groups ---------------------------------------------------------------------------- */

/* Balls of groups that do not collide pass each other; one that collides with both hits
 * them. A wall lets a group pass. */
static void groups__that_do_not_collide__pass(void **state) {
    (void)state;
    for (int s = 0; s < STEPPERS; ++s) {
        scree_world *world = make_scene(steppers[s], 0, 1);
        const scree_vec3 v = {1, 0, 0};
        scree_material_def sieve = scree_material_def_default();
        int mesh;
        sieve.law.e_n = 1;
        assert_ok(scree_world_add_material(world, &sieve, &mesh));
        assert_ok(scree_world_set_material_group(world, mesh, 1, 5));
        const int64_t a = add_sphere(world, RADIUS, none, v, none);
        const int64_t b =
            add_sphere(world, RADIUS, vec(1, 0, 0), scale(-1, v), none);
        scree_plane_def wall = scree_plane_def_default();
        vec_to(vec(1.5, 0, 0), wall.point);
        vec_to(vec(-1, 0, 0), wall.normal);
        wall.material = mesh;
        assert_ok(scree_world_add_plane(world, &wall, NULL));
        assert_ok(scree_world_set_group(world, a, 2, 2));
        assert_ok(scree_world_set_group(world, b, 4, 5));
        run(world, 800);
        assert_near(read_body(world, a).v.x, 1, 0);
        assert_near(read_body(world, b).v.x, -1, 0);
        assert_near(read_body(world, a).x.x, 0.8, 1e-12);
        run(world, 1200); /* a goes through the wall */
        assert_near(read_body(world, a).x.x, 2, 1e-11);
        assert_ok(
            scree_world_set_position(world, b, (double[3]){1, 0, 0}, NULL));
        assert_ok(
            scree_world_set_velocity(world, b, (double[3]){1, 0, 0}, NULL));
        run(world, 1000); /* b, which is in a group of its own, does not */
        assert_near(read_body(world, b).v.x, -1, 1e-6);
        scree_world_destroy(world);
    }
}

/* A thin wall that stops what is fast lets a kinematic body and a group pass on their way. */
static void mesh__fast_bodies__passes_and_stops(void **state) {
    (void)state;
    static const double vertices[] = {0, -5, -5, 0, 9, -5, 0, -5, 9};
    static const int32_t corners[] = {0, 1, 2};
    for (int s = 0; s < STEPPERS; ++s) {
        scree_world *world = make_scene(steppers[s], 0, 0);
        scree_mesh_def mesh = scree_mesh_def_default();
        mesh.vertices = vertices, mesh.n_vertex = 3;
        mesh.corners = corners, mesh.n_triangle = 1;
        mesh.two_sided = true;
        assert_ok(scree_world_add_mesh(world, &mesh, NULL));
        for (int k = 0; k < 3; ++k)
            add_sphere(world, RADIUS, vec(-1.03, 0.5 * k, 0), vec(300, 0, 0),
                       none);
        make_kinematic(world, 0, NULL, NULL);
        assert_ok(scree_world_set_group(world, 1, 2, 2));
        run(world, 10);
        assert_near(read_body(world, 0).x.x, 1.97, 1e-12);
        assert_near(read_body(world, 1).x.x, 1.97, 1e-12);
        assert_near(read_body(world, 2).x.x, -RADIUS, 1e-3);
        scree_world_destroy(world);
    }
}

/* The mask of one side is enough; both ways of adding a filter, and of taking it back. */
static void groups__one_sided__and_taken_back(void **state) {
    (void)state;
    scree_world *world = make_scene("moreau", 0, 1);
    const int64_t a = add_sphere(world, RADIUS, none, vec(1, 0, 0), none);
    const int64_t b = add_sphere(world, RADIUS, vec(0.3, 0, 0), none, none);
    assert_ok(scree_world_set_group(world, b, 2, 2));
    run(world, 600);
    assert_near(read_body(world, a).x.x, 0.6, 1e-12);
    assert_ok(scree_world_set_group(world, b, 1, UINT32_MAX));
    assert_ok(scree_world_set_velocity(world, a, (double[3]){-1, 0, 0}, NULL));
    run(world, 600);
    assert_near(read_body(world, a).v.x, 0, 1e-9);
    assert_near(read_body(world, b).v.x, -1, 1e-9);
    assert_int_equal(scree_world_set_group(world, b, 0, 1), SCREE_BAD_ARGUMENT);
    scree_world_destroy(world);
}

/* ---- callbacks --------------------------------------------------------------------------- */

typedef struct witness {
    int before, after, calls;
    int64_t last_steps, contacts;
    double force;
    int stop_at;
} witness;

static scree_status see_before(void *context, scree_world *world) {
    witness *w = context;
    ++w->before;
    w->last_steps = scree_world_steps(world);
    const double up[3] = {0, 0, 20};
    return w->before == 5 ? scree_world_apply_force(world, 0, up, NULL)
                          : SCREE_OK;
}

static scree_status see_contacts(void *context, const scree_world *world,
                                 const scree_contact_view *list, int64_t n) {
    witness *w = context;
    ++w->calls;
    w->contacts = n;
    w->force = 0;
    for (int64_t k = 0; k < n; ++k) {
        double F[3];
        scree_world_contact_force(world, &list[k], F);
        w->force += F[2];
        if (k > 0) assert_true(list[k].a >= list[k - 1].a);
    }
    return w->calls == w->stop_at ? SCREE_LEFT : SCREE_OK;
}

static scree_status see_after(void *context, scree_world *world) {
    witness *w = context;
    ++w->after;
    assert_int_equal(scree_world_steps(world), w->last_steps + 1);
    return SCREE_OK;
}

/* In their order; what one applies acts in the step; one that says no ends the step. */
static void callbacks__steps__see_contacts_and_act(void **state) {
    (void)state;
    scree_world *world = make_scene("moreau", G, 0);
    witness w = {.stop_at = 8};
    scree_callbacks calls = {see_before, see_contacts, see_after, &w};
    add_floor(world);
    double weight = 0;
    for (int k = 0; k < 3; ++k) {
        add_sphere(world, RADIUS, vec(k, 0, RADIUS), none, none);
        weight += read_body(world, k).m * G;
    }
    assert_ok(scree_world_set_callbacks(world, &calls));
    for (int k = 1; k <= 7; ++k) {
        run(world, 1);
        assert_int_equal(w.contacts, 3);
        assert_near(w.force, weight - (k == 5 ? 20 : 0), 1e-6 * weight);
    }
    assert_int_equal(w.before + w.calls + w.after, 21);
    scree_contact_view own[2];
    assert_int_equal(scree_world_read_body_contacts(world, 1, own, 2), 1);
    assert_int_equal(own[0].a, 1);
    assert_int_equal(scree_world_read_body_contacts(world, 1, own, 0), 1);
    assert_int_equal(scree_world_step(world), SCREE_LEFT);
    assert_non_null(strstr(scree_world_error(world), "contacts ended step 8"));
    assert_ok(scree_world_set_callbacks(world, NULL));
    run(world, 1);
    assert_int_equal(w.before, 8);
    scree_world_destroy(world);
}

/* Bodies that come and go between steps, told by a callback, in a world with drag, groups and
 * a kinematic body: what goes with bodies goes on with them. */
static scree_status come_and_go(void *context, scree_world *world) {
    const int64_t step = scree_world_steps(world);
    const int k = (int)(step / 10);
    int64_t *oldest = context;
    if (step % 10 == 0) {
        const int64_t id =
            add_sphere(world, RADIUS,
                       vec(0.3 * (k % 5) - 0.6, 0.3 * (k / 5 % 4) - 0.45, 1.5),
                       vec(0, 0, -8), none);
        if (k % 3 == 0) assert_ok(scree_world_set_group(world, id, 2, 0));
    }
    if (step % 10 != 5 || step < 200) return SCREE_OK;
    ++*oldest;
    return scree_world_remove_bodies(world, oldest, 1);
}

static void callbacks__bodies__come_and_go(void **state) {
    (void)state;
    for (int s = 0; s < STEPPERS; ++s) {
        scree_world *world = make_scene(steppers[s], G, 0.2);
        int64_t oldest = 1; /* behind the plate and the ghost */
        scree_callbacks calls = {.before_step = come_and_go,
                                 .context = &oldest};
        scree_force_def drag = scree_force_def_default();
        drag.drag.linear = 0.3;
        assert_ok(scree_world_add_force(world, &drag, NULL));
        const int64_t plate = add_plate(world, vec(4, 4, 0.2), none);
        const int64_t ghost =
            add_sphere(world, RADIUS, vec(0, 0, 0.5), none, none);
        make_kinematic(world, plate, NULL, NULL);
        assert_ok(scree_world_set_group(world, ghost, 2, 2));
        assert_ok(scree_world_set_callbacks(world, &calls));
        run(world, 600);
        assert_int_equal(scree_world_body_count(world), 2 + 60 - 40);
        assert_true(scree_world_is_kinematic(world, plate));
        double x[22][3];
        assert_ok(scree_world_read_state(
            world, &(scree_state_view){.position = x[0]}));
        assert_near(x[0][2], 0, 0);
        const double c = 0.3, t = 0.6; /* it fell through all of them */
        assert_near(x[1][2], 0.5 - G / c * (t - (1 - exp(-c * t)) / c), 1e-4);
        for (int k = 40; k < 58; ++k) /* but for the last, in the air */
            if (k % 3 == 0)
                assert_true(x[k - 38][2] < 1.5 - 8 * 0.01 * (60 - k) + 0.01);
            else
                assert_true(x[k - 38][2] > 0.1 + 0.99 * RADIUS);
        const scree_scalars now = read_scalars(world);
        assert_near(now.scheme_error, 0, (s ? 5e-3 : 1e-11) * now.dissipated);
        scree_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paddle__ball__leaves_with_1_plus_e),
        cmocka_unit_test(ball__rain__keeps_the_books),
        cmocka_unit_test(ball__fast_at_first__is_not_late),
        cmocka_unit_test(lift__ball__rides_along),
        cmocka_unit_test(let_go__old_mass__falls),
        cmocka_unit_test(kinematic__all_methods__push_a_heap),
        cmocka_unit_test(kinematic__joint__is_refused),
        cmocka_unit_test(groups__that_do_not_collide__pass),
        cmocka_unit_test(mesh__fast_bodies__passes_and_stops),
        cmocka_unit_test(groups__one_sided__and_taken_back),
        cmocka_unit_test(callbacks__steps__see_contacts_and_act),
        cmocka_unit_test(callbacks__bodies__come_and_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
