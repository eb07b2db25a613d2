/* Every solver of solvers.def, on the same problems: the solution satisfies
 * Signorini and Coulomb to the tolerance asked, and agrees with the dense
 * reference wherever it is unique. */
#include <stdlib.h>
#include <string.h>

#include "tests/conform/exceptions.h"
#include "tests/conform/solver_fixture.h"

static const exception EXCEPTIONS[] = {
    {"hub", "dense", "a prox step of 1 / (row sum) on 600 rows takes minutes"},
    {"three iterations", "newton", "may need no more"},
};

/* ---- tests ---------------------------------------------------------------- */

/* One sphere on the floor in every mode, against closed forms; in space, and the
 * same as a disc in the plane, where z is y. */
static void check_single(double v_n, double v_t, double mu, double c_n,
                         double expect_v_n, double expect_v_t) {
    const double m = 2, r = 0.1;
    for (int planar = 0; planar < 2; ++planar) {
        const scree_vec3 n = vec(0, planar, 1 - planar), x = vec(1, 0, 0);
        fixture f = new_fixture(1, 1);
        f.p.planar = planar;
        set_body(&f, 0, m, r, add_scaled(scale(v_t, x), v_n, n), vec(0, 0, 0));
        add_contact(&f, 0, -1, n, r, 0, mu, scale(c_n, n));
        keep_u_free(&f);
        FOR_EACH_SOLVER(ops) {
            if (!takes(ops, &f)) continue;
            assert_true(solve(&f, ops->name, 1e-13).converged);
            assert_near(dot(n, f.p.u[0].v), expect_v_n, 1e-11);
            assert_near(f.p.u[0].v.x, expect_v_t, 1e-11);
            assert_near(law_defect(&f), 0, 1e-11);
        }
        free_fixture(&f);
    }
}

static void single_contact__every_mode__closed_form(void **state) {
    (void)state;
    check_single(1, 1, 0.5, 0, 1, 1);               /* opens */
    check_single(-1, 0, 0.5, 0, 0, 0);              /* closes */
    check_single(-1, 0, 0.5, -0.3, 0.3, 0);         /* restitution */
    check_single(-1, 0, 0.5, 0.2, -0.2, 0);         /* gap left */
    check_single(-1, 0.1, 0.5, 0, 0, 5. / 7 * 0.1); /* sticks: rolls */
    check_single(-1, 3, 0.5, 0, 0, 3 - 0.5);        /* slips: mu m v_n */
    check_single(-1, 3, 0, 0, 0, 3);                /* no friction */
    check_single(0, 0, 0.5, 0, 0, 0);               /* nothing at all */
}

/* n spheres in a column, each falling by one step of gravity. */
static void stack__vertical__bottom_carries_all(void **state) {
    (void)state;
    enum { N = 8 };
    const double r = 0.1, m = 1.5, dv = 9.81e-3;
    fixture f = new_fixture(N, N);
    for (int i = 0; i < N; ++i)
        set_body(&f, i, m, r, vec(0, 0, -dv), vec(0, 0, 0));
    for (int i = 0; i < N; ++i)
        add_contact(&f, i, i - 1, vec(0, 0, 1), r, r, 0.5, vec(0, 0, 0));
    keep_u_free(&f);
    FOR_EACH_SOLVER(ops) {
        if (!takes(ops, &f)) continue;
        assert_true(solve(&f, ops->name, 1e-12).converged);
        for (int i = 0; i < N; ++i)
            assert_near(scree_problem_row(&f.p, i).P_n, m * dv * (N - i), 1e-9);
    }
    free_fixture(&f);
}

/* Blocks on each other in the plane, thrown sideways with v while falling with g:
 * P_N = m g (blocks above, with its own). Contact `slick` has mu = 0.1, the floor 0.3,
 * all others 0.6; what each block keeps of v. */
enum { BLOCKS = 5 };
static void check_blocks(int slick, double v, const double *kept) {
    const double m = 1.5, g = 0.01;
    fixture f = new_kind(BLOCKS, BLOCKS, true);
    f.p.planar = true;
    for (int i = 0; i < BLOCKS; ++i) {
        set_body(&f, i, m, 0.1, vec(v, -g, 0), vec(0, 0, 0));
        add_touch(&f, i, i - 1, vec(0, 1, 0), i == slick ? 0.1 : i ? 0.6 : 0.3);
    }
    keep_u_free(&f);
    FOR_EACH_SOLVER(ops) {
        if (!takes(ops, &f)) continue;
        assert_true(solve(&f, ops->name, 1e-12).converged);
        for (int i = 0; i < BLOCKS; ++i) {
            assert_near(scree_problem_row(&f.p, i).P_n, m * g * (BLOCKS - i),
                        1e-9);
            assert_near(f.p.u[i].v.x, kept[i], 1e-9);
            assert_near(f.p.u[i].v.y, 0, 1e-9);
        }
    }
    free_fixture(&f);
}

static void blocks__thrown_sideways__stick_or_slide_by_mu(void **state) {
    (void)state;
    const double g = 0.01, v = 0.05, floor = 0.3 * g, slick = 0.1 * g;
    double kept[BLOCKS] = {0};
    check_blocks(-1, 0.99 * floor, kept); /* all stop, just so */
    for (int i = 0; i < BLOCKS; ++i) kept[i] = v - floor;
    check_blocks(-1, v, kept); /* all slide as one */
    /* The three above slide off the two below, which the floor slows the more. */
    const double below = (BLOCKS * floor - 3 * slick) / 2;
    for (int i = 0; i < BLOCKS; ++i) kept[i] = v - (i < 2 ? below : slick);
    check_blocks(2, v, kept);
    for (int i = 0; i < BLOCKS; ++i) kept[i] = i < 2 ? 0 : 0.5 * floor - slick;
    check_blocks(2, 0.5 * floor, kept); /* those below stop */
}

/* A wedge of mass m and angle a on the floor, under a load M that a smooth wall keeps
 * from going along: with friction tan(phi) on both faces it holds up to a = phi +
 * atan(tan(phi) (1 + m/M)), beyond that it is driven out with w while the load
 * sinks with w tan(a): momentum of both in one step of gravity g gives
 *     w (m + M T tan(a)) = g (M T - m tan(phi)),  T = tan(a - phi) - tan(phi). */
static void check_driven_wedge(double mu, double beyond) {
    const double m = 0.5, M = 3, g = 0.01, phi = atan(mu);
    const double a = phi + atan(mu * (1 + m / M)) + beyond;
    const double T = tan(a - phi) - mu;
    const double w =
        beyond > 0 ? g * (M * T - m * mu) / (m + M * T * tan(a)) : 0;
    fixture f = new_kind(2, 3, true);
    f.p.planar = true;
    set_body(&f, 0, m, 0.1, vec(0, -g, 0), vec(0, 0, 0));
    set_body(&f, 1, M, 0.1, vec(0, -g, 0), vec(0, 0, 0));
    add_touch(&f, 0, -1, vec(0, 1, 0), mu);
    add_touch(&f, 1, 0, vec(-sin(a), cos(a), 0), mu);
    add_touch(&f, 1, -1, vec(1, 0, 0), 0);
    keep_u_free(&f);
    FOR_EACH_SOLVER(ops) {
        if (!takes(ops, &f)) continue;
        assert_true(solve(&f, ops->name, 1e-12).converged);
        assert_near(f.p.u[0].v.x, w, 1e-9);
        assert_near(f.p.u[1].v.y, -w * tan(a), 1e-9);
        assert_near(f.p.u[0].v.y, 0, 1e-9);
        assert_near(f.p.u[1].v.x, 0, 1e-9);
    }
    free_fixture(&f);
}

static void wedge__around_its_limit__holds_or_is_driven_out(void **state) {
    (void)state;
    for (int k = 0; k < 3; ++k) {
        const double mu = 0.1 + 0.15 * k;
        check_driven_wedge(mu, -0.02);
        check_driven_wedge(mu, 0.02);
        check_driven_wedge(mu, 0.2);
    }
}

/* A sphere in a symmetric wedge: two contacts share the weight, and friction
 * takes its part: without friction P = m g / (2 cos(a)). */
static void wedge__frictionless__known_load(void **state) {
    (void)state;
    const double a = 0.6, m = 1, dv = 0.01;
    fixture f = new_fixture(1, 2);
    set_body(&f, 0, m, 0.1, vec(0, 0, -dv), vec(0, 0, 0));
    add_contact(&f, 0, -1, vec(sin(a), 0, cos(a)), 0.1, 0, 0, vec(0, 0, 0));
    add_contact(&f, 0, -1, vec(-sin(a), 0, cos(a)), 0.1, 0, 0, vec(0, 0, 0));
    keep_u_free(&f);
    FOR_EACH_SOLVER(ops) {
        if (!takes(ops, &f)) continue;
        assert_true(solve(&f, ops->name, 1e-13).converged);
        for (int i = 0; i < 2; ++i)
            assert_near(scree_problem_row(&f.p, i).P_n, m * dv / (2 * cos(a)),
                        1e-12);
    }
    free_fixture(&f);
}

/* A ball held by six walls at once, pushed askew: more rows than unknowns. */
static void box__hyperstatic__body_stops(void **state) {
    (void)state;
    const scree_vec3 n[] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                            {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
    fixture f = new_fixture(1, 6);
    set_body(&f, 0, 1, 0.1, vec(0.2, -0.1, -1), vec(1, 0, 3));
    for (int i = 0; i < 6; ++i)
        add_contact(&f, 0, -1, n[i], 0.1, 0, 0.4, vec(0, 0, 0));
    keep_u_free(&f);
    FOR_EACH_SOLVER(ops) {
        if (!takes(ops, &f)) continue;
        const scree_report report = solve(&f, ops->name, 1e-10);
        assert_true(report.converged);
        assert_near(law_defect(&f), 0, 10 * report.residual * size_of(&f));
        assert_near(norm(f.p.u[0].v), 0, 1e-8);
    }
    free_fixture(&f);
}

/* A box on its four corners: who carries what is not told, the sum is. With friction
 * it stops, without it goes on as it went. */
static void box__four_corners__weight_carried(void **state) {
    (void)state;
    const double m = 3, fall = 0.02, theta = 0.05;
    for (int k = 0; k < 2; ++k) {
        fixture f = new_kind(1, 4, true);
        set_body(&f, 0, m, 0.1, vec(0.002, 0.001, -fall), vec(0, 0, 0));
        f.inv_I[0] =
            (scree_sym3){.xx = 1 / theta, .yy = 2 / theta, .zz = 1.5 / theta};
        for (int i = 0; i < 4; ++i) {
            const scree_row row = {
                .a = 0,
                .b = 1,
                .general = true,
                .n = vec(0, 0, 1),
                .r_a = vec(i % 2 ? 0.2 : -0.2, i / 2 ? 0.1 : -0.1, -0.01),
                .mu = k ? 0.8 : 0};
            add_row(&f.p, &row);
        }
        keep_u_free(&f);
        FOR_EACH_SOLVER(ops) {
            if (!takes(ops, &f)) continue;
            assert_true(solve(&f, ops->name, 1e-11).converged);
            double sum = 0;
            for (int i = 0; i < 4; ++i) sum += scree_problem_row(&f.p, i).P_n;
            assert_near(sum, m * fall, 1e-9);
            assert_near(f.p.u[0].v.x, k ? 0 : 0.002, 1e-9);
            assert_near(f.p.u[0].v.y, k ? 0 : 0.001, 1e-9);
            assert_near(norm(f.p.u[0].w), 0, 1e-8);
        }
        free_fixture(&f);
    }
}

/* A ball that rolls along the floor, and one that spins on it, both at the limits
 * of their moments: M_T = roll m v_n, M_N = mu drill m v_n. */
static void moments__rolling_and_spinning_ball__closed_form(void **state) {
    (void)state;
    const double m = 2, r = 0.1, theta = 0.4 * m * r * r, fall = 1;
    const double roll = 0.01, drill = 0.02, mu = 0.3, spin = 20;
    fixture f = new_kind(2, 2, true);
    set_body(&f, 0, m, r, vec(spin * r, 0, -fall), vec(0, spin, 0));
    set_body(&f, 1, m, r, vec(0, 0, -fall), vec(0, 0, spin));
    for (int i = 0; i < 2; ++i) {
        f.inv_I[i] =
            (scree_sym3){.xx = 1 / theta, .yy = 1 / theta, .zz = 1 / theta};
        const scree_row row = {.a = i,
                               .b = 2,
                               .general = true,
                               .n = vec(0, 0, 1),
                               .r_a = vec(0, 0, -r),
                               .mu = mu,
                               .laws = i ? SCREE_CONTENSOU : SCREE_ROLLING,
                               .roll = i ? 0 : roll,
                               .drill = i ? drill : 0};
        add_row(&f.p, &row);
    }
    keep_u_free(&f);
    /* It goes on rolling: theta_contact dw = -roll m fall. */
    const double dw = roll * m * fall / (theta + m * r * r);
    FOR_EACH_SOLVER(ops) {
        if (!takes(ops, &f)) continue;
        assert_true(solve(&f, ops->name, 1e-13).converged);
        assert_near(f.p.u[0].w.y, spin - dw, 1e-10);
        assert_near(f.p.u[0].v.x, r * (spin - dw), 1e-10);
        assert_near(f.p.u[1].w.z, spin - mu * drill * m * fall / theta, 1e-10);
        assert_near(norm(f.p.u[1].v), 0, 1e-10);
    }
    free_fixture(&f);
}

/* Random heaps: a tetrahedral chain of spheres with masses over two decades. */
static void random_clusters__all_solvers__agree_with_dense(void **state) {
    (void)state;
    scree_random rng = {42};
    for (int trial = 0; trial < 20; ++trial) {
        enum { N = 6 };
        const double mu = trial % 4 * 0.2;
        fixture f = new_fixture(N, 3 * N);
        for (int i = 0; i < N; ++i)
            set_body(&f, i, exp(scree_random_range(&rng, -2, 2)), 0.1,
                     vec(scree_random_normal(&rng), scree_random_normal(&rng),
                         -1 + scree_random_normal(&rng)),
                     vec(scree_random_normal(&rng), scree_random_normal(&rng),
                         scree_random_normal(&rng)));
        for (int i = 0; i < N; ++i) {
            const scree_vec3 n = vec(0.5 * scree_random_normal(&rng),
                                     0.5 * scree_random_normal(&rng), 1);
            add_contact(&f, i, i - 1, n, 0.1, 0.1, mu,
                        vec(0, 0, 0.1 * scree_random_normal(&rng)));
            if (i >= 2 && i % 2)
                add_contact(&f, i, i - 2,
                            vec(1, 0.3 * scree_random_normal(&rng), 0.4), 0.1,
                            0.1, mu, vec(0, 0, 0));
        }
        check_all(&f, 1e-11);
        free_fixture(&f);
    }
}

/* The same in the plane, of discs: with all methods, lemke among them. */
static void random_clusters__plane__agree_with_dense(void **state) {
    (void)state;
    scree_random rng = {4};
    for (int trial = 0; trial < 12; ++trial) {
        enum { N = 6 };
        fixture f = new_fixture(N, 2 * N);
        f.p.planar = true;
        for (int i = 0; i < N; ++i)
            set_body(&f, i, exp(scree_random_range(&rng, -1, 1)), 0.1,
                     vec(scree_random_normal(&rng),
                         -1 + scree_random_normal(&rng), 0),
                     vec(0, 0, scree_random_normal(&rng)));
        for (int i = 0; i < N; ++i)
            add_contact(&f, i, i - 1,
                        vec(0.5 * scree_random_normal(&rng), 1, 0), 0.1, 0.1,
                        trial % 4 * 0.2, vec(0, 0, 0));
        check_all(&f, 1e-11);
        free_fixture(&f);
    }
}

/* Two spheres on the floor, one beside the other; the friction of the first on
 * the floor is tied to a direction: P_T = -mu P_N d whatever the slip is. */
static void tied_contact__all_solvers__friction_follows_normal(void **state) {
    (void)state;
    const double m = 2, r = 0.1, mu = 0.3;
    const scree_vec3 d = vec(0.6, 0.8, 0);
    fixture f = new_fixture(2, 3);
    set_body(&f, 0, m, r, vec(1, 0, -0.5), vec(0, 0, 0));
    set_body(&f, 1, m, r, vec(-1, 0, -0.5), vec(0, 0, 0));
    add_contact(&f, 0, -1, vec(0, 0, 1), r, 0, mu, vec(0, 0, 0));
    scree_row first = scree_problem_row(&f.p, 0);
    first.laws = SCREE_TIED, first.tie = d;
    scree_problem_fill(&f.p, 0, &first);
    add_contact(&f, 1, -1, vec(0, 0, 1), r, 0, mu, vec(0, 0, 0));
    add_contact(&f, 1, 0, vec(1, 0, 0), r, r, 0, vec(0, 0, 0));
    keep_u_free(&f);
    FOR_EACH_SOLVER(ops) {
        if (!takes(ops, &f)) continue;
        assert_true(solve(&f, ops->name, 1e-13).converged);
        const scree_row row = scree_problem_row(&f.p, 0);
        assert_near(row.P_n, 0.5 * m, 1e-11);
        assert_near(norm(sub(row.P_t, scale(-mu * row.P_n, d))), 0, 1e-12);
        assert_near(f.p.u[0].v.y, -mu * 0.5 * d.y, 1e-11);
        assert_near(momentum_defect(&f), 0, 1e-12);
    }
    free_fixture(&f);
}

/* General contacts, with tensors and arms that do not lie along the normal. A
 * body that is touched both ways has one inertia: here all are general. */
static fixture random_heap(scree_random *rng, double mu) {
    enum { N = 6 };
    fixture f = new_kind(N, 2 * N, true);
    for (int i = 0; i < N; ++i) {
        set_body(&f, i, exp(scree_random_range(rng, -1, 1)), 0.1,
                 add(random_vec(rng, 1), vec(0, 0, -1)), random_vec(rng, 1));
        f.inv_I[i] = random_tensor(rng, f.p.u[i].inv_theta);
    }
    for (int i = 0; i < N; ++i) {
        const scree_vec3 n = add(vec(0, 0, 1), random_vec(rng, 0.3));
        const scree_row row = {.a = i,
                               .b = i ? i - 1 : N,
                               .general = true,
                               .n = scale(1 / norm(n), n),
                               .r_a = random_vec(rng, 0.05),
                               .r_b = random_vec(rng, i ? 0.05 : 0),
                               .mu = mu};
        add_row(&f.p, &row);
    }
    return f;
}

static void general__random_clusters__agree_with_dense(void **state) {
    (void)state;
    scree_random rng = {17};
    for (int trial = 0; trial < 12; ++trial) {
        fixture f = random_heap(&rng, trial % 3 * 0.2);
        check_all(&f, 1e-10);
        free_fixture(&f);
    }
}

/* Anisotropic friction beside isotropic, on the same kind of heaps. */
static void ovals__random_clusters__agree_with_dense(void **state) {
    (void)state;
    for (int trial = 0; trial < 8; ++trial) {
        scree_random rng = {100 + (uint64_t)trial};
        fixture f = random_heap(&rng, 0.2 + 0.1 * (trial % 3));
        make_ovals(&f, 1 + trial % 2);
        check_all(&f, 1e-10);
        free_fixture(&f);
    }
}

/* A point mass on the floor, stopped and thrown along the axes and askew: it
 * sticks inside the ellipse, and slips along the normal of its rim. */
static void oval__single_contact__closed_form(void **state) {
    (void)state;
    const double m = 2, fall = 1;
    const scree_vec3 e = vec(0.8, 0.6, 0), across = vec(-0.6, 0.8, 0);
    for (int k = 0; k < 24; ++k) {
        const double angle = 0.4 + k * SCREE_PI / 6;
        const double mu_1 = k < 12 ? 0.5 : 0.2, mu_2 = k < 12 ? 0.2 : 0.5;
        /* friction takes P = m fall (mu_1 cos, mu_2 sin), slip s along the
         * normal of the rim is left over; s = 0 and less than P: it sticks */
        const double s = k % 3 ? 0.3 * k : 0, used = s > 0 ? 1 : 0.7;
        const double P[2] = {mu_1 * cos(angle) * fall,
                             mu_2 * sin(angle) * fall};
        const double left[2] = {s * cos(angle) / mu_1, s * sin(angle) / mu_2};
        fixture f = new_kind(1, 1, true);
        const scree_vec3 v = add(scale(used * P[0] + left[0], e),
                                 scale(used * P[1] + left[1], across));
        set_body(&f, 0, m, 0.1, sub(v, vec(0, 0, fall)), vec(0, 0, 0));
        const scree_row row = {.a = 0,
                               .b = 1,
                               .general = true,
                               .n = vec(0, 0, 1),
                               .mu = mu_1,
                               .laws = SCREE_ELLIPSE,
                               .ratio = mu_2 / mu_1,
                               .across = across};
        add_row(&f.p, &row);
        keep_u_free(&f);
        FOR_EACH_SOLVER(ops) {
            if (!takes(ops, &f)) continue;
            assert_true(solve(&f, ops->name, 1e-13).converged);
            assert_near(dot(e, f.p.u[0].v), left[0], 1e-11);
            assert_near(dot(across, f.p.u[0].v), left[1], 1e-11);
            assert_near(law_defect(&f), 0, 1e-11);
        }
        free_fixture(&f);
    }
}

/* One body with more contacts than there are colours. */
static void colours__hub_of_200_contacts__overflow_solved(void **state) {
    (void)state;
    enum { N = 200 };
    scree_random rng = {3};
    fixture f = new_fixture(N + 1, N);
    set_body(&f, N, 1000, 1, vec(0, 0, 0), vec(0, 0, 0));
    for (int i = 0; i < N; ++i) {
        const scree_vec3 n =
            vec(scree_random_normal(&rng), scree_random_normal(&rng),
                scree_random_normal(&rng));
        set_body(&f, i, 1, 0.1, scale(-1 / norm(n), n), vec(0, 0, 0));
        add_contact(&f, i, N, n, 0.1, 1, 0.3, vec(0, 0, 0));
    }
    keep_u_free(&f);
    FOR_EACH_SOLVER(ops) {
        if (IS_EXCEPTED(EXCEPTIONS, "hub", ops->name)) continue;
        if (!takes(ops, &f)) continue;
        const scree_report report = solve(&f, ops->name, 1e-10);
        assert_true(report.converged);
        assert_near(momentum_defect(&f), 0, 1e-11);
        assert_near(law_defect(&f), 0, 10 * report.residual * size_of(&f));
    }
    free_fixture(&f);
}

static void empty_problem__all_solvers__nothing_to_do(void **state) {
    (void)state;
    fixture f = new_fixture(2, 0);
    FOR_EACH_SOLVER(ops) {
        const scree_report report = solve(&f, ops->name, 0);
        assert_true(report.converged);
        assert_int_equal(report.iterations, 0);
    }
    free_fixture(&f);
}

/* Without the answer, the report says so and the iterations are as asked. */
static void too_few_iterations__report__not_converged(void **state) {
    (void)state;
    enum { N = 30 };
    fixture f = new_fixture(N, N);
    for (int i = 0; i < N; ++i)
        set_body(&f, i, 1, 0.1, vec(0, 0, -0.01), vec(0, 0, 0));
    for (int i = 0; i < N; ++i)
        add_contact(&f, i, i - 1, vec(0, 0, 1), 0.1, 0.1, 0.5, vec(0, 0, 0));
    keep_u_free(&f);
    FOR_EACH_SOLVER(ops) {
        const scree_solver_options options = {
            .iterations = 3, .tolerance = 1e-10, .relaxation = 1};
        if (!takes(ops, &f)) continue;
        scree_report report;
        restart(&f);
        assert_ok(scree_inclusion_solve(scree_in_lanes(&f.p), ops, &options,
                                        &f.scratch, &report, NULL));
        assert_true(report.iterations <= 3);
        if (IS_EXCEPTED(EXCEPTIONS, "three iterations", ops->name)) continue;
        assert_false(report.converged);
        assert_int_equal(report.stop, SCREE_STOP_ITERATIONS);
        assert_int_equal(report.iterations, 3);
        assert_true(report.residual > 1e-10);
    }
    free_fixture(&f);
}

/* A ball that two walls squeeze has no solution: no method says it found one, and
 * each comes back within its iterations. */
static void infeasible__all_solvers__report_not_converged(void **state) {
    (void)state;
    fixture f = new_fixture(1, 2);
    set_body(&f, 0, 1, 0.1, vec(0, 0, 0), vec(0, 0, 0));
    add_contact(&f, 0, -1, vec(0, 0, 1), 0.1, 0, 0, vec(0, 0, -1));
    add_contact(&f, 0, -1, vec(0, 0, -1), 0.1, 0, 0, vec(0, 0, 1));
    keep_u_free(&f);
    FOR_EACH_SOLVER(ops) {
        const scree_solver_options options = {
            .iterations = 20000, .tolerance = 1e-3, .relaxation = 1};
        scree_report report;
        restart(&f);
        assert_ok(scree_inclusion_solve(scree_in_lanes(&f.p), ops, &options,
                                        &f.scratch, &report, NULL));
        assert_false(report.converged);
        assert_true(report.iterations <= 20000);
        assert_int_not_equal(report.stop, SCREE_STOP_TOLERANCE);
    }
    free_fixture(&f);
}

/* The same inside of random heaps, with and without friction, by walls that close
 * faster and more slowly than all else; and again from the percussions that the
 * method left, as a warm start does. */
static void infeasible__random_clusters__report_not_converged(void **state) {
    (void)state;
    static const double speeds[] = {20, 2, 0.2, 0.05};
    scree_random rng = {8};
    for (int trial = 0; trial < 24; ++trial) {
        fixture f = random_heap(&rng, trial % 2 * 0.4);
        add_touch(&f, trial % 6, -1, vec(1, 0, 0), 0);
        add_touch(&f, trial % 6, -1, vec(-1, 0, 0), 0);
        for (int64_t i = f.p.n_contact - 2; i < f.p.n_contact; ++i) {
            scree_row row = scree_problem_row(&f.p, i);
            row.c = scale(-speeds[trial / 6], row.n);
            scree_problem_fill(&f.p, i, &row);
        }
        keep_u_free(&f);
        FOR_EACH_SOLVER(ops) {
            const scree_solver_options options = {
                .iterations = 2000, .tolerance = 1e-3, .relaxation = 1};
            if (!takes(ops, &f)) continue;
            restart(&f);
            for (int again = 0; again < 2; ++again) {
                scree_report report;
                memcpy(f.p.u, f.u_free,
                       ((size_t)f.p.n_body + 1) * sizeof *f.u_free);
                assert_ok(scree_inclusion_solve(scree_in_lanes(&f.p), ops,
                                                &options, &f.scratch, &report,
                                                NULL));
                assert_false(report.converged);
                assert_true(report.iterations <= 2000);
                assert_int_not_equal(report.stop, SCREE_STOP_TOLERANCE);
            }
        }
        free_fixture(&f);
    }
}

/* NaN in the data comes back as "not converged", within the iterations; with
 * friction, without, and in the plane: every method takes one of them. */
static void nan__all_solvers__report_not_converged(void **state) {
    (void)state;
    for (int k = 0; k < 3; ++k) {
        fixture f = new_fixture(1, 2);
        f.p.planar = k == 2;
        set_body(&f, 0, 1, 0.1, vec(0, -1, 0), vec(0, 0, 0));
        for (int i = 0; i < 2; ++i)
            add_contact(&f, 0, -1, vec(i, 1, 0), 0.1, 0, k == 1 ? 0 : 0.5,
                        vec(0, i ? NAN : 0, 0));
        keep_u_free(&f);
        FOR_EACH_SOLVER(ops) {
            if (!takes(ops, &f)) continue;
            const scree_solver_options options = {
                .iterations = 50, .tolerance = 1e-6, .relaxation = 1};
            scree_report report;
            restart(&f);
            assert_ok(scree_inclusion_solve(scree_in_lanes(&f.p), ops, &options,
                                            &f.scratch, &report, NULL));
            assert_false(report.converged);
            assert_int_equal(report.stop, SCREE_STOP_NOT_FINITE);
        }
        free_fixture(&f);
    }
}

/* A body at some m/s that neither opens nor closes, but for rounding: there is nothing
 * to solve, and none may say that it failed. */
static void roundings__all_solvers__converged(void **state) {
    (void)state;
    scree_random rng = {7};
    for (int k = 0; k < 100; ++k) {
        const scree_vec3 v = random_vec(&rng, 4), any = random_vec(&rng, 1);
        const scree_vec3 n = scale(1 / norm(any), any);
        fixture f = new_fixture(1, 1);
        f.p.speed = k % 2 ? 9.81e-4 : 0;
        set_body(&f, 0, 0.7, 0.1, v, vec(0, 0, 0));
        add_contact(&f, 0, -1, n, 0.1, 0, 0, scale(-dot(n, v), n));
        keep_u_free(&f);
        FOR_EACH_SOLVER(ops) {
            if (!takes(ops, &f)) continue;
            const scree_solver_options options = {
                .iterations = 100, .tolerance = 3e-4, .relaxation = 1};
            scree_report report;
            restart(&f);
            assert_ok(scree_inclusion_solve(scree_in_lanes(&f.p), ops, &options,
                                            &f.scratch, &report, NULL));
            assert_true(report.converged);
            assert_near(norm(sub(f.p.u[0].v, v)), 0, 1e-14);
        }
        free_fixture(&f);
    }
}

/* Without friction a contact that opens is solved by P = 0, in all layouts. */
static void frictionless__opens__converged(void **state) {
    (void)state;
    check_single(1, 0, 0, 0, 1, 0);
    check_single(1, 2, 0, 0.5, 1, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_contact__every_mode__closed_form),
        cmocka_unit_test(stack__vertical__bottom_carries_all),
        cmocka_unit_test(blocks__thrown_sideways__stick_or_slide_by_mu),
        cmocka_unit_test(wedge__around_its_limit__holds_or_is_driven_out),
        cmocka_unit_test(wedge__frictionless__known_load),
        cmocka_unit_test(box__hyperstatic__body_stops),
        cmocka_unit_test(box__four_corners__weight_carried),
        cmocka_unit_test(moments__rolling_and_spinning_ball__closed_form),
        cmocka_unit_test(random_clusters__plane__agree_with_dense),
        cmocka_unit_test(random_clusters__all_solvers__agree_with_dense),
        cmocka_unit_test(general__random_clusters__agree_with_dense),
        cmocka_unit_test(ovals__random_clusters__agree_with_dense),
        cmocka_unit_test(oval__single_contact__closed_form),
        cmocka_unit_test(tied_contact__all_solvers__friction_follows_normal),
        cmocka_unit_test(colours__hub_of_200_contacts__overflow_solved),
        cmocka_unit_test(empty_problem__all_solvers__nothing_to_do),
        cmocka_unit_test(too_few_iterations__report__not_converged),
        cmocka_unit_test(infeasible__all_solvers__report_not_converged),
        cmocka_unit_test(infeasible__random_clusters__report_not_converged),
        cmocka_unit_test(nan__all_solvers__report_not_converged),
        cmocka_unit_test(roundings__all_solvers__converged),
        cmocka_unit_test(frictionless__opens__converged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
