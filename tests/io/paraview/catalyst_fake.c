/* catalyst_fake.c: a backend that writes down what it is given, in fake.txt of
 * the working directory; of several ranks, those after the first one in
 * fake-1.txt, ... A script named raise.py fails after the first call, one named
 * raise-on-1.py there on rank 1 alone; every call disturbs the floating-point
 * mode and the handler of SIGTERM, as libraries do. */
#include <fenv.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/catalyst/catalyst_plugin.h"

enum { MOST_SCRIPTS = 10 };

static const scree_catalyst_setup *setup;
static bool raised[MOST_SCRIPTS];

static void disturb(void) {
    fesetround(FE_UPWARD);
    signal(SIGTERM, SIG_IGN);
}

static int rank_here(void) {
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    return rank ? atoi(rank) : 0;
}

static FILE *open_notes(const char *mode) {
    char name[40] = "fake.txt";
    if (rank_here() > 0)
        snprintf(name, sizeof name, "fake-%d.txt", rank_here());
    return fopen(name, mode);
}

static void put_values(FILE *to, const scree_catalyst_field *f, int64_t n) {
    fprintf(to, "%s", f->name);
    for (int64_t i = 0; i < n * f->columns; i++)
        if (f->type == SCREE_CATALYST_DOUBLE)
            fprintf(to, " %.17g", ((const double *)f->data)[i]);
        else if (f->type == SCREE_CATALYST_INT32)
            fprintf(to, " %" PRId32, ((const int32_t *)f->data)[i]);
        else
            fprintf(to, " %" PRId64, ((const int64_t *)f->data)[i]);
    fputc('\n', to);
}

static void put_cells(FILE *to, const char *name,
                      const scree_catalyst_cells *cells) {
    fprintf(to, "%s", name);
    for (int64_t i = 0; i < cells->n; i++)
        for (int64_t k = cells->offsets[i]; k < cells->offsets[i + 1]; k++)
            fprintf(to, "%c%" PRId64, k == cells->offsets[i] ? ' ' : ',',
                    cells->connectivity[k]);
    fputc('\n', to);
}

static void put_channel(FILE *to, const scree_catalyst_channel *c) {
    const scree_catalyst_field points = {"points", SCREE_CATALYST_DOUBLE, 3,
                                         c->points};
    fprintf(to, "channel %s\n", c->name);
    put_values(to, &points, c->n_point);
    put_cells(to, "vertices", &c->vertices);
    put_cells(to, "lines", &c->lines);
    put_cells(to, "polygons", &c->polygons);
    for (int i = 0; i < c->n_point_field; i++)
        put_values(to, &c->point_fields[i], c->n_point);
    for (int i = 0; i < c->n_cell_field; i++)
        put_values(to, &c->cell_fields[i],
                   c->vertices.n + c->lines.n + c->polygons.n);
}

static bool open_fake(const scree_catalyst_setup *given) {
    setup = given;
    disturb();
    FILE *to = open_notes("w");
    if (!to) return false;
    for (int i = 0; i < setup->n_script; i++)
        fprintf(to, "script %s\n", setup->scripts[i]);
    for (int i = 0; i < setup->n_argument; i++)
        fprintf(to, "argument %s\n", setup->arguments[i]);
    if (getenv("FAKE_DISPLAY")) fprintf(to, "display %s\n", getenv("DISPLAY"));
    return fclose(to) == 0;
}

/* A failed script is not called again, on any rank. */
static void call(int i) {
    const char *script = setup->scripts[i];
    const bool here = strstr(script, "raise.py") ||
                      (strstr(script, "raise-on-1.py") && rank_here() == 1);
    char text[1000] = "";
    if (here)
        snprintf(text, sizeof text,
                 "Traceback (most recent call last):\n"
                 "  File \"/somewhere/else.py\", line 3, in call\n"
                 "  File \"%s\", line 5, in first\n"
                 "  File \"%s\", line 7, in second\n"
                 "    1 / 0\n"
                 "ZeroDivisionError: division by zero\n\n",
                 script, script);
    raised[i] = setup->any_failed(setup->to, i, here, text);
}

static void execute_fake(const scree_catalyst_state *state) {
    disturb();
    FILE *to = open_notes("a");
    if (!to) return;
    fprintf(to, "step %" PRId64 " time %.17g\n", state->step, state->time);
    for (int i = 0; i < state->n_channel; i++)
        put_channel(to, &state->channels[i]);
    fclose(to);
    for (int i = 0; i < setup->n_script && i < MOST_SCRIPTS; i++)
        if (state->step > 0 && !raised[i]) call(i);
}

static void close_fake(void) {
    FILE *to = open_notes("a");
    if (!to) return;
    fprintf(to, "closed\n");
    fclose(to);
}

extern scree_catalyst_plugin scree_catalyst_entry;
scree_catalyst_plugin scree_catalyst_entry = {.version = SCREE_CATALYST_VERSION,
                                              .name = "fake",
                                              .open = open_fake,
                                              .execute = execute_fake,
                                              .close = close_fake};

__attribute__((constructor)) static void choose(void) {
    const char *display = getenv("FAKE_DISPLAY");
    if (display)
        scree_catalyst_entry.display = strcmp(display, "wanted") == 0
                                           ? SCREE_DISPLAY_WANTED
                                           : SCREE_DISPLAY_NEEDED;
}
