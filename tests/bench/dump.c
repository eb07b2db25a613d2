/* dump.c: contact problems of settled beds, saved by the run's own dump, for
 * bench_fclib.
 *
 *   bench_dump FOLDER N ...   writes FOLDER/bed-of-N.hdf5, if it is not there
 *
 * A bed of N spheres has about 2.3 N contacts. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/world/world.h"
#include "io/output/problem_dump.h"
#include "tests/bench/bench.h"

enum { SETTLE = 50, ITERATIONS = 50 };
static const double dt = 1e-3;

/* The problem of the step after some steps of settling. */
static void save_problem(const bench_bed *bed, const char *folder) {
    scree_world_def def = bench_world_def(bed, dt, ITERATIONS, 1);
    def.solver.dump = SCREE_DUMP_ALL;
    scree_world *world = bench_world(bed, &def);
    for (int k = 0; k < SETTLE; ++k) bench_step(world);
    scree_problem_dump dump = {0};
    scree_problem_dump_attach(&dump, "settled bed", folder, world);
    bench_step(world);
    scree_problem_dump_free(&dump);
    scree_world_destroy(world);
}

static void save_bed(const char *folder, const char *n) {
    char path[PATH_MAX], made[PATH_MAX];
    snprintf(path, sizeof path, "%s/bed-of-%s.hdf5", folder, n);
    snprintf(made, sizeof made, "%s/problem-%08d.hdf5", folder, SETTLE + 1);
    if (access(path, R_OK) == 0) return;
    bench_bed bed = bench_bed_open(atoll(n), BENCH_FOLDER);
    save_problem(&bed, folder);
    bench_bed_free(&bed);
    if (rename(made, path) != 0) bench_die("%s: %s", made, strerror(errno));
}

int main(int argc, char **argv) {
    if (argc < 3) bench_die("usage: bench_dump FOLDER N ...");
    if (mkdir(argv[1], 0777) != 0 && errno != EEXIST)
        bench_die("%s: %s", argv[1], strerror(errno));
    for (int i = 2; i < argc; ++i) save_bed(argv[1], argv[i]);
    return 0;
}
