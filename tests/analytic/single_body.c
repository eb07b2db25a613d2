/* Steppers on models of one body (block on belt, sphere, top, falling mass,
 * rod), against numbers that other programs or formulas gave.
 *
 * "REFERENCE" in comments: values of independent programs of the papers'
 * equations, event-driven or analytic where that is possible. "Same scheme":
 * another program of the same discrete equations; only the tolerance of the
 * inner solves may show. */
#include "tests/trial.h"

#include "engine/system/stepper.h"

/* ---- block on belt, 003 ------------------------------------------------------ */

/* Limit cycles of sets A and B, REFERENCE. */
static const struct {
    double period, lo, hi;
} belts[2] = {{6.670357, -1.06306, 7.20263}, {12.001031, -0.55543, 1.13394}};

static trial make_belt(int b, const char *stepper, double dt) {
    trial r = make_trial("belt", stepper, dt);
    if (b == 0) return r;
    set(&r, "smooth", 1);
    set(&r, "v_dr", 0.2);
    set(&r, "a", 1);
    set(&r, "x0", 0);
    set(&r, "u0", 0);
    return r;
}

typedef struct stroke {
    double period, lo, hi;
} stroke;

/* The last of the cycles until t = 60; x = 0.1 is passed in stick. */
static stroke rub(int b, const char *stepper, double dt) {
    trial r = make_belt(b, stepper, dt);
    r.options.dt_min = 1e-2 * dt; /* of moreau-adaptive */
    r.options.order = 4;
    stroke seen = {.lo = INFINITY, .hi = -INFINITY};
    double t_up = 0;
    while (r.s->t < 60) {
        const double x = r.s->q[0];
        step(&r);
        if (r.s->t > 30) {
            seen.lo = fmin(seen.lo, r.s->q[0]);
            seen.hi = fmax(seen.hi, r.s->q[0]);
        }
        if (!(x < 0.1 && r.s->q[0] >= 0.1)) continue;
        const double t = meets(r.s, x, r.s->q[0], 0.1);
        seen.period = t - t_up;
        t_up = t;
    }
    print_message("belt %c, %s: period %.5f, x in [%.5f, %.5f]\n", 'A' + b,
                  stepper, seen.period, seen.lo, seen.hi);
    end_trial(&r);
    return seen;
}

static void check_stroke(int b, const char *stepper, double dt, double share) {
    const stroke seen = rub(b, stepper, dt);
    assert_near(seen.period, belts[b].period, share * belts[b].period);
    assert_near(seen.lo, belts[b].lo, -share * belts[b].lo);
    assert_near(seen.hi, belts[b].hi, share * belts[b].hi);
}

static void belt__higher_orders__limit_cycle(void **state) {
    (void)state;
    for (int b = 0; b < 2; ++b) {
        check_stroke(b, "rattle", 1e-2, 2e-4);
        check_stroke(b, "lobatto", 1e-2, 2e-4);
        check_stroke(b, "moreau-adaptive", 1e-2, 1e-3);
    }
}

static void belt__first_order__limit_cycle(void **state) {
    (void)state;
    for (int b = 0; b < 2; ++b) {
        check_stroke(b, "moreau", 1e-2, 1e-2);
        check_stroke(b, "semi-implicit-3", 1e-2, 1e-2);
    }
}

/* semi-implicit-2 takes positions explicitly, and free swings grow by
 * exp(w^2 dt t / 2): period and the end of stick to 1e-2 at dt = 1e-2, but the
 * left turning point, after the slip, only in proportion to dt. */
static void belt__semi_implicit_2__limit_cycle(void **state) {
    (void)state;
    for (int b = 0; b < 2; ++b) {
        const stroke coarse = rub(b, "semi-implicit-2", 1e-2);
        const stroke fine = rub(b, "semi-implicit-2", 5e-3);
        assert_near(coarse.period, belts[b].period, 1e-2 * belts[b].period);
        assert_near(coarse.hi, belts[b].hi, 1e-2 * belts[b].hi);
        assert_near((coarse.lo - belts[b].lo) / (fine.lo - belts[b].lo), 2,
                    0.2);
        assert_near(2 * fine.lo - coarse.lo, belts[b].lo, -1e-2 * belts[b].lo);
        check_stroke(b, "semi-implicit-2", 1e-3, 1e-2);
    }
}

/* The scheme of 003 for one block, written down a second time (set A). */
static void second_belt(double dt, double *x, double *u) {
    const double gamma = *u - 3, F = 4 / SCREE_PI * atan(3 * gamma);
    const double free = *u + dt * (F - *x); /* m = k = 1 */
    const double lambda = fmax(-5, fmin(5, (3 - free) / dt));
    *x += dt * *u;
    *u = free + dt * lambda;
}

static void belt__semi_implicit_2__is_the_scheme_of_003(void **state) {
    (void)state;
    const double dt = 1e-2;
    trial r = make_belt(0, "semi-implicit-2", dt);
    double x = 0.2, u = 0.2;
    for (int n = 0; n < 5000; ++n) {
        step(&r);
        second_belt(dt, &x, &u);
        assert_near(r.s->q[0], x, 1e-9);
        assert_near(r.s->u[0], u, 1e-9);
    }
    end_trial(&r);
}

/* ---- sphere on a plane -------------------------------------------------------- */

static double slip_speed(const scree_dense *s) {
    return hypot(s->u[0] - 0.1 * s->u[4], s->u[1] + 0.1 * s->u[3]);
}

/* 2 |gamma_F(0)| / (7 mu g) = 0.2868460 s; friction of one direction is exact
 * for every scheme, and rolling keeps the angular momentum about C. */
static void sphere__spin__rolls_with_exact_velocity(void **state) {
    (void)state;
    const scree_stepper_ops *stepper;
    const double dt = 1e-3;
    for (int i = 0; (stepper = scree_stepper_get(i)); ++i) {
        trial r = make_trial("spinning-sphere", stepper->name, dt);
        set(&r, "force", 0);
        r.options.tolerance = 1e-12;
        double t = 0;
        while (r.s->t < 0.4 - 1e-9) {
            step(&r);
            if (t == 0 && slip_speed(r.s) < 1e-9) t = r.s->t;
            if (t == 0) continue;
            assert_near(slip_speed(r.s), 0, 1e-9);
            assert_near(r.s->u[0], 0.4857142857142857, 1e-9);
            assert_near(r.s->u[1], 0.2714285714285714, 1e-9);
            assert_near(r.s->u[2], 0, 1e-9);
        }
        assert_near(t, 0.2868460, dt);
        end_trial(&r);
    }
}

/* v0 = 2 without spin: rolls from 0.291248 s with 5/7 of it. */
static void sphere__thrown__rolls(void **state) {
    (void)state;
    trial r = make_trial("spinning-sphere", "rattle", 1e-3);
    const char *const zero[] = {"force", "v_y0", "omega_x0", "omega_y0",
                                "omega_z0"};
    for (int i = 0; i < 5; ++i) set(&r, zero[i], 0);
    set(&r, "v_x0", 2);
    run_to(&r, 0.291);
    assert_true(slip_speed(r.s) > 1e-6);
    run_to(&r, 0.292);
    assert_near(slip_speed(r.s), 0, 1e-9);
    assert_near(r.s->u[0], 1.4285714286, 1e-9);
    run_to(&r, 1);
    assert_near(r.s->q[0], 1.511785, 1e-4);
    end_trial(&r);
}

/* ---- torque-free top ------------------------------------------------------------ */

static double first_zero(double dt) {
    trial r = make_trial("top", "rattle", dt);
    r.options.tolerance = 1e-13;
    double last = 0;
    while (r.s->u[1] > 0) {
        last = r.s->u[1];
        step(&r);
    }
    const double t = meets(r.s, last, r.s->u[1], 0);
    end_trial(&r);
    return t;
}

/* Order by Richardson: (t(4h) - t(2h)) / (t(2h) - t(h)) = 2^order. */
static void top__omega_2__zero_and_order(void **state) {
    (void)state;
    const double t_4 = first_zero(8e-3), t_2 = first_zero(4e-3),
                 t_1 = first_zero(2e-3);
    const double order = log2((t_4 - t_2) / (t_2 - t_1));
    print_message("top: zero at %.7f, order %.3f\n", t_1, order);
    assert_near((4 * t_1 - t_2) / 3, 6.059041, 1e-6);
    assert_near(order, 2, 0.02);
}

/* Angular momentum in the inertial frame, Theta = (1, 2, 3). */
static scree_vec3 momentum(const scree_dense *s) {
    const scree_quat p = {s->q[0], s->q[1], s->q[2], s->q[3]};
    return quat_rotate(p, vec(s->u[0], 2 * s->u[1], 3 * s->u[2]));
}

/* 1e5 steps: energy and |L| are quadratic invariants, which the midpoint rule
 * keeps; the direction of L swings by C dt^2 but does not drift: no more in the
 * last quarter than in the first. */
static void top__long_run__no_drift(void **state) {
    (void)state;
    enum { N = 100000 };
    trial r = make_trial("top", "rattle", 1e-2);
    r.options.tolerance = 1e-15;
    const scree_vec3 L = momentum(r.s);
    const double T = energy_of(&r);
    double swing[4] = {0}, energy = 0, length = 0;
    for (int n = 0; n < N; ++n) {
        step(&r);
        const scree_vec3 now = momentum(r.s);
        double *most = &swing[4 * n / N];
        *most = fmax(*most, norm(add_scaled(now, -1, L)));
        length = fmax(length, fabs(norm(now) / norm(L) - 1));
        energy = fmax(energy, fabs(energy_of(&r) / T - 1));
    }
    print_message("top: energy %.1e, |L| %.1e, direction %.3e .. %.3e\n",
                  energy, length, swing[0], swing[3]);
    assert_true(energy < 1e-12 && length < 1e-12);
    assert_true(swing[3] < 1.01 * swing[0]);
    assert_true(swing[3] < 1e-4 * norm(L));
    end_trial(&r);
}

/* ---- semi-implicit-3: inelastic Schatzman-Paoli ---------------------------------- */

/* The scheme for one mass above a table, in closed form: u is the free velocity
 * or, if that leads below the table, the one that leads onto it. e is not used. */
static void semi_implicit_3__falling_mass__closed_form(void **state) {
    (void)state;
    const double dt = 1e-3, g = 9.81;
    trial r = make_trial("falling-mass", "semi-implicit-3", dt);
    double z = 0.07, u = 0;
    for (int n = 0; n < 300; ++n) {
        const double free = u - dt * g;
        u = fmax(free, -z / dt);
        z += dt * u;
        step(&r);
        assert_near(r.s->q[0], z, 1e-12);
        assert_near(r.s->u[0], u, 1e-9);
        assert_near(r.s->P[0], u - free, 1e-9);
    }
    assert_near(r.s->q[0], 0, 1e-12); /* at rest since t = 0.12 */
    end_trial(&r);
}

/* ---- Schatzman-Paoli ----------------------------------------------------------- */

/* The scheme for one mass above a table, in closed form. */
static void schatzman_paoli__falling_mass__closed_form(void **state) {
    (void)state;
    const double dt = 1e-3, g = 9.81, e = 0.5;
    trial r = make_trial("falling-mass", "schatzman-paoli", dt);
    set(&r, "e_n", e);
    double z = 0.07, u = 0;
    for (int n = 0; n < 600; ++n) {
        const double free = u - dt * g;
        u = fmax(free, e * u - (1 + e) * z / dt);
        z += dt * u;
        step(&r);
        assert_near(r.s->q[0], z, 1e-12);
        assert_near(r.s->u[0], u, 1e-9);
    }
    assert_near(r.s->q[0], 0, 1e-6); /* it has come to rest */
    end_trial(&r);
}

/* How high the mass comes after its first bounce, and how deep it was in it. */
static double apex_of(double dt, double e, double *depth) {
    trial r = make_trial("falling-mass", "schatzman-paoli", dt);
    set(&r, "e_n", e);
    double most = 0;
    bool bounced = false;
    *depth = 0;
    for (int n = 0; n * dt < 0.3 && !(bounced && r.s->u[0] < 0); ++n) {
        step(&r);
        bounced |= r.s->u[0] > 0;
        if (bounced) most = fmax(most, r.s->q[0]);
        *depth = fmax(*depth, -r.s->q[0]);
    }
    end_trial(&r);
    return most;
}

/* e^2 times the height it fell from, to first order, and 2 e / (1 + e) v dt deep at most:
 * it closes where g < (1 - e) / (1 + e) v dt, and is at -e (v dt + g) then. */
static void schatzman_paoli__bounce__newtons_law_to_first_order(void **state) {
    (void)state;
    const double h = 0.07, v = sqrt(2 * 9.81 * h);
    for (double e = 0.3; e < 1; e += 0.3)
        for (double dt = 1e-3; dt > 1e-5; dt /= 4) {
            double depth;
            const double apex = apex_of(dt, e, &depth);
            print_message("e = %g, dt = %g: %.5f of %.5f m, %.1e m deep\n", e,
                          dt, apex, e * e * h, depth);
            assert_true(fabs(apex - e * e * h) < 2 * (1 + e) * v * dt);
            assert_true(depth <= 2 * e / (1 + e) * (v * dt + 9.81 * dt * dt));
        }
}

/* g(q_{i+1}) >= 0 to the tolerance from the end of the first step on. */
static void semi_implicit_3__models__no_penetration(void **state) {
    (void)state;
    const char *const names[] = {"bouncing-ball", "slope",     "slider-crank",
                                 "woodpecker",    "tippedisk", "bowl"};
    for (int i = 0; i < 6; ++i) {
        trial r = make_trial(names[i], "semi-implicit-3", 1e-3);
        double least = INFINITY;
        for (int n = 0; n < 1000; ++n) {
            step(&r);
            least = fmin(least, least_gap(r.s));
        }
        print_message("semi-implicit-3, %s: least gap %.1e\n", names[i], least);
        assert_true(least >= -1e-10);
        end_trial(&r);
    }
}

/* ---- Painleve's rod --------------------------------------------------------------- */

/* No force keeps the tip out of the plane, but a percussion does: an impact
 * without collision, inelastic and with stick, P = (0.3, -0.4) N s: found from
 * gamma(u + M^-1 W P) = 0 with slip 1 m/s, m = 1 kg, l = 0.5 m, tan phi = -2.
 * All steppers find it in their first step, up to the weight and the change of
 * W in one step. Then they go on: the tip is lifted or slides on. */
static void painleve__start__impact_without_collision(void **state) {
    (void)state;
    const scree_stepper_ops *stepper;
    for (int i = 0; (stepper = scree_stepper_get(i)); ++i) {
        trial r = make_trial("painleve-rod", stepper->name, 1e-3);
        const double energy = energy_of(&r);
        step(&r);
        const double slip = r.s->u[0] + 0.5 * sin(r.s->q[2]) * r.s->u[2];
        print_message("painleve, %s: P = (%.4f, %.4f), slip %.1e after %g s\n",
                      stepper->name, r.s->P[0], r.s->P[1], slip, r.s->dt);
        assert_near(r.s->P[0], 0.3, 9.81e-3);
        assert_near(r.s->P[1], -0.4, 9.81e-3);
        assert_near(slip, 0, 1e-3);
        assert_true(energy_of(&r) < energy);
        end_trial(&r);
    }
}

/* All solvers, also with steps that are far too long: every step returns, with
 * a finite state or with a status that says what is wrong. */
static void painleve__any_stepper__returns(void **state) {
    (void)state;
    const char *const solvers[] = {"newton", "prox", "lemke"};
    const double sizes[] = {1e-3, 5e-2};
    const scree_stepper_ops *stepper;
    for (int i = 0; (stepper = scree_stepper_get(i)); ++i)
        for (int k = 0; k < 6; ++k) {
            trial r = make_trial("painleve-rod", stepper->name, sizes[k / 3]);
            r.options.solver = solvers[k % 3];
            scree_error error = {0};
            scree_status status = SCREE_OK;
            for (int n = 0; n < 500 && status == SCREE_OK; ++n)
                status = scree_dense_step(r.s, r.stepper, &r.options, &error);
            if (status == SCREE_OK)
                assert_true(isfinite(r.s->q[2]) && isfinite(r.s->u[2]));
            else
                assert_true(error.text[0] != 0);
            print_message("painleve, %s, %s, dt = %g: status %d, t = %.3f, "
                          "unconverged %lld\n",
                          stepper->name, solvers[k % 3], sizes[k / 3],
                          (int)status, r.s->t, (long long)r.s->unconverged);
            end_trial(&r);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(belt__higher_orders__limit_cycle),
        cmocka_unit_test(belt__first_order__limit_cycle),
        cmocka_unit_test(belt__semi_implicit_2__limit_cycle),
        cmocka_unit_test(belt__semi_implicit_2__is_the_scheme_of_003),
        cmocka_unit_test(sphere__spin__rolls_with_exact_velocity),
        cmocka_unit_test(sphere__thrown__rolls),
        cmocka_unit_test(top__omega_2__zero_and_order),
        cmocka_unit_test(top__long_run__no_drift),
        cmocka_unit_test(semi_implicit_3__falling_mass__closed_form),
        cmocka_unit_test(semi_implicit_3__models__no_penetration),
        cmocka_unit_test(schatzman_paoli__falling_mass__closed_form),
        cmocka_unit_test(schatzman_paoli__bounce__newtons_law_to_first_order),
        cmocka_unit_test(painleve__start__impact_without_collision),
        cmocka_unit_test(painleve__any_stepper__returns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
