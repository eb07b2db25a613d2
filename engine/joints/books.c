/* books.c: what joints did in a step: their work, law by law, brakes that slipped, loads
 * that broke them.
 *
 * A percussion p of a bar changes the kinetic energy by p times the mean of gamma before
 * and after. What springs take they keep, 1/2 k x^2 + F |x|, which is counted where they
 * are; the rest of a spring's percussion is its damper's. Motors are asked what they
 * gave; all else is dissipated: friction, stops, dampers, brakes. */
#include "engine/joints/joints.h"

#include "engine/step/work.h"
#include "engine/world/ranks.h"

/* ---- work ------------------------------------------------------------------------------ */

/* Of one bar: what it took for good, and what a motor gave. */
typedef struct bar_work {
    double taken, given;
} bar_work;

/* Of a spring: the elastic part of its percussion is -dt k times its mean stretch. */
static double damper_work(const scree_joint *j,
                          const struct scree_looked_bar *at, double p,
                          double mean, double turn, double dt) {
    if (j->damping <= 0 || p == 0) return 0;
    const double x = at->gap + 0.25 * dt * turn;
    return -(p + dt * j->stiffness * x) * mean;
}

static bar_work work_of(const scree_joint *j, const struct scree_looked_bar *at,
                        double p, double mean, double turn, double dt) {
    switch (at->role) {
    case SCREE_BAR_SPRINGS:
        return (bar_work){damper_work(j, at, p, mean, turn, dt), 0};
    case SCREE_BAR_LOADS:
        return (bar_work){0, 0};
    case SCREE_BAR_DRIVES:
        if (j->motor) return (bar_work){0, p * mean};
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

void scree_joint_book(scree_world *world, scree_joint *j, scree_bar_role role,
                      double p, double first, double last) {
    const double mean = 0.5 * (first + last);
    bar_work w = {-p * mean, 0};
    if (role == SCREE_BAR_DRIVES && j->motor) w = (bar_work){0, p * mean};
    if (role == SCREE_BAR_LOADS) w.taken = 0;
    if (role == SCREE_BAR_SPRINGS)
        w.taken = p == 0 ? 0
                         : 0.5 * world->step.dt * j->damping *
                               (first * first + last * last);
    book_joint(world, j, w);
}

static double bar_along(const struct scree_looked_bar *at, scree_vec3 force,
                        scree_vec3 moment) {
    return dot(at->d, at->turns ? moment : force);
}

static void book_row(scree_world *world, int64_t i) {
    const struct scree_joint_row *r = &world->joints.rows[i];
    scree_joint *j = &world->joints.list[r->joint];
    scree_joint_look look;
    scree_vec3 xi, omega, before, turn;
    scree_joint_look_at(world, j, r->row, false, &look);
    scree_look_velocity(&look, scree_world_mean_velocity(world, look.a),
                        scree_world_mean_velocity(world, look.b), &xi, &omega);
    scree_look_velocity(&look, scree_world_before_velocity(world, look.a),
                        scree_world_before_velocity(world, look.b), &before,
                        &turn);
    for (int k = 0; k < look.n; ++k) {
        const struct scree_looked_bar *at = &look.bar[k];
        const double mean = bar_along(at, xi, omega);
        const double change = 2 * (mean - bar_along(at, before, turn));
        const double p = r->row > 0 ? j->more : bar_along(at, j->P, j->M);
        book_joint(world, j, work_of(j, at, p, mean, change, world->step.dt));
    }
}

void scree_joints_book(scree_world *world) {
    for (int64_t i = 0; i < world->joints.n_row; ++i) book_row(world, i);
}

/* ---- at the end of a step ----------------------------------------------------------------- */

/* What bore this share of its limit bore all of it. */
static const double ALL = 1 - 1e-9;

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

/* What a brake takes of a spring, and what is lost with one that breaks: percussions of
 * springs did not book it. */
static void book_loss(scree_world *world, scree_joint *j, double slip,
                      double distance) {
    double taken = j->stiffness > 0 ? slip * j->slips_at : 0;
    if (j->broken) taken += scree_joint_stored(j, distance);
    j->dissipated += taken;
    SCREE_BOOK(world, taken_joints, taken);
}

static void settle_joint(scree_world *world, scree_joint *j) {
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
    book_loss(world, j, slip, look.position);
}

void scree_joints_settle(scree_world *world) {
    for (int64_t k = 0; k < world->joints.n; ++k)
        if (!world->joints.list[k].broken)
            settle_joint(world, &world->joints.list[k]);
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
