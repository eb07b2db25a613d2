/* modes.h: the discrete state of a world, 002 section 4.
 *
 * Each set-valued law is in the constraint mode (0) or in the impressed one (1): its
 * prox changes its argument, or not. Of a contact there are the normal law, friction,
 * and the moments of rolling and drilling. A contact that is not there is one that
 * does not bear load: all its laws are impressed.
 *
 * Contacts come and go, in any order, and the list may name their bodies either way
 * round. So the state of a world is one number: the sum, modulo 2^64, of a hash of each
 * contact that bears load, of its bodies' ids, its key and its modes. Two worlds with
 * the same contacts in the same modes have the same number, whatever the order; that two
 * with different ones have it by chance is a matter of 2^-64. */
#ifndef SCREE_ADAPTIVE_MODES_H
#define SCREE_ADAPTIVE_MODES_H

#include "engine/world/world.h"

/* After a solve, before anything moves: the problem's rows are those of the contacts.
 * Cost: a look at each contact. */
uint64_t scree_world_modes(const scree_world *world);

#endif
