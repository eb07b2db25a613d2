/* terrain.c: the bytes are an ESRI grid. */
#include "io/file/terrain_file.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *path = fuzz_path("terrain.asc");
    scree_heights heights;
    scree_error error = {0};
    fuzz_write(path, data, size);
    if (fuzz_judge(scree_terrain_read(path, &heights, &error), &error, path))
        scree_heights_free(&heights);
    return 0;
}
