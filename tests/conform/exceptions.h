/* exceptions.h: what methods of the solver tables are known not to do, and why.
 * Whatever is not listed must be done by every method that takes the problem. */
#ifndef SCREE_TESTS_EXCEPTIONS_H
#define SCREE_TESTS_EXCEPTIONS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct exception {
    const char *problem, *method, *why;
} exception;

static inline bool is_excepted(const exception *list, size_t n,
                               const char *problem, const char *method) {
    for (size_t i = 0; i < n; ++i) {
        if (strcmp(list[i].problem, problem) || strcmp(list[i].method, method))
            continue;
        print_message("%s, %s: left out: %s\n", problem, method, list[i].why);
        return true;
    }
    return false;
}
#define IS_EXCEPTED(list, problem, method)                                     \
    is_excepted(list, sizeof(list) / sizeof *(list), problem, method)

#endif
