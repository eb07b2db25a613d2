/* case_schema.c: what a case file may hold, row by row.
 *
 * The reader goes through each table from top to bottom, so a row may count on
 * the rows above it: `time` comes before the pours that end with it,
 * `materials` before all that is made of them, `planar` before all vectors,
 * `shapes` before the bodies that have them. */
#include "io/schema/case_schema.h"

#include "io/case/case_check.h"

#include <math.h>

#include "solvers/problem/method.h"

#define AT(type, member) .offset = offsetof(type, member)
#define ROWS(rows) .fields = rows, .n = (int)(sizeof rows / sizeof *rows)
#define WHICH(type, member) .has_which = true, .which = offsetof(type, member)

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
                   sizeof(scree_turn) == sizeof(int),
               "an OPTION is stored as an int");
_Static_assert(offsetof(scree_case_pair, b) ==
                   offsetof(scree_case_pair, a) + sizeof(int),
               "the materials of a pair are stored as int[2]");

bool scree_range_contains(const scree_range *range, double x) {
    if (!range) return true;
    return (range->lo_open ? x > range->lo : x >= range->lo) &&
           (range->hi_open ? x < range->hi : x <= range->hi);
}

static const scree_range positive = {0, INFINITY, true, true};
static const scree_range not_negative = {0, INFINITY, false, true};
static const scree_range ratio = {0, 1, false, false};
static const scree_range relaxation = {0, 2, true, true};
static const scree_range momentum = {0, 1, false, true};
static const scree_range solid_fraction = {0, 0.6, true, false};
static const scree_range sweeps = {0, 1e9, false, false};
static const scree_range cluster = {0, 500, false, false};
static const scree_range many = {1, 1e9, false, false};
static const scree_range threads = {0, 1024, false, false};
static const scree_range apart = {1, 1000, false, false};
static const scree_range layers = {1, 1000, false, false};
static const scree_range stages = {2, 5, false, false};
static const scree_range order = {1, 8, false, false};

/* ---- time, solver, stepping, contact ------------------------------------- */

static const scree_field time_rows[] = {
    {"end", SCREE_FIELD_NUMBER, AT(scree_draft, c.end), SCREE_REQUIRED,
     .range = &positive, .unit = "s"},
    {"step", SCREE_FIELD_NUMBER, AT(scree_draft, c.world.dt), SCREE_REQUIRED,
     .range = &positive, .unit = "s"},
};
static const scree_table time_table = {ROWS(time_rows),
                                       .check = scree_check_time};

static const scree_field checkpoint_rows[] = {
    {"every", SCREE_FIELD_NUMBER, AT(scree_case_checkpoint, every),
     .range = &not_negative, .unit = "s"},
    {"every_wall", SCREE_FIELD_NUMBER, AT(scree_case_checkpoint, every_wall),
     .range = &not_negative, .unit = "s"},
    {"keep", SCREE_FIELD_INTEGER, AT(scree_case_checkpoint, keep),
     .range = &many},
};
static const scree_table checkpoint_table = {ROWS(checkpoint_rows)};

static const char *dump_name(int i, const char **about) {
    static const char *const names[] = {[SCREE_DUMP_NONE] = "none",
                                        [SCREE_DUMP_UNCONVERGED] =
                                            "unconverged",
                                        [SCREE_DUMP_ALL] = "all"};
    (void)about;
    return i < 3 ? names[i] : NULL;
}

static const char *local_name(int i, const char **about) {
    static const char *const names[] = {
        [SCREE_LOCAL_PROX] = "prox", [SCREE_LOCAL_EXACT] = "exact"};
    (void)about;
    return i < 2 ? names[i] : NULL;
}

static const char *unconverged_name(int i, const char **about) {
    static const char *const names[] = {
        [SCREE_UNCONVERGED_WARN] = "warn", [SCREE_UNCONVERGED_STOP] = "stop"};
    (void)about;
    return i < 2 ? names[i] : NULL;
}

static const char *coarse_name(int i, const char **about) {
    static const char *const names[] = {
        [SCREE_COARSE_OFF] = "off", [SCREE_COARSE_AUTO] = "auto"};
    (void)about;
    return i < 2 ? names[i] : NULL;
}

/* What a run does about steps that do not converge. */
#define UNCONVERGED_ROWS(type)                                                 \
    {"unconverged", SCREE_FIELD_OPTION, AT(type, unconverged),                 \
     .names = unconverged_name},                                               \
    {                                                                          \
        "unconverged_share", SCREE_FIELD_NUMBER, AT(type, unconverged_share),  \
            .range = &ratio                                                    \
    }

/* A method that runs elsewhere says what runs here. */
static bool refuse_method(const char *name, scree_layout layout, char *text,
                          size_t size) {
    const scree_method *m = scree_method_find(name);
    if (!m || m->runs[layout]) return false;
    scree_method_refuse(m, layout, 0, text, size);
    return true;
}

static bool not_on_worlds(const char *name, char *text, size_t size) {
    return refuse_method(name, SCREE_LAYOUT_LANES, text, size);
}

static const scree_field solver_rows[] = {
    {"method", SCREE_FIELD_CHOICE, AT(scree_solver_options, method),
     .names = scree_solver_name, .why_not = not_on_worlds},
    {"iterations", SCREE_FIELD_INTEGER, AT(scree_solver_options, iterations),
     .range = &many},
    {"tolerance", SCREE_FIELD_NUMBER, AT(scree_solver_options, tolerance),
     .range = &not_negative},
    {"balance", SCREE_FIELD_NUMBER, AT(scree_solver_options, balance),
     .range = &not_negative},
    {"approach", SCREE_FIELD_NUMBER, AT(scree_solver_options, approach),
     .range = &not_negative},
    {"relaxation", SCREE_FIELD_NUMBER, AT(scree_solver_options, relaxation),
     .range = &relaxation},
    {"momentum", SCREE_FIELD_NUMBER, AT(scree_solver_options, momentum),
     .range = &momentum},
    {"local", SCREE_FIELD_OPTION, AT(scree_solver_options, local),
     .names = local_name},
    {"coarse", SCREE_FIELD_OPTION, AT(scree_solver_options, coarse),
     .names = coarse_name},
    {"stall", SCREE_FIELD_INTEGER, AT(scree_solver_options, stall),
     .range = &sweeps},
    {"rest", SCREE_FIELD_INTEGER, AT(scree_solver_options, rest),
     .range = &sweeps},
    {"clusters", SCREE_FIELD_INTEGER, AT(scree_solver_options, clusters),
     .range = &cluster},
    {"warm_start", SCREE_FIELD_SWITCH, AT(scree_solver_options, warm_start)},
    {"dump", SCREE_FIELD_OPTION, AT(scree_solver_options, dump),
     .names = dump_name},
    UNCONVERGED_ROWS(scree_solver_options),
};
static const scree_table solver_table = {ROWS(solver_rows)};

static bool not_on_models(const char *name, char *text, size_t size) {
    return refuse_method(name, SCREE_LAYOUT_DENSE, text, size);
}

static const char *inner_solver(int i, const char **about) {
    const scree_method *m = scree_method_on(SCREE_LAYOUT_DENSE, i);
    (void)about;
    return m ? m->name : NULL;
}

static const scree_field model_solver_rows[] = {
    {"method", SCREE_FIELD_CHOICE, AT(scree_dense_options, solver),
     .names = inner_solver, .why_not = not_on_models},
    {"iterations", SCREE_FIELD_INTEGER, AT(scree_dense_options, iterations),
     .range = &many},
    {"tolerance", SCREE_FIELD_NUMBER, AT(scree_dense_options, tolerance),
     .range = &not_negative},
    UNCONVERGED_ROWS(scree_dense_options),
};
static const scree_table model_solver_table = {
    ROWS(model_solver_rows), .elsewhere = &solver_table,
    .why_not = "of no use to the solvers of models"};

static const char *friction_name(int i, const char **about) {
    static const char *const names[] = {
        [SCREE_FRICTION_TOTAL] = "total", [SCREE_FRICTION_MIDSLIP] = "midslip"};
    (void)about;
    return i < 2 ? names[i] : NULL;
}

static const char *hits_name(int i, const char **about) {
    static const char *const names[] = {[SCREE_HITS_PUBLISHED] = "published",
                                        [SCREE_HITS_BALANCED] = "balanced"};
    (void)about;
    return i < 2 ? names[i] : NULL;
}

#define RATTLE_ROWS                                                            \
    {"friction", SCREE_FIELD_OPTION, AT(scree_dense_options, friction),        \
     .names = friction_name},                                                  \
    {                                                                          \
        "hits", SCREE_FIELD_OPTION, AT(scree_dense_options, hits),             \
            .names = hits_name                                                 \
    }

static const scree_field model_stepping_rows[] = {
    RATTLE_ROWS,
    {"stages", SCREE_FIELD_INTEGER, AT(scree_dense_options, stages),
     .range = &stages},
    {"order", SCREE_FIELD_INTEGER, AT(scree_dense_options, order),
     .range = &order},
    {"dt_min", SCREE_FIELD_NUMBER, AT(scree_dense_options, dt_min),
     .range = &not_negative, .unit = "s"},
    {"atol", SCREE_FIELD_NUMBER, AT(scree_dense_options, atol),
     .range = &not_negative},
    {"rtol", SCREE_FIELD_NUMBER, AT(scree_dense_options, rtol),
     .range = &not_negative},
};
static const scree_table model_stepping_table = {ROWS(model_stepping_rows)};

static const scree_field stepping_rows[] = {RATTLE_ROWS};
static const scree_table stepping_table = {
    ROWS(stepping_rows), .elsewhere = &model_stepping_table,
    .why_not = "has a meaning only for models"};

static const scree_field contact_rows[] = {
    {"gap_control", SCREE_FIELD_SWITCH, AT(scree_world_def, gap_control)},
    {"recovery_velocity", SCREE_FIELD_AUTO,
     AT(scree_world_def, recovery_velocity), .range = &not_negative,
     .unit = "m/s"},
    {"restitution_speed", SCREE_FIELD_AUTO,
     AT(scree_world_def, restitution_speed), .range = &not_negative,
     .unit = "m/s"},
};
static const scree_table contact_table = {ROWS(contact_rows)};

/* ---- materials and their pairs ------------------------------------------- */

static const scree_field anisotropy_rows[] = {
    {"ratio", SCREE_FIELD_NUMBER, AT(scree_anisotropy, ratio), SCREE_REQUIRED,
     .range = &positive},
    {"direction", SCREE_FIELD_VECTOR, AT(scree_anisotropy, direction),
     SCREE_REQUIRED | SCREE_DIRECTION},
};
static const scree_table anisotropy_table = {ROWS(anisotropy_rows)};

static const scree_field material_rows[] = {
    {"name", SCREE_FIELD_NAME, AT(scree_case_material, name), SCREE_REQUIRED},
    {"density", SCREE_FIELD_NUMBER, AT(scree_case_material, def.density),
     SCREE_REQUIRED, .range = &positive, .unit = "kg/m^3"},
    {"friction", SCREE_FIELD_NUMBER, AT(scree_case_material, def.law.friction),
     .range = &not_negative},
    {"restitution", SCREE_FIELD_NUMBER, AT(scree_case_material, def.law.e_n),
     .range = &ratio},
    {"tangential_restitution", SCREE_FIELD_NUMBER,
     AT(scree_case_material, def.law.e_t), .range = &ratio},
    {"rolling", SCREE_FIELD_NUMBER, AT(scree_case_material, def.law.rolling),
     .range = &not_negative, .unit = "m"},
    {"drilling", SCREE_FIELD_NUMBER, AT(scree_case_material, def.law.drilling),
     .range = &not_negative, .unit = "m"},
    {"anisotropy", SCREE_FIELD_MAP, AT(scree_case_material, def.law.anisotropy),
     SCREE_SPACE, .table = &anisotropy_table},
};
static const scree_table material_table = {
    ROWS(material_rows), .size = sizeof(scree_case_material),
    .prepare = scree_prepare_material, .check = scree_check_material};

static const scree_field pair_rows[] = {
    {"materials", SCREE_FIELD_MATERIALS, AT(scree_case_pair, a),
     SCREE_REQUIRED},
    {"friction", SCREE_FIELD_NUMBER, AT(scree_case_pair, law.friction),
     .range = &not_negative},
    {"restitution", SCREE_FIELD_NUMBER, AT(scree_case_pair, law.e_n),
     .range = &ratio},
    {"tangential_restitution", SCREE_FIELD_NUMBER, AT(scree_case_pair, law.e_t),
     .range = &ratio},
    {"rolling", SCREE_FIELD_NUMBER, AT(scree_case_pair, law.rolling),
     .range = &not_negative, .unit = "m"},
    {"drilling", SCREE_FIELD_NUMBER, AT(scree_case_pair, law.drilling),
     .range = &not_negative, .unit = "m"},
    {"anisotropy", SCREE_FIELD_MAP, AT(scree_case_pair, law.anisotropy),
     SCREE_SPACE, .table = &anisotropy_table},
};
static const scree_table pair_table = {
    ROWS(pair_rows), .size = sizeof(scree_case_pair),
    .prepare = scree_prepare_pair, .check = scree_check_pair};

/* ---- radii and regions --------------------------------------------------- */

static const scree_field uniform_rows[] = {
    {"min", SCREE_FIELD_NUMBER, AT(scree_radius_law, min), SCREE_REQUIRED,
     .range = &positive, .unit = "m"},
    {"max", SCREE_FIELD_NUMBER, AT(scree_radius_law, max), SCREE_REQUIRED,
     .range = &positive, .unit = "m"},
};
static const scree_table uniform_table = {ROWS(uniform_rows),
                                          .check = scree_check_radius_bounds};

static const scree_field normal_rows[] = {
    {"mean", SCREE_FIELD_NUMBER, AT(scree_radius_law, mean), SCREE_REQUIRED,
     .range = &positive, .unit = "m"},
    {"deviation", SCREE_FIELD_NUMBER, AT(scree_radius_law, deviation),
     SCREE_REQUIRED, .range = &not_negative, .unit = "m"},
    {"min", SCREE_FIELD_NUMBER, AT(scree_radius_law, min), SCREE_REQUIRED,
     .range = &positive, .unit = "m"},
    {"max", SCREE_FIELD_NUMBER, AT(scree_radius_law, max), SCREE_REQUIRED,
     .range = &positive, .unit = "m"},
};
static const scree_table normal_table = {ROWS(normal_rows),
                                         .check = scree_check_radius_bounds};

static const scree_field list_rows[] = {
    {"values", SCREE_FIELD_NUMBERS, AT(scree_radius_law, values),
     SCREE_REQUIRED, .range = &positive, .unit = "m",
     .count = offsetof(scree_radius_law, n)},
    {"weights", SCREE_FIELD_NUMBERS, AT(scree_radius_law, weights),
     .range = &not_negative, .count = offsetof(scree_radius_law, n)},
};
static const scree_table list_table = {ROWS(list_rows),
                                       .check = scree_check_list};

static const scree_field radius_rows[] = {
    {"constant", SCREE_FIELD_NUMBER, AT(scree_radius_law, value), SCREE_ONE_OF,
     .range = &positive, .unit = "m"},
    {"uniform", SCREE_FIELD_MAP, .flags = SCREE_ONE_OF,
     .table = &uniform_table},
    {"normal", SCREE_FIELD_MAP, .flags = SCREE_ONE_OF, .table = &normal_table},
    {"list", SCREE_FIELD_MAP, .flags = SCREE_ONE_OF, .table = &list_table},
};
const scree_table scree_radius_table = {
    ROWS(radius_rows), WHICH(scree_radius_law, kind), .shorthand = true};

static const scree_field box_rows[] = {
    {"min", SCREE_FIELD_VECTOR, AT(scree_region, min), SCREE_REQUIRED,
     .unit = "m"},
    {"max", SCREE_FIELD_VECTOR, AT(scree_region, max), SCREE_REQUIRED,
     .unit = "m"},
};
static const scree_table box_table = {ROWS(box_rows),
                                      .check = scree_check_region_box};

static const scree_field cylinder_rows[] = {
    {"base", SCREE_FIELD_VECTOR, AT(scree_region, base), SCREE_REQUIRED,
     .unit = "m"},
    {"axis", SCREE_FIELD_VECTOR, AT(scree_region, axis),
     SCREE_REQUIRED | SCREE_DIRECTION},
    {"radius", SCREE_FIELD_NUMBER, AT(scree_region, radius), SCREE_REQUIRED,
     .range = &positive, .unit = "m"},
    {"height", SCREE_FIELD_NUMBER, AT(scree_region, height), SCREE_REQUIRED,
     .range = &positive, .unit = "m"},
};
static const scree_table cylinder_table = {ROWS(cylinder_rows)};

/* ---- bodies -------------------------------------------------------------- */

static const scree_field sphere_rows[] = {
    {"position", SCREE_FIELD_VECTOR, AT(scree_sphere_def, position),
     SCREE_REQUIRED, .unit = "m"},
    {"orientation", SCREE_FIELD_QUATERNION, AT(scree_sphere_def, orientation)},
};
static const scree_table sphere_table = {ROWS(sphere_rows)};

static const scree_field single_rows[] = {
    {"position", SCREE_FIELD_VECTOR, AT(scree_single, position), SCREE_REQUIRED,
     .unit = "m"},
    {"orientation", SCREE_FIELD_QUATERNION, AT(scree_single, orientation)},
};
static const scree_table single_table = {ROWS(single_rows)};

static const scree_field axis_angle_rows[] = {
    {"axis", SCREE_FIELD_VECTOR, AT(scree_axis_angle, axis),
     SCREE_REQUIRED | SCREE_DIRECTION | SCREE_AXIAL},
    {"angle", SCREE_FIELD_NUMBER, AT(scree_axis_angle, angle), SCREE_REQUIRED,
     .unit = "rad"},
};
const scree_table scree_axis_angle_table = {ROWS(axis_angle_rows)};

static const scree_field pyramid_rows[] = {
    {"base", SCREE_FIELD_INTEGER, AT(scree_pyramid, base), SCREE_REQUIRED,
     .range = &layers},
    {"origin", SCREE_FIELD_VECTOR, AT(scree_pyramid, origin), .unit = "m"},
    {"spacing", SCREE_FIELD_NUMBER, AT(scree_pyramid, spacing),
     .range = &apart},
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
     .unit = "m"},
    {"counts", SCREE_FIELD_COUNTS, AT(scree_lattice, counts), SCREE_REQUIRED,
     .range = &many},
    {"spacing", SCREE_FIELD_VECTOR, AT(scree_lattice, spacing),
     SCREE_REQUIRED | SCREE_BROADCAST, .range = &positive, .unit = "m"},
    {"jitter", SCREE_FIELD_NUMBER, AT(scree_lattice, jitter),
     .range = &not_negative, .unit = "m"},
};
static const scree_table lattice_table = {ROWS(lattice_rows)};

static const scree_field fill_rows[] = {
    {"box", SCREE_FIELD_MAP, AT(scree_fill, region), SCREE_ONE_OF,
     .table = &box_table},
    {"cylinder", SCREE_FIELD_MAP, AT(scree_fill, region), SCREE_ONE_OF,
     .table = &cylinder_table},
    {"count", SCREE_FIELD_COUNT, AT(scree_fill, count), SCREE_ALSO_ONE_OF,
     .range = &many},
    {"solid_fraction", SCREE_FIELD_NUMBER, AT(scree_fill, solid_fraction),
     SCREE_ALSO_ONE_OF, .range = &solid_fraction},
};
static const scree_table fill_table = {ROWS(fill_rows),
                                       WHICH(scree_fill, region.kind)};

static const scree_field pour_rows[] = {
    {"box", SCREE_FIELD_MAP, AT(scree_pour, region), SCREE_ONE_OF,
     .table = &box_table},
    {"cylinder", SCREE_FIELD_MAP, AT(scree_pour, region), SCREE_ONE_OF,
     .table = &cylinder_table},
    {"rate", SCREE_FIELD_NUMBER, AT(scree_pour, rate), SCREE_REQUIRED,
     .range = &positive, .unit = "1/s"},
    {"count", SCREE_FIELD_COUNT, AT(scree_pour, count), .range = &many},
    {"start", SCREE_FIELD_NUMBER, AT(scree_pour, start), .range = &not_negative,
     .unit = "s"},
    {"stop", SCREE_FIELD_NUMBER, AT(scree_pour, stop), .range = &positive,
     .unit = "s"},
};
static const scree_table pour_table = {
    ROWS(pour_rows), WHICH(scree_pour, region.kind), .check = scree_check_pour};

static const scree_field body_rows[] = {
    {"sphere", SCREE_FIELD_MAP, AT(scree_body_entry, sphere), SCREE_ONE_OF,
     .table = &sphere_table},
    {"lattice", SCREE_FIELD_MAP, AT(scree_body_entry, lattice), SCREE_ONE_OF,
     .table = &lattice_table},
    {"fill", SCREE_FIELD_MAP, AT(scree_body_entry, fill), SCREE_ONE_OF,
     .table = &fill_table},
    {"pour", SCREE_FIELD_MAP, AT(scree_body_entry, pour), SCREE_ONE_OF,
     .table = &pour_table},
    {"body", SCREE_FIELD_MAP, AT(scree_body_entry, single), SCREE_ONE_OF,
     .table = &single_table},
    {"pyramid", SCREE_FIELD_MAP, AT(scree_body_entry, pyramid), SCREE_ONE_OF,
     .table = &pyramid_table},
    {"radius", SCREE_FIELD_MAP, AT(scree_body_entry, grain.radius),
     SCREE_ALSO_ONE_OF, .table = &scree_radius_table},
    {"shape", SCREE_FIELD_SHAPE, AT(scree_body_entry, grain.shapes.name),
     SCREE_ALSO_ONE_OF},
    {"orientation", SCREE_FIELD_OPTION, AT(scree_body_entry, grain.turn),
     .names = turn_name},
    {"velocity", SCREE_FIELD_VECTOR, AT(scree_body_entry, grain.velocity),
     .unit = "m/s"},
    {"angular_velocity", SCREE_FIELD_VECTOR,
     AT(scree_body_entry, grain.angular_velocity), SCREE_AXIAL,
     .unit = "rad/s"},
    {"material", SCREE_FIELD_MATERIAL, AT(scree_body_entry, grain.material)},
};
static const scree_table body_table = {ROWS(body_rows),
                                       .size = sizeof(scree_body_entry),
                                       .packed = sizeof(scree_case_body),
                                       .pack = scree_pack_body,
                                       .unpack = scree_unpack_body,
                                       WHICH(scree_body_entry, kind),
                                       .prepare = scree_prepare_body,
                                       .check = scree_check_body};

/* ---- the file ------------------------------------------------------------ */

/* What worlds and models share. The row of the model makes a typing error of
 * that key known in a file that would else be taken for a world. */
#define HEAD_ROWS                                                              \
    {"name", SCREE_FIELD_NAME, AT(scree_draft, c.name)},                       \
        {"units", SCREE_FIELD_TEXT, AT(scree_draft, c.units)},                 \
        {"seed", SCREE_FIELD_COUNT, AT(scree_draft, c.seed),                   \
         .range = &not_negative},                                              \
        {"time", SCREE_FIELD_MAP, .flags = SCREE_REQUIRED,                     \
         .table = &time_table},                                                \
    {                                                                          \
        "model", SCREE_FIELD_MODEL, AT(scree_draft, c.model), SCREE_DECIDES,   \
            .names = scree_model_name                                          \
    }
#define STEPPER_ROWS                                                           \
    {"stepper", SCREE_FIELD_CHOICE, AT(scree_draft, c.world.stepper),          \
     .names = scree_stepper_name},                                             \
    {                                                                          \
        "threads", SCREE_FIELD_INTEGER, AT(scree_draft, c.world.threads),      \
            .range = &threads                                                  \
    }
#define CHECKPOINT_ROW                                                         \
    {                                                                          \
        "checkpoint", SCREE_FIELD_MAP, AT(scree_draft, c.checkpoint),          \
            .table = &checkpoint_table                                         \
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
     SCREE_DECIDES},
    {"gravity", SCREE_FIELD_VECTOR, AT(scree_draft, c.world.gravity),
     .unit = "m/s^2"},
    STEPPER_ROWS,
    {"reproducible", SCREE_FIELD_SWITCH, AT(scree_draft, c.world.reproducible)},
    {"stepping", SCREE_FIELD_MAP, AT(scree_draft, c.stepping),
     .table = &stepping_table},
    {"solver", SCREE_FIELD_MAP, AT(scree_draft, c.world.solver),
     .table = &solver_table},
    {"contact", SCREE_FIELD_MAP, AT(scree_draft, c.world),
     .table = &contact_table},
    {"materials", SCREE_FIELD_LIST, AT(scree_draft, c.materials),
     SCREE_REQUIRED | SCREE_NAMED, .table = &material_table,
     .count = offsetof(scree_draft, c.n_material)},
    {"pairs", SCREE_FIELD_LIST, AT(scree_draft, c.pairs), .table = &pair_table,
     .count = offsetof(scree_draft, c.n_pair)},
    {"shapes", SCREE_FIELD_LIST, AT(scree_draft, c.shapes), SCREE_NAMED,
     .table = &scree_shape_table, .count = offsetof(scree_draft, c.n_shape)},
    {"walls", SCREE_FIELD_LIST, AT(scree_draft, walls),
     .table = &scree_wall_table, .count = offsetof(scree_draft, n_wall)},
    {"bodies", SCREE_FIELD_LIST, AT(scree_draft, c.bodies), SCREE_REQUIRED,
     .table = &body_table, .count = offsetof(scree_draft, c.n_body)},
    {"outputs", SCREE_FIELD_LIST, AT(scree_draft, outputs),
     .table = &scree_output_table, .count = offsetof(scree_draft, n_output)},
    CHECKPOINT_ROW,
    {"audit", SCREE_FIELD_OPTION, AT(scree_draft, c.audit),
     .names = audit_name},
};
const scree_table scree_case_table = {
    ROWS(case_rows), .check = scree_check_world,
    .elsewhere = &scree_model_case_table,
    .why_not = "has a meaning only with the key 'model'"};

static const scree_field model_case_rows[] = {
    HEAD_ROWS,
    {"parameters", SCREE_FIELD_PARAMETERS, AT(scree_draft, c.parameters)},
    STEPPER_ROWS,
    {"stepping", SCREE_FIELD_MAP, AT(scree_draft, c.stepping),
     .table = &model_stepping_table},
    {"solver", SCREE_FIELD_MAP, AT(scree_draft, c.stepping),
     .table = &model_solver_table},
    {"outputs", SCREE_FIELD_LIST, AT(scree_draft, outputs),
     .table = &scree_model_output_table,
     .count = offsetof(scree_draft, n_output)},
    CHECKPOINT_ROW,
};
const scree_table scree_model_case_table = {
    ROWS(model_case_rows), .check = scree_check_model,
    .elsewhere = &scree_case_table,
    .why_not = "cannot be with 'model', which brings its own bodies and laws"};
