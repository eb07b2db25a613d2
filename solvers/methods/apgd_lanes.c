/* apgd.c: accelerated projected gradients for worlds: the loop (apgd.h). */
#include "solvers/methods/apgd.h"

#include <string.h>

#include "solvers/problem/percussions.h"

/* Iterations between two fresh u. */
enum { FRESH = 50 };

/* ---- blocks and bodies, shared out to the team ---------------------------------- */

static void for_blocks(const scree_apgd *s, const scree_team *team,
                       scree_apgd_part *round, scree_apgd_part *general) {
    const int64_t base = s->p->round.n_block;
    int64_t first = 0, last = scree_problem_blocks(s->p);
    scree_team_share(team, &first, &last);
    const int64_t middle = scree_problem_end_of_round(s->p, first, last);
    round(s, first, middle);
    general(s, middle - base, last - base);
}

/* u(y) = u + beta (u - u_last), u_last = u; u = 0 for what the trial adds. */
static void extrapolate_bodies(const scree_apgd *s, const scree_team *team) {
    int64_t first = 0, last = s->p->n_body;
    scree_team_share(team, &first, &last);
    for (int64_t i = first; i < last; ++i) {
        scree_twist *u = &s->p->u[i], *y = &s->at_y[i];
        scree_velocity *before = &s->last[i];
        y->v = add_scaled(u->v, s->rule.beta, sub(u->v, before->v));
        y->w = add_scaled(u->w, s->rule.beta, sub(u->w, before->w));
        *before = (scree_velocity){u->v, u->w};
        u->v = u->w = vec(0, 0, 0);
    }
}

static void clear_bodies(const scree_apgd *s, const scree_team *team) {
    int64_t first = 0, last = s->p->n_body;
    scree_team_share(team, &first, &last);
    for (int64_t i = first; i < last; ++i)
        s->p->u[i].v = s->p->u[i].w = vec(0, 0, 0);
}

/* u(x) = u(y) + du */
static void move_bodies(const scree_apgd *s, const scree_team *team) {
    int64_t first = 0, last = s->p->n_body;
    scree_team_share(team, &first, &last);
    for (int64_t i = first; i < last; ++i) {
        scree_twist *u = &s->p->u[i];
        u->v = add(s->at_y[i].v, u->v);
        u->w = add(s->at_y[i].w, u->w);
    }
}

/* ---- sums ----------------------------------------------------------------------- */

/* Chunk by chunk, so that the bits do not depend on the number of threads. */
static void sum_chunks(const scree_apgd *s, const scree_team *team) {
    const int64_t n = scree_problem_blocks(s->p), base = s->p->round.n_block;
    int64_t first = 0, last = scree_problem_chunks(s->p);
    scree_team_share(team, &first, &last);
    for (int64_t c = first; c < last; ++c) {
        const int64_t begin = c * SCREE_SUM_CHUNK;
        const int64_t end =
            begin + SCREE_SUM_CHUNK < n ? begin + SCREE_SUM_CHUNK : n;
        const int64_t middle = scree_problem_end_of_round(s->p, begin, end);
        scree_apgd_sums sums = {0};
        scree_apgd_round_sum(s, begin, middle, &sums);
        scree_apgd_general_sum(s, middle - base, end - base, &sums);
        s->partial[c] = sums;
    }
}

static scree_apgd_sums sum_all(const scree_apgd *s) {
    double all[3] = {0};
    for (int64_t c = 0; c < scree_problem_chunks(s->p); ++c) {
        all[0] += s->partial[c].bend;
        all[1] += s->partial[c].length;
        all[2] += s->partial[c].slope;
    }
    if (s->p->coupling) scree_comm_sum(s->p->coupling->comm, all, 3);
    return (scree_apgd_sums){all[0], all[1], all[2]};
}

/* ---- an iteration ---------------------------------------------------------------- */

static void judge_step(scree_apgd *s) {
    const scree_apgd_sums sums = sum_all(s);
    s->accepted = scree_apgd_accepts(&s->rule, &sums);
    if (s->accepted) scree_apgd_go_on(&s->rule, sums.slope);
}

static bool try_step(scree_apgd *s, const scree_team *team) {
    static const scree_pass push = {
        scree_apgd_round_push, scree_apgd_round_push_one_by_one,
        scree_apgd_general_push, scree_apgd_general_push};
    scree_problem_pass(s->p, team, &push, s);
    scree_team_wait(team);
    sum_chunks(s, team);
    scree_team_wait(team);
    if (team->rank == 0) judge_step(s);
    scree_team_wait(team);
    return s->accepted;
}

static void take_step(scree_apgd *s, const scree_team *team) {
    extrapolate_bodies(s, team);
    scree_team_wait(team);
    for_blocks(s, team, scree_apgd_round_start, scree_apgd_general_start);
    scree_team_wait(team);
    while (!try_step(s, team)) {
        clear_bodies(s, team);
        for_blocks(s, team, scree_apgd_round_step, scree_apgd_general_step);
        scree_team_wait(team);
    }
    move_bodies(s, team);
    scree_team_wait(team);
}

/* ---- sweeps ---------------------------------------------------------------------- */

typedef struct task {
    scree_apgd *s;
    int count;
} task;

static void run_share(void *context, const scree_team *team) {
    const task *t = context;
    for_blocks(t->s, team, scree_apgd_round_slip, scree_apgd_general_slip);
    scree_team_wait(team);
    for (int i = 0; i < t->count; ++i) take_step(t->s, team);
}

/* u = u_free, and u_last what it was from u on; the other way round. */
static void leave_u(void *context, int64_t first, int64_t last) {
    const scree_apgd *s = context;
    for (int64_t i = first; i < last; ++i) {
        scree_twist *u = &s->p->u[i];
        s->last[i].v = sub(s->last[i].v, u->v);
        s->last[i].w = sub(s->last[i].w, u->w);
        u->v = s->free[i].v, u->w = s->free[i].w;
    }
}

static void arrive_at_u(void *context, int64_t first, int64_t last) {
    const scree_apgd *s = context;
    for (int64_t i = first; i < last; ++i) {
        s->last[i].v = add(s->last[i].v, s->p->u[i].v);
        s->last[i].w = add(s->last[i].w, s->p->u[i].w);
    }
}

/* u = u_free + M^-1 W P, without the rounding of many steps; the way that it went
 * in the last one is kept. */
static void refresh_velocities(scree_apgd *s) {
    scree_problem *p = s->p;
    scree_parallel_for(p->n_body, p->threads, leave_u, s);
    scree_problem_apply(p);
    scree_parallel_for(p->n_body, p->threads, arrive_at_u, s);
}

void scree_apgd_sweep(scree_apgd *s, int count) {
    while (count > 0) {
        task t = {s, count < FRESH ? count : FRESH};
        scree_team_run(scree_problem_threads(s->p), run_share, &t);
        refresh_velocities(s);
        count -= t.count;
    }
}

/* ---- the solver ------------------------------------------------------------------ */

/* For all blocks there is room for: the same from step to step. */
static bool make_room(scree_apgd *s, scree_arena *scratch) {
    const scree_problem *p = s->p;
    const size_t round = (size_t)p->round.capacity;
    const size_t general = (size_t)p->general.capacity;
    const size_t n = (size_t)p->n_body + 1;
    const size_t chunks = (round + general) / SCREE_SUM_CHUNK + 1;
    return SCREE_PUSH(scratch, s->blocks, round) &&
           SCREE_PUSH(scratch, s->generals, general) &&
           SCREE_PUSH(scratch, s->at_y, n) && SCREE_PUSH(scratch, s->free, n) &&
           SCREE_PUSH(scratch, s->last, n) &&
           SCREE_PUSH(scratch, s->partial, chunks) &&
           SCREE_PUSH(scratch, s->best, p->slot_capacity);
}

bool scree_apgd_begin(scree_apgd *s, scree_problem *p, scree_arena *scratch) {
    *s = (scree_apgd){.p = p, .rule = scree_apgd_rule_begin(1, 0)};
    if (!make_room(s, scratch)) return false;
    memset(s->at_y, 0, ((size_t)p->n_body + 1) * sizeof *s->at_y);
    for (int32_t i = 0; i < p->n_body; ++i)
        s->free[i] = s->last[i] = (scree_velocity){p->u[i].v, p->u[i].w};
    return true;
}

static void sweep_all(scree_problem *p, void *context, int count) {
    (void)p;
    scree_apgd_sweep(context, count);
}

/* After a check of the residual. */
static void watch_residual(void *context, double residual) {
    scree_apgd *s = context;
    if (scree_apgd_watch(&s->rule, residual))
        scree_problem_read_steps(s->p, s->best);
}

static void return_to_best(scree_apgd *s, const scree_solver_options *options,
                           scree_report *report) {
    scree_problem_write_steps(s->p, s->best);
    leave_u(s, 0, s->p->n_body);
    const scree_size free = scree_problem_size(s->p);
    scree_problem_apply(s->p);
    scree_report_measure(s->p, free, options, false, report);
}

/* Not for friction that is tied: it makes G unsymmetric, and there is no f to go down
 * on. */
scree_status scree_lanes_apgd(scree_problem *p,
                              const scree_solver_options *options,
                              scree_arena *scratch, scree_report *report) {
    const size_t mark = scree_arena_mark(scratch);
    scree_apgd s;
    const bool room = scree_apgd_begin(&s, p, scratch);
    if (room) {
        s.rule = scree_apgd_rule_begin(1, options->feedback);
        scree_iterate(p, options, sweep_all, watch_residual, &s, report);
        if (report->residual > s.rule.best) return_to_best(&s, options, report);
    }
    scree_arena_pop(scratch, mark);
    return room ? SCREE_OK : SCREE_OUT_OF_MEMORY;
}
