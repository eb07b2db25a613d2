/* place.c: regions, and free places in them (place.h). */
#include "engine/generate/place.h"

#include "contact/narrow/touch.h"
#include "engine/base/arena.h"
#include "engine/base/assert.h"
#include "engine/world/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- regions ------------------------------------------------------------- */

static int dimensions_of(const scree_region *region) {
    return region->planar ? 2 : 3;
}

double scree_region_volume(const scree_region *region) {
    if (region->kind == SCREE_REGION_CYLINDER)
        return SCREE_PI * region->radius * region->radius * region->height;
    double volume = 1;
    for (int i = 0; i < dimensions_of(region); i++)
        volume *= region->max[i] - region->min[i];
    return volume;
}

static scree_vec3 unit_axis(const scree_region *region) {
    const scree_vec3 axis = vec_from(region->axis);
    return scale(1 / norm(axis), axis);
}

static void cylinder_bounds(const scree_region *region, double min[3],
                            double max[3]) {
    double a[3];
    vec_to(unit_axis(region), a);
    for (int i = 0; i < 3; i++) {
        const double end = region->base[i] + region->height * a[i];
        const double across = region->radius * sqrt(fmax(0, 1 - a[i] * a[i]));
        min[i] = fmin(region->base[i], end) - across;
        max[i] = fmax(region->base[i], end) + across;
    }
}

void scree_region_bounds(const scree_region *region, double min[3],
                         double max[3]) {
    if (region->kind == SCREE_REGION_CYLINDER) {
        cylinder_bounds(region, min, max);
        return;
    }
    memcpy(min, region->min, 3 * sizeof *min);
    memcpy(max, region->max, 3 * sizeof *max);
}

void scree_region_frame(const scree_region *region, scree_vec3 *base,
                        scree_vec3 axes[3], double extent[3]) {
    if (region->kind == SCREE_REGION_CYLINDER) {
        const double r = region->radius;
        axes[2] = unit_axis(region);
        axes[0] = perpendicular(axes[2]);
        axes[1] = cross(axes[2], axes[0]);
        *base = add_scaled(vec_from(region->base), -r, add(axes[0], axes[1]));
        extent[0] = extent[1] = 2 * r;
        extent[2] = region->height;
        return;
    }
    axes[0] = vec(1, 0, 0), axes[1] = vec(0, 1, 0), axes[2] = vec(0, 0, 1);
    *base = vec_from(region->min);
    for (int i = 0; i < 3; i++) extent[i] = region->max[i] - region->min[i];
    if (region->planar) base->z = extent[2] = 0;
}

/* Radius of the largest sphere in the region. */
static double region_inradius(const scree_region *region) {
    if (region->kind == SCREE_REGION_CYLINDER)
        return fmin(region->radius, region->height / 2);
    double inradius = INFINITY;
    for (int i = 0; i < dimensions_of(region); i++)
        inradius = fmin(inradius, (region->max[i] - region->min[i]) / 2);
    return inradius;
}

scree_status scree_region_check(const scree_region *region, double radius,
                                scree_error *error) {
    const double inradius = region_inradius(region);
    if (!(inradius > 0) || !isfinite(scree_region_volume(region)))
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "the region needs a positive, finite volume");
    if (inradius >= radius * (1 - 1e-9)) return SCREE_OK;
    return scree_fail(error, SCREE_NO_ROOM,
                      "a ball of radius %g does not fit into the region; "
                      "the largest that does has radius %g",
                      radius, inradius);
}

static scree_vec3 sample_cylinder(const scree_region *region, double r,
                                  scree_random *rng) {
    const scree_vec3 axis = unit_axis(region), s = perpendicular(axis);
    const double along = scree_random_range(rng, r, region->height - r);
    const double out = (region->radius - r) * sqrt(scree_random_unit(rng));
    const double angle = 2 * SCREE_PI * scree_random_unit(rng);
    const scree_vec3 across = add_scaled(scale(scree_cos(angle), s),
                                         scree_sin(angle), cross(axis, s));
    return add_scaled(add_scaled(vec_from(region->base), along, axis), out,
                      across);
}

scree_vec3 scree_region_sample(const scree_region *region, double r,
                               scree_random *rng) {
    if (region->kind == SCREE_REGION_CYLINDER)
        return sample_cylinder(region, r, rng);
    double x[3] = {0};
    for (int i = 0; i < dimensions_of(region); i++)
        x[i] = scree_random_range(rng, region->min[i] + r, region->max[i] - r);
    return vec_from(x);
}

/* ---- free places --------------------------------------------------------- */

static int ball_level(const scree_place *place, double r) {
    const int level = ilogb(place->side[0] / (2 * r));
    if (level < 0) return 0;
    return level < SCREE_PLACE_LEVELS ? level : SCREE_PLACE_LEVELS - 1;
}

/* Farther out doubles tell no cell from its neighbour: all are one. */
static int64_t cell_of(double x, double h) {
    return (int64_t)fmax(-0x1p53, fmin(floor(x / h), 0x1p53));
}

/* Bucket of the cell (0, y, z); the cells of a row follow each other, so that
 * three neighbours cost one cache miss and not three. */
static uint64_t row_bucket(int level, int64_t y, int64_t z) {
    scree_random mix = {(uint64_t)level ^ (uint64_t)y << 4};
    mix.state = scree_random_next(&mix) ^ (uint64_t)z;
    return scree_random_next(&mix);
}

/* Ball k into the bucket of its cell. */
static void put_in_bucket(scree_place *place, int64_t k) {
    const scree_ball ball = place->balls[k];
    const int level = ball_level(place, ball.r);
    const double h = place->side[level];
    const uint64_t row =
        row_bucket(level, cell_of(ball.x.y, h), cell_of(ball.x.z, h));
    const uint64_t bucket =
        (row + (uint64_t)cell_of(ball.x.x, h)) & place->mask;
    place->next[k] = place->bucket[bucket];
    place->bucket[bucket] = k;
    place->population[level]++;
}

void scree_place_add(scree_place *place, scree_ball ball) {
    scree_assert(place->n < place->capacity && ball.r <= place->side[0] / 2);
    const int64_t k = place->n++;
    place->balls[k] = ball;
    put_in_bucket(place, k);
}

static bool balls_overlap(scree_ball a, scree_ball b) {
    const scree_vec3 d = sub(a.x, b.x);
    const double reach = (1 - 1e-9) * (a.r + b.r);
    return dot(d, d) < reach * reach;
}

static bool walls_are_clear(const scree_place *place, scree_ball ball) {
    for (int w = 0; w < place->n_wall; w++) {
        const double *point = place->walls[w], *normal = point + 3;
        const scree_vec3 d = sub(ball.x, vec_from(point));
        if (dot(d, vec_from(normal)) < (1 - 1e-9) * ball.r) return false;
    }
    for (int w = 0; w < place->n_surface; w++)
        if (scree_wall_near(&place->surfaces[w], &ball, -1e-9 * ball.r))
            return false;
    return true;
}

/* Cells [lo, hi] of one row. Two cells may share a bucket: the distance
 * decides, so that costs a test but changes no answer. */
static bool row_is_clear(const scree_place *place, uint64_t row, int64_t lo,
                         int64_t hi, scree_ball ball) {
    for (int64_t x = lo; x <= hi; x++) {
        int64_t k = place->bucket[(row + (uint64_t)x) & place->mask];
        for (; k >= 0; k = place->next[k])
            if (balls_overlap(place->balls[k], ball)) return false;
    }
    return true;
}

/* The middle row comes first: most tries fail, and most of those fail there. */
static bool level_is_clear(const scree_place *place, int level,
                           scree_ball ball) {
    const double h = place->side[level], reach = ball.r + h / 2;
    const int64_t x0 = cell_of(ball.x.x - reach, h);
    const int64_t x1 = cell_of(ball.x.x + reach, h);
    const int64_t y0 = cell_of(ball.x.y - reach, h);
    const int64_t ny = cell_of(ball.x.y + reach, h) - y0 + 1;
    const int64_t z0 = cell_of(ball.x.z - reach, h);
    const int64_t n = ny * (cell_of(ball.x.z + reach, h) - z0 + 1);
    for (int64_t i = 0; i < n; i++) {
        const int64_t k = (i + n / 2) % n;
        const uint64_t row = row_bucket(level, y0 + k % ny, z0 + k / ny);
        if (!row_is_clear(place, row, x0, x1, ball)) return false;
    }
    return true;
}

static bool all_are_clear(const scree_place *place, scree_ball ball) {
    for (int64_t k = 0; k < place->n; k++)
        if (balls_overlap(place->balls[k], ball)) return false;
    return true;
}

static double cells_to_visit(const scree_place *place, double r) {
    double cells = 0;
    for (int l = 0; l < SCREE_PLACE_LEVELS; l++) {
        const double across = 2 * r / place->side[l] + 2;
        if (place->population[l] > 0) cells += across * across * across;
    }
    return cells;
}

bool scree_place_is_free(const scree_place *place, scree_ball ball) {
    if (!walls_are_clear(place, ball)) return false;
    if (cells_to_visit(place, ball.r) > (double)place->n)
        return all_are_clear(place, ball);
    for (int l = 0; l < SCREE_PLACE_LEVELS; l++)
        if (place->population[l] > 0 && !level_is_clear(place, l, ball))
            return false;
    return true;
}

/* ---- snapshot ------------------------------------------------------------ */

static void read_walls(scree_place *place, const scree_world *world) {
    const int n = scree_world_wall_count(world);
    for (int w = 0; w < n; w++) {
        scree_wall wall = world->scene.walls[w];
        scree_plane plane;
        scree_wall_move(&wall, &plane, world->state.t);
        if (!plane.exists) continue;
        if (scree_plane_is_surface(&plane)) {
            place->surfaces[place->n_surface++] = plane;
            continue;
        }
        double *at = place->walls[place->n_wall++];
        vec_to(scale(plane.d, plane.n), at);
        vec_to(plane.n, at + 3);
    }
}

bool scree_ball_reaches(const scree_ball *ball, const double min[3],
                        const double max[3]) {
    double x[3];
    vec_to(ball->x, x);
    for (int i = 0; i < 3; i++)
        if (x[i] + ball->r < min[i] || x[i] - ball->r > max[i]) return false;
    return true;
}

/* Buckets for all that there is room for, twice as many at least. */
static scree_status renew_buckets(scree_place *place) {
    uint64_t buckets = 16;
    while (buckets < 2 * (uint64_t)place->capacity) buckets *= 2;
    if (place->bucket && buckets == place->mask + 1) return SCREE_OK;
    free(place->bucket);
    place->bucket = malloc(buckets * sizeof *place->bucket);
    if (!place->bucket) return SCREE_OUT_OF_MEMORY;
    place->mask = buckets - 1;
    memset(place->bucket, -1, buckets * sizeof *place->bucket);
    memset(place->population, 0, sizeof place->population);
    for (int64_t k = 0; k < place->n; k++) put_in_bucket(place, k);
    return SCREE_OK;
}

scree_status scree_place_reserve(scree_place *place, int64_t more) {
    const int64_t need = place->n + more;
    if (need <= place->capacity && place->bucket) return SCREE_OK;
    int64_t room = place->capacity;
    TRY(scree_reserve(&place->balls, &room, need, sizeof *place->balls));
    TRY(scree_reserve(&place->next, &place->capacity, need,
                      sizeof *place->next));
    return renew_buckets(place);
}

scree_status scree_place_start(scree_place *place, const scree_world *world,
                               double r_max, int64_t n) {
    const size_t walls = (size_t)scree_world_wall_count(world) + 1;
    *place = (scree_place){0};
    for (int l = 0; l < SCREE_PLACE_LEVELS; l++)
        place->side[l] = ldexp(2 * r_max, -l);
    place->walls = calloc(walls, sizeof *place->walls);
    place->surfaces = calloc(walls, sizeof *place->surfaces);
    if (!place->walls || !place->surfaces) return SCREE_OUT_OF_MEMORY;
    read_walls(place, world);
    return scree_place_reserve(place, n);
}

void scree_place_free(scree_place *place) {
    free(place->walls);
    free(place->surfaces);
    free(place->balls);
    free(place->next);
    free(place->bucket);
    *place = (scree_place){0};
}
