/* domain_shapes.c: all shapes over several ranks: contacts of frozen scenes are those
 * of one rank, up to what iterations about curved shapes leave; then they take a few
 * steps. */
#include "tests/mpi/ranks.h"

static int add_shape(scree_world *world, scree_shape_def def) {
    int shape;
    CHECK_OK(scree_world_add_shape(world, &def, &shape));
    return shape;
}

static scree_shape_def shape_of(scree_shape_kind kind) {
    scree_shape_def def = scree_shape_def_default();
    def.kind = kind;
    return def;
}

static int add_long(scree_world *world, scree_shape_kind kind, double radius,
                    double length, double rounding) {
    scree_shape_def def = shape_of(kind);
    def.radius = radius, def.length = length, def.rounding = rounding;
    return add_shape(world, def);
}

static int add_points(scree_world *world, scree_shape_kind kind,
                      const double *points, int n, double rounding) {
    scree_shape_def def = shape_of(kind);
    def.points = points, def.n_point = n, def.rounding = rounding;
    return add_shape(world, def);
}

static int add_rounded_box(scree_world *world) {
    scree_shape_def def = shape_of(SCREE_SHAPE_BOX);
    def.size[0] = 0.14, def.size[1] = 0.1, def.size[2] = 0.08;
    def.rounding = 0.02;
    return add_shape(world, def);
}

static int add_clump(scree_world *world) {
    static const double balls[] = {-0.05, 0,    0, 0.05, 0.05, 0,
                                   0,     0.06, 0, 0.06, 0,    0.04};
    scree_shape_def def = shape_of(SCREE_SHAPE_CLUMP);
    def.balls = balls, def.n_ball = 3;
    return add_shape(world, def);
}

/* Every third body is of the last kind that was added, and so on in turn. */
static void scatter(scree_world *world, int n, int first, int kinds,
                    scree_random *rng) {
    const bool planar = world->def.planar;
    for (int i = 0; i < n; ++i) {
        const scree_vec3 x = random_vec(rng, 0.8);
        add_body(world, first + i % kinds,
                 planar ? vec(x.x, x.y, 0) : vec(x.x, x.y, x.z + 0.8), rng);
    }
}

static void solids(scree_world *world, uint64_t seed) {
    static const double corners[] = {0.08, 0,     0,     -0.06, 0.07,
                                     0,    -0.05, -0.07, 0,     0,
                                     0.01, 0.1,   0.01,  0.02,  -0.09};
    scree_random rng = scree_random_stream(seed, 7);
    add_box(world, 0.8);
    const int first = add_long(world, SCREE_SHAPE_CAPSULE, 0.04, 0.1, 0);
    add_long(world, SCREE_SHAPE_CYLINDER, 0.06, 0.1, 0);
    add_long(world, SCREE_SHAPE_CYLINDER, 0.05, 0.08, 0.01);
    add_points(world, SCREE_SHAPE_POLYHEDRON, corners, 5, 0);
    add_points(world, SCREE_SHAPE_POLYHEDRON, corners, 5, 0.02);
    add_clump(world);
    const int last = add_rounded_box(world);
    scatter(world, 280, first, last - first + 1, &rng);
    for (int i = 0; i < 40; ++i) {
        const scree_vec3 x = random_vec(&rng, 0.8);
        add_sphere(world, 0.06, vec(x.x, x.y, x.z + 0.8), vec(0, 0, 0));
    }
    const int large = add_long(world, SCREE_SHAPE_CAPSULE, 0.15, 1, 0);
    add_body(world, large, vec(0.1, 0, 0.7), &rng); /* larger than a part */
}

/* Discs, polygons sharp and round, and a funnel of segments. */
static void flat(scree_world *world, uint64_t seed) {
    static const double corners[] = {0.08,  0,    0, 0, 0.08, 0,
                                     -0.08, 0.01, 0, 0, -0.1, 0};
    static const double funnel[] = {-1,  0.6,  0, -0.1, -0.5, 0,
                                    0.1, -0.5, 0, 1,    0.6,  0};
    scree_random rng = scree_random_stream(seed, 8);
    scree_segments_def def = scree_segments_def_default();
    def.points = funnel, def.n_point = 4;
    CHECK_OK(scree_world_add_segments(world, &def, NULL));
    add_plane(world, vec(0, -1, 0), vec(0, 1, 0));
    const int first = add_points(world, SCREE_SHAPE_POLYGON, corners, 4, 0);
    add_points(world, SCREE_SHAPE_POLYGON, corners, 4, 0.02);
    scatter(world, 150, first, 2, &rng);
    for (int i = 0; i < 100; ++i) {
        const scree_vec3 x = random_vec(&rng, 0.8);
        add_sphere(world, 0.05, vec(x.x, x.y, 0), vec(0, 0, 0));
    }
}

static void shapes__in_space__of_one_rank(const scree_comm *comm) {
    try_scene(comm, solids, false, 1e-9);
}
static void shapes__in_the_plane__of_one_rank(const scree_comm *comm) {
    try_scene(comm, flat, true, 1e-9);
}

#define TRIAL(name)                                                            \
    { #name, name }
int main(int argc, char **argv) {
    static const scree_trial trials[] = {
        TRIAL(shapes__in_space__of_one_rank),
        TRIAL(shapes__in_the_plane__of_one_rank),
    };
    return scree_trials_run(argc, argv, trials, sizeof trials / sizeof *trials);
}
