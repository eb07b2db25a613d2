/* joints.h: the joints of a world (engine/scree_joints.h), and how they enter a step.
 *
 * A joint is one row of the inclusion problem, or two: bars of force and moment
 * (solvers/law/joint.h) that hold it, with the dry friction or motor of its axis; and a
 * row of their own for its limits, or the preload of a spring. The rows follow those of
 * the contacts, in the order of joints. An inextensible cable between centres that never
 * breaks is a row like a contact without friction, with n turned round: it pulls.
 *
 *     look.c     where a joint is: arms, bars, gaps
 *     rows.c     the bars' laws: moreau, and the two stages of rattle
 *     enter.c    rows into the problem, percussions out of it
 *     stages.c   the two stages of rattle
 *     books.c    work, brakes, breaking
 *     joints.c   making and reading; state.c saving
 *
 * Gaps. With gap control moreau asks a bar that holds for
 *     d . W^T u_E + g / dt = 0,
 * so that the gap at the next midpoint is of second order in the step, and does not add
 * up: midpoints follow q_M' = q_M + dt u_E, and the scheme is SHAKE, linearised. Mean
 * velocities are perpendicular to the bar then but for third order, and it does no work.
 * RATTLE solves for g(q_{n+1}) = 0 in its rounds. Springs are implicit with moreau, by
 * the mean of three midpoints,
 *     P = -dt k (x_M + dt (gamma_E - gamma_B) / 4) - dt d (gamma_B + gamma_E) / 2,
 * stable for all k and d, and without loss if d = 0 (Newmark's beta = 1/4). */
#ifndef SCREE_JOINTS_JOINTS_H
#define SCREE_JOINTS_JOINTS_H

#include "engine/base/archive.h"
#include "engine/joints/list.h"
#include "engine/scree_joints.h"
#include "engine/world/world.h"
#include "solvers/law/joint.h"
#include "solvers/problem/colours.h"
#include "solvers/ranks/ordered.h"

/* What a bar is for. */
typedef enum scree_bar_role {
    SCREE_BAR_HOLDS,   /* g = 0 */
    SCREE_BAR_DRIVES,  /* dry friction, motor */
    SCREE_BAR_STOPS,   /* g >= 0: limits, inextensible cables */
    SCREE_BAR_SPRINGS, /* by its stretch g; a cable: only if g < 0 */
    SCREE_BAR_LOADS    /* preload of a spring */
} scree_bar_role;

/* Where a joint is, for one of its rows. Signs: gaps of cables are length less
 * distance, and their bar goes from a to b: it pulls. */
typedef struct scree_joint_look {
    int32_t a, b; /* places; the static body */
    scree_vec3 r_a, r_b;
    int n;
    struct scree_looked_bar {
        scree_bar_role role;
        bool turns;
        scree_vec3 d;
        double gap;
    } bar[SCREE_BARS];
    scree_vec3 at_a, at_b; /* points in space */
    double position;       /* of its axis, or distance */
} scree_joint_look;

static inline int64_t scree_joints_rows(const scree_world *world) {
    return world->joints.n_row;
}

/* Poses of the two bodies: those of now, or in a step of rattle where it began. */
void scree_joint_look_at(const scree_world *world, const scree_joint *j,
                         int row, bool at_begin, scree_joint_look *look);
/* Velocities of the row: of force at its arms, and of turning. */
void scree_look_velocity(const scree_joint_look *look, scree_velocity a,
                         scree_velocity b, scree_vec3 *xi, scree_vec3 *omega);
scree_velocity scree_joint_velocity(const scree_world *world, int32_t i);

/* How a row begins: by which scheme. */
typedef enum scree_joint_stage {
    SCREE_STAGE_MOREAU,
    SCREE_STAGE_AFTER,    /* moreau: only what acts after what acted already */
    SCREE_STAGE_POSITION, /* rattle */
    SCREE_STAGE_VELOCITY,
    SCREE_STAGE_SHIFT /* displacements of positions: recovery.c */
} scree_joint_stage;

/* Laws of the bars of a row. */
void scree_joint_write_bars(const scree_world *world, const scree_joint *j,
                            int row, scree_joint_stage stage,
                            const scree_joint_look *look, scree_bars *bars);

/* Slower stops have no restitution [m/s]; gaps that count as none [m]. */
double scree_joint_rest_speed(const scree_world *world);
double scree_joint_closed(const scree_world *world);

/* ---- in a step -------------------------------------------------------------------- */

/* Finds the places of the bodies, and the rows. Before the problem is posed. */
scree_status scree_joints_begin(scree_world *world);
/* The spots and items of the rows, behind those of `n` contacts. */
void scree_joints_spots(const scree_world *world, scree_spot *spots);
void scree_joints_items(const scree_world *world, scree_item *items);
/* Colours of the rows, which joints keep: into the array, or out of it. */
void scree_joints_colours(scree_world *world, uint8_t *colours, bool read);
/* Is any joint's row general? */
bool scree_joints_turn_bodies(const scree_world *world);
/* Adds those that a body has, which is not alone then. */
void scree_joints_count(const scree_world *world, double *count);
/* Rows into their places. warm: starts from the percussions of the joints. */
void scree_joints_fill(scree_world *world, scree_joint_stage stage, bool warm);
/* After a solve: percussions to joints, or added to what they have. */
void scree_joints_keep(scree_world *world, bool add);
void scree_joints_scale(scree_world *world, double by);
/* Work of the percussions of the last solve, moreau. mean: velocities. */
void scree_joints_book(scree_world *world);
/* At the end of a step's solves: brakes slip, joints break, angles go on. Bodies still
 * move for the time `ahead`. */
void scree_joints_settle(scree_world *world, double ahead);

/* ---- rattle ------------------------------------------------------------------------ */

/* Do all joints hold at the positions of now, but for rounding? */
bool scree_joints_hold(const scree_world *world);
/* Percussions of stage 1 turned into the directions of now; then that of row i of the
 * problem taken off, in the order of its rows. */
void scree_joints_turn(scree_world *world);
void scree_joints_take_off(scree_problem *p, const scree_world *world,
                           int64_t i);
void scree_joints_book_stages(scree_world *world);
/* Work of a percussion p along a bar, by its velocities and gaps at both ends of a step. */
typedef struct scree_bar_ends {
    scree_bar_role role;
    double p, gamma[2], gap[2];
} scree_bar_ends;
void scree_joint_book(scree_world *world, scree_joint *j,
                      const scree_bar_ends *ends);

/* ---- outside of a step --------------------------------------------------------------- */

/* Do bodies of these ids pass each other for a joint's sake? */
bool scree_joints_part(const scree_joints *joints, int64_t a, int64_t b);
/* Before that is asked: do any? */
bool scree_joints_sort_passing(const scree_joints *joints);
scree_status scree_joints_append(scree_world *world, const scree_joint *joint);
/* How far it is from what it holds [m]. */
double scree_joint_missed(const scree_world *world, const scree_joint *j,
                          const scree_joint_look *look);
void scree_joints_archive(scree_world *world, scree_archive *archive);
/* The pair of a joint among those that pass. */
scree_status scree_joints_note(scree_joints *joints, const scree_joint *joint);
/* Marks the colours of all rows at their bodies; false: one is there twice. */
bool scree_joints_take_colours(const scree_world *world, uint64_t *used);
void scree_joints_free(scree_joints *joints);
/* Energy that a spring or cable holds at a length; all that they hold now [J]. */
double scree_joint_stored(const scree_joint *j, double distance);
double scree_joints_stored(const scree_world *world);
/* Joints of bodies that left are broken. */
void scree_joints_forget(scree_world *world);

#endif
