/* scree.h: the public face of the Scree library.
 *
 * Scree moves rigid bodies with hard contact: no springs, but set-valued laws
 * (Signorini, Coulomb, Newton impact) that hold at the end of every time step.
 * One step solves one inclusion problem for all contacts at once.
 *
 *     scree_world_def def = scree_world_def_default();
 *     scree_world *world;
 *     scree_world_create(&def, &world);
 *     ... add materials, walls, bodies ...
 *     while (time left) scree_world_step(world);
 *     ... read state ...
 *     scree_world_destroy(world);
 *
 * Conventions
 *   - SI units; right-handed inertial frame I; z is up only if gravity says so.
 *   - A body's velocity u is (v, omega), both in the inertial frame I.
 *   - A quaternion is (w, x, y, z), unit length, body frame to I.
 *   - Every definition struct comes from its `_default` function; one that did
 *     not is refused with SCREE_BAD_ARGUMENT.
 *   - Ids count from 0 in the order of adding and never change, whatever the
 *     order of the bodies in memory.
 *   - Functions that can fail return a scree_status; scree_world_error() has
 *     the sentence that goes with it.
 *   - The library never prints and never exits, but for scree_case_run, which
 *     prints what it is told to.
 *
 * Further headers, each on its own:
 *   scree_base.h      version, status; part of this one, as are
 *   scree_walls.h     walls: planes, meshes, terrain, ..., their motion and drive,
 *   scree_solver.h    and how contact problems are solved
 *   scree_case.h      case files: run whole, or step by step; checkpoints
 *   scree_results.h   frames and states in files: written and read
 *   scree_generate.h  many bodies at once: lattices, fills, pours, pyramids
 *   scree_joints.h    joints, springs, cables
 *   scree_forces.h    forces and drag, kinematic bodies, groups, callbacks
 *   scree_ranks.h     a world over several processes (MPI)
 *   scree_model.h     small systems in generalised coordinates, by formula
 *   scree_fc3d.h      the contact problem itself: for solvers of one's own
 */
#ifndef SCREE_H
#define SCREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scree_base.h"
#include "scree_solver.h"
#include "scree_walls.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- world -------------------------------------------------------------- */

/* gap control (engine/laws/laws.h has the formulas and the energy balance):
 *   off: Moreau's scheme to the letter; a contact acts once its gap at the
 *        midpoint is closed, and keeps the penetration it closed with.
 *   on:  contacts within reach of the step, and those that its percussions
 *        close, enter with their gap; hits act in the step in which they happen;
 *        overlap is worked off at up to `recovery_velocity` without touching u. */
typedef struct scree_world_def {
    double gravity[3]; /* [m/s^2] */
    double dt;         /* step size [s] */
    double motion; /* > 0: dt is the largest step; those taken are dt / 2^k, in
                          which no body moves by more than this share of its
                          diameter, with moreau as seen from those that it
                          touches (engine/step/choose.c). 0: all steps are dt */
    const char *stepper;
    scree_friction_law friction; /* of the stepper rattle */
    scree_hits hits;             /* of the stepper rattle */
    scree_solver_options solver;
    bool gap_control;
    double recovery_velocity; /* bound of the overlap recovery [m/s];
                                 < 0: sqrt(|g| r) / 10, r = mean radius */
    double restitution_speed; /* slower impacts close without restitution
                                 [m/s]; < 0: 2 |g| dt, with motion > 0 at most
                                 0.2 sqrt(|g| motion r), r mean, and 0 for
                                 gap control off */
    bool planar; /* all in the plane z = 0: spheres are discs of unit
                                 thickness, bodies turn about z alone */
    bool
        keep_spin_energy; /* free bodies keep the energy of their spin to rounding, off:
                              to the square of the step (engine/world/shapes.c) */
    int stages;           /* of the stepper lobatto: s = 2..5 */
    int order;            /* of moreau-adaptive: of its extrapolation, 1..8 */
    double dt_min; /* of moreau-adaptive: its least step, which resolves
                                 switching points, made dt / 2^k; 0: dt / 32 [s] */
    double atol,
        rtol; /* of moreau-adaptive: error that a step may have in m and
                                 m/s, and as a share; both 0: not controlled */
    scree_substeps_rule substeps; /* of moreau-adaptive */
    double rho_inf;    /* of generalized-alpha: spectral radius, 0 .. 1 */
    int threads;       /* 0: OMP_NUM_THREADS, else as many
                                 as physical cores */
    bool reproducible; /* the same bits for any number of ranks, at a price;
                                 with the methods pgs and jacobi */
    int64_t capacity;  /* bodies to make room for; grows if needed */
    uint32_t cookie;
} scree_world_def;

scree_world_def scree_world_def_default(void);
scree_status scree_world_create(const scree_world_def *def,
                                scree_world **world);
/* Why create would refuse the definition: there is no world then to ask. */
scree_status scree_world_def_check(const scree_world_def *def,
                                   scree_error *error);
void scree_world_destroy(scree_world *world);

/* The sentence that explains the last status of this world that was not OK. */
const char *scree_world_error(const scree_world *world);

/* ---- materials ---------------------------------------------------------- */

/* Friction that depends on where the slip goes: what it can bear is an ellipse in
 * the tangent plane, with `friction` along the direction and ratio * friction
 * across it. The direction is fixed to the wall or body that has it, in its own
 * frame (of walls: as they are at t = 0), and counts as seen in the tangent
 * plane; where it stands normal to it, friction is isotropic. Space only. */
typedef struct scree_anisotropy {
    double ratio;        /* > 0 [-]; 0: isotropic */
    double direction[3]; /* need not be of unit length */
} scree_anisotropy;

/* What restitution gives back: velocities (Newton) or percussions (Poisson: a hit is
 * compression, then decompression, engine/laws/poisson.c; moreau alone). */
typedef enum scree_impact {
    SCREE_IMPACT_NEWTON,
    SCREE_IMPACT_POISSON
} scree_impact;

/* Friction of ground that grows with the way s which a body has gone on it, and that
 * the body loses in flight (solvers/law/slippage.c; Leine and others 2014):
 *     mu(s) = least + 2 / pi (friction - least) atan(growth s),
 *     ds/dt = |v| where a wall bears the body, -decay s in flight;
 * and ground that holds back what it bears, by a force drag m v (moreau alone). */
typedef struct scree_slippage {
    double least;  /* mu without slippage, at most `friction` [-] */
    double growth; /* kappa > 0 [1/m]; 0: no such friction */
    double decay;  /* beta [1/s] */
    double drag;   /* nu [1/s] */
} scree_slippage;

/* Attraction of two bodies that are nearer than a range (engine/laws/cohesion.h): a
 * constant normal force
 *     F = force + 3/2 pi energy R,     1/R = 1/r_a + 1/r_b,  of a wall 1/R = 1/r_a,
 * r being the radii of the balls around them; friction, rolling and drilling follow
 * P_N + dt F. moreau with gap control alone. */
typedef struct scree_cohesion {
    double force;  /* [N], >= 0 */
    double energy; /* gamma [J/m^2], >= 0; space only */
    double range;  /* gap [m]; 0: a hundredth of the smaller radius */
} scree_cohesion;

/* Contacts that are glued until a force passes a limit, and then are contacts like others
 * for good (solvers/law/bond.c). The points of a pair that are glued at once share its
 * limits. moreau with gap control alone, not beside Poisson's impact law. */
typedef struct scree_bond {
    double normal;     /* tension [N]; 0: no bond */
    double tangential; /* shear [N], > 0 */
    double moment;     /* that bends or twists [N m]; 0: the bond is a hinge */
    double range; /* gap [m] up to which contacts are glued; 0: a hundredth of
                      the smaller radius */
    double from;  /* when: in the step of this time [s] */
    bool always;  /* and whenever bodies touch anew from then on */
} scree_bond;

/* Contact parameters of a pair of materials. */
typedef struct scree_contact_law {
    double friction; /* mu of Coulomb's disc [-], >= 0 */
    double e_n;      /* restitution, normal [-], in [0, 1] */
    double e_t;      /* restitution, tangential [-], in [0, 1] */
    double rolling;  /* arm of the rolling resistance [m], >= 0: a moment up to
                        rolling times the normal force resists rolling */
    double drilling; /* radius R of the contact patch [m], >= 0: a moment up to
                        3 pi R / 16 times the friction force resists
                        drilling (Coulomb-Contensou) */
    scree_anisotropy anisotropy;
    scree_slippage slippage;
    scree_cohesion cohesion;
    scree_bond bond;
    double
        own[4]; /* parameters of laws that a program adds to solvers/laws.def,
                      >= 0: each says which are its own; 0: no such law */
    scree_impact impact;
} scree_contact_law;

/* A material's own law holds between bodies of that material. Two different
 * materials meet with the geometric mean of mu (of an anisotropic one: along each
 * axis), the smaller e_n and e_t, and Poisson's impact law if one of them has it, unless
 * scree_world_set_pair says otherwise. If one of them alone is ground with slippage,
 * its friction, restitution and slippage hold. Cohesion and bonds are geometric means, number
 * by number: two materials have them if both do. Of `from` it is the later one, and
 * `always` holds if both say so.
 * The direction of friction is that of the anisotropic material, or of the first
 * of two, for both; of set_pair that of material_a. If both sides are of that material it is
 * that of the wall, between bodies that of the smaller id. */
typedef struct scree_material_def {
    double density; /* [kg/m^3] */
    scree_contact_law law;
    uint32_t cookie;
} scree_material_def;

scree_material_def scree_material_def_default(void);
scree_status scree_world_add_material(scree_world *world,
                                      const scree_material_def *def,
                                      int *material);
scree_status scree_world_set_pair(scree_world *world, int material_a,
                                  int material_b, const scree_contact_law *law);

/* ---- bodies ------------------------------------------------------------- */

/* A shape that many bodies may have. Its frame has the centre of mass as origin:
 * points are moved there, and a body's position is that of its centre of mass. */
typedef enum scree_shape_kind {
    SCREE_SHAPE_BOX,        /* size */
    SCREE_SHAPE_CAPSULE,    /* radius, length between the centres of its caps */
    SCREE_SHAPE_CYLINDER,   /* radius, length */
    SCREE_SHAPE_POLYHEDRON, /* the convex hull of points in space */
    SCREE_SHAPE_CLUMP,      /* balls held together */
    SCREE_SHAPE_POLYGON     /* the convex hull of points in the plane */
} scree_shape_kind;

typedef struct scree_shape_def {
    scree_shape_kind kind;
    double size[3];        /* edge lengths [m] */
    double radius, length; /* [m], along z */
    const double *points;  /* (n_point x 3) copied [m] */
    int n_point;
    const double *balls; /* (n_ball x 4) x, y, z, radius; copied [m] */
    int n_ball;
    double rounding; /* grows a box, cylinder, polyhedron or polygon [m] */
    uint32_t cookie;
} scree_shape_def;

scree_shape_def scree_shape_def_default(void);
scree_status scree_world_add_shape(scree_world *world,
                                   const scree_shape_def *def, int *shape);

typedef struct scree_body_def {
    int shape;
    double position[3];         /* of the centre of mass */
    double orientation[4];      /* (w, x, y, z) */
    double velocity[3];         /* [m/s] */
    double angular_velocity[3]; /* [rad/s], inertial frame */
    int material;
    uint32_t cookie;
} scree_body_def;

scree_body_def scree_body_def_default(void);
scree_status scree_world_add_body(scree_world *world, const scree_body_def *def,
                                  int64_t *id);

typedef struct scree_sphere_def {
    double position[3];
    double orientation[4]; /* (w, x, y, z) */
    double radius;
    double velocity[3];         /* [m/s] */
    double angular_velocity[3]; /* [rad/s], inertial frame */
    int material;
    uint32_t cookie;
} scree_sphere_def;

scree_sphere_def scree_sphere_def_default(void);
scree_status scree_world_add_sphere(scree_world *world,
                                    const scree_sphere_def *def, int64_t *id);

/* ---- bodies that leave --------------------------------------------------- */

/* What becomes of a body whose centre is in an outlet at the end of a step. */
typedef enum scree_outlet_action {
    SCREE_OUTLET_REMOVE,
    SCREE_OUTLET_STOP,   /* it stays; scree_world_is_stopped tells */
    SCREE_OUTLET_REFUSE, /* the step fails with SCREE_LEFT */
    SCREE_OUTLET_ACTIONS
} scree_outlet_action;

/* A box; of plane worlds z is not looked at. A body leaves by the first outlet that
 * takes it. */
typedef struct scree_outlet_def {
    double low[3], high[3]; /* [m] */
    bool outside; /* it takes what is outside of the box, not inside */
    scree_outlet_action action;
    uint32_t cookie;
} scree_outlet_def;
scree_outlet_def scree_outlet_def_default(void);
scree_status scree_world_add_outlet(scree_world *world,
                                    const scree_outlet_def *def, int *outlet);
int scree_world_outlet_count(const scree_world *world);
/* What left through an outlet since the start, on all ranks. */
void scree_world_read_outlet(const scree_world *world, int outlet,
                             int64_t *bodies, double *mass);
/* Did a body come to an outlet that stops, in the last step? */
bool scree_world_is_stopped(const scree_world *world, int64_t *id, int *outlet);

/* Takes bodies out, between steps. Their ids are not given again; the energy that they
 * have is no longer `inserted`. Collective: all ranks name the same bodies. */
scree_status scree_world_remove_bodies(scree_world *world, const int64_t *ids,
                                       int64_t n);
int64_t scree_world_removed_count(const scree_world *world); /* so far */

/* ---- periodic cells ------------------------------------------------------- */

/* A world that goes on behind the sides of a box as on its other side, in one, two or three
 * directions. Bodies stand for all their images. Walls across such a direction are
 * refused; surfaces must reach beyond the cell by the size of a body. */
typedef struct scree_cell_def {
    double low[3], high[3]; /* corners; read along periodic directions [m] */
    bool periodic[3];
    double shear_rate; /* Lees-Edwards: images one edge up along y move along x
                          with this times that edge [1/s] */
    double
        stretch[3]; /* edges grow by this share of what they are first [1/s] */
    double pressure
        [3]; /* mean stress along an edge, which moves so that it is this;
                           0: it does not [Pa]. Of worlds that are periodic along all
                           their directions; in a plane one per metre of its depth */
    uint32_t cookie;
} scree_cell_def;
scree_cell_def scree_cell_def_default(void);
/* Before walls and bodies are added. */
scree_status scree_world_set_cell(scree_world *world,
                                  const scree_cell_def *def);

/* The cell as it is now; false: there is none. */
typedef struct scree_cell_view {
    double low[3];      /* [m] */
    bool periodic[3];   /* other edges are 0 */
    double edge[3][3];  /* to the next image [m] */
    double speed[3][3]; /* at which that moves away [m/s] */
    double stress
        [3]
        [3]; /* mean over the cell, by the bodies that fly and the contacts of
                            the last step, compression positive [Pa]; 0 unless the world
                            is periodic along all its directions */
} scree_cell_view;
/* Collective. */
bool scree_world_read_cell(const scree_world *world, scree_cell_view *cell);

/* ---- time --------------------------------------------------------------- */

/* One step of size dt. A state that is not finite stops with SCREE_NOT_FINITE
 * and names the body. */
scree_status scree_world_step(scree_world *world);

double scree_world_time(const scree_world *world);
/* Size of the last step, or of the first one [s]. */
double scree_world_step_size(const scree_world *world);
int64_t scree_world_steps(const scree_world *world);

/* ---- reading ------------------------------------------------------------ */

int64_t scree_world_body_count(const scree_world *world);
int scree_world_wall_count(const scree_world *world);

/* Rows are the bodies that are there, in the order of their ids: row k is body k as long
 * as none was removed. Of a world that is spread over ranks (scree_world_distribute),
 * rank r of R reads the rows from n r / R up to n (r + 1) / R; else all. What is read is
 * then the same however space is cut. Functions that read are collective: all
 * ranks call them. */
typedef struct scree_block_of_ids {
    int64_t first, n;
} scree_block_of_ids;
scree_block_of_ids scree_world_block(const scree_world *world);

/* The state in id order. Each pointer is to an array of as many rows as the block
 * has, all bodies on one rank, that the caller owns, or NULL for what is not
 * wanted. */
typedef struct scree_state_view {
    int64_t *id;              /* (n) */
    double *position;         /* (n x 3) [m] */
    double *orientation;      /* (n x 4) (w, x, y, z) */
    double *velocity;         /* (n x 3) [m/s] */
    double *angular_velocity; /* (n x 3) [rad/s] */
    double *radius;           /* (n) of the ball around the body [m] */
    double *mass;             /* (n) [kg] */
    int32_t *material;        /* (n) */
    int32_t *shape;           /* (n) -1: sphere */
    double *kept;             /* (n x 2) by laws, of bodies */
    double *
        unwrapped; /* (n x 3) where they would be had they never come in again on the
                          other side of a periodic cell [m] */
} scree_state_view;

scree_status scree_world_read_state(const scree_world *world,
                                    const scree_state_view *view);

/* Sets what the view points to of all bodies, in the order of ids: position,
 * orientation, velocity and angular velocity; the rest must be NULL. Energy that
 * this brings counts as inserted. Not of a world that is spread over ranks. */
scree_status scree_world_write_state(scree_world *world,
                                     const scree_state_view *view);

/* One contact of the last step, a > b. n points from b into a; the percussion
 * is the one on a, over the whole step. b < 0 is wall -1 - b. */
typedef struct scree_contact_view {
    int64_t a, b;    /* ids */
    double point[3]; /* [m] */
    double normal[3];
    double percussion[3]; /* on a, with cohesion in it [N s] */
    double gap;           /* at the midpoint of the step [m] */
    double state[6]; /* what its laws keep; of rolling and drilling the first
                        three are the moment percussion on a [N m s] */
} scree_contact_view;

/* Contacts of the last step on all ranks; what follows are those of this one. */
int64_t scree_world_total_contacts(const scree_world *world);
int64_t scree_world_contact_count(const scree_world *world);
/* Writes contact_count rows, in the order of their (a, b) ids. */
void scree_world_read_contacts(const scree_world *world,
                               scree_contact_view *contacts);

/* The contacts whose a is in the rank's block, in the order of (a, b), as new
 * memory that the caller frees. */
scree_status scree_world_list_contacts(const scree_world *world,
                                       scree_contact_view **contacts,
                                       int64_t *n);

/* Scalars of the last step. In the balance
 *     kinetic + potential + stored + dissipated
 *         = inserted + wall_work + motor_work + force_work + recovery_work
 *         + scheme_error
 * `dissipated` is the work of the contacts themselves, from their percussions and
 * velocities (engine/step/work.c), and scheme_error what is left: with moreau rounding,
 * whatever the solver's tolerance (bodies that are not spheres: dt^2, by their free
 * rotation), with other steppers what they make of gravity besides. */
typedef struct scree_scalars {
    double time, step_size;    /* [s] */
    double kinetic, potential; /* [J], potential relative to the origin */
    double stored;             /* in springs (scree_joints.h) [J] */
    double dissipated;         /* since the start [J]: the sum of that by */
    double dissipated_normal;  /* impacts, cohesion (engine/laws/cohesion.h), */
    double dissipated_friction;
    double dissipated_turning; /* rolling and drilling, */
    double dissipated_joints;  /* friction, stops, dampers, brakes of joints */
    double dissipated_drag;    /* fluids (scree_forces.h) */
    double wall_work;  /* given by moving walls and kinematic bodies [J] */
    double motor_work; /* given by motors of joints since the start [J] */
    double
        force_work; /* given by forces and fluids that flow, since then [J] */
    double recovery_work; /* potential energy that the overlap recovery
                                  added since the start [J] */
    double inserted;      /* energy that bodies brought in when added, less what
                            removed ones took along [J] */
    double scheme_error;  /* energy that the stepper made since the start [J] */
    double momentum[3];   /* [N s] */
    double angular_momentum[3]; /* about the origin [N m s] */
    int64_t bodies, contacts;
    scree_report solve;
    double penetration_mean; /* over contacts with negative gap [m] */
    double penetration_max;  /* [m] */
    int order,
        exit_flag; /* moreau-adaptive: the order of the last step; 0: it is
                             smooth, 1: but not as accurate as asked for, 3: it
                             holds a switching point, of dt_min */
} scree_scalars;

void scree_world_read_scalars(const scree_world *world, scree_scalars *scalars);

/* The solver's report of the last step alone, without the sums over bodies. */
void scree_world_read_report(const scree_world *world, scree_report *report);

/* Force on wall w over the last step, percussions / dt [N]. */
void scree_world_read_wall_force(const scree_world *world, int wall,
                                 double force[3]);

/* How wall w is driven, and where that took it. */
typedef struct scree_servo_view {
    scree_servo_kind kind;
    double way; /* since the start along the direction, or angle [m], [rad] */
    double velocity; /* [m/s], [rad/s] */
    double target;   /* now: force [N] or torque [N m]; 0 after `until` */
    double area;     /* of a pressure, now [m^2] */
} scree_servo_view;
void scree_world_read_servo(const scree_world *world, int wall,
                            scree_servo_view *view);
/* Velocity of the point x of wall w [m/s], prescribed and driven. */
void scree_world_read_wall_velocity(const scree_world *world, int wall,
                                    const double x[3], double velocity[3]);

/* Plane of wall w at the current time; of no meaning for surfaces.
 * Returns whether it exists now. */
bool scree_world_read_wall(const scree_world *world, int wall, double point[3],
                           double normal[3]);

/* Hash over ids, positions, orientations and velocities: equal bits give
 * equal hashes, whatever the order in memory and the number of ranks. */
uint64_t scree_world_hash(const scree_world *world);

/* ---- cost --------------------------------------------------------------- */

#define SCREE_PHASE_LIST(X)                                                    \
    X(SCREE_PHASE_BROAD, "broad")                                              \
    X(SCREE_PHASE_NARROW, "narrow")                                            \
    X(SCREE_PHASE_ASSEMBLE, "assemble")                                        \
    X(SCREE_PHASE_SOLVE, "solve")                                              \
    X(SCREE_PHASE_INTEGRATE, "integrate")                                      \
    X(SCREE_PHASE_OUTPUT, "output")

typedef enum scree_phase {
#define X(code, text) code,
    SCREE_PHASE_LIST(X)
#undef X
        SCREE_PHASE_COUNT
} scree_phase;

typedef struct scree_cost {
    double seconds[SCREE_PHASE_COUNT]; /* wall time since the start */
    double sweep_seconds;       /* the main solve alone, without recovery */
    double colour_seconds;      /* colours and places of contacts alone */
    int64_t contact_iterations; /* contacts times sweeps, summed over steps */
    int64_t iterations;         /* summed over steps */
    int64_t contacts;           /* summed over steps */
    int64_t chosen;             /* contacts that did not keep a colour */
    int64_t rebuilds;           /* of the Verlet list */
    int64_t unconverged;        /* steps that did not reach the tolerance */
    int64_t rounds;     /* solves again for contacts that others close */
    int64_t incomplete; /* steps that such contacts were left in */
    int64_t parts;      /* of steps, beyond one each */
    int64_t
        substeps; /* of moreau-adaptive in all, also of steps that it took back */
    int64_t refused;              /* steps that it took back */
    double step_least, step_most; /* sizes of steps so far; 0: none [s] */
    size_t bytes;                 /* memory held now */
} scree_cost;

void scree_world_read_cost(const scree_world *world, scree_cost *cost);
const char *scree_phase_name(scree_phase phase);

/* What differs between the ranks of a run. Collective. */
typedef struct scree_spread {
    double least, mean, most;
} scree_spread;

typedef struct scree_ranks {
    int n;
    int64_t steps;         /* since the world was spread over them: per step */
    double spread_seconds; /* wall time since then */
    scree_spread seconds[SCREE_PHASE_COUNT];
    scree_spread waiting; /* for other ranks since then, a part of it [s] */
    scree_spread bodies, copies;  /* owned now, and of other ranks' bodies */
    scree_spread contacts;        /* per step */
    scree_spread messages, bytes; /* sent per step */
    scree_spread memory;          /* [bytes] */
    double contact_iterations;    /* summed over all steps and ranks */
    double all_contacts;          /* the same of contacts */
    int64_t cuts;                 /* times that space was divided anew */
} scree_ranks;

void scree_world_read_ranks(const scree_world *world, scree_ranks *ranks);

/* One rank's part of it. */
typedef struct scree_rank_load {
    double seconds[SCREE_PHASE_COUNT], waiting;
    double bodies, copies, contacts, messages, bytes, memory;
} scree_rank_load;

/* all: one entry for each of scree_world_ranks() ranks, the same everywhere.
 * Collective. */
void scree_world_read_each_rank(const scree_world *world, scree_rank_load *all);

/* Largest load of a rank over the mean, when the Verlet list was last built; 1 on
 * one rank, and until the list is built again after space was divided. */
double scree_world_imbalance(const scree_world *world);

/* Outputs charge their time to SCREE_PHASE_OUTPUT. */
void scree_world_charge_output(scree_world *world, double seconds);

/* ---- the tables --------------------------------------------------------- */

/* Names and one-line descriptions of the plug-ins; NULL past the end. */
const char *scree_stepper_name(int i, const char **about);
const char *scree_solver_name(int i, const char **about);
const char *scree_shape_name(int i, const char **about);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
