/* audit_pour.c: how many bodies a pour can let in.
 *
 * By its rate 1 + rate T enter in the time T that it has. By the room in its region
 * no more than
 *
 *     N = phi V / v (1 + T / t),   (h + d) / 2 = v_0 t + g t^2 / 2
 *
 * V is the volume of the region, v that of a body's ball, phi the solid fraction
 * that balls dropped at random reach, h the height of the region along gravity, d a
 * diameter and t the time after which a body has left that entered half way up.
 * Without gravity and speed t is infinite: what is in blocks what comes. What lies
 * below the region may block it too; that is known at the end of the run only. */
#include <math.h>

#include "engine/audit/audit_parts.h"
#include "engine/generate/place.h"

/* Of random sequential addition in space and in the plane. */
static const double FRACTION = 0.35, FRACTION_PLANAR = 0.5;
/* A pour that lets in less than this share of what is asked for is told of: by its
 * rate, which is sure, and by its room, which is an estimate. */
static const double ENOUGH_RATE = 0.99, ENOUGH_ROOM = 0.5;

static double ball_volume(double r, bool planar) {
    const double disc = 3.14159265358979323846 * r * r;
    return planar ? disc : 4.0 / 3.0 * r * disc;
}

/* How far the region reaches along a direction. */
static double height_along(const scree_region *region, scree_vec3 n) {
    scree_vec3 base, axes[3];
    double extent[3], height = 0;
    scree_region_frame(region, &base, axes, extent);
    for (int k = 0; k < (region->planar ? 2 : 3); ++k)
        height += fabs(dot(axes[k], n)) * extent[k];
    return height;
}

/* The time after which a body that enters has left the region. */
static double leaving_time(const scree_pour *pour, scree_vec3 g, double d) {
    const scree_vec3 v = vec_from(pour->grain.velocity);
    const double fall = norm(g), speed = norm(v);
    if (fall == 0 && speed == 0) return INFINITY;
    const scree_vec3 way = fall > 0 ? scale(1 / fall, g) : scale(1 / speed, v);
    const double h = 0.5 * (height_along(&pour->region, way) + d),
                 v0 = fmax(dot(v, way), 0);
    if (fall == 0) return h / v0;
    return (sqrt(v0 * v0 + 2 * fall * h) - v0) / fall;
}

static double time_of(const scree_pour *pour, double end) {
    return fmax(fmin(pour->stop, end) - pour->start, 0);
}

static double most_by_room(const scree_pour *pour, scree_vec3 g, double T) {
    const scree_region *region = &pour->region;
    const double r = scree_grain_largest(&pour->grain);
    const double phi = region->planar ? FRACTION_PLANAR : FRACTION;
    const double at_once = fmax(1, phi * scree_region_volume(region) /
                                       ball_volume(r, region->planar));
    return at_once * (1 + T / leaving_time(pour, g, 2 * r));
}

double scree_pour_most(const scree_pour *pour, const double gravity[3],
                       double end) {
    const double T = time_of(pour, end);
    return floor(
        fmin(1 + pour->rate * T, most_by_room(pour, vec_from(gravity), T)));
}

static const char *pour_name(const scree_auditor *by, int k) {
    return by->scene->pour_names ? by->scene->pour_names[k] : "a pour";
}

static void look_at_pour(const scree_auditor *by, int k) {
    const scree_pour *pour = by->scene->pours[k];
    const double T = time_of(pour, by->scene->end),
                 by_rate = floor(1 + pour->rate * T),
                 most = scree_pour_most(pour, by->world->def.gravity,
                                        by->scene->end);
    const double wanted =
        pour->count < INT64_MAX ? (double)pour->count : by_rate;
    if (most < ENOUGH_ROOM * fmin(wanted, by_rate))
        scree_audit_add(by->audit, SCREE_WARNING, SCREE_FINDING_POUR,
                        "%s can let in about %.2g of %.6g bodies in its %.3g "
                        "s: its region has room for no more, as they have to "
                        "leave it first; enlarge it, give them a velocity out "
                        "of it, or let it go on for longer",
                        pour_name(by, k), most, wanted, T);
    else if (by_rate < ENOUGH_RATE * wanted)
        scree_audit_add(by->audit, SCREE_WARNING, SCREE_FINDING_POUR,
                        "%s can let in %.6g of %.6g bodies: its rate of %.4g "
                        "per second allows no more in its %.3g s; raise its "
                        "rate, or let it go on for longer",
                        pour_name(by, k), by_rate, wanted, pour->rate, T);
}

void scree_audit_pours(const scree_auditor *by) {
    for (int k = 0; k < by->scene->n_pour; ++k) look_at_pour(by, k);
}
