/* audit_parts.h: between the files of the audit (engine/audit/audit.h). */
#ifndef SCREE_AUDIT_PARTS_H
#define SCREE_AUDIT_PARTS_H

#include "engine/audit/audit.h"
#include "engine/base/comm.h"
#include "engine/world/world.h"

/* How many there are, and the worst of them: one body, or two. */
typedef struct scree_worst {
    int64_t n, deep;  /* all, and those that make an error */
    double worst;     /* share by which they are compared [-] */
    double figure[2]; /* of the worst one, for its sentence */
    int64_t a, b;     /* ids of the worst one; b < 0: none */
} scree_worst;

/* One more. Of equal ones the least ids count as the worst. */
void scree_worst_add(scree_worst *worst, const scree_worst *one);
/* Collective: that of all ranks. */
scree_status scree_worst_join(const scree_comm *comm, scree_worst *worst);

/* What the audit is told, and what all its parts ask for. */
typedef struct scree_auditor {
    const scree_world *world;
    const scree_audit_scene *scene;
    const scree_comm *comm;
    scree_audit *audit;
} scree_auditor;

/* Radius of the largest ball about its centre that lies in body i; of a clump that
 * of its smallest ball. */
double scree_audit_inner(const scree_world *world, const scree_ball *x,
                         int32_t form);
/* Its name in quotes, or its number. */
typedef struct scree_wall_label {
    char text[120];
} scree_wall_label;
scree_wall_label scree_audit_wall(const scree_auditor *by, int wall);
/* Does the wall exist at any time of the run? */
bool scree_audit_wall_counts(const scree_auditor *by, int wall);

/* The parts. Collective. */
scree_status scree_audit_overlaps(const scree_auditor *by);
scree_status scree_audit_walls(const scree_auditor *by);
scree_status scree_audit_meshes(const scree_auditor *by);
void scree_audit_pours(const scree_auditor *by);

/* Space cut into slabs across one axis, one for each rank, by bins of equal width. */
enum { SCREE_SLAB_BINS = 4096 };
typedef struct scree_slabs {
    int axis, rank;
    double lo, scale;               /* bin of x: (x - lo) scale */
    int32_t owner[SCREE_SLAB_BINS]; /* rank of a bin; rises */
} scree_slabs;
/* In whose slab is the point? */
int scree_slabs_rank(const scree_slabs *slabs, scree_vec3 x);

/* Copies of the bodies, at rest: of this rank's, or on several ranks of those whose
 * balls reach into its slab. `owner` is the rank in whose slab the centre is. To be
 * freed, if it fails as well. Collective. */
scree_status scree_audit_spread(const scree_auditor *by, scree_bodies *bodies,
                                scree_slabs *slabs);

/* A box that grows. */
typedef struct scree_extent {
    double lo[3], hi[3];
} scree_extent;
static inline scree_extent scree_extent_none(void) {
    return (scree_extent){{INFINITY, INFINITY, INFINITY},
                          {-INFINITY, -INFINITY, -INFINITY}};
}
void scree_extent_add(scree_extent *extent, scree_vec3 x, double r);
/* Collective. */
void scree_extent_join(const scree_comm *comm, scree_extent *extent);
/* Of the box around a surface, where it is now. */
scree_extent scree_audit_surface(const scree_plane *plane);

#endif
