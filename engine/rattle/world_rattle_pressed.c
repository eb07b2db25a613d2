/* world_rattle_pressed.c: bodies that are pressed so hard that a step does not see them
 * give way.
 *
 * A light body of mass m and radius r that rests between others under the force F leaves
 * their line by itself: an offset grows like exp(lambda t), lambda^2 about F / (m r). That
 * is the motion, not an error: three balls of which the uppermost is 1e8 times as heavy
 * as the others have lambda = 1e5 / s, and an offset of 1e-38 r, of which roundings are
 * enough, shoots the lower ones out within a millisecond. What a step can do depends on
 *
 *     kappa = P dt / (m r) = (lambda dt)^2,      P = F dt.
 *
 * Where it is far above 1, contacts turn by any angle within a step while they push by P,
 * and RATTLE, whose percussions act along the directions at both ends, may make energy
 * without bounds: 0.64 of the energy of that column in one step, 7e-4 of that of five such
 * balls. As long as such bodies stand exactly in line nothing is wrong, however large
 * kappa is; and beds at steps that are large for them have 1 or 2. So a step ends the run that has both, a contact at rest with kappa above
 * PRESSED and energy from nothing: more than MADE of the kinetic energy then, and more
 * than LEAST of the work of that load on the way of a radius.
 *
 * Hits are not meant, and walls that move may give energy: where there are some nothing is
 * looked at. Cost: a look at the contacts. */
#include "engine/rattle/world_rattle.h"

static const double PRESSED = 30, MADE = 0.1, LEAST = 1e-3;
/* kappa that steps are to have. */
static const double RESOLVED = 0.1;

typedef struct pressing {
    double kappa, work; /* P dt / (m r), P r / dt [J] */
    int64_t id;
} pressing;

static void press_body(const scree_world *world, int32_t i, double P, double dt,
                       pressing *worst) {
    const double r = world->bodies.x[i].r;
    const double kappa = P * world->bodies.u[i].inv_m * dt / r;
    if (kappa <= worst->kappa) return;
    *worst = (pressing){kappa, P * r / dt, world->bodies.id[i]};
}

/* Closed where the step began, and neither opening nor hit? */
static bool was_at_rest(const scree_world *world, const scree_contact *c,
                        double dt) {
    const double closed = scree_rattle_tolerance(world) * world->r_min;
    const scree_contact n = contact_at_begin(world, c);
    const scree_vec3 gamma = scree_world_relative(
        world, &n, begin_velocity(world, c->a),
        begin_velocity(world, scree_world_second(world, c)));
    return n.g <= closed && fabs(dot(n.n, gamma)) * dt <= closed;
}

static pressing find_pressed(const scree_world *world, double dt) {
    pressing worst = {.kappa = PRESSED, .id = SCREE_NO_BODY};
    for (int64_t i = 0; i < world->contacts.n; ++i) {
        const scree_contact *c = &world->contacts.list[i];
        const double P = dot(c->n, c->P);
        pressing of = worst;
        press_body(world, c->a, P, dt, &of);
        if (c->b >= 0) press_body(world, c->b, P, dt, &of);
        if (of.kappa > worst.kappa && was_at_rest(world, c, dt)) worst = of;
    }
    return worst;
}

static double kinetic_of(const scree_world *world, int32_t i, scree_quat q,
                         scree_velocity u) {
    const scree_sym3 inertia = scree_world_inertia(world, i, q);
    return 0.5 * (dot(u.v, u.v) / world->bodies.u[i].inv_m +
                  dot(u.w, sym3_mul(&inertia, u.w)));
}

/* What the step made of nothing, and the kinetic energy after it. Positions that were
 * moved by themselves have their own account. */
static double made_by_step(const scree_world *world, double *kinetic) {
    const scree_bodies *b = &world->bodies;
    const scree_vec3 g = world->gravity;
    scree_sum made = {0}, after = {0};
    for (int32_t i = 0; i < b->n; ++i) {
        if (!scree_world_owns(world, i) || b->u[i].inv_m == 0) continue;
        const scree_pose *begin = pose_at_begin(world, i);
        const scree_vec3 way = add(sub(b->x[i].x, begin->x), begin->late);
        const double T =
            kinetic_of(world, i, b->q[i], scree_twist_velocity(&b->u[i]));
        scree_sum_add(world, &after, T);
        scree_sum_add(world, &made,
                      T - kinetic_of(world, i, begin->q, b->u_b[i]) -
                          dot(g, way) / b->u[i].inv_m);
    }
    *kinetic = scree_sum_total(world, &after);
    return scree_sum_total(world, &made);
}

static scree_status give_up(scree_world *world, const pressing *p, double made,
                            double dt) {
    return scree_fail(
        &world->error, SCREE_NOT_FINITE,
        "body %lld is squeezed out in step %lld (t = %g s), which made %.3g J: "
        "the load on it is %.3g times what its mass resists within a step. "
        "Steps of rattle must be below %.2g s here; or make bodies less unlike "
        "in mass, or take stepper: moreau",
        (long long)p->id, (long long)world->steps, world->t, made, p->kappa,
        dt * sqrt(RESOLVED / p->kappa));
}

scree_status scree_rattle_check_pressed(scree_world *world, double dt) {
    if (world->wall_speed > 0) return SCREE_OK;
    const pressing here = find_pressed(world, dt);
    const double kappa = scree_world_most(world, here.kappa);
    const double work = scree_world_most(world, here.work);
    double kinetic;
    if (kappa <= PRESSED) return SCREE_OK;
    const double made = made_by_step(world, &kinetic);
    if (made <= fmax(MADE * kinetic, LEAST * work)) return SCREE_OK;
    return scree_world_agree(world, here.kappa == kappa
                                        ? give_up(world, &here, made, dt)
                                        : SCREE_OK);
}
