/* case_message.h: what the reader says when it refuses a file.
 *
 *     cases/x.yaml:12: solver.iteratons: unknown key
 *       allowed here: method, iterations, tolerance
 *       did you mean 'iterations'?
 *
 * The first line says where and what, each hint adds an indented line. Whatever
 * the file holds, the message stays within scree_error.text and its own lines.
 */
#ifndef SCREE_IO_CASE_MESSAGE_H
#define SCREE_IO_CASE_MESSAGE_H

#include "io/case/yaml/case_node.h"

/* Names to list or to compare with; `at` returns NULL past the end. */
typedef struct scree_names {
    const char *(*at)(const void *from, int i);
    const void *from;
} scree_names;

/* Foreign text made fit for a message: no control characters, not long. */
typedef struct scree_quoted {
    char text[64];
} scree_quoted;

scree_quoted scree_quote(const char *text);

/* The first line. `key_path` may be "". Returns SCREE_BAD_INPUT. */
scree_status scree_complain(scree_error *error, scree_origin at,
                            const char *key_path, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

void scree_hint(scree_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* "lead: a, b, c", cut short with "..." when there are very many. */
void scree_hint_names(scree_error *error, const char *lead, scree_names names);
/* "did you mean 'a'?", if one of the names is near. */
void scree_hint_nearest(scree_error *error, const char *word,
                        scree_names names);

/* Damerau-Levenshtein distance (no substring is edited twice): the least number
 * of insertions, deletions, replacements and swaps of neighbours. Words of more
 * than 63 bytes count as far from everything. */
int scree_edit_distance(const char *a, const char *b);

#endif
