/* ahead.c: contacts found at the end of a way stay over the rounds of a step.
 *
 * A contact that a round measured where bodies turn to (complete.c) holds its corner off
 * in all rounds after it, with the directions that it had there: it cannot be found
 * again from the positions of now. So it must outlive the Verlet list. It is known by
 * the ids of its bodies and its key:
 *
 *     take all contacts found ahead, with the ids of their bodies
 *     if the list is rebuilt: gather them over ranks, for bodies may have gone to others
 *         sort them by ids; each pair of the new list looks up its own
 *     they are a round: contacts in the order of pairs, that the narrow phase adds
 *
 * The order of the two bodies follows their ids in a reproducible world, so that
 * directions stay. In others it may change with the list, and they are given up with it:
 * the next round finds most of them again.
 *
 * Cost: nothing where no body turns; else a search for each pair of a new list. */
#include "engine/step/ahead.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/error.h"
#include "engine/domain/domain.h"
#include "engine/step/contact_rows.h"
#include "engine/world/ranks.h"

static int64_t count_ahead(const scree_world *world) {
    const scree_contacts *contacts = &world->state.contacts;
    int64_t n = 0;
    for (int64_t i = 0; i < contacts->n; ++i)
        n += scree_world_is_ahead(world, &contacts->list[i]);
    return n;
}

static scree_foreseen foresee_contact(const scree_world *world,
                                      const scree_contact *c, int64_t number) {
    const int64_t *id = world->state.bodies.id;
    return (scree_foreseen){.a = id[c->a],
                            .b = c->b < 0 ? c->b : id[c->b],
                            .image = scree_world_image(world, c),
                            .number = number,
                            .c = *c,
                            .arms = *scree_world_arms(world, c)};
}

scree_status scree_world_take_foresight(scree_world *world,
                                        scree_foresight *f) {
    const int64_t n = world->scene.general ? count_ahead(world) : 0;
    *f = (scree_foresight){0};
    if (n == 0) return SCREE_OK;
    f->list = scree_arena_push(&world->scratch, (size_t)n * sizeof *f->list);
    if (!f->list) return SCREE_OUT_OF_MEMORY;
    for (int64_t i = 0; i < world->state.contacts.n; ++i) {
        const scree_contact *c = &world->state.contacts.list[i];
        if (!scree_world_is_ahead(world, c)) continue;
        f->list[f->n] = foresee_contact(world, c, f->n);
        ++f->n;
    }
    return SCREE_OK;
}

/* ---- over ranks ---------------------------------------------------------------- */

/* Those of all ranks on each of them. Ranks that have fewer send bodies SCREE_NO_BODY. */
static scree_status gather_all(scree_world *world, scree_foresight *f) {
    const scree_comm *comm = world->ranks.domain->comm;
    const int64_t most = (int64_t)scree_world_most(world, (double)f->n);
    const size_t bytes = (size_t)most * sizeof *f->list;
    if (most == 0) return SCREE_OK;
    scree_foreseen *mine = scree_arena_push(&world->scratch, bytes);
    scree_foreseen *all =
        scree_arena_push(&world->scratch, (size_t)comm->size * bytes);
    TRY(scree_world_agree(world, mine && all ? SCREE_OK : SCREE_OUT_OF_MEMORY));
    memset(mine, 0, bytes);
    for (int64_t i = 0; i < most; ++i) mine[i].a = SCREE_NO_BODY;
    if (f->n) memcpy(mine, f->list, (size_t)f->n * sizeof *mine);
    scree_comm_gather(comm, mine, bytes, all);
    *f = (scree_foresight){0, all};
    for (int64_t i = 0; i < comm->size * most; ++i)
        if (all[i].a != SCREE_NO_BODY) all[f->n++] = all[i];
    return SCREE_OK;
}

/* ---- pairs of another list --------------------------------------------------------- */

static int compare_ids(int64_t a, int64_t b, scree_image image,
                       const scree_foreseen *f) {
    if (a != f->a) return a < f->a ? -1 : 1;
    if (b != f->b) return b < f->b ? -1 : 1;
    return (image > f->image) - (image < f->image);
}

/* Contacts of a pair come from one rank, and keep their order. */
static int by_ids(const void *p, const void *q) {
    const scree_foreseen *x = p, *y = q;
    const int order = compare_ids(x->a, x->b, x->image, y);
    return order ? order : (x->number > y->number) - (x->number < y->number);
}

static int64_t first_of_ids(const scree_foresight *f, int64_t a, int64_t b,
                            scree_image image) {
    int64_t low = 0, high = f->n;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (compare_ids(a, b, image, &f->list[middle]) > 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Contacts of the pairs that are listed here, with their places of now. */
static int64_t choose_own(const scree_world *world, const scree_foresight *f,
                          scree_contact *list, scree_arms *arms) {
    const scree_broad *broad = &world->state.broad;
    const int64_t *id = world->state.bodies.id;
    int64_t n = 0;
    for (int64_t k = 0; k < broad->n_pair; ++k) {
        const scree_pair *p = &broad->pairs[k];
        const int64_t a = id[p->a], b = p->b < 0 ? p->b : id[p->b];
        int64_t i = first_of_ids(f, a, b, p->image);
        for (; i < f->n && compare_ids(a, b, p->image, &f->list[i]) == 0;
             ++i, ++n) {
            list[n] = f->list[i].c, arms[n] = f->list[i].arms;
            list[n].a = p->a, list[n].b = p->b, list[n].pair = (int32_t)k;
        }
    }
    return n;
}

static int64_t copy_all(const scree_foresight *f, scree_contact *list,
                        scree_arms *arms) {
    for (int64_t i = 0; i < f->n; ++i)
        list[i] = f->list[i].c, arms[i] = f->list[i].arms;
    return f->n;
}

scree_status scree_world_round_of(scree_world *world, scree_foresight *f,
                                  bool rebuilt, scree_round *round) {
    *round = (scree_round){0};
    if (rebuilt && !world->def.reproducible) return SCREE_OK;
    if (rebuilt && world->ranks.domain) TRY(gather_all(world, f));
    if (f->n == 0) return SCREE_OK;
    const size_t n = (size_t)f->n;
    scree_contact *list = scree_arena_push(&world->scratch, n * sizeof *list);
    scree_arms *arms = scree_arena_push(&world->scratch, n * sizeof *arms);
    if (!list || !arms) return SCREE_OUT_OF_MEMORY;
    if (rebuilt) qsort(f->list, n, sizeof *f->list, by_ids);
    *round = (scree_round){rebuilt ? choose_own(world, f, list, arms)
                                   : copy_all(f, list, arms),
                           list, arms};
    return SCREE_OK;
}
