/* plot.c: scree plot, the course of a run as a picture by gnuplot. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cases/commands/command.h"
#include "io/file/safe_file.h"
#include "io/file/text_file.h"
#include "io/file/whole_file.h"
#include "io/report/csv_table.h"
#include "io/report/gnuplot.h"
#include "io/report/measured.h"

static const scree_option options[] = {{"-o", true, scree_take_out},
                                       {"--out", true, scree_take_out},
                                       {"--help", false, scree_take_help},
                                       {0}};

/* ---- the script ------------------------------------------------------------ */

enum { CURVES = 5 };

typedef struct figure {
    const char *title;
    bool log;
    const char *columns[CURVES + 1];
} figure;

static const figure of_world[] = {
    {"energy [J]",
     false,
     {"kinetic", "potential", "dissipated", "wall_work", "inserted"}},
    {"residual", true, {"residual", "balance"}},
    {"iterations", false, {"iterations"}},
    {"contacts", false, {"contacts", "bodies"}},
    {"order", false, {"order"}},
    {0}};
static const figure of_model[] = {
    {"energy [J]", false, {"energy"}},
    {"residual", true, {"residual"}},
    {"iterations", false, {"iterations_1", "iterations_2"}},
    {"step [s]", false, {"dt"}},
    {0}};

/* What is drawn: a table, and the figures that it has columns for. */
typedef struct plot {
    const char *data; /* whole path of the table */
    scree_csv_table table;
    const char *time;
    const figure *figures; /* NULL: there is no such table */
    scree_measured measured;
    bool svg;
} plot;

/* A curve has at least a value that can be drawn. */
static bool has_curve(const plot *p, const figure *f, int column) {
    for (size_t i = 0; column >= 0 && i < p->table.n_row; i++) {
        const double y =
            p->table.values[i * (size_t)p->table.n_column + (size_t)column];
        if (isfinite(y) && (!f->log || y > 0)) return true;
    }
    return false;
}

/* Curves of a figure that the table has. */
static int count_curves(const plot *p, const figure *f) {
    int n = 0;
    for (int k = 0; f->columns[k]; k++)
        n += has_curve(p, f, scree_csv_table_find(&p->table, f->columns[k]));
    return n;
}

/* What lies 12 decades below the top is rounding, and drawn there. */
static double floor_of(const plot *p, int column) {
    double top = 0;
    for (size_t i = 0; i < p->table.n_row; i++) {
        const double y =
            p->table.values[i * (size_t)p->table.n_column + (size_t)column];
        if (isfinite(y)) top = fmax(top, y);
    }
    return 1e-12 * top;
}

/* A logarithm has no place for what is not above 0. */
static void put_value(FILE *out, const plot *p, const figure *f, int k,
                      int column) {
    const char *name = f->columns[k];
    if (f->log)
        fprintf(out, "(v = column('%s'), v > %.6g ? v : v > 0 ? %.6g : NaN)",
                name, floor_of(p, column), floor_of(p, column));
    else
        fprintf(out, "(column('%s'))", name);
}

static void put_figure(FILE *out, const plot *p, const figure *f) {
    int n = 0;
    fprintf(out, "%sset logscale y\nset ylabel '%s'\nplot ", f->log ? "" : "un",
            f->title);
    for (int k = 0; f->columns[k]; k++) {
        const int column = scree_csv_table_find(&p->table, f->columns[k]);
        if (!has_curve(p, f, column)) continue;
        fprintf(out, "%s", n++ ? ", \\\n  " : "");
        scree_gnuplot_text(out, p->data);
        fprintf(out, " using '%s':", p->time);
        put_value(out, p, f, k, column);
        fprintf(out, " with lines linestyle %d title '%s'", n + 1,
                f->columns[k]);
    }
    fprintf(out, "\n");
}

/* ---- measures -------------------------------------------------------------- */

/* The table goes into the script, with a line of its own where names would be. */
static void put_block(FILE *out, const scree_figure *f) {
    const scree_csv_table *t = &f->table;
    fprintf(out, "$figure << END\n");
    for (int k = 0; k < t->n_column; k++) fprintf(out, "%s%d", k ? "," : "", k);
    for (size_t i = 0; i < t->n_row; i++)
        for (int k = 0; k < t->n_column; k++)
            fprintf(out, "%s%.9g", k ? "," : "\n",
                    t->values[i * (size_t)t->n_column + (size_t)k]);
    fprintf(out, "\nEND\n");
}

/* Of a figure that stands upright, the abscissa is drawn as y. */
static void put_measure(FILE *out, const scree_figure *f) {
    const scree_plot *p = &f->plot;
    char label[200];
    snprintf(label, sizeof label, *p->unit ? "%s [%s]" : "%s", p->title,
             p->unit);
    const char *across = p->across ? p->across : "t [s]";
    put_block(out, f);
    fprintf(out, "%sset logscale y\nset xlabel ", p->log ? "" : "un");
    scree_gnuplot_text(out, p->upright ? label : across);
    fprintf(out, "\nset ylabel ");
    scree_gnuplot_text(out, p->upright ? across : label);
    fprintf(out, "\nplot ");
    for (int k = 1; k <= p->n; k++) {
        fprintf(out, "%s$figure using %d:%d with lines%s linestyle %d%s title ",
                k > 1 ? ", \\\n  " : "", p->upright ? k + 1 : 1,
                p->upright ? 1 : k + 1, p->across ? "points" : "", k,
                p->across ? " pointsize 0.5" : "");
        scree_gnuplot_text(out, f->table.names[k]);
    }
    fprintf(out, "\n");
}

/* ---- all figures ----------------------------------------------------------- */

static int count_figures(const plot *p) {
    int n = 0;
    for (const figure *f = p->figures; f && f->title; f++)
        n += count_curves(p, f) > 0;
    return n + p->measured.n;
}

static void put_script(FILE *out, const plot *p) {
    const int n = count_figures(p);
    fprintf(out,
            "set terminal %s size 900,%d font 'sans,11' noenhanced\n"
            "set output 'made.%s'\n%sset key outside right top\n"
            "set lmargin 12\nset rmargin 22\nset multiplot layout %d,1\n"
            "set xlabel 't [s]'\n",
            p->svg ? "svg background rgb 'white'" : "pngcairo", 60 + 260 * n,
            p->svg ? "svg" : "png", scree_gnuplot_style, n);
    for (const figure *f = p->figures; f && f->title; f++)
        if (count_curves(p, f) > 0) put_figure(out, p, f);
    for (int i = 0; i < p->measured.n; i++)
        put_measure(out, &p->measured.figures[i]);
    fprintf(out, "unset multiplot\n");
}

/* ---- the command ------------------------------------------------------------ */

/* The table of a run, by its whole path: gnuplot runs elsewhere. */
static scree_status find_table(plot *p, const char *folder, char *path,
                               scree_error *error) {
    static const struct {
        const char *file, *time;
        const figure *figures;
    } kinds[] = {{"scalars.csv", "time", of_world},
                 {"model.csv", "t", of_model}};
    char name[4200];
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        snprintf(name, sizeof name, "%s/%s", folder, kinds[i].file);
        if (!realpath(name, path)) continue;
        p->data = path;
        p->time = kinds[i].time;
        p->figures = kinds[i].figures;
        return scree_csv_table_read(&p->table, path, error);
    }
    if (p->measured.n > 0) return SCREE_OK;
    return scree_fail(error, SCREE_BAD_INPUT,
                      "%.400s: no scalars.csv and no model.csv are there; they "
                      "come from `outputs: [{scalars: {}}]` in the case",
                      folder);
}

/* Adds the figures of what is there. */
static scree_status read_measures(plot *p, const char *folder,
                                  scree_error *error) {
    for (int i = 0; scree_measured_files[i]; i++) {
        const char *file = scree_measured_files[i];
        char path[4200];
        scree_csv_table t = {0};
        snprintf(path, sizeof path, "%s/%s", folder, file);
        if (access(path, F_OK) != 0) continue;
        scree_status status = scree_csv_table_read(&t, path, error);
        if (status == SCREE_OK)
            status = scree_measured_add(&p->measured, file, &t, error);
        scree_csv_table_free(&t);
        TRY(status);
    }
    return SCREE_OK;
}

static scree_status draw_in(const char *folder, const plot *p, const char *out,
                            scree_error *error) {
    char script[100], made[100];
    bool missing;
    snprintf(script, sizeof script, "%s/plot.gp", folder);
    snprintf(made, sizeof made, "%s/made.%s", folder, p->svg ? "svg" : "png");
    FILE *file;
    TRY(scree_file_rewrite(script, &file, error));
    put_script(file, p);
    const bool bad = ferror(file);
    if (fclose(file) != 0 || bad)
        return scree_fail(error, SCREE_IO_ERROR, "%s: %s", script,
                          strerror(errno));
    scree_status status = scree_gnuplot_run(folder, "plot.gp", &missing, error);
    if (status == SCREE_OK && missing)
        status = scree_fail(error, SCREE_BAD_INPUT,
                            "plot: gnuplot is not installed, it draws the "
                            "plots\n  on Debian: apt-get install gnuplot-nox");
    if (status == SCREE_OK) status = scree_file_replace_copy(out, made, error);
    unlink(script);
    unlink(made);
    return status;
}

static scree_status draw_plot(const plot *p, const char *out,
                              scree_error *error) {
    char folder[] = "/tmp/scree-plot-XXXXXX";
    TRY(scree_file_may_replace(out, error));
    if (count_figures(p) == 0)
        return scree_fail(error, SCREE_BAD_INPUT,
                          "%.400s: no column that is plotted is there",
                          p->data ? p->data : "the tables");
    if (!mkdtemp(folder))
        return scree_fail(error, SCREE_IO_ERROR, "%s: %s", folder,
                          strerror(errno));
    const scree_status status = draw_in(folder, p, out, error);
    rmdir(folder);
    return status;
}

static scree_status make_plot(const scree_arguments *a, scree_error *error) {
    char own[4200], path[4097]; /* PATH_MAX */
    snprintf(own, sizeof own, "%s/plot.png", a->path);
    const char *out = a->out ? a->out : own;
    plot p = {.svg = scree_name_ends(out, ".svg")};
    if (!p.svg && !scree_name_ends(out, ".png"))
        return scree_fail(error, SCREE_BAD_INPUT,
                          "%.400s: a plot ends in .png or .svg", out);
    scree_status status = read_measures(&p, a->path, error);
    if (status == SCREE_OK) status = find_table(&p, a->path, path, error);
    if (status == SCREE_OK) status = draw_plot(&p, out, error);
    scree_csv_table_free(&p.table);
    scree_measured_free(&p.measured);
    if (status == SCREE_OK) printf("written: %s\n", out);
    return status;
}

extern const scree_command scree_command_plot;

static int plot_run(int argc, char **argv) {
    return scree_with_folder(&scree_command_plot, argc, argv, options, NULL,
                             make_plot);
}

const scree_command scree_command_plot = {
    "plot",
    "plot DIR [-o FILE.png|FILE.svg]",
    "plot energies, solver, mass flow and other measures of a run with gnuplot",
    "  DIR is the folder of a run with scalars.csv or model.csv, of which "
    "energies,\n"
    "  residual, iterations and contacts are drawn, and what it measured: mass "
    "flow\n"
    "  (flux.csv), forces on walls, the network, profiles at some times, the "
    "height and\n"
    "  speed of single bodies (history.csv)\n"
    "  -o FILE  default DIR/plot.png\n"
    "Needs gnuplot (package gnuplot-nox).\n",
    plot_run,
    false};
