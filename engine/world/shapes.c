/* shapes.c: bodies that are not spheres: their shapes and how they turn.
 *
 * Free rotation keeps the angular momentum L = Theta(q) w exactly and is of
 * second order: with q turned by half the step,
 *     w_M = Theta(q_M)^-1 L,   q' = exp(w_M dt) q,   w' = Theta(q')^-1 L.
 * Energy is kept up to the square of the step.
 *
 * With keep_spin_energy the turn is the implicit midpoint rule in the body's frame,
 *     Theta (w_M - w) = dt / 2 Theta w_M x w_M,   q' = cay(dt w_M) q,   w' as above,
 * which keeps L and the energy, both to rounding: Theta w turns by a Cayley map in the
 * body's frame, and the body by the same one. It is the gyroscopic term of Leine and
 * others 2014, (49). */
#include <stdlib.h>

#include "contact/solid/shape.h"
#include "engine/world/inertia.h"
#include "engine/world/make.h"
#include "engine/world/world.h"

/* Newton's steps at most, and how much more than the last way is safe for them. */
enum { MOST_NEWTON = 30 };
static const double LONGER = 1.1;

/* ---- inertia --------------------------------------------------------------------- */

static scree_sym3 scaled_tensor(scree_sym3 A, double s) {
    return (scree_sym3){.xx = s * A.xx,
                        .yy = s * A.yy,
                        .zz = s * A.zz,
                        .xy = s * A.xy,
                        .xz = s * A.xz,
                        .yz = s * A.yz};
}

static scree_sym3 ball_tensor(double theta) {
    return (scree_sym3){.xx = theta, .yy = theta, .zz = theta};
}

scree_sym3 scree_world_inertia(const scree_world *world, int32_t i,
                               scree_quat q) {
    const scree_bodies *b = &world->state.bodies;
    if (scree_is_kinematic(&b->u[i])) return ball_tensor(0); /* in no sums */
    if (b->form[i] < 0) return ball_tensor(1.0 / b->u[i].inv_theta);
    const scree_mat3 R = quat_matrix(q);
    return scaled_tensor(
        scree_sym3_turned(&world->scene.forms[b->form[i]].J, &R),
        1.0 / b->u[i].inv_m);
}

scree_sym3 scree_world_inv_inertia(const scree_world *world, int32_t i,
                                   scree_quat q) {
    const scree_bodies *b = &world->state.bodies;
    scree_sym3 inverse;
    if (b->form[i] < 0) {
        inverse = ball_tensor(b->u[i].inv_theta);
    } else {
        const scree_mat3 R = quat_matrix(q);
        inverse = scaled_tensor(
            scree_sym3_turned(&world->scene.forms[b->form[i]].inv_J, &R),
            b->u[i].inv_m);
    }
    return world->def.planar ? (scree_sym3){.zz = inverse.zz} : inverse;
}

scree_status scree_world_update_inertia(scree_world *world) {
    const scree_bodies *b = &world->state.bodies;
    if (!scree_world_has_tensors(world)) return SCREE_OK;
    TRY(scree_reserve(&world->state.inv_I, &world->state.inv_I_capacity,
                      b->n + b->walls + 1, sizeof *world->state.inv_I));
    for (int32_t i = 0; i < b->n; ++i)
        world->state.inv_I[i] = scree_world_inv_inertia(world, i, b->q[i]);
    scree_servo_inertia(world, world->state.inv_I);
    world->state.inv_I[b->n + b->walls] = (scree_sym3){0};
    world->state.problem.inv_I = world->state.inv_I;
    return SCREE_OK;
}

/* ---- turning ----------------------------------------------------------------------- */

/* A product of unit quaternions is off by rounding only: one Newton step
 * towards unit length is exact to rounding and needs no root. */
static scree_quat renormalised_quat(scree_quat q) {
    const double s =
        1.5 - 0.5 * (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return (scree_quat){s * q.w, s * q.x, s * q.y, s * q.z};
}

static scree_quat turned_by(scree_quat q, scree_vec3 w, double dt) {
    return renormalised_quat(quat_mul(quat_from_vector(scale(dt, w)), q));
}

/* cay(dt w_M) q. */
static scree_quat keeping_turn(const scree_world *world, int32_t i,
                               scree_quat q, scree_vec3 w, double dt) {
    const scree_vec3 mean =
        add(w, scree_world_half_turn(world, i, q, w, 0.5 * dt));
    const scree_vec3 half = scale(0.5 * dt, mean);
    return quat_unit(quat_mul((scree_quat){1, half.x, half.y, half.z}, q));
}

/* Roundings of Theta and of its inverse do not cancel, and come to 1e-12 in some
 * thousand steps: 2 T is made what it was. */
static void keep_energy(const scree_world *world, int32_t i, double energy) {
    const scree_bodies *b = &world->state.bodies;
    scree_twist *u = &b->u[i];
    const scree_sym3 Theta = scree_world_inertia(world, i, b->q[i]);
    const double now = dot(u->w, sym3_mul(&Theta, u->w));
    if (now > 0) u->w = scale(sqrt(energy / now), u->w);
}

static scree_quat explicit_turn(const scree_world *world, int32_t i,
                                scree_quat q, scree_vec3 w, scree_vec3 L,
                                double dt) {
    const scree_quat half = turned_by(q, w, 0.5 * dt);
    const scree_sym3 inverse = scree_world_inv_inertia(world, i, half);
    return turned_by(q, sym3_mul(&inverse, L), dt);
}

void scree_world_turn(const scree_world *world, int32_t i, double dt) {
    const scree_bodies *b = &world->state.bodies;
    scree_twist *u = &b->u[i];
    if (b->form[i] < 0 || world->def.planar || scree_is_kinematic(u)) {
        b->q[i] = turned_by(b->q[i], u->w, dt);
        return;
    }
    const scree_sym3 Theta = scree_world_inertia(world, i, b->q[i]);
    const scree_vec3 L = sym3_mul(&Theta, u->w);
    b->q[i] = world->def.keep_spin_energy
                  ? keeping_turn(world, i, b->q[i], u->w, dt)
                  : explicit_turn(world, i, b->q[i], u->w, L, dt);
    const scree_sym3 now = scree_world_inv_inertia(world, i, b->q[i]);
    const double energy = dot(u->w, L);
    u->w = sym3_mul(&now, L);
    if (world->def.keep_spin_energy) keep_energy(world, i, energy);
}

scree_vec3 scree_world_gyroscopic(const scree_world *world, int32_t i,
                                  scree_quat q, scree_vec3 w) {
    if (world->state.bodies.form[i] < 0 || world->def.planar ||
        scree_is_kinematic(&world->state.bodies.u[i]))
        return vec(0, 0, 0);
    const scree_sym3 Theta = scree_world_inertia(world, i, q);
    const scree_sym3 inverse = scree_world_inv_inertia(world, i, q);
    return sym3_mul(&inverse, cross(sym3_mul(&Theta, w), w));
}

/* x with A x = b; columns of A. */
static scree_vec3 solve_columns(scree_vec3 a1, scree_vec3 a2, scree_vec3 a3,
                                scree_vec3 b) {
    const scree_vec3 c23 = cross(a2, a3);
    return scale(1 / dot(a1, c23), vec(dot(b, c23), dot(a1, cross(b, a3)),
                                       dot(a1, cross(a2, b))));
}

/* Newton's way to a zero of F(w) = Theta (w - start) - dt Theta w x w. */
typedef struct half_turn {
    scree_sym3 Theta;
    scree_vec3 start;
    double dt;
} half_turn;

static scree_vec3 turn_residual(const half_turn *t, scree_vec3 w) {
    const scree_vec3 moved = sym3_mul(&t->Theta, sub(w, t->start));
    return add_scaled(moved, -t->dt, cross(sym3_mul(&t->Theta, w), w));
}

static scree_vec3 turn_slope(const half_turn *t, scree_vec3 w,
                             scree_vec3 along) {
    const scree_vec3 L = sym3_mul(&t->Theta, w);
    const scree_vec3 dL = sym3_mul(&t->Theta, along);
    return add_scaled(dL, -t->dt, add(cross(dL, w), cross(L, along)));
}

/* A step towards the zero, shorter where the whole one leads away from it. */
static scree_vec3 newton_step(const half_turn *t, scree_vec3 w) {
    const scree_vec3 F = turn_residual(t, w);
    scree_vec3 d = solve_columns(turn_slope(t, w, vec(1, 0, 0)),
                                 turn_slope(t, w, vec(0, 1, 0)),
                                 turn_slope(t, w, vec(0, 0, 1)), scale(-1, F));
    for (int k = 0; k < 10 && norm(turn_residual(t, add(w, d))) > norm(F); ++k)
        d = scale(0.5, d);
    return d;
}

static scree_vec3 newton_solve(const half_turn *t, scree_vec3 w) {
    for (int k = 0; k < MOST_NEWTON; ++k) {
        const scree_vec3 d = newton_step(t, w);
        w = add(w, d);
        if (!(norm(d) > 1e-14 * norm(w))) break;
    }
    return w;
}

/* Newton alone is sure of a radian. Longer ways are gone in steps. */
scree_vec3 scree_world_half_turn(const scree_world *world, int32_t i,
                                 scree_quat q, scree_vec3 start, double dt) {
    const double speed = norm(start);
    if (world->state.bodies.form[i] < 0 || world->def.planar ||
        scree_is_kinematic(&world->state.bodies.u[i]) || !isfinite(speed))
        return vec(0, 0, 0);
    half_turn t = {scree_world_inertia(world, i, q), start,
                   fmin(dt, 1 / speed)};
    scree_vec3 w = newton_solve(&t, start);
    while (t.dt < dt) {
        t.dt = fmin(dt, LONGER * t.dt);
        w = newton_solve(&t, w);
    }
    return sub(w, start);
}

/* ---- making shapes -------------------------------------------------------------------- */

static scree_status refuse_shape(scree_error *error, const char *why) {
    return scree_fail(error, SCREE_BAD_ARGUMENT, "%s", why);
}

static const scree_shape_ops *const kinds[] = {
    [SCREE_SHAPE_BOX] = &scree_shape_box,
    [SCREE_SHAPE_CAPSULE] = &scree_shape_capsule,
    [SCREE_SHAPE_CYLINDER] = &scree_shape_cylinder,
    [SCREE_SHAPE_POLYHEDRON] = &scree_shape_polyhedron,
    [SCREE_SHAPE_CLUMP] = &scree_shape_clump,
    [SCREE_SHAPE_POLYGON] = &scree_shape_polygon,
};

static const scree_shape_ops *kind_of(const scree_shape_def *def) {
    const int k = (int)def->kind, n = (int)(sizeof kinds / sizeof *kinds);
    return k >= 0 && k < n ? kinds[k] : NULL;
}

static scree_status check_shape(const scree_shape_def *def, bool planar,
                                scree_error *error) {
    if (!def || def->cookie != SCREE_COOKIE)
        return refuse_shape(error, "shape definition does not come from "
                                   "scree_shape_def_default()");
    if (!kind_of(def)) return refuse_shape(error, "no such kind of shape");
    if (planar != kind_of(def)->planar)
        return refuse_shape(error,
                            planar ? "a plane world has discs and polygons only"
                                   : "polygons live in plane worlds");
    if (!(def->rounding >= 0) || !isfinite(def->rounding))
        return refuse_shape(error, "the rounding of a shape is not >= 0");
    return SCREE_OK;
}

/* Leaves nothing to be freed where it fails. */
static scree_status make_form(const scree_shape_def *def, scree_form *f,
                              scree_error *error) {
    const scree_shape_sizes sizes = {
        .size = {def->size[0], def->size[1], def->size[2]},
        .radius = def->radius,
        .length = def->length,
        .points = def->points,
        .n_point = def->n_point,
        .balls = def->balls,
        .n_ball = def->n_ball,
        .rounding = def->rounding};
    *f = (scree_form){0};
    const scree_status status = kind_of(def)->make(f, &sizes, error);
    if (status != SCREE_OK) scree_form_free(f);
    return status;
}

/* Solids point at their own hulls, from the first form that is new or has moved in
 * memory. */
static void point_at_hulls(scree_world *world, int first) {
    for (int i = first; i < world->scene.n_form; ++i)
        world->scene.forms[i].solid.hull = world->scene.forms[i].hull.n_vertex
                                               ? &world->scene.forms[i].hull
                                               : NULL;
}

scree_status scree_world_add_shape(scree_world *world,
                                   const scree_shape_def *def, int *shape) {
    TRY(check_shape(def, world->def.planar, &world->error));
    const int n = world->scene.n_form;
    const bool moves = n + 1 > world->scene.form_capacity;
    TRY(scree_reserve(&world->scene.forms, &world->scene.form_capacity, n + 1,
                      sizeof *world->scene.forms));
    const scree_status status =
        make_form(def, &world->scene.forms[n], &world->error);
    if (status == SCREE_OK) {
        if (shape) *shape = n;
        ++world->scene.n_form;
    }
    point_at_hulls(world, moves ? 0 : n);
    return status;
}

/* As a world weighs a body of unit density, to the last bit. */
scree_status scree_shape_weigh(const scree_shape_def *def, bool planar,
                               double *bound, double *volume,
                               scree_error *error) {
    scree_form f;
    TRY(check_shape(def, planar, error));
    TRY(make_form(def, &f, error));
    const double inv_m = 1.0 / f.volume,
                 gyration2 = (f.J.xx + f.J.yy + f.J.zz) / 3;
    *bound = f.solid.bound;
    *volume = 1.0 / inv_m;
    scree_form_free(&f);
    return scree_body_check(inv_m, gyration2, *bound, error);
}
