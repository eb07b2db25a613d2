/* case_joints.c: entries of joints and nets: their defaults, what one row cannot say, and
 * the world's joints from them. */
#include <stdio.h>
#include <string.h>

#include "io/case/case_joints.h"

#include "io/case/case_reader.h"

void scree_prepare_joint(void *entry) {
    scree_case_joint *joint = entry;
    joint->def = scree_joint_def_default();
    joint->def.point_a[0] = joint->def.point_b[0] = NAN;
    joint->limits = (scree_case_limits){1, -1}; /* out of their ranges: none */
    joint->motor = (scree_case_motor){0, 0};
}

void scree_prepare_net(void *entry) {
    scree_case_net *net = entry;
    net->def = scree_net_def_default();
}

static bool is_line(scree_joint_kind kind) {
    return kind >= SCREE_JOINT_ROD;
}

static bool has_axis(scree_joint_kind kind) {
    return kind == SCREE_JOINT_HINGE || kind == SCREE_JOINT_SLIDER;
}

/* Keys that only some kinds have. */
static scree_status check_keys(scree_reader *r, const scree_node *map,
                               scree_joint_kind kind) {
    static const char *const of_line[] = {"to",      "length",   "stiffness",
                                          "damping", "slips_at", "prestress"};
    static const char *const of_axis[] = {"axis", "friction", "motor",
                                          "limits"};
    const char *name = scree_joint_kind_name((int)kind);
    for (size_t k = 0; k < sizeof of_line / sizeof *of_line; k++)
        if (!is_line(kind) && scree_node_value(map, of_line[k]))
            return scree_reader_refuse(r, map, of_line[k],
                                       "a %s has none; a rod, spring or cable "
                                       "may",
                                       name);
    for (size_t k = 0; k < sizeof of_axis / sizeof *of_axis; k++)
        if (!has_axis(kind) && scree_node_value(map, of_axis[k]))
            return scree_reader_refuse(r, map, of_axis[k],
                                       "a %s has none; a hinge or slider may",
                                       name);
    return SCREE_OK;
}

/* Out of their ranges: the printer leaves out what the kind has not. */
static void leave_out(scree_joint_def *def) {
    if (!is_line(def->kind))
        def->stiffness = def->damping = def->prestress = def->slips_at = -1;
    if (!has_axis(def->kind)) def->axis[0] = NAN, def->friction = -1;
}

static void put_back(scree_joint_def *def) {
    const scree_joint_def none = scree_joint_def_default();
    if (!is_line(def->kind))
        def->stiffness = def->damping = def->prestress = def->slips_at = 0;
    if (has_axis(def->kind)) return;
    memcpy(def->axis, none.axis, sizeof def->axis);
    def->friction = 0;
}

scree_status scree_check_joint(scree_reader *r, const scree_node *map,
                               void *entry) {
    scree_case_joint *joint = entry;
    scree_joint_def *def = &joint->def;
    joint->line = map->origin.line;
    TRY(check_keys(r, map, def->kind));
    if (def->a == def->b)
        return scree_reader_refuse(r, map, "b", "this is a itself");
    if (is_line(def->kind) && def->b < 0 && isnan(def->point_b[0]))
        return scree_reader_refuse(r, map, "kind",
                                   "where on the ground? 'to' or 'b' is "
                                   "missing");
    if (joint->motor.strength > 0 && def->friction > 0)
        return scree_reader_refuse(r, map, "friction",
                                   "cannot be beside a motor: take it from "
                                   "its strength");
    leave_out(def);
    return SCREE_OK;
}

static bool is_given(const scree_strand *s) {
    return s->stiffness > 0 || s->damping > 0 || s->breaks_at > 0;
}

scree_status scree_check_net(scree_reader *r, const scree_node *map,
                             void *entry) {
    scree_case_net *net = entry;
    net->line = map->origin.line;
    for (int i = 0; i < r->draft.c.n_net; i++)
        if (strcmp(r->draft.c.nets[i].name, net->name) == 0)
            return scree_reader_refuse(r, map, "name",
                                       "nets[%d] has this name already", i);
    if (net->def.brake > 0 && net->def.anchor_length == 0)
        return scree_reader_refuse(r, map, "brake",
                                   "needs anchors with an anchor_length");
    if (net->def.anchors == SCREE_ANCHOR_NONE && net->def.anchor_length > 0)
        return scree_reader_refuse(r, map, "anchor_length",
                                   "no node is anchored: 'anchors' is none");
    if (net->def.anchor_length == 0 &&
        (net->def.anchor.stiffness > 0 || net->def.anchor.damping > 0))
        return scree_reader_refuse(r, map, "anchor",
                                   "is no cable without an anchor_length: "
                                   "nodes are held where they are");
    if (!net->def.roped && is_given(&net->def.rope))
        return scree_reader_refuse(r, map, "rope", "'roped: on' is missing");
    if (net->def.rows > 0 && !scree_node_value(map, "across"))
        return scree_reader_refuse(r, map, "rows", "'across' is missing");
    return SCREE_OK;
}

/* ---- into the world --------------------------------------------------------- */

/* Centres stand in for points that are not given. Worlds of one rank alone have
 * joints, and list all bodies. */
static scree_status find_centres(scree_world *world, double **positions) {
    const int64_t n = scree_world_block(world).n;
    *positions = malloc((3 * (size_t)n + 1) * sizeof **positions);
    if (!*positions) return SCREE_OUT_OF_MEMORY;
    return scree_world_read_state(world,
                                  &(scree_state_view){.position = *positions});
}

static void put_centre(const double *positions, int64_t n, int64_t id,
                       double point[3]) {
    if (!isnan(point[0])) return;
    memset(point, 0, 3 * sizeof *point);
    if (id >= 0 && id < n) memcpy(point, &positions[3 * id], 3 * sizeof *point);
}

static scree_joint_def complete_joint(const scree_case_joint *joint,
                                      const double *positions, int64_t n) {
    scree_joint_def def = joint->def;
    put_back(&def);
    def.motor = joint->motor.strength > 0;
    def.speed = joint->motor.speed, def.strength = joint->motor.strength;
    def.limited = joint->limits.from <= 0 && joint->limits.to >= 0;
    def.limits[0] = joint->limits.from, def.limits[1] = joint->limits.to;
    put_centre(positions, n, def.a, def.point_a);
    put_centre(positions, n, def.b, def.point_b);
    return def;
}

/* What the world says of entry i, with the line that asked for it. */
static scree_status refused_joint(const scree_case *c, const char *list, int i,
                                  int line, const scree_world *world,
                                  scree_status status, scree_error *error) {
    char at[24] = "";
    if (line > 0) snprintf(at, sizeof at, ":%d", line);
    return scree_fail(error,
                      status == SCREE_BAD_ARGUMENT ? SCREE_BAD_INPUT : status,
                      "%.300s%s: %s[%d]: %.500s", c->path, at, list, i,
                      scree_world_error(world));
}

static scree_status add_one(const scree_case *c, int i, scree_world *world,
                            const double *positions, scree_error *error) {
    const scree_case_joint *joint = &c->joints[i];
    const scree_joint_def def =
        complete_joint(joint, positions, scree_world_block(world).n);
    const scree_status status = scree_world_add_joint(world, &def, NULL);
    if (status == SCREE_OK) return SCREE_OK;
    return refused_joint(c, "joints", i, joint->line, world, status, error);
}

static scree_status add_nets(const scree_case *c, scree_world *world,
                             scree_error *error) {
    for (int i = 0; i < c->n_net; i++) {
        scree_net_def def = c->nets[i].def;
        def.group = i + 1;
        const scree_status status =
            scree_world_add_net(world, &def, NULL, NULL);
        if (status != SCREE_OK)
            return refused_joint(c, "nets", i, c->nets[i].line, world, status,
                                 error);
    }
    return SCREE_OK;
}

scree_status scree_case_add_joints(const scree_case *c, scree_world *world,
                                   scree_error *error) {
    TRY(add_nets(c, world, error));
    if (c->n_joint == 0) return SCREE_OK;
    double *positions;
    scree_status status = find_centres(world, &positions);
    for (int i = 0; i < c->n_joint && status == SCREE_OK; i++)
        status = add_one(c, i, world, positions, error);
    free(positions);
    return status;
}
