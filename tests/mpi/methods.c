/* methods.c: which solvers run on several ranks. */
#include <stdio.h>
#include <string.h>

#include "engine/system/stepper.h"
#include "engine/world/make.h"
#include "engine/world/ranks.h"
#include "solvers/problem/method.h"
#include "tests/mpi/ranks.h"

/* Is `name` a word of the text? */
static bool names(const char *text, const char *name) {
    const size_t n = strlen(name);
    for (const char *at = text; (at = strstr(at, name)); ++at)
        if (at[-1] == ' ' && (at[n] == 0 || strchr(", ", at[n]))) return true;
    return false;
}

/* A refusal names itself and all that could take its place, none besides. */
static void check_refusal(const char *text, const scree_method *refused) {
    char self[80];
    snprintf(self, sizeof self, "%s does not run on worlds on several ranks",
             refused->name);
    CHECK(strstr(text, self) == text);
    const char *remedy = strstr(text, ", which ");
    CHECK(remedy);
    const scree_method *ops;
    for (int i = 0; (ops = scree_method_on(SCREE_LAYOUT_LANES, i)); ++i)
        CHECK(names(remedy, ops->name) == !(ops->lacks & SCREE_NEED_RANKS));
}

/* A few spheres that fall into a box, with a stepper and a solver. */
static scree_world *make_box(const char *stepper, const char *solver) {
    const scree_world_def def = def_of(stepper, solver, 20, 1e-6);
    scree_world *world = make_world(&def, 0, 0);
    add_box(world, 0.3);
    add_cloud(world, 20, 0.3, 0, 0.04, 0.06, 0.1, 3);
    return world;
}

typedef struct tally {
    int taken, refused;
} tally;

static void try_method(const scree_comm *comm, const char *stepper,
                       const scree_method *ops, tally *t) {
    const scree_world_def def = def_of(stepper, ops->name, 20, 1e-6);
    char why[SCREE_REFUSAL];
    if (scree_world_ties_friction(&def, why,
                                  sizeof why)) { /* on one rank neither */
        scree_world *none;
        CHECK(scree_world_create(&def, &none) == SCREE_BAD_ARGUMENT);
        CHECK(strstr(why, ops->name) == why);
        return;
    }
    scree_world *world = make_box(stepper, ops->name);
    const scree_status status = scree_world_distribute(world, comm);
    if (comm->size == 1 || !(ops->lacks & SCREE_NEED_RANKS)) {
        CHECK_OK(status);
        step(world, 50);
        check_bodies(world);
        CHECK(scree_world_total(world, (double)world->accounts.cost.contacts) >
              0);
        ++t->taken;
    } else {
        CHECK(status == SCREE_BAD_ARGUMENT);
        check_refusal(scree_world_error(world), ops);
        ++t->refused;
    }
    scree_world_destroy(world);
}

/* Steps that are taken back would have to fetch bodies from other ranks. */
static void refuse_stepper(const scree_comm *comm, const scree_world_def *def) {
    scree_world *world;
    CHECK(scree_world_create(def, &world) == SCREE_OK);
    CHECK(scree_world_distribute(world, comm) == SCREE_BAD_ARGUMENT);
    CHECK(strstr(scree_world_error(world), def->stepper));
    CHECK(strstr(scree_world_error(world), "several ranks"));
    scree_world_destroy(world);
}

/* Every solver with every stepper that runs worlds: it makes steps on all ranks, or
 * says what would. */
static void
methods__each_of_both_tables__runs_or_is_refused(const scree_comm *comm) {
    const scree_method *solver;
    const scree_stepper_ops *stepper;
    tally t = {0};
    int steppers = 0;
    for (int s = 0; (stepper = scree_stepper_get(s)); ++s) {
        scree_world_def def = def_of(stepper->name, "pgs", 20, 1e-6);
        scree_world *world;
        if (!scree_stepper_runs_worlds(stepper)) { /* of models */
            CHECK(scree_world_create(&def, &world) == SCREE_BAD_ARGUMENT);
            continue;
        }
        if (stepper->world_step && comm->size > 1) {
            refuse_stepper(comm, &def);
            continue;
        }
        ++steppers;
        for (int i = 0; (solver = scree_method_on(SCREE_LAYOUT_LANES, i)); ++i)
            try_method(comm, stepper->name, solver, &t);
    }
    CHECK(steppers >= 4); /* moreau, rattle, two semi-implicit ones */
    CHECK(t.taken >= 2 * steppers);
    CHECK((t.refused > 0) == (comm->size > 1));
}

/* The sentence as it reads. */
static void methods__names__as_in_a_sentence(const scree_comm *comm) {
    (void)comm;
    char text[SCREE_REFUSAL];
    scree_method_refuse(scree_method_find("auto"), SCREE_LAYOUT_LANES,
                        SCREE_NEED_RANKS, text, sizeof text);
    CHECK(strcmp(text, "auto does not run on worlds on several ranks, which "
                       "pgs, jacobi and apgd do") == 0);
}

#define TRIAL(name)                                                            \
    { #name, name }
int main(int argc, char **argv) {
    static const scree_trial trials[] = {
        TRIAL(methods__each_of_both_tables__runs_or_is_refused),
        TRIAL(methods__names__as_in_a_sentence),
    };
    return scree_trials_run(argc, argv, trials, sizeof trials / sizeof *trials);
}
