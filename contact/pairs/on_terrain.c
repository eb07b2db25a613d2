#include "contact/narrow/touch.h"
#include "contact/surface/heightfield.h"

int scree_on_terrain(const scree_placed *a, const scree_plane *wall,
                     double reach, scree_touch *touches) {
    return scree_heightfield_touch(wall->field, a, reach, touches);
}
