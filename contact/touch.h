/* touch.h: touches of a listed pair, whatever its bodies and walls are. */
#ifndef SCREE_CONTACT_TOUCH_H
#define SCREE_CONTACT_TOUCH_H

#include "contact/contact.h"
#include "contact/pair.h"

/* Touches of the pair with g <= reach, at most SCREE_TOUCHES; returns their
 * number. Keys name the features of both, balls of clumps among them. `apart` is
 * as in scree_solids_touch_again. */
int scree_pair_touch(const scree_scene *scene, const scree_pair *pair,
                     double reach, scree_separation *apart,
                     scree_touch *touches);

/* A body that moves or turns far in a step may take its features through a wall
 * before any of them is seen there. Touches of a ball inside it, about its centre,
 * with the wall near it and on its way: at most `room`. They hold whatever its
 * rotation does. 0 for slow bodies and for pairs of bodies. */
int scree_pair_guard(const scree_scene *scene, const scree_pair *pair,
                     double reach, scree_touch *touches, int room);

/* Does a ball come within reach of the wall's surface? */
bool scree_wall_near(const scree_plane *wall, const scree_ball *ball,
                     double reach);

#endif
