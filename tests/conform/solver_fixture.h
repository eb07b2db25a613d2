/* solver_fixture.h: inclusion problems for the tests of solvers, and what makes a
 * solution. */
#ifndef SCREE_TESTS_SOLVER_FIXTURE_H
#define SCREE_TESTS_SOLVER_FIXTURE_H

#include "engine/base/random.h"
#include "solvers/problem/method.h"
#include "tests/support.h"

#define FOR_EACH_SOLVER(ops)                                                   \
    const scree_method *ops;                                                   \
    for (int s_ = 0; (ops = scree_method_on(SCREE_LAYOUT_LANES, s_)); ++s_)

typedef struct fixture {
    scree_problem p;
    scree_twist *u_free;
    scree_sym3 *inv_I; /* NULL: round contacts only */
    scree_arena scratch;
} fixture;

/* general: with room for general contacts and inertia tensors. */
fixture new_kind(int32_t n_body, int64_t n_contact, bool general);
fixture new_fixture(int32_t n_body, int64_t n_contact);
void free_fixture(fixture *f);
void set_body(fixture *f, int i, double m, double r, scree_vec3 v,
              scree_vec3 w);
/* One contact after another, its blocks in the order in which colours need them:
 * another way to places than that of worlds (solvers/problem/colours.h). */
void add_row(scree_problem *p, const scree_row *row);
void add_contact(fixture *f, int a, int b, scree_vec3 n, double arm_a,
                 double arm_b, double mu, scree_vec3 c);
/* A general contact without arms: of point masses, or of bodies that cannot turn. */
void add_touch(fixture *f, int a, int b, scree_vec3 n, double mu);
void keep_u_free(fixture *f);
/* u = u_free, P = 0, M = 0. */
void restart(fixture *f);
/* Solves from u_free and P = 0. */
scree_report solve(fixture *f, const char *method, double tolerance);
/* Does the method take the problem? One that does not must say so. */
bool takes(const scree_method *ops, fixture *f);
/* Worst violation of u = u_free + M^-1 W P, by the definition of W. */
double momentum_defect(const fixture *f);
/* Worst violation of the laws, in m/s. */
double law_defect(const fixture *f);
/* Do both have the same velocities and percussions, bit by bit? */
void assert_same_bits(const fixture *f, const fixture *g);
/* What the residual is relative to [m/s]. */
double size_of(const fixture *f);
/* A positive tensor about `size`. */
scree_sym3 random_tensor(scree_random *rng, double size);
scree_vec3 random_vec(scree_random *rng, double size);
/* A bed without geometry: every body touches a few random others. */
fixture random_kind(int n_body, int n_contact, double mu, bool general);
fixture random_bed(int n_body, int n_contact, double mu);
/* Of the general contacts every `of_each`-th gets an ellipse with random axes for
 * its friction: ratio in [1/4, 4]. */
void make_ovals(fixture *f, int of_each);
/* Every solver of the table that takes the problem solves it, and agrees with the
 * dense reference: for problems with one solution. */
void check_all(fixture *f, double tolerance);

#endif
