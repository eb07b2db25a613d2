/* mesh_make.c: from loose triangles to a surface: who meets whom, and how. */
#include <stdlib.h>
#include <string.h>

#include "contact/surface/mesh.h"
#include "engine/base/sort.h"

/* Keys and as much scratch, for whatever must be sorted. */
typedef struct sorter {
    scree_key *key, *scratch;
} sorter;

/* ---- memory ------------------------------------------------------------- */

static scree_status allocate_mesh(scree_mesh *m, size_t vertices,
                                  size_t triangles) {
    m->vertex = malloc(vertices * sizeof *m->vertex);
    m->peak = calloc(vertices, sizeof *m->peak);
    m->ring = calloc(vertices + 1, sizeof *m->ring);
    m->corner = malloc(triangles * sizeof *m->corner);
    m->normal = malloc(triangles * sizeof *m->normal);
    m->edge = malloc(triangles * sizeof *m->edge);
    m->across = malloc(triangles * sizeof *m->across);
    m->fold = malloc(triangles * sizeof *m->fold);
    m->patch = malloc(triangles * sizeof *m->patch);
    m->neighbour = malloc(6 * triangles * sizeof *m->neighbour);
    return m->vertex && m->peak && m->ring && m->corner && m->normal &&
                   m->edge && m->across && m->fold && m->patch && m->neighbour
               ? SCREE_OK
               : SCREE_OUT_OF_MEMORY;
}

void scree_mesh_free(scree_mesh *m) {
    free(m->vertex);
    free(m->peak);
    free(m->ring);
    free(m->corner);
    free(m->normal);
    free(m->edge);
    free(m->across);
    free(m->fold);
    free(m->patch);
    free(m->neighbour);
    scree_bvh_free(&m->bvh);
    *m = (scree_mesh){0};
}

/* ---- vertices ----------------------------------------------------------- */

static uint64_t hash_place(scree_vec3 x) {
    const double c[3] = {x.x + 0.0, x.y + 0.0, x.z + 0.0}; /* -0 becomes 0 */
    uint64_t bits[3], h = 0;
    memcpy(bits, c, sizeof bits);
    for (int k = 0; k < 3; ++k) {
        h = (h ^ bits[k]) * 0x9E3779B97F4A7C15u;
        h ^= h >> 29;
    }
    return h;
}

static bool same_place(scree_vec3 a, scree_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* name[i]: the first vertex at the place of vertex i. */
static void weld_vertices(const scree_triangles *t, sorter *s, int32_t *name) {
    for (int32_t i = 0; i < t->n_vertex; ++i)
        s->key[i] = (scree_key){hash_place(t->vertex[i]), i};
    scree_sort_keys(s->key, s->scratch, t->n_vertex, 1);
    for (int32_t i = 0; i < t->n_vertex; ++i) {
        const int32_t v = s->key[i].item;
        name[v] = v;
        for (int32_t j = i; j-- && s->key[j].key == s->key[i].key;)
            if (same_place(t->vertex[s->key[j].item], t->vertex[v]))
                name[v] = name[s->key[j].item];
    }
}

/* What a file is refused for is refused here as well: contact at an edge that
 * branches would depend on where the surface is cut. */
static scree_status check_surface(const scree_mesh *m, scree_error *error) {
    const scree_triangles t = {m->n_vertex, m->vertex, m->n_triangle, m->corner,
                               NULL};
    scree_error why = {0};
    const scree_status status = scree_triangles_check(&t, false, "mesh", &why);
    if (status == SCREE_OK) return SCREE_OK;
    return scree_fail(error,
                      status == SCREE_BAD_INPUT ? SCREE_BAD_ARGUMENT : status,
                      "%s", why.text);
}

static scree_status take_triangles(scree_mesh *m, const scree_triangles *t,
                                   const int32_t *name, scree_error *error) {
    memcpy(m->vertex, t->vertex, (size_t)t->n_vertex * sizeof *m->vertex);
    m->n_vertex = t->n_vertex;
    m->n_triangle = t->n_triangle;
    for (int32_t i = 0; i < 3 * t->n_triangle; ++i)
        m->corner[i / 3][i % 3] = name[t->corner[i / 3][i % 3]];
    TRY(check_surface(m, error));
    for (int32_t i = 0; i < m->n_triangle; ++i) {
        const int32_t *c = m->corner[i];
        const scree_vec3 p[3] = {m->vertex[c[0]], m->vertex[c[1]],
                                 m->vertex[c[2]]};
        m->normal[i] = scree_triangle_normal(p);
    }
    return SCREE_OK;
}

/* ---- edges -------------------------------------------------------------- */

/* Side s = 3 triangle + k runs from `tail` to the next corner. */
static int32_t tail_of(const scree_mesh *m, int32_t s) {
    return m->corner[s / 3][s % 3];
}
static int32_t head_of(const scree_mesh *m, int32_t s) {
    return m->corner[s / 3][scree_next(s % 3)];
}

static void mark_border(scree_mesh *m, int32_t s) {
    m->edge[s / 3][s % 3] = m->n_edge++;
    m->across[s / 3][s % 3] = -1;
    m->fold[s / 3][s % 3] = SCREE_BORDER;
}

static void join_sides(scree_mesh *m, int32_t s, int32_t r) {
    const int32_t a = s / 3, b = r / 3;
    const scree_vec3 e =
        sub(m->vertex[head_of(m, s)], m->vertex[tail_of(m, s)]);
    const scree_fold fold = scree_fold_between(e, m->normal[a], m->normal[b]);
    m->edge[a][s % 3] = m->edge[b][r % 3] = m->n_edge++;
    m->across[a][s % 3] = b;
    m->across[b][r % 3] = a;
    m->fold[a][s % 3] = m->fold[b][r % 3] = (uint8_t)fold;
}

/* Two sides over the same two vertices run against each other, and meet; one that
 * is alone is a border. */
static void find_edges(scree_mesh *m, sorter *s) {
    const int32_t n = 3 * m->n_triangle;
    for (int32_t i = 0; i < n; ++i) {
        const uint64_t a = (uint32_t)tail_of(m, i), b = (uint32_t)head_of(m, i);
        s->key[i] = (scree_key){a < b ? a << 32 | b : b << 32 | a, i};
    }
    scree_sort_keys(s->key, s->scratch, n, 1);
    for (int32_t i = 0, j; i < n; i = j) {
        for (j = i + 1; j < n && s->key[j].key == s->key[i].key;) ++j;
        if (j == i + 2)
            join_sides(m, s->key[i].item, s->key[i + 1].item);
        else
            mark_border(m, s->key[i].item);
    }
}

/* Every side makes its ends neighbours, in both directions; a vertex may name a
 * neighbour twice. */
static void find_rings(scree_mesh *m) {
    const int32_t n = 3 * m->n_triangle;
    for (int32_t s = 0; s < n; ++s)
        ++m->ring[tail_of(m, s)], ++m->ring[head_of(m, s)];
    for (int32_t v = 0, sum = 0; v <= m->n_vertex; ++v) {
        sum += v < m->n_vertex ? m->ring[v] : 0;
        m->ring[v] = sum;
    }
    for (int32_t s = 0; s < n; ++s) {
        m->neighbour[--m->ring[tail_of(m, s)]] = head_of(m, s);
        m->neighbour[--m->ring[head_of(m, s)]] = tail_of(m, s);
    }
}

static void find_peaks(scree_mesh *m) {
    for (int32_t s = 0; s < 3 * m->n_triangle; ++s) {
        const scree_fold fold = (scree_fold)m->fold[s / 3][s % 3];
        const uint8_t front = scree_fold_sticks_out(fold);
        const uint8_t back = fold == SCREE_VALLEY || fold == SCREE_BORDER;
        m->peak[tail_of(m, s)] |= (uint8_t)(front | back << 1);
        m->peak[head_of(m, s)] |= (uint8_t)(front | back << 1);
    }
}

/* ---- flat parts --------------------------------------------------------- */

static int32_t root_of(int32_t *patch, int32_t i) {
    while (patch[i] != i) i = patch[i] = patch[patch[i]];
    return i;
}

static void find_patches(scree_mesh *m) {
    for (int32_t i = 0; i < m->n_triangle; ++i) m->patch[i] = i;
    for (int32_t s = 0; s < 3 * m->n_triangle; ++s) {
        if (m->fold[s / 3][s % 3] != SCREE_FLAT) continue;
        const int32_t a = root_of(m->patch, s / 3);
        const int32_t b = root_of(m->patch, m->across[s / 3][s % 3]);
        m->patch[a > b ? a : b] = a > b ? b : a;
    }
    for (int32_t i = 0; i < m->n_triangle; ++i)
        m->patch[i] = root_of(m->patch, i);
}

static scree_status build_tree(scree_mesh *m) {
    scree_box *boxes = malloc((size_t)m->n_triangle * sizeof *boxes);
    if (!boxes) return SCREE_OUT_OF_MEMORY;
    for (int32_t i = 0; i < m->n_triangle; ++i) {
        const int32_t *c = m->corner[i];
        const scree_vec3 p[3] = {m->vertex[c[0]], m->vertex[c[1]],
                                 m->vertex[c[2]]};
        boxes[i] = scree_box_of_points(p, 3);
    }
    const scree_status status = scree_bvh_build(&m->bvh, boxes, m->n_triangle);
    free(boxes);
    if (status == SCREE_OK) m->box = m->bvh.node[0].box;
    return status;
}

/* ---- all of it ---------------------------------------------------------- */

static scree_status check_triangles(const scree_triangles *t,
                                    scree_error *error) {
    for (int32_t i = 0; i < t->n_vertex; ++i)
        if (!isfinite(norm(t->vertex[i])))
            return scree_fail(error, SCREE_BAD_ARGUMENT,
                              "vertex %d of the mesh is not finite", (int)i);
    for (int32_t i = 0; i < t->n_triangle; ++i)
        for (int k = 0; k < 3; ++k)
            if (t->corner[i][k] < 0 || t->corner[i][k] >= t->n_vertex)
                return scree_fail(error, SCREE_BAD_ARGUMENT,
                                  "triangle %d of the mesh has no vertex %d",
                                  (int)i, (int)t->corner[i][k]);
    return SCREE_OK;
}

static scree_status fill_mesh(scree_mesh *m, const scree_triangles *t,
                              sorter *s, int32_t *name, scree_error *error) {
    TRY(allocate_mesh(m, (size_t)t->n_vertex + 1, (size_t)t->n_triangle + 1));
    weld_vertices(t, s, name);
    TRY(take_triangles(m, t, name, error));
    find_edges(m, s);
    find_rings(m);
    find_peaks(m);
    find_patches(m);
    return build_tree(m);
}

scree_status scree_mesh_make(scree_mesh *mesh, const scree_triangles *t,
                             bool two_sided, scree_error *error) {
    *mesh = (scree_mesh){.two_sided = two_sided};
    TRY(check_triangles(t, error));
    const size_t sides = 3 * (size_t)t->n_triangle, v = (size_t)t->n_vertex;
    const size_t keys = sides > v ? sides : v;
    sorter s = {malloc((keys + 1) * sizeof *s.key),
                malloc((keys + 1) * sizeof *s.scratch)};
    int32_t *name = malloc((v + 1) * sizeof *name);
    scree_status status = SCREE_OUT_OF_MEMORY;
    if (s.key && s.scratch && name)
        status = fill_mesh(mesh, t, &s, name, error);
    if (status != SCREE_OK) scree_mesh_free(mesh);
    free(s.key);
    free(s.scratch);
    free(name);
    return status;
}
