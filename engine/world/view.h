/* view.h: what outputs and runs see of a world, beside what engine/scree.h tells
 * everybody. Nothing of it can be changed. */
#ifndef SCREE_WORLD_VIEW_H
#define SCREE_WORLD_VIEW_H

#include "contact/broad/contact_state.h"
#include "contact/narrow/contact.h"
#include "contact/solid/form.h"
#include "engine/base/comm.h"
#include "engine/walls/wall.h"
#include "engine/world/body.h"
#include "solvers/problem/problem.h"

/* Pointers stay good until something is added to the world, or it steps. */
typedef struct scree_world_view {
    const scree_world_def *def;
    const scree_bodies *bodies; /* of this rank, and its copies of others' */
    const scree_form *forms;    /* (n_form) */
    const scree_wall *walls;    /* (n_wall) */
    const scree_material_def *materials;
    const scree_problem *problem; /* of the last solve */
    int n_form, n_wall;
    bool spread; /* over ranks, maybe one */
    bool agreed; /* all ranks know of the last error */
    double dt;   /* of the steps now [s] */
    /* If all steps are alike, t = epoch_t + (steps - epoch_step) dt [s]. */
    double epoch_t;
    int64_t epoch_step;
    double stride; /* see world.h */
} scree_world_view;

scree_world_view scree_world_view_of(const scree_world *world);

/* How many ids have been given: the next body gets this one. */
int64_t scree_world_id_count(const scree_world *world);

/* Of all bodies on all ranks that were ever added [m]; 0 without any. */
double scree_world_mean_radius(const scree_world *world);

/* The place of a wall at the world's time. */
scree_plane scree_world_wall_plane(const scree_world *world, int wall);

/* What laws keep of contacts, by the names in files: those of the laws that the world
 * has, or, of NULL, of all. */
scree_state_fields scree_world_state_fields(const scree_world *world);
/* The same of bodies, in scree_body_state. */
scree_state_fields scree_world_body_fields(const scree_world *world);

int scree_world_rank(const scree_world *world);
int scree_world_ranks(const scree_world *world); /* how many */
const scree_comm *scree_world_comm(const scree_world *world);
/* Is body i this rank's, not a copy? */
bool scree_world_owns(const scree_world *world, int32_t i);

/* A way along which positions go: in a cell a whole number of what they are multiples
 * of (cell.h). */
scree_vec3 scree_world_way(const scree_world *world, scree_vec3 way);
/* Where the body would be had it never been wrapped. */
scree_vec3 scree_world_unwrapped(const scree_world *world, int32_t i);

#endif
