/* case_build.c: from a case to the world it describes. */
#include "io/case/case.h"
#include "io/case/case_forces.h"
#include "io/case/case_joints.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/parallel.h"
#include "engine/world/make.h"

/* ---- size ---------------------------------------------------------------- */

/* What a pour will bring, if it is not held up; bounded, since a high rate says
 * little about how many find room. */
static double pour_size(const scree_pour *pour) {
    const double most = 1e6, due = pour->rate * (pour->stop - pour->start);
    return fmin(most, fmin((double)pour->count, ceil(due)));
}

/* By volume, as if all bodies were balls of the largest radius. */
static double fill_size(const scree_fill *fill) {
    if (fill->count > 0) return (double)fill->count;
    const double r = scree_grain_largest(&fill->grain);
    const double ball = 3.14159265358979323846 * r * r *
                        (fill->region.planar ? 1 : 4.0 / 3.0 * r);
    const double most = 1e6;
    return fmin(most, ceil(fill->solid_fraction *
                           scree_region_volume(&fill->region) / ball));
}

static double lattice_size(const scree_lattice *lattice) {
    const int64_t *n = lattice->counts;
    return (double)n[0] * (double)n[1] * (double)n[2];
}

static double body_size(const scree_case_body *body) {
    switch (body->kind) {
    case SCREE_CASE_LATTICE:
        return lattice_size(&body->as.lattice);
    case SCREE_CASE_FILL:
        return fill_size(&body->as.fill);
    case SCREE_CASE_POUR:
        return pour_size(&body->as.pour);
    case SCREE_CASE_PYRAMID:
        return (double)scree_pyramid_count(&body->as.pyramid);
    case SCREE_CASE_RELEASE:
        return 0;
    default:
        return 1;
    }
}

/* The share of one of `ranks` ranks. */
static int64_t capacity_of(const scree_case *c, int ranks) {
    double n = 0;
    for (int i = 0; i < c->n_body; i++) n += body_size(&c->bodies[i]);
    return (int64_t)fmin(n / ranks, 0x1p53);
}

/* ---- parts --------------------------------------------------------------- */

/* Some failures, as want of memory, have no words of their own. */
static const char *why_of(const scree_world *world, scree_status status) {
    const char *why = scree_world_error(world);
    return *why ? why : scree_status_text(status);
}

static scree_status world_failed(const scree_case *c, const scree_world *world,
                                 scree_status status, const char *part, int i,
                                 scree_error *error) {
    return scree_fail(error, status, "%.300s: %s[%d]: %.400s", c->path, part, i,
                      why_of(world, status));
}

static scree_status add_materials(const scree_case *c, scree_world *world,
                                  scree_error *error) {
    for (int i = 0; i < c->n_material; i++) {
        int material;
        const scree_status status =
            scree_world_add_material(world, &c->materials[i].def, &material);
        if (status != SCREE_OK)
            return world_failed(c, world, status, "materials", i, error);
    }
    return SCREE_OK;
}

static scree_status add_pairs(const scree_case *c, scree_world *world,
                              scree_error *error) {
    for (int i = 0; i < c->n_pair; i++) {
        const scree_case_pair *pair = &c->pairs[i];
        const scree_status status =
            scree_world_set_pair(world, pair->a, pair->b, &pair->law);
        if (status != SCREE_OK)
            return world_failed(c, world, status, "pairs", i, error);
    }
    return SCREE_OK;
}

static scree_status add_shapes(const scree_case *c, scree_world *world,
                               scree_error *error) {
    for (int i = 0; i < c->n_shape; i++)
        for (int k = 0; k < c->shapes[i].set.n; k++) {
            const scree_status status =
                scree_world_add_shape(world, &c->shapes[i].defs[k], NULL);
            if (status != SCREE_OK)
                return world_failed(c, world, status, "shapes", i, error);
        }
    return SCREE_OK;
}

int scree_case_ground(const scree_case *c) {
    for (int i = 0; i < c->n_wall && c->ensemble.trajectories; i++)
        if (c->walls[i].kind == SCREE_CASE_TERRAIN) return i;
    return -1;
}

void scree_case_origin(const scree_case *c, double origin[2]) {
    const int ground = scree_case_ground(c);
    origin[0] = origin[1] = 0;
    if (ground < 0) return;
    const scree_heights *h = &c->walls[ground].surface.heights;
    origin[0] = 1000 * floor(h->x0 / 1000);
    origin[1] = 1000 * floor(h->y0 / 1000);
}

static scree_status add_mesh(const scree_case_wall *wall, const double *origin,
                             scree_world *world) {
    const scree_case_surface *from = &wall->surface;
    scree_mesh_def def = scree_mesh_def_default();
    const size_t n = 3 * (size_t)from->n_vertex;
    double *vertices = malloc(n * sizeof *vertices);
    if (!vertices) return SCREE_OUT_OF_MEMORY;
    for (size_t i = 0; i < n; i++)
        vertices[i] = from->vertices[i] - (i % 3 < 2 ? origin[i % 3] : 0);
    def.vertices = vertices, def.n_vertex = from->n_vertex;
    def.corners = from->corners, def.n_triangle = from->n_triangle;
    def.two_sided = from->two_sided;
    def.material = wall->def.material;
    def.motion = wall->def.motion;
    def.servo = wall->def.servo;
    def.from = wall->def.from, def.until = wall->def.until;
    const scree_status status = scree_world_add_mesh(world, &def, NULL);
    free(vertices);
    return status;
}

static scree_status add_terrain(const scree_case_wall *wall,
                                const double *origin, scree_world *world) {
    const scree_heights *from = &wall->surface.heights;
    scree_terrain_def def = scree_terrain_def_default();
    def.nx = from->nx, def.ny = from->ny;
    def.x0 = from->x0 - origin[0], def.y0 = from->y0 - origin[1];
    def.cell = from->cell;
    def.heights = from->z;
    def.material = wall->def.material;
    return scree_world_add_terrain(world, &def, NULL);
}

static scree_status add_segments(const scree_case_wall *wall,
                                 scree_world *world) {
    const scree_case_surface *from = &wall->surface;
    scree_segments_def def = scree_segments_def_default();
    def.points = from->points, def.n_point = from->n_point;
    def.closed = from->closed, def.thickness = from->thickness;
    def.material = wall->def.material;
    def.motion = wall->def.motion;
    def.servo = wall->def.servo;
    def.from = wall->def.from, def.until = wall->def.until;
    return scree_world_add_segments(world, &def, NULL);
}

static scree_status add_revolved(const scree_case_wall *wall,
                                 scree_world *world) {
    const scree_case_turned *from = &wall->surface.turned;
    scree_revolved_def def = scree_revolved_def_default();
    double *points = scree_case_profile(from);
    if (!points) return SCREE_OUT_OF_MEMORY;
    memcpy(def.point, from->point, sizeof def.point);
    memcpy(def.axis, from->axis, sizeof def.axis);
    def.profile = points;
    def.n_point = from->profile ? from->n_point : 2;
    def.endless = !from->profile && !isfinite(from->length);
    def.material = wall->def.material;
    def.motion = wall->def.motion;
    def.servo = wall->def.servo;
    def.from = wall->def.from, def.until = wall->def.until;
    const scree_status status = scree_world_add_revolved(world, &def, NULL);
    free(points);
    return status;
}

static scree_status add_plane(const scree_case_wall *wall, const double *origin,
                              scree_world *world) {
    scree_plane_def def = wall->def;
    for (int i = 0; i < 2; i++) def.point[i] -= origin[i];
    return scree_world_add_plane(world, &def, NULL);
}

static scree_status add_wall(const scree_case_wall *wall, const double *origin,
                             scree_world *world) {
    switch (wall->kind) {
    case SCREE_CASE_MESH:
        return add_mesh(wall, origin, world);
    case SCREE_CASE_TERRAIN:
        return add_terrain(wall, origin, world);
    case SCREE_CASE_SEGMENTS:
        return add_segments(wall, world);
    case SCREE_CASE_REVOLVED:
        return add_revolved(wall, world);
    case SCREE_CASE_PLANE:
        break;
    }
    return add_plane(wall, origin, world);
}

static scree_status add_walls(const scree_case *c, scree_world *world,
                              scree_error *error) {
    double origin[2];
    scree_case_origin(c, origin);
    for (int i = 0; i < c->n_wall; i++) {
        const scree_status status = add_wall(&c->walls[i], origin, world);
        if (status != SCREE_OK)
            return world_failed(c, world, status, "walls", i, error);
    }
    return SCREE_OK;
}

/* The outside of the domain is the last outlet. */
static scree_status add_outlets(const scree_case *c, scree_world *world,
                                scree_error *error) {
    scree_status status = SCREE_OK;
    for (int i = 0; i < c->n_outlet && status == SCREE_OK; i++)
        status = scree_world_add_outlet(world, &c->outlets[i].def, NULL);
    if (status == SCREE_OK && !isnan(c->domain.low[0]))
        status = scree_world_add_outlet(world, &c->domain, NULL);
    if (status == SCREE_OK) return status;
    return scree_fail(error, status, "%.500s: %s", c->path,
                      scree_world_error(world));
}

/* ---- bodies -------------------------------------------------------------- */

static scree_status add_sphere(const scree_sphere_def *sphere,
                               scree_world *world, scree_error *error) {
    int64_t id;
    const scree_status status = scree_world_add_sphere(world, sphere, &id);
    if (status == SCREE_OK) return status;
    return scree_fail(error, status, "%s", why_of(world, status));
}

/* Each body of the file has its own random stream, so that a change of one
 * leaves the others as they are. */
static scree_status add_body(const scree_case *c, int i, scree_world *world,
                             scree_pour_state *pours, scree_error *error) {
    const scree_case_body *body = &c->bodies[i];
    const scree_random rng = scree_random_stream(c->seed, (uint64_t)i);
    switch (body->kind) {
    case SCREE_CASE_LATTICE:
        return scree_lattice_make(&body->as.lattice, rng, world, error);
    case SCREE_CASE_FILL:
        return scree_fill_make(&body->as.fill, rng, world, error);
    case SCREE_CASE_POUR:
        pours[i] = (scree_pour_state){.seed = rng.state};
        return SCREE_OK;
    case SCREE_CASE_SINGLE:
        return scree_single_make(&body->as.single, rng, world, error);
    case SCREE_CASE_PYRAMID:
        return scree_pyramid_make(&body->as.pyramid, rng, world, error);
    case SCREE_CASE_RELEASE:
        return SCREE_OK;
    default:
        return add_sphere(&body->as.sphere, world, error);
    }
}

static scree_status body_failed(const scree_case *c, int i, scree_status status,
                                const char *why, scree_error *error) {
    static const char *const kinds[] = {"sphere", "lattice", "fill",   "pour",
                                        "body",   "pyramid", "release"};
    const scree_case_body *body = &c->bodies[i];
    char line[16] = "";
    if (body->line > 0) snprintf(line, sizeof line, ":%d", body->line);
    return scree_fail(error, status, "%.300s%s: bodies[%d].%s: %.500s", c->path,
                      line, i, kinds[body->kind], why);
}

static scree_status add_bodies(const scree_case *c, scree_world *world,
                               scree_pour_state *pours, scree_error *error) {
    for (int i = 0; i < c->n_body; i++) {
        scree_error why = {0};
        const scree_status status = add_body(c, i, world, pours, &why);
        if (status != SCREE_OK)
            return body_failed(c, i, status, why.text, error);
    }
    return SCREE_OK;
}

/* ---- the world ----------------------------------------------------------- */

static scree_status set_cell(const scree_case *c, scree_world *world,
                             scree_error *error) {
    if (c->cell.periodic == 0) return SCREE_OK;
    const scree_status status = scree_world_set_cell(world, &c->cell.def);
    if (status == SCREE_OK) return status;
    return scree_fail(error, status, "%.500s: cell: %s", c->path,
                      scree_world_error(world));
}

static scree_status add_scene(const scree_case *c, scree_world *world,
                              scree_error *error) {
    TRY(set_cell(c, world, error));
    TRY(add_materials(c, world, error));
    TRY(add_pairs(c, world, error));
    TRY(add_shapes(c, world, error));
    TRY(add_walls(c, world, error));
    TRY(scree_case_add_forces(c, world, error));
    return add_outlets(c, world, error);
}

scree_status scree_case_spread(scree_world *world, const scree_comm *comm,
                               scree_error *error) {
    const scree_status status = scree_world_distribute(world, comm);
    if (status == SCREE_OK) return SCREE_OK;
    return scree_fail(error,
                      status == SCREE_BAD_ARGUMENT ? SCREE_BAD_INPUT : status,
                      "%s", scree_world_error(world));
}

/* Without pours also without bodies; with them the world is spread first. */
static scree_status add_parts(const scree_case *c, const scree_comm *comm,
                              scree_world *world, scree_pour_state *pours,
                              scree_error *error) {
    TRY(scree_comm_agree(comm, add_scene(c, world, error), error));
    if (!pours) return SCREE_OK;
    TRY(scree_case_spread(world, comm, error));
    TRY(add_bodies(c, world, pours, error));
    return scree_comm_agree(comm, scree_case_add_joints(c, world, error),
                            error);
}

scree_status scree_case_build(const scree_case *c, scree_world **world,
                              scree_pour_state *pours, scree_error *error) {
    return scree_case_build_over(c, scree_comm_alone(), world, pours, error);
}

scree_status scree_case_build_over(const scree_case *c, const scree_comm *comm,
                                   scree_world **world, scree_pour_state *pours,
                                   scree_error *error) {
    scree_world_def def = c->world;
    def.capacity = capacity_of(c, comm->size);
    def.threads = scree_thread_share(comm, c->world.threads);
    *world = NULL;
    def.friction = c->stepping.friction;
    def.hits = c->stepping.hits;
    def.stages = c->stepping.stages;
    def.order = c->stepping.order;
    def.dt_min = c->stepping.dt_min;
    def.atol = c->stepping.atol, def.rtol = c->stepping.rtol;
    def.substeps = c->stepping.substeps;
    def.rho_inf = c->stepping.rho_inf;
    scree_status status =
        scree_comm_agree(comm, scree_world_create(&def, world), NULL);
    if (status != SCREE_OK) {
        scree_world_destroy(*world);
        *world = NULL;
        return scree_fail(error, status, "%.500s: %s", c->path,
                          scree_status_text(status));
    }
    status = add_parts(c, comm, *world, pours, error);
    if (status == SCREE_OK) return SCREE_OK;
    scree_world_destroy(*world);
    *world = NULL;
    return status;
}
