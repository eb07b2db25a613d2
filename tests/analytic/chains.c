/* Chains and nets: a catenary of 100 links, momentum and energy of a net that is hit,
 * what brakes and cables take, with the solver as it is by default. */
#include <string.h>

#include "engine/scree_joints.h"
#include "tests/support.h"

static scree_cost cost_of(const scree_world *world) {
    scree_cost cost;
    scree_world_read_cost(world, &cost);
    return cost;
}

static const scree_vec3 none = {0, 0, 0};
static const double G = 9.81;

static scree_world *make_default(const char *stepper, double dt, double g,
                                 double e) {
    scree_world_def def = scree_world_def_default();
    def.stepper = stepper;
    def.dt = dt;
    def.gravity[2] = -g;
    return make_world(&def, (scree_contact_law){.friction = 0.3, .e_n = e});
}

static scree_joint_view view_joint(const scree_world *world, int64_t k) {
    scree_joint_view view;
    assert_ok(scree_world_read_joint(world, k, &view));
    return view;
}

/* ---- a catenary ------------------------------------------------------------------- */

/* Link i of n bears the weight w of the nodes between it and the lowest point, and the
 * pull H along: its slope is (i - (n - 1) / 2) w / H. */
enum { CHAIN = 100 };
static const double LINK = 0.1, SPAN = 8;

static double slope_of(int i, double pull) {
    return (i - 0.5 * (CHAIN - 1)) / pull; /* in weights */
}

static double span_of(double pull) {
    double sum = 0;
    for (int i = 0; i < CHAIN; ++i)
        sum += LINK / sqrt(1 + slope_of(i, pull) * slope_of(i, pull));
    return sum;
}

static double find_pull(void) {
    double low = 1e-3, high = 1e5;
    for (int n = 0; n < 200; ++n) {
        const double mid = 0.5 * (low + high);
        if (span_of(mid) < SPAN)
            low = mid;
        else
            high = mid;
    }
    return low;
}

static scree_vec3 next_node(scree_vec3 x, int i, double pull) {
    const double s = slope_of(i, pull), l = LINK / sqrt(1 + s * s);
    return vec(x.x + l, 0, x.z + s * l);
}

static void tie(scree_world *world, scree_joint_kind kind, int64_t a, int64_t b,
                scree_vec3 x, scree_vec3 y) {
    scree_joint_def def = scree_joint_def_default();
    def.kind = kind, def.a = a, def.b = b;
    vec_to(x, def.point_a);
    vec_to(y, def.point_b);
    if (kind == SCREE_JOINT_CABLE) def.length = LINK;
    if (scree_world_add_joint(world, &def, NULL) != SCREE_OK)
        fail_msg("%s", scree_world_error(world));
}

/* 99 nodes between the ends; ids as they come from the left. */
static scree_world *hang_chain(scree_joint_kind kind, const char *stepper,
                               double pull) {
    scree_world *world = make_default(stepper, 1e-3, G, 0);
    scree_vec3 x = none;
    for (int i = 0; i < CHAIN; ++i) {
        const scree_vec3 to = next_node(x, i, pull);
        const int64_t left = i > 0 ? i - 1 : SCREE_GROUND;
        if (i < CHAIN - 1) {
            const int64_t id = add_sphere(world, 0.02, to, none, none);
            tie(world, kind, id, left, to, x);
        } else {
            tie(world, kind, left, SCREE_GROUND, x, to);
        }
        x = to;
    }
    assert_near(x.x, SPAN, 1e-9);
    return world;
}

/* It stays as the closed form has it, with the pulls of the closed form. */
static void chain_hangs(scree_joint_kind kind, const char *stepper) {
    const double pull = find_pull();
    scree_world *world = hang_chain(kind, stepper, pull);
    const double w = read_body(world, 0).m * G;
    scree_vec3 x = none;
    double worst = 0, force = 0;
    run(world, 1000);
    for (int i = 0; i < CHAIN; ++i) {
        const double s = slope_of(i, pull);
        x = next_node(x, i, pull);
        if (i < CHAIN - 1)
            worst = fmax(worst, norm(sub(read_body(world, i).x, x)));
        force = fmax(force, fabs(view_joint(world, i).force -
                                 w * pull * sqrt(1 + s * s)));
    }
    const scree_cost cost = cost_of(world);
    print_message("chain of %ss, %s: moved %.2g m, force off by %.2g of %.3g, "
                  "%lld of 1000 not converged, %.1f sweeps\n",
                  scree_joint_kind_name((int)kind), stepper, worst,
                  force / (w * pull), w * pull, (long long)cost.unconverged,
                  (double)cost.iterations / 1000);
    assert_int_equal(cost.unconverged, 0);
    assert_true(worst < 1e-3 && force < 1e-2 * w * pull);
    scree_world_destroy(world);
}

static void catenary__100_links__hangs_as_its_closed_form(void **state) {
    (void)state;
    chain_hangs(SCREE_JOINT_CABLE, "moreau");
    chain_hangs(SCREE_JOINT_ROD, "moreau");
    chain_hangs(SCREE_JOINT_CABLE, "rattle");
    chain_hangs(SCREE_JOINT_ROD, "rattle");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(catenary__100_links__hangs_as_its_closed_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
