/* step.h: the operations of a step of a world, and what its files share.
 *
 *     move.c      positions and velocities, finite check
 *     detect.c    walls, Verlet list, contacts
 *     choose.c    how long is the step, if it may choose?
 *     parts.c     is it taken in parts?
 *     begin.c     the first half step of new bodies
 *     meet.c      two spheres that hit each other alone
 *     assemble.c  contacts to inclusion problem
 *     solve.c     its solution, round by round
 *     complete.c  contacts that the percussions close
 *     look.c      and how a reproducible world finds them
 *     ahead.c     contacts of bodies that turn, which stay over its rounds
 *     work.c      percussions to pairs, walls and books
 *     recovery.c  working off overlap
 *     stop.c      bodies that would pass a surface
 *     leave.c     bodies that leave
 * What contacts ask of it is in engine/laws; the two stages of RATTLE are in engine/rattle. */
#ifndef SCREE_STEP_STEP_H
#define SCREE_STEP_STEP_H

#include "engine/step/contact_rows.h"
#include "engine/world/inertia.h"
#include "engine/world/ranks.h"
#include "engine/world/world.h"

/* Operations of scree_system_ops, self is the world. */
void scree_world_move(void *self, double dt);
void scree_world_drift(void *self, double dt);

/* Moves body i by `way`, its velocity stays; what that costs or gains in the field of
 * gravity is booked as recovery_work. */
void scree_world_shift(scree_world *world, int32_t i, scree_vec3 way);

/* Before a move by dt, with the current velocities or those of the step's beginning: holds
 * back bodies that would pass a surface (stop.c). */
void scree_world_stop(scree_world *world, double dt, bool from_begin);

/* The part of a way of body i from x, over dt, that is too much for meshes, terrain
 * and segments; walls as scree_world_place_walls left them. */
scree_vec3 scree_world_too_far(const scree_world *world, int32_t i,
                               scree_vec3 x, scree_vec3 way, double dt);
/* Brings walls to now for that, and says how fast they are. */
void scree_world_place_walls(scree_world *world);

void scree_world_drag(scree_world *world);
void scree_world_kick(void *self, double dt);
scree_status scree_world_detect(void *self, double dt, bool foresee);
scree_status scree_world_assemble(void *self, scree_law_rule rule,
                                  const void *context);
scree_status scree_world_solve(void *self);
scree_status scree_world_complete(void *self, const scree_gap_control *control);
scree_status scree_world_account(void *self);
scree_status scree_world_begin(void *self, double dt);
scree_status scree_world_meet(void *self, double dt);
scree_status scree_world_part(void *self, double dt);
scree_status scree_world_recover(void *self, double velocity, double dt);
/* Of its largest, as the definition has it or means it [m/s]. */
double scree_world_recovery_velocity(const scree_world *world);
scree_status scree_world_position_stage(void *self, double dt);
scree_status scree_world_velocity_stage(void *self, double dt);

void scree_world_note_penetration(scree_world *world, double g);
/* Where the rows of a solve start. */
typedef enum scree_start {
    SCREE_START_COLD,
    SCREE_START_WARM,  /* from the percussions that contacts have */
    SCREE_START_AGAIN, /* the same; u_b: velocities that were solved before */
    SCREE_START_AFTER  /* cold, for what acts after those percussions */
} scree_start;

/* The contacts of the list that act, by the rule, as rows. */
scree_status scree_world_enter(scree_world *world, scree_law_rule rule,
                               const void *context, scree_start start);
/* After a solve: percussions to contacts, or added to what they have. */
void scree_world_keep_percussions(scree_world *world, bool add);
/* Bodies keep where they are now (engine/measure/flux.c). */
void scree_world_begin_paths(scree_world *world);
/* Books what contacts and walls took by the last solve, with the velocities u_b
 * before and u after it. */
scree_status scree_world_book(scree_world *world);
/* Books what was solved so far; the step goes on from the current velocities, u_b. */
scree_status scree_world_begin_turn(scree_world *world);
/* Kinetic energy of all bodies; `free`: with the velocities that the solve began
 * with, before or after gravity acted, whichever is more. */
double scree_world_kinetic(const scree_world *world, bool free);
/* Slower hits have no restitution [m/s]. */
double scree_world_restitution_speed(const scree_world *world);
/* What walls that move and attraction gave by the last solve, all ranks together [J]. */
double scree_world_given(const scree_world *world);
/* Starts the world's problem for up to n contacts. */
scree_status scree_world_pose(scree_world *world, int64_t n_contact);
/* Then gives the contacts of the list their places, before rows are filled in. */
scree_status scree_world_place_contacts(scree_world *world);
/* Solves it, books iterations and time, and hands it to the saver. */
scree_status scree_world_run_solver(scree_world *world, double tolerance);
/* The same in a round of complete.c, with a residual relative to no less than `scale`
 * [m/s]; `draft`: not as far as asked for, since another solve follows. */
scree_status scree_world_run_round(scree_world *world, double scale,
                                   bool draft);

/* Books the contacts of a step. */
void scree_world_count_contacts(scree_world *world);

/* Percussions of the contacts to the walls that they touch. */
scree_status scree_world_load_walls(scree_world *world);

/* Finds contacts at the positions of now: which pairs count, see scree_scene. */
typedef struct scree_reach {
    double slack; /* [m] */
    bool foresee, keep_loaded;
    bool by_both; /* by the velocities of the step's beginning too */
    double ahead; /* see scree_scene [m] */
    int further; /* steps that the Verlet list must last for besides this one */
} scree_reach;
scree_status scree_world_find_contacts(scree_world *world, double dt,
                                       const scree_reach *reach);

/* Share of the least radius below which bodies count as in contact although they
 * do not approach: keeps the contacts of a bed at rest from flickering. */
#define SCREE_SLACK 1e-3
/* The same of gaps that count as closed in moreau-adaptive if the contact bore load
 * before (laws.h). */
#define SCREE_BAND 5e-4

/* The parts that a step is taken in (parts.c), as shares of it: the first one, n - 1
 * that are alike, and what follows in the next step. */
typedef struct scree_plan {
    int n;
    double first, next;
} scree_plan;
scree_status scree_world_plan_parts(scree_world *world, scree_plan *plan);

/* A step of step.dt by the operations that a stepper is written against, and its books:
 * it is not counted. */
scree_status scree_world_step_by(scree_world *world,
                                 const scree_stepper_ops *stepper);

/* Steps that choose themselves (choose.c): the size of the next one. Collective. */
scree_status scree_world_choose_step(scree_world *world);
/* The next solve starts from percussions as a step or a part of another size has them. */
void scree_world_scale_percussions(scree_world *world, double by);

/* What is looked at after a solve: pairs of which a body is marked. */
typedef struct scree_look {
    const uint8_t *marked;
    double depth; /* of overlap that is let pass [m] */
    double ahead; /* the same of pairs that turn and were solved for [m] */
} scree_look;

/* After a solve, for contacts that it closes (complete.c). Writes how fast, at most,
 * pairs without contacts approach that would overlap at the next midpoint, or pairs that
 * turn, 0 if there are none. `lost`: the Verlet list does not reach far enough to tell. */
scree_status scree_world_look_again(scree_world *world, double dt,
                                    const scree_look *look, double *closing,
                                    bool *lost);
/* Contacts by the velocities of the step's beginning and by those of now; those
 * that bear load stay. */
scree_status scree_world_find_pushed(scree_world *world, double dt,
                                     double ahead);
/* Does the list reach as far as that needs? Collective. */
bool scree_world_list_reaches(scree_world *world, double dt);
/* The same for contacts that are solved: those that were there before stay alone. */
scree_status scree_world_find_solved(scree_world *world, double dt);

/* ---- reproducible worlds, where the list must not matter (look.c) ----------- */

/* scree_world_look_again by finding contacts again, of all pairs: they are new then,
 * and the books of what acted in turn are done. */
scree_status scree_world_look_anew(scree_world *world, double dt,
                                   const scree_look *look, double *closing);
/* Leaves those contacts that were there before. */
void scree_world_drop_new(scree_world *world);
/* Gives contacts that were found again their places in the problem. */
scree_status scree_world_place_again(scree_world *world);
/* Does a new body with this velocity and radius go far in half a step (begin.c)? */
bool scree_world_is_fresh(const scree_world *world, scree_vec3 v, double r);

/* Do bodies of a contact hit each other, with restitution and the velocities of
 * now, so that they would overlap by more than `depth`? */
bool scree_world_hits(scree_world *world, const scree_gap_control *control,
                      double depth);

/* Bodies that are in an outlet now leave. Collective. */
scree_status scree_world_leave(scree_world *world);

/* ---- books (books.h) -------------------------------------------------------- */

/* Percussions of walls: none, and P of a contact with one. */
scree_status scree_world_clear_walls(scree_world *world);
void scree_world_load_wall(scree_world *world, int wall, scree_vec3 P);
/* At the end of a step: sums to accounts. */
void scree_world_settle(scree_world *world);
/* After it: what wrapping has added to the work of walls (cell.h). */
void scree_world_settle_wall_work(scree_world *world);

/* SCREE_NOT_FINITE, naming the body, if the state is lost. */
scree_status scree_world_check_finite(scree_world *world);

#endif
