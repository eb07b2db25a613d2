/* case_check_measures.c: rules of the sinks that measure. */
#include "io/case/case_check.h"
#include "io/case/case_message.h"
#include "io/case/case_reader.h"

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
    for (int i = 1; i <= r->item; i++)
        if (strcmp(gate[-i].name, gate->name) == 0)
            return scree_reader_refuse(r, map, "name",
                                       "gates[%d] has the name '%s' already",
                                       r->item - i,
                                       scree_quote(gate->name).text);
    return SCREE_OK;
}

scree_status scree_check_flux(scree_reader *r, const scree_node *map,
                              void *entry) {
    const scree_case_flux *flux = &((scree_output_entry *)entry)->output.flux;
    if (flux->n_gate == 0)
        return scree_reader_refuse(r, map, "gates", "an empty list");
    for (int i = 1; i < flux->n_size; i++)
        if (flux->sizes[i] <= flux->sizes[i - 1])
            return scree_reader_refuse(r, map, "sizes",
                                       "the diameters do not rise");
    return SCREE_OK;
}
