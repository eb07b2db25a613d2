/* hull_points.c: the convex hull of points, by Qhull (C. B. Barber, D. P.
 * Dobkin, H. Huhdanpaa: The Quickhull algorithm for convex hulls, 1996).
 *
 * Qhull works on a copy with the extent 1 about the origin, so that its
 * tolerances do not depend on size and place. It merges facets that are
 * coplanar to SCREE_HULL_FLAT; where that leaves no convex polyhedron (it may,
 * for thin plates and slivers), it is asked again with a finer tolerance. It
 * draws no random numbers: the same points give the same hull. */
#include "contact/solid/hull.h"

#include <libqhull_r/qhull_ra.h>
#include <stdlib.h>
#include <string.h>

/* The last tolerance; how far a merged face may bulge, in tolerances; and the
 * largest tolerance in parts of the thickness. */
#define FINEST 1e-12
#define BULGE 10
#define THIN 1e-3

/* The points, and what is known of them. */
typedef struct cloud {
    const scree_vec3 *points;
    int n;
    double *scaled;   /* (3 n) for Qhull */
    int32_t *number;  /* (n) the vertex that each point became, or -1 */
    double size;      /* largest extent along an axis */
    double thickness; /* over the plane of three of them */
} cloud;

typedef struct faces {
    scree_vec3 *vertex;
    int32_t *loop, *corner;
    int n_vertex, n_face, n_corner;
} faces;

/* ---- what is refused ----------------------------------------------------- */

typedef struct frame {
    scree_vec3 centre;
    double size; /* largest extent along an axis */
} frame;

static frame frame_of(const scree_vec3 *p, int n) {
    scree_vec3 lo = p[0], hi = p[0];
    for (int i = 1; i < n; i++) {
        lo = vec(fmin(lo.x, p[i].x), fmin(lo.y, p[i].y), fmin(lo.z, p[i].z));
        hi = vec(fmax(hi.x, p[i].x), fmax(hi.y, p[i].y), fmax(hi.z, p[i].z));
    }
    const scree_vec3 d = sub(hi, lo);
    return (frame){add_scaled(lo, 0.5, d), fmax(d.x, fmax(d.y, d.z))};
}

/* Largest distance from the point o, the line o + R t, or the plane o + n-perp,
 * and the point that has it. */
typedef double distance_of(scree_vec3 d, scree_vec3 axis);
static double from_point(scree_vec3 d, scree_vec3 axis) {
    (void)axis;
    return norm(d);
}
static double from_line(scree_vec3 d, scree_vec3 t) {
    return norm(cross(d, t));
}
static double from_plane(scree_vec3 d, scree_vec3 n) {
    return fabs(dot(d, n));
}

static int farthest_point(const scree_vec3 *p, int n, distance_of *distance,
                          scree_vec3 axis, double *most) {
    int far = 0;
    *most = 0;
    for (int i = 1; i < n; i++) {
        const double d = distance(sub(p[i], p[0]), axis);
        if (d > *most) {
            *most = d;
            far = i;
        }
    }
    return far;
}

static scree_vec3 unit_vector(scree_vec3 a) {
    return scale(1 / norm(a), a);
}

static scree_status check_spread(cloud *points, scree_error *error) {
    const scree_vec3 *p = points->points;
    const int n = points->n;
    const double flat = SCREE_HULL_FLAT * points->size;
    double d;
    const int a = farthest_point(p, n, from_point, p[0], &d);
    if (d <= flat)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "the %d points of the polyhedron are one point", n);
    const scree_vec3 t = unit_vector(sub(p[a], p[0]));
    const int b = farthest_point(p, n, from_line, t, &d);
    if (d <= flat)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "the %d points of the polyhedron lie on one line", n);
    const scree_vec3 normal = unit_vector(cross(t, sub(p[b], p[0])));
    farthest_point(p, n, from_plane, normal, &points->thickness);
    if (points->thickness <= flat)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "the %d points of the polyhedron lie in one plane",
                          n);
    return SCREE_OK;
}

static scree_status check_points(cloud *points, scree_error *error) {
    const scree_vec3 *p = points->points;
    if (points->n < 4)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "a polyhedron needs at least 4 points, not %d",
                          points->n);
    for (int i = 0; i < points->n; i++)
        if (!isfinite(p[i].x) || !isfinite(p[i].y) || !isfinite(p[i].z))
            return scree_fail(error, SCREE_BAD_ARGUMENT,
                              "point %d of the polyhedron is not finite: "
                              "(%g, %g, %g)",
                              i + 1, p[i].x, p[i].y, p[i].z);
    points->size = frame_of(p, points->n).size;
    if (!isfinite(points->size))
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "the points of the polyhedron are too far apart");
    return check_spread(points, error);
}

/* ---- reading Qhull's answer ---------------------------------------------- */

static void count_faces(qhT *qh, faces *out) {
    facetT *facet;
    vertexT *vertex;
    FORALLfacets {
        out->n_face++;
        out->n_corner += qh_setsize(qh, facet->ridges);
        if (facet->simplicial) out->n_corner += 3;
    }
    FORALLvertices out->n_vertex++;
}

static bool make_room(faces *out) {
    const size_t f = (size_t)out->n_face, c = (size_t)out->n_corner;
    out->vertex = malloc((size_t)out->n_vertex * sizeof *out->vertex);
    out->loop = malloc((f + 1 + c) * sizeof *out->loop);
    out->corner = out->loop ? out->loop + f + 1 : NULL;
    return out->vertex && out->loop;
}

static void number_vertices(qhT *qh, cloud *c, faces *out) {
    vertexT *vertex;
    for (int i = 0; i < c->n; i++) c->number[i] = -1;
    FORALLvertices c->number[qh_pointid(qh, vertex->point)] = 0;
    int32_t next = 0;
    for (int i = 0; i < c->n; i++)
        if (c->number[i] == 0) {
            out->vertex[next] = c->points[i];
            c->number[i] = next++;
        }
}

static void reverse_corners(int32_t *first, int32_t *last) {
    while (first < --last) {
        const int32_t swap = *first;
        *first++ = *last;
        *last = swap;
    }
}

static scree_vec3 loop_area(const faces *f, int32_t first, int32_t last) {
    const scree_vec3 o = f->vertex[f->corner[first]];
    scree_vec3 area = {0};
    for (int32_t c = first + 1; c + 1 < last; c++)
        area = add(area, cross(sub(f->vertex[f->corner[c]], o),
                               sub(f->vertex[f->corner[c + 1]], o)));
    return area;
}

/* Appends the loop of a facet. False if it is none. */
static bool read_loop(qhT *qh, facetT *facet, const int32_t *number, faces *out,
                      int32_t *n) {
    vertexT *vertex, **vertexp;
    const int32_t first = *n;
    setT *ring = qh_facet3vertex(qh, facet);
    bool good = *n + qh_setsize(qh, ring) <= out->n_corner;
    FOREACHvertex_(ring) {
        const int32_t v = number[qh_pointid(qh, vertex->point)];
        good = good && v >= 0;
        if (good) out->corner[(*n)++] = v;
    }
    qh_settempfree(qh, &ring);
    return good && *n - first >= 3;
}

/* Qhull's loops run either way; its normals look outward. */
static bool read_faces(qhT *qh, const int32_t *number, faces *out) {
    facetT *facet;
    int32_t f = 0, n = 0;
    FORALLfacets {
        const int32_t first = n;
        out->loop[f++] = first;
        if (!read_loop(qh, facet, number, out, &n)) return false;
        if (dot(loop_area(out, first, n), vec_from(facet->normal)) < 0)
            reverse_corners(out->corner + first, out->corner + n);
    }
    out->loop[f] = n;
    return true;
}

/* ---- asking Qhull -------------------------------------------------------- */

/* Fills `out`; false when Qhull gives up. Qhull reports errors by a jump. */
static bool ask_qhull(qhT *qh, cloud *c, double flat, FILE *sink, faces *out) {
    char command[64];
    snprintf(command, sizeof command, "qhull C-%g", flat);
    if (qh_new_qhull(qh, 3, c->n, c->scaled, False, command, NULL, sink))
        return false;
    volatile bool done = false;
    if (!setjmp(qh->errexit)) {
        qh->NOerrexit = False;
        count_faces(qh, out);
        if (make_room(out)) {
            number_vertices(qh, c, out);
            done = read_faces(qh, c->number, out);
        }
    }
    qh->NOerrexit = True;
    return done;
}

static bool find_faces(cloud *c, double flat, faces *out) {
    char *words = NULL; /* Qhull's messages: read by nobody, but not printed */
    size_t bytes;
    FILE *sink = open_memstream(&words, &bytes);
    qhT *qh = sink ? calloc(1, sizeof *qh) : NULL;
    bool found = false;
    if (qh) {
        int left, total;
        qh_zero(qh, sink);
        found = ask_qhull(qh, c, flat, sink, out);
        qh_freeqhull(qh, !qh_ALL);
        qh_memfreeshort(qh, &left, &total);
    }
    free(qh);
    if (sink) fclose(sink);
    free(words);
    return found;
}

/* How far corners of a face stand over the planes of its neighbours. */
static double bulge_of(const scree_hull *h) {
    double most = 0;
    for (int e = 0; e < h->n_edge; e++)
        for (int side = 0; side < 2; side++) {
            const int32_t f = h->edge[e].f[side], g = h->edge[e].f[!side];
            for (int32_t c = h->loop[g]; c < h->loop[g + 1]; c++)
                most = fmax(most, dot(h->normal[f], h->vertex[h->corner[c]]) -
                                      h->offset[f]);
        }
    return most;
}

static scree_status try_flat(scree_hull *hull, cloud *c, double flat,
                             scree_error *error) {
    faces f = {0};
    scree_status status = SCREE_BAD_ARGUMENT;
    if (find_faces(c, flat, &f))
        status = scree_hull_from_faces(hull, f.vertex, f.n_vertex, f.loop,
                                       f.corner, f.n_face, error);
    else
        scree_fail(error, status, "Qhull finds no hull of the %d points", c->n);
    free(f.vertex);
    free(f.loop);
    return status;
}

/* Merges as much as leaves a convex polyhedron. A thin plate must not be bent
 * by a part of its thickness. */
static scree_status try_all(scree_hull *hull, cloud *c, scree_error *error) {
    double flat = fmin(SCREE_HULL_FLAT, THIN * c->thickness / c->size);
    for (; flat > FINEST; flat *= 1e-3) {
        const scree_status status = try_flat(hull, c, flat, error);
        if (status == SCREE_OUT_OF_MEMORY) return status;
        if (status == SCREE_OK && bulge_of(hull) <= BULGE * flat * c->size)
            return SCREE_OK;
        scree_hull_free(hull);
    }
    return try_flat(hull, c, FINEST, error);
}

static void scale_points(cloud *c) {
    const scree_vec3 centre = frame_of(c->points, c->n).centre;
    for (int i = 0; i < c->n; i++)
        vec_to(scale(1 / c->size, sub(c->points[i], centre)),
               c->scaled + 3 * i);
}

scree_status scree_hull_from_points(scree_hull *hull, const scree_vec3 *points,
                                    int n, scree_error *error) {
    cloud c = {.points = points, .n = n};
    *hull = (scree_hull){0};
    TRY(check_points(&c, error));
    c.scaled = malloc(3 * (size_t)n * sizeof *c.scaled);
    c.number = malloc((size_t)n * sizeof *c.number);
    scree_status status;
    if (c.scaled && c.number) {
        scale_points(&c);
        status = try_all(hull, &c, error);
    } else
        status = scree_fail(error, SCREE_OUT_OF_MEMORY,
                            "no memory for a hull of %d points", n);
    free(c.scaled);
    free(c.number);
    return status;
}
