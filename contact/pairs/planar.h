/* planar.h: corners and edges of a polygon where it is now. */
#ifndef SCREE_CONTACT_PLANAR_H
#define SCREE_CONTACT_PLANAR_H

#include "contact/narrow/pair.h"

typedef struct scree_side {
    scree_vec3 p, q; /* ends, counter-clockwise */
    scree_vec3 n;    /* outward, unit, in the plane */
    double length;
    int from, to; /* vertices */
    int edge;     /* its place in the outline */
} scree_side;

/* The vertices of a polygon run round its outline (contact/solid/hull.h). */
static inline int scree_polygon_size(const scree_placed *p) {
    return p->solid->hull->n_vertex;
}
static inline scree_vec3 scree_polygon_corner(const scree_placed *p, int k) {
    return scree_placed_point(p, p->solid->hull->vertex[k]);
}
static inline uint32_t scree_polygon_vertex(int k) {
    return scree_feature(SCREE_VERTEX, k);
}
static inline scree_vec3 scree_in_plane(scree_vec3 v) {
    return vec(v.x, v.y, 0);
}

static inline scree_side scree_polygon_side(const scree_placed *p, int k) {
    const int next = k + 1 < scree_polygon_size(p) ? k + 1 : 0;
    scree_side s = {.p = scree_polygon_corner(p, k),
                    .q = scree_polygon_corner(p, next),
                    .from = k,
                    .to = next,
                    .edge = k};
    const scree_vec3 e = sub(s.q, s.p);
    s.length = sqrt(e.x * e.x + e.y * e.y);
    s.n = vec(e.y / s.length, -e.x / s.length, 0);
    return s;
}

#endif
