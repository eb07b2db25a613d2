/* The ground floor: memory, sorting, random numbers, quaternions. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/base/arena.h"
#include "engine/base/cores.h"
#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/base/random.h"
#include "engine/base/sort.h"
#include "tests/support.h"

static void reserve__growth__keeps_contents_and_clears_rest(void **state) {
    (void)state;
    int *a = NULL;
    int64_t capacity = 0;
    assert_ok(scree_reserve(&a, &capacity, 10, sizeof *a));
    assert_int_equal(capacity, 10);
    assert_int_equal((uintptr_t)a % 64, 0);
    for (int i = 0; i < 10; ++i) a[i] = i;
    assert_ok(scree_reserve(&a, &capacity, 11, sizeof *a));
    assert_int_equal(capacity, 20);
    for (int i = 0; i < 20; ++i) assert_int_equal(a[i], i < 10 ? i : 0);
    free(a);
}

static void arena__overflow__merges_when_empty(void **state) {
    (void)state;
    scree_arena arena = {0};
    char *first = scree_arena_push(&arena, 100);
    const size_t mark = scree_arena_mark(&arena);
    char *second = scree_arena_push(&arena, 100000);
    memset(first, 1, 100);
    memset(second, 2, 100000);
    assert_int_equal(first[99], 1);
    scree_arena_pop(&arena, mark);
    assert_int_equal(first[99], 1);
    scree_arena_pop(&arena, 0);
    /* Now one block holds the high water mark: both fit side by side. */
    first = scree_arena_push(&arena, 100);
    assert_ptr_equal(scree_arena_push(&arena, 100000), first + 128);
    scree_arena_pop(&arena, 0);
    scree_arena_free(&arena);
}

static int by_key_then_item(const void *p, const void *q) {
    const scree_key *a = p, *b = q;
    if (a->key != b->key) return a->key < b->key ? -1 : 1;
    return a->item - b->item;
}

static void sort__random_keys__stable_and_ordered(void **state) {
    (void)state;
    enum { N = 5000 };
    static scree_key keys[N], scratch[N], expected[N];
    scree_random rng = {7};
    for (int mask = 0; mask < 4; ++mask) {
        const uint64_t masks[] = {~0u, ~(uint64_t)0, 0xFF00FF, 0};
        for (int i = 0; i < N; ++i)
            keys[i] = (scree_key){scree_random_next(&rng) & masks[mask], i};
        memcpy(expected, keys, sizeof keys);
        qsort(expected, N, sizeof *expected, by_key_then_item);
        scree_sort_keys(keys, scratch, N, 1 + mask);
        for (int i = 0; i < N; ++i) {
            assert_true(keys[i].key == expected[i].key);
            assert_int_equal(keys[i].item, expected[i].item);
        }
    }
}

/* First outputs of splitmix64 from state 1234567, as published with it. */
static void random__splitmix64__published_sequence(void **state) {
    (void)state;
    scree_random rng = {1234567};
    assert_true(scree_random_next(&rng) == 6457827717110365317u);
    assert_true(scree_random_next(&rng) == 3203168211198807973u);
    assert_true(scree_random_next(&rng) == 9817491932198370423u);
}

static void random__normal__moments(void **state) {
    (void)state;
    enum { N = 200000 };
    scree_random rng = scree_random_stream(3, 1);
    double sum = 0, sum2 = 0;
    for (int i = 0; i < N; ++i) {
        const double x = scree_random_normal(&rng);
        sum += x, sum2 += x * x;
    }
    assert_near(sum / N, 0, 5 / sqrt(N));
    assert_near(sum2 / N, 1, 5 * sqrt(2.0 / N));
}

/* Series and sine agree where they meet, and the rotation is the right one. */
static void quat__from_vector__small_and_large_angles(void **state) {
    (void)state;
    const scree_vec3 axis = vec(2. / 7, 3. / 7, 6. / 7);
    const double angles[] = {0, 1e-9, 1e-3, 0.1, 0.1999999, 0.2000001, 1, 3};
    for (int i = 0; i < 8; ++i) {
        const scree_quat q = quat_from_vector(scale(angles[i], axis));
        assert_near(q.w, cos(angles[i] / 2), 1e-15);
        assert_near(q.z, sin(angles[i] / 2) * 6 / 7, 1e-15);
    }
    const scree_quat quarter = quat_from_vector(vec(0, 0, SCREE_PI / 2));
    const scree_vec3 y = quat_rotate(quarter, vec(1, 0, 0));
    assert_near(norm(sub(y, vec(0, 1, 0))), 0, 1e-15);
}

static void touch_chunk(void *context, int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) ++((int *)context)[i];
}

static void parallel_for__any_thread_count__each_item_once(void **state) {
    (void)state;
    enum { N = 20 * SCREE_CHUNK + 17 };
    static int hits[N];
    for (int threads = 1; threads <= 4; ++threads) {
        memset(hits, 0, sizeof hits);
        scree_parallel_for(N, threads, touch_chunk, hits);
        for (int i = 0; i < N; ++i) assert_int_equal(hits[i], 1);
    }
}

/* Chunk k gives k % 7 items in two claims: whoever works on it, the list comes in
 * the order of the chunks. */
enum { QUEUE_CHUNKS = 300 };

typedef struct queue_test {
    scree_queue queue;
    int64_t list[7 * QUEUE_CHUNKS];
} queue_test;

static void list_chunks(void *context, const scree_team *team) {
    (void)team;
    queue_test *t = context;
    for (int64_t k; (k = scree_queue_take(&t->queue)) >= 0;) {
        const int64_t n = k % 7, early = n / 2;
        int64_t at = scree_queue_claim(&t->queue, k, early);
        for (int64_t i = 0; i < early; ++i) t->list[at + i] = 10 * k + i;
        at = scree_queue_pass(&t->queue, k, n - early);
        for (int64_t i = early; i < n; ++i)
            t->list[at + i - early] = 10 * k + i;
    }
}

static void queue__any_thread_count__items_in_order_of_chunks(void **state) {
    (void)state;
    static queue_test t;
    for (int threads = 1; threads <= 8; ++threads) {
        scree_queue_open(&t.queue, QUEUE_CHUNKS);
        scree_team_run(threads, list_chunks, &t);
        int64_t n = 0;
        for (int64_t k = 0; k < QUEUE_CHUNKS; ++k)
            for (int64_t i = 0; i < k % 7; ++i)
                assert_int_equal(t.list[n++], 10 * k + i);
        assert_int_equal(t.queue.claimed, n);
    }
}

/* ---- cores ----------------------------------------------------------------- */

static void write_number(const char *folder, int cpu, const char *name,
                         int number) {
    char path[256];
    snprintf(path, sizeof path, "%s/cpu%d", folder, cpu);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/cpu%d/topology", folder, cpu);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/cpu%d/topology/%s", folder, cpu, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "%d\n", number);
    fclose(file);
}

/* Two packages of two cores of two hardware threads, numbered as Linux does:
 * first one thread of each core, then the other. */
static void write_topology(const char *folder) {
    for (int cpu = 0; cpu < 8; ++cpu) {
        write_number(folder, cpu, "physical_package_id", cpu / 2 % 2);
        write_number(folder, cpu, "core_id", cpu % 2);
    }
}

static int cores_of(const char *folder, unsigned cpus) {
    bool allowed[SCREE_MOST_CPUS] = {false};
    for (int cpu = 0; cpu < 32; ++cpu) allowed[cpu] = cpus >> cpu & 1;
    return scree_core_count_in(folder, allowed);
}

static void cores__fake_topology__counts_allowed_cores(void **state) {
    (void)state;
    char folder[] = "/tmp/scree-cores-XXXXXX";
    assert_non_null(mkdtemp(folder));
    write_topology(folder);
    assert_int_equal(cores_of(folder, 0xFF), 4);
    assert_int_equal(cores_of(folder, 0x0F), 4); /* one thread of each */
    assert_int_equal(cores_of(folder, 0x11), 1); /* both threads of one */
    assert_int_equal(cores_of(folder, 0x31), 2);
    assert_int_equal(cores_of(folder, 0x05), 2);  /* core 0 of each package */
    assert_int_equal(cores_of(folder, 0x1FF), 9); /* CPU 8 tells nothing */
    assert_int_equal(cores_of("/nowhere", 0x3), 2);
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
    assert_in_range(scree_core_count(), 1, SCREE_MOST_CPUS);
}

static void thread_count__zero__environment_then_cores(void **state) {
    (void)state;
    assert_int_equal(scree_thread_count(3), 3);
    const char *set = getenv("OMP_NUM_THREADS");
    assert_int_equal(scree_thread_count(0),
                     set ? omp_get_max_threads() : scree_core_count());
}

static void status__every_code__has_a_sentence(void **state) {
    (void)state;
    for (int code = SCREE_OK; code <= SCREE_UNSUPPORTED; ++code)
        assert_string_not_equal(scree_status_text((scree_status)code),
                                "unknown status");
    assert_string_equal(scree_status_text((scree_status)99), "unknown status");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reserve__growth__keeps_contents_and_clears_rest),
        cmocka_unit_test(arena__overflow__merges_when_empty),
        cmocka_unit_test(sort__random_keys__stable_and_ordered),
        cmocka_unit_test(random__splitmix64__published_sequence),
        cmocka_unit_test(random__normal__moments),
        cmocka_unit_test(quat__from_vector__small_and_large_angles),
        cmocka_unit_test(parallel_for__any_thread_count__each_item_once),
        cmocka_unit_test(queue__any_thread_count__items_in_order_of_chunks),
        cmocka_unit_test(cores__fake_topology__counts_allowed_cores),
        cmocka_unit_test(thread_count__zero__environment_then_cores),
        cmocka_unit_test(status__every_code__has_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
