/* render.c: scree render, pictures and movies of results. */
#include "io/results/render.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases/commands/frame_options.h"
#include "io/case/yaml/case_message.h"

typedef struct render_request {
    scree_frame_request frame;
    const char *movie, *color;
    long width, height, rate;
    double range[2], camera[3], box[6];
    bool has_range, has_camera, has_box, contacts, trails;
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

/* n numbers with commas between them. */
static bool read_numbers(const char *text, int n, double *x) {
    for (int i = 0; i < n; i++) {
        char *end;
        x[i] = strtod(text, &end);
        if (end == text || !isfinite(x[i]) || *end != (i < n - 1 ? ',' : '\0'))
            return false;
        text = end + 1;
    }
    return true;
}

static int refuse_value(const char *option, const char *wants,
                        const char *value) {
    fprintf(stderr, "scree: %s wants %s, not '%s'\n", option, wants,
            scree_quote(value).text);
    return EXIT_INPUT;
}

static int take_range(scree_arguments *a, const char *value) {
    render_request *request = a->own;
    double *x = request->range;
    request->has_range = read_numbers(value, 2, x) && x[0] < x[1];
    return request->has_range
               ? EXIT_OK
               : refuse_value("--range", "two numbers LOW,HIGH", value);
}

/* Names of directions to the eye. */
static const struct {
    const char *name;
    double to[3];
} eyes[] = {{"front", {0, -1, 0}}, {"back", {0, 1, 0}}, {"left", {-1, 0, 0}},
            {"right", {1, 0, 0}},  {"top", {0, 0, 1}},  {"bottom", {0, 0, -1}}};

static int take_camera(scree_arguments *a, const char *value) {
    render_request *request = a->own;
    double *to = request->camera;
    for (size_t i = 0; i < sizeof eyes / sizeof *eyes; i++)
        if (strcmp(value, eyes[i].name) == 0) {
            memcpy(to, eyes[i].to, sizeof request->camera);
            request->has_camera = true;
            return EXIT_OK;
        }
    request->has_camera =
        read_numbers(value, 3, to) && (to[0] || to[1] || to[2]);
    return request->has_camera
               ? EXIT_OK
               : refuse_value("--camera",
                              "front, back, left, right, top, bottom or a "
                              "direction X,Y,Z from the bodies to the eye",
                              value);
}

static int take_box(scree_arguments *a, const char *value) {
    render_request *request = a->own;
    const double *x = request->box;
    request->has_box = read_numbers(value, 6, request->box) && x[0] < x[1] &&
                       x[2] < x[3] && x[4] <= x[5];
    return request->has_box
               ? EXIT_OK
               : refuse_value("--box", "six numbers X0,X1,Y0,Y1,Z0,Z1", value);
}

static int take_color(scree_arguments *a, const char *value) {
    ((render_request *)a->own)->color = value;
    return EXIT_OK;
}

static int take_contacts(scree_arguments *a, const char *value) {
    (void)value;
    ((render_request *)a->own)->contacts = true;
    return EXIT_OK;
}

static int take_trails(scree_arguments *a, const char *value) {
    (void)value;
    ((render_request *)a->own)->trails = true;
    return EXIT_OK;
}

static const scree_option options[] = {{"--frame", true, scree_take_frame},
                                       {"--time", true, scree_take_time},
                                       {"-o", true, scree_take_out},
                                       {"--out", true, scree_take_out},
                                       {"--movie", true, take_movie},
                                       {"--fps", true, take_rate},
                                       {"--size", true, take_size},
                                       {"--color", true, take_color},
                                       {"--range", true, take_range},
                                       {"--camera", true, take_camera},
                                       {"--box", true, take_box},
                                       {"--contacts", false, take_contacts},
                                       {"--trails", false, take_trails},
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
    const scree_render_options how = {
        .frame = request->frame.choice,
        .picture = a->out,
        .movie = request->movie,
        .width = (int)request->width,
        .height = (int)request->height,
        .rate = (int)request->rate,
        .color = request->color,
        .range = request->has_range ? request->range : NULL,
        .camera = request->has_camera ? request->camera : NULL,
        .box = request->has_box ? request->box : NULL,
        .contacts = request->contacts,
        .trails = request->trails};
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
    "[--fps N]) [OPTION...]",
    "draw results with ParaView, coloured by speed or another field",
    "  -o FILE       picture of one frame (.png, .jpg)\n"
    "  --frame N     from 0, or from the end: -1 is the last one (default)\n"
    "  --time T      the frame nearest to T seconds\n"
    "  --movie FILE  movie of all frames (.mp4, .gif)\n"
    "  --fps N       frames of the movie a second, default 25\n"
    "  --size WxH    in pixels, default 1280x800\n"
    "  --color FIELD colour by a field of the frames (scree info lists them)\n"
    "  --range A,B   ends of the colours\n"
    "  --camera D    front, back, left, right, top, bottom, or the direction\n"
    "                X,Y,Z from the bodies to the eye\n"
    "  --box B       what is in the picture, X0,X1,Y0,Y1,Z0,Z1; default: "
    "where\n"
    "                most bodies are\n"
    "  --contacts    the lines between bodies that touch, thick by their "
    "force\n"
    "                (output contacts with lines: on)\n"
    "  --trails      the ways of at most 500 bodies up to the frame\n"
    "Needs pvbatch (package python3-paraview), without a display also xvfb "
    "and\n"
    "xauth; movies need ffmpeg.\n",
    render,
    false};
