/* text_file.h: small files read at once, and words taken from them one by one,
 * each with the line it stands on. */
#ifndef SCREE_IO_TEXT_FILE_H
#define SCREE_IO_TEXT_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/base/error.h"
#include "io/case/yaml/case_message.h"

typedef struct scree_text {
    const char *path;
    char *bytes; /* (n + 1), a NUL after the last one */
    size_t n;
} scree_text;

/* The whole file; refuses what is no file, or larger than 2 GiB. */
scree_status scree_text_read(scree_text *text, const char *path,
                             scree_error *error);
void scree_text_free(scree_text *text);

/* Whether the name of a file ends so; case does not count. */
bool scree_name_ends(const char *name, const char *ending);

/* Where the next word of a text is looked for. */
typedef struct scree_cursor {
    const char *at, *end;
    int line; /* from 1 */
} scree_cursor;

typedef struct scree_word {
    const char *text; /* not terminated */
    int n;            /* 0: there is no more word (on this line) */
    int line;
} scree_word;

scree_cursor scree_cursor_start(const scree_text *text);
/* The next word, on whatever line. */
scree_word scree_next_word(scree_cursor *cursor);
/* The next word of this line, n = 0 at its end. */
scree_word scree_next_on_line(scree_cursor *cursor);
/* Goes to the start of the next line. False at the end of the text. */
bool scree_next_line(scree_cursor *cursor);

/* Case does not count. */
bool scree_word_is(scree_word word, const char *text);
/* A decimal number, all of the word. False for anything else, also nan, inf. */
bool scree_word_number(scree_word word, double *x);
/* A decimal integer that fits. */
bool scree_word_integer(scree_word word, int *k);
/* For messages. */
scree_quoted scree_quote_word(scree_word word);

#endif
