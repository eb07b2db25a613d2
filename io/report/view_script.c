#include "io/report/view_script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/file/memo.h"
#include "io/file/safe_file.h"
#include "io/file/whole_file.h"
#include "io/output/drawing_world.h"

bool scree_view_is_wanted(const scree_case *c) {
    for (int i = 0; i < c->n_output && !c->model; i++)
        if (strcmp(c->outputs[i].sink, "frames") == 0 ||
            strcmp(c->outputs[i].sink, "surfaces") == 0)
            return true;
    return false;
}

static void put_script(FILE *out, int n, double (*planes)[6]) {
    fprintf(out,
            "# paraview --script view.py\n%s\n\n"
            "# Point and normal of the planes when the run began.\n"
            "PLANES = [\n",
            scree_scene_text);
    for (int i = 0; i < n; i++) {
        const double *p = planes[i];
        fprintf(out, "    [%.9g, %.9g, %.9g, %.9g, %.9g, %.9g],\n", p[0], p[1],
                p[2], p[3], p[4], p[5]);
    }
    fprintf(out, "]\nshow_run(own_folder(globals()), PLANES)\n");
}

/* The caller frees; NULL: no memory. */
static char *make_script(const scree_world *world, size_t *size) {
    double(*planes)[6] =
        calloc((size_t)scree_world_wall_count(world) + 1, sizeof *planes);
    scree_memo memo = {0};
    FILE *out = planes ? scree_memo_open(&memo) : NULL;
    if (out) put_script(out, scree_list_planes(world, planes), planes);
    free(planes);
    char *text = scree_memo_close(&memo);
    *size = memo.size;
    return text;
}

static scree_status write_script(const char *path, const scree_world *world,
                                 scree_error *error) {
    size_t size;
    char *text = make_script(world, &size);
    const scree_status status =
        text ? scree_file_replace(path, text, size, error)
             : scree_fail(error, SCREE_OUT_OF_MEMORY, "%.400s: out of memory",
                          path);
    free(text);
    return status;
}

scree_status scree_view_write(const char *folder, const scree_world *world,
                              bool keeps, scree_error *error) {
    struct stat about;
    char *path;
    if (asprintf(&path, "%s/view.py", folder) < 0)
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "view.py: out of memory");
    const bool there = keeps && scree_file_look(path, &about) == 0;
    const scree_status status =
        there ? SCREE_OK : write_script(path, world, error);
    free(path);
    return status;
}
