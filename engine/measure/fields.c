#include "engine/measure/fields.h"

#include <stdlib.h>
#include <string.h>

#include "engine/measure/bodies.h"
#include "engine/measure/load.h"
#include "engine/measure/slices.h"
#include "engine/world/ranks.h"

enum { W = SCREE_SUM_WIDTH, ROW = W * SCREE_SLICES };

/* What is added up: first only the largest numbers are looked for, then sums are
 * made. */
typedef struct tally {
    const scree_bins *grid;
    const scree_world *world;
    const double *touches; /* by place */
    double most[W];
    scree_slices fold[W];
    double *sums; /* (cells x ROW); NULL: only the largest are looked for */
} tally;

static void add_number(tally *t, int64_t cell, int column, double x) {
    if (cell < 0) return;
    if (t->sums)
        scree_slices_add(&t->fold[column], x,
                         t->sums + cell * ROW + column * SCREE_SLICES);
    else
        t->most[column] = fmax(t->most[column], fabs(x));
}

static void add_tensor6(tally *t, int64_t cell, int column, double factor,
                        scree_vec3 a) {
    const double x[6] = {a.x * a.x, a.y * a.y, a.z * a.z,
                         a.x * a.y, a.y * a.z, a.x * a.z};
    for (int k = 0; k < 6; ++k) add_number(t, cell, column + k, factor * x[k]);
}

static void add_tensor9(tally *t, int64_t cell, int column, double factor,
                        scree_vec3 a, scree_vec3 b) {
    const double p[3] = {a.x, a.y, a.z}, q[3] = {b.x, b.y, b.z};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            add_number(t, cell, column + 3 * i + j, factor * p[i] * q[j]);
}

/* In the directions of the grid's coordinates at x. */
static scree_vec3 turn_at(const scree_bins *grid, scree_vec3 x, scree_vec3 a) {
    if (!grid->round) return a;
    const scree_mat3 basis = scree_bins_basis(grid, x);
    return mat3_mul_back(&basis, a);
}

/* ---- bodies ------------------------------------------------------------------- */

static void add_body(tally *t, int32_t i) {
    const scree_bodies *b = &t->world->state.bodies;
    const int64_t cell = scree_bins_cell(t->grid, b->x[i].x);
    if (cell < 0) return;
    if (scree_is_kinematic(&b->u[i])) return; /* as walls are not there */
    const double m = 1 / b->u[i].inv_m;
    const scree_vec3 v = turn_at(t->grid, b->x[i].x, b->u[i].v);
    add_number(t, cell, SCREE_SUM_BODIES, 1);
    add_number(t, cell, SCREE_SUM_MASS, m);
    add_number(t, cell, SCREE_SUM_VOLUME,
               m / t->world->scene.materials[b->material[i]].density);
    add_number(t, cell, SCREE_SUM_MOMENTUM, m * v.x);
    add_number(t, cell, SCREE_SUM_MOMENTUM + 1, m * v.y);
    add_number(t, cell, SCREE_SUM_MOMENTUM + 2, m * v.z);
    add_tensor6(t, cell, SCREE_SUM_FLOW, m, v);
    add_number(t, cell, SCREE_SUM_TOUCHES, t->touches[i]);
}

static void add_bodies(tally *t) {
    for (int32_t i = 0; i < t->world->state.bodies.n; ++i)
        if (scree_world_owns(t->world, i)) add_body(t, i);
}

/* ---- contacts ----------------------------------------------------------------- */

static void add_branch(tally *t, scree_vec3 x, scree_vec3 f, scree_vec3 l) {
    scree_bins_line line = scree_bins_cut(t->grid, x, l);
    while (scree_bins_next(&line))
        add_tensor9(t, line.cell, SCREE_SUM_STRESS, -line.share,
                    turn_at(t->grid, line.mid, f),
                    turn_at(t->grid, line.mid, l));
}

static void add_load(tally *t, const scree_load *load) {
    const scree_vec3 x = t->world->state.bodies.x[load->at_a].x;
    const scree_vec3 l = scree_load_branch(load);
    const scree_vec3 f = scale(1 / t->world->state.dt, load->P);
    const scree_vec3 mid = add_scaled(x, 0.5, l);
    const int64_t cell = scree_bins_cell(t->grid, mid);
    add_branch(t, x, f, l);
    if (cell < 0) return;
    add_number(t, cell, SCREE_SUM_CONTACTS, 1);
    add_number(t, cell, SCREE_SUM_FORCE, norm(f));
    add_tensor6(t, cell, SCREE_SUM_FABRIC, 1, turn_at(t->grid, mid, load->n));
}

static scree_status add_loads(tally *t) {
    scree_load_walk walk;
    scree_load load;
    TRY(scree_load_begin(&walk, t->world));
    while (scree_load_next(&walk, &load)) add_load(t, &load);
    scree_load_end(&walk);
    return SCREE_OK;
}

/* ---- all of it ---------------------------------------------------------------- */

static scree_status add_once(tally *t) {
    add_bodies(t);
    return scree_world_agree_on(t->world, add_loads(t), NULL);
}

static scree_status tally_twice(tally *t, double *folds, double *sums) {
    TRY(add_once(t));
    if (t->world->ranks.domain)
        scree_comm_max(scree_world_comm(t->world), t->most, W);
    for (int k = 0; k < W; ++k) t->fold[k] = scree_slices_for(t->most[k]);
    t->sums = folds;
    TRY(add_once(t));
    scree_slices_reduce(t->world->ranks.domain ? scree_world_comm(t->world)
                                               : NULL,
                        folds, scree_bins_cells(t->grid) * W, sums);
    return SCREE_OK;
}

scree_status scree_fields_add(const scree_bins *grid, const scree_world *world,
                              double *sums) {
    const size_t n = (size_t)scree_bins_cells(grid) * ROW;
    double *folds = calloc(n, sizeof *folds), *touches = NULL;
    scree_status status = scree_world_agree_on(
        world, folds ? SCREE_OK : SCREE_OUT_OF_MEMORY, NULL);
    if (status == SCREE_OK) status = scree_measure_touches(world, &touches);
    tally t = {.grid = grid, .world = world, .touches = touches};
    if (status == SCREE_OK) status = tally_twice(&t, folds, sums);
    free(folds);
    free(touches);
    return status;
}

/* ---- fields ------------------------------------------------------------------- */

static double quotient_of(double x, double by) {
    return by > 0 ? x / by : (double)NAN;
}

/* Sums over bodies of a cell of volume V, to fields. */
static void read_bodies(const double *s, double V, int d, double *f) {
    static const int row[6] = {0, 1, 2, 0, 1, 0},
                     column[6] = {0, 1, 2, 1, 2, 2};
    const double m = s[SCREE_SUM_MASS], *p = s + SCREE_SUM_MOMENTUM;
    f[SCREE_MEAN_SOLID] = s[SCREE_SUM_VOLUME] / V;
    f[SCREE_MEAN_DENSITY] = m / V;
    for (int k = 0; k < 3; ++k)
        f[SCREE_MEAN_VELOCITY + k] = quotient_of(p[k], m);
    for (int k = 0; k < 6; ++k) {
        const double mean = m > 0 ? p[row[k]] * p[column[k]] / m : 0;
        f[SCREE_MEAN_KINETIC + k] = (s[SCREE_SUM_FLOW + k] - mean) / V;
    }
    const double *S = f + SCREE_MEAN_KINETIC;
    /* Of one body alone rounding is all there is. */
    f[SCREE_MEAN_TEMPERATURE] =
        quotient_of(fmax(0, S[0] + S[1] + S[2]) * V, d * m);
    f[SCREE_MEAN_TOUCHES] =
        quotient_of(s[SCREE_SUM_TOUCHES], s[SCREE_SUM_BODIES]);
}

static void read_contacts(const double *s, double V, int d, double *f) {
    const double n = s[SCREE_SUM_CONTACTS];
    const double *k = f + SCREE_MEAN_KINETIC, *c = f + SCREE_MEAN_CONTACT;
    for (int i = 0; i < 9; ++i)
        f[SCREE_MEAN_CONTACT + i] = s[SCREE_SUM_STRESS + i] / V;
    for (int i = 0; i < 6; ++i)
        f[SCREE_MEAN_FABRIC + i] = quotient_of(s[SCREE_SUM_FABRIC + i], n);
    f[SCREE_MEAN_FORCE] = quotient_of(s[SCREE_SUM_FORCE], n);
    f[SCREE_MEAN_PRESSURE] = (k[0] + k[1] + k[2] + c[0] + c[4] + c[8]) / d;
}

/* ---- strain rate -------------------------------------------------------------- */

/* d v / d coordinate k at a cell, from neighbours that have bodies; 0 without any. */
static void differentiate_field(const scree_bins *g, const double *fields,
                                int64_t cell, int k, double out[3]) {
    const int64_t step[3] = {1, g->n[0], (int64_t)g->n[0] * g->n[1]};
    const int64_t at = cell / step[k] % g->n[k];
    const bool ring = g->round && k == 1 && g->n[1] > 2;
    int64_t low = at > 0 ? cell - step[k] : cell,
            high = at + 1 < g->n[k] ? cell + step[k] : cell;
    if (ring && low == cell) low = cell + (g->n[k] - 1) * step[k];
    if (ring && high == cell) high = cell - (g->n[k] - 1) * step[k];
    const double *v = fields + SCREE_MEAN_VELOCITY;
    if (isnan(v[low * SCREE_MEAN_WIDTH])) low = cell;
    if (isnan(v[high * SCREE_MEAN_WIDTH])) high = cell;
    const int n = (low != cell) + (high != cell);
    for (int i = 0; i < 3; ++i)
        out[i] = n ? (v[high * SCREE_MEAN_WIDTH + i] -
                      v[low * SCREE_MEAN_WIDTH + i]) /
                         (n * g->size[k])
                   : 0;
}

/* D[k]: the derivative along direction k; of a cylinder with the terms of its turning
 * directions. */
static void find_gradient(const scree_bins *g, const double *fields,
                          int64_t cell, double D[3][3]) {
    const double *v = fields + cell * SCREE_MEAN_WIDTH + SCREE_MEAN_VELOCITY;
    for (int k = 0; k < 3; ++k) differentiate_field(g, fields, cell, k, D[k]);
    if (!g->round) return;
    double middle[3];
    scree_bins_middle(g, cell, middle);
    D[1][0] = (D[1][0] - v[1]) / middle[0];
    D[1][1] = (D[1][1] + v[0]) / middle[0];
    D[1][2] = D[1][2] / middle[0];
}

static void find_strain(const scree_bins *g, double *fields, int64_t cell) {
    double *f = fields + cell * SCREE_MEAN_WIDTH, D[3][3];
    double *e = f + SCREE_MEAN_STRAIN;
    if (isnan(f[SCREE_MEAN_VELOCITY])) {
        for (int k = 0; k < 6; ++k) e[k] = (double)NAN;
        return;
    }
    find_gradient(g, fields, cell, D);
    e[0] = D[0][0], e[1] = D[1][1], e[2] = D[2][2];
    e[3] = 0.5 * (D[0][1] + D[1][0]);
    e[4] = 0.5 * (D[1][2] + D[2][1]);
    e[5] = 0.5 * (D[0][2] + D[2][0]);
}

void scree_fields_read(const scree_bins *grid, const double *sums,
                       double samples, double *fields) {
    const int64_t n = scree_bins_cells(grid);
    const int d = grid->planar ? 2 : 3;
    for (int64_t i = 0; i < n; ++i) {
        const double V = samples * scree_bins_volume(grid, i);
        double *f = fields + i * SCREE_MEAN_WIDTH;
        read_bodies(sums + i * W, V, d, f);
        read_contacts(sums + i * W, V, d, f);
    }
    for (int64_t i = 0; i < n; ++i) find_strain(grid, fields, i);
}
