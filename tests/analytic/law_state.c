/* What laws keep of contacts and of bodies, by laws that are not the library's own:
 * friction that weakens with the slip of a contact (tests/laws/weakening.c), and friction
 * that grows with the way of a body (scarring.c), each linked by a line of
 * tests/laws/laws.def. */
#include <stdio.h>
#include <string.h>

#include "engine/world/state.h"
#include "engine/world/view.h"
#include "engine/world/world.h"
#include "tests/analytic/shapes_fixture.h"
#include "tests/in_memory.h"

static const double MU_S = 0.6, MU_K = 0.2, S_0 = 0.05;

static const scree_contact_law weak = {.friction = 0.6, .own = {0.2, 0.05}};

static scree_world_def world_settings(const char *stepper, double dt) {
    scree_world_def def = scree_world_def_default();
    def.stepper = stepper;
    def.dt = dt;
    def.solver.iterations = 2000;
    def.solver.tolerance = 1e-11;
    return def;
}

/* Friction from 0.2 to 0.8, half of that after 0.05 m; in flight s halves in 0.1 s. */
static const double MU = 0.8, MU_0 = 0.2, KAPPA = 20, BETA = 6.931471805599453;
static const scree_contact_law scar = {.friction = 0.8,
                                       .own = {0.2, 0, 20, 6.931471805599453}};

/* A flat box on a floor. */
static scree_world *empty_floor(const scree_world_def *def,
                                const scree_contact_law *law, int *shape) {
    scree_world *world = make_world(def, *law);
    add_floor(world);
    *shape = add_box_shape(world, 0.3, 0.3, 0.02);
    return world;
}
static scree_world *block_of(const scree_world_def *def,
                             const scree_contact_law *law, double v) {
    int shape;
    scree_world *world = empty_floor(def, law, &shape);
    put_body(world, (put){shape, .x = vec(0, 0, 0.01), .v = vec(v, 0, 0)});
    return world;
}

static scree_world *sliding_block(const scree_world_def *def, double v) {
    return block_of(def, &weak, v);
}

/* ---- against closed forms ------------------------------------------------------ */

/* v^2 after a way s: v_0^2 - 2 g (mu_k s + (mu_s - mu_k) s_0 (1 - exp(-s / s_0))). */
static double speed_after(double v, double s) {
    const double work = MU_K * s + (MU_S - MU_K) * S_0 * (1 - exp(-s / S_0));
    return sqrt(v * v - 2 * G * work);
}

static double speed_error(const char *stepper, double dt) {
    const scree_world_def def = world_settings(stepper, dt);
    scree_world *world = sliding_block(&def, 1.5);
    run(world, (int)lround(0.1 / dt));
    const body b = read_body(world, 0);
    const double error = fabs(b.v.x - speed_after(1.5, b.x.x));
    print_message("%s, dt %g: v %.6f after %.4f m, error %.2e m/s\n", stepper,
                  dt, b.v.x, b.x.x, error);
    scree_world_destroy(world);
    return error;
}

/* The error falls with the step. Without weakening v would be less by 0.2 m/s. */
static void weakening__block_slides__speed_of_its_way(void **state) {
    (void)state;
    const char *const steppers[] = {"moreau", "rattle"};
    for (int k = 0; k < 2; ++k) {
        const double coarse = speed_error(steppers[k], 2e-3);
        const double fine = speed_error(steppers[k], 5e-4);
        assert_true(coarse < 5e-3 && fine < 0.35 * coarse);
    }
}

/* On a slope between both coefficients it stays, having slipped nothing; once pushed
 * over the way that weakens it enough it does not stop again. */
static void weakening__slope__stays_until_it_has_slipped(void **state) {
    (void)state;
    scree_world_def def = world_settings("moreau", 1e-3);
    tilt(&def, atan(0.4), 2);
    for (int pushed = 0; pushed < 2; ++pushed) {
        scree_world *world = sliding_block(&def, pushed ? 0.6 : 0);
        run(world, 300);
        const body b = read_body(world, 0);
        if (pushed)
            assert_true(b.v.x > 0.6 && b.x.x > 3 * S_0);
        else
            assert_near(b.v.x, 0, 1e-6);
        scree_world_destroy(world);
    }
}

/* Of scarring: v^2 = v_0^2 - 2 g (mu_0 s + (mu - mu_0) 2 / pi
 * (s atan(kappa s) - ln(1 + kappa^2 s^2) / (2 kappa))). */
static double ploughing_speed(double v, double s) {
    const double k = KAPPA * s;
    const double grown = s * atan(k) - log1p(k * k) / (2 * KAPPA);
    const double work = MU_0 * s + (MU - MU_0) * 2 / acos(-1) * grown;
    return sqrt(v * v - 2 * G * work);
}

static double ploughing_error(const char *stepper, double dt) {
    const scree_world_def def = world_settings(stepper, dt);
    scree_world *world = block_of(&def, &scar, 1.5);
    run(world, (int)lround(0.1 / dt));
    const body b = read_body(world, 0);
    const double error = fabs(b.v.x - ploughing_speed(1.5, b.x.x));
    print_message("%s, dt %g: v %.6f after %.4f m, error %.2e m/s\n", stepper,
                  dt, b.v.x, b.x.x, error);
    assert_near(world->state.bodies.kept[0].x[0], b.x.x, 2 * 1.5 * dt);
    scree_world_destroy(world);
    return error;
}

/* The four corners of the box are one body that ploughs once. */
static void scarring__block_slides__speed_of_its_way(void **state) {
    (void)state;
    const char *const steppers[] = {"moreau", "rattle"};
    for (int k = 0; k < 2; ++k) {
        const double coarse = ploughing_error(steppers[k], 2e-3);
        const double fine = ploughing_error(steppers[k], 5e-4);
        assert_true(coarse < 1e-2 && fine < 0.35 * coarse);
    }
}

/* Thrown up after some way: in flight half of it is forgotten in a tenth of a second. */
static void scarring__block_flies__way_is_forgotten(void **state) {
    (void)state;
    const scree_world_def def = world_settings("moreau", 1e-3);
    scree_world *world = block_of(&def, &scar, 1.5);
    run(world, 50);
    world->state.bodies.u[0].v = vec(0, 0, 2);
    run(world, 2);
    const double s = world->state.bodies.kept[0].x[0];
    run(world, 100);
    assert_true(s > 0.05);
    assert_near(world->state.bodies.kept[0].x[0], s * exp(-BETA * 0.1),
                1e-12 * s);
    scree_world_destroy(world);
}

/* Names and numbers for files: of worlds that have the law alone. */
static void scarring__fields__named_where_it_acts(void **state) {
    (void)state;
    const scree_world_def def = world_settings("moreau", 1e-3);
    scree_world *scarred = block_of(&def, &scar, 0);
    scree_world *plain = sliding_block(&def, 0);
    const scree_state_fields f = scree_world_body_fields(scarred);
    assert_int_equal(f.n, 1);
    assert_string_equal(f.list[0].name, "ploughed");
    assert_int_equal(scree_world_body_fields(plain).n, 0);
    scree_world_destroy(scarred);
    scree_world_destroy(plain);
}

/* ---- the table ------------------------------------------------------------------- */

static bool same_numbers(const scree_row_law *a, const scree_row_law *b) {
    return a->state.first == b->state.first && a->state.n == b->state.n &&
           a->state.odd == b->state.odd &&
           !strcmp(a->state.name, b->state.name);
}

static void laws__table__own_numbers_and_names(void **state) {
    (void)state;
    for (int i = 0; scree_row_laws[i]; ++i) {
        const scree_row_law *a = scree_row_laws[i];
        assert_true(a->name && a->about && !a->acts == !a->enter);
        if (!a->state.name) continue;
        assert_true(a->state.first >= 0 && a->state.n > 0);
        assert_true(a->state.first + a->state.n <= SCREE_STATE_WIDTH);
        for (int k = 0; k < i; ++k) {
            const scree_row_law *b = scree_row_laws[k];
            if (!b->state.name || same_numbers(a, b)) continue;
            assert_true(a->state.first >= b->state.first + b->state.n ||
                        b->state.first >= a->state.first + a->state.n);
            assert_string_not_equal(a->state.name, b->state.name);
        }
    }
    assert_string_equal(scree_row_laws[SCREE_ROW_LAWS]->name, "weakening");
}

/* ---- checkpoints ------------------------------------------------------------------ */

static uint64_t hash_of_restart(const scree_world_def *def,
                                const scree_contact_law *law, in_memory *m,
                                const char *lost, int steps) {
    scree_error error = {0};
    int shape;
    scree_world *world = empty_floor(def, law, &shape);
    scree_archive a = {
        .ops = &in_memory_ops, .self = m, .loads = true, .error = &error};
    m->lost = lost;
    assert_ok(scree_world_archive(world, &a));
    run(world, steps);
    const uint64_t hash = scree_world_hash(world);
    scree_world_destroy(world);
    return hash;
}

/* The run goes on with the same bits; a checkpoint that knows nothing of the law's
 * number is one of a block that has not slipped. */
static void restart_exactly(const scree_contact_law *law, const char *number) {
    const scree_world_def def = world_settings("moreau", 1e-3);
    scree_world *world = block_of(&def, law, 1.5);
    scree_error error = {0};
    in_memory m = {.n = 0};
    run(world, 60);
    scree_archive a = {.ops = &in_memory_ops, .self = &m, .error = &error};
    assert_ok(scree_world_archive(world, &a));
    run(world, 40);
    const uint64_t hash = scree_world_hash(world);
    assert_true(hash == hash_of_restart(&def, law, &m, NULL, 40));
    assert_true(hash != hash_of_restart(&def, law, &m, number, 40));
    scree_world_destroy(world);
    in_memory_clear(&m);
}

static void weakening__checkpoint__slip_goes_on(void **state) {
    (void)state;
    restart_exactly(&weak, "contacts/slip");
}

static void scarring__checkpoint__way_goes_on(void **state) {
    (void)state;
    restart_exactly(&scar, "bodies/ploughed");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weakening__block_slides__speed_of_its_way),
        cmocka_unit_test(weakening__slope__stays_until_it_has_slipped),
        cmocka_unit_test(scarring__block_slides__speed_of_its_way),
        cmocka_unit_test(scarring__block_flies__way_is_forgotten),
        cmocka_unit_test(scarring__fields__named_where_it_acts),
        cmocka_unit_test(laws__table__own_numbers_and_names),
        cmocka_unit_test(weakening__checkpoint__slip_goes_on),
        cmocka_unit_test(scarring__checkpoint__way_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
