/* archive.h: named arrays that go out to a file, or come back from it.
 *
 * What must be saved is written down once, as a table of fields, and the same
 * function saves and loads: scree_archive.loads says which. A table names the
 * members of a struct one by one, so a struct may grow without old files losing
 * their meaning, and a file holds plain arrays, whatever the structs look like.
 *
 * Errors stick, in scree_archive.status: after the first one all calls do
 * nothing. A function that saves and loads is therefore a plain list.
 *
 * Several ranks save together: all make the same calls. Arrays are the first
 * rank's, which all ranks have alike, or, between two calls of
 * scree_archive_parts, of all ranks: the rows of rank 0, then those of rank 1,
 * and so on. A file does not show how many ranks there were. Each rank loads on
 * its own, all of an array or some of its rows (scree_archive_block). */
#ifndef SCREE_BASE_ARCHIVE_H
#define SCREE_BASE_ARCHIVE_H

#include "engine/base/error.h"

typedef enum scree_number {
    SCREE_F64,
    SCREE_F32,
    SCREE_I64, /* uint64_t too, by its bits */
    SCREE_I32, /* int, enum and uint32_t too */
    SCREE_U8,  /* bool and char too */
} scree_number;

size_t scree_number_size(scree_number type);

/* An array of rows. */
typedef struct scree_rows {
    const char *name; /* whole, with its group */
    scree_number type;
    int64_t n;
    int columns;
    bool block;    /* while loading: only n of its rows are wanted, */
    int64_t first; /* from this one on */
} scree_rows;

/* In place of a number of rows. */
enum { SCREE_NO_ARRAY = -1, SCREE_UNREADABLE = -2 };

/* What is behind an archive: a file, or memory. */
typedef struct scree_archive_ops {
    scree_status (*put)(void *self, const scree_rows *rows, const void *data,
                        scree_error *error);
    /* Fills data; fails if the array has another form. */
    scree_status (*get)(void *self, const scree_rows *rows, void *data,
                        scree_error *error);
    /* Rows of an array, or one of those below. */
    int64_t (*count)(void *self, const char *name);
    /* Of several ranks, both collective, with the same status on all of them:
     * puts an array whose rows are spread over them; fails if one rank has
     * failed. */
    scree_status (*put_part)(void *self, const scree_rows *rows,
                             const void *data, scree_error *error);
    scree_status (*agree)(void *self, scree_status status, scree_error *error);
} scree_archive_ops;

typedef struct scree_archive {
    const scree_archive_ops *ops;
    void *self;
    bool loads;
    bool parts; /* arrays have rows on all ranks */
    bool block; /* of arrays only rows from `first` on are loaded */
    int64_t first;
    const char *version; /* of the program that saved what is loaded, or NULL */
    char group[64];      /* "bodies": names are below it */
    scree_status status;
    scree_error *error; /* not NULL */
} scree_archive;

/* Names that follow are below this group. */
void scree_archive_group(scree_archive *a, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* From here on arrays have rows on all ranks that save, or no longer. */
void scree_archive_parts(scree_archive *a, bool on);

/* From here on arrays are loaded from this row on, as many rows as are asked
 * for; -1: all of them again. */
void scree_archive_block(scree_archive *a, int64_t first);

/* Is there such an array? Only of use while loading. Fails if that cannot be
 * told: a file that cannot be read must not pass for one that lacks something. */
bool scree_archive_has(scree_archive *a, const char *name);

/* Records a failure that the caller has found; the first one stays. */
void scree_archive_fail(scree_archive *a, scree_status status,
                        const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A file may hold what is neither true nor false: refuses it. */
void scree_archive_check_truth(scree_archive *a, const char *name,
                               const bool *x);

/* An array as it lies in memory. */
void scree_archive_array(scree_archive *a, const char *name, scree_number type,
                         int64_t n, int columns, void *data);

/* How many rows there are: while saving `n`, while loading those of the file. */
int64_t scree_archive_count(scree_archive *a, const char *name, int64_t n);

/* A text of any length; while loading *text is new memory that the caller frees,
 * NULL after a failure. */
void scree_archive_text(scree_archive *a, const char *name, char **text);

/* A member of a struct. */
typedef struct scree_archive_field {
    const char *name;
    scree_number type;
    int columns;
    size_t offset;
} scree_archive_field;

/* One array for each field: its row i is the member of item place[i] (NULL: of
 * item i) among n items of `stride` bytes. */
typedef struct scree_items {
    void *first;
    size_t stride;
    int64_t n;
    const int32_t *place;
} scree_items;
void scree_archive_items(scree_archive *a, const scree_items *items,
                         const scree_archive_field *fields, int n_field);
/* The same for one struct. */
void scree_archive_struct(scree_archive *a, void *one,
                          const scree_archive_field *fields, int n_field);

#define SCREE_FIELDS(table) table, (int)(sizeof table / sizeof *table)

#endif
