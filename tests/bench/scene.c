/* scene.c: the spheres before they fall, and a world from a bed. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <time.h>

#include "tests/bench/bench.h"

static const double PI = 3.14159265358979323846;

void bench_die(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s: ", program_invocation_short_name);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

double bench_clock(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- the spheres --------------------------------------------------------- */

/* splitmix64, to a number in [0, 1). */
static double uniform(uint64_t *state) {
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    return (double)(z >> 11) * 0x1p-53;
}

/* A cube of the bed's volume at a solid fraction of 0.6, to the centimetre. */
static double side_of(int64_t n) {
    const double mean_cube = 1.3e-4; /* of a radius in [0.04, 0.06] */
    const double volume = (double)n * (4.0 / 3.0 * PI * mean_cube) / 0.6;
    return round(100.0 * cbrt(volume)) / 100.0;
}

bench_bed bench_scene(int64_t n) {
    const double height = 0.13, jitter = 0.005;
    bench_bed bed = {.n = n, .side = side_of(n)};
    bed.bodies = calloc((size_t)n, sizeof *bed.bodies);
    if (!bed.bodies) bench_die("out of memory for %lld spheres", (long long)n);
    const int64_t row = (int64_t)(bed.side / height);
    const double pitch = bed.side / (double)row, corner = -bed.side / 2;
    uint64_t state = 12345;
    for (int64_t i = 0; i < n; ++i) {
        bench_body *body = &bed.bodies[i];
        const double ix = (double)(i % row), iy = (double)(i / row % row);
        const double iz = (double)(i / (row * row));
        body->r = 0.04 + 0.02 * uniform(&state);
        body->x[0] = corner + (ix + 0.5) * pitch;
        body->x[1] = corner + (iy + 0.5) * pitch;
        body->x[2] = height * (iz + 0.5);
        for (int k = 0; k < 3; ++k)
            body->x[k] += (2 * uniform(&state) - 1) * jitter;
    }
    return bed;
}

/* Close-packed rows of the largest spheres: d apart, the next row and the next
 * layer in the gaps of the last. */
void bench_stack(bench_bed *bed) {
    const double d = 0.121, row = d * sqrt(0.75), layer = d * sqrt(2.0 / 3.0);
    const double room = bed->side - d; /* for centres */
    const int64_t across = (int64_t)((room - d / 2) / d) + 1;
    const int64_t rows = (int64_t)((room - row / 3) / row) + 1;
    for (int64_t i = 0; i < bed->n; ++i) {
        const int64_t ix = i % across, iy = i / across % rows;
        const int64_t iz = i / (across * rows), odd = iz % 2;
        const double shift = (iy + odd) % 2 ? d / 2 : 0;
        double *x = bed->bodies[i].x;
        x[0] = -room / 2 + (double)ix * d + shift;
        x[1] = -room / 2 + (double)iy * row + (odd ? row / 3 : 0);
        x[2] = d / 2 + (double)iz * layer;
    }
}

void bench_bed_free(bench_bed *bed) {
    free(bed->bodies);
    *bed = (bench_bed){0};
}

/* ---- the world ----------------------------------------------------------- */

static void check(const scree_world *world, scree_status status) {
    if (status != SCREE_OK)
        bench_die("%s: %s", scree_status_text(status),
                  scree_world_error(world));
}

static int add_material(scree_world *world) {
    scree_material_def def = scree_material_def_default();
    def.density = 2500;
    def.law = (scree_contact_law){.friction = 0.5};
    int material;
    check(world, scree_world_add_material(world, &def, &material));
    return material;
}

static void add_plane(scree_world *world, int material, int axis, double sign,
                      double at) {
    scree_plane_def def = scree_plane_def_default();
    for (int k = 0; k < 3; ++k) {
        def.normal[k] = k == axis ? sign : 0;
        def.point[k] = k == axis ? at : 0;
    }
    def.material = material;
    check(world, scree_world_add_plane(world, &def, NULL));
}

static void add_box(scree_world *world, int material, double side) {
    add_plane(world, material, 2, 1, 0);
    for (int axis = 0; axis < 2; ++axis) {
        add_plane(world, material, axis, 1, -side / 2);
        add_plane(world, material, axis, -1, side / 2);
    }
}

static void add_body(scree_world *world, int material, const bench_body *body) {
    scree_sphere_def def = scree_sphere_def_default();
    def.radius = body->r;
    def.material = material;
    for (int k = 0; k < 3; ++k) {
        def.position[k] = body->x[k];
        def.velocity[k] = body->v[k];
        def.angular_velocity[k] = body->w[k];
    }
    check(world, scree_world_add_sphere(world, &def, NULL));
}

scree_world_def bench_world_def(const bench_bed *bed, double dt, int iterations,
                                int threads) {
    scree_world_def def = scree_world_def_default();
    def.dt = dt;
    def.threads = threads;
    def.capacity = bed->n;
    def.solver.method = "pgs";
    def.solver.iterations = iterations;
    def.solver.tolerance = 0; /* every step does all its sweeps */
    def.solver.warm_start = true;
    return def;
}

scree_world *bench_box(const bench_bed *bed, const scree_world_def *def) {
    scree_world *world;
    const scree_status status = scree_world_create(def, &world);
    if (status != SCREE_OK) bench_die("%s", scree_status_text(status));
    add_box(world, add_material(world), bed->side);
    return world;
}

void bench_fill(scree_world *world, const bench_bed *bed) {
    for (int64_t i = 0; i < bed->n; ++i) add_body(world, 0, &bed->bodies[i]);
}

scree_world *bench_world(const bench_bed *bed, const scree_world_def *def) {
    scree_world *world = bench_box(bed, def);
    bench_fill(world, bed);
    return world;
}

void bench_step(scree_world *world) {
    check(world, scree_world_step(world));
}
