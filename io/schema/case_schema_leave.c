/* case_schema_leave.c: where bodies leave or come in again, and when a run ends before its
 * time. */
#include "io/schema/case_rows.h"

#define BOX_ROWS(low_about, high_about, low_some, high_some)                   \
    {                                                                          \
        "min",                                                                 \
        SCREE_FIELD_VECTOR,                                                    \
        AT(scree_outlet_def, low),                                             \
        SCREE_REQUIRED,                                                        \
        .unit = "m",                                                           \
        .about = low_about,                                                    \
        .example = low_some},                                                  \
    {                                                                          \
        "max", SCREE_FIELD_VECTOR, AT(scree_outlet_def, high), SCREE_REQUIRED, \
            .unit = "m", .about = high_about, .example = high_some             \
    }

static const char *action_name(int i, const char **about) {
    static const char *const names[] = {[SCREE_OUTLET_REMOVE] = "remove",
                                        [SCREE_OUTLET_STOP] = "stop",
                                        [SCREE_OUTLET_REFUSE] = "error"};
    (void)about;
    return i < SCREE_OUTLET_ACTIONS ? names[i] : NULL;
}

static const scree_field domain_rows[] = {
    BOX_ROWS("Lower corner of the box that bodies are to stay in.",
             "Upper corner of the box.", "[-1, -1, -0.1]", "[1, 1, 3]"),
    {"outside", SCREE_FIELD_OPTION, AT(scree_outlet_def, action),
     .names = action_name,
     .about = "What becomes of a body whose centre leaves the box: remove it, "
              "end the run there (stop), or end it with exit code 4 (error).",
     .example = "stop"},
};
const scree_table scree_domain_table = {ROWS(domain_rows),
                                        .check = scree_check_domain};

/* By the bits of its directions. */
static const char *periodic_name(int i, const char **about) {
    static const char *const names[] = {"none", "x",  "y",  "xy",
                                        "z",    "xz", "yz", "xyz"};
    (void)about;
    return i < (int)(sizeof names / sizeof *names) ? names[i] : NULL;
}

static const scree_field cell_rows[] = {
    {"min", SCREE_FIELD_VECTOR, AT(scree_case_cell, def.low), SCREE_REQUIRED,
     .unit = "m",
     .about = "Lower corner of the cell; read along periodic directions.",
     .example = "[0, 0, 0]"},
    {"max", SCREE_FIELD_VECTOR, AT(scree_case_cell, def.high), SCREE_REQUIRED,
     .unit = "m", .about = "Upper corner of the cell.", .example = "[1, 1, 3]"},
    {"periodic", SCREE_FIELD_OPTION, AT(scree_case_cell, periodic),
     SCREE_REQUIRED, .names = periodic_name,
     .about = "Directions in which the world goes on behind a side of the cell "
              "as on its other side. No plane stands across them, and meshes, "
              "terrain and segments must reach beyond the cell by the size of "
              "a body.",
     .example = "xy"},
    {"shear_rate", SCREE_FIELD_NUMBER, AT(scree_case_cell, def.shear_rate),
     .unit = "1/s",
     .about = "Simple shear by Lees and Edwards: what lies one cell up along y "
              "moves along x with this times the cell's height. For cells that "
              "are periodic along x and y.",
     .example = "0.5"},
    {"stretch", SCREE_FIELD_VECTOR, AT(scree_case_cell, def.stretch),
     .unit = "1/s",
     .about = "Each edge of the cell grows by this share of what it is at "
              "first; it shrinks if this is negative.",
     .example = "[0, 0, -0.1]"},
    {"pressure", SCREE_FIELD_VECTOR, AT(scree_case_cell, def.pressure),
     .unit = "Pa",
     .about = "Mean stress that is held along each edge, compression positive: "
              "the edge moves as bodies press on it (Parrinello and Rahman), "
              "with the mass of all bodies. 0: the edge does not move. For "
              "cells that are periodic along all directions, with stepper "
              "moreau and solver pgs or jacobi; in a plane world, per metre of "
              "depth.",
     .example = "[10000, 10000, 10000]"},
};
const scree_table scree_cell_table = {ROWS(cell_rows),
                                      .check = scree_check_cell};

static const scree_field box_rows[] = {
    BOX_ROWS("Lower corner.", "Upper corner.", "[-0.1, -0.1, -0.3]",
             "[0.1, 0.1, -0.2]"),
};
static const scree_table box_table = {ROWS(box_rows),
                                      .check = scree_check_outlet_box};

static const scree_field outlet_rows[] = {
    {"name", SCREE_FIELD_NAME, AT(scree_case_outlet, name), SCREE_REQUIRED,
     .about = "Name of the outlet in outputs and at the end of the run.",
     .example = "orifice"},
    {"box", SCREE_FIELD_MAP, AT(scree_case_outlet, def), SCREE_REQUIRED,
     .table = &box_table,
     .about = "A body whose centre is in this box at the end of a step is "
              "removed and counted.",
     .example = "{min: [-0.1, -0.1, -0.3], max: [0.1, 0.1, -0.2]}"},
};
const scree_table scree_outlet_table = {
    ROWS(outlet_rows), .size = sizeof(scree_case_outlet),
    .prepare = scree_prepare_outlet, .check = scree_check_outlet};

static const scree_field stop_rows[] = {
    {"kinetic_energy", SCREE_FIELD_NUMBER, AT(scree_case_stop, kinetic),
     .range = &scree_positive, .unit = "J",
     .about = "The run ends once the kinetic energy of all bodies is below "
              "this.",
     .otherwise = "it does not matter", .example = "1e-6"},
    {"speed", SCREE_FIELD_NUMBER, AT(scree_case_stop, speed),
     .range = &scree_positive, .unit = "m/s",
     .about = "The run ends once no body is faster than this.",
     .otherwise = "it does not matter", .example = "1e-3"},
    {"for", SCREE_FIELD_NUMBER, AT(scree_case_stop, hold),
     .range = &scree_not_negative, .unit = "s",
     .about = "Simulated time for which kinetic_energy and speed, those that "
              "are given, must both hold.",
     .example = "0.1"},
    {"all_removed", SCREE_FIELD_SWITCH, AT(scree_case_stop, all_removed),
     .about = "on: the run ends once no body is left and no pour brings more.",
     .example = "on"},
};
const scree_table scree_stop_table = {ROWS(stop_rows),
                                      .check = scree_check_stop};
