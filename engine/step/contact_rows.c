/* contact_rows.c: a contact as a row of the problem: its geometry, and the fields that
 * the laws of its materials give it (solvers/law/law.h). */
#include <string.h>

#include "engine/base/parallel.h"
#include "engine/joints/joints.h"
#include "engine/step/contact_rows.h"
#include "engine/world/inertia.h"
#include "engine/world/view.h"
#include "solvers/law/resist.h"

scree_vec3 scree_world_chi(const scree_world *world, const scree_contact *c) {
    if (c->b >= 0) {
        const scree_image image = scree_world_image(world, c);
        return image ? scale(-1.0, scree_period_drift(world->scene.cell, image))
                     : vec(0, 0, 0);
    }
    const int wall = -1 - c->b;
    return scale(-1.0, scree_wall_prescribed(&world->scene.walls[wall],
                                             &world->scene.planes[wall],
                                             scree_world_point(world, c)));
}

scree_vec3 scree_world_drive_arm(const scree_world *world,
                                 const scree_contact *c) {
    return scree_drive_arm(&world->scene.walls[-1 - c->b].drive,
                           scree_world_point(world, c));
}

scree_vec3 scree_world_relative_to_drive(const scree_world *world,
                                         const scree_contact *c,
                                         scree_velocity a, scree_velocity b) {
    const scree_vec3 arm =
        c->arms >= 0 ? scree_world_arms(world, c)->a : scale(-c->arm_a, c->n);
    return sub(add(a.v, cross(a.w, arm)),
               add(b.v, cross(b.w, scree_world_drive_arm(world, c))));
}

/* ---- laws ---------------------------------------------------------------------- */

const scree_pair_law *scree_world_pair_of(const scree_world *world,
                                          const scree_contact *c) {
    const int a = world->state.bodies.material[c->a];
    const int b = c->b >= 0 ? world->state.bodies.material[c->b]
                            : world->scene.walls[-1 - c->b].def.material;
    return scree_world_pair_law(world, a, b);
}

const scree_contact_law *scree_world_law(const scree_world *world,
                                         const scree_contact *c) {
    return &scree_world_pair_of(world, c)->law;
}

bool scree_world_is_general(const scree_world *world, const scree_contact *c) {
    return c->arms >= 0 || scree_world_is_driven(world, c) ||
           scree_world_pair_of(world, c)->general;
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
    return scree_world_obeys(world, general_laws()) || world->scene.general ||
           world->scene.n_driven > 0 || scree_joints_turn_bodies(world);
}

/* ---- rows ---------------------------------------------------------------------- */

static void make_general(const scree_world *world, const scree_contact *c,
                         scree_row *row) {
    const bool round = c->arms < 0;
    row->general = true;
    row->r_a = round ? scale(-c->arm_a, c->n) : scree_world_arms(world, c)->a;
    row->r_b = round ? scale(c->arm_b, c->n) : scree_world_arms(world, c)->b;
    if (scree_world_is_driven(world, c))
        row->r_b = scree_world_drive_arm(world, c);
    if (c->b < 0) row->c_m = scale(-1.0, world->scene.walls[-1 - c->b].spin);
}

/* Of a contact that no law has kept anything of. */
static const scree_contact_state nothing = {{0}};

static void enter_laws(const scree_world *world, const scree_contact *c,
                       const scree_pair_law *pair, scree_row *row) {
    scree_law_terms terms = scree_world_terms(world, c, &pair->law, false);
    const unsigned laws = pair->laws;
    if (c->b < 0) terms.body = world->state.bodies.kept[c->a].x;
    const double *state =
        c->state >= 0 ? world->state.contacts.states[c->state].x : nothing.x;
    for (int k = 0; scree_row_laws[k]; ++k)
        if (laws & 1u << k) scree_row_laws[k]->enter(&terms, state, row);
}

scree_row scree_world_row(const scree_world *world, const scree_contact *c) {
    const scree_pair_law *pair = scree_world_pair_of(world, c);
    scree_row row = {.a = c->a,
                     .b = scree_world_second(world, c),
                     .n = c->n,
                     .arm_a = c->arm_a,
                     .arm_b = c->arm_b,
                     .mu = pair->law.friction};
    if (c->arms >= 0 || pair->general || scree_world_is_driven(world, c))
        make_general(world, c, &row);
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
