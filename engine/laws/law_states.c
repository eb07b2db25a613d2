/* law_states.c: what laws keep of contacts and of bodies (solvers/law/law.h): which
 * numbers there are, and how a step changes them. */
#include <string.h>

#include "engine/base/parallel.h"
#include "engine/step/contact_rows.h"
#include "engine/world/view.h"

/* ---- which ------------------------------------------------------------------------ */

bool scree_world_keeps_states(const scree_world *world) {
    unsigned laws = 0;
    for (int k = 0; scree_row_laws[k]; ++k)
        if (scree_row_laws[k]->state.name) laws |= 1u << k;
    return scree_world_obeys(world, laws);
}

unsigned scree_world_odd_states(void) {
    unsigned odd = 0;
    for (int k = 0; scree_row_laws[k]; ++k) {
        const scree_row_law *law = scree_row_laws[k];
        for (int i = 0; law->state.odd && i < law->state.n; ++i)
            odd |= 1u << (law->state.first + i);
    }
    return odd;
}

static bool is_listed(const scree_state_fields *f, const char *name) {
    for (int k = 0; k < f->n; ++k)
        if (!strcmp(f->list[k].name, name)) return true;
    return false;
}

/* Laws that share numbers give them the same name. */
static scree_state_fields list_numbers(const scree_world *world,
                                       bool of_bodies) {
    scree_state_fields f = {0};
    for (int k = 0; scree_row_laws[k] && f.n < SCREE_STATE_WIDTH; ++k) {
        const scree_row_law *law = scree_row_laws[k];
        const scree_law_numbers *x = of_bodies ? &law->body : &law->state;
        if (!x->name || is_listed(&f, x->name)) continue;
        if (world && !scree_world_obeys(world, 1u << k)) continue;
        f.list[f.n++] = (scree_archive_field){
            x->name, SCREE_F64, x->n, (size_t)x->first * sizeof(double)};
    }
    return f;
}

scree_state_fields scree_world_state_fields(const scree_world *world) {
    return list_numbers(world, false);
}

scree_state_fields scree_world_body_fields(const scree_world *world) {
    return list_numbers(world, true);
}

/* ---- a step of contacts ------------------------------------------------------------ */

/* The way of a over b from here to where the next step looks: dt gamma_T. */
static scree_vec3 slip_of(const scree_world *world, const scree_contact *c) {
    const scree_twist *u = world->state.bodies.u;
    const scree_vec3 gamma =
        add(scree_world_relative(
                world, c, scree_twist_velocity(&u[c->a]),
                scree_twist_velocity(&u[scree_world_second(world, c)])),
            scree_world_chi(world, c));
    return scale(world->step.reach, add_scaled(gamma, -dot(c->n, gamma), c->n));
}

static void advance_state(scree_world *world, const scree_contact *c) {
    const scree_pair_law *pair = scree_world_pair_of(world, c);
    const scree_law_terms terms = scree_contact_law_terms(&pair->law);
    const scree_law_step step = {.dt = world->step.dt,
                                 .n = c->n,
                                 .P = c->P,
                                 .M = scree_world_moment(world, c),
                                 .slip = slip_of(world, c)};
    for (int k = 0; scree_row_laws[k]; ++k)
        if (pair->laws & 1u << k && scree_row_laws[k]->advance)
            scree_row_laws[k]->advance(
                &terms, &step, world->state.contacts.states[c->state].x);
}

static void advance_chunk(void *context, int64_t first, int64_t last) {
    scree_world *world = context;
    for (int64_t i = first; i < last; ++i)
        if (world->state.contacts.list[i].state >= 0)
            advance_state(world, &world->state.contacts.list[i]);
}

static bool any_advances(const scree_world *world) {
    unsigned laws = 0;
    for (int k = 0; scree_row_laws[k]; ++k)
        if (scree_row_laws[k]->advance) laws |= 1u << k;
    return laws && scree_world_obeys(world, laws);
}

/* ---- a step of bodies -------------------------------------------------------------- */

/* Does the contact bear more than that one? Not by their order, which depends on the
 * number of ranks. */
static bool bears_more(const scree_contact *c, const scree_contact *than) {
    const double P = dot(c->n, c->P), most = dot(than->n, than->P);
    if (P != most) return P > most;
    return c->b != than->b ? c->b > than->b : c->key < than->key;
}

static void find_bearers(scree_world *world) {
    const scree_contact *list = world->state.contacts.list;
    for (int64_t k = 0; k < world->state.contacts.n; ++k) {
        const scree_contact *c = &list[k];
        if (c->b >= 0 || !(dot(c->n, c->P) > 0)) continue;
        scree_body_state *s = &world->state.bodies.kept[c->a];
        if (!s->bearer || bears_more(c, &list[s->bearer - 1]))
            s->bearer = (int32_t)(k + 1);
    }
}

static double travel_of(const scree_world *world, int32_t i) {
    return world->step.dt * norm(world->state.bodies.u[i].v);
}

static void advance_body(scree_world *world, int32_t i) {
    scree_body_state *s = &world->state.bodies.kept[i];
    const scree_contact *c =
        s->bearer ? &world->state.contacts.list[s->bearer - 1] : NULL;
    const scree_body_step step = {.dt = world->step.dt,
                                  .bears = c != NULL,
                                  .way = c ? norm(slip_of(world, c)) : 0,
                                  .travel = travel_of(world, i)};
    s->borne = c != NULL;
    if (c) s->ground = 1 + world->scene.walls[-1 - c->b].def.material;
    s->bearer = 0;
    if (!s->ground) return;
    const scree_pair_law *pair = scree_world_pair_law(
        world, world->state.bodies.material[i], s->ground - 1);
    const scree_law_terms terms = scree_contact_law_terms(&pair->law);
    for (int k = 0; scree_row_laws[k]; ++k)
        if (pair->laws & 1u << k && scree_row_laws[k]->advance_body)
            scree_row_laws[k]->advance_body(&terms, &step, s->x);
}

void scree_world_advance_states(scree_world *world) {
    if (any_advances(world))
        scree_parallel_for(world->state.contacts.n, world->def.threads,
                           advance_chunk, world);
    if (scree_world_body_fields(world).n == 0) return;
    find_bearers(world);
    for (int32_t i = 0; i < world->state.bodies.n; ++i)
        if (scree_world_owns(world, i)) advance_body(world, i);
}
