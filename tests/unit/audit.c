/* audit.c: what the audit finds in worlds whose faults are known, that it counts as
 * a look at all pairs does, and that it leaves a world as it is. */
#include "engine/audit/audit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/random.h"
#include "engine/world/world.h"
#include "tests/support.h"

static const scree_finding *
find(const scree_audit *audit, scree_finding_code code, scree_severity least) {
    for (int i = 0; i < audit->n; ++i)
        if (audit->list[i].code == code && audit->list[i].severity >= least)
            return &audit->list[i];
    return NULL;
}

static scree_audit audit_of(const scree_world *world) {
    const scree_audit_scene scene = {.end = 1};
    scree_audit audit = {0};
    assert_ok(scree_audit_world(world, &scene, &audit));
    return audit;
}

static scree_world *plain_world(int threads) {
    scree_world_def def = scree_world_def_default();
    def.threads = threads;
    return make_world(&def, (scree_contact_law){.friction = 0.3});
}

static void assert_clean(const scree_world *world) {
    scree_audit audit = audit_of(world);
    for (int i = 0; i < audit.n; ++i)
        if (audit.list[i].severity > SCREE_NOTE)
            fail_msg("%s", audit.list[i].text);
    scree_audit_free(&audit);
}

/* ---- overlaps ---------------------------------------------------------------- */

enum { CROWD = 600 };

static void fill_crowd(scree_world *world, scree_ball *balls) {
    scree_random rng = scree_random_stream(7, 1);
    for (int i = 0; i < CROWD; ++i) {
        const scree_vec3 x =
            vec(scree_random_range(&rng, 0, 1), scree_random_range(&rng, 0, 1),
                scree_random_range(&rng, 1, 2));
        const double r = scree_random_range(&rng, 0.01, 0.06);
        add_sphere(world, r, x, vec(0, 0, 0), vec(0, 0, 0));
        balls[i] = (scree_ball){x, r};
    }
}

/* What a look at all pairs says, in the words of the audit. */
static void count_all(const scree_ball *x, long long *n, int *a, int *b,
                      double *depth) {
    double worst = 0;
    *n = 0;
    for (int i = 0; i < CROWD; ++i)
        for (int j = i + 1; j < CROWD; ++j) {
            const double r = fmin(x[i].r, x[j].r),
                         d = x[i].r + x[j].r - norm(sub(x[i].x, x[j].x));
            *n += d > 1e-3 * r;
            if (d / r > worst) worst = d / r, *a = i, *b = j, *depth = d;
        }
}

static void overlaps__random_crowd__as_all_pairs_say(void **state) {
    (void)state;
    scree_ball balls[CROWD];
    long long n, found;
    int a = 0, b = 0;
    double depth = 0;
    char words[200];
    for (int threads = 1; threads <= 2; ++threads) {
        scree_world *world = plain_world(threads);
        add_floor(world);
        fill_crowd(world, balls);
        count_all(balls, &n, &a, &b, &depth);
        scree_audit audit = audit_of(world);
        const scree_finding *f =
            find(&audit, SCREE_FINDING_OVERLAP, SCREE_ERROR);
        assert_non_null(f);
        assert_int_equal(sscanf(f->text, "%lld pairs", &found), 1);
        assert_int_equal(found, n);
        snprintf(words, sizeof words, "bodies %d and %d worst, by %.3g m", a, b,
                 depth);
        assert_non_null(strstr(f->text, words));
        scree_audit_free(&audit);
        scree_world_destroy(world);
    }
}

static int add_box_shape(scree_world *world, double edge) {
    scree_shape_def def = scree_shape_def_default();
    int shape;
    def.kind = SCREE_SHAPE_BOX;
    for (int k = 0; k < 3; ++k) def.size[k] = edge;
    assert_ok(scree_world_add_shape(world, &def, &shape));
    return shape;
}

static void put_box(scree_world *world, int shape, double x, double z) {
    scree_body_def def = scree_body_def_default();
    def.shape = shape;
    def.position[0] = x;
    def.position[2] = z;
    assert_ok(scree_world_add_body(world, &def, NULL));
}

/* Two cubes of 0.2 m: deep beyond half of their inner radius of 0.1 m, a little in
 * each other, in touch. */
static void overlaps__boxes__by_their_inner_radius(void **state) {
    (void)state;
    static const struct {
        double x;
        int severity; /* -1: none */
        const char *words;
    } rows[] = {{0.14, SCREE_ERROR, "by 0.06 m, 0.6 of"},
                {0.18, SCREE_WARNING, "by 0.02 m, 0.2 of"},
                {0.2, -1, NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        scree_world *world = plain_world(1);
        add_floor(world);
        const int shape = add_box_shape(world, 0.2);
        put_box(world, shape, 0, 0.1);
        put_box(world, shape, rows[i].x, 0.1);
        scree_audit audit = audit_of(world);
        const scree_finding *f =
            find(&audit, SCREE_FINDING_OVERLAP, SCREE_NOTE);
        assert_int_equal(f ? (int)f->severity : -1, rows[i].severity);
        if (f) assert_non_null(strstr(f->text, rows[i].words));
        scree_audit_free(&audit);
        scree_world_destroy(world);
    }
}

static void walls__behind_and_partly_in__told_apart(void **state) {
    (void)state;
    static const struct {
        double z;
        int severity;
    } rows[] = {{-0.01, SCREE_ERROR}, {0.05, SCREE_WARNING}, {0.1, -1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        scree_world *world = plain_world(1);
        add_floor(world);
        add_sphere(world, 0.1, vec(0, 0, rows[i].z), vec(0, 0, 0),
                   vec(0, 0, 0));
        scree_audit audit = audit_of(world);
        const scree_finding *f = find(&audit, SCREE_FINDING_WALL, SCREE_NOTE);
        assert_int_equal(f ? (int)f->severity : -1, rows[i].severity);
        scree_audit_free(&audit);
        scree_world_destroy(world);
    }
}

/* ---- what it must not do ------------------------------------------------------- */

static scree_world *falling_cloud(void) {
    scree_world *world = plain_world(2);
    add_box(world, 0.5);
    add_cloud(world, 300, 0.45, 0.02, 0.04, 3);
    return world;
}

static void world__audited__same_bits_afterwards(void **state) {
    (void)state;
    scree_world *seen = falling_cloud(), *unseen = falling_cloud();
    assert_clean(seen);
    run(seen, 150);
    run(unseen, 150);
    assert_true(scree_world_hash(seen) == scree_world_hash(unseen));
    scree_cost a, b;
    scree_world_read_cost(seen, &a);
    scree_world_read_cost(unseen, &b);
    assert_int_equal(a.contact_iterations, b.contact_iterations);
    assert_int_equal(a.rebuilds, b.rebuilds);
    scree_world_destroy(seen);
    scree_world_destroy(unseen);
}

static void generators__ready__clean(void **state) {
    (void)state;
    const scree_grain spheres = {
        .radius = {.kind = SCREE_RADIUS_UNIFORM, .min = 0.02, .max = 0.04},
        .turn = SCREE_TURN_NONE};
    const scree_fill fill = {.region = {.kind = SCREE_REGION_BOX,
                                        .min = {-0.5, -0.5, 0},
                                        .max = {0.5, 0.5, 1}},
                             .solid_fraction = 0.3,
                             .grain = spheres};
    const scree_lattice lattice = {
        .origin = {-0.4, -0.4, 1.5},
        .counts = {8, 8, 3},
        .spacing = {0.08, 0.08, 0.08},
        .grain = {.radius = {.kind = SCREE_RADIUS_CONSTANT, .value = 0.04},
                  .turn = SCREE_TURN_NONE}};
    scree_error error = {0};
    scree_world *world = plain_world(2);
    add_box(world, 0.5);
    assert_ok(scree_fill_make(&fill, scree_random_stream(1, 0), world, &error));
    assert_ok(
        scree_lattice_make(&lattice, scree_random_stream(1, 1), world, &error));
    assert_clean(world);
    scree_world_destroy(world);
}

/* ---- pours ---------------------------------------------------------------------- */

static void pour__rate__bounds_it(void **state) {
    (void)state;
    const double g[3] = {0, 0, -9.81};
    const scree_pour pour = {
        .region = {.max = {1, 1, 1}},
        .rate = 10,
        .count = 1000,
        .start = 1,
        .stop = 100,
        .grain = {.radius = {.value = 0.01}, .turn = SCREE_TURN_NONE}};
    assert_near(scree_pour_most(&pour, g, 3.05), 21, 0);
    assert_near(scree_pour_most(&pour, g, 0.5), 1, 0);
}

/* Room for 0.35 V / v at once, and as many again in each time that a body needs to
 * leave: (h + d) / 2 = g t^2 / 2. */
static void pour__region__bounds_it(void **state) {
    (void)state;
    const double rest[3] = {0, 0, 0}, g[3] = {0, 0, -8}, r = 0.1;
    const scree_pour pour = {
        .region = {.max = {1, 1, 0.6}},
        .rate = 1e6,
        .count = 1000000,
        .stop = 100,
        .grain = {.radius = {.value = r}, .turn = SCREE_TURN_NONE}};
    const double once = 0.35 * 0.6 / (4.0 / 3 * acos(-1) * r * r * r),
                 t = sqrt(0.8 / 8);
    assert_near(scree_pour_most(&pour, rest, 10), floor(once), 0);
    assert_near(scree_pour_most(&pour, g, 10), floor(once * (1 + 10 / t)), 0);
}

/* ---- on the way ------------------------------------------------------------------- */

static void stride__sphere_in_flight__v_dt_over_d(void **state) {
    (void)state;
    scree_world_def def = scree_world_def_default();
    def.gravity[2] = 0;
    def.dt = 0.01;
    scree_world *world = make_world(&def, (scree_contact_law){0});
    add_sphere(world, 0.1, vec(0, 0, 0), vec(0, 1, 0), vec(0, 0, 0));
    add_sphere(world, 0.4, vec(9, 0, 0), vec(0, 3, 0), vec(0, 0, 0));
    run(world, 1);
    assert_near(world->step.stride, 0.05,
                1e-15); /* the larger one is slower: 0.0375 */
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overlaps__random_crowd__as_all_pairs_say),
        cmocka_unit_test(overlaps__boxes__by_their_inner_radius),
        cmocka_unit_test(walls__behind_and_partly_in__told_apart),
        cmocka_unit_test(world__audited__same_bits_afterwards),
        cmocka_unit_test(generators__ready__clean),
        cmocka_unit_test(pour__rate__bounds_it),
        cmocka_unit_test(pour__region__bounds_it),
        cmocka_unit_test(stride__sphere_in_flight__v_dt_over_d),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
