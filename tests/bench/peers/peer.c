/* peer.c: the same trial by another engine. It runs as a program that prints
 * one line of ` key=value`, so that neither sees the other's libraries. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/bench.h"

static double value_of(const char *line, const char *key) {
    char pattern[64];
    snprintf(pattern, sizeof pattern, " %s=", key);
    const char *found = strstr(line, pattern);
    if (!found) bench_die("the peer does not tell '%s': %s", key, line);
    return strtod(found + strlen(pattern), NULL);
}

static bench_figures parse(const char *line, const char *code) {
    bench_figures f = {
        .code = code,
        .bodies = value_of(line, "bodies"),
        .contacts = value_of(line, "contacts"),
        .touching = NAN,
        .step = value_of(line, "step"),
        .detect = value_of(line, "detect"),
        .solve = value_of(line, "solve"),
        .sweeps = value_of(line, "sweeps"),
        .colour = NAN,
        .iterations = value_of(line, "iterations"),
        .step_all = value_of(line, "step_all"),
        .detect_all = value_of(line, "detect_all"),
        .colour_all = NAN,
        .chosen = NAN,
        .rebuilds = NAN,
        .detect_rebuild = NAN,
        .bytes = NAN,
        .penetration_mean = value_of(line, "penetration_mean"),
        .penetration_max = value_of(line, "penetration_max"),
        .kinetic = value_of(line, "kinetic"),
        .kinetic_fastest = value_of(line, "kinetic_fastest"),
        .residual = NAN,
    };
    for (int p = 0; p < SCREE_PHASE_COUNT; ++p) f.phase[p] = NAN;
    return f;
}

bench_figures bench_peer(const char *program, const char *code,
                         const bench_bed *bed, const bench_options *options) {
    char command[2 * PATH_MAX + 128], line[1024];
    snprintf(command, sizeof command, "'%s' '%s' %d %d %d", program, bed->path,
             options->settle, options->steps, options->iterations);
    FILE *pipe = popen(command, "r");
    if (!pipe) bench_die("cannot run %s", command);
    const bool told = fgets(line, sizeof line, pipe);
    if (pclose(pipe) || !told) bench_die("failed: %s", command);
    return parse(line, code);
}
