/* Touches with a closed form, manifolds at rest, and hard cases. */
#include <string.h>

#include "contact/narrow/clip.h"
#include "contact/narrow/touch.h"
#include "contact/shapes/plane.h"
#include "contact/shapes/sphere.h"
#include "contact/solid/hull_wide.h"
#include "tests/unit/pairs.h"

/* ---- round solids -------------------------------------------------------- */

static void spheres__apart_and_overlapping__distance_of_centres(void **state) {
    (void)state;
    made_solid big, small;
    scree_touch t[SCREE_TOUCHES];
    make_point(&big, 0.5);
    make_point(&small, 0.25);
    const scree_placed a = at(&big, 0, 0, 1), b = at(&small, 0.6, 0, 1.8);
    assert_int_equal(scree_solids_touch(&a, &b, 0.2, t), 0);
    assert_int_equal(scree_solids_touch(&a, &b, 0.3, t), 1);
    assert_near(t[0].g, 0.25, 1e-15);
    assert_vec(t[0].n, vec(-0.6, 0, -0.8), 1e-15);
    assert_vec(t[0].x, vec(0.375, 0, 1.5), 1e-15);
}

static void capsules__crossed__one_point_of_closest_approach(void **state) {
    (void)state;
    made_solid c;
    scree_touch t[SCREE_TOUCHES];
    make_segment(&c, 1, 0.2);
    const scree_placed a =
        placed(&c, vec(0.3, 0, 0.5), about(vec(1, 0, 0), SCREE_PI / 2));
    const scree_placed b =
        placed(&c, vec(0, 0.4, 0), about(vec(0, 1, 0), SCREE_PI / 2));
    assert_int_equal(scree_solids_touch(&a, &b, 0.2, t), 1);
    assert_near(t[0].g, 0.1, 1e-14);
    assert_vec(t[0].n, vec(0, 0, 1), 1e-14);
    assert_vec(t[0].x, vec(0.3, 0.4, 0.25), 1e-14);
}

static void capsules__parallel__two_points_at_ends_of_overlap(void **state) {
    (void)state;
    made_solid c;
    scree_touch t[SCREE_TOUCHES];
    make_segment(&c, 1, 0.2);
    const scree_placed a = at(&c, 0.39, 0, 0.5), b = at(&c, 0, 0, 0);
    assert_int_equal(scree_solids_touch(&a, &b, 0.1, t), 2);
    assert_near(t[0].g, -0.01, 1e-14);
    assert_near(t[1].g, -0.01, 1e-14);
    assert_true(has_touch(t, 2, vec(0.195, 0, -0.5), 1e-12));
    assert_true(has_touch(t, 2, vec(0.195, 0, 1), 1e-12));
    assert_int_not_equal(t[0].key, t[1].key);
}

/* ---- boxes --------------------------------------------------------------- */

static void box__corner_on_face__one_point_at_corner(void **state) {
    (void)state;
    made_solid box, plate;
    scree_touch t[SCREE_TOUCHES];
    make_box(&box, vec(0.5, 0.5, 0.5), 0);
    make_box(&plate, vec(3, 3, 0.5), 0);
    const double tip = 0.5 * sqrt(3);
    const scree_mat3 on_tip = about(vec(1, -1, 0), acos(1 / sqrt(3)));
    const scree_placed b = at(&plate, 0, 0, 0);
    for (int k = -1; k <= 1; k += 2) {
        const scree_placed a =
            placed(&box, vec(0.2, 0.1, 0.5 + tip + 0.01 * k), on_tip);
        assert_int_equal(scree_solids_touch(&a, &b, 0.05, t), 1);
        assert_vec(t[0].n, vec(0, 0, 1), 1e-14);
        assert_near(t[0].g, 0.01 * k, 1e-14);
        assert_vec(t[0].x, vec(0.2, 0.1, 0.5 + 0.005 * k), 1e-12);
    }
}

static void boxes__crossed_edges__one_point_between_edges(void **state) {
    (void)state;
    made_solid box;
    scree_touch t[SCREE_TOUCHES];
    make_box(&box, vec(0.5, 0.5, 0.5), 0);
    const double edge = sqrt(0.5);
    const scree_mat3 along_x = about(vec(1, 0, 0), SCREE_PI / 4);
    const scree_mat3 along_y = about(vec(0, 1, 0), SCREE_PI / 4);
    for (int k = -1; k <= 1; k += 2) {
        const scree_placed a =
            placed(&box, vec(0.1, 0.2, 2 * edge + 0.01 * k), along_x);
        const scree_placed b = placed(&box, vec(0, 0, 0), along_y);
        assert_int_equal(scree_solids_touch(&a, &b, 0.05, t), 1);
        assert_vec(t[0].n, vec(0, 0, 1), 1e-12);
        assert_near(t[0].g, 0.01 * k, 1e-12);
        assert_vec(t[0].x, vec(0, 0.2, edge + 0.005 * k), 1e-12);
    }
}

static void boxes__resting__corners_of_overlap_keep_their_keys(void **state) {
    (void)state;
    made_solid box, plate;
    scree_touch t[SCREE_TOUCHES];
    make_box(&box, vec(0.5, 0.5, 0.5), 0);
    make_box(&plate, vec(0.8, 0.6, 0.3), 0);
    const scree_placed b = at(&plate, 0, 0, 0);
    const scree_placed over = at(&box, 0.5, 0.3, 0.8);
    assert_int_equal(scree_solids_touch(&over, &b, 0.01, t), 4);
    for (int k = 0; k < 4; ++k)
        assert_true(has_touch(
            t, 4, vec(k & 1 ? 0 : 0.8, k & 2 ? -0.2 : 0.6, 0.3), 1e-12));
    rests(&over, &b, 4);
    const scree_placed same = at(&box, 0, 0, 1), below = at(&box, 0, 0, 0);
    rests(&same, &below, 4);
    const scree_placed star =
        placed(&box, vec(0, 0, 1), about(vec(0, 0, 1), 0.7));
    rests(&star, &below, 4);
}

/* A box over the rim of another, its face tilted against the other's by up to 2
 * degrees, so that mostly two crossing edges are nearest: the touches still span
 * what faces each other, and join true points of both faces. */
static void boxes__nearly_parallel__touches_all_over_the_faces(void **state) {
    (void)state;
    scree_random rng = {3};
    made_solid box, plate;
    scree_touch t[SCREE_TOUCHES];
    make_box(&box, vec(0.5, 0.5, 0.5), 0);
    make_box(&plate, vec(0.8, 0.6, 0.3), 0);
    const scree_placed b = at(&plate, 0, 0, 0);
    for (int k = 0; k < 2000; ++k) {
        const scree_vec3 tilt = vec(scree_random_range(&rng, -0.03, 0.03),
                                    scree_random_range(&rng, -0.03, 0.03), 0);
        const double turn = scree_random_range(&rng, 0, 3);
        const scree_quat q =
            quat_mul(quat_from_vector(tilt), quat_from_vector(vec(0, 0, turn)));
        scree_placed a = placed(&box, vec(0.6, 0.4, 0.83), turned(q));
        const double g = scree_deepest(t, scree_solids_touch(&a, &b, 1, t));
        a.x.z -= g + (k % 2 ? 2e-3 : -2e-3); /* overlapping, or apart */
        const int n = scree_solids_touch(&a, &b, 0.1, t);
        assert_true(n >= 3);
        double area = 0;
        for (int i = 1; i + 1 < n; ++i)
            area +=
                0.5 * norm(cross(sub(t[i].x, t[0].x), sub(t[i + 1].x, t[0].x)));
        assert_true(area > 0.1);
        for (int i = 1; i < n && k % 2 == 0; ++i) { /* beside the nearest */
            const scree_vec3 on_a = add_scaled(t[i].x, 0.5 * t[i].g, t[i].n);
            const scree_vec3 on_b = add_scaled(t[i].x, -0.5 * t[i].g, t[i].n);
            assert_near(mat3_mul_back(&a.R, sub(on_a, a.x)).z, -0.5, 1e-9);
            assert_near(on_b.z, 0.3, 1e-9);
        }
    }
}

/* Faces down on a larger box: other solids keep their keys too. */
static void solids__resting__keep_their_keys(void **state) {
    (void)state;
    made_solid plate, cylinder, round_box, prism, capsule;
    make_box(&plate, vec(3, 3, 0.5), 0);
    make_cylinder(&cylinder, 0.5, 0.5, 0);
    make_box(&round_box, vec(0.4, 0.4, 0.4), 0.1);
    make_prism(&prism, 7, 0.5, 0.5, 0);
    make_segment(&capsule, 0.7, 0.5);
    const scree_placed b = at(&plate, 0, 0, 0);
    const made_solid *standing[3] = {&cylinder, &round_box, &prism};
    for (int k = 0; k < 3; ++k) {
        const scree_placed a =
            placed(standing[k], vec(0.3, 0.2, 1), about(vec(0, 0, 1), 0.4));
        rests(&a, &b, 4);
    }
    const made_solid *lying[2] = {&cylinder, &capsule};
    for (int k = 0; k < 2; ++k) {
        const scree_placed a = placed(lying[k], vec(0.3, 0.2, 1),
                                      about(vec(0, 1, 0), SCREE_PI / 2));
        rests(&a, &b, 2);
    }
}

static void boxes__any_size__same_touches(void **state) {
    (void)state;
    for (double s = 1e-6; s < 1e7; s *= 1e3) {
        made_solid box, plate;
        scree_touch t[SCREE_TOUCHES];
        make_box(&box, vec(0.5 * s, 0.5 * s, 0.5 * s), 0);
        make_box(&plate, vec(2 * s, 2 * s, 0.5 * s), 0);
        const scree_placed a =
            placed(&box, vec(0, 0, 0.999 * s), about(vec(0, 0, 1), 0.3));
        const scree_placed b = at(&plate, 0, 0, 0);
        assert_int_equal(scree_solids_touch(&a, &b, 0.01 * s, t), 4);
        for (int k = 0; k < 4; ++k) assert_near(t[k].g / s, -0.001, 1e-9);
    }
}

/* Coincident centres, equal poses: finite, a unit normal, full depth. */
static void solids__on_top_of_each_other__finite(void **state) {
    (void)state;
    static made_solid m[7];
    const double depth[7] = {1, 0.4, 1, 1, 1.1, 1, 1};
    make_point(&m[0], 0.5);
    make_segment(&m[1], 0.6, 0.2);
    make_cylinder(&m[2], 0.5, 0.6, 0);
    make_box(&m[3], vec(0.5, 0.6, 0.7), 0);
    make_box(&m[4], vec(0.5, 0.6, 0.7), 0.05);
    make_prism(&m[5], 6, 0.9, 0.5, 0);
    make_polygon(&m[6], 4, vec(sqrt(0.5), sqrt(0.5), 0), 0);
    for (int i = 0; i < 7; ++i)
        for (int k = 0; k < 2; ++k) {
            scree_touch t[SCREE_TOUCHES];
            const scree_mat3 R = k && i < 6 ? about(vec(1, 2, 3), 1) : upright;
            const scree_placed a = placed(&m[i], vec(1, 1, 0), R);
            const int n = scree_solids_touch(&a, &a, 0.1, t);
            assert_true(n > 0);
            for (int j = 0; j < n; ++j) {
                assert_near(norm(t[j].n), 1, 1e-12);
                assert_near(t[j].g, -depth[i], i == 2 ? 0.01 : 1e-6);
                assert_true(isfinite(norm(t[j].x)));
            }
        }
}

/* ---- the plane ----------------------------------------------------------- */

static void polygons__edge_on_edge__two_points_in_plane(void **state) {
    (void)state;
    made_solid square, wide;
    scree_touch t[SCREE_TOUCHES];
    make_polygon(&square, 4, vec(sqrt(0.5), sqrt(0.5), 0), 0);
    make_polygon(&wide, 4, vec(2 * sqrt(2), sqrt(0.5), 0), 0);
    const scree_placed a = at(&square, 1.8, 0.99, 0), b = at(&wide, 0, 0, 0);
    assert_int_equal(scree_solids_touch(&a, &b, 0.1, t), 2);
    for (int k = 0; k < 2; ++k) {
        assert_vec(t[k].n, vec(0, 1, 0), 1e-14);
        assert_near(t[k].g, -0.01, 1e-14);
    }
    assert_true(has_touch(t, 2, vec(1.3, 0.495, 0), 1e-12));
    assert_true(has_touch(t, 2, vec(2, 0.495, 0), 1e-12));
}

/* ---- half spaces --------------------------------------------------------- */

static void plane__solids_on_it__exact_touches(void **state) {
    (void)state;
    made_solid m;
    scree_touch t[SCREE_TOUCHES];
    const scree_vec3 up = vec(0, 0, 1);
    make_point(&m, 0.5);
    scree_placed a = at(&m, 1, 2, 0.4);
    assert_int_equal(scree_solid_plane(&a, up, 0, 0.1, t), 1);
    assert_near(t[0].g, -0.1, 1e-15);
    assert_vec(t[0].x, vec(1, 2, -0.05), 1e-15);
    make_segment(&m, 1, 0.2);
    a = placed(&m, vec(0, 0, 0.25), about(vec(0, 1, 0), SCREE_PI / 2));
    assert_int_equal(scree_solid_plane(&a, up, 0, 0.1, t), 2);
    assert_near(t[0].g, 0.05, 1e-15);
    make_box(&m, vec(0.5, 0.6, 0.7), 0.1);
    a = at(&m, 0, 0, 0.8);
    assert_int_equal(scree_solid_plane(&a, up, 0, 0.1, t), 4);
    make_prism(&m, 12, 1, 0.5, 0);
    a = at(&m, 0, 0, 0.5);
    assert_int_equal(scree_solid_plane(&a, up, 0, 0.1, t), 4);
    make_polygon(&m, 4, vec(sqrt(0.5), sqrt(0.5), 0), 0);
    a = at(&m, 3, 0.5, 0);
    assert_int_equal(scree_solid_plane(&a, vec(0, 1, 0), 0, 0.1, t), 2);
}

/* A cylinder leaning by an angle: lowest point R sin + h cos below its centre.
 */
static void plane__leaning_cylinder__lowest_rim_point(void **state) {
    (void)state;
    made_solid m;
    scree_touch t[SCREE_TOUCHES];
    make_cylinder(&m, 0.5, 1, 0);
    for (double lean = 0; lean < 3.2; lean += 0.1) {
        const scree_placed a =
            placed(&m, vec(0, 0, 1), about(vec(1, 0.3, 0), lean));
        const int n = scree_solid_plane(&a, vec(0, 0, 1), 0, 0.3, t);
        double g = INFINITY;
        for (int k = 0; k < n; ++k) g = fmin(g, t[k].g);
        const double low = 0.5 * fabs(sin(lean)) + fabs(cos(lean));
        if (1 - low < 0.3) assert_near(g, 1 - low, 1e-14);
    }
    const scree_placed standing = at(&m, 0, 0, 1);
    assert_int_equal(scree_solid_plane(&standing, vec(0, 0, 1), 0, 0.1, t), 4);
    const scree_placed lying =
        placed(&m, vec(0, 0, 0.5), about(vec(1, 0, 0), SCREE_PI / 2));
    assert_int_equal(scree_solid_plane(&lying, vec(0, 0, 1), 0, 0.1, t), 2);
}

/* ---- spheres, inline ------------------------------------------------------ */

/* Where the inline formulas put the contact point, from a. */
static scree_vec3 contact_point(scree_vec3 x, const scree_contact *c) {
    return add_scaled(x, -c->arm_a, c->n);
}

/* The narrow phase has formulas of its own for many spheres (pairs.def): those of
 * the table, for any sizes and places, concentric ones too. */
static void spheres__inline_formula__that_of_the_table(void **state) {
    (void)state;
    scree_random rng = {11};
    for (int k = 0; k < 2000; ++k) {
        made_solid m[2];
        scree_ball ball[2];
        for (int i = 0; i < 2; ++i) {
            const double r = pow(10, scree_random_range(&rng, -3, 1));
            make_point(&m[i], r);
            ball[i] = (scree_ball){scale(2, random_direction(&rng)), r};
        }
        if (k % 10 == 0) ball[0].x = ball[1].x;
        const scree_placed a = placed(&m[0], ball[0].x, upright);
        const scree_placed b = placed(&m[1], ball[1].x, upright);
        scree_touch t[SCREE_TOUCHES];
        scree_contact c;
        assert_int_equal(scree_solids_touch(&a, &b, 10, t), 1);
        scree_spheres_apart(sub(ball[0].x, ball[1].x), ball[0].r, ball[1].r,
                            &c);
        const double hair = 1e-14 * (1 + ball[0].r + ball[1].r);
        assert_vec(c.n, t[0].n, 1e-15);
        assert_near(c.g, t[0].g, hair);
        assert_vec(contact_point(ball[0].x, &c), t[0].x, hair);
        assert_near(c.arm_a + c.arm_b, norm(sub(ball[0].x, ball[1].x)), hair);
    }
}

/* The arm on a plane is the radius, to roll with; the touch is half a gap beyond. */
static void spheres__inline_on_a_plane__that_of_the_table(void **state) {
    (void)state;
    scree_random rng = {12};
    for (int k = 0; k < 2000; ++k) {
        made_solid m;
        const double r = pow(10, scree_random_range(&rng, -3, 1));
        make_point(&m, r);
        const scree_ball ball = {scale(2, random_direction(&rng)), r};
        const scree_plane wall = {.n = random_direction(&rng),
                                  .d = scree_random_range(&rng, -1, 1)};
        const scree_placed a = placed(&m, ball.x, upright);
        scree_touch t[SCREE_TOUCHES];
        scree_contact c;
        assert_int_equal(scree_solid_wall(&a, &wall, 10, t), 1);
        scree_sphere_plane(&ball, &wall, &c);
        assert_vec(c.n, t[0].n, 0);
        assert_near(c.g, t[0].g, 1e-14 * (1 + r));
        assert_vec(add_scaled(contact_point(ball.x, &c), -0.5 * c.g, c.n),
                   t[0].x, 1e-14 * (1 + r));
        assert_true(c.arm_a == r && c.arm_b == 0);
    }
}

/* ---- the table ----------------------------------------------------------- */

/* Hulls with more faces than are looked at together: the depth is that of EPA,
 * within what a face is preferred by. */
static void hulls__of_many_faces__depth_of_epa(void **state) {
    (void)state;
    scree_random rng = {31};
    for (int k = 0; k < 200; ++k) {
        scree_vec3 p[60];
        for (int i = 0; i < 60; ++i) {
            const scree_vec3 v =
                vec(scree_random_normal(&rng), scree_random_normal(&rng),
                    scree_random_normal(&rng));
            p[i] = scale(1 / norm(v), v);
        }
        scree_hull h;
        assert_int_equal(scree_hull_from_points(&h, p, 60, NULL), SCREE_OK);
        assert_true(h.n_face > SCREE_ABOVE);
        const scree_solid s = {.core = SCREE_CORE_HULL, .hull = &h, .bound = 1};
        const scree_placed a = {&s, scale(1.7, p[0]), upright};
        const scree_placed b = {&s, vec(0, 0, 0), about(p[1], k)};
        scree_touch t[SCREE_TOUCHES];
        scree_closest c;
        const int n = scree_solids_touch(&a, &b, 0, t);
        scree_epa(&a, &b, &c);
        assert_true(n > 0 && c.s < 0);
        assert_near(scree_deepest(t, n), c.s, 2 * scree_face_bias(&a, &b, c.s));
        scree_hull_free(&h);
    }
}

/* Polygons are in the plane, with points, and the others in space, with them. */
static void table__every_pair_that_can_meet__has_a_routine(void **state) {
    (void)state;
    const int point = SCREE_CORE_POINT, polygon = SCREE_CORE_POLYGON;
    for (int a = 0; a <= SCREE_CORE_POLYGON; ++a)
        for (int b = 0; b <= SCREE_CORE_POLYGON; ++b) {
            const scree_pair_entry e =
                scree_pair_routine((scree_core)a, (scree_core)b);
            const bool meet =
                a == point || b == point || (a == polygon) == (b == polygon);
            assert_int_equal(e.find != NULL, meet);
            assert_true(a != b || !e.swapped);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres__apart_and_overlapping__distance_of_centres),
        cmocka_unit_test(spheres__inline_formula__that_of_the_table),
        cmocka_unit_test(spheres__inline_on_a_plane__that_of_the_table),
        cmocka_unit_test(capsules__crossed__one_point_of_closest_approach),
        cmocka_unit_test(capsules__parallel__two_points_at_ends_of_overlap),
        cmocka_unit_test(box__corner_on_face__one_point_at_corner),
        cmocka_unit_test(boxes__crossed_edges__one_point_between_edges),
        cmocka_unit_test(boxes__resting__corners_of_overlap_keep_their_keys),
        cmocka_unit_test(boxes__nearly_parallel__touches_all_over_the_faces),
        cmocka_unit_test(solids__resting__keep_their_keys),
        cmocka_unit_test(boxes__any_size__same_touches),
        cmocka_unit_test(solids__on_top_of_each_other__finite),
        cmocka_unit_test(polygons__edge_on_edge__two_points_in_plane),
        cmocka_unit_test(plane__solids_on_it__exact_touches),
        cmocka_unit_test(plane__leaning_cylinder__lowest_rim_point),
        cmocka_unit_test(hulls__of_many_faces__depth_of_epa),
        cmocka_unit_test(table__every_pair_that_can_meet__has_a_routine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
