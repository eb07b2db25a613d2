/* solve.c: the solution of a step's inclusion problem, also from round to round. What it
 * does to pairs, walls and the books is in work.c. */
#include "engine/adaptive/modes.h"
#include "engine/base/error.h"
#include "engine/forces/forces.h"
#include "engine/joints/joints.h"
#include "engine/laws/cohesion.h"
#include "engine/laws/poisson.h"
#include "engine/step/step.h"
#include "engine/step/stress.h"
#include "engine/step/timer.h"

static scree_status offer_to_saver(scree_world *world) {
    const scree_dump dump = world->def.solver.dump;
    const bool wanted =
        dump == SCREE_DUMP_ALL ||
        (dump == SCREE_DUMP_UNCONVERGED && !world->state.report.converged);
    if (!world->scene.saver || !wanted) return SCREE_OK;
    return world->scene.saver(world->scene.saver_context, world, &world->error);
}

void scree_world_spread(scree_world *world, scree_twist *u) {
    scree_problem *p = &world->state.problem;
    if (p->coupling) scree_coupling_spread(p->coupling, u);
}

void scree_world_join(scree_world *world) {
    scree_problem *p = &world->state.problem;
    if (p->coupling)
        scree_coupling_join(p->coupling, world->state.bodies.u,
                            p->inv_I ? world->state.inv_I : NULL);
}

static scree_status run_with(scree_world *world,
                             const scree_solver_options *options) {
    const double start = scree_clock();
    scree_cost *cost = &world->accounts.cost;
    world->step.booked = world->step.refound = false;
    world->step.decompressed = false;
    TRY(scree_stress_enter(world, world->step.in_turn));
    const scree_status status = scree_inclusion_solve(
        scree_in_lanes(&world->state.problem), world->scene.solver, options,
        &world->scratch, &world->state.report, &world->error);
    /* A rank without memory must not wait for the others, who wait for it. */
    if (status == SCREE_OK) scree_world_spread(world, world->state.bodies.u);
    scree_world_join(world);
    TRY(status);
    scree_stress_leave(world);
    cost->sweep_seconds += scree_phase_charge(cost, SCREE_PHASE_SOLVE, start);
    cost->iterations += world->state.report.iterations;
    cost->contact_iterations +=
        world->state.problem.n_contact * world->state.report.iterations;
    return offer_to_saver(world);
}

scree_status scree_world_run_solver(scree_world *world, double tolerance) {
    scree_solver_options options = world->def.solver;
    options.tolerance = tolerance;
    options.rest = 0; /* only a step that is solved once may rest */
    return run_with(world, &options);
}

/* What a draft leaves undone, beside what is asked for: the solve after it sees to
 * that. Contacts that approach by less than a hit does are no hits to it. */
static const double DRAFT_RESIDUAL = 10, DRAFT_APPROACH = 2;
/* Drafts to a residual above this are none: tolerances near it stay as they are. */
static const double COARSEST_DRAFT = 3e-3;

/* Drafts of hits in crowds of spheres alone. A gas needs few sweeps, and drafts
 * would let its energy grow (at restitution 1 by 5e-4 in 50 steps). Bodies that turn far
 * are looked at where the solve takes them, and drafts would lead them to and fro. */
static bool may_draft(const scree_world *world) {
    return world->step.crowded && !world->scene.general &&
           !scree_world_obeys_poisson(world);
}

static void make_draft(scree_solver_options *options) {
    const double draft =
        fmin(DRAFT_RESIDUAL * options->tolerance, COARSEST_DRAFT);
    options->tolerance = fmax(options->tolerance, draft);
    options->approach *= DRAFT_APPROACH;
    options->balance = 0;
    options->rest = 0;
}

scree_status scree_world_run_round(scree_world *world, double scale,
                                   bool draft) {
    scree_solver_options options = world->def.solver;
    options.scale = scale;
    options.rest = 0;
    world->step.draft = draft && may_draft(world);
    if (world->step.draft) make_draft(&options);
    scree_world_refine(world, &options);
    return run_with(world, &options);
}

scree_status scree_world_solve(void *self) {
    scree_world *world = self;
    scree_solver_options options = world->def.solver;
    world->step.draft =
        world->step.struck && may_draft(world); /* others follow */
    if (world->step.draft) make_draft(&options);
    scree_world_pull(world);
    scree_world_refine(world, &options);
    TRY(run_with(world, &options));
    const size_t mark = scree_arena_mark(&world->scratch);
    scree_rebound rebound;
    TRY(scree_world_see_rebound(world, &rebound));
    scree_world_keep_percussions(world, false);
    TRY(scree_world_decompress(world, &rebound));
    scree_arena_pop(&world->scratch, mark);
    return SCREE_OK;
}

scree_status scree_world_account(void *self) {
    scree_world *world = self;
    const double start = scree_clock();
    scree_world_count_contacts(world);
    if (!world->state.report.converged) ++world->accounts.cost.unconverged;
    TRY(scree_world_book(world));
    scree_world_book_pushes(world);
    scree_world_advance_states(world);
    scree_joints_settle(world, 0.5 * world->step.dt);
    if (world->adaptive) world->step.modes = scree_world_modes(world);
    scree_phase_charge(&world->accounts.cost, SCREE_PHASE_INTEGRATE, start);
    return SCREE_OK;
}
