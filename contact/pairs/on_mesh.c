#include "contact/narrow/touch.h"
#include "contact/surface/mesh.h"

int scree_on_mesh(const scree_placed *a, const scree_plane *wall, double reach,
                  scree_touch *touches) {
    return scree_mesh_touch(wall->mesh, a, reach, touches);
}
