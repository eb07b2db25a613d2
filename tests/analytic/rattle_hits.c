/* Hits under RATTLE: oblique ones make no energy, whatever the step, and keep momentum
 * and angular momentum. */
#include "engine/base/random.h"
#include "tests/trial.h"

static const scree_vec3 zero = {0, 0, 0};
static const double D = 0.01; /* diameter [m] */

static scree_world_def hits_def(double dt, scree_hits hits) {
    scree_world_def def = scree_world_def_default();
    def.stepper = "rattle";
    def.hits = hits;
    def.dt = dt;
    def.threads = 1;
    def.gravity[2] = 0;
    def.solver.tolerance = 1e-12;
    def.solver.iterations = 1000;
    return def;
}

static scree_vec3 random_direction(scree_random *rng) {
    const scree_vec3 a = vec(scree_random_normal(rng), scree_random_normal(rng),
                             scree_random_normal(rng));
    return scale(1 / norm(a), a);
}

/* ---- pairs of spheres ---------------------------------------------------------- */

typedef struct outcome {
    double mean, most;     /* relative gain of kinetic energy */
    double momentum, spin; /* largest change over m v and m v D */
    int hits;
} outcome;

/* Two spheres of different size meet with random impact parameter at speed 1 m/s;
 * they touch somewhere within the third step. */
static scree_world *make_pair(const scree_world_def *def, scree_contact_law law,
                              bool spins, scree_random *rng) {
    scree_world *world = make_world(def, law);
    const double r = 0.5 * D * scree_random_range(rng, 0.5, 1);
    const double share = sqrt(scree_random_range(rng, 0, 0.98));
    const scree_vec3 u = random_direction(rng);
    const scree_vec3 side = cross(u, random_direction(rng));
    const double sum = 0.5 * D + r;
    const double back =
        sum * sqrt(1 - share * share) + scree_random_range(rng, 2, 3) * def->dt;
    const scree_vec3 x =
        add_scaled(scale(share * sum / norm(side), side), -back, u);
    const scree_vec3 w = scale(spins ? 100 : 0, random_direction(rng));
    add_sphere(world, 0.5 * D, zero, zero, scale(-0.5, w));
    add_sphere(world, r, x, u, w);
    return world;
}

static double least_of(double a, double b) {
    return a < b ? a : b;
}

static void hit_once(const scree_world_def *def, scree_contact_law law,
                     bool spins, scree_random *rng, outcome *all) {
    scree_world *world = make_pair(def, law, spins, rng);
    const scree_scalars first = read_scalars(world);
    const double m = least_of(read_body(world, 0).m, read_body(world, 1).m);
    run(world, 6);
    const scree_scalars last = read_scalars(world);
    const double gain = (last.kinetic - first.kinetic) / first.kinetic;
    const scree_vec3 v1 = read_body(world, 0).v;
    all->mean += gain;
    all->most = fmax(all->most, gain);
    all->hits += norm(v1) > 0;
    all->momentum =
        fmax(all->momentum,
             norm(sub(vec_from(last.momentum), vec_from(first.momentum))) / m);
    all->spin = fmax(all->spin, norm(sub(vec_from(last.angular_momentum),
                                         vec_from(first.angular_momentum))) /
                                    (m * D));
    scree_world_destroy(world);
}

static outcome hit_pairs(double share, scree_hits hits, scree_contact_law law,
                         bool spins) {
    const scree_world_def def = hits_def(share * D, hits);
    scree_random rng = {3};
    outcome all = {.most = -INFINITY};
    const int n = 400;
    for (int i = 0; i < n; ++i) hit_once(&def, law, spins, &rng, &all);
    all.mean /= n;
    print_message("v dt/d %g, e %g, mu %g: mean gain %.2e, most %.2e, momentum "
                  "%.1e, angular %.1e, %d hits\n",
                  share, law.e_n, law.friction, all.mean, all.most,
                  all.momentum, all.spin, all.hits);
    return all;
}

static const double shares[] = {0.004, 0.02, 0.1};

static void hits__elastic_pairs__energy_to_rounding(void **state) {
    (void)state;
    for (int k = 0; k < 3; ++k) {
        const outcome all = hit_pairs(shares[k], SCREE_HITS_BALANCED,
                                      (scree_contact_law){.e_n = 1}, false);
        assert_true(all.hits > 390);
        assert_near(all.mean, 0, 1e-12);
        assert_near(all.most, 0, 1e-12);
        assert_near(all.momentum, 0, 1e-12);
        assert_near(all.spin, 0, 1e-12);
    }
}

/* The published form is still there, with what it gains. */
static void hits__published__gain_grows_with_the_step(void **state) {
    (void)state;
    const scree_contact_law law = {.e_n = 1};
    double last = 0;
    for (int k = 0; k < 3; ++k) {
        const outcome all =
            hit_pairs(shares[k], SCREE_HITS_PUBLISHED, law, false);
        assert_true(all.mean > 3 * last && all.mean > 1e-4);
        assert_near(all.spin, 0, 1e-12);
        last = all.mean;
    }
}

static void hits__friction_and_loss__no_gain(void **state) {
    (void)state;
    const scree_contact_law laws[] = {
        {.e_n = 1, .friction = 0.01},
        {.e_n = 1, .friction = 0.5},
        {.e_n = 0.9, .friction = 0.1},
        {.e_n = 0.5},
        {.friction = 0.3},
        {.e_n = 1, .e_t = 1, .friction = 10},
        {.e_n = 0.8, .friction = 0.3, .rolling = 1e-4, .drilling = 1e-4}};
    for (size_t i = 0; i < sizeof laws / sizeof *laws; ++i)
        for (int k = 0; k < 3; ++k) {
            const outcome all =
                hit_pairs(shares[k], SCREE_HITS_BALANCED, laws[i], true);
            assert_true(all.most <= 1e-12);
            assert_near(all.momentum, 0, 1e-12);
            assert_near(all.spin, 0, 1e-12);
        }
}

/* ---- a gas ------------------------------------------------------------------------ */

static double gas_growth(int n, double dt, double time, scree_hits hits,
                         double tolerance) {
    scree_world_def def = hits_def(dt, hits);
    def.solver.tolerance = tolerance;
    scree_world *world = make_world(&def, (scree_contact_law){.e_n = 1});
    const int row = (int)ceil(cbrt(n));
    const double cell = 1.6 * D, half = 0.5 * cell * row;
    add_box(world, half);
    add_plane(world, vec(0, 0, 2 * half), vec(0, 0, -1));
    scree_random rng = {8};
    for (int i = 0; i < n; ++i)
        add_sphere(world, 0.5 * D,
                   vec(cell * (i % row + 0.5) - half,
                       cell * (i / row % row + 0.5) - half,
                       cell * (i / (row * row) + 0.5)),
                   random_direction(&rng), zero);
    const double first = read_scalars(world).kinetic;
    run(world, (int)(time / dt + 0.5));
    const scree_scalars now = read_scalars(world);
    scree_cost cost;
    scree_world_read_cost(world, &cost);
    print_message("gas of %d, dt %g: energy %.8f after %g s, %g contacts per "
                  "step, %lld unconverged\n",
                  n, dt, now.kinetic / first, now.time,
                  (double)cost.contacts / (double)scree_world_steps(world),
                  (long long)cost.unconverged);
    scree_world_destroy(world);
    return now.kinetic / first - 1;
}

static void hits__gas__energy_kept(void **state) {
    (void)state;
    const double growth = gas_growth(216, 2e-4, 0.2, SCREE_HITS_BALANCED, 1e-6);
    assert_near(growth, 0, 1e-3);
    assert_true(gas_growth(216, 2e-4, 0.2, SCREE_HITS_PUBLISHED, 1e-6) > 0.1);
}

/* ---- bodies that are not round --------------------------------------------------- */

static double box_gas_growth(double dt, double time, scree_hits hits) {
    scree_world_def def = hits_def(dt, hits);
    def.solver.tolerance = 1e-8;
    scree_world *world = make_world(&def, (scree_contact_law){.e_n = 1});
    scree_shape_def shape = scree_shape_def_default();
    const double size[] = {D, 0.6 * D, 0.4 * D};
    memcpy(shape.size, size, sizeof size);
    assert_ok(scree_world_add_shape(world, &shape, NULL));
    add_box(world, 4 * D);
    add_plane(world, vec(0, 0, 8 * D), vec(0, 0, -1));
    scree_random rng = {8};
    for (int i = 0; i < 64; ++i) {
        scree_body_def b = scree_body_def_default();
        vec_to(vec(2 * D * (i % 4 - 1.5), 2 * D * (i / 4 % 4 - 1.5),
                   2 * D * (i / 16 + 0.5)),
               b.position);
        vec_to(random_direction(&rng), b.velocity);
        vec_to(scale(100, random_direction(&rng)), b.angular_velocity);
        assert_ok(scree_world_add_body(world, &b, NULL));
    }
    const double first = read_scalars(world).kinetic;
    run(world, (int)(time / dt + 0.5));
    const scree_scalars now = read_scalars(world);
    print_message("gas of boxes, dt %g: energy %.6f after %g s\n", dt,
                  now.kinetic / first, now.time);
    scree_world_destroy(world);
    return now.kinetic / first - 1;
}

/* Bodies that are not round turn on while they are hit, and their energy is that of
 * two orientations: kept to the step, not to rounding. */
static void hits__gas_of_boxes__energy_kept(void **state) {
    (void)state;
    const double dt = 4e-4;
    assert_near(box_gas_growth(dt, 0.1, SCREE_HITS_BALANCED), 0, 2e-3);
    assert_true(box_gas_growth(dt, 0.1, SCREE_HITS_PUBLISHED) > 1e-3);
}

/* ---- a model ------------------------------------------------------------------------ */

/* A ball flies about in a smooth elastic bowl without gravity. Relative gain of
 * energy; *spin: that of angular momentum. */
static double billiard_gain(scree_hits hits, double *spin) {
    trial r = make_trial("bowl", "rattle", 0.05);
    set(&r, "gravity", 0);
    set(&r, "mu", 0);
    set(&r, "e_n", 1);
    r.options.hits = hits;
    r.options.tolerance = 1e-13;
    const double q[] = {0.3, 0.1, -0.2, 0, 0, 0},
                 u[] = {0.6, -0.3, 0.5, 0, 0, 0};
    memcpy(r.s->q, q, sizeof q);
    memcpy(r.s->u, u, sizeof u);
    const double first = energy_of(&r);
    const scree_vec3 L = cross(vec_from(r.s->q), vec_from(r.s->u));
    run_to(&r, 50);
    *spin = norm(sub(cross(vec_from(r.s->q), vec_from(r.s->u)), L)) / norm(L);
    const double gain = energy_of(&r) / first - 1;
    print_message("bowl, hits %d: gain %.2e, angular momentum %.1e\n", hits,
                  gain, *spin);
    end_trial(&r);
    return gain;
}

static void hits__billiard_of_a_model__energy_kept(void **state) {
    (void)state;
    double spin;
    assert_near(billiard_gain(SCREE_HITS_BALANCED, &spin), 0, 1e-10);
    assert_near(spin, 0, 1e-10);
    assert_true(fabs(billiard_gain(SCREE_HITS_PUBLISHED, &spin)) > 0.1);
    assert_near(spin, 0, 1e-10);
}

/* ---- a floor that shakes ------------------------------------------------------------- */

/* z = A sin(2 pi f t + phase). A ball of radius 0.1 m closes a tenth of a millimetre above
 * it in the first step. */
static const double SHAKE = 0.02, RATE = 15, PHASE = 0.4, RADIUS = 0.1;

static double floor_height(double t) {
    return SHAKE * sin(2 * SCREE_PI * RATE * t + PHASE);
}

static double floor_speed(double t) {
    const double w = 2 * SCREE_PI * RATE;
    return SHAKE * w * cos(w * t + PHASE);
}

/* (30) of 000: the approach is that to the floor at t_n, the rebound that from the floor
 * at t_{n+1}. */
static double rebound_of(double v, double e, double dt) {
    return floor_speed(dt) - e * (v - floor_speed(0));
}

static void shaken_gaps(const double *p, double t, const double *q, double *g) {
    (void)p;
    g[0] = q[1] - RADIUS - floor_height(t);
}

static void shaken_rows(const double *p, double t, const double *q, double *Wt,
                        double *chi) {
    scree_model_find("bouncing-ball")->rows(p, t, q, Wt, chi);
    chi[0] = -floor_speed(t);
}

static double hit_of_model(double v, double dt, scree_hits hits) {
    scree_model_ops ops = *scree_model_find("bouncing-ball");
    ops.gaps = shaken_gaps, ops.rows = shaken_rows;
    trial r = {.options = scree_dense_options_default(), .stepper = "rattle"};
    r.options.dt = dt;
    r.options.hits = hits;
    r.options.tolerance = 1e-12;
    assert_ok(scree_dense_create(&ops, NULL, &r.s));
    r.s->q[1] = RADIUS + floor_height(0) + 1e-4, r.s->u[1] = v;
    step(&r);
    const double after = r.s->u[1];
    end_trial(&r);
    return after;
}

static double hit_of_world(double v, double dt, double e, scree_hits hits) {
    const scree_world_def def = hits_def(dt, hits);
    scree_world *world =
        make_world(&def, (scree_contact_law){.e_n = e, .e_t = 0});
    scree_plane_def plane = scree_plane_def_default();
    plane.normal[0] = plane.normal[1] = 0, plane.normal[2] = 1;
    plane.motion.amplitude[2] = SHAKE;
    plane.motion.frequency = RATE;
    plane.motion.phase = PHASE;
    assert_ok(scree_world_add_plane(world, &plane, NULL));
    add_sphere(world, RADIUS, vec(0, 0, RADIUS + floor_height(0) + 1e-4),
               vec(0, 0, v), zero);
    run(world, 1);
    const double after = read_body(world, 0).v.z;
    scree_world_destroy(world);
    return after;
}

static void hits__shaking_floor__newton_at_both_ends(void **state) {
    (void)state;
    const double dt = 5e-3, v = -0.6, e = 0.5;
    const double exact = rebound_of(v, e, dt);
    assert_true(fabs(floor_speed(dt) - floor_speed(0)) > 0.1);
    for (scree_hits hits = SCREE_HITS_PUBLISHED; hits <= SCREE_HITS_BALANCED;
         ++hits) {
        assert_near(hit_of_world(v, dt, e, hits), exact, 1e-9);
        assert_near(hit_of_model(v, dt, hits), exact, 1e-9);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hits__elastic_pairs__energy_to_rounding),
        cmocka_unit_test(hits__published__gain_grows_with_the_step),
        cmocka_unit_test(hits__friction_and_loss__no_gain),
        cmocka_unit_test(hits__gas__energy_kept),
        cmocka_unit_test(hits__gas_of_boxes__energy_kept),
        cmocka_unit_test(hits__billiard_of_a_model__energy_kept),
        cmocka_unit_test(hits__shaking_floor__newton_at_both_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
