/* Mass properties against closed forms, each other, and sampling. */
#include "contact/solid/mass.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/random.h"
#include "tests/support.h"

/* ---- tools --------------------------------------------------------------- */

static void assert_same_mass(scree_mass a, scree_mass b, double tolerance) {
    const double v = tolerance * fabs(b.volume);
    const double s = tolerance * (b.xx + b.yy + b.zz);
    assert_near(a.volume, b.volume, v);
    assert_near(norm(sub(a.centre, b.centre)), 0,
                tolerance * (1 + norm(b.centre)));
    assert_near(a.xx, b.xx, s);
    assert_near(a.yy, b.yy, s);
    assert_near(a.zz, b.zz, s);
    assert_near(a.xy, b.xy, s);
    assert_near(a.xz, b.xz, s);
    assert_near(a.yz, b.yz, s);
}

static scree_vec3 apply(const scree_mass *m, scree_vec3 a) {
    return vec(m->xx * a.x + m->xy * a.y + m->xz * a.z,
               m->xy * a.x + m->yy * a.y + m->yz * a.z,
               m->xz * a.x + m->yz * a.y + m->zz * a.z);
}

/* What the mass properties become when the solid is turned, then moved. */
static scree_mass turned(scree_mass m, scree_quat q, scree_vec3 d) {
    const scree_quat back = {q.w, -q.x, -q.y, -q.z};
    scree_vec3 column[3];
    for (int k = 0; k < 3; k++) {
        const scree_vec3 e = vec(k == 0, k == 1, k == 2);
        column[k] = quat_rotate(q, apply(&m, quat_rotate(back, e)));
    }
    return (scree_mass){m.volume,    add(d, quat_rotate(q, m.centre)),
                        column[0].x, column[1].y,
                        column[2].z, column[1].x,
                        column[2].x, column[2].y};
}

/* Two bodies as one: Huygens-Steiner. */
static scree_mass joined(scree_mass a, scree_mass b) {
    const double v = a.volume + b.volume;
    const scree_vec3 c =
        scale(1 / v, add(scale(a.volume, a.centre), scale(b.volume, b.centre)));
    scree_mass sum = {.volume = v, .centre = c};
    const scree_mass *part[] = {&a, &b};
    for (int k = 0; k < 2; k++) {
        const scree_vec3 d = sub(part[k]->centre, c);
        const double m = part[k]->volume;
        sum.xx += part[k]->xx + m * (d.y * d.y + d.z * d.z);
        sum.yy += part[k]->yy + m * (d.x * d.x + d.z * d.z);
        sum.zz += part[k]->zz + m * (d.x * d.x + d.y * d.y);
        sum.xy += part[k]->xy - m * d.x * d.y;
        sum.xz += part[k]->xz - m * d.x * d.z;
        sum.yz += part[k]->yz - m * d.y * d.z;
    }
    return sum;
}

static scree_hull random_hull(uint64_t seed, int n) {
    scree_random rng = {seed};
    scree_vec3 points[100];
    for (int i = 0; i < n; i++)
        points[i] = vec(scree_random_normal(&rng), scree_random_normal(&rng),
                        0.5 * scree_random_normal(&rng));
    scree_hull h;
    assert_ok(scree_hull_from_points(&h, points, n, NULL));
    return h;
}

static scree_hull transformed(const scree_hull *h, scree_quat q, scree_vec3 d) {
    scree_vec3 points[100];
    for (int i = 0; i < h->n_vertex; i++)
        points[i] = add(d, quat_rotate(q, h->vertex[i]));
    scree_hull out;
    assert_ok(scree_hull_from_points(&out, points, h->n_vertex, NULL));
    return out;
}

/* ---- sampling ------------------------------------------------------------ */

typedef bool is_inside(const void *solid, scree_vec3 x);

enum { SAMPLES = 1000000, MOMENTS = 10 };

static void moments_of(scree_vec3 x, double f[MOMENTS]) {
    const double all[] = {1,         x.x,       x.y,       x.z,
                          x.x * x.x, x.y * x.y, x.z * x.z, x.x * x.y,
                          x.x * x.z, x.y * x.z};
    memcpy(f, all, sizeof all);
}

/* The same integrals from mass properties. */
static void moments_from(scree_mass m, double f[MOMENTS]) {
    const double trace = 0.5 * (m.xx + m.yy + m.zz), v = m.volume;
    const scree_vec3 c = m.centre;
    const double all[] = {v,
                          v * c.x,
                          v * c.y,
                          v * c.z,
                          trace - m.xx + v * c.x * c.x,
                          trace - m.yy + v * c.y * c.y,
                          trace - m.zz + v * c.z * c.z,
                          v * c.x * c.y - m.xy,
                          v * c.x * c.z - m.xz,
                          v * c.y * c.z - m.yz};
    memcpy(f, all, sizeof all);
}

/* Uniform samples in the box |x - o| <= half: each moment within 4 sigma. */
static void check_by_sampling(is_inside *inside, const void *solid,
                              scree_vec3 o, scree_vec3 half, scree_mass mass) {
    const double box = 8 * half.x * half.y * half.z;
    double sum[MOMENTS] = {0}, sum2[MOMENTS] = {0}, f[MOMENTS], exact[MOMENTS];
    scree_random rng = {2024};
    for (int i = 0; i < SAMPLES; i++) {
        const scree_vec3 x =
            vec(o.x + scree_random_range(&rng, -half.x, half.x),
                o.y + scree_random_range(&rng, -half.y, half.y),
                o.z + scree_random_range(&rng, -half.z, half.z));
        if (!inside(solid, x)) continue;
        moments_of(x, f);
        for (int k = 0; k < MOMENTS; k++) {
            sum[k] += f[k];
            sum2[k] += f[k] * f[k];
        }
    }
    moments_from(mass, exact);
    for (int k = 0; k < MOMENTS; k++) {
        const double mean = sum[k] / SAMPLES;
        const double sigma = sqrt((sum2[k] / SAMPLES - mean * mean) / SAMPLES);
        assert_near(box * mean, exact[k], 4 * box * sigma);
    }
}

static bool in_hull(const void *solid, scree_vec3 x) {
    const scree_hull *h = solid;
    for (int f = 0; f < h->n_face; f++)
        if (dot(h->normal[f], x) > h->offset[f]) return false;
    return true;
}

typedef struct clump {
    const scree_ball *ball;
    int n;
} clump;

static bool in_clump(const void *solid, scree_vec3 x) {
    const clump *c = solid;
    for (int i = 0; i < c->n; i++)
        if (norm(sub(x, c->ball[i].x)) <= c->ball[i].r) return true;
    return false;
}

/* Distance to a segment; rounded tetrahedra are tested by their nearest point
 * on faces, edges and vertices. */
static double to_segment(scree_vec3 x, scree_vec3 p, scree_vec3 q) {
    const scree_vec3 d = sub(q, p);
    const double t = fmin(fmax(dot(sub(x, p), d) / dot(d, d), 0), 1);
    return norm(sub(x, add_scaled(p, t, d)));
}

static bool over_face(const scree_hull *h, int f, scree_vec3 x) {
    for (int32_t c = h->loop[f]; c < h->loop[f + 1]; c++) {
        const scree_vec3 p = h->vertex[h->corner[c]];
        const scree_vec3 q = h->vertex[h->corner[scree_hull_next(h, f, c)]];
        if (dot(cross(sub(q, p), sub(x, p)), h->normal[f]) < 0) return false;
    }
    return true;
}

typedef struct rounded {
    const scree_hull *hull;
    double r;
} rounded;

static bool in_rounded(const void *solid, scree_vec3 x) {
    const rounded *s = solid;
    const scree_hull *h = s->hull;
    if (in_hull(h, x)) return true;
    for (int f = 0; f < h->n_face; f++)
        if (fabs(dot(h->normal[f], x) - h->offset[f]) <= s->r &&
            over_face(h, f, x))
            return true;
    for (int e = 0; e < h->n_edge; e++)
        if (to_segment(x, h->vertex[h->edge[e].v[0]],
                       h->vertex[h->edge[e].v[1]]) <= s->r)
            return true;
    return false;
}

/* ---- closed forms -------------------------------------------------------- */

static scree_mass table_box(scree_vec3 half) {
    const double m = 8 * half.x * half.y * half.z;
    const double x2 = half.x * half.x, y2 = half.y * half.y,
                 z2 = half.z * half.z;
    return (scree_mass){.volume = m,
                        .xx = m / 3 * (y2 + z2),
                        .yy = m / 3 * (x2 + z2),
                        .zz = m / 3 * (x2 + y2)};
}

static scree_mass table_disc(double r) {
    const double m = SCREE_PI * r * r;
    return (scree_mass){.volume = m,
                        .xx = m * r * r / 4,
                        .yy = m * r * r / 4,
                        .zz = m * r * r / 2};
}

static void mass__simple_solids__are_those_of_tables(void **state) {
    (void)state;
    const double pi = SCREE_PI;
    const scree_mass ball = scree_mass_sphere(2);
    assert_near(ball.volume, 32 / 3. * pi, 1e-13);
    assert_near(ball.xx, 0.4 * ball.volume * 4, 1e-12);
    const scree_mass rod = scree_mass_cylinder(0.5, 1, 0);
    assert_near(rod.volume, 0.5 * pi, 1e-15);
    assert_near(rod.zz, rod.volume * 0.125, 1e-15);
    assert_near(rod.xx, rod.volume * (3 * 0.25 + 4) / 12, 1e-15);
}

/* Cylinder and two half balls, each moved to its place. */
static void mass__capsule__is_cylinder_and_half_balls(void **state) {
    (void)state;
    const double r = 0.7, h = 1.3;
    const double m = scree_mass_sphere(r).volume, c = h + 3 / 8. * r;
    const scree_mass rod = scree_mass_cylinder(r, h, 0);
    const scree_mass capsule = scree_mass_capsule(r, h);
    assert_near(capsule.volume, rod.volume + m, 1e-14);
    assert_near(capsule.zz, rod.zz + 0.4 * m * r * r, 1e-14);
    assert_near(capsule.xx, rod.xx + m * (83 / 320. * r * r + c * c), 1e-13);
    assert_same_mass(scree_mass_capsule(r, 0), scree_mass_sphere(r), 1e-15);
}

typedef struct round_rod {
    double disc, half, r;
} round_rod;

static bool in_round_rod(const void *solid, scree_vec3 x) {
    const round_rod *s = solid;
    const double out = fmax(hypot(x.x, x.y) - s->disc, 0);
    const double up = fmax(fabs(x.z) - s->half, 0);
    return hypot(out, up) <= s->r;
}

static void mass__rounded_cylinder__as_sampled(void **state) {
    (void)state;
    const round_rod s = {0.6, 0.4, 0.3};
    check_by_sampling(in_round_rod, &s, vec(0, 0, 0), vec(0.9, 0.9, 0.7),
                      scree_mass_cylinder(s.disc, s.half, s.r));
}

static void mass__hull_of_a_box__is_the_box(void **state) {
    (void)state;
    scree_hull h;
    assert_ok(scree_hull_box(&h, vec(0.5, 2, 1), NULL));
    assert_same_mass(scree_mass_hull(&h, 0), table_box(vec(0.5, 2, 1)), 1e-14);
    scree_hull_free(&h);
}

static void mass__polygon__is_that_of_a_rectangle(void **state) {
    (void)state;
    const scree_vec3 corners[] = {{4, 1, 0}, {8, 1, 0}, {8, 3, 0}, {4, 3, 0}};
    scree_hull h;
    assert_ok(scree_hull_polygon(&h, corners, 4, NULL));
    const scree_mass m = scree_mass_polygon(&h, 0);
    assert_near(m.volume, 8, 1e-14);
    assert_near(norm(sub(m.centre, vec(6, 2, 0))), 0, 1e-14);
    assert_near(m.xx, 8 / 3., 1e-13);
    assert_near(m.yy, 32 / 3., 1e-13);
    assert_near(m.zz, 40 / 3., 1e-13);
    assert_near(m.xy, 0, 1e-13);
    scree_hull_free(&h);
}

/* A regular polygon of many corners grown by r: nearly a disc. */
static void mass__rounded_polygon__tends_to_a_disc(void **state) {
    (void)state;
    enum { N = 2000 };
    scree_vec3 corners[N];
    for (int i = 0; i < N; i++)
        corners[i] =
            vec(cos(2 * SCREE_PI * i / N), sin(2 * SCREE_PI * i / N), 0);
    scree_hull h;
    assert_ok(scree_hull_polygon(&h, corners, N, NULL));
    assert_same_mass(scree_mass_polygon(&h, 0.5), table_disc(1.5), 1e-5);
    scree_hull_free(&h);
}

/* ---- grown polyhedra ----------------------------------------------------- */

/* Steiner: V + A r + M r^2 + 4/3 pi r^3, for a box with edges a, b, c. */
static void mass__rounded_box__is_steiners(void **state) {
    (void)state;
    const double a = 1, b = 2, c = 3, r = 0.4;
    scree_hull h;
    assert_ok(scree_hull_box(&h, vec(a / 2, b / 2, c / 2), NULL));
    const scree_mass m = scree_mass_hull(&h, r);
    assert_near(m.volume,
                a * b * c + 2 * (a * b + b * c + c * a) * r +
                    SCREE_PI * (a + b + c) * r * r +
                    scree_mass_sphere(r).volume,
                1e-13);
    assert_near(norm(m.centre), 0, 1e-14);
    scree_hull_free(&h);
}

/* A thin rod of a box grown by a large radius: nearly a capsule. */
static void mass__rounded_needle__tends_to_a_capsule(void **state) {
    (void)state;
    scree_hull h;
    assert_ok(scree_hull_box(&h, vec(1e-5, 1e-5, 1), NULL));
    assert_same_mass(scree_mass_hull(&h, 0.5), scree_mass_capsule(0.5, 1),
                     1e-4);
    scree_hull_free(&h);
}

static void mass__rounded_polyhedron__as_sampled(void **state) {
    (void)state;
    scree_hull h = random_hull(8, 7);
    const rounded s = {&h, 0.6};
    double bound = 0;
    for (int v = 0; v < h.n_vertex; v++) bound = fmax(bound, norm(h.vertex[v]));
    bound += s.r;
    check_by_sampling(in_rounded, &s, vec(0, 0, 0), vec(bound, bound, bound),
                      scree_mass_hull(&h, s.r));
    scree_hull_free(&h);
}

/* ---- any polyhedron ------------------------------------------------------ */

static void mass__random_polyhedron__as_sampled(void **state) {
    (void)state;
    scree_hull h = random_hull(4, 30);
    check_by_sampling(in_hull, &h, vec(0, 0, 0), vec(4, 4, 2),
                      scree_mass_hull(&h, 0));
    scree_hull_free(&h);
}

static void mass__turned_and_moved__follows(void **state) {
    (void)state;
    const scree_quat q = quat_unit((scree_quat){0.4, 0.1, -0.8, 0.3});
    const scree_vec3 d = vec(30, -7, 11);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        scree_hull h = random_hull(seed, 12), g = transformed(&h, q, d);
        for (double r = 0; r < 1; r += 0.4)
            assert_same_mass(scree_mass_hull(&g, r),
                             turned(scree_mass_hull(&h, r), q, d), 1e-12);
        scree_hull_free(&h);
        scree_hull_free(&g);
    }
}

/* A box cut in two by a slanted plane. */
static void mass__two_halves__are_the_whole(void **state) {
    (void)state;
    const scree_vec3 left[] = {{-1, -1, -1}, {-1, 1, -1},   {-1, -1, 1},
                               {-1, 1, 1},   {0.3, -1, -1}, {-0.2, 1, -1},
                               {0.5, -1, 1}, {0, 1, 1}};
    scree_vec3 right[8];
    for (int i = 0; i < 8; i++)
        right[i] = i < 4 ? vec(1, left[i].y, left[i].z) : left[i];
    scree_hull a, b;
    assert_ok(scree_hull_from_points(&a, left, 8, NULL));
    assert_ok(scree_hull_from_points(&b, right, 8, NULL));
    assert_same_mass(joined(scree_mass_hull(&a, 0), scree_mass_hull(&b, 0)),
                     table_box(vec(1, 1, 1)), 1e-14);
    scree_hull_free(&a);
    scree_hull_free(&b);
}

static void mass__triangles__are_those_of_the_hull(void **state) {
    (void)state;
    scree_hull h = random_hull(9, 25);
    int32_t corner[200][3];
    scree_triangles t = {
        .n_vertex = h.n_vertex, .vertex = h.vertex, .corner = corner};
    for (int f = 0; f < h.n_face; f++)
        for (int32_t c = h.loop[f] + 1; c + 1 < h.loop[f + 1]; c++) {
            int32_t *k = corner[t.n_triangle++];
            k[0] = h.corner[h.loop[f]], k[1] = h.corner[c];
            k[2] = h.corner[c + 1];
        }
    assert_same_mass(scree_mass_triangles(&t), scree_mass_hull(&h, 0), 1e-13);
    scree_hull_free(&h);
}

/* ---- clumps -------------------------------------------------------------- */

static void clump__balls_apart__add_up_exactly(void **state) {
    (void)state;
    const scree_ball balls[] = {{{-2, 0, 0}, 1}, {{1, 0, 0}, 0.5}};
    scree_mass m, a = scree_mass_sphere(1), b = scree_mass_sphere(0.5);
    a.centre = balls[0].x;
    b.centre = balls[1].x;
    assert_ok(scree_mass_clump(balls, 2, &m, NULL));
    assert_same_mass(m, joined(a, b), 1e-15);
}

/* Two balls that share a lens: V = pi (R + r - d)^2 (d^2 + 2 d (r + R)
 * - 3 (r - R)^2) / (12 d). */
static void clump__two_balls__share_a_lens(void **state) {
    (void)state;
    const double R = 1, r = 0.6;
    scree_random rng = {77};
    for (double d = 0.45; d < R + r; d += 0.05) {
        const scree_vec3 u =
            vec(scree_random_normal(&rng), scree_random_normal(&rng),
                scree_random_normal(&rng));
        const scree_ball balls[] = {{{0, 0, 0}, R}, {scale(d / norm(u), u), r}};
        const double lens = SCREE_PI * (R + r - d) * (R + r - d) *
                            (d * d + 2 * d * (r + R) - 3 * (r - R) * (r - R)) /
                            (12 * d);
        const double v =
            scree_mass_sphere(R).volume + scree_mass_sphere(r).volume - lens;
        scree_mass m;
        assert_ok(scree_mass_clump(balls, 2, &m, NULL));
        assert_near(m.volume, v, 1e-10 * v);
    }
}

static double lens(double r, double d) {
    return SCREE_PI * (2 * r - d) * (2 * r - d) * (d * d + 4 * d * r) /
           (12 * d);
}

/* Thirty equal balls in a row: each adds what it does not share with the one
 * before, however many others overlap there. */
static void clump__long_chain__is_exact_in_every_direction(void **state) {
    (void)state;
    enum { N = 30 };
    const double r = 0.3, d = 0.1, ball = scree_mass_sphere(r).volume;
    const double v = ball + (N - 1) * (ball - lens(r, d));
    const scree_vec3 along[] = {{1, 0, 0}, {0, 0, 1}, {0.36, 0.48, 0.8}};
    for (int k = 0; k < 3; k++) {
        scree_ball balls[N];
        for (int i = 0; i < N; i++)
            balls[i] = (scree_ball){scale(d * i, along[k]), r};
        scree_mass m;
        assert_ok(scree_mass_clump(balls, N, &m, NULL));
        assert_near(m.volume, v, 1e-10 * v);
        const scree_vec3 middle = scale(0.5 * d * (N - 1), along[k]);
        assert_near(norm(sub(m.centre, middle)), 0, 1e-10);
    }
}

/* Its integrals would be no numbers, and never come to an end. */
static void clump__balls_beyond_numbers__refused(void **state) {
    (void)state;
    const double sizes[] = {2e125, 1e-100, NAN, INFINITY, 2e58, 1e50};
    for (int i = 0; i < 6; ++i) {
        const scree_ball balls[] = {{{0, 0, 0}, sizes[i]}, {{1, 0, 0}, 1}};
        scree_mass m;
        scree_error error = {0};
        assert_int_equal(scree_mass_clump(balls, 2, &m, &error),
                         SCREE_BAD_ARGUMENT);
        assert_non_null(strstr(error.text, "sphere 1"));
    }
}

static void clump__ball_in_a_ball__does_not_count(void **state) {
    (void)state;
    const scree_ball balls[] = {
        {{0, 0, 0}, 1}, {{0.2, 0.1, 0}, 0.3}, {{0, 0, 0}, 1}};
    scree_mass m;
    assert_ok(scree_mass_clump(balls, 3, &m, NULL));
    assert_same_mass(m, scree_mass_sphere(1), 1e-10);
}

static void random_clump(scree_ball *balls, int n) {
    scree_random rng = {6};
    for (int i = 0; i < n; i++)
        balls[i] = (scree_ball){vec(scree_random_range(&rng, -1, 1),
                                    scree_random_range(&rng, -1, 1),
                                    scree_random_range(&rng, -1, 1)),
                                scree_random_range(&rng, 0.3, 0.8)};
}

static void clump__eight_balls__as_sampled(void **state) {
    (void)state;
    scree_ball balls[8];
    random_clump(balls, 8);
    scree_mass m;
    assert_ok(scree_mass_clump(balls, 8, &m, NULL));
    const clump c = {balls, 8};
    check_by_sampling(in_clump, &c, vec(0, 0, 0), vec(1.8, 1.8, 1.8), m);
}

/* Other slices of the same body. */
static void clump__turned__follows(void **state) {
    (void)state;
    const scree_quat q = quat_unit((scree_quat){0.4, 0.1, -0.8, 0.3});
    scree_ball balls[8];
    random_clump(balls, 8);
    scree_mass m, n;
    assert_ok(scree_mass_clump(balls, 8, &m, NULL));
    for (int i = 0; i < 8; i++)
        balls[i].x = add(vec(3, 2, 1), quat_rotate(q, balls[i].x));
    assert_ok(scree_mass_clump(balls, 8, &n, NULL));
    assert_same_mass(n, turned(m, q, vec(3, 2, 1)), 1e-10);
}

/* Most of them are inside others: few of their circles and corners are seen. */
static void clump__many_balls__turned_follows(void **state) {
    (void)state;
    enum { N = 60 };
    const scree_quat q = quat_unit((scree_quat){0.4, 0.1, -0.8, 0.3});
    scree_ball balls[N];
    random_clump(balls, N);
    scree_mass m, n;
    assert_ok(scree_mass_clump(balls, N, &m, NULL));
    const clump c = {balls, N};
    check_by_sampling(in_clump, &c, vec(0, 0, 0), vec(1.8, 1.8, 1.8), m);
    for (int i = 0; i < N; i++)
        balls[i].x = add(vec(3, 2, 1), quat_rotate(q, balls[i].x));
    assert_ok(scree_mass_clump(balls, N, &n, NULL));
    assert_same_mass(n, turned(m, q, vec(3, 2, 1)), 1e-10);
}

static void clump__too_many_overlaps__refused(void **state) {
    (void)state;
    enum { N = 1000 };
    static scree_ball balls[N];
    random_clump(balls, N);
    scree_mass m;
    scree_error error = {0};
    assert_int_equal(scree_mass_clump(balls, N, &m, &error),
                     SCREE_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "at most 10000 are measured"));
}

static void clump__bad_balls__are_refused(void **state) {
    (void)state;
    scree_mass m;
    scree_error error = {0};
    const scree_ball balls[] = {{{0, 0, 0}, 1}, {{0, 0, 0}, 0}};
    assert_int_equal(scree_mass_clump(balls, 2, &m, &error),
                     SCREE_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "sphere 2"));
    assert_int_equal(scree_mass_clump(balls, 0, &m, &error),
                     SCREE_BAD_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mass__simple_solids__are_those_of_tables),
        cmocka_unit_test(mass__capsule__is_cylinder_and_half_balls),
        cmocka_unit_test(mass__rounded_cylinder__as_sampled),
        cmocka_unit_test(mass__hull_of_a_box__is_the_box),
        cmocka_unit_test(mass__polygon__is_that_of_a_rectangle),
        cmocka_unit_test(mass__rounded_polygon__tends_to_a_disc),
        cmocka_unit_test(mass__rounded_box__is_steiners),
        cmocka_unit_test(mass__rounded_needle__tends_to_a_capsule),
        cmocka_unit_test(mass__rounded_polyhedron__as_sampled),
        cmocka_unit_test(mass__random_polyhedron__as_sampled),
        cmocka_unit_test(mass__turned_and_moved__follows),
        cmocka_unit_test(mass__two_halves__are_the_whole),
        cmocka_unit_test(mass__triangles__are_those_of_the_hull),
        cmocka_unit_test(clump__balls_apart__add_up_exactly),
        cmocka_unit_test(clump__two_balls__share_a_lens),
        cmocka_unit_test(clump__long_chain__is_exact_in_every_direction),
        cmocka_unit_test(clump__balls_beyond_numbers__refused),
        cmocka_unit_test(clump__ball_in_a_ball__does_not_count),
        cmocka_unit_test(clump__eight_balls__as_sampled),
        cmocka_unit_test(clump__turned__follows),
        cmocka_unit_test(clump__many_balls__turned_follows),
        cmocka_unit_test(clump__too_many_overlaps__refused),
        cmocka_unit_test(clump__bad_balls__are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
