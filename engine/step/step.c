/* step.c: one step of the world, and what must hold after it. */
#include "engine/step/step.h"

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
static double recovery_velocity(const scree_world *world) {
    const double given = world->def.recovery_velocity;
    const double g = norm(world->gravity);
    return given >= 0 ? given : 0.1 * sqrt(g * scree_world_mean_radius(world));
}

static double restitution_speed(const scree_world *world) {
    const double given = world->def.restitution_speed;
    const double g = norm(world->gravity);
    return given >= 0 ? given : 2.0 * g * world->def.dt;
}

static scree_step_options options_of(const scree_world *world) {
    const double dt = world->def.dt;
    return (scree_step_options){
        .dt = dt,
        .control = {.on = world->def.gap_control,
                    .restitution_speed = restitution_speed(world),
                    .dt = dt},
        .recovery_velocity = recovery_velocity(world),
    };
}

scree_status scree_world_step(scree_world *world) {
    const scree_system system = {.self = world, .ops = &world_ops};
    const scree_step_options options = options_of(world);
    world->error.agreed = false; /* whatever was the last */
    const scree_status status = world->stepper->step(&system, &options);
    if (status == SCREE_OUT_OF_MEMORY && !world->error.agreed)
        return scree_fail(&world->error, status, "out of memory in step %lld",
                          (long long)world->steps);
    TRY(status);
    ++world->steps;
    world->t = scree_world_time_of(world, world->steps);
    scree_world_settle(world);
    TRY(scree_world_check_finite(world));
    scree_assert(scree_world_is_valid(world));
    return SCREE_OK;
}
