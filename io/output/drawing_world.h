/* drawing_world.h: a world as polygons, to be looked at.
 *
 * Bodies that are not spheres have their surfaces (in the plane discs too),
 * clumps those of their balls; meshes and terrain have theirs. Spheres are left
 * to glyphs on points with a radius unless asked for. */
#ifndef SCREE_IO_DRAWING_WORLD_H
#define SCREE_IO_DRAWING_WORLD_H

#include "contact/solid/surface.h"
#include "engine/world/view.h"
#include "io/output/drawing.h"

/* Surfaces of the shapes, made once. */
typedef struct scree_shape_surfaces {
    scree_surface round;  /* unit ball; in the plane unit disc */
    scree_surface *forms; /* (n_form) by shape; empty for clumps */
    int n_form;
    int64_t form_room;
    bool spheres; /* are drawn, too */
} scree_shape_surfaces;

scree_status scree_shape_surfaces_open(scree_shape_surfaces *shapes,
                                       const scree_world *world,
                                       scree_error *error);
void scree_shape_surfaces_free(scree_shape_surfaces *shapes);

/* Adds polygons to the drawing, labelled with the id of their body or the
 * number of their wall. Of a world on several ranks each rank draws the bodies
 * of its block of ids, and rank 0 the walls; collective. Fails only for want of
 * memory. */
scree_status scree_draw_bodies(scree_shape_surfaces *shapes,
                               scree_drawing *drawing,
                               const scree_world *world);
scree_status scree_draw_walls(scree_drawing *drawing, const scree_world *world);

/* Point and normal of the plane walls that are there now, no more than all walls;
 * returns how many. */
int scree_list_planes(const scree_world *world, double (*rows)[6]);

/* Adds the part of each plane that lies on the free side of all others, in the
 * box around all bodies and all that is drawn so far, grown by a twentieth:
 * planes have no end, and pictures need one. Seen from the free side the
 * polygons run counter-clockwise. Not for plane worlds. */
scree_status scree_draw_planes(scree_drawing *drawing,
                               const scree_world *world);

#endif
