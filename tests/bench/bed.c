/* bed.c: settled beds as files. The first line is `n side`, then one line
 * `x y z r vx vy vz wx wy wz` per sphere. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/bench/bench.h"

enum { COLUMNS = 10 };

/* How spheres become a bed. */
typedef struct fall {
    double dt, time; /* when it is taken as settled [s] */
    int iterations;
    bool stacked;
} fall;

/* A large bed starts close and falls in coarser steps, or it would take a
 * quarter of an hour; the steps before the timed ones bring it to the fine
 * ones. Where beds of several sizes are held against each other all are made so:
 * from a cold start a bed of 10 000 takes 60 sweeps if it has fallen in fine steps,
 * and 91 if it has been stacked, as many as one of 100 000. */
enum { LARGE = 50000 };
static const fall SMALL_FALL = {.dt = 1e-3, .time = 2.0, .iterations = 50};
static const fall LARGE_FALL = {
    .dt = 2e-3, .time = 1.2, .iterations = 20, .stacked = true};

/* ---- reading and writing ------------------------------------------------- */

static bool read_body(FILE *file, bench_body *body) {
    double q[COLUMNS];
    for (int k = 0; k < COLUMNS; ++k)
        if (fscanf(file, "%lf", &q[k]) != 1) return false;
    memcpy(body->x, q, sizeof body->x);
    body->r = q[3];
    memcpy(body->v, q + 4, sizeof body->v);
    memcpy(body->w, q + 7, sizeof body->w);
    return true;
}

static void read_file(FILE *file, bench_bed *bed) {
    long long n;
    double side;
    if (fscanf(file, "%lld %lf", &n, &side) != 2 || n != bed->n ||
        fabs(side - bed->side) > 1e-9)
        bench_die("%s is not a bed of %lld spheres on a side of %g m",
                  bed->path, (long long)bed->n, bed->side);
    for (int64_t i = 0; i < bed->n; ++i)
        if (!read_body(file, &bed->bodies[i]))
            bench_die("%s ends or is not a number at sphere %lld", bed->path,
                      (long long)i);
}

/* Under another name first, so that a bed that exists is a whole one. */
static void write_file(const bench_bed *bed) {
    char part[PATH_MAX + 32];
    snprintf(part, sizeof part, "%s.%ld", bed->path, (long)getpid());
    FILE *file = fopen(part, "w");
    if (!file) bench_die("cannot write %s", part);
    fprintf(file, "%lld %.17g\n", (long long)bed->n, bed->side);
    for (int64_t i = 0; i < bed->n; ++i) {
        const bench_body *b = &bed->bodies[i];
        fprintf(file, "%.17g %.17g %.17g %.17g", b->x[0], b->x[1], b->x[2],
                b->r);
        fprintf(file, " %.17g %.17g %.17g %.17g %.17g %.17g\n", b->v[0],
                b->v[1], b->v[2], b->w[0], b->w[1], b->w[2]);
    }
    const bool failed = ferror(file);
    if (fclose(file) || failed || rename(part, bed->path)) {
        remove(part);
        bench_die("cannot write %s", bed->path);
    }
}

/* ---- making -------------------------------------------------------------- */

void bench_read_world(const scree_world *world, bench_bed *bed) {
    const size_t n = (size_t)bed->n;
    double *rows = malloc(9 * n * sizeof *rows);
    if (!rows) bench_die("out of memory for the state of %zu spheres", n);
    double *x = rows, *v = rows + 3 * n, *w = rows + 6 * n;
    scree_world_read_state(world, &(scree_state_view){.position = x,
                                                      .velocity = v,
                                                      .angular_velocity = w});
    for (size_t i = 0; i < n; ++i) {
        memcpy(bed->bodies[i].x, x + 3 * i, 3 * sizeof *x);
        memcpy(bed->bodies[i].v, v + 3 * i, 3 * sizeof *v);
        memcpy(bed->bodies[i].w, w + 3 * i, 3 * sizeof *w);
    }
    free(rows);
}

static void let_fall(scree_world *world, const fall *f) {
    const int steps = (int)lround(f->time / f->dt), tenth = steps / 10;
    const double start = bench_clock();
    for (int i = 1; i <= steps; ++i) {
        bench_step(world);
        if (i % tenth == 0)
            fprintf(stderr, "  %.2f of %.2f s, %lld contacts, after %.0f s\n",
                    scree_world_time(world), f->time,
                    (long long)scree_world_contact_count(world),
                    bench_clock() - start);
    }
}

/* Before the spheres fall: it takes minutes to get to the writing. */
static void check_folder(const char *folder) {
    if (access(folder, W_OK)) bench_die("cannot write to folder %s", folder);
}

/* On one thread: a bed is often made on a machine that does other work too,
 * where a second one would mostly be waited for. */
static void make(bench_bed *bed, const fall *f) {
    fprintf(stderr, "making %s, once: %lld spheres fall for %g s\n", bed->path,
            (long long)bed->n, f->time);
    if (f->stacked) bench_stack(bed);
    const scree_world_def def = bench_world_def(bed, f->dt, f->iterations, 1);
    scree_world *world = bench_world(bed, &def);
    let_fall(world, f);
    bench_read_world(world, bed);
    scree_world_destroy(world);
}

/* Is there a file at bed->path? Then the bed is that. */
static bool find_bed(bench_bed *bed) {
    FILE *file = fopen(bed->path, "r");
    if (!file) return false;
    read_file(file, bed);
    fclose(file);
    return true;
}

static void find_or_make(bench_bed *bed, const char *folder, const fall *f) {
    snprintf(bed->path, sizeof bed->path, "%s/%s_%lld.txt", folder,
             f->stacked && bed->n < LARGE ? "stacked" : "settled",
             (long long)bed->n);
    if (find_bed(bed)) return;
    check_folder(folder);
    make(bed, f);
    write_file(bed);
}

bench_bed bench_bed_open(int64_t n, const char *folder) {
    bench_bed bed = bench_scene(n);
    snprintf(bed.path, sizeof bed.path, "%s/settled_%lld.bodies.txt",
             BENCH_REFERENCE_BEDS, (long long)n);
    if (!find_bed(&bed))
        find_or_make(&bed, folder, n >= LARGE ? &LARGE_FALL : &SMALL_FALL);
    return bed;
}

bench_bed bench_bed_alike(int64_t n, const char *folder) {
    bench_bed bed = bench_scene(n);
    find_or_make(&bed, folder, &LARGE_FALL);
    return bed;
}
