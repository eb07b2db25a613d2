#include "contact/narrow/pair.h"

/* ---- the table ----------------------------------------------------------- */

static scree_pair_find *const table[SCREE_CORES][SCREE_CORES] = {
#define SCREE_PAIR(core_a, core_b, routine)                                    \
    [SCREE_CORE_##core_a][SCREE_CORE_##core_b] = scree_##routine,
#include "contact/pairs.def"
};

scree_pair_entry scree_pair_routine(scree_core core_a, scree_core core_b) {
    const bool swapped = !table[core_a][core_b];
    return (scree_pair_entry){
        swapped ? table[core_b][core_a] : table[core_a][core_b], swapped};
}

/* ---- any two solids ------------------------------------------------------ */

static void exchange_sides(scree_touch *t) {
    t->n = scale(-1, t->n);
    t->key = scree_key_swapped(t->key);
}

/* Seen from b, so that far from the origin nothing is lost to rounding. */
static void see_from_b(const scree_placed *a, const scree_placed *b,
                       scree_placed *near_a, scree_placed *near_b) {
    *near_a = (scree_placed){a->solid, sub(a->x, b->x), a->R};
    *near_b = (scree_placed){b->solid, vec(0, 0, 0), b->R};
}

static int put_back(scree_touch *touches, int n, scree_vec3 x, bool swapped) {
    for (int k = 0; k < n; ++k) {
        if (swapped) exchange_sides(&touches[k]);
        touches[k].x = add(touches[k].x, x);
    }
    return n;
}

int scree_solids_touch(const scree_placed *a, const scree_placed *b,
                       double reach, scree_touch *touches) {
    if (scree_bounds_apart(a, b, reach)) return 0;
    const scree_pair_entry entry =
        scree_pair_routine(a->solid->core, b->solid->core);
    scree_placed near_a, near_b;
    see_from_b(a, b, &near_a, &near_b);
    const int n = entry.swapped ? entry.find(&near_b, &near_a, reach, touches)
                                : entry.find(&near_a, &near_b, reach, touches);
    return put_back(touches, n, b->x, entry.swapped);
}

int scree_solids_touch_again(const scree_placed *a, const scree_placed *b,
                             double reach, scree_separation *apart,
                             scree_touch *touches) {
    if (a->solid->core != SCREE_CORE_HULL || b->solid->core != SCREE_CORE_HULL)
        return scree_solids_touch(a, b, reach, touches);
    if (scree_bounds_apart(a, b, reach)) return 0;
    scree_placed near_a, near_b;
    see_from_b(a, b, &near_a, &near_b);
    const int n =
        scree_hull_hull_again(&near_a, &near_b, reach, apart, touches);
    return put_back(touches, n, b->x, false);
}
