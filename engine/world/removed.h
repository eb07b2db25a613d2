/* removed.h: ids of bodies that have left the world, and the rows of those that are
 * left.
 *
 * Ids never change and are not given twice. Files, blocks and checkpoints have the
 * living bodies in the order of their ids: row k is the k-th of them. With removed ids
 * r_0 < r_1 < ... the row of a living id, and the id of a row, are
 *
 *     row(id) = id - #{r_i < id},    id(row) = row + #{i : r_i - i <= row},
 *
 * by bisection. All ranks have the same list. */
#ifndef SCREE_WORLD_REMOVED_H
#define SCREE_WORLD_REMOVED_H

#include "engine/base/error.h"

typedef struct scree_removed {
    int64_t *ids; /* (n) ascending */
    int64_t n, capacity;
} scree_removed;

/* Row of a body that is there. */
int64_t scree_removed_row(const scree_removed *removed, int64_t id);
int64_t scree_removed_id(const scree_removed *removed, int64_t row);
bool scree_removed_has(const scree_removed *removed, int64_t id);

/* Adds n ids, none of which is there yet, and sorts them on the way. */
scree_status scree_removed_add(scree_removed *removed, int64_t *ids, int64_t n);
/* Are they ascending and all among the first `ids` numbers? */
bool scree_removed_is_valid(const scree_removed *removed, int64_t ids);

#endif
