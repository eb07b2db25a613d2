#include "tests/support.h"

#include <stdio.h>
#include <stdlib.h>

#include "engine/base/random.h"

void scree_assert_near(double value, double expected, double tolerance,
                       const char *what, const char *file, int line) {
    if (fabs(value - expected) <= tolerance) return;
    char text[300];
    snprintf(text, sizeof text, "%s = %.15g, expected %.15g +- %g", what, value,
             expected, tolerance);
    print_error("%s\n", text);
    _fail(file, line);
}

scree_world *make_world(const scree_world_def *def, scree_contact_law law) {
    scree_world *world;
    assert_ok(scree_world_create(def, &world));
    scree_material_def material = scree_material_def_default();
    material.law = law;
    assert_ok(scree_world_add_material(world, &material, NULL));
    return world;
}

int add_plane(scree_world *world, scree_vec3 point, scree_vec3 normal) {
    scree_plane_def def = scree_plane_def_default();
    int wall;
    vec_to(point, def.point);
    vec_to(normal, def.normal);
    assert_ok(scree_world_add_plane(world, &def, &wall));
    return wall;
}

void add_floor(scree_world *world) {
    add_plane(world, vec(0, 0, 0), vec(0, 0, 1));
}

void add_box(scree_world *world, double half) {
    add_floor(world);
    add_plane(world, vec(-half, 0, 0), vec(1, 0, 0));
    add_plane(world, vec(half, 0, 0), vec(-1, 0, 0));
    add_plane(world, vec(0, -half, 0), vec(0, 1, 0));
    add_plane(world, vec(0, half, 0), vec(0, -1, 0));
}

int64_t add_sphere(scree_world *world, double radius, scree_vec3 x,
                   scree_vec3 v, scree_vec3 w) {
    scree_sphere_def def = scree_sphere_def_default();
    int64_t id;
    def.radius = radius;
    vec_to(x, def.position);
    vec_to(v, def.velocity);
    vec_to(w, def.angular_velocity);
    assert_ok(scree_world_add_sphere(world, &def, &id));
    return id;
}

void run(scree_world *world, int steps) {
    for (int k = 0; k < steps; ++k) {
        const scree_status status = scree_world_step(world);
        if (status != SCREE_OK) print_error("%s\n", scree_world_error(world));
        assert_ok(status);
    }
}

body read_body(const scree_world *world, int64_t id) {
    const size_t n = (size_t)scree_world_body_count(world);
    double *x = malloc(15 * n * sizeof *x);
    assert_non_null(x);
    const scree_state_view view = {.position = x,
                                   .orientation = x + 3 * n,
                                   .velocity = x + 7 * n,
                                   .angular_velocity = x + 10 * n,
                                   .radius = x + 13 * n,
                                   .mass = x + 14 * n};
    scree_world_read_state(world, &view);
    const double *q = &view.orientation[4 * id];
    const body b = {.x = vec_from(&view.position[3 * id]),
                    .v = vec_from(&view.velocity[3 * id]),
                    .w = vec_from(&view.angular_velocity[3 * id]),
                    .q = {q[0], q[1], q[2], q[3]},
                    .r = view.radius[id],
                    .m = view.mass[id]};
    free(x);
    return b;
}

scree_scalars read_scalars(const scree_world *world) {
    scree_scalars s;
    scree_world_read_scalars(world, &s);
    return s;
}

double energy_defect(const scree_world *world) {
    return read_scalars(world).scheme_error;
}

void add_cloud(scree_world *world, int n, double half, double r_lo, double r_hi,
               uint64_t seed) {
    scree_random rng = scree_random_stream(seed, 0);
    const double cell = 2.2 * r_hi;
    const int row = (int)(2 * half / cell);
    for (int i = 0; i < n; ++i) {
        const double jitter = 0.1 * r_hi;
        const double r = scree_random_range(&rng, r_lo, r_hi);
        const scree_vec3 at = {-half + (i % row + 0.5) * 2 * half / row +
                                   scree_random_range(&rng, -jitter, jitter),
                               -half + (i / row % row + 0.5) * 2 * half / row +
                                   scree_random_range(&rng, -jitter, jitter),
                               cell * (i / (row * row) + 0.5) +
                                   scree_random_range(&rng, -jitter, jitter)};
        add_sphere(world, r, at, vec(0, 0, 0), vec(0, 0, 0));
    }
}
