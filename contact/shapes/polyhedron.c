/* polyhedron.c: a convex hull grown by r; boxes and rocks are some too. */
#include "contact/shapes/polyhedron.h"
#include "contact/narrow/clip.h"
#include "contact/narrow/landing.h"
#include "contact/solid/surface_build.h"

/* ---- points -------------------------------------------------------------- */

scree_vec3 scree_hull_point(const scree_placed *p, scree_vec3 d,
                            uint32_t *feature) {
    const scree_hull *h = p->solid->hull;
    const int v = scree_hull_support(h, mat3_mul_back(&p->R, d));
    *feature = scree_feature(SCREE_VERTEX, v);
    return scree_placed_point(p, h->vertex[v]);
}

double scree_hull_bound(const scree_solid *s) {
    return scree_hull_radius(s->hull) + s->radius;
}

double scree_hull_inside(const scree_solid *s) {
    return s->hull->inside + s->radius;
}

/* ---- features ------------------------------------------------------------ */

static void face_patch(const scree_placed *p, int f, scree_vec3 d,
                       scree_patch *patch) {
    (void)d;
    const scree_hull *h = p->solid->hull;
    const int first = h->loop[f], n = h->loop[f + 1] - first;
    const int stride = (n + SCREE_PATCH_MOST - 1) / SCREE_PATCH_MOST;
    for (int k = 0; k < n; k += stride) {
        const int v = h->corner[first + k];
        scree_patch_put(patch, scree_placed_point(p, h->vertex[v]), v,
                        first + k);
    }
    patch->normal = mat3_mul(&p->R, h->normal[f]);
}

static void line_patch(const scree_placed *p, int e, scree_patch *patch) {
    const scree_hull *h = p->solid->hull;
    patch->n = 0;
    patch->face = (uint16_t)scree_feature(SCREE_EDGE, e);
    for (int end = 0; end < 2; ++end) {
        const int v = h->edge[e].v[end];
        scree_patch_put(patch, scree_placed_point(p, h->vertex[v]), v, e);
    }
}

static int level_edge(const scree_hull *h, int v, scree_vec3 d) {
    int best = -1;
    double least = SCREE_LEVEL * SCREE_LEVEL;
    for (int e = 0; e < h->n_edge; ++e) {
        const int32_t *end = h->edge[e].v;
        if (end[0] != v && end[1] != v) continue;
        const scree_vec3 t = sub(h->vertex[end[1]], h->vertex[end[0]]);
        const double rise = dot(t, d), t2 = dot(t, t);
        if (rise * rise < least * t2) least = rise * rise / t2, best = e;
    }
    return best;
}

static bool edge_patch(const scree_placed *p, scree_vec3 d,
                       scree_patch *patch) {
    const scree_vec3 local = mat3_mul_back(&p->R, d);
    const scree_hull *h = p->solid->hull;
    const int e = level_edge(h, scree_hull_support(h, local), local);
    if (e >= 0) line_patch(p, e, patch);
    return e >= 0;
}

static bool has_corner(const scree_hull *h, int f, int v) {
    for (int c = h->loop[f]; c < h->loop[f + 1]; ++c)
        if (h->corner[c] == v) return true;
    return false;
}

/* Of the faces around the vertex v, farthest along d, the one that looks most
 * along it: mostly that of all faces. */
static int face_at(const scree_hull *h, int v, scree_vec3 d) {
    double most;
    int best = scree_hull_facing(h, d, &most);
    if (has_corner(h, best, v)) return best;
    most = -INFINITY;
    for (int f = 0; f < h->n_face; ++f) {
        const double along = dot(h->normal[f], d);
        if (along > most && has_corner(h, f, v)) most = along, best = f;
    }
    return best;
}

void scree_hull_patch_at(const scree_placed *p, int vertex, scree_vec3 d,
                         scree_patch *patch) {
    const scree_vec3 local = mat3_mul_back(&p->R, d);
    scree_face_patch(p, face_at(p->solid->hull, vertex, local), d, patch);
}

static void facing_patch(const scree_placed *p, scree_vec3 d,
                         scree_patch *patch) {
    const scree_vec3 local = mat3_mul_back(&p->R, d);
    scree_hull_patch_at(p, scree_hull_support(p->solid->hull, local), d, patch);
}

static int face_towards(const scree_placed *p, scree_vec3 d,
                        scree_vec3 *normal) {
    const scree_hull *h = p->solid->hull;
    double most;
    const int f = scree_hull_facing(h, mat3_mul_back(&p->R, d), &most);
    if (!(most > SCREE_FACE_COSINE)) return -1;
    *normal = mat3_mul(&p->R, h->normal[f]);
    return f;
}

/* ---- mass and surface ---------------------------------------------------- */

static scree_mass mass_of(const scree_solid *s) {
    return scree_mass_hull(s->hull, s->radius);
}

static void draw_faces(scree_mesher *m, const scree_hull *h) {
    for (int v = 0; v < h->n_vertex; v++) scree_mesh_vertex(m, h->vertex[v]);
    for (int f = 0; f < h->n_face; f++)
        scree_mesh_polygon(m, h->loop[f + 1] - h->loop[f],
                           h->corner + h->loop[f]);
}

static void draw_surface(scree_mesher *m, const scree_solid *s, int level) {
    if (s->radius > 0)
        scree_mesh_rounded(m, s->hull, s->radius, 1 << level);
    else
        draw_faces(m, s->hull);
}

/* ---- the shape ----------------------------------------------------------- */

const scree_solid_ops scree_solid_polyhedron = {
    .support = scree_hull_point,
    .bound = scree_hull_bound,
    .inside = scree_hull_inside,
    .mass = mass_of,
    .surface = draw_surface,
    .land = scree_land_vertices,
    .face = face_patch,
    .face_towards = face_towards,
    .edge = edge_patch,
    .facing = facing_patch,
};

static scree_status make_polyhedron(scree_form *f, const scree_shape_sizes *s,
                                    scree_error *error) {
    return scree_form_from_points(f, SCREE_CORE_HULL, scree_hull_from_points, s,
                                  error);
}

static const double crystal[] = {-0.5, -0.4, -0.3, 0.6,  -0.3, -0.4, 0.4, 0.5,
                                 -0.3, -0.3, 0.4,  -0.4, 0,    0.1,  0.7};
static const scree_shape_sizes samples[] = {
    {.points = crystal, .n_point = 5},
    {.points = crystal, .n_point = 5, .rounding = 0.1},
};

const scree_shape_ops scree_shape_polyhedron = {
    .name = "polyhedron",
    .about =
        "convex hull of points, of an STL or OBJ surface, or a random rock",
    .solid = &scree_solid_polyhedron,
    .make = make_polyhedron,
    SCREE_SAMPLES(samples),
};
