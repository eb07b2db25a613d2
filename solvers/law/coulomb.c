#include "solvers/law/coulomb.h"

static bool coulomb_acts(const scree_law_terms *terms) {
    return terms->friction > 0;
}

static void coulomb_enter(const scree_law_terms *terms, const double *state,
                          scree_row *row) {
    (void)state;
    row->mu = terms->friction;
}

const scree_row_law scree_row_law_coulomb = {
    .name = "coulomb",
    .about = "friction up to mu times the normal percussion: a disc",
    .acts = coulomb_acts,
    .enter = coulomb_enter,
};
