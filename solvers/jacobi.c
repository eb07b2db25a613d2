/* jacobi.c: projected Jacobi, 002 equation (22), relaxed (27).
 *
 *     P_i <- prox_{C_i}(P_i - r_i (W_i^T u + c_i)) for all i from the same u,
 *     then u <- u + M^-1 W dP.
 *
 * With r_i = 1/G_ii this diverges as soon as a body has many contacts. Mass
 * splitting makes it safe: a body with d contacts lends each of them 1/d of its
 * mass, so that r_i = omega / (d_a G_ii^a + d_b G_ii^b) bounds the coupling of
 * G by its diagonal: the normal problem descends for omega < 2. While the
 * residual falls, all steps grow together, up to those of omega = BOLD; when it
 * rises they are halved again, friction being no descent. */
#include "solvers/kernel.h"
#include "solvers/solver.h"

#include <string.h>

/* Largest step that descends, with a little to spare; growth per check. */
static const double BOLD = 1.9, GROW = 1.1;

typedef struct jacobi {
    lane_step *change; /* (lanes) dP of this sweep */
    double *r_n, *r_t; /* (lanes) */
    double stretch;    /* of all steps, in [1, most] */
    double most;
    double last_residual;
} jacobi;

/* ---- steps ---------------------------------------------------------------------- */

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
    const size_t lanes = SCREE_LANES * (size_t)p->n_block;
    memset(j->r_n, 0, lanes * sizeof *j->r_n);
    memset(j->r_t, 0, lanes * sizeof *j->r_t);
    for (int64_t i = 0; i < p->n_contact; ++i) {
        const scree_row row = scree_problem_row(p, i);
        const scree_twist *a = &p->u[row.a], *b = &p->u[row.b];
        const double da = degree[row.a], db = degree[row.b];
        const double G_n = da * a->inv_m + db * b->inv_m;
        const double G_t = G_n + da * row.arm_a * row.arm_a * a->inv_theta +
                           db * row.arm_b * row.arm_b * b->inv_theta;
        j->r_n[p->slot[i]] = G_n > 0 ? omega / G_n : 0;
        j->r_t[p->slot[i]] = G_t > 0 ? omega / G_t : 0;
    }
}

/* After a check of the residual. */
static void watch(void *context, double residual) {
    jacobi *j = context;
    const bool falls = residual <= j->last_residual;
    j->stretch = falls ? fmin(j->most, GROW * j->stretch)
                       : fmax(1, 0.5 * j->stretch);
    j->last_residual = residual;
}

/* ---- a sweep -------------------------------------------------------------------- */

static void project_block(const scree_problem *p, int64_t block, jacobi *j) {
    scree_block *k = &p->blocks[block];
    for (int lane = 0; lane < SCREE_LANES; ++lane) {
        const int64_t at = block * SCREE_LANES + lane;
        const scree_vec3 xi =
            lane_xi(k, lane, &p->u[k->a[lane]], &p->u[k->b[lane]]);
        const lane_step s =
            lane_prox(k, lane, xi, j->stretch * j->r_n[at],
                      j->stretch * j->r_t[at]);
        j->change[at] = (lane_step){s.P_n - k->P_n[lane],
                                    sub(s.P_t, lane_get(k->P_t, lane))};
        k->P_n[lane] = s.P_n;
        lane_set(k->P_t, lane, s.P_t);
    }
}

static void push_blocks(scree_problem *p, const int32_t *list, int64_t first,
                        int64_t last, const void *context) {
    const jacobi *j = context;
    for (int64_t i = first; i < last; ++i) {
        const scree_block *k = &p->blocks[list[i]];
        for (int lane = 0; lane < SCREE_LANES; ++lane) {
            scree_twist still = {0};
            const lane_step d = j->change[list[i] * SCREE_LANES + lane];
            lane_push(k, lane,
                      k->a[lane] < p->n_body ? &p->u[k->a[lane]] : &still,
                      k->b[lane] < p->n_body ? &p->u[k->b[lane]] : &still,
                      d.P_n, d.P_t);
        }
    }
}

typedef struct sweeps_task {
    scree_problem *p;
    jacobi *j;
    int count;
} sweeps_task;

/* A member's part: prox steps in any order, then pushes colour after colour. */
static void sweep_share(void *context, const scree_team *team) {
    const sweeps_task *t = context;
    for (int s = 0; s < t->count; ++s) {
        int64_t first = 0, last = t->p->n_block;
        scree_team_share(team, &first, &last);
        for (int64_t i = first; i < last; ++i) project_block(t->p, i, t->j);
        scree_team_wait(team);
        scree_problem_pass(t->p, team, push_blocks, push_blocks, t->j);
    }
}

static void sweep(scree_problem *p, void *context, int count) {
    sweeps_task t = {p, context, count};
    scree_team_run(scree_problem_threads(p), sweep_share, &t);
}

/* ---- the solver ------------------------------------------------------------------ */

static scree_status solve(scree_problem *p, const scree_solver_options *options,
                          scree_arena *scratch, scree_report *report) {
    const size_t mark = scree_arena_mark(scratch);
    const size_t n = SCREE_LANES * (size_t)p->n_block;
    jacobi j = {.change = scree_arena_push(scratch, n * sizeof *j.change),
                .r_n = scree_arena_push(scratch, n * sizeof *j.r_n),
                .r_t = scree_arena_push(scratch, n * sizeof *j.r_t),
                .stretch = 1,
                .most = fmax(1, BOLD / options->relaxation),
                .last_residual = INFINITY};
    int32_t *degree =
        scree_arena_push(scratch, ((size_t)p->n_body + 1) * sizeof *degree);
    const bool room = j.change && j.r_n && j.r_t && degree;
    if (room) {
        count_contacts(p, degree);
        choose_steps(p, degree, options->relaxation, &j);
        scree_iterate(p, options, sweep, watch, &j, report);
    }
    scree_arena_pop(scratch, mark);
    return room ? SCREE_OK : SCREE_OUT_OF_MEMORY;
}

const scree_solver_ops scree_solver_jacobi = {
    .name = "jacobi",
    .about = "projected Jacobi with mass splitting, all contacts at once",
    .solve = solve,
};
