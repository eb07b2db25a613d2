/* narrow_parts.h: what the files of the narrow phase share. */
#ifndef SCREE_CONTACT_NARROW_PARTS_H
#define SCREE_CONTACT_NARROW_PARTS_H

#include "contact/narrow/core.h"
#include "contact/narrow/narrow.h"
#include "contact/narrow/pair.h"

double scree_narrow_wall_speed(const scree_plane *wall, scree_vec3 x);
bool scree_narrow_is_round(const scree_scene *scene, const scree_pair *p);
bool scree_narrow_any_surface(const scree_scene *scene);
scree_status scree_narrow_pose(scree_scene *scene, scree_contacts *contacts);
double scree_narrow_reach(const scree_scene *scene, const scree_pair *p,
                          bool loaded);
double scree_narrow_opening(const scree_scene *scene, const scree_contact *c,
                            const scree_arms *arms, bool also);
bool scree_narrow_turns(const scree_scene *scene, const scree_pair *p);
int scree_narrow_touches_ahead(const scree_scene *scene, const scree_pair *p,
                               double time, double reach, scree_touch *t);
scree_contact scree_narrow_ahead(const scree_broad *broad,
                                 const scree_scene *scene, int64_t k,
                                 double time, const scree_touch *t,
                                 scree_arms *arms);
/* The first of n contacts in the order of pairs that is of pair k or of one after it. */
int64_t scree_narrow_first_of(const scree_contact *list, int64_t n, int64_t k);
int scree_narrow_measure(const scree_broad *broad, const scree_scene *scene,
                         int64_t k, scree_contact *c, scree_arms *arms);

#endif
