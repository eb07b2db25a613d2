/* schatzman_paoli.c: the scheme of Schatzman and Paoli with restitution (Paoli and
 * Schatzman 2002, Leine 2024). Impacts are not looked for: the unilateral constraint
 * holds for a mean of the positions before and after,
 *
 *     M (u_{i+1} - u_i) = dt h(q_i, u_i) + W_i P,      q_{i+1} = q_i + dt qdot(u_{i+1})
 *     0 <= g_N((q_{i+1} + e q_{i-1}) / (1 + e))  perp  P_N >= 0
 *
 * With gaps that are linear over the step, q_{i+1} - q_i = dt u_{i+1} and q_i - q_{i-1} =
 * dt u_i, that is a law on velocities,
 *
 *     0 <= gamma_{i+1} - e gamma_i + (1 + e) g_i / dt  perp  P_N >= 0.
 *
 * A body that comes with -v is slowed down in the step in which it closes, from a gap
 * below (1 - e) / (1 + e) v dt, and leaves with e v in the next one, whatever that gap was;
 * in between it overlaps by up to 2 e / (1 + e) v dt. First order; with e = 0 the scheme
 * semi-implicit-3 with a linear gap. Constraints that hold on both sides are g = 0. */
#include "engine/steppers/linear_gap.h"

static scree_law_entry law_rule(const void *context,
                                const scree_law_state *law) {
    const double dt = *(const double *)context;
    const double e = law->bilateral ? 0 : law->e_n;
    return (scree_law_entry){.acts = true,
                             .c_n = (1 + e) * law->g / dt - e * law->gamma_n};
}

static scree_status step_schatzman_paoli(const scree_system *system,
                                         const scree_step_options *options) {
    return step_with_linear_gap(system, options->dt, law_rule);
}

const scree_stepper_ops scree_stepper_schatzman_paoli = {
    .name = "schatzman-paoli",
    .about = "Schatzman-Paoli, restitution from positions of three times",
    .step = step_schatzman_paoli,
};
