/* contact_state.h: what contact detection carries from step to step, saved and
 * loaded: the Verlet list with what the narrow phase remembers of its pairs, and
 * the contacts of the last step, whose percussions and colours the next ones take up.
 *
 * The list is saved, not built again: a rebuild at another time sorts bodies and
 * pairs in another order, and sums in another order have other bits. In the file
 * bodies are named by their rows in the order of ids, so it does not depend on the order in memory. */
#ifndef SCREE_CONTACT_STATE_H
#define SCREE_CONTACT_STATE_H

#include "contact/narrow/narrow.h"
#include "engine/base/archive.h"

/* The bodies that the list speaks of. */
typedef struct scree_places {
    int32_t n;
    const int64_t *id;    /* (n) name in files of the body at a place */
    const int32_t *place; /* (n) of a name */
    int n_wall;
} scree_places;

/* The names and places of what laws keep (scree_contact_state) in files. */
typedef struct scree_state_fields {
    int n;
    scree_archive_field list[SCREE_STATE_WIDTH];
} scree_state_fields;

void scree_contact_archive(scree_archive *a, scree_broad *broad,
                           scree_contacts *contacts, const scree_places *places,
                           const scree_state_fields *fields);

/* What of the contacts of several ranks this one saves: bodies are ids, and
 * pairs, arms and states are counted over all ranks, whose parts follow each
 * other. In the file it is a list that must be built anew. */
typedef struct scree_contact_part {
    scree_broad broad; /* with no more than its pairs */
    scree_contacts contacts;
    int64_t n_arms, n_state;
    bool has_images; /* do pairs name images? */
} scree_contact_part;

void scree_contact_archive_part(scree_archive *a, scree_contact_part *part,
                                const scree_state_fields *fields);

/* Loads contacts [first, first + n) of a file, whoever saved it. Bodies are ids,
 * arms and states those of the part. Pairs have a meaning if there are images: those
 * of the part, which have nothing else. */
void scree_contact_load_block(scree_archive *a, int64_t first, int64_t n,
                              const scree_state_fields *fields,
                              scree_contact_part *part);

#endif
