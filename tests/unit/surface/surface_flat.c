/* Bodies on flat surfaces of many triangles: edges inside must not be felt. */
#include "contact/surface/triangle_touch.h"
#include "tests/support.h"
#include "tests/unit/surface/surface.h"

enum { POSITIONS = 100000 };

static double flat(double x, double y) {
    return (void)x, (void)y, 0;
}

/* Positions away from the border; some exactly over vertices and edges. */
static scree_vec3 position(const scree_mesh *mesh, int k, double z,
                           scree_random *rng) {
    scree_vec3 x = vec(scree_random_range(rng, -0.6, 0.6),
                       scree_random_range(rng, -0.6, 0.6), 0);
    if (k % 4 < 2) {
        int32_t i;
        scree_vec3 p, q;
        do {
            i = (int32_t)(scree_random_next(rng) % (uint64_t)mesh->n_triangle);
            p = mesh->vertex[mesh->corner[i][0]];
            q = mesh->vertex[mesh->corner[i][1]];
        } while (fmax(fabs(p.x), fabs(p.y)) > 0.6);
        x = k % 4 ? p : add_scaled(p, scree_random_unit(rng), sub(q, p));
    }
    x.z = z;
    return x;
}

typedef void check_touches(const scree_touch *t, int n, const scree_placed *a,
                           double g);

static void try_positions(const scree_mesh *mesh,
                          const scree_heightfield *field,
                          const scree_solid *solid, const scree_mat3 *R,
                          double z, double g, int positions,
                          check_touches *check) {
    scree_random rng = {11};
    scree_touch t[SCREE_TOUCHES];
    for (int k = 0; k < positions; ++k) {
        const double spin = scree_random_range(&rng, 0, 6.28);
        const scree_mat3 about = rotation(vec(0, 0, spin));
        scree_placed a = {solid, position(mesh, k, z + g, &rng),
                          times(&about, R)};
        check(t, scree_mesh_touch(mesh, &a, 0.01, t), &a, g);
        if (field) check(t, scree_heightfield_touch(field, &a, 0.01, t), &a, g);
    }
}

static void try_all(const scree_solid *solid, const scree_mat3 *R, double z,
                    int positions, check_touches *check) {
    scree_random rng = {3};
    scree_heightfield field = field_of(71, -1, 2 / 70., flat);
    scree_mesh regular = mesh_of_field(&field),
               random = random_flat_mesh(70, &rng);
    assert_int_equal(regular.n_triangle, 9800);
    const double gaps[] = {0.005, 0, -1e-6, -0.002};
    for (int i = 0; i < 4; ++i) {
        try_positions(&regular, &field, solid, R, z, gaps[i], positions / 8,
                      check);
        try_positions(&random, NULL, solid, R, z, gaps[i], positions / 8,
                      check);
    }
    scree_mesh_free(&regular);
    scree_mesh_free(&random);
    scree_heightfield_free(&field);
}

static void check_common(const scree_touch *t, int n, int expected, double g) {
    if (n != expected) fail_msg("%d touches, expected %d", n, expected);
    for (int i = 0; i < n; ++i) {
        assert_near(t[i].n.x, 0, 1e-14);
        assert_near(t[i].n.y, 0, 1e-14);
        assert_near(t[i].n.z, 1, 1e-14);
        assert_near(t[i].g, g, 1e-15);
        assert_near(t[i].x.z, g / 2, 1e-15);
    }
}

static void one_below(const scree_touch *t, int n, const scree_placed *a,
                      double g) {
    check_common(t, n, 1, g);
    assert_near(t[0].x.x, a->x.x, 1e-15);
    assert_near(t[0].x.y, a->x.y, 1e-15);
}

static void ball__flat_triangles__one_touch_straight_up(void **state) {
    (void)state;
    const scree_solid s = ball_solid(0.05);
    const scree_mat3 R = no_rotation();
    try_all(&s, &R, 0.05, POSITIONS, one_below);
}

/* Each given point of the body has its touch. */
static void at_points(const scree_touch *t, int n, const scree_placed *a,
                      const scree_vec3 *point, int n_point, double g) {
    check_common(t, n, n_point, g);
    for (int i = 0; i < n_point; ++i) {
        const scree_vec3 p = add(a->x, turn(&a->R, point[i]));
        int found = 0;
        for (int j = 0; j < n; ++j)
            found += hypot(t[j].x.x - p.x, t[j].x.y - p.y) < 1e-14;
        assert_int_equal(found, 1);
    }
}

static void at_corners(const scree_touch *t, int n, const scree_placed *a,
                       double g) {
    at_points(t, n, a, a->solid->hull->vertex, 4, g);
}

static void box__flat_triangles__touches_at_four_corners(void **state) {
    (void)state;
    form f;
    form_box(&f, vec(0.1, 0.07, 0.05));
    const scree_solid sharp = hull_solid(&f, 0), rounded = hull_solid(&f, 0.01);
    const scree_mat3 R = no_rotation();
    try_all(&sharp, &R, 0.05, POSITIONS / 4, at_corners);
    try_all(&rounded, &R, 0.06, POSITIONS / 10, at_corners);
}

static void at_ends(const scree_touch *t, int n, const scree_placed *a,
                    double g) {
    const scree_vec3 ends[2] = {{0, 0, -a->solid->half},
                                {0, 0, a->solid->half}};
    at_points(t, n, a, ends, 2, g);
}

static void capsule_and_cylinder__lying__touch_at_both_ends(void **state) {
    (void)state;
    const scree_solid capsule = capsule_solid(0.1, 0.04);
    const scree_solid cylinder = cylinder_solid(0.04, 0.1, 0);
    const scree_mat3 R = rotation(vec(SCREE_PI / 2, 0, 0));
    try_all(&capsule, &R, 0.04, POSITIONS / 10, at_ends);
    try_all(&cylinder, &R, 0.04, POSITIONS / 10, at_ends);
}

static void at_rim(const scree_touch *t, int n, const scree_placed *a,
                   double g) {
    const double R = a->solid->disc;
    const scree_vec3 rim[4] = {{R, 0, 0}, {0, R, 0}, {-R, 0, 0}, {0, -R, 0}};
    at_points(t, n, a, rim, 4, g);
}

static void
cylinder__standing__touches_at_four_points_of_the_rim(void **state) {
    (void)state;
    const scree_solid s = cylinder_solid(0.06, 0.1, 0.01);
    const scree_mat3 R = no_rotation();
    try_all(&s, &R, 0.11, POSITIONS / 10, at_rim);
}

static void box__sliding_over_triangles__keys_last(void **state) {
    (void)state;
    scree_random rng = {5};
    scree_mesh mesh = random_flat_mesh(70, &rng);
    form f;
    form_box(&f, vec(0.1, 0.07, 0.05));
    const scree_solid s = hull_solid(&f, 0);
    scree_touch first[SCREE_TOUCHES], t[SCREE_TOUCHES];
    for (int k = 0; k < 1000; ++k) {
        const scree_placed a = {&s, vec(-0.8 + 0.0016 * k, 0.1, 0.05),
                                no_rotation()};
        const int n = scree_mesh_touch(&mesh, &a, 0.01, k ? t : first);
        assert_int_equal(n, 4);
        for (int i = 0; k && i < n; ++i)
            assert_int_equal(t[i].key, first[i].key);
    }
    scree_mesh_free(&mesh);
}

static void field__flat__one_patch_and_no_ridge_inside(void **state) {
    (void)state;
    scree_heightfield field = field_of(30, -1, 0.1, flat);
    scree_mesh mesh = mesh_of_field(&field);
    for (int32_t i = 0; i < mesh.n_triangle; ++i) {
        const scree_facet a = scree_mesh_facet(&mesh, i);
        const scree_facet b =
            scree_heightfield_facet(&field, i / 2 % 29, i / 2 / 29, i % 2);
        assert_int_equal(a.patch, 0);
        assert_int_equal(b.patch, 0);
        for (int k = 0; k < 3; ++k) {
            assert_int_equal(a.fold[k], b.fold[k]);
            assert_int_equal(a.peak[k], b.peak[k]);
            assert_true(a.fold[k] == SCREE_FLAT || a.fold[k] == SCREE_BORDER);
            assert_near(norm(sub(a.beyond[k], b.beyond[k])), 0, 1e-15);
        }
    }
    scree_mesh_free(&mesh);
    scree_heightfield_free(&field);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ball__flat_triangles__one_touch_straight_up),
        cmocka_unit_test(box__flat_triangles__touches_at_four_corners),
        cmocka_unit_test(capsule_and_cylinder__lying__touch_at_both_ends),
        cmocka_unit_test(cylinder__standing__touches_at_four_points_of_the_rim),
        cmocka_unit_test(box__sliding_over_triangles__keys_last),
        cmocka_unit_test(field__flat__one_patch_and_no_ridge_inside),
    };
    return cmocka_run_group_tests_name("surface_flat", tests, NULL, NULL);
}
