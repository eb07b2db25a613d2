#include "solvers/direct/cluster.h"

#include <string.h>

#include "engine/base/error.h"
#include "solvers/problem/kernel.h"
#include "solvers/problem/method.h"

enum { MOST_ROWS = 6 /* of a contact */ };

/* Errors beside `speed` that end the search. Masses of a ratio of 1e8 leave 1e-8 of
 * rounding. */
static const double EXACT = 1e-7;
static const double SOFT = 1e-10;

/* ---- directions ------------------------------------------------------------------ */

/* One row: what it measures, and what its percussion does. They differ for tied
 * contacts alone. */
typedef struct line {
    int32_t contact; /* of the cluster */
    scree_vec3 f, m; /* directions on a */
    scree_vec3 push; /* direction of the force */
    double length2;  /* of the direction that is not zero */
} line;

typedef struct cluster {
    const scree_problem *p;
    int32_t n;       /* contacts */
    scree_row *rows; /* (n) */
    int32_t *first;  /* (n + 1) line of each contact */
    line *lines;     /* (d.n) */
    scree_delassus d;
} cluster;

static scree_vec3 tangent_of(const scree_row *row, int k) {
    if (scree_row_is_oval(row))
        return k ? scale(row->ratio, row->across) : cross(row->across, row->n);
    const scree_vec3 t = perpendicular(row->n);
    return k ? cross(row->n, t) : t;
}

static line force_line(int32_t contact, scree_vec3 f) {
    return (line){.contact = contact, .f = f, .push = f, .length2 = dot(f, f)};
}
static line moment_line(int32_t contact, scree_vec3 m) {
    return (line){.contact = contact, .m = m, .length2 = dot(m, m)};
}

static void add_ball(cluster *c, int normal, int first, int n, double mu) {
    c->d.sets[c->d.n_set++] = (scree_set){.kind = SCREE_SET_BALL,
                                          .row = first,
                                          .n = n,
                                          .normal = normal,
                                          .mu = mu};
}

static void add_lines(cluster *c, int32_t k) {
    const scree_row *row = &c->rows[k];
    const int normal = c->d.n;
    c->first[k] = normal;
    c->lines[c->d.n] = force_line(k, row->n);
    if (scree_row_is_tied(row)) c->lines[c->d.n].push = tied_push(row);
    ++c->d.n;
    c->d.sets[c->d.n_set++] =
        (scree_set){.kind = SCREE_SET_HALFLINE, .row = normal, .n = 1};
    if (scree_row_rubs(row)) {
        const int at = c->d.n;
        for (int t = 0; t < 2; ++t)
            c->lines[c->d.n++] = force_line(k, tangent_of(row, t));
        if (scree_row_drills(row))
            c->lines[c->d.n++] = moment_line(k, scale(row->drill, row->n));
        add_ball(c, normal, at, c->d.n - at, row->mu);
    }
    if (row->laws & SCREE_ROLLING) {
        const scree_vec3 t = perpendicular(row->n);
        const int at = c->d.n;
        c->lines[c->d.n++] = moment_line(k, t);
        c->lines[c->d.n++] = moment_line(k, cross(row->n, t));
        add_ball(c, normal, at, 2, row->roll);
    }
}

/* ---- G and b ----------------------------------------------------------------------- */

/* Generalised direction of a row on one of its bodies. */
static scree_velocity direction_on(const cluster *c, const line *l,
                                   scree_vec3 f, int32_t body) {
    const scree_row *row = &c->rows[l->contact];
    scree_velocity w = {vec(0, 0, 0), vec(0, 0, 0)};
    if (row->a == body) {
        w.v = add(w.v, f);
        w.w = add(w.w, add(cross(scree_row_arm(row, true), f), l->m));
    }
    if (row->b == body) {
        w.v = sub(w.v, f);
        w.w = sub(w.w, add(cross(scree_row_arm(row, false), f), l->m));
    }
    return w;
}

/* What a unit percussion of row j does to a body's velocity. */
static scree_velocity response(const cluster *c, const line *j, int32_t body) {
    const scree_velocity w = direction_on(c, j, j->push, body);
    return (scree_velocity){
        scale(c->p->u[body].inv_m, w.v),
        scree_row_turn(c->p, &c->rows[j->contact], body, w.w)};
}

static double coupling(const cluster *c, const line *i, const line *j) {
    const scree_row *of_i = &c->rows[i->contact];
    const int32_t bodies[2] = {c->rows[j->contact].a, c->rows[j->contact].b};
    double sum = 0;
    for (int k = 0; k < 2; ++k) {
        const int32_t body = bodies[k];
        if (body >= c->p->n_body || (k && body == bodies[0])) continue;
        if (of_i->a != body && of_i->b != body) continue;
        const scree_velocity w = direction_on(c, i, i->f, body);
        const scree_velocity u = response(c, j, body);
        sum += dot(w.v, u.v) + dot(w.w, u.w);
    }
    return sum;
}

/* xi of a row for the velocities now in u. */
static double velocity_of(const cluster *c, const line *l) {
    const scree_row *row = &c->rows[l->contact];
    const scree_twist *u = c->p->u;
    const scree_vec3 xi = row_xi(row, &u[row->a], &u[row->b]);
    const scree_vec3 omega = row_omega(row, &u[row->a], &u[row->b]);
    return dot(l->f, xi) + dot(l->m, omega);
}

static double percussion_of(const cluster *c, const line *l) {
    const scree_row *row = &c->rows[l->contact];
    const scree_vec3 P = scree_row_is_tied(row)
                             ? scale(row->P_n, row->n)
                             : add_scaled(row->P_t, row->P_n, row->n);
    return (dot(l->f, P) + dot(l->m, row->M)) / l->length2;
}

static void write_out(cluster *c) {
    scree_delassus *d = &c->d;
    for (int i = 0; i < d->n; ++i) d->P[i] = percussion_of(c, &c->lines[i]);
    for (int i = 0; i < d->n; ++i) {
        d->b[i] = velocity_of(c, &c->lines[i]);
        for (int j = 0; j < d->n; ++j) {
            const double G = coupling(c, &c->lines[i], &c->lines[j]);
            d->G[(size_t)i * (size_t)d->n + (size_t)j] = G;
            d->b[i] -= G * d->P[j];
        }
    }
}

/* ---- back ---------------------------------------------------------------------------- */

static row_step step_of(const cluster *c, int32_t k) {
    const scree_row *row = &c->rows[k];
    row_step s = {.P_n = c->d.P[c->first[k]]};
    for (int i = c->first[k] + 1; i < c->first[k + 1]; ++i) {
        s.P_t = add_scaled(s.P_t, c->d.P[i], c->lines[i].f);
        s.M = add_scaled(s.M, c->d.P[i], c->lines[i].m);
    }
    if (scree_row_is_tied(row)) s.P_t = tied_friction(row, s.P_n);
    return s;
}

static void set_moment(scree_problem *p, int64_t i, scree_vec3 M) {
    int lane;
    scree_general *k = scree_problem_general(p, i, &lane);
    lane_set(k->M, lane, M);
    lane_set(k->M_last, lane, M);
}

void scree_cluster_take(scree_problem *p, int64_t i, const scree_row *row) {
    scree_problem_set_P(p, i, row->P_n, row->P_t);
    if (scree_row_turns(row)) set_moment(p, i, row->M);
}

static void take_over(cluster *c) {
    for (int32_t k = 0; k < c->n; ++k) {
        scree_row *row = &c->rows[k];
        const row_step s = step_of(c, k);
        row_bodies bodies;
        row_find(c->p, row, &bodies);
        row_move(row, &bodies, s.P_n - row->P_n, sub(s.P_t, row->P_t),
                 sub(s.M, row->M));
        row->P_n = s.P_n, row->P_t = s.P_t, row->M = s.M;
    }
}

/* ---- the solve ------------------------------------------------------------------------ */

static bool reserve_lines(cluster *c, scree_arena *scratch) {
    const size_t n = (size_t)c->n, most = MOST_ROWS * n;
    c->first = scree_arena_push(scratch, (n + 1) * sizeof *c->first);
    c->lines = scree_arena_push(scratch, most * sizeof *c->lines);
    c->d.sets = scree_arena_push(scratch, 3 * n * sizeof *c->d.sets);
    return c->first && c->lines && c->d.sets;
}

static bool reserve_matrix(scree_delassus *d, scree_arena *scratch) {
    const size_t n = (size_t)d->n;
    d->G = scree_arena_push(scratch, n * n * sizeof *d->G);
    d->b = scree_arena_push(scratch, n * sizeof *d->b);
    d->P = scree_arena_push(scratch, n * sizeof *d->P);
    return d->G && d->b && d->P;
}

/* G <- G + SOFT diag(G), b <- b - SOFT diag(G) P: the next proximal point. Corners of
 * a face that do not lie in one plane cannot all be closed, and percussions that move
 * no body tell which of them open: the term lets those percussions move. It is so
 * small that few points are enough. */
static void soften_rows(scree_delassus *d, const double *G_ii,
                        const double *b) {
    for (int i = 0; i < d->n; ++i) {
        d->G[(size_t)i * (size_t)d->n + (size_t)i] = (1 + SOFT) * G_ii[i];
        d->b[i] = b[i] - SOFT * G_ii[i] * d->P[i];
    }
}

static void harden(scree_delassus *d, const double *G_ii, const double *b) {
    for (int i = 0; i < d->n; ++i)
        d->G[(size_t)i * (size_t)d->n + (size_t)i] = G_ii[i];
    memcpy(d->b, b, (size_t)d->n * sizeof *b);
}

/* What proximal points start from and lead to. */
typedef struct points {
    double *G_ii, *b, *best; /* (n) */
    double residual;         /* of the best */
} points;

static bool reserve_points(points *x, int n, scree_arena *scratch) {
    const size_t bytes = (size_t)n * sizeof(double);
    x->G_ii = scree_arena_push(scratch, bytes);
    x->b = scree_arena_push(scratch, bytes);
    x->best = scree_arena_push(scratch, bytes);
    return x->G_ii && x->b && x->best;
}

static double keep_best(points *x, const scree_delassus *d,
                        scree_arena *scratch) {
    const double residual = scree_delassus_residual(d, scratch);
    if (residual < x->residual) {
        x->residual = residual;
        memcpy(x->best, d->P, (size_t)d->n * sizeof *x->best);
    }
    return residual;
}

/* Newton ends where it ended before: so it would from all points that follow. */
static bool stays_put(double residual, double last) {
    return fabs(residual - last) <= 0.01 * last;
}

/* P becomes the best of all points; true if that is another one. */
static scree_status follow_points(scree_delassus *d, double tolerance,
                                  scree_cluster_effort effort,
                                  scree_arena *scratch, bool *better) {
    points x = {.residual = INFINITY};
    if (!reserve_points(&x, d->n, scratch)) return SCREE_OUT_OF_MEMORY;
    for (int i = 0; i < d->n; ++i)
        x.G_ii[i] = d->G[(size_t)i * (size_t)d->n + (size_t)i];
    memcpy(x.b, d->b, (size_t)d->n * sizeof *x.b);
    keep_best(&x, d, scratch);
    const double before = x.residual;
    const scree_solver_options newton = {.tolerance = 0.1 * tolerance,
                                         .iterations = effort.steps};
    double now = before, last = 0;
    int k = 0;
    while (k++ < effort.points && x.residual > tolerance &&
           !stays_put(now, last)) {
        scree_report report;
        soften_rows(d, x.G_ii, x.b);
        TRY(scree_dense_newton(d, &newton, scratch, &report));
        harden(d, x.G_ii, x.b);
        last = now;
        now = keep_best(&x, d, scratch);
    }
    memcpy(d->P, x.best, (size_t)d->n * sizeof *d->P);
    *better = x.residual < before;
    return SCREE_OK;
}

/* A cluster without solution drives its percussions to infinity: a sphere with large
 * friction, wedged in a corner, that is to bounce from both walls. Masses that hit each
 * other are within this factor, and loads from outside are there before. */
static const double MOST_LOAD = 1e3;

/* Of the bodies that move [kg]; one may count for each of its contacts. */
static double mass_of(const cluster *c) {
    double mass = 0;
    for (int32_t k = 0; k < c->n; ++k) {
        const double inv_a = c->p->u[c->rows[k].a].inv_m;
        const double inv_b = c->p->u[c->rows[k].b].inv_m;
        mass += (inv_a > 0 ? 1 / inv_a : 0) + (inv_b > 0 ? 1 / inv_b : 0);
    }
    return mass;
}

static bool is_bounded(const cluster *c, double speed) {
    double before = 0, after = 0;
    for (int32_t k = 0; k < c->n; ++k) {
        before = fmax(before, c->rows[k].P_n);
        after = fmax(after, c->d.P[c->first[k]]);
    }
    return after <= fmax(before, MOST_LOAD * mass_of(c) * speed);
}

scree_status scree_cluster_solve_rows(const scree_problem *p, scree_row *rows,
                                      int32_t n, double speed,
                                      scree_cluster_effort effort,
                                      scree_arena *scratch, bool *better) {
    const size_t mark = scree_arena_mark(scratch);
    cluster c = {.p = p, .n = n, .rows = rows};
    scree_status status = SCREE_OUT_OF_MEMORY;
    *better = false;
    if (reserve_lines(&c, scratch)) {
        for (int32_t k = 0; k < n; ++k) add_lines(&c, k);
        c.first[n] = c.d.n;
        if (reserve_matrix(&c.d, scratch)) {
            write_out(&c);
            status =
                follow_points(&c.d, EXACT * speed, effort, scratch, better);
            *better = *better && is_bounded(&c, speed);
            if (*better) take_over(&c);
        }
    }
    scree_arena_pop(scratch, mark);
    return status;
}
