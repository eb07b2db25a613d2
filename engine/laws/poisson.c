/* poisson.c: Poisson's impact law, a hit in two phases of one inclusion each.
 *
 *     compression     0 <= gamma_N  perp  P_C >= 0                friction in D(mu P_C)
 *     decompression   0 <= gamma_N  perp  P_D - e_N P_C >= 0      friction in D(mu P_D)
 *
 * Newton's law asks for a velocity after the hit, and friction may have to pay for it: a rod
 * that strikes with its end can leave with more energy than it came with. Poisson's law gives
 * back a share of the percussion. In a row of balls that touch it sends the hit on as far as
 * percussions go, where Newton's gives each contact its own velocity back.
 *
 * The first solve of a step has e = 0 for contacts of this law. What a contact stored in it,
 * beside what bears weight (the percussion of the last step, or what gravity alone would
 * need on a wall), is given back if that is a hit: faster than restitution_speed.
 *
 * Decompression acts in turn (complete.c). Rows of the solvers know P >= 0, not P >= e_N P_C: it
 * is solved by sweeps of its own, projected Gauss-Seidel as pgs does it, contact by contact,
 *     P_N <- max(e_N P_C, P_N - rho_N xi_N),   P_T <- prox_{D(mu P_N)}(P_T - rho_T xi_T),
 * from e_N P_C with its friction. They go over contacts that give back or touch what has moved,
 * and end when no contact changes its velocity by more than the tolerance of the solver, as a
 * share of the fastest rebound. Moments of rolling and drilling take no part.
 *
 * Tangential, e_T: friction gives back e_N e_T P_T as far as that turns the slip round:
 * gamma_T = s_T along it, from the contact's own G_T (exact for a contact alone).
 *
 * Energy. With P_D = e P_C for all contacts, and one e, both phases together take
 *     (1 - e^2)/2 P_C^T G P_C - (1 + e) gamma_C^T P_C >= 0,
 * with friction and any number of hits. So if the law above should make energy, which friction
 * that turns round can, this is what is done, and what would then approach is held.
 *
 * Cost: nothing but a look at the materials, in steps in which nothing hits anything; else
 * sweeps in one thread. */
#include "engine/laws/poisson.h"

#include <string.h>

#include "engine/base/parallel.h"
#include "engine/laws/cohesion.h"
#include "engine/step/timer.h"
#include "solvers/law/resist.h"

static bool is_poisson(const scree_contact_law *law) {
    return law->impact == SCREE_IMPACT_POISSON && law->e_n > 0;
}

bool scree_world_obeys_poisson(const scree_world *world) {
    return scree_world_any_law(world, is_poisson);
}

/* ---- what is given back --------------------------------------------------------- */

/* What the contact bears without a hit. */
static double weight_on(const scree_world *world, const scree_contact *c,
                        const scree_row *row) {
    if (world->step.in_turn) return 0;
    const scree_body_push *push = world->state.bodies.push;
    double fall = world->step.dt * dot(c->n, world->state.gravity);
    if (push) fall += dot(c->n, push[c->a].first.v);
    const double alone = c->b < 0 ? fmax(0, -fall * row->rho_n) : 0;
    return fmax(alone, dot(c->n, c->P));
}

static double push_of(const scree_world *world, int64_t i) {
    const scree_contact *c = &world->state.contacts.list[i];
    const scree_contact_law *law = scree_world_law(world, c);
    if (!is_poisson(law)) return 0;
    const scree_row row = scree_problem_row(&world->state.problem, i);
    const double stored =
        row.P_n - scree_world_pull_of(world, i) - weight_on(world, c, &row);
    const double speed = scree_world_restitution_speed(world);
    return stored > speed * row.rho_n ? law->e_n * stored : 0;
}

scree_status scree_world_see_rebound(scree_world *world,
                                     scree_rebound *rebound) {
    const int64_t n = world->state.contacts.n;
    bool any = false;
    rebound->push = NULL;
    if (!world->scene.stepper->poisson) return SCREE_OK;
    if (world->def.gap_control && !world->step.struck) return SCREE_OK;
    if (!scree_world_obeys_poisson(world)) return SCREE_OK;
    const size_t mark = scree_arena_mark(&world->scratch);
    double *push =
        scree_arena_push(&world->scratch, ((size_t)n + 1) * sizeof *push);
    if (!push) return SCREE_OUT_OF_MEMORY;
    for (int64_t i = 0; i < n; ++i) any |= (push[i] = push_of(world, i)) > 0;
    if (scree_world_any(world, any))
        rebound->push = push;
    else
        scree_arena_pop(&world->scratch, mark);
    return SCREE_OK;
}

/* ---- rows of decompression --------------------------------------------------------- */

typedef struct decompression {
    scree_world *world;
    double *push;       /* (contacts) e_N P_C [N s] */
    scree_vec3 *stored; /* (contacts) the same with its friction [N s] */
    scree_vec3 *shift;  /* (contacts) s_T [m/s] */
    bool all;           /* sweeps go over all contacts */
    double change;      /* by the last sweep, at most [m/s] */
} decompression;

/* A gap that may close until the next midpoint. */
static double gap_speed(const scree_world *world, const scree_contact *c) {
    const double r_a = world->state.bodies.x[c->a].r;
    const double r = c->b >= 0 ? fmin(r_a, world->state.bodies.x[c->b].r) : r_a;
    if (!world->def.gap_control) return 0;
    return fmax(0, c->g - SCREE_DEAD_ZONE * r) / world->step.reach;
}

static scree_row make_row(const decompression *d, int64_t i) {
    const scree_world *world = d->world;
    const scree_contact *c = &world->state.contacts.list[i];
    scree_row row = scree_world_row(world, c);
    row.c = sub(scree_world_chi(world, c), d->shift[i]);
    if (d->push[i] == 0)
        row.c = add_scaled(row.c, gap_speed(world, c), c->n);
    else
        scree_row_start(&row, d->stored[i], vec(0, 0, 0));
    return row;
}

/* s_T: the slip that is left when friction has given back e_T of what it stored, if that
 * has turned it round. */
static scree_vec3 turned_slip(const scree_world *world, const scree_row *row,
                              const scree_contact *c, scree_vec3 stored,
                              scree_vec3 gamma) {
    const double e_t = scree_world_law(world, c)->e_t;
    const scree_vec3 P =
        scale(e_t, add_scaled(stored, -dot(c->n, stored), c->n));
    const double size = norm(P);
    if (size == 0) return vec(0, 0, 0);
    const scree_vec3 along = scale(1 / size, P);
    const double slip = dot(gamma, along) + size / row->rho_t;
    return scale(fmax(0, slip), along);
}

/* Of the velocities after compression. */
static void see_stored(decompression *d) {
    const scree_world *world = d->world;
    const scree_problem *p = &world->state.problem;
    for (int64_t i = 0; i < world->state.contacts.n; ++i) {
        const scree_contact *c = &world->state.contacts.list[i];
        const scree_row row = scree_problem_row(p, i);
        const scree_vec3 P = add_scaled(row.P_t, row.P_n, row.n);
        const double share = row.P_n > 0 ? d->push[i] / row.P_n : 0;
        const scree_vec3 gamma = sub(scree_problem_xi(p, i), row.c);
        d->stored[i] = scale(share, P);
        d->shift[i] = turned_slip(world, &row, c, d->stored[i],
                                  add(gamma, scree_world_chi(world, c)));
    }
}

/* Rows that give back what is stored, which acts already. */
static scree_status begin_rows(const decompression *d) {
    scree_world *world = d->world;
    scree_problem *p = &world->state.problem;
    TRY(scree_world_place_again(world));
    for (int64_t i = 0; i < world->state.contacts.n; ++i) {
        const scree_row row = make_row(d, i);
        scree_problem_fill(p, i, &row);
    }
    TRY(scree_problem_sort(p));
    scree_problem_apply(p);
    return SCREE_OK;
}

static void end_rows(scree_world *world) {
    scree_world_spread(world, world->state.bodies.u);
    scree_world_join(world);
    world->step.booked = world->step.refound = false;
}

/* ---- sweeps ---------------------------------------------------------------------------- */

static bool has_moved(const scree_world *world, int32_t i) {
    const scree_bodies *b = &world->state.bodies;
    if (i >= scree_world_static(world)) return false;
    return norm(sub(b->u[i].v, b->u_b[i].v)) > 0 ||
           norm(sub(b->u[i].w, b->u_b[i].w)) > 0;
}

/* The contact's normal percussion, then its friction. */
static void sweep_contact(scree_problem *p, int64_t i, const void *context) {
    decompression *d = *(decompression *const *)context;
    scree_row row = scree_problem_row(p, i);
    if (!d->all && d->push[i] == 0 && !has_moved(d->world, row.a) &&
        !has_moved(d->world, row.b))
        return;
    const double xi_n = dot(row.n, scree_problem_xi(p, i));
    const double P_n = fmax(d->push[i], row.P_n - row.rho_n * xi_n);
    scree_problem_push(p, i, scale(P_n - row.P_n, row.n));
    const scree_vec3 P_t =
        row_friction(&row, P_n, scree_problem_xi(p, i), row.rho_t);
    const scree_vec3 dP_t = sub(P_t, row.P_t);
    scree_problem_push(p, i, dP_t);
    scree_problem_set_P(p, i, P_n, P_t);
    d->change = fmax(d->change, fabs(P_n - row.P_n) / row.rho_n);
    if (row.mu > 0) d->change = fmax(d->change, norm(dP_t) / row.rho_t);
}

/* The fastest rebound of a contact alone. */
static double fastest_push(const decompression *d) {
    double most = scree_world_restitution_speed(d->world);
    for (int64_t i = 0; i < d->world->state.contacts.n; ++i) {
        const scree_row row = scree_problem_row(&d->world->state.problem, i);
        if (d->push[i] > 0) most = fmax(most, d->push[i] / row.rho_n);
    }
    return scree_world_most(d->world, most);
}

static scree_status sweep_all(decompression *d) {
    scree_world *world = d->world;
    scree_report *report = &world->state.report;
    const double least = world->def.solver.tolerance * fastest_push(d);
    const decompression *const context = d;
    int sweeps = 0;
    bool more;
    TRY(begin_rows(d));
    do {
        d->change = 0;
        scree_problem_push_each(&world->state.problem, sweep_contact, &context);
        more = scree_world_any(world, d->change > least);
    } while (more && ++sweeps < world->def.solver.iterations);
    end_rows(world);
    report->iterations += sweeps;
    report->converged = report->converged && !more;
    world->accounts.cost.iterations += sweeps;
    return SCREE_OK;
}

/* ---- the second phase ------------------------------------------------------------------ */

/* From the velocities after compression. */
static void go_back(scree_world *world) {
    scree_bodies *b = &world->state.bodies;
    for (int32_t i = 0; i < scree_world_static(world); ++i)
        b->u[i].v = b->u_b[i].v, b->u[i].w = b->u_b[i].w;
}

/* P_D = e_N P_C, friction and all. */
static scree_status give_back(decompression *d) {
    scree_world *world = d->world;
    go_back(world);
    TRY(begin_rows(d));
    end_rows(world);
    scree_world_keep_percussions(world, true);
    return scree_world_begin_turn(world);
}

/* Nothing is given back any more; what approaches is held. */
static scree_status hold_all(decompression *d) {
    const size_t n = (size_t)d->world->state.contacts.n;
    memset(d->push, 0, n * sizeof *d->push);
    memset(d->shift, 0, n * sizeof *d->shift);
    d->all = true;
    return sweep_all(d);
}

/* Is there more kinetic energy than before the hit, beside what walls that move gave? */
static bool has_more(const scree_world *world, double before) {
    const double now = scree_world_kinetic(world, false);
    return now - before > scree_world_given(world) + 1e-3 * now;
}

static scree_status decompress_all(decompression *d) {
    scree_world *world = d->world;
    const double before =
        scree_world_kinetic(world, true) + scree_world_given(world);
    see_stored(d);
    TRY(scree_world_begin_turn(world));
    TRY(sweep_all(d));
    if (!has_more(world, before)) return SCREE_OK;
    TRY(give_back(d));
    return hold_all(d);
}

scree_status scree_world_decompress(scree_world *world,
                                    const scree_rebound *rebound) {
    const size_t n = (size_t)world->state.contacts.n + 1;
    decompression d = {.world = world, .push = rebound->push};
    if (!rebound->push) return SCREE_OK;
    const double start = scree_clock();
    if (!SCREE_PUSH(&world->scratch, d.stored, n) ||
        !SCREE_PUSH(&world->scratch, d.shift, n))
        return SCREE_OUT_OF_MEMORY;
    TRY(decompress_all(&d));
    scree_world_keep_percussions(world, true);
    world->step.decompressed = true;
    scree_phase_charge(&world->accounts.cost, SCREE_PHASE_SOLVE, start);
    return SCREE_OK;
}
