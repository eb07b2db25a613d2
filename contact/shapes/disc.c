#include "contact/shapes/disc.h"

#include "contact/shapes/sphere.h"
#include "contact/solid/surface_build.h"

static double volume_of(double r) {
    return SCREE_PI * r * r;
}

static double gyration_squared(double r) {
    return 0.5 * r * r;
}

/* Of the lamina, as contact/solid/mass.h has it. */
static scree_mass mass_of(const scree_solid *s) {
    const double v = volume_of(s->radius);
    const double theta = gyration_squared(s->radius) * v;
    return (scree_mass){
        .volume = v, .xx = theta / 2, .yy = theta / 2, .zz = theta};
}

/* As many chords at any level: 32. */
static void draw_surface(scree_mesher *m, const scree_solid *s, int level) {
    (void)level;
    for (int i = 0; i < 32; i++) {
        const double phi = 2 * SCREE_PI * i / 32;
        const scree_vec3 x =
            vec(s->radius * scree_cos(phi), s->radius * scree_sin(phi), 0);
        scree_mesh_corner(m, scree_mesh_vertex(m, x));
    }
    scree_mesh_close(m);
}

const scree_solid_ops scree_solid_disc = {
    .support = scree_point_support,
    .bound = scree_point_radius,
    .inside = scree_point_radius,
    .mass = mass_of,
    .surface = draw_surface,
    .land = scree_point_land,
};

static const scree_shape_sizes samples[] = {{.radius = 0.5}};

const scree_shape_ops scree_shape_disc = {
    .name = "disc",
    .about = "plane worlds: disc of a radius and unit thickness",
    .solid = &scree_solid_disc,
    .volume = volume_of,
    .gyration2 = gyration_squared,
    .planar = true,
    SCREE_SAMPLES(samples),
};
