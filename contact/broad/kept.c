/* kept.c: what contacts keep from step to step, by pair and key: percussions, states,
 * colours. */
#include <string.h>

#include "contact/broad/broad.h"
#include "contact/narrow/touch.h"
#include "contact/narrow/valid.h"
#include "engine/base/assert.h"
#include "engine/base/error.h"
#include "engine/base/parallel.h"

typedef struct keeping {
    scree_broad *broad;
    const scree_contact *contacts;
    const scree_contact_state *states;
    int64_t n;
} keeping;

/* Contacts of a pair follow each other: whoever meets the first counts them. */
static void keep_chunk(void *context, int64_t first, int64_t last) {
    const keeping *k = context;
    for (int64_t i = first; i < last; ++i) {
        const scree_contact *c = &k->contacts[i];
        k->broad->kept[i] = (scree_kept){c->P, c->pair, c->key};
        if (k->broad->n_state)
            k->broad->states[i] =
                c->state >= 0 ? k->states[c->state] : (scree_contact_state){0};
        if (i > 0 && c[-1].pair == c->pair) continue;
        int64_t end = i + 1;
        while (end < k->n && k->contacts[end].pair == c->pair) ++end;
        scree_pair *pair = &k->broad->pairs[c->pair];
        pair->first = (int32_t)i, pair->count = (int16_t)(end - i);
    }
}

scree_status scree_broad_keep(scree_broad *broad, const scree_contact *contacts,
                              const scree_contact_state *states,
                              const uint8_t *colours, int64_t n, int threads) {
    if (broad->n_pair == 0) n = 0; /* a list that found no memory is lost */
    keeping k = {broad, contacts, states, n};
    broad->n_kept = broad->n_state = 0; /* until there is room */
    broad->n_colour = 0;
    if (states && n > broad->state_capacity)
        TRY(scree_reserve_anew(&broad->states, &broad->state_capacity,
                               n + n / 4, sizeof *broad->states));
    if (colours && n > broad->colour_capacity)
        TRY(scree_reserve_anew(&broad->colours, &broad->colour_capacity,
                               n + n / 4, sizeof *broad->colours));
    if (n > broad->kept_capacity) /* with room for more: they come and go */
        TRY(scree_reserve_anew(&broad->kept, &broad->kept_capacity, n + n / 4,
                               sizeof *broad->kept));
    broad->n_kept = n;
    broad->n_state = states ? n : 0;
    broad->n_colour = colours ? n : 0;
    if (broad->n_colour) memcpy(broad->colours, colours, (size_t)n);
    scree_parallel_for(n, threads, keep_chunk, &k);
    scree_assert(scree_kept_is_valid(broad));
    return SCREE_OK;
}

/* Place of what was kept for a key of pair k, -1: nothing. */
static int32_t find_kept(const scree_broad *broad, int64_t k, uint32_t key) {
    if (!scree_broad_has_kept(broad, k)) return -1;
    const scree_pair *p = &broad->pairs[k];
    for (int32_t i = p->first; i < p->first + p->count; ++i)
        if (broad->kept[i].key == key) return i;
    return -1;
}

bool scree_broad_knows(const scree_broad *broad, int64_t k, uint32_t key) {
    return find_kept(broad, k, key) >= 0;
}

scree_vec3 scree_broad_guess(const scree_broad *broad, int64_t k,
                             uint32_t key) {
    const int32_t i = find_kept(broad, k, key);
    return i >= 0 ? broad->kept[i].P : vec(0, 0, 0);
}

scree_contact_state scree_broad_state(const scree_broad *broad, int64_t k,
                                      uint32_t key) {
    const int32_t i = find_kept(broad, k, key);
    return i >= 0 && i < broad->n_state ? broad->states[i]
                                        : (scree_contact_state){0};
}
