/* case_schema_walls.c: the entries of `walls`. */
#include "io/schema/case_rows.h"

static const scree_range sides = {3, 1000, false, false};

static const char *const faces[SCREE_FACES] = {"left", "right",  "front",
                                               "back", "bottom", "top"};

const char *scree_face_name(int i, const char **about) {
    (void)about;
    return i < SCREE_FACES ? faces[i] : NULL;
}

static const scree_field plane_rows[] = {
    {"point", SCREE_FIELD_VECTOR, AT(scree_plane_def, point), SCREE_REQUIRED,
     .unit = "m", .about = "A point of the plane.", .example = "[0, 0, 0]"},
    {"normal", SCREE_FIELD_VECTOR, AT(scree_plane_def, normal),
     SCREE_REQUIRED | SCREE_DIRECTION,
     .about = "Direction into the free space; its length does not count. "
              "Behind the plane all is solid.",
     .example = "[0, 0, 1]"},
};
static const scree_table plane_table = {ROWS(plane_rows)};

static const scree_field wall_box_rows[] = {
    {"min", SCREE_FIELD_VECTOR, AT(scree_wall_entry, box.min), SCREE_REQUIRED,
     .unit = "m", .about = "Lower corner.", .example = "[-0.5, -0.5, 0]"},
    {"max", SCREE_FIELD_VECTOR, AT(scree_wall_entry, box.max), SCREE_REQUIRED,
     .unit = "m", .about = "Upper corner.", .example = "[0.5, 0.5, 1]"},
    {"open", SCREE_FIELD_CHOICES, AT(scree_wall_entry, box.open),
     .names = scree_face_name,
     .about = "Faces that are left out: left and right in x, front and back in "
              "y, bottom and top in z (with planar in y).",
     .otherwise = "all six faces are there", .example = "[top]"},
};
static const scree_table wall_box_table = {ROWS(wall_box_rows),
                                           .check = scree_check_wall_box};

static const scree_field prism_rows[] = {
    {"center", SCREE_FIELD_VECTOR, AT(scree_wall_entry, prism.center),
     SCREE_REQUIRED, .unit = "m", .about = "Middle of the prism.",
     .example = "[0, 0, 0]"},
    {"axis", SCREE_FIELD_VECTOR, AT(scree_wall_entry, prism.axis),
     SCREE_REQUIRED | SCREE_DIRECTION,
     .about = "Direction of the prism; its length does not count.",
     .example = "[0, 1, 0]"},
    {"radius", SCREE_FIELD_NUMBER, AT(scree_wall_entry, prism.radius),
     SCREE_REQUIRED, .range = &scree_positive, .unit = "m",
     .about = "Distance of the sides from the axis.", .example = "0.5"},
    {"length", SCREE_FIELD_NUMBER, AT(scree_wall_entry, prism.length),
     SCREE_REQUIRED, .range = &scree_positive, .unit = "m",
     .about = "Distance of the ends.", .example = "0.2"},
    {"sides", SCREE_FIELD_INTEGER, AT(scree_wall_entry, prism.sides),
     SCREE_REQUIRED, .range = &sides,
     .about = "Number of sides; many make a drum.", .example = "60"},
};
static const scree_table prism_table = {ROWS(prism_rows)};

static const scree_field mesh_rows[] = {
    {"file", SCREE_FIELD_FILE, AT(scree_case_surface, file), SCREE_REQUIRED,
     .about = "STL or OBJ file, looked up beside the case file. Solid behind "
              "its normals.",
     .example = "funnel.stl"},
    {"scale", SCREE_FIELD_NUMBER, AT(scree_case_surface, scale),
     .range = &scree_positive,
     .about = "Factor from the file's unit to metres: 0.001 for millimetres.",
     .example = "0.001"},
    {"two_sided", SCREE_FIELD_SWITCH, AT(scree_case_surface, two_sided),
     .about = "on: a thin wall that is touched from both sides.",
     .example = "on"},
};
static const scree_table mesh_table = {ROWS(mesh_rows)};

static const scree_field crop_rows[] = {
    {"min", SCREE_FIELD_VECTOR, AT(scree_case_crop, low), SCREE_REQUIRED,
     .unit = "m", .about = "South-western corner; z does not count.",
     .example = "[2600000, 1200000, 0]"},
    {"max", SCREE_FIELD_VECTOR, AT(scree_case_crop, high), SCREE_REQUIRED,
     .unit = "m", .about = "North-eastern corner; z does not count.",
     .example = "[2601000, 1201000, 0]"},
};
static const scree_table crop_table = {ROWS(crop_rows),
                                       .check = scree_check_crop};

static const scree_range passes = {0, 1000, false, false};

static const scree_field terrain_rows[] = {
    {"file", SCREE_FIELD_FILE, AT(scree_case_surface, file), SCREE_REQUIRED,
     .about =
         "Grid of heights, looked up beside the case file: ESRI ASCII (.asc, "
         "with its coordinate reference in a .prj beside it), or GeoTIFF "
         "(.tif), which needs a program built with GDAL.",
     .example = "hill.asc"},
    {"crop", SCREE_FIELD_MAP, AT(scree_case_surface, crop),
     .table = &crop_table,
     .about = "The part of it that is taken; holes beside it do not matter.",
     .otherwise = "all of it",
     .example = "{min: [2600000, 1200000, 0], max: [2601000, 1201000, 0]}"},
    {"cell", SCREE_FIELD_NUMBER, AT(scree_case_surface, cell),
     .range = &scree_positive, .unit = "m",
     .about = "Size of cells that it is resampled to, bilinear.",
     .otherwise = "that of the file", .example = "2"},
    {"smooth", SCREE_FIELD_INTEGER, AT(scree_case_surface, smooth),
     .range = &passes,
     .about = "Passes of smoothing, each with the weights 1, 2, 1 along x and "
              "along y.",
     .example = "1"},
};
static const scree_table terrain_table = {ROWS(terrain_rows)};

static const scree_field segments_rows[] = {
    {"points", SCREE_FIELD_CORNERS, AT(scree_case_surface, points),
     SCREE_REQUIRED, .unit = "m",
     .count = offsetof(scree_case_surface, n_point),
     .about = "Corners in turn.", .example = "[[-1, 1], [0, 0], [1, 1]]"},
    {"closed", SCREE_FIELD_SWITCH, AT(scree_case_surface, closed),
     .about = "on: the last point is joined to the first.", .example = "on"},
    {"thickness", SCREE_FIELD_NUMBER, AT(scree_case_surface, thickness),
     .range = &scree_not_negative, .unit = "m",
     .about =
         "Thickness of all segments, which are rounded at corners and ends.",
     .example = "0.01"},
};
static const scree_table segments_table = {ROWS(segments_rows)};

/* What surfaces of revolution share. */
#define TURNED(member) AT(scree_case_surface, turned.member)
#define AXIS_ROWS                                                              \
    {"point",                                                                  \
     SCREE_FIELD_VECTOR,                                                       \
     TURNED(point),                                                            \
     SCREE_REQUIRED,                                                           \
     .unit = "m",                                                              \
     .about = "A point of the axis: heights count from there.",                \
     .example = "[0, 0, 0]"},                                                  \
    {                                                                          \
        "axis", SCREE_FIELD_VECTOR, TURNED(axis),                              \
            SCREE_REQUIRED | SCREE_DIRECTION,                                  \
            .about = "Direction of the axis; its length does not count.",      \
            .example = "[0, 0, 1]"                                             \
    }
#define SIDE_ROW                                                               \
    {                                                                          \
        "outside", SCREE_FIELD_SWITCH, TURNED(outside),                        \
            .about = "on: bodies are outside of it; off: inside.",             \
            .example = "on"                                                    \
    }

static const scree_field cylinder_rows[] = {
    AXIS_ROWS,
    {"radius", SCREE_FIELD_NUMBER, TURNED(radius), SCREE_REQUIRED,
     .range = &scree_positive, .unit = "m", .about = "Radius.",
     .example = "0.5"},
    {"length", SCREE_FIELD_NUMBER, TURNED(length), .range = &scree_positive,
     .unit = "m", .about = "How far it goes from the point along the axis.",
     .otherwise = "without ends", .example = "0.2"},
    SIDE_ROW,
};
static const scree_table cylinder_table = {ROWS(cylinder_rows)};

static const scree_field cone_rows[] = {
    AXIS_ROWS,
    {"radius", SCREE_FIELD_NUMBER, TURNED(radius), SCREE_REQUIRED,
     .range = &scree_not_negative, .unit = "m", .about = "Radius at the point.",
     .example = "0.05"},
    {"top_radius", SCREE_FIELD_NUMBER, TURNED(top_radius), SCREE_REQUIRED,
     .range = &scree_not_negative, .unit = "m",
     .about = "Radius at the other end.", .example = "0.5"},
    {"length", SCREE_FIELD_NUMBER, TURNED(length), SCREE_REQUIRED,
     .range = &scree_positive, .unit = "m",
     .about = "How far it goes from the point along the axis.",
     .example = "0.4"},
    SIDE_ROW,
};
static const scree_table cone_table = {ROWS(cone_rows)};

static const scree_field profile_rows[] = {
    AXIS_ROWS,
    {"points", SCREE_FIELD_CORNERS, TURNED(profile), SCREE_REQUIRED,
     .unit = "m", .count = offsetof(scree_case_surface, turned.n_point),
     .about = "Distance from the axis and height of corners in turn; bodies "
              "are on the left as it goes on: upwards it is an inside.",
     .example = "[[0.05, 0], [0.5, 0.4], [0.5, 1.5]]"},
};
static const scree_table profile_table = {ROWS(profile_rows)};

static const scree_field oscillation_rows[] = {
    {"amplitude", SCREE_FIELD_VECTOR, AT(scree_motion, amplitude),
     SCREE_REQUIRED, .unit = "m",
     .about = "Amplitude of the wall's place, with its direction.",
     .example = "[0, 0, 0.01]"},
    {"frequency", SCREE_FIELD_NUMBER, AT(scree_motion, frequency),
     SCREE_REQUIRED, .range = &scree_positive, .unit = "Hz",
     .about = "Oscillations a second.", .example = "10"},
    {"phase", SCREE_FIELD_NUMBER, AT(scree_motion, phase), .unit = "rad",
     .about = "Phase at the start.", .example = "0"},
};
static const scree_table oscillation_table = {ROWS(oscillation_rows)};

static const scree_field rotation_rows[] = {
    {"axis", SCREE_FIELD_VECTOR, AT(scree_motion, axis),
     SCREE_REQUIRED | SCREE_DIRECTION | SCREE_AXIAL,
     .about = "Axis of the rotation; its length does not count.",
     .example = "[0, 1, 0]"},
    {"origin", SCREE_FIELD_VECTOR, AT(scree_motion, origin), .unit = "m",
     .about = "A point of the axis.", .example = "[0, 0, 0]"},
    {"rate", SCREE_FIELD_NUMBER, AT(scree_motion, rate), SCREE_REQUIRED,
     .unit = "rad/s", .about = "Angular velocity about the axis.",
     .example = "1.5"},
};
static const scree_table rotation_table = {ROWS(rotation_rows)};

static const scree_field displacement_rows[] = {
    {"direction", SCREE_FIELD_VECTOR, AT(scree_motion, along),
     SCREE_REQUIRED | SCREE_DIRECTION,
     .about = "Direction of the way; its length does not count.",
     .example = "[0, 0, 1]"},
    {"table", SCREE_FIELD_CORNERS, AT(scree_motion, table), SCREE_REQUIRED,
     .count = offsetof(scree_motion, n_table),
     .about = "Times [s] and how far the wall has gone then [m], straight in "
              "between; before the first and after the last it stands.",
     .example = "[[0, 0], [1, 0.02], [2, 0.02]]"},
};
static const scree_table displacement_table = {ROWS(displacement_rows)};

static const scree_field motion_rows[] = {
    {"velocity", SCREE_FIELD_VECTOR, AT(scree_motion, velocity), .unit = "m/s",
     .about = "Steady velocity.", .example = "[0, 0, 0.1]"},
    {"oscillation", SCREE_FIELD_MAP, .table = &oscillation_table,
     .about = "A harmonic motion.", .otherwise = "none",
     .example = "{amplitude: [0, 0, 0.01], frequency: 10}"},
    {"rotation", SCREE_FIELD_MAP, .table = &rotation_table,
     .about = "A steady rotation.", .otherwise = "none",
     .example = "{axis: [0, 1, 0], rate: 1.5}"},
    {"displacement", SCREE_FIELD_MAP, .table = &displacement_table,
     .about = "A way that a table says.", .otherwise = "none",
     .example = "{direction: [0, 0, 1], table: [[0, 0], [1, 0.02]]}"},
};
static const scree_table motion_table = {ROWS(motion_rows)};

#define SERVO(member) AT(scree_case_servo, member)
static const scree_field servo_rows[] = {
    {"force", SCREE_FIELD_NUMBER, SERVO(target), SCREE_ONE_OF, .unit = "N",
     .about = "Force with which the wall is pressed along its direction; its "
              "own weight is not added.",
     .example = "250"},
    {"pressure", SCREE_FIELD_NUMBER, SERVO(target), SCREE_ONE_OF, .unit = "Pa",
     .about = "Force over an area: that of `area`, or what the planes of a "
              "`room` span at the time; with planar N/m over a length.",
     .example = "10e3"},
    {"torque", SCREE_FIELD_NUMBER, SERVO(target), SCREE_ONE_OF, .unit = "N m",
     .about = "Torque about an axis: the wall turns.", .example = "2"},
    {"area", SCREE_FIELD_NUMBER, SERVO(area), .range = &scree_positive,
     .unit = "m^2", .about = "Area that a pressure acts on.",
     .otherwise = "spanned by the room", .example = "0.01"},
    {"room", SCREE_FIELD_NAME, SERVO(room),
     .about = "Name of a box, or what planes ROOM.* have in common: the "
              "distances of those that face each other across the direction "
              "span the area.",
     .otherwise = "of a box it is the box itself", .example = "cell"},
    {"faces", SCREE_FIELD_CHOICES, SERVO(faces), .names = scree_face_name,
     .about = "Faces of a box that are driven, each by itself; others stand.",
     .otherwise = "all that are there", .example = "[left, right, top]"},
    {"direction", SCREE_FIELD_VECTOR, SERVO(direction), SCREE_DIRECTION,
     .about = "Direction of force, pressure and way; its length does not "
              "count.",
     .otherwise = "the normal of a plane or face", .example = "[0, 0, -1]"},
    {"axis", SCREE_FIELD_VECTOR, SERVO(axis), SCREE_DIRECTION | SCREE_AXIAL,
     .about = "Axis of a torque; its length does not count.",
     .otherwise = "required with torque", .example = "[0, 1, 0]"},
    {"origin", SCREE_FIELD_VECTOR, SERVO(origin), .unit = "m",
     .about = "A point of the axis.", .otherwise = "[0, 0, 0]",
     .example = "[0, 0, 0.5]"},
    {"mass", SCREE_FIELD_NUMBER, SERVO(mass), .range = &scree_positive,
     .unit = "kg", .about = "Mass of the wall.",
     .otherwise = "such that it comes to its speed in a step",
     .example = "1.5"},
    {"inertia", SCREE_FIELD_NUMBER, SERVO(inertia), .range = &scree_positive,
     .unit = "kg m^2", .about = "Moment of inertia of a wall with torque.",
     .otherwise = "such that it comes to its speed in a step; without speed it "
                  "is required",
     .example = "0.02"},
    {"speed", SCREE_FIELD_NUMBER, SERVO(speed), .range = &scree_positive,
     .unit = "m/s or rad/s",
     .about = "Highest speed, which it comes to when nothing is in its way: a "
              "damper takes force over speed. What pushes it back at a speed v "
              "feels the force times 1 + v / speed.",
     .otherwise = "1, of a torque any", .example = "0.5"},
    {"damping", SCREE_FIELD_NUMBER, SERVO(damping),
     .range = &scree_not_negative, .unit = "N s/m or N m s",
     .about = "Damper, in place of a highest speed.",
     .otherwise = "force over speed, of a torque without speed 0",
     .example = "0"},
    {"until", SCREE_FIELD_NUMBER, SERVO(until), .unit = "s",
     .about = "Time from which on it is driven no more but goes on as `then` "
              "says.",
     .otherwise = "to the end", .example = "0.5"},
    {"then", SCREE_FIELD_NUMBER, SERVO(then), .unit = "m/s or rad/s",
     .about = "Its velocity along the direction, or about the axis, after "
              "`until`.",
     .otherwise = "0: it stands", .example = "0.02"},
};
static const scree_table servo_table = {ROWS(servo_rows),
                                        WHICH(scree_case_servo, goal),
                                        .check = scree_check_servo};

static const scree_field wall_rows[] = {
    {"plane", SCREE_FIELD_MAP, AT(scree_wall_entry, plane), SCREE_ONE_OF,
     .table = &plane_table, .about = "A plane without end.",
     .example = "{point: [0, 0, 0], normal: [0, 0, 1]}"},
    {"box", SCREE_FIELD_MAP, .flags = SCREE_ONE_OF, .table = &wall_box_table,
     .about = "A room: planes around the bodies.",
     .example = "{min: [-0.5, -0.5, 0], max: [0.5, 0.5, 1], open: [top]}"},
    {"prism", SCREE_FIELD_MAP, .flags = SCREE_ONE_OF, .table = &prism_table,
     .about = "A prism around the bodies, with two ends: a drum of planes.",
     .example = "{center: [0, 0, 0], axis: [0, 1, 0], radius: 0.5, length: "
                "0.2, sides: 60}"},
    {"mesh", SCREE_FIELD_MAP, AT(scree_wall_entry, surface), SCREE_ONE_OF,
     .table = &mesh_table, .about = "A surface of triangles from a file.",
     .example = "{file: funnel.stl, scale: 0.001}"},
    {"terrain", SCREE_FIELD_MAP, AT(scree_wall_entry, surface), SCREE_ONE_OF,
     .table = &terrain_table,
     .about = "Ground from a grid of heights; it stands still.",
     .example = "{file: hill.asc}"},
    {"segments", SCREE_FIELD_MAP, AT(scree_wall_entry, surface), SCREE_ONE_OF,
     .table = &segments_table,
     .about = "A chain of segments, touched from both sides; with planar only.",
     .example = "{points: [[-1, 1], [0, 0], [1, 1]]}"},
    {"cylinder", SCREE_FIELD_MAP, AT(scree_wall_entry, surface), SCREE_ONE_OF,
     .table = &cylinder_table,
     .about = "The inside or outside of a cylinder, smooth and without end "
              "faces: a drum that turns about its axis stays where it is.",
     .example = "{point: [0, 0, 0], axis: [0, 1, 0], radius: 0.5}"},
    {"cone", SCREE_FIELD_MAP, AT(scree_wall_entry, surface), SCREE_ONE_OF,
     .table = &cone_table,
     .about = "The inside or outside of a cone or part of one.",
     .example = "{point: [0, 0, 0], axis: [0, 0, 1], radius: 0.05, top_radius: "
                "0.5, length: 0.4}"},
    {"profile", SCREE_FIELD_MAP, AT(scree_wall_entry, surface), SCREE_ONE_OF,
     .table = &profile_table,
     .about = "A profile that is turned about an axis: a silo with its hopper, "
              "a cup, a post; nothing is felt where its parts meet.",
     .example = "{point: [0, 0, 0], axis: [0, 0, 1], points: [[0.05, 0], [0.5, "
                "0.4], [0.5, 1.5]]}"},
    {"name", SCREE_FIELD_NAME, AT(scree_wall_entry, name),
     .about = "Name of the wall in outputs and messages.",
     .otherwise = "wall-N, counted from 0", .example = "floor"},
    {"material", SCREE_FIELD_MATERIAL, AT(scree_wall_entry, plane.material),
     .about = "Name of an entry of `materials`.",
     .otherwise = "the first material", .example = "gravel"},
    {"motion", SCREE_FIELD_MAP, AT(scree_wall_entry, plane.motion),
     .table = &motion_table,
     .about = "How the wall moves; velocity, oscillation and rotation add up.",
     .example = "{velocity: [0, 0, 0.1]}"},
    {"servo", SCREE_FIELD_MAP, AT(scree_wall_entry, servo),
     .table = &servo_table,
     .about = "What drives the wall: it has a mass, gives way, and at rest "
              "bears the force. Beside it `motion` may move it across.",
     .otherwise = "it moves as `motion` says, whatever that takes",
     .example = "{pressure: 10e3, area: 0.01}"},
    {"from", SCREE_FIELD_NUMBER, AT(scree_wall_entry, plane.from), .unit = "s",
     .about = "Time from which on the wall is there.",
     .otherwise = "from the start", .example = "0.5"},
    {"until", SCREE_FIELD_NUMBER, AT(scree_wall_entry, plane.until),
     .unit = "s", .about = "Time up to which the wall is there: a gate opens.",
     .otherwise = "to the end", .example = "1"},
};
const scree_table scree_wall_table = {ROWS(wall_rows),
                                      .size = sizeof(scree_wall_entry),
                                      .has_which = true,
                                      .which = offsetof(scree_wall_entry, kind),
                                      .prepare = scree_prepare_wall,
                                      .check = scree_check_wall};
