/* pack.c: scree pack, a run as one temporal file. */
#include "io/results/pack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cases/commands/frame_options.h"

typedef struct pack_request {
    scree_frame_request frame;
    long compression;
} pack_request;

static int take_compression(scree_arguments *a, const char *value) {
    return scree_take_integer("--compression", value, 0, 9,
                              &((pack_request *)a->own)->compression);
}

static const scree_option options[] = {
    {"-o", true, scree_take_out},
    {"--out", true, scree_take_out},
    {"--series", true, scree_take_series},
    {"--compression", true, take_compression},
    {"--quiet", false, scree_take_quiet},
    {"--help", false, scree_take_help},
    {0}};

static void show_progress(void *self, int done, int all) {
    (void)self;
    fprintf(stderr, "\rpacking %d of %d frames%s", done, all,
            done == all ? "\n" : "");
}

/* The reader of ParaView 5.11 aborts on the name of a file without its folder. */
static void print_made(const char *out, const scree_result_series *series,
                       const char *xdmf) {
    printf("%s: %d frames of %s, for ParaView 5.13 and newer\n"
           "%s%s: the same for older ones, which open it only by a path with "
           "its folder\n",
           out, series->n_frame, series->name, strchr(xdmf, '/') ? "" : "./",
           xdmf);
}

static scree_status pack_run(const scree_results *results,
                             const scree_arguments *a, scree_error *error) {
    const pack_request *request = a->own;
    const bool show = !a->quiet && isatty(STDERR_FILENO);
    const scree_pack_options how = {.compression = (int)request->compression,
                                    .progress = show ? show_progress : NULL};
    const scree_result_series *series;
    char *xdmf;
    if (!a->out)
        return scree_fail(error, SCREE_BAD_INPUT,
                          "pack: no file to write is given: -o RUN.vtkhdf");
    TRY(scree_results_find(results, request->frame.series, &series, error));
    const scree_status status = scree_pack(series, a->out, &how, &xdmf, error);
    if (status == SCREE_OK && !a->quiet) print_made(a->out, series, xdmf);
    free(xdmf);
    return status;
}

extern const scree_command scree_command_pack;

static int pack(int argc, char **argv) {
    pack_request request = {0};
    /* HDF5 would try once more, at the end of the program, to write what a full
     * disk refused, and crash. All files are closed before. */
    H5dont_atexit();
    return scree_with_results(&scree_command_pack, argc, argv, options,
                              &request, pack_run);
}

const scree_command scree_command_pack = {
    "pack",
    "pack DIR -o RUN.vtkhdf [--series NAME] [--compression N] [--quiet]",
    "merge the frames of a run into one file, with an XDMF file beside it",
    "  -o FILE          VTKHDF 2.0 for ParaView 5.13 and newer; FILE with the\n"
    "                   ending .xmf names its arrays for older ones\n"
    "  --series NAME    bodies (default), contacts, network, surfaces, walls\n"
    "  --compression N  0 (default) to 9\n",
    pack,
    false};
