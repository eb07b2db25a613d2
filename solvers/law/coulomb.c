#include "solvers/law/coulomb.h"

/* Every row's own law: who makes the row sets mu. */
const scree_row_law scree_row_law_coulomb = {
    .name = "coulomb",
    .about = "friction up to mu times the normal percussion: a disc",
};
