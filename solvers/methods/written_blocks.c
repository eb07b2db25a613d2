/* written_blocks.c: small problems written out as a scree_delassus, for its methods.
 *
 * Their residual is the worst |P - prox(P - rho xi)| / rho in m/s, this one's is
 * a norm of the natural map with unit step. So they are asked for tolerance
 * times the largest entry of q, and for a tenth of it again while the residual
 * here is not reached. */
#include <math.h>
#include <string.h>

#include "solvers/problem/method.h"

/* ROUNDS of tightening; WORK: entries of G that prox goes through between two
 * looks at the clock. */
enum { ROUNDS = 8, WORK = 100000000 };

static bool make_dense(scree_delassus *d, const scree_fc3d *p,
                       scree_arena *scratch) {
    *d = (scree_delassus){.n = p->dim * p->nc, .n_set = 2 * p->nc};
    return scree_delassus_reserve(d, scratch) &&
           SCREE_PUSH(scratch, d->sets, d->n_set);
}

static void fill_matrix(scree_delassus *d, const scree_fc3d *p) {
    memset(d->G, 0, (size_t)d->n * (size_t)d->n * sizeof *d->G);
    for (int i = 0; i < p->nc; i++)
        for (int64_t k = p->row[i]; k < p->row[i + 1]; k++)
            for (int a = 0; a < p->dim; a++)
                for (int b = 0; b < p->dim; b++)
                    d->G[(i * p->dim + a) * d->n + p->column[k] * p->dim + b] =
                        p->W[9 * k + 3 * a + b];
}

static void fill_sets(scree_delassus *d, const scree_fc3d *p) {
    for (int i = 0; i < p->nc; i++) {
        const int row = i * p->dim;
        d->sets[2 * i] =
            (scree_set){.kind = SCREE_SET_HALFLINE, .row = row, .n = 1};
        d->sets[2 * i + 1] = (scree_set){.kind = SCREE_SET_BALL,
                                         .row = row + 1,
                                         .n = p->dim - 1,
                                         .normal = row,
                                         .mu = p->mu[i]};
    }
}

/* Vectors of the dense problem have no padding. */
static int padded_row(const scree_fc3d *p, int i) {
    return i / p->dim * 3 + i % p->dim;
}

static double load_problem(scree_delassus *d, const scree_fc3d *p) {
    double largest = 0;
    fill_matrix(d, p);
    fill_sets(d, p);
    for (int i = 0; i < d->n; i++) {
        d->b[i] = p->q[padded_row(p, i)];
        d->P[i] = p->r[padded_row(p, i)];
        largest = fmax(largest, fabs(d->b[i]));
    }
    return largest;
}

/* One call of the dense method between two measurements. Pivoting cannot be
 * taken up where it was left: it gets all its iterations at once. */
typedef struct rounds {
    scree_delassus d;
    scree_dense_solver *solve;
    bool whole;
    double tolerance; /* [m/s] */
    int tightened;
    bool stuck;
    scree_arena *scratch;
} rounds;

static int64_t round_iterations(const rounds *s, const scree_loop *g) {
    const int64_t left = g->options->iterations - g->iteration + 1;
    const int64_t n = s->d.n + 1,
                  most = s->whole ? INT32_MAX : WORK / (n * n) + 1;
    return left < most ? left : most;
}

static scree_status one_round(rounds *s, scree_loop *g) {
    scree_report report = {0};
    const int64_t most = round_iterations(s, g);
    const scree_solver_options o = {.tolerance = s->tolerance,
                                    .iterations = (int)most};
    const scree_fc3d *p = g->problem;
    TRY(s->solve(&s->d, &o, s->scratch, &report));
    if (report.by[0]) scree_report_sign(g->report, report.by);
    for (int i = 0; i < s->d.n; i++) p->r[padded_row(p, i)] = s->d.P[i];
    const int64_t done = report.iterations < most ? report.iterations : most;
    g->iteration += done - 1; /* advance counted one */
    g->next = g->iteration;
    s->stuck = !report.converged && (s->whole || done < most);
    if (!report.converged) return SCREE_OK;
    s->tolerance *= 0.1;
    s->stuck = ++s->tightened >= ROUNDS;
    return SCREE_OK;
}

static scree_status all_rounds(rounds *s, scree_loop *g) {
    g->leaps = true;
    while (!scree_loop_advance(g)) {
        if (s->stuck) { /* the round that was counted is not made */
            g->iteration--;
            g->report->stop = SCREE_STOP_STALL;
            break;
        }
        TRY(one_round(s, g));
    }
    scree_loop_end(g);
    return SCREE_OK;
}

static scree_status solve_dense(const scree_method *m, scree_fc3d *p,
                                const scree_solver_options *options,
                                scree_arena *scratch, scree_report *report) {
    scree_loop g;
    rounds s = {.solve = m->dense,
                .whole = m->traits & SCREE_TRAIT_WHOLE,
                .scratch = scratch};
    if (p->dim * (int64_t)p->nc > m->rows) return SCREE_UNSUPPORTED;
    if (!make_dense(&s.d, p, scratch)) return SCREE_OUT_OF_MEMORY;
    TRY(scree_fc3d_begin(&g, m->name, p, options, scratch, report));
    s.tolerance = fmax(options->tolerance * load_problem(&s.d, p), 1e-300);
    return all_rounds(&s, &g);
}

/* To methods for the plane the second tangent is as good as padding where there is no
 * friction: r_T = 0. */
scree_status scree_blocks_write(const scree_method *m, scree_fc3d *p,
                                const scree_solver_options *options,
                                scree_arena *scratch, scree_report *report) {
    const size_t mark = scree_arena_mark(scratch);
    const int dim = p->dim;
    if (m->lacks & scree_inclusion_needs(scree_in_blocks(p)))
        return SCREE_UNSUPPORTED;
    if (m->lacks & SCREE_NEED_SPACE) p->dim = 2;
    const scree_status status = solve_dense(m, p, options, scratch, report);
    p->dim = dim;
    scree_arena_pop(scratch, mark);
    return status;
}
