/* child.h: other programs. */
#ifndef SCREE_IO_CHILD_H
#define SCREE_IO_CHILD_H

#include <stddef.h>

#include "engine/base/error.h"

/* Whether a program of this name is on the path. */
bool scree_child_exists(const char *program);

/* Runs argv (NULL at its end) to its end. Its standard output is this program's
 * standard error, for progress; its standard error goes to the file `log`,
 * whose last lines are in the message when it fails. */
scree_status scree_child_run(char *const argv[], const char *log,
                             scree_error *error);

/* Text as a shell takes it for one word. */
void scree_shell_word(const char *text, char *out, size_t size);

/* `name` among the files that come with the program: in share/scree beside the
 * folder of the executable or the shared library (installed), or in it (built). The
 * caller frees. */
char *scree_shared_file(const char *name);

#endif
