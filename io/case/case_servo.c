/* case_servo.c: walls that forces drive (engine/walls/servo.h), from their keys. */
#include "io/case/case_check.h"
#include "io/case/case_reader.h"

#include "engine/system/stepper.h"

#include <math.h>
#include <string.h>

/* In the order of their keys. */
enum { FORCE, PRESSURE, TORQUE };
static const scree_servo_kind kinds[] = {
    SCREE_SERVO_FORCE, SCREE_SERVO_PRESSURE, SCREE_SERVO_TORQUE};
static const char *const goals[] = {"force", "pressure", "torque"};

static const double ASLANT = 1e-9;

scree_case_servo scree_case_servo_none(void) {
    return (scree_case_servo){.goal = -1,
                              .origin = {NAN, NAN, NAN},
                              .damping = -1,
                              .until = INFINITY,
                              .then = NAN};
}

static bool is_set(const double direction[3]) {
    return direction[0] != 0 || direction[1] != 0 || direction[2] != 0;
}

/* ---- what its own keys cannot be together ---------------------------------- */

/* A key that does not go with the goal, or NULL. */
static const char *stray_key(const scree_case_servo *s) {
    const bool torque = s->goal == TORQUE, pressure = s->goal == PRESSURE;
    if (!pressure && s->area > 0) return "area";
    if (!pressure && s->room) return "room";
    if (torque && s->faces) return "faces";
    if (torque && is_set(s->direction)) return "direction";
    if (torque && s->mass > 0) return "mass";
    if (!torque && is_set(s->axis)) return "axis";
    if (!torque && !isnan(s->origin[0])) return "origin";
    if (!torque && s->inertia > 0) return "inertia";
    return NULL;
}

static scree_status refuse_servo(scree_reader *r, const scree_node *map,
                                 const char *key, const char *why,
                                 const char *remedy) {
    scree_reader_refuse(r, map, key, "%s", why);
    scree_hint(r->error, "remedy: %s", remedy);
    return SCREE_BAD_INPUT;
}

scree_status scree_check_servo(scree_reader *r, const scree_node *map,
                               void *entry) {
    const scree_case_servo *s = entry;
    const char *stray = stray_key(s);
    if (stray) {
        scree_reader_refuse(r, map, stray, "does not go with %s",
                            goals[s->goal]);
        scree_hint(r->error, "remedy: leave the key out");
        return SCREE_BAD_INPUT;
    }
    if (s->area > 0 && s->room)
        return refuse_servo(r, map, "room", "the area is given already",
                            "leave area or room out");
    if (s->damping >= 0 && s->speed > 0)
        return refuse_servo(r, map, "damping",
                            "the highest speed follows from the damping",
                            "leave speed or damping out");
    if (s->target == 0 && s->mass == 0 && s->inertia == 0)
        return refuse_servo(r, map, goals[s->goal],
                            "a wall that nothing presses has no mass by itself",
                            s->goal == TORQUE ? "give an inertia"
                                              : "give a mass");
    if (s->goal == TORQUE && !(s->inertia > 0) && !(s->speed > 0))
        return refuse_servo(r, map, "torque", "without inertia it has no bound",
                            "give an inertia, or a highest speed");
    if (s->goal == TORQUE && !is_set(s->axis))
        return refuse_servo(r, map, "axis", "a torque has no axis by itself",
                            "axis: [0, 1, 0]");
    if (!isnan(s->then) && !isfinite(s->until))
        return refuse_servo(r, map, "then",
                            "without until it never comes to that",
                            "give until");
    return SCREE_OK;
}

/* ---- what the wall cannot be beside it --------------------------------------- */

/* Does the motion move it along d? */
static bool moves_along(const double move[3], const double d[3]) {
    const scree_vec3 v = vec_from(move), e = vec_from(d);
    return fabs(dot(v, e)) > ASLANT * norm(v) * norm(e);
}

/* The key of a motion that the servo is in the way of, or NULL. */
static const char *rival_motion(const scree_motion *m, bool turns,
                                const double d[3]) {
    if (m->rate != 0) return "rotation";
    if (turns ? is_set(m->velocity) : moves_along(m->velocity, d))
        return "velocity";
    if (m->frequency > 0 && (turns || moves_along(m->amplitude, d)))
        return "oscillation";
    if (m->n_table > 0 && (turns || moves_along(m->along, d)))
        return "displacement";
    return NULL;
}

static scree_status check_motion(scree_reader *r, const scree_node *map,
                                 const scree_wall_entry *wall,
                                 const double d[3]) {
    const bool turns = wall->servo.goal == TORQUE;
    const char *key = rival_motion(&wall->plane.motion, turns, d);
    if (!key) return SCREE_OK;
    scree_reader_enter(r, "motion");
    return refuse_servo(r, scree_node_value(map, "motion"), key,
                        turns
                            ? "the wall is driven by a torque and has no other "
                              "motion"
                            : "the wall is driven in that direction by a servo",
                        "leave it out, or move the wall across");
}

static bool is_driven_face(const scree_wall_entry *wall, int face) {
    const uint32_t faces = wall->servo.faces;
    return !(wall->box.open >> face & 1) && (!faces || faces >> face & 1);
}

static scree_status check_box_motion(scree_reader *r, const scree_node *map,
                                     const scree_wall_entry *wall) {
    const bool planar = r->draft.c.world.planar;
    for (int face = 0; face < SCREE_FACES; face++) {
        double d[3] = {0};
        if (!is_driven_face(wall, face) || (planar && face / 2 == 1)) continue;
        d[planar && face / 2 == 2 ? 1 : face / 2] = 1;
        TRY(check_motion(r, map, wall, d));
    }
    return SCREE_OK;
}

static scree_status check_box(scree_reader *r, const scree_node *map,
                              const scree_wall_entry *wall) {
    const scree_case_servo *s = &wall->servo;
    const scree_node *servo = scree_node_value(map, "servo");
    const uint32_t absent =
        wall->box.open | (r->draft.c.world.planar ? 0xc : 0);
    if (s->goal == TORQUE || is_set(s->direction)) {
        scree_reader_enter(r, "servo");
        return refuse_servo(r, servo,
                            s->goal == TORQUE ? "torque" : "direction",
                            "faces of a box are driven along their normals",
                            "a plane or mesh of its own");
    }
    if (s->faces & absent) {
        scree_reader_enter(r, "servo");
        return refuse_servo(r, servo, "faces", "the box has no such face",
                            "leave out those that are open");
    }
    return check_box_motion(r, map, wall);
}

/* Planes and surfaces. */
static scree_status check_single(scree_reader *r, const scree_node *map,
                                 const scree_wall_entry *wall) {
    const scree_case_servo *s = &wall->servo;
    const scree_node *servo = scree_node_value(map, "servo");
    const bool plane = wall->kind == SCREE_WALL_PLANE,
               own = is_set(s->direction);
    const size_t mark = scree_reader_enter(r, "servo");
    if (s->faces)
        return refuse_servo(r, servo, "faces", "only a box has faces",
                            "leave the key out");
    if (s->goal != TORQUE && !plane && !own)
        return refuse_servo(r, servo, "direction",
                            "a surface has no direction by itself",
                            "direction: [0, 0, -1]");
    if (s->goal == PRESSURE && !s->room && !(s->area > 0))
        return refuse_servo(r, servo, "pressure",
                            "acts on an area that is not given",
                            "give an area, or the name of a room");
    scree_reader_leave(r, mark);
    return check_motion(r, map, wall, own ? s->direction : wall->plane.normal);
}

scree_status scree_reader_check_servo(scree_reader *r, const scree_node *map,
                                      const scree_wall_entry *wall) {
    if (wall->servo.goal < 0) return SCREE_OK;
    if (wall->kind == SCREE_WALL_PRISM || wall->kind == SCREE_WALL_TERRAIN)
        return refuse_servo(r, map, "servo",
                            "prisms and terrain are not driven by forces",
                            "a plane, a box, a mesh or a cylinder");
    return wall->kind == SCREE_WALL_BOX ? check_box(r, map, wall)
                                        : check_single(r, map, wall);
}

scree_status scree_reader_check_drives(scree_reader *r, const scree_node *map,
                                       const scree_stepper_ops *stepper) {
    for (int i = 0; i < r->draft.n_wall && !stepper->drives; i++)
        if (r->draft.walls[i].servo.goal >= 0) {
            scree_reader_refuse(r, map, "stepper",
                                "'%s' does not know walls that a servo "
                                "drives, as '%s'",
                                stepper->name, r->draft.walls[i].name);
            scree_hint(r->error, "take moreau");
            return SCREE_BAD_INPUT;
        }
    return SCREE_OK;
}

/* ---- faces and rooms ----------------------------------------------------------- */

void scree_servo_of_face(scree_case_servo *servo, const scree_wall_entry *wall,
                         int face) {
    if (servo->goal < 0) return;
    if (!is_driven_face(wall, face)) {
        *servo = scree_case_servo_none();
        return;
    }
    servo->faces = 0;
    if (servo->goal == PRESSURE && !servo->room && !(servo->area > 0))
        servo->room = wall->name;
}

static bool is_of_room(const scree_case_wall *wall, const char *room) {
    const size_t n = strlen(room);
    return wall->kind == SCREE_CASE_PLANE &&
           strncmp(wall->name, room, n) == 0 && wall->name[n] == '.';
}

static scree_vec3 normal_of(const scree_case_wall *wall) {
    const scree_vec3 n = vec_from(wall->def.normal);
    return scale(1 / norm(n), n);
}

/* The walls of a room that face each other across d, as pairs. */
static int find_pairs(const scree_case *c, const char *room, scree_vec3 d,
                      int across[4]) {
    int n = 0;
    for (int i = 0; i < c->n_wall && n < 4; i++) {
        if (!is_of_room(&c->walls[i], room)) continue;
        const scree_vec3 e = normal_of(&c->walls[i]);
        if (fabs(dot(e, d)) > ASLANT * norm(d)) continue;
        for (int k = i + 1; k < c->n_wall; k++)
            if (is_of_room(&c->walls[k], room) &&
                norm(add(e, normal_of(&c->walls[k]))) < ASLANT) {
                across[n++] = i, across[n++] = k;
                break;
            }
    }
    return n / 2;
}

static scree_status find_room(scree_reader *r, int i, scree_servo *servo) {
    const scree_case *c = &r->draft.c;
    const scree_case_wall *wall = &c->walls[i];
    const int wanted = c->world.planar ? 1 : 2;
    const scree_vec3 d = is_set(servo->direction) ? vec_from(servo->direction)
                                                  : vec_from(wall->def.normal);
    if (find_pairs(c, wall->servo.room, d, servo->across) == wanted)
        return SCREE_OK;
    return scree_fail(r->error, SCREE_BAD_INPUT,
                      "%.500s: walls: '%.200s': servo: the planes '%.200s.*' "
                      "span no area across its direction\n  remedy: a box with "
                      "%s, or an area",
                      c->path, wall->name, wall->servo.room,
                      wanted == 1 ? "both sides" : "all four sides");
}

static scree_status resolve_servo(scree_reader *r, int i) {
    scree_case_wall *wall = &r->draft.c.walls[i];
    const scree_case_servo *from = &wall->servo;
    scree_servo *to = &wall->def.servo;
    *to = scree_servo_default();
    if (from->goal < 0) return SCREE_OK;
    to->kind = kinds[from->goal];
    to->target = from->target;
    memcpy(to->direction, from->direction, sizeof to->direction);
    if (is_set(from->axis)) memcpy(to->axis, from->axis, sizeof to->axis);
    if (!isnan(from->origin[0]))
        memcpy(to->origin, from->origin, sizeof to->origin);
    to->area = from->area;
    to->mass = from->goal == TORQUE ? from->inertia : from->mass;
    to->speed = from->speed;
    to->damping = from->damping;
    to->until = from->until;
    to->then = isnan(from->then) ? 0 : from->then;
    return from->room ? find_room(r, i, to) : SCREE_OK;
}

scree_status scree_reader_resolve_servos(scree_reader *r) {
    for (int i = 0; i < r->draft.c.n_wall; i++) TRY(resolve_servo(r, i));
    return SCREE_OK;
}
