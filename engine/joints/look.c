#include "engine/base/elementary/elementary.h"
#include "engine/joints/joints.h"

/* ---- poses ---------------------------------------------------------------------- */

typedef struct pose {
    scree_vec3 x;
    scree_quat q;
} pose;

static pose pose_of(const scree_world *world, int32_t i, bool at_begin) {
    const scree_bodies *b = &world->state.bodies;
    if (i >= b->n) return (pose){vec(0, 0, 0), (scree_quat){1, 0, 0, 0}};
    if (at_begin) return (pose){b->begin[i].x, b->begin[i].q};
    return (pose){b->x[i].x, b->q[i]};
}

static scree_quat conjugate_of(scree_quat q) {
    return (scree_quat){q.w, -q.x, -q.y, -q.z};
}

/* The rotation vector of a unit quaternion. */
static scree_vec3 vector_of(scree_quat q) {
    const scree_vec3 v = vec(q.x, q.y, q.z);
    const double sine = norm(v), side = q.w < 0 ? -1 : 1;
    if (sine < 1e-12) return scale(2 * side, v);
    return scale(2 * scree_atan2(side * sine, side * q.w) / sine, v);
}

/* ---- bars ----------------------------------------------------------------------- */

/* In the plane bodies move along x and y and turn about z alone. */
static void add_bar(const scree_world *world, scree_joint_look *look,
                    scree_bar_role role, bool turns, scree_vec3 d, double gap) {
    const bool along_z = fabs(d.z) > 0.5;
    if (world->def.planar && turns != along_z) return;
    look->bar[look->n].role = role;
    look->bar[look->n].turns = turns;
    look->bar[look->n].d = d;
    look->bar[look->n++].gap = gap;
}

/* Two directions across the axis, which go with b. */
static scree_vec3 across_axis(const scree_world *world, scree_vec3 axis,
                              int k) {
    const scree_vec3 z = vec(0, 0, 1);
    const scree_vec3 t = world->def.planar && fabs(axis.z) < 0.5
                             ? cross(z, axis)
                             : perpendicular(axis);
    return k ? cross(axis, t) : t;
}

/* Frames of both bodies: they agree where nothing is turned. */
typedef struct frames {
    scree_quat a, b, error; /* from b to a, in space */
    scree_vec3 d[3];        /* the axis and those across it, on b */
    scree_vec3 between;     /* of the points, from b to a */
} frames;

static frames find_frames(const scree_world *world, const scree_joint *j,
                          scree_quat q_a, scree_quat q_b, scree_vec3 between) {
    frames f = {.a = quat_mul(q_a, conjugate_of(j->twist)),
                .b = q_b,
                .between = between};
    f.error = quat_mul(f.a, conjugate_of(f.b));
    f.d[0] = quat_rotate(q_b, j->axis);
    for (int k = 0; k < 2; ++k)
        f.d[1 + k] = quat_rotate(q_b, across_axis(world, j->axis, k));
    return f;
}

static void hold_points(const scree_world *world, const frames *f, int first,
                        scree_joint_look *look) {
    for (int k = first; k < 3; ++k)
        add_bar(world, look, SCREE_BAR_HOLDS, false, f->d[k],
                dot(f->d[k], f->between));
}

static void hold_turning(const scree_world *world, const frames *f, int first,
                         scree_vec3 angles, scree_joint_look *look) {
    for (int k = first; k < 3; ++k)
        add_bar(world, look, SCREE_BAR_HOLDS, true, f->d[k],
                dot(f->d[k], angles));
}

/* The angle about the axis, next to the one before. */
static double hinge_angle(const scree_joint *j, const frames *f) {
    const double turn = 2 * M_PI;
    const scree_vec3 v = vec(f->error.x, f->error.y, f->error.z);
    const double a = 2 * scree_atan2(dot(v, f->d[0]), f->error.w);
    return a + turn * nearbyint((j->angle - a) / turn);
}

static bool is_driven(const scree_joint *j) {
    return j->motor || j->friction > 0;
}

/* The nearer of the limits. */
static void add_limit(const scree_world *world, const scree_joint *j,
                      const frames *f, bool turns, scree_joint_look *look) {
    const double low = look->position - j->limits[0];
    const double high = j->limits[1] - look->position;
    const bool lower = low < high;
    add_bar(world, look, SCREE_BAR_STOPS, turns,
            lower ? f->d[0] : scale(-1, f->d[0]), lower ? low : high);
}

static void look_at_hinge(const scree_world *world, const scree_joint *j,
                          int row, const frames *f, scree_joint_look *look) {
    const scree_vec3 axis_a = quat_rotate(f->a, j->axis);
    look->position = hinge_angle(j, f);
    if (row > 0) {
        add_limit(world, j, f, true, look);
        return;
    }
    hold_points(world, f, 0, look);
    hold_turning(world, f, 1, cross(f->d[0], axis_a), look);
    if (is_driven(j)) add_bar(world, look, SCREE_BAR_DRIVES, true, f->d[0], 0);
}

static void look_at_slider(const scree_world *world, const scree_joint *j,
                           int row, const frames *f, scree_joint_look *look) {
    look->r_b = add(look->r_b, f->between); /* where a is */
    look->position = dot(f->d[0], f->between);
    if (row > 0) {
        add_limit(world, j, f, false, look);
        return;
    }
    hold_points(world, f, 1, look);
    hold_turning(world, f, 0, vector_of(f->error), look);
    if (is_driven(j)) add_bar(world, look, SCREE_BAR_DRIVES, false, f->d[0], 0);
}

/* Points that have come together have no direction: any will do. */
static void look_at_line(const scree_world *world, const scree_joint *j,
                         int row, scree_vec3 between, scree_joint_look *look) {
    const double distance = norm(between);
    const scree_vec3 d =
        distance > 0 ? scale(1 / distance, between) : vec(1, 0, 0);
    look->position = distance;
    if (j->kind == SCREE_JOINT_CABLE)
        add_bar(world, look,
                j->stiffness > 0 ? SCREE_BAR_SPRINGS : SCREE_BAR_STOPS, false,
                scale(-1, d), j->length - distance);
    else
        add_bar(world, look,
                j->kind == SCREE_JOINT_ROD ? SCREE_BAR_HOLDS
                : row > 0                  ? SCREE_BAR_LOADS
                                           : SCREE_BAR_SPRINGS,
                false, d, distance - j->length);
}

/* ---- a joint ---------------------------------------------------------------------- */

void scree_joint_look_at(const scree_world *world, const scree_joint *j,
                         int row, bool at_begin, scree_joint_look *look) {
    const scree_bodies *bodies = &world->state.bodies;
    *look = (scree_joint_look){.a = scree_bodies_place(bodies, j->a)};
    look->b = j->b >= 0 ? scree_bodies_place(bodies, j->b)
                        : bodies->n + bodies->walls;
    const pose a = pose_of(world, look->a, at_begin);
    const pose b = pose_of(world, look->b, at_begin);
    look->r_a = quat_rotate(a.q, j->on_a);
    look->r_b = quat_rotate(b.q, j->on_b);
    look->at_a = add(a.x, look->r_a), look->at_b = add(b.x, look->r_b);
    const scree_vec3 between = sub(look->at_a, look->at_b);
    if (j->kind >= SCREE_JOINT_ROD) {
        look_at_line(world, j, row, between, look);
        return;
    }
    const frames f = find_frames(world, j, a.q, b.q, between);
    look->position = norm(between);
    if (j->kind == SCREE_JOINT_HINGE) {
        look_at_hinge(world, j, row, &f, look);
    } else if (j->kind == SCREE_JOINT_SLIDER) {
        look_at_slider(world, j, row, &f, look);
    } else {
        hold_points(world, &f, 0, look);
        if (j->kind == SCREE_JOINT_FIXED)
            hold_turning(world, &f, 0, vector_of(f.error), look);
    }
}

scree_velocity scree_joint_velocity(const scree_world *world, int32_t i) {
    if (i >= world->state.bodies.n)
        return (scree_velocity){vec(0, 0, 0), vec(0, 0, 0)};
    const scree_twist *u = &world->state.bodies.u[i];
    return (scree_velocity){u->v, u->w};
}

void scree_look_velocity(const scree_joint_look *look, scree_velocity a,
                         scree_velocity b, scree_vec3 *xi, scree_vec3 *omega) {
    *xi = sub(add(a.v, cross(a.w, look->r_a)), add(b.v, cross(b.w, look->r_b)));
    *omega = sub(a.w, b.w);
}
