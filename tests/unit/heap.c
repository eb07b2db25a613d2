/* Memory: steady steps make no heap calls, nothing is left after destroy, and a
 * body with its contacts fits its budget, also while it falls. Linked with --wrap,
 * so that every allocation of the library passes through here. */
#include <malloc.h>
#include <stdlib.h>

#include "engine/base/arena.h"
#include "tests/support.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *p);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void *p);

static long calls, live;
static size_t held, most; /* [bytes] */
static long refuse = -1;  /* the array after so many is refused; -1: none */

static void *taken(void *p) {
    ++calls, live += !!p;
    held += malloc_usable_size(p);
    if (held > most) most = held;
    return p;
}
static void given_back(void *p) {
    ++calls, live -= !!p;
    held -= malloc_usable_size(p);
}

void *__wrap_malloc(size_t size) {
    return taken(__real_malloc(size));
}
void *__wrap_calloc(size_t n, size_t size) {
    return taken(__real_calloc(n, size));
}
void *__wrap_realloc(void *p, size_t size) {
    given_back(p);
    return taken(__real_realloc(p, size));
}
void *__wrap_aligned_alloc(size_t alignment, size_t size) {
    if (refuse >= 0 && refuse-- == 0) return NULL;
    return taken(__real_aligned_alloc(alignment, size));
}
void __wrap_free(void *p) {
    given_back(p);
    __real_free(p);
}

/* ---- arrays --------------------------------------------------------------- */

/* Of 25 MB: copied, old and new would be held at once. */
static void reserve_anew__growth__old_goes_before_new_comes(void **state) {
    (void)state;
    enum { N = 3 << 20 };
    double *a = NULL;
    int64_t capacity = 0;
    const size_t before = held;
    assert_ok(scree_reserve_anew(&a, &capacity, N, sizeof *a));
    assert_int_equal(capacity, N);
    double *const first = a;
    assert_ok(scree_reserve_anew(&a, &capacity, N / 2, sizeof *a));
    assert_ptr_equal(a, first);
    most = held;
    assert_ok(scree_reserve_anew(&a, &capacity, N + 1, sizeof *a));
    assert_int_equal(capacity, N + N / 4 + 8);
    assert_true(most - before < 1.5 * N * sizeof *a);
    free(a);
    assert_int_equal(held, before);
}

static void reserve_anew__no_memory__nothing_there(void **state) {
    (void)state;
    double *a = NULL;
    int64_t capacity = 0;
    assert_ok(scree_reserve_anew(&a, &capacity, 10, sizeof *a));
    refuse = 0;
    assert_int_equal(scree_reserve_anew(&a, &capacity, 11, sizeof *a),
                     SCREE_OUT_OF_MEMORY);
    assert_null(a);
    assert_int_equal(capacity, 0);
}

/* ---- worlds --------------------------------------------------------------- */

static scree_world *settled_bed(const char *stepper, const char *method, int n,
                                double half, int steps) {
    scree_world_def def = scree_world_def_default();
    def.threads = 1;
    def.stepper = stepper;
    def.solver.method = method;
    def.dt = 2e-3, def.dt_min = 0.5e-3;
    def.capacity = n;
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 0.5});
    add_box(world, half);
    add_cloud(world, n, half, 0.04, 0.06, 1);
    run(world, steps);
    return world;
}

static void check_steady(const char *stepper, const char *method) {
    scree_world *world = settled_bed(stepper, method, 150, 0.27, 1000);
    const long before = calls;
    run(world, 200);
    assert_int_equal(calls, before);
    scree_world_destroy(world);
}

static void steady_step__pgs__no_heap_calls(void **state) {
    (void)state;
    check_steady("moreau", "pgs");
}

static void steady_step__jacobi__no_heap_calls(void **state) {
    (void)state;
    check_steady("moreau", "jacobi");
}

static void steady_step__apgd__no_heap_calls(void **state) {
    (void)state;
    check_steady("moreau", "apgd");
}

static void steady_step__rattle__no_heap_calls(void **state) {
    (void)state;
    check_steady("rattle", "pgs");
}

/* With what it tries and takes back. */
static void steady_step__moreau_adaptive__no_heap_calls(void **state) {
    (void)state;
    scree_world *world = settled_bed("moreau-adaptive", "pgs", 150, 0.27, 4000);
    const long before = calls;
    scree_cost cost0, cost1;
    scree_world_read_cost(world, &cost0);
    run(world, 200);
    scree_world_read_cost(world, &cost1);
    assert_int_equal(calls, before);
    assert_true(cost1.substeps > cost0.substeps + 200);
    scree_world_destroy(world);
}

/* Rebuilds of the Verlet list belong to the steady state of a flow. */
static void flowing_step__rebuilds__no_heap_calls(void **state) {
    (void)state;
    scree_world *world = settled_bed("moreau", "pgs", 150, 0.27, 1000);
    scree_cost cost0, cost1;
    add_sphere(world, 0.05, vec(0, 0, 1.5), vec(0.3, 0.2, -5), vec(0, 0, 0));
    run(world, 20);
    const long before = calls;
    scree_world_read_cost(world, &cost0);
    run(world, 200);
    scree_world_read_cost(world, &cost1);
    assert_true(cost1.rebuilds > cost0.rebuilds);
    assert_in_range(calls - before, 0, 6); /* only lists that grow */
    scree_world_destroy(world);
}

static void destroy__after_steps__nothing_left(void **state) {
    (void)state;
    const long before = live;
    scree_world *world = settled_bed("moreau", "pgs", 100, 0.35, 300);
    assert_true(live > before);
    scree_world_destroy(world);
    assert_int_equal(live, before);
}

/* The budget of 1.5 kB per body holds for 5 contacts each. */
static void settled_bed__bytes_per_body__within_budget(void **state) {
    (void)state;
    enum { N = 2000 };
    scree_world *world = settled_bed("moreau", "pgs", N, 0.6, 600);
    scree_cost cost;
    scree_world_read_cost(world, &cost);
    const scree_scalars s = read_scalars(world);
    const double each = 2.0 * (double)s.contacts / N;
    assert_in_range((int)(10 * each), 40, 60);
    print_message("%.0f bytes per body, %.2f contacts each\n",
                  (double)cost.bytes / N, each);
    assert_true((double)cost.bytes / N <= 1536 * fmin(1, each / 5));
    scree_world_destroy(world);
}

/* Close rows of spheres that fall far in a step, onto a floor. */
static scree_world *falling_rows(int side, double r, double v) {
    scree_world_def def = scree_world_def_default();
    def.threads = 1;
    def.dt = 4e-3;
    def.capacity = (int64_t)side * side * side;
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 0.5});
    const double pitch = 2.1 * r;
    add_box(world, 0.5 * (side + 1) * pitch);
    for (int i = 0; i < side * side * side; ++i) {
        const scree_vec3 at =
            vec(i % side - 0.5 * (side - 1), i / side % side - 0.5 * (side - 1),
                i / (side * side) + 0.6);
        add_sphere(world, r, scale(pitch, at), vec(0, 0, -v), vec(0, 0, 0));
    }
    return world;
}

/* A third of a radius in each step: what is held at any time, arrays that grow
 * included. */
static void falling_rows__bytes_at_any_time__within_budget(void **state) {
    (void)state;
    enum { SIDE = 16, N = SIDE * SIDE * SIDE };
    scree_world *world = falling_rows(SIDE, 0.05, 4);
    most = held;
    run(world, 40);
    scree_cost cost;
    scree_world_read_cost(world, &cost);
    print_message("%.0f bytes per body, %.0f at most\n", (double)cost.bytes / N,
                  (double)most / N);
    assert_true((double)most / N <= 1536);
    scree_world_destroy(world);
}

/* Whichever array finds no memory in steps whose lists grow: the step says so or
 * does without, and the world can be read, stepped on and destroyed. */
static void falling_rows__no_memory__said(void **state) {
    (void)state;
    const long before = live;
    int failures = 0;
    for (long k = 0, left = -1; left < 0; ++k) {
        scree_world *world = falling_rows(4, 0.05, 0.5);
        run(world, 2);
        refuse = k;
        scree_status status = SCREE_OK;
        for (int i = 0; i < 25 && status == SCREE_OK; ++i)
            status = scree_world_step(world);
        left = refuse;
        refuse = -1;
        assert_true(status == SCREE_OK || status == SCREE_OUT_OF_MEMORY);
        failures += status != SCREE_OK;
        read_scalars(world);
        run(world, 2);
        scree_world_destroy(world);
    }
    assert_true(failures > 10);
    assert_int_equal(live, before);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reserve_anew__growth__old_goes_before_new_comes),
        cmocka_unit_test(reserve_anew__no_memory__nothing_there),
        cmocka_unit_test(steady_step__pgs__no_heap_calls),
        cmocka_unit_test(steady_step__jacobi__no_heap_calls),
        cmocka_unit_test(steady_step__apgd__no_heap_calls),
        cmocka_unit_test(steady_step__rattle__no_heap_calls),
        cmocka_unit_test(steady_step__moreau_adaptive__no_heap_calls),
        cmocka_unit_test(flowing_step__rebuilds__no_heap_calls),
        cmocka_unit_test(destroy__after_steps__nothing_left),
        cmocka_unit_test(settled_bed__bytes_per_body__within_budget),
        cmocka_unit_test(falling_rows__bytes_at_any_time__within_budget),
        cmocka_unit_test(falling_rows__no_memory__said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
