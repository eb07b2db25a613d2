/* case_schema_joints.c: joints, springs, cables, and nets. */
#include "io/schema/case_rows.h"

static const scree_range not_positive = {-INFINITY, 0, true, false};
static const scree_range an_id = {0, 9e18, false, false};
static const scree_range some_cells = {1, 100000, false, false};
static const scree_range any_cells = {0, 100000, false, false};
static const scree_range at_least_one = {1, INFINITY, false, true};

static const char *kind_name(int i, const char **about) {
    (void)about;
    return scree_joint_kind_name(i);
}

#define IN(member) AT(scree_case_joint, member)

static const scree_field limits_rows[] = {
    {"from", SCREE_FIELD_NUMBER, AT(scree_case_limits, from), SCREE_REQUIRED,
     .range = &not_positive, .unit = "rad, m",
     .about = "Lower limit, from where the joint is at the start.",
     .example = "-0.5"},
    {"to", SCREE_FIELD_NUMBER, AT(scree_case_limits, to), SCREE_REQUIRED,
     .range = &scree_not_negative, .unit = "rad, m", .about = "Upper limit.",
     .example = "0.5"},
};
static const scree_table limits_table = {ROWS(limits_rows)};

static const scree_field motor_rows[] = {
    {"speed", SCREE_FIELD_NUMBER, AT(scree_case_motor, speed), SCREE_REQUIRED,
     .unit = "rad/s, m/s", .about = "Speed of a over b that it wants.",
     .example = "3"},
    {"strength", SCREE_FIELD_NUMBER, AT(scree_case_motor, strength),
     SCREE_REQUIRED, .range = &scree_positive, .unit = "N m, N",
     .about = "Torque or force that it bears at most; it stalls at more.",
     .example = "20"},
};
static const scree_table motor_table = {ROWS(motor_rows)};

static const scree_field joint_rows[] = {
    {"kind", SCREE_FIELD_OPTION, IN(def.kind), SCREE_REQUIRED,
     .names = kind_name,
     .about = "ball, hinge, slider and fixed hold a point; rod, spring and "
              "cable go from point to point.",
     .example = "hinge"},
    {"a", SCREE_FIELD_COUNT, IN(def.a), SCREE_REQUIRED, .range = &an_id,
     .about = "Id of a body: bodies count from 0 in the order of the file.",
     .example = "0"},
    {"b", SCREE_FIELD_COUNT, IN(def.b), .range = &an_id,
     .about = "Id of the other body.", .otherwise = "the ground",
     .example = "1"},
    {"point", SCREE_FIELD_VECTOR, IN(def.point_a), .unit = "m",
     .about = "Where it is at the start; of a rod, spring or cable its end on "
              "a.",
     .otherwise = "the centre of a", .example = "[0, 0, 1]"},
    {"to", SCREE_FIELD_VECTOR, IN(def.point_b), .unit = "m",
     .about = "Of a rod, spring or cable its end on b.",
     .otherwise = "the centre of b", .example = "[0, 0, 2]"},
    {"axis", SCREE_FIELD_VECTOR, IN(def.axis), SCREE_DIRECTION | SCREE_ANY_WAY,
     .about = "Axis of a hinge or slider at the start; in the plane that of a "
              "hinge is z.",
     .example = "[0, 1, 0]"},
    {"length", SCREE_FIELD_NUMBER, IN(def.length), .range = &scree_not_negative,
     .unit = "m", .about = "Length of a rod, spring or cable at rest.",
     .otherwise = "the distance of its ends at the start", .example = "1.5"},
    {"stiffness", SCREE_FIELD_NUMBER, IN(def.stiffness),
     .range = &scree_not_negative, .unit = "N/m",
     .about = "Of a spring; of a cable: 0 is inextensible.", .example = "1e4"},
    {"damping", SCREE_FIELD_NUMBER, IN(def.damping),
     .range = &scree_not_negative, .unit = "N s/m",
     .about = "Of a spring or an elastic cable.", .example = "20"},
    {"prestress", SCREE_FIELD_NUMBER, IN(def.prestress),
     .range = &scree_not_negative, .unit = "N",
     .about = "Of a spring: it keeps its length until a load passes this.",
     .example = "100"},
    {"friction", SCREE_FIELD_NUMBER, IN(def.friction),
     .range = &scree_not_negative, .unit = "N m, N",
     .about = "Dry friction of a hinge or slider: what it bears at most.",
     .example = "0.5"},
    {"motor", SCREE_FIELD_MAP, IN(motor), .table = &motor_table,
     .about = "A motor of a hinge or slider.", .otherwise = "none",
     .example = "{speed: 3, strength: 20}"},
    {"limits", SCREE_FIELD_MAP, IN(limits), .table = &limits_table,
     .about = "How far a hinge or slider goes.", .otherwise = "any way",
     .example = "{from: -0.5, to: 0.5}"},
    {"restitution", SCREE_FIELD_NUMBER, IN(def.restitution),
     .range = &scree_ratio,
     .about = "Of limits, and of an inextensible cable that comes tight.",
     .example = "0.2"},
    {"slips_at", SCREE_FIELD_NUMBER, IN(def.slips_at),
     .range = &scree_not_negative, .unit = "N",
     .about = "Force of the brake that a cable slips out of; 0: none.",
     .example = "5e3"},
    {"breaks_at", SCREE_FIELD_NUMBER, IN(def.breaks_at),
     .range = &scree_not_negative, .unit = "N",
     .about = "Force that breaks it; 0: none does.", .example = "2e4"},
    {"collide", SCREE_FIELD_SWITCH, IN(def.collide),
     .about = "on: its bodies touch each other; else they pass.",
     .example = "on"},
};
const scree_table scree_joint_table = {
    ROWS(joint_rows), .size = sizeof(scree_case_joint),
    .prepare = scree_prepare_joint, .check = scree_check_joint};
#undef IN

/* ---- nets ------------------------------------------------------------------ */

static const scree_field strand_rows[] = {
    {"stiffness", SCREE_FIELD_NUMBER, AT(scree_strand, stiffness),
     .range = &scree_not_negative, .unit = "N/m",
     .about = "Stiffness of each cable; 0: inextensible.", .example = "1e5"},
    {"damping", SCREE_FIELD_NUMBER, AT(scree_strand, damping),
     .range = &scree_not_negative, .unit = "N s/m",
     .about = "Damping of each elastic cable.", .example = "20"},
    {"breaks_at", SCREE_FIELD_NUMBER, AT(scree_strand, breaks_at),
     .range = &scree_not_negative, .unit = "N",
     .about = "Force that breaks a cable; 0: none does.", .example = "2e4"},
};
static const scree_table strand_table = {ROWS(strand_rows)};

static const char *anchors_name(int i, const char **about) {
    static const char *const names[] = {[SCREE_ANCHOR_CORNERS] = "corners",
                                        [SCREE_ANCHOR_SIDES] = "sides",
                                        [SCREE_ANCHOR_EDGES] = "edges",
                                        [SCREE_ANCHOR_NONE] = "none"};
    (void)about;
    return i < SCREE_ANCHOR_PLACES ? names[i] : NULL;
}

#define IN(member) AT(scree_case_net, member)

static const scree_field net_rows[] = {
    {"name", SCREE_FIELD_NAME, IN(name), SCREE_REQUIRED,
     .about = "Name of the net in outputs.", .example = "barrier"},
    {"corner", SCREE_FIELD_VECTOR, IN(def.corner), SCREE_REQUIRED, .unit = "m",
     .about = "A corner of the net.", .example = "[-1, -1, 2]"},
    {"along", SCREE_FIELD_VECTOR, IN(def.along), SCREE_REQUIRED, .unit = "m",
     .about = "Its side from there, in columns.", .example = "[2, 0, 0]"},
    {"across", SCREE_FIELD_VECTOR, IN(def.across), .unit = "m",
     .about = "Its other side, in rows.", .example = "[0, 2, 0]"},
    {"columns", SCREE_FIELD_INTEGER, IN(def.columns), SCREE_REQUIRED,
     .range = &some_cells, .about = "Cells along.", .example = "10"},
    {"rows", SCREE_FIELD_INTEGER, IN(def.rows), .range = &any_cells,
     .about = "Cells across; 0: a chain.", .example = "10"},
    {"radius", SCREE_FIELD_NUMBER, IN(def.radius), SCREE_REQUIRED,
     .range = &scree_positive, .unit = "m",
     .about = "Radius of its nodes, which are spheres.", .example = "0.05"},
    {"material", SCREE_FIELD_MATERIAL, IN(def.material),
     .about = "Material of the nodes.", .otherwise = "the first material",
     .example = "steel"},
    {"slack", SCREE_FIELD_NUMBER, IN(def.slack), .range = &at_least_one,
     .about = "Length of its cables over the distance of their nodes.",
     .example = "1.05"},
    {"cable", SCREE_FIELD_MAP, IN(def.mesh), .table = &strand_table,
     .about = "Its cables.", .example = "{stiffness: 1e5, breaks_at: 2e4}"},
    {"rope", SCREE_FIELD_MAP, IN(def.rope), .table = &strand_table,
     .about = "The cables of its border.",
     .example = "{stiffness: 5e5, breaks_at: 1e5}"},
    {"roped", SCREE_FIELD_SWITCH, IN(def.roped),
     .about = "on: its border is a rope.", .example = "on"},
    {"anchors", SCREE_FIELD_OPTION, IN(def.anchors), .names = anchors_name,
     .about = "Nodes that are held by the ground: corners, sides (first and "
              "last column), edges or none.",
     .example = "edges"},
    {"anchor_length", SCREE_FIELD_NUMBER, IN(def.anchor_length),
     .range = &scree_not_negative, .unit = "m",
     .about = "Length of the cables that hold them, away from the middle; 0: "
              "the nodes stay where they are.",
     .example = "0.5"},
    {"brake", SCREE_FIELD_NUMBER, IN(def.brake), .range = &scree_not_negative,
     .unit = "N", .about = "Force at which the anchors slip; 0: never.",
     .example = "5e3"},
    {"anchor", SCREE_FIELD_MAP, IN(def.anchor), .table = &strand_table,
     .about = "The cables of the anchors.", .example = "{breaks_at: 1e5}"},
};
const scree_table scree_net_table = {
    ROWS(net_rows), .size = sizeof(scree_case_net),
    .prepare = scree_prepare_net, .check = scree_check_net};
