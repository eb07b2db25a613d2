/* narrow_parts.h: what the files of the narrow phase share. */
#ifndef SCREE_CONTACT_NARROW_PARTS_H
#define SCREE_CONTACT_NARROW_PARTS_H

#include "contact/narrow/core.h"
#include "contact/narrow/narrow.h"
#include "contact/narrow/pair.h"

/* Parts of keys: of contacts half way, and of those found again between the same
 * features, once or twice (narrow_ahead.c). Few bodies have so many features that they
 * are part of others. */
enum { SCREE_KEY_HALF_WAY = 0x20000000, SCREE_KEY_ANEW = 0x08000000 };
enum {
    SCREE_KEY_AHEAD = SCREE_KEY_HALF_WAY | SCREE_KEY_ANEW | 2 * SCREE_KEY_ANEW
};

static inline bool scree_narrow_is_sphere(const scree_scene *scene,
                                          int32_t body) {
    return !scene->general || scene->form[body] < 0;
}

static inline scree_velocity scree_narrow_velocity(const scree_scene *scene,
                                                   int32_t body, bool also) {
    const scree_twist *u = &scene->u[body];
    return also ? scene->also[body] : (scree_velocity){u->v, u->w};
}

double scree_narrow_wall_speed(const scree_plane *wall, scree_vec3 x);
bool scree_narrow_is_round(const scree_scene *scene, const scree_pair *p);
bool scree_narrow_any_surface(const scree_scene *scene);
scree_status scree_narrow_pose(scree_scene *scene, scree_contacts *contacts);
double scree_narrow_reach(const scree_scene *scene, const scree_pair *p,
                          bool loaded);
double scree_narrow_opening(const scree_scene *scene, const scree_pair *p,
                            const scree_contact *c, const scree_arms *arms,
                            bool also);
bool scree_narrow_turns(const scree_scene *scene, const scree_pair *p);
int scree_narrow_touches_ahead(const scree_scene *scene, const scree_pair *p,
                               double time, double reach, scree_touch *t);
scree_contact scree_narrow_ahead(const scree_broad *broad,
                                 const scree_scene *scene, int64_t k,
                                 double time, const scree_touch *t,
                                 scree_arms *arms);
scree_contact scree_narrow_contact_of(const scree_broad *broad, int64_t k,
                                      const scree_touch *t);
/* The place of a contact with this key among n, or n. */
int scree_narrow_place_of(const scree_contact *c, int n, uint32_t key);
int scree_narrow_measure_ahead(const scree_broad *broad,
                               const scree_scene *scene, int64_t k, double time,
                               scree_contact *c, scree_arms *arms, int n);
int scree_narrow_keep_ahead(const scree_scene *scene, int64_t k,
                            scree_contact *c, scree_arms *arms, int n);
/* The first of n contacts in the order of pairs that is of pair k or of one after it. */
int64_t scree_narrow_first_of(const scree_contact *list, int64_t n, int64_t k);
int scree_narrow_measure(const scree_broad *broad, const scree_scene *scene,
                         int64_t k, scree_contact *c, scree_arms *arms);

#endif
