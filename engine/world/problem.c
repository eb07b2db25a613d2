/* problem.c: the contact problem of a step, for solvers outside of the library. */
#include <string.h>

#include "engine/scree_fc3d.h"
#include "engine/world/world.h"
#include "solvers/blocks/explicit.h"

static scree_status copy_problem(const scree_fc3d *from, scree_fc3d *to) {
    TRY(scree_fc3d_create(to, from->nc, from->n_block));
    const size_t nc = (size_t)from->nc, n = (size_t)from->n_block;
    to->dim = from->dim;
    to->least2 = from->least2;
    memcpy(to->row, from->row, (nc + 1) * sizeof *to->row);
    memcpy(to->column, from->column, n * sizeof *to->column);
    memcpy(to->W, from->W, 9 * n * sizeof *to->W);
    memcpy(to->q, from->q, 3 * nc * sizeof *to->q);
    memcpy(to->mu, from->mu, nc * sizeof *to->mu);
    memcpy(to->rho, from->rho, nc * sizeof *to->rho);
    memcpy(to->r, from->r, 3 * nc * sizeof *to->r);
    memcpy(to->u, from->u, 3 * nc * sizeof *to->u);
    return SCREE_OK;
}

scree_status scree_world_read_problem(const scree_world *world, scree_fc3d *p,
                                      scree_error *error) {
    const scree_problem *solved = &world->state.problem;
    *p = (scree_fc3d){0};
    if (!scree_problem_is_coulomb(solved))
        return scree_fail(error, SCREE_UNSUPPORTED,
                          "contacts with rolling, drilling or rattle's midslip "
                          "law are no Coulomb problem");
    scree_arena scratch = {0};
    scree_fc3d written;
    scree_status status = scree_problem_write_out(solved, &scratch, &written);
    if (status == SCREE_OK) status = copy_problem(&written, p);
    scree_arena_free(&scratch);
    if (status == SCREE_OK) return SCREE_OK;
    return scree_fail(error, status, "no memory for a problem of %lld contacts",
                      (long long)solved->n_contact);
}
