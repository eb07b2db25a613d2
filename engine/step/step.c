/* step.c: one step of the world, and what must hold after it. The stepper of the case
 * makes it of the operations below; Moreau's with gap control reads
 *
 *     drag       ground holds back what it bears                           drag.c
 *     begin      new bodies are kept from closing on their first half step  begin.c
 *     move       q_M = q_B + u_B dt/2, past no surface             move.c, stop.c
 *     detect     walls, Verlet list, contacts at q_M                     detect.c
 *     meet       two spheres that hit alone: to where they touch           meet.c
 *     push       what forces add to velocities                engine/forces/forces.c
 *     assemble   contacts to rows: W, c                                assemble.c
 *     kick       u = u_B + M^-1 h dt                                       move.c
 *                and what contacts attract                             cohesion.c
 *     solve      P, and u_E = u + M^-1 W P, in two phases  solve.c, ../laws/poisson.c
 *     complete   contacts that P closes enter; solve again             complete.c
 *     account    P to pairs, walls and books                     solve.c, work.c
 *     part       the two spheres back, with u_E                            meet.c
 *     recover    some of the overlap is worked off, u stays            recovery.c
 *     move       q_E = q_M + u_E dt/2
 *
 * Steps may choose their size (choose.c). A step in which a crowd lands fast is taken in
 * parts, each of which reads so (parts.c).
 * Then the step counts, its books are settled, and its state must be finite. */
#include "engine/step/step.h"
#include "engine/forces/forces.h"
#include "engine/joints/joints.h"
#include "engine/step/stress.h"

#include <string.h>

#include "engine/base/assert.h"
#include "engine/world/state.h"
#include "engine/world/valid.h"

static const scree_system_ops world_ops = {
    .move = scree_world_move,
    .drift = scree_world_drift,
    .detect = scree_world_detect,
    .assemble = scree_world_assemble,
    .kick = scree_world_kick,
    .solve = scree_world_solve,
    .account = scree_world_account,
    .begin = scree_world_begin,
    .meet = scree_world_meet,
    .part = scree_world_part,
    .complete = scree_world_complete,
    .recover = scree_world_recover,
    .position_stage = scree_world_position_stage,
    .velocity_stage = scree_world_velocity_stage,
};

/* Values that "auto" stands for, scree.h at scree_world_def. */
double scree_world_recovery_velocity(const scree_world *world) {
    const double given = world->def.recovery_velocity;
    const double g = scree_world_load_scale(world);
    if (world->step.smooth) return 0;
    return given >= 0 ? given : 0.1 * sqrt(g * scree_world_mean_radius(world));
}

/* Of steps that choose themselves it does not follow the long ones: choose.c. */
double scree_world_restitution_speed(const scree_world *world) {
    const double given = world->def.restitution_speed;
    const double g = scree_world_load_scale(world), motion = world->def.motion;
    const double by_step = 2.0 * g * world->state.dt;
    if (given >= 0) return given;
    if (motion == 0) return by_step;
    return fmin(by_step,
                0.2 * sqrt(g * motion * scree_world_mean_radius(world)));
}

static scree_step_options options_of(const scree_world *world) {
    return (scree_step_options){
        .dt = world->step.dt,
        .control = {.on = world->def.gap_control,
                    .restitution_speed = scree_world_restitution_speed(world),
                    .dt = world->step.reach},
        .recovery_velocity = scree_world_recovery_velocity(world),
    };
}

scree_status scree_world_step_by(scree_world *world,
                                 const scree_stepper_ops *stepper) {
    const scree_system system = {.self = world, .ops = &world_ops};
    TRY(scree_stress_begin(world));
    const scree_step_options options = options_of(world);
    TRY(stepper->step(&system, &options));
    scree_world_settle(world);
    return SCREE_OK;
}

static scree_status step_once(scree_world *world) {
    return scree_world_step_by(world, world->scene.stepper);
}

/* ---- in parts (parts.c) ------------------------------------------------------ */

/* Share of part k, and of what follows the last one. */
static double share_of(const scree_plan *plan, int k) {
    if (k == 0) return plan->first;
    return k < plan->n ? (1 - plan->first) / (plan->n - 1) : plan->next;
}

void scree_world_scale_percussions(scree_world *world, double by) {
    for (int64_t i = 0; by != 1 && i < world->state.contacts.n; ++i) {
        scree_contact *c = &world->state.contacts.list[i];
        c->P = scale(by, c->P);
        scree_world_keep_moment(world, c,
                                scale(by, scree_world_moment(world, c)));
    }
    if (by != 1) scree_joints_scale(world, by);
}

static void begin_part(scree_world *world, double dt, double next) {
    scree_world_scale_percussions(world, dt / world->step.dt);
    world->step.dt = dt;
    world->step.reach = 0.5 * (dt + next);
    world->step.seen = 0.5 * next;
}

/* What counts for the step as a whole. */
static void add_part(scree_world *world, const scree_report *before,
                     scree_vec3 *percussions) {
    scree_report *r = &world->state.report;
    for (int w = 0; w < world->scene.n_wall; ++w)
        percussions[w] = add(percussions[w], world->scene.walls[w].percussion);
    r->iterations += before->iterations;
    r->converged = r->converged && before->converged;
}

static scree_status step_through(scree_world *world, const scree_plan *plan,
                                 scree_vec3 *percussions) {
    const double dt = world->state.dt;
    const int64_t unconverged = world->accounts.cost.unconverged;
    scree_report before = {.converged = true};
    for (int k = 0; k < plan->n; ++k) {
        begin_part(world, share_of(plan, k) * dt, share_of(plan, k + 1) * dt);
        TRY(step_once(world));
        add_part(world, &before, percussions);
        before = world->state.report;
    }
    for (int w = 0; w < world->scene.n_wall; ++w)
        world->scene.walls[w].percussion = percussions[w];
    if (!world->state.report.converged)
        world->accounts.cost.unconverged = unconverged + 1;
    return SCREE_OK;
}

static scree_status step_in_parts(scree_world *world, const scree_plan *plan) {
    scree_arena *scratch = &world->scratch;
    const size_t mark = scree_arena_mark(scratch),
                 n = (size_t)world->scene.n_wall;
    scree_vec3 *percussions =
        scree_arena_push(scratch, (n + 1) * sizeof *percussions);
    if (!percussions) return SCREE_OUT_OF_MEMORY;
    memset(percussions, 0, (n + 1) * sizeof *percussions);
    TRY(step_through(world, plan, percussions));
    scree_world_scale_percussions(world, world->state.dt / world->step.dt);
    scree_arena_pop(scratch, mark);
    world->accounts.cost.parts += plan->n - 1;
    return SCREE_OK;
}

static scree_status take_step(scree_world *world) {
    scree_plan plan = {1, 1, 1};
    world->step.dt = world->step.reach = world->state.dt;
    if (world->scene.stepper->in_parts)
        TRY(scree_world_plan_parts(world, &plan));
    if (plan.n > 1) return step_in_parts(world, &plan);
    world->step.seen = 0.5 * world->step.dt;
    return step_once(world);
}

static scree_status advance_by(scree_world *world) {
    const scree_stepper_ops *stepper = world->scene.stepper;
    if (stepper->world_step) return stepper->world_step(world);
    TRY(scree_world_choose_step(world));
    scree_world_drive(world);
    TRY(take_step(world));
    scree_world_forget_applied(world);
    scree_world_count_step(world);
    return SCREE_OK;
}

scree_status scree_world_step(scree_world *world) {
    world->error.agreed = false; /* whatever was the last */
    TRY(scree_world_call_before(world));
    if (world->scene.cell && scree_world_any(world, !world->state.broad.valid))
        TRY(scree_world_wrap(world)); /* new ones */
    if (world->scene.paths) scree_world_begin_paths(world);
    TRY(scree_servo_begin(world));
    scree_world_drag(world);
    const scree_status status = advance_by(world);
    if (status == SCREE_OUT_OF_MEMORY && !world->error.agreed)
        return scree_fail(&world->error, status, "out of memory in step %lld",
                          (long long)world->state.steps);
    TRY(status);
    scree_servo_read(world);
    TRY(scree_world_wrap(world));
    TRY(scree_world_check_finite(world));
    scree_assert(scree_world_is_valid(world));
    TRY(scree_world_leave(world));
    return scree_world_call_after(world);
}
