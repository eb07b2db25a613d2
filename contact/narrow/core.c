#include "contact/narrow/core.h"

#include "contact/solid/shape.h"

/* Uphill along the edges: a convex solid has no other summit. */
static int climb_edges(const scree_hull *hull, scree_vec3 d) {
    int best = 0;
    double most = dot(hull->vertex[0], d);
    for (int from = -1; from != best;) {
        from = best;
        for (int k = hull->ring[from]; k < hull->ring[from + 1]; ++k) {
            const int v = hull->neighbour[k];
            const double h = dot(hull->vertex[v], d);
            if (h > most) most = h, best = v;
        }
    }
    return best;
}

int scree_hull_support(const scree_hull *hull, scree_vec3 d) {
    return hull->n_vertex <= SCREE_LOOK_MOST ? scree_hull_farthest(hull, d)
                                             : climb_edges(hull, d);
}

double scree_hull_radius(const scree_hull *hull) {
    double most = 0;
    for (int v = 0; v < hull->n_vertex; ++v)
        most = fmax(most, norm(hull->vertex[v]));
    return most;
}

scree_vec3 scree_core_support(const scree_placed *p, scree_vec3 d,
                              uint32_t *feature) {
    return scree_ops_of(p->solid)->support(p, d, feature);
}
