/* Laws of pairs: with a table for few materials, without one for many. */
#include "engine/step/contact_rows.h"
#include "engine/world/world.h"
#include "tests/support.h"

static scree_contact_law law_number(int i) {
    scree_contact_law law = {.friction = 0.01 * (i % 97),
                             .e_n = 0.01 * (i % 89),
                             .e_t = 0.01 * (i % 83),
                             .impact = (scree_impact)(i % 3 == 0),
                             .rolling = 1e-4 * (i % 7),
                             .drilling = 1e-4 * (i % 5)};
    if (i % 11 == 3)
        law.anisotropy = (scree_anisotropy){.ratio = 0.5, .direction = {1}};
    return law;
}

static bool is_set(int a, int b) {
    return (a * b) % 17 == 5;
}

static void add_materials(scree_world *world, int n) {
    for (int i = 0; i < n; ++i) {
        scree_material_def def = scree_material_def_default();
        int index;
        def.law = law_number(i);
        assert_int_equal(scree_world_add_material(world, &def, &index),
                         SCREE_OK);
        assert_int_equal(index, i);
    }
}

static scree_contact_law set_law(int a, int b) {
    return (scree_contact_law){.friction = 1 + a + b};
}

static scree_world *world_of(int n) {
    const scree_world_def def = scree_world_def_default();
    scree_world *world;
    assert_int_equal(scree_world_create(&def, &world), SCREE_OK);
    add_materials(world, n);
    for (int a = 0; a < n; ++a)
        for (int b = a; b < n; ++b)
            if (is_set(a, b)) {
                const scree_contact_law law = set_law(a, b);
                assert_int_equal(scree_world_set_pair(world, b, a, &law),
                                 SCREE_OK);
            }
    return world;
}

/* As scree.h promises, from the materials alone. */
static void check_pair(const scree_world *world, int a, int b) {
    const scree_pair_law *found = scree_world_pair_law(world, a, b);
    const int low = a < b ? a : b, high = a < b ? b : a;
    const scree_contact_law x = law_number(low), y = law_number(high);
    if (is_set(low, high)) {
        assert_true(found->law.friction == 1 + a + b);
        assert_int_equal(found->grain, high);
        return;
    }
    assert_true(fabs(found->law.friction - sqrt(x.friction * y.friction)) <=
                1e-15);
    assert_true(found->law.e_n == fmin(x.e_n, y.e_n));
    assert_true(found->law.e_t == fmin(x.e_t, y.e_t));
    assert_true(
        (found->law.impact == SCREE_IMPACT_POISSON) ==
        (x.impact == SCREE_IMPACT_POISSON || y.impact == SCREE_IMPACT_POISSON));
    assert_true(fabs(found->law.rolling - sqrt(x.rolling * y.rolling)) <=
                1e-18);
    const bool of_high = x.anisotropy.ratio == 0 && y.anisotropy.ratio > 0;
    assert_int_equal(found->grain, of_high ? high : low);
}

static void check_all(int n) {
    scree_world *world = world_of(n);
    for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b) check_pair(world, a, b);
    scree_world_destroy(world);
}

static void pair_law__any_number_of_materials__set_or_mixed(void **state) {
    (void)state;
    const int sizes[] = {
        1, 2, 4, 5, 100, SCREE_TABLE_MATERIALS, SCREE_TABLE_MATERIALS + 1, 400};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
        check_all(sizes[i]);
}

static void pair_law__set_before_more_materials__kept(void **state) {
    (void)state;
    scree_world *world = world_of(6);
    const scree_contact_law law = {.friction = 42};
    assert_int_equal(scree_world_set_pair(world, 4, 2, &law), SCREE_OK);
    for (int n = 6; n < 300; ++n) {
        scree_material_def def = scree_material_def_default();
        assert_int_equal(scree_world_add_material(world, &def, NULL), SCREE_OK);
        assert_true(scree_world_pair_law(world, 2, 4)->law.friction == 42);
        assert_int_equal(scree_world_pair_law(world, 2, 4)->grain, 4);
    }
    scree_world_destroy(world);
}

static bool rolls(const scree_contact_law *law) {
    return law->rolling > 0;
}

static void any_law__last_material_or_pair__found(void **state) {
    (void)state;
    const int sizes[] = {3, 300};
    for (int k = 0; k < 4; ++k) {
        const int n = sizes[k % 2];
        const scree_world_def def = scree_world_def_default();
        scree_world *world;
        assert_int_equal(scree_world_create(&def, &world), SCREE_OK);
        scree_material_def material = scree_material_def_default();
        for (int i = 0; i < n; ++i)
            assert_int_equal(scree_world_add_material(world, &material, NULL),
                             SCREE_OK);
        assert_false(scree_world_any_law(world, rolls));
        material.law.rolling = 1e-3;
        if (k < 2)
            scree_world_add_material(world, &material, NULL);
        else
            scree_world_set_pair(world, 0, n - 1, &material.law);
        assert_true(scree_world_any_law(world, rolls));
        scree_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pair_law__any_number_of_materials__set_or_mixed),
        cmocka_unit_test(pair_law__set_before_more_materials__kept),
        cmocka_unit_test(any_law__last_material_or_pair__found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
