/* slip_ode.h: a model while its only law slips, as an ordinary differential
 * equation on acceleration level: a reference that shares nothing with the
 * steppers but the model.
 *
 *     M du/dt = h + w_N lambda_N + W_F lambda_F,   d = gamma_F / |gamma_F|
 *     contact:   lambda_F = -mu lambda_N d,  d(gamma_N)/dt = 0 gives lambda_N
 *     friction:  lambda_F = -a d
 *
 * It holds until the slip ends, which the caller has to know. */
#ifndef SCREE_SLIP_ODE_H
#define SCREE_SLIP_ODE_H

#include "cases/studies/study.h"

/* Advances t, q and u of s by `time`, in n steps of RK4. */
void slip_ode_run(study *st, scree_dense *s, double time, int n);

#endif
