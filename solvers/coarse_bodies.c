#include "solvers/coarse_parts.h"
bool scree_coarse_is_small(const scree_problem *p) {
    (void)p;
    return false;
}
scree_coarse_result scree_coarse_move_bodies(scree_coarse *c) {
    (void)c;
    return SCREE_COARSE_UNFIT;
}
