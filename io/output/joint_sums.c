#include "io/output/joint_sums.h"

#include <math.h>

static void add_joint(scree_joint_sums *s, const scree_joint_view *v) {
    s->dissipated += v->dissipated, s->stored += v->stored, s->work += v->work;
    s->force = fmax(s->force, v->force);
    s->broken += v->broken;
    if (v->b == SCREE_GROUND) {
        s->anchor_force = fmax(s->anchor_force, v->force);
        s->most_force = fmax(s->most_force, v->most_force);
    }
    if (v->kind == SCREE_JOINT_CABLE && v->length > 0)
        s->stretch = fmax(s->stretch, v->most_distance / v->length);
}

scree_joint_sums scree_joint_sums_of(const scree_world *world, int group) {
    scree_joint_sums sums = {0};
    for (int64_t k = 0; k < scree_world_joint_count(world); k++) {
        scree_joint_view v;
        if (scree_world_read_joint(world, k, &v) == SCREE_OK &&
            v.group == group)
            add_joint(&sums, &v);
    }
    return sums;
}
