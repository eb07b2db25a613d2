/* work.c: percussions of a step to pairs and walls, and the work that they do.
 *
 * A percussion P of a contact, on a at the contact point, changes the kinetic energy
 * by P . W^T (u_B + u_E)/2, u_B and u_E being the velocities before and after it, for
 * M does not change meanwhile. With gamma = W^T u + chi, and with the moment M of
 * rolling and drilling against omega = w_a - w_b + c_m, the law has taken
 *     normal     -P_N n . gamma,
 *     friction   -P_T . gamma,
 *     turning    -M . omega,         all at the mean of both velocities,
 * and the wall has given -P . chi - M . c_m. That is booked, law by law, and no account
 * is found as the difference of others. RATTLE, whose percussions act in two places, does
 * so by its own laws (world_rattle_velocity.c). What is missing in
 *     kinetic + potential + dissipated
 *         = inserted + wall_work + recovery_work + scheme_error
 * is then the error of the scheme: gravity that does not work on velocities as it does on
 * positions, free rotation, directions that turn within a step.
 *
 * A contact may book a negative amount in a step where several act at once, or where it
 * turns (laws.h). */
#include "engine/step/work.h"

#include "engine/base/parallel.h"
#include "engine/forces/forces.h"
#include "engine/joints/joints.h"
#include "engine/laws/cohesion.h"
#include "engine/step/step.h"
#include "engine/step/stress.h"

/* ---- the work of one contact -------------------------------------------------- */

scree_taken scree_work_of(const scree_push_work *w) {
    const double P_n = dot(w->n, w->P);
    const double normal = -P_n * dot(w->n, w->gamma);
    return (scree_taken){.normal = normal,
                         .friction = -dot(w->P, w->gamma) - normal,
                         .turning = -dot(w->M, w->omega)};
}

void scree_world_book_taken(scree_world *world, const scree_taken *taken) {
    SCREE_BOOK(world, taken_normal, taken->normal);
    SCREE_BOOK(world, taken_friction, taken->friction);
    SCREE_BOOK(world, taken_turning, taken->turning);
}

static scree_vec3 wall_spin(const scree_world *world, const scree_contact *c) {
    return c->b < 0 ? world->scene.walls[-1 - c->b].spin : vec(0, 0, 0);
}

static double wall_gift(const scree_world *world, const scree_contact *c,
                        scree_vec3 P, scree_vec3 M, scree_vec3 chi) {
    return dot(M, wall_spin(world, c)) - dot(P, chi) +
           scree_kinematic_gift(world, c, P, M);
}

/* The same with what a driven wall adds, at the mean of before and after the solve. */
static double whole_gift(const scree_world *world, const scree_contact *c,
                         scree_vec3 P, scree_vec3 M) {
    const double prescribed =
        wall_gift(world, c, P, M, scree_stress_mean_chi(world, c));
    if (!scree_world_is_driven(world, c)) return prescribed;
    const scree_velocity still = {vec(0, 0, 0), vec(0, 0, 0)},
                         wall = scree_world_mean_velocity(
                             world, scree_world_second(world, c));
    return prescribed + dot(M, wall.w) -
           dot(P, scree_world_relative(world, c, still, wall));
}

/* Of a wall, or of an image, which moves with the cell; or a body is driven. */
static bool is_driven(const scree_world *world, const scree_contact *c) {
    return c->b < 0 || scree_world_image(world, c) ||
           scree_contact_is_driven(world, c);
}

void scree_world_book_wall(scree_world *world, const scree_contact *c,
                           scree_vec3 P, scree_vec3 M, scree_vec3 chi) {
    if (!is_driven(world, c)) return;
    SCREE_BOOK(world, wall_work, wall_gift(world, c, P, M, chi));
}

/* ---- percussions of a solve --------------------------------------------------- */

typedef struct keeping {
    scree_world *world;
    bool add; /* to what contacts have */
} keeping;

static void keep_chunk(void *context, int64_t first, int64_t last) {
    const keeping *k = context;
    for (int64_t i = first; i < last; ++i) {
        scree_contact *c = &k->world->state.contacts.list[i];
        const scree_row row = scree_problem_row(&k->world->state.problem, i);
        const scree_vec3 P = scree_world_net_percussion(k->world, i, &row);
        const scree_vec3 M = scree_world_moment(k->world, c);
        c->P = k->add ? add(c->P, P) : P;
        scree_world_keep_moment(k->world, c, k->add ? add(M, row.M) : row.M);
    }
}

void scree_world_keep_percussions(scree_world *world, bool add) {
    keeping k = {world, add};
    scree_parallel_for(world->state.contacts.n, world->def.threads, keep_chunk,
                       &k);
    scree_joints_keep(world, add);
}

/* Those of contact i by the last solve. Contacts know them unless others act in
 * turn. */
static void last_percussions(const scree_world *world, int64_t i, scree_vec3 *P,
                             scree_vec3 *M) {
    const scree_contact *c = &world->state.contacts.list[i];
    if (world->step.in_turn) {
        const scree_row row = scree_problem_row(&world->state.problem, i);
        *P = scree_world_net_percussion(world, i, &row), *M = row.M;
    } else {
        *P = c->P, *M = scree_world_moment(world, c);
    }
}

/* ---- and their work ------------------------------------------------------------- */

/* The mean of before and after the solve. Gravity and forces act with the percussions of
 * the first one: before those that act in turn it has been there already, and counts as
 * if it had not. */
scree_velocity scree_world_before_velocity(const scree_world *world,
                                           int32_t i) {
    const scree_velocity still = {vec(0, 0, 0), vec(0, 0, 0)};
    if (i >= scree_world_static(world)) return still;
    const scree_velocity *b = &world->state.bodies.u_b[i];
    if (i >= world->state.bodies.n) return *b; /* a driven wall */
    if (!world->step.in_turn) return *b;
    const scree_velocity kick = scree_world_kick_of(world, i, world->step.dt);
    return (scree_velocity){sub(b->v, kick.v), sub(b->w, kick.w)};
}

scree_velocity scree_world_mean_velocity(const scree_world *world, int32_t i) {
    const scree_velocity b = scree_world_before_velocity(world, i);
    if (i >= scree_world_static(world)) return b;
    const scree_twist *e = &world->state.bodies.u[i];
    return (scree_velocity){scale(0.5, add(b.v, e->v)),
                            scale(0.5, add(b.w, e->w))};
}

static scree_push_work mean_motion(const scree_world *world,
                                   const scree_contact *c) {
    const scree_velocity a = scree_world_mean_velocity(world, c->a);
    const scree_velocity b =
        scree_world_mean_velocity(world, scree_world_second(world, c));
    return (scree_push_work){.n = c->n,
                             .gamma = add(scree_world_relative(world, c, a, b),
                                          scree_stress_mean_chi(world, c)),
                             .omega = sub(sub(a.w, b.w), wall_spin(world, c))};
}

static scree_taken contact_work(const scree_world *world, int64_t i) {
    scree_push_work work = mean_motion(world, &world->state.contacts.list[i]);
    last_percussions(world, i, &work.P, &work.M);
    return scree_work_of(&work);
}

static void add_taken(scree_taken *sum, const scree_taken *more) {
    sum->normal += more->normal;
    sum->friction += more->friction;
    sum->turning += more->turning;
}

typedef struct booking {
    scree_world *world;
    scree_taken *taken; /* (chunks); (contacts) if the world is reproducible */
} booking;

static void book_chunk(void *context, int64_t first, int64_t last) {
    const booking *k = context;
    scree_taken sum = {0};
    for (int64_t i = first; i < last; ++i) {
        const scree_taken one = contact_work(k->world, i);
        add_taken(&sum, &one);
    }
    k->taken[first / SCREE_CHUNK] = sum;
}

static void book_each(void *context, int64_t first, int64_t last) {
    const booking *k = context;
    for (int64_t i = first; i < last; ++i)
        k->taken[i] = contact_work(k->world, i);
}

scree_status scree_world_load_walls(scree_world *world) {
    TRY(scree_world_clear_walls(world));
    for (int64_t i = 0; i < world->state.contacts.n; ++i) {
        const scree_contact *c = &world->state.contacts.list[i];
        if (c->b < 0) scree_world_load_wall(world, -1 - c->b, c->P);
    }
    return SCREE_OK;
}

/* What walls bear and give by the last solve. */
static scree_status book_walls(scree_world *world) {
    if (!world->step.in_turn) TRY(scree_world_clear_walls(world));
    for (int64_t i = 0; i < world->state.contacts.n; ++i) {
        const scree_contact *c = &world->state.contacts.list[i];
        scree_vec3 P, M;
        if (!is_driven(world, c)) continue;
        last_percussions(world, i, &P, &M);
        SCREE_BOOK(world, wall_work, whole_gift(world, c, P, M));
        if (c->b < 0) scree_world_load_wall(world, -1 - c->b, P);
    }
    return SCREE_OK;
}

/* What attraction gave. */
static double pull_gift(const scree_world *world, int64_t i) {
    const scree_push_work motion =
        mean_motion(world, &world->state.contacts.list[i]);
    return -scree_world_pull_of(world, i) * dot(motion.n, motion.gamma);
}

double scree_world_given(const scree_world *world) {
    scree_sum given = {0};
    for (int64_t i = 0; i < world->state.contacts.n; ++i) {
        const scree_contact *c = &world->state.contacts.list[i];
        if (scree_world_pull_of(world, i) > 0)
            scree_sum_add(world, &given, pull_gift(world, i));
        scree_vec3 P, M;
        if (!is_driven(world, c)) continue;
        last_percussions(world, i, &P, &M);
        scree_sum_add(world, &given, whole_gift(world, c, P, M));
    }
    for (int32_t i = 0; scree_world_holds(world) && i < world->state.bodies.n;
         ++i)
        if (scree_world_owns(world, i))
            scree_sum_add(world, &given, scree_stress_gift(world, i));
    return scree_sum_total(world, &given);
}

/* What edges that hold a pressure gave to bodies. */
static void book_edges(scree_world *world) {
    if (!scree_world_holds(world)) return;
    for (int32_t i = 0; i < world->state.bodies.n; ++i)
        if (scree_world_owns(world, i))
            SCREE_BOOK(world, wall_work, scree_stress_gift(world, i));
}

scree_status scree_world_book(scree_world *world) {
    if (world->step.booked) return SCREE_OK;
    world->step.booked = true;
    const int64_t n = world->state.contacts.n;
    const int64_t parts = world->accounts.books ? n : scree_chunk_count(n);
    const size_t mark = scree_arena_mark(&world->scratch);
    booking k = {.world = world,
                 .taken = scree_arena_push(&world->scratch,
                                           (size_t)parts * sizeof *k.taken)};
    if (!k.taken) return SCREE_OUT_OF_MEMORY;
    scree_parallel_for(n, world->def.threads,
                       world->accounts.books ? book_each : book_chunk, &k);
    for (int64_t c = 0; c < parts; ++c)
        scree_world_book_taken(world, &k.taken[c]);
    scree_arena_pop(&world->scratch, mark);
    scree_joints_book(world);
    book_edges(world);
    return book_walls(world);
}
