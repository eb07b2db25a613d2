/* extrapolation.h: the extrapolation module of 002 sections 7, 8 and 9.2.
 *
 * In a smooth main step the midpoint rule with n substeps has an error
 * c_1 dt/n + c_2 (dt/n)^2 + ..., so k results T_{i,1}, i = 1..k, give one of
 * order k: the value at 0 of the polynomial through (1/n_i, T_{i,1}), by
 *
 *     T_{i,j+1} = T_{i,j} + (T_{i,j} - T_{i-1,j}) / (n_i / n_{i-j} - 1)   (42)
 *
 * n_i = 1, 3, 5, ... are odd. A contact that stays closed obeys
 * gamma_E = -eps gamma_B (45) whatever the step size, so n substeps give
 * (-eps)^n gamma_B. With n of both parities the T_{i,1} alternate in sign and
 * (42) amplifies what it should damp: a resting contact starts to hop. With odd
 * n all have one sign and each T_{i,i} is smaller than the one before. The second
 * remedy of section 8.2 keeps all n, and takes eps^(dt / dt_min) for eps in a main step
 * of size dt: eps where it resolves an impact, next to nothing where a contact stays.
 * scree_substeps_rule (scree.h) names the three. */
#ifndef SCREE_STEPPERS_EXTRAPOLATION_H
#define SCREE_STEPPERS_EXTRAPOLATION_H

#include "engine/steppers/substeps.h"

/* The exit flags of section 9.2, scree_dense.exit_flag. */
typedef enum scree_extrapolation_flag {
    SCREE_SMOOTH,            /* accuracy reached, or none was asked for */
    SCREE_SMOOTH_INACCURATE, /* out of order or of substeps >= dt_min */
    SCREE_SWITCH_DETECTED,   /* the state changes in a step > dt_min: aborted */
    SCREE_SWITCH_RESOLVED,   /* the state changes in a step of dt_min */
} scree_extrapolation_flag;

typedef struct scree_extrapolation {
    scree_main_step step;
    double dt_min;
    /* out */
    scree_extrapolation_flag flag;
    int order; /* of the result: how many T_{i,1} it is made of */
} scree_extrapolation;

/* One main step of order up to options->order. options->atol, rtol: the order
 * grows until max|T_{i,i} - T_{i-1,i-1}| <= atol + rtol max|T_{i,i}| over q and
 * u; both 0: it is options->order wherever dt allows. Leaves the end of the
 * step in s as scree_substeps does; the percussions are not extrapolated but
 * those of the finest T_{i,1}. After SCREE_SWITCH_DETECTED what is in s means
 * nothing. */
scree_status scree_extrapolate(scree_dense *s,
                               const scree_dense_options *options,
                               scree_extrapolation *x, scree_error *error);

/* Number of substeps of T_{i+1,1}, i from 0. */
int scree_substep_count(scree_substeps_rule rule, int i);
/* eps^(dt / dt_min), what SCREE_SUBSTEPS_FADING takes for eps. */
double scree_faded_restitution(double eps, double dt, double dt_min);

/* Adds row i (from 0) to the tableau. Columns are vectors of n_y: on entry
 * T[i] = T_{i,1} is new and T[i-j] = T_{i-1,j}; on exit T[i-j] = T_{i,j+1}, so
 * that T[0] is the result of highest order. n[0..i]: substeps of each row. */
void scree_aitken_neville(double *T, int n_y, const int *n, int i);

/* A step this small cannot be divided or refused. Room for rounding, since step
 * ends are moved to known switching times. */
static inline bool scree_is_minimal(double dt, double dt_min) {
    return dt <= 1.001 * dt_min;
}

#endif
