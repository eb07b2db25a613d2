#include "solvers/law/tied.h"

const scree_row_law scree_row_law_tied = {
    .name = "tied",
    .about = "friction along a given direction (rattle's midslip)",
};
