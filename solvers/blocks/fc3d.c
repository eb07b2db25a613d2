/* fc3d.c: the problem, its residual, and what the methods share. */
#include "solvers/blocks/fc3d.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solvers/law/coulomb.h"
#include "solvers/problem/sums.h"

/* ---- the problem --------------------------------------------------------- */

/* Cuts the next n bytes off `at`; sizes are multiples of eight. */
static void *cut_bytes(char **at, int64_t bytes) {
    void *part = *at;
    *at += (bytes + 7) / 8 * 8;
    return part;
}

/* Contacts in whole lanes. */
static int64_t padded_count(int nc) {
    return ((int64_t)nc + SCREE_LANES - 1) / SCREE_LANES * SCREE_LANES;
}

size_t scree_fc3d_bytes(int nc, int64_t n_block) {
    const int64_t words =
        nc + 1 + 11 * padded_count(nc) + 9 * n_block + (n_block + 1) / 2;
    return (size_t)words * sizeof(double);
}

void scree_fc3d_lay_out(scree_fc3d *p, void *memory, int nc, int64_t n_block) {
    const int64_t n = padded_count(nc);
    char *at = memset(memory, 0, scree_fc3d_bytes(nc, n_block));
    *p = (scree_fc3d){.nc = nc, .dim = 3, .n_block = n_block};
    p->row = cut_bytes(&at, 8 * ((int64_t)nc + 1));
    p->W = cut_bytes(&at, 72 * n_block);
    p->q = cut_bytes(&at, 24 * n);
    p->mu = cut_bytes(&at, 8 * n);
    p->rho = cut_bytes(&at, 8 * n);
    p->r = cut_bytes(&at, 24 * n);
    p->u = cut_bytes(&at, 24 * n);
    p->column = cut_bytes(&at, 4 * n_block);
    for (int64_t i = 0; i < n; i++) p->rho[i] = 1;
}

scree_status scree_fc3d_create(scree_fc3d *p, int nc, int64_t n_block) {
    void *memory = malloc(scree_fc3d_bytes(nc, n_block));
    *p = (scree_fc3d){0};
    if (!memory) return SCREE_OUT_OF_MEMORY;
    scree_fc3d_lay_out(p, memory, nc, n_block);
    return SCREE_OK;
}

void scree_fc3d_free(scree_fc3d *p) {
    free(p->row);
    *p = (scree_fc3d){0};
}

/* Entries bucketed by block row, each with a mate of value 0 at its mirror place,
 * so that the pattern becomes symmetric: entries of row i are
 * sorted[start[i] .. start[i + 1]). seen[j] is the place of block column j in
 * the row in the making, valid if it is not before the row's first block. */
typedef struct bucket {
    int nc;
    int64_t n, *start, *seen;
    scree_entry *sorted;
} bucket;

static bool make_bucket(bucket *b, int nc, int64_t n, scree_arena *scratch) {
    b->nc = nc;
    b->n = n;
    return SCREE_PUSH(scratch, b->start, (size_t)nc + 2) &&
           SCREE_PUSH(scratch, b->seen, nc) &&
           SCREE_PUSH(scratch, b->sorted, 2 * (size_t)n);
}

/* Counting sort by block row; entries of a row keep their order. */
static void fill_bucket(bucket *b, const scree_entry *entries) {
    memset(b->start, 0, ((size_t)b->nc + 2) * sizeof *b->start);
    for (int64_t k = 0; k < b->n; k++) {
        b->start[entries[k].row / 3 + 2]++;
        b->start[entries[k].column / 3 + 2]++;
    }
    for (int i = 2; i <= b->nc; i++) b->start[i] += b->start[i - 1];
    for (int64_t k = 0; k < b->n; k++) {
        const scree_entry e = entries[k], mate = {e.column, e.row, 0};
        b->sorted[b->start[e.row / 3 + 1]++] = e;
        b->sorted[b->start[mate.row / 3 + 1]++] = mate;
    }
}

/* Walks the blocks of all rows, the diagonal one first; fills p if given.
 * Returns the number of blocks. */
static int64_t walk_blocks(const bucket *b, scree_fc3d *p) {
    int64_t n = 0;
    for (int j = 0; j < b->nc; j++) b->seen[j] = -1;
    for (int i = 0; i < b->nc; i++) {
        const int64_t first = n;
        b->seen[i] = n++;
        if (p) p->row[i] = first, p->column[first] = i;
        for (int64_t k = b->start[i]; k < b->start[i + 1]; k++) {
            const scree_entry e = b->sorted[k];
            const int j = e.column / 3;
            if (b->seen[j] < first) b->seen[j] = n++;
            if (!p) continue;
            p->column[b->seen[j]] = j;
            p->W[9 * b->seen[j] + 3 * (e.row % 3) + e.column % 3] += e.value;
        }
    }
    if (p) p->row[b->nc] = n;
    return n;
}

scree_status scree_fc3d_assemble(scree_fc3d *p, int nc, int64_t n,
                                 const scree_entry *entries,
                                 scree_arena *scratch) {
    const size_t mark = scree_arena_mark(scratch);
    bucket b;
    scree_status status = SCREE_OUT_OF_MEMORY;
    if (make_bucket(&b, nc, n, scratch)) {
        fill_bucket(&b, entries);
        status = scree_fc3d_create(p, nc, walk_blocks(&b, NULL));
    }
    if (status == SCREE_OK) walk_blocks(&b, p);
    scree_arena_pop(scratch, mark);
    return status;
}

/* ---- the residual -------------------------------------------------------- */

void scree_fc3d_row(const scree_fc3d *p, int i, double u[3]) {
    double s0 = p->q[3 * i], s1 = p->q[3 * i + 1], s2 = p->q[3 * i + 2];
    for (int64_t k = p->row[i]; k < p->row[i + 1]; k++) {
        const double *W = &p->W[9 * k], *r = &p->r[3 * p->column[k]];
        s0 += W[0] * r[0] + W[1] * r[1] + W[2] * r[2];
        s1 += W[3] * r[0] + W[4] * r[1] + W[5] * r[2];
        s2 += W[6] * r[0] + W[7] * r[1] + W[8] * r[2];
    }
    u[0] = s0, u[1] = s1, u[2] = s2;
}

/* K and its polar leave one case: the nearest point lies on the boundary, at
 * r_N = (x_N + mu |x_T|) / (1 + mu^2). */
void scree_fc3d_project(double mu, double x[3]) {
    const double tangent = sqrt(x[1] * x[1] + x[2] * x[2]);
    if (mu * tangent <= -x[0]) { /* first: mu may be 0 */
        x[0] = x[1] = x[2] = 0;
        return;
    }
    if (tangent <= mu * x[0]) return;
    x[0] = (x[0] + mu * tangent) / (1 + mu * mu);
    const double shrink = tangent > 0 ? mu * x[0] / tangent : 0;
    x[1] *= shrink, x[2] *= shrink;
}

/* Three numbers each of contacts i .. i + 3. */
SCREE_INLINE scree_v4x3 load_four(const double *x, int i) {
    x += 3 * i;
    const scree_v4 a = v4_load(x), b = v4_load(x + 4), c = v4_load(x + 8);
    const scree_v4 ab[3] = {v4_shuffle(a, b, 0, 3, 6, 6),
                            v4_shuffle(a, b, 1, 4, 7, 7),
                            v4_shuffle(a, b, 2, 5, 5, 5)};
    return (scree_v4x3){v4_shuffle(ab[0], c, 0, 1, 2, 5),
                        v4_shuffle(ab[1], c, 0, 1, 2, 6),
                        v4_shuffle(ab[2], c, 0, 1, 4, 7)};
}

/* Returns |q|^2. Lanes of no contact add nothing. */
SCREE_WIDE static double add_up(const scree_fc3d *p, scree_measure *all) {
    wide_measure s = {0}; /* in registers */
    scree_v4 q2 = v4_set(0);
    for (int i = 0; i < p->nc; i += 4) {
        const scree_v4 mu = v4_load(&p->mu[i]);
        const scree_v4 f = 1 / v4_load(&p->rho[i]);
        const scree_v4x3 r = load_four(p->r, i);
        const scree_v4x3 u = load_four(p->u, i);
        const scree_v4x3 q = load_four(p->q, i);
        const scree_v4x3 y = {f * r.x, f * r.y, f * r.z};
        const scree_v4 F2 = wide_saxce_map2(mu, y, u);
        s.F2 += F2;
        s.pF += y.x * v4_sqrt(F2);
        s.P2 += v4_dot(y, y);
        s.xi2 += v4_dot(u, u);
        q2 += v4_dot(q, q);
        const scree_v4 out = v4_sqrt(r.y * r.y + r.z * r.z) - mu * r.x;
        s.normal = wide_worse(s.normal, -u.x);
        s.cone = wide_worse(wide_worse(s.cone, -r.x), out);
    }
    wide_gather(&s, all);
    return wide_sum(q2);
}

scree_residual scree_fc3d_measure_at(const scree_fc3d *p) {
    scree_measure m = {0};
    const double q2 = add_up(p, &m);
    return scree_measure_residual(&m, fmax(q2, p->least2));
}

scree_residual scree_fc3d_measure(scree_fc3d *p) {
    for (int i = 0; i < p->nc; i++) scree_fc3d_row(p, i, &p->u[3 * i]);
    return scree_fc3d_measure_at(p);
}

scree_solver_options scree_blocks_options(void) {
    return (scree_solver_options){.tolerance = 1e-6,
                                  .iterations = 100000,
                                  .momentum = 0.85,
                                  .local = SCREE_LOCAL_PROX};
}

scree_status scree_blocks_call(scree_blocks_solver *solve, scree_fc3d *p,
                               const scree_solver_options *options,
                               scree_arena *scratch, scree_report *report) {
    const size_t mark = scree_arena_mark(scratch);
    const scree_status status = solve(p, options, scratch, report);
    scree_arena_pop(scratch, mark);
    return status;
}

/* ---- progress ------------------------------------------------------------ */

/* A u that a method kept up to date has drifted by rounding: what reaches the
 * tolerance with it is measured again. */
static scree_residual measure_loop(scree_loop *g) {
    const bool has_u = g->has_u;
    g->has_u = false;
    if (!has_u) return scree_fc3d_measure(g->problem);
    const scree_residual r = scree_fc3d_measure_at(g->problem);
    const bool again = !g->exact_u && r.residual <= g->goal.tolerance;
    return again ? scree_fc3d_measure(g->problem) : r;
}

static const scree_course course = {.measure = measure_loop,
                                    .part = 10,
                                    .hurries = true,
                                    .halves = true,
                                    .doubts = 100};

static double largest_entry(const scree_fc3d *p) {
    double most = 0;
    for (int i = 0; i < 3 * p->nc; i++) {
        const double q = fabs(p->q[i]);
        most = q > most ? q : most;
    }
    return most;
}

scree_status scree_fc3d_begin(scree_loop *g, const char *by, scree_fc3d *p,
                              const scree_solver_options *options,
                              scree_arena *scratch, scree_report *report) {
    scree_loop_begin(g, &course, p, options, report);
    scree_report_sign(report, by);
    g->fastest = largest_entry(p);
    return scree_loop_keep(g, p->r, 3 * (int64_t)p->nc, scratch);
}
