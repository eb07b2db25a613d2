/* hdf5_mpi.c: files of all ranks, by parallel HDF5. */
#include <mpi.h>

#include "io/hdf5/hdf5_inside.h"

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
