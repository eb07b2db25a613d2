/* assemble.c: contacts to inclusion problem. Its solution is in solve.c. */
#include <string.h>

#include "contact/shapes/sphere.h"
#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/domain/domain.h"
#include "engine/forces/forces.h"
#include "engine/joints/joints.h"
#include "engine/laws/cohesion.h"
#include "engine/step/step.h"
#include "engine/step/stress.h"
#include "engine/step/timer.h"
#include "engine/steppers/extrapolation.h"
#include "solvers/problem/colours.h"
#include "solvers/problem/kernel.h"
#include "solvers/ranks/ordered.h"

/* Contacts are entered in three passes, in threads: which ones act; their places
 * (solvers/problem/colours.h); their rows. */
enum { ACTS = 1, HITS = 2 };

typedef struct assembly {
    scree_world *world;
    scree_law_rule rule;
    const void *context;
    scree_start start;
    uint8_t *part; /* (contacts) ACTS, HITS */
    bool *struck;  /* (bodies + 1) those that are hit; NULL: not known yet */
    atomic_bool hits;
} assembly;

static double length_of(const scree_world *world, const scree_contact *c) {
    const scree_ball *x = world->state.bodies.x;
    return c->b >= 0 ? fmin(x[c->a].r, x[c->b].r) : x[c->a].r;
}

/* Does the gap close on the way to the next midpoint? Spheres that fly past each
 * other do not close it, whatever the normal says. But those that come within twice
 * the dead zone do: in a bed at rest contacts creep over the edge of the zone and
 * back, and one that comes back a little aslant would fly past by a hair, and be left
 * out of the step with all that it bears. */
static bool closes_by(const scree_world *world, const scree_contact *c,
                      scree_vec3 gamma, scree_vec3 dv) {
    const double dt = world->step.reach,
                 zone = SCREE_DEAD_ZONE * length_of(world, c);
    if (c->g - zone + dt * dot(c->n, gamma) > 0) return false;
    if (c->arms >= 0 || c->b < 0 || c->g <= zone) return true;
    const scree_ball *x = &world->state.bodies.x[c->a],
                     *y = &world->state.bodies.x[c->b];
    return scree_touch_on_way(scree_world_apart(world, c), scale(dt, dv),
                              x->r + y->r + 2 * zone) <= 1;
}

/* The same with the velocities that were solved for last. */
static bool closed_last(const scree_world *world, const scree_contact *c,
                        scree_vec3 chi) {
    const scree_velocity still = {vec(0, 0, 0), vec(0, 0, 0)};
    const scree_velocity a = world->state.bodies.u_b[c->a];
    const bool moves = c->b >= 0 || scree_world_is_driven(world, c);
    const scree_velocity b =
        moves ? world->state.bodies.u_b[scree_world_second(world, c)] : still;
    return closes_by(world, c, add(scree_world_relative(world, c, a, b), chi),
                     add(sub(a.v, b.v), chi));
}

/* Of points of the bodies, before the step. */
static double turning_speed(const scree_world *world, const scree_contact *c) {
    const scree_bodies *b = &world->state.bodies;
    const double a = b->x[c->a].r * norm(b->u[c->a].w);
    return c->b >= 0 ? a + b->x[c->b].r * norm(b->u[c->b].w) : a;
}

static bool is_struck(const assembly *a, const scree_contact *c) {
    return a->struck && (a->struck[c->a] || (c->b >= 0 && a->struck[c->b]));
}

/* How a contact enters the step: its velocity before it, and the law's word. */
typedef struct entrance {
    scree_vec3 chi, gamma_b;
    double gamma_n;
    scree_law_entry entry;
} entrance;

/* In turn velocities have got what gravity adds in the step. It is no part of what
 * a wall reflects: in the first solve restitution is that of gamma_B too. */
static double fall_onto(const scree_world *world, const scree_contact *c) {
    if (!world->step.in_turn) return 0;
    if (!world->state.bodies.push && !scree_contact_is_driven(world, c))
        return c->b >= 0 ? 0 : world->step.dt * dot(c->n, world->state.gravity);
    const double dt = world->step.dt;
    const scree_vec3 a = scree_world_kick_of(world, c->a, dt).v;
    if (c->b < 0) return dot(c->n, a);
    return dot(c->n, sub(a, scree_world_kick_of(world, c->b, dt).v));
}

/* In rounds it is not known any more what bore load before the step. */
static double band_of(const assembly *a, const scree_contact *c) {
    const bool first =
        a->start == SCREE_START_WARM || a->start == SCREE_START_COLD;
    if (!a->world->adaptive || a->world->def.order == 1 || !first ||
        !scree_bears_load(c->P))
        return 0;
    return SCREE_BAND * a->world->scene.r_min;
}

/* In large steps of moreau-adaptive restitution may fade. */
static double restitution_now(const scree_world *world, double e) {
    const double power = world->step.fading;
    return power > 0 ? scree_faded_restitution(e, power, 1) : e;
}

static entrance enter_contact(const assembly *a, const scree_contact *c) {
    const scree_world *world = a->world;
    const scree_contact_law *law = scree_world_law(world, c);
    const int32_t b = scree_world_second(world, c);
    const scree_twist *u = world->state.bodies.u;
    entrance e = {.chi = scree_world_chi(world, c)};
    e.gamma_b =
        add(scree_world_relative(world, c, scree_twist_velocity(&u[c->a]),
                                 scree_twist_velocity(&u[b])),
            e.chi);
    e.gamma_n = dot(c->n, e.gamma_b);
    const bool closes =
        closes_by(world, c, e.gamma_b, add(sub(u[c->a].v, u[b].v), e.chi)) ||
        (a->start == SCREE_START_AGAIN &&
         closed_last(world, c, scree_stress_last_chi(world, c)));
    const scree_law_state state = {
        .g = scree_world_gap_of(world, c),
        .bonded = scree_world_is_bonded(world, c),
        .pull = scree_world_pull_speed(world, c, law),
        .gamma_n = e.gamma_n - fall_onto(world, c),
        .e_n = restitution_now(world, law->e_n),
        .e_t = restitution_now(world, law->e_t),
        .length = length_of(world, c),
        .band = band_of(a, c),
        .closes = closes,
        .ahead = scree_world_is_ahead(world, c),
        .spin = turning_speed(world, c),
        .poisson = law->impact == SCREE_IMPACT_POISSON,
        .struck = law->e_n > 0 && is_struck(a, c)};
    e.entry = a->rule(a->context, &state);
    return e;
}

/* The guess is net of attraction, which acts beside the row: 0 where that does not close
 * the gap. What acts after others is new, but for what holds bonds. */
static void start_row(const assembly *a, int64_t i, const entrance *e,
                      scree_row *row) {
    const scree_world *world = a->world;
    const scree_contact *c = &world->state.contacts.list[i];
    const bool known =
        a->start == SCREE_START_WARM || a->start == SCREE_START_AGAIN;
    const scree_vec3 P = known ? c->P : vec(0, 0, 0);
    const scree_vec3 M = known ? scree_world_moment(world, c) : vec(0, 0, 0);
    const bool pulls =
        world->step.pulls && a->start != SCREE_START_COLD &&
        !scree_world_stays_open(world, c, e->gamma_n + e->entry.c_n);
    if (pulls)
        scree_row_start(row, add_scaled(P, world->state.pulls[i], c->n), M);
    else if (known)
        scree_row_start(row, P, M);
}

/* Row of contact i, which acts. */
static scree_row make_row(const assembly *a, int64_t i) {
    const scree_world *world = a->world;
    const scree_contact *c = &world->state.contacts.list[i];
    const entrance e = enter_contact(a, c);
    const scree_vec3 gamma_t = add_scaled(e.gamma_b, -e.gamma_n, c->n);
    scree_row row = scree_world_row(world, c);
    row.c =
        add_scaled(add_scaled(e.chi, e.entry.c_n, c->n), e.entry.e_t, gamma_t);
    start_row(a, i, &e, &row);
    return row;
}

typedef struct hit_search {
    assembly a;
    double depth;
    atomic_bool found;
} hit_search;

static void hit_chunk(void *context, int64_t first, int64_t last) {
    hit_search *s = context;
    const scree_world *world = s->a.world;
    if (atomic_load_explicit(&s->found, memory_order_relaxed)) return;
    for (int64_t i = first; i < last; ++i) {
        const scree_contact *c = &world->state.contacts.list[i];
        const entrance e = enter_contact(&s->a, c);
        if (!e.entry.hit || c->g + world->step.reach * e.gamma_n >= -s->depth)
            continue;
        atomic_store_explicit(&s->found, true, memory_order_relaxed);
        return;
    }
}

bool scree_world_hits(scree_world *world, const scree_gap_control *control,
                      double depth) {
    hit_search s = {
        .a = {.world = world, .rule = scree_law_enter, .context = control},
        .depth = depth};
    scree_parallel_for(world->state.contacts.n, world->def.threads, hit_chunk,
                       &s);
    return atomic_load(&s.found);
}

static bool resists_slip(const scree_contact_law *law) {
    return law->friction > 0 || law->rolling > 0 || law->drilling > 0 ||
           law->bond.normal > 0;
}

void scree_world_note_penetration(scree_world *world, double g) {
    if (g >= 0) return;
    ++world->accounts.penetrating;
    SCREE_BOOK(world, penetration_sum, -g);
    world->accounts.penetration_max = fmax(world->accounts.penetration_max, -g);
}

/* Against gravity; 0 without it. Along the edges of a cell nothing is higher. */
static scree_vec3 up_direction(const scree_world *world) {
    const scree_period *cell = world->scene.cell;
    scree_vec3 g = scree_world_weight(world);
    if (cell)
        g = vec(cell->along[0] ? 0 : g.x, cell->along[1] ? 0 : g.y,
                cell->along[2] ? 0 : g.z);
    const double size = norm(g);
    return size > 0 ? scale(-1 / size, g) : vec(0, 0, 0);
}

static scree_status renew_problem(scree_world *world, int64_t n_contact) {
    scree_problem *p = &world->state.problem;
    TRY(scree_joints_begin(world));
    n_contact += scree_joints_rows(world);
    p->coupling = world->ranks.domain ? &world->ranks.domain->coupling : NULL;
    p->n_body = scree_world_static(world);
    p->u = world->state.bodies.u;
    p->u[p->n_body] = (scree_twist){0};
    p->frictionless = !scree_world_any_law(world, resists_slip);
    p->planar = world->def.planar;
    p->speed = scree_world_load_scale(world) * world->step.dt;
    /* Coarse corrections know bodies by their masses: of driven walls they know none. */
    p->x = world->scene.n_driven ? NULL : world->state.bodies.x;
    p->id = world->state.bodies.id;
    p->axis = up_direction(world);
    p->threads = world->def.threads;
    TRY(scree_world_update_inertia(world));
    return scree_problem_clear(p, n_contact,
                               scree_world_has_tensors(world) ? n_contact : 0);
}

scree_status scree_world_pose(scree_world *world, int64_t n_contact) {
    world->accounts.penetrating = 0;
    world->accounts.penetration_sum = world->accounts.penetration_max = 0;
    if (world->accounts.books)
        world->accounts.books->penetration_sum = (scree_exact_sum){0};
    return renew_problem(world, n_contact);
}

/* How many contacts each body has here, for those that other ranks have too. */
static scree_status count_degrees(scree_world *world) {
    const size_t n = (size_t)scree_world_static(world) + 1;
    const size_t mark = scree_arena_mark(&world->scratch);
    int32_t *degree = scree_arena_push(&world->scratch, n * sizeof *degree);
    if (!degree) return SCREE_OUT_OF_MEMORY;
    memset(degree, 0, n * sizeof *degree);
    for (int64_t i = 0; i < world->state.contacts.n; ++i) {
        const scree_contact *c = &world->state.contacts.list[i];
        ++degree[c->a];
        ++degree[scree_world_second(world, c)];
    }
    const scree_status status = scree_coupling_prepare(
        world->state.problem.coupling, scree_world_static(world), degree);
    scree_arena_pop(&world->scratch, mark);
    return status;
}

void scree_world_split(scree_world *world) {
    scree_problem *p = &world->state.problem;
    if (p->coupling && !p->coupling->ordered)
        scree_coupling_split(p->coupling, world->state.bodies.u,
                             p->inv_I ? world->state.inv_I : NULL);
}

/* Edges that a is from the image of b, to the nearest number. */
static int edges_apart(double apart, double edge) {
    return edge > 0 ? (int)nearbyint(apart / edge) : 0;
}

/* In a small cell two bodies may be several pairs, through their images. Their numbers
 * follow from what a sees, not from how either is wrapped. */
static int32_t first_number(const scree_world *world, const scree_contact *c) {
    const scree_period *cell = world->scene.cell;
    if (!cell || c->b < 0) return 0;
    const scree_vec3 d = scree_world_apart(world, c);
    return SCREE_TOUCHES *
           (int32_t)scree_image_of(edges_apart(d.x, cell->edge[0].x),
                                   edges_apart(d.y, cell->edge[1].y),
                                   edges_apart(d.z, cell->edge[2].z));
}

/* Contacts of a pair follow each other. */
static scree_status place_in_order(scree_world *world) {
    const int64_t n = world->state.contacts.n, *id = world->state.bodies.id;
    const int64_t all = n + scree_joints_rows(world);
    const size_t mark = scree_arena_mark(&world->scratch);
    scree_item *items =
        scree_arena_push(&world->scratch, (size_t)all * sizeof *items);
    if (!items) return SCREE_OUT_OF_MEMORY;
    for (int64_t i = 0; i < n; ++i) {
        const scree_contact *c = &world->state.contacts.list[i];
        const bool again = i > 0 && c[-1].pair == c->pair;
        items[i] = (scree_item){.a = c->a,
                                .b = scree_world_second(world, c),
                                .number = again ? items[i - 1].number + 1
                                                : first_number(world, c),
                                .general = scree_world_is_general(world, c),
                                .id_a = id[c->a],
                                .id_b = c->b >= 0 ? id[c->b] : c->b};
    }
    scree_joints_items(world, items + n);
    const scree_status status = scree_problem_place_ordered(
        &world->state.problem, items, all, &world->scratch);
    scree_arena_pop(&world->scratch, mark);
    return status;
}

typedef struct spotting {
    const scree_world *world;
    scree_spot *spots;
    bool tensors; /* else no contact is general */
} spotting;

static void spot_chunk(void *context, int64_t first, int64_t last) {
    const spotting *s = context;
    for (int64_t i = first; i < last; ++i) {
        const scree_contact *c = &s->world->state.contacts.list[i];
        s->spots[i] = (scree_spot){
            .a = c->a,
            .b = scree_world_second(s->world, c),
            .general = s->tensors && scree_world_is_general(s->world, c)};
    }
}

/* Rows of joints follow those of contacts, and keep their colours as well. */
static scree_status place_with_joints(scree_world *world, scree_spot *spots) {
    const size_t n = (size_t)world->state.contacts.n;
    const int64_t all = (int64_t)n + scree_joints_rows(world);
    uint8_t *own = world->state.contacts.colours;
    uint8_t *colours = scree_arena_push(&world->scratch, (size_t)all);
    if (!colours) return SCREE_OUT_OF_MEMORY;
    if (n) memcpy(colours, own, n);
    scree_joints_spots(world, spots + n);
    scree_joints_colours(world, colours + n, false);
    TRY(scree_problem_place_all(&world->state.problem, spots, colours, all,
                                &world->scratch));
    if (n) memcpy(own, colours, n);
    scree_joints_colours(world, colours + n, true);
    return SCREE_OK;
}

/* Contacts that were there before keep their colours. */
static scree_status place_by_colour(scree_world *world) {
    const int64_t n = world->state.contacts.n;
    const int64_t all = n + scree_joints_rows(world);
    const size_t mark = scree_arena_mark(&world->scratch);
    spotting s = {.world = world, .tensors = scree_world_has_tensors(world)};
    s.spots = scree_arena_push(&world->scratch, (size_t)all * sizeof *s.spots);
    if (!s.spots) return SCREE_OUT_OF_MEMORY;
    scree_parallel_for(n, world->def.threads, spot_chunk, &s);
    const scree_status status =
        all > n ? place_with_joints(world, s.spots)
                : scree_problem_place_all(&world->state.problem, s.spots,
                                          world->state.contacts.colours, n,
                                          &world->scratch);
    scree_arena_pop(&world->scratch, mark);
    return status;
}

scree_status scree_world_place_contacts(scree_world *world) {
    scree_problem *p = &world->state.problem;
    scree_cost *cost = &world->accounts.cost;
    const bool ordered = world->def.reproducible;
    if (p->coupling) TRY(count_degrees(world));
    if (!ordered && (world->scene.solver->traits & SCREE_TRAIT_SPLITS))
        scree_world_split(world);
    const double start = scree_clock();
    TRY(ordered ? place_in_order(world) : place_by_colour(world));
    cost->colour_seconds += scree_clock() - start;
    cost->chosen += p->n_chosen;
    return SCREE_OK;
}

scree_status scree_world_place_again(scree_world *world) {
    TRY(renew_problem(world, world->state.contacts.n));
    return scree_world_place_contacts(world);
}

/* What has acted in this step stays among its contacts. */
static bool stays_loaded(const assembly *a, int64_t i) {
    return a->start >= SCREE_START_AGAIN &&
           scree_bears_load(a->world->state.contacts.list[i].P);
}

static void select_contact(assembly *a, int64_t i) {
    const scree_law_entry entry =
        enter_contact(a, &a->world->state.contacts.list[i]).entry;
    const bool acts = entry.acts || stays_loaded(a, i);
    a->part[i] = (uint8_t)((acts ? ACTS : 0) | (entry.hit ? HITS : 0));
    if (entry.hit) atomic_store_explicit(&a->hits, true, memory_order_relaxed);
}

static void select_chunk(void *context, int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) select_contact(context, i);
}

/* Contacts at bodies that are hit, now that these are known. */
static void select_struck(void *context, int64_t first, int64_t last) {
    assembly *a = context;
    for (int64_t i = first; i < last; ++i)
        if (is_struck(a, &a->world->state.contacts.list[i]))
            select_contact(a, i);
}

/* Marks the bodies that are hit, on all ranks. */
static scree_status mark_struck(assembly *a) {
    scree_world *world = a->world;
    const size_t n = (size_t)scree_world_static(world) + 1;
    bool *struck = scree_arena_push(&world->scratch, n);
    if (!struck) return SCREE_OUT_OF_MEMORY;
    memset(struck, 0, n);
    for (int64_t i = 0; i < world->state.contacts.n; ++i) {
        const scree_contact *c = &world->state.contacts.list[i];
        if (!(a->part[i] & HITS)) continue;
        struck[c->a] = true;
        if (c->b >= 0) struck[c->b] = true;
    }
    a->struck = struck;
    return scree_world_share_flags(world, struck);
}

static void fill_chunk(void *context, int64_t first, int64_t last) {
    const assembly *a = context;
    for (int64_t i = first; i < last; ++i) {
        const scree_row row = make_row(a, i);
        scree_problem_fill(&a->world->state.problem, i, &row);
    }
}

/* Keeps contact i at place `to` if it acts. In a bed at rest nearly all do, and
 * stay where they are. */
static void keep_contact(scree_world *world, int64_t i, bool acts,
                         int64_t *to) {
    const scree_contact *c = &world->state.contacts.list[i];
    if (!scree_world_is_ahead(world, c))
        scree_world_note_penetration(world, c->g);
    if (!acts) return;
    if (*to < i) scree_contacts_move(&world->state.contacts, i, *to);
    ++*to;
}

/* Contacts per body, of bodies that are hit, from which on they are a crowd: two that
 * meet have half a contact each, those of a row one. */
static const double CROWD = 1.25;

static bool is_crowd(const assembly *a) {
    const scree_world *world = a->world;
    double contacts = 0, bodies = 0;
    for (int64_t i = 0; i < world->state.contacts.n; ++i)
        contacts +=
            (a->part[i] & ACTS) && is_struck(a, &world->state.contacts.list[i]);
    for (int32_t i = 0; i < world->state.bodies.n; ++i)
        bodies += a->struck[i] && scree_world_owns(world, i);
    return scree_world_total(world, contacts) >=
           CROWD * scree_world_total(world, bodies);
}

static scree_status enter_contacts(assembly *a) {
    scree_world *world = a->world;
    const int threads = world->def.threads;
    scree_parallel_for(world->state.contacts.n, threads, select_chunk, a);
    world->step.struck = scree_world_any(world, atomic_load(&a->hits));
    if (world->step.struck) {
        TRY(mark_struck(a));
        scree_parallel_for(world->state.contacts.n, threads, select_struck, a);
        world->step.crowded = is_crowd(a);
    }
    int64_t acting = 0;
    for (int64_t i = 0; i < world->state.contacts.n; ++i)
        keep_contact(world, i, a->part[i] & ACTS, &acting);
    world->step.dropped =
        scree_world_any(world, acting < world->state.contacts.n);
    world->state.contacts.n = acting;
    const bool after = a->start == SCREE_START_AFTER;
    TRY(scree_world_find_pulls(world, after));
    TRY(scree_world_place_contacts(world));
    scree_parallel_for(acting, threads, fill_chunk, a);
    scree_joints_fill(world, after ? SCREE_STAGE_AFTER : SCREE_STAGE_MOREAU,
                      a->start == SCREE_START_WARM ||
                          a->start == SCREE_START_AGAIN);
    return SCREE_OK;
}

scree_status scree_world_enter(scree_world *world, scree_law_rule rule,
                               const void *context, scree_start begin) {
    const double start = scree_clock();
    const size_t mark = scree_arena_mark(&world->scratch);
    assembly a = {
        .world = world, .rule = rule, .context = context, .start = begin};
    TRY(scree_world_pose(world, world->state.contacts.n));
    a.part = scree_arena_push(&world->scratch, (size_t)world->state.contacts.n);
    if (!a.part) return SCREE_OUT_OF_MEMORY;
    TRY(enter_contacts(&a));
    scree_arena_pop(&world->scratch, mark);
    scree_phase_charge(&world->accounts.cost, SCREE_PHASE_ASSEMBLE, start);
    return SCREE_OK;
}

scree_status scree_world_assemble(void *self, scree_law_rule rule,
                                  const void *context) {
    scree_world *world = self;
    world->step.in_turn = world->step.crowded = false;
    scree_world_find_pushes(world, world->step.dt, SCREE_PUSH_WHOLE);
    scree_world_make_bonds(world);
    return scree_world_enter(world, rule, context,
                             world->def.solver.warm_start ? SCREE_START_WARM
                                                          : SCREE_START_COLD);
}
