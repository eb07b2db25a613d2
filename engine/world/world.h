/* world.h: the many-body world, inside the library.
 *
 * A world is a scree_system: steppers see it through the operations that step.c
 * lists, which are spread over the files
 *     move.c      positions and velocities, finite check
 *     detect.c    walls, Verlet list, contacts
 *     begin.c     the first half step of new bodies
 *     meet.c      two spheres that hit each other alone
 *     assemble.c  contacts to inclusion problem, and its solution
 *     complete.c  contacts that the percussions close
 *     look.c      and how a reproducible world finds them
 *     work.c      percussions to pairs, walls and books
 *     recovery.c  working off overlap
 *     world_rattle.c, world_rattle_velocity.c  the two stages of RATTLE
 *     world_rattle_hold.c  contacts that stay over the rounds of its first
 *     world_rattle_footing.c  where those were when the step began
 *     world_rattle_pairs.c  bodies that would pass each other
 *     world_rattle_pressed.c  bodies that are squeezed out
 * and world.c itself, which creates and fills it. */
#ifndef SCREE_WORLD_H
#define SCREE_WORLD_H

#include "contact/narrow/narrow.h"
#include "contact/solid/form.h"
#include "engine/base/error.h"
#include "engine/system/stepper.h"
#include "engine/world/body.h"
#include "engine/world/books.h"
#include "engine/world/materials.h"
#include "engine/world/wall.h"
#include "solvers/problem/method.h"
#include "solvers/problem/sets.h"

/* Marks a definition struct that came from its default function. */
enum { SCREE_COOKIE = 0x5C4EE1 };

/* An id that no body has. */
#define SCREE_NO_BODY INT64_MAX

/* For arguments of the interface: a sentence for scree_world_error, with the scree_error
 * `error` at hand. */
#define REQUIRE(condition, ...)                                                \
    do {                                                                       \
        if (!(condition))                                                      \
            return scree_fail(error, SCREE_BAD_ARGUMENT, __VA_ARGS__);         \
    } while (0)

/* Told of the problems that solver.dump asks for, right after their solve. */
typedef scree_status scree_problem_saver(void *context,
                                         const scree_world *world,
                                         scree_error *error);

/* n bodies, with the ids from n_body on, of which each rank adds its own: none
 * needs to know the others'. What the world knows of all bodies comes from sums
 * that have the same bits for any number of ranks. */
typedef struct scree_batch {
    int64_t n;
    int64_t id;   /* of the body to add next */
    int32_t kept; /* bodies that the rank had before */
    scree_exact_sum sizes, energy;
    double r_min, r_max;
    bool general;
} scree_batch;

/* The other ranks that have a part of the world (engine/domain). */
typedef struct scree_domain scree_domain;

struct scree_world {
    scree_world_def def;
    const scree_stepper_ops *stepper;
    const scree_method *solver;
    scree_error error;

    double t;
    int64_t steps;
    double epoch_t; /* t = epoch_t + (steps - epoch_step) dt */
    int64_t epoch_step;

    scree_bodies bodies;
    scree_form *forms; /* (n_form) of bodies that are not spheres */
    int n_form;
    int64_t form_capacity;
    bool general;      /* there are such bodies */
    scree_sym3 *inv_I; /* (n + 1) by place, for the problem [1/(kg m^2)] */
    int64_t inv_I_capacity;
    double r_sum, r_min, r_max; /* of all radii */
    scree_batch
        *batch; /* that bodies are added to, or NULL: all ranks add all */

    int n_material;
    int64_t material_capacity;
    scree_material_def *materials; /* (n_material) */
    scree_pair_laws pair_laws;

    int n_wall;
    int64_t wall_capacity, plane_capacity;
    scree_wall *walls;   /* (n_wall) */
    scree_plane *planes; /* (n_wall) */
    double
        wall_speed; /* stop.c: no point of a wall where bodies are is faster */

    scree_broad broad;
    scree_contacts contacts;
    scree_problem problem; /* contact i is row i */
    scree_arena scratch;

    scree_domain *domain; /* NULL: the world is all on this rank */
    int64_t n_body;       /* on all ranks */
    int64_t n_contact;    /* the same, of the last step */

    scree_problem_saver *saver; /* or NULL */
    void *saver_context;

    scree_report report;
    bool gaps_hold; /* rattle: stage 1 of the last step kept its promise */
    double penetration_sum, penetration_max; /* of the last step */
    double stride; /* largest |v| dt over the diameter of the ball around a body
                      on this rank, when it was last looked at (move.c) [-] */
    int64_t penetrating;
    double taken_normal, taken_friction,
        taken_turning; /* by contacts, work.c */
    double wall_work, recovery_work, inserted;
    int64_t
        fresh; /* bodies came in that begin.c is to look after, with ids from
                      here on; SCREE_NO_BODY: none */
    int64_t meetings; /* of this step, on all ranks (meet.c) */
    bool held_back;   /* bodies are, in this step of rattle (stop.c) */
    bool booked;      /* the last solve is in the books (work.c) */
    bool refound; /* contacts were found again since the last solve (look.c) */
    bool struck;  /* bodies hit each other in the last solve's problem */
    bool
        dropped; /* contacts within reach did not enter the last solve's problem */
    bool
        in_turn; /* the last solve was for what acts after others (complete.c) */
    bool crowded; /* bodies that are hit in this step have many contacts */
    bool
        draft; /* the last solve was one, and another must follow (complete.c) */
    scree_books *books; /* NULL: the world is not reproducible */
    scree_cost cost;
};

/* Operations of scree_system_ops, self is the world. */
void scree_world_move(void *self, double dt);
void scree_world_drift(void *self, double dt);

/* Moves body i by `way`, its velocity stays; what that costs or gains in the field of
 * gravity is booked as recovery_work. */
void scree_world_shift(scree_world *world, int32_t i, scree_vec3 way);

/* Before a move by dt, with the velocities of now or of the step's beginning: holds
 * back bodies that would pass a surface (stop.c). */
void scree_world_stop(scree_world *world, double dt, bool from_begin);

/* The part of a way of body i from x, over dt, that is too much for meshes, terrain
 * and segments; walls as scree_world_place_walls left them. */
scree_vec3 scree_world_too_far(const scree_world *world, int32_t i,
                               scree_vec3 x, scree_vec3 way, double dt);
/* Brings walls to now for that, and says how fast they are. */
void scree_world_place_walls(scree_world *world);

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
scree_status scree_world_position_stage(void *self, double dt);
scree_status scree_world_velocity_stage(void *self, double dt);

/* Do solver or dump not go with the friction law of the stepper, and why? rattle's
 * midslip ties friction to the normal percussion (solvers/problem/problem.h). */
bool scree_world_ties_friction(const scree_world_def *def, char *why,
                               size_t size);
/* Does the method lose the order of `reproducible`? */
bool scree_world_loses_order(const scree_world_def *def, char *why,
                             size_t size);

/* chi of a contact: minus the velocity of the wall's point, 0 between bodies. */
scree_vec3 scree_world_chi(const scree_world *world, const scree_contact *c);

/* ---- shared by the files that make rows of contacts ----------------------- */

/* Second body of a contact in the solvers' numbering. */
static inline int32_t scree_world_second(const scree_world *world,
                                         const scree_contact *c) {
    return c->b >= 0 ? c->b : world->bodies.n;
}

/* Arms of a general contact, at the positions of now or where the step began. */
static inline const scree_arms *scree_world_arms(const scree_world *world,
                                                 const scree_contact *c) {
    return c->arms < SCREE_AT_BEGIN
               ? &world->contacts.arms[c->arms]
               : &world->contacts.footings[c->arms - SCREE_AT_BEGIN].arms;
}

/* Was the contact found where the step takes its bodies (complete.c)? */
static inline bool scree_world_is_ahead(const scree_world *world,
                                        const scree_contact *c) {
    return c->arms >= 0 && scree_world_arms(world, c)->ahead;
}

/* W^T u of two velocities. */
static inline scree_vec3 scree_world_relative(const scree_world *world,
                                              const scree_contact *c,
                                              scree_velocity a,
                                              scree_velocity b) {
    if (c->arms >= 0) {
        const scree_arms *r = scree_world_arms(world, c);
        return sub(add(a.v, cross(a.w, r->a)), add(b.v, cross(b.w, r->b)));
    }
    const scree_vec3 spin = add(scale(c->arm_a, a.w), scale(c->arm_b, b.w));
    return sub(sub(a.v, b.v), cross(spin, c->n));
}

/* Where the bodies touch. */
static inline scree_vec3 scree_world_point(const scree_world *world,
                                           const scree_contact *c) {
    const scree_vec3 x = world->bodies.x[c->a].x;
    return c->arms >= 0 ? add(x, world->contacts.arms[c->arms].a)
                        : add_scaled(x, -c->arm_a, c->n);
}

/* Must the contact be a general row? So if its arms are, if it resists turning, or
 * if its friction is anisotropic. */
bool scree_world_is_general(const scree_world *world, const scree_contact *c);

/* A row with the geometry of the contact and its friction law. */
scree_row scree_world_row(const scree_world *world, const scree_contact *c);

static inline scree_velocity scree_twist_velocity(const scree_twist *u) {
    return (scree_velocity){u->v, u->w};
}

/* Friction and moment, in their set for the P_n that is there. */
void scree_row_start_whole(scree_row *row, scree_vec3 M);
/* The guess P, M of a percussion, brought into the set that the row allows. */
static inline void scree_row_start(scree_row *row, scree_vec3 P, scree_vec3 M) {
    const double P_n = dot(row->n, P);
    row->P_n = prox_half_line(P_n);
    row->P_t = add_scaled(P, -P_n, row->n);
    if (scree_row_turns(row) || scree_row_is_oval(row))
        scree_row_start_whole(row, M);
    else
        row->P_t = prox_disc(row->mu * row->P_n, row->P_t);
}

/* Moment percussion of a contact: first guess, then what was solved. */
static inline scree_vec3 scree_world_moment(const scree_world *world,
                                            const scree_contact *c) {
    return c->moment >= 0 ? world->contacts.moments[c->moment] : vec(0, 0, 0);
}
static inline void scree_world_keep_moment(scree_world *world,
                                           const scree_contact *c,
                                           scree_vec3 M) {
    if (c->moment >= 0) world->contacts.moments[c->moment] = M;
}

/* Does any law resist turning? */
bool scree_world_resists_turning(const scree_world *world);

/* How materials a and b meet. Stays until the same thread asks for other ones. */
static inline const scree_pair_law *
scree_world_pair_law(const scree_world *world, int a, int b) {
    return world->pair_laws.table
               ? scree_pair_table_entry(&world->pair_laws, a, b)
               : scree_world_find_law(world, a, b);
}

/* Stays until the same thread asks for that of another contact. */
const scree_contact_law *scree_world_law(const scree_world *world,
                                         const scree_contact *c);

/* ---- anisotropic friction (anisotropy.c) ------------------------------------ */

/* NULL, or why it cannot be. */
const char *scree_anisotropy_fault(const scree_anisotropy *a, bool planar);
/* How two materials meet. *of_y: the direction of friction is that of y. */
scree_contact_law scree_contact_law_mixed(const scree_contact_law *x,
                                          const scree_contact_law *y,
                                          bool *of_y);
/* The law with a direction of unit length, and with none if it is isotropic. */
scree_contact_law scree_contact_law_tidy(const scree_contact_law *law);
/* Axes of a contact's friction, at the positions of now or, in a step of rattle,
 * where it began. */
void scree_world_set_axes(const scree_world *world, const scree_contact *c,
                          bool at_begin, scree_row *row);

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
/* Books what contacts and walls took by the last solve, with the velocities u_b
 * before and u after it. */
scree_status scree_world_book(scree_world *world);
/* What walls that move gave by the last solve, all ranks together [J]. */
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
scree_status scree_world_look_anew(scree_world *world, double dt, double depth,
                                   double *closing);
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

/* ---- bodies that are not spheres (shapes.c) -------------------------------- */

/* Inertia tensor of body i with orientation q, and its inverse, inertial frame;
 * in the plane the inverse is that of turning about z alone. */
/* The ball around a shape and its volume, or why no world would take it. */
scree_status scree_shape_weigh(const scree_shape_def *def, bool planar,
                               double *bound, double *volume,
                               scree_error *error);
/* Mass and inertia are numbers that can be worked with. */
scree_status scree_body_check(double inv_m, double gyration2, double bound,
                              scree_error *error);
scree_sym3 scree_world_inertia(const scree_world *world, int32_t i,
                               scree_quat q);
scree_sym3 scree_world_inv_inertia(const scree_world *world, int32_t i,
                                   scree_quat q);
/* Does the problem need them? */
bool scree_world_has_tensors(const scree_world *world);
/* All of them for the problem, at the orientations of now. */
scree_status scree_world_update_inertia(scree_world *world);
/* Turns body i by w over dt. A body that is not a sphere keeps its angular
 * momentum: w turns too. */
void scree_world_turn(const scree_world *world, int32_t i, double dt);
/* Theta^-1 (-w x Theta w), what its own spin does to w; 0 for spheres. */
scree_vec3 scree_world_gyroscopic(const scree_world *world, int32_t i,
                                  scree_quat q, scree_vec3 w);
/* The same over dt, implicit: w - start of w = start + dt Theta^-1 (-w x Theta w). */
scree_vec3 scree_world_half_turn(const scree_world *world, int32_t i,
                                 scree_quat q, scree_vec3 start, double dt);

/* Opens a batch; scree_world_add_sphere and scree_world_add_body add to it with
 * the id that is set in it, and it is for the caller to know whose that is. */
void scree_world_open_batch(scree_world *world, scree_batch *batch, int64_t n);
/* Collective. If `status`, which is the same on all ranks, is a failure, the
 * bodies of the batch are dropped. */
void scree_world_close_batch(scree_world *world, scree_status status);

/* ---- several ranks (engine/domain) ------------------------------------------ */

/* Copies of bodies have a share of the inertia only, from the placing of contacts
 * to the end of a solve (solvers/ranks/coupling.h). */
void scree_world_split(scree_world *world);
void scree_world_join(scree_world *world);
/* After a solve: all copies get the velocities that their originals have in u. */
void scree_world_spread(scree_world *world, scree_twist *u);
int scree_world_rank(const scree_world *world);
int scree_world_ranks(const scree_world *world); /* how many */
const scree_comm *scree_world_comm(const scree_world *world);
/* Whose is a new body at x to be? As long as space is not cut, by its id. */
int scree_world_taker(const scree_world *world, int64_t id, scree_vec3 x);
bool scree_world_takes(const scree_world *world, int64_t id, scree_vec3 x);
/* The first id from this one on that may be this rank's, then. */
int64_t scree_world_next_taken(const scree_world *world, int64_t id);
/* Is body i this rank's, not a copy? */
bool scree_world_owns(const scree_world *world, int32_t i);
/* All ranks fail if one does, with its sentence: that of the world, or another. */
scree_status scree_world_agree(scree_world *world, scree_status status);
scree_status scree_world_agree_on(const scree_world *world, scree_status status,
                                  scree_error *error);
/* What is so on any rank, the largest over ranks, and the sum. */
bool scree_world_any(const scree_world *world, bool here);
double scree_world_most(const scree_world *world, double here);
double scree_world_total(const scree_world *world, double here);
/* The first of the ranks' ids. */
int64_t scree_world_first_id(const scree_world *world, int64_t here);
/* A body that is flagged on one rank is so on all. */
scree_status scree_world_share_flags(scree_world *world, bool *flags);
/* `width` values of each body, by place: their sums over all copies of it
 * (solvers/ranks/coupling.h). */
scree_status scree_world_share_sums(scree_world *world, double *values,
                                    int width);
/* The same, but each copy gets the values of the one whose first is least. */
scree_status scree_world_share_least(scree_world *world, double *values,
                                     int width);

/* ---- books (books.h) -------------------------------------------------------- */

/* Percussions of walls: none, and P of a contact with one. */
scree_status scree_world_clear_walls(scree_world *world);
void scree_world_load_wall(scree_world *world, int wall, scree_vec3 P);
/* At the end of a step: sums to accounts. */
void scree_world_settle(scree_world *world);
/* A sum over all ranks, with the same bits for any number of them in a reproducible
 * world. */
typedef struct scree_sum {
    double plain;
    scree_exact_sum exact;
} scree_sum;
static inline void scree_sum_add(const scree_world *world, scree_sum *sum,
                                 double x) {
    if (world->books)
        scree_exact_add(&sum->exact, x);
    else
        sum->plain += x;
}
/* Collective; the same on all ranks. */
double scree_sum_total(const scree_world *world, scree_sum *sum);
/* Totals over ranks of a reproducible world, for the first of them; 0 for others. */
void scree_world_exact_totals(const scree_world *world, scree_exact_sum *sums,
                              int n, double *totals);

/* Kinetic plus potential energy of the bodies of this rank; in a reproducible world
 * of all bodies on the first rank, and 0 on others. Collective there. */
double scree_world_mechanical_energy(const scree_world *world);

/* SCREE_NOT_FINITE, naming the body, if the state is lost. */
scree_status scree_world_check_finite(scree_world *world);

static inline double scree_world_mean_radius(const scree_world *world) {
    return world->n_body ? world->r_sum / (double)world->n_body : 0;
}

#endif
