/* scatter.c: what fills are made of: sizes in order, cells and their ranks. */
#include "engine/generate/scatter.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
// clang-format off
#include <cmocka.h>
// clang-format on

#include "engine/generate/sizes.h"

/* ---- sizes --------------------------------------------------------------- */

enum { SHARES = 20000 };

/* Mean and deviation of the law, from the middles of equal shares; from the
 * largest to the smallest, and none outside [min, max]. */
static void assert_shares(const scree_radius_law *law, double min, double max,
                          double mean, double deviation, double tolerance) {
    const scree_grain grain = {.radius = *law};
    scree_sizes sizes;
    double sum = 0, squares = 0, last = max;
    assert_int_equal(scree_sizes_init(&sizes, &grain), SCREE_OK);
    for (int k = 0; k < SHARES; k++) {
        const scree_piece piece = scree_sizes_at(&sizes, (k + 0.5) / SHARES);
        const double r = piece.ball.r;
        assert_true(r >= min && r <= last && piece.shape == -1);
        sum += r;
        squares += (r - mean) * (r - mean);
        last = r;
    }
    scree_sizes_free(&sizes);
    assert_true(fabs(sum / SHARES - mean) < tolerance);
    assert_true(fabs(sqrt(squares / SHARES) - deviation) < tolerance);
}

static void sizes__constant_and_uniform__follow_the_law(void **state) {
    (void)state;
    const scree_radius_law constant = {.value = 0.3};
    assert_shares(&constant, 0.3, 0.3, 0.3, 0, 1e-12);
    const scree_radius_law uniform = {
        .kind = SCREE_RADIUS_UNIFORM, .min = 0.1, .max = 0.4};
    assert_shares(&uniform, 0.1, 0.4, 0.25, 0.3 / sqrt(12), 1e-8);
}

/* The tails of 6 deviations are coarse in 20 000 shares, hence the tolerance.
 */
static void sizes__normal__follow_the_law(void **state) {
    (void)state;
    scree_radius_law law = {.kind = SCREE_RADIUS_NORMAL,
                            .mean = 0.2,
                            .deviation = 0.02,
                            .min = 0.08,
                            .max = 0.32};
    assert_shares(&law, 0.08, 0.32, 0.2, 0.02, 2e-6);
    /* At +-1 deviation: variance 1 - 2 phi(1) / (2 Phi(1) - 1) = 0.2911. */
    law.min = 0.18, law.max = 0.22;
    assert_shares(&law, 0.18, 0.22, 0.2, 0.02 * sqrt(0.291125), 1e-7);
}

/* Between a = 8 and b = 10 deviations the mean is (phi(a) - phi(b)) / (Q(a) -
 * Q(b)) = 8.121368, the variance 1 + (a phi(a) - b phi(b)) / (Q(a) - Q(b)) -
 * mean^2. */
static void sizes__normal_in_a_tail__follow_the_law(void **state) {
    (void)state;
    const double s = 0.01, d = 0.08, mean = s * 0.12136809;
    scree_radius_law law = {.kind = SCREE_RADIUS_NORMAL,
                            .mean = 0.2,
                            .deviation = s,
                            .min = 0.2 + d,
                            .max = 0.3};
    const double spread = s * 0.11968641;
    assert_shares(&law, law.min, law.max, 0.28 + mean, spread, 1e-6);
    law.min = 0.1, law.max = 0.2 - d; /* the other side */
    assert_shares(&law, law.min, law.max, 0.12 - mean, spread, 1e-6);
    law.deviation = 1e-6; /* nothing of the law is left */
    assert_shares(&law, law.max, law.max, law.max, 0, 1e-12);
    law.deviation = 0;
    assert_shares(&law, law.max, law.max, law.max, 0, 1e-12);
}

static void sizes__list__follow_the_weights(void **state) {
    (void)state;
    const double values[] = {0.1, 0.5, 0.2, 0.9}, weights[] = {3, 0, 1, 0};
    scree_radius_law law = {.kind = SCREE_RADIUS_LIST,
                            .n = 4,
                            .values = values,
                            .weights = weights};
    assert_shares(&law, 0.1, 0.2, 0.125, 0.1 * sqrt(0.75 * 0.25), 1e-8);
    law.weights = NULL;
    law.n = 3;
    assert_shares(&law, 0.1, 0.5, 0.8 / 3, sqrt(0.1 - 0.64 / 9), 1e-4);
}

static void sizes__shapes__all_the_same_share(void **state) {
    (void)state;
    const double bounds[] = {0.2, 0.5, 0.3};
    const scree_grain grain = {
        .shapes = {.first = 7, .n = 3, .bounds = bounds}};
    const int expected[] = {8, 9, 7}; /* the largest first */
    scree_sizes sizes;
    assert_int_equal(scree_sizes_init(&sizes, &grain), SCREE_OK);
    for (int k = 0; k < 300; k++) {
        const scree_piece piece = scree_sizes_at(&sizes, (k + 0.5) / 300);
        assert_int_equal(piece.shape, expected[k / 100]);
        assert_true(piece.ball.r == bounds[piece.shape - 7]);
    }
    assert_int_equal(scree_sizes_at(&sizes, 1).shape, 7);
    scree_sizes_free(&sizes);
}

/* ---- cells --------------------------------------------------------------- */

static scree_region region_of(int kind) {
    if (kind == 0)
        return (scree_region){.kind = SCREE_REGION_CYLINDER,
                              .base = {0.3, -0.2, 1},
                              .axis = {1, -2, 3},
                              .radius = 0.4,
                              .height = 1.1};
    return (scree_region){.kind = SCREE_REGION_BOX,
                          .planar = kind == 2,
                          .min = {-1, 2, 5},
                          .max = {1, 2.5, 6.3}};
}

/* Draws in the cell of a point are in that cell and, with the ball, in the
 * region. */
static void cells__draws__are_in_the_cell(void **state) {
    (void)state;
    const double r = 0.03;
    for (int kind = 0; kind < 3; kind++) {
        const scree_region region = region_of(kind);
        const scree_cells cells = scree_cells_cut(&region, 0.2, 1);
        scree_random rng = scree_random_stream(1, (uint64_t)kind);
        for (int i = 0; i < 2000; i++) {
            const scree_vec3 x = scree_region_sample(&region, r, &rng);
            const scree_cell cell = scree_cells_at(&cells, x);
            scree_vec3 y = x;
            if (!scree_cells_sample(&cells, &region, cell, r, &rng, &y))
                continue;
            const uint64_t key = scree_cells_key(&cells, cell);
            assert_true(key ==
                        scree_cells_key(&cells, scree_cells_at(&cells, y)));
            double min[3], max[3];
            scree_region_bounds(&region, min, max);
            assert_true(y.x >= min[0] + r - 1e-12 && y.x <= max[0] - r + 1e-12);
            assert_true(kind != 2 || y.z == 0);
        }
    }
}

/* Cells of a colour are a side apart at least. */
static void cells__one_colour__is_apart(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        const scree_region region = region_of(kind);
        const scree_cells cells = scree_cells_cut(&region, 0.15, 1);
        scree_random rng = scree_random_stream(2, (uint64_t)kind);
        int same = 0;
        for (int i = 0; i < 20000; i++) {
            const scree_vec3 x = scree_region_sample(&region, 0, &rng);
            const scree_vec3 y = scree_region_sample(&region, 0, &rng);
            const uint64_t a =
                scree_cells_key(&cells, scree_cells_at(&cells, x));
            const uint64_t b =
                scree_cells_key(&cells, scree_cells_at(&cells, y));
            if (a == b || scree_cells_colour(a) != scree_cells_colour(b))
                continue;
            assert_true(norm(sub(x, y)) >= 0.15 - 1e-12);
            same++;
        }
        assert_true(same > 1000);
    }
}

static bool is_near(const scree_cells *cells, const scree_cell_ranks *near,
                    int rank) {
    for (int z = near->first[2]; z <= near->last[2]; z++)
        for (int y = near->first[1]; y <= near->last[1]; y++)
            for (int x = near->first[0]; x <= near->last[0]; x++)
                if (scree_cells_rank_of_block(cells, x, y, z) == rank)
                    return true;
    return false;
}

/* For any number of ranks: the cells are the same, a rank is that of a block,
 * all have about as many, and whoever is within reach is told. */
static void cells__ranks__share_them(void **state) {
    (void)state;
    const scree_region region = region_of(1);
    const scree_cells alone = scree_cells_cut(&region, 0.05, 1);
    for (int ranks = 1; ranks <= 64; ranks++) {
        const scree_cells cells = scree_cells_cut(&region, 0.05, ranks);
        int count[64] = {0}, most = 0;
        scree_random rng = scree_random_stream(3, (uint64_t)ranks);
        for (int i = 0; i < 20000; i++) {
            const scree_vec3 x = scree_region_sample(&region, 0, &rng);
            const scree_vec3 d = vec(scree_random_range(&rng, -0.1, 0.1), 0.1,
                                     scree_random_range(&rng, -0.1, 0.1));
            const scree_cell cell = scree_cells_at(&cells, x);
            assert_true(scree_cells_key(&cells, cell) ==
                        scree_cells_key(&alone, cell));
            const int rank = scree_cells_rank(&cells, cell);
            assert_true(rank >= 0 && rank < ranks);
            const scree_cell_ranks near =
                scree_cells_near(&cells, sub(x, d), 0.1);
            assert_true(is_near(&cells, &near, rank));
            if (++count[rank] > most) most = count[rank];
        }
        /* Primes cut the longest side alone, into 40 layers of cells. */
        assert_true(most < 2.2 * 20000 / ranks);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes__constant_and_uniform__follow_the_law),
        cmocka_unit_test(sizes__normal__follow_the_law),
        cmocka_unit_test(sizes__normal_in_a_tail__follow_the_law),
        cmocka_unit_test(sizes__list__follow_the_weights),
        cmocka_unit_test(sizes__shapes__all_the_same_share),
        cmocka_unit_test(cells__draws__are_in_the_cell),
        cmocka_unit_test(cells__one_colour__is_apart),
        cmocka_unit_test(cells__ranks__share_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
