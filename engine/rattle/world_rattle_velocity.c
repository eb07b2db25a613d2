/* world_rattle_velocity.c: stage 2 of RATTLE for many bodies: one linear inclusion
 * in the total percussion of the step; with midslip, contacts whose slip the step
 * resolves are tied (solvers/problem/problem.h), anisotropic ones with the axes that they
 * have half way. Hits with restitution are balanced (engine/steppers/hits.h), which
 * takes further passes where a body is hit more than once, or rubs. */
#include <string.h>

#include "engine/forces/forces.h"
#include "engine/joints/joints.h"
#include "engine/rattle/world_rattle.h"
#include "engine/step/work.h"
#include "engine/steppers/hits.h"
#include "solvers/law/ellipse.h"

/* Passes for the balance of hits at most, beside the first. */
enum { MOST_PASSES = 3 };

/* P1 with its normal and tangential parts turned from n_n to the normal of now. */
static scree_vec3 turned_with(scree_vec3 P, scree_vec3 n_begin, scree_vec3 n) {
    const double P_n = dot(n_begin, P);
    const scree_vec3 P_t = tangent_part(P, n_begin), t = tangent_part(P_t, n);
    const double size = norm(t);
    const double stretch = size > 0 ? norm(P_t) / size : 0;
    return add_scaled(scale(stretch, t), P_n, n);
}

/* The row with the axes of friction half way over the step. */
static scree_row row_at_half(const scree_world *world, const scree_contact *c,
                             const scree_row *row) {
    scree_row half = *row;
    if (!scree_row_is_oval(row)) return half;
    scree_world_set_axes(world, c, true, &half);
    const double side = dot(half.across, row->across) < 0 ? -1 : 1;
    const scree_vec3 sum = add_scaled(row->across, side, half.across);
    half.ratio = row->ratio;
    half.across = scale(1.0 / norm(sum), sum);
    return half;
}

/* d of a tied row whose slip goes along v: friction is -mu P_N d. */
static scree_vec3 tie_against(const scree_row *row, scree_vec3 v) {
    if (!scree_row_is_oval(row)) return scale(1.0 / norm(v), v);
    const scree_vec3 s = scree_row_stretch(row, v);
    return scale(1.0 / norm(s), scree_row_stretch(row, s));
}

/* What stage 1 leaves of gaps, and roundings do: what a step tells from none. */
static double deepest_gap(const scree_world *world) {
    return fmax(scree_rattle_tolerance(world), SCREE_CLOSED) *
           world->scene.r_min;
}

/* Was the contact open where the step began? */
static bool was_open(const scree_world *world, const scree_contact *n) {
    return n->g > deepest_gap(world);
}

/* Does the step resolve the slip of this contact (engine/steppers/rattle.c has
 * the conditions)? Writes the direction of its friction. P1 is that of stage 1 at
 * q_{n+1}. With drilling, friction is not a matter of slip alone. */
static bool resolves_slip(const scree_world *world, const scree_contact *c,
                          const scree_contact *n, scree_vec3 P1,
                          const scree_row *row, double rho_t,
                          scree_vec3 *direction) {
    const scree_contact_law *law = scree_world_law(world, c);
    const bool oval = scree_row_is_oval(row);
    const double P_n = dot(c->n, P1);
    scree_vec3 P_t = tangent_part(P1, c->n);
    if (oval) P_t = scree_row_shrink(row, P_t);
    if (law->e_t > 0 || law->friction == 0 || P_n <= 0) return false;
    if (law->drilling > 0) return false;
    if (was_open(world, n)) return false;
    if (norm(P_t) < law->friction * P_n * (1 - 1e-6)) return false;

    const scree_vec3 chi = scree_world_chi(world, c);
    const scree_vec3 chi_begin = chi_at_begin(world, n);
    const scree_vec3 at_begin = tangent_part(gamma_at_begin(world, n), n->n);
    const scree_vec3 half_begin =
        tangent_part(add(relative_now(world, n), chi_begin), n->n);
    const scree_vec3 half_end =
        tangent_part(add(relative_now(world, c), chi), c->n);
    const scree_vec3 mean = scale(0.5, add(half_begin, half_end));
    const double speed = norm(oval ? scree_row_stretch(row, mean) : mean);
    if (!(dot(at_begin, mean) > 0) || norm(P_t) > rho_t * speed) return false;
    const scree_row half = row_at_half(world, c, row);
    *direction = tie_against(&half, tangent_part(mean, c->n));
    return true;
}

/* Bodies that a contact reached in this step: no slip of theirs is resolved. */
static void mark_hit_bodies(const scree_world *world, bool *hit) {
    for (int32_t i = 0; i <= world->state.bodies.n; ++i) hit[i] = false;
    for (int64_t i = 0; i < world->state.contacts.n; ++i) {
        const scree_contact *c = &world->state.contacts.list[i];
        const scree_contact n = contact_at_begin(world, c);
        if (!was_open(world, &n)) continue;
        hit[c->a] = true;
        if (c->b >= 0) hit[c->b] = true;
    }
}

typedef struct second_stage {
    scree_world *world;
    double dt;
    scree_vec3 *P0; /* (contacts) percussions of stage 1 as they acted at q_n */
    scree_vec3 *M0; /* (contacts) moments of those */
    scree_vec3 *P1; /* (contacts) the same turned to q_{n+1} */
    scree_vec3 *start; /* (contacts) guess of the total percussion */
    scree_vec3 *back;  /* (contacts) gamma_{n+1} that restitution asks for */
    bool *struck;      /* (contacts) hits that are balanced */
    scree_hit *hits;   /* (contacts) velocities of those with restitution */
    bool *hit;         /* (bodies + 1) */
    bool *free_row;    /* (contacts) tied once, then found to turn round */
    bool *tied;        /* (contacts) */
    double *made;  /* (contacts) given to its bodies, if any is `pressed` [J] */
    scree_vec3 *d; /* (contacts) direction of those */
    int pass;      /* of the balance of hits */
    bool pressed;  /* harder than the step resolves */
} second_stage;

/* Closed as far as stage 1 tells gaps from none, and approaching by more than that? */
static bool is_met(const scree_world *world, const scree_contact *c,
                   double dt) {
    const double deepest = deepest_gap(world);
    if (c->g > deepest) return false;
    const scree_vec3 gamma =
        add(relative_now(world, c), scree_world_chi(world, c));
    return dot(c->n, gamma) * dt < -deepest;
}

static bool is_active(const second_stage *s, const scree_contact *c) {
    const scree_world *world = s->world;
    const scree_contact n = contact_at_begin(world, c);
    return dot(n.n, c->P) > 0 || c->g <= SCREE_CLOSED * world->scene.r_min ||
           is_met(world, c, s->dt);
}

/* Keeps the active contacts, and their P1 turned to the directions of now. */
static void keep_active(second_stage *s) {
    scree_world *world = s->world;
    int64_t n = 0;
    for (int64_t i = 0; i < world->state.contacts.n; ++i) {
        const scree_contact c = world->state.contacts.list[i];
        if (!is_active(s, &c)) continue;
        const scree_vec3 n_begin = contact_at_begin(world, &c).n;
        s->P0[n] = c.P;
        s->M0[n] = scree_world_moment(world, &c);
        s->P1[n] = turned_with(c.P, n_begin, c.n);
        scree_world_keep_moment(world, &c, turned_with(s->M0[n], n_begin, c.n));
        /* the total is about twice the first */
        s->start[n] = scale(2.0, s->P1[n]);
        s->free_row[n] = false;
        scree_contacts_move(&world->state.contacts, i, n++);
    }
    world->state.contacts.n = n;
}

/* ---- restitution --------------------------------------------------------------- */

/* u_n of body i as free rotation alone leads it through the step: bodies that are not
 * round change their spin by themselves. u_{n+1/2} is in the bodies. */
static scree_velocity free_velocity(const second_stage *s, int32_t i) {
    const scree_world *world = s->world;
    const scree_bodies *b = &world->state.bodies;
    scree_velocity u = begin_velocity(world, i);
    if (i >= b->n || b->form[i] < 0 || scree_is_kinematic(&b->u[i])) return u;
    const scree_vec3 turn =
        scree_world_gyroscopic(world, i, b->q[i], b->u[i].w);
    u.w = add_scaled(pose_at_begin(world, i)->w_free, 0.5 * s->dt, turn);
    if (b->push) u.w = sub(u.w, b->push[i].first.w);
    return u;
}

static scree_hit normal_velocities(const second_stage *s,
                                   const scree_contact *c,
                                   const scree_contact *n) {
    const scree_world *world = s->world;
    const scree_vec3 chi = chi_at_begin(world, n);
    const scree_vec3 drift = sub(scree_world_chi(world, c), chi);
    const scree_velocity a = free_velocity(s, c->a);
    const scree_velocity b = free_velocity(s, scree_world_second(world, c));
    const scree_vec3 begin = scree_world_relative(world, n, a, b);
    const scree_vec3 end = scree_world_relative(world, c, a, b);
    return (scree_hit){
        .begin = {dot(n->n, add(chi, begin)), dot(c->n, add(chi, end))},
        .half = {dot(n->n, add(chi, relative_now(world, n))),
                 dot(c->n, add(chi, relative_now(world, c)))},
        .drift = {dot(n->n, drift), dot(c->n, drift)}};
}

/* Is the contact a hit that is to be balanced: open at first, or closed and not at
 * rest? */
static bool is_hit(const second_stage *s, const scree_contact *n,
                   double gamma_n) {
    const scree_world *world = s->world;
    return world->def.hits == SCREE_HITS_BALANCED &&
           (was_open(world, n) || fabs(gamma_n) * s->dt > deepest_gap(world));
}

/* Tangential velocity that a hit with e_T closes with: the one whose energy stage 1
 * took and left. Arms differ where the gap does, and 1 / G_T with them. */
static double closing_slip(const scree_world *world, const scree_contact *c,
                           const scree_contact *n) {
    const scree_vec3 chi = chi_at_begin(world, n);
    const scree_row row = scree_world_row(world, c);
    const scree_row row_n = scree_world_row(world, n);
    const double ratio = scree_problem_rho_t(&world->state.problem, &row_n) /
                         scree_problem_rho_t(&world->state.problem, &row);
    const double begin = norm(tangent_part(gamma_at_begin(world, n), n->n));
    const double half =
        norm(tangent_part(add(chi, relative_now(world, n)), n->n));
    const double left =
        norm(tangent_part(add(chi, relative_now(world, c)), c->n));
    return sqrt(fmax(0, left * left + ratio * (begin * begin - half * half)));
}

/* -e_N gamma_N n - e_T gamma_T of contact i, with u_{n+1/2} in the bodies. */
static scree_vec3 turned_back(second_stage *s, int64_t i) {
    const scree_world *world = s->world;
    const scree_contact *c = &world->state.contacts.list[i];
    const scree_contact_law *law = scree_world_law(world, c);
    const scree_contact n = contact_at_begin(world, c);
    const scree_vec3 begin = gamma_at_begin(world, &n);
    scree_vec3 slip = tangent_part(begin, c->n);
    double back = -law->e_n * dot(n.n, begin);
    s->struck[i] = is_hit(s, &n, dot(n.n, begin));
    if (s->struck[i] && law->e_n > 0) {
        s->hits[i] = normal_velocities(s, c, &n);
        back = scree_hit_first(&s->hits[i], law->e_n);
    }
    const double speed = norm(slip);
    if (s->struck[i] && law->e_t > 0 && speed > 0)
        slip = scale(closing_slip(world, c, &n) / speed, slip);
    return add_scaled(scale(-law->e_t, slip), back, c->n);
}

/* Before bodies are split over ranks: 1 / G_T is that of whole bodies. */
static void find_restitution(second_stage *s) {
    for (int64_t i = 0; i < s->world->state.contacts.n; ++i)
        s->back[i] = turned_back(s, i);
}

/* What the next pass asks of hit i, with u_{n+1} in the bodies. */
static double next_back(const second_stage *s, int64_t i,
                        const scree_row *row) {
    const scree_world *world = s->world;
    const scree_contact *c = &world->state.contacts.list[i];
    const scree_contact n = contact_at_begin(world, c);
    const scree_vec3 chi = scree_world_chi(world, c);
    const double end[2] = {dot(n.n, add(chi, relative_now(world, &n))),
                           dot(c->n, add(chi, relative_now(world, c)))};
    const double share = fmin(1, dot(c->n, s->P1[i]) / row->P_n);
    return scree_hit_next(&s->hits[i], scree_world_law(world, c)->e_n, share,
                          end);
}

/* Sets what turns hits back by what the last pass made of them. Must they be solved
 * again? */
static bool balance_again(second_stage *s) {
    const scree_world *world = s->world;
    const double enough = scree_rattle_tolerance(world);
    bool any = false;
    for (int64_t i = 0; i < world->state.contacts.n; ++i) {
        const scree_contact *c = &world->state.contacts.list[i];
        const scree_row row = scree_problem_row(&world->state.problem, i);
        s->start[i] = add_scaled(row.P_t, row.P_n, row.n);
        if (!s->struck[i] || row.P_n <= 0 ||
            scree_world_law(world, c)->e_n == 0)
            continue;
        const double more = next_back(s, i, &row) - dot(c->n, s->back[i]);
        s->back[i] = add_scaled(s->back[i], more, c->n);
        any |= fabs(more) > enough * fabs(s->hits[i].begin[0]);
    }
    return scree_world_any(world, any && s->pass < MOST_PASSES);
}

/* ---- rows ------------------------------------------------------------------------- */

static scree_row velocity_row(const second_stage *s, int64_t i) {
    const scree_world *world = s->world;
    const scree_contact *c = &world->state.contacts.list[i];
    scree_row row = scree_world_row(world, c);
    row.c = sub(scree_world_chi(world, c), s->back[i]);
    scree_row_start(&row, s->start[i],
                    scale(2.0, scree_world_moment(world, c)));
    return row;
}

/* A tied row: P_T = -mu P_N d. Slip is no matter to it: d takes the place of the
 * tangential part of c too, as what is of the order of 1 whatever the wall does. */
static void tie_row(scree_row *row, scree_vec3 d) {
    row->c = add_scaled(d, dot(row->n, row->c), row->n);
    row->P_t = scale(-row->mu * row->P_n, d);
    row->tie = tangent_part(row->c, row->n);
    row->laws |= SCREE_TIED;
}

/* Before bodies are split over ranks: rho_t is that of whole bodies. */
static void choose_ties(second_stage *s) {
    scree_world *world = s->world;
    const bool midslip = world->def.friction == SCREE_FRICTION_MIDSLIP;
    for (int64_t i = 0; i < world->state.contacts.n; ++i) {
        const scree_contact *c = &world->state.contacts.list[i];
        const bool calm = !s->hit[c->a] && (c->b < 0 || !s->hit[c->b]);
        s->tied[i] = false;
        if (!midslip || !calm || s->free_row[i]) continue;
        const scree_contact n = contact_at_begin(world, c);
        const scree_row row = velocity_row(s, i);
        s->tied[i] = resolves_slip(
            world, c, &n, s->P1[i], &row,
            scree_problem_rho_t(&world->state.problem, &row), &s->d[i]);
    }
}

static scree_status pose_velocities(second_stage *s) {
    scree_world *world = s->world;
    world->state.problem.ties = world->def.friction == SCREE_FRICTION_MIDSLIP;
    TRY(scree_world_pose(world, world->state.contacts.n));
    if (s->pass == 0) find_restitution(s);
    choose_ties(s);
    TRY(scree_world_place_contacts(world));
    for (int64_t i = 0; i < world->state.contacts.n; ++i) {
        const scree_contact *c = &world->state.contacts.list[i];
        scree_row row = velocity_row(s, i);
        if (s->tied[i]) tie_row(&row, s->d[i]);
        scree_world_note_penetration(world, c->g);
        scree_problem_fill(&world->state.problem, i, &row);
    }
    scree_joints_fill(world, SCREE_STAGE_VELOCITY, true);
    return SCREE_OK;
}

static void take_off(scree_problem *p, int64_t i, const void *context) {
    const second_stage *s = context;
    if (i >= s->world->state.contacts.n) {
        scree_joints_take_off(p, s->world, i);
        return;
    }
    const scree_contact *c = &s->world->state.contacts.list[i];
    scree_problem_push(p, i, scale(-1.0, s->P1[i]));
    scree_problem_turn(p, i, scale(-1.0, scree_world_moment(s->world, c)));
}

/* u_{n+1/2} + dt/2 M^-1 h - M^-1 W (P1, M1), before the solve. */
static void take_off_first_stage(second_stage *s) {
    scree_world *world = s->world;
    scree_bodies *b = &world->state.bodies;
    const scree_vec3 g = world->state.gravity;
    for (int32_t i = 0; i < b->n; ++i) {
        scree_twist *u = &b->u[i];
        if (scree_is_kinematic(u)) continue;
        u->v = add_scaled(u->v, 0.5 * s->dt, g);
        u->w = add_scaled(u->w, 0.5 * s->dt,
                          scree_world_gyroscopic(world, i, b->q[i], u->w));
        if (!b->push) continue;
        u->v = add(u->v, b->push[i].second.v);
        u->w = add(u->w, b->push[i].second.w);
    }
    scree_problem_push_each(&world->state.problem, take_off, s);
}

/* Contacts whose slip ended or turned round were not resolved after all. */
static bool untie_reversed(second_stage *s) {
    const scree_problem *p = &s->world->state.problem;
    bool any = false;
    for (int64_t i = 0; i < p->n_contact; ++i) {
        const scree_row row = scree_problem_row(p, i);
        if (!scree_row_is_tied(&row)) continue;
        const scree_contact *c = &s->world->state.contacts.list[i];
        const scree_vec3 gamma =
            add(relative_now(s->world, c), scree_world_chi(s->world, c));
        if (dot(gamma, row.tie) > 0) continue;
        s->free_row[i] = any = true;
    }
    return scree_world_any(s->world, any);
}

/* ---- books ------------------------------------------------------------------------ */

/* A share of a percussion, the velocities that it acts against, and where. */
typedef struct share {
    const scree_contact *at;
    scree_vec3 P, M, chi;
    scree_velocity a, b;
} share;

static scree_taken taken_by(const scree_world *world, const share *p) {
    const int32_t b = p->at->b;
    const scree_vec3 spin =
        b < 0 ? world->scene.walls[-1 - b].spin : vec(0, 0, 0);
    return scree_work_of(&(scree_push_work){
        .n = p->at->n,
        .P = p->P,
        .M = p->M,
        .gamma = add(p->chi, scree_world_relative(world, p->at, p->a, p->b)),
        .omega = sub(sub(p->a.w, p->b.w), spin)});
}

static void book_share(scree_world *world, const share *p) {
    const scree_taken taken = taken_by(world, p);
    scree_world_book_taken(world, &taken);
    scree_world_book_wall(world, p->at, p->P, p->M, p->chi);
}

static scree_velocity mean_velocity(const scree_world *world, int32_t i) {
    const scree_velocity x = begin_velocity(world, i);
    const scree_velocity y = scree_twist_velocity(&world->state.bodies.u[i]);
    return (scree_velocity){scale(0.5, add(x.v, y.v)),
                            scale(0.5, add(x.w, y.w))};
}

/* What the two parts of a percussion do on the way from u_n to u_{n+1}: so hits are
 * booked (hits.h). */
static void book_parts(const second_stage *s, int64_t i, share *first,
                       share *second) {
    const scree_world *world = s->world;
    const scree_contact *c = second->at;
    first->P = s->P0[i], first->M = s->M0[i];
    second->P = sub(second->P, s->P1[i]);
    second->M = sub(second->M, scree_world_moment(world, c));
    first->a = second->a = mean_velocity(world, c->a);
    first->b = second->b = mean_velocity(world, scree_world_second(world, c));
}

/* Else the total percussion takes the mean of what it does at both ends: nothing where
 * a contact stays closed and sticks, however it turns on the way. */
static void book_ends(const scree_world *world, share *first, share *second) {
    const scree_contact *n = first->at, *c = second->at;
    const int32_t b = scree_world_second(world, c);
    second->P = scale(0.5, second->P), second->M = scale(0.5, second->M);
    first->P = turned_with(second->P, c->n, n->n);
    first->M = turned_with(second->M, c->n, n->n);
    first->a = begin_velocity(world, c->a);
    first->b = begin_velocity(world, b);
    second->a = scree_twist_velocity(&world->state.bodies.u[c->a]);
    second->b = scree_twist_velocity(&world->state.bodies.u[b]);
}

/* What the contact gives to its bodies [J]. */
static double made_by(const second_stage *s, int64_t i, share first,
                      share second) {
    book_parts(s, i, &first, &second);
    const scree_taken a = taken_by(s->world, &first);
    const scree_taken b = taken_by(s->world, &second);
    return -(a.normal + a.friction + a.turning) -
           (b.normal + b.friction + b.turning);
}

static void book_contact(second_stage *s, int64_t i, const scree_row *row) {
    scree_world *world = s->world;
    const scree_contact *c = &world->state.contacts.list[i];
    const scree_contact n = contact_at_begin(world, c);
    share first = {.at = &n, .chi = chi_at_begin(world, &n)};
    share second = {.at = c,
                    .chi = scree_world_chi(world, c),
                    .P = add_scaled(row->P_t, row->P_n, row->n),
                    .M = row->M};
    if (s->pressed) s->made[i] = made_by(s, i, first, second);
    if (s->struck[i])
        book_parts(s, i, &first, &second);
    else
        book_ends(world, &first, &second);
    book_share(world, &first);
    book_share(world, &second);
}

static scree_status keep_total(second_stage *s) {
    scree_world *world = s->world;
    for (int64_t i = 0; i < world->state.contacts.n; ++i) {
        const scree_row row = scree_problem_row(&world->state.problem, i);
        scree_contact *c = &world->state.contacts.list[i];
        book_contact(s, i, &row);
        c->P = add_scaled(row.P_t, row.P_n, row.n);
        scree_world_keep_moment(world, c, row.M);
    }
    scree_joints_keep(world, false);
    scree_joints_book_stages(world);
    scree_joints_settle(world, 0);
    return scree_world_load_walls(world);
}

/* Velocities of joints are to be as exact as their positions. */
static double stage_tolerance(const scree_world *world) {
    const double tolerance = scree_rattle_tolerance(world);
    return world->joints.n > 0 ? fmin(tolerance, 1e-9) : tolerance;
}

/* Solves stage 2, again if ties must be loosened or hits balanced. */
static scree_status solve_velocities(second_stage *s) {
    scree_world *world = s->world;
    scree_bodies *b = &world->state.bodies;
    const size_t bytes = (size_t)b->n * sizeof *b->u;
    scree_twist *half = scree_arena_push(&world->scratch, bytes);
    if (!half) return SCREE_OUT_OF_MEMORY;
    memcpy(half, b->u, bytes);
    do {
        memcpy(b->u, half, bytes);
        TRY(pose_velocities(s));
        take_off_first_stage(s);
        TRY(scree_world_run_solver(world, stage_tolerance(world)));
        ++s->pass;
    } while (untie_reversed(s) || balance_again(s));
    return SCREE_OK;
}

scree_status scree_world_velocity_stage(void *self, double dt) {
    scree_world *world = self;
    scree_arena *scratch = &world->scratch;
    const size_t mark = scree_arena_mark(scratch);
    /* For all contacts there is room for: the same from step to step. */
    const size_t n = (size_t)world->state.contacts.capacity;
    second_stage s = {
        .world = world,
        .dt = dt,
        .P0 = scree_arena_push(scratch, n * sizeof *s.P0),
        .M0 = scree_arena_push(scratch, n * sizeof *s.M0),
        .P1 = scree_arena_push(scratch, n * sizeof *s.P1),
        .start = scree_arena_push(scratch, n * sizeof *s.start),
        .back = scree_arena_push(scratch, n * sizeof *s.back),
        .hits = scree_arena_push(scratch, n * sizeof *s.hits),
        .struck = scree_arena_push(scratch, n),
        .hit = scree_arena_push(scratch, (size_t)world->state.bodies.n + 1),
        .free_row = scree_arena_push(scratch, n),
        .tied = scree_arena_push(scratch, n),
        .made = scree_arena_push(scratch, n * sizeof *s.made),
        .d = scree_arena_push(scratch, n * sizeof *s.d)};
    if (!s.P0 || !s.M0 || !s.P1 || !s.start || !s.back || !s.hits ||
        !s.struck || !s.hit || !s.free_row || !s.tied || !s.made || !s.d)
        return SCREE_OUT_OF_MEMORY;
    scree_world_find_pushes(world, 0.5 * dt, SCREE_PUSH_SECOND);
    keep_active(&s);
    scree_joints_turn(world);
    mark_hit_bodies(world, s.hit);
    TRY(scree_world_share_flags(world, s.hit));
    TRY(solve_velocities(&s));
    s.pressed = scree_rattle_any_pressed(world, dt);
    TRY(keep_total(&s));
    scree_world_book_pushes(world);
    scree_world_advance_states(world);
    scree_world_count_contacts(world);
    if (!world->state.report.converged || !world->step.gaps_hold)
        ++world->accounts.cost.unconverged;
    if (s.pressed) TRY(scree_rattle_check_pressed(world, s.made, dt));
    scree_rattle_drop_footings(world);
    scree_arena_pop(scratch, mark);
    return SCREE_OK;
}
