/* What laws keep of contacts, by a law that is not the library's own: friction that
 * weakens with slip (tests/laws/weakening.c), linked by a line of tests/laws/laws.def. */
#include <stdio.h>
#include <string.h>

#include "engine/world/state.h"
#include "engine/world/world.h"
#include "tests/analytic/shapes_fixture.h"

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

/* A flat box on a floor. */
static scree_world *empty_floor(const scree_world_def *def, int *shape) {
    scree_world *world = make_world(def, weak);
    add_floor(world);
    *shape = add_box_shape(world, 0.3, 0.3, 0.02);
    return world;
}
static scree_world *sliding_block(const scree_world_def *def, double v) {
    int shape;
    scree_world *world = empty_floor(def, &shape);
    put_body(world, (put){shape, .x = vec(0, 0, 0.01), .v = vec(v, 0, 0)});
    return world;
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

/* An archive in memory. */
typedef struct kept_array {
    char name[96];
    int64_t n;
    size_t bytes;
    void *data;
} kept_array;

typedef struct memory {
    kept_array list[200];
    int n;
    const char *lost; /* an array that is not there */
} memory;

static kept_array *find_array(memory *m, const char *name) {
    for (int k = 0; k < m->n; ++k)
        if (!strcmp(m->list[k].name, name) &&
            (!m->lost || strcmp(name, m->lost)))
            return &m->list[k];
    return NULL;
}

static size_t bytes_of(const scree_rows *rows) {
    return (size_t)rows->n * (size_t)rows->columns *
           scree_number_size(rows->type);
}

static scree_status put_array(void *self, const scree_rows *rows,
                              const void *data, scree_error *error) {
    memory *m = self;
    (void)error;
    assert_true(m->n < 200);
    kept_array *to = &m->list[m->n++];
    *to = (kept_array){.n = rows->n, .bytes = bytes_of(rows)};
    snprintf(to->name, sizeof to->name, "%s", rows->name);
    to->data = malloc(to->bytes + 1);
    if (to->bytes) memcpy(to->data, data, to->bytes);
    return SCREE_OK;
}

static scree_status get_array(void *self, const scree_rows *rows, void *data,
                              scree_error *error) {
    const kept_array *from = find_array(self, rows->name);
    if (!from || from->bytes != bytes_of(rows))
        return scree_fail(error, SCREE_BAD_INPUT, "no %s", rows->name);
    if (from->bytes) memcpy(data, from->data, from->bytes);
    return SCREE_OK;
}

static int64_t count_array(void *self, const char *name) {
    const kept_array *from = find_array(self, name);
    return from ? from->n : SCREE_NO_ARRAY;
}

static const scree_archive_ops in_memory = {put_array, get_array, count_array,
                                            NULL, NULL};

static uint64_t hash_of_restart(const scree_world_def *def, memory *m,
                                const char *lost, int steps) {
    scree_error error = {0};
    int shape;
    scree_world *world = empty_floor(def, &shape);
    scree_archive a = {
        .ops = &in_memory, .self = m, .loads = true, .error = &error};
    m->lost = lost;
    assert_ok(scree_world_archive(world, &a));
    run(world, steps);
    const uint64_t hash = scree_world_hash(world);
    scree_world_destroy(world);
    return hash;
}

/* The run goes on with the same bits; a checkpoint that knows nothing of the law's
 * number is one of a block that has not slipped. */
static void weakening__checkpoint__slip_goes_on(void **state) {
    (void)state;
    const scree_world_def def = world_settings("moreau", 1e-3);
    scree_world *world = sliding_block(&def, 1.5);
    scree_error error = {0};
    memory m = {.n = 0};
    run(world, 60);
    scree_archive a = {.ops = &in_memory, .self = &m, .error = &error};
    assert_ok(scree_world_archive(world, &a));
    run(world, 40);
    const uint64_t hash = scree_world_hash(world);
    assert_true(hash == hash_of_restart(&def, &m, NULL, 40));
    assert_true(hash != hash_of_restart(&def, &m, "contacts/slip", 40));
    scree_world_destroy(world);
    for (int k = 0; k < m.n; ++k) free(m.list[k].data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weakening__block_slides__speed_of_its_way),
        cmocka_unit_test(weakening__slope__stays_until_it_has_slipped),
        cmocka_unit_test(laws__table__own_numbers_and_names),
        cmocka_unit_test(weakening__checkpoint__slip_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
