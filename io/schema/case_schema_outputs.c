/* case_schema_outputs.c: the entries of `outputs`. All sinks share the rows of
 * the schedule; a sink with options has a table of its own. */
#include "io/schema/case_schema.h"

#include "io/case/case_check.h"
#include "io/output/output.h"

#include <math.h>

#define AT(member) .offset = offsetof(scree_output_entry, output.member)
#define ROWS(rows) .fields = rows, .n = (int)(sizeof rows / sizeof *rows)

static const scree_range not_negative = {0, INFINITY, false, true};
static const scree_range levels = {0, 9, false, false};

#define EVERY_ROW                                                              \
    {                                                                          \
        "every", SCREE_FIELD_NUMBER, AT(schedule.every),                       \
            .range = &not_negative, .unit = "s"                                \
    }
#define SCHEDULE_ROWS                                                          \
    EVERY_ROW,                                                                 \
        {"from", SCREE_FIELD_NUMBER, AT(schedule.from),                        \
         .range = &not_negative, .unit = "s"},                                 \
        {"until", SCREE_FIELD_NUMBER, AT(schedule.until),                      \
         .range = &not_negative, .unit = "s"},                                 \
    {                                                                          \
        "times", SCREE_FIELD_NUMBERS, AT(schedule.times),                      \
            .range = &not_negative, .unit = "s",                               \
            .count = offsetof(scree_output_entry, output.schedule.n_time)      \
    }
#define FIELDS_ROW(sink)                                                       \
    { "fields", SCREE_FIELD_CHOICES, AT(fields), .names = sink##_field }
#define COMPRESSION_ROW                                                        \
    { "compression", SCREE_FIELD_INTEGER, AT(compression), .range = &levels }

/* ---- what a sink can be told --------------------------------------------- */

#define SCREE_OUTPUT(name) extern const scree_output_ops scree_output_##name;
#include "io/outputs.def"
#undef SCREE_OUTPUT

#define FIELD_NAMES(sink)                                                      \
    static const char *sink##_field(int i, const char **about) {               \
        *about = "";                                                           \
        return scree_output_##sink.fields[i];                                  \
    }
FIELD_NAMES(frames)
FIELD_NAMES(contacts)
FIELD_NAMES(scalars)
FIELD_NAMES(surfaces)

static const scree_field frames_rows[] = {SCHEDULE_ROWS, FIELDS_ROW(frames),
                                          COMPRESSION_ROW};
static const scree_table frames_table = {ROWS(frames_rows)};

static const scree_field contacts_rows[] = {
    SCHEDULE_ROWS,
    FIELDS_ROW(contacts),
    COMPRESSION_ROW,
    {"lines", SCREE_FIELD_SWITCH, AT(lines)},
};
static const scree_table contacts_table = {ROWS(contacts_rows)};

static const scree_field scalars_rows[] = {SCHEDULE_ROWS, FIELDS_ROW(scalars)};
static const scree_table scalars_table = {ROWS(scalars_rows)};

static const scree_field surfaces_rows[] = {
    SCHEDULE_ROWS,
    FIELDS_ROW(surfaces),
    COMPRESSION_ROW,
    {"spheres", SCREE_FIELD_SWITCH, AT(spheres)},
};
static const scree_table surfaces_table = {ROWS(surfaces_rows)};

static const char *on_error_name(int i, const char **about) {
    static const char *const names[] = {
        [SCREE_ON_ERROR_STOP] = "stop", [SCREE_ON_ERROR_CONTINUE] = "continue"};
    (void)about;
    return i < 2 ? names[i] : NULL;
}

static const scree_field catalyst_rows[] = {
    {"scripts", SCREE_FIELD_FILES, AT(catalyst.scripts), SCREE_REQUIRED,
     .count = offsetof(scree_output_entry, output.catalyst.n_script)},
    SCHEDULE_ROWS,
    {"on_error", SCREE_FIELD_OPTION, AT(catalyst.on_error),
     .names = on_error_name},
    {"extracts", SCREE_FIELD_SWITCH, AT(catalyst.extracts)},
    {"live", SCREE_FIELD_NAME, AT(catalyst.live)},
};
static const scree_table catalyst_table = {ROWS(catalyst_rows),
                                           .check = scree_check_catalyst};

/* ---- the sinks ----------------------------------------------------------- */

#define ENTRY                                                                  \
    .size = sizeof(scree_output_entry), .has_which = true,                     \
    .which = offsetof(scree_output_entry, sink),                               \
    .prepare = scree_prepare_output, .check = scree_check_output

static const scree_field output_rows[] = {
#define SCREE_OUTPUT(name)                                                     \
    {#name, SCREE_FIELD_MAP, .flags = SCREE_ONE_OF, .table = &name##_table},
#include "io/outputs.def"
#undef SCREE_OUTPUT
};
const scree_table scree_output_table = {ROWS(output_rows), ENTRY};

static const scree_field model_rows[] = {EVERY_ROW};
static const scree_table model_table = {ROWS(model_rows)};

static const scree_field model_output_rows[] = {
    {"frames", SCREE_FIELD_MAP, .flags = SCREE_ONE_OF, .table = &model_table},
    {"scalars", SCREE_FIELD_MAP, .flags = SCREE_ONE_OF, .table = &model_table},
};
const scree_table scree_model_output_table = {
    ROWS(model_output_rows), ENTRY, .elsewhere = &scree_output_table,
    .why_not = "not an output of models"};

const scree_table *scree_outputs_of(const scree_case *c) {
    return c->model ? &scree_model_output_table : &scree_output_table;
}
