/* fclib.c: the first byte chooses a problem, the rest edits its file. None of
 * the samples has constraints: one gets its H as G too. */
#include "io/fclib/fclib.h"

#include <hdf5.h>
#include <stdlib.h>
#include <string.h>

#include "fclib_crop.h"
#include "hdf5_edits.h"
#include "hdf5_memory.h"
#include "target.h"

typedef struct base {
    const char *path;
    uint8_t *bytes;
    size_t size;
    bool constraints;
} base;

#define DATA SCREE_SOURCE_DIR "/tests/data/fclib/"

static void add_constraints(const char *path) {
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    fuzz_require(file >= 0 &&
                     H5Ocopy(file, "fclib_global/H", file, "fclib_global/G",
                             H5P_DEFAULT, H5P_DEFAULT) >= 0,
                 "cannot edit %s", path);
    H5Fclose(file);
}

static void make_base(base *b) {
    const char *path = fuzz_path("base.hdf5");
    fuzz_fclib_crop(b->path, path);
    if (b->constraints) add_constraints(path);
    b->bytes = fuzz_load(path, &b->size);
}

static base *choose(uint8_t byte) {
    static base bases[] = {
        {.path = DATA "LMGC_GlobalFrictionContactProblem00046.hdf5"},
        {.path = DATA "LMGC_GlobalFrictionContactProblem00046.hdf5",
         .constraints = true},
        {.path = DATA "Capsules-i125-1213.hdf5"},
        {.path = DATA "spheres-in-a-box-98-i10000-256-10.hdf5"}};
    enum { N = sizeof bases / sizeof *bases };
    for (int i = 0; i < N; i++)
        if (!bases[i].bytes) make_base(&bases[i]);
    return &bases[byte % N];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    const base *b = choose(data[0]);
    const char *path = fuzz_path("problem.hdf5");
    scree_fclib problem;
    scree_error error = {0};
    fuzz_forget_files();
    fuzz_write(path, b->bytes, b->size);
    fuzz_hdf5_edit(path, b, data + 1, size - 1);
    if (fuzz_judge(scree_fclib_read(&problem, path, &error), &error, path))
        scree_fclib_free(&problem);
    /* HDF5 has written the file: it reads it, too. */
    fuzz_require(!strstr(error.text, "crashes"), "%s", error.text);
    return 0;
}
