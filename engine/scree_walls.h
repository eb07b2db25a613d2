/* scree_walls.h: walls of a world: what they are, how they move, and what drives them. */
#ifndef SCREE_WALLS_H
#define SCREE_WALLS_H

#include "scree_base.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Prescribed motion: x(t) = o + R(t) (x0 - o) + v t + A sin(2 pi f t + phi)
 * - A sin(phi) + X(t) along, with R(t) the rotation by rate * t about `axis` through o,
 * and X(t) the way that a table says [m], straight from entry to entry and at rest
 * before the first and after the last. */
typedef struct scree_motion {
    double velocity[3];  /* v [m/s] */
    double amplitude[3]; /* A [m] */
    double frequency;    /* f [Hz] */
    double phase;        /* phi [rad] */
    double origin[3];    /* o [m] */
    double axis[3];      /* need not be of unit length */
    double rate;         /* [rad/s] */
    const double
        *table;      /* (n_table x 3) t, x(t), 0 in the order of time; copied */
    int n_table;     /* 0: no table; else at least 2 */
    double along[3]; /* need not be of unit length */
} scree_motion;

/* What drives a wall, in place of a prescribed motion (engine/walls/servo.h). */
typedef enum scree_servo_kind {
    SCREE_SERVO_NONE,
    SCREE_SERVO_FORCE,    /* [N] along `direction` */
    SCREE_SERVO_PRESSURE, /* [Pa] along `direction`, on the area of now */
    SCREE_SERVO_TORQUE    /* [N m] about `axis` through `origin` */
} scree_servo_kind;

/* A wall with a mass that is pressed against the bodies: it is a body of one degree of
 * freedom in the contact problem, and at rest bears the force exactly. Beside it motion
 * may move it across the direction. By moreau alone.
 *     area      of a pressure; in plane worlds a length
 *     across    or walls that face each other, one or two pairs of planes: the product
 *               of their distances is the area; -1: none
 *     mass      of a torque the inertia; 0: |F| dt / speed
 *     speed     that it comes to when nothing is in its way; 0: 1 m/s, of a torque any
 *     damping   force over speed; < 0: |F| / speed, of a torque without speed 0
 *     until     from then on it goes on with the velocity `then` */
typedef struct scree_servo {
    scree_servo_kind kind;
    double target;             /* [N], [Pa] or [N m] */
    double direction[3];       /* of any length; 0: the normal of a plane */
    double axis[3], origin[3]; /* of a torque [m] */
    double area;               /* [m^2] */
    int across[4];
    double mass;    /* [kg], [kg m^2] */
    double speed;   /* [m/s], [rad/s] */
    double damping; /* [N s/m], [N m s] */
    double until;   /* [s] */
    double then;    /* [m/s], [rad/s] */
} scree_servo;

/* No servo; what else is said is auto. */
scree_servo scree_servo_default(void);

/* A plane wall fills the half space behind it; `normal` points into the free
 * space. It exists for from <= t < until. */
typedef struct scree_plane_def {
    double point[3];
    double normal[3]; /* need not be of unit length */
    int material;
    scree_motion motion;
    scree_servo servo;
    double from, until; /* [s] */
    uint32_t cookie;
} scree_plane_def;

scree_plane_def scree_plane_def_default(void);
scree_status scree_world_add_plane(scree_world *world,
                                   const scree_plane_def *def, int *wall);

/* A surface of triangles as a wall: a drum, a hopper, a chute. Corners run
 * counter-clockwise seen from the free side; two_sided: a thin wall that is
 * touched from both sides. What it points to is copied. */
typedef struct scree_mesh_def {
    const double *vertices; /* (n_vertex x 3) [m] */
    int n_vertex;
    const int32_t *corners; /* (n_triangle x 3) */
    int n_triangle;
    bool two_sided;
    int material;
    scree_motion motion;
    scree_servo servo;
    double from, until; /* [s] */
    uint32_t cookie;
} scree_mesh_def;

scree_mesh_def scree_mesh_def_default(void);
scree_status scree_world_add_mesh(scree_world *world, const scree_mesh_def *def,
                                  int *wall);

/* Segments from point to point as a wall of a plane world, touched from both
 * sides: a hopper, a chute, a shelf. What it points to is copied. */
typedef struct scree_segments_def {
    const double *points; /* (n_point x 3) z is not looked at [m] */
    int n_point;
    bool closed;      /* the last point is joined to the first */
    double thickness; /* of all segments, rounded at corners and ends [m] */
    int material;
    scree_motion motion;
    scree_servo servo;
    double from, until; /* [s] */
    uint32_t cookie;
} scree_segments_def;

scree_segments_def scree_segments_def_default(void);
scree_status scree_world_add_segments(scree_world *world,
                                      const scree_segments_def *def, int *wall);

/* A surface of revolution, smooth and exact: the inside or outside of a cylinder or cone, a
 * silo with its hopper, a cup. A profile of points (r, z) is turned about the axis through
 * `point`; free space is on the left of the profile as it runs, so that one of a cylinder
 * that runs upwards is its inside. Behind it all is solid. Space only. What it points to
 * is copied. */
typedef struct scree_revolved_def {
    double point[3];       /* of the axis, where z = 0 [m] */
    double axis[3];        /* need not be of unit length */
    const double *profile; /* (n_point x 2) r >= 0, z along the axis [m] */
    int n_point;           /* at least 2 */
    bool
        endless; /* of two points: the cylinder or cone through them has no ends */
    int material;
    scree_motion motion;
    scree_servo servo;
    double from, until; /* [s] */
    uint32_t cookie;
} scree_revolved_def;

scree_revolved_def scree_revolved_def_default(void);
scree_status scree_world_add_revolved(scree_world *world,
                                      const scree_revolved_def *def, int *wall);

/* Terrain: heights on a grid, solid below. */
typedef struct scree_terrain_def {
    int nx, ny;            /* points of the grid, at least 2 each */
    double x0, y0, cell;   /* [m] */
    const double *heights; /* (ny x nx), x first; copied [m] */
    int material;
    uint32_t cookie;
} scree_terrain_def;

scree_terrain_def scree_terrain_def_default(void);
scree_status scree_world_add_terrain(scree_world *world,
                                     const scree_terrain_def *def, int *wall);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
