#include "contact/narrow/touch.h"
#include "contact/surface/chain.h"

int scree_on_segments(const scree_placed *a, const scree_plane *wall,
                      double reach, scree_touch *touches) {
    return scree_chain_touch(wall->chain, a, reach, touches);
}
