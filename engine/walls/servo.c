#include "engine/walls/servo.h"

#include "engine/world/make.h"
#include "engine/world/view.h"
#include "engine/world/world.h"

/* L [m]. */
static const double FAR = 0x1p30;
/* What a highest speed is if none is given [m/s]. */
static const double SPEED = 1;
/* Steps that pairs are listed ahead for, as of other walls (contact/broad/broad.c). */
static const double AHEAD = 12, CLOSE = 2;
/* Sine of an angle below which a direction is another's. */
static const double ASLANT = 1e-9;

scree_servo scree_servo_default(void) {
    return (scree_servo){.axis = {0, 0, 1},
                         .across = {-1, -1, -1, -1},
                         .damping = -1,
                         .until = INFINITY};
}

/* ---- what cannot be --------------------------------------------------------- */

static bool all_finite(const double a[3]) {
    return isfinite(a[0]) && isfinite(a[1]) && isfinite(a[2]);
}

static bool moves_along(const double move[3], scree_vec3 d) {
    const scree_vec3 v = vec_from(move);
    return fabs(dot(v, d)) > ASLANT * norm(v) * norm(d);
}

static scree_status check_beside(const scree_servo *s, const scree_motion *m,
                                 scree_vec3 d, scree_error *error) {
    REQUIRE(m->rate == 0, "a wall that a servo drives does not rotate by "
                          "prescription as well");
    if (s->kind == SCREE_SERVO_TORQUE) {
        REQUIRE(norm(vec_from(m->velocity)) == 0 && m->frequency == 0 &&
                    m->n_table == 0,
                "a wall that a torque drives has no other motion");
        return SCREE_OK;
    }
    REQUIRE(!moves_along(m->velocity, d) && !moves_along(m->amplitude, d) &&
                !(m->n_table > 0 && moves_along(m->along, d)),
            "a wall that a servo drives moves in that direction by "
            "prescription as well");
    return SCREE_OK;
}

static scree_status check_numbers(const scree_servo *s, scree_error *error) {
    const bool turns = s->kind == SCREE_SERVO_TORQUE;
    REQUIRE(isfinite(s->target), "force, pressure or torque is not finite");
    REQUIRE(isfinite(s->mass) && s->mass >= 0, "%s of a driven wall is not > 0",
            turns ? "inertia" : "mass");
    REQUIRE(s->target != 0 || s->mass > 0,
            "a wall that nothing presses needs a mass");
    REQUIRE(!turns || s->mass > 0 || s->speed > 0,
            "a wall that a torque drives needs an inertia or a highest speed");
    REQUIRE(isfinite(s->speed) && s->speed >= 0,
            "highest speed of a driven wall is not > 0");
    REQUIRE(isfinite(s->damping), "damping of a driven wall is not finite");
    REQUIRE(s->damping < 0 || s->speed == 0,
            "the highest speed of a driven wall follows from its damping: both "
            "are given");
    REQUIRE(!isnan(s->until) && isfinite(s->then),
            "until or then of a driven wall is not a number");
    return SCREE_OK;
}

static scree_status check_area(const scree_servo *s, bool planar,
                               scree_error *error) {
    const int pairs = (s->across[0] >= 0) + (s->across[2] >= 0);
    REQUIRE(isfinite(s->area) && s->area >= 0,
            "area of a driven wall is not > 0");
    if (s->kind != SCREE_SERVO_PRESSURE) {
        REQUIRE(s->area == 0 && pairs == 0,
                "only a pressure has an area: a force or a torque is given");
        return SCREE_OK;
    }
    REQUIRE((s->area > 0) != (pairs > 0),
            "a pressure acts on an area, or on what walls across span: one of "
            "them must be given");
    REQUIRE(pairs == 0 || pairs == (planar ? 1 : 2),
            "the area of a driven wall is spanned by %d pairs of walls",
            planar ? 1 : 2);
    return SCREE_OK;
}

static scree_vec3 direction_of(const scree_servo *s, const double *normal) {
    const scree_vec3 own = vec_from(s->direction);
    return norm(own) > 0 || !normal ? own : vec_from(normal);
}

scree_status scree_servo_check(const scree_world *world, const scree_servo *s,
                               const scree_motion *motion, const double *normal,
                               scree_error *error) {
    if (s->kind == SCREE_SERVO_NONE) return SCREE_OK;
    const scree_vec3 d = direction_of(s, normal), e = vec_from(s->axis);
    const bool turns = s->kind == SCREE_SERVO_TORQUE,
               planar = world->def.planar;
    REQUIRE(world->scene.stepper->drives,
            "the stepper %s does not know walls that a servo drives, which "
            "moreau does",
            world->def.stepper);
    TRY(check_numbers(s, error));
    TRY(check_area(s, planar, error));
    REQUIRE(all_finite(s->direction) && all_finite(s->axis) &&
                all_finite(s->origin),
            "direction, axis or origin of a driven wall is not finite");
    REQUIRE(turns || norm(d) > 0, "a driven wall has no direction");
    REQUIRE(!turns || norm(e) > 0, "axis of a driven wall is zero");
    REQUIRE(!planar || (turns ? e.x == 0 && e.y == 0 : d.z == 0),
            "in a plane world walls are driven in the plane, or about z");
    return check_beside(s, motion, d, error);
}

static bool planes_face(const scree_world *world, int a, int b) {
    const int n = world->scene.n_wall;
    if (a < 0 || b < 0 || a >= n || b >= n) return false;
    const scree_plane *p = &world->scene.planes[a],
                      *q = &world->scene.planes[b];
    return !scree_plane_is_surface(p) && !scree_plane_is_surface(q) &&
           norm(add(p->n, q->n)) < ASLANT;
}

scree_status scree_servo_begin(scree_world *world) {
    scree_error *error = &world->error;
    for (int w = 0; w < world->scene.n_wall && world->scene.n_driven; ++w) {
        const scree_servo *s = &world->scene.walls[w].def.servo;
        if (world->scene.walls[w].drive.slot < 0) continue;
        for (int k = 0; k < 4; k += 2)
            REQUIRE(s->across[k] < 0 ||
                        planes_face(world, s->across[k], s->across[k + 1]),
                    "the area of wall %d is spanned by walls %d and %d, which "
                    "are no planes that face each other",
                    w, s->across[k], s->across[k + 1]);
    }
    scree_servo_write(world);
    return SCREE_OK;
}

/* ---- geometry --------------------------------------------------------------- */

static double speed_of(const scree_servo *s) {
    return s->speed > 0 ? s->speed : SPEED;
}

scree_drive scree_drive_of(const scree_servo *s, const double *normal,
                           bool planar) {
    scree_drive drive = {.slot = -1};
    if (s->kind == SCREE_SERVO_NONE) return drive;
    drive.bound = speed_of(s); /* until it is known */
    if (s->kind == SCREE_SERVO_TORQUE) {
        const scree_vec3 e = vec_from(s->axis);
        drive.turns = true;
        drive.origin = vec_from(s->origin);
        drive.axis = scale(1 / norm(e), e);
        return drive;
    }
    scree_vec3 d = direction_of(s, normal);
    d = scale(1 / norm(d), d);
    const scree_vec3 p = planar ? cross(d, vec(0, 0, 1)) : perpendicular(d);
    drive.direction = d;
    drive.axis = cross(p, d);
    drive.arm = scale(FAR, p);
    return drive;
}

scree_vec3 scree_drive_arm(const scree_drive *d, scree_vec3 x) {
    return d->turns ? sub(x, d->origin) : d->arm;
}

scree_vec3 scree_drive_velocity(const scree_drive *d, scree_vec3 x) {
    return scale(d->v, d->turns ? cross(d->axis, scree_drive_arm(d, x))
                                : d->direction);
}

/* Velocity per spin of the body in the problem. */
static double length_of(const scree_drive *d) {
    return d->turns ? 1 : FAR;
}

/* ---- force and mass ---------------------------------------------------------- */

/* Between two planes, now or as they were made. */
static double extent_of(const scree_world *world, int a, int b, bool now) {
    const scree_wall *walls = world->scene.walls;
    if (now)
        return fmax(0, -(scree_world_wall_plane(world, a).d +
                         scree_world_wall_plane(world, b).d));
    const scree_plane_def *p = &walls[a].def, *q = &walls[b].def;
    return fmax(0, -(dot(vec_from(p->normal), vec_from(p->point)) +
                     dot(vec_from(q->normal), vec_from(q->point))));
}

static double area_of(const scree_world *world, int wall, bool now) {
    const scree_servo *s = &world->scene.walls[wall].def.servo;
    if (s->kind != SCREE_SERVO_PRESSURE) return 0;
    double area = s->area > 0 ? s->area : 1;
    for (int k = 0; k < 4; k += 2)
        if (s->across[k] >= 0)
            area *= extent_of(world, s->across[k], s->across[k + 1], now);
    return area;
}

double scree_servo_area(const scree_world *world, int wall) {
    return area_of(world, wall, true);
}

static double force_of(const scree_world *world, int wall, bool now) {
    const scree_servo *s = &world->scene.walls[wall].def.servo;
    return s->kind == SCREE_SERVO_PRESSURE
               ? s->target * area_of(world, wall, now)
               : s->target;
}

scree_servo_law scree_servo_now(const scree_world *world, int wall) {
    const scree_wall *w = &world->scene.walls[wall];
    const scree_servo *s = &w->def.servo;
    scree_servo_law law = {.is_free = world->state.t < s->until};
    if (!law.is_free) return law;
    law.F = force_of(world, wall, true);
    const bool spins = s->kind == SCREE_SERVO_TORQUE && s->speed == 0;
    law.c = s->damping >= 0 ? s->damping
            : spins         ? 0
                            : fabs(law.F) / speed_of(s);
    law.m = s->mass > 0 ? s->mass
                        : fabs(force_of(world, wall, false)) * world->def.dt /
                              speed_of(s);
    return law;
}

/* ---- bodies of the problem ---------------------------------------------------- */

/* Place of a driven wall among the bodies of the problem, -1: of none. */
static int32_t place_of(const scree_world *world, int wall) {
    const int slot = world->scene.walls[wall].drive.slot;
    return slot < 0 ? -1 : world->state.bodies.n + slot;
}

static scree_vec3 spin_of(const scree_drive *d, double v) {
    return scale(v / length_of(d), d->axis);
}

static double velocity_of(const scree_drive *d, scree_vec3 w) {
    return length_of(d) * dot(d->axis, w);
}

#define FOR_DRIVEN(world, w, i)                                                \
    for (int w = 0; w < (world)->scene.n_wall && (world)->scene.n_driven; ++w) \
        for (int32_t i = place_of(world, w); i >= 0; i = -1)

void scree_servo_write(scree_world *world) {
    scree_bodies *b = &world->state.bodies;
    FOR_DRIVEN(world, w, i) {
        const scree_drive *d = &world->scene.walls[w].drive;
        const scree_vec3 point = vec_from(world->scene.walls[w].def.point);
        b->u[i] = (scree_twist){.w = spin_of(d, d->v)};
        b->u_b[i] = (scree_velocity){.w = spin_of(d, d->v_b)};
        b->x[i] = (scree_ball){point, 1};
        b->id[i] = INT64_MAX - 1 - d->slot;
    }
    if (world->scene.n_driven)
        b->u[b->n + world->scene.n_driven] = (scree_twist){0};
}

void scree_servo_read(scree_world *world) {
    const scree_bodies *b = &world->state.bodies;
    FOR_DRIVEN(world, w, i) {
        scree_drive *d = &world->scene.walls[w].drive;
        d->v = velocity_of(d, b->u[i].w);
        d->v_b = velocity_of(d, b->u_b[i].w);
    }
}

static scree_sym3 tensor_of(const scree_drive *d, double inverse) {
    const scree_vec3 e = d->axis;
    const double s = inverse / (length_of(d) * length_of(d));
    return (scree_sym3){.xx = s * e.x * e.x,
                        .yy = s * e.y * e.y,
                        .zz = s * e.z * e.z,
                        .xy = s * e.x * e.y,
                        .xz = s * e.x * e.z,
                        .yz = s * e.y * e.z};
}

void scree_servo_inertia(scree_world *world, scree_sym3 *inv_I) {
    FOR_DRIVEN(world, w, i) {
        const scree_servo_law law = scree_servo_now(world, w);
        const double inverse =
            law.is_free ? 1 / (law.m + law.c * world->step.dt) : 0;
        inv_I[i] = tensor_of(&world->scene.walls[w].drive, inverse);
    }
}

/* Without contacts, after dt. */
static double free_velocity(const scree_world *world, int wall, double v,
                            double dt) {
    const scree_servo_law law = scree_servo_now(world, wall);
    return law.is_free ? (law.m * v + law.F * dt) / (law.m + law.c * dt)
                       : world->scene.walls[wall].def.servo.then;
}

void scree_servo_kick(scree_world *world, double dt) {
    scree_bodies *b = &world->state.bodies;
    FOR_DRIVEN(world, w, i) {
        const scree_drive *d = &world->scene.walls[w].drive;
        const double v = velocity_of(d, b->u[i].w);
        b->u_b[i].w = b->u[i].w;
        b->u[i].w = spin_of(d, free_velocity(world, w, v, dt));
    }
}

void scree_servo_move(scree_world *world, double dt) {
    const scree_bodies *b = &world->state.bodies;
    FOR_DRIVEN(world, w, i) {
        scree_drive *d = &world->scene.walls[w].drive;
        d->s += dt * velocity_of(d, b->u[i].w);
    }
}

void scree_servo_displace(scree_world *world, const scree_twist *u, double dt) {
    FOR_DRIVEN(world, w, i) {
        scree_drive *d = &world->scene.walls[w].drive;
        d->s += dt * velocity_of(d, u[i].w);
    }
}

/* ---- reach ------------------------------------------------------------------- */

void scree_servo_bound(scree_world *world) {
    FOR_DRIVEN(world, w, i) {
        scree_drive *d = &world->scene.walls[w].drive;
        const double now = velocity_of(d, world->state.bodies.u[i].w);
        d->v = now;
        d->bound =
            fmax(fabs(now), fabs(free_velocity(world, w, now, world->step.dt)));
    }
}

bool scree_servo_is_late(const scree_world *world, double dt) {
    FOR_DRIVEN(world, w, i) {
        const scree_drive *d = &world->scene.walls[w].drive;
        if (fabs(d->s - d->listed) + CLOSE * dt * d->bound > d->allowed)
            return true;
    }
    return false;
}

void scree_servo_list(scree_world *world, double dt) {
    FOR_DRIVEN(world, w, i) {
        scree_drive *d = &world->scene.walls[w].drive;
        d->listed = d->s;
        d->allowed = AHEAD * dt * d->bound;
    }
}

/* ---- reading ----------------------------------------------------------------- */

void scree_world_read_servo(const scree_world *world, int wall,
                            scree_servo_view *view) {
    const scree_wall *w = &world->scene.walls[wall];
    *view = (scree_servo_view){.kind = w->def.servo.kind};
    if (view->kind == SCREE_SERVO_NONE) return;
    view->way = w->drive.s;
    view->velocity = w->drive.v;
    view->target = scree_servo_now(world, wall).F;
    view->area = scree_servo_area(world, wall);
}

void scree_world_read_wall_velocity(const scree_world *world, int wall,
                                    const double x[3], double velocity[3]) {
    scree_wall copy = world->scene.walls[wall];
    scree_plane plane;
    scree_wall_move(&copy, &plane, world->state.t);
    vec_to(scree_wall_velocity(&copy, &plane, vec_from(x)), velocity);
}
