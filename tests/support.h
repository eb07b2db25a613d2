/* support.h: small worlds for tests, in few words. */
#ifndef SCREE_TESTS_SUPPORT_H
#define SCREE_TESTS_SUPPORT_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/base/vec.h"
#include "engine/scree.h"

#define assert_near(value, expected, tolerance)                                \
    scree_assert_near((value), (expected), (tolerance), #value, __FILE__,      \
                      __LINE__)
void scree_assert_near(double value, double expected, double tolerance,
                       const char *what, const char *file, int line);

#define assert_ok(status) assert_int_equal((status), SCREE_OK)

/* A world with one material (index 0). */
scree_world *make_world(const scree_world_def *def, scree_contact_law law);
void add_floor(scree_world *world);
int add_plane(scree_world *world, scree_vec3 point, scree_vec3 normal);
/* Four walls and a floor: |x|, |y| <= half, z >= 0. */
void add_box(scree_world *world, double half);
int64_t add_sphere(scree_world *world, double radius, scree_vec3 x,
                   scree_vec3 v, scree_vec3 w);
void run(scree_world *world, int steps);

typedef struct body {
    scree_vec3 x, v, w;
    scree_quat q;
    double r, m;
} body;
body read_body(const scree_world *world, int64_t id);
scree_scalars read_scalars(const scree_world *world);

/* What the energy balance lacks: the scheme error. */
double energy_defect(const scree_world *world);

/* n spheres of radius in [r_lo, r_hi] on a jittered lattice above the floor,
 * |x|, |y| <= half. */
void add_cloud(scree_world *world, int n, double half, double r_lo, double r_hi,
               uint64_t seed);

#endif
