/* Bodies on ridges, valleys, borders and rough ground. */
#include <stdlib.h>
#include <string.h>

#include "contact/surface/triangle_touch.h"
#include "tests/support.h"
#include "tests/unit/surface/surface.h"

static double roof(double x, double y) {
    return (void)y, -fabs(x) / 2;
}
static double gutter(double x, double y) {
    return (void)y, fabs(x) / 2;
}
static double table(double x, double y) {
    return (void)y, x <= 1e-9 ? 0 : -1;
}

static double least_gap(const scree_touch *t, int n) {
    double least = INFINITY;
    for (int i = 0; i < n; ++i) least = fmin(least, t[i].g);
    return least;
}

/* ---- ridges ------------------------------------------------------------- */

static void ball__over_ridge__radial_normal_and_steady_gap(void **state) {
    (void)state;
    scree_heightfield field = field_of(21, -1, 0.1, roof);
    scree_mesh mesh = mesh_of_field(&field);
    const scree_solid s = ball_solid(0.2);
    scree_touch t[SCREE_TOUCHES];
    for (int k = -2000; k <= 2000; ++k) {
        const double x = k * 1e-4, slope = hypot(1, 0.5);
        const scree_placed a = {&s, vec(x, 0.03, 0.19), no_rotation()};
        const int n = scree_mesh_touch(&mesh, &a, 0.1, t);
        assert_int_equal(n, 1);
        const bool ridge = fabs(x) <= 0.19 / 2;
        const double g = ridge ? hypot(x, 0.19) : (0.19 + fabs(x) / 2) / slope;
        const scree_vec3 n_ridge = scale(1 / hypot(x, 0.19), vec(x, 0, 0.19));
        const scree_vec3 n_slope =
            scale(1 / slope, vec(copysign(0.5, x), 0, 1));
        assert_near(t[0].g, g - 0.2, 1e-14);
        assert_near(norm(sub(t[0].n, ridge ? n_ridge : n_slope)), 0, 1e-9);
        assert_int_equal(scree_heightfield_touch(&field, &a, 0.1, t), 1);
        assert_near(t[0].g, g - 0.2, 1e-14);
    }
    scree_mesh_free(&mesh);
    scree_heightfield_free(&field);
}

static void ball__in_valley__two_touches(void **state) {
    (void)state;
    scree_heightfield field = field_of(21, -1, 0.1, gutter);
    const scree_solid s = ball_solid(0.2);
    const double slope = hypot(1, 0.5);
    scree_touch t[SCREE_TOUCHES];
    for (int k = -100; k <= 100; ++k) {
        const double x = k * 1e-4;
        const scree_placed a = {&s, vec(x, 0.03, 0.2 * slope), no_rotation()};
        assert_int_equal(scree_heightfield_touch(&field, &a, 0.1, t), 2);
        for (int i = 0; i < 2; ++i) {
            assert_near(t[i].g, t[i].n.x * x, 1e-14);
            assert_near(fabs(t[i].n.x), 0.5 / slope, 1e-14);
        }
        assert_true(t[0].key != t[1].key);
    }
    scree_heightfield_free(&field);
}

/* A box lies across the roof's ridge, or along it. */
static void box__on_ridge__two_touches_at_its_sides(void **state) {
    (void)state;
    scree_heightfield field = field_of(21, -1, 0.1, roof);
    form f;
    form_box(&f, vec(0.25, 0.16, 0.1));
    const scree_solid s = hull_solid(&f, 0);
    scree_touch t[SCREE_TOUCHES];
    const double gaps[] = {0.004, 0, -1e-5, -1e-3};
    for (int k = 0; k < 4; ++k)
        for (int tilt = -1; tilt <= 1; ++tilt) {
            const scree_placed a = {&s, vec(0.02, 0.03, 0.1 + gaps[k]),
                                    rotation(vec(0, tilt * 1e-3, 0))};
            const int n = scree_heightfield_touch(&field, &a, 0.005, t);
            double lo = 1, hi = -1;
            assert_true(n >= 2 && n <= 4);
            for (int i = 0; i < n; ++i) {
                assert_near(t[i].n.z, 1, 1e-5);
                assert_near(t[i].g, gaps[k], 1e-4);
                assert_near(t[i].x.x, 0, 1e-4);
                lo = fmin(lo, t[i].x.y);
                hi = fmax(hi, t[i].x.y);
            }
            assert_near(lo, -0.13, 1e-9);
            assert_near(hi, 0.19, 1e-9);
        }
    scree_heightfield_free(&field);
}

/* Half of the box is over the edge of a table; it must rest on the corners that
 * are on the table and on the edge, and feel no wall, however deep it sank. */
static void box__over_edge_of_table__touches_look_up(void **state) {
    (void)state;
    scree_heightfield field = field_of(11, -1, 0.2, table);
    scree_mesh mesh = mesh_of_field(&field);
    form f;
    form_box(&f, vec(0.25, 0.16, 0.1));
    const scree_solid s = hull_solid(&f, 0), round = hull_solid(&f, 0.01);
    const scree_solid capsule = capsule_solid(0.25, 0.05);
    const scree_solid standing = cylinder_solid(0.2, 0.1, 0);
    const scree_mat3 lying = rotation(vec(0, SCREE_PI / 2, 0));
    const struct {
        const scree_solid *s;
        scree_mat3 R;
        double z;
        int n;
    } bodies[] = {{&s, no_rotation(), 0.1, 4},
                  {&round, no_rotation(), 0.11, 4},
                  {&capsule, lying, 0.05, 2},
                  {&standing, no_rotation(), 0.1, 4}};
    scree_touch t[SCREE_TOUCHES];
    const double gaps[] = {0.004, 0, -1e-6, -1e-3};
    for (int b = 0; b < 4; ++b)
        for (int k = 0; k < 4; ++k)
            for (int move = -20; move <= 12; ++move) {
                const scree_placed a = {
                    bodies[b].s, vec(0.01 * move, 0.03, bodies[b].z + gaps[k]),
                    bodies[b].R};
                const int n = scree_mesh_touch(&mesh, &a, 0.01, t);
                if (n < bodies[b].n)
                    fail_msg("body %d, gap %g, at %g: %d touches", b, gaps[k],
                             a.x.x, n);
                double reach = -1;
                for (int i = 0; i < n; ++i) {
                    assert_near(t[i].n.z, 1, 1e-9);
                    assert_near(t[i].g, gaps[k], 1e-9);
                    reach = fmax(reach, t[i].x.x);
                }
                if (move > -5 && bodies[b].s != &standing)
                    assert_near(reach, 0, 1e-9);
            }
    scree_mesh_free(&mesh);
    scree_heightfield_free(&field);
}

/* ---- single triangles --------------------------------------------------- */

static scree_mesh one_triangle(bool two_sided) {
    scree_vec3 v[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    int32_t c[1][3] = {{0, 1, 2}};
    const scree_triangles t = {3, v, 1, c, NULL};
    scree_mesh mesh;
    assert_ok(scree_mesh_make(&mesh, &t, two_sided, NULL));
    return mesh;
}

static void ball__at_border__touched_from_the_front_only(void **state) {
    (void)state;
    const scree_solid s = ball_solid(0.1);
    scree_touch t[SCREE_TOUCHES];
    for (int two_sided = 0; two_sided < 2; ++two_sided) {
        scree_mesh mesh = one_triangle(two_sided);
        for (int k = 0; k < 180; ++k) {
            const double angle = (k + 0.5) * SCREE_PI / 180;
            const scree_vec3 n = vec(0, -sin(angle), cos(angle));
            scree_placed a = {&s, add(vec(0.4, 0, 0), scale(0.1, n)),
                              no_rotation()};
            int found = scree_mesh_touch(&mesh, &a, 0.01, t);
            assert_int_equal(found, k < 90 || two_sided);
            if (found)
                assert_near(norm(sub(t[0].n, n)) + fabs(t[0].g), 0, 1e-12);
            const scree_vec3 m =
                scale(1 / sqrt(1 + pow(sin(angle), 2)),
                      vec(-sin(angle), -sin(angle), cos(angle)));
            a.x = scale(0.1, m);
            found = scree_mesh_touch(&mesh, &a, 0.01, t);
            assert_int_equal(found, k < 90 || two_sided);
            if (found)
                assert_near(norm(sub(t[0].n, m)) + fabs(t[0].g), 0, 1e-12);
        }
        scree_mesh_free(&mesh);
    }
}

static void mesh__bad_triangles__refused(void **state) {
    (void)state;
    scree_vec3 v[3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    int32_t c[1][3] = {{0, 1, 2}};
    scree_triangles t = {3, v, 1, c, NULL};
    scree_mesh mesh;
    scree_error error;
    assert_int_equal(scree_mesh_make(&mesh, &t, false, &error),
                     SCREE_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "mesh: facet 1: the facet has no area"));
    c[0][2] = 3;
    assert_int_equal(scree_mesh_make(&mesh, &t, false, &error),
                     SCREE_BAD_ARGUMENT);
    c[0][2] = 2, v[2] = vec(0, NAN, 0);
    assert_int_equal(scree_mesh_make(&mesh, &t, false, &error),
                     SCREE_BAD_ARGUMENT);
    t.n_triangle = 0, v[2] = vec(0, 1, 0);
    assert_int_equal(scree_mesh_make(&mesh, &t, false, &error),
                     SCREE_BAD_ARGUMENT);
}

/* Triangles that share no vertices by name but by place are one surface. */
static void mesh__loose_triangles__are_joined(void **state) {
    (void)state;
    scree_vec3 v[6] = {{0, 0, 0},    {1, 0, 0}, {1, 1, 0},
                       {-0.0, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    int32_t c[2][3] = {{0, 1, 2}, {3, 4, 5}};
    const scree_triangles t = {6, v, 2, c, NULL};
    scree_mesh mesh;
    assert_ok(scree_mesh_make(&mesh, &t, false, NULL));
    assert_int_equal(mesh.n_triangle, 2);
    assert_int_equal(mesh.n_edge, 5);
    assert_int_equal(mesh.across[0][2], 1);
    assert_int_equal(mesh.fold[1][0], SCREE_FLAT);
    assert_int_equal(mesh.patch[1], 0);
    scree_mesh_free(&mesh);
}

/* ---- rough ground ------------------------------------------------------- */

static scree_solid random_solid(int k, form *f, scree_random *rng) {
    form_random(f, 5 + k % 8, 0.3, rng);
    return k % 5 == 0   ? ball_solid(0.2)
           : k % 5 == 1 ? capsule_solid(0.2, 0.1)
           : k % 5 == 2 ? hull_solid(f, 0.05)
           : k % 5 == 3 ? hull_solid(f, 0)
                        : cylinder_solid(0.2, 0.15, k % 2 ? 0.03 : 0);
}

static int touch_all_triangles(const scree_mesh *mesh, const scree_placed *a,
                               double reach, scree_cone *cone, scree_touch *t) {
    scree_probe probe;
    scree_probe_begin(&probe, a, reach, mesh, cone);
    for (int32_t i = 0; i < mesh->n_triangle; ++i) {
        const scree_facet f = scree_mesh_facet(mesh, i);
        scree_probe_facet(&probe, &f);
    }
    return scree_probe_end(&probe, t);
}

static bool brute_cone(const void *surface, uint32_t v, scree_vec3 d,
                       double slope) {
    const scree_mesh *mesh = surface;
    for (int32_t i = 0; i < mesh->n_triangle; ++i)
        for (int k = 0; k < 3; ++k) {
            if (mesh->corner[i][k] != (int32_t)v) continue;
            for (int j = 1; j < 3; ++j) {
                const int32_t w = mesh->corner[i][(k + j) % 3];
                const scree_vec3 e = sub(mesh->vertex[w], mesh->vertex[v]);
                if (dot(e, d) > slope * norm(d) * norm(e)) return false;
            }
        }
    return true;
}

static void assert_same(const scree_touch *a, int n, const scree_touch *b,
                        int m, double tolerance, const char *what, int k) {
    if (n != m) fail_msg("%s %d: %d and %d touches", what, k, n, m);
    for (int i = 0; i < n; ++i) {
        assert_near(a[i].g, b[i].g, tolerance);
        assert_near(norm(sub(a[i].n, b[i].n)), 0, 10 * tolerance);
        assert_near(norm(sub(a[i].x, b[i].x)), 0, 10 * tolerance);
    }
}

/* Height at which the body is roughly on the ground. */
static double rest(const scree_heightfield *field, scree_placed *a) {
    scree_touch t[SCREE_TOUCHES];
    double lo = 0, hi = 2;
    while (hi - lo > 1e-3) {
        a->x.z = (lo + hi) / 2;
        const int n = scree_heightfield_touch(field, a, 0.001, t);
        *(n ? &lo : &hi) = a->x.z;
    }
    return hi;
}

static void solids__rough_ground__same_with_all_triangles(void **state) {
    (void)state;
    scree_random rng = {21};
    for (int k = 0; k < 400; ++k) {
        scree_heightfield field = random_field(13, -1.2, 0.2, 0.25, &rng);
        scree_mesh mesh = mesh_of_field(&field);
        form f;
        const scree_solid s = random_solid(k, &f, &rng);
        scree_placed a = {&s,
                          vec(scree_random_range(&rng, -1.2, 1.2),
                              scree_random_range(&rng, -1.2, 1.2), 0),
                          random_rotation(&rng)};
        a.x.z = rest(&field, &a) + scree_random_range(&rng, -0.05, 0.05);
        scree_touch t[SCREE_TOUCHES], all[SCREE_TOUCHES], grid[SCREE_TOUCHES];
        const int n = scree_mesh_touch(&mesh, &a, 0.05, t);
        const int m = touch_all_triangles(&mesh, &a, 0.05, brute_cone, all);
        assert_same(t, n, all, m, 1e-15, "brute force", k);
        for (int i = 0; i < n; ++i) assert_int_equal(t[i].key, all[i].key);
        const bool inside = fmax(fabs(a.x.x), fabs(a.x.y)) < 0.8;
        const int g = scree_heightfield_touch(&field, &a, 0.05, grid);
        if (inside && n &&
            a.x.z > scree_heightfield_height(&field, a.x.x, a.x.y))
            assert_near(least_gap(t, n), least_gap(grid, g), 1e-13);
        scree_mesh_free(&mesh);
        scree_heightfield_free(&field);
    }
}

/* Where body and ground are apart, the least gap is their distance. */
static void
solids__above_rough_ground__least_gap_is_the_distance(void **state) {
    (void)state;
    scree_random rng = {22};
    int tried = 0;
    for (int k = 0; k < 2000; ++k) {
        scree_heightfield field =
            random_field(9, -0.8, 0.2, 0.05 + 0.1 * (k % 3), &rng);
        scree_mesh mesh = mesh_of_field(&field);
        form f;
        const scree_solid s = random_solid(k, &f, &rng);
        scree_placed a = {&s,
                          vec(scree_random_range(&rng, -0.4, 0.4),
                              scree_random_range(&rng, -0.4, 0.4), 0),
                          random_rotation(&rng)};
        if (s.core != SCREE_CORE_CYLINDER) {
            a.x.z = rest(&field, &a) + 0.02 * scree_random_unit(&rng);
            scree_touch t[SCREE_TOUCHES];
            const int n = scree_mesh_touch(&mesh, &a, 0.05, t);
            const double g = core_distance(&mesh, &a) - s.radius;
            if (g <= 0.05 && (s.radius > 0 || g > 1e-6)) {
                if (fabs(least_gap(t, n) - g) > 1e-9)
                    fail_msg("%d: gap %g, distance %g", k, least_gap(t, n), g);
                ++tried;
            }
        }
        scree_mesh_free(&mesh);
        scree_heightfield_free(&field);
    }
    assert_true(tried > 1200);
}

static void solids__turned_with_the_ground__same_touches(void **state) {
    (void)state;
    scree_random rng = {23};
    for (int k = 0; k < 300; ++k) {
        scree_heightfield field = random_field(9, -0.8, 0.2, 0.2, &rng);
        scree_triangles loose = triangles_of(&field);
        scree_mesh mesh, turned;
        form f;
        const scree_solid s = random_solid(k, &f, &rng);
        scree_placed a = {&s,
                          vec(scree_random_range(&rng, -1, 1),
                              scree_random_range(&rng, -1, 1), 0),
                          random_rotation(&rng)};
        a.x.z = rest(&field, &a) + scree_random_range(&rng, -0.01, 0.01);
        assert_ok(scree_mesh_make(&mesh, &loose, false, NULL));
        const scree_mat3 Q = random_rotation(&rng);
        const scree_vec3 move = vec(3, -2, 1);
        for (int i = 0; i < loose.n_vertex; ++i)
            loose.vertex[i] = add(move, turn(&Q, loose.vertex[i]));
        assert_ok(scree_mesh_make(&turned, &loose, false, NULL));
        scree_touch t[SCREE_TOUCHES], u[SCREE_TOUCHES];
        const int n = scree_mesh_touch(&mesh, &a, 0.03, t);
        const scree_placed b = {&s, add(move, turn(&Q, a.x)), times(&Q, &a.R)};
        const int m = scree_mesh_touch(&turned, &b, 0.03, u);
        for (int i = 0; i < n; ++i) {
            t[i].n = turn(&Q, t[i].n);
            t[i].x = add(move, turn(&Q, t[i].x));
        }
        assert_same(t, n, u, m, 1e-10, "turned", k);
        scree_mesh_free(&mesh);
        scree_mesh_free(&turned);
        free_triangles(&loose);
        scree_heightfield_free(&field);
    }
}

/* While bodies overlap by less than a hundredth of their size, the least gap
 * changes by no more than they move. */
static void solids__small_motions__least_gap_is_continuous(void **state) {
    (void)state;
    scree_random rng = {24};
    scree_touch t[SCREE_TOUCHES];
    int jumps = 0, steps = 0;
    for (int k = 0; k < 250; ++k) {
        scree_heightfield field = random_field(17, -1.6, 0.2, 0.2, &rng);
        form f;
        const scree_solid s = random_solid(k, &f, &rng);
        scree_placed a = {&s, vec(-0.5, 0.01 * k - 1, 0),
                          random_rotation(&rng)};
        const scree_mat3 small = rotation(vec(2e-4, 3e-4, -1e-4));
        double last = NAN;
        for (int i = 0; i < 1000; ++i) {
            a.x.x += 1e-3;
            a.R = times(&small, &a.R);
            if (i % 50 == 0) a.x.z = rest(&field, &a) + 0.01, last = NAN;
            const double g =
                least_gap(t, scree_heightfield_touch(&field, &a, 0.1, t));
            if (g > -0.003 && last > -0.003) {
                ++steps;
                jumps += fabs(g - last) > 1.3e-3;
            }
            last = g;
        }
        scree_heightfield_free(&field);
    }
    assert_true(steps > 100000);
    assert_int_equal(jumps, 0);
}

/* Down to the first touch. */
static void land(const scree_mesh *mesh, scree_placed *a) {
    scree_touch t[SCREE_TOUCHES];
    a->x.z = 1.2;
    for (int i = 0; i < 300; ++i) {
        const double g = least_gap(t, scree_mesh_touch(mesh, a, 0.02, t));
        if (g < 1e-7) return;
        a->x.z -= fmin(g, 0.019);
    }
    fail_msg("never landed");
}

/* A body that is pressed into the ground is never lost: some touch overlaps, and
 * (but for a few in thousands) by no more than the body was pressed down. */
static void solids__pressed_into_rough_ground__always_touched(void **state) {
    (void)state;
    scree_random rng = {26};
    int deeper = 0;
    for (int k = 0; k < 1000; ++k) {
        scree_heightfield field =
            random_field(17, -1.6, 0.2, 0.05 + 0.1 * (k % 2), &rng);
        scree_mesh mesh = mesh_of_field(&field);
        form f;
        const scree_solid s = random_solid(k, &f, &rng);
        scree_placed a = {&s,
                          vec(scree_random_range(&rng, -1, 1),
                              scree_random_range(&rng, -1, 1), 0),
                          random_rotation(&rng)};
        land(&mesh, &a);
        for (int i = 1; i <= 10; ++i) {
            scree_touch t[SCREE_TOUCHES];
            a.x.z -= 0.002;
            const double g = least_gap(t, scree_mesh_touch(&mesh, &a, 0.02, t));
            assert_true(g < 0);
            deeper += g < -0.002 * i - 1e-6;
        }
        scree_mesh_free(&mesh);
        scree_heightfield_free(&field);
    }
    assert_true(deeper <= 10);
}

static void solids__below_the_ground__pushed_up(void **state) {
    (void)state;
    scree_random rng = {25};
    scree_heightfield field = random_field(17, -1.6, 0.2, 0.2, &rng);
    for (int k = 0; k < 200; ++k) {
        form f;
        const scree_solid s = random_solid(k, &f, &rng);
        const scree_placed a = {&s, vec(0.1, 0.01 * k - 1, -1),
                                random_rotation(&rng)};
        scree_touch t[SCREE_TOUCHES];
        const int n = scree_heightfield_touch(&field, &a, 0, t);
        assert_true(n >= 1);
        for (int i = 0; i < n; ++i)
            assert_true(t[i].n.z > 0.3 && t[i].g < -0.3);
    }
    scree_heightfield_free(&field);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ball__over_ridge__radial_normal_and_steady_gap),
        cmocka_unit_test(ball__in_valley__two_touches),
        cmocka_unit_test(box__on_ridge__two_touches_at_its_sides),
        cmocka_unit_test(box__over_edge_of_table__touches_look_up),
        cmocka_unit_test(ball__at_border__touched_from_the_front_only),
        cmocka_unit_test(mesh__bad_triangles__refused),
        cmocka_unit_test(mesh__loose_triangles__are_joined),
        cmocka_unit_test(solids__rough_ground__same_with_all_triangles),
        cmocka_unit_test(solids__above_rough_ground__least_gap_is_the_distance),
        cmocka_unit_test(solids__turned_with_the_ground__same_touches),
        cmocka_unit_test(solids__small_motions__least_gap_is_continuous),
        cmocka_unit_test(solids__pressed_into_rough_ground__always_touched),
        cmocka_unit_test(solids__below_the_ground__pushed_up),
    };
    return cmocka_run_group_tests_name("surface_rough", tests, NULL, NULL);
}
