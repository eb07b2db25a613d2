/* plot_measures.c: mass through gates and its rate over time; profiles at some times. */
#include "cases/commands/plot_measures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/file/text_file.h"
#include "io/report/gnuplot.h"

enum { CURVES = 5 };

/* ---- the tables ------------------------------------------------------------ */

static scree_status read_table(const char *folder, const char *name,
                               char path[4097], scree_csv_table *table,
                               scree_error *error) {
    char at[4200];
    snprintf(at, sizeof at, "%s/%s", folder, name);
    if (!realpath(at, path)) {
        path[0] = '\0';
        return SCREE_OK;
    }
    return scree_csv_table_read(table, path, error);
}

scree_status scree_measured_read(scree_measured *m, const char *folder,
                                 scree_error *error) {
    *m = (scree_measured){0};
    TRY(read_table(folder, "flux.csv", m->flux_path, &m->flux, error));
    return read_table(folder, "profile.csv", m->profile_path, &m->profile,
                      error);
}

void scree_measured_free(scree_measured *m) {
    scree_csv_table_free(&m->flux);
    scree_csv_table_free(&m->profile);
}

/* ---- flux ------------------------------------------------------------------ */

/* The gate whose column this is, by "GATE_mass_rate". */
static bool gate_of(const char *column, char gate[256]) {
    static const char behind[] = "_mass_rate";
    if (!scree_name_ends(column, behind)) return false;
    const size_t n = strlen(column) - strlen(behind);
    snprintf(gate, 256, "%.*s", n < 255 ? (int)n : 255, column);
    return true;
}

static bool has_flux(const scree_measured *m) {
    char gate[256];
    for (int i = 0; i < m->flux.n_column; i++)
        if (gate_of(m->flux.names[i], gate)) return m->flux.n_row > 0;
    return false;
}

/* The column GATE_what of each gate over time. */
static void put_flux(FILE *out, const scree_measured *m, const char *what,
                     const char *title) {
    char gate[256], column[300];
    int n = 0;
    fprintf(out, "unset logscale y\nset xlabel 't [s]'\nset ylabel '%s'\nplot ",
            title);
    for (int i = 0; i < m->flux.n_column && n < CURVES; i++) {
        if (!gate_of(m->flux.names[i], gate)) continue;
        snprintf(column, sizeof column, "%s_%s", gate, what);
        fprintf(out, "%s", n++ ? ", \\\n  " : "");
        scree_gnuplot_text(out, m->flux_path);
        fprintf(out, " using 'time':");
        scree_gnuplot_text(out, column);
        fprintf(out, " with lines linestyle %d title ", n);
        scree_gnuplot_text(out, gate);
    }
    fprintf(out, "\n");
}

/* ---- profiles -------------------------------------------------------------- */

/* Along the coordinate of the profile, which is its third column. */
typedef struct profile {
    const char *title, *of_x, *of_y, *of_z; /* columns */
} profile;

static const profile profiles[] = {
    {"solid fraction", "solid_fraction", "solid_fraction", "solid_fraction"},
    {"velocity [m/s]", "velocity_x", "velocity_y", "velocity_z"},
    {"contact stress [Pa]", "contact_stress_xx", "contact_stress_yy",
     "contact_stress_zz"}};
enum { PROFILES = sizeof profiles / sizeof *profiles };

static const char *coordinate_of(const scree_measured *m) {
    return m->profile.n_column > 2 ? m->profile.names[2] : "";
}

/* The component along the coordinate; NULL: the table does not have it. */
static const char *column_of(const scree_measured *m, const profile *p) {
    const char *along = coordinate_of(m);
    const bool first = strcmp(along, "x") == 0 || strcmp(along, "r") == 0,
               second = strcmp(along, "y") == 0 || strcmp(along, "theta") == 0;
    const char *column = first ? p->of_x : second ? p->of_y : p->of_z;
    return scree_csv_table_find(&m->profile, column) >= 0 ? column : NULL;
}

/* Some times of the profile, the last one among them; returns how many. */
static int choose_times(const scree_measured *m, double times[CURVES]) {
    const scree_csv_table *t = &m->profile;
    const int at = scree_csv_table_find(t, "time");
    if (at < 0 || t->n_row == 0) return 0;
    size_t all = 1, seen = 0;
    for (size_t i = 1; i < t->n_row; i++)
        all += t->values[i * (size_t)t->n_column + (size_t)at] !=
               t->values[(i - 1) * (size_t)t->n_column + (size_t)at];
    int n = 0;
    for (size_t i = 0; i < t->n_row; i++) {
        const double now = t->values[i * (size_t)t->n_column + (size_t)at];
        if (i > 0 &&
            now == t->values[(i - 1) * (size_t)t->n_column + (size_t)at])
            continue;
        seen++;
        if (seen * CURVES / all > (size_t)n && n < CURVES) times[n++] = now;
    }
    return n;
}

static void put_profile(FILE *out, const scree_measured *m, const profile *p,
                        const double *times, int n) {
    fprintf(out, "unset logscale y\nset xlabel '%s'\nset ylabel '%s'\nplot ",
            p->title, coordinate_of(m));
    for (int k = 0; k < n; k++) {
        fprintf(out, "%s", k ? ", \\\n  " : "");
        scree_gnuplot_text(out, m->profile_path);
        fprintf(out,
                " using (abs(column('time') - %.17g) < 1e-12 ? column('%s') : "
                "NaN):'%s' with linespoints linestyle %d pointsize 0.5 title "
                "'t = %.4g s'",
                times[k], column_of(m, p), coordinate_of(m), k + 1, times[k]);
    }
    fprintf(out, "\n");
}

/* ---- all figures ----------------------------------------------------------- */

int scree_measured_count(const scree_measured *m) {
    double times[CURVES];
    int n = has_flux(m) ? 2 : 0;
    for (int i = 0; i < PROFILES && choose_times(m, times) > 0; i++)
        n += column_of(m, &profiles[i]) != NULL;
    return n;
}

void scree_measured_put(FILE *out, const scree_measured *m) {
    double times[CURVES];
    const int n = choose_times(m, times);
    if (has_flux(m)) {
        put_flux(out, m, "mass", "mass through [kg]");
        put_flux(out, m, "mass_rate", "mass flow [kg/s]");
    }
    for (int i = 0; i < PROFILES && n > 0; i++)
        if (column_of(m, &profiles[i]))
            put_profile(out, m, &profiles[i], times, n);
}
