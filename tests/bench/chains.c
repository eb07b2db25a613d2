/* chains.c: how fast chain nets are stepped: laws times sweeps a second of the solve, on
 * one thread, for 10 000 cables, inextensible and elastic, and for hinges.
 *
 *     bench_chains [STEPS] [--strict]
 *
 * Times are those of the processor: others may use the machine too. The bar is 10
 * million; --strict makes missing it exit code 1. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/base/vec.h"
#include "engine/scree_joints.h"

static const double BAR = 10e6;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void must(scree_status status, const scree_world *world) {
    if (status == SCREE_OK) return;
    fprintf(stderr, "bench_chains: %s\n",
            world ? scree_world_error(world) : "out of memory");
    exit(1);
}

static scree_world *make_world(void) {
    scree_world_def def = scree_world_def_default();
    scree_world *world;
    scree_material_def steel = scree_material_def_default();
    def.threads = 1;
    def.solver.iterations = 100;
    must(scree_world_create(&def, &world), NULL);
    steel.density = 7850;
    must(scree_world_add_material(world, &steel, NULL), world);
    return world;
}

/* A curtain of 70 by 70 cells, held above and below: tight from the first step on. */
static void add_net(scree_world *world, double stiffness) {
    scree_net_def def = scree_net_def_default();
    vec_to(vec(0, 0, -14), def.along);
    vec_to(vec(0, 14, 0), def.across);
    def.columns = def.rows = 70;
    def.radius = 0.01;
    def.mesh.stiffness = stiffness, def.mesh.damping = 1e-5 * stiffness;
    def.anchors = SCREE_ANCHOR_SIDES;
    must(scree_world_add_net(world, &def, NULL, NULL), world);
}

/* 10 chains of 100 spheres, each on a hinge at the next. */
static void add_hinges(scree_world *world) {
    for (int chain = 0; chain < 10; ++chain)
        for (int k = 0; k < 100; ++k) {
            scree_sphere_def ball = scree_sphere_def_default();
            scree_joint_def def = scree_joint_def_default();
            const scree_vec3 x = vec(0.1 * k, 0.3 * chain, 0);
            ball.radius = 0.03;
            vec_to(x, ball.position);
            def.kind = SCREE_JOINT_HINGE;
            must(scree_world_add_sphere(world, &ball, &def.a), world);
            def.b = k > 0 ? def.a - 1 : SCREE_GROUND;
            vec_to(sub(x, vec(0.05, 0, 0)), def.point_a);
            vec_to(vec(0, 1, 0), def.axis);
            must(scree_world_add_joint(world, &def, NULL), world);
        }
}

static bool time_world(scree_world *world, const char *what, int steps) {
    scree_cost cost;
    const double start = now(), worked = (double)clock() / CLOCKS_PER_SEC;
    for (int n = 0; n < steps; ++n) must(scree_world_step(world), world);
    const double all = now() - start;
    const double share = ((double)clock() / CLOCKS_PER_SEC - worked) / all;
    scree_world_read_cost(world, &cost);
    const double solve = share * cost.seconds[SCREE_PHASE_SOLVE];
    const double rate = (double)cost.contact_iterations / solve;
    printf("%-20s %6lld joints  %6.1f sweeps  %6.2f ms a step  %5.1f ms of it "
           "solved  %6.2f million laws a second\n",
           what, (long long)scree_world_joint_count(world),
           (double)cost.iterations / steps, 1e3 * share * all / steps,
           1e3 * solve / steps, 1e-6 * rate);
    scree_world_destroy(world);
    return rate >= BAR;
}

int main(int argc, char **argv) {
    const int steps = argc > 1 ? atoi(argv[1]) : 200;
    const bool strict = argc > 2 && strcmp(argv[2], "--strict") == 0;
    if (steps < 1) return 2;
    bool fast = true;
    scree_world *world = make_world();
    add_net(world, 0);
    fast &= time_world(world, "inextensible cables", steps);
    world = make_world();
    add_net(world, 1e5);
    fast &= time_world(world, "elastic cables", steps);
    world = make_world();
    add_hinges(world);
    time_world(world, "hinges", steps);
    printf("bar %.0f million for cables: %s\n", 1e-6 * BAR,
           fast ? "kept" : "missed");
    return strict && !fast;
}
