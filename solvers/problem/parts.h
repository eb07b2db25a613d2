/* parts.h: who works on which blocks and bodies.
 *
 * Contacts of a colour share no body: within a colour any order gives the same bits,
 * and all that counts is that the contacts of a body come in the order of their
 * colours. So a problem is cut into parts, one for each member of a team, at the same
 * bodies in all colours: part k has the bodies from cut[k] up to cut[k + 1], and of
 * each colour the blocks whose first contact begins with one of them. Cuts are where
 * the blocks of all colours together are even.
 *
 * A body that blocks of another part touch is common. In its share of a colour a part
 * has the blocks that touch common bodies first, then the inner ones, and members wait
 * for each other only before the former:
 *
 *     colour c:   meet,  blocks with common bodies,  arrive,  inner blocks
 *
 * No contact of a common body comes before those of earlier colours, in whichever part,
 * have arrived; inner bodies belong to one member. While it works on inner blocks the
 * others go on to their next colour, so that hardly anybody ever waits, and bodies stay
 * in the cache of their member. Cost: a look at the bodies of every block.
 *
 * Each part has a list of its blocks, colour after colour, as its member goes through
 * them; behind the last the first ones stand again. So kernels can ask for blocks and
 * bodies SCREE_AHEAD blocks ahead, over the ends of colours and of sweeps: runs of a
 * colour are short, and each would begin with waiting for memory. */
#ifndef SCREE_SOLVERS_PARTS_H
#define SCREE_SOLVERS_PARTS_H

#include "solvers/problem/problem.h"

/* Cuts the sorted problem into as many parts as threads are worth waking. */
scree_status scree_problem_share(scree_problem *p);

void scree_parts_free(scree_parts *parts);
size_t scree_parts_bytes(const scree_parts *parts);

/* The part whose contacts most of a chunk of blocks are, counted with the round ones
 * first. */
int scree_problem_part_of(const scree_problem *p, int64_t first, int64_t last);

/* A member's parts are rank, rank + size, ...: one, unless fewer came to the team. */
static inline bool scree_team_has(const scree_team *team, int part) {
    return part % team->size == team->rank;
}

#endif
