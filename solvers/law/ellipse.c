#include "solvers/law/ellipse.h"

/* Nearer to the normal than this, a direction says nothing [rad]. */
static const double UPRIGHT = 1e-6;

static bool ellipse_acts(const scree_law_terms *terms) {
    return terms->ratio > 0;
}

/* f = n x e; without an e in the tangent plane friction is isotropic. */
static void ellipse_enter(const scree_law_terms *terms, const double *state,
                          scree_row *row) {
    (void)state;
    const scree_vec3 across = cross(row->n, terms->along);
    const double size = norm(across);
    if (size < UPRIGHT) return;
    row->laws |= SCREE_ELLIPSE;
    row->ratio = terms->ratio;
    row->across = scale(1 / size, across);
}

const scree_row_law scree_row_law_ellipse = {
    .name = "ellipse",
    .about = "friction that is not the same in all directions: an ellipse",
    .general = true,
    .acts = ellipse_acts,
    .enter = ellipse_enter,
};
