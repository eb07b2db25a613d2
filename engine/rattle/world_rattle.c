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
 * below minus the tolerance (a third of solver.tolerance times the least radius) and the
 * velocities have settled. Bodies with faces begin with a round about q_n, and
 * contacts stay over the rounds even if their features change
 * (world_rattle_hold.c).
 *
 * A rim that rolls binds u_{n+1/2} where it touches, which is another place at q_{n+1}
 * than at q_n. With friction: midslip stage 1 takes the mean of both, so that rolling
 * without slip, which no gap expresses, is of second order too. With M_n, the directions
 * where the contact was (world_rattle_footing.c) and that mean, a thin disc that rolls on
 * its rim keeps its energy to 9e-7 in a second at dt = 1e-3, 2e-7 at half of it
 * (tests/order/rims.c); without them it loses 45 and 22 %. */
#include "engine/rattle/world_rattle.h"
#include "contact/narrow/touch.h"
#include "engine/forces/forces.h"
#include "engine/joints/joints.h"
#include "engine/step/timer.h"

/* Few rounds settle a step as a rule. After those contacts are held that move over
 * the bodies. In the last round with friction velocities that still change by little
 * beside |g| dt count as settled: a light body under a heavy one does not come to rest. Else its
 * percussions are kept as they are and the normal ones go on alone until the gaps hold,
 * which is a convex problem: contacts that are held beside each other make its solution
 * slow, so these rounds aim higher, each by the tolerance more, and what the solver
 * leaves is let in. Where bodies turn so far that the directions at q_n lead away from
 * it, those of the iterate take their place in the end. */
enum {
    CALM_ROUNDS = 3,
    FRICTION_ROUNDS = 6,
    FOOTED_ROUNDS = 20,
    MOST_ROUNDS = 60,
    CROWDED_ROUNDS = 20,
    LAST_ROUNDS = 3,
    MOST_HOLDS = 8 /* looks for bodies that pass each other, in a round */
};
static const double LOOSE = 0.1;
/* Joints hold exactly after each round or two with solves to this tolerance. */
static const double JOINED = 1e-9;

typedef struct inclusion {
    double dt;
    double tolerance; /* of the solver */
    bool frozen; /* friction is not a law of the rows, it acts as a force */
    double aim;  /* least gap that it allows [m] */
    bool swept;  /* bodies must not pass each other on their way */
    scree_passes look; /* how bodies that pass are looked for */
    bool held;         /* some were held back in this round, */
    bool crowded;      /* or in the step */
    bool passes;       /* some still do */
} inclusion;

/* ---- stage 1 ----------------------------------------------------------------- */

static scree_status remember_begin(scree_world *world) {
    scree_bodies *b = &world->state.bodies;
    TRY(scree_bodies_reserve_begin(b));
    world->step.held_back = false;
    for (int32_t i = 0; i < b->n; ++i) {
        b->begin[i] =
            (scree_pose){.x = b->x[i].x, .q = b->q[i], .w_free = b->u[i].w};
        b->u_b[i] = scree_twist_velocity(&b->u[i]);
    }
    scree_world_place_walls(world);
    world->state.cell.begin = world->state.cell.now;
    for (int w = 0; w < world->scene.n_wall; ++w) {
        scree_wall *wall = &world->scene.walls[w];
        wall->begin = wall->before;
        wall->velocity_begin = wall->velocity;
    }
    return SCREE_OK;
}

/* u_n, and what forces add to it in stage 1. */
static scree_velocity pushed_velocity(const scree_bodies *b, int32_t i) {
    const scree_velocity u = b->u_b[i];
    if (!b->push) return u;
    return (scree_velocity){add(u.v, b->push[i].first.v),
                            add(u.w, b->push[i].first.w)};
}

/* u_n + dt/2 M^-1 h. The gyroscopic part of h is that of the spin which the
 * percussions of the last round would lead to. */
static void set_free_velocity(scree_world *world, double dt) {
    scree_bodies *b = &world->state.bodies;
    const scree_vec3 g = world->state.gravity;
    for (int32_t i = 0; i < b->n; ++i) {
        scree_pose *begin = &b->begin[i];
        const scree_vec3 pushed = sub(b->u[i].w, begin->w_free);
        const scree_velocity start = pushed_velocity(b, i);
        const scree_vec3 dw = scree_world_half_turn(
            world, i, begin->q, add(start.w, pushed), 0.5 * dt);
        b->u[i].v = scree_is_kinematic(&b->u[i])
                        ? start.v
                        : add_scaled(start.v, 0.5 * dt, g);
        b->u[i].w = begin->w_free = add(start.w, dw);
    }
}

void scree_rattle_hold_back(scree_world *world, int32_t i, double dt) {
    scree_bodies *b = &world->state.bodies;
    scree_pose *begin = &b->begin[i];
    if (scree_is_kinematic(&b->u[i])) return;
    const scree_vec3 back = scree_world_way(
        world,
        scree_world_too_far(world, i, begin->x, sub(b->x[i].x, begin->x), dt));
    if (!scree_bears_load(back)) return;
    begin->late = add(begin->late, back);
    b->x[i].x = sub(b->x[i].x, back);
    world->step.held_back = true;
}

static bool has_surfaces(const scree_world *world) {
    for (int w = 0; w < world->scene.n_wall; ++w)
        if (scree_plane_is_surface(&world->scene.walls[w].before)) return true;
    return false;
}

/* q_n moved by u over dt. Does any body go far, or has one done so before? */
static bool set_end_position(scree_world *world, double dt) {
    scree_bodies *b = &world->state.bodies;
    const bool surfaces = has_surfaces(world);
    bool far = world->step.held_back;
    for (int32_t i = 0; i < b->n; ++i) {
        const scree_pose *begin = pose_at_begin(world, i);
        const scree_vec3 way = scree_world_way(world, scale(dt, b->u[i].v));
        b->x[i].x = sub(add(begin->x, way), begin->late);
        b->q[i] = quat_unit(
            quat_mul(quat_from_vector(scale(dt, b->u[i].w)), begin->q));
        far |= scree_rattle_goes_far(world, i, way, dt);
        if (surfaces) scree_rattle_hold_back(world, i, dt);
    }
    return far;
}

/* What friction of stage 1 acts against: the velocity of u_{n+1/2} at q_{n+1}, with
 * midslip the mean of that at both ends. */
static scree_vec3 slip_of_half(const scree_world *world, const scree_contact *c,
                               const scree_contact *n) {
    const scree_vec3 end =
        add(relative_now(world, c), scree_world_chi(world, c));
    if (world->def.friction != SCREE_FRICTION_MIDSLIP) return end;
    const scree_vec3 begin =
        add(relative_now(world, n), chi_at_begin(world, n));
    return scale(0.5, add(begin, end));
}

static scree_row position_row(const scree_world *world, const scree_contact *c,
                              const inclusion *of) {
    const scree_contact n = contact_at_begin(world, c);
    const scree_vec3 measured = relative_now(world, &n);
    const scree_vec3 gamma = slip_of_half(world, c, &n);
    const double c_n = (c->g - of->aim) / of->dt - dot(n.n, measured);
    scree_row row = scree_world_row(world, &n);
    if (of->frozen) scree_row_make_smooth(&row);
    row.c = scale(c_n, n.n);
    if (!of->frozen)
        row.c = add(row.c, tangent_part(sub(gamma, measured), n.n));
    scree_row_start(&row, c->P, scree_world_moment(world, c));
    return row;
}

static scree_vec3 frozen_friction(const scree_world *world, int64_t i) {
    const scree_row row = scree_problem_row(&world->state.problem, i);
    const scree_contact *c = &world->state.contacts.list[i];
    return tangent_part(c->P, row.n);
}

static void push_frozen(scree_problem *p, int64_t i, const void *context) {
    const scree_world *world = context;
    if (i >= world->state.contacts.n) return; /* a joint stays a law */
    scree_problem_push(p, i, frozen_friction(world, i));
    scree_problem_turn(
        p, i, scree_world_moment(world, &world->state.contacts.list[i]));
}

static void keep_round(scree_world *world, bool frozen) {
    for (int64_t i = 0; i < world->state.contacts.n; ++i) {
        const scree_row row = scree_problem_row(&world->state.problem, i);
        const scree_vec3 P_t = frozen ? frozen_friction(world, i) : row.P_t;
        scree_contact *c = &world->state.contacts.list[i];
        c->P = add_scaled(P_t, row.P_n, row.n);
        if (!frozen) scree_world_keep_moment(world, c, row.M);
    }
    scree_joints_keep(world, false);
}

static double worst_gap(const scree_world *world) {
    double worst = 0;
    for (int64_t i = 0; i < world->state.contacts.n; ++i)
        worst = fmin(worst, world->state.contacts.list[i].g);
    return -scree_world_most(world, -worst);
}

/* How far the list of pairs is to reach: as velocities lead, as far as bodies have come,
 * or may be moved. */
typedef enum reaching { BY_VELOCITY, BY_WAY, BY_MOVES } reaching;

static scree_vec3 reach_of(const scree_world *world, int32_t i,
                           reaching how_far) {
    const scree_vec3 x = world->state.bodies.x[i].x;
    return how_far == BY_WAY ? sub(x, pose_at_begin(world, i)->x)
                             : vec(scree_rattle_reach(world, i, x), 0, 0);
}

/* Finds contacts where the bodies are. Ways stand in for u_n, where the list of pairs is
 * to know of them. */
static scree_status find_here(scree_world *world, double dt, reaching how_far) {
    const bool further = how_far != BY_VELOCITY;
    const scree_reach reach = {.slack = SCREE_RATTLE_NEAR * world->scene.r_min,
                               .keep_loaded = true,
                               .by_both = further};
    scree_bodies *b = &world->state.bodies;
    for (int32_t i = 0; i < b->n && further; ++i) {
        b->begin[i].u = b->u_b[i];
        b->u_b[i].v = scale(1 / dt, reach_of(world, i, how_far));
    }
    const scree_status status = scree_world_find_contacts(world, dt, &reach);
    for (int32_t i = 0; i < b->n && further; ++i) b->u_b[i] = b->begin[i].u;
    return status;
}

/* A reproducible world must not depend on which pairs its list happens to have. */
static scree_status find_passing(scree_world *world, inclusion *of) {
    if (!world->def.reproducible) return find_here(world, of->dt, BY_VELOCITY);
    TRY(find_here(world, of->dt, BY_WAY));
    TRY(scree_rattle_any_passes(world, of->dt, of->look, &of->passes));
    return of->passes ? find_here(world, of->dt, BY_MOVES) : SCREE_OK;
}

/* Contacts at the end positions that the current velocities lead to. */
static scree_status find_contacts_at_end(scree_world *world, inclusion *of,
                                         const scree_standing *standing) {
    const bool far = set_end_position(world, of->dt);
    const reaching next = world->def.reproducible ? BY_MOVES : BY_WAY;
    of->passes = of->swept && scree_world_any(world, far);
    of->held = false;
    TRY(of->passes ? find_passing(world, of)
                   : find_here(world, of->dt, BY_VELOCITY));
    for (int k = 0; k < MOST_HOLDS && of->passes; ++k) {
        TRY(scree_rattle_hold_pairs(world, of->dt, of->look, &of->passes));
        of->held |= of->passes;
        of->crowded |= of->passes;
        if (of->passes) TRY(find_here(world, of->dt, next));
    }
    return world->scene.general || has_surfaces(world)
               ? scree_rattle_set_footings(world, standing)
               : SCREE_OK;
}

static bool pushes_from_now(const scree_world *world, const scree_contact *c) {
    return c->arms >= 0 && !world->state.contacts.footings[c->arms].is_known &&
           scree_bears_load(c->P);
}

/* M_n in place of that of the iterate, where the bodies stand. A body that is pushed
 * with the directions of the iterate, as hits are, has its inertia as well: what it gets
 * is then taken off in stage 2 as it was given. */
static scree_status take_inertia_at_begin(scree_world *world) {
    const int32_t n = world->state.bodies.n;
    if (!world->scene.general) return SCREE_OK;
    const size_t mark = scree_arena_mark(&world->scratch);
    bool *now = scree_arena_push(&world->scratch, (size_t)n + 1);
    if (!now) return SCREE_OUT_OF_MEMORY;
    for (int32_t i = 0; i <= n; ++i) now[i] = false;
    for (int64_t i = 0; i < world->state.contacts.n; ++i) {
        const scree_contact *c = &world->state.contacts.list[i];
        if (pushes_from_now(world, c))
            now[c->a] = now[scree_world_second(world, c)] = true;
    }
    TRY(scree_world_share_flags(world, now));
    for (int32_t i = 0; i < n; ++i)
        if (!now[i])
            world->state.inv_I[i] =
                scree_world_inv_inertia(world, i, pose_at_begin(world, i)->q);
    scree_arena_pop(&world->scratch, mark);
    return SCREE_OK;
}

/* One linear inclusion about the iterate. Returns how far velocities moved. */
static scree_status solve_round(scree_world *world, const inclusion *of,
                                double *change) {
    const double start = scree_clock();
    scree_bodies *b = &world->state.bodies;
    scree_problem *p = &world->state.problem;
    TRY(scree_world_pose(world, world->state.contacts.n));
    TRY(take_inertia_at_begin(world));
    TRY(scree_world_place_contacts(world));
    for (int64_t i = 0; i < world->state.contacts.n; ++i) {
        const scree_row row =
            position_row(world, &world->state.contacts.list[i], of);
        scree_problem_fill(p, i, &row);
    }
    scree_joints_fill(world, SCREE_STAGE_POSITION, true);
    const size_t mark = scree_arena_mark(&world->scratch);
    scree_vec3 *last =
        scree_arena_push(&world->scratch, (size_t)b->n * sizeof *last);
    if (!last) return SCREE_OUT_OF_MEMORY;
    for (int32_t i = 0; i < b->n; ++i) last[i] = b->u[i].v;
    set_free_velocity(world, of->dt);
    p->frictionless |= of->frozen;
    if (of->frozen) scree_problem_push_each(p, push_frozen, world);
    scree_phase_charge(&world->accounts.cost, SCREE_PHASE_ASSEMBLE, start);

    TRY(scree_world_run_solver(world, of->tolerance));
    keep_round(world, of->frozen);
    *change = 0;
    for (int32_t i = 0; i < b->n; ++i)
        *change = fmax(*change, norm(sub(b->u[i].v, last[i])));
    *change = scree_world_most(world, *change);
    scree_arena_pop(&world->scratch, mark);
    return SCREE_OK;
}

/* The contacts of the round after `round`. Returns the worst gap. */
static scree_status find_next(scree_world *world, inclusion *of, int round,
                              scree_standing *standing, double *worst) {
    const size_t mark = scree_arena_mark(&world->scratch);
    scree_holding held = {0};
    if (world->scene.general)
        TRY(scree_rattle_hold(world, round >= CALM_ROUNDS, &held));
    TRY(find_contacts_at_end(world, of, standing));
    *worst = worst_gap(world);
    if (world->scene.general) TRY(scree_rattle_put_back(world, &held));
    if (world->scene.general && round >= FOOTED_ROUNDS) {
        standing->given_up = true;
        TRY(scree_rattle_set_footings(world, standing));
    }
    scree_arena_pop(&world->scratch, mark);
    return SCREE_OK;
}

static double largest_speed(const scree_world *world) {
    double most = 0;
    for (int32_t i = 0; i < world->state.bodies.n; ++i)
        most = fmax(most, norm(world->state.bodies.u[i].v));
    return scree_world_most(world, most);
}

static void scale_percussions(scree_world *world, double share) {
    for (int64_t i = 0; i < world->state.contacts.n; ++i) {
        scree_contact *c = &world->state.contacts.list[i];
        c->P = scale(share, c->P);
        scree_world_keep_moment(world, c,
                                scale(share, scree_world_moment(world, c)));
    }
    scree_joints_scale(world, share);
}

/* Bodies that come from afar, or turn far, are held back where they touch
 * (world_rattle_pairs.c). Seen from q_n that is elsewhere, and pushes from there would be of
 * no use. */
static bool comes_from_afar(const scree_world *world, const scree_contact *c,
                            double dt) {
    const scree_bodies *b = &world->state.bodies;
    const scree_scene scene = {.n = b->n,
                               .x = b->x,
                               .form = b->form,
                               .forms = world->scene.forms,
                               .general = world->scene.general};
    const double near = SCREE_RATTLE_NEAR * world->scene.r_min;
    if (c->b < 0 && c->g > near &&
        scree_plane_is_surface(&world->scene.planes[-1 - c->b]) &&
        scree_body_is_fast(&scene, c->a, dt * norm(b->u[c->a].v)))
        return true;
    if (scree_rattle_turns_far(world, c->a, dt)) return true;
    if (c->b < 0) return false;
    if (scree_rattle_turns_far(world, c->b, dt)) return true;
    const double way = dt * norm(scree_world_closing(world, c));
    return c->g > near &&
           scree_rattle_is_fast(&scene, &(scree_pair){c->a, c->b, 0, 0}, way);
}

static void leave_out_far(scree_world *world, double dt) {
    scree_contacts *c = &world->state.contacts;
    int64_t n = 0;
    for (int64_t i = 0; i < c->n; ++i)
        if (!comes_from_afar(world, &c->list[i], dt))
            scree_contacts_move(c, i, n++);
    c->n = n;
}

/* A first round about q_n, where nothing overlaps, for bodies with faces: it leaves
 * overlaps of second order in the angles of the step. Where free flight ends they
 * may be so deep that the features which touch there say little, and rounds that
 * start from them go back and forth between features. The list of pairs is to last to
 * the end of the step: contacts of q_n are known by their pairs. */
static scree_status predict_round(scree_world *world, double dt,
                                  double tolerance, scree_standing *standing) {
    const scree_reach reach = {.slack = SCREE_RATTLE_NEAR * world->scene.r_min,
                               .foresee = true,
                               .keep_loaded = true,
                               .further = 1};
    scree_bodies *b = &world->state.bodies;
    double change;
    TRY(scree_world_find_contacts(world, dt, &reach));
    leave_out_far(world, dt);
    TRY(scree_rattle_stand(world, standing));
    for (int32_t i = 0; i < b->n; ++i)
        b->u[i].v = b->u[i].w = b->begin[i].w_free = vec(0, 0, 0);
    return solve_round(world, &(inclusion){.dt = dt, .tolerance = tolerance},
                       &change);
}

/* Changes of velocities that count as none: beside the speeds of bodies or, where they
 * rest, what gravity gives them in a step. */
static double least_change(const scree_world *world, double dt, bool last) {
    const double tolerance = scree_rattle_tolerance(world);
    const double g = norm(scree_world_weight(world)) + world->forces.typical;
    return fmax(tolerance * largest_speed(world),
                (last ? LOOSE : tolerance) * g * dt);
}

/* Where bodies were held back and rounds did not settle them, velocities stay as they
 * are, and positions alone are parted until the gaps hold. Rounds that go on would turn
 * bodies into others that hold them back again: of 64 boxes that fly into each other
 * with 3 sizes in a step, 9 of 12 steps ended without, after 60 rounds. */
static scree_status part_last(scree_world *world, inclusion *of,
                              scree_standing *standing, bool *done) {
    const double deepest = scree_rattle_tolerance(world) * world->scene.r_min;
    double worst;
    of->look = SCREE_PASSES_LAST;
    for (int k = 0; k < LAST_ROUNDS && !*done; ++k) {
        TRY(find_next(world, of, CALM_ROUNDS, standing, &worst));
        *done = worst >= -deepest && !of->passes;
    }
    return SCREE_OK;
}

/* Rounds from (q_n, u_n). They end when the gaps hold and the velocities have
 * settled, as far as the solver settles them. The solver's tolerance is on the
 * sum over all contacts: where it is met and a single gap is not, it tightens. */
static scree_status run_rounds(scree_world *world, double dt, bool swept,
                               bool *done) {
    const double tolerance = scree_rattle_tolerance(world);
    const double deepest = tolerance * world->scene.r_min;
    inclusion of = {.dt = dt,
                    .tolerance = world->joints.n > 0 ? fmin(tolerance, JOINED)
                                                     : tolerance,
                    .swept = swept};
    scree_standing standing = {0};
    const size_t mark = scree_arena_mark(&world->scratch);
    set_free_velocity(world, dt);
    if (world->scene.general)
        TRY(predict_round(world, dt, tolerance, &standing));
    TRY(find_contacts_at_end(world, &of, &standing));
    *done = false;
    for (int round = 0; !*done && round < MOST_ROUNDS; ++round) {
        double change, worst;
        of.frozen = round >= FRICTION_ROUNDS;
        if (of.crowded && round >= CROWDED_ROUNDS) break;
        if (of.frozen) of.aim += deepest;
        TRY(solve_round(world, &of, &change));
        of.look = SCREE_PASSES_AGAIN;
        TRY(find_next(world, &of, round, &standing, &worst));
        const bool last = round + 1 >= FRICTION_ROUNDS;
        const bool settled = change <= least_change(world, dt, last) ||
                             of.frozen || !world->state.report.converged;
        const bool holds =
            worst >= -deepest &&
            (!world->state.report.converged || round + 1 >= FRICTION_ROUNDS ||
             scree_joints_hold(world));
        if (!holds && !of.held && world->state.report.converged)
            of.tolerance *= 0.1;
        *done = settled && holds && !of.passes;
    }
    if (!*done && of.crowded) TRY(part_last(world, &of, &standing, done));
    scree_arena_pop(&world->scratch, mark);
    return SCREE_OK;
}

/* RATTLE continues admissible states. Overlap that a case begins with would be
 * thrown out as velocity in the first step; it is worked off before by rounds
 * without velocity and gravity, which move positions alone. */
static scree_status work_off_overlap(scree_world *world, double dt) {
    scree_bodies *b = &world->state.bodies;
    const scree_vec3 gravity = world->state.gravity;
    const double energy = scree_world_mechanical_energy(world);
    for (int32_t i = 0; i < b->n; ++i) {
        b->begin[i].u = scree_twist_velocity(&b->u[i]);
        b->u_b[i] = (scree_velocity){vec(0, 0, 0), vec(0, 0, 0)};
    }
    world->state.gravity = vec(0, 0, 0);
    world->forces.resting = true;
    scree_world_find_pushes(world, dt, SCREE_PUSH_FIRST);
    bool done;
    const scree_status status = run_rounds(world, dt, false, &done);
    world->state.gravity = gravity;
    world->forces.resting = false;
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
    const scree_reach reach = {.slack = SCREE_CLOSED * world->scene.r_min};
    TRY(scree_world_find_contacts(world, dt, &reach));
    if (worst_gap(world) >= -scree_rattle_tolerance(world) * world->scene.r_min)
        return SCREE_OK;
    TRY(remember_begin(world));
    return work_off_overlap(world, dt);
}

/* What holding back costs or gains in the field of gravity. */
static void book_late(scree_world *world) {
    const scree_vec3 g = world->state.gravity;
    const scree_bodies *b = &world->state.bodies;
    for (int32_t i = 0; i < b->n; ++i)
        if (scree_world_owns(world, i) && !scree_is_kinematic(&b->u[i]))
            SCREE_BOOK(world, recovery_work,
                       dot(g, pose_at_begin(world, i)->late) / b->u[i].inv_m);
}

scree_status scree_world_position_stage(void *self, double dt) {
    scree_world *world = self;
    if (world->state.steps == 0) TRY(admit_once(world, dt));
    TRY(remember_begin(world));
    scree_world_find_pushes(world, 0.5 * dt, SCREE_PUSH_FIRST);
    /* What the last step left is the total percussion: stage 1 takes half. */
    scale_percussions(world, world->def.solver.warm_start ? 0.5 : 0);
    world->state.t += dt;
    TRY(run_rounds(world, dt, true, &world->step.gaps_hold));
    book_late(world);
    return SCREE_OK;
}
