/* read.c: the world as others see it: state, contacts, scalars, cost. */
#include <stdlib.h>
#include <string.h>

#include "contact/shape.h"
#include "engine/world.h"

double scree_world_time(const scree_world *world) { return world->t; }
int64_t scree_world_steps(const scree_world *world) { return world->steps; }
int64_t scree_world_body_count(const scree_world *world) {
    return world->bodies.n;
}
int scree_world_wall_count(const scree_world *world) { return world->n_wall; }

/* ---- state --------------------------------------------------------------- */

static void read_quat(scree_quat q, double out[4]) {
    out[0] = q.w, out[1] = q.x, out[2] = q.y, out[3] = q.z;
}

void scree_world_read_state(const scree_world *world,
                            const scree_state_view *view) {
    const scree_bodies *b = &world->bodies;
    for (int32_t i = 0; i < b->n; ++i) {
        const int64_t id = b->id[i];
        const scree_twist *u = &b->u[i];
        if (view->position) vec_to(b->x[i].x, &view->position[3 * id]);
        if (view->orientation) read_quat(b->q[i], &view->orientation[4 * id]);
        if (view->velocity) vec_to(u->v, &view->velocity[3 * id]);
        if (view->angular_velocity)
            vec_to(u->w, &view->angular_velocity[3 * id]);
        if (view->radius) view->radius[id] = b->x[i].r;
        if (view->mass) view->mass[id] = 1.0 / u->inv_m;
        if (view->material) view->material[id] = b->material[i];
        if (view->shape) view->shape[id] = b->form[i];
    }
}

static uint64_t hash_bytes(uint64_t h, const void *data, size_t n) {
    const unsigned char *bytes = data;
    for (size_t i = 0; i < n; ++i) h = (h ^ bytes[i]) * 0x100000001B3u;
    return h;
}

uint64_t scree_world_hash(const scree_world *world) {
    const scree_bodies *b = &world->bodies;
    uint64_t h = 0xCBF29CE484222325u;
    for (int64_t id = 0; id < b->n; ++id) {
        const int32_t i = b->place[id];
        h = hash_bytes(h, &b->x[i].x, sizeof b->x[i].x);
        h = hash_bytes(h, &b->q[i], sizeof b->q[i]);
        h = hash_bytes(h, &b->u[i].v, sizeof b->u[i].v);
        h = hash_bytes(h, &b->u[i].w, sizeof b->u[i].w);
    }
    return h;
}

/* ---- contacts ------------------------------------------------------------ */

int64_t scree_world_contact_count(const scree_world *world) {
    return world->contacts.n;
}

static scree_contact_view view_of(const scree_world *world,
                                  const scree_contact *c) {
    const scree_bodies *b = &world->bodies;
    scree_vec3 n = c->n, P = c->P;
    scree_contact_view v = {
        .a = b->id[c->a], .b = c->b >= 0 ? b->id[c->b] : c->b, .gap = c->g};
    vec_to(scree_world_point(world, c), v.point);
    if (v.b > v.a) { /* the larger id first, so that walls are no exception */
        const int64_t swap = v.a;
        v.a = v.b, v.b = swap;
        n = scale(-1.0, n), P = scale(-1.0, P);
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
    const int64_t n = world->contacts.n;
    for (int64_t i = 0; i < n; ++i)
        contacts[i] = view_of(world, &world->contacts.list[i]);
    qsort(contacts, (size_t)n, sizeof *contacts, by_ids);
}

/* ---- scalars ------------------------------------------------------------- */

static void add_body(scree_scalars *s, const scree_world *world, int32_t i) {
    const scree_bodies *b = &world->bodies;
    const scree_twist *u = &b->u[i];
    const double m = 1.0 / u->inv_m;
    const scree_vec3 g = vec_from(world->def.gravity), p = scale(m, u->v);
    const scree_sym3 Theta = scree_world_inertia(world, i, b->q[i]);
    const scree_vec3 spin = sym3_mul(&Theta, u->w);
    const scree_vec3 L = add(cross(b->x[i].x, p), spin);
    s->kinetic += 0.5 * dot(u->v, p) + 0.5 * dot(u->w, spin);
    s->potential -= m * dot(g, b->x[i].x);
    vec_to(add(vec_from(s->momentum), p), s->momentum);
    vec_to(add(vec_from(s->angular_momentum), L), s->angular_momentum);
}

void scree_world_read_scalars(const scree_world *world,
                              scree_scalars *scalars) {
    *scalars = (scree_scalars){
        .time = world->t,
        .dissipated = world->dissipated,
        .wall_work = world->wall_work,
        .recovery_work = world->recovery_work,
        .inserted = world->inserted,
        .bodies = world->bodies.n,
        .contacts = world->contacts.n,
        .solve = world->report,
        .penetration_max = world->penetration_max,
    };
    if (world->penetrating)
        scalars->penetration_mean =
            world->penetration_sum / (double)world->penetrating;
    /* In id order, so that the bits do not depend on the order in memory. */
    for (int64_t id = 0; id < world->bodies.n; ++id) {
        const int32_t i = world->bodies.place[id];
        add_body(scalars, world, i);
    }
}

double scree_world_mechanical_energy(const scree_world *world) {
    scree_scalars s;
    scree_world_read_scalars(world, &s);
    return s.kinetic + s.potential;
}

void scree_world_read_report(const scree_world *world, scree_report *report) {
    *report = world->report;
}

void scree_world_read_wall_force(const scree_world *world, int wall,
                                 double force[3]) {
    vec_to(scale(1.0 / world->def.dt, world->walls[wall].percussion), force);
}

bool scree_world_read_wall(const scree_world *world, int wall, double point[3],
                           double normal[3]) {
    scree_wall w = world->walls[wall];
    scree_plane plane;
    scree_wall_move(&w, &plane, world->t);
    vec_to(scale(plane.d, plane.n), point);
    vec_to(plane.n, normal);
    return plane.exists;
}

/* ---- cost ---------------------------------------------------------------- */

void scree_world_read_cost(const scree_world *world, scree_cost *cost) {
    *cost = world->cost;
    const scree_broad *broad = &world->broad;
    cost->bytes =
        sizeof *world + scree_bodies_bytes(&world->bodies) +
        (size_t)broad->pair_capacity * sizeof *broad->pairs +
        (size_t)broad->apart_capacity * sizeof *broad->apart +
        (size_t)broad->built_q_capacity * sizeof *broad->built_q +
        (size_t)broad->moved_capacity * sizeof *broad->moved +
        (size_t)broad->kept_capacity * sizeof *broad->kept +
        (size_t)broad->moment_capacity * sizeof *broad->moments +
        (size_t)broad->built_capacity * sizeof *broad->built +
        (size_t)world->contacts.capacity * sizeof *world->contacts.list +
        (size_t)world->contacts.arms_capacity * sizeof *world->contacts.arms +
        (size_t)world->contacts.moments_capacity *
            sizeof *world->contacts.moments +
        (size_t)world->inv_I_capacity * sizeof *world->inv_I +
        scree_problem_bytes(&world->problem) +
        (size_t)world->begin_capacity * sizeof *world->begin +
        world->scratch.high;
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
    world->cost.seconds[SCREE_PHASE_OUTPUT] += seconds;
}

const char *scree_shape_name(int i, const char **about) {
    const scree_shape_ops *ops = scree_shape_get(i);
    if (ops && about) *about = ops->about;
    return ops ? ops->name : NULL;
}
