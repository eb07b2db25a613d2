/* Work of moreau-adaptive and of moreau with fixed steps at the same error: a rock that
 * bounces on terrain, and a few discs in a box. Work is the number of substeps, each of
 * which detects contacts and solves once; steps that were taken back are among them. The
 * reference is moreau-adaptive with a thousandth of the least step. Prints CSV. */
#include <stdio.h>
#include <time.h>

#include "tests/analytic/shapes_fixture.h"

typedef scree_world *scene(scree_world_def *def);

enum { SIDE = 60 };

/* Dunes that fall off along x. */
static void add_dunes(scree_world *world) {
    static double heights[SIDE * SIDE];
    scree_terrain_def def = scree_terrain_def_default();
    for (int k = 0; k < SIDE * SIDE; ++k)
        heights[k] = 0.15 * sin(0.9 * (k % SIDE)) * cos(0.7 * (k / SIDE)) -
                     0.12 * (k % SIDE);
    def.nx = def.ny = SIDE;
    def.cell = 0.4;
    def.x0 = -4, def.y0 = -10;
    def.heights = heights;
    assert_ok(scree_world_add_terrain(world, &def, NULL));
}

static scree_world *make_rock_fall(scree_world_def *def) {
    static const double p[] = {0.3,  0.3,  0.25, -0.3, -0.25, 0.3, -0.2, 0.3,
                               -0.3, 0.25, -0.3, -0.2, 0.1,   0.1, -0.35};
    scree_world *world =
        make_world(def, (scree_contact_law){.friction = 0.5, .e_n = 0.5});
    add_dunes(world);
    put_body(world, (put){.shape = add_points_shape(
                              world, SCREE_SHAPE_POLYHEDRON, p, 5, 0),
                          .x = vec(0, 0, 0.9),
                          .turn = vec(0.3, 0.2, 0.1),
                          .v = vec(3, 0.2, 0),
                          .w = vec(0.5, 2, 1)});
    return world;
}

static scree_world *make_discs(scree_world_def *def) {
    def->planar = true;
    def->gravity[1] = -G, def->gravity[2] = 0;
    scree_world *world =
        make_world(def, (scree_contact_law){.friction = 0.3, .e_n = 0.8});
    add_plane(world, vec(0, 0, 0), vec(0, 1, 0));
    add_plane(world, vec(-0.5, 0, 0), vec(1, 0, 0));
    add_plane(world, vec(0.5, 0, 0), vec(-1, 0, 0));
    for (int k = 0; k < 4; ++k)
        add_sphere(world, 0.1, vec(0.25 * k - 0.37, 0.3 + 0.11 * (k % 3), 0),
                   vec(0.6 - 0.5 * k, 0.3 * k, 0), vec(0, 0, 2.0 * k));
    return world;
}

typedef struct result {
    scree_vec3 x[8];
    int n;
    double work, seconds;
} result;

static double clock_cpu(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

static result run_scene(scene *make, const char *stepper, double dt,
                        double dt_min, double end) {
    scree_world_def def = scree_world_def_default();
    def.stepper = stepper;
    def.dt = dt, def.dt_min = dt_min;
    def.order = 3;
    def.threads = 1;
    def.solver.method = "newton";
    def.solver.tolerance = 1e-12;
    scree_world *world = make(&def);
    const double start = clock_cpu();
    while (scree_world_time(world) < end - 1e-9) run(world, 1);
    scree_cost cost;
    scree_world_read_cost(world, &cost);
    result r = {.n = (int)scree_world_body_count(world),
                .seconds = clock_cpu() - start,
                .work = cost.substeps ? (double)cost.substeps
                                      : (double)scree_world_steps(world)};
    for (int k = 0; k < r.n; ++k) r.x[k] = read_body(world, k).x;
    scree_world_destroy(world);
    return r;
}

static double error_of(const result *a, const result *b) {
    double most = 0;
    for (int k = 0; k < a->n; ++k)
        most = fmax(most, norm(sub(a->x[k], b->x[k])));
    return most;
}

static void compare_work(const char *name, scene *make, double end) {
    const double dt = 0.01;
    const result exact =
        run_scene(make, "moreau-adaptive", dt, ldexp(dt, -20), end);
    for (int k = 3; k <= 15; k += 3) {
        const result r =
            run_scene(make, "moreau-adaptive", dt, ldexp(dt, -k), end);
        printf("%s,moreau-adaptive,%.3g,%.3g,%.0f,%.4f\n", name, ldexp(dt, -k),
               error_of(&r, &exact), r.work, r.seconds);
    }
    for (int k = 2; k <= 10; k += 2) {
        const result r = run_scene(make, "moreau", ldexp(dt, -k), 0, end);
        printf("%s,moreau,%.3g,%.3g,%.0f,%.4f\n", name, ldexp(dt, -k),
               error_of(&r, &exact), r.work, r.seconds);
    }
}

int main(int argc, char **argv) {
    const double end = argc > 1 ? strtod(argv[1], NULL) : 1;
    printf("scene,stepper,least step [s],error [m],substeps,CPU [s]\n");
    compare_work("rock", make_rock_fall, end);
    compare_work("discs", make_discs, end);
    return 0;
}
