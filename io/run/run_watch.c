#include "io/run/run_watch.h"

#include <inttypes.h>
#include <math.h>

#include "engine/audit/audit.h"
#include "engine/world/view.h"
#include "io/case/yaml/case_message.h"
#include "io/output/joint_sums.h"

/* ---- what a checkpoint holds ------------------------------------------------ */

#define AT(member) offsetof(scree_run_watch, member)

static const scree_archive_field fields[] = {
    {"unconverged", SCREE_I64, 1, AT(unconverged)},
    {"stops", SCREE_I64, SCREE_STOPS, AT(stops)},
    {"worst_residual", SCREE_F64, 1, AT(worst)},
};

void scree_run_watch_archive(scree_run_watch *watch, scree_archive *a) {
    scree_archive_struct(a, watch, SCREE_FIELDS(fields));
    if (!a->loads || scree_archive_has(a, "stride"))
        scree_archive_array(a, "stride", SCREE_F64, 1, 1, &watch->stride);
    if (!a->loads || scree_archive_has(a, "lively"))
        scree_archive_array(a, "lively", SCREE_F64, 1, 1, &watch->lively);
}

/* ---- steps ------------------------------------------------------------------ */

static void warn_unconverged(const scree_run_watch *w, const scree_world *world,
                             const scree_report *report) {
    scree_terminal_line(
        w->terminal,
        "warning: step %" PRId64 " (t = %g s) did not reach tolerance %g: "
        "residual %.2e, balance %.2e, approach %.2e m/s after %d iterations "
        "(%s, by %s)\n"
        "         remedy: more solver.iterations, or a smaller time.step",
        scree_world_steps(world), scree_world_time(world),
        w->source->world.solver.tolerance, report->residual, report->balance,
        report->normal, report->iterations, scree_why_unconverged(report->stop),
        report->by);
}

static void watch_convergence(scree_run_watch *w, const scree_world *world) {
    scree_cost cost;
    scree_world_read_cost(world, &cost);
    if (cost.unconverged == w->unconverged) return;
    scree_report report;
    scree_world_read_report(world, &report);
    if (w->unconverged == 0) warn_unconverged(w, world, &report);
    w->stops[report.stop] += cost.unconverged - w->unconverged;
    w->unconverged = cost.unconverged;
    w->worst = fmax(w->worst, report.residual);
    w->stop = w->source->world.solver.unconverged == SCREE_UNCONVERGED_STOP;
}

static void watch_stride(scree_run_watch *w, const scree_world *world) {
    double stride = scree_world_view_of(world).stride;
    scree_comm_max(w->comm, &stride, 1);
    if (stride > SCREE_STRIDE_LARGE && w->stride <= SCREE_STRIDE_LARGE)
        scree_terminal_line(w->terminal,
                            "warning: step %" PRId64
                            " (t = %g s) is long for the speeds: a body moved "
                            "%.2g of its diameter (more than %g is much)\n"
                            "         remedy: a smaller time.step",
                            scree_world_steps(world), scree_world_time(world),
                            stride, SCREE_STRIDE_LARGE);
    w->stride = fmax(w->stride, stride);
}

void scree_run_watch_step(scree_run_watch *w, const scree_world *world) {
    watch_convergence(w, world);
    watch_stride(w, world);
}

/* ---- ends before the time ----------------------------------------------------- */

static double fastest_body(const scree_run_watch *w, const scree_world *world) {
    const scree_bodies *b = scree_world_view_of(world).bodies;
    double most2 = 0;
    for (int32_t i = 0; i < b->n; i++)
        most2 = fmax(most2, dot(b->u[i].v, b->u[i].v));
    scree_comm_max(w->comm, &most2, 1);
    return sqrt(most2);
}

static bool is_at_rest(const scree_run_watch *w, const scree_world *world) {
    const scree_case_stop *stop = &w->source->stop;
    if (stop->speed > 0 && fastest_body(w, world) >= stop->speed) return false;
    if (stop->kinetic == 0) return true;
    scree_scalars now;
    scree_world_read_scalars(world, &now);
    return now.kinetic < stop->kinetic;
}

static bool has_rested(scree_run_watch *w, const scree_world *world) {
    const scree_case_stop *stop = &w->source->stop;
    const double t = scree_world_time(world);
    if (stop->kinetic == 0 && stop->speed == 0) return false;
    if (!is_at_rest(w, world)) w->lively = t;
    /* Times are counts of steps: half a step is nothing. */
    return t - w->lively > 0 &&
           t - w->lively >= stop->hold - 0.5 * scree_world_step_size(world);
}

static bool brings_more(const scree_run_watch *w, double t,
                        const scree_pour_state *pours) {
    for (int i = 0; i < w->source->n_body; i++) {
        const scree_pour *pour = &w->source->bodies[i].as.pour;
        if (w->source->bodies[i].kind == SCREE_CASE_POUR && t < pour->stop &&
            pours[i].inserted < pour->count)
            return true;
    }
    return false;
}

static bool has_emptied(const scree_run_watch *w, const scree_world *world,
                        const scree_pour_state *pours) {
    return w->source->stop.all_removed && scree_world_body_count(world) == 0 &&
           !brings_more(w, scree_world_time(world), pours);
}

void scree_run_watch_end(scree_run_watch *w, const scree_world *world,
                         const scree_pour_state *pours) {
    const double t = scree_world_time(world);
    int64_t id;
    if (scree_world_is_stopped(world, &id, NULL))
        scree_terminal_line(w->terminal,
                            "body %" PRId64 " left the domain at t = %g s: the "
                            "run ends (domain.outside: stop)",
                            id, t);
    else if (has_emptied(w, world, pours))
        scree_terminal_line(w->terminal,
                            "all bodies have left at t = %g s: the run ends "
                            "(stop.all_removed)",
                            t);
    else if (has_rested(w, world))
        scree_terminal_line(w->terminal,
                            "at rest at t = %g s: the run ends (stop)", t);
    else
        return;
    w->ends = true;
}

/* ---- the end ---------------------------------------------------------------- */

void scree_run_watch_leavers(const scree_run_watch *w,
                             const scree_world *world) {
    const scree_case *c = w->source;
    for (int i = 0; i < scree_world_outlet_count(world); i++) {
        int64_t bodies;
        double mass;
        scree_world_read_outlet(world, i, &bodies, &mass);
        scree_terminal_line(
            w->terminal, "  left %-14s %" PRId64 " bodies, %g kg",
            i < c->n_outlet ? scree_quote(c->outlets[i].name).text : "domain",
            bodies, mass);
    }
}

/* Of each net. */
void scree_run_watch_nets(const scree_run_watch *w, const scree_world *world) {
    for (int i = 0; i < w->source->n_net; i++) {
        const scree_joint_sums s = scree_joint_sums_of(world, i + 1);
        scree_terminal_line(
            w->terminal,
            "  net %-15s %.4g J absorbed, anchors bore %.4g N, longest %.4g "
            "times its length, %" PRId64 " broken",
            scree_quote(w->source->nets[i].name).text, s.dissipated + s.stored,
            s.most_force, s.stretch, s.broken);
    }
}

double scree_run_watch_lift(const scree_run_watch *w,
                            const scree_world *world) {
    const scree_world_view view = scree_world_view_of(world);
    double mass = 0;
    for (int32_t i = 0; i < view.bodies->n; i++)
        if (scree_world_owns(world, i) &&
            !scree_is_kinematic(&view.bodies->u[i]))
            mass += 1 / view.bodies->u[i].inv_m;
    scree_comm_sum(w->comm, &mass, 1);
    return mass * norm(vec_from(view.def->gravity)) *
           scree_world_mean_radius(world);
}

static void warn_pour(const scree_run_watch *w, int i, int64_t inserted) {
    const scree_pour *pour = &w->source->bodies[i].as.pour;
    const double time = fmin(pour->stop, w->source->end) - pour->start;
    const double due = 1 + floor(pour->rate * fmax(time, 0));
    const bool bounded = pour->count < INT64_MAX;
    const double wanted = bounded ? (double)pour->count : due;
    if ((double)inserted >= 0.99 * wanted - 1) return;
    scree_terminal_line(
        w->terminal,
        "warning: bodies[%d].pour let in %" PRId64 " of %.0f bodies: %s", i,
        inserted, wanted,
        (double)inserted < fmin(due, wanted) - 1
            ? "its region had no room for the others; enlarge it, or give them "
              "a velocity out of it"
            : "its time was up; raise its rate, or let it go on for longer");
}

void scree_run_watch_pours(const scree_run_watch *w,
                           const scree_pour_state *pours) {
    for (int i = 0; i < w->source->n_body; i++)
        if (w->source->bodies[i].kind == SCREE_CASE_POUR)
            warn_pour(w, i, pours[i].inserted);
}

scree_status scree_stop_unconverged(int64_t step, double time,
                                    scree_error *error) {
    return scree_fail(error, SCREE_NOT_CONVERGED,
                      "step %" PRId64 " (t = %g s) did not converge, and the "
                      "case says solver.unconverged: stop\n  the state there "
                      "is written, and a checkpoint; raise solver.iterations, "
                      "loosen solver.tolerance or take a smaller time.step",
                      step, time);
}

static double allowed_share(const scree_case *c) {
    return c->model ? c->stepping.unconverged_share
                    : c->world.solver.unconverged_share;
}

scree_status scree_judge_unconverged(const scree_case *c, int64_t unconverged,
                                     int64_t steps, double worst,
                                     scree_error *error) {
    const double share = steps > 0 ? (double)unconverged / (double)steps : 0;
    const bool model = c->model;
    if (share <= allowed_share(c)) return SCREE_OK;
    return scree_fail(
        error, SCREE_NOT_CONVERGED,
        "%" PRId64 " of %" PRId64 " steps (%.0f %%) did not converge to "
        "tolerance %g, more than solver.unconverged_share = %g allows (worst "
        "residual %.1e)\n  the results are complete, but do not trust them "
        "further than that: raise solver.iterations (%d now), loosen "
        "solver.tolerance, or take a smaller time.step",
        unconverged, steps, 100 * share,
        model ? c->stepping.tolerance : c->world.solver.tolerance,
        allowed_share(c), worst,
        model ? c->stepping.iterations : c->world.solver.iterations);
}

scree_status scree_run_watch_judge(const scree_run_watch *w,
                                   const scree_world *world, bool done,
                                   scree_error *error) {
    const int64_t steps = scree_world_steps(world);
    if (w->stop)
        return scree_stop_unconverged(steps, scree_world_time(world), error);
    if (!done) return SCREE_OK;
    return scree_judge_unconverged(w->source, w->unconverged, steps, w->worst,
                                   error);
}
