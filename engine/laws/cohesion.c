#include "engine/laws/cohesion.h"

#include "engine/step/step.h"
#include "engine/step/timer.h"

/* Range of cohesion and bonds, as a share of the smaller radius, if none is given. Balls
 * around long bodies count no more than the largest body's own size, so that the range of
 * all is known on all ranks. */
static const double RANGE = 1e-2;

/* Of materials and pairs as they were given: those that are mixed of materials without
 * attraction have none, and there may be many. */
static bool any_given(const scree_world *world,
                      bool has(const scree_contact_law *)) {
    for (int k = 0; k < world->scene.n_material; ++k)
        if (has(&world->scene.materials[k].law)) return true;
    for (int64_t k = 0; k < world->scene.pair_laws.n_set; ++k)
        if (has(&world->scene.pair_laws.set[k].law)) return true;
    return false;
}

bool scree_world_attracts(const scree_world *world) {
    return any_given(world, scree_law_attracts);
}

/* ---- a pair ---------------------------------------------------------------------- */

static double smaller_radius(const scree_world *world, const scree_contact *c) {
    const scree_ball *x = world->state.bodies.x;
    return c->b >= 0 ? fmin(x[c->a].r, x[c->b].r) : x[c->a].r;
}

static double range_of(const scree_world *world, const scree_contact *c,
                       double given) {
    const double r = fmin(smaller_radius(world, c), world->scene.r_max);
    return given > 0 ? given : RANGE * r;
}

/* r_a r_b / (r_a + r_b); a wall is flat. */
static double reduced_radius(const scree_world *world, const scree_contact *c) {
    const scree_ball *x = world->state.bodies.x;
    if (c->b < 0) return x[c->a].r;
    return x[c->a].r * (x[c->b].r / (x[c->a].r + x[c->b].r));
}

/* F of a pair within its range. */
static double force_between(const scree_world *world, const scree_contact *c,
                            const scree_cohesion *law) {
    const double F = law->force;
    if (law->energy == 0) return F;
    return F + 1.5 * SCREE_PI * law->energy * reduced_radius(world, c);
}

double scree_world_speed_of_pull(const scree_world *world,
                                 const scree_contact *c,
                                 const scree_cohesion *law) {
    const scree_twist *u = world->state.bodies.u;
    const double inv_m = u[c->a].inv_m + u[scree_world_second(world, c)].inv_m;
    return 2 * world->step.dt * inv_m * force_between(world, c, law);
}

/* ---- how far ----------------------------------------------------------------------- */

static double greatest_range(double given, double otherwise, double most) {
    return fmax(most, given > 0 ? given : otherwise);
}

/* Bonds are followed to twice their range. */
static double reach_of_law(const scree_contact_law *law, double otherwise) {
    double most = 0;
    if (law->cohesion.force > 0 || law->cohesion.energy > 0)
        most = greatest_range(law->cohesion.range, otherwise, most);
    if (law->bond.normal > 0)
        most = greatest_range(2 * law->bond.range, 2 * otherwise, most);
    return most;
}

/* Means of two ranges are no more than the larger. */
double scree_world_cohesion_reach(const scree_world *world) {
    const double otherwise = RANGE * world->scene.r_max;
    double most = 0;
    for (int k = 0; k < world->scene.n_material; ++k)
        most =
            fmax(most, reach_of_law(&world->scene.materials[k].law, otherwise));
    for (int64_t k = 0; k < world->scene.pair_laws.n_set; ++k)
        most = fmax(
            most, reach_of_law(&world->scene.pair_laws.set[k].law, otherwise));
    return most;
}

/* ---- bonds --------------------------------------------------------------------------- */

static bool has_bond(const scree_contact_law *law) {
    return law->bond.normal > 0;
}

static scree_contact_state *state_of(const scree_world *world,
                                     const scree_contact *c) {
    return &world->state.contacts.states[c->state];
}

bool scree_world_holds_bond(const scree_world *world, const scree_contact *c) {
    return has_bond(scree_world_law(world, c)) &&
           scree_bond_holds(state_of(world, c)) &&
           !scree_world_is_ahead(world, c);
}

/* Is it the step, of midpoint state.t, in which bonds are made? A time between two steps
 * belongs to the later one. */
static bool makes_now(const scree_world *world, const scree_bond *bond) {
    static const double ROUNDING = 1e-6;
    const double steps = (bond->from - world->state.t) / world->step.dt;
    return steps < 0.5 - ROUNDING && (bond->always || steps >= -0.5 - ROUNDING);
}

static bool is_to_bond(const scree_world *world, const scree_contact *c) {
    const scree_bond *bond = &scree_world_law(world, c)->bond;
    return bond->normal > 0 && c->state >= 0 &&
           !scree_world_is_ahead(world, c) &&
           scree_bond_is_new(state_of(world, c)) &&
           c->g <= range_of(world, c, bond->range) && makes_now(world, bond);
}

/* Contacts of a pair follow each other: [i, end). */
static int64_t end_of_pair(const scree_world *world, int64_t i) {
    const scree_contacts *contacts = &world->state.contacts;
    const int32_t pair = contacts->list[i].pair;
    while (i < contacts->n && contacts->list[i].pair == pair) ++i;
    return i;
}

typedef bool contact_test(const scree_world *world, const scree_contact *c);

static int count_points(const scree_world *world, int64_t first, int64_t end,
                        contact_test *is_one) {
    int n = 0;
    for (int64_t i = first; i < end; ++i)
        n += is_one(world, &world->state.contacts.list[i]);
    return n;
}

static void bond_pair(scree_world *world, int64_t first, int64_t end) {
    const int n = count_points(world, first, end, is_to_bond);
    for (int64_t i = first; n > 0 && i < end; ++i) {
        const scree_contact *c = &world->state.contacts.list[i];
        if (is_to_bond(world, c))
            scree_bond_make(state_of(world, c), 1.0 / n, c->g);
    }
}

void scree_world_make_bonds(scree_world *world) {
    if (!any_given(world, has_bond)) return;
    for (int64_t i = 0, end; i < world->state.contacts.n; i = end) {
        end = end_of_pair(world, i);
        bond_pair(world, i, end);
    }
}

bool scree_world_stays_open(const scree_world *world, const scree_contact *c,
                            double xi_n) {
    const scree_contact_law *law = scree_world_law(world, c);
    return xi_n > scree_world_pull_speed(world, c, law) &&
           !scree_world_is_bonded(world, c);
}

/* ---- percussions ----------------------------------------------------------------------- */

static bool is_drawn(const scree_world *world, const scree_contact *c) {
    const scree_cohesion *law = &scree_world_law(world, c)->cohesion;
    return (law->force > 0 || law->energy > 0) &&
           c->g <= range_of(world, c, law->range) &&
           !scree_world_is_ahead(world, c) && !scree_world_is_bonded(world, c);
}

static double pull_between(const scree_world *world, const scree_contact *c,
                           int points) {
    const scree_contact_law *law = scree_world_law(world, c);
    if (scree_world_is_bonded(world, c))
        return world->step.dt * SCREE_GLUE * law->bond.normal *
               state_of(world, c)->x[SCREE_BOND_SHARE];
    if (points == 0 || !is_drawn(world, c)) return 0;
    return world->step.dt * force_between(world, c, &law->cohesion) / points;
}

static void pull_pair(scree_world *world, int64_t first, int64_t end,
                      bool after) {
    const int points = after ? 0 : count_points(world, first, end, is_drawn);
    for (int64_t i = first; i < end; ++i)
        world->state.pulls[i] =
            pull_between(world, &world->state.contacts.list[i], points);
}

scree_status scree_world_find_pulls(scree_world *world, bool after) {
    const int64_t n = world->state.contacts.n;
    world->step.pulls = scree_world_attracts(world);
    if (!world->step.pulls) return SCREE_OK;
    TRY(scree_reserve_anew(&world->state.pulls, &world->state.pull_capacity, n,
                           sizeof *world->state.pulls));
    for (int64_t i = 0, end; i < n; i = end) {
        end = end_of_pair(world, i);
        pull_pair(world, i, end, after);
    }
    return SCREE_OK;
}

/* Sums of squares over contacts [m^2/s^2]: of velocities, of those of contacts that close,
 * of the net percussions of the last solve, and of attraction. */
typedef struct pull_sizes {
    scree_sum all, closing, kept, pull;
} pull_sizes;

static void add_sizes(const scree_world *world, int64_t i, pull_sizes *s) {
    const scree_problem *p = &world->state.problem;
    const scree_row row = scree_problem_row(p, i);
    const scree_vec3 xi = scree_problem_xi(p, i);
    const scree_vec3 kept =
        scale(1 / row.rho_n, world->state.contacts.list[i].P);
    const double pull = world->state.pulls[i] / row.rho_n;
    scree_sum_add(world, &s->all, dot(xi, xi));
    if (dot(row.n, xi) < 0) scree_sum_add(world, &s->closing, dot(xi, xi));
    scree_sum_add(world, &s->kept, dot(kept, kept));
    scree_sum_add(world, &s->pull, pull * pull);
}

/* The residual is relative to velocities and percussions, and much of them is nothing to
 * solve: attraction, and g / dt of contacts that are within range and do not close. A tenth
 * of the weight is much, however strong the glue. So tolerances shrink with the share. */
static double find_fineness(const scree_world *world) {
    static const double LEAST = 1e-8;
    pull_sizes s = {{0}, {0}, {0}, {0}};
    for (int64_t i = 0; i < world->state.contacts.n; ++i)
        add_sizes(world, i, &s);
    const double all = scree_sum_total(world, &s.all);
    const double closing = scree_sum_total(world, &s.closing);
    const double kept = scree_sum_total(world, &s.kept);
    const double pull = scree_sum_total(world, &s.pull);
    const double size = fmax(closing, kept), seen = fmax(all, pull);
    return size < seen ? fmax(LEAST, sqrt(size / seen)) : 1;
}

static void pull_contact(scree_problem *p, int64_t i, const void *context) {
    const scree_world *world = context;
    const double pull = world->state.pulls[i];
    if (pull > 0)
        scree_problem_push(p, i, scale(-pull, world->state.contacts.list[i].n));
}

void scree_world_pull(scree_world *world) {
    if (!world->step.pulls) return;
    const double start = scree_clock();
    world->step.fineness = find_fineness(world);
    scree_problem_push_each(&world->state.problem, pull_contact, world);
    scree_phase_charge(&world->accounts.cost, SCREE_PHASE_ASSEMBLE, start);
}

void scree_world_refine(const scree_world *world,
                        scree_solver_options *options) {
    if (!world->step.pulls) return;
    options->tolerance *= world->step.fineness;
    options->balance *= world->step.fineness;
}

scree_vec3 scree_world_net_percussion(const scree_world *world, int64_t i,
                                      const scree_row *row) {
    const scree_vec3 P = add_scaled(row->P_t, row->P_n, row->n);
    return world->step.pulls ? add_scaled(P, -world->state.pulls[i], row->n)
                             : P;
}
