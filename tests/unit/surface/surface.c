#include "tests/unit/surface/surface.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support.h"

/* ---- solids ------------------------------------------------------------- */

static void attach(form *f) {
    f->hull.vertex = f->vertex;
    f->hull.loop = f->loop;
    f->hull.corner = f->corner;
    f->hull.normal = f->normal;
    f->hull.offset = f->offset;
    f->hull.edge = f->edge;
    f->hull.ring = f->ring;
    f->hull.neighbour = f->neighbour;
}

static void add_side(form *f, int face, int32_t a, int32_t b) {
    for (int i = 0; i < f->hull.n_edge; ++i)
        if (f->edge[i].v[0] == b && f->edge[i].v[1] == a) {
            f->edge[i].f[1] = face;
            return;
        }
    f->edge[f->hull.n_edge++] = (scree_edge){{a, b}, {face, -1}};
}

/* Edges and rings follow from the loops, normals from the vertices. */
static void finish(form *f) {
    scree_hull *h = &f->hull;
    attach(f);
    h->inside = INFINITY;
    for (int i = 0; i < h->n_face; ++i) {
        const int32_t *c = f->corner + f->loop[i];
        const int n = f->loop[i + 1] - f->loop[i];
        const scree_vec3 p[3] = {f->vertex[c[0]], f->vertex[c[1]],
                                 f->vertex[c[2]]};
        f->normal[i] = scree_triangle_normal(p);
        f->offset[i] = dot(f->normal[i], p[0]);
        h->inside = fmin(h->inside, fmax(0, f->offset[i]));
        for (int k = 0; k < n; ++k) add_side(f, i, c[k], c[(k + 1) % n]);
    }
    int n = 0;
    for (int v = 0; v < h->n_vertex; ++v) {
        f->ring[v] = n;
        for (int i = 0; i < h->n_edge; ++i)
            for (int k = 0; k < 2; ++k)
                if (f->edge[i].v[k] == v)
                    f->neighbour[n++] = f->edge[i].v[1 - k];
    }
    f->ring[h->n_vertex] = n;
}

void form_box(form *f, scree_vec3 half) {
    static const int32_t faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5},
                                        {0, 1, 5, 4}, {2, 6, 7, 3},
                                        {0, 2, 3, 1}, {4, 5, 7, 6}};
    memset(f, 0, sizeof *f);
    f->hull.n_vertex = 8;
    f->hull.n_face = 6;
    for (int i = 0; i < 8; ++i)
        f->vertex[i] = vec(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y,
                           i & 4 ? half.z : -half.z);
    for (int i = 0; i <= 6; ++i) f->loop[i] = 4 * i;
    memcpy(f->corner, faces, sizeof faces);
    finish(f);
}

static bool supports(const form *f, int a, int b, int c) {
    const scree_vec3 p[3] = {f->vertex[a], f->vertex[b], f->vertex[c]};
    const scree_vec3 n = scree_triangle_normal(p);
    for (int i = 0; i < f->hull.n_vertex; ++i)
        if (i != a && i != b && i != c && dot(n, sub(f->vertex[i], p[0])) > 0)
            return false;
    return true;
}

static void add_triangle(form *f, int a, int b, int c) {
    int32_t *to = f->corner + 3 * f->hull.n_face;
    to[0] = a, to[1] = b, to[2] = c;
    f->loop[++f->hull.n_face] = (int32_t)(to + 3 - f->corner);
}

static scree_vec3 random_direction(scree_random *rng) {
    const scree_vec3 d = vec(scree_random_normal(rng), scree_random_normal(rng),
                             scree_random_normal(rng));
    return scale(1 / norm(d), d);
}

void form_random(form *f, int n, double size, scree_random *rng) {
    do {
        memset(f, 0, sizeof *f);
        f->hull.n_vertex = n;
        for (int i = 0; i < n; ++i)
            f->vertex[i] = scale(size, random_direction(rng));
        for (int a = 0; a < n; ++a)
            for (int b = a + 1; b < n; ++b)
                for (int c = a + 1; c < n; ++c)
                    if (b != c && supports(f, a, b, c))
                        add_triangle(f, a, b, c);
        finish(f);
    } while (f->hull.inside < 0.2 * size);
}

scree_solid ball_solid(double r) {
    return (scree_solid){.core = SCREE_CORE_POINT, .radius = r, .bound = r};
}
scree_solid capsule_solid(double half, double r) {
    return (scree_solid){.core = SCREE_CORE_SEGMENT,
                         .half = half,
                         .radius = r,
                         .bound = half + r};
}
scree_solid cylinder_solid(double disc, double half, double r) {
    return (scree_solid){.core = SCREE_CORE_CYLINDER,
                         .half = half,
                         .disc = disc,
                         .radius = r,
                         .bound = hypot(half, disc) + r};
}
scree_solid hull_solid(const form *f, double r) {
    double size = 0;
    for (int i = 0; i < f->hull.n_vertex; ++i)
        size = fmax(size, norm(f->vertex[i]));
    return (scree_solid){.core = SCREE_CORE_HULL,
                         .radius = r,
                         .hull = &f->hull,
                         .bound = size + r};
}

/* ---- rotations ---------------------------------------------------------- */

scree_mat3 no_rotation(void) {
    return (scree_mat3){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
}

static scree_mat3 matrix(scree_quat q) {
    return (scree_mat3){quat_rotate(q, vec(1, 0, 0)),
                        quat_rotate(q, vec(0, 1, 0)),
                        quat_rotate(q, vec(0, 0, 1))};
}

scree_mat3 rotation(scree_vec3 axis_angle) {
    return matrix(quat_unit(quat_from_vector(axis_angle)));
}

scree_mat3 random_rotation(scree_random *rng) {
    return matrix(quat_unit(
        (scree_quat){scree_random_normal(rng), scree_random_normal(rng),
                     scree_random_normal(rng), scree_random_normal(rng)}));
}

scree_vec3 turn(const scree_mat3 *R, scree_vec3 a) {
    return add(add(scale(a.x, R->x), scale(a.y, R->y)), scale(a.z, R->z));
}

scree_mat3 times(const scree_mat3 *A, const scree_mat3 *B) {
    return (scree_mat3){turn(A, B->x), turn(A, B->y), turn(A, B->z)};
}

/* ---- surfaces ----------------------------------------------------------- */

static scree_triangles new_triangles(int vertices, int triangles) {
    return (scree_triangles){
        vertices, malloc((size_t)vertices * sizeof(scree_vec3)), triangles,
        malloc((size_t)triangles * sizeof(int32_t[3])), NULL};
}

void free_triangles(scree_triangles *t) {
    free(t->vertex);
    free(t->corner);
}

scree_triangles triangles_of(const scree_heightfield *h) {
    scree_triangles t =
        new_triangles(h->nx * h->ny, 2 * (h->nx - 1) * (h->ny - 1));
    int n = 0;
    for (int j = 0; j < h->ny - 1; ++j)
        for (int i = 0; i < h->nx - 1; ++i)
            for (int half = 0; half < 2; ++half, ++n) {
                const scree_facet f = scree_heightfield_facet(h, i, j, half);
                for (int k = 0; k < 3; ++k) {
                    t.corner[n][k] = (int32_t)f.vertex[k];
                    t.vertex[f.vertex[k]] = f.p[k];
                }
            }
    return t;
}

static scree_heightfield make_field(int n, double x0, double cell, double *z) {
    scree_heightfield field;
    const scree_heights heights = {n, n, x0, x0, cell, z};
    assert_ok(scree_heightfield_make(&field, &heights, NULL));
    free(z);
    return field;
}

scree_heightfield field_of(int n, double x0, double cell, height_function *f) {
    double *z = malloc((size_t)(n * n) * sizeof *z);
    for (int k = 0; k < n * n; ++k)
        z[k] = f(x0 + k % n * cell, x0 + k / n * cell);
    return make_field(n, x0, cell, z);
}

scree_heightfield random_field(int n, double x0, double cell, double rough,
                               scree_random *rng) {
    double *z = malloc((size_t)(n * n) * sizeof *z);
    for (int k = 0; k < n * n; ++k) z[k] = rough * scree_random_unit(rng);
    return make_field(n, x0, cell, z);
}

scree_mesh mesh_of_field(const scree_heightfield *field) {
    scree_mesh mesh;
    scree_triangles t = triangles_of(field);
    assert_ok(scree_mesh_make(&mesh, &t, false, NULL));
    free_triangles(&t);
    return mesh;
}

scree_mesh random_flat_mesh(int n, scree_random *rng) {
    scree_triangles t = new_triangles((n + 1) * (n + 1), 2 * n * n);
    for (int j = 0; j <= n; ++j)
        for (int i = 0; i <= n; ++i) {
            const double move = i && j && i < n && j < n ? 0.24 : 0;
            t.vertex[j * (n + 1) + i] =
                vec(-1 + 2 * (i + scree_random_range(rng, -move, move)) / n,
                    -1 + 2 * (j + scree_random_range(rng, -move, move)) / n, 0);
        }
    for (int k = 0; k < n * n; ++k) {
        const int a = k / n * (n + 1) + k % n, b = a + 1, d = a + n + 1,
                  c = d + 1;
        const int cut = scree_random_next(rng) & 1;
        const int32_t corner[2][2][3] = {{{a, b, c}, {a, c, d}},
                                         {{b, c, d}, {b, d, a}}};
        memcpy(t.corner[2 * k], corner[cut], sizeof corner[cut]);
    }
    scree_mesh mesh;
    assert_ok(scree_mesh_make(&mesh, &t, false, NULL));
    free_triangles(&t);
    return mesh;
}

/* ---- distances, by the definition --------------------------------------- */

static double clamp(double t) {
    return t < 0 ? 0 : t > 1 ? 1 : t;
}

static double point_segment(scree_vec3 x, scree_vec3 p, scree_vec3 q) {
    const scree_vec3 e = sub(q, p);
    const double t = clamp(dot(sub(x, p), e) / dot(e, e));
    return norm(sub(x, add_scaled(p, t, e)));
}

static double point_triangle(scree_vec3 x, const scree_vec3 p[3]) {
    const scree_vec3 n = scree_triangle_normal(p);
    bool inside = true;
    double least = INFINITY;
    for (int k = 0; k < 3; ++k) {
        const scree_vec3 q = p[scree_next(k)];
        if (dot(cross(sub(q, p[k]), n), sub(x, p[k])) > 0) inside = false;
        least = fmin(least, point_segment(x, p[k], q));
    }
    return inside ? fabs(dot(n, sub(x, p[0]))) : least;
}

static double segment_segment(scree_vec3 p, scree_vec3 q, scree_vec3 v,
                              scree_vec3 w) {
    const scree_vec3 e = sub(q, p), h = sub(w, v), r = sub(p, v);
    const double least =
        fmin(fmin(point_segment(p, v, w), point_segment(q, v, w)),
             fmin(point_segment(v, p, q), point_segment(w, p, q)));
    const double a = dot(e, e), b = dot(e, h), c = dot(h, h);
    const double d = a * c - b * b;
    if (d <= 1e-14 * a * c) return least;
    const double t = (b * dot(h, r) - c * dot(e, r)) / d;
    const double u = (a * dot(h, r) - b * dot(e, r)) / d;
    if (t < 0 || t > 1 || u < 0 || u > 1) return least;
    return fmin(least, norm(sub(add_scaled(p, t, e), add_scaled(v, u, h))));
}

static double hull_triangle(const scree_hull *h, const scree_vec3 *v,
                            const scree_vec3 p[3]) {
    double least = INFINITY;
    for (int i = 0; i < h->n_vertex; ++i)
        least = fmin(least, point_triangle(v[i], p));
    for (int i = 0; i < h->n_edge; ++i)
        for (int k = 0; k < 3; ++k)
            least = fmin(least, segment_segment(p[k], p[scree_next(k)],
                                                v[h->edge[i].v[0]],
                                                v[h->edge[i].v[1]]));
    for (int i = 0; i < h->n_face; ++i)
        for (int c = h->loop[i] + 1; c + 1 < h->loop[i + 1]; ++c) {
            const scree_vec3 q[3] = {v[h->corner[h->loop[i]]], v[h->corner[c]],
                                     v[h->corner[c + 1]]};
            for (int k = 0; k < 3; ++k)
                least = fmin(least, point_triangle(p[k], q));
        }
    return least;
}

double core_distance(const scree_mesh *mesh, const scree_placed *a) {
    scree_edge axis = {{0, 1}, {-1, -1}};
    scree_hull h = {.edge = &axis};
    scree_vec3 v[FORM_VERTICES] = {a->x};
    h.n_vertex = 1;
    if (a->solid->core == SCREE_CORE_SEGMENT) {
        h.n_vertex = 2;
        h.n_edge = 1;
        v[0] = add_scaled(a->x, -a->solid->half, a->R.z);
        v[1] = add_scaled(a->x, a->solid->half, a->R.z);
    } else if (a->solid->core == SCREE_CORE_HULL) {
        h = *a->solid->hull;
        for (int i = 0; i < h.n_vertex; ++i)
            v[i] = add(a->x, turn(&a->R, h.vertex[i]));
    }
    double least = INFINITY;
    for (int32_t i = 0; i < mesh->n_triangle; ++i) {
        const int32_t *c = mesh->corner[i];
        const scree_vec3 p[3] = {mesh->vertex[c[0]], mesh->vertex[c[1]],
                                 mesh->vertex[c[2]]};
        least = fmin(least, hull_triangle(&h, v, p));
    }
    return least;
}
