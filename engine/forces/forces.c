#include "engine/forces/forces.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/elementary/elementary.h"
#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/step/timer.h"
#include "engine/world/inertia.h"

void scree_forces_free(scree_forces *forces) {
    for (int k = 0; k < forces->n; ++k)
        free((void *)forces->list[k].def.materials);
    free(forces->list);
    free(forces->kinematic);
    free(forces->materials);
    free(forces->views);
}

/* ---- adding one -------------------------------------------------------------------- */

scree_force_def scree_force_def_default(void) {
    return (scree_force_def){.low = {-INFINITY, -INFINITY, -INFINITY},
                             .high = {INFINITY, INFINITY, INFINITY},
                             .cookie = SCREE_COOKIE};
}

scree_status scree_forces_check_stepper(scree_world *world, const char *what) {
    if (world->scene.stepper->forces) return SCREE_OK;
    return scree_fail(&world->error, SCREE_UNSUPPORTED,
                      "stepper '%s' does not know %s: moreau and rattle do",
                      world->def.stepper, what);
}

static bool is_given(const double a[3]) {
    return norm(vec_from(a)) > 0;
}

static bool is_fluid(const scree_drag *d) {
    return d->linear > 0 || d->quadratic > 0 || d->spin > 0 || d->buoyancy;
}

static bool is_finite(const double a[3]) {
    return isfinite(norm(vec_from(a)));
}

static scree_status check_drag(const scree_drag *d, scree_error *error) {
    REQUIRE(d->linear >= 0 && d->quadratic >= 0 && d->spin >= 0 &&
                d->density >= 0 &&
                isfinite(d->linear + d->quadratic + d->spin + d->density),
            "force: drag: linear, quadratic, spin or density is not >= 0");
    REQUIRE(is_finite(d->velocity), "force: drag: velocity is not finite");
    REQUIRE(d->density > 0 || (d->quadratic == 0 && !d->buoyancy),
            "force: drag: quadratic drag and buoyancy need a density");
    return SCREE_OK;
}

static scree_status check_plane(const scree_force_def *def,
                                scree_error *error) {
    REQUIRE(def->acceleration[2] == 0 && def->force[2] == 0 &&
                def->drag.velocity[2] == 0 && def->torque[0] == 0 &&
                def->torque[1] == 0,
            "force: in a plane world it acts along x and y, and turns about z");
    return SCREE_OK;
}

static scree_status check_force(const scree_world *world,
                                const scree_force_def *def,
                                scree_error *error) {
    REQUIRE(def && def->cookie == SCREE_COOKIE,
            "force definition does not come from scree_force_def_default()");
    REQUIRE(is_finite(def->acceleration) && is_finite(def->force) &&
                is_finite(def->torque),
            "force: acceleration, force or torque is not finite");
    REQUIRE(is_given(def->acceleration) || is_given(def->force) ||
                is_given(def->torque) || is_fluid(&def->drag),
            "force: it has neither a field nor drag");
    for (int k = 0; k < (world->def.planar ? 2 : 3); ++k)
        REQUIRE(def->low[k] < def->high[k],
                "force: low[%d] = %g is not below high[%d] = %g", k,
                def->low[k], k, def->high[k]);
    REQUIRE(def->n_material >= 0 && (def->materials || def->n_material == 0),
            "force: materials is NULL");
    for (int k = 0; k < def->n_material; ++k)
        TRY(scree_material_check(world, def->materials[k], error));
    if (world->def.planar) TRY(check_plane(def, error));
    return check_drag(&def->drag, error);
}

static bool is_everywhere(const scree_force_def *def) {
    for (int k = 0; k < 3; ++k)
        if (isfinite(def->low[k]) || isfinite(def->high[k])) return false;
    return def->n_material == 0;
}

static scree_status append_force(scree_world *world,
                                 const scree_force_def *def) {
    scree_forces *f = &world->forces;
    const size_t bytes = (size_t)def->n_material * sizeof *def->materials;
    int *materials = NULL;
    TRY(scree_bodies_reserve_push(&world->state.bodies));
    TRY(scree_reserve(&f->list, &f->capacity, f->n + 1, sizeof *f->list));
    if (bytes && !(materials = malloc(bytes))) return SCREE_OUT_OF_MEMORY;
    if (bytes) memcpy(materials, def->materials, bytes);
    f->list[f->n] = (scree_force){*def, is_fluid(&def->drag)};
    f->list[f->n++].def.materials = materials;
    if (is_everywhere(def))
        f->steady = add(f->steady, vec_from(def->acceleration));
    return SCREE_OK;
}

scree_status scree_world_add_force(scree_world *world,
                                   const scree_force_def *def, int *force) {
    TRY(check_force(world, def, &world->error));
    TRY(scree_forces_check_stepper(world, "forces"));
    TRY(scree_world_agree(world, append_force(world, def)));
    if (force) *force = world->forces.n - 1;
    return SCREE_OK;
}

/* ---- what acts on a body ------------------------------------------------------------- */

static bool is_in_box(const scree_force_def *def, scree_vec3 at, int dim) {
    const double x[3] = {at.x, at.y, at.z};
    for (int k = 0; k < dim; ++k)
        if (!(x[k] >= def->low[k] && x[k] <= def->high[k])) return false;
    return true;
}

static bool is_of(const scree_force_def *def, int material) {
    for (int k = 0; k < def->n_material; ++k)
        if (def->materials[k] == material) return true;
    return def->n_material == 0;
}

static bool acts_on(const scree_world *world, const scree_force_def *def,
                    int32_t i) {
    const scree_bodies *b = &world->state.bodies;
    return is_in_box(def, b->x[i].x, world->def.planar ? 2 : 3) &&
           is_of(def, b->material[i]);
}

/* Of a body, together. */
typedef struct action {
    scree_vec3 a;            /* accelerations [m/s^2] */
    scree_vec3 force;        /* [N] */
    scree_vec3 torque;       /* [N m] */
    scree_vec3 impulse;      /* [N s] */
    scree_vec3 twist;        /* [N m s] */
    const scree_drag *fluid; /* NULL: none */
} action;

static action action_on(const scree_world *world, int32_t i) {
    const scree_forces *f = &world->forces;
    const scree_applied *p = &world->state.bodies.push[i].applied;
    action all = {.force = p->force,
                  .torque = p->torque,
                  .impulse = p->impulse,
                  .twist = p->twist};
    for (int k = 0; k < f->n; ++k) {
        const scree_force_def *def = &f->list[k].def;
        if (!acts_on(world, def, i)) continue;
        all.a = add(all.a, vec_from(def->acceleration));
        all.force = add(all.force, vec_from(def->force));
        all.torque = add(all.torque, vec_from(def->torque));
        if (f->list[k].flows && !all.fluid) all.fluid = &def->drag;
    }
    return all;
}

/* 1/2 rho C A / m, with the area of the ball of the same volume. */
static double drag_per_way(const scree_world *world, int32_t i,
                           const scree_drag *d) {
    const scree_bodies *b = &world->state.bodies;
    const double inv_m = b->u[i].inv_m;
    const double V =
        1 / (inv_m * world->scene.materials[b->material[i]].density);
    double r = b->x[i].r;
    if (b->form[i] >= 0)
        r = world->def.planar ? sqrt(V / SCREE_PI)
                              : scree_cbrt(0.75 * V / SCREE_PI);
    const double A = world->def.planar ? 2 * r : SCREE_PI * r * r;
    return 0.5 * d->density * d->quadratic * A * inv_m;
}

/* Weight of the fluid in place of the body, over its mass. */
static scree_vec3 lift_of(const scree_world *world, int32_t i,
                          const scree_drag *d) {
    const int material = world->state.bodies.material[i];
    const double rho = world->scene.materials[material].density;
    return d->buoyancy ? scale(-d->density / rho, world->state.gravity)
                       : vec(0, 0, 0);
}

/* ---- finding pushes ------------------------------------------------------------------ */

typedef struct finding {
    scree_world *world;
    double dt;    /* [s] */
    double share; /* of the whole step */
    scree_push_part part;
} finding;

/* dv by all but gravity over dt: that of fields and what is applied, and that of drag. */
static void push_along(const finding *f, int32_t i, const action *by,
                       scree_vec3 *given, scree_vec3 *braked) {
    const scree_world *world = f->world;
    const scree_twist *u = &world->state.bodies.u[i];
    scree_vec3 a = by->a;
    *braked = vec(0, 0, 0);
    if (by->fluid) a = add(a, lift_of(world, i, by->fluid));
    const scree_vec3 J =
        add(scale(f->dt, by->force), scale(f->share, by->impulse));
    *given = add_scaled(scale(u->inv_m, J), f->dt, a);
    if (!by->fluid) return;
    const scree_vec3 v = sub(u->v, vec_from(by->fluid->velocity));
    const scree_vec3 pull = add_scaled(world->state.gravity, 1 / f->dt, *given);
    const scree_flow flow = {by->fluid->linear,
                             drag_per_way(world, i, by->fluid), pull};
    *braked = add_scaled(scree_flow_change(&flow, v, f->dt), -f->dt, pull);
}

/* dw, and the angular percussions of torques and of drag. */
static scree_vec3 push_around(const finding *f, int32_t i, const action *by,
                              scree_vec3 *turned, scree_vec3 *unspun) {
    const scree_bodies *b = &f->world->state.bodies;
    const scree_sym3 inverse = scree_world_inv_inertia(f->world, i, b->q[i]);
    *turned = add(scale(f->dt, by->torque), scale(f->share, by->twist));
    *unspun = vec(0, 0, 0);
    const scree_vec3 given = sym3_mul(&inverse, *turned);
    if (!by->fluid || by->fluid->spin == 0) return given;
    const scree_flow flow = {by->fluid->spin, 0, scale(1 / f->dt, given)};
    const scree_vec3 change = scree_flow_change(&flow, b->u[i].w, f->dt);
    const scree_sym3 Theta = scree_world_inertia(f->world, i, b->q[i]);
    *unspun = sym3_mul(&Theta, sub(change, given));
    return change;
}

static void begin_push(scree_body_push *p, const scree_twist *u) {
    const scree_vec3 none = {0, 0, 0};
    p->begin = (scree_velocity){u->v, u->w};
    p->first = p->second = (scree_velocity){none, none};
    p->braked = p->turned = p->unspun = p->wind = none;
}

static void find_push(const finding *f, int32_t i) {
    const scree_bodies *b = &f->world->state.bodies;
    scree_body_push *p = &b->push[i];
    if (f->part != SCREE_PUSH_SECOND) begin_push(p, &b->u[i]);
    if (scree_is_kinematic(&b->u[i]) || f->world->forces.resting) return;
    const action by = action_on(f->world, i);
    scree_vec3 given, braked, turned, unspun;
    push_along(f, i, &by, &given, &braked);
    const scree_velocity change = {add(given, braked),
                                   push_around(f, i, &by, &turned, &unspun)};
    if (f->part == SCREE_PUSH_SECOND)
        p->second = change;
    else
        p->first = change;
    p->braked = add(p->braked, braked);
    p->turned = add(p->turned, turned);
    p->unspun = add(p->unspun, unspun);
    if (by.fluid) p->wind = vec_from(by.fluid->velocity);
}

static void find_chunk(void *context, int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) find_push(context, (int32_t)i);
}

/* The root of the mean square of what bodies get. */
static void note_typical(scree_world *world, double dt) {
    const scree_bodies *b = &world->state.bodies;
    scree_sum sum = {0};
    for (int32_t i = 0; i < b->n; ++i)
        if (scree_world_owns(world, i))
            scree_sum_add(world, &sum,
                          dot(b->push[i].first.v, b->push[i].first.v));
    const double all = scree_sum_total(world, &sum);
    const double n = (double)world->ranks.n_body;
    world->forces.typical = n > 0 ? sqrt(all / n) / dt : 0;
}

void scree_world_find_pushes(scree_world *world, double dt,
                             scree_push_part part) {
    if (!world->state.bodies.push) return;
    const double start = scree_clock();
    finding f = {world, dt, dt / world->state.dt, part};
    scree_parallel_for(world->state.bodies.n, world->def.threads, find_chunk,
                       &f);
    if (part == SCREE_PUSH_FIRST) note_typical(world, dt);
    scree_phase_charge(&world->accounts.cost, SCREE_PHASE_INTEGRATE, start);
}

void scree_world_forget_applied(scree_world *world) {
    const scree_bodies *b = &world->state.bodies;
    if (!world->forces.applied) return;
    for (int32_t i = 0; i < b->n; ++i)
        b->push[i].applied = (scree_applied){.force = {0, 0, 0}};
    world->forces.applied = false;
}

/* ---- work ---------------------------------------------------------------------------- */

/* An impulse J changes the kinetic energy by J . (u_B + u_E) / 2. What drag takes counts
 * against the fluid; what the fluid gives by its flow is work. */
static void book_push(scree_world *world, int32_t i) {
    const scree_bodies *b = &world->state.bodies;
    const scree_body_push *p = &b->push[i];
    const double m = 1 / b->u[i].inv_m;
    const scree_vec3 v = scale(0.5, add(p->begin.v, b->u[i].v));
    const scree_vec3 w = scale(0.5, add(p->begin.w, b->u[i].w));
    const scree_vec3 all = add(p->first.v, p->second.v);
    const scree_vec3 J = scale(m, sub(all, p->braked)), D = scale(m, p->braked);
    SCREE_BOOK(world, force_work,
               dot(J, v) + dot(D, p->wind) + dot(p->turned, w));
    SCREE_BOOK(world, taken_drag, -dot(D, sub(v, p->wind)) - dot(p->unspun, w));
}

void scree_world_book_pushes(scree_world *world) {
    const scree_bodies *b = &world->state.bodies;
    if (!b->push) return;
    for (int32_t i = 0; i < b->n; ++i)
        if (scree_world_owns(world, i) && !scree_is_kinematic(&b->u[i]))
            book_push(world, i);
}
