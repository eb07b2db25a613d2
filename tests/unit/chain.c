/* Discs and polygons on chains of segments, against distances by definition. */
#include <stdlib.h>
#include <string.h>

#include "contact/narrow/pair.h"
#include "contact/surface/chain.h"
#include "engine/base/random.h"
#include "tests/support.h"

/* ---- scenes --------------------------------------------------------------- */

enum { POINTS = 12 };

static scree_mat3 turned(double angle) {
    return (scree_mat3){
        {cos(angle), sin(angle), 0}, {-sin(angle), cos(angle), 0}, {0, 0, 1}};
}

static scree_hull random_polygon(int n, double size, scree_random *rng) {
    scree_vec3 p[POINTS], middle = vec(0, 0, 0);
    scree_hull hull;
    for (int k = 0; k < n; ++k) {
        const double a = 2 * SCREE_PI * (k + 0.6 * scree_random_unit(rng)) / n;
        p[k] = scale(size, vec(cos(a), sin(a), 0));
        middle = add_scaled(middle, 1.0 / n, p[k]);
    }
    for (int k = 0; k < n; ++k) p[k] = sub(p[k], middle);
    assert_ok(scree_hull_polygon(&hull, p, n, NULL));
    return hull;
}

static scree_solid polygon_solid(const scree_hull *hull, double radius) {
    double bound = 0;
    for (int k = 0; k < hull->n_vertex; ++k)
        bound = fmax(bound, norm(hull->vertex[k]));
    return (scree_solid){.core = SCREE_CORE_POLYGON,
                         .radius = radius,
                         .hull = hull,
                         .bound = bound + radius};
}

static scree_solid disc_solid(double r) {
    return (scree_solid){.core = SCREE_CORE_POINT, .radius = r, .bound = r};
}

static scree_chain chain_of(const scree_vec3 *p, int n, bool closed,
                            double thickness) {
    scree_chain chain;
    assert_ok(scree_chain_make(&chain, p, n, closed, thickness, NULL));
    return chain;
}

/* From left to right, up and down. */
static void random_hills(scree_vec3 *p, int n, double rough,
                         scree_random *rng) {
    for (int k = 0; k < n; ++k)
        p[k] =
            vec(-1.5 + 3.0 * k / (n - 1), scree_random_range(rng, 0, rough), 0);
}

static scree_placed placed(const scree_solid *s, double x, double y,
                           double angle) {
    return (scree_placed){s, vec(x, y, 0), turned(angle)};
}

/* ---- by definition -------------------------------------------------------- */

static double point_segment(scree_vec3 x, scree_vec3 p, scree_vec3 q) {
    const scree_vec3 e = sub(q, p);
    const double t = fmin(fmax(dot(sub(x, p), e) / dot(e, e), 0), 1);
    return norm(sub(x, add_scaled(p, t, e)));
}

static double side_of(scree_vec3 p, scree_vec3 q, scree_vec3 x) {
    return (q.x - p.x) * (x.y - p.y) - (q.y - p.y) * (x.x - p.x);
}

static double segment_segment(scree_vec3 a, scree_vec3 b, scree_vec3 p,
                              scree_vec3 q) {
    if (side_of(a, b, p) * side_of(a, b, q) < 0 &&
        side_of(p, q, a) * side_of(p, q, b) < 0)
        return 0;
    return fmin(fmin(point_segment(a, p, q), point_segment(b, p, q)),
                fmin(point_segment(p, a, b), point_segment(q, a, b)));
}

static bool inside_core(const scree_placed *a, scree_vec3 x) {
    const scree_hull *h = a->solid->hull;
    const scree_vec3 d = mat3_mul_back(&a->R, sub(x, a->x));
    for (int f = 0; f < h->n_face; ++f)
        if (dot(h->normal[f], d) > h->offset[f]) return false;
    return true;
}

/* Distance of the cores; 0 if they overlap. */
static double distance(const scree_chain *c, const scree_placed *a) {
    double least = INFINITY;
    for (int32_t i = 0; i < c->n_side; ++i) {
        const scree_vec3 p = c->vertex[i], q = c->vertex[scree_chain_to(c, i)];
        if (a->solid->core == SCREE_CORE_POINT) {
            least = fmin(least, point_segment(a->x, p, q));
            continue;
        }
        const scree_hull *h = a->solid->hull;
        if (inside_core(a, p)) return 0;
        for (int k = 0; k < h->n_vertex; ++k) {
            const int next = (k + 1) % h->n_vertex;
            least = fmin(least,
                         segment_segment(scree_placed_point(a, h->vertex[k]),
                                         scree_placed_point(a, h->vertex[next]),
                                         p, q));
        }
    }
    return least;
}

static double deepest(const scree_touch *t, int n) {
    double g = INFINITY;
    for (int i = 0; i < n; ++i) g = fmin(g, t[i].g);
    return g;
}

/* ---- distances --------------------------------------------------------------- */

static void check_apart(const scree_chain *c, const scree_placed *a,
                        double reach, int *touched) {
    scree_touch t[SCREE_TOUCHES];
    const double s = distance(c, a);
    if (a->solid->core == SCREE_CORE_POLYGON && s == 0) return;
    const int n = scree_chain_touch(c, a, reach, t);
    const double g = s - a->solid->radius - c->radius;
    if (g > reach) {
        assert_int_equal(n, 0);
        return;
    }
    assert_near(deepest(t, n), g, 1e-12);
    for (int i = 0; i < n; ++i) {
        assert_near(norm(t[i].n), 1, 1e-14);
        assert_near(t[i].n.z, 0, 0);
        assert_true(t[i].g <= reach);
    }
    ++*touched;
}

static void bodies__random_chains__gap_is_the_distance(void **state) {
    (void)state;
    scree_random rng = {41};
    int touched = 0;
    for (int k = 0; k < 30000; ++k) {
        scree_vec3 p[9];
        const bool closed = k % 3 == 2;
        for (int i = 0; i < 9; ++i) {
            const double a = 2 * SCREE_PI * i / 9;
            const double r = scree_random_range(&rng, 0.3, 1);
            p[i] = vec(r * cos(a), r * sin(a), 0);
        }
        if (!closed) random_hills(p, 9, k % 2 ? 0.02 : 0.8, &rng);
        scree_chain chain = chain_of(p, 9, closed, k % 4 ? 0 : 0.03);
        scree_hull hull = random_polygon(3 + k % 5, 0.2, &rng);
        const scree_solid solid =
            k % 7 ? polygon_solid(&hull, k % 2 ? 0 : 0.02) : disc_solid(0.1);
        const scree_placed a = placed(
            &solid, scree_random_range(&rng, -1.6, 1.6),
            scree_random_range(&rng, -1, 1.2), scree_random_range(&rng, 0, 7));
        check_apart(&chain, &a, 0.15, &touched);
        scree_hull_free(&hull);
        scree_chain_free(&chain);
    }
    assert_true(touched > 5000);
}

/* A closed convex chain is touched from outside as the polygon in it is. Where
 * only two tips cross each other, neither of them inside the other, the depth may
 * come out less; never more. */
static void
polygon__convex_chain__depth_and_normal_of_two_polygons(void **state) {
    (void)state;
    scree_random rng = {42};
    int overlaps = 0, less = 0;
    for (int k = 0; k < 30000; ++k) {
        scree_hull wall = random_polygon(4 + k % 4, 0.6, &rng);
        scree_hull hull = random_polygon(3 + k % 5, 0.3, &rng);
        scree_chain chain = chain_of(wall.vertex, wall.n_vertex, true, 0);
        const scree_solid solid = polygon_solid(&hull, 0);
        const scree_solid ground = polygon_solid(&wall, 0);
        const double angle = scree_random_range(&rng, 0, 7);
        const scree_vec3 d = vec(cos(angle), sin(angle), 0);
        const scree_placed b = placed(&ground, 0, 0, 0);
        scree_placed a =
            placed(&solid, 2 * d.x, 2 * d.y, scree_random_range(&rng, 0, 7));
        scree_touch t[SCREE_TOUCHES], u[SCREE_TOUCHES];
        /* Brought near along the line of centres. */
        for (int i = 0; i < 60; ++i) {
            const int n = scree_solids_touch(&a, &b, 2, u);
            a.x = add_scaled(a.x, -deepest(u, n), d);
        }
        a.x = add_scaled(a.x, scree_random_range(&rng, -0.02, 0.01), d);
        const int m = scree_solids_touch(&a, &b, 0.02, u);
        const int n = scree_chain_touch(&chain, &a, 0.02, t);
        const double g = deepest(u, m);
        const double own = deepest(t, n);
        assert_true(own >= g - 0.05 * fabs(g) - 2e-4 * 0.3);
        less += own > g + 0.05 * fabs(g) + 2e-4 * 0.3;
        overlaps += g < 0;
        scree_hull_free(&wall);
        scree_hull_free(&hull);
        scree_chain_free(&chain);
    }
    assert_true(overlaps > 10000);
    print_message("%d of %d overlaps are less deep\n", less, overlaps);
    assert_true(less < 0.01 * overlaps);
}

/* ---- invariance --------------------------------------------------------------- */

/* Every touch of t is one of u, moved by R and x. */
static void check_same(const scree_touch *t, int n, const scree_touch *u, int m,
                       const scree_mat3 *R, scree_vec3 x) {
    assert_int_equal(n, m);
    for (int i = 0; i < n; ++i) {
        double least = INFINITY;
        for (int j = 0; j < m; ++j) {
            const scree_vec3 at = add(x, mat3_mul(R, u[j].x));
            least = fmin(least, norm(sub(at, t[i].x)) + fabs(u[j].g - t[i].g) +
                                    norm(sub(mat3_mul(R, u[j].n), t[i].n)));
        }
        assert_near(least, 0, 1e-12);
    }
}

static void
polygon__moved_with_the_chain_or_chain_reversed__same_touches(void **state) {
    (void)state;
    scree_random rng = {43};
    int looked = 0;
    for (int k = 0; k < 20000; ++k) {
        scree_vec3 p[9], q[9], back[9];
        random_hills(p, 9, k % 2 ? 0.05 : 0.5, &rng);
        const scree_mat3 R = turned(scree_random_range(&rng, 0, 7));
        const scree_vec3 x = vec(scree_random_range(&rng, -2, 2),
                                 scree_random_range(&rng, -2, 2), 0);
        for (int i = 0; i < 9; ++i) {
            q[i] = add(x, mat3_mul(&R, p[i]));
            back[8 - i] = p[i];
        }
        scree_chain here = chain_of(p, 9, false, 0);
        scree_chain there = chain_of(q, 9, false, 0);
        scree_chain reversed = chain_of(back, 9, false, 0);
        scree_hull hull = random_polygon(3 + k % 5, 0.2, &rng);
        const scree_solid s = polygon_solid(&hull, 0);
        const double angle = scree_random_range(&rng, 0, 7);
        const scree_placed a = placed(&s, scree_random_range(&rng, -1.5, 1.5),
                                      scree_random_range(&rng, 0, 0.7), angle);
        scree_placed b = a;
        b.x = add(x, mat3_mul(&R, a.x));
        b.R = (scree_mat3){mat3_mul(&R, a.R.x), mat3_mul(&R, a.R.y), a.R.z};
        scree_touch t[SCREE_TOUCHES], u[SCREE_TOUCHES], v[SCREE_TOUCHES];
        const scree_mat3 one = turned(0);
        const int n = scree_chain_touch(&here, &a, 0.05, t);
        const int m = scree_chain_touch(&there, &b, 0.05, u);
        const int l = scree_chain_touch(&reversed, &a, 0.05, v);
        if (deepest(t, n) > -0.03) {
            check_same(u, m, t, n, &R, x);
            check_same(v, l, t, n, &one, vec(0, 0, 0));
            ++looked;
        }
        scree_hull_free(&hull);
        scree_chain_free(&here);
        scree_chain_free(&there);
        scree_chain_free(&reversed);
    }
    assert_true(looked > 5000);
}

/* The least gap moves as far as the body, apart and in shallow overlap. */
static void bodies__small_motion__gap_is_continuous(void **state) {
    (void)state;
    scree_random rng = {44};
    const double step = 1e-6;
    int looked = 0;
    for (int k = 0; k < 30000; ++k) {
        scree_vec3 p[9];
        random_hills(p, 9, k % 2 ? 0.1 : 0.4, &rng);
        scree_chain chain = chain_of(p, 9, false, 0);
        scree_hull hull = random_polygon(3 + k % 5, 0.2, &rng);
        const scree_solid s = k % 7 ? polygon_solid(&hull, 0) : disc_solid(0.1);
        scree_placed a = placed(&s, scree_random_range(&rng, -1.6, 1.6),
                                scree_random_range(&rng, 0, 0.7),
                                scree_random_range(&rng, 0, 7));
        scree_touch t[SCREE_TOUCHES];
        const double g = deepest(t, scree_chain_touch(&chain, &a, 0.1, t));
        const double angle = scree_random_range(&rng, 0, 7);
        a.x = add(a.x, vec(step * cos(angle), step * sin(angle), 0));
        const double h = deepest(t, scree_chain_touch(&chain, &a, 0.1, t));
        if (g < 0.09 && g > -0.01) {
            if (fabs(h - g) > 1.01 * step)
                fail_msg("%d: gap %g, then %g", k, g, h);
            ++looked;
        }
        scree_hull_free(&hull);
        scree_chain_free(&chain);
    }
    assert_true(looked > 3000);
}

/* ---- straight on, ridges, ends -------------------------------------------------- */

enum { LINKS = 1000 };

static void bodies__chain_of_collinear_segments__as_on_one(void **state) {
    (void)state;
    scree_random rng = {45};
    const double slope = 0.3;
    scree_vec3 p[LINKS + 1];
    double x = -1;
    for (int k = 0; k <= LINKS; ++k) {
        p[k] = vec(x * cos(slope), x * sin(slope), 0);
        x += 2.0 / LINKS * scree_random_range(&rng, 0.5, 1.5);
    }
    scree_chain chain = chain_of(p, LINKS + 1, false, 0);
    const scree_vec3 e = vec(cos(slope), sin(slope), 0);
    const scree_vec3 up = vec(-e.y, e.x, 0);
    const scree_vec3 square[4] = {
        {-0.05, -0.05, 0}, {0.05, -0.05, 0}, {0.05, 0.05, 0}, {-0.05, 0.05, 0}};
    scree_hull hull;
    assert_ok(scree_hull_polygon(&hull, square, 4, NULL));
    const scree_solid box = polygon_solid(&hull, 0), disc = disc_solid(0.05);
    for (int k = 0; k < 20000; ++k) {
        const double at = k % 2 ? dot(e, p[60 + k % 880])
                                : scree_random_range(&rng, -0.9, 0.8);
        const double g = k % 3 == 0 ? 0 : k % 3 == 1 ? 1e-3 : -1e-5;
        const scree_vec3 c = add_scaled(scale(at, e), 0.05 + g, up);
        const scree_placed a =
            placed(k % 4 < 2 ? &box : &disc, c.x, c.y, slope);
        scree_touch t[SCREE_TOUCHES];
        const int n = scree_chain_touch(&chain, &a, 0.01, t);
        assert_int_equal(n, k % 4 < 2 ? 2 : 1);
        for (int i = 0; i < n; ++i) {
            assert_near(norm(sub(t[i].n, up)), 0, 1e-13);
            assert_near(t[i].g, g, 1e-13);
        }
    }
    scree_hull_free(&hull);
    scree_chain_free(&chain);
}

/* Beside a corner only the outside counts: the back of the next segment is no
 * wall for a body that hangs over it. */
static void polygon__over_a_corner__not_caught_by_the_back(void **state) {
    (void)state;
    const scree_vec3 p[3] = {{-1, 0, 0}, {0, 0, 0}, {0, -1, 0}};
    const scree_vec3 shape[4] = {
        {-0.3, -0.2, 0}, {0.3, -0.2, 0}, {0.3, 0.2, 0}, {-0.3, 0.2, 0}};
    scree_hull hull;
    assert_ok(scree_hull_polygon(&hull, shape, 4, NULL));
    const scree_solid s = polygon_solid(&hull, 0);
    scree_chain chain = chain_of(p, 3, false, 0);
    for (int k = 0; k < 100; ++k) {
        const double x = -0.29 + 0.005 * k;
        const scree_placed a = placed(&s, x, 0.2 - 1e-3, 0);
        scree_touch t[SCREE_TOUCHES];
        const int n = scree_chain_touch(&chain, &a, 0.05, t);
        assert_int_equal(n, 2);
        for (int i = 0; i < n; ++i) {
            assert_near(t[i].n.y, 1, 1e-14);
            assert_near(t[i].g, -1e-3, 1e-14);
        }
        const double lo = fmin(t[0].x.x, t[1].x.x);
        assert_near(lo, x - 0.3, 1e-14);
        assert_near(fmax(t[0].x.x, t[1].x.x), 0, 1e-14); /* the corner */
    }
    scree_hull_free(&hull);
    scree_chain_free(&chain);
}

/* The end of a segment is a point: a disc and an edge touch it from ahead. */
static void bodies__ahead_of_a_free_end__touch_the_point(void **state) {
    (void)state;
    const scree_vec3 p[2] = {{-1, 0, 0}, {0, 0, 0}};
    const scree_vec3 shape[4] = {
        {-0.1, -0.2, 0}, {0.1, -0.2, 0}, {0.1, 0.2, 0}, {-0.1, 0.2, 0}};
    scree_hull hull;
    assert_ok(scree_hull_polygon(&hull, shape, 4, NULL));
    const scree_solid box = polygon_solid(&hull, 0), disc = disc_solid(0.1);
    scree_chain chain = chain_of(p, 2, false, 0);
    for (int k = 0; k < 60; ++k) {
        scree_touch t[SCREE_TOUCHES];
        const double y = -0.15 + 0.005 * k, g = k % 3 ? -1e-3 : 1e-3;
        const scree_placed a = placed(&box, 0.1 + g, y, 0);
        assert_int_equal(scree_chain_touch(&chain, &a, 0.01, t), 1);
        assert_near(t[0].n.x, 1, 1e-14);
        assert_near(t[0].g, g, 1e-14);
        const double angle = -1.5 + 0.05 * k;
        const scree_placed b =
            placed(&disc, (0.1 + g) * cos(angle), (0.1 + g) * sin(angle), 0);
        assert_int_equal(scree_chain_touch(&chain, &b, 0.01, t), 1);
        assert_near(t[0].n.x, cos(angle), 1e-13);
        assert_near(t[0].g, g, 1e-14);
    }
    scree_hull_free(&hull);
    scree_chain_free(&chain);
}

/* ---- balls that fly ------------------------------------------------------------- */

static void ball__random_shots__first_touch_is_exact(void **state) {
    (void)state;
    scree_random rng = {46};
    int hits = 0;
    for (int k = 0; k < 20000; ++k) {
        scree_vec3 p[9];
        random_hills(p, 9, 0.5, &rng);
        scree_chain chain = chain_of(p, 9, false, k % 3 ? 0 : 0.04);
        const double r = k % 2 ? 0.1 : 1e-3;
        const scree_solid s = disc_solid(0);
        const scree_vec3 x =
            vec(scree_random_range(&rng, -1.4, 1.4), k % 4 < 2 ? 0.9 : -0.4, 0);
        const scree_vec3 to =
            vec(scree_random_range(&rng, -1.4, 1.4), k % 4 < 2 ? -0.4 : 0.9, 0);
        const scree_vec3 d = sub(to, x);
        scree_hit hit = {.t = 1};
        const bool found =
            scree_chain_sweep(&chain, (scree_ball){x, r}, d, &hit);
        assert_true(found); /* from above to below there is no way round */
        for (int i = 0; i < 20; ++i) {
            const scree_vec3 at = add_scaled(x, hit.t * i / 20, d);
            const scree_placed a = placed(&s, at.x, at.y, 0);
            assert_true(distance(&chain, &a) >= r + chain.radius - 1e-12);
        }
        const scree_vec3 at = add_scaled(x, hit.t, d);
        const scree_placed a = placed(&s, at.x, at.y, 0);
        assert_near(distance(&chain, &a), r + chain.radius, 1e-12);
        assert_near(hit.distance, r, 1e-12);
        assert_true(dot(hit.n, d) < 0);
        hits += found;
        scree_chain_free(&chain);
    }
    assert_int_equal(hits, 20000);
}

/* ---- what is refused ------------------------------------------------------------- */

static void refuse(const scree_vec3 *p, int n, bool closed, double thickness,
                   const char *why) {
    scree_chain chain;
    scree_error error = {0};
    assert_int_equal(scree_chain_make(&chain, p, n, closed, thickness, &error),
                     SCREE_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, why));
    assert_null(chain.vertex);
}

static void make__bad_points__named(void **state) {
    (void)state;
    const scree_vec3 p[3] = {{0, 0, 0}, {1, 0, 0}, {1, 0, 0}};
    const scree_vec3 q[3] = {{0, 0, 0}, {1, NAN, 0}, {1, 1, 0}};
    refuse(p, 1, false, 0, "2 points at least, not 1");
    refuse(p, 2, true, 0, "3 points at least, not 2");
    refuse(p, 3, false, 0, "between points 1 and 2 has no length");
    refuse(q, 3, false, 0, "point 1 of the segments is not finite");
    refuse(p, 2, false, -1, "thickness -1");
    refuse(p, 2, false, NAN, "thickness nan");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies__random_chains__gap_is_the_distance),
        cmocka_unit_test(
            polygon__convex_chain__depth_and_normal_of_two_polygons),
        cmocka_unit_test(
            polygon__moved_with_the_chain_or_chain_reversed__same_touches),
        cmocka_unit_test(bodies__small_motion__gap_is_continuous),
        cmocka_unit_test(bodies__chain_of_collinear_segments__as_on_one),
        cmocka_unit_test(polygon__over_a_corner__not_caught_by_the_back),
        cmocka_unit_test(bodies__ahead_of_a_free_end__touch_the_point),
        cmocka_unit_test(ball__random_shots__first_touch_is_exact),
        cmocka_unit_test(make__bad_points__named),
    };
    return cmocka_run_group_tests_name("chain", tests, NULL, NULL);
}
