/* shapes_report.c: tables, bars, CSV. */
#include <math.h>
#include <string.h>

#include "shapes.h"

static double in_sweeps(const bench_figures *f, double seconds) {
    return seconds / (f->sweeps / f->iterations);
}

/* ---- table --------------------------------------------------------------- */

typedef struct line {
    const char *name;
    double (*of)(const shapes_figures *row);
} line;

static double contacts(const shapes_figures *r) {
    return r->f.contacts;
}
static double step(const shapes_figures *r) {
    return 1e3 * r->f.step;
}
static double step_all(const shapes_figures *r) {
    return 1e3 * r->f.step_all;
}
static double detect(const shapes_figures *r) {
    return 1e3 * r->f.detect;
}
static double broad(const shapes_figures *r) {
    return 1e3 * r->f.phase[SCREE_PHASE_BROAD];
}
static double narrow(const shapes_figures *r) {
    return 1e3 * r->f.phase[SCREE_PHASE_NARROW];
}
static double assemble(const shapes_figures *r) {
    return 1e3 * r->f.phase[SCREE_PHASE_ASSEMBLE];
}
static double solve_phase(const shapes_figures *r) {
    return 1e3 * r->f.phase[SCREE_PHASE_SOLVE];
}
static double integrate(const shapes_figures *r) {
    return 1e3 * r->f.phase[SCREE_PHASE_INTEGRATE];
}
static double setup_solve(const shapes_figures *r) {
    return 1e3 * r->f.solve;
}
static double sweeps(const shapes_figures *r) {
    return 1e3 * r->f.sweeps;
}
static double rate(const shapes_figures *r) {
    return 1e-6 * bench_rate(&r->f, r->f.sweeps);
}
static double detect_sweeps(const shapes_figures *r) {
    return in_sweeps(&r->f, r->f.detect_all);
}
static double points(const shapes_figures *r) {
    return r->state.points;
}
static double mean(const shapes_figures *r) {
    return r->state.penetration_mean / BENCH_MEAN_RADIUS;
}
static double most(const shapes_figures *r) {
    return r->state.penetration_max / BENCH_MEAN_RADIUS;
}
static double kinetic(const shapes_figures *r) {
    return r->state.kinetic / r->f.bodies;
}

static void print_line(const line *l, const shapes_figures *rows, int n) {
    const double own = l->of(&rows[0]);
    printf("  %-34s", l->name);
    for (int i = 0; i < n; ++i) {
        const double value = l->of(&rows[i]);
        if (isnan(value))
            printf(" %13s", "");
        else
            printf(" %13.4g", value);
        if (i > 0 && !isnan(value)) printf(" %7.3f", own / value);
        if (i > 0 && isnan(value)) printf(" %7s", "");
    }
    printf("\n");
}

static void print_table(const shapes_figures *rows, int n) {
    static const line lines[] = {
        {"contacts", contacts},
        {"step, ms", step},
        {"step, mean of all timed, ms", step_all},
        {"detection, ms", detect},
        {"  broad, ms", broad},
        {"  narrow, ms", narrow},
        {"setup and solve, ms", setup_solve},
        {"  assemble, ms", assemble},
        {"  solve with overlap recovery, ms", solve_phase},
        {"  sweeps alone, ms", sweeps},
        {"integrate, ms", integrate},
        {"sweeps, million c.-i. per s", rate},
        {"detection of all timed, in sweeps", detect_sweeps},
        {"points that touch, by Scree", points},
        {"mean penetration over 0.05 m", mean},
        {"max penetration over 0.05 m", most},
        {"kinetic energy per body, J", kinetic},
    };
    printf("  %-34s %13s", "", rows[0].f.code);
    for (int i = 1; i < n; ++i) printf(" %13s %7s", rows[i].f.code, "first/");
    printf("\n");
    for (size_t k = 0; k < sizeof lines / sizeof *lines; ++k)
        print_line(&lines[k], rows, n);
}

/* ---- bars ---------------------------------------------------------------- */

static int print_peer_bars(const shapes_figures *own,
                           const shapes_figures *peer) {
    char bar[128];
    snprintf(bar, sizeof bar, "step over that of %s below 1", peer->f.code);
    const double time = own->f.step / peer->f.step;
    int missed = bench_print_bar(time < 1, bar, time);
    snprintf(bar, sizeof bar, "mean penetration over that of %s at most 1",
             peer->f.code);
    const double depth =
        own->state.penetration_mean / peer->state.penetration_mean;
    missed += bench_print_bar(depth <= 1, bar, depth);
    snprintf(bar, sizeof bar, "largest penetration over that of %s at most 1",
             peer->f.code);
    const double deepest =
        own->state.penetration_max / peer->state.penetration_max;
    return missed + bench_print_bar(deepest <= 1, bar, deepest);
}

int shapes_print(const shapes_bed *bed, const bench_options *options,
                 const shapes_figures *rows, int n) {
    printf("\nSettled bed of %lld %s on a side of %.2f m\n", (long long)bed->n,
           shapes_kind_name(bed->kind), bed->side);
    printf("after %d steps; the best %d of %d timed steps, %d sweeps each; CPU "
           "time of the\nthread, of several threads wall time\n\n",
           options->settle, bench_best_count(options->steps), options->steps,
           options->iterations);
    print_table(rows, n);
    printf("\n");
    if (bed->kind == SHAPES_DISCS) {
        printf("  Box2D 3.2, published for 10000 discs: 5.2 ms per step, 47 "
               "million per s\n  (single precision, soft contacts, 4 "
               "substeps)\n");
        return 0;
    }
    const double cost = detect_sweeps(&rows[0]);
    int missed = bench_print_bar(
        cost < 20,
        "detection costs less than 20 sweeps, mean of all timed steps", cost);
    for (int i = 1; i < n; ++i)
        if (strncmp(rows[i].f.code, "bullet", 6) == 0)
            missed += print_peer_bars(&rows[0], &rows[i]);
    return missed;
}

/* ---- CSV ----------------------------------------------------------------- */

void shapes_csv(FILE *csv, const shapes_bed *bed, const bench_options *options,
                const shapes_figures *r) {
    const struct {
        const char *name;
        double value;
    } cells[] = {
        {"bodies", (double)bed->n},
        {"side", bed->side},
        {"threads", r->threads},
        {"settle_steps", options->settle},
        {"timed_steps", options->steps},
        {"iterations", r->f.iterations},
        {"contacts", r->f.contacts},
        {"step_ms", step(r)},
        {"step_all_ms", step_all(r)},
        {"detect_ms", detect(r)},
        {"broad_ms", broad(r)},
        {"narrow_ms", narrow(r)},
        {"assemble_ms", assemble(r)},
        {"solve_ms", solve_phase(r)},
        {"setup_solve_ms", setup_solve(r)},
        {"sweeps_ms", sweeps(r)},
        {"integrate_ms", integrate(r)},
        {"sweep_rate", bench_rate(&r->f, r->f.sweeps)},
        {"detect_in_sweeps", detect_sweeps(r)},
        {"points", r->state.points},
        {"penetration_mean", r->state.penetration_mean},
        {"penetration_max", r->state.penetration_max},
        {"kinetic", r->state.kinetic},
    };
    const size_t n = sizeof cells / sizeof *cells;
    if (ftell(csv) == 0) {
        fprintf(csv, "code,shape");
        for (size_t k = 0; k < n; ++k) fprintf(csv, ",%s", cells[k].name);
        fputc('\n', csv);
    }
    fprintf(csv, "%s,%s", r->f.code, shapes_kind_name(bed->kind));
    for (size_t k = 0; k < n; ++k)
        if (isnan(cells[k].value))
            fputc(',', csv);
        else
            fprintf(csv, ",%.6g", cells[k].value);
    fputc('\n', csv);
    fflush(csv);
}
