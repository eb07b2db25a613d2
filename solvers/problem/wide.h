/* wide.h: four contacts at a time: their bodies gathered, W of round contacts,
 * operation by operation as in kernel.h, so that both give the same bits. */
#ifndef SCREE_SOLVERS_WIDE_H
#define SCREE_SOLVERS_WIDE_H

#include "solvers/problem/kernel.h"

/* Four bodies, column by column. */
typedef struct wide_twist {
    scree_v4x3 v;
    scree_v4 inv_m;
    scree_v4x3 w;
    scree_v4 inv_theta;
} wide_twist;

SCREE_INLINE wide_twist wide_load(const scree_twist *const body[SCREE_LANES]) {
    scree_v4 r[8];
    for (int l = 0; l < SCREE_LANES; ++l) {
        r[l] = v4_load(&body[l]->v.x);
        r[4 + l] = v4_load(&body[l]->w.x);
    }
    v4_transpose(&r[0], &r[1], &r[2], &r[3]);
    v4_transpose(&r[4], &r[5], &r[6], &r[7]);
    return (wide_twist){{r[0], r[1], r[2]}, r[3], {r[4], r[5], r[6]}, r[7]};
}

SCREE_INLINE void wide_store(scree_twist *const body[SCREE_LANES],
                             const wide_twist *t) {
    scree_v4 r[8] = {t->v.x, t->v.y, t->v.z, t->inv_m,
                     t->w.x, t->w.y, t->w.z, t->inv_theta};
    v4_transpose(&r[0], &r[1], &r[2], &r[3]);
    v4_transpose(&r[4], &r[5], &r[6], &r[7]);
    for (int l = 0; l < SCREE_LANES; ++l) {
        v4_store(&body[l]->v.x, r[l]);
        v4_store(&body[l]->w.x, r[4 + l]);
    }
}

SCREE_INLINE scree_v4x3 wide_get(const double v[3][SCREE_LANES]) {
    return (scree_v4x3){v4_load(v[0]), v4_load(v[1]), v4_load(v[2])};
}

SCREE_INLINE void wide_put(double v[3][SCREE_LANES], scree_v4x3 a) {
    v4_store(v[0], a.x);
    v4_store(v[1], a.y);
    v4_store(v[2], a.z);
}

/* W^T u and xi = W^T u + c of round contacts, the twins of row_xi. */
SCREE_INLINE scree_v4x3 wide_slip(const scree_block *k, const wide_twist *a,
                                  const wide_twist *b) {
    const scree_v4 arm_a = v4_load(k->arm_a), arm_b = v4_load(k->arm_b);
    const scree_v4x3 spin = {arm_a * a->w.x + arm_b * b->w.x,
                             arm_a * a->w.y + arm_b * b->w.y,
                             arm_a * a->w.z + arm_b * b->w.z};
    return v4_sub(v4_sub(a->v, b->v), v4_cross(spin, wide_get(k->n)));
}
SCREE_INLINE scree_v4x3 wide_xi(const scree_block *k, const wide_twist *a,
                                const wide_twist *b) {
    const scree_v4x3 dv = wide_slip(k, a, b), c = wide_get(k->c);
    return (scree_v4x3){dv.x + c.x, dv.y + c.y, dv.z + c.z};
}

/* u += M^-1 W dP of round contacts, the twin of row_push. */
SCREE_INLINE void wide_push(const scree_block *k, scree_v4 dP_n,
                            scree_v4x3 dP_t, wide_twist *a, wide_twist *b) {
    const scree_v4x3 n = wide_get(k->n);
    const scree_v4x3 dP = v4_add_scaled(dP_t, dP_n, n);
    const scree_v4x3 turn = v4_cross(n, dP_t);
    a->v = v4_add_scaled(a->v, a->inv_m, dP);
    b->v = v4_add_scaled(b->v, -b->inv_m, dP);
    a->w = v4_add_scaled(a->w, -a->inv_theta * v4_load(k->arm_a), turn);
    b->w = v4_add_scaled(b->w, -b->inv_theta * v4_load(k->arm_b), turn);
}

/* Asks for memory that will be read and written soon: what the hardware cannot
 * foresee. */
SCREE_INLINE void wide_ask(const void *from, size_t bytes) {
    for (size_t line = 0; line < bytes; line += 64)
        __builtin_prefetch((const char *)from + line, 1);
}
SCREE_INLINE void wide_ask_bodies(const scree_problem *p, const int32_t *a,
                                  const int32_t *b) {
    for (int l = 0; l < SCREE_LANES; ++l) {
        __builtin_prefetch(&p->u[a[l]], 1);
        __builtin_prefetch(&p->u[b[l]], 1);
    }
}

/* Where the bodies of four contacts are; the static one is `still`, so that each
 * thread reads and writes its own. */
SCREE_INLINE void wide_find(const scree_problem *p, const int32_t *a,
                            const int32_t *b, scree_twist *still,
                            scree_twist *pa[SCREE_LANES],
                            scree_twist *pb[SCREE_LANES]) {
    for (int l = 0; l < SCREE_LANES; ++l) {
        pa[l] = a[l] < p->n_body ? &p->u[a[l]] : still;
        pb[l] = b[l] < p->n_body ? &p->u[b[l]] : still;
    }
}

/* The bodies of a block, only to be read: the static one may be, by all. */
SCREE_INLINE void wide_look(const scree_twist *u, const scree_block *k,
                            wide_twist *a, wide_twist *b) {
    const scree_twist *pa[SCREE_LANES], *pb[SCREE_LANES];
    for (int l = 0; l < SCREE_LANES; ++l)
        pa[l] = &u[k->a[l]], pb[l] = &u[k->b[l]];
    *a = wide_load(pa);
    *b = wide_load(pb);
}

/* wide_push of a block on its bodies. */
SCREE_INLINE void wide_move(const scree_problem *p, const scree_block *k,
                            scree_v4 dP_n, scree_v4x3 dP_t) {
    scree_twist still = {0}, *pa[SCREE_LANES], *pb[SCREE_LANES];
    wide_find(p, k->a, k->b, &still, pa, pb);
    wide_twist a = wide_load((const scree_twist *const *)pa);
    wide_twist b = wide_load((const scree_twist *const *)pb);
    wide_push(k, dP_n, dP_t, &a, &b);
    wide_store(pa, &a);
    wide_store(pb, &b);
}

#endif
