/* liggghts.c: the settled bed in LIGGGHTS, run as a program with liggghts.in.
 * What it needs and leaves is in a folder of its own, removed at the end. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/bench/bench.h"

static const double DT = 5e-5; /* as in liggghts.in [s] */

typedef struct job {
    char folder[PATH_MAX], data[PATH_MAX + 16], dump[PATH_MAX + 16];
    int ranks, settle, timed; /* steps */
} job;

bool bench_liggghts_is_there(void) {
    return system("command -v liggghts >/dev/null 2>&1 && "
                  "command -v mpirun >/dev/null 2>&1") == 0;
}

/* ---- the bed, to LIGGGHTS ------------------------------------------------ */

static void write_data(const bench_bed *bed, FILE *file) {
    const double margin = 0.02, half = bed->side / 2 + margin;
    double top = 0;
    for (int64_t i = 0; i < bed->n; ++i)
        if (bed->bodies[i].x[2] > top) top = bed->bodies[i].x[2];
    fprintf(file, "settled bed\n\n%lld atoms\n1 atom types\n\n",
            (long long)bed->n);
    fprintf(file, "%.9g %.9g xlo xhi\n%.9g %.9g ylo yhi\n%.9g %.9g zlo zhi\n",
            -half, half, -half, half, -margin, top + 1);
    fputs("\nAtoms\n\n", file);
    for (int64_t i = 0; i < bed->n; ++i) {
        const bench_body *b = &bed->bodies[i];
        fprintf(file, "%lld 1 %.17g 2500 %.17g %.17g %.17g\n", (long long)i + 1,
                2 * b->r, b->x[0], b->x[1], b->x[2]);
    }
    fputs("\nVelocities\n\n", file);
    for (int64_t i = 0; i < bed->n; ++i) {
        const bench_body *b = &bed->bodies[i];
        fprintf(file, "%lld %.17g %.17g %.17g %.17g %.17g %.17g\n",
                (long long)i + 1, b->v[0], b->v[1], b->v[2], b->w[0], b->w[1],
                b->w[2]);
    }
}

static job open_job(const bench_bed *bed, const bench_stretch *stretch,
                    int ranks) {
    job j = {.ranks = ranks,
             .settle = (int)(stretch->settle / DT + 0.5),
             .timed = (int)(stretch->timed / DT + 0.5)};
    const char *tmp = getenv("TMPDIR");
    snprintf(j.folder, sizeof j.folder, "%s/bench_liggghts.XXXXXX",
             tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(j.folder)) bench_die("cannot make folder %s", j.folder);
    snprintf(j.data, sizeof j.data, "%s/bed.data", j.folder);
    snprintf(j.dump, sizeof j.dump, "%s/end.dump", j.folder);
    FILE *file = fopen(j.data, "w");
    if (!file) bench_die("cannot write %s", j.data);
    write_data(bed, file);
    const bool failed = ferror(file);
    if (fclose(file) || failed) bench_die("cannot write %s", j.data);
    return j;
}

static void close_job(const job *j) {
    remove(j->data);
    remove(j->dump);
    rmdir(j->folder);
}

/* ---- LIGGGHTS' answers --------------------------------------------------- */

double bench_liggghts_loop(FILE *output, int ranks, int steps) {
    char line[1024];
    double seconds, last = -1;
    int procs, count;
    while (fgets(line, sizeof line, output))
        if (sscanf(line, "Loop time of %lf on %d procs for %d steps", &seconds,
                   &procs, &count) == 3)
            last = procs == ranks && count == steps ? seconds : -1;
    return last;
}

static bool read_line(FILE *file, bench_bed *bed) {
    long long id;
    double q[10];
    if (fscanf(file, "%lld", &id) != 1 || id < 1 || id > bed->n) return false;
    for (int k = 0; k < 10; ++k)
        if (fscanf(file, "%lf", &q[k]) != 1) return false;
    bench_body *b = &bed->bodies[id - 1];
    memcpy(b->x, q, sizeof b->x);
    b->r = q[3];
    memcpy(b->v, q + 4, sizeof b->v);
    memcpy(b->w, q + 7, sizeof b->w);
    return true;
}

bool bench_liggghts_dump(FILE *file, bench_bed *bed) {
    static const char columns[] =
        "ITEM: ATOMS id x y z radius vx vy vz omegax omegay omegaz";
    char line[1024];
    long long n = -1;
    do {
        if (!fgets(line, sizeof line, file)) return false;
        if (!strncmp(line, "ITEM: NUMBER OF ATOMS", 21) &&
            fscanf(file, "%lld", &n) != 1)
            return false;
    } while (strncmp(line, columns, sizeof columns - 1) != 0);
    if (n != bed->n) return false;
    for (int64_t i = 0; i < bed->n; ++i)
        if (!read_line(file, bed)) return false;
    return true;
}

/* ---- a run --------------------------------------------------------------- */

/* Wall time of the timed steps [s]. Its output is not shown: it is long, and
 * what it complains about it writes to stderr too. */
static double run(const job *j, double side) {
    char command[3 * PATH_MAX + 512];
    snprintf(command, sizeof command,
             "OMP_NUM_THREADS=1 mpirun --allow-run-as-root --oversubscribe "
             "--bind-to none -np %d liggghts -log none -echo none -in '%s' "
             "-var folder '%s' -var half %.9g -var settle %d -var timed %d",
             j->ranks, BENCH_LIGGGHTS_DECK, j->folder, side / 2, j->settle,
             j->timed);
    FILE *pipe = popen(command, "r");
    if (!pipe) bench_die("cannot run %s", command);
    const double seconds = bench_liggghts_loop(pipe, j->ranks, j->timed);
    if (pclose(pipe) || seconds <= 0) bench_die("failed: %s", command);
    return seconds;
}

bench_second bench_liggghts(const bench_bed *bed, const bench_stretch *stretch,
                            int ranks) {
    const job j = open_job(bed, stretch, ranks);
    bench_bed end = bench_scene(bed->n);
    const double seconds = run(&j, bed->side);
    FILE *file = fopen(j.dump, "r");
    if (!file || !bench_liggghts_dump(file, &end))
        bench_die("%s is not a dump of %lld spheres", j.dump,
                  (long long)bed->n);
    fclose(file);
    close_job(&j);
    const bench_second s =
        bench_second_of("liggghts", &end, ranks, seconds / stretch->timed);
    bench_bed_free(&end);
    return s;
}
