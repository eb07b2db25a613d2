#include "contact/heightfield.h"
#include "contact/touch.h"

int scree_on_terrain(const scree_placed *a, const scree_plane *wall,
                     double reach, scree_touch *touches) {
    return scree_heightfield_touch(wall->field, a, reach, touches);
}
