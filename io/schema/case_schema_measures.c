/* case_schema_measures.c: entries of `outputs` that measure. */
#include "engine/measure/network.h"
#include "io/schema/case_schema_outputs.h"

/* ---- flux ---------------------------------------------------------------- */

#define GATE(member) AT(scree_case_gate, member)

static const scree_field gate_plane_rows[] = {
    {"point", SCREE_FIELD_VECTOR, GATE(point), SCREE_REQUIRED, .unit = "m",
     .about = "A point on the plane.", .example = "[0, 0, 0.5]"},
    {"normal", SCREE_FIELD_VECTOR, GATE(normal),
     SCREE_REQUIRED | SCREE_DIRECTION,
     .about = "Points to where what crosses counts as forwards.",
     .example = "[0, 0, -1]"},
};
static const scree_table gate_plane_table = {ROWS(gate_plane_rows)};

static const scree_field gate_disc_rows[] = {
    {"center", SCREE_FIELD_VECTOR, GATE(point), SCREE_REQUIRED, .unit = "m",
     .about = "Its middle.", .example = "[0, 0, 0.5]"},
    {"normal", SCREE_FIELD_VECTOR, GATE(normal),
     SCREE_REQUIRED | SCREE_DIRECTION,
     .about = "Points to where what crosses counts as forwards.",
     .example = "[0, 0, -1]"},
    {"radius", SCREE_FIELD_NUMBER, GATE(radius), SCREE_REQUIRED,
     .range = &scree_positive, .unit = "m",
     .about = "What crosses farther from the middle does not count.",
     .example = "0.05"},
};
static const scree_table gate_disc_table = {ROWS(gate_disc_rows)};

static const scree_field gate_rectangle_rows[] = {
    {"corner", SCREE_FIELD_VECTOR, GATE(point), SCREE_REQUIRED, .unit = "m",
     .about = "One of its corners.", .example = "[0, 0, 0.5]"},
    {"first", SCREE_FIELD_VECTOR, GATE(sides[0]),
     SCREE_REQUIRED | SCREE_DIRECTION, .unit = "m",
     .about = "From the corner along one side to its end.",
     .example = "[0.2, 0, 0]"},
    {"second", SCREE_FIELD_VECTOR, GATE(sides[1]),
     SCREE_REQUIRED | SCREE_DIRECTION, .unit = "m",
     .about = "The same of the other side; forwards is along first x second.",
     .example = "[0, 0.1, 0]"},
};
static const scree_table gate_rectangle_table = {ROWS(gate_rectangle_rows),
                                                 .check = scree_check_gate};

/* The kinds are in the order of scree_gate_kind. */
static const scree_field gate_rows[] = {
    {"name", SCREE_FIELD_NAME, GATE(name), SCREE_REQUIRED,
     .about = "Names of columns begin with it.", .example = "orifice"},
    {"plane", SCREE_FIELD_MAP, .flags = SCREE_ONE_OF,
     .table = &gate_plane_table, .about = "A plane without end.",
     .example = "{point: [0, 0, 0.5], normal: [0, 0, -1]}"},
    {"disc", SCREE_FIELD_MAP, .flags = SCREE_ONE_OF, .table = &gate_disc_table,
     .about = "A disc; in plane worlds what is cut of it by z = 0.",
     .example = "{center: [0, 0, 0.5], normal: [0, 0, -1], radius: 0.05}"},
    {"rectangle", SCREE_FIELD_MAP, .flags = SCREE_ONE_OF,
     .table = &gate_rectangle_table,
     .about = "A rectangle, or any parallelogram.",
     .example = "{corner: [0, 0, 0.5], first: [0.2, 0, 0], second: [0, 0.1, "
                "0]}"},
};
static const scree_table gate_table = {
    ROWS(gate_rows), WHICH(scree_case_gate, kind),
    .size = sizeof(scree_case_gate), .check = scree_check_gate_name};

static const scree_field flux_rows[] = {
    SCHEDULE_ROWS(NULL),
    {"gates", SCREE_FIELD_LIST, IN(flux.gates), SCREE_REQUIRED,
     .table = &gate_table,
     .count = offsetof(scree_output_entry, output.flux.n_gate),
     .about = "Surfaces through which bodies are counted in every step from "
              "`from` on, by the paths of their centres; what comes back is "
              "taken off.",
     .example = "[{name: orifice, disc: {center: [0, 0, 0.5], normal: [0, 0, "
                "-1], radius: 0.05}}]"},
    {"materials", SCREE_FIELD_SWITCH, IN(flux.materials),
     .about = "on: number and mass of each material as well.", .example = "on"},
    {"sizes", SCREE_FIELD_NUMBERS, IN(flux.sizes), .range = &scree_positive,
     .unit = "m", .most = 100,
     .count = offsetof(scree_output_entry, output.flux.n_size),
     .about = "Diameters of balls around bodies, rising, between classes: "
              "number and mass of each class as well, size0 the smallest.",
     .otherwise = "none", .example = "[0.01, 0.02]"},
};
const scree_table scree_flux_table = {ROWS(flux_rows),
                                      .check = scree_check_flux};

/* ---- fields -------------------------------------------------------------- */

const char *scree_mean_name(int i, const char **about) {
    static const char *const names[] = {
        [SCREE_MEAN_OF_INTERVAL] = "interval", [SCREE_MEAN_OF_RUN] = "run"};
    (void)about;
    return i < 2 ? names[i] : NULL;
}

extern const scree_output_ops scree_output_fields;
static const char *fields_field(int i, const char **about) {
    *about = "";
    return scree_output_fields.fields[i];
}

static const scree_range counts = {1, 100000, false, false};

static const scree_field fields_rows[] = {
    SCHEDULE_ROWS(NULL),
    {"box", SCREE_FIELD_MAP, IN(mean.region), SCREE_ONE_OF,
     .table = &scree_region_box_table,
     .about = "The grid fills a box along the axes.",
     .example = "{min: [-0.5, -0.5, 0], max: [0.5, 0.5, 1]}"},
    {"cylinder", SCREE_FIELD_MAP, IN(mean.region), SCREE_ONE_OF,
     .table = &scree_region_cylinder_table,
     .about = "The grid fills a cylinder; components are along r, theta and "
              "the axis.",
     .example = "{base: [0, 0, 0], axis: [0, 0, 1], radius: 0.4, height: 1}"},
    {"cells", SCREE_FIELD_COUNTS, IN(mean.cells), SCREE_REQUIRED,
     .range = &counts,
     .about = "How many cells along x, y and z, or along r, theta and the "
              "axis; 1 where a mean over all is wanted.",
     .example = "[1, 1, 20]"},
    {"width", SCREE_FIELD_NUMBER, IN(mean.width), .range = &scree_not_negative,
     .unit = "m",
     .about = "Reach of the kernel that spreads what is in a cell over those "
              "near it; twice the size of a cell and more. 0: each cell by "
              "itself.",
     .example = "0.03"},
    SAMPLING_ROWS,
    FIELDS_ROW(fields, "[density, velocity, contact_stress]"),
    COMPRESSION_ROW,
};
const scree_table scree_fields_table = {
    ROWS(fields_rows), WHICH(scree_output_entry, output.mean.region.kind),
    .check = scree_check_fields};

/* ---- network, history ---------------------------------------------------- */

static const scree_range bins = {1, 10000, false, false};
static const scree_range largest = {0, SCREE_NETWORK_LARGEST, false, false};

static const scree_field network_rows[] = {
    SCHEDULE_ROWS(NULL),
    {"bins", SCREE_FIELD_INTEGER, IN(network.bins), .range = &bins,
     .about = "Bins of the histograms: of normal forces over their mean, and "
              "of friction over what it can bear.",
     .example = "40"},
    {"most", SCREE_FIELD_NUMBER, IN(network.most), .range = &scree_positive,
     .about = "Upper end of the histogram of normal forces, in means; the last "
              "bin has what is larger too.",
     .example = "8"},
    {"largest", SCREE_FIELD_INTEGER, IN(network.largest), .range = &largest,
     .about = "How many of the largest forces are listed.", .example = "10"},
};
const scree_table scree_network_table = {ROWS(network_rows)};

static const scree_field history_rows[] = {
    SCHEDULE_ROWS(NULL),
    {"ids", SCREE_FIELD_NUMBERS, IN(ids), SCREE_REQUIRED,
     .range = &scree_not_negative, .most = 10000,
     .count = offsetof(scree_output_entry, output.n_id),
     .about =
         "Numbers of bodies, rising, from 0 in the order in which they are "
         "made; frames have them as `id`.",
     .example = "[0, 7]"},
};
const scree_table scree_history_table = {ROWS(history_rows),
                                         .check = scree_check_history};

/* ---- walls --------------------------------------------------------------- */

static const scree_field extent_rows[] = {
    {"min", SCREE_FIELD_VECTOR, IN(walls.min), SCREE_REQUIRED, .unit = "m",
     .about = "Corner with the smallest coordinates.",
     .example = "[-0.5, -0.5, 0]"},
    {"max", SCREE_FIELD_VECTOR, IN(walls.max), SCREE_REQUIRED, .unit = "m",
     .about = "Opposite corner.", .example = "[0.5, 0.5, 1]"},
};
static const scree_table extent_table = {ROWS(extent_rows),
                                         .check = scree_check_extent};

static const scree_field walls_rows[] = {
    SCHEDULE_ROWS(NULL),
    {"cells", SCREE_FIELD_NUMBER, IN(walls.cells), .range = &scree_positive,
     .unit = "m",
     .about = "Size of squares on planes; meshes have their triangles. Needs "
              "`box`.",
     .otherwise = "none: no pressures on cells", .example = "0.05"},
    {"box", SCREE_FIELD_MAP, .table = &extent_table,
     .about = "Planes have cells as far as the shadow of this box.",
     .otherwise = "none",
     .example = "{min: [-0.5, -0.5, 0], max: [0.5, 0.5, "
                "1]}"},
    SAMPLING_ROWS,
    COMPRESSION_ROW,
};
const scree_table scree_walls_table = {ROWS(walls_rows),
                                       .check = scree_check_walls};
