/* terrain.c: microseconds per query of a ball and a 12-vertex polyhedron at rest
 * on rough ground, as a height field and as a mesh of as many triangles. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tests/unit/surface/surface.h"

enum { SIDE = 225, QUERIES = 20000 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct ground {
    scree_heightfield field;
    scree_mesh mesh;
} ground;

static int touch(const ground *g, bool mesh, const scree_placed *a,
                 scree_touch *t) {
    return mesh ? scree_mesh_touch(&g->mesh, a, 0.005, t)
                : scree_heightfield_touch(&g->field, a, 0.005, t);
}

/* Lowers the body until it touches. */
static void settle(const ground *g, scree_placed *a) {
    scree_touch t[SCREE_TOUCHES];
    double lo = -1, hi = 3;
    while (hi - lo > 1e-4) {
        a->x.z = (lo + hi) / 2;
        const int n = scree_heightfield_touch(&g->field, a, 0, t);
        *(n ? &lo : &hi) = a->x.z;
    }
}

static void measure(const ground *g, const scree_solid *s, const char *what) {
    scree_random rng = {7};
    const double size = g->field.cell * (SIDE - 1) / 2 - 2 * s->bound;
    scree_placed *at = malloc(QUERIES * sizeof *at);
    for (int k = 0; k < QUERIES; ++k) {
        at[k] = (scree_placed){s,
                               vec(scree_random_range(&rng, -size, size),
                                   scree_random_range(&rng, -size, size), 0),
                               random_rotation(&rng)};
        settle(g, &at[k]);
    }
    for (int mesh = 0; mesh < 2; ++mesh) {
        scree_touch t[SCREE_TOUCHES];
        int64_t touches = 0;
        const double start = now();
        for (int k = 0; k < QUERIES; ++k) touches += touch(g, mesh, &at[k], t);
        printf("%-28s %-12s %7.2f us, %.2f touches\n", what,
               mesh ? "mesh" : "height field", 1e6 * (now() - start) / QUERIES,
               (double)touches / QUERIES);
    }
    free(at);
}

static void measure_sweep(const ground *g, double r) {
    scree_random rng = {8};
    for (int mesh = 0; mesh < 2; ++mesh) {
        int hits = 0;
        const double start = now();
        for (int k = 0; k < QUERIES; ++k) {
            const scree_ball ball = {vec(scree_random_range(&rng, -10, 10),
                                         scree_random_range(&rng, -10, 10), 1),
                                     r};
            scree_hit hit;
            const scree_vec3 d = vec(0.5, 0.3, -1.5);
            hits += mesh ? scree_mesh_sweep(&g->mesh, ball, d, &hit)
                         : scree_heightfield_sweep(&g->field, ball, d, &hit);
        }
        printf("sweep of a ball, r = %-7g %-12s %7.2f us, %d of %d hit\n", r,
               mesh ? "mesh" : "height field", 1e6 * (now() - start) / QUERIES,
               hits, QUERIES);
    }
}

int main(void) {
    scree_random rng = {1};
    ground g = {.field = random_field(SIDE, -11.2, 0.1, 0.03, &rng)};
    const double start = now();
    g.mesh = mesh_of_field(&g.field);
    printf("%d triangles, mesh made in %.0f ms; cells of 0.1\n",
           g.mesh.n_triangle, 1e3 * (now() - start));
    form f;
    const double sizes[] = {0.04, 0.1, 0.3};
    for (int i = 0; i < 3; ++i) {
        char what[64];
        const scree_solid ball = ball_solid(sizes[i]);
        form_random(&f, 12, sizes[i], &rng);
        const scree_solid hull = hull_solid(&f, 0);
        snprintf(what, sizeof what, "ball, r = %g", sizes[i]);
        measure(&g, &ball, what);
        snprintf(what, sizeof what, "12 vertices, r = %g", sizes[i]);
        measure(&g, &hull, what);
    }
    measure_sweep(&g, 0.04);
    scree_mesh_free(&g.mesh);
    scree_heightfield_free(&g.field);
    return 0;
}
