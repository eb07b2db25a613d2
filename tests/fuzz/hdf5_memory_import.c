/* hdf5_memory_import.c: a file that HDF5 wrote as a tree in memory. Next to the
 * functions that hdf5_memory.c has in place of HDF5's, the latter are called by name. */
#include <dlfcn.h>
#include <hdf5.h>
#include <stdlib.h>
#include <string.h>

#include "hdf5_memory.h"
#include "target.h"

static void *find_real(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    fuzz_require(found != NULL, "HDF5 has no %s", name);
    return found;
}

/* HDF5's own function, and not the one of the trees. */
#define REAL(function) ((__typeof__(&function))find_real(#function))

static void copy_dataset(hid_t from, hid_t to, const char *name) {
    const hid_t type = REAL(H5Dget_type)(from),
                space = REAL(H5Dget_space)(from);
    const hid_t dataset = H5Dcreate2(to, name, type, space, H5P_DEFAULT,
                                     H5P_DEFAULT, H5P_DEFAULT);
    const hssize_t n = H5Sget_simple_extent_npoints(space);
    void *data = calloc((size_t)n + 1, H5Tget_size(type));
    fuzz_require(
        data && dataset >= 0 && n >= 0 &&
            REAL(H5Dread)(from, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >=
                0 &&
            H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0,
        "cannot take in %s", name);
    free(data);
    H5Dclose(dataset);
    H5Sclose(space);
    H5Tclose(type);
}

static herr_t copy_object(hid_t root, const char *name, const H5O_info_t *about,
                          void *to) {
    const hid_t file = *(hid_t *)to;
    if (strcmp(name, ".") == 0) return 0;
    if (about->type == H5O_TYPE_GROUP)
        return H5Gclose(
            H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    const hid_t from = REAL(H5Dopen2)(root, name, H5P_DEFAULT);
    fuzz_require(from >= 0, "cannot open %s", name);
    copy_dataset(from, file, name);
    return REAL(H5Dclose)(from);
}

void fuzz_take_file(const char *from, const char *to) {
    const hid_t file = REAL(H5Fopen)(from, H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t tree = H5Fcreate(to, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    fuzz_require(file >= 0 && tree >= 0 &&
                     REAL(H5Ovisit)(file, H5_INDEX_NAME, H5_ITER_INC,
                                    copy_object, &tree) >= 0,
                 "cannot take in %s", from);
    H5Fclose(tree);
    REAL(H5Fclose)(file);
}
