/* contact.h: what contact detection hands on.
 *
 * Indices a, b are places in the bodies' memory order, not ids. n points from b
 * into a, and the percussion P is the one on a; b gets -P. A pair with a wall
 * has b = -1 - wall, and n is the wall's normal. */
#ifndef SCREE_CONTACT_H
#define SCREE_CONTACT_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/vec.h"

/* Entry of the Verlet list: two bodies that may touch before the next rebuild,
 * and the percussion of their last step, from which the next solve starts. The
 * key of a pair is its two indices; a rebuild carries P over by that key. */
typedef struct scree_pair {
    int32_t a, b;
    scree_vec3 P; /* [N s], inertial frame */
} scree_pair;

static inline bool scree_pair_bears_load(const scree_pair *p) {
    return p->P.x != 0 || p->P.y != 0 || p->P.z != 0;
}

/* One contact of the step: what the narrow phase measured. The arms reach from
 * the centres along -n (a) and +n (b) to one common contact point, so that
 * angular momentum is conserved to rounding whatever the gap. */
typedef struct scree_contact {
    int32_t a, b;
    int32_t pair; /* in the Verlet list */
    scree_vec3 n;
    double g;            /* gap, < 0: overlap [m] */
    double arm_a, arm_b; /* [m] */
} scree_contact;

/* A wall as contact detection sees it: the half space n . x < d, now. The
 * speed of its points is at most v_max + rate |x - o| at any time. */
typedef struct scree_plane {
    scree_vec3 n;
    double d;
    bool exists; /* at this time */
    double v_max, rate;
    scree_vec3 o;
} scree_plane;

static inline bool scree_plane_moves(const scree_plane *p) {
    return p->v_max > 0 || p->rate != 0;
}

/* The bodies and walls of a step. */
typedef struct scree_scene {
    int32_t n;             /* bodies */
    const scree_ball *x;   /* (n) */
    const scree_twist *u;  /* (n) */
    int n_wall;
    const scree_plane *walls; /* (n_wall) */
    double dt;             /* [s] */
    double slack;          /* bodies nearer than this are in contact [m] */
    double fall;           /* |gravity| dt^2: what a step's fall adds [m] */
    bool foresee;          /* contacts that may close in this step count too */
    bool keep_loaded;      /* pairs that bear load are contacts, however far */
    int threads;           /* to look for them with */
} scree_scene;

#endif
