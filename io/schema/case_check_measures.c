/* case_check_measures.c: rules of the sinks that measure. */
#include "io/case/case_check.h"
#include "io/case/case_reader.h"
#include "io/case/yaml/case_message.h"

#include <string.h>

#include "engine/base/vec.h"

scree_status scree_check_gate(scree_reader *r, const scree_node *map,
                              void *entry) {
    const scree_case_gate *gate = entry;
    const scree_vec3 a = vec_from(gate->sides[0]), b = vec_from(gate->sides[1]);
    if (norm(cross(a, b)) > 1e-9 * norm(a) * norm(b)) return SCREE_OK;
    return scree_reader_refuse(r, map, "second", "is parallel to 'first'");
}

/* The list that is being read: entries before this one are there. */
scree_status scree_check_gate_name(scree_reader *r, const scree_node *map,
                                   void *entry) {
    const scree_case_gate *gate = entry;
    if (r->item == 0) r->gates = (scree_index){0};
    return scree_reader_add_name(r, map, &r->gates, "gates", r->item,
                                 gate->name);
}

/* Each class of a gate takes a dozen columns at most. */
static const int64_t MOST_CLASSES = 50000;

scree_status scree_check_flux(scree_reader *r, const scree_node *map,
                              void *entry) {
    const scree_case_flux *flux = &((scree_output_entry *)entry)->output.flux;
    for (int i = 1; i < flux->n_size; i++)
        if (flux->sizes[i] <= flux->sizes[i - 1])
            return scree_reader_refuse(r, map, "sizes",
                                       "the diameters do not rise");
    const int64_t classes = 1 + (flux->materials ? r->draft.c.n_material : 0) +
                            (flux->n_size ? flux->n_size + 1 : 0);
    if (classes > MOST_CLASSES / flux->n_gate)
        return scree_reader_refuse(
            r, map, "gates", "%d gates with %lld classes each are too many",
            flux->n_gate, (long long)classes);
    return SCREE_OK;
}

/* So many cells of a grid take some gigabytes while they are measured. */
static const int64_t MOST_CELLS = 4000000;

scree_status scree_check_fields(scree_reader *r, const scree_node *map,
                                void *entry) {
    const scree_case_fields *f = &((scree_output_entry *)entry)->output.mean;
    const bool planar = r->draft.c.world.planar;
    if (planar && f->region.kind == SCREE_REGION_CYLINDER)
        return scree_reader_refuse(r, map, "cylinder",
                                   "has no meaning in a plane world: give a "
                                   "box");
    if (f->cells[0] * f->cells[1] > MOST_CELLS / f->cells[2])
        return scree_reader_refuse(r, map, "cells",
                                   "more than %lld cells in all",
                                   (long long)MOST_CELLS);
    return SCREE_OK;
}

scree_status scree_check_history(scree_reader *r, const scree_node *map,
                                 void *entry) {
    const scree_case_output *o = &((scree_output_entry *)entry)->output;
    for (int i = 0; i < o->n_id; i++)
        if (o->ids[i] != floor(o->ids[i]) || o->ids[i] > 1e15 ||
            (i > 0 && o->ids[i] <= o->ids[i - 1]))
            return scree_reader_refuse(r, map, "ids",
                                       "not whole numbers that rise");
    return SCREE_OK;
}

scree_status scree_check_extent(scree_reader *r, const scree_node *map,
                                void *entry) {
    const scree_case_walls *w = &((scree_output_entry *)entry)->output.walls;
    return scree_reader_check_box(r, map, w->min, w->max);
}

scree_status scree_check_walls(scree_reader *r, const scree_node *map,
                               void *entry) {
    const scree_case_walls *w = &((scree_output_entry *)entry)->output.walls;
    double most = 0;
    for (int k = 0; k < 3; k++) most = fmax(most, w->max[k] - w->min[k]);
    const bool box = scree_node_value(map, "box");
    if (box != (w->cells > 0))
        return scree_reader_refuse(r, map, box ? "box" : "cells",
                                   "needs the key '%s' too",
                                   box ? "cells" : "box");
    if (w->cells > 0 && most / w->cells > 1000)
        return scree_reader_refuse(r, map, "cells",
                                   "more than 1000 along the box");
    return SCREE_OK;
}
