/* check.c: every number that a generator is told, named if it cannot be. */
#include "engine/generate/check.h"

#include <math.h>

#include "engine/generate/place.h"
#include "engine/world/world.h"

/* A larger base would have more bodies than ids. */
enum { LARGEST_BASE = 1000 };

static bool is_size(double x) {
    return isfinite(x) && x > 0;
}

static bool are_finite(const double x[3]) {
    return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
}

/* ---- grains --------------------------------------------------------------- */

static scree_status check_list(const scree_radius_law *law,
                               scree_error *error) {
    double sum = 0;
    REQUIRE(law->n > 0 && law->values, "radius.values has no entries");
    for (int i = 0; i < law->n; i++) {
        const double weight = law->weights ? law->weights[i] : 1;
        REQUIRE(is_size(law->values[i]), "radius.values[%d] = %g is not > 0", i,
                law->values[i]);
        REQUIRE(isfinite(weight) && weight >= 0,
                "radius.weights[%d] = %g is not >= 0", i, weight);
        sum += weight;
    }
    REQUIRE(is_size(sum), "radius.weights are all 0");
    return SCREE_OK;
}

static scree_status check_radius(const scree_radius_law *law,
                                 scree_error *error) {
    switch (law->kind) {
    case SCREE_RADIUS_CONSTANT:
        REQUIRE(is_size(law->value), "radius.value = %g is not > 0",
                law->value);
        return SCREE_OK;
    case SCREE_RADIUS_NORMAL:
        REQUIRE(isfinite(law->mean), "radius.mean is not finite");
        REQUIRE(isfinite(law->deviation) && law->deviation >= 0,
                "radius.deviation = %g is not >= 0", law->deviation);
        REQUIRE(law->min >= 0, "radius.min = %g is not >= 0", law->min);
        REQUIRE(is_size(law->max) && law->min <= law->max,
                "radius.max = %g is not > 0, or below radius.min", law->max);
        return SCREE_OK;
    case SCREE_RADIUS_UNIFORM:
        REQUIRE(is_size(law->min), "radius.min = %g is not > 0", law->min);
        REQUIRE(is_size(law->max) && law->min <= law->max,
                "radius.max = %g is below radius.min", law->max);
        return SCREE_OK;
    case SCREE_RADIUS_LIST:
        return check_list(law, error);
    }
    return scree_fail(error, SCREE_BAD_ARGUMENT, "radius.kind = %d is none",
                      (int)law->kind);
}

static scree_status check_shapes(const scree_shape_set *set,
                                 const scree_world *world, scree_error *error) {
    const int n = world->scene.n_form;
    REQUIRE(set->first >= 0 && set->first < n && set->n <= n - set->first,
            "shapes: %d from %d on are not among the %d of the world", set->n,
            set->first, n);
    REQUIRE(set->bounds && set->volumes, "shapes.bounds or volumes is NULL");
    for (int i = 0; i < set->n; i++)
        REQUIRE(is_size(set->bounds[i]) && is_size(set->volumes[i]),
                "shapes.bounds[%d] or volumes[%d] is not > 0", i, i);
    return SCREE_OK;
}

scree_status scree_grain_check(const scree_grain *grain,
                               const scree_world *world, scree_error *error) {
    REQUIRE(are_finite(grain->velocity), "velocity is not finite");
    REQUIRE(are_finite(grain->angular_velocity),
            "angular_velocity is not finite");
    REQUIRE(grain->shapes.n >= 0, "shapes.n = %d is not >= 0", grain->shapes.n);
    return grain->shapes.n > 0 ? check_shapes(&grain->shapes, world, error)
                               : check_radius(&grain->radius, error);
}

/* ---- generators ------------------------------------------------------------ */

scree_status scree_lattice_check(const scree_lattice *lattice,
                                 const scree_world *world, scree_error *error) {
    REQUIRE(lattice, "lattice is NULL");
    REQUIRE(are_finite(lattice->origin), "origin is not finite");
    REQUIRE(isfinite(lattice->jitter) && lattice->jitter >= 0,
            "jitter = %g is not >= 0", lattice->jitter);
    for (int i = 0; i < 3; i++)
        REQUIRE(isfinite(lattice->spacing[i]), "spacing[%d] is not finite", i);
    return scree_grain_check(&lattice->grain, world, error);
}

scree_status scree_pour_check(const scree_pour *pour, const scree_world *world,
                              scree_error *error) {
    REQUIRE(pour, "pour is NULL");
    REQUIRE(is_size(pour->rate), "rate = %g is not > 0", pour->rate);
    REQUIRE(pour->count >= 0, "count = %lld is not >= 0",
            (long long)pour->count);
    REQUIRE(isfinite(pour->start), "start is not finite");
    REQUIRE(!isnan(pour->stop), "stop is not a number");
    TRY(scree_region_check(&pour->region, 0, error));
    return scree_grain_check(&pour->grain, world, error);
}

scree_status scree_pyramid_check(const scree_pyramid *pyramid,
                                 const scree_world *world, scree_error *error) {
    REQUIRE(pyramid, "pyramid is NULL");
    REQUIRE(are_finite(pyramid->origin), "origin is not finite");
    REQUIRE(pyramid->base >= 1 && pyramid->base <= LARGEST_BASE,
            "base = %d is not in 1 to %d", pyramid->base, LARGEST_BASE);
    REQUIRE(is_size(pyramid->spacing), "spacing = %g is not > 0",
            pyramid->spacing);
    for (int i = 0; i < (pyramid->planar ? 2 : 3); i++)
        REQUIRE(is_size(pyramid->size[i]), "size[%d] = %g is not > 0", i,
                pyramid->size[i]);
    return scree_grain_check(&pyramid->grain, world, error);
}

scree_status scree_single_check(const scree_single *single,
                                const scree_world *world, scree_error *error) {
    REQUIRE(single, "single is NULL");
    REQUIRE(single->grain.shapes.n > 0,
            "shapes.n is 0: scree_world_add_sphere adds a sphere");
    return scree_grain_check(&single->grain, world, error);
}

/* ---- streams --------------------------------------------------------------- */

scree_random scree_random_begin(uint64_t seed, uint64_t number) {
    return scree_random_stream(seed, number);
}

scree_pour_state scree_pour_begin(scree_random rng) {
    return (scree_pour_state){.seed = rng.state};
}
