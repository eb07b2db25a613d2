/* Every method for explicit Delassus matrices, on the same problems: closed
 * forms, the inclusion checked by its definition, and agreement of the methods
 * in G P + b, which is unique where P is not. */
#include <stdio.h>

#include "engine/base/random.h"
#include "tests/conform/delassus_fixture.h"

/* All methods that apply solve it; G P + b of the first is compared. */
static void check_all(fixture *f, double tolerance, double agree) {
    double reference[MOST], xi[MOST];
    for (int m = 0; m < N_METHOD; ++m) {
        if (m == 2 && !planar(f)) continue;
        const scree_report report = solve(f, METHODS[m], tolerance);
        assert_true(report.converged);
        assert_near(scree_delassus_residual(&f->d, &f->scratch),
                    report.residual, 1e-15);
        assert_near(law_defect(f), 0, agree);
        scree_delassus_xi(&f->d, m ? xi : reference);
        for (int i = 0; i < f->d.n && m; ++i)
            assert_near(xi[i], reference[i], agree);
    }
}

/* ---- closed forms ------------------------------------------------------- */

/* One set of one row: G = 2, expected P and mode. */
static void check_row(scree_set s, double b, double P, int mode) {
    for (int m = 0; m < N_METHOD; ++m) {
        static fixture f;
        start(&f, 1);
        f.G[0] = 2, f.b[0] = b;
        s.n = 1;
        add_set(&f, s);
        assert_true(solve(&f, METHODS[m], 1e-14).converged);
        assert_near(f.P[0], P, 1e-14);
        int found;
        scree_delassus_modes(&f.d, &found, &f.scratch);
        assert_int_equal(found, mode);
        scree_arena_free(&f.scratch);
    }
}

static void single_row__every_set_and_mode__closed_form(void **state) {
    (void)state;
    const scree_set free = {.kind = SCREE_SET_FREE};
    const scree_set zero = {.kind = SCREE_SET_ZERO};
    const scree_set half = {.kind = SCREE_SET_HALFLINE};
    const scree_set span = {.kind = SCREE_SET_INTERVAL, .lo = -1, .hi = 3};
    const scree_set up = {.kind = SCREE_SET_INTERVAL, .lo = -1, .hi = INFINITY};
    const scree_set down = {
        .kind = SCREE_SET_INTERVAL, .lo = -INFINITY, .hi = 3};
    const scree_set any = {
        .kind = SCREE_SET_INTERVAL, .lo = -INFINITY, .hi = INFINITY};
    const scree_set belt = {
        .kind = SCREE_SET_BALL, .normal = -1, .radius = 0.5};
    check_row(free, 3, -1.5, 0);
    check_row(free, -3, 1.5, 0);
    check_row(zero, 3, 0, 1);
    check_row(half, -3, 1.5, 0);
    check_row(half, 3, 0, 1);
    check_row(half, 0, 0, 1);
    check_row(span, 1, -0.5, 0);
    check_row(span, 7, -1, 1);
    check_row(span, -7, 3, 1);
    check_row(up, 1, -0.5, 0);
    check_row(up, 7, -1, 1);
    check_row(up, -70, 35, 0);
    check_row(down, -1, 0.5, 0);
    check_row(down, 70, -35, 0);
    check_row(down, -70, 3, 1);
    check_row(any, 70, -35, 0);
    check_row(belt, 0.4, -0.2, 0);
    check_row(belt, 4, -0.5, 1);
    check_row(belt, -4, 0.5, 1);
}

/* One contact with n components of friction: G = diag(2, 4 ..), mu = 0.5; slip
 * velocity v_t along a fixed direction. Expected normal and friction |P|. */
static void check_contact(int n, double v_n, double v_t, double P_n, double P_t,
                          int mode_n, int mode_t) {
    for (int m = 0; m < (n == 1 ? N_METHOD : 2); ++m) {
        static fixture f;
        start(&f, 1 + n);
        add_contact(&f, 0, n, 0.5);
        const double direction = 1 / sqrt(n);
        f.b[0] = v_n, *entry(&f, 0, 0) = 2;
        for (int i = 1; i <= n; ++i)
            f.b[i] = v_t * direction, *entry(&f, i, i) = 4;
        assert_true(solve(&f, METHODS[m], 1e-14).converged);
        assert_near(f.P[0], P_n, 1e-14);
        for (int i = 1; i <= n; ++i)
            assert_near(f.P[i], -P_t * direction, 1e-14);
        int mode[2];
        scree_delassus_modes(&f.d, mode, &f.scratch);
        assert_int_equal(mode[0], mode_n);
        assert_int_equal(mode[1], mode_t);
        scree_arena_free(&f.scratch);
    }
}

static void single_contact__every_mode__closed_form(void **state) {
    (void)state;
    for (int n = 1; n <= 3; ++n) {
        check_contact(n, 1, 1, 0, 0, 1, 1);    /* opens */
        check_contact(n, 1, 0, 0, 0, 1, 1);    /* opens without slip */
        check_contact(n, 0, 1, 0, 0, 1, 1);    /* touches */
        check_contact(n, -4, 2, 2, 0.5, 0, 0); /* sticks */
        check_contact(n, -4, 6, 2, 1, 0, 1);   /* slips */
        check_contact(n, -4, 0, 2, 0, 0, 0);   /* closes */
    }
}

/* Slip that presses: exact local solutions circle, P_N <- 1 - 1.35 P_N, and
 * only a smaller step finds P_N = 1 / 2.35. */
static void contact__strong_coupling__steps_shrink(void **state) {
    (void)state;
    static fixture f;
    const double G[] = {1, 1.5, 1.5, 4};
    for (int m = 0; m < N_METHOD; ++m) {
        start(&f, 2);
        memcpy(f.G, G, sizeof G);
        f.b[0] = -1, f.b[1] = -3;
        add_contact(&f, 0, 1, 0.9);
        const scree_report report = solve_from(&f, METHODS[m], 1e-13, 1000);
        assert_true(report.converged);
        assert_near(f.P[0], 1 / 2.35, 1e-12);
        assert_near(f.P[1], 0.9 / 2.35, 1e-12);
        scree_arena_free(&f.scratch);
    }
}

static void stack__vertical__bottom_carries_all(void **state) {
    (void)state;
    enum { N = 12 };
    static fixture f;
    double W[N * N] = {0}, inv_m[N], u[N];
    start(&f, N);
    for (int i = 0; i < N; ++i) {
        add_contact(&f, i, 0, 0);
        inv_m[i] = 1 / 1.5, u[i] = -0.01;
        W[i * N + i] = 1;
        if (i) W[(i - 1) * N + i] = -1;
    }
    set_dynamics(&f, N, W, inv_m, u);
    for (int m = 0; m < N_METHOD; ++m) {
        assert_true(solve(&f, METHODS[m], 1e-14).converged);
        for (int i = 0; i < N; ++i)
            assert_near(f.P[i], 1.5 * 0.01 * (N - i), 1e-10);
    }
    scree_arena_free(&f.scratch);
}

/* A point mass in a symmetric wedge of half angle a: without friction
 * P = m g / (2 cos(a)); with it, both stick or share. */
static void wedge__point_mass__known_load(void **state) {
    (void)state;
    const double a = 0.6, inv_m[2] = {1, 1}, u[2] = {0, -0.01};
    const double s = sin(a), c = cos(a);
    for (int m = 0; m < N_METHOD; ++m) {
        static fixture f;
        start(&f, 2);
        add_contact(&f, 0, 0, 0), add_contact(&f, 1, 0, 0);
        const double W[] = {s, -s, c, c};
        set_dynamics(&f, 2, W, inv_m, u);
        assert_true(solve(&f, METHODS[m], 1e-15).converged);
        for (int i = 0; i < 2; ++i) assert_near(f.P[i], 0.01 / (2 * c), 1e-13);
        scree_arena_free(&f.scratch);
    }
    static fixture g;
    start(&g, 4);
    add_contact(&g, 0, 1, 0.3), add_contact(&g, 2, 1, 0.3);
    const double W[] = {s, c, -s, c, c, -s, c, s};
    set_dynamics(&g, 2, W, inv_m, u);
    check_all(&g, 1e-14, 1e-12);
    scree_arena_free(&g.scratch);
}

/* ---- redundant rows ----------------------------------------------------- */

/* A box on the floor with `n` contacts along its base, planar: rows (normal,
 * tangent) on (x, z, phi). */
static void make_box(fixture *f, int n, double mu, const double u[3]) {
    double W[3 * MOST];
    const double inv_m[3] = {1, 1, 1 / 0.4};
    start(f, 2 * n);
    for (int i = 0; i < n; ++i) {
        const double x = -0.5 + (double)i / (n - 1), z = -0.5;
        add_contact(f, 2 * i, 1, mu);
        W[2 * i] = 0, W[2 * n + 2 * i] = 1, W[4 * n + 2 * i] = x;
        W[2 * i + 1] = 1, W[2 * n + 2 * i + 1] = 0, W[4 * n + 2 * i + 1] = -z;
    }
    set_dynamics(f, 3, W, inv_m, u);
}

static void box__redundant_contacts__methods_agree(void **state) {
    (void)state;
    const double cases[][3] = {{0, -0.1, 0},   {0.01, -0.1, 0}, {1, -0.1, 0},
                               {0, -0.1, 0.5}, {0, 0.1, 0},     {-2, -1, 3}};
    for (int n = 2; n <= 8; n += 2)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
            for (int k = 0; k < 3; ++k) {
                static fixture f;
                make_box(&f, n, 0.3 * k, cases[i]);
                check_all(&f, 1e-12, 1e-9);
                scree_arena_free(&f.scratch);
            }
}

/* The same contact twice, and a free row twice: G is singular. */
static void rows_twice__newton__least_norm(void **state) {
    (void)state;
    static fixture f;
    start(&f, 4);
    const double W[] = {1, 1, 0.5, 0.5, 0, 0, 1, 1};
    const double inv_m[2] = {1, 2}, u[2] = {-1, 0.3};
    set_dynamics(&f, 2, W, inv_m, u);
    add_row(&f, SCREE_SET_HALFLINE, 0), add_row(&f, SCREE_SET_HALFLINE, 1);
    add_row(&f, SCREE_SET_FREE, 2), add_row(&f, SCREE_SET_FREE, 3);
    const scree_report report = solve(&f, "newton", 1e-13);
    assert_true(report.converged && report.singular);
    assert_near(f.P[0], f.P[1], 1e-12); /* shared evenly */
    assert_near(f.P[2], f.P[3], 1e-12);
    assert_near(law_defect(&f), 0, 1e-12);
    assert_true(solve(&f, "prox", 1e-12).converged);
    scree_report by_lemke;
    assert_int_equal(
        scree_dense_lemke(
            &f.d,
            &(scree_solver_options){.tolerance = 1e-12, .iterations = 100},
            &f.scratch, &by_lemke),
        SCREE_UNSUPPORTED);
    scree_arena_free(&f.scratch);
}

/* ---- random problems ---------------------------------------------------- */

typedef struct recipe {
    int contacts, friction; /* components */
    int bilateral, bounded; /* rows */
    double mu;
    double skew;        /* perturbation of G, relative */
    double masses;      /* spread, decades */
    double coordinates; /* per row; 0: 2, below 1 G is singular */
} recipe;

static void add_sets(fixture *f, const recipe *r, scree_random *rng) {
    int row = 0;
    for (int i = 0; i < r->contacts; ++i, row += 1 + r->friction)
        add_contact(f, row, r->friction, r->mu * scree_random_unit(rng));
    for (int i = 0; i < r->bilateral; ++i)
        add_row(f, i == 2 ? SCREE_SET_ZERO : SCREE_SET_FREE, row++);
    for (int i = 0; i < r->bounded; ++i) {
        const double lo = scree_random_normal(rng);
        if (i % 2)
            add_ball(f, row++, 1, -1, 0, scree_random_unit(rng));
        else
            add_interval(f, row++, lo, lo + scree_random_unit(rng));
    }
}

/* Directions of length about one; with twice as many coordinates as rows they
 * are coupled and independent. */
static void make_random(fixture *f, const recipe *r, uint64_t seed) {
    static double W[2 * MOST * MOST];
    double inv_m[2 * MOST] = {0}, u[2 * MOST] = {0}; /* n_q of them are used */
    scree_random rng = scree_random_stream(seed, 7);
    const int n = r->contacts * (1 + r->friction) + r->bilateral + r->bounded;
    const int n_q = (int)((r->coordinates > 0 ? r->coordinates : 2) * n);
    start(f, n);
    for (int k = 0; k < n_q; ++k) {
        inv_m[k] = pow(10, r->masses * (scree_random_unit(&rng) - 0.5));
        u[k] = scree_random_normal(&rng);
        for (int i = 0; i < n; ++i)
            W[k * n + i] = scree_random_normal(&rng) / sqrt(n_q);
    }
    set_dynamics(f, n_q, W, inv_m, u);
    for (int i = 0; i < n * n; ++i)
        f->G[i] *= 1 + r->skew * (2 * scree_random_unit(&rng) - 1);
    add_sets(f, r, &rng);
}

static void random__all_methods__agree(void **state) {
    (void)state;
    for (int friction = 0; friction <= 3; ++friction)
        for (int kind = 0; kind < 4; ++kind)
            for (uint64_t seed = 0; seed < 50; ++seed) {
                static fixture f;
                const recipe r = {.contacts = 1 + (int)(seed % 10),
                                  .friction = friction,
                                  .bilateral = kind & 1 ? 4 : 0,
                                  .bounded = kind & 1 ? 3 : 0,
                                  .mu = 0.6,
                                  .skew = kind & 2 ? 0.01 : 0,
                                  .masses = 1};
                make_random(&f, &r, seed);
                check_all(&f, 1e-12, 1e-9);
                scree_arena_free(&f.scratch);
            }
}

/* Half as many coordinates as rows. Without friction the velocities are unique.
 * With it they are not: each method that ends must end at a solution, newton
 * always does, and the first-order method and Lemke nearly always. */
static void redundant__all_methods__solve(void **state) {
    (void)state;
    enum { SEEDS = 50 };
    for (int friction = 0; friction <= 2; ++friction) {
        int solved[N_METHOD] = {0};
        for (uint64_t seed = 0; seed < SEEDS; ++seed) {
            static fixture f;
            const recipe r = {.contacts = 8,
                              .friction = friction,
                              .mu = 0.6,
                              .masses = 1,
                              .coordinates = 0.5};
            make_random(&f, &r, seed);
            if (friction == 0) check_all(&f, 1e-12, 1e-8);
            for (int m = 0; m < (friction == 2 ? 2 : N_METHOD); ++m) {
                memset(f.P, 0, sizeof f.P);
                const scree_report report =
                    solve_from(&f, METHODS[m], 1e-12, m ? 200 : 100000);
                if (report.converged) assert_near(law_defect(&f), 0, 1e-9);
                solved[m] += report.converged;
            }
            scree_arena_free(&f.scratch);
        }
        print_message("redundant, %d friction rows, of %d: prox %d, newton %d, "
                      "lemke %d solved\n",
                      friction, SEEDS, solved[0], solved[1], solved[2]);
        assert_true(solved[0] >= 0.9 * SEEDS && solved[1] == SEEDS);
        assert_true(friction == 2 || solved[2] >= 0.9 * SEEDS);
    }
}

/* 10 contacts from P = 0: few steps, and which is printed. */
static void random__newton__few_iterations(void **state) {
    (void)state;
    enum { SEEDS = 200 };
    for (int friction = 0; friction <= 3; ++friction) {
        int histogram[101] = {0}, most = 0, fallbacks = 0;
        for (uint64_t seed = 0; seed < SEEDS; ++seed) {
            static fixture f;
            const recipe r = {
                .contacts = 10, .friction = friction, .mu = 0.6, .masses = 1};
            make_random(&f, &r, 1000 + seed);
            const scree_report report = solve(&f, "newton", 1e-12);
            assert_true(report.converged);
            ++histogram[report.iterations];
            if (report.iterations > most) most = report.iterations;
            fallbacks += report.singular;
            scree_arena_free(&f.scratch);
        }
        print_message("newton, 10 contacts, %d friction rows: iterations",
                      friction);
        for (int i = 0; i <= most; ++i)
            if (histogram[i]) print_message(" %d:%d", i, histogram[i]);
        print_message(", %d with prox\n", fallbacks);
        assert_true(most <= 10);
        assert_int_equal(fallbacks, 0);
    }
}

/* Percussions of 1e6 and velocities of 1e-4 and the reverse. */
static void scales__all_methods__same_answer(void **state) {
    (void)state;
    for (int k = 0; k < 4; ++k)
        for (uint64_t seed = 0; seed < 20; ++seed) {
            static fixture f;
            const recipe r = {.contacts = 6, .friction = 1, .mu = 0.5};
            const double g = k & 1 ? 1e-6 : 1e6, v = k & 2 ? 1e-4 : 1e4;
            make_random(&f, &r, seed);
            for (int i = 0; i < f.d.n * f.d.n; ++i) f.G[i] *= g;
            for (int i = 0; i < f.d.n; ++i) f.b[i] *= v;
            check_all(&f, 1e-12 * v, 1e-9 * v);
            scree_arena_free(&f.scratch);
        }
}

/* A solution as first guess is left alone. */
static void warm_start__solution__no_iterations(void **state) {
    (void)state;
    static fixture f;
    const recipe r = {.contacts = 8, .friction = 2, .mu = 0.5};
    make_random(&f, &r, 3);
    assert_true(solve(&f, "newton", 1e-13).converged);
    double P[MOST];
    memcpy(P, f.P, sizeof P);
    for (int m = 0; m < 2; ++m) {
        const scree_report report = solve_from(&f, METHODS[m], 1e-11, 10);
        assert_true(report.converged);
        assert_int_equal(report.iterations, 0);
        assert_memory_equal(P, f.P, sizeof P);
    }
    scree_arena_free(&f.scratch);
}

/* ---- what has no solution, or none in time ------------------------------ */

static void check_fails(fixture *f, int iterations) {
    for (int m = 0; m < N_METHOD; ++m) {
        if (m == 2 && !planar(f)) continue;
        scree_report report;
        memset(f->P, 0, sizeof f->P);
        const scree_solver_options o = {.tolerance = 1e-10,
                                        .iterations = iterations};
        const scree_status status =
            scree_method_find(METHODS[m])
                ->dense(&f->d, &o, &f->scratch, &report);
        if (m == 2 && status == SCREE_UNSUPPORTED) continue;
        assert_ok(status);
        assert_false(report.converged);
        assert_true(report.iterations <= iterations);
        if (isfinite(report.residual))
            assert_near(scree_delassus_residual(&f->d, &f->scratch),
                        report.residual, 1e-12);
    }
    scree_arena_free(&f->scratch);
}

static void nan__all_methods__not_converged(void **state) {
    (void)state;
    for (int where = 0; where < 3; ++where)
        for (int friction = 0; friction <= 2; ++friction) {
            static fixture f;
            const recipe r = {.contacts = 4,
                              .friction = friction,
                              .bilateral = 1,
                              .bounded = 1,
                              .mu = 0.5};
            make_random(&f, &r, 5);
            if (where == 0) f.b[2] = NAN;
            if (where == 1) *entry(&f, 1, 2) = NAN;
            if (where == 2) *entry(&f, 3, 3) = INFINITY;
            check_fails(&f, 50);
        }
}

static void infeasible__all_methods__not_converged(void **state) {
    (void)state;
    static fixture f;
    start(&f, 1); /* pressed, without mass */
    f.b[0] = -1;
    add_row(&f, SCREE_SET_HALFLINE, 0);
    check_fails(&f, 100);
    start(&f, 2); /* one bilateral row twice, with different velocities */
    for (int i = 0; i < 4; ++i) f.G[i] = 1;
    f.b[0] = 1, f.b[1] = -1;
    add_row(&f, SCREE_SET_FREE, 0), add_row(&f, SCREE_SET_FREE, 1);
    check_fails(&f, 100);
    start(&f,
          2); /* slips for ever, and friction presses more than it carries */
    f.G[0] = 1, f.G[1] = 1.8;
    f.b[0] = -1, f.b[1] = 1;
    add_contact(&f, 0, 1, 0.9);
    check_fails(&f, 100);
    start(&f, 2); /* caught between two walls that close */
    f.G[0] = f.G[3] = 1, f.G[1] = f.G[2] = -1;
    f.b[0] = f.b[1] = -1;
    add_row(&f, SCREE_SET_HALFLINE, 0), add_row(&f, SCREE_SET_HALFLINE, 1);
    check_fails(&f, 100);
}

/* Rows without mass among others: they keep out of the way. */
static void massless_row__all_methods__solved(void **state) {
    (void)state;
    static fixture f;
    start(&f, 4);
    *entry(&f, 0, 0) = 2, *entry(&f, 3, 3) = 1;
    f.b[0] = -4, f.b[1] = 0.5, f.b[2] = 0, f.b[3] = 1;
    add_row(&f, SCREE_SET_HALFLINE, 0), add_row(&f, SCREE_SET_HALFLINE, 1);
    add_ball(&f, 2, 1, 1, 0.5, 0), add_ball(&f, 3, 1, 0, 0.1, 0);
    for (int m = 0; m < N_METHOD; ++m) {
        assert_true(solve(&f, METHODS[m], 1e-14).converged);
        assert_near(f.P[0], 2, 1e-14);
        assert_near(f.P[1], 0, 0);
        assert_near(f.P[3], -0.2, 1e-14);
    }
    scree_arena_free(&f.scratch);
}

static void too_few_iterations__report__not_converged(void **state) {
    (void)state;
    static fixture f;
    const recipe r = {.contacts = 10, .friction = 1, .mu = 0.5, .masses = 2};
    make_random(&f, &r, 11);
    check_fails(&f, 1);
    make_random(&f, &r, 11);
    check_fails(&f, 0);
}

/* Painleve's rod: G_NN - mu G_NT < 0 in slip. Pressed and slipping it has
 * several solutions or none; either way there is an answer that says which. */
static void painleve__all_methods__status(void **state) {
    (void)state;
    int solved[N_METHOD] = {0}, all = 0;
    for (int i = -20; i <= 20; ++i)
        for (int k = -4; k <= 4; ++k, ++all) {
            static fixture f;
            const double G_tn = 1.8, G[] = {1, G_tn, G_tn, 4};
            start(&f, 2);
            memcpy(f.G, G, sizeof G);
            f.b[0] = 0.05 * i, f.b[1] = k;
            add_contact(&f, 0, 1, 0.9);
            for (int m = 0; m < N_METHOD; ++m) {
                memset(f.P, 0, sizeof f.P);
                const scree_report report =
                    solve_from(&f, METHODS[m], 1e-10, 1000);
                if (report.converged) assert_near(law_defect(&f), 0, 1e-9);
                solved[m] += report.converged;
            }
            scree_arena_free(&f.scratch);
        }
    print_message("Painleve, %d cases: prox %d, newton %d, lemke %d solved\n",
                  all, solved[0], solved[1], solved[2]);
}

/* An open contact whose slip is a rounding: P = 0 is the solution, whatever was guessed.
 * Zeros of the complementarity problem are no ties of a small negative entry. */
static void lemke__roundings_below_zero__open_contact(void **state) {
    (void)state;
    static fixture f;
    const double G[] = {1, 0.1, 0.1, 3.5};
    for (int k = 9; k <= 18; ++k) {
        start(&f, 2);
        memcpy(f.G, G, sizeof G);
        f.b[0] = 3.07, f.b[1] = -pow(10, -k);
        f.P[0] = 4, f.P[1] = -0.7;
        add_contact(&f, 0, 1, 0.2);
        const scree_report report = solve_from(&f, "lemke", 1e-12, 1000);
        assert_true(report.converged);
        assert_string_equal(report.by, "");
        assert_near(f.P[0], 0, 1e-12);
        assert_near(f.P[1], 0, 1e-12);
        scree_arena_free(&f.scratch);
    }
}

/* A pivot that is below what roundings of the others make looks like a ray. */
static void lemke__pivot_too_small__newton_by_name(void **state) {
    (void)state;
    static fixture f;
    start(&f, 2);
    *entry(&f, 0, 0) = 1, *entry(&f, 1, 1) = 1e-12;
    f.b[0] = -1, f.b[1] = -1e-11;
    f.P[0] = 7, f.P[1] = 7;
    add_row(&f, SCREE_SET_HALFLINE, 0);
    add_row(&f, SCREE_SET_HALFLINE, 1);
    const scree_report report = solve_from(&f, "lemke", 1e-14, 1000);
    assert_string_equal(report.by, "newton");
    assert_true(report.converged);
    assert_near(f.P[0], 1, 1e-12);
    assert_near(f.P[1], 10, 1e-9);
    scree_arena_free(&f.scratch);
}

static void lemke__spatial_friction__unsupported(void **state) {
    (void)state;
    static fixture f;
    scree_report report;
    start(&f, 3);
    for (int i = 0; i < 3; ++i) *entry(&f, i, i) = 1;
    add_contact(&f, 0, 2, 0.5);
    const scree_solver_options o = {.tolerance = 1e-10, .iterations = 10};
    assert_int_equal(scree_dense_lemke(&f.d, &o, &f.scratch, &report),
                     SCREE_UNSUPPORTED);
    assert_false(report.converged);
    scree_arena_free(&f.scratch);
}

static void empty__all_methods__nothing_to_do(void **state) {
    (void)state;
    static fixture f;
    start(&f, 0);
    for (int m = 0; m < N_METHOD; ++m) {
        const scree_report report = solve(&f, METHODS[m], 0);
        assert_true(report.converged);
        assert_int_equal(report.iterations, 0);
    }
    scree_arena_free(&f.scratch);
}

/* Every method on a dense problem with friction in space: those that take it solve it, and
 * the others name them. */
static void refusal__every_method__names_those_that_do(void **state) {
    (void)state;
    static fixture f;
    const scree_solver_options o = {.tolerance = 1e-10, .iterations = 100};
    const scree_method *m;
    start(&f, 3);
    for (int i = 0; i < 3; ++i) *entry(&f, i, i) = 1;
    f.b[0] = -1;
    add_contact(&f, 0, 2, 0.5);
    for (int i = 0; (m = scree_method_get(i)); ++i) {
        scree_report report;
        scree_error error = {0};
        const scree_status status = scree_inclusion_solve(
            scree_in_dense(&f.d), m, &o, &f.scratch, &report, &error);
        if (m->dense && strcmp(m->name, "lemke") != 0) {
            assert_ok(status);
            assert_true(report.converged);
            continue;
        }
        char text[200];
        snprintf(text, sizeof text, "%s does not run on models%s do", m->name,
                 m->dense ? " with friction in space, which newton and prox"
                          : ", which newton and prox");
        assert_int_equal(status, SCREE_UNSUPPORTED);
        assert_string_equal(error.text, text);
    }
    assert_null(scree_method_find("simplex"));
    scree_arena_free(&f.scratch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refusal__every_method__names_those_that_do),
        cmocka_unit_test(empty__all_methods__nothing_to_do),
        cmocka_unit_test(single_row__every_set_and_mode__closed_form),
        cmocka_unit_test(single_contact__every_mode__closed_form),
        cmocka_unit_test(contact__strong_coupling__steps_shrink),
        cmocka_unit_test(stack__vertical__bottom_carries_all),
        cmocka_unit_test(wedge__point_mass__known_load),
        cmocka_unit_test(box__redundant_contacts__methods_agree),
        cmocka_unit_test(rows_twice__newton__least_norm),
        cmocka_unit_test(random__all_methods__agree),
        cmocka_unit_test(redundant__all_methods__solve),
        cmocka_unit_test(random__newton__few_iterations),
        cmocka_unit_test(scales__all_methods__same_answer),
        cmocka_unit_test(warm_start__solution__no_iterations),
        cmocka_unit_test(nan__all_methods__not_converged),
        cmocka_unit_test(infeasible__all_methods__not_converged),
        cmocka_unit_test(massless_row__all_methods__solved),
        cmocka_unit_test(too_few_iterations__report__not_converged),
        cmocka_unit_test(painleve__all_methods__status),
        cmocka_unit_test(lemke__roundings_below_zero__open_contact),
        cmocka_unit_test(lemke__pivot_too_small__newton_by_name),
        cmocka_unit_test(lemke__spatial_friction__unsupported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
