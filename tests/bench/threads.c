/* threads.c: the benchmark's spheres, and boxes, under several numbers of threads, small
 * enough for the thread sanitizer and large enough that bodies, contacts and
 * sweeps are shared: the preset tsan runs this and nothing else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/base/parallel.h"
#include "tests/bench/bench.h"

static const int THREADS[] = {2, 3, 4, 8};
/* The thread sanitizer is slow, and finds with three what it finds with eight. */
enum { FEW = 2, ALL = sizeof THREADS / sizeof *THREADS };
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SLOW
#endif
#endif
#ifdef SLOW
enum { MANY = FEW };
#else
enum { MANY = ALL };
#endif

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
    for (int i = 0; i < MANY; ++i) {
        board b = {0};
        scree_team_run(THREADS[i], write_and_read, &b);
        for (int k = 0; k < MOST; ++k) assert_int_equal(b.wrong[k], 0);
        assert_int_equal(b.written[0], ROUNDS);
    }
}

/* The two halves of waiting: what a member wrote before it arrived is there for those
 * who meet it, while it goes on with what is its own. */
static void write_and_go_on(void *context, const scree_team *team) {
    board *b = context;
    int own = 0;
    for (int round = 1; round <= ROUNDS; ++round) {
        scree_team_meet(team);
        for (int k = 0; k < team->size; ++k)
            b->wrong[team->rank] += round % 2 && b->written[k] != round - 1;
        if (round % 2 == 0) b->written[team->rank] = round;
        scree_team_arrive(team);
        own += round;
    }
    b->wrong[team->rank] += own != ROUNDS * (ROUNDS + 1) / 2;
}

static void team__arrive_and_meet__sees_what_others_wrote(void **state) {
    (void)state;
    for (int i = 0; i < MANY; ++i) {
        board b = {0};
        scree_team_run(THREADS[i], write_and_go_on, &b);
        for (int k = 0; k < MOST; ++k) assert_int_equal(b.wrong[k], 0);
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

/* Boxes on a lattice that overlap their neighbours a little: faces on faces, whose
 * contacts are general ones. */
static void add_boxes(scree_world *world, int side, double edge) {
    scree_shape_def shape = scree_shape_def_default();
    scree_body_def body = scree_body_def_default();
    const double pitch = 0.998 * edge;
    shape.kind = SCREE_SHAPE_BOX;
    for (int k = 0; k < 3; ++k) shape.size[k] = edge;
    assert_int_equal(scree_world_add_shape(world, &shape, &body.shape),
                     SCREE_OK);
    for (int i = 0; i < side * side * side; ++i) {
        const int at[3] = {i % side, i / side % side, i / (side * side)};
        for (int k = 0; k < 3; ++k)
            body.position[k] =
                (at[k] + 0.5) * pitch - (k < 2 ? 0.5 * side * pitch : 0);
        assert_int_equal(scree_world_add_body(world, &body, NULL), SCREE_OK);
    }
}

/* What a run is made of. */
typedef struct trial {
    const char *method;
    bool boxes, reproducible;
    int iterations;
    int counts; /* of THREADS */
} trial;

static uint64_t hash_of_run(const bench_bed *bed, const trial *t, int threads) {
    enum { STEPS = 3, WORTH_A_TEAM = 4096, SIDE = 9 };
    scree_world_def def = bench_world_def(bed, 1e-3, t->iterations, threads);
    def.solver.method = t->method;
    def.solver.tolerance = 1e-6; /* so that residuals are summed too */
    def.reproducible = t->reproducible;
    scree_world *world = bench_box(bed, &def);
    if (t->boxes)
        add_boxes(world, SIDE, bed->side / SIDE);
    else
        bench_fill(world, bed);
    for (int i = 0; i < STEPS; ++i) bench_step(world);
    assert_true(scree_world_contact_count(world) > WORTH_A_TEAM);
    const uint64_t hash = scree_world_hash(world);
    scree_world_destroy(world);
    return hash;
}

static void check_threads(trial t) {
    bench_bed bed = squeezed_bed(4500);
    const uint64_t hash = hash_of_run(&bed, &t, 1);
    for (int i = 0; i < t.counts; ++i)
        assert_true(hash_of_run(&bed, &t, THREADS[i]) == hash);
    bench_bed_free(&bed);
}

static void pgs__thread_counts__same_bits(void **state) {
    (void)state;
    check_threads((trial){"pgs", false, false, 5, MANY});
}

static void jacobi__thread_counts__same_bits(void **state) {
    (void)state;
    check_threads((trial){"jacobi", false, false, 5, FEW});
}

/* Long enough for its step size, momentum and feedback to change. */
static void apgd__thread_counts__same_bits(void **state) {
    (void)state;
    check_threads((trial){"apgd", false, false, 12, MANY});
}

static void boxes__thread_counts__same_bits(void **state) {
    (void)state;
    check_threads((trial){"pgs", true, false, 5, FEW});
    check_threads((trial){"apgd", true, false, 5, FEW});
}

static void reproducible__thread_counts__same_bits(void **state) {
    (void)state;
    check_threads((trial){"pgs", false, true, 5, FEW});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(team__wait__sees_what_others_wrote),
        cmocka_unit_test(team__arrive_and_meet__sees_what_others_wrote),
        cmocka_unit_test(pgs__thread_counts__same_bits),
        cmocka_unit_test(jacobi__thread_counts__same_bits),
        cmocka_unit_test(apgd__thread_counts__same_bits),
        cmocka_unit_test(boxes__thread_counts__same_bits),
        cmocka_unit_test(reproducible__thread_counts__same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
