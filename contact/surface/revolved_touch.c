/* revolved_touch.c: what of a body touches a surface of revolution.
 *
 *     sphere          in front of each strip, along its normal; of a concave strip or a
 *                     ring that it may rest in, a third of a turn to both sides as well
 *     concave strips  the vertices of the core; of rims of cylinders the points where
 *                     the distance is least
 *     convex strips   the tangent plane at the azimuth where it lies farthest from the
 *                     body; on it the features that lie down, and where the line along
 *                     which the strip touches the plane crosses them
 *     flat discs      the features that lie down on the plane
 *     ridges, rims    points of the circle where the distance to the body is least, and
 *                     a few others round it, on which a face may rest
 */
#include "contact/narrow/pair.h"
#include "contact/solid/shape.h"
#include "contact/surface/revolved.h"

/* Sine of the angle by which normals of bodies may miss the cone of a ridge (2 deg). */
static const double SLOPE = 0.035;
/* Part of a body's size on the line along which a plane touches a strip. */
static const double ON_LINE = 1e-6;
/* Azimuths that are looked at before the best of them is made exact. */
enum { LOOKS = 48, COARSE = 13, GOLDEN_STEPS = 48 };

typedef struct probe {
    const scree_revolved *wall;
    const scree_placed *body;
    double reach, radius, inside; /* radius of the core's rounding [m] */
    scree_vec3 away;              /* from the axis, at the body's centre */
    double rho;                   /* of the centre [m] */
    int n;
    scree_touch *touch; /* (SCREE_TOUCHES) */
} probe;

/* Where there is no room the shallowest goes. */
static void add_touch(probe *w, scree_touch touch) {
    int at = w->n;
    if (w->n == SCREE_TOUCHES) {
        at = 0;
        for (int i = 1; i < w->n; ++i)
            if (w->touch[i].g > w->touch[at].g) at = i;
        if (w->touch[at].g <= touch.g) return;
    } else {
        ++w->n;
    }
    w->touch[at] = touch;
}

static double distance_to_strip(const scree_strip *s, double rho, double z) {
    return s->n_r * rho + s->n_z * z - s->d;
}

/* Place along the strip of what is in front of it. */
static double place_along(const probe *w, int k, double rho, double z) {
    const scree_strip *s = &w->wall->strip[k];
    return (rho - w->wall->r[k]) * s->t_r + (z - w->wall->z[k]) * s->t_z;
}

static bool is_over(const probe *w, int k, double rho, double z) {
    return scree_strip_spans(w->wall, k, place_along(w, k, rho, z),
                             w->body->solid->bound);
}

static scree_vec3 turn_about(scree_vec3 e, double c, double s) {
    return vec(c * e.x - s * e.y, s * e.x + c * e.y, 0);
}

static double radius_of(scree_vec3 x) {
    return sqrt(x.x * x.x + x.y * x.y);
}

static uint32_t strip_key(int k, int which) {
    return scree_feature(SCREE_FACE, 8 * k + which);
}
static uint32_t joint_key(int k, int which) {
    return scree_feature(SCREE_EDGE, 8 * k + which);
}

/* Point x of the core is at distance s in front of a strip, along n. */
static void report_point(probe *w, scree_vec3 x, scree_vec3 n, double s,
                         uint32_t of_body, uint32_t of_wall) {
    const double g = s - w->radius;
    if (g > w->reach) return;
    add_touch(w, (scree_touch){.x = add_scaled(x, -w->radius - 0.5 * g, n),
                               .n = n,
                               .g = g,
                               .key = scree_touch_key(of_body, of_wall)});
}

/* Is the body in front of the strip, or not yet through it? */
static bool is_in_front(const probe *w, const scree_strip *s) {
    return distance_to_strip(s, w->rho, w->body->x.z) >= -w->inside;
}

/* ---- concave strips --------------------------------------------------------- */

static void concave_point(probe *w, int k, scree_vec3 x, uint32_t of_body) {
    const scree_strip *s = &w->wall->strip[k];
    const double rho = radius_of(x);
    if (!is_over(w, k, rho, x.z)) return;
    report_point(w, x, scree_strip_normal(s, scree_away_from_axis(x)),
                 distance_to_strip(s, rho, x.z), of_body, strip_key(k, 0));
}

/* Point of a rim of a cylinder's core. */
static scree_vec3 point_of_rim(const scree_placed *p, int end, double angle) {
    const scree_vec3 e =
        add(scale(scree_cos(angle), p->R.x), scale(scree_sin(angle), p->R.y));
    return add_scaled(scree_segment_end(p, end), p->solid->disc, e);
}

typedef double curve(const void *context, double angle);

/* Least value between lo and hi, by golden sections. */
static double least_between(curve *f, const void *context, double lo,
                            double hi) {
    const double part = 0.3819660112501051;
    double a = lo + part * (hi - lo), b = hi - part * (hi - lo);
    double f_a = f(context, a), f_b = f(context, b);
    for (int i = 0; i < GOLDEN_STEPS; ++i) {
        if (f_a <= f_b) {
            hi = b, b = a, f_b = f_a;
            a = lo + part * (hi - lo), f_a = f(context, a);
        } else {
            lo = a, a = b, f_a = f_b;
            b = hi - part * (hi - lo), f_b = f(context, b);
        }
    }
    return f_a <= f_b ? a : b;
}

typedef struct rim_search {
    const probe *w;
    const scree_strip *strip;
    int end;
} rim_search;

static double rim_distance(const void *context, double angle) {
    const rim_search *s = context;
    const scree_vec3 x = point_of_rim(s->w->body, s->end, angle);
    return distance_to_strip(s->strip, radius_of(x), x.z);
}

/* Where the distance of the rim is least: two places at most. */
static void concave_rim(probe *w, int k, int end) {
    const rim_search s = {w, &w->wall->strip[k], end};
    const double step = 2 * SCREE_PI / LOOKS;
    double f[LOOKS];
    int found = 0;
    for (int i = 0; i < LOOKS; ++i) f[i] = rim_distance(&s, i * step);
    for (int i = 0; i < LOOKS && found < 4; ++i) {
        const double before = f[(i + LOOKS - 1) % LOOKS],
                     after = f[(i + 1) % LOOKS];
        if (f[i] >= before || f[i] > after ||
            f[i] - w->radius > w->reach + step * w->body->solid->disc)
            continue;
        const double at =
            least_between(rim_distance, &s, (i - 1) * step, (i + 1) * step);
        concave_point(w, k, point_of_rim(w->body, end, at),
                      scree_feature(SCREE_VERTEX, 4 * end + found++));
    }
    /* A rim about the axis: as near all round. */
    for (int i = 0; i < 3 && !found; ++i)
        concave_point(w, k, point_of_rim(w->body, end, 2 * SCREE_PI / 3 * i),
                      scree_feature(SCREE_VERTEX, 8 + 4 * end + i));
}

static void concave_strip(probe *w, int k) {
    const scree_placed *p = w->body;
    const scree_solid *solid = p->solid;
    switch (solid->core) {
    case SCREE_CORE_SEGMENT:
        for (int end = 0; end < 2; ++end)
            concave_point(w, k, scree_segment_end(p, end),
                          scree_feature(SCREE_VERTEX, end));
        break;
    case SCREE_CORE_CYLINDER:
        for (int end = 0; end < 2; ++end) concave_rim(w, k, end);
        break;
    default:
        for (int v = 0; v < solid->hull->n_vertex; ++v)
            concave_point(w, k, scree_placed_point(p, solid->hull->vertex[v]),
                          scree_feature(SCREE_VERTEX, v));
    }
}

/* ---- convex strips and flat discs ------------------------------------------- */

typedef struct plane_search {
    const probe *w;
    const scree_strip *strip;
} plane_search;

static scree_vec3 turned_by(scree_vec3 e, double angle) {
    return turn_about(e, scree_cos(angle), scree_sin(angle));
}

/* How far the tangent plane at an azimuth lies from the body, negated. */
static double plane_distance(const void *context, double angle) {
    const plane_search *s = context;
    const scree_vec3 n =
        scree_strip_normal(s->strip, turned_by(s->w->away, angle));
    uint32_t feature;
    const scree_vec3 x = scree_core_support(s->w->body, scale(-1, n), &feature);
    return s->strip->d - dot(n, x);
}

/* Direction from the axis at which the strip's tangent plane is farthest. */
static scree_vec3 facing_azimuth(const probe *w, const scree_strip *strip) {
    const plane_search s = {w, strip};
    const double step = SCREE_PI / (COARSE - 1);
    if (strip->n_r == 0) return w->away;
    double best = 0, least = INFINITY;
    for (int i = 0; i < COARSE; ++i) {
        const double angle = (i - COARSE / 2) * step;
        const double f = plane_distance(&s, angle);
        if (f < least) least = f, best = angle;
    }
    return turned_by(
        w->away, least_between(plane_distance, &s, best - step, best + step));
}

/* A point of the core that may face the strip. */
static void convex_point(probe *w, int k, scree_vec3 x, uint32_t of_body,
                         int which) {
    const scree_strip *s = &w->wall->strip[k];
    const double rho = radius_of(x);
    if (!is_over(w, k, rho, x.z)) return;
    report_point(w, x, scree_strip_normal(s, scree_away_from_axis(x)),
                 distance_to_strip(s, rho, x.z), of_body, strip_key(k, which));
}

/* Where the line on which the tangent plane touches the strip crosses the line from x
 * to y: `side` is across it. */
static void cross_line(probe *w, int k, scree_vec3 side, scree_vec3 x,
                       scree_vec3 y, uint32_t of_body, int which) {
    const double a = dot(side, x), b = dot(side, y);
    const double least = ON_LINE * w->body->solid->bound;
    if (fabs(a) < least || fabs(b) < least || a * b > 0) return;
    convex_point(w, k, add_scaled(x, a / (a - b), sub(y, x)), of_body, which);
}

static void convex_hull(probe *w, int k, scree_vec3 side) {
    const scree_hull *h = w->body->solid->hull;
    for (int v = 0; v < h->n_vertex; ++v)
        convex_point(w, k, scree_placed_point(w->body, h->vertex[v]),
                     scree_feature(SCREE_VERTEX, v), 0);
    for (int i = 0; i < h->n_edge; ++i)
        cross_line(w, k, side,
                   scree_placed_point(w->body, h->vertex[h->edge[i].v[0]]),
                   scree_placed_point(w->body, h->vertex[h->edge[i].v[1]]),
                   scree_feature(SCREE_EDGE, i), 0);
}

/* Cylinders and segments: what lies down on the plane, and the lines between. */
static void convex_round(probe *w, int k, scree_vec3 n, scree_vec3 side) {
    scree_touch t[SCREE_TOUCHES];
    scree_vec3 x[SCREE_TOUCHES];
    const bool flat = w->wall->strip[k].n_r == 0;
    const double reach = w->reach + (flat ? 0 : w->body->solid->bound);
    const int count =
        scree_solid_plane(w->body, n, w->wall->strip[k].d, reach, t);
    int which = 1;
    for (int i = 0; i < count; ++i) {
        x[i] = add_scaled(t[i].x, 0.5 * t[i].g + w->radius, n);
        convex_point(w, k, x[i], t[i].key >> 16, 0);
        for (int j = 0; j < i; ++j)
            cross_line(w, k, side, x[i], x[j], t[i].key >> 16, which++);
    }
}

static void convex_strip(probe *w, int k) {
    const scree_strip *s = &w->wall->strip[k];
    const scree_vec3 e = facing_azimuth(w, s), n = scree_strip_normal(s, e);
    if (s->n_r > 0 && w->body->solid->core == SCREE_CORE_HULL)
        convex_hull(w, k, vec(-e.y, e.x, 0));
    else
        convex_round(w, k, n, s->n_r > 0 ? vec(-e.y, e.x, 0) : vec(0, 0, 0));
}

/* ---- ridges and rims ------------------------------------------------------------ */

/* May the circle be touched along a direction (m_r, m_z) of its own half plane? */
static bool in_cone(const scree_revolved *wall, int k, double m_r, double m_z,
                    double slope) {
    const bool first = k == 0, last = k == wall->n_point - 1;
    double up = 0;
    if (!first) {
        const scree_strip *s = &wall->strip[k - 1];
        if (m_r * s->t_r + m_z * s->t_z < -slope) return false;
        up += m_r * s->n_r + m_z * s->n_z;
    }
    if (!last) {
        const scree_strip *s = &wall->strip[k];
        if (m_r * s->t_r + m_z * s->t_z > slope) return false;
        up += m_r * s->n_r + m_z * s->n_z;
    }
    return wall->joint[k] == SCREE_JOINT_RIM || up >= 0;
}

typedef struct ring_search {
    const probe *w;
    double r, z;
} ring_search;

static scree_vec3 ring_point(const ring_search *s, double angle) {
    const scree_vec3 e = turned_by(s->w->away, angle);
    return vec(s->r * e.x, s->r * e.y, s->z);
}

static bool touch_of_ring(const ring_search *s, double angle, double reach,
                          scree_touch *t) {
    const scree_solid point = {.core = SCREE_CORE_POINT};
    const scree_placed at = {&point,
                             ring_point(s, angle),
                             {vec(1, 0, 0), vec(0, 1, 0), vec(0, 0, 1)}};
    scree_touch found[SCREE_TOUCHES];
    const int n = scree_solids_touch(s->w->body, &at, reach, found);
    for (int i = 0; i < n; ++i)
        if (i == 0 || found[i].g < t->g) *t = found[i];
    return n > 0;
}

static double ring_distance(const void *context, double angle) {
    const ring_search *s = context;
    scree_touch t;
    return touch_of_ring(s, angle, 4 * s->w->body->solid->bound + s->w->reach,
                         &t)
               ? t.g
               : norm(sub(ring_point(s, angle), s->w->body->x)) - s->w->inside;
}

/* A point of the ring that is in the body, while the way out is not in its cone: out
 * along the strip beside it from which the body is least deep. */
static bool turn_to_strip(const probe *w, int k, scree_vec3 e, scree_vec3 p,
                          scree_touch *t) {
    double best = -INFINITY;
    for (int i = k - 1; i <= k; ++i) {
        if (i < 0 || i + 2 > w->wall->n_point) continue;
        const scree_vec3 n = scree_strip_normal(&w->wall->strip[i], e);
        uint32_t feature;
        const scree_vec3 x =
            scree_core_support(w->body, scale(-1, n), &feature);
        const double g = dot(n, sub(x, p)) - w->radius;
        if (g <= best || !is_in_front(w, &w->wall->strip[i])) continue;
        best = g;
        *t = (scree_touch){.x = add_scaled(p, 0.5 * g, n),
                           .n = n,
                           .g = g,
                           .key = scree_touch_key(feature, 0)};
    }
    return best > -INFINITY;
}

static void report_ring(probe *w, const ring_search *s, int k, double angle,
                        int which) {
    scree_touch t;
    if (!touch_of_ring(s, angle, w->reach, &t)) return;
    const scree_vec3 e = turned_by(w->away, angle);
    if (!in_cone(w->wall, k, dot(t.n, e), t.n.z, SLOPE) &&
        (t.g >= 0 || !turn_to_strip(w, k, e, ring_point(s, angle), &t)))
        return;
    t.key = scree_touch_key(t.key >> 16, joint_key(k, which));
    add_touch(w, t);
}

/* Half the arc of the ring that the body may reach. */
static double arc_of_ring(const probe *w, double r) {
    const double far = w->body->solid->bound + w->reach;
    if (far >= 0.5 * r || w->rho < 0.25 * r) return SCREE_PI;
    return 2 * far / r;
}

static void body_on_ring(probe *w, int k) {
    const ring_search s = {w, w->wall->r[k], w->wall->z[k]};
    const double far = w->body->solid->bound + w->reach;
    const double dr = w->rho - s.r, dz = w->body->x.z - s.z;
    if (dr * dr + dz * dz > far * far) return;
    const double arc = arc_of_ring(w, s.r), step = 2 * arc / LOOKS;
    double f[LOOKS + 1];
    double best = 0, least = INFINITY;
    for (int i = 0; i <= LOOKS; ++i) {
        f[i] = ring_distance(&s, i * step - arc);
        if (f[i] < least) least = f[i], best = i * step - arc;
    }
    report_ring(w, &s, k,
                least_between(ring_distance, &s, best - step, best + step), 0);
    int which = 1;
    for (int i = 0; i <= LOOKS && which < 4; ++i) {
        const double before = i > 0 ? f[i - 1] : f[LOOKS - 1];
        const double after = i < LOOKS ? f[i + 1] : f[1];
        const double at = i * step - arc;
        if (f[i] >= before || f[i] > after || at == best ||
            f[i] > w->reach + step * s.r)
            continue;
        report_ring(w, &s, k,
                    least_between(ring_distance, &s, at - step, at + step),
                    which++);
    }
    /* A face may lie on all of the ring. */
    for (int i = 1; i < 4; ++i)
        report_ring(w, &s, k, best + 0.5 * SCREE_PI * i, 4 + i);
}

/* ---- spheres ---------------------------------------------------------------- */

/* In a concave strip: where it stands, and a third of a turn away. */
static void sphere_on_strip(probe *w, int k) {
    static const double cosine[3] = {1, -0.5, -0.5},
                        sine[3] = {0, 0.8660254037844386, -0.8660254037844386};
    const scree_strip *s = &w->wall->strip[k];
    const scree_vec3 x = w->body->x;
    for (int i = 0; i < (s->n_r < 0 ? 3 : 1); ++i) {
        const double rho = cosine[i] * w->rho;
        if (!is_over(w, k, rho, x.z)) continue;
        const scree_vec3 e = turn_about(w->away, cosine[i], sine[i]);
        report_point(w, x, scree_strip_normal(s, e),
                     distance_to_strip(s, rho, x.z),
                     scree_feature(SCREE_VERTEX, 0), strip_key(k, i));
    }
}

static void sphere_on_ring(probe *w, int k) {
    static const double cosine[3] = {1, -0.5, -0.5},
                        sine[3] = {0, 0.8660254037844386, -0.8660254037844386};
    const double r = w->wall->r[k], z = w->wall->z[k];
    const scree_vec3 x = w->body->x;
    for (int i = 0; i < (r > 0 ? 3 : 1); ++i) {
        const scree_vec3 e = turn_about(w->away, cosine[i], sine[i]);
        const scree_vec3 d = sub(x, vec(r * e.x, r * e.y, z));
        const double s = norm(d);
        if (s == 0 || !in_cone(w->wall, k, dot(d, e) / s, d.z / s, 0)) continue;
        report_point(w, x, scale(1 / s, d), s, scree_feature(SCREE_VERTEX, 0),
                     joint_key(k, i));
    }
}

/* ---- all ---------------------------------------------------------------------- */

static void touch_strip(probe *w, int k) {
    const scree_strip *s = &w->wall->strip[k];
    if (!is_in_front(w, s)) return;
    if (w->body->solid->core == SCREE_CORE_POINT)
        sphere_on_strip(w, k);
    else if (distance_to_strip(s, w->rho, w->body->x.z) >
             w->body->solid->bound + w->reach)
        return;
    else if (s->n_r < 0)
        concave_strip(w, k);
    else
        convex_strip(w, k);
}

static void touch_joint(probe *w, int k) {
    if (w->wall->joint[k] == SCREE_JOINT_VALLEY) return;
    if (w->body->solid->core == SCREE_CORE_POINT)
        sphere_on_ring(w, k);
    else
        body_on_ring(w, k);
}

int scree_revolved_touch(const scree_revolved *wall, const scree_placed *a,
                         double reach, scree_touch *touches) {
    probe w = {.wall = wall,
               .body = a,
               .reach = reach,
               .radius = a->solid->radius,
               .inside = a->solid->core == SCREE_CORE_POINT
                             ? a->solid->radius
                             : scree_ops_of(a->solid)->inside(a->solid),
               .away = scree_away_from_axis(a->x),
               .rho = radius_of(a->x),
               .touch = touches};
    for (int k = 0; k + 1 < wall->n_point; ++k) touch_strip(&w, k);
    for (int k = 0; k < wall->n_point; ++k) touch_joint(&w, k);
    return w.n;
}
