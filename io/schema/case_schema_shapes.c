/* case_schema_shapes.c: the shapes that bodies may have, row by row. */
#include "io/schema/case_rows.h"

#include <math.h>

#define IN(member) AT(scree_case_shape, member)

static const scree_range proportion = {0, 1, true, false};
static const scree_range share = {0, 1, false, true};
static const scree_range sides = {3, 1000, false, false};
static const scree_range rock_points = {4, 1000, false, false};
static const scree_range variants = {1, 10000, false, false};

static const scree_field box_rows[] = {
    {"size", SCREE_FIELD_VECTOR, IN(given.size),
     SCREE_REQUIRED | SCREE_BROADCAST, .range = &scree_positive, .unit = "m",
     .about = "Edges along x, y and z, or one number for a cube.",
     .example = "[0.2, 0.1, 0.1]"},
};
static const scree_table box_table = {ROWS(box_rows)};

/* A capsule's length is between the centres of its caps. */
static const scree_field round_rows[] = {
    {"radius", SCREE_FIELD_NUMBER, IN(given.radius), SCREE_REQUIRED,
     .range = &scree_positive, .unit = "m", .about = "Radius.",
     .example = "0.05"},
    {"length", SCREE_FIELD_NUMBER, IN(given.length), SCREE_REQUIRED,
     .range = &scree_positive, .unit = "m",
     .about = "Length along z; of a capsule between the centres of its caps.",
     .example = "0.1"},
};
static const scree_table round_table = {ROWS(round_rows)};

static const scree_field polyhedron_rows[] = {
    {"points", SCREE_FIELD_POINTS, IN(given.points), SCREE_ALSO_ONE_OF,
     .unit = "m", .count = offsetof(scree_case_shape, given.n_point),
     .most = 20000, .about = "Points whose convex hull is the shape.",
     .example = "[[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]]"},
    {"file", SCREE_FIELD_FILE, IN(file), SCREE_ALSO_ONE_OF,
     .about =
         "STL or OBJ file of a convex surface, looked up beside the case file.",
     .example = "rock.stl"},
    {"scale", SCREE_FIELD_NUMBER, IN(scale), .range = &scree_positive,
     .about = "Factor from the file's unit to metres.",
     .otherwise = "1 with a file", .example = "0.001"},
};
static const scree_table polyhedron_table = {ROWS(polyhedron_rows),
                                             .check = scree_check_polyhedron};

static const scree_field clump_rows[] = {
    {"balls", SCREE_FIELD_BALLS, IN(given.balls), SCREE_REQUIRED, .unit = "m",
     .count = offsetof(scree_case_shape, given.n_ball), .most = 1000,
     .about = "Balls that make up the shape: [x, y, z, radius].",
     .example = "[[0, 0, 0, 0.05], [0.05, 0, 0, 0.04]]"},
};
static const scree_table clump_table = {ROWS(clump_rows)};

static const scree_field polygon_rows[] = {
    {"points", SCREE_FIELD_CORNERS, IN(given.points), SCREE_ALSO_ONE_OF,
     .unit = "m", .count = offsetof(scree_case_shape, given.n_point),
     .about = "Corners of a convex outline in turn.",
     .example = "[[0, 0], [0.1, 0], [0, 0.1]]"},
    {"sides", SCREE_FIELD_INTEGER, IN(sides), SCREE_ALSO_ONE_OF,
     .range = &sides,
     .about = "A regular polygon with so many sides; needs `radius`.",
     .example = "5"},
    {"radius", SCREE_FIELD_NUMBER, IN(given.radius), .range = &scree_positive,
     .unit = "m",
     .about = "From the middle of the regular polygon to its corners.",
     .otherwise = "none: needs `sides`", .example = "0.05"},
};
static const scree_table polygon_table = {ROWS(polygon_rows),
                                          .check = scree_check_polygon};

static const scree_field rock_rows[] = {
    {"diameter", SCREE_FIELD_MAP, IN(diameter), SCREE_REQUIRED,
     .table = &scree_radius_table,
     .about = "Diameter of the ball of the same volume: a number, or a "
              "distribution from which each variant draws.",
     .example = "{uniform: {min: 0.08, max: 0.15}}"},
    {"elongation", SCREE_FIELD_NUMBER, IN(rock.elongation),
     .range = &proportion, .about = "Middle over longest axis (Zingg).",
     .example = "0.8"},
    {"flatness", SCREE_FIELD_NUMBER, IN(rock.flatness), .range = &proportion,
     .about = "Shortest over middle axis (Zingg).", .example = "0.7"},
    {"points", SCREE_FIELD_INTEGER, IN(rock.n_points), .range = &rock_points,
     .about = "Random points whose convex hull is the rock.", .example = "20"},
    {"jitter", SCREE_FIELD_NUMBER, IN(rock.jitter), .range = &share,
     .about = "How far points lie inside the ellipsoid at most, as a share of "
              "the radius.",
     .example = "0.1"},
    {"variants", SCREE_FIELD_INTEGER, IN(variants), .range = &variants,
     .about = "Different rocks of this name; each body takes one.",
     .example = "20"},
};
static const scree_table rock_table = {ROWS(rock_rows)};

/* The kinds are in the order of scree_shape_kind. */
static const scree_field shape_rows[] = {
    {"name", SCREE_FIELD_NAME, IN(name), SCREE_REQUIRED,
     .about = "Name by which bodies refer to the shape.", .example = "brick"},
    {"box", SCREE_FIELD_MAP, .flags = SCREE_ONE_OF, .table = &box_table,
     .about = "A box.", .example = "{size: [0.2, 0.1, 0.1]}"},
    {"capsule", SCREE_FIELD_MAP, .flags = SCREE_ONE_OF, .table = &round_table,
     .about = "A cylinder with half balls at its ends.",
     .example = "{radius: 0.05, length: 0.1}"},
    {"cylinder", SCREE_FIELD_MAP, .flags = SCREE_ONE_OF, .table = &round_table,
     .about = "A cylinder along z.", .example = "{radius: 0.05, length: 0.1}"},
    {"polyhedron", SCREE_FIELD_MAP, .flags = SCREE_ONE_OF,
     .table = &polyhedron_table,
     .about = "The convex hull of points, or a convex surface from a file.",
     .example = "{points: [[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]]}"},
    {"clump", SCREE_FIELD_MAP, .flags = SCREE_ONE_OF, .table = &clump_table,
     .about = "Balls that hold together and may overlap.",
     .example = "{balls: [[0, 0, 0, 0.05], [0.05, 0, 0, 0.04]]}"},
    {"polygon", SCREE_FIELD_MAP, .flags = SCREE_ONE_OF, .table = &polygon_table,
     .about = "A convex polygon, with planar only.",
     .example = "{sides: 5, radius: 0.05}"},
    {"rock", SCREE_FIELD_MAP, .flags = SCREE_ONE_OF, .table = &rock_table,
     .about = "Random convex polyhedra from the seed.",
     .example = "{diameter: 0.1, variants: 20}"},
    {"rounding", SCREE_FIELD_NUMBER, IN(given.rounding),
     .range = &scree_not_negative, .unit = "m",
     .about =
         "Radius by which edges and corners are rounded; it adds to the size.",
     .example = "0.005"},
};
const scree_table scree_shape_table = {
    ROWS(shape_rows),
    .size = sizeof(scree_case_shape),
    .has_which = true,
    .which = offsetof(scree_case_shape, kind),
    .prepare = scree_prepare_shape,
    .check = scree_check_shape,
};
