/* check.c: what a definition may say. */
#include <stdio.h>
#include <string.h>

#include "engine/adaptive/adaptive.h"
#include "engine/step/step.h"
#include "engine/world/make.h"

bool scree_finite_all(const double *x, int n) {
    for (int i = 0; i < n; ++i)
        if (!isfinite(x[i])) return false;
    return true;
}

bool scree_world_ties_friction(const scree_world_def *def, char *why,
                               size_t size) {
    const scree_method *solver = scree_method_find(def->solver.method);
    if (strcmp(def->stepper, "rattle") != 0 ||
        def->friction != SCREE_FRICTION_MIDSLIP)
        return false;
    snprintf(why, size, "rattle's midslip law has no form in FCLIB files");
    if (solver->lacks & SCREE_NEED_TIED)
        scree_method_refuse(solver, SCREE_LAYOUT_LANES, SCREE_NEED_TIED, why,
                            size);
    return solver->lacks & SCREE_NEED_TIED ||
           def->solver.dump != SCREE_DUMP_NONE;
}

bool scree_world_loses_order(const scree_world_def *def, char *why,
                             size_t size) {
    const scree_method *solver = scree_method_find(def->solver.method);
    if (!def->reproducible || !(solver->lacks & SCREE_NEED_ORDER)) return false;
    scree_method_refuse(solver, SCREE_LAYOUT_LANES, SCREE_NEED_ORDER, why,
                        size);
    return true;
}

static scree_status check_method(const scree_world_def *def,
                                 scree_error *error) {
    const char *name = def->solver.method ? def->solver.method : "";
    const scree_method *m = scree_method_find(name);
    char why[SCREE_REFUSAL];
    REQUIRE(m, "no solver '%s'", name);
    scree_method_refuse(m, SCREE_LAYOUT_LANES, 0, why, sizeof why);
    REQUIRE(m->runs[SCREE_LAYOUT_LANES], "%s", why);
    REQUIRE(!scree_world_loses_order(def, why, sizeof why), "%s", why);
    REQUIRE(!scree_world_ties_friction(def, why, sizeof why), "%s", why);
    return SCREE_OK;
}

/* What moreau-adaptive, lobatto and generalized-alpha are told. */
static scree_status check_stepping(const scree_world_def *def,
                                   scree_error *error) {
    const scree_stepper_ops *stepper = scree_stepper_find(def->stepper);
    REQUIRE(def->motion == 0 || !stepper->world_step,
            "stepper '%s' does not take steps that motion chooses",
            def->stepper);
    REQUIRE(def->stages >= 2 && def->stages <= 5, "stages %d are not 2 to 5",
            def->stages);
    REQUIRE(def->rho_inf >= 0 && def->rho_inf <= 1,
            "rho_inf %g is not in [0, 1]", def->rho_inf);
    REQUIRE(def->order >= 1 && def->order <= 8, "order %d is not 1 to 8",
            def->order);
    REQUIRE(def->dt_min >= 0 && def->dt_min <= def->dt,
            "dt_min = %g is not in [0, dt]", def->dt_min);
    REQUIRE(def->dt_min == 0 || def->dt_min >= ldexp(def->dt, -SCREE_FINEST),
            "dt_min = %g is less than dt / 2^24", def->dt_min);
    REQUIRE(def->atol >= 0 && def->rtol >= 0, "atol or rtol is not >= 0");
    return SCREE_OK;
}

scree_status scree_world_def_check(const scree_world_def *def,
                                   scree_error *error) {
    REQUIRE(def && def->cookie == SCREE_COOKIE,
            "world definition does not come from scree_world_def_default()");
    REQUIRE(isfinite(def->dt) && def->dt > 0, "step size dt = %g is not > 0",
            def->dt);
    REQUIRE(def->motion >= 0 && def->motion <= 1, "motion %g is not in [0, 1]",
            def->motion);
    REQUIRE(scree_finite_all(def->gravity, 3), "gravity is not finite");
    REQUIRE(!def->planar || def->gravity[2] == 0,
            "in a plane world gravity has no z component");
    REQUIRE(def->stepper && scree_stepper_find(def->stepper), "no stepper '%s'",
            def->stepper ? def->stepper : "");
    REQUIRE(scree_stepper_runs_worlds(scree_stepper_find(def->stepper)),
            "stepper '%s' runs models only", def->stepper);
    TRY(check_stepping(def, error));
    TRY(check_method(def, error));
    REQUIRE(def->solver.iterations > 0, "solver iterations %d are not > 0",
            def->solver.iterations);
    REQUIRE(def->solver.tolerance >= 0, "solver tolerance is not >= 0");
    REQUIRE(def->solver.balance >= 0 && def->solver.approach >= 0,
            "solver balance or approach is not >= 0");
    REQUIRE(def->solver.relaxation > 0 && def->solver.relaxation < 2,
            "solver relaxation %g is not in (0, 2)", def->solver.relaxation);
    REQUIRE(def->solver.momentum >= 0 && def->solver.momentum < 1,
            "solver momentum %g is not in [0, 1)", def->solver.momentum);
    REQUIRE(def->solver.rest >= 0, "solver rest %d is not >= 0",
            def->solver.rest);
    REQUIRE(def->solver.clusters >= 0, "solver clusters %d is not >= 0",
            def->solver.clusters);
    REQUIRE(def->solver.stall >= 0, "solver stall %d is not >= 0",
            def->solver.stall);
    REQUIRE(!isnan(def->recovery_velocity) && !isnan(def->restitution_speed),
            "recovery velocity or restitution speed is not a number");
    return SCREE_OK;
}

/* What spheres and other bodies have in common. */
scree_status scree_body_state_check(const scree_world *world,
                                    const scree_body_def *def,
                                    scree_error *error) {
    REQUIRE(scree_finite_all(def->position, 3), "position is not finite");
    REQUIRE(scree_finite_all(def->orientation, 4), "orientation is not finite");
    REQUIRE(scree_finite_all(def->velocity, 3), "velocity is not finite");
    REQUIRE(scree_finite_all(def->angular_velocity, 3),
            "angular velocity is not finite");
    const double *q = def->orientation, *w = def->angular_velocity;
    REQUIRE(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] > 0,
            "orientation is the zero quaternion");
    REQUIRE(!world->def.planar ||
                (def->position[2] == 0 && def->velocity[2] == 0 && w[0] == 0 &&
                 w[1] == 0 && q[1] == 0 && q[2] == 0),
            "in a plane world bodies stay at z = 0 and turn about z");
    REQUIRE(world->state.bodies.n < INT32_MAX - 1, "too many bodies");
    return scree_material_check(world, def->material, error);
}
