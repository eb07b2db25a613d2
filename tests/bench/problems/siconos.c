/* siconos.c: a scree_fc3d in Siconos' sparse block storage, solved by NSGS with
 * its default local solver. Blocks are column-major there, in ascending columns. */
#include "tests/bench/problems/siconos.h"

#include <stdlib.h>
#include <string.h>

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
#include <fc3d_Solvers.h>

bool siconos_is_there(void) {
    return true;
}

static double *transposed(const double *block) {
    double *copy = malloc(9 * sizeof *copy);
    for (int k = 0; k < 9 && copy; k++) copy[k % 3 * 3 + k / 3] = block[k];
    return copy;
}

/* Blocks of row i into S from place `at` on, sorted by insertion. */
static void add_row(SparseBlockStructuredMatrix *S, const scree_fc3d *p,
                    int i) {
    const int64_t first = p->row[i];
    for (int64_t k = first; k < p->row[i + 1]; k++) {
        int64_t at = k;
        const size_t column = (size_t)p->column[k];
        for (; at > first && S->index2_data[at - 1] > column; at--) {
            S->index2_data[at] = S->index2_data[at - 1];
            S->block[at] = S->block[at - 1];
        }
        S->index2_data[at] = column;
        S->block[at] = transposed(&p->W[9 * k]);
    }
}

static SparseBlockStructuredMatrix *make_matrix(const scree_fc3d *p) {
    SparseBlockStructuredMatrix *S = SBM_new();
    const size_t nc = (size_t)p->nc, blocks = (size_t)p->n_block;
    S->nbblocks = (unsigned)blocks;
    S->blocknumber0 = S->blocknumber1 = (unsigned)nc;
    S->blocksize0 = malloc(nc * sizeof *S->blocksize0);
    S->blocksize1 = malloc(nc * sizeof *S->blocksize1);
    S->filled1 = nc + 1;
    S->filled2 = blocks;
    S->index1_data = malloc((nc + 1) * sizeof *S->index1_data);
    S->index2_data = malloc(blocks * sizeof *S->index2_data);
    S->block = malloc(blocks * sizeof *S->block);
    for (size_t i = 0; i < nc; i++) {
        S->blocksize0[i] = S->blocksize1[i] = 3 * (unsigned)(i + 1);
        S->index1_data[i] = (size_t)p->row[i];
        add_row(S, p, (int)i);
    }
    S->index1_data[nc] = blocks;
    return S;
}

static FrictionContactProblem *make_problem(const scree_fc3d *p) {
    const size_t n = 3 * (size_t)p->nc;
    NumericsMatrix *M = NM_new();
    M->storageType = NM_SPARSE_BLOCK;
    M->size0 = M->size1 = (int)n;
    M->matrix1 = make_matrix(p);
    double *q = malloc(n * sizeof *q), *mu = malloc(n * sizeof *mu);
    memcpy(q, p->q, n * sizeof *q);
    memcpy(mu, p->mu, (size_t)p->nc * sizeof *mu);
    return frictionContactProblem_new_with_data(3, p->nc, M, q, mu);
}

bool siconos_nsgs(scree_fc3d *p, double tolerance, int sweeps,
                  siconos_result *result) {
    const size_t bytes = 3 * (size_t)p->nc * sizeof(double);
    FrictionContactProblem *problem = make_problem(p);
    SolverOptions *o = solver_options_create(SICONOS_FRICTION_3D_NSGS);
    o->dparam[SICONOS_DPARAM_TOL] = tolerance;
    o->iparam[SICONOS_IPARAM_MAX_ITER] = sweeps;
    memset(p->r, 0, bytes);
    memcpy(p->u, p->q, bytes);
    const double start = bench_now();
    fc3d_driver(problem, p->r, p->u, o);
    result->seconds = bench_now() - start;
    result->sweeps = o->iparam[SICONOS_IPARAM_ITER_DONE];
    result->error = o->dparam[SICONOS_DPARAM_RESIDU];
    solver_options_delete(o);
    frictionContactProblem_free(problem);
    return true;
}
