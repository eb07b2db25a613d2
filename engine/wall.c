#include "engine/wall.h"

#include <stdlib.h>

#include "contact/heightfield.h"
#include "contact/mesh.h"

void scree_wall_free(scree_wall *wall) {
    if (wall->mesh) scree_mesh_free(wall->mesh);
    if (wall->field) scree_heightfield_free(wall->field);
    free(wall->mesh);
    free(wall->field);
    wall->mesh = NULL, wall->field = NULL;
}

void scree_wall_move(scree_wall *wall, scree_plane *plane, double t) {
    const scree_motion *m = &wall->def.motion;
    const scree_vec3 v = vec_from(m->velocity), A = vec_from(m->amplitude);
    const double omega = 2.0 * SCREE_PI * m->frequency;
    const double swing = sin(omega * t + m->phase) - sin(m->phase);
    const scree_vec3 shift = add(scale(t, v), scale(swing, A));
    const scree_vec3 o = vec_from(m->origin);
    const scree_vec3 axis = vec_from(m->axis);
    const scree_quat R = quat_from_vector(scale(m->rate * t, axis));

    plane->o = add(o, shift);
    plane->n = quat_rotate(R, vec_from(wall->def.normal));
    const scree_vec3 arm = sub(vec_from(wall->def.point), o);
    plane->d = dot(plane->n, add(plane->o, quat_rotate(R, arm)));
    plane->mesh = wall->mesh, plane->field = wall->field;
    plane->R = quat_matrix(R);
    plane->x = sub(plane->o, quat_rotate(R, o));
    plane->v_max = norm(v) + fabs(omega) * norm(A);
    plane->rate = m->rate;
    plane->exists = wall->def.from <= t && t < wall->def.until;

    wall->velocity = add_scaled(v, omega * cos(omega * t + m->phase), A);
    wall->spin = scale(m->rate, axis);
}

scree_vec3 scree_wall_velocity(const scree_wall *wall, const scree_plane *plane,
                               scree_vec3 x) {
    return add(wall->velocity, cross(wall->spin, sub(x, plane->o)));
}
