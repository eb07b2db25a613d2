/* Balls shot at surfaces: none may get through, and the first touch is exact. */
#include "tests/support.h"
#include "tests/unit/surface/surface.h"

/* Distance of a point to the front of a height field, by its triangles around. */
static double distance(const scree_mesh *mesh, scree_vec3 x) {
    const scree_solid point = {.core = SCREE_CORE_POINT};
    const scree_placed a = {&point, x, no_rotation()};
    return core_distance(mesh, &a);
}

static scree_vec3 random_start(double r, scree_random *rng) {
    return vec(scree_random_range(rng, -0.6, 0.6),
               scree_random_range(rng, -0.6, 0.6),
               0.3 + r + scree_random_unit(rng));
}

/* At t the ball is as far from the surface as it is large; before, farther. */
static void check_shot(const scree_mesh *mesh, scree_ball ball, scree_vec3 d,
                       bool found, scree_hit hit, int samples) {
    const double end = found ? hit.t : 1;
    for (int i = 0; i < samples; ++i) {
        const scree_vec3 x = add_scaled(ball.x, end * i / samples, d);
        assert_true(distance(mesh, x) >= ball.r - 1e-12);
    }
    if (!found) return;
    assert_near(distance(mesh, add_scaled(ball.x, hit.t, d)), ball.r, 1e-12);
    assert_true(dot(hit.n, d) < 0);
    assert_near(norm(hit.n), 1, 1e-14);
}

static void ball__random_shots__first_touch_is_exact(void **state) {
    (void)state;
    scree_random rng = {31};
    int hits = 0;
    for (int k = 0; k < 3000; ++k) {
        scree_heightfield field = random_field(7, -0.6, 0.2, 0.3, &rng);
        scree_mesh mesh = mesh_of_field(&field);
        const double r = k % 3 == 0 ? 0.15 : k % 3 == 1 ? 0.02 : 1e-4;
        const scree_ball ball = {random_start(r, &rng), r};
        const scree_vec3 to = vec(scree_random_range(&rng, -0.6, 0.6),
                                  scree_random_range(&rng, -0.6, 0.6), -0.1);
        const scree_vec3 d =
            scale(scree_random_range(&rng, 0.2, 2), sub(to, ball.x));
        scree_hit a, b;
        const bool by_mesh = scree_mesh_sweep(&mesh, ball, d, &a);
        const bool by_field = scree_heightfield_sweep(&field, ball, d, &b);
        assert_int_equal(by_mesh, by_field);
        if (by_mesh) assert_near(a.t, b.t, 1e-13);
        check_shot(&mesh, ball, d, by_mesh, a, 40);
        hits += by_mesh;
        scree_mesh_free(&mesh);
        scree_heightfield_free(&field);
    }
    assert_true(hits > 2000);
}

/* From above to below the surface there is always something to hit, even for a
 * point that flies at edges and vertices. */
static void ball__shot_through_terrain__never_misses(void **state) {
    (void)state;
    scree_random rng = {32};
    scree_heightfield field = random_field(41, -2, 0.1, 0.15, &rng);
    scree_mesh mesh = mesh_of_field(&field);
    for (int k = 0; k < 100000; ++k) {
        const double r =
            k % 4 == 0 ? 0 : pow(10, scree_random_range(&rng, -6, -0.5));
        const scree_ball ball = {vec(scree_random_range(&rng, -1.9, 1.9),
                                     scree_random_range(&rng, -1.9, 1.9),
                                     0.5 + r),
                                 r};
        scree_vec3 to = vec(scree_random_range(&rng, -1.9, 1.9),
                            scree_random_range(&rng, -1.9, 1.9), -0.05);
        if (k % 8 < 4) {
            const int v =
                (int)(scree_random_next(&rng) % (uint64_t)mesh.n_vertex);
            to = mesh.vertex[v];
            if (fmax(fabs(to.x), fabs(to.y)) > 1.85) continue;
            if (k % 8 < 2) to = scale(0.5, add(to, mesh.vertex[v + 1]));
            to = add_scaled(ball.x, 1.2, sub(to, ball.x));
        }
        const scree_vec3 d = sub(to, ball.x);
        scree_hit a, b;
        assert_true(scree_mesh_sweep(&mesh, ball, d, &a));
        assert_true(scree_heightfield_sweep(&field, ball, d, &b));
        assert_near(a.t, b.t, 1e-12);
        const scree_vec3 x = add_scaled(ball.x, a.t, d);
        assert_true(x.z > scree_heightfield_height(&field, x.x, x.y) - 1e-9);
    }
    scree_mesh_free(&mesh);
    scree_heightfield_free(&field);
}

static void ball__from_behind__passes_one_side_and_hits_two(void **state) {
    (void)state;
    scree_vec3 v[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    int32_t c[1][3] = {{0, 1, 2}};
    const scree_triangles t = {3, v, 1, c, NULL};
    for (int two_sided = 0; two_sided < 2; ++two_sided) {
        scree_mesh mesh;
        scree_hit hit;
        assert_ok(scree_mesh_make(&mesh, &t, two_sided, NULL));
        const scree_ball ball = {vec(0.2, 0.2, -1), 0.1};
        const bool found = scree_mesh_sweep(&mesh, ball, vec(0, 0, 2), &hit);
        assert_int_equal(found, two_sided);
        if (found) assert_near(hit.t, 0.45, 1e-15);
        if (found) assert_near(hit.n.z, -1, 1e-15);
        scree_mesh_free(&mesh);
    }
}

static void ball__overlapping__hits_at_once_if_it_goes_deeper(void **state) {
    (void)state;
    scree_random rng = {33};
    scree_mesh mesh = random_flat_mesh(10, &rng);
    const scree_ball ball = {vec(0.1, 0.2, 0.05), 0.1};
    scree_hit hit;
    assert_true(scree_mesh_sweep(&mesh, ball, vec(0.3, 0, -0.01), &hit));
    assert_near(hit.t, 0, 0);
    assert_near(hit.n.z, 1, 1e-15);
    assert_false(scree_mesh_sweep(&mesh, ball, vec(0.3, 0, 0.01), &hit) &&
                 hit.n.z > 1 - 1e-9);
    scree_mesh_free(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ball__random_shots__first_touch_is_exact),
        cmocka_unit_test(ball__shot_through_terrain__never_misses),
        cmocka_unit_test(ball__from_behind__passes_one_side_and_hits_two),
        cmocka_unit_test(ball__overlapping__hits_at_once_if_it_goes_deeper),
    };
    return cmocka_run_group_tests_name("surface_sweep", tests, NULL, NULL);
}
