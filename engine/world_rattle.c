/* world_rattle.c: RATTLE for many bodies (000 section 3, equations in
 * engine/steppers/rattle.c), matrix-free: stage 1. Stage 2 is in
 * world_rattle_velocity.c.
 *
 * Stage 1 is nonlinear in q_{n+1}. Rounds: linearise the gaps about the iterate,
 * solve the linear inclusion with the world's solver, move, measure the gaps
 * again. Percussions act along the directions at q_n; the rows that measure use
 * the same directions, with shifts such that a fixed point satisfies the exact
 * conditions at q_{n+1}:
 *
 *     xi_N = g(q^k) / dt + n_n . W_n^T (u - u^k)
 *     xi_T = gamma_T(q^k, u^k) + W_n^T (u - u^k)
 *
 * So one kernel serves all solvers, and a round contracts by the angle that the
 * directions turn within the step. Contacts are found anew in every round, so
 * that none is missed whatever the step size. The rounds end when no gap is
 * below minus the tolerance (solver.tolerance times the least radius) and the
 * velocities have settled. Bodies with faces begin with a round about q_n, and
 * contacts that bear load stay over the rounds even if their features change. */
#include "engine/timer.h"
#include "engine/world_rattle.h"

/* Rounds with friction; then friction percussions are kept as they are and the
 * normal ones go on alone until the gaps hold, which is a convex problem. */
enum { FRICTION_ROUNDS = 6, MOST_ROUNDS = 60 };

/* ---- stage 1 ----------------------------------------------------------------- */

static scree_status remember_begin(scree_world *world) {
    scree_bodies *b = &world->bodies;
    TRY(scree_bodies_reserve_begin(b));
    for (int32_t i = 0; i < b->n; ++i) {
        b->begin[i] = (scree_pose){
            .x = b->x[i].x, .q = b->q[i], .w_free = b->u[i].w};
        b->u_b[i] = scree_twist_velocity(&b->u[i]);
    }
    scree_world_place_walls(world);
    for (int w = 0; w < world->n_wall; ++w) {
        scree_wall *wall = &world->walls[w];
        wall->begin = wall->before;
        wall->velocity_begin = wall->velocity;
    }
    return SCREE_OK;
}

/* u_n + dt/2 M^-1 h. The gyroscopic part of h is that of the spin which the
 * percussions of the last round would lead to. */
static void set_free_velocity(scree_world *world, double dt) {
    scree_bodies *b = &world->bodies;
    const scree_vec3 g = vec_from(world->def.gravity);
    for (int32_t i = 0; i < b->n; ++i) {
        scree_pose *begin = &b->begin[i];
        const scree_vec3 pushed = sub(b->u[i].w, begin->w_free);
        const scree_vec3 dw = scree_world_half_turn(
            world, i, begin->q, add(b->u_b[i].w, pushed), 0.5 * dt);
        b->u[i].v = add_scaled(b->u_b[i].v, 0.5 * dt, g);
        b->u[i].w = begin->w_free = add(b->u_b[i].w, dw);
    }
}

/* A body that would pass a surface is held back, from round to round further: it
 * ends where it touches, and u stays (stop.c). */
static void hold_back(scree_world *world, int32_t i, double dt) {
    scree_bodies *b = &world->bodies;
    scree_pose *begin = &b->begin[i];
    const scree_vec3 back = scree_world_too_far(
        world, i, begin->x, sub(b->x[i].x, begin->x), dt);
    begin->late = add(begin->late, back);
    b->x[i].x = sub(b->x[i].x, back);
}

/* q_n moved by u over dt. */
static void set_end_position(scree_world *world, double dt) {
    scree_bodies *b = &world->bodies;
    for (int32_t i = 0; i < b->n; ++i) {
        const scree_pose *begin = pose_at_begin(world, i);
        b->x[i].x =
            sub(add_scaled(begin->x, dt, b->u[i].v), begin->late);
        b->q[i] = quat_unit(
            quat_mul(quat_from_vector(scale(dt, b->u[i].w)), begin->q));
        hold_back(world, i, dt);
    }
}

/* frozen: friction is not a law of the row, its percussion acts as a force. */
static scree_row position_row(const scree_world *world, const scree_contact *c,
                              double dt, bool frozen) {
    const scree_contact n = contact_at_begin(world, c);
    const scree_vec3 measured = relative_now(world, &n);
    const scree_vec3 gamma =
        add(relative_now(world, c), scree_world_chi(world, c));
    const double c_n = c->g / dt - dot(n.n, measured);
    scree_row row = scree_world_row(world, &n);
    if (frozen) scree_row_make_smooth(&row);
    row.c = scale(c_n, n.n);
    if (!frozen) row.c = add(row.c, tangent(sub(gamma, measured), n.n));
    scree_row_start(&row, c->P, scree_world_moment(world, c));
    return row;
}

static scree_vec3 frozen_friction(const scree_world *world, int64_t i) {
    const scree_row row = scree_problem_row(&world->problem, i);
    const scree_contact *c = &world->contacts.list[i];
    return tangent(c->P, row.n);
}

static void push_frozen(scree_problem *p, int64_t i, const void *context) {
    const scree_world *world = context;
    scree_problem_push(p, i, frozen_friction(world, i));
    scree_problem_turn(p, i,
                       scree_world_moment(world, &world->contacts.list[i]));
}

static void keep_round(scree_world *world, bool frozen) {
    for (int64_t i = 0; i < world->contacts.n; ++i) {
        const scree_row row = scree_problem_row(&world->problem, i);
        const scree_vec3 P_t = frozen ? frozen_friction(world, i) : row.P_t;
        scree_contact *c = &world->contacts.list[i];
        c->P = add_scaled(P_t, row.P_n, row.n);
        if (!frozen) scree_world_keep_moment(world, c, row.M);
    }
}

static double worst_gap(const scree_world *world) {
    double worst = 0;
    for (int64_t i = 0; i < world->contacts.n; ++i)
        worst = fmin(worst, world->contacts.list[i].g);
    return -scree_world_most(world, -worst);
}

/* Contacts at the end positions that the velocities of now lead to. */
static scree_status find_contacts_at_end(scree_world *world, double dt) {
    set_end_position(world, dt);
    const scree_reach reach = {.slack = SCREE_RATTLE_NEAR * world->r_min,
                               .keep_loaded = true};
    return scree_world_find_contacts(world, dt, &reach);
}

/* One linear inclusion about the iterate. Returns how far velocities moved. */
static scree_status solve_round(scree_world *world, double dt, double tolerance,
                                bool frozen, double *change) {
    const double start = scree_clock();
    scree_bodies *b = &world->bodies;
    scree_problem *p = &world->problem;
    TRY(scree_world_pose(world, world->contacts.n));
    TRY(scree_world_place_contacts(world));
    for (int64_t i = 0; i < world->contacts.n; ++i) {
        const scree_row row =
            position_row(world, &world->contacts.list[i], dt, frozen);
        scree_problem_fill(p, i, &row);
    }
    const size_t mark = scree_arena_mark(&world->scratch);
    scree_vec3 *last =
        scree_arena_push(&world->scratch, (size_t)b->n * sizeof *last);
    if (!last) return SCREE_OUT_OF_MEMORY;
    for (int32_t i = 0; i < b->n; ++i) last[i] = b->u[i].v;
    set_free_velocity(world, dt);
    p->frictionless |= frozen;
    if (frozen) scree_problem_push_each(p, push_frozen, world);
    world->cost.seconds[SCREE_PHASE_ASSEMBLE] += scree_clock() - start;

    TRY(scree_world_run_solver(world, tolerance));
    keep_round(world, frozen);
    *change = 0;
    for (int32_t i = 0; i < b->n; ++i)
        *change = fmax(*change, norm(sub(b->u[i].v, last[i])));
    *change = scree_world_most(world, *change);
    scree_arena_pop(&world->scratch, mark);
    return SCREE_OK;
}

/* Contacts that bore load in the last round and whose features the new iterate
 * does not have any more. They stay, with the gap that the round left them, zero:
 * rounds would else go back and forth between two sets of features of a pair, each
 * of which lets the other overlap. */
typedef struct holding {
    int64_t n, rebuilds;
    scree_contact *list;
    scree_arms *arms;
    scree_vec3 *moments;
} holding;

static scree_status hold(scree_world *world, holding *held) {
    const size_t n = (size_t)world->contacts.n;
    *held = (holding){
        .rebuilds = world->cost.rebuilds,
        .list = scree_arena_push(&world->scratch, n * sizeof *held->list),
        .arms = scree_arena_push(&world->scratch, n * sizeof *held->arms),
        .moments =
            scree_arena_push(&world->scratch, n * sizeof *held->moments)};
    if (!held->list || !held->arms || !held->moments)
        return SCREE_OUT_OF_MEMORY;
    for (size_t i = 0; i < n; ++i) {
        const scree_contact *c = &world->contacts.list[i];
        if (c->arms < 0 || !scree_bears_load(c->P)) continue;
        held->arms[held->n] = world->contacts.arms[c->arms];
        held->moments[held->n] = scree_world_moment(world, c);
        held->list[held->n++] = *c;
    }
    return SCREE_OK;
}

/* Leaves the held contacts that are not in the list; both follow the pairs. */
static void forget_found(const scree_world *world, holding *held) {
    const scree_contacts *found = &world->contacts;
    int64_t left = 0, first = 0;
    for (int64_t k = 0; k < held->n; ++k) {
        const scree_contact *c = &held->list[k];
        while (first < found->n && found->list[first].pair < c->pair) ++first;
        int64_t i = first;
        while (i < found->n && found->list[i].pair == c->pair &&
               found->list[i].key != c->key)
            ++i;
        if (i < found->n && found->list[i].pair == c->pair) continue;
        held->arms[left] = held->arms[k];
        held->moments[left] = held->moments[k];
        held->list[left++] = *c;
    }
    held->n = left;
}

/* Merges the held contacts into the list, from its end, in the order of pairs. */
static scree_status put_back(scree_world *world, holding *held) {
    scree_contacts *c = &world->contacts;
    if (held->rebuilds != world->cost.rebuilds) return SCREE_OK;
    forget_found(world, held);
    const int64_t total = c->n + held->n;
    TRY(scree_reserve(&c->list, &c->capacity, total, sizeof *c->list));
    TRY(scree_reserve(&c->arms, &c->arms_capacity, c->capacity,
                      sizeof *c->arms));
    if (scree_world_resists_turning(world))
        TRY(scree_reserve(&c->moments, &c->moments_capacity, c->capacity,
                          sizeof *c->moments));
    int64_t from = c->n, to = total;
    for (int64_t k = held->n - 1; k >= 0; --k) {
        while (from > 0 && c->list[from - 1].pair > held->list[k].pair)
            c->list[--to] = c->list[--from];
        c->list[--to] = held->list[k];
        c->list[to].g = 0;
        c->list[to].arms = (int32_t)(c->n + k);
        c->arms[c->n + k] = held->arms[k];
        if (c->list[to].moment < 0) continue;
        c->list[to].moment = (int32_t)(c->n + k);
        c->moments[c->n + k] = held->moments[k];
    }
    c->n = total;
    return SCREE_OK;
}

/* The contacts of the next round. Returns the worst gap. */
static scree_status find_next(scree_world *world, double dt, double *worst) {
    const size_t mark = scree_arena_mark(&world->scratch);
    holding held = {0};
    if (world->general) TRY(hold(world, &held));
    TRY(find_contacts_at_end(world, dt));
    *worst = worst_gap(world);
    if (world->general) TRY(put_back(world, &held));
    scree_arena_pop(&world->scratch, mark);
    return SCREE_OK;
}

static double largest_speed(const scree_world *world) {
    double most = 0;
    for (int32_t i = 0; i < world->bodies.n; ++i)
        most = fmax(most, norm(world->bodies.u[i].v));
    return scree_world_most(world, most);
}

static void scale_percussions(scree_world *world, double share) {
    for (int64_t i = 0; i < world->contacts.n; ++i) {
        scree_contact *c = &world->contacts.list[i];
        c->P = scale(share, c->P);
        scree_world_keep_moment(world, c,
                                scale(share, scree_world_moment(world, c)));
    }
}

/* A first round about q_n, where nothing overlaps, for bodies with faces: it leaves
 * overlaps of second order in the angles of the step. Where free flight ends they
 * may be so deep that the features which touch there say little, and rounds that
 * start from them go back and forth between features. */
static scree_status predict(scree_world *world, double dt, double tolerance) {
    const scree_reach reach = {.slack = SCREE_RATTLE_NEAR * world->r_min,
                               .foresee = true,
                               .keep_loaded = true};
    scree_bodies *b = &world->bodies;
    double change;
    TRY(scree_world_find_contacts(world, dt, &reach));
    for (int32_t i = 0; i < b->n; ++i)
        b->u[i].v = b->u[i].w = b->begin[i].w_free = vec(0, 0, 0);
    return solve_round(world, dt, tolerance, false, &change);
}

/* Rounds from (q_n, u_n). They end when the gaps hold and the velocities have
 * settled, as far as the solver settles them. The solver's tolerance is on the
 * sum over all contacts: where it is met and a single gap is not, it tightens. */
static scree_status run_rounds(scree_world *world, double dt, bool *done) {
    const double tolerance = world->def.solver.tolerance;
    double inner = tolerance;
    set_free_velocity(world, dt);
    if (world->general) TRY(predict(world, dt, tolerance));
    TRY(find_contacts_at_end(world, dt));
    *done = false;
    for (int round = 0; !*done && round < MOST_ROUNDS; ++round) {
        const bool frozen = round >= FRICTION_ROUNDS;
        double change, worst;
        TRY(solve_round(world, dt, inner, frozen, &change));
        TRY(find_next(world, dt, &worst));
        const bool settled = change <= tolerance * largest_speed(world) ||
                             frozen || !world->report.converged;
        const bool holds = worst >= -tolerance * world->r_min;
        if (!holds && world->report.converged) inner *= 0.1;
        *done = settled && holds;
    }
    return SCREE_OK;
}

/* RATTLE continues admissible states. Overlap that a case begins with would be
 * thrown out as velocity in the first step; it is worked off before by rounds
 * without velocity and gravity, which move positions alone. */
static scree_status admit(scree_world *world, double dt) {
    scree_bodies *b = &world->bodies;
    const scree_vec3 gravity = vec_from(world->def.gravity);
    const double energy = scree_world_mechanical_energy(world);
    for (int32_t i = 0; i < b->n; ++i) {
        b->begin[i].u = scree_twist_velocity(&b->u[i]);
        b->u_b[i] = (scree_velocity){vec(0, 0, 0), vec(0, 0, 0)};
    }
    vec_to(vec(0, 0, 0), world->def.gravity);
    bool done;
    const scree_status status = run_rounds(world, dt, &done);
    vec_to(gravity, world->def.gravity);
    for (int32_t i = 0; i < b->n; ++i) {
        b->u[i].v = b->begin[i].u.v;
        b->u[i].w = b->begin[i].u.w;
    }
    scale_percussions(world, 0);
    const double gained = scree_world_mechanical_energy(world) - energy;
    SCREE_BOOK(world, recovery_work, gained);
    return status;
}

static scree_status admit_once(scree_world *world, double dt) {
    const scree_reach reach = {.slack = SCREE_CLOSED * world->r_min};
    TRY(scree_world_find_contacts(world, dt, &reach));
    if (worst_gap(world) >= -world->def.solver.tolerance * world->r_min)
        return SCREE_OK;
    TRY(remember_begin(world));
    return admit(world, dt);
}

/* What holding back costs or gains in the field of gravity. */
static void book_late(scree_world *world) {
    const scree_vec3 g = vec_from(world->def.gravity);
    const scree_bodies *b = &world->bodies;
    for (int32_t i = 0; i < b->n; ++i)
        if (scree_world_owns(world, i))
            SCREE_BOOK(world, recovery_work,
                       dot(g, pose_at_begin(world, i)->late) / b->u[i].inv_m);
}

scree_status scree_world_position_stage(void *self, double dt) {
    scree_world *world = self;
    if (world->steps == 0) TRY(admit_once(world, dt));
    TRY(remember_begin(world));
    /* What the last step left is the total percussion: stage 1 takes half. */
    scale_percussions(world, world->def.solver.warm_start ? 0.5 : 0);
    world->t += dt;
    TRY(run_rounds(world, dt, &world->gaps_hold));
    book_late(world);
    return SCREE_OK;
}
