/* threads.c: the benchmark's spheres under several numbers of threads, small
 * enough for the thread sanitizer and large enough that bodies, contacts and
 * sweeps are shared: the preset tsan runs this and nothing else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench.h"
#include "engine/base/parallel.h"

static const int THREADS[] = {2, 3};
enum { COUNTS = sizeof THREADS / sizeof *THREADS };

/* ---- the barrier --------------------------------------------------------- */

enum { ROUNDS = 100, MOST = 8 };

typedef struct board {
    int written[MOST]; /* one place for each member, on purpose not atomic */
    int wrong[MOST];
} board;

/* Everyone writes, everyone reads what the others wrote; a barrier that lets
 * somebody through too early shows as a wrong number, or as a race. */
static void write_and_read(void *context, const scree_team *team) {
    board *b = context;
    for (int round = 1; round <= ROUNDS; ++round) {
        b->written[team->rank] = round;
        scree_team_wait(team);
        for (int k = 0; k < team->size; ++k)
            b->wrong[team->rank] += b->written[k] != round;
        scree_team_wait(team);
    }
}

static void team__wait__sees_what_others_wrote(void **state) {
    (void)state;
    for (int i = 0; i < COUNTS; ++i) {
        board b = {0};
        scree_team_run(THREADS[i], write_and_read, &b);
        for (int k = 0; k < MOST; ++k) assert_int_equal(b.wrong[k], 0);
        assert_int_equal(b.written[0], ROUNDS);
    }
}

/* ---- the bed ------------------------------------------------------------- */

/* The lattice has no contacts; squeezed, half of the neighbours overlap, and it
 * has them from the first step on. */
static bench_bed squeezed_bed(int64_t n) {
    const double squeeze = 0.77;
    bench_bed bed = bench_scene(n);
    for (int64_t i = 0; i < n; ++i)
        for (int k = 0; k < 3; ++k) bed.bodies[i].x[k] *= squeeze;
    return bed;
}

static uint64_t hash_of_run(const bench_bed *bed, const char *method,
                            int threads) {
    enum { STEPS = 3, WORTH_A_TEAM = 4096 };
    scree_world_def def = bench_world_def(bed, 1e-3, 5, threads);
    def.solver.method = method;
    def.solver.tolerance = 1e-6; /* so that residuals are summed too */
    scree_world *world = bench_world(bed, &def);
    for (int i = 0; i < STEPS; ++i) bench_step(world);
    assert_true(scree_world_contact_count(world) > WORTH_A_TEAM);
    const uint64_t hash = scree_world_hash(world);
    scree_world_destroy(world);
    return hash;
}

static void check_threads(const char *method) {
    bench_bed bed = squeezed_bed(4500);
    const uint64_t hash = hash_of_run(&bed, method, 1);
    for (int i = 0; i < COUNTS; ++i)
        assert_true(hash_of_run(&bed, method, THREADS[i]) == hash);
    bench_bed_free(&bed);
}

static void pgs__thread_counts__same_bits(void **state) {
    (void)state;
    check_threads("pgs");
}

static void jacobi__thread_counts__same_bits(void **state) {
    (void)state;
    check_threads("jacobi");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(team__wait__sees_what_others_wrote),
        cmocka_unit_test(pgs__thread_counts__same_bits),
        cmocka_unit_test(jacobi__thread_counts__same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
