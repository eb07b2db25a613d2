/* move.c: kinematics and forces of free bodies.
 *
 *     x <- x + v dt,     q <- exp(omega dt / 2) q,     v <- v + g dt
 *
 * The rotation is exact for constant omega, which spheres keep while free; what
 * other bodies do is in shapes.c. */
#include "engine/base/parallel.h"
#include "engine/step/step.h"
#include "engine/step/stress.h"
#include "engine/step/timer.h"

typedef struct task {
    const scree_world *world;
    double dt;
    scree_vec3 g;
} task;

static scree_vec3 moved_by(const task *t, scree_vec3 x, scree_vec3 v) {
    return t->world->scene.cell
               ? add(x, scree_world_way(t->world, scale(t->dt, v)))
               : add_scaled(x, t->dt, v);
}

static void move_chunk(void *context, int64_t first, int64_t last) {
    const task *t = context;
    const scree_bodies *b = &t->world->state.bodies;
    for (int64_t i = first; i < last; ++i) {
        b->x[i].x = moved_by(t, b->x[i].x, b->u[i].v);
        scree_world_turn(t->world, (int32_t)i, t->dt);
    }
}

/* The same with the velocities at the beginning of the step. */
static void drift_chunk(void *context, int64_t first, int64_t last) {
    const task *t = context;
    const scree_bodies *b = &t->world->state.bodies;
    for (int64_t i = first; i < last; ++i) {
        const scree_velocity *u = &b->u_b[i];
        b->x[i].x = moved_by(t, b->x[i].x, u->v);
        b->q[i] =
            quat_unit(quat_mul(quat_from_vector(scale(t->dt, u->w)), b->q[i]));
    }
}

static void move_bodies(scree_world *world, double dt, bool from_begin) {
    const double start = scree_clock();
    task t = {.world = world, .dt = dt};
    scree_servo_bound(world);
    scree_world_stop(world, dt, from_begin);
    scree_servo_move(world, dt);
    scree_parallel_for(world->state.bodies.n, world->def.threads,
                       from_begin ? drift_chunk : move_chunk, &t);
    world->state.t += dt;
    scree_world_move_cell(world, dt);
    scree_world_place_cell(world);
    scree_phase_charge(&world->accounts.cost, SCREE_PHASE_INTEGRATE, start);
}

void scree_world_move(void *self, double dt) {
    move_bodies(self, dt, false);
}

void scree_world_drift(void *self, double dt) {
    move_bodies(self, dt, true);
}

static void kick_chunk(void *context, int64_t first, int64_t last) {
    const task *t = context;
    const scree_bodies *b = &t->world->state.bodies;
    for (int64_t i = first; i < last; ++i) {
        scree_twist *u = &b->u[i];
        b->u_b[i] = (scree_velocity){u->v, u->w};
        if (scree_is_kinematic(u)) continue;
        u->v = add_scaled(u->v, t->dt, t->g);
        if (!b->push) continue;
        u->v = add(u->v, b->push[i].first.v);
        u->w = add(u->w, b->push[i].first.w);
    }
}

void scree_world_kick(void *self, double dt) {
    scree_world *world = self;
    const double start = scree_clock();
    task t = {.world = world, .dt = dt, .g = world->state.gravity};
    scree_parallel_for(world->state.bodies.n, world->def.threads, kick_chunk,
                       &t);
    scree_stress_mark(world);
    scree_servo_kick(world, dt);
    scree_phase_charge(&world->accounts.cost, SCREE_PHASE_INTEGRATE, start);
}

/* Positions beyond this are lost, finite or not: squares overflow. */
static const double FARTHEST = 1e100;
/* Faster than light [m/s]: the step has gone wrong, long before numbers do. */
static const double FASTEST = 1e9;

static bool is_bounded(scree_vec3 a, double bound) {
    return fabs(a.x) < bound && fabs(a.y) < bound && fabs(a.z) < bound;
}

static bool is_real(scree_quat q) {
    return isfinite(q.w + q.x + q.y + q.z);
}

/* What of a body is no number any more, or NULL. */
static const char *lost_part(const scree_bodies *b, int32_t i) {
    if (!is_bounded(b->x[i].x, FARTHEST)) return "position";
    if (!is_real(b->q[i])) return "orientation";
    if (!isfinite(norm(b->u[i].v))) return "velocity";
    return isfinite(b->x[i].r * norm(b->u[i].w)) ? NULL : "angular velocity";
}

static scree_status body_lost(scree_world *world, int32_t i) {
    const scree_bodies *b = &world->state.bodies;
    const double v = norm(b->u[i].v), rw = b->x[i].r * norm(b->u[i].w);
    const long long id = (long long)b->id[i],
                    step = (long long)world->state.steps;
    const char *part = lost_part(b, i);
    if (part)
        return scree_fail(&world->error, SCREE_NOT_FINITE,
                          "body %lld is not finite in step %lld (t = %g s): "
                          "its %s",
                          id, step, world->state.t, part);
    return scree_fail(&world->error, SCREE_NOT_FINITE,
                      "body %lld runs away in step %lld (t = %g s): %.3g m/s, "
                      "and its spin moves its surface at %.3g m/s",
                      id, step, world->state.t, v, rw);
}

static bool is_lost(const scree_bodies *b, int32_t i) {
    return !is_bounded(b->x[i].x, FARTHEST) ||
           !is_bounded(b->u[i].v, FASTEST) ||
           !is_bounded(scale(b->x[i].r, b->u[i].w), FASTEST) ||
           !is_real(b->q[i]);
}

/* Whether all are real, and how far the fastest goes for its size: both read the
 * same numbers. */
static scree_status check_bodies(scree_world *world) {
    const scree_bodies *b = &world->state.bodies;
    double most = 0; /* v^2 / r^2 */
    for (int32_t i = 0; i < b->n; ++i) {
        if (is_lost(b, i)) return body_lost(world, i);
        const double v2 = dot(b->u[i].v, b->u[i].v), r = b->x[i].r;
        if (v2 > most * r * r) most = v2 / (r * r);
    }
    world->step.stride = 0.5 * world->state.dt * sqrt(most);
    return SCREE_OK;
}

scree_status scree_world_check_finite(scree_world *world) {
    return scree_world_agree(world, check_bodies(world));
}
