#include "io/run/run_done.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "io/case/yaml/case_message.h"
#include "io/file/safe_file.h"
#include "io/file/whole_file.h"
#include "io/run/run_common.h"

/* The caller frees it; NULL: no memory. */
static char *mark_path(const char *folder) {
    char *path;
    return asprintf(&path, "%s/finished.txt", folder) < 0 ? NULL : path;
}

/* What the mark says, fit for a message, and when it was made; false: there is
 * none. */
static bool read_mark(const char *path, char *line, int size, char *when,
                      size_t when_size) {
    struct stat info;
    struct tm utc;
    int fd;
    size_t bytes;
    if (scree_file_open(path, "a file", &fd, &bytes, NULL) != SCREE_OK)
        return false;
    FILE *file = fdopen(fd, "r");
    if (!file) {
        close(fd);
        return false;
    }
    if (!fgets(line, size, file)) *line = '\0';
    for (char *c = line; *c; c++)
        if ((unsigned char)*c < 0x20) *c = c[1] ? ' ' : '\0';
    *when = '\0';
    if (fstat(fileno(file), &info) == 0 && gmtime_r(&info.st_mtime, &utc))
        strftime(when, when_size, "%Y-%m-%d %H:%M:%S UTC", &utc);
    fclose(file);
    return true;
}

scree_status scree_done_check(const char *folder,
                              const scree_run_options *options,
                              scree_error *error) {
    char line[300], when[40];
    if (options->force || options->resumes) return SCREE_OK;
    char *path = mark_path(folder);
    if (!path) return scree_run_no_memory(error);
    const bool done = read_mark(path, line, sizeof line, when, sizeof when);
    free(path);
    if (!done) return SCREE_OK;
    return scree_fail(error, SCREE_BAD_INPUT,
                      "'%.300s' holds the results of a run that finished on "
                      "%s (%s)\n  add --force to replace them, or choose "
                      "another folder with --out",
                      folder, when, line);
}

void scree_done_clear(const char *folder) {
    char *path = mark_path(folder);
    if (path) scree_file_remove(path);
    free(path);
}

scree_status scree_done_mark(const char *folder, const scree_case *c,
                             int64_t steps, double end, uint64_t hash,
                             scree_error *error) {
    char text[300];
    const int n = snprintf(text, sizeof text,
                           "'%s', %" PRId64
                           " steps, t = %g s, state hash %016" PRIx64 "\n",
                           scree_quote(c->name).text, steps, end, hash);
    char *path = mark_path(folder);
    if (!path) return scree_run_no_memory(error);
    const scree_status status =
        scree_file_replace(path, text, (size_t)n, error);
    free(path);
    return status;
}
