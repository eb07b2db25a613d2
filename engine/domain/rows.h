/* rows.h: bodies and contacts of a world in blocks of rows, the living bodies in the
 * order of ids, one block for each rank. */
#ifndef SCREE_DOMAIN_ROWS_H
#define SCREE_DOMAIN_ROWS_H

#include "engine/world/view.h"

typedef struct scree_body_row {
    int64_t id;
    scree_ball x;
    scree_quat q;
    scree_twist u;
    int32_t material, form;
    scree_body_state kept;
    scree_turns turns;
} scree_body_row;

scree_body_row scree_body_row_of(const scree_world *world, int32_t place);

/* The rank in whose block the row is. */
int scree_domain_rank_of_row(const scree_world *world, int64_t row);

/* The bodies of this rank's block, in the order of ids. Collective; the world is
 * distributed. */
scree_status scree_domain_body_rows(const scree_world *world,
                                    scree_body_row *rows);

/* The same of what forces keep of them. */
scree_status scree_domain_trait_rows(const scree_world *world,
                                     scree_trait_row *rows);

/* The contacts whose `a` is in this rank's block, in any order; *rows is new
 * memory. */
scree_status scree_domain_contact_rows(const scree_world *world,
                                       const scree_contact_view *mine,
                                       int64_t n, scree_contact_view **rows,
                                       int64_t *n_row);

#endif
