/* read.c: the world as others see it: state, contacts, scalars, cost. */
#include <stdlib.h>
#include <string.h>

#include "contact/solid/shape.h"
#include "engine/adaptive/adaptive.h"
#include "engine/base/hash.h"
#include "engine/base/random.h"
#include "engine/domain/domain.h"
#include "engine/domain/rows.h"
#include "engine/joints/joints.h"
#include "engine/scree_forces.h"
#include "engine/step/contact_rows.h"
#include "engine/steppers/generalized_alpha_world.h"
#include "engine/world/inertia.h"
#include "engine/world/ranks.h"

double scree_world_time(const scree_world *world) {
    return world->state.t;
}
double scree_world_step_size(const scree_world *world) {
    return world->state.dt;
}
int64_t scree_world_steps(const scree_world *world) {
    return world->state.steps;
}
int64_t scree_world_body_count(const scree_world *world) {
    return world->ranks.n_body;
}
int scree_world_wall_count(const scree_world *world) {
    return world->scene.n_wall;
}

scree_world_view scree_world_view_of(const scree_world *world) {
    return (scree_world_view){
        .def = &world->def,
        .bodies = &world->state.bodies,
        .forms = world->scene.forms,
        .walls = world->scene.walls,
        .materials = world->scene.materials,
        .problem = &world->state.problem,
        .n_form = world->scene.n_form,
        .n_wall = world->scene.n_wall,
        .spread = world->ranks.domain != NULL,
        .agreed = world->error.agreed,
        .epoch_t = world->state.epoch_t,
        .epoch_step = world->state.steps - world->state.ticks / SCREE_WHOLE,
        .dt = world->state.dt,
        .stride = world->step.stride,
    };
}

int64_t scree_world_id_count(const scree_world *world) {
    return world->ranks.n_body + world->state.bodies.removed.n;
}

double scree_world_mean_radius(const scree_world *world) {
    const int64_t n = scree_world_id_count(world);
    return n ? world->scene.r_sum / (double)n : 0;
}

scree_plane scree_world_wall_plane(const scree_world *world, int wall) {
    scree_wall copy = world->scene.walls[wall];
    scree_plane plane;
    scree_wall_move(&copy, &plane, world->state.t);
    return plane;
}

/* ---- state --------------------------------------------------------------- */

static void read_quat(scree_quat q, double out[4]) {
    out[0] = q.w, out[1] = q.x, out[2] = q.y, out[3] = q.z;
}

static void read_body(const scree_world *world, const scree_body_row *b,
                      int64_t k, const scree_state_view *view) {
    if (view->id) view->id[k] = b->id;
    if (view->position) vec_to(b->x.x, &view->position[3 * k]);
    if (view->orientation) read_quat(b->q, &view->orientation[4 * k]);
    if (view->velocity) vec_to(b->u.v, &view->velocity[3 * k]);
    if (view->angular_velocity) vec_to(b->u.w, &view->angular_velocity[3 * k]);
    if (view->radius) view->radius[k] = b->x.r;
    if (view->mass) view->mass[k] = 1.0 / b->u.inv_m;
    if (view->material) view->material[k] = b->material;
    if (view->shape) view->shape[k] = b->form;
    if (view->kept)
        memcpy(&view->kept[SCREE_BODY_STATE_WIDTH * k], b->kept.x,
               sizeof b->kept.x);
    if (view->unwrapped)
        vec_to(scree_cell_unwrap(world->scene.cell, b->x.x, &b->turns),
               &view->unwrapped[3 * k]);
}

/* The bodies of the rank's block, in the order of ids. */
scree_status scree_world_read_state(const scree_world *world,
                                    const scree_state_view *view) {
    const scree_block_of_ids block = scree_world_block(world);
    if (!world->ranks.domain) {
        for (int64_t k = 0; k < block.n; ++k) {
            const scree_body_row row =
                scree_body_row_of(world, world->state.bodies.place[k]);
            read_body(world, &row, k, view);
        }
        return SCREE_OK;
    }
    scree_body_row *rows = malloc(((size_t)block.n + 1) * sizeof *rows);
    scree_status status = scree_comm_agree(
        world->ranks.domain->comm, rows ? SCREE_OK : SCREE_OUT_OF_MEMORY, NULL);
    if (status == SCREE_OK) status = scree_domain_body_rows(world, rows);
    for (int64_t k = 0; k < block.n && status == SCREE_OK; ++k)
        read_body(world, &rows[k], k, view);
    free(rows);
    return status;
}

/* Of a body's state, and of its id: two bodies that swap theirs are another
 * world. Mixed once more, since what FNV makes of alike bytes is alike, and a
 * sum would show it. */
static uint64_t hash_body(const scree_bodies *b, int32_t i) {
    uint64_t h = SCREE_HASH_START;
    h = scree_hash_bytes(h, &b->id[i], sizeof b->id[i]);
    h = scree_hash_bytes(h, &b->x[i].x, sizeof b->x[i].x);
    h = scree_hash_bytes(h, &b->q[i], sizeof b->q[i]);
    h = scree_hash_bytes(h, &b->u[i].v, sizeof b->u[i].v);
    h = scree_hash_bytes(h, &b->u[i].w, sizeof b->u[i].w);
    return scree_random_next(&(scree_random){h});
}

/* A sum, so that it matters neither where a body lies nor on which rank. */
uint64_t scree_world_hash(const scree_world *world) {
    uint64_t sum = 0;
    for (int32_t i = 0; i < world->state.bodies.n; ++i)
        if (scree_world_owns(world, i))
            sum += hash_body(&world->state.bodies, i);
    int64_t all = (int64_t)sum;
    if (world->ranks.domain)
        scree_comm_sum_counts(world->ranks.domain->comm, &all, 1);
    return scree_random_next(
        &(scree_random){(uint64_t)all + (uint64_t)world->ranks.n_body});
}

/* ---- contacts ------------------------------------------------------------ */

int64_t scree_world_total_contacts(const scree_world *world) {
    return world->ranks.n_contact;
}

int64_t scree_world_contact_count(const scree_world *world) {
    return world->state.contacts.n;
}

/* A gap that is taken back from the end of the way may be < 0 without overlap. */
static double shown_gap(const scree_world *world, const scree_contact *c) {
    return scree_world_is_ahead(world, c) ? fmax(c->g, 0) : c->g;
}

static scree_contact_view view_of(const scree_world *world,
                                  const scree_contact *c) {
    const scree_bodies *b = &world->state.bodies;
    scree_vec3 n = c->n, P = c->P;
    scree_contact_view v = {.a = b->id[c->a],
                            .b = c->b >= 0 ? b->id[c->b] : c->b,
                            .gap = shown_gap(world, c)};
    vec_to(scree_world_point(world, c), v.point);
    if (c->state >= 0)
        memcpy(v.state, world->state.contacts.states[c->state].x,
               sizeof v.state);
    if (v.b > v.a) { /* the larger id first, so that walls are no exception */
        const int64_t swap = v.a;
        v.a = v.b, v.b = swap;
        n = scale(-1.0, n), P = scale(-1.0, P);
        scree_state_swap(scree_world_odd_states(), v.state);
    }
    vec_to(n, v.normal);
    vec_to(P, v.percussion);
    return v;
}

static int by_ids(const void *p, const void *q) {
    const scree_contact_view *x = p, *y = q;
    if (x->a != y->a) return x->a < y->a ? -1 : 1;
    return x->b < y->b ? -1 : x->b > y->b;
}

void scree_world_read_contacts(const scree_world *world,
                               scree_contact_view *contacts) {
    const int64_t n = world->state.contacts.n;
    for (int64_t i = 0; i < n; ++i)
        contacts[i] = view_of(world, &world->state.contacts.list[i]);
    qsort(contacts, (size_t)n, sizeof *contacts, by_ids);
}

int64_t scree_world_read_body_contacts(const scree_world *world, int64_t id,
                                       scree_contact_view *contacts,
                                       int64_t room) {
    int64_t n = 0;
    for (int64_t i = 0; i < world->state.contacts.n; ++i) {
        const scree_contact_view v =
            view_of(world, &world->state.contacts.list[i]);
        if (v.a != id && v.b != id) continue;
        if (n++ < room) contacts[n - 1] = v;
    }
    qsort(contacts, (size_t)(n < room ? n : room), sizeof *contacts, by_ids);
    return n;
}

scree_status scree_world_list_contacts(const scree_world *world,
                                       scree_contact_view **contacts,
                                       int64_t *n) {
    const size_t here = (size_t)world->state.contacts.n;
    scree_contact_view *mine = malloc((here + 1) * sizeof *mine);
    const scree_status room = scree_world_agree_on(
        world, mine ? SCREE_OK : SCREE_OUT_OF_MEMORY, NULL);
    if (room != SCREE_OK) {
        free(mine);
        return room;
    }
    scree_world_read_contacts(world, mine);
    *contacts = mine;
    *n = world->state.contacts.n;
    if (!world->ranks.domain) return SCREE_OK;
    const scree_status status =
        scree_domain_contact_rows(world, mine, *n, contacts, n);
    free(mine);
    if (status == SCREE_OK)
        qsort(*contacts, (size_t)*n, sizeof **contacts, by_ids);
    return status;
}

/* ---- scalars ------------------------------------------------------------- */

/* What a body adds to kinetic and potential energy, momentum and angular momentum. */
static void add_body(scree_scalars *s, const scree_world *world, int32_t i) {
    const scree_bodies *b = &world->state.bodies;
    const scree_twist *u = &b->u[i];
    if (scree_is_kinematic(u)) return;
    const double m = 1.0 / u->inv_m;
    const scree_vec3 g = world->state.gravity, p = scale(m, u->v);
    const scree_sym3 Theta = scree_world_inertia(world, i, b->q[i]);
    const scree_vec3 spin = sym3_mul(&Theta, u->w);
    const scree_vec3 L = add(cross(b->x[i].x, p), spin);
    s->kinetic += 0.5 * dot(u->v, p) + 0.5 * dot(u->w, spin);
    s->potential -= m * dot(g, b->x[i].x);
    vec_to(add(vec_from(s->momentum), p), s->momentum);
    vec_to(add(vec_from(s->angular_momentum), L), s->angular_momentum);
}

/* The sum over all bodies, whatever their order and ranks. */
static void add_exactly(scree_scalars *s, const scree_world *world) {
    enum { SUMS = 8 };
    scree_exact_sum sums[SUMS] = {0};
    double x[SUMS];
    for (int32_t i = 0; i < world->state.bodies.n; ++i) {
        scree_scalars one = {0};
        if (!scree_world_owns(world, i)) continue;
        add_body(&one, world, i);
        scree_exact_add(&sums[0], one.kinetic);
        scree_exact_add(&sums[1], one.potential);
        for (int k = 0; k < 3; ++k) {
            scree_exact_add(&sums[2 + k], one.momentum[k]);
            scree_exact_add(&sums[5 + k], one.angular_momentum[k]);
        }
    }
    scree_world_exact_totals(world, sums, SUMS, x);
    s->kinetic = x[0], s->potential = x[1];
    memcpy(s->momentum, x + 2, sizeof s->momentum);
    memcpy(s->angular_momentum, x + 5, sizeof s->angular_momentum);
}

/* Of the bodies of this rank. On one rank in the order of ids, so that the bits do
 * not depend on the order in memory. */
static void add_bodies(scree_scalars *s, const scree_world *world) {
    if (world->accounts.books) {
        add_exactly(s, world);
        return;
    }
    for (int32_t k = 0; k < world->state.bodies.n; ++k) {
        if (!world->ranks.domain)
            add_body(s, world, world->state.bodies.place[k]);
        else if (scree_world_owns(world, k))
            add_body(s, world, k);
    }
}

static void add_ranks(scree_scalars *s, const scree_comm *comm) {
    double *const sums[] = {&s->kinetic,
                            &s->potential,
                            &s->dissipated_normal,
                            &s->dissipated_friction,
                            &s->dissipated_turning,
                            &s->dissipated_joints,
                            &s->dissipated_drag,
                            &s->force_work,
                            &s->motor_work,
                            &s->wall_work,
                            &s->recovery_work,
                            &s->inserted};
    enum { ALONE = sizeof sums / sizeof *sums, ALL = ALONE + 6 };
    double x[ALL];
    for (int k = 0; k < ALONE; ++k) x[k] = *sums[k];
    memcpy(x + ALONE, s->momentum, sizeof s->momentum);
    memcpy(x + ALONE + 3, s->angular_momentum, sizeof s->angular_momentum);
    scree_comm_sum(comm, x, ALL);
    for (int k = 0; k < ALONE; ++k) *sums[k] = x[k];
    memcpy(s->momentum, x + ALONE, sizeof s->momentum);
    memcpy(s->angular_momentum, x + ALONE + 3, sizeof s->angular_momentum);
    scree_comm_max(comm, &s->penetration_max, 1);
    scree_comm_sum_counts(comm, &s->contacts, 1);
}

static void close_balance(scree_scalars *s, bool joints) {
    s->dissipated =
        s->dissipated_normal + s->dissipated_friction + s->dissipated_turning;
    if (joints) s->dissipated += s->dissipated_joints;
    s->dissipated += s->dissipated_drag;
    s->scheme_error = s->kinetic + s->potential + s->dissipated - s->inserted -
                      s->wall_work - s->recovery_work;
    if (joints) s->scheme_error += s->stored - s->motor_work;
    s->scheme_error -= s->force_work;
}

void scree_world_read_scalars(const scree_world *world,
                              scree_scalars *scalars) {
    *scalars = (scree_scalars){
        .time = world->state.t,
        .step_size = world->state.dt,
        .dissipated_normal = world->accounts.taken_normal,
        .dissipated_friction = world->accounts.taken_friction,
        .dissipated_turning = world->accounts.taken_turning,
        .dissipated_joints = world->accounts.taken_joints,
        .dissipated_drag = world->accounts.taken_drag,
        .stored = scree_joints_stored(world),
        .wall_work = world->accounts.wall_work,
        .motor_work = world->accounts.motor_work,
        .force_work = world->accounts.force_work,
        .recovery_work = world->accounts.recovery_work,
        .inserted = world->accounts.inserted,
        .bodies = world->ranks.n_body,
        .contacts = world->state.contacts.n,
        .solve = world->state.report,
        .penetration_max = world->accounts.penetration_max,
        .order = scree_adaptive_order(world->adaptive),
        .exit_flag = scree_adaptive_flag(world->adaptive),
    };
    const double sum =
        scree_world_total(world, world->accounts.penetration_sum);
    const double n =
        scree_world_total(world, (double)world->accounts.penetrating);
    if (n > 0) scalars->penetration_mean = sum / n;
    add_bodies(scalars, world);
    if (world->ranks.domain) add_ranks(scalars, world->ranks.domain->comm);
    close_balance(scalars, world->joints.n > 0);
}

double scree_world_mechanical_energy(const scree_world *world) {
    scree_scalars s = {0};
    add_bodies(&s, world);
    return s.kinetic + s.potential;
}

void scree_world_read_report(const scree_world *world, scree_report *report) {
    *report = world->state.report;
}

void scree_world_read_wall_force(const scree_world *world, int wall,
                                 double force[3]) {
    vec_to(scale(1.0 / world->state.dt, world->scene.walls[wall].percussion),
           force);
    if (world->ranks.domain)
        scree_comm_sum(world->ranks.domain->comm, force, 3);
}

bool scree_world_read_wall(const scree_world *world, int wall, double point[3],
                           double normal[3]) {
    scree_wall w = world->scene.walls[wall];
    scree_plane plane;
    scree_wall_move(&w, &plane, world->state.t);
    vec_to(scale(plane.d, plane.n), point);
    vec_to(plane.n, normal);
    return plane.exists;
}

/* ---- cost ---------------------------------------------------------------- */

void scree_world_read_cost(const scree_world *world, scree_cost *cost) {
    *cost = world->accounts.cost;
    const scree_broad *broad = &world->state.broad;
    cost->bytes =
        sizeof *world + scree_bodies_bytes(&world->state.bodies) +
        (size_t)broad->pair_capacity * sizeof *broad->pairs +
        (size_t)broad->apart_capacity * sizeof *broad->apart +
        (size_t)broad->built_q_capacity * sizeof *broad->built_q +
        (size_t)broad->moved_capacity * sizeof *broad->moved +
        (size_t)broad->kept_capacity * sizeof *broad->kept +
        (size_t)broad->state_capacity * sizeof *broad->states +
        (size_t)broad->colour_capacity * sizeof *broad->colours +
        (size_t)broad->built_capacity * sizeof *broad->built +
        (size_t)world->state.contacts.capacity *
            sizeof *world->state.contacts.list +
        (size_t)world->state.contacts.arms_capacity *
            sizeof *world->state.contacts.arms +
        (size_t)world->state.contacts.footings_capacity *
            sizeof *world->state.contacts.footings +
        (size_t)world->state.contacts.round_footings_capacity *
            sizeof *world->state.contacts.round_footings +
        (size_t)world->state.contacts.colours_capacity *
            sizeof *world->state.contacts.colours +
        (size_t)world->state.contacts.states_capacity *
            sizeof *world->state.contacts.states +
        (size_t)world->state.inv_I_capacity * sizeof *world->state.inv_I +
        (size_t)world->state.pull_capacity * sizeof *world->state.pulls +
        scree_problem_bytes(&world->state.problem) +
        scree_domain_bytes(world->ranks.domain) +
        scree_adaptive_bytes(world->adaptive) +
        scree_alpha_memory_bytes(world->alpha) + world->scratch.high;
}

const char *scree_phase_name(scree_phase phase) {
    static const char *const name[] = {
#define X(code, text) [code] = text,
        SCREE_PHASE_LIST(X)
#undef X
    };
    return name[phase];
}

void scree_world_charge_output(scree_world *world, double seconds) {
    world->accounts.cost.seconds[SCREE_PHASE_OUTPUT] += seconds;
}

const char *scree_shape_name(int i, const char **about) {
    const scree_shape_ops *ops = scree_shape_get(i);
    if (ops && about) *about = ops->about;
    return ops ? ops->name : NULL;
}
