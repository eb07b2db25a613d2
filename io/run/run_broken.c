#include "io/run/run_broken.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "io/file/safe_file.h"
#include "io/run/run_common.h"

static const char stem[] = "broken-";

scree_broken_name scree_broken_file(int64_t step, const char *ending) {
    scree_broken_name name;
    snprintf(name.text, sizeof name.text, "%s%012" PRId64 "%.5s", stem, step,
             ending);
    return name;
}

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

void scree_broken_tell(scree_error *error, scree_status written,
                       const char *folder, const scree_broken_name *name,
                       const scree_error *failure) {
    if (written == SCREE_OK)
        scree_run_append(error, "\n  the state as it is was written to %s/%s",
                         folder, name->text);
    else
        scree_run_append(error, "\n  the state as it is was not written: %s",
                         failure->text);
}

void scree_broken_save(const scree_output_context *context,
                       scree_error *error) {
    scree_error failure;
    char path[4200];
    const scree_broken_name name =
        scree_broken_file(scree_world_steps(context->world), ".hdf");
    snprintf(path, sizeof path, "%.4100s/%s", context->folder, name.text);
    const scree_status written = scree_output_frame(context, path, &failure);
    scree_broken_tell(error, written, context->folder, &name, &failure);
}
