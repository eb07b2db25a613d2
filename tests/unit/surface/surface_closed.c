/* Closed and folded meshes: blocks, plates, containers, thin walls; cylinders
 * against rough ground. */
#include <stdlib.h>

#include "tests/support.h"
#include "tests/unit/surface/surface.h"

/* The block |x| <= half, outside or inside out. */
static scree_mesh block(scree_vec3 half, bool inside_out, bool two_sided) {
    form f;
    form_box(&f, half);
    int32_t corner[12][3];
    for (int i = 0; i < 12; ++i) {
        const int32_t *c = f.corner + f.loop[i / 2];
        const int32_t a = c[0], b = c[1 + i % 2], d = c[2 + i % 2];
        corner[i][0] = a;
        corner[i][1] = inside_out ? d : b;
        corner[i][2] = inside_out ? b : d;
    }
    const scree_triangles t = {8, f.vertex, 12, corner, NULL};
    scree_mesh mesh;
    assert_ok(scree_mesh_make(&mesh, &t, two_sided, NULL));
    return mesh;
}

static void block__from_triangles__edges_and_patches_of_a_box(void **state) {
    (void)state;
    scree_mesh mesh = block(vec(1, 2, 3), false, false);
    int folds[4] = {0}, patches = 0;
    for (int32_t i = 0; i < 12; ++i) {
        patches += mesh.patch[i] == i;
        for (int k = 0; k < 3; ++k) ++folds[mesh.fold[i][k]];
    }
    assert_int_equal(mesh.n_edge, 18);
    assert_int_equal(folds[SCREE_FLAT], 12);
    assert_int_equal(folds[SCREE_RIDGE], 24);
    assert_int_equal(patches, 6);
    scree_mesh_free(&mesh);
}

/* Vector from the nearest point of the block to x. */
static scree_vec3 from_block(scree_vec3 half, scree_vec3 x) {
    const scree_vec3 near =
        vec(fmax(-half.x, fmin(half.x, x.x)), fmax(-half.y, fmin(half.y, x.y)),
            fmax(-half.z, fmin(half.z, x.z)));
    return sub(x, near);
}

static void ball__around_block__one_touch_at_the_nearest_point(void **state) {
    (void)state;
    scree_random rng = {41};
    const scree_vec3 half = vec(0.5, 0.3, 0.2);
    scree_mesh mesh = block(half, false, false);
    const scree_solid s = ball_solid(0.1);
    int touched = 0;
    for (int k = 0; k < 100000; ++k) {
        const scree_placed a = {&s,
                                vec(scree_random_range(&rng, -0.7, 0.7),
                                    scree_random_range(&rng, -0.5, 0.5),
                                    scree_random_range(&rng, -0.4, 0.4)),
                                no_rotation()};
        scree_touch t[SCREE_TOUCHES];
        const scree_vec3 d = from_block(half, a.x);
        if (norm(d) < 1e-6 || fabs(norm(d) - 0.15) < 1e-9) continue;
        const int n = scree_mesh_touch(&mesh, &a, 0.05, t);
        assert_int_equal(n, norm(d) < 0.15);
        touched += n;
        if (!n) continue;
        assert_near(t[0].g, norm(d) - 0.1, 1e-14);
        assert_near(norm(sub(t[0].n, scale(1 / norm(d), d))), 0, 1e-8);
    }
    assert_true(touched > 20000);
    scree_mesh_free(&mesh);
}

/* Bodies pressed into a corner of a container touch all three walls, no more. */
static void solids__in_corner_of_container__touch_three_walls(void **state) {
    (void)state;
    scree_mesh mesh = block(vec(1, 1, 1), true, false);
    form f;
    form_box(&f, vec(0.2, 0.1, 0.3));
    const scree_solid box = hull_solid(&f, 0), round = hull_solid(&f, 0.02),
                      ball = ball_solid(0.1);
    const double gaps[] = {1e-3, 0, -1e-9, -1e-5, -1e-3};
    for (int k = 0; k < 15; ++k) {
        const scree_solid *s = k < 5 ? &box : k < 10 ? &round : &ball;
        const double g = gaps[k % 5], r = s->radius - 1 + g;
        const scree_vec3 half = k < 10 ? vec(0.2, 0.1, 0.3) : vec(0, 0, 0);
        const scree_placed a = {s, add(half, vec(r, r, r)), no_rotation()};
        scree_touch t[SCREE_TOUCHES];
        int walls[3] = {0};
        const int n = scree_mesh_touch(&mesh, &a, 0.01, t);
        for (int i = 0; i < n; ++i) {
            assert_near(t[i].g, g, 1e-15);
            assert_near(t[i].n.x + t[i].n.y + t[i].n.z, 1, 1e-15);
            ++walls[t[i].n.x > 0.5 ? 0 : t[i].n.y > 0.5 ? 1 : 2];
        }
        for (int w = 0; w < 3; ++w) assert_int_equal(walls[w], k < 10 ? 4 : 1);
    }
    scree_mesh_free(&mesh);
}

/* What lies on a thin plate feels neither its other side nor its rim. */
static void box__on_thin_plate__touches_look_up(void **state) {
    (void)state;
    scree_mesh mesh = block(vec(1, 1, 0.01), false, false);
    form f;
    form_box(&f, vec(0.3, 0.2, 0.02));
    const scree_solid s = hull_solid(&f, 0);
    scree_random rng = {42};
    for (int k = 0; k < 5000; ++k) {
        const double g = k % 2 ? 1e-6 : -1e-6;
        const scree_placed a = {
            &s,
            vec(scree_random_range(&rng, -1.05, 1.05),
                scree_random_range(&rng, -1.05, 1.05), 0.03 + g),
            rotation(vec(0, 0, scree_random_range(&rng, 0, 6.28)))};
        scree_touch t[SCREE_TOUCHES];
        const int n = scree_mesh_touch(&mesh, &a, 0.005, t);
        if (n < 3) fail_msg("%d touches at %g, %g", n, a.x.x, a.x.y);
        for (int i = 0; i < n; ++i) {
            assert_near(t[i].n.z, 1, 1e-9);
            assert_near(t[i].g, g, 1e-12);
        }
    }
    scree_mesh_free(&mesh);
}

static void ball__at_thin_wall__touched_on_its_own_side(void **state) {
    (void)state;
    scree_mesh mesh = block(vec(1, 1, 1), false, true);
    const scree_solid s = ball_solid(0.1);
    scree_touch t[SCREE_TOUCHES];
    for (int side = -1; side <= 1; side += 2) {
        const scree_placed a = {&s, vec(0.2, 0.3, 1 + side * 0.09),
                                no_rotation()};
        assert_int_equal(scree_mesh_touch(&mesh, &a, 0.01, t), 1);
        assert_near(t[0].g, -0.01, 1e-15);
        assert_near(t[0].n.z, side, 1e-15);
        const scree_placed edge = {
            &s, vec(1 + side * 0.08, 0.3, 1 + side * 0.08), no_rotation()};
        assert_int_equal(scree_mesh_touch(&mesh, &edge, 0.02, t),
                         side > 0 ? 1 : 2);
    }
    scree_mesh_free(&mesh);
}

/* ---- cylinders ---------------------------------------------------------- */

static scree_vec3 onto_cylinder(const scree_placed *a, scree_vec3 x) {
    const scree_vec3 d = sub(x, a->x);
    const double z =
        fmax(-a->solid->half, fmin(a->solid->half, dot(d, a->R.z)));
    const scree_vec3 side = add_scaled(d, -dot(d, a->R.z), a->R.z);
    const double s = fmin(1, a->solid->disc / fmax(norm(side), 1e-300));
    return add(add_scaled(a->x, z, a->R.z), scale(s, side));
}

static scree_vec3 onto_segment(scree_vec3 p, scree_vec3 q, scree_vec3 x) {
    const scree_vec3 e = sub(q, p);
    return add_scaled(p, fmax(0, fmin(1, dot(sub(x, p), e) / dot(e, e))), e);
}

static scree_vec3 onto_triangle(const scree_vec3 p[3], scree_vec3 n,
                                scree_vec3 x) {
    scree_vec3 best = add_scaled(x, -dot(n, sub(x, p[0])), n);
    bool inside = true;
    for (int k = 0; k < 3; ++k)
        inside &= dot(cross(sub(p[scree_next(k)], p[k]), n), sub(x, p[k])) <= 0;
    for (int k = 0; k < 3 && !inside; ++k) {
        const scree_vec3 y = onto_segment(p[k], p[scree_next(k)], x);
        if (k == 0 || norm(sub(y, x)) < norm(sub(best, x))) best = y;
    }
    return best;
}

/* By projections back and forth, which converge for convex sets. */
static double cylinder_distance(const scree_mesh *mesh, const scree_placed *a) {
    double least = INFINITY;
    for (int32_t i = 0; i < mesh->n_triangle; ++i) {
        const scree_facet f = scree_mesh_facet(mesh, i);
        scree_vec3 x = a->x, y = x;
        for (int turn_ = 0; turn_ < 3000; ++turn_) {
            const scree_vec3 last = x;
            y = onto_triangle(f.p, f.n, x);
            x = onto_cylinder(a, y);
            if (norm(sub(x, y)) > least + 0.1 || norm(sub(x, last)) < 1e-12)
                break;
        }
        least = fmin(least, norm(sub(x, y)));
    }
    return least;
}

static double clearance(const scree_mesh *mesh, scree_placed *a, double z) {
    a->x.z = z;
    return cylinder_distance(mesh, a);
}

static void
cylinder__above_rough_ground__least_gap_is_the_distance(void **state) {
    (void)state;
    scree_random rng = {43};
    int tried = 0;
    for (int k = 0; k < 300; ++k) {
        scree_heightfield field =
            random_field(9, -0.8, 0.2, 0.05 + 0.1 * (k % 3), &rng);
        scree_mesh mesh = mesh_of_field(&field);
        const scree_solid s = cylinder_solid(0.2, 0.15, 0);
        scree_placed a = {&s,
                          vec(scree_random_range(&rng, -0.4, 0.4),
                              scree_random_range(&rng, -0.4, 0.4), 0),
                          random_rotation(&rng)};
        double z = 0.8; /* down to the ground, never through it */
        for (int i = 0; i < 20 && clearance(&mesh, &a, z) > 0.02; ++i)
            z -= 0.7 * cylinder_distance(&mesh, &a);
        const double d = clearance(&mesh, &a, z);
        scree_touch t[SCREE_TOUCHES];
        double least = INFINITY;
        const int n = scree_mesh_touch(&mesh, &a, 0.05, t);
        for (int i = 0; i < n; ++i) least = fmin(least, t[i].g);
        if (d > 1e-3 && d < 0.04) {
            ++tried;
            if (fabs(least - d) > 1e-5)
                fail_msg("%d: gap %g, distance %g", k, least, d);
        }
        scree_mesh_free(&mesh);
        scree_heightfield_free(&field);
    }
    assert_true(tried > 150);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(block__from_triangles__edges_and_patches_of_a_box),
        cmocka_unit_test(ball__around_block__one_touch_at_the_nearest_point),
        cmocka_unit_test(solids__in_corner_of_container__touch_three_walls),
        cmocka_unit_test(box__on_thin_plate__touches_look_up),
        cmocka_unit_test(ball__at_thin_wall__touched_on_its_own_side),
        cmocka_unit_test(
            cylinder__above_rough_ground__least_gap_is_the_distance),
    };
    return cmocka_run_group_tests_name("surface_closed", tests, NULL, NULL);
}
