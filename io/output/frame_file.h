/* frame_file.h: reading the VTKHDF files that runs and `scree pack` write.
 *
 * A file holds one frame (VTKHDF 1.0) or many (2.0, with the group Steps); here
 * both look the same: frame k has a time, points and cells, and fields on them.
 * A file is opened only if its seal is whole (io/file/seal.h). */
#ifndef SCREE_IO_FRAME_FILE_H
#define SCREE_IO_FRAME_FILE_H

#include <hdf5.h>

#include "io/file/seal.h"

enum { SCREE_FIELD_NAME_BYTES = 64 };

typedef struct scree_frame_field {
    char name[SCREE_FIELD_NAME_BYTES];
    bool on_cells; /* else on points */
    bool integer;  /* as stored */
    int columns;
} scree_frame_field;

/* Where a frame lies in the arrays of its file. */
typedef struct scree_frame_place {
    double time;
    int64_t points, cells, ids; /* ids: of the connectivity */
    int64_t first_point, first_cell, first_id, first_offset;
    int64_t step;  /* of the run */
    uint64_t hash; /* of the state */
} scree_frame_place;

/* Who wrote the file, and from what case. */
typedef struct scree_frame_origin {
    char version[32], commit[64], state_hash[20];
    char *name, *case_text, *overrides;
    uint64_t seed;
    double time;
    int64_t step;
} scree_frame_origin;

typedef struct scree_frame_file {
    char *path;
    hid_t id;
    scree_file_kind kind;
    bool no_memory; /* found on the way */
    bool has_grid;  /* else a checkpoint or a model, with an origin alone */
    int n_frame, n_field;
    scree_frame_place *frames; /* (n_frame) */
    scree_frame_field *fields; /* (n_field) those on points first */
    scree_frame_origin origin;
} scree_frame_file;

scree_status scree_frame_open(const char *path, scree_frame_file **out,
                              scree_error *error);
void scree_frame_close(scree_frame_file *file);

/* An error, in words, for a file that holds no frames. */
scree_status scree_frame_want_grid(const scree_frame_file *file,
                                   scree_error *error);

/* The rows of a field, or with NULL the places of the points (3 columns), of a
 * frame. The caller has room for rows x columns. */
scree_status scree_frame_read(const scree_frame_file *file, int frame,
                              const scree_frame_field *field, double *values,
                              scree_error *error);
scree_status scree_frame_read_integers(const scree_frame_file *file, int frame,
                                       const scree_frame_field *field,
                                       int64_t *values, scree_error *error);
int64_t scree_frame_rows(const scree_frame_file *file, int frame,
                         const scree_frame_field *field);

/* Offsets (cells + 1), connectivity (ids) and types (cells) of a frame. */
scree_status scree_frame_read_cells(const scree_frame_file *file, int frame,
                                    int64_t *offsets, int64_t *connectivity,
                                    uint8_t *types, scree_error *error);

/* The planes that bounded the world at the time: point and normal,
 * 6 numbers each, no more than `most`. Returns how many. */
int scree_frame_planes(const scree_frame_file *file, int most, double *planes);

const scree_frame_field *scree_frame_find(const scree_frame_file *file,
                                          const char *name);

/* What column c of a field is called behind the field's name: "", "_x", ... */
const char *scree_frame_column(int columns, int c, char out[16]);

#endif
