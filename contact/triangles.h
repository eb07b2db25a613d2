/* triangles.h: a triangle surface as files give it. */
#ifndef SCREE_CONTACT_TRIANGLES_H
#define SCREE_CONTACT_TRIANGLES_H

#include <stdint.h>

#include "engine/base/vec.h"

typedef struct scree_triangles {
    int n_vertex;
    scree_vec3 *vertex;   /* (n_vertex) [m] */
    int n_triangle;
    int32_t (*corner)[3]; /* (n_triangle) counter-clockwise seen from outside */
} scree_triangles;

#endif
