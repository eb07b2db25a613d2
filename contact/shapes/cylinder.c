/* cylinder.c: a disc swept along z over +-half, grown by r. */
#include "contact/narrow/clip.h"
#include "contact/narrow/landing.h"
#include "contact/solid/shape.h"
#include "contact/solid/surface_build.h"

/* ---- points -------------------------------------------------------------- */

/* Along the axis every point of a cap is farthest; its centre stands for all.
 */
static scree_vec3 rim_point(const scree_solid *s, scree_vec3 d) {
    const double radial = sqrt(d.x * d.x + d.y * d.y);
    const double k = radial > 1e-12 * fabs(d.z) ? s->disc / radial : 0;
    return vec(k * d.x, k * d.y, copysign(s->half, d.z));
}

/* A rim has no corners to tell apart. */
static scree_vec3 support_of(const scree_placed *p, scree_vec3 d,
                             uint32_t *feature) {
    *feature = scree_feature(SCREE_VERTEX, 0);
    return scree_placed_point(p, rim_point(p->solid, mat3_mul_back(&p->R, d)));
}

static double bound_of(const scree_solid *s) {
    return sqrt(s->half * s->half + s->disc * s->disc) + s->radius;
}

static double inside_of(const scree_solid *s) {
    return fmin(s->half, s->disc) + s->radius;
}

/* A cap stands on the plane if it is turned from it by less than about 30
 * degrees. */
#define STANDS 0.87

/* The lowest point of either rim: the ends of the line on which a lying
 * cylinder rests. And four points of the lower rim that turn with the body, for
 * one that stands, except where the lowest one is clear and at the same place.
 * One that lies does not have them: seen ahead of time they would brake it as
 * it rolls over them. */
static void land_on(scree_landing *l) {
    const scree_placed *p = l->solid;
    const double disc = p->solid->disc, rise = dot(l->n, p->R.z);
    const int lower = rise < 0;
    const scree_vec3 slope = add_scaled(scale(-1, l->n), rise, p->R.z);
    const double tilt = norm(slope);
    const scree_vec3 down = scale(tilt > 1e-12 ? 1 / tilt : 0, slope);
    const scree_vec3 out[4] = {p->R.x, p->R.y, scale(-1, p->R.x),
                               scale(-1, p->R.y)};
    for (int k = 0; k < 4 && fabs(rise) > STANDS; ++k)
        if (tilt < 1e-4 || dot(out[k], down) < 0.999)
            scree_land(l, add_scaled(scree_segment_end(p, lower), disc, out[k]),
                       k);
    for (int end = 0; end < 2 && tilt > 1e-12; ++end)
        scree_land(l, add_scaled(scree_segment_end(p, end), disc, down),
                   4 + end);
}

/* ---- features: caps 0 at +half, 1 at -half, lines of the side -------------
 */

/* A cap tilted less than this against d is flat to it. */
static const double flat_tilt = 1e-4;

/* cos(2 pi k / SCREE_RIM). */
static const double rim_cos[SCREE_RIM] = {
    1,  0.9238795325112867,  0.7071067811865476,  0.3826834323650898,
    0,  -0.3826834323650898, -0.7071067811865476, -0.9238795325112867,
    -1, -0.9238795325112867, -0.7071067811865476, -0.3826834323650898,
    0,  0.3826834323650898,  0.7071067811865476,  0.9238795325112867};

static void cap_patch(const scree_placed *p, int f, scree_vec3 d,
                      scree_patch *patch) {
    const scree_solid *s = p->solid;
    const double up = f ? -1 : 1;
    const scree_vec3 centre = add_scaled(p->x, up * s->half, p->R.z);
    const scree_vec3 local = mat3_mul_back(&p->R, d);
    const double tilt = scree_hypot(local.x, local.y);
    const bool tilted = tilt > flat_tilt * norm(d);
    const scree_vec3 e = tilted ? add_scaled(scale(local.x / tilt, p->R.x),
                                             local.y / tilt, p->R.y)
                                : p->R.x;
    const scree_vec3 t = scale(up, cross(p->R.z, e));
    for (int k = 0; k < SCREE_RIM; ++k) {
        const double c = rim_cos[k];
        const double sine =
            rim_cos[(k + SCREE_RIM - SCREE_RIM / 4) % SCREE_RIM];
        const scree_vec3 radial =
            add_scaled(scale(s->disc * c, e), s->disc * sine, t);
        scree_patch_put(patch, add(centre, radial), f * SCREE_RIM + k,
                        f * SCREE_RIM + k);
    }
    patch->normal = scale(up, p->R.z);
}

static void side_line(const scree_placed *p, scree_vec3 d, scree_patch *patch) {
    const scree_vec3 radial = add_scaled(d, -dot(d, p->R.z), p->R.z);
    const double length = norm(radial);
    scree_axial_line(p, scale(length > 0 ? p->solid->disc / length : 0, radial),
                     patch);
}

static bool edge_patch(const scree_placed *p, scree_vec3 d,
                       scree_patch *patch) {
    if (fabs(dot(p->R.z, d)) > SCREE_LEVEL) return false;
    side_line(p, d, patch);
    return true;
}

static void facing_patch(const scree_placed *p, scree_vec3 d,
                         scree_patch *patch) {
    const double z = mat3_mul_back(&p->R, d).z;
    if (fabs(z) < 0.7071067811865476)
        side_line(p, d, patch);
    else
        scree_face_patch(p, z < 0, d, patch);
}

static int face_towards(const scree_placed *p, scree_vec3 d,
                        scree_vec3 *normal) {
    const double z = mat3_mul_back(&p->R, d).z;
    *normal = scale(copysign(1, z), p->R.z);
    return fabs(z) > SCREE_FACE_COSINE ? z < 0 : -1;
}

/* ---- mass ---------------------------------------------------------------- */

/* int_0^1 (1 - t^2)^(k/2) t^m dt = B((m + 1) / 2, k / 2 + 1) / 2, k <= 4. */
static const double cap_0[] = {1, SCREE_PI / 4, 2 / 3., 3 * SCREE_PI / 16,
                               8 / 15.};
static const double cap_1[] = {1 / 2., 1 / 3., 1 / 4.};
static const double cap_2[] = {1 / 3., SCREE_PI / 16, 2 / 15.};

/* Discs of radius rho(z) along z: V = pi int rho^2, int z^2 and int x^2 + y^2 =
 * pi / 2 int rho^4. In a rounded end, z = half + r t, rho = disc + r s with
 * s = sqrt(1 - t^2). */
scree_mass scree_mass_cylinder(double disc, double half, double radius) {
    const double R = disc + radius, r = radius, d = disc, h = half;
    const double d2 = d * d, r2 = r * r, R2 = R * R;
    double rho2[3]; /* int of rho^2 t^m over t in 0..1 */
    const double *cap[] = {cap_0, cap_1, cap_2};
    for (int m = 0; m < 3; m++)
        rho2[m] = d2 * cap[m][0] + 2 * d * r * cap[m][1] + r2 * cap[m][2];
    const double rho4 = d2 * d2 * cap_0[0] + 4 * d2 * d * r * cap_0[1] +
                        6 * d2 * r2 * cap_0[2] + 4 * d * r2 * r * cap_0[3] +
                        r2 * r2 * cap_0[4];
    const double v = 2 * SCREE_PI * (R2 * h + r * rho2[0]);
    const double szz =
        2 * SCREE_PI *
        (R2 * h * h * h / 3 +
         r * (h * h * rho2[0] + 2 * h * r * rho2[1] + r2 * rho2[2]));
    const double polar = SCREE_PI * (R2 * R2 * h + r * rho4);
    const double theta = polar / 2 + szz;
    return (scree_mass){.volume = v, .xx = theta, .yy = theta, .zz = polar};
}

static scree_mass mass_of(const scree_solid *s) {
    return scree_mass_cylinder(s->disc, s->half, s->radius);
}

/* ---- surface ------------------------------------------------------------- */

/* Adds a ring of n vertices, and joins it to the one before, if any. */
static void add_ring(scree_mesher *m, double rho, double z, int n) {
    const int32_t first = m->out->n_vertex, below = first - n;
    for (int i = 0; i < n; i++) {
        const double phi = 2 * SCREE_PI * i / n;
        scree_mesh_vertex(m,
                          vec(rho * scree_cos(phi), rho * scree_sin(phi), z));
    }
    for (int i = 0; i < n && below >= 0; i++) {
        const int j = (i + 1) % n;
        const int32_t corner[4] = {below + i, below + j, first + j, first + i};
        scree_mesh_polygon(m, 4, corner);
    }
}

/* The end of a core of radius d: flat, or a point where d = 0. `side` is 1 at
 * the top, -1 at the bottom. */
static void end_cap(scree_mesher *m, int32_t first, int n, double d, double z,
                    int side) {
    if (d > 0) {
        for (int i = 0; i < n; i++)
            scree_mesh_corner(m, first + (side > 0 ? i : n - 1 - i));
        scree_mesh_close(m);
        return;
    }
    const int32_t pole = scree_mesh_vertex(m, vec(0, 0, z));
    for (int i = 0; i < n; i++) {
        const int32_t a = first + i, b = first + (i + 1) % n;
        scree_mesh_polygon(
            m, 3, (const int32_t[]){side > 0 ? a : b, side > 0 ? b : a, pole});
    }
}

/* From below to above. */
void scree_mesh_revolved(scree_mesher *m, double d, double half, double r,
                         int chords) {
    const int n = 4 * chords, steps = r > 0 ? chords : 0;
    const int flat = d > 0 ? 0 : 1; /* a pole is no ring */
    for (int k = flat; k <= steps; k++) {
        const double angle = steps ? 0.5 * SCREE_PI * (steps - k) / steps : 0;
        add_ring(m, d + r * scree_cos(angle), -half - r * scree_sin(angle), n);
    }
    for (int k = half > 0 ? 0 : 1; k <= steps - flat; k++) {
        const double angle = steps ? 0.5 * SCREE_PI * k / steps : 0;
        add_ring(m, d + r * scree_cos(angle), half + r * scree_sin(angle), n);
    }
    const int32_t top = m->out->n_vertex - n;
    end_cap(m, 0, n, d, -half - r, -1);
    end_cap(m, top, n, d, half + r, 1);
}

static void draw_surface(scree_mesher *m, const scree_solid *s, int level) {
    scree_mesh_revolved(m, s->disc, s->half, s->radius, 2 << level);
}

/* ---- the shape ----------------------------------------------------------- */

const scree_solid_ops scree_solid_cylinder = {
    .support = support_of,
    .bound = bound_of,
    .inside = inside_of,
    .mass = mass_of,
    .surface = draw_surface,
    .land = land_on,
    .face = cap_patch,
    .face_towards = face_towards,
    .edge = edge_patch,
    .facing = facing_patch,
};

static scree_status make_cylinder(scree_form *f, const scree_shape_sizes *s,
                                  scree_error *error) {
    const scree_solid solid = {
        .core = SCREE_CORE_CYLINDER, .radius = s->rounding, .disc = s->radius};
    return scree_form_along_axis(f, solid, s, error);
}

static const scree_shape_sizes samples[] = {
    {.radius = 0.5, .length = 0.7},
    {.radius = 0.3, .length = 0.8, .rounding = 0.1},
};

const scree_shape_ops scree_shape_cylinder = {
    .name = "cylinder",
    .about = "cylinder of a radius and a length, sharp or rounded",
    .solid = &scree_solid_cylinder,
    .make = make_cylinder,
    SCREE_SAMPLES(samples),
};
