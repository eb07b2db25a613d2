/* moreau-adaptive on the examples of 002 section 10, and its extrapolation
 * module alone. The numbers are analytic or event-driven solutions. */
#include "tests/support.h"

#include <string.h>

#include "engine/steppers/extrapolation.h"

/* ---- runs ---------------------------------------------------------------- */

typedef struct trial {
    scree_dense *s;
    scree_dense_options options;
    double dt_max;
} trial;

static trial make_trial(const char *model, double dt_max, double dt_min,
                        int order, double atol) {
    trial r = {.options = scree_dense_options_default(), .dt_max = dt_max};
    r.options.dt_min = dt_min;
    r.options.order = order;
    r.options.atol = atol;
    r.options.tolerance = 1e-12;
    const scree_model_ops *ops = scree_model_find(model);
    assert_non_null(ops);
    assert_ok(scree_dense_create(ops, NULL, &r.s));
    return r;
}

/* One step that does not pass t_end. */
static void step(trial *r, double t_end) {
    scree_error error = {0};
    const double t = r->s->t;
    r->options.dt = fmin(r->dt_max, t_end - t);
    const scree_status status =
        scree_dense_step(r->s, "moreau-adaptive", &r->options, &error);
    if (status != SCREE_OK) print_error("%s\n", error.text);
    assert_ok(status);
    assert_true(r->s->t > t);
    assert_true(r->s->dt <= r->options.dt * (1 + 1e-9));
    assert_int_not_equal(r->s->exit_flag, SCREE_SWITCH_DETECTED);
}

static bool before(const trial *r, double t_end) {
    return r->s->t < t_end - 1e-12;
}

static void run_to(trial *r, double t_end) {
    while (before(r, t_end)) step(r, t_end);
}

/* Times at which row 0 becomes a constraint: impacts, or the begin of rest. */
static int closing_times(trial *r, double t_end, double *t, int room) {
    int n = 0, last = 1;
    while (before(r, t_end)) {
        step(r, t_end);
        if (r->s->mode[0] == 0 && last == 1 && n < room) t[n++] = r->s->t;
        last = r->s->mode[0];
    }
    return n;
}

/* Least-squares slope of log e over log dt. */
static double slope(const double *dt, const double *e, int n) {
    double x = 0, y = 0, xx = 0, xy = 0;
    for (int i = 0; i < n; ++i) {
        const double a = log(dt[i]), b = log(e[i]);
        x += a, y += b, xx += a * a, xy += a * b;
    }
    return (n * xy - x * y) / (n * xx - x * x);
}

/* ---- the extrapolation module -------------------------------------------- */

static double polynomial(int degree, double x) {
    double sum = 0;
    for (int k = degree; k >= 0; --k) sum = sum * x + 1.0 / (k + 1) - 0.3 * k;
    return sum;
}

/* k values of a polynomial of degree k - 1 give its value at 0, here 1; two
 * components at once, to see that they do not mix. */
static void aitken_neville__polynomial__exact_at_0(void **state) {
    (void)state;
    for (int rule = 0; rule < 3; ++rule)
        for (int k = 1; k <= 7; ++k) {
            double T[14];
            int n[7];
            for (int i = 0; i < k; ++i) {
                n[i] = scree_substep_count((scree_substeps_rule)rule, i);
                T[2 * i] = polynomial(k - 1, 1.0 / n[i]);
                T[2 * i + 1] = -2 * polynomial(k - 1, 1.0 / n[i]);
                scree_aitken_neville(T, 2, n, i);
            }
            assert_near(T[0], 1, 1e-11);
            assert_near(T[1], -2, 2e-11);
        }
}

/* A degree too many is not exact: the test above tests something. */
static void aitken_neville__degree_too_high__not_exact(void **state) {
    (void)state;
    const int n[] = {1, 3};
    double T[2];
    for (int i = 0; i < 2; ++i) {
        T[i] = polynomial(2, 1.0 / n[i]);
        scree_aitken_neville(T, 1, n, i);
    }
    assert_true(fabs(T[0] - 1) > 1e-2);
}

/* 002 (44): y' = 3 x^2 by Euler with 1, 2, 4 substeps. */
static void aitken_neville__published_tableau__reproduced(void **state) {
    (void)state;
    const int n[] = {1, 2, 4};
    const double first[] = {0, 3.0 / 8, 21.0 / 32}, best[] = {0, 0.75, 1};
    double T[3];
    for (int i = 0; i < 3; ++i) {
        T[i] = first[i];
        scree_aitken_neville(T, 1, n, i);
        assert_near(T[0], best[i], 1e-15);
    }
}

/* 002 (46), (47): what is left of gamma_B in a closed contact, eps = 0.7. */
static void aitken_neville__closed_contact__only_odd_contracts(void **state) {
    (void)state;
    const double grown[] = {-0.7, 1.68, -3.8535, 9.2682};
    for (int rule = 0; rule < 3; ++rule) {
        double T[4];
        int n[4];
        for (int i = 0; i < 4; ++i) {
            n[i] = scree_substep_count((scree_substeps_rule)rule, i);
            T[i] = pow(-0.7, n[i]);
            scree_aitken_neville(T, 1, n, i);
            if (rule != SCREE_SUBSTEPS_ODD)
                assert_near(T[0], grown[i], 5e-4);
            else
                assert_true(fabs(T[0]) <= 0.7);
        }
    }
}

/* ---- 10.1: a point mass falls on a table --------------------------------- */

static void check_impacts(scree_substeps_rule rule) {
    enum { ROOM = 200 };
    double t[ROOM];
    trial r = make_trial("falling-mass", 0.05, 1e-5, 4, 1e-6);
    r.options.substeps = rule;
    const int n = closing_times(&r, 1.5, t, ROOM);
    assert_true(n > 10 && n < ROOM);
    print_message("impacts %.7f %.7f %.7f, accumulation %.7f, %lld steps\n",
                  t[0], t[1], t[2], t[n - 1], (long long)r.s->steps);
    assert_near(t[0], 0.1194619, 1e-4);
    assert_near(t[1], 0.2867086, 1e-4);
    assert_near(t[2], 0.4037813, 1e-4);
    assert_near(t[n - 1], 0.6769509, 1e-4);
    assert_near(r.s->q[0], 0, 1e-9);
    scree_dense_destroy(r.s);
}

static void falling_mass__impacts__times_and_accumulation(void **state) {
    (void)state;
    check_impacts(SCREE_SUBSTEPS_ODD);
    check_impacts(SCREE_SUBSTEPS_FADING);
}

/* Impulse of the table = impulse of the weight + change of momentum, as exactly
 * as percussions that are not extrapolated allow. */
static void falling_mass__whole_run__percussions_balance(void **state) {
    (void)state;
    trial r = make_trial("falling-mass", 0.05, 1e-5, 4, 1e-6);
    double sum = 0;
    while (before(&r, 1.5)) {
        step(&r, 1.5);
        sum += r.s->P[0];
    }
    assert_near(sum, 9.81 * 1.5 + r.s->u[0], 1e-6);
    scree_dense_destroy(r.s);
}

/* Largest step that is returned after the accumulation point. */
static double largest_step_at_rest(scree_substeps_rule rule) {
    trial r = make_trial("falling-mass", 0.05, 1e-5, 4, 1e-6);
    r.options.substeps = rule;
    double largest = 0;
    while (before(&r, 1.5)) {
        step(&r, 1.5);
        if (r.s->t > 0.7) largest = fmax(largest, r.s->dt);
    }
    scree_dense_destroy(r.s);
    return largest;
}

static void falling_mass__at_rest__step_grows_with_either_remedy(void **state) {
    (void)state;
    const double odd = largest_step_at_rest(SCREE_SUBSTEPS_ODD);
    const double all = largest_step_at_rest(SCREE_SUBSTEPS_ALL);
    const double fading = largest_step_at_rest(SCREE_SUBSTEPS_FADING);
    print_message("largest step at rest: odd %g, fading %g, all %g\n", odd,
                  fading, all);
    assert_near(odd, 0.05, 1e-12);
    assert_near(fading, 0.05, 1e-12);
    assert_true(all < 0.05 / 10);
}

/* ---- 10.2: a point mass slides on a table -------------------------------- */

typedef struct events {
    double t_u_x, t_least, t_stick;
    bool at_switch; /* a step ended when the force was switched off */
} events;

/* Hermite data of a function between two times, and its value in between. */
static double hermite(double a, double da, double b, double db, double h,
                      double x) {
    const double y = 1 - x;
    return y * y * (1 + 2 * x) * a + x * x * (1 + 2 * y) * b +
           h * x * y * (y * da - x * db);
}

/* udot = (F - a u/|u|) / m, F = (-2.5, -0.25), a = 2, m = 1. */
static void acceleration(const double *u, double *a) {
    const double speed = hypot(u[0], u[1]);
    a[0] = -2.5 - 2 * u[0] / speed;
    a[1] = -0.25 - 2 * u[1] / speed;
}

/* The value of component 0: u_x, or of 1: d|u|^2/dt / 2, at x in [0, 1]. */
static double along(int what, const double *u, const double *v, double h,
                    double x) {
    double a[2], b[2], w[2], c[2];
    acceleration(u, a);
    acceleration(v, b);
    for (int i = 0; i < 2; ++i) w[i] = hermite(u[i], a[i], v[i], b[i], h, x);
    if (what == 0) return w[0];
    acceleration(w, c);
    return w[0] * c[0] + w[1] * c[1];
}

/* Time of the sign change in the step that ended at t, or `none`. */
static double crossing(int what, const double *u, const scree_dense *s,
                       double none) {
    double lo = 0, hi = 1;
    const bool sign = along(what, u, s->u, s->dt, 0) > 0;
    if (sign == (along(what, u, s->u, s->dt, 1) > 0)) return none;
    for (int k = 0; k < 60; ++k) {
        const double x = 0.5 * (lo + hi);
        if (sign == (along(what, u, s->u, s->dt, x) > 0))
            lo = x;
        else
            hi = x;
    }
    return s->t - s->dt + lo * s->dt;
}

static events slide(trial *r, double t_end) {
    events seen = {0};
    while (before(r, t_end)) {
        const double u[] = {r->s->u[0], r->s->u[1]};
        step(r, t_end);
        if (r->s->t == 3) seen.at_switch = true;
        if (r->s->t < 1) {
            seen.t_u_x = crossing(0, u, r->s, seen.t_u_x);
            seen.t_least = crossing(1, u, r->s, seen.t_least);
        }
        if (r->s->mode[0] == 0 && seen.t_stick == 0) seen.t_stick = r->s->t;
    }
    return seen;
}

static void sliding_mass__turned_by_force__times_and_end(void **state) {
    (void)state;
    trial r = make_trial("sliding-mass", 0.05, 2.5e-7, 6, 1e-10);
    const events seen = slide(&r, 4);
    print_message("u_x = 0 at %.7f, least speed at %.7f, stick at %.7f, end "
                  "(%.7f, %.7f), %lld steps\n",
                  seen.t_u_x, seen.t_least, seen.t_stick, r.s->q[0], r.s->q[1],
                  (long long)r.s->steps);
    assert_near(seen.t_u_x, 0.4596770, 1e-6);
    assert_near(seen.t_least, 0.4787230, 1e-6);
    assert_true(seen.at_switch);
    assert_near(seen.t_stick, 3.6656500, 1e-6);
    assert_near(r.s->q[0], -1.7118790, 1e-6);
    assert_near(r.s->q[1], -0.2987709, 1e-6);
    assert_near(hypot(r.s->u[0], r.s->u[1]), 0, 1e-12);
    scree_dense_destroy(r.s);
}

/* ---- 10.3: an oscillator hits a wall ------------------------------------- */

static void impact_oscillator__impacts__times(void **state) {
    (void)state;
    const double exact[] = {0.1395077, 0.4561889, 0.8085981, 1.1924024};
    double t[8];
    trial r = make_trial("impact-oscillator", 0.01, 1e-6, 4, 0);
    assert_int_equal(closing_times(&r, 1.5, t, 8), 4);
    for (int i = 0; i < 4; ++i) assert_near(t[i], exact[i], 4e-6);
    scree_dense_destroy(r.s);
}

/* Free swing about x_s = -0.15 with w^2 = c/m = 200, for a time t. */
static void swing(double *x, double *v, double t) {
    const double w = sqrt(200), c = cos(w * t), s = sin(w * t);
    const double d = *x + 0.15;
    *x = d * c + *v / w * s - 0.15;
    *v = *v * c - d * w * s;
}

/* First time at which x = 0 is reached from x <= 0: a scan, then bisection. */
static double time_to_wall(double x, double v) {
    const double fine = 1e-3;
    double lo = fine, hi = 0;
    for (double t = 2 * fine; hi == 0; t += fine) {
        double y = x, w = v;
        swing(&y, &w, t);
        if (y > 0)
            hi = t;
        else
            lo = t;
    }
    for (int k = 0; k < 60; ++k) {
        const double t = 0.5 * (lo + hi);
        double y = x, w = v;
        swing(&y, &w, t);
        *(y > 0 ? &hi : &lo) = t;
    }
    return lo;
}

/* (x, v)(1.5), four impacts with eps = 0.6 from the initial values. */
static void oscillator_exact(double *x, double *v) {
    double left = 1.5;
    *x = -0.5, *v = 0.2;
    for (int k = 0; k < 4; ++k) {
        const double t = time_to_wall(*x, *v);
        swing(x, v, t);
        *x = 0, *v *= -0.6;
        left -= t;
    }
    swing(x, v, left);
}

/* Error of (x, v)(1.5) with dt_min = dt_max^p, which balances (49). */
static double oscillator_error(double dt, int p) {
    double x, v;
    oscillator_exact(&x, &v);
    assert_near(x, -0.16480333, 1e-8);
    assert_near(v, 2.18923898, 1e-8);
    trial r = make_trial("impact-oscillator", dt, pow(dt, p), p, 0);
    run_to(&r, 1.5);
    const double e = hypot(r.s->q[0] - x, r.s->u[0] - v);
    scree_dense_destroy(r.s);
    return e;
}

/* Switching points fall anywhere in a step of dt_min, so single errors scatter:
 * the bands are wider than those of a smooth problem. Order 1, with all steps
 * of one size, needs smaller ones to be in its asymptotic range. */
static void impact_oscillator__orders_1_to_4__observed(void **state) {
    (void)state;
    enum { N = 13 };
    const double largest[] = {0.002, 0.02, 0.02, 0.02};
    const double low[] = {0.7, 1.8, 2.6, 3.7}, high[] = {1.3, 2.2, 3.6, 4.5};
    for (int p = 1; p <= 4; ++p) {
        double dt[N], e[N];
        for (int i = 0; i < N; ++i) {
            dt[i] = largest[p - 1] * pow(2, -0.25 * i);
            e[i] = oscillator_error(dt[i], p);
        }
        const double order = slope(dt, e, N);
        print_message("p = %d: observed %.2f, error %.2e .. %.2e\n", p, order,
                      e[0], e[N - 1]);
        assert_true(order > low[p - 1] && order < high[p - 1]);
    }
}

/* ---- what a caller may rely on ------------------------------------------- */

/* Steps are lowered to meet 100 output times; the result does not suffer and
 * the step size that was in use comes back. */
static void impact_oscillator__output_times__met_at_small_cost(void **state) {
    (void)state;
    trial plain = make_trial("impact-oscillator", 0.01, 1e-6, 4, 0);
    trial met = make_trial("impact-oscillator", 0.01, 1e-6, 4, 0);
    run_to(&plain, 1.5);
    for (int i = 1; i <= 100; ++i) {
        run_to(&met, 1.5 * i / 100);
        assert_near(met.s->t, 1.5 * i / 100, 1e-12);
    }
    assert_near(met.s->q[0], plain.s->q[0], 2e-5);
    assert_near(met.s->u[0], plain.s->u[0], 5e-5);
    assert_true(met.s->steps < plain.s->steps + 150);
    scree_dense_destroy(plain.s);
    scree_dense_destroy(met.s);
}

/* A state set by hand is a new start: the old look ahead must not be used. */
static void falling_mass__state_set_by_hand__starts_anew(void **state) {
    (void)state;
    trial r = make_trial("falling-mass", 0.05, 1e-5, 2, 0);
    run_to(&r, 0.08);
    r.s->q[0] = 1;
    r.s->u[0] = 0;
    const double t = r.s->t;
    step(&r, 1);
    assert_near(r.s->dt, 1e-5, 1e-18);
    run_to(&r, t + 0.4);
    assert_near(r.s->q[0], 1 - 0.5 * 9.81 * 0.16, 1e-12);
    scree_dense_destroy(r.s);
}

/* Without dt_min it is a hundredth of the largest dt so far, and stays that
 * while a caller lowers dt to meet a time just after the impact. */
static void falling_mass__no_dt_min__hundredth_of_dt(void **state) {
    (void)state;
    trial r = make_trial("falling-mass", 0.01, 0, 2, 0);
    int resolved = 0;
    while (before(&r, 0.1205)) {
        step(&r, 0.1205);
        if (r.s->exit_flag != SCREE_SWITCH_RESOLVED) continue;
        ++resolved;
        assert_near(r.s->dt, 1e-4, 1e-12);
    }
    assert_int_equal(resolved, 3); /* the start, the impact, open again */
    scree_dense_destroy(r.s);
}

/* Sliding along a curve, T_22 - T_11 is C dt: more than atol at 3 dt_min, where
 * order 2 is the highest. The step must grow all the same, to where the higher
 * orders are allowed. */
static void bowl__accuracy_out_of_reach_at_dt_min__no_crawl(void **state) {
    (void)state;
    trial fixed = make_trial("bowl", 1e-3, 1e-6, 4, 0);
    trial controlled = make_trial("bowl", 1e-2, 1e-6, 4, 1e-6);
    run_to(&fixed, 1);
    run_to(&controlled, 1);
    print_message("bowl: %lld steps under error control\n",
                  (long long)controlled.s->steps);
    assert_true(controlled.s->steps < 1000);
    for (int i = 0; i < fixed.s->ops->n_q; ++i)
        assert_near(controlled.s->q[i], fixed.s->q[i], 1e-6);
    scree_dense_destroy(fixed.s);
    scree_dense_destroy(controlled.s);
}

/* ---- 10.4: the woodpecker ------------------------------------------------ */

enum { N_INCIDENT = 12 };

/* Table VII: row (N1 F1 N2 F2 N3 F3) and its new mode. */
static const struct {
    int row, mode;
    const char *name;
} incidents[N_INCIDENT] = {
    {3, 0, "F2 sticks"}, {3, 1, "F2 slips"},  {2, 1, "N2 opens"},
    {4, 0, "N3 closes"}, {4, 1, "N3 opens"},  {0, 0, "N1 closes"},
    {0, 1, "N1 opens"},  {4, 0, "N3 closes"}, {4, 1, "N3 opens"},
    {2, 0, "N2 closes"}, {2, 1, "N2 opens"},  {2, 0, "N2 closes"},
};

typedef struct cycle {
    int next;    /* index of the next incident */
    double t, y; /* at the last "F2 sticks" */
    double period, descent;
} cycle;

static void meet_incident(cycle *c, const scree_dense *s, int row) {
    const int k = c->next;
    if (incidents[k].row != row || incidents[k].mode != s->mode[row])
        fail_msg("t = %.7f: row %d becomes %d, expected: %s", s->t, row,
                 s->mode[row], incidents[k].name);
    c->next = (k + 1) % N_INCIDENT;
    if (k != 0) return;
    c->period = s->t - c->t;
    c->descent = c->y - s->q[0];
    c->t = s->t;
    c->y = s->q[0];
}

/* One cycle, from "F2 sticks" to the next; every change of a mode is compared
 * with the table. */
static void one_cycle(trial *r, cycle *c) {
    const double t = c->t;
    while (c->t == t) {
        int last[6];
        memcpy(last, r->s->mode, sizeof last);
        step(r, 10);
        for (int row = 0; row < 6; ++row)
            if (r->s->mode[row] != last[row]) meet_incident(c, r->s, row);
    }
}

/* The transient dies by a factor of about -0.9 per cycle: wait, and average
 * over pairs. */
static void woodpecker__limit_cycle__incidents_and_period(void **state) {
    (void)state;
    enum { WAIT = 20, N = 10 };
    trial r = make_trial("woodpecker", 5e-3, 1e-7, 6, 1e-6);
    step(&r, 10);
    cycle c = {0};
    for (int k = 0; k < WAIT; ++k) one_cycle(&r, &c);
    double period = 0, descent = 0;
    for (int k = 0; k < N; ++k) {
        one_cycle(&r, &c);
        period += c.period / N;
        descent += c.descent / N;
    }
    print_message("period %.6f s, descent %.4f mm, %lld steps for %d cycles\n",
                  period, 1e3 * descent, (long long)r.s->steps, WAIT + N);
    assert_near(period, 0.14598, 2e-5);
    assert_near(1e3 * descent, 19.449, 0.02);
    assert_int_equal(r.s->unconverged, 0);
    scree_dense_destroy(r.s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(aitken_neville__polynomial__exact_at_0),
        cmocka_unit_test(aitken_neville__degree_too_high__not_exact),
        cmocka_unit_test(aitken_neville__published_tableau__reproduced),
        cmocka_unit_test(aitken_neville__closed_contact__only_odd_contracts),
        cmocka_unit_test(falling_mass__impacts__times_and_accumulation),
        cmocka_unit_test(falling_mass__whole_run__percussions_balance),
        cmocka_unit_test(falling_mass__at_rest__step_grows_with_either_remedy),
        cmocka_unit_test(falling_mass__state_set_by_hand__starts_anew),
        cmocka_unit_test(falling_mass__no_dt_min__hundredth_of_dt),
        cmocka_unit_test(sliding_mass__turned_by_force__times_and_end),
        cmocka_unit_test(impact_oscillator__impacts__times),
        cmocka_unit_test(impact_oscillator__orders_1_to_4__observed),
        cmocka_unit_test(impact_oscillator__output_times__met_at_small_cost),
        cmocka_unit_test(bowl__accuracy_out_of_reach_at_dt_min__no_crawl),
        cmocka_unit_test(woodpecker__limit_cycle__incidents_and_period),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
