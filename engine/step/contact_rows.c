/* contact_rows.c: a contact as a row of the problem: its geometry, and the fields that
 * the laws of its materials give it (solvers/law/law.h). */
#include <string.h>

#include "engine/base/parallel.h"
#include "engine/step/contact_rows.h"
#include "engine/world/inertia.h"
#include "engine/world/view.h"
#include "solvers/law/resist.h"

scree_vec3 scree_world_chi(const scree_world *world, const scree_contact *c) {
    if (c->b >= 0) return vec(0, 0, 0);
    const int wall = -1 - c->b;
    return scale(-1.0,
                 scree_wall_velocity(&world->walls[wall], &world->planes[wall],
                                     scree_world_point(world, c)));
}

/* ---- laws ---------------------------------------------------------------------- */

static const scree_pair_law *pair_of(const scree_world *world,
                                     const scree_contact *c) {
    const int a = world->bodies.material[c->a];
    const int b = c->b >= 0 ? world->bodies.material[c->b]
                            : world->walls[-1 - c->b].def.material;
    return scree_world_pair_law(world, a, b);
}

const scree_contact_law *scree_world_law(const scree_world *world,
                                         const scree_contact *c) {
    return &pair_of(world, c)->law;
}

bool scree_world_is_general(const scree_world *world, const scree_contact *c) {
    return c->arms >= 0 || pair_of(world, c)->general;
}

bool scree_world_resists_turning(const scree_world *world) {
    return scree_world_obeys(world, SCREE_TURNING);
}

/* Those of the table whose rows are general. */
static unsigned general_laws(void) {
    unsigned laws = 0;
    for (int k = 0; scree_row_laws[k]; ++k)
        if (scree_row_laws[k]->general) laws |= 1u << k;
    return laws;
}

bool scree_world_has_tensors(const scree_world *world) {
    return scree_world_obeys(world, general_laws()) || world->general;
}

/* ---- rows ---------------------------------------------------------------------- */

static void make_general(const scree_world *world, const scree_contact *c,
                         scree_row *row) {
    const bool round = c->arms < 0;
    row->general = true;
    row->r_a = round ? scale(-c->arm_a, c->n) : scree_world_arms(world, c)->a;
    row->r_b = round ? scale(c->arm_b, c->n) : scree_world_arms(world, c)->b;
    if (c->b < 0) row->c_m = scale(-1.0, world->walls[-1 - c->b].spin);
}

/* Of a contact that no law has kept anything of. */
static const scree_contact_state nothing = {{0}};

static void enter_laws(const scree_world *world, const scree_contact *c,
                       const scree_pair_law *pair, scree_row *row) {
    const scree_law_terms terms =
        scree_world_terms(world, c, &pair->law, false);
    const unsigned laws = pair->laws;
    const double *state =
        c->state >= 0 ? world->contacts.states[c->state].x : nothing.x;
    for (int k = 0; scree_row_laws[k]; ++k)
        if (laws & 1u << k) scree_row_laws[k]->enter(&terms, state, row);
}

scree_row scree_world_row(const scree_world *world, const scree_contact *c) {
    const scree_pair_law *pair = pair_of(world, c);
    scree_row row = {.a = c->a,
                     .b = scree_world_second(world, c),
                     .n = c->n,
                     .arm_a = c->arm_a,
                     .arm_b = c->arm_b,
                     .mu = pair->law.friction};
    if (c->arms >= 0 || pair->general) make_general(world, c, &row);
    if (pair->laws) enter_laws(world, c, pair, &row);
    return row;
}

/* A prox step of length zero. */
void scree_row_start_whole(scree_row *row, scree_vec3 M) {
    const scree_vec3 rest = vec(0, 0, 0);
    row_step s = {.P_n = row->P_n};
    row->M = M;
    row_resist(row, rest, rest, 0, 0, &s);
    row->P_t = s.P_t, row->M = s.M;
}

/* ---- state --------------------------------------------------------------------- */

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
scree_state_fields scree_world_state_fields(const scree_world *world) {
    scree_state_fields f = {0};
    for (int k = 0; scree_row_laws[k] && f.n < SCREE_STATE_WIDTH; ++k) {
        const scree_row_law *law = scree_row_laws[k];
        if (!law->state.name || is_listed(&f, law->state.name)) continue;
        if (world && !scree_world_obeys(world, 1u << k)) continue;
        f.list[f.n++] =
            (scree_archive_field){law->state.name, SCREE_F64, law->state.n,
                                  (size_t)law->state.first * sizeof(double)};
    }
    return f;
}

/* The way of a over b from here to where the next step looks: dt gamma_T. */
static scree_vec3 slip_of(const scree_world *world, const scree_contact *c) {
    const scree_twist *u = world->bodies.u;
    const scree_vec3 gamma =
        add(scree_world_relative(
                world, c, scree_twist_velocity(&u[c->a]),
                scree_twist_velocity(&u[scree_world_second(world, c)])),
            scree_world_chi(world, c));
    return scale(world->def.dt, add_scaled(gamma, -dot(c->n, gamma), c->n));
}

static void advance_state(scree_world *world, const scree_contact *c) {
    const scree_pair_law *pair = pair_of(world, c);
    const scree_law_terms terms = scree_contact_law_terms(&pair->law);
    const scree_law_step step = {.n = c->n,
                                 .P = c->P,
                                 .M = scree_world_moment(world, c),
                                 .slip = slip_of(world, c)};
    for (int k = 0; scree_row_laws[k]; ++k)
        if (pair->laws & 1u << k && scree_row_laws[k]->advance)
            scree_row_laws[k]->advance(&terms, &step,
                                       world->contacts.states[c->state].x);
}

static void advance_chunk(void *context, int64_t first, int64_t last) {
    scree_world *world = context;
    for (int64_t i = first; i < last; ++i)
        if (world->contacts.list[i].state >= 0)
            advance_state(world, &world->contacts.list[i]);
}

static bool any_advances(const scree_world *world) {
    unsigned laws = 0;
    for (int k = 0; scree_row_laws[k]; ++k)
        if (scree_row_laws[k]->advance) laws |= 1u << k;
    return laws && scree_world_obeys(world, laws);
}

void scree_world_advance_states(scree_world *world) {
    if (any_advances(world))
        scree_parallel_for(world->contacts.n, world->def.threads, advance_chunk,
                           world);
}
