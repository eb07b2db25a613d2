/* overlap.c: how far the spheres of a bed lie in each other and in the walls.
 * From positions and radii alone, so that every code is measured by the same
 * ruler, whatever it calls a contact. */
#include <math.h>
#include <stdlib.h>

#include "tests/bench/bench.h"

/* A sphere that has left the others far behind must not make the grid huge: it
 * goes to the last cell of its row. */
enum { MOST_CELLS = 128 };

/* Spheres by cell; cells are as wide as the largest sphere, so that what
 * touches is in the same or the next one. */
typedef struct grid {
    double low[3], width;
    int cells[3];
    int64_t *head, *next; /* first sphere of a cell, next one of it, or -1 */
} grid;

static void span(const bench_bed *bed, double low[3], double high[3],
                 double *radius) {
    *radius = 0;
    for (int k = 0; k < 3; ++k) low[k] = high[k] = bed->bodies[0].x[k];
    for (int64_t i = 0; i < bed->n; ++i) {
        const bench_body *b = &bed->bodies[i];
        *radius = fmax(*radius, b->r);
        for (int k = 0; k < 3; ++k) {
            low[k] = fmin(low[k], b->x[k]);
            high[k] = fmax(high[k], b->x[k]);
        }
    }
}

static void cell_of(const grid *g, const double x[3], int at[3]) {
    for (int k = 0; k < 3; ++k) {
        const double c = floor((x[k] - g->low[k]) / g->width);
        at[k] = (int)fmin(c, g->cells[k] - 1);
    }
}

static int64_t index_of(const grid *g, const int at[3]) {
    return ((int64_t)at[2] * g->cells[1] + at[1]) * g->cells[0] + at[0];
}

static grid make_grid(const bench_bed *bed) {
    grid g;
    double high[3], radius;
    span(bed, g.low, high, &radius);
    g.width = 2 * radius;
    int64_t count = 1;
    for (int k = 0; k < 3; ++k) {
        const double cells = floor((high[k] - g.low[k]) / g.width) + 1;
        g.cells[k] = (int)fmin(cells, MOST_CELLS);
        count *= g.cells[k];
    }
    g.head = malloc((size_t)count * sizeof *g.head);
    g.next = malloc((size_t)bed->n * sizeof *g.next);
    if (!g.head || !g.next) bench_die("out of memory for a grid");
    for (int64_t c = 0; c < count; ++c) g.head[c] = -1;
    return g;
}

static void add(bench_overlap *o, double depth) {
    if (depth <= 0) return;
    o->count += 1;
    o->mean += depth; /* the sum, until all are in */
    o->max = fmax(o->max, depth);
}

static void add_walls(bench_overlap *o, const bench_bed *bed,
                      const bench_body *b) {
    add(o, b->r - b->x[2]);
    for (int k = 0; k < 2; ++k) add(o, b->r - (bed->side / 2 - fabs(b->x[k])));
}

static void add_pair(bench_overlap *o, const bench_body *a,
                     const bench_body *b) {
    const double x = a->x[0] - b->x[0], y = a->x[1] - b->x[1];
    const double z = a->x[2] - b->x[2];
    add(o, a->r + b->r - sqrt(x * x + y * y + z * z));
}

/* With those that are in the grid already. */
static void add_neighbours(bench_overlap *o, const bench_bed *bed,
                           const grid *g, const bench_body *b,
                           const int at[3]) {
    for (int k = 0; k < 27; ++k) {
        const int cell[3] = {at[0] + k % 3 - 1, at[1] + k / 3 % 3 - 1,
                             at[2] + k / 9 - 1};
        bool inside = true;
        for (int axis = 0; axis < 3; ++axis)
            inside &= cell[axis] >= 0 && cell[axis] < g->cells[axis];
        if (!inside) continue;
        for (int64_t j = g->head[index_of(g, cell)]; j >= 0; j = g->next[j])
            add_pair(o, b, &bed->bodies[j]);
    }
}

bench_overlap bench_overlap_of(const bench_bed *bed) {
    bench_overlap o = {0};
    grid g = make_grid(bed);
    for (int64_t i = 0; i < bed->n; ++i) {
        const bench_body *b = &bed->bodies[i];
        int at[3];
        cell_of(&g, b->x, at);
        add_walls(&o, bed, b);
        add_neighbours(&o, bed, &g, b, at);
        const int64_t c = index_of(&g, at);
        g.next[i] = g.head[c];
        g.head[c] = i;
    }
    free(g.head);
    free(g.next);
    if (o.count > 0) o.mean /= (double)o.count;
    return o;
}

double bench_kinetic_of(const bench_bed *bed) {
    const double per_cube = 2500 * 4.0 / 3.0 * 3.14159265358979323846;
    double sum = 0;
    for (int64_t i = 0; i < bed->n; ++i) {
        const bench_body *b = &bed->bodies[i];
        double v2 = 0, w2 = 0;
        for (int k = 0; k < 3; ++k) {
            v2 += b->v[k] * b->v[k];
            w2 += b->w[k] * b->w[k];
        }
        const double mass = per_cube * b->r * b->r * b->r;
        sum += 0.5 * mass * (v2 + 0.4 * b->r * b->r * w2);
    }
    return sum;
}
