/* output_surfaces.c: bodies and walls as they look, for ParaView.
 *
 * surfaces_000000.hdf, ... hold the polygons of all bodies that are not spheres
 * (those are drawn from the frames' points and radii unless the case wants them
 * here; a world of spheres alone has none of these files); in the plane, of discs too.
 * walls_000000.hdf, ... hold meshes, terrain and segments: a single file, unless one of
 * them moves or comes or goes. Planes have no end and are not drawn. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "engine/world/view.h"
#include "io/output/drawing_world.h"

typedef struct surfaces {
    scree_series bodies, walls;
    scree_drawing drawing; /* of one file after the other */
    scree_shape_surfaces shapes;
    int n_wall; /* when the walls were last drawn */
} surfaces;

/* ---- opening and closing ------------------------------------------------- */

static scree_status close_surfaces(void *self, scree_error *error) {
    (void)error;
    surfaces *s = self;
    scree_series_close(&s->bodies);
    scree_series_close(&s->walls);
    scree_drawing_free(&s->drawing);
    scree_shape_surfaces_free(&s->shapes);
    free(s);
    return SCREE_OK;
}

static scree_status open_series(surfaces *s,
                                const scree_output_context *context,
                                scree_error *error) {
    TRY(scree_series_open(&s->bodies, context, "surfaces", error));
    TRY(scree_series_open(&s->walls, context, "walls", error));
    TRY(scree_shape_surfaces_open(&s->shapes, context->world, error));
    s->shapes.spheres = context->output && context->output->spheres;
    return SCREE_OK;
}

static scree_status open_surfaces(const scree_output_context *context,
                                  void **self, scree_error *error) {
    surfaces *s = calloc(1, sizeof *s);
    if (!s)
        return scree_fail(error, SCREE_OUT_OF_MEMORY,
                          "surfaces: out of memory");
    const scree_status status = open_series(s, context, error);
    if (status == SCREE_OK)
        *self = s;
    else
        close_surfaces(s, NULL);
    return status;
}

/* ---- drawing ------------------------------------------------------------- */

/* What became of drawing, on all ranks. */
static scree_status agree_on_drawing(const scree_output_context *context,
                                     scree_status status, scree_error *error) {
    if (status != SCREE_OK)
        scree_fail(error, status, "surfaces: out of memory");
    return scree_comm_agree(scree_output_comm(context), status, error);
}

static scree_status clear_drawing(scree_drawing *d,
                                  const scree_output_context *context,
                                  scree_error *error) {
    return agree_on_drawing(context, scree_drawing_clear(d), error);
}

/* ---- bodies -------------------------------------------------------------- */

/* What a polygon tells of its body. */
enum { ID, SHAPE, MATERIAL, SPEED, FIELDS };
static const char *const fields[FIELDS + 1] = {"id", "shape", "material",
                                               "speed"};

static void write_labels(const scree_drawing *d, scree_hdf5_file *file,
                         const scree_output_context *context) {
    const size_t offsets[FIELDS] = {[ID] = offsetof(scree_label, id),
                                    [SHAPE] = offsetof(scree_label, shape),
                                    [MATERIAL] =
                                        offsetof(scree_label, material),
                                    [SPEED] = offsetof(scree_label, speed)};
    const hid_t types[FIELDS] = {[ID] = H5T_NATIVE_INT64,
                                 [SHAPE] = H5T_NATIVE_INT32,
                                 [MATERIAL] = H5T_NATIVE_INT32,
                                 [SPEED] = H5T_NATIVE_DOUBLE};
    for (int i = 0; i < FIELDS; i++)
        if (scree_output_wants(context, i))
            scree_drawing_data(d, file, fields[i], types[i], offsets[i]);
}

/* Spheres alone are drawn from their points: then there is nothing to write, ever. */
static bool draws_bodies(const surfaces *s, const scree_world *world) {
    const scree_world_view view = scree_world_view_of(world);
    return s->shapes.spheres || view.def->planar || view.n_form > 0;
}

static scree_status write_bodies(surfaces *s,
                                 const scree_output_context *context,
                                 scree_error *error) {
    if (!draws_bodies(s, context->world)) return SCREE_OK;
    scree_drawing *d = &s->drawing;
    TRY(clear_drawing(d, context, error));
    TRY(agree_on_drawing(
        context, scree_draw_bodies(&s->shapes, d, context->world), error));
    scree_hdf5_file *file = scree_drawing_begin(d, &s->bodies, context);
    write_labels(d, file, context);
    return scree_series_end(&s->bodies, file, scree_world_time(context->world),
                            error);
}

/* ---- walls --------------------------------------------------------------- */

static bool has_surface(const scree_wall *wall) {
    return wall->mesh || wall->field || wall->chain || wall->revolved;
}

/* Do the walls of now need a file of their own? */
static bool walls_changed(const surfaces *s, const scree_world *world) {
    const scree_world_view view = scree_world_view_of(world);
    bool any = false, changes = s->n_wall != view.n_wall;
    for (int i = 0; i < view.n_wall; i++) {
        const scree_wall *wall = &view.walls[i];
        if (!has_surface(wall)) continue;
        const scree_plane plane = scree_world_wall_plane(world, i);
        any = true;
        changes = changes || scree_plane_moves(&plane) ||
                  isfinite(wall->def.from) || isfinite(wall->def.until);
    }
    return any && changes;
}

static scree_status write_walls(surfaces *s,
                                const scree_output_context *context,
                                scree_error *error) {
    const scree_world *world = context->world;
    if (!walls_changed(s, world)) return SCREE_OK;
    scree_drawing *d = &s->drawing;
    TRY(clear_drawing(d, context, error));
    TRY(agree_on_drawing(context, scree_draw_walls(d, world), error));
    scree_hdf5_file *file = scree_drawing_begin(d, &s->walls, context);
    scree_drawing_data(d, file, "wall", H5T_NATIVE_INT64,
                       offsetof(scree_label, id));
    scree_drawing_data(d, file, "material", H5T_NATIVE_INT32,
                       offsetof(scree_label, material));
    TRY(scree_series_end(&s->walls, file, scree_world_time(world), error));
    s->n_wall = scree_world_wall_count(world);
    return SCREE_OK;
}

static scree_status write_surfaces(void *self,
                                   const scree_output_context *context,
                                   scree_error *error) {
    TRY(write_walls(self, context, error));
    return write_bodies(self, context, error);
}

/* The surfaces of shapes are made again. */
static void archive_surfaces(void *self, scree_archive *a) {
    surfaces *s = self;
    scree_series_archive(&s->bodies, a);
    scree_series_archive(&s->walls, a);
    scree_archive_array(a, "walls_drawn", SCREE_I32, 1, 1, &s->n_wall);
}

const scree_output_ops scree_output_surfaces = {
    .name = "surfaces",
    .about = "shapes, meshes, terrain and segments for ParaView: "
             "surfaces.hdf.series, "
             "walls.hdf.series",
    .fields = fields,
    .open = open_surfaces,
    .write = write_surfaces,
    .close = close_surfaces,
    .archive = archive_surfaces};
