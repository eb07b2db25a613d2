/* simd.h: four doubles at a time, in GNU vector extensions.
 *
 * The compiler lowers them to AVX2 where the function is compiled for it
 * (SCREE_WIDE makes both versions and picks one when the program starts), and to
 * pairs of SSE2 operations elsewhere. Every operation is the IEEE one of each
 * lane and nothing is contracted, so both give the same bits. */
#ifndef SCREE_BASE_SIMD_H
#define SCREE_BASE_SIMD_H

#include <math.h>
#include <string.h>

/* GCC makes both versions; not with a sanitizer, whose calls the choice between them,
 * made before the sanitizer starts, would run into. Each begins a cache line: how its
 * loops lie in them is worth 4 % of the sweeps, and must not depend on what stands
 * before it. SCREE_PLAIN: one version, with which a test compares the others. */
#if defined(__x86_64__) && !defined(__clang__) && !defined(SCREE_PLAIN) &&     \
    !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
#define SCREE_WIDE                                                             \
    __attribute__((target_clones("avx2", "default"), aligned(64)))
#else
#define SCREE_WIDE
#endif
#define SCREE_INLINE static inline __attribute__((always_inline))

enum { SCREE_LANES = 4 };

typedef double scree_v4 __attribute__((vector_size(32)));
typedef long long scree_m4 __attribute__((vector_size(32)));

typedef struct scree_v4x3 {
    scree_v4 x, y, z;
} scree_v4x3;

SCREE_INLINE scree_v4 v4_set(double a) {
    return (scree_v4){a, a, a, a};
}

SCREE_INLINE scree_v4 v4_load(const double *p) {
    scree_v4 a;
    memcpy(&a, p, sizeof a);
    return a;
}
SCREE_INLINE void v4_store(double *p, scree_v4 a) {
    memcpy(p, &a, sizeof a);
}

SCREE_INLINE scree_v4 v4_select(scree_m4 mask, scree_v4 yes, scree_v4 no) {
    return (scree_v4)((mask & (scree_m4)yes) | (~mask & (scree_m4)no));
}
SCREE_INLINE scree_v4 v4_sqrt(scree_v4 a) {
    scree_v4 r;
    for (int l = 0; l < SCREE_LANES; ++l) r[l] = sqrt(a[l]);
    return r;
}
SCREE_INLINE int v4_any(scree_m4 mask) {
    return (mask[0] | mask[1] | mask[2] | mask[3]) != 0;
}

/* Lanes of a (0 to 3) and b (4 to 7), by number. GCC before 12 knows it by another name. */
#if defined(__clang__) || __GNUC__ >= 12
#define v4_shuffle(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#else
#define v4_shuffle(a, b, i, j, k, l)                                           \
    __builtin_shuffle(a, b, (scree_m4){i, j, k, l})
#endif

/* Rows to columns: what four records have in their k-th place, in lane order. */
SCREE_INLINE void v4_transpose(scree_v4 *a, scree_v4 *b, scree_v4 *c,
                               scree_v4 *d) {
    const scree_v4 ab0 = v4_shuffle(*a, *b, 0, 4, 2, 6);
    const scree_v4 ab1 = v4_shuffle(*a, *b, 1, 5, 3, 7);
    const scree_v4 cd0 = v4_shuffle(*c, *d, 0, 4, 2, 6);
    const scree_v4 cd1 = v4_shuffle(*c, *d, 1, 5, 3, 7);
    *a = v4_shuffle(ab0, cd0, 0, 1, 4, 5);
    *b = v4_shuffle(ab1, cd1, 0, 1, 4, 5);
    *c = v4_shuffle(ab0, cd0, 2, 3, 6, 7);
    *d = v4_shuffle(ab1, cd1, 2, 3, 6, 7);
}

SCREE_INLINE scree_v4 v4_dot(scree_v4x3 a, scree_v4x3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
SCREE_INLINE scree_v4x3 v4_cross(scree_v4x3 a, scree_v4x3 b) {
    return (scree_v4x3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z,
                        a.x * b.y - a.y * b.x};
}
SCREE_INLINE scree_v4x3 v4_sub(scree_v4x3 a, scree_v4x3 b) {
    return (scree_v4x3){a.x - b.x, a.y - b.y, a.z - b.z};
}
SCREE_INLINE scree_v4x3 v4_add_scaled(scree_v4x3 a, scree_v4 s, scree_v4x3 b) {
    return (scree_v4x3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

#endif
