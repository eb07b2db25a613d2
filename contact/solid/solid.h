/* solid.h: the convex solids that bodies are made of, and what touching means.
 *
 * A solid is a core grown by a radius: all points within `radius` of the core.
 *
 *     sphere, disc          point + r
 *     capsule               segment along z + r
 *     cylinder              disc of radius `disc` swept along z over +-half, + r
 *     box, polyhedron       hull + r (r = 0: sharp)
 *     polygon (plane)       flat ring of vertices in z = 0 + r
 *
 * The origin of the body frame is the centre of mass. A polygon's outline is a
 * hull whose faces are its edges; its normals and contacts lie in the plane.
 *
 * Gap and normal of two solids follow from their cores: distance of the cores
 * minus both radii; where the cores overlap, minus the least translation that
 * separates them. */
#ifndef SCREE_CONTACT_SOLID_H
#define SCREE_CONTACT_SOLID_H

#include "contact/solid/hull.h"

typedef enum scree_core {
#define SCREE_CORE(core, ops) SCREE_CORE_##core,
#include "contact/cores.def"
#undef SCREE_CORE
    SCREE_CORES
} scree_core;

typedef struct scree_solid {
    scree_core core;
    double radius;          /* r >= 0 [m] */
    double half;            /* segment, cylinder: half length [m] */
    double disc;            /* cylinder: radius of the core [m] */
    const scree_hull *hull; /* hull, polygon */
    double bound;           /* all points lie within it of the origin [m] */
} scree_solid;

/* A solid where it is now. */
typedef struct scree_placed {
    const scree_solid *solid;
    scree_vec3 x; /* centre of mass */
    scree_mat3 R;
} scree_placed;

/* One point at which two solids touch or may touch soon. */
typedef struct scree_touch {
    scree_vec3 x; /* half way between the two surfaces [m] */
    scree_vec3 n; /* unit normal, from b into a */
    double g;     /* gap along n, < 0: overlap [m] */
    uint32_t key; /* the features that touch; kept while the same ones do */
} scree_touch;

/* At most this many for one pair (4 for two convex solids, 2 in the plane). */
enum { SCREE_TOUCHES = 32 };

/* Writes the touches with g <= reach, returns their number. n and g do not
 * depend on the order of a and b (n changes sign). */
typedef int scree_pair_find(const scree_placed *a, const scree_placed *b,
                            double reach, scree_touch *touches);

#endif
