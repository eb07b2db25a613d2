/* list.c: the bytes are the list of a series beside the frames of a run. */
#include <stdio.h>

#include "io/results/describe.h"
#include "run_files.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *path = fuzz_run_path("bodies.hdf.series");
    scree_results *results;
    scree_error error = {0};
    fuzz_write(path, data, size);
    if (!fuzz_judge(scree_results_open(path, &results, &error), &error, path))
        return 0;
    FILE *out = fopen("/dev/null", "w");
    fuzz_require(out != NULL, "no /dev/null");
    const scree_frame_choice last = {.by = SCREE_FRAME_LAST};
    fuzz_judge(scree_describe(results, &last, out, &error), &error,
               fuzz_run_path(""));
    fclose(out);
    scree_results_close(results);
    return 0;
}
