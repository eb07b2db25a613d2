/* Hulls, segments and points against exhaustive search: distances of all their
 * features where they are apart, all axes where they overlap. */
#include "tests/solids.h"
#include "tests/support.h"

enum { SOLIDS = 8, POSES = 400 };

static made_solid solids[SOLIDS];

static int make_solids(void **state) {
    (void)state;
    scree_random rng = {11};
    make_box(&solids[0], vec(0.5, 0.4, 0.3), 0);
    make_box(&solids[1], vec(2, 0.1, 0.3), 0);
    make_tetrahedron(&solids[2], 0.5, 0);
    make_prism(&solids[3], 6, 0.6, 0.4, 0);
    make_icosahedron(&solids[4], 0.7, 0);
    make_random_hull(&solids[5], 14, 0.8, 0, &rng);
    make_segment(&solids[6], 0.8, 0.01);
    make_point(&solids[7], 0.01);
    return 0;
}

/* ---- features in the inertial frame -------------------------------------- */

typedef struct features {
    int n_vertex, n_edge, n_face;
    scree_vec3 vertex[MADE_VERTICES];
    scree_vec3 edge[MADE_CORNERS][2];
    scree_vec3 normal[MADE_FACES];
    const scree_hull *hull;
} features;

static void spread(const scree_placed *p, features *f) {
    const scree_hull *h = p->solid->hull;
    *f = (features){.hull = h};
    if (!h) {
        f->n_vertex = p->solid->core == SCREE_CORE_SEGMENT ? 2 : 1;
        f->n_edge = f->n_vertex - 1;
        for (int v = 0; v < f->n_vertex; ++v)
            f->vertex[v] = f->edge[0][v] = scree_segment_end(p, v);
        return;
    }
    f->n_vertex = h->n_vertex, f->n_edge = h->n_edge, f->n_face = h->n_face;
    for (int v = 0; v < h->n_vertex; ++v)
        f->vertex[v] = scree_placed_point(p, h->vertex[v]);
    for (int e = 0; e < 2 * h->n_edge; ++e)
        f->edge[e / 2][e % 2] = f->vertex[h->edge[e / 2].v[e % 2]];
    for (int k = 0; k < h->n_face; ++k)
        f->normal[k] = mat3_mul(&p->R, h->normal[k]);
}

/* ---- apart: the least distance of vertex and face, edge and edge --------- */

static double vertex_edge(scree_vec3 x, const scree_vec3 e[2]) {
    const scree_vec3 d = sub(e[1], e[0]);
    const double t = dot(sub(x, e[0]), d) / dot(d, d);
    return norm(sub(x, add_scaled(e[0], fmin(fmax(t, 0), 1), d)));
}

static double edge_edge(const scree_vec3 p[2], const scree_vec3 q[2]) {
    double least = fmin(fmin(vertex_edge(p[0], q), vertex_edge(p[1], q)),
                        fmin(vertex_edge(q[0], p), vertex_edge(q[1], p)));
    const scree_vec3 d = sub(p[1], p[0]), e = sub(q[1], q[0]);
    const scree_vec3 m = cross(d, e), o = sub(q[0], p[0]);
    const double m2 = dot(m, m);
    if (m2 < 1e-20) return least;
    const double s = dot(cross(o, e), m) / m2, t = dot(cross(o, d), m) / m2;
    if (s > 0 && s < 1 && t > 0 && t < 1)
        least = fmin(least, fabs(dot(o, m)) / sqrt(m2));
    return least;
}

/* Straight below x; beside the face its edges are nearer. */
static double vertex_face(scree_vec3 x, const features *f, int face) {
    const scree_hull *h = f->hull;
    const int first = h->loop[face], last = h->loop[face + 1];
    for (int c = first; c < last; ++c) {
        const scree_vec3 p = f->vertex[h->corner[c]];
        const scree_vec3 q = f->vertex[h->corner[c + 1 < last ? c + 1 : first]];
        if (dot(cross(sub(q, p), f->normal[face]), sub(x, p)) > 0)
            return INFINITY;
    }
    return fabs(dot(f->normal[face], sub(x, f->vertex[h->corner[first]])));
}

static double vertices_against(const features *a, const features *b) {
    double least = INFINITY;
    for (int v = 0; v < a->n_vertex; ++v) {
        for (int f = 0; f < b->n_face; ++f)
            least = fmin(least, vertex_face(a->vertex[v], b, f));
        for (int e = 0; e < b->n_edge; ++e)
            least = fmin(least, vertex_edge(a->vertex[v], b->edge[e]));
    }
    return least;
}

static double distance_of(const features *a, const features *b) {
    double least = fmin(vertices_against(a, b), vertices_against(b, a));
    for (int i = 0; i < a->n_edge; ++i)
        for (int j = 0; j < b->n_edge; ++j)
            least = fmin(least, edge_edge(a->edge[i], b->edge[j]));
    return least;
}

/* ---- overlapping: the best of all axes ----------------------------------- */

static double along(const features *a, const features *b, scree_vec3 n) {
    double low = INFINITY, top = -INFINITY;
    for (int v = 0; v < a->n_vertex; ++v) low = fmin(low, dot(n, a->vertex[v]));
    for (int v = 0; v < b->n_vertex; ++v) top = fmax(top, dot(n, b->vertex[v]));
    return low - top;
}

static double either_way(const features *a, const features *b, scree_vec3 n) {
    return fmax(along(a, b, n), along(a, b, scale(-1, n)));
}

static double best_axis(const features *a, const features *b) {
    double most = -INFINITY;
    for (int f = 0; f < a->n_face; ++f)
        most = fmax(most, either_way(a, b, a->normal[f]));
    for (int f = 0; f < b->n_face; ++f)
        most = fmax(most, either_way(a, b, b->normal[f]));
    for (int i = 0; i < a->n_edge; ++i)
        for (int j = 0; j < b->n_edge; ++j) {
            const scree_vec3 m = cross(sub(a->edge[i][1], a->edge[i][0]),
                                       sub(b->edge[j][1], b->edge[j][0]));
            if (dot(m, m) > 1e-16)
                most = fmax(most, either_way(a, b, scale(1 / norm(m), m)));
        }
    return most;
}

/* ---- the comparison ------------------------------------------------------ */

static void compare(const made_solid *m, const made_solid *n,
                    scree_random *rng) {
    static features fa, fb;
    scree_touch t[SCREE_TOUCHES];
    const double far = m->solid.bound + n->solid.bound;
    const scree_placed a = placed(
        m, scale(scree_random_range(rng, 0.05, 1) * far, random_direction(rng)),
        random_turn(rng));
    const scree_placed b = placed(n, vec(0, 0, 0), random_turn(rng));
    const int count = scree_solids_touch(&a, &b, 100, t);
    assert_true(count > 0);
    double g = INFINITY;
    for (int k = 0; k < count; ++k) g = fmin(g, t[k].g);
    spread(&a, &fa);
    spread(&b, &fb);
    double s = best_axis(&fa, &fb);
    if (s > 0) s = distance_of(&fa, &fb);
    const double r = m->solid.radius + n->solid.radius;
    const double tolerance = 2 * scree_face_bias(&a, &b, s) + 1e-9;
    assert_near(g, s - r, tolerance);
    /* Apart, one direction alone separates by the distance. */
    assert_near(along(&fa, &fb, t[0].n), s, tolerance);
}

static void
pairs__hulls_segments_points__as_by_exhaustive_search(void **state) {
    (void)state;
    scree_random rng = {2};
    for (int i = 0; i < SOLIDS; ++i)
        for (int j = 0; j < SOLIDS; ++j)
            if (solids[i].solid.hull || solids[j].solid.hull)
                for (int k = 0; k < POSES; ++k)
                    compare(&solids[i], &solids[j], &rng);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs__hulls_segments_points__as_by_exhaustive_search),
    };
    return cmocka_run_group_tests(tests, make_solids, NULL);
}
