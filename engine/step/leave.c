/* leave.c: bodies that leave the world, through outlets or because they are asked to.
 *
 * At the end of a step a body leaves by the first outlet that takes its centre x,
 *
 *     low <= x <= high (each axis),  or not, if the outlet is the outside of its box.
 *
 * Each rank looks at the bodies that it owns; then all ranks know all that leave, in
 * the order of ids, so that counts, mass and energy are the same bits for any number
 * of ranks. Copies go with the bodies. What touched a body that is gone is forgotten;
 * the Verlet list is built anew in the next step, and carries the other percussions
 * over.
 *
 * The energy that they take along is taken from `inserted`. Cost: one look at each
 * centre in a step; a pass over bodies, pairs and contacts when somebody leaves. */
#include <stdlib.h>
#include <string.h>

#include "engine/base/assert.h"
#include "engine/domain/domain.h"
#include "engine/forces/forces.h"
#include "engine/joints/joints.h"
#include "engine/measure/passage.h"
#include "engine/step/step.h"
#include "engine/world/make.h"

/* ---- outlets ---------------------------------------------------------------- */

scree_outlet_def scree_outlet_def_default(void) {
    return (scree_outlet_def){.cookie = SCREE_COOKIE};
}

static scree_status check_box(const scree_world *world,
                              const scree_outlet_def *def, scree_error *error) {
    const int dim = world->def.planar ? 2 : 3;
    for (int k = 0; k < dim; ++k)
        REQUIRE(def->low[k] < def->high[k],
                "outlet: low[%d] = %g is not below high[%d] = %g", k,
                def->low[k], k, def->high[k]);
    return SCREE_OK;
}

scree_status scree_world_add_outlet(scree_world *world,
                                    const scree_outlet_def *def, int *outlet) {
    scree_error *error = &world->error;
    REQUIRE(def && def->cookie == SCREE_COOKIE,
            "outlet definition does not come from scree_outlet_def_default()");
    REQUIRE((int)def->action >= 0 && (int)def->action < SCREE_OUTLET_ACTIONS,
            "outlet: no action %d", (int)def->action);
    TRY(check_box(world, def, error));
    const int n = world->state.n_outlet;
    TRY(scree_reserve(&world->state.outlets, &world->state.outlet_capacity,
                      n + 1, sizeof *world->state.outlets));
    world->state.outlets[n] = (scree_outlet){.def = *def};
    world->state.n_outlet = n + 1;
    if (outlet) *outlet = n;
    return SCREE_OK;
}

int scree_world_outlet_count(const scree_world *world) {
    return world->state.n_outlet;
}

void scree_world_read_outlet(const scree_world *world, int outlet,
                             int64_t *bodies, double *mass) {
    if (bodies) *bodies = world->state.outlets[outlet].bodies;
    if (mass) *mass = world->state.outlets[outlet].mass;
}

int64_t scree_world_removed_count(const scree_world *world) {
    return world->state.bodies.removed.n;
}

bool scree_world_is_stopped(const scree_world *world, int64_t *id,
                            int *outlet) {
    if (id) *id = world->state.stopper;
    if (outlet) *outlet = world->state.stopped_at;
    return world->state.stopper >= 0;
}

static bool is_inside(const scree_outlet_def *def, const double *x, int dim) {
    for (int k = 0; k < dim; ++k)
        if (!(x[k] >= def->low[k] && x[k] <= def->high[k])) return false;
    return true;
}

/* -1: it stays. */
static int outlet_of(const scree_world *world, scree_vec3 at) {
    const double x[3] = {at.x, at.y, at.z};
    const int dim = world->def.planar ? 2 : 3;
    for (int k = 0; k < world->state.n_outlet; ++k) {
        const scree_outlet_def *def = &world->state.outlets[k].def;
        if (is_inside(def, x, dim) != def->outside) return k;
    }
    return -1;
}

/* ---- who leaves -------------------------------------------------------------- */

typedef struct leaver {
    int64_t id;
    int64_t outlet; /* -1: it was asked to */
    double mass, energy;
    scree_vec3 x;
} leaver;

typedef struct leavers {
    int64_t n;
    leaver *list;
} leavers;

/* NULL: who is outside of the world's room; else the n ids, ascending. */
typedef struct request {
    const int64_t *ids;
    int64_t n;
} request;

static leaver leaver_at(const scree_world *world, int32_t i, int outlet) {
    const scree_bodies *b = &world->state.bodies;
    return (leaver){.id = b->id[i],
                    .outlet = outlet,
                    .mass =
                        scree_is_kinematic(&b->u[i]) ? 0 : 1.0 / b->u[i].inv_m,
                    .energy = scree_world_body_energy(world, i),
                    .x = b->x[i].x};
}

static int by_number(const void *p, const void *q) {
    const int64_t a = *(const int64_t *)p, b = *(const int64_t *)q;
    return (a > b) - (a < b);
}

/* Does the body leave, and by which outlet? */
static bool body_leaves(const scree_world *world, const request *r, int32_t i,
                        int *outlet) {
    const scree_bodies *b = &world->state.bodies;
    if (!scree_world_owns(world, i)) return false;
    *outlet = r ? -1 : outlet_of(world, b->x[i].x);
    return r ? bsearch(&b->id[i], r->ids, (size_t)r->n, sizeof *r->ids,
                       by_number) != NULL
             : *outlet >= 0;
}

static int64_t count_leavers(const scree_world *world, const request *r) {
    int64_t n = 0;
    int outlet;
    for (int32_t i = 0; i < world->state.bodies.n; ++i)
        n += body_leaves(world, r, i, &outlet);
    return n;
}

static void list_leavers(const scree_world *world, const request *r,
                         leaver *list) {
    int64_t n = 0;
    int outlet;
    for (int32_t i = 0; i < world->state.bodies.n; ++i)
        if (body_leaves(world, r, i, &outlet))
            list[n++] = leaver_at(world, i, outlet);
}

static int by_id(const void *p, const void *q) {
    const int64_t a = ((const leaver *)p)->id, b = ((const leaver *)q)->id;
    return (a > b) - (a < b);
}

/* All ranks get those of all, of which each has `most` at most. */
static scree_status share_leavers(scree_world *world, const request *r,
                                  int64_t n, int64_t most, leavers *all) {
    const scree_comm *comm = scree_world_comm(world);
    const size_t size = (size_t)comm->size, room = (size_t)most;
    leaver *mine = scree_arena_push(&world->scratch, room * sizeof *mine);
    int64_t *counts = scree_arena_push(&world->scratch, size * sizeof *counts);
    all->list =
        scree_arena_push(&world->scratch, size * room * sizeof *all->list);
    TRY(scree_world_agree(
        world, mine && counts && all->list ? SCREE_OK : SCREE_OUT_OF_MEMORY));
    memset(mine, 0, room * sizeof *mine);
    list_leavers(world, r, mine);
    scree_comm_gather(comm, &n, sizeof n, counts);
    scree_comm_gather(comm, mine, room * sizeof *mine, all->list);
    all->n = 0;
    for (size_t k = 0; k < size; ++k)
        for (int64_t i = 0; i < counts[k]; ++i)
            all->list[all->n++] = all->list[k * room + (size_t)i];
    qsort(all->list, (size_t)all->n, sizeof *all->list, by_id);
    return SCREE_OK;
}

/* ---- out of the arrays --------------------------------------------------------- */

/* Where each place goes, -1: nowhere. */
static void map_places(const scree_bodies *b, int32_t *to) {
    int32_t n = 0;
    for (int32_t i = 0; i < b->n; ++i)
        to[i] = b->owner[i] == SCREE_GONE ? -1 : n++;
}

static int32_t moved_to(const int32_t *to, int32_t body) {
    return body < 0 ? body : to[body];
}

static bool is_lost(const int32_t *to, int32_t body) {
    return body >= 0 && to[body] < 0;
}

/* Pairs and their contacts, which follow each other in the order of pairs. */
static void drop_contacts(scree_world *world, const int32_t *to) {
    scree_broad *broad = &world->state.broad;
    scree_contacts *c = &world->state.contacts;
    int64_t pairs = 0, kept = 0, next = 0;
    for (int64_t k = 0; k < broad->n_pair; ++k) {
        scree_pair pair = broad->pairs[k];
        const bool lost = is_lost(to, pair.a) || is_lost(to, pair.b);
        for (; next < c->n && c->list[next].pair == k; ++next) {
            if (lost) continue;
            scree_contacts_move(c, next, kept);
            c->list[kept].pair = (int32_t)pairs;
            c->list[kept].a = moved_to(to, c->list[kept].a);
            c->list[kept].b = moved_to(to, c->list[kept].b);
            ++kept;
        }
        if (lost) continue;
        pair.a = moved_to(to, pair.a), pair.b = moved_to(to, pair.b);
        broad->pairs[pairs++] = pair;
    }
    scree_assert(next == c->n);
    broad->n_pair = pairs;
    c->n = kept;
}

static bool is_listed(const leavers *all, int64_t id) {
    const leaver key = {.id = id};
    return bsearch(&key, all->list, (size_t)all->n, sizeof key, by_id) != NULL;
}

static void lay_out_rows(scree_bodies *b) {
    for (int32_t i = 0; i < b->n && !b->spread; ++i)
        b->place[scree_bodies_row(b, b->id[i])] = i;
}

static void drop_bodies(scree_world *world, const leavers *all, int32_t *to) {
    scree_bodies *b = &world->state.bodies;
    for (int32_t i = 0; i < b->n; ++i)
        if (is_listed(all, b->id[i])) b->owner[i] = SCREE_GONE;
    map_places(b, to);
    drop_contacts(world, to);
    scree_bodies_drop(b);
    lay_out_rows(b);
    b->u[b->n + b->walls] = (scree_twist){0}; /* all other walls */
    world->state.broad.valid = false;
}

/* Sums of what left, in the order of ids. */
static void book_leavers(scree_world *world, const leavers *all) {
    double energy = 0;
    for (int64_t k = 0; k < all->n; ++k) {
        const leaver *one = &all->list[k];
        energy += one->energy;
        if (one->outlet < 0) continue;
        world->state.outlets[one->outlet].bodies++;
        world->state.outlets[one->outlet].mass += one->mass;
    }
    if (scree_world_rank(world) == 0) world->accounts.inserted -= energy;
    world->ranks.n_body -= all->n;
}

static scree_status keep_ids(scree_world *world, const leavers *all) {
    int64_t *ids =
        scree_arena_push(&world->scratch, (size_t)all->n * sizeof *ids);
    for (int64_t k = 0; ids && k < all->n; ++k) ids[k] = all->list[k].id;
    return scree_world_agree(
        world,
        ids ? scree_removed_add(&world->state.bodies.removed, ids, all->n)
            : SCREE_OUT_OF_MEMORY);
}

static scree_status take_out(scree_world *world, const leavers *all) {
    if (all->n == 0) return SCREE_OK;
    int32_t *to = scree_arena_push(
        &world->scratch, ((size_t)world->state.bodies.n + 1) * sizeof *to);
    TRY(scree_world_agree(world, to ? SCREE_OK : SCREE_OUT_OF_MEMORY));
    TRY(keep_ids(world, all));
    book_leavers(world, all);
    drop_bodies(world, all, to);
    scree_joints_forget(world);
    scree_kinematic_forget(world);
    world->ranks.n_contact =
        (int64_t)scree_world_total(world, (double)world->state.contacts.n);
    return SCREE_OK;
}

/* ---- at the end of a step -------------------------------------------------------- */

static scree_outlet_action action_of(const scree_world *world,
                                     const leaver *one) {
    return one->outlet < 0 ? SCREE_OUTLET_REMOVE
                           : world->state.outlets[one->outlet].def.action;
}

static scree_status refuse_leaver(scree_world *world, const leaver *one) {
    world->error.agreed = true;
    return scree_fail(&world->error, SCREE_LEFT,
                      "body %lld left the world at t = %g s, at (%g, %g, %g) m",
                      (long long)one->id, world->state.t, one->x.x, one->x.y,
                      one->x.z);
}

/* Leaves those in the list that are to be removed; the first of the others says that the
 * run is to stop, or fails. */
static scree_status judge_leavers(scree_world *world, leavers *all) {
    int64_t n = 0;
    for (int64_t k = 0; k < all->n; ++k) {
        const leaver one = all->list[k];
        const scree_outlet_action action = action_of(world, &one);
        if (action == SCREE_OUTLET_REFUSE) return refuse_leaver(world, &one);
        if (action == SCREE_OUTLET_REMOVE)
            all->list[n++] = one;
        else if (world->state.stopper < 0)
            world->state.stopper = one.id,
            world->state.stopped_at = (int)one.outlet;
    }
    all->n = n;
    return SCREE_OK;
}

/* What leaves in a step has gone its way in it first. */
static scree_status keep_passages(scree_world *world, const leavers *all) {
    const scree_bodies *b = &world->state.bodies;
    if (!world->scene.paths) return SCREE_OK;
    TRY(scree_world_agree(
        world, scree_reserve(&world->state.gone, &world->state.gone_capacity,
                             all->n + 1, sizeof *world->state.gone)));
    for (int32_t i = 0; i < b->n; ++i)
        if (scree_world_owns(world, i) && is_listed(all, b->id[i]))
            world->state.gone[world->state.n_gone++] =
                scree_passage_of(world, i);
    return SCREE_OK;
}

static scree_status let_out(scree_world *world, const request *r) {
    const int64_t n = count_leavers(world, r);
    const int64_t most = (int64_t)scree_world_most(world, (double)n);
    leavers all;
    if (most == 0) return SCREE_OK;
    TRY(share_leavers(world, r, n, most, &all));
    TRY(judge_leavers(world, &all));
    if (!r) TRY(keep_passages(world, &all));
    return take_out(world, &all);
}

scree_status scree_world_leave(scree_world *world) {
    if (world->state.n_outlet == 0) return SCREE_OK;
    const size_t mark = scree_arena_mark(&world->scratch);
    world->state.stopper = -1;
    const scree_status status = let_out(world, NULL);
    scree_arena_pop(&world->scratch, mark);
    return status;
}

/* ---- when asked --------------------------------------------------------------------- */

static scree_status check_request(scree_world *world, const int64_t *sorted,
                                  int64_t n) {
    const scree_removed *removed = &world->state.bodies.removed;
    scree_error *error = &world->error;
    for (int64_t k = 0; k < n; ++k) {
        REQUIRE(sorted[k] >= 0 && sorted[k] < scree_world_id_count(world) &&
                    !scree_removed_has(removed, sorted[k]),
                "ids: there is no body %lld", (long long)sorted[k]);
        REQUIRE(k == 0 || sorted[k] > sorted[k - 1],
                "ids: body %lld is named twice", (long long)sorted[k]);
    }
    return SCREE_OK;
}

static scree_status remove_listed(scree_world *world, const int64_t *ids,
                                  int64_t n) {
    int64_t *sorted =
        scree_arena_push(&world->scratch, (size_t)n * sizeof *sorted);
    TRY(scree_world_agree(world, sorted ? SCREE_OK : SCREE_OUT_OF_MEMORY));
    memcpy(sorted, ids, (size_t)n * sizeof *sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, by_number);
    TRY(check_request(world, sorted, n));
    return let_out(world, &(request){sorted, n});
}

scree_status scree_world_remove_bodies(scree_world *world, const int64_t *ids,
                                       int64_t n) {
    scree_error *error = &world->error;
    REQUIRE(n >= 0 && (ids || n == 0), "ids is NULL");
    if (n == 0) return SCREE_OK;
    const size_t mark = scree_arena_mark(&world->scratch);
    const scree_status status = remove_listed(world, ids, n);
    scree_arena_pop(&world->scratch, mark);
    return status;
}
