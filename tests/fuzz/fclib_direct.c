/* fclib_direct.c: fclib_reader.h without a process of its own, for fuzzers whose files
 * are trees in memory (hdf5_memory.h): a fork would cost more than all the rest. */
#include <stdlib.h>
#include <string.h>

#include "io/fclib/fclib_child.h"

static int64_t file;
static fclib_answer last; /* what is not yet taken */

static void forget_last(void) {
    free(last.data);
    last = (fclib_answer){0};
}

fclib_outcome fclib_reader_start(fclib_reader *reader, const char *path) {
    *reader = (fclib_reader){.child = -1};
    file = fclib_child_open(path);
    return file >= 0 ? FCLIB_FOUND : FCLIB_CLOSED;
}

void fclib_reader_end(fclib_reader *reader) {
    reader->child = -1;
    forget_last();
    fclib_child_close(file);
}

fclib_outcome fclib_reader_ask(fclib_reader *reader, fclib_kind kind,
                               const char *name, int64_t *n) {
    (void)reader;
    forget_last();
    last = fclib_child_answer(file, (int32_t)kind, name);
    *n = last.n;
    return last.outcome;
}

fclib_outcome fclib_reader_take(fclib_reader *reader, void *data,
                                size_t bytes) {
    (void)reader;
    if (bytes > last.bytes) return FCLIB_CRASHED;
    if (bytes > 0) memcpy(data, last.data, bytes);
    return FCLIB_FOUND;
}

bool fclib_reader_has(fclib_reader *reader, const char *name) {
    (void)reader;
    return fclib_child_answer(file, FCLIB_LOOK, name).outcome == FCLIB_FOUND;
}
