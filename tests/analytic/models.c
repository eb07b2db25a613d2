/* Steppers on models, against numbers that other programs or formulas gave.
 *
 * "REFERENCE" in comments: values of independent programs of the papers'
 * equations, event-driven or analytic where that is possible. "Same scheme":
 * another program of the same discrete equations; only the tolerance of the
 * inner solves may show. */
#include "tests/trial.h"

#include "engine/system/stepper.h"

/* ---- bouncing ball, 000 5.1 ------------------------------------------------ */

enum { N_BALL = 3 };
static const struct {
    double e_n, omega, P_n, P_f, x;
} balls[N_BALL] = {
    {0.5, 0, 6.2784, 0, 0},
    {0, 50, 4.2183, -0.84366, -0.8713463},
    {0, 10, 4.2183, -0.2857143, -0.1928155},
};

static trial make_ball(int k, const char *stepper, double dt) {
    trial r = make_trial("bouncing-ball", stepper, dt);
    set(&r, "e_n", balls[k].e_n);
    set(&r, "omega", balls[k].omega);
    return r;
}

/* Percussions of step 43, the impact, as printed in 000, and x(1.1): same
 * scheme. */
static void ball__rattle__percussions_and_place(void **state) {
    (void)state;
    for (int k = 0; k < N_BALL; ++k) {
        trial r = make_ball(k, "rattle", 1e-2);
        run_to(&r, 0.42);
        assert_true(r.s->P[0] == 0 && r.s->P[1] == 0);
        step(&r);
        assert_near(r.s->P[0], balls[k].P_n, 1e-7);
        assert_near(r.s->P[1], balls[k].P_f, 1e-7);
        assert_near(r.s->u[1], balls[k].e_n * 9.81 * 0.42, 1e-12);
        run_to(&r, 1.1);
        assert_near(r.s->q[0], balls[k].x, 1e-7);
        end_trial(&r);
    }
}

static void ball__rattle__no_penetration(void **state) {
    (void)state;
    for (int k = 0; k < N_BALL; ++k) {
        trial r = make_ball(k, "rattle", 1e-2);
        for (int n = 0; n < 300; ++n) {
            step(&r);
            assert_true(r.s->g[0] >= -1e-10);
        }
        end_trial(&r);
    }
}

/* Case 2 slips until 0.728120 s: the first step without friction ends at 0.74.
 * Rolling keeps 2/7 of the spin. */
static void ball__slips_then_rolls__time_and_velocity(void **state) {
    (void)state;
    trial r = make_ball(1, "rattle", 1e-2);
    run_to(&r, 0.73);
    assert_true(fabs(r.s->P[1]) > 1e-3);
    step(&r);
    assert_near(r.s->P[1], 0, 1e-10);
    assert_near(r.s->u[0], -1.4285714286, 1e-8);
    assert_near(r.s->u[2], 14.2857142857, 1e-8);
    run_to(&r, 2);
    assert_near(r.s->u[0], -1.4285714286, 1e-8);
    assert_near(r.s->u[2], 14.2857142857, 1e-8);
    end_trial(&r);
}

/* t_1 = sqrt(2 (1 - R) / g), v = -g t_1 */
static void ball__small_steps__first_impact(void **state) {
    (void)state;
    const double dt = 1e-5;
    trial r = make_ball(0, "rattle", dt);
    double v = 0;
    while (r.s->P[0] == 0) {
        v = r.s->u[1];
        step(&r);
    }
    assert_near(r.s->t, 0.4283529, dt);
    assert_near(v, -4.2021423, 2 * 9.81 * dt);
    end_trial(&r);
}

/* Bounces shorter than a step are lost, so rest begins a few steps early. */
static void ball__bounces__accumulate(void **state) {
    (void)state;
    const double dt = 1e-4;
    trial r = make_ball(0, "rattle", dt);
    double t_open = 0;
    while (r.s->t < 1.5 - 1e-9) {
        step(&r);
        if (r.s->g[0] > 1e-9) t_open = r.s->t;
    }
    print_message("ball: rests from t = %.5f, exact 1.2850588\n", t_open);
    assert_near(t_open, 1.2850588, 10 * dt);
    assert_near(r.s->u[1], 0, 1e-10);
    end_trial(&r);
}

/* Exact x(1.1) of cases 2 and 3 is met to first order: the impact falls
 * somewhere in its step. */
static void ball__small_steps__exact_place(void **state) {
    (void)state;
    const double exact[] = {0, -0.8713429, -0.1918992}, dt = 1e-4;
    for (int k = 1; k < N_BALL; ++k) {
        trial r = make_ball(k, "rattle", dt);
        run_to(&r, 1.1);
        assert_near(r.s->q[0], exact[k], fabs(balls[k].omega) * 0.1 * dt);
        end_trial(&r);
    }
}

/* ---- slider-crank, 000 5.2 -------------------------------------------------- */

enum { PHI_1 = 2, PHI_2 = 5, X_3 = 6, PHI_3 = 8, N_JOINT = 6 };

static trial make_crank(const char *stepper, double dt) {
    trial r = make_trial("slider-crank", stepper, dt);
    r.options.tolerance = 1e-8; /* 000 5.2 */
    return r;
}

static double worst_joint(const scree_dense *s) {
    double worst = 0;
    for (int k = 0; k < N_JOINT; ++k) worst = fmax(worst, fabs(s->g[k]));
    return worst;
}

/* Same scheme, dt = 1e-4; near the limit of dt -> 0. */
static void crank__rattle__check_points(void **state) {
    (void)state;
    const double t[] = {0.02, 0.04, 0.08, 0.1};
    const double phi_1[] = {1.613468, 3.935570, 7.332443, 9.002124};
    trial r = make_crank("rattle", 1e-4);
    for (int i = 0; i < 4; ++i) {
        run_to(&r, t[i]);
        assert_near(r.s->q[PHI_1], phi_1[i], 1e-6);
    }
    assert_near(r.s->q[PHI_2], -0.209897, 1e-6);
    assert_near(r.s->q[PHI_1], 9.00070, 3e-3);
    assert_near(r.s->q[PHI_2], -0.21056, 3e-3);
    assert_near(r.s->q[X_3], 0.159795, 3e-3);
    end_trial(&r);
}

/* First revolution at 0.06834 s; the slider, tilted at first, lies flat from
 * about 0.0091 s on. */
static void crank__rattle__revolution_and_rest(void **state) {
    (void)state;
    trial r = make_crank("rattle", 1e-4);
    double t_tilted = 0, t_round = 0;
    while (t_round == 0) {
        const double last = r.s->q[PHI_1];
        step(&r);
        if (r.s->t < 0.012 && fabs(r.s->q[PHI_3]) > 1e-5) t_tilted = r.s->t;
        if (r.s->q[PHI_1] >= 2 * SCREE_PI)
            t_round = meets(r.s, last, r.s->q[PHI_1], 2 * SCREE_PI);
    }
    print_message("crank: round at %.5f s, flat from %.4f s\n", t_round,
                  t_tilted);
    assert_near(t_round, 0.06834, 5e-5);
    assert_near(t_tilted, 0.0091, 1e-3);
    end_trial(&r);
}

/* No drift on any level: joints, their velocities and the guides, to the
 * tolerance, also at ten times the step, which is off by 0.3 at most. */
static void crank__rattle__constraints_to_tolerance(void **state) {
    (void)state;
    const double sizes[] = {1e-4, 1e-3}, off[] = {3e-3, 0.3};
    for (int i = 0; i < 2; ++i) {
        trial r = make_crank("rattle", sizes[i]);
        double joint = 0, velocity = 0, gap = 0;
        for (int n = steps_to(&r, 0.1); n > 0; --n) {
            double gamma[14];
            step(&r);
            scree_dense_gamma(r.s, r.s->t, r.s->q, r.s->u, gamma);
            for (int k = 0; k < N_JOINT; ++k)
                velocity = fmax(velocity, fabs(gamma[k]));
            joint = fmax(joint, worst_joint(r.s));
            gap = fmin(gap, least_gap(r.s));
        }
        print_message("crank, dt = %g: joints %.1e m, %.1e m/s, least gap "
                      "%.1e m\n",
                      sizes[i], joint, velocity, gap);
        assert_true(joint <= 1e-8 && velocity <= 1e-8 && gap >= -1e-8);
        assert_near(r.s->q[PHI_1], 9.00070, off[i]);
        assert_int_equal(r.s->unconverged, 0);
        end_trial(&r);
    }
}

/* Moreau reaches the same limit slowly: same scheme. */
static void crank__moreau__slow_convergence(void **state) {
    (void)state;
    const double sizes[] = {1e-4, 1e-5}, phi_1[] = {8.562, 8.949};
    for (int i = 0; i < 2; ++i) {
        trial r = make_crank("moreau", sizes[i]);
        run_to(&r, 0.1);
        assert_near(r.s->q[PHI_1], phi_1[i], 1e-3);
        end_trial(&r);
    }
}

/* ---- impact oscillator, 002 10.3 -------------------------------------------- */

static void check_impacts(const char *stepper, double dt, double steps_off) {
    const double exact[] = {0.1395077, 0.4561889, 0.8085981, 1.1924024};
    trial r = make_trial("impact-oscillator", stepper, dt);
    int n = 0;
    bool last = false;
    while (r.s->t < 1.5 - 1e-9) {
        step(&r);
        const bool hits = r.s->P[0] > 0;
        if (hits && !last) {
            assert_true(n < 4);
            assert_near(r.s->t, exact[n++], steps_off * dt);
        }
        last = hits;
    }
    assert_int_equal(n, 4);
    assert_near(r.s->q[0], -0.16480333, 10 * dt);
    assert_near(r.s->u[0], 2.18923898, 10 * dt);
    end_trial(&r);
}

/* Impact times are exact to a step or so: their errors go to zero with dt. */
static void oscillator__impacts__converge(void **state) {
    (void)state;
    for (double dt = 1e-3; dt > 5e-6; dt /= 4) {
        check_impacts("rattle", dt, 2);
        check_impacts("moreau", dt, 4);
    }
}

/* ---- tippedisk, 000 5.4, mu = 0.3 ------------------------------------------- */

typedef struct inversion {
    double t, z; /* when S is first as high as G can be, z(1) */
} inversion;

static inversion invert(const char *stepper, double dt,
                        scree_friction_law friction) {
    const double radius = 0.045;
    trial r = make_trial("tippedisk", stepper, dt);
    r.options.friction = friction;
    inversion seen = {0};
    for (int n = steps_to(&r, 1); n > 0; --n) {
        const double z = r.s->q[2];
        step(&r);
        if (seen.t == 0 && r.s->q[2] > radius)
            seen.t = meets(r.s, z, r.s->q[2], radius);
    }
    const double *p = r.s->q + 3;
    assert_near(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3], 1,
                1e-12);
    assert_int_equal(r.s->unconverged, 0);
    seen.z = r.s->q[2];
    print_message("tippedisk, %s, dt = %g: inverts at %.5f, z(1) = %.7f\n",
                  stepper, dt, seen.t, seen.z);
    end_trial(&r);
    return seen;
}

/* z = r at t = 0.3954, z(1) = 0.0474599 (REFERENCE, with the tolerances of
 * z). The time with the published law is off by 2 dt. */
static void tippedisk__inversion__time_and_height(void **state) {
    (void)state;
    const inversion total = invert("rattle", 1e-3, SCREE_FRICTION_TOTAL);
    const inversion mid = invert("rattle", 1e-3, SCREE_FRICTION_MIDSLIP);
    const inversion fine = invert("rattle", 2.5e-4, SCREE_FRICTION_MIDSLIP);
    const inversion moreau = invert("moreau", 1e-5, SCREE_FRICTION_TOTAL);
    assert_near(total.z, 0.0474599, 2e-4);
    assert_near(total.t, 0.3954, 3e-3);
    assert_near(mid.z, 0.0474599, 1e-6);
    assert_near(mid.t, 0.3954, 5e-4);
    assert_near(fine.z, 0.0474599, 1e-7);
    assert_near(fine.t, 0.3954, 1e-4);
    assert_near(moreau.z, 0.0474599, 1e-5);
    assert_near(moreau.t, 0.3954, 2e-4);
}

/* ---- woodpecker, 004 Table I ------------------------------------------------- */

enum { Y, PHI_M, PHI_S };

typedef struct pecking {
    double period, descent;
    double lo[3], hi[3]; /* phi_S, phi_M, omega_S */
} pecking;

static void note_ranges(pecking *p, const scree_dense *s) {
    const double values[3] = {s->q[PHI_S], s->q[PHI_M], s->u[PHI_S]};
    for (int i = 0; i < 3; ++i) {
        p->lo[i] = fmin(p->lo[i], values[i]);
        p->hi[i] = fmax(p->hi[i], values[i]);
    }
}

/* The beak hits once per cycle. The transient dies by a factor of about -0.9
 * per cycle: 20 cycles are left out, ten averaged. */
static pecking peck(double dt) {
    enum { WAIT = 20, N = 10 };
    trial r = make_trial("woodpecker", "moreau", dt);
    pecking p = {.lo = {9e9, 9e9, 9e9}, .hi = {-9e9, -9e9, -9e9}};
    double t = 0, y = 0;
    for (int n = 0; n <= WAIT + N;) {
        step(&r);
        if (n > WAIT) note_ranges(&p, r.s);
        if (r.s->P[0] == 0 || (n > 0 && r.s->t - t < 0.05)) continue;
        if (n > WAIT) {
            p.period += (r.s->t - t) / N;
            p.descent += (y - r.s->q[Y]) / N;
        }
        t = r.s->t, y = r.s->q[Y];
        ++n;
    }
    assert_int_equal(r.s->unconverged, 0);
    print_message("woodpecker, dt = %g: period %.6f s, descent %.4f mm\n", dt,
                  p.period, 1e3 * p.descent);
    end_trial(&r);
    return p;
}

static void check_ranges(const pecking *p, double share) {
    const double lo[] = {-0.5295, -0.1035, -10.504};
    const double hi[] = {0.1200, 0.1035, 17.603};
    for (int i = 0; i < 3; ++i) {
        assert_near(p->lo[i], lo[i], -share * lo[i]);
        assert_near(p->hi[i], hi[i], share * hi[i]);
    }
}

/* REFERENCE: 1 % at 1e-4, which 1e-5 must then meet; 2e-5 s and 0.02 mm at
 * 2e-6. */
static void woodpecker__limit_cycle__period_and_ranges(void **state) {
    (void)state;
    const pecking coarse = peck(1e-5), fine = peck(2e-6);
    assert_near(coarse.period, 0.14598, 0.01 * 0.14598);
    assert_near(1e3 * coarse.descent, 19.449, 0.01 * 19.449);
    check_ranges(&coarse, 0.01);
    assert_near(fine.period, 0.14598, 2e-5);
    assert_near(1e3 * fine.descent, 19.449, 0.02);
    check_ranges(&fine, 1e-3);
}

/* Three solvers of one problem; the tolerance is far below what is asked. */
static void woodpecker__solvers__agree(void **state) {
    (void)state;
    const char *const names[3] = {"newton", "prox", "lemke"};
    trial r[3];
    double q = 0, u = 0;
    for (int i = 0; i < 3; ++i) {
        r[i] = make_trial("woodpecker", "moreau", 1e-5);
        r[i].options.solver = names[i];
        r[i].options.tolerance = 1e-13;
        r[i].options.iterations = 100000;
    }
    while (r[0].s->t < 0.3 - 1e-9) {
        for (int i = 0; i < 3; ++i) step(&r[i]);
        for (int i = 1; i < 3; ++i)
            for (int k = 0; k < 3; ++k) {
                q = fmax(q, fabs(r[i].s->q[k] - r[0].s->q[k]));
                u = fmax(u, fabs(r[i].s->u[k] - r[0].s->u[k]));
            }
    }
    print_message("woodpecker: solvers differ by %.1e in q, %.1e in u\n", q, u);
    assert_true(q <= 1e-9 && u <= 1e-7);
    for (int i = 0; i < 3; ++i) {
        assert_int_equal(r[i].s->unconverged, 0);
        end_trial(&r[i]);
    }
}

/* 000 5.1, case 1, with the solver that pivots. */
static void ball__lemke__bounces_as_with_newton(void **state) {
    (void)state;
    const char *const steppers[] = {"rattle", "moreau"};
    for (int k = 0; k < 2; ++k) {
        trial a = make_trial("bouncing-ball", steppers[k], 1e-2);
        trial b = make_trial("bouncing-ball", steppers[k], 1e-2);
        b.options.solver = "lemke";
        double most = 0;
        while (a.s->t < 2 - 1e-9) {
            step(&a), step(&b);
            assert_string_equal(b.s->fallback, "");
            for (int i = 0; i < 3; ++i)
                most = fmax(most, fabs(a.s->u[i] - b.s->u[i]));
        }
        print_message("ball, %s: lemke and newton differ by %.1e m/s\n",
                      steppers[k], most);
        assert_true(most < 1e-8);
        assert_true(energy_of(&b) < 9.81);
        assert_int_equal(b.s->unconverged, 0);
        end_trial(&a), end_trial(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ball__rattle__percussions_and_place),
        cmocka_unit_test(ball__rattle__no_penetration),
        cmocka_unit_test(ball__slips_then_rolls__time_and_velocity),
        cmocka_unit_test(ball__small_steps__first_impact),
        cmocka_unit_test(ball__bounces__accumulate),
        cmocka_unit_test(ball__lemke__bounces_as_with_newton),
        cmocka_unit_test(ball__small_steps__exact_place),
        cmocka_unit_test(crank__rattle__check_points),
        cmocka_unit_test(crank__rattle__revolution_and_rest),
        cmocka_unit_test(crank__rattle__constraints_to_tolerance),
        cmocka_unit_test(crank__moreau__slow_convergence),
        cmocka_unit_test(oscillator__impacts__converge),
        cmocka_unit_test(tippedisk__inversion__time_and_height),
        cmocka_unit_test(woodpecker__limit_cycle__period_and_ranges),
        cmocka_unit_test(woodpecker__solvers__agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
