/* pack_origin.h: the group `scree` of a frame in a packed file.
 *
 * Each attribute and array is read, then written: HDF5's own H5Ocopy keeps objects
 * of a file half open when a read fails in its midst, and crashes later. */
#ifndef SCREE_IO_PACK_ORIGIN_H
#define SCREE_IO_PACK_ORIGIN_H

#include <hdf5.h>

#include "engine/base/error.h"

typedef struct scree_pack_ends {
    hid_t from, to; /* open files */
    const char *from_path, *to_path;
} scree_pack_ends;

/* Without the tables of frames that are packed already: they are made anew. */
scree_status scree_pack_origin(const scree_pack_ends *ends, scree_error *error);

#endif
