#include "contact/narrow/touch.h"

int scree_on_plane(const scree_placed *a, const scree_plane *wall, double reach,
                   scree_touch *touches) {
    return scree_solid_plane(a, wall->n, wall->d, reach, touches);
}
