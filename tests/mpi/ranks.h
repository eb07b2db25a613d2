/* ranks.h: for tests that run on several ranks: checks that end all of them,
 * small worlds, and all of a world on every rank. */
#ifndef SCREE_TESTS_MPI_RANKS_H
#define SCREE_TESTS_MPI_RANKS_H

#include "engine/base/comm.h"
#include "engine/base/random.h"
#include "engine/domain/domain.h"
#include "engine/domain/rows.h"

/* Says rank, file and line, and ends all ranks with code 1. */
_Noreturn void scree_check_failed(const char *file, int line, const char *what);
#define CHECK(condition)                                                       \
    ((condition) ? (void)0 : scree_check_failed(__FILE__, __LINE__, #condition))
#define CHECK_OK(status) CHECK((status) == SCREE_OK)
/* |value - expected| <= tolerance, and neither is NaN. */
#define CHECK_NEAR(value, expected, tolerance)                                 \
    scree_check_near((value), (expected), (tolerance), __FILE__, __LINE__,     \
                     #value)
void scree_check_near(double value, double expected, double tolerance,
                      const char *file, int line, const char *what);

/* A test of a program: it runs all of them, or those whose names begin with a
 * word of its command line. */
typedef struct scree_trial {
    const char *name;
    void (*run)(const scree_comm *comm);
} scree_trial;
int scree_trials_run(int argc, char **argv, const scree_trial *trials, int n);

/* ---- worlds -------------------------------------------------------------- */

/* With one material (index 0); solver tolerance and sweeps as given. */
scree_world_def def_of(const char *stepper, const char *solver, int iterations,
                       double tolerance);
scree_world *make_world(const scree_world_def *def, double mu, double e_n);
void add_plane(scree_world *world, scree_vec3 point, scree_vec3 normal);
/* Four walls and a floor: |x|, |y| <= half, z >= 0. */
void add_box(scree_world *world, double half);
/* Twelve planes that turn about the y axis, and two across it, which do not. */
void add_drum(scree_world *world, double radius, double half, double rate);
void add_sphere(scree_world *world, double r, scree_vec3 x, scree_vec3 v);
int add_cube(scree_world *world, double edge);
void add_body(scree_world *world, int shape, scree_vec3 x, scree_random *rng);
/* n spheres with radii in [lo, hi] on a jittered lattice, |x|, |y| <= half,
 * above z; random velocities up to `speed`. */
void add_cloud(scree_world *world, int n, double half, double z, double lo,
               double hi, double speed, uint64_t seed);
scree_vec3 random_vec(scree_random *rng, double most);
void step(scree_world *world, int steps);

/* ---- all of a world ------------------------------------------------------ */

/* Owned bodies are 0 .. n - 1, each once; copies have the bits of x, q, u of
 * their originals. */
void check_bodies(const scree_world *world);

/* The bodies of all ranks in the order of ids, on every rank; to be freed. */
scree_body_row *all_bodies(const scree_world *world);
/* Contacts of all ranks, sorted by (a, b, point); to be freed. */
scree_contact_view *all_contacts(const scree_world *world, int64_t *n);

/* The same bodies to the bit, and ids are those of adding. */
void compare_bodies(const scree_world *alone, const scree_world *spread);
void check_no_overlap(const scree_world *world);

/* Largest difference of positions, and of velocities, between two worlds. */
double far_apart(const scree_world *a, const scree_world *b);
double fast_apart(const scree_world *a, const scree_world *b);

scree_scalars scalars_of(const scree_world *world);
/* What the energy balance lacks: the scheme error. */
double energy_defect(const scree_world *world);
int64_t sweeps_of(const scree_world *world);

/* Two frozen worlds have the same contacts; gaps are the same up to `to` [m]. */
void compare_contacts(const scree_world *alone, const scree_world *spread,
                      double to);
/* Contacts and hash of a scene are those of one rank, however space is cut; then it
 * takes a few steps. */
typedef void make_scene(scree_world *world, uint64_t seed);
void try_scene(const scree_comm *comm, make_scene *make, bool planar,
               double to);

double mass_of(const scree_world *world);
/* A step, or some, of moreau. Momentum changes by gravity and walls alone, energy is
 * accounted for, no mass and no body is lost or there twice. */
void step_in_balance(scree_world *world);
void check_balance(scree_world *world, int steps);

/* Cuts space at random, as if points here had random weights, and keeps these
 * cuts: they are not judged by the load. */
void cut_at_random(scree_world *world, scree_random *rng);
/* Cuts at x = -d / 2 first, between what comes from the left and what it is aimed at, and
 * farther out for more than two ranks. These cuts stay, whatever the load. */
void cut_between(scree_world *world, double d);

#endif
