#include "engine/base/error.h"

#include <stdarg.h>
#include <stdio.h>

const char *scree_status_text(scree_status status) {
    static const char *const text[] = {
#define X(code, sentence) [code] = sentence,
        SCREE_STATUS_LIST(X)
#undef X
    };
    const size_t n = sizeof text / sizeof *text;
    return (size_t)status < n ? text[status] : "unknown status";
}

scree_status scree_fail(scree_error *error, scree_status status,
                        const char *format, ...) {
    if (!error) return status;
    error->status = status;
    error->agreed = false;
    va_list args;
    va_start(args, format);
    vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
    return status;
}
