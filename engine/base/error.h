/* error.h: a status with its sentence, and the macro that passes it on. */
#ifndef SCREE_BASE_ERROR_H
#define SCREE_BASE_ERROR_H

#include "engine/scree.h"

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

/* For arguments of the interface: names the argument, with the scree_error `error` at
 * hand. */
#define REQUIRE(condition, ...)                                                \
    do {                                                                       \
        if (!(condition))                                                      \
            return scree_fail(error, SCREE_BAD_ARGUMENT, __VA_ARGS__);         \
    } while (0)

#endif
