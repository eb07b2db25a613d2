/* scree_base.h: what all headers of the library begin with. */
#ifndef SCREE_BASE_H
#define SCREE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
/* A shared library shows what its headers declare, and nothing else. */
#pragma GCC visibility push(default)

/* ---- version ------------------------------------------------------------ */

#define SCREE_VERSION_MAJOR 0
#define SCREE_VERSION_MINOR 1
#define SCREE_VERSION_PATCH 0
/* 10000 major + 100 minor + patch, to compare with. */
#define SCREE_VERSION_NUMBER                                                   \
    (10000 * SCREE_VERSION_MAJOR + 100 * SCREE_VERSION_MINOR +                 \
     SCREE_VERSION_PATCH)
#define SCREE_TEXT_OF_(x) #x
#define SCREE_TEXT_OF(x) SCREE_TEXT_OF_(x)
/* "major.minor.patch" */
#define SCREE_VERSION                                                          \
    SCREE_TEXT_OF(SCREE_VERSION_MAJOR)                                         \
    "." SCREE_TEXT_OF(SCREE_VERSION_MINOR) "." SCREE_TEXT_OF(                  \
        SCREE_VERSION_PATCH)

/* The same of the library that runs, which need not be the one that the program
 * was compiled with: versions with the same major and minor number go together. */
int scree_version_number(void);
const char *scree_version(void);

/* ---- status ------------------------------------------------------------- */

#define SCREE_STATUS_LIST(X)                                                   \
    X(SCREE_OK, "no error")                                                    \
    X(SCREE_BAD_ARGUMENT, "an argument is not valid")                          \
    X(SCREE_OUT_OF_MEMORY, "out of memory")                                    \
    X(SCREE_BAD_INPUT, "the input file is not valid")                          \
    X(SCREE_IO_ERROR, "a file could not be read or written")                   \
    X(SCREE_NOT_FINITE, "the state is no longer finite")                       \
    X(SCREE_NO_ROOM, "the bodies do not fit into their region")                \
    X(SCREE_UNSUPPORTED, "this combination is not supported")                  \
    X(SCREE_NOT_CONVERGED, "too many steps did not converge")                  \
    X(SCREE_LEFT, "a body left the world")

typedef enum scree_status {
#define X(code, text) code,
    SCREE_STATUS_LIST(X)
#undef X
} scree_status;

const char *scree_status_text(scree_status status);

/* A status with its sentence, for what has no world to keep it. Functions that take
 * one also take NULL. */
enum { SCREE_ERROR_BYTES = 8000 }; /* all that a case file is refused for */
typedef struct scree_error {
    scree_status status;
    char text[SCREE_ERROR_BYTES];
    bool agreed; /* all ranks have it: one of them need say it */
} scree_error;

typedef struct scree_world scree_world;

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
