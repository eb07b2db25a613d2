/* servo.h: walls that forces drive.
 *
 * Such a wall is a body of one degree of freedom, its way s along a direction d (or its angle
 * about an axis), with
 *
 *     m dv = (F - c v) dt - d . dP,        ds = v dt,
 *
 * dP being the percussions of bodies on it. It is one of the bodies of the inclusion problem:
 * contacts with it have it in the place of the static body. So the percussions of a step are
 * those that hold the wall and the bodies at once; a wall at rest on bodies at rest bears F to
 * the tolerance of the solver, at once and without an error that a controller would have to
 * work off.
 *
 * Why not a controller, which sets the velocity of a step from the force of the last one, as
 * codes with springs in their contacts do: where contacts are hard a packing has no stiffness.
 * Against a wall that is told to move into it the force is infinite, the problem has no
 * solution, and on one that is told to move out it is zero; a gain cannot be small enough.
 * With the wall in the problem there is nothing to tune, and F is there in the first step in
 * which all is closed.
 *
 * How it enters. A body of the problem has six degrees of freedom, a wall has one. A tensor of
 * rank one, I^-1 = e e^T / J, is a body that turns about e alone: that is a torque on a wall
 * with the axis e through o, the arm of a contact at x being x - o, and 1/m = 0. A way along d
 * is a turn about an axis that is far away: of length L across d, the same for all contacts,
 *
 *     e = p x d,   arm = L p,   J = m L^2,      (e x L p) w = d L w = d v.
 *
 * Exactly so: the arm does not turn. L = 2^30 m, whose powers do not round, makes the spin
 * w = v / L, which rolling and drilling would feel, less than rounding. In the plane e is z.
 * So nothing in the solvers knows of walls, and all that is true of general contacts is true
 * of these, but that coarse corrections, which know bodies by their masses, are left out. A
 * wall with many contacts has more than there are colours: the last ones of them are worked on
 * one by one (solvers/problem/colours.h). Each rank has a copy, shared like that of a boulder
 * (solvers/ranks/coupling.h), the first rank owns it. In a reproducible world its contacts
 * follow each other over all ranks, with a message for each: that is slow.
 *
 * Damping is implicit, (m + c dt) v_E = m v_B + F dt - d . P: whatever the step it does not
 * swing, and with c = |F| / speed the wall comes to `speed` when nothing is in its way, by its
 * own never beyond it, and bears F when it stands, F (1 + v / speed) when bodies push it back
 * at v. Mass: the wall comes to its speed in m / c,
 * and what it hits feels up to m v / dt for a step. m = |F| dt / speed is one step, and no
 * more than |F|. Of 343 spheres (friction 0.3, d = 8 to 10 mm) in a box of six walls under
 * 10 kPa, speed 0.1 m/s, from a lattice to 0.3 s in 3 000 steps, with m in units of that:
 *
 *     m                                   0.1      1     10    100
 *     mean over the last 0.1 s - 10 kPa  0.0003 % 0.001 %  0.02 %  0.005 %   (the worst wall)
 *     largest in one step                 0.07 %   0.2 %    2 %     3 %
 *     steps that did not converge            0       0      44       7
 *
 * Reach. Walls go no faster in a step than max(|v_B|, |v_free|), which detection takes for
 * their speed; a wall that went farther than pairs were listed for, by bodies that push it,
 * has them listed anew (scree_servo_is_late).
 *
 * Energy: percussions on the wall do work against bodies at the mean of its velocities
 * before and after, which is booked as wall_work like that of any wall that moves. The energy
 * that the wall itself has is no part of the world's.
 *
 * Beside it a wall may move by prescription across d. From `until` on it has no degree of
 * freedom any more and goes on at the velocity `then`. */
#ifndef SCREE_WORLD_SERVO_H
#define SCREE_WORLD_SERVO_H

#include "contact/narrow/contact.h"
#include "engine/base/error.h"
#include "engine/scree.h"

/* Of a wall: what its definition says, and where it is. */
typedef struct scree_drive {
    int slot;                   /* among driven walls; -1: nothing drives it */
    scree_vec3 direction, axis; /* d, e */
    scree_vec3 arm;             /* L p, of a way [m] */
    scree_vec3 origin;          /* o, of a torque [m] */
    bool turns;                 /* a torque drives it */
    double s, v;                /* [m], [m/s]; [rad], [rad/s] */
    double v_b;                 /* v at the beginning of the step */
    double bound;               /* of |v| in the step */
    double
        listed; /* s when pairs were listed, and how far it may go from there */
    double allowed;
} scree_drive;

/* Refuses what the world cannot have; `normal`: of a plane, or NULL. */
scree_status scree_servo_check(const scree_world *world,
                               const scree_servo *servo,
                               const scree_motion *motion, const double *normal,
                               scree_error *error);
/* From the definition, which is checked. Without a slot. */
scree_drive scree_drive_of(const scree_servo *servo, const double *normal,
                           bool planar);
/* Arm of a contact at x, and what the drive adds to the velocity of the wall's point x. */
scree_vec3 scree_drive_arm(const scree_drive *drive, scree_vec3 x);
scree_vec3 scree_drive_velocity(const scree_drive *drive, scree_vec3 x);

/* ---- the walls of a world ------------------------------------------------------- */

/* Before a step: refuses what spans no area, then writes. */
scree_status scree_servo_begin(scree_world *world);

/* Force, mass and damping now: 0 when the wall is not free. */
typedef struct scree_servo_law {
    double F, m, c; /* [N], [kg], [N s/m] */
    bool is_free;
} scree_servo_law;
scree_servo_law scree_servo_now(const scree_world *world, int wall);
/* Of a pressure, now [m^2]. */
double scree_servo_area(const scree_world *world, int wall);

/* Velocities of walls to the bodies of the problem, behind the bodies that there are,
 * and back. */
void scree_servo_write(scree_world *world);
void scree_servo_read(scree_world *world);
/* Their inverse inertia, likewise. */
void scree_servo_inertia(scree_world *world, scree_sym3 *inv_I);
/* What drives them acts for dt, and damping. */
void scree_servo_kick(scree_world *world, double dt);
void scree_servo_move(scree_world *world, double dt);
/* From velocities of displacement of the problem's bodies. */
void scree_servo_displace(scree_world *world, const scree_twist *w, double dt);
/* How fast they may be in this step. */
void scree_servo_bound(scree_world *world);
/* Did one go farther than pairs were listed for? And: they are listed. */
bool scree_servo_is_late(const scree_world *world, double dt);
void scree_servo_list(scree_world *world, double dt);

#endif
