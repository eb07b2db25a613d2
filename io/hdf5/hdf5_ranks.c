/* hdf5_ranks.c: one file, written by all ranks together.
 *
 * What is the same on all ranks is built in memory, as a file of one rank is;
 * what each has rows of waits until the file is closed. Then
 *
 *     rank 0   puts the file as it is so far on disk, with room for the rest
 *     all      open it, make each dataset and write their rows, collectively
 *     rank 0   seals and syncs it; io/file/whole_file.c renames it.
 *
 * HDF5 does not recover from a write that fails underneath it, on one rank
 * least of all, for which the others would wait; nor does MPI's opening of a
 * file from a rank that gets no memory. So disk and memory are asked for all
 * the room there may be need for before HDF5 begins, and refuse it then. What
 * still fails on one rank (a disk that breaks) is told to the watch by MPI
 * (engine/base/watch.h), which ends all. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "engine/base/arena.h"
#include "engine/base/watch.h"
#include "io/file/safe_file.h"
#include "io/file/whole_file.h"
#include "io/hdf5/hdf5_inside.h"

/* ---- pieces -------------------------------------------------------------- */

void scree_hdf5_keep_piece(scree_hdf5_file *file, const char *name,
                           const scree_hdf5_rows *rows, int64_t behind,
                           int dimensions) {
    char *copy = strdup(name);
    if (!copy ||
        scree_reserve(&file->pieces, &file->piece_room, file->n_piece + 1,
                      sizeof *file->pieces) != SCREE_OK) {
        free(copy);
        scree_hdf5_no_memory(file);
        return;
    }
    file->pieces[file->n_piece++] =
        (scree_hdf5_piece){copy, *rows, behind, dimensions};
}

/* Where the rows of this rank stand among those of all. */
typedef struct place {
    int64_t first, n; /* of all ranks together: n */
} place;

static place place_of(const scree_comm *comm, int64_t n) {
    const int64_t first = scree_comm_before(comm, n);
    scree_comm_sum_counts(comm, &n, 1);
    return (place){first, n};
}

/* Collective; a rank without rows takes part with none. */
static void write_rows(scree_hdf5_file *file, hid_t dataset, hid_t transfer,
                       const scree_hdf5_rows *rows, int64_t first) {
    const hsize_t start[2] = {(hsize_t)first, 0},
                  count[2] = {(hsize_t)rows->n, (hsize_t)rows->columns};
    const hid_t stored = scree_hdf5_checked(file, H5Dget_space(dataset));
    const hid_t memory = scree_hdf5_memory(file, rows);
    if (rows->n > 0)
        scree_hdf5_checked(file, H5Sselect_hyperslab(stored, H5S_SELECT_SET,
                                                     start, NULL, count, NULL));
    else
        H5Sselect_none(stored);
    scree_hdf5_checked(file, H5Dwrite(dataset, rows->type, memory, stored,
                                      transfer, rows->data));
    H5Sclose(memory);
    H5Sclose(stored);
}

static void write_piece(scree_hdf5_file *file, const scree_hdf5_piece *piece,
                        hid_t transfer) {
    const scree_comm *comm = file->comm;
    scree_hdf5_rows front = piece->rows, back = piece->rows;
    const size_t row = (size_t)(front.stride ? front.stride : front.columns) *
                       H5Tget_size(front.type);
    back.n = piece->behind;
    front.n -= piece->behind;
    back.data = (const char *)front.data + (size_t)front.n * row;
    const place one = place_of(comm, front.n), two = place_of(comm, back.n);
    const hid_t dataset = scree_hdf5_make_dataset(
        file, piece->name, &front, one.n + two.n, piece->dimensions);
    if (scree_comm_any(comm, dataset < 0)) return;
    if (one.n > 0) write_rows(file, dataset, transfer, &front, one.first);
    if (two.n > 0)
        write_rows(file, dataset, transfer, &back, one.n + two.first);
    H5Dclose(dataset);
}

/* ---- the file on disk ---------------------------------------------------- */

static scree_status cannot_write(const char *path, int reason,
                                 scree_error *error) {
    return scree_fail(error, SCREE_IO_ERROR, "%.500s: cannot write: %s", path,
                      strerror(reason));
}

/* Bytes in the pieces of this rank. */
static int64_t bytes_of_pieces(const scree_hdf5_file *file) {
    int64_t bytes = 0;
    for (int64_t k = 0; k < file->n_piece; k++) {
        const scree_hdf5_rows *rows = &file->pieces[k].rows;
        bytes += rows->n * rows->columns * (int64_t)H5Tget_size(rows->type);
    }
    return bytes;
}

/* Bytes that those of all ranks may take: what does not become smaller by
 * compression grows a little. */
static int64_t room_of_pieces(const scree_hdf5_file *file) {
    enum { HEADS = 1 << 12 }; /* of a dataset, and its part of an index */
    int64_t bytes = bytes_of_pieces(file);
    if (file->level > 0) bytes += bytes / 50;
    scree_comm_sum_counts(file->comm, &bytes, 1);
    return bytes + file->n_piece * HEADS;
}

/* A file on its way to the disk. */
typedef struct way {
    scree_hdf5_file *file;
    scree_file_kind kind;
    const char *path; /* for messages */
    const char *temporary;
    int64_t more; /* room for what follows */
} way;

static scree_status what_failed(const way *w, scree_error *error) {
    return w->file->failed ? scree_hdf5_failure(w->file, w->path, error)
                           : SCREE_OK;
}

static scree_status put_beginning(void *context, const void *bytes, size_t size,
                                  scree_error *error) {
    const way *w = context;
    const int reason =
        scree_file_begin(w->temporary, bytes, size, size + (size_t)w->more);
    return reason ? cannot_write(w->path, reason, error) : SCREE_OK;
}

/* A limit of this rank alone would show in the midst of HDF5's work. */
static bool may_write(int64_t bytes) {
    struct rlimit most;
    return getrlimit(RLIMIT_FSIZE, &most) != 0 ||
           most.rlim_cur >= (rlim_t)bytes;
}

/* Whether this rank would get the memory that HDF5 and MPI may ask for. */
static bool may_grow(const scree_hdf5_file *file) {
    enum { FOR_OPENING = 1 << 25 }; /* buffers of MPI's files, chunks of HDF5 */
    const size_t bytes = FOR_OPENING + (size_t)bytes_of_pieces(file);
    void *room = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED) return false;
    munmap(room, bytes);
    return true;
}

static scree_status begin_file(way *w, scree_error *error) {
    scree_hdf5_file *file = w->file;
    w->more = room_of_pieces(file);
    scree_status status = what_failed(w, error);
    if (status == SCREE_OK && !may_write(w->more))
        status = cannot_write(w->path, EFBIG, error);
    if (status == SCREE_OK && !may_grow(file))
        status = cannot_write(w->path, ENOMEM, error);
    if (status == SCREE_OK && file->comm->rank == 0)
        status = scree_hdf5_give_image(file, w->path, put_beginning, w, error);
    H5Fclose(file->id);
    file->id = -1;
    return scree_comm_agree(file->comm, status, error);
}

/* The sync of each rank's own data is HDF5's flush. */
static void write_pieces(scree_hdf5_file *file) {
    const hid_t transfer =
        scree_hdf5_checked(file, scree_hdf5_shared_transfer());
    bool failed = scree_comm_any(file->comm, file->failed);
    for (int64_t k = 0; k < file->n_piece && !failed; k++) {
        write_piece(file, &file->pieces[k], transfer);
        failed = scree_comm_any(file->comm, file->failed);
    }
    if (!failed) scree_hdf5_checked(file, H5Fflush(file->id, H5F_SCOPE_GLOBAL));
    H5Pclose(transfer);
}

/* Each rank by its own hold of the folder. */
static void open_together(scree_hdf5_file *file, const char *temporary) {
    const hid_t access = scree_hdf5_checked(file, scree_hdf5_shared_access());
    char *name = scree_file_name(temporary);
    if (scree_comm_any(file->comm, !name)) {
        scree_hdf5_no_memory(file);
    } else {
        scree_watch_half_written(name);
        file->id =
            scree_hdf5_checked(file, H5Fopen(name, H5F_ACC_RDWR, access));
    }
    free(name);
    H5Pclose(access);
}

static scree_status fill_file(const way *w, scree_error *error) {
    scree_hdf5_file *file = w->file;
    open_together(file, w->temporary);
    if (!scree_comm_any(file->comm, file->id < 0)) write_pieces(file);
    if (file->id >= 0) scree_hdf5_checked(file, H5Fclose(file->id));
    file->id = -1;
    const scree_status status =
        scree_comm_agree(file->comm, what_failed(w, error), error);
    scree_watch_half_written(NULL);
    return status;
}

static scree_status write_together(void *context, const char *temporary,
                                   scree_error *error) {
    way *w = context;
    const scree_comm *comm = w->file->comm;
    w->temporary = temporary;
    TRY(begin_file(w, error));
    TRY(fill_file(w, error));
    const scree_status status =
        comm->rank == 0 ? scree_seal_file(temporary, w->kind, error) : SCREE_OK;
    return scree_comm_agree(comm, status, error);
}

scree_status scree_hdf5_put_together(scree_hdf5_file *file,
                                     scree_file_kind kind, const char *path,
                                     scree_error *error) {
    way w = {.file = file, .kind = kind, .path = path};
    return scree_file_replace_together(file->comm, path, write_together, &w,
                                       error);
}
