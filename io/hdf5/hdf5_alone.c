/* hdf5_alone.c: in a build without MPI nobody shares a file. */
#include "io/hdf5/hdf5_inside.h"

hid_t scree_hdf5_shared_access(void) {
    return H5Pcreate(H5P_FILE_ACCESS);
}
hid_t scree_hdf5_shared_transfer(void) {
    return H5Pcreate(H5P_DATASET_XFER);
}
