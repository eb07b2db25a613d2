/* resume.c: a run that goes on in its folder, with all its outputs, from a
 * checkpoint that was edited and sealed again: what the sinks have saved there,
 * of a world or of a model, cuts their files back. The first byte chooses the
 * run, the rest are edits. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hdf5_edits.h"
#include "hdf5_memory.h"
#include "io/file/seal.h"
#include "io/hdf5/checkpoint_file.h"
#include "io/run/run_resume.h"
#include "target.h"

static const char world[] =
    "time: {end: 0.02, step: 0.01}\n"
    "threads: 1\n"
    "solver: {iterations: 20}\n"
    "materials: [{name: rock, density: 2600, friction: 0.5}]\n"
    "shapes: [{name: brick, box: {size: [0.06, 0.04, 0.03]}}]\n"
    "walls: [{name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}]\n"
    "bodies:\n"
    "  - {body: {position: [0, 0, 0.015]}, shape: brick}\n"
    "  - {sphere: {position: [0.5, 0, 0.03]}, radius: 0.03}\n"
    "outputs: [{frames: {}}, {contacts: {lines: on}}, {surfaces: {}},\n"
    "          {scalars: {}}]\n"
    "checkpoint: {every: 0.01, keep: 9}\n";
static const char model[] = "model: bouncing-ball\n"
                            "time: {end: 0.02, step: 0.01}\n"
                            "threads: 1\n"
                            "outputs: [{frames: {}}, {scalars: {}}]\n"
                            "checkpoint: {every: 0.01, keep: 9}\n";

enum { MOST_FILES = 40 };

typedef struct kept {
    char name[256];
    uint8_t *bytes;
    size_t size;
} kept;

/* A finished run of two steps, and all that is in its folder. */
typedef struct base {
    const char *text, *name;
    scree_case *source;
    char folder[96];
    char first[96]; /* checkpoint after the first step */
    int n;
    kept files[MOST_FILES];
} base;

static void inside(const base *b, const char *name, char path[400]) {
    snprintf(path, 400, "%s/%s", b->folder, name);
}

static void keep_files(base *b) {
    char path[400];
    DIR *folder = opendir(b->folder);
    fuzz_require(folder != NULL, "no folder %s", b->folder);
    for (struct dirent *e; (e = readdir(folder));) {
        if (e->d_name[0] == '.') continue;
        fuzz_require(b->n < MOST_FILES, "too many files");
        kept *file = &b->files[b->n++];
        snprintf(file->name, sizeof file->name, "%s", e->d_name);
        inside(b, file->name, path);
        file->bytes = fuzz_load(path, &file->size);
    }
    closedir(folder);
}

static void run(base *b) {
    scree_error error = {0};
    const char *path = fuzz_path("resume.yaml");
    fuzz_write(path, b->text, strlen(b->text));
    snprintf(b->folder, sizeof b->folder, "%s", fuzz_path(b->name));
    const scree_run_options options = {.out = b->folder, .quiet = true};
    if (scree_case_read(path, 0, NULL, &b->source, &error) != SCREE_OK ||
        scree_run(b->source, &options, &error) != SCREE_OK)
        fuzz_require(false, "%s", error.text);
    char *first = scree_checkpoint_path(b->folder, 1);
    fuzz_require(first != NULL, "no memory");
    snprintf(b->first, sizeof b->first, "%s", first);
    free(first);
    keep_files(b);
}

static base *choose(uint8_t byte) {
    static base bases[] = {{.text = world, .name = "world"},
                           {.text = model, .name = "model"}};
    enum { N = sizeof bases / sizeof *bases };
    for (int i = 0; i < N; i++)
        if (!bases[i].source) run(&bases[i]);
    return &bases[byte % N];
}

static const kept *find_kept(const base *b, const char *name) {
    for (int i = 0; i < b->n; i++)
        if (strcmp(b->files[i].name, name) == 0) return &b->files[i];
    return NULL;
}

/* Files that are as they were have a time long ago: clocks of file systems tick
 * more slowly than inputs come. */
enum { LONG_AGO = 1000000000 };

static bool is_untouched(const char *path) {
    struct stat now;
    return stat(path, &now) == 0 && now.st_mtim.tv_sec == LONG_AGO;
}

/* All but the seal of the checkpoint. */
static void put_back(const base *b, const kept *file) {
    char path[400];
    const struct timespec times[] = {{LONG_AGO, 0}, {LONG_AGO, 0}};
    inside(b, file->name, path);
    if (is_untouched(path)) return;
    const size_t seal = strcmp(path, b->first) == 0 ? sizeof(scree_seal) : 0;
    fuzz_write(path, file->bytes, file->size - seal);
    fuzz_require(utimensat(AT_FDCWD, path, times, 0) == 0, "no %s", path);
}

/* As the run has left it: most inputs are refused before they change much. */
static void restore(const base *b) {
    char path[400];
    DIR *folder = opendir(b->folder);
    for (struct dirent *e; folder && (e = readdir(folder));) {
        inside(b, e->d_name, path);
        if (e->d_name[0] != '.' && !find_kept(b, e->d_name)) unlink(path);
    }
    if (folder) closedir(folder);
    for (int i = 0; i < b->n; i++) put_back(b, &b->files[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    const base *b = choose(data[0]);
    const scree_run_options options = {.out = b->folder, .quiet = true};
    scree_error error = {0};
    fuzz_forget_files();
    restore(b);
    fuzz_hdf5_edit(b->first, b, data + 1, size - 1);
    fuzz_require(scree_seal_file(b->first, SCREE_CHECKPOINT_FILE, &error) ==
                     SCREE_OK,
                 "%s", error.text);
    error = (scree_error){0};
    const scree_status status =
        scree_restart(b->source, b->first, &options, &error);
    /* Numbers may be any: the step then says what it makes of them. */
    if (status != SCREE_NOT_FINITE && status != SCREE_NOT_CONVERGED)
        fuzz_judge(status, &error, b->folder);
    return 0;
}
