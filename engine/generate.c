/* generate.c: radius laws, lattices and random fills.
 *
 * A fill is random sequential addition: draw a place, keep it if it is free.
 * All radii are drawn first and placed from the largest to the smallest, since
 * a boulder finds no room among pebbles but pebbles do around a boulder; ids
 * follow that order. Bodies are added to the world only once all have a place:
 * a generator that finds no room leaves the world as it was.
 *
 * Cost: O(1) per try (place.h). For equal spheres one try in 50 000 succeeds at
 * a fraction of 0.357 of the volume open to centres; the limit is 0.38. */
#include "engine/generate.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/vec.h"
#include "engine/place.h"
#include "engine/world.h"

/* The bounds of patience: what is beyond them is reported, not hung on. */
enum { FILL_TRIES = 50000, JITTER_TRIES = 100, NORMAL_TRIES = 1000 };
#define FILL_MOST 1e9 /* spheres of a fill by solid fraction */

/* ---- radius laws --------------------------------------------------------- */

static double draw_normal(const scree_radius_law *law, scree_random *rng) {
    for (int i = 0; i < NORMAL_TRIES; i++) {
        const double r = law->mean + law->deviation * scree_random_normal(rng);
        if (r > 0 && r >= law->min && r <= law->max) return r;
    }
    /* The bounds cut off all but a far tail: its near end is the likeliest. */
    return fmin(fmax(law->mean, law->min), law->max);
}

static double weight(const scree_radius_law *law, int i) {
    return law->weights ? law->weights[i] : 1.0;
}

static double draw_list(const scree_radius_law *law, scree_random *rng) {
    double sum = 0;
    for (int i = 0; i < law->n; i++) sum += weight(law, i);
    double left = scree_random_unit(rng) * sum;
    int drawn = 0;
    for (int i = 0; i < law->n && left >= 0; i++) {
        if (weight(law, i) > 0) drawn = i;
        left -= weight(law, i);
    }
    return law->values[drawn];
}

double scree_radius_draw(const scree_radius_law *law, scree_random *rng) {
    switch (law->kind) {
    case SCREE_RADIUS_UNIFORM:
        return scree_random_range(rng, law->min, law->max);
    case SCREE_RADIUS_NORMAL:
        return draw_normal(law, rng);
    case SCREE_RADIUS_LIST:
        return draw_list(law, rng);
    case SCREE_RADIUS_CONSTANT:
        break;
    }
    return law->value;
}

static double list_largest(const scree_radius_law *law) {
    double largest = 0;
    for (int i = 0; i < law->n; i++)
        if (weight(law, i) > 0) largest = fmax(largest, law->values[i]);
    return largest;
}

double scree_radius_largest(const scree_radius_law *law) {
    switch (law->kind) {
    case SCREE_RADIUS_UNIFORM:
    case SCREE_RADIUS_NORMAL:
        return law->max;
    case SCREE_RADIUS_LIST:
        return list_largest(law);
    case SCREE_RADIUS_CONSTANT:
        break;
    }
    return law->value;
}

/* ---- pieces -------------------------------------------------------------- */

double scree_grain_largest(const scree_grain *grain) {
    if (grain->shapes.n == 0) return scree_radius_largest(&grain->radius);
    double largest = 0;
    for (int i = 0; i < grain->shapes.n; i++)
        largest = fmax(largest, grain->shapes.bounds[i]);
    return largest;
}

scree_piece scree_piece_draw(const scree_grain *grain, scree_random *rng) {
    const scree_shape_set *set = &grain->shapes;
    if (set->n == 0)
        return (scree_piece){.ball.r = scree_radius_draw(&grain->radius, rng),
                             .shape = -1};
    const int i =
        set->n > 1 ? (int)(scree_random_unit(rng) * (double)set->n) : 0;
    return (scree_piece){.ball.r = set->bounds[i], .shape = set->first + i};
}

/* Uniform on SO(3): a normal deviate in four dimensions has no preferred
 * direction. In the plane by a uniform angle. */
static void turn_randomly(scree_random *rng, bool planar, double q[4]) {
    if (planar) {
        const double half = SCREE_PI * scree_random_unit(rng);
        q[0] = cos(half), q[1] = 0, q[2] = 0, q[3] = sin(half);
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
        turn_randomly(rng, world->def.planar, def.orientation);
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

/* Is there memory for a generator's n bodies? On all ranks or on none. */
static scree_status check_room(bool here, const char *what, int64_t n,
                               const scree_world *world, scree_error *error) {
    const scree_status status = scree_world_agree_on(
        world, here ? SCREE_OK : SCREE_OUT_OF_MEMORY, NULL);
    if (status == SCREE_OK) return SCREE_OK;
    return scree_fail(error, status, "no memory for a %s of %lld bodies", what,
                      (long long)n);
}

static scree_status take_pieces(scree_piece **pieces, int64_t n,
                                const char *what, const scree_world *world,
                                scree_error *error) {
    *pieces = calloc((size_t)n, sizeof **pieces);
    const scree_status status =
        check_room(*pieces != NULL, what, n, world, error);
    if (status != SCREE_OK) free(*pieces);
    return status;
}

/* Bodies of the next n that are this rank's; about as many if space is cut. */
static int64_t share_of(const scree_world *world, int64_t n) {
    const int64_t mean = n / scree_world_ranks(world), end = world->n_body + n;
    if (mean == n || mean >= INT32_MAX) return mean;
    int64_t share = 0, id = scree_world_next_taken(world, world->n_body);
    for (; id < end; id = scree_world_next_taken(world, id + 1)) share++;
    return share < n ? share : mean;
}

/* Room in the world for this rank's share of n more bodies. */
static bool make_room(scree_world *world, int64_t n) {
    const int64_t share = share_of(world, n);
    return share < INT32_MAX &&
           scree_bodies_reserve(&world->bodies, world->bodies.n + share) ==
               SCREE_OK;
}

static scree_status add_all(const scree_grain *grain, const scree_piece *pieces,
                            int64_t n, scree_random *rng, scree_world *world,
                            scree_error *error) {
    for (int64_t k = 0; k < n; k++)
        TRY(scree_piece_add(grain, pieces[k], NULL, rng, world, error));
    return SCREE_OK;
}

/* ---- lattice ------------------------------------------------------------- */

static scree_vec3 lattice_point(const scree_lattice *lattice, int64_t k,
                                bool planar, scree_random *rng) {
    double x[3] = {0};
    for (int i = 0; i < (planar ? 2 : 3); i++) {
        const double index = (double)(k % lattice->counts[i]);
        const double shift = lattice->jitter * scree_random_range(rng, -1, 1);
        x[i] = lattice->origin[i] + index * lattice->spacing[i] + shift;
        k /= lattice->counts[i];
    }
    return vec_from(x);
}

/* Are the balls too far from one another to overlap, wherever jitter moves
 * them? So far apart along one axis at least, and rounding counted in. */
static bool lattice_is_loose(const scree_lattice *lattice, bool planar) {
    const double reach = 2 * (1 - 1e-9) * scree_grain_largest(&lattice->grain);
    for (int i = 0; i < 3; i++) {
        const double step = fabs(lattice->spacing[i]);
        const double extent =
            fabs(lattice->origin[i]) + step * (double)lattice->counts[i];
        const double rounding = 8 * DBL_EPSILON * (extent + lattice->jitter);
        if (lattice->counts[i] == 1) continue;
        if (planar && i == 2) return false;
        if (!(step - 2 * lattice->jitter - rounding >= reach)) return false;
    }
    return true;
}

/* A lattice on its way. Each body draws from a stream of its own, so that a
 * rank makes its bodies without a look at those of others. */
typedef struct lattice_run {
    const scree_lattice *lattice;
    scree_world *world;
    uint64_t seed;
    bool loose;         /* the balls placed need not be looked at */
    bool blind;         /* all first tries are known to be free */
    scree_place *place; /* not if blind */
    bool tried_again;   /* some first try was not free */
} lattice_run;

static bool lattice_place(lattice_run *run, int64_t k, scree_random *rng,
                          scree_ball *ball) {
    const int tries = run->lattice->jitter > 0 ? JITTER_TRIES : 1;
    for (int t = 0; t < tries; t++) {
        ball->x = lattice_point(run->lattice, k, run->world->def.planar, rng);
        if (run->blind) return true;
        run->tried_again |= t > 0;
        if (!scree_place_is_free(run->place, *ball)) continue;
        if (!run->loose) scree_place_add(run->place, *ball);
        return true;
    }
    return false;
}

/* Body k; false if there is no room for it. */
static bool lattice_body(lattice_run *run, int64_t k, scree_piece *piece) {
    scree_random rng = scree_random_stream(run->seed, 2 * (uint64_t)k);
    *piece = scree_piece_draw(&run->lattice->grain, &rng);
    return lattice_place(run, k, &rng, &piece->ball);
}

/* Turns have streams of their own: they are drawn when all have a place. */
static scree_random lattice_turn(const lattice_run *run, int64_t k) {
    return scree_random_stream(run->seed, 2 * (uint64_t)k + 1);
}

static scree_status lattice_no_room(int64_t k, int64_t n, const scree_ball *b,
                                    scree_error *error) {
    return scree_fail(
        error, SCREE_NO_ROOM,
        "body %lld of %lld of the lattice, radius %g near (%g, %g, %g), "
        "overlaps a wall or another body; use a larger spacing, smaller "
        "radii or less jitter, or move the origin",
        (long long)k + 1, (long long)n, b->r, b->x.x, b->x.y, b->x.z);
}

/* The first body from k on that may be this rank's. */
static int64_t lattice_next(const lattice_run *run, int64_t k) {
    const int64_t first = run->world->n_body;
    return scree_world_next_taken(run->world, first + k) - first;
}

/* Is there room for all bodies of all ranks? If not, the first one is named. */
static scree_status lattice_check(lattice_run *run, int64_t n,
                                  scree_error *error) {
    scree_piece piece = {0};
    int64_t k = lattice_next(run, 0);
    while (k < n && lattice_body(run, k, &piece)) k = lattice_next(run, k + 1);
    if (k > n) k = n;
    const bool is_first =
        (double)k == -scree_world_most(run->world, -(double)k);
    const scree_status status = k < n && is_first
                                    ? lattice_no_room(k, n, &piece.ball, error)
                                    : SCREE_OK;
    return scree_world_agree_on(run->world, status, error);
}

/* Adds those of this rank to the world's batch. */
static scree_status lattice_add(lattice_run *run, int64_t n,
                                scree_error *error) {
    scree_world *world = run->world;
    for (int64_t k = lattice_next(run, 0); k < n;
         k = lattice_next(run, k + 1)) {
        scree_piece piece;
        lattice_body(run, k, &piece);
        world->batch->id = world->n_body + k;
        if (!scree_world_takes(world, world->batch->id, piece.ball.x)) continue;
        scree_random turn = lattice_turn(run, k);
        TRY(scree_piece_add(&run->lattice->grain, piece, NULL, &turn, world,
                            error));
    }
    return SCREE_OK;
}

/* Places of a loose lattice depend on what was there before it alone. They are
 * found twice, first to see that all are free, and never kept. */
static scree_status lattice_make_loose(lattice_run *run, int64_t n,
                                       scree_error *error) {
    scree_world *world = run->world;
    scree_batch batch;
    TRY(check_room(make_room(world, n), "lattice", n, world, error));
    TRY(lattice_check(run, n, error));
    run->blind = !run->tried_again;
    scree_world_open_batch(world, &batch, n);
    const scree_status status =
        scree_world_agree_on(world, lattice_add(run, n, error), error);
    scree_world_close_batch(world, status);
    return status;
}

/* Where balls may be in each other's way, all ranks place all of them. */
static scree_status lattice_place_all(lattice_run *run, scree_piece *pieces,
                                      int64_t n, scree_error *error) {
    for (int64_t k = 0; k < n; k++)
        if (!lattice_body(run, k, &pieces[k]))
            return lattice_no_room(k, n, &pieces[k].ball, error);
    for (int64_t k = 0; k < n; k++) {
        scree_random turn = lattice_turn(run, k);
        TRY(scree_piece_add(&run->lattice->grain, pieces[k], NULL, &turn,
                            run->world, error));
    }
    return SCREE_OK;
}

static scree_status lattice_make_tight(lattice_run *run, int64_t n,
                                       scree_error *error) {
    scree_piece *pieces;
    TRY(take_pieces(&pieces, n, "lattice", run->world, error));
    const scree_status status = lattice_place_all(run, pieces, n, error);
    free(pieces);
    return status;
}

static void lattice_bounds(const scree_lattice *lattice, double margin,
                           double min[3], double max[3]) {
    for (int i = 0; i < 3; i++) {
        const double last = (double)(lattice->counts[i] - 1);
        const double end = lattice->origin[i] + last * lattice->spacing[i];
        min[i] = fmin(lattice->origin[i], end) - margin;
        max[i] = fmax(lattice->origin[i], end) + margin;
    }
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

scree_status scree_lattice_make(const scree_lattice *lattice, scree_random rng,
                                scree_world *world, scree_error *error) {
    int64_t n;
    TRY(lattice_count(lattice, &n, error));
    scree_place place;
    lattice_run run = {.lattice = lattice,
                       .world = world,
                       .seed = rng.state,
                       .loose = lattice_is_loose(lattice, world->def.planar),
                       .place = &place};
    const double r_max = scree_grain_largest(&lattice->grain);
    double min[3], max[3];
    lattice_bounds(lattice, lattice->jitter + r_max, min, max);
    TRY(scree_place_init(&place, world, min, max, run.loose ? 0 : n, r_max,
                         error));
    const scree_status status = run.loose ? lattice_make_loose(&run, n, error)
                                          : lattice_make_tight(&run, n, error);
    scree_place_free(&place);
    return scree_world_agree_on(world, status, error);
}

/* ---- fill ---------------------------------------------------------------- */

/* In the plane the area of the disc. */
static double ball_volume(double r, bool planar) {
    return planar ? SCREE_PI * r * r : 4.0 / 3.0 * SCREE_PI * r * r * r;
}

static double piece_volume(const scree_fill *fill, const scree_piece *piece) {
    const scree_shape_set *set = &fill->grain.shapes;
    return set->n > 0 ? set->volumes[piece->shape - set->first]
                      : ball_volume(piece->ball.r, fill->region.planar);
}

static double solid_volume(const scree_fill *fill, const scree_piece *pieces,
                           int64_t n) {
    double volume = 0;
    for (int64_t k = 0; k < n; k++) volume += piece_volume(fill, &pieces[k]);
    return volume;
}

static scree_status fill_check(const scree_fill *fill, scree_error *error) {
    TRY(scree_region_check(&fill->region, 0, error));
    const double f = fill->solid_fraction;
    if (fill->count < 0 || (fill->count == 0 && !(f > 0 && f < 1)))
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "a fill needs a positive count, or a solid fraction "
                          "between 0 and 1");
    const double least =
        f * scree_region_volume(&fill->region) /
        ball_volume(scree_grain_largest(&fill->grain), fill->region.planar);
    if (fill->count > 0 || least <= FILL_MOST) return SCREE_OK;
    return scree_fail(error, SCREE_OUT_OF_MEMORY,
                      "the solid fraction takes more than %g bodies", least);
}

/* How many pieces reach the solid fraction. Draws from a copy of the stream, so
 * that the same pieces follow when there is memory for them. */
static int64_t fill_count(const scree_fill *fill, scree_random rng) {
    if (fill->count > 0) return fill->count;
    double left = fill->solid_fraction * scree_region_volume(&fill->region);
    int64_t n = 0;
    for (; left > 0; n++) {
        const scree_piece piece = scree_piece_draw(&fill->grain, &rng);
        left -= piece_volume(fill, &piece);
    }
    return n;
}

static int larger_first(const void *a, const void *b) {
    const double ra = ((const scree_piece *)a)->ball.r;
    const double rb = ((const scree_piece *)b)->ball.r;
    return (ra < rb) - (ra > rb);
}

static scree_status no_room(const scree_fill *fill, const scree_piece *pieces,
                            int64_t placed, int64_t n, scree_error *error) {
    const double region = scree_region_volume(&fill->region);
    return scree_fail(
        error, SCREE_NO_ROOM,
        "the fill found room for %lld of %lld bodies, a solid fraction of "
        "%.3f where %.3f was asked for; the next one, of radius %g, found no "
        "free place in %d tries. Random places of balls reach about 0.35: use "
        "a larger region or fewer bodies and let them settle, or use a lattice",
        (long long)placed, (long long)n,
        solid_volume(fill, pieces, placed) / region,
        solid_volume(fill, pieces, n) / region, pieces[placed].ball.r,
        (int)FILL_TRIES);
}

static scree_status fill_place(const scree_fill *fill, scree_random *rng,
                               scree_piece *pieces, int64_t n,
                               const scree_world *world, scree_error *error) {
    const double r_max = pieces[0].ball.r;
    TRY(scree_region_check(&fill->region, r_max, error));
    double min[3], max[3];
    scree_region_bounds(&fill->region, min, max);
    scree_place place;
    TRY(scree_place_init(&place, world, min, max, n, r_max, error));
    int64_t k = 0;
    while (k < n && scree_place_random(&place, &fill->region, FILL_TRIES, rng,
                                       &pieces[k].ball))
        k++;
    scree_place_free(&place);
    return k == n ? SCREE_OK : no_room(fill, pieces, k, n, error);
}

static scree_status fill_pieces(const scree_fill *fill, scree_random *rng,
                                scree_piece *pieces, int64_t n,
                                scree_world *world, scree_error *error) {
    for (int64_t k = 0; k < n; k++)
        pieces[k] = scree_piece_draw(&fill->grain, rng);
    qsort(pieces, (size_t)n, sizeof *pieces, larger_first);
    TRY(fill_place(fill, rng, pieces, n, world, error));
    return add_all(&fill->grain, pieces, n, rng, world, error);
}

scree_status scree_fill_make(const scree_fill *fill, scree_random rng,
                             scree_world *world, scree_error *error) {
    TRY(fill_check(fill, error));
    const int64_t n = fill_count(fill, rng);
    scree_piece *pieces;
    TRY(take_pieces(&pieces, n, "fill", world, error));
    const scree_status status =
        fill_pieces(fill, &rng, pieces, n, world, error);
    free(pieces);
    return scree_world_agree_on(world, status, error);
}
