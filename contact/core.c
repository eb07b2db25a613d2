#include "contact/core.h"

/* Uphill along the edges: a convex solid has no other summit. */
static int climb(const scree_hull *hull, scree_vec3 d) {
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
                                       : climb(hull, d);
}

/* Along the axis every point of a cap is farthest; its centre stands for all.
 */
static scree_vec3 cylinder_support(const scree_solid *s, scree_vec3 d) {
    const double radial = sqrt(d.x * d.x + d.y * d.y);
    const double k = radial > 1e-12 * fabs(d.z) ? s->disc / radial : 0;
    return vec(k * d.x, k * d.y, copysign(s->half, d.z));
}

scree_vec3 scree_core_support(const scree_placed *p, scree_vec3 d,
                              uint32_t *feature) {
    const scree_solid *s = p->solid;
    const scree_vec3 local = mat3_mul_back(&p->R, d);
    switch (s->core) {
    case SCREE_CORE_POINT:
        *feature = scree_feature(SCREE_VERTEX, 0);
        return p->x;
    case SCREE_CORE_SEGMENT:
        *feature = scree_feature(SCREE_VERTEX, local.z > 0);
        return scree_segment_end(p, local.z > 0);
    case SCREE_CORE_CYLINDER: /* a rim has no corners to tell apart */
        *feature = scree_feature(SCREE_VERTEX, 0);
        return scree_placed_point(p, cylinder_support(s, local));
    case SCREE_CORE_HULL:
    case SCREE_CORE_POLYGON:
        break;
    }
    const int v = scree_hull_support(s->hull, local);
    *feature = scree_feature(SCREE_VERTEX, v);
    return scree_placed_point(p, s->hull->vertex[v]);
}
