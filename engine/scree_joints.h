/* scree_joints.h: what holds bodies together: joints, rods, springs, cables, with the
 * ground or between two bodies. Each is a law of the inclusion problem like a contact.
 *
 *     ball     a point of a stays at a point of b
 *     hinge    and one axis is common: a turns about it
 *     slider   a moves along an axis of b, and does not turn
 *     fixed    a moves with b
 *     rod      two points stay at a distance
 *     spring   between two points, with a damper and a preload
 *     cable    pulls where two points are further apart than its length; inextensible, or
 *              as a spring; may slip out of a brake at a constant force, and break
 *
 * Steppers: moreau and rattle. What a joint does over a step is a percussion on a, and
 * the opposite on b; divided by the step it is the force. */
#ifndef SCREE_JOINTS_H
#define SCREE_JOINTS_H

#include "scree.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef enum scree_joint_kind {
    SCREE_JOINT_BALL,
    SCREE_JOINT_HINGE,
    SCREE_JOINT_SLIDER,
    SCREE_JOINT_FIXED,
    SCREE_JOINT_ROD,
    SCREE_JOINT_SPRING,
    SCREE_JOINT_CABLE,
    SCREE_JOINT_KINDS
} scree_joint_kind;

/* "ball", ...; NULL past the end. */
const char *scree_joint_kind_name(int kind);

/* In place of a body: a point that does not move. */
enum { SCREE_GROUND = -1 };

typedef struct scree_joint_def {
    scree_joint_kind kind;
    int64_t a, b; /* ids; b may be SCREE_GROUND */
    /* As the bodies are now, in space [m]. Ball, hinge, slider and fixed have point_a
     * alone; of others it is the end on a, and point_b that on b. */
    double point_a[3], point_b[3];
    double axis[3]; /* hinge, slider; need not be of unit length */
    /* rod, spring, cable: its length [m]; < 0: the distance of its points */
    double length;
    double stiffness; /* spring; cable, 0: inextensible [N/m] */
    double damping;   /* the same [N s/m] */
    double
        prestress; /* spring: a force that holds it at its length until a load
                         passes it [N] */
    double
        friction; /* hinge [N m], slider [N]: that dry friction bears at most */
    bool motor;   /* hinge, slider: has one, in place of friction, that wants */
    double speed; /* this speed of a over b [rad/s], [m/s] */
    double strength; /* and bears so much at most [N m], [N] */
    bool limited; /* hinge, slider: has limits, counted from where it is now */
    double limits[2]; /* from, to [rad], whole turns count; [m] */
    double
        restitution; /* of limits, and of an inextensible cable that comes tight */
    double slips_at;  /* cable: force of its brake; 0: none [N] */
    double breaks_at; /* force that it bears at most; 0: any [N] */
    bool collide;     /* its bodies touch each other; else they pass */
    int group;        /* for those who sum: a net has one of its own; 0: none */
    uint32_t cookie;
} scree_joint_def;

scree_joint_def scree_joint_def_default(void);
/* Joints count from 0 and never change their number, broken or not. */
scree_status scree_world_add_joint(scree_world *world,
                                   const scree_joint_def *def, int64_t *joint);

/* A joint after the last step. */
typedef struct scree_joint_view {
    scree_joint_kind kind;
    int64_t a, b; /* ids; SCREE_GROUND */
    int group;
    bool broken;
    double point_a[3], point_b[3]; /* its ends now [m] */
    double percussion[3];          /* on a, at point_a [N s] */
    double moment_percussion[3];   /* on a [N m s] */
    double force;                  /* |percussion| / dt of the last step [N] */
    double position;   /* hinge: angle [rad]; slider: way; else distance [m] */
    double drift;      /* how far it is from what it holds [m], angles times the
                         radius of a */
    double length;     /* at rest, with what slipped [m] */
    double stored;     /* in a spring now [J] */
    double dissipated; /* by it so far [J] */
    double work;       /* of its motor so far [J] */
    double most_force; /* so far [N] */
    double most_distance; /* of its points so far [m] */
} scree_joint_view;

int64_t scree_world_joint_count(const scree_world *world);
scree_status scree_world_read_joint(const scree_world *world, int64_t joint,
                                    scree_joint_view *view);

/* ---- nets ------------------------------------------------------------------- */

/* A cable of a net. */
typedef struct scree_strand {
    double stiffness; /* [N/m]; 0: inextensible */
    double damping;   /* [N s/m] */
    double breaks_at; /* [N]; 0: never */
} scree_strand;

/* Nodes that are held by the ground. */
typedef enum scree_anchors {
    SCREE_ANCHOR_CORNERS,
    SCREE_ANCHOR_SIDES, /* of the first and last column */
    SCREE_ANCHOR_EDGES,
    SCREE_ANCHOR_NONE,
    SCREE_ANCHOR_PLACES
} scree_anchors;

/* Small spheres at the corners of cells, joined by cables; without rows a chain. Give its
 * nodes no restitution: what stiff cables pull against a body hits it in each step, after
 * the pull of the whole step, and each hit errs by force times its change of velocity
 * times dt / 2; the balance of energy says by how much (scheme_error). Its
 * anchors are cables to the ground, away from the middle, which slip at the force of a
 * brake; or, without a length, hold the nodes where they are. */
typedef struct scree_net_def {
    double corner[3];           /* of the net [m] */
    double along[3], across[3]; /* its sides [m] */
    int columns, rows;          /* cells along and across */
    double radius;              /* of nodes [m] */
    int material;
    double slack; /* length of cables over the distance of their nodes */
    scree_strand mesh, rope; /* rope: of its border, */
    bool roped;              /* if it has one */
    scree_anchors anchors;
    double anchor_length; /* [m] */
    double brake;         /* [N]; 0: none */
    scree_strand anchor;
    int group; /* of its joints */
    uint32_t cookie;
} scree_net_def;

scree_net_def scree_net_def_default(void);
/* Bodies and joints of the net follow each other from the first ones on. */
scree_status scree_world_add_net(scree_world *world, const scree_net_def *def,
                                 int64_t *first_body, int64_t *first_joint);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
