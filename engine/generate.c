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

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/vec.h"
#include "engine/place.h"

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

scree_status scree_grain_add(const scree_grain *grain, scree_ball ball,
                             scree_world *world, scree_error *error) {
    scree_sphere_def def = scree_sphere_def_default();
    vec_to(ball.x, def.position);
    memcpy(def.velocity, grain->velocity, sizeof def.velocity);
    memcpy(def.angular_velocity, grain->angular_velocity,
           sizeof def.angular_velocity);
    def.radius = ball.r;
    def.material = grain->material;
    const scree_status status = scree_world_add_sphere(world, &def, NULL);
    if (status == SCREE_OK) return SCREE_OK;
    return scree_fail(error, status, "%s", scree_world_error(world));
}

static scree_status add_all(const scree_grain *grain, const scree_ball *balls,
                            int64_t n, scree_world *world, scree_error *error) {
    for (int64_t k = 0; k < n; k++)
        TRY(scree_grain_add(grain, balls[k], world, error));
    return SCREE_OK;
}

/* ---- lattice ------------------------------------------------------------- */

static scree_vec3 lattice_point(const scree_lattice *lattice, int64_t k,
                                scree_random *rng) {
    double x[3];
    for (int i = 0; i < 3; i++) {
        const double index = (double)(k % lattice->counts[i]);
        const double shift = lattice->jitter * scree_random_range(rng, -1, 1);
        x[i] = lattice->origin[i] + index * lattice->spacing[i] + shift;
        k /= lattice->counts[i];
    }
    return vec_from(x);
}

static bool lattice_place(const scree_lattice *lattice, int64_t k,
                          scree_random *rng, scree_place *place,
                          scree_ball *ball) {
    const int tries = lattice->jitter > 0 ? JITTER_TRIES : 1;
    for (int t = 0; t < tries; t++) {
        ball->x = lattice_point(lattice, k, rng);
        if (!scree_place_is_free(place, *ball)) continue;
        scree_place_add(place, *ball);
        return true;
    }
    return false;
}

static scree_status lattice_place_all(const scree_lattice *lattice,
                                      scree_random *rng, scree_place *place,
                                      scree_ball *balls, int64_t n,
                                      scree_error *error) {
    for (int64_t k = 0; k < n; k++) {
        scree_ball *b = &balls[k];
        b->r = scree_radius_draw(&lattice->grain.radius, rng);
        if (lattice_place(lattice, k, rng, place, b)) continue;
        return scree_fail(
            error, SCREE_NO_ROOM,
            "lattice sphere %lld of %lld, radius %g near (%g, %g, %g), "
            "overlaps a wall or another sphere; use a larger spacing, smaller "
            "radii or less jitter, or move the origin",
            (long long)k + 1, (long long)n, b->r, b->x.x, b->x.y, b->x.z);
    }
    return SCREE_OK;
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

static scree_status lattice_balls(const scree_lattice *lattice,
                                  scree_random *rng, scree_ball *balls,
                                  int64_t n, const scree_world *world,
                                  scree_error *error) {
    const double r_max = scree_radius_largest(&lattice->grain.radius);
    double min[3], max[3];
    lattice_bounds(lattice, lattice->jitter + r_max, min, max);
    scree_place place;
    TRY(scree_place_init(&place, world, min, max, n, r_max, error));
    const scree_status status =
        lattice_place_all(lattice, rng, &place, balls, n, error);
    scree_place_free(&place);
    return status;
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
    scree_ball *balls = calloc((size_t)n, sizeof *balls);
    if (!balls)
        return scree_fail(error, SCREE_OUT_OF_MEMORY,
                          "no memory for a lattice of %lld spheres",
                          (long long)n);
    scree_status status = lattice_balls(lattice, &rng, balls, n, world, error);
    if (status == SCREE_OK)
        status = add_all(&lattice->grain, balls, n, world, error);
    free(balls);
    return status;
}

/* ---- fill ---------------------------------------------------------------- */

static double ball_volume(double r) {
    return 4.0 / 3.0 * SCREE_PI * r * r * r;
}

static double solid_volume(const scree_ball *balls, int64_t n) {
    double volume = 0;
    for (int64_t k = 0; k < n; k++) volume += ball_volume(balls[k].r);
    return volume;
}

static scree_status fill_check(const scree_fill *fill, scree_error *error) {
    TRY(scree_region_check(&fill->region, 0, error));
    const double f = fill->solid_fraction;
    if (fill->count < 0 || (fill->count == 0 && !(f > 0 && f < 1)))
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "a fill needs a positive count, or a solid fraction "
                          "between 0 and 1");
    const double least = f * scree_region_volume(&fill->region) /
                         ball_volume(scree_radius_largest(&fill->grain.radius));
    if (fill->count > 0 || least <= FILL_MOST) return SCREE_OK;
    return scree_fail(error, SCREE_OUT_OF_MEMORY,
                      "the solid fraction takes more than %g spheres", least);
}

/* How many radii reach the solid fraction. Draws from a copy of the stream, so
 * that the same radii follow when there is memory for them. */
static int64_t fill_count(const scree_fill *fill, scree_random rng) {
    if (fill->count > 0) return fill->count;
    double left = fill->solid_fraction * scree_region_volume(&fill->region);
    int64_t n = 0;
    for (; left > 0; n++)
        left -= ball_volume(scree_radius_draw(&fill->grain.radius, &rng));
    return n;
}

static int larger_first(const void *a, const void *b) {
    const double ra = ((const scree_ball *)a)->r;
    const double rb = ((const scree_ball *)b)->r;
    return (ra < rb) - (ra > rb);
}

static scree_status no_room(const scree_fill *fill, const scree_ball *balls,
                            int64_t placed, int64_t n, scree_error *error) {
    const double region = scree_region_volume(&fill->region);
    return scree_fail(
        error, SCREE_NO_ROOM,
        "the fill found room for %lld of %lld spheres, a solid fraction of "
        "%.3f where %.3f was asked for; the next one, of radius %g, found no "
        "free place in %d tries. Random places reach about 0.35: use a larger "
        "region or fewer spheres and let them settle, or use a lattice",
        (long long)placed, (long long)n, solid_volume(balls, placed) / region,
        solid_volume(balls, n) / region, balls[placed].r, (int)FILL_TRIES);
}

static scree_status fill_place(const scree_fill *fill, scree_random *rng,
                               scree_ball *balls, int64_t n,
                               const scree_world *world, scree_error *error) {
    TRY(scree_region_check(&fill->region, balls[0].r, error));
    double min[3], max[3];
    scree_region_bounds(&fill->region, min, max);
    scree_place place;
    TRY(scree_place_init(&place, world, min, max, n, balls[0].r, error));
    int64_t k = 0;
    while (k < n && scree_place_random(&place, &fill->region, FILL_TRIES, rng,
                                       &balls[k]))
        k++;
    scree_place_free(&place);
    return k == n ? SCREE_OK : no_room(fill, balls, k, n, error);
}

static scree_status fill_balls(const scree_fill *fill, scree_random *rng,
                               scree_ball *balls, int64_t n, scree_world *world,
                               scree_error *error) {
    for (int64_t k = 0; k < n; k++)
        balls[k].r = scree_radius_draw(&fill->grain.radius, rng);
    qsort(balls, (size_t)n, sizeof *balls, larger_first);
    TRY(fill_place(fill, rng, balls, n, world, error));
    return add_all(&fill->grain, balls, n, world, error);
}

scree_status scree_fill_make(const scree_fill *fill, scree_random rng,
                             scree_world *world, scree_error *error) {
    TRY(fill_check(fill, error));
    const int64_t n = fill_count(fill, rng);
    scree_ball *balls = calloc((size_t)n, sizeof *balls);
    if (!balls)
        return scree_fail(error, SCREE_OUT_OF_MEMORY,
                          "no memory for a fill of %lld spheres", (long long)n);
    const scree_status status = fill_balls(fill, &rng, balls, n, world, error);
    free(balls);
    return status;
}
