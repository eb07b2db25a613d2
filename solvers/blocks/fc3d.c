/* fc3d.c: the problem, its residual, and what the methods share. */
#include "solvers/blocks/fc3d.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/base/elementary.h"
#include "engine/base/simd.h"

enum { SPACING = 4, DOUBTS = 100 /* iterations */ };

/* ---- the problem --------------------------------------------------------- */

/* Cuts the next n bytes off `at`; sizes are multiples of eight. */
static void *cut(char **at, int64_t bytes) {
    void *part = *at;
    *at += (bytes + 7) / 8 * 8;
    return part;
}

scree_status scree_fc3d_create(scree_fc3d *p, int nc, int64_t n_block) {
    *p = (scree_fc3d){.nc = nc, .dim = 3, .n_block = n_block};
    const int64_t words =
        12 * (int64_t)nc + 2 + 9 * n_block + (n_block + 1) / 2;
    char *at = calloc((size_t)words, sizeof(double));
    if (!at) return SCREE_OUT_OF_MEMORY;
    p->row = cut(&at, 8 * ((int64_t)nc + 1));
    p->W = cut(&at, 72 * n_block);
    p->q = cut(&at, 24 * (int64_t)nc);
    p->mu = cut(&at, 8 * (int64_t)nc);
    p->rho = cut(&at, 8 * (int64_t)nc);
    p->r = cut(&at, 24 * (int64_t)nc);
    p->u = cut(&at, 24 * (int64_t)nc);
    p->column = cut(&at, 4 * n_block);
    for (int i = 0; i < nc; i++) p->rho[i] = 1;
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
    b->start = scree_arena_push(scratch, ((size_t)nc + 2) * sizeof *b->start);
    b->seen = scree_arena_push(scratch, ((size_t)nc + 1) * sizeof *b->seen);
    b->sorted =
        scree_arena_push(scratch, (2 * (size_t)n + 1) * sizeof *b->sorted);
    return b->start && b->seen && b->sorted;
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
    if (tangent <= mu * x[0]) return;
    if (mu * tangent <= -x[0]) {
        x[0] = x[1] = x[2] = 0;
        return;
    }
    x[0] = (x[0] + mu * tangent) / (1 + mu * mu);
    const double shrink = tangent > 0 ? mu * x[0] / tangent : 0;
    x[1] *= shrink, x[2] *= shrink;
}

/* x, x + stride, ...: of n <= 3 contacts, then `rest`. */
SCREE_INLINE scree_v4 load_last(const double *x, int stride, int n,
                                double rest) {
    return (scree_v4){x[0], n > 1 ? x[stride] : rest,
                      n > 2 ? x[2 * stride] : rest, rest};
}

/* Three numbers each of contacts i .. i + 3, zero past the last one. */
SCREE_INLINE scree_v4x3 load_four(const double *x, int i, int nc) {
    x += 3 * i;
    if (i + 4 > nc)
        return (scree_v4x3){load_last(x, 3, nc - i, 0),
                            load_last(x + 1, 3, nc - i, 0),
                            load_last(x + 2, 3, nc - i, 0)};
    const scree_v4 a = v4_load(x), b = v4_load(x + 4), c = v4_load(x + 8);
    const scree_v4 ab[3] = {__builtin_shufflevector(a, b, 0, 3, 6, 6),
                            __builtin_shufflevector(a, b, 1, 4, 7, 7),
                            __builtin_shufflevector(a, b, 2, 5, 5, 5)};
    return (scree_v4x3){__builtin_shufflevector(ab[0], c, 0, 1, 2, 5),
                        __builtin_shufflevector(ab[1], c, 0, 1, 2, 6),
                        __builtin_shufflevector(ab[2], c, 0, 1, 4, 7)};
}

/* One number each; `rest` past the last contact. */
SCREE_INLINE scree_v4 load_one(const double *x, int i, int nc, double rest) {
    return i + 4 > nc ? load_last(x + i, 1, nc - i, rest) : v4_load(x + i);
}

SCREE_INLINE scree_v4 v4_max(scree_v4 a, scree_v4 b) {
    return v4_select(a > b, a, b);
}

/* |F|^2 of four contacts, y = r / rho. As scree_fc3d_project, without branches:
 * every contact goes to the boundary, but those that lie in K or its polar. */
SCREE_INLINE scree_v4 map_squared(scree_v4 mu, scree_v4x3 y, scree_v4x3 u) {
    const scree_v4 zero = v4_set(0);
    const scree_v4 slip = v4_sqrt(u.y * u.y + u.z * u.z);
    const scree_v4 n = y.x - (u.x + mu * slip), t1 = y.y - u.y, t2 = y.z - u.z;
    const scree_v4 tangent = v4_sqrt(t1 * t1 + t2 * t2);
    const scree_m4 inside = tangent <= mu * n, polar = mu * tangent <= -n;
    const scree_v4 to = (n + mu * tangent) / (1 + mu * mu);
    const scree_v4 shrink =
        v4_select(polar | ~(tangent > 0), zero, mu * to / tangent);
    const scree_v4 scale = v4_select(inside, v4_set(1), shrink);
    const scree_v4 normal = v4_select(inside, n, v4_select(polar, zero, to));
    const scree_v4x3 F =
        v4_sub(y, (scree_v4x3){normal, scale * t1, scale * t2});
    return v4_dot(F, F);
}

/* What the residual is made of, lane by lane. */
typedef struct sums {
    scree_v4 F2, y2, u2, q2, yF;
    scree_v4 normal, cone; /* largest */
} sums;

SCREE_WIDE static void add_up(const scree_fc3d *p, sums *all) {
    sums t = {0}, *s = &t; /* in registers */
    for (int i = 0; i < p->nc; i += 4) {
        const scree_v4 mu = load_one(p->mu, i, p->nc, 0);
        const scree_v4 f = 1 / load_one(p->rho, i, p->nc, 1);
        const scree_v4x3 r = load_four(p->r, i, p->nc);
        const scree_v4x3 u = load_four(p->u, i, p->nc);
        const scree_v4x3 q = load_four(p->q, i, p->nc);
        const scree_v4x3 y = {f * r.x, f * r.y, f * r.z};
        const scree_v4 F2 = map_squared(mu, y, u);
        s->F2 += F2;
        s->yF += y.x * v4_sqrt(F2);
        s->y2 += v4_dot(y, y);
        s->u2 += v4_dot(u, u);
        s->q2 += v4_dot(q, q);
        const scree_v4 out = v4_sqrt(r.y * r.y + r.z * r.z) - mu * r.x;
        s->normal = v4_max(-u.x, s->normal);
        s->cone = v4_max(v4_max(out, -r.x), s->cone);
    }
    *all = t;
}

static double sum_of(scree_v4 a) {
    return a[0] + a[1] + a[2] + a[3];
}
static double max_of(scree_v4 a) {
    return fmax(fmax(a[0], a[1]), fmax(a[2], a[3]));
}

scree_fc3d_error scree_fc3d_measure_at(const scree_fc3d *p) {
    sums s;
    add_up(p, &s);
    scree_fc3d_error e = {.normal = max_of(s.normal), .cone = max_of(s.cone)};
    const double F2 = sum_of(s.F2), y2 = sum_of(s.y2), u2 = sum_of(s.u2);
    const double uq2 = fmax(sum_of(s.q2), u2), scale2 = fmax(uq2, y2);
    e.velocity = F2 > 0 ? sqrt(F2 / uq2) : 0;
    e.loaded = y2 > 0 ? sum_of(s.yF) / sqrt(y2) : 0;
    if (!isfinite(F2 + y2 + u2))
        e.residual = NAN; /* fmax would hide it */
    else
        e.residual = scale2 > 0 ? sqrt(F2 / scale2) : 0;
    return e;
}

scree_fc3d_error scree_fc3d_measure(scree_fc3d *p) {
    for (int i = 0; i < p->nc; i++) scree_fc3d_row(p, i, &p->u[3 * i]);
    return scree_fc3d_measure_at(p);
}

/* ---- methods by name ----------------------------------------------------- */

static const scree_fc3d_method methods[] = {
    {"auto", "pgs; when it stalls, path; too large for it, other momenta",
     scree_fc3d_auto, false},
    {"pgs", "block Gauss-Seidel with momentum", scree_fc3d_pgs, false},
    {"jacobi", "block Jacobi with a step that is safe by row sums",
     scree_fc3d_jacobi, false},
    {"apgd", "accelerated projected gradients on the shifted cone problem",
     scree_fc3d_apgd, false},
    {"newton", "proximal Newton with a sparse LU, sweeps in between",
     scree_fc3d_newton, false},
    {"path", "newton, then its curve of solutions followed through folds",
     scree_fc3d_path, false},
    {"prox", "prox Gauss-Seidel, dense, at most 1500 rows", scree_fc3d_prox,
     false},
    {"lemke", "pivoting, dense, problems in the plane", scree_fc3d_lemke, true},
};

const scree_fc3d_method *scree_fc3d_get(int i) {
    const int n = sizeof methods / sizeof *methods;
    return i >= 0 && i < n ? &methods[i] : NULL;
}

const scree_fc3d_method *scree_fc3d_find(const char *name) {
    const scree_fc3d_method *m;
    for (int i = 0; (m = scree_fc3d_get(i)); i++)
        if (strcmp(m->name, name) == 0) return m;
    return NULL;
}

scree_fc3d_options scree_fc3d_options_default(void) {
    return (scree_fc3d_options){.tolerance = 1e-6,
                                .iterations = 100000,
                                .momentum = 0.85,
                                .adaptive = true,
                                .local = SCREE_LOCAL_PROX,
                                .kappa = 100,
                                .newton_sweeps = 1000,
                                .fill = 4000000};
}

/* ---- progress ------------------------------------------------------------ */

/* A NaN never is the best. */
void scree_fc3d_keep_best(scree_fc3d_progress *g, const scree_fc3d_error *e) {
    if (!(e->residual < g->error.residual)) return;
    g->error = *e;
    memcpy(g->best, g->p->r, 3 * (size_t)g->p->nc * sizeof *g->best);
    if (e->residual > 2.0 / 3 * g->mark) return;
    g->mark = e->residual;
    g->marked = g->iteration;
}

static bool stopped(scree_fc3d_progress *g, scree_stop why) {
    g->report->stop = why;
    return true;
}

double scree_fc3d_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A u that a method kept up to date has drifted by rounding: what reaches the
 * tolerance with it is measured again. */
static scree_fc3d_error measure(scree_fc3d_progress *g) {
    const bool has_u = g->has_u;
    g->has_u = false;
    if (!has_u) return scree_fc3d_measure(g->p);
    const scree_fc3d_error e = scree_fc3d_measure_at(g->p);
    const bool again = !g->exact_u && e.residual <= g->options->tolerance;
    return again ? scree_fc3d_measure(g->p) : e;
}

/* Do the percussions hold the contacts apart? */
static bool is_held(const scree_fc3d *p, const scree_fc3d_error *e) {
    double most = 0;
    for (int i = 0; i < 3 * p->nc; i++) {
        const double q = fabs(p->q[i]);
        most = q > most ? q : most;
    }
    return e->normal <= 0.5 * most;
}

/* Is a residual within the tolerance a solution? */
static bool is_solved(const scree_fc3d_progress *g, const scree_fc3d_error *e) {
    const scree_mark now = {g->iteration, e->loaded};
    const bool falls = !g->leaps && scree_trend_falls(&g->trend, now);
    return scree_fc3d_is_small(e, g->options->tolerance) ||
           ((falls || g->options->on_the_way) && is_held(g->p, e));
}

/* As long again as it took to get there, and it is still none? */
static bool is_hopeless(scree_fc3d_progress *g) {
    if (g->doubted < 0) g->doubted = g->iteration;
    return g->iteration >= 2 * g->doubted + DOUBTS;
}

/* Iterations that are left if the residual falls as it did so far. */
static double left(const scree_fc3d_progress *g, double residual) {
    return (double)g->iteration * scree_log(residual / g->options->tolerance) /
           scree_log(g->first / residual);
}

/* A residual costs a fraction of a sweep: it is measured at every tenth part of
 * the iterations so far, and up to four times as often near the end. */
static int64_t spacing(const scree_fc3d_progress *g, double residual) {
    const int64_t most = SPACING + g->iteration / 10, least = (most + 3) / 4;
    if (g->iteration == 0 || !(residual < g->first)) return most;
    const double n = ceil(left(g, residual));
    return n < (double)least ? least : n < (double)most ? (int64_t)n : most;
}

static bool judge(scree_fc3d_progress *g) {
    const scree_fc3d_error e = measure(g);
    const scree_fc3d_options *o = g->options;
    if (o->watch) o->watch(o->context, g->iteration, &e);
    scree_fc3d_keep_best(g, &e);
    if (g->iteration == 0) g->first = e.residual;
    g->last = e.residual;
    g->next = g->iteration + spacing(g, e.residual);
    if (g->next > o->iterations) g->next = o->iterations;
    if (!isfinite(e.residual)) return stopped(g, SCREE_STOP_NOT_FINITE);
    if (e.residual <= o->tolerance) {
        if (is_solved(g, &e)) return stopped(g, SCREE_STOP_TOLERANCE);
        if (is_hopeless(g)) return stopped(g, SCREE_STOP_STALL);
    }
    scree_trend_note(&g->trend, (scree_mark){g->iteration, e.loaded});
    if (g->iteration >= o->iterations) return stopped(g, SCREE_STOP_ITERATIONS);
    if (o->seconds > 0 && g->iteration > 0 &&
        scree_fc3d_now() - g->start >= o->seconds)
        return stopped(g, SCREE_STOP_TIME);
    if (o->stall > 0 && g->iteration >= 2 * o->stall &&
        g->marked <= g->iteration / 2)
        return stopped(g, SCREE_STOP_STALL);
    return false;
}

scree_status scree_fc3d_begin(scree_fc3d_progress *g, const char *by,
                              scree_fc3d *p, const scree_fc3d_options *options,
                              scree_arena *scratch, scree_fc3d_report *report) {
    *report = (scree_fc3d_report){.by = by, .stop = SCREE_STOP_ITERATIONS};
    *g = (scree_fc3d_progress){.p = p,
                               .options = options,
                               .report = report,
                               .start = scree_fc3d_now(),
                               .error = {.residual = INFINITY},
                               .mark = INFINITY,
                               .doubted = -1};
    g->best =
        scree_arena_push(scratch, (3 * (size_t)p->nc + 1) * sizeof *g->best);
    if (!g->best) return SCREE_OUT_OF_MEMORY;
    memcpy(g->best, p->r, 3 * (size_t)p->nc * sizeof *g->best);
    return SCREE_OK;
}

bool scree_fc3d_is_due(const scree_fc3d_progress *g) {
    return g->iteration >= g->next;
}

bool scree_fc3d_advance(scree_fc3d_progress *g) {
    if (scree_fc3d_is_due(g) && judge(g)) return true;
    g->iteration++;
    return false;
}

/* What ended at the tolerance has just been measured, with its own u. */
void scree_fc3d_end(scree_fc3d_progress *g) {
    scree_fc3d *p = g->p;
    const bool measured = g->report->stop == SCREE_STOP_TOLERANCE;
    if (!measured && !g->options->keep_last)
        memcpy(p->r, g->best, 3 * (size_t)p->nc * sizeof *p->r);
    g->report->error = measured ? g->error : scree_fc3d_measure(p);
    g->report->iterations = g->iteration;
    g->report->converged =
        measured ||
        scree_fc3d_is_small(&g->report->error, g->options->tolerance);
}

/* ---- a method inside a method -------------------------------------------- */

static void pass_on(void *context, int64_t iteration,
                    const scree_fc3d_error *error) {
    const scree_fc3d_relay *r = context;
    r->outer->watch(r->outer->context, r->before + iteration, error);
}

scree_fc3d_options scree_fc3d_inner(scree_fc3d_relay *relay) {
    scree_fc3d_options o = *relay->outer;
    o.iterations -= relay->before;
    if (o.seconds > 0 && relay->before > 0)
        o.seconds = fmax(1e-9, o.seconds - (scree_fc3d_now() - relay->start));
    if (o.watch) o.watch = pass_on;
    o.context = relay;
    return o;
}
