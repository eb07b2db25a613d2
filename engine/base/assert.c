#include "engine/base/assert.h"

#include <stdio.h>
#include <stdlib.h>

_Noreturn void scree_assert_failed(const char *condition, const char *file,
                                   int line) {
    fprintf(stderr, "scree: %s:%d: must hold: %s\n", file, line, condition);
    abort();
}
