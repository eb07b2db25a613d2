/* hdf5_file.h: HDF5 files that are complete or absent, and series of them.
 *
 * A file is built in memory and put on disk in one go when it is closed:
 * wholly or not at all (io/file/whole_file.h), with a seal (io/file/seal.h) by which a
 * reader knows that it is whole. So HDF5, which does not recover from a write
 * that fails underneath it, never sees the disk. Several ranks write one file
 * together (hdf5_ranks.c); then all of them make the same calls.
 *
 * Errors stick: after the first one the other calls do nothing, and close
 * reports it. A writer is therefore a plain list of what the file holds.
 *
 * A series is what ParaView 5.11 and later open as one animation: one VTKHDF
 * 1.0 file per frame and a JSON list of the complete ones. */
#ifndef SCREE_IO_HDF5_FILE_H
#define SCREE_IO_HDF5_FILE_H

#include <hdf5.h>

#include "io/file/seal.h"
#include "io/output/output.h"

/* Before any file. HDF5 would clear up when the program ends, and crashes then if
 * it could not close a file before; nothing is left open that needs it. */
void scree_hdf5_begin(void);

/* ---- one file ------------------------------------------------------------ */

typedef struct scree_hdf5_file scree_hdf5_file;

/* A block of rows in memory: row i starts `stride` elements after row i - 1. */
typedef struct scree_hdf5_rows {
    hid_t type; /* H5T_NATIVE_DOUBLE, ... */
    int64_t n;
    int columns; /* 1 gives a one-dimensional dataset */
    int stride;  /* 0: columns */
    const void *data;
} scree_hdf5_rows;

/* NULL only when there is no memory for the handle itself; every function
 * below takes that NULL, and close reports it. */
scree_hdf5_file *scree_hdf5_create(void);
/* The same for a file of all ranks. */
scree_hdf5_file *scree_hdf5_create_together(const scree_comm *comm);

/* Datasets that follow are shuffled and deflated; level 1 ... 9, 0: not. */
void scree_hdf5_compress(scree_hdf5_file *file, int level);

/* Parent groups come into being as needed. */
void scree_hdf5_group(scree_hdf5_file *file, const char *name);
/* The rows of rank 0, then those of rank 1, ... In a file of several ranks they
 * are written when it is closed: the data stay where they are until then. */
void scree_hdf5_write(scree_hdf5_file *file, const char *name,
                      const scree_hdf5_rows *rows);
/* The last `behind` rows of each rank stand behind the others of all ranks. */
void scree_hdf5_write_ends(scree_hdf5_file *file, const char *name,
                           const scree_hdf5_rows *rows, int64_t behind);
/* Rows that are the same on all ranks. */
void scree_hdf5_write_once(scree_hdf5_file *file, const char *name,
                           const scree_hdf5_rows *rows);
/* The same, two-dimensional also with one column. */
void scree_hdf5_write_table(scree_hdf5_file *file, const char *name,
                            const scree_hdf5_rows *rows);
void scree_hdf5_write_text(scree_hdf5_file *file, const char *name,
                           const char *text);

/* Attributes of an existing object; one value is a scalar. */
void scree_hdf5_attribute(scree_hdf5_file *file, const char *object,
                          const char *name, hid_t type, int n,
                          const void *values);
void scree_hdf5_attribute_text(scree_hdf5_file *file, const char *object,
                               const char *name, const char *text);

/* A list of n texts, also if n is 1. */
void scree_hdf5_attribute_texts(scree_hdf5_file *file, const char *object,
                                const char *name, int n,
                                const char *const *texts);

/* The group /scree: build, case, and the state that the file holds. */
typedef struct scree_hdf5_state {
    double time;
    int64_t step;
    uint64_t hash;
} scree_hdf5_state;
void scree_hdf5_origin(scree_hdf5_file *file, const scree_case *c,
                       const scree_hdf5_state *state);

/* Puts the file under `path` unless something failed; frees it either way. */
scree_status scree_hdf5_close(scree_hdf5_file *file, const char *path,
                              scree_error *error);
/* The same for a file that is not a result. */
scree_status scree_hdf5_close_as(scree_hdf5_file *file, scree_file_kind kind,
                                 const char *path, scree_error *error);

void scree_hdf5_drop(scree_hdf5_file *file);

/* ---- a series of files --------------------------------------------------- */

/* All ranks keep the same series, and take part in all its frames. */
typedef struct scree_series {
    const scree_comm *comm;
    const char *stem; /* bodies: bodies_000000.hdf, ..., bodies.hdf.series */
    char *base;       /* folder/stem */
    char *path;       /* scratch with room for the longest name */
    int64_t frames;   /* complete ones */
    int compression;  /* of the next frames, 0 ... 9 */
    char *list;       /* the entries of the series file so far */
    size_t list_size, list_room;
    int64_t room;      /* points that `counting` and `types` have room for */
    int64_t *counting; /* (room + 1) first, first + 1, ...: points by number */
    int64_t first;     /* of this rank's points in the frame */
    uint8_t *types;    /* (room) all VTK_VERTEX */
} scree_series;

/* Removes what an earlier run left under the same names, unless it resumes.
 * Frames are compressed as the context says. */
scree_status scree_series_open(scree_series *series,
                               const scree_output_context *context,
                               const char *stem, scree_error *error);
/* For scree_output_ops.archive: the list of frames. Later frames are removed.
 */
void scree_series_archive(scree_series *series, scree_archive *archive);

/* Starts a frame with its points (one vertex cell each) and its origin: build,
 * case, time, state hash. Data of the points follow with scree_series_data. */
scree_hdf5_file *scree_series_begin(scree_series *series,
                                    const scree_output_context *context,
                                    const scree_hdf5_rows *points);
void scree_series_data(scree_hdf5_file *file, const char *name,
                       const scree_hdf5_rows *rows);

/* Cells that join the points of a frame. Polygons are cells of an unstructured
 * grid too: ParaView 5.11 reads no VTKHDF of type PolyData. */
typedef struct scree_series_cells {
    int64_t n;
    uint8_t *types;        /* (n) VTK's numbers */
    int64_t *offsets;      /* (n + 1) cell i joins the points */
    int64_t *connectivity; /* [offsets[i] .. offsets[i + 1] - 1] */
} scree_series_cells;

/* Cells are made with the numbers of this rank alone. Adds what the ranks
 * before this one have: `points` to the connectivity, and their corners to the
 * offsets, as a frame wants them; offset[0] is then not 0. Collective. */
void scree_series_shift(scree_series_cells *cells, const scree_comm *comm,
                        int64_t points);

/* Starts a frame with other cells than a vertex for each point. The last
 * `behind` points of each rank stand behind the others of all ranks. */
scree_hdf5_file *scree_series_begin_cells(scree_series *series,
                                          const scree_output_context *context,
                                          const scree_hdf5_rows *points,
                                          int64_t behind,
                                          const scree_series_cells *cells);
void scree_series_cell_data(scree_hdf5_file *file, const char *name,
                            const scree_hdf5_rows *rows);

/* Closes the frame and adds it to the list. */
scree_status scree_series_end(scree_series *series, scree_hdf5_file *file,
                              double time, scree_error *error);
void scree_series_close(scree_series *series);

/* Whether a dataset can hold as many elements as it says: a few bytes may claim
 * an array of any size, and a reader would make room for it. */
bool scree_hdf5_is_stored(hid_t dataset);

/* The same with its type and space at hand. */
bool scree_hdf5_fits_file(hid_t dataset, hid_t type, hid_t space);

#endif
