/* solid_plane.c: a solid on a half space; every candidate is a true point of
 * the solid, and the lowest one is always among them. */
#include "contact/clip.h"
#include "contact/pair.h"

enum { CANDIDATES = 64 };

typedef struct landing {
    const scree_placed *solid;
    scree_vec3 n;
    double d, reach;
    int most; /* touches kept */
    int count;
    scree_touch at[CANDIDATES];
} landing;

static double hair_of(const landing *l) {
    return 1e-5 * l->solid->solid->bound;
}

/* A candidate of the core. When there is no more room, those so far are
 * thinned out. */
static void land(landing *l, scree_vec3 p, int vertex) {
    const double r = l->solid->solid->radius;
    const double g = dot(l->n, p) - l->d - r;
    if (g > l->reach) return;
    if (l->count == CANDIDATES)
        l->count = scree_thin(l->at, l->count, l->most, hair_of(l));
    l->at[l->count++] = (scree_touch){
        .x = add_scaled(p, -r - 0.5 * g, l->n),
        .n = l->n,
        .g = g,
        .key = scree_touch_key(scree_feature(SCREE_VERTEX, vertex),
                               scree_feature(SCREE_FACE, 0))};
}

static void land_vertices(landing *l) {
    const scree_hull *h = l->solid->solid->hull;
    for (int v = 0; v < h->n_vertex; ++v)
        land(l, scree_placed_point(l->solid, h->vertex[v]), v);
}

/* A cap stands on the plane if it is turned from it by less than about 30 deg. */
#define STANDS 0.87

/* The lowest point of either rim: the ends of the line on which a lying
 * cylinder rests. And four points of the lower rim that turn with the body, for
 * one that stands, except where the lowest one is clear and at the same place.
 * One that lies does not have them: seen ahead of time they would brake it as it
 * rolls over them.
 */
static void land_rims(landing *l) {
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
            land(l, add_scaled(scree_segment_end(p, lower), disc, out[k]), k);
    for (int end = 0; end < 2 && tilt > 1e-12; ++end)
        land(l, add_scaled(scree_segment_end(p, end), disc, down), 4 + end);
}

int scree_solid_plane(const scree_placed *a, scree_vec3 n, double d,
                      double reach, scree_touch *touches) {
    landing l; /* not cleared: it has room for many */
    l.solid = a, l.n = n, l.d = d, l.reach = reach;
    l.most = 4, l.count = 0;
    switch (a->solid->core) {
    case SCREE_CORE_POINT:
        land(&l, a->x, 0);
        break;
    case SCREE_CORE_SEGMENT:
        for (int end = 0; end < 2; ++end)
            land(&l, scree_segment_end(a, end), end);
        break;
    case SCREE_CORE_CYLINDER:
        land_rims(&l);
        break;
    case SCREE_CORE_HULL:
        land_vertices(&l);
        break;
    case SCREE_CORE_POLYGON:
        l.most = 2;
        land_vertices(&l);
        break;
    }
    const int count = scree_thin(l.at, l.count, l.most, hair_of(&l));
    for (int k = 0; k < count; ++k) touches[k] = l.at[k];
    return count;
}
