#include "contact/surface/heightfield.h"

#include <stdlib.h>
#include <string.h>

#include "contact/surface/triangle_touch.h"

/* Edges of a vertex: to i + 1, to j + 1, to both. */
enum { ALONG_X, ALONG_Y, DIAGONAL };
enum { PEAK = 1 << 6 };

/* ---- the grid ----------------------------------------------------------- */

/* Triangle `half` of a cell: its corners, the vertex and direction of its edges,
 * and the triangles beyond them. */
static const struct layout {
    int corner[3][2];
    int edge[3][3];
    int across[3][3];
} layouts[2] = {
    {{{0, 0}, {1, 0}, {1, 1}},
     {{0, 0, ALONG_X}, {1, 0, ALONG_Y}, {0, 0, DIAGONAL}},
     {{0, -1, 1}, {1, 0, 1}, {0, 0, 1}}},
    {{{0, 0}, {1, 1}, {0, 1}},
     {{0, 0, DIAGONAL}, {0, 1, ALONG_X}, {0, 0, ALONG_Y}},
     {{0, 0, 0}, {0, 1, 0}, {-1, 0, 0}}},
};

static int vertex_at(const scree_heightfield *h, int i, int j) {
    return j * h->nx + i;
}

static scree_vec3 place_of(const scree_heightfield *h, int i, int j) {
    return vec(h->x0 + i * h->cell, h->y0 + j * h->cell,
               h->z[vertex_at(h, i, j)]);
}

static scree_vec3 normal_of(const scree_heightfield *h, int i, int j,
                            int half) {
    const double *z = h->z + vertex_at(h, i, j);
    const double z00 = z[0], z10 = z[1], z01 = z[h->nx], z11 = z[h->nx + 1];
    const double dx = half ? z11 - z01 : z10 - z00;
    const double dy = half ? z01 - z00 : z11 - z10;
    const double s = 1 / sqrt(dx * dx + dy * dy + h->cell * h->cell);
    return vec(-s * dx, -s * dy, s * h->cell);
}

static bool is_cell(const scree_heightfield *h, int i, int j) {
    return i >= 0 && j >= 0 && i < h->nx - 1 && j < h->ny - 1;
}

static uint32_t triangle_at(const scree_heightfield *h, int i, int j,
                            int half) {
    return 2 * ((uint32_t)j * (uint32_t)(h->nx - 1) + (uint32_t)i) +
           (uint32_t)half;
}

/* The wall at the border stands upright. */
static scree_vec3 wall_normal(scree_vec3 a, scree_vec3 b) {
    const scree_vec3 n = vec(b.y - a.y, a.x - b.x, 0);
    return scale(1 / norm(n), n);
}

static void read_corners(const scree_heightfield *h, int i, int j, int half,
                         scree_vec3 p[3]) {
    for (int k = 0; k < 3; ++k) {
        const int *c = layouts[half].corner[k];
        p[k] = place_of(h, i + c[0], j + c[1]);
    }
}

scree_facet scree_heightfield_facet(const scree_heightfield *h, int i, int j,
                                    int half) {
    const struct layout *l = &layouts[half];
    scree_facet f = {.n = normal_of(h, i, j, half),
                     .patch = h->patch[triangle_at(h, i, j, half)]};
    read_corners(h, i, j, half, f.p);
    for (int k = 0; k < 3; ++k) {
        const int v = vertex_at(h, i + l->corner[k][0], j + l->corner[k][1]);
        const int e = vertex_at(h, i + l->edge[k][0], j + l->edge[k][1]);
        const int direction = l->edge[k][2];
        const int a = i + l->across[k][0], b = j + l->across[k][1];
        f.vertex[k] = (uint32_t)v;
        f.peak[k] = h->folds[v] & PEAK;
        f.edge[k] = 3 * (uint32_t)e + (uint32_t)direction;
        f.fold[k] = (scree_fold)(h->folds[e] >> 2 * direction & 3);
        f.beyond[k] = is_cell(h, a, b)
                          ? normal_of(h, a, b, l->across[k][2])
                          : wall_normal(f.p[k], f.p[scree_next(k)]);
    }
    return f;
}

/* ---- making ------------------------------------------------------------- */

/* Every edge is found from each of its triangles: they agree. */
static void find_folds(scree_heightfield *h, int i, int j, int half) {
    const struct layout *l = &layouts[half];
    scree_vec3 p[3];
    read_corners(h, i, j, half, p);
    for (int k = 0; k < 3; ++k) {
        const int *c = l->corner[k], *d = l->corner[scree_next(k)];
        const int a = i + l->across[k][0], b = j + l->across[k][1];
        scree_fold fold = SCREE_BORDER;
        if (is_cell(h, a, b))
            fold = scree_fold_between(sub(p[scree_next(k)], p[k]),
                                      normal_of(h, i, j, half),
                                      normal_of(h, a, b, l->across[k][2]));
        const int e = vertex_at(h, i + l->edge[k][0], j + l->edge[k][1]);
        h->folds[e] |= (uint8_t)((unsigned)fold << 2 * l->edge[k][2]);
        if (!scree_fold_sticks_out(fold)) continue;
        h->folds[vertex_at(h, i + c[0], j + c[1])] |= PEAK;
        h->folds[vertex_at(h, i + d[0], j + d[1])] |= PEAK;
    }
}

static uint32_t root_of(uint32_t *patch, uint32_t i) {
    while (patch[i] != i) i = patch[i] = patch[patch[i]];
    return i;
}

static void join_patches(scree_heightfield *h, int i, int j, int half) {
    const scree_facet f = scree_heightfield_facet(h, i, j, half);
    for (int k = 0; k < 3; ++k) {
        const int *to = layouts[half].across[k];
        if (f.fold[k] != SCREE_FLAT) continue;
        const uint32_t a = root_of(h->patch, triangle_at(h, i, j, half));
        const uint32_t b =
            root_of(h->patch, triangle_at(h, i + to[0], j + to[1], to[2]));
        h->patch[a > b ? a : b] = a > b ? b : a;
    }
}

static void for_triangles(scree_heightfield *h,
                          void (*work)(scree_heightfield *, int, int, int)) {
    for (int j = 0; j < h->ny - 1; ++j)
        for (int i = 0; i < h->nx - 1; ++i)
            for (int half = 0; half < 2; ++half) work(h, i, j, half);
}

static scree_status check_heights(const scree_heights *g, scree_error *error) {
    if (g->nx < 2 || g->ny < 2 || (int64_t)g->nx * g->ny > INT32_MAX / 3)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "a height field cannot have %d x %d heights", g->nx,
                          g->ny);
    if (!(g->cell > 0) || !isfinite(g->cell + g->x0 + g->y0))
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "the cells of a height field cannot have size %g",
                          g->cell);
    for (int k = 0; k < g->nx * g->ny; ++k)
        if (!isfinite(g->z[k]))
            return scree_fail(error, SCREE_BAD_ARGUMENT,
                              "height %d, %d of the height field is not finite",
                              k % g->nx, k / g->nx);
    return SCREE_OK;
}

static void fill_field(scree_heightfield *h, const double *z) {
    const size_t n = (size_t)h->nx * (size_t)h->ny;
    const uint32_t triangles = triangle_at(h, 0, h->ny - 1, 0);
    memcpy(h->z, z, n * sizeof *z);
    h->z_min = h->z_max = z[0];
    for (size_t k = 1; k < n; ++k) {
        h->z_min = fmin(h->z_min, z[k]);
        h->z_max = fmax(h->z_max, z[k]);
    }
    for (uint32_t t = 0; t < triangles; ++t) h->patch[t] = t;
    for_triangles(h, find_folds);
    for_triangles(h, join_patches);
    for (uint32_t t = 0; t < triangles; ++t) h->patch[t] = root_of(h->patch, t);
}

scree_status scree_heightfield_make(scree_heightfield *h,
                                    const scree_heights *g,
                                    scree_error *error) {
    *h = (scree_heightfield){0};
    TRY(check_heights(g, error));
    const size_t n = (size_t)g->nx * (size_t)g->ny;
    *h = (scree_heightfield){.nx = g->nx,
                             .ny = g->ny,
                             .x0 = g->x0,
                             .y0 = g->y0,
                             .cell = g->cell,
                             .z = malloc(n * sizeof *h->z),
                             .folds = calloc(n, sizeof *h->folds),
                             .patch = malloc(2 * n * sizeof *h->patch)};
    if (!h->z || !h->folds || !h->patch) {
        scree_heightfield_free(h);
        return SCREE_OUT_OF_MEMORY;
    }
    fill_field(h, g->z);
    return SCREE_OK;
}

void scree_heightfield_free(scree_heightfield *h) {
    free(h->z);
    free(h->folds);
    free(h->patch);
    *h = (scree_heightfield){0};
}

/* ---- cells -------------------------------------------------------------- */

typedef struct cells {
    int i0, i1, j0, j1; /* inclusive; i0 > i1 or j0 > j1: none */
} cells;

/* Clamps before the cast: bodies may be far away. */
static int cell_of(double x, double x0, double cell, int lo, int hi) {
    const double i = floor((x - x0) / cell);
    return i < lo ? lo : i > hi ? hi : (int)i;
}

/* One cell more on each side where rounding could decide. */
static cells cells_in(const scree_heightfield *h, const scree_box *b) {
    const double more = 1e-9 * h->cell;
    return (cells){
        cell_of(b->lo.x - more, h->x0, h->cell, 0, h->nx - 1),
        cell_of(b->hi.x + more, h->x0, h->cell, -1, h->nx - 2),
        cell_of(b->lo.y - more, h->y0, h->cell, 0, h->ny - 1),
        cell_of(b->hi.y + more, h->y0, h->cell, -1, h->ny - 2),
    };
}

static double cell_top(const scree_heightfield *h, int i, int j) {
    const double *z = h->z + vertex_at(h, i, j);
    return fmax(fmax(z[0], z[1]), fmax(z[h->nx], z[h->nx + 1]));
}

typedef struct spot {
    int i, j, half;
    bool on; /* the field */
} spot;

static spot spot_at(const scree_heightfield *h, double x, double y) {
    const double a = (x - h->x0) / h->cell, b = (y - h->y0) / h->cell;
    if (!(a >= 0 && b >= 0 && a <= h->nx - 1 && b <= h->ny - 1))
        return (spot){.on = false};
    const int i = a < h->nx - 1 ? (int)a : h->nx - 2;
    const int j = b < h->ny - 1 ? (int)b : h->ny - 2;
    return (spot){i, j, b - j > a - i, true};
}

double scree_heightfield_height(const scree_heightfield *h, double x,
                                double y) {
    const spot s = spot_at(h, x, y);
    if (!s.on) return -INFINITY;
    const scree_vec3 n = normal_of(h, s.i, s.j, s.half),
                     p = place_of(h, s.i, s.j);
    return p.z - (n.x * (x - p.x) + n.y * (y - p.y)) / n.z;
}

/* ---- touches ------------------------------------------------------------ */

static bool in_cone(const void *surface, uint32_t vertex, scree_vec3 d,
                    double slope) {
    static const int ring[6][2] = {{1, 0},  {1, 1},   {0, 1},
                                   {-1, 0}, {-1, -1}, {0, -1}};
    const scree_heightfield *h = surface;
    const int i = (int)vertex % h->nx, j = (int)vertex / h->nx;
    const double size = slope * norm(d);
    for (int k = 0; k < 6; ++k) {
        const int a = i + ring[k][0], b = j + ring[k][1];
        if (a < 0 || b < 0 || a >= h->nx || b >= h->ny) continue;
        const scree_vec3 e = vec(ring[k][0] * h->cell, ring[k][1] * h->cell,
                                 h->z[vertex_at(h, a, b)] - h->z[vertex]);
        if (dot(e, d) > size * norm(e)) return false;
    }
    return true;
}

typedef void facet_work(scree_probe *probe, const scree_facet *f);

static void meet_half(const scree_heightfield *h, scree_probe *probe, int i,
                      int j, int half, facet_work *work) {
    scree_vec3 p[3];
    read_corners(h, i, j, half, p);
    if (scree_probe_skips(probe, p, normal_of(h, i, j, half))) return;
    const scree_facet f = scree_heightfield_facet(h, i, j, half);
    work(probe, &f);
}

static void for_facets(const scree_heightfield *h, scree_probe *probe,
                       facet_work *work) {
    const scree_box box = scree_probe_box(probe);
    const cells c = cells_in(h, &box);
    for (int j = c.j0; j <= c.j1; ++j)
        for (int i = c.i0; i <= c.i1; ++i) {
            if (cell_top(h, i, j) < box.lo.z) continue;
            for (int half = 0; half < 2; ++half)
                meet_half(h, probe, i, j, half, work);
        }
}

int scree_heightfield_touch(const scree_heightfield *h, const scree_placed *a,
                            double reach, scree_touch *touches) {
    scree_probe probe;
    scree_probe_begin(&probe, a, reach, h, in_cone);
    if (a->x.z < scree_heightfield_height(h, a->x.x, a->x.y)) {
        const spot s = spot_at(h, a->x.x, a->x.y);
        const scree_facet f = scree_heightfield_facet(h, s.i, s.j, s.half);
        scree_probe_plane(&probe, &f);
    } else {
        for_facets(h, &probe, scree_probe_facet);
        if (scree_probe_lost(&probe)) for_facets(h, &probe, scree_probe_rescue);
    }
    return scree_probe_end(&probe, touches);
}

/* ---- sweeps ------------------------------------------------------------- */

/* All triangles near the ball's path from time t0 to t1. */
static bool sweep_piece(const scree_heightfield *h, scree_ball ball,
                        scree_vec3 d, double t0, double t1, scree_hit *hit) {
    const scree_vec3 ends[2] = {add_scaled(ball.x, t0, d),
                                add_scaled(ball.x, t1, d)};
    const scree_vec3 r = vec(ball.r, ball.r, ball.r);
    scree_box box = scree_box_of_points(ends, 2);
    box = (scree_box){sub(box.lo, r), add(box.hi, r)};
    const cells c = cells_in(h, &box);
    bool found = false;
    for (int j = c.j0; j <= c.j1; ++j)
        for (int i = c.i0; i <= c.i1; ++i) {
            if (cell_top(h, i, j) < box.lo.z) continue;
            for (int half = 0; half < 2; ++half) {
                scree_vec3 p[3];
                read_corners(h, i, j, half, p);
                found |= scree_triangle_sweep(p, normal_of(h, i, j, half), ball,
                                              d, hit);
            }
        }
    return found;
}

/* Pieces as long as a cell or the ball, whichever is larger: each looks at few
 * cells, and the first that is hit before its end is the last. */
bool scree_heightfield_sweep(const scree_heightfield *h, scree_ball ball,
                             scree_vec3 d, scree_hit *hit) {
    const scree_box box = {vec(h->x0, h->y0, h->z_min),
                           vec(h->x0 + (h->nx - 1) * h->cell,
                               h->y0 + (h->ny - 1) * h->cell, h->z_max)};
    double t0 = 0, t1 = 1;
    const scree_ball wide = {ball.x, ball.r * (1 + 1e-12)};
    if (!scree_box_near_path(&box, wide, d, &t0, &t1)) return false;
    const double length = (t1 - t0) * scree_hypot(d.x, d.y);
    const int pieces = 1 + (int)(length / fmax(h->cell, 2 * ball.r));
    scree_hit first = scree_no_hit();
    bool found = false;
    for (int k = 0; k < pieces; ++k) {
        const double a = t0 + (t1 - t0) * k / pieces;
        const double b = t0 + (t1 - t0) * (k + 1) / pieces;
        found |= sweep_piece(h, ball, d, a, b, &first);
        if (found && first.t <= b) break;
    }
    if (found) *hit = first;
    return found;
}
