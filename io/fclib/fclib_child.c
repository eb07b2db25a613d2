#include "io/fclib/fclib_child.h"

#include <hdf5.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "io/hdf5/hdf5_file.h"

enum { NAME = 200, TEXT = 200, MOST_UNWRITTEN = 1 << 22 };

const char *scree_fclib_outcome_text(scree_fclib_outcome outcome) {
    static const char *const texts[] = {
#define X(name, text) text,
        SCREE_FCLIB_OUTCOMES(X)
#undef X
    };
    return texts[outcome];
}

/* HDF5 takes long to say that a part of the path before the last is missing: the first
 * one, a kind of problem that the file does not hold, is asked for alone. */
static bool link_exists(hid_t file, const char *name) {
    char first[NAME];
    snprintf(first, sizeof first, "%.*s", (int)strcspn(name, "/"), name);
    return H5Lexists(file, first, H5P_DEFAULT) > 0 &&
           H5Lexists(file, name, H5P_DEFAULT) > 0;
}

static int64_t size_of(hid_t dataset) {
    const hid_t space = H5Dget_space(dataset);
    const int64_t n = H5Sget_simple_extent_npoints(space);
    H5Sclose(space);
    return n;
}

/* The class decides: numbers are not read from texts, indices not from reals.
 */
static scree_fclib_outcome check_class(hid_t dataset, scree_fclib_kind kind) {
    const hid_t type = H5Dget_type(dataset);
    const H5T_class_t class = H5Tget_class(type);
    /* Texts of variable length would need HDF5's heap: they are left out. */
    const bool text = class == H5T_STRING && !H5Tis_variable_str(type);
    H5Tclose(type);
    if (kind == SCREE_FCLIB_TEXT)
        return text ? SCREE_FCLIB_FOUND : SCREE_FCLIB_NO_TEXT;
    if (class == H5T_INTEGER ||
        (kind == SCREE_FCLIB_REAL && class == H5T_FLOAT))
        return SCREE_FCLIB_FOUND;
    return kind == SCREE_FCLIB_WHOLE ? SCREE_FCLIB_NOT_WHOLE
                                     : SCREE_FCLIB_NO_NUMBERS;
}

/* Zeros that were never written take no room in the file: some are fine. */
static scree_fclib_outcome check_size(hid_t dataset, scree_fclib_kind kind,
                                      int64_t n) {
    const bool fits =
        kind == SCREE_FCLIB_TEXT ? n == 1 : n >= 0 && n <= INT32_MAX;
    return fits && (n <= MOST_UNWRITTEN || scree_hdf5_is_stored(dataset))
               ? SCREE_FCLIB_FOUND
               : SCREE_FCLIB_BAD_SIZE;
}

static bool read_data(hid_t dataset, scree_fclib_kind kind, void *data) {
    const hid_t text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, TEXT);
    const hid_t type = kind == SCREE_FCLIB_TEXT    ? text
                       : kind == SCREE_FCLIB_WHOLE ? H5T_NATIVE_INT64
                                                   : H5T_NATIVE_DOUBLE;
    const bool ok =
        H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
    H5Tclose(text);
    return ok;
}

static scree_fclib_outcome load_dataset(hid_t dataset, scree_fclib_kind kind,
                                        int64_t *n, void **data) {
    *n = size_of(dataset);
    scree_fclib_outcome outcome = check_size(dataset, kind, *n);
    if (outcome == SCREE_FCLIB_FOUND) outcome = check_class(dataset, kind);
    if (outcome != SCREE_FCLIB_FOUND || *n == 0) return outcome;
    if (kind == SCREE_FCLIB_TEXT) *n = TEXT;
    *data = calloc((size_t)*n, kind == SCREE_FCLIB_TEXT ? 1 : 8);
    if (!*data) return SCREE_FCLIB_NO_MEMORY;
    return read_data(dataset, kind, *data) ? SCREE_FCLIB_FOUND
                                           : SCREE_FCLIB_UNREADABLE;
}

scree_fclib_answer scree_fclib_child_answer(int64_t file, int32_t kind,
                                            const char *name) {
    scree_fclib_answer a = {.outcome = link_exists(file, name)
                                           ? SCREE_FCLIB_FOUND
                                           : SCREE_FCLIB_MISSING};
    if (a.outcome == SCREE_FCLIB_FOUND && kind != SCREE_FCLIB_LOOK) {
        const hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
        a.outcome = dataset < 0 ? SCREE_FCLIB_NO_DATASET
                                : load_dataset(dataset, (scree_fclib_kind)kind,
                                               &a.n, &a.data);
        if (dataset >= 0) H5Dclose(dataset);
    }
    if (a.outcome != SCREE_FCLIB_FOUND) a.n = 0;
    a.bytes = (size_t)a.n * (kind == SCREE_FCLIB_TEXT ? 1 : sizeof(double));
    return a;
}

/* RLIMIT_DATA counts what is private and can be written, all of it. */
void scree_fclib_child_limit(uint64_t bytes) {
    unsigned long long pages[6] = {0};
    FILE *sizes = fopen("/proc/self/statm", "r");
    const bool known = sizes && fscanf(sizes, "%llu %llu %llu %llu %llu %llu",
                                       &pages[0], &pages[1], &pages[2],
                                       &pages[3], &pages[4], &pages[5]) == 6;
    if (sizes) fclose(sizes);
    const rlim_t most =
        (rlim_t)pages[5] * (rlim_t)sysconf(_SC_PAGESIZE) + (rlim_t)bytes;
    if (known) setrlimit(RLIMIT_DATA, &(struct rlimit){most, most});
}

int64_t scree_fclib_child_open(const char *path) {
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* our sentence, not HDF5's stack */
    return H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
}

void scree_fclib_child_close(int64_t file) {
    if (file >= 0) H5Fclose(file);
}
