#include "io/report/measured.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/file/text_file.h"

enum { NAME = 80, LINES = SCREE_PLOT_LINES };

/* ---- tables ---------------------------------------------------------------- */

/* NAN: the table has no such column. */
static double cell_of(const scree_csv_table *t, size_t row, int column) {
    if (column < 0) return NAN;
    return t->values[row * (size_t)t->n_column + (size_t)column];
}

static double *cell_at(scree_figure *f, size_t row, int column) {
    return &f->table.values[row * (size_t)f->table.n_column + (size_t)column];
}

static bool make_table(scree_csv_table *t, size_t rows, int columns) {
    const size_t n = (size_t)columns;
    t->values = calloc(rows * n + 1, sizeof *t->values);
    t->names = calloc(n, sizeof *t->names);
    t->text = calloc(n, NAME);
    if (!t->values || !t->names || !t->text) return false;
    t->n_row = rows;
    t->n_column = columns;
    for (size_t k = 0; k < n; k++) t->names[k] = t->text + k * NAME;
    return true;
}

/* A figure with `lines` curves over the abscissa; NULL: no room or no memory. */
static scree_figure *begin_figure(scree_measured *m, const char *title,
                                  const char *unit, size_t rows, int lines) {
    if (m->n == SCREE_MEASURED_FIGURES || lines == 0 || rows == 0) return NULL;
    scree_figure *f = &m->figures[m->n++];
    *f = (scree_figure){.plot = {.title = title, .unit = unit, .time = ""}};
    f->whole = make_table(&f->table, rows, lines + 1);
    if (!f->whole) return NULL;
    f->plot.n = lines;
    for (int k = 0; k < lines; k++) f->plot.columns[k] = f->table.names[k + 1];
    return f;
}

/* Curve k of a figure, by a column of another table. */
static void take_column(scree_figure *f, int k, const char *name, size_t n_name,
                        const scree_csv_table *t, int column) {
    snprintf(f->table.names[k], NAME, "%.*s",
             (int)(n_name < NAME ? n_name : NAME - 1), name);
    for (size_t i = 0; i < t->n_row; i++)
        *cell_at(f, i, k) = cell_of(t, i, column);
}

static void take_time(scree_figure *f, const scree_csv_table *t) {
    take_column(f, 0, "", 0, t, scree_csv_table_find(t, "time"));
}

/* ---- over time ------------------------------------------------------------- */

/* Columns PREFIXnameSUFFIX, over time, each with its name. */
static void add_named(scree_measured *m, const scree_csv_table *t,
                      const char *prefix, const char *suffix, const char *title,
                      const char *unit) {
    int columns[LINES], n = 0;
    for (int c = 0; c < t->n_column && n < LINES; c++)
        if (strncmp(t->names[c], prefix, strlen(prefix)) == 0 &&
            scree_name_ends(t->names[c], suffix))
            columns[n++] = c;
    scree_figure *f = begin_figure(m, title, unit, t->n_row, n);
    if (!f) return;
    take_time(f, t);
    for (int k = 0; k < n; k++) {
        const char *name = t->names[columns[k]] + strlen(prefix);
        take_column(f, k + 1, name, strlen(name) - strlen(suffix), t,
                    columns[k]);
    }
}

/* Columns that are told one by one. */
static void add_columns(scree_measured *m, const scree_csv_table *t,
                        const char *title, const char *unit,
                        const char *const *names) {
    int columns[LINES], n = 0;
    for (int i = 0; names[i]; i++) {
        const int column = scree_csv_table_find(t, names[i]);
        if (column >= 0) columns[n++] = column;
    }
    scree_figure *f = begin_figure(m, title, unit, t->n_row, n);
    if (!f) return;
    take_time(f, t);
    for (int k = 0; k < n; k++) {
        const char *name = t->names[columns[k]];
        take_column(f, k + 1, name, strlen(name), t, columns[k]);
    }
}

static void add_flux(scree_measured *m, const scree_csv_table *t) {
    add_named(m, t, "", "_mass", "Mass through", "kg");
    add_named(m, t, "", "_mass_rate", "Mass flow", "kg/s");
}

static void add_outlets(scree_measured *m, const scree_csv_table *t) {
    add_named(m, t, "mass_left_", "", "Mass that left", "kg");
}

static void add_network(scree_measured *m, const scree_csv_table *t) {
    static const char *const coordination[] = {
        "coordination", "coordination_without_rattlers", NULL};
    static const char *const forces[] = {"mean_force", "largest_force", NULL};
    static const char *const fabric[] = {"fabric_xx", "fabric_yy", "fabric_zz",
                                         NULL};
    static const char *const sliding[] = {"sliding_share", NULL};
    add_columns(m, t, "Coordination", "", coordination);
    add_columns(m, t, "Forces in contacts", "N", forces);
    add_columns(m, t, "Fabric", "", fabric);
    add_columns(m, t, "Share of contacts that slide", "", sliding);
}

/* ---- walls ----------------------------------------------------------------- */

/* The size of a vector whose components are in three columns. */
static double length_of(const scree_csv_table *t, size_t row, int column) {
    const double x = cell_of(t, row, column), y = cell_of(t, row, column + 1),
                 z = cell_of(t, row, column + 2);
    return sqrt(x * x + y * y + z * z);
}

static double peak_of(const scree_csv_table *t, int column) {
    double peak = 0;
    for (size_t i = 0; i < t->n_row; i++)
        peak = fmax(peak, length_of(t, i, column));
    return peak;
}

/* Keeps the LINES walls with the largest peaks, in their order. */
typedef struct strongest {
    int n, columns[LINES];
    double peaks[LINES];
} strongest;

static void take_wall(strongest *s, int column, double peak) {
    if (s->n == LINES) {
        int least = 0;
        for (int k = 1; k < LINES; k++)
            if (s->peaks[k] < s->peaks[least]) least = k;
        if (peak <= s->peaks[least]) return;
        for (int k = least; k + 1 < LINES; k++) {
            s->columns[k] = s->columns[k + 1];
            s->peaks[k] = s->peaks[k + 1];
        }
        s->n--;
    }
    s->columns[s->n] = column;
    s->peaks[s->n++] = peak;
}

static void add_walls(scree_measured *m, const scree_csv_table *t) {
    static const char suffix[] = "_force_x";
    strongest s = {0};
    int all = 0;
    for (int c = 0; c + 2 < t->n_column; c++) {
        if (!scree_name_ends(t->names[c], suffix)) continue;
        take_wall(&s, c, peak_of(t, c));
        all++;
    }
    scree_figure *f = begin_figure(
        m, all > s.n ? "Forces on walls, the largest" : "Forces on walls", "N",
        t->n_row, s.n);
    if (!f) return;
    take_time(f, t);
    for (int k = 0; k < s.n; k++) {
        const char *name = t->names[s.columns[k]];
        take_column(f, k + 1, name, strlen(name) - strlen(suffix), t, -1);
        for (size_t i = 0; i < t->n_row; i++)
            *cell_at(f, i, k + 1) = length_of(t, i, s.columns[k]);
    }
}

/* ---- single bodies --------------------------------------------------------- */

/* The first LINES bodies that a history has, in its order. */
static int list_bodies(const scree_csv_table *t, int id, double ids[LINES]) {
    int n = 0;
    for (size_t i = 0; i < t->n_row && n < LINES; i++) {
        int k = 0;
        while (k < n && ids[k] != cell_of(t, i, id)) k++;
        if (k == n) ids[n++] = cell_of(t, i, id);
    }
    return n;
}

static size_t count_times(const scree_csv_table *t, int time) {
    size_t n = t->n_row > 0;
    for (size_t i = 1; i < t->n_row; i++)
        n += cell_of(t, i, time) != cell_of(t, i - 1, time);
    return n;
}

static double value_of(const scree_csv_table *t, size_t row, int column,
                       bool vector) {
    return vector ? length_of(t, row, column) : cell_of(t, row, column);
}

/* A row for each time; a body that is not there then has NAN. */
static void spread_bodies(scree_figure *f, const scree_csv_table *t, int column,
                          bool vector, const double *ids, int n) {
    const int id = scree_csv_table_find(t, "id"),
              time = scree_csv_table_find(t, "time");
    size_t row = 0;
    for (size_t i = 0; i < t->n_row; i++) {
        const bool first =
            i == 0 || cell_of(t, i, time) != cell_of(t, i - 1, time);
        if (first && i > 0) row++;
        for (int k = 0; k < n; k++) {
            if (first) *cell_at(f, row, k + 1) = NAN;
            if (cell_of(t, i, id) == ids[k])
                *cell_at(f, row, k + 1) = value_of(t, i, column, vector);
        }
        *cell_at(f, row, 0) = cell_of(t, i, time);
    }
}

static void add_bodies(scree_measured *m, const scree_csv_table *t,
                       const char *title, const char *unit, int column,
                       bool vector) {
    const int id = scree_csv_table_find(t, "id"),
              time = scree_csv_table_find(t, "time");
    if (id < 0 || time < 0 || column < 0 || column + 2 >= t->n_column) return;
    double ids[LINES];
    const int n = list_bodies(t, id, ids);
    scree_figure *f = begin_figure(m, title, unit, count_times(t, time), n);
    if (!f) return;
    for (int k = 0; k < n; k++)
        snprintf(f->table.names[k + 1], NAME, "body %.0f", ids[k]);
    spread_bodies(f, t, column, vector, ids, n);
}

/* Which way is up: z, in the plane (all z are 0) y. */
static void add_history(scree_measured *m, const scree_csv_table *t) {
    const int z = scree_csv_table_find(t, "z"),
              y = scree_csv_table_find(t, "y");
    bool planar = true;
    for (size_t i = 0; i < t->n_row && planar; i++)
        planar = cell_of(t, i, z) == 0;
    add_bodies(m, t, planar ? "Height y of bodies" : "Height z of bodies", "m",
               planar ? y : z, false);
    add_bodies(m, t, "Speed of bodies", "m/s",
               scree_csv_table_find(t, "velocity_x"), true);
}

/* ---- curves at some times -------------------------------------------------- */

enum { TIMES = 5 };

/* Blocks of rows with the same time; the first row of some of them, of which the last
 * one is the last. Blocks in which the column has nothing to draw do not count. */
typedef struct blocks {
    int n;
    size_t first[TIMES], rows;
} blocks;

static bool is_drawn(const scree_csv_table *t, size_t first, size_t rows,
                     int column, bool log) {
    for (size_t i = first; i < first + rows && i < t->n_row; i++) {
        const double value = cell_of(t, i, column);
        if (isfinite(value) && (!log || value > 0)) return true;
    }
    return false;
}

static blocks choose_blocks(const scree_csv_table *t, int column, bool log) {
    const int time = scree_csv_table_find(t, "time");
    blocks b = {0};
    size_t all = 0, seen = 0;
    while (b.rows < t->n_row && cell_of(t, b.rows, time) == cell_of(t, 0, time))
        b.rows++;
    for (size_t i = 0; b.rows > 0 && i + b.rows <= t->n_row; i += b.rows)
        all += is_drawn(t, i, b.rows, column, log);
    for (size_t i = 0; all > 0 && i + b.rows <= t->n_row; i += b.rows) {
        if (!is_drawn(t, i, b.rows, column, log)) continue;
        seen++;
        if (seen * TIMES / all > (size_t)b.n && b.n < TIMES) b.first[b.n++] = i;
    }
    return b;
}

static scree_figure *add_blocks(scree_measured *m, const scree_csv_table *t,
                                const char *title, const char *unit, int x,
                                int y, bool log) {
    if (x < 0 || y < 0) return NULL;
    const blocks b = choose_blocks(t, y, log);
    scree_figure *f = begin_figure(m, title, unit, b.rows, b.n);
    if (!f) return NULL;
    f->plot.log = log;
    const int time = scree_csv_table_find(t, "time");
    for (int k = 0; k < b.n; k++) {
        snprintf(f->table.names[k + 1], NAME, "%.4g s",
                 cell_of(t, b.first[k], time));
        for (size_t i = 0; i < b.rows; i++) {
            *cell_at(f, i, 0) = cell_of(t, b.first[k] + i, x);
            *cell_at(f, i, k + 1) = cell_of(t, b.first[k] + i, y);
        }
    }
    return f;
}

static void add_forces(scree_measured *m, const scree_csv_table *t) {
    scree_figure *f =
        add_blocks(m, t, "Density of normal forces", "",
                   scree_csv_table_find(t, "normal_over_mean"),
                   scree_csv_table_find(t, "normal_density"), true);
    if (f) f->plot.across = "force / mean force";
}

/* Along the coordinate of the profile, which is the third column. */
static void add_profile(scree_measured *m, const scree_csv_table *t) {
    static const struct {
        const char *title, *unit, *along[3];
    } kinds[] = {
        {"Solid fraction",
         "",
         {"solid_fraction", "solid_fraction", "solid_fraction"}},
        {"Velocity", "m/s", {"velocity_x", "velocity_y", "velocity_z"}},
        {"Contact stress",
         "Pa",
         {"contact_stress_xx", "contact_stress_yy", "contact_stress_zz"}}};
    static const struct {
        const char *name, *label;
        int along;
    } places[] = {{"x", "x [m]", 0},
                  {"y", "y [m]", 1},
                  {"z", "z [m]", 2},
                  {"r", "r [m]", 0},
                  {"theta", "theta [rad]", 1}};
    for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
        if (t->n_column < 3 || strcmp(t->names[2], places[p].name) != 0)
            continue;
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
            scree_figure *f = add_blocks(
                m, t, kinds[i].title, kinds[i].unit, 2,
                scree_csv_table_find(t, kinds[i].along[places[p].along]),
                false);
            if (!f) continue;
            f->plot.across = places[p].label;
            f->plot.upright = places[p].along == 2;
        }
    }
}

/* ---- all of them ----------------------------------------------------------- */

static const struct {
    const char *file;
    void (*add)(scree_measured *m, const scree_csv_table *t);
} kinds_of_file[] = {{"flux.csv", add_flux},      {"scalars.csv", add_outlets},
                     {"walls.csv", add_walls},    {"network.csv", add_network},
                     {"forces.csv", add_forces},  {"profile.csv", add_profile},
                     {"history.csv", add_history}};
enum { FILES = sizeof kinds_of_file / sizeof *kinds_of_file };

const char *const scree_measured_files[FILES + 1] = {
    "flux.csv",   "scalars.csv", "walls.csv",   "network.csv",
    "forces.csv", "profile.csv", "history.csv", NULL};

static bool has_finite(const scree_figure *f) {
    for (size_t i = 0; i < f->table.n_row; i++)
        for (int k = 1; k <= f->plot.n; k++)
            if (isfinite(cell_of(&f->table, i, k))) return true;
    return false;
}

scree_status scree_measured_add(scree_measured *m, const char *file,
                                const scree_csv_table *t, scree_error *error) {
    const int before = m->n;
    for (int i = 0; i < FILES; i++)
        if (strcmp(kinds_of_file[i].file, file) == 0)
            kinds_of_file[i].add(m, t);
    int n = before;
    bool whole = true;
    for (int i = before; i < m->n; i++) {
        scree_figure *f = &m->figures[i];
        whole = whole && f->whole;
        if (f->whole && has_finite(f))
            m->figures[n++] = *f;
        else
            scree_csv_table_free(&f->table);
    }
    m->n = n;
    return whole ? SCREE_OK
                 : scree_fail(error, SCREE_OUT_OF_MEMORY,
                              "%.100s: out of memory", file);
}

void scree_measured_free(scree_measured *m) {
    for (int i = 0; i < m->n; i++) scree_csv_table_free(&m->figures[i].table);
    m->n = 0;
}
