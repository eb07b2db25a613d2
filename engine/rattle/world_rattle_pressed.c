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
 * kappa is; and beds at steps that are large for them have 1 or 2. So a step ends the
 * run that has both, a contact at rest with kappa above PRESSED and, at the body that is
 * pressed, energy from nothing.
 *
 * Contacts make it: with the percussions P_n along the directions at q_n and P_n+1 along
 * those at q_n+1 the kinetic energy of the bodies of one contact changes by
 *
 *     P_n . (gamma_n + gamma')/2  +  P_n+1 . (gamma'' + gamma_n+1)/2,
 *
 * gamma' being that of u_n+1 in the directions at q_n, gamma'' that of u_n in those at
 * q_n+1, both as seen from the wall where one takes part. What walls give is so left
 * out, and what other bodies do, however fast, does not count. The contacts of a body
 * together make too much if that is more than MADE of the kinetic energy with which it
 * moves against those that it touches, and more than LEAST of the work of its load on
 * the way of a radius.
 *
 * Hits are not meant. Cost: a look at the contacts. */
#include <string.h>

#include "engine/base/error.h"
#include "engine/rattle/world_rattle.h"

static const double PRESSED = 30, MADE = 0.1, LEAST = 1e-3;
/* kappa that steps are to have. */
static const double RESOLVED = 0.1;

/* ---- who is pressed ----------------------------------------------------------- */

typedef struct pressing {
    double kappa, work; /* P dt / (m r), P r / dt [J] */
    int32_t body;
} pressing;

static pressing press_body(const scree_world *world, int32_t i, double P,
                           double dt) {
    const double r = world->state.bodies.x[i].r;
    return (pressing){P * world->state.bodies.u[i].inv_m * dt / r, P * r / dt,
                      i};
}

/* The one of the two that gives way first. */
static pressing press_contact(const scree_world *world, int64_t i, double dt) {
    const scree_contact *c = &world->state.contacts.list[i];
    const double P = scree_problem_row(&world->state.problem, i).P_n;
    const pressing a = press_body(world, c->a, P, dt);
    if (c->b < 0) return a;
    const pressing b = press_body(world, c->b, P, dt);
    return b.kappa > a.kappa ? b : a;
}

/* Closed where the step began, and neither opening nor hit? */
static bool was_at_rest(const scree_world *world, const scree_contact *c,
                        double dt) {
    const double closed = scree_rattle_tolerance(world) * world->scene.r_min;
    const scree_contact n = contact_at_begin(world, c);
    const double gamma_n = dot(n.n, gamma_at_begin(world, &n));
    return n.g <= closed && fabs(gamma_n) * dt <= closed;
}

static bool is_pressed(const scree_world *world, int64_t i, double dt,
                       pressing *p) {
    *p = press_contact(world, i, dt);
    return p->kappa > PRESSED &&
           was_at_rest(world, &world->state.contacts.list[i], dt);
}

bool scree_rattle_any_pressed(scree_world *world, double dt) {
    bool any = false;
    pressing p;
    for (int64_t i = 0; i < world->state.contacts.n && !any; ++i)
        any = is_pressed(world, i, dt, &p);
    return scree_world_any(world, any);
}

/* ---- what its contacts make ------------------------------------------------------ */

/* Of all contacts of a body [J]. */
typedef struct gains {
    double made;
    double motion; /* kinetic energy of what moves against each other */
} gains;
enum { GAINS = sizeof(gains) / sizeof(double) };

/* Centres of two bodies, or of a body as seen from the wall where it touches. */
static double motion_at(const scree_world *world, const scree_contact *c) {
    const scree_twist *u = world->state.bodies.u;
    const scree_twist *a = &u[c->a], *b = &u[scree_world_second(world, c)];
    const scree_vec3 v = add(sub(a->v, b->v), scree_world_chi(world, c));
    return 0.5 * dot(v, v) / (a->inv_m + b->inv_m);
}

static void add_gains(const scree_world *world, const double *made, gains *of) {
    for (int64_t i = 0; i < world->state.contacts.n; ++i) {
        const scree_contact *c = &world->state.contacts.list[i];
        const double motion = motion_at(world, c);
        of[c->a].made += made[i], of[c->a].motion += motion;
        if (c->b < 0) continue;
        of[c->b].made += made[i], of[c->b].motion += motion;
    }
}

static scree_status sum_gains(scree_world *world, const double *made,
                              gains **of) {
    const size_t n = (size_t)world->state.bodies.n + 1;
    *of = scree_arena_push(&world->scratch, n * sizeof **of);
    if (!*of) return SCREE_OUT_OF_MEMORY;
    memset(*of, 0, n * sizeof **of);
    add_gains(world, made, *of);
    return scree_world_share_sums(world, &(*of)->made, GAINS);
}

/* ---- the run ends ------------------------------------------------------------------ */

static bool makes_energy(const gains *of, const pressing *p) {
    return of[p->body].made > fmax(MADE * of[p->body].motion, LEAST * p->work);
}

static pressing find_worst(const scree_world *world, const gains *of,
                           double dt) {
    pressing worst = {0}, p;
    for (int64_t i = 0; i < world->state.contacts.n; ++i)
        if (is_pressed(world, i, dt, &p) && p.kappa > worst.kappa &&
            makes_energy(of, &p))
            worst = p;
    return worst;
}

static scree_status give_up(scree_world *world, const pressing *p, double made,
                            double dt) {
    return scree_fail(
        &world->error, SCREE_NOT_FINITE,
        "body %lld is squeezed out in step %lld (t = %g s), which made %.3g J: "
        "the load on it is %.3g times what its mass resists within a step. "
        "Steps of rattle must be below %.2g s here; or make bodies less unlike "
        "in mass, or take stepper: moreau",
        (long long)world->state.bodies.id[p->body],
        (long long)world->state.steps, world->state.t, made, p->kappa,
        dt * sqrt(RESOLVED / p->kappa));
}

scree_status scree_rattle_check_pressed(scree_world *world, const double *made,
                                        double dt) {
    gains *of;
    TRY(sum_gains(world, made, &of));
    const pressing here = find_worst(world, of, dt);
    const double kappa = scree_world_most(world, here.kappa);
    if (kappa == 0) return SCREE_OK;
    return scree_world_agree(world,
                             here.kappa == kappa
                                 ? give_up(world, &here, of[here.body].made, dt)
                                 : SCREE_OK);
}
