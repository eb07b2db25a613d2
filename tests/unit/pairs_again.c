/* Pairs of polyhedra that are looked at again: what is known of them changes no
 * bit of what is found. */
#include <string.h>

#include "contact/narrow/clip.h"
#include "contact/narrow/pair.h"
#include "tests/unit/pairs.h"

static bool same_touches(const scree_touch *s, const scree_touch *t, int n) {
    for (int k = 0; k < n; ++k)
        if (memcmp(&s[k].x, &t[k].x, sizeof s[k].x) != 0 ||
            memcmp(&s[k].n, &t[k].n, sizeof s[k].n) != 0 || s[k].g != t[k].g ||
            s[k].key != t[k].key)
            return false;
    return true;
}

/* With `key` as what touched before, all is as without. */
static void same_after(const scree_placed *a, const scree_placed *b,
                       uint32_t key) {
    scree_touch fresh[SCREE_TOUCHES], again[SCREE_TOUCHES];
    const double reach = 1e-3 * scree_least_bound(a, b);
    scree_separation known = {.before = {key}};
    const int n = scree_solids_touch(a, b, reach, fresh);
    assert_int_equal(scree_solids_touch_again(a, b, reach, &known, again), n);
    assert_true(same_touches(fresh, again, n));
}

/* Along the normal of its deepest touch, until that has the gap g. */
static bool bring_to(scree_placed *a, const scree_placed *b, double g) {
    scree_touch t[SCREE_TOUCHES];
    for (int k = 0; k < 20; ++k) {
        const int n = scree_solids_touch(a, b, 3, t);
        if (n == 0) return false;
        const double deepest = scree_deepest(t, n);
        int i = 0;
        while (t[i].g > deepest) ++i;
        if (fabs(deepest - g) < 1e-9) return true;
        a->x = add_scaled(a->x, g - deepest, t[i].n);
    }
    return false;
}

/* Any features may be said to have touched: all faces, edges at random, and the
 * true ones before a small motion. */
static void try_all_keys(scree_placed *a, const scree_placed *b,
                         scree_random *rng) {
    scree_touch t[SCREE_TOUCHES];
    const int n = scree_solids_touch(a, b, 1e-3, t);
    const double size = pow(10, scree_random_range(rng, -6, -2));
    a->x = add(a->x, scale(size, random_direction(rng)));
    for (int k = 0; k < n; ++k) same_after(a, b, t[k].key);
    for (int f = 0; f < a->solid->hull->n_face; ++f)
        same_after(a, b, scree_feature(SCREE_FACE, f) << 16);
    for (int f = 0; f < b->solid->hull->n_face; ++f)
        same_after(a, b, scree_feature(SCREE_FACE, f));
    for (int k = 0; k < 30; ++k) {
        const int ea = (int)scree_random_range(rng, 0, a->solid->hull->n_edge);
        const int eb = (int)scree_random_range(rng, 0, b->solid->hull->n_edge);
        const uint32_t key =
            scree_touch_key(scree_feature(SCREE_EDGE, ea | SCREE_NEAREST),
                            scree_feature(SCREE_EDGE, eb | SCREE_NEAREST));
        same_after(a, b, key);
    }
}

static void hulls__any_touch_before__same_bits_as_without(void **state) {
    (void)state;
    scree_random rng = {53};
    static made_solid solids[5];
    make_box(&solids[0], vec(0.5, 0.4, 0.6), 0);
    make_box(&solids[1], vec(0.9, 0.8, 0.05), 0.02);
    make_icosahedron(&solids[2], 0.7, 0);
    make_random_hull(&solids[3], 12, 0.8, 0, &rng);
    make_tetrahedron(&solids[4], 0.8, 0);
    int tried = 0;
    for (int k = 0; k < 6000; ++k) {
        const made_solid *m = &solids[k % 5], *n = &solids[k / 5 % 5];
        const bool upright_both = k % 7 == 0;
        scree_placed b =
            placed(n, vec(0, 0, 0), upright_both ? upright : random_turn(&rng));
        scree_placed a = placed(
            m, random_direction(&rng),
            upright_both ? about(random_direction(&rng),
                                 pow(10, scree_random_range(&rng, -5, -1)))
                         : random_turn(&rng));
        const double size = pow(10, scree_random_range(&rng, -6, -2));
        if (!bring_to(&a, &b, k % 2 ? size : -size)) continue;
        ++tried;
        try_all_keys(&a, &b, &rng);
    }
    assert_true(tried > 4000);
}

static scree_mat3 product(const scree_mat3 *A, const scree_mat3 *B) {
    return (scree_mat3){mat3_mul(A, B->x), mat3_mul(A, B->y),
                        mat3_mul(A, B->z)};
}

/* Face fa of a on face fb of b, but for a small tilt. */
static scree_placed on_face(const made_solid *m, int fa, const scree_placed *b,
                            int fb, scree_random *rng) {
    const scree_vec3 u = m->solid.hull->normal[fa];
    const scree_vec3 v = scale(-1, mat3_mul(&b->R, b->solid->hull->normal[fb]));
    const scree_vec3 axis = cross(u, v);
    const scree_mat3 onto = norm(axis) > 1e-6
                                ? about(axis, atan2(norm(axis), dot(u, v)))
                            : dot(u, v) > 0 ? upright
                                            : about(perpendicular(u), SCREE_PI);
    const scree_mat3 spin = about(v, scree_random_range(rng, 0, 2 * SCREE_PI));
    const scree_mat3 tilt =
        about(random_direction(rng), pow(10, scree_random_range(rng, -6, -1)));
    const scree_mat3 turn = product(&tilt, &spin);
    const scree_vec3 aside = cross(v, random_direction(rng));
    return placed(m, add_scaled(scale(-1, v), 0.6, aside),
                  product(&turn, &onto));
}

/* Where faces lie on each other no vertex need be over a face, faces of both may
 * separate equally well, and so may faces beside them: one box has a lid that is
 * nearly flat. */
static void faces__any_touch_before__same_bits_as_without(void **state) {
    (void)state;
    scree_random rng = {67};
    static made_solid solids[4];
    const scree_vec3 lid[] = {
        {-0.5, -0.4, -0.3}, {0.5, -0.4, -0.3}, {0.5, 0.4, -0.3},
        {-0.5, 0.4, -0.3},  {-0.5, -0.4, 0.3}, {0.5, -0.4, 0.3},
        {0.5, 0.4, 0.3},    {-0.5, 0.4, 0.3},  {0.1, 0.1, 0.30003}};
    make_box(&solids[0], vec(0.5, 0.4, 0.6), 0);
    make_hull(&solids[1], lid, 9, 0.01);
    make_random_hull(&solids[2], 12, 0.8, 0, &rng);
    make_tetrahedron(&solids[3], 0.8, 0);
    int tried = 0;
    for (int k = 0; k < 6000; ++k) {
        const made_solid *m = &solids[k % 4], *n = &solids[k / 4 % 4];
        const int fa = (int)scree_random_range(&rng, 0, m->solid.hull->n_face);
        const int fb = (int)scree_random_range(&rng, 0, n->solid.hull->n_face);
        const scree_placed b = placed(n, vec(0, 0, 0), random_turn(&rng));
        scree_placed a = on_face(m, fa, &b, fb, &rng);
        const double size = pow(10, scree_random_range(&rng, -6, -1.5));
        if (!bring_to(&a, &b, k % 3 ? -size : size)) continue;
        ++tried;
        try_all_keys(&a, &b, &rng);
    }
    assert_true(tried > 4000);
}

/* Plates through each other: the way back may be as short as the way on. */
static void plates__any_touch_before__same_bits_as_without(void **state) {
    (void)state;
    scree_random rng = {61};
    static made_solid plate;
    const double thick = 0.004;
    make_box(&plate, vec(0.9, 0.8, thick / 2), 0);
    for (int k = 0; k < 2000; ++k) {
        const scree_placed b = placed(&plate, vec(0, 0, 0), upright);
        scree_placed a =
            placed(&plate,
                   vec(scree_random_range(&rng, -1, 1),
                       scree_random_range(&rng, -1, 1),
                       scree_random_range(&rng, -thick, thick)),
                   about(random_direction(&rng),
                         pow(10, scree_random_range(&rng, -5, -2))));
        try_all_keys(&a, &b, &rng);
    }
}

/* The first look at a pair tells a direction that separates it, and how far:
 * more than it reached, and no more than it is. */
static void hulls__apart__first_look_tells_how_far(void **state) {
    (void)state;
    scree_random rng = {59};
    static made_solid solids[3];
    make_box(&solids[0], vec(0.5, 0.4, 0.6), 0.1);
    make_random_hull(&solids[1], 12, 0.8, 0, &rng);
    make_tetrahedron(&solids[2], 0.8, 0.05);
    int apart = 0;
    for (int k = 0; k < 3000; ++k) {
        const scree_placed b =
            placed(&solids[k % 3], vec(0, 0, 0), random_turn(&rng));
        const double far = scree_random_range(&rng, 0.9, 1.5);
        const scree_placed a =
            placed(&solids[k / 3 % 3], scale(far, random_direction(&rng)),
                   random_turn(&rng));
        const double reach = 1e-3;
        scree_separation known = {.gap = 0};
        scree_touch t[SCREE_TOUCHES];
        scree_closest c;
        if (scree_bounds_apart(&a, &b, reach) ||
            scree_solids_touch_again(&a, &b, reach, &known, t) > 0)
            continue;
        ++apart;
        scree_closest_cores(&a, &b, INFINITY, &c);
        assert_near(norm(known.n), 1, 1e-12);
        assert_true(known.gap >= reach - 1e-12);
        assert_true(known.gap <=
                    c.s - a.solid->radius - b.solid->radius + 1e-9);
    }
    assert_true(apart > 500);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hulls__any_touch_before__same_bits_as_without),
        cmocka_unit_test(faces__any_touch_before__same_bits_as_without),
        cmocka_unit_test(plates__any_touch_before__same_bits_as_without),
        cmocka_unit_test(hulls__apart__first_look_tells_how_far),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
