/* extract.c: scree extract, a frame as CSV. */
#include "io/results/extract.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cases/commands/frame_options.h"
#include "io/file/safe_file.h"
#include "io/file/whole_file.h"

typedef struct extract_request {
    scree_frame_request frame;
    const char *fields, *csv;
} extract_request;

static int take_fields(scree_arguments *a, const char *value) {
    ((extract_request *)a->own)->fields = value;
    return EXIT_OK;
}

static int take_csv(scree_arguments *a, const char *value) {
    ((extract_request *)a->own)->csv = value;
    return EXIT_OK;
}

static const scree_option options[] = {{"--frame", true, scree_take_frame},
                                       {"--time", true, scree_take_time},
                                       {"--series", true, scree_take_series},
                                       {"--fields", true, take_fields},
                                       {"--csv", true, take_csv},
                                       {"--help", false, scree_take_help},
                                       {0}};

/* Memory that a stream does not get is not the disk's failure. */
static scree_status cannot_write(const char *path, int reason,
                                 scree_error *error) {
    return scree_fail(error,
                      reason == ENOMEM ? SCREE_OUT_OF_MEMORY : SCREE_IO_ERROR,
                      "%.500s: cannot write: %s", path, strerror(reason));
}

/* What goes where. */
typedef struct table {
    const char *path; /* for messages */
    const scree_frame_file *file;
    int frame;
    const char *fields;
} table;

static scree_status write_table(void *context, const char *temporary,
                                scree_error *error) {
    const table *t = context;
    const int fd = scree_file_new(temporary);
    FILE *out = fd < 0 ? NULL : fdopen(fd, "wb");
    if (!out) {
        const int reason = errno;
        if (fd >= 0) close(fd);
        return cannot_write(t->path, reason, error);
    }
    scree_status status =
        scree_extract(t->file, t->frame, t->fields, out, error);
    errno = 0;
    const bool lost = ferror(out) || fflush(out) != 0 || fsync(fd) != 0;
    if ((fclose(out) != 0 || lost) && status == SCREE_OK)
        status = cannot_write(t->path, errno, error);
    return status;
}

static scree_status extract_frame(const scree_results *results,
                                  const scree_arguments *a,
                                  scree_error *error) {
    const extract_request *request = a->own;
    const scree_result_series *series;
    scree_frame_file *file;
    int k;
    TRY(scree_results_find(results, request->frame.series, &series, error));
    TRY(scree_results_choose(series, &request->frame.choice, &k, error));
    TRY(scree_frame_open(series->frames[k].path, &file, error));
    const int frame = series->frames[k].index;
    table t = {request->csv, file, frame, request->fields};
    const scree_status status =
        request->csv && strcmp(request->csv, "-") != 0
            ? scree_file_replace_by(request->csv, write_table, &t, error)
            : scree_extract(file, frame, request->fields, stdout, error);
    scree_frame_close(file);
    return status;
}

extern const scree_command scree_command_extract;

static int extract(int argc, char **argv) {
    extract_request request = {0};
    return scree_with_results(&scree_command_extract, argc, argv, options,
                              &request, extract_frame);
}

const scree_command scree_command_extract = {
    "extract",
    "extract FILE|DIR [--frame N | --time T] [--fields a,b] [--series NAME] "
    "[--csv FILE]",
    "write one frame as a table of comma-separated values",
    "  --frame N      from 0, or from the end: -1 is the last one (default)\n"
    "  --time T       the frame nearest to T seconds\n"
    "  --fields a,b   only these; scree info lists them\n"
    "  --series NAME  of a folder: bodies (default), contacts, network, "
    "surfaces\n"
    "                 or walls; of the latter three a row is a cell\n"
    "  --csv FILE     instead of standard output\n",
    extract,
    false};
