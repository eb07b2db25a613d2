/* case_check.c: defaults of list entries, and rules that span several keys. */
#include "io/case/case_check.h"

#include "engine/system/stepper.h"
#include "engine/world/make.h"
#include "io/case/case_forces.h"
#include "io/case/case_reader.h"
#include "solvers/problem/method.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- defaults ------------------------------------------------------------ */

void scree_prepare_material(void *entry) {
    scree_case_material *material = entry;
    material->def = scree_material_def_default();
}

/* What the mixing rule will fill in: NAN, and an impact law that is none. */
enum { MIXED = -1 };

void scree_prepare_pair(void *entry) {
    scree_case_pair *pair = entry;
    pair->law = (scree_contact_law){NAN, NAN, NAN,
                                    NAN, NAN, .anisotropy = {.ratio = NAN}};
    pair->law.impact = (scree_impact)MIXED;
    pair->collide = true;
}

void scree_prepare_wall(void *entry) {
    scree_wall_entry *wall = entry;
    wall->surface.crop.low[0] = NAN;
    wall->plane = scree_plane_def_default();
    wall->plane.material = 0;
    wall->surface.scale = 1;
    wall->surface.turned.top_radius = -1;
    wall->surface.turned.length = INFINITY;
    wall->servo = scree_case_servo_none();
}

/* ---- time, materials, outputs -------------------------------------------- */

scree_status scree_reader_out_of_range(scree_reader *r, const scree_node *map,
                                       const char *key) {
    const char *text = scree_node_value(map, key)->text;
    return scree_reader_refuse(r, map, key, "%s is out of range",
                               scree_quote(text).text);
}

scree_status scree_check_time(scree_reader *r, const scree_node *map,
                              void *entry) {
    scree_draft *draft = entry;
    const double end = draft->c.end, step = draft->c.step;
    const double least = end * 1e-11; /* counts of steps stay exact */
    draft->c.world.dt = step > 0 ? step : end;
    draft->c.world.motion = step > 0 ? 0 : draft->c.motion;
    if (draft->c.world.dt >= least && step <= end) return SCREE_OK;
    scree_reader_out_of_range(r, map, "step");
    scree_hint(r->error, "allowed: number >= %.12g and <= time.end = %.12g [s]",
               least, end);
    return SCREE_BAD_INPUT;
}

scree_status scree_check_material(scree_reader *r, const scree_node *map,
                                  void *entry) {
    scree_case_material *material = entry;
    TRY(scree_check_ground(r, map, material));
    TRY(scree_check_bond(r, map, &material->def.law.bond));
    return scree_reader_add_name(r, map, &r->materials, "materials",
                                 r->draft.c.n_material, material->name);
}

/* As the world mixes; *grain: whose direction of friction it is. */
static scree_contact_law mix_laws(const scree_case *c, int a, int b,
                                  int *grain) {
    const int first = a < b ? a : b, second = a < b ? b : a;
    bool of_second;
    const scree_contact_law law =
        scree_contact_law_mixed(&c->materials[first].def.law,
                                &c->materials[second].def.law, &of_second);
    *grain = of_second ? second : first;
    return law;
}

/* The direction of friction of a pair is that of its first material. */
static void put_first(scree_case_pair *pair, int material) {
    pair->b = pair->a + pair->b - material;
    pair->a = material;
}

/* Each two materials once, in any order. */
static scree_status add_pair(scree_reader *r, const scree_node *map,
                             const scree_case_pair *pair) {
    char key[32];
    const int low = pair->a < pair->b ? pair->a : pair->b;
    snprintf(key, sizeof key, "%d %d", low, pair->a + pair->b - low);
    const int other = scree_index_find(&r->pairs, key);
    if (other >= 0)
        return scree_reader_refuse(r, map, "materials",
                                   "pairs[%d] has these two already", other);
    const char *kept = scree_pool_text(r->pool, key, strlen(key));
    return kept && scree_index_add(&r->pairs, r->pool, kept, r->draft.c.n_pair)
               ? SCREE_OK
               : scree_reader_no_memory(r);
}

scree_status scree_check_pair(scree_reader *r, const scree_node *map,
                              void *entry) {
    scree_case_pair *pair = entry;
    TRY(add_pair(r, map, pair));
    TRY(scree_check_bond(r, map, &pair->law.bond));
    int grain;
    const scree_contact_law mixed =
        mix_laws(&r->draft.c, pair->a, pair->b, &grain);
    pair->law.slippage = mixed.slippage;
    if (!scree_node_value(map, "cohesion")) pair->law.cohesion = mixed.cohesion;
    if (!scree_node_value(map, "bond")) pair->law.bond = mixed.bond;
    if (isnan(pair->law.friction)) pair->law.friction = mixed.friction;
    if (isnan(pair->law.e_n)) pair->law.e_n = mixed.e_n;
    if (isnan(pair->law.e_t)) pair->law.e_t = mixed.e_t;
    if ((int)pair->law.impact == MIXED) pair->law.impact = mixed.impact;
    if (isnan(pair->law.rolling)) pair->law.rolling = mixed.rolling;
    if (isnan(pair->law.drilling)) pair->law.drilling = mixed.drilling;
    if (isnan(pair->law.anisotropy.ratio)) {
        pair->law.anisotropy = mixed.anisotropy;
        if (mixed.anisotropy.ratio > 0) put_first(pair, grain);
    }
    return SCREE_OK;
}

void scree_prepare_output(void *entry) {
    scree_output_entry *output = entry;
    output->output.schedule.until = INFINITY;
    output->output.sampling.every = -1;
    output->output.network = (scree_case_network){40, 8, 10};
    output->output.walls.min[0] = NAN;
}

/* The path of a message goes through the sink's key. */
static scree_status refuse_in_sink(scree_reader *r, const scree_node *map,
                                   const char *sink, const char *key,
                                   const char *why) {
    scree_reader_enter(r, sink);
    return scree_reader_refuse(r, map, key, "%s", why);
}

static scree_status check_sink(scree_reader *r, const scree_node *map,
                               const char *sink,
                               const scree_schedule *schedule) {
    const scree_node *fields = scree_node_value(map, "fields");
    if (fields && fields->n == 0)
        return refuse_in_sink(r, map, sink, "fields",
                              "an empty list; for all fields leave it out");
    if (schedule->until < schedule->from)
        return refuse_in_sink(r, map, sink, "until", "is before 'from'");
    if (!schedule->times) return SCREE_OK;
    if (scree_node_value(map, "every"))
        return refuse_in_sink(r, map, sink, "times",
                              "cannot be with 'every' in one output");
    for (int i = 1; i < schedule->n_time; i++)
        if (schedule->times[i] <= schedule->times[i - 1])
            return refuse_in_sink(r, map, sink, "times",
                                  "the times do not rise");
    return SCREE_OK;
}

/* Pictures of every step are seldom wanted: fifty of the run, unless said. */
scree_status scree_check_catalyst(scree_reader *r, const scree_node *map,
                                  void *entry) {
    scree_output_entry *output = entry;
    if (!scree_node_value(map, "every") && !scree_node_value(map, "times"))
        output->output.schedule.every = r->draft.c.end / 50;
    const char *live = output->output.catalyst.live;
    const char *port = live ? strrchr(live, ':') : NULL;
    if (!live || (port && port > live && port[1] &&
                  strspn(port + 1, "0123456789") == strlen(port + 1)))
        return SCREE_OK;
    scree_reader_refuse(r, map, "live", "'%s' is not host:port",
                        scree_quote(live).text);
    scree_hint(r->error, "example: live: \"localhost:22222\"");
    return SCREE_BAD_INPUT;
}

scree_status scree_check_output(scree_reader *r, const scree_node *map,
                                void *entry) {
    scree_output_entry *output = entry;
    const char *sink = scree_outputs_of(&r->draft.c)->fields[output->sink].key;
    TRY(check_sink(r, scree_node_value(map, sink), sink,
                   &output->output.schedule));
    /* Not given: the printed case has no `every` beside its times. */
    if (output->output.schedule.times) output->output.schedule.every = -1;
    for (int i = 0; i < r->draft.n_output; i++)
        if (r->draft.outputs[i].sink == output->sink)
            return scree_reader_refuse(r, map, sink,
                                       "outputs[%d] has this sink already", i);
    return SCREE_OK;
}

/* ---- bodies that leave ----------------------------------------------------- */

void scree_prepare_outlet(void *entry) {
    scree_case_outlet *outlet = entry;
    outlet->def = scree_outlet_def_default();
}

static scree_status check_box(scree_reader *r, const scree_node *map,
                              const scree_outlet_def *box) {
    const int dim = r->draft.c.world.planar ? 2 : 3;
    for (int k = 0; k < dim; k++)
        if (!(box->low[k] < box->high[k]))
            return scree_reader_refuse(
                r, map, "max", "%c is not above that of 'min'", "xyz"[k]);
    return SCREE_OK;
}

scree_status scree_check_domain(scree_reader *r, const scree_node *map,
                                void *entry) {
    return check_box(r, map, entry);
}

scree_status scree_check_outlet_box(scree_reader *r, const scree_node *map,
                                    void *entry) {
    return check_box(r, map, entry);
}

scree_status scree_check_outlet(scree_reader *r, const scree_node *map,
                                void *entry) {
    const scree_case_outlet *outlet = entry;
    return scree_reader_add_name(r, map, &r->outlets, "outlets",
                                 r->draft.c.n_outlet, outlet->name);
}

scree_status scree_check_stop(scree_reader *r, const scree_node *map,
                              void *entry) {
    (void)entry;
    if (scree_node_value(map, "kinetic_energy") ||
        scree_node_value(map, "speed") || scree_node_value(map, "all_removed"))
        return SCREE_OK;
    scree_complain(r->error, map->origin, r->key, "nothing to stop by");
    scree_hint(r->error, "give kinetic_energy, speed or all_removed: on");
    return SCREE_BAD_INPUT;
}

/* ---- steppers ------------------------------------------------------------ */

static const char *world_stepper_at(const void *from, int i) {
    (void)from;
    const scree_stepper_ops *ops;
    for (int k = 0; (ops = scree_stepper_get(k)); k++)
        if (scree_stepper_runs_worlds(ops) && i-- == 0) return ops->name;
    return NULL;
}

static scree_status check_friction_law(scree_reader *r, const scree_node *map,
                                       const scree_world_def *def) {
    char why[SCREE_REFUSAL];
    if (!scree_world_ties_friction(def, why, sizeof why)) return SCREE_OK;
    const scree_node *solver = scree_node_value(map, "solver");
    const bool dump = solver && scree_node_value(solver, "dump");
    scree_reader_enter(r, "solver");
    scree_reader_refuse(r, solver, dump ? "dump" : "method", "%s", why);
    scree_hint(r->error, "remedy: stepping: {friction: total}");
    return SCREE_BAD_INPUT;
}

static scree_status check_order(scree_reader *r, const scree_node *map,
                                const scree_world_def *def) {
    char why[SCREE_REFUSAL];
    if (!scree_world_loses_order(def, why, sizeof why)) return SCREE_OK;
    scree_reader_refuse(r, map, "reproducible", "%s", why);
    return SCREE_BAD_INPUT;
}

/* moreau-adaptive's least step on worlds is no less than 2^-20 of the largest. */
enum { LEAST_POWER = 20 };

/* In the plane y is up unless gravity says otherwise. */
static void default_gravity(const scree_node *map, scree_world_def *def) {
    if (!def->planar || scree_node_value(map, "gravity")) return;
    def->gravity[0] = def->gravity[2] = 0;
    def->gravity[1] = -9.81;
}

static scree_status refuse_poisson(scree_reader *r, const scree_node *map,
                                   const char *stepper) {
    scree_reader_refuse(r, map, "stepper",
                        "'%s' does not know Poisson's impact law", stepper);
    scree_hint(r->error, "take moreau, or impact: newton");
    return SCREE_BAD_INPUT;
}

bool scree_case_asks_poisson(const scree_case *c) {
    for (int i = 0; i < c->n_material; ++i)
        if (c->materials[i].def.law.impact == SCREE_IMPACT_POISSON) return true;
    for (int i = 0; i < c->n_pair; ++i)
        if (c->pairs[i].law.impact == SCREE_IMPACT_POISSON) return true;
    return false;
}

/* Only by steppers that know it. */
static scree_status refuse_drag(scree_reader *r, const scree_node *map,
                                const scree_case *c,
                                const scree_stepper_ops *stepper) {
    for (int i = 0; i < c->n_material && !stepper->drag; ++i)
        if (c->materials[i].def.law.slippage.drag > 0) {
            scree_reader_refuse(r, map, "stepper",
                                "'%s' does not know drag of the ground, which "
                                "material '%s' has",
                                stepper->name, c->materials[i].name);
            scree_hint(r->error, "take moreau, or slippage: {drag: 0}");
            return SCREE_BAD_INPUT;
        }
    return SCREE_OK;
}

/* Of a stepper that has steps of its own. */
static scree_status refuse_auto_twice(scree_reader *r, const scree_node *map,
                                      const scree_case *c) {
    const scree_stepper_ops *stepper = scree_stepper_find(c->world.stepper);
    if (c->step > 0 || !stepper->world_step) return SCREE_OK;
    scree_reader_enter(r, "time");
    scree_reader_refuse(r, scree_node_value(map, "time"), "step",
                        "%s does not take steps that auto chooses",
                        stepper->name);
    scree_hint(r->error, "give it in seconds%s",
               stepper->adaptive ? ": the largest of those that it chooses"
                                 : "");
    return SCREE_BAD_INPUT;
}

static void default_order(const scree_node *map, scree_dense_options *o) {
    const scree_node *stepping = scree_node_value(map, "stepping");
    if (!stepping || !scree_node_value(stepping, "order")) o->order = 2;
}

static scree_status check_least_step(scree_reader *r, const scree_node *map,
                                     scree_draft *draft) {
    const double dt = draft->c.world.dt, least = ldexp(dt, -LEAST_POWER);
    const double dt_min = draft->c.stepping.dt_min;
    if (dt_min == 0 || (dt_min >= least && dt_min <= dt)) return SCREE_OK;
    const scree_node *stepping = scree_node_value(map, "stepping");
    scree_reader_enter(r, "stepping");
    scree_reader_out_of_range(r, stepping, "dt_min");
    scree_hint(r->error,
               "allowed: 0, or number >= %.3g and <= the largest step = %.12g "
               "[s]",
               least, dt);
    return SCREE_BAD_INPUT;
}

scree_status scree_check_world(scree_reader *r, const scree_node *map,
                               void *entry) {
    scree_draft *draft = entry;
    default_gravity(map, &draft->c.world);
    scree_world_def def = draft->c.world;
    def.friction = draft->c.stepping.friction;
    TRY(refuse_auto_twice(r, map, &draft->c));
    TRY(scree_check_ensemble(r, map, draft));
    TRY(scree_check_step(r, map, draft));
    TRY(check_order(r, map, &def));
    default_order(map, &draft->c.stepping);
    TRY(check_least_step(r, map, draft));
    const scree_stepper_ops *stepper = scree_stepper_find(def.stepper);
    if (scree_stepper_runs_worlds(stepper) && !stepper->poisson &&
        scree_case_asks_poisson(&draft->c))
        return refuse_poisson(r, map, def.stepper);
    if (scree_stepper_runs_worlds(stepper)) {
        TRY(refuse_drag(r, map, &draft->c, stepper));
        TRY(scree_check_forces(r, map, &draft->c));
        TRY(scree_check_cohesion(r, map, &draft->c));
        TRY(scree_check_in_cell(r, map, draft));
        TRY(scree_reader_check_drives(r, map, stepper));
        return check_friction_law(r, map, &def);
    }
    scree_reader_refuse(r, map, "stepper",
                        "'%s' is not supported for worlds, only for models",
                        draft->c.world.stepper);
    scree_hint_names(r->error, "allowed with bodies",
                     (scree_names){world_stepper_at, NULL});
    return SCREE_BAD_INPUT;
}

static scree_status refuse_auto(scree_reader *r, const scree_node *map,
                                const scree_case *c) {
    if (c->step > 0) return SCREE_OK;
    scree_reader_enter(r, "time");
    scree_reader_refuse(r, scree_node_value(map, "time"), "step",
                        "auto is for worlds of bodies, not for models");
    scree_hint(r->error, "give it in seconds; the stepper moreau-adaptive "
                         "chooses its steps up to that");
    return SCREE_BAD_INPUT;
}

/* A default that is larger than the step gives way. */
scree_status scree_check_model(scree_reader *r, const scree_node *map,
                               void *entry) {
    scree_draft *draft = entry;
    const double step = draft->c.world.dt;
    const char *stepper = draft->c.world.stepper;
    TRY(refuse_auto(r, map, &draft->c));
    if (draft->c.stepping.impact == SCREE_IMPACT_POISSON &&
        !scree_stepper_find(stepper)->poisson)
        return refuse_poisson(r, map, stepper);
    draft->c.stepping.dt = step;
    if (draft->c.stepping.dt_min <= step) return SCREE_OK;
    const scree_node *stepping = scree_node_value(map, "stepping");
    if (!stepping || !scree_node_value(stepping, "dt_min")) {
        draft->c.stepping.dt_min = step;
        return SCREE_OK;
    }
    scree_reader_enter(r, "stepping");
    scree_reader_out_of_range(r, stepping, "dt_min");
    scree_hint(r->error, "allowed: number >= 0 and <= time.step = %.12g [s]",
               step);
    return SCREE_BAD_INPUT;
}

/* ---- walls --------------------------------------------------------------- */

scree_status scree_reader_check_box(scree_reader *r, const scree_node *map,
                                    const double min[3], const double max[3]) {
    for (int i = 0; i < (r->draft.c.world.planar ? 2 : 3); i++) {
        if (min[i] < max[i]) continue;
        scree_reader_refuse(r, map, "max", "%g is not above min in %c", max[i],
                            "xyz"[i]);
        scree_hint(r->error, "allowed: number > %.12g [m]", min[i]);
        return SCREE_BAD_INPUT;
    }
    return SCREE_OK;
}

scree_status scree_check_wall_box(scree_reader *r, const scree_node *map,
                                  void *entry) {
    const scree_wall_entry *wall = entry;
    TRY(scree_reader_check_box(r, map, wall->box.min, wall->box.max));
    if (!r->draft.c.world.planar || !(wall->box.open & 0xc)) return SCREE_OK;
    scree_reader_refuse(r, map, "open",
                        "in a plane world a box has no front "
                        "and no back");
    scree_hint(r->error, "allowed: left, right, bottom, top");
    return SCREE_BAD_INPUT;
}

static scree_status name_by_number(scree_reader *r, scree_wall_entry *wall) {
    char name[32];
    const int n = snprintf(name, sizeof name, "wall-%d", r->item);
    wall->name = scree_pool_text(r->pool, name, (size_t)n);
    return wall->name ? SCREE_OK : scree_reader_no_memory(r);
}

static scree_status check_wall_kind(scree_reader *r, const scree_node *map,
                                    const scree_wall_entry *wall) {
    static const char *const kinds[] = {
        [SCREE_WALL_PRISM] = "prism",     [SCREE_WALL_MESH] = "mesh",
        [SCREE_WALL_TERRAIN] = "terrain", [SCREE_WALL_CYLINDER] = "cylinder",
        [SCREE_WALL_CONE] = "cone",       [SCREE_WALL_PROFILE] = "profile"};
    if (wall->kind == SCREE_WALL_SEGMENTS)
        return scree_reader_check_segments(r, map, wall);
    if (!r->draft.c.world.planar)
        return wall->kind >= SCREE_WALL_CYLINDER
                   ? scree_reader_check_turned(r, map, wall)
                   : SCREE_OK;
    if (wall->kind < SCREE_WALL_PRISM) return SCREE_OK;
    scree_reader_refuse(r, map, kinds[wall->kind],
                        "not a wall of a plane world");
    scree_hint(r->error, "allowed with planar: plane, box, segments");
    return SCREE_BAD_INPUT;
}

static scree_status check_times(scree_reader *r, const scree_node *map,
                                const scree_wall_entry *wall) {
    if (wall->plane.until > wall->plane.from) return SCREE_OK;
    scree_reader_out_of_range(r, map, "until");
    scree_hint(r->error, "allowed: number > from = %.12g [s]",
               wall->plane.from);
    return SCREE_BAD_INPUT;
}

scree_status scree_check_wall(scree_reader *r, const scree_node *map,
                              void *entry) {
    scree_wall_entry *wall = entry;
    TRY(check_wall_kind(r, map, wall));
    if (!wall->name) TRY(name_by_number(r, wall));
    TRY(scree_reader_add_name(r, map, &r->walls, "walls", r->draft.n_wall,
                              wall->name));
    TRY(check_times(r, map, wall));
    TRY(scree_reader_check_servo(r, map, wall));
    const bool file =
        wall->kind == SCREE_WALL_MESH || wall->kind == SCREE_WALL_TERRAIN;
    return file ? scree_reader_load_surface(r, map, wall) : SCREE_OK;
}

/* ---- radii --------------------------------------------------------------- */

scree_status scree_check_radius_bounds(scree_reader *r, const scree_node *map,
                                       void *entry) {
    const scree_radius_law *law = entry;
    if (law->min <= law->max) return SCREE_OK;
    scree_reader_out_of_range(r, map, "max");
    scree_hint(r->error, "allowed: number >= min = %.12g [m]", law->min);
    return SCREE_BAD_INPUT;
}

static scree_status check_weights(scree_reader *r, const scree_node *map,
                                  const scree_radius_law *law) {
    double sum = 0;
    for (int i = 0; i < law->n; i++) sum += law->weights[i];
    if (sum > 0 && isfinite(sum)) return SCREE_OK;
    scree_reader_refuse(r, map, "weights", "their sum is %g", sum);
    scree_hint(r->error, "allowed: numbers >= 0 with a sum > 0");
    return SCREE_BAD_INPUT;
}

scree_status scree_check_list(scree_reader *r, const scree_node *map,
                              void *entry) {
    const scree_node *values = scree_node_value(map, "values");
    const scree_node *weights = scree_node_value(map, "weights");
    if (!weights) return SCREE_OK;
    if (weights->n == values->n) return check_weights(r, map, entry);
    scree_reader_refuse(r, map, "weights", "%d weights for %d values",
                        weights->n, values->n);
    scree_hint(r->error, "allowed: list of %d numbers >= 0", values->n);
    return SCREE_BAD_INPUT;
}
