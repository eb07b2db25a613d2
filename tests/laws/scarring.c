/* scarring.c: an example of a law that keeps something of a body: friction on walls that
 * grows with the way s which the body has ploughed, and which it forgets in flight,
 *     mu(s) = mu_0 + (mu - mu_0) 2 / pi atan(kappa s),
 *     ds/dt = |slip| where a wall bears it, -beta s else.
 *
 * Terms: friction is mu, own[0] mu_0, own[2] kappa [1/m], own[3] beta [1/s].
 * State of bodies: s [m], number 0. */
#include "engine/base/elementary/elementary.h"
#include "solvers/problem/row.h"

static bool scarring_acts(const scree_law_terms *terms) {
    return terms->own[2] > 0;
}

static void scarring_enter(const scree_law_terms *terms, const double *state,
                           scree_row *row) {
    static const double TWO_BY_PI = 0.63661977236758134;
    const double least = terms->own[0], range = terms->friction - least;
    const double s = terms->body ? terms->body[0] : 0;
    (void)state;
    row->mu = least + range * TWO_BY_PI * scree_atan(terms->own[2] * s);
}

static void scarring_advance(const scree_law_terms *terms,
                             const scree_body_step *step, double *state) {
    if (step->bears)
        state[0] += step->way;
    else
        state[0] *= scree_exp(-terms->own[3] * step->dt);
}

extern const scree_row_law scree_row_law_scarring;
const scree_row_law scree_row_law_scarring = {
    .name = "scarring",
    .about = "friction that grows with the way ploughed",
    .acts = scarring_acts,
    .enter = scarring_enter,
    .body = {.name = "ploughed", .first = 0, .n = 1},
    .advance_body = scarring_advance,
};
