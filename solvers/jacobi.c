/* jacobi.c: projected Jacobi, 002 equation (22), relaxed (27).
 *
 *     P_i <- prox_{C_i}(P_i - r_i (W_i^T u + c_i)) for all i from the same u,
 *     then u <- u + M^-1 W dP.
 *
 * With r_i = 1/G_ii this diverges as soon as a body has many contacts. Mass
 * splitting makes it safe: a body with d contacts lends each of them 1/d of its
 * mass, so that r_i = omega / (d_a G_ii^a + d_b G_ii^b) bounds the coupling of
 * G by its diagonal, and the normal problem descends for omega <= 1. */
#include "solvers/kernel.h"
#include "solvers/solver.h"

#include <string.h>

typedef struct jacobi {
    lane_step *next;  /* (lanes) percussions of this sweep */
    double *r_n, *r_t; /* (lanes) */
} jacobi;

static void count_contacts(const scree_problem *p, int32_t *degree) {
    memset(degree, 0, ((size_t)p->n_body + 1) * sizeof *degree);
    for (int64_t i = 0; i < p->n_contact; ++i) {
        int lane;
        const scree_block *k = scree_problem_block(p, i, &lane);
        ++degree[k->a[lane]];
        ++degree[k->b[lane]];
    }
}

static void choose_steps(const scree_problem *p, const int32_t *degree,
                         double omega, jacobi *j) {
    for (int64_t i = 0; i < p->n_contact; ++i) {
        const scree_row row = scree_problem_row(p, i);
        const scree_twist *a = &p->u[row.a], *b = &p->u[row.b];
        const double da = degree[row.a], db = degree[row.b];
        const double G_n = da * a->inv_m + db * b->inv_m;
        const double G_t = G_n + da * row.arm_a * row.arm_a * a->inv_theta +
                           db * row.arm_b * row.arm_b * b->inv_theta;
        j->r_n[i] = G_n > 0 ? omega / G_n : 0;
        j->r_t[i] = G_t > 0 ? omega / G_t : 0;
    }
}

static void sweep_once(scree_problem *p, jacobi *j) {
    for (int64_t i = 0; i < p->n_contact; ++i) {
        int lane;
        const scree_block *k = scree_problem_block(p, i, &lane);
        j->next[i] = lane_prox(k, lane, scree_problem_xi(p, i), j->r_n[i],
                               j->r_t[i]);
    }
    for (int64_t i = 0; i < p->n_contact; ++i) {
        int lane;
        scree_block *k = scree_problem_block(p, i, &lane);
        const lane_step s = j->next[i];
        lane_push(k, lane, &p->u[k->a[lane]], &p->u[k->b[lane]],
                  s.P_n - k->P_n[lane], sub(s.P_t, lane_get(k->P_t, lane)));
        k->P_n[lane] = s.P_n;
        lane_set(k->P_t, lane, s.P_t);
    }
}

static void sweep(scree_problem *p, void *context, int count) {
    for (int k = 0; k < count; ++k) sweep_once(p, context);
}

static scree_status solve(scree_problem *p, const scree_solver_options *options,
                          scree_arena *scratch, scree_report *report) {
    const size_t mark = scree_arena_mark(scratch);
    const size_t n = (size_t)p->n_contact;
    jacobi j = {.next = scree_arena_push(scratch, n * sizeof *j.next),
                .r_n = scree_arena_push(scratch, n * sizeof *j.r_n),
                .r_t = scree_arena_push(scratch, n * sizeof *j.r_t)};
    int32_t *degree =
        scree_arena_push(scratch, ((size_t)p->n_body + 1) * sizeof *degree);
    const bool room = j.next && j.r_n && j.r_t && degree;
    if (room) {
        count_contacts(p, degree);
        choose_steps(p, degree, options->relaxation, &j);
        scree_iterate(p, options, sweep, NULL, &j, report);
    }
    scree_arena_pop(scratch, mark);
    return room ? SCREE_OK : SCREE_OUT_OF_MEMORY;
}

const scree_solver_ops scree_solver_jacobi = {
    .name = "jacobi",
    .about = "projected Jacobi with mass splitting, all contacts at once",
    .solve = solve,
};
