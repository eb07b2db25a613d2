/* extract.c: scree extract, a frame as CSV. */
#include "io/extract.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cases/commands/frame_options.h"

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

static scree_status cannot_write(const char *path, scree_error *error) {
    return scree_fail(error, SCREE_IO_ERROR, "%.500s: cannot write: %s", path,
                      strerror(errno));
}

static bool is_file(FILE *out) {
    struct stat about;
    return fstat(fileno(out), &about) == 0 && S_ISREG(about.st_mode);
}

/* No file is left under the name unless the table is complete; what is no file,
 * such as a device, stays. */
static scree_status extract_to(const char *path, const scree_frame_file *file,
                               int frame, const char *fields,
                               scree_error *error) {
    FILE *out = fopen(path, "wb");
    if (!out) return cannot_write(path, error);
    const bool removable = is_file(out);
    scree_status status = scree_extract(file, frame, fields, out, error);
    errno = 0;
    const bool lost = ferror(out) != 0;
    if ((fclose(out) != 0 || lost) && status == SCREE_OK)
        status = cannot_write(path, error);
    if (status != SCREE_OK && removable) unlink(path);
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
    const scree_status status =
        request->csv && strcmp(request->csv, "-") != 0
            ? extract_to(request->csv, file, frame, request->fields, error)
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
