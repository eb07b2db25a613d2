/* solid_plane.c: a solid on a half space; every candidate is a true point of
 * the solid, and the lowest one is always among them. */
#include "contact/narrow/clip.h"
#include "contact/narrow/landing.h"
#include "contact/narrow/pair.h"
#include "contact/solid/shape.h"

static double hair_of(const scree_landing *l) {
    return 1e-5 * l->solid->solid->bound;
}

/* When there is no more room, those so far are thinned out. */
void scree_land(scree_landing *l, scree_vec3 p, int vertex) {
    const double r = l->solid->solid->radius;
    const double g = dot(l->n, p) - l->d - r;
    if (g > l->reach) return;
    if (l->count == SCREE_LANDINGS)
        l->count = scree_thin(l->at, l->count, l->most, hair_of(l));
    l->at[l->count++] = (scree_touch){
        .x = add_scaled(p, -r - 0.5 * g, l->n),
        .n = l->n,
        .g = g,
        .key = scree_touch_key(scree_feature(SCREE_VERTEX, vertex),
                               scree_feature(SCREE_FACE, 0))};
}

void scree_land_vertices(scree_landing *l) {
    const scree_hull *h = l->solid->solid->hull;
    for (int v = 0; v < h->n_vertex; ++v)
        scree_land(l, scree_placed_point(l->solid, h->vertex[v]), v);
}

int scree_solid_plane(const scree_placed *a, scree_vec3 n, double d,
                      double reach, scree_touch *touches) {
    scree_landing l; /* not cleared: it has room for many */
    l.solid = a, l.n = n, l.d = d, l.reach = reach;
    l.most = 4, l.count = 0;
    scree_ops_of(a->solid)->land(&l);
    const int count = scree_thin(l.at, l.count, l.most, hair_of(&l));
    for (int k = 0; k < count; ++k) touches[k] = l.at[k];
    return count;
}
