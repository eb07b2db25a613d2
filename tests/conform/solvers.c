/* Every solver of solvers.def, on the same problems: the solution satisfies
 * Signorini and Coulomb to the tolerance asked, and agrees with the dense
 * reference wherever it is unique. */
#include <stdlib.h>
#include <string.h>

#include "engine/base/random.h"
#include "solvers/explicit.h"
#include "solvers/pgs.h"
#include "solvers/sets.h"
#include "solvers/solver.h"
#include "tests/support.h"

/* ---- problems ------------------------------------------------------------ */

typedef struct fixture {
    scree_problem p;
    scree_twist *u_free;
    scree_sym3 *inv_I; /* NULL: round contacts only */
    scree_arena scratch;
} fixture;

static fixture new_kind(int32_t n_body, int64_t n_contact, bool general) {
    fixture f = {.p = {.n_body = n_body}};
    if (general)
        f.p.inv_I = f.inv_I = calloc((size_t)n_body + 1, sizeof *f.inv_I);
    f.p.u = calloc((size_t)n_body + 1, sizeof *f.p.u);
    f.u_free = calloc((size_t)n_body + 1, sizeof *f.u_free);
    assert_ok(scree_problem_clear(&f.p, n_contact, general ? n_contact : 0));
    return f;
}

static fixture new_fixture(int32_t n_body, int64_t n_contact) {
    return new_kind(n_body, n_contact, false);
}

static void free_fixture(fixture *f) {
    free(f->p.u);
    free(f->inv_I);
    free(f->u_free);
    scree_problem_free(&f->p);
    scree_arena_free(&f->scratch);
}

static void set_body(fixture *f, int i, double m, double r, scree_vec3 v,
                     scree_vec3 w) {
    f->p.u[i] = (scree_twist){v, 1 / m, w, 1 / (0.4 * m * r * r)};
}

static void add_contact(fixture *f, int a, int b, scree_vec3 n, double arm_a,
                        double arm_b, double mu, scree_vec3 c) {
    const scree_row row = {.a = a,
                           .b = b < 0 ? f->p.n_body : b,
                           .n = scale(1 / norm(n), n),
                           .arm_a = arm_a,
                           .arm_b = b < 0 ? 0 : arm_b,
                           .mu = mu,
                           .c = c};
    scree_problem_add(&f->p, &row);
}

static void keep_u_free(fixture *f) {
    memcpy(f->u_free, f->p.u, ((size_t)f->p.n_body + 1) * sizeof *f->u_free);
}

static void restart(fixture *f) {
    memcpy(f->p.u, f->u_free, ((size_t)f->p.n_body + 1) * sizeof *f->u_free);
    for (int64_t i = 0; i < f->p.n_contact; ++i)
        scree_problem_set_P(&f->p, i, 0, vec(0, 0, 0));
}

/* Solves from u_free and P = 0. */
static scree_report solve(fixture *f, const char *method, double tolerance) {
    const scree_solver_options options = {.method = method,
                                          .iterations = 2000000,
                                          .tolerance = tolerance,
                                          .relaxation = 1};
    restart(f);
    scree_report report;
    assert_ok(scree_solver_run(scree_solver_find(method), &f->p, &options,
                               &f->scratch, &report));
    if (!report.converged)
        print_error("%s: residual %g after %d: %s\n", method, report.residual,
                    report.iterations, scree_stop_text(report.stop));
    return report;
}

/* Methods with the matrix have no tied friction, lemke no friction in space. */
static bool must_refuse(const char *method, const scree_problem *p) {
    const char *const with_matrix[] = {"apgd", "newton", "lemke"};
    bool tied = false, friction = false, matrix = false;
    for (int64_t i = 0; i < p->n_contact; ++i) {
        tied |= scree_problem_row(p, i).mu < 0;
        friction |= scree_problem_row(p, i).mu > 0;
    }
    for (int k = 0; k < 3; ++k) matrix |= !strcmp(method, with_matrix[k]);
    return (tied && matrix) || (friction && !strcmp(method, "lemke"));
}

/* Does the method take the problem? One that does not must say so. */
static bool takes(const scree_solver_ops *ops, fixture *f) {
    if (!must_refuse(ops->name, &f->p)) return true;
    const scree_solver_options options = {.iterations = 1, .relaxation = 1};
    scree_report report;
    assert_int_equal(scree_solver_run(ops, &f->p, &options, &f->scratch,
                                      &report),
                     SCREE_UNSUPPORTED);
    return false;
}

/* ---- what a solution is --------------------------------------------------- */

/* Worst violation of u = u_free + M^-1 W P, by the definition of W. */
static double momentum_defect(const fixture *f) {
    const int n = f->p.n_body;
    scree_twist *u = malloc(((size_t)n + 1) * sizeof *u);
    memcpy(u, f->u_free, ((size_t)n + 1) * sizeof *u);
    for (int64_t i = 0; i < f->p.n_contact; ++i) {
        const scree_row r = scree_problem_row(&f->p, i);
        const scree_vec3 P = add_scaled(r.P_t, r.P_n, r.n);
        scree_twist *a = &u[r.a], *b = &u[r.b];
        a->v = add_scaled(a->v, a->inv_m, P);
        b->v = add_scaled(b->v, -b->inv_m, P);
        const scree_vec3 m_a = cross(scree_row_arm(&r, true), P);
        const scree_vec3 m_b = cross(scree_row_arm(&r, false), P);
        a->w = add(a->w, scree_row_turn(&f->p, &r, r.a, m_a));
        b->w = sub(b->w, scree_row_turn(&f->p, &r, r.b, m_b));
    }
    double worst = 0;
    for (int i = 0; i < n; ++i)
        worst = fmax(worst, fmax(norm(sub(u[i].v, f->p.u[i].v)),
                                 norm(sub(u[i].w, f->p.u[i].w))));
    free(u);
    return worst;
}

/* Worst of: approaching, pulling, percussion on an open contact, percussion
 * outside the disc, slip that percussion does not oppose; velocities in m/s,
 * percussions through rho in m/s. */
static double law_defect(const fixture *f) {
    double worst = 0;
    for (int64_t i = 0; i < f->p.n_contact; ++i) {
        const scree_row r = scree_problem_row(&f->p, i);
        const double rho = r.rho_t;
        const scree_vec3 xi = scree_problem_xi(&f->p, i);
        const double xi_n = dot(r.n, xi), P_t = norm(r.P_t);
        const scree_vec3 xi_t = add_scaled(xi, -xi_n, r.n);
        const double slip = norm(xi_t), limit = r.mu * r.P_n;
        worst = fmax(worst, -xi_n);
        worst = fmax(worst, -r.P_n / rho);
        worst = fmax(worst, fmin(xi_n, r.P_n / rho));
        worst = fmax(worst, (P_t - limit) / rho);
        worst = fmax(worst, fmin(slip, (limit - P_t) / rho));
        if (P_t > 0 && slip > 0) /* sliding: P_T against the slip */
            worst = fmax(worst, fmin(slip, P_t / rho) *
                                    (1 + dot(xi_t, r.P_t) / (slip * P_t)));
    }
    return worst;
}

/* What the residual is relative to, [m/s]: the larger of the free velocities
 * and the percussions through rho. */
static double size_of(const fixture *f) {
    double P2 = 0, xi2 = 0;
    for (int64_t i = 0; i < f->p.n_contact; ++i) {
        const scree_row r = scree_problem_row(&f->p, i);
        const double rho = r.rho_n;
        const scree_vec3 P = add_scaled(r.P_t, r.P_n, r.n);
        P2 += dot(P, P) / (rho * rho);
        const scree_twist *a = &f->u_free[r.a], *b = &f->u_free[r.b];
        const scree_vec3 at_a = add(a->v, cross(a->w, scree_row_arm(&r, true)));
        const scree_vec3 at_b = add(b->v, cross(b->w, scree_row_arm(&r, false)));
        const scree_vec3 xi = add(sub(at_a, at_b), r.c);
        xi2 += dot(xi, xi);
    }
    return sqrt(fmax(P2, xi2));
}

/* All solvers; unique: velocities agree with the dense reference. */
static void check_all(fixture *f, double tolerance) {
    keep_u_free(f);
    const size_t bytes = (size_t)f->p.n_body * sizeof *f->p.u;
    scree_twist *reference = malloc(bytes);
    scree_report report = solve(f, "dense", tolerance);
    assert_true(report.converged);
    memcpy(reference, f->p.u, bytes);
    const scree_solver_ops *ops;
    for (int s = 0; (ops = scree_solver_get(s)); ++s) {
        if (!takes(ops, f)) continue;
        report = solve(f, ops->name, tolerance);
        assert_true(report.converged);
        assert_true(report.residual <= tolerance);
        assert_near(momentum_defect(f), 0, 1e-12);
        /* The natural map bounds the violations up to a factor of order one. */
        assert_near(law_defect(f), 0, 10 * report.residual * size_of(f) + 1e-15);
        for (int i = 0; i < f->p.n_body; ++i) {
            assert_near(norm(sub(f->p.u[i].v, reference[i].v)), 0,
                        1e4 * tolerance);
            assert_near(norm(sub(f->p.u[i].w, reference[i].w)), 0,
                        1e5 * tolerance);
        }
    }
    free(reference);
}

/* ---- tests ---------------------------------------------------------------- */

/* One sphere on the floor in every mode, against closed forms. */
static void check_single(double v_n, double v_t, double mu, double c_n,
                         double expect_v_n, double expect_v_t) {
    const double m = 2, r = 0.1;
    fixture f = new_fixture(1, 1);
    set_body(&f, 0, m, r, vec(v_t, 0, v_n), vec(0, 0, 0));
    add_contact(&f, 0, -1, vec(0, 0, 1), r, 0, mu, vec(0, 0, c_n));
    keep_u_free(&f);
    const scree_solver_ops *ops;
    for (int s = 0; (ops = scree_solver_get(s)); ++s) {
        if (!takes(ops, &f)) continue;
        assert_true(solve(&f, ops->name, 1e-13).converged);
        assert_near(f.p.u[0].v.z, expect_v_n, 1e-11);
        assert_near(f.p.u[0].v.x, expect_v_t, 1e-11);
        assert_near(law_defect(&f), 0, 1e-11);
    }
    free_fixture(&f);
}

static void single_contact__every_mode__closed_form(void **state) {
    (void)state;
    check_single(1, 1, 0.5, 0, 1, 1);            /* opens */
    check_single(-1, 0, 0.5, 0, 0, 0);           /* closes */
    check_single(-1, 0, 0.5, -0.3, 0.3, 0);      /* restitution */
    check_single(-1, 0, 0.5, 0.2, -0.2, 0);      /* gap left */
    check_single(-1, 0.1, 0.5, 0, 0, 5. / 7 * 0.1); /* sticks: rolls */
    check_single(-1, 3, 0.5, 0, 0, 3 - 0.5);     /* slips: mu m v_n */
    check_single(-1, 3, 0, 0, 0, 3);             /* no friction */
    check_single(0, 0, 0.5, 0, 0, 0);            /* nothing at all */
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
    const scree_solver_ops *ops;
    for (int s = 0; (ops = scree_solver_get(s)); ++s) {
        if (!takes(ops, &f)) continue;
        assert_true(solve(&f, ops->name, 1e-12).converged);
        for (int i = 0; i < N; ++i)
            assert_near(scree_problem_row(&f.p, i).P_n, m * dv * (N - i), 1e-9);
    }
    free_fixture(&f);
}

/* A sphere in a symmetric wedge: two contacts share the weight, and friction
 * takes its part: without friction P = m g / (2 cos(a)). */
static void wedge__frictionless__known_load(void **state) {
    (void)state;
    const double a = 0.6, m = 1, dv = 0.01;
    fixture f = new_fixture(1, 2);
    set_body(&f, 0, m, 0.1, vec(0, 0, -dv), vec(0, 0, 0));
    add_contact(&f, 0, -1, vec(sin(a), 0, cos(a)), 0.1, 0, 0, vec(0, 0, 0));
    add_contact(&f, 0, -1, vec(-sin(a), 0, cos(a)), 0.1, 0, 0,
                vec(0, 0, 0));
    keep_u_free(&f);
    const scree_solver_ops *ops;
    for (int s = 0; (ops = scree_solver_get(s)); ++s) {
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
    const scree_vec3 n[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0},
                            {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    fixture f = new_fixture(1, 6);
    set_body(&f, 0, 1, 0.1, vec(0.2, -0.1, -1), vec(1, 0, 3));
    for (int i = 0; i < 6; ++i)
        add_contact(&f, 0, -1, n[i], 0.1, 0, 0.4, vec(0, 0, 0));
    keep_u_free(&f);
    const scree_solver_ops *ops;
    for (int s = 0; (ops = scree_solver_get(s)); ++s) {
        if (!takes(ops, &f)) continue;
        const scree_report report = solve(&f, ops->name, 1e-10);
        assert_true(report.converged);
        assert_near(law_defect(&f), 0, 10 * report.residual * size_of(&f));
        assert_near(norm(f.p.u[0].v), 0, 1e-8);
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
            const scree_vec3 n =
                vec(0.5 * scree_random_normal(&rng),
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

/* Two spheres on the floor, one beside the other; the friction of the first on
 * the floor is tied to a direction: P_T = -mu P_N d whatever the slip is. */
static void tied_contact__all_solvers__friction_follows_normal(void **state) {
    (void)state;
    const double m = 2, r = 0.1, mu = 0.3;
    const scree_vec3 d = vec(0.6, 0.8, 0);
    fixture f = new_fixture(2, 3);
    set_body(&f, 0, m, r, vec(1, 0, -0.5), vec(0, 0, 0));
    set_body(&f, 1, m, r, vec(-1, 0, -0.5), vec(0, 0, 0));
    add_contact(&f, 0, -1, vec(0, 0, 1), r, 0, -mu, d);
    add_contact(&f, 1, -1, vec(0, 0, 1), r, 0, mu, vec(0, 0, 0));
    add_contact(&f, 1, 0, vec(1, 0, 0), r, r, 0, vec(0, 0, 0));
    keep_u_free(&f);
    const scree_solver_ops *ops;
    for (int s = 0; (ops = scree_solver_get(s)); ++s) {
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

/* A positive tensor about 1 / (0.4 m r^2). */
static scree_sym3 random_tensor(scree_random *rng, double size) {
    const scree_vec3 a = vec(scree_random_normal(rng), scree_random_normal(rng),
                             scree_random_normal(rng));
    return (scree_sym3){.xx = size * (0.5 + a.x * a.x),
                        .yy = size * (0.5 + a.y * a.y),
                        .zz = size * (0.5 + a.z * a.z),
                        .xy = size * a.x * a.y,
                        .xz = size * a.x * a.z,
                        .yz = size * a.y * a.z};
}

static scree_vec3 random_vec(scree_random *rng, double size) {
    return scale(size, vec(scree_random_normal(rng), scree_random_normal(rng),
                           scree_random_normal(rng)));
}

/* A bed without geometry: every body touches a few random others. Of general
 * contacts every third is a round one. */
static fixture random_kind(int n_body, int n_contact, double mu, bool general) {
    scree_random rng = {99};
    fixture f = new_kind(n_body, n_contact, general);
    if (general) /* room for both kinds */
        assert_ok(scree_problem_clear(&f.p, 2 * n_contact, n_contact));
    for (int i = 0; i < n_body; ++i) {
        const double m = exp(scree_random_range(&rng, -1, 1));
        const scree_vec3 v = random_vec(&rng, 1);
        set_body(&f, i, m, 0.1, v, random_vec(&rng, 1));
        if (general) f.inv_I[i] = random_tensor(&rng, f.p.u[i].inv_theta);
    }
    for (int k = 0; k < n_contact; ++k) {
        const int a = (int)(scree_random_next(&rng) % (uint64_t)n_body);
        const int b = (int)(scree_random_next(&rng) % (uint64_t)n_body);
        const scree_vec3 n = random_vec(&rng, 1);
        const scree_row row = {.a = a,
                               .b = a == b ? n_body : b,
                               .general = general && k % 3,
                               .n = scale(1 / norm(n), n),
                               .arm_a = 0.1,
                               .arm_b = a == b ? 0 : 0.1,
                               .r_a = random_vec(&rng, 0.1),
                               .r_b = random_vec(&rng, 0.1),
                               .mu = mu,
                               .c = vec(0, 0, 0.1 * scree_random_normal(&rng))};
        scree_problem_add(&f.p, &row);
    }
    keep_u_free(&f);
    return f;
}

static fixture random_bed(int n_body, int n_contact, double mu) {
    return random_kind(n_body, n_contact, mu, false);
}

static void colours__random_bed__no_body_twice_in_a_colour(void **state) {
    (void)state;
    enum { N = 300, M = 900 };
    fixture f = random_bed(N, M, 0.5);
    assert_ok(scree_problem_sort(&f.p));
    int64_t seen = 0;
    for (int c = 0; c < SCREE_COLOURS; ++c) {
        bool busy[N] = {false};
        for (int64_t i = f.p.round.first[c]; i < f.p.round.first[c + 1]; ++i) {
            const scree_block *k = &f.p.blocks[f.p.round.order[i]];
            for (int l = 0; l < SCREE_LANES; ++l) {
                const int bodies[2] = {k->a[l], k->b[l]};
                seen += k->a[l] < N || k->b[l] < N;
                for (int e = 0; e < 2; ++e) {
                    if (bodies[e] == N) continue;
                    assert_false(busy[bodies[e]]);
                    busy[bodies[e]] = true;
                }
            }
        }
    }
    assert_int_equal(seen, M); /* and none is lost */
    free_fixture(&f);
}

/* General contacts, with tensors and arms that do not lie along the normal. A
 * body that is touched both ways has one inertia: here all are general. */
static void general__random_clusters__agree_with_dense(void **state) {
    (void)state;
    scree_random rng = {17};
    for (int trial = 0; trial < 12; ++trial) {
        enum { N = 6 };
        const double mu = trial % 3 * 0.2;
        fixture f = new_kind(N, 2 * N, true);
        for (int i = 0; i < N; ++i) {
            set_body(&f, i, exp(scree_random_range(&rng, -1, 1)), 0.1,
                     add(random_vec(&rng, 1), vec(0, 0, -1)),
                     random_vec(&rng, 1));
            f.inv_I[i] = random_tensor(&rng, f.p.u[i].inv_theta);
        }
        for (int i = 0; i < N; ++i) {
            const scree_vec3 n = add(vec(0, 0, 1), random_vec(&rng, 0.3));
            const scree_row row = {.a = i,
                                   .b = i ? i - 1 : N,
                                   .general = true,
                                   .n = scale(1 / norm(n), n),
                                   .r_a = random_vec(&rng, 0.05),
                                   .r_b = random_vec(&rng, i ? 0.05 : 0),
                                   .mu = mu};
            scree_problem_add(&f.p, &row);
        }
        check_all(&f, 1e-10);
        free_fixture(&f);
    }
}

/* The exact local solve and the prox step end in the same place. */
static void general__local_exact__same_solution(void **state) {
    (void)state;
    scree_twist u[2][60];
    for (int k = 0; k < 2; ++k) {
        fixture f = random_kind(60, 50, 0.3, true);
        const scree_solver_options options = {
            .iterations = 200000,
            .tolerance = 1e-11,
            .relaxation = 1,
            .local = k ? SCREE_LOCAL_EXACT : SCREE_LOCAL_PROX};
        scree_report report;
        assert_ok(scree_solver_run(scree_solver_find("pgs"), &f.p, &options,
                                   &f.scratch, &report));
        assert_true(report.converged);
        memcpy(u[k], f.p.u, sizeof u[k]);
        free_fixture(&f);
    }
    for (int i = 0; i < 60; ++i)
        assert_near(norm(sub(u[0][i].v, u[1][i].v)), 0, 1e-7);
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
    const scree_solver_ops *ops;
    for (int s = 0; (ops = scree_solver_get(s)); ++s) {
        if (!strcmp(ops->name, "dense")) continue; /* too slow for this one */
        if (!takes(ops, &f)) continue;
        const scree_report report = solve(&f, ops->name, 1e-10);
        assert_true(report.converged);
        assert_near(momentum_defect(&f), 0, 1e-11);
        assert_near(law_defect(&f), 0, 10 * report.residual * size_of(&f));
    }
    free_fixture(&f);
}

/* The wide kernel and the one for single contacts, to the bit. */
static void check_same_bits(bool general, double mu, const scree_pass *wide,
                            const scree_pass *scalar) {
    enum { N = 300, M = 900 };
    const scree_team alone = {.rank = 0, .size = 1};
    fixture f = random_kind(N, M, mu, general);
    fixture g = random_kind(N, M, mu, general);
    assert_ok(scree_problem_sort(&f.p));
    assert_ok(scree_problem_sort(&g.p));
    for (int k = 0; k < 20; ++k) {
        const scree_pgs context = {.omega = 1.1, .momentum = 0.05 * (k % 3)};
        scree_problem_pass(&f.p, &alone, wide, &context);
        scree_problem_pass(&g.p, &alone, scalar, &context);
        assert_memory_equal(f.p.u, g.p.u, (N + 1) * sizeof *f.p.u);
        assert_memory_equal(f.p.blocks, g.p.blocks,
                            (size_t)f.p.round.n_block * sizeof *f.p.blocks);
        assert_memory_equal(f.p.generals, g.p.generals,
                            (size_t)f.p.general.n_block *
                                sizeof *f.p.generals);
    }
    free_fixture(&f);
    free_fixture(&g);
}

static void wide_kernels__random_bed__same_bits_as_scalar(void **state) {
    (void)state;
    const scree_pass wide = {scree_pgs_wide, scree_pgs_one_by_one,
                             scree_pgs_general, scree_pgs_general_one_by_one};
    const scree_pass scalar = {scree_pgs_one_by_one, scree_pgs_one_by_one,
                               scree_pgs_general_one_by_one,
                               scree_pgs_general_one_by_one};
    const scree_pass normal = {scree_pgs_normal, scree_pgs_normal_one_by_one,
                               scree_pgs_general, scree_pgs_general_one_by_one};
    const scree_pass normal_scalar = {
        scree_pgs_normal_one_by_one, scree_pgs_normal_one_by_one,
        scree_pgs_general_one_by_one, scree_pgs_general_one_by_one};
    check_same_bits(false, 0.5, &wide, &scalar);
    check_same_bits(false, 0, &normal, &normal_scalar);
    check_same_bits(true, 0.5, &wide, &scalar);
}

/* Momentum gets to a tolerance in far fewer sweeps, and to the same velocities. */
static void momentum__tall_stack__fewer_sweeps(void **state) {
    (void)state;
    enum { N = 60 };
    int sweeps[2];
    for (int k = 0; k < 2; ++k) {
        fixture f = new_fixture(N, N);
        for (int i = 0; i < N; ++i)
            set_body(&f, i, 1, 0.1, vec(0, 0, -0.01), vec(0, 0, 0));
        for (int i = 0; i < N; ++i)
            add_contact(&f, i, i - 1, vec(0, 0, 1), 0.1, 0.1, 0.5,
                        vec(0, 0, 0));
        const scree_solver_options options = {.iterations = 100000,
                                              .tolerance = 1e-6,
                                              .relaxation = 1,
                                              .momentum = k ? 0.85 : 0};
        scree_report report;
        assert_ok(scree_solver_run(scree_solver_find("pgs"), &f.p, &options,
                                   &f.scratch, &report));
        assert_true(report.converged);
        for (int i = 0; i < N; ++i) assert_near(f.p.u[i].v.z, 0, 1e-4);
        sweeps[k] = report.iterations;
        free_fixture(&f);
    }
    print_message("sweeps without and with momentum: %d, %d\n", sweeps[0],
                  sweeps[1]);
    assert_true(3 * sweeps[1] < sweeps[0]);
}

/* The residual by its two writings, through the bodies and through the matrix,
 * on a bed half solved; and on the same bed of grains 1e-9 as heavy. */
static void residual__world_and_matrix__one_number(void **state) {
    (void)state;
    double seen[2];
    for (int light = 0; light < 2; ++light) {
        fixture f = random_bed(100, 250, 0.5);
        const double share = light ? 1e-9 : 1;
        for (int i = 0; i < 100; ++i) {
            f.u_free[i].inv_m /= share;
            f.u_free[i].inv_theta /= share;
        }
        memcpy(f.p.u, f.u_free, 100 * sizeof *f.p.u);
        for (int64_t i = 0; i < f.p.n_contact; ++i) {
            const scree_row row = scree_problem_row(&f.p, i);
            scree_problem_fill(&f.p, i, &row);
        }
        const scree_solver_options options = {.iterations = 5, .relaxation = 1};
        scree_report report;
        assert_ok(scree_solver_run(scree_solver_find("pgs"), &f.p, &options,
                                   &f.scratch, &report));
        assert_int_equal(report.stop, SCREE_STOP_ITERATIONS);
        scree_fc3d written;
        assert_ok(scree_problem_write_out(&f.p, &f.scratch, &written));
        const scree_fc3d_error e = scree_fc3d_measure(&written);
        assert_near(report.residual / e.residual, 1, 1e-9);
        assert_near(report.normal, e.normal, 1e-9);
        assert_near(report.cone, e.cone, 1e-9);
        seen[light] = report.residual;
        free_fixture(&f);
    }
    assert_true(seen[0] > 1e-4 && seen[0] < 1);
    assert_near(seen[1] / seen[0], 1, 1e-6);
}

/* Asked for more than it can do, pgs may stop for want of progress. */
static void stall__asked_for__said(void **state) {
    (void)state;
    fixture f = random_bed(100, 300, 0.5);
    const scree_solver_options options = {.iterations = 100000,
                                          .tolerance = 0,
                                          .relaxation = 1,
                                          .stall = 200};
    scree_report report;
    assert_ok(scree_solver_run(scree_solver_find("pgs"), &f.p, &options,
                               &f.scratch, &report));
    assert_int_equal(report.stop, SCREE_STOP_STALL);
    assert_true(report.iterations < 100000);
    free_fixture(&f);
}

static void empty_problem__all_solvers__nothing_to_do(void **state) {
    (void)state;
    fixture f = new_fixture(2, 0);
    const scree_solver_ops *ops;
    for (int s = 0; (ops = scree_solver_get(s)); ++s) {
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
    const scree_solver_ops *ops;
    for (int s = 0; (ops = scree_solver_get(s)); ++s) {
        const scree_solver_options options = {
            .iterations = 3, .tolerance = 1e-10, .relaxation = 1};
        if (!takes(ops, &f)) continue;
        scree_report report;
        restart(&f);
        assert_ok(scree_solver_run(ops, &f.p, &options, &f.scratch, &report));
        assert_true(report.iterations <= 3);
        if (!strcmp(ops->name, "newton")) continue; /* may need no more */
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
    const scree_solver_ops *ops;
    for (int s = 0; (ops = scree_solver_get(s)); ++s) {
        const scree_solver_options options = {
            .iterations = 20000, .tolerance = 1e-3, .relaxation = 1};
        scree_report report;
        restart(&f);
        assert_ok(scree_solver_run(ops, &f.p, &options, &f.scratch, &report));
        assert_false(report.converged);
        assert_true(report.iterations <= 20000);
        assert_int_not_equal(report.stop, SCREE_STOP_TOLERANCE);
    }
    free_fixture(&f);
}

/* NaN in the data comes back as "not converged", within the iterations. */
static void nan__all_solvers__report_not_converged(void **state) {
    (void)state;
    fixture f = new_fixture(1, 1);
    set_body(&f, 0, 1, 0.1, vec(0, 0, -1), vec(0, 0, 0));
    add_contact(&f, 0, -1, vec(0, 0, 1), 0.1, 0, 0.5, vec(0, 0, NAN));
    keep_u_free(&f);
    const scree_solver_ops *ops;
    for (int s = 0; (ops = scree_solver_get(s)); ++s) {
        if (!takes(ops, &f)) continue;
        const scree_solver_options options = {
            .iterations = 50, .tolerance = 1e-6, .relaxation = 1};
        scree_report report;
        restart(&f);
        assert_ok(scree_solver_run(ops, &f.p, &options, &f.scratch, &report));
        assert_false(report.converged);
        assert_int_equal(report.stop, SCREE_STOP_NOT_FINITE);
    }
    free_fixture(&f);
}

static void prox__sets__nearest_point(void **state) {
    (void)state;
    assert_true(prox_half_line(-2) == 0 && prox_half_line(3) == 3);
    const scree_vec3 inside = prox_disc(2, vec(1, 1, 0));
    assert_near(norm(sub(inside, vec(1, 1, 0))), 0, 0);
    const scree_vec3 outside = prox_disc(2, vec(3, 4, 0));
    assert_near(norm(sub(outside, vec(1.2, 1.6, 0))), 0, 1e-15);
    assert_near(norm(prox_disc(0, vec(3, 4, 0))), 0, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prox__sets__nearest_point),
        cmocka_unit_test(single_contact__every_mode__closed_form),
        cmocka_unit_test(stack__vertical__bottom_carries_all),
        cmocka_unit_test(wedge__frictionless__known_load),
        cmocka_unit_test(box__hyperstatic__body_stops),
        cmocka_unit_test(random_clusters__all_solvers__agree_with_dense),
        cmocka_unit_test(general__random_clusters__agree_with_dense),
        cmocka_unit_test(general__local_exact__same_solution),
        cmocka_unit_test(tied_contact__all_solvers__friction_follows_normal),
        cmocka_unit_test(colours__random_bed__no_body_twice_in_a_colour),
        cmocka_unit_test(colours__hub_of_200_contacts__overflow_solved),
        cmocka_unit_test(wide_kernels__random_bed__same_bits_as_scalar),
        cmocka_unit_test(momentum__tall_stack__fewer_sweeps),
        cmocka_unit_test(residual__world_and_matrix__one_number),
        cmocka_unit_test(stall__asked_for__said),
        cmocka_unit_test(empty_problem__all_solvers__nothing_to_do),
        cmocka_unit_test(too_few_iterations__report__not_converged),
        cmocka_unit_test(infeasible__all_solvers__report_not_converged),
        cmocka_unit_test(nan__all_solvers__report_not_converged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
