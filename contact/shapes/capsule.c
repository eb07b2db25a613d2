/* capsule.c: a segment along z grown by r. */
#include "contact/narrow/clip.h"
#include "contact/narrow/landing.h"
#include "contact/solid/shape.h"
#include "contact/solid/surface_build.h"

static scree_vec3 support_of(const scree_placed *p, scree_vec3 d,
                             uint32_t *feature) {
    const int end = mat3_mul_back(&p->R, d).z > 0;
    *feature = scree_feature(SCREE_VERTEX, end);
    return scree_segment_end(p, end);
}

static double bound_of(const scree_solid *s) {
    return s->half + s->radius;
}

static double inside_of(const scree_solid *s) {
    return s->radius;
}

static void land_on(scree_landing *l) {
    for (int end = 0; end < 2; ++end)
        scree_land(l, scree_segment_end(l->solid, end), end);
}

static void facing_patch(const scree_placed *p, scree_vec3 d,
                         scree_patch *patch) {
    (void)d;
    scree_axial_line(p, vec(0, 0, 0), patch);
}

static bool edge_patch(const scree_placed *p, scree_vec3 d,
                       scree_patch *patch) {
    if (fabs(dot(p->R.z, d)) > SCREE_LEVEL) return false;
    scree_axial_line(p, vec(0, 0, 0), patch);
    return true;
}

/* A cylinder whose core is thin. */
scree_mass scree_mass_capsule(double radius, double half) {
    return scree_mass_cylinder(0, half, radius);
}

static scree_mass mass_of(const scree_solid *s) {
    return scree_mass_capsule(s->radius, s->half);
}

static void draw_surface(scree_mesher *m, const scree_solid *s, int level) {
    scree_mesh_revolved(m, 0, s->half, s->radius, 2 << level);
}

const scree_solid_ops scree_solid_capsule = {
    .support = support_of,
    .bound = bound_of,
    .inside = inside_of,
    .mass = mass_of,
    .surface = draw_surface,
    .land = land_on,
    .edge = edge_patch,
    .facing = facing_patch,
};

static scree_status make_capsule(scree_form *f, const scree_shape_sizes *s,
                                 scree_error *error) {
    const scree_solid solid = {.core = SCREE_CORE_SEGMENT, .radius = s->radius};
    return scree_form_along_axis(f, solid, s, error);
}

static const scree_shape_sizes samples[] = {{.radius = 0.3, .length = 0.8}};

const scree_shape_ops scree_shape_capsule = {
    .name = "capsule",
    .about = "all points within a radius of a segment",
    .solid = &scree_solid_capsule,
    .make = make_capsule,
    SCREE_SAMPLES(samples),
};
