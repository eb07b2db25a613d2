/* Poisson's impact law: closed forms, and the energy that Newton's law makes with friction.
 * Models are compared with an oracle that tries all modes of a hit of one contact. */
#include "engine/base/random.h"
#include "tests/trial.h"

/* ---- one contact in the plane, by hand ---------------------------------------------- */

typedef struct contact2 {
    double n, t;       /* velocities */
    double nn, nt, tt; /* block of G */
    double mu, e;
} contact2;

/* Adds the percussion (P, F). */
static contact2 pushed(contact2 c, double P, double F) {
    c.n += c.nn * P + c.nt * F;
    c.t += c.nt * P + c.tt * F;
    return c;
}

/* Percussion with friction -sign mu (P + more) or, for sign 0, that stops the slip, where the
 * normal velocity becomes zero. False: it is not of its mode. `more`: pushes that are there. */
static bool close_contact(const contact2 *c, int sign, double more, double *P,
                          double *F) {
    if (sign) {
        const double f = -sign * c->mu;
        *P = -(c->n + c->nt * f * more) / (c->nn + c->nt * f);
        *F = f * (*P + more);
        return *P >= 0 && sign * pushed(*c, *P, *F).t >= -1e-12;
    }
    const double det = c->nn * c->tt - c->nt * c->nt;
    *P = (-c->tt * c->n + c->nt * c->t) / det;
    *F = (c->nt * c->n - c->nn * c->t) / det;
    return *P >= 0 && fabs(*F) <= c->mu * (*P + more) + 1e-12;
}

/* The same with P = 0: only friction, by the pushes that are there. */
static bool leave_contact(const contact2 *c, int sign, double more, double *F) {
    *F = sign ? -sign * c->mu * more : -c->t / c->tt;
    const contact2 after = pushed(*c, 0, *F);
    if (after.n < -1e-12) return false;
    return sign ? sign * after.t >= -1e-12 : fabs(*F) <= c->mu * more + 1e-12;
}

/* Velocities after both phases. */
static contact2 poisson_hit(contact2 c) {
    static const int signs[] = {0, 1, -1};
    double P = 0, F = 0, D = 0, F_D = 0;
    int k = 0;
    while (k < 3 && !close_contact(&c, signs[k], 0, &P, &F)) ++k;
    assert_true(k < 3);
    c = pushed(c, P, F);
    const double push = c.e * P;
    c = pushed(c, push, 0);
    for (k = 0; k < 3; ++k)
        if (leave_contact(&c, signs[k], push, &F_D)) return pushed(c, 0, F_D);
    for (k = 0; k < 3; ++k)
        if (close_contact(&c, signs[k], push, &D, &F_D))
            return pushed(c, D, F_D);
    fail_msg("no second phase");
    return c;
}

/* ---- a rod that strikes with its tip -------------------------------------------------- */

static double kinetic_of(const double *u) {
    return 0.5 * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2] / 12);
}

/* m = 1, l = 1/2: tip = centre - (cos, sin) / 2. */
static contact2 tip_of(double phi, const double *u, double mu, double e) {
    const double c = 0.5 * cos(phi), s = 0.5 * sin(phi), I = 12;
    return (contact2){.n = u[1] - c * u[2],
                      .t = u[0] + s * u[2],
                      .nn = 1 + I * c * c,
                      .nt = -I * c * s,
                      .tt = 1 + I * s * s,
                      .mu = mu,
                      .e = e};
}

typedef struct strike {
    double phi, u[3], mu, e;
} strike;

/* Velocities after one step without gravity in which the tip strikes. */
static void strike_rod(const strike *k, scree_impact impact, double *u) {
    trial r = make_trial("painleve-rod", "moreau", 1e-9);
    set(&r, "gravity", 0);
    set(&r, "phi0", k->phi);
    set(&r, "mu", k->mu);
    set(&r, "e_n", k->e);
    r.options.impact = impact;
    r.options.tolerance = 1e-13;
    memcpy(r.s->u, k->u, sizeof k->u);
    step(&r);
    assert_int_equal(r.s->unconverged, 0);
    memcpy(u, r.s->u, sizeof k->u);
    end_trial(&r);
}

static strike any_strike(scree_random *random) {
    strike k = {.phi = 0.2 + 2.7 * scree_random_unit(random),
                .mu = 1.2 * scree_random_unit(random),
                .e = scree_random_unit(random)};
    for (int i = 0; i < 3; ++i) k.u[i] = 2 * scree_random_unit(random) - 1;
    k.u[2] *= 3;
    const contact2 c = tip_of(k.phi, k.u, k.mu, k.e);
    if (c.n > -0.1) k.u[1] -= c.n + 0.1 + scree_random_unit(random);
    return k;
}

static void rod__any_strike__both_phases_by_hand(void **state) {
    (void)state;
    scree_random random = {7};
    for (int i = 0; i < 500; ++i) {
        const strike k = any_strike(&random);
        double u[3];
        strike_rod(&k, SCREE_IMPACT_POISSON, u);
        const contact2 end = tip_of(k.phi, u, k.mu, k.e),
                       hand = poisson_hit(tip_of(k.phi, k.u, k.mu, k.e));
        assert_near(end.n, hand.n, 1e-7);
        assert_near(end.t, hand.t, 1e-7);
    }
}

/* Kane's paradox: of strikes with friction Newton's law makes energy in some, Poisson's in
 * none. */
static void rod__friction__newton_gains_poisson_does_not(void **state) {
    (void)state;
    scree_random random = {11};
    double most[2] = {0, 0};
    int gains[2] = {0, 0};
    for (int i = 0; i < 2000; ++i) {
        const strike k = any_strike(&random);
        for (int law = 0; law < 2; ++law) {
            double u[3];
            strike_rod(&k, (scree_impact)law, u);
            const double gain = kinetic_of(u) / kinetic_of(k.u) - 1;
            most[law] = fmax(most[law], gain);
            gains[law] += gain > 1e-9;
        }
    }
    print_message("energy made: newton in %d strikes, %.3g at most; poisson in "
                  "%d, %.3g\n",
                  gains[0], most[0], gains[1], most[1]);
    assert_true(gains[0] > 20 && most[0] > 0.05);
    assert_int_equal(gains[1], 0);
}

/* ---- worlds ------------------------------------------------------------------------- */

static scree_contact_law law_of(double mu, double e_n, double e_t) {
    return (scree_contact_law){
        .friction = mu, .e_n = e_n, .e_t = e_t, .impact = SCREE_IMPACT_POISSON};
}

static scree_world_def quiet_def(double dt) {
    scree_world_def def = scree_world_def_default();
    def.dt = dt;
    def.threads = 1;
    def.solver.tolerance = 1e-12;
    def.solver.iterations = 10000;
    vec_to(vec(0, 0, 0), def.gravity);
    return def;
}

/* A sphere on a floor: slip stops, reverses by e_N e_T, or goes on, in closed form. */
static double slip_after(double slip, double v, double mu, double e_n,
                         double e_t) {
    const double stop = slip / 3.5, most = mu * v; /* percussions, m = 1 */
    const double C = fmin(stop, most), left = slip - 3.5 * C;
    const double back = e_n * e_t * C, limit = e_n * most;
    if (left - 3.5 * back <= 0) return left - 3.5 * back;
    return fmax(0, left - 3.5 * limit);
}

static void sphere__oblique__closed_form(void **state) {
    (void)state;
    const double mu[] = {0, 0.1, 0.2, 0.5}, e_t[] = {0, 0.6};
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 2; ++k) {
            const scree_world_def def = quiet_def(1e-3);
            scree_world *world = make_world(&def, law_of(mu[i], 0.7, e_t[k]));
            add_floor(world);
            const int64_t id = add_sphere(world, 0.1, vec(0, 0, 0.1005),
                                          vec(0.8, 0.6, -1), vec(0, 0, 0));
            run(world, 4);
            const body b = read_body(world, id);
            const scree_vec3 slip = add(b.v, cross(b.w, vec(0, 0, -0.1)));
            assert_near(b.v.z, 0.7, 1e-9);
            const double along = 0.8 * slip.x + 0.6 * slip.y;
            assert_near(along, slip_after(1, 1, mu[i], 0.7, e_t[k]), 1e-9);
            assert_near(0.6 * slip.x - 0.8 * slip.y, 0, 1e-9);
            assert_near(energy_defect(world), 0, 1e-9 * b.m);
            scree_world_destroy(world);
        }
}

/* With weight: each bounce turns the velocity by exactly -e, as with Newton's law. */
static void sphere__falls__restitution_exact(void **state) {
    (void)state;
    scree_world_def def = quiet_def(1e-3);
    vec_to(vec(0, 0, -9.81), def.gravity);
    scree_world *world = make_world(&def, law_of(0.3, 0.8, 0));
    add_floor(world);
    const int64_t id =
        add_sphere(world, 0.1, vec(0, 0, 0.4), vec(0, 0, 0), vec(0, 0, 0));
    int hits = 0;
    for (int n = 0; n < 1500; ++n) {
        const double before = read_body(world, id).v.z;
        run(world, 1);
        const double after = read_body(world, id).v.z;
        if (after < 0 || before > 0) continue;
        assert_near(after, -0.8 * before, 1e-9);
        ++hits;
    }
    assert_true(hits >= 3);
    assert_near(energy_defect(world), 0, 1e-9);
    scree_world_destroy(world);
}

/* Three balls that touch in a row; the first one comes with velocity 1. */
static void row_of_three(double e_12, double e_23, double *v) {
    const scree_world_def def = quiet_def(1e-3);
    scree_world *world = make_world(&def, law_of(0, e_12, 0));
    scree_material_def other = scree_material_def_default();
    assert_ok(scree_world_add_material(world, &other, NULL));
    const scree_contact_law last = law_of(0, e_23, 0);
    assert_ok(scree_world_set_pair(world, 0, 1, &last));
    const double x[] = {-0.2001, 0, 0.2};
    for (int i = 0; i < 3; ++i) {
        scree_sphere_def ball = scree_sphere_def_default();
        ball.radius = 0.1;
        ball.material = i == 2;
        vec_to(vec(x[i], 0, 0), ball.position);
        vec_to(vec(i == 0, 0, 0), ball.velocity);
        assert_ok(scree_world_add_sphere(world, &ball, NULL));
    }
    run(world, 3);
    for (int i = 0; i < 3; ++i) v[i] = read_body(world, i).v.x;
    assert_near(energy_defect(world), 0, 1e-6 * read_body(world, 0).m);
    scree_world_destroy(world);
}

/* Compression ends with 1/3 each; what contacts give back is e of 2/3 and of 1/3. Newton's
 * law has nothing of e_23, whose contact was at rest. */
static void cradle__three_balls__closed_form(void **state) {
    (void)state;
    const double e[][2] = {{1, 1}, {0.5, 0.5}, {0.4, 0.8}, {0.8, 0.8}};
    for (int i = 0; i < 4; ++i) {
        const double a = e[i][0], b = e[i][1];
        double v[3];
        row_of_three(a, b, v);
        assert_near(v[0], (1 - 2 * a) / 3, 1e-5);
        assert_near(v[1], (1 + 2 * a - b) / 3, 1e-5);
        assert_near(v[2], (1 + b) / 3, 1e-5);
    }
    /* What the last contact gives back drives the first two together: they are held. */
    double v[3];
    row_of_three(0, 1, v);
    assert_near(v[0], 1. / 6, 1e-4);
    assert_near(v[1], 1. / 6, 1e-4);
    assert_near(v[2], 2. / 3, 1e-4);
}

/* ---- blocks in the plane -------------------------------------------------------------- */

static scree_world *block_world(double width, double height, double angle,
                                scree_vec3 v, double w, scree_contact_law law) {
    scree_world_def def = quiet_def(1e-6);
    def.planar = true;
    scree_world *world = make_world(&def, law);
    scree_shape_def shape = scree_shape_def_default();
    scree_body_def block = scree_body_def_default();
    int32_t id;
    const double corners[] = {-width, -height, 0, width,  -height, 0,
                              width,  height,  0, -width, height,  0};
    shape.kind = SCREE_SHAPE_POLYGON;
    shape.n_point = 4;
    shape.points = corners;
    assert_ok(scree_world_add_shape(world, &shape, &id));
    add_plane(world, vec(0, 0, 0), vec(0, 1, 0));
    block.shape = id;
    const double c = cos(angle), s = sin(angle);
    const double low = fabs(s) * width + fabs(c) * height;
    vec_to(vec(0, low + 1e-7, 0), block.position);
    block.orientation[0] = cos(0.5 * angle);
    block.orientation[3] = sin(0.5 * angle);
    vec_to(v, block.velocity);
    vec_to(vec(0, 0, w), block.angular_velocity);
    assert_ok(scree_world_add_body(world, &block, NULL));
    return world;
}
/* One corner strikes: as by hand, and never with a gain. */
static void block__one_corner__both_phases_by_hand(void **state) {
    (void)state;
    scree_random random = {3};
    for (int i = 0; i < 200; ++i) {
        const double angle = 0.15 + 1.2 * scree_random_unit(&random);
        const double mu = 0.8 * scree_random_unit(&random),
                     e = scree_random_unit(&random);
        const scree_vec3 v = vec(2 * scree_random_unit(&random) - 1,
                                 -1 - scree_random_unit(&random), 0);
        const double w = 2 * scree_random_unit(&random) - 1;
        scree_world *world =
            block_world(0.5, 0.05, angle, v, w, law_of(mu, e, 0));
        const body before = read_body(world, 0);
        const double I = (0.25 + 0.0025) / 3; /* over m */
        const double c = cos(angle), s = sin(angle);
        const double x = -c * 0.5 + s * 0.05, y = -s * 0.5 - c * 0.05;
        const contact2 hand = poisson_hit((contact2){.n = v.y + w * x,
                                                     .t = v.x - w * y,
                                                     .nn = 1 + x * x / I,
                                                     .nt = -x * y / I,
                                                     .tt = 1 + y * y / I,
                                                     .mu = mu,
                                                     .e = e});
        run(world, 3);
        const body after = read_body(world, 0);
        assert_near(after.v.y + after.w.z * x, hand.n, 1e-4);
        assert_near(after.v.x - after.w.z * y, hand.t, 1e-4);
        assert_true(dot(after.v, after.v) + I * after.w.z * after.w.z <=
                    (dot(before.v, before.v) + I * w * w) * (1 + 1e-9));
        assert_near(energy_defect(world), 0, 1e-5 * before.m);
        scree_world_destroy(world);
    }
}

/* Rocks over onto its other corner, without friction. G = 1/m +- b^2/Theta: a tall block's
 * first corner lifts as it is thrown, a flat one's is pressed down and stops the compression
 * of both; it is thrown back from there. */
static void block__rocks_over__closed_form(void **state) {
    (void)state;
    const double heights[] = {2, 0.3}, b = 0.5, e = 0.6, w = -1;
    for (int i = 0; i < 2; ++i) {
        const double h = heights[i], I = (b * b + h * h) / 3;
        scree_world *world =
            block_world(b, h, 1e-8, vec(-w * h, w * b, 0), w, law_of(0, e, 0));
        run(world, 3);
        const body after = read_body(world, 0);
        const double far = after.v.y + b * after.w.z,
                     near = after.v.y - b * after.w.z;
        const double V = -2 * b * w, G = 1 + b * b / I, H = 1 - b * b / I;
        assert_near(far, e * V, 1e-4);
        assert_near(near, H > 0 ? (1 + e) * V * H / G : 0, 1e-4);
        scree_world_destroy(world);
    }
}

/* ---- many ----------------------------------------------------------------------------- */

static double kinetic_energy(const scree_world *world) {
    return read_scalars(world).kinetic;
}

/* Bricks thrown at each other, with friction and e = 0.9: no step makes energy, and what
 * hits take is booked from their percussions. */
static void bricks__thrown__energy_never_grows(void **state) {
    (void)state;
    scree_world_def def = quiet_def(1e-3);
    def.solver.tolerance = 1e-8;
    scree_world *world = make_world(&def, law_of(0.6, 0.9, 0.3));
    scree_shape_def brick = scree_shape_def_default();
    scree_random random = {5};
    int32_t shape;
    brick.kind = SCREE_SHAPE_BOX;
    vec_to(vec(0.2, 0.1, 0.05), brick.size);
    assert_ok(scree_world_add_shape(world, &brick, &shape));
    add_box(world, 0.5);
    for (int i = 0; i < 27; ++i) {
        scree_body_def block = scree_body_def_default();
        block.shape = shape;
        vec_to(vec(0.3 * (i % 3) - 0.3, 0.3 * (i / 3 % 3) - 0.3,
                   0.2 + 0.3 * (i / 9)),
               block.position);
        for (int k = 0; k < 3; ++k) {
            block.velocity[k] = 4 * scree_random_unit(&random) - 2;
            block.angular_velocity[k] = 10 * scree_random_unit(&random) - 5;
        }
        assert_ok(scree_world_add_body(world, &block, NULL));
    }
    const double start = kinetic_energy(world);
    double before = start, worst = 0;
    for (int n = 0; n < 300; ++n) {
        run(world, 1);
        const double now = kinetic_energy(world);
        worst = fmax(worst, (now - before) / start);
        before = now;
    }
    print_message("bricks: %.3g of their energy left; a step made %.1e\n",
                  before / start, worst);
    assert_true(worst < 1e-4);
    assert_true(before < 0.7 * start);
    assert_near(energy_defect(world), 0, 1e-4 * start);
    scree_world_destroy(world);
}

/* Where nothing hits, the impact law does not matter, to the bit. */
static void spheres__at_rest__bits_of_newton(void **state) {
    (void)state;
    body at[2];
    for (int k = 0; k < 2; ++k) {
        scree_world_def def = quiet_def(1e-3);
        scree_contact_law law = law_of(0.4, 0.5, 0);
        law.impact = (scree_impact)k;
        vec_to(vec(0.5, 0, -9.81), def.gravity);
        scree_world *world = make_world(&def, law);
        add_floor(world);
        add_sphere(world, 0.1, vec(0, 0, 0.1), vec(0.3, 0, 0), vec(0, 1, 0));
        add_sphere(world, 0.1, vec(0.2, 0, 0.1), vec(0.3, 0, 0), vec(0, 1, 0));
        run(world, 200);
        at[k] = read_body(world, 0);
        scree_world_destroy(world);
    }
    assert_memory_equal(&at[0].x, &at[1].x, sizeof at[0].x);
    assert_memory_equal(&at[0].w, &at[1].w, sizeof at[0].w);
}

static void steppers__that_do_not_know_it__refused(void **state) {
    (void)state;
    scree_world_def def = scree_world_def_default();
    scree_world *world;
    scree_material_def material = scree_material_def_default();
    material.law = law_of(0.3, 0.5, 0);
    def.stepper = "rattle";
    assert_ok(scree_world_create(&def, &world));
    assert_int_equal(scree_world_add_material(world, &material, NULL),
                     SCREE_BAD_ARGUMENT);
    assert_non_null(strstr(scree_world_error(world), "rattle does not know"));
    scree_world_destroy(world);

    trial r = make_trial("bouncing-ball", "rattle", 1e-3);
    scree_error error = {0};
    r.options.impact = SCREE_IMPACT_POISSON;
    assert_int_equal(scree_dense_step(r.s, "rattle", &r.options, &error),
                     SCREE_UNSUPPORTED);
    assert_non_null(strstr(error.text, "rattle does not know"));
    end_trial(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rod__any_strike__both_phases_by_hand),
        cmocka_unit_test(rod__friction__newton_gains_poisson_does_not),
        cmocka_unit_test(sphere__oblique__closed_form),
        cmocka_unit_test(sphere__falls__restitution_exact),
        cmocka_unit_test(cradle__three_balls__closed_form),
        cmocka_unit_test(block__one_corner__both_phases_by_hand),
        cmocka_unit_test(block__rocks_over__closed_form),
        cmocka_unit_test(bricks__thrown__energy_never_grows),
        cmocka_unit_test(spheres__at_rest__bits_of_newton),
        cmocka_unit_test(steppers__that_do_not_know_it__refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
