/* output_surfaces.c: bodies and walls as they look, for ParaView.
 *
 * surfaces_000000.hdf, ... hold the polygons of all bodies that are not spheres
 * (those are drawn from the frames' points and radii); in the plane, of discs
 * too. walls_000000.hdf, ... hold meshes, terrain and segments: a single file, unless one
 * of them moves or comes or goes. Planes have no end and are not drawn. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "contact/heightfield.h"
#include "contact/chain.h"
#include "contact/mesh.h"
#include "contact/surface.h"
#include "engine/base/arena.h"
#include "engine/world.h"
#include "io/drawing.h"

/* How fine round parts are: 16 chords a turn, 80 triangles a ball. */
enum { LEVEL = 1 };

typedef struct surfaces {
    scree_series bodies, walls;
    scree_drawing drawing; /* of one file after the other */
    scree_surface round;   /* unit ball; in the plane unit disc */
    scree_surface *forms;  /* (n_form) by shape; empty for clumps */
    int n_form;
    int64_t form_room;
    int n_wall; /* when the walls were last drawn */
} surfaces;

/* ---- opening and closing ------------------------------------------------- */

static scree_status close_surfaces(void *self, scree_error *error) {
    (void)error;
    surfaces *s = self;
    scree_series_close(&s->bodies);
    scree_series_close(&s->walls);
    scree_drawing_free(&s->drawing);
    scree_surface_free(&s->round);
    for (int i = 0; i < s->n_form; i++) scree_surface_free(&s->forms[i]);
    free(s->forms);
    free(s);
    return SCREE_OK;
}

static scree_status prepare(surfaces *s, const scree_output_context *context,
                            scree_error *error) {
    const scree_solid unit = {
        .core = SCREE_CORE_POINT, .radius = 1, .bound = 1};
    TRY(scree_series_open(&s->bodies, context, "surfaces", error));
    TRY(scree_series_open(&s->walls, context, "walls", error));
    return scree_surface_make(&s->round, &unit, context->world->def.planar,
                              LEVEL, error);
}

static scree_status open_surfaces(const scree_output_context *context,
                                  void **self, scree_error *error) {
    surfaces *s = calloc(1, sizeof *s);
    if (!s)
        return scree_fail(error, SCREE_OUT_OF_MEMORY,
                          "surfaces: out of memory");
    const scree_status status = prepare(s, context, error);
    if (status == SCREE_OK)
        *self = s;
    else
        close_surfaces(s, NULL);
    return status;
}

/* ---- bodies -------------------------------------------------------------- */

/* Shapes may be added while the world runs. */
static scree_status make_forms(surfaces *s, const scree_world *world,
                               scree_error *error) {
    TRY(scree_reserve(&s->forms, &s->form_room, world->n_form,
                      sizeof *s->forms));
    for (; s->n_form < world->n_form; s->n_form++) {
        const scree_form *form = &world->forms[s->n_form];
        if (form->n_ball == 0)
            TRY(scree_surface_make(&s->forms[s->n_form], &form->solid,
                                   world->def.planar, LEVEL, error));
    }
    return SCREE_OK;
}

/* Where the vertices x of a surface go: at + R (size x). */
typedef struct placement {
    double size;
    scree_vec3 at;
    scree_mat3 R;
} placement;

static scree_status draw_surface(scree_drawing *d, const scree_surface *surface,
                                 const placement *p, const scree_label *label) {
    const int64_t first = d->n_point;
    const int32_t *loop = surface->loop;
    TRY(scree_drawing_reserve(d, surface->n_vertex, surface->n_polygon,
                              loop[surface->n_polygon]));
    for (int i = 0; i < surface->n_vertex; i++)
        scree_drawing_point(
            d, add_scaled(p->at, p->size, mat3_mul(&p->R, surface->vertex[i])));
    for (int i = 0; i < surface->n_polygon; i++)
        scree_drawing_polygon(d, first, loop[i + 1] - loop[i],
                              surface->corner + loop[i], label);
    return SCREE_OK;
}

static scree_status draw_clump(surfaces *s, const scree_form *form,
                               const placement *body,
                               const scree_label *label) {
    for (int i = 0; i < form->n_ball; i++) {
        const scree_ball *ball = &form->balls[i];
        const placement p = {
            ball->r, add(body->at, mat3_mul(&body->R, ball->x)), body->R};
        TRY(draw_surface(&s->drawing, &s->round, &p, label));
    }
    return SCREE_OK;
}

static scree_status draw_body(surfaces *s, const scree_world *world,
                              int64_t id) {
    const scree_bodies *b = &world->bodies;
    const int32_t i = b->place[id], shape = b->form[i];
    const bool round = shape < 0;
    if (round && !world->def.planar) return SCREE_OK;
    const scree_label label = {id, norm(b->u[i].v), shape, b->material[i]};
    const placement p = {round ? b->x[i].r : 1, b->x[i].x,
                         quat_matrix(b->q[i])};
    if (!round && world->forms[shape].n_ball > 0)
        return draw_clump(s, &world->forms[shape], &p, &label);
    return draw_surface(&s->drawing, round ? &s->round : &s->forms[shape], &p,
                        &label);
}

static scree_status draw_bodies(surfaces *s, const scree_world *world,
                                scree_error *error) {
    TRY(make_forms(s, world, error));
    TRY(scree_drawing_clear(&s->drawing));
    for (int64_t id = 0; id < world->bodies.n; id++)
        TRY(draw_body(s, world, id));
    return SCREE_OK;
}

static scree_status write_bodies(surfaces *s,
                                 const scree_output_context *context,
                                 scree_error *error) {
    if (draw_bodies(s, context->world, error) != SCREE_OK)
        return scree_fail(error, SCREE_OUT_OF_MEMORY,
                          "surfaces: out of memory for the bodies");
    const scree_drawing *d = &s->drawing;
    scree_hdf5_file *file = scree_drawing_begin(d, &s->bodies, context);
    scree_drawing_data(d, file, "id", H5T_NATIVE_INT64,
                       offsetof(scree_label, id));
    scree_drawing_data(d, file, "shape", H5T_NATIVE_INT32,
                       offsetof(scree_label, shape));
    scree_drawing_data(d, file, "material", H5T_NATIVE_INT32,
                       offsetof(scree_label, material));
    scree_drawing_data(d, file, "speed", H5T_NATIVE_DOUBLE,
                       offsetof(scree_label, speed));
    return scree_series_end(&s->bodies, file, scree_world_time(context->world),
                            error);
}

/* ---- walls --------------------------------------------------------------- */

static bool has_surface(const scree_wall *wall) {
    return wall->mesh || wall->field || wall->chain;
}

static scree_plane plane_now(const scree_world *world, int wall) {
    scree_wall copy = world->walls[wall];
    scree_plane plane;
    scree_wall_move(&copy, &plane, world->t);
    return plane;
}

/* Do the walls of now need a file of their own? */
static bool walls_changed(const surfaces *s, const scree_world *world) {
    bool any = false, changes = s->n_wall != world->n_wall;
    for (int i = 0; i < world->n_wall; i++) {
        const scree_wall *wall = &world->walls[i];
        if (!has_surface(wall)) continue;
        const scree_plane plane = plane_now(world, i);
        any = true;
        changes = changes || scree_plane_moves(&plane) ||
                  isfinite(wall->def.from) || isfinite(wall->def.until);
    }
    return any && changes;
}

static scree_status draw_mesh(scree_drawing *d, const scree_plane *plane,
                              const scree_label *label) {
    const scree_mesh *mesh = plane->mesh;
    const int64_t first = d->n_point;
    TRY(scree_drawing_reserve(d, mesh->n_vertex, mesh->n_triangle,
                              3 * (int64_t)mesh->n_triangle));
    for (int32_t i = 0; i < mesh->n_vertex; i++)
        scree_drawing_point(
            d, add(plane->x, mat3_mul(&plane->R, mesh->vertex[i])));
    for (int32_t i = 0; i < mesh->n_triangle; i++)
        scree_drawing_polygon(d, first, 3, mesh->corner[i], label);
    return SCREE_OK;
}

/* The two triangles of contact/heightfield.h for each cell. Terrain stays. */
static scree_status draw_terrain(scree_drawing *d, const scree_heightfield *f,
                                 const scree_label *label) {
    const int64_t first = d->n_point, nx = f->nx, ny = f->ny;
    const int64_t triangles = 2 * (nx - 1) * (ny - 1);
    TRY(scree_drawing_reserve(d, nx * ny, triangles, 3 * triangles));
    for (int64_t j = 0; j < ny; j++)
        for (int64_t i = 0; i < nx; i++)
            scree_drawing_point(d, vec(f->x0 + (double)i * f->cell,
                                       f->y0 + (double)j * f->cell,
                                       f->z[j * nx + i]));
    const int32_t right = 1, up = f->nx, both = f->nx + 1;
    for (int64_t j = 0; j + 1 < ny; j++)
        for (int64_t i = 0; i + 1 < nx; i++) {
            const int64_t corner = first + j * nx + i;
            scree_drawing_polygon(d, corner, 3,
                                  (const int32_t[]){0, right, both}, label);
            scree_drawing_polygon(d, corner, 3, (const int32_t[]){0, both, up},
                                  label);
        }
    return SCREE_OK;
}

/* Chords of the half turn round an end of a thick segment. */
enum { END = 8 };

/* A segment as thick as it is, round at its ends: neighbours overlap there. */
static void draw_thick(scree_drawing *d, const scree_plane *plane,
                       const scree_vec3 ends[2], scree_vec3 e,
                       const scree_label *label) {
    const int64_t first = d->n_point;
    int32_t corners[2 * (END + 1)];
    for (int k = 0; k < 2 * (END + 1); k++) {
        const bool to = k <= END;
        const double angle = SCREE_PI * (k - (to ? 0 : 1)) / END - SCREE_PI / 2;
        const double c = plane->chain->radius * cos(angle);
        const double s = plane->chain->radius * sin(angle);
        const scree_vec3 x =
            add(ends[to], vec(c * e.x - s * e.y, c * e.y + s * e.x, 0));
        scree_drawing_point(d, add(plane->x, mat3_mul(&plane->R, x)));
        corners[k] = k;
    }
    scree_drawing_polygon(d, first, 2 * (END + 1), corners, label);
}

static void draw_thin(scree_drawing *d, const scree_plane *plane,
                      const scree_vec3 ends[2], const scree_label *label) {
    const int64_t first = d->n_point;
    for (int k = 0; k < 2; k++)
        scree_drawing_point(d, add(plane->x, mat3_mul(&plane->R, ends[k])));
    scree_drawing_polygon(d, first, 2, (const int32_t[]){0, 1}, label);
}

static scree_status draw_segments(scree_drawing *d, const scree_plane *plane,
                                  const scree_label *label) {
    const scree_chain *chain = plane->chain;
    const int64_t points = chain->radius > 0 ? 2 * (END + 1) : 2;
    TRY(scree_drawing_reserve(d, points * chain->n_side, chain->n_side,
                              points * chain->n_side));
    for (int32_t i = 0; i < chain->n_side; i++) {
        const scree_vec3 ends[2] = {chain->vertex[i],
                                    chain->vertex[scree_chain_to(chain, i)]};
        if (chain->radius > 0)
            draw_thick(d, plane, ends, chain->e[i], label);
        else
            draw_thin(d, plane, ends, label);
    }
    return SCREE_OK;
}

static scree_status draw_walls(surfaces *s, const scree_world *world) {
    TRY(scree_drawing_clear(&s->drawing));
    for (int i = 0; i < world->n_wall; i++) {
        const scree_plane plane = plane_now(world, i);
        const scree_label label = {.id = i,
                                   .material = world->walls[i].def.material};
        if (!plane.exists) continue;
        if (plane.mesh) TRY(draw_mesh(&s->drawing, &plane, &label));
        if (plane.chain) TRY(draw_segments(&s->drawing, &plane, &label));
        if (plane.field) TRY(draw_terrain(&s->drawing, plane.field, &label));
    }
    return SCREE_OK;
}

static scree_status write_walls(surfaces *s,
                                const scree_output_context *context,
                                scree_error *error) {
    const scree_world *world = context->world;
    if (!walls_changed(s, world)) return SCREE_OK;
    if (draw_walls(s, world) != SCREE_OK)
        return scree_fail(error, SCREE_OUT_OF_MEMORY,
                          "surfaces: out of memory for the walls");
    const scree_drawing *d = &s->drawing;
    scree_hdf5_file *file = scree_drawing_begin(d, &s->walls, context);
    scree_drawing_data(d, file, "wall", H5T_NATIVE_INT64,
                       offsetof(scree_label, id));
    scree_drawing_data(d, file, "material", H5T_NATIVE_INT32,
                       offsetof(scree_label, material));
    TRY(scree_series_end(&s->walls, file, scree_world_time(world), error));
    s->n_wall = world->n_wall;
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
    .about = "shapes, meshes, terrain and segments for ParaView: surfaces.hdf.series, "
             "walls.hdf.series",
    .open = open_surfaces,
    .write = write_surfaces,
    .close = close_surfaces,
    .archive = archive_surfaces};
