#include "solvers/law/rolling.h"

static bool rolling_acts(const scree_law_terms *terms) {
    return terms->rolling > 0 || terms->moment > 0; /* of a bond: bond.c */
}

static void rolling_enter(const scree_law_terms *terms, const double *state,
                          scree_row *row) {
    (void)state; /* where the solve starts is for the stepper to say */
    if (terms->rolling == 0) return;
    row->laws |= SCREE_ROLLING;
    row->roll = terms->rolling;
}

const scree_row_law scree_row_law_rolling = {
    .name = "rolling",
    .about = "a moment up to an arm times the normal percussion",
    .general = true,
    .acts = rolling_acts,
    .enter = rolling_enter,
    .state = SCREE_MOMENT_STATE,
};
