/* surface.h: solids, placements and surfaces for tests of meshes and terrain. */
#ifndef SCREE_TESTS_SURFACE_H
#define SCREE_TESTS_SURFACE_H

#include "contact/solid/solid.h"
#include "contact/surface/heightfield.h"
#include "contact/surface/mesh.h"
#include "engine/base/random.h"

/* ---- solids ------------------------------------------------------------- */

enum { FORM_VERTICES = 16, FORM_FACES = 2 * FORM_VERTICES };

/* A hull with its own room. */
typedef struct form {
    scree_hull hull;
    scree_vec3 vertex[FORM_VERTICES], normal[FORM_FACES];
    double offset[FORM_FACES];
    int32_t loop[FORM_FACES + 1], corner[3 * FORM_FACES],
        ring[FORM_VERTICES + 1];
    int32_t neighbour[3 * FORM_FACES];
    scree_edge edge[3 * FORM_FACES];
} form;

void form_box(form *f, scree_vec3 half);
/* n points on a ball, their convex hull (triangles only). */
void form_random(form *f, int n, double size, scree_random *rng);

scree_solid ball_solid(double r);
scree_solid capsule_solid(double half, double r);
scree_solid cylinder_solid(double disc, double half, double r);
scree_solid hull_solid(const form *f, double r);

scree_mat3 no_rotation(void);
scree_mat3 random_rotation(scree_random *rng);
scree_mat3 rotation(scree_vec3 axis_angle);
scree_vec3 turn(const scree_mat3 *R, scree_vec3 a);
scree_mat3 times(const scree_mat3 *A, const scree_mat3 *B);

/* ---- surfaces ----------------------------------------------------------- */

/* The triangles of a height field. */
scree_triangles triangles_of(const scree_heightfield *field);
void free_triangles(scree_triangles *t);

/* Heights z = f(x, y) on [x0, x0 + (nx - 1) cell] x ... */
typedef double height_function(double x, double y);
scree_heightfield field_of(int n, double x0, double cell, height_function *f);
/* Independent random heights in [0, rough]. */
scree_heightfield random_field(int n, double x0, double cell, double rough,
                               scree_random *rng);
scree_mesh mesh_of_field(const scree_heightfield *field);

/* The square [-1, 1]^2 in z = 0: n x n cells, inner vertices moved at random,
 * diagonals chosen at random. */
scree_mesh random_flat_mesh(int n, scree_random *rng);

/* ---- distances, by the definition --------------------------------------- */

/* Least distance of the placed core to any triangle; cores of vertices only. */
double core_distance(const scree_mesh *mesh, const scree_placed *a);

#endif
