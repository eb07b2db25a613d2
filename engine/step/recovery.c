/* recovery.c: working off overlap without touching velocities.
 *
 * With the gap that the next midpoint would have, g' = g + dt gamma_N,E, find
 * displacements dx = w dt of the centres by the frictionless inclusion problem
 *
 *     w = M^-1 W_N L,   n . (w_a - w_b) + c >= 0,   L >= 0,  complementary,
 *     c = g' / dt                                 where g' >= 0,
 *     c = -min(SHARE |g'| / dt, recovery_velocity) where g' < 0:
 *
 * overlap shrinks by a share per step, bounded in speed, and no gap is spent
 * beyond what is there. Velocities stay, so no kinetic energy is added; the
 * centre of mass of bodies that touch no wall stays too. Bodies that are not
 * spheres are turned as well, and their spin with them. The potential energy
 * that lifting costs is booked as recovery_work. A few sweeps are enough: what
 * is left is worked off in the next steps. With momentum they reach through high
 * columns: in a bed of 5 000 boxes 20 sweeps leave a tenth of the deepest overlap
 * that 10 without it leave. */
#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/joints/joints.h"
#include "engine/laws/cohesion.h"
#include "engine/step/step.h"
#include "engine/step/stress.h"
#include "engine/step/timer.h"
#include "solvers/problem/method.h"

static const double SHARE = 0.2;
/* Overlap below this share of the least radius is left alone. */
static const double TOLERATED = 1e-6;
static const double MOMENTUM = 0.85;
enum { SWEEPS = 20 };

/* c of one contact; the normal velocity is the solved one. */
static double shift_of(const scree_world *world, const scree_contact *c,
                       double v_max, double dt) {
    const scree_twist *u = world->state.problem.u;
    const scree_vec3 gamma =
        add(scree_world_relative(
                world, c, scree_twist_velocity(&u[c->a]),
                scree_twist_velocity(&u[scree_world_second(world, c)])),
            scree_world_chi(world, c));
    const double g = scree_world_gap_of(world, c) + dt * dot(c->n, gamma);
    const double depth = -g - SCREE_DEAD_ZONE * world->scene.r_min;
    return depth > 0 ? -fmin(SHARE * depth / dt, v_max) : fmax(g, 0) / dt;
}

/* What threads share of a recovery. */
typedef struct recovery {
    scree_world *world;
    double v_max, dt;
    double *most;         /* (chunks of contacts) */
    const scree_twist *w; /* (bodies) */
    scree_vec3 stretch;   /* of a cell that makes room [1/s] */
    double *lift;         /* (bodies) work against gravity [J] */
} recovery;

static void pose_chunk(void *context, int64_t first, int64_t last) {
    const recovery *r = context;
    scree_world *world = r->world;
    double most = 0;
    for (int64_t i = first; i < last; ++i) {
        const scree_contact *c = &world->state.contacts.list[i];
        const double c_n = shift_of(world, c, r->v_max, r->dt);
        scree_row row = scree_world_row(world, c);
        row.c = scale(c_n, c->n);
        scree_row_make_smooth(&row);
        scree_problem_fill(&world->state.problem, i, &row);
        most = fmax(most, -c_n);
    }
    r->most[first / SCREE_CHUNK] = most;
}

/* Turns the solved problem into the displacement problem; `most`: the largest
 * recovery velocity asked for. */
static scree_status pose_problem(recovery *r, double *most) {
    scree_world *world = r->world;
    const int64_t n = world->state.contacts.n, chunks = scree_chunk_count(n);
    const size_t mark = scree_arena_mark(&world->scratch);
    r->most =
        scree_arena_push(&world->scratch, (size_t)chunks * sizeof *r->most);
    if (!r->most) return SCREE_OUT_OF_MEMORY;
    scree_parallel_for(n, world->def.threads, pose_chunk, r);
    scree_joints_fill(world, SCREE_STAGE_SHIFT, false);
    *most = 0;
    for (int64_t k = 0; k < chunks; ++k) *most = fmax(*most, r->most[k]);
    scree_arena_pop(&world->scratch, mark);
    return SCREE_OK;
}

/* The spin turns with the body: in its own frame it stays, and so does its
 * kinetic energy. */
static void turn_body(scree_bodies *b, int32_t i, scree_vec3 angle) {
    const scree_quat dq = quat_from_vector(angle);
    b->q[i] = quat_unit(quat_mul(dq, b->q[i]));
    b->u[i].w = quat_rotate(dq, b->u[i].w);
}

static scree_vec3 shift_velocity(const recovery *r, int32_t i) {
    const scree_vec3 v = r->w[i].v, e = r->stretch;
    if (!scree_world_holds(r->world)) return v;
    const scree_vec3 x =
        sub(r->world->state.bodies.x[i].x, r->world->state.cell.low);
    return add(v, vec(e.x * x.x, e.y * x.y, e.z * x.z));
}

static void displace_chunk(void *context, int64_t first, int64_t last) {
    const recovery *r = context;
    const scree_vec3 g = r->world->state.gravity;
    scree_bodies *b = &r->world->state.bodies;
    for (int32_t i = (int32_t)first; i < last; ++i) {
        const scree_vec3 dx =
            scree_world_way(r->world, scale(r->dt, shift_velocity(r, i)));
        b->x[i].x = add(b->x[i].x, dx);
        r->lift[i] =
            scree_is_kinematic(&b->u[i]) ? 0 : -(dot(g, dx) / b->u[i].inv_m);
        if (b->form[i] >= 0) turn_body(b, i, scale(r->dt, r->w[i].w));
    }
}

/* The books are kept in the order of bodies, whoever moved them. */
static scree_status displace_bodies(recovery *r) {
    scree_world *world = r->world;
    const int32_t n = world->state.bodies.n;
    const size_t mark = scree_arena_mark(&world->scratch);
    r->lift = scree_arena_push(&world->scratch, (size_t)n * sizeof *r->lift);
    if (!r->lift) return SCREE_OUT_OF_MEMORY;
    scree_parallel_for(n, world->def.threads, displace_chunk, r);
    for (int32_t i = 0; i < n; ++i)
        if (scree_world_owns(world, i))
            SCREE_BOOK(world, recovery_work, r->lift[i]);
    scree_arena_pop(&world->scratch, mark);
    return SCREE_OK;
}

static scree_status solve_displacements(scree_world *world, scree_twist *w) {
    scree_problem *p = &world->state.problem;
    for (int32_t i = 0; i <= p->n_body; ++i)
        w[i] = (scree_twist){.inv_m = p->u[i].inv_m};
    const scree_solver_options options = {.iterations = SWEEPS,
                                          .tolerance = 1e-3,
                                          .relaxation = 1.0,
                                          .momentum = MOMENTUM};
    scree_report report;
    scree_twist *u = p->u;
    TRY(scree_stress_enter(world, true));
    p->u = w;
    p->frictionless = true;
    const scree_status status =
        scree_inclusion_solve(scree_in_lanes(p), scree_method_find("pgs"),
                              &options, &world->scratch, &report, NULL);
    p->u = u;
    return status;
}

static scree_status move_apart(recovery *r) {
    scree_world *world = r->world;
    scree_twist *w = scree_arena_push(
        &world->scratch, ((size_t)scree_world_static(world) + 1) * sizeof *w);
    if (!w) return SCREE_OUT_OF_MEMORY;
    TRY(solve_displacements(world, w));
    scree_world_spread(world, w);
    scree_world_join(world);
    r->stretch = scree_stress_stretch(world, r->dt);
    r->w = w;
    scree_servo_displace(world, w, r->dt);
    return displace_bodies(r);
}

scree_status scree_world_recover(void *self, double velocity, double dt) {
    scree_world *world = self;
    const double start = scree_clock();
    const size_t mark = scree_arena_mark(&world->scratch);
    recovery r = {.world = world, .v_max = velocity, .dt = dt};
    double most;
    scree_world_split(world);
    TRY(pose_problem(&r, &most));
    most = scree_world_most(world, most);
    const bool overlaps = most * dt > SHARE * TOLERATED * world->scene.r_min;
    const scree_status status = overlaps ? move_apart(&r) : SCREE_OK;
    scree_world_join(world);
    scree_arena_pop(&world->scratch, mark);
    scree_phase_charge(&world->accounts.cost, SCREE_PHASE_SOLVE, start);
    return status;
}
