/* touch.h: touches of a listed pair, whatever its bodies and walls are. */
#ifndef SCREE_CONTACT_TOUCH_H
#define SCREE_CONTACT_TOUCH_H

#include "contact/narrow/contact.h"
#include "contact/narrow/pair.h"

/* Writes the touches of a solid with a wall, as a scree_pair_find does those of two
 * solids. Surfaces are touched in their own frame. */
typedef int scree_wall_find(const scree_placed *a, const scree_plane *wall,
                            double reach, scree_touch *touches);

#define SCREE_WALL_PAIR(core, wall, routine) scree_wall_find scree_##routine;
#include "contact/pairs.def"

/* NULL: the two never meet. */
scree_wall_find *scree_wall_routine(scree_core core, scree_ground kind);

/* The touches of a solid with a wall, whatever it is. */
int scree_solid_wall(const scree_placed *a, const scree_plane *wall,
                     double reach, scree_touch *touches);

/* Touches of the pair with g <= reach, at most SCREE_TOUCHES; returns their
 * number. In a cell those of two bodies are seen from the centre of b, else from the
 * origin: scree_pair_arms makes arms of their points. Keys name the features of both, balls of clumps among them. `apart` is
 * as in scree_solids_touch_again. */
int scree_pair_touch(const scree_scene *scene, const scree_pair *pair,
                     double reach, scree_separation *apart,
                     scree_touch *touches);

/* A place or velocity of a as touches with a wall are seen: in a cell those with planes have
 * nothing along its edges. */
scree_vec3 scree_pair_frame(const scree_scene *scene, const scree_pair *pair,
                            scree_vec3 x);

/* Arms from the two bodies to a touch's point x. */
void scree_pair_arms(const scree_scene *scene, const scree_pair *pair,
                     scree_vec3 x, scree_arms *arms);

/* A body that moves or turns far in a step may take its features through a wall
 * before any of them is seen there, and features that are deep in a rough surface may
 * be lost. Inside a convex body is a ball about its centre that no rotation moves; a
 * clump may have nothing there, but has its largest ball, where that is. Adds to the
 * n touches of a fast body those of this ball with the wall on its way, and, of a
 * convex one, near it; if no touch of a convex body overlaps, or one deeply, those of
 * its ball that do. Returns the number of all. Pairs of bodies are left alone. */
int scree_pair_guard(const scree_scene *scene, const scree_pair *pair,
                     double reach, scree_touch *touches, int n);

/* Do two convex bodies pass through each other within dt, by the scene's velocities,
 * while their features, which may turn round, are apart before and after? Writes the
 * touch of the balls inside them then, which no rotation moves. */
bool scree_pair_passes(const scree_scene *scene, const scree_pair *pair,
                       scree_touch *touch);

/* A body that would move by d in its place in the scene, without turning: the share
 * of the way after which it is in touch with the wall and well in front of it
 * still, with a part of each inner ball; 1: all of it, or the body is slow. d is seen
 * from the wall. */
double scree_pair_way(const scree_scene *scene, const scree_pair *pair,
                      scree_vec3 d);

/* The same, but a body that is in front at first stops where it touches, and does so
 * if it would sink in, however little. */
double scree_pair_way_to_touch(const scree_scene *scene, const scree_pair *pair,
                               scree_vec3 d);

/* Of the largest ball inside the body; of a clump its least one. */
double scree_body_inner_radius(const scree_scene *scene, int32_t body);

/* A body that moves this far is looked after in such a way. */
bool scree_body_is_fast(const scree_scene *scene, int32_t body, double way);

/* Does a ball come within reach of the wall's surface? */
bool scree_wall_near(const scree_plane *wall, const scree_ball *ball,
                     double reach);

#endif
