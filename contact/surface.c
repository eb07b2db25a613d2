#include "contact/surface.h"

#include <stdlib.h>

#include "contact/surface_build.h"
#include "contact/triangles.h"
#include "engine/base/arena.h"

/* ---- the surface in the making ------------------------------------------- */

static bool room(scree_mesher *m, void *array, int64_t *capacity, int64_t need,
                 size_t size) {
    if (!m->no_memory)
        m->no_memory = scree_reserve(array, capacity, need, size) != SCREE_OK;
    return !m->no_memory;
}

int32_t scree_mesh_vertex(scree_mesher *m, scree_vec3 x) {
    scree_surface *s = m->out;
    if (!room(m, &s->vertex, &m->vertex_room, s->n_vertex + 1, sizeof x))
        return 0;
    s->vertex[s->n_vertex] = x;
    return s->n_vertex++;
}

void scree_mesh_corner(scree_mesher *m, int32_t vertex) {
    scree_surface *s = m->out;
    if (room(m, &s->corner, &m->corner_room, m->n_corner + 1, sizeof vertex))
        s->corner[m->n_corner++] = vertex;
}

void scree_mesh_close(scree_mesher *m) {
    scree_surface *s = m->out;
    if (room(m, &s->loop, &m->loop_room, s->n_polygon + 2, sizeof *s->loop))
        s->loop[++s->n_polygon] = m->n_corner;
}

void scree_mesh_polygon(scree_mesher *m, int n, const int32_t *vertices) {
    for (int i = 0; i < n; i++) scree_mesh_corner(m, vertices[i]);
    scree_mesh_close(m);
}

static void quad(scree_mesher *m, int32_t a, int32_t b, int32_t c, int32_t d) {
    scree_mesh_polygon(m, 4, (const int32_t[]){a, b, c, d});
}

scree_vec3 scree_mesh_arc(scree_vec3 a, scree_vec3 b, int k, int m) {
    const double angle = atan2(norm(cross(a, b)), dot(a, b)), t = (double)k / m;
    return scale(1 / sin(angle),
                 add(scale(sin((1 - t) * angle), a), scale(sin(t * angle), b)));
}

/* ---- sphere -------------------------------------------------------------- */

/* Each triangle is cut by itself; as the middle of an edge comes out the same
 * from both sides, equal vertices then become one. */
static void split(scree_triangles *t, scree_vec3 a, scree_vec3 b, scree_vec3 c,
                  int level) {
    if (level == 0) {
        for (int k = 0; k < 3; k++) {
            t->corner[t->n_triangle][k] = t->n_vertex;
            t->vertex[t->n_vertex++] = k == 0 ? a : k == 1 ? b : c;
        }
        t->n_triangle++;
        return;
    }
    const scree_vec3 ab = scale(1 / norm(add(a, b)), add(a, b));
    const scree_vec3 bc = scale(1 / norm(add(b, c)), add(b, c));
    const scree_vec3 ca = scale(1 / norm(add(c, a)), add(c, a));
    split(t, a, ab, ca, level - 1);
    split(t, ab, b, bc, level - 1);
    split(t, ca, bc, c, level - 1);
    split(t, ab, bc, ca, level - 1);
}

/* Icosahedron: cyclic permutations of (0, +-1, +-golden). */
static void split_icosahedron(scree_triangles *t, int level) {
    static const int8_t face[20][3] = {
        {0, 1, 8},  {0, 10, 1}, {0, 4, 5},   {0, 8, 4}, {0, 5, 10},
        {1, 7, 6},  {1, 6, 8},  {1, 10, 7},  {2, 9, 3}, {2, 3, 11},
        {2, 5, 4},  {2, 4, 9},  {2, 11, 5},  {3, 6, 7}, {3, 9, 6},
        {3, 7, 11}, {4, 8, 9},  {5, 11, 10}, {6, 9, 8}, {7, 10, 11}};
    const double golden = 0.5 * (1 + sqrt(5)),
                 s = 1 / sqrt(1 + golden * golden);
    scree_vec3 x[12];
    for (int i = 0; i < 4; i++) {
        const double p = s * (i & 1 ? -1 : 1);
        const double q = s * golden * (i & 2 ? -1 : 1);
        x[i] = vec(0, p, q);
        x[i + 4] = vec(p, q, 0);
        x[i + 8] = vec(q, 0, p);
    }
    for (int i = 0; i < 20; i++)
        split(t, x[face[i][0]], x[face[i][1]], x[face[i][2]], level);
}

static void sphere(scree_mesher *m, double r, int level) {
    const size_t n = (size_t)20 << 2 * level;
    scree_triangles t = {.vertex = malloc(3 * n * sizeof *t.vertex),
                         .corner = malloc(n * sizeof *t.corner)};
    m->no_memory = !t.vertex || !t.corner;
    if (!m->no_memory) {
        split_icosahedron(&t, level);
        m->no_memory = scree_triangles_merge(&t, NULL) != SCREE_OK;
    }
    for (int i = 0; i < t.n_vertex && !m->no_memory; i++)
        scree_mesh_vertex(m, scale(r, t.vertex[i]));
    for (int i = 0; i < t.n_triangle && !m->no_memory; i++)
        scree_mesh_polygon(m, 3, t.corner[i]);
    scree_triangles_free(&t);
}

/* ---- solids of revolution ------------------------------------------------ */

/* Adds a ring of n vertices, and joins it to the one before, if any. */
static void ring(scree_mesher *m, double rho, double z, int n) {
    const int32_t first = m->out->n_vertex, below = first - n;
    for (int i = 0; i < n; i++) {
        const double phi = 2 * SCREE_PI * i / n;
        scree_mesh_vertex(m, vec(rho * cos(phi), rho * sin(phi), z));
    }
    for (int i = 0; i < n && below >= 0; i++) {
        const int j = (i + 1) % n;
        quad(m, below + i, below + j, first + j, first + i);
    }
}

/* The end of a core of radius d: flat, or a point where d = 0. `side` is 1 at
 * the top, -1 at the bottom. */
static void cap(scree_mesher *m, int32_t first, int n, double d, double z,
                int side) {
    if (d > 0) {
        for (int i = 0; i < n; i++)
            scree_mesh_corner(m, first + (side > 0 ? i : n - 1 - i));
        scree_mesh_close(m);
        return;
    }
    const int32_t pole = scree_mesh_vertex(m, vec(0, 0, z));
    for (int i = 0; i < n; i++) {
        const int32_t a = first + i, b = first + (i + 1) % n;
        scree_mesh_polygon(
            m, 3, (const int32_t[]){side > 0 ? a : b, side > 0 ? b : a, pole});
    }
}

/* From below to above: quarter circles of `chords` at both ends of a core. */
static void revolve(scree_mesher *m, double d, double half, double r,
                    int chords) {
    const int n = 4 * chords, steps = r > 0 ? chords : 0;
    const int flat = d > 0 ? 0 : 1; /* a pole is no ring */
    for (int k = flat; k <= steps; k++) {
        const double angle = steps ? 0.5 * SCREE_PI * (steps - k) / steps : 0;
        ring(m, d + r * cos(angle), -half - r * sin(angle), n);
    }
    for (int k = half > 0 ? 0 : 1; k <= steps - flat; k++) {
        const double angle = steps ? 0.5 * SCREE_PI * k / steps : 0;
        ring(m, d + r * cos(angle), half + r * sin(angle), n);
    }
    const int32_t top = m->out->n_vertex - n;
    cap(m, 0, n, d, -half - r, -1);
    cap(m, top, n, d, half + r, 1);
}

/* ---- polyhedra and polygons ---------------------------------------------- */

static void faces(scree_mesher *m, const scree_hull *h) {
    for (int v = 0; v < h->n_vertex; v++) scree_mesh_vertex(m, h->vertex[v]);
    for (int f = 0; f < h->n_face; f++)
        scree_mesh_polygon(m, h->loop[f + 1] - h->loop[f],
                           h->corner + h->loop[f]);
}

static void outline(scree_mesher *m, const scree_hull *h, double r,
                    int chords) {
    const int n = h->n_vertex;
    for (int v = 0; v < n; v++)
        for (int k = 0; k <= (r > 0 ? chords : 0); k++) {
            const scree_vec3 u = scree_mesh_arc(h->normal[(v + n - 1) % n],
                                                h->normal[v], k, chords);
            scree_mesh_corner(
                m, scree_mesh_vertex(m, add_scaled(h->vertex[v], r, u)));
        }
    scree_mesh_close(m);
}

static void disc(scree_mesher *m, double r) {
    for (int i = 0; i < 32; i++) {
        const double phi = 2 * SCREE_PI * i / 32;
        scree_mesh_corner(
            m, scree_mesh_vertex(m, vec(r * cos(phi), r * sin(phi), 0)));
    }
    scree_mesh_close(m);
}

/* ---- any solid ----------------------------------------------------------- */

static void make(scree_mesher *m, const scree_solid *s, bool planar,
                 int level) {
    const int chords = 1 << level;
    switch (s->core) {
    case SCREE_CORE_POINT:
        if (planar)
            disc(m, s->radius);
        else
            sphere(m, s->radius, level);
        break;
    case SCREE_CORE_SEGMENT:
        revolve(m, 0, s->half, s->radius, 2 * chords);
        break;
    case SCREE_CORE_CYLINDER:
        revolve(m, s->disc, s->half, s->radius, 2 * chords);
        break;
    case SCREE_CORE_HULL:
        if (s->radius > 0)
            scree_mesh_rounded(m, s->hull, s->radius, chords);
        else
            faces(m, s->hull);
        break;
    case SCREE_CORE_POLYGON:
        outline(m, s->hull, s->radius, chords);
        break;
    }
}

scree_status scree_surface_make(scree_surface *surface,
                                const scree_solid *solid, bool planar,
                                int level, scree_error *error) {
    *surface = (scree_surface){0};
    if (level < 0 || level > SCREE_SURFACE_FINEST)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "a surface has a level from 0 to %d, not %d",
                          SCREE_SURFACE_FINEST, level);
    scree_mesher m = {.out = surface};
    make(&m, solid, planar, level);
    if (!m.no_memory) return SCREE_OK;
    scree_surface_free(surface);
    return scree_fail(error, SCREE_OUT_OF_MEMORY, "no memory for a surface");
}

void scree_surface_free(scree_surface *s) {
    free(s->vertex);
    free(s->loop);
    free(s->corner);
    *s = (scree_surface){0};
}
