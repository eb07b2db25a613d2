/* scree_solver.h: how an inclusion problem is solved, and what a solve says of itself. */
#ifndef SCREE_SOLVER_H
#define SCREE_SOLVER_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Which inclusion problems a run saves, so that they can be solved again. */
typedef enum scree_dump {
    SCREE_DUMP_NONE,
    SCREE_DUMP_UNCONVERGED, /* those that did not reach the tolerance */
    SCREE_DUMP_ALL
} scree_dump;

/* How pgs solves a single contact. Contacts between spheres and with flat walls
 * are solved exactly by one prox step. */
typedef enum scree_local {
    SCREE_LOCAL_PROX, /* one prox step, normal before tangent */
    SCREE_LOCAL_EXACT /* its 3 x 3 problem to the end */
} scree_local;

/* What a run does when a step does not reach the tolerance. A world only counts
 * such steps (scree_cost): this is for those who run it. */
typedef enum scree_unconverged {
    SCREE_UNCONVERGED_WARN, /* says so, and goes on */
    SCREE_UNCONVERGED_STOP  /* ends there */
} scree_unconverged;

/* Corrections between the sweeps of pgs and jacobi, for deep beds and stacks. */
typedef enum scree_coarse_mode {
    SCREE_COARSE_OFF,
    SCREE_COARSE_AUTO /* where they help */
} scree_coarse_mode;

/* Told of every residual that a solve measures (solvers/problem/loop.h). */
struct scree_residual;
typedef void scree_watch(void *context, int64_t iteration,
                         const struct scree_residual *measured);

/* How an inclusion problem is solved: of a step, of a file, of a model. `method` is a
 * name from scree_solver_name(). The solve stops at the first of: residual, balance and
 * approach all within their bounds, `iterations` used up, `seconds` used up, no
 * progress. */
typedef struct scree_solver_options {
    const char *method;
    int iterations;
    double tolerance; /* on the residual of solvers/problem/problem.h [-] */
    double scale;     /* that the residual is relative to at least [m/s] */
    double balance;   /* on the mean error of velocities over |g| dt, or over
                           what impacts bring: problem.h [-]; 0: any */
    double
        approach; /* on the worst approach of a contact over |g| dt, or without
                           gravity over the fastest for no percussions [-]; 0: any */
    double
        relaxation; /* pgs, jacobi, dense: omega in r = omega / G_ii, in (0, 2)
                          [-] */
    double
        momentum; /* pgs: b_max in [0, 1), 0: none; jacobi and dense: 1 - b_max is a half and an eighth [-] */
    scree_local local;        /* pgs */
    scree_coarse_mode coarse; /* pgs, jacobi */
    int stall;       /* give up after this many sweeps in which the best
                          residual fell by less than a third (of problems from
                          files: and half of the sweeps so far); 0: never */
    int rest;        /* where a step's first guess is within the tolerance it is
                          solved further, to 3e-7, for at most so many sweeps
                          (moreau); 0: not */
    int clusters;    /* where a solve ends short, clusters of at most so many
                          contacts are solved directly; 0: none */
    bool warm_start; /* start from the percussions of the last step */
    scree_dump dump;
    scree_unconverged unconverged;
    double unconverged_share; /* of all steps: a run in which more of them did
                                 not converge has failed, in [0, 1] */
    /* Of solves on their own, and of methods inside methods. */
    double seconds; /* at most, looked at with every residual; 0: any */
    int order; /* pgs by blocks: of the sweep; 0: as given, else one of many */
    int feedback;       /* apgd: iterations with one slip; 0: as many as the
                          progress of the residual tells */
    bool keep_last;     /* return the last percussions, not the best */
    bool on_the_way;    /* others go on from here: the residual is enough,
                          percussions may still grow (solvers/problem/trend.h) */
    scree_watch *watch; /* or NULL */
    void *context;      /* of watch */
} scree_solver_options;

typedef enum scree_stop {
    SCREE_STOP_TOLERANCE,
    SCREE_STOP_ITERATIONS,
    SCREE_STOP_TIME,
    SCREE_STOP_STALL,
    SCREE_STOP_NOT_FINITE,
} scree_stop;
enum { SCREE_STOPS = SCREE_STOP_NOT_FINITE + 1 };

/* "tolerance reached", "iterations used up", ... */
const char *scree_stop_text(scree_stop stop);
/* The same in a word for tables: tolerance, iterations, time, stall, not_finite. */
const char *scree_stop_word(scree_stop stop);

/* What a solve says about itself. Not reaching the tolerance is data here. */
typedef struct scree_report {
    int iterations;
    double residual; /* natural map, relative [-] */
    double balance;  /* mean error of velocities over |g| dt [-] */
    double normal;   /* worst approach of a contact [m/s] */
    double cone;     /* worst percussion outside its friction cone [N s] */
    double scale;    /* that the residual is relative to [m/s] */
    bool converged; /* residual, balance and approach are within their bounds */
    bool singular;  /* newton met a singular matrix: models; of worlds no, so
                       that checkpoints do not have it */
    scree_stop stop; /* SCREE_STOP_TOLERANCE if converged, and only then */
    char by[8]; /* the method that made the last step: pgs, newton, path ... */
} scree_report;

/* Friction over a step of rattle and lobatto. */
typedef enum scree_friction_law {
    SCREE_FRICTION_TOTAL,  /* the published laws */
    SCREE_FRICTION_MIDSLIP /* second order while the slip direction turns */
} scree_friction_law;

/* Restitution of what closes within a step of rattle (engine/steppers/rattle.c). */
typedef enum scree_hits {
    SCREE_HITS_PUBLISHED, /* from the velocity along the normal where it began:
                             oblique hits with e > 0 make energy */
    SCREE_HITS_BALANCED   /* from the energy that the hit takes and gives */
} scree_hits;

/* Substeps of moreau-adaptive, with which contacts that stay closed do not start to hop
 * (engine/steppers/extrapolation.h). */
typedef enum scree_substeps_rule {
    SCREE_SUBSTEPS_ODD,    /* 1, 3, 5, 7, ... */
    SCREE_SUBSTEPS_FADING, /* 1, 2, 3, 4, ... with eps^(dt / dt_min) for eps */
    SCREE_SUBSTEPS_ALL,    /* 1, 2, 3, 4, ... to be compared with: it fails */
} scree_substeps_rule;

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
