/* books.c: what joints did in a step: their work, law by law, brakes that slipped, loads
 * that broke them.
 *
 * A percussion p of a bar changes the kinetic energy by p times the mean of gamma before
 * and after. What springs take they keep, 1/2 k x^2 + F |x|, which is counted where they
 * are; the rest of a spring's percussion is its damper's, or was held back by a brake:
 *
 *     taken = -p gamma - (k x_E^2 / 2 - k x_B^2 / 2),   x_E + x_B = 2 x,  x_E - x_B = dt gamma
 *
 * with x and gamma the means of the step (joints.h). What a brake lets out, or a cable that
 * breaks, is lost with the stretch that is left at the end of the step. Motors are asked
 * what they gave; all else is dissipated: friction, stops, dampers, brakes. */
#include "engine/joints/joints.h"

#include "engine/step/work.h"
#include "engine/world/ranks.h"
#include "solvers/problem/kernel.h"

/* ---- work ------------------------------------------------------------------------------ */

/* What bore this share of its limit bore all of it. */
static const double ALL = 1 - 1e-9;

/* Of one bar: what it took for good, and what a motor gave. */
typedef struct bar_work {
    double taken, given;
} bar_work;

/* A row that was solved, as it is booked. */
typedef struct solved_row {
    const scree_world *world;
    const scree_joint *j;
    scree_joint_look look;
    scree_vec3 P, M; /* of the last solve */
} solved_row;

static double most_of(const scree_joint *j) {
    return j->slips_at > 0 ? j->slips_at : j->breaks_at;
}

/* Does a brake or its strength bear less than the spring pulls with? */
static bool is_held_back(const scree_joint *j, double p, double dt) {
    const double most = most_of(j) * dt;
    return j->kind == SCREE_JOINT_CABLE && most > 0 && p >= ALL * most;
}

/* A spring acts in the first solve of a step, and has its mean stretch by that one. */
static double spring_work(const solved_row *r,
                          const struct scree_looked_bar *at, double p,
                          double mean, double turn) {
    const scree_joint *j = r->j;
    const double dt = r->world->step.dt, x = at->gap + 0.25 * dt * turn;
    const bool slack = j->kind == SCREE_JOINT_CABLE && p == 0 && x >= 0;
    if (r->world->step.in_turn || slack) return 0;
    if (j->damping <= 0 && !is_held_back(j, p, dt)) return 0;
    return -(p + dt * j->stiffness * x) * mean;
}

static bar_work work_of(const solved_row *r, const struct scree_looked_bar *at,
                        double p, double mean, double turn) {
    switch (at->role) {
    case SCREE_BAR_SPRINGS:
        return (bar_work){spring_work(r, at, p, mean, turn), 0};
    case SCREE_BAR_LOADS:
        return (bar_work){0, 0};
    case SCREE_BAR_DRIVES:
        if (r->j->motor) return (bar_work){0, p * mean};
        break;
    default:
        break;
    }
    return (bar_work){-p * mean, 0};
}

static void book_joint(scree_world *world, scree_joint *j, bar_work w) {
    j->taken += w.taken;
    j->given += w.given;
    SCREE_BOOK(world, taken_joints, w.taken);
    SCREE_BOOK(world, motor_work, w.given);
}

/* 1/2 k x^2 of the gaps that a cable has where it is longer than it wants to be. */
static double cable_energy(const scree_joint *j, double gap) {
    const double x = fmin(gap, 0);
    return 0.5 * j->stiffness * x * x;
}

/* A damper takes d gamma^2 at both ends, unless the cable is held back. */
static double spring_loss(const scree_world *world, const scree_joint *j,
                          const scree_bar_ends *e) {
    const double dt = world->step.dt;
    if (e->p == 0) return 0;
    if (is_held_back(j, e->p, dt))
        return -0.5 * e->p * (e->gamma[0] + e->gamma[1]) -
               (cable_energy(j, e->gap[1]) - cable_energy(j, e->gap[0]));
    return 0.5 * dt * j->damping *
           (e->gamma[0] * e->gamma[0] + e->gamma[1] * e->gamma[1]);
}

void scree_joint_book(scree_world *world, scree_joint *j,
                      const scree_bar_ends *e) {
    const double given = 0.5 * e->p * (e->gamma[0] + e->gamma[1]);
    bar_work w = {-given, 0};
    if (e->role == SCREE_BAR_DRIVES && j->motor) w = (bar_work){0, given};
    if (e->role == SCREE_BAR_LOADS) w.taken = 0;
    if (e->role == SCREE_BAR_SPRINGS) w.taken = spring_loss(world, j, e);
    book_joint(world, j, w);
}

static double bar_along(const struct scree_looked_bar *at, scree_vec3 force,
                        scree_vec3 moment) {
    return dot(at->d, at->turns ? moment : force);
}

/* Joints know what all solves of a step gave them, and the problem what the last did. */
static solved_row find_solved(const scree_world *world, int64_t i) {
    const struct scree_joint_row *r = &world->joints.rows[i];
    const scree_problem *p = &world->state.problem;
    const scree_row row =
        scree_problem_row(p, p->n_contact - world->joints.n_row + i);
    solved_row s = {.world = world,
                    .j = &world->joints.list[r->joint],
                    .P = row_force(&row),
                    .M = row.M};
    scree_joint_look_at(world, s.j, r->row, false, &s.look);
    return s;
}

static void book_row(scree_world *world, int64_t i) {
    const solved_row r = find_solved(world, i);
    const scree_joint_look *look = &r.look;
    scree_vec3 xi, omega, before, turn;
    scree_look_velocity(look, scree_world_mean_velocity(world, look->a),
                        scree_world_mean_velocity(world, look->b), &xi, &omega);
    scree_look_velocity(look, scree_world_before_velocity(world, look->a),
                        scree_world_before_velocity(world, look->b), &before,
                        &turn);
    for (int k = 0; k < look->n; ++k) {
        const struct scree_looked_bar *at = &look->bar[k];
        const double mean = bar_along(at, xi, omega);
        const double change = 2 * (mean - bar_along(at, before, turn));
        const double p = bar_along(at, r.P, r.M);
        book_joint(world, &world->joints.list[world->joints.rows[i].joint],
                   work_of(&r, at, p, mean, change));
    }
}

void scree_joints_book(scree_world *world) {
    for (int64_t i = 0; i < world->joints.n_row; ++i) book_row(world, i);
}

/* ---- at the end of a step ----------------------------------------------------------------- */

static double force_of(const scree_world *world, const scree_joint *j) {
    return norm(j->P) / world->step.dt;
}

static bool is_torn(const scree_joint *j, double force) {
    return j->breaks_at > 0 && force >= ALL * j->breaks_at;
}

/* What a brake lets a cable slip by; of an elastic one the spring keeps its stretch. */
static double slip_of(const scree_joint *j, double force, double distance) {
    if (j->kind != SCREE_JOINT_CABLE || j->slips_at <= 0 ||
        force < ALL * j->slips_at)
        return 0;
    const double stretch = j->stiffness > 0 ? j->slips_at / j->stiffness : 0;
    return fmax(0, distance - stretch - j->length);
}

/* Of the ends of a line at the end of the step, when they move on for `ahead`. */
static double end_distance(const scree_world *world, const scree_joint *j,
                           const scree_joint_look *look, double ahead) {
    scree_vec3 xi, omega;
    scree_look_velocity(look, scree_joint_velocity(world, look->a),
                        scree_joint_velocity(world, look->b), &xi, &omega);
    const double rate = look->n > 0 ? dot(look->bar[0].d, xi) : 0;
    return look->position +
           (j->kind == SCREE_JOINT_CABLE ? -ahead : ahead) * rate;
}

/* What a spring held before its length grew or it broke, and holds no more. */
static void book_loss(scree_world *world, scree_joint *j, double slip,
                      double distance) {
    const double left = j->broken ? 0 : scree_joint_stored(j, distance);
    j->length -= slip;
    const double taken = scree_joint_stored(j, distance) - left;
    j->length += slip;
    j->dissipated += taken;
    SCREE_BOOK(world, taken_joints, taken);
}

static void settle_joint(scree_world *world, scree_joint *j, double ahead) {
    const double force = force_of(world, j);
    scree_joint_look look;
    scree_joint_look_at(world, j, 0, false, &look);
    j->dissipated += j->taken, j->work += j->given;
    j->taken = j->given = 0;
    if (j->kind == SCREE_JOINT_HINGE) j->angle = look.position;
    j->most_force = fmax(j->most_force, force);
    j->most_distance = fmax(j->most_distance, look.position);
    const double slip = slip_of(j, force, look.position);
    j->length += slip;
    j->broken = is_torn(j, force);
    if (j->stiffness > 0 && (slip > 0 || j->broken))
        book_loss(world, j, slip, end_distance(world, j, &look, ahead));
}

void scree_joints_settle(scree_world *world, double ahead) {
    for (int64_t k = 0; k < world->joints.n; ++k)
        if (!world->joints.list[k].broken)
            settle_joint(world, &world->joints.list[k], ahead);
}

double scree_joints_stored(const scree_world *world) {
    double sum = 0;
    for (int64_t k = 0; k < world->joints.n; ++k) {
        scree_joint_view view;
        if (scree_world_read_joint(world, k, &view) == SCREE_OK)
            sum += view.stored;
    }
    return sum;
}
