/* case_check.c: defaults of list entries, and rules that span several keys. */
#include "io/case_check.h"

#include "engine/stepper.h"
#include "engine/world.h"
#include "io/case_reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- defaults ------------------------------------------------------------ */

void scree_prepare_material(void *entry) {
    scree_case_material *material = entry;
    material->def = scree_material_def_default();
}

/* NAN marks what the mixing rule will fill in. */
void scree_prepare_pair(void *entry) {
    scree_case_pair *pair = entry;
    pair->law = (scree_contact_law){NAN, NAN, NAN, NAN, NAN};
}

void scree_prepare_wall(void *entry) {
    scree_wall_entry *wall = entry;
    wall->plane = scree_plane_def_default();
    wall->plane.material = 0;
}

/* A pour has no bound on its count; its stop follows from the run's end. */
void scree_prepare_body(void *entry) {
    scree_body_entry *body = entry;
    body->sphere = scree_sphere_def_default();
    body->pour.count = INT64_MAX;
    body->pour.stop = INFINITY;
}

/* ---- time, materials, outputs -------------------------------------------- */

/* Refuses a scalar as it was written; the caller adds the limits. */
static scree_status out_of_range(scree_reader *r, const scree_node *map,
                                 const char *key) {
    const char *text = scree_node_value(map, key)->text;
    return scree_reader_refuse(r, map, key, "%s is out of range",
                               scree_quote(text).text);
}

scree_status scree_check_time(scree_reader *r, const scree_node *map,
                              void *entry) {
    const scree_draft *draft = entry;
    const double end = draft->c.end, step = draft->c.world.dt;
    const double least = end * 1e-12; /* counts of steps stay exact */
    if (step >= least && step <= end) return SCREE_OK;
    out_of_range(r, map, "step");
    scree_hint(r->error, "allowed: number >= %.12g and <= time.end = %.12g [s]",
               least, end);
    return SCREE_BAD_INPUT;
}

scree_status scree_check_material(scree_reader *r, const scree_node *map,
                                  void *entry) {
    const scree_case_material *material = entry;
    for (int i = 0; i < r->draft.c.n_material; i++)
        if (strcmp(r->draft.c.materials[i].name, material->name) == 0)
            return scree_reader_refuse(
                r, map, "name", "materials[%d] has the name '%s' already", i,
                scree_quote(material->name).text);
    return SCREE_OK;
}

static scree_contact_law mix(const scree_case *c, int a, int b) {
    const scree_contact_law *x = &c->materials[a].def.law;
    const scree_contact_law *y = &c->materials[b].def.law;
    return (scree_contact_law){sqrt(x->friction * y->friction),
                               fmin(x->e_n, y->e_n), fmin(x->e_t, y->e_t),
                               sqrt(x->rolling * y->rolling),
                               sqrt(x->drilling * y->drilling)};
}

static bool same_pair(const scree_case_pair *p, const scree_case_pair *q) {
    return (p->a == q->a && p->b == q->b) || (p->a == q->b && p->b == q->a);
}

scree_status scree_check_pair(scree_reader *r, const scree_node *map,
                              void *entry) {
    scree_case_pair *pair = entry;
    for (int i = 0; i < r->draft.c.n_pair; i++)
        if (same_pair(&r->draft.c.pairs[i], pair))
            return scree_reader_refuse(r, map, "materials",
                                       "pairs[%d] has these two already", i);
    const scree_contact_law mixed = mix(&r->draft.c, pair->a, pair->b);
    if (isnan(pair->law.friction)) pair->law.friction = mixed.friction;
    if (isnan(pair->law.e_n)) pair->law.e_n = mixed.e_n;
    if (isnan(pair->law.e_t)) pair->law.e_t = mixed.e_t;
    if (isnan(pair->law.rolling)) pair->law.rolling = mixed.rolling;
    if (isnan(pair->law.drilling)) pair->law.drilling = mixed.drilling;
    return SCREE_OK;
}

scree_status scree_check_output(scree_reader *r, const scree_node *map,
                                void *entry) {
    const scree_output_entry *output = entry;
    const char *sink = scree_outputs_of(&r->draft.c)->fields[output->sink].key;
    for (int i = 0; i < r->draft.n_output; i++)
        if (r->draft.outputs[i].sink == output->sink)
            return scree_reader_refuse(r, map, sink,
                                       "outputs[%d] has this sink already", i);
    return SCREE_OK;
}

/* ---- steppers ------------------------------------------------------------ */

static const char *world_stepper_at(const void *from, int i) {
    (void)from;
    const scree_stepper_ops *ops;
    for (int k = 0; (ops = scree_stepper_get(k)); k++)
        if (ops->step && i-- == 0) return ops->name;
    return NULL;
}

static scree_status check_friction_law(scree_reader *r, const scree_node *map,
                                       const scree_world_def *def) {
    const char *why = scree_world_ties_friction(def);
    if (!why) return SCREE_OK;
    const scree_node *solver = scree_node_value(map, "solver");
    const bool dump = solver && scree_node_value(solver, "dump");
    scree_reader_enter(r, "solver");
    scree_reader_refuse(r, solver, dump ? "dump" : "method", "%s", why);
    scree_hint(r->error, "remedy: stepping: {friction: total}%s",
               dump ? "" : ", or method: pgs, jacobi, auto");
    return SCREE_BAD_INPUT;
}

scree_status scree_check_world(scree_reader *r, const scree_node *map,
                               void *entry) {
    const scree_draft *draft = entry;
    scree_world_def def = draft->c.world;
    def.friction = draft->c.stepping.friction;
    if (scree_stepper_find(def.stepper)->step)
        return check_friction_law(r, map, &def);
    scree_reader_refuse(r, map, "stepper",
                        "'%s' is not supported for worlds, only for models",
                        draft->c.world.stepper);
    scree_hint_names(r->error, "allowed with bodies",
                     (scree_names){world_stepper_at, NULL});
    return SCREE_BAD_INPUT;
}

/* A default that is larger than the step gives way. */
scree_status scree_check_model(scree_reader *r, const scree_node *map,
                               void *entry) {
    scree_draft *draft = entry;
    const double step = draft->c.world.dt;
    draft->c.stepping.dt = step;
    if (draft->c.stepping.dt_min <= step) return SCREE_OK;
    const scree_node *stepping = scree_node_value(map, "stepping");
    if (!stepping || !scree_node_value(stepping, "dt_min")) {
        draft->c.stepping.dt_min = step;
        return SCREE_OK;
    }
    scree_reader_enter(r, "stepping");
    out_of_range(r, stepping, "dt_min");
    scree_hint(r->error, "allowed: number >= 0 and <= time.step = %.12g [s]",
               step);
    return SCREE_BAD_INPUT;
}

/* ---- walls --------------------------------------------------------------- */

static scree_status check_box(scree_reader *r, const scree_node *map,
                              const double min[3], const double max[3]) {
    for (int i = 0; i < 3; i++) {
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
    return check_box(r, map, wall->box.min, wall->box.max);
}

static scree_status name_by_number(scree_reader *r, scree_wall_entry *wall) {
    char name[32];
    const int n = snprintf(name, sizeof name, "wall-%d", r->item);
    wall->name = scree_pool_text(r->pool, name, (size_t)n);
    return wall->name ? SCREE_OK : scree_reader_no_memory(r);
}

scree_status scree_check_wall(scree_reader *r, const scree_node *map,
                              void *entry) {
    scree_wall_entry *wall = entry;
    if (!wall->name) TRY(name_by_number(r, wall));
    for (int i = 0; i < r->draft.n_wall; i++)
        if (strcmp(r->draft.walls[i].name, wall->name) == 0)
            return scree_reader_refuse(r, map, "name",
                                       "walls[%d] has the name '%s' already", i,
                                       scree_quote(wall->name).text);
    if (wall->plane.until > wall->plane.from) return SCREE_OK;
    out_of_range(r, map, "until");
    scree_hint(r->error, "allowed: number > from = %.12g [s]",
               wall->plane.from);
    return SCREE_BAD_INPUT;
}

/* ---- radii --------------------------------------------------------------- */

scree_status scree_check_radius_bounds(scree_reader *r, const scree_node *map,
                                       void *entry) {
    const scree_radius_law *law = entry;
    if (law->min <= law->max) return SCREE_OK;
    out_of_range(r, map, "max");
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

/* ---- bodies -------------------------------------------------------------- */

scree_status scree_check_region_box(scree_reader *r, const scree_node *map,
                                    void *entry) {
    const scree_region *region = entry;
    return check_box(r, map, region->min, region->max);
}

scree_status scree_check_pour(scree_reader *r, const scree_node *map,
                              void *entry) {
    scree_pour *pour = entry;
    if (!isfinite(pour->stop)) pour->stop = r->draft.c.end;
    if (pour->start < pour->stop) return SCREE_OK;
    out_of_range(r, map, "start");
    scree_hint(r->error, "allowed: number >= 0 and < stop = %.12g [s]",
               pour->stop);
    return SCREE_BAD_INPUT;
}

static scree_status check_sphere(scree_reader *r, const scree_node *map,
                                 const scree_body_entry *body) {
    if (body->grain.radius.kind == SCREE_RADIUS_CONSTANT) return SCREE_OK;
    scree_reader_refuse(r, map, "radius",
                        "a single sphere has a single radius");
    scree_hint(r->error, "allowed: number > 0 [m], or the key constant");
    return SCREE_BAD_INPUT;
}

static scree_status check_total(scree_reader *r, const scree_node *map,
                                const int64_t n[3]) {
    const double most = 1e9, total = (double)n[0] * (double)n[1] * (double)n[2];
    if (total <= most) return SCREE_OK;
    scree_reader_refuse(r, map, "counts", "%g bodies are too many", total);
    scree_hint(r->error, "allowed: a product <= %g", most);
    return SCREE_BAD_INPUT;
}

/* Neighbours must not touch wherever the jitter puts them. The bound has a
 * little play for the rounding of sums such as 2 * 0.1 + 2 * 0.01. */
static scree_status check_lattice(scree_reader *r, const scree_node *map,
                                  const scree_body_entry *body) {
    const scree_lattice *lattice = &body->lattice;
    const double least =
        2 * scree_radius_largest(&body->grain.radius) + 2 * lattice->jitter;
    const scree_node *inner = scree_node_value(map, "lattice");
    scree_reader_enter(r, "lattice");
    TRY(check_total(r, inner, lattice->counts));
    for (int i = 0; i < 3; i++) {
        const double spacing = lattice->spacing[i];
        if (lattice->counts[i] == 1 || spacing >= least * (1 - 1e-12)) continue;
        scree_reader_refuse(r, inner, "spacing",
                            "%g is too small in %c: the spheres would overlap",
                            spacing, "xyz"[i]);
        scree_hint(r->error,
                   "allowed: number >= 2 * largest radius + 2 * jitter = "
                   "%.12g [m]",
                   least);
        return SCREE_BAD_INPUT;
    }
    return SCREE_OK;
}

/* The largest sphere that a region can hold. */
static double inner_radius(const scree_region *region) {
    if (region->kind == SCREE_REGION_CYLINDER)
        return fmin(region->radius, region->height / 2);
    double least = INFINITY;
    for (int i = 0; i < 3; i++)
        least = fmin(least, (region->max[i] - region->min[i]) / 2);
    return least;
}

static scree_status check_region(scree_reader *r, const scree_node *map,
                                 const char *generator,
                                 const scree_region *region,
                                 const scree_grain *grain) {
    const double largest = scree_radius_largest(&grain->radius);
    if (inner_radius(region) >= largest * (1 - 1e-12)) return SCREE_OK;
    const bool box = region->kind == SCREE_REGION_BOX;
    scree_reader_enter(r, generator);
    scree_reader_refuse(
        r, scree_node_value(map, generator), box ? "box" : "cylinder",
        "too small for the largest sphere, of radius %g", largest);
    scree_hint(r->error, "allowed: %s >= %.12g [m]",
               box ? "max - min in x, y, z" : "height and 2 * radius",
               2 * largest);
    return SCREE_BAD_INPUT;
}

static scree_status check_place(scree_reader *r, const scree_node *map,
                                const scree_body_entry *body) {
    switch (body->kind) {
    case SCREE_CASE_LATTICE:
        return check_lattice(r, map, body);
    case SCREE_CASE_FILL:
        return check_region(r, map, "fill", &body->fill.region, &body->grain);
    case SCREE_CASE_POUR:
        return check_region(r, map, "pour", &body->pour.region, &body->grain);
    default:
        return check_sphere(r, map, body);
    }
}

scree_status scree_check_body(scree_reader *r, const scree_node *map,
                              void *entry) {
    scree_body_entry *body = entry;
    body->line = map->origin.line;
    const size_t mark = strlen(r->key);
    TRY(check_place(r, map, body));
    scree_reader_leave(r, mark);
    return SCREE_OK;
}
