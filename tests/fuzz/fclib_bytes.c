/* fclib_bytes.c: an FCLIB file with altered bytes, which no seal guards: HDF5
 * may crash on it, the reader may not. The first byte chooses the problem, then
 * four bytes each: place (3) and what to change. */
#include <stdlib.h>
#include <string.h>

#include "fclib_crop.h"
#include "io/fclib/fclib.h"
#include "target.h"

#define DATA SCREE_SOURCE_DIR "/tests/data/fclib/"

typedef struct base {
    const char *path;
    uint8_t *bytes, *altered;
    size_t size;
} base;

static base *choose(uint8_t byte) {
    static base bases[] = {
        {.path = DATA "LMGC_GlobalFrictionContactProblem00046.hdf5"},
        {.path = DATA "Capsules-i125-1213.hdf5"}};
    base *b = &bases[byte % (sizeof bases / sizeof *bases)];
    if (!b->bytes) {
        const char *path = fuzz_path("base.hdf5");
        fuzz_fclib_crop(b->path, path);
        b->bytes = fuzz_load(path, &b->size);
        b->altered = malloc(b->size);
        fuzz_require(b->altered != NULL, "no memory");
    }
    return b;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    base *b = choose(data[0]);
    const char *path = fuzz_path("altered.hdf5");
    scree_fclib problem;
    scree_error error = {0};
    memcpy(b->altered, b->bytes, b->size);
    for (size_t i = 1; i + 4 <= size; i += 4) {
        const size_t at =
            data[i] | (size_t)data[i + 1] << 8 | (size_t)data[i + 2] << 16;
        b->altered[at % b->size] ^= data[i + 3];
    }
    fuzz_write(path, b->altered, b->size);
    if (fuzz_judge(scree_fclib_read(&problem, path, &error), &error, path))
        scree_fclib_free(&problem);
    return 0;
}
