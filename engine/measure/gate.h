/* gate.h: surfaces that a flux is counted through, and which way a path crosses them.
 *
 * A point is in front of a gate if n . (x - p) >= 0. A path from x_b to x_e crosses it
 * forwards, +1, from behind to the front, and backwards, -1, the other way; a disc or a
 * rectangle only if the path meets its plane inside of it. Since the side of a point is
 * never in doubt, what comes back through a plane is taken off exactly. Rectangles
 * that share a side share no point: what goes through both counts once. */
#ifndef SCREE_MEASURE_GATE_H
#define SCREE_MEASURE_GATE_H

#include <stdbool.h>

#include "engine/base/vec.h"

typedef enum scree_gate_kind {
    SCREE_GATE_PLANE,
    SCREE_GATE_DISC,
    SCREE_GATE_RECTANGLE
} scree_gate_kind;

typedef struct scree_gate {
    scree_gate_kind kind;
    scree_vec3 p;         /* on the plane; centre; corner [m] */
    scree_vec3 n;         /* unit length */
    double radius;        /* of a disc [m] */
    scree_vec3 across[2]; /* x - p times these: [0, 1) in a rectangle [1/m] */
} scree_gate;

/* Normals need not be of unit length, but must have one. */
scree_gate scree_gate_plane(scree_vec3 point, scree_vec3 normal);
scree_gate scree_gate_disc(scree_vec3 center, scree_vec3 normal, double radius);
/* From a corner along two sides, which need not be at right angles; n is that of
 * first x second. */
scree_gate scree_gate_rectangle(scree_vec3 corner, scree_vec3 first,
                                scree_vec3 second);

/* 1: forwards, -1: backwards, 0: it does not cross. */
int scree_gate_crossing(const scree_gate *gate, scree_vec3 from, scree_vec3 to);

#endif
