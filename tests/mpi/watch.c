/* watch.c: who is slow is left alone; ranks that wait for one another are ended. */
#include "engine/base/watch.h"

#include <time.h>

#include "tests/mpi/ranks.h"

static void nap(double seconds) {
    const struct timespec time = {(time_t)seconds,
                                  (long)(1e9 * (seconds - (int)seconds))};
    nanosleep(&time, NULL);
}

/* Others wait for longer than the patience, in which beats come late on a machine
 * that is busy otherwise. */
static void slow__one_rank_at_a_time__is_left_alone(const scree_comm *comm) {
    scree_watch_begin(comm, 0.5);
    for (int slow = 0; slow < 2; ++slow) {
        double x = 1;
        if (comm->rank == slow) nap(1.2);
        scree_comm_sum(comm, &x, 1);
        CHECK(x == comm->size);
    }
    scree_watch_end(comm);
}

/* A watch can be kept again, and without patience there is none. */
static void slow__many_watches__begin_and_end(const scree_comm *comm) {
    for (int i = 0; i < 50; ++i) {
        scree_watch_begin(comm, i % 5 ? 1 : 0);
        scree_watch_tell("anything");
        scree_watch_end(comm);
    }
}

/* Each expects a number that nobody sends. The test looks at what is said. */
static void stuck__nobody_sends__all_end(const scree_comm *comm) {
    double number;
    const scree_lane lane = {
        .rank = (comm->rank + 1) % comm->size, .n_in = 1, .in = &number};
    scree_lanes lanes = {0};
    scree_watch_begin(comm, 0.25);
    CHECK_OK(scree_lanes_open(&lanes, &lane, 1, 7));
    scree_lanes_start(&lanes);
    scree_lanes_finish(&lanes);
}

int main(int argc, char **argv) {
    static const scree_trial trials[] = {
        {"slow__one_rank_at_a_time__is_left_alone",
         slow__one_rank_at_a_time__is_left_alone},
        {"slow__many_watches__begin_and_end",
         slow__many_watches__begin_and_end},
        {"stuck__nobody_sends__all_end", stuck__nobody_sends__all_end},
    };
    return scree_trials_run(argc, argv, trials, sizeof trials / sizeof *trials);
}
