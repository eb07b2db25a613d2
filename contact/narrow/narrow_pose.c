/* narrow_pose.c: what many pairs ask of one body, worked out once for all of them. */
#include "contact/narrow/narrow_parts.h"
#include "engine/base/error.h"
#include "engine/base/parallel.h"

typedef struct posing {
    const scree_scene *scene;
    scree_stance *stances;
} posing;

static double fastest_point(const scree_scene *scene, int32_t body, bool also) {
    const scree_velocity u = scree_narrow_velocity(scene, body, also);
    return norm(u.v) + scene->x[body].r * norm(u.w);
}

static void pose_chunk(void *context, int64_t first, int64_t last) {
    const posing *p = context;
    const scree_scene *scene = p->scene;
    for (int64_t i = first; i < last; ++i) {
        p->stances[i].fastest = fastest_point(scene, (int32_t)i, false);
        if (scene->also)
            p->stances[i].fastest = fmax(
                p->stances[i].fastest, fastest_point(scene, (int32_t)i, true));
        if (!scree_narrow_is_sphere(scene, (int32_t)i))
            p->stances[i].R = quat_matrix(scene->q[i]);
    }
}

scree_status scree_narrow_pose(scree_scene *scene, scree_contacts *contacts) {
    TRY(scree_reserve(&contacts->stances, &contacts->stances_capacity, scene->n,
                      sizeof *contacts->stances));
    posing p = {scene, contacts->stances};
    scree_parallel_for(scene->n, scene->threads, pose_chunk, &p);
    scene->stances = contacts->stances;
    return SCREE_OK;
}

bool scree_narrow_any_surface(const scree_scene *scene) {
    for (int w = 0; w < scene->n_wall; ++w)
        if (scree_plane_is_surface(&scene->walls[w])) return true;
    return false;
}
