#include "engine/world/wall.h"

#include <stdlib.h>
#include <string.h>

#include "contact/surface/chain.h"
#include "contact/surface/heightfield.h"
#include "contact/surface/mesh.h"
#include "contact/surface/revolved.h"
#include "engine/world/make.h"
#include "engine/world/world.h"

void scree_wall_free(scree_wall *wall) {
    if (wall->borrowed) return;
    if (wall->mesh) scree_mesh_free(wall->mesh);
    if (wall->field) scree_heightfield_free(wall->field);
    if (wall->chain) scree_chain_free(wall->chain);
    if (wall->revolved) scree_revolved_free(wall->revolved);
    free(wall->mesh);
    free(wall->field);
    free(wall->chain);
    free(wall->revolved);
    wall->mesh = NULL, wall->field = NULL, wall->chain = NULL;
    wall->revolved = NULL;
}

scree_status scree_world_borrow_walls(scree_world *world,
                                      const scree_world *from) {
    for (int k = 0; k < from->scene.n_wall; ++k) {
        scree_wall wall = from->scene.walls[k];
        wall.borrowed = true;
        wall.percussion = vec(0, 0, 0);
        TRY(scree_world_append_wall(world, &wall, NULL));
    }
    return SCREE_OK;
}

scree_status scree_world_borrow_scene(scree_world *world,
                                      const scree_world *from) {
    world->scene.borrowed = true;
    world->scene.materials = from->scene.materials;
    world->scene.n_material = from->scene.n_material;
    world->scene.pair_laws = from->scene.pair_laws;
    world->scene.forms = from->scene.forms;
    world->scene.n_form = from->scene.n_form;
    return scree_world_borrow_walls(world, from);
}

/* ---- segments ------------------------------------------------------------ */

scree_segments_def scree_segments_def_default(void) {
    const scree_plane_def plane = scree_plane_def_default();
    return (scree_segments_def){.motion = plane.motion,
                                .from = plane.from,
                                .until = plane.until,
                                .cookie = SCREE_COOKIE};
}

static scree_status make_chain(const scree_segments_def *def,
                               scree_chain *chain, scree_error *error) {
    scree_vec3 *points = malloc((size_t)def->n_point * sizeof *points);
    if (!points) return SCREE_OUT_OF_MEMORY;
    for (int i = 0; i < def->n_point; ++i)
        points[i] = vec_from(&def->points[3 * i]);
    const scree_status status = scree_chain_make(
        chain, points, def->n_point, def->closed, def->thickness, error);
    free(points);
    return status;
}

scree_status scree_world_add_segments(scree_world *world,
                                      const scree_segments_def *def,
                                      int *wall) {
    scree_error *error = &world->error;
    if (!def || def->cookie != SCREE_COOKIE)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "segments definition does not come from "
                          "scree_segments_def_default()");
    if (!world->def.planar)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "segments are walls of plane worlds");
    if (def->n_point < 1 || !def->points)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "segments have no points");
    scree_wall w = {.def = scree_plane_def_default()};
    w.def.motion = def->motion;
    w.def.material = def->material;
    w.def.from = def->from, w.def.until = def->until;
    TRY(scree_wall_check(world, &w.def, error));
    w.chain = calloc(1, sizeof *w.chain);
    scree_status status =
        w.chain ? make_chain(def, w.chain, error) : SCREE_OUT_OF_MEMORY;
    if (status == SCREE_OK) status = scree_world_append_wall(world, &w, wall);
    if (status != SCREE_OK) scree_wall_free(&w);
    return status;
}

/* ---- surfaces of revolution ---------------------------------------------- */

scree_revolved_def scree_revolved_def_default(void) {
    const scree_plane_def plane = scree_plane_def_default();
    return (scree_revolved_def){.axis = {0, 0, 1},
                                .motion = plane.motion,
                                .from = plane.from,
                                .until = plane.until,
                                .cookie = SCREE_COOKIE};
}

static scree_status check_revolved(const scree_world *world,
                                   const scree_revolved_def *def,
                                   scree_error *error) {
    const scree_vec3 point = vec_from(def->point), axis = vec_from(def->axis);
    REQUIRE(!world->def.planar, "a plane world has no surfaces of revolution");
    REQUIRE(isfinite(norm(point)),
            "point of a surface of revolution is not finite");
    REQUIRE(isfinite(norm(axis)) && norm(axis) > 0,
            "axis of a surface of revolution is zero or not finite");
    return SCREE_OK;
}

/* Turns z to the axis. */
static scree_mat3 frame_of_axis(scree_vec3 axis) {
    const scree_vec3 z = scale(1 / norm(axis), axis), x = perpendicular(z);
    return (scree_mat3){x, cross(z, x), z};
}

scree_status scree_world_add_revolved(scree_world *world,
                                      const scree_revolved_def *def,
                                      int *wall) {
    scree_error *error = &world->error;
    REQUIRE(def && def->cookie == SCREE_COOKIE,
            "definition of a surface of revolution does not come from "
            "scree_revolved_def_default()");
    TRY(check_revolved(world, def, error));
    scree_wall w = {.def = scree_plane_def_default()};
    memcpy(w.def.point, def->point, sizeof w.def.point);
    w.def.motion = def->motion;
    w.def.material = def->material;
    w.def.from = def->from, w.def.until = def->until;
    TRY(scree_wall_check(world, &w.def, error));
    w.frame = frame_of_axis(vec_from(def->axis));
    w.revolved = calloc(1, sizeof *w.revolved);
    scree_status status =
        w.revolved ? scree_revolved_make(w.revolved, def->profile, def->n_point,
                                         def->endless, error)
                   : SCREE_OUT_OF_MEMORY;
    if (status == SCREE_OK) status = scree_world_append_wall(world, &w, wall);
    if (status != SCREE_OK) scree_wall_free(&w);
    return status;
}

/* Does it turn about its own axis? Then its surface stays where it is. */
static bool turns_in_itself(const scree_wall *wall) {
    const scree_motion *m = &wall->def.motion;
    const scree_vec3 axis = vec_from(m->axis),
                     arm = sub(vec_from(wall->def.point), vec_from(m->origin));
    const double off = norm(cross(wall->frame.z, axis)),
                 far = norm(cross(arm, axis));
    return off < 1e-12 && far <= 1e-12 * (norm(arm) + wall->revolved->r[0]);
}

static void place_revolved(const scree_wall *wall, scree_plane *plane) {
    const scree_mat3 R = plane->R, *F = &wall->frame;
    plane->x = add(plane->x, mat3_mul(&R, vec_from(wall->def.point)));
    plane->R = (scree_mat3){mat3_mul(&R, F->x), mat3_mul(&R, F->y),
                            mat3_mul(&R, F->z)};
    if (!turns_in_itself(wall)) return;
    plane->rate = 0;
    plane->R = *F;
    plane->x = add(vec_from(wall->def.point),
                   sub(plane->o, vec_from(wall->def.motion.origin)));
}

/* ---- motion -------------------------------------------------------------- */

void scree_wall_move(scree_wall *wall, scree_plane *plane, double t) {
    const scree_motion *m = &wall->def.motion;
    const scree_vec3 v = vec_from(m->velocity), A = vec_from(m->amplitude);
    const double omega = 2.0 * SCREE_PI * m->frequency;
    const double swing = scree_sin(omega * t + m->phase) - scree_sin(m->phase);
    const scree_vec3 shift = add(scale(t, v), scale(swing, A));
    const scree_vec3 o = vec_from(m->origin);
    const scree_vec3 axis = vec_from(m->axis);
    const scree_quat R = quat_from_vector(scale(m->rate * t, axis));

    plane->o = add(o, shift);
    plane->n = quat_rotate(R, vec_from(wall->def.normal));
    const scree_vec3 arm = sub(vec_from(wall->def.point), o);
    plane->d = dot(plane->n, add(plane->o, quat_rotate(R, arm)));
    plane->mesh = wall->mesh, plane->field = wall->field;
    plane->chain = wall->chain, plane->revolved = wall->revolved;
    plane->R = quat_matrix(R);
    plane->x = sub(plane->o, quat_rotate(R, o));
    plane->v_max = norm(v) + fabs(omega) * norm(A);
    plane->rate = m->rate;
    plane->exists = wall->def.from <= t && t < wall->def.until;
    if (wall->revolved) place_revolved(wall, plane);

    wall->velocity = add_scaled(v, omega * scree_cos(omega * t + m->phase), A);
    wall->spin = scale(m->rate, axis);
}

scree_vec3 scree_wall_velocity(const scree_wall *wall, const scree_plane *plane,
                               scree_vec3 x) {
    return add(wall->velocity, cross(wall->spin, sub(x, plane->o)));
}
