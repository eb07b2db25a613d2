/* Random rocks: reproducible, convex, as large and as long as asked for. */
#include "contact/solid/rock.h"

#include <string.h>

#include "contact/solid/mass.h"
#include "tests/support.h"

static scree_hull make(const scree_rock_def *def) {
    scree_hull h;
    scree_error error = {0};
    assert_ok(scree_rock_make(def, &h, &error));
    return h;
}

static void rock__same_seed__same_rock(void **state) {
    (void)state;
    scree_rock_def def = scree_rock_default();
    scree_hull a = make(&def), b = make(&def);
    assert_int_equal(a.n_vertex, b.n_vertex);
    assert_memory_equal(a.vertex, b.vertex,
                        (size_t)a.n_vertex * sizeof *a.vertex);
    def.seed = 2;
    scree_hull c = make(&def);
    assert_true(memcmp(a.vertex, c.vertex, sizeof *a.vertex) != 0);
    scree_hull_free(&a);
    scree_hull_free(&b);
    scree_hull_free(&c);
}

static void rock__any__is_convex_and_of_the_volume_asked(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        const scree_rock_def def = {.diameter = 0.1 + 0.05 * (double)seed,
                                    .elongation = 1 - 0.004 * (double)seed,
                                    .flatness = 0.3 + 0.003 * (double)seed,
                                    .jitter = 0.2,
                                    .n_points = 6 + (int)seed / 2,
                                    .seed = seed};
        scree_hull h = make(&def);
        const scree_mass m = scree_mass_hull(&h, 0);
        const double d = def.diameter;
        const double v = SCREE_PI / 6 * d * d * d;
        assert_near(m.volume, v, 1e-12 * v);
        assert_near(norm(m.centre), 0, 1e-14 * d);
        assert_true(h.inside > 0);
        for (int f = 0; f < h.n_face; f++)
            for (int i = 0; i < h.n_vertex; i++)
                assert_true(dot(h.normal[f], h.vertex[i]) <=
                            h.offset[f] + 1e-5 * d);
        scree_hull_free(&h);
    }
}

static double extent(const scree_hull *h, scree_vec3 u) {
    double lo = INFINITY, hi = -INFINITY;
    for (int i = 0; i < h->n_vertex; i++) {
        lo = fmin(lo, dot(u, h->vertex[i]));
        hi = fmax(hi, dot(u, h->vertex[i]));
    }
    return hi - lo;
}

/* Mean over many rocks within 3 %, a single rock within 25 %. */
static void rock__axis_ratios__near_those_asked(void **state) {
    (void)state;
    const double ratios[][2] = {{1, 1}, {0.8, 0.7}, {0.5, 0.9}, {0.6, 0.4}};
    for (int k = 0; k < 4; k++) {
        scree_rock_def def = {.diameter = 1,
                              .elongation = ratios[k][0],
                              .flatness = ratios[k][1],
                              .jitter = 0.1,
                              .n_points = 60};
        double elongation = 0, flatness = 0;
        for (def.seed = 0; def.seed < 100; def.seed++) {
            scree_hull h = make(&def);
            const double a = extent(&h, vec(1, 0, 0));
            const double b = extent(&h, vec(0, 1, 0));
            const double c = extent(&h, vec(0, 0, 1));
            assert_near(b / a, def.elongation, 0.25 * def.elongation);
            assert_near(c / b, def.flatness, 0.25 * def.flatness);
            elongation += b / a / 100;
            flatness += c / b / 100;
            scree_hull_free(&h);
        }
        assert_near(elongation, def.elongation, 0.03 * def.elongation);
        assert_near(flatness, def.flatness, 0.03 * def.flatness);
    }
}

static void refuse(scree_rock_def def, const char *sentence) {
    scree_hull h;
    scree_error error = {0};
    assert_int_equal(scree_rock_make(&def, &h, &error), SCREE_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, sentence));
}

static void rock__bad_numbers__are_refused(void **state) {
    (void)state;
    const scree_rock_def good = scree_rock_default();
    scree_rock_def def = good;
    def.diameter = 0;
    refuse(def, "diameter");
    def = good, def.elongation = 1.5;
    refuse(def, "elongation");
    def = good, def.flatness = NAN;
    refuse(def, "flatness");
    def = good, def.jitter = 1;
    refuse(def, "jitter");
    def = good, def.n_points = 3;
    refuse(def, "at least 4 points");
    def = good, def.flatness = 1e-7;
    refuse(def, "in one plane");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rock__same_seed__same_rock),
        cmocka_unit_test(rock__any__is_convex_and_of_the_volume_asked),
        cmocka_unit_test(rock__axis_ratios__near_those_asked),
        cmocka_unit_test(rock__bad_numbers__are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
