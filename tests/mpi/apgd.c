/* apgd.c: accelerated projected gradients over several ranks: the iterates of one
 * rank, and momentum. */
#include <stdlib.h>
#include <string.h>

#include "engine/world/make.h"
#include "tests/mpi/ranks.h"

enum { SPHERES = 250, CUBES = 40, SETTLE = 250 };

static scree_contact_law law_with_moments(void) {
    return (scree_contact_law){.friction = 0.4,
                               .rolling = 0.004,
                               .drilling = 0.003 * 16 / (3 * SCREE_PI),
                               .anisotropy = {0.3, {1, 2, 3}}};
}

static scree_world_def coarse_def(const char *solver, int iterations,
                                  double tolerance) {
    scree_world_def def = def_of("moreau", solver, iterations, tolerance);
    def.dt = 2e-3;
    def.recovery_velocity = 0;
    return def;
}

static scree_world *empty_world(const scree_world_def *def, bool moments) {
    scree_world *world;
    CHECK_OK(scree_world_create(def, &world));
    scree_material_def material = scree_material_def_default();
    material.law =
        moments ? law_with_moments() : (scree_contact_law){.friction = 0.4};
    CHECK_OK(scree_world_add_material(world, &material, NULL));
    add_box(world, 0.4);
    return world;
}

/* ---- the same iterates ---------------------------------------------------- */

static void add_packing(scree_world *world, bool cubes) {
    scree_random rng = scree_random_stream(3, 1);
    add_cloud(world, SPHERES, 0.4, 0, 0.04, 0.06, 0.3, 31);
    const int shape = cubes ? add_cube(world, 0.08) : 0;
    for (int i = 0; cubes && i < CUBES; ++i)
        add_body(world, shape,
                 vec(-0.3 + 0.15 * (i % 5), -0.3 + 0.15 * (i / 5 % 5),
                     1 + 0.15 * (double)(i / 25)),
                 &rng);
}

/* Spheres grow by this share, which closes their contacts. */
static const double GROWN = 2e-3;

/* The bodies of `from` where they are, at their speeds. */
static void add_copies(scree_world *world, const scree_body_row *from,
                       bool cubes) {
    for (int i = 0; i < SPHERES; ++i)
        add_sphere(world, (1 + GROWN) * from[i].x.r, from[i].x.x, from[i].u.v);
    const int shape = cubes ? add_cube(world, 0.08) : 0;
    for (int i = SPHERES; cubes && i < SPHERES + CUBES; ++i) {
        const scree_body_row *b = &from[i];
        scree_body_def def = scree_body_def_default();
        def.shape = shape;
        vec_to(b->x.x, def.position);
        vec_to(b->u.v, def.velocity);
        def.orientation[0] = b->q.w, def.orientation[1] = b->q.x;
        def.orientation[2] = b->q.y, def.orientation[3] = b->q.z;
        CHECK_OK(scree_world_add_body(world, &def, NULL));
    }
}

/* As rank 0 lets it settle. */
static scree_body_row *settled_packing(const scree_comm *comm, bool cubes,
                                       bool moments) {
    const size_t n = SPHERES + (cubes ? CUBES : 0);
    const scree_world_def def = coarse_def("pgs", 50, 1e-4);
    scree_world *world = empty_world(&def, moments);
    add_packing(world, cubes);
    if (comm->rank == 0) {
        step(world, SETTLE);
        CHECK(scree_world_total_contacts(world) > 400);
    }
    scree_body_row *all = all_bodies(world);
    scree_comm_copy(comm, 0, all, n * sizeof *all);
    scree_world_destroy(world);
    return all;
}

static scree_report report_of(const scree_world *world) {
    scree_report report;
    scree_world_read_report(world, &report);
    return report;
}

static double fastest(const scree_world *world) {
    scree_body_row *all = all_bodies(world);
    double most = 0;
    for (int64_t i = 0; i < world->ranks.n_body; ++i)
        most = fmax(most, norm(all[i].u.v));
    free(all);
    return most;
}

/* Percussions of all contacts, by pair: those of one rank. */
static void check_percussions(const scree_world *alone,
                              const scree_world *spread) {
    int64_t n, m;
    scree_contact_view *a = all_contacts(alone, &n);
    scree_contact_view *b = all_contacts(spread, &m);
    double off = 0, most = 0;
    CHECK(n == m);
    for (int64_t i = 0; i < n; ++i) {
        const scree_vec3 P = vec_from(a[i].percussion);
        CHECK(a[i].a == b[i].a && a[i].b == b[i].b);
        off = fmax(off, norm(sub(P, vec_from(b[i].percussion))));
        most = fmax(most, norm(P));
    }
    /* Sums of other rounding, 50 times; momentum lets them grow. */
    CHECK_NEAR(off, 0, 1e-8 * most);
    free(a);
    free(b);
}

static void try_iterates(const scree_comm *comm, const scree_body_row *packing,
                         int iterations, bool cubes, bool moments) {
    scree_world_def def = coarse_def("apgd", iterations, 0);
    def.gap_control = false; /* one solve in a step, whatever it closes */
    scree_world *alone = empty_world(&def, moments);
    scree_world *spread = empty_world(&def, moments);
    add_copies(alone, packing, cubes);
    add_copies(spread, packing, cubes);
    CHECK_OK(scree_world_distribute(spread, comm));
    step(alone, 1);
    step(spread, 1);
    const scree_report a = report_of(alone), b = report_of(spread);
    CHECK(a.iterations == iterations && b.iterations == iterations);
    CHECK(scree_world_contact_count(alone) > 100);
    CHECK_NEAR(b.residual, a.residual, 1e-8 * a.residual);
    CHECK_NEAR(fast_apart(alone, spread), 0, 1e-10 * fastest(alone));
    check_percussions(alone, spread);
    check_bodies(spread);
    scree_world_destroy(alone);
    scree_world_destroy(spread);
}

static void try_packing(const scree_comm *comm, bool cubes, bool moments) {
    scree_body_row *packing = settled_packing(comm, cubes, moments);
    try_iterates(comm, packing, 5, cubes, moments);
    try_iterates(comm, packing, 50, cubes, moments);
    free(packing);
}

static void iterates__spheres__those_of_one_rank(const scree_comm *comm) {
    try_packing(comm, false, false);
}

static void
iterates__cubes_and_moments__those_of_one_rank(const scree_comm *comm) {
    try_packing(comm, true, true);
}

/* ---- momentum ------------------------------------------------------------- */

/* Without walls and gravity: balls that meet at the centre. */
static void momentum__swarm__conserved(const scree_comm *comm) {
    scree_world_def def = def_of("moreau", "apgd", 60, 1e-6);
    memset(def.gravity, 0, sizeof def.gravity);
    scree_world *world = make_world(&def, 0.4, 0.3);
    scree_random rng = scree_random_stream(21, 0);
    for (int i = 0; i < 300; ++i) {
        const scree_vec3 x = random_vec(&rng, 0.4);
        add_sphere(world, scree_random_range(&rng, 0.02, 0.05), x,
                   add(scale(-1.5, x), cross(vec(0.2, 0.4, 1), x)));
    }
    CHECK_OK(scree_world_distribute(world, comm));
    const scree_scalars start = scalars_of(world);
    int64_t contacts = 0;
    for (int k = 0; k < 40; ++k) {
        if (k % 20 == 10) cut_at_random(world, &rng);
        step(world, 1);
        const scree_scalars now = scalars_of(world);
        contacts += now.contacts;
        for (int i = 0; i < 3; ++i)
            CHECK_NEAR(now.momentum[i], start.momentum[i], 1e-11);
        CHECK_NEAR(energy_defect(world), 0, 1e-10 * start.inserted);
    }
    CHECK(contacts > 40 * 50);
    check_bodies(world);
    scree_world_destroy(world);
}

#define TRIAL(name)                                                            \
    { #name, name }
int main(int argc, char **argv) {
    static const scree_trial trials[] = {
        TRIAL(iterates__spheres__those_of_one_rank),
        TRIAL(iterates__cubes_and_moments__those_of_one_rank),
        TRIAL(momentum__swarm__conserved),
    };
    return scree_trials_run(argc, argv, trials, sizeof trials / sizeof *trials);
}
