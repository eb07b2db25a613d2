#include "io/report/case_copy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/file/safe_file.h"
#include "io/file/whole_file.h"
#include "io/version.h"

/* How a file begins that a run has written. */
static const char mark[] = "# Resolved by scree ";

/* Is there a file that does not begin so? What is no file at all is left to the
 * writing, which refuses it. */
static bool is_foreign(const char *path) {
    char start[sizeof mark] = "";
    int fd;
    size_t size;
    if (scree_file_open(path, "a file", &fd, &size, NULL) != SCREE_OK)
        return false;
    const bool read_it = read(fd, start, sizeof mark - 1) >= 0;
    close(fd);
    return !read_it || strcmp(start, mark) != 0;
}

static scree_status no_memory(const char *path, scree_error *error) {
    return scree_fail(error, SCREE_OUT_OF_MEMORY, "%.400s: out of memory",
                      path);
}

static scree_status write_copy(const char *path, const char *resolved,
                               scree_error *error) {
    char *text;
    const int n =
        asprintf(&text, "%s%s (%s): every key with its value.\n%s", mark,
                 scree_build_version, scree_build_commit, resolved);
    if (n < 0) return no_memory(path, error);
    const scree_status status =
        scree_file_replace(path, text, (size_t)n, error);
    free(text);
    return status;
}

static scree_status print_copy(const char *path, const scree_case *c,
                               scree_error *error) {
    char *text;
    scree_status status = scree_case_print_text(c, &text);
    if (status == SCREE_OK)
        status = write_copy(path, text, error);
    else if (status == SCREE_OUT_OF_MEMORY)
        no_memory(path, error);
    else { /* a text that YAML cannot hold: there is no such file */
        scree_file_remove(path);
        status = SCREE_OK;
    }
    free(text);
    return status;
}

scree_status scree_case_copy(const char *folder, const scree_case *c,
                             const char *resolved, bool *left,
                             scree_error *error) {
    char *path;
    if (asprintf(&path, "%s/case.yaml", folder) < 0)
        return no_memory("case.yaml", error);
    *left = is_foreign(path);
    scree_status status = SCREE_OK;
    if (!*left)
        status = resolved ? write_copy(path, resolved, error)
                          : print_copy(path, c, error);
    free(path);
    return status;
}
