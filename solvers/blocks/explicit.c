#include "solvers/blocks/explicit.h"

#include <string.h>

#include "engine/base/error.h"

bool scree_problem_is_coulomb(const scree_problem *p) {
    return !scree_problem_obeys(p, SCREE_TIED | SCREE_TURNING);
}

/* ---- frames and directions --------------------------------------------------- */

typedef struct frame {
    scree_vec3 d[3];   /* n, t1, t2 */
    double length2[3]; /* of each */
} frame;

/* In the plane there is no second tangent. */
static frame frame_of(const scree_problem *p, const scree_row *row) {
    const double k = row->ratio;
    const scree_vec3 n = row->n, t = perpendicular(n);
    if (p->planar)
        return (frame){{n, vec(-n.y, n.x, 0), vec(0, 0, 0)}, {1, 1, 1}};
    if (!scree_row_is_oval(row)) return (frame){{n, t, cross(n, t)}, {1, 1, 1}};
    return (frame){{n, cross(row->across, n), scale(k, row->across)},
                   {1, 1, k * k}};
}

/* Force and moment on one body of a unit percussion along each direction. */
typedef struct wrench {
    scree_vec3 force[3], moment[3];
} wrench;

static wrench wrench_on(const scree_problem *p, const scree_row *row,
                        bool on_a) {
    const double sign = on_a ? 1 : -1;
    const scree_vec3 arm = scree_row_arm(row, on_a);
    const frame f = frame_of(p, row);
    wrench w;
    for (int k = 0; k < 3; ++k) {
        w.force[k] = scale(sign, f.d[k]);
        w.moment[k] = cross(arm, w.force[k]);
    }
    return w;
}

/* block += w_i^T M^-1 w_j for one body, whose inertia contact i knows. */
static void add_coupling(const scree_problem *p, const scree_row *i,
                         int32_t body, const wrench *wi, const wrench *wj,
                         double block[9]) {
    for (int c = 0; c < 3; ++c) {
        const scree_vec3 v = scale(p->u[body].inv_m, wj->force[c]);
        const scree_vec3 w = scree_row_turn(p, i, body, wj->moment[c]);
        for (int r = 0; r < 3; ++r)
            block[3 * r + c] += dot(wi->force[r], v) + dot(wi->moment[r], w);
    }
}

/* ---- which contacts a body has ------------------------------------------------- */

typedef struct incidence {
    int64_t *start; /* (n_body + 2) */
    int32_t *list;  /* contacts of body k: list[start[k] .. start[k + 1]) */
} incidence;

static bool find_incidence(const scree_problem *p, incidence *at,
                           scree_arena *scratch) {
    const size_t n = (size_t)p->n_body;
    at->start = scree_arena_push(scratch, (n + 2) * sizeof *at->start);
    at->list = scree_arena_push(scratch, (2 * (size_t)p->n_contact + 1) *
                                             sizeof *at->list);
    if (!at->start || !at->list) return false;
    memset(at->start, 0, (n + 2) * sizeof *at->start);
    for (int64_t i = 0; i < p->n_contact; ++i) {
        const scree_row row = scree_problem_row(p, i);
        if (row.a < p->n_body) ++at->start[row.a + 2];
        if (row.b < p->n_body) ++at->start[row.b + 2];
    }
    for (size_t k = 0; k < n; ++k) at->start[k + 2] += at->start[k + 1];
    for (int64_t i = 0; i < p->n_contact; ++i) {
        const scree_row row = scree_problem_row(p, i);
        if (row.a < p->n_body) at->list[at->start[row.a + 1]++] = (int32_t)i;
        if (row.b < p->n_body) at->list[at->start[row.b + 1]++] = (int32_t)i;
    }
    return true;
}

/* ---- rows ------------------------------------------------------------------------- */

/* Walks row i and the bodies of its contact; place[j] is the block of column j
 * if it is not before the row's first. Writes blocks when `out` has room. */
typedef struct walk {
    const scree_problem *p;
    const incidence *at;
    int64_t *place;
    int64_t n_block;
    scree_fc3d *out;
} walk;

static void walk_body(walk *w, int64_t i, bool on_a, int64_t first) {
    const scree_row row = scree_problem_row(w->p, i);
    const int32_t body = on_a ? row.a : row.b;
    if (body >= w->p->n_body) return;
    const wrench wi = wrench_on(w->p, &row, on_a);
    for (int64_t k = w->at->start[body]; k < w->at->start[body + 1]; ++k) {
        const int32_t j = w->at->list[k];
        if (w->place[j] < first) w->place[j] = w->n_block++;
        if (!w->out) continue;
        const scree_row other = scree_problem_row(w->p, j);
        const wrench wj = wrench_on(w->p, &other, other.a == body);
        w->out->column[w->place[j]] = j;
        add_coupling(w->p, &row, body, &wi, &wj, &w->out->W[9 * w->place[j]]);
    }
}

static void walk_rows(walk *w) {
    w->n_block = 0;
    for (int64_t i = 0; i < w->p->n_contact; ++i) w->place[i] = -1;
    for (int64_t i = 0; i < w->p->n_contact; ++i) {
        const int64_t first = w->n_block;
        w->place[i] = w->n_block++;
        if (w->out) w->out->row[i] = first, w->out->column[first] = (int32_t)i;
        walk_body(w, i, true, first);
        walk_body(w, i, false, first);
    }
    if (w->out) w->out->row[w->p->n_contact] = w->n_block;
}

static bool make_room(scree_fc3d *out, int dim, int64_t n_contact,
                      int64_t n_block, scree_arena *scratch) {
    const size_t nc = (size_t)n_contact, blocks = (size_t)n_block;
    *out = (scree_fc3d){.nc = (int)n_contact, .dim = dim, .n_block = n_block};
    out->row = scree_arena_push(scratch, (nc + 1) * sizeof *out->row);
    out->column = scree_arena_push(scratch, (blocks + 1) * sizeof *out->column);
    out->W = scree_arena_push(scratch, (9 * blocks + 1) * sizeof *out->W);
    out->q = scree_arena_push(scratch, (3 * nc + 1) * sizeof *out->q);
    out->mu = scree_arena_push(scratch, (nc + 1) * sizeof *out->mu);
    out->rho = scree_arena_push(scratch, (nc + 1) * sizeof *out->rho);
    out->r = scree_arena_push(scratch, (3 * nc + 1) * sizeof *out->r);
    out->u = scree_arena_push(scratch, (3 * nc + 1) * sizeof *out->u);
    if (!out->row || !out->column || !out->W || !out->q || !out->mu ||
        !out->rho || !out->r || !out->u)
        return false;
    memset(out->W, 0, 9 * blocks * sizeof *out->W);
    return true;
}

/* P and xi in the contact's frame; q = xi - G P. */
static void write_vectors(const scree_problem *p, scree_fc3d *out) {
    memset(out->q, 0, 3 * (size_t)out->nc * sizeof *out->q);
    for (int i = 0; i < out->nc; ++i) {
        const scree_row row = scree_problem_row(p, i);
        const scree_vec3 P = add_scaled(row.P_t, row.P_n, row.n);
        const frame f = frame_of(p, &row);
        for (int k = 0; k < 3; ++k)
            out->r[3 * i + k] = dot(f.d[k], P) / f.length2[k];
        out->mu[i] = row.mu;
        out->rho[i] = 1 / out->W[9 * out->row[i]];
    }
    for (int i = 0; i < out->nc; ++i) {
        const scree_vec3 xi = scree_problem_xi(p, i);
        const scree_row row = scree_problem_row(p, i);
        const frame f = frame_of(p, &row);
        double GP[3];
        scree_fc3d_row(out, i, GP);
        for (int k = 0; k < 3; ++k) out->u[3 * i + k] = dot(f.d[k], xi) - GP[k];
    }
    memcpy(out->q, out->u, 3 * (size_t)out->nc * sizeof *out->q);
}

scree_status scree_problem_write_out(const scree_problem *p,
                                     scree_arena *scratch, scree_fc3d *out) {
    incidence at;
    walk w = {.p = p, .at = &at};
    w.place =
        scree_arena_push(scratch, ((size_t)p->n_contact + 1) * sizeof *w.place);
    if (!w.place || !find_incidence(p, &at, scratch))
        return SCREE_OUT_OF_MEMORY;
    walk_rows(&w);
    if (!make_room(out, p->planar ? 2 : 3, p->n_contact, w.n_block, scratch))
        return SCREE_OUT_OF_MEMORY;
    w.out = out;
    walk_rows(&w);
    write_vectors(p, out);
    return SCREE_OK;
}

void scree_problem_take_over(scree_problem *p, const scree_fc3d *solved) {
    for (int i = 0; i < solved->nc; ++i) {
        const scree_row row = scree_problem_row(p, i);
        const frame f = frame_of(p, &row);
        const double *r = &solved->r[3 * i];
        const scree_vec3 P_t = add(scale(r[1], f.d[1]), scale(r[2], f.d[2]));
        const scree_vec3 before = add_scaled(row.P_t, row.P_n, row.n);
        scree_problem_push(p, i, sub(add_scaled(P_t, r[0], row.n), before));
        scree_problem_set_P(p, i, r[0], P_t);
    }
}
