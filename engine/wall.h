/* wall.h: planes and surfaces with prescribed (rheonomic) motion. */
#ifndef SCREE_WALL_H
#define SCREE_WALL_H

#include "contact/contact.h"
#include "engine/scree.h"

typedef struct scree_wall {
    scree_plane_def def;  /* normal and axis of unit length */
    struct scree_mesh *mesh;         /* its own; or NULL */
    struct scree_heightfield *field; /* its own; or NULL */
    scree_vec3 percussion; /* of the last step, on the wall [N s] */
    scree_vec3 velocity;   /* translation now [m/s] */
    scree_vec3 spin;       /* angular velocity [rad/s] */
    scree_plane begin;     /* rattle: the plane at the beginning of the step */
    scree_vec3 velocity_begin; /* rattle: its translation there [m/s] */
} scree_wall;

void scree_wall_free(scree_wall *wall);

/* Brings wall and plane to time t. */
void scree_wall_move(scree_wall *wall, scree_plane *plane, double t);

/* Velocity of the wall's point x at the time of the last move. */
scree_vec3 scree_wall_velocity(const scree_wall *wall, const scree_plane *plane,
                               scree_vec3 x);

#endif
