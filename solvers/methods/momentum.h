/* momentum.h: velocities and percussions go on as they went (Nesterov 1983).
 *
 * Before sweep k, with b = min(b_max, (k - 1)/(k + 2 + delay)),
 *     u <- u + b (u - u_last),      x_i = P_i + b (P_i - P_i,last),
 * and the prox step of contact i starts from x_i. Both stay consistent, since u is
 * linear in P. When the residual grows from one check to the next the momentum starts
 * again from k = 1, and b_max falls. Cost: one pass over the bodies per sweep. */
#ifndef SCREE_SOLVERS_MOMENTUM_H
#define SCREE_SOLVERS_MOMENTUM_H

#include "solvers/coarse/coarse.h"
#include "solvers/problem/pass.h"
#include "solvers/problem/wide.h"

typedef struct scree_momentum {
    double b;             /* of this sweep */
    double most;          /* b_max */
    double least;         /* b_max falls no further */
    double delay;         /* of the growth of b */
    int k;                /* sweeps since the momentum started */
    double last_residual; /* at the last check */
    scree_twist *u_last;  /* (n_body) one sweep ago */
} scree_momentum;

/* Goes on to the next sweep. */
static inline void scree_momentum_step(scree_momentum *m) {
    ++m->k;
    m->b = fmin(m->most, (m->k - 1.0) / (m->k + 2.0 + m->delay));
}

/* A frame goes on as velocities will in the next sweep. */
static inline void scree_momentum_carry_frame(const scree_momentum *m,
                                              scree_problem *p) {
    scree_momentum next = *m;
    if (!p->strain.on || m->most == 0) return;
    scree_momentum_step(&next);
    scree_strain_extrapolate(p, next.b);
}

/* After a check of the residual; returns whether it grew. */
bool scree_momentum_watch(scree_momentum *m, double residual);

/* Before `count` sweeps: coarse corrections, if it is time for one. After it the next
 * residual is none to judge momentum by; after a step of all bodies it starts again. */
void scree_momentum_correct(scree_momentum *m, scree_coarse *coarse, int count);

/* context: a scree_momentum. The bodies' part of it. */
scree_body_work scree_momentum_extrapolate;

/* A lane's part: P becomes x, P_last becomes P. */
static inline void lane_extrapolate(scree_four *k, int lane, double b) {
    const double n = k->P_n[lane];
    const scree_vec3 t = lane_get(k->P_t, lane);
    lane_store(k, lane, n + b * (n - k->P_n_last[lane]),
               add_scaled(t, b, sub(t, lane_get(k->P_t_last, lane))));
    k->P_n_last[lane] = n;
    lane_set(k->P_t_last, lane, t);
}

/* Four lanes' part: x, while P stays until wide_keep. */
typedef struct wide_percussion {
    scree_v4 n;
    scree_v4x3 t;
} wide_percussion;

SCREE_INLINE wide_percussion wide_extrapolate(const wide_percussion *P,
                                              const scree_four *k, double b) {
    const scree_v4 by = v4_set(b);
    return (wide_percussion){
        P->n + by * (P->n - v4_load(k->P_n_last)),
        v4_add_scaled(P->t, by, v4_sub(P->t, wide_get(k->P_t_last)))};
}
SCREE_INLINE wide_percussion wide_percussion_of(const scree_four *k) {
    return (wide_percussion){v4_load(k->P_n), wide_get(k->P_t)};
}
/* P becomes `to`, P_last what P was. */
SCREE_INLINE void wide_keep(scree_four *k, const wide_percussion *last,
                            scree_v4 P_n, scree_v4x3 P_t) {
    v4_store(k->P_n, P_n);
    wide_put(k->P_t, P_t);
    v4_store(k->P_n_last, last->n);
    wide_put(k->P_t_last, last->t);
}

static inline void lane_extrapolate_moment(scree_general *k, int lane,
                                           double b) {
    const scree_vec3 M = lane_get(k->M, lane);
    lane_set(k->M, lane, add_scaled(M, b, sub(M, lane_get(k->M_last, lane))));
    lane_set(k->M_last, lane, M);
}

#endif
