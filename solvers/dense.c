/* dense.c: the plain reference: the Delassus matrix written out, and the prox
 * fixed point on it, 002 equation (19) and (22).
 *
 *     P <- prox_C(P - r (G P + b)),   G = W^T M^-1 W,   b = W^T u_free + c,
 *
 * in contact frames (n, t1, t2), r_i = omega / (row sum of |G|). It shares no
 * operator with the sweeps: W comes from the definition of the contact point's
 * velocity, so that it can judge them. For small problems: memory and time per
 * iteration grow with the square of the contacts. */
#include "solvers/kernel.h"
#include "solvers/solver.h"

#include <string.h>

enum { MOST_CONTACTS = 2000 };

typedef struct dense {
    int n;       /* rows: 3 per contact */
    double *G;   /* (n x n) */
    double *b;   /* (n) */
    double *P;   /* (n) */
    double *xi;  /* (n) */
    double *r;   /* (n / 3) */
    scree_vec3 *frame; /* (n) directions n, t1, t2 of each contact */
    scree_twist *u_free;
} dense;

/* Part of direction d of a contact that acts on body `body`: force along d at
 * the contact point, and its moment. */
typedef struct influence {
    scree_vec3 force, moment;
} influence;

static influence influence_on(const scree_row *row, scree_vec3 d, int body) {
    influence w = {vec(0, 0, 0), vec(0, 0, 0)};
    if (row->a == body) {
        w.force = add(w.force, d);
        w.moment = add(w.moment, cross(scale(-row->arm_a, row->n), d));
    }
    if (row->b == body) {
        w.force = sub(w.force, d);
        w.moment = sub(w.moment, cross(scale(row->arm_b, row->n), d));
    }
    return w;
}

static double coupling(const scree_problem *p, const scree_row *i, scree_vec3 di,
                       const scree_row *j, scree_vec3 dj) {
    const int bodies[2] = {i->a, i->b};
    double sum = 0;
    for (int k = 0; k < 2; ++k) {
        const scree_twist *u = &p->u[bodies[k]];
        const influence wi = influence_on(i, di, bodies[k]);
        const influence wj = influence_on(j, dj, bodies[k]);
        sum += u->inv_m * dot(wi.force, wj.force) +
               u->inv_theta * dot(wi.moment, wj.moment);
    }
    return sum;
}

static scree_vec3 contact_velocity(const scree_problem *p,
                                   const scree_row *row) {
    const scree_twist *a = &p->u[row->a], *b = &p->u[row->b];
    const scree_vec3 at_a =
        add(a->v, cross(a->w, scale(-row->arm_a, row->n)));
    const scree_vec3 at_b = add(b->v, cross(b->w, scale(row->arm_b, row->n)));
    return sub(at_a, at_b);
}

static void set_up(const scree_problem *p, double omega, dense *d) {
    for (int i = 0; i < d->n / 3; ++i) {
        const scree_row row = scree_problem_row(p, i);
        scree_vec3 *f = &d->frame[3 * i];
        f[0] = row.n, f[1] = perpendicular(row.n), f[2] = cross(f[0], f[1]);
        const scree_vec3 b = add(contact_velocity(p, &row), row.c);
        const scree_vec3 P = add_scaled(row.P_t, row.P_n, row.n);
        for (int k = 0; k < 3; ++k) {
            d->b[3 * i + k] = dot(f[k], b);
            d->P[3 * i + k] = dot(f[k], P);
        }
    }
    for (int i = 0; i < d->n; ++i) {
        const scree_row row = scree_problem_row(p, i / 3);
        double sum = 0;
        for (int j = 0; j < d->n; ++j) {
            const scree_row other = scree_problem_row(p, j / 3);
            const double G =
                coupling(p, &row, d->frame[i], &other, d->frame[j]);
            d->G[(size_t)i * (size_t)d->n + (size_t)j] = G;
            sum += fabs(G);
        }
        const double r = sum > 0 ? omega / sum : 0;
        d->r[i / 3] = i % 3 ? fmin(d->r[i / 3], r) : r;
    }
}

static void multiply(dense *d) {
    for (int i = 0; i < d->n; ++i) {
        const double *row = &d->G[(size_t)i * (size_t)d->n];
        double sum = d->b[i];
        for (int j = 0; j < d->n; ++j) sum += row[j] * d->P[j];
        d->xi[i] = sum;
    }
}

static void project(const scree_problem *p, dense *d) {
    multiply(d);
    for (int i = 0; i < d->n / 3; ++i) {
        double *P = &d->P[3 * i];
        const double *xi = &d->xi[3 * i], r = d->r[i];
        const double mu = scree_problem_row(p, i).mu;
        P[0] = prox_half_line(P[0] - r * xi[0]);
        const scree_vec3 t =
            prox_disc(mu * P[0], vec(0, P[1] - r * xi[1], P[2] - r * xi[2]));
        P[1] = t.y, P[2] = t.z;
    }
}

static void store(scree_problem *p, const dense *d) {
    for (int64_t i = 0; i < p->n_contact; ++i) {
        scree_block *k = &p->blocks[i / SCREE_LANES];
        const int lane = (int)(i % SCREE_LANES);
        const double *P = &d->P[3 * i];
        const scree_vec3 *f = &d->frame[3 * i];
        k->P_n[lane] = P[0];
        lane_set(k->P_t, lane, add(scale(P[1], f[1]), scale(P[2], f[2])));
    }
}

/* Rebuilds u from u_free each time, so that no rounding accumulates. */
static void sweep(scree_problem *p, void *context) {
    dense *d = context;
    project(p, d);
    store(p, d);
    memcpy(p->u, d->u_free, ((size_t)p->n_body + 1) * sizeof *p->u);
    scree_problem_apply(p);
}

static bool allocate(dense *d, scree_arena *scratch) {
    const size_t n = (size_t)d->n;
    d->G = scree_arena_push(scratch, n * n * sizeof *d->G);
    d->b = scree_arena_push(scratch, n * sizeof *d->b);
    d->P = scree_arena_push(scratch, n * sizeof *d->P);
    d->xi = scree_arena_push(scratch, n * sizeof *d->xi);
    d->r = scree_arena_push(scratch, n * sizeof *d->r);
    d->frame = scree_arena_push(scratch, n * sizeof *d->frame);
    return d->G && d->b && d->P && d->xi && d->r && d->frame;
}

static scree_status solve(scree_problem *p, const scree_solver_options *options,
                          scree_arena *scratch, scree_report *report) {
    if (p->n_contact > MOST_CONTACTS) return SCREE_UNSUPPORTED;
    const size_t mark = scree_arena_mark(scratch);
    dense d = {.n = 3 * (int)p->n_contact};
    const size_t u_bytes = ((size_t)p->n_body + 1) * sizeof *p->u;
    d.u_free = scree_arena_push(scratch, u_bytes);
    const bool room = allocate(&d, scratch) && d.u_free;
    if (room) {
        memcpy(d.u_free, p->u, u_bytes);
        set_up(p, options->relaxation, &d);
        scree_iterate(p, options, sweep, &d, report);
    }
    scree_arena_pop(scratch, mark);
    return room ? SCREE_OK : SCREE_OUT_OF_MEMORY;
}

const scree_solver_ops scree_solver_dense = {
    .name = "dense",
    .about = "reference: explicit Delassus matrix, at most 2000 contacts",
    .solve = solve,
};
