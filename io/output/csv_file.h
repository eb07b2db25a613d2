/* csv_file.h: a table of text that is whole at any time. Its first line has the names
 * of the columns, and nothing stands before it: numpy, pandas and ParaView read it as it
 * is. Where it comes from is said in the case.yaml beside it.
 *
 * A line is put together in memory and goes to the file in one write, past any
 * buffer: a killed run keeps every line, and a line that a full disk cut short
 * is taken back. Lack of memory sticks and is reported when the line is
 * written, so a writer is a plain list of what the line holds. */
#ifndef SCREE_IO_CSV_FILE_H
#define SCREE_IO_CSV_FILE_H

#include <sys/types.h>

#include "engine/base/archive.h"

#include "io/output/output.h"

typedef struct scree_csv {
    char *path;
    int fd;
    off_t written; /* whole lines in the file */
    char *text;    /* the line in the making */
    size_t size, room;
    bool no_memory;
} scree_csv;

/* Starts folder/name anew. Must be closed, also after a failure. */
scree_status scree_csv_open(scree_csv *csv, const char *folder,
                            const char *name, scree_error *error);

void scree_csv_add(scree_csv *csv, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* ",value" for each of them, with all its bits. */
void scree_csv_numbers(scree_csv *csv, const double *values, int n);
/* A name is any text; here it must not end a field or a line. */
void scree_csv_name(scree_csv *csv, const char *before, const char *name,
                    const char *after);

/* Ends the line and puts it into the file. */
scree_status scree_csv_write(scree_csv *csv, scree_error *error);

/* Opens folder/name to go on with it; scree_csv_archive must follow. */
scree_status scree_csv_reopen(scree_csv *csv, const char *folder,
                              const char *name, scree_error *error);
/* Takes back all rows beyond that length. */
scree_status scree_csv_cut(scree_csv *csv, int64_t length, scree_error *error);
/* Brings what was written to disk, and tells its length. */
int64_t scree_csv_settle(scree_csv *csv, scree_archive *archive);
/* The length of the file, which is on disk when it is saved, and to which the
 * file is cut back when it is loaded. */
void scree_csv_archive(scree_csv *csv, scree_archive *archive);

/* The same of a table that all ranks make: the file is rank 0's, the others put their
 * rows together and forget them. `start` begins it or goes on with it, as the context
 * says; fd is -1 before. */
scree_status scree_csv_start(scree_csv *csv,
                             const scree_output_context *context,
                             const char *name, scree_error *error);
scree_status scree_csv_end_row(scree_csv *csv, scree_error *error);
void scree_csv_archive_part(scree_csv *csv, scree_archive *archive);
/* The same under another name than "length", for a sink with several tables. */
void scree_csv_archive_named(scree_csv *csv, const char *name,
                             scree_archive *archive);

scree_status scree_csv_close(scree_csv *csv, scree_error *error);

#endif
