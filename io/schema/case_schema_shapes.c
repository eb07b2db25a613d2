/* case_schema_shapes.c: the shapes that bodies may have, row by row. */
#include "io/schema/case_schema.h"

#include "io/case/case_check.h"

#include <math.h>

#define AT(member) .offset = offsetof(scree_case_shape, member)
#define ROWS(rows) .fields = rows, .n = (int)(sizeof rows / sizeof *rows)

static const scree_range positive = {0, INFINITY, true, true};
static const scree_range not_negative = {0, INFINITY, false, true};
static const scree_range proportion = {0, 1, true, false};
static const scree_range share = {0, 1, false, true};
static const scree_range sides = {3, 1000, false, false};
static const scree_range rock_points = {4, 1000, false, false};
static const scree_range variants = {1, 10000, false, false};

static const scree_field box_rows[] = {
    {"size", SCREE_FIELD_VECTOR, AT(given.size),
     SCREE_REQUIRED | SCREE_BROADCAST, .range = &positive, .unit = "m"},
};
static const scree_table box_table = {ROWS(box_rows)};

/* A capsule's length is between the centres of its caps. */
static const scree_field round_rows[] = {
    {"radius", SCREE_FIELD_NUMBER, AT(given.radius), SCREE_REQUIRED,
     .range = &positive, .unit = "m"},
    {"length", SCREE_FIELD_NUMBER, AT(given.length), SCREE_REQUIRED,
     .range = &positive, .unit = "m"},
};
static const scree_table round_table = {ROWS(round_rows)};

static const scree_field polyhedron_rows[] = {
    {"points", SCREE_FIELD_POINTS, AT(given.points), SCREE_ALSO_ONE_OF,
     .unit = "m", .count = offsetof(scree_case_shape, given.n_point),
     .most = 20000},
    {"file", SCREE_FIELD_FILE, AT(file), SCREE_ALSO_ONE_OF},
    {"scale", SCREE_FIELD_NUMBER, AT(scale), .range = &positive},
};
static const scree_table polyhedron_table = {ROWS(polyhedron_rows),
                                             .check = scree_check_polyhedron};

static const scree_field clump_rows[] = {
    {"balls", SCREE_FIELD_BALLS, AT(given.balls), SCREE_REQUIRED, .unit = "m",
     .count = offsetof(scree_case_shape, given.n_ball), .most = 1000},
};
static const scree_table clump_table = {ROWS(clump_rows)};

static const scree_field polygon_rows[] = {
    {"points", SCREE_FIELD_CORNERS, AT(given.points), SCREE_ALSO_ONE_OF,
     .unit = "m", .count = offsetof(scree_case_shape, given.n_point)},
    {"sides", SCREE_FIELD_INTEGER, AT(sides), SCREE_ALSO_ONE_OF,
     .range = &sides},
    {"radius", SCREE_FIELD_NUMBER, AT(given.radius), .range = &positive,
     .unit = "m"},
};
static const scree_table polygon_table = {ROWS(polygon_rows),
                                          .check = scree_check_polygon};

static const scree_field rock_rows[] = {
    {"diameter", SCREE_FIELD_MAP, AT(diameter), SCREE_REQUIRED,
     .table = &scree_radius_table},
    {"elongation", SCREE_FIELD_NUMBER, AT(rock.elongation),
     .range = &proportion},
    {"flatness", SCREE_FIELD_NUMBER, AT(rock.flatness), .range = &proportion},
    {"points", SCREE_FIELD_INTEGER, AT(rock.n_points), .range = &rock_points},
    {"jitter", SCREE_FIELD_NUMBER, AT(rock.jitter), .range = &share},
    {"variants", SCREE_FIELD_INTEGER, AT(variants), .range = &variants},
};
static const scree_table rock_table = {ROWS(rock_rows)};

/* The kinds are in the order of scree_shape_kind. */
static const scree_field shape_rows[] = {
    {"name", SCREE_FIELD_NAME, AT(name), SCREE_REQUIRED},
    {"box", SCREE_FIELD_MAP, .flags = SCREE_ONE_OF, .table = &box_table},
    {"capsule", SCREE_FIELD_MAP, .flags = SCREE_ONE_OF, .table = &round_table},
    {"cylinder", SCREE_FIELD_MAP, .flags = SCREE_ONE_OF, .table = &round_table},
    {"polyhedron", SCREE_FIELD_MAP, .flags = SCREE_ONE_OF,
     .table = &polyhedron_table},
    {"clump", SCREE_FIELD_MAP, .flags = SCREE_ONE_OF, .table = &clump_table},
    {"polygon", SCREE_FIELD_MAP, .flags = SCREE_ONE_OF,
     .table = &polygon_table},
    {"rock", SCREE_FIELD_MAP, .flags = SCREE_ONE_OF, .table = &rock_table},
    {"rounding", SCREE_FIELD_NUMBER, AT(given.rounding), .range = &not_negative,
     .unit = "m"},
};
const scree_table scree_shape_table = {
    ROWS(shape_rows),
    .size = sizeof(scree_case_shape),
    .has_which = true,
    .which = offsetof(scree_case_shape, kind),
    .prepare = scree_prepare_shape,
    .check = scree_check_shape,
};
