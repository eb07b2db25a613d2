/* Mechanisms as worlds: slider-crank and four-bar linkage against the equation of motion
 * of their one freedom, I(phi) phi'' + I'(phi) phi'^2 / 2 + V'(phi) = 0. */
#include <string.h>

#include "engine/scree_joints.h"
#include "tests/support.h"

enum { LINKS = 3 };
static const double G = 9.81, RADIUS = 0.1;

/* Of each link: where its centre is, and how it is turned. */
typedef struct pose {
    double x[3]; /* x, y, angle */
} pose;

typedef struct mechanism {
    const char *name;
    void (*at)(double phi, pose link[LINKS]);
    void (*join)(scree_world *world, double phi);
} mechanism;

/* ---- kinematics -------------------------------------------------------------------- */

static pose between(double x0, double y0, double x1, double y1) {
    return (pose){{0.5 * (x0 + x1), 0.5 * (y0 + y1), atan2(y1 - y0, x1 - x0)}};
}

static const double CRANK = 0.4, ROD = 1.0, COUPLER = 1.1, ROCKER = 0.9,
                    BASE = 1.2;

static void crank_end(double phi, double *x, double *y) {
    *x = CRANK * cos(phi), *y = CRANK * sin(phi);
}

static double slider_at(double phi) {
    double x, y;
    crank_end(phi, &x, &y);
    return x + sqrt(ROD * ROD - y * y);
}

static void crank_slider(double phi, pose link[LINKS]) {
    double x, y;
    crank_end(phi, &x, &y);
    link[0] = between(0, 0, x, y);
    link[1] = between(x, y, slider_at(phi), 0);
    link[2] = (pose){{slider_at(phi), 0, 0}};
}

/* The end of the rocker: where the circles of coupler and rocker meet, above. */
static void rocker_end(double phi, double *x, double *y) {
    double ax, ay;
    crank_end(phi, &ax, &ay);
    const double dx = BASE - ax, dy = -ay, d = sqrt(dx * dx + dy * dy);
    const double along =
        (COUPLER * COUPLER - ROCKER * ROCKER + d * d) / (2 * d);
    const double up = sqrt(COUPLER * COUPLER - along * along);
    *x = ax + (along * dx - up * dy) / d;
    *y = ay + (along * dy + up * dx) / d;
}

static void four_bar(double phi, pose link[LINKS]) {
    double ax, ay, bx, by;
    crank_end(phi, &ax, &ay);
    rocker_end(phi, &bx, &by);
    link[0] = between(0, 0, ax, ay);
    link[1] = between(ax, ay, bx, by);
    link[2] = between(bx, by, BASE, 0);
}

/* ---- the equation of motion ----------------------------------------------------------- */

typedef struct inertias {
    double m, theta;
} inertias;

/* I and V at phi, by differences of the kinematics. */
static void energies(const mechanism *k, const inertias *b, double phi,
                     double *inertia, double *potential) {
    const double h = 1e-4;
    pose at[LINKS], low[LINKS], high[LINKS];
    k->at(phi, at), k->at(phi - h, low), k->at(phi + h, high);
    *inertia = *potential = 0;
    for (int i = 0; i < LINKS; ++i)
        for (int c = 0; c < 3; ++c) {
            const double rate =
                remainder(high[i].x[c] - low[i].x[c], 2 * M_PI) / (2 * h);
            *inertia += (c < 2 ? b->m : b->theta) * rate * rate;
            if (c == 1) *potential += b->m * G * at[i].x[1];
        }
}

static double acceleration(const mechanism *k, const inertias *b, double phi,
                           double rate) {
    const double h = 1e-4;
    double I, V, low[2], high[2];
    energies(k, b, phi, &I, &V);
    energies(k, b, phi - h, &low[0], &low[1]);
    energies(k, b, phi + h, &high[0], &high[1]);
    const double dI = (high[0] - low[0]) / (2 * h);
    const double dV = (high[1] - low[1]) / (2 * h);
    return -(0.5 * dI * rate * rate + dV) / I;
}

/* Runge-Kutta of order 4. */
static double turn_exactly(const mechanism *k, const inertias *b, double phi,
                           double rate, double t) {
    enum { STEPS = 2000 };
    const double h = t / STEPS;
    for (int n = 0; n < STEPS; ++n) {
        const double a1 = acceleration(k, b, phi, rate);
        const double v2 = rate + 0.5 * h * a1;
        const double a2 = acceleration(k, b, phi + 0.5 * h * rate, v2);
        const double v3 = rate + 0.5 * h * a2;
        const double a3 = acceleration(k, b, phi + 0.5 * h * v2, v3);
        const double v4 = rate + h * a3;
        const double a4 = acceleration(k, b, phi + h * v3, v4);
        phi += h / 6 * (rate + 2 * v2 + 2 * v3 + v4);
        rate += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    return phi;
}

/* ---- as a world -------------------------------------------------------------------------- */

static void hinge(scree_world *world, int64_t a, int64_t b, double x,
                  double y) {
    scree_joint_def def = scree_joint_def_default();
    def.kind = SCREE_JOINT_HINGE, def.a = a, def.b = b;
    vec_to(vec(x, y, 0), def.point_a);
    assert_ok(scree_world_add_joint(world, &def, NULL));
}

static void join_crank_slider(scree_world *world, double phi) {
    double x, y;
    scree_joint_def def = scree_joint_def_default();
    crank_end(phi, &x, &y);
    hinge(world, 0, SCREE_GROUND, 0, 0);
    hinge(world, 1, 0, x, y);
    hinge(world, 2, 1, slider_at(phi), 0);
    def.kind = SCREE_JOINT_SLIDER, def.a = 2;
    vec_to(vec(1, 0, 0), def.axis);
    vec_to(vec(slider_at(phi), 0, 0), def.point_a);
    assert_ok(scree_world_add_joint(world, &def, NULL));
}

static void join_four_bar(scree_world *world, double phi) {
    double ax, ay, bx, by;
    crank_end(phi, &ax, &ay);
    rocker_end(phi, &bx, &by);
    hinge(world, 0, SCREE_GROUND, 0, 0);
    hinge(world, 1, 0, ax, ay);
    hinge(world, 2, 1, bx, by);
    hinge(world, 2, SCREE_GROUND, BASE, 0);
}

static const mechanism mechanisms[] = {
    {"slider-crank", crank_slider, join_crank_slider},
    {"four-bar", four_bar, join_four_bar}};

static const double PHI = 1.0, RATE = 6.0, END = 0.6;

/* In space the loop is held more often than it needs to be. */
static scree_world *make_mechanism(const mechanism *k, const char *stepper,
                                   double dt, bool planar) {
    scree_world_def def = scree_world_def_default();
    pose at[LINKS], low[LINKS], high[LINKS];
    const double h = 1e-6;
    def.stepper = stepper, def.dt = dt, def.planar = planar;
    vec_to(vec(0, -G, 0), def.gravity);
    def.solver.tolerance = 1e-10;
    scree_world *world = make_world(&def, (scree_contact_law){0});
    k->at(PHI, at), k->at(PHI - h, low), k->at(PHI + h, high);
    for (int i = 0; i < LINKS; ++i) {
        double u[3];
        for (int c = 0; c < 3; ++c)
            u[c] = RATE * (high[i].x[c] - low[i].x[c]) / (2 * h);
        add_sphere(world, RADIUS, vec(at[i].x[0], at[i].x[1], 0),
                   vec(u[0], u[1], 0), vec(0, 0, u[2]));
    }
    k->join(world, PHI);
    return world;
}

static scree_cost cost_of(const scree_world *world) {
    scree_cost cost;
    scree_world_read_cost(world, &cost);
    return cost;
}

static double worst_drift(const scree_world *world) {
    double worst = 0;
    for (int64_t k = 0; k < scree_world_joint_count(world); ++k) {
        scree_joint_view view;
        assert_ok(scree_world_read_joint(world, k, &view));
        worst = fmax(worst, view.drift);
    }
    return worst;
}

static double mechanism_error(const mechanism *k, const char *stepper,
                              double dt, bool planar, double *drift) {
    scree_world *world = make_mechanism(k, stepper, dt, planar);
    const double m = read_body(world, 0).m;
    const inertias b = {m, (planar ? 0.5 : 0.4) * m * RADIUS * RADIUS};
    pose exact[LINKS];
    double error = 0;
    *drift = 0;
    k->at(turn_exactly(k, &b, PHI, RATE, END), exact);
    for (int n = (int)lround(END / dt); n > 0; --n) {
        run(world, 1);
        *drift = fmax(*drift, worst_drift(world));
    }
    for (int i = 0; i < LINKS; ++i)
        error += norm(
            sub(read_body(world, i).x, vec(exact[i].x[0], exact[i].x[1], 0)));
    assert_int_equal(cost_of(world).unconverged, 0);
    scree_world_destroy(world);
    return error;
}

static void has_order_2(const mechanism *k, const char *stepper, bool planar,
                        double most_drift) {
    double error[3], drift;
    for (int i = 0; i < 3; ++i)
        error[i] = mechanism_error(k, stepper, 2e-3 / (1 << i), planar, &drift);
    print_message("%s, %s, %s: %.3g %.3g %.3g, drift %.2g\n", k->name, stepper,
                  planar ? "plane" : "space", error[0], error[1], error[2],
                  drift);
    assert_true(error[1] < error[0] / 3.5 && error[2] < error[1] / 3.5);
    assert_true(error[2] < 1e-4);
    assert_true(drift < most_drift);
}

static void mechanism__moreau__order_2(void **state) {
    (void)state;
    for (int k = 0; k < 2; ++k)
        for (int planar = 0; planar < 2; ++planar)
            has_order_2(&mechanisms[k], "moreau", planar, 1e-4);
}

static void mechanism__rattle__order_2_and_no_drift(void **state) {
    (void)state;
    for (int k = 0; k < 2; ++k)
        for (int planar = 0; planar < 2; ++planar)
            has_order_2(&mechanisms[k], "rattle", planar, 1e-12);
}

/* Turns are counted: a limit may lie beyond a whole one. */
static void hinge__limit_beyond_a_turn__stops_there(void **state) {
    (void)state;
    for (int rattle = 0; rattle < 2; ++rattle) {
        scree_world_def def = scree_world_def_default();
        def.stepper = rattle ? "rattle" : "moreau", def.dt = 1e-3;
        memset(def.gravity, 0, sizeof def.gravity);
        scree_world *world = make_world(&def, (scree_contact_law){0});
        add_sphere(world, RADIUS, vec(0, 0, 0), vec(0, 0, 0), vec(0, 0, -10));
        scree_joint_def joint = scree_joint_def_default();
        joint.kind = SCREE_JOINT_HINGE;
        joint.limited = true, joint.limits[0] = -7, joint.limits[1] = 1;
        assert_ok(scree_world_add_joint(world, &joint, NULL));
        scree_joint_view view;
        run(world, 690);
        assert_near(read_body(world, 0).w.z, -10, 1e-9);
        run(world, 20);
        assert_ok(scree_world_read_joint(world, 0, &view));
        assert_near(view.position, -7, 1e-6);
        assert_near(read_body(world, 0).w.z, 0, 1e-6);
        scree_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mechanism__moreau__order_2),
        cmocka_unit_test(mechanism__rattle__order_2_and_no_drift),
        cmocka_unit_test(hinge__limit_beyond_a_turn__stops_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
