/* case_schema_outputs.c: the entries of `outputs`. All sinks share the rows of
 * the schedule; a sink with options has a table of its own. */
#include "io/schema/case_schema_outputs.h"

#include <math.h>

const scree_range scree_levels = {0, 9, false, false};

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

static const scree_field frames_rows[] = {
    SCHEDULE_ROWS(NULL),
    FIELDS_ROW_OF(frames, "[radius, velocity, coordination, stress]",
                  "all up to volume; those behind it must be asked for"),
    {"unwrapped", SCREE_FIELD_SWITCH, IN(unwrapped),
     .about = "on: bodies of a periodic cell are where they would be had they "
              "never come in again on its other side.",
     .example = "on"},
    COMPRESSION_ROW};
static const scree_table frames_table = {ROWS(frames_rows)};

static const scree_field contacts_rows[] = {
    SCHEDULE_ROWS(NULL),
    FIELDS_ROW(contacts, "[normal, force]"),
    COMPRESSION_ROW,
    {"lines", SCREE_FIELD_SWITCH, IN(lines),
     .about =
         "on: also network.hdf.series, a line per contact: chains of force.",
     .example = "on"},
    {"idle", SCREE_FIELD_SWITCH, IN(idle),
     .about = "on: also contacts that bear no load: what is near enough to be "
              "part of the step's problem, but is not touched.",
     .example = "on"},
};
static const scree_table contacts_table = {ROWS(contacts_rows)};

static const scree_field scalars_rows[] = {
    SCHEDULE_ROWS(NULL), FIELDS_ROW(scalars, "[energy, walls]")};
static const scree_table scalars_table = {ROWS(scalars_rows)};

static const scree_field joints_rows[] = {SCHEDULE_ROWS(NULL), COMPRESSION_ROW};
static const scree_table joints_table = {ROWS(joints_rows)};

static const scree_field surfaces_rows[] = {
    SCHEDULE_ROWS(NULL),
    FIELDS_ROW(surfaces, "[id, speed]"),
    COMPRESSION_ROW,
    {"spheres", SCREE_FIELD_SWITCH, IN(spheres),
     .about = "on: spheres are written as polygons too.", .example = "on"},
};
static const scree_table surfaces_table = {ROWS(surfaces_rows)};

static const char *on_error_name(int i, const char **about) {
    static const char *const names[] = {
        [SCREE_ON_ERROR_STOP] = "stop", [SCREE_ON_ERROR_CONTINUE] = "continue"};
    (void)about;
    return i < 2 ? names[i] : NULL;
}

static const scree_field catalyst_rows[] = {
    {"scripts", SCREE_FIELD_FILES, IN(catalyst.scripts), SCREE_REQUIRED,
     .count = offsetof(scree_output_entry, output.catalyst.n_script),
     .about = "Python scripts of ParaView, looked up beside the case file, "
              "then among the ready ones.",
     .example = "[catalyst/speed.py]"},
    SCHEDULE_ROWS("a fiftieth of the run"),
    {"on_error", SCREE_FIELD_OPTION, IN(catalyst.on_error),
     .names = on_error_name,
     .about = "When a script fails: stop the run with exit code 3, or continue "
              "without the script.",
     .example = "continue"},
    {"extracts", SCREE_FIELD_SWITCH, IN(catalyst.extracts),
     .about = "on: the ready scripts write data beside their pictures.",
     .example = "on"},
    {"live", SCREE_FIELD_NAME, IN(catalyst.live),
     .about = "host:port of a ParaView that waits for the run.",
     .otherwise = "none", .example = "\"localhost:22222\""},
};
static const scree_table catalyst_table = {ROWS(catalyst_rows),
                                           .check = scree_check_catalyst};

/* ---- the sinks ----------------------------------------------------------- */

#define ENTRY                                                                  \
    .size = sizeof(scree_output_entry), .has_which = true,                     \
    .which = offsetof(scree_output_entry, sink),                               \
    .prepare = scree_prepare_output, .check = scree_check_output

/* A sink of outputs.def without words does not compile. */
#define TABLE_frames frames_table
#define TABLE_contacts contacts_table
#define TABLE_scalars scalars_table
#define TABLE_surfaces surfaces_table
#define TABLE_catalyst catalyst_table
#define TABLE_joints joints_table
#define ABOUT_joints                                                           \
    "Joints, cables and nets: joints.hdf.series, a line each with its force; " \
    "joints.csv, energies, forces and what broke, of each net."
#define SOME_joints "{every: 0.02}"
#define TABLE_flux scree_flux_table
#define ABOUT_frames "Bodies for ParaView: bodies.hdf.series, a file a frame."
#define SOME_frames "{every: 0.02}"
#define ABOUT_contacts                                                         \
    "Contacts for ParaView: contacts.hdf.series; with lines also "             \
    "network.hdf.series."
#define SOME_contacts "{every: 0.02, lines: on}"
#define ABOUT_scalars                                                          \
    "A table over time, scalars.csv: energies, momenta, solver, wall forces."
#define SOME_scalars "{every: 0.01}"
#define ABOUT_surfaces                                                         \
    "Surfaces of shapes and walls for ParaView: surfaces.hdf.series, "         \
    "walls.hdf.series."
#define SOME_surfaces "{every: 0.02}"
#define ABOUT_catalyst                                                         \
    "ParaView scripts on the running state: pictures while it runs."
#define SOME_catalyst "{scripts: [catalyst/speed.py], every: 0.02}"
#define ABOUT_flux                                                             \
    "What goes through surfaces: number, mass, momentum, energy, in all and "  \
    "by time: flux.csv."
#define TABLE_network scree_network_table
#define ABOUT_network                                                          \
    "The network of contacts that bear load: network.csv, forces.csv, "        \
    "largest.csv."
#define SOME_network "{every: 0.1}"
#define TABLE_history scree_history_table
#define ABOUT_history "The course of chosen bodies: history.csv."
#define SOME_history "{every: 0.01, ids: [0, 7]}"
#define TABLE_walls scree_walls_table
#define ABOUT_walls                                                            \
    "Mean force and torque on each wall: walls.csv; with cells also "          \
    "pressure.csv, pressure.hdf.series."
#define SOME_walls "{every: 0.05}"
#define TABLE_fields scree_fields_table
#define ABOUT_fields                                                           \
    "Coarse-grained means on a grid: density, velocity, temperature, stress, " \
    "...: fields.hdf.series, of a profile profile.csv."
#define SOME_fields                                                            \
    "{every: 0.1, box: {min: [0, 0, 0], max: [1, 1, 1]}, cells: [1, 1, 20]}"
#define SOME_flux                                                              \
    "{every: 0.02, gates: [{name: out, plane: {point: [0, 0, 0], normal: [0, " \
    "0, -1]}}]}"

static const scree_field output_rows[] = {
#define SCREE_OUTPUT(name)                                                     \
    {#name,                                                                    \
     SCREE_FIELD_MAP,                                                          \
     .flags = SCREE_ONE_OF,                                                    \
     .table = &TABLE_##name,                                                   \
     .about = ABOUT_##name,                                                    \
     .example = SOME_##name},
#include "io/outputs.def"
#undef SCREE_OUTPUT
};
const scree_table scree_output_table = {ROWS(output_rows), ENTRY};

static const scree_field model_rows[] = {EVERY_ROW(NULL)};
static const scree_table model_table = {ROWS(model_rows)};

static const scree_field model_output_rows[] = {
    {"frames", SCREE_FIELD_MAP, .flags = SCREE_ONE_OF, .table = &model_table,
     .about = "State, gaps and percussions of a model: model.hdf5.",
     .example = "{every: 0.01}"},
    {"scalars", SCREE_FIELD_MAP, .flags = SCREE_ONE_OF, .table = &model_table,
     .about = "The same as a table: model.csv.", .example = "{every: 0.01}"},
};
const scree_table scree_model_output_table = {
    ROWS(model_output_rows), ENTRY, .elsewhere = &scree_output_table,
    .why_not = "not an output of models"};

const scree_table *scree_outputs_of(const scree_case *c) {
    return c->model ? &scree_model_output_table : &scree_output_table;
}
