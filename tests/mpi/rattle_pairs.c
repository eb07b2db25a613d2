/* Bodies that would pass each other within a step of RATTLE, over ranks: none does, at
 * borders neither, and in a reproducible world every bit is that of one rank. */
#include <stdlib.h>

#include "engine/base/parallel.h"
#include "engine/world/make.h"
#include "engine/world/ranks.h"
#include "tests/mpi/ranks.h"

static const double D = 0.01;

typedef enum solid { BALL, BOX, ROCK, SOLIDS } solid;

static scree_world *make_fast(double e, bool reproducible) {
    scree_world_def def = scree_world_def_default();
    def.stepper = "rattle";
    def.dt = 1e-3;
    def.threads = 1;
    def.gravity[2] = 0;
    def.reproducible = reproducible;
    return make_world(&def, 0, e);
}

static scree_vec3 random_direction(scree_random *rng) {
    const scree_vec3 d = random_vec(rng, 1);
    return scale(1 / norm(d), d);
}

/* -1: a ball needs none. */
static int add_solid(scree_world *world, solid kind, scree_random *rng) {
    double points[20][3];
    scree_shape_def def = scree_shape_def_default();
    int shape;
    if (kind == BALL) return -1;
    def.kind = kind == BOX ? SCREE_SHAPE_BOX : SCREE_SHAPE_POLYHEDRON;
    def.size[0] = D, def.size[1] = 0.7 * D, def.size[2] = 0.5 * D;
    for (int k = 0; k < 20; ++k)
        vec_to(scale(D / 2, random_direction(rng)), points[k]);
    if (kind == ROCK) def.points = points[0], def.n_point = 20;
    CHECK_OK(scree_world_add_shape(world, &def, &shape));
    return shape;
}

static void put_solid(scree_world *world, int shape, scree_vec3 x, scree_vec3 v,
                      scree_random *rng) {
    scree_body_def def = scree_body_def_default();
    if (shape < 0) {
        add_sphere(world, D / 2, x, v);
        return;
    }
    const scree_vec3 turn = random_direction(rng);
    def.shape = shape;
    vec_to(x, def.position);
    vec_to(v, def.velocity);
    vec_to(turn, &def.orientation[1]);
    CHECK_OK(scree_world_add_body(world, &def, NULL));
}

/* ---- shots -------------------------------------------------------------------- */

enum { SHOTS = 12 };

/* Each shot is aimed at a body at rest, far from the others. */
static void add_shots(scree_world *world, solid kind, double sizes) {
    scree_random rng = {5};
    const int shape = add_solid(world, kind, &rng);
    for (int k = 0; k < SHOTS; ++k) {
        const scree_vec3 at = vec(0, 0.5 * (k % 4), 0.5 * (int)(k / 4));
        const double far = (1.5 + (2 + sizes) * scree_random_unit(&rng)) * D;
        const double b = (kind == BALL ? 0.9 : 0.1) * D * k / SHOTS;
        const double turn = scree_random_range(&rng, 0, 6.28);
        put_solid(world, shape,
                  add(at, vec(-far, b * cos(turn), b * sin(turn))),
                  vec(sizes * D / world->def.dt, 0, 0), &rng);
        put_solid(world, shape, at, vec(0, 0, 0), &rng);
    }
}

/* Pairs with copies on other ranks that hit each other in this step. */
static double hits_at_border(const scree_world *world) {
    double n = 0;
    for (int64_t i = 0; world->ranks.domain && i < world->state.contacts.n;
         ++i) {
        const scree_contact *c = &world->state.contacts.list[i];
        n += c->b >= 0 && scree_bears_load(c->P) &&
             (world->ranks.domain->border[c->a] ||
              world->ranks.domain->border[c->b]);
    }
    return scree_world_total(world, n);
}

/* Where a target begins to move the shot is before it still. */
static void check_places(const scree_world *world, bool hit[SHOTS]) {
    scree_body_row *all = all_bodies(world);
    for (int k = 0; k < SHOTS; ++k) {
        const scree_body_row *a = &all[2 * k], *b = &all[2 * k + 1];
        if (norm(b->u.v) == 0 || hit[k]) continue;
        hit[k] = true;
        CHECK(a->x.x.x < b->x.x.x);
    }
    free(all);
}

static void check_shots(const scree_world *world, const bool hit[SHOTS],
                        double e) {
    const scree_scalars s = scalars_of(world);
    for (int k = 0; k < SHOTS; ++k) CHECK(hit[k]);
    CHECK(s.kinetic <= s.inserted * (1 + 1e-9));
    if (e == 1) CHECK_NEAR(s.kinetic / s.inserted, 1, 1e-9);
}

static void shoot_all(const scree_comm *comm, solid kind, double sizes,
                      double e, bool reproducible) {
    scree_world *world = make_fast(e, reproducible);
    double at_border = 0;
    bool hit[SHOTS] = {false};
    add_shots(world, kind, sizes);
    CHECK_OK(scree_world_distribute(world, comm));
    cut_between(world, D);
    for (int k = 0; k < 2 + 5 / sizes; ++k) {
        step(world, 1);
        check_places(world, hit);
        at_border += hits_at_border(world);
    }
    check_bodies(world);
    check_shots(world, hit, e);
    CHECK(comm->size == 1 || at_border >= SHOTS / 3);
    scree_world_destroy(world);
}

static void shots__across_borders__none_passes(const scree_comm *comm) {
    const double sizes[] = {1, 2, 10};
    for (solid kind = BALL; kind < SOLIDS; ++kind)
        for (int k = 0; k < 6; ++k)
            shoot_all(comm, kind, sizes[k % 3], 0.5 * ((k + 1) % 3), k > 2);
}

/* ---- crowds -------------------------------------------------------------------- */

enum { STEPS = 8 };

/* Two clouds that fly into each other, each at half of so many sizes in a step, between
 * walls. */
static scree_world *make_crowd(solid kind, double sizes) {
    scree_world *world = make_fast(0.5, true);
    scree_random rng = {11};
    const double pitch = 1.3 * D, v = 0.5 * sizes * D / world->def.dt;
    const int shape = add_solid(world, kind, &rng);
    add_box(world, 6 * D);
    for (int k = 0; k < 64; ++k) {
        const double side = k < 32 ? -1 : 1;
        const scree_vec3 at =
            vec(side * pitch * (k % 2 + 0.7), pitch * (k / 2 % 4 - 1.5),
                pitch * (k / 8 % 4 + 1));
        put_solid(world, shape, add(at, random_vec(&rng, 0.1 * D)),
                  add(vec(-side * v, 0, 0), random_vec(&rng, 0.3 * v)), &rng);
    }
    return world;
}

typedef struct looks {
    uint64_t hash[STEPS];
    double recovery, kinetic, late; /* bodies that were held back */
} looks;

static looks run_crowd(scree_world *world) {
    looks l = {0};
    scree_random rng = {13};
    for (int k = 0; k < STEPS; ++k) {
        if (k % 3 == 2) cut_at_random(world, &rng);
        step(world, 1);
        l.hash[k] = scree_world_hash(world);
        for (int32_t i = 0; i < world->state.bodies.n; ++i)
            l.late += scree_world_owns(world, i) &&
                      scree_bears_load(world->state.bodies.begin[i].late);
    }
    check_bodies(world);
    l.late = scree_world_total(world, l.late);
    const scree_scalars s = scalars_of(world);
    l.recovery = s.recovery_work, l.kinetic = s.kinetic;
    CHECK(s.kinetic <= s.inserted + s.recovery_work);
    CHECK(s.penetration_max < 0.02 * D);
    scree_world_destroy(world);
    return l;
}

static void check_crowd(const scree_comm *comm, solid kind, double sizes) {
    looks alone;
    if (comm->rank == 0) alone = run_crowd(make_crowd(kind, sizes));
    scree_comm_copy(comm, 0, &alone, sizeof alone);
    scree_world *world = make_crowd(kind, sizes);
    CHECK_OK(scree_world_distribute(world, comm));
    const looks spread = run_crowd(world);
    for (int k = 0; k < STEPS; ++k) CHECK(spread.hash[k] == alone.hash[k]);
    CHECK(spread.recovery == alone.recovery);
    CHECK(spread.kinetic == alone.kinetic);
    CHECK(alone.late > 60 && spread.late == alone.late);
}

static void
crowd__reproducible__has_the_bits_of_one_rank(const scree_comm *comm) {
    for (solid kind = BALL; kind < SOLIDS; ++kind)
        check_crowd(comm, kind, kind == BALL ? 10 : 3);
}

#define TRIAL(name)                                                            \
    { #name, name }
int main(int argc, char **argv) {
    static const scree_trial trials[] = {
        TRIAL(shots__across_borders__none_passes),
        TRIAL(crowd__reproducible__has_the_bits_of_one_rank),
    };
    scree_worth_threads(1);
    return scree_trials_run(argc, argv, trials, sizeof trials / sizeof *trials);
}
