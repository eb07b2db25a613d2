/* render.c: scree render, pictures and movies of results. */
#include "io/results/render.h"

#include <stdio.h>

#include "cases/commands/frame_options.h"
#include "io/case/case_message.h"

typedef struct render_request {
    scree_frame_request frame;
    const char *movie;
    long width, height, rate;
} render_request;

static int take_movie(scree_arguments *a, const char *value) {
    ((render_request *)a->own)->movie = value;
    return EXIT_OK;
}

static int take_rate(scree_arguments *a, const char *value) {
    return scree_take_integer("--fps", value, 1, 240,
                              &((render_request *)a->own)->rate);
}

static int take_size(scree_arguments *a, const char *value) {
    render_request *request = a->own;
    char rest;
    if (sscanf(value, "%5ldx%5ld%c", &request->width, &request->height,
               &rest) == 2 &&
        request->width >= 16 && request->width <= 16384 &&
        request->height >= 16 && request->height <= 16384)
        return EXIT_OK;
    fprintf(stderr, "scree: --size wants pixels like 1280x800, not '%s'\n",
            scree_quote(value).text);
    return EXIT_INPUT;
}

static const scree_option options[] = {{"--frame", true, scree_take_frame},
                                       {"--time", true, scree_take_time},
                                       {"-o", true, scree_take_out},
                                       {"--out", true, scree_take_out},
                                       {"--movie", true, take_movie},
                                       {"--fps", true, take_rate},
                                       {"--size", true, take_size},
                                       {"--help", false, scree_take_help},
                                       {0}};

static scree_status render_results(const scree_results *results,
                                   const scree_arguments *a,
                                   scree_error *error) {
    const render_request *request = a->own;
    if (!a->out == !request->movie)
        return scree_fail(error, SCREE_BAD_INPUT,
                          "render: give either -o PICTURE.png or --movie "
                          "FILE.mp4");
    const scree_render_options how = {.frame = request->frame.choice,
                                      .picture = a->out,
                                      .movie = request->movie,
                                      .width = (int)request->width,
                                      .height = (int)request->height,
                                      .rate = (int)request->rate};
    TRY(scree_render(results, &how, error));
    printf("written: %s\n", a->out ? a->out : request->movie);
    return SCREE_OK;
}

extern const scree_command scree_command_render;

static int render(int argc, char **argv) {
    render_request request = {.width = 1280, .height = 800, .rate = 25};
    return scree_with_results(&scree_command_render, argc, argv, options,
                              &request, render_results);
}

const scree_command scree_command_render = {
    "render",
    "render FILE|DIR (-o PICTURE.png [--frame N | --time T] | --movie FILE.mp4 "
    "[--fps N]) [--size WxH]",
    "draw results with ParaView, coloured by speed",
    "  -o FILE       picture of one frame (PNG)\n"
    "  --frame N     from 0, or from the end: -1 is the last one (default)\n"
    "  --time T      the frame nearest to T seconds\n"
    "  --movie FILE  movie of all frames (MP4)\n"
    "  --fps N       frames of the movie a second, default 25\n"
    "  --size WxH    in pixels, default 1280x800\n"
    "Needs pvbatch (package python3-paraview), without a display also xvfb "
    "and\n"
    "xauth; movies need ffmpeg.\n",
    render,
    false};
