/* problem_file.c: problems in files, for those who only want the problem. */
#include <stdio.h>

#include "io/fclib/fclib.h"

scree_status scree_fc3d_read(scree_fc3d *p, const char *path,
                             scree_error *error) {
    scree_fclib f;
    *p = (scree_fc3d){0};
    TRY(scree_fclib_read(&f, path, error));
    *p = f.problem;
    f.problem = (scree_fc3d){0};
    scree_fclib_free(&f);
    return SCREE_OK;
}

scree_status scree_fc3d_write(const scree_fc3d *p, const char *path,
                              const char *title, scree_error *error) {
    scree_fclib f = {.problem = *p};
    snprintf(f.title, sizeof f.title, "%s", title ? title : "");
    return scree_fclib_write(&f, path, error);
}
