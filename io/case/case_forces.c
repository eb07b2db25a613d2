/* case_forces.c: entries of forces, and pairs of materials that do not collide: what one row
 * cannot say, and the world's from them.
 *
 * Materials that pass others have a group each, all others share the first one. */
#include "io/case/case_forces.h"

#include <stdlib.h>

#include "engine/base/error.h"
#include "engine/system/stepper.h"
#include "io/case/case_reader.h"

enum { GROUPS = 32 };

void scree_prepare_force(void *entry) {
    scree_case_force *force = entry;
    force->def = scree_force_def_default();
    force->def.low[0] = NAN; /* no box */
}

scree_status scree_check_drag(scree_reader *r, const scree_node *map,
                              void *entry) {
    const scree_drag *d = entry;
    if ((d->quadratic > 0 || d->buoyancy) && d->density == 0)
        return scree_reader_refuse(r, map,
                                   d->quadratic > 0 ? "quadratic" : "buoyancy",
                                   "needs the 'density' of the fluid");
    return SCREE_OK;
}

scree_status scree_check_force_box(scree_reader *r, const scree_node *map,
                                   void *entry) {
    const scree_force_def *def = entry;
    return scree_reader_check_box(r, map, def->low, def->high);
}

scree_status scree_check_force(scree_reader *r, const scree_node *map,
                               void *entry) {
    const scree_force_def *def = &((scree_case_force *)entry)->def;
    const scree_drag *d = &def->drag;
    for (int k = 0; k < 3; k++)
        if (def->acceleration[k] != 0 || def->force[k] != 0 ||
            def->torque[k] != 0)
            return SCREE_OK;
    if (d->linear > 0 || d->quadratic > 0 || d->spin > 0 || d->buoyancy)
        return SCREE_OK;
    return scree_reader_refuse(
        r, map, scree_node_value(map, "drag") ? "drag" : "field",
        "does nothing: neither a 'field' nor a 'drag' that is not zero is "
        "given");
}

/* ---- the whole case ------------------------------------------------------------- */

/* *n: groups that are needed beside the first. group: (n_material) 0: the first. */
static void number_groups(const scree_case *c, int *group, int *n) {
    *n = 0;
    for (int i = 0; i < c->n_pair; i++) {
        const scree_case_pair *p = &c->pairs[i];
        if (p->collide) continue;
        if (group[p->a] == 0) group[p->a] = ++*n;
        if (group[p->b] == 0) group[p->b] = ++*n;
    }
}

static scree_status check_groups(scree_reader *r, const scree_node *map,
                                 const scree_case *c) {
    int n;
    int *group = calloc((size_t)c->n_material + 1, sizeof *group);
    if (!group) return scree_reader_no_memory(r);
    number_groups(c, group, &n);
    free(group);
    if (n < GROUPS) return SCREE_OK;
    return scree_reader_refuse(r, map, "pairs",
                               "%d materials have a pair with 'collide: off', "
                               "and %d are the most",
                               n, GROUPS - 1);
}

scree_status scree_check_forces(scree_reader *r, const scree_node *map,
                                const scree_case *c) {
    const scree_stepper_ops *stepper = scree_stepper_find(c->world.stepper);
    TRY(check_groups(r, map, c));
    if (c->n_force == 0 || stepper->forces) return SCREE_OK;
    scree_reader_refuse(r, map, "forces", "the stepper '%s' knows none",
                        stepper->name);
    scree_hint(r->error, "take moreau or rattle");
    return SCREE_BAD_INPUT;
}

/* ---- into the world --------------------------------------------------------------- */

static scree_status set_groups(const scree_case *c, scree_world *world,
                               const int *group) {
    for (int m = 0; m < c->n_material; m++) {
        uint32_t collides = UINT32_MAX;
        for (int i = 0; i < c->n_pair; i++) {
            const scree_case_pair *p = &c->pairs[i];
            if (p->collide) continue;
            if (p->a == m) collides &= ~(UINT32_C(1) << group[p->b]);
            if (p->b == m) collides &= ~(UINT32_C(1) << group[p->a]);
        }
        TRY(scree_world_set_material_group(world, m, UINT32_C(1) << group[m],
                                           collides));
    }
    return SCREE_OK;
}

static scree_status add_groups(const scree_case *c, scree_world *world) {
    int n;
    int *group = calloc((size_t)c->n_material + 1, sizeof *group);
    if (!group) return SCREE_OUT_OF_MEMORY;
    number_groups(c, group, &n);
    const scree_status status = n > 0 ? set_groups(c, world, group) : SCREE_OK;
    free(group);
    return status;
}

static scree_status add_force(const scree_case_force *force,
                              scree_world *world) {
    scree_force_def def = force->def;
    if (isnan(def.low[0])) def.low[0] = -INFINITY;
    return scree_world_add_force(world, &def, NULL);
}

static scree_status failed_with(const scree_case *c, const scree_world *world,
                                scree_status status, const char *part, int i,
                                scree_error *error) {
    if (status == SCREE_OUT_OF_MEMORY)
        return scree_fail(error, status, "%.300s: out of memory", c->path);
    return scree_fail(
        error, status == SCREE_BAD_ARGUMENT ? SCREE_BAD_INPUT : status,
        "%.300s: %s[%d]: %.500s", c->path, part, i, scree_world_error(world));
}

scree_status scree_case_add_forces(const scree_case *c, scree_world *world,
                                   scree_error *error) {
    const scree_status grouped = add_groups(c, world);
    if (grouped != SCREE_OK)
        return failed_with(c, world, grouped, "pairs", 0, error);
    for (int i = 0; i < c->n_force; i++) {
        const scree_status status = add_force(&c->forces[i], world);
        if (status != SCREE_OK)
            return failed_with(c, world, status, "forces", i, error);
    }
    return SCREE_OK;
}
