#include "solvers/blocks/explicit.h"

#include <string.h>

#include "engine/base/assert.h"
#include "engine/base/error.h"
#include "solvers/dense/rows.h"
#include "solvers/problem/incidence.h"

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
    const scree_vec3 n = row->n;
    if (p->planar)
        return (frame){{n, vec(-n.y, n.x, 0), vec(0, 0, 0)}, {1, 1, 1}};
    return (frame){{n, scree_row_tangent(row, 0), scree_row_tangent(row, 1)},
                   {1, 1, scree_row_is_oval(row) ? k * k : 1}};
}

/* What unit percussions along the directions of a contact are for one body. */
typedef struct wrenches {
    scree_velocity on[3];
} wrenches;

static wrenches wrenches_of(const scree_problem *p, const scree_row *row,
                            int32_t body) {
    const frame f = frame_of(p, row);
    wrenches w;
    for (int k = 0; k < 3; ++k)
        w.on[k] = scree_row_wrench(row, f.d[k], vec(0, 0, 0), body);
    return w;
}

/* block += w_i^T M^-1 w_j for one body, whose inertia contact i knows. */
static void add_coupling(const scree_problem *p, const scree_row *i,
                         int32_t body, const wrenches *wi, const wrenches *wj,
                         double block[9]) {
    for (int c = 0; c < 3; ++c) {
        const scree_velocity u = scree_row_response(p, i, body, wj->on[c]);
        for (int r = 0; r < 3; ++r)
            block[3 * r + c] += dot(wi->on[r].v, u.v) + dot(wi->on[r].w, u.w);
    }
}

/* ---- rows ------------------------------------------------------------------------- */

/* Walks row i and the bodies of its contact; place[j] is the block of column j
 * if it is not before the row's first. Writes blocks when `out` has room. */
typedef struct walk {
    const scree_problem *p;
    scree_incidence at;
    int64_t *place;
    int64_t n_block;
    scree_fc3d *out;
} walk;

static void walk_body(walk *w, int64_t i, bool on_a, int64_t first) {
    const scree_row row = scree_problem_row(w->p, i);
    const int32_t body = on_a ? row.a : row.b;
    if (body >= w->p->n_body) return;
    const wrenches wi = wrenches_of(w->p, &row, body);
    for (int64_t k = w->at.first[body]; k < w->at.first[body + 1]; ++k) {
        const int32_t j = w->at.list[k];
        if (w->place[j] < first) w->place[j] = w->n_block++;
        if (!w->out) continue;
        const scree_row other = scree_problem_row(w->p, j);
        const wrenches wj = wrenches_of(w->p, &other, body);
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

/* P and xi in the contact's frame; q = xi - G P. */
static void write_vectors(const scree_problem *p, scree_fc3d *out) {
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
    walk w = {.p = p};
    scree_assert(scree_problem_is_coulomb(p));
    if (!SCREE_PUSH(scratch, w.place, p->n_contact)) return SCREE_OUT_OF_MEMORY;
    TRY(scree_problem_find_incidence(p, scratch, &w.at));
    walk_rows(&w);
    void *memory = scree_arena_push(
        scratch, scree_fc3d_bytes((int)p->n_contact, w.n_block));
    if (!memory) return SCREE_OUT_OF_MEMORY;
    scree_fc3d_lay_out(out, memory, (int)p->n_contact, w.n_block);
    out->dim = p->planar ? 2 : 3;
    out->least2 = p->free.least2;
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
