/* fields.h: coarse-graining, the mean fields of bodies and contacts on a grid.
 *
 * Of a cell, with bodies i whose centres lie in it and contacts c with the branch l_c from
 * the centre of a to that of b, or to the point on a wall, and the mean force f_c on a
 * over the last step,
 *
 *     rho   = sum m_i / V,   rho v = sum m_i v_i / V,   nu = sum V_i / V
 *     S^k   = sum m_i (v_i - v) (x) (v_i - v) / V,   T = tr S^k / (d rho)
 *     S^c   = -sum_c f_c (x) l_c s_c / V     s_c: the share of l_c in the cell
 *
 * (Goldhirsch 2010; S^c is his line integral, exact in boxes). Stress is positive in
 * compression. A kernel of reach w spreads the sums below over cells nearer than w
 * (bins.h), all with the same weights: totals stay, and so do the balances between
 * fields, whatever w. It sees a body in the middle of its cell: take cells of w / 2 or
 * less. Sums over time are sums of these, so means over time are weighted by mass, and
 * fluctuations are about them.
 *
 * Sums have the same bits for any ranks (slices.h). Cost: for each body 13 and each contact
 * some 30 additions; smoothing and division only where fields are read. */
#ifndef SCREE_MEASURE_FIELDS_H
#define SCREE_MEASURE_FIELDS_H

#include "engine/measure/bins.h"
#include "engine/world/view.h"

/* Columns of sums over a cell. Tensors of six numbers: xx, yy, zz, xy, yz, xz. */
enum {
    SCREE_SUM_BODIES,
    SCREE_SUM_MASS,                          /* [kg] */
    SCREE_SUM_VOLUME,                        /* [m^3] */
    SCREE_SUM_MOMENTUM,                      /* 3 [N s] */
    SCREE_SUM_FLOW = SCREE_SUM_MOMENTUM + 3, /* m v (x) v, 6 [J] */
    SCREE_SUM_TOUCHES = SCREE_SUM_FLOW + 6,  /* of its bodies */
    SCREE_SUM_CONTACTS,                      /* by the middle of the branch */
    SCREE_SUM_FORCE,                         /* |f| of those [N] */
    SCREE_SUM_FABRIC,                        /* n (x) n, 6 */
    SCREE_SUM_STRESS = SCREE_SUM_FABRIC + 6, /* -f (x) l s, 9 by rows [J] */
    SCREE_SUM_WIDTH = SCREE_SUM_STRESS + 9
};

/* Adds the state of now, and the forces of the last step, to sums (cells x
 * SCREE_SUM_WIDTH), the same on all ranks. Collective. */
scree_status scree_fields_add(const scree_bins *grid, const scree_world *world,
                              double *sums);

/* Columns of fields. */
enum {
    SCREE_MEAN_SOLID,                                 /* nu [-] */
    SCREE_MEAN_DENSITY,                               /* rho [kg/m^3] */
    SCREE_MEAN_VELOCITY,                              /* v, 3 [m/s] */
    SCREE_MEAN_TEMPERATURE = SCREE_MEAN_VELOCITY + 3, /* T [m^2/s^2] */
    SCREE_MEAN_KINETIC,                               /* S^k, 6 [Pa] */
    SCREE_MEAN_CONTACT = SCREE_MEAN_KINETIC + 6,      /* S^c, 9 [Pa] */
    SCREE_MEAN_PRESSURE = SCREE_MEAN_CONTACT + 9, /* tr (S^k + S^c) / d [Pa] */
    SCREE_MEAN_FABRIC,                            /* mean n (x) n, 6 [-] */
    SCREE_MEAN_TOUCHES = SCREE_MEAN_FABRIC + 6,   /* mean of bodies [-] */
    SCREE_MEAN_STRAIN, /* (grad v + grad v^T) / 2, 6 [1/s] */
    SCREE_MEAN_FORCE = SCREE_MEAN_STRAIN + 6, /* mean |f| [N] */
    SCREE_MEAN_WIDTH
};

/* Fields (cells x SCREE_MEAN_WIDTH) of smoothed sums over `samples` states. What has no
 * meaning without bodies or contacts is NAN there. */
void scree_fields_read(const scree_bins *grid, const double *sums,
                       double samples, double *fields);

#endif
