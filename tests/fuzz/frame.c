/* frame.c: a file of a run, edited and sealed again, for all that reads such
 * files: info, extract, pack, the planes and cells of render. The first byte
 * chooses the file, the rest are edits. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "hdf5_edits.h"
#include "hdf5_memory.h"
#include "io/file/seal.h"
#include "io/results/describe.h"
#include "io/results/extract.h"
#include "io/results/pack.h"
#include "run_files.h"
#include "target.h"

static void describe(const scree_results *results, FILE *out,
                     const char *path) {
    scree_error error = {0};
    const scree_frame_choice last = {.by = SCREE_FRAME_LAST};
    fuzz_judge(scree_describe(results, &last, out, &error), &error, path);
}

static void extract(const char *path, FILE *out) {
    scree_error error = {0};
    scree_frame_file *file;
    if (!fuzz_judge(scree_frame_open(path, &file, &error), &error, path))
        return;
    double planes[6 * 4];
    scree_frame_planes(file, 4, planes);
    for (int k = 0; k < file->n_frame; k++)
        fuzz_judge(scree_extract(file, k, NULL, out, &error), &error, path);
    scree_frame_close(file);
}

static void pack(const scree_results *results, const char *path) {
    scree_error error = {0};
    char *xdmf = NULL;
    const char *packed = fuzz_path("packed.vtkhdf");
    unlink(packed);
    fuzz_judge(scree_pack(&results->series[0], packed, &(scree_pack_options){0},
                          &xdmf, &error),
               &error, path);
    free(xdmf);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    const fuzz_file *base = fuzz_run_file(data[0]);
    const char *path = fuzz_path("frame.hdf");
    fuzz_forget_files();
    scree_error error = {0};
    scree_results *results;
    fuzz_write(path, base->bytes, base->size - sizeof(scree_seal));
    fuzz_hdf5_edit(path, base, data + 1, size - 1);
    fuzz_require(scree_seal_file(path, SCREE_RESULT_FILE, &error) == SCREE_OK,
                 "%s", error.text);
    if (!fuzz_judge(scree_results_open(path, &results, &error), &error, path))
        return 0;
    FILE *out = fopen("/dev/null", "w");
    fuzz_require(out != NULL, "no /dev/null");
    describe(results, out, path);
    extract(path, out);
    pack(results, path);
    fclose(out);
    scree_results_close(results);
    return 0;
}
