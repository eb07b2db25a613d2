/* What solvers are made of: colours, wide kernels, momentum, the residual, sets. */
#include <string.h>

#include "solvers/blocks/explicit.h"
#include "solvers/methods/pgs.h"
#include "solvers/problem/colours.h"
#include "solvers/problem/sets.h"
#include "tests/conform/solver_fixture.h"

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

/* The wide kernel and the one for single contacts, to the bit. */
static void check_same_bits(bool general, bool ovals, double mu,
                            const scree_pass *wide, const scree_pass *scalar) {
    enum { N = 300, M = 900 };
    const scree_team alone = {.rank = 0, .size = 1};
    fixture f = random_kind(N, M, mu, general);
    fixture g = random_kind(N, M, mu, general);
    if (ovals) make_ovals(&f, 2), make_ovals(&g, 2);
    assert_ok(scree_problem_sort(&f.p));
    assert_ok(scree_problem_sort(&g.p));
    for (int k = 0; k < 20; ++k) {
        const scree_pgs context = {.omega = 1.1, .momentum = 0.05 * (k % 3)};
        scree_problem_pass(&f.p, &alone, wide, &context);
        scree_problem_pass(&g.p, &alone, scalar, &context);
        assert_same_bits(&f, &g);
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
    check_same_bits(false, false, 0.5, &wide, &scalar);
    check_same_bits(false, false, 0, &normal, &normal_scalar);
    check_same_bits(true, false, 0.5, &wide, &scalar);
    check_same_bits(true, true, 0.5, &wide, &scalar);
}

/* ---- passes four at a time, by the definition from rows --------------------- */

/* |F|^2 of problem.h with p = P / rho. */
static double map2_of(const scree_row *k, scree_vec3 xi) {
    const double xi_n = dot(k->n, xi), p_n = k->P_n / k->rho_n;
    const double F_n = p_n - fmax(0, p_n - xi_n), limit = k->mu * fmax(0, p_n);
    if (scree_row_is_tied(k)) return F_n * F_n;
    const scree_vec3 p_t = scale(1 / k->rho_n, k->P_t);
    const scree_vec3 x = sub(p_t, add_scaled(xi, -xi_n, k->n));
    const double cut = norm(x) > limit ? limit / norm(x) : 1;
    const scree_vec3 F_t = sub(p_t, scale(cut, x));
    return F_n * F_n + dot(F_t, F_t);
}

/* A bed with percussions inside, on and outside their cones, every fifth contact
 * tied. */
static fixture tied_bed(int n_body, int n_contact) {
    fixture f = random_bed(n_body, n_contact, 0.5);
    for (int64_t i = 0; i < f.p.n_contact; ++i) {
        scree_row row = scree_problem_row(&f.p, i);
        const double z = 0.2 + 0.1 * (double)(i % 7);
        const scree_vec3 side = cross(row.n, vec(0.3, -0.5, z));
        row.P_n = 0.02 * (double)(i % 11 - 2);
        row.P_t = scale(0.02 * (double)(i % 3), side);
        if (i % 5 == 0) row.mu = 0.4, row.laws = SCREE_TIED, row.tie = side;
        scree_problem_fill(&f.p, i, &row);
    }
    assert_ok(scree_problem_sort(&f.p));
    return f;
}

static bool has_contact(const scree_problem *p, int32_t b) {
    bool has = false;
    for (int64_t i = 0; i < p->n_contact && !has; ++i) {
        const scree_row k = scree_problem_row(p, i);
        has = k.a == b || k.b == b;
    }
    return has;
}

static void residual__tied_and_free_contacts__by_definition(void **state) {
    (void)state;
    fixture f = tied_bed(300, 901);
    double F2 = 0, P2 = 0, xi2 = 0, normal = 0, cone = 0, power = 0, mass = 0;
    f.p.speed = 0.1;
    for (int64_t i = 0; i < f.p.n_contact; ++i) {
        const scree_row k = scree_problem_row(&f.p, i);
        const scree_vec3 xi = scree_problem_xi(&f.p, i);
        const double xi_n = dot(k.n, xi), rho2 = k.rho_n * k.rho_n;
        const bool tied = scree_row_is_tied(&k);
        F2 += map2_of(&k, xi);
        power += k.P_n * sqrt(map2_of(&k, xi));
        P2 += (k.P_n * k.P_n + (tied ? 0 : dot(k.P_t, k.P_t))) / rho2;
        xi2 += tied ? xi_n * xi_n : dot(xi, xi);
        normal = fmax(normal, -xi_n);
        cone = fmax(cone, fmax(-k.P_n, tied ? 0 : norm(k.P_t) - k.mu * k.P_n));
    }
    for (int32_t i = 0; i < f.p.n_body; ++i)
        if (has_contact(&f.p, i)) mass += 1 / f.p.u[i].inv_m;
    const scree_size size = scree_problem_size(&f.p);
    assert_near(size.sum2 / xi2, 1, 1e-13);
    assert_near(size.approach / normal, 1, 1e-13);
    assert_near(size.mass / mass, 1, 1e-13);
    const scree_residual r = scree_problem_residual(&f.p, size);
    const double v2 = fmax(0.01, xi2 / (double)f.p.n_contact);
    assert_near(r.residual / sqrt(F2 / fmax(P2, xi2)), 1, 1e-13);
    assert_near(r.balance / (power / (mass * v2)), 1, 1e-13);
    assert_near(r.normal / normal, 1, 1e-13);
    assert_near(r.cone / cone, 1, 1e-13);
    free_fixture(&f);
}

/* |F|^2 of problem.h for a contact that turns. */
static double turning_map2_of(const scree_row *k, scree_vec3 xi,
                              scree_vec3 omega) {
    const double rho = k->rho_n, l = fmax(k->roll, k->drill);
    const double d = k->drill > 0 ? k->drill : k->roll;
    const double xi_n = dot(k->n, xi), limit = k->mu * k->P_n;
    const double F_n = (k->P_n - fmax(0, k->P_n - rho * xi_n)) / rho;
    scree_vec3 x_t = add_scaled(k->P_t, -rho, add_scaled(xi, -xi_n, k->n));
    const scree_vec3 m = add_scaled(k->M, -rho * d * d, omega);
    const double m_n = k->drill > 0 ? dot(k->n, m) : 0;
    const scree_vec3 m_t = add_scaled(m, -dot(k->n, m), k->n);
    const double slip = hypot(norm(x_t), k->drill > 0 ? m_n / k->drill : 0);
    const double roll = norm(m_t), cut = slip > limit ? limit / slip : 1;
    const double cut_roll =
        roll > k->roll * k->P_n ? k->roll * k->P_n / roll : 1;
    x_t = scale(cut, x_t);
    const scree_vec3 x_m = add_scaled(scale(cut_roll, m_t), cut * m_n, k->n);
    const scree_vec3 F_t = scale(1 / rho, sub(k->P_t, x_t));
    const scree_vec3 F_m = scale(1 / (rho * l), sub(k->M, x_m));
    return F_n * F_n + dot(F_t, F_t) + dot(F_m, F_m);
}

/* Rolling, drilling, both; inside, on and outside of their limits. */
static void residual__turning_contacts__by_definition(void **state) {
    (void)state;
    enum { N = 60, M = 200 };
    fixture f = random_kind(N, M, 0.5, true);
    scree_random rng = {31};
    double F2 = 0, P2 = 0, xi2 = 0, free2 = 0;
    for (int64_t i = 0; i < f.p.n_contact; ++i) {
        scree_row k = scree_problem_row(&f.p, i);
        k.P_n = 0.05 * (double)(i % 7);
        k.P_t = scale(0.02, cross(k.n, random_vec(&rng, 1)));
        if (k.general) {
            k.roll = i % 4 & 1 ? 0.03 : 0;
            k.drill = i % 4 & 2 ? 0.05 : 0;
            k.laws |= (i % 4 & 1 ? SCREE_ROLLING : 0) |
                      (i % 4 & 2 ? SCREE_CONTENSOU : 0);
            k.M = k.drill > 0 ? random_vec(&rng, 1e-3)
                              : scale(1e-3, cross(k.n, random_vec(&rng, 1)));
        }
        scree_problem_fill(&f.p, i, &k);
    }
    assert_ok(scree_problem_sort(&f.p));
    for (int64_t i = 0; i < f.p.n_contact; ++i) {
        const scree_row k = scree_problem_row(&f.p, i);
        const scree_vec3 xi = scree_problem_xi(&f.p, i);
        const scree_vec3 omega = sub(f.p.u[k.a].w, f.p.u[k.b].w);
        const double rho2 = k.rho_n * k.rho_n, xi_n = dot(k.n, xi);
        const bool turns = k.roll > 0 || k.drill > 0;
        const double l = fmax(k.roll, k.drill);
        F2 += turns ? turning_map2_of(&k, xi, omega) : map2_of(&k, xi);
        P2 += (k.P_n * k.P_n + dot(k.P_t, k.P_t)) / rho2;
        if (turns) P2 += dot(k.M, k.M) / (rho2 * l * l);
        xi2 += turns ? xi_n * xi_n : dot(xi, xi);
        free2 += dot(xi, xi);
    }
    const scree_size size = scree_problem_size(&f.p);
    assert_near(size.sum2 / free2, 1, 1e-13);
    const scree_residual r =
        scree_problem_residual(&f.p, (scree_size){.sum2 = 0});
    assert_near(r.residual / sqrt(F2 / fmax(P2, xi2)), 1, 1e-13);
    free_fixture(&f);
}

static void apply__random_bed__as_pushes_one_by_one(void **state) {
    (void)state;
    enum { N = 300 };
    fixture f = tied_bed(N, 901), g = tied_bed(N, 901);
    scree_problem_apply(&f.p);
    for (int64_t i = 0; i < g.p.n_contact; ++i) {
        const scree_row k = scree_problem_row(&g.p, i);
        scree_problem_push(&g.p, i, add_scaled(k.P_t, k.P_n, k.n));
    }
    for (int i = 0; i < N; ++i) {
        const scree_twist *u = &f.p.u[i], *v = &g.p.u[i];
        assert_near(norm(sub(u->v, v->v)), 0, 1e-13 * (1 + norm(v->v)));
        assert_near(norm(sub(u->w, v->w)), 0, 1e-13 * (1 + norm(v->w)));
    }
    free_fixture(&f);
    free_fixture(&g);
}

/* Placed all at once, then filled: the sweep goes through memory in order, and
 * every row comes back from its contact. */
static void
place_all__random_kinds__blocks_in_the_order_of_colours(void **state) {
    (void)state;
    enum { N = 300, M = 901 };
    fixture f = random_kind(N, M, 0.5, true), g = random_kind(N, M, 0.5, true);
    assert_ok(scree_problem_clear(&g.p, M, M));
    scree_spot spots[M];
    uint8_t colours[M];
    memset(colours, 255, M);
    for (int64_t i = 0; i < M; ++i) {
        const scree_row row = scree_problem_row(&f.p, i);
        spots[i] = (scree_spot){row.a, row.b, row.general};
    }
    assert_ok(scree_problem_place_all(&g.p, spots, colours, M, &g.scratch));
    for (int64_t i = 0; i < M; ++i) {
        const scree_row row = scree_problem_row(&f.p, i);
        scree_problem_fill(&g.p, i, &row);
    }
    assert_ok(scree_problem_sort(&f.p));
    assert_ok(scree_problem_sort(&g.p));
    const scree_shelf *shelves[2] = {&g.p.round, &g.p.general};
    for (int s = 0; s < 2; ++s)
        for (int64_t k = 0; k < shelves[s]->n_block; ++k)
            assert_int_equal(shelves[s]->order[k], k);
    for (int64_t i = 0; i < M; ++i) {
        const scree_row a = scree_problem_row(&f.p, i);
        const scree_row b = scree_problem_row(&g.p, i);
        assert_int_equal(a.a, b.a);
        assert_int_equal(a.b, b.b);
        assert_near(norm(sub(a.n, b.n)), 0, 0);
    }
    const scree_pgs context = {.omega = 1.1};
    const scree_team alone = {.rank = 0, .size = 1};
    const scree_pass pass = {scree_pgs_wide, scree_pgs_one_by_one,
                             scree_pgs_general, scree_pgs_general_one_by_one};
    scree_problem_pass(&f.p, &alone, &pass, &context);
    scree_problem_pass(&g.p, &alone, &pass, &context);
    assert_memory_equal(f.p.u, g.p.u, (N + 1) * sizeof *f.p.u);
    free_fixture(&f);
    free_fixture(&g);
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
        assert_ok(scree_inclusion_solve(scree_in_lanes(&f.p),
                                        scree_method_find("pgs"), &options,
                                        &f.scratch, &report, NULL));
        assert_true(report.converged);
        for (int i = 0; i < N; ++i) assert_near(f.p.u[i].v.z, 0, 1e-4);
        sweeps[k] = report.iterations;
        free_fixture(&f);
    }
    print_message("sweeps without and with momentum: %d, %d\n", sweeps[0],
                  sweeps[1]);
    assert_true(3 * sweeps[1] < sweeps[0]);
}

/* The residual by its two maps, of prox steps through the bodies and of De Saxce
 * through the matrix, on a bed half solved; and on the same bed of grains 1e-9 as heavy. */
static void residual__world_and_matrix__of_one_size(void **state) {
    (void)state;
    double seen[2];
    for (int light = 0; light < 2; ++light) {
        fixture f = random_kind(100, 250, 0.5, true);
        make_ovals(&f, 2);
        const double share = light ? 1e-9 : 1;
        for (int i = 0; i < 100; ++i) {
            f.u_free[i].inv_m /= share;
            f.u_free[i].inv_theta /= share;
            const double theta = f.u_free[i].inv_theta; /* both kinds: a ball */
            f.inv_I[i] = (scree_sym3){.xx = theta, .yy = theta, .zz = theta};
        }
        memcpy(f.p.u, f.u_free, 100 * sizeof *f.p.u);
        for (int64_t i = 0; i < f.p.n_contact; ++i) {
            const scree_row row = scree_problem_row(&f.p, i);
            scree_problem_fill(&f.p, i, &row);
        }
        const scree_solver_options options = {.iterations = 5, .relaxation = 1};
        scree_report report;
        assert_ok(scree_inclusion_solve(scree_in_lanes(&f.p),
                                        scree_method_find("pgs"), &options,
                                        &f.scratch, &report, NULL));
        assert_int_equal(report.stop, SCREE_STOP_ITERATIONS);
        scree_fc3d written;
        assert_ok(scree_problem_write_out(&f.p, &f.scratch, &written));
        const scree_residual e = scree_fc3d_measure(&written);
        assert_near(report.residual / e.residual, 1, 0.5);
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
    const scree_solver_options options = {
        .iterations = 100000, .tolerance = 0, .relaxation = 1, .stall = 200};
    scree_report report;
    assert_ok(scree_inclusion_solve(scree_in_lanes(&f.p),
                                    scree_method_find("pgs"), &options,
                                    &f.scratch, &report, NULL));
    assert_int_equal(report.stop, SCREE_STOP_STALL);
    assert_true(report.iterations < 100000);
    free_fixture(&f);
}

/* The exact local solve and the prox step end in the same place. */
static void general__local_exact__same_solution(void **state) {
    (void)state;
    scree_twist u[2][60];
    for (int k = 0; k < 2; ++k) {
        fixture f = random_kind(60, 50, 0.3, true);
        make_ovals(&f, 2);
        const scree_solver_options options = {.iterations = 200000,
                                              .tolerance = 1e-11,
                                              .relaxation = 1,
                                              .local = k ? SCREE_LOCAL_EXACT
                                                         : SCREE_LOCAL_PROX};
        scree_report report;
        assert_ok(scree_inclusion_solve(scree_in_lanes(&f.p),
                                        scree_method_find("pgs"), &options,
                                        &f.scratch, &report, NULL));
        assert_true(report.converged);
        memcpy(u[k], f.p.u, sizeof u[k]);
        free_fixture(&f);
    }
    for (int i = 0; i < 60; ++i)
        assert_near(norm(sub(u[0][i].v, u[1][i].v)), 0, 1e-7);
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
        cmocka_unit_test(general__local_exact__same_solution),
        cmocka_unit_test(colours__random_bed__no_body_twice_in_a_colour),
        cmocka_unit_test(wide_kernels__random_bed__same_bits_as_scalar),
        cmocka_unit_test(residual__tied_and_free_contacts__by_definition),
        cmocka_unit_test(residual__turning_contacts__by_definition),
        cmocka_unit_test(apply__random_bed__as_pushes_one_by_one),
        cmocka_unit_test(
            place_all__random_kinds__blocks_in_the_order_of_colours),
        cmocka_unit_test(momentum__tall_stack__fewer_sweeps),
        cmocka_unit_test(residual__world_and_matrix__of_one_size),
        cmocka_unit_test(stall__asked_for__said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
