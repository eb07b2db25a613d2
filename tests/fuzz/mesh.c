/* mesh.c: the first byte says which kind of file (bit 0: STL) and whether it
 * must be closed (bit 1), the rest is the file. */
#include "io/file/mesh_file.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    const char *path = fuzz_path(data[0] & 1 ? "mesh.stl" : "mesh.obj");
    scree_triangles triangles;
    scree_error error = {0};
    fuzz_write(path, data + 1, size - 1);
    if (fuzz_judge(scree_mesh_read(path, data[0] & 2, &triangles, &error),
                   &error, path))
        scree_triangles_free(&triangles);
    return 0;
}
