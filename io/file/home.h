/* home.h: where the program lies, and the shared library that this code may be part of:
 * what they need at run time is looked up beside them. */
#ifndef SCREE_IO_HOME_H
#define SCREE_IO_HOME_H

#include <limits.h>
#include <stdbool.h>

typedef enum scree_home { SCREE_HOME_PROGRAM, SCREE_HOME_LIBRARY } scree_home;

/* The folder; false: it is not known. */
bool scree_home_folder(scree_home of, char folder[PATH_MAX]);

#endif
