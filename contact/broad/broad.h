/* broad.h: the Verlet list: all pairs that may touch until the next rebuild.
 *
 * Every body has a margin of its own, from its speed when the list is built:
 *
 *     margin_i = (skin + slack) / 2 + fall + ahead_i,
 *     ahead_i = min(LOOKAHEAD w_i, max(LEAST_AHEAD w_i, FARTHEST skin)),
 *     w_i = |v_i| dt,
 *
 * and two bodies are listed if their gap is at most the sum of their margins. A
 * listed scene stays valid as long as every body satisfies
 *
 *     |x_i - x_i(build)| + |v_i| dt + fall + slack / 2 <= margin_i,
 *
 * because what a pair can come nearer in the step is bounded by the left sides. Where
 * images move against their bodies (contact/narrow/period.h), half of what they did and will
 * is added to both.
 * A body that breaks it asks for a rebuild, which also sorts the bodies in
 * memory (contact/broad/grid.h). Fast bodies so pay for themselves alone. Pairs grow
 * with the cube of the margin: bodies that go an eighth of a radius or more in a
 * step look no farther than a mean radius. A bed of 200 000 spheres that falls at
 * a third of a radius a step has 10 pairs per body then instead of 45, and hardly
 * more rebuilds (57 in 100 steps, not 54): it is those that are hit that ask for
 * them. Walls that move are listed for WALL_STEPS steps ahead, and rebuilt after
 * that.
 *
 * Cost: a rebuild is linear in bodies, a check reads each body once. Both go in
 * threads, with the same list in the same order for any number of them. */
#ifndef SCREE_CONTACT_BROAD_H
#define SCREE_CONTACT_BROAD_H

#include "contact/broad/grid.h"
#include "contact/broad/images.h"
#include "contact/narrow/contact.h"

/* What the narrow phase remembers of a pair without touches: a direction that
 * separated it (0: none), and how far apart it was, less what both bodies had
 * moved since the list was built [m]. Until they have moved that far from there,
 * it need not look again. */
typedef struct scree_apart {
    float x, y, z;
    float safe; /* 0: unknown */
} scree_apart;

typedef struct scree_broad {
    scree_pair *pairs;
    int64_t n_pair, pair_capacity;
    scree_apart
        *apart; /* (n_pair) written by the narrow phase; NULL: all bodies
                           are spheres */
    int64_t apart_capacity;
    scree_quat *built_q; /* (n) when built */
    double *moved; /* (n) no point of a body has moved farther since [m] */
    int64_t built_q_capacity, moved_capacity;
    scree_kept *kept; /* (n_kept) in the order of the last contacts */
    int64_t n_kept, kept_capacity;
    scree_contact_state *states; /* (n_state) those of `kept`; none if no law
                                    keeps any */
    int64_t n_state, state_capacity;
    uint8_t *colours; /* (n_colour) those of `kept`; none after a rebuild */
    int64_t n_colour, colour_capacity;
    scree_ball *built; /* (n) centre when built, r: margin */
    int64_t n_built, built_capacity;
    scree_grid grid; /* of the last order */
    scree_vec3
        built_edge[3];  /* of the cell when built, if bodies have images */
    int32_t built_most; /* edges that one is away at most; 0: they have none */
    int steps;          /* checks since the build, WALL_STEPS at most */
    bool valid;         /* false: must be built before use */
} scree_broad;

void scree_broad_free(scree_broad *broad);

/* Keeps the percussions of the last contacts, before they are found anew, the
 * states that they have in `states`, or NULL, and their colours, or NULL. */
scree_status scree_broad_keep(scree_broad *broad, const scree_contact *contacts,
                              const scree_contact_state *states,
                              const uint8_t *colours, int64_t n, int threads);

/* Are contacts of pair k among those kept last? */
static inline bool scree_broad_has_kept(const scree_broad *broad, int64_t k) {
    const scree_pair *p = &broad->pairs[k];
    return p->count > 0 && p->first < broad->n_kept &&
           broad->kept[p->first].pair == k;
}

/* Is a contact with this key of pair k among them? */
bool scree_broad_knows(const scree_broad *broad, int64_t k, uint32_t key);
/* The percussion kept for a key of pair k, 0 if there is none. */
scree_vec3 scree_broad_guess(const scree_broad *broad, int64_t k, uint32_t key);
/* The state, likewise. */
scree_contact_state scree_broad_state(const scree_broad *broad, int64_t k,
                                      uint32_t key);
/* The colour that contact number `number` of pair k had, or SCREE_UNCOLOURED. Which
 * of its contacts has which of its colours does not matter: all touch the same
 * bodies. */
static inline uint8_t scree_broad_colour(const scree_broad *broad, int64_t k,
                                         int32_t number) {
    const scree_pair *p = &broad->pairs[k];
    const bool had = number < p->count && scree_broad_has_kept(broad, k);
    return had ? broad->colours[p->first + number] : SCREE_UNCOLOURED;
}

/* Where two grown balls that overlap meet: a point of both, the same whoever asks,
 * for balls with these ids. */
scree_vec3 scree_meeting_point(const scree_ball *x, int64_t id_x,
                               const scree_ball *y, int64_t id_y);
/* How much body i is grown by. */
double scree_broad_margin(const scree_scene *scene, int32_t i, double skin);

/* Must the list be built anew before this step's narrow phase? */
bool scree_broad_stale(scree_broad *broad, const scree_scene *scene);

/* A rebuild has two halves, because the owner of the bodies moves them:
 *  1. scree_broad_order: order[k].item is the body that comes to place k;
 *  2. the owner permutes its arrays;
 *  3. scree_broad_build: lists the pairs; percussions come along by key. */
scree_status scree_broad_order(scree_broad *broad, const scree_scene *scene,
                               double skin, scree_key *order,
                               scree_arena *scratch);
scree_status scree_broad_build(scree_broad *broad, const scree_scene *scene,
                               double skin, const scree_key *order,
                               scree_arena *scratch);

#endif
