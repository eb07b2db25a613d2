/* Bodies that come near each other in a step, over ranks: hits at borders are those of
 * the law, crowds do not overlap, and in a reproducible world every bit is that of one
 * rank. */
#include <stdlib.h>

#include "engine/base/parallel.h"
#include "engine/world/make.h"
#include "engine/world/ranks.h"
#include "tests/mpi/ranks.h"
#include "tests/setting_of.h"

static const double D = 0.01;

static scree_world_def settings(double dt, double gravity, bool planar) {
    scree_world_def def = scree_world_def_default();
    def.dt = dt;
    def.threads = 1;
    def.planar = planar;
    def.gravity[planar ? 2 : 1] = 0;
    def.gravity[planar ? 1 : 2] = -gravity;
    return def;
}

/* ---- shots -------------------------------------------------------------------- */

enum { SHOTS = 60 };

/* The impact parameter of shot k over the diameter, and sizes that it goes in a step. */
static double side_of(int k) {
    return 0.9 * (k % 10) / 9.0;
}
static double sizes_of(int k) {
    return k % 3 ? 0.3 : 1.7;
}

/* Each shot is aimed at a sphere at rest, far from the others. */
static void add_shots(scree_world *world) {
    scree_random rng = {5};
    for (int k = 0; k < SHOTS; ++k) {
        const scree_vec3 at = vec(0, 0.5 * (k % 8), 0.5 * (int)(k / 8));
        const double sizes = sizes_of(k), v = sizes * D / world->def.dt;
        const double far = (1 + (3 + sizes) * scree_random_unit(&rng)) * D;
        const double turn = scree_random_range(&rng, 0, 6.28);
        const scree_vec3 side =
            vec(0, side_of(k) * D * cos(turn), side_of(k) * D * sin(turn));
        add_sphere(world, D / 2, add(at, add(vec(-far, 0, 0), side)),
                   vec(v, 0, 0));
        add_sphere(world, D / 2, at, vec(0, 0, 0));
    }
}

/* Half of the energy is that of the relative motion, of which the part along the
 * normal, cos^2 = 1 - b^2, loses 1 - e^2. */
static void check_shots(const scree_world *world, double e) {
    scree_body_row *all = all_bodies(world);
    for (int k = 0; k < SHOTS; ++k) {
        const scree_vec3 v = all[2 * k].u.v, w = all[2 * k + 1].u.v;
        const double speed = sizes_of(k) * D / world->def.dt, b = side_of(k);
        const double left = 1 - 0.5 * (1 - e * e) * (1 - b * b);
        CHECK_NEAR((dot(v, v) + dot(w, w)) / (speed * speed), left, 1e-12);
    }
    free(all);
}

/* Contacts of two bodies that met each other and belong to different ranks. */
static double meetings_at_border(const scree_world *world) {
    const scree_bodies *b = &world->state.bodies;
    double n = 0;
    for (int64_t i = 0; world->ranks.domain && i < world->state.contacts.n;
         ++i) {
        const scree_contact *c = &world->state.contacts.list[i];
        n += c->b >= 0 && b->lead[c->a] > 0 && b->owner[c->a] != b->owner[c->b];
    }
    return scree_world_total(world, n);
}

static double worst_change(const double *a, const double *b) {
    return fmax(fabs(a[0] - b[0]), fmax(fabs(a[1] - b[1]), fabs(a[2] - b[2])));
}

static void shoot_all(const scree_comm *comm, double e, bool reproducible) {
    scree_world_def def = settings(1e-3, 0, false);
    double at_border = 0;
    def.reproducible = reproducible;
    scree_world *world = make_world(&def, 0, e);
    add_shots(world);
    const scree_scalars before = scalars_of(world);
    CHECK_OK(scree_world_distribute(world, comm));
    cut_between(world, D);
    for (int k = 0; k < 18; ++k) {
        step(world, 1);
        at_border += meetings_at_border(world);
    }
    check_bodies(world);
    check_shots(world, e);
    const scree_scalars after = scalars_of(world);
    const double p = norm(vec_from(before.momentum));
    CHECK(worst_change(before.momentum, after.momentum) < 1e-13 * p);
    CHECK(worst_change(before.angular_momentum, after.angular_momentum) <
          1e-13 * p);
    CHECK(comm->size == 1 || at_border >= SHOTS / 3);
    scree_world_destroy(world);
}

static void shots__across_borders__hit_as_the_law_says(const scree_comm *comm) {
    for (int k = 0; k < 4; ++k) shoot_all(comm, k % 2 ? 0.4 : 1, k > 1);
}

/* ---- a gas ------------------------------------------------------------------------ */

/* Some meet alone, others have a third one in the way, on this rank or on another. */
static uint64_t run_gas(scree_world *world, double *at_border) {
    scree_random rng = {13};
    *at_border = 0;
    for (int k = 0; k < 60; ++k) {
        if (k % 3 == 0) cut_at_random(world, &rng);
        step(world, 1);
        *at_border += meetings_at_border(world);
    }
    check_bodies(world);
    const uint64_t hash = scree_world_hash(world);
    scree_world_destroy(world);
    return hash;
}

static scree_world *make_gas(void) {
    scree_world_def def = settings(1e-3, 0, false);
    def.reproducible = true;
    scree_world *world = make_world(&def, 0, 0.9);
    add_box(world, 5 * D);
    add_cloud(world, 300, 5 * D, 0, 0.4 * D, 0.6 * D, 0.6 * D / def.dt, 21);
    return world;
}

static void
gas__reproducible__has_the_bits_of_one_rank(const scree_comm *comm) {
    double at_border;
    uint64_t alone = 0;
    if (comm->rank == 0) alone = run_gas(make_gas(), &at_border);
    scree_comm_copy(comm, 0, &alone, sizeof alone);
    scree_world *world = make_gas();
    CHECK_OK(scree_world_distribute(world, comm));
    CHECK(run_gas(world, &at_border) == alone);
    CHECK(comm->size == 1 || at_border > 20);
}

/* ---- lists ------------------------------------------------------------------------ */

/* A fast sphere hits a slow one, which to meet it comes near to a third one: so far
 * from it that it depends on when a list is built whether it knows of the two. */
static void add_triple(scree_world *world, scree_vec3 at, scree_random *rng) {
    const double per_step = D / world->def.dt;
    const double gap = scree_random_range(rng, 0.3, 0.8);
    const double far = 1 + 1.7 * scree_random_range(rng, 1, 5);
    add_sphere(world, D / 2, add_scaled(at, D, vec(-far, -0.3, 0)),
               vec(1.7 * per_step, 0, 0));
    add_sphere(world, D / 2, at, vec(-0.05 * per_step, 0, 0));
    add_sphere(
        world, D / 2,
        add_scaled(at, D, vec(-sqrt((1 + gap) * (1 + gap) - 0.5), 0.72, 0)),
        vec(0, 0, 0));
}

static uint64_t run_triples(const scree_comm *comm, bool every_step) {
    scree_world_def def = settings(1e-3, 0, false);
    scree_random rng = {17};
    def.reproducible = true;
    scree_world *world = make_world(&def, 0, 0.5);
    for (int k = 0; k < 200; ++k)
        add_triple(world, vec(0, 0.5 * (k % 16), 0.5 * (int)(k / 16)), &rng);
    CHECK_OK(scree_world_distribute(world, comm));
    for (int k = 0; k < 7; ++k) {
        if (every_step) world->state.broad.valid = false;
        step(world, 1);
    }
    const uint64_t hash = scree_world_hash(world);
    scree_world_destroy(world);
    return hash;
}

static void
list__reproducible__its_age_does_not_matter(const scree_comm *comm) {
    CHECK(run_triples(comm, true) == run_triples(comm, false));
}

/* ---- a row of balls ----------------------------------------------------------- */

/* The first of eight comes with 1 m/s, the last one leaves with it. */
static void check_cradle(const scree_comm *comm, double gap,
                         bool reproducible) {
    enum { BALLS = 8 };
    const double r = 0.025;
    scree_world_def def = settings(1e-3, 0, false);
    def.reproducible = reproducible;
    def.solver.tolerance = 1e-12, def.solver.iterations = 5000;
    scree_world *world = make_world(&def, 0, 1);
    add_sphere(world, r, vec(-0.06, 0, 0), vec(1, 0, 0));
    for (int i = 1; i < BALLS; ++i)
        add_sphere(world, r, vec(i * (2 * r + gap), 0, 0), vec(0, 0, 0));
    CHECK_OK(scree_world_distribute(world, comm));
    step(world, 150);
    const scree_scalars s = scalars_of(world);
    scree_body_row *all = all_bodies(world);
    CHECK_NEAR(s.kinetic / s.inserted, 1, 1e-9);
    CHECK_NEAR(all[BALLS - 1].u.v.x, 1, 1e-9);
    for (int i = 0; i + 1 < BALLS; ++i) CHECK_NEAR(all[i].u.v.x, 0, 1e-9);
    free(all);
    scree_world_destroy(world);
}

static void cradle__across_borders__last_ball_leaves(const scree_comm *comm) {
    const double gaps[] = {1e-6, 1e-4, 1e-3};
    for (int k = 0; k < 6; ++k) check_cradle(comm, gaps[k % 3], k > 2);
}

/* ---- crowds -------------------------------------------------------------------- */

static int by_x(const void *p, const void *q) {
    const double x = ((const scree_body_row *)p)->x.x.x;
    const double y = ((const scree_body_row *)q)->x.x.x;
    return (x > y) - (x < y);
}

static double deepest_overlap(const scree_world *world) {
    const int64_t n = world->ranks.n_body;
    scree_body_row *all = all_bodies(world);
    double worst = 0;
    qsort(all, (size_t)n, sizeof *all, by_x);
    for (int64_t i = 0; i < n; ++i)
        for (int64_t j = i + 1; j < n && all[j].x.x.x - all[i].x.x.x < 1.1 * D;
             ++j)
            worst = fmax(worst, all[i].x.r + all[j].x.r -
                                    norm(sub(all[i].x.x, all[j].x.x)));
    free(all);
    return worst;
}

/* Discs on a loose lattice fall into a bin 0.2 m wide, at 3 m/s. */
static scree_world *make_crowd(double e, int threads, bool reproducible) {
    scree_world_def def = settings(2e-3, 9.81, true);
    scree_random rng = {11};
    def.reproducible = reproducible;
    def.threads = threads;
    scree_world *world = make_world(&def, 0.5, e);
    add_plane(world, vec(0, 0, 0), vec(0, 1, 0));
    add_plane(world, vec(-0.1, 0, 0), vec(1, 0, 0));
    add_plane(world, vec(0.1, 0, 0), vec(-1, 0, 0));
    for (int i = 0; i < 340; ++i) {
        const double x = -0.09 + 0.0112 * (i % 17);
        const double r = scree_random_range(&rng, 0.45, 0.55) * D;
        add_sphere(world, r,
                   vec(x + 0.1 * D * scree_random_unit(&rng),
                       0.006 + 0.0125 * (int)(i / 17), 0),
                   vec(0, -3, 0));
    }
    return world;
}

/* Later ones come in fast, close to each other and to those that are there. */
static void add_late(scree_world *world) {
    for (int i = 0; i < 20; ++i)
        add_sphere(world, D / 2,
                   vec(-0.08 + 0.0105 * (i % 10) + 0.003 * (int)(i / 10),
                       0.35 + 0.0105 * (int)(i / 10), 0),
                   vec(i % 2 ? 2 : -2, -4 - 3 * (int)(i / 10), 0));
}

enum { LOOKS = 4, STEPS = 160, LATE = 20 };

typedef struct looks {
    uint64_t hash[LOOKS];
    double dissipated[LOOKS];
    int64_t contacts[LOOKS], rounds;
    double worst, last; /* overlap over D */
} looks;

static looks let_fall(scree_world *world) {
    looks l = {0};
    for (int k = 0; k < STEPS; ++k) {
        if (k == LATE) cut_between(world, D);
        if (k == LATE) add_late(world);
        step(world, 1);
        if (k % 4 == 3 || k == LATE) l.last = deepest_overlap(world) / D;
        l.worst = fmax(l.worst, l.last);
        if ((k + 1) % (STEPS / LOOKS)) continue;
        const scree_scalars s = scalars_of(world);
        const int look = k / (STEPS / LOOKS);
        l.hash[look] = scree_world_hash(world);
        l.dissipated[look] = s.dissipated;
        l.contacts[look] = s.contacts;
    }
    scree_cost cost;
    scree_world_read_cost(world, &cost);
    CHECK(cost.incomplete == 0);
    CHECK(cost.parts > 10);
    CHECK_NEAR(energy_defect(world), 0, 1e-10 * scalars_of(world).inserted);
    l.rounds = cost.rounds;
    scree_world_destroy(world);
    return l;
}

static looks let_fall_together(const scree_comm *comm, double e, int threads,
                               bool reproducible) {
    scree_world *world = make_crowd(e, threads, reproducible);
    CHECK_OK(scree_world_distribute(world, comm));
    return let_fall(world);
}

/* The bars of one rank; at 2 ms the fastest go one and a half sizes in a step. */
static void check_overlap(const looks *l) {
    CHECK_NEAR(l->worst, 0, 0.05);
    CHECK_NEAR(l->last, 0, 0.01);
    CHECK(l->rounds > STEPS / 10);
}

static void
crowd__reproducible__has_the_bits_of_one_rank(const scree_comm *comm) {
    const double e = 0.6;
    looks alone;
    if (comm->rank == 0) alone = let_fall(make_crowd(e, 1, true));
    scree_comm_copy(comm, 0, &alone, sizeof alone);
    check_overlap(&alone);
    const looks spread =
        let_fall_together(comm, e, comm->size == 1 ? 2 : 1, true);
    for (int i = 0; i < LOOKS; ++i) {
        CHECK(spread.hash[i] == alone.hash[i]);
        CHECK(spread.contacts[i] == alone.contacts[i]);
        CHECK(spread.dissipated[i] == alone.dissipated[i]);
    }
    CHECK(spread.rounds == alone.rounds);
    CHECK(spread.worst == alone.worst);
}

static void crowd__over_ranks__does_not_overlap(const scree_comm *comm) {
    const looks l = let_fall_together(comm, 0, 1, false);
    check_overlap(&l);
}

/* ---- boxes that turn --------------------------------------------------------------- */

/* Cubes on a loose lattice, turned at random, on which others come down by one and a half
 * sizes in a step. */
static scree_world *make_cubes(void) {
    const double cell = 1.6 * D;
    scree_world_def def = settings(D / 3, 9.81, false);
    scree_random rng = {7};
    def.reproducible = true;
    def.solver.tolerance = 1e-2; /* exchanges take most of the time */
    scree_world *world = make_world(&def, 0.5, 0.3);
    const int cube = add_cube(world, D);
    add_box(world, 1.5 * cell);
    for (int i = 0; i < 27; ++i) {
        scree_body_def box = scree_body_def_default();
        const scree_quat q = quat_from_vector(random_vec(&rng, 3));
        box.shape = cube;
        vec_to(vec((i % 3 - 1) * cell, (i / 3 % 3 - 1) * cell,
                   (0.6 + (int)(i / 9)) * cell),
               box.position);
        box.orientation[0] = q.w, box.orientation[1] = q.x;
        box.orientation[2] = q.y, box.orientation[3] = q.z;
        box.velocity[2] = i < 18 ? 0 : -5;
        CHECK_OK(scree_world_add_body(world, &box, NULL));
    }
    return world;
}

/* Contacts that were found where bodies turn to and stayed over a round, on all ranks. */
static double kept_ahead(const scree_world *world) {
    double n = 0;
    for (int64_t i = 0; i < world->state.contacts.n; ++i) {
        const scree_contact *c = &world->state.contacts.list[i];
        n += c->arms >= 0 &&
             world->state.contacts.arms[c->arms].ahead == SCREE_KEPT_AHEAD;
    }
    return scree_world_total(world, n);
}

/* After each solve: the round after it has another list. */
static scree_status lose_list(void *self, const scree_world *world,
                              scree_error *error) {
    (void)world, (void)error;
    ((scree_world *)self)->state.broad.valid = false;
    return SCREE_OK;
}

/* `anew`: with a new list in every round, and other ranks for bodies in every third
 * step. */
static uint64_t drop_cubes(scree_world *world, bool anew, double *kept) {
    scree_random rng = {23};
    *kept = 0;
    setting_of(world)->solver.dump = SCREE_DUMP_ALL;
    world->scene.saver = anew ? lose_list : NULL;
    world->scene.saver_context = world;
    for (int k = 0; k < 10; ++k) {
        if (anew && k % 3 == 0) cut_at_random(world, &rng);
        step(world, 1);
        *kept += kept_ahead(world);
    }
    scree_cost cost;
    scree_world_read_cost(world, &cost);
    CHECK(cost.incomplete == 0);
    const uint64_t hash = scree_world_hash(world);
    scree_world_destroy(world);
    return hash;
}

static void
cubes__reproducible__have_the_bits_of_one_rank(const scree_comm *comm) {
    uint64_t alone = 0;
    double kept;
    if (comm->rank == 0) alone = drop_cubes(make_cubes(), false, &kept);
    scree_comm_copy(comm, 0, &alone, sizeof alone);
    for (int anew = 0; anew < 2; ++anew) {
        scree_world *world = make_cubes();
        CHECK_OK(scree_world_distribute(world, comm));
        CHECK(drop_cubes(world, anew, &kept) == alone);
        CHECK(kept > 10);
    }
}

/* ---- heavy on light -------------------------------------------------------------- */

enum { STACKS = 4, HIGH = 5 };

typedef struct stacks {
    double ratio; /* of the mass of the uppermost body to that of the others */
    bool boxes, reproducible;
    const char *method;
} stacks;

static int add_density(scree_world *world, double density) {
    scree_material_def def = scree_material_def_default();
    int material;
    def.density = density;
    def.law.friction = 0.5;
    CHECK_OK(scree_world_add_material(world, &def, &material));
    return material;
}

/* Higher than all of them are wide: cuts pass through them. */
static scree_world *make_stacks(const stacks *s) {
    const double r = 0.1;
    scree_world_def def = scree_world_def_default();
    def.threads = 1;
    def.reproducible = s->reproducible;
    def.solver.method = s->method;
    scree_world *world = make_world(&def, 0.5, 0);
    const int light = add_density(world, 1000);
    const int heavy = add_density(world, 1000 * s->ratio);
    const int cube = add_cube(world, 2 * r);
    add_plane(world, vec(0, 0, 0), vec(0, 0, 1));
    for (int i = 0; i < STACKS * HIGH; ++i) {
        const int k = i / STACKS;
        scree_sphere_def ball = scree_sphere_def_default();
        scree_body_def box = scree_body_def_default();
        ball.radius = r, box.shape = cube;
        ball.position[0] = box.position[0] = 0.25 * (i % 2);
        ball.position[1] = box.position[1] = 0.25 * (i / 2 % 2);
        ball.position[2] = box.position[2] = r + 2 * r * k;
        ball.material = box.material = k == HIGH - 1 ? heavy : light;
        CHECK_OK(s->boxes ? scree_world_add_body(world, &box, NULL)
                          : scree_world_add_sphere(world, &ball, NULL));
    }
    return world;
}

static void check_standing(const scree_world *world) {
    const double r = 0.1;
    scree_body_row *all = all_bodies(world);
    for (int i = 0; i < STACKS * HIGH; ++i)
        CHECK_NEAR(all[i].x.x.z, r + 2 * r * (int)(i / STACKS), 1e-4 * r);
    free(all);
    scree_cost cost;
    scree_world_read_cost(world, &cost);
    CHECK(cost.unconverged <= 2);
}

static void check_stacks(const scree_comm *comm, stacks s) {
    uint64_t alone = 0;
    if (s.reproducible && comm->rank == 0) {
        scree_world *world = make_stacks(&s);
        step(world, 100);
        alone = scree_world_hash(world);
        scree_world_destroy(world);
    }
    scree_comm_copy(comm, 0, &alone, sizeof alone);
    scree_world *world = make_stacks(&s);
    CHECK_OK(scree_world_distribute(world, comm));
    step(world, 100);
    CHECK(comm->size == 1 ||
          scree_world_any(world, world->ranks.domain->copies > 0));
    check_standing(world);
    CHECK(!s.reproducible || scree_world_hash(world) == alone);
    scree_world_destroy(world);
}

static void
stacks__heavy_on_light__stand_across_borders(const scree_comm *comm) {
    for (int k = 0; k < 8; ++k)
        check_stacks(comm, (stacks){.ratio = k & 1 ? 1e8 : 1e4,
                                    .boxes = k & 2,
                                    .reproducible = k & 4,
                                    .method = "pgs"});
}

#define TRIAL(name)                                                            \
    { #name, name }
int main(int argc, char **argv) {
    static const scree_trial trials[] = {
        TRIAL(shots__across_borders__hit_as_the_law_says),
        TRIAL(gas__reproducible__has_the_bits_of_one_rank),
        TRIAL(list__reproducible__its_age_does_not_matter),
        TRIAL(cradle__across_borders__last_ball_leaves),
        TRIAL(crowd__reproducible__has_the_bits_of_one_rank),
        TRIAL(crowd__over_ranks__does_not_overlap),
        TRIAL(cubes__reproducible__have_the_bits_of_one_rank),
        TRIAL(stacks__heavy_on_light__stand_across_borders),
    };
    scree_worth_threads(1);
    return scree_trials_run(argc, argv, trials, sizeof trials / sizeof *trials);
}
