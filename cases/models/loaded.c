/* loaded.c: models of shared libraries.
 *
 * What a library shows is another program's memory: its version and the sizes of its
 * structs are compared before a table is read, and every table is checked before its
 * model can be named. A library stays loaded to the end of the program, since systems
 * point into it. */
#include "cases/models/loaded.h"

#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/error.h"

enum { MOST_LOADED = 256, MOST_NAME = 64 };

static const char entry_name[] = "scree_model_library_entry";

static struct loaded {
    const scree_model_ops *ops;
    char *file;
} loaded[MOST_LOADED];
static int n_loaded;

const scree_model_ops *scree_model_loaded(int i) {
    return i < n_loaded ? loaded[i].ops : NULL;
}

const char *scree_model_file(const scree_model_ops *ops) {
    for (int i = 0; i < n_loaded; ++i)
        if (loaded[i].ops == ops) return loaded[i].file;
    return NULL;
}

/* ---- the library ----------------------------------------------------------- */

static scree_status check_entry(const scree_model_library *library,
                                const char *path, scree_error *error) {
    REQUIRE(library->version == SCREE_MODEL_VERSION,
            "model library '%.300s' has version %d of scree_model.h, this "
            "program version %d: compile it again with the header of this "
            "program",
            path, library->version, SCREE_MODEL_VERSION);
    REQUIRE(library->ops_size == (int32_t)sizeof(scree_model_ops) &&
                library->law_size == (int32_t)sizeof(scree_law),
            "model library '%.300s' was compiled with another scree_model.h: "
            "its tables have %d and %d bytes, not %zu and %zu; compile it "
            "again with the header of this program",
            path, library->ops_size, library->law_size, sizeof(scree_model_ops),
            sizeof(scree_law));
    REQUIRE(library->n > 0 && library->models,
            "model library '%.300s' shows no model: SCREE_MODELS() names them",
            path);
    REQUIRE(library->n <= MOST_LOADED - n_loaded,
            "model library '%.300s': %d models and %d loaded before it are "
            "more than %d",
            path, library->n, n_loaded, MOST_LOADED);
    return SCREE_OK;
}

static scree_status open_library(const char *path,
                                 const scree_model_library **library,
                                 scree_error *error) {
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    REQUIRE(handle, "model library '%.300s' cannot be loaded: %.400s", path,
            dlerror());
    *library = dlsym(handle, entry_name);
    scree_status status = SCREE_OK;
    if (!*library)
        status = scree_fail(error, SCREE_BAD_ARGUMENT,
                            "'%.300s' is a shared library without models: it "
                            "does not show %s, which SCREE_MODELS(&table, ...) "
                            "of scree_model.h makes",
                            path, entry_name);
    else
        status = check_entry(*library, path, error);
    if (status != SCREE_OK) dlclose(handle);
    return status;
}

/* ---- its models ------------------------------------------------------------- */

/* Names are values of YAML and words on the terminal. */
static bool is_name(const char *name) {
    if (!name || !*name || strlen(name) >= MOST_NAME) return false;
    for (const char *c = name; *c; ++c)
        if (!isalnum((unsigned char)*c) && *c != '-' && *c != '_') return false;
    return true;
}

static scree_status check_names(const scree_model_ops *ops,
                                const char *const *names, int n,
                                const char *what, scree_error *error) {
    for (int i = 0; i < n; ++i) {
        REQUIRE(names && is_name(names[i]),
                "model '%s': %s[%d] is not a name of letters, digits, '-' and "
                "'_'",
                ops->name, what, i);
        for (int k = 0; k < i; ++k)
            REQUIRE(strcmp(names[i], names[k]) != 0,
                    "model '%s': %s[%d] is '%s' as %s[%d] is", ops->name, what,
                    i, names[i], what, k);
    }
    return SCREE_OK;
}

static scree_status check_parameters(const scree_model_ops *ops,
                                     scree_error *error) {
    for (int i = 0; i < ops->n_parameter; ++i)
        TRY(check_names(ops, &ops->parameters[i].name, 1, "parameters.name",
                        error));
    return SCREE_OK;
}

static scree_status check_model(const scree_model_library *library, int i,
                                const char *path, scree_error *error) {
    const scree_model_ops *ops = library->models[i];
    REQUIRE(ops, "model library '%.300s': model %d of %d is NULL", path, i,
            library->n);
    REQUIRE(is_name(ops->name),
            "model library '%.300s': model %d has no name of letters, digits, "
            "'-' and '_'",
            path, i);
    REQUIRE(ops->about, "model '%s': about is NULL: say in a line what it is",
            ops->name);
    REQUIRE(!scree_model_find(ops->name),
            "model library '%.300s': there is a model '%s' already", path,
            ops->name);
    for (int k = 0; k < i; ++k)
        REQUIRE(strcmp(ops->name, library->models[k]->name) != 0,
                "model library '%.300s' has two models '%s'", path, ops->name);
    TRY(scree_model_check(ops, NULL, error));
    TRY(check_names(ops, ops->q_names, ops->n_q, "q_names", error));
    TRY(check_names(ops, ops->u_names, ops->n_u, "u_names", error));
    return check_parameters(ops, error);
}

static scree_status add_models(const scree_model_library *library,
                               const char *path, scree_error *error) {
    for (int i = 0; i < library->n; ++i)
        TRY(check_model(library, i, path, error));
    for (int i = 0; i < library->n; ++i) {
        char *file = strdup(path);
        if (!file)
            return scree_fail(error, SCREE_OUT_OF_MEMORY, "out of memory");
        loaded[n_loaded++] = (struct loaded){library->models[i], file};
    }
    return SCREE_OK;
}

/* The whole path: a name without '/' would be looked up elsewhere. */
scree_status scree_model_load(const char *path, scree_error *error) {
    const scree_model_library *library = NULL;
    REQUIRE(path && *path, "the path of a model library is empty");
    char *whole = realpath(path, NULL);
    REQUIRE(whole, "model library '%.300s': %s", path, strerror(errno));
    scree_status status = open_library(whole, &library, error);
    if (status == SCREE_OK) status = add_models(library, whole, error);
    free(whole);
    return status;
}
