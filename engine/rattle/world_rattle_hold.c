/* world_rattle_hold.c: contacts that stay over the rounds of stage 1.
 *
 * A round finds the contacts of its iterate. What bore load in the round before
 * and is no more among them stays, with the gap that the round left it, zero.
 * Rounds would else go back and forth between sets of features of a pair, each of
 * which lets the others overlap.
 *
 * A name alone does not tell a feature that stays: the lowest point of a rim runs
 * round it as the body tilts, under the same name, and a cylinder that nearly stands
 * rocks so from round to round. In late rounds a contact is therefore a point of each
 * body, followed to the new iterate, with its normal and
 *
 *     g = n . (x_a - x_b).
 *
 * What is found under its name, but elsewhere on both bodies, is one more contact.
 * Those that bear no load stay too. So the rounds gather what bounds the pair, until
 * none of their iterates breaks it. */
#include "engine/base/error.h"
#include "engine/rattle/world_rattle.h"

/* Points of a body this near are the same one, in parts of the least radius. */
static const double SAME = 1e-2;

/* ---- points of bodies ---------------------------------------------------------- */

/* A point as seen from body i, and where it is then; a wall (i < 0) does not move
 * over the rounds. */
static scree_vec3 seen_from(const scree_world *world, int32_t i, scree_vec3 x) {
    if (i < 0) return x;
    const scree_quat q = world->state.bodies.q[i];
    const scree_quat back = {q.w, -q.x, -q.y, -q.z};
    return quat_rotate(back, sub(x, world->state.bodies.x[i].x));
}

static scree_vec3 place_of(const scree_world *world, int32_t i, scree_vec3 on) {
    const scree_bodies *b = &world->state.bodies;
    return i >= 0 ? add(b->x[i].x, quat_rotate(b->q[i], on)) : on;
}

/* The points that touch lie half the gap to both sides of where the contact is. */
/* A point at body b itself, as the pair's image of it has it, and back. */
static scree_vec3 shift_to_image(const scree_world *world,
                                 const scree_contact *c) {
    return c->b < 0 ? vec(0, 0, 0)
                    : scree_period_shift(world->scene.cell,
                                         scree_world_image(world, c));
}

static scree_held take_contact(const scree_world *world,
                               const scree_contact *c) {
    scree_held h = {.c = *c,
                    .footing = world->state.contacts.footings[c->arms],
                    .arms = world->state.contacts.arms[c->arms]};
    if (c->state >= 0) h.state = world->state.contacts.states[c->state];
    const scree_vec3 x = scree_world_point(world, c);
    h.a = add_scaled(x, 0.5 * c->g, c->n);
    h.b = add_scaled(x, -0.5 * c->g, c->n);
    h.on_a = seen_from(world, c->a, h.a);
    h.on_b = seen_from(world, c->b, sub(h.b, shift_to_image(world, c)));
    return h;
}

/* To the positions of now. A wall is met by a, wherever that is along it. */
static void follow_held(const scree_world *world, scree_held *h) {
    const scree_ball *x = world->state.bodies.x;
    scree_contact *c = &h->c;
    h->a = place_of(world, c->a, h->on_a);
    h->b = add(place_of(world, c->b, h->on_b), shift_to_image(world, c));
    c->g = dot(c->n, sub(h->a, h->b));
    if (c->b < 0) h->b = add_scaled(h->a, -c->g, c->n);
    const scree_vec3 middle = scale(0.5, add(h->a, h->b));
    h->arms.a = sub(middle, x[c->a].x);
    if (c->b >= 0)
        h->arms.b = sub(sub(middle, shift_to_image(world, c)), x[c->b].x);
}

/* Where a vertex meets a face, it may slide on it. */
static bool is_there(const scree_world *world, const scree_held *h,
                     const scree_contact *c) {
    const scree_held now = take_contact(world, c);
    const double near = SAME * world->scene.r_min;
    return norm(sub(now.a, h->a)) <= near ||
           (c->b >= 0 && norm(sub(now.b, h->b)) <= near);
}

/* ---- what is held, and what is found ------------------------------------------- */

scree_status scree_rattle_hold(scree_world *world, bool late,
                               scree_holding *held) {
    const size_t n = (size_t)world->state.contacts.n;
    *held = (scree_holding){
        .rebuilds = world->accounts.cost.rebuilds,
        .late = late,
        .list = scree_arena_push(&world->scratch, n * sizeof *held->list)};
    if (!held->list) return SCREE_OUT_OF_MEMORY;
    for (size_t i = 0; i < n; ++i) {
        const scree_contact *c = &world->state.contacts.list[i];
        if (c->arms < 0 || (!late && !scree_bears_load(c->P))) continue;
        held->list[held->n++] = take_contact(world, c);
    }
    return SCREE_OK;
}

/* The found contacts of a pair: [first, end). Lists follow the pairs. */
typedef struct stretch {
    int64_t first, end;
} stretch;

static void go_to_pair(const scree_contacts *found, int32_t pair, stretch *s) {
    while (s->first < found->n && found->list[s->first].pair < pair) ++s->first;
    s->end = s->first;
    while (s->end < found->n && found->list[s->end].pair == pair) ++s->end;
}

static scree_contact *find_key(const scree_contacts *found, stretch s,
                               uint32_t key) {
    for (int64_t i = s.first; i < s.end; ++i)
        if (found->list[i].key == key) return &found->list[i];
    return NULL;
}

/* The deepest gap of the pair, 0 if it is apart. A point that is followed with an
 * old normal may seem deeper. */
static double deepest_gap(const scree_contacts *found, stretch s) {
    double least = 0;
    for (int64_t i = s.first; i < s.end; ++i)
        least = fmin(least, found->list[i].g);
    return least;
}

static void pass_on(scree_world *world, const scree_held *h, scree_contact *c) {
    c->P = add(c->P, h->c.P);
    scree_world_keep_moment(
        world, c,
        add(scree_world_moment(world, c), scree_state_moment(&h->state)));
}

/* Found contacts started from what their names bore. That is to be counted once:
 * it goes on with what is held, or is passed on from there. */
static void start_at_rest(scree_world *world, const scree_holding *held) {
    stretch s = {0, 0};
    for (int64_t k = 0; k < held->n; ++k) {
        const scree_contact *c = &held->list[k].c;
        go_to_pair(&world->state.contacts, c->pair, &s);
        scree_contact *same = find_key(&world->state.contacts, s, c->key);
        if (!same) continue;
        same->P = vec(0, 0, 0);
        scree_world_keep_moment(world, same, vec(0, 0, 0));
    }
}

/* Does the late contact stay? Far off and without load it says nothing. */
static bool stays_held(scree_world *world, scree_held *h, scree_contact *same) {
    follow_held(world, h);
    if (same && is_there(world, h, same)) {
        pass_on(world, h, same);
        return false;
    }
    return scree_bears_load(h->c.P) ||
           h->c.g <= SCREE_RATTLE_NEAR * world->scene.r_min;
}

/* Leaves the held contacts that are not found. */
static void forget_found(scree_world *world, scree_holding *held) {
    int64_t left = 0;
    stretch s = {0, 0};
    if (held->late) start_at_rest(world, held);
    for (int64_t k = 0; k < held->n; ++k) {
        scree_held h = held->list[k];
        go_to_pair(&world->state.contacts, h.c.pair, &s);
        scree_contact *same = find_key(&world->state.contacts, s, h.c.key);
        if (held->late ? !stays_held(world, &h, same) : same != NULL) continue;
        h.c.g = held->late ? fmax(h.c.g, deepest_gap(&world->state.contacts, s))
                           : 0;
        held->list[left++] = h;
    }
    held->n = left;
}

/* ---- both in one list ------------------------------------------------------------ */

static scree_status make_room(scree_world *world, int64_t total) {
    scree_contacts *c = &world->state.contacts;
    TRY(scree_contacts_reserve(c, total));
    TRY(scree_reserve(&c->arms, &c->arms_capacity, c->capacity,
                      sizeof *c->arms));
    TRY(scree_reserve(&c->footings, &c->footings_capacity, c->arms_capacity,
                      sizeof *c->footings));
    if (!scree_world_keeps_states(world)) return SCREE_OK;
    return scree_reserve(&c->states, &c->states_capacity, c->capacity,
                         sizeof *c->states);
}

/* Held contact h comes to place `to`; its arms and state to place `of`. */
static void put_held(scree_contacts *c, const scree_held *h, int64_t to,
                     int64_t of) {
    scree_contact *at = &c->list[to];
    *at = h->c;
    c->colours[to] = SCREE_UNCOLOURED; /* found ones may have taken it */
    at->arms = (int32_t)of;
    c->arms[of] = h->arms;
    c->footings[of] = h->footing;
    if (at->state < 0) return;
    at->state = (int32_t)of;
    c->states[of] = h->state;
}

/* From the end of the list. */
scree_status scree_rattle_put_back(scree_world *world, scree_holding *held) {
    scree_contacts *c = &world->state.contacts;
    if (held->rebuilds != world->accounts.cost.rebuilds) return SCREE_OK;
    forget_found(world, held);
    int64_t from = c->n, to = c->n + held->n;
    TRY(make_room(world, to));
    for (int64_t k = held->n - 1; k >= 0; --k) {
        while (from > 0 && c->list[from - 1].pair > held->list[k].c.pair)
            scree_contacts_move(c, --from, --to);
        put_held(c, &held->list[k], --to, c->n + k);
    }
    c->n += held->n;
    return SCREE_OK;
}
