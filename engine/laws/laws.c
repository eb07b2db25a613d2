#include "engine/laws/laws.h"

#include <math.h>

/* Slow contacts close without it; but where a body is hit elsewhere, those that
 * open slowly must have it as well, or they would make energy. */
static bool restitution_acts(const scree_gap_control *control,
                             const scree_law_state *law) {
    return (law->e_n > 0 || law->e_t > 0 || law->poisson) &&
           (fabs(law->gamma_n) > control->restitution_speed + law->pull ||
            (law->struck && law->gamma_n > 0));
}

/* Moreau's scheme to the letter. */
static scree_law_entry enter_closed(const scree_law_state *law) {
    const double closed = fmax(SCREE_CLOSED * law->length, law->band);
    return (scree_law_entry){.acts = law->g <= closed,
                             .c_n = law->poisson ? 0 : law->e_n * law->gamma_n,
                             .e_t = law->poisson ? 0 : law->e_t};
}

/* Of a contact that was found ahead the gap may be negative (laws.h). */
static double least_shift(const scree_gap_control *control,
                          const scree_law_state *law) {
    if (!law->ahead) return 0;
    return fmin(law->gamma_n, control->push ? -law->spin : 0);
}

scree_law_entry scree_law_enter(const void *context,
                                const scree_law_state *law) {
    const scree_gap_control *control = context;
    if (law->bilateral) return (scree_law_entry){.acts = true};
    if (law->bonded)
        return (scree_law_entry){.acts = true, .c_n = law->g / control->dt};
    if (!control->on) return enter_closed(law);
    const double zone = fmax(SCREE_DEAD_ZONE * law->length, law->band);
    const double beyond = law->g - zone;
    const double gap = fmax(beyond / control->dt, least_shift(control, law));
    const double bounce = law->poisson ? 0 : law->e_n * law->gamma_n;
    const bool closes = (beyond <= 0 && !law->ahead) || law->closes;
    const bool passes = beyond + control->dt * law->gamma_n < 0;
    if (!restitution_acts(control, law) || (law->gamma_n < 0 && !closes))
        return (scree_law_entry){.acts = closes || !(law->struck || passes),
                                 .c_n = gap};
    return (scree_law_entry){.acts = true,
                             .c_n =
                                 law->gamma_n < 0 ? bounce : fmax(bounce, gap),
                             .e_t = law->poisson ? 0 : law->e_t,
                             .hit = law->gamma_n < 0};
}
