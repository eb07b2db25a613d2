/* error.h: a status with its sentence, and the macro that passes it on. */
#ifndef SCREE_BASE_ERROR_H
#define SCREE_BASE_ERROR_H

#include "engine/scree.h"

/* Room for all that a case file is refused for (io/case/case_refusals.c). */
enum { SCREE_ERROR_BYTES = 8000 };

typedef struct scree_error {
    scree_status status;
    char text[SCREE_ERROR_BYTES];
    bool
        agreed; /* all ranks have it (scree_comm_agree): one of them need say it */
} scree_error;

/* Records status and sentence, and returns the status: `return scree_fail(...)`.
 * `error` may be NULL. */
scree_status scree_fail(scree_error *error, scree_status status,
                        const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#define TRY(expression)                                                        \
    do {                                                                       \
        const scree_status try_status_ = (expression);                         \
        if (try_status_ != SCREE_OK) return try_status_;                       \
    } while (0)

#endif
