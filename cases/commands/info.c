/* info.c: scree info, what results hold. */
#include "io/results/describe.h"

#include "cases/commands/frame_options.h"

static const scree_option options[] = {{"--frame", true, scree_take_frame},
                                       {"--time", true, scree_take_time},
                                       {"--help", false, scree_take_help},
                                       {0}};

static scree_status describe(const scree_results *results,
                             const scree_arguments *a, scree_error *error) {
    const scree_frame_request *request = a->own;
    return scree_describe(results, &request->choice, stdout, error);
}

extern const scree_command scree_command_info;

static int info(int argc, char **argv) {
    scree_frame_request request = {0};
    return scree_with_results(&scree_command_info, argc, argv, options,
                              &request, describe);
}

const scree_command scree_command_info = {
    "info",
    "info FILE|DIR [--frame N | --time T]",
    "tell what results hold: times, counts, fields with their ranges, the case",
    "  FILE is a frame (.hdf), a series (.hdf.series), a packed run (.vtkhdf) "
    "or\n"
    "  a checkpoint (.hdf5), DIR the folder of a run\n"
    "  --frame N  the frame whose fields are told, from 0, or from the end: "
    "-1\n"
    "             is the last one (default)\n"
    "  --time T   the frame nearest to T seconds\n",
    info,
    false};
