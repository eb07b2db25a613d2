/* sealed.c: a file of a run with altered bytes must be refused, whatever they
 * are. The first byte chooses the file, the second its end (0: kept, else cut
 * short or made longer), then four bytes each: place (3) and what to change. */
#include <string.h>

#include "io/output/frame_file.h"
#include "run_files.h"
#include "target.h"

enum { MOST = 1 << 20, LONGER = 64 };

static size_t alter(uint8_t *bytes, size_t n, const uint8_t *data,
                    size_t size) {
    for (size_t i = 2; i + 4 <= size; i += 4) {
        const size_t at =
            data[i] | (size_t)data[i + 1] << 8 | (size_t)data[i + 2] << 16;
        bytes[at % n] ^= data[i + 3];
    }
    if (size < 2 || data[1] == 0) return n;
    if (data[1] < LONGER) {
        memset(bytes + n, 0, data[1]);
        return n + data[1];
    }
    return n * data[1] / 256;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static uint8_t bytes[MOST + LONGER];
    const fuzz_file *base = fuzz_run_file(size ? data[0] : 0);
    const char *path = fuzz_path("sealed.hdf");
    scree_frame_file *file;
    scree_error error = {0};
    fuzz_require(base->size <= MOST, "a base of %zu bytes", base->size);
    memcpy(bytes, base->bytes, base->size);
    const size_t n = alter(bytes, base->size, data, size);
    fuzz_write(path, bytes, n);
    const bool same =
        n == base->size && memcmp(bytes, base->bytes, base->size) == 0;
    const bool accepted =
        fuzz_judge(scree_frame_open(path, &file, &error), &error, path);
    if (accepted) scree_frame_close(file);
    fuzz_require(accepted == same, "an altered file was opened, or a whole one "
                                   "refused");
    return 0;
}
