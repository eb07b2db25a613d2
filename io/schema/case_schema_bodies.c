/* case_schema_bodies.c: the entries of `bodies`, their radii and regions. */
#include "io/schema/case_rows.h"

#include <math.h>

static const scree_range solid_fraction = {0, 0.6, true, false};
static const scree_range apart = {1, 1000, false, false};
static const scree_range layers = {1, 1000, false, false};

/* ---- radii and regions --------------------------------------------------- */

#define BOUND_ROWS                                                             \
    {"min",                                                                    \
     SCREE_FIELD_NUMBER,                                                       \
     AT(scree_radius_law, min),                                                \
     SCREE_REQUIRED,                                                           \
     .range = &scree_positive,                                                 \
     .unit = "m",                                                              \
     .about = "Smallest size.",                                                \
     .example = "0.02"},                                                       \
    {                                                                          \
        "max", SCREE_FIELD_NUMBER, AT(scree_radius_law, max), SCREE_REQUIRED,  \
            .range = &scree_positive, .unit = "m", .about = "Largest size.",   \
            .example = "0.04"                                                  \
    }

static const scree_field uniform_rows[] = {BOUND_ROWS};
static const scree_table uniform_table = {ROWS(uniform_rows),
                                          .check = scree_check_radius_bounds};

static const scree_field normal_rows[] = {
    {"mean", SCREE_FIELD_NUMBER, AT(scree_radius_law, mean), SCREE_REQUIRED,
     .range = &scree_positive, .unit = "m",
     .about = "Mean size, before sizes outside the bounds are drawn again.",
     .example = "0.03"},
    {"deviation", SCREE_FIELD_NUMBER, AT(scree_radius_law, deviation),
     SCREE_REQUIRED, .range = &scree_not_negative, .unit = "m",
     .about = "Standard deviation.", .example = "0.005"},
    BOUND_ROWS,
};
static const scree_table normal_table = {ROWS(normal_rows),
                                         .check = scree_check_radius_bounds};

static const scree_field list_rows[] = {
    {"values", SCREE_FIELD_NUMBERS, AT(scree_radius_law, values),
     SCREE_REQUIRED, .range = &scree_positive, .unit = "m",
     .count = offsetof(scree_radius_law, n), .about = "The sizes that occur.",
     .example = "[0.02, 0.03]"},
    {"weights", SCREE_FIELD_NUMBERS, AT(scree_radius_law, weights),
     .range = &scree_not_negative, .count = offsetof(scree_radius_law, n),
     .about = "How often each size occurs, relative to the others.",
     .otherwise = "all alike", .example = "[3, 1]"},
};
static const scree_table list_table = {ROWS(list_rows),
                                       .check = scree_check_list};

static const scree_field radius_rows[] = {
    {"constant", SCREE_FIELD_NUMBER, AT(scree_radius_law, value), SCREE_ONE_OF,
     .range = &scree_positive, .unit = "m",
     .about = "One size for all; a bare number means the same.",
     .example = "0.03"},
    {"uniform", SCREE_FIELD_MAP, .flags = SCREE_ONE_OF, .table = &uniform_table,
     .about = "Sizes that are equally likely between two bounds.",
     .example = "{min: 0.02, max: 0.04}"},
    {"normal", SCREE_FIELD_MAP, .flags = SCREE_ONE_OF, .table = &normal_table,
     .about = "Normally distributed sizes between two bounds.",
     .example = "{mean: 0.03, deviation: 0.005, min: 0.02, max: 0.04}"},
    {"list", SCREE_FIELD_MAP, .flags = SCREE_ONE_OF, .table = &list_table,
     .about = "A few sizes, with weights.",
     .example = "{values: [0.02, 0.03], weights: [3, 1]}"},
};
const scree_table scree_radius_table = {
    ROWS(radius_rows), WHICH(scree_radius_law, kind), .shorthand = true};

static const scree_field box_rows[] = {
    {"min", SCREE_FIELD_VECTOR, AT(scree_region, min), SCREE_REQUIRED,
     .unit = "m", .about = "Lower corner of the region.",
     .example = "[-0.5, -0.5, 0.1]"},
    {"max", SCREE_FIELD_VECTOR, AT(scree_region, max), SCREE_REQUIRED,
     .unit = "m", .about = "Upper corner of the region.",
     .example = "[0.5, 0.5, 1]"},
};
const scree_table scree_region_box_table = {ROWS(box_rows),
                                            .check = scree_check_region_box};

static const scree_field cylinder_rows[] = {
    {"base", SCREE_FIELD_VECTOR, AT(scree_region, base), SCREE_REQUIRED,
     .unit = "m", .about = "Middle of the base of the cylinder.",
     .example = "[0, 0, 0.1]"},
    {"axis", SCREE_FIELD_VECTOR, AT(scree_region, axis),
     SCREE_REQUIRED | SCREE_DIRECTION,
     .about = "Direction from the base to the top; its length does not count.",
     .example = "[0, 0, 1]"},
    {"radius", SCREE_FIELD_NUMBER, AT(scree_region, radius), SCREE_REQUIRED,
     .range = &scree_positive, .unit = "m", .about = "Radius of the cylinder.",
     .example = "0.4"},
    {"height", SCREE_FIELD_NUMBER, AT(scree_region, height), SCREE_REQUIRED,
     .range = &scree_positive, .unit = "m", .about = "Height of the cylinder.",
     .example = "1"},
};
const scree_table scree_region_cylinder_table = {ROWS(cylinder_rows)};

/* ---- bodies -------------------------------------------------------------- */

static const scree_field sphere_rows[] = {
    {"position", SCREE_FIELD_VECTOR, AT(scree_sphere_def, position),
     SCREE_REQUIRED, .unit = "m", .about = "Centre of the sphere at the start.",
     .example = "[0, 0, 1]"},
    {"orientation", SCREE_FIELD_QUATERNION, AT(scree_sphere_def, orientation),
     .about = "How the sphere is turned at the start: [w, x, y, z], or axis "
              "and angle.",
     .example = "[1, 0, 0, 0]"},
};
static const scree_table sphere_table = {ROWS(sphere_rows)};

static const scree_field single_rows[] = {
    {"position", SCREE_FIELD_VECTOR, AT(scree_single, position), SCREE_REQUIRED,
     .unit = "m", .about = "Centre of mass at the start.",
     .example = "[0, 0, 1]"},
    {"orientation", SCREE_FIELD_QUATERNION, AT(scree_single, orientation),
     .about = "How the body is turned at the start: [w, x, y, z], or axis and "
              "angle.",
     .example = "{axis: [1, 0, 0], angle: 0.5}"},
};
static const scree_table single_table = {ROWS(single_rows)};

static const scree_field axis_angle_rows[] = {
    {"axis", SCREE_FIELD_VECTOR, AT(scree_axis_angle, axis),
     SCREE_REQUIRED | SCREE_DIRECTION | SCREE_AXIAL,
     .about = "Axis of the turn; its length does not count.",
     .example = "[1, 0, 0]"},
    {"angle", SCREE_FIELD_NUMBER, AT(scree_axis_angle, angle), SCREE_REQUIRED,
     .unit = "rad", .about = "Angle of the turn.", .example = "0.5"},
};
const scree_table scree_axis_angle_table = {ROWS(axis_angle_rows)};

static const scree_field pyramid_rows[] = {
    {"base", SCREE_FIELD_INTEGER, AT(scree_pyramid, base), SCREE_REQUIRED,
     .range = &layers, .about = "Bodies along an edge of the lowest layer.",
     .example = "5"},
    {"origin", SCREE_FIELD_VECTOR, AT(scree_pyramid, origin), .unit = "m",
     .about = "Middle of the underside of the pyramid.",
     .example = "[0, 0, 0]"},
    {"spacing", SCREE_FIELD_NUMBER, AT(scree_pyramid, spacing), .range = &apart,
     .about = "Distance of neighbours in a layer, over their size.",
     .example = "1.1"},
};
static const scree_table pyramid_table = {ROWS(pyramid_rows)};

static const char *turn_name(int i, const char **about) {
    static const char *const names[] = {
        [SCREE_TURN_RANDOM] = "random", [SCREE_TURN_ALIGNED] = "aligned"};
    (void)about;
    return i < 2 ? names[i] : NULL;
}

static const scree_field lattice_rows[] = {
    {"origin", SCREE_FIELD_VECTOR, AT(scree_lattice, origin), SCREE_REQUIRED,
     .unit = "m", .about = "Centre of the first body.",
     .example = "[0, 0, 0.5]"},
    {"counts", SCREE_FIELD_COUNTS, AT(scree_lattice, counts), SCREE_REQUIRED,
     .range = &scree_many, .about = "How many bodies along x, y and z.",
     .example = "[10, 10, 20]"},
    {"spacing", SCREE_FIELD_VECTOR, AT(scree_lattice, spacing),
     SCREE_REQUIRED | SCREE_BROADCAST, .range = &scree_positive, .unit = "m",
     .about = "Distance of neighbours along x, y and z, or one number for all.",
     .example = "0.1"},
    {"jitter", SCREE_FIELD_NUMBER, AT(scree_lattice, jitter),
     .range = &scree_not_negative, .unit = "m",
     .about =
         "Each coordinate of a body is moved by up to this much, at random.",
     .example = "0.001"},
};
static const scree_table lattice_table = {ROWS(lattice_rows)};

static const scree_field fill_rows[] = {
    {"box", SCREE_FIELD_MAP, AT(scree_fill, region), SCREE_ONE_OF,
     .table = &scree_region_box_table,
     .about = "The region is a box along the axes.",
     .example = "{min: [-0.5, -0.5, 0.1], max: [0.5, 0.5, 1]}"},
    {"cylinder", SCREE_FIELD_MAP, AT(scree_fill, region), SCREE_ONE_OF,
     .table = &scree_region_cylinder_table,
     .about = "The region is a cylinder.",
     .example = "{base: [0, 0, 0.1], axis: [0, 0, 1], radius: 0.4, height: 1}"},
    {"count", SCREE_FIELD_COUNT, AT(scree_fill, count), SCREE_ALSO_ONE_OF,
     .range = &scree_many, .about = "How many bodies are placed.",
     .example = "500"},
    {"solid_fraction", SCREE_FIELD_NUMBER, AT(scree_fill, solid_fraction),
     SCREE_ALSO_ONE_OF, .range = &solid_fraction,
     .about = "Share of the region's volume that the bodies take up; equal "
              "spheres come to about 0.35.",
     .example = "0.3"},
};
static const scree_table fill_table = {ROWS(fill_rows),
                                       WHICH(scree_fill, region.kind)};

static const scree_field pour_rows[] = {
    {"box", SCREE_FIELD_MAP, AT(scree_pour, region), SCREE_ONE_OF,
     .table = &scree_region_box_table,
     .about = "The region is a box along the axes.",
     .example = "{min: [-0.2, -0.2, 2], max: [0.2, 0.2, 2.5]}"},
    {"cylinder", SCREE_FIELD_MAP, AT(scree_pour, region), SCREE_ONE_OF,
     .table = &scree_region_cylinder_table,
     .about = "The region is a cylinder.",
     .example = "{base: [0, 0, 2], axis: [0, 0, 1], radius: 0.3, height: 0.5}"},
    {"rate", SCREE_FIELD_NUMBER, AT(scree_pour, rate), SCREE_REQUIRED,
     .range = &scree_positive, .unit = "1/s",
     .about = "Bodies that enter the region each second. One that finds no "
              "free place waits, and those after it with it.",
     .example = "200"},
    {"count", SCREE_FIELD_COUNT, AT(scree_pour, count), .range = &scree_many,
     .about = "The pour ends when so many bodies are in.",
     .otherwise = "no bound", .example = "1000"},
    {"start", SCREE_FIELD_NUMBER, AT(scree_pour, start),
     .range = &scree_not_negative, .unit = "s",
     .about = "Time at which the pour begins.", .example = "0"},
    {"stop", SCREE_FIELD_NUMBER, AT(scree_pour, stop), .range = &scree_positive,
     .unit = "s", .about = "Time at which the pour ends.",
     .otherwise = "the end of the run", .example = "1.5"},
};
static const scree_table pour_table = {
    ROWS(pour_rows), WHICH(scree_pour, region.kind), .check = scree_check_pour};

#define PLACE_ROW(name, text, some)                                            \
    {                                                                          \
        name, SCREE_FIELD_CORNERS, AT(scree_case_release, it.points),          \
            SCREE_ONE_OF, .unit = "m",                                         \
                          .count = offsetof(scree_case_release, it.n_point),   \
                          .about = text, .example = some                       \
    }

static const scree_field release_rows[] = {
    PLACE_ROW("points",
              "Places that trajectories start at, in turn, in the coordinates "
              "of the terrain.",
              "[[320, 220], [325, 224]]"),
    PLACE_ROW("line",
              "Corners of a line; places are equally likely along its length.",
              "[[300, 220], [340, 230], [360, 260]]"),
    PLACE_ROW("polygon",
              "Corners of an area that does not cross itself; places are "
              "equally likely all over it.",
              "[[300, 200], [340, 200], [340, 240]]"),
    {"file", SCREE_FIELD_FILE, AT(scree_case_release, file), SCREE_ONE_OF,
     .about = "GeoJSON or shapefile with points, lines or polygons, in metres "
              "(GeoJSON without \"crs\" is in degrees); needs a program built "
              "with GDAL.",
     .example = "releases.geojson"},
    {"height", SCREE_FIELD_NUMBER, AT(scree_case_release, it.height),
     SCREE_REQUIRED, .range = &scree_positive, .unit = "m",
     .about = "Height of the centre of mass straight above the ground; no part "
              "of the rock may start in it.",
     .example = "5"},
    {"count", SCREE_FIELD_COUNT, AT(scree_case_release, it.count),
     .range = &scree_many,
     .about = "So many trajectories of this release in turn with those of the "
              "others: releases with the counts 3 and 1 share 400 trajectories "
              "as 300 and 100.",
     .example = "100"},
    {"velocity_deviation", SCREE_FIELD_VECTOR,
     AT(scree_case_release, it.velocity_deviation), SCREE_BROADCAST,
     .range = &scree_not_negative, .unit = "m/s",
     .about = "Standard deviation of the components of `velocity`, which are "
              "drawn for each trajectory; one number for all three.",
     .example = "[0.5, 0.5, 0]"},
    {"angular_velocity_deviation", SCREE_FIELD_VECTOR,
     AT(scree_case_release, it.spin_deviation), SCREE_BROADCAST,
     .range = &scree_not_negative, .unit = "rad/s",
     .about = "The same of `angular_velocity`.", .example = "1"},
};
static const scree_table release_table = {ROWS(release_rows),
                                          WHICH(scree_case_release, place),
                                          .check = scree_check_release};

static const scree_field body_rows[] = {
    {"sphere", SCREE_FIELD_MAP, AT(scree_body_entry, sphere), SCREE_ONE_OF,
     .table = &sphere_table, .about = "A single sphere; needs `radius`.",
     .example = "{position: [0, 0, 1]}"},
    {"lattice", SCREE_FIELD_MAP, AT(scree_body_entry, lattice), SCREE_ONE_OF,
     .table = &lattice_table, .about = "Bodies on a regular lattice.",
     .example = "{origin: [0, 0, 0.5], counts: [10, 10, 20], spacing: 0.1}"},
    {"fill", SCREE_FIELD_MAP, AT(scree_body_entry, fill), SCREE_ONE_OF,
     .table = &fill_table,
     .about = "Bodies at random places of a region, at the start.",
     .example =
         "{box: {min: [-0.5, -0.5, 0.1], max: [0.5, 0.5, 1]}, count: 500}"},
    {"pour", SCREE_FIELD_MAP, AT(scree_body_entry, pour), SCREE_ONE_OF,
     .table = &pour_table,
     .about = "Bodies that enter through a region while the run goes on.",
     .example =
         "{box: {min: [-0.2, -0.2, 2], max: [0.2, 0.2, 2.5]}, rate: 200}"},
    {"body", SCREE_FIELD_MAP, AT(scree_body_entry, single), SCREE_ONE_OF,
     .table = &single_table, .about = "A single body with a `shape`.",
     .example = "{position: [0, 0, 1]}"},
    {"pyramid", SCREE_FIELD_MAP, AT(scree_body_entry, pyramid), SCREE_ONE_OF,
     .table = &pyramid_table,
     .about = "A pyramid of boxes, in the plane of squares; needs `shape`.",
     .example = "{base: 5}"},
    {"release", SCREE_FIELD_MAP, AT(scree_body_entry, release), SCREE_ONE_OF,
     .table = &release_table,
     .about =
         "Where rocks of an `ensemble` start, each alone; with `radius` or "
         "`shape`.",
     .example = "{points: [[320, 220]], height: 5}"},
    {"radius", SCREE_FIELD_MAP, AT(scree_body_entry, grain.radius),
     SCREE_ALSO_ONE_OF, .table = &scree_radius_table,
     .about = "Radius of spheres: a number, or a distribution.",
     .example = "0.03"},
    {"shape", SCREE_FIELD_SHAPE, AT(scree_body_entry, grain.shapes.name),
     SCREE_ALSO_ONE_OF,
     .about = "Name of an entry of `shapes`. Bodies are placed by the ball "
              "around it.",
     .example = "brick"},
    {"orientation", SCREE_FIELD_OPTION, AT(scree_body_entry, grain.turn),
     .names = turn_name,
     .about = "How bodies of a lattice, fill, pour or release with a shape are "
              "turned.",
     .otherwise = "aligned in lattices, random in fills, pours and releases",
     .example = "random"},
    {"velocity", SCREE_FIELD_VECTOR, AT(scree_body_entry, grain.velocity),
     .unit = "m/s", .about = "Velocity at the start.", .example = "[0, 0, -1]"},
    {"angular_velocity", SCREE_FIELD_VECTOR,
     AT(scree_body_entry, grain.angular_velocity), SCREE_AXIAL, .unit = "rad/s",
     .about = "Angular velocity at the start, in the fixed frame.",
     .example = "[0, 0, 5]"},
    {"material", SCREE_FIELD_MATERIAL, AT(scree_body_entry, grain.material),
     .about = "Name of an entry of `materials`.",
     .otherwise = "the first material", .example = "gravel"},
};
const scree_table scree_body_table = {ROWS(body_rows),
                                      .size = sizeof(scree_body_entry),
                                      .packed = sizeof(scree_case_body),
                                      .pack = scree_pack_body,
                                      .unpack = scree_unpack_body,
                                      WHICH(scree_body_entry, kind),
                                      .prepare = scree_prepare_body,
                                      .check = scree_check_body};
