/* loop.h: the loop that the methods of all layouts share.
 *
 *     begin
 *     until it is over:        measure; keep the best percussions; solved? without
 *                              hope? out of iterations, time or patience?
 *         iterate              until the next residual is due
 *     end                      the best percussions, and the report
 *
 * A problem without solution drives P to infinity and the residual to zero with it: a
 * residual within the tolerance is a solution only if |F| is as small beside the
 * velocities alone, or still falls (trend.h); in this case no contact may approach
 * faster than half of the fastest for P = 0.
 *
 * Which natural map F is measured depends on the layout: problem.h (lanes), fc3d.h
 * (blocks), delassus.h (dense). */
#ifndef SCREE_SOLVERS_LOOP_H
#define SCREE_SOLVERS_LOOP_H

#include "engine/base/arena.h"
#include "solvers/problem/trend.h"

/* What is measured of percussions and velocities. */
typedef struct scree_residual {
    double residual; /* |F| over `scale` [-], dense: |F| [m/s]; NaN when numbers
                         are not finite */
    double balance;  /* lanes: mean error of velocities [-] */
    double normal;   /* worst approach of a contact [m/s] */
    double cone;     /* worst percussion outside its cone [N s] */
    double velocity; /* |F| over the velocities alone [-] */
    double loaded;   /* |F| of the contacts that bear: trend.h [m/s] */
    double scale;    /* lanes: that |F| is divided by for the residual [m/s] */
} scree_residual;

/* Within the tolerance without the help of P, which may have grown without end? */
static inline bool scree_residual_is_small(const scree_residual *r,
                                           double tolerance) {
    return r->residual <= tolerance && r->velocity <= SCREE_BESIDE * tolerance;
}

/* What is asked of a solution. */
typedef struct scree_goal {
    double tolerance; /* on the residual */
    double balance;   /* 0: any */
    double approach;  /* [m/s]; INFINITY: any */
} scree_goal;

static inline bool scree_goal_is_met(const scree_goal *goal,
                                     const scree_residual *r) {
    return r->residual <= goal->tolerance && r->normal <= goal->approach &&
           (goal->balance == 0 || r->balance <= goal->balance);
}

/* Who made the last step, and what was measured. */
void scree_report_sign(scree_report *report, const char *method);
void scree_report_write(scree_report *report, const scree_residual *r);

double scree_loop_now(void); /* [s] */

typedef struct scree_loop scree_loop;

/* How a layout is measured, how often, and for how long it is hoped for. */
typedef struct scree_course {
    /* Of the percussions that are there; may set the goal. */
    scree_residual (*measure)(scree_loop *g);
    int part;     /* measured after 4 iterations and one of so many so far */
    bool hurries; /* up to four times as often near the end */
    bool halves;  /* a stall takes half of the iterations so far, at least */
    int doubts; /* iterations that a residual within the tolerance may be none of
                    a solution, beside as many as led there; 0: any */
} scree_course;

struct scree_loop {
    const scree_course *course;
    void *problem;
    const scree_solver_options *options;
    scree_report *report;
    scree_goal goal;
    double fastest;   /* approach for P = 0 [m/s] */
    double *P, *best; /* (n) percussions, and the best; NULL: not kept */
    int64_t n;
    scree_residual error;    /* of `best` */
    int64_t iteration, next; /* next: when to measure */
    double first, last;      /* residuals measured */
    double start;            /* [s] */
    double mark;             /* residual that the stall is judged by */
    int64_t marked;          /* iteration of the mark */
    scree_trend trend;
    int64_t swept;   /* iterations before the first, to the trend */
    bool leaps;      /* the method's steps are large: no trend tells that a
                        problem has a solution */
    bool rests;      /* the first guess was within the tolerance */
    int64_t doubted; /* iteration at which a residual within the tolerance was
                        no solution for the first time, or -1 */
    /* Blocks: u belongs to P, only this once, without the drift of rounding. */
    bool has_u, exact_u;
};

/* With the goal of the options. */
void scree_loop_begin(scree_loop *g, const scree_course *course, void *problem,
                      const scree_solver_options *options,
                      scree_report *report);
/* Keeps the best of the n percussions P from now on. */
scree_status scree_loop_keep(scree_loop *g, double *P, int64_t n,
                             scree_arena *scratch);
/* Measures. True: it is over, and the report says why. */
bool scree_loop_is_over(scree_loop *g);
/* True if the next advance measures. */
static inline bool scree_loop_is_due(const scree_loop *g) {
    return g->iteration >= g->next;
}
/* Measures if that is due, and counts an iteration. True: it is over. */
bool scree_loop_advance(scree_loop *g);
/* Keeps P if its error is the least so far. */
void scree_loop_note(scree_loop *g, const scree_residual *r);
/* Leaves the best P, unless the last one is the solution or is asked for. */
void scree_loop_end(scree_loop *g);

/* A method inside a method: options that end with those of the outer one and
 * watch with iterations counted from its first on. */
typedef struct scree_relay {
    const scree_solver_options *outer;
    double start;   /* [s] of the outer method */
    int64_t before; /* its iterations so far */
} scree_relay;

scree_solver_options scree_relay_options(scree_relay *relay);

#endif
