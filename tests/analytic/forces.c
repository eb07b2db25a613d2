/* Forces on bodies against closed forms: fields, drag, buoyancy, what a program applies;
 * the order of flights, the balance of energy, restarts. */
#include <string.h>

#include "engine/base/error.h"
#include "engine/scree_forces.h"
#include "engine/world/state.h"
#include "tests/in_memory.h"
#include "tests/support.h"

static const char *const steppers[] = {"moreau", "rattle"};
enum { STEPPERS = 2 };

static const double G = 9.81, RADIUS = 0.1;
static const scree_vec3 none = {0, 0, 0};

static scree_world *make_sky(const char *stepper, double dt, double g) {
    scree_world_def def = scree_world_def_default();
    def.stepper = stepper;
    def.dt = dt;
    def.gravity[2] = -g;
    def.solver.tolerance = 1e-9;
    return make_world(&def, (scree_contact_law){.friction = 0.3});
}

static void add_force(scree_world *world, const scree_force_def *def) {
    if (scree_world_add_force(world, def, NULL) != SCREE_OK)
        fail_msg("%s", scree_world_error(world));
}

static void add_drag(scree_world *world, scree_drag drag) {
    scree_force_def def = scree_force_def_default();
    def.drag = drag;
    add_force(world, &def);
}

static void add_acceleration(scree_world *world, scree_vec3 a) {
    scree_force_def def = scree_force_def_default();
    vec_to(a, def.acceleration);
    add_force(world, &def);
}

static int64_t add_box_body(scree_world *world, scree_vec3 x, scree_vec3 w) {
    scree_shape_def shape = scree_shape_def_default();
    scree_body_def def = scree_body_def_default();
    int64_t id;
    const double size[3] = {0.3, 0.2, 0.1};
    memcpy(shape.size, size, sizeof size);
    assert_ok(scree_world_add_shape(world, &shape, &def.shape));
    vec_to(x, def.position);
    vec_to(w, def.angular_velocity);
    assert_ok(scree_world_add_body(world, &def, &id));
    return id;
}

static double density_of(const body *b) {
    return b->m / (4.0 / 3 * SCREE_PI * b->r * b->r * b->r);
}

/* ---- fields ---------------------------------------------------------------------------- */

/* A field of acceleration does what gravity does. */
static void field__acceleration__is_gravity(void **state) {
    (void)state;
    for (int s = 0; s < STEPPERS; ++s) {
        scree_world *a = make_sky(steppers[s], 1e-3, G),
                    *b = make_sky(steppers[s], 1e-3, 0);
        add_acceleration(b, vec(0, 0, -G));
        add_floor(a);
        add_floor(b);
        for (int k = 0; k < 2; ++k) {
            scree_world *world = k ? b : a;
            add_sphere(world, RADIUS, vec(0, 0, RADIUS + 0.02), none, none);
            add_sphere(world, RADIUS, vec(0.02, 0, 3 * RADIUS + 0.03), none,
                       none);
            run(world, 400);
        }
        for (int k = 0; k < 2; ++k)
            assert_near(norm(sub(read_body(a, k).x, read_body(b, k).x)), 0,
                        1e-6);
        const scree_scalars now = read_scalars(b);
        assert_near(now.scheme_error, 0, s ? 2e-3 * now.dissipated : 1e-12);
        assert_true(now.force_work > 0 && now.potential == 0);
        scree_world_destroy(a);
        scree_world_destroy(b);
    }
}

/* A force of one material, in a box: v^2 = 2 F l / m behind it. */
static void field__box_and_material__acts_there_alone(void **state) {
    (void)state;
    for (int s = 0; s < STEPPERS; ++s) {
        scree_world *world = make_sky(steppers[s], 1e-4, 0);
        scree_material_def other = scree_material_def_default();
        other.density = 1000;
        int heavy;
        assert_ok(scree_world_add_material(world, &other, &heavy));
        scree_force_def def = scree_force_def_default();
        def.force[0] = 50;
        def.low[0] = 0.25, def.high[0] = 1;
        def.materials = (int[]){0}, def.n_material = 1;
        add_force(world, &def);
        const scree_vec3 v = {1, 0, 0};
        add_sphere(world, RADIUS, none, v, none);
        scree_sphere_def sphere = scree_sphere_def_default();
        sphere.material = heavy;
        sphere.radius = RADIUS;
        sphere.position[1] = 1;
        sphere.velocity[0] = 1;
        assert_ok(scree_world_add_sphere(world, &sphere, NULL));
        run(world, 15000);
        const body b = read_body(world, 0);
        const double work = 50 * 0.75;
        assert_near(b.v.x, sqrt(1 + 2 * work / b.m), 1e-3);
        assert_near(read_scalars(world).force_work, work, 2e-3 * work);
        assert_near(energy_defect(world), 0, 1e-12 * work);
        assert_near(read_body(world, 1).v.x, 1, 0);
        scree_world_destroy(world);
    }
}

/* A torque turns a ball by T t / theta, and gives T phi. */
static void field__torque__spins_up(void **state) {
    (void)state;
    for (int s = 0; s < STEPPERS; ++s) {
        scree_world *world = make_sky(steppers[s], 1e-3, 0);
        scree_force_def def = scree_force_def_default();
        def.torque[1] = 0.3;
        add_force(world, &def);
        add_sphere(world, RADIUS, none, none, none);
        run(world, 500);
        const body b = read_body(world, 0);
        const double theta = 0.4 * b.m * b.r * b.r, w = 0.3 * 0.5 / theta;
        assert_near(b.w.y, w, 1e-12 * w);
        assert_near(read_scalars(world).force_work, 0.5 * theta * w * w,
                    1e-12 * theta * w * w);
        scree_world_destroy(world);
    }
}

/* What presses a ball on a floor is borne in the same step, much as it may be. */
static void field__press__rests(void **state) {
    (void)state;
    for (int s = 0; s < STEPPERS; ++s) {
        scree_world *world = make_sky(steppers[s], 1e-3, G);
        scree_force_def def = scree_force_def_default();
        add_floor(world);
        add_sphere(world, RADIUS, vec(0, 0, RADIUS), none, none);
        const double m = read_body(world, 0).m;
        def.force[2] = -99 * m * G;
        add_force(world, &def);
        double force[3];
        run(world, 300);
        scree_world_read_wall_force(world, 0, force);
        assert_near(force[2], -100 * m * G, 1e-6 * m * G);
        assert_near(read_body(world, 0).x.z, RADIUS, 1e-7);
        assert_near(norm(read_body(world, 0).v), 0, 1e-7);
        scree_world_destroy(world);
    }
}

/* The same with Poisson's law: what it bears at rest is no hit, and not given back. */
static void field__press_with_poisson__rests(void **state) {
    (void)state;
    const scree_contact_law law = {.e_n = 0.8, .impact = SCREE_IMPACT_POISSON};
    scree_world_def def = scree_world_def_default();
    def.gap_control = false;
    scree_world *world = make_world(&def, law);
    scree_force_def press = scree_force_def_default();
    add_floor(world);
    add_sphere(world, RADIUS, vec(0, 0, RADIUS), none, none);
    press.force[2] = -99 * read_body(world, 0).m * G;
    add_force(world, &press);
    run(world, 100);
    assert_near(read_body(world, 0).x.z, RADIUS, 1e-6);
    scree_world_destroy(world);
}

/* Energy that a field gives in the step of a hit is none that the hit makes: all of its
 * restitution holds. */
static void field__sideways__hits_keep_their_restitution(void **state) {
    (void)state;
    for (int s = 0; s < STEPPERS; ++s) {
        scree_world_def def = scree_world_def_default();
        def.stepper = steppers[s];
        scree_world *world = make_world(&def, (scree_contact_law){.e_n = 0.8});
        scree_force_def push = scree_force_def_default();
        add_floor(world);
        add_sphere(world, RADIUS, vec(0, 0, RADIUS + 0.0105), vec(0, 0, -1),
                   none);
        push.force[0] = 2000 * read_body(world, 0).m;
        add_force(world, &push);
        run(world, 20);
        assert_near(read_body(world, 0).v.z, 0.8, 0.15);
        scree_world_destroy(world);
    }
}

/* ---- drag ------------------------------------------------------------------------------ */

/* Whatever the step: linear drag ends at v_f + g / c, quadratic at sqrt(2 m g / (rho C A)). */
static void drag__terminal_velocity__for_any_step(void **state) {
    (void)state;
    static const double steps[] = {1e-3, 0.1, 10};
    for (int s = 0; s < STEPPERS; ++s)
        for (int k = 0; k < 3; ++k) {
            scree_world *a = make_sky(steppers[s], steps[k], G),
                        *b = make_sky(steppers[s], steps[k], G);
            add_drag(a, (scree_drag){.linear = 5, .velocity = {3, 0, 0}});
            add_drag(b, (scree_drag){.quadratic = 0.47, .density = 200});
            add_sphere(a, RADIUS, none, vec(0, 1, 5), none);
            add_sphere(b, RADIUS, none, vec(0, 0, 0), none);
            const int n = k == 0 ? 20000 : 400;
            run(a, n);
            run(b, n);
            const scree_vec3 v = read_body(a, 0).v;
            assert_near(norm(sub(v, vec(3, 0, -G / 5))), 0, 1e-11);
            const body ball = read_body(b, 0);
            const double area = SCREE_PI * RADIUS * RADIUS;
            const double fall = sqrt(2 * ball.m * G / (200 * 0.47 * area));
            assert_near(ball.v.z, -fall, 1e-10 * fall);
            scree_world_destroy(a);
            scree_world_destroy(b);
        }
}

/* x(t), v(t) with dv/dt = g - c v. */
static void fall_with_drag(double c, double t, scree_vec3 v, scree_vec3 *x,
                           scree_vec3 *u) {
    const scree_vec3 end = {0, 0, -G / c};
    const scree_vec3 rest = sub(v, end);
    *u = add_scaled(end, exp(-c * t), rest);
    *x = add_scaled(scale(t, end), (1 - exp(-c * t)) / c, rest);
}

static double projectile_error(const char *stepper, double dt) {
    const double c = 2, end = 0.8;
    const scree_vec3 v = {4, 0, 6};
    scree_vec3 x, u;
    scree_world *world = make_sky(stepper, dt, G);
    add_drag(world, (scree_drag){.linear = c});
    add_sphere(world, RADIUS, none, v, none);
    run(world, (int)lround(end / dt));
    fall_with_drag(c, end, v, &x, &u);
    const body b = read_body(world, 0);
    assert_near(norm(sub(b.v, u)), 0, 1e-12);
    scree_world_destroy(world);
    return norm(sub(b.x, x));
}

/* The velocity is exact, the place of second order. */
static void drag__projectile__order_2(void **state) {
    (void)state;
    for (int s = 0; s < STEPPERS; ++s) {
        const double coarse = projectile_error(steppers[s], 0.02),
                     fine = projectile_error(steppers[s], 0.01);
        assert_true(coarse < 2e-3);
        assert_near(log2(coarse / fine), 2, 0.01);
    }
}

/* From rest v = v_T tanh(g t / v_T). */
static double tanh_error(const char *stepper, double dt) {
    scree_world *world = make_sky(stepper, dt, G);
    add_drag(world, (scree_drag){.quadratic = 0.47, .density = 500});
    add_sphere(world, RADIUS, none, none, none);
    run(world, (int)lround(0.6 / dt));
    const body b = read_body(world, 0);
    const double area = SCREE_PI * RADIUS * RADIUS;
    const double fall = sqrt(2 * b.m * G / (500 * 0.47 * area));
    scree_world_destroy(world);
    return fabs(b.v.z + fall * tanh(G * 0.6 / fall));
}

static void drag__quadratic_fall__order_2(void **state) {
    (void)state;
    for (int s = 0; s < STEPPERS; ++s) {
        const double coarse = tanh_error(steppers[s], 0.02),
                     fine = tanh_error(steppers[s], 0.01);
        assert_true(coarse < 1e-3);
        assert_near(log2(coarse / fine), 2, 0.05);
    }
}

/* Two fields together, in flight. */
static double side_error(const char *stepper, double dt) {
    scree_world *world = make_sky(stepper, dt, 0);
    add_acceleration(world, vec(3, 0, 0));
    add_acceleration(world, vec(0, 0, -2));
    add_sphere(world, RADIUS, none, vec(0, 1, 0), none);
    run(world, (int)lround(1 / dt));
    const body b = read_body(world, 0);
    scree_world_destroy(world);
    return norm(sub(b.x, vec(1.5, 1, -1)));
}

/* A constant field alone is exact in flight. */
static void field__flight__exact(void **state) {
    (void)state;
    for (int s = 0; s < STEPPERS; ++s)
        assert_near(side_error(steppers[s], 0.1), 0, 1e-13);
}

/* The spin decays by its rate, and all that is lost is drag. */
static void drag__spin__decays(void **state) {
    (void)state;
    for (int s = 0; s < STEPPERS; ++s) {
        scree_world *world = make_sky(steppers[s], 0.01, 0);
        add_drag(world, (scree_drag){.spin = 3});
        add_sphere(world, RADIUS, none, none, vec(0, 0, 10));
        const double before = read_scalars(world).kinetic;
        run(world, 50);
        assert_near(read_body(world, 0).w.z, 10 * exp(-1.5), 1e-12);
        const scree_scalars now = read_scalars(world);
        assert_near(now.dissipated_drag, before - now.kinetic, 1e-13 * before);
        assert_near(now.scheme_error, 0, 1e-13 * before);
        scree_world_destroy(world);
    }
}

/* A body of half the fluid's density rises by g; one of the same hovers. */
static void drag__buoyancy__lifts(void **state) {
    (void)state;
    for (int s = 0; s < STEPPERS; ++s)
        for (int twice = 1; twice <= 2; ++twice) {
            scree_world *world = make_sky(steppers[s], 1e-3, G);
            add_sphere(world, RADIUS, none, none, none);
            const body b = read_body(world, 0);
            add_drag(world, (scree_drag){.density = twice * density_of(&b),
                                         .buoyancy = true});
            run(world, 500);
            assert_near(read_body(world, 0).v.z, (twice - 1) * G * 0.5, 1e-12);
            assert_near(energy_defect(world), 0, s ? 1e-2 : 1e-10);
            scree_world_destroy(world);
        }
}

/* A wind that blows on a ball at rest: what it gives is the ball's energy and what drag
 * takes. The first fluid of two holds. */
static void drag__wind__carries(void **state) {
    (void)state;
    for (int s = 0; s < STEPPERS; ++s) {
        scree_world *world = make_sky(steppers[s], 1e-3, 0);
        add_drag(world, (scree_drag){.linear = 4, .velocity = {2, 0, 0}});
        add_drag(world, (scree_drag){.linear = 100});
        add_sphere(world, RADIUS, none, none, none);
        run(world, 1000);
        const scree_scalars now = read_scalars(world);
        const body b = read_body(world, 0);
        const double v = 2 * (1 - exp(-4));
        assert_near(b.v.x, v, 1e-12);
        assert_near(now.force_work, b.m * v * 2, 1e-10 * b.m);
        assert_near(now.dissipated_drag, b.m * (2 * v - 0.5 * v * v),
                    1e-10 * b.m);
        assert_near(now.scheme_error, 0, 1e-11 * b.m);
        scree_world_destroy(world);
    }
}

/* ---- what is applied --------------------------------------------------------------------- */

/* An impulse is m dv to the last bits, a force F dt / m in one step and no more; off the
 * centre they turn it. */
static void apply__one_step__then_forgotten(void **state) {
    (void)state;
    for (int s = 0; s < STEPPERS; ++s) {
        scree_world *world = make_sky(steppers[s], 1e-3, 0);
        const int64_t id = add_sphere(world, RADIUS, none, none, none);
        const double J[3] = {0.3, -0.7, 0.2}, F[3] = {0, 0, 40};
        const double at[3] = {0.1, 0, 0}, T[3] = {0, 0, 0.5};
        const body b = read_body(world, id);
        const double theta = 0.4 * b.m * b.r * b.r;
        assert_ok(scree_world_apply_impulse(world, id, J, NULL));
        run(world, 2);
        const scree_vec3 dv = scale(1 / b.m, vec_from(J));
        assert_near(norm(sub(read_body(world, id).v, dv)), 0, 4e-16 * norm(dv));
        double point[3];
        vec_to(add(read_body(world, id).x, vec_from(at)), point);
        assert_ok(scree_world_apply_force(world, id, F, point));
        assert_ok(scree_world_apply_torque(world, id, T));
        run(world, 3);
        assert_near(read_body(world, id).v.z, dv.z + 40 * 1e-3 / b.m, 1e-14);
        assert_near(read_body(world, id).w.y, -0.1 * 40 * 1e-3 / theta, 1e-12);
        assert_near(read_body(world, id).w.z, 0.5 * 1e-3 / theta, 1e-12);
        const scree_scalars now = read_scalars(world);
        assert_near(now.force_work, now.kinetic, 1e-13 * now.kinetic);
        scree_world_destroy(world);
    }
}

/* An impulse on a ball that rests is borne by the floor, without a bounce. */
static void apply__on_the_floor__is_borne(void **state) {
    (void)state;
    for (int s = 0; s < STEPPERS; ++s) {
        scree_world *world = make_sky(steppers[s], 1e-3, G);
        add_floor(world);
        const int64_t id =
            add_sphere(world, RADIUS, vec(0, 0, RADIUS), none, none);
        run(world, 5);
        const body b = read_body(world, id);
        assert_ok(scree_world_apply_impulse(world, id,
                                            (double[3]){0, 0, -3 * b.m}, NULL));
        run(world, 1);
        double force[3];
        scree_world_read_wall_force(world, 0, force);
        assert_near(-force[2] * 1e-3, (3 + G * 1e-3) * b.m, 1e-6 * b.m);
        run(world, 50);
        assert_near(read_body(world, id).x.z, RADIUS, 1e-6);
        scree_world_destroy(world);
    }
}

/* ---- states ---------------------------------------------------------------------------- */

static void set__states__count_as_inserted(void **state) {
    (void)state;
    scree_world *world = make_sky("moreau", 1e-3, G);
    const int64_t a = add_sphere(world, RADIUS, none, none, none);
    const int64_t b = add_box_body(world, vec(2, 0, 0), none);
    assert_ok(scree_world_set_velocity(world, a, (double[3]){1, 2, 3}, NULL));
    assert_ok(scree_world_set_velocity(world, b, NULL, (double[3]){0, 4, 1}));
    assert_ok(scree_world_set_position(world, b, (double[3]){0, 0, 5},
                                       (double[4]){0, 1, 0, 0}));
    assert_near(read_body(world, b).q.x, 1, 0);
    scree_scalars now = read_scalars(world);
    assert_near(now.inserted, now.kinetic + now.potential, 1e-12);
    assert_ok(scree_world_set_gravity(world, (double[3]){0, 0, 1}));
    now = read_scalars(world);
    assert_near(now.inserted, now.kinetic + now.potential, 1e-12);
    run(world, 100);
    assert_near(read_body(world, a).v.z, 3 + 0.1, 1e-12);
    assert_near(energy_defect(world), 0, 1e-3);
    scree_world_destroy(world);
}

static void refuse(scree_world *world, scree_status status, scree_status code,
                   const char *words) {
    assert_int_equal(status, code);
    if (!strstr(scree_world_error(world), words))
        fail_msg("'%s' lacks '%s'", scree_world_error(world), words);
}

static void arguments__wrong__are_refused_by_name(void **state) {
    (void)state;
    const scree_status bad = SCREE_BAD_ARGUMENT;
    scree_world *world = make_sky("moreau", 1e-3, G);
    scree_force_def def = scree_force_def_default();
    refuse(world, scree_world_add_force(world, &def, NULL), bad,
           "neither a field nor drag");
    def.drag.quadratic = 1;
    refuse(world, scree_world_add_force(world, &def, NULL), bad, "density");
    def.drag.density = 1, def.low[1] = 2, def.high[1] = 2;
    refuse(world, scree_world_add_force(world, &def, NULL), bad,
           "low[1] = 2 is not below high[1] = 2");
    refuse(world, scree_world_apply_impulse(world, 3, def.low, NULL), bad,
           "an impulse is NULL or not finite");
    refuse(world, scree_world_apply_torque(world, 3, def.torque), bad,
           "no body 3");
    refuse(world, scree_world_set_velocity(world, -1, def.torque, NULL), bad,
           "no body -1");
    scree_world_destroy(world);
    world = make_sky("schatzman-paoli", 1e-3, G);
    add_sphere(world, RADIUS, none, none, none);
    def = scree_force_def_default();
    def.force[0] = 1;
    refuse(world, scree_world_add_force(world, &def, NULL), SCREE_UNSUPPORTED,
           "stepper 'schatzman-paoli' does not know forces: moreau and rattle");
    refuse(world, scree_world_apply_force(world, 0, def.force, NULL),
           SCREE_UNSUPPORTED, "schatzman-paoli");
    refuse(world, scree_world_set_kinematic(world, 0, true, NULL, NULL),
           SCREE_UNSUPPORTED, "kinematic bodies");
    scree_world_destroy(world);
}

/* ---- books and restarts -------------------------------------------------------------------- */

/* A crowd that a wind blows about a box, with a field in a part of it. */
static scree_world *make_storm(const char *stepper, bool bodies, int threads) {
    scree_world_def def = scree_world_def_default();
    def.stepper = stepper;
    def.dt = 2e-3;
    def.threads = threads;
    scree_world *world =
        make_world(&def, (scree_contact_law){.friction = 0.4, .e_n = 0.3});
    scree_force_def field = scree_force_def_default();
    field.acceleration[0] = 30;
    field.high[2] = 0.3;
    add_force(world, &field);
    add_drag(world, (scree_drag){.linear = 0.5,
                                 .quadratic = 0.5,
                                 .spin = 1,
                                 .density = 20,
                                 .velocity = {0, 4, 1},
                                 .buoyancy = true});
    add_box(world, 0.5);
    if (bodies) add_cloud(world, 60, 0.45, 0.04, 0.06, 7);
    return world;
}

static void books__storm__balance(void **state) {
    (void)state;
    for (int s = 0; s < STEPPERS; ++s) {
        scree_world *world = make_storm(steppers[s], true, 1);
        run(world, 300);
        const scree_scalars now = read_scalars(world);
        assert_true(now.force_work > 0 && now.dissipated_drag > 0);
        assert_near(now.scheme_error, 0, (s ? 2e-2 : 1e-11) * now.dissipated);
        scree_world_destroy(world);
    }
}

/* Steps that are taken in parts, because a crowd lands fast, give all of what is applied,
 * once. */
static void apply__steps_in_parts__once(void **state) {
    (void)state;
    scree_world_def def = scree_world_def_default();
    def.dt = 5e-3;
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 0.4});
    add_box(world, 0.5);
    for (int k = 0; k < 200; ++k)
        add_sphere(world, 0.05,
                   vec(0.1 * (k % 8) - 0.4, 0.1 * (k / 8 % 5) - 0.3,
                       0.2 + 0.11 * (k / 40)),
                   vec(0, 0, -12), none);
    const int64_t id = add_sphere(world, 0.05, vec(0, 0, 9), none, none);
    const double m = read_body(world, id).m;
    const double J[3] = {0.5 * m, 0, 0}, F[3] = {0, m, m * G};
    for (int k = 1; k <= 12; ++k) {
        assert_ok(scree_world_apply_impulse(world, id, J, NULL));
        assert_ok(scree_world_apply_force(world, id, F, NULL));
        run(world, 1);
        const scree_vec3 v = read_body(world, id).v;
        assert_near(norm(sub(v, vec(0.5 * k, 5e-3 * k, 0))), 0, 1e-12);
    }
    scree_cost cost;
    scree_world_read_cost(world, &cost);
    assert_true(cost.parts > 0);
    scree_world_destroy(world);
}

static void threads__any__same_bits(void **state) {
    (void)state;
    for (int s = 0; s < STEPPERS; ++s) {
        uint64_t hash[2];
        double work[2];
        for (int k = 0; k < 2; ++k) {
            scree_world *world = make_storm(steppers[s], true, 1 + 2 * k);
            run(world, 150);
            hash[k] = scree_world_hash(world);
            work[k] = read_scalars(world).force_work;
            scree_world_destroy(world);
        }
        assert_int_equal(hash[0], hash[1]);
        assert_near(work[0], work[1], 0);
    }
}

static void push_and_kick(scree_world *world) {
    assert_ok(scree_world_apply_force(world, 3, (double[3]){0, 0, 90},
                                      (double[3]){0, 0.01, 0}));
    assert_ok(scree_world_apply_impulse(world, 5, (double[3]){2, 0, 0}, NULL));
    assert_ok(scree_world_set_gravity(world, (double[3]){1, 0, -5}));
    assert_ok(scree_world_set_group(world, 7, 2, 3));
    assert_ok(scree_world_set_kinematic(world, 9, true, NULL, NULL));
}

/* What waits for the next step, gravity, groups and who is kinematic go with the state. */
static void restart__in_the_middle__same_bits(void **state) {
    (void)state;
    for (int s = 0; s < STEPPERS; ++s) {
        in_memory m = {.n = 0};
        scree_error error = {0};
        scree_archive a = {.ops = &in_memory_ops, .self = &m, .error = &error};
        scree_world *world = make_storm(steppers[s], true, 1);
        run(world, 100);
        push_and_kick(world);
        assert_ok(scree_world_archive(world, &a));
        run(world, 100);
        scree_world *again = make_storm(steppers[s], false, 1);
        scree_archive b = {
            .ops = &in_memory_ops, .self = &m, .loads = true, .error = &error};
        if (scree_world_archive(again, &b) != SCREE_OK)
            fail_msg("%s", error.text);
        assert_true(scree_world_is_kinematic(again, 9));
        run(again, 100);
        assert_int_equal(scree_world_hash(again), scree_world_hash(world));
        assert_near(read_scalars(again).force_work,
                    read_scalars(world).force_work, 0);
        assert_near(read_scalars(again).inserted, read_scalars(world).inserted,
                    0);
        scree_world_destroy(world);
        scree_world_destroy(again);
        in_memory_clear(&m);
    }
}

/* Bodies that a file says are kinematic, and the file's list of them, agree. */
static void restart__without_the_list__is_refused(void **state) {
    (void)state;
    in_memory m = {.n = 0};
    scree_error error = {0};
    scree_archive a = {.ops = &in_memory_ops, .self = &m, .error = &error};
    scree_world *world = make_storm("moreau", true, 1);
    push_and_kick(world);
    assert_ok(scree_world_archive(world, &a));
    m.lost = "forces/kinematic";
    scree_world *again = make_storm("moreau", false, 1);
    scree_archive b = {
        .ops = &in_memory_ops, .self = &m, .loads = true, .error = &error};
    assert_int_equal(scree_world_archive(again, &b), SCREE_BAD_INPUT);
    assert_non_null(strstr(error.text, "body 9 has no mass"));
    scree_world_destroy(world);
    scree_world_destroy(again);
    in_memory_clear(&m);
}

/* A body that is no sphere, with a torque and drag of its spin: what its free rotation leaves
 * of the balance shrinks with the step. */
static void torque__box__keeps_its_books(void **state) {
    (void)state;
    for (int s = 0; s < STEPPERS; ++s) {
        double error[2];
        for (int k = 0; k < 2; ++k) {
            scree_world *world = make_sky(steppers[s], 2e-3 / (1 << k), 0);
            scree_force_def def = scree_force_def_default();
            def.torque[0] = 2;
            def.drag.spin = 0.5;
            add_force(world, &def);
            add_box_body(world, none, vec(1, 2, 3));
            run(world, 500 << k);
            const scree_scalars now = read_scalars(world);
            assert_true(now.force_work > 0 && now.dissipated_drag > 0);
            error[k] = fabs(now.scheme_error) / now.kinetic;
            assert_true(error[k] < 1e-2);
            scree_world_destroy(world);
        }
        assert_true(error[1] < 0.6 * error[0]);
    }
}

static void plane__disc__has_the_area_of_its_width(void **state) {
    (void)state;
    scree_world_def def = scree_world_def_default();
    def.planar = true;
    def.gravity[1] = -G, def.gravity[2] = 0;
    def.dt = 0.05;
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 0});
    add_drag(world, (scree_drag){.quadratic = 1.2, .density = 300});
    add_sphere(world, RADIUS, none, none, none);
    run(world, 400);
    const body b = read_body(world, 0);
    assert_near(b.v.y, -sqrt(2 * b.m * G / (300 * 1.2 * 2 * RADIUS)), 1e-9);
    scree_force_def field = scree_force_def_default();
    field.force[2] = 1;
    refuse(world, scree_world_add_force(world, &field, NULL),
           SCREE_BAD_ARGUMENT, "plane world");
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(field__acceleration__is_gravity),
        cmocka_unit_test(field__box_and_material__acts_there_alone),
        cmocka_unit_test(field__torque__spins_up),
        cmocka_unit_test(field__press__rests),
        cmocka_unit_test(field__press_with_poisson__rests),
        cmocka_unit_test(field__sideways__hits_keep_their_restitution),
        cmocka_unit_test(field__flight__exact),
        cmocka_unit_test(drag__terminal_velocity__for_any_step),
        cmocka_unit_test(drag__projectile__order_2),
        cmocka_unit_test(drag__quadratic_fall__order_2),
        cmocka_unit_test(drag__spin__decays),
        cmocka_unit_test(drag__buoyancy__lifts),
        cmocka_unit_test(drag__wind__carries),
        cmocka_unit_test(apply__one_step__then_forgotten),
        cmocka_unit_test(apply__on_the_floor__is_borne),
        cmocka_unit_test(set__states__count_as_inserted),
        cmocka_unit_test(arguments__wrong__are_refused_by_name),
        cmocka_unit_test(books__storm__balance),
        cmocka_unit_test(apply__steps_in_parts__once),
        cmocka_unit_test(threads__any__same_bits),
        cmocka_unit_test(restart__in_the_middle__same_bits),
        cmocka_unit_test(restart__without_the_list__is_refused),
        cmocka_unit_test(torque__box__keeps_its_books),
        cmocka_unit_test(plane__disc__has_the_area_of_its_width),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
