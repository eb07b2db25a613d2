/* Orders of all steppers of models where M depends on q (double-pendulum, swinging and
 * sliding along its wall) and where g depends on t (turning-hoop). References are the
 * equations of the free coordinates by RK4 with steps that leave rounding alone. */
#include "engine/system/stepper.h"
#include "tests/trial.h"

/* ---- references ----------------------------------------------------------- */

/* Values of the models' defaults. */
static const double M_1 = 1, M_2 = 0.5, L_1 = 1, L_2 = 0.8, G = 9.81, MU = 0.2;

typedef struct pendulum {
    double M[2][2], h[2]; /* M a = h without the wall */
} pendulum;

static pendulum pendulum_at(const double *y) {
    const double c = M_2 * L_1 * L_2 * cos(y[0] - y[1]);
    const double s = M_2 * L_1 * L_2 * sin(y[0] - y[1]);
    return (pendulum){
        .M = {{(M_1 + M_2) * L_1 * L_1, c}, {c, M_2 * L_2 * L_2}},
        .h = {-s * y[3] * y[3] - (M_1 + M_2) * G * L_1 * sin(y[0]),
              s * y[2] * y[2] - M_2 * G * L_2 * sin(y[1])}};
}

static void solve_pair(const pendulum *p, const double *b, double *x) {
    const double det = p->M[0][0] * p->M[1][1] - p->M[0][1] * p->M[1][0];
    x[0] = (b[0] * p->M[1][1] - b[1] * p->M[0][1]) / det;
    x[1] = (b[1] * p->M[0][0] - b[0] * p->M[1][0]) / det;
}

static void swings(const void *context, const double *y, double *dy) {
    (void)context;
    const pendulum p = pendulum_at(y);
    dy[0] = y[2], dy[1] = y[3];
    solve_pair(&p, p.h, dy + 2);
}

/* Pressed against the wall with N, and slipping upwards for sign = 1:
 * a = M^-1 (h + N (w_N - mu sign w_F)) with d/dt (w_N . u) = 0. */
static void slides(const void *context, const double *y, double *dy) {
    const double sign = *(const double *)context;
    const double l[2] = {L_1, L_2};
    const pendulum p = pendulum_at(y);
    double free[2], push[2], pull[2], w[2], curve = 0;
    for (int i = 0; i < 2; ++i) {
        w[i] = -l[i] * cos(y[i]);
        curve += l[i] * sin(y[i]) * y[2 + i] * y[2 + i];
        pull[i] = w[i] - MU * sign * l[i] * sin(y[i]);
    }
    solve_pair(&p, p.h, free);
    solve_pair(&p, pull, push);
    const double N = -(w[0] * free[0] + w[1] * free[1] + curve) /
                     (w[0] * push[0] + w[1] * push[1]);
    assert_true(N > 0);
    dy[0] = y[2], dy[1] = y[3];
    for (int i = 0; i < 2; ++i) dy[2 + i] = free[i] + N * push[i];
}

/* y = (theta, theta', psi, psi'); context: the hoop's acceleration */
static void runs(const void *context, const double *y, double *dy) {
    const double alpha = *(const double *)context;
    const double s = sin(y[0]), c = cos(y[0]);
    dy[0] = y[1], dy[1] = y[3] * y[3] * s * c - 9.81 / 0.5 * s;
    dy[2] = y[3], dy[3] = alpha;
}

/* (q, u) of the bead */
static void bead_state(const double *y, double *state) {
    const double s = sin(y[0]), c = cos(y[0]), R = 0.5;
    const double cp = cos(y[2]), sp = sin(y[2]);
    state[0] = R * s * cp, state[1] = R * s * sp, state[2] = -R * c;
    state[3] = R * (c * y[1] * cp - s * sp * y[3]);
    state[4] = R * (c * y[1] * sp + s * cp * y[3]);
    state[5] = R * s * y[1];
}

/* ---- the three motions ------------------------------------------------------ */

typedef enum motion { SWING, SLIDE, HOOP } motion;
static const char *const motion_names[] = {"swing", "slide", "hoop"};
/* The end slows down and stops soon after the second. */
static const double T_END[] = {[SWING] = 0.4, [SLIDE] = 0.2, [HOOP] = 0.4};

/* The end on the wall at x = -0.5, against which gravity presses it, on its way down. */
static const double WALL = -0.5;
static void start_slide(double *y) {
    y[0] = 0.1, y[1] = asin((WALL - L_1 * sin(y[0])) / L_2);
    y[2] = -0.5, y[3] = -y[2] * L_1 * cos(y[0]) / (L_2 * cos(y[1]));
}

static trial make_motion(motion kind, const char *stepper, double dt) {
    trial r = make_trial(kind == HOOP ? "turning-hoop" : "double-pendulum",
                         stepper, dt);
    r.options.tolerance = kind == HOOP ? 1e-11 : 1e-13;
    if (kind == HOOP) {
        set(&r, "alpha", 2);
        set(&r, "collar", 3);
        set(&r, "theta_rate", 1);
    } else if (kind == SWING) {
        set(&r, "wall", 10);
        set(&r, "omega_1", 2);
    } else {
        double y[4];
        start_slide(y);
        set(&r, "wall", WALL);
        set(&r, "phi_1", y[0]);
        set(&r, "phi_2", y[1]);
        set(&r, "omega_1", y[2]);
        set(&r, "omega_2", y[3]);
    }
    return r;
}

/* (q, u) at the end; returns the number of its entries. */
static int exact_state(motion kind, double *state) {
    const double h = 1e-4;
    if (kind == HOOP) {
        const double alpha = 2;
        double y[4] = {0.5, 1, 0, 6};
        rk4(runs, &alpha, 4, T_END[kind], h, y);
        bead_state(y, state);
        return 6;
    }
    const double down = -1;
    const double swing[4] = {-1, -0.5, 2, 0};
    memcpy(state, swing, sizeof swing);
    if (kind == SLIDE) start_slide(state);
    rk4(kind == SWING ? swings : slides, &down, 4, T_END[kind], h, state);
    return 4;
}

typedef struct errors {
    double q, u;
} errors;

static errors find_errors(motion kind, const char *stepper, int rank,
                          double dt) {
    trial r = make_motion(kind, stepper, dt);
    const int n_q = r.s->ops->n_q;
    double exact[6];
    r.options.stages = r.options.order = rank;
    r.options.dt_min = pow(dt, rank);
    assert_int_equal(exact_state(kind, exact), 2 * n_q);
    while (r.s->t < T_END[kind] - 1e-12) {
        r.options.dt = fmin(dt, T_END[kind] - r.s->t);
        step(&r);
    }
    assert_int_equal(r.s->unconverged, 0);
    errors e = {0, 0};
    for (int i = 0; i < n_q; ++i) {
        e.q = fmax(e.q, fabs(r.s->q[i] - exact[i]));
        e.u = fmax(e.u, fabs(r.s->u[i] - exact[n_q + i]));
    }
    end_trial(&r);
    return e;
}

/* ---- orders ------------------------------------------------------------------- */

/* rank: s of lobatto, p of moreau-adaptive. n steps, halved from the largest. */
typedef struct order_case {
    motion kind;
    const char *stepper;
    int rank;
    double dt;
    int n;
    double order, tolerance;
} order_case;

static const order_case order_cases[] = {
    {SWING, "moreau", 0, 5e-3, 4, 1, 0.1},
    {SWING, "semi-implicit-2", 0, 5e-3, 4, 1, 0.1},
    {SWING, "semi-implicit-3", 0, 5e-3, 4, 1, 0.1},
    {SWING, "schatzman-paoli", 0, 5e-3, 4, 1, 0.1},
    {SWING, "rattle", 0, 1e-2, 4, 2, 0.1},
    {SWING, "generalized-alpha", 0, 1e-2, 4, 2, 0.1},
    {SWING, "lobatto", 2, 1e-2, 4, 2, 0.1},
    {SWING, "lobatto", 3, 4e-2, 4, 4, 0.15},
    {SWING, "lobatto", 4, 5e-2, 3, 6, 0.3},
    {SWING, "generalized-alpha", 0, 1e-2, 4, 2, 0.1},
    {SWING, "moreau-adaptive", 2, 1e-2, 4, 2, 0.2},
    {SWING, "moreau-adaptive", 3, 1e-2, 4, 3, 0.2},
    {SLIDE, "moreau", 0, 5e-3, 4, 1, 0.1},
    {SLIDE, "semi-implicit-2", 0, 5e-3, 4, 1, 0.1},
    {SLIDE, "semi-implicit-3", 0, 5e-3, 4, 1, 0.1},
    {SLIDE, "schatzman-paoli", 0, 5e-3, 4, 1, 0.1},
    {SLIDE, "rattle", 0, 1e-2, 4, 2, 0.1},
    {SLIDE, "generalized-alpha", 0, 1e-2, 4, 2, 0.1},
    {SLIDE, "lobatto", 2, 1e-2, 4, 2, 0.1},
    {SLIDE, "lobatto", 3, 4e-2, 4, 4, 0.15},
    {SLIDE, "lobatto", 4, 1e-1, 3, 6, 0.3},
    {SLIDE, "generalized-alpha", 0, 1e-2, 4, 2, 0.1},
    {HOOP, "moreau", 0, 5e-3, 4, 1, 0.1},
    {HOOP, "semi-implicit-2", 0, 5e-3, 4, 1, 0.1},
    {HOOP, "semi-implicit-3", 0, 5e-3, 4, 1, 0.1},
    {HOOP, "schatzman-paoli", 0, 5e-3, 4, 1, 0.1},
    {HOOP, "rattle", 0, 1e-2, 4, 2, 0.1},
    {HOOP, "generalized-alpha", 0, 1e-2, 4, 2, 0.1},
    {HOOP, "lobatto", 2, 1e-2, 4, 2, 0.1},
    {HOOP, "lobatto", 3, 4e-2, 4, 4, 0.15},
    {HOOP, "lobatto", 4, 1e-1, 3, 6, 0.3},
    {HOOP, "generalized-alpha", 0, 1e-2, 4, 2, 0.1},
    /* The first substep from a velocity that the constraint has at q_B turns it half as
     * far as the others: a term dt^2 / n^2 that T_22 keeps, so that one order is lost on
     * constraints that curve or move. (Along a wall the extrapolated gap drifts until it
     * is open, and the contact bounces: no order to speak of.) */
    {HOOP, "moreau-adaptive", 2, 1e-2, 4, 1, 0.1},
    {HOOP, "moreau-adaptive", 3, 2e-2, 4, 2, 0.1},
    {HOOP, "moreau-adaptive", 4, 4e-2, 4, 3, 0.2},
};

static void check_case(const order_case *c) {
    double dt[8], q[8], u[8];
    for (int i = 0; i < c->n; ++i) {
        dt[i] = c->dt / (1 << i);
        const errors e = find_errors(c->kind, c->stepper, c->rank, dt[i]);
        q[i] = e.q, u[i] = e.u;
    }
    const double p_q = order_of(dt, q, c->n), p_u = order_of(dt, u, c->n);
    print_message("%s, %s %d: order %.2f in q, %.2f in u; errors %.1e .. %.1e, "
                  "%.1e .. %.1e\n",
                  motion_names[c->kind], c->stepper, c->rank, p_q, p_u, q[0],
                  q[c->n - 1], u[0], u[c->n - 1]);
    assert_near(p_q, c->order, c->tolerance);
    assert_near(p_u, c->order, c->tolerance);
}

static void steppers__mass_of_q_and_gap_of_t__published_orders(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof order_cases / sizeof *order_cases; ++i)
        check_case(&order_cases[i]);
}

/* ---- lobatto keeps area in phase space ------------------------------------------ */

/* (q, M u) after a step from (q, p) */
static void step_phase(trial *r, const double *from, double *to) {
    double M[4], u[2];
    scree_error error = {0};
    pendulum at = pendulum_at(from);
    solve_pair(&at, from + 2, u);
    assert_ok(scree_dense_write_state(r->s, 0, from, u, &error));
    step(r);
    r->s->ops->mass(r->s->p, r->s->t, r->s->q, M);
    for (int i = 0; i < 2; ++i) {
        to[i] = r->s->q[i];
        to[2 + i] = M[2 * i] * r->s->u[0] + M[2 * i + 1] * r->s->u[1];
    }
}

/* The largest entry of J^T S J - S, J the derivative of the step, S of (q, p). */
static double area_defect(const char *stepper, int stages, double dt) {
    trial r = make_motion(SWING, stepper, dt);
    const double at[4] = {-1, -0.5, 3, 0.4}, eps = 1e-5;
    double J[4][4], worst = 0;
    r.options.stages = stages;
    for (int k = 0; k < 4; ++k) {
        double lo[4], hi[4], moved[4];
        for (int side = -1; side <= 1; side += 2) {
            memcpy(moved, at, sizeof at);
            moved[k] += side * eps;
            step_phase(&r, moved, side < 0 ? lo : hi);
        }
        for (int i = 0; i < 4; ++i) J[i][k] = (hi[i] - lo[i]) / (2 * eps);
    }
    for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 4; ++b) {
            double area = b == a + 2 ? -1 : a == b + 2 ? 1 : 0;
            for (int i = 0; i < 2; ++i)
                area += J[i][a] * J[2 + i][b] - J[2 + i][a] * J[i][b];
            worst = fmax(worst, fabs(area));
        }
    end_trial(&r);
    return worst;
}

/* The form (25) of 000, which rattle has, advances velocities: not symplectic. */
static void lobatto__mass_of_q__symplectic(void **state) {
    (void)state;
    for (int s = 2; s <= 4; ++s) {
        const double defect = area_defect("lobatto", s, 0.05);
        print_message("s = %d: area kept to %.1e\n", s, defect);
        assert_true(defect < 1e-8);
    }
    const double velocities = area_defect("rattle", 0, 0.05);
    print_message("rattle: area kept to %.1e\n", velocities);
    assert_true(velocities > 1e-4);
}

/* ---- closed forms ------------------------------------------------------------------ */

static double bead_angle(const scree_dense *s) {
    return atan2(hypot(s->q[0], s->q[1]), -s->q[2]);
}
static double bead_rate(const scree_dense *s) {
    return s->u[2] / (0.5 * sin(bead_angle(s)));
}

/* cos theta = g / (omega^2 R), where no force along the hoop is left. */
static void turning_hoop__rest__at_published_angle(void **state) {
    (void)state;
    const double theta = acos(9.81 / (6 * 6 * 0.5));
    trial r = make_trial("turning-hoop", "rattle", 1e-3);
    set(&r, "theta", theta);
    run_to(&r, 2);
    assert_near(bead_angle(r.s), theta, 1e-5);
    set(&r, "theta", theta + 0.02); /* swings with omega sin theta */
    double before = 0;
    while (!(before > theta && bead_angle(r.s) <= theta))
        before = bead_angle(r.s), step(&r);
    const double quarter = M_PI / 2 / (6 * sin(theta));
    assert_near(meets(r.s, before, bead_angle(r.s), theta), quarter,
                0.02 * quarter);
    end_trial(&r);
}

/* The plane presses with m R (2 psi' theta' cos theta + alpha sin theta). */
static void turning_hoop__plane__coriolis_and_euler_force(void **state) {
    (void)state;
    const double dt = 1e-4, alpha = 2;
    trial r = make_motion(HOOP, "rattle", dt);
    run_to(&r, 0.3);
    const double theta = bead_angle(r.s), rate = bead_rate(r.s);
    const double psi_rate = 6 + alpha * (0.3 - dt / 2);
    const double force =
        0.1 * 0.5 * (2 * psi_rate * rate * cos(theta) + alpha * sin(theta));
    assert_near(r.s->P[1] / dt, force, 2e-3 * fabs(force));
    end_trial(&r);
}

/* theta'^2 - omega^2 sin^2 theta - 2 (g / R) cos theta is constant up to the collar,
 * which returns e theta'. */
static void turning_hoop__collar__speed_of_the_integral(void **state) {
    (void)state;
    trial r = make_trial("turning-hoop", "rattle", 1e-4);
    set(&r, "theta_rate", 4);
    double before = 0;
    do before = bead_rate(r.s), step(&r);
    while (r.s->P[2] == 0);
    const double g_R = 9.81 / 0.5, from = 0.5, to = 1.2;
    const double squares = sin(to) * sin(to) - sin(from) * sin(from);
    const double rate =
        sqrt(4 * 4 + 36 * squares + 2 * g_R * (cos(to) - cos(from)));
    assert_near(before, rate, 1e-3 * rate);
    assert_near(bead_rate(r.s), -0.5 * before, 1e-3 * rate);
    end_trial(&r);
}

/* A hit without friction: gamma_N is turned back by e, and takes
 * (1 - e^2) gamma_N^2 / (2 w^T M^-1 w) of the energy. */
static void double_pendulum__hit__energy_of_newton(void **state) {
    (void)state;
    trial r = make_trial("double-pendulum", "rattle", 1e-5);
    set(&r, "mu", 0);
    r.options.hits = SCREE_HITS_PUBLISHED;
    double gamma[2], energy = 0, before = 0;
    do {
        energy = energy_of(&r);
        scree_dense_gamma(r.s, r.s->t, r.s->q, r.s->u, gamma);
        before = gamma[0];
        step(&r);
    } while (r.s->P[0] == 0);
    scree_dense_gamma(r.s, r.s->t, r.s->q, r.s->u, gamma);
    const pendulum at = pendulum_at((double[]){r.s->q[0], r.s->q[1], 0, 0});
    const double w[2] = {-L_1 * cos(r.s->q[0]), -L_2 * cos(r.s->q[1])};
    double x[2];
    solve_pair(&at, w, x);
    const double G_NN = w[0] * x[0] + w[1] * x[1];
    const double loss = (1 - 0.25) * before * before / (2 * G_NN);
    assert_near(gamma[0], -0.5 * before, 1e-9);
    assert_near(r.s->P[0], -1.5 * before / G_NN, 1e-3 * r.s->P[0]);
    assert_near(energy - energy_of(&r), loss, 1e-3 * loss);
    end_trial(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lobatto__mass_of_q__symplectic),
        cmocka_unit_test(turning_hoop__rest__at_published_angle),
        cmocka_unit_test(turning_hoop__plane__coriolis_and_euler_force),
        cmocka_unit_test(turning_hoop__collar__speed_of_the_integral),
        cmocka_unit_test(double_pendulum__hit__energy_of_newton),
        cmocka_unit_test(steppers__mass_of_q_and_gap_of_t__published_orders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
