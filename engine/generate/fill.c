/* fill.c: random fills.
 *
 * A fill is random sequential addition: draw a place, keep it if it is free.
 * Bodies come from the largest to the smallest, since a boulder finds no room
 * among pebbles but pebbles do around a boulder; ids follow that order. They
 * look for places together (scatter.h), in classes of about the same radius:
 * with wider ones the densest fill is a looser one. They roam the region
 * (roam.h): each begins its visits at points drawn from all of it. Bodies are
 * added to the world only once all have a place: a fill that finds no room
 * leaves the world as it was.
 *
 * For equal spheres one try in 50 000 succeeds at a fraction of 0.357 of the
 * volume open to centres; the limit is 0.38. */
#include "engine/generate/check.h"
#include "engine/generate/generate.h"

#include <limits.h>
#include <math.h>

#include "engine/base/exact_sum.h"
#include "engine/generate/roam.h"
#include "engine/generate/sizes.h"
#include "engine/world/ranks.h"
#include "engine/world/world.h"

/* The bounds of patience: what is beyond them is reported, not hung on. */
enum { FILL_TRIES = 50000, COUNT_STEPS = 50, COUNT_SAMPLE = 1024 };
#define FILL_MOST 1e9 /* spheres of a fill by solid fraction */
/* Of the least to the largest radius: of a class, and of those in the same
 * cells. */
#define CLASS_RATIO 0.97
#define CELLS_RATIO 0.5

typedef struct fill_run {
    scree_roam roam; /* the first member, for the sower */
    const scree_fill *fill;
    scree_world *world;
    scree_sizes sizes;
    int64_t n;
} fill_run;

/* ---- bodies -------------------------------------------------------------- */

static scree_piece piece_of_n(const fill_run *run, int64_t k, int64_t n) {
    scree_random rng = scree_roam_size(&run->roam, k);
    const double p = ((double)k + scree_random_unit(&rng)) / (double)n;
    return scree_sizes_at(&run->sizes, p);
}

static scree_piece piece_at(const void *of, int64_t k) {
    const fill_run *run = of;
    return piece_of_n(run, k, run->n);
}

/* ---- how many ------------------------------------------------------------ */

/* In the plane the area of the disc. */
static double ball_volume(double r, bool planar) {
    return planar ? SCREE_PI * r * r : 4.0 / 3.0 * SCREE_PI * r * r * r;
}

static double piece_volume(const scree_fill *fill, const scree_piece *piece) {
    const scree_shape_set *set = &fill->grain.shapes;
    return set->n > 0 ? set->volumes[piece->shape - set->first]
                      : ball_volume(piece->ball.r, fill->region.planar);
}

static double total_volume(const fill_run *run, scree_exact_sum *sum) {
    scree_exact_reduce(scree_world_comm(run->world), sum, 1);
    return scree_exact_value(sum);
}

/* Volume of n bodies, of which each rank draws its share. */
static double volume_of(const fill_run *run, int64_t n) {
    const scree_comm *comm = scree_world_comm(run->world);
    scree_exact_sum sum = {0};
    for (int64_t k = comm->rank; k < n; k += comm->size) {
        const scree_piece one = piece_of_n(run, k, n);
        scree_exact_add(&sum, piece_volume(run->fill, &one));
    }
    return total_volume(run, &sum);
}

/* How many bodies reach the solid fraction: the volume of n is n times the
 * mean, up to a part of a body, so that a step or two from the first guess find
 * n. */
static int64_t count_of(const fill_run *run) {
    const scree_fill *fill = run->fill;
    if (fill->count > 0) return fill->count;
    const double wanted =
        fill->solid_fraction * scree_region_volume(&fill->region);
    double mean = volume_of(run, COUNT_SAMPLE) / COUNT_SAMPLE;
    int64_t n = (int64_t)fmax(1, fmin(ceil(wanted / mean), 2 * FILL_MOST));
    bool was_short = false;
    for (int i = 0; i < COUNT_STEPS; i++) {
        const double volume = volume_of(run, n), left = wanted - volume;
        mean = volume / (double)n;
        if (left > 0) {
            was_short = true;
            n += (int64_t)fmax(1, floor(left / mean));
        } else if (!was_short && n > 1 && -left >= mean) {
            n -= (int64_t)fmin((double)n - 1, floor(-left / mean));
        } else {
            break;
        }
    }
    return n;
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

/* ---- places -------------------------------------------------------------- */

/* Says how far the fill came. Collective. */
static scree_status no_room(const fill_run *run, const scree_scatter *s,
                            scree_error *error) {
    const double region = scree_region_volume(&run->fill->region);
    int64_t placed = s->placed.n;
    scree_exact_sum sum = {0};
    for (int64_t k = 0; k < s->placed.n; k++)
        scree_exact_add(&sum,
                        piece_volume(run->fill, &s->placed.list[k].piece));
    scree_comm_sum_counts(scree_world_comm(run->world), &placed, 1);
    const double next = piece_at(run, scree_scatter_first_waiting(s)).ball.r;
    return scree_fail(
        error, SCREE_NO_ROOM,
        "the fill found room for %lld of %lld bodies, a solid fraction of "
        "%.3f where %.3f was asked for; a place for the next one, of radius "
        "%g, takes more than %d tries. Random places of balls reach about "
        "0.35: use a larger region or fewer bodies and let them settle, or use "
        "a lattice",
        (long long)placed, (long long)run->n, total_volume(run, &sum) / region,
        volume_of(run, run->n) / region, next, (int)FILL_TRIES);
}

/* The first body from `first` on, and before `end`, that is smaller than a
 * ratio of its size, or the end. */
static int64_t first_smaller(const fill_run *run, int64_t first, int64_t end,
                             double ratio) {
    const double least = ratio * piece_at(run, first).ball.r;
    int64_t in = first, out = end;
    while (out - in > 1) {
        const int64_t k = in + (out - in) / 2;
        if (piece_at(run, k).ball.r >= least)
            in = k;
        else
            out = k;
    }
    return out;
}

/* Those of one cut, class by class. */
static scree_status place_classes(const fill_run *run, scree_scatter *s,
                                  int64_t first, int64_t end) {
    const int64_t n = end - first;
    scree_scatter_cut(s, n, n, piece_at(run, first).ball.r);
    for (int64_t next; first < end; first = next) {
        next = first_smaller(run, first, end, CLASS_RATIO);
        TRY(scree_scatter_place(s, first, next));
    }
    return SCREE_OK;
}

static scree_status fill_place(const fill_run *run, scree_scatter *s,
                               scree_error *error) {
    for (int64_t first = 0, end; first < run->n; first = end) {
        end = first_smaller(run, first, run->n, CELLS_RATIO);
        const scree_status status = place_classes(run, s, first, end);
        if (status == SCREE_NO_ROOM) return no_room(run, s, error);
        TRY(status);
    }
    return SCREE_OK;
}

static scree_status fill_scatter(const fill_run *run, scree_error *error) {
    const scree_fill *fill = run->fill;
    const scree_sower sower =
        scree_roam_sower(&run->roam, piece_at, INT_MAX / 4, FILL_TRIES);
    const double r_max = piece_at(run, 0).ball.r;
    TRY(scree_region_check(&fill->region, r_max, error));
    scree_scatter s;
    scree_status status = scree_scatter_begin(&s, &sower, r_max, run->world);
    if (status == SCREE_OK) status = fill_place(run, &s, error);
    if (status == SCREE_OK)
        status = scree_scatter_add(&s, run->n, &fill->grain, run->world, error);
    return scree_scatter_end(&s, status, "fill", run->n, error);
}

scree_status scree_fill_make(const scree_fill *fill, scree_random rng,
                             scree_world *world, scree_error *error) {
    REQUIRE(fill, "fill is NULL");
    TRY(scree_grain_check(&fill->grain, world, error));
    TRY(fill_check(fill, error));
    fill_run run = {.roam = {.region = &fill->region,
                             .bodies = rng.state,
                             .visits = rng.state},
                    .fill = fill,
                    .world = world};
    scree_status status = scree_world_agree_on(
        world, scree_sizes_init(&run.sizes, &fill->grain), NULL);
    if (status == SCREE_OK) {
        run.n = count_of(&run);
        status = fill_scatter(&run, error);
    } else {
        scree_fail(error, status, "no memory for a fill");
    }
    scree_sizes_free(&run.sizes);
    return scree_world_agree_on(world, status, error);
}
