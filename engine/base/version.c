/* version.c: the version of the library that runs. */
#include "engine/scree.h"

int scree_version_number(void) {
    return SCREE_VERSION_NUMBER;
}

const char *scree_version(void) {
    return SCREE_VERSION;
}
