/* method.h: the front of the solvers: one problem, in one of three layouts, and one table
 * of methods (solvers/methods.def).
 *
 *     layout   G = W^T M^-1 W is       struct           comes from
 *     lanes    never formed            scree_problem    worlds
 *     blocks   sparse, 3 x 3 blocks    scree_fc3d       files; lanes written out
 *     dense    a matrix                scree_delassus   models; blocks written out
 *
 * What a method cannot take is refused by one sentence, which names those that can. */
#ifndef SCREE_SOLVERS_METHOD_H
#define SCREE_SOLVERS_METHOD_H

#include "engine/base/error.h"
#include "solvers/blocks/fc3d.h"
#include "solvers/dense/delassus.h"
#include "solvers/problem/problem.h"

typedef enum scree_layout {
    SCREE_LAYOUT_LANES,
    SCREE_LAYOUT_BLOCKS,
    SCREE_LAYOUT_DENSE
} scree_layout;

typedef struct scree_inclusion {
    scree_layout layout;
    union {
        scree_problem *lanes;
        scree_fc3d *blocks;
        scree_delassus *dense;
    };
} scree_inclusion;

static inline scree_inclusion scree_in_lanes(scree_problem *p) {
    return (scree_inclusion){.layout = SCREE_LAYOUT_LANES, .lanes = p};
}
static inline scree_inclusion scree_in_blocks(scree_fc3d *p) {
    return (scree_inclusion){.layout = SCREE_LAYOUT_BLOCKS, .blocks = p};
}
static inline scree_inclusion scree_in_dense(scree_delassus *d) {
    return (scree_inclusion){.layout = SCREE_LAYOUT_DENSE, .dense = d};
}

/* What a problem needs of its method. */
enum {
    SCREE_NEED_TIED = 1,    /* friction that follows P_N (rattle's midslip) */
    SCREE_NEED_MOMENTS = 2, /* rolling and drilling */
    SCREE_NEED_SPACE = 4,   /* friction in two components */
    SCREE_NEED_RANKS = 8,   /* the problem is spread over ranks */
    SCREE_NEED_ORDER =
        16, /* the same bits for any number of them (ordered.h) */
    SCREE_NEED_JOINTS = 32, /* rows with bars (law/joint.h) */
    SCREE_NEED_STRAIN = 64  /* contacts in a frame that strains (strain.h) */
};

/* How a method may be driven. */
enum {
    SCREE_TRAIT_SWEEPS = 1, /* goes on sweep by sweep from where it was left */
    SCREE_TRAIT_COOLS = 2,  /* and relaxation and momentum quieten it */
    SCREE_TRAIT_SPLITS = 4, /* wants shared bodies split (coupling.h) */
    SCREE_TRAIT_WHOLE = 8   /* cannot be taken up where it was left */
};

/* In: a first guess P, lanes with u = u_free. Out: P, and u with what P does. Not
 * reaching the tolerance is SCREE_OK with report->converged = false. */
typedef scree_status scree_lanes_solver(scree_problem *p,
                                        const scree_solver_options *options,
                                        scree_arena *scratch,
                                        scree_report *report);

typedef struct scree_method {
    const char *name, *about;
    scree_lanes_solver *lanes; /* NULL: not its own */
    scree_blocks_solver *blocks;
    scree_dense_solver *dense;
    bool runs[3];    /* by layout: its own, or written out */
    unsigned lacks;  /* SCREE_NEED_.. */
    unsigned traits; /* SCREE_TRAIT_.. */
    int rows;        /* at most, but of dense problems; 0: any */
} scree_method;

const scree_method *scree_method_get(int i); /* NULL past the end */
const scree_method *scree_method_find(const char *name);
/* Number i of those that run on the layout; NULL past the end. */
const scree_method *scree_method_on(scree_layout layout, int i);

static inline bool scree_method_takes(const scree_method *m,
                                      scree_layout layout, unsigned needs) {
    return m->runs[layout] && !(m->lacks & needs);
}

/* Room for a sentence that refuses. */
enum { SCREE_REFUSAL = 300 };

/* "lemke does not run on worlds with friction in space, which pgs, jacobi ... do": why
 * the method does not take what needs that; if it does, for its rows. */
void scree_method_refuse(const scree_method *m, scree_layout layout,
                         unsigned needs, char *text, size_t size);

/* Does any contact need that? Ranks agree. */
unsigned scree_inclusion_needs(scree_inclusion p);

/* Solves the problem, or refuses it. */
scree_status scree_inclusion_solve(scree_inclusion p, const scree_method *m,
                                   const scree_solver_options *options,
                                   scree_arena *scratch, scree_report *report,
                                   scree_error *error);

/* One run of the method on its own, or on the problem written out. */
scree_status scree_lanes_run(const scree_method *m, scree_problem *p,
                             const scree_solver_options *options,
                             scree_arena *scratch, scree_report *report);
scree_status scree_blocks_run(const scree_method *m, scree_fc3d *p,
                              const scree_solver_options *options,
                              scree_arena *scratch, scree_report *report);

/* ---- problems written out ---------------------------------------------------- */

/* A method on a problem that is written out in the next layout, solved there and read
 * back: lanes as blocks (solvers/blocks/explicit.h), blocks as dense.
 * SCREE_UNSUPPORTED if the method takes fewer rows. */
scree_status scree_lanes_write(const scree_method *m, scree_problem *p,
                               const scree_solver_options *options,
                               scree_arena *scratch, scree_report *report);
scree_status scree_blocks_write(const scree_method *m, scree_fc3d *p,
                                const scree_solver_options *options,
                                scree_arena *scratch, scree_report *report);
/* Goes on from the (u, P) that another method left, whose iterations are in the
 * report. */
scree_status scree_lanes_go_on(const scree_method *m, scree_problem *p,
                               const scree_solver_options *options,
                               scree_size free, scree_arena *scratch,
                               scree_report *report);

/* ---- lanes ------------------------------------------------------------------- */

/* A whole solve of a world: runs, in turns where they stall, and direct solves of what
 * they leave undone (lanes.c). */
scree_status scree_lanes_solve(const scree_method *m, scree_problem *p,
                               const scree_solver_options *options,
                               scree_arena *scratch, scree_report *report);

/* The loop of loop.h on sweeps, `count` of them at a time. */
typedef void (*scree_sweep)(scree_problem *problem, void *context, int count);
/* Told of every residual measured, unless it is the last; may be NULL. */
typedef void (*scree_check)(void *context, double residual);
void scree_iterate(scree_problem *problem, const scree_solver_options *options,
                   scree_sweep sweep, scree_check check, void *context,
                   scree_report *report);

/* Residual, balance and worst violations of (P, u), see scree_problem_residual, and
 * whether that is a solution as the options ask for it. `bounded`: what led there
 * tells that P does not grow without end (trend.h). */
void scree_report_measure(const scree_problem *p, scree_size free,
                          const scree_solver_options *options, bool bounded,
                          scree_report *report);

/* ---- the methods, by layout --------------------------------------------------- */

#define OWN(layout, name) scree_##layout##_solver scree_##layout##_##name;
#define WRITTEN(layout, name)
#define NONE(layout, name)
#define SCREE_METHOD(name, in_lanes, in_blocks, in_dense, ...)                 \
    in_lanes(lanes, name) in_blocks(blocks, name) in_dense(dense, name)
#include "solvers/methods.def"
#undef SCREE_METHOD
#undef OWN
#undef WRITTEN
#undef NONE

#endif
