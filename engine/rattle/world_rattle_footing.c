/* world_rattle_footing.c: where the general contacts of stage 1 were at q_n.
 *
 * RATTLE pushes half of a step along the directions at q_n and half along those at
 * q_{n+1}: order 2, for as long as both are those of one contact. Of spheres they follow
 * from the positions. A contact of other bodies that is found at the iterate was at q_n
 * where the contact of the same name was found there: the same corner, or the lowest
 * point of a rim, which is another point of the body by then (a thin disc that rolls on
 * its rim loses energy of first order in the step if it is not).
 *
 * Spheres on planes need no name for that; those on meshes, terrain and segments do: where
 * one rolls over an edge the normal turns. Such contacts, general ones with walls that
 * move, and all after a rebuild of the list of pairs, are looked for under their name with
 * bodies and walls where they were at t_n.
 *
 * The name alone does not say that. A footing is taken only from a contact that was
 * closed at q_n and moved by little; all others, hits above all, keep the directions of
 * the iterate at both ends. */
#include "contact/narrow/touch.h"
#include "engine/base/error.h"
#include "engine/rattle/world_rattle.h"

/* Gap of a contact that is taken for closed, and its change over the step, in the least
 * radius: rounds leave some, by their tolerance of velocities. */
static const double CLOSED_GAP = 1e-3;
/* Most way of a contact over its body, in its radius, and least cosine of the angle that
 * its normal turns by. */
static const double MOST_WAY = 0.2, LEAST_COSINE = 0.998;

static scree_footing own_footing(const scree_world *world,
                                 const scree_contact *c) {
    return (scree_footing){c->n, c->g, world->state.contacts.arms[c->arms],
                           false};
}

static scree_status make_room(scree_contacts *c) {
    TRY(scree_reserve(&c->round_footings, &c->round_footings_capacity,
                      c->capacity, sizeof *c->round_footings));
    return scree_reserve(&c->footings, &c->footings_capacity, c->arms_capacity,
                         sizeof *c->footings);
}

static double closed_gap(const scree_world *world) {
    return CLOSED_GAP * world->scene.r_min;
}

/* Closed at q_n, as contact n has it, and neither opening nor hit? */
static bool is_closed(const scree_world *world, const scree_contact *n) {
    const double closed = closed_gap(world);
    const double gamma_n = dot(n->n, gamma_at_begin(world, n));
    return n->g <= closed && fabs(gamma_n) * world->state.dt <= closed;
}

/* ---- looked for at t_n ------------------------------------------------------------- */

/* The two of a contact, where they were at t_n. */
typedef struct meeting {
    scree_ball x[2]; /* of b the image that is met */
    scree_quat q[2];
    int32_t form[2];
} meeting;

static meeting meeting_at_begin(const scree_world *world,
                                const scree_contact *c) {
    meeting m = {.x = {ball_at_begin(world, c->a)},
                 .q = {pose_at_begin(world, c->a)->q},
                 .form = {world->state.bodies.form[c->a]}};
    if (c->b < 0) return m;
    m.x[1] = ball_at_begin(world, c->b);
    m.x[1].x = add(m.x[1].x, scree_period_shift(world->scene.cell_begin,
                                                scree_world_image(world, c)));
    m.q[1] = pose_at_begin(world, c->b)->q;
    m.form[1] = world->state.bodies.form[c->b];
    return m;
}

/* The touch of the contact's features, if they were close. */
static bool touch_at_begin(const scree_world *world, const scree_contact *c,
                           scree_footing *footing) {
    const meeting m = meeting_at_begin(world, c);
    const bool wall = c->b < 0;
    const scree_scene scene = {
        .n = wall ? 1 : 2,
        .x = m.x,
        .q = m.q,
        .form = m.form,
        .forms = world->scene.forms,
        .general = world->scene.general,
        .n_wall = wall,
        .walls = wall ? &world->scene.walls[-1 - c->b].begin : NULL};
    scree_touch t[SCREE_TOUCHES];
    scree_separation apart = {.gap = 0};
    if (wall && !scene.walls->exists) return false;
    const int n =
        scree_pair_touch(&scene, &(scree_pair){0, wall ? -1 : 1, 0, 0},
                         closed_gap(world), &apart, t);
    int i = 0;
    while (i < n && t[i].key != c->key) ++i;
    if (i == n) return false;
    *footing = (scree_footing){
        t[i].n, t[i].g, {.a = sub(t[i].x, m.x[0].x)}, .is_known = true};
    if (!wall) footing->arms.b = sub(t[i].x, m.x[1].x);
    return true;
}

/* Bodies are at q_n, walls where they are at the end of the step. */
static scree_footing footing_here(const scree_world *world,
                                  const scree_contact *c) {
    scree_footing f = own_footing(world, c);
    if (c->b < 0 && scree_plane_moves(&world->scene.planes[-1 - c->b]))
        touch_at_begin(world, c, &f);
    return f;
}

/* ---- general contacts --------------------------------------------------------------- */

scree_status scree_rattle_stand(scree_world *world, scree_standing *standing) {
    scree_contacts *c = &world->state.contacts;
    const size_t n = (size_t)c->n;
    *standing = (scree_standing){
        .rebuilds = world->accounts.cost.rebuilds,
        .list = scree_arena_push(&world->scratch, n * sizeof *standing->list),
        .arms = scree_arena_push(&world->scratch, n * sizeof *standing->arms)};
    if (!standing->list || !standing->arms) return SCREE_OUT_OF_MEMORY;
    TRY(make_room(c));
    for (int64_t i = 0; i < c->n; ++i) {
        const int32_t arms = c->list[i].arms;
        if (arms < 0) continue;
        c->footings[arms] = footing_here(world, &c->list[i]);
        const scree_contact was = contact_at_begin(world, &c->list[i]);
        if (!is_closed(world, &was)) continue;
        standing->list[standing->n] = was;
        standing->arms[standing->n++] = c->footings[arms].arms;
    }
    return SCREE_OK;
}

/* Did it move by little since? */
static bool is_same(const scree_world *world, const scree_contact *c,
                    scree_vec3 n, const scree_arms *arms) {
    const double way =
        norm(sub(world->state.contacts.arms[c->arms].a, arms->a));
    return way <= MOST_WAY * world->state.bodies.x[c->a].r &&
           dot(n, c->n) >= LEAST_COSINE;
}

/* `at`: the first of its pair or of a later one in the list. */
static scree_footing footing_of(const scree_world *world,
                                const scree_contact *c,
                                const scree_standing *standing, int64_t at) {
    for (; at < standing->n && standing->list[at].pair == c->pair; ++at) {
        const scree_contact *was = &standing->list[at];
        const scree_arms *arms = &standing->arms[at];
        if (was->key == c->key && is_same(world, c, was->n, arms))
            return (scree_footing){was->n, was->g, *arms, true};
    }
    return own_footing(world, c);
}

/* Where the pairs are others than those of the list. */
static void find_footing(scree_world *world, const scree_contact *c) {
    scree_footing *f = &world->state.contacts.footings[c->arms];
    const scree_footing own = own_footing(world, c);
    *f = own;
    if (!touch_at_begin(world, c, f)) return;
    const scree_contact was = contact_at_begin(world, c);
    if (!is_closed(world, &was) || !is_same(world, c, f->n, &f->arms)) *f = own;
}

/* ---- spheres on surfaces -------------------------------------------------------------- */

/* Over edges and corners the normal turns. Hits and bodies that are held back keep the
 * directions of now. */
static bool stays_on_surface(const scree_world *world, const scree_contact *c,
                             scree_footing *footing) {
    if (!scree_rattle_on_surface(world, c) || is_late(world, c->a) ||
        !touch_at_begin(world, c, footing))
        return false;
    scree_contact was = *c;
    was.n = footing->n, was.g = footing->g;
    was.arm_a = -dot(footing->n, footing->arms.a);
    return is_closed(world, &was) && dot(was.n, c->n) >= LEAST_COSINE;
}

static void set_round_footing(scree_world *world, int64_t i) {
    scree_contacts *c = &world->state.contacts;
    if (stays_on_surface(world, &c->list[i], &c->round_footings[i]))
        c->list[i].arms = SCREE_ROUND_FOOTING - (int32_t)i;
}

void scree_rattle_drop_footings(scree_world *world) {
    scree_contacts *c = &world->state.contacts;
    for (int64_t i = 0; i < c->n; ++i)
        if (c->list[i].arms < 0) c->list[i].arms = -1;
}

/* ---- all -------------------------------------------------------------------------------- */

/* Both lists are in the order of pairs, unless the pairs are others now. */
static void set_general_footing(scree_world *world, const scree_contact *c,
                                const scree_standing *standing, int64_t at) {
    scree_footing *f = &world->state.contacts.footings[c->arms];
    if (standing->given_up)
        *f = own_footing(world, c);
    else if (standing->rebuilds == world->accounts.cost.rebuilds)
        *f = footing_of(world, c, standing, at);
    else
        find_footing(world, c);
}

scree_status scree_rattle_set_footings(scree_world *world,
                                       const scree_standing *standing) {
    scree_contacts *contacts = &world->state.contacts;
    int64_t at = 0;
    TRY(make_room(contacts));
    for (int64_t i = 0; i < contacts->n; ++i) {
        const scree_contact *c = &contacts->list[i];
        while (at < standing->n && standing->list[at].pair < c->pair) ++at;
        if (c->arms >= 0)
            set_general_footing(world, c, standing, at);
        else
            set_round_footing(world, i);
    }
    return SCREE_OK;
}
