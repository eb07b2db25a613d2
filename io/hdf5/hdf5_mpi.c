/* hdf5_mpi.c: files of all ranks, by parallel HDF5. */
#include <mpi.h>
#include <stdio.h>

#include "engine/base/watch.h"
#include "io/hdf5/hdf5_inside.h"

enum { FILE_EXIT = 3 }; /* of a file that cannot be written */

/* ---- writes that fail ------------------------------------------------------ */

/* Open MPI 4.1 takes a write that has failed for one of no bytes: no error, and its
 * handler of errors is not asked. HDF5 counts the bytes, gives up on that rank alone,
 * and waits there for ranks that wait elsewhere. So the bytes are counted here as well,
 * by MPI's interface for profilers, and the watch is told. */
static void check_written(MPI_Status *status, int n, MPI_Datatype type) {
    MPI_Count written = 0, each = 0;
    PMPI_Get_elements_x(status, MPI_BYTE, &written);
    PMPI_Type_size_x(type, &each);
    if (written != n * each)
        scree_watch_doubt("cannot write a file of all ranks, the others wait: "
                          "the disk has not taken all",
                          FILE_EXIT);
}

typedef int write_at(MPI_File, MPI_Offset, const void *, int, MPI_Datatype,
                     MPI_Status *);

static int write_checked(write_at *write, MPI_File file, MPI_Offset at,
                         const void *data, int n, MPI_Datatype type,
                         MPI_Status *status) {
    MPI_Status mine;
    MPI_Status *told = status == MPI_STATUS_IGNORE ? &mine : status;
    const int code = write(file, at, data, n, type, told);
    if (code == MPI_SUCCESS) check_written(told, n, type);
    return code;
}

int MPI_File_write_at(MPI_File file, MPI_Offset at, const void *data, int n,
                      MPI_Datatype type, MPI_Status *status) {
    return write_checked(PMPI_File_write_at, file, at, data, n, type, status);
}

int MPI_File_write_at_all(MPI_File file, MPI_Offset at, const void *data, int n,
                          MPI_Datatype type, MPI_Status *status) {
    return write_checked(PMPI_File_write_at_all, file, at, data, n, type,
                         status);
}

/* ---- calls that fail ------------------------------------------------------- */

/* MPI tells only the rank on which a call on a file failed. */
static void doubt_file(MPI_File *file, int *code, ...) {
    char words[MPI_MAX_ERROR_STRING], reason[MPI_MAX_ERROR_STRING + 100];
    int length = 0;
    (void)file;
    if (MPI_Error_string(*code, words, &length) != MPI_SUCCESS) length = 0;
    snprintf(reason, sizeof reason,
             "cannot write a file of all ranks, the others wait: %.*s", length,
             words);
    scree_watch_doubt(reason, FILE_EXIT);
}

/* For each file its own: MPICH 4.0 loses count of a handler that files have from
 * MPI_FILE_NULL, and ends at one of their closes. */
static void listen_to_file(MPI_File file) {
    MPI_Errhandler handler;
    if (MPI_File_create_errhandler(doubt_file, &handler) != MPI_SUCCESS) return;
    MPI_File_set_errhandler(file, handler);
    MPI_Errhandler_free(&handler);
}

/* In Open MPI 4.1 a rank that cannot open the file waits for the others to close it, and
 * they for all to have it open. So it is a wait for one another, and the watch ends one
 * that all ranks are in for too long. */
int MPI_File_open(MPI_Comm comm, const char *name, int mode, MPI_Info info,
                  MPI_File *file) {
    scree_watch_enter("a file to be opened by all");
    int code = PMPI_File_open(comm, name, mode, info, file);
    scree_watch_leave();
    if (code == MPI_SUCCESS)
        listen_to_file(*file);
    else
        doubt_file(file, &code);
    return code;
}

/* ---- how files are opened -------------------------------------------------- */

/* HDF5 would give each rank a part of the heads of datasets to write, and hang
 * in the end if one of them cannot. Rank 0, for which there is room, writes
 * all. */
static bool write_heads_by_rank_0(hid_t access) {
    H5AC_cache_config_t cache = {.version = H5AC__CURR_CACHE_CONFIG_VERSION};
    if (H5Pget_mdc_config(access, &cache) < 0) return false;
    cache.metadata_write_strategy =
        H5AC_METADATA_WRITE_STRATEGY__PROCESS_0_ONLY;
    return H5Pset_mdc_config(access, &cache) >= 0;
}

hid_t scree_hdf5_shared_access(void) {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (access < 0 ||
        (write_heads_by_rank_0(access) &&
         H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL) >= 0))
        return access;
    H5Pclose(access);
    return -1;
}

hid_t scree_hdf5_shared_transfer(void) {
    const hid_t transfer = H5Pcreate(H5P_DATASET_XFER);
    if (transfer < 0 || H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE) >= 0)
        return transfer;
    H5Pclose(transfer);
    return -1;
}
