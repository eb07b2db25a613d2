/* triangle_touch.c: probes, and the touches of core vertices with facets. */
#include "contact/surface/triangle_touch.h"

#include "contact/solid/shape.h"

/* A vertex may have sunk into the other side of a valley by this part of the
 * inradius, and still be over the facet on this side. */
#define SINK 0.02

/* Overlaps that are less deep than this part of the inradius need no rescue. */
#define SKIN 1e-3

static scree_vec3 to_body(const scree_mat3 *R, scree_vec3 a) {
    return vec(dot(R->x, a), dot(R->y, a), dot(R->z, a));
}

static scree_vec3 from_body(const scree_mat3 *R, scree_vec3 a) {
    return add(add(scale(a.x, R->x), scale(a.y, R->y)), scale(a.z, R->z));
}

/* ---- begin and end ------------------------------------------------------ */

/* Points and segments are hulls of one or two vertices without faces. */
static void take_core(scree_probe *p, const scree_solid *s) {
    static int32_t ring[3] = {0, 1, 2}, neighbour[2] = {1, 0},
                   alone[2] = {0, 0};
    if (s->core == SCREE_CORE_HULL) {
        p->core = *s->hull;
        return;
    }
    p->core = (scree_hull){.vertex = p->end, .edge = &p->edge};
    if (s->core == SCREE_CORE_POINT) {
        p->core.n_vertex = 1;
        p->core.ring = alone;
    } else if (s->core == SCREE_CORE_SEGMENT) {
        p->end[0] = vec(0, 0, -s->half);
        p->end[1] = vec(0, 0, s->half);
        p->edge = (scree_edge){{0, 1}, {-1, -1}};
        p->core.n_vertex = 2;
        p->core.n_edge = 1;
        p->core.ring = ring;
        p->core.neighbour = neighbour;
    }
}

void scree_probe_begin(scree_probe *probe, const scree_placed *body,
                       double reach, const void *surface, scree_cone *in_cone) {
    const scree_solid *s = body->solid;
    const scree_mat3 one = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    probe->body = body;
    probe->R = s->core == SCREE_CORE_POINT ? one : body->R;
    probe->surface = surface;
    probe->in_cone = in_cone;
    probe->reach = reach + s->radius;
    probe->radius = s->radius;
    probe->inside = scree_ops_of(s)->inside(s);
    probe->tiny = 1e-10 * s->bound;
    probe->around = s->bound - s->radius + probe->reach + probe->tiny;
    probe->end[0] = probe->end[1] = vec(0, 0, 0);
    probe->close = false;
    probe->way_out = (scree_raw_touch){.g = -INFINITY};
    probe->manifold.n = 0;
    probe->manifold.same = 1e-6 * s->bound;
    take_core(probe, s);
}

/* Mixes all 64 bits into 32. */
static uint32_t fold_key(uint64_t id) {
    id = (id ^ (id >> 31)) * 0x7FB5D329728EA185u;
    return (uint32_t)((id ^ (id >> 27)) * 0x81DADEF4BC2DD44Du >> 32);
}

int scree_probe_end(scree_probe *probe, scree_touch *touches) {
    scree_manifold *m = &probe->manifold;
    if (probe->way_out.g > -INFINITY) scree_manifold_add(m, probe->way_out);
    scree_manifold_reduce(m);
    for (int i = 0; i < m->n; ++i) {
        const scree_raw_touch *t = &m->touch[i];
        touches[i] = (scree_touch){
            .x = add(probe->body->x, from_body(&probe->R, t->x)),
            .n = from_body(&probe->R, t->n),
            .g = t->g,
            .key = fold_key(t->id),
        };
    }
    return m->n;
}

void scree_probe_report(scree_probe *probe, scree_vec3 p, scree_vec3 n,
                        double g, scree_touch_kind kind, uint32_t name,
                        int body_feature) {
    if (g > probe->reach || -dot(n, p) < -probe->inside) return;
    const double gap = g - probe->radius;
    const uint64_t id =
        (uint64_t)kind << 58 | (uint64_t)name << 26 | (uint32_t)body_feature;
    scree_manifold_add(
        &probe->manifold,
        (scree_raw_touch){add_scaled(p, gap / 2, n), n, gap, id});
}

/* ---- extents ------------------------------------------------------------ */

/* Half width of the core along each axis of the surface, for a body axis z of
 * half length and a disc around it. */
static double axial_extent(const scree_solid *s, double z) {
    return s->half * fabs(z) + s->disc * sqrt(fmax(0, 1 - z * z));
}

static scree_box round_box(const scree_probe *probe) {
    const scree_solid *s = probe->body->solid;
    const scree_vec3 z = probe->R.z;
    scree_vec3 h = vec(0, 0, 0);
    if (s->core == SCREE_CORE_SEGMENT)
        h = vec(s->half * fabs(z.x), s->half * fabs(z.y), s->half * fabs(z.z));
    else if (s->core == SCREE_CORE_CYLINDER)
        h = vec(axial_extent(s, z.x), axial_extent(s, z.y),
                axial_extent(s, z.z));
    return (scree_box){scale(-1, h), h};
}

static scree_box hull_box(const scree_probe *probe) {
    const scree_hull *hull = &probe->core;
    const scree_vec3 v = from_body(&probe->R, hull->vertex[0]);
    scree_box b = {v, v};
    for (int i = 1; i < hull->n_vertex; ++i) {
        const scree_vec3 p[3] = {b.lo, b.hi,
                                 from_body(&probe->R, hull->vertex[i])};
        b = scree_box_of_points(p, 3);
    }
    return b;
}

scree_box scree_probe_box(const scree_probe *probe) {
    const scree_box b = probe->body->solid->core == SCREE_CORE_HULL
                            ? hull_box(probe)
                            : round_box(probe);
    const double r = probe->reach;
    return (scree_box){add(probe->body->x, sub(b.lo, vec(r, r, r))),
                       add(probe->body->x, add(b.hi, vec(r, r, r)))};
}

static int deepest_vertex(const scree_hull *hull, scree_vec3 n) {
    int deepest = 0;
    double least = dot(n, hull->vertex[0]);
    for (int i = 1; i < hull->n_vertex; ++i) {
        const double s = dot(n, hull->vertex[i]);
        if (s < least) least = s, deepest = i;
    }
    return deepest;
}

double scree_probe_depth(const scree_probe *probe, scree_vec3 n, scree_vec3 p) {
    const scree_solid *s = probe->body->solid;
    if (s->core == SCREE_CORE_CYLINDER)
        return -axial_extent(s, n.z) - dot(n, p);
    const scree_hull *hull = &probe->core;
    return dot(n, sub(hull->vertex[deepest_vertex(hull, n)], p));
}

/* ---- core vertices over facets ------------------------------------------ */

/* Beyond a valley, sunk into the other side; d and s as below. In front of this
 * side the vertex must be abreast of the edge: beyond its ends nobody knows. */
static bool is_sunk(const scree_probe *probe, const scree_view *f, int k,
                    scree_vec3 d, double s) {
    const double along = dot(f->e[k], d), tiny = probe->tiny;
    return dot(f->beyond[k], d) <= 0 &&
           dot(f->m[k], d) <= SINK * probe->inside &&
           (s <= 0 || (along >= -tiny && along <= f->length[k] + tiny));
}

/* d reaches from corner k to a core vertex at height s over the facet. */
static bool over_edge(const scree_probe *probe, const scree_view *f, int k,
                      scree_vec3 d, double s) {
    const scree_fold fold = f->facet->fold[k];
    const double out = dot(f->m[k], d), tiny = probe->tiny;
    const double seam = fold == SCREE_FLAT ? 2 * SCREE_FLAT_ANGLE * fabs(s) : 0;
    if (out > tiny + seam)
        return fold == SCREE_VALLEY && is_sunk(probe, f, k, d, s);
    return !(fold == SCREE_RIDGE && s < 0 && dot(f->beyond[k], d) > s + tiny);
}

static bool is_over(const scree_probe *probe, const scree_view *f, scree_vec3 v,
                    double s) {
    for (int k = 0; k < 3; ++k)
        if (!over_edge(probe, f, k, sub(v, f->p[k]), s)) return false;
    return true;
}

void scree_probe_vertex(scree_probe *probe, const scree_view *f, scree_vec3 v,
                        int feature) {
    const double s = dot(f->n, sub(v, f->p[0]));
    if (s > probe->reach || !is_over(probe, f, v, s)) return;
    scree_probe_report(probe, add_scaled(v, -s, f->n), f->n, s,
                       SCREE_TOUCH_FACE, f->facet->patch, feature);
}

static int face_against(const scree_hull *hull, scree_vec3 n) {
    int best = 0;
    double least = dot(n, hull->normal[0]);
    for (int i = 1; i < hull->n_face; ++i) {
        const double c = dot(n, hull->normal[i]);
        if (c < least) least = c, best = i;
    }
    return best;
}

/* The other vertices of a face complete the deepest one's touch. Where that one
 * is well behind the plane, the facet does not carry the body; then they count
 * only if they are about as deep. */
static bool completes_face(const scree_probe *probe, double s, double deepest) {
    return deepest >= -SINK * probe->inside || s <= deepest / 2;
}

/* A segment is all of its own face. */
static void touch_face(scree_probe *probe, const scree_view *f) {
    const scree_hull *hull = &probe->core;
    if (!hull->n_face) {
        for (int i = 0; i < hull->n_vertex; ++i)
            scree_probe_vertex(probe, f, hull->vertex[i], i);
        return;
    }
    const int deepest = deepest_vertex(hull, f->n);
    const double least = dot(f->n, sub(hull->vertex[deepest], f->p[0]));
    scree_probe_vertex(probe, f, hull->vertex[deepest], deepest);
    const int face = face_against(hull, f->n);
    for (int c = hull->loop[face]; c < hull->loop[face + 1]; ++c) {
        const int i = hull->corner[c];
        const double s = dot(f->n, sub(hull->vertex[i], f->p[0]));
        if (i != deepest && completes_face(probe, s, least))
            scree_probe_vertex(probe, f, hull->vertex[i], i);
    }
}

/* ---- facets ------------------------------------------------------------- */

static scree_view view_of(const scree_probe *probe, const scree_facet *f) {
    scree_view w = {.facet = f, .n = to_body(&probe->R, f->n)};
    for (int k = 0; k < 3; ++k)
        w.p[k] = to_body(&probe->R, sub(f->p[k], probe->body->x));
    return w;
}

static void complete_view(const scree_probe *probe, scree_view *w) {
    for (int k = 0; k < 3; ++k) {
        const scree_vec3 e = sub(w->p[scree_next(k)], w->p[k]);
        w->length[k] = norm(e);
        w->e[k] = scale(1 / w->length[k], e);
        w->m[k] = cross(w->e[k], w->n);
        w->beyond[k] = to_body(&probe->R, w->facet->beyond[k]);
    }
}

/* A point at height s, out beyond the edge, is at least hypot(s, out) away. */
bool scree_probe_skips(const scree_probe *probe, const scree_vec3 p[3],
                       scree_vec3 n) {
    const scree_vec3 c = probe->body->x;
    const double s = dot(n, sub(c, p[0]));
    if (s < -probe->inside || s > probe->around) return true;
    const double room = probe->around * probe->around - s * s;
    for (int k = 0; k < 3; ++k) {
        const scree_vec3 e = sub(p[scree_next(k)], p[k]);
        const double out = dot(cross(e, n), sub(c, p[k]));
        if (out > 0 && out * out > room * dot(e, e)) return true;
    }
    return false;
}

/* All corners beyond one core face. */
static bool beyond_face(const scree_probe *probe, const scree_view *f) {
    const scree_hull *hull = &probe->core;
    for (int i = 0; i < hull->n_face; ++i) {
        const double d = hull->offset[i] + probe->reach;
        if (dot(hull->normal[i], f->p[0]) > d &&
            dot(hull->normal[i], f->p[1]) > d &&
            dot(hull->normal[i], f->p[2]) > d)
            return true;
    }
    return false;
}

/* Nothing touches if the body is all before the plane, or too far behind it. */
static bool is_near(const scree_probe *probe, const scree_view *f) {
    return -dot(f->n, f->p[0]) >= -probe->inside &&
           scree_probe_depth(probe, f->n, f->p[0]) <= probe->reach &&
           !beyond_face(probe, f);
}

void scree_probe_facet(scree_probe *probe, const scree_facet *facet) {
    const scree_core core = probe->body->solid->core;
    scree_view f = view_of(probe, facet);
    if (!is_near(probe, &f)) return;
    probe->close = true;
    complete_view(probe, &f);
    const bool round = core == SCREE_CORE_CYLINDER;
    (round ? scree_cylinder_face : touch_face)(probe, &f);
    for (int k = 0; k < 3; ++k) {
        if (scree_fold_sticks_out(facet->fold[k]))
            (round ? scree_cylinder_ridge : scree_probe_ridge)(probe, &f, k);
        if (facet->peak[k])
            (round ? scree_cylinder_peak : scree_probe_peak)(probe, &f, k);
    }
}

/* ---- rescue ------------------------------------------------------------- */

/* Sharp bodies need a touch that overlaps; cores inside a rounding do not. */
bool scree_probe_lost(const scree_probe *probe) {
    const scree_manifold *m = &probe->manifold;
    if (!probe->close || (m->n && probe->radius > 0)) return false;
    for (int i = 0; i < m->n; ++i)
        if (m->touch[i].g <= 0) return false;
    return true;
}

/* Does [t0, t1] of p + t d keep some part with c + slope t <= 0? */
static bool cut_interval(double c, double slope, double *t0, double *t1) {
    if (slope > 0) *t1 = fmin(*t1, -c / slope);
    if (slope < 0) *t0 = fmax(*t0, -c / slope);
    return (slope != 0 || c <= 0) && *t0 <= *t1;
}

static bool through_cylinder(const scree_solid *s, scree_vec3 p, scree_vec3 d) {
    double t0 = 0, t1 = 1;
    const double half = (1 - SKIN) * s->half;
    if (!cut_interval(p.z - half, d.z, &t0, &t1) ||
        !cut_interval(-p.z - half, -d.z, &t0, &t1))
        return false;
    const double dd = d.x * d.x + d.y * d.y, pd = p.x * d.x + p.y * d.y;
    const double t = dd > 0 ? fmin(fmax(-pd / dd, t0), t1) : t0;
    return scree_hypot(p.x + t * d.x, p.y + t * d.y) <= (1 - SKIN) * s->disc;
}

/* Does the segment from p to p + d meet the core, not only its skin? */
static bool passes_through(const scree_probe *probe, scree_vec3 p,
                           scree_vec3 d) {
    const scree_hull *hull = &probe->core;
    double t0 = 0, t1 = 1;
    if (probe->body->solid->core == SCREE_CORE_CYLINDER)
        return through_cylinder(probe->body->solid, p, d);
    for (int i = 0; i < hull->n_face; ++i)
        if (!cut_interval(dot(hull->normal[i], p) - hull->offset[i] +
                              SKIN * probe->inside,
                          dot(hull->normal[i], d), &t0, &t1))
            return false;
    return hull->n_face > 0;
}

/* Does the segment from a to b go through the facet? */
static bool goes_through(const scree_view *f, scree_vec3 a, scree_vec3 b) {
    const double sa = dot(f->n, sub(a, f->p[0])),
                 sb = dot(f->n, sub(b, f->p[0]));
    if (sa * sb > 0 || sa == sb) return false;
    const scree_vec3 x = add_scaled(a, sa / (sa - sb), sub(b, a));
    for (int k = 0; k < 3; ++k) {
        const scree_vec3 e = sub(f->p[scree_next(k)], f->p[k]);
        if (dot(cross(e, f->n), sub(x, f->p[k])) > 0) return false;
    }
    return true;
}

static bool pierces_core(const scree_probe *probe, const scree_view *f) {
    const scree_hull *hull = &probe->core;
    for (int k = 0; k < 3; ++k)
        if (passes_through(probe, f->p[k], sub(f->p[scree_next(k)], f->p[k])))
            return true;
    if (probe->manifold.n) return false;
    for (int i = 0; i < hull->n_edge; ++i)
        if (goes_through(f, hull->vertex[hull->edge[i].v[0]],
                         hull->vertex[hull->edge[i].v[1]]))
            return true;
    return false;
}

/* Touches where the normal through the body's centre meets the plane: the percussion
 * stops the body and does not turn it. The facet may be much larger than the body. */
void scree_probe_rescue(scree_probe *probe, const scree_facet *facet) {
    const scree_view f = view_of(probe, facet);
    if (!is_near(probe, &f) || !pierces_core(probe, &f)) return;
    const double g = scree_probe_depth(probe, f.n, f.p[0]) - probe->radius;
    if (g <= probe->way_out.g) return;
    const scree_vec3 below = scale(dot(f.n, f.p[0]), f.n);
    probe->way_out = (scree_raw_touch){below, f.n, g,
                                       (uint64_t)SCREE_TOUCH_FACE << 58 |
                                           (uint64_t)facet->patch << 26};
}

/* ---- planes ------------------------------------------------------------- */

/* Valleys that all lie behind each other bound nothing: the facet's plane goes
 * on for ever. The body's inscribed ball counts as in front. */
void scree_probe_plane(scree_probe *probe, const scree_facet *facet) {
    scree_facet endless = *facet;
    for (int k = 0; k < 3; ++k) {
        endless.fold[k] = SCREE_VALLEY;
        endless.beyond[k] = vec(0, 0, 0);
    }
    probe->inside = INFINITY;
    scree_view f = view_of(probe, &endless);
    complete_view(probe, &f);
    const bool round = probe->body->solid->core == SCREE_CORE_CYLINDER;
    (round ? scree_cylinder_face : touch_face)(probe, &f);
}
