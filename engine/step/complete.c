/* complete.c: contacts that close within a step because others push them.
 *
 * Contacts are found at the midpoint by the velocities that the step begins with.
 * The percussions change these: a body that is hit, or that bodies above press on,
 * may run into one that it did not approach. After the solve all pairs near each
 * other are looked at again, as the solved velocities take them on to the next
 * midpoint; those that would overlap enter, and the solve goes on, until none is
 * left.
 *
 *     bodies whose velocity changed by little cannot have come near to others
 *     repeat
 *         if no pair without contacts would overlap: done
 *         find contacts by both velocities, those before and those solved
 *         if none of them is a hit with restitution:
 *             solve again for all contacts from the step's beginning,
 *             starting with the percussions that are there
 *         else, and from then on: solve for more percussions
 *             that act after those that are there
 *     solve the last of these problems as far as asked for, and look once more
 *
 * In dense crowds of spheres the first solve for hits and those for what acts after
 * others are drafts, to a tenth of the accuracy and without a bound on the balance:
 * whatever they leave is there for the next one to solve. Of 3 000 discs that fall into
 * a bin at one size in a step (restitution 0.5) steps so take half the sweeps, and 10 of
 * 400 do not converge in place of 57.
 *
 * Hits follow each other: the ball that is struck strikes the next one with the
 * velocity it was given. Solved for at once, restitution of both hits could make
 * energy: of three balls in a row the outer one comes with velocity 1, and (-2/3,
 * 1/3, 4/3) satisfies the laws of both contacts. One after the other they give
 * (0, 0, 1). After HITS rounds restitution is left out, which ends what bodies in a crowd
 * do to each other within a step; and so it is as soon as a solve makes energy.
 *
 * Bodies that are not spheres turn on their way, and gaps as they open and close at the
 * midpoint do not see that: with a radian in a step corners that were far away come
 * down. Pairs that turn are therefore measured again where the solved velocities take
 * them, at the end of the step and at the next midpoint, with the true geometry. What
 * overlaps there enters as one more contact, in the directions that it has there
 * (narrow.c: measure_ahead), and stays for all rounds of the step: corners that come
 * down do so the less the further they turn, so that each of these contacts holds its
 * corner off wherever the rounds lead. Bodies that turn so fast that their corners pass
 * each other unseen are kept apart by the balls inside them. Of 128 boxes, rocks or
 * polygons that fall into a bin, at the speed of one size in a step, pairs overlap by
 * 0.003 of their size at most; without it by 0.3 to 0.5.
 *
 * Which pairs are listed depends on when the list was built: a reproducible world looks
 * in its own way (look.c), and adds up energies exactly.
 *
 * Percussions of all rounds act in the directions at the midpoint, and their sums
 * are those of the step: momentum and the balance of energy (laws.h) are as in a
 * single solve. A step at rest costs a look at the bodies. */
#include <string.h>

#include "contact/narrow/narrow.h"
#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/forces/forces.h"
#include "engine/laws/cohesion.h"
#include "engine/laws/poisson.h"
#include "engine/step/step.h"
#include "engine/step/stress.h"
#include "engine/step/timer.h"

/* Rounds with restitution, in gases and rows, and in dense crowds. */
enum { HITS = 8, DENSE_HITS = 3 };
enum { MOST_ROUNDS = 30 };
/* From this round on bodies that turn into each other are pushed apart, as long as that
 * makes no energy. */
enum { PATIENT_ROUNDS = 10 };
/* Overlap of pairs without contacts that is let pass, as a share of the least
 * radius. */
static const double LET_PASS = 1e-3;
/* The same of pairs that turn. It grows with the rounds: features that come and go as
 * bodies turn far may keep a few pairs from coming to an end. */
static const double TURNED = 5e-3, GROWTH = 1.0 / 3;

static double let_turn(const scree_world *world, int round) {
    return TURNED * (1 + GROWTH * round) * world->scene.r_min;
}

/* ---- is a pair missing? ----------------------------------------------------- */

typedef struct pushing {
    const scree_world *world;
    double dt, least; /* [s], [m] */
    uint8_t *pushed;  /* (bodies) */
    atomic_bool any;
} pushing;

/* A point of the body leaves its tangent by r (w dt)^2 / 2. */
static bool spins_fast(const pushing *p, int64_t i) {
    const scree_bodies *b = &p->world->state.bodies;
    if (b->form[i] < 0) return false;
    const double angle = p->dt * norm(b->u[i].w);
    return 0.5 * b->x[i].r * angle * angle > LET_PASS * p->world->scene.r_min;
}

/* Two bodies that were not within reach come as near to each other as their ways
 * changed, v_E - v_B, together. Measured from half of what gravity adds, which is
 * the same for all, a change by more than half of what was between them is needed of
 * one of the two. */
static void push_chunk(void *context, int64_t first, int64_t last) {
    pushing *p = context;
    const scree_bodies *b = &p->world->state.bodies;
    const scree_vec3 half = scale(0.5 * p->dt, scree_world_weight(p->world));
    bool any = false;
    for (int64_t i = first; i < last; ++i) {
        const scree_vec3 dv = sub(sub(b->u[i].v, b->u_b[i].v), half);
        double change = norm(dv);
        if (b->form[i] >= 0)
            change += b->x[i].r * norm(sub(b->u[i].w, b->u_b[i].w));
        p->pushed[i] = p->dt * change > p->least || spins_fast(p, i);
        any |= p->pushed[i];
    }
    if (any) atomic_store_explicit(&p->any, true, memory_order_relaxed);
}

/* Contacts that were within reach but left out, because they seemed not to close, may
 * close by any change. */
static bool mark_pushed(const scree_world *world, double dt, uint8_t *pushed) {
    const double fall = norm(scree_world_weight(world)) * dt * dt;
    const double between = world->step.dropped
                               ? LET_PASS * world->scene.r_min
                               : fall + SCREE_SLACK * world->scene.r_min;
    pushing p = {.world = world,
                 .dt = dt,
                 .least = 0.5 * (1 + 1e-6) * between,
                 .pushed = pushed};
    scree_parallel_for(world->state.bodies.n, world->def.threads, push_chunk,
                       &p);
    return atomic_load(&p.any);
}

/* What one round leaves to do. */
typedef struct findings {
    bool missing; /* a pair without contacts overlaps, or may */
    bool hit;     /* bodies hit each other, with restitution */
} findings;

/* Pairs that are not listed yet may be hit by bodies that are pushed. */
static double fastest_push(const scree_world *world) {
    const scree_bodies *b = &world->state.bodies;
    double most = 0;
    for (int32_t i = 0; i < b->n; ++i)
        most = fmax(most, norm(sub(b->u[i].v, b->u_b[i].v)));
    return most;
}

static bool law_bounces(const scree_contact_law *law) {
    return law->e_n > 0;
}

/* Do bodies hit each other, in contacts that are there or in new ones that close? */
static bool any_hit(scree_world *world, const scree_gap_control *control,
                    double depth, double closing) {
    return scree_world_hits(world, control, depth) ||
           (closing > control->restitution_speed &&
            scree_world_any_law(world, law_bounces));
}

static scree_status look_at_pairs(scree_world *world,
                                  const scree_gap_control *control,
                                  const scree_look *look, findings *found) {
    double closing;
    bool lost;
    TRY(scree_world_look_again(world, control->dt, look, &closing, &lost));
    if (lost) closing = fastest_push(world);
    found->missing = lost || closing > 0;
    found->hit = any_hit(world, control, look->depth, closing);
    return SCREE_OK;
}

static scree_status look_again(scree_world *world,
                               const scree_gap_control *control, int round,
                               findings *found) {
    const size_t mark = scree_arena_mark(&world->scratch);
    uint8_t *pushed =
        scree_arena_push(&world->scratch, (size_t)world->state.bodies.n);
    *found = (findings){false, false};
    if (!pushed) return SCREE_OUT_OF_MEMORY;
    if (world->step.in_turn) /* changes of several rounds add up */
        memset(pushed, 1, (size_t)world->state.bodies.n);
    const scree_look look = {pushed, LET_PASS * world->scene.r_min,
                             let_turn(world, round)};
    if (world->step.in_turn || mark_pushed(world, control->dt, pushed))
        TRY(look_at_pairs(world, control, &look, found));
    scree_arena_pop(&world->scratch, mark);
    found->missing = scree_world_any(world, found->missing);
    found->hit = scree_world_any(world, found->hit);
    return SCREE_OK;
}

/* What the step's first solve did, by the books before it. */
static void take_out_of_books(scree_world *world, const scree_books *before) {
    scree_books *books = world->accounts.books;
    books->taken_normal = before->taken_normal;
    books->taken_friction = before->taken_friction;
    books->taken_turning = before->taken_turning;
    books->wall_work = before->wall_work;
    books->taken_joints = before->taken_joints;
    books->motor_work = before->motor_work;
    world->step.booked = false;
}

/* Contacts are new if something is missing, else those that were solved. What is booked
 * stays if the step ends there, or if others act in turn; else it is solved again. */
static scree_status look_anew(scree_world *world,
                              const scree_gap_control *control, int round,
                              findings *found) {
    const scree_look look = {.depth = LET_PASS * world->scene.r_min,
                             .ahead = let_turn(world, round)};
    const scree_books before = *world->accounts.books;
    double closing;
    TRY(scree_world_look_anew(world, control->dt, &look, &closing));
    found->missing = scree_world_any(world, closing > 0);
    found->hit =
        scree_world_any(world, any_hit(world, control, look.depth, closing));
    if (!world->step.in_turn && !found->hit &&
        (found->missing || world->step.draft))
        take_out_of_books(world, &before);
    if (!found->missing && !found->hit) scree_world_drop_new(world);
    return SCREE_OK;
}

static scree_status look_if_pushed(scree_world *world,
                                   const scree_gap_control *control, int round,
                                   findings *found) {
    const size_t mark = scree_arena_mark(&world->scratch);
    uint8_t *pushed =
        scree_arena_push(&world->scratch, (size_t)world->state.bodies.n);
    *found = (findings){false, false};
    if (!pushed) return SCREE_OUT_OF_MEMORY;
    const bool any = scree_world_any(
        world, world->step.in_turn || mark_pushed(world, control->dt, pushed));
    scree_arena_pop(&world->scratch, mark);
    return any ? look_anew(world, control, round, found) : SCREE_OK;
}

/* ---- rounds ------------------------------------------------------------------- */

/* What rounds before left undone is part of what this one has to solve, and its report
 * is that of the step. It counts beside what there was to solve in the step, not beside
 * the little that is new. */
static scree_status solve_again(scree_world *world, bool draft) {
    const scree_report before = world->state.report;
    TRY(scree_world_run_round(world, before.scale, draft));
    world->state.report.iterations += before.iterations;
    scree_world_keep_percussions(world, world->step.in_turn);
    return SCREE_OK;
}

/* From the step's beginning, with all contacts. */
static scree_status solve_at_once(scree_world *world,
                                  const scree_gap_control *control,
                                  bool draft) {
    scree_bodies *b = &world->state.bodies;
    scree_stress_go_back(world);
    for (int32_t i = 0; i < scree_world_static(world); ++i) {
        const scree_velocity begin = b->u_b[i];
        b->u_b[i] = scree_twist_velocity(&b->u[i]);
        b->u[i].v = begin.v, b->u[i].w = begin.w;
    }
    TRY(scree_world_enter(world, scree_law_enter, control, SCREE_START_AGAIN));
    scree_world_kick(world, world->step.dt);
    scree_world_pull(world);
    return solve_again(world, draft);
}

/* Books what was solved so far; the step goes on from the current velocities. */
scree_status scree_world_begin_turn(scree_world *world) {
    scree_bodies *b = &world->state.bodies;
    TRY(scree_world_book(world));
    for (int32_t i = 0; i < scree_world_static(world); ++i)
        b->u_b[i] = scree_twist_velocity(&b->u[i]);
    scree_stress_mark(world);
    world->step.in_turn = true;
    world->step.pulls = false;
    return SCREE_OK;
}

/* After the percussions that are there. */
static scree_status solve_in_turn(scree_world *world,
                                  const scree_gap_control *control,
                                  bool draft) {
    TRY(scree_world_enter(world, scree_law_enter, control, SCREE_START_AFTER));
    scree_world_pull(world);
    TRY(solve_again(world, draft));
    const size_t mark = scree_arena_mark(&world->scratch);
    scree_rebound rebound;
    TRY(scree_world_see_rebound(world, &rebound));
    TRY(scree_world_decompress(world, &rebound));
    scree_arena_pop(&world->scratch, mark);
    return SCREE_OK;
}

/* Rounds go on in turn once bodies hit each other. What was solved last is booked
 * before contacts are found anew. */
static scree_status next_round(scree_world *world,
                               const scree_gap_control *control, int round,
                               bool hit) {
    ++world->accounts.cost.rounds;
    if (world->step.in_turn || hit) TRY(scree_world_begin_turn(world));
    if (!world->def.reproducible) /* else they are found */
        TRY(scree_world_find_pushed(world, control->dt,
                                    let_turn(world, round)));
    return world->step.in_turn ? solve_in_turn(world, control, true)
                               : solve_at_once(world, control, false);
}

/* ---- energy ------------------------------------------------------------------- */

static double kinetic_of(const scree_world *world, int32_t i, scree_vec3 v,
                         scree_vec3 w) {
    const scree_bodies *b = &world->state.bodies;
    if (scree_is_kinematic(&b->u[i])) return 0;
    const scree_sym3 inertia = scree_world_inertia(world, i, b->q[i]);
    return 0.5 * (dot(v, v) / b->u[i].inv_m + dot(w, sym3_mul(&inertia, w)));
}

/* Before the solve, or after what else acts in the step: whichever is more. */
static double free_energy(const scree_world *world, int32_t i) {
    const scree_velocity *begin = &world->state.bodies.u_b[i];
    const double before = kinetic_of(world, i, begin->v, begin->w);
    if (world->step.in_turn) return before;
    const scree_velocity kick = scree_world_kick_of(world, i, world->step.dt);
    return fmax(before, kinetic_of(world, i, add(begin->v, kick.v),
                                   add(begin->w, kick.w)));
}

double scree_world_kinetic(const scree_world *world, bool free) {
    const scree_bodies *b = &world->state.bodies;
    scree_sum sum = {0};
    for (int32_t i = 0; i < b->n; ++i) {
        if (!scree_world_owns(world, i)) continue;
        const double energy = free ? free_energy(world, i)
                                   : kinetic_of(world, i, b->u[i].v, b->u[i].w);
        scree_sum_add(world, &sum, energy);
    }
    return scree_sum_total(world, &sum);
}

/* Newton's law with friction may make energy of its own (Kane's pendulum), and hits
 * that follow each other would make it grow. What the solver leaves undone may be a
 * little of either sign. */
static bool makes_energy(const scree_world *world) {
    if (world->step.decompressed) return false; /* poisson.c has looked */
    const double before = scree_world_kinetic(world, true);
    const double after = scree_world_kinetic(world, false);
    return after - before > scree_world_given(world) + 1e-3 * after;
}

/* ---- the step's rounds --------------------------------------------------------- */

/* As far as asked for. `last`: the law of the last solve. */
static scree_status finish_draft(scree_world *world,
                                 const scree_gap_control *last,
                                 const scree_gap_control *plastic) {
    ++world->accounts.cost.rounds;
    if (world->step.in_turn) {
        TRY(scree_world_begin_turn(world));
        return solve_in_turn(world, plastic, false);
    }
    TRY(solve_at_once(world, last, false));
    if (!world->step.struck || !makes_energy(world)) return SCREE_OK;
    return solve_at_once(world, plastic, false);
}

scree_status scree_world_complete(void *self,
                                  const scree_gap_control *control) {
    scree_world *world = self;
    scree_gap_control plastic = *control, law = *control;
    int hits = world->step.draft ? DENSE_HITS : HITS;
    bool pushes = true;
    findings found;
    plastic.restitution_speed = INFINITY;
    if (world->step.struck && makes_energy(world)) {
        hits = -1;
        law = plastic;
        TRY(solve_at_once(world, &law, world->step.draft));
    }
    for (int round = 0; round < MOST_ROUNDS; ++round) {
        const scree_gap_control *seen = round <= hits ? control : &plastic;
        TRY(world->def.reproducible ? look_if_pushed(world, seen, round, &found)
                                    : look_again(world, seen, round, &found));
        if (!found.missing && !found.hit) {
            if (!world->step.draft) return SCREE_OK;
            TRY(finish_draft(world, &law, &plastic));
            continue;
        }
        law = round < hits ? *control : plastic;
        law.push = pushes && round >= PATIENT_ROUNDS;
        TRY(next_round(world, &law, round, found.hit));
        const bool made =
            (world->step.struck || law.push) && makes_energy(world);
        if (made) hits = -1, pushes = false;
    }
    ++world->accounts.cost.incomplete;
    return world->step.draft ? finish_draft(world, &law, &plastic) : SCREE_OK;
}
