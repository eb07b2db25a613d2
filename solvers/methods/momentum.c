#include "solvers/methods/momentum.h"

#include "solvers/problem/wide.h"

bool scree_momentum_watch(scree_momentum *m, double residual) {
    const bool grew = residual > m->last_residual;
    if (grew) {
        m->k = 0;
        m->most = fmax(fmin(m->least, m->most), 1 - 1.5 * (1 - m->most));
    }
    m->last_residual = residual;
    return grew;
}

/* Masses go along: they stay what they are. */
SCREE_WIDE
void scree_momentum_extrapolate(scree_problem *p, const int32_t *list,
                                int64_t first, int64_t last,
                                const void *context) {
    const scree_momentum *m = context;
    const scree_v4 b = v4_set(m->b);
    const bool set = m->b > 0; /* else u_last may not be yet */
    for (int64_t i = first; i < last; ++i) {
        scree_twist *u = &p->u[list[i]], *before = &m->u_last[list[i]];
        const scree_v4 v = v4_load(&u->v.x), w = v4_load(&u->w.x);
        if (set) {
            v4_store(&u->v.x, v + b * (v - v4_load(&before->v.x)));
            v4_store(&u->w.x, w + b * (w - v4_load(&before->w.x)));
        }
        v4_store(&before->v.x, v);
        v4_store(&before->w.x, w);
    }
}

void scree_momentum_correct(scree_momentum *m, scree_coarse *coarse,
                            int count) {
    scree_twist *u_last = m->most > 0 ? m->u_last : NULL;
    if (!scree_coarse_improve(coarse, u_last, count)) return;
    m->last_residual = INFINITY;
    if (coarse->small) m->k = 0;
}
