/* laws.c: the table of laws. A program that has laws of its own compiles this file with
 * SCREE_MORE_LAWS, a table like laws.def, and links it in place of the library's. */
#include "solvers/law/law.h"

#define SCREE_LAW(name, NAME) extern const scree_row_law scree_row_law_##name;
#include "solvers/laws.def"
#ifdef SCREE_MORE_LAWS
#include SCREE_MORE_LAWS
#endif
#undef SCREE_LAW

#define SCREE_LAW(name, NAME) &scree_row_law_##name,
const scree_row_law *const scree_row_laws[] = {
#include "solvers/laws.def"
#ifdef SCREE_MORE_LAWS
#include SCREE_MORE_LAWS
#endif
    NULL};
