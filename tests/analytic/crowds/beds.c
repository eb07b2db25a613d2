/* What rests stays at rest, at default settings: beds of spheres, a pyramid. Grains
 * may move by 1e-3 of a body in a minute; a second is run, so by a sixtieth of it. */
#include <stdlib.h>

#include "engine/laws/laws.h"
#include "engine/world/world.h"
#include "tests/analytic/shapes_fixture.h"
#include "tests/support.h"

static const scree_vec3 zero = {0, 0, 0};
static const double PER_SECOND = 1e-3 / 60;

/* ---- the edge of the dead zone ------------------------------------------------ */

/* A ball on another that lies on the floor, a hair beyond the dead zone at the
 * midpoint, and coming back into it; so much aslant that it would fly past the edge
 * of the zone by less than that hair. */
static void contact__back_into_the_dead_zone_aslant__bears(void **state) {
    (void)state;
    const scree_world_def def = scree_world_def_default();
    const double r = 0.01, zone = SCREE_DEAD_ZONE * r, hair = 1e-6 * zone;
    const double half = 0.5 * def.dt, fall = 9.81 * def.dt;
    const scree_vec3 v = vec(1e-5 * r / def.dt, 0, -1.5 * hair / def.dt);
    const scree_vec3 middle = vec(0, 0, 3 * r + zone + hair);
    scree_world *world = make_world(&def, (scree_contact_law){0});
    add_floor(world);
    add_sphere(world, r, vec(0, 0, r), zero, zero);
    add_sphere(world, r, add_scaled(middle, -half, v), v, zero);
    run(world, 1);
    assert_true(read_body(world, 1).v.z > -1e-3 * fall);
    scree_world_destroy(world);
}

/* ---- beds ------------------------------------------------------------------------ */

typedef struct bed {
    int n;
    scree_vec3 *x; /* (n) where they were */
    bool *held;    /* (n) by three contacts or more that bear load */
} bed;

static void count_supports(const scree_world *world, bed *b) {
    int *supports = calloc((size_t)b->n, sizeof *supports);
    scree_contact_view *list;
    int64_t n;
    assert_non_null(supports);
    assert_ok(scree_world_list_contacts(world, &list, &n));
    for (int64_t i = 0; i < n; ++i) {
        const double *P = list[i].percussion;
        if (P[0] == 0 && P[1] == 0 && P[2] == 0) continue;
        ++supports[list[i].a];
        if (list[i].b >= 0) ++supports[list[i].b];
    }
    for (int i = 0; i < b->n; ++i) b->held[i] = supports[i] >= 3;
    free(list);
    free(supports);
}

/* What the grains that are held moved by in a second, over the largest diameter: nine
 * of ten by less than `nine`, none by more than `most`, and down in the mean. */
typedef struct drift {
    double nine, most, sunk, sweeps;
    int held;
} drift;

static int compare_numbers(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static drift measure_drift(const scree_world *world, const bed *b, double d) {
    drift r = {0};
    double *moved = calloc((size_t)b->n, sizeof *moved);
    assert_non_null(moved);
    for (int i = 0; i < b->n; ++i) {
        if (!b->held[i]) continue;
        const scree_vec3 dx = sub(read_body(world, i).x, b->x[i]);
        r.sunk -= dx.z / d;
        moved[r.held++] = norm(dx) / d;
    }
    qsort(moved, (size_t)r.held, sizeof *moved, compare_numbers);
    r.nine = moved[9 * r.held / 10], r.most = moved[r.held - 1];
    r.sunk /= r.held;
    free(moved);
    return r;
}

static drift drift_of_bed(scree_world *world, double d) {
    bed b = {.n = (int)scree_world_body_count(world)};
    b.x = calloc((size_t)b.n, sizeof *b.x);
    b.held = calloc((size_t)b.n, sizeof *b.held);
    assert_true(b.x && b.held);
    for (int i = 0; i < b.n; ++i) b.x[i] = read_body(world, i).x;
    count_supports(world, &b);
    scree_cost before, after;
    scree_world_read_cost(world, &before);
    run(world, 1000);
    scree_world_read_cost(world, &after);
    drift r = measure_drift(world, &b, d);
    r.sweeps = (double)(after.iterations - before.iterations) / 1000;
    free(b.x);
    free(b.held);
    return r;
}

/* Poured into a narrow box, 15 grains high, and left alone for 1.5 s. */
static drift drift_of_column(scree_contact_law law, const char *name) {
    const scree_world_def def = scree_world_def_default();
    const double r = 0.005;
    scree_world *world = make_world(&def, law);
    add_box(world, 4.8 * r);
    add_cloud(world, 300, 4.8 * r, 0.8 * r, r, 1);
    run(world, 1500);
    const drift d = drift_of_bed(world, 2 * r);
    print_message(
        "%s: %d grains held, in 1 s nine of ten moved by less than %.1e "
        "d, all by less than %.1e d, sunk by %.1e d; %.1f sweeps a step\n",
        name, d.held, d.nine, d.most, d.sunk, d.sweeps);
    scree_world_destroy(world);
    return d;
}

static void bed__of_spheres__stands(void **state) {
    (void)state;
    const drift d = drift_of_column((scree_contact_law){.friction = 0.5},
                                    "spheres that roll freely");
    assert_true(d.held > 280);
    assert_true(d.nine < PER_SECOND && fabs(d.sunk) < 0.3 * PER_SECOND);
    assert_true(d.sweeps < 10);
}

/* Without it a grain between the floor and another one may roll on for ever, and move
 * what it bears: here all can be asked to stand. */
static void bed__with_rolling_resistance__all_grains_stand(void **state) {
    (void)state;
    const drift d = drift_of_column(
        (scree_contact_law){.friction = 0.5, .e_n = 0.2, .rolling = 1e-4},
        "spheres that resist rolling");
    assert_true(d.held > 280);
    assert_true(d.most < PER_SECOND && fabs(d.sunk) < 0.1 * PER_SECOND);
    assert_true(d.sweeps < 10);
}

/* ---- a pyramid ----------------------------------------------------------------- */

/* Layers of 5 x 5, 4 x 4, ... boxes, each over the gaps of the one below. */
static void add_pyramid(scree_world *world, double s) {
    const int box = add_box_shape(world, s, s, s);
    for (int n = 5; n > 0; --n)
        for (int i = 0; i < n * n; ++i)
            put_body(world,
                     (put){box, .x = vec((i % n - 0.5 * (n - 1)) * 1.25 * s,
                                         (i / n - 0.5 * (n - 1)) * 1.25 * s,
                                         (5.5 - n) * s)});
}

static void pyramid__at_defaults__stands(void **state) {
    (void)state;
    enum { BOXES = 55 };
    scree_world_def def = scree_world_def_default();
    const double s = 0.2;
    scree_vec3 x[BOXES];
    double most = 0;
    def.dt = 2e-3;
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 0.5});
    add_floor(world);
    add_pyramid(world, s);
    run(world, 250);
    for (int i = 0; i < BOXES; ++i) x[i] = read_body(world, i).x;
    run(world, 500);
    for (int i = 0; i < BOXES; ++i)
        most = fmax(most, norm(sub(read_body(world, i).x, x[i])) / s);
    print_message("pyramid: moved by %.1e of a box in 1 s\n", most);
    assert_true(most < PER_SECOND);
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contact__back_into_the_dead_zone_aslant__bears),
        cmocka_unit_test(bed__of_spheres__stands),
        cmocka_unit_test(bed__with_rolling_resistance__all_grains_stand),
        cmocka_unit_test(pyramid__at_defaults__stands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
