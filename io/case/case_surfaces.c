/* case_surfaces.c: walls from files, meshes and terrain; and segments. */
#include "contact/surface/chain.h"
#include "contact/surface/revolved.h"
#include "io/case/case_reader.h"
#include "io/file/mesh_file.h"
#include "io/file/terrain_file.h"
#include "io/file/terrain_work.h"
#include "io/file/text_file.h"
#include "io/gdal/gdal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- meshes -------------------------------------------------------------- */

static scree_status keep_mesh(scree_reader *r, const scree_triangles *from,
                              scree_case_surface *to) {
    const size_t n = (size_t)from->n_vertex, m = (size_t)from->n_triangle;
    double *vertices = scree_pool_take(r->pool, 3 * n, sizeof *vertices);
    int32_t *corners = scree_pool_take(r->pool, 3 * m, sizeof *corners);
    if (!vertices || !corners) return SCREE_OUT_OF_MEMORY;
    for (size_t i = 0; i < n; i++)
        vec_to(scale(to->scale, from->vertex[i]), vertices + 3 * i);
    memcpy(corners, from->corner, 3 * m * sizeof *corners);
    to->n_vertex = from->n_vertex, to->vertices = vertices;
    to->n_triangle = from->n_triangle, to->corners = corners;
    return SCREE_OK;
}

static scree_status load_mesh(scree_reader *r, scree_case_surface *surface,
                              scree_error *why) {
    scree_triangles triangles;
    TRY(scree_mesh_read(surface->file, false, &triangles, why));
    const scree_status status = keep_mesh(r, &triangles, surface);
    scree_triangles_free(&triangles);
    return status;
}

/* ---- terrain ------------------------------------------------------------- */

static scree_status read_terrain(const char *path, bool holes,
                                 scree_heights *heights, char **crs,
                                 scree_error *why) {
    if (scree_name_ends(path, ".tif") || scree_name_ends(path, ".tiff"))
        return scree_gdal_read_terrain(path, heights, crs, why);
    TRY(scree_terrain_crs(path, crs, why));
    return holes ? scree_terrain_read_holes(path, heights, why)
                 : scree_terrain_read(path, heights, why);
}

static scree_status keep_terrain(scree_reader *r, const scree_heights *from,
                                 const char *crs, scree_case_surface *to) {
    const size_t n = (size_t)from->nx * (size_t)from->ny;
    to->heights = *from;
    to->heights.z = scree_pool_take(r->pool, n, sizeof *from->z);
    if (crs) to->crs = scree_pool_text(r->pool, crs, strlen(crs));
    if (!to->heights.z || (crs && !to->crs)) return SCREE_OUT_OF_MEMORY;
    memcpy(to->heights.z, from->z, n * sizeof *from->z);
    return SCREE_OK;
}

static scree_status load_terrain(scree_reader *r, scree_case_surface *surface,
                                 scree_error *why) {
    scree_heights read = {0};
    char *crs = NULL;
    const scree_terrain_work work = {
        .low = {surface->crop.low[0], surface->crop.low[1]},
        .high = {surface->crop.high[0], surface->crop.high[1]},
        .crops = surface->crop.given,
        .cell = surface->cell,
        .passes = surface->smooth};
    scree_status status =
        read_terrain(surface->file, work.crops, &read, &crs, why);
    if (status == SCREE_OK)
        status = scree_terrain_work_on(&read, &work, surface->file, why);
    if (status == SCREE_OK) status = keep_terrain(r, &read, crs, surface);
    scree_heights_free(&read);
    free(crs);
    return status;
}

static bool motion_moves(const scree_motion *m) {
    return norm(vec_from(m->velocity)) > 0 || m->frequency > 0 ||
           m->rate != 0 || m->n_table > 0;
}

/* The engine knows terrain that stands still, from the start to the end. */
static scree_status check_still(scree_reader *r, const scree_node *map,
                                const scree_wall_entry *wall) {
    const char *key = motion_moves(&wall->plane.motion) ? "motion"
                      : isfinite(wall->plane.from)      ? "from"
                      : isfinite(wall->plane.until)     ? "until"
                                                        : NULL;
    if (!key) return SCREE_OK;
    scree_reader_refuse(r, map, key, "terrain stands still and stays");
    scree_hint(r->error, "remedy: leave the key out, or use a mesh");
    return SCREE_BAD_INPUT;
}

/* ---- segments ------------------------------------------------------------ */

static scree_status try_chain(const scree_case_surface *from,
                              scree_error *why) {
    scree_vec3 *points = malloc((size_t)from->n_point * sizeof *points);
    if (!points) return SCREE_OUT_OF_MEMORY;
    for (int i = 0; i < from->n_point; i++)
        points[i] = vec_from(from->points + 3 * i);
    scree_chain chain;
    const scree_status status = scree_chain_make(
        &chain, points, from->n_point, from->closed, from->thickness, why);
    free(points);
    if (status == SCREE_OK) scree_chain_free(&chain);
    return status;
}

scree_status scree_reader_check_segments(scree_reader *r, const scree_node *map,
                                         const scree_wall_entry *wall) {
    if (!r->draft.c.world.planar) {
        scree_reader_refuse(r, map, "segments",
                            "segments are walls of plane worlds");
        scree_hint(r->error, "remedy: planar: on, or use a mesh");
        return SCREE_BAD_INPUT;
    }
    scree_error why = {0};
    const scree_status status = try_chain(&wall->surface, &why);
    if (status == SCREE_OK) return SCREE_OK;
    if (status == SCREE_OUT_OF_MEMORY) return scree_reader_no_memory(r);
    scree_reader_enter(r, "segments");
    scree_reader_refuse(r, scree_node_value(map, "segments"), "points", "%s",
                        why.text);
    scree_hint(r->error, "allowed: list of [x, y] [m], 2 or more (closed: 3), "
                         "each one apart from the next");
    return SCREE_BAD_INPUT;
}

/* ---- surfaces of revolution ---------------------------------------------- */

/* A cylinder or cone runs upwards if bodies are inside; one without ends has two points
 * of any height. */
static void turn_profile(const scree_case_turned *from, double *points) {
    const bool cylinder = from->top_radius < 0;
    const int foot = from->outside ? 2 : 0, top = 2 - foot;
    points[foot] = from->radius;
    points[foot + 1] = 0;
    points[top] = cylinder ? from->radius : from->top_radius;
    points[top + 1] = isfinite(from->length) ? from->length : from->radius;
}

double *scree_case_profile(const scree_case_turned *from) {
    const size_t n = from->profile ? (size_t)from->n_point : 2;
    double *points = malloc((2 * n + 1) * sizeof *points);
    if (!points) return NULL;
    for (size_t i = 0; i < n && from->profile; i++)
        memcpy(points + 2 * i, from->profile + 3 * i, 2 * sizeof *points);
    if (!from->profile) turn_profile(from, points);
    return points;
}

static scree_status try_profile(const scree_case_turned *from,
                                scree_error *why) {
    scree_revolved wall = {0};
    double *points = scree_case_profile(from);
    if (!points) return SCREE_OUT_OF_MEMORY;
    const scree_status status =
        scree_revolved_make(&wall, points, from->profile ? from->n_point : 2,
                            !from->profile && !isfinite(from->length), why);
    scree_revolved_free(&wall);
    free(points);
    return status;
}

scree_status scree_reader_check_turned(scree_reader *r, const scree_node *map,
                                       const scree_wall_entry *wall) {
    const bool profile = wall->kind == SCREE_WALL_PROFILE;
    const char *key = profile                             ? "profile"
                      : wall->kind == SCREE_WALL_CYLINDER ? "cylinder"
                                                          : "cone";
    scree_error why = {0};
    const scree_status status = try_profile(&wall->surface.turned, &why);
    if (status == SCREE_OK) return SCREE_OK;
    if (status == SCREE_OUT_OF_MEMORY) return scree_reader_no_memory(r);
    scree_reader_enter(r, key);
    scree_reader_refuse(r, scree_node_value(map, key),
                        profile ? "points" : "top_radius", "%s", why.text);
    scree_hint(r->error, profile
                             ? "allowed: list of [radius >= 0, height] [m], 2 "
                               "or more, each one apart from the next"
                             : "allowed: number >= 0, and one of both > 0 [m]");
    return SCREE_BAD_INPUT;
}

/* ---- any of them --------------------------------------------------------- */

scree_status scree_reader_load_surface(scree_reader *r, const scree_node *map,
                                       scree_wall_entry *wall) {
    const bool mesh = wall->kind == SCREE_WALL_MESH;
    const char *key = mesh ? "mesh" : "terrain";
    if (!mesh) TRY(check_still(r, map, wall));
    scree_error why = {0};
    const scree_status status = mesh ? load_mesh(r, &wall->surface, &why)
                                     : load_terrain(r, &wall->surface, &why);
    if (status == SCREE_OK) return SCREE_OK;
    if (status == SCREE_OUT_OF_MEMORY) return scree_reader_no_memory(r);
    scree_reader_enter(r, key);
    return scree_reader_bad_file(r, scree_node_value(map, key), "file", &why);
}
