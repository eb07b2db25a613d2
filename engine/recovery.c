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
 * is left is worked off in the next steps. */
#include "engine/timer.h"
#include "engine/world.h"
#include "solvers/solver.h"

static const double SHARE = 0.2;
/* Overlap below this share of the least radius is left alone. */
static const double TOLERATED = 1e-6;
enum { SWEEPS = 10 };

/* c of one contact; the normal velocity is the solved one. */
static double shift(const scree_world *world, const scree_contact *c,
                    double v_max, double dt) {
    const scree_twist *u = world->problem.u;
    const scree_vec3 gamma =
        add(scree_world_relative(
                world, c, scree_twist_velocity(&u[c->a]),
                scree_twist_velocity(&u[scree_world_second(world, c)])),
            scree_world_chi(world, c));
    const double g = c->g + dt * dot(c->n, gamma);
    return g >= 0 ? g / dt : -fmin(-SHARE * g / dt, v_max);
}

/* Turns the solved problem into the displacement problem. Returns the largest
 * recovery velocity asked for. */
static double pose(scree_world *world, double v_max, double dt) {
    scree_problem *p = &world->problem;
    double most = 0;
    for (int64_t i = 0; i < p->n_contact; ++i) {
        const scree_contact *c = &world->contacts.list[i];
        const double c_n = shift(world, c, v_max, dt);
        scree_row row = scree_world_row(world, c);
        row.c = scale(c_n, c->n);
        scree_row_make_smooth(&row);
        scree_problem_fill(p, i, &row);
        most = fmax(most, -c_n);
    }
    return most;
}

/* The spin turns with the body: in its own frame it stays, and so does its kinetic
 * energy. */
static void turn(scree_bodies *b, int32_t i, scree_vec3 angle) {
    const scree_quat dq = quat_from_vector(angle);
    b->q[i] = quat_unit(quat_mul(dq, b->q[i]));
    b->u[i].w = quat_rotate(dq, b->u[i].w);
}

static void displace(scree_world *world, const scree_twist *w, double dt) {
    const scree_vec3 g = vec_from(world->def.gravity);
    scree_bodies *b = &world->bodies;
    for (int32_t i = 0; i < b->n; ++i) {
        const scree_vec3 dx = scale(dt, w[i].v);
        b->x[i].x = add(b->x[i].x, dx);
        if (scree_world_owns(world, i))
            SCREE_BOOK(world, recovery_work, -(dot(g, dx) / b->u[i].inv_m));
        if (b->form[i] >= 0) turn(b, i, scale(dt, w[i].w));
    }
}

static scree_status solve_displacements(scree_world *world, scree_twist *w) {
    scree_problem *p = &world->problem;
    for (int32_t i = 0; i <= p->n_body; ++i)
        w[i] = (scree_twist){.inv_m = p->u[i].inv_m};
    const scree_solver_options options = {
        .iterations = SWEEPS, .tolerance = 1e-3, .relaxation = 1.0};
    scree_report report;
    scree_twist *u = p->u;
    p->u = w;
    p->frictionless = true;
    const scree_status status = scree_solver_run(
        scree_solver_find("pgs"), p, &options, &world->scratch, &report);
    p->u = u;
    return status;
}

scree_status scree_world_recover(void *self, double velocity, double dt) {
    scree_world *world = self;
    const double start = scree_clock();
    scree_arena *scratch = &world->scratch;
    const size_t mark = scree_arena_mark(scratch);
    scree_status status = SCREE_OK;
    scree_world_split(world);
    const double most = scree_world_most(world, pose(world, velocity, dt));
    if (most * dt > SHARE * TOLERATED * world->r_min) {
        scree_twist *w = scree_arena_push(
            scratch, ((size_t)world->bodies.n + 1) * sizeof *w);
        status = w ? solve_displacements(world, w) : SCREE_OUT_OF_MEMORY;
        if (status == SCREE_OK) {
            scree_world_spread(world, w);
            scree_world_join(world);
            displace(world, w, dt);
        }
    }
    scree_world_join(world);
    scree_arena_pop(scratch, mark);
    world->cost.seconds[SCREE_PHASE_SOLVE] += scree_clock() - start;
    return status;
}
