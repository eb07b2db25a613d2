/* stages.c: joints in the two stages of rattle (engine/rattle). The percussion of stage 1
 * acts along the bars at q_n; stage 2 solves for the total along those at q_{n+1}, and
 * takes off what acted, turned with the bars. */
#include "engine/joints/joints.h"

#include "engine/base/error.h"
#include "engine/world/ranks.h"

/* Gaps that rounds leave, beside the coordinates that they come from: rounding is a
 * hundred times less. */
static const double EXACT = 1e-13;

static double size_of(const scree_world *world, const scree_joint_look *look) {
    return world->state.bodies.x[look->a].r + norm(look->at_a) +
           norm(look->at_b);
}

bool scree_joints_hold(const scree_world *world) {
    for (int64_t i = 0; i < world->joints.n_row; ++i) {
        const struct scree_joint_row *r = &world->joints.rows[i];
        const scree_joint *j = &world->joints.list[r->joint];
        scree_joint_look look;
        scree_joint_look_at(world, j, r->row, false, &look);
        if (scree_joint_missed(world, j, &look) > EXACT * size_of(world, &look))
            return false;
    }
    return true;
}

/* ---- P1 ----------------------------------------------------------------------------- */

static scree_velocity turned_row(const scree_world *world,
                                 const scree_joint *j) {
    scree_joint_look begin, now;
    scree_velocity to = {vec(0, 0, 0), vec(0, 0, 0)};
    scree_joint_look_at(world, j, 0, true, &begin);
    scree_joint_look_at(world, j, 0, false, &now);
    for (int k = 0; k < now.n; ++k) {
        const bool turns = now.bar[k].turns;
        const double p = dot(begin.bar[k].d, turns ? j->M : j->P);
        scree_vec3 *sum = turns ? &to.w : &to.v;
        *sum = add_scaled(*sum, p, now.bar[k].d);
    }
    return to;
}

void scree_joints_turn(scree_world *world) {
    for (int64_t k = 0; k < world->joints.n; ++k) {
        scree_joint *j = &world->joints.list[k];
        if (j->broken) continue;
        const scree_velocity turned = turned_row(world, j);
        j->P1 = turned.v, j->M1 = turned.w, j->more1 = j->more;
        j->P = scale(2, j->P1), j->M = scale(2, j->M1); /* a guess */
        j->more = 2 * j->more1;
    }
}

void scree_joints_take_off(scree_problem *p, const scree_world *world,
                           int64_t i) {
    const int64_t first = p->n_contact - world->joints.n_row;
    const struct scree_joint_row *r = &world->joints.rows[i - first];
    const scree_joint *j = &world->joints.list[r->joint];
    if (r->row == 0) {
        scree_problem_push(p, i, scale(-1, j->P1));
        if (!r->round) scree_problem_turn(p, i, scale(-1, j->M1));
        return;
    }
    const scree_bar *b = &p->bars[i - first].bar[0];
    const scree_vec3 d = scale(-j->more1, b->d);
    if (b->turns)
        scree_problem_turn(p, i, d);
    else
        scree_problem_push(p, i, d);
}

/* ---- work ----------------------------------------------------------------------------- */

static scree_velocity begin_of(const scree_world *world, int32_t i) {
    if (i >= world->state.bodies.n)
        return (scree_velocity){vec(0, 0, 0), vec(0, 0, 0)};
    return world->state.bodies.u_b[i];
}

/* gamma of bar k at one end of the step. */
static double gamma_of(const scree_joint_look *look, int k, scree_velocity a,
                       scree_velocity b) {
    scree_vec3 xi, omega;
    scree_look_velocity(look, a, b, &xi, &omega);
    return dot(look->bar[k].d, look->bar[k].turns ? omega : xi);
}

/* Half of the percussion at each end. */
static void book_row(scree_world *world, const struct scree_joint_row *r) {
    scree_joint *j = &world->joints.list[r->joint];
    scree_joint_look begin, now;
    scree_joint_look_at(world, j, r->row, true, &begin);
    scree_joint_look_at(world, j, r->row, false, &now);
    for (int k = 0; k < now.n; ++k) {
        const struct scree_looked_bar *at = &now.bar[k];
        const scree_bar_ends ends = {
            .role = at->role,
            .p = r->row > 0 ? j->more : dot(at->d, at->turns ? j->M : j->P),
            .gamma = {gamma_of(&begin, k, begin_of(world, begin.a),
                               begin_of(world, begin.b)),
                      gamma_of(&now, k, scree_joint_velocity(world, now.a),
                               scree_joint_velocity(world, now.b))},
            .gap = {begin.bar[k].gap, at->gap}};
        scree_joint_book(world, j, &ends);
    }
}

void scree_joints_book_stages(scree_world *world) {
    for (int64_t i = 0; i < world->joints.n_row; ++i)
        book_row(world, &world->joints.rows[i]);
}
