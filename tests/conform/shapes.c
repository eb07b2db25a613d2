/* Every shape of shapes.def by its samples: what its operations say of one
 * solid agrees, on flat ground of every kind and beside every other shape. */
#include "contact/narrow/touch.h"
#include "contact/solid/shape.h"
#include "contact/solid/surface.h"
#include "contact/surface/chain.h"
#include "contact/surface/heightfield.h"
#include "contact/surface/mesh.h"
#include "contact/surface/revolved.h"
#include "tests/solids.h"
#include "tests/support.h"

enum { MOST = 64, DIRECTIONS = 200, POSES = 20 };

/* A convex solid of a shape. */
typedef struct sample {
    const scree_shape_ops *shape;
    scree_form form;
    scree_solid solid;
} sample;

static sample samples[MOST];
static int count;

static void take_sample(const scree_shape_ops *shape,
                        const scree_shape_sizes *sizes) {
    assert_true(count < MOST);
    sample *s = &samples[count++];
    *s = (sample){.shape = shape};
    if (shape->make) {
        assert_ok(shape->make(&s->form, sizes, NULL));
        s->solid = s->form.solid;
        s->solid.hull = s->form.hull.n_vertex ? &s->form.hull : NULL;
    } else {
        s->solid = (scree_solid){.core = SCREE_CORE_POINT,
                                 .radius = sizes->radius,
                                 .bound = sizes->radius};
    }
}

/* Clumps are left to tests/unit/mass.c and tests/analytic/clumps.c: they are no
 * solids. */
static int make_samples(void **state) {
    (void)state;
    const scree_shape_ops *shape;
    for (int i = 0; (shape = scree_shape_get(i)); ++i) {
        assert_true(shape->sweep || shape->n_sample > 0);
        for (int k = 0; k < shape->n_sample && shape->solid; ++k)
            take_sample(shape, &shape->samples[k]);
    }
    return 0;
}

static int free_samples(void **state) {
    (void)state;
    for (int i = 0; i < count; ++i) scree_form_free(&samples[i].form);
    return 0;
}

static scree_vec3 direction_for(const sample *s, scree_random *rng) {
    const double a = scree_random_range(rng, 0, 7);
    return s->shape->planar ? vec(cos(a), sin(a), 0) : random_direction(rng);
}

static scree_placed pose(const sample *s, scree_vec3 x, scree_random *rng) {
    return (scree_placed){&s->solid, x,
                          s->shape->planar ? random_planar_turn(rng)
                                           : random_turn(rng)};
}

static double extent(const scree_placed *p, scree_vec3 d) {
    uint32_t feature;
    const scree_vec3 x = scree_core_support(p, d, &feature);
    return dot(d, sub(x, p->x)) + p->solid->radius;
}

/* ---- one solid ----------------------------------------------------------- */

/* The surface lies in the solid, reaches all that supports say within its
 * chords, and between the two balls. */
static void shapes__surface__agrees_with_support_and_bounds(void **state) {
    (void)state;
    scree_random rng = {3};
    for (int i = 0; i < count; ++i) {
        const sample *s = &samples[i];
        const scree_solid_ops *ops = s->shape->solid;
        const scree_placed home = {
            &s->solid, vec(0, 0, 0), {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
        scree_surface f;
        assert_ok(scree_surface_make(&f, &s->solid, s->shape->planar, 4, NULL));
        assert_near(ops->bound(&s->solid), s->solid.bound, 1e-15);
        double farthest = 0;
        for (int v = 0; v < f.n_vertex; ++v)
            farthest = fmax(farthest, norm(f.vertex[v]));
        assert_near(farthest, s->solid.bound, 1e-2 * s->solid.bound);
        assert_true(farthest <= s->solid.bound * (1 + 1e-12));
        for (int k = 0; k < DIRECTIONS; ++k) {
            const scree_vec3 d = direction_for(s, &rng);
            const double most = extent(&home, d);
            double found = -INFINITY;
            for (int v = 0; v < f.n_vertex; ++v)
                found = fmax(found, dot(d, f.vertex[v]));
            assert_true(found <= most + 1e-12);
            assert_true(found >= most - 1e-2 * s->solid.bound);
            assert_true(most >= ops->inside(&s->solid) - 1e-12);
        }
        scree_surface_free(&f);
    }
}

/* Volume and second moment about z of the pyramids over the triangles of a
 * closed surface; in the plane of the triangles themselves. */
static void add_triangle(scree_vec3 a, scree_vec3 b, scree_vec3 c, bool planar,
                         double *volume, double *polar) {
    const double v =
        planar ? 0.5 * cross(sub(b, a), sub(c, a)).z : dot(a, cross(b, c)) / 6;
    const scree_vec3 sum = add(a, add(b, c));
    const double squares = a.x * a.x + b.x * b.x + c.x * c.x + a.y * a.y +
                           b.y * b.y + c.y * c.y + sum.x * sum.x +
                           sum.y * sum.y;
    *volume += v;
    *polar += v * squares / (planar ? 12 : 20);
}

static void shapes__mass__is_that_of_the_surface(void **state) {
    (void)state;
    for (int i = 0; i < count; ++i) {
        const sample *s = &samples[i];
        scree_surface f;
        assert_ok(scree_surface_make(&f, &s->solid, s->shape->planar, 5, NULL));
        double volume = 0, polar = 0;
        for (int p = 0; p < f.n_polygon; ++p)
            for (int c = f.loop[p] + 1; c + 1 < f.loop[p + 1]; ++c)
                add_triangle(f.vertex[f.corner[f.loop[p]]],
                             f.vertex[f.corner[c]], f.vertex[f.corner[c + 1]],
                             s->shape->planar, &volume, &polar);
        const scree_mass m = s->shape->solid->mass(&s->solid);
        assert_near(volume / m.volume, 1, 1e-2);
        assert_near(polar / m.zz, 1, 2e-2);
        assert_near(norm(m.centre), 0, 1e-12);
        scree_surface_free(&f);
    }
}

/* ---- on flat ground ------------------------------------------------------ */

static const double SIDE = 10;

/* Ground whose surface is z = 0, for segments y = 0. */
typedef struct ground {
    scree_plane wall;
    scree_mesh mesh;
    scree_heightfield field;
    scree_chain chain;
    scree_revolved revolved;
} ground;

static void make_ground(ground *g, scree_ground kind) {
    *g = (ground){.wall = {.n = vec(0, 0, 1),
                           .R = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                           .exists = true}};
    scree_vec3 p[4] = {
        {-SIDE, -SIDE, 0}, {SIDE, -SIDE, 0}, {SIDE, SIDE, 0}, {-SIDE, SIDE, 0}};
    int32_t corner[2][3] = {{0, 1, 2}, {0, 2, 3}};
    double z[4] = {0};
    switch (kind) {
    case SCREE_GROUND_MESH: {
        const scree_triangles t = {
            .n_vertex = 4, .vertex = p, .n_triangle = 2, .corner = corner};
        assert_ok(scree_mesh_make(&g->mesh, &t, false, NULL));
        g->wall.mesh = &g->mesh;
        break;
    }
    case SCREE_GROUND_TERRAIN:
        assert_ok(scree_heightfield_make(
            &g->field, &(scree_heights){2, 2, -SIDE, -SIDE, 2 * SIDE, z},
            NULL));
        g->wall.field = &g->field;
        break;
    case SCREE_GROUND_SEGMENTS:
        p[0].y = p[1].y = 0;
        assert_ok(scree_chain_make(&g->chain, p, 2, false, 0, NULL));
        g->wall.chain = &g->chain;
        break;
    case SCREE_GROUND_REVOLVED:
        assert_ok(scree_revolved_make(
            &g->revolved, (const double[]){0, 0, SIDE, 0}, 2, false, NULL));
        g->wall.revolved = &g->revolved;
        break;
    default:
        break;
    }
    assert_int_equal(scree_plane_kind(&g->wall), kind);
}

static void free_ground(ground *g) {
    if (g->wall.mesh) scree_mesh_free(&g->mesh);
    if (g->wall.field) scree_heightfield_free(&g->field);
    if (g->wall.chain) scree_chain_free(&g->chain);
    if (g->wall.revolved) scree_revolved_free(&g->revolved);
}

/* Every pair of the table: as deep as the lowest point of the solid. Every
 * solid has a plane, and a surface, to lie on. */
static void shapes__on_flat_ground__deepest_at_the_lowest_point(void **state) {
    (void)state;
    scree_random rng = {5};
    for (int i = 0; i < count; ++i) {
        const sample *s = &samples[i];
        int kinds = 0;
        for (int kind = 0; kind < SCREE_GROUNDS; ++kind) {
            if (!scree_wall_routine(s->solid.core, (scree_ground)kind))
                continue;
            if ((kind == SCREE_GROUND_SEGMENTS) != s->shape->planar &&
                kind != SCREE_GROUND_PLANE)
                continue;
            ground g;
            make_ground(&g, (scree_ground)kind);
            const scree_vec3 up =
                s->shape->planar ? vec(0, 1, 0) : vec(0, 0, 1);
            g.wall.n = up;
            for (int k = 0; k < DIRECTIONS; ++k) {
                scree_placed p = pose(s, vec(0.1, 0.1, 0), &rng);
                if (s->shape->planar) p.x = vec(0.1, 0, 0);
                const double low = extent(&p, scale(-1, up));
                const double at = low + scree_random_range(&rng, -0.02, 0.1);
                p.x = vec(0.1, s->shape->planar ? at : 0.1,
                          s->shape->planar ? 0 : at);
                scree_touch t[SCREE_TOUCHES];
                const int n = scree_solid_wall(&p, &g.wall, 0.2, t);
                double least = INFINITY;
                for (int j = 0; j < n; ++j) least = fmin(least, t[j].g);
                assert_near(least, at - low, 1e-9);
            }
            free_ground(&g);
            ++kinds;
        }
        assert_true(kinds >= 2);
    }
}

/* ---- beside each other --------------------------------------------------- */

/* The gap is what the normal separates, in either order, and no direction
 * separates more (tests/conform/pairs.c looks closer). */
static void check_pair(const sample *sa, const sample *sb, scree_random *rng) {
    const bool planar = sa->shape->planar;
    const double far = sa->solid.bound + sb->solid.bound;
    const scree_vec3 x =
        scale(scree_random_range(rng, 0.3, 1) * far, direction_for(sa, rng));
    const scree_placed a = pose(sa, x, rng), b = pose(sb, vec(0, 0, 0), rng);
    scree_touch t[SCREE_TOUCHES], u[SCREE_TOUCHES];
    const int n = scree_solids_touch(&a, &b, 10, t);
    const int m = scree_solids_touch(&b, &a, 10, u);
    assert_true(n > 0 && n <= (planar ? 2 : 4));
    assert_int_equal(n, m);
    double g = INFINITY, h = INFINITY;
    for (int k = 0; k < n; ++k) g = fmin(g, t[k].g), h = fmin(h, u[k].g);
    const double r = sa->solid.radius + sb->solid.radius;
    const double tolerance = 3 * scree_face_bias(&a, &b, g + r) + 1e-7;
    assert_near(h, g, tolerance);
    assert_near(separation(&a, &b, t[0].n) - r, g, tolerance);
    for (int k = 0; k < 50; ++k)
        assert_true(separation(&a, &b, direction_for(sa, rng)) - r <=
                    g + tolerance);
}

static void shapes__any_two__touch_as_the_table_says(void **state) {
    (void)state;
    scree_random rng = {7};
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < count; ++j) {
            if (samples[i].shape->planar != samples[j].shape->planar) continue;
            assert_non_null(
                scree_pair_routine(samples[i].solid.core, samples[j].solid.core)
                    .find);
            for (int k = 0; k < POSES; ++k)
                check_pair(&samples[i], &samples[j], &rng);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes__surface__agrees_with_support_and_bounds),
        cmocka_unit_test(shapes__mass__is_that_of_the_surface),
        cmocka_unit_test(shapes__on_flat_ground__deepest_at_the_lowest_point),
        cmocka_unit_test(shapes__any_two__touch_as_the_table_says),
    };
    return cmocka_run_group_tests(tests, make_samples, free_samples);
}
