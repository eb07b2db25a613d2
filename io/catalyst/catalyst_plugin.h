/* catalyst_plugin.h: what an in situ backend gets and gives, in plain C.
 *
 * A backend is a shared library that exports `scree_catalyst_entry`. Nothing
 * of ParaView is seen by the program, which runs where ParaView is missing:
 *
 *     io/catalyst/catalyst_paraview.cpp  ParaView's own in situ layer (Debian's 5.11)
 *     io/catalyst/catalyst_conduit.c     the Catalyst 2 library, with conduit nodes
 *
 * Arrays are the caller's and stay as they are until the next execute or close,
 * so a backend passes them on without copying.
 *
 * A program on several ranks, those of MPI_COMM_WORLD, has a backend on each of
 * them. Each hands over its part of the points and cells, in the same calls. */
#ifndef SCREE_IO_CATALYST_PLUGIN_H
#define SCREE_IO_CATALYST_PLUGIN_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { SCREE_CATALYST_VERSION = 3 }; /* of this file */

typedef enum scree_catalyst_type {
    SCREE_CATALYST_DOUBLE,
    SCREE_CATALYST_INT32,
    SCREE_CATALYST_INT64,
} scree_catalyst_type;

typedef struct scree_catalyst_field {
    const char *name;
    scree_catalyst_type type;
    int columns;
    const void *data; /* (n x columns), n points or cells of the channel */
} scree_catalyst_field;

/* Cell i joins the points [offsets[i] .. offsets[i + 1] - 1] of connectivity.
 */
typedef struct scree_catalyst_cells {
    int64_t n;
    const int64_t *offsets;      /* (n + 1) */
    const int64_t *connectivity; /* (offsets[n]) */
} scree_catalyst_cells;

/* The cells of a channel are its vertices, then its lines, then its polygons;
 * data of cells come in this order. */
typedef struct scree_catalyst_channel {
    const char *name;
    int64_t n_point;
    const double *points; /* (n_point x 3) [m] */
    scree_catalyst_cells vertices, lines, polygons;
    int n_point_field, n_cell_field;
    const scree_catalyst_field *point_fields, *cell_fields;
} scree_catalyst_channel;

typedef struct scree_catalyst_state {
    int64_t step;
    double time; /* [s] */
    int n_channel;
    const scree_catalyst_channel *channels;
} scree_catalyst_state;

typedef struct scree_catalyst_setup {
    int n_script;
    const char *const *scripts; /* whole paths */
    int n_argument;
    const char *const *arguments; /* what catalyst.get_args() returns */
    /* Hears of a failure: of script i, or of none for -1. A script that failed
     * is not called again. `text` is what the backend knows, of Python the
     * traceback. */
    void (*complain)(void *to, int script, const char *text);
    /* Whether script i, or what is no script's for -1, which has just been at
     * work on all ranks, failed on any of them. If so all complain, of the same
     * failure. */
    bool (*any_failed)(void *to, int script, bool here, const char *text);
    /* Says what does not stop the run. */
    void (*warn)(void *to, const char *text);
    void *to;
} scree_catalyst_setup;

/* How a backend draws: without an X display, better with one than without,
 * since it may crash, or only with one. */
typedef enum scree_catalyst_display {
    SCREE_DISPLAY_UNUSED,
    SCREE_DISPLAY_WANTED,
    SCREE_DISPLAY_NEEDED,
} scree_catalyst_display;

typedef struct scree_catalyst_plugin {
    int version; /* SCREE_CATALYST_VERSION */
    const char *name;
    scree_catalyst_display display;
    /* False: complain has said why. `setup` stays alive until close. */
    bool (*open)(const scree_catalyst_setup *setup);
    void (*execute)(const scree_catalyst_state *state);
    void (*close)(void);
} scree_catalyst_plugin;

#define SCREE_CATALYST_SYMBOL "scree_catalyst_entry"

#ifdef __cplusplus
}
#endif
#endif
