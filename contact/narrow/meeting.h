/* meeting.h: where two bodies meet on their way.
 *
 * Conservative advancement: bodies that the direction n separates by g, and that
 * approach along it by c of a whole way, do not overlap before the share g / c. There one
 * looks again, until they do. */
#ifndef SCREE_CONTACT_MEETING_H
#define SCREE_CONTACT_MEETING_H

#include "contact/narrow/contact.h"

/* Body a of the pair is at d as seen from b, and would go by `way`, neither turning. The
 * share of the way at which the two touch, if further on they overlap by more than
 * `depth`; 0 if they do so from the start; more than 1: they do not. Overlap is counted
 * along the normals of touches. */
double scree_pair_meeting(const scree_scene *scene, const scree_pair *pair,
                          scree_vec3 d, scree_vec3 way, double depth);

#endif
