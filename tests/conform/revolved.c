/* Surfaces of revolution against a witness: the distance of many points of the surface
 * from the body, each by the routines for a point and a solid, which know nothing of
 * surfaces. */
#include <string.h>

#include "contact/narrow/touch.h"
#include "contact/surface/revolved.h"
#include "tests/solids.h"
#include "tests/support.h"

enum { BODIES = 9, POSES = 60, AROUND = 720, ALONG = 240 };

typedef struct profile {
    const char *name;
    int n;
    double p[8][2];
} profile;

/* Insides first. */
static const profile profiles[] = {
    {"inside of a cylinder", 2, {{1, -2}, {1, 2}}},
    {"inside of a cone", 2, {{0.2, -1}, {1.4, 1}}},
    {"silo", 3, {{0.3, -1}, {1, 0}, {1, 2}}},
    {"cup", 4, {{0, -1}, {1, -1}, {1, 1}, {0, 1}}},
    {"outside of a cylinder", 2, {{0.4, 2}, {0.4, -2}}},
    {"outside of a cone", 2, {{0.2, 1}, {0.9, -1}}},
    {"post", 4, {{0, 0.6}, {0.5, 0.6}, {0.5, -0.6}, {0, -0.6}}},
    {"spike", 3, {{0, 0.6}, {0.5, -0.6}, {0, -0.6}}},
};
enum { PROFILES = sizeof profiles / sizeof *profiles };

static made_solid solids[BODIES];

static int make_solids(void **state) {
    (void)state;
    scree_random rng = {71};
    make_point(&solids[0], 0.15);
    make_segment(&solids[1], 0.15, 0.08);
    make_cylinder(&solids[2], 0.12, 0.15, 0);
    make_cylinder(&solids[3], 0.15, 0.05, 0.03);
    make_box(&solids[4], vec(0.1, 0.15, 0.2), 0);
    make_box(&solids[5], vec(0.15, 0.1, 0.1), 0.04);
    make_tetrahedron(&solids[6], 0.25, 0);
    make_icosahedron(&solids[7], 0.2, 0);
    make_random_hull(&solids[8], 14, 0.2, 0, &rng);
    return 0;
}

/* Least distance between points of the surface and the body, as far as 0.3 m. */
static double witness(const scree_revolved *w, const scree_placed *a) {
    const scree_solid point = {.core = SCREE_CORE_POINT};
    double least = INFINITY;
    for (int k = 0; k + 1 < w->n_point; ++k)
        for (int j = 0; j <= ALONG; ++j)
            for (int i = 0; i < AROUND; ++i) {
                const double s = (double)j / ALONG,
                             r = (1 - s) * w->r[k] + s * w->r[k + 1],
                             z = (1 - s) * w->z[k] + s * w->z[k + 1],
                             angle = 2 * SCREE_PI * i / AROUND;
                const scree_placed at = {&point,
                                         vec(r * cos(angle), r * sin(angle), z),
                                         {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
                if (norm(sub(at.x, a->x)) > a->solid->bound + least) continue;
                if (norm(sub(at.x, a->x)) > a->solid->bound + 0.3) continue;
                scree_touch t[SCREE_TOUCHES];
                const int n = scree_solids_touch(a, &at, 0.3, t);
                for (int m = 0; m < n; ++m) least = fmin(least, t[m].g);
            }
    return least;
}

/* How far the points of the witness are from any other of the surface, at most: a body
 * at a distance g sees them farther away by half the square of that over g. */
static double farthest_off(const scree_revolved *w) {
    double most = 0;
    for (int k = 0; k + 1 < w->n_point; ++k) {
        const double along = w->strip[k].length / ALONG,
                     around =
                         2 * SCREE_PI * fmax(w->r[k], w->r[k + 1]) / AROUND;
        most = fmax(most, 0.5 * sqrt(along * along + around * around));
    }
    return most;
}

/* Free space is all around it. */
static bool is_post(const scree_revolved *w) {
    for (int k = 0; k + 1 < w->n_point; ++k)
        if (w->strip[k].n_r < 0) return false;
    return true;
}

/* A place before the surface: on the free side of all strips that it is over, by a
 * little more than the body needs. */
static bool place_body(const scree_revolved *w, const made_solid *m,
                       scree_random *rng, scree_placed *a) {
    const int k = (int)(scree_random_unit(rng) * (w->n_point - 1));
    const double s = scree_random_range(rng, -0.1, 1.1),
                 off = scree_random_range(rng, 0.12, 0.3);
    const scree_strip *strip = &w->strip[k];
    const double r = w->r[k] + s * (w->r[k + 1] - w->r[k]) + off * strip->n_r,
                 z = w->z[k] + s * (w->z[k + 1] - w->z[k]) + off * strip->n_z,
                 angle = scree_random_range(rng, 0, 7);
    if (r < 0) return false;
    *a = placed(m, vec(r * cos(angle), r * sin(angle), z), random_turn(rng));
    for (int j = 0; j + 1 < w->n_point; ++j) {
        const scree_strip *q = &w->strip[j];
        const double g = q->n_r * r + q->n_z * z - q->d;
        if (q->n_r <= 0 && g < 0 && !is_post(w)) return false;
    }
    return true;
}

static double least_gap(const scree_touch *t, int n) {
    double g = INFINITY;
    for (int i = 0; i < n; ++i) g = fmin(g, t[i].g);
    return g;
}

/* A third of the bodies' inner radius [m]. */
static const double DEEP = 0.03;

/* The least gap is the distance, and each touch a pair of points: no other one is nearer
 * along its normal. */
static void revolved__poses_before_it__least_gap_is_the_distance(void **state) {
    (void)state;
    scree_random rng = {72};
    for (int p = 0; p < PROFILES; ++p) {
        scree_revolved w;
        int seen = 0;
        double worst = 0;
        assert_ok(scree_revolved_make(&w, profiles[p].p[0], profiles[p].n,
                                      false, NULL));
        const double most = farthest_off(&w);
        for (int i = 0; i < BODIES * POSES; ++i) {
            scree_placed a;
            scree_touch t[SCREE_TOUCHES];
            if (!place_body(&w, &solids[i % BODIES], &rng, &a)) continue;
            const double g = least_gap(t, scree_revolved_touch(&w, &a, 0.2, t));
            if (g == INFINITY || g < 2e-3) continue;
            const double s = witness(&w, &a);
            if (s < -DEEP) continue; /* no step leaves bodies so */
            const double far = (s - g) / (0.5 * most * most / g);
            worst = fmax(worst, far);
            if (s - g < -1e-9 || far > 1.2)
                fail_msg("%s, solid %d, pose %d: gap %g, witness %g",
                         profiles[p].name, i % BODIES, i, g, s);
            ++seen;
        }
        print_message("%s: %d poses, worst %.2g of what the witness may miss\n",
                      profiles[p].name, seen, worst);
        assert_true(seen > BODIES * POSES / 10);
        scree_revolved_free(&w);
    }
}

/* What does not touch says so: none of those within reach is left out. */
static void revolved__out_of_reach__no_touch(void **state) {
    (void)state;
    scree_random rng = {73};
    for (int p = 0; p < PROFILES; ++p) {
        scree_revolved w;
        assert_ok(scree_revolved_make(&w, profiles[p].p[0], profiles[p].n,
                                      false, NULL));
        for (int i = 0; i < BODIES * POSES / 4; ++i) {
            scree_placed a;
            scree_touch t[SCREE_TOUCHES];
            if (!place_body(&w, &solids[i % BODIES], &rng, &a)) continue;
            const int n = scree_revolved_touch(&w, &a, 0.02, t);
            for (int k = 0; k < n; ++k) {
                assert_true(t[k].g <= 0.02);
                assert_near(norm(t[k].n), 1, 1e-12);
                for (int j = 0; j < k; ++j) assert_true(t[j].key != t[k].key);
            }
            if (n == 0 && witness(&w, &a) < 0.019)
                fail_msg("%s: solid %d is near and not seen", profiles[p].name,
                         i % BODIES);
        }
        scree_revolved_free(&w);
    }
}

/* Where a cylinder goes over into a cone, one face is felt, or both: nothing between. */
static void revolved__valley__no_ghost(void **state) {
    (void)state;
    scree_revolved w;
    assert_ok(scree_revolved_make(&w, profiles[2].p[0], 3, false, NULL));
    for (double z = -0.02; z <= 0.02; z += 1e-4) {
        scree_touch t[SCREE_TOUCHES];
        const scree_placed a = placed(&solids[0], vec(0.85 - 1e-4, 0, z + 0.1),
                                      random_turn(&(scree_random){1}));
        const int n = scree_revolved_touch(&w, &a, 0.05, t);
        assert_true(n >= 1);
        for (int k = 0; k < n; ++k) {
            const bool side = fabs(t[k].n.z) < 1e-12;
            const bool cone = fabs(t[k].n.z - 0.7 / sqrt(0.49 + 1)) < 1e-12;
            assert_true(side || cone);
        }
    }
    scree_revolved_free(&w);
}

static void revolved__bad_profiles__are_refused_by_name(void **state) {
    (void)state;
    static const struct {
        int n;
        bool endless;
        double p[4][2];
        const char *text;
    } bad[] = {
        {1, false, {{1, 0}}, "a profile has at least 2 points, not 1"},
        {2, false, {{1, 0}, {NAN, 1}}, "point 1 of the profile is not finite"},
        {2, false, {{1, 0}, {-1, 1}}, "radius -1, not >= 0"},
        {3,
         false,
         {{1, 0}, {2, 1}, {2, 1}},
         "points 1 and 2 of the profile are at the same place"},
        {2, false, {{0, 0}, {0, 1}}, "both on the axis"},
        {3, true, {{1, 0}, {1, 1}, {2, 2}}, "only a single side"},
        {2, true, {{1, 0}, {2, 0}}, "a flat disc has no side without end"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        scree_revolved w;
        scree_error error = {0};
        assert_int_equal(scree_revolved_make(&w, bad[i].p[0], bad[i].n,
                                             bad[i].endless, &error),
                         SCREE_BAD_ARGUMENT);
        if (!strstr(error.text, bad[i].text))
            fail_msg("'%s' does not say '%s'", error.text, bad[i].text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(revolved__poses_before_it__least_gap_is_the_distance),
        cmocka_unit_test(revolved__out_of_reach__no_touch),
        cmocka_unit_test(revolved__valley__no_ghost),
        cmocka_unit_test(revolved__bad_profiles__are_refused_by_name),
    };
    return cmocka_run_group_tests(tests, make_solids, NULL);
}
