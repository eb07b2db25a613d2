/* dense.c: the plain reference: the problem as a scree_delassus, and the prox
 * fixed point on it, 002 equation (19) and (22).
 *
 *     P <- prox_C(P - r (G P + b)),   G = W^T M^-1 W,   b = W^T u_free + c,
 *
 * in contact frames (n, t1, t2), r_i = omega / (row sum of |G|). Sets 2 i and
 * 2 i + 1 are normal and friction of contact i; t1 and t2 are the axes of the
 * ellipse if friction is anisotropic, whose nearest point is found as it is,
 * without stretching. It shares no operator with the
 * sweeps of pgs and jacobi, and no sweep with the methods of delassus.h: W
 * comes from the definition of the contact point's velocity, so that it can
 * judge them. For small problems: memory and time per iteration grow with the
 * square of the contacts. */
#include "solvers/dense/delassus.h"
#include "solvers/problem/kernel.h"
#include "solvers/problem/method.h"

#include <string.h>

typedef struct dense {
    scree_delassus d;  /* 3 rows and 2 sets per contact */
    double *xi;        /* (n) */
    double *r;         /* (n / 3) */
    scree_vec3 *frame; /* (n) directions n, t1, t2 of each contact */
    double *tie;       /* (n) d of a tied contact in those directions, else 0 */
    bool *tied;        /* (n / 3) */
    double *ratio;     /* (n / 3) of the axes of friction */
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
        w.moment = add(w.moment, cross(scree_row_arm(row, true), d));
    }
    if (row->b == body) {
        w.force = sub(w.force, d);
        w.moment = sub(w.moment, cross(scree_row_arm(row, false), d));
    }
    return w;
}

static double coupling(const scree_problem *p, const scree_row *i,
                       scree_vec3 di, const scree_row *j, scree_vec3 dj) {
    const int bodies[2] = {i->a, i->b};
    double sum = 0;
    for (int k = 0; k < 2; ++k) {
        const influence wi = influence_on(i, di, bodies[k]);
        const influence wj = influence_on(j, dj, bodies[k]);
        sum += p->u[bodies[k]].inv_m * dot(wi.force, wj.force) +
               dot(wi.moment, scree_row_turn(p, i, bodies[k], wj.moment));
    }
    return sum;
}

static scree_vec3 contact_velocity(const scree_problem *p,
                                   const scree_row *row) {
    const scree_twist *a = &p->u[row->a], *b = &p->u[row->b];
    const scree_vec3 at_a = add(a->v, cross(a->w, scree_row_arm(row, true)));
    const scree_vec3 at_b = add(b->v, cross(b->w, scree_row_arm(row, false)));
    return sub(at_a, at_b);
}

static void write_contact(const scree_problem *p, int i, dense *k) {
    const scree_row row = scree_problem_row(p, i);
    scree_vec3 *f = &k->frame[3 * i];
    const bool oval = scree_row_is_oval(&row);
    f[0] = row.n;
    f[1] = oval ? cross(row.across, row.n) : perpendicular(row.n);
    f[2] = cross(f[0], f[1]);
    k->ratio[i] = oval ? row.ratio : 1;
    k->tied[i] = scree_row_is_tied(&row);
    const scree_vec3 b = add(contact_velocity(p, &row), row.c);
    const scree_vec3 P = add_scaled(row.P_t, row.P_n, row.n);
    for (int j = 0; j < 3; ++j) {
        k->d.b[3 * i + j] = dot(f[j], b);
        k->d.P[3 * i + j] = dot(f[j], P);
        k->tie[3 * i + j] = dot(f[j], row.tie);
    }
    k->d.sets[2 * i] =
        (scree_set){.kind = SCREE_SET_HALFLINE, .row = 3 * i, .n = 1};
    k->d.sets[2 * i + 1] = (scree_set){.kind = SCREE_SET_BALL,
                                       .row = 3 * i + 1,
                                       .n = 2,
                                       .normal = 3 * i,
                                       .mu = row.mu};
}

/* Row i of G; returns the sum of its absolute values. */
static double write_G_row(const scree_problem *p, int i, dense *k) {
    const int n = k->d.n;
    const scree_row row = scree_problem_row(p, i / 3);
    double sum = 0;
    for (int j = 0; j < n; ++j) {
        const scree_row other = scree_problem_row(p, j / 3);
        const double G = coupling(p, &row, k->frame[i], &other, k->frame[j]);
        k->d.G[(size_t)i * (size_t)n + (size_t)j] = G;
        sum += fabs(G);
    }
    return sum;
}

static void set_up(const scree_problem *p, double omega, dense *k) {
    for (int i = 0; i < k->d.n / 3; ++i) write_contact(p, i, k);
    for (int i = 0; i < k->d.n; ++i) {
        const double sum = write_G_row(p, i, k);
        const double r = sum > 0 ? omega / sum : 0;
        k->r[i / 3] = i % 3 ? fmin(k->r[i / 3], r) : r;
    }
}

static void project_friction(double limit, double ratio, double P[2]) {
    if (ratio != 1) {
        prox_ellipse(limit, ratio * limit, &P[0], &P[1]);
        return;
    }
    const scree_vec3 t = prox_disc(limit, vec(0, P[0], P[1]));
    P[0] = t.y, P[1] = t.z;
}

static void project(dense *k) {
    scree_delassus_xi(&k->d, k->xi);
    for (int i = 0; i < k->d.n / 3; ++i) {
        double *P = &k->d.P[3 * i];
        const double *xi = &k->xi[3 * i], r = k->r[i];
        const double mu = k->d.sets[2 * i + 1].mu;
        P[0] = prox_half_line(P[0] - r * xi[0]);
        P[1] -= r * xi[1], P[2] -= r * xi[2];
        if (k->tied[i])
            P[1] = -mu * P[0] * k->tie[3 * i + 1],
            P[2] = -mu * P[0] * k->tie[3 * i + 2];
        else
            project_friction(mu * P[0], k->ratio[i], &P[1]);
    }
}

static void store(scree_problem *p, const dense *k) {
    for (int64_t i = 0; i < p->n_contact; ++i) {
        const double *P = &k->d.P[3 * i];
        const scree_vec3 *f = &k->frame[3 * i];
        scree_problem_set_P(p, i, P[0],
                            add(scale(P[1], f[1]), scale(P[2], f[2])));
    }
}

/* Rebuilds u from u_free each time, so that no rounding accumulates. */
static void sweep_rows(scree_problem *p, void *context, int count) {
    dense *k = context;
    for (int i = 0; i < count; ++i) project(k);
    store(p, k);
    memcpy(p->u, k->u_free, ((size_t)p->n_body + 1) * sizeof *p->u);
    scree_problem_apply(p);
}

static bool allocate(dense *k, scree_arena *scratch) {
    scree_delassus *d = &k->d;
    const size_t n = (size_t)d->n;
    d->G = scree_arena_push(scratch, n * n * sizeof *d->G);
    d->b = scree_arena_push(scratch, n * sizeof *d->b);
    d->P = scree_arena_push(scratch, n * sizeof *d->P);
    d->sets = scree_arena_push(scratch, (size_t)d->n_set * sizeof *d->sets);
    k->xi = scree_arena_push(scratch, n * sizeof *k->xi);
    k->r = scree_arena_push(scratch, n / 3 * sizeof *k->r);
    k->frame = scree_arena_push(scratch, n * sizeof *k->frame);
    k->tie = scree_arena_push(scratch, n * sizeof *k->tie);
    k->ratio = scree_arena_push(scratch, n / 3 * sizeof *k->ratio);
    k->tied = scree_arena_push(scratch, n / 3 * sizeof *k->tied);
    return d->G && d->b && d->P && d->sets && k->xi && k->r && k->frame &&
           k->tie && k->ratio && k->tied;
}

scree_status scree_lanes_dense(scree_problem *p,
                               const scree_solver_options *options,
                               scree_arena *scratch, scree_report *report) {
    const size_t mark = scree_arena_mark(scratch);
    const int contacts = (int)p->n_contact;
    dense k = {.d = {.n = 3 * contacts, .n_set = 2 * contacts}};
    const size_t u_bytes = ((size_t)p->n_body + 1) * sizeof *p->u;
    k.u_free = scree_arena_push(scratch, u_bytes);
    const bool room = allocate(&k, scratch) && k.u_free;
    if (room) {
        memcpy(k.u_free, p->u, u_bytes);
        set_up(p, options->relaxation, &k);
        scree_iterate(p, options, sweep_rows, NULL, &k, report);
    }
    scree_arena_pop(scratch, mark);
    return room ? SCREE_OK : SCREE_OUT_OF_MEMORY;
}
