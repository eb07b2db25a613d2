/* materials.h: the law of each two materials of a world.
 *
 *     law(i, j) = what scree_world_set_pair said of i and j, or else
 *     law(i, i) = the material's own,
 *     law(i, j) = both mixed (scree_contact_law_mixed).
 *
 * Assembling asks for one law per contact, so that few materials have all laws in
 * a table. Of more than SCREE_TABLE_MATERIALS only the pairs that were set are
 * kept, found by a hash, and all others are mixed when they are asked for: memory
 * and time grow with the materials and the pairs, not with the materials squared. */
#ifndef SCREE_MATERIALS_H
#define SCREE_MATERIALS_H

#include <stdint.h>

#include "engine/base/error.h"
#include "engine/scree.h"
#include "solvers/law/law.h"

enum { SCREE_TABLE_MATERIALS = 256 }; /* at most, with a table: 16 MB */

/* The law of materials a and b. */
typedef struct scree_pair_law {
    int a, b;
    int grain;     /* material to which the direction of its friction belongs */
    uint16_t laws; /* beside Coulomb's, bits by place in scree_row_laws */
    bool general;  /* some of them want general rows (solvers/law/law.h) */
    scree_contact_law law;
} scree_pair_law;

typedef struct scree_pair_laws {
    scree_pair_law *table; /* (stride x stride), or NULL: too many materials */
    int stride;            /* >= number of materials, a power of two */
    scree_pair_law *set;   /* (n_set) by scree_world_set_pair */
    int64_t n_set, set_capacity;
    int64_t *slots; /* (n_slot) hash of pairs: 1 + place in `set`, 0: free */
    int64_t n_slot; /* a power of two > 2 n_set, or 0 */
    bool bonds, poisson; /* has any law been given that knows them? */
} scree_pair_laws;

void scree_pair_laws_free(scree_pair_laws *laws);

scree_status scree_material_check(const scree_world *world, int material,
                                  scree_error *error);

/* With a table. */
static inline scree_pair_law *
scree_pair_table_entry(const scree_pair_laws *laws, int a, int b) {
    return &laws->table[(int64_t)a * laws->stride + b];
}

/* Without one: set, or mixed in memory that is the thread's own. */
const scree_pair_law *scree_world_find_law(const scree_world *world, int a,
                                           int b);

/* What a law of materials says to those of rows; the direction of an ellipse is for
 * who knows the contact to add. */
scree_law_terms scree_contact_law_terms(const scree_contact_law *law);

/* Is it a law with cohesion or bonds (engine/laws/cohesion.h)? */
static inline bool scree_law_attracts(const scree_contact_law *law) {
    return law->cohesion.force > 0 || law->cohesion.energy > 0 ||
           law->bond.normal > 0;
}

/* Do materials ask for one of these laws, bits by place in scree_row_laws? */
bool scree_world_obeys(const scree_world *world, unsigned laws);

/* May any two materials meet with such a law? If a mixed law is such a one, one of
 * the two that it is mixed of must be, too. */
bool scree_world_any_law(const scree_world *world,
                         bool has(const scree_contact_law *));

#endif
