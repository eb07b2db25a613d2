/* hull_wide.c: one point against all faces, one direction against all vertices,
 * four at a time. The values are those of one at a time, bit by bit. */
#include "contact/hull.h"
#include "engine/base/simd.h"

enum { L = SCREE_LANES };

/* ---- layout -------------------------------------------------------------- */

static int at_most(int k, int n) { return k < n ? k : n - 1; }

void scree_hull_pack(scree_hull *h) {
    for (int e = 0; e < h->n_edge; e++) {
        const int32_t *v = h->edge[e].v, *f = h->edge[e].f;
        h->bend[e] = dot(h->normal[f[0]], h->normal[f[1]]);
        for (int k = 0; k < 2; k++)
            h->side[scree_hull_corner(h, f[k], v[k])] = e;
    }
    for (int k = 0; k < (h->n_vertex + L - 1) / L * L; k++) {
        const scree_vec3 p = h->vertex[at_most(k, h->n_vertex)];
        double *to = h->vertex4 + k / L * 3 * L + k % L;
        to[0] = p.x, to[L] = p.y, to[2 * L] = p.z;
    }
    for (int k = 0; k < (h->n_face + L - 1) / L * L; k++) {
        const int f = at_most(k, h->n_face);
        const scree_vec3 n = h->normal[f];
        double *to = h->plane4 + k / L * 4 * L + k % L;
        to[0] = n.x, to[L] = n.y, to[2 * L] = n.z, to[3 * L] = h->offset[f];
    }
}

SCREE_INLINE scree_v4x3 spread(scree_vec3 a) {
    return (scree_v4x3){v4_set(a.x), v4_set(a.y), v4_set(a.z)};
}
SCREE_INLINE scree_v4x3 load3(const double *p) {
    return (scree_v4x3){v4_load(p), v4_load(p + L), v4_load(p + 2 * L)};
}

/* ---- the most of all -------------------------------------------------------- */

/* The largest so far of each lane, and where it was. */
typedef struct tops {
    scree_v4 most, where, here;
} tops;

static const scree_v4 ahead = {L, L, L, L};

SCREE_INLINE tops tops_of(scree_v4 h) {
    const scree_v4 first = {0, 1, 2, 3};
    return (tops){h, first, first};
}
SCREE_INLINE void tops_take(tops *t, scree_v4 h) {
    const scree_m4 more = h > t->most;
    t->here += ahead;
    t->most = v4_select(more, h, t->most);
    t->where = v4_select(more, t->here, t->where);
}

SCREE_INLINE scree_v4 larger(scree_v4 a, scree_v4 b) {
    return v4_select(a > b, a, b);
}
SCREE_INLINE scree_v4 lesser(scree_v4 a, scree_v4 b) {
    return v4_select(a < b, a, b);
}

/* Of equals the first: a last row that is repeated never wins against itself.
 * Without a branch: which lane wins cannot be foreseen. */
SCREE_INLINE int tops_first(const tops *t, double *value) {
    scree_v4 m = larger(t->most, __builtin_shufflevector(t->most, t->most, 2, 3,
                                                         0, 1));
    m = larger(m, __builtin_shufflevector(m, m, 1, 0, 3, 2));
    scree_v4 w = v4_select(t->most < m, v4_set(INT32_MAX), t->where);
    w = lesser(w, __builtin_shufflevector(w, w, 2, 3, 0, 1));
    w = lesser(w, __builtin_shufflevector(w, w, 1, 0, 3, 2));
    *value = m[0];
    return (int)w[0];
}

SCREE_INLINE int farthest(const double *p, int stride, int n, scree_vec3 d,
                          double *value) {
    const scree_v4x3 along = spread(d);
    tops t = tops_of(v4_dot(load3(p), along));
    for (int k = L; k < n; k += L)
        tops_take(&t, v4_dot(load3(p += stride), along));
    return tops_first(&t, value);
}

SCREE_WIDE
int scree_hull_farthest(const scree_hull *h, scree_vec3 d) {
    double most;
    return farthest(h->vertex4, 3 * L, h->n_vertex, d, &most);
}

SCREE_WIDE
int scree_hull_facing(const scree_hull *h, scree_vec3 d, double *most) {
    return farthest(h->plane4, 4 * L, h->n_face, d, most);
}

SCREE_INLINE scree_v4 over_plane(const double *p, scree_v4x3 x) {
    return v4_dot(load3(p), x) - v4_load(p + 3 * L);
}

SCREE_WIDE
int scree_hull_heights(const scree_hull *h, int n_face, scree_vec3 x,
                       double *height) {
    const scree_v4x3 at = spread(x);
    const double *p = h->plane4;
    const scree_v4 first = over_plane(p, at);
    tops t = tops_of(first);
    v4_store(height, first);
    for (int f = L; f < n_face; f += L) {
        const scree_v4 over = over_plane(p += 4 * L, at);
        v4_store(height + f, over);
        tops_take(&t, over);
    }
    double most;
    return tops_first(&t, &most);
}

/* Bit f of the lanes together: is face f above? */
typedef struct above {
    scree_m4 now, bits; /* the bits of the lanes, those found */
} above;

SCREE_INLINE void above_take(above *a, scree_m4 is) {
    a->bits |= is & a->now;
    a->now <<= L;
}

SCREE_WIDE
uint64_t scree_heights_above(const double *height, int n, double least) {
    const scree_v4 low = v4_set(least);
    above a = {.now = {1, 2, 4, 8}};
    for (int f = 0; f < n; f += L) above_take(&a, v4_load(height + f) >= low);
    const uint64_t bits =
        (uint64_t)(a.bits[0] | a.bits[1] | a.bits[2] | a.bits[3]);
    return n < SCREE_ABOVE ? bits & (((uint64_t)1 << n) - 1) : bits;
}
