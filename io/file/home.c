#include "io/file/home.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool program_path(char path[PATH_MAX]) {
    const ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);
    if (n > 0) path[n] = '\0';
    return n > 0;
}

/* Of a program that is linked statically this is the program. */
static bool library_path(char path[PATH_MAX]) {
    static const char here;
    Dl_info info;
    return dladdr(&here, &info) && info.dli_fname &&
           realpath(info.dli_fname, path);
}

bool scree_home_folder(scree_home of, char folder[PATH_MAX]) {
    if (of == SCREE_HOME_PROGRAM ? !program_path(folder)
                                 : !library_path(folder))
        return false;
    char *slash = strrchr(folder, '/');
    if (slash) *slash = '\0';
    return slash != NULL;
}
