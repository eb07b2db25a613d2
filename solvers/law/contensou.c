#include "solvers/law/contensou.h"

static bool contensou_acts(const scree_law_terms *terms) {
    return terms->drilling > 0 || terms->moment > 0; /* of a bond: bond.c */
}

static void contensou_enter(const scree_law_terms *terms, const double *state,
                            scree_row *row) {
    (void)state;
    if (terms->drilling == 0) return;
    row->laws |= SCREE_CONTENSOU;
    row->drill = contensou_lever(terms->drilling);
}

const scree_row_law scree_row_law_contensou = {
    .name = "contensou",
    .about = "friction and resistance to drilling in one ball",
    .general = true,
    .acts = contensou_acts,
    .enter = contensou_enter,
    .state = SCREE_MOMENT_STATE,
};
