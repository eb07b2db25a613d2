/* Laws that no benchmark model has, on small models of their own: force element
 * with bounds (prestressed spring), nonholonomic constraint, anisotropic
 * friction; with every stepper that runs models. */
#include <string.h>

#include "engine/system/dense.h"
#include "engine/system/stepper.h"
#include "tests/support.h"

static scree_dense *start_model(const scree_model_ops *ops, const double *p) {
    scree_dense *s;
    assert_ok(scree_dense_create(ops, p, &s));
    return s;
}

static void run_model(scree_dense *s, const char *stepper, double dt,
                      int steps) {
    scree_dense_options options = scree_dense_options_default();
    options.dt = dt;
    options.tolerance = 1e-11;
    scree_error error;
    /* moreau-adaptive may take smaller steps: by time, not by count. */
    for (const double end = dt * steps; s->t < end - 1e-12;) {
        options.dt = fmin(dt, end - s->t);
        assert_ok(scree_dense_step(s, stepper, &options, &error));
    }
    assert_int_equal(s->unconverged, 0);
}

static void unit_mass(const double *p, double t, const double *q, double *M) {
    (void)p, (void)t, (void)q;
    M[0] = 1;
}

/* ---- a mass behind a force element that bears -1 N to 2 N -------------------- */

static const scree_parameter spring_parameters[] = {
    {"force", 0, "N", "force on the mass", NULL}};

static void spring_laws(const double *p, scree_law *law) {
    (void)p;
    law[0] = (scree_law){
        .name = "spring", .kind = SCREE_LAW_FORCE, .lo = -1, .hi = 2};
}
static void spring_start(const double *p, double *q, double *u) {
    (void)p;
    q[0] = u[0] = 0;
}
static void spring_force(const double *p, double t, const double *q,
                         const double *u, double *h) {
    (void)t, (void)q, (void)u;
    h[0] = p[0];
}
static void spring_rows(const double *p, double t, const double *q, double *Wt,
                        double *chi) {
    (void)p, (void)t, (void)q;
    Wt[0] = 1;
    chi[0] = 0;
}
static const scree_model_ops spring = {.name = "spring",
                                       .n_q = 1,
                                       .n_u = 1,
                                       .n_law = 1,
                                       .n_row = 1,
                                       .n_parameter = 1,
                                       .parameters = spring_parameters,
                                       .laws = spring_laws,
                                       .start = spring_start,
                                       .mass = unit_mass,
                                       .force = spring_force,
                                       .rows = spring_rows};

/* Velocity after 1 s under a force F: the element holds it in [-2, 1]. */
static void
force_element__every_stepper__holds_within_its_bounds(void **state) {
    (void)state;
    const double F[] = {0.9, 1.5, -1.9, -2.5}, v[] = {0, 0.5, 0, -0.5};
    const scree_stepper_ops *stepper;
    for (int i = 0; (stepper = scree_stepper_get(i)); ++i)
        for (int k = 0; k < 4; ++k) {
            scree_dense *s = start_model(&spring, &F[k]);
            run_model(s, stepper->name, 1e-2, 100);
            assert_near(s->u[0], v[k], 1e-8);
            scree_dense_destroy(s);
        }
}

/* ---- knife edge on an incline: the edge cannot slip sideways ------------------ */

enum { FALL = 3 }; /* g sin(a) [m/s^2] */

static void edge_laws(const double *p, scree_law *law) {
    (void)p;
    law[0] = (scree_law){.name = "edge", .kind = SCREE_LAW_NONHOLONOMIC};
}
static void edge_start(const double *p, double *q, double *u) {
    (void)p;
    memset(q, 0, 3 * sizeof *q);
    memset(u, 0, 3 * sizeof *u);
    u[2] = 2;
}
static void edge_mass(const double *p, double t, const double *q, double *M) {
    (void)p, (void)t, (void)q;
    memset(M, 0, 9 * sizeof *M);
    M[0] = M[4] = 1;
    M[8] = 0.1;
}
static void edge_force(const double *p, double t, const double *q,
                       const double *u, double *h) {
    (void)p, (void)t, (void)q, (void)u;
    h[0] = FALL;
    h[1] = h[2] = 0;
}
static void edge_rows(const double *p, double t, const double *q, double *Wt,
                      double *chi) {
    (void)p, (void)t;
    Wt[0] = -sin(q[2]);
    Wt[1] = cos(q[2]);
    Wt[2] = chi[0] = 0;
}
static const scree_model_ops edge = {.name = "edge",
                                     .n_q = 3,
                                     .n_u = 3,
                                     .n_law = 1,
                                     .n_row = 1,
                                     .laws = edge_laws,
                                     .start = edge_start,
                                     .mass = edge_mass,
                                     .force = edge_force,
                                     .rows = edge_rows};

/* Exact: x = F/(2 w^2) sin^2(w t), y = F/(2 w^2) (w t - sin(2 w t)/2): a cycloid
 * that drifts across the incline and does not run down it. */
static double edge_error(const char *stepper, double dt) {
    scree_dense *s = start_model(&edge, NULL);
    run_model(s, stepper, dt, (int)(1 / dt + 0.5));
    const double w = 2, t = 1, c = FALL / (2 * w * w);
    const double x = c * sin(w * t) * sin(w * t);
    const double y = c * (w * t - 0.5 * sin(2 * w * t));
    const double error = fmax(fabs(s->q[0] - x), fabs(s->q[1] - y));
    assert_near(s->q[2], w * t, 1e-9);
    scree_dense_destroy(s);
    return error;
}

static void nonholonomic__knife_edge__cycloid(void **state) {
    (void)state;
    const scree_stepper_ops *stepper;
    for (int i = 0; (stepper = scree_stepper_get(i)); ++i)
        assert_true(edge_error(stepper->name, 1e-3) < 1e-2);
    /* As published, (29a) binds u_{n+1/2} by the direction at q_{n+1}, half a
     * step late: first order for nonholonomic constraints that turn. */
    const double order =
        log2(edge_error("rattle", 2e-2) / edge_error("rattle", 1e-2));
    assert_near(order, 1, 0.1);
}

/* ---- a block on a table that grips along x and slides along y ------------------ */

static const double MU_X = 0.6, MU_Y = 0.2;

static const scree_parameter block_parameters[] = {
    {"f_x", 0, "N", "force along x", NULL},
    {"f_y", 0, "N", "force along y", NULL}};

static void block_laws(const double *p, scree_law *law) {
    (void)p;
    law[0] = (scree_law){
        .name = "table", .kind = SCREE_LAW_CONTACT, .n_f = 2, .mu = MU_X};
}
static void block_start(const double *p, double *q, double *u) {
    (void)p;
    memset(q, 0, 3 * sizeof *q);
    memset(u, 0, 3 * sizeof *u);
}
static void block_mass(const double *p, double t, const double *q, double *M) {
    (void)p, (void)t, (void)q;
    memset(M, 0, 9 * sizeof *M);
    M[0] = M[4] = M[8] = 1;
}
static void block_force(const double *p, double t, const double *q,
                        const double *u, double *h) {
    (void)t, (void)q, (void)u;
    h[0] = p[0], h[1] = p[1], h[2] = -10;
}
static void block_gaps(const double *p, double t, const double *q, double *g) {
    (void)p, (void)t;
    g[0] = q[2];
}
static void block_rows(const double *p, double t, const double *q, double *Wt,
                       double *chi) {
    (void)p, (void)t, (void)q;
    memset(Wt, 0, 9 * sizeof *Wt);
    Wt[2] = 1;           /* normal: z */
    Wt[3] = 1;           /* x, semi-axis mu */
    Wt[7] = MU_Y / MU_X; /* y, semi-axis MU_Y */
    memset(chi, 0, 3 * sizeof *chi);
}
static const scree_model_ops block = {.name = "block",
                                      .n_q = 3,
                                      .n_u = 3,
                                      .n_law = 1,
                                      .n_row = 3,
                                      .n_parameter = 2,
                                      .parameters = block_parameters,
                                      .laws = block_laws,
                                      .start = block_start,
                                      .mass = block_mass,
                                      .force = block_force,
                                      .gaps = block_gaps,
                                      .rows = block_rows};

static double block_speed(const char *stepper, double f_x, double f_y) {
    const double p[] = {f_x, f_y};
    scree_dense *s = start_model(&block, p);
    run_model(s, stepper, 1e-2, 50);
    const double speed = hypot(s->u[0], s->u[1]);
    scree_dense_destroy(s);
    return speed;
}

/* It sticks inside the ellipse with semi-axes mu_x N and mu_y N, and slides along
 * an axis with the friction of that axis. */
static void anisotropic__ellipse__sticks_inside_slides_outside(void **state) {
    (void)state;
    const double N = 10, angle = 0.7;
    const double e_x = MU_X * N * cos(angle), e_y = MU_Y * N * sin(angle);
    const scree_stepper_ops *stepper;
    for (int i = 0; (stepper = scree_stepper_get(i)); ++i) {
        const char *name = stepper->name;
        assert_near(block_speed(name, 0.99 * e_x, 0.99 * e_y), 0, 1e-7);
        assert_true(block_speed(name, 1.01 * e_x, 1.01 * e_y) > 1e-4);
        assert_near(block_speed(name, 8, 0), (8 - MU_X * N) * 0.5, 1e-6);
        assert_near(block_speed(name, 0, 8), (8 - MU_Y * N) * 0.5, 1e-6);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(force_element__every_stepper__holds_within_its_bounds),
        cmocka_unit_test(nonholonomic__knife_edge__cycloid),
        cmocka_unit_test(anisotropic__ellipse__sticks_inside_slides_outside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
