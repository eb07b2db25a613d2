#include "solvers/dense/rows.h"

#include "solvers/problem/kernel.h"

enum { MOST_LINES = 6, MOST_SETS = 6 /* of a row */ };

/* ---- directions ------------------------------------------------------------------ */

scree_vec3 scree_row_tangent(const scree_row *row, int k) {
    if (scree_row_is_oval(row))
        return k ? scale(row->ratio, row->across) : cross(row->across, row->n);
    const scree_vec3 t = perpendicular(row->n);
    return k ? cross(row->n, t) : t;
}

static scree_set *add_set(scree_delassus *d, scree_set_kind kind) {
    d->sets[d->n_set] = (scree_set){.kind = kind, .row = d->n};
    return &d->sets[d->n_set++];
}

/* The next row, in the set that was added last. */
static scree_line *add_line(scree_written *w, int32_t contact, scree_vec3 f,
                            scree_vec3 m) {
    ++w->d.sets[w->d.n_set - 1].n;
    w->lines[w->d.n] =
        (scree_line){contact, f, m, f, dot(f, f) + dot(m, m), 0, 0};
    return &w->lines[w->d.n++];
}

static void add_ball(scree_delassus *d, int normal, double mu) {
    scree_set *ball = add_set(d, SCREE_SET_BALL);
    ball->normal = normal, ball->mu = mu;
}

/* Each bar is a set of its own. */
static void add_bars(scree_written *w, int32_t k) {
    const scree_bars *s = w->rows[k].bars;
    const scree_vec3 none = vec(0, 0, 0);
    w->first[k] = w->d.n;
    for (int i = 0; i < s->n; ++i) {
        const scree_bar *b = &s->bar[i];
        scree_set *set =
            add_set(&w->d, i < s->fixed ? SCREE_SET_FREE : SCREE_SET_INTERVAL);
        set->lo = b->lo, set->hi = b->hi;
        scree_line *line =
            add_line(w, k, b->turns ? none : b->d, b->turns ? b->d : none);
        line->c = b->c, line->soft = b->soft;
    }
}

static void add_lines(scree_written *w, int32_t k) {
    const scree_row *row = &w->rows[k];
    if (scree_row_is_joint(row)) {
        add_bars(w, k);
        return;
    }
    const scree_vec3 none = vec(0, 0, 0), t = perpendicular(row->n);
    const int normal = w->first[k] = w->d.n;
    add_set(&w->d, SCREE_SET_HALFLINE);
    scree_line *first = add_line(w, k, row->n, none);
    if (scree_row_is_tied(row)) first->push = tied_push(row);
    if (scree_row_rubs(row)) {
        add_ball(&w->d, normal, row->mu);
        add_line(w, k, scree_row_tangent(row, 0), none);
        add_line(w, k, scree_row_tangent(row, 1), none);
        if (scree_row_drills(row))
            add_line(w, k, none, scale(row->drill, row->n));
    }
    if (row->laws & SCREE_ROLLING) {
        add_ball(&w->d, normal, row->roll);
        add_line(w, k, none, t);
        add_line(w, k, none, cross(row->n, t));
    }
}

/* ---- G, b and P ------------------------------------------------------------------ */

scree_velocity scree_row_wrench(const scree_row *row, scree_vec3 f,
                                scree_vec3 m, int32_t body) {
    scree_velocity w = {vec(0, 0, 0), vec(0, 0, 0)};
    if (row->a == body) {
        w.v = add(w.v, f);
        w.w = add(w.w, add(cross(scree_row_arm(row, true), f), m));
    }
    if (row->b == body) {
        w.v = sub(w.v, f);
        w.w = sub(w.w, add(cross(scree_row_arm(row, false), f), m));
    }
    return w;
}

scree_velocity scree_row_response(const scree_problem *p, const scree_row *row,
                                  int32_t body, scree_velocity wrench) {
    return (scree_velocity){scale(p->u[body].inv_m, wrench.v),
                            scree_row_turn(p, row, body, wrench.w)};
}

static double coupling_of(const scree_written *w, const scree_line *i,
                          const scree_line *j) {
    const scree_row *of_i = &w->rows[i->contact], *of_j = &w->rows[j->contact];
    const int32_t bodies[2] = {of_j->a, of_j->b};
    double sum = 0;
    for (int k = 0; k < 2; ++k) {
        const int32_t body = bodies[k];
        if (body >= w->p->n_body || (k && body == bodies[0])) continue;
        if (of_i->a != body && of_i->b != body) continue;
        const scree_velocity to = scree_row_wrench(of_i, i->f, i->m, body);
        const scree_velocity u = scree_row_response(
            w->p, of_j, body, scree_row_wrench(of_j, j->push, j->m, body));
        sum += dot(to.v, u.v) + dot(to.w, u.w);
    }
    return sum;
}

/* xi of a row for the velocities now in u. */
static double velocity_of(const scree_written *w, const scree_line *l) {
    const scree_row *row = &w->rows[l->contact];
    const scree_twist *a = &w->p->u[row->a], *b = &w->p->u[row->b];
    return dot(l->f, row_xi(row, a, b)) + dot(l->m, row_omega(row, a, b)) +
           l->c;
}

static double percussion_of(const scree_written *w, const scree_line *l) {
    const scree_row *row = &w->rows[l->contact];
    const scree_vec3 P = scree_row_is_tied(row)
                             ? scale(row->P_n, row->n)
                             : add_scaled(row->P_t, row->P_n, row->n);
    return (dot(l->f, P) + dot(l->m, row->M)) / l->length2;
}

static void fill_matrix(scree_written *w) {
    const scree_delassus *d = &w->d;
    for (int i = 0; i < d->n; ++i) {
        d->P[i] = percussion_of(w, &w->lines[i]);
        d->b[i] = velocity_of(w, &w->lines[i]);
        for (int j = 0; j < d->n; ++j)
            d->G[(size_t)i * (size_t)d->n + (size_t)j] =
                coupling_of(w, &w->lines[i], &w->lines[j]) +
                (i == j ? w->lines[i].soft : 0);
    }
}

scree_status scree_rows_write(scree_written *w, scree_arena *scratch) {
    scree_delassus *d = &w->d;
    const size_t n = (size_t)w->n;
    *d = (scree_delassus){0};
    if (!SCREE_PUSH(scratch, w->first, n + 1) ||
        !SCREE_PUSH(scratch, w->lines, MOST_LINES * n) ||
        !SCREE_PUSH(scratch, d->sets, MOST_SETS * n))
        return SCREE_OUT_OF_MEMORY;
    for (int32_t k = 0; k < w->n; ++k) add_lines(w, k);
    w->first[n] = d->n;
    if (!scree_delassus_reserve(d, scratch)) return SCREE_OUT_OF_MEMORY;
    fill_matrix(w);
    return SCREE_OK;
}

/* ---- back ------------------------------------------------------------------------ */

static row_step written_joint(const scree_written *w, int32_t k) {
    const scree_row *row = &w->rows[k];
    row_step s = {0};
    for (int i = w->first[k]; i < w->first[k + 1]; ++i) {
        s.P_t = add_scaled(s.P_t, w->d.P[i], w->lines[i].f);
        s.M = add_scaled(s.M, w->d.P[i], w->lines[i].m);
    }
    s.P_n = dot(row->n, s.P_t);
    s.P_t = add_scaled(s.P_t, -s.P_n, row->n);
    return s;
}

row_step scree_written_step(const scree_written *w, int32_t k) {
    const scree_row *row = &w->rows[k];
    if (scree_row_is_joint(row)) return written_joint(w, k);
    row_step s = {.P_n = w->d.P[w->first[k]]};
    for (int i = w->first[k] + 1; i < w->first[k + 1]; ++i) {
        s.P_t = add_scaled(s.P_t, w->d.P[i], w->lines[i].f);
        s.M = add_scaled(s.M, w->d.P[i], w->lines[i].m);
    }
    if (scree_row_is_tied(row)) s.P_t = tied_friction(row, s.P_n);
    return s;
}
