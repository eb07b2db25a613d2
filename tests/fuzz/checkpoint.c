/* checkpoint.c: a checkpoint edited by the bytes, with a sum that is right
 * again, from which the run must go on for a step or be refused. */
#include "io/hdf5/checkpoint.h"

#include <stdlib.h>
#include <string.h>

#include "hdf5_edits.h"
#include "hdf5_memory.h"
#include "io/case/case.h"
#include "io/file/seal.h"
#include "io/hdf5/checkpoint_file.h"
#include "io/run/run_resume.h"
#include "target.h"

static const char text[] =
    "time: {end: 0.02, step: 0.01}\n"
    "threads: 1\n"
    "solver: {iterations: 20}\n"
    "materials: [{name: rock, density: 2600, friction: 0.5}]\n"
    "shapes: [{name: brick, box: {size: [0.06, 0.04, 0.03]}}]\n"
    "walls: [{name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}]\n"
    "bodies:\n"
    "  - {body: {position: [0, 0, 0.015]}, shape: brick}\n"
    "  - {sphere: {position: [0.5, 0, 0.03]}, radius: 0.03}\n"
    "  - pour: {box: {min: [2, 2, 2], max: [3, 3, 3]}, rate: 100, count: 9}\n"
    "    radius: 0.03\n";
typedef struct base {
    scree_case *source; /* saves nothing: resume.c does that */
    void *bytes;
    size_t size;
} base;

static scree_case *read_text(void) {
    scree_error error = {0};
    scree_case *c;
    const char *path = fuzz_path("checkpoints.yaml");
    fuzz_write(path, text, strlen(text));
    fuzz_require(scree_case_read(path, 0, NULL, &c, &error) == SCREE_OK, "%s",
                 error.text);
    return c;
}

/* The state after the first of two steps. The run that saves it has the text of the
 * one that goes on, which does not save: what is compared are texts that were edited. */
static void make_base(base *b) {
    scree_error error = {0};
    const char *folder = fuzz_path("checkpoints");
    const scree_run_options options = {
        .out = folder, .quiet = true, .force = true};
    b->source = read_text();
    const scree_case_checkpoint without = b->source->checkpoint;
    b->source->checkpoint = (scree_case_checkpoint){.every = 0.01, .keep = 9};
    fuzz_require(scree_run(b->source, &options, &error) == SCREE_OK, "%s",
                 error.text);
    b->source->checkpoint = without;
    char *first = scree_checkpoint_path(folder, 1);
    fuzz_require(first != NULL, "no memory");
    b->bytes = fuzz_load(first, &b->size);
    b->size -= sizeof(scree_seal);
    free(first);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static base b;
    if (!b.bytes) make_base(&b);
    fuzz_forget_files();
    const char *path = fuzz_path("edited.hdf5"),
               *folder = fuzz_path("restarted");
    const scree_run_options options = {
        .out = folder, .quiet = true, .force = true};
    scree_error error = {0};
    fuzz_write(path, b.bytes, b.size);
    fuzz_hdf5_edit(path, &b, data, size);
    fuzz_require(scree_seal_file(path, SCREE_CHECKPOINT_FILE, &error) ==
                     SCREE_OK,
                 "%s", error.text);
    error = (scree_error){0};
    const scree_status status = scree_restart(b.source, path, &options, &error);
    /* Numbers may be any: the step then says what it makes of them. */
    if (status != SCREE_NOT_FINITE && status != SCREE_NOT_CONVERGED)
        fuzz_judge(status, &error, path);
    return 0;
}
