#include "engine/measure/walls.h"

#include <stdlib.h>
#include <string.h>

#include "contact/surface/mesh.h"
#include "engine/measure/load.h"
#include "engine/measure/slices.h"
#include "engine/world/ranks.h"

static scree_vec3 contact_point(const scree_world *world,
                                const scree_load *load) {
    return add(world->state.bodies.x[load->at_a].x, load->arm_a);
}

static void add_vector(scree_ledger *ledger, int at, scree_vec3 a) {
    scree_ledger_add(ledger, at, a.x);
    scree_ledger_add(ledger, at + 1, a.y);
    scree_ledger_add(ledger, at + 2, a.z);
}

void scree_walls_count(scree_ledger *ledger, const scree_world *world) {
    const scree_wall *walls = world->scene.walls;
    scree_load_walk walk = {.world = world};
    scree_load load;
    for (int w = 0; w < world->scene.n_wall; ++w)
        add_vector(ledger, w * SCREE_WALL_WIDTH + SCREE_WALL_FORCE,
                   walls[w].percussion);
    while (scree_load_next(&walk, &load)) {
        if (load.b >= 0) continue;
        const int w = (int)(-1 - load.b);
        const scree_vec3 origin = walls[w].drive.turns
                                      ? walls[w].drive.origin
                                      : vec_from(walls[w].def.motion.origin);
        const scree_vec3 arm = sub(contact_point(world, &load), origin);
        add_vector(ledger, w * SCREE_WALL_WIDTH + SCREE_WALL_TORQUE,
                   cross(arm, scale(-1, load.P)));
    }
}

/* ---- cells of planes ------------------------------------------------------------ */

/* Squares of a plane: a corner is x + (first + k) size along each of two axes. */
typedef struct scree_wall_net {
    scree_vec3 along[2]; /* in the plane, unit length */
    double first[2], size[2];
    int64_t n[2];
} scree_wall_net;

/* As near to the axes as may be: the horizontal one first. */
static void choose_axes(scree_vec3 n, bool planar, scree_vec3 along[2]) {
    const scree_vec3 up = fabs(n.z) < 0.9 && !planar ? vec(0, 0, 1)
                          : planar                   ? vec(0, 0, 1)
                                                     : vec(0, 1, 0);
    const scree_vec3 t = cross(up, n);
    along[0] = scale(1 / norm(t), t);
    along[1] = cross(n, along[0]);
}

static void span_axis(scree_wall_net *net, int axis, double size,
                      const double min[3], const double max[3]) {
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < 8; ++k) {
        const scree_vec3 x = {k & 1 ? max[0] : min[0], k & 2 ? max[1] : min[1],
                              k & 4 ? max[2] : min[2]};
        low = fmin(low, dot(x, net->along[axis]));
        high = fmax(high, dot(x, net->along[axis]));
    }
    net->n[axis] = (int64_t)fmax(1, ceil((high - low) / size - 1e-9));
    net->size[axis] = (high - low) / (double)net->n[axis];
    net->first[axis] = low;
}

static scree_wall_net net_of(const scree_world *world, int wall, double size,
                             const double min[3], const double max[3]) {
    const bool planar = world->def.planar;
    scree_wall_net net;
    choose_axes(vec_from(world->scene.walls[wall].def.normal), planar,
                net.along);
    span_axis(&net, 0, size, min, max);
    span_axis(&net, 1, size, min, max);
    if (planar) net.n[1] = 1, net.size[1] = 1, net.first[1] = -0.5;
    return net;
}

/* Squares of the plane through its point. */
static void list_squares(const scree_wall_net *net, int wall,
                         const scree_plane_def *def, scree_wall_cell *list) {
    static const int corner[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    const scree_vec3 n = vec_from(def->normal);
    const scree_vec3 foot = scale(dot(n, vec_from(def->point)), n);
    for (int64_t k = 0; k < net->n[0] * net->n[1]; ++k) {
        const int64_t at[2] = {k % net->n[0], k / net->n[0]};
        scree_wall_cell *cell = &list[k];
        *cell = (scree_wall_cell){
            .wall = wall, .corners = 4, .area = net->size[0] * net->size[1]};
        for (int c = 0; c < 4; ++c) {
            scree_vec3 x = foot;
            for (int i = 0; i < 2; ++i)
                x = add_scaled(x,
                               net->first[i] + (double)(at[i] + corner[c][i]) *
                                                   net->size[i],
                               net->along[i]);
            cell->p[c] = x;
        }
    }
}

/* ---- cells of meshes ------------------------------------------------------------ */

static void list_triangles(const scree_mesh *mesh, int wall,
                           scree_wall_cell *list) {
    for (int32_t k = 0; k < mesh->n_triangle; ++k) {
        scree_wall_cell *cell = &list[k];
        *cell = (scree_wall_cell){.wall = wall, .corners = 3};
        for (int c = 0; c < 3; ++c)
            cell->p[c] = mesh->vertex[mesh->corner[k][c]];
        cell->area = 0.5 * norm(cross(sub(cell->p[1], cell->p[0]),
                                      sub(cell->p[2], cell->p[0])));
    }
}

static double distance_to_edge(scree_vec3 x, scree_vec3 p, scree_vec3 q) {
    const scree_vec3 e = sub(q, p);
    const double s = dot(sub(x, p), e) / dot(e, e);
    return norm(sub(x, add_scaled(p, fmin(1, fmax(0, s)), e)));
}

static double distance_to_triangle(const scree_mesh *mesh, int32_t k,
                                   scree_vec3 x) {
    const scree_vec3 n = mesh->normal[k];
    double edges = INFINITY;
    bool inside = true;
    for (int c = 0; c < 3; ++c) {
        const scree_vec3 p = mesh->vertex[mesh->corner[k][c]],
                         q = mesh->vertex[mesh->corner[k][scree_next(c)]];
        inside = inside && dot(cross(n, sub(q, p)), sub(x, p)) >= 0;
        edges = fmin(edges, distance_to_edge(x, p, q));
    }
    const scree_vec3 p = mesh->vertex[mesh->corner[k][0]];
    return inside ? fabs(dot(n, sub(x, p))) : edges;
}

typedef struct search {
    const scree_mesh *mesh;
    scree_vec3 x;
    double distance;
    int32_t nearest; /* -1: none yet */
} search;

static void look_at_triangle(void *context, int32_t k) {
    search *s = context;
    const double d = distance_to_triangle(s->mesh, k, s->x);
    if (d > s->distance || (d == s->distance && k >= s->nearest)) return;
    s->distance = d;
    s->nearest = k;
}

/* In boxes that grow until one holds a triangle nearer than its sides. */
static int32_t nearest_triangle(const scree_mesh *mesh, scree_vec3 x,
                                double reach) {
    for (;; reach *= 4) {
        const scree_vec3 r = {reach, reach, reach};
        const scree_box box = {sub(x, r), add(x, r)};
        search s = {mesh, x, INFINITY, -1};
        scree_bvh_query(&mesh->bvh, &box, look_at_triangle, &s);
        if (s.nearest >= 0 && s.distance <= reach) return s.nearest;
        if (!(reach < 1e30)) return 0;
    }
}

/* ---- all cells ------------------------------------------------------------------ */

static int64_t count_cells(const scree_world *world, int wall,
                           const scree_wall_net *net) {
    const scree_wall *w = &world->scene.walls[wall];
    if (w->mesh) return w->mesh->n_triangle;
    const bool flat =
        scree_plane_kind(&world->scene.planes[wall]) == SCREE_GROUND_PLANE;
    return flat ? net->n[0] * net->n[1] : 0;
}

static void list_cells(const scree_world *world, int wall,
                       scree_wall_cells *cells) {
    const scree_wall *w = &world->scene.walls[wall];
    scree_wall_cell *list = cells->list + cells->first[wall];
    if (w->mesh)
        list_triangles(w->mesh, wall, list);
    else if (cells->first[wall + 1] > cells->first[wall])
        list_squares(&cells->nets[wall], wall, &w->def, list);
}

scree_status scree_wall_cells_make(const scree_world *world, double size,
                                   const double min[3], const double max[3],
                                   scree_wall_cells *cells) {
    const int n = world->scene.n_wall;
    *cells = (scree_wall_cells){.n_wall = n};
    cells->first = calloc((size_t)n + 1, sizeof *cells->first);
    cells->nets = calloc((size_t)n + 1, sizeof *cells->nets);
    if (!cells->first || !cells->nets) return SCREE_OUT_OF_MEMORY;
    for (int w = 0; w < n; ++w) {
        const bool flat =
            scree_plane_kind(&world->scene.planes[w]) == SCREE_GROUND_PLANE;
        if (flat) cells->nets[w] = net_of(world, w, size, min, max);
        cells->first[w + 1] =
            cells->first[w] + count_cells(world, w, &cells->nets[w]);
    }
    cells->n = cells->first[n];
    cells->list = calloc((size_t)cells->n + 1, sizeof *cells->list);
    if (!cells->list) return SCREE_OUT_OF_MEMORY;
    for (int w = 0; w < n; ++w) list_cells(world, w, cells);
    return SCREE_OK;
}

void scree_wall_cells_free(scree_wall_cells *cells) {
    free(cells->list);
    free(cells->first);
    free(cells->nets);
    *cells = (scree_wall_cells){0};
}

/* Squares of a plane stay where they are along it, and move with it across. */
scree_vec3 scree_wall_cell_corner(const scree_world *world,
                                  const scree_wall_cell *cell, int k) {
    const scree_plane now = scree_world_wall_plane(world, cell->wall);
    const scree_vec3 p = cell->p[k];
    if (scree_plane_is_surface(&now)) return add(now.x, mat3_mul(&now.R, p));
    return add_scaled(p, now.d - dot(now.n, p), now.n);
}

/* -1: outside of all squares. */
static int64_t cell_of(const scree_wall_cells *cells, const scree_world *world,
                       const scree_load *load) {
    const int w = (int)(-1 - load->b);
    const scree_plane *plane = &world->scene.planes[w];
    const scree_vec3 x = contact_point(world, load);
    if (plane->mesh) {
        const scree_vec3 y = mat3_mul_back(&plane->R, sub(x, plane->x));
        return cells->first[w] +
               nearest_triangle(plane->mesh, y, 0.1 * norm(load->arm_a));
    }
    if (scree_plane_is_surface(plane)) return -1;
    const scree_wall_net *net = &cells->nets[w];
    int64_t at[2];
    for (int i = 0; i < 2; ++i) {
        const double s =
            floor((dot(x, net->along[i]) - net->first[i]) / net->size[i]);
        if (!(s >= 0 && s < (double)net->n[i])) return -1;
        at[i] = (int64_t)s;
    }
    return cells->first[w] + at[0] + net->n[0] * at[1];
}

/* ---- pressure ------------------------------------------------------------------- */

enum { W = SCREE_PRESS_WIDTH, ROW = W * SCREE_SLICES };

static void press_of(const scree_load *load, double dt, double out[W]) {
    out[SCREE_PRESS_NORMAL] = load->P_n / dt;
    vec_to(scale(-1 / dt, load->P), out + SCREE_PRESS_FORCE);
}

static double largest_press(const scree_world *world) {
    scree_load_walk walk = {.world = world};
    scree_load load;
    double most = 0;
    while (scree_load_next(&walk, &load))
        if (load.b < 0) most = fmax(most, norm(load.P));
    return scree_world_most(world, most / world->state.dt);
}

/* Adds to folds, (cells x ROW), what this rank has. */
static void add_press(const scree_wall_cells *cells, const scree_world *world,
                      const scree_slices *fold, double *folds) {
    scree_load_walk walk = {.world = world};
    scree_load load;
    while (scree_load_next(&walk, &load)) {
        if (load.b >= 0) continue;
        const int64_t cell = cell_of(cells, world, &load);
        double x[W];
        if (cell < 0) continue;
        press_of(&load, world->state.dt, x);
        for (int k = 0; k < W; ++k)
            scree_slices_add(fold, x[k], folds + cell * ROW + k * SCREE_SLICES);
    }
}

scree_status scree_wall_cells_add(const scree_wall_cells *cells,
                                  const scree_world *world, double *sums) {
    double *folds = calloc((size_t)cells->n * ROW + 1, sizeof *folds);
    TRY(scree_world_agree_on(world, folds ? SCREE_OK : SCREE_OUT_OF_MEMORY,
                             NULL));
    const scree_slices fold = scree_slices_for(largest_press(world));
    add_press(cells, world, &fold, folds);
    scree_slices_reduce(world->ranks.domain ? scree_world_comm(world) : NULL,
                        folds, cells->n * W, sums);
    free(folds);
    return SCREE_OK;
}
