/* shapes_fixture.h: bodies that are not spheres, in few words. */
#ifndef SCREE_TESTS_SHAPES_FIXTURE_H
#define SCREE_TESTS_SHAPES_FIXTURE_H

#include <stdlib.h>
#include <string.h>

#include "engine/base/random.h"
#include "tests/support.h"

static const double G = 9.81;

/* Settings with which stacks stand; a warm start makes them cheap. */
static inline scree_world_def firm_def(double dt) {
    scree_world_def def = scree_world_def_default();
    def.dt = dt;
    def.solver.iterations = 200;
    def.solver.tolerance = 1e-6;
    return def;
}

/* The same in the plane: gravity along -y. */
static inline scree_world_def plane_def(double dt) {
    scree_world_def def = firm_def(dt);
    def.planar = true;
    def.gravity[1] = -G, def.gravity[2] = 0;
    return def;
}

/* Gravity as a floor tilted by angle a sees it: downhill is +x. `up` is 1 for y,
 * 2 for z. */
static inline void tilt(scree_world_def *def, double a, int up) {
    def->gravity[0] = G * sin(a);
    def->gravity[up] = -G * cos(a);
}

static inline int add_shape(scree_world *world, const scree_shape_def *def) {
    int shape;
    assert_ok(scree_world_add_shape(world, def, &shape));
    return shape;
}

static inline int add_box_shape(scree_world *world, double x, double y,
                                double z) {
    scree_shape_def def = scree_shape_def_default();
    def.size[0] = x, def.size[1] = y, def.size[2] = z;
    return add_shape(world, &def);
}

static inline int add_round_shape(scree_world *world, scree_shape_kind kind,
                                  double radius, double length) {
    scree_shape_def def = scree_shape_def_default();
    def.kind = kind;
    def.radius = radius, def.length = length;
    return add_shape(world, &def);
}

static inline int add_points_shape(scree_world *world, scree_shape_kind kind,
                                   const double *points, int n,
                                   double rounding) {
    scree_shape_def def = scree_shape_def_default();
    def.kind = kind;
    def.points = points, def.n_point = n;
    def.rounding = rounding;
    return add_shape(world, &def);
}

static inline int add_rectangle(scree_world *world, double x, double y,
                                double rounding) {
    const double p[] = {-x / 2, -y / 2, 0, x / 2,  -y / 2, 0,
                        x / 2,  y / 2,  0, -x / 2, y / 2,  0};
    return add_points_shape(world, SCREE_SHAPE_POLYGON, p, 4, rounding);
}

typedef struct put {
    int shape;
    scree_vec3 x, turn, v, w; /* turn: rotation vector */
} put;

static inline int64_t put_body(scree_world *world, put p) {
    scree_body_def def = scree_body_def_default();
    const scree_quat q = quat_from_vector(p.turn);
    def.shape = p.shape;
    vec_to(p.x, def.position);
    def.orientation[0] = q.w, def.orientation[1] = q.x;
    def.orientation[2] = q.y, def.orientation[3] = q.z;
    vec_to(p.v, def.velocity);
    vec_to(p.w, def.angular_velocity);
    int64_t id;
    assert_ok(scree_world_add_body(world, &def, &id));
    return id;
}

/* A mesh of side x side points, row by row: two triangles in each cell. */
static inline void add_mesh_grid(scree_world *world, const double *points,
                                 int side, bool two_sided,
                                 const scree_motion *motion) {
    const int cells = side - 1;
    int32_t(*c)[3] = malloc(2 * (size_t)cells * (size_t)cells * sizeof *c);
    assert_non_null(c);
    for (int k = 0; k < cells * cells; ++k) {
        const int32_t a = k / cells * side + k % cells;
        const int32_t two[2][3] = {{a, a + 1, a + side + 1},
                                   {a, a + side + 1, a + side}};
        memcpy(c[2 * k], two, sizeof two);
    }
    scree_mesh_def def = scree_mesh_def_default();
    def.vertices = points, def.n_vertex = side * side;
    def.corners = c[0], def.n_triangle = 2 * cells * cells;
    def.two_sided = two_sided;
    if (motion) def.motion = *motion;
    assert_ok(scree_world_add_mesh(world, &def, NULL));
    free(c);
}

/* ---- one of each ------------------------------------------------------------ */

enum { KINDS = 6 };
static const char *const kind_name[] = {"sphere",   "box",        "capsule",
                                        "cylinder", "polyhedron", "clump"};

/* Shapes of about 0.1 in radius; -1 stands for a sphere. */
static inline void add_kinds(scree_world *world, int *shape) {
    const double tetra[] = {1, 1, 1, -1, -1, 1, -1, 1, -1, 1, -1, -1};
    double points[12];
    for (int k = 0; k < 12; ++k) points[k] = 0.09 * tetra[k];
    const double balls[] = {-0.06, 0, 0,    0.07, 0.06, 0,    0, 0.07,
                            0,     0, 0.06, 0.05, 0,    0.07, 0, 0.04};
    scree_shape_def clump = scree_shape_def_default();
    clump.kind = SCREE_SHAPE_CLUMP;
    clump.balls = balls, clump.n_ball = 4;
    shape[0] = -1;
    shape[1] = add_box_shape(world, 0.2, 0.15, 0.1);
    shape[2] = add_round_shape(world, SCREE_SHAPE_CAPSULE, 0.06, 0.12);
    shape[3] = add_round_shape(world, SCREE_SHAPE_CYLINDER, 0.08, 0.14);
    shape[4] = add_points_shape(world, SCREE_SHAPE_POLYHEDRON, points, 4, 0);
    shape[5] = add_shape(world, &clump);
}

static inline int64_t put_kind(scree_world *world, double radius, put p) {
    return p.shape < 0 ? add_sphere(world, radius, p.x, p.v, p.w)
                       : put_body(world, p);
}

static inline scree_vec3 random_vec(scree_random *rng) {
    return vec(scree_random_range(rng, -1, 1), scree_random_range(rng, -1, 1),
               scree_random_range(rng, -1, 1));
}

/* The inverse of quat_from_vector. */
static inline scree_vec3 rotation_vector(scree_quat q) {
    const scree_vec3 axis = vec(q.x, q.y, q.z);
    const double s = norm(axis);
    return scale(s > 0 ? 2 * atan2(s, q.w) / s : 0, axis);
}

/* Angle by which a body is turned away from upright. */
static inline double turned_by(scree_quat q) {
    return 2 * atan2(sqrt(q.x * q.x + q.y * q.y + q.z * q.z), fabs(q.w));
}

#endif
