/* hdf5_memory_lists.c: lists of properties, which change nothing for trees in memory,
 * except that a file of HDF5's core driver is not on disk. */
#include <hdf5.h>

#include "hdf5_memory.h"

#define PROPERTIES ((hid_t)0x6fffffffffffffff) /* one list for all, no handle */

bool fuzz_next_in_memory;

hid_t H5Pcreate(hid_t class) {
    (void)class;
    return PROPERTIES;
}
hid_t H5Pcopy(hid_t id) {
    return id;
}
herr_t H5Pclose(hid_t id) {
    return id == PROPERTIES ? 0 : -1;
}
herr_t H5Pset_fapl_core(hid_t id, size_t increment, hbool_t backed) {
    (void)id, (void)increment, (void)backed;
    fuzz_next_in_memory = true;
    return 0;
}
herr_t H5Pset_chunk(hid_t id, int rank, const hsize_t *size) {
    (void)id, (void)rank, (void)size;
    return 0;
}
herr_t H5Pset_deflate(hid_t id, unsigned level) {
    (void)id, (void)level;
    return 0;
}
herr_t H5Pset_shuffle(hid_t id) {
    (void)id;
    return 0;
}
herr_t H5Pset_create_intermediate_group(hid_t id, unsigned on) {
    (void)id, (void)on;
    return 0;
}
herr_t H5Pset_obj_track_times(hid_t id, hbool_t on) {
    (void)id, (void)on;
    return 0;
}
