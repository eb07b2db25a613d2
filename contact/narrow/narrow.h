/* narrow.h: from listed pairs to contacts.
 *
 * Contacts are the pairs with gap g <= slack and, where the step foresees
 * (gap control), those that may close within it: g + dt min(gamma_N, 0) <=
 * slack + fall. gamma_N is the normal relative velocity now, `fall` what
 * gravity adds. Two spheres must also come that near on their way: those that fly
 * past each other are none. With `keep_loaded` pairs that bear load are contacts too: a
 * contact that an iteration pushed apart stays in it. The contacts come in the
 * order of the Verlet list, for any number of threads. */
#ifndef SCREE_CONTACT_NARROW_H
#define SCREE_CONTACT_NARROW_H

#include "contact/broad/broad.h"

typedef struct scree_contacts {
    scree_contact *list;
    int64_t n, capacity;
    scree_arms
        *arms; /* (capacity) by scree_contact.arms; none if all are round */
    int64_t arms_capacity;
    scree_footing *footings; /* (capacity) by scree_contact.arms, in steps of
                                rattle with general contacts */
    int64_t footings_capacity;
    scree_footing
        *round_footings; /* (capacity) of spheres on surfaces, likewise:
                                      scree_contact.arms names them */
    int64_t round_footings_capacity;
    scree_contact_state *states; /* (capacity) by scree_contact.state; none if
                                    no law keeps any */
    int64_t states_capacity;
    uint8_t *
        colours; /* (capacity) that contacts had when they were found before, or
                         SCREE_UNCOLOURED; then those that they have */
    int64_t colours_capacity;
    scree_stance *stances; /* of the bodies; none if all contacts are round */
    int64_t stances_capacity;
} scree_contacts;

void scree_contacts_free(scree_contacts *contacts);
/* Room for n contacts, without arms and states. */
scree_status scree_contacts_reserve(scree_contacts *contacts, int64_t n);
/* Contact `from` comes to another place. */
static inline void scree_contacts_move(scree_contacts *contacts, int64_t from,
                                       int64_t to) {
    contacts->list[to] = contacts->list[from];
    contacts->colours[to] = contacts->colours[from];
}

/* Contacts start from the percussions that scree_broad_keep has kept. */
scree_status scree_narrow(const scree_broad *broad, const scree_scene *scene,
                          scree_contacts *contacts);

/* Writes how fast, at most, listed pairs without contacts approach that overlap by
 * more than `depth` when the bodies have gone on with the scene's velocities for dt,
 * or on the way there; 0: there are none. Only pairs of which a body is marked are
 * looked at. */
scree_status scree_narrow_misses(const scree_broad *broad,
                                 const scree_scene *scene,
                                 scree_contacts *contacts,
                                 const uint8_t *marked, double depth,
                                 double *closing, scree_arena *scratch);

#endif
