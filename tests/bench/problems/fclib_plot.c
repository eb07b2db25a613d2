/* fclib_plot.c: residual over seconds, a panel per problem, by gnuplot. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/bench/problems/fclib.h"

enum { PANELS = 3 };
static const char *const panels[PANELS] = {"bed-500", "bed-2000", "Capsules"};

/* The named problem if it was run, else the k-th one. */
static const fclib_problem *choose(const fclib_problem *problems, int n,
                                   int k) {
    const size_t length = strlen(panels[k]);
    for (int i = 0; i < n; i++)
        if (strncmp(problems[i].name, panels[k], length) == 0 &&
            problems[i].name[length] != '0')
            return &problems[i];
    return k < n ? &problems[k] : NULL;
}

/* The best residual so far: a curve that oscillates hides the others. */
static void write_data(FILE *to, int id, const fclib_run *r) {
    double best = 1e300;
    fprintf(to, "$D%d << EOD\n", id);
    for (int i = 0; i < r->points; i++) {
        if (!(r->residual[i] < best)) continue;
        best = r->residual[i];
        fprintf(to, "%g %g\n", fmax(r->time[i], 1e-5), fmax(best, 1e-12));
    }
    if (r->points) fprintf(to, "%g %g\n", r->time[r->points - 1], best);
    fprintf(to, "EOD\n");
}

/* Names are in the first panel, also of methods that it has no curve of. */
static void write_panel(FILE *to, const fclib_problem *p, bool key) {
    for (int i = 0; i < p->runs; i++)
        if (p->run[i].points) write_data(to, i, &p->run[i]);
    fprintf(to,
            "set title '%s, %d contacts' noenhanced\n%s key\nplot NaN notitle",
            p->name, p->contacts, key ? "set" : "unset");
    for (int i = 0; i < p->runs; i++) {
        const fclib_run *r = &p->run[i];
        const bool peer = strcmp(r->method, "siconos") == 0;
        if (r->points)
            fprintf(to, ", $D%d", i);
        else
            fprintf(to, ", NaN");
        fprintf(to, " with %s ls %d title '%s'", peer ? "linespoints" : "lines",
                i + 1, peer ? "Siconos NSGS" : r->method);
    }
    fprintf(to, "\n");
}

static void write_styles(FILE *to) {
    static const char *const colours[] = {"#000000", "#d62728", "#1f77b4",
                                          "#8c564b", "#2ca02c", "#9467bd",
                                          "#ff7f0e", "#7f7f7f", "#17becf"};
    const int n = sizeof colours / sizeof *colours;
    for (int i = 0; i < METHODS; i++)
        fprintf(to, "set style line %d lc rgb '%s' lw %g dt %d pt 7 ps 1.2\n",
                i + 1, colours[i % n], i == 1 ? 4.0 : 2.5, i % 2 ? 1 : 2);
}

bool fclib_plot(const fclib_problem *problems, int n, const char *png) {
    FILE *to = popen("gnuplot", "w");
    if (!to || n == 0) return false;
    fprintf(to,
            "set terminal pngcairo size 1800,600 font 'sans,12'\n"
            "set output '%s'\nset logscale xy\nset format y '10^{%%T}'\n"
            "set format x '10^{%%T}'\nset grid lc rgb '#dddddd'\n"
            "set xlabel 'CPU seconds, one thread, cold start'\n"
            "set ylabel 'best residual so far'\nset yrange [1e-9:2]\n"
            "set key bottom left box opaque\nset multiplot layout 1,%d\n",
            png, PANELS);
    write_styles(to);
    for (int k = 0; k < PANELS; k++) {
        const fclib_problem *p = choose(problems, n, k);
        if (p) write_panel(to, p, k == 0);
    }
    fprintf(to, "unset multiplot\n");
    return pclose(to) == 0;
}
