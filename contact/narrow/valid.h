/* valid.h: what must hold of the lists of contact detection, for asserts
 * (engine/base/assert.h). All are linear in what they look at. */
#ifndef SCREE_CONTACT_VALID_H
#define SCREE_CONTACT_VALID_H

#include "contact/narrow/narrow.h"

/* The Verlet list names bodies and walls of the scene, each pair two of them, in the
 * order of the lower body. */
bool scree_pairs_is_valid(const scree_broad *broad, const scree_scene *scene);

/* What is kept of the last contacts is in the order of their pairs, and each pair
 * finds its own. Holds until the list is rebuilt. */
bool scree_kept_is_valid(const scree_broad *broad);

/* Contacts are in the order of their pairs and have their bodies; normals have unit
 * length, gaps are numbers wherever the bodies' places are, arms and moments are
 * there. */
bool scree_contacts_is_valid(const scree_contacts *contacts,
                             const scree_broad *broad,
                             const scree_scene *scene);

/* No body has two contacts of one colour, but for the colours of the set `many` and
 * those from 64 on. used: (bodies), zeros. */
bool scree_colours_is_valid(const scree_contacts *contacts, uint64_t many,
                            uint64_t *used);

#endif
