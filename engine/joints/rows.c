/* rows.c: what a step asks of the bars of a joint, with gamma = d . W^T u of the
 * velocity before it, x the gap or stretch, dt the step and T the time from this midpoint
 * to the next (joints.h).
 *
 *                moreau                            rattle, stage 1       stage 2
 *     holds      gamma_E + x / T = 0               x(q_{n+1}) = 0        gamma_{n+1} = 0
 *     stops      >= 0, or e gamma_B if it closes   x(q_{n+1}) >= 0       gamma_{n+1} >= -e gamma_n
 *                                                                        if it pushed before
 *     drives     gamma_E = v, |p| <= R dt          half of R             all of it
 *     springs    implicit, joints.h                -dt/2 k x(q_n)        and -dt/2 k x(q_{n+1})
 *     loads      x + T gamma_E = 0, |p| <= F dt    half of F             all of it
 *
 * A cable bears breaks_at and slips_at times dt at most: [0, limit] is the set of its
 * bar. A spring is a bar with xi = gamma_E + s p + c, where with K = dt^2 k / 4 + dt d / 2
 *     s = 1 / K,   c = (dt k x + (dt d / 2 - dt^2 k / 4) gamma_B) / K. */
#include "engine/base/error.h"
#include "engine/forces/forces.h"
#include "engine/joints/joints.h"

typedef struct law {
    double dt, reach; /* dt, T */
    double gamma;     /* before the step */
    double most;      /* that a cable bears [N s] */
    bool control;
} law;

static double most_of(const scree_joint *j, double dt) {
    double most = INFINITY;
    if (j->slips_at > 0) most = fmin(most, j->slips_at * dt);
    if (j->breaks_at > 0) most = fmin(most, j->breaks_at * dt);
    return most;
}

/* ---- moreau ----------------------------------------------------------------------- */

/* Closes on its way to the next midpoint, faster than what counts as rest? */
static bool is_hit(const scree_world *world, const scree_joint *j, double gap,
                   const law *l) {
    return j->restitution > 0 && gap + l->reach * l->gamma <= 0 &&
           -l->gamma > scree_joint_rest_speed(world);
}

static void write_stop(const scree_world *world, const scree_joint *j,
                       const struct scree_looked_bar *at, const law *l,
                       scree_bar *b) {
    b->lo = 0, b->hi = l->control || at->gap <= 0 ? l->most : 0;
    b->c = l->control ? at->gap / l->reach : 0;
    if (is_hit(world, j, at->gap, l)) b->c = j->restitution * l->gamma;
}

static void write_spring(const scree_joint *j,
                         const struct scree_looked_bar *at, const law *l,
                         scree_bar *b) {
    const double dt = l->dt, k = j->stiffness, d = j->damping;
    const double K = 0.25 * dt * dt * k + 0.5 * dt * d;
    const bool pulls = j->kind == SCREE_JOINT_CABLE;
    b->lo = pulls ? 0 : -INFINITY, b->hi = pulls ? l->most : INFINITY;
    if (K <= 0) {
        b->lo = b->hi = 0;
        return;
    }
    b->soft = 1 / K;
    b->c =
        (dt * k * at->gap + (0.5 * dt * d - 0.25 * dt * dt * k) * l->gamma) / K;
}

static void write_drive(const scree_joint *j, double share, const law *l,
                        scree_bar *b) {
    const double most = share * l->dt * (j->motor ? j->strength : j->friction);
    b->lo = -most, b->hi = most;
    b->c = j->motor ? -j->speed : 0;
}

static void write_moreau(const scree_world *world, const scree_joint *j,
                         const struct scree_looked_bar *at, const law *l,
                         scree_bar *b) {
    switch (at->role) {
    case SCREE_BAR_HOLDS:
        b->c = l->control ? at->gap / l->reach : 0;
        break;
    case SCREE_BAR_STOPS:
        write_stop(world, j, at, l, b);
        break;
    case SCREE_BAR_DRIVES:
        write_drive(j, 1, l, b);
        break;
    case SCREE_BAR_SPRINGS:
        write_spring(j, at, l, b);
        break;
    case SCREE_BAR_LOADS:
        b->lo = -j->prestress * l->dt, b->hi = j->prestress * l->dt;
        b->c = at->gap / l->reach;
        break;
    }
}

/* What acts after other percussions of the step: forces have had their share, and a
 * brake bears what it has not borne yet. */
static void write_after(const scree_world *world, const scree_joint *j,
                        const struct scree_looked_bar *at, const law *l,
                        scree_bar *b) {
    law rest = *l;
    rest.most = fmax(0, l->most - norm(j->P));
    if (at->role == SCREE_BAR_HOLDS || at->role == SCREE_BAR_STOPS)
        write_moreau(world, j, at, &rest, b);
    else
        b->lo = b->hi = 0;
}

/* Positions alone: what holds stays, what is slack or soft gives way. */
static void write_shift(const scree_joint *j, const struct scree_looked_bar *at,
                        scree_bar *b) {
    if (at->role == SCREE_BAR_HOLDS) return;
    b->lo = b->hi = 0;
    if (at->role == SCREE_BAR_STOPS && at->gap <= 0) b->hi = INFINITY;
    (void)j;
}

/* ---- rattle ----------------------------------------------------------------------- */

/* Forces of springs are those of both ends, half each. */
static double spring_push(const scree_joint *j, double gap, double gamma,
                          const law *l) {
    const double p = -0.5 * l->dt * (j->stiffness * gap + j->damping * gamma);
    if (j->kind != SCREE_JOINT_CABLE) return p;
    return gap < 0 ? fmin(fmax(p, 0), 0.5 * l->most) : 0;
}

static void write_position(const scree_joint *j,
                           const struct scree_looked_bar *at, double gap_end,
                           double measured, const law *l, scree_bar *b) {
    const double to_end = gap_end / l->dt - measured;
    switch (at->role) {
    case SCREE_BAR_HOLDS:
        b->c = to_end;
        break;
    case SCREE_BAR_STOPS:
        b->lo = 0, b->hi = 0.5 * l->most;
        b->c = to_end;
        break;
    case SCREE_BAR_DRIVES:
        write_drive(j, 0.5, l, b);
        break;
    case SCREE_BAR_SPRINGS:
        b->lo = b->hi = spring_push(j, at->gap, l->gamma, l);
        break;
    case SCREE_BAR_LOADS:
        b->hi = 0.5 * j->prestress * l->dt, b->lo = -b->hi;
        b->c = to_end;
        break;
    }
}

/* p = p1 - dt/2 (k x + d gamma_{n+1}): the damper is implicit. */
static void write_end_of_spring(const scree_joint *j, double gap, double p1,
                                const law *l, scree_bar *b) {
    const bool pulls = j->kind == SCREE_JOINT_CABLE;
    const double by = 0.5 * l->dt * j->damping;
    b->lo = b->hi = p1 + spring_push(j, gap, 0, l);
    if (by <= 0 || (pulls && gap >= 0)) return;
    b->soft = 1 / by;
    b->c = -(p1 - 0.5 * l->dt * j->stiffness * gap) / by;
    b->lo = pulls ? p1 : -INFINITY, b->hi = pulls ? l->most : INFINITY;
}

/* p1: percussion of stage 1 along the bar. */
static void write_velocity(const scree_world *world, const scree_joint *j,
                           const struct scree_looked_bar *at, double p1,
                           const law *l, scree_bar *b) {
    const double closed = scree_joint_closed(world);
    switch (at->role) {
    case SCREE_BAR_HOLDS:
        break;
    case SCREE_BAR_STOPS:
        b->lo = 0, b->hi = p1 > 0 || at->gap <= closed ? l->most : 0;
        if (-l->gamma > scree_joint_rest_speed(world))
            b->c = j->restitution * l->gamma;
        break;
    case SCREE_BAR_DRIVES:
        write_drive(j, 1, l, b);
        break;
    case SCREE_BAR_SPRINGS:
        write_end_of_spring(j, at->gap, p1, l, b);
        break;
    case SCREE_BAR_LOADS:
        b->hi = j->prestress * l->dt, b->lo = -b->hi;
        if (fabs(at->gap) > closed) b->lo = b->hi = at->gap > 0 ? b->lo : b->hi;
        break;
    }
}

/* ---- bars of a row ------------------------------------------------------------------ */

/* Slower stops have no restitution [m/s]. */
double scree_joint_rest_speed(const scree_world *world) {
    return 2 * norm(scree_world_weight(world)) * world->step.dt;
}

/* Gaps that count as none [m]. */
double scree_joint_closed(const scree_world *world) {
    return 1e-9 * world->scene.r_min;
}

/* The directions of a step of rattle are those where it began; velocities before the
 * step are u_b there, and in `look` otherwise. */
static scree_velocity before_of(const scree_world *world,
                                scree_joint_stage stage, int32_t i) {
    const bool rattle =
        stage == SCREE_STAGE_POSITION || stage == SCREE_STAGE_VELOCITY;
    if (rattle && i < world->state.bodies.n) return world->state.bodies.u_b[i];
    return scree_joint_velocity(world, i);
}

static double along_bar(const struct scree_looked_bar *at, scree_vec3 force,
                        scree_vec3 moment) {
    return dot(at->d, at->turns ? moment : force);
}

/* Bars that hold come first, whatever else acts there. */
static scree_bar *new_bar(scree_bars *bars, const struct scree_looked_bar *at) {
    return scree_bars_add(bars, at->d, at->turns, -INFINITY,
                          at->role == SCREE_BAR_HOLDS ? INFINITY : 0);
}

void scree_joint_write_bars(const scree_world *world, const scree_joint *j,
                            int row, scree_joint_stage stage,
                            const scree_joint_look *look, scree_bars *bars) {
    scree_joint_look end;
    scree_vec3 xi, omega, now, turning;
    law l = {.dt = world->step.dt,
             .reach = world->step.reach,
             .most = most_of(j, world->step.dt),
             .control = world->def.gap_control};
    if (stage == SCREE_STAGE_POSITION)
        scree_joint_look_at(world, j, row, false, &end);
    scree_look_velocity(look, before_of(world, stage, look->a),
                        before_of(world, stage, look->b), &xi, &omega);
    scree_look_velocity(look, scree_joint_velocity(world, look->a),
                        scree_joint_velocity(world, look->b), &now, &turning);
    bars->n = bars->fixed = 0;
    for (int k = 0; k < look->n; ++k) {
        const struct scree_looked_bar *at = &look->bar[k];
        scree_bar *b = new_bar(bars, at);
        l.gamma = along_bar(at, xi, omega);
        if (stage == SCREE_STAGE_MOREAU)
            write_moreau(world, j, at, &l, b);
        else if (stage == SCREE_STAGE_AFTER)
            write_after(world, j, at, &l, b);
        else if (stage == SCREE_STAGE_SHIFT)
            write_shift(j, at, b);
        else if (stage == SCREE_STAGE_POSITION)
            write_position(j, at, end.bar[k].gap, along_bar(at, now, turning),
                           &l, b);
        else
            write_velocity(world, j, at,
                           row > 0 ? j->more1 : along_bar(at, j->P1, j->M1), &l,
                           b);
    }
}
