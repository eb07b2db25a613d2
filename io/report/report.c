#include "io/report/report.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/case/yaml/case_node.h"
#include "io/file/memo.h"
#include "io/file/safe_file.h"
#include "io/file/text_file.h"
#include "io/file/whole_file.h"
#include "io/report/case_changes.h"
#include "io/report/measured.h"
#include "io/report/report_pictures.h"
#include "io/report/svg_plot.h"
#include "io/report/trouble.h"

/* So many rows are shown at once, more on a click. */
enum { FEW_RANKS = 16 };

typedef struct page {
    FILE *out;
    const char *folder;
    const scree_page_options *options;
    scree_trouble trouble;
    scree_pool *pool;           /* of `timing` */
    const scree_node *timing;   /* NULL: there is none */
    const scree_node *settings; /* the case; NULL: there is none */
} page;

static const char style[] =
    "body{font:15px/1.5 system-ui,sans-serif;color:#222;background:#fff;"
    "max-width:1100px;margin:0 auto;padding:1rem}"
    "h1{font-size:1.6rem;margin:.2em 0}h2{font-size:1.15rem;margin:1.6em 0 "
    ".5em;"
    "border-bottom:1px solid #ddd}"
    "table{border-collapse:collapse}td,th{padding:.15em .9em .15em 0;"
    "text-align:left}td.n,th.n{text-align:right;"
    "font-variant-numeric:tabular-nums}"
    ".facts{display:grid;grid-template-columns:repeat(auto-fill,"
    "minmax(240px,1fr));gap:.1em 1.5em}.facts b{font-weight:600}"
    "figure{margin:0}figcaption{font-weight:600;margin:.4em 0}"
    ".plots,.pictures{display:grid;grid-template-columns:repeat(auto-fit,"
    "minmax(min(100%,440px),1fr));gap:1em}"
    "svg.plot{width:100%;height:auto;background:#fafafa}"
    "svg text{font:11px system-ui,sans-serif;fill:#444}"
    ".grid line{stroke:#e2e2e2}img{max-width:100%;border:1px solid #eee}"
    "pre{background:#f6f6f6;padding:.7em;overflow-x:auto;font-size:12.5px;"
    "line-height:1.35}#changes{white-space:pre-wrap}"
    ".warn{background:#fff6da;border-left:4px solid #e0a800;padding:.4em .8em;"
    "white-space:pre-wrap;margin:.4em 0}.bad{color:#b00020;font-weight:600}"
    ".bar{background:#1f77b4;height:.8em;display:inline-block}";

/* ---- the files of a run --------------------------------------------------- */

/* folder/name; NULL: no memory. */
static char *path_of(page *p, const char *name) {
    char *path;
    if (asprintf(&path, "%s/%s", p->folder, name) >= 0) return path;
    scree_trouble_memory(&p->trouble);
    return NULL;
}

/* folder/name; `text` has no bytes if it is not there. */
static bool read_file(page *p, const char *name, scree_text *text) {
    char *path = path_of(p, name);
    *text = (scree_text){0};
    const bool there = path && scree_trouble_read(&p->trouble, text, path);
    text->path = name;
    free(path);
    return there;
}

/* JSON is YAML: one reader serves both. What it cannot read counts as not there. */
static const scree_node *load_map(page *p, const char *name) {
    scree_text text;
    scree_node *root = NULL;
    scree_error unheard;
    if (!read_file(p, name, &text)) return NULL;
    const scree_status status = scree_node_load(
        text.bytes, (scree_origin){name, 1}, p->pool, &root, &unheard);
    scree_text_free(&text);
    if (status == SCREE_OUT_OF_MEMORY) scree_trouble_memory(&p->trouble);
    if (status != SCREE_OK) return NULL;
    return root && root->kind == SCREE_NODE_MAP ? root : NULL;
}

/* The text of a key; "" if there is none. */
static const char *text_of(const scree_node *map, const char *key) {
    const scree_node *value = map ? scree_node_value(map, key) : NULL;
    return value && value->kind == SCREE_NODE_SCALAR ? value->text : "";
}

static double number_of(const scree_node *map, const char *key) {
    char *end;
    const char *text = text_of(map, key);
    const double x = strtod(text, &end);
    return end != text ? x : NAN;
}

/* ---- summary --------------------------------------------------------------- */

static void put_fact(const page *p, const char *name, const char *value,
                     const char *unit) {
    if (!*value || strcmp(value, "null") == 0) return;
    fprintf(p->out, "<div><b>%s</b> ", name);
    scree_put_xml(p->out, value);
    fprintf(p->out, "%s%s</div>\n", *unit ? " " : "", unit);
}

static void put_summary(const page *p) {
    const char *name = text_of(p->settings, "name");
    fprintf(p->out, "<h1>");
    scree_put_xml(p->out, *name ? name : p->folder);
    fprintf(p->out, "</h1>\n<div class=\"facts\">\n");
    static const struct {
        const char *name, *key, *unit;
        bool of_world;
    } facts[] = {{"simulated", "time", "s", false},
                 {"steps", "steps", "", false},
                 {"bodies", "bodies", "", true},
                 {"contacts", "contacts", "per step", true},
                 {"iterations", "iterations", "per step", false},
                 {"wall time", "seconds", "s", false},
                 {"ranks", "ranks", "", true},
                 {"threads", "threads", "per rank", true},
                 {"steps not converged", "unconverged", "", false},
                 {"scree", "scree", "", false},
                 {"commit", "commit", "", false},
                 {"state hash", "state_hash", "", false}};
    const char *model = text_of(p->settings, "model");
    put_fact(p, "stepper", text_of(p->settings, "stepper"), "");
    put_fact(p, "model", model, "");
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        if (!*model || !facts[i].of_world)
            put_fact(p, facts[i].name, text_of(p->timing, facts[i].key),
                     facts[i].unit);
    fprintf(p->out, "</div>\n");
    if (!p->timing)
        fprintf(p->out, "<p class=\"bad\">The run has not ended yet, or was "
                        "killed: there is no timing.json.</p>\n");
    else if (strcmp(text_of(p->timing, "finished"), "true") != 0)
        fprintf(p->out, "<p class=\"bad\">The run was stopped before its end; "
                        "scree resume goes on.</p>\n");
}

/* ---- warnings -------------------------------------------------------------- */

/* As the terminal shows them: the line, and those below it that stand farther in. */
static void put_warnings(page *p) {
    scree_text text;
    int n = 0;
    bool inside = false;
    size_t margin = 0;
    if (!read_file(p, "run.log", &text)) return;
    char *rest = text.bytes;
    for (char *line; (line = strsep(&rest, "\n"));) {
        const size_t indent = strspn(line, " ");
        const bool warns = strncmp(line + indent, "warning", 7) == 0 ||
                           strncmp(line, "error: ", 7) == 0;
        if (inside && (warns || indent <= margin)) fprintf(p->out, "</div>\n");
        inside = warns || (inside && indent > margin);
        if (warns && n++ == 0) fprintf(p->out, "<h2>Warnings</h2>\n");
        if (warns) margin = indent;
        if (!inside) continue;
        fprintf(p->out, "%s", warns ? "<div class=\"warn\">" : "\n");
        scree_put_xml(p->out, line + (indent < margin ? indent : margin));
    }
    if (inside) fprintf(p->out, "</div>\n");
    if (n == 0) fprintf(p->out, "<p>No warnings.</p>\n");
    scree_text_free(&text);
}

/* ---- plots ----------------------------------------------------------------- */

static const scree_plot world_plots[] = {
    {.title = "Energy",
     .unit = "J",
     .time = "time",
     .n = 5,
     .columns = {"kinetic", "potential", "dissipated", "inserted",
                 "wall_work"}},
    {.title = "Residual",
     .unit = "",
     .log = true,
     .time = "time",
     .n = 2,
     .columns = {"residual", "balance"}},
    {.title = "Iterations",
     .unit = "",
     .time = "time",
     .n = 1,
     .columns = {"iterations"}},
    {.title = "Step size",
     .unit = "s",
     .time = "time",
     .changes = true,
     .n = 1,
     .columns = {"step_size"}},
    {.title = "Order of the step",
     .unit = "",
     .time = "time",
     .n = 1,
     .columns = {"order"}},
    {.title = "Contacts and bodies",
     .unit = "",
     .time = "time",
     .n = 2,
     .columns = {"contacts", "bodies"}},
    {.title = "Penetration",
     .unit = "m",
     .log = true,
     .time = "time",
     .n = 2,
     .columns = {"penetration_max", "penetration_mean"}},
    {.title = "Losses",
     .unit = "J",
     .time = "time",
     .n = 3,
     .columns = {"dissipated_normal", "dissipated_friction",
                 "dissipated_turning"}}};

static const scree_plot model_plots[] = {
    {.title = "Energy",
     .unit = "J",
     .time = "t",
     .n = 1,
     .columns = {"energy"}},
    {.title = "Residual",
     .unit = "",
     .log = true,
     .time = "t",
     .n = 1,
     .columns = {"residual"}},
    {.title = "Iterations",
     .unit = "",
     .time = "t",
     .n = 2,
     .columns = {"iterations_1", "iterations_2"}},
    {.title = "Step size",
     .unit = "s",
     .time = "t",
     .changes = true,
     .n = 1,
     .columns = {"dt"}}};

/* Columns of a model that begin so, or if `prefix` is NULL those between `order` and
 * the first gap or percussion: its coordinates and velocities. */
static scree_plot gather_plot(const scree_csv_table *t, const char *title,
                              const char *prefix) {
    scree_plot plot = {.title = title, .unit = "", .time = "t"};
    const int first = scree_csv_table_find(t, "order") + 1;
    for (int c = first; c < t->n_column && plot.n < SCREE_PLOT_LINES; c++) {
        const char *name = t->names[c];
        const bool law =
            strncmp(name, "g_", 2) == 0 || strncmp(name, "P_", 2) == 0;
        if (!prefix && (law || strcmp(name, "energy") == 0)) break;
        if (!prefix || strncmp(name, prefix, strlen(prefix)) == 0)
            plot.columns[plot.n++] = name;
    }
    return plot;
}

static void put_model_plots(const page *p, const scree_csv_table *t) {
    const scree_plot state = gather_plot(t, "Coordinates and velocities", NULL),
                     gaps = gather_plot(t, "Gaps", "g_"),
                     percussions = gather_plot(t, "Percussions", "P_");
    scree_plot_draw(p->out, t, &state);
    scree_plot_draw(p->out, t, &gaps);
    scree_plot_draw(p->out, t, &percussions);
    for (size_t i = 0; i < sizeof model_plots / sizeof *model_plots; i++)
        scree_plot_draw(p->out, t, &model_plots[i]);
}

static bool read_table(page *p, const char *name, scree_csv_table *t) {
    char *path = path_of(p, name);
    scree_error why;
    *t = (scree_csv_table){0};
    const bool there =
        path && scree_trouble_heed(&p->trouble, path,
                                   scree_csv_table_read(t, path, &why), &why);
    free(path);
    return there;
}

static void put_measures(page *p) {
    scree_measured m = {0};
    for (int i = 0; scree_measured_files[i]; i++) {
        scree_csv_table t;
        scree_error why;
        if (read_table(p, scree_measured_files[i], &t) &&
            scree_measured_add(&m, scree_measured_files[i], &t, &why) !=
                SCREE_OK)
            scree_trouble_memory(&p->trouble);
        scree_csv_table_free(&t);
    }
    if (m.n > 0) fprintf(p->out, "<h2>Measures</h2>\n<div class=\"plots\">\n");
    for (int i = 0; i < m.n; i++)
        scree_plot_draw(p->out, &m.figures[i].table, &m.figures[i].plot);
    if (m.n > 0) fprintf(p->out, "</div>\n");
    scree_measured_free(&m);
}

static void put_plots(page *p) {
    scree_csv_table t;
    fprintf(p->out, "<h2>Course of the run</h2>\n<div class=\"plots\">\n");
    if (read_table(p, "scalars.csv", &t)) {
        for (size_t i = 0; i < sizeof world_plots / sizeof *world_plots; i++)
            scree_plot_draw(p->out, &t, &world_plots[i]);
    } else {
        scree_csv_table_free(&t);
        if (read_table(p, "model.csv", &t))
            put_model_plots(p, &t);
        else
            fprintf(p->out, "<p>No scalars.csv or model.csv: the case has no "
                            "output scalars.</p>\n");
    }
    scree_csv_table_free(&t);
    fprintf(p->out, "</div>\n");
}

/* ---- timing ---------------------------------------------------------------- */

static void put_phase(const page *p, const scree_node *phase, double all,
                      bool ranks) {
    const double mean = number_of(phase, "mean"), share = 100 * mean / all;
    fprintf(p->out, "<tr><td>");
    scree_put_xml(p->out, text_of(phase, "phase"));
    fprintf(p->out, "</td><td class=\"n\">%.3f</td><td class=\"n\">%.1f</td>",
            mean, share);
    if (ranks)
        fprintf(p->out, "<td class=\"n\">%.3f</td><td class=\"n\">%.3f</td>",
                number_of(phase, "least"), number_of(phase, "most"));
    fprintf(
        p->out,
        "<td><span class=\"bar\" style=\"width:%.0fpx\"></span></td></tr>\n",
        2 * fmin(fmax(share, 0), 100));
}

static void put_timing(const page *p) {
    const scree_node *phases =
        p->timing ? scree_node_value(p->timing, "phases") : NULL;
    if (!phases || phases->kind != SCREE_NODE_LIST || phases->n == 0) return;
    const bool ranks = number_of(p->timing, "ranks") > 1;
    fprintf(p->out,
            "<h2>Where the time went</h2>\n<table><tr><th>phase</th><th "
            "class=\"n\">seconds</th><th class=\"n\">share %%</th>%s<th></th>"
            "</tr>\n",
            ranks ? "<th class=\"n\">least rank</th><th class=\"n\">most</th>"
                  : "");
    for (int i = 0; i < phases->n; i++)
        if (phases->items[i]->kind == SCREE_NODE_MAP)
            put_phase(p, phases->items[i], number_of(p->timing, "seconds"),
                      ranks);
    fprintf(p->out, "</table>\n");
}

static void put_rank(const page *p, const scree_node *rank) {
    static const struct {
        const char *key;
        int digits;
        double unit;
    } columns[] = {{"bodies", 0, 1},  {"copies", 0, 1},  {"contacts", 0, 1},
                   {"solve", 3, 1},   {"waiting", 3, 1}, {"messages", 0, 1},
                   {"bytes", 1, 1e3}, {"memory", 1, 1e6}};
    fprintf(p->out, "<tr><td>");
    scree_put_xml(p->out, text_of(rank, "rank"));
    fprintf(p->out, "</td>");
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        fprintf(p->out, "<td class=\"n\">");
        fprintf(p->out, "%.*f", columns[i].digits,
                number_of(rank, columns[i].key) / columns[i].unit);
        fprintf(p->out, "</td>");
    }
    fprintf(p->out, "</tr>\n");
}

static void put_ranks(const page *p) {
    const scree_node *ranks =
        p->timing ? scree_node_value(p->timing, "each_rank") : NULL;
    if (!ranks || ranks->kind != SCREE_NODE_LIST || ranks->n == 0) return;
    fprintf(p->out,
            "<details%s><summary>rank by rank</summary><table id=\"ranks\">"
            "<tr><th>rank</th><th class=\"n\">bodies</th><th class=\"n\">"
            "copies</th><th class=\"n\">contacts</th><th class=\"n\">solve "
            "[s]</th><th class=\"n\">waits [s]</th><th class=\"n\">messages "
            "a step</th><th class=\"n\">kB a step</th><th class=\"n\">memory "
            "[MB]</th></tr>\n",
            ranks->n <= FEW_RANKS ? " open" : "");
    for (int i = 0; i < ranks->n; i++)
        if (ranks->items[i]->kind == SCREE_NODE_MAP)
            put_rank(p, ranks->items[i]);
    fprintf(p->out, "</table></details>\n");
}

/* ---- case and log ------------------------------------------------------------ */

static void put_text(const page *p, const char *title, const scree_text *text) {
    fprintf(p->out, "<details><summary>%s</summary><pre>", title);
    scree_put_xml(p->out, text->bytes);
    fprintf(p->out, "</pre></details>\n");
}

static void put_case(page *p) {
    scree_text text;
    scree_error unheard;
    scree_status status = SCREE_OUT_OF_MEMORY;
    fprintf(p->out, "<h2>Case</h2>\n");
    if (!read_file(p, "case.yaml", &text)) {
        fprintf(p->out, "<p>No case.yaml in the folder.</p>\n");
        return;
    }
    scree_memo memo;
    FILE *out = scree_memo_open(&memo);
    if (out) status = scree_case_changes(text.bytes, out, &unheard);
    char *changes = scree_memo_close(&memo);
    if (!changes || status == SCREE_OUT_OF_MEMORY)
        scree_trouble_memory(&p->trouble);
    if (changes && status == SCREE_OK) {
        fprintf(p->out, "<p>Keys that differ from the defaults:</p><pre "
                        "id=\"changes\">");
        scree_put_xml(p->out, changes);
        fprintf(p->out, "</pre>\n");
    }
    free(changes);
    put_text(p, "every key (case.yaml)", &text);
    scree_text_free(&text);
}

static void put_log(page *p) {
    scree_text text;
    if (!read_file(p, "run.log", &text)) return;
    fprintf(p->out, "<h2>Log</h2>\n");
    put_text(p, "run.log", &text);
    scree_text_free(&text);
}

/* ---- the page ---------------------------------------------------------------- */

static void put_page(page *p) {
    fprintf(p->out,
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
            "<meta name=\"viewport\" content=\"width=device-width\">"
            "<link rel=\"icon\" href=\"data:,\"><title>");
    scree_put_xml(p->out, text_of(p->settings, "name"));
    fprintf(p->out, "</title><style>%s</style></head><body>\n", style);
    put_summary(p);
    put_warnings(p);
    scree_page_put_pictures(p->out, p->folder, p->options, &p->trouble);
    put_plots(p);
    put_measures(p);
    put_timing(p);
    put_ranks(p);
    put_case(p);
    put_log(p);
    fprintf(p->out, "</body></html>\n");
}

scree_status scree_page_write(const char *folder, const char *path,
                              const scree_page_options *options,
                              scree_error *error) {
    scree_memo memo = {0};
    page p = {
        .folder = folder, .options = options, .pool = scree_pool_create()};
    p.out = p.pool ? scree_memo_open(&memo) : NULL;
    if (p.out) {
        p.timing = load_map(&p, "timing.json");
        p.settings = load_map(&p, "case.yaml");
        put_page(&p);
    }
    char *text = scree_memo_close(&memo);
    if (!text) scree_trouble_memory(&p.trouble);
    scree_status status = scree_trouble_end(&p.trouble, error);
    if (status == SCREE_OK)
        status = scree_file_replace(path, text, memo.size, error);
    scree_pool_destroy(p.pool);
    free(text);
    return status;
}
