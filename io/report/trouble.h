/* trouble.h: the first thing that keeps a page from being whole.
 *
 * A file that is not there is left out of a page, and said in it. One that is there and
 * cannot be read, or for which there is no memory, is an error: the page would say what
 * is not true. Parts of a page go on after it; its end asks for it. */
#ifndef SCREE_IO_TROUBLE_H
#define SCREE_IO_TROUBLE_H

#include <stdbool.h>

#include "engine/base/error.h"
#include "io/file/text_file.h"

typedef struct scree_trouble {
    scree_status status; /* SCREE_OK: none so far */
    scree_error error;
} scree_trouble;

void scree_trouble_memory(scree_trouble *trouble);
/* A folder that cannot be listed, and why: an errno. */
void scree_trouble_folder(scree_trouble *trouble, const char *folder,
                          int reason);

/* What came of reading `path`; true: it was read. */
bool scree_trouble_heed(scree_trouble *trouble, const char *path,
                        scree_status status, const scree_error *why);
/* Reads it; false: it is not there, or there is trouble. */
bool scree_trouble_read(scree_trouble *trouble, scree_text *text,
                        const char *path);

/* The status, with its words. */
scree_status scree_trouble_end(const scree_trouble *trouble,
                               scree_error *error);

#endif
