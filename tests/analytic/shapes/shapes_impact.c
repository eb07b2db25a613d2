/* Impacts of bodies with a full inertia tensor, against formulas and balances. */
#include <stdlib.h>

#include "tests/analytic/shapes_fixture.h"

/* ---- a corner on the floor -------------------------------------------------- */

static const scree_vec3 SIZE = {0.3, 0.2, 0.1};

static scree_vec3 turned(scree_quat q, scree_vec3 a) {
    const scree_mat3 R = quat_matrix(q);
    return mat3_mul(&R, a);
}

/* The lowest corner of the box, from its centre. */
static scree_vec3 lowest_corner(scree_quat q) {
    scree_vec3 low = {0, 0, 0};
    for (int k = 0; k < 8; ++k) {
        const scree_vec3 c = turned(q, vec((k & 1 ? 0.5 : -0.5) * SIZE.x,
                                           (k & 2 ? 0.5 : -0.5) * SIZE.y,
                                           (k & 4 ? 0.5 : -0.5) * SIZE.z));
        if (c.z < low.z) low = c;
    }
    return low;
}

/* Theta^-1 a, Theta diagonal in the body frame. */
static scree_vec3 by_inverse(double m, scree_quat q, scree_vec3 a) {
    const scree_mat3 R = quat_matrix(q);
    const double x = SIZE.x * SIZE.x, y = SIZE.y * SIZE.y, z = SIZE.z * SIZE.z;
    scree_vec3 b = mat3_mul_back(&R, a);
    b = vec(12 * b.x / (y + z) / m, 12 * b.y / (x + z) / m,
            12 * b.z / (x + y) / m);
    return mat3_mul(&R, b);
}

/* One step without gravity and friction in which a corner with the arm r hits:
 *     P = -(1 + e) n . v / (1/m + n . ((Theta^-1 (r x n)) x r)). */
static void check_corner(double e, scree_vec3 turn) {
    scree_world_def def = firm_def(1e-3);
    def.gravity[2] = 0;
    def.gap_control = false;
    def.solver.tolerance = 1e-14;
    scree_world *world = make_world(&def, (scree_contact_law){.e_n = e});
    add_floor(world);
    const scree_quat q = quat_from_vector(turn);
    const scree_vec3 r = lowest_corner(q), n = vec(0, 0, 1), v = {0.3, 0.1, -1};
    const int box = add_box_shape(world, SIZE.x, SIZE.y, SIZE.z);
    /* The corner is in the floor half a step later. */
    put_body(world,
             (put){box, .x = vec(0, 0, 0.4e-3 - r.z), .turn = turn, .v = v});
    const double m = read_body(world, 0).m;
    const scree_scalars before = read_scalars(world);
    run(world, 1);
    const scree_scalars after = read_scalars(world);

    const scree_vec3 a = by_inverse(m, q, cross(r, n));
    const double P = (1 + e) / (1 / m + dot(n, cross(a, r)));
    const scree_vec3 v_end = add_scaled(v, P / m, n);
    assert_near(norm(sub(read_body(world, 0).v, v_end)), 0, 1e-9);
    const scree_vec3 L = sub(vec_from(after.angular_momentum),
                             vec_from(before.angular_momentum));
    const scree_vec3 at =
        add_scaled(add(vec(0, 0, 0.4e-3 - r.z), r), 0.5 * def.dt, v);
    assert_near(norm(sub(L, scale(P, cross(at, n)))), 0, 1e-3 * P * norm(r));
    const scree_vec3 w = scale(P, a);
    const double spin = 0.5 * P * dot(w, cross(r, n));
    const double kinetic = 0.5 * m * dot(v_end, v_end) + spin;
    print_message("corner, e = %g: T %.6f -> %.6f, formula %.6f\n", e,
                  before.kinetic, after.kinetic, kinetic);
    assert_near(after.kinetic / kinetic, 1, 1e-5);
    assert_true(after.kinetic <= before.kinetic * (1 + 1e-5));
    if (e == 1) assert_near(after.kinetic / before.kinetic, 1, 1e-5);
    scree_world_destroy(world);
}

static void impact__corner_of_a_box__by_formula(void **state) {
    (void)state;
    const scree_vec3 turns[] = {{0.5, 0.4, 0}, {1, -0.3, 0.7}, {0.2, 2, 1.1}};
    for (int k = 0; k < 3; ++k) {
        check_corner(0, turns[k]);
        check_corner(0.5, turns[k]);
        check_corner(1, turns[k]);
    }
}

/* ---- a cluster in space --------------------------------------------------------- */

enum { BODIES = 60 };

/* Bodies on a lattice that fly to its centre. */
static void add_cluster(scree_world *world) {
    int shape[KINDS];
    add_kinds(world, shape);
    scree_random rng = scree_random_stream(3, 0);
    for (int i = 0; i < BODIES; ++i) {
        const scree_vec3 at =
            scale(0.4, vec(i % 4 - 1.5, i / 4 % 4 - 1.5, i / 16 - 1.5));
        const scree_vec3 v = add_scaled(scale(0.1, random_vec(&rng)), -1, at);
        const scree_vec3 w = random_vec(&rng);
        put_kind(world, 0.1,
                 (put){shape[i % KINDS], .x = at, .turn = random_vec(&rng),
                       .v = v, .w = w});
    }
}

static void cluster__mixed_shapes_collide__keep_both_momenta(void **state) {
    (void)state;
    scree_world_def def = firm_def(2e-3);
    def.gravity[2] = 0;
    def.gap_control = false;
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 0.4});
    add_cluster(world);
    const scree_scalars a = read_scalars(world);
    double p_scale = 0, L_scale = 0;
    for (int i = 0; i < BODIES; ++i) {
        const body b = read_body(world, i);
        p_scale += b.m * norm(b.v);
        L_scale += b.m * norm(b.x) * norm(b.v);
    }
    double last = a.kinetic, growth = 0;
    int64_t contacts = 0;
    for (int k = 0; k < 1500; ++k) {
        run(world, 1);
        const scree_scalars s = read_scalars(world);
        growth = fmax(growth, (s.kinetic - last) / a.kinetic);
        last = s.kinetic;
        contacts += s.contacts;
    }
    const scree_scalars b = read_scalars(world);
    const scree_vec3 dp = sub(vec_from(b.momentum), vec_from(a.momentum));
    const scree_vec3 dL =
        sub(vec_from(b.angular_momentum), vec_from(a.angular_momentum));
    print_message("cluster: %.1f contacts, T %.3f -> %.3f, most growth in a "
                  "step %.2g, dp %.2g, dL %.2g\n",
                  (double)contacts / 1500, a.kinetic, b.kinetic, growth,
                  norm(dp) / p_scale, norm(dL) / L_scale);
    assert_true(contacts > 1500);
    assert_true(norm(dp) < 1e-12 * p_scale);
    assert_true(norm(dL) < 1e-11 * L_scale);
    assert_true(growth < 1e-4);
    assert_true(b.kinetic < 0.9 * a.kinetic);
    scree_world_destroy(world);
}

/* ---- boxes on boxes ---------------------------------------------------------- */

/* Boxes of 0.1 in random poses fall on each other in a narrow bin, at up to 3 m/s:
 * 6 mm in a step. Faces that land nearly flat, edges across edges first, do not
 * turn into each other. */
static void boxes__poured__overlap_by_less_than_a_step(void **state) {
    (void)state;
    const scree_world_def def = firm_def(2e-3);
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 0.5});
    add_floor(world);
    for (int k = 0; k < 4; ++k) {
        const double s = k & 1 ? 1 : -1;
        const scree_vec3 n = k & 2 ? vec(-s, 0, 0) : vec(0, -s, 0);
        add_plane(world, scale(-0.25, n), n);
    }
    const int box = add_box_shape(world, 0.1, 0.08, 0.06);
    scree_random rng = {11};
    for (int i = 0; i < 72; ++i) {
        const scree_vec3 turn =
            vec(scree_random_normal(&rng), scree_random_normal(&rng),
                scree_random_normal(&rng));
        put_body(world,
                 (put){box,
                       .x = vec(0.16 * (i % 3 - 1), 0.16 * (i / 3 % 3 - 1),
                                0.16 * (i / 9) + 0.1),
                       .turn = turn, .v = vec(0, 0, -1)});
    }
    double most = 0;
    for (int step = 0; step < 500; ++step) {
        run(world, 1);
        most = fmax(most, read_scalars(world).penetration_max);
    }
    const double left = read_scalars(world).penetration_max;
    print_message("poured boxes: overlap %.2g, at the end %.2g\n", most, left);
    assert_true(most < 4e-3);
    assert_true(left < 1e-4);
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impact__corner_of_a_box__by_formula),
        cmocka_unit_test(cluster__mixed_shapes_collide__keep_both_momenta),
        cmocka_unit_test(boxes__poured__overlap_by_less_than_a_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
