/* fclib_direct.c: fclib_reader.h without a process of its own, for fuzzers whose files
 * are trees in memory (hdf5_memory.h): a fork would cost more than all the rest. */
#include <stdlib.h>
#include <string.h>

#include "io/fclib/fclib_child.h"

static int64_t file;
static scree_fclib_answer last; /* what is not yet taken */

static void forget_last(void) {
    free(last.data);
    last = (scree_fclib_answer){0};
}

scree_fclib_outcome scree_fclib_reader_start(scree_fclib_reader *reader,
                                             const char *path) {
    *reader = (scree_fclib_reader){.child = -1};
    file = scree_fclib_child_open(path);
    return file >= 0 ? SCREE_FCLIB_FOUND : SCREE_FCLIB_CLOSED;
}

void scree_fclib_reader_end(scree_fclib_reader *reader) {
    reader->child = -1;
    forget_last();
    scree_fclib_child_close(file);
}

scree_fclib_outcome scree_fclib_reader_ask(scree_fclib_reader *reader,
                                           scree_fclib_kind kind,
                                           const char *name, int64_t *n) {
    (void)reader;
    forget_last();
    last = scree_fclib_child_answer(file, (int32_t)kind, name);
    *n = last.n;
    return last.outcome;
}

scree_fclib_outcome scree_fclib_reader_take(scree_fclib_reader *reader,
                                            void *data, size_t bytes) {
    (void)reader;
    if (bytes > last.bytes) return SCREE_FCLIB_CRASHED;
    if (bytes > 0) memcpy(data, last.data, bytes);
    return SCREE_FCLIB_FOUND;
}

bool scree_fclib_reader_has(scree_fclib_reader *reader, const char *name) {
    (void)reader;
    return scree_fclib_child_answer(file, SCREE_FCLIB_LOOK, name).outcome ==
           SCREE_FCLIB_FOUND;
}
