/* domain_add.c: bodies that come while a world is spread over ranks: generators
 * and pours bring the same ones for any number of ranks. */
#include <stdlib.h>
#include <string.h>

#include "engine/generate/place.h"
#include "engine/world/make.h"
#include "engine/world/ranks.h"
#include "tests/mpi/ranks.h"

/* The linker puts this in the place of scree_place_add. */
static int64_t seen; /* balls that this rank was told of */
void __real_scree_place_add(scree_place *place, scree_ball ball);
void __wrap_scree_place_add(scree_place *place, scree_ball ball);
void __wrap_scree_place_add(scree_place *place, scree_ball ball) {
    seen++;
    __real_scree_place_add(place, ball);
}

/* The same of scree_piece_draw. */
static int64_t drawn; /* bodies that this rank has drawn */
scree_piece __real_scree_piece_draw(const scree_grain *grain,
                                    scree_random *rng);
scree_piece __wrap_scree_piece_draw(const scree_grain *grain,
                                    scree_random *rng);
scree_piece __wrap_scree_piece_draw(const scree_grain *grain,
                                    scree_random *rng) {
    drawn++;
    return __real_scree_piece_draw(grain, rng);
}

static scree_grain grain_of(scree_radius_kind kind) {
    static const double values[] = {0.03, 0.04, 0.05};
    return (scree_grain){.radius = {.kind = kind,
                                    .value = 0.05,
                                    .min = 0.03,
                                    .max = 0.05,
                                    .mean = 0.04,
                                    .deviation = 0.02,
                                    .n = 3,
                                    .values = values},
                         .turn = SCREE_TURN_NONE,
                         .velocity = {0, 0, -1}};
}

/* ---- generators ---------------------------------------------------------- */

static scree_region box_of(double half, double lo, double hi) {
    return (scree_region){.kind = SCREE_REGION_BOX,
                          .min = {-half, -half, lo},
                          .max = {half, half, hi}};
}

static scree_status make_lattice(scree_world *world, double spacing,
                                 double jitter, scree_grain grain,
                                 scree_error *error) {
    const scree_lattice lattice = {.origin = {-0.9, -0.9, 0.06},
                                   .counts = {16, 16, 8},
                                   .spacing = {spacing, spacing, spacing},
                                   .jitter = jitter,
                                   .grain = grain};
    return scree_lattice_make(&lattice, scree_random_stream(7, 1), world,
                              error);
}

static scree_world *make_empty(double gravity) {
    scree_world_def def = def_of("moreau", "pgs", 50, 1e-5);
    def.gravity[2] = gravity;
    scree_world *world = make_world(&def, 0.3, 0);
    add_box(world, 1);
    return world;
}

/* One generator after another; the later ones look at the earlier ones' bodies.
 */
static void generate(scree_world *world) {
    const double bounds[] = {0.05, 0.04}, volumes[] = {1e-4, 1e-4};
    const int first = add_cube(world, 0.05);
    add_cube(world, 0.04);
    scree_grain turned = grain_of(SCREE_RADIUS_CONSTANT);
    turned.shapes = (scree_shape_set){
        .first = first, .n = 2, .bounds = bounds, .volumes = volumes};
    turned.turn = SCREE_TURN_RANDOM;
    CHECK_OK(
        make_lattice(world, 0.12, 0.005, grain_of(SCREE_RADIUS_NORMAL), NULL));
    const scree_fill fill = {.region = box_of(1, 0, 2),
                             .count = 500,
                             .grain = grain_of(SCREE_RADIUS_UNIFORM)};
    CHECK_OK(scree_fill_make(&fill, scree_random_stream(7, 2), world, NULL));
    const scree_lattice lattice = {.origin = {-0.5, -0.5, 3},
                                   .counts = {9, 8, 7},
                                   .spacing = {0.13, 0.13, 0.13},
                                   .jitter = 0.01,
                                   .grain = turned};
    CHECK_OK(
        scree_lattice_make(&lattice, scree_random_stream(7, 3), world, NULL));
    const scree_pyramid pyramid = {.origin = {0, 0, 5},
                                   .base = 6,
                                   .spacing = 1.2,
                                   .size = {0.1, 0.1, 0.1},
                                   .grain = grain_of(SCREE_RADIUS_LIST)};
    CHECK_OK(
        scree_pyramid_make(&pyramid, scree_random_stream(7, 4), world, NULL));
}

static void generate__all_kinds__same_bodies(const scree_comm *comm) {
    scree_world *alone = make_empty(-9.81), *spread = make_empty(-9.81);
    CHECK_OK(scree_world_distribute(spread, comm));
    generate(alone);
    generate(spread);
    compare_bodies(alone, spread);
    const double share = (double)spread->ranks.n_body / comm->size;
    CHECK(spread->ranks.n_body > 3000);
    CHECK(spread->state.bodies.n <= share + 256 &&
          spread->state.bodies.n >= share - 256);
    CHECK(comm->size == 1 ||
          spread->state.bodies.capacity < spread->ranks.n_body);
    step(alone, 1);
    step(spread, 1);
    check_bodies(spread);
    CHECK(scree_world_total_contacts(alone) ==
          scree_world_total_contacts(spread));
    scree_world_destroy(alone);
    scree_world_destroy(spread);
}

/* A lattice that meets bodies which other ranks have draws again where it can,
 * as on one rank, and is refused by all where it cannot. */
static void generate__in_the_way__all_see_it(const scree_comm *comm) {
    scree_world *alone = make_empty(-9.81), *spread = make_empty(-9.81);
    CHECK_OK(scree_world_distribute(spread, comm));
    for (int k = 0; k < 2; ++k) {
        scree_world *world = k == 0 ? alone : spread;
        scree_error error = {0};
        for (int i = 0; i < 600; ++i)
            add_sphere(world, 0.01,
                       vec(-0.84 + 0.12 * (i % 15), -0.9 + 0.12 * (i / 40),
                           0.06 + 0.12 * (i % 7)),
                       vec(0, 0, 0));
        CHECK_OK(make_lattice(world, 0.12, 0.01, grain_of(SCREE_RADIUS_UNIFORM),
                              &error));
        const int64_t n = world->ranks.n_body;
        CHECK(make_lattice(world, 0.12, 0.01, grain_of(SCREE_RADIUS_UNIFORM),
                           &error) == SCREE_NO_ROOM);
        CHECK(strstr(error.text, "body 1 of 2048"));
        CHECK(world->ranks.n_body == n);
    }
    check_no_overlap(alone);
    compare_bodies(alone, spread);
    scree_world_destroy(alone);
    scree_world_destroy(spread);
}

/* No rank goes through the bodies of others, and its memory is that of a share.
 */
static void
generate__lattice__each_rank_makes_its_share(const scree_comm *comm) {
    scree_world *alone = make_empty(0), *spread = make_empty(0);
    CHECK_OK(scree_world_distribute(spread, comm));
    for (int64_t id = 0, next = 0; id < 5000; id = next + 1) {
        next = scree_world_next_taken(spread, id);
        CHECK(scree_world_takes(spread, next, vec(0, 0, 0)));
        for (int64_t k = id; k < next; ++k)
            CHECK(!scree_world_takes(spread, k, vec(0, 0, 0)));
    }
    scree_lattice lattice = {.origin = {-0.95, -0.95, 0.06},
                             .counts = {38, 38, 40},
                             .spacing = {0.05, 0.05, 0.05},
                             .jitter = 0.004,
                             .grain = grain_of(SCREE_RADIUS_UNIFORM)};
    lattice.grain.radius.min = 0.01, lattice.grain.radius.max = 0.02;
    const scree_random rng = scree_random_stream(7, 5);
    CHECK_OK(scree_lattice_make(&lattice, rng, alone, NULL));
    CHECK_OK(scree_lattice_make(&lattice, rng, spread, NULL));
    compare_bodies(alone, spread);
    scree_cost all, share;
    scree_world_read_cost(alone, &all);
    scree_world_read_cost(spread, &share);
    CHECK((double)share.bytes < 1.1 * (double)all.bytes / comm->size + 2e5);
    scree_world_destroy(alone);
    scree_world_destroy(spread);
}

/* Nor does one draw the bodies of others. */
static void
generate__pyramid__each_rank_draws_its_share(const scree_comm *comm) {
    scree_world *world = make_empty(0);
    CHECK_OK(scree_world_distribute(world, comm));
    const scree_pyramid pyramid = {.base = 24,
                                   .spacing = 1.2,
                                   .size = {0.1, 0.1, 0.1},
                                   .grain = grain_of(SCREE_RADIUS_LIST)};
    drawn = 0;
    CHECK_OK(
        scree_pyramid_make(&pyramid, scree_random_stream(7, 6), world, NULL));
    CHECK(world->ranks.n_body == 24 * 25 * 49 / 6 &&
          drawn == world->state.bodies.n);
    CHECK((double)drawn <= (double)world->ranks.n_body / comm->size + 256);
    scree_world_destroy(world);
}

/* The hash sees the last bit of one body on one rank, and whose state it is. */
static void generate__hash__sees_a_bit_and_a_swap(const scree_comm *comm) {
    scree_world *world = make_empty(-9.81);
    CHECK_OK(scree_world_distribute(world, comm));
    CHECK_OK(
        make_lattice(world, 0.12, 0.01, grain_of(SCREE_RADIUS_UNIFORM), NULL));
    const uint64_t hash = scree_world_hash(world);
    scree_bodies *b = &world->state.bodies;
    if (comm->rank == comm->size - 1) {
        const scree_ball was = b->x[5];
        b->x[5] = b->x[6], b->x[6] = was;
    }
    const uint64_t swapped = scree_world_hash(world);
    if (comm->rank == comm->size - 1) {
        const scree_ball was = b->x[5];
        b->x[5] = b->x[6], b->x[6] = was;
        b->u[5].v.y = nextafter(b->u[5].v.y, 10);
    }
    CHECK(swapped != hash);
    CHECK(scree_world_hash(world) != hash);
    scree_world_destroy(world);
}

/* ---- pours --------------------------------------------------------------- */

static scree_pour pour_of(double rate, int64_t count) {
    return (scree_pour){.region = box_of(0.4, 0.6, 1.2),
                        .rate = rate,
                        .count = count,
                        .stop = 1e9,
                        .grain = grain_of(SCREE_RADIUS_UNIFORM)};
}

/* Without weight all move as one and nothing touches: all bits are the same, however
 * space is cut. Returns how many came in 100 steps of a millisecond. */
static int64_t compare_pour(const scree_comm *comm, const scree_pour *pour,
                            scree_world *alone, scree_world *spread) {
    scree_pour_state a = {.seed = 3}, b = a;
    scree_random rng = scree_random_stream(5, 5);
    CHECK_OK(scree_world_distribute(spread, comm));
    for (int k = 0; k < 100; ++k) {
        CHECK_OK(scree_pour_advance(pour, &a, alone, NULL));
        CHECK_OK(scree_pour_advance(pour, &b, spread, NULL));
        CHECK(memcmp(&a, &b, sizeof a) == 0);
        compare_bodies(alone, spread);
        step(alone, 1);
        step(spread, 1);
        if (k % 10 == 3) cut_at_random(spread, &rng);
    }
    check_no_overlap(alone);
    scree_world_destroy(alone);
    scree_world_destroy(spread);
    return a.inserted;
}

/* What is in the region is in the way of what comes. */
static void pour__into_the_air__same_bodies(const scree_comm *comm) {
    scree_world *worlds[] = {make_empty(0), make_empty(0)};
    const scree_pour pour = pour_of(8000, 1000);
    for (int k = 0; k < 2; ++k)
        for (int i = 0; i < 50; ++i)
            add_sphere(worlds[k], 0.05,
                       vec(-0.4 + 0.12 * (i % 7), -0.4 + 0.12 * (i / 7), 0.7),
                       vec(0, 0, -1));
    const int64_t n = compare_pour(comm, &pour, worlds[0], worlds[1]);
    CHECK(n > 100 && n < 700); /* some of 793 found no place */
}

static void pour__cylinder__same_bodies(const scree_comm *comm) {
    scree_pour pour = pour_of(5000, INT64_MAX);
    pour.region = (scree_region){.kind = SCREE_REGION_CYLINDER,
                                 .base = {0, 0, 0.8},
                                 .axis = {1, -2, 3},
                                 .radius = 0.4,
                                 .height = 0.7};
    CHECK(compare_pour(comm, &pour, make_empty(0), make_empty(0)) > 100);
}

static scree_world *make_plane(void) {
    scree_world_def def = def_of("moreau", "pgs", 50, 1e-5);
    def.planar = true;
    memset(def.gravity, 0, sizeof def.gravity);
    return make_world(&def, 0.3, 0);
}

static void pour__in_the_plane__same_bodies(const scree_comm *comm) {
    scree_pour pour = pour_of(3000, INT64_MAX);
    pour.region = (scree_region){
        .kind = SCREE_REGION_BOX, .planar = true, .max = {3, 0.8, 0}};
    memcpy(pour.grain.velocity, (double[]){0, -5, 0},
           sizeof pour.grain.velocity);
    CHECK(compare_pour(comm, &pour, make_plane(), make_plane()) > 100);
}

static void pour__shapes__same_bodies(const scree_comm *comm) {
    static const double bounds[] = {0.0434, 0.052};
    static const double volumes[] = {1.25e-4, 2.16e-4};
    scree_world *worlds[] = {make_empty(0), make_empty(0)};
    scree_pour pour = pour_of(3000, INT64_MAX);
    for (int k = 0; k < 2; ++k) {
        pour.grain.shapes.first = add_cube(worlds[k], 0.05);
        add_cube(worlds[k], 0.06);
    }
    pour.grain.shapes.n = 2;
    pour.grain.shapes.bounds = bounds;
    pour.grain.shapes.volumes = volumes;
    pour.grain.turn = SCREE_TURN_RANDOM;
    CHECK(compare_pour(comm, &pour, worlds[0], worlds[1]) > 100);
}

/* A few come into a region that is full: no rank looks at all that is in it. Nor does
 * one for a lattice whose balls cannot touch each other. */
static void pour__among_many__each_rank_sees_its_part(const scree_comm *comm) {
    scree_world *alone = make_empty(0), *spread = make_empty(0);
    CHECK_OK(scree_world_distribute(spread, comm));
    scree_lattice lattice = {.origin = {-0.9, -0.9, 0.1},
                             .counts = {30, 30, 30},
                             .spacing = {0.062, 0.062, 0.062},
                             .grain = grain_of(SCREE_RADIUS_CONSTANT)};
    scree_pour pour = pour_of(1e9, 5);
    pour.region = box_of(0.95, 0.05, 1.95);
    pour.start = -1;
    lattice.grain.radius.value = 0.01;
    pour.grain.radius.min = pour.grain.radius.max = 0.02;
    scree_pour_state states[2] = {{.seed = 3}, {.seed = 3}};
    double most[2][2];
    for (int k = 0; k < 2; ++k) {
        scree_world *world = k == 0 ? alone : spread;
        lattice.origin[2] = 0.1;
        CHECK_OK(scree_lattice_make(&lattice, scree_random_stream(1, 1), world,
                                    NULL));
        step(world, 1);
        seen = 0;
        lattice.origin[2] = 0.131; /* between the others, above a layer */
        CHECK_OK(scree_lattice_make(&lattice, scree_random_stream(1, 2), world,
                                    NULL));
        most[k][0] = scree_world_most(world, (double)seen);
        seen = 0;
        CHECK_OK(scree_pour_advance(&pour, &states[k], world, NULL));
        most[k][1] = scree_world_most(world, (double)seen);
    }
    compare_bodies(alone, spread);
    CHECK(states[0].inserted == 5 && states[1].inserted == 5);
    CHECK(most[0][0] == 54000 - 900 && most[0][1] == 54000 + 5);
    for (int i = 0; i < 2; ++i)
        CHECK(most[1][i] <= 1.4 * most[0][i] / comm->size);
    scree_world_destroy(alone);
    scree_world_destroy(spread);
}

/* One rank cannot add its bodies: all say so, the world is as it was, and the pour
 * goes on where it stood. */
static void pour__refused__all_say_the_same(const scree_comm *comm) {
    scree_world *alone = make_empty(0), *spread = make_empty(0);
    CHECK_OK(scree_world_distribute(spread, comm));
    scree_pour pour = pour_of(8000, 1000);
    scree_pour_state states[2] = {{.seed = 3}, {.seed = 3}};
    for (int k = 0; k < 2; ++k) {
        scree_world *world = k == 0 ? alone : spread;
        scree_error error = {0};
        for (int i = 0; i < 20; ++i) {
            CHECK_OK(scree_pour_advance(&pour, &states[k], world, NULL));
            step(world, 1);
        }
        const scree_pour_state was = states[k];
        const int64_t n = world->ranks.n_body;
        const int32_t here = world->state.bodies.n;
        pour.grain.material = 12;
        CHECK(scree_pour_advance(&pour, &states[k], world, &error) ==
              SCREE_BAD_ARGUMENT);
        CHECK(strstr(error.text, "no material 12"));
        CHECK(memcmp(&was, &states[k], sizeof was) == 0);
        CHECK(world->ranks.n_body == n && world->state.bodies.n == here);
        pour.grain.material = 0;
        CHECK_OK(scree_pour_advance(&pour, &states[k], world, NULL));
        CHECK(world->ranks.n_body > n);
    }
    compare_bodies(alone, spread);
    scree_world_destroy(alone);
    scree_world_destroy(spread);
}

/* If the first bodies could not be cut apart, that is not held against the
 * hundreds that follow elsewhere. */
static void pour__after_one_body__load_gets_even(const scree_comm *comm) {
    scree_world *world = make_empty(-9.81);
    const scree_pour pour = pour_of(1200, 500);
    scree_pour_state state = {.seed = 9};
    CHECK_OK(scree_world_distribute(world, comm));
    step(world, 5); /* of nothing */
    add_sphere(world, 0.05, vec(0.9, 0.9, 3), vec(0, 0, 0));
    for (int k = 0; k < 400; ++k) {
        if (k == 50 && world->ranks.domain) {
            world->ranks.domain->best = comm->size;
            world->ranks.domain->since_cut = 1;
        }
        if (k >= 50) CHECK_OK(scree_pour_advance(&pour, &state, world, NULL));
        step_in_balance(world);
        CHECK(world->ranks.n_body == 1 + state.inserted);
    }
    CHECK(state.inserted > 300);
    CHECK_NEAR(energy_defect(world), 0, 1e-10 * scalars_of(world).inserted);
    if (world->ranks.domain) CHECK(world->ranks.domain->imbalance < 1.4);
    scree_world_destroy(world);
}

#define TRIAL(name)                                                            \
    { #name, name }
int main(int argc, char **argv) {
    static const scree_trial trials[] = {
        TRIAL(generate__all_kinds__same_bodies),
        TRIAL(generate__in_the_way__all_see_it),
        TRIAL(generate__lattice__each_rank_makes_its_share),
        TRIAL(generate__pyramid__each_rank_draws_its_share),
        TRIAL(generate__hash__sees_a_bit_and_a_swap),
        TRIAL(pour__into_the_air__same_bodies),
        TRIAL(pour__cylinder__same_bodies),
        TRIAL(pour__in_the_plane__same_bodies),
        TRIAL(pour__shapes__same_bodies),
        TRIAL(pour__among_many__each_rank_sees_its_part),
        TRIAL(pour__refused__all_say_the_same),
        TRIAL(pour__after_one_body__load_gets_even),
    };
    return scree_trials_run(argc, argv, trials, sizeof trials / sizeof *trials);
}
