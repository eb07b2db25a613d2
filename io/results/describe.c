#include "io/results/describe.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/hash.h"
#include "io/case/yaml/case_message.h"

/* ---- ranges -------------------------------------------------------------- */

static void print_range(FILE *out, const char *name, int64_t rows, int columns,
                        int c, const double *values) {
    char whole[SCREE_FIELD_NAME_BYTES + 20], column[16];
    double lo = INFINITY, hi = -INFINITY;
    int64_t lost = 0;
    for (int64_t i = 0; i < rows; i++) {
        const double x = values[i * columns + c];
        lo = fmin(lo, x);
        hi = fmax(hi, x);
        lost += !isfinite(x);
    }
    snprintf(whole, sizeof whole, "%s%s", name,
             scree_frame_column(columns, c, column));
    if (rows == 0) return;
    fprintf(out, "    %-22s %14.7g %14.7g", whole, lo, hi);
    if (lost) fprintf(out, "   %" PRId64 " not finite", lost);
    fputc('\n', out);
}

/* A vector is told by its components, an orientation by nothing but itself. */
static scree_status print_field(const scree_frame_file *file, int frame,
                                const scree_frame_field *field, FILE *out,
                                scree_error *error) {
    const int columns = field ? field->columns : 3;
    const int64_t rows = scree_frame_rows(file, frame, field);
    double *values = calloc((size_t)rows * (size_t)columns + 1, sizeof *values);
    if (!values)
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "%.500s: out of memory",
                          file->path);
    const scree_status status =
        scree_frame_read(file, frame, field, values, error);
    for (int c = 0; c < columns && status == SCREE_OK; c++)
        print_range(out, field ? field->name : "point", rows, columns, c,
                    values);
    free(values);
    return status;
}

/* ---- a frame and a series ------------------------------------------------ */

static scree_status print_frame(const scree_frame_file *file, int frame,
                                FILE *out, scree_error *error) {
    const scree_frame_place *f = &file->frames[frame];
    fprintf(out,
            "    step %" PRId64 ", %" PRId64 " points, %" PRId64
            " cells, state hash %016" PRIx64 "\n",
            f->step, f->points, f->cells, f->hash);
    fprintf(out, "    %-22s %14s %14s\n", "field", "least", "most");
    TRY(print_field(file, frame, NULL, out, error));
    for (int i = 0; i < file->n_field; i++)
        TRY(print_field(file, frame, &file->fields[i], out, error));
    return SCREE_OK;
}

/* How a run goes on from the checkpoint `path`. */
static void print_remedy(const char *path, FILE *out) {
    const char *slash = strrchr(path, '/');
    const int n = slash ? (int)(slash - path) + (slash == path) : 1;
    fprintf(out,
            "  scree resume %.*s goes on from the newest checkpoint there,\n"
            "  scree run CASE --restart %s from this one\n",
            n, slash ? path : ".", path);
}

static void print_no_grid(const scree_result_series *s, bool last,
                          const scree_frame_file *file, FILE *out) {
    const bool resumes = file->kind == SCREE_CHECKPOINT_FILE;
    fprintf(out, "%s: %s, t = %g s, step %" PRId64 "\n", s->name,
            resumes ? "checkpoint" : "run of a model", file->origin.time,
            file->origin.step);
    if (resumes && last) print_remedy(s->path, out);
}

static scree_status print_series(const scree_result_series *s, int k, bool last,
                                 const scree_frame_file *file, FILE *out,
                                 scree_error *error) {
    if (!file->has_grid) {
        print_no_grid(s, last, file, out);
        return SCREE_OK;
    }
    fprintf(out, "%s: %d frame%s, t = %g", s->name, s->n_frame,
            s->n_frame == 1 ? "" : "s", s->frames[0].time);
    if (s->n_frame > 1) fprintf(out, " to %g", s->frames[s->n_frame - 1].time);
    fprintf(out, " s\n  frame %d, t = %g s\n", k, s->frames[k].time);
    return print_frame(file, s->frames[k].index, out, error);
}

/* ---- the origin ---------------------------------------------------------- */

/* Which case it was, in one word. */
static uint64_t text_hash(const char *text) {
    return scree_hash_bytes(SCREE_HASH_START, text, strlen(text));
}

static void print_origin(const scree_frame_origin *o, FILE *out) {
    int lines = 0;
    for (const char *c = o->case_text; *c; c++) lines += *c == '\n';
    fprintf(out, "case: %s (%d lines, hash %016" PRIx64 "), seed %" PRIu64 "\n",
            scree_quote(o->name).text, lines, text_hash(o->case_text), o->seed);
    for (const char *at = o->overrides; *at;) {
        const size_t n = strcspn(at, "\n");
        fprintf(out, "  --set %.*s\n", (int)n, at);
        at += n + (at[n] == '\n');
    }
    fprintf(out, "written by: scree %s, commit %s\n", o->version, o->commit);
    fprintf(out, "state hash: %s\n", o->state_hash);
}

/* Which frame of a series is described. The walls of a run may be one frame for
 * all times. */
static scree_status choose_frame(const scree_results *r, int i,
                                 const scree_frame_choice *choice, int *k,
                                 scree_error *error) {
    const scree_frame_choice end = {.by = SCREE_FRAME_LAST};
    const bool single = r->n_series > 1 && r->series[i].n_frame == 1;
    return scree_results_choose(&r->series[i], single ? &end : choice, k,
                                error);
}

static scree_status describe_series(const scree_results *r, int i,
                                    const scree_frame_choice *choice, FILE *out,
                                    scree_error *error) {
    const scree_result_series *s = &r->series[i];
    int k;
    scree_frame_file *file;
    TRY(choose_frame(r, i, choice, &k, error));
    TRY(scree_frame_open(s->frames[k].path, &file, error));
    const scree_status status =
        print_series(s, k, i == r->n_series - 1, file, out, error);
    scree_frame_close(file);
    return status;
}

/* The origin of the latest of the frames that were described: what the run came to
 * is in its bodies, not in walls that were drawn once. */
static scree_status describe_origin(const scree_results *r,
                                    const scree_frame_choice *choice, FILE *out,
                                    scree_error *error) {
    scree_frame_file *latest = NULL;
    scree_status status = SCREE_OK;
    for (int i = 0; i < r->n_series && status == SCREE_OK; i++) {
        int k;
        scree_frame_file *file = NULL, *older;
        status = choose_frame(r, i, choice, &k, error);
        if (status == SCREE_OK)
            status =
                scree_frame_open(r->series[i].frames[k].path, &file, error);
        if (status != SCREE_OK) break;
        const bool later = !latest || file->origin.step > latest->origin.step;
        older = later ? latest : file;
        if (later) latest = file;
        scree_frame_close(older);
    }
    if (status == SCREE_OK && latest) print_origin(&latest->origin, out);
    scree_frame_close(latest);
    return status;
}

scree_status scree_describe(const scree_results *r,
                            const scree_frame_choice *choice, FILE *out,
                            scree_error *error) {
    for (int i = 0; i < r->n_series; i++)
        TRY(describe_series(r, i, choice, out, error));
    return describe_origin(r, choice, out, error);
}
