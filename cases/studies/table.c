/* table.c: numbers beside their references, with a verdict each. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "cases/studies/study.h"

void study_heading(const char *format, ...) {
    va_list args;
    va_start(args, format);
    printf("\n");
    vprintf(format, args);
    va_end(args);
    printf("\n  %-50s %14s %14s %10s  verdict\n", "", "here", "reference",
           "tolerance");
}

void study_note(const char *format, ...) {
    va_list args;
    va_start(args, format);
    printf("  ");
    vprintf(format, args);
    va_end(args);
    printf("\n");
}

/* The first column. */
static void print_name(const char *format, va_list args) {
    char name[200];
    vsnprintf(name, sizeof name, format, args);
    printf("  %-50s", name);
}

static void print_verdict(study *st, bool ok) {
    ++*(ok ? &st->n_ok : &st->n_differ);
    printf("  %s\n", ok ? "ok" : "DIFFERS");
}

void study_near(study *st, double value, double reference, double tolerance,
                const char *format, ...) {
    if (st->error.status != SCREE_OK) return;
    va_list args;
    va_start(args, format);
    print_name(format, args);
    va_end(args);
    printf(" %14.8g %14.8g %10.2g", value, reference, tolerance);
    print_verdict(st, fabs(value - reference) <= tolerance);
}

/* The rest of a row whose reference is a bound. */
static void print_bound(study *st, double value, const char *sign, double bound,
                        bool ok) {
    char text[32];
    snprintf(text, sizeof text, "%s %.4g", sign, bound);
    printf(" %14.8g %14s %10s", value, text, "");
    print_verdict(st, ok);
}

void study_at_most(study *st, double value, double bound, const char *format,
                   ...) {
    if (st->error.status != SCREE_OK) return;
    va_list args;
    va_start(args, format);
    print_name(format, args);
    va_end(args);
    print_bound(st, value, "<=", bound, value <= bound);
}

void study_at_least(study *st, double value, double bound, const char *format,
                    ...) {
    if (st->error.status != SCREE_OK) return;
    va_list args;
    va_start(args, format);
    print_name(format, args);
    va_end(args);
    print_bound(st, value, ">=", bound, value >= bound);
}

void study_show(study *st, double value, double reference, const char *format,
                ...) {
    if (st->error.status != SCREE_OK) return;
    va_list args;
    va_start(args, format);
    print_name(format, args);
    va_end(args);
    char text[32] = "";
    if (!isnan(reference)) snprintf(text, sizeof text, "%.8g", reference);
    printf(" %14.8g %14s %10s  -\n", value, text, "");
}

void study_work(study *st, const scree_dense *s, int stage, int most,
                double published) {
    study_at_most(st, s->most_iterations[stage], most,
                  stage ? "Newton steps of stage 2, most"
                        : "linearisations of stage 1, most");
    study_show(st, (double)s->sum_iterations[stage] / (double)s->steps,
               published, "  average (Table 1: Newton steps)");
}
