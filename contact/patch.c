/* patch.c: the features with which a core meets a direction. */
#include "contact/clip.h"

/* ---- faces --------------------------------------------------------------- */

static void put(scree_patch *patch, scree_vec3 x, int vertex, int edge) {
    patch->p[patch->n] = x;
    patch->vertex[patch->n] = (uint16_t)scree_feature(SCREE_VERTEX, vertex);
    patch->edge[patch->n] = (uint16_t)scree_feature(SCREE_EDGE, edge);
    ++patch->n;
}

static void hull_face(const scree_placed *p, int f, scree_patch *patch) {
    const scree_hull *h = p->solid->hull;
    const int first = h->loop[f], n = h->loop[f + 1] - first;
    const int stride = (n + SCREE_PATCH_MOST - 1) / SCREE_PATCH_MOST;
    for (int k = 0; k < n; k += stride) {
        const int v = h->corner[first + k];
        put(patch, scree_placed_point(p, h->vertex[v]), v, first + k);
    }
    patch->normal = mat3_mul(&p->R, h->normal[f]);
}

/* Both sides of the outline; seen from below it runs the other way. */
static void polygon_face(const scree_placed *p, int f, scree_patch *patch) {
    const scree_hull *h = p->solid->hull;
    const int n = h->n_vertex;
    const int stride = (n + SCREE_PATCH_MOST - 1) / SCREE_PATCH_MOST;
    for (int k = 0; k < n; k += stride) {
        const int v = f ? n - 1 - k : k;
        put(patch, scree_placed_point(p, h->vertex[v]), v,
            f ? (v + n - 1) % n : v);
    }
    patch->normal = f ? scale(-1, p->R.z) : p->R.z;
}

/* A cap tilted less than this against d is flat to it. */
static const double flat_tilt = 1e-4;

static void cap(const scree_placed *p, int f, scree_vec3 d,
                scree_patch *patch) {
    const scree_solid *s = p->solid;
    const double up = f ? -1 : 1;
    const scree_vec3 centre = add_scaled(p->x, up * s->half, p->R.z);
    const scree_vec3 local = mat3_mul_back(&p->R, d);
    const double tilt = hypot(local.x, local.y);
    const bool tilted = tilt > flat_tilt * norm(d);
    const scree_vec3 e = tilted ? add_scaled(scale(local.x / tilt, p->R.x),
                                             local.y / tilt, p->R.y)
                                : p->R.x;
    const scree_vec3 t = scale(up, cross(p->R.z, e));
    for (int k = 0; k < SCREE_RIM; ++k) {
        const double angle = 2 * SCREE_PI * k / SCREE_RIM;
        const scree_vec3 radial =
            add_scaled(scale(s->disc * cos(angle), e), s->disc * sin(angle), t);
        put(patch, add(centre, radial), f * SCREE_RIM + k, f * SCREE_RIM + k);
    }
    patch->normal = scale(up, p->R.z);
}

void scree_face_patch(const scree_placed *p, int f, scree_vec3 d,
                      scree_patch *patch) {
    patch->n = 0;
    patch->face = (uint16_t)scree_feature(SCREE_FACE, f);
    if (p->solid->core == SCREE_CORE_HULL) hull_face(p, f, patch);
    if (p->solid->core == SCREE_CORE_POLYGON) polygon_face(p, f, patch);
    if (p->solid->core == SCREE_CORE_CYLINDER) cap(p, f, d, patch);
}

/* ---- lines --------------------------------------------------------------- */

/* Along the body's z axis, `out` away from it; named like the segment itself.
 */
static void axial_line(const scree_placed *p, scree_vec3 out,
                       scree_patch *patch) {
    patch->n = 0;
    patch->face = (uint16_t)scree_feature(SCREE_EDGE, 0);
    for (int end = 0; end < 2; ++end)
        put(patch, add(scree_segment_end(p, end), out), end, 0);
}

static void side_line(const scree_placed *p, scree_vec3 d, scree_patch *patch) {
    const scree_vec3 radial = add_scaled(d, -dot(d, p->R.z), p->R.z);
    const double length = norm(radial);
    axial_line(p, scale(length > 0 ? p->solid->disc / length : 0, radial),
               patch);
}

static void hull_edge(const scree_placed *p, int e, scree_patch *patch) {
    const scree_hull *h = p->solid->hull;
    patch->n = 0;
    patch->face = (uint16_t)scree_feature(SCREE_EDGE, e);
    for (int end = 0; end < 2; ++end) {
        const int v = h->edge[e].v[end];
        put(patch, scree_placed_point(p, h->vertex[v]), v, e);
    }
}

/* Lines within this angle (its sine) of a direction's plane lie in it. */
static const double level = 0.02;

static int level_edge(const scree_hull *h, int v, scree_vec3 d) {
    int best = -1;
    double least = level * level;
    for (int e = 0; e < h->n_edge; ++e) {
        const int32_t *end = h->edge[e].v;
        if (end[0] != v && end[1] != v) continue;
        const scree_vec3 t = sub(h->vertex[end[1]], h->vertex[end[0]]);
        const double rise = dot(t, d), t2 = dot(t, t);
        if (rise * rise < least * t2) least = rise * rise / t2, best = e;
    }
    return best;
}

bool scree_edge_patch(const scree_placed *p, scree_vec3 d, scree_patch *patch) {
    if (p->solid->core == SCREE_CORE_HULL) {
        const scree_vec3 local = mat3_mul_back(&p->R, d);
        const scree_hull *h = p->solid->hull;
        const int e = level_edge(h, scree_hull_support(h, local), local);
        if (e >= 0) hull_edge(p, e, patch);
        return e >= 0;
    }
    if (fabs(dot(p->R.z, d)) > level) return false;
    if (p->solid->core == SCREE_CORE_SEGMENT)
        axial_line(p, vec(0, 0, 0), patch);
    else if (p->solid->core == SCREE_CORE_CYLINDER)
        side_line(p, d, patch);
    else
        return false;
    return true;
}

/* ---- what faces a direction ---------------------------------------------- */

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

void scree_facing_patch(const scree_placed *p, scree_vec3 d,
                        scree_patch *patch) {
    const scree_vec3 local = mat3_mul_back(&p->R, d);
    switch (p->solid->core) {
    case SCREE_CORE_POINT:
        patch->n = 0;
        put(patch, p->x, 0, 0);
        break;
    case SCREE_CORE_SEGMENT:
        axial_line(p, vec(0, 0, 0), patch);
        break;
    case SCREE_CORE_CYLINDER:
        if (fabs(local.z) < 0.7071067811865476)
            side_line(p, d, patch);
        else
            scree_face_patch(p, local.z < 0, d, patch);
        break;
    case SCREE_CORE_HULL:
        scree_hull_patch_at(p, scree_hull_support(p->solid->hull, local), d,
                            patch);
        break;
    case SCREE_CORE_POLYGON:
        scree_face_patch(p, local.z < 0, d, patch);
    }
}

/* Faces turned farther than this (its cosine) from a direction do not count. */
static const double near_cosine = 0.9;

static int hull_face_towards(const scree_hull *h, scree_vec3 d) {
    double most;
    const int f = scree_hull_facing(h, d, &most);
    return most > near_cosine ? f : -1;
}

int scree_face_towards(const scree_placed *p, scree_vec3 d,
                       scree_vec3 *normal) {
    const scree_vec3 local = mat3_mul_back(&p->R, d);
    int f = -1;
    if (p->solid->core == SCREE_CORE_HULL) {
        f = hull_face_towards(p->solid->hull, local);
        if (f >= 0) *normal = mat3_mul(&p->R, p->solid->hull->normal[f]);
    } else if (p->solid->core == SCREE_CORE_CYLINDER ||
               p->solid->core == SCREE_CORE_POLYGON) {
        if (fabs(local.z) > near_cosine) f = local.z < 0;
        *normal = scale(copysign(1, local.z), p->R.z);
    }
    return f;
}
