#include "engine/laws.h"

#include <math.h>

static bool closed(const scree_law_state *law) {
    return law->g <= SCREE_CLOSED * law->length;
}

static bool restitution_acts(const scree_gap_control *control,
                             const scree_law_state *law) {
    return (law->e_n > 0 || law->e_t > 0) &&
           fabs(law->gamma_n) > control->restitution_speed;
}

scree_law_entry scree_law_enter(const scree_gap_control *control,
                                const scree_law_state *law) {
    if (law->bilateral) return (scree_law_entry){true, 0.0, 0.0};
    if (!control->on || restitution_acts(control, law))
        return (scree_law_entry){closed(law), law->e_n * law->gamma_n,
                                 law->e_t};
    /* The narrow phase hands over only what is within reach. */
    return (scree_law_entry){true, fmax(law->g, 0.0) / control->dt, 0.0};
}
