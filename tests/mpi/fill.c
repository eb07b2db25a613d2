/* fill.c: random fills, and lattices whose balls may be in each other's way, on
 * several ranks: the same bodies for any number of them, of which each rank
 * places and holds a part. */
#include <math.h>
#include <string.h>

#include "engine/generate/scatter.h"
#include "engine/world/make.h"
#include "engine/world/ranks.h"
#include "tests/mpi/ranks.h"

static scree_grain spheres(double min, double max) {
    return (scree_grain){
        .radius = {.kind = SCREE_RADIUS_UNIFORM, .min = min, .max = max},
        .turn = SCREE_TURN_NONE,
        .velocity = {0, 0.5, -1}};
}

static scree_region box_of(double x, double y, double z) {
    return (scree_region){.kind = SCREE_REGION_BOX, .max = {x, y, z}};
}

static scree_region slanted_cylinder(void) {
    return (scree_region){.kind = SCREE_REGION_CYLINDER,
                          .base = {0.3, -0.2, 1},
                          .axis = {1, -2, 3},
                          .radius = 0.4,
                          .height = 1.1};
}

/* ---- the same for any number of ranks ------------------------------------ */

typedef void prepare(scree_world *world);

static scree_world *make_empty(bool planar) {
    scree_world_def def = def_of("moreau", "pgs", 50, 1e-5);
    def.planar = planar;
    memset(def.gravity, 0, sizeof def.gravity);
    return make_world(&def, 0.3, 0);
}

/* On one rank and on all, after what `first` does to the world. */
static int64_t compare_fill(const scree_comm *comm, const scree_fill *fill,
                            prepare *first) {
    scree_world *worlds[] = {make_empty(fill->region.planar),
                             make_empty(fill->region.planar)};
    CHECK_OK(scree_world_distribute(worlds[1], comm));
    for (int k = 0; k < 2; ++k) {
        if (first) first(worlds[k]);
        CHECK_OK(
            scree_fill_make(fill, scree_random_stream(7, 2), worlds[k], NULL));
    }
    const int64_t n = worlds[0]->ranks.n_body;
    CHECK(fill->count == 0 || first || n == fill->count);
    check_no_overlap(worlds[0]);
    compare_bodies(worlds[0], worlds[1]);
    scree_world_destroy(worlds[0]);
    scree_world_destroy(worlds[1]);
    return n;
}

/* Solid volume of n spheres whose radii have the law's mean of r^3. */
static double cubes(double min, double max) {
    const double a = min * min, b = max * max;
    return (b * b - a * a) / (4 * (max - min));
}

static void fill__box__same_bodies(const scree_comm *comm) {
    scree_fill fill = {.region = box_of(1, 0.7, 1.3),
                       .count = 3000,
                       .grain = spheres(0.02, 0.03)};
    compare_fill(comm, &fill, NULL);
    fill.count = 0;
    fill.solid_fraction = 0.25;
    const double each = 4.0 / 3.0 * SCREE_PI * cubes(0.02, 0.03);
    const int64_t n = compare_fill(comm, &fill, NULL);
    CHECK_NEAR((double)n, 0.25 * 0.91 / each, 2);
}

static void fill__cylinder__same_bodies(const scree_comm *comm) {
    const scree_fill fill = {.region = slanted_cylinder(),
                             .count = 1500,
                             .grain = spheres(0.02, 0.03)};
    compare_fill(comm, &fill, NULL);
}

static void fill__in_the_plane__same_bodies(const scree_comm *comm) {
    scree_fill fill = {.region = box_of(2, 1, 0),
                       .solid_fraction = 0.4,
                       .grain = spheres(0.01, 0.03)};
    fill.region.planar = true;
    memset(fill.grain.velocity, 0, sizeof fill.grain.velocity);
    CHECK(compare_fill(comm, &fill, NULL) > 500);
}

/* No more than a cell, and fewer bodies than ranks. */
static void fill__small__same_bodies(const scree_comm *comm) {
    const scree_fill few = {.region = box_of(0.3, 0.2, 0.2),
                            .count = 5,
                            .grain = spheres(0.03, 0.05)};
    const scree_fill one = {.region = box_of(0.1, 0.1, 0.1),
                            .count = 1,
                            .grain = spheres(0.05, 0.05)};
    compare_fill(comm, &few, NULL);
    compare_fill(comm, &one, NULL);
}

static void fill__ratio_50__same_bodies(const scree_comm *comm) {
    static const double values[] = {0.004, 0.2, 0.02};
    static const double weights[] = {3000, 1, 200};
    scree_fill fill = {
        .region = box_of(1, 1, 1), .count = 6400, .grain = spheres(0, 0)};
    fill.grain.radius = (scree_radius_law){.kind = SCREE_RADIUS_LIST,
                                           .n = 3,
                                           .values = values,
                                           .weights = weights};
    compare_fill(comm, &fill, NULL);
}

/* As dense as it gets: most bodies visit several cells, and other ranks'. */
static void fill__dense__same_bodies(const scree_comm *comm) {
    const scree_fill fill = {.region = box_of(1, 1, 1),
                             .solid_fraction = 0.3,
                             .grain = spheres(0.03, 0.03)};
    CHECK(compare_fill(comm, &fill, NULL) > 2600);
}

static void add_obstacles(scree_world *world) {
    add_plane(world, vec(0.5, 0.5, 0.4), vec(0.5, 0, 1));
    for (int i = 0; i < 400; ++i)
        add_sphere(world, 0.02, vec(0.05 * (i % 20), 0.05 * (i / 20), 0.6),
                   vec(0, 0, 0));
    add_sphere(world, 0.3, vec(1.2, 0.5, 1.2), vec(0, 0, 0));
}

/* Space is cut, and the bodies that are in the way are where it says. */
static void add_and_step(scree_world *world) {
    add_obstacles(world);
    step(world, 2);
}

static void fill__in_the_way__same_bodies(const scree_comm *comm) {
    const scree_fill fill = {.region = box_of(1, 1, 1.5),
                             .count = 1500,
                             .grain = spheres(0.02, 0.04)};
    CHECK(compare_fill(comm, &fill, add_obstacles) == 1901);
    CHECK(compare_fill(comm, &fill, add_and_step) == 1901);
}

static void add_shapes(scree_world *world) {
    CHECK(add_cube(world, 0.05) == 0 && add_cube(world, 0.06) == 1);
}

static void fill__shapes__same_bodies(const scree_comm *comm) {
    static const double bounds[] = {0.0434, 0.052};
    static const double volumes[] = {1.25e-4, 2.16e-4};
    scree_fill fill = {.region = box_of(1, 1, 1),
                       .solid_fraction = 0.09,
                       .grain = spheres(0, 0)};
    fill.grain.shapes =
        (scree_shape_set){.n = 2, .bounds = bounds, .volumes = volumes};
    fill.grain.turn = SCREE_TURN_RANDOM;
    const int64_t n = compare_fill(comm, &fill, add_shapes);
    CHECK_NEAR((double)n, 0.09 / 1.705e-4, 2);
}

/* ---- no room ------------------------------------------------------------- */

/* All ranks say the same, the world is as it was, and life goes on. */
static void fill__too_many__all_say_the_same(const scree_comm *comm) {
    scree_world *alone = make_empty(false), *spread = make_empty(false);
    CHECK_OK(scree_world_distribute(spread, comm));
    scree_fill fill = {.region = box_of(1, 1, 1),
                       .solid_fraction = 0.5,
                       .grain = spheres(0.06, 0.06)};
    scree_error errors[2] = {0};
    for (int k = 0; k < 2; ++k)
        CHECK(scree_fill_make(&fill, scree_random_stream(1, 1),
                              k ? spread : alone, &errors[k]) == SCREE_NO_ROOM);
    CHECK(strstr(errors[1].text, "of 553 bodies"));
    CHECK(strcmp(errors[0].text, errors[1].text) == 0);
    CHECK(spread->ranks.n_body == 0 && spread->state.bodies.n == 0);
    fill.solid_fraction = 0.1;
    CHECK_OK(scree_fill_make(&fill, scree_random_stream(1, 1), alone, NULL));
    CHECK_OK(scree_fill_make(&fill, scree_random_stream(1, 1), spread, NULL));
    compare_bodies(alone, spread);
    scree_world_destroy(alone);
    scree_world_destroy(spread);
}

/* ---- tight lattices ------------------------------------------------------ */

/* Most bodies need several tries, and have half of their neighbours around them
 * when they look: with all of them around, some find no place. */
static scree_lattice tight_lattice(void) {
    return (scree_lattice){.origin = {0, 0, 0.1},
                           .counts = {17, 14, 11},
                           .spacing = {0.1, 0.1, 0.1},
                           .jitter = 0.03,
                           .grain = spheres(0.04, 0.045)};
}

static scree_random lattice_stream(void) {
    return scree_random_stream(7, 1);
}

static int64_t compare_lattice(const scree_comm *comm,
                               const scree_lattice *lattice, bool planar,
                               prepare *first) {
    scree_world *worlds[] = {make_empty(planar), make_empty(planar)};
    CHECK_OK(scree_world_distribute(worlds[1], comm));
    for (int k = 0; k < 2; ++k) {
        if (first) first(worlds[k]);
        CHECK_OK(
            scree_lattice_make(lattice, lattice_stream(), worlds[k], NULL));
    }
    const int64_t n = worlds[0]->ranks.n_body;
    check_no_overlap(worlds[0]);
    compare_bodies(worlds[0], worlds[1]);
    scree_world_destroy(worlds[0]);
    scree_world_destroy(worlds[1]);
    return n;
}

static void lattice__tight__same_bodies(const scree_comm *comm) {
    scree_lattice lattice = tight_lattice();
    CHECK(compare_lattice(comm, &lattice, false, NULL) == 17 * 14 * 11);
    lattice.spacing[0] = lattice.spacing[2] = -0.1;
    compare_lattice(comm, &lattice, false, NULL);
}

/* Balls that are several points apart are in each other's way. */
static void lattice__far_reach__same_bodies(const scree_comm *comm) {
    scree_lattice lattice = tight_lattice();
    lattice.jitter = 0.12;
    lattice.grain = spheres(0.02, 0.035);
    compare_lattice(comm, &lattice, false, NULL);
    lattice.spacing[1] = 0;
    lattice.counts[1] = 2;
    compare_lattice(comm, &lattice, false, NULL);
}

static void lattice__in_the_plane__same_bodies(const scree_comm *comm) {
    scree_lattice lattice = tight_lattice();
    lattice.origin[2] = 0;
    lattice.counts[0] = lattice.counts[1] = 40, lattice.counts[2] = 1;
    memset(lattice.grain.velocity, 0, sizeof lattice.grain.velocity);
    compare_lattice(comm, &lattice, true, NULL);
}

/* A chain, and fewer bodies than ranks. */
static void lattice__small__same_bodies(const scree_comm *comm) {
    scree_lattice lattice = tight_lattice();
    lattice.counts[0] = lattice.counts[1] = 1, lattice.counts[2] = 300;
    compare_lattice(comm, &lattice, false, NULL);
    lattice.counts[2] = 2;
    compare_lattice(comm, &lattice, false, NULL);
}

/* Small ones among the points, and a large one beside them. */
static void add_among(scree_world *world) {
    for (int i = 0; i < 200; ++i)
        add_sphere(world, 0.005,
                   vec(0.05 + 0.1 * (i % 10), 0.05 + 0.1 * (i / 10 % 10),
                       0.15 + 0.1 * (i % 7)),
                   vec(0, 0, 0));
    add_sphere(world, 0.3, vec(-0.37, 0.5, 0.5), vec(0, 0, 0));
    step(world, 1);
}

static void lattice__in_the_way__same_bodies(const scree_comm *comm) {
    const scree_lattice lattice = tight_lattice();
    CHECK(compare_lattice(comm, &lattice, false, add_among) ==
          17 * 14 * 11 + 201);
}

/* One body after another, by the streams of their numbers. */
static void place_in_turn(const scree_lattice *lattice, scree_place *place) {
    const int64_t *c = lattice->counts, n = c[0] * c[1] * c[2];
    for (int64_t k = 0; k < n; ++k) {
        const int64_t index[] = {k % c[0], k / c[0] % c[1], k / c[0] / c[1]};
        scree_random rng =
            scree_random_stream(lattice_stream().state, 2 * (uint64_t)k);
        scree_ball ball = scree_piece_draw(&lattice->grain, &rng).ball;
        do {
            double x[3];
            for (int i = 0; i < 3; ++i)
                x[i] = lattice->origin[i] +
                       (double)index[i] * lattice->spacing[i] +
                       lattice->jitter * scree_random_range(&rng, -1, 1);
            ball.x = vec_from(x);
        } while (!scree_place_is_free(place, ball));
        scree_place_add(place, ball);
    }
}

/* n_first bodies that are there before the lattice, by what `first` does. */
static void compare_with_turns(const scree_comm *comm,
                               const scree_lattice *lattice, int n_first,
                               prepare *first) {
    scree_world *alone = make_empty(false), *spread = make_empty(false);
    CHECK_OK(scree_world_distribute(spread, comm));
    scree_place place;
    CHECK_OK(scree_place_start(&place, spread, 0.045, n_first + 17 * 14 * 11));
    if (first) {
        first(alone);
        first(spread);
    }
    for (int i = 0; i < n_first; ++i)
        scree_place_add(&place,
                        alone->state.bodies.x[alone->state.bodies.place[i]]);
    place_in_turn(lattice, &place);
    CHECK_OK(scree_lattice_make(lattice, lattice_stream(), spread, NULL));
    CHECK(spread->ranks.n_body == n_first + 17 * 14 * 11);
    for (int32_t i = 0; i < spread->state.bodies.n; ++i) {
        const int64_t id = spread->state.bodies.id[i];
        CHECK(memcmp(&spread->state.bodies.x[i], &place.balls[id],
                     sizeof place.balls[id]) == 0);
    }
    scree_place_free(&place);
    scree_world_destroy(alone);
    scree_world_destroy(spread);
}

static void lattice__tight__as_if_in_turn(const scree_comm *comm) {
    const scree_lattice lattice = tight_lattice();
    compare_with_turns(comm, &lattice, 0, NULL);
}

/* Beside the points, so that many balls need several tries. */
static void add_beside(scree_world *world) {
    for (int i = 0; i < 300; ++i)
        add_sphere(world, 0.01,
                   vec(0.03 + 0.1 * (i % 17), 0.01 + 0.1 * (i / 17 % 14),
                       0.1 + 0.1 * (i % 7)),
                   vec(0, 0, 0));
}

static void add_beside_and_step(scree_world *world) {
    add_beside(world);
    step(world, 1);
}

/* Balls that cannot be in each other's way, but meet those of other ranks. */
static void lattice__loose_among_others__as_if_in_turn(const scree_comm *comm) {
    scree_lattice lattice = tight_lattice();
    lattice.grain = spheres(0.015, 0.025);
    lattice.jitter = 0.024;
    compare_with_turns(comm, &lattice, 0, NULL);
    compare_with_turns(comm, &lattice, 300, add_beside);
    compare_with_turns(comm, &lattice, 300, add_beside_and_step);
}

/* Many find no room, on all ranks: all name the first, as one rank does. */
static void lattice__too_tight__all_say_the_same(const scree_comm *comm) {
    scree_world *alone = make_empty(false), *spread = make_empty(false);
    CHECK_OK(scree_world_distribute(spread, comm));
    scree_lattice lattice = tight_lattice();
    lattice.jitter = 0.1;
    scree_error errors[2] = {0};
    for (int k = 0; k < 2; ++k)
        CHECK(scree_lattice_make(&lattice, lattice_stream(), k ? spread : alone,
                                 &errors[k]) == SCREE_NO_ROOM);
    CHECK(strstr(errors[1].text, "body 780 of 2618 of the lattice"));
    CHECK(strcmp(errors[0].text, errors[1].text) == 0);
    CHECK(spread->ranks.n_body == 0 && spread->state.bodies.n == 0);
    lattice.jitter = 0.03;
    CHECK_OK(scree_lattice_make(&lattice, lattice_stream(), alone, NULL));
    CHECK_OK(scree_lattice_make(&lattice, lattice_stream(), spread, NULL));
    compare_bodies(alone, spread);
    scree_world_destroy(alone);
    scree_world_destroy(spread);
}

/* ---- shares -------------------------------------------------------------- */

enum { BALLS = 20000, SIDE = 10 };
#define RADIUS 0.12

/* Balls in a box of SIDE, each at random or at a point of its own, or all in
 * the same corner first. */
typedef enum crowd_manner { AT_RANDOM, IN_WAVES, IN_A_CORNER } crowd_manner;
typedef struct crowd {
    scree_region region;
    crowd_manner manner;
} crowd;

enum { POINTS = 28 }; /* along an edge: enough for all */

static void point_of(int64_t k, int64_t i[3]) {
    for (int a = 0; a < 3; ++a, k /= POINTS) i[a] = k % POINTS;
}

static scree_piece ball_of(const void *of, int64_t k) {
    (void)of, (void)k;
    return (scree_piece){.ball.r = RADIUS, .shape = -1};
}

static scree_vec3 home_of(const void *of, const scree_seedling *s, int visit) {
    const crowd *c = of;
    if (c->manner == IN_A_CORNER && visit == 0)
        return vec(RADIUS, RADIUS, RADIUS);
    if (c->manner == IN_WAVES) {
        int64_t i[3];
        point_of(s->k, i);
        const scree_vec3 x = vec((double)i[0], (double)i[1], (double)i[2]);
        return add_scaled(vec(RADIUS, RADIUS, RADIUS), (double)SIDE / POINTS,
                          x);
    }
    scree_random body = scree_random_stream(3, (uint64_t)s->k);
    scree_random rng = scree_random_stream(body.state, (uint64_t)visit);
    return scree_region_sample(&c->region, RADIUS, &rng);
}

static bool find_there(const void *of, const scree_place *place,
                       const scree_cells *cells, int visit, scree_seedling *s,
                       int64_t *tries) {
    (void)of, (void)cells, (void)visit;
    ++*tries;
    return scree_place_is_free(place, s->piece.ball);
}

static scree_random turn_of(const void *of, int64_t k) {
    (void)of;
    return scree_random_stream(4, (uint64_t)k);
}

static int64_t wave_of(const void *of, int64_t k) {
    int64_t i[3];
    (void)of;
    point_of(k, i);
    return i[0] + 2 * i[1] + 4 * i[2];
}

/* What the ranks did and had to know for it. */
typedef struct work {
    double tries, placed, seen; /* most of a rank */
    double all_tries;
} work;

static work scatter_crowd(scree_world *world, crowd_manner manner) {
    const crowd c = {.region = box_of(SIDE, SIDE, SIDE), .manner = manner};
    const scree_sower sower = {.of = &c,
                               .region = &c.region,
                               .visits = 1000,
                               .patience = 50000,
                               .piece = ball_of,
                               .home = home_of,
                               .find = find_there,
                               .turn = turn_of,
                               .wave = manner == IN_WAVES ? wave_of : NULL,
                               .waves = 7 * POINTS};
    const scree_grain grain = spheres(RADIUS, RADIUS);
    scree_scatter s;
    CHECK_OK(scree_scatter_begin(&s, &sower, RADIUS, world));
    scree_scatter_cut(&s, BALLS, BALLS, RADIUS);
    CHECK_OK(scree_scatter_place(&s, 0, BALLS));
    CHECK(s.waiting.n == 0);
    double most[] = {(double)s.tries, (double)s.placed.n, (double)s.place.n};
    scree_comm_max(s.comm, most, 3);
    const work w = {most[0], most[1], most[2],
                    scree_world_total(world, (double)s.tries)};
    CHECK_OK(scree_scatter_add(&s, BALLS, &grain, world, NULL));
    scree_scatter_free(&s);
    return w;
}

/* A rank tries, places and knows the balls of its part and those around it: the
 * balls around it are those within two radii of its border. */
static void share_work(const scree_comm *comm, crowd_manner manner) {
    scree_world *alone = make_empty(false), *spread = make_empty(false);
    CHECK_OK(scree_world_distribute(spread, comm));
    const work all = scatter_crowd(alone, manner);
    const work part = scatter_crowd(spread, manner);
    CHECK(all.placed == BALLS && all.seen == BALLS);
    CHECK(part.all_tries == all.tries);
    CHECK(part.tries <= 1.25 * all.tries / comm->size);
    CHECK(part.placed <= 1.25 * BALLS / comm->size);
    CHECK(part.seen <= (comm->size > 4 ? 1.6 : 1.35) * BALLS / comm->size);
    compare_bodies(alone, spread);
    scree_world_destroy(alone);
    scree_world_destroy(spread);
}

static void scatter__each_rank__does_its_part(const scree_comm *comm) {
    share_work(comm, AT_RANDOM);
    share_work(comm, IN_WAVES);
}

/* One of those that come to a full cell has room, the others go on to others.
 */
static void scatter__crowded_cell__goes_on(const scree_comm *comm) {
    scree_world *alone = make_empty(false), *spread = make_empty(false);
    CHECK_OK(scree_world_distribute(spread, comm));
    scatter_crowd(alone, IN_A_CORNER);
    const work part = scatter_crowd(spread, IN_A_CORNER);
    CHECK(part.placed <= 1.25 * BALLS / comm->size);
    compare_bodies(alone, spread);
    scree_world_destroy(alone);
    scree_world_destroy(spread);
}

#define TRIAL(name)                                                            \
    { #name, name }
int main(int argc, char **argv) {
    static const scree_trial trials[] = {
        TRIAL(fill__box__same_bodies),
        TRIAL(fill__cylinder__same_bodies),
        TRIAL(fill__in_the_plane__same_bodies),
        TRIAL(fill__small__same_bodies),
        TRIAL(fill__ratio_50__same_bodies),
        TRIAL(fill__dense__same_bodies),
        TRIAL(fill__in_the_way__same_bodies),
        TRIAL(fill__shapes__same_bodies),
        TRIAL(fill__too_many__all_say_the_same),
        TRIAL(lattice__tight__same_bodies),
        TRIAL(lattice__far_reach__same_bodies),
        TRIAL(lattice__in_the_plane__same_bodies),
        TRIAL(lattice__small__same_bodies),
        TRIAL(lattice__in_the_way__same_bodies),
        TRIAL(lattice__tight__as_if_in_turn),
        TRIAL(lattice__loose_among_others__as_if_in_turn),
        TRIAL(lattice__too_tight__all_say_the_same),
        TRIAL(scatter__each_rank__does_its_part),
        TRIAL(scatter__crowded_cell__goes_on),
    };
    return scree_trials_run(argc, argv, trials, sizeof trials / sizeof *trials);
}
