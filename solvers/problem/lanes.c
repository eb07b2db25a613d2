/* lanes.c: a whole solve of a problem in lanes, and its loop. */
#include "solvers/problem/method.h"

#include "engine/base/error.h"
#include "solvers/direct/clusters.h"
#include "solvers/direct/spots.h"

/* ---- the loop ---------------------------------------------------------------- */

/* Velocities below this share of the largest |xi(P = 0)| are rounding. */
static const double ROUNDING = 1e-12;

static double most_approach(const scree_problem *p, scree_size free,
                            const scree_solver_options *options) {
    const double speed = p->speed > 0 ? p->speed : free.approach;
    return fmax(options->approach * speed, ROUNDING * sqrt(free.max2));
}

static scree_goal goal_of(const scree_problem *p, scree_size free,
                          const scree_solver_options *options) {
    return (scree_goal){.tolerance = options->tolerance,
                        .balance = options->balance,
                        .approach = options->approach > 0
                                        ? most_approach(p, free, options)
                                        : INFINITY};
}

void scree_report_measure(const scree_problem *p, scree_size free,
                          const scree_solver_options *options, bool bounded,
                          scree_report *report) {
    const scree_residual r = scree_problem_residual(p, free);
    const scree_goal goal = goal_of(p, free, options);
    scree_report_write(report, &r);
    report->converged =
        scree_goal_is_met(&goal, &r) &&
        (bounded || scree_residual_is_small(&r, options->tolerance));
}

static scree_residual measure_loop(scree_loop *g) {
    const scree_problem *p = g->problem;
    return scree_problem_residual(p, p->free);
}

static const scree_course course = {.measure = measure_loop, .part = 4};

/* Sweeps, after each of which a frame follows. */
static void sweep_on_frame(scree_problem *p, scree_sweep sweep, void *context,
                           int count) {
    if (!p->strain.on) {
        sweep(p, context, count);
        return;
    }
    for (int k = 0; k < count; ++k) {
        sweep(p, context, 1);
        scree_strain_follow(p);
    }
}

void scree_iterate(scree_problem *p, const scree_solver_options *options,
                   scree_sweep sweep, scree_check check, void *context,
                   scree_report *report) {
    scree_loop g;
    if (p->strain.on) scree_strain_release(p);
    p->free = scree_problem_size(p);
    p->free.sum2 = fmax(p->free.sum2, options->scale * options->scale);
    scree_problem_apply(p);
    if (p->strain.on) scree_strain_follow(p);
    scree_loop_begin(&g, &course, p, options, report);
    g.goal = goal_of(p, p->free, options);
    g.fastest = sqrt(p->free.max2);
    g.swept = p->swept;
    if (p->swept > 0) g.trend = p->trend;
    while (!scree_loop_is_over(&g)) {
        const int count = (int)(g.next - g.iteration);
        if (check) check(context, g.last);
        sweep_on_frame(p, sweep, context, count);
        g.iteration += count;
    }
    p->trend = g.trend;
}

/* ---- a whole solve -------------------------------------------------------------- */

/* The reason to stop follows the last residual, which may be another than the one
 * that stopped the method: of the best iterate, or the same in other rounding. */
static void agree_reason(scree_report *report) {
    if (report->converged)
        report->stop = SCREE_STOP_TOLERANCE;
    else if (report->stop == SCREE_STOP_TOLERANCE)
        report->stop = SCREE_STOP_STALL;
}

/* Direct solves hold the frame where it is, and what it does after them nobody would
 * answer: a cell of few bodies so gains energy without end. */
static int clusters_of(const scree_problem *p,
                       const scree_solver_options *options) {
    return p->strain.on ? 0 : options->clusters;
}

/* What the method left undone in clusters of few contacts. */
static scree_status finish_clusters(scree_problem *p, scree_size free,
                                    const scree_solver_options *options,
                                    scree_arena *scratch,
                                    scree_report *report) {
    const scree_cluster_goal goal = {
        .most = options->clusters,
        .tolerance = options->tolerance,
        .approach = goal_of(p, free, options).approach,
        .balance = options->balance > 0 ? options->balance : INFINITY,
        .speed = scree_problem_speed(p, free)};
    int64_t solved;
    TRY(scree_problem_solve_clusters(p, &goal, scratch, &solved));
    if (!scree_problem_any(p, solved > 0)) return SCREE_OK;
    /* Percussions that grow without end do not keep the balance. */
    scree_report_measure(p, free, options, options->balance > 0, report);
    scree_report_sign(report, "cluster");
    return SCREE_OK;
}

static void take_contact_back(scree_problem *p, int64_t i,
                              const void *context) {
    (void)context;
    const scree_row row = scree_problem_row(p, i);
    const scree_vec3 P = add_scaled(row.P_t, row.P_n, row.n);
    scree_problem_push(p, i, scale(-1, P));
    if (scree_row_turns(&row)) scree_problem_turn(p, i, scale(-1, row.M));
}

/* Back to u_free, with the percussions as a guess. */
static void take_back(scree_problem *p) {
    scree_problem_push_each(p, take_contact_back, NULL);
}

/* Where sweeps stall.
 *
 * With large friction the sweeps' map has local modes that grow: some twenty contacts,
 * a few of which slide, whose percussions drive each other (P_N makes friction, friction
 * makes P_N) until one of them changes its status. A column with mu = 1 has two to six
 * of them at a time, growing by 3 to 20 % a sweep, by more with momentum. What they do
 * comes back as noise in all the contacts that stick around them, and that noise is most
 * of the residual. Two things help:
 *
 *   cooling  a few sweeps without momentum, relaxed by half: modes grow slowly then, and
 *            the noise is smoothed. It leaves half to two thirds of the residual.
 *   spots    direct solves where few contacts have most of the error (spots.h).
 *
 * So once sweeps have stalled they go in turns: cooling when the residual is near the
 * tolerance, spots as long as they pay, and sweeps with less momentum. */
enum { STALL = 50, COOL_SWEEPS = 10, TURN_SWEEPS = 30 };
/* Times the tolerance. */
static const double NEAR = 4;
static const double COOL_RELAXATION = 0.5, TURN_MOMENTUM = 0.5;
/* Share of the error that is allowed, as if all of it were in one contact. */
static const double SPOT_ERROR = 0.1;
/* A look that does not bring the residual below this share of what it was is the last:
 * direct solves cost far more than sweeps. To tolerances below the least one sweeps
 * come slowly everywhere, not in spots. */
static const double SPOT_GAIN = 0.9, TURN_TOLERANCE = 1e-5;

static bool may_have_spots(const scree_problem *p,
                           const scree_solver_options *options) {
    return !p->coupling && !p->ordering.on && clusters_of(p, options) > 0;
}

static bool goes_in_turns(const scree_method *m, const scree_problem *p,
                          const scree_solver_options *options) {
    return (m->traits & SCREE_TRAIT_SWEEPS) &&
           ((m->traits & SCREE_TRAIT_COOLS) || may_have_spots(p, options)) &&
           options->stall == 0 && options->tolerance >= TURN_TOLERANCE &&
           options->iterations > STALL;
}

static bool is_done(const scree_solver_options *options,
                    const scree_report *report) {
    return report->converged || report->stop == SCREE_STOP_NOT_FINITE ||
           report->iterations >= options->iterations;
}

static bool is_near(const scree_method *m, const scree_solver_options *options,
                    const scree_report *report) {
    return (m->traits & SCREE_TRAIT_COOLS) &&
           report->residual <= NEAR * options->tolerance;
}

/* At most as many sweeps as the options of this part say, from the percussions that are
 * there. */
static scree_status sweep_on(const scree_method *m, scree_problem *p,
                             scree_solver_options part, int left,
                             scree_arena *scratch, scree_report *report) {
    const int used = report->iterations;
    if (part.iterations > left) part.iterations = left;
    take_back(p);
    p->swept = used;
    const scree_status status = scree_lanes_run(m, p, &part, scratch, report);
    p->swept = 0;
    report->iterations += used;
    return status;
}

static scree_status cool_down(const scree_method *m, scree_problem *p,
                              const scree_solver_options *options,
                              scree_arena *scratch, scree_report *report) {
    scree_solver_options part = *options;
    part.iterations = COOL_SWEEPS;
    part.relaxation = fmin(part.relaxation, COOL_RELAXATION);
    part.momentum = 0;
    part.coarse = SCREE_COARSE_OFF;
    return sweep_on(m, p, part, options->iterations - report->iterations,
                    scratch, report);
}

/* Leaves some for the last cooling. */
static scree_status take_turn(const scree_method *m, scree_problem *p,
                              const scree_solver_options *options,
                              scree_arena *scratch, scree_report *report) {
    const int left = options->iterations - report->iterations;
    const int most = left > COOL_SWEEPS ? left - COOL_SWEEPS : left;
    scree_solver_options part = *options;
    part.iterations = TURN_SWEEPS;
    if (is_near(m, options, report))
        part.momentum = fmin(part.momentum, TURN_MOMENTUM);
    return sweep_on(m, p, part, most, scratch, report);
}

/* *pays: do spots deserve another look? */
static scree_status look_for_spots(scree_problem *p,
                                   const scree_solver_options *options,
                                   const scree_report *report, double *before,
                                   bool *pays, scree_arena *scratch) {
    int solved;
    *pays = report->residual <= SPOT_GAIN * *before;
    *before = report->residual;
    if (!*pays) return SCREE_OK;
    const double error = SPOT_ERROR * options->tolerance * report->scale;
    TRY(scree_problem_solve_spots(p, error, scree_problem_speed(p, p->free),
                                  scratch, &solved));
    *pays = solved > 0;
    return SCREE_OK;
}

static scree_status solve_in_turns(const scree_method *m, scree_problem *p,
                                   const scree_solver_options *options,
                                   scree_arena *scratch, scree_report *report) {
    scree_solver_options first = *options;
    double before = INFINITY;
    bool spots = may_have_spots(p, options);
    first.stall = STALL;
    if ((m->traits & SCREE_TRAIT_COOLS)) first.iterations -= COOL_SWEEPS;
    TRY(scree_lanes_run(m, p, &first, scratch, report));
    while (!is_done(options, report)) {
        if (is_near(m, options, report)) {
            TRY(cool_down(m, p, options, scratch, report));
            if (is_done(options, report)) break;
        }
        if (spots)
            TRY(look_for_spots(p, options, report, &before, &spots, scratch));
        TRY(take_turn(m, p, options, scratch, report));
    }
    return SCREE_OK;
}

static scree_status solve_and_finish(const scree_method *m, scree_problem *p,
                                     const scree_solver_options *options,
                                     scree_arena *scratch,
                                     scree_report *report) {
    TRY(goes_in_turns(m, p, options)
            ? solve_in_turns(m, p, options, scratch, report)
            : scree_lanes_run(m, p, options, scratch, report));
    if (!report->by[0]) scree_report_sign(report, m->name);
    if (!report->converged && clusters_of(p, options) > 0)
        TRY(finish_clusters(p, p->free, options, scratch, report));
    return SCREE_OK;
}

/* A problem that is a cluster, or a few, is not swept for long before it is solved
 * directly: where sweeps of so few contacts take more, it is because a heavy body
 * lies on a light one, and what they end with is not good for much. */
enum { PATIENCE = 50 };

static bool is_small(const scree_problem *p,
                     const scree_solver_options *options) {
    int64_t n = p->n_contact;
    if (clusters_of(p, options) == 0 || options->iterations <= PATIENCE)
        return false;
    if ((p->coupling || p->ordering.on) && !p->id) return false;
    if (p->coupling) scree_comm_sum_counts(p->coupling->comm, &n, 1);
    return n <= options->clusters;
}

/* A few sweeps, then directly, then what is left of the sweeps. */
static scree_status solve_small(const scree_method *m, scree_problem *p,
                                const scree_solver_options *options,
                                scree_arena *scratch, scree_report *report) {
    scree_solver_options part = *options;
    part.iterations = PATIENCE;
    TRY(solve_and_finish(m, p, &part, scratch, report));
    if (report->converged) return SCREE_OK;
    take_back(p);
    part.iterations = options->iterations - PATIENCE;
    TRY(solve_and_finish(m, p, &part, scratch, report));
    report->iterations += PATIENCE;
    return SCREE_OK;
}

/* Rounding of direct solves, which know of three dimensions, does not lead out of the
 * plane. */
static void flatten_velocities(scree_problem *p) {
    bool off = false;
    for (int32_t i = 0; i < p->n_body; ++i) {
        scree_twist *u = &p->u[i];
        off |= u->v.z != 0 || u->w.x != 0 || u->w.y != 0;
        u->v.z = u->w.x = u->w.y = 0;
    }
    for (int64_t i = 0; i < p->n_contact && off; ++i) {
        const scree_row row = scree_problem_row(p, i);
        scree_problem_set_P(p, i, row.P_n, vec(row.P_t.x, row.P_t.y, 0));
    }
}

scree_status scree_lanes_solve(const scree_method *m, scree_problem *p,
                               const scree_solver_options *options,
                               scree_arena *scratch, scree_report *report) {
    TRY(scree_problem_sort(p));
    TRY(is_small(p, options)
            ? solve_small(m, p, options, scratch, report)
            : solve_and_finish(m, p, options, scratch, report));
    if (p->planar) flatten_velocities(p);
    agree_reason(report);
    return SCREE_OK;
}
