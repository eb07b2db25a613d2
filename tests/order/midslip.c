/* friction: midslip, a friction law that keeps RATTLE of second order while the
 * slip direction turns, beside the published law (total), which is of first.
 * Numbers with "MIDSLIP" come from the notes of the study that found the law.
 *
 * References: RK4 of the equations of sliding with steps so small that only
 * rounding is left (table, sphere, bowl), written down here a second time and
 * without the code of the models; for the tippedisk Richardson extrapolation of
 * midslip at small steps, where the published law must converge to it too. */
#include "tests/trial.h"

#include "engine/base/random.h"

static trial make_trial_of(const char *stepper, const char *model, double dt,
                           scree_friction_law friction) {
    trial r = make_trial(model, stepper, dt);
    r.options.friction = friction;
    r.options.tolerance = 1e-13;
    return r;
}

static trial make_friction_trial(const char *model, double dt,
                                 scree_friction_law friction) {
    return make_trial_of("rattle", model, dt, friction);
}

static const scree_friction_law LAWS[2] = {SCREE_FRICTION_TOTAL,
                                           SCREE_FRICTION_MIDSLIP};
static const char *const law_names[2] = {"total", "midslip"};

/* ---- equations of sliding ------------------------------------------------- */

/* 002 10.2: y = (x, u), udot = F - 2 u / |u|. */
static void table_sliding(const void *context, const double *y, double *dy) {
    (void)context;
    const double speed = hypot(y[2], y[3]);
    dy[0] = y[2], dy[1] = y[3];
    dy[2] = -2.5 - 2 * y[2] / speed;
    dy[3] = -0.25 - 2 * y[3] / speed;
}

/* y = (r, alpha, v, omega) of a sphere of mass 1 and radius 0.1, whose contact
 * point is at r - 0.1 n and is pressed on with N; F: the other forces. */
static void sphere_sliding(const double *y, scree_vec3 n, double N,
                           scree_vec3 F, double mu, double *dy) {
    const double radius = 0.1, J = 0.4 * radius * radius;
    const scree_vec3 v = vec_from(y + 6), w = vec_from(y + 9);
    const scree_vec3 arm = scale(-radius, n);
    scree_vec3 slip = add(v, cross(w, arm));
    slip = add_scaled(slip, -dot(slip, n), n);
    const scree_vec3 friction = scale(-mu * N / norm(slip), slip);
    memcpy(dy, y + 6, 6 * sizeof *dy);
    vec_to(add(add_scaled(F, N, n), friction), dy + 6);
    vec_to(scale(1 / J, cross(arm, friction)), dy + 9);
}

static void plane_sliding(const void *context, const double *y, double *dy) {
    (void)context;
    sphere_sliding(y, vec(0, 0, 1), 9.81, vec(0, 2, -9.81), 0.2, dy);
}

/* The centre stays at 0.9 from the origin: N = v^2 / 0.9 - F . n. */
static void bowl_sliding(const void *context, const double *y, double *dy) {
    (void)context;
    const scree_vec3 r = vec_from(y), v = vec_from(y + 6);
    const scree_vec3 n = scale(-1 / norm(r), r), F = vec(0, 0, -9.81);
    sphere_sliding(y, n, dot(v, v) / 0.9 - dot(F, n), F, 0.1, dy);
}

/* ---- orders --------------------------------------------------------------- */

typedef struct study {
    const char *model;
    derivative *f;
    double t_end, h; /* of the reference */
    double dt;       /* largest step, which is halved */
    int n;
    const char *stepper; /* NULL: rattle */
} study;

static const char *stepper_of(const study *c) {
    return c->stepper ? c->stepper : "rattle";
}

/* Largest velocity error of any component until t_end. */
static double worst_error(const study *c, double dt,
                          scree_friction_law friction) {
    trial r = make_trial_of(stepper_of(c), c->model, dt, friction);
    const int n_q = r.s->ops->n_q, n_u = r.s->ops->n_u;
    double y[RK4_MOST], worst = 0;
    memcpy(y, r.s->q, (size_t)n_q * sizeof *y);
    memcpy(y + n_q, r.s->u, (size_t)n_u * sizeof *y);
    for (int n = steps_to(&r, c->t_end); n > 0; --n) {
        step(&r);
        rk4(c->f, NULL, n_q + n_u, dt, c->h, y);
        for (int i = 0; i < n_u; ++i)
            worst = fmax(worst, fabs(r.s->u[i] - y[n_q + i]));
    }
    assert_int_equal(r.s->unconverged, 0);
    end_trial(&r);
    return worst;
}

/* Errors with both laws; [law][i] at dt / 2^i. */
static void check_orders(const study *c, double (*error)[8]) {
    for (int law = 0; law < 2; ++law) {
        double dt[8];
        for (int i = 0; i < c->n; ++i) {
            dt[i] = c->dt / (1 << i);
            error[law][i] = worst_error(c, dt[i], LAWS[law]);
        }
        const double order = order_of(dt, error[law], c->n);
        print_message("%s, %s, %s: order %.3f, error %.3e .. %.3e at dt = %g\n",
                      stepper_of(c), c->model, law_names[law], order,
                      error[law][0], error[law][c->n - 1], dt[c->n - 1]);
        assert_near(order, 1 + law, 0.1);
    }
}

static void midslip__table__order_2(void **state) {
    (void)state;
    double error[2][8];
    const study c = {"sliding-mass", table_sliding, 1, 2e-5, 6.25e-3, 5};
    check_orders(&c, error);
}

static void assert_within(double value, double expected, double share) {
    assert_near(value, expected, share * expected);
}

/* MIDSLIP: 1.7e-3 and 1.4e-5 at dt = 1.5625e-3, the largest error at the times
 * that all its steps share, the multiples of 0.05 s. (In between, just before
 * the slip is least at t = 0.479, it is 1.8e-5.) */
static void midslip__table__errors_of_the_study(void **state) {
    (void)state;
    const double dt = 1.5625e-3, expected[2] = {1.7e-3, 1.4e-5};
    for (int law = 0; law < 2; ++law) {
        trial r = make_friction_trial("sliding-mass", dt, LAWS[law]);
        double y[4] = {0, 0, 2, -0.2}, worst = 0;
        for (int n = 1; n <= 20; ++n) {
            run_to(&r, n * 0.05);
            rk4(table_sliding, NULL, 4, 0.05, 2e-5, y);
            for (int i = 0; i < 2; ++i)
                worst = fmax(worst, fabs(r.s->u[i] - y[2 + i]));
        }
        print_message("table, %s: %.3e\n", law_names[law], worst);
        assert_within(worst, expected[law], 0.05);
        end_trial(&r);
    }
}

/* MIDSLIP: 1.1e-2 and 1.6e-4 at dt = 3.125e-3; the exact place is REFERENCE's.
 * A step ends at t = 3, where the force is switched off. */
static void midslip__table__end_point(void **state) {
    (void)state;
    const double expected[2] = {1.1e-2, 1.6e-4};
    for (int law = 0; law < 2; ++law) {
        trial r = make_friction_trial("sliding-mass", 3.125e-3, LAWS[law]);
        run_to(&r, 4);
        const double e = hypot(r.s->q[0] + 1.7118790, r.s->q[1] + 0.2987709);
        print_message("table, %s: end point off by %.3e\n", law_names[law], e);
        assert_within(e, expected[law], 0.2);
        assert_near(hypot(r.s->u[0], r.s->u[1]), 0, 1e-13);
        end_trial(&r);
    }
}

static void midslip__sphere_under_lateral_force__order_2(void **state) {
    (void)state;
    double error[2][8];
    const study c = {"spinning-sphere", plane_sliding, 0.2, 1e-4, 5e-3, 4};
    check_orders(&c, error);
}

static void midslip__bowl__order_2(void **state) {
    (void)state;
    double error[2][8];
    const study c = {"bowl", bowl_sliding, 0.5, 1e-4, 5e-3, 4};
    check_orders(&c, error);
}

/* generalized-alpha has the same two laws. */
static void midslip__generalized_alpha__order_2(void **state) {
    (void)state;
    double error[2][8];
    const char *const name = "generalized-alpha";
    const study of[] = {
        {"sliding-mass", table_sliding, 1, 2e-5, 6.25e-3, 5, name},
        {"spinning-sphere", plane_sliding, 0.2, 1e-4, 5e-3, 4, name},
        {"bowl", bowl_sliding, 0.5, 1e-4, 5e-3, 4, name}};
    for (int i = 0; i < 3; ++i) check_orders(&of[i], error);
}

/* ---- tippedisk ------------------------------------------------------------ */

/* omega at t = 0.5 s, in the body frame */
static scree_vec3 disk_spin_to(double dt, scree_friction_law friction,
                               double tolerance) {
    trial r = make_friction_trial("tippedisk", dt, friction);
    r.options.tolerance = tolerance;
    run_to(&r, 0.5);
    const scree_vec3 omega = vec_from(r.s->u + 3);
    end_trial(&r);
    return omega;
}

static scree_vec3 disk_spin(double dt, scree_friction_law friction) {
    return disk_spin_to(dt, friction, 1e-12);
}

/* Of order 2, so (4 fine - coarse) / 3 is of order 3 or more. */
static scree_vec3 disk_reference(void) {
    const scree_vec3 coarse = disk_spin(1.25e-4, SCREE_FRICTION_MIDSLIP);
    const scree_vec3 fine = disk_spin(6.25e-5, SCREE_FRICTION_MIDSLIP);
    return add_scaled(scale(4. / 3, fine), -1. / 3, coarse);
}

static double largest_component(scree_vec3 a) {
    return fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z)));
}

/* MIDSLIP: errors of omega at dt = 1e-3, 5e-4, 2.5e-4. */
static void midslip__tippedisk__order_2(void **state) {
    (void)state;
    enum { N = 3 };
    const double dt[N] = {1e-3, 5e-4, 2.5e-4};
    const double expected[2][N] = {{1.47, 0.71, 0.35},
                                   {8.4e-3, 2.1e-3, 5.1e-4}};
    const scree_vec3 exact = disk_reference();
    for (int law = 0; law < 2; ++law) {
        double e[N];
        for (int i = 0; i < N; ++i)
            e[i] = largest_component(
                add_scaled(disk_spin(dt[i], LAWS[law]), -1, exact));
        print_message("tippedisk, %s: %.3e %.3e %.3e, order %.2f\n",
                      law_names[law], e[0], e[1], e[2], order_of(dt, e, N));
        assert_near(order_of(dt, e, N), 1 + law, 0.1);
        for (int i = 0; i < N; ++i) assert_within(e[i], expected[law][i], 0.2);
    }
}

/* The tolerance of 000 5.4 leaves gaps of 1e-9 m: closed all the same, or steps
 * would fall back to the published law, which costs 0.1 rad/s here. */
static void midslip__tippedisk__tolerance_does_not_matter(void **state) {
    (void)state;
    for (double dt = 1e-3; dt > 2e-4; dt /= 2) {
        const scree_vec3 a = disk_spin(dt, SCREE_FRICTION_MIDSLIP);
        const scree_vec3 b = disk_spin_to(dt, SCREE_FRICTION_MIDSLIP, 1e-8);
        assert_near(largest_component(add_scaled(a, -1, b)), 0, 1e-4);
    }
}

/* ---- what does not change ------------------------------------------------- */

/* Largest difference of states between both laws, over a run. */
static double difference(trial *a, trial *b, double t_end) {
    double worst = 0;
    for (int n = steps_to(a, t_end); n > 0; --n) {
        step(a);
        step(b);
        for (int i = 0; i < a->s->ops->n_q; ++i)
            worst = fmax(worst, fabs(a->s->q[i] - b->s->q[i]));
        for (int i = 0; i < a->s->ops->n_u; ++i)
            worst = fmax(worst, fabs(a->s->u[i] - b->s->u[i]));
    }
    end_trial(a);
    end_trial(b);
    return worst;
}

/* In the plane slip does not turn, it only stops or reverses. Velocities are of
 * size 50: 1e-12 is what rounding leaves. */
static void midslip__ball_cases__unchanged(void **state) {
    (void)state;
    const double e_n[] = {0.5, 0, 0}, omega[] = {0, 50, 10};
    for (int k = 0; k < 3; ++k) {
        trial r[2];
        for (int law = 0; law < 2; ++law) {
            r[law] = make_friction_trial("bouncing-ball", 1e-2, LAWS[law]);
            set(&r[law], "e_n", e_n[k]);
            set(&r[law], "omega", omega[k]);
        }
        assert_near(difference(&r[0], &r[1], 1.5), 0, 1e-12);
    }
}

static void midslip__slope_cases__unchanged(void **state) {
    (void)state;
    const double y0[] = {1, 1, 1, 1.5}, u0[] = {0, 1, -1, 0};
    for (int k = 0; k < 4; ++k) {
        trial r[2];
        for (int law = 0; law < 2; ++law) {
            r[law] = make_friction_trial("slope", 6.4e-3, LAWS[law]);
            set(&r[law], "y0", y0[k]);
            set(&r[law], "u0", u0[k]);
        }
        assert_near(difference(&r[0], &r[1], 3.2768), 0, 1e-12);
    }
}

/* A spinning sphere dropped from 0.3 m with e = 0.6: the step of each impact
 * turns the normal velocity by exactly -e. */
static void midslip__spatial_impacts__restitution_exact(void **state) {
    (void)state;
    trial r =
        make_friction_trial("spinning-sphere", 1e-3, SCREE_FRICTION_MIDSLIP);
    set(&r, "e_n", 0.6);
    r.s->q[2] += 0.3;
    int impacts = 0;
    while (r.s->t < 0.8 - 1e-9) {
        const double before = r.s->u[2];
        step(&r);
        assert_true(r.s->g[0] >= -1e-12);
        if (r.s->P[0] == 0) continue;
        assert_near(r.s->u[2], -0.6 * before, 1e-12);
        ++impacts;
    }
    assert_int_equal(impacts, 3); /* at 0.2473, 0.5441 and 0.7222 s */
    end_trial(&r);
}

/* Once the contact sticks, the mass does not move and the sphere does not slip,
 * although a force drags. */
static void midslip__stick__no_creep(void **state) {
    (void)state;
    trial mass = make_friction_trial("slope", 1e-3, SCREE_FRICTION_MIDSLIP);
    run_to(&mass, 2.2); /* sticks at 2.0973523 s */
    const double x = mass.s->q[0];
    run_to(&mass, 5);
    assert_near(mass.s->q[0], x, 1e-13);
    end_trial(&mass);

    trial r =
        make_friction_trial("spinning-sphere", 1e-3, SCREE_FRICTION_MIDSLIP);
    run_to(&r, 0.5);
    for (int n = 0; n < 500; ++n) {
        step(&r);
        assert_int_equal(r.s->mode[1], 0);
        assert_near(r.s->u[0] - 0.1 * r.s->u[4], 0, 1e-12);
        assert_near(r.s->u[1] + 0.1 * r.s->u[3], 0, 1e-12);
    }
    end_trial(&r);
}

/* Without other forces friction only takes energy, in every step, badly
 * resolved ones included. */
static void midslip__every_step__friction_takes_energy(void **state) {
    (void)state;
    const double sizes[] = {1e-3, 1e-2, 0.1};
    for (int k = 0; k < 3; ++k) {
        trial r = make_friction_trial("spinning-sphere", sizes[k],
                                      SCREE_FRICTION_MIDSLIP);
        set(&r, "force", 0);
        double last = INFINITY;
        for (int n = 0; n < 400; ++n) {
            step(&r);
            const double e = r.s->ops->energy(r.s->p, r.s->t, r.s->q, r.s->u);
            assert_true(e <= last + 1e-13);
            last = e;
        }
        end_trial(&r);
    }
}

/* ---- badly resolved steps --------------------------------------------------- */

/* One step of the mass on the table (m = 1, a = 2) in closed form, from the
 * rules of MIDSLIP. Returns whether the step was resolved. */
static bool table_step(const double *u, const double *F, double dt,
                       double *end) {
    const double a_dt = 2 * dt;
    const double w[2] = {u[0] + 0.5 * dt * F[0], u[1] + 0.5 * dt * F[1]};
    const double v[2] = {u[0] + dt * F[0], u[1] + dt * F[1]};
    const double size = hypot(w[0], w[1]);
    const double d[2] = {w[0] / size, w[1] / size};
    const double half = size - 0.5 * a_dt; /* |u_{n+1/2}| in slip */
    const double along = v[0] * d[0] + v[1] * d[1] - a_dt;
    const bool resolved = half > 0 && u[0] * d[0] + u[1] * d[1] > 0 &&
                          0.5 * a_dt <= half && along > 0;
    const double left = fmax(0, 1 - a_dt / hypot(v[0], v[1]));
    for (int i = 0; i < 2; ++i)
        end[i] = resolved ? v[i] - a_dt * d[i] : left * v[i];
    return resolved;
}

/* 1500 random steps in which friction may stop the mass or turn it by any
 * angle: resolved ones follow the midpoint, all others the published law. */
static void midslip__badly_resolved__published_law(void **state) {
    (void)state;
    const double dt = 0.1; /* friction takes 0.2 m/s per step */
    scree_random rng = scree_random_stream(1, 0);
    int n_resolved = 0;
    for (int n = 0; n < 1500; ++n) {
        trial r =
            make_friction_trial("sliding-mass", dt, SCREE_FRICTION_MIDSLIP);
        const double F[2] = {scree_random_range(&rng, -3, 3),
                             scree_random_range(&rng, -3, 3)};
        double end[2];
        set(&r, "f_x", F[0]);
        set(&r, "f_y", F[1]);
        for (int i = 0; i < 2; ++i)
            r.s->u[i] = scree_random_range(&rng, -0.4, 0.4);
        n_resolved += table_step(r.s->u, F, dt, end);
        step(&r);
        for (int i = 0; i < 2; ++i) assert_near(r.s->u[i], end[i], 1e-12);
        end_trial(&r);
    }
    print_message("%d of 1500 steps are resolved\n", n_resolved);
    assert_true(n_resolved > 300 && n_resolved < 1200);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(midslip__table__order_2),
        cmocka_unit_test(midslip__table__errors_of_the_study),
        cmocka_unit_test(midslip__table__end_point),
        cmocka_unit_test(midslip__sphere_under_lateral_force__order_2),
        cmocka_unit_test(midslip__bowl__order_2),
        cmocka_unit_test(midslip__generalized_alpha__order_2),
        cmocka_unit_test(midslip__tippedisk__order_2),
        cmocka_unit_test(midslip__tippedisk__tolerance_does_not_matter),
        cmocka_unit_test(midslip__ball_cases__unchanged),
        cmocka_unit_test(midslip__slope_cases__unchanged),
        cmocka_unit_test(midslip__spatial_impacts__restitution_exact),
        cmocka_unit_test(midslip__stick__no_creep),
        cmocka_unit_test(midslip__every_step__friction_takes_energy),
        cmocka_unit_test(midslip__badly_resolved__published_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
