/* case_schema_walls.c: the entries of `walls`. */
#include "io/schema/case_schema.h"

#include "io/case/case_check.h"

#include <math.h>

#define AT(type, member) .offset = offsetof(type, member)
#define ROWS(rows) .fields = rows, .n = (int)(sizeof rows / sizeof *rows)

static const scree_range positive = {0, INFINITY, true, true};
static const scree_range not_negative = {0, INFINITY, false, true};
static const scree_range sides = {3, 1000, false, false};

static const char *const faces[SCREE_FACES] = {"left", "right",  "front",
                                               "back", "bottom", "top"};

const char *scree_face_name(int i, const char **about) {
    (void)about;
    return i < SCREE_FACES ? faces[i] : NULL;
}

static const scree_field plane_rows[] = {
    {"point", SCREE_FIELD_VECTOR, AT(scree_plane_def, point), SCREE_REQUIRED,
     .unit = "m"},
    {"normal", SCREE_FIELD_VECTOR, AT(scree_plane_def, normal),
     SCREE_REQUIRED | SCREE_DIRECTION},
};
static const scree_table plane_table = {ROWS(plane_rows)};

static const scree_field wall_box_rows[] = {
    {"min", SCREE_FIELD_VECTOR, AT(scree_wall_entry, box.min), SCREE_REQUIRED,
     .unit = "m"},
    {"max", SCREE_FIELD_VECTOR, AT(scree_wall_entry, box.max), SCREE_REQUIRED,
     .unit = "m"},
    {"open", SCREE_FIELD_CHOICES, AT(scree_wall_entry, box.open),
     .names = scree_face_name},
};
static const scree_table wall_box_table = {ROWS(wall_box_rows),
                                           .check = scree_check_wall_box};

static const scree_field prism_rows[] = {
    {"center", SCREE_FIELD_VECTOR, AT(scree_wall_entry, prism.center),
     SCREE_REQUIRED, .unit = "m"},
    {"axis", SCREE_FIELD_VECTOR, AT(scree_wall_entry, prism.axis),
     SCREE_REQUIRED | SCREE_DIRECTION},
    {"radius", SCREE_FIELD_NUMBER, AT(scree_wall_entry, prism.radius),
     SCREE_REQUIRED, .range = &positive, .unit = "m"},
    {"length", SCREE_FIELD_NUMBER, AT(scree_wall_entry, prism.length),
     SCREE_REQUIRED, .range = &positive, .unit = "m"},
    {"sides", SCREE_FIELD_INTEGER, AT(scree_wall_entry, prism.sides),
     SCREE_REQUIRED, .range = &sides},
};
static const scree_table prism_table = {ROWS(prism_rows)};

static const scree_field mesh_rows[] = {
    {"file", SCREE_FIELD_FILE, AT(scree_case_surface, file), SCREE_REQUIRED},
    {"scale", SCREE_FIELD_NUMBER, AT(scree_case_surface, scale),
     .range = &positive},
    {"two_sided", SCREE_FIELD_SWITCH, AT(scree_case_surface, two_sided)},
};
static const scree_table mesh_table = {ROWS(mesh_rows)};

static const scree_field terrain_rows[] = {
    {"file", SCREE_FIELD_FILE, AT(scree_case_surface, file), SCREE_REQUIRED},
};
static const scree_table terrain_table = {ROWS(terrain_rows)};

static const scree_field segments_rows[] = {
    {"points", SCREE_FIELD_CORNERS, AT(scree_case_surface, points),
     SCREE_REQUIRED, .unit = "m",
     .count = offsetof(scree_case_surface, n_point)},
    {"closed", SCREE_FIELD_SWITCH, AT(scree_case_surface, closed)},
    {"thickness", SCREE_FIELD_NUMBER, AT(scree_case_surface, thickness),
     .range = &not_negative, .unit = "m"},
};
static const scree_table segments_table = {ROWS(segments_rows)};

static const scree_field oscillation_rows[] = {
    {"amplitude", SCREE_FIELD_VECTOR, AT(scree_motion, amplitude),
     SCREE_REQUIRED, .unit = "m"},
    {"frequency", SCREE_FIELD_NUMBER, AT(scree_motion, frequency),
     SCREE_REQUIRED, .range = &positive, .unit = "Hz"},
    {"phase", SCREE_FIELD_NUMBER, AT(scree_motion, phase), .unit = "rad"},
};
static const scree_table oscillation_table = {ROWS(oscillation_rows)};

static const scree_field rotation_rows[] = {
    {"axis", SCREE_FIELD_VECTOR, AT(scree_motion, axis),
     SCREE_REQUIRED | SCREE_DIRECTION | SCREE_AXIAL},
    {"origin", SCREE_FIELD_VECTOR, AT(scree_motion, origin), .unit = "m"},
    {"rate", SCREE_FIELD_NUMBER, AT(scree_motion, rate), SCREE_REQUIRED,
     .unit = "rad/s"},
};
static const scree_table rotation_table = {ROWS(rotation_rows)};

static const scree_field motion_rows[] = {
    {"velocity", SCREE_FIELD_VECTOR, AT(scree_motion, velocity), .unit = "m/s"},
    {"oscillation", SCREE_FIELD_MAP, .table = &oscillation_table},
    {"rotation", SCREE_FIELD_MAP, .table = &rotation_table},
};
static const scree_table motion_table = {ROWS(motion_rows)};

static const scree_field wall_rows[] = {
    {"plane", SCREE_FIELD_MAP, AT(scree_wall_entry, plane), SCREE_ONE_OF,
     .table = &plane_table},
    {"box", SCREE_FIELD_MAP, .flags = SCREE_ONE_OF, .table = &wall_box_table},
    {"prism", SCREE_FIELD_MAP, .flags = SCREE_ONE_OF, .table = &prism_table},
    {"mesh", SCREE_FIELD_MAP, AT(scree_wall_entry, surface), SCREE_ONE_OF,
     .table = &mesh_table},
    {"terrain", SCREE_FIELD_MAP, AT(scree_wall_entry, surface), SCREE_ONE_OF,
     .table = &terrain_table},
    {"segments", SCREE_FIELD_MAP, AT(scree_wall_entry, surface), SCREE_ONE_OF,
     .table = &segments_table},
    {"name", SCREE_FIELD_NAME, AT(scree_wall_entry, name)},
    {"material", SCREE_FIELD_MATERIAL, AT(scree_wall_entry, plane.material)},
    {"motion", SCREE_FIELD_MAP, AT(scree_wall_entry, plane.motion),
     .table = &motion_table},
    {"from", SCREE_FIELD_NUMBER, AT(scree_wall_entry, plane.from), .unit = "s"},
    {"until", SCREE_FIELD_NUMBER, AT(scree_wall_entry, plane.until),
     .unit = "s"},
};
const scree_table scree_wall_table = {ROWS(wall_rows),
                                      .size = sizeof(scree_wall_entry),
                                      .has_which = true,
                                      .which = offsetof(scree_wall_entry, kind),
                                      .prepare = scree_prepare_wall,
                                      .check = scree_check_wall};
