/* Cylinders: caps on faces, sides along lines, rims. */
#include "contact/narrow/clip.h"
#include "tests/unit/pairs.h"

static scree_mat3 lying(void) {
    return about(vec(1, 0, 0), SCREE_PI / 2);
}

/* ---- caps ---------------------------------------------------------------- */

static void cylinder__standing_on_box__four_rim_points(void **state) {
    (void)state;
    made_solid c, box;
    scree_touch t[SCREE_TOUCHES];
    make_cylinder(&c, 0.5, 1, 0);
    make_box(&box, vec(2, 2, 1), 0);
    const scree_placed a = at(&c, 0.1, 0.2, 1.999), b = at(&box, 0, 0, 0);
    assert_int_equal(scree_solids_touch(&a, &b, 0.1, t), 4);
    for (int k = 0; k < 4; ++k) {
        assert_vec(t[k].n, vec(0, 0, 1), 1e-14);
        assert_near(t[k].g, -0.001, 1e-14);
        assert_near(hypot(t[k].x.x - 0.1, t[k].x.y - 0.2), 0.5, 1e-12);
    }
}

/* The touches lie on the narrower rim, and keep their names. */
static void cylinders__standing_on_each_other__four_rim_points(void **state) {
    (void)state;
    made_solid narrow, wide;
    scree_touch t[SCREE_TOUCHES];
    make_cylinder(&narrow, 0.5, 1, 0);
    make_cylinder(&wide, 0.8, 0.5, 0.1);
    const scree_placed b = at(&wide, 0, 0, 0);
    for (int k = -1; k <= 1; k += 2) {
        const scree_placed a = placed(&narrow, vec(0.1, 0.2, 1.6 + 0.001 * k),
                                      about(vec(0, 0, 1), 0.3));
        assert_int_equal(scree_solids_touch(&a, &b, 0.1, t), 4);
        for (int i = 0; i < 4; ++i) {
            assert_vec(t[i].n, vec(0, 0, 1), 1e-14);
            assert_near(t[i].g, 0.001 * k, 1e-14);
            assert_near(hypot(t[i].x.x - 0.1, t[i].x.y - 0.2), 0.5, 1e-12);
        }
        rests(&a, &b, 4);
    }
    const scree_placed low = at(&narrow, 0, 0, 0);
    const scree_placed same = at(&narrow, 0, 0, 2),
                       aside = at(&narrow, 0.3, 0.1, 2);
    rests(&same, &low, 4);
    rests(&aside, &low, 4);
    const scree_placed twisted =
        placed(&narrow, vec(0, 0, 2), about(vec(0, 0, 1), 0.2));
    assert_int_equal(scree_solids_touch(&twisted, &low, 0.1, t), 4);
    for (int i = 0; i < 4; ++i)
        assert_near(hypot(t[i].x.x, t[i].x.y), 0.5, 1e-12);
    rests(&twisted, &low, 4);
}

static void capsule__lying_on_cap__two_points(void **state) {
    (void)state;
    made_solid cylinder, capsule;
    scree_touch t[SCREE_TOUCHES];
    make_cylinder(&cylinder, 0.5, 0.5, 0);
    make_segment(&capsule, 0.3, 0.2);
    const scree_placed a = placed(&capsule, vec(0.1, 0, 0.71), lying());
    const scree_placed b = at(&cylinder, 0, 0, 0);
    assert_int_equal(scree_solids_touch(&a, &b, 0.1, t), 2);
    for (int k = 0; k < 2; ++k) {
        assert_vec(t[k].n, vec(0, 0, 1), 1e-14);
        assert_near(t[k].g, 0.01, 1e-14);
        assert_true(has_touch(t, 2, vec(0.1, k ? 0.3 : -0.3, 0.505), 1e-12));
    }
}

/* Twice the area that the touches span, seen from above. */
static double spanned(const scree_touch *t, int n) {
    double area = 0;
    for (int i = 1; i + 1 < n; ++i)
        area += norm(cross(sub(t[i].x, t[0].x), sub(t[i + 1].x, t[0].x)));
    return area;
}

/* One over the rim of another, tilted by up to 2 degrees, so that often rims
 * cross where they are nearest: the touches still span what faces each other,
 * overlapping or apart, and are as deep as the nearest points are. */
static void tilted(const made_solid *top, const made_solid *low, double aside) {
    scree_random rng = {3};
    scree_touch t[SCREE_TOUCHES];
    const scree_placed b = at(low, 0, 0, 0);
    for (int k = 0; k < 500; ++k) {
        const scree_vec3 tilt = vec(scree_random_range(&rng, -0.03, 0.03),
                                    scree_random_range(&rng, -0.03, 0.03), 0);
        const scree_vec3 turn = vec(0, 0, scree_random_range(&rng, 0, 3));
        const scree_quat q =
            quat_mul(quat_from_vector(tilt), quat_from_vector(turn));
        scree_placed a = placed(top, vec(aside, 0.7 * aside, 1.03), turned(q));
        const double g = scree_deepest(t, scree_solids_touch(&a, &b, 2, t));
        const double wanted = k % 2 ? -2e-3 : 2e-3;
        a.x.z += wanted - g;
        const int n = scree_solids_touch(&a, &b, 0.1, t);
        assert_true(n == 4 && spanned(t, n) > 0.3);
        assert_near(scree_deepest(t, n), wanted, 2e-4);
    }
}

static void
cylinders__nearly_parallel__touches_all_over_the_caps(void **state) {
    (void)state;
    made_solid cylinder, wide, box;
    make_cylinder(&cylinder, 0.5, 0.5, 0);
    make_cylinder(&wide, 0.7, 0.5, 0);
    make_box(&box, vec(0.5, 0.5, 0.5), 0);
    for (double aside = 0; aside < 0.45; aside += 0.2) {
        tilted(&cylinder, &cylinder, aside);
        tilted(&cylinder, &wide, aside);
        tilted(&cylinder, &box, aside);
        tilted(&box, &cylinder, aside);
    }
}

/* ---- sides --------------------------------------------------------------- */

static void cylinder__lying_on_box__two_ends_of_side_line(void **state) {
    (void)state;
    made_solid c, box;
    scree_touch t[SCREE_TOUCHES];
    make_cylinder(&c, 0.5, 1, 0);
    make_box(&box, vec(2, 2, 1), 0);
    const scree_placed b = at(&box, 0, 0, 0);
    for (int k = -1; k <= 1; k += 2) {
        const scree_placed a = placed(&c, vec(0, 0, 1.5 + 0.001 * k),
                                      about(vec(1, 0, 0), SCREE_PI / 2));
        assert_int_equal(scree_solids_touch(&a, &b, 0.1, t), 2);
        assert_vec(t[0].n, vec(0, 0, 1), 1e-12);
        assert_near(t[0].g, 0.001 * k, 1e-9);
        assert_near(t[1].g, 0.001 * k, 1e-9);
        assert_true(has_touch(t, 2, vec(0, 1, 1 + 0.0005 * k), 1e-6));
        assert_true(has_touch(t, 2, vec(0, -1, 1 + 0.0005 * k), 1e-6));
    }
}

static void
cylinders__lying_side_by_side__two_ends_of_common_line(void **state) {
    (void)state;
    made_solid longer, shorter;
    scree_touch t[SCREE_TOUCHES];
    make_cylinder(&longer, 0.5, 1, 0);
    make_cylinder(&shorter, 0.3, 0.6, 0);
    const scree_placed b = placed(&longer, vec(0, 0, 0.5), lying());
    for (int k = -1; k <= 1; k += 2) {
        const double gap = 0.001 * k;
        const scree_placed a =
            placed(&shorter, vec(0, 0.7, 1.3 + gap), lying());
        assert_int_equal(scree_solids_touch(&a, &b, 0.1, t), 2);
        for (int i = 0; i < 2; ++i) {
            assert_vec(t[i].n, vec(0, 0, 1), 1e-12);
            assert_near(t[i].g, gap, 1e-12);
            const double end = i ? 1 : 0.1; /* of b, and of a */
            assert_true(has_touch(t, 2, vec(0, end, 1 + gap / 2), 1e-9));
        }
        rests(&a, &b, 2);
    }
}

/* The axes cross at an angle: one touch, where they do. */
static void cylinders__crossed__one_point_between_sides(void **state) {
    (void)state;
    made_solid c;
    scree_touch t[SCREE_TOUCHES];
    make_cylinder(&c, 0.4, 1, 0);
    const scree_placed b = placed(&c, vec(0, 0.2, 0), lying());
    for (int k = -1; k <= 1; k += 2) {
        const double gap = 0.01 * k;
        const scree_placed a = placed(&c, vec(0.3, 0.5, 0.8 + gap),
                                      about(vec(0, 1, 0), SCREE_PI / 2));
        assert_int_equal(scree_solids_touch(&a, &b, 0.1, t), 1);
        assert_vec(t[0].n, vec(0, 0, 1), 1e-12);
        assert_near(t[0].g, gap, 1e-12);
        assert_vec(t[0].x, vec(0, 0.5, 0.4 + gap / 2), 1e-12);
    }
}

/* ---- rims ---------------------------------------------------------------- */

/* A disc leans in the x-z plane by 45 degrees, its lowest point 0.3 over the
 * rim of the one below and beside it by less: both rims look along all that
 * lies between. */
static void cylinders__rim_over_rim__shortest_connection(void **state) {
    (void)state;
    made_solid c;
    scree_touch t[SCREE_TOUCHES];
    make_cylinder(&c, 1, 0.1, 0);
    const double q = sqrt(0.5);
    const scree_placed b = at(&c, 0, 0, 0);
    for (double x = 0; x < 0.29; x += 0.02) {
        /* the rim point (1, 0, -0.1) of the disc turned about y */
        const scree_vec3 low = vec(1 + x, 0, 0.4);
        const scree_placed a = placed(&c, sub(low, vec(q * 0.9, 0, -q * 1.1)),
                                      about(vec(0, 1, 0), SCREE_PI / 4));
        const int n = scree_solids_touch(&a, &b, 0.5, t);
        assert_true(n > 0);
        const double gap = hypot(x, 0.3);
        assert_near(scree_deepest(t, n), gap, 1e-12);
        assert_vec(t[0].n, vec(x / gap, 0, 0.3 / gap), 1e-9);
        assert_vec(t[0].x, vec(1 + x / 2, 0, 0.25), 1e-9);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cylinder__standing_on_box__four_rim_points),
        cmocka_unit_test(cylinders__standing_on_each_other__four_rim_points),
        cmocka_unit_test(capsule__lying_on_cap__two_points),
        cmocka_unit_test(cylinders__nearly_parallel__touches_all_over_the_caps),
        cmocka_unit_test(cylinder__lying_on_box__two_ends_of_side_line),
        cmocka_unit_test(
            cylinders__lying_side_by_side__two_ends_of_common_line),
        cmocka_unit_test(cylinders__crossed__one_point_between_sides),
        cmocka_unit_test(cylinders__rim_over_rim__shortest_connection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
