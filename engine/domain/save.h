/* save.h: what a rank saves of a world that is spread over ranks, and loads.
 *
 * Bodies and contacts are saved in blocks of ids (rows.h): the file is the same
 * however space was cut, but for the rounding of what was computed. They are
 * loaded in such blocks as well, with any number of ranks. */
#ifndef SCREE_DOMAIN_SAVE_H
#define SCREE_DOMAIN_SAVE_H

#include "contact/broad/contact_state.h"
#include "engine/domain/rows.h"
#include "engine/world/world.h"

/* The contacts whose first body is in this rank's block, sorted by bodies and
 * key. Collective; free the part also after a failure, which all ranks have. */
scree_status scree_domain_contact_part(scree_world *world,
                                       scree_contact_part *part);
void scree_contact_part_free(scree_contact_part *part);

/* Gives the world, which has no bodies and knows how many bodies and contacts
 * there are, those of this rank's block and the contacts whose first body is in
 * it. The other bodies of these contacts come along, as copies. Collective;
 * fails on all ranks or on none. */
scree_status scree_domain_load(scree_world *world, const scree_body_row *rows,
                               scree_archive *archive);

/* A world with the numbers of this one, summed over ranks where each has its
 * own. It shares all memory with it, and is only good for saving the numbers.
 */
scree_world scree_domain_sums(const scree_world *world);

/* Percussions of the walls, all of them, summed over ranks. Collective. */
void scree_domain_wall_percussions(const scree_world *world,
                                   scree_vec3 *percussions);

#endif
