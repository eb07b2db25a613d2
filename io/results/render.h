/* render.h: pictures of results through ParaView's pvbatch.
 *
 * What is to be drawn, the times and the place of the pictures go to a script
 * (cases/render.py) on its command line. Where there is no X display, without
 * which ParaView 5 crashes, one is made for it with xvfb-run. */
#ifndef SCREE_IO_RENDER_H
#define SCREE_IO_RENDER_H

#include "io/results/results.h"

typedef struct scree_render_options {
    scree_frame_choice frame; /* of a picture */
    const char *picture;      /* .png, .jpg to write, or NULL */
    const char *movie; /* .mp4, .gif to write instead, of all frames, or NULL */
    int width, height, rate; /* pixels; frames a second */
    const char *color;       /* field of the colours; NULL: speed */
    const double *range;     /* (2) ends of the colours; NULL: of the field */
    const double *camera;    /* (3) from the bodies to the eye; NULL: chosen */
    const double *box;       /* (6) x0, x1, y0, ... in the picture; NULL: most
                                bodies */
    bool contacts, trails;   /* draws them as well */
} scree_render_options;

scree_status scree_render(const scree_results *results,
                          const scree_render_options *options,
                          scree_error *error);

#endif
