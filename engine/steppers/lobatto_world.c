/* lobatto_world.c: lobatto and generalized-alpha on a world of some hundred contacts.
 *
 * The world is seen as a dense system (engine/system/world_dense.h), with the contacts
 * as laws that may close in this step:
 *
 *     reach = SCREE_SLACK r_min + 2 (dt v + |g| dt^2),    v = max over bodies of |v| + |w| r.
 *
 * While these stay the same the system stays, and a step calls no heap. The first guess
 * are the percussions of the last step, which the world keeps: a run goes on with the
 * same bits after a restart. A contact whose features change within the step acts from
 * the next one on.
 *
 * generalized-alpha keeps accelerations and forces between steps (generalized_alpha_world.h).
 *
 * Books: a law takes -P (gamma_n + gamma_n+1) / 2, as in engine/step/work.c; what that
 * leaves of the energy is the scheme error. Unknowns are (s + 1) 6 n + (s - 1) 7 n + s rows
 * of n bodies; a step costs their third power. */
#include "engine/steppers/lobatto_world.h"

#include <string.h>

#include "engine/base/error.h"
#include "engine/step/step.h"
#include "engine/steppers/generalized_alpha_world.h"
#include "engine/system/stepper.h"
#include "engine/system/world_dense.h"
#include "engine/world/state.h"

/* More are a matter of minutes a step. */
enum { MOST_CONTACTS = 300, MOST_BODIES = 100 };

/* In m/s, to which Newton's method solves a step if the case does not ask for more. */
static const double TOLERANCE = 1e-10;

static double reach_of(const scree_world *world) {
    const scree_bodies *b = &world->state.bodies;
    const double dt = world->state.dt, g = norm(world->state.gravity);
    double most = 0;
    for (int32_t i = 0; i < b->n; ++i)
        most = fmax(most, norm(b->u[i].v) + b->x[i].r * norm(b->u[i].w));
    for (int w = 0; w < world->scene.n_wall; ++w)
        most = fmax(most, world->scene.planes[w].v_max);
    return SCREE_SLACK * world->scene.r_min + 2 * dt * (most + g * dt);
}

static scree_status refuse_size(scree_world *world, const char *what,
                                long long n, int most) {
    return scree_fail(&world->error, SCREE_UNSUPPORTED,
                      "%s is for small worlds: %lld %s in step %lld, and "
                      "at most %d\n  take rattle, which has order 2 for any "
                      "number, or moreau-adaptive",
                      world->scene.stepper->name, n, what,
                      (long long)world->state.steps, most);
}

static scree_status check_size(scree_world *world) {
    if (world->state.bodies.n > MOST_BODIES)
        return refuse_size(world, "bodies", world->state.bodies.n, MOST_BODIES);
    if (world->state.contacts.n > MOST_CONTACTS)
        return refuse_size(world, "contacts within reach",
                           (long long)world->state.contacts.n, MOST_CONTACTS);
    return SCREE_OK;
}

/* ---- books --------------------------------------------------------------------- */

/* gamma and chi of all rows at the system's state. */
typedef struct rates {
    double *gamma, *chi;
} rates;

static bool read_rates(scree_dense *s, rates *r) {
    const int n = s->ops->n_row, n_u = s->ops->n_u;
    r->gamma = scree_dense_push(s, n + 1);
    r->chi = scree_dense_push(s, n + 1);
    double *Wt = scree_dense_push(s, n * n_u + 1);
    if (!r->gamma || !r->chi || !Wt) return false;
    scree_dense_rows(s, s->t, s->q, Wt, r->chi);
    for (int k = 0; k < n; ++k) {
        r->gamma[k] = r->chi[k];
        for (int j = 0; j < n_u; ++j) r->gamma[k] += Wt[k * n_u + j] * s->u[j];
    }
    return true;
}

static void book_laws(scree_world *world, const rates *begin,
                      const rates *end) {
    const scree_dense *s = scree_world_dense_system(world->dense);
    for (int l = 0; l < s->ops->n_law; ++l) {
        const int row = s->laws[l].row;
        double friction = 0, given = 0;
        bool of_wall;
        scree_world_dense_percussion(world->dense, l, &of_wall);
        for (int k = row; k <= row + s->laws[l].n_f; ++k) {
            const double gamma = 0.5 * (begin->gamma[k] + end->gamma[k]);
            if (k > row) friction -= s->P[k] * gamma;
            given -= 0.5 * s->P[k] * (begin->chi[k] + end->chi[k]);
        }
        const double gamma = 0.5 * (begin->gamma[row] + end->gamma[row]);
        SCREE_BOOK(world, taken_normal, -s->P[row] * gamma);
        SCREE_BOOK(world, taken_friction, friction);
        if (of_wall) SCREE_BOOK(world, wall_work, given);
    }
}

static void report_solve(scree_world *world, int64_t unconverged) {
    const scree_dense *s = scree_world_dense_system(world->dense);
    scree_cost *cost = &world->accounts.cost;
    world->state.report =
        (scree_report){.iterations = s->iterations[0],
                       .residual = s->residual,
                       .converged = s->unconverged == unconverged,
                       .by = "newton"};
    cost->unconverged += !world->state.report.converged;
    cost->iterations += s->iterations[0];
    cost->contacts += world->ranks.n_contact;
}

static void note_overlap(scree_world *world) {
    world->accounts.penetrating = 0;
    world->accounts.penetration_sum = world->accounts.penetration_max = 0;
    for (int64_t i = 0; i < world->state.contacts.n; ++i)
        scree_world_note_penetration(world, world->state.contacts.list[i].g);
}

/* ---- the step --------------------------------------------------------------------- */

static scree_dense_options options_of(const scree_world *world) {
    scree_dense_options o = scree_dense_options_default();
    o.dt = world->state.dt;
    o.stages = world->def.stages;
    o.rho_inf = world->def.rho_inf;
    o.friction = world->def.friction;
    o.tolerance = fmin(TOLERANCE, world->def.solver.tolerance);
    return o;
}

/* Time is counted as in other steps. */
static scree_status store_result(scree_world *world) {
    const double begin = world->state.epoch_t;
    const int64_t ticks = world->state.ticks;
    TRY(scree_world_dense_store_contacts(world->dense,
                                         SCREE_SLACK * world->scene.r_min));
    scree_world_begin_epoch(world, begin);
    world->state.ticks = ticks;
    scree_world_count_step(world);
    return SCREE_OK;
}

static scree_status advance_dense(scree_world *world) {
    scree_dense *s = scree_world_dense_system(world->dense);
    const scree_dense_options options = options_of(world);
    const int64_t unconverged = s->unconverged;
    rates begin, end;
    if (!read_rates(s, &begin)) return SCREE_OUT_OF_MEMORY;
    if (world->alpha) scree_alpha_recall(world);
    TRY(scree_dense_step(s, world->scene.stepper->name, &options,
                         &world->error));
    if (!read_rates(s, &end)) return SCREE_OUT_OF_MEMORY;
    if (world->alpha) TRY(scree_alpha_remember(world));
    book_laws(world, &begin, &end);
    TRY(store_result(world));
    report_solve(world, unconverged);
    note_overlap(world);
    scree_world_settle(world);
    return SCREE_OK;
}

scree_status scree_world_lobatto(scree_world *world) {
    world->state.fresh = SCREE_NO_BODY; /* gaps hold from the first step on */
    TRY(check_size(world));
    const scree_reach near = {.slack = reach_of(world)};
    TRY(scree_world_find_contacts(world, 0, &near));
    TRY(check_size(world));
    TRY(scree_world_dense_renew(world, near.slack, &world->dense,
                                &world->error));
    scree_dense *s = scree_world_dense_system(world->dense);
    const size_t mark = scree_arena_mark(&s->scratch);
    const scree_status status = advance_dense(world);
    scree_arena_pop(&s->scratch, mark);
    return status;
}
