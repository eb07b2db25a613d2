/* joints.c: making joints, every argument checked, and reading them. */
#include "engine/joints/joints.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/elementary/elementary.h"
#include "engine/base/error.h"
#include "engine/laws/poisson.h"
#include "engine/world/ranks.h"

static const char *const kinds[] = {"ball", "hinge",  "slider", "fixed",
                                    "rod",  "spring", "cable"};
_Static_assert(sizeof kinds / sizeof *kinds == SCREE_JOINT_KINDS,
               "each kind has a name");

const char *scree_joint_kind_name(int kind) {
    return kind >= 0 && kind < SCREE_JOINT_KINDS ? kinds[kind] : NULL;
}

scree_joint_def scree_joint_def_default(void) {
    return (scree_joint_def){.b = SCREE_GROUND,
                             .axis = {0, 0, 1},
                             .length = -1,
                             .cookie = SCREE_COOKIE};
}

/* ---- checks -------------------------------------------------------------------- */

static bool is_line(scree_joint_kind kind) {
    return kind >= SCREE_JOINT_ROD;
}

static bool has_axis(scree_joint_kind kind) {
    return kind == SCREE_JOINT_HINGE || kind == SCREE_JOINT_SLIDER;
}

static bool is_there(const scree_world *world, int64_t id) {
    return id >= 0 && id < scree_world_id_count(world) &&
           !scree_removed_has(&world->state.bodies.removed, id);
}

static scree_status check_world(const scree_world *world, scree_error *error) {
    const char *stepper = world->def.stepper;
    REQUIRE(!strcmp(stepper, "moreau") || !strcmp(stepper, "rattle"),
            "stepper %s does not know of joints, which moreau and rattle do",
            stepper);
    REQUIRE(!world->ranks.domain,
            "joints do not run on several ranks yet: run on one");
    if (world->scene.solver->lacks & SCREE_NEED_JOINTS) {
        char why[SCREE_REFUSAL];
        scree_method_refuse(world->scene.solver, SCREE_LAYOUT_LANES,
                            SCREE_NEED_JOINTS, why, sizeof why);
        REQUIRE(false, "%s", why);
    }
    REQUIRE(!scree_world_obeys_poisson(world),
            "joints do not go with impact: poisson");
    return SCREE_OK;
}

static scree_status check_ends(const scree_world *world,
                               const scree_joint_def *def, const char *name,
                               scree_error *error) {
    REQUIRE(is_there(world, def->a), "%s: there is no body %lld", name,
            (long long)def->a);
    REQUIRE(def->b == SCREE_GROUND || is_there(world, def->b),
            "%s: there is no body %lld", name, (long long)def->b);
    REQUIRE(!scree_world_is_kinematic(world, def->a) &&
                !scree_world_is_kinematic(world, def->b),
            "%s: kinematic bodies have no joints yet", name);
    REQUIRE(def->a != def->b, "%s: joins body %lld to itself", name,
            (long long)def->a);
    for (int k = 0; k < 3; ++k)
        REQUIRE(isfinite(def->point_a[k]) && isfinite(def->point_b[k]) &&
                    isfinite(def->axis[k]),
                "%s: its points and axis must be finite numbers", name);
    return SCREE_OK;
}

static scree_status check_number(double x, double least, const char *name,
                                 const char *what, scree_error *error) {
    REQUIRE(isfinite(x) && x >= least, "%s: %s %g is not >= %g", name, what, x,
            least);
    return SCREE_OK;
}

static scree_status check_numbers(const scree_joint_def *def, const char *name,
                                  scree_error *error) {
    TRY(check_number(def->stiffness, 0, name, "stiffness", error));
    TRY(check_number(def->damping, 0, name, "damping", error));
    TRY(check_number(def->prestress, 0, name, "prestress", error));
    TRY(check_number(def->friction, 0, name, "friction", error));
    TRY(check_number(def->strength, 0, name, "strength", error));
    TRY(check_number(def->restitution, 0, name, "restitution", error));
    TRY(check_number(def->slips_at, 0, name, "slips_at", error));
    TRY(check_number(def->breaks_at, 0, name, "breaks_at", error));
    REQUIRE(def->restitution <= 1, "%s: restitution %g is not <= 1", name,
            def->restitution);
    REQUIRE(isfinite(def->speed), "%s: speed must be a finite number", name);
    return SCREE_OK;
}

static scree_status check_axis(const scree_world *world,
                               const scree_joint_def *def, const char *name,
                               scree_error *error) {
    const scree_vec3 axis = vec_from(def->axis);
    const double across = scree_hypot(axis.x, axis.y);
    const bool hinge = def->kind == SCREE_JOINT_HINGE;
    REQUIRE(!def->motor || has_axis(def->kind),
            "%s: only a hinge or slider has a motor", name);
    REQUIRE(!def->limited || has_axis(def->kind),
            "%s: only a hinge or slider has limits", name);
    REQUIRE(def->friction == 0 || has_axis(def->kind),
            "%s: only a hinge or slider has friction", name);
    REQUIRE(!(def->motor && def->friction > 0),
            "%s: friction beside a motor: take it from its strength", name);
    if (!has_axis(def->kind)) return SCREE_OK;
    REQUIRE(norm(axis) > 0, "%s: axis is zero", name);
    REQUIRE(!world->def.planar || (hinge ? across == 0 : axis.z == 0),
            "%s: its axis must be %s in a plane world", name,
            hinge ? "z" : "in the plane");
    if (!def->limited) return SCREE_OK;
    REQUIRE(def->limits[0] <= 0 && def->limits[1] >= 0 &&
                def->limits[0] < def->limits[1],
            "%s: limits %g to %g do not contain 0, where it is now", name,
            def->limits[0], def->limits[1]);
    return SCREE_OK;
}

static double distance_of(const scree_joint_def *def) {
    return norm(sub(vec_from(def->point_a), vec_from(def->point_b)));
}

static scree_status check_line(const scree_joint_def *def, const char *name,
                               scree_error *error) {
    const bool spring = def->kind == SCREE_JOINT_SPRING,
               cable = def->kind == SCREE_JOINT_CABLE;
    REQUIRE(spring || cable || (def->stiffness == 0 && def->damping == 0),
            "%s: only springs and cables have stiffness and damping", name);
    REQUIRE(spring || def->prestress == 0, "%s: only a spring has a prestress",
            name);
    REQUIRE(cable || def->slips_at == 0, "%s: only a cable slips", name);
    REQUIRE(!cable || def->stiffness > 0 || def->damping == 0,
            "%s: an inextensible cable has no damping", name);
    REQUIRE(!(def->breaks_at > 0 && def->slips_at >= def->breaks_at),
            "%s: it breaks at %g N before it slips at %g N", name,
            def->breaks_at, def->slips_at);
    REQUIRE(!spring || def->stiffness > 0 || def->damping > 0 ||
                def->prestress > 0,
            "%s: has neither stiffness, damping nor prestress", name);
    if (!is_line(def->kind)) return SCREE_OK;
    REQUIRE(!isnan(def->length) && def->length < INFINITY,
            "%s: length must be a number", name);
    REQUIRE(distance_of(def) > 0, "%s: its two points are one", name);
    REQUIRE(def->kind != SCREE_JOINT_ROD || def->length < 0 ||
                fabs(def->length - distance_of(def)) <= 1e-9 * distance_of(def),
            "%s: length %g is not the distance of its points, %g", name,
            def->length, distance_of(def));
    REQUIRE(!cable || def->length < 0 || def->stiffness > 0 ||
                def->length >= distance_of(def) * (1 - 1e-9),
            "%s: %g m long, and its points are %g m apart", name, def->length,
            distance_of(def));
    return SCREE_OK;
}

static scree_status check_stable(const scree_world *world,
                                 const scree_joint_def *def, const char *name,
                                 scree_error *error) {
    const scree_bodies *b = &world->state.bodies;
    if (strcmp(world->def.stepper, "rattle") != 0 || def->stiffness == 0)
        return SCREE_OK;
    double inv_m = b->u[scree_bodies_place(b, def->a)].inv_m;
    if (def->b >= 0) inv_m += b->u[scree_bodies_place(b, def->b)].inv_m;
    const double most = 2 / sqrt(def->stiffness * inv_m);
    REQUIRE(world->def.dt < most,
            "%s: rattle needs steps below %.3g s for its stiffness; moreau "
            "takes any",
            name, most);
    return SCREE_OK;
}

static scree_status check_def(const scree_world *world,
                              const scree_joint_def *def, scree_error *error) {
    REQUIRE(def && def->cookie == SCREE_COOKIE,
            "joint definition does not come from scree_joint_def_default()");
    const char *name = scree_joint_kind_name((int)def->kind);
    REQUIRE(name, "no joint of kind %d", (int)def->kind);
    TRY(check_world(world, error));
    TRY(check_ends(world, def, name, error));
    TRY(check_numbers(def, name, error));
    TRY(check_axis(world, def, name, error));
    TRY(check_line(def, name, error));
    return check_stable(world, def, name, error);
}

/* ---- making -------------------------------------------------------------------- */

static scree_quat turned_back(scree_quat q) {
    return (scree_quat){q.w, -q.x, -q.y, -q.z};
}

static scree_vec3 seen_from(const scree_world *world, int64_t id,
                            const double point[3]) {
    const scree_bodies *b = &world->state.bodies;
    if (id < 0) return vec_from(point);
    const int32_t i = scree_bodies_place(b, id);
    return quat_rotate(turned_back(b->q[i]), sub(vec_from(point), b->x[i].x));
}

static scree_quat pose_of_id(const scree_world *world, int64_t id) {
    const scree_bodies *b = &world->state.bodies;
    return id < 0 ? (scree_quat){1, 0, 0, 0} : b->q[scree_bodies_place(b, id)];
}

static scree_joint make_joint(const scree_world *world,
                              const scree_joint_def *def) {
    const double *end = is_line(def->kind) ? def->point_b : def->point_a;
    const scree_quat q_b = pose_of_id(world, def->b);
    const scree_vec3 axis =
        has_axis(def->kind) ? vec_from(def->axis) : vec(0, 0, 1);
    scree_joint j = {
        .kind = (int32_t)def->kind,
        .group = def->group,
        .a = def->a,
        .b = def->b,
        .on_a = seen_from(world, def->a, def->point_a),
        .on_b = seen_from(world, def->b, end),
        .axis = quat_rotate(turned_back(q_b), scale(1 / norm(axis), axis)),
        .stiffness = def->stiffness,
        .damping = def->damping,
        .prestress = def->prestress,
        .friction = def->friction,
        .speed = def->speed,
        .strength = def->strength,
        .restitution = def->restitution,
        .slips_at = def->slips_at,
        .breaks_at = def->breaks_at,
        .motor = def->motor,
        .limited = def->limited,
        .collide = def->collide,
        .colours = {255, 255}};
    j.twist = quat_mul(turned_back(q_b), pose_of_id(world, def->a));
    memcpy(j.limits, def->limits, sizeof j.limits);
    if (is_line(def->kind))
        j.length = def->length < 0 ? distance_of(def) : def->length;
    return j;
}

/* 1/2 k x^2 + F |x|; a cable holds what it is stretched by. */
double scree_joint_stored(const scree_joint *j, double distance) {
    if (j->kind < SCREE_JOINT_SPRING) return 0;
    double x = distance - j->length;
    if (j->kind == SCREE_JOINT_CABLE) x = fmax(x, 0);
    return 0.5 * j->stiffness * x * x + j->prestress * fabs(x);
}

static int by_pair(const void *p, const void *q) {
    const int64_t *x = p, *y = q;
    const int k = x[0] != y[0] ? 0 : 1;
    return (x[k] > y[k]) - (x[k] < y[k]);
}

/* Bodies that pass each other, sorted when they are asked for. */
scree_status scree_joints_note(scree_joints *joints, const scree_joint *j) {
    if (j->collide || j->b < 0) return SCREE_OK;
    TRY(scree_reserve(&joints->apart, &joints->apart_capacity,
                      joints->n_apart + 1, 2 * sizeof *joints->apart));
    int64_t *pair = &joints->apart[2 * joints->n_apart++];
    pair[0] = j->a < j->b ? j->a : j->b;
    pair[1] = j->a < j->b ? j->b : j->a;
    joints->sorted = false;
    return SCREE_OK;
}

scree_status scree_joints_append(scree_world *world, const scree_joint *j) {
    scree_joints *joints = &world->joints;
    TRY(scree_reserve(&joints->list, &joints->capacity, joints->n + 1,
                      sizeof *joints->list));
    joints->list[joints->n++] = *j;
    world->state.broad.valid = false;
    return scree_joints_note(joints, j);
}

scree_status scree_world_add_joint(scree_world *world,
                                   const scree_joint_def *def, int64_t *joint) {
    TRY(check_def(world, def, &world->error));
    const scree_joint j = make_joint(world, def);
    TRY(scree_joints_append(world, &j));
    if (is_line(def->kind)) /* a stretched spring brings its energy */
        world->accounts.inserted += scree_joint_stored(&j, distance_of(def));
    if (joint) *joint = world->joints.n - 1;
    return SCREE_OK;
}

void scree_joints_forget(scree_world *world) {
    const scree_removed *removed = &world->state.bodies.removed;
    for (int64_t k = 0; k < world->joints.n; ++k) {
        scree_joint *j = &world->joints.list[k];
        j->broken = j->broken || scree_removed_has(removed, j->a) ||
                    (j->b >= 0 && scree_removed_has(removed, j->b));
    }
}

void scree_joints_free(scree_joints *joints) {
    free(joints->list);
    free(joints->rows);
    free(joints->apart);
    *joints = (scree_joints){0};
}

/* ---- bodies that pass ----------------------------------------------------------- */

bool scree_joints_sort_passing(const scree_joints *joints) {
    if (joints->n_apart > 0 && !joints->sorted) {
        scree_joints *all = (scree_joints *)joints; /* order is no content */
        qsort(all->apart, (size_t)all->n_apart, 2 * sizeof *all->apart,
              by_pair);
        all->sorted = true;
    }
    return joints->n_apart > 0;
}

bool scree_joints_part(const scree_joints *joints, int64_t a, int64_t b) {
    const int64_t pair[2] = {a < b ? a : b, a < b ? b : a};
    int64_t low = 0, high = joints->n_apart;
    while (low < high) {
        const int64_t mid = low + (high - low) / 2;
        const int order = by_pair(&joints->apart[2 * mid], pair);
        if (order == 0) return true;
        if (order < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return false;
}

/* ---- reading --------------------------------------------------------------------- */

int64_t scree_world_joint_count(const scree_world *world) {
    return world->joints.n;
}

double scree_joint_missed(const scree_world *world, const scree_joint *j,
                          const scree_joint_look *look) {
    const double r = world->state.bodies.x[look->a].r;
    double most = 0;
    for (int k = 0; k < look->n; ++k) {
        const struct scree_looked_bar *bar = &look->bar[k];
        const double by = bar->turns ? r : 1;
        if (bar->role == SCREE_BAR_HOLDS)
            most = fmax(most, by * fabs(bar->gap));
        if (bar->role == SCREE_BAR_STOPS && j->slips_at == 0)
            most = fmax(most, -by * bar->gap);
    }
    return most;
}

scree_status scree_world_read_joint(const scree_world *world, int64_t joint,
                                    scree_joint_view *view) {
    if (joint < 0 || joint >= world->joints.n) return SCREE_BAD_ARGUMENT;
    const scree_joint *j = &world->joints.list[joint];
    *view = (scree_joint_view){.kind = (scree_joint_kind)j->kind,
                               .a = j->a,
                               .b = j->b,
                               .group = j->group,
                               .broken = j->broken,
                               .length = j->length,
                               .dissipated = j->dissipated,
                               .work = j->work,
                               .most_force = j->most_force,
                               .most_distance = j->most_distance};
    if (j->broken) return SCREE_OK;
    scree_joint_look look;
    scree_joint_look_at(world, j, 0, false, &look);
    vec_to(look.at_a, view->point_a);
    vec_to(look.at_b, view->point_b);
    vec_to(j->P, view->percussion);
    vec_to(j->M, view->moment_percussion);
    view->force = norm(j->P) / world->state.dt;
    view->position = look.position;
    view->drift = scree_joint_missed(world, j, &look);
    view->stored = scree_joint_stored(j, look.position);
    return SCREE_OK;
}
