#include "solvers/problem/problem_valid.h"

/* ---- rows ------------------------------------------------------------------ */

static bool is_body(const scree_problem *p, int32_t body) {
    return body >= 0 && body <= p->n_body;
}

/* Numbers of bodies that ran away are no numbers: who steps them says so by name. */
static bool is_unit(scree_vec3 v) {
    return !(fabs(dot(v, v) - 1) > 1e-6);
}

bool scree_row_is_valid(const scree_problem *p, const scree_row *row) {
    return is_body(p, row->a) && is_body(p, row->b) && is_unit(row->n) &&
           !(row->mu < 0) &&
           (row->general || !(row->laws & (SCREE_ELLIPSE | SCREE_TURNING))) &&
           (!scree_row_turns(row) || row->roll > 0 || row->drill > 0 ||
            row->bars) &&
           (!scree_row_is_oval(row) || row->ratio > 0);
}

/* ---- blocks ---------------------------------------------------------------- */

static bool body_moves(const scree_problem *p, int32_t body) {
    return body >= 0 && body < p->n_body;
}

static bool shares_body(const scree_problem *p, const scree_four *k, int i,
                        int j) {
    const int32_t *a = k->a, *b = k->b;
    return (body_moves(p, a[i]) && (a[i] == a[j] || a[i] == b[j])) ||
           (body_moves(p, b[i]) && (b[i] == a[j] || b[i] == b[j]));
}

static bool lanes_apart(const scree_problem *p, const scree_four *k) {
    for (int i = 0; i < SCREE_LANES; ++i)
        for (int j = 0; j < i; ++j)
            if (shares_body(p, k, i, j)) return false;
    return true;
}

/* A lane whose bodies are both the static one: no contact has it. */
static bool spares_are_empty(const scree_problem *p, const scree_four *k) {
    for (int l = 0; l < SCREE_LANES; ++l)
        if (k->a[l] == p->n_body && k->b[l] == p->n_body &&
            (k->rho_n[l] != 0 || k->P_n[l] != 0 || k->P_t[0][l] != 0 ||
             k->P_t[1][l] != 0 || k->P_t[2][l] != 0))
            return false;
    return true;
}

/* Contacts that find no colour go into overflows, one after the other. */
static bool is_overflow(const scree_problem *p, int colour) {
    return colour == SCREE_OVERFLOW ||
           (p->coupling && colour == SCREE_AT_BORDER);
}

bool scree_problem_is_valid(const scree_problem *p) {
    if (!p->sorted) return true;
    const int64_t round = p->round.n_block;
    for (int64_t i = 0; i < scree_problem_blocks(p); ++i) {
        const scree_four *k = scree_problem_four_at(p, i);
        if (!spares_are_empty(p, k)) return false;
        const bool overflows =
            !p->ordering.on &&
            is_overflow(p, i < round ? p->round.colour[i]
                                     : p->general.colour[i - round]);
        if (!overflows && !lanes_apart(p, k)) return false;
    }
    return scree_parts_is_valid(p);
}

/* ---- parts ----------------------------------------------------------------- */

static bool touches_common(const scree_problem *p, const scree_four *k) {
    const uint8_t *common = p->parts.common;
    for (int l = 0; l < SCREE_LANES; ++l)
        if (common[k->a[l]] || common[k->b[l]]) return true;
    return false;
}

static bool inner_is_alone(const scree_problem *p, const scree_shelf *s,
                           int64_t base, const scree_part_run *run) {
    for (int64_t i = run->inner; i < run->last; ++i)
        if (touches_common(p, scree_problem_four_at(p, base + s->list[i])))
            return false;
    return true;
}

static bool shelf_is_shared(const scree_problem *p, const scree_shelf *s,
                            int64_t base) {
    const int n = p->parts.n;
    const int colours = p->ordering.on ? p->ordering.n_colour : SCREE_COLOURS;
    for (int c = 0; c < colours; ++c) {
        int64_t blocks = 0;
        for (int k = 0; k < n; ++k) {
            const scree_part_run *run = &s->run[(int64_t)c * n + k];
            blocks += run->last - run->first;
            if (!inner_is_alone(p, s, base, run)) return false;
        }
        if (blocks != s->first[c + 1] - s->first[c]) return false;
    }
    return true;
}

bool scree_parts_is_valid(const scree_problem *p) {
    const scree_parts *parts = &p->parts;
    int64_t bodies = 0;
    for (int k = 0; k < parts->n; ++k) {
        const scree_part_run *run = &parts->run[k];
        bodies += run->last - run->first;
        for (int64_t i = run->inner; i < run->last; ++i)
            if (parts->common[parts->bodies[i]]) return false;
    }
    return bodies == p->n_body && shelf_is_shared(p, &p->round, 0) &&
           shelf_is_shared(p, &p->general, p->round.n_block);
}

/* ---- other layouts ----------------------------------------------------------- */

bool scree_fc3d_is_valid(const scree_fc3d *p) {
    if (p->row[0] != 0 || p->row[p->nc] != p->n_block) return false;
    for (int i = 0; i < p->nc; i++) {
        if (p->row[i] >= p->row[i + 1] || p->column[p->row[i]] != i)
            return false;
        for (int64_t k = p->row[i]; k < p->row[i + 1]; k++)
            if (p->column[k] < 0 || p->column[k] >= p->nc) return false;
    }
    return true;
}

static bool sets_apart(const scree_set *a, const scree_set *b) {
    return a->row + a->n <= b->row || b->row + b->n <= a->row;
}

bool scree_delassus_is_valid(const scree_delassus *d) {
    int rows = 0;
    for (int k = 0; k < d->n_set; ++k) {
        const scree_set *s = &d->sets[k];
        const bool ball = s->kind == SCREE_SET_BALL;
        if (s->row < 0 || s->n < 1 - ball || s->row + s->n > d->n) return false;
        if (ball && (s->normal < -1 || s->normal >= d->n)) return false;
        for (int i = 0; i < k; ++i)
            if (!sets_apart(s, &d->sets[i])) return false;
        rows += s->n;
    }
    return rows == d->n;
}
