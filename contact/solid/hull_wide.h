/* hull_wide.h: one point against all faces of a hull, one direction against all
 * vertices, four at a time, for functions that are compiled wide themselves
 * (SCREE_WIDE): a call of its own would cost as much as the work. The values
 * are those of one at a time, bit by bit. What hull.h offers is made of these.
 */
#ifndef SCREE_CONTACT_HULL_WIDE_H
#define SCREE_CONTACT_HULL_WIDE_H

#include "contact/solid/hull.h"
#include "engine/base/simd.h"

SCREE_INLINE scree_v4x3 v4_spread(scree_vec3 a) {
    return (scree_v4x3){v4_set(a.x), v4_set(a.y), v4_set(a.z)};
}
SCREE_INLINE scree_v4x3 v4_load3(const double *p) {
    return (scree_v4x3){v4_load(p), v4_load(p + SCREE_LANES),
                        v4_load(p + 2 * SCREE_LANES)};
}

/* ---- the most of all ----------------------------------------------------- */

/* The largest so far of each lane, and where it was. */
typedef struct scree_tops {
    scree_v4 most, where, here;
} scree_tops;

SCREE_INLINE scree_tops tops_of(scree_v4 h) {
    const scree_v4 first = {0, 1, 2, 3};
    return (scree_tops){h, first, first};
}
SCREE_INLINE void tops_take(scree_tops *t, scree_v4 h) {
    const scree_m4 more = h > t->most;
    t->here += v4_set(SCREE_LANES);
    t->most = v4_select(more, h, t->most);
    t->where = v4_select(more, t->here, t->where);
}

SCREE_INLINE scree_v4 v4_larger(scree_v4 a, scree_v4 b) {
    return v4_select(a > b, a, b);
}
SCREE_INLINE scree_v4 v4_lesser(scree_v4 a, scree_v4 b) {
    return v4_select(a < b, a, b);
}

/* Of equals the first: a last row that is repeated never wins against itself.
 * Without a branch: which lane wins cannot be foreseen. */
SCREE_INLINE int tops_first(const scree_tops *t, double *value) {
    scree_v4 m = v4_larger(t->most, v4_shuffle(t->most, t->most, 2, 3, 0, 1));
    m = v4_larger(m, v4_shuffle(m, m, 1, 0, 3, 2));
    scree_v4 w = v4_select(t->most < m, v4_set(INT32_MAX), t->where);
    w = v4_lesser(w, v4_shuffle(w, w, 2, 3, 0, 1));
    w = v4_lesser(w, v4_shuffle(w, w, 1, 0, 3, 2));
    *value = m[0];
    return (int)w[0];
}

/* The first of n rows, `stride` doubles from block to block, that is farthest
 * along d. */
SCREE_INLINE int wide_farthest(const double *p, int stride, int n, scree_vec3 d,
                               double *value) {
    const scree_v4x3 along = v4_spread(d);
    scree_tops t = tops_of(v4_dot(v4_load3(p), along));
    for (int k = SCREE_LANES; k < n; k += SCREE_LANES)
        tops_take(&t, v4_dot(v4_load3(p += stride), along));
    return tops_first(&t, value);
}

SCREE_INLINE int wide_support(const scree_hull *h, scree_vec3 d, double *most) {
    return wide_farthest(h->vertex4, 3 * SCREE_LANES, h->n_vertex, d, most);
}

/* ---- planes -------------------------------------------------------------- */

SCREE_INLINE scree_v4 over_plane(const double *p, scree_v4x3 x) {
    return v4_dot(v4_load3(p), x) - v4_load(p + 3 * SCREE_LANES);
}

/* height[f] = normal . x - offset, how high x is over the plane of each of the
 * first n_face faces; written in whole blocks of four. Returns the first of those
 * that it is highest over. */
SCREE_INLINE int wide_heights(const scree_hull *h, int n_face, scree_vec3 x,
                              double *height) {
    const scree_v4x3 at = v4_spread(x);
    const double *p = h->plane4;
    const scree_v4 first = over_plane(p, at);
    scree_tops t = tops_of(first);
    v4_store(height, first);
    for (int f = SCREE_LANES; f < n_face; f += SCREE_LANES) {
        const scree_v4 over = over_plane(p += 4 * SCREE_LANES, at);
        v4_store(height + f, over);
        tops_take(&t, over);
    }
    double most;
    return tops_first(&t, &most);
}

/* Most faces that are told by the bits of a word. */
enum { SCREE_ABOVE = 64 };

/* Bit f of the lanes together: is face f above? */
typedef struct scree_faces_above {
    scree_m4 now, bits; /* the bits of the lanes, those found */
} scree_faces_above;

SCREE_INLINE scree_faces_above above_none(void) {
    return (scree_faces_above){.now = {1, 2, 4, 8}};
}
SCREE_INLINE void above_take(scree_faces_above *a, scree_m4 is) {
    a->bits |= is & a->now;
    a->now <<= SCREE_LANES;
}
/* Of the first n faces. */
SCREE_INLINE uint64_t above_bits(const scree_faces_above *a, int n) {
    const uint64_t bits =
        (uint64_t)(a->bits[0] | a->bits[1] | a->bits[2] | a->bits[3]);
    return n < SCREE_ABOVE ? bits & (((uint64_t)1 << n) - 1) : bits;
}

/* Bit f: height[f] >= least, of n <= SCREE_ABOVE heights in whole blocks of four. */
SCREE_INLINE uint64_t wide_above(const double *height, int n, double least) {
    const scree_v4 low = v4_set(least);
    scree_faces_above a = above_none();
    for (int f = 0; f < n; f += SCREE_LANES)
        above_take(&a, v4_load(height + f) >= low);
    return above_bits(&a, n);
}

/* Heights of x over the first n_face faces; the faces that it is over by more
 * than `least`, and that have height[f] > enough. */
SCREE_INLINE uint64_t wide_heights_above(const scree_hull *h, int n_face,
                                         scree_vec3 x, double least,
                                         const double *height, double enough,
                                         double *over) {
    const scree_v4x3 at = v4_spread(x);
    const scree_v4 low = v4_set(least), high = v4_set(enough);
    const double *p = h->plane4;
    scree_faces_above a = above_none();
    for (int f = 0; f < n_face; f += SCREE_LANES, p += 4 * SCREE_LANES) {
        const scree_v4 o = over_plane(p, at);
        v4_store(over + f, o);
        above_take(&a, (o > low) & (v4_load(height + f) > high));
    }
    return above_bits(&a, n_face);
}

#endif
