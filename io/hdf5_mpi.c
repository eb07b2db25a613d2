/* hdf5_mpi.c: files of all ranks, by parallel HDF5. */
#include <mpi.h>

#include "io/hdf5_inside.h"

hid_t scree_hdf5_shared_access(void) {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (access < 0 ||
        H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL) >= 0)
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
