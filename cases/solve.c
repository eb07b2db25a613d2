/* solve.c: the steps of scree solve. */
#include "cases/solve.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/clock.h"
#include "engine/base/hash.h"
#include "io/fclib/fclib.h"
#include "io/output/csv_file.h"

/* ---- history ------------------------------------------------------------- */

typedef struct history {
    scree_csv csv;
    bool open;
    double start;
    scree_status status;
    scree_error *error;
} history;

/* scree_csv takes folder and name apart. */
static scree_status open_history(history *h, const char *path) {
    const char *slash = strrchr(path, '/');
    char folder[4096] = ".";
    if (slash)
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
    h->open = true;
    TRY(scree_csv_open(&h->csv, folder, slash ? slash + 1 : path, h->error));
    scree_csv_add(&h->csv, "iteration,seconds,residual,normal,cone");
    return scree_csv_write(&h->csv, h->error);
}

/* A line that cannot be written ends the history, not the solve. */
static void add_line(void *context, int64_t iteration,
                     const scree_residual *e) {
    history *h = context;
    if (h->status != SCREE_OK) return;
    const double values[] = {scree_clock() - h->start, e->residual, e->normal,
                             e->cone};
    scree_csv_add(&h->csv, "%" PRId64, iteration);
    scree_csv_numbers(&h->csv, values, 4);
    h->status = scree_csv_write(&h->csv, h->error);
}

static scree_status close_history(history *h) {
    if (!h->open) return SCREE_OK;
    const scree_status status = scree_csv_close(&h->csv, h->error);
    return h->status != SCREE_OK ? h->status : status;
}

/* ---- what is printed ----------------------------------------------------- */

static void print_problem(const scree_fclib *f, const char *path) {
    const scree_fc3d *p = &f->problem;
    printf("problem: %s%s%s%s\n", path, *f->title ? " (" : "", f->title,
           *f->title ? ")" : "");
    printf("contacts: %d in %dD, %" PRId64 " blocks%s\n", p->nc, p->dim,
           p->n_block, f->global ? ", reduced from a global problem" : "");
}

static void print_report(const scree_report *r, double tolerance,
                         double seconds) {
    printf("iterations: %d\nseconds: %.6f\n", r->iterations, seconds);
    printf("residual: %.3e (tolerance %g)\n", r->residual, tolerance);
    printf("worst normal velocity into contact: %.3e\n", r->normal);
    printf("worst reaction outside the cone: %.3e\n", r->cone);
    printf("converged: %s (%s, by %s)\n", r->converged ? "yes" : "no",
           scree_stop_text(r->stop), r->by);
}

/* Equal bits give equal hashes: two solves are compared by one line. */
static void print_hash(const scree_fc3d *p) {
    const size_t bytes = 3 * (size_t)p->nc * sizeof *p->r;
    printf("percussion hash: %016" PRIx64 "\n",
           scree_hash_bytes(SCREE_HASH_START, p->r, bytes));
}

/* ---- the steps ----------------------------------------------------------- */

static scree_status run_method(const scree_solve_request *q, scree_fc3d *p,
                               history *h, scree_report *report,
                               scree_error *error) {
    scree_solver_options options = scree_blocks_options();
    options.tolerance = q->tolerance;
    options.iterations = q->iterations;
    options.watch = h->open ? add_line : NULL;
    options.context = h;
    scree_arena scratch = {0};
    h->start = scree_clock();
    scree_error why = {.text = "out of memory"};
    const scree_status status = scree_inclusion_solve(
        scree_in_blocks(p), q->method, &options, &scratch, report, &why);
    scree_arena_free(&scratch);
    if (status == SCREE_OK) return SCREE_OK;
    return scree_fail(error, status, "%s: %s", q->path, why.text);
}

static scree_status choose_start(const scree_solve_request *q, scree_fclib *f,
                                 scree_error *error) {
    scree_fc3d *p = &f->problem;
    memset(p->r, 0, 3 * (size_t)p->nc * sizeof *p->r);
    if (!q->guess) return SCREE_OK;
    TRY(scree_fclib_read_guess(f, q->path, q->guess, error));
    printf("start: guess %d of the file\n", q->guess);
    return SCREE_OK;
}

static scree_status solve_file(const scree_solve_request *q, scree_fclib *f,
                               history *h, bool *converged) {
    scree_report report;
    TRY(choose_start(q, f, h->error));
    if (q->history) TRY(open_history(h, q->history));
    TRY(run_method(q, &f->problem, h, &report, h->error));
    print_report(&report, q->tolerance, scree_clock() - h->start);
    print_hash(&f->problem);
    *converged = report.converged;
    if (!q->out) return SCREE_OK;
    TRY(scree_fclib_write(f, q->out, h->error));
    printf("written: %s\n", q->out);
    return SCREE_OK;
}

scree_status scree_solve(const scree_solve_request *request, bool *converged,
                         scree_error *error) {
    scree_fclib f;
    history h = {.error = error};
    *converged = false;
    TRY(scree_fclib_read(&f, request->path, error));
    print_problem(&f, request->path);
    const scree_status status = solve_file(request, &f, &h, converged);
    const scree_status closed = close_history(&h);
    scree_fclib_free(&f);
    return status != SCREE_OK ? status : closed;
}
