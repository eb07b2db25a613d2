/* surface_hull.c: a polyhedron grown by r, in polygons.
 *
 *     face    moved outward by r
 *     edge    strip of m quads, along the arc between the two normals
 *     vertex  rings that shrink from the arcs around it to one point
 *
 * Corner c of the hull, moved outward, is vertex c; the points of the arcs
 * follow, then those of the rings. Neighbours share vertices by number, so the
 * surface is watertight by construction. */
#include <stdlib.h>

#include "contact/solid/surface_build.h"

typedef struct rounded {
    scree_mesher *m;
    const scree_hull *h;
    double r;
    int chords;
    int32_t
        *edge_at; /* (2 n_edge) edge of the half edge that starts at corner c */
    int32_t *face_at; /* (n_vertex) one of the faces around each vertex */
    int32_t *rim;     /* (2 n_edge chords) around the vertex at hand */
} rounded;

/* ---- numbers of vertices ------------------------------------------------- */

/* Point k of the arc at end `side` of edge e, from the normal of f[0] (k = 0)
 * to that of f[1] (k = chords). */
static int32_t arc_vertex(const rounded *s, int32_t e, int side, int k) {
    const scree_edge *edge = &s->h->edge[e];
    if (k == 0) return scree_hull_corner(s->h, edge->f[0], edge->v[side]);
    if (k == s->chords)
        return scree_hull_corner(s->h, edge->f[1], edge->v[side]);
    return 2 * s->h->n_edge + (2 * e + side) * (s->chords - 1) + k - 1;
}

static void place_vertices(const rounded *s) {
    const scree_hull *h = s->h;
    for (int f = 0; f < h->n_face; f++)
        for (int32_t c = h->loop[f]; c < h->loop[f + 1]; c++)
            scree_mesh_vertex(
                s->m, add_scaled(h->vertex[h->corner[c]], s->r, h->normal[f]));
    for (int e = 0; e < h->n_edge; e++)
        for (int side = 0; side < 2; side++)
            for (int k = 1; k < s->chords; k++) {
                const scree_edge *edge = &h->edge[e];
                const scree_vec3 u = scree_mesh_arc(
                    h->normal[edge->f[0]], h->normal[edge->f[1]], k, s->chords);
                scree_mesh_vertex(
                    s->m, add_scaled(h->vertex[edge->v[side]], s->r, u));
            }
}

static void find_edges(const rounded *s) {
    for (int32_t e = 0; e < s->h->n_edge; e++) {
        const scree_edge *edge = &s->h->edge[e];
        s->edge_at[scree_hull_corner(s->h, edge->f[0], edge->v[0])] = e;
        s->edge_at[scree_hull_corner(s->h, edge->f[1], edge->v[1])] = e;
    }
}

/* ---- faces and edges ----------------------------------------------------- */

static void add_faces(const rounded *s) {
    for (int f = 0; f < s->h->n_face; f++) {
        for (int32_t c = s->h->loop[f]; c < s->h->loop[f + 1]; c++)
            scree_mesh_corner(s->m, c);
        scree_mesh_close(s->m);
    }
}

static void add_strip(const rounded *s, int32_t e) {
    for (int k = 0; k < s->chords; k++) {
        const int32_t quad[] = {arc_vertex(s, e, 1, k), arc_vertex(s, e, 0, k),
                                arc_vertex(s, e, 0, k + 1),
                                arc_vertex(s, e, 1, k + 1)};
        scree_mesh_polygon(s->m, 4, quad);
    }
}

/* ---- vertices ------------------------------------------------------------ */

/* Walks counter-clockwise around v from one of its faces: across the half
 * edge that leads into v lies the next face. Writes the rim and the mean of the
 * normals, returns the length of the rim. */
static int walk_round(const rounded *s, int32_t v, int32_t first_face,
                      scree_vec3 *middle) {
    const scree_hull *h = s->h;
    int32_t f = first_face;
    int n = 0;
    scree_vec3 sum = {0};
    do {
        const int32_t c = scree_hull_corner(h, f, v);
        const int32_t e = s->edge_at[scree_hull_previous(h, f, c)];
        const bool forward = h->edge[e].f[0] == f;
        sum = add(sum, h->normal[f]);
        for (int k = 0; k < s->chords; k++)
            s->rim[n++] = forward ? arc_vertex(s, e, 1, k)
                                  : arc_vertex(s, e, 0, s->chords - k);
        f = h->edge[e].f[forward];
    } while (f != first_face);
    *middle = scale(1 / norm(sum), sum);
    return n;
}

/* The rim's points moved towards the middle, on the sphere about x. */
static void add_ring(const rounded *s, scree_vec3 x, scree_vec3 middle, int n,
                     double t) {
    const int32_t first = s->m->out->n_vertex;
    for (int i = 0; i < n && !s->m->no_memory; i++) {
        const scree_vec3 d = sub(s->m->out->vertex[s->rim[i]], x);
        const scree_vec3 to = sub(scale(s->r, middle), d);
        const scree_vec3 u = add_scaled(d, t, to);
        scree_mesh_vertex(s->m, add_scaled(x, s->r / norm(u), u));
    }
    for (int i = 0; i < n; i++) {
        const int j = (i + 1) % n;
        const int32_t quad[] = {s->rim[i], s->rim[j], first + j, first + i};
        scree_mesh_polygon(s->m, 4, quad);
    }
    for (int i = 0; i < n; i++) s->rim[i] = first + i;
}

static void add_cap(const rounded *s, int32_t v, int32_t face) {
    const scree_vec3 x = s->h->vertex[v];
    scree_vec3 middle;
    const int n = walk_round(s, v, face, &middle);
    for (int j = 1; j < s->chords; j++)
        add_ring(s, x, middle, n, 1.0 / (s->chords - j + 1));
    const int32_t pole = scree_mesh_vertex(s->m, add_scaled(x, s->r, middle));
    for (int i = 0; i < n; i++) {
        const int32_t wedge[] = {s->rim[i], s->rim[(i + 1) % n], pole};
        scree_mesh_polygon(s->m, 3, wedge);
    }
}

static void add_caps(const rounded *s) {
    const scree_hull *h = s->h;
    for (int32_t f = 0; f < h->n_face; f++)
        for (int32_t c = h->loop[f]; c < h->loop[f + 1]; c++)
            s->face_at[h->corner[c]] = f;
    for (int32_t v = 0; v < h->n_vertex; v++) add_cap(s, v, s->face_at[v]);
}

void scree_mesh_rounded(scree_mesher *mesher, const scree_hull *hull, double r,
                        int m) {
    const size_t n = 2 * (size_t)hull->n_edge;
    rounded s = {.m = mesher,
                 .h = hull,
                 .r = r,
                 .chords = m,
                 .edge_at = malloc(n * sizeof *s.edge_at),
                 .face_at = malloc((size_t)hull->n_vertex * sizeof *s.face_at),
                 .rim = malloc(n * (size_t)m * sizeof *s.rim)};
    mesher->no_memory = !s.edge_at || !s.face_at || !s.rim;
    if (!mesher->no_memory) {
        find_edges(&s);
        place_vertices(&s);
        add_faces(&s);
        for (int e = 0; e < hull->n_edge; e++) add_strip(&s, e);
        add_caps(&s);
    }
    free(s.edge_at);
    free(s.face_at);
    free(s.rim);
}
