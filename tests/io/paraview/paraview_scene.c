/* paraview_scene.c: bodies of all shapes fall into a box of planes, spheres
 * onto a turning paddle and a trough; written as frames and surfaces.
 *
 *     paraview_scene FOLDER SECONDS FRAMES
 *
 * tests/io/paraview_surfaces.py knows the numbers and sizes in here. */
#include <stdio.h>
#include <stdlib.h>

#include "contact/solid/rock.h"
#include "engine/base/random.h"
#include "io/output/output.h"

enum { BODIES = 60, SHAPES = 6, SPHERES = 40 };

static void check(scree_status status, const char *what) {
    if (status == SCREE_OK) return;
    fprintf(stderr, "paraview_scene: %s: %s\n", what,
            scree_status_text(status));
    exit(1);
}

/* ---- walls --------------------------------------------------------------- */

/* -0.5 < x < 1.5, -0.5 < y < 0.5, open above */
static void add_planes(scree_world *world) {
    static const double planes[5][6] = {{0, 0, 0, 0, 0, 1},
                                        {-0.5, 0, 0, 1, 0, 0},
                                        {1.5, 0, 0, -1, 0, 0},
                                        {0, -0.5, 0, 0, 1, 0},
                                        {0, 0.5, 0, 0, -1, 0}};
    for (int i = 0; i < 5; i++) {
        scree_plane_def def = scree_plane_def_default();
        for (int k = 0; k < 3; k++)
            def.point[k] = planes[i][k], def.normal[k] = planes[i][3 + k];
        check(scree_world_add_plane(world, &def, NULL), "plane");
    }
}

static void add_mesh(scree_world *world, const double *vertices, int n_vertex,
                     const int32_t *corners, int n_triangle,
                     const scree_motion *motion) {
    scree_mesh_def def = scree_mesh_def_default();
    def.vertices = vertices, def.n_vertex = n_vertex;
    def.corners = corners, def.n_triangle = n_triangle;
    def.two_sided = true;
    def.motion = *motion;
    check(scree_world_add_mesh(world, &def, NULL), "mesh");
}

static void add_meshes(scree_world *world) {
    static const double trough[] = {0.7,  -0.4, 0.45, 1.05, -0.4, 0.25,
                                    1.4,  -0.4, 0.45, 0.7,  0.4,  0.45,
                                    1.05, 0.4,  0.15, 1.4,  0.4,  0.45};
    static const int32_t trough_corners[] = {0, 1, 4, 0, 4, 3,
                                             1, 2, 5, 1, 5, 4};
    static const double paddle[] = {0.9, -0.2, 0.7, 1.2, -0.2, 0.7,
                                    1.2, 0.2,  0.7, 0.9, 0.2,  0.7};
    static const int32_t paddle_corners[] = {0, 1, 2, 0, 2, 3};
    const scree_motion rest = {0}, turn = {.origin = {1.05, 0, 0.7},
                                           .axis = {0, 1, 0},
                                           .rate = 3};
    add_mesh(world, trough, 6, trough_corners, 4, &rest);
    add_mesh(world, paddle, 4, paddle_corners, 2, &turn);
}

/* ---- bodies -------------------------------------------------------------- */

static int add_shape(scree_world *world, scree_shape_kind kind, double size,
                     double rounding) {
    static const double balls[] = {-0.05, 0,    0, 0.06, 0.05, 0,
                                   0,     0.05, 0, 0.04, 0.04, 0.05};
    scree_shape_def def = scree_shape_def_default();
    int shape;
    def.kind = kind;
    def.size[0] = size, def.size[1] = 0.75 * size, def.size[2] = 0.5 * size;
    def.radius = 0.25 * size, def.length = 0.75 * size;
    def.rounding = rounding;
    def.balls = balls, def.n_ball = 3;
    check(scree_world_add_shape(world, &def, &shape), "shape");
    return shape;
}

static int add_rock(scree_world *world, uint64_t seed) {
    scree_rock_def rock = scree_rock_default();
    scree_shape_def def = scree_shape_def_default();
    scree_hull hull = {0};
    int shape;
    rock.diameter = 0.18;
    rock.seed = seed;
    check(scree_rock_make(&rock, &hull, NULL), "rock");
    def.kind = SCREE_SHAPE_POLYHEDRON;
    def.points = &hull.vertex->x, def.n_point = hull.n_vertex;
    check(scree_world_add_shape(world, &def, &shape), "rock");
    scree_hull_free(&hull);
    return shape;
}

/* Layers of 3 x 3, each body turned at random. */
static void add_body(scree_world *world, int shape, int i, scree_random *rng) {
    scree_body_def def = scree_body_def_default();
    def.shape = shape;
    def.position[0] = -0.3 + 0.28 * (i % 3);
    def.position[1] = -0.3 + 0.28 * (i / 3 % 3);
    def.position[2] = 0.2 + 0.27 * (i / 9);
    for (int k = 0; k < 4; k++)
        def.orientation[k] = scree_random_range(rng, -1, 1);
    check(scree_world_add_body(world, &def, NULL), "body");
}

static void add_bodies(scree_world *world) {
    const int shapes[SHAPES] = {add_shape(world, SCREE_SHAPE_BOX, 0.2, 0),
                                add_rock(world, 1),
                                add_rock(world, 2),
                                add_shape(world, SCREE_SHAPE_CYLINDER, 0.2, 0),
                                add_shape(world, SCREE_SHAPE_BOX, 0.15, 0.02),
                                add_shape(world, SCREE_SHAPE_CLUMP, 0.2, 0)};
    scree_random rng = scree_random_stream(7, 0);
    for (int i = 0; i < BODIES; i++)
        add_body(world, shapes[i % SHAPES], i, &rng);
    for (int i = 0; i < SPHERES; i++) {
        scree_sphere_def def = scree_sphere_def_default();
        def.radius = 0.04;
        def.position[0] = 0.95 + 0.09 * (i % 3);
        def.position[1] = -0.1 + 0.09 * (i / 3 % 3);
        def.position[2] = 0.95 + 0.09 * (i / 9);
        check(scree_world_add_sphere(world, &def, NULL), "sphere");
    }
}

static scree_world *make_world(void) {
    scree_world_def def = scree_world_def_default();
    scree_material_def material = scree_material_def_default();
    scree_world *world;
    def.gravity[2] = -9.81;
    def.dt = 0.001;
    material.law.friction = 0.5;
    check(scree_world_create(&def, &world), "world");
    check(scree_world_add_material(world, &material, NULL), "material");
    add_planes(world);
    add_meshes(world);
    add_bodies(world);
    return world;
}

/* ---- the run ------------------------------------------------------------- */

typedef struct sink {
    const scree_output_ops *ops;
    void *self;
} sink;

static void write_sinks(const sink *sinks,
                        const scree_output_context *context) {
    for (int i = 0; i < 2; i++)
        check(sinks[i].ops->write(sinks[i].self, context, NULL), "write");
}

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    char empty[] = "";
    const scree_case source = {
        .name = empty, .text = empty, .overrides = empty};
    scree_world *world = make_world();
    const scree_output_context context = {
        .folder = argv[1], .source = &source, .world = world};
    sink sinks[2] = {{.ops = scree_output_find("frames")},
                     {.ops = scree_output_find("surfaces")}};
    for (int i = 0; i < 2; i++)
        check(sinks[i].ops->open(&context, &sinks[i].self, NULL), "open");

    const double end = strtod(argv[2], NULL);
    const int frames = atoi(argv[3]);
    write_sinks(sinks, &context);
    for (int k = 1; k < frames; k++) {
        while (scree_world_time(world) < end * k / (frames - 1) - 1e-9)
            check(scree_world_step(world), "step");
        write_sinks(sinks, &context);
    }
    for (int i = 0; i < 2; i++)
        check(sinks[i].ops->close(sinks[i].self, NULL), "close");
    scree_scalars s;
    scree_world_read_scalars(world, &s);
    printf("t %g, kinetic %g, contacts %lld, penetration at most %g\n", s.time,
           s.kinetic, (long long)s.contacts, s.penetration_max);
    scree_world_destroy(world);
    return 0;
}
