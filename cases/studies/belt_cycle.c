#include "cases/studies/belt_cycle.h"

#include <math.h>

static void pass_level(belt_cycle *c, double t) {
    if (c->n == BELT_WAIT) c->first = t;
    c->last = t;
    ++c->n;
}

belt_cycle belt_cycle_run(trial *r, double level, series *out) {
    belt_cycle c = {.low = INFINITY, .high = -INFINITY};
    double before = INFINITY;
    while (c.n <= BELT_WAIT + BELT_CYCLES && trial_step(r, 500)) {
        const scree_dense *s = r->s;
        const double x = s->q[0];
        const double friction = s->ops->n_row ? s->P[0] / s->dt : 0;
        if (out) series_add(r->st, out, s->t, x, s->u[0], friction);
        if (before < level && x >= level)
            pass_level(&c,
                       study_crossing(s->t - s->dt, before, s->t, x, level));
        before = x;
        if (c.n <= BELT_WAIT) continue;
        c.low = fmin(c.low, x);
        c.high = fmax(c.high, x);
    }
    c.period = (c.last - c.first) / BELT_CYCLES;
    return c;
}
