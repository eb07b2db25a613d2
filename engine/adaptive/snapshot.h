/* snapshot.h: what a step of a world changes, put aside and brought back.
 *
 * It holds what a checkpoint holds (engine/world/state.h), so that a world that was
 * brought back goes on with the same bits as if nothing had happened since; it lies in
 * memory, as the world has it, so that both ways are plain copies. Buffers grow to what
 * a world needs and stay: a steady step calls no heap.
 *
 * The Verlet list, and what is sorted when it is built, are copied only if it was built
 * anew between the two ways (scree_listing). Time and work that were spent stay spent:
 * scree_cost is not brought back. Of worlds on one rank. */
#ifndef SCREE_ADAPTIVE_SNAPSHOT_H
#define SCREE_ADAPTIVE_SNAPSHOT_H

#include "engine/world/world.h"

/* Which list the world has now: the number of its rebuild. */
typedef struct scree_listing {
    int64_t rebuilds; /* when it was last looked at */
    int64_t number;
} scree_listing;

/* Arrays of a world that a step changes, and those of its list. */
typedef enum scree_piece {
    SCREE_PIECE_X,
    SCREE_PIECE_Q,
    SCREE_PIECE_U,
    SCREE_PIECE_KEPT,
    SCREE_PIECE_APART,
    SCREE_PIECE_CONTACTS,
    SCREE_PIECE_COLOURS,
    SCREE_PIECE_ARMS,
    SCREE_PIECE_STATES,
    SCREE_PIECE_LISTED, /* from here on: of the list */
    SCREE_PIECE_ID = SCREE_PIECE_LISTED,
    SCREE_PIECE_PLACE,
    SCREE_PIECE_MATERIAL,
    SCREE_PIECE_FORM,
    SCREE_PIECE_OWNER,
    SCREE_PIECE_TURNS,
    SCREE_PIECE_PAIRS,
    SCREE_PIECE_BUILT,
    SCREE_PIECE_BUILT_Q,
    SCREE_PIECES
} scree_piece;

typedef struct scree_kept_piece {
    char *data;
    int64_t capacity;
    size_t bytes;
} scree_kept_piece;

/* Numbers beside the arrays. */
typedef struct scree_snapshot_numbers {
    double t, dt, seen, epoch_t;
    int64_t steps, ticks, fresh, n_pair, n_built, n_contact;
    int32_t n_body, level, checks;
    bool valid, gaps_hold;
    scree_report report;
    double penetration_sum, penetration_max;
    int64_t penetrating;
    double taken_normal, taken_friction, taken_turning, wall_work,
        recovery_work, inserted;
} scree_snapshot_numbers;

typedef struct scree_snapshot {
    scree_kept_piece pieces[SCREE_PIECES];
    scree_vec3 *walls; /* (n_wall) percussions */
    int64_t wall_capacity;
    scree_snapshot_numbers numbers;
    int64_t list; /* the number of its list */
} scree_snapshot;

/* Zeroed memory is an empty snapshot. Without memory it means nothing afterwards. */
scree_status scree_snapshot_save(scree_snapshot *snapshot,
                                 scree_listing *listing,
                                 const scree_world *world);
void scree_snapshot_restore(const scree_snapshot *snapshot,
                            scree_listing *listing, scree_world *world);
/* Is the world where it was, with the same bodies? */
bool scree_snapshot_is_of(const scree_snapshot *snapshot,
                          const scree_world *world);
void scree_snapshot_free(scree_snapshot *snapshot);
size_t scree_snapshot_bytes(const scree_snapshot *snapshot);

#endif
