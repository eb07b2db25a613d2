/* The nonsmooth generalized-alpha scheme: numerical dissipation against the closed form of a
 * linear oscillator, bilateral constraints, impacts. Its order in sliding is in rattle.c, that
 * of slip that turns in midslip.c. */
#include "tests/trial.h"

#define NAME "generalized-alpha"

static trial make_own(const scree_model_ops *ops, double dt, double rho_inf) {
    trial r = {.options = scree_dense_options_default(), .stepper = NAME};
    r.options.dt = dt, r.options.rho_inf = rho_inf;
    r.options.tolerance = 1e-13;
    assert_ok(scree_dense_create(ops, NULL, &r.s));
    return r;
}

/* ---- a linear oscillator: spectral radius ------------------------------------------ */

static const scree_parameter stiffness[] = {{.name = "k", .value = 1}};

static void unit_mass(const double *p, double t, const double *q, double *M) {
    (void)p, (void)t, (void)q;
    M[0] = 1;
}

static void spring_force(const double *p, double t, const double *q,
                         const double *u, double *h) {
    (void)t, (void)u;
    h[0] = -p[0] * q[0];
}

static void start_oscillator(const double *p, double *q, double *u) {
    (void)p;
    q[0] = 1, u[0] = 0.3;
}

static const scree_model_ops oscillator = {.name = "oscillator",
                                           .n_q = 1,
                                           .n_u = 1,
                                           .n_parameter = 1,
                                           .parameters = stiffness,
                                           .start = start_oscillator,
                                           .mass = unit_mass,
                                           .force = spring_force};

/* Of omega dt; dt = 1. */
static trial make_oscillator(double frequency, double rho_inf) {
    trial r = make_own(&oscillator, 1, rho_inf);
    r.options.tolerance = 1e-15;
    set(&r, "k", frequency * frequency);
    return r;
}

/* z^3 + c2 z^2 + c1 z + c0 of the amplification matrix, from six positions in a row. */
static void fit_cubic(const double *q, double *c) {
    double A[3][4];
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 4; ++k) A[i][k] = (k < 3 ? 1 : -1) * q[i + k];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            const double factor = A[j][i] / A[i][i];
            for (int k = i; k < 4 && j != i; ++k) A[j][k] -= factor * A[i][k];
        }
    for (int i = 0; i < 3; ++i) c[i] = A[i][3] / A[i][i];
}

static void measure_cubic(double frequency, double rho_inf, double *c) {
    trial r = make_oscillator(frequency, rho_inf);
    double q[6];
    for (int n = 0; n < 6; ++n, step(&r)) q[n] = r.s->q[0];
    fit_cubic(q, c);
    end_trial(&r);
}

/* Chung and Hulbert 1993: alpha_m, alpha_f, gamma, beta by rho_inf; with z for a step,
 * (z-1)^2 ((1-m) z + m) + W^2 (beta z^2 + (1/2 + gamma - 2 beta) z + 1/2 - gamma + beta)
 * ((1-f) z + f) = 0. */
static void exact_cubic(double frequency, double rho, double *c) {
    const double m = (2 * rho - 1) / (rho + 1), f = rho / (rho + 1);
    const double gamma = 0.5 - m + f, beta = 0.25 * pow(1 - m + f, 2);
    const double W = frequency * frequency;
    const double k[3] = {0.5 - gamma + beta, 0.5 + gamma - 2 * beta, beta};
    const double z3 = 1 - m + W * k[2] * (1 - f);
    c[2] = (m - 2 * (1 - m) + W * (k[2] * f + k[1] * (1 - f))) / z3;
    c[1] = (1 - m - 2 * m + W * (k[1] * f + k[0] * (1 - f))) / z3;
    c[0] = (m + W * k[0] * f) / z3;
}

static void oscillator__any_frequency__published_amplification(void **state) {
    (void)state;
    const double rho[] = {0.9, 0.5, 0.2}, frequency[] = {0.3, 1, 4, 20};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 4; ++j) {
            double c[3], exact[3];
            measure_cubic(frequency[j], rho[i], c);
            exact_cubic(frequency[j], rho[i], exact);
            for (int k = 0; k < 3; ++k) assert_near(c[k], exact[k], 1e-6);
        }
}

/* At infinite frequency the only root is -rho_inf, three times. */
static void oscillator__infinite_frequency__radius_is_rho_inf(void **state) {
    (void)state;
    const double rho[] = {0.9, 0.5, 0.2};
    for (int i = 0; i < 3; ++i) {
        double c[3];
        measure_cubic(1e4, rho[i], c);
        print_message("rho_inf %g: cubic %.7f %.7f %.7f\n", rho[i], c[2], c[1],
                      c[0]);
        assert_near(c[2], 3 * rho[i], 2e-5);
        assert_near(c[1], 3 * rho[i] * rho[i], 2e-5);
        assert_near(c[0], pow(rho[i], 3), 2e-5);
    }
    trial r = make_oscillator(1e4, 0); /* gone after three steps */
    for (int n = 0; n < 4; ++n) step(&r);
    assert_near(r.s->q[0], 0, 1e-6);
    end_trial(&r);
}

static void oscillator__rho_inf_1__energy_kept(void **state) {
    (void)state;
    trial r = make_oscillator(0.5, 1);
    for (int n = 0; n < 2000; ++n) step(&r);
    const double u = r.s->u[0], q = r.s->q[0];
    assert_near(u * u + 0.25 * q * q, 0.09 + 0.25, 1e-11);
    end_trial(&r);
}

/* ---- a pendulum in Cartesian coordinates: bilateral ---------------------------------- */

static void pendulum_laws(const double *p, scree_law *law) {
    (void)p;
    law[0] = (scree_law){.name = "rod", .kind = SCREE_LAW_HOLONOMIC};
}

static void start_pendulum(const double *p, double *q, double *u) {
    (void)p;
    q[0] = 1, q[1] = 0, u[0] = 0, u[1] = 0.5;
}

static void two_masses(const double *p, double t, const double *q, double *M) {
    (void)p, (void)t, (void)q;
    M[0] = M[3] = 1, M[1] = M[2] = 0;
}

static void weight(const double *p, double t, const double *q, const double *u,
                   double *h) {
    (void)p, (void)t, (void)q, (void)u;
    h[0] = 0, h[1] = -10;
}

static void rod_gap(const double *p, double t, const double *q, double *g) {
    (void)p, (void)t;
    g[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - 1);
}

static void rod_row(const double *p, double t, const double *q, double *Wt,
                    double *chi) {
    (void)p, (void)t;
    Wt[0] = q[0], Wt[1] = q[1], chi[0] = 0;
}

static const scree_model_ops pendulum = {.name = "pendulum",
                                         .n_q = 2,
                                         .n_u = 2,
                                         .n_law = 1,
                                         .n_row = 1,
                                         .laws = pendulum_laws,
                                         .start = start_pendulum,
                                         .mass = two_masses,
                                         .force = weight,
                                         .gaps = rod_gap,
                                         .rows = rod_row};

/* y = (angle from e_x, its rate). */
static void swing(const void *context, const double *y, double *dy) {
    (void)context;
    dy[0] = y[1], dy[1] = -10 * cos(y[0]);
}

/* Errors of q, u and of the rod's percussion over dt, at t = 2. */
static void pendulum_errors(double dt, double rho_inf, double *e) {
    trial r = make_own(&pendulum, dt, rho_inf);
    double y[2] = {0, 0.5};
    run_to(&r, 2);
    rk4(swing, NULL, 2, 2, 1e-4, y);
    const double c = cos(y[0]), s = sin(y[0]);
    e[0] = hypot(r.s->q[0] - c, r.s->q[1] - s);
    e[1] = hypot(r.s->u[0] + y[1] * s, r.s->u[1] - y[1] * c);
    assert_int_equal(r.s->unconverged, 0);
    end_trial(&r);
}

static void pendulum__any_rho_inf__order_2(void **state) {
    (void)state;
    enum { N = 5 };
    const double rho[] = {1, 0.9, 0.5, 0};
    for (int i = 0; i < 4; ++i) {
        double dt[N], e[2][N];
        for (int n = 0; n < N; ++n) {
            double both[2];
            dt[n] = 0.02 / (1 << n);
            pendulum_errors(dt[n], rho[i], both);
            e[0][n] = both[0], e[1][n] = both[1];
        }
        print_message("pendulum, rho_inf %g: order %.3f in q, %.3f in u; "
                      "%.2e .. %.2e\n",
                      rho[i], order_of(dt, e[0], N), order_of(dt, e[1], N),
                      e[0][0], e[0][N - 1]);
        assert_near(order_of(dt, e[0], N), 2, 0.1);
        assert_near(order_of(dt, e[1], N), 2, 0.1);
    }
}

/* Neither the rod's length nor its rate drift; the energy keeps to the accuracy. */
static void pendulum__many_swings__no_drift(void **state) {
    (void)state;
    trial r = make_own(&pendulum, 0.01, 0.9);
    for (int n = 0; n < 5000; ++n) {
        step(&r);
        double gamma;
        scree_dense_gamma(r.s, r.s->t, r.s->q, r.s->u, &gamma);
        assert_near(r.s->g[0], 0, 1e-12);
        assert_near(gamma, 0, 1e-11);
    }
    end_trial(&r);
}

/* ---- impacts ------------------------------------------------------------------------ */

/* A sphere dropped from 0.3 m, e = 0.6: each hit turns the velocity by exactly -e, no gap is
 * below zero, and flights take the time that they take. */
static void sphere__drops__newtons_law_exact(void **state) {
    (void)state;
    trial r = make_trial("spinning-sphere", NAME, 1e-3);
    set(&r, "e_n", 0.6);
    set(&r, "force", 0);
    r.s->q[2] += 0.3;
    const double times[] = {0.2473, 0.5441, 0.7222};
    int impacts = 0;
    while (r.s->t < 0.8 - 1e-9) {
        const double before = r.s->u[2];
        step(&r);
        assert_true(r.s->g[0] >= -1e-12);
        if (r.s->P[0] == 0) continue;
        assert_near(r.s->u[2], -0.6 * before, 1e-12);
        assert_near(r.s->t, times[impacts], 3e-3);
        ++impacts;
    }
    assert_int_equal(impacts, 3);
    end_trial(&r);
}

/* e = 1, 20 s, 24 hits: what is below the floor when a step ends is put on it before its
 * velocity is turned, as by rattle. So hits take energy of first order, and never give any. */
static void ball__elastic__energy_never_grows(void **state) {
    (void)state;
    double last[2];
    for (int i = 0; i < 2; ++i) {
        trial r = make_trial("bouncing-ball", NAME, 1e-3 / (1 + i));
        set(&r, "e_n", 1);
        const double start = energy_of(&r);
        double before = start;
        while (r.s->t < 20 - 1e-9) {
            step(&r);
            assert_true(energy_of(&r) <= before * (1 + 1e-12));
            before = energy_of(&r);
        }
        last[i] = 1 - before / start;
        end_trial(&r);
    }
    print_message("elastic ball loses %.2e, with half the step %.2e\n", last[0],
                  last[1]);
    assert_true(last[0] < 0.1 && last[1] < 0.6 * last[0]);
}

/* ---- what is not a parameter ----------------------------------------------------------- */

static void options__rho_inf_out_of_range__refused(void **state) {
    (void)state;
    const double bad[] = {-0.1, 1.1, NAN};
    for (int i = 0; i < 3; ++i) {
        trial r = make_oscillator(1, bad[i]);
        scree_error error = {0};
        assert_int_equal(scree_dense_step(r.s, NAME, &r.options, &error),
                         SCREE_BAD_ARGUMENT);
        assert_non_null(strstr(error.text, "rho_inf"));
        end_trial(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oscillator__any_frequency__published_amplification),
        cmocka_unit_test(oscillator__infinite_frequency__radius_is_rho_inf),
        cmocka_unit_test(oscillator__rho_inf_1__energy_kept),
        cmocka_unit_test(pendulum__any_rho_inf__order_2),
        cmocka_unit_test(pendulum__many_swings__no_drift),
        cmocka_unit_test(sphere__drops__newtons_law_exact),
        cmocka_unit_test(ball__elastic__energy_never_grows),
        cmocka_unit_test(options__rho_inf_out_of_range__refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
