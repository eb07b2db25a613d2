/* fc3d.h: problems by blocks (engine/scree_fc3d.h), and what their methods share. */
#ifndef SCREE_SOLVERS_FC3D_H
#define SCREE_SOLVERS_FC3D_H

#include "engine/base/arena.h"
#include "engine/base/elementary/elementary.h"
#include "engine/base/error.h"
#include "engine/scree_fc3d.h"
#include "solvers/problem/loop.h"

/* All arrays in memory of so many bytes, all zero but rho = 1. Those by contact go on to
 * whole lanes of four, which stay so. */
size_t scree_fc3d_bytes(int nc, int64_t n_block);
void scree_fc3d_lay_out(scree_fc3d *p, void *memory, int nc, int64_t n_block);
/* An entry of W by scalar row and column, both in 0 .. 3 nc - 1. */
typedef struct scree_entry {
    int32_t row, column;
    double value;
} scree_entry;

/* Creates the problem with W from its entries, in any order; entries of one
 * place add up, and blocks without a mirror image get one of zeros. */
scree_status scree_fc3d_assemble(scree_fc3d *p, int nc, int64_t n,
                                 const scree_entry *entries,
                                 scree_arena *scratch);

/* Sets u = W r + q and measures. */
scree_residual scree_fc3d_measure(scree_fc3d *p);
/* Measures with the u that is there. */
scree_residual scree_fc3d_measure_at(const scree_fc3d *p);

/* ---- solving ------------------------------------------------------------- */

/* A method works on p->r. Not reaching the tolerance is SCREE_OK with
 * converged = false; a problem that the method cannot take is
 * SCREE_UNSUPPORTED. Methods never return a worse r than their best measured
 * one, unless they are told to keep the last. What they take of `scratch` is given back
 * by who calls them. */
typedef scree_status scree_blocks_solver(scree_fc3d *p,
                                         const scree_solver_options *options,
                                         scree_arena *scratch,
                                         scree_report *report);

/* Calls one, and gives scratch back. */
scree_status scree_blocks_call(scree_blocks_solver *solve, scree_fc3d *p,
                               const scree_solver_options *options,
                               scree_arena *scratch, scree_report *report);

/* The first sweeps of auto on at most this many contacts. */
enum { SCREE_FC3D_SMALL = 16 };
scree_blocks_solver scree_blocks_small;
/* The stages of auto that follow its sweeps, from an r that others swept. */
scree_blocks_solver scree_blocks_after_sweeps;

/* ---- for the methods ----------------------------------------------------- */

/* The largest eigenvalue of W_TT of a diagonal block. */
static inline double scree_fc3d_tangent(const double W[9]) {
    return 0.5 * (W[4] + W[8]) + scree_hypot(0.5 * (W[4] - W[8]), W[5]);
}

/* The loop of loop.h on r; p->u belongs to it where the method says so. */
scree_status scree_fc3d_begin(scree_loop *g, const char *by, scree_fc3d *p,
                              const scree_solver_options *options,
                              scree_arena *scratch, scree_report *report);

#endif
