#include "contact/surface/revolved.h"

#include <stdlib.h>

/* Sides that turn by less are one [rad]. */
static const double FLAT = 1e-9;

void scree_revolved_free(scree_revolved *wall) {
    free(wall->r);
    free(wall->z);
    free(wall->joint);
    free(wall->strip);
    *wall = (scree_revolved){0};
}

/* ---- checks -------------------------------------------------------------- */

static scree_status check_point(const double *p, int k, scree_error *error) {
    REQUIRE(isfinite(p[0]) && isfinite(p[1]),
            "point %d of the profile is not finite", k);
    REQUIRE(p[0] >= 0, "point %d of the profile has the radius %g, not >= 0", k,
            p[0]);
    if (k == 0) return SCREE_OK;
    REQUIRE(p[0] != p[-2] || p[1] != p[-1],
            "points %d and %d of the profile are at the same place", k - 1, k);
    REQUIRE(p[0] > 0 || p[-2] > 0,
            "points %d and %d of the profile are both on the axis", k - 1, k);
    return SCREE_OK;
}

static scree_status check_profile(const double *points, int n, bool endless,
                                  scree_error *error) {
    REQUIRE(points && n >= 2, "a profile has at least 2 points, not %d", n);
    REQUIRE(n <= SCREE_PROFILE_MOST, "a profile has at most %d points, not %d",
            SCREE_PROFILE_MOST, n);
    REQUIRE(!endless || n == 2,
            "only a single side of a profile can be without end");
    for (int k = 0; k < n; ++k) TRY(check_point(points + 2 * k, k, error));
    REQUIRE(!endless || points[1] != points[3],
            "a flat disc has no side without end");
    return SCREE_OK;
}

/* ---- strips and joints ------------------------------------------------------ */

static scree_strip make_strip(const scree_revolved *w, int k) {
    const double dr = w->r[k + 1] - w->r[k], dz = w->z[k + 1] - w->z[k];
    const double length = sqrt(dr * dr + dz * dz);
    scree_strip s = {.t_r = dr / length, .t_z = dz / length, .length = length};
    s.n_r = -s.t_z, s.n_z = s.t_r;
    s.d = s.n_r * w->r[k] + s.n_z * w->z[k];
    return s;
}

static scree_turn_joint joint_between(double r_0, double z_0, double r_1,
                                      double z_1) {
    return r_0 * z_1 - z_0 * r_1 < -FLAT ? SCREE_JOINT_RIDGE
                                         : SCREE_JOINT_VALLEY;
}

/* On the axis a side meets its own mirror image. */
static scree_turn_joint joint_at(const scree_revolved *w, int k) {
    const bool first = k == 0, last = k == w->n_point - 1;
    if (w->r[k] > 0 && (first || last))
        return w->endless ? SCREE_JOINT_VALLEY : SCREE_JOINT_RIM;
    const scree_strip *before = &w->strip[first ? 0 : k - 1],
                      *after = &w->strip[last ? k - 1 : k];
    return joint_between(before->t_r, first ? -before->t_z : before->t_z,
                         after->t_r, last ? -after->t_z : after->t_z);
}

static scree_status make_room(scree_revolved *wall, int n) {
    wall->r = malloc((size_t)n * sizeof *wall->r);
    wall->z = malloc((size_t)n * sizeof *wall->z);
    wall->joint = malloc((size_t)n * sizeof *wall->joint);
    wall->strip = malloc((size_t)n * sizeof *wall->strip);
    if (wall->r && wall->z && wall->joint && wall->strip) return SCREE_OK;
    scree_revolved_free(wall);
    return SCREE_OUT_OF_MEMORY;
}

scree_status scree_revolved_make(scree_revolved *wall, const double *points,
                                 int n, bool endless, scree_error *error) {
    *wall = (scree_revolved){0};
    TRY(check_profile(points, n, endless, error));
    TRY(make_room(wall, n));
    wall->n_point = n;
    wall->endless = endless;
    for (int k = 0; k < n; ++k)
        wall->r[k] = points[2 * k], wall->z[k] = points[2 * k + 1];
    for (int k = 0; k + 1 < n; ++k) wall->strip[k] = make_strip(wall, k);
    for (int k = 0; k < n; ++k) wall->joint[k] = joint_at(wall, k);
    return SCREE_OK;
}

bool scree_strip_spans(const scree_revolved *w, int k, double t, double sunk) {
    if (w->endless) return true;
    const double before = w->joint[k] == SCREE_JOINT_VALLEY ? sunk : 0,
                 after = w->joint[k + 1] == SCREE_JOINT_VALLEY ? sunk : 0;
    return t >= -before && t <= w->strip[k].length + after;
}

/* Of walls without end [m]. */
static const double FAR_AWAY = 1e9;

scree_box scree_revolved_box(const scree_revolved *w) {
    double r = 0, lo = INFINITY, hi = -INFINITY;
    for (int k = 0; k < w->n_point; ++k) {
        r = fmax(r, w->r[k]);
        lo = fmin(lo, w->z[k]), hi = fmax(hi, w->z[k]);
    }
    if (w->endless) {
        const bool cone = w->r[0] != w->r[1];
        r = cone ? FAR_AWAY : r;
        lo = -FAR_AWAY, hi = FAR_AWAY;
    }
    return (scree_box){vec(-r, -r, lo), vec(r, r, hi)};
}
