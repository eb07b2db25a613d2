/* case_schema.c: what a case file may hold, row by row.
 *
 * The reader goes through each table from top to bottom, so a row may count on
 * the rows above it: `time` comes before the pours that end with it,
 * `materials` before all that is made of them, `planar` before all vectors,
 * `shapes` before the bodies that have them. */
#include "io/schema/case_rows.h"

#include <math.h>

_Static_assert(sizeof(scree_wall_kind) == sizeof(int) &&
                   sizeof(scree_case_body_kind) == sizeof(int) &&
                   sizeof(scree_region_kind) == sizeof(int) &&
                   sizeof(scree_radius_kind) == sizeof(int),
               "a ONE_OF key is stored as an int");
_Static_assert(sizeof(scree_friction_law) == sizeof(int) &&
                   sizeof(scree_hits) == sizeof(int) &&
                   sizeof(scree_dump) == sizeof(int) &&
                   sizeof(scree_local) == sizeof(int) &&
                   sizeof(scree_coarse_mode) == sizeof(int) &&
                   sizeof(scree_on_error) == sizeof(int) &&
                   sizeof(scree_unconverged) == sizeof(int) &&
                   sizeof(scree_audit_rule) == sizeof(int) &&
                   sizeof(scree_turn) == sizeof(int) &&
                   sizeof(scree_case_place) == sizeof(int),
               "an OPTION is stored as an int");
_Static_assert(offsetof(scree_case_pair, b) ==
                   offsetof(scree_case_pair, a) + sizeof(int),
               "the materials of a pair are stored as int[2]");

bool scree_range_contains(const scree_range *range, double x) {
    if (!range) return true;
    return (range->lo_open ? x > range->lo : x >= range->lo) &&
           (range->hi_open ? x < range->hi : x <= range->hi);
}

const scree_range scree_positive = {0, INFINITY, true, true};
const scree_range scree_not_negative = {0, INFINITY, false, true};
const scree_range scree_ratio = {0, 1, false, false};
const scree_range scree_many = {1, 1e9, false, false};
static const scree_range threads = {0, 1024, false, false};

/* ---- materials and their pairs ------------------------------------------- */

static const scree_field anisotropy_rows[] = {
    {"ratio", SCREE_FIELD_NUMBER, AT(scree_anisotropy, ratio), SCREE_REQUIRED,
     .range = &scree_positive,
     .about = "Friction across the direction over that along it.",
     .example = "0.5"},
    {"direction", SCREE_FIELD_VECTOR, AT(scree_anisotropy, direction),
     SCREE_REQUIRED | SCREE_DIRECTION,
     .about = "Direction along which `friction` holds, fixed to the wall or "
              "body, as seen in the plane of contact.",
     .example = "[1, 0, 0]"},
};
static const scree_table anisotropy_table = {ROWS(anisotropy_rows)};

static const scree_field slippage_rows[] = {
    {"least", SCREE_FIELD_NUMBER, AT(scree_slippage, least),
     .range = &scree_not_negative,
     .about = "Coefficient of friction of a rock that has just landed; "
              "`friction` is what it grows to.",
     .example = "0.2"},
    {"growth", SCREE_FIELD_NUMBER, AT(scree_slippage, growth),
     .range = &scree_not_negative, .unit = "1/m",
     .about = "kappa: how fast friction grows with the way of the rock on the "
              "ground; half of it is there after 1 / kappa. 0: no slippage.",
     .example = "2.5"},
    {"decay", SCREE_FIELD_NUMBER, AT(scree_slippage, decay),
     .range = &scree_not_negative, .unit = "1/s",
     .about = "beta: how fast a rock in flight loses the slippage.",
     .example = "175"},
    {"drag", SCREE_FIELD_NUMBER, AT(scree_slippage, drag),
     .range = &scree_not_negative, .unit = "1/s",
     .about = "nu: the ground holds a rock that it bears by nu times its mass "
              "times its velocity (moreau alone).",
     .example = "0.55"},
};
static const scree_table slippage_table = {ROWS(slippage_rows)};

static const scree_field cohesion_rows[] = {
    {"force", SCREE_FIELD_NUMBER, AT(scree_cohesion, force),
     .range = &scree_not_negative, .unit = "N",
     .about = "Attraction of two bodies, the same for all sizes.",
     .example = "0.5"},
    {"energy", SCREE_FIELD_NUMBER, AT(scree_cohesion, energy),
     .range = &scree_not_negative, .unit = "J/m^2",
     .about = "gamma: adds 3/2 pi gamma R to the force, 1/R = 1/r_a + 1/r_b of "
              "the balls around the bodies; walls are flat. Space only.",
     .example = "0.1"},
    {"range", SCREE_FIELD_NUMBER, AT(scree_cohesion, range),
     .range = &scree_not_negative, .unit = "m",
     .about = "Gap up to which bodies attract: to part them takes force times "
              "range. 0: a hundredth of the smaller body's radius.",
     .example = "1e-4"},
};
static const scree_table cohesion_table = {ROWS(cohesion_rows)};

/* Its limits: of a material > 0, of a pair it may be told that there is none. */
#define BOND_ROWS(limit)                                                       \
    {"normal",                                                                 \
     SCREE_FIELD_NUMBER,                                                       \
     AT(scree_bond, normal),                                                   \
     SCREE_REQUIRED,                                                           \
     .range = &(limit),                                                        \
     .unit = "N",                                                              \
     .about = "Tension that breaks the bond. Of pairs 0, like the other "      \
              "limits: no bond.",                                              \
     .example = "100"},                                                        \
        {"tangential",                                                         \
         SCREE_FIELD_NUMBER,                                                   \
         AT(scree_bond, tangential),                                           \
         SCREE_REQUIRED,                                                       \
         .range = &(limit),                                                    \
         .unit = "N",                                                          \
         .about = "Shear that breaks the bond.",                               \
         .example = "50"},                                                     \
        {"moment",                                                             \
         SCREE_FIELD_NUMBER,                                                   \
         AT(scree_bond, moment),                                               \
         .range = &scree_not_negative,                                         \
         .unit = "N m",                                                        \
         .about = "Moment, of bending and torsion together, that breaks the "  \
                  "bond. 0: a hinge, which resists none.",                     \
         .example = "2"},                                                      \
        {"range",                                                              \
         SCREE_FIELD_NUMBER,                                                   \
         AT(scree_bond, range),                                                \
         .range = &scree_not_negative,                                         \
         .unit = "m",                                                          \
         .about = "Gap up to which contacts are glued, and which they keep. "  \
                  "0: a hundredth of the smaller body's radius.",              \
         .example = "1e-4"},                                                   \
        {"from",                                                               \
         SCREE_FIELD_NUMBER,                                                   \
         AT(scree_bond, from),                                                 \
         .range = &scree_not_negative,                                         \
         .unit = "s",                                                          \
         .about = "Contacts that there are in the step of this time are "      \
                  "glued.",                                                    \
         .example = "0.5"},                                                    \
    {                                                                          \
        "always", SCREE_FIELD_SWITCH, AT(scree_bond, always),                  \
            .about = "on: so are those that come later, whenever bodies "      \
                     "touch anew; contacts with a broken bond are not.",       \
            .example = "on"                                                    \
    }

static const scree_field bond_rows[] = {BOND_ROWS(scree_positive)};
static const scree_field pair_bond_rows[] = {BOND_ROWS(scree_not_negative)};
static const scree_table bond_table = {ROWS(bond_rows)};
static const scree_table pair_bond_table = {ROWS(pair_bond_rows)};

static const scree_field material_rows[] = {
    {"name", SCREE_FIELD_NAME, AT(scree_case_material, name), SCREE_REQUIRED,
     .about = "Name by which bodies, walls and pairs refer to the material.",
     .example = "gravel"},
    {"density", SCREE_FIELD_NUMBER, AT(scree_case_material, def.density),
     SCREE_REQUIRED, .range = &scree_positive, .unit = "kg/m^3",
     .about = "Mass per volume; of plane worlds per area of unit thickness.",
     .example = "2600"},
    {"friction", SCREE_FIELD_NUMBER, AT(scree_case_material, def.law.friction),
     .range = &scree_not_negative,
     .about = "Coulomb's coefficient of friction between bodies of the "
              "material. Two materials: geometric mean.",
     .example = "0.5"},
    {"restitution", SCREE_FIELD_NUMBER, AT(scree_case_material, def.law.e_n),
     .range = &scree_ratio,
     .about = "Coefficient of restitution along the normal. Two "
              "materials: the smaller one.",
     .example = "0.3"},
    {"tangential_restitution", SCREE_FIELD_NUMBER,
     AT(scree_case_material, def.law.e_t), .range = &scree_ratio,
     .about = "Coefficient of restitution of the slip. Two materials: "
              "the smaller one.",
     .example = "0"},
    {"impact", SCREE_FIELD_OPTION, AT(scree_case_material, def.law.impact),
     .names = scree_impact_name,
     .about = "What restitution gives back: newton, velocities, or poisson, "
              "percussions, in two phases of a hit (moreau alone). Two "
              "materials: poisson if one of them says so.",
     .example = "poisson"},
    {"rolling", SCREE_FIELD_NUMBER, AT(scree_case_material, def.law.rolling),
     .range = &scree_not_negative, .unit = "m",
     .about = "Arm of the rolling resistance: a moment up to this times the "
              "normal force resists rolling.",
     .example = "1e-4"},
    {"drilling", SCREE_FIELD_NUMBER, AT(scree_case_material, def.law.drilling),
     .range = &scree_not_negative, .unit = "m",
     .about = "Radius of the patch that resists drilling, the turn about the "
              "normal (Coulomb-Contensou).",
     .example = "1e-4"},
    {"anisotropy", SCREE_FIELD_MAP, AT(scree_case_material, def.law.anisotropy),
     SCREE_SPACE, .table = &anisotropy_table,
     .about = "Friction that depends on the direction of the slip: an ellipse.",
     .otherwise = "the same friction in all directions",
     .example = "{ratio: 0.5, direction: [1, 0, 0]}"},
    {"ground", SCREE_FIELD_OPTION, AT(scree_case_material, ground),
     .names = scree_ground_name,
     .about = "Ground for rockfall by name: sets friction, restitution and "
              "slippage as in RAMMS::ROCKFALL; keys beside it prevail. It "
              "meets other materials with its own values.",
     .example = "medium-hard"},
    {"slippage", SCREE_FIELD_MAP, AT(scree_case_material, def.law.slippage),
     .table = &slippage_table,
     .about = "Friction that grows with the way of a rock on this ground and "
              "is lost in flight (Leine and others 2014).",
     .otherwise = "friction that does not change",
     .example = "{least: 0.4, growth: 2.5, decay: 175, drag: 0.55}"},
    {"cohesion", SCREE_FIELD_MAP, AT(scree_case_material, def.law.cohesion),
     .table = &cohesion_table,
     .about = "Bodies that are near attract; friction and rolling resistance "
              "count with the attraction (moreau alone). Two materials: "
              "geometric means, none if one has none.",
     .otherwise = "none", .example = "{force: 0.5, range: 1e-4}"},
    {"bond", SCREE_FIELD_MAP, AT(scree_case_material, def.law.bond),
     .table = &bond_table,
     .about = "Contacts are glued until a force passes a limit, then they are "
              "like others for good (moreau alone). Two materials: geometric "
              "means, none if one has none.",
     .otherwise = "none",
     .example = "{normal: 100, tangential: 50, moment: 2}"},
};
static const scree_table material_table = {
    ROWS(material_rows), .size = sizeof(scree_case_material),
    .prepare = scree_prepare_material, .check = scree_check_material};

static const scree_field pair_rows[] = {
    {"materials", SCREE_FIELD_MATERIALS, AT(scree_case_pair, a), SCREE_REQUIRED,
     .about = "The two materials that meet with the values of this entry. The "
              "direction of anisotropic friction is fixed to the first one.",
     .example = "[gravel, gravel]"},
    {"friction", SCREE_FIELD_NUMBER, AT(scree_case_pair, law.friction),
     .range = &scree_not_negative,
     .about = "Coulomb's coefficient of friction of the pair.",
     .otherwise = "the geometric mean of both", .example = "0.4"},
    {"restitution", SCREE_FIELD_NUMBER, AT(scree_case_pair, law.e_n),
     .range = &scree_ratio,
     .about = "Coefficient of restitution of the pair, along the normal.",
     .otherwise = "the smaller of both", .example = "0.1"},
    {"tangential_restitution", SCREE_FIELD_NUMBER, AT(scree_case_pair, law.e_t),
     .range = &scree_ratio,
     .about = "Coefficient of restitution of the slip of the pair.",
     .otherwise = "the smaller of both", .example = "0"},
    {"impact", SCREE_FIELD_OPTION, AT(scree_case_pair, law.impact),
     .names = scree_impact_name,
     .about = "What restitution of the pair gives back: newton, velocities, or "
              "poisson, percussions.",
     .otherwise = "poisson if one of both says so", .example = "poisson"},
    {"rolling", SCREE_FIELD_NUMBER, AT(scree_case_pair, law.rolling),
     .range = &scree_not_negative, .unit = "m",
     .about = "Arm of the rolling resistance of the pair.",
     .otherwise = "the geometric mean of both", .example = "1e-4"},
    {"drilling", SCREE_FIELD_NUMBER, AT(scree_case_pair, law.drilling),
     .range = &scree_not_negative, .unit = "m",
     .about = "Radius of the patch of the pair that resists drilling.",
     .otherwise = "the geometric mean of both", .example = "1e-4"},
    {"anisotropy", SCREE_FIELD_MAP, AT(scree_case_pair, law.anisotropy),
     SCREE_SPACE, .table = &anisotropy_table,
     .about = "Friction of the pair that depends on the direction of the slip.",
     .otherwise = "that of the materials",
     .example = "{ratio: 0.5, direction: [1, 0, 0]}"},
    {"collide", SCREE_FIELD_SWITCH, AT(scree_case_pair, collide),
     .about = "off: bodies of the one material pass bodies and walls of the "
              "other as if these were not there.",
     .example = "off"},
    {"cohesion", SCREE_FIELD_MAP, AT(scree_case_pair, law.cohesion),
     .table = &cohesion_table, .about = "Attraction of the pair. {}: none.",
     .otherwise = "the geometric means of both",
     .example = "{force: 0.5, range: 1e-4}"},
    {"bond", SCREE_FIELD_MAP, AT(scree_case_pair, law.bond),
     .table = &pair_bond_table, .about = "Bonds of the pair.",
     .otherwise = "the geometric means of both",
     .example = "{normal: 100, tangential: 50, moment: 2}"},
};
static const scree_table pair_table = {
    ROWS(pair_rows), .size = sizeof(scree_case_pair),
    .prepare = scree_prepare_pair, .check = scree_check_pair};

/* ---- the file ------------------------------------------------------------ */

/* What worlds and models share. The row of the model makes a typing error of
 * that key known in a file that would else be taken for a world. */
#define HEAD_ROWS                                                              \
    {"name",                                                                   \
     SCREE_FIELD_NAME,                                                         \
     AT(scree_draft, c.name),                                                  \
     .about = "Name of the case, and of its folder of results, out/NAME.",     \
     .otherwise = "the name of the file",                                      \
     .example = "my-hopper"},                                                  \
        {"units", SCREE_FIELD_TEXT, AT(scree_draft, c.units),                  \
         .about = "A note for readers; Scree computes in SI units.",           \
         .example = "SI"},                                                     \
        {"seed",                                                               \
         SCREE_FIELD_COUNT,                                                    \
         AT(scree_draft, c.seed),                                              \
         .range = &scree_not_negative,                                         \
         .about = "Seed of everything random: places, sizes, rocks. The same " \
                  "seed gives the same bits.",                                 \
         .example = "1"},                                                      \
        {"time",                                                               \
         SCREE_FIELD_MAP,                                                      \
         .flags = SCREE_REQUIRED,                                              \
         .table = &scree_time_table,                                           \
         .about = "How long the run is and in which steps.",                   \
         .example = "{end: 1, step: 1e-3}"},                                   \
    {                                                                          \
        "model", SCREE_FIELD_MODEL, AT(scree_draft, c.model), SCREE_DECIDES,   \
            .names = scree_model_name,                                         \
            .about = "A small system in generalised coordinates instead of "   \
                     "bodies; scree list tells the models, and --model "       \
                     "LIBRARY.so loads others.",                               \
            .otherwise = "none: the case has bodies", .example = "woodpecker"  \
    }
#define STEPPER_ROWS                                                           \
    {"stepper",                                                                \
     SCREE_FIELD_CHOICE,                                                       \
     AT(scree_draft, c.world.stepper),                                         \
     .names = scree_stepper_name,                                              \
     .about = "Time integrator; scree list says more of each. Worlds: "        \
              "moreau, rattle, schatzman-paoli, semi-implicit-2, "             \
              "semi-implicit-3, moreau-adaptive; small ones: lobatto, "        \
              "generalized-alpha.",                                            \
     .example = "rattle"},                                                     \
    {                                                                          \
        "threads", SCREE_FIELD_INTEGER, AT(scree_draft, c.world.threads),      \
            .range = &threads,                                                 \
            .about = "Threads of each process; 0: OMP_NUM_THREADS if it is "   \
                     "set, else the physical cores. The results are the same " \
                     "bits for any number.",                                   \
            .example = "4"                                                     \
    }
#define CHECKPOINT_ROW                                                         \
    {                                                                          \
        "checkpoint", SCREE_FIELD_MAP, AT(scree_draft, c.checkpoint),          \
            .table = &scree_checkpoint_table,                                  \
            .about = "When the state is saved so that scree resume can go on " \
                     "from there.",                                            \
            .example = "{every_wall: 600}"                                     \
    }
#define REPORT_ROW                                                             \
    {                                                                          \
        "report", SCREE_FIELD_SWITCH, AT(scree_draft, c.report),               \
            .about = "on: the end of the run writes report.html, the run on "  \
                     "one page, as scree report does.",                        \
            .example = "on"                                                    \
    }

static const char *audit_name(int i, const char **about) {
    static const char *const names[] = {
        [SCREE_AUDIT_STOP] = "stop", [SCREE_AUDIT_WARN] = "warn"};
    (void)about;
    return i < 2 ? names[i] : NULL;
}

static const scree_field case_rows[] = {
    HEAD_ROWS,
    {"planar", SCREE_FIELD_SWITCH, AT(scree_draft, c.world.planar),
     SCREE_DECIDES,
     .about = "on: a plane world at z = 0, of discs and polygons. Vectors have "
              "two numbers, turns are one number about z, y is up.",
     .example = "on"},
    {"gravity", SCREE_FIELD_VECTOR, AT(scree_draft, c.world.gravity),
     .unit = "m/s^2", .about = "Acceleration of all bodies.",
     .otherwise = "[0, 0, -9.81], with planar [0, -9.81]",
     .example = "[0, 0, -9.81]"},
    STEPPER_ROWS,
    {"keep_spin_energy", SCREE_FIELD_SWITCH,
     AT(scree_draft, c.world.keep_spin_energy),
     .about = "on: bodies in flight keep the energy of their spin to rounding, "
              "as long flights of rocks want it. off: to the square of the "
              "step, for less.",
     .example = "on"},
    {"reproducible", SCREE_FIELD_SWITCH, AT(scree_draft, c.world.reproducible),
     .about = "on: the same bits for any number of ranks as well, with pgs and "
              "jacobi; slower.",
     .example = "on"},
    {"stepping", SCREE_FIELD_MAP, AT(scree_draft, c.stepping),
     .table = &scree_stepping_table, .about = "Choices of the stepper.",
     .example = "{friction: midslip}"},
    {"solver", SCREE_FIELD_MAP, AT(scree_draft, c.world.solver),
     .table = &scree_solver_table,
     .about = "How the contact problem of each step is solved. The defaults "
              "converge for all ready cases.",
     .example = "{iterations: 500}"},
    {"contact", SCREE_FIELD_MAP, AT(scree_draft, c.world),
     .table = &scree_contact_table, .about = "How contacts enter a step.",
     .example = "{gap_control: on}"},
    {"materials", SCREE_FIELD_LIST, AT(scree_draft, c.materials),
     SCREE_REQUIRED | SCREE_NAMED, .table = &material_table,
     .count = offsetof(scree_draft, c.n_material),
     .about = "What bodies and walls are made of.",
     .example = "[{name: gravel, density: 2600, friction: 0.5}]"},
    {"pairs", SCREE_FIELD_LIST, AT(scree_draft, c.pairs), .table = &pair_table,
     .count = offsetof(scree_draft, c.n_pair),
     .about = "Values of two materials that meet, where the mixing rule is not "
              "wanted.",
     .otherwise = "none",
     .example = "[{materials: [gravel, gravel], friction: 0.4}]"},
    {"shapes", SCREE_FIELD_LIST, AT(scree_draft, c.shapes), SCREE_NAMED,
     .table = &scree_shape_table, .count = offsetof(scree_draft, c.n_shape),
     .about = "Shapes that bodies can have, by name.",
     .otherwise = "none: all bodies are spheres",
     .example = "[{name: brick, box: {size: [0.2, 0.1, 0.1]}}]"},
    {"walls", SCREE_FIELD_LIST, AT(scree_draft, walls),
     .table = &scree_wall_table, .count = offsetof(scree_draft, n_wall),
     .about = "What bodies can touch beside each other: planes, boxes, meshes, "
              "terrain.",
     .otherwise = "none",
     .example =
         "[{name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}]"},
    {"bodies", SCREE_FIELD_LIST, AT(scree_draft, c.bodies), SCREE_REQUIRED,
     .table = &scree_body_table, .count = offsetof(scree_draft, c.n_body),
     .about =
         "The bodies: single ones, lattices, fills, pours, pyramids; of an "
         "ensemble releases.",
     .example = "[{sphere: {position: [0, 0, 1]}, radius: 0.03}]"},
    {"joints", SCREE_FIELD_LIST, AT(scree_draft, c.joints),
     .table = &scree_joint_table, .count = offsetof(scree_draft, c.n_joint),
     .about = "What holds bodies together, or on the ground: joints, rods, "
              "springs, cables. With the steppers moreau and rattle, on one "
              "rank.",
     .otherwise = "none",
     .example = "[{kind: hinge, a: 0, point: [0, 0, 1], axis: [0, 1, 0]}]"},
    {"nets", SCREE_FIELD_LIST, AT(scree_draft, c.nets),
     .table = &scree_net_table, .count = offsetof(scree_draft, c.n_net),
     .about = "Nets and chains of small spheres and cables; their bodies "
              "follow those of the file, their joints come first.",
     .otherwise = "none",
     .example = "[{name: net, corner: [-1, -1, 2], along: [2, 0, 0], across: "
                "[0, 2, 0], columns: 10, rows: 10, radius: 0.02}]"},
    {"forces", SCREE_FIELD_LIST, AT(scree_draft, c.forces),
     .table = &scree_force_table, .count = offsetof(scree_draft, c.n_force),
     .about = "What acts on bodies beside gravity and contacts: fields of "
              "acceleration, force and torque, drag of a fluid and buoyancy, "
              "everywhere or in a box. With the steppers moreau and rattle.",
     .otherwise = "none",
     .example = "[{drag: {linear: 0.5}}, {field: {force: [1, 0, 0]}, box: "
                "{min: [0, -1, 0], max: [1, 1, 2]}}]"},
    {"outlets", SCREE_FIELD_LIST, AT(scree_draft, c.outlets),
     .table = &scree_outlet_table, .count = offsetof(scree_draft, c.n_outlet),
     .about = "Boxes in which bodies are removed and counted.",
     .otherwise = "none",
     .example = "[{name: orifice, box: {min: [-0.1, -0.1, -0.3], max: [0.1, "
                "0.1, -0.2]}}]"},
    {"domain", SCREE_FIELD_MAP, AT(scree_draft, c.domain),
     .table = &scree_domain_table,
     .about = "The box that bodies are to stay in.",
     .otherwise = "they may go anywhere",
     .example = "{min: [-1, -1, -0.1], max: [1, 1, 3], outside: stop}"},
    {"cell", SCREE_FIELD_MAP, AT(scree_draft, c.cell),
     .table = &scree_cell_table, .about = "The periodic cell of the world.",
     .otherwise = "the world is not periodic",
     .example = "{min: [0, 0, 0], max: [1, 1, 3], periodic: xy}"},
    {"stop", SCREE_FIELD_MAP, AT(scree_draft, c.stop),
     .table = &scree_stop_table,
     .about = "The run ends before time.end, as soon as this holds.",
     .otherwise = "it goes on to time.end",
     .example = "{kinetic_energy: 1e-6, for: 0.1}"},
    {"ensemble", SCREE_FIELD_MAP, AT(scree_draft, c.ensemble),
     .table = &scree_ensemble_table,
     .about =
         "Many rocks on one terrain, each alone: deposits, trajectories and "
         "maps of them. time.end is the longest time of each.",
     .otherwise = "all bodies are in one world",
     .example = "{trajectories: 1000, cell: 5}"},
    {"outputs", SCREE_FIELD_LIST, AT(scree_draft, outputs),
     .table = &scree_output_table, .count = offsetof(scree_draft, n_output),
     .about = "What is written, and when.", .otherwise = "nothing is written",
     .example = "[{frames: {every: 0.02}}, {scalars: {every: 0.01}}]"},
    CHECKPOINT_ROW,
    REPORT_ROW,
    {"audit", SCREE_FIELD_OPTION, AT(scree_draft, c.audit), .names = audit_name,
     .about = "What happens if the audit before the first step finds errors: "
              "stop, or warn and run.",
     .example = "warn"},
};
const scree_table scree_case_table = {
    ROWS(case_rows), .check = scree_check_world,
    .elsewhere = &scree_model_case_table,
    .why_not = "has a meaning only with the key 'model'"};

static const scree_field model_case_rows[] = {
    HEAD_ROWS,
    {"parameters", SCREE_FIELD_PARAMETERS, AT(scree_draft, c.parameters),
     .about = "Parameters of the model; scree list MODEL tells them.",
     .otherwise = "those of the model", .example = "{mu: 0.3}"},
    STEPPER_ROWS,
    {"stepping", SCREE_FIELD_MAP, AT(scree_draft, c.stepping),
     .table = &scree_model_stepping_table, .about = "Choices of the stepper.",
     .example = "{stages: 3}"},
    {"solver", SCREE_FIELD_MAP, AT(scree_draft, c.stepping),
     .table = &scree_model_solver_table,
     .about = "How the contact problem of each step is solved.",
     .example = "{tolerance: 1e-10}"},
    {"outputs", SCREE_FIELD_LIST, AT(scree_draft, outputs),
     .table = &scree_model_output_table,
     .count = offsetof(scree_draft, n_output),
     .about = "What is written, and when.", .otherwise = "nothing is written",
     .example = "[{scalars: {every: 0.01}}]"},
    CHECKPOINT_ROW,
    REPORT_ROW,
};
const scree_table scree_model_case_table = {
    ROWS(model_case_rows), .check = scree_check_model,
    .elsewhere = &scree_case_table,
    .why_not = "cannot be with 'model', which brings its own bodies and laws"};
