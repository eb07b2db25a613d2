#include "contact/solid/rock.h"

#include <stdlib.h>

#include "contact/solid/mass.h"
#include "engine/base/random.h"

scree_rock_def scree_rock_default(void) {
    return (scree_rock_def){.diameter = 1,
                            .elongation = 0.8,
                            .flatness = 0.7,
                            .jitter = 0.1,
                            .n_points = 20,
                            .seed = 1};
}

static scree_status check_rock(const scree_rock_def *def, scree_error *error) {
    if (!(def->diameter > 0) || !isfinite(def->diameter))
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "a rock needs a positive diameter, not %g",
                          def->diameter);
    if (!(def->elongation > 0 && def->elongation <= 1))
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "elongation (b / a) must be in (0, 1], not %g",
                          def->elongation);
    if (!(def->flatness > 0 && def->flatness <= 1))
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "flatness (c / b) must be in (0, 1], not %g",
                          def->flatness);
    if (!(def->jitter >= 0 && def->jitter < 1))
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "jitter must be in [0, 1), not %g", def->jitter);
    if (def->n_points < 4)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "a rock needs at least 4 points, not %d",
                          def->n_points);
    return SCREE_OK;
}

/* Direction i of n, nearly even over the sphere: one height per band of equal
 * area, turned on by the golden angle, both blurred by a band. Independent
 * directions would leave holes, and proportions far from those asked for. */
static scree_vec3 direction_of(scree_random *rng, int i, int n) {
    const double golden = SCREE_PI * (3 - sqrt(5));
    const double z = 1 - 2 * (i + scree_random_unit(rng)) / n;
    const double blur = sqrt(4 * SCREE_PI / n) * (scree_random_unit(rng) - 0.5);
    const double rho = sqrt(fmax(1 - z * z, 0));
    const double phi = golden * i + blur / fmax(rho, 0.1);
    return vec(rho * scree_cos(phi), rho * scree_sin(phi), z);
}

static scree_quat random_turn(scree_random *rng) {
    const double w = scree_random_normal(rng), x = scree_random_normal(rng);
    const double y = scree_random_normal(rng), z = scree_random_normal(rng);
    return quat_unit((scree_quat){w, x, y, z});
}

static void draw_points(const scree_rock_def *def, scree_vec3 *points) {
    scree_random rng = scree_random_stream(def->seed, 0);
    const scree_quat turn = random_turn(&rng); /* no seam at the poles */
    const double b = def->elongation, c = b * def->flatness;
    for (int i = 0; i < def->n_points; i++) {
        const scree_vec3 u =
            quat_rotate(turn, direction_of(&rng, i, def->n_points));
        const double r = 1 - def->jitter * scree_random_unit(&rng);
        points[i] = vec(r * u.x, r * b * u.y, r * c * u.z);
    }
}

static void fit_diameter(scree_hull *hull, double diameter) {
    const scree_mass mass = scree_mass_hull(hull, 0);
    const double volume = SCREE_PI / 6 * diameter * diameter * diameter;
    const double s = scree_cbrt(volume / mass.volume);
    scree_hull_moved(hull, s, scale(-s, mass.centre));
}

scree_status scree_rock_make(const scree_rock_def *def, scree_hull *hull,
                             scree_error *error) {
    *hull = (scree_hull){0};
    TRY(check_rock(def, error));
    scree_vec3 *points = malloc((size_t)def->n_points * sizeof *points);
    if (!points)
        return scree_fail(error, SCREE_OUT_OF_MEMORY,
                          "no memory for a rock of %d points", def->n_points);
    draw_points(def, points);
    const scree_status status =
        scree_hull_from_points(hull, points, def->n_points, error);
    free(points);
    if (status == SCREE_OK) fit_diameter(hull, def->diameter);
    return status;
}
