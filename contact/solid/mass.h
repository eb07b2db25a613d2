/* mass.h: volume, centre of mass and inertia of solids of unit density.
 *
 * All are exact to rounding but that of clumps (see there). Bodies of another
 * density multiply volume and inertia by it. */
#ifndef SCREE_CONTACT_MASS_H
#define SCREE_CONTACT_MASS_H

#include "contact/solid/solid.h"
#include "contact/surface/triangles.h"

/* The inertia tensor is about the centre of mass, along the axes in which the
 * solid was given; xy, xz, yz are its components, e.g. xy = -int x y dV. In the
 * plane volume is area [m^2], inertia the second moments of area [m^4]: zz is
 * what a planar body turns with, xx and yy are those of the lamina (the
 * thickness does not count), so that the tensor can be inverted. */
typedef struct scree_mass {
    double volume;                 /* [m^3] */
    scree_vec3 centre;             /* [m] */
    double xx, yy, zz, xy, xz, yz; /* [m^5] */
} scree_mass;

scree_mass scree_mass_sphere(double radius);
/* Along z; `half` without the caps. */
scree_mass scree_mass_capsule(double radius, double half);
/* Along z; a cylinder of radius `disc`, half length `half`, grown by `radius`.
 */
scree_mass scree_mass_cylinder(double disc, double half, double radius);
/* A convex polyhedron grown by `radius` >= 0. */
scree_mass scree_mass_hull(const scree_hull *hull, double radius);
/* What a closed surface encloses; volume < 0 if it is turned inside out. */
scree_mass scree_mass_triangles(const scree_triangles *triangles);
/* A convex polygon grown by `radius` >= 0. */
scree_mass scree_mass_polygon(const scree_hull *polygon, double radius);

/* Any solid; a point grown by r is a ball. */
scree_mass scree_mass_solid(const scree_solid *solid);

/* Pairs of balls that overlap: what a union of balls costs. */
int64_t scree_mass_clump_overlaps(const scree_ball *balls, int n);
enum { SCREE_MOST_OVERLAPS = 10000 };

/* The union of balls. Exact if none overlap; those that do are cut into slices,
 * each slice is integrated exactly, and the slices by a quadrature that refines
 * itself to a relative error of about 1e-10. Always the same bits. Takes
 * two or three seconds for as many overlaps as are allowed. */
scree_status scree_mass_clump(const scree_ball *balls, int n, scree_mass *mass,
                              scree_error *error);

#endif
