/* revolved.h: a wall that is a surface of revolution: the inside or outside of a
 * cylinder or a cone, a silo with its hopper, a cup, a post.
 *
 * A profile of points (r, z), r >= 0, is turned about the axis z of the wall's own
 * frame. Free space is on the left of the profile as it runs: upwards it is the inside of
 * a cylinder, downwards the outside; from the axis outwards it is a floor. Each side of
 * the profile is a strip: a part of a cone, a cylinder or a flat disc. With the unit
 * normal n = (n_r, n_z) of a strip, the distance of a point x in front of it is
 *
 *     s(x) = n_r rho(x) + n_z z(x) - d,      rho = sqrt(x^2 + y^2).
 *
 * A strip with n_r < 0 is concave round the axis: s is a concave function of x, so a
 * convex body is nearest with extreme points of its core, and the wall is the common part
 * of the half spaces that touch it. One with n_r > 0 is convex: the nearest of its tangent
 * planes is found by the azimuth at which it lies farthest from the body.
 *
 * Two strips meet in a valley, which is never touched, its strips are, or in a ridge: a
 * circle that is touched by normals between the two. A free end is a rim: a circle that is
 * touched from all sides but that of its strip. So nothing is felt where a cylinder goes
 * over into a cone. Behind the profile all is solid, as deep as the bodies are.
 *
 * Cost: spheres some ten operations a strip; other bodies one for each extreme point,
 * and near ridges and rims some 50 distances of a point from the body. */
#ifndef SCREE_CONTACT_REVOLVED_H
#define SCREE_CONTACT_REVOLVED_H

#include "contact/broad/bvh.h"
#include "contact/solid/solid.h"
#include "contact/surface/triangle.h"
#include "engine/base/error.h"

/* What a point of the profile is to bodies. */
typedef enum scree_turn_joint {
    SCREE_JOINT_VALLEY, /* or no feature: never touched */
    SCREE_JOINT_RIDGE,
    SCREE_JOINT_RIM
} scree_turn_joint;

typedef struct scree_strip {
    double t_r, t_z; /* unit, along the profile */
    double n_r, n_z; /* unit, into the free space */
    double d;        /* s = n . (r, z) - d [m] */
    double length;   /* [m] */
} scree_strip;

typedef struct scree_revolved {
    int n_point;             /* 2 .. SCREE_PROFILE_MOST */
    double *r, *z;           /* (n_point) [m] */
    scree_turn_joint *joint; /* (n_point) */
    scree_strip *strip;      /* (n_point - 1) */
    bool endless; /* the ends of the profile stand for strips without end */
} scree_revolved;

enum { SCREE_PROFILE_MOST = 1000 };

/* points: (n x 2) r, z [m]. Refuses, naming the point: less than 2 or too many, one that
 * is not finite or has r < 0, neighbours at the same place, a side along the axis.
 * endless: the first and the last side have no ends; of a cylinder or cone alone. */
scree_status scree_revolved_make(scree_revolved *wall, const double *points,
                                 int n, bool endless, scree_error *error);
void scree_revolved_free(scree_revolved *wall);

/* Touches of a solid in the wall's own frame, as of a scree_wall_find. */
int scree_revolved_touch(const scree_revolved *wall, const scree_placed *a,
                         double reach, scree_touch *touches);

/* Does a ball that moves by d hit the wall? */
bool scree_revolved_sweep(const scree_revolved *wall, scree_ball ball,
                          scree_vec3 d, scree_hit *hit);

/* Unit vector away from the axis at x; x on the axis has one too. */
static inline scree_vec3 scree_away_from_axis(scree_vec3 x) {
    const double rho = sqrt(x.x * x.x + x.y * x.y);
    return rho > 0 ? vec(x.x / rho, x.y / rho, 0) : vec(1, 0, 0);
}

/* The normal of a strip where the axis is left in direction e. */
static inline scree_vec3 scree_strip_normal(const scree_strip *s,
                                            scree_vec3 e) {
    return vec(s->n_r * e.x, s->n_r * e.y, s->n_z);
}

/* Is a point at t along strip k over it? Over a valley it may have sunk a little into
 * the other side: up to `sunk`. */
bool scree_strip_spans(const scree_revolved *wall, int k, double t,
                       double sunk);

/* In its own frame; as large as may be if it is endless. */
scree_box scree_revolved_box(const scree_revolved *wall);

#endif
