/* weakening.c: an example of a law that keeps something of a contact: friction that
 * weakens with the slip s that the contact has gone while it bore load,
 *     mu(s) = mu_k + (mu_s - mu_k) exp(-s / s_0).
 * Rows are Coulomb's with that mu: the law has no set of its own.
 *
 * Terms: friction is mu_s, own[0] mu_k, own[1] s_0 [m]. State: s [m], number 3. */
#include "engine/base/elementary/elementary.h"
#include "solvers/problem/row.h"

enum { SLIP = 3 };

static bool weakening_acts(const scree_law_terms *terms) {
    return terms->own[1] > 0;
}

static void weakening_enter(const scree_law_terms *terms, const double *state,
                            scree_row *row) {
    const double least = terms->own[0], range = terms->friction - least;
    row->mu = least + range * scree_exp(-state[SLIP] / terms->own[1]);
}

static void weakening_advance(const scree_law_terms *terms,
                              const scree_law_step *step, double *state) {
    (void)terms;
    if (dot(step->n, step->P) > 0) state[SLIP] += norm(step->slip);
}

extern const scree_row_law scree_row_law_weakening;
const scree_row_law scree_row_law_weakening = {
    .name = "weakening",
    .about = "friction that weakens with slip",
    .acts = weakening_acts,
    .enter = weakening_enter,
    .state = {.name = "slip", .first = SLIP, .n = 1},
    .advance = weakening_advance,
};
