#include "engine/measure/bins.h"

#include <string.h>

scree_bins scree_bins_box(const double min[3], const double max[3],
                          const int64_t n[3], bool planar) {
    scree_bins g = {.planar = planar};
    for (int k = 0; k < 3; ++k) {
        g.n[k] = (int)n[k];
        g.first[k] = min[k];
        g.size[k] = (max[k] - min[k]) / (double)n[k];
    }
    if (planar) g.n[2] = 1, g.first[2] = -0.5, g.size[2] = 1;
    return g;
}

scree_bins scree_bins_cylinder(const double base[3], const double axis[3],
                               double radius, double height,
                               const int64_t n[3]) {
    const scree_vec3 a = vec_from(axis), z = scale(1 / norm(a), a);
    const scree_vec3 x = perpendicular(z);
    const double size[3] = {radius, 2 * SCREE_PI, height};
    scree_bins g = {
        .round = true, .origin = vec_from(base), .axes = {x, cross(z, x), z}};
    for (int k = 0; k < 3; ++k) {
        g.n[k] = (int)n[k];
        g.size[k] = size[k] / (double)n[k];
    }
    return g;
}

/* ---- places ------------------------------------------------------------------- */

static void find_coordinates(const scree_bins *g, scree_vec3 x, double out[3]) {
    vec_to(x, out);
    if (g->planar) out[2] = 0;
    if (!g->round) return;
    const scree_vec3 y = mat3_mul_back(&g->axes, sub(x, g->origin));
    const double turn = scree_atan2(y.y, y.x);
    out[0] = sqrt(y.x * y.x + y.y * y.y);
    out[1] = turn < 0 ? turn + 2 * SCREE_PI : turn;
    out[2] = y.z;
}

static int64_t cell_at(const scree_bins *g, const double x[3]) {
    int64_t at[3];
    for (int k = 0; k < 3; ++k) {
        const double s = floor((x[k] - g->first[k]) / g->size[k]);
        if (!(s >= 0 && s < g->n[k])) {
            /* 2 pi is 0. */
            if (!(g->round && k == 1 && s >= 0)) return -1;
            at[k] = g->n[k] - 1;
        } else
            at[k] = (int64_t)s;
    }
    return at[0] + g->n[0] * (at[1] + g->n[1] * at[2]);
}

int64_t scree_bins_cell(const scree_bins *g, scree_vec3 x) {
    double c[3];
    find_coordinates(g, x, c);
    return cell_at(g, c);
}

scree_mat3 scree_bins_basis(const scree_bins *g, scree_vec3 x) {
    static const scree_mat3 fixed = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    if (!g->round) return fixed;
    const scree_vec3 d = sub(x, g->origin), z = g->axes.z;
    const scree_vec3 out = add_scaled(d, -dot(d, z), z);
    const double r = norm(out);
    const scree_vec3 e = r > 0 ? scale(1 / r, out) : g->axes.x;
    return (scree_mat3){e, cross(z, e), z};
}

static void split_cell(const scree_bins *g, int64_t cell, int at[3]) {
    at[0] = (int)(cell % g->n[0]);
    at[1] = (int)(cell / g->n[0] % g->n[1]);
    at[2] = (int)(cell / g->n[0] / g->n[1]);
}

void scree_bins_middle(const scree_bins *g, int64_t cell, double out[3]) {
    int at[3];
    split_cell(g, cell, at);
    for (int k = 0; k < 3; ++k)
        out[k] = g->first[k] + (at[k] + 0.5) * g->size[k];
}

/* Of a cylinder r dr dtheta dz with r at the middle, which is exact. */
double scree_bins_volume(const scree_bins *g, int64_t cell) {
    double middle[3];
    scree_bins_middle(g, cell, middle);
    return g->size[0] * g->size[1] * g->size[2] * (g->round ? middle[0] : 1);
}

static scree_vec3 place_of(const scree_bins *g, const double c[3]) {
    if (!g->round) return vec_from(c);
    const scree_vec3 y = {c[0] * scree_cos(c[1]), c[0] * scree_sin(c[1]), c[2]};
    return add(g->origin, mat3_mul(&g->axes, y));
}

scree_vec3 scree_bins_corner(const scree_bins *g, const int at[3]) {
    double c[3];
    for (int k = 0; k < 3; ++k) c[k] = g->first[k] + at[k] * g->size[k];
    if (g->planar) c[2] = 0;
    return place_of(g, c);
}

/* ---- segments ----------------------------------------------------------------- */

enum { PIECES = 32 };

scree_bins_line scree_bins_cut(const scree_bins *grid, scree_vec3 x,
                               scree_vec3 d) {
    return (scree_bins_line){.grid = grid, .x = x, .d = d};
}

/* Where the way from share `at` on first meets a face of the grid's planes, at most
 * 1. */
static double next_face(const scree_bins_line *l) {
    const scree_bins *g = l->grid;
    const double x[3] = {l->x.x, l->x.y, l->x.z},
                 d[3] = {l->d.x, l->d.y, l->d.z};
    double next = 1;
    for (int k = 0; k < 3; ++k) {
        if (d[k] == 0 || (g->planar && k == 2)) continue;
        const double s = (x[k] + l->at * d[k] - g->first[k]) / g->size[k];
        const double step = d[k] > 0 ? 1 : -1;
        double face = d[k] > 0 ? floor(s) + 1 : ceil(s) - 1;
        double t = (g->first[k] + face * g->size[k] - x[k]) / d[k];
        if (t <= l->at) /* rounding: it stands on this face */
            t = (g->first[k] + (face + step) * g->size[k] - x[k]) / d[k];
        next = fmin(next, t);
    }
    return next;
}

bool scree_bins_next(scree_bins_line *l) {
    if (l->at >= 1) return false;
    const double to =
        l->grid->round ? fmin(1, l->at + 1.0 / PIECES) : next_face(l);
    l->share = to - l->at;
    l->mid = add_scaled(l->x, 0.5 * (l->at + to), l->d);
    l->cell = scree_bins_cell(l->grid, l->mid);
    l->at = to;
    return true;
}

/* ---- smoothing ---------------------------------------------------------------- */

static double lucy_weight(double s) {
    const double t = 1 - s;
    return s < 1 ? (1 + 3 * s) * t * t * t : 0;
}

/* A cell and those that may be near it. */
typedef struct patch {
    double middle[3];
    int low[3], high[3];
} patch;

/* Along theta all cells are looked at: near the axis all are near. */
static patch patch_around(const scree_bins *g, int64_t cell, double reach) {
    patch p;
    int at[3];
    split_cell(g, cell, at);
    scree_bins_middle(g, cell, p.middle);
    for (int k = 0; k < 3; ++k) {
        const bool all = g->round && k == 1;
        const double span = all ? g->n[k] : fmin(ceil(reach / g->size[k]), 1e9);
        p.low[k] = (int)fmax(0, at[k] - span);
        p.high[k] = (int)fmin(g->n[k] - 1, at[k] + span);
        if (g->n[k] == 1) p.low[k] = p.high[k] = 0;
    }
    return p;
}

/* Squared distance of middles along what has more than one cell. */
static double distance2(const scree_bins *g, const double a[3],
                        const double b[3]) {
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
        if (g->n[k] == 1 || (g->round && k == 1)) continue;
        sum += (a[k] - b[k]) * (a[k] - b[k]);
    }
    if (g->round && g->n[1] > 1) { /* chord */
        const double chord = 2 * scree_sin(0.5 * (a[1] - b[1]));
        sum += a[0] * b[0] * chord * chord;
    }
    return sum;
}

/* Calls for all cells of the patch with their weights; `total` is the sum of them. */
static double weigh_patch(const scree_bins *g, const patch *p, double reach,
                          double share, int width, const double *row,
                          double *to) {
    double total = 0;
    for (int k = p->low[2]; k <= p->high[2]; ++k)
        for (int j = p->low[1]; j <= p->high[1]; ++j)
            for (int i = p->low[0]; i <= p->high[0]; ++i) {
                const int64_t cell = i + g->n[0] * (j + (int64_t)g->n[1] * k);
                double middle[3];
                scree_bins_middle(g, cell, middle);
                const double w =
                    lucy_weight(sqrt(distance2(g, p->middle, middle)) / reach);
                total += w;
                for (int c = 0; row && w > 0 && c < width; ++c)
                    to[cell * width + c] += share * w * row[c];
            }
    return total;
}

void scree_bins_smooth(const scree_bins *g, double reach, int width,
                       const double *from, double *to) {
    const int64_t n = scree_bins_cells(g);
    memset(to, 0, (size_t)(n * width) * sizeof *to);
    for (int64_t cell = 0; cell < n; ++cell) {
        const double *row = from + cell * width;
        bool empty = true;
        for (int c = 0; c < width && empty; ++c) empty = row[c] == 0;
        if (empty) continue;
        const patch p = patch_around(g, cell, reach);
        const double total = weigh_patch(g, &p, reach, 0, width, NULL, NULL);
        weigh_patch(g, &p, reach, 1 / total, width, row, to);
    }
}
