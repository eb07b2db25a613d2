/* domain_solve.c: one inclusion problem over several ranks: momentum, energy,
 * convergence, and trajectories as on one rank. */
#include <stdlib.h>
#include <string.h>

#include "engine/world/make.h"
#include "tests/mpi/ranks.h"

/* The same world twice: on this rank alone, and over all. */
typedef struct twins {
    scree_world *alone, *spread;
} twins;

typedef void fill_world(scree_world *world);

static twins make_twins(const scree_comm *comm, const scree_world_def *def,
                        double mu, double e_n, fill_world *fill) {
    twins t = {make_world(def, mu, e_n), make_world(def, mu, e_n)};
    fill(t.alone);
    fill(t.spread);
    CHECK_OK(scree_world_distribute(t.spread, comm));
    return t;
}

static void destroy_twins(twins *t) {
    scree_world_destroy(t->alone);
    scree_world_destroy(t->spread);
}

/* ---- conservation -------------------------------------------------------- */

/* Bodies that fly at a common centre, and one that they spin about. */
static void add_cluster(scree_world *world) {
    scree_random rng = scree_random_stream(21, 0);
    const int cube = add_cube(world, 0.08);
    for (int i = 0; i < 300; ++i) {
        const scree_vec3 x = random_vec(&rng, 0.4);
        const scree_vec3 v = add(scale(-1.5, x), cross(vec(0.2, 0.4, 1), x));
        if (i % 4 == 0) {
            add_body(world, cube, x, &rng);
        } else {
            add_sphere(world, scree_random_range(&rng, 0.02, 0.05), x, v);
        }
    }
    add_sphere(world, 0.15, vec(0, 0, 0), vec(0.3, 0, 0));
}

/* No body twice in a colour, and those of shared bodies first. */
static void check_colours(const scree_world *world) {
    const scree_contacts *c = &world->state.contacts;
    const int32_t n = world->state.bodies.n;
    uint64_t *used = calloc((size_t)n + 1, sizeof *used);
    CHECK(used);
    for (int64_t i = 0; i < c->n; ++i) {
        const int32_t a = c->list[i].a, b = c->list[i].b < 0 ? n : c->list[i].b;
        const int colour = c->colours[i];
        const bool border =
            scree_problem_at_border(&world->state.problem, a, b);
        const uint64_t bit = UINT64_C(1) << colour;
        CHECK(!world->ranks.domain || border == (colour <= SCREE_AT_BORDER));
        if (colour == (border ? SCREE_AT_BORDER : SCREE_OVERFLOW)) continue;
        CHECK(!(used[a] & bit) && (b == n || !(used[b] & bit)));
        used[a] |= bit, used[b] |= bit;
    }
    free(used);
}

static void try_cluster(const scree_comm *comm, const char *solver,
                        double energy) {
    scree_world_def def = def_of("moreau", solver, 80, 1e-6);
    memset(def.gravity, 0, sizeof def.gravity);
    scree_world *world = make_world(&def, 0.4, 0.3);
    add_cluster(world);
    CHECK_OK(scree_world_distribute(world, comm));
    scree_random rng = scree_random_stream(1, 2);
    const scree_scalars start = scalars_of(world);
    for (int k = 0; k < 60; ++k) {
        if (k % 20 == 10) cut_at_random(world, &rng);
        step(world, 1);
        const scree_scalars now = scalars_of(world);
        CHECK(now.contacts > 50 || k > 40);
        CHECK(now.kinetic <= start.kinetic); /* overlap gives no energy */
        for (int i = 0; i < 3; ++i)
            CHECK_NEAR(now.momentum[i], start.momentum[i], 1e-11);
        CHECK_NEAR(energy_defect(world), 0, energy * start.inserted);
        check_colours(world);
    }
    scree_cost cost;
    scree_world_read_cost(world, &cost);
    CHECK(cost.chosen < 0.9 * (double)cost.contacts); /* others kept theirs */
    check_bodies(world);
    scree_world_destroy(world);
}

/* Free rotation of cubes leaves dt^2 in the energy. */
static void conserve__cluster__momentum_to_rounding(const scree_comm *comm) {
    try_cluster(comm, "pgs", 1e-4);
    try_cluster(comm, "jacobi", 1e-4);
}

/* Rows of spheres that fly at each other; none overlaps at the start. */
static void add_crash(scree_world *world) {
    scree_random rng = scree_random_stream(22, 0);
    for (int i = 0; i < 125; ++i) {
        const scree_vec3 x = {0.11 * (i % 5) - 0.22, 0.11 * (i / 5 % 5) - 0.22,
                              0.11 * (int)(i / 25) - 0.22};
        add_sphere(world, 0.05, add(x, random_vec(&rng, 0.004)),
                   add(scale(-4, x), cross(vec(0.2, 0.4, 1), x)));
    }
}

static void conserve__rattle__momentum_to_rounding(const scree_comm *comm) {
    scree_world_def def = def_of("rattle", "pgs", 100, 1e-6);
    memset(def.gravity, 0, sizeof def.gravity);
    scree_world *world = make_world(&def, 0.4, 0.3);
    add_crash(world);
    CHECK_OK(scree_world_distribute(world, comm));
    scree_random rng = scree_random_stream(1, 3);
    const scree_scalars start = scalars_of(world);
    int64_t met = 0;
    for (int k = 0; k < 30; ++k) {
        if (k % 10 == 5) cut_at_random(world, &rng);
        step(world, 1);
        const scree_scalars now = scalars_of(world);
        met += now.contacts;
        for (int i = 0; i < 3; ++i)
            CHECK_NEAR(now.momentum[i], start.momentum[i], 1e-11);
        check_bodies(world);
    }
    CHECK(met > 300);
    scree_world_destroy(world);
}

static void add_spin(scree_world *world) {
    scree_random rng = scree_random_stream(23, 0);
    for (int i = 0; i < 200; ++i) {
        const scree_vec3 x = random_vec(&rng, 0.4);
        add_sphere(world, scree_random_range(&rng, 0.03, 0.08), x,
                   add(scale(-1, x), cross(vec(0.2, 0.4, 1), x)));
    }
}

/* Of spheres angular momentum too; overlap recovery moves centres, so it is
 * off. */
static void conserve__spheres__angular_momentum(const scree_comm *comm) {
    scree_world_def def = def_of("moreau", "pgs", 80, 1e-6);
    memset(def.gravity, 0, sizeof def.gravity);
    def.recovery_velocity = 0;
    twins t = make_twins(comm, &def, 0.4, 0.3, add_spin);
    const scree_scalars start = scalars_of(t.spread);
    double off = 0, off_alone = 0;
    for (int k = 0; k < 40; ++k) {
        step(t.spread, 1);
        step(t.alone, 1);
        const scree_scalars now = scalars_of(t.spread);
        const scree_scalars then = scalars_of(t.alone);
        const scree_vec3 L = vec_from(start.angular_momentum);
        off = fmax(off, norm(sub(vec_from(now.angular_momentum), L)));
        off_alone =
            fmax(off_alone, norm(sub(vec_from(then.angular_momentum), L)));
        CHECK_NEAR(energy_defect(t.spread), 0, 1e-11 * start.inserted);
    }
    CHECK(off <= fmax(1e-11, 4 * off_alone));
    destroy_twins(&t);
}

/* ---- convergence --------------------------------------------------------- */

enum { BED = 600, SETTLE = 300, STEPS = 40 };

static void add_bed(scree_world *world, const scree_body_row *all) {
    add_box(world, 0.4);
    if (!all) add_cloud(world, BED, 0.4, 0, 0.04, 0.06, 0, 31);
    for (int64_t i = 0; all && i < BED; ++i)
        add_sphere(world, all[i].x.r, all[i].x.x, all[i].u.v);
}

/* A bed that all ranks let settle together. */
static scree_body_row *settle(const scree_comm *comm,
                              const scree_world_def *def) {
    scree_world *world = make_world(def, 0.4, 0);
    add_bed(world, NULL);
    CHECK_OK(scree_world_distribute(world, comm));
    step(world, SETTLE);
    scree_body_row *all = all_bodies(world);
    scree_world_destroy(world);
    return all;
}

typedef struct effort {
    int64_t sweeps;
    double potential;
} effort;

static int64_t sweeps_over(scree_world *world, int steps) {
    const int64_t before = sweeps_of(world);
    for (int k = 0; k < steps; ++k) {
        step(world, 1);
        scree_report report;
        scree_world_read_report(world, &report);
        CHECK(report.converged);
        CHECK(report.residual <= world->def.solver.tolerance);
    }
    return sweeps_of(world) - before;
}

/* The first steps have no percussions to start from. */
static effort spend(const scree_comm *comm, const scree_world_def *def,
                    const scree_body_row *bed) {
    scree_world *world = make_world(def, 0.4, 0);
    add_bed(world, bed);
    CHECK_OK(scree_world_distribute(world, comm));
    sweeps_over(world, 10);
    const effort e = {sweeps_over(world, STEPS), scalars_of(world).potential};
    scree_world_destroy(world);
    return e;
}

static void converge__settled_bed__sweeps_of_one_rank(const scree_comm *comm) {
    scree_world_def def = def_of("moreau", "pgs", 2000, 1e-4);
    scree_body_row *bed = settle(comm, &def);
    const effort spread = spend(comm, &def, bed);
    effort alone = {0};
    if (comm->rank == 0) alone = spend(scree_comm_alone(), &def, bed);
    scree_comm_copy(comm, 0, &alone, sizeof alone);
    CHECK((double)spread.sweeps <= 1.3 * (double)alone.sweeps);
    CHECK_NEAR(spread.potential, alone.potential, 1e-3 * alone.potential);
    free(bed);
}

/* ---- the same iterates --------------------------------------------------- */

static void add_heap(scree_world *world) {
    scree_random rng = scree_random_stream(41, 0);
    add_box(world, 0.5);
    for (int i = 0; i < 500; ++i) {
        const scree_vec3 x = random_vec(&rng, 0.5);
        add_sphere(world, scree_random_range(&rng, 0.03, 0.08),
                   vec(x.x, x.y, x.z + 0.5), random_vec(&rng, 0.5));
    }
    add_sphere(world, 0.3, vec(0, 0, 0.4), vec(0, 0, -1));
}

static void add_heap_of_cubes(scree_world *world) {
    scree_random rng = scree_random_stream(43, 0);
    add_heap(world);
    const int cube = add_cube(world, 0.1);
    for (int i = 0; i < 100; ++i) {
        const scree_vec3 x = random_vec(&rng, 0.5);
        add_body(world, cube, vec(x.x, x.y, x.z + 0.5), &rng);
    }
}

static void try_jacobi(const scree_comm *comm, int sweeps, fill_world *fill) {
    scree_world_def def = def_of("moreau", "jacobi", sweeps, 0);
    def.recovery_velocity = 0;
    def.solver.clusters = 0; /* which end at the border of a rank */
    twins t = make_twins(comm, &def, 0.4, 0, fill);
    step(t.alone, 1);
    step(t.spread, 1);
    scree_body_row *all = all_bodies(t.alone);
    double fastest = 0;
    for (int64_t i = 0; i < t.alone->ranks.n_body; ++i)
        fastest = fmax(fastest, norm(all[i].u.v));
    CHECK(fastest > 0.5);
    CHECK_NEAR(fast_apart(t.alone, t.spread), 0, 1e-12 * fastest);
    free(all);
    destroy_twins(&t);
}

static void jacobi__one_step__iterates_of_one_rank(const scree_comm *comm) {
    try_jacobi(comm, 5, add_heap);
    try_jacobi(comm, 50, add_heap);
    try_jacobi(comm, 5, add_heap_of_cubes);
    try_jacobi(comm, 50, add_heap_of_cubes);
}

/* Pairs that meet head on, all over space, and meet no other. */
static void add_pairs(scree_world *world) {
    scree_random rng = scree_random_stream(51, 0);
    for (int i = 0; i < 64; ++i) {
        const scree_vec3 c = vec(i % 4, i / 4 % 4, (int)(i / 16));
        const scree_vec3 d = random_vec(&rng, 0.05);
        const scree_vec3 v = random_vec(&rng, 0.05);
        const double way = scree_random_range(&rng, 0.11, 0.3);
        add_sphere(world, 0.1, add(add(c, d), vec(way, 0, 0)),
                   add(v, vec(-1, 0, 0)));
        add_sphere(world, 0.1, sub(c, vec(way, 0, 0)), add(v, vec(1, 0, 0)));
    }
}

static void try_pairs(const scree_comm *comm, const char *stepper,
                      const char *solver) {
    scree_world_def def = def_of(stepper, solver, 1000, 1e-14);
    memset(def.gravity, 0, sizeof def.gravity);
    def.gap_control =
        false; /* at borders hits are taken at midpoints (meet.c) */
    twins t = make_twins(comm, &def, 0.3, 0.6, add_pairs);
    scree_random rng = scree_random_stream(6, 6);
    int64_t met = 0;
    for (int k = 0; k < 400; ++k) {
        if (k % 20 == 5) cut_at_random(t.spread, &rng);
        step(t.alone, 1);
        step(t.spread, 1);
        met += scree_world_total_contacts(t.spread);
    }
    CHECK(met >= 64);
    CHECK_NEAR(far_apart(t.alone, t.spread), 0, 1e-10);
    CHECK_NEAR(fast_apart(t.alone, t.spread), 0, 1e-10);
    destroy_twins(&t);
}

static void dilute__moreau__trajectories_of_one_rank(const scree_comm *comm) {
    try_pairs(comm, "moreau", "pgs");
    try_pairs(comm, "moreau", "jacobi");
}

static void dilute__rattle__trajectories_of_one_rank(const scree_comm *comm) {
    try_pairs(comm, "rattle", "pgs");
}

/* ---- the plane ----------------------------------------------------------- */

static void add_tray(scree_world *world) {
    scree_random rng = scree_random_stream(61, 0);
    add_plane(world, vec(0, 0, 0), vec(0, 1, 0));
    add_plane(world, vec(-1, 0, 0), vec(1, 0, 0));
    add_plane(world, vec(1, 0, 0), vec(-1, 0, 0));
    scree_shape_def def = scree_shape_def_default();
    const double corners[] = {0.06, 0, 0, 0, 0.06, 0, -0.06, 0, 0, 0, -0.06, 0};
    int shape;
    def.kind = SCREE_SHAPE_POLYGON;
    def.points = corners, def.n_point = 4;
    CHECK_OK(scree_world_add_shape(world, &def, &shape));
    for (int i = 0; i < 120; ++i) {
        const scree_vec3 x = {-0.9 + 0.15 * (i % 13),
                              0.1 + 0.15 * (int)(i / 13), 0};
        if (i % 3 == 0)
            add_body(world, shape, x, &rng);
        else
            add_sphere(world, 0.06, x,
                       vec(scree_random_range(&rng, -1, 1), 0, 0));
    }
}

static void plane__discs_and_polygons__stay_in_it(const scree_comm *comm) {
    scree_world_def def = def_of("moreau", "pgs", 200, 1e-6);
    def.planar = true;
    def.gravity[2] = 0, def.gravity[1] = -9.81;
    twins t = make_twins(comm, &def, 0.3, 0, add_tray);
    for (int k = 0; k < 300; ++k) {
        step(t.alone, 1);
        step(t.spread, 1);
        if (k % 5 == 0) check_bodies(t.spread);
    }
    scree_body_row *all = all_bodies(t.spread);
    for (int64_t i = 0; i < t.spread->ranks.n_body; ++i) {
        CHECK(all[i].x.x.z == 0 && all[i].u.v.z == 0);
        CHECK(all[i].q.x == 0 && all[i].q.y == 0 && all[i].u.w.x == 0);
        CHECK(all[i].x.x.y > 0.03 && fabs(all[i].x.x.x) < 0.97);
    }
    const double height = scalars_of(t.alone).potential;
    CHECK_NEAR(scalars_of(t.spread).potential, height, 0.05 * height);
    free(all);
    destroy_twins(&t);
}

#define TRIAL(name)                                                            \
    { #name, name }
int main(int argc, char **argv) {
    static const scree_trial trials[] = {
        TRIAL(conserve__cluster__momentum_to_rounding),
        TRIAL(conserve__rattle__momentum_to_rounding),
        TRIAL(conserve__spheres__angular_momentum),
        TRIAL(jacobi__one_step__iterates_of_one_rank),
        TRIAL(dilute__moreau__trajectories_of_one_rank),
        TRIAL(dilute__rattle__trajectories_of_one_rank),
        TRIAL(plane__discs_and_polygons__stay_in_it),
        TRIAL(converge__settled_bed__sweeps_of_one_rank),
    };
    return scree_trials_run(argc, argv, trials, sizeof trials / sizeof *trials);
}
