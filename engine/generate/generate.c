/* generate.c: bodies of generators, and lattices.
 *
 * A generator that finds no room leaves the world as it was. */
#include "engine/generate/generate.h"
#include "engine/generate/check.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "engine/base/vec.h"
#include "engine/generate/scatter.h"
#include "engine/world/make.h"
#include "engine/world/ranks.h"
#include "engine/world/world.h"

/* The bound of patience: what is beyond it is reported, not hung on. */
enum { JITTER_TRIES = 100 };

/* ---- pieces -------------------------------------------------------------- */

/* Uniform on SO(3): a normal deviate in four dimensions has no preferred
 * direction. In the plane by a uniform angle. */
void scree_turn_draw(scree_random *rng, bool planar, double q[4]) {
    if (planar) {
        const double half = SCREE_PI * scree_random_unit(rng);
        q[0] = scree_cos(half), q[1] = 0, q[2] = 0, q[3] = scree_sin(half);
        return;
    }
    double length2 = 0;
    for (int i = 0; i < 4; i++) {
        q[i] = scree_random_normal(rng);
        length2 += q[i] * q[i];
    }
    for (int i = 0; i < 4; i++) q[i] /= sqrt(length2);
}

static scree_status add_sphere(const scree_grain *grain, scree_ball ball,
                               scree_world *world) {
    scree_sphere_def def = scree_sphere_def_default();
    vec_to(ball.x, def.position);
    memcpy(def.velocity, grain->velocity, sizeof def.velocity);
    memcpy(def.angular_velocity, grain->angular_velocity,
           sizeof def.angular_velocity);
    def.radius = ball.r;
    def.material = grain->material;
    return scree_world_add_sphere(world, &def, NULL);
}

static scree_status add_shape(const scree_grain *grain, scree_piece piece,
                              const double *orientation, scree_random *rng,
                              scree_world *world) {
    scree_body_def def = scree_body_def_default();
    def.shape = piece.shape;
    def.material = grain->material;
    vec_to(piece.ball.x, def.position);
    memcpy(def.velocity, grain->velocity, sizeof def.velocity);
    memcpy(def.angular_velocity, grain->angular_velocity,
           sizeof def.angular_velocity);
    if (orientation)
        memcpy(def.orientation, orientation, sizeof def.orientation);
    else if (grain->turn == SCREE_TURN_RANDOM)
        scree_turn_draw(rng, world->def.planar, def.orientation);
    return scree_world_add_body(world, &def, NULL);
}

scree_status scree_piece_add(const scree_grain *grain, scree_piece piece,
                             const double *orientation, scree_random *rng,
                             scree_world *world, scree_error *error) {
    const scree_status status =
        piece.shape < 0 ? add_sphere(grain, piece.ball, world)
                        : add_shape(grain, piece, orientation, rng, world);
    if (status == SCREE_OK) return SCREE_OK;
    return scree_fail(error, status, "%s", scree_world_error(world));
}

/* Bodies of the next n that are this rank's; about as many if space is cut. */
static int64_t share_of(const scree_world *world, int64_t n) {
    const int64_t mean = n / scree_world_ranks(world),
                  end = scree_world_id_count(world) + n;
    if (mean == n || mean >= INT32_MAX) return mean;
    int64_t share = 0,
            id = scree_world_next_taken(world, scree_world_id_count(world));
    for (; id < end; id = scree_world_next_taken(world, id + 1)) share++;
    return share < n ? share : mean;
}

/* Room in the world for this rank's share of n more bodies. */
static scree_status make_room(scree_world *world, int64_t n) {
    const int64_t share = share_of(world, n);
    if (share >= INT32_MAX) return SCREE_OUT_OF_MEMORY;
    return scree_bodies_reserve(&world->state.bodies,
                                world->state.bodies.n + share);
}

/* The first of the next bodies, from number k on, that may be this rank's. */
static int64_t next_taken(const scree_world *world, int64_t k) {
    return scree_world_next_taken(world, scree_world_id_count(world) + k) -
           scree_world_id_count(world);
}

/* Adds those of this rank to the world's batch. */
static scree_status add_mine(const scree_grain *grain, int64_t n,
                             scree_piece_of *piece_of, const void *of,
                             scree_world *world, scree_error *error) {
    for (int64_t k = next_taken(world, 0); k < n;
         k = next_taken(world, k + 1)) {
        scree_random turn;
        const scree_piece piece = piece_of(of, k, &turn);
        world->scene.batch->id = scree_world_id_count(world) + k;
        if (scree_world_takes(world, world->scene.batch->id, piece.ball.x))
            TRY(scree_piece_add(grain, piece, NULL, &turn, world, error));
    }
    return SCREE_OK;
}

scree_status scree_pieces_add(const scree_grain *grain, int64_t n,
                              scree_piece_of *piece_of, const void *of,
                              scree_world *world, scree_error *error) {
    scree_batch batch;
    TRY(scree_world_agree_on(world, make_room(world, n), NULL));
    scree_world_open_batch(world, &batch, n);
    const scree_status status = scree_world_agree_on(
        world, add_mine(grain, n, piece_of, of, world, error), error);
    scree_world_close_batch(world, status);
    return status;
}

scree_status scree_pieces_end(scree_status status, const char *what, int64_t n,
                              scree_error *error) {
    if (status != SCREE_OUT_OF_MEMORY) return status;
    return scree_fail(error, status, "no memory for a %s of %lld bodies", what,
                      (long long)n);
}

/* ---- lattice ------------------------------------------------------------- */

/* Moved by jitter, unless there are no random numbers. */
static scree_vec3 lattice_point(const scree_lattice *lattice, int64_t k,
                                bool planar, scree_random *rng) {
    double x[3] = {0};
    for (int i = 0; i < (planar ? 2 : 3); i++) {
        const double index = (double)(k % lattice->counts[i]);
        const double shift =
            rng ? lattice->jitter * scree_random_range(rng, -1, 1) : 0;
        x[i] = lattice->origin[i] + index * lattice->spacing[i] + shift;
        k /= lattice->counts[i];
    }
    return vec_from(x);
}

/* Along axis i: how many points on may be the farthest ball that is in the way
 * of one, wherever jitter moves them? Rounding is counted in. */
static int64_t lattice_reach(const scree_lattice *lattice, bool planar, int i) {
    const double last = (double)(lattice->counts[i] - 1);
    const double step = fabs(lattice->spacing[i]);
    const double reach = 2 * (1 - 1e-9) * scree_grain_largest(&lattice->grain);
    const double extent = fabs(lattice->origin[i]) + step * (last + 1);
    const double rounding = 8 * DBL_EPSILON * (extent + lattice->jitter);
    if (planar && i == 2) return lattice->counts[i] - 1;
    return (int64_t)fmin(floor((reach + 2 * lattice->jitter + rounding) / step),
                         last);
}

/* A lattice on its way. Each body draws from a stream of its own, so that a
 * rank makes its bodies without a look at those of others. */
typedef struct lattice_run {
    const scree_lattice *lattice;
    scree_world *world;
    uint64_t seed;
    int64_t n;
    const scree_place *walls; /* if nothing else is in the way */
    bool blind;               /* all first tries are known to be free */
    int64_t weight[3];        /* of a point's numbers in that of its wave */
    int64_t *lost;            /* a body that found no room among others */
} lattice_run;

/* Body k as it is drawn, and the random numbers for its place. */
static scree_piece lattice_piece(const lattice_run *run, int64_t k,
                                 scree_random *rng) {
    *rng = scree_random_stream(run->seed, 2 * (uint64_t)k);
    return scree_piece_draw(&run->lattice->grain, rng);
}

/* Body k with a place; tries that it took, or 0 if there is no room for it. */
static int lattice_body(const lattice_run *run, const scree_place *place,
                        int64_t k, scree_piece *piece) {
    const int tries = run->lattice->jitter > 0 ? JITTER_TRIES : 1;
    scree_random rng;
    *piece = lattice_piece(run, k, &rng);
    for (int t = 1; t <= tries; t++) {
        piece->ball.x =
            lattice_point(run->lattice, k, run->world->def.planar, &rng);
        if (run->blind || scree_place_is_free(place, piece->ball)) return t;
    }
    return 0;
}

/* Turns have streams of their own: they are drawn when all have a place. */
static scree_random lattice_turn(const lattice_run *run, int64_t k) {
    return scree_random_stream(run->seed, 2 * (uint64_t)k + 1);
}

static scree_status lattice_no_room(const lattice_run *run, int64_t k,
                                    scree_error *error) {
    scree_random rng;
    const double r = lattice_piece(run, k, &rng).ball.r;
    const scree_vec3 x =
        lattice_point(run->lattice, k, run->world->def.planar, NULL);
    return scree_fail(
        error, SCREE_NO_ROOM,
        "body %lld of %lld of the lattice, radius %g near (%g, %g, %g), "
        "overlaps a wall or another body; use a larger spacing, smaller "
        "radii or less jitter, or move the origin",
        (long long)k + 1, (long long)run->n, r, x.x, x.y, x.z);
}

/* ---- lattices that have nothing but walls in their way -------------------- */

/* Is there room for all bodies of all ranks? And was it always the first try?
 */
static scree_status lattice_check(lattice_run *run, scree_error *error) {
    scree_piece piece;
    bool at_once = true;
    int64_t k = next_taken(run->world, 0);
    for (int tries; k < run->n; k = next_taken(run->world, k + 1)) {
        tries = lattice_body(run, run->walls, k, &piece);
        if (tries == 0) break;
        at_once &= tries == 1;
    }
    run->blind = at_once;
    const double lost = -scree_world_most(run->world, -(double)k);
    if (lost >= (double)run->n) return SCREE_OK;
    return lattice_no_room(run, (int64_t)lost, error);
}

static scree_piece lattice_known(const void *of, int64_t k,
                                 scree_random *turn) {
    const lattice_run *run = of;
    scree_piece piece;
    lattice_body(run, run->walls, k, &piece);
    *turn = lattice_turn(run, k);
    return piece;
}

/* Places are found twice, first to see that all are free, and never kept. */
static scree_status lattice_make_alone(lattice_run *run, double r_max,
                                       scree_error *error) {
    scree_world *world = run->world;
    scree_place walls;
    scree_status status = scree_world_agree_on(
        world, scree_place_start(&walls, world, r_max, 0), NULL);
    run->walls = &walls;
    if (status == SCREE_OK) status = lattice_check(run, error);
    if (status == SCREE_OK)
        status = scree_pieces_add(&run->lattice->grain, run->n, lattice_known,
                                  run, world, error);
    scree_place_free(&walls);
    return status;
}

/* ---- lattices among others ------------------------------------------------ */

/* Balls that may be in each other's way are placed in the order of their
 * numbers, but those that are not need not wait: point (i, j, k) is in wave
 *
 *     i + a j + b k,  a = reach_x + 1,  b = a (reach_y + 1)
 *
 * so that within reach of one another the lower number is in an earlier wave.
 * If none can be in the way of another one, there is one wave.
 */

static scree_piece sown_piece(const void *of, int64_t k) {
    scree_random rng;
    return lattice_piece(of, k, &rng);
}

static scree_vec3 sown_home(const void *of, const scree_seedling *s,
                            int visit) {
    const lattice_run *run = of;
    (void)visit;
    return lattice_point(run->lattice, s->k, run->world->def.planar, NULL);
}

/* After one that is lost the later ones do not matter. */
static bool sown_find(const void *of, const scree_place *place,
                      const scree_cells *cells, int visit, scree_seedling *s,
                      int64_t *tries) {
    const lattice_run *run = of;
    (void)cells, (void)visit;
    if (s->k > *run->lost) return false;
    const int took = lattice_body(run, place, s->k, &s->piece);
    *tries += took;
    if (took == 0) *run->lost = s->k;
    return took > 0;
}

static scree_random sown_turn(const void *of, int64_t k) {
    return lattice_turn(of, k);
}

static int64_t sown_wave(const void *of, int64_t k) {
    const lattice_run *run = of;
    int64_t wave = 0;
    for (int i = 0; i < 3; i++) {
        wave += run->weight[i] * (k % run->lattice->counts[i]);
        k /= run->lattice->counts[i];
    }
    return wave;
}

static scree_status lattice_make_among(lattice_run *run, scree_scatter *s,
                                       double r_max, scree_error *error) {
    int64_t lost = run->n;
    run->lost = &lost;
    scree_scatter_cut(s, run->n, run->n, r_max);
    const scree_status status = scree_scatter_place(s, 0, run->n);
    if (status == SCREE_NO_ROOM)
        return lattice_no_room(run, scree_scatter_first_waiting(s), error);
    TRY(status);
    return scree_scatter_add(s, run->n, &run->lattice->grain, run->world,
                             error);
}

static scree_sower sower_of(const lattice_run *run,
                            const scree_region *region) {
    return (scree_sower){.of = run,
                         .region = region,
                         .stray = run->lattice->jitter,
                         .visits = 1,
                         .patience = INT64_MAX,
                         .piece = sown_piece,
                         .home = sown_home,
                         .find = sown_find,
                         .turn = sown_turn,
                         .wave = sown_wave,
                         .waves = sown_wave(run, run->n - 1) + 1};
}

/* ---- lattices of both kinds ---------------------------------------------- */

/* The box around all balls, wherever they are moved. */
static scree_region lattice_region(const scree_lattice *lattice, bool planar) {
    const double margin =
        lattice->jitter + scree_grain_largest(&lattice->grain);
    scree_region box = {.kind = SCREE_REGION_BOX, .planar = planar};
    for (int i = 0; i < 3; i++) {
        const double last = (double)(lattice->counts[i] - 1);
        const double end = lattice->origin[i] + last * lattice->spacing[i];
        box.min[i] = fmin(lattice->origin[i], end) - margin;
        box.max[i] = fmax(lattice->origin[i], end) + margin;
    }
    return box;
}

static scree_status lattice_count(const scree_lattice *lattice, int64_t *n,
                                  scree_error *error) {
    *n = 1;
    for (int i = 0; i < 3; i++)
        if (lattice->counts[i] < 1 ||
            __builtin_mul_overflow(*n, lattice->counts[i], n))
            return scree_fail(error, SCREE_BAD_ARGUMENT,
                              "the counts of a lattice must be positive");
    return SCREE_OK;
}

/* Is no ball in the way of another one, wherever jitter moves them? */
static bool lattice_is_loose(const scree_lattice *lattice, bool planar) {
    for (int i = 0; i < 3; i++)
        if (lattice_reach(lattice, planar, i) > 0) return false;
    return true;
}

static void set_weights(lattice_run *run, bool loose) {
    const bool planar = run->world->def.planar;
    run->weight[0] = loose ? 0 : 1;
    for (int i = 0; i < 2; i++)
        run->weight[i + 1] =
            run->weight[i] * (lattice_reach(run->lattice, planar, i) + 1);
}

scree_status scree_lattice_make(const scree_lattice *lattice, scree_random rng,
                                scree_world *world, scree_error *error) {
    TRY(scree_lattice_check(lattice, world, error));
    const bool planar = world->def.planar;
    const bool loose = lattice_is_loose(lattice, planar);
    const double r_max = scree_grain_largest(&lattice->grain);
    const scree_region region = lattice_region(lattice, planar);
    lattice_run run = {.lattice = lattice, .world = world, .seed = rng.state};
    TRY(lattice_count(lattice, &run.n, error));
    set_weights(&run, loose);
    const scree_sower sower = sower_of(&run, &region);
    scree_scatter s;
    scree_status status = scree_scatter_begin(&s, &sower, r_max, world);
    if (status == SCREE_OK)
        status = loose && s.standing == 0
                     ? lattice_make_alone(&run, r_max, error)
                     : lattice_make_among(&run, &s, r_max, error);
    return scree_scatter_end(&s, status, "lattice", run.n, error);
}
