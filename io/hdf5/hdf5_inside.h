/* hdf5_inside.h: a file in the making, for io/hdf5_*.c alone. */
#ifndef SCREE_IO_HDF5_INSIDE_H
#define SCREE_IO_HDF5_INSIDE_H

#include "io/hdf5/hdf5_file.h"

/* Rows of this rank, to be written with those of the others. */
typedef struct scree_hdf5_piece {
    char *name; /* of the dataset */
    scree_hdf5_rows rows;
    int64_t behind; /* so many of them, the last ones, stand behind the rows of
                       all ranks */
    int dimensions; /* of the dataset */
} scree_hdf5_piece;

struct scree_hdf5_file {
    const scree_comm *comm; /* who write it together */
    hid_t id;
    hid_t links; /* link creation properties: make parent groups */
    hid_t made; /* dataset creation properties: no time of making, so that equal
                   contents are equal bytes */
    hid_t text; /* UTF-8 string of any length */
    int level;  /* of compression, 0: none */
    scree_hdf5_piece *pieces; /* (n_piece) that wait for the end */
    int64_t n_piece, piece_room;
    bool failed, no_memory;
    char reason[300];
};

/* Fails the file: there is no memory for what is to be written. */
void scree_hdf5_no_memory(scree_hdf5_file *file);

/* Passes an id or status on; the first negative one fails the file. */
hid_t scree_hdf5_checked(scree_hdf5_file *file, hid_t id);
bool scree_hdf5_usable(const scree_hdf5_file *file);

/* A dataset of `rows` rows, -1: failed. */
hid_t scree_hdf5_make_dataset(scree_hdf5_file *file, const char *name,
                              const scree_hdf5_rows *like, int64_t rows,
                              int dimensions);
/* The rows as they lie in memory: the first columns of a wider table. */
hid_t scree_hdf5_memory(scree_hdf5_file *file, const scree_hdf5_rows *rows);

/* Hands the bytes of the file as it is now to `take`. `name` is for messages.
 */
typedef scree_status scree_hdf5_taker(void *context, const void *bytes,
                                      size_t size, scree_error *error);
scree_status scree_hdf5_give_image(scree_hdf5_file *file, const char *name,
                                   scree_hdf5_taker *take, void *context,
                                   scree_error *error);
scree_status scree_hdf5_failure(const scree_hdf5_file *file, const char *name,
                                scree_error *error);

/* ---- several ranks (hdf5_ranks.c) ---------------------------------------- */

/* Keeps the rows, which stay where they are, for the end. */
void scree_hdf5_keep_piece(scree_hdf5_file *file, const char *name,
                           const scree_hdf5_rows *rows, int64_t behind,
                           int dimensions);
scree_status scree_hdf5_put_together(scree_hdf5_file *file,
                                     scree_file_kind kind, const char *path,
                                     scree_error *error);

/* ---- MPI (hdf5_mpi.c, hdf5_alone.c) -------------------------------------- */

/* File access and transfer of data by all ranks together: new properties. */
hid_t scree_hdf5_shared_access(void);
hid_t scree_hdf5_shared_transfer(void);

#endif
