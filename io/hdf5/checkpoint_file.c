#include "io/hdf5/checkpoint_file.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/file/safe_file.h"
#include "io/file/seal.h"

/* ---- one checkpoint ------------------------------------------------------ */

scree_status scree_checkpoint_check(const char *path, scree_error *error) {
    scree_file_kind kind;
    TRY(scree_seal_check(path, &kind, error));
    if (kind == SCREE_CHECKPOINT_FILE) return SCREE_OK;
    return scree_fail(error, SCREE_BAD_INPUT,
                      "%.500s: a result of a run, not a checkpoint\n"
                      "  checkpoints are named checkpoint-STEP.hdf5",
                      path);
}

/* ---- the checkpoints of a folder ----------------------------------------- */

static const char stem[] = "checkpoint-", ending[] = ".hdf5",
                  half_written[] = ".hdf5.tmp";

char *scree_checkpoint_path(const char *folder, int64_t step) {
    char *path;
    return asprintf(&path, "%s/%s%012" PRId64 "%s", folder, stem, step,
                    ending) < 0
               ? NULL
               : path;
}

/* The step in a name with this ending, -1: no such name. */
static int64_t step_in(const char *name, const char *with) {
    char *end;
    if (strncmp(name, stem, sizeof stem - 1) != 0 ||
        !isdigit((unsigned char)name[sizeof stem - 1]))
        return -1;
    const long long step = strtoll(name + sizeof stem - 1, &end, 10);
    return strcmp(end, with) == 0 ? step : -1;
}

static int newest_first(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x < y) - (x > y);
}

static bool append_step(int64_t **steps, int *n, int64_t step) {
    int64_t *more = realloc(*steps, ((size_t)*n + 1) * sizeof **steps);
    if (!more) return false;
    *steps = more;
    more[(*n)++] = step;
    return true;
}

/* 0, or the errno of what went wrong: a list that is cut short would let a run go on
 * from an older state. */
static int list_steps(DIR *entries, int64_t **steps, int *n) {
    const struct dirent *e;
    for (errno = 0; (e = readdir(entries)); errno = 0) {
        const int64_t step = step_in(e->d_name, ending);
        if (step >= 0 && !append_step(steps, n, step)) return ENOMEM;
    }
    return errno;
}

static scree_status cannot_list(const char *folder, int reason,
                                scree_error *error) {
    return scree_fail(error,
                      reason == ENOMEM ? SCREE_OUT_OF_MEMORY : SCREE_BAD_INPUT,
                      "%.500s: cannot read: %s", folder, strerror(reason));
}

scree_status scree_checkpoint_list(const char *folder, int64_t **steps, int *n,
                                   scree_error *error) {
    *steps = NULL, *n = 0;
    DIR *entries = scree_folder_list(folder);
    if (!entries) return cannot_list(folder, errno, error);
    const int reason = list_steps(entries, steps, n);
    closedir(entries);
    if (*n) qsort(*steps, (size_t)*n, sizeof **steps, newest_first);
    if (reason == 0) return SCREE_OK;
    free(*steps);
    *steps = NULL, *n = 0;
    return cannot_list(folder, reason, error);
}

int scree_checkpoint_remove_after(const char *folder, int64_t step) {
    DIR *entries = scree_folder_list(folder);
    int removed = 0;
    if (!entries) return 0;
    for (const struct dirent *e; (e = readdir(entries));) {
        const bool later = step_in(e->d_name, ending) > step;
        if (!later && step_in(e->d_name, half_written) < 0) continue;
        removed += unlinkat(dirfd(entries), e->d_name, 0) == 0 && later;
    }
    closedir(entries);
    return removed;
}

void scree_checkpoint_prune(const char *folder, int keep) {
    int64_t *steps;
    int n;
    if (scree_checkpoint_list(folder, &steps, &n, NULL) != SCREE_OK) return;
    for (int i = keep; i < n; i++) {
        char *path = scree_checkpoint_path(folder, steps[i]);
        if (path) scree_file_remove(path);
        free(path);
    }
    free(steps);
}
