/* Bodies in and on cylinders and cones without facets, by closed forms. */
#include "tests/analytic/shapes_fixture.h"
#include "tests/trial.h"

typedef struct revolve {
    const double *profile;
    int n;
    bool endless;
    scree_vec3 axis;
    double rate;
} revolve;

static int add_revolved(scree_world *world, revolve r) {
    scree_revolved_def def = scree_revolved_def_default();
    def.profile = r.profile, def.n_point = r.n;
    def.endless = r.endless;
    vec_to(r.axis, def.axis);
    vec_to(r.axis, def.motion.axis);
    def.motion.rate = r.rate;
    int wall;
    assert_ok(scree_world_add_revolved(world, &def, &wall));
    return wall;
}

static const double R = 1, r = 0.1;
static const double tube[] = {1, -1, 1, 1};

/* ---- oscillation ----------------------------------------------------------------- */

/* Time of ten swings of a sphere in a lying cylinder, from its crossings. */
static double period_of(double mu, const char *stepper, double amplitude) {
    scree_world_def def = firm_def(2e-4);
    def.stepper = stepper;
    def.solver.tolerance = 1e-10;
    scree_world *world = make_world(&def, (scree_contact_law){.friction = mu});
    add_revolved(world, (revolve){tube, 2, true, vec(0, 1, 0), 0});
    add_sphere(world, r, scale(R - r, vec(sin(amplitude), 0, -cos(amplitude))),
               vec(0, 0, 0), vec(0, 0, 0));
    double first = 0, last = 0, x = 0, t = 0;
    int crossings = 0;
    while (crossings < 11) {
        run(world, 1);
        const double now = read_body(world, 0).x.x,
                     at = scree_world_time(world);
        if (x > 0 && now <= 0) {
            last = t + (at - t) * x / (x - now);
            if (++crossings == 1) first = last;
        }
        x = now, t = at;
        assert_true(at < 60);
    }
    assert_near(read_body(world, 0).x.y, 0, 1e-9);
    scree_world_destroy(world);
    return (last - first) / 10;
}

/* T = 2 pi sqrt((R - r) / g) (1 + a^2 / 16) sliding, sqrt(7 / 5) of that rolling. */
static void sphere__in_a_lying_cylinder__swings_in_time(void **state) {
    const double a = 0.05;
    const double T = 2 * SCREE_PI * sqrt((R - r) / G) * (1 + a * a / 16);
    assert_near(period_of(0, *state, a) / T, 1, 1e-4);
    assert_near(period_of(1, *state, a) / (T * sqrt(1.4)), 1, 1e-4);
}

/* ---- a drum that turns about its axis ------------------------------------------------ */

/* A sphere in a drum that turns comes to rest where it spins in place: it does not roll up
 * without rolling resistance, and its surface goes with the wall's. */
static void drum__turns_about_its_axis__spins_the_sphere(void **state) {
    scree_world_def def = firm_def(1e-3);
    def.stepper = *state;
    def.solver.tolerance = 1e-10;
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 0.5});
    add_revolved(world, (revolve){tube, 2, true, vec(0, 1, 0), 0.8});
    add_sphere(world, r, vec(0, 0, -(R - r)), vec(0, 0, 0), vec(0, 0, 0));
    /* Sliding friction sets it swinging, about the lowest place. */
    double sum = 0, x = 0;
    const int n = (int)lround(6e3 * SCREE_PI * sqrt(1.4 * (R - r) / G));
    run(world, 1000);
    for (int k = 0; k < n; ++k) {
        run(world, 1);
        const body b = read_body(world, 0);
        assert_near(norm(vec(b.x.x, 0, b.x.z)), R - r, 2e-5);
        sum += b.w.y, x += b.x.x;
    }
    /* No slip: the wall's point at the bottom moves at -0.8 R, as does the sphere's. */
    assert_near(sum / n, 0.8 * R / r, 0.01 * 0.8 * R / r);
    assert_near(x / n, 0, 5e-3);
    const scree_scalars s = read_scalars(world);
    assert_true(s.wall_work > 0);
    scree_world_destroy(world);
}

/* ---- a cone ------------------------------------------------------------------------- */

/* On a circle in a cone without friction: v^2 = g h, h being the height of the circle of
 * the centre over the apex of its own cone. */
static void sphere__round_in_a_cone__stays_on_its_circle(void **state) {
    static const double cone[] = {0, 0, 1, 1};
    scree_world_def def = firm_def(2e-4);
    def.stepper = *state;
    def.solver.tolerance = 1e-10;
    scree_world *world = make_world(&def, (scree_contact_law){0});
    add_revolved(world, (revolve){cone, 2, true, vec(0, 0, 1), 0});
    /* The centre is on the cone rho = z - r sqrt(2). */
    const double rho = 0.5, z = rho + r * sqrt(2);
    add_sphere(world, r, vec(rho, 0, z), vec(0, sqrt(G * rho), 0),
               vec(0, 0, 0));
    for (int k = 0; k < 10000; ++k) {
        run(world, 1);
        const body b = read_body(world, 0);
        assert_near(norm(vec(b.x.x, b.x.y, 0)), rho, 5e-3 * rho);
    }
    scree_world_destroy(world);
}

/* ---- rest and shots ------------------------------------------------------------------ */

static const double cup[] = {0, -0.6, 0.7, -0.6, 0.7, 0.6, 0, 0.6};
static const double barrel[] = {0, -0.6, 0.5, -0.6, 0.8, 0, 0.5, 0.6, 0, 0.6};
static const double top[] = {0, -0.9, 0.9, 0.4, 0, 0.6};

/* Is the centre on the free side of all sides? These profiles are convex bodies. */
static bool is_inside(const revolve *of, scree_vec3 x) {
    const double rho = sqrt(x.x * x.x + x.y * x.y);
    for (int k = 0; k + 1 < of->n; ++k) {
        const double *p = of->profile + 2 * k;
        const double dr = p[2] - p[0], dz = p[3] - p[1];
        if (dr * (x.z - p[1]) - dz * (rho - p[0]) < 0) return false;
    }
    return true;
}

static bool escapes(const char *stepper, const revolve *of, int shot) {
    scree_random rng = scree_random_stream(19, (uint64_t)shot);
    scree_world_def def = firm_def(1e-2);
    def.stepper = stepper;
    const scree_contact_law law = {.friction = shot % 2 ? 0.4 : 0,
                                   .e_n = 0.5 * (shot % 3)};
    scree_world *world = make_world(&def, law);
    add_revolved(world, *of);
    int shape[KINDS];
    add_kinds(world, shape);
    const double speed = 0.5 * pow(40, scree_random_unit(&rng)) * 0.1 / 1e-2;
    const scree_vec3 v = random_vec(&rng);
    put p = {.shape = shape[shot % KINDS],
             .x = scale(0.15, random_vec(&rng)),
             .turn = random_vec(&rng),
             .v = scale(speed / norm(v), v),
             .w = scale(20, random_vec(&rng))};
    put_kind(world, 0.05, p);
    bool inside = true;
    for (int k = 0; k < 150 && inside; ++k) {
        run(world, 1);
        inside = is_inside(of, read_body(world, 0).x);
    }
    scree_world_destroy(world);
    return !inside;
}

static void shots__closed_profiles__none_escapes(void **state) {
    const revolve rooms[] = {{cup, 4, false, {0, 0, 1}, 0},
                             {barrel, 5, false, {0, 0, 1}, 0.5},
                             {top, 3, false, {0, 0, 1}, 0}};
    const int shots = strcmp(*state, "moreau") ? 36 : 120;
    int escaped = 0;
    for (int i = 0; i < 3; ++i)
        for (int shot = 0; shot < shots; ++shot) {
            const bool out = escapes(*state, &rooms[i], shot);
            if (out) print_message("room %d: shot %d escapes\n", i, shot);
            escaped += out;
        }
    assert_int_equal(escaped, 0);
}

/* Every shape comes to rest in a cup and on a post, as deep as rounding. */
static void bodies__in_a_cup_and_on_a_post__rest(void **state) {
    static const double post[] = {0, 0, 0.3, 0, 0.3, -1};
    static const double bowl[] = {0, -0.2, 0.25, -0.2, 0.5, 0.5};
    (void)state;
    /* The profile of the post runs outwards and down: free above and outside. */
    const double *profiles[] = {post, bowl};
    for (int i = 0; i < 2; ++i)
        for (int kind = 0; kind < KINDS; ++kind) {
            scree_world_def def = firm_def(2e-3);
            scree_world *world = make_world(
                &def, (scree_contact_law){.friction = 0.6, .rolling = 0.01});
            add_revolved(world, (revolve){profiles[i], 3, false, {0, 0, 1}, 0});
            int shape[KINDS];
            add_kinds(world, shape);
            put_kind(world, 0.1,
                     (put){.shape = shape[kind],
                           .x = vec(0.02, 0.01, i ? 0.05 : 0.16),
                           .turn = vec(0.1, 0.2, 0)});
            run(world, 2500);
            const scree_scalars s = read_scalars(world);
            if (s.kinetic > 1e-6 || s.penetration_max > 1e-4)
                fail_msg("%s in wall %d: %g J, %g m", kind_name[kind], i,
                         s.kinetic, s.penetration_max);
            assert_true(read_body(world, 0).x.z > -0.2);
            scree_world_destroy(world);
        }
}

/* ---- order ---------------------------------------------------------------------------- */

/* A sphere that slides in a lying cylinder: place after 0.4 s with step dt. */
static scree_vec3 slid(double dt) {
    scree_world_def def = firm_def(dt);
    def.stepper = "rattle";
    def.solver.tolerance = 1e-13;
    def.solver.iterations = 2000;
    scree_world *world =
        make_world(&def, (scree_contact_law){.friction = 0.05});
    add_revolved(world, (revolve){tube, 2, true, vec(0, 1, 0), 0});
    add_sphere(world, r, scale(R - r, vec(sin(1), 0, -cos(1))), vec(0, 0.5, 0),
               vec(0, 0, 0));
    run(world, (int)lround(0.4 / dt));
    const scree_vec3 x = read_body(world, 0).x;
    scree_world_destroy(world);
    return x;
}

static void rattle__slides_in_a_cylinder__order_2(void **state) {
    (void)state;
    enum { N = 4 };
    const scree_vec3 exact = slid(1e-5);
    double dt[N], e[N];
    for (int k = 0; k < N; ++k) {
        dt[k] = 8e-3 / (1 << k);
        e[k] = norm(sub(slid(dt[k]), exact));
    }
    const double order = order_of(dt, e, N);
    print_message("errors %.2e %.2e %.2e %.2e, order %.2f\n", e[0], e[1], e[2],
                  e[3], order);
    assert_true(order > 1.8 && order < 2.3);
}

/* ---- what it refuses -------------------------------------------------------------------- */

static void refuses(scree_world *world, const scree_revolved_def *def,
                    const char *text) {
    assert_int_equal(scree_world_add_revolved(world, def, NULL),
                     SCREE_BAD_ARGUMENT);
    if (!strstr(scree_world_error(world), text))
        fail_msg("'%s' does not say '%s'", scree_world_error(world), text);
}

static void revolved__bad_arguments__are_named(void **state) {
    (void)state;
    scree_world_def def = firm_def(1e-3);
    scree_world *world = make_world(&def, (scree_contact_law){0});
    scree_revolved_def good = scree_revolved_def_default(), bad;
    good.profile = tube, good.n_point = 2;
    bad = good, bad.cookie = 0;
    refuses(world, &bad, "scree_revolved_def_default()");
    bad = good, bad.axis[2] = 0;
    refuses(world, &bad, "axis of a surface of revolution is zero");
    bad = good, bad.point[0] = INFINITY;
    refuses(world, &bad, "point of a surface of revolution");
    bad = good, bad.n_point = 1;
    refuses(world, &bad, "at least 2 points");
    bad = good, bad.material = 3;
    refuses(world, &bad, "material");
    scree_world_destroy(world);
    def = plane_def(1e-3);
    world = make_world(&def, (scree_contact_law){0});
    refuses(world, &good, "a plane world has no surfaces of revolution");
    scree_world_destroy(world);
}

int main(void) {
    static char moreau[] = "moreau", rattle[] = "rattle";
    const struct CMUnitTest tests[] = {
#define BOTH(test)                                                             \
    cmocka_unit_test_prestate(test, moreau),                                   \
        cmocka_unit_test_prestate(test, rattle)
        BOTH(sphere__in_a_lying_cylinder__swings_in_time),
        BOTH(drum__turns_about_its_axis__spins_the_sphere),
        BOTH(sphere__round_in_a_cone__stays_on_its_circle),
        BOTH(shots__closed_profiles__none_escapes),
        cmocka_unit_test(bodies__in_a_cup_and_on_a_post__rest),
        cmocka_unit_test(rattle__slides_in_a_cylinder__order_2),
        cmocka_unit_test(revolved__bad_arguments__are_named),
#undef BOTH
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
