/* polygon.c: a convex outline in the plane z = 0, grown by r. */
#include "contact/narrow/landing.h"
#include "contact/shapes/polyhedron.h"
#include "contact/solid/surface_build.h"

static void land_on(scree_landing *l) {
    l->most = 2;
    scree_land_vertices(l);
}

static scree_mass mass_of(const scree_solid *s) {
    return scree_mass_polygon(s->hull, s->radius);
}

/* The outline, as one polygon. */
static void draw_surface(scree_mesher *m, const scree_solid *s, int level) {
    const scree_hull *h = s->hull;
    const int n = h->n_vertex, chords = 1 << level;
    for (int v = 0; v < n; v++)
        for (int k = 0; k <= (s->radius > 0 ? chords : 0); k++) {
            const scree_vec3 u = scree_mesh_arc(h->normal[(v + n - 1) % n],
                                                h->normal[v], k, chords);
            const scree_vec3 x = add_scaled(h->vertex[v], s->radius, u);
            scree_mesh_corner(m, scree_mesh_vertex(m, x));
        }
    scree_mesh_close(m);
}

const scree_solid_ops scree_solid_polygon = {
    .support = scree_hull_point,
    .bound = scree_hull_bound,
    .inside = scree_hull_inside,
    .mass = mass_of,
    .surface = draw_surface,
    .land = land_on,
};

static scree_status make_polygon(scree_form *f, const scree_shape_sizes *s,
                                 scree_error *error) {
    return scree_form_from_points(f, SCREE_CORE_POLYGON, scree_hull_polygon, s,
                                  error);
}

static const double outline[] = {-0.5, -0.4, 0,   0.6, -0.3, 0,   0.5, 0.4,
                                 0,    0,    0.6, 0,   -0.6, 0.2, 0};
static const scree_shape_sizes samples[] = {
    {.points = outline, .n_point = 5},
    {.points = outline, .n_point = 5, .rounding = 0.1},
};

const scree_shape_ops scree_shape_polygon = {
    .name = "polygon",
    .about = "plane worlds: convex hull of points",
    .solid = &scree_solid_polygon,
    .planar = true,
    .make = make_polygon,
    SCREE_SAMPLES(samples),
};
