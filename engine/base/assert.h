/* assert.h: what must hold, written down where it must hold.
 *
 * A condition that fails is a fault of the program, never of its input: it says where,
 * and aborts. On in Debug and sanitizer builds (SCREE_CHECKS); elsewhere conditions are
 * compiled but never evaluated, so that they cost nothing and cannot rot.
 *
 * The main structs have checkers `*_is_valid`, asserted where they change hands. */
#ifndef SCREE_BASE_ASSERT_H
#define SCREE_BASE_ASSERT_H

#ifdef SCREE_CHECKS
#define scree_assert(condition)                                                \
    ((condition) ? (void)0                                                     \
                 : scree_assert_failed(#condition, __FILE__, __LINE__))
#else
#define scree_assert(condition) ((void)sizeof(!(condition)))
#endif

_Noreturn void scree_assert_failed(const char *condition, const char *file,
                                   int line);

#endif
