/* Surfaces to be looked at: watertight, outward, on the solid. */
#include "contact/solid/surface.h"

#include <stdlib.h>

#include "contact/solid/mass.h"
#include "contact/solid/rock.h"
#include "tests/support.h"

/* ---- what every surface satisfies ---------------------------------------- */

typedef struct side {
    int32_t from, to;
} side;

static int by_ends(const void *p, const void *q) {
    const side *a = p, *b = q;
    if (a->from != b->from) return a->from < b->from ? -1 : 1;
    return (a->to > b->to) - (a->to < b->to);
}

/* Each directed edge once, and its opposite too; and V - E + F = 2. */
static void check_watertight(const scree_surface *s) {
    const int n = s->loop[s->n_polygon];
    side *sides = malloc((size_t)n * sizeof *sides);
    int k = 0;
    for (int p = 0; p < s->n_polygon; p++)
        for (int32_t c = s->loop[p]; c < s->loop[p + 1]; c++) {
            const int32_t next = c + 1 < s->loop[p + 1] ? c + 1 : s->loop[p];
            sides[k++] = (side){s->corner[c], s->corner[next]};
            assert_in_range(s->corner[c], 0, s->n_vertex - 1);
        }
    qsort(sides, (size_t)n, sizeof *sides, by_ends);
    for (int i = 0; i < n; i++) {
        const side back = {sides[i].to, sides[i].from};
        if (i > 0) assert_true(by_ends(&sides[i - 1], &sides[i]) < 0);
        assert_non_null(bsearch(&back, sides, (size_t)n, sizeof back, by_ends));
    }
    assert_int_equal(s->n_vertex - n / 2 + s->n_polygon, 2);
    free(sides);
}

static scree_triangles fans(const scree_surface *s) {
    scree_triangles t = {
        .n_vertex = s->n_vertex,
        .vertex = s->vertex,
        .corner = malloc((size_t)s->loop[s->n_polygon] * sizeof *t.corner)};
    for (int p = 0; p < s->n_polygon; p++)
        for (int32_t c = s->loop[p] + 1; c + 1 < s->loop[p + 1]; c++) {
            int32_t *k = t.corner[t.n_triangle++];
            k[0] = s->corner[s->loop[p]];
            k[1] = s->corner[c];
            k[2] = s->corner[c + 1];
        }
    return t;
}

/* The solids of this test are convex and have the origin inside. */
static void check_outward(const scree_triangles *t) {
    for (int f = 0; f < t->n_triangle; f++) {
        const scree_vec3 a = t->vertex[t->corner[f][0]];
        const scree_vec3 b = t->vertex[t->corner[f][1]];
        const scree_vec3 c = t->vertex[t->corner[f][2]];
        assert_true(dot(a, cross(b, c)) > 0);
    }
}

static void check_surface(const scree_surface *s, const scree_solid *solid,
                          double percent) {
    check_watertight(s);
    scree_triangles t = fans(s);
    check_outward(&t);
    const double v = scree_mass_solid(solid).volume;
    const double made = scree_mass_triangles(&t).volume;
    assert_true(made <= v * (1 + 1e-12));
    assert_true(made >= v * (1 - percent / 100));
    free(t.corner);
}

static scree_surface make(const scree_solid *solid, bool planar, int level) {
    scree_surface s;
    assert_ok(scree_surface_make(&s, solid, planar, level, NULL));
    return s;
}

/* ---- round solids -------------------------------------------------------- */

/* An icosahedron has 60.5 % of the ball's volume; each level leaves a fourth of
 * what was missing. */
static void surface__sphere__converges(void **state) {
    (void)state;
    const scree_solid ball = {.core = SCREE_CORE_POINT, .radius = 2};
    double percent = 40;
    for (int level = 0; level <= 4; level++, percent *= 0.4) {
        scree_surface s = make(&ball, false, level);
        assert_int_equal(s.n_polygon, 20 << 2 * level);
        check_surface(&s, &ball, percent);
        for (int i = 0; i < s.n_vertex; i++)
            assert_near(norm(s.vertex[i]), 2, 1e-14);
        scree_surface_free(&s);
    }
}

/* Distance of a point to the core of a capsule or cylinder. */
static double to_core(const scree_solid *s, scree_vec3 x) {
    return hypot(fmax(hypot(x.x, x.y) - s->disc, 0),
                 fmax(fabs(x.z) - s->half, 0));
}

static void surface__capsule_and_cylinders__are_on_the_solid(void **state) {
    (void)state;
    const scree_solid solids[] = {
        {.core = SCREE_CORE_SEGMENT, .radius = 0.5, .half = 1},
        {.core = SCREE_CORE_SEGMENT, .radius = 0.5, .half = 0},
        {.core = SCREE_CORE_CYLINDER, .disc = 0.5, .half = 1},
        {.core = SCREE_CORE_CYLINDER, .disc = 0.5, .half = 1, .radius = 0.2},
        {.core = SCREE_CORE_CYLINDER, .disc = 0.5, .half = 0, .radius = 0.2}};
    for (int k = 0; k < 5; k++)
        for (int level = 0; level <= 3; level++) {
            scree_surface s = make(&solids[k], false, level);
            check_surface(&s, &solids[k], 30 * pow(0.3, level));
            for (int i = 0; i < s.n_vertex; i++)
                assert_near(to_core(&solids[k], s.vertex[i]), solids[k].radius,
                            1e-14);
            scree_surface_free(&s);
        }
}

/* ---- polyhedra ----------------------------------------------------------- */

static void surface__hull__is_its_faces(void **state) {
    (void)state;
    scree_hull h;
    assert_ok(scree_hull_box(&h, vec(1, 2, 3), NULL));
    const scree_solid box = {.core = SCREE_CORE_HULL, .hull = &h};
    scree_surface s = make(&box, false, 2);
    assert_int_equal(s.n_polygon, 6);
    check_surface(&s, &box, 1e-12);
    scree_surface_free(&s);
    scree_hull_free(&h);
}

/* The nearest point of the hull to a vertex of the surface, which lies over a
 * face, an edge or a vertex: at least one of the hull's own points is as near
 * as r, and none of its planes farther than r. */
static void check_on_rounded(const scree_hull *h, double r, scree_vec3 x) {
    double nearest = INFINITY, plane = -INFINITY;
    for (int v = 0; v < h->n_vertex; v++)
        nearest = fmin(nearest, norm(sub(x, h->vertex[v])));
    for (int f = 0; f < h->n_face; f++)
        plane = fmax(plane, dot(h->normal[f], x) - h->offset[f]);
    assert_near(nearest, r, 1e-13);
    assert_true(plane <= r * (1 + 1e-13));
}

static void surface__rounded_rocks__are_watertight(void **state) {
    (void)state;
    scree_rock_def def = scree_rock_default();
    for (def.seed = 0; def.seed < 20; def.seed++) {
        scree_hull h;
        assert_ok(scree_rock_make(&def, &h, NULL));
        const scree_solid rock = {
            .core = SCREE_CORE_HULL, .hull = &h, .radius = 0.1};
        for (int level = 0; level <= 3; level++) {
            scree_surface s = make(&rock, false, level);
            check_surface(&s, &rock, 3 * pow(0.3, level));
            for (int i = 0; i < s.n_vertex; i++)
                check_on_rounded(&h, rock.radius, s.vertex[i]);
            scree_surface_free(&s);
        }
        scree_hull_free(&h);
    }
}

static void surface__rounded_box__converges(void **state) {
    (void)state;
    scree_hull h;
    assert_ok(scree_hull_box(&h, vec(0.1, 0.1, 0.1), NULL));
    const scree_solid box = {
        .core = SCREE_CORE_HULL, .hull = &h, .radius = 0.2};
    for (int level = 0; level <= 5; level++) {
        scree_surface s = make(&box, false, level);
        check_surface(&s, &box, 27 * pow(0.3, level));
        scree_surface_free(&s);
    }
    scree_hull_free(&h);
}

/* ---- the plane ----------------------------------------------------------- */

static double area(const scree_surface *s) {
    double sum = 0;
    for (int i = 0; i < s->n_vertex; i++)
        sum += 0.5 * cross(s->vertex[s->corner[i]],
                           s->vertex[s->corner[(i + 1) % s->n_vertex]])
                         .z;
    return sum;
}

static void surface__planar_solids__are_one_outline(void **state) {
    (void)state;
    const scree_solid disc = {.core = SCREE_CORE_POINT, .radius = 1};
    scree_surface s = make(&disc, true, 0);
    assert_int_equal(s.n_polygon, 1);
    assert_int_equal(s.n_vertex, 32);
    assert_near(area(&s), SCREE_PI, 0.01 * SCREE_PI);
    scree_surface_free(&s);

    const scree_vec3 corners[] = {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}};
    scree_hull h;
    assert_ok(scree_hull_polygon(&h, corners, 3, NULL));
    for (int k = 0; k < 2; k++) {
        const scree_solid polygon = {
            .core = SCREE_CORE_POLYGON, .hull = &h, .radius = 0.5 * k};
        const double exact = scree_mass_solid(&polygon).volume;
        s = make(&polygon, true, 3);
        assert_int_equal(s.n_polygon, 1);
        assert_int_equal(s.n_vertex, k ? 27 : 3);
        assert_near(area(&s), exact, k ? 0.003 * exact : 1e-14);
        scree_surface_free(&s);
    }
    scree_hull_free(&h);
}

static void surface__bad_level__is_refused(void **state) {
    (void)state;
    const scree_solid disc = {.core = SCREE_CORE_POINT, .radius = 1};
    scree_surface s;
    assert_int_equal(scree_surface_make(&s, &disc, false, 7, NULL),
                     SCREE_BAD_ARGUMENT);
    assert_int_equal(scree_surface_make(&s, &disc, false, -1, NULL),
                     SCREE_BAD_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(surface__sphere__converges),
        cmocka_unit_test(surface__capsule_and_cylinders__are_on_the_solid),
        cmocka_unit_test(surface__hull__is_its_faces),
        cmocka_unit_test(surface__rounded_rocks__are_watertight),
        cmocka_unit_test(surface__rounded_box__converges),
        cmocka_unit_test(surface__planar_solids__are_one_outline),
        cmocka_unit_test(surface__bad_level__is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
