/* triangle_touch.h: a convex solid against the triangles of a surface.
 *
 * A probe is a solid that meets one facet (contact/surface/triangle.h) after the other.
 * All is computed in the solid's frame. Which touches are made, for a core with
 * vertices v, edges h, faces f, and a surface with facets A, ridges e, peaks p:
 *
 *     v - A   core vertex over a facet; n is the facet's. Counted are the vertex
 *             that is deepest along n and those of the core face that looks most
 *             against n (not if the deepest is well behind the facet, which then
 *             does not carry the body). Over means: in the facet's prism; beyond
 *             a flat edge only by rounding; beyond a valley if it sank a little
 *             into the facet on the other side; and behind a ridge only on the
 *             facet's side of the plane that halves the angle inside.
 *     h - e   core edge across a ridge; n = +-h x e, if it lies between the
 *             normals of the two facets, and -n between those of the two faces.
 *     f - p   peak against a core face, if -n_f is in the normal cone of the
 *             peak; of several faces the one it is least deep in.
 *     v - e, h - p, v - p   where the cores do not overlap: n is the direction
 *             of the shortest connection, in the normal cones of both.
 *
 * Flat edges and valleys are never touched. These are all local minima of the
 * distance of core and surface. For manifolds that do not flicker, normals may
 * miss the cones of h - e and f - p, and that of the core in v - e, h - p, v - p,
 * by SCREE_SLOPE.
 *
 * Where h - e or f - p overlap, but leaving through a facet's plane or a core face
 * is shorter, they take that normal and gap. A touch needs the body's
 * inscribed ball to reach in front: n . (centre - point) >= -inradius.
 *
 * Points have one vertex, segments two and an edge; cylinders have rims instead
 * of vertices (contact/surface/triangle_cylinder.c). Polygons touch nothing here.
 *
 * Keys name body feature and patch (v - A: they stay when the body slides over
 * a flat part of many triangles) or body feature and ridge or peak. */
#ifndef SCREE_CONTACT_TRIANGLE_TOUCH_H
#define SCREE_CONTACT_TRIANGLE_TOUCH_H

#include "contact/broad/bvh.h"
#include "contact/surface/triangle.h"
#include "contact/surface/triangle_manifold.h"

#define SCREE_SLOPE 0.035 /* sin 2 deg */

/* Is d in the normal cone of the surface's vertex: does no edge there leave it
 * uphill, by more than the sine `slope`? d in the surface's frame, any length. */
typedef bool scree_cone(const void *surface, uint32_t vertex, scree_vec3 d,
                        double slope);

typedef struct scree_probe {
    const scree_placed *body;
    scree_mat3 R; /* the body's; spheres: that of the surface */
    const void *surface;
    scree_cone *in_cone;
    double reach; /* of the core: reach + radius [m] */
    double radius, inside, tiny;
    double around;     /* core and reach lie within it of the centre [m] */
    scree_hull core;   /* none for cylinders */
    scree_vec3 end[2]; /* vertices of a point or segment */
    scree_edge edge;
    bool close;              /* some facet's plane is near */
    scree_raw_touch way_out; /* best of the rescue, g = -INFINITY: none */
    scree_manifold manifold;
} scree_probe;

void scree_probe_begin(scree_probe *probe, const scree_placed *body,
                       double reach, const void *surface, scree_cone *in_cone);

/* Is the triangle p, of normal n, beyond reach of the ball around the core, or
 * the body all behind it? Cheap: asked before a facet is put together. */
bool scree_probe_skips(const scree_probe *probe, const scree_vec3 p[3],
                       scree_vec3 n);

/* f in the surface's frame. */
void scree_probe_facet(scree_probe *probe, const scree_facet *f);

/* Where body and surface overlap deeply, no two features may fit each other. If
 * the probe has no touch after all facets, or a sharp body none that overlaps,
 * give it all facets again here: of those that are well inside the core the one
 * whose plane it leaves by the shortest way is touched. */
bool scree_probe_lost(const scree_probe *probe);
void scree_probe_rescue(scree_probe *probe, const scree_facet *f);

/* Writes at most SCREE_SURFACE_TOUCHES, in the surface's frame. */
int scree_probe_end(scree_probe *probe, scree_touch *touches);

/* The body against the half space behind f's plane, as if nothing else were. */
void scree_probe_plane(scree_probe *probe, const scree_facet *f);

/* All of the body, and `reach` around it. */
scree_box scree_probe_box(const scree_probe *probe);

/* ---- for the files that make the touches -------------------------------- */

/* A facet in the body's frame. */
typedef struct scree_view {
    const scree_facet *facet;
    scree_vec3 p[3], n;
    scree_vec3 e[3]; /* unit vectors along the edges */
    double length[3];
    scree_vec3 m[3]; /* in the plane, out of the triangle, across edge k */
    scree_vec3 beyond[3];
} scree_view;

typedef enum scree_touch_kind {
    SCREE_TOUCH_FACE,        /* v - A */
    SCREE_TOUCH_CROSS,       /* h - e */
    SCREE_TOUCH_PEAK_FACE,   /* f - p */
    SCREE_TOUCH_RIDGE_POINT, /* v - e */
    SCREE_TOUCH_PEAK_EDGE,   /* h - p */
    SCREE_TOUCH_PEAK_POINT,  /* v - p */
} scree_touch_kind;

/* Reports a touch at point p of the surface, with gap g of the cores. */
void scree_probe_report(scree_probe *probe, scree_vec3 p, scree_vec3 n,
                        double g, scree_touch_kind kind, uint32_t name,
                        int body_feature);

/* Core vertex v against the facet's face. */
void scree_probe_vertex(scree_probe *probe, const scree_view *f, scree_vec3 v,
                        int feature);

/* n . (deepest point of the core - p). */
double scree_probe_depth(const scree_probe *probe, scree_vec3 n, scree_vec3 p);

/* Between the normals of the facets at edge k, up to a slope? */
static inline bool scree_view_between(const scree_view *f, int k, scree_vec3 n,
                                      double slope) {
    const scree_vec3 back = cross(f->beyond[k], f->e[k]);
    return dot(n, f->m[k]) >= -slope && dot(n, back) >= -slope &&
           dot(n, f->n) + dot(n, f->beyond[k]) > 0;
}

/* The peak's normal cone, for d in the body's frame. */
static inline bool scree_view_cone(const scree_probe *probe,
                                   const scree_view *f, int k, scree_vec3 d,
                                   double slope) {
    if (dot(d, f->n) < -1e-9 * norm(d)) return false;
    const scree_mat3 *R = &probe->R;
    const scree_vec3 up =
        add(add(scale(d.x, R->x), scale(d.y, R->y)), scale(d.z, R->z));
    return probe->in_cone(probe->surface, f->facet->vertex[k], up, slope);
}

void scree_probe_ridge(scree_probe *probe, const scree_view *f, int k);
void scree_probe_peak(scree_probe *probe, const scree_view *f, int k);

void scree_cylinder_face(scree_probe *probe, const scree_view *f);
void scree_cylinder_ridge(scree_probe *probe, const scree_view *f, int k);
void scree_cylinder_peak(scree_probe *probe, const scree_view *f, int k);

#endif
