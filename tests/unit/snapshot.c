#include "tests/unit/snapshot.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
// clang-format off
#include <cmocka.h>
// clang-format on

scree_world *world_of(const scree_world_def *def) {
    scree_world *world = NULL;
    assert_int_equal(scree_world_create(def, &world), SCREE_OK);
    const scree_material_def material = scree_material_def_default();
    assert_int_equal(scree_world_add_material(world, &material, NULL),
                     SCREE_OK);
    return world;
}

scree_world *world_with_material(void) {
    const scree_world_def def = scree_world_def_default();
    return world_of(&def);
}

void add_plane(scree_world *world, const double point[3],
               const double normal[3], double from) {
    scree_plane_def def = scree_plane_def_default();
    memcpy(def.point, point, sizeof def.point);
    memcpy(def.normal, normal, sizeof def.normal);
    def.from = from;
    assert_int_equal(scree_world_add_plane(world, &def, NULL), SCREE_OK);
}

void add_ball(scree_world *world, double x, double y, double z, double r) {
    scree_sphere_def def = scree_sphere_def_default();
    memcpy(def.position, (double[]){x, y, z}, sizeof def.position);
    def.radius = r;
    assert_int_equal(scree_world_add_sphere(world, &def, NULL), SCREE_OK);
}

snapshot take(const scree_world *world) {
    snapshot s = {.n = scree_world_body_count(world)};
    s.x = malloc((size_t)(3 * s.n + 1) * sizeof *s.x);
    s.r = malloc((size_t)(s.n + 1) * sizeof *s.r);
    assert_true(s.x && s.r);
    scree_world_read_state(world,
                           &(scree_state_view){.position = s.x, .radius = s.r});
    return s;
}

void drop(snapshot *s) {
    free(s->x);
    free(s->r);
}

double distance(const double *a, const double *b) {
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

void assert_no_overlap(const snapshot *s, int64_t first) {
    for (int64_t a = first; a < s->n; a++)
        for (int64_t b = 0; b < a; b++) {
            const double reach = s->r[a] + s->r[b];
            const double d = distance(s->x + 3 * a, s->x + 3 * b);
            if (d < (1 - TOUCH) * reach)
                fail_msg("bodies %d and %d overlap by %g", (int)a, (int)b,
                         reach - d);
        }
}

bool same_bodies(const snapshot *a, const snapshot *b) {
    return a->n == b->n &&
           !memcmp(a->x, b->x, (size_t)a->n * 3 * sizeof *a->x) &&
           !memcmp(a->r, b->r, (size_t)a->n * sizeof *a->r);
}

scree_radius_law constant(double r) {
    return (scree_radius_law){.kind = SCREE_RADIUS_CONSTANT, .value = r};
}

scree_radius_law uniform(double min, double max) {
    return (scree_radius_law){
        .kind = SCREE_RADIUS_UNIFORM, .min = min, .max = max};
}

scree_region slanted_cylinder(void) {
    return (scree_region){.kind = SCREE_REGION_CYLINDER,
                          .base = {0.3, -0.2, 1},
                          .axis = {1, -2, 3},
                          .radius = 0.4,
                          .height = 1.1};
}

double assert_in_slanted_cylinder(const snapshot *s, int64_t k) {
    const scree_region region = slanted_cylinder();
    double d[3], along = 0, across = 0;
    for (int i = 0; i < 3; i++) {
        d[i] = s->x[3 * k + i] - region.base[i];
        along += d[i] * region.axis[i] / sqrt(14);
    }
    for (int i = 0; i < 3; i++)
        across += pow(d[i] - along * region.axis[i] / sqrt(14), 2);
    assert_true(along >= s->r[k] - 1e-12 && along <= 1.1 - s->r[k] + 1e-12);
    assert_true(sqrt(across) <= 0.4 - s->r[k] + 1e-12);
    return along;
}
