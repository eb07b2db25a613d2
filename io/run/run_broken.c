#include "io/run/run_broken.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "io/file/safe_file.h"
#include "io/output/model/model_output.h"
#include "io/run/run_common.h"

static const char stem[] = "broken-";

static bool is_broken(const char *name) {
    if (strncmp(name, stem, sizeof stem - 1) != 0) return false;
    const char *number = name + sizeof stem - 1,
               *ending = number + strspn(number, "0123456789");
    if (ending == number) return false;
    return strcmp(ending, ".hdf") == 0 || strcmp(ending, ".hdf5") == 0;
}

void scree_broken_clear(const char *folder) {
    DIR *entries = scree_folder_list(folder);
    if (!entries) return;
    for (const struct dirent *e; (e = readdir(entries));)
        if (is_broken(e->d_name)) unlinkat(dirfd(entries), e->d_name, 0);
    closedir(entries);
}

/* The bodies of a world or the row of a model, as the file `name`. */
static scree_status write_state(const scree_output_context *context,
                                const char *name, scree_error *error) {
    char path[4200];
    if (context->system) return scree_model_write_state(context, name, error);
    snprintf(path, sizeof path, "%.4100s/%s", context->folder, name);
    return scree_output_frame(context, path, error);
}

void scree_broken_save(const scree_output_context *context,
                       scree_error *error) {
    const scree_dense *model = context->system;
    scree_error failure;
    char name[48];
    snprintf(name, sizeof name, "%s%012" PRId64 "%s", stem,
             model ? model->steps : scree_world_steps(context->world),
             model ? ".hdf5" : ".hdf");
    if (write_state(context, name, &failure) == SCREE_OK)
        scree_run_append(error, "\n  the state as it is was written to %s/%s",
                         context->folder, name);
    else
        scree_run_append(error, "\n  the state as it is was not written: %s",
                         failure.text);
}
