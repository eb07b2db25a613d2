#include "contact/narrow/touch.h"
#include "contact/surface/revolved.h"

int scree_on_revolved(const scree_placed *a, const scree_plane *wall,
                      double reach, scree_touch *touches) {
    return scree_revolved_touch(wall->revolved, a, reach, touches);
}
