/* hull.c: edges and neighbours of a convex polyhedron from its faces; boxes and
 * polygons. The hull of points is in hull_points.c. */
#include "contact/solid/hull.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/sort.h"

/* ---- memory -------------------------------------------------------------- */

static scree_status allocate_hull(scree_hull *hull, int n_vertex, int n_face,
                                  int n_edge, scree_error *error) {
    const size_t v = (size_t)n_vertex, f = (size_t)n_face, e = (size_t)n_edge;
    const size_t vectors = (v + f) * sizeof(scree_vec3);
    const size_t integers = (f + 1 + v + 1 + 6 * e) * sizeof(int32_t);
    const size_t doubles =
        f + e + scree_hull_vertex4(n_vertex) + scree_hull_plane4(n_face);
    char *block = calloc(1, vectors + doubles * sizeof(double) +
                                e * sizeof(scree_edge) + integers);
    *hull = (scree_hull){0};
    if (!block)
        return scree_fail(error, SCREE_OUT_OF_MEMORY,
                          "no memory for a polyhedron of %d vertices",
                          n_vertex);
    hull->n_vertex = n_vertex;
    hull->n_face = n_face;
    hull->n_edge = n_edge;
    hull->vertex = (scree_vec3 *)block;
    hull->normal = hull->vertex + v;
    hull->offset = (double *)(hull->normal + f);
    hull->bend = hull->offset + f;
    hull->vertex4 = hull->bend + e;
    hull->plane4 = hull->vertex4 + scree_hull_vertex4(n_vertex);
    hull->edge = (scree_edge *)(hull->plane4 + scree_hull_plane4(n_face));
    hull->loop = (int32_t *)(hull->edge + e);
    hull->corner = hull->loop + f + 1;
    hull->ring = hull->corner + 2 * e;
    hull->neighbour = hull->ring + v + 1;
    hull->side = hull->neighbour + 2 * e;
    return SCREE_OK;
}

void scree_hull_free(scree_hull *hull) {
    free(hull->vertex);
    *hull = (scree_hull){0};
}

/* ---- planes -------------------------------------------------------------- */

static scree_vec3 corner_point(const scree_hull *h, int32_t c) {
    return h->vertex[h->corner[c]];
}

/* Newell's normal: the mean over the loop, so that no corner is preferred. */
static scree_vec3 face_normal(const scree_hull *h, int f) {
    const scree_vec3 o = corner_point(h, h->loop[f]);
    scree_vec3 n = {0};
    for (int32_t c = h->loop[f] + 1; c + 1 < h->loop[f + 1]; c++)
        n = add(n, cross(sub(corner_point(h, c), o),
                         sub(corner_point(h, c + 1), o)));
    return scale(1 / norm(n), n);
}

/* The outermost corner decides: no vertex is outside of its own face. */
static double face_offset(const scree_hull *h, int f) {
    double offset = -INFINITY;
    for (int32_t c = h->loop[f]; c < h->loop[f + 1]; c++)
        offset = fmax(offset, dot(h->normal[f], corner_point(h, c)));
    return offset;
}

static void set_offsets(scree_hull *h) {
    h->inside = INFINITY;
    for (int f = 0; f < h->n_face; f++) {
        h->offset[f] = face_offset(h, f);
        h->inside = fmin(h->inside, h->offset[f]);
    }
    h->inside = fmax(h->inside, 0);
}

void scree_hull_moved(scree_hull *hull, double s, scree_vec3 shift) {
    for (int v = 0; v < hull->n_vertex; v++)
        hull->vertex[v] = add_scaled(shift, s, hull->vertex[v]);
    set_offsets(hull);
    scree_hull_pack(hull);
}

/* ---- edges and rings ----------------------------------------------------- */

int32_t scree_hull_corner(const scree_hull *hull, int32_t f, int32_t v) {
    for (int32_t c = hull->loop[f]; c < hull->loop[f + 1]; c++)
        if (hull->corner[c] == v) return c;
    return -1;
}

/* Half edge c runs from corner c to the next; the key is that of its edge. */
static void list_half_edges(const scree_hull *h, scree_key *half,
                            int32_t *face) {
    for (int32_t f = 0; f < h->n_face; f++)
        for (int32_t c = h->loop[f]; c < h->loop[f + 1]; c++) {
            const uint32_t a = (uint32_t)h->corner[c];
            const uint32_t b = (uint32_t)h->corner[scree_hull_next(h, f, c)];
            const uint64_t lo = a < b ? a : b, hi = a < b ? b : a;
            half[c] = (scree_key){lo << 32 | hi, c};
            face[c] = f;
        }
}

/* Two half edges of one key, in opposite directions, are an edge. */
static bool pair_half_edges(scree_hull *h, const scree_key *half,
                            const int32_t *face, int32_t *twin) {
    for (int32_t e = 0; e < h->n_edge; e++) {
        int32_t c = half[2 * e].item, d = half[2 * e + 1].item;
        const int32_t lo = (int32_t)(half[2 * e].key >> 32);
        const int32_t hi = (int32_t)(half[2 * e].key & 0xFFFFFFFF);
        if (half[2 * e].key != half[2 * e + 1].key) return false;
        if (h->corner[c] == h->corner[d] || lo == hi) return false;
        if (h->corner[c] != lo) {
            const int32_t swap = c;
            c = d;
            d = swap;
        }
        h->edge[e] = (scree_edge){{lo, hi}, {face[c], face[d]}};
        twin[c] = d;
        twin[d] = c;
    }
    return true;
}

/* Neighbours counter-clockwise: after half edge c out of v comes the twin of
 * the one that leads into v in the same face. False if a vertex has none, or
 * faces that do not surround it once. */
static bool make_rings(scree_hull *h, const int32_t *face, const int32_t *twin,
                       int32_t *out) {
    for (int32_t c = 2 * h->n_edge - 1; c >= 0; c--) out[h->corner[c]] = c;
    int32_t n = 0;
    for (int32_t v = 0; v < h->n_vertex; v++) {
        h->ring[v] = n;
        if (out[v] < 0) return false;
        int32_t c = out[v];
        do {
            if (n == 2 * h->n_edge) return false;
            h->neighbour[n++] = h->corner[scree_hull_next(h, face[c], c)];
            c = twin[scree_hull_previous(h, face[c], c)];
        } while (c != out[v]);
    }
    h->ring[h->n_vertex] = n;
    return n == 2 * h->n_edge;
}

static bool connect_with(scree_hull *h, scree_key *half, int32_t *face) {
    const int32_t n = 2 * h->n_edge;
    int32_t *twin = face + n, *out = twin + n;
    for (int v = 0; v < h->n_vertex; v++) out[v] = -1;
    list_half_edges(h, half, face);
    scree_sort_keys(half, half + n, n, 1);
    for (int f = 0; f < h->n_face; f++) /* fails for NaN */
        if (!(norm(h->normal[f]) > 0.5)) return false;
    return h->loop[h->n_face] == n && pair_half_edges(h, half, face, twin) &&
           make_rings(h, face, twin, out) &&
           h->n_vertex - h->n_edge + h->n_face == 2;
}

static scree_status connect_faces(scree_hull *h, scree_error *error) {
    const size_t n = 2 * (size_t)h->n_edge;
    scree_key *half = malloc(2 * n * sizeof *half);
    int32_t *face = malloc((2 * n + (size_t)h->n_vertex) * sizeof *face);
    scree_status status = SCREE_OK;
    if (!half || !face)
        status =
            scree_fail(error, SCREE_OUT_OF_MEMORY,
                       "no memory for a polyhedron of %d edges", h->n_edge);
    else if (!connect_with(h, half, face))
        status = scree_fail(error, SCREE_BAD_ARGUMENT,
                            "the faces do not form one closed surface");
    free(half);
    free(face);
    return status;
}

scree_status scree_hull_from_faces(scree_hull *hull, const scree_vec3 *vertex,
                                   int n_vertex, const int32_t *loop,
                                   const int32_t *corner, int n_face,
                                   scree_error *error) {
    TRY(allocate_hull(hull, n_vertex, n_face, loop[n_face] / 2, error));
    memcpy(hull->vertex, vertex, (size_t)n_vertex * sizeof *vertex);
    memcpy(hull->loop, loop, ((size_t)n_face + 1) * sizeof *loop);
    memcpy(hull->corner, corner, 2 * (size_t)hull->n_edge * sizeof *corner);
    for (int f = 0; f < n_face; f++) hull->normal[f] = face_normal(hull, f);
    set_offsets(hull);
    const scree_status status = connect_faces(hull, error);
    if (status == SCREE_OK)
        scree_hull_pack(hull);
    else
        scree_hull_free(hull);
    return status;
}

/* ---- box ----------------------------------------------------------------- */

scree_status scree_hull_box(scree_hull *hull, scree_vec3 half,
                            scree_error *error) {
    /* Vertex number: bit 0 is the side in x, bit 1 in y, bit 2 in z. */
    static const int32_t loop[] = {0, 4, 8, 12, 16, 20, 24};
    static const int32_t corner[] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4,
                                     2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
    *hull = (scree_hull){0};
    if (!(half.x > 0 && half.y > 0 && half.z > 0) ||
        !isfinite(half.x + half.y + half.z))
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "a box needs three positive half extents, not "
                          "%g, %g, %g",
                          half.x, half.y, half.z);
    scree_vec3 vertex[8];
    for (int i = 0; i < 8; i++)
        vertex[i] = vec(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y,
                        i & 4 ? half.z : -half.z);
    return scree_hull_from_faces(hull, vertex, 8, loop, corner, 6, error);
}

/* ---- polygon ------------------------------------------------------------- */

static int by_x_then_y(const void *p, const void *q) {
    const scree_vec3 *a = p, *b = q;
    if (a->x != b->x) return a->x < b->x ? -1 : 1;
    return a->y < b->y ? -1 : a->y > b->y;
}

/* Is b on the line from a to c or right of it? Then it is no corner. */
static bool turns_right(scree_vec3 a, scree_vec3 b, scree_vec3 c, double flat) {
    const scree_vec3 ac = sub(c, a);
    return cross(sub(b, a), ac).z <= flat * norm(ac);
}

/* Andrew's chains: the lower one from left to right, then the upper one back.
 * `sorted` has n points, `ring` room for n + 1. Returns the number of corners.
 */
static int ring_of(const scree_vec3 *sorted, int n, double flat,
                   scree_vec3 *ring) {
    int k = 0;
    for (int i = 0; i < n; i++) {
        while (k >= 2 && turns_right(ring[k - 2], ring[k - 1], sorted[i], flat))
            k--;
        ring[k++] = sorted[i];
    }
    const int lower = k;
    for (int i = n - 2; i >= 0; i--) {
        while (k > lower &&
               turns_right(ring[k - 2], ring[k - 1], sorted[i], flat))
            k--;
        ring[k++] = sorted[i];
    }
    return k - 1;
}

static void set_polygon(scree_hull *h, const scree_vec3 *ring) {
    const int n = h->n_vertex;
    memcpy(h->vertex, ring, (size_t)n * sizeof *ring);
    for (int i = 0; i < n; i++) {
        const int next = (i + 1) % n, last = (i + n - 1) % n;
        const scree_vec3 t = sub(ring[next], ring[i]);
        h->normal[i] = scale(1 / norm(t), vec(t.y, -t.x, 0));
        h->loop[i] = h->ring[i] = 2 * i;
        h->corner[2 * i] = i;
        h->corner[2 * i + 1] = h->neighbour[2 * i] = next;
        h->neighbour[2 * i + 1] = last;
        h->edge[i] = (scree_edge){{i, next}, {i, i}};
    }
    h->loop[n] = h->ring[n] = 2 * n;
    set_offsets(h);
    scree_hull_pack(h);
}

static scree_status check_planar(const scree_vec3 *points, int n,
                                 scree_error *error) {
    if (n < 3)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "a polygon needs at least 3 points, not %d", n);
    for (int i = 0; i < n; i++)
        if (!isfinite(points[i].x) || !isfinite(points[i].y) ||
            points[i].z != 0)
            return scree_fail(
                error, SCREE_BAD_ARGUMENT,
                "point %d of the polygon is (%g, %g, %g): it must "
                "be finite and have z = 0",
                i + 1, points[i].x, points[i].y, points[i].z);
    return SCREE_OK;
}

static double extent_of(const scree_vec3 *points, int n) {
    double size = 0;
    for (int i = 1; i < n; i++)
        size = fmax(size, norm(sub(points[i], *points)));
    return size;
}

scree_status scree_hull_polygon(scree_hull *hull, const scree_vec3 *points,
                                int n, scree_error *error) {
    *hull = (scree_hull){0};
    TRY(check_planar(points, n, error));
    scree_vec3 *sorted = malloc((2 * (size_t)n + 1) * sizeof *sorted);
    if (!sorted)
        return scree_fail(error, SCREE_OUT_OF_MEMORY,
                          "no memory for a polygon of %d points", n);
    memcpy(sorted, points, (size_t)n * sizeof *points);
    qsort(sorted, (size_t)n, sizeof *sorted, by_x_then_y);
    scree_vec3 *ring = sorted + n;
    const double flat = SCREE_HULL_FLAT * extent_of(points, n);
    const int corners = ring_of(sorted, n, flat, ring);
    scree_status status;
    if (corners < 3)
        status = scree_fail(error, SCREE_BAD_ARGUMENT,
                            "the %d points of the polygon lie on one line", n);
    else if ((status = allocate_hull(hull, corners, corners, corners, error)) ==
             SCREE_OK)
        set_polygon(hull, ring);
    free(sorted);
    return status;
}
