/* memo.h: a text that is printed into memory.
 *
 * open_memstream() keeps it to itself when memory is short: the last allocation may
 * leave no text, an earlier one a text with a hole, and printing and closing succeed all
 * the same. A memo says so at its end. */
#ifndef SCREE_IO_MEMO_H
#define SCREE_IO_MEMO_H

#include <stdbool.h>
#include <stdio.h>

/* Stays where it is while it is open: the stream knows its address. */
typedef struct scree_memo {
    FILE *out;
    char *text;
    size_t size, room; /* bytes of it, and those that were asked for */
    bool torn;         /* something found no room */
} scree_memo;

/* To print to; NULL: no memory. */
FILE *scree_memo_open(scree_memo *memo);

/* The whole text, memo->size bytes and a zero, which the caller frees. NULL: memory
 * was short, now or when it was opened. */
char *scree_memo_close(scree_memo *memo);

#endif
