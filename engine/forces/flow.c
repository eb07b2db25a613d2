/* flow.c: the velocity of a body in a fluid at rest, over a step.
 *
 *     dv/dt = a - (c + k |v|) v
 *
 * With the rate lambda = c + k (|v_0| + |v_1|) / 2 held over the step, which is that of its
 * middle to second order, the solution is
 *
 *     v_1 = v_0 + dt phi(lambda dt) (a - lambda v_0),    phi(x) = (1 - exp(-x)) / x,
 *
 * exact without k, and exact at the terminal velocity a = (c + k |v|) v whatever dt is. From
 * elsewhere steps of any length lead to it: as dt -> inf, v_1 (v_0 + v_1) = 2 a / k has the
 * slope -1/3 there. The rate of the mean of both ends, not that at the middle of a
 * predictor, is what makes it so: the latter comes back to any v_0. */
#include "engine/base/elementary/elementary.h"
#include "engine/forces/forces.h"

/* Some 6 rounds are as a rule enough. */
enum { MOST_ROUNDS = 60 };
static const double ENOUGH = 1e-15;

/* (1 - exp(-x)) / x; by its series where the difference would cancel. */
static double mean_decay(double x) {
    if (x > 0.03) return (1 - scree_exp(-x)) / x;
    double sum = 1;
    for (int k = 7; k > 1; --k) sum = 1 - x / k * sum;
    return sum;
}

static scree_vec3 change_at(const scree_flow *f, scree_vec3 v, double rate,
                            double dt) {
    return scale(dt * mean_decay(rate * dt), add_scaled(f->a, -rate, v));
}

/* Of the rate by which v_1 was found, that of both ends. */
static double rate_after(const scree_flow *f, scree_vec3 v, double rate,
                         double dt) {
    const scree_vec3 end = add(v, change_at(f, v, rate, dt));
    return f->linear + 0.5 * f->quadratic * (norm(v) + norm(end));
}

/* Between |v_1| = 0 and |v_1| = |v_0| + |a| dt, by regula falsi (Illinois): an end that stays
 * counts half. */
static double rate_of(const scree_flow *f, scree_vec3 v, double dt) {
    double low = f->linear + 0.5 * f->quadratic * norm(v);
    double high = low + 0.5 * f->quadratic * (norm(v) + norm(f->a) * dt);
    double above = rate_after(f, v, low, dt) - low,
           below = rate_after(f, v, high, dt) - high, rate = low;
    for (int k = 0, side = 0; k < MOST_ROUNDS && above > below; ++k) {
        rate = (low * below - high * above) / (below - above);
        const double off = rate_after(f, v, rate, dt) - rate;
        if (fabs(off) <= ENOUGH * rate) break;
        if (off > 0) {
            low = rate, above = off;
            if (side > 0) below *= 0.5;
            side = 1;
        } else {
            high = rate, below = off;
            if (side < 0) above *= 0.5;
            side = -1;
        }
    }
    return rate;
}

scree_vec3 scree_flow_change(const scree_flow *flow, scree_vec3 v, double dt) {
    const double rate =
        flow->quadratic > 0 ? rate_of(flow, v, dt) : flow->linear;
    return change_at(flow, v, rate, dt);
}
