/* run_ensemble.c: an ensemble as the driver runs it. A step of the driver is a batch of
 * trajectories, as many as take some seconds; what comes of them is told in their order,
 * so that neither batches nor threads nor ranks are seen in any file. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "engine/base/clock.h"
#include "engine/base/hash.h"
#include "engine/ensemble/maps.h"
#include "io/case/yaml/case_message.h"
#include "io/ensemble/ensemble_make.h"
#include "io/ensemble/ensemble_maps.h"
#include "io/ensemble/ensemble_tables.h"
#include "io/ensemble/ensemble_tracks.h"
#include "io/run/run_common.h"
#include "io/run/run_watch.h"
#include "io/run/runner.h"

/* [s] of a batch; trajectories of a thread in the first one; at most so many times as
 * many in the next one. */
static const double BATCH = 2;
enum { FIRST = 4, GROWTH = 4 };

/* What is known of those that are done, on the first rank. */
typedef struct tally {
    int64_t done, steps, flying, unconverged;
    int64_t ends[SCREE_ENDS];
    int64_t lost; /* number of the first that was, -1: none */
    double runout, longest, fastest; /* sum, largest [m], largest [m/s] */
    double residual; /* of the worst step that did not converge [m/s] */
    uint64_t hash;
} tally;

typedef struct ensemble_run {
    scree_ensemble_made made;
    scree_ensemble_tables tables;
    scree_ensemble_tracks tracks;
    scree_maps maps; /* on other ranks without cells */
    tally sum;
    int64_t batch; /* trajectories of the next one */
} ensemble_run;

static void read_clock(scree_runner *r) {
    const ensemble_run *m = r->self;
    r->step = m->sum.done;
    r->time = r->source->end * (double)r->step / (double)r->steps;
    r->done = r->step >= r->steps;
}

/* ---- what a checkpoint holds ------------------------------------------------ */

#define AT(member) offsetof(tally, member)

static const scree_archive_field tally_fields[] = {
    {"done", SCREE_I64, 1, AT(done)},
    {"steps", SCREE_I64, 1, AT(steps)},
    {"flying", SCREE_I64, 1, AT(flying)},
    {"unconverged", SCREE_I64, 1, AT(unconverged)},
    {"ends", SCREE_I64, SCREE_ENDS, AT(ends)},
    {"lost", SCREE_I64, 1, AT(lost)},
    {"runout", SCREE_F64, 1, AT(runout)},
    {"longest", SCREE_F64, 1, AT(longest)},
    {"fastest", SCREE_F64, 1, AT(fastest)},
    {"residual", SCREE_F64, 1, AT(residual)},
    {"hash", SCREE_I64, 1, AT(hash)},
};

static void archive_ensemble(scree_runner *r, scree_archive *a) {
    ensemble_run *m = r->self;
    scree_archive_group(a, "ensemble");
    scree_archive_struct(a, &m->sum, SCREE_FIELDS(tally_fields));
    scree_ensemble_tables_archive(&m->tables, a);
    if (a->loads && a->status == SCREE_OK &&
        (m->sum.done < 0 || m->sum.done > ((int64_t)1 << 40)))
        scree_archive_fail(a, SCREE_BAD_INPUT, "its counts cannot be");
    if (a->loads && r->comm->rank > 0) return;
    if (!a->loads) scree_archive_parts(a, true);
    scree_maps_archive(&m->maps, a);
    if (!a->loads) scree_archive_parts(a, false);
    m->maps.trajectories = m->sum.done;
}

/* ---- begin ------------------------------------------------------------------- */

static scree_status refuse_branch(const scree_runner *r, scree_error *error) {
    if (!r->options->from || r->options->resumes) return SCREE_OK;
    return scree_fail(
        error, SCREE_BAD_INPUT,
        "%.300s: an ensemble goes on in its own folder, where its "
        "tables are\n  remedy: scree resume FOLDER",
        r->source->path);
}

static scree_status make_ensemble(scree_runner *r, scree_error *error) {
    ensemble_run *m = r->self;
    const scree_case *c = r->source;
    m->sum.hash = SCREE_HASH_START;
    m->sum.lost = -1;
    m->tracks.comm = r->comm;
    m->tables.origin = m->made.origin;
    TRY(refuse_branch(r, error));
    TRY(scree_ensemble_make(c, r->comm, &m->made, error));
    const scree_raster none = {0};
    const scree_status status = scree_maps_open(
        &m->maps, r->comm->rank == 0 ? &m->made.e.raster : &none);
    TRY(scree_comm_agree(
        r->comm, status == SCREE_OK ? SCREE_OK : scree_run_no_memory(error),
        error));
    if (r->options->from)
        TRY(scree_comm_agree(r->comm, scree_runner_load(r, error), error));
    else
        TRY(scree_ensemble_look(c, r->comm, &m->made, error));
    m->batch = (int64_t)FIRST * m->made.e.threads * r->comm->size;
    r->steps = c->ensemble.trajectories;
    read_clock(r);
    r->before = r->time;
    return SCREE_OK;
}

static void free_ensemble(scree_runner *r) {
    ensemble_run *m = r->self;
    scree_ensemble_tables_close(&m->tables, NULL);
    scree_ensemble_tracks_free(&m->tracks);
    scree_maps_close(&m->maps);
    scree_ensemble_unmake(&m->made);
}

static void announce_ensemble(scree_runner *r, double build_seconds) {
    const ensemble_run *m = r->self;
    const scree_case *c = r->source;
    const scree_heights *h = &c->walls[m->made.e.ground].surface.heights;
    scree_terminal_line(
        &r->terminal,
        "%s: %" PRId64 " trajectories from %d release%s on %d x %d heights, %d "
        "rank%s with %d thread%s (built in %.2f s)",
        scree_quote(c->name).text, r->steps, m->made.e.n_release,
        m->made.e.n_release == 1 ? "" : "s", h->nx, h->ny, r->comm->size,
        r->comm->size == 1 ? "" : "s", m->made.e.threads,
        m->made.e.threads == 1 ? "" : "s", build_seconds);
}

/* ---- batches ----------------------------------------------------------------- */

static void count_trajectory(tally *sum, const scree_trajectory *it) {
    const double runout =
        scree_hypot(it->stop[0] - it->start[0], it->stop[1] - it->start[1]);
    sum->done++;
    sum->steps += it->steps;
    sum->flying += it->flying;
    sum->unconverged += it->unconverged;
    sum->ends[it->end]++;
    if (it->end == SCREE_END_LOST && sum->lost < 0) sum->lost = it->k;
    sum->runout += runout;
    sum->longest = fmax(sum->longest, runout);
    sum->residual = fmax(sum->residual, it->residual);
    sum->fastest = fmax(sum->fastest, it->speed);
    sum->hash = scree_hash_bytes(sum->hash, it, sizeof *it);
}

static scree_status take_track(void *context, const scree_track *track,
                               scree_error *error) {
    ensemble_run *m = context;
    count_trajectory(&m->sum, &track->it);
    if (m->made.e.raster.nx > 0 && scree_maps_add(&m->maps, track) != SCREE_OK)
        return scree_run_no_memory(error);
    return scree_ensemble_tables_add(&m->tables, track, error);
}

static scree_status open_tables(scree_runner *r, scree_error *error) {
    ensemble_run *m = r->self;
    if (r->comm->rank > 0 || m->tables.open) return SCREE_OK;
    return scree_ensemble_tables_open(&m->tables, r->folder,
                                      m->made.e.every >= 0, r->options->resumes,
                                      error);
}

/* As many as would have taken BATCH. */
static void choose_batch(scree_runner *r, double seconds) {
    ensemble_run *m = r->self;
    const double least = (double)m->made.e.threads * r->comm->size;
    scree_comm_max(r->comm, &seconds, 1);
    const double wanted = BATCH / fmax(seconds, 1e-3) * (double)m->batch;
    m->batch =
        (int64_t)fmin(fmax(wanted, 2 * least), GROWTH * (double)m->batch);
}

static scree_status end_files(scree_runner *r, scree_error *error) {
    ensemble_run *m = r->self;
    if (r->comm->rank > 0) return SCREE_OK;
    if (m->made.e.raster.nx == 0) return SCREE_OK;
    return scree_ensemble_write_maps(r->source, r->folder, m->made.origin,
                                     &m->maps, error);
}

static scree_status step_ensemble(scree_runner *r, scree_error *error) {
    ensemble_run *m = r->self;
    const double begun = scree_clock();
    const int64_t left = r->steps - r->step;
    const int64_t n = m->batch < left ? m->batch : left;
    r->before = r->time;
    TRY(scree_comm_agree(r->comm, open_tables(r, error), error));
    TRY(scree_ensemble_run_some(&m->made.e, &m->tracks,
                                r->source->ensemble.first + r->step, n,
                                take_track, m, error));
    scree_comm_copy(r->comm, 0, &m->sum, sizeof m->sum);
    read_clock(r);
    choose_batch(r, scree_clock() - begun);
    return r->done ? scree_comm_agree(r->comm, end_files(r, error), error)
                   : SCREE_OK;
}

static void show_ensemble(scree_runner *r, const scree_progress *progress) {
    const ensemble_run *m = r->self;
    const scree_progress counts = {progress->step, progress->steps, 0, 0};
    char detail[100] = "";
    if (!scree_terminal_is_due(&r->terminal, &counts)) return;
    for (int i = 0; i < SCREE_ENDS; i++)
        if (m->sum.ends[i])
            snprintf(detail + strlen(detail), sizeof detail - strlen(detail),
                     "%s %" PRId64 "  ", scree_end_name((scree_end)i),
                     m->sum.ends[i]);
    scree_terminal_show(&r->terminal, &counts, detail);
}

static uint64_t hash_ensemble(const scree_runner *r) {
    return ((const ensemble_run *)r->self)->sum.hash;
}

/* ---- end --------------------------------------------------------------------- */

static void print_ends(FILE *log, const tally *s) {
    static const char *const words[SCREE_ENDS] = {
        [SCREE_END_REST] = "came to rest",
        [SCREE_END_LEFT] = "left the terrain",
        [SCREE_END_TIME] = "still moved when their time was over",
        [SCREE_END_LOST] = "were lost: their state was no longer finite"};
    for (int i = 0; i < SCREE_ENDS; i++)
        fprintf(log, "  %-8s %10" PRId64 "  %5.1f %%  %s\n",
                scree_end_name((scree_end)i), s->ends[i],
                100 * (double)s->ends[i] / fmax((double)s->done, 1), words[i]);
}

static void warn_of_ends(scree_runner *r, const tally *s) {
    if (s->lost >= 0)
        scree_terminal_line(&r->terminal,
                            "warning: %" PRId64 " trajectories were lost, the "
                            "first one is %" PRId64 "\n"
                            "         remedy: a smaller time.step",
                            s->ends[SCREE_END_LOST], s->lost);
    if (s->ends[SCREE_END_TIME] > 0)
        scree_terminal_line(&r->terminal,
                            "warning: %" PRId64 " of %" PRId64
                            " rocks still moved at time.end = %g s\n"
                            "         remedy: a later time.end, if they matter",
                            s->ends[SCREE_END_TIME], s->done, r->source->end);
}

static void print_ensemble(scree_runner *r, double seconds) {
    const ensemble_run *m = r->self;
    const tally *s = &m->sum;
    const double n = fmax((double)s->done, 1),
                 steps = fmax((double)s->steps, 1);
    FILE *log = scree_terminal_begin(&r->terminal);
    if (!log) return;
    fprintf(log, "\n  trajectories         %" PRId64 " of %" PRId64 "\n",
            s->done, r->steps);
    print_ends(log, s);
    fprintf(log, "  run-out              %.4g m in the mean, %.4g m at most\n",
            s->runout / n, s->longest);
    fprintf(log, "  speed                %.3g m/s at most\n", s->fastest);
    fprintf(log,
            "  steps                %.0f a trajectory, %.0f %% of them in "
            "flight\n",
            (double)s->steps / n, 100 * (double)s->flying / steps);
    fprintf(log, "  unconverged          %" PRId64 " of %" PRId64 " steps\n",
            s->unconverged, s->steps);
    fprintf(log,
            "  wall time            %.3f s, %.4g trajectories per second, %.3g "
            "us a step\n",
            seconds, (double)s->done / fmax(seconds, 1e-9),
            1e6 * seconds / steps);
    fprintf(log, "  result: %s\n", r->folder);
    scree_terminal_end(&r->terminal);
    warn_of_ends(r, s);
}

static scree_status time_ensemble(scree_runner *r, scree_timing *timing,
                                  scree_error *error) {
    const ensemble_run *m = r->self;
    (void)error;
    timing->bodies = m->sum.done;
    timing->unconverged = m->sum.unconverged;
    timing->ranks = r->comm->size;
    timing->worst_residual = m->sum.residual;
    timing->threads = m->made.e.threads;
    return SCREE_OK; /* nothing of it can fail */
}

static scree_status judge_ensemble(const scree_runner *r, scree_error *error) {
    const ensemble_run *m = r->self;
    if (!r->done) return SCREE_OK;
    return scree_judge_unconverged(r->source, m->sum.unconverged, m->sum.steps,
                                   m->sum.residual, error);
}

const scree_run_ops scree_run_of_ensemble = {.size = sizeof(ensemble_run),
                                             .find_sink = scree_output_find,
                                             .make = make_ensemble,
                                             .free = free_ensemble,
                                             .announce = announce_ensemble,
                                             .step = step_ensemble,
                                             .show_progress = show_ensemble,
                                             .archive = archive_ensemble,
                                             .hash = hash_ensemble,
                                             .print_summary = print_ensemble,
                                             .time = time_ensemble,
                                             .judge = judge_ensemble};
