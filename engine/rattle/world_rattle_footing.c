/* world_rattle_footing.c: where the general contacts of stage 1 were at q_n.
 *
 * RATTLE pushes half of a step along the directions at q_n and half along those at
 * q_{n+1}: order 2, for as long as both are those of one contact. Of spheres they follow
 * from the positions. A contact of other bodies that is found at the iterate was at q_n
 * where the contact of the same name was found there: the same corner, or the lowest
 * point of a rim, which is another point of the body by then (a thin disc that rolls on
 * its rim loses energy of first order in the step if it is not).
 *
 * The name alone does not say that. A footing is taken only from a contact that was
 * closed at q_n and moved by little; all others, hits above all, keep the directions of
 * the iterate at both ends. */
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
    return scree_reserve(&c->footings, &c->footings_capacity, c->arms_capacity,
                         sizeof *c->footings);
}

/* Closed at q_n, where the bodies are now, and neither opening nor hit? */
static bool is_closed(const scree_world *world, const scree_contact *c) {
    const double closed = CLOSED_GAP * world->scene.r_min;
    const scree_velocity a = begin_velocity(world, c->a);
    const scree_velocity b =
        begin_velocity(world, scree_world_second(world, c));
    const scree_vec3 gamma =
        add(scree_world_relative(world, c, a, b), scree_world_chi(world, c));
    return c->g <= closed && fabs(dot(c->n, gamma)) * world->state.dt <= closed;
}

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
        c->footings[arms] = own_footing(world, &c->list[i]);
        if (!is_closed(world, &c->list[i])) continue;
        standing->list[standing->n] = c->list[i];
        standing->arms[standing->n++] = c->arms[arms];
    }
    return SCREE_OK;
}

/* Is contact c the one that was there? */
static bool is_same(const scree_world *world, const scree_contact *c,
                    const scree_contact *was, const scree_arms *arms) {
    const double way =
        norm(sub(world->state.contacts.arms[c->arms].a, arms->a));
    return was->key == c->key &&
           way <= MOST_WAY * world->state.bodies.x[c->a].r &&
           dot(was->n, c->n) >= LEAST_COSINE;
}

/* `at`: the first of its pair or of a later one in the list. */
static scree_footing footing_of(const scree_world *world,
                                const scree_contact *c,
                                const scree_standing *standing, int64_t at) {
    for (; at < standing->n && standing->list[at].pair == c->pair; ++at) {
        const scree_contact *was = &standing->list[at];
        if (is_same(world, c, was, &standing->arms[at]))
            return (scree_footing){was->n, was->g, standing->arms[at], true};
    }
    return own_footing(world, c);
}

/* Both lists are in the order of pairs, unless the pairs are others now. */
scree_status scree_rattle_set_footings(scree_world *world,
                                       const scree_standing *standing) {
    scree_contacts *contacts = &world->state.contacts;
    int64_t at =
        standing->rebuilds == world->accounts.cost.rebuilds ? 0 : standing->n;
    TRY(make_room(contacts));
    for (int64_t i = 0; i < contacts->n; ++i) {
        const scree_contact *c = &contacts->list[i];
        while (at < standing->n && standing->list[at].pair < c->pair) ++at;
        if (c->arms >= 0)
            contacts->footings[c->arms] = footing_of(world, c, standing, at);
    }
    return SCREE_OK;
}
