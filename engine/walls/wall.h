/* wall.h: planes and surfaces with prescribed (rheonomic) motion, or driven by forces
 * (servo.h). */
#ifndef SCREE_WALL_H
#define SCREE_WALL_H

#include "contact/narrow/contact.h"
#include "engine/base/error.h"
#include "engine/scree.h"
#include "engine/walls/servo.h"

typedef struct scree_wall {
    scree_plane_def def;             /* normal and axis of unit length */
    struct scree_mesh *mesh;         /* its own; or NULL */
    struct scree_heightfield *field; /* its own; or NULL */
    struct scree_chain *chain;       /* its own; or NULL */
    struct scree_revolved *revolved; /* its own; or NULL */
    double *table;                   /* of its motion; its own; or NULL */
    bool borrowed;                   /* none of the five is its own */
    scree_drive drive;
    scree_mat3 frame; /* of a surface of revolution at t = 0: its axis is z */
    scree_vec3 percussion; /* of the last step, on the wall [N s] */
    scree_vec3 velocity;   /* translation now [m/s] */
    scree_vec3 spin;       /* angular velocity [rad/s] */
    scree_plane begin;     /* rattle: the plane at the beginning of the step */
    scree_vec3 velocity_begin; /* rattle: its translation there [m/s] */
    scree_plane before;        /* a move (stop.c): the plane at its beginning */
} scree_wall;

void scree_wall_free(scree_wall *wall);
/* The walls of another world, which must outlive this one: surfaces are not copied. */
scree_status scree_world_borrow_walls(scree_world *world,
                                      const scree_world *from);

/* The same with its materials, the laws of their pairs and its forms: then it stays as it is
 * but for its bodies. */
scree_status scree_world_borrow_scene(scree_world *world,
                                      const scree_world *from);

/* Refuses times, motion, servo and material that cannot be (flat: the wall is the plane
 * itself); adds a wall, which then is the world's (engine/world/world.c). */
scree_status scree_wall_check(const scree_world *world,
                              const scree_plane_def *def, bool flat,
                              scree_error *error);
scree_status scree_motion_check(const scree_motion *motion, scree_error *error);
/* Its table, and what drives it: one more body of the problem. */
scree_status scree_wall_make_own(scree_world *world, scree_wall *wall);
scree_status scree_world_append_wall(scree_world *world, const scree_wall *wall,
                                     int *index);

/* Brings wall and plane to time t. */
void scree_wall_move(scree_wall *wall, scree_plane *plane, double t);

/* Velocity of the wall's point x at the time of the last move; the part of it that is
 * prescribed. */
scree_vec3 scree_wall_velocity(const scree_wall *wall, const scree_plane *plane,
                               scree_vec3 x);
scree_vec3 scree_wall_prescribed(const scree_wall *wall,
                                 const scree_plane *plane, scree_vec3 x);

#endif
