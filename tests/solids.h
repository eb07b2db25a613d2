/* solids.h: convex solids for tests, made by hand, and poses for them. */
#ifndef SCREE_TESTS_SOLIDS_H
#define SCREE_TESTS_SOLIDS_H

#include "contact/narrow/pair.h"
#include "engine/base/random.h"

enum { MADE_VERTICES = 64, MADE_FACES = 128, MADE_CORNERS = 384 };

/* A solid with room for its hull; do not copy after it was made. */
typedef struct made_solid {
    const char *name;
    scree_solid solid;
    scree_hull hull;
    scree_vec3 vertex[MADE_VERTICES], normal[MADE_FACES];
    double offset[MADE_FACES], bend[MADE_CORNERS / 2];
    double vertex4[3 * MADE_VERTICES], plane4[4 * MADE_FACES];
    int32_t loop[MADE_FACES + 1], corner[MADE_CORNERS];
    scree_edge edge[MADE_CORNERS / 2];
    int32_t ring[MADE_VERTICES + 1], neighbour[MADE_CORNERS];
    int32_t side[MADE_CORNERS];
} made_solid;

void make_point(made_solid *m, double radius);
void make_segment(made_solid *m, double half, double radius);
void make_cylinder(made_solid *m, double disc, double half, double radius);
/* The hull of points, by trying all planes through three of them. All points
 * must be corners. The mean of the points becomes the origin. */
void make_hull(made_solid *m, const scree_vec3 *points, int n, double radius);
void make_box(made_solid *m, scree_vec3 half, double radius);
void make_tetrahedron(made_solid *m, double size, double radius);
void make_prism(made_solid *m, int sides, double size, double half,
                double radius);
void make_icosahedron(made_solid *m, double size, double radius);
/* Random points of an ellipsoid. */
void make_random_hull(made_solid *m, int n, double size, double radius,
                      scree_random *rng);
/* Points of an ellipse, counter-clockwise. */
void make_polygon(made_solid *m, int sides, scree_vec3 half, double radius);

scree_mat3 turned(scree_quat q);
scree_vec3 random_direction(scree_random *rng);
scree_mat3 random_turn(scree_random *rng);
scree_mat3 random_planar_turn(scree_random *rng);
scree_placed placed(const made_solid *m, scree_vec3 x, scree_mat3 R);

/* How far the direction n (from b into a) separates the cores. */
double separation(const scree_placed *a, const scree_placed *b, scree_vec3 n);

#endif
