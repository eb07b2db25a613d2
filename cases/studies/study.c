/* study.c: the studies of the program, and how one or all of them are run. */
#include "cases/studies/study.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/clock.h"
#include "io/run/run_common.h"

enum { EXIT_INTERNAL = 1, EXIT_STATE = 4, MOST_STUDIES = 64 };

/* ---- the table ----------------------------------------------------------- */

#define SCREE_STUDY(name) extern const scree_study_ops scree_study_##name;
#include "cases/studies/studies.def"
#undef SCREE_STUDY

const scree_study_ops *scree_study_get(int i) {
    static const scree_study_ops *const table[] = {
#define SCREE_STUDY(name) &scree_study_##name,
#include "cases/studies/studies.def"
#undef SCREE_STUDY
    };
    return i >= 0 && i < STUDY_COUNT(table) ? table[i] : NULL;
}

const scree_study_ops *scree_study_find(const char *name) {
    const scree_study_ops *ops;
    for (int i = 0; (ops = scree_study_get(i)); ++i)
        if (!strcmp(ops->name, name)) return ops;
    return NULL;
}

/* ---- one study ----------------------------------------------------------- */

typedef struct outcome {
    const char *name;
    char folder[4096];
    int n_ok, n_differ, code;
    bool no_gnuplot;
    double seconds;
} outcome;

static int code_of(const study *st) {
    switch (st->error.status) {
    case SCREE_OK:
        return st->no_gnuplot ? STUDY_EXIT_FILE
               : st->n_differ ? STUDY_EXIT_DIFFERS
                              : 0;
    case SCREE_IO_ERROR:
        return STUDY_EXIT_FILE;
    case SCREE_NOT_FINITE:
        return EXIT_STATE;
    default:
        return EXIT_INTERNAL;
    }
}

static void report_failure(const study *st) {
    fflush(stdout);
    if (st->error.status != SCREE_OK)
        fprintf(stderr, "scree: study %s: %s\n", st->name, st->error.text);
    else if (st->no_gnuplot)
        fprintf(stderr,
                "scree: study %s: no picture, since gnuplot is missing; "
                "install the package gnuplot-nox (apt-get install "
                "gnuplot-nox)\n",
                st->name);
}

static void run_study(const scree_study_ops *ops, outcome *o) {
    study st = {.name = ops->name, .folder = o->folder};
    const scree_run_options where = {.out = o->folder};
    const double start = scree_clock();
    char *made = NULL;
    printf("%s: %s\n", ops->name, ops->about);
    if (scree_run_folder(NULL, &where, &made, &st.error) == SCREE_OK)
        ops->run(&st);
    free(made);
    report_failure(&st);
    o->name = ops->name;
    o->n_ok = st.n_ok;
    o->n_differ = st.n_differ;
    o->no_gnuplot = st.no_gnuplot;
    o->code = code_of(&st);
    o->seconds = scree_clock() - start;
    printf("\n%d ok, %d differ, %.1f s; results in %s\n", o->n_ok, o->n_differ,
           o->seconds, o->folder);
}

/* ---- one or all ---------------------------------------------------------- */

static void summarise(const outcome *all, int n) {
    printf("\n%-18s %4s %8s %8s  picture\n", "study", "ok", "DIFFERS",
           "seconds");
    for (int i = 0; i < n; ++i) {
        const outcome *o = &all[i];
        const bool drawn = !o->no_gnuplot && (o->code == 0 || o->code == 5);
        printf("%-18s %4d %8d %8.1f  ", o->name, o->n_ok, o->n_differ,
               o->seconds);
        if (drawn)
            printf("%s/%s.png\n", o->folder, o->name);
        else
            printf("none (exit code %d)\n", o->code);
    }
}

/* Of all exit codes the one that says most: a failure before a difference. */
static int worst(const outcome *all, int n) {
    int code = 0;
    for (int i = 0; i < n; ++i)
        if (all[i].code != 0 && (code == 0 || code == STUDY_EXIT_DIFFERS))
            code = all[i].code;
    return code;
}

static int run_all(const char *parent) {
    static outcome all[MOST_STUDIES];
    int n = 0;
    const scree_study_ops *ops;
    for (; n < MOST_STUDIES && (ops = scree_study_get(n)); ++n) {
        if (n) printf("\n");
        snprintf(all[n].folder, sizeof all[n].folder, "%s/%s", parent,
                 ops->name);
        run_study(ops, &all[n]);
    }
    summarise(all, n);
    return worst(all, n);
}

int scree_study_main(const scree_study_ops *ops, const char *out) {
    if (!ops) return run_all(out ? out : "out/studies");
    static outcome o;
    if (out)
        snprintf(o.folder, sizeof o.folder, "%s", out);
    else
        snprintf(o.folder, sizeof o.folder, "out/studies/%s", ops->name);
    run_study(ops, &o);
    return o.code;
}
