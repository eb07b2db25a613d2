/* fclib_reader.h: HDF5 at work on a file that may crash it.
 *
 * FCLIB files come from anywhere and have no seal, and HDF5 crashes on many
 * altered bytes. A child process reads the file and hands over its arrays one
 * by one; if it crashes, or does not come to an end, the caller has lost
 * nothing but the file. */
#ifndef SCREE_IO_FCLIB_READER_H
#define SCREE_IO_FCLIB_READER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef enum scree_fclib_kind {
    SCREE_FCLIB_WHOLE,
    SCREE_FCLIB_REAL,
    SCREE_FCLIB_TEXT
} scree_fclib_kind;

/* What became of a request; the text says it of a dataset. */
#define SCREE_FCLIB_OUTCOMES(X)                                                \
    X(FOUND, "")                                                               \
    X(CLOSED, "cannot be read as an HDF5 file")                                \
    X(MISSING, "is missing")                                                   \
    X(NO_DATASET, "is not a dataset")                                          \
    X(BAD_SIZE, "has a size that cannot be used")                              \
    X(NOT_WHOLE, "does not hold whole numbers")                                \
    X(NO_NUMBERS, "does not hold numbers")                                     \
    X(NO_TEXT, "is not a text")                                                \
    X(UNREADABLE, "cannot be read")                                            \
    X(NO_MEMORY, "out of memory")                                              \
    X(CRASHED, "HDF5 crashes on it: the file is damaged")
typedef enum scree_fclib_outcome {
#define X(name, text) SCREE_FCLIB_##name,
    SCREE_FCLIB_OUTCOMES(X)
#undef X
} scree_fclib_outcome;
const char *scree_fclib_outcome_text(scree_fclib_outcome outcome);

typedef struct scree_fclib_reader {
    pid_t child;
    int socket;
    bool crashed; /* no request succeeds any more */
} scree_fclib_reader;

/* SCREE_FCLIB_FOUND, or CLOSED, CRASHED, NO_MEMORY: then nothing is left to end. */
scree_fclib_outcome scree_fclib_reader_start(scree_fclib_reader *reader,
                                             const char *path);
void scree_fclib_reader_end(scree_fclib_reader *reader);

/* The size of a dataset: numbers of 8 bytes, int64_t or double, or bytes of a
 * text. They follow, and must be taken, if it is found and n > 0. */
scree_fclib_outcome scree_fclib_reader_ask(scree_fclib_reader *reader,
                                           scree_fclib_kind kind,
                                           const char *name, int64_t *n);
scree_fclib_outcome scree_fclib_reader_take(scree_fclib_reader *reader,
                                            void *data, size_t bytes);

/* Whether there is an object of this name. */
bool scree_fclib_reader_has(scree_fclib_reader *reader, const char *name);

#endif
