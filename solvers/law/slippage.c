/* slippage.c: friction of ground that grows with what a rock has pushed up before it,
 * and that it leaves behind in flight. Leine, Schweizer, Christen, Glover, Bartelt,
 * Gerber 2014, section 4:
 *
 *     mu(s) = mu_min + 2 / pi (mu_max - mu_min) atan(kappa s)                    (46)
 *     ds/dt = |v_S| where a wall bears the rock, -beta s in flight               (47)
 *     s_E = s_B + dt |v_S,E|, or s_B exp(-beta dt)                               (51)
 *
 * s is one number of a rock, whatever corners touch; v_S is the velocity of its centre of
 * mass, so that a rock that rolls without slip pushes ground up as well. Rows are
 * Coulomb's with mu(s) of the beginning of the step: the law has no set of its own.
 *
 * Terms: friction is mu_max, least mu_min, growth kappa, decay beta. State of bodies: s,
 * number 1. The drag of the ground is no matter of contacts (engine/laws/drag.c). */
#include "engine/base/elementary/elementary.h"
#include "solvers/problem/row.h"

enum { SLIPPAGE = 1 };
static const double TWO_BY_PI = 0.63661977236758134;

static bool slippage_acts(const scree_law_terms *terms) {
    return terms->growth > 0;
}

/* Where two bodies meet, s is of neither: friction is the least. */
static void slippage_enter(const scree_law_terms *terms, const double *state,
                           scree_row *row) {
    const double s = terms->body ? terms->body[SLIPPAGE] : 0;
    const double range = terms->friction - terms->least;
    (void)state;
    row->mu = terms->least + range * TWO_BY_PI * scree_atan(terms->growth * s);
}

static void slippage_advance(const scree_law_terms *terms,
                             const scree_body_step *step, double *state) {
    if (step->bears)
        state[SLIPPAGE] += step->travel;
    else
        state[SLIPPAGE] *= scree_exp(-terms->decay * step->dt);
}

extern const scree_row_law scree_row_law_slippage;
const scree_row_law scree_row_law_slippage = {
    .name = "slippage",
    .about = "friction of ground that grows with the way of a rock on it",
    .acts = slippage_acts,
    .enter = slippage_enter,
    .body = {.name = "slippage", .first = SLIPPAGE, .n = 1},
    .advance_body = slippage_advance,
};
