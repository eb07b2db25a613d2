/* fixture.h: a small world with contacts, a case that names it, a folder. */
#ifndef SCREE_TESTS_IO_FIXTURE_H
#define SCREE_TESTS_IO_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/output/output.h"

typedef struct fixture {
    char folder[64];
    scree_world *world;
    scree_case source;
    scree_case_wall walls[2];
    scree_output_context context;
} fixture;

/* cmocka setup and teardown: two walls, no body. */
int fixture_open(void **state);
int fixture_close(void **state);

/* Adds spheres of two materials on the floor and takes a few steps. */
void fixture_settle(fixture *f, int spheres);
void fixture_step(fixture *f, int steps);

/* An open sink of outputs.def. */
void *fixture_sink(fixture *f, const scree_output_ops *ops);

/* The file `name` of the folder. Paths and texts live until the next call but
 * three. fixture_text fails the test when there is no such file. */
const char *fixture_path(const fixture *f, const char *name);
const char *fixture_text(const fixture *f, const char *name);
int fixture_file_count(const fixture *f);

#endif
