#include "solvers/law/bond.h"

#include "engine/base/elementary/elementary.h"
#include "solvers/problem/row.h"

static bool bond_acts(const scree_law_terms *terms) {
    return terms->tension > 0;
}

/* The lesser arm, for drilling; none makes the moment's limit weigh more than ten times
 * that of shear. */
static double lever_of(const scree_law_terms *terms, const scree_row *row) {
    const double a = norm(row->r_a), b = norm(row->r_b);
    return fmax(b > 0 ? fmin(a, b) : a, 0.1 * terms->moment / terms->shear);
}

/* Without a moment it is a hinge, whatever the contact would be. */
static void bond_enter(const scree_law_terms *terms, const double *state,
                       scree_row *row) {
    if (state[SCREE_BOND_SHARE] <= 0) return;
    row->laws &= (uint8_t) ~(SCREE_ELLIPSE | SCREE_ROLLING | SCREE_CONTENSOU);
    row->ratio = row->roll = row->drill = 0;
    row->mu = SCREE_GLUE * terms->shear / terms->tension;
    if (terms->moment == 0) return;
    row->laws |= SCREE_ROLLING | SCREE_CONTENSOU;
    row->roll = SCREE_GLUE * terms->moment / terms->tension;
    row->drill = lever_of(terms, row);
    row->mu = SCREE_GLUE *
              scree_hypot(terms->shear, terms->moment / row->drill) /
              terms->tension;
}

static bool bond_is_passed(const scree_law_terms *terms,
                           const scree_law_step *step, double share) {
    const double most = share * step->dt, P_n = dot(step->n, step->P);
    const scree_vec3 P_t = add_scaled(step->P, -P_n, step->n);
    if (-P_n > most * terms->tension || norm(P_t) > most * terms->shear)
        return true;
    return terms->moment > 0 && norm(step->M) > most * terms->moment;
}

static void bond_advance(const scree_law_terms *terms,
                         const scree_law_step *step, double *state) {
    const double share = state[SCREE_BOND_SHARE];
    if (share > 0 && bond_is_passed(terms, step, share))
        state[SCREE_BOND_SHARE] = -share;
}

extern const scree_row_law scree_row_law_bond;
const scree_row_law scree_row_law_bond = {
    .name = "bond",
    .about = "glue that holds until a force or a moment passes its limit",
    .acts = bond_acts,
    .enter = bond_enter,
    .state = {.name = "bond", .first = SCREE_BOND_SHARE, .n = 2},
    .advance = bond_advance,
};
