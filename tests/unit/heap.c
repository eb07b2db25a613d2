/* Memory: steady steps make no heap calls, nothing is left after destroy, and a
 * body with its contacts fits its budget. Linked with --wrap, so that every
 * allocation of the library passes through here. */
#include <stdlib.h>

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

void *__wrap_malloc(size_t size) {
    ++calls, ++live;
    return __real_malloc(size);
}
void *__wrap_calloc(size_t n, size_t size) {
    ++calls, ++live;
    return __real_calloc(n, size);
}
void *__wrap_realloc(void *p, size_t size) {
    ++calls, live += !p;
    return __real_realloc(p, size);
}
void *__wrap_aligned_alloc(size_t alignment, size_t size) {
    ++calls, ++live;
    return __real_aligned_alloc(alignment, size);
}
void __wrap_free(void *p) {
    ++calls, live -= !!p;
    __real_free(p);
}

static scree_world *settled_bed(const char *stepper, const char *method, int n,
                                double half) {
    scree_world_def def = scree_world_def_default();
    def.threads = 1;
    def.stepper = stepper;
    def.solver.method = method;
    def.dt = 2e-3;
    def.capacity = n;
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 0.5});
    add_box(world, half);
    add_cloud(world, n, half, 0.04, 0.06, 1);
    run(world, 1000);
    return world;
}

static void check_steady(const char *stepper, const char *method) {
    scree_world *world = settled_bed(stepper, method, 300, 0.35);
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

/* Rebuilds of the Verlet list belong to the steady state of a flow. */
static void flowing_step__rebuilds__no_heap_calls(void **state) {
    (void)state;
    scree_world *world = settled_bed("moreau", "pgs", 300, 0.35);
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
    scree_world *world = settled_bed("moreau", "pgs", 100, 0.35);
    assert_true(live > before);
    scree_world_destroy(world);
    assert_int_equal(live, before);
}

/* The budget of 1.5 kB per body holds for 5 contacts each. */
static void settled_bed__bytes_per_body__within_budget(void **state) {
    (void)state;
    enum { N = 2000 };
    scree_world *world = settled_bed("moreau", "pgs", N, 0.6);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steady_step__pgs__no_heap_calls),
        cmocka_unit_test(steady_step__jacobi__no_heap_calls),
        cmocka_unit_test(steady_step__apgd__no_heap_calls),
        cmocka_unit_test(steady_step__rattle__no_heap_calls),
        cmocka_unit_test(flowing_step__rebuilds__no_heap_calls),
        cmocka_unit_test(destroy__after_steps__nothing_left),
        cmocka_unit_test(settled_bed__bytes_per_body__within_budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
