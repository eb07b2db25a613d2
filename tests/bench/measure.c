/* measure.c: one trial of Scree, by the public interface only. */
#include <math.h>
#include <stdlib.h>

#include "tests/bench/bench.h"

/* One timed step. */
typedef struct sample {
    double total; /* [s] */
    scree_cost cost;
} sample;

int bench_best_count(int steps) {
    return steps < 10 ? 1 : steps / 10;
}

double bench_rate(const bench_figures *f, double seconds) {
    return f->contacts * f->iterations / seconds;
}

static sample timed_step(scree_world *world) {
    scree_cost before;
    sample s;
    scree_world_read_cost(world, &before);
    const double start = bench_clock();
    bench_step(world);
    s.total = bench_clock() - start;
    scree_world_read_cost(world, &s.cost);
    for (int p = 0; p < SCREE_PHASE_COUNT; ++p)
        s.cost.seconds[p] -= before.seconds[p];
    s.cost.sweep_seconds -= before.sweep_seconds;
    s.cost.colour_seconds -= before.colour_seconds;
    s.cost.chosen -= before.chosen;
    s.cost.iterations -= before.iterations;
    s.cost.contacts -= before.contacts;
    s.cost.rebuilds -= before.rebuilds;
    return s;
}

static int by_total(const void *p, const void *q) {
    const double a = ((const sample *)p)->total, b = ((const sample *)q)->total;
    return (a > b) - (a < b);
}

static double detection(const double *phase) {
    return phase[SCREE_PHASE_BROAD] + phase[SCREE_PHASE_NARROW];
}

/* The machine is shared: the least disturbed steps say what the code costs. */
static void take_best(bench_figures *f, sample *samples, int steps) {
    const int best = bench_best_count(steps);
    const double share = 1.0 / best;
    qsort(samples, (size_t)steps, sizeof *samples, by_total);
    for (int i = 0; i < best; ++i) {
        const scree_cost *cost = &samples[i].cost;
        f->step += share * samples[i].total;
        f->contacts += share * (double)cost->contacts;
        f->iterations += share * (double)cost->iterations;
        f->sweeps += share * cost->sweep_seconds;
        f->colour += share * cost->colour_seconds;
        for (int p = 0; p < SCREE_PHASE_COUNT; ++p)
            f->phase[p] += share * cost->seconds[p];
    }
    f->detect = detection(f->phase);
    f->solve = f->phase[SCREE_PHASE_ASSEMBLE] + f->phase[SCREE_PHASE_SOLVE];
}

static void take_all(bench_figures *f, const sample *samples, int steps) {
    for (int i = 0; i < steps; ++i) {
        const double detect = detection(samples[i].cost.seconds);
        f->step_all += samples[i].total / steps;
        f->detect_all += detect / steps;
        f->colour_all += samples[i].cost.colour_seconds / steps;
        f->chosen += (double)samples[i].cost.chosen / steps;
        if (samples[i].cost.rebuilds == 0) continue;
        f->rebuilds += 1;
        f->detect_rebuild += (detect - f->detect_rebuild) / f->rebuilds;
    }
}

/* A contact of two bodies is one of each; a wall has none. */
static double touching(const scree_world *world) {
    const int64_t n = scree_world_contact_count(world);
    scree_contact_view *contacts = malloc(((size_t)n + 1) * sizeof *contacts);
    if (!contacts) bench_die("out of memory for %lld contacts", (long long)n);
    scree_world_read_contacts(world, contacts);
    int64_t sum = 0;
    for (int64_t i = 0; i < n; ++i) sum += contacts[i].b >= 0 ? 2 : 1;
    free(contacts);
    return (double)sum / (double)scree_world_body_count(world);
}

/* One sphere that still falls may have more than all the others. */
static double fastest(const scree_world *world) {
    const size_t n = (size_t)scree_world_body_count(world);
    double *rows = malloc(8 * n * sizeof *rows), most = 0;
    if (!rows) bench_die("out of memory for the state of %zu spheres", n);
    double *v = rows, *w = rows + 3 * n, *r = rows + 6 * n, *m = rows + 7 * n;
    scree_world_read_state(world, &(scree_state_view){.velocity = v,
                                                      .angular_velocity = w,
                                                      .radius = r,
                                                      .mass = m});
    for (size_t i = 0; i < n; ++i) {
        const double *vi = v + 3 * i, *wi = w + 3 * i;
        const double v2 = vi[0] * vi[0] + vi[1] * vi[1] + vi[2] * vi[2];
        const double w2 = wi[0] * wi[0] + wi[1] * wi[1] + wi[2] * wi[2];
        most = fmax(most, 0.5 * m[i] * (v2 + 0.4 * r[i] * r[i] * w2));
    }
    free(rows);
    return most;
}

static void take_state(bench_figures *f, const scree_world *world) {
    scree_cost cost;
    scree_scalars scalars;
    scree_world_read_cost(world, &cost);
    scree_world_read_scalars(world, &scalars);
    f->touching = touching(world);
    f->bytes = (double)cost.bytes;
    f->kinetic = scalars.kinetic;
    f->kinetic_fastest = fastest(world);
    f->penetration_mean = scalars.penetration_mean;
    f->penetration_max = scalars.penetration_max;
    f->residual = scalars.solve.residual;
}

bench_figures bench_measure_world(scree_world *world,
                                  const bench_options *options) {
    bench_figures f = {.code = "scree",
                       .bodies = (double)scree_world_body_count(world)};
    sample *samples = malloc((size_t)options->steps * sizeof *samples);
    if (!samples) bench_die("out of memory for %d steps", options->steps);
    for (int i = 0; i < options->settle; ++i) bench_step(world);
    for (int i = 0; i < options->steps; ++i) samples[i] = timed_step(world);
    take_all(&f, samples, options->steps);
    take_best(&f, samples, options->steps);
    take_state(&f, world);
    free(samples);
    return f;
}

bench_figures bench_measure(const bench_bed *bed,
                            const bench_options *options) {
    const scree_world_def def =
        bench_world_def(bed, 1e-3, options->iterations, options->threads);
    scree_world *world = bench_world(bed, &def);
    const bench_figures f = bench_measure_world(world, options);
    scree_world_destroy(world);
    return f;
}
