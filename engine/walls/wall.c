#include "engine/walls/wall.h"

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
    free(wall->table);
    wall->table = NULL;
    wall->mesh = NULL, wall->field = NULL, wall->chain = NULL;
    wall->revolved = NULL;
}

scree_status scree_world_borrow_walls(scree_world *world,
                                      const scree_world *from) {
    for (int k = 0; k < from->scene.n_wall; ++k) {
        scree_wall wall = from->scene.walls[k];
        wall.borrowed = true;
        wall.drive.slot = -1;
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

/* ---- motion and drive of its own ------------------------------------------- */

static scree_status check_table(const scree_motion *m, scree_error *error) {
    if (m->n_table == 0) return SCREE_OK;
    REQUIRE(m->n_table >= 2 && m->table,
            "a table of a wall's motion has less than 2 entries");
    REQUIRE(scree_finite_all(m->along, 3) && norm(vec_from(m->along)) > 0,
            "direction of a wall's table is zero or not finite");
    REQUIRE(scree_finite_all(m->table, 3 * m->n_table),
            "a table of a wall's motion is not finite");
    for (int k = 1; k < m->n_table; ++k)
        REQUIRE(m->table[3 * k] > m->table[3 * (k - 1)],
                "times in a table of a wall's motion do not grow: %g s after "
                "%g s",
                m->table[3 * k], m->table[3 * (k - 1)]);
    return SCREE_OK;
}

scree_status scree_motion_check(const scree_motion *m, scree_error *error) {
    REQUIRE(
        scree_finite_all(m->velocity, 3) && scree_finite_all(m->amplitude, 3) &&
            scree_finite_all(m->origin, 3) && scree_finite_all(m->axis, 3) &&
            isfinite(m->frequency) && isfinite(m->phase) && isfinite(m->rate),
        "wall motion is not finite");
    REQUIRE(m->rate == 0 || norm(vec_from(m->axis)) > 0,
            "axis of a rotating wall is zero");
    return check_table(m, error);
}

static scree_status copy_table(scree_motion *m, double **own) {
    const size_t size = (size_t)m->n_table * 3 * sizeof *m->table;
    if (m->n_table == 0) return SCREE_OK;
    *own = malloc(size);
    if (!*own) return SCREE_OUT_OF_MEMORY;
    memcpy(*own, m->table, size);
    m->table = *own;
    return SCREE_OK;
}

/* A driven wall is one more body of the problem. */
scree_status scree_wall_make_own(scree_world *world, scree_wall *w) {
    const bool flat = !w->mesh && !w->field && !w->chain && !w->revolved;
    const bool driven = w->def.servo.kind != SCREE_SERVO_NONE;
    scree_bodies *b = &world->state.bodies;
    b->walls = world->scene.n_driven + driven;
    TRY(scree_bodies_reserve(b, b->n));
    TRY(copy_table(&w->def.motion, &w->table));
    w->drive = scree_drive_of(&w->def.servo, flat ? w->def.normal : NULL,
                              world->def.planar);
    if (driven) w->drive.slot = world->scene.n_driven++;
    return SCREE_OK;
}

/* ---- segments ------------------------------------------------------------ */

scree_segments_def scree_segments_def_default(void) {
    const scree_plane_def plane = scree_plane_def_default();
    return (scree_segments_def){.motion = plane.motion,
                                .servo = plane.servo,
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
    w.def.servo = def->servo;
    w.def.material = def->material;
    w.def.from = def->from, w.def.until = def->until;
    TRY(scree_wall_check(world, &w.def, false, error));
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
                                .servo = plane.servo,
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

/* What it turns about. */
typedef struct pivot {
    scree_vec3 origin, axis;
} pivot;

static pivot pivot_of(const scree_wall *wall) {
    const scree_motion *m = &wall->def.motion;
    return wall->drive.turns ? (pivot){wall->drive.origin, wall->drive.axis}
                             : (pivot){vec_from(m->origin), vec_from(m->axis)};
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
    w.def.servo = def->servo;
    w.def.material = def->material;
    w.def.from = def->from, w.def.until = def->until;
    TRY(scree_wall_check(world, &w.def, false, error));
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
    const pivot p = pivot_of(wall);
    const scree_vec3 axis = p.axis,
                     arm = sub(vec_from(wall->def.point), p.origin);
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
    plane->x =
        add(vec_from(wall->def.point), sub(plane->o, pivot_of(wall).origin));
}

/* ---- motion -------------------------------------------------------------- */

/* Where a table is at time t, and how fast. */
static double table_way(const scree_motion *m, double t, double *speed) {
    const double *at = m->table, *end = at + 3 * (m->n_table - 1);
    *speed = 0;
    if (m->n_table == 0) return 0;
    if (t < at[0]) return at[1];
    while (at < end && t >= at[3]) at += 3;
    if (at == end) return at[1];
    *speed = (at[4] - at[1]) / (at[3] - at[0]);
    return at[1] + (t - at[0]) * *speed;
}

static double table_speed(const scree_motion *m) {
    double most = 0;
    for (int k = 1; k < m->n_table; ++k) {
        const double *at = m->table + 3 * (k - 1);
        most = fmax(most, fabs(at[4] - at[1]) / (at[3] - at[0]));
    }
    return most;
}

/* How far it went by prescription; velocity and bound of the speed likewise. */
static scree_vec3 shift_at(const scree_motion *m, double t,
                           scree_vec3 *velocity, double *v_max) {
    const scree_vec3 v = vec_from(m->velocity), A = vec_from(m->amplitude);
    const double omega = 2.0 * SCREE_PI * m->frequency;
    const double swing = scree_sin(omega * t + m->phase) - scree_sin(m->phase);
    const scree_vec3 shift = add(scale(t, v), scale(swing, A));
    *velocity = add_scaled(v, omega * scree_cos(omega * t + m->phase), A);
    *v_max = norm(v) + fabs(omega) * norm(A);
    if (m->n_table == 0) return shift;
    const scree_vec3 along = vec_from(m->along);
    double speed;
    const double way = table_way(m, t, &speed);
    *velocity = add_scaled(*velocity, speed, along);
    *v_max += table_speed(m);
    return add_scaled(shift, way, along);
}

/* A driven wall is where the drive took it besides. */
static void add_drive(const scree_wall *wall, scree_plane *plane,
                      scree_vec3 *shift, double *angle) {
    const scree_drive *d = &wall->drive;
    if (wall->def.servo.kind == SCREE_SERVO_NONE) return;
    if (d->turns) {
        *angle = d->s;
        plane->rate = d->bound;
    } else {
        *shift = add_scaled(*shift, d->s, d->direction);
        plane->v_max += d->bound;
    }
}

void scree_wall_move(scree_wall *wall, scree_plane *plane, double t) {
    const scree_motion *m = &wall->def.motion;
    const pivot p = pivot_of(wall);
    double angle = m->rate * t;
    plane->rate = m->rate;
    scree_vec3 shift = shift_at(m, t, &wall->velocity, &plane->v_max);
    add_drive(wall, plane, &shift, &angle);
    const scree_quat R = quat_from_vector(scale(angle, p.axis));

    plane->o = add(p.origin, shift);
    plane->n = quat_rotate(R, vec_from(wall->def.normal));
    const scree_vec3 arm = sub(vec_from(wall->def.point), p.origin);
    plane->d = dot(plane->n, add(plane->o, quat_rotate(R, arm)));
    plane->mesh = wall->mesh, plane->field = wall->field;
    plane->chain = wall->chain, plane->revolved = wall->revolved;
    plane->R = quat_matrix(R);
    plane->x = sub(plane->o, quat_rotate(R, p.origin));
    plane->exists = wall->def.from <= t && t < wall->def.until;
    if (wall->revolved) place_revolved(wall, plane);

    wall->spin = scale(m->rate, p.axis);
}

scree_vec3 scree_wall_prescribed(const scree_wall *wall,
                                 const scree_plane *plane, scree_vec3 x) {
    return add(wall->velocity, cross(wall->spin, sub(x, plane->o)));
}

scree_vec3 scree_wall_velocity(const scree_wall *wall, const scree_plane *plane,
                               scree_vec3 x) {
    const scree_vec3 v = scree_wall_prescribed(wall, plane, x);
    return wall->def.servo.kind == SCREE_SERVO_NONE
               ? v
               : add(v, scree_drive_velocity(&wall->drive, x));
}
