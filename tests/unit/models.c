/* models.c: every model of the table is consistent with itself: rows are
 * derivatives of gaps, masses are masses, energies are conserved by the forces.
 * Then, per model, a few numbers worked out by hand. */
#include <string.h>

#include "engine/base/random.h"
#include "engine/scree_model.h"
#include "tests/support.h"

#define MOST 24    /* coordinates, rows or laws of a model */
#define SAMPLES 20 /* random states of a model */

/* A model with its parameters and one state. */
typedef struct state {
    const scree_model_ops *ops;
    double p[MOST], t, q[MOST], u[MOST];
    scree_law laws[MOST];
} state;

static state at_start(const scree_model_ops *ops) {
    state s = {.ops = ops};
    assert_true(ops->n_parameter <= MOST && ops->n_law <= MOST);
    assert_true(ops->n_q <= MOST && ops->n_u <= MOST && ops->n_row <= MOST);
    for (int i = 0; i < ops->n_parameter; ++i)
        s.p[i] = ops->parameters[i].value;
    ops->laws(s.p, s.laws);
    ops->start(s.p, s.q, s.u);
    return s;
}

static state named(const char *name) {
    const scree_model_ops *ops = scree_model_find(name);
    assert_non_null(ops);
    return at_start(ops);
}

static void set(state *s, const char *name, double value) {
    for (int i = 0; i < s->ops->n_parameter; ++i)
        if (!strcmp(s->ops->parameters[i].name, name)) {
            s->p[i] = value;
            s->ops->laws(s->p, s->laws);
            s->ops->start(s->p, s->q, s->u);
            return;
        }
    fail_msg("%s has no parameter %s", s->ops->name, name);
}

static double uniform(scree_random *rng) {
    return scree_random_range(rng, -1, 1);
}

/* A state near the start, with velocities of order one. */
static state near_start(const scree_model_ops *ops, scree_random *rng) {
    state s = at_start(ops);
    s.t = 1 + 0.5 * uniform(rng);
    for (int i = 0; i < ops->n_q; ++i)
        s.q[i] += (0.02 + 0.1 * fabs(s.q[i])) * uniform(rng);
    if (ops->normalise) ops->normalise(s.p, s.q);
    for (int i = 0; i < ops->n_u; ++i) s.u[i] = 2 * uniform(rng);
    return s;
}

static void rate(const state *s, double *qdot) {
    if (s->ops->kinematics)
        s->ops->kinematics(s->p, s->t, s->q, s->u, qdot);
    else
        memcpy(qdot, s->u, (size_t)s->ops->n_q * sizeof *qdot);
}

static void gaps_of(const state *s, double *g) {
    memset(g, 0, MOST * sizeof *g);
    if (s->ops->gaps) s->ops->gaps(s->p, s->t, s->q, g);
}

static void rows_of(const state *s, double *Wt, double *chi) {
    if (s->ops->rows) s->ops->rows(s->p, s->t, s->q, Wt, chi);
}

/* gamma = W^T u + chi */
static void gamma_of(const state *s, double *gamma) {
    double Wt[MOST * MOST], chi[MOST];
    rows_of(s, Wt, chi);
    for (int r = 0; r < s->ops->n_row; ++r) {
        gamma[r] = chi[r];
        for (int j = 0; j < s->ops->n_u; ++j)
            gamma[r] += Wt[r * s->ops->n_u + j] * s->u[j];
    }
}

/* ---- small dense algebra ------------------------------------------------- */

/* Cholesky in place, lower triangle; false if not positive definite. */
static bool cholesky(int n, double *A) {
    for (int j = 0; j < n; ++j)
        for (int i = j; i < n; ++i) {
            double a = A[i * n + j];
            for (int k = 0; k < j; ++k) a -= A[i * n + k] * A[j * n + k];
            if (i == j && !(a > 0)) return false;
            A[i * n + j] = i == j ? sqrt(a) : a / A[j * n + j];
        }
    return true;
}

/* x = M^-1 b by the factor L */
static void solve(int n, const double *L, double *b) {
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < i; ++k) b[i] -= L[i * n + k] * b[k];
        b[i] /= L[i * n + i];
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int k = i + 1; k < n; ++k) b[i] -= L[k * n + i] * b[k];
        b[i] /= L[i * n + i];
    }
}

/* u' = M^-1 h of the motion without contact forces */
static void acceleration(const state *s, double *a) {
    double M[MOST * MOST];
    s->ops->mass(s->p, s->t, s->q, M);
    assert_true(cholesky(s->ops->n_u, M));
    s->ops->force(s->p, s->t, s->q, s->u, a);
    solve(s->ops->n_u, M, a);
}

/* a . (M^-1 b) */
static double delassus(const state *s, const double *a, const double *b) {
    const int n = s->ops->n_u;
    double M[MOST * MOST], x[MOST], sum = 0;
    s->ops->mass(s->p, s->t, s->q, M);
    assert_true(cholesky(n, M));
    memcpy(x, b, (size_t)n * sizeof *x);
    solve(n, M, x);
    for (int i = 0; i < n; ++i) sum += a[i] * x[i];
    return sum;
}

/* ---- every model --------------------------------------------------------- */

/* Runs a check on the start and on random states of every model. */
static void each_model(void (*check)(const state *s)) {
    const scree_model_ops *ops;
    scree_random rng = scree_random_stream(7, 0);
    for (int i = 0; (ops = scree_model_get(i)); ++i) {
        const state s = at_start(ops);
        check(&s);
        for (int k = 0; k < SAMPLES; ++k) {
            const state near = near_start(ops, &rng);
            check(&near);
        }
    }
}

static void table__names__found_and_unique(void **unused) {
    (void)unused;
    const scree_model_ops *ops;
    int n = 0;
    for (; (ops = scree_model_get(n)); ++n) {
        assert_ptr_equal(scree_model_find(ops->name), ops);
        assert_null(strchr(ops->name, '_'));
        assert_true(ops->about && *ops->about);
    }
    assert_int_equal(n, 17);
    assert_null(scree_model_get(-1));
    assert_null(scree_model_find("bouncing_ball"));
}

static void check_words(const char *const *names, int n) {
    for (int i = 0; i < n; ++i) {
        assert_true(names[i] && *names[i]);
        for (int j = 0; j < i; ++j) assert_string_not_equal(names[i], names[j]);
    }
}

static void model__words__complete_and_unique(void **unused) {
    (void)unused;
    const scree_model_ops *ops;
    for (int k = 0; (ops = scree_model_get(k)); ++k) {
        const char *names[MOST];
        check_words(ops->q_names, ops->n_q);
        check_words(ops->u_names, ops->n_u);
        for (int i = 0; i < ops->n_parameter; ++i) {
            const scree_parameter *p = &ops->parameters[i];
            names[i] = p->name;
            assert_true(isfinite(p->value) && *p->unit && *p->about);
        }
        check_words(names, ops->n_parameter);
    }
}

/* Laws own consecutive rows in their order, and all of them. */
static void check_laws(const state *s) {
    const char *names[MOST];
    int row = 0;
    for (int i = 0; i < s->ops->n_law; ++i) {
        const scree_law *law = &s->laws[i];
        assert_int_equal(law->row, row);
        assert_true(law->n_f >= 0 && law->n_f <= 3);
        assert_true(law->mu >= 0 && law->a >= 0 && law->lo <= law->hi);
        assert_true(law->e_n >= 0 && law->e_n <= 1 && law->e_f >= 0);
        if (scree_law_has_gap(law)) assert_non_null(s->ops->gaps);
        names[i] = law->name;
        row += scree_law_rows(law);
    }
    assert_int_equal(row, s->ops->n_row);
    check_words(names, s->ops->n_law);
}

static void model__laws__own_all_rows(void **unused) {
    (void)unused;
    each_model(check_laws);
}

/* The state after dt along qdot, at the same velocity. */
static state moved(const state *s, double dt) {
    state out = *s;
    double qdot[MOST];
    rate(s, qdot);
    out.t += dt;
    for (int i = 0; i < s->ops->n_q; ++i) out.q[i] += dt * qdot[i];
    return out;
}

/* gamma_N = dg/dt along the kinematics, by central differences. The step
 * shrinks with the speed, so that positions move by 5e-6 at most. */
static void check_rows(const state *s) {
    double hi[MOST], lo[MOST], gamma[MOST], speed = 1;
    for (int i = 0; i < s->ops->n_u; ++i) speed += fabs(s->u[i]);
    const double eps = 5e-6 / speed;
    const state ahead = moved(s, eps), back = moved(s, -eps);
    gaps_of(&ahead, hi);
    gaps_of(&back, lo);
    gamma_of(s, gamma);
    for (int i = 0; i < s->ops->n_law; ++i)
        if (scree_law_has_gap(&s->laws[i]))
            assert_near(gamma[s->laws[i].row], (hi[i] - lo[i]) / (2 * eps),
                        1e-9 * speed);
}

/* The same without velocity: chi is the part of dg/dt at fixed q. */
static void check_chi(const state *s) {
    state still = *s;
    memset(still.u, 0, sizeof still.u);
    check_rows(&still);
}

static void model__normal_rows__derivative_of_gaps(void **unused) {
    (void)unused;
    each_model(check_rows);
    each_model(check_chi);
}

static void check_mass(const state *s) {
    const int n = s->ops->n_u;
    double M[MOST * MOST];
    s->ops->mass(s->p, s->t, s->q, M);
    for (int i = 0; i < n * n; ++i) assert_true(M[i] == M[i % n * n + i / n]);
    assert_true(cholesky(n, M));
}

static void model__mass__symmetric_positive_definite(void **unused) {
    (void)unused;
    each_model(check_mass);
}

/* qdot(u + v) - qdot(u) = qdot(2 u + v) - qdot(2 u), for v = (1, 2, ...) */
static void check_affine(const state *s) {
    if (!strcmp(s->ops->name, "belt-lugre")) return; /* |gamma| z: not affine */
    double rates[4][MOST];
    for (int k = 0; k < 4; ++k) {
        state w = *s;
        for (int i = 0; i < s->ops->n_u; ++i)
            w.u[i] = (k < 2 ? 1 : 2) * s->u[i] + (k % 2) * (i + 1);
        rate(&w, rates[k]);
    }
    for (int i = 0; i < s->ops->n_q; ++i)
        assert_near(rates[1][i] - rates[0][i], rates[3][i] - rates[2][i],
                    1e-11);
}

static void model__kinematics__affine_in_u(void **unused) {
    (void)unused;
    each_model(check_affine);
}

/* qdot is tangent to the manifold of q (unit quaternions): normalising
 * q + eps qdot changes it by O(eps^2) only. */
static void check_manifold(const state *s) {
    if (!s->ops->normalise) return;
    const double eps = 1e-6;
    state ahead = moved(s, eps);
    double before[MOST], qdot[MOST];
    rate(s, qdot);
    memcpy(before, ahead.q, sizeof before);
    s->ops->normalise(s->p, ahead.q);
    double speed = 1;
    for (int i = 0; i < s->ops->n_q; ++i) speed += fabs(qdot[i]);
    for (int i = 0; i < s->ops->n_q; ++i)
        assert_near(ahead.q[i], before[i], eps * eps * speed * speed);
}

static void model__kinematics__stays_on_manifold(void **unused) {
    (void)unused;
    each_model(check_manifold);
}

/* The power of the free motion, dE/dt = 0: by central differences. */
static void check_energy(const state *s) {
    if (!s->ops->energy) return;
    const double eps = 1e-6;
    double a[MOST], E[2], size = 0;
    acceleration(s, a);
    for (int k = 0; k < 2; ++k) {
        const double dt = k ? eps : -eps;
        state next = moved(s, dt);
        for (int i = 0; i < s->ops->n_u; ++i) next.u[i] += dt * a[i];
        E[k] = s->ops->energy(s->p, next.t, next.q, next.u);
        size += fabs(E[k]);
    }
    assert_near((E[1] - E[0]) / (2 * eps), 0, 1e-8 * (1 + size));
}

static void model__energy__conserved_without_contact(void **unused) {
    (void)unused;
    each_model(check_energy);
}

static void model__energy__kinetic_part_is_the_mass(void **unused) {
    (void)unused;
    const scree_model_ops *ops;
    for (int k = 0; (ops = scree_model_get(k)); ++k) {
        const state s = at_start(ops);
        double M[MOST * MOST], rest[MOST] = {0}, twice = 0;
        if (!ops->energy) continue;
        ops->mass(s.p, 0, s.q, M);
        for (int i = 0; i < ops->n_u; ++i)
            for (int j = 0; j < ops->n_u; ++j)
                twice += s.u[i] * M[i * ops->n_u + j] * s.u[j];
        assert_near(ops->energy(s.p, 0, s.q, s.u) -
                        ops->energy(s.p, 0, s.q, rest),
                    0.5 * twice, 1e-12 * (1 + twice));
    }
}

/* Bilateral constraints hold on both levels, contacts do not penetrate: but the
 * woodpecker's, whose printed angle is rounded. */
static void model__start__satisfies_constraints(void **unused) {
    (void)unused;
    const scree_model_ops *ops;
    for (int k = 0; (ops = scree_model_get(k)); ++k) {
        const state s = at_start(ops);
        const double inside = strcmp(ops->name, "woodpecker") ? 1e-15 : 8.9e-7;
        double g[MOST], gamma[MOST];
        gaps_of(&s, g);
        gamma_of(&s, gamma);
        for (int i = 0; i < ops->n_law; ++i) {
            if (s.laws[i].kind == SCREE_LAW_CONTACT)
                assert_true(g[i] >= -inside);
            if (s.laws[i].kind != SCREE_LAW_HOLONOMIC) continue;
            assert_near(g[i], 0, 1e-15);
            assert_near(gamma[s.laws[i].row], 0, 1e-13);
        }
    }
}

static void model__formulas__pure(void **unused) {
    (void)unused;
    const scree_model_ops *ops;
    for (int k = 0; (ops = scree_model_get(k)); ++k) {
        const state a = at_start(ops), b = at_start(ops);
        double h[2][MOST] = {{0}}, gamma[2][MOST] = {{0}};
        ops->force(a.p, 0, a.q, a.u, h[0]), gamma_of(&a, gamma[0]);
        ops->force(b.p, 0, b.q, b.u, h[1]), gamma_of(&b, gamma[1]);
        assert_memory_equal(a.q, b.q, sizeof a.q);
        assert_memory_equal(h[0], h[1], sizeof h[0]);
        assert_memory_equal(gamma[0], gamma[1], sizeof gamma[0]);
    }
}

static void model__next_switch__strictly_ahead(void **unused) {
    (void)unused;
    const scree_model_ops *ops;
    for (int k = 0; (ops = scree_model_get(k)); ++k) {
        const state s = at_start(ops);
        double t = 0;
        for (int n = 0; ops->next_switch && n < 100 && isfinite(t); ++n) {
            const double next = ops->next_switch(s.p, t);
            assert_true(next > t);
            t = next;
        }
    }
}

/* ---- by hand ------------------------------------------------------------- */

static void bouncing_ball__spin__slips_and_rolls_backwards(void **unused) {
    (void)unused;
    state s = named("bouncing-ball");
    double gamma[2], Wt[6], chi[2];
    set(&s, "omega", 50);
    gamma_of(&s, gamma);
    assert_near(gamma[1], 5, 1e-15); /* R omega: friction to -x */
    rows_of(&s, Wt, chi);
    assert_near(delassus(&s, Wt + 3, Wt + 3), 3.5, 1e-14); /* (1 + 5/2) / m */
    /* A percussion -gamma / G ends the slip at u = -10/7, omega = 100/7. */
    assert_near(-gamma[1] / 3.5, -1.4285714, 1e-7);
    assert_near(50 - 0.1 * (gamma[1] / 3.5) / 0.004, 14.2857143, 1e-7);
}

static void slope__impact__percussion(void **unused) {
    (void)unused;
    state s = named("slope");
    set(&s, "y0", 1.5);
    double gamma[2], Wt[4], chi[2], g[MOST];
    gaps_of(&s, g);
    assert_near(g[0], 0.5 / sqrt(2), 1e-15);
    rows_of(&s, Wt, chi); /* dg/dx has the curvature term above the slope */
    assert_near(Wt[0], 1 / sqrt(2) + 0.5 / (2 * sqrt(2)), 1e-15);
    /* It falls 0.5 m and lands at (0, 1): Lambda_N = -gamma_N / G_NN, with the
     * normal and tangent directions decoupled. */
    s.q[1] = 1, s.u[1] = -10 * 0.3162277660168379;
    gamma_of(&s, gamma);
    rows_of(&s, Wt, chi);
    assert_near(delassus(&s, Wt, Wt + 2), 0, 1e-15);
    assert_near(-gamma[0] / delassus(&s, Wt, Wt), 7.024815, 1e-6);
}

static void slope__speed__along_tangent(void **unused) {
    (void)unused;
    state s = named("slope");
    set(&s, "u0", -1);
    double gamma[2];
    gamma_of(&s, gamma);
    assert_near(gamma[0], 0, 1e-15);
    assert_near(gamma[1], -1, 1e-15);
}

static void slider_crank__start__as_printed(void **unused) {
    (void)unused;
    const state s = named("slider-crank");
    const double q[] = {0.0765, 0, 0, 0.306, 0, 0, 0.459, 0, 0.017};
    const double u[] = {0, 11.475, 150, 0, 11.475, -75, 0, 0, 0};
    double g[MOST];
    for (int i = 0; i < 9; ++i) {
        assert_near(s.q[i], q[i], 1e-15);
        assert_near(s.u[i], u[i], 1e-13);
    }
    gaps_of(&s, g);
    const double sn = 0.05 * sin(0.017), cs = 0.025 * cos(0.017);
    assert_near(g[6], 0.026 + sn - cs, 1e-15); /* (48) */
    assert_near(g[7], 0.026 - sn - cs, 1e-15);
    assert_near(g[8], 0.026 - sn - cs, 1e-15);
    assert_near(g[9], 0.026 + sn - cs, 1e-15);
}

static void slider_crank__friction_rows__as_printed(void **unused) {
    (void)unused;
    state s = named("slider-crank");
    double gamma[MOST];
    s.q[8] = 0.3, s.u[6] = 2, s.u[8] = 4;
    const double sn = 0.05 * sin(0.3), cs = 0.025 * cos(0.3);
    gamma_of(&s, gamma);
    assert_near(gamma[7], 2 + 4 * (sn - cs), 1e-14); /* (49) */
    assert_near(gamma[9], 2 - 4 * (sn + cs), 1e-14);
    assert_near(gamma[11], 2 + 4 * (sn + cs), 1e-14);
    assert_near(gamma[13], 2 - 4 * (sn - cs), 1e-14);
}

static void tippedisk__start__contact_point_at_rest(void **unused) {
    (void)unused;
    const state s = named("tippedisk");
    double gamma[4], g[MOST];
    gaps_of(&s, g);
    gamma_of(&s, gamma);
    assert_near(s.q[2], 0.0425, 1e-16); /* r - e, e = 0.0025 */
    assert_near(g[0], 0, 1e-16);
    for (int i = 0; i < 3; ++i) assert_near(gamma[i], 0, 1e-15);
    /* e_x^K points down: omega . e_z = 60 */
    assert_near(gamma[3], 60 * 3 * SCREE_PI * 1e-3 / 16, 1e-14);
    assert_near(s.u[0], -0.0425, 1e-15);
}

static void falling_mass__start__first_impact(void **unused) {
    (void)unused;
    const state s = named("falling-mass");
    double a[1], g[MOST];
    acceleration(&s, a);
    gaps_of(&s, g);
    const double t = sqrt(-2 * g[0] / a[0]), e = s.laws[0].e_n;
    assert_near(t, 0.1194619, 1e-7);
    assert_near(t * (1 + e) / (1 - e), 0.6769509, 1e-7);
}

static void sliding_mass__force__switched_off(void **unused) {
    (void)unused;
    const state s = named("sliding-mass");
    const double on[][2] = {{0, 1}, {2.999, 1}, {3, 0.5}, {3.001, 0}, {9, 0}};
    for (int i = 0; i < 5; ++i) {
        double h[2];
        s.ops->force(s.p, on[i][0], s.q, s.u, h);
        assert_near(h[0], -2.5 * on[i][1], 0);
        assert_near(h[1], -0.25 * on[i][1], 0);
    }
    assert_true(s.ops->next_switch(s.p, 0) == 3);
    assert_true(isinf(s.ops->next_switch(s.p, 3)));
    /* a time rounded to just before the switch has passed it */
    assert_true(isinf(s.ops->next_switch(s.p, 3 - 1e-15)));
}

static void impact_oscillator__free_swing__hits_at_printed_time(void **unused) {
    (void)unused;
    state s = named("impact-oscillator");
    double a[1];
    acceleration(&s, a);
    const double w = sqrt(-a[0] / (s.q[0] + 0.15)), t = 0.1395077;
    assert_near(w, sqrt(200), 1e-13);
    assert_near(-0.15 - 0.35 * cos(w * t) + 0.2 / w * sin(w * t), 0, 1e-6);
}

static void woodpecker__matrices__as_in_003(void **unused) {
    (void)unused;
    const state s = named("woodpecker");
    const double M[] = {4.8e-3,  4.5e-5,  6.75e-5, /* Table I of 004 */
                        4.5e-5,  4.55e-7, 6.75e-7, /* 5e-9 + 4.5e-7 */
                        6.75e-5, 6.75e-7, 1.7125e-6};
    const double WN[3][3] = {{0, 0, -0.02}, {0, 0.0058, 0}, {0, -0.0058, 0}};
    const double WT[3][3] = {
        {1, 0.01, -0.0051}, {1, 0.0031, 0}, {1, 0.0031, 0}};
    double got[9], Wt[18], chi[6], h[3], g[MOST];
    s.ops->mass(s.p, 0, s.q, got);
    for (int i = 0; i < 9; ++i) assert_near(got[i], M[i], 1e-18);
    rows_of(&s, Wt, chi);
    for (int k = 0; k < 9; ++k) {
        assert_near(Wt[k / 3 * 6 + k % 3], WN[k / 3][k % 3], 1e-16);
        assert_near(Wt[k / 3 * 6 + 3 + k % 3], WT[k / 3][k % 3], 1e-16);
    }
    s.ops->force(s.p, 0, s.q, s.u, h);
    assert_near(h[0], -0.0048 * 9.81, 1e-16);
    assert_near(h[1], -0.0056 * 0.1752 - 0.0045 * 9.81 * 0.010, 1e-16);
    assert_near(h[2], 0.0056 * 0.1752 - 0.0045 * 9.81 * 0.015, 1e-16);
    gaps_of(&s, g);
    assert_near(g[1], -8.8e-7, 1e-15);
}

static void belt__smooth_part__takes_from_friction(void **unused) {
    (void)unused;
    state s = named("belt");
    double h[1], gamma[1];
    gamma_of(&s, gamma);
    assert_near(gamma[0], 0.2 - 3, 1e-15);
    s.ops->force(s.p, 0, s.q, s.u, h);
    assert_near(h[0], -0.2 - 4 / SCREE_PI * atan(8.4), 1e-14);
    set(&s, "smooth", 1), set(&s, "v_dr", 0.2);
    set(&s, "x0", 0), set(&s, "u0", 0);
    s.ops->force(s.p, 0, s.q, s.u, h);
    assert_near(h[0], -(1 - 1 / 1.6), 1e-15);
    assert_near(s.laws[0].a, 5, 0);
}

static void top__acceleration__euler(void **unused) {
    (void)unused;
    const state s = named("top");
    double a[3];
    acceleration(&s, a);
    assert_near(a[0], (2 - 3) * 2 * 0.01 / 1, 1e-16);
    assert_near(a[1], (3 - 1) * 0.01 * 0.01 / 2, 1e-18);
    assert_near(a[2], (1 - 2) * 0.01 * 2 / 3, 1e-16);
}

/* w_N . M^-1 (w_N - mu w_F): the paradox begins where it changes sign. */
static double sliding_mobility(const state *s) {
    double Wt[6], chi[2], along[3];
    rows_of(s, Wt, chi);
    for (int i = 0; i < 3; ++i) along[i] = Wt[i] - s->laws[0].mu * Wt[3 + i];
    return delassus(s, Wt, along);
}

static void painleve_rod__mu__paradox_above_4_3(void **unused) {
    (void)unused;
    state s = named("painleve-rod");
    double gamma[2], g[MOST];
    gaps_of(&s, g);
    gamma_of(&s, gamma);
    assert_near(g[0], 0, 1e-15);
    assert_near(gamma[0], 0, 1e-15);
    assert_near(gamma[1], 1, 1e-15);
    assert_near(sliding_mobility(&s), -0.2, 1e-14);
    set(&s, "mu", 4.0 / 3);
    assert_near(sliding_mobility(&s), 0, 1e-14);
    set(&s, "omega0", 3); /* the tip still moves along the plane */
    gamma_of(&s, gamma);
    assert_near(gamma[0], 0, 1e-14);
    assert_near(gamma[1], 1, 1e-14);
}

static void bowl__lowest_point__same_as_plane(void **unused) {
    (void)unused;
    state s = named("bowl");
    const state plane = named("spinning-sphere");
    double Wt[18], expected[18], chi[3];
    s.q[0] = s.q[1] = 0, s.q[2] = -0.9;
    rows_of(&s, Wt, chi);
    rows_of(&plane, expected, chi);
    for (int i = 0; i < 18; ++i) assert_near(Wt[i], expected[i], 1e-15);
}

/* Orthonormal rows, and the contact point of a rolling sphere is at rest. */
static void bowl__friction_rows__tangential(void **unused) {
    (void)unused;
    state s = named("bowl");
    double Wt[18], chi[3], gamma[3];
    rows_of(&s, Wt, chi);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            assert_near(dot(vec_from(Wt + 6 * i), vec_from(Wt + 6 * j)), i == j,
                        1e-15);
    const scree_vec3 n = vec_from(Wt);
    const scree_vec3 omega = vec_from((double[]){3, -8, 5});
    vec_to(cross(omega, scale(0.1, n)), s.u);
    vec_to(omega, s.u + 3);
    gamma_of(&s, gamma);
    for (int i = 0; i < 3; ++i) assert_near(gamma[i], 0, 1e-15);
}

static void spinning_sphere__no_force__rolls_at_printed_time(void **unused) {
    (void)unused;
    state s = named("spinning-sphere");
    set(&s, "force", 0);
    double gamma[3], Wt[18], chi[3], h[6];
    gamma_of(&s, gamma);
    rows_of(&s, Wt, chi);
    s.ops->force(s.p, 0, s.q, s.u, h);
    const double slip = hypot(gamma[1], gamma[2]);
    const double G = delassus(&s, Wt + 6, Wt + 6); /* 7 / (2 m) */
    assert_near(slip / (G * s.laws[0].mu * -h[2]), 0.2868460, 5e-8);
    assert_near(s.u[0] - gamma[1] / G, 0.4857143, 5e-8);
    assert_near(s.u[1] - gamma[2] / G, 0.2714286, 5e-8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table__names__found_and_unique),
        cmocka_unit_test(model__words__complete_and_unique),
        cmocka_unit_test(model__laws__own_all_rows),
        cmocka_unit_test(model__normal_rows__derivative_of_gaps),
        cmocka_unit_test(model__mass__symmetric_positive_definite),
        cmocka_unit_test(model__kinematics__affine_in_u),
        cmocka_unit_test(model__kinematics__stays_on_manifold),
        cmocka_unit_test(model__energy__conserved_without_contact),
        cmocka_unit_test(model__energy__kinetic_part_is_the_mass),
        cmocka_unit_test(model__start__satisfies_constraints),
        cmocka_unit_test(model__formulas__pure),
        cmocka_unit_test(model__next_switch__strictly_ahead),
        cmocka_unit_test(bouncing_ball__spin__slips_and_rolls_backwards),
        cmocka_unit_test(slope__impact__percussion),
        cmocka_unit_test(slope__speed__along_tangent),
        cmocka_unit_test(slider_crank__start__as_printed),
        cmocka_unit_test(slider_crank__friction_rows__as_printed),
        cmocka_unit_test(tippedisk__start__contact_point_at_rest),
        cmocka_unit_test(falling_mass__start__first_impact),
        cmocka_unit_test(sliding_mass__force__switched_off),
        cmocka_unit_test(impact_oscillator__free_swing__hits_at_printed_time),
        cmocka_unit_test(woodpecker__matrices__as_in_003),
        cmocka_unit_test(belt__smooth_part__takes_from_friction),
        cmocka_unit_test(top__acceleration__euler),
        cmocka_unit_test(painleve_rod__mu__paradox_above_4_3),
        cmocka_unit_test(bowl__lowest_point__same_as_plane),
        cmocka_unit_test(bowl__friction_rows__tangential),
        cmocka_unit_test(spinning_sphere__no_force__rolls_at_printed_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
