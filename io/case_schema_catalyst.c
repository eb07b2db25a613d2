/* case_schema_catalyst.c: what the sink `catalyst` may be told. */
#include "io/case_check.h"
#include "io/case_schema.h"

#include <math.h>

#define AT(type, member) .offset = offsetof(type, member)

static const scree_range not_negative = {0, INFINITY, false, true};

static const char *on_error_name(int i, const char **about) {
    static const char *const names[] = {
        [SCREE_ON_ERROR_STOP] = "stop", [SCREE_ON_ERROR_CONTINUE] = "continue"};
    (void)about;
    return i < 2 ? names[i] : NULL;
}

static const scree_field catalyst_rows[] = {
    {"scripts", SCREE_FIELD_FILES, AT(scree_output_entry, catalyst.scripts),
     SCREE_REQUIRED, .count = offsetof(scree_output_entry, catalyst.n_script)},
    {"every", SCREE_FIELD_NUMBER, AT(scree_output_entry, every),
     .range = &not_negative, .unit = "s"},
    {"on_error", SCREE_FIELD_OPTION, AT(scree_output_entry, catalyst.on_error),
     .names = on_error_name},
    {"extracts", SCREE_FIELD_SWITCH, AT(scree_output_entry, catalyst.extracts)},
    {"live", SCREE_FIELD_NAME, AT(scree_output_entry, catalyst.live)},
};
const scree_table scree_catalyst_table = {
    .fields = catalyst_rows,
    .n = (int)(sizeof catalyst_rows / sizeof *catalyst_rows),
    .check = scree_check_catalyst};
