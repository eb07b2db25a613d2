/* Convex polyhedra and polygons: planes, edges, rings; what is refused. */
#include "contact/solid/hull_wide.h"

#include <stdlib.h>
#include <string.h>

#include "contact/narrow/core.h"
#include "engine/base/random.h"
#include "tests/support.h"

/* ---- what every hull satisfies ------------------------------------------- */

static void check_planes(const scree_hull *h, double tolerance) {
    for (int f = 0; f < h->n_face; f++) {
        assert_near(norm(h->normal[f]), 1, 1e-14);
        for (int v = 0; v < h->n_vertex; v++)
            assert_true(dot(h->normal[f], h->vertex[v]) <=
                        h->offset[f] + tolerance);
        for (int32_t c = h->loop[f]; c < h->loop[f + 1]; c++)
            assert_near(dot(h->normal[f], h->vertex[h->corner[c]]),
                        h->offset[f], tolerance);
    }
}

static bool loop_has(const scree_hull *h, int32_t f, int32_t a, int32_t b) {
    const int32_t c = scree_hull_corner(h, f, a);
    return c >= 0 && h->corner[scree_hull_next(h, f, c)] == b;
}

static void check_edges(const scree_hull *h) {
    assert_int_equal(h->n_vertex - h->n_edge + h->n_face, 2);
    assert_int_equal(h->loop[h->n_face], 2 * h->n_edge);
    for (int e = 0; e < h->n_edge; e++) {
        const scree_edge *edge = &h->edge[e];
        assert_true(loop_has(h, edge->f[0], edge->v[0], edge->v[1]));
        assert_true(loop_has(h, edge->f[1], edge->v[1], edge->v[0]));
        for (int k = 0; k < 2; k++) {
            const int32_t c = scree_hull_corner(h, edge->f[k], edge->v[k]);
            assert_int_equal(h->side[c], e);
        }
    }
}

static bool are_neighbours(const scree_hull *h, int32_t a, int32_t b) {
    for (int32_t k = h->ring[a]; k < h->ring[a + 1]; k++)
        if (h->neighbour[k] == b) return true;
    return false;
}

/* Each neighbour once, counter-clockwise: next to each other they share a face,
 * whose normal is that of their triangle with v. */
static void check_rings(const scree_hull *h) {
    assert_int_equal(h->ring[h->n_vertex], 2 * h->n_edge);
    for (int e = 0; e < h->n_edge; e++) {
        assert_true(are_neighbours(h, h->edge[e].v[0], h->edge[e].v[1]));
        assert_true(are_neighbours(h, h->edge[e].v[1], h->edge[e].v[0]));
    }
    for (int32_t v = 0; v < h->n_vertex; v++)
        for (int32_t k = h->ring[v]; k < h->ring[v + 1]; k++) {
            const int32_t next = k + 1 < h->ring[v + 1] ? k + 1 : h->ring[v];
            const int32_t a = h->neighbour[k], b = h->neighbour[next];
            int shared = -1;
            for (int32_t f = 0; f < h->n_face; f++)
                if (loop_has(h, f, v, a) && loop_has(h, f, b, v)) shared = f;
            assert_true(shared >= 0);
        }
}

static void check_hull(const scree_hull *h, double tolerance) {
    check_planes(h, tolerance);
    check_edges(h);
    check_rings(h);
}

/* ---- known bodies -------------------------------------------------------- */

static void hull__box__has_six_faces(void **state) {
    (void)state;
    scree_hull h;
    assert_ok(scree_hull_box(&h, vec(1, 2, 3), NULL));
    assert_int_equal(h.n_vertex, 8);
    assert_int_equal(h.n_face, 6);
    assert_int_equal(h.n_edge, 12);
    assert_near(h.inside, 1, 0);
    check_hull(&h, 0);
    scree_hull_free(&h);
}

/* Corners, points on faces, on edges and inside, twice, and turned: 6 faces. */
static void hull__box_of_many_points__is_merged(void **state) {
    (void)state;
    const scree_quat q = quat_unit((scree_quat){0.3, -0.7, 0.2, 0.5});
    scree_vec3 points[250];
    int n = 0;
    for (int twice = 0; twice < 2; twice++)
        for (int i = 0; i < 125; i++)
            points[n++] = add(vec(100, -20, 5),
                              quat_rotate(q, vec(i % 5 - 2, i / 5 % 5 - 2,
                                                 0.5 * (i / 25 - 2))));
    scree_hull h;
    scree_error error = {0};
    assert_ok(scree_hull_from_points(&h, points, n, &error));
    assert_int_equal(h.n_vertex, 8);
    assert_int_equal(h.n_face, 6);
    check_hull(&h, 1e-12);
    scree_hull_free(&h);
}

/* Single precision, as in STL files: still 6 faces. */
static void hull__box_in_single_precision__is_merged(void **state) {
    (void)state;
    scree_random rng = {5};
    for (int trial = 0; trial < 100; trial++) {
        const scree_quat q = quat_unit(
            (scree_quat){scree_random_normal(&rng), scree_random_normal(&rng),
                         scree_random_normal(&rng), scree_random_normal(&rng)});
        scree_vec3 points[8];
        for (int i = 0; i < 8; i++) {
            const scree_vec3 x = quat_rotate(
                q, vec(i & 1 ? 0.3 : -0.3, i & 2 ? 0.5 : -0.5, i & 4 ? 1 : -1));
            points[i] = vec((float)x.x, (float)x.y, (float)x.z);
        }
        scree_hull h;
        assert_ok(scree_hull_from_points(&h, points, 8, NULL));
        assert_int_equal(h.n_face, 6);
        check_hull(&h, 1e-6);
        scree_hull_free(&h);
    }
}

static void hull__random_points__are_enclosed(void **state) {
    (void)state;
    scree_random rng = {17};
    for (int trial = 0; trial < 300; trial++) {
        const int n = 4 + (int)(scree_random_next(&rng) % 200);
        const double size = pow(10, scree_random_range(&rng, -6, 6));
        const double thin = pow(10, scree_random_range(&rng, -4.5, 0));
        scree_vec3 points[204];
        for (int i = 0; i < n; i++)
            points[i] = scale(size, vec(scree_random_normal(&rng),
                                        scree_random_normal(&rng) * thin,
                                        scree_random_unit(&rng)));
        scree_hull h;
        assert_ok(scree_hull_from_points(&h, points, n, NULL));
        check_hull(&h, 2e-5 * size);
        for (int f = 0; f < h.n_face; f++)
            for (int i = 0; i < n; i++)
                assert_true(dot(h.normal[f], points[i]) <=
                            h.offset[f] + 2e-5 * size);
        scree_hull_free(&h);
    }
}

/* A fine sphere: many faces that are nearly coplanar. */
static void hull__five_thousand_points_on_a_sphere__all_are_vertices(void **s) {
    (void)s;
    enum { N = 5000 };
    scree_random rng = {3};
    scree_vec3 *points = malloc(N * sizeof *points);
    for (int i = 0; i < N; i++) {
        const scree_vec3 x =
            vec(scree_random_normal(&rng), scree_random_normal(&rng),
                scree_random_normal(&rng));
        points[i] = scale(1 / norm(x), x);
    }
    scree_hull h;
    assert_ok(scree_hull_from_points(&h, points, N, NULL));
    assert_true(h.n_vertex > 0.99 * N);
    check_edges(&h);
    scree_hull_free(&h);
    free(points);
}

static void hull__same_points__same_bits(void **state) {
    (void)state;
    scree_random rng = {11};
    scree_vec3 points[60];
    for (int i = 0; i < 60; i++)
        points[i] = vec(scree_random_unit(&rng), scree_random_unit(&rng),
                        scree_random_unit(&rng));
    scree_hull a, b;
    assert_ok(scree_hull_from_points(&a, points, 60, NULL));
    assert_ok(scree_hull_from_points(&b, points, 60, NULL));
    assert_int_equal(a.n_edge, b.n_edge);
    const size_t bytes =
        (size_t)((char *)(a.neighbour + 2 * a.n_edge) - (char *)a.vertex);
    assert_memory_equal(a.vertex, b.vertex, bytes);
    scree_hull_free(&a);
    scree_hull_free(&b);
}

static void hull__moved__planes_follow(void **state) {
    (void)state;
    scree_hull h;
    assert_ok(scree_hull_box(&h, vec(1, 1, 1), NULL));
    scree_hull_moved(&h, 2, vec(1, 0, 0));
    check_hull(&h, 1e-15);
    assert_near(h.inside, 1, 1e-15);
    scree_hull_moved(&h, 1, vec(5, 0, 0));
    assert_near(h.inside, 0, 0);
    scree_hull_free(&h);
}

/* ---- polygons ------------------------------------------------------------ */

static void polygon__square_with_extra_points__has_four_edges(void **state) {
    (void)state;
    /* clockwise, one point twice, one on an edge, one inside */
    const scree_vec3 points[] = {{0, 0, 0}, {0, 2, 0}, {2, 2, 0}, {2, 2, 0},
                                 {2, 1, 0}, {2, 0, 0}, {1, 1, 0}};
    scree_hull h;
    assert_ok(scree_hull_polygon(&h, points, 7, NULL));
    assert_int_equal(h.n_vertex, 4);
    assert_int_equal(h.n_face, 4);
    assert_int_equal(h.n_edge, 4);
    scree_hull_moved(&h, 1, vec(-1, -1, 0));
    assert_near(h.inside, 1, 0);
    check_planes(&h, 1e-15);
    for (int i = 0; i < 4; i++) {
        const int next = (i + 1) % 4;
        assert_int_equal(h.edge[i].v[0], i);
        assert_int_equal(h.edge[i].v[1], next);
        assert_true(cross(h.vertex[i], h.vertex[next]).z > 0);
        assert_near(dot(h.normal[i], sub(h.vertex[next], h.vertex[i])), 0, 0);
        assert_true(are_neighbours(&h, i, next) && are_neighbours(&h, next, i));
    }
    scree_hull_free(&h);
}

/* ---- refusals ------------------------------------------------------------ */

static void refuse(const scree_vec3 *points, int n, bool plane,
                   const char *sentence) {
    scree_hull h;
    scree_error error = {0};
    const scree_status status =
        plane ? scree_hull_polygon(&h, points, n, &error)
              : scree_hull_from_points(&h, points, n, &error);
    assert_int_equal(status, SCREE_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, sentence));
    assert_null(h.vertex);
}

static void hull__bad_points__are_refused(void **state) {
    (void)state;
    const scree_vec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1}, o = {0, 0, 0};
    refuse((scree_vec3[]){x, y, z}, 3, false, "at least 4 points, not 3");
    refuse((scree_vec3[]){x, y, z, {0, NAN, 0}}, 4, false, "point 4");
    refuse((scree_vec3[]){x, y, {0, INFINITY, 0}, z}, 4, false, "point 3");
    refuse((scree_vec3[]){x, x, x, x}, 4, false, "are one point");
    refuse((scree_vec3[]){o, x, {2, 0, 0}, {3, 0, 0}}, 4, false, "on one line");
    refuse((scree_vec3[]){o, x, y, {1, 1, 1e-9}}, 4, false, "in one plane");
    refuse((scree_vec3[]){{-1e308, 0, 0}, {1e308, 0, 0}, y, z}, 4, false,
           "too far apart");
    refuse((scree_vec3[]){x, y}, 2, true, "at least 3 points, not 2");
    refuse((scree_vec3[]){o, x, {2, 1e-9, 0}}, 3, true, "on one line");
    refuse((scree_vec3[]){x, x, x}, 3, true, "on one line");
    refuse((scree_vec3[]){o, x, {NAN, 0, 0}}, 3, true, "point 3");
    refuse((scree_vec3[]){o, x, {0, 1, 1}}, 3, true, "z = 0");
    scree_hull h;
    assert_int_equal(scree_hull_box(&h, vec(1, 0, 1), NULL),
                     SCREE_BAD_ARGUMENT);
    assert_int_equal(scree_hull_box(&h, vec(1, NAN, 1), NULL),
                     SCREE_BAD_ARGUMENT);
}

/* ---- all at once --------------------------------------------------------- */

SCREE_WIDE
static int heights(const scree_hull *h, scree_vec3 x, double *height) {
    return wide_heights(h, h->n_face, x, height);
}

SCREE_WIDE
static uint64_t faces_above(const double *height, int n, double least) {
    return wide_above(height, n, least);
}

/* What is found four at a time has the bits of one at a time; of equals (a box
 * along its axes) the first is taken. */
static void check_wide(const scree_hull *h, scree_vec3 d) {
    double *height = calloc((size_t)h->n_face + 3, sizeof *height), most;
    assert_non_null(height);
    int vertex = 0, face = 0, highest = 0;
    for (int v = 1; v < h->n_vertex; v++)
        if (dot(h->vertex[v], d) > dot(h->vertex[vertex], d)) vertex = v;
    const int found = heights(h, d, height);
    for (int f = 0; f < h->n_face; f++) {
        const double along = dot(h->normal[f], d), over = along - h->offset[f];
        assert_memory_equal(&height[f], &over, sizeof over);
        if (over > height[highest]) highest = f;
        if (along > dot(h->normal[face], d)) face = f;
    }
    assert_int_equal(scree_hull_farthest(h, d), vertex);
    assert_int_equal(scree_hull_facing(h, d, &most), face);
    assert_true(most == dot(h->normal[face], d));
    assert_int_equal(found, highest);
    const int known = h->n_face < SCREE_ABOVE ? h->n_face : SCREE_ABOVE;
    const double least = height[known / 2]; /* met by one exactly */
    const uint64_t above = faces_above(height, known, least);
    for (int f = 0; f < SCREE_ABOVE; f++)
        assert_int_equal(above >> f & 1, f < known && height[f] >= least);
    free(height);
}

static void hull__four_at_a_time__same_as_one(void **state) {
    (void)state;
    scree_random rng = {23};
    for (int n = 4; n < 40; n++) {
        scree_vec3 p[40];
        for (int i = 0; i < n; i++)
            p[i] = vec(scree_random_normal(&rng), scree_random_normal(&rng),
                       scree_random_normal(&rng));
        scree_hull h, box;
        assert_ok(scree_hull_from_points(&h, p, n, NULL));
        assert_ok(scree_hull_box(&box, vec(1, 2, 3), NULL));
        scree_hull_moved(&h, 1.5, p[0]);
        for (int k = 0; k < 20; k++) check_wide(&h, p[k % n]);
        for (int k = -1; k < 2; k++) check_wide(&box, vec(k, 0, 1));
        scree_hull_free(&h);
        scree_hull_free(&box);
    }
}

/* Too many to look at each: uphill from vertex to vertex. */
static void hull__many_vertices__support_is_the_farthest(void **state) {
    (void)state;
    enum { N = 300 };
    scree_random rng = {29};
    scree_vec3 p[N];
    for (int i = 0; i < N; i++) {
        const scree_vec3 x =
            vec(scree_random_normal(&rng), scree_random_normal(&rng),
                scree_random_normal(&rng));
        p[i] = scale(1 / norm(x), x);
    }
    scree_hull h;
    assert_ok(scree_hull_from_points(&h, p, N, NULL));
    assert_true(h.n_vertex > SCREE_LOOK_MOST);
    for (int k = 0; k < N; k++) {
        const scree_vec3 d = add(p[k], scale(0.5, p[(k + 7) % N]));
        double most = -INFINITY;
        for (int v = 0; v < h.n_vertex; v++)
            most = fmax(most, dot(h.vertex[v], d));
        assert_true(dot(h.vertex[scree_hull_support(&h, d)], d) == most);
    }
    scree_hull_free(&h);
}

/* A body that has been lost to NaN is reported later; until then what is found must
 * be some vertex or face. */
static void hull__direction_is_nan__finds_one_of_its_own(void **state) {
    (void)state;
    scree_hull h;
    double height[8], most;
    assert_ok(scree_hull_box(&h, vec(1, 2, 3), NULL));
    const scree_vec3 d = vec(NAN, NAN, NAN);
    assert_in_range(scree_hull_farthest(&h, d), 0, h.n_vertex - 1);
    assert_in_range(scree_hull_facing(&h, d, &most), 0, h.n_face - 1);
    assert_in_range(heights(&h, d, height), 0, h.n_face - 1);
    scree_hull_free(&h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hull__box__has_six_faces),
        cmocka_unit_test(hull__box_of_many_points__is_merged),
        cmocka_unit_test(hull__box_in_single_precision__is_merged),
        cmocka_unit_test(hull__random_points__are_enclosed),
        cmocka_unit_test(
            hull__five_thousand_points_on_a_sphere__all_are_vertices),
        cmocka_unit_test(hull__same_points__same_bits),
        cmocka_unit_test(hull__moved__planes_follow),
        cmocka_unit_test(polygon__square_with_extra_points__has_four_edges),
        cmocka_unit_test(hull__bad_points__are_refused),
        cmocka_unit_test(hull__four_at_a_time__same_as_one),
        cmocka_unit_test(hull__many_vertices__support_is_the_farthest),
        cmocka_unit_test(hull__direction_is_nan__finds_one_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
