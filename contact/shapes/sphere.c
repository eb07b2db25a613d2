/* sphere.c: a point grown by r. */
#include "contact/shapes/sphere.h"

#include <stdlib.h>

#include "contact/narrow/clip.h"
#include "contact/narrow/landing.h"
#include "contact/solid/surface_build.h"
#include "contact/surface/triangles.h"

scree_vec3 scree_point_support(const scree_placed *p, scree_vec3 d,
                               uint32_t *feature) {
    (void)d;
    *feature = scree_feature(SCREE_VERTEX, 0);
    return p->x;
}

double scree_point_radius(const scree_solid *s) {
    return s->radius;
}

void scree_point_land(scree_landing *l) {
    scree_land(l, l->solid->x, 0);
}

static void facing_patch(const scree_placed *p, scree_vec3 d,
                         scree_patch *patch) {
    (void)d;
    patch->n = 0;
    scree_patch_put(patch, p->x, 0, 0);
}

/* ---- mass ---------------------------------------------------------------- */

static double volume_of(double r) {
    return 4.0 / 3.0 * SCREE_PI * r * r * r;
}

static double gyration_squared(double r) {
    return 0.4 * r * r;
}

scree_mass scree_mass_sphere(double radius) {
    const double v = volume_of(radius);
    const double theta = 0.4 * v * radius * radius;
    return (scree_mass){.volume = v, .xx = theta, .yy = theta, .zz = theta};
}

static scree_mass mass_of(const scree_solid *s) {
    return scree_mass_sphere(s->radius);
}

/* ---- surface ------------------------------------------------------------- */

/* Each triangle is cut by itself; as the middle of an edge comes out the same
 * from both sides, equal vertices then become one. */
static void split_triangle(scree_triangles *t, scree_vec3 a, scree_vec3 b,
                           scree_vec3 c, int level) {
    if (level == 0) {
        for (int k = 0; k < 3; k++) {
            t->corner[t->n_triangle][k] = t->n_vertex;
            t->vertex[t->n_vertex++] = k == 0 ? a : k == 1 ? b : c;
        }
        t->n_triangle++;
        return;
    }
    const scree_vec3 ab = scale(1 / norm(add(a, b)), add(a, b));
    const scree_vec3 bc = scale(1 / norm(add(b, c)), add(b, c));
    const scree_vec3 ca = scale(1 / norm(add(c, a)), add(c, a));
    split_triangle(t, a, ab, ca, level - 1);
    split_triangle(t, ab, b, bc, level - 1);
    split_triangle(t, ca, bc, c, level - 1);
    split_triangle(t, ab, bc, ca, level - 1);
}

/* Icosahedron: cyclic permutations of (0, +-1, +-golden). */
static void split_icosahedron(scree_triangles *t, int level) {
    static const int8_t face[20][3] = {
        {0, 1, 8},  {0, 10, 1}, {0, 4, 5},   {0, 8, 4}, {0, 5, 10},
        {1, 7, 6},  {1, 6, 8},  {1, 10, 7},  {2, 9, 3}, {2, 3, 11},
        {2, 5, 4},  {2, 4, 9},  {2, 11, 5},  {3, 6, 7}, {3, 9, 6},
        {3, 7, 11}, {4, 8, 9},  {5, 11, 10}, {6, 9, 8}, {7, 10, 11}};
    const double golden = 0.5 * (1 + sqrt(5)),
                 s = 1 / sqrt(1 + golden * golden);
    scree_vec3 x[12];
    for (int i = 0; i < 4; i++) {
        const double p = s * (i & 1 ? -1 : 1);
        const double q = s * golden * (i & 2 ? -1 : 1);
        x[i] = vec(0, p, q);
        x[i + 4] = vec(p, q, 0);
        x[i + 8] = vec(q, 0, p);
    }
    for (int i = 0; i < 20; i++)
        split_triangle(t, x[face[i][0]], x[face[i][1]], x[face[i][2]], level);
}

static void draw_surface(scree_mesher *m, const scree_solid *s, int level) {
    const size_t n = (size_t)20 << 2 * level;
    scree_triangles t = {.vertex = malloc(3 * n * sizeof *t.vertex),
                         .corner = malloc(n * sizeof *t.corner)};
    m->no_memory = !t.vertex || !t.corner;
    if (!m->no_memory) {
        split_icosahedron(&t, level);
        m->no_memory = scree_triangles_merge(&t, NULL) != SCREE_OK;
    }
    for (int i = 0; i < t.n_vertex && !m->no_memory; i++)
        scree_mesh_vertex(m, scale(s->radius, t.vertex[i]));
    for (int i = 0; i < t.n_triangle && !m->no_memory; i++)
        scree_mesh_polygon(m, 3, t.corner[i]);
    scree_triangles_free(&t);
}

/* ---- the shape ----------------------------------------------------------- */

const scree_solid_ops scree_solid_ball = {
    .support = scree_point_support,
    .bound = scree_point_radius,
    .inside = scree_point_radius,
    .mass = mass_of,
    .surface = draw_surface,
    .land = scree_point_land,
    .facing = facing_patch,
};

static const scree_shape_sizes samples[] = {{.radius = 0.5}};

const scree_shape_ops scree_shape_sphere = {
    .name = "sphere",
    .about = "ball of a radius, free to move and to spin",
    .solid = &scree_solid_ball,
    .volume = volume_of,
    .gyration2 = gyration_squared,
    SCREE_SAMPLES(samples),
};
