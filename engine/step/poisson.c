/* poisson.c: Poisson's impact law, a hit in two phases of one inclusion each.
 *
 *     compression     0 <= gamma_N  perp  P_C >= 0                friction in D(mu P_C)
 *     decompression   0 <= gamma_N  perp  P_D - e_N P_C >= 0      friction in D(mu P_D)
 *
 * Newton's law asks for a velocity after the hit, and friction may have to pay for it: a rod
 * that strikes with its end can leave with more energy than it came with. Poisson's law gives
 * back a share of the percussion. In a row of balls that touch it sends the hit on as far as
 * percussions go, where Newton's gives each contact its own velocity back.
 *
 * The first solve of a step has e = 0 for contacts of this law. What a contact stored in it,
 * beside what bears weight (the percussion of the last step, or what gravity alone would
 * need on a wall), is given back if that is a hit: faster than restitution_speed.
 *
 * Decompression is the same kind of inclusion, in turn (complete.c). Rows know P >= 0 alone;
 * P_D >= e_N P_C stands in them as gamma_N >= s, s being the velocity that the contact has if
 * all contacts give back what they stored, friction included:
 *     s = max(0, W^T (u + M^-1 W e P_C))_N.
 * Without friction that is the law. Where friction changes its mind in decompression and has
 * arms to the normal, P_D would miss e_N P_C: then s is corrected by (e_N P_C - P_D) G_ii, later
 * by the secant of the contact, and solved again, MOST_PASSES times at most.
 *
 * Tangential, e_T: friction gives back e_N e_T P_T as far as that turns the slip round:
 * gamma_T = s_T along it, from the contact's own G_T (exact for a contact alone).
 *
 * Energy. With P_D = e P_C for all contacts, and one e, both phases together take
 *     (1 - e^2)/2 P_C^T G P_C - (1 + e) gamma_C^T P_C >= 0,
 * with friction and any number of hits. So if the law above should make energy, which friction
 * that turns round can, this is what is done, and what would then approach is held.
 *
 * Cost: nothing but a look at the materials, in steps in which nothing hits anything. */
#include "engine/step/poisson.h"

#include <string.h>

#include "engine/base/parallel.h"
#include "engine/step/timer.h"

enum { MOST_PASSES = 8 };
/* P_D less e_N P_C that counts as met, as a share. */
static const double MET = 1e-5;
/* How far the slope of a contact may be from that of one alone. */
static const double MOST_SLOPE = 4;

static bool is_poisson(const scree_contact_law *law) {
    return law->impact == SCREE_IMPACT_POISSON && law->e_n > 0;
}

bool scree_world_obeys_poisson(const scree_world *world) {
    return scree_world_any_law(world, is_poisson);
}

/* ---- what is given back --------------------------------------------------------- */

/* What the contact bears without a hit. */
static double weight_on(const scree_world *world, const scree_contact *c,
                        const scree_row *row) {
    if (world->step.in_turn) return 0;
    const double fall = world->step.dt * dot(c->n, world->state.gravity);
    const double alone = c->b < 0 ? fmax(0, -fall * row->rho_n) : 0;
    return fmax(alone, dot(c->n, c->P));
}

static double push_of(const scree_world *world, int64_t i) {
    const scree_contact *c = &world->state.contacts.list[i];
    const scree_contact_law *law = scree_world_law(world, c);
    if (!is_poisson(law)) return 0;
    const scree_row row = scree_problem_row(&world->state.problem, i);
    const double stored = row.P_n - weight_on(world, c, &row);
    const double speed = scree_world_restitution_speed(world);
    return stored > speed * row.rho_n ? law->e_n * stored : 0;
}

scree_status scree_world_see_rebound(scree_world *world,
                                     scree_rebound *rebound) {
    const int64_t n = world->state.contacts.n;
    bool any = false;
    rebound->push = NULL;
    if (!world->scene.stepper->poisson) return SCREE_OK;
    if (world->def.gap_control && !world->step.struck) return SCREE_OK;
    if (!scree_world_obeys_poisson(world)) return SCREE_OK;
    const size_t mark = scree_arena_mark(&world->scratch);
    double *push =
        scree_arena_push(&world->scratch, ((size_t)n + 1) * sizeof *push);
    if (!push) return SCREE_OUT_OF_MEMORY;
    for (int64_t i = 0; i < n; ++i) any |= (push[i] = push_of(world, i)) > 0;
    if (scree_world_any(world, any))
        rebound->push = push;
    else
        scree_arena_pop(&world->scratch, mark);
    return SCREE_OK;
}

/* ---- rows of decompression --------------------------------------------------------- */

typedef struct decompression {
    scree_world *world;
    const double *push;
    double *shift;       /* (contacts) s [m/s] */
    scree_vec3 *stored;  /* (contacts) e_N P_C with its friction [N s] */
    scree_vec3 *shift_t; /* (contacts) s_T [m/s] */
    /* Of the last pass: by how much s was corrected, e_N P_C - P_D before that. */
    double *step, *missing; /* (contacts) [m/s], [N s] */
} decompression;

/* A gap that may close until the next midpoint. */
static double gap_speed(const scree_world *world, const scree_contact *c) {
    const double r_a = world->state.bodies.x[c->a].r;
    const double r = c->b >= 0 ? fmin(r_a, world->state.bodies.x[c->b].r) : r_a;
    if (!world->def.gap_control) return 0;
    return fmax(0, c->g - SCREE_DEAD_ZONE * r) / world->step.reach;
}

/* The row of contact i with what it stored as its guess; `held`: with s. */
static scree_row make_row(const decompression *d, int64_t i, bool held) {
    const scree_world *world = d->world;
    const scree_contact *c = &world->state.contacts.list[i];
    scree_row row = scree_world_row(world, c);
    row.c = scree_world_chi(world, c);
    if (held && d->push[i] == 0)
        row.c = add_scaled(row.c, gap_speed(world, c), c->n);
    if (held && d->push[i] > 0)
        row.c = sub(add_scaled(row.c, -d->shift[i], c->n), d->shift_t[i]);
    if (d->push[i] > 0) scree_row_start(&row, d->stored[i], vec(0, 0, 0));
    return row;
}

static scree_status fill_rows(const decompression *d, bool held) {
    scree_world *world = d->world;
    scree_problem *p = &world->state.problem;
    const int64_t n = world->state.contacts.n;
    TRY(scree_world_place_again(world));
    for (int64_t i = 0; i < n; ++i) {
        const scree_row row = make_row(d, i, held);
        scree_problem_fill(p, i, &row);
    }
    return SCREE_OK;
}

/* ---- the velocities to hold ----------------------------------------------------------- */

/* s_T: the slip that is left when friction has given back e_T of what it stored, if that
 * has turned it round. */
static scree_vec3 turned_slip(const scree_world *world, const scree_row *row,
                              const scree_contact *c, scree_vec3 stored,
                              scree_vec3 gamma) {
    const double e_t = scree_world_law(world, c)->e_t;
    const scree_vec3 P =
        scale(e_t, add_scaled(stored, -dot(c->n, stored), c->n));
    const double size = norm(P);
    if (size == 0) return vec(0, 0, 0);
    const scree_vec3 along = scale(1 / size, P);
    const double slip = dot(gamma, along) + size / row->rho_t;
    return scale(fmax(0, slip), along);
}

/* Of the velocities after compression. */
static void see_stored(decompression *d) {
    const scree_world *world = d->world;
    const scree_problem *p = &world->state.problem;
    for (int64_t i = 0; i < world->state.contacts.n; ++i) {
        const scree_contact *c = &world->state.contacts.list[i];
        const scree_row row = scree_problem_row(p, i);
        const scree_vec3 P = add_scaled(row.P_t, row.P_n, row.n);
        const double share = row.P_n > 0 ? d->push[i] / row.P_n : 0;
        const scree_vec3 gamma = sub(scree_problem_xi(p, i), row.c);
        d->stored[i] = scale(share, P);
        d->shift_t[i] = turned_slip(world, &row, c, d->stored[i],
                                    add(gamma, scree_world_chi(world, c)));
    }
}

/* Gives back what is stored, and leaves it: u is that of before, s is what contacts had. */
static scree_status see_shifts(decompression *d) {
    scree_world *world = d->world;
    scree_problem *p = &world->state.problem;
    const size_t n = (size_t)world->state.bodies.n + 1;
    scree_twist *before = scree_arena_push(&world->scratch, n * sizeof *before);
    if (!before) return SCREE_OUT_OF_MEMORY;
    memcpy(before, world->state.bodies.u, n * sizeof *before);
    TRY(fill_rows(d, false));
    TRY(scree_problem_sort(p));
    scree_problem_apply(p);
    for (int64_t i = 0; i < world->state.contacts.n; ++i) {
        const scree_row row = scree_problem_row(p, i);
        d->shift[i] = fmax(0, dot(row.n, scree_problem_xi(p, i)));
    }
    memcpy(world->state.bodies.u, before, n * sizeof *before);
    scree_world_join(world);
    return SCREE_OK;
}

/* d P_D / d s of a contact, its others following: from the last two passes, if that is
 * near what it would be alone. */
static double slope_of(const decompression *d, int64_t i, double rho_n,
                       double missing) {
    const double step = d->step[i], seen = (d->missing[i] - missing) / step;
    const bool sound =
        step != 0 && seen > rho_n / MOST_SLOPE && seen < rho_n * MOST_SLOPE;
    return sound ? seen : rho_n;
}

/* s by what the last pass gave. Must it be solved again? */
static bool correct_shifts(decompression *d) {
    const scree_world *world = d->world;
    bool any = false;
    for (int64_t i = 0; i < world->state.contacts.n; ++i) {
        if (d->push[i] == 0) continue;
        const scree_row row = scree_problem_row(&world->state.problem, i);
        const double missing = d->push[i] - row.P_n, s = d->shift[i];
        any |= fabs(missing) > MET * d->push[i] && !(missing < 0 && s == 0);
        d->shift[i] = fmax(0, s + missing / slope_of(d, i, row.rho_n, missing));
        d->step[i] = d->shift[i] - s;
        d->missing[i] = missing;
    }
    return scree_world_any(d->world, any);
}

/* ---- the second phase ------------------------------------------------------------------ */

/* From the velocities after compression. */
static void go_back(scree_world *world) {
    scree_bodies *b = &world->state.bodies;
    for (int32_t i = 0; i < b->n; ++i)
        b->u[i].v = b->u_b[i].v, b->u[i].w = b->u_b[i].w;
}

static scree_status solve_rows(const decompression *d) {
    scree_world *world = d->world;
    const scree_report before = world->state.report;
    TRY(fill_rows(d, true));
    TRY(scree_world_run_round(world, before.scale, false));
    world->state.report.iterations += before.iterations;
    world->state.report.converged &= before.converged;
    return SCREE_OK;
}

static scree_status solve_passes(decompression *d) {
    for (int pass = 0;; ++pass) {
        TRY(solve_rows(d));
        if (pass == MOST_PASSES || !correct_shifts(d)) return SCREE_OK;
        go_back(d->world);
    }
}

/* P_D = e_N P_C, friction and all. */
static scree_status give_back(decompression *d) {
    scree_world *world = d->world;
    go_back(world);
    TRY(fill_rows(d, false));
    TRY(scree_problem_sort(&world->state.problem));
    scree_problem_apply(&world->state.problem);
    scree_world_spread(world, world->state.bodies.u);
    scree_world_join(world);
    world->step.booked = false;
    scree_world_keep_percussions(world, true);
    return scree_world_begin_turn(world);
}

/* Nothing is given back any more; what approaches is held. */
static scree_status hold_all(decompression *d, double *push) {
    memset(push, 0, (size_t)d->world->state.contacts.n * sizeof *push);
    d->push = push;
    return solve_rows(d);
}

/* Kinetic energy that the step may have: before the hit, and from walls that move. */
static bool has_more(const scree_world *world, double before) {
    const double now = scree_world_kinetic(world, false);
    return now - before > scree_world_given(world) + 1e-3 * now;
}

static scree_status decompress_all(decompression *d, double *push) {
    scree_world *world = d->world;
    const double before =
        scree_world_kinetic(world, true) + scree_world_given(world);
    see_stored(d);
    TRY(scree_world_begin_turn(world));
    TRY(see_shifts(d));
    TRY(solve_passes(d));
    if (!has_more(world, before)) return SCREE_OK;
    TRY(give_back(d));
    if (has_more(world, before)) go_back(world);
    return hold_all(d, push);
}

scree_status scree_world_decompress(scree_world *world,
                                    const scree_rebound *rebound) {
    const size_t n = (size_t)world->state.contacts.n + 1;
    scree_arena *scratch = &world->scratch;
    decompression d = {.world = world, .push = rebound->push};
    if (!rebound->push) return SCREE_OK;
    ++world->accounts.cost.rounds;
    if (!SCREE_PUSH(scratch, d.shift, n) || !SCREE_PUSH(scratch, d.stored, n) ||
        !SCREE_PUSH(scratch, d.shift_t, n) || !SCREE_PUSH(scratch, d.step, n) ||
        !SCREE_PUSH(scratch, d.missing, n))
        return SCREE_OUT_OF_MEMORY;
    memset(d.step, 0, n * sizeof *d.step);
    TRY(decompress_all(&d, rebound->push));
    scree_world_keep_percussions(world, true);
    world->step.decompressed = true;
    return SCREE_OK;
}
