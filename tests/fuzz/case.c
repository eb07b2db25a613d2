/* case.c: the bytes are a case file. What the reader accepts must print as a
 * case that it accepts again, and that prints the same; small ones must build a
 * world or be refused in words. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/case/case.h"
#include "target.h"

/* Files that the seeds name. */
static void lay_out_files(void) {
    static const char *const names[] = {"cube.obj", "flat.asc"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char from[300];
        size_t size;
        snprintf(from, sizeof from, "%s/tests/data/shapes/%s", SCREE_SOURCE_DIR,
                 names[i]);
        uint8_t *bytes = fuzz_load(from, &size);
        fuzz_write(fuzz_path(names[i]), bytes, size);
        free(bytes);
    }
}

static char *print_case(const scree_case *c, size_t *size) {
    char *text = NULL;
    FILE *file = open_memstream(&text, size);
    fuzz_require(file && scree_case_print(c, file) == SCREE_OK &&
                     fclose(file) == 0,
                 "an accepted case cannot be printed");
    return text;
}

static void check_print(const scree_case *c) {
    size_t size, size_again;
    scree_case *again;
    scree_error error = {0};
    const char *path = fuzz_path("printed.yaml");
    char *text = print_case(c, &size);
    fuzz_write(path, text, size);
    fuzz_require(scree_case_read(path, 0, NULL, &again, &error) == SCREE_OK,
                 "the printed case is refused: %s\n%s", error.text, text);
    char *text_again = print_case(again, &size_again);
    fuzz_require(strcmp(text, text_again) == 0,
                 "a printed case prints differently:\n%s---\n%s", text,
                 text_again);
    scree_case_free(again);
    free(text_again);
    free(text);
}

static bool is_small(const scree_case_body *body) {
    switch (body->kind) {
    case SCREE_CASE_LATTICE: {
        const int64_t *n = body->as.lattice.counts;
        return n[0] * n[1] * n[2] <= 200;
    }
    case SCREE_CASE_FILL:
        return body->as.fill.count > 0 && body->as.fill.count <= 200;
    case SCREE_CASE_PYRAMID:
        return body->as.pyramid.base <= 5;
    default:
        return true;
    }
}

static void check_build(const scree_case *c, const char *path) {
    for (int i = 0; i < c->n_body; i++)
        if (!is_small(&c->bodies[i])) return;
    scree_world *world;
    scree_error error = {0};
    scree_pour_state *pours = calloc((size_t)c->n_body + 1, sizeof *pours);
    fuzz_require(pours != NULL, "out of memory");
    if (fuzz_judge(scree_case_build(c, &world, pours, &error), &error, path))
        scree_world_destroy(world);
    free(pours);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static bool ready;
    if (!ready) lay_out_files();
    ready = true;
    const char *path = fuzz_path("case.yaml");
    scree_case *c;
    scree_error error = {0};
    fuzz_write(path, data, size);
    if (!fuzz_judge(scree_case_read(path, 0, NULL, &c, &error), &error, path))
        return 0;
    check_print(c);
    if (!c->model) check_build(c, path);
    scree_case_free(c);
    return 0;
}
