/* generalized-alpha on small worlds, with any rho_inf: order while bodies slide, what the models
 * of the same systems do, the damping of a nutation, no drift, and accelerations that outlive
 * checkpoints and bodies that come and go. */
#include <complex.h>

#include "engine/world/state.h"
#include "tests/in_memory.h"
#include "tests/order/slides.h"

static const scree_vec3 zero = {0, 0, 0};
static const double every_rho[] = {1, 0.9, 0.5, 0};
enum { RHOS = 4 };

static scree_world_def alpha_def(double dt, double rho_inf) {
    scree_world_def def = firm_def(dt);
    def.stepper = "generalized-alpha";
    def.rho_inf = rho_inf;
    def.solver.tolerance = 1e-13;
    def.threads = 1;
    return def;
}

/* ---- order ----------------------------------------------------------------------- */

static void check_sliding(slide_body s, slide_ground ground, double rho_inf,
                          double mu) {
    s.stepper = "generalized-alpha";
    s.tolerance = 1e-13;
    s.friction = SCREE_FRICTION_MIDSLIP;
    s.rho_inf = rho_inf, s.mu = mu;
    const errors e = find_errors(&s, ground, 5e-3);
    assert_near(e.order_u, 2, 0.2);
    assert_near(e.order_q, 2, 0.2);
}

static void alpha__bodies_slide__order_2(void **state) {
    (void)state;
    const slide_body bodies[] = {slide_square(), slide_box(), slide_capsule()};
    for (int r = 0; r < RHOS; ++r)
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 2; ++k)
                check_sliding(bodies[i], SLIDE_PLANE, every_rho[r], 0.3 * k);
}

/* Features under a body change as it goes from one triangle to the next. */
static void alpha__slides_over_edges__order_2(void **state) {
    (void)state;
    for (int k = 0; k < 2; ++k) {
        check_sliding(slide_box(), SLIDE_MESH, 0.8, 0.3 * k);
        check_sliding(slide_capsule(), SLIDE_TERRAIN, 0.8, 0.3 * k);
    }
}

/* ---- the models of the same systems ------------------------------------------------- */

static trial make_own(const char *model, double dt, double rho_inf) {
    trial r = make_trial(model, "generalized-alpha", dt);
    r.options.rho_inf = rho_inf;
    r.options.tolerance = 1e-13;
    return r;
}

/* Flights, hits with e = 0.7, rest: falling-mass is what a sphere's lowest point does. */
static void alpha__bouncing_sphere__as_the_model(void **state) {
    (void)state;
    const double r = 0.05;
    for (int k = 0; k < RHOS; ++k) {
        const scree_world_def def = alpha_def(1e-3, every_rho[k]);
        scree_world *world = make_world(&def, (scree_contact_law){.e_n = 0.7});
        trial model = make_own("falling-mass", 1e-3, every_rho[k]);
        add_floor(world);
        add_sphere(world, r, vec(0, 0, model.s->q[0] + r), zero, zero);
        for (int n = 0; n < 900; ++n) {
            run(world, 1);
            step(&model);
            const body b = read_body(world, 0);
            assert_near(b.x.z - r, model.s->q[0], 1e-9);
            assert_near(b.v.z, model.s->u[0], 1e-9);
        }
        assert_true(fabs(model.s->u[0]) < 0.05);
        end_trial(&model);
        scree_world_destroy(world);
    }
}

/* Slides, then rolls from 0.287 s. */
static void alpha__spinning_sphere__as_the_model(void **state) {
    (void)state;
    for (int k = 0; k < RHOS; ++k) {
        scree_world_def def = alpha_def(2e-3, every_rho[k]);
        scree_world *world =
            make_world(&def, (scree_contact_law){.friction = 0.2});
        trial model = make_own("spinning-sphere", 2e-3, every_rho[k]);
        set(&model, "force", 0);
        add_floor(world);
        add_sphere(world, 0.1, vec(0, 0, 0.1), vec(1, 0.5, 0), vec(3, -8, 5));
        for (int n = 0; n < 200; ++n) {
            run(world, 1);
            step(&model);
            const body b = read_body(world, 0);
            for (int i = 0; i < 3; ++i) {
                const double x[] = {b.x.x, b.x.y, b.x.z};
                const double v[] = {b.v.x, b.v.y, b.v.z};
                const double w[] = {b.w.x, b.w.y, b.w.z};
                assert_near(x[i], model.s->q[i], 1e-9);
                assert_near(v[i], model.s->u[i], 1e-9);
                assert_near(w[i], model.s->u[3 + i], 1e-8);
            }
        }
        end_trial(&model);
        scree_world_destroy(world);
    }
}

/* ---- dissipation ---------------------------------------------------------------------- */

/* A body of revolution spins about its axis, tilted by a little. To first order in the tilt
 * e = e_x + i e_y of its axis and in its spin w = w_x + i w_y, with S the spin about the axis
 * and kappa = (I_3 - I_1) / I_1,
 *
 *     e' = i S e - i w,    w' = a = -i S kappa (S e - w):
 *
 * a nutation of frequency S I_3 / I_1. The scheme on this pair is linear. */
typedef struct nutation {
    double complex e, w, a, a_mean;
} nutation;

typedef struct spinner {
    double S, kappa, dt, m, f, gamma, beta;
} spinner;

static double complex turn_rate(const spinner *s, double complex e,
                                double complex w) {
    return -I * s->S * s->kappa * (s->S * e - w);
}

/* x' = known + share a(x') for x = (e, w), solved as a pair of linear equations. */
static void advance_nutation(const spinner *s, nutation *n) {
    const double c = (1 - s->f) / (1 - s->m);
    const double complex known = (s->f * n->a - s->m * n->a_mean) / (1 - s->m);
    const double complex w0 =
        n->w + s->dt * ((1 - s->gamma) * n->a_mean + s->gamma * known);
    const double complex v0 =
        n->w + s->dt * ((0.5 - s->beta) * n->a_mean + s->beta * known);
    const double complex A = -I * s->S * s->kappa * s->S; /* a = A e + B w */
    const double complex B = I * s->S * s->kappa;
    const double complex c_n = cpow(1 + 0.25 * I * s->dt * s->S, 2);
    const double complex c_e = cpow(1 - 0.25 * I * s->dt * s->S, 2);
    /* w = w0 + gw (A e + B w), v = v0 + gv (A e + B w); the rule for quaternions turns
     * the axis by c_e e = c_n e_n - i dt v */
    const double gw = s->dt * s->gamma * c, gv = s->dt * s->beta * c;
    const double complex a_of_e = A / (1 - gw * B);
    const double complex a_0 = B * w0 / (1 - gw * B);
    n->e = (c_n * n->e - I * s->dt * (v0 + gv * a_0)) /
           (c_e + I * s->dt * gv * a_of_e);
    const double complex a = a_0 + a_of_e * n->e;
    n->w = w0 + gw * a;
    n->a_mean = known + c * a;
    n->a = a;
}

static spinner make_spinner(double S, double dt, double rho, double ratio) {
    spinner s = {.S = S, .kappa = ratio - 1, .dt = dt};
    s.m = (2 * rho - 1) / (rho + 1), s.f = rho / (rho + 1);
    s.gamma = 0.5 - s.m + s.f, s.beta = 0.25 * pow(1 - s.m + s.f, 2);
    return s;
}

/* A flat box, I_3 / I_1 = 2 (0.2^2) / (0.2^2 + 0.05^2), half a turn and more in a step. */
static void alpha__nutation__damped_as_published(void **state) {
    (void)state;
    const double tilt = 1e-4, dt = 0.01, ratio = 0.08 / 0.0425;
    for (int k = 0; k < RHOS; ++k)
        for (int fast = 0; fast < 2; ++fast) {
            const double S = fast ? 60 : 10;
            scree_world_def def = alpha_def(dt, every_rho[k]);
            memset(def.gravity, 0, sizeof def.gravity);
            scree_world *world = make_world(&def, (scree_contact_law){0});
            put_body(world, (put){.shape = add_box_shape(world, 0.2, 0.2, 0.05),
                                  .turn = vec(0, tilt, 0),
                                  .w = vec(0, 0, S)});
            const spinner s = make_spinner(S, dt, every_rho[k], ratio);
            nutation n = {.e = tilt};
            n.a = n.a_mean = turn_rate(&s, n.e, n.w);
            double first = 0, last = 0;
            for (int i = 0; i < 40; ++i) {
                run(world, 1);
                advance_nutation(&s, &n);
                const body b = read_body(world, 0);
                const double scale = S * tilt;
                assert_near(b.w.x / scale, creal(n.w) / scale, 2e-4);
                assert_near(b.w.y / scale, cimag(n.w) / scale, 2e-4);
                if (i == 0) first = hypot(b.w.x, b.w.y);
                last = hypot(b.w.x, b.w.y);
            }
            print_message("rho_inf %g, %g rad a step: spin across %.3e, after "
                          "40 steps %.3e\n",
                          every_rho[k], S * ratio * dt, first, last);
            scree_world_destroy(world);
        }
}

/* ---- no drift -------------------------------------------------------------------------- */

static void alpha__long_slide__no_drift(void **state) {
    (void)state;
    for (int k = 0; k < RHOS; ++k) {
        scree_world_def def = alpha_def(5e-3, every_rho[k]);
        scree_world *world =
            make_world(&def, (scree_contact_law){.friction = 0.1});
        add_floor(world);
        put_body(world, (put){.shape = add_box_shape(world, 0.4, 0.4, 0.1),
                              .x = vec(0, 0, 0.05),
                              .v = vec(2, 0, 0),
                              .w = vec(0, 0, 3)});
        for (int n = 0; n < 300; ++n) {
            run(world, 1);
            const body b = read_body(world, 0);
            assert_near(b.x.z, 0.05, 1e-10);
            assert_near(b.v.z, 0, 1e-9);
        }
        const scree_scalars now = read_scalars(world);
        assert_int_equal(now.solve.converged, true);
        scree_world_destroy(world);
    }
}

/* ---- bodies come and go ------------------------------------------------------------------ */

/* A sphere upon another one, which is taken away: it falls freely from then on. One that comes
 * in does so too. */
static void alpha__support_leaves__falls_freely(void **state) {
    (void)state;
    const double dt = 2e-3, r = 0.1;
    for (int k = 0; k < RHOS; ++k) {
        scree_world_def def = alpha_def(dt, every_rho[k]);
        scree_world *world = make_world(&def, (scree_contact_law){0});
        add_floor(world);
        add_sphere(world, r, vec(0, 0, r), zero, zero);
        add_sphere(world, r, vec(0, 0, 3 * r), zero, zero);
        run(world, 20);
        assert_near(read_body(world, 1).v.z, 0, 1e-12);
        assert_ok(scree_world_remove_bodies(world, &(int64_t){0}, 1));
        add_sphere(world, r, vec(1, 0, 5 * r), zero, zero);
        for (int n = 1; n <= 20; ++n) {
            double v[6];
            run(world, 1);
            assert_ok(scree_world_read_state(
                world, &(scree_state_view){.velocity = v}));
            assert_near(v[2], -G * n * dt, 1e-11);
            assert_near(v[5], -G * n * dt, 1e-11);
        }
        scree_world_destroy(world);
    }
}

/* ---- checkpoints ------------------------------------------------------------------------- */

static scree_world *make_crowd(bool bodies) {
    scree_world_def def = alpha_def(2e-3, 0.7);
    scree_world *world =
        make_world(&def, (scree_contact_law){.friction = 0.3, .e_n = 0.4});
    const int box = add_box_shape(world, 0.2, 0.2, 0.1);
    add_floor(world);
    if (!bodies) return world;
    add_sphere(world, 0.1, vec(0.5, 0.5, 0.1), vec(1, 0, 0), vec(0, 0, 9));
    add_sphere(world, 0.05, vec(-0.2, 0, 0.06), zero, zero);
    put_body(world, (put){.shape = box,
                          .x = vec(0, 0, 0.05),
                          .v = vec(0.4, 0.2, 0),
                          .w = vec(0, 0, 4)});
    put_body(
        world,
        (put){.shape = box, .x = vec(0.01, 0, 0.16), .turn = vec(0, 0, 0.1)});
    return world;
}

static void check_restart(int before, int after, bool leaves) {
    scree_world *world = make_crowd(true), *again = make_crowd(false);
    scree_error error = {0};
    in_memory m = {.n = 0};
    scree_archive a = {.ops = &in_memory_ops, .self = &m, .error = &error};
    run(world, before);
    if (leaves) assert_ok(scree_world_remove_bodies(world, &(int64_t){1}, 1));
    if (leaves) run(world, 1);
    assert_ok(scree_world_archive(world, &a));
    a.loads = true;
    assert_ok(scree_world_archive(again, &a));
    run(world, after);
    run(again, after);
    assert_true(scree_world_hash(world) == scree_world_hash(again));
    scree_world_destroy(world);
    scree_world_destroy(again);
    in_memory_clear(&m);
}

static void alpha__checkpoint__same_bits(void **state) {
    (void)state;
    for (int n = 1; n < 20; ++n) check_restart(n, 3, n % 3 == 1);
    check_restart(36, 12, false);
}

/* A file without accelerations, or of another step, goes on all the same. */
static void alpha__checkpoint_of_another_stepper__goes_on(void **state) {
    (void)state;
    scree_world_def def = alpha_def(2e-3, 0.7);
    def.stepper = "rattle";
    scree_world *world = make_world(&def, (scree_contact_law){0});
    def = alpha_def(2e-3, 0.7);
    scree_world *again = make_world(&def, (scree_contact_law){0});
    scree_error error = {0};
    in_memory m = {.n = 0};
    scree_archive a = {.ops = &in_memory_ops, .self = &m, .error = &error};
    add_floor(world), add_floor(again);
    add_sphere(world, 0.1, vec(0, 0, 0.1), vec(1, 0, 0), zero);
    run(world, 5);
    assert_ok(scree_world_archive(world, &a));
    a.loads = true;
    assert_ok(scree_world_archive(again, &a));
    run(again, 5);
    assert_near(read_body(again, 0).x.x, 0.02, 1e-12);
    assert_near(read_body(again, 0).x.z, 0.1, 1e-12);
    scree_world_destroy(world);
    scree_world_destroy(again);
    in_memory_clear(&m);
}

static void alpha__rho_inf_out_of_range__refused(void **state) {
    (void)state;
    const double bad[] = {-0.1, 1.1, NAN};
    for (int k = 0; k < 3; ++k) {
        const scree_world_def def = alpha_def(1e-3, bad[k]);
        scree_world *world;
        assert_int_equal(scree_world_create(&def, &world), SCREE_BAD_ARGUMENT);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alpha__bodies_slide__order_2),
        cmocka_unit_test(alpha__slides_over_edges__order_2),
        cmocka_unit_test(alpha__bouncing_sphere__as_the_model),
        cmocka_unit_test(alpha__spinning_sphere__as_the_model),
        cmocka_unit_test(alpha__nutation__damped_as_published),
        cmocka_unit_test(alpha__long_slide__no_drift),
        cmocka_unit_test(alpha__support_leaves__falls_freely),
        cmocka_unit_test(alpha__checkpoint__same_bits),
        cmocka_unit_test(alpha__checkpoint_of_another_stepper__goes_on),
        cmocka_unit_test(alpha__rho_inf_out_of_range__refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
