#include "engine/measure/load.h"

#include <stdlib.h>

#include "engine/step/contact_rows.h"

scree_status scree_load_begin(scree_load_walk *walk, const scree_world *world) {
    *walk = (scree_load_walk){.world = world};
    walk->seen = calloc((size_t)world->state.broad.n_pair / 8 + 1, 1);
    return walk->seen ? SCREE_OK : SCREE_OUT_OF_MEMORY;
}

void scree_load_end(scree_load_walk *walk) {
    free(walk->seen);
}

/* Marks the pair; was it not marked? */
static bool mark_pair(scree_load_walk *walk, int32_t pair) {
    if (!walk->seen) return false;
    uint8_t *byte = &walk->seen[pair / 8];
    const uint8_t bit = (uint8_t)(1u << pair % 8);
    const bool fresh = !(*byte & bit);
    *byte |= bit;
    return fresh;
}

static void find_arms(const scree_world *world, const scree_contact *c,
                      scree_load *load) {
    if (c->arms >= 0) {
        const scree_arms *arms = scree_world_arms(world, c);
        load->arm_a = arms->a, load->arm_b = arms->b;
    } else {
        load->arm_a = scale(-c->arm_a, c->n);
        load->arm_b = scale(c->arm_b, c->n);
    }
}

/* The same contact, seen from the other body. */
static void swap_bodies(scree_load *load) {
    const scree_load as = *load;
    load->a = as.b, load->b = as.a;
    load->at_a = as.at_b, load->at_b = as.at_a;
    load->arm_a = as.arm_b, load->arm_b = as.arm_a;
    load->n = scale(-1, as.n), load->P = scale(-1, as.P);
}

/* What friction bears of contacts that attract is no share of the normal force. */
static double friction_of(const scree_world *world, const scree_contact *c) {
    const scree_contact_law *law = scree_world_law(world, c);
    return scree_law_attracts(law) ? 0 : law->friction;
}

static void describe_load(const scree_world *world, const scree_contact *c,
                          scree_load *load) {
    const int64_t *id = world->state.bodies.id;
    *load = (scree_load){.a = id[c->a],
                         .b = c->b >= 0 ? id[c->b] : c->b,
                         .at_a = c->a,
                         .at_b = c->b,
                         .n = c->n,
                         .P = c->P,
                         .friction = friction_of(world, c)};
    find_arms(world, c, load);
    if (load->b > load->a) swap_bodies(load);
    load->P_n = dot(load->n, load->P);
    load->P_t = norm(add_scaled(load->P, -load->P_n, load->n));
}

bool scree_load_next(scree_load_walk *walk, scree_load *load) {
    const scree_contacts *all = &walk->world->state.contacts;
    while (walk->next < all->n) {
        const scree_contact *c = &all->list[walk->next++];
        if (!scree_bears_load(c->P)) continue;
        describe_load(walk->world, c, load);
        load->first = mark_pair(walk, c->pair);
        return true;
    }
    return false;
}
