/* assemble.c: contacts to inclusion problem, solve, and back to percussions. */
#include "engine/base/error.h"
#include "engine/timer.h"
#include "engine/world.h"
#include "solvers/sets.h"

/* ---- contacts to rows ---------------------------------------------------- */

static scree_vec3 contact_point(const scree_world *world,
                                const scree_contact *c) {
    return add_scaled(world->bodies.x[c->a].x, -c->arm_a, c->n);
}

scree_vec3 scree_world_chi(const scree_world *world, const scree_contact *c) {
    if (c->b >= 0) return vec(0, 0, 0);
    const int wall = -1 - c->b;
    return scale(-1.0,
                 scree_wall_velocity(&world->walls[wall], &world->planes[wall],
                                     contact_point(world, c)));
}

const scree_contact_law *scree_world_law(const scree_world *world,
                                         const scree_contact *c) {
    const int a = world->bodies.material[c->a];
    const int b = c->b >= 0 ? world->bodies.material[c->b]
                            : world->walls[-1 - c->b].def.material;
    return &world->laws[a * world->n_material + b];
}

static double length_of(const scree_world *world, const scree_contact *c) {
    const scree_ball *x = world->bodies.x;
    return c->b >= 0 ? fmin(x[c->a].r, x[c->b].r) : x[c->a].r;
}

/* The last percussion, brought into the set that this step allows. */
static void warm_start(const scree_world *world, const scree_contact *c,
                       scree_row *row) {
    const scree_vec3 P = world->broad.pairs[c->pair].P;
    const double P_n = dot(c->n, P);
    row->P_n = prox_half_line(P_n);
    row->P_t = prox_disc(row->mu * row->P_n, add_scaled(P, -P_n, c->n));
}

/* Row of a contact, or false if the contact does not act in this step. */
static bool make_row(const scree_world *world, const scree_contact *c,
                     scree_law_rule rule, const void *context, scree_row *row) {
    const scree_contact_law *law = scree_world_law(world, c);
    const int32_t b = scree_world_second(world, c);
    const scree_twist *u = world->bodies.u;
    const scree_vec3 chi = scree_world_chi(world, c);
    const scree_vec3 gamma_b =
        add(scree_contact_relative(c, scree_twist_velocity(&u[c->a]),
                                   scree_twist_velocity(&u[b])),
            chi);
    const double gamma_n = dot(c->n, gamma_b);
    const scree_law_state state = {.g = c->g,
                                   .gamma_n = gamma_n,
                                   .e_n = law->e_n,
                                   .e_t = law->e_t,
                                   .length = length_of(world, c)};
    const scree_law_entry entry = rule(context, &state);
    if (!entry.acts) return false;

    const scree_vec3 gamma_t = add_scaled(gamma_b, -gamma_n, c->n);
    *row = (scree_row){.a = c->a,
                       .b = b,
                       .n = c->n,
                       .arm_a = c->arm_a,
                       .arm_b = c->arm_b,
                       .mu = law->friction};
    row->c = add_scaled(add_scaled(chi, entry.c_n, c->n), entry.e_t, gamma_t);
    if (world->def.solver.warm_start) warm_start(world, c, row);
    return true;
}

static bool any_friction(const scree_world *world) {
    for (int i = 0; i < world->n_material * world->n_material; ++i)
        if (world->laws[i].friction > 0) return true;
    return false;
}

void scree_world_note_penetration(scree_world *world, double g) {
    if (g >= 0) return;
    ++world->penetrating;
    world->penetration_sum -= g;
    world->penetration_max = fmax(world->penetration_max, -g);
}

scree_status scree_world_pose(scree_world *world, int64_t n_contact) {
    scree_problem *p = &world->problem;
    p->n_body = world->bodies.n;
    p->u = world->bodies.u;
    p->u[p->n_body] = (scree_twist){0};
    p->frictionless = !any_friction(world);
    p->threads = world->def.threads;
    world->penetrating = 0;
    world->penetration_sum = world->penetration_max = 0;
    return scree_problem_clear(p, n_contact);
}

scree_status scree_world_assemble(void *self, scree_law_rule rule,
                                  const void *context) {
    scree_world *world = self;
    const double start = scree_clock();
    scree_contacts *contacts = &world->contacts;
    TRY(scree_world_pose(world, contacts->n));
    int64_t acting = 0;
    for (int64_t i = 0; i < contacts->n; ++i) {
        const scree_contact c = contacts->list[i];
        scree_row row;
        scree_world_note_penetration(world, c.g);
        if (make_row(world, &c, rule, context, &row)) {
            scree_problem_add(&world->problem, &row);
            contacts->list[acting++] = c;
        } else {
            world->broad.pairs[c.pair].P = vec(0, 0, 0);
        }
    }
    contacts->n = acting;
    world->cost.seconds[SCREE_PHASE_ASSEMBLE] += scree_clock() - start;
    return SCREE_OK;
}

/* ---- solve, and percussions to pairs and walls --------------------------- */

static scree_velocity mean_velocity(const scree_world *world, int32_t i) {
    const scree_velocity *b = &world->bodies.u_b[i];
    const scree_twist *e = &world->bodies.u[i];
    return (scree_velocity){scale(0.5, add(b->v, e->v)),
                            scale(0.5, add(b->w, e->w))};
}

/* Work of the contact over the step, laws.h. */
static void book(scree_world *world, const scree_contact *c, scree_vec3 P) {
    const scree_vec3 chi = scree_world_chi(world, c);
    const scree_velocity still = {vec(0, 0, 0), vec(0, 0, 0)};
    const scree_velocity b = c->b >= 0 ? mean_velocity(world, c->b) : still;
    const scree_vec3 gamma =
        add(scree_contact_relative(c, mean_velocity(world, c->a), b), chi);
    world->dissipated -= dot(P, gamma);
    if (c->b >= 0) return;
    world->wall_work -= dot(P, chi);
    scree_wall *wall = &world->walls[-1 - c->b];
    wall->percussion = sub(wall->percussion, P);
}

static void keep_percussions(scree_world *world) {
    for (int w = 0; w < world->n_wall; ++w)
        world->walls[w].percussion = vec(0, 0, 0);
    for (int64_t i = 0; i < world->contacts.n; ++i) {
        const scree_contact *c = &world->contacts.list[i];
        const scree_row row = scree_problem_row(&world->problem, i);
        const scree_vec3 P = add_scaled(row.P_t, row.P_n, row.n);
        world->broad.pairs[c->pair].P = P;
        book(world, c, P);
    }
}

scree_status scree_world_run_solver(scree_world *world, double tolerance) {
    const double start = scree_clock();
    scree_cost *cost = &world->cost;
    scree_solver_options options = world->def.solver;
    options.tolerance = tolerance;
    const scree_status status =
        scree_solver_run(world->solver, &world->problem, &options,
                         &world->scratch, &world->report);
    if (status == SCREE_UNSUPPORTED)
        return scree_fail(&world->error, status,
                          "solver '%s' cannot solve %lld contacts",
                          world->solver->name,
                          (long long)world->problem.n_contact);
    TRY(status);
    const double seconds = scree_clock() - start;
    cost->iterations += world->report.iterations;
    cost->contact_iterations +=
        world->problem.n_contact * world->report.iterations;
    cost->seconds[SCREE_PHASE_SOLVE] += seconds;
    cost->sweep_seconds += seconds;
    return SCREE_OK;
}

scree_status scree_world_solve(void *self) {
    scree_world *world = self;
    TRY(scree_world_run_solver(world, world->def.solver.tolerance));
    world->cost.contacts += world->problem.n_contact;
    if (!world->report.converged) ++world->cost.unconverged;
    const double solved = scree_clock();
    keep_percussions(world);
    world->cost.seconds[SCREE_PHASE_INTEGRATE] += scree_clock() - solved;
    return SCREE_OK;
}
