/* pairs.h: solids in simple poses, and what their touches are asked for. */
#ifndef SCREE_TESTS_PAIRS_H
#define SCREE_TESTS_PAIRS_H

#include "engine/base/random.h"
#include "tests/solids.h"
#include "tests/support.h"

static const scree_mat3 upright = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static inline scree_mat3 about(scree_vec3 axis, double angle) {
    const scree_vec3 v = scale(sin(0.5 * angle) / norm(axis), axis);
    return turned((scree_quat){cos(0.5 * angle), v.x, v.y, v.z});
}

static inline scree_placed at(const made_solid *m, double x, double y,
                              double z) {
    return placed(m, vec(x, y, z), upright);
}

static inline void assert_vec(scree_vec3 v, scree_vec3 expected,
                              double tolerance) {
    assert_near(norm(sub(v, expected)), 0, tolerance);
}

static inline bool has_touch(const scree_touch *t, int n, scree_vec3 x,
                             double hair) {
    for (int k = 0; k < n; ++k)
        if (norm(sub(t[k].x, x)) < hair) return true;
    return false;
}

static inline scree_vec3 jitter(double size, scree_random *rng) {
    return scale(size, random_direction(rng));
}

/* The keys of t, sorted. */
static inline void sorted_keys(const scree_touch *t, int n, uint32_t *keys) {
    for (int k = 0; k < n; ++k) {
        keys[k] = t[k].key;
        for (int i = k; i > 0 && keys[i] < keys[i - 1]; --i) {
            const uint32_t key = keys[i];
            keys[i] = keys[i - 1], keys[i - 1] = key;
        }
    }
}

/* A rests on b; small motions change neither the keys nor their number. */
static inline void rests(const scree_placed *a, const scree_placed *b,
                         int expected) {
    scree_random rng = {5};
    uint32_t first[SCREE_TOUCHES], keys[SCREE_TOUCHES];
    scree_touch t[SCREE_TOUCHES];
    const double size = fmin(a->solid->bound, b->solid->bound);
    for (int k = 0; k <= 1000; ++k) {
        scree_placed c = *a;
        if (k) {
            const scree_quat q = quat_from_vector(jitter(1e-6, &rng));
            c.x = add(c.x, jitter(1e-6 * size, &rng));
            c.R = (scree_mat3){quat_rotate(q, a->R.x), quat_rotate(q, a->R.y),
                               quat_rotate(q, a->R.z)};
        }
        const int n = scree_solids_touch(&c, b, 0.01 * size, t);
        assert_int_equal(n, expected);
        sorted_keys(t, n, k ? keys : first);
        for (int i = 0; i < n; ++i) {
            assert_near(fabs(t[i].n.z), 1, 1e-10);
            if (k) assert_int_equal(keys[i], first[i]);
        }
    }
}

#endif
