/* terminal.h: what a run says while it runs and when it ends, on the terminal and, but
 * for the progress, in its log file.
 *
 * On a terminal the progress line has at most 100 columns and is rewritten in place, and
 * warnings are yellow unless NO_COLOR is set; elsewhere the text is plain. */
#ifndef SCREE_IO_TERMINAL_H
#define SCREE_IO_TERMINAL_H

#include <stdio.h>

#include "engine/base/error.h"
#include "engine/scree.h"
#include "io/file/memo.h"

typedef struct scree_terminal {
    FILE *log; /* NULL: silent */
    bool tty, colour;
    int file;        /* the log file of the run; -1: none */
    int lost;        /* errno of the first writing to it that failed */
    scree_memo page; /* what is being put together */
    int width;       /* columns that a line may take */
    double begun;    /* [s] of scree_clock */
    double from;     /* share that was done by then */
    double spoken;   /* when the last progress line was printed */
    int shown;       /* length of the line that the next one rewrites */
} scree_terminal;

/* Where a run is. */
typedef struct scree_progress {
    int64_t step, steps; /* steps = 0: only the time tells how far it is */
    double time, end;    /* simulated [s]; end = 0: there is no common time */
} scree_progress;

/* Outputs that have a line in the table of phases. */
enum { SCREE_PARTS_MOST = 16 };

/* What the end of a run reports beside what the world knows. */
typedef struct scree_summary {
    const scree_world *world;
    double seconds;   /* wall time of the run */
    double tolerance; /* asked of the solver */
    double worst;     /* residual of the worst step */
    const int64_t
        *stops; /* (SCREE_STOPS) steps that did not converge, by why */
    const char *folder;
    bool view;     /* there is a view.py in it */
    double stride; /* largest v dt / d of a body in any step */
    double lift;   /* weight of all bodies times their mean radius [J] */
    int n_part;    /* of the output's seconds */
    struct scree_phase_part {
        const char *name;
        double seconds;
    } parts[SCREE_PARTS_MOST];
} scree_summary;

/* Why a step did not converge whose solve stopped so. */
const char *scree_why_unconverged(scree_stop stop);

void scree_terminal_open(scree_terminal *terminal, FILE *log);

/* From now on all but the progress goes to the file `path` as well: a new one, or
 * what is there goes on. The caller closes, also after a failure. */
scree_status scree_terminal_keep(scree_terminal *terminal, const char *path,
                                 bool goes_on, scree_error *error);
/* SCREE_IO_ERROR or SCREE_OUT_OF_MEMORY if something did not get there. */
scree_status scree_terminal_close(scree_terminal *terminal, const char *path,
                                  scree_error *error);

/* A page of text: begin, print, end. NULL: no memory, and nothing is said. */
FILE *scree_terminal_begin(scree_terminal *terminal);
void scree_terminal_end(scree_terminal *terminal);
/* A line for the file alone. */
void scree_terminal_note(scree_terminal *terminal, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Ends a progress line that stands open, before something else is printed. */
void scree_terminal_break(scree_terminal *terminal);

/* A line of its own; the progress line starts again below it. */
void scree_terminal_line(scree_terminal *terminal, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Whether it is time for a progress line: at the first and at the last step,
 * and now and then between; cheap. */
bool scree_terminal_is_due(const scree_terminal *terminal,
                           const scree_progress *progress);
/* Prints it: percent, time, time left, then `detail`. */
void scree_terminal_show(scree_terminal *terminal,
                         const scree_progress *progress, const char *detail);

/* The progress line of a world if it is due. */
void scree_terminal_progress(scree_terminal *terminal, const scree_world *world,
                             const scree_progress *progress);

void scree_terminal_summary(scree_terminal *terminal,
                            const scree_summary *summary);

#endif
