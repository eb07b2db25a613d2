/* snapshot.h: for tests of generators: a world with a material, and copies of
 * its bodies' places. */
#ifndef SCREE_TESTS_UNIT_SNAPSHOT_H
#define SCREE_TESTS_UNIT_SNAPSHOT_H

#include "engine/generate/generate.h"

#define TOUCH 2e-9 /* relative overlap that counts as touching */

scree_world *world_with_material(void);
scree_world *world_of(const scree_world_def *def); /* the same */
void add_plane(scree_world *world, const double point[3],
               const double normal[3], double from);
void add_ball(scree_world *world, double x, double y, double z, double r);

typedef struct snapshot {
    int64_t n;
    double *x, *r; /* (n x 3), (n) */
} snapshot;

snapshot take(const scree_world *world);
void drop(snapshot *s);
bool same_bodies(const snapshot *a, const snapshot *b);

double distance(const double *a, const double *b);
/* Brute force over all pairs with at least one body from `first` on. */
void assert_no_overlap(const snapshot *s, int64_t first);

/* ---- definitions --------------------------------------------------------- */

scree_radius_law constant(double r);
scree_radius_law uniform(double min, double max);
scree_region slanted_cylinder(void);
/* Ball k is wholly in it; returns how far along its axis. */
double assert_in_slanted_cylinder(const snapshot *s, int64_t k);

#endif
