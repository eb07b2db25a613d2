#include "io/report/timing.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/world/view.h"
#include "io/file/memo.h"
#include "io/file/whole_file.h"
#include "io/version.h"

static scree_status no_memory(scree_error *error) {
    return scree_fail(error, SCREE_OUT_OF_MEMORY, "timing.json: out of memory");
}

/* Each rank makes room for all, and none goes on if one cannot. */
static scree_status read_each(scree_timing *t, const scree_world *world,
                              const scree_comm *comm, scree_error *error) {
    t->each = calloc((size_t)t->ranks, sizeof *t->each);
    const scree_status status = t->each ? SCREE_OK : no_memory(error);
    TRY(scree_comm_agree(comm, status, error));
    scree_world_read_each_rank(world, t->each);
    return SCREE_OK;
}

scree_status scree_timing_read(scree_timing *t, const scree_world *world,
                               const scree_comm *comm, scree_error *error) {
    scree_ranks ranks;
    scree_cost cost;
    scree_world_read_ranks(world, &ranks);
    scree_world_read_cost(world, &cost);
    const double steps = fmax((double)scree_world_steps(world), 1.0);
    t->bodies = scree_world_body_count(world);
    t->unconverged = cost.unconverged;
    t->ranks = ranks.n;
    t->threads = scree_world_view_of(world).def->threads;
    t->contacts = ranks.all_contacts / steps;
    t->iterations = (double)cost.iterations / steps;
    for (int p = 0; p < SCREE_PHASE_COUNT; p++)
        t->phases[t->n_phase++] = (scree_timing_phase){
            scree_phase_name((scree_phase)p), ranks.seconds[p]};
    if (ranks.n == 1) return SCREE_OK;
    t->phases[t->n_phase++] = (scree_timing_phase){"waiting", ranks.waiting};
    return read_each(t, world, comm, error);
}

static void put_number(FILE *out, const char *name, double x) {
    if (isfinite(x))
        fprintf(out, "\"%s\": %.6g", name, x);
    else
        fprintf(out, "\"%s\": null", name);
}

static void put_head(FILE *out, const scree_timing *t) {
    fprintf(out,
            "{\"scree\": \"%s\", \"commit\": \"%s\",\n"
            " \"finished\": %s, \"state_hash\": \"%016" PRIx64 "\",\n"
            " \"steps\": %" PRId64 ", \"bodies\": %" PRId64
            ", \"unconverged\": %" PRId64 ",\n \"ranks\": %d, \"threads\": %d,",
            scree_build_version, scree_build_commit,
            t->finished ? "true" : "false", t->hash, t->steps, t->bodies,
            t->unconverged, t->ranks, t->threads);
    const struct {
        const char *name;
        double x;
    } numbers[] = {{"time", t->time},
                   {"seconds", t->seconds},
                   {"contacts", t->contacts},
                   {"iterations", t->iterations},
                   {"worst_unconverged_residual", t->worst_residual}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        fprintf(out, "\n ");
        put_number(out, numbers[i].name, numbers[i].x);
        fputc(',', out);
    }
}

static void put_phases(FILE *out, const scree_timing *t) {
    fprintf(out, "\n \"phases\": [");
    for (int i = 0; i < t->n_phase; i++) {
        const scree_timing_phase *p = &t->phases[i];
        fprintf(out, "%s\n  {\"phase\": \"%s\", ", i ? "," : "", p->name);
        put_number(out, "mean", p->seconds.mean);
        fprintf(out, ", ");
        put_number(out, "least", p->seconds.least);
        fprintf(out, ", ");
        put_number(out, "most", p->seconds.most);
        fputc('}', out);
    }
    fprintf(out, "]");
}

static void put_rank(FILE *out, int rank, const scree_rank_load *load) {
    const struct {
        const char *name;
        double x;
    } numbers[] = {{"bodies", load->bodies},     {"copies", load->copies},
                   {"contacts", load->contacts}, {"messages", load->messages},
                   {"bytes", load->bytes},       {"memory", load->memory},
                   {"waiting", load->waiting}};
    fprintf(out, "\n  {\"rank\": %d", rank);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        fprintf(out, ", ");
        put_number(out, numbers[i].name, numbers[i].x);
    }
    for (int p = 0; p < SCREE_PHASE_COUNT; p++) {
        fprintf(out, ", ");
        put_number(out, scree_phase_name((scree_phase)p), load->seconds[p]);
    }
    fputc('}', out);
}

static void put_each(FILE *out, const scree_timing *t) {
    if (!t->each) return;
    fprintf(out, ",\n \"each_rank\": [");
    for (int r = 0; r < t->ranks; r++) {
        if (r) fputc(',', out);
        put_rank(out, r, &t->each[r]);
    }
    fputc(']', out);
}

scree_status scree_timing_write(const char *folder, const scree_timing *timing,
                                scree_error *error) {
    char *path = NULL;
    scree_memo memo;
    FILE *out = scree_memo_open(&memo);
    if (out) put_head(out, timing);
    if (out) {
        put_phases(out, timing);
        put_each(out, timing);
        fprintf(out, "}\n");
    }
    char *text = scree_memo_close(&memo);
    bool ok = text != NULL;
    if (ok && asprintf(&path, "%s/timing.json", folder) < 0) {
        path = NULL;
        ok = false;
    }
    const scree_status status =
        ok ? scree_file_replace(path, text, memo.size, error)
           : no_memory(error);
    free(path);
    free(text);
    return status;
}
