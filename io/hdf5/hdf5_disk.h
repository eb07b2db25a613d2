/* hdf5_disk.h: HDF5 on a file that is open already, and whose failures HDF5 does
 * not see.
 *
 * HDF5 opens files by name, which may lead elsewhere by then, and it does not
 * recover from a write that fails underneath it: it keeps the file for ever, and
 * crashes when the program ends. So this driver writes to a descriptor, remembers
 * the first failure and tells HDF5 that all is well. Whoever closed the file looks
 * at `reason`: if it is not 0, the file is worthless. */
#ifndef SCREE_IO_HDF5_DISK_H
#define SCREE_IO_HDF5_DISK_H

#include <hdf5.h>

typedef struct scree_hdf5_disk {
    int fd;     /* for reading and writing; stays open */
    int reason; /* errno of the first failure, 0: none so far */
} scree_hdf5_disk;

/* Begins a file of HDF5 in it, which is empty; `disk` stays where it is until
 * H5Fclose. Negative: as H5Fcreate. */
hid_t scree_hdf5_create_disk(scree_hdf5_disk *disk);

#endif
