/* case_schema_solver.c: time, checkpoints, solver, stepping, contact. */
#include "io/schema/case_rows.h"

#include <math.h>

#include "solvers/problem/method.h"

static const scree_range relaxation = {0, 2, true, true};
static const scree_range momentum = {0, 1, false, true};
static const scree_range motion = {0, 1, true, false};
static const scree_range sweeps = {0, 1e9, false, false};
static const scree_range cluster = {0, 500, false, false};
static const scree_range stages = {2, 5, false, false};
static const scree_range share = {0, 1, false, false};
static const scree_range order = {1, 8, false, false};

static const scree_field time_rows[] = {
    {"end", SCREE_FIELD_NUMBER, AT(scree_draft, c.end), SCREE_REQUIRED,
     .range = &scree_positive, .unit = "s",
     .about = "Simulated time at which the run ends.", .example = "2.5"},
    {"step", SCREE_FIELD_AUTO, AT(scree_draft, c.step), SCREE_REQUIRED,
     .range = &scree_positive, .unit = "s",
     .about = "Length of a time step. A body should move less than a fifth of "
              "its diameter in it; the audit warns otherwise. auto: as long as "
              "`motion` allows, changing while the run goes on; times of "
              "outputs, walls and pours are met.",
     .example = "1e-3"},
    {"motion", SCREE_FIELD_NUMBER, AT(scree_draft, c.motion), .range = &motion,
     .about = "With step: auto, the share of its diameter that a body moves by "
              "at most in a step. With moreau: as seen from those that it "
              "touches; alone it may go four times as far.",
     .example = "0.1"},
};
const scree_table scree_time_table = {ROWS(time_rows),
                                      .check = scree_check_time};

static const scree_field checkpoint_rows[] = {
    {"every", SCREE_FIELD_NUMBER, AT(scree_case_checkpoint, every),
     .range = &scree_not_negative, .unit = "s",
     .about = "Simulated time between checkpoints; 0: not by this.",
     .example = "0.5"},
    {"every_wall", SCREE_FIELD_NUMBER, AT(scree_case_checkpoint, every_wall),
     .range = &scree_not_negative, .unit = "s",
     .about = "Time of the clock between checkpoints; 0: not by this.",
     .example = "600"},
    {"keep", SCREE_FIELD_INTEGER, AT(scree_case_checkpoint, keep),
     .range = &scree_many,
     .about = "How many checkpoints stay, the newest ones.", .example = "2"},
};
const scree_table scree_checkpoint_table = {ROWS(checkpoint_rows)};

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
    {"unconverged",                                                            \
     SCREE_FIELD_OPTION,                                                       \
     AT(type, unconverged),                                                    \
     .names = unconverged_name,                                                \
     .about = "What happens at a step that misses the tolerance: warn says "   \
              "so and counts it, stop ends the run there, with a checkpoint "  \
              "and exit code 7.",                                              \
     .example = "stop"},                                                       \
    {                                                                          \
        "unconverged_share", SCREE_FIELD_NUMBER, AT(type, unconverged_share),  \
            .range = &scree_ratio,                                             \
            .about =                                                           \
                "A run in which more of the steps than this share missed the " \
                "tolerance ends with exit code 7, with all its results.",      \
            .example = "0.2"                                                   \
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
     .names = scree_solver_name, .why_not = not_on_worlds,
     .about = "How the contact problem of a step is solved; scree list says "
              "more of each.",
     .example = "pgs"},
    {"iterations", SCREE_FIELD_INTEGER, AT(scree_solver_options, iterations),
     .range = &scree_many,
     .about = "Sweeps over all contacts that a step may take at most.",
     .example = "500"},
    {"tolerance", SCREE_FIELD_NUMBER, AT(scree_solver_options, tolerance),
     .range = &scree_not_negative,
     .about = "Bound of the natural-map residual, relative. A step is done "
              "when tolerance, balance and approach all hold.",
     .example = "1e-4"},
    {"balance", SCREE_FIELD_NUMBER, AT(scree_solver_options, balance),
     .range = &scree_not_negative,
     .about = "Bound of the mean error of the velocities, over |g| dt, or in "
              "flows over what impacts bring; 0: not asked.",
     .example = "0.01"},
    {"approach", SCREE_FIELD_NUMBER, AT(scree_solver_options, approach),
     .range = &scree_not_negative,
     .about = "Bound of the fastest approach of a contact over |g| dt; 0: not "
              "asked.",
     .example = "0.1"},
    {"relaxation", SCREE_FIELD_NUMBER, AT(scree_solver_options, relaxation),
     .range = &relaxation,
     .about = "Factor of the steps of pgs, jacobi, dense and the sweeps of "
              "auto. pgs takes it back towards 1 while the residual grows.",
     .example = "1"},
    {"momentum", SCREE_FIELD_NUMBER, AT(scree_solver_options, momentum),
     .range = &momentum,
     .about = "Largest momentum of pgs, 0 for none. Where sweeps stall pgs "
              "goes on in turns, with less of it and with none.",
     .example = "0.85"},
    {"local", SCREE_FIELD_OPTION, AT(scree_solver_options, local),
     .names = local_name,
     .about = "How pgs solves a single contact: prox, one prox step, or exact, "
              "its own problem to the end.",
     .example = "exact"},
    {"coarse", SCREE_FIELD_OPTION, AT(scree_solver_options, coarse),
     .names = coarse_name,
     .about =
         "Corrections between the sweeps of pgs and jacobi for what sweeps are "
         "slow at: deep beds and stacks. auto: where they help; off: none.",
     .example = "auto"},
    {"stall", SCREE_FIELD_INTEGER, AT(scree_solver_options, stall),
     .range = &sweeps,
     .about = "Give up a step after so many sweeps without progress; 0: never.",
     .example = "100"},
    {"rest", SCREE_FIELD_INTEGER, AT(scree_solver_options, rest),
     .range = &sweeps,
     .about = "A step of moreau that the last one's percussions solve already "
              "is solved further, to a residual of 3e-7, for at most so many "
              "sweeps; 0: not, and beds at rest creep.",
     .example = "20"},
    {"clusters", SCREE_FIELD_INTEGER, AT(scree_solver_options, clusters),
     .range = &cluster,
     .about = "Where a step is not done, connected contacts, at most so many, "
              "are solved directly: heavy bodies on light ones; 0: none.",
     .example = "50"},
    {"warm_start", SCREE_FIELD_SWITCH, AT(scree_solver_options, warm_start),
     .about = "Start each step from the percussions of the last one.",
     .example = "on"},
    {"dump", SCREE_FIELD_OPTION, AT(scree_solver_options, dump),
     .names = dump_name,
     .about = "Which problems are saved as FCLIB files, for scree solve: none, "
              "those of unconverged steps, or all.",
     .example = "unconverged"},
    UNCONVERGED_ROWS(scree_solver_options),
};
const scree_table scree_solver_table = {ROWS(solver_rows)};

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
     .names = inner_solver, .why_not = not_on_models,
     .about = "How the contact problem of a model is solved; scree list says "
              "more of each.",
     .example = "newton"},
    {"iterations", SCREE_FIELD_INTEGER, AT(scree_dense_options, iterations),
     .range = &scree_many, .about = "Iterations that a step may take at most.",
     .example = "100"},
    {"tolerance", SCREE_FIELD_NUMBER, AT(scree_dense_options, tolerance),
     .range = &scree_not_negative, .about = "Bound of the residual of a step.",
     .example = "1e-10"},
    UNCONVERGED_ROWS(scree_dense_options),
};
const scree_table scree_model_solver_table = {
    ROWS(model_solver_rows), .elsewhere = &scree_solver_table,
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

const char *scree_impact_name(int i, const char **about) {
    static const char *const names[] = {
        [SCREE_IMPACT_NEWTON] = "newton", [SCREE_IMPACT_POISSON] = "poisson"};
    (void)about;
    return i >= 0 && i < 2 ? names[i] : NULL;
}

static const char *substeps_name(int i, const char **about) {
    static const char *const names[] = {
        [SCREE_SUBSTEPS_ODD] = "odd", [SCREE_SUBSTEPS_FADING] = "fading"};
    (void)about;
    return i < 2 ? names[i] : NULL;
}

#define RATTLE_ROWS                                                            \
    {"friction",                                                               \
     SCREE_FIELD_OPTION,                                                       \
     AT(scree_dense_options, friction),                                        \
     .names = friction_name,                                                   \
     .about =                                                                  \
         "Friction over a step of rattle, lobatto and generalized-alpha: "     \
         "total is the published law, midslip keeps their order while the "    \
         "slip direction turns.",                                              \
     .example = "midslip"},                                                    \
    {                                                                          \
        "hits", SCREE_FIELD_OPTION, AT(scree_dense_options, hits),             \
            .names = hits_name,                                                \
            .about = "Restitution of what closes within a step of rattle: "    \
                     "published, or balanced, with which oblique hits make "   \
                     "no energy.",                                             \
            .example = "balanced"                                              \
    }

/* Of lobatto and of moreau-adaptive, on worlds and models. */
#define ORDER_ROWS                                                             \
    {"stages",                                                                 \
     SCREE_FIELD_INTEGER,                                                      \
     AT(scree_dense_options, stages),                                          \
     .range = &stages,                                                         \
     .about = "Stages of lobatto, whose order is twice as many less 2.",       \
     .example = "3"},                                                          \
        {"order",                                                              \
         SCREE_FIELD_INTEGER,                                                  \
         AT(scree_dense_options, order),                                       \
         .range = &order,                                                      \
         .about = "Order of the extrapolation of moreau-adaptive: 1 of "       \
                  "models and 2 "                                              \
                  "of worlds unless said.",                                    \
         .example = "2"},                                                      \
        {"substeps",                                                           \
         SCREE_FIELD_OPTION,                                                   \
         AT(scree_dense_options, substeps),                                    \
         .names = substeps_name,                                               \
         .about =                                                              \
             "How moreau-adaptive divides a step so that contacts that stay "  \
             "do "                                                             \
             "not start to hop: odd numbers of substeps, or all numbers with " \
             "restitution that fades, e^(dt / dt_min).",                       \
         .example = "fading"},                                                 \
        {"dt_min",                                                             \
         SCREE_FIELD_NUMBER,                                                   \
         AT(scree_dense_options, dt_min),                                      \
         .range = &scree_not_negative,                                         \
         .unit = "s",                                                          \
         .about =                                                              \
             "Least step of moreau-adaptive, which resolves switching "        \
             "points. "                                                        \
             "0: a hundredth of time.step, of worlds 1/32. On worlds it is "   \
             "made time.step / 2^k, no larger than asked for.",                \
         .example = "1e-6"},                                                   \
        {"atol",                                                               \
         SCREE_FIELD_NUMBER,                                                   \
         AT(scree_dense_options, atol),                                        \
         .range = &scree_not_negative,                                         \
         .about = "Absolute error that moreau-adaptive allows in a step, of "  \
                  "worlds "                                                    \
                  "in m and m/s; 0: not controlled.",                          \
         .example = "1e-8"},                                                   \
    {                                                                          \
        "rtol", SCREE_FIELD_NUMBER, AT(scree_dense_options, rtol),             \
            .range = &scree_not_negative,                                      \
            .about = "Relative error that moreau-adaptive allows in a step; "  \
                     "0: not "                                                 \
                     "controlled.",                                            \
            .example = "1e-6"                                                  \
    }

#define ALPHA_ROW                                                              \
    {                                                                          \
        "rho_inf", SCREE_FIELD_NUMBER, AT(scree_dense_options, rho_inf),       \
            .range = &share,                                                   \
            .about = "Spectral radius of generalized-alpha at infinite "       \
                     "frequency: 1 keeps fast vibrations, 0 damps them out "   \
                     "in a step.",                                             \
            .example = "0.8"                                                   \
    }

static const scree_field model_stepping_rows[] = {
    RATTLE_ROWS,
    {"impact", SCREE_FIELD_OPTION, AT(scree_dense_options, impact),
     .names = scree_impact_name,
     .about = "What restitution gives back in all contacts of the model: "
              "newton, velocities, or poisson, percussions, in two phases of "
              "a hit (moreau alone).",
     .example = "poisson"},
    ORDER_ROWS,
    ALPHA_ROW,
};
const scree_table scree_model_stepping_table = {ROWS(model_stepping_rows)};

static const scree_field stepping_rows[] = {RATTLE_ROWS, ORDER_ROWS, ALPHA_ROW};
const scree_table scree_stepping_table = {
    ROWS(stepping_rows), .elsewhere = &scree_model_stepping_table,
    .why_not = "has a meaning only for models"};

static const scree_field contact_rows[] = {
    {"gap_control", SCREE_FIELD_SWITCH, AT(scree_world_def, gap_control),
     .about = "on: contacts within reach of the step enter with their gap, "
              "nothing passes through anything, overlap is worked off. off: "
              "Moreau's scheme to the letter.",
     .example = "on"},
    {"recovery_velocity", SCREE_FIELD_AUTO,
     AT(scree_world_def, recovery_velocity), .range = &scree_not_negative,
     .unit = "m/s",
     .about = "How fast overlap is worked off at most. auto: sqrt(|g| r) / 10, "
              "r the mean radius.",
     .example = "auto"},
    {"restitution_speed", SCREE_FIELD_AUTO,
     AT(scree_world_def, restitution_speed), .range = &scree_not_negative,
     .unit = "m/s",
     .about = "Impacts that are slower close without restitution. auto: 2 |g| "
              "dt, with time.step: auto at most 0.2 sqrt(|g| motion r), r the "
              "mean radius, "
              "and 0 with gap_control off.",
     .example = "auto"},
};
const scree_table scree_contact_table = {ROWS(contact_rows)};
