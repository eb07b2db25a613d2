/* case_shapes.c: from the keys of a shape to what the engine is told.
 *
 * Each shape is made once and weighed while the file is read: what the engine
 * refuses is then a message with a line, and the bodies that follow know the ball
 * around their shape. */
#include "io/case/case_check.h"
#include "io/case/case_reader.h"
#include "io/file/mesh_file.h"

#include <math.h>
#include <string.h>

#include "contact/solid/mass.h"
#include "engine/world/make.h"

enum { MOST_SHAPES = 20000 }; /* io/case/README.md, `Limits` */

void scree_prepare_shape(void *entry) {
    scree_case_shape *shape = entry;
    shape->given = scree_shape_def_default();
    shape->given.radius = 0; /* given only where its row is */
    shape->rock = scree_rock_default();
    shape->variants = 1;
}

/* ---- keys that go together ----------------------------------------------- */

scree_status scree_check_polyhedron(scree_reader *r, const scree_node *map,
                                    void *entry) {
    scree_case_shape *shape = entry;
    if (shape->file && shape->scale == 0) shape->scale = 1;
    if (shape->file || !scree_node_value(map, "scale")) return SCREE_OK;
    scree_reader_refuse(r, map, "scale", "has a meaning only with 'file'");
    scree_hint(r->error, "remedy: write the points in metres");
    return SCREE_BAD_INPUT;
}

/* How far the outline bends at corner i, counter-clockwise [rad]. Points that
 * fall together are one. */
static double bend_at(const double *points, int n, int i) {
    const double *p = points + 3 * i;
    scree_vec3 in = {0, 0, 0};
    for (int k = 1; k < n && dot(in, in) == 0; k++)
        in = sub(vec_from(p), vec_from(points + 3 * ((i + n - k) % n)));
    const scree_vec3 next = vec_from(points + 3 * ((i + 1) % n));
    const scree_vec3 out = sub(next, vec_from(p));
    if (dot(out, out) == 0) return 0; /* the next one bends for both */
    return scree_atan2(in.x * out.y - in.y * out.x, dot(in, out));
}

/* The outline goes round once, either way, and bends to one side only; by less
 * than 1e-9 it is straight. */
static scree_status check_outline(scree_reader *r, const scree_node *map,
                                  const scree_case_shape *shape) {
    const int n = shape->given.n_point;
    const double *points = shape->given.points;
    double sum = 0;
    for (int i = 0; i < n; i++) sum += bend_at(points, n, i);
    int worst = -1;
    for (int i = 0; i < n && worst < 0; i++)
        if (bend_at(points, n, i) * (sum < 0 ? -1 : 1) < -1e-9) worst = i;
    if (worst < 0 && fabs(fabs(sum) - 2 * SCREE_PI) < 1e-6) return SCREE_OK;
    if (n < 3 || !isfinite(sum)) return SCREE_OK; /* refused where it is made */
    if (worst < 0)
        scree_reader_refuse(r, map, "points",
                            "the outline does not go round once");
    else
        scree_reader_refuse(r, map, "points",
                            "the outline is not convex: it bends inward at "
                            "points[%d] = [%g, %g]",
                            worst, points[3 * worst], points[3 * worst + 1]);
    scree_hint(r->error,
               "remedy: list the corners of a convex outline in turn, "
               "or split it into convex polygons");
    return SCREE_BAD_INPUT;
}

scree_status scree_check_polygon(scree_reader *r, const scree_node *map,
                                 void *entry) {
    const scree_case_shape *shape = entry;
    if (shape->given.points) TRY(check_outline(r, map, shape));
    const bool radius = scree_node_value(map, "radius") != NULL;
    if (radius == (shape->sides > 0)) return SCREE_OK;
    if (radius)
        return scree_reader_refuse(r, map, "radius",
                                   "has a meaning only with 'sides'");
    scree_reader_refuse(r, map, "radius", "missing key 'radius'");
    scree_hint(r->error, "allowed: number > 0 [m], from the middle to the "
                         "corners");
    return SCREE_BAD_INPUT;
}

static scree_status check_name(scree_reader *r, const scree_node *map,
                               const scree_case_shape *shape) {
    return scree_reader_add_name(r, map, &r->shapes, "shapes",
                                 r->draft.c.n_shape, shape->name);
}

static scree_status check_rounding(scree_reader *r, const scree_node *map,
                                   const scree_case_shape *shape) {
    const bool round =
        shape->kind == SCREE_SHAPE_CAPSULE || shape->kind == SCREE_SHAPE_CLUMP;
    if (!round || shape->given.rounding == 0) return SCREE_OK;
    scree_reader_refuse(r, map, "rounding", "a %s is round already",
                        shape->kind == SCREE_SHAPE_CLUMP ? "clump" : "capsule");
    scree_hint(r->error,
               "allowed with box, cylinder, polyhedron, polygon, rock");
    return SCREE_BAD_INPUT;
}

/* Small files may ask for much: clumps share what one may have. */
static scree_status check_clump(scree_reader *r, const scree_node *map,
                                const scree_case_shape *shape) {
    const int n = shape->given.n_ball;
    if (shape->kind != SCREE_SHAPE_CLUMP) return SCREE_OK;
    scree_ball *balls = scree_pool_take(r->pool, (size_t)n, sizeof *balls);
    if (!balls) return scree_reader_no_memory(r);
    for (int i = 0; i < n; i++) {
        const double *b = &shape->given.balls[4 * i];
        balls[i] = (scree_ball){vec_from(b), b[3]};
    }
    r->overlaps += scree_mass_clump_overlaps(balls, n);
    if (r->overlaps <= SCREE_MOST_OVERLAPS) return SCREE_OK;
    scree_reader_refuse(r, map, "clump", "too many balls overlap each other");
    scree_hint(r->error, "allowed: %d pairs that overlap, in all clumps",
               SCREE_MOST_OVERLAPS);
    return SCREE_BAD_INPUT;
}

/* ---- points -------------------------------------------------------------- */

static scree_status take_points(scree_reader *r, const scree_vec3 *from, int n,
                                double scale_by, scree_shape_def *def) {
    double *points = scree_pool_take(r->pool, 3 * (size_t)n, sizeof *points);
    if (!points) return scree_reader_no_memory(r);
    for (int i = 0; i < n; i++)
        vec_to(scale(scale_by, from[i]), points + 3 * i);
    def->points = points;
    def->n_point = n;
    return SCREE_OK;
}

/* A regular polygon stands on an edge. */
static scree_status regular_polygon(scree_reader *r,
                                    const scree_case_shape *shape) {
    const int n = shape->sides;
    scree_vec3 corner[1000];
    for (int i = 0; i < n; i++) {
        const double angle = (2 * i + 1) * SCREE_PI / n - SCREE_PI / 2;
        corner[i] = vec(scree_cos(angle), scree_sin(angle), 0);
    }
    return take_points(r, corner, n, shape->given.radius, shape->defs);
}

scree_status scree_reader_bad_file(scree_reader *r, const scree_node *map,
                                   const char *key, const scree_error *why) {
    if (why->status == SCREE_OUT_OF_MEMORY) return scree_reader_no_memory(r);
    scree_reader_refuse(r, map, key, "the file cannot be used");
    scree_hint(r->error, "%.600s", why->text);
    return SCREE_BAD_INPUT;
}

static scree_status read_hull(scree_reader *r, const scree_case_shape *shape,
                              scree_error *why) {
    scree_triangles triangles;
    scree_hull hull;
    TRY(scree_mesh_read(shape->file, true, &triangles, why));
    scree_status status =
        scree_triangles_to_hull(&triangles, shape->file, &hull, why);
    scree_triangles_free(&triangles);
    if (status != SCREE_OK) return status;
    status =
        take_points(r, hull.vertex, hull.n_vertex, shape->scale, shape->defs);
    scree_hull_free(&hull);
    if (status != SCREE_OK) *why = *r->error;
    return status;
}

static scree_status polyhedron_from_file(scree_reader *r, const scree_node *map,
                                         const scree_case_shape *shape) {
    scree_error why = {0};
    if (read_hull(r, shape, &why) == SCREE_OK) return SCREE_OK;
    scree_reader_enter(r, "polyhedron");
    return scree_reader_bad_file(r, scree_node_value(map, "polyhedron"), "file",
                                 &why);
}

/* Rocks have streams of their own, beyond those of the bodies, and so have
 * their sizes: another law of sizes leaves the forms as they are. */
static scree_random rock_stream(const scree_reader *r, uint64_t which) {
    return scree_random_stream(r->draft.c.seed,
                               (which << 32) + (uint64_t)r->draft.c.n_shape);
}

/* A look that has made enough of them makes the others simple. */
enum { FEWEST_POINTS = 4 };

static scree_status make_rocks(scree_reader *r, const scree_node *map,
                               const scree_case_shape *shape) {
    scree_random forms = rock_stream(r, 1), sizes = rock_stream(r, 2);
    for (int i = 0; i < shape->set.n; i++) {
        scree_rock_def def = shape->rock;
        scree_hull hull;
        scree_error why = {0};
        def.seed = scree_random_next(&forms);
        if (r->looks && r->points < 0) def.n_points = FEWEST_POINTS;
        def.diameter = scree_radius_draw(&shape->diameter, &sizes);
        scree_status status = scree_rock_make(&def, &hull, &why);
        if (status == SCREE_OUT_OF_MEMORY) return scree_reader_no_memory(r);
        if (status != SCREE_OK)
            return scree_reader_refuse(r, map, "rock", "%s", why.text);
        status = take_points(r, hull.vertex, hull.n_vertex, 1, &shape->defs[i]);
        scree_hull_free(&hull);
        TRY(status);
        shape->defs[i].kind = SCREE_SHAPE_POLYHEDRON;
    }
    return SCREE_OK;
}

/* ---- making -------------------------------------------------------------- */

static scree_status make_points(scree_reader *r, const scree_node *map,
                                const scree_case_shape *shape) {
    if (shape->kind == SCREE_CASE_ROCK) return make_rocks(r, map, shape);
    if (shape->file) return polyhedron_from_file(r, map, shape);
    if (shape->sides) return regular_polygon(r, shape);
    return SCREE_OK;
}

/* How many forms of a rock are made: of what a look leaves out, none is not enough. */
static int count_rocks(scree_reader *r, const scree_case_shape *shape) {
    const int each = shape->rock.n_points, all = shape->variants;
    if (!r->looks) return all;
    const int n = (int)fmin(all, fmax(1, (double)(r->points / each)));
    r->points -= (int64_t)n * each;
    r->draft.c.n_unmade += all - n;
    return n;
}

static scree_status prepare_defs(scree_reader *r, scree_case_shape *shape) {
    const bool rock = shape->kind == SCREE_CASE_ROCK;
    const int n = rock ? count_rocks(r, shape) : 1;
    shape->set.n = n;
    if (r->draft.c.n_shape > 0) { /* after the last one's */
        const scree_shape_set *last =
            &r->draft.c.shapes[r->draft.c.n_shape - 1].set;
        shape->set.first = last->first + last->n;
    }
    shape->set.name = r->draft.c.n_shape;
    shape->defs = scree_pool_take(r->pool, (size_t)n, sizeof *shape->defs);
    if (!shape->defs) return scree_reader_no_memory(r);
    shape->given.kind = (scree_shape_kind)(rock ? 0 : shape->kind);
    for (int i = 0; i < n; i++) shape->defs[i] = shape->given;
    return SCREE_OK;
}

static scree_status weigh_shape(scree_reader *r, const scree_node *map,
                                scree_case_shape *shape) {
    const size_t n = (size_t)shape->set.n;
    double *bounds = scree_pool_take(r->pool, n, sizeof *bounds);
    double *volumes = scree_pool_take(r->pool, n, sizeof *volumes);
    if (!bounds || !volumes) return scree_reader_no_memory(r);
    shape->set.bounds = bounds;
    shape->set.volumes = volumes;
    for (size_t i = 0; i < n; i++) {
        scree_error why = {0};
        const scree_status status =
            scree_shape_weigh(&shape->defs[i], r->draft.c.world.planar,
                              &bounds[i], &volumes[i], &why);
        if (status == SCREE_OUT_OF_MEMORY) return scree_reader_no_memory(r);
        if (status != SCREE_OK)
            return scree_reader_refuse(
                r, map, scree_shape_table.fields[1 + shape->kind].key, "%s",
                why.text);
    }
    return SCREE_OK;
}

scree_status scree_check_shape(scree_reader *r, const scree_node *map,
                               void *entry) {
    scree_case_shape *shape = entry;
    if (r->draft.c.n_shape >= MOST_SHAPES) {
        scree_reader_refuse(r, map, "name", "more than %d shapes", MOST_SHAPES);
        scree_hint(r->error, "remedy: 'variants' of a rock are one shape");
        return SCREE_BAD_INPUT;
    }
    TRY(check_name(r, map, shape));
    TRY(check_rounding(r, map, shape));
    TRY(check_clump(r, map, shape));
    TRY(prepare_defs(r, shape));
    TRY(make_points(r, map, shape));
    return weigh_shape(r, map, shape);
}
