#include "engine/step/stress.h"

#include "engine/forces/forces.h"
#include "engine/joints/joints.h"
#include "engine/laws/cohesion.h"
#include "engine/laws/poisson.h"
#include "engine/step/step.h"
#include "engine/step/work.h"

static double part_of(scree_vec3 a, int k) {
    return k == 0 ? a.x : k == 1 ? a.y : a.z;
}

/* ---- the cell ----------------------------------------------------------------- */

/* In the plane it is 1 m thick. */
static double volume_of(const scree_period *cell) {
    const double x = cell->edge[0].x, y = cell->edge[1].y, z = cell->edge[2].z;
    return x * y * (cell->along[2] ? z : 1);
}

static bool is_closed(const scree_world *world) {
    const scree_period *cell = world->scene.cell;
    return cell->along[0] && cell->along[1] &&
           (cell->along[2] || world->def.planar);
}

/* grad v: rates along the diagonal, and d v_x / d y. */
typedef struct gradient {
    scree_vec3 rate;
    double shear;
} gradient;

static double ratio_of(double a, double b) {
    return b > 0 ? a / b : 0;
}

static gradient gradient_of(const scree_period *cell) {
    const scree_vec3 *e = cell->edge, *s = cell->speed;
    const double x = ratio_of(s[0].x, e[0].x);
    return (gradient){
        vec(x, ratio_of(s[1].y, e[1].y), ratio_of(s[2].z, e[2].z)),
        ratio_of(s[1].x - x * e[1].x, e[1].y)};
}

static scree_vec3 flow_at(const gradient *g, scree_vec3 from_low) {
    return vec(g->rate.x * from_low.x + g->shear * from_low.y,
               g->rate.y * from_low.y, g->rate.z * from_low.z);
}

static scree_vec3 place_of(const scree_world *world, int32_t i) {
    return sub(world->state.bodies.x[i].x, world->state.cell.low);
}

/* ---- what bodies that fly bring ------------------------------------------------- */

/* Sums over the bodies of all ranks: mass, how many, m w, m w (x) w. */
enum { MASS, COUNT, FLOW, FLIGHT = FLOW + 3, SUMS = FLIGHT + 9 };

static void add_body(const scree_world *world, int32_t i, const gradient *g,
                     scree_sum *sums) {
    const scree_twist *u = &world->state.bodies.u[i];
    const double m = 1 / u->inv_m;
    const scree_vec3 w = sub(u->v, flow_at(g, place_of(world, i)));
    scree_sum_add(world, &sums[MASS], m);
    scree_sum_add(world, &sums[COUNT], 1);
    for (int a = 0; a < 3; ++a) {
        scree_sum_add(world, &sums[FLOW + a], m * part_of(w, a));
        for (int b = 0; b < 3; ++b)
            scree_sum_add(world, &sums[FLIGHT + 3 * a + b],
                          m * part_of(w, a) * part_of(w, b));
    }
}

/* Collective. */
static void sum_bodies(const scree_world *world, double total[SUMS]) {
    const gradient g = gradient_of(world->scene.cell);
    scree_sum sums[SUMS] = {{0}};
    for (int32_t i = 0; i < world->state.bodies.n; ++i)
        if (scree_world_owns(world, i)) add_body(world, i, &g, sums);
    for (int k = 0; k < SUMS; ++k) total[k] = scree_sum_total(world, &sums[k]);
    for (int k = 0; k < 9 && total[MASS] > 0; ++k)
        total[FLIGHT + k] -=
            total[FLOW + k / 3] * total[FLOW + k % 3] / total[MASS];
}

static double most_pressure(const scree_cell_def *def) {
    return fmax(def->pressure[0], fmax(def->pressure[1], def->pressure[2]));
}

/* What the pressure on the cross-section of a grain does to it. */
static double pull_of(const scree_world *world, double mass, double count) {
    const double d = 2 * scree_world_mean_radius(world);
    const double section = world->def.planar ? d : d * d;
    return mass > 0
               ? most_pressure(&world->state.cell.def) * section * count / mass
               : 0;
}

double scree_world_load_scale(const scree_world *world) {
    const double g = norm(scree_world_weight(world));
    return scree_world_holds(world) ? fmax(g, world->state.cell.pull) : g;
}

static scree_status refuse_partners(scree_world *world) {
    if (scree_world_obeys_poisson(world))
        return scree_fail(&world->error, SCREE_BAD_ARGUMENT,
                          "a cell that holds a pressure does not go with "
                          "Poisson's impact law: take 'impact: newton'");
    if (scree_world_attracts(world))
        return scree_fail(&world->error, SCREE_BAD_ARGUMENT,
                          "a cell that holds a pressure does not go with "
                          "cohesion and bonds");
    if (world->forces.n_kinematic > 0)
        return scree_fail(&world->error, SCREE_BAD_ARGUMENT,
                          "a cell that holds a pressure does not go with "
                          "kinematic bodies");
    if (world->joints.n > 0)
        return scree_fail(&world->error, SCREE_BAD_ARGUMENT,
                          "a cell that holds a pressure does not go with "
                          "joints");
    return SCREE_OK;
}

scree_status scree_stress_begin(scree_world *world) {
    scree_cell_state *cell = &world->state.cell;
    double total[SUMS];
    if (!scree_world_holds(world)) return SCREE_OK;
    TRY(scree_world_agree(world, refuse_partners(world)));
    sum_bodies(world, total);
    cell->mass = total[MASS];
    cell->flight = vec(total[FLIGHT], total[FLIGHT + 4], total[FLIGHT + 8]);
    cell->pull = pull_of(world, total[MASS], total[COUNT]);
    return SCREE_OK;
}

/* ---- around a solve -------------------------------------------------------------- */

/* eta_free of one direction. */
static double free_rate(const scree_world *world, int k, double inv_I) {
    const scree_cell_state *cell = &world->state.cell;
    const double p = cell->def.pressure[k];
    return (part_of(cell->flight, k) - p * volume_of(&cell->now)) * inv_I *
           world->step.dt;
}

/* So that images above move as the shear rate says, with edges as they are now. */
static double free_shear(const scree_cell_state *cell) {
    const gradient g = gradient_of(&cell->now);
    return cell->def.shear_rate != 0 ? cell->def.shear_rate - g.shear : 0;
}

static void set_frame(scree_world *world, bool again) {
    const scree_cell_state *cell = &world->state.cell;
    scree_strain *f = &world->state.problem.strain;
    double free[3] = {0};
    f->on = true;
    for (int k = 0; k < 3; ++k) {
        const double l = part_of(cell->now.edge[k], k);
        const bool moves = cell->def.pressure[k] > 0 && cell->mass > 0;
        f->inv_I[k] = moves ? 1 / (cell->mass * l * l) : 0;
        if (!again) free[k] = free_rate(world, k, f->inv_I[k]);
    }
    f->free = vec_from(free);
    f->free_shear = again ? 0 : free_shear(cell);
}

static void set_branches(scree_world *world) {
    for (int64_t i = 0; i < world->state.contacts.n; ++i) {
        const scree_contact *c = &world->state.contacts.list[i];
        if (c->b >= 0)
            scree_strain_set_branch(&world->state.problem, i,
                                    scree_world_apart(world, c));
    }
}

scree_status scree_stress_enter(scree_world *world, bool again) {
    scree_problem *p = &world->state.problem;
    p->strain.on = false;
    if (!scree_world_holds(world)) return SCREE_OK;
    TRY(scree_world_agree(world, scree_strain_begin(p)));
    set_branches(world);
    set_frame(world, again);
    scree_strain_enter(p);
    return SCREE_OK;
}

/* What the last sweeps, or direct solves, did counts as well. */
static gradient leave_frame(scree_world *world) {
    scree_problem *p = &world->state.problem;
    scree_strain_follow(p);
    const gradient g = {p->strain.eta, p->strain.free_shear};
    scree_strain_leave(p);
    p->strain.on = false;
    return g;
}

static void speed_edges(scree_period *cell, const gradient *by) {
    for (int k = 0; k < 3; ++k)
        cell->speed[k] = add(cell->speed[k], flow_at(by, cell->edge[k]));
}

void scree_stress_leave(scree_world *world) {
    scree_cell_state *cell = &world->state.cell;
    scree_bodies *b = &world->state.bodies;
    if (!world->state.problem.strain.on) return;
    const gradient by = leave_frame(world);
    speed_edges(&cell->now, &by);
    cell->followed = add(cell->followed, by.rate);
    cell->followed_shear += by.shear;
    for (int32_t i = 0; i < b->n; ++i)
        b->u[i].v = add(b->u[i].v, flow_at(&by, place_of(world, i)));
}

scree_vec3 scree_stress_stretch(scree_world *world, double dt) {
    scree_cell_state *cell = &world->state.cell;
    if (!world->state.problem.strain.on) return vec(0, 0, 0);
    const gradient by = leave_frame(world);
    double rate[3];
    vec_to(by.rate, rate);
    for (int k = 0; k < 3; ++k) cell->length[k] *= 1 + dt * rate[k];
    cell->offset *= 1 + dt * rate[0];
    scree_world_place_cell(world);
    return by.rate;
}

/* ---- from where to where ---------------------------------------------------------- */

void scree_stress_mark(scree_world *world) {
    scree_cell_state *cell = &world->state.cell;
    if (!scree_world_holds(world)) return;
    for (int k = 0; k < 3; ++k) cell->speed_b[k] = cell->now.speed[k];
    cell->followed = vec(0, 0, 0);
    cell->followed_shear = 0;
}

void scree_stress_go_back(scree_world *world) {
    scree_cell_state *cell = &world->state.cell;
    if (!scree_world_holds(world)) return;
    for (int k = 0; k < 3; ++k) {
        cell->speed_last[k] = cell->now.speed[k];
        cell->now.speed[k] = cell->speed_b[k];
    }
}

scree_vec3 scree_stress_mean_chi(const scree_world *world,
                                 const scree_contact *c) {
    const scree_vec3 chi = scree_world_chi(world, c);
    if (!scree_world_holds(world) || c->b < 0) return chi;
    const scree_vec3 before =
        scree_image_sum(world->state.cell.speed_b, scree_world_image(world, c));
    return scale(0.5, sub(chi, before));
}

scree_vec3 scree_stress_last_chi(const scree_world *world,
                                 const scree_contact *c) {
    if (!scree_world_holds(world) || c->b < 0) return scree_world_chi(world, c);
    return scale(-1.0, scree_image_sum(world->state.cell.speed_last,
                                       scree_world_image(world, c)));
}

double scree_stress_gift(const scree_world *world, int32_t i) {
    const scree_cell_state *cell = &world->state.cell;
    const gradient by = {cell->followed, cell->followed_shear};
    const scree_vec3 dv = flow_at(&by, place_of(world, i));
    return dot(scree_world_mean_velocity(world, i).v, dv) /
           world->state.bodies.u[i].inv_m;
}

/* ---- reading ------------------------------------------------------------------------ */

/* Sums of P (x) l over the contacts of all ranks [N m s]. */
static void sum_contacts(const scree_world *world, double total[9]) {
    scree_sum sums[9] = {{0}};
    for (int64_t i = 0; i < world->state.contacts.n; ++i) {
        const scree_contact *c = &world->state.contacts.list[i];
        if (c->b < 0) continue;
        const scree_vec3 l = scree_world_apart(world, c);
        for (int k = 0; k < 9; ++k)
            scree_sum_add(world, &sums[k],
                          part_of(c->P, k / 3) * part_of(l, k % 3));
    }
    for (int k = 0; k < 9; ++k) total[k] = scree_sum_total(world, &sums[k]);
}

void scree_world_read_stress(const scree_world *world, double stress[3][3]) {
    double bodies[SUMS], contacts[9];
    for (int k = 0; k < 9; ++k) stress[k / 3][k % 3] = 0;
    if (!world->scene.cell || !is_closed(world)) return;
    sum_bodies(world, bodies);
    sum_contacts(world, contacts);
    const double v = volume_of(world->scene.cell), dt = world->state.dt;
    for (int k = 0; k < 9; ++k)
        stress[k / 3][k % 3] = (bodies[FLIGHT + k] + contacts[k] / dt) / v;
}
