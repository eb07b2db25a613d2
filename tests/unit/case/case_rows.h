/* case_rows.h: rows of cases that the reader refuses.
 *
 * A row gives a text, or a file of tests/data/bad, and what the message must
 * be: its first line after the path to the letter, and parts of the hints. A
 * first line that ends in '*' may go on: the rest is libyaml's. */
#ifndef SCREE_TESTS_CASE_ROWS_H
#define SCREE_TESTS_CASE_ROWS_H

#include "tests/unit/case/case_text.h"

#include <stdio.h>

typedef struct bad_case {
    const char *name;
    const char *text; /* or NULL: */
    const char *file; /* in tests/data/bad */
    const char *set;  /* an override, or NULL */
    const char
        *first; /* first line after the path; after all of it for a set */
    const char *hints[3];
    const char *absent; /* must not occur */
} bad_case;

/* ---- one row ------------------------------------------------------------- */

static inline void check_first_line(const char *message, const char *first) {
    const size_t n = strlen(first);
    if (first[n - 1] == '*') {
        assert_memory_equal(message, first, n - 1);
        return;
    }
    if (strncmp(message, first, n) != 0 ||
        (message[n] != '\n' && message[n] != '\0'))
        fail_msg("first line is not '%s' in:\n%s", first, message);
}

/* After the first line all lines are indented by two spaces, or begin the next
 * refusal, with the path of the file. */
static inline void check_indent(const char *message, const char *first) {
    const char *line = message + strlen(first) - 1;
    while ((line = strchr(line, '\n')) != NULL) {
        if (line[1] != '/') assert_memory_equal(line, "\n  ", 3);
        line++;
    }
}

static inline void check_message(const bad_case *row, const char *message) {
    check_first_line(message, row->first);
    check_indent(message, row->first);
    for (int i = 0; i < 3 && row->hints[i]; i++)
        if (!strstr(message, row->hints[i]))
            fail_msg("no '%s' in:\n%s", row->hints[i], message);
    if (row->absent && strstr(message, row->absent))
        fail_msg("'%s' in:\n%s", row->absent, message);
}

static inline void case_read__bad_input__says_where_and_what(void **state) {
    const bad_case *row = *state;
    const char *sets[] = {row->set, NULL};
    char path[300];
    scree_case *c;
    scree_error error = {0};
    if (row->file)
        snprintf(path, sizeof path, "%s/tests/data/bad/%s", SCREE_SOURCE_DIR,
                 row->file);
    else
        write_text(row->text, path);
    const scree_status status =
        scree_case_read(path, row->set ? 1 : 0, sets, &c, &error);
    if (!row->file) unlink(path);
    assert_int_equal(status, SCREE_BAD_INPUT);
    assert_int_equal(error.status, SCREE_BAD_INPUT);
    assert_null(c);
    const size_t n = row->set ? 0 : strlen(path);
    assert_memory_equal(error.text, path, n);
    check_message(row, error.text + n);
}

static inline struct CMUnitTest test_of_row(const bad_case *row) {
    return (struct CMUnitTest){.name = row->name,
                               .test_func =
                                   case_read__bad_input__says_where_and_what,
                               .initial_state = (void *)(uintptr_t)row};
}

#endif
