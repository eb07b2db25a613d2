/* methods.c: which solvers run on several ranks. */
#include <stdio.h>
#include <string.h>

#include "solvers/solver.h"
#include "tests/mpi/ranks.h"

/* Is `name` a word of the text? */
static bool names(const char *text, const char *name) {
    const size_t n = strlen(name);
    for (const char *at = text; (at = strstr(at, name)); ++at)
        if (at[-1] == ' ' && (at[n] == 0 || strchr(", ", at[n])))
            return true;
    return false;
}

/* A refusal names itself and all that could take its place, none besides. */
static void check_refusal(const char *text, const scree_solver_ops *refused) {
    char self[40];
    snprintf(self, sizeof self, "solver '%s' runs on one rank", refused->name);
    CHECK(strstr(text, self));
    const char *remedy = strstr(text, "on several, use ");
    CHECK(remedy);
    const scree_solver_ops *ops;
    for (int i = 0; (ops = scree_solver_get(i)); ++i)
        CHECK(names(remedy, ops->name) == ops->over_ranks);
}

/* Every solver of the table makes a step on all ranks, or says what would. */
static void methods__each_of_the_table__runs_or_is_refused(
    const scree_comm *comm) {
    const scree_solver_ops *ops;
    int taken = 0, refused = 0;
    for (int i = 0; (ops = scree_solver_get(i)); ++i) {
        const scree_world_def def = def_of("moreau", ops->name, 20, 1e-6);
        scree_world *world = make_world(&def, 0, 0);
        add_box(world, 0.3);
        add_cloud(world, 20, 0.3, 0, 0.04, 0.06, 0.1, 3);
        const scree_status status = scree_world_distribute(world, comm);
        if (comm->size == 1 || ops->over_ranks) {
            CHECK_OK(status);
            step(world, 50);
            check_bodies(world);
            ++taken;
        } else {
            CHECK(status == SCREE_BAD_ARGUMENT);
            check_refusal(scree_world_error(world), ops);
            ++refused;
        }
        scree_world_destroy(world);
    }
    CHECK(taken >= 3);
    CHECK((refused > 0) == (comm->size > 1));
}

/* The sentence as it reads. */
static void methods__names__as_in_a_sentence(const scree_comm *comm) {
    (void)comm;
    char text[200];
    scree_solver_name_over_ranks(text, sizeof text);
    CHECK(strcmp(text, "pgs, jacobi or apgd") == 0);
}

#define TRIAL(name)                                                            \
    { #name, name }
int main(int argc, char **argv) {
    static const scree_trial trials[] = {
        TRIAL(methods__each_of_the_table__runs_or_is_refused),
        TRIAL(methods__names__as_in_a_sentence),
    };
    return scree_trials_run(argc, argv, trials, sizeof trials / sizeof *trials);
}
