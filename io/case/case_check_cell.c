/* case_check_cell.c: rules of periodic cells, and of what does not go with them. */
#include "io/case/case_check.h"

#include <string.h>

#include "io/case/case_reader.h"
#include "solvers/problem/method.h"

/* ---- the cell ------------------------------------------------------------- */

static scree_status check_edge(scree_reader *r, const scree_node *map,
                               const scree_cell_def *def, int k) {
    if (k == 2 && def->periodic[k] && r->draft.c.world.planar)
        return scree_reader_refuse(r, map, "periodic",
                                   "a plane world is not periodic along z");
    if (!def->periodic[k] && def->stretch[k] != 0)
        return scree_reader_refuse(
            r, map, "stretch", "the cell is not periodic along %c", "xyz"[k]);
    if (def->periodic[k] && !(def->low[k] < def->high[k]))
        return scree_reader_refuse(r, map, "max",
                                   "%c is not above that of 'min'", "xyz"[k]);
    return SCREE_OK;
}

/* All directions of the world, and edges that nothing else moves. */
static scree_status check_pressure(scree_reader *r, const scree_node *map,
                                   const scree_cell_def *def) {
    const int all = r->draft.c.world.planar ? 2 : 3;
    bool holds = false, stretches = false;
    for (int k = 0; k < 3; ++k) {
        holds |= def->pressure[k] != 0;
        stretches |= def->stretch[k] != 0;
        if (def->pressure[k] < 0)
            return scree_reader_refuse(r, map, "pressure",
                                       "that along %c is negative", "xyz"[k]);
    }
    if (!holds) return SCREE_OK;
    for (int k = 0; k < all; ++k)
        if (!def->periodic[k])
            return scree_reader_refuse(r, map, "pressure",
                                       "the cell is not periodic along %c",
                                       "xyz"[k]);
    if (all == 2 && def->pressure[2] != 0)
        return scree_reader_refuse(r, map, "pressure",
                                   "a plane world has none along z");
    if (stretches)
        return scree_reader_refuse(r, map, "pressure",
                                   "a cell that stretches holds none");
    return SCREE_OK;
}

scree_status scree_check_cell(scree_reader *r, const scree_node *map,
                              void *entry) {
    (void)entry;
    scree_case_cell *cell = &r->draft.c.cell;
    scree_cell_def *def = &cell->def;
    if (cell->periodic == 0)
        return scree_reader_refuse(r, map, "periodic",
                                   "a cell is periodic along x, y or z");
    for (int k = 0; k < 3; k++) {
        def->periodic[k] = cell->periodic >> k & 1;
        TRY(check_edge(r, map, def, k));
    }
    TRY(check_pressure(r, map, def));
    if (def->shear_rate == 0) return SCREE_OK;
    if ((cell->periodic & 3) != 3)
        return scree_reader_refuse(r, map, "shear_rate",
                                   "the cell is not periodic along x and y");
    if (def->stretch[0] != 0 || def->stretch[1] != 0)
        return scree_reader_refuse(r, map, "stretch",
                                   "a cell that is sheared keeps x and y");
    return SCREE_OK;
}

/* ---- and the rest of the case ----------------------------------------------- */

static bool holds_pressure(const scree_case *c) {
    const double *p = c->cell.def.pressure;
    return c->cell.periodic && (p[0] != 0 || p[1] != 0 || p[2] != 0);
}

/* What a cell that holds a pressure does not have beside it, or NULL. */
static const char *stranger_of(const scree_case *c) {
    const scree_method *solver = scree_method_find(c->world.solver.method);
    return strcmp(c->world.stepper, "moreau") != 0
               ? "runs with stepper moreau alone"
           : solver && solver->lacks & SCREE_NEED_STRAIN
               ? "runs with solvers pgs and jacobi alone"
           : c->world.solver.dump != SCREE_DUMP_NONE
               ? "does not go with solver.dump"
           : scree_case_asks_poisson(c) ? "does not go with impact: poisson"
           : scree_case_attracts(c)     ? "does not go with cohesion and bonds"
           : c->n_joint + c->n_net > 0  ? "does not go with joints and nets"
           : c->n_wall > 0              ? "has no walls"
                                        : NULL;
}

/* Of several outputs the first that writes positions which were never wrapped. */
static const scree_output_entry *find_unwrapped(const scree_draft *draft) {
    for (int i = 0; i < draft->n_output; ++i)
        if (draft->outputs[i].output.unwrapped) return &draft->outputs[i];
    return NULL;
}

scree_status scree_check_in_cell(scree_reader *r, const scree_node *map,
                                 scree_draft *draft) {
    const scree_case *c = &draft->c;
    const char *stranger = holds_pressure(c) ? stranger_of(c) : NULL;
    if (stranger)
        return scree_reader_refuse(r, map, "cell",
                                   "a cell that holds a pressure %s", stranger);
    if (c->cell.periodic || !find_unwrapped(draft)) return SCREE_OK;
    return scree_reader_refuse(r, map, "outputs",
                               "frames cannot be unwrapped: there is no "
                               "periodic cell");
}
