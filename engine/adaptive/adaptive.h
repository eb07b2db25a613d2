/* adaptive.h: moreau-adaptive on worlds: step-size adjustment, 002 sections 5 and 9.3.
 *
 * The algorithm is that of models (engine/steppers/moreau_adaptive.c says it in full):
 * large steps of high order while no law changes its mode, a change searched with
 * smaller and smaller ones and passed with one of dt_min; a step is final when its
 * successor has been seen.
 *
 *                accepted          previous          actual
 *        ----|---------------|-----------------|- - - - - - - -|
 *             the world between   a snapshot        being tried
 *             two calls
 *
 * What is different on worlds:
 *   - Times are whole multiples of dt_min = def.dt / 2^k from a multiple of def.dt on,
 *     counted in ticks. No step goes past a multiple of def.dt: outputs, checkpoints
 *     and pours are met whatever steps are taken between them.
 *   - The discrete state is one number (modes.h); states are snapshots (snapshot.h).
 *   - Where switching points follow each other without end, as in a crowd, looking for
 *     a longer step fails each time. After each failure that dt_min follows at once, the
 *     next look waits for twice as many steps of dt_min, up to MOST_PATIENCE: a crowd
 *     so costs what steps of dt_min cost.
 *   - A waiting step is not saved in a checkpoint, but made again from the accepted one,
 *     with the same bits.
 *
 * Worlds over several ranks are refused: bodies may go to other ranks in a step that is
 * taken back. */
#ifndef SCREE_ADAPTIVE_ADAPTIVE_H
#define SCREE_ADAPTIVE_ADAPTIVE_H

#include "engine/base/archive.h"
#include "engine/world/world.h"

/* Advances by one accepted step. */
scree_status scree_world_adapt(scree_world *world);

/* Memory for it; zeroed it has not begun. NULL: out of memory. */
scree_adaptive *scree_adaptive_create(void);
void scree_adaptive_free(scree_adaptive *a);
size_t scree_adaptive_bytes(const scree_adaptive *a);

/* Of the last step: the order of its extrapolation and its exit flag; 0 without. */
int scree_adaptive_order(const scree_adaptive *a);
int scree_adaptive_flag(const scree_adaptive *a);

/* Its part of a checkpoint, when the rest is loaded; `same`: with the same step. */
void scree_adaptive_archive(scree_world *world, scree_archive *archive,
                            bool same);

#endif
