/* case_check_bodies.c: defaults of bodies, and whether they fit. */
#include "io/case/case_check.h"
#include "io/case/case_reader.h"

#include <math.h>
#include <string.h>

/* A pour has no bound on its count; its stop follows from the run's end. */
void scree_prepare_body(void *entry) {
    scree_body_entry *body = entry;
    body->sphere = scree_sphere_def_default();
    body->pour.count = INT64_MAX;
    body->pour.stop = INFINITY;
    body->single.orientation[0] = 1;
    body->pyramid.spacing = 1.1;
    body->release.it.count = 1;
    body->grain.shapes.name = -1;
    body->grain.turn = SCREE_TURN_NONE;
}

/* ---- places -------------------------------------------------------------- */

scree_status scree_check_region_box(scree_reader *r, const scree_node *map,
                                    void *entry) {
    scree_region *region = entry;
    region->planar = r->draft.c.world.planar;
    return scree_reader_check_box(r, map, region->min, region->max);
}

scree_status scree_check_pour(scree_reader *r, const scree_node *map,
                              void *entry) {
    scree_pour *pour = entry;
    if (!isfinite(pour->stop)) pour->stop = r->draft.c.end;
    if (pour->start < pour->stop) return SCREE_OK;
    scree_reader_out_of_range(r, map, "start");
    scree_hint(r->error, "allowed: number >= 0 and < stop = %.12g [s]",
               pour->stop);
    return SCREE_BAD_INPUT;
}

static scree_status check_sphere(scree_reader *r, const scree_node *map,
                                 const scree_body_entry *body) {
    if (body->grain.radius.kind == SCREE_RADIUS_CONSTANT) return SCREE_OK;
    scree_reader_refuse(r, map, "radius",
                        "a single sphere has a single radius");
    scree_hint(r->error, "allowed: number > 0 [m], or the key constant");
    return SCREE_BAD_INPUT;
}

static scree_status check_total(scree_reader *r, const scree_node *map,
                                const int64_t n[3]) {
    const double most = 1e9, total = (double)n[0] * (double)n[1] * (double)n[2];
    if (total <= most) return SCREE_OK;
    scree_reader_refuse(r, map, "counts", "%g bodies are too many", total);
    scree_hint(r->error, "allowed: a product <= %g", most);
    return SCREE_BAD_INPUT;
}

/* Neighbours must not touch wherever the jitter puts them. The bound has a
 * little play for the rounding of sums such as 2 * 0.1 + 2 * 0.01. */
static scree_status check_lattice(scree_reader *r, const scree_node *map,
                                  const scree_body_entry *body) {
    const scree_lattice *lattice = &body->lattice;
    const double least =
        2 * scree_grain_largest(&body->grain) + 2 * lattice->jitter;
    const bool spheres = body->grain.shapes.n == 0;
    const scree_node *inner = scree_node_value(map, "lattice");
    scree_reader_enter(r, "lattice");
    TRY(check_total(r, inner, lattice->counts));
    for (int i = 0; i < 3; i++) {
        const double spacing = lattice->spacing[i];
        if (lattice->counts[i] == 1 || spacing >= least * (1 - 1e-12)) continue;
        scree_reader_refuse(
            r, inner, "spacing", "%g is too small in %c: the %s would overlap",
            spacing, "xyz"[i], spheres ? "spheres" : "balls around the bodies");
        scree_hint(r->error,
                   "allowed: number >= 2 * largest radius + 2 * jitter = "
                   "%.12g [m]",
                   least);
        return SCREE_BAD_INPUT;
    }
    return SCREE_OK;
}

/* The largest sphere that a region can hold. */
static double inner_radius(const scree_region *region) {
    if (region->kind == SCREE_REGION_CYLINDER)
        return fmin(region->radius, region->height / 2);
    double least = INFINITY;
    for (int i = 0; i < (region->planar ? 2 : 3); i++)
        least = fmin(least, (region->max[i] - region->min[i]) / 2);
    return least;
}

static scree_status check_region(scree_reader *r, const scree_node *map,
                                 const char *generator,
                                 const scree_region *region,
                                 const scree_grain *grain) {
    const double largest = scree_grain_largest(grain);
    if (r->draft.c.world.planar && region->kind == SCREE_REGION_CYLINDER) {
        scree_reader_enter(r, generator);
        scree_reader_refuse(r, scree_node_value(map, generator), "cylinder",
                            "not a region of a plane world");
        scree_hint(r->error, "allowed with planar: box");
        return SCREE_BAD_INPUT;
    }
    if (inner_radius(region) >= largest * (1 - 1e-12)) return SCREE_OK;
    const bool box = region->kind == SCREE_REGION_BOX;
    scree_reader_enter(r, generator);
    scree_reader_refuse(
        r, scree_node_value(map, generator), box ? "box" : "cylinder",
        "too small for the largest %s, of radius %g",
        grain->shapes.n == 0 ? "sphere" : "ball around a body", largest);
    scree_hint(r->error, "allowed: %s >= %.12g [m]",
               !box             ? "height and 2 * radius"
               : region->planar ? "max - min in x, y"
                                : "max - min in x, y, z",
               2 * largest);
    return SCREE_BAD_INPUT;
}

/* ---- shapes of bodies ---------------------------------------------------- */

static const char *kind_key(const scree_body_entry *body) {
    static const char *const keys[] = {
        [SCREE_CASE_SPHERE] = "sphere",  [SCREE_CASE_LATTICE] = "lattice",
        [SCREE_CASE_FILL] = "fill",      [SCREE_CASE_POUR] = "pour",
        [SCREE_CASE_SINGLE] = "body",    [SCREE_CASE_PYRAMID] = "pyramid",
        [SCREE_CASE_RELEASE] = "release"};
    return keys[body->kind];
}

/* Spheres have a radius, single bodies and pyramids a shape, others either. */
static scree_status check_round_or_not(scree_reader *r, const scree_node *map,
                                       const scree_body_entry *body) {
    const bool shape = body->grain.shapes.name >= 0;
    const bool sphere = body->kind == SCREE_CASE_SPHERE;
    const bool needs_shape =
        body->kind == SCREE_CASE_SINGLE || body->kind == SCREE_CASE_PYRAMID;
    if (!(sphere && shape) && !(needs_shape && !shape)) return SCREE_OK;
    scree_reader_refuse(r, map, shape ? "shape" : "radius",
                        "cannot be with '%s'", kind_key(body));
    scree_hint(r->error, sphere ? "remedy: give a radius, or write 'body' for "
                                  "'sphere'"
                                : "remedy: give a shape");
    return SCREE_BAD_INPUT;
}

/* Lattices are aligned, what is thrown in lies at random. */
static scree_status resolve_turn(scree_reader *r, const scree_node *map,
                                 scree_body_entry *body) {
    const bool many =
        body->kind == SCREE_CASE_LATTICE || body->kind == SCREE_CASE_FILL ||
        body->kind == SCREE_CASE_POUR || body->kind == SCREE_CASE_RELEASE;
    const bool shape = body->grain.shapes.name >= 0;
    if (scree_node_value(map, "orientation") && !(many && shape)) {
        scree_reader_refuse(r, map, "orientation", "cannot be with '%s'",
                            many ? "radius" : kind_key(body));
        scree_hint(r->error,
                   "allowed for lattice, fill, pour and release with a "
                   "shape");
        return SCREE_BAD_INPUT;
    }
    if (shape && many && body->grain.turn == SCREE_TURN_NONE)
        body->grain.turn = body->kind == SCREE_CASE_LATTICE ? SCREE_TURN_ALIGNED
                                                            : SCREE_TURN_RANDOM;
    return SCREE_OK;
}

static scree_status resolve_shape(scree_reader *r, const scree_node *map,
                                  scree_body_entry *body) {
    TRY(check_round_or_not(r, map, body));
    TRY(resolve_turn(r, map, body));
    const int name = body->grain.shapes.name;
    if (name >= 0) body->grain.shapes = r->draft.c.shapes[name].set;
    return SCREE_OK;
}

/* A pyramid is made of what stands flat and bears flat: boxes, and squares in
 * the plane. */
static scree_status check_pyramid(scree_reader *r, const scree_node *map,
                                  scree_body_entry *body) {
    const scree_case_shape *shape = &r->draft.c.shapes[body->grain.shapes.name];
    const double grown = 2 * shape->given.rounding;
    scree_pyramid *pyramid = &body->pyramid;
    pyramid->planar = r->draft.c.world.planar;
    for (int i = 0; i < 3; i++)
        pyramid->size[i] =
            grown + (shape->sides == 4 ? sqrt(2) * shape->given.radius
                                       : shape->given.size[i]);
    if (shape->kind == SCREE_SHAPE_BOX || shape->sides == 4) return SCREE_OK;
    scree_reader_refuse(r, map, "shape", "a pyramid of '%s' would not stand",
                        scree_quote(shape->name).text);
    scree_hint(r->error,
               "allowed: a box; with planar: a polygon with sides: 4");
    return SCREE_BAD_INPUT;
}

static scree_status check_place(scree_reader *r, const scree_node *map,
                                scree_body_entry *body) {
    switch (body->kind) {
    case SCREE_CASE_LATTICE:
        return check_lattice(r, map, body);
    case SCREE_CASE_FILL:
        return check_region(r, map, "fill", &body->fill.region, &body->grain);
    case SCREE_CASE_POUR:
        return check_region(r, map, "pour", &body->pour.region, &body->grain);
    case SCREE_CASE_PYRAMID:
        return check_pyramid(r, map, body);
    case SCREE_CASE_SINGLE:
    case SCREE_CASE_RELEASE:
        return SCREE_OK;
    case SCREE_CASE_SPHERE:
        break;
    }
    return check_sphere(r, map, body);
}

scree_status scree_check_body(scree_reader *r, const scree_node *map,
                              void *entry) {
    scree_body_entry *body = entry;
    body->line = map->origin.line;
    const size_t mark = strlen(r->key);
    TRY(resolve_shape(r, map, body));
    TRY(check_place(r, map, body));
    scree_reader_leave(r, mark);
    return SCREE_OK;
}
