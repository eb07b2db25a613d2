#include "run_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/results/pack.h"
#include "io/run/run.h"
#include "target.h"

static const char world[] =
    "name: fuzz\n"
    "time: {end: 0.02, step: 0.01}\n"
    "materials: [{name: rock, density: 2600, friction: 0.5}]\n"
    "shapes: [{name: brick, box: {size: [0.06, 0.04, 0.03]}}]\n"
    "walls: [{name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}]\n"
    "bodies:\n"
    "  - {body: {position: [0, 0, 0.015]}, shape: brick}\n"
    "  - {sphere: {position: [0.5, 0, 0.03]}, radius: 0.03}\n"
    "outputs: [{frames: {}}, {contacts: {lines: on}}, {surfaces: {}}]\n";
static const char model[] = "model: bouncing-ball\n"
                            "time: {end: 0.02, step: 0.01}\n"
                            "outputs: [{frames: {}}]\n";

static void run(const char *text, const char *name) {
    char folder[64];
    scree_error error = {0};
    scree_case *c;
    const char *path = fuzz_path("run.yaml");
    snprintf(folder, sizeof folder, "%s", fuzz_path(name));
    fuzz_write(path, text, strlen(text));
    const scree_run_options options = {
        .out = folder, .quiet = true, .force = true};
    if (scree_case_read(path, 0, NULL, &c, &error) != SCREE_OK ||
        scree_run(c, &options, &error) != SCREE_OK)
        fuzz_require(false, "%s", error.text);
    scree_case_free(c);
}

static void pack(const char *series, const char *path) {
    scree_error error = {0};
    scree_results *results;
    const scree_result_series *found;
    char *xdmf = NULL;
    if (scree_results_open(fuzz_path("run"), &results, &error) != SCREE_OK ||
        scree_results_find(results, series, &found, &error) != SCREE_OK ||
        scree_pack(found, path, &(scree_pack_options){0}, &xdmf, &error) !=
            SCREE_OK)
        fuzz_require(false, "%s", error.text);
    free(xdmf);
    scree_results_close(results);
}

const char *fuzz_run_path(const char *name) {
    char inner[64];
    fuzz_run_file(0);
    snprintf(inner, sizeof inner, "run/%s", name);
    return fuzz_path(inner);
}

const fuzz_file *fuzz_run_file(uint8_t byte) {
    static const char *const names[] = {
        "run/bodies_000001.hdf",  "run/contacts_000001.hdf",
        "run/network_000001.hdf", "run/surfaces_000001.hdf",
        "bodies.vtkhdf",          "surfaces.vtkhdf",
        "model/model.hdf5"};
    enum { N = sizeof names / sizeof *names };
    static fuzz_file files[N];
    if (!files[0].bytes) {
        run(world, "run");
        run(model, "model");
        pack("bodies", fuzz_path("bodies.vtkhdf"));
        pack("surfaces", fuzz_path("surfaces.vtkhdf"));
        for (int i = 0; i < N; i++)
            files[i].bytes = fuzz_load(fuzz_path(names[i]), &files[i].size);
    }
    return &files[byte % N];
}
