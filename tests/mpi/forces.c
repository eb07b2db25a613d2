/* forces.c: forces, what programs apply, kinematic bodies, groups and callbacks of worlds
 * that are spread over ranks: what a reproducible one does alone, to the bit; and files of
 * several ranks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/scree_forces.h"
#include "engine/world/state.h"
#include "io/hdf5/checkpoint.h"
#include "io/scree_results.h"
#include "tests/mpi/ranks.h"

static const char *const steppers[] = {"moreau", "rattle"};
enum { BODIES = 60, STEPS = 90 };

/* What callbacks saw. */
typedef struct witness {
    int64_t contacts, steps;
} witness;

static scree_status count_contacts(void *context, const scree_world *world,
                                   const scree_contact_view *list, int64_t n) {
    witness *w = context;
    (void)list;
    CHECK(scree_world_contact_count(world) == n);
    w->contacts = n;
    ++w->steps;
    return SCREE_OK;
}

static void sway(void *context, int64_t id, double t, double dt, double v[3],
                 double w[3]) {
    (void)context, (void)dt;
    v[0] = (id % 2 ? 1 : -1) * 0.4 * (t < 0.08 ? 1 : -1);
    v[1] = v[2] = 0;
    w[2] = 3;
}

static void add_forces(scree_world *world) {
    scree_force_def field = scree_force_def_default();
    field.acceleration[0] = 8;
    field.high[0] = 0;
    CHECK_OK(scree_world_add_force(world, &field, NULL));
    scree_force_def wind = scree_force_def_default();
    wind.drag = (scree_drag){.linear = 0.3,
                             .quadratic = 0.5,
                             .spin = 2,
                             .density = 30,
                             .velocity = {0, 2, 0},
                             .buoyancy = true};
    CHECK_OK(scree_world_add_force(world, &wind, NULL));
}

static scree_world *make_empty(const char *stepper) {
    scree_world_def def = def_of(stepper, "pgs", 2000, 1e-6);
    def.reproducible = true;
    def.dt = 2e-3;
    scree_world *world = make_world(&def, 0.4, 0.2);
    add_forces(world);
    add_box(world, 0.5);
    return world;
}

static scree_world *make_storm(const char *stepper) {
    scree_world *world = make_empty(stepper);
    add_cloud(world, BODIES, 0.45, 0.05, 0.04, 0.06, 1, 5);
    return world;
}

/* What a program says in step k, on all ranks. */
static void tell(scree_world *world, int k, witness *w) {
    const scree_callbacks calls = {.contacts = count_contacts, .context = w};
    if (k == 0) {
        CHECK_OK(scree_world_set_callbacks(world, &calls));
        CHECK_OK(scree_world_set_group(world, 11, 2, 2));
        CHECK_OK(scree_world_set_material_group(world, 0, 3, 3));
        CHECK_OK(scree_world_set_kinematic(world, 20, true, sway, NULL));
        CHECK_OK(scree_world_set_kinematic(world, 33, true, sway, NULL));
    }
    if (k == 20)
        CHECK_OK(scree_world_set_gravity(world, (double[3]){2, 0, -8}));
    if (k == 25)
        CHECK_OK(scree_world_set_position(world, 7, (double[3]){0.4, 0.4, 1.5},
                                          NULL));
    if (k == 30)
        CHECK_OK(scree_world_set_kinematic(world, 33, false, NULL, NULL));
    if (k % 7 == 0) {
        CHECK_OK(scree_world_apply_force(world, 3, (double[3]){0, 9, 30},
                                         (double[3]){0, 0.1, 0}));
        CHECK_OK(scree_world_apply_impulse(world, 40 + k / 7,
                                           (double[3]){0.2, 0, 0}, NULL));
        CHECK_OK(scree_world_set_velocity(world, 50, (double[3]){1, 1, 1},
                                          (double[3]){0, 5, 0}));
    }
}

static void check_scalars(const scree_world *alone, const scree_world *spread) {
    const scree_scalars a = scalars_of(alone), b = scalars_of(spread);
    CHECK(a.force_work > 0 && a.force_work == b.force_work);
    CHECK(a.dissipated_drag > 0 && a.dissipated_drag == b.dissipated_drag);
    CHECK(a.wall_work == b.wall_work);
    CHECK_NEAR(b.inserted, a.inserted, 1e-12 * fabs(a.inserted));
}

static void storm__reproducible__as_alone(const scree_comm *comm) {
    for (int s = 0; s < 2; ++s) {
        scree_world *alone = make_storm(steppers[s]),
                    *spread = make_storm(steppers[s]);
        witness one = {0, 0}, many = {0, 0};
        CHECK_OK(scree_world_distribute(spread, comm));
        for (int k = 0; k < STEPS; ++k) {
            tell(alone, k, &one);
            tell(spread, k, &many);
            step(alone, 1);
            step(spread, 1);
            CHECK(scree_world_hash(alone) == scree_world_hash(spread));
            scree_comm_sum_counts(comm, &many.contacts, 1);
            CHECK(one.contacts == many.contacts && one.steps == many.steps);
        }
        check_bodies(spread);
        check_scalars(alone, spread);
        if (s == 0) CHECK_NEAR(energy_defect(spread), 0, 1e-9);
        CHECK(one.contacts > 10);
        scree_world_destroy(alone);
        scree_world_destroy(spread);
    }
}

/* One that is not reproducible keeps its balance. */
static void storm__plain__balances(const scree_comm *comm) {
    scree_world_def def = def_of("moreau", "pgs", 2000, 1e-6);
    scree_world *world = make_world(&def, 0.4, 0.2);
    witness w = {0, 0};
    add_forces(world);
    add_box(world, 0.5);
    add_cloud(world, BODIES, 0.45, 0.05, 0.04, 0.06, 1, 5);
    CHECK_OK(scree_world_distribute(world, comm));
    for (int k = 0; k < STEPS; ++k) {
        tell(world, k, &w);
        step(world, 1);
    }
    check_bodies(world);
    CHECK_NEAR(energy_defect(world), 0, 1e-9);
    scree_world_destroy(world);
}

/* ---- files -------------------------------------------------------------------- */

static void load_over(scree_world *world, const char *path,
                      const scree_comm *comm) {
    scree_error error = {0};
    scree_checkpoint *from;
    CHECK_OK(scree_checkpoint_open(path, &from, &error));
    scree_archive a = scree_checkpoint_archive(from, &error);
    if (comm->size > 1) {
        CHECK_OK(scree_world_load_numbers(world, &a));
        CHECK_OK(scree_world_distribute(world, comm));
        CHECK_OK(scree_world_load_part(world, &a));
    } else {
        CHECK_OK(scree_world_archive(world, &a));
    }
    scree_checkpoint_close(from);
}

/* What waits for a step, groups, gravity and kinematic bodies are in a file of all ranks,
 * which one of them can load, or all. */
static void file__of_ranks__goes_on(const scree_comm *comm) {
    static const char path[] = "forces_of_ranks.checkpoint";
    scree_world *world = make_storm("moreau"), *again[2];
    witness w = {0, 0};
    CHECK_OK(scree_world_distribute(world, comm));
    for (int k = 0; k <= 21; ++k) {
        tell(world, k, &w);
        if (k < 21) step(world, 1);
    }
    CHECK_OK(scree_world_save(world, path, NULL));
    for (int k = 0; k < 2; ++k) again[k] = make_empty("moreau");
    CHECK_OK(scree_world_load(again[0], path, NULL));
    load_over(again[1], path, comm);
    for (int k = 0; k < 2; ++k) {
        CHECK_OK(scree_world_set_material_group(again[k], 0, 3, 3));
        CHECK(scree_world_is_kinematic(again[k], 33));
        CHECK_OK(scree_world_set_kinematic(again[k], 20, true, sway, NULL));
        CHECK_OK(scree_world_set_kinematic(again[k], 33, true, sway, NULL));
    }
    step(world, 20);
    for (int k = 0; k < 2; ++k) {
        step(again[k], 20);
        CHECK(scree_world_hash(again[k]) == scree_world_hash(world));
        check_scalars(world, again[k]);
        scree_world_destroy(again[k]);
    }
    scree_world_destroy(world);
    if (comm->rank == 0) unlink(path);
}

#define TRIAL(name)                                                            \
    { #name, name }
int main(int argc, char **argv) {
    static const scree_trial trials[] = {
        TRIAL(storm__reproducible__as_alone),
        TRIAL(storm__plain__balances),
        TRIAL(file__of_ranks__goes_on),
    };
    return scree_trials_run(argc, argv, trials, sizeof trials / sizeof *trials);
}
