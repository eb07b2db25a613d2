/* patch.c: the features with which a core meets a direction; what they are is
 * said by each shape. */
#include "contact/narrow/clip.h"
#include "contact/solid/shape.h"

void scree_axial_line(const scree_placed *p, scree_vec3 out,
                      scree_patch *patch) {
    patch->n = 0;
    patch->face = (uint16_t)scree_feature(SCREE_EDGE, 0);
    for (int end = 0; end < 2; ++end)
        scree_patch_put(patch, add(scree_segment_end(p, end), out), end, 0);
}

void scree_face_patch(const scree_placed *p, int f, scree_vec3 d,
                      scree_patch *patch) {
    patch->n = 0;
    patch->face = (uint16_t)scree_feature(SCREE_FACE, f);
    scree_ops_of(p->solid)->face(p, f, d, patch);
}

bool scree_edge_patch(const scree_placed *p, scree_vec3 d, scree_patch *patch) {
    const scree_solid_ops *ops = scree_ops_of(p->solid);
    return ops->edge && ops->edge(p, d, patch);
}

void scree_facing_patch(const scree_placed *p, scree_vec3 d,
                        scree_patch *patch) {
    scree_ops_of(p->solid)->facing(p, d, patch);
}

int scree_face_towards(const scree_placed *p, scree_vec3 d,
                       scree_vec3 *normal) {
    const scree_solid_ops *ops = scree_ops_of(p->solid);
    return ops->face_towards ? ops->face_towards(p, d, normal) : -1;
}
