/* What every stepper owes every model: it returns, percussions lie in their
 * sets, no gap where the stepper promises none, the same bits again. */
#include "tests/trial.h"

#include "engine/system/stepper.h"

enum { STEPS = 100 };

/* ---- every stepper on every model ------------------------------------------- */

typedef void visit(trial *r);

static void for_each_pair(double dt, visit *check) {
    const scree_stepper_ops *stepper;
    const scree_model_ops *model;
    for (int i = 0; (stepper = scree_stepper_get(i)); ++i)
        for (int k = 0; (model = scree_model_get(k)); ++k) {
            trial r = make_trial(model->name, stepper->name, dt);
            check(&r);
            end_trial(&r);
        }
}

static void fail_at(const trial *r, const char *what, double value) {
    fail_msg("%s on %s, t = %g, dt = %g: %s %g", r->stepper, r->s->ops->name,
             r->s->t, r->options.dt, what, value);
}

static double length(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += x[i] * x[i];
    return sqrt(sum);
}

static void check_finite(const trial *r) {
    const scree_dense *s = r->s;
    for (int i = 0; i < s->ops->n_q; ++i)
        if (!isfinite(s->q[i])) fail_at(r, "q", s->q[i]);
    for (int i = 0; i < s->ops->n_u; ++i)
        if (!isfinite(s->u[i])) fail_at(r, "u", s->u[i]);
    for (int i = 0; i < s->ops->n_row; ++i)
        if (!isfinite(s->P[i])) fail_at(r, "P", s->P[i]);
}

/* Rounding of a percussion, and what the tolerance leaves of it. */
static const double SLACK = 1e-9;

static void check_contact(const trial *r, const scree_law *law) {
    const double *P = &r->s->P[law->row];
    const double friction = length(P + 1, law->n_f);
    if (P[0] < -SLACK) fail_at(r, "pulls: P_N =", P[0]);
    if (friction > law->mu * P[0] + SLACK)
        fail_at(r, "|P_F| - mu P_N =", friction - law->mu * P[0]);
}

static void check_sets(const trial *r) {
    const scree_dense *s = r->s;
    for (int k = 0; k < s->ops->n_law; ++k) {
        const scree_law *law = &s->laws[k];
        const double *P = &s->P[law->row];
        if (law->kind == SCREE_LAW_CONTACT) check_contact(r, law);
        if (law->kind == SCREE_LAW_FRICTION &&
            length(P, law->n_f) > law->a * s->dt + SLACK)
            fail_at(r, "|P_F| =", length(P, law->n_f));
        if (law->kind == SCREE_LAW_FORCE &&
            (P[0] < law->lo * s->dt - SLACK || P[0] > law->hi * s->dt + SLACK))
            fail_at(r, "P =", P[0]);
    }
}

static void run_and_check(trial *r) {
    for (int n = 0; n < STEPS; ++n) {
        const double t = r->s->t;
        step(r);
        if (!(r->s->t > t)) fail_at(r, "time stands still at", t);
        check_finite(r);
        check_sets(r);
    }
    assert_int_equal(r->s->steps, STEPS);
}

static void steppers__models__finite_and_in_sets(void **state) {
    (void)state;
    for_each_pair(1e-3, run_and_check);
    for_each_pair(1e-4, run_and_check);
}

/* The published friction law too, where it is not the default. */
static void run_with_total_friction(trial *r) {
    r->options.friction = SCREE_FRICTION_TOTAL;
    run_and_check(r);
}

static void steppers__total_friction__finite_and_in_sets(void **state) {
    (void)state;
    for_each_pair(1e-3, run_with_total_friction);
}

/* All inner problems of these runs have solutions, also Painleve's: there a
 * percussion that stops the slip. */
static void run_and_count(trial *r) {
    for (int n = 0; n < STEPS; ++n) {
        step(r);
        if (r->s->unconverged) fail_at(r, "residual", r->s->residual);
    }
}

static void steppers__models__inner_solves_converge(void **state) {
    (void)state;
    for_each_pair(1e-3, run_and_count);
    for_each_pair(1e-4, run_and_count);
}

/* ---- penetration --------------------------------------------------------------- */

static bool promises_no_penetration(const char *stepper) {
    return !strcmp(stepper, "rattle") || !strcmp(stepper, "lobatto") ||
           !strcmp(stepper, "generalized-alpha") ||
           !strcmp(stepper, "semi-implicit-3");
}

/* g / dt is met to the tolerance times the size of velocities. */
static double least_allowed_gap(const trial *r) {
    double most = 0;
    for (int i = 0; i < r->s->ops->n_u; ++i)
        most = fmax(most, fabs(r->s->u[i]));
    return -10 * r->options.tolerance * (1 + most);
}

/* Until a step says that it did not converge: 1e-2 s are 1.5 rad of the crank. */
static void check_gaps(trial *r) {
    if (!promises_no_penetration(r->stepper)) return;
    for (int n = 0; n < 6 * STEPS; ++n) {
        step(r);
        if (r->s->unconverged) return;
        const double least = least_allowed_gap(r);
        for (int k = 0; k < r->s->ops->n_law; ++k)
            if (r->s->laws[k].kind == SCREE_LAW_CONTACT && r->s->g[k] < least)
                fail_at(r, "gap", r->s->g[k]);
    }
}

static void steppers__that_promise__no_penetration(void **state) {
    (void)state;
    for_each_pair(1e-3, check_gaps);
    for_each_pair(1e-2, check_gaps);
}

/* The gaps that a step hands out are those of the state it hands out. */
static void check_reported_gaps(trial *r) {
    double g[16];
    assert_true(r->s->ops->n_law <= 16);
    for (int n = 0; n < STEPS; ++n) {
        step(r);
        scree_dense_gaps(r->s, r->s->t, r->s->q, g);
        for (int k = 0; k < r->s->ops->n_law; ++k)
            if (fabs(g[k] - r->s->g[k]) > 1e-12) fail_at(r, "g", r->s->g[k]);
    }
}

static void steppers__gaps__are_of_the_state(void **state) {
    (void)state;
    for_each_pair(1e-3, check_reported_gaps);
}

/* ---- open is zero ---------------------------------------------------------------- */

/* A contact that the step found open has no percussion, not even rounding of
 * the solver (1e-16): P_N > 0 means contact. Sums over stages may leave less.
 * Runs long enough for balls to bounce. */
static void check_open(trial *r) {
    for (int n = 0; n < 6 * STEPS; ++n) {
        step(r);
        for (int k = 0; k < r->s->ops->n_law; ++k) {
            const scree_law *law = &r->s->laws[k];
            if (law->kind != SCREE_LAW_CONTACT || r->s->g[k] < 1e-3) continue;
            if (r->s->mode[law->row] == 0) continue; /* left in this step */
            if (fabs(r->s->P[law->row]) > 1e-20)
                fail_at(r, "open, P_N =", r->s->P[law->row]);
        }
    }
}

static void steppers__open_contacts__no_percussion(void **state) {
    (void)state;
    for_each_pair(1e-3, check_open);
}

/* ---- the same again ---------------------------------------------------------------- */

static void assert_same(const trial *a, const trial *b) {
    const scree_model_ops *ops = a->s->ops;
    if (memcmp(a->s->q, b->s->q, (size_t)ops->n_q * sizeof(double)) ||
        memcmp(a->s->u, b->s->u, (size_t)ops->n_u * sizeof(double)) ||
        memcmp(a->s->P, b->s->P, (size_t)ops->n_row * sizeof(double)))
        fail_at(a, "another result in step", (double)a->s->steps);
}

/* Two systems side by side: also shows that no stepper keeps hidden state
 * outside of them. */
static void run_twice(trial *r) {
    trial again = make_trial(r->s->ops->name, r->stepper, r->options.dt);
    for (int n = 0; n < STEPS; ++n) {
        step(r);
        step(&again);
        assert_same(r, &again);
    }
    end_trial(&again);
}

static void steppers__run_again__same_bits(void **state) {
    (void)state;
    for_each_pair(1e-3, run_twice);
}

/* Scratch memory is given back after each step. (Leaks of the heap are what
 * the sanitizers' build of this test finds.) */
static void check_scratch(trial *r) {
    const size_t mark = scree_arena_mark(&r->s->scratch);
    for (int n = 0; n < STEPS; ++n) {
        step(r);
        if (scree_arena_mark(&r->s->scratch) != mark)
            fail_at(r, "scratch", (double)scree_arena_mark(&r->s->scratch));
    }
}

static void steppers__scratch__given_back(void **state) {
    (void)state;
    for_each_pair(1e-3, check_scratch);
}

/* ---- wrong requests ------------------------------------------------------------------ */

static void steppers__wrong_names__refused(void **state) {
    (void)state;
    trial r = make_trial("slope", "rattle", 1e-3);
    scree_error error = {0};
    assert_int_equal(scree_dense_step(r.s, "ratle", &r.options, &error),
                     SCREE_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "ratle"));
    r.options.solver = "newtn";
    assert_int_equal(scree_dense_step(r.s, "rattle", &r.options, &error),
                     SCREE_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "newtn"));
    end_trial(&r);
}

/* A state that is not finite is a status, from every stepper. */
static void break_state(trial *r) {
    scree_error error = {0};
    r->s->u[0] = NAN;
    const scree_status status =
        scree_dense_step(r->s, r->stepper, &r->options, &error);
    if (status == SCREE_OK) fail_at(r, "accepted u =", r->s->u[0]);
    if (!error.text[0]) fail_at(r, "no message, status", (double)status);
}

static void steppers__state_not_finite__status(void **state) {
    (void)state;
    for_each_pair(1e-3, break_state);
}

/* ---- the work of RATTLE beside 000 Table 1 ---------------------------------------------- */

typedef struct count {
    const char *name, *model;
    double dt, tolerance, t_end;
    struct {
        const char *name;
        double value;
    } set[2];
    int most[2];       /* Newton steps of Table 1 */
    double average[2]; /* likewise */
} count;

static const count counts[] = {
    {"ball, case 1",
     "bouncing-ball",
     1e-2,
     1e-8,
     1.5,
     {{"e_n", 0.5}, {"omega", 0}},
     {2, 1},
     {1.0066, 0.9466}},
    {"ball, case 2",
     "bouncing-ball",
     1e-2,
     1e-8,
     1.5,
     {{"e_n", 0}, {"omega", 50}},
     {3, 2},
     {1.0270, 0.9466}},
    {"ball, case 3",
     "bouncing-ball",
     1e-2,
     1e-8,
     1.5,
     {{"e_n", 0}, {"omega", 10}},
     {3, 2},
     {1.0270, 0.6756}},
    {"slider-crank",
     "slider-crank",
     1e-4,
     1e-8,
     0.1,
     {{"e_n", 0.4}, {"mu", 0.01}},
     {5, 3},
     {2.2290, 1.0081}},
    {"slope, case 1",
     "slope",
     1e-2,
     1e-12,
     3.2,
     {{"y0", 1}, {"u0", 0}},
     {2, 2},
     {1.2774, 0.6463}},
    {"slope, case 2",
     "slope",
     1e-2,
     1e-12,
     3.2,
     {{"y0", 1}, {"u0", 1}},
     {2, 2},
     {1.1737, 0.5945}},
    {"slope, case 3",
     "slope",
     1e-2,
     1e-12,
     3.2,
     {{"y0", 1}, {"u0", -1}},
     {4, 2},
     {1.3628, 0.6859}},
    {"slope, case 4",
     "slope",
     1e-2,
     1e-12,
     3.2,
     {{"y0", 1.5}, {"u0", 0}},
     {5, 2},
     {1.2469, 0.6737}},
    {"tippedisk",
     "tippedisk",
     1e-3,
     1e-8,
     1,
     {{"mu", 0.3}, {"e_n", 0}},
     {3, 2},
     {2.4103, 2.0000}},
};

/* Table 1 counts Newton steps on all of (41) and (43). Here stage 1 counts its
 * linearisations, each solved as an inclusion, and stage 2, which is linear, the Newton
 * steps of that. Averages depend on which unknowns are eliminated (here all but
 * percussions): they are printed; the maxima are tested. Friction as published. */
static void count_iterations(const count *c) {
    trial r = make_trial(c->model, "rattle", c->dt);
    for (int i = 0; i < 2; ++i) set(&r, c->set[i].name, c->set[i].value);
    r.options.tolerance = c->tolerance;
    r.options.friction = SCREE_FRICTION_TOTAL;
    run_to(&r, c->t_end);
    const scree_dense *s = r.s;
    print_message("%-14s stage 1: most %d (%d), average %.4f (%.4f); stage 2: "
                  "most %d (%d), average %.4f (%.4f)\n",
                  c->name, s->most_iterations[0], c->most[0],
                  (double)s->sum_iterations[0] / (double)s->steps,
                  c->average[0], s->most_iterations[1], c->most[1],
                  (double)s->sum_iterations[1] / (double)s->steps,
                  c->average[1]);
    assert_int_equal(s->unconverged, 0);
    assert_true(s->most_iterations[0] <= c->most[0] + 1);
    assert_true(s->most_iterations[1] <= c->most[1] + 1);
    assert_true(s->most_iterations[0] > 0);
    end_trial(&r);
}

static void rattle__linearisations__not_more_than_published(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i)
        count_iterations(&counts[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steppers__models__finite_and_in_sets),
        cmocka_unit_test(steppers__total_friction__finite_and_in_sets),
        cmocka_unit_test(steppers__models__inner_solves_converge),
        cmocka_unit_test(steppers__that_promise__no_penetration),
        cmocka_unit_test(steppers__gaps__are_of_the_state),
        cmocka_unit_test(steppers__open_contacts__no_percussion),
        cmocka_unit_test(steppers__run_again__same_bits),
        cmocka_unit_test(steppers__scratch__given_back),
        cmocka_unit_test(steppers__wrong_names__refused),
        cmocka_unit_test(steppers__state_not_finite__status),
        cmocka_unit_test(rattle__linearisations__not_more_than_published),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
