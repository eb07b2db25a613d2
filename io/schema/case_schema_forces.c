/* case_schema_forces.c: fields, drag and buoyancy. */
#include "io/schema/case_rows.h"

#define IN(member) AT(scree_case_force, member)

static const scree_field field_rows[] = {
    {"acceleration", SCREE_FIELD_VECTOR, AT(scree_force_def, acceleration),
     .unit = "m/s^2",
     .about = "Acceleration of the bodies, beside gravity. Of all bodies "
              "everywhere it counts as gravity does wherever a value follows "
              "from gravity by default.",
     .example = "[0, 0, 2]"},
    {"force", SCREE_FIELD_VECTOR, AT(scree_force_def, force), .unit = "N",
     .about = "Force on each body, at its centre of mass.",
     .example = "[1, 0, 0]"},
    {"torque", SCREE_FIELD_VECTOR, AT(scree_force_def, torque), SCREE_AXIAL,
     .unit = "N m", .about = "Torque on each body.", .example = "[0, 0, 0.1]"},
};
static const scree_table field_table = {ROWS(field_rows)};

static const scree_field drag_rows[] = {
    {"linear", SCREE_FIELD_NUMBER, AT(scree_drag, linear),
     .range = &scree_not_negative, .unit = "1/s",
     .about = "Linear drag: a force of the body's mass times this times its "
              "velocity against the fluid.",
     .example = "0.5"},
    {"quadratic", SCREE_FIELD_NUMBER, AT(scree_drag, quadratic),
     .range = &scree_not_negative,
     .about = "Drag coefficient C: a force of 1/2 C density A v^2, with the "
              "area A of the ball of the body's volume (planar: of its "
              "width).",
     .example = "0.47"},
    {"spin", SCREE_FIELD_NUMBER, AT(scree_drag, spin),
     .range = &scree_not_negative, .unit = "1/s",
     .about = "Rate at which the fluid takes the spin of a body.",
     .example = "0.2"},
    {"density", SCREE_FIELD_NUMBER, AT(scree_drag, density),
     .range = &scree_not_negative, .unit = "kg/m^3",
     .about = "Density of the fluid.", .example = "1000"},
    {"velocity", SCREE_FIELD_VECTOR, AT(scree_drag, velocity), .unit = "m/s",
     .about = "Velocity of the fluid.", .example = "[3, 0, 0]"},
    {"buoyancy", SCREE_FIELD_SWITCH, AT(scree_drag, buoyancy),
     .about = "on: a body loses the weight of the fluid in its place.",
     .example = "on"},
};
static const scree_table drag_table = {ROWS(drag_rows),
                                       .check = scree_check_drag};

static const scree_field box_rows[] = {
    {"min", SCREE_FIELD_VECTOR, AT(scree_force_def, low), SCREE_REQUIRED,
     .unit = "m", .about = "Lower corner.", .example = "[-1, -1, 0]"},
    {"max", SCREE_FIELD_VECTOR, AT(scree_force_def, high), SCREE_REQUIRED,
     .unit = "m", .about = "Upper corner.", .example = "[1, 1, 0.5]"},
};
static const scree_table box_table = {ROWS(box_rows),
                                      .check = scree_check_force_box};

static const scree_field force_rows[] = {
    {"field", SCREE_FIELD_MAP, IN(def), .table = &field_table,
     .about = "What is the same for all of its bodies at all times.",
     .otherwise = "none", .example = "{acceleration: [0, 0, 2]}"},
    {"drag", SCREE_FIELD_MAP, IN(def.drag), .table = &drag_table,
     .about = "A fluid, in which a body is slowed down to the fluid's "
              "velocity. A body is in one: the first of the list whose box it "
              "is in.",
     .otherwise = "none", .example = "{quadratic: 0.47, density: 1.2}"},
    {"box", SCREE_FIELD_MAP, IN(def), .table = &box_table,
     .about = "It acts on bodies whose centre is in this box.",
     .otherwise = "everywhere",
     .example = "{min: [-1, -1, 0], max: [1, 1, 0.5]}"},
    {"materials", SCREE_FIELD_SOME_MATERIALS, IN(def.materials),
     .count = offsetof(scree_case_force, def.n_material),
     .about = "It acts on bodies of these materials.",
     .otherwise = "all materials", .example = "[gravel]"},
};
const scree_table scree_force_table = {
    ROWS(force_rows), .size = sizeof(scree_case_force),
    .prepare = scree_prepare_force, .check = scree_check_force};
