/* dense_impact.h: Poisson's impact law for a small system.
 *
 * A hit has two phases, of one inclusion each. Compression brings the contacts to rest along
 * their normals; decompression gives back what it stored:
 *     compression     0 <= gamma_N  perp  P_C >= 0                 friction in D(mu P_C)
 *     decompression   0 <= gamma_N  perp  P_D - e_N P_C >= 0       friction in D(mu P_D)
 * Newton's law instead asks for a velocity, which friction may pay for: Kane's paradox. If all
 * contacts that hit each other have the same e_N and none slips, both laws are one.
 *
 * What was not stored is not given back: the percussion that bears weight. That is taken for
 * the larger one of the last step's, and of the one that gravity alone would need.
 *
 * Tangential, e_T: a contact gives back e_N e_T P_T as friction did along it, as far as it
 * does not slip the other way without: gamma_T = s in place of 0, with s from the contact's
 * own block (exact for a contact alone). */
#ifndef SCREE_SYSTEM_DENSE_IMPACT_H
#define SCREE_SYSTEM_DENSE_IMPACT_H

#include "engine/system/dense_system.h"

/* Decompression after the solve of `compression`, whose P and u go on to those of both phases.
 * fall: (n_row) what forces added to the velocities of rows before it; before: (n_row) P of
 * the last step. */
scree_status scree_dense_decompress(scree_dense *s,
                                    const scree_dense_inclusion *compression,
                                    const double *fall, const double *before,
                                    const scree_dense_options *options,
                                    scree_report *report, scree_error *error);

#endif
