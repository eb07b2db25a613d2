/* scatter.c: places for many bodies (scatter.h). */
#include "engine/generate/scatter.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/arena.h"
#include "engine/world/make.h"
#include "engine/world/ranks.h"
#include "engine/world/world.h"

/* Cells are this many of the largest diameters wide, and where bodies are
 * sparse so wide that they have some at least. */
enum { CELL_DIAMETERS = 3, CELL_BODIES = 16 };

/* ---- mail ---------------------------------------------------------------- */

/* A rank that runs out of memory takes part in all messages until the others
 * know. */
static bool note_failure(scree_scatter *s, scree_status status) {
    if (status != SCREE_OK) s->status = status;
    return s->status != SCREE_OK;
}

static void post_message(scree_scatter *s, int rank, const void *what,
                         size_t bytes) {
    if (s->status != SCREE_OK) return;
    void *to = scree_mail_put(&s->mail, rank, bytes);
    if (to)
        memcpy(to, what, bytes);
    else
        s->status = SCREE_OUT_OF_MEMORY;
}

static void push_seedling(scree_scatter *s, scree_seedlings *to,
                          const scree_seedling *one) {
    if (note_failure(
            s, scree_reserve(&to->list, &to->capacity, to->n + 1, sizeof *one)))
        return;
    to->list[to->n++] = *one;
}

/* Also on one rank, where nothing is sent. */
static void send_mail(scree_scatter *s) {
    if (s->comm->size > 1) scree_mail_send(&s->mail, s->comm);
}

/* Into an empty box: the memory was there when the run began. */
static void clear_mail(scree_scatter *s) {
    if (s->comm->size > 1) scree_mail_clear(&s->mail, s->comm);
}

/* The same after mail as large as the share of a rank, which is not kept. */
static void drop_mail(scree_scatter *s) {
    scree_mail_trim(&s->mail);
    note_failure(s, scree_mail_clear(&s->mail, s->comm));
}

/* ---- balls around the blocks --------------------------------------------- */

static void see_ball(scree_scatter *s, scree_ball ball) {
    if (note_failure(s, scree_place_reserve(&s->place, 1))) return;
    scree_place_add(&s->place, ball);
}

/* Tells those of a ball who may be in its way. */
static void show_ball(scree_scatter *s, scree_ball ball, bool to_self) {
    if (s->comm->size == 1) {
        if (to_self) see_ball(s, ball);
        return;
    }
    const scree_cell_ranks near =
        scree_cells_near(&s->cells, ball.x, ball.r + s->reach);
    for (int z = near.first[2]; z <= near.last[2]; z++)
        for (int y = near.first[1]; y <= near.last[1]; y++)
            for (int x = near.first[0]; x <= near.last[0]; x++) {
                const int r = scree_cells_rank_of_block(&s->cells, x, y, z);
                if (r != s->comm->rank)
                    post_message(s, r, &ball, sizeof ball);
                else if (to_self)
                    see_ball(s, ball);
            }
}

static void see_mail(scree_scatter *s) {
    send_mail(s);
    for (int64_t k = 0; k < s->mail.n_in; k++)
        for (size_t at = 0; at < s->mail.in[k].n; at += sizeof(scree_ball)) {
            scree_ball ball;
            memcpy(&ball, s->mail.in[k].data + at, sizeof ball);
            see_ball(s, ball);
        }
    clear_mail(s);
}

/* Of n bodies about those in and around a block. */
static int64_t share_of(const scree_scatter *s, int64_t n) {
    const int64_t mean = n / s->comm->size;
    return s->comm->size > 1 ? mean + mean / 8 : mean;
}

/* A new snapshot around the block: what the world had, and what has a place. */
static void look_around(scree_scatter *s, int64_t room) {
    const int64_t share = share_of(s, s->standing + room) + s->placed.n;
    scree_place_free(&s->place);
    if (!note_failure(
            s, scree_place_start(&s->place, s->world, s->r_max, share))) {
        for (int64_t k = 0; k < s->n_near; k++)
            show_ball(s, s->world->state.bodies.x[s->near[k]], true);
        for (int64_t k = 0; k < s->placed.n; k++)
            show_ball(s, s->placed.list[k].piece.ball, true);
    }
    see_mail(s);
}

/* ---- visits -------------------------------------------------------------- */

/* Sends a body to the cell of its visit; returns whether that is here. */
static bool go_home(scree_scatter *s, scree_seedling *one, int visit) {
    one->piece.ball.x = s->sower->home(s->sower->of, one, visit);
    const scree_cell cell = scree_cells_at(&s->cells, one->piece.ball.x);
    const int rank = scree_cells_rank(&s->cells, cell);
    if (rank != s->comm->rank) post_message(s, rank, one, sizeof *one);
    return rank == s->comm->rank;
}

static void take_mail(scree_scatter *s, scree_seedlings *to) {
    send_mail(s);
    for (int64_t k = 0; k < s->mail.n_in; k++)
        for (size_t at = 0; at < s->mail.in[k].n;
             at += sizeof(scree_seedling)) {
            scree_seedling one;
            memcpy(&one, s->mail.in[k].data + at, sizeof one);
            push_seedling(s, to, &one);
        }
}

/* Each rank draws its share of the bodies. */
static void sow_share(scree_scatter *s, int64_t first, int64_t end) {
    const int64_t n = end - first, each = n / s->comm->size;
    const int64_t more = n % s->comm->size, rank = s->comm->rank;
    const int64_t from = first + each * rank + (rank < more ? rank : more);
    const int64_t to = from + each + (rank < more);
    scree_seedlings *w = &s->waiting;
    w->n = 0;
    note_failure(s, scree_reserve(&w->list, &w->capacity, share_of(s, n),
                                  sizeof *w->list));
    for (int64_t k = from; k < to && s->status == SCREE_OK; k++) {
        scree_seedling one = {.k = k,
                              .piece = s->sower->piece(s->sower->of, k)};
        if (go_home(s, &one, 0)) push_seedling(s, w, &one);
    }
    take_mail(s, w);
    drop_mail(s);
}

static void move_on(scree_scatter *s, int visit) {
    int64_t n = 0;
    for (int64_t k = 0; k < s->waiting.n; k++) {
        scree_seedling *one = &s->waiting.list[k];
        if (one->k < 0) continue; /* has its place */
        if (go_home(s, one, visit)) s->waiting.list[n++] = *one;
    }
    s->waiting.n = n;
    take_mail(s, &s->waiting);
    clear_mail(s);
}

/* One rank alone has them in the order of their numbers. */
static int64_t count_waves(const scree_scatter *s) {
    if (!s->sower->wave) return SCREE_CELL_COLOURS;
    return s->comm->size > 1 ? s->sower->waves : 1;
}

/* Sorts by wave and cell. */
static uint64_t wave_key(const scree_scatter *s, const scree_seedling *one) {
    if (s->sower->wave)
        return s->waves > 1 ? (uint64_t)s->sower->wave(s->sower->of, one->k)
                            : 0;
    return scree_cells_key(&s->cells,
                           scree_cells_at(&s->cells, one->piece.ball.x));
}

static int64_t wave_of_key(const scree_scatter *s, uint64_t key) {
    return s->sower->wave ? (int64_t)key : scree_cells_colour(key);
}

/* May another rank have to know of a body that looks for a place? It strays
 * from home, and so does what may meet it; a little more for rounding. */
static bool is_near_border(const scree_scatter *s, const scree_seedling *one) {
    if (!s->sower->wave) return true;
    const scree_cell_ranks near =
        scree_cells_near(&s->cells, one->piece.ball.x, 2.01 * s->reach);
    for (int i = 0; i < 3; i++)
        if (near.first[i] != near.last[i]) return true;
    return false;
}

/* Keys in the order of numbers. */
static scree_status order_keys(scree_scatter *s, const scree_seedlings *of) {
    if (of->n >= INT32_MAX) return SCREE_OUT_OF_MEMORY;
    TRY(scree_reserve(&s->keys, &s->keys_capacity, 2 * of->n, sizeof *s->keys));
    for (int32_t i = 0; i < of->n; i++)
        s->keys[i] = (scree_key){(uint64_t)of->list[i].k, i};
    scree_sort_keys(s->keys, s->keys + of->n, of->n, 1);
    return SCREE_OK;
}

/* By wave, cell and number; counts those of a wave that are near a border. */
static void line_up(scree_scatter *s, int64_t *near_border) {
    const scree_seedlings *w = &s->waiting;
    if (note_failure(s, order_keys(s, w))) return;
    for (int64_t k = 0; k < w->n; k++) {
        const scree_seedling *one = &w->list[s->keys[k].item];
        const uint64_t key = s->keys[k].key = wave_key(s, one);
        near_border[wave_of_key(s, key)] += is_near_border(s, one);
    }
    scree_sort_keys(s->keys, s->keys + w->n, w->n, 1);
}

static void look_for_place(scree_scatter *s, int visit, scree_seedling *one) {
    const scree_sower *sower = s->sower;
    if (!sower->find(sower->of, &s->place, &s->cells, visit, one, &s->tries))
        return;
    see_ball(s, one->piece.ball);
    push_seedling(s, &s->placed, one);
    one->k = -1;
    s->found++;
}

static void visit_cells(scree_scatter *s, int visit,
                        const int64_t *near_border) {
    int64_t k = 0, shown = s->placed.n;
    for (int64_t wave = 0; wave < s->waves; wave++) {
        for (; k < s->waiting.n && s->status == SCREE_OK &&
               wave_of_key(s, s->keys[k].key) == wave;
             k++)
            look_for_place(s, visit, &s->waiting.list[s->keys[k].item]);
        if (s->comm->size == 1 || near_border[wave] == 0) continue;
        for (; shown < s->placed.n; shown++)
            show_ball(s, s->placed.list[shown].piece.ball, false);
        see_mail(s);
    }
}

/* ---- rounds -------------------------------------------------------------- */

/* How it goes, on all ranks; then those near a border, by wave. */
enum { WAITING, TRIES, FOUND, FAILED, COUNTS };

static scree_status begin_counts(scree_scatter *s) {
    s->waves = count_waves(s);
    if (s->waves > INT_MAX - COUNTS) return SCREE_OUT_OF_MEMORY;
    s->counts = calloc((size_t)(COUNTS + s->waves), sizeof *s->counts);
    return s->counts ? SCREE_OK : SCREE_OUT_OF_MEMORY;
}

static void take_stock(scree_scatter *s) {
    int64_t *c = s->counts;
    const int64_t n = COUNTS + s->waves;
    memset(c, 0, (size_t)n * sizeof *c);
    line_up(s, c + COUNTS);
    c[WAITING] = s->waiting.n;
    c[TRIES] = s->tries;
    c[FOUND] = s->found;
    c[FAILED] = s->status != SCREE_OK;
    scree_comm_sum_counts(s->comm, c, (int)n);
}

/* When it was judged last, on all ranks. */
typedef struct progress {
    int64_t tries, found;
} progress;

/* Did the last places cost more tries than there is patience for? */
static bool is_hopeless(const scree_scatter *s, progress *last) {
    const int64_t tries = s->counts[TRIES] - last->tries;
    const int64_t found = s->counts[FOUND] - last->found;
    if (tries < s->sower->patience) return false;
    *last = (progress){s->counts[TRIES], s->counts[FOUND]};
    return found < tries / s->sower->patience;
}

static scree_status make_rounds(scree_scatter *s) {
    progress last = {0};
    for (int visit = 0;; visit++) {
        if (visit > 0) move_on(s, visit);
        take_stock(s);
        if (s->counts[FAILED]) return SCREE_OUT_OF_MEMORY;
        if (s->counts[WAITING] == 0) return SCREE_OK;
        if (visit == s->sower->visits || is_hopeless(s, &last))
            return SCREE_NO_ROOM;
        visit_cells(s, visit, s->counts + COUNTS);
    }
}

static double cell_side(const scree_scatter *s, int64_t n, double r_max) {
    const scree_region *region = s->sower->region;
    const double each = CELL_BODIES * scree_region_volume(region) / (double)n;
    const double sparse = region->planar ? sqrt(each) : scree_cbrt(each);
    return fmax(CELL_DIAMETERS * 2 * r_max + 2 * s->sower->stray, sparse);
}

void scree_scatter_cut(scree_scatter *s, int64_t n, int64_t room,
                       double r_max) {
    s->reach = r_max + s->sower->stray;
    s->cells = scree_cells_cut(s->sower->region, cell_side(s, n, r_max),
                               s->comm->size);
    note_failure(s, scree_reserve(&s->placed.list, &s->placed.capacity,
                                  s->placed.n + share_of(s, room),
                                  sizeof *s->placed.list));
    look_around(s, room);
}

scree_status scree_scatter_place(scree_scatter *s, int64_t first, int64_t end) {
    s->tries = s->found = 0;
    sow_share(s, first, end);
    return make_rounds(s);
}

int64_t scree_scatter_first_waiting(const scree_scatter *s) {
    double first = INFINITY;
    for (int64_t k = 0; k < s->waiting.n; k++)
        first = fmin(first, (double)s->waiting.list[k].k);
    return (int64_t)-scree_world_most(s->world, -first);
}

/* ---- begin and end ------------------------------------------------------- */

static scree_status list_near(scree_scatter *s) {
    const scree_bodies *b = &s->world->state.bodies;
    for (int32_t i = 0; i < b->n; i++) {
        if (!scree_world_owns(s->world, i) ||
            !scree_ball_reaches(&b->x[i], s->min, s->max))
            continue;
        if (s->n_near == s->near_capacity)
            TRY(scree_reserve(&s->near, &s->near_capacity, 2 * s->n_near + 64,
                              sizeof *s->near));
        s->near[s->n_near++] = i;
        s->r_max = fmax(s->r_max, b->x[i].r);
    }
    return SCREE_OK;
}

scree_status scree_scatter_begin(scree_scatter *s, const scree_sower *sower,
                                 double r_max, const scree_world *world) {
    *s = (scree_scatter){.sower = sower,
                         .world = world,
                         .comm = scree_world_comm(world),
                         .r_max = r_max};
    scree_region_bounds(sower->region, s->min, s->max);
    scree_status status = list_near(s);
    if (status == SCREE_OK) status = begin_counts(s);
    if (status == SCREE_OK) status = scree_mail_clear(&s->mail, s->comm);
    s->standing = s->n_near;
    scree_comm_sum_counts(s->comm, &s->standing, 1);
    s->r_max = scree_world_most(world, s->r_max);
    return scree_world_agree_on(world, status, NULL);
}

/* Nobody looks for a place any more. */
static void forget_places(scree_scatter *s) {
    scree_place_free(&s->place);
    free(s->waiting.list);
    free(s->keys);
    free(s->near);
    s->waiting = (scree_seedlings){0};
    s->keys = NULL;
    s->near = NULL;
    s->keys_capacity = s->n_near = s->near_capacity = 0;
}

/* Each of the first n bodies to the rank that is to have it. */
static scree_status hand_over(scree_scatter *s, int64_t n) {
    int64_t mine = 0;
    forget_places(s);
    for (int64_t k = 0; k < s->placed.n; k++) {
        const scree_seedling *one = &s->placed.list[k];
        if (one->k >= n) continue;
        const int rank =
            scree_world_taker(s->world, scree_world_id_count(s->world) + one->k,
                              one->piece.ball.x);
        if (rank == s->comm->rank)
            s->placed.list[mine++] = *one;
        else
            post_message(s, rank, one, sizeof *one);
    }
    s->placed.n = mine;
    take_mail(s, &s->placed);
    drop_mail(s);
    return s->status;
}

static scree_status add_mine(const scree_scatter *s, const scree_grain *grain,
                             scree_world *world, scree_error *error) {
    for (int64_t k = 0; k < s->placed.n; k++) {
        const scree_seedling *one = &s->placed.list[s->keys[k].item];
        scree_random turn = s->sower->turn(s->sower->of, one->k);
        world->scene.batch->id = scree_world_id_count(world) + one->k;
        TRY(scree_piece_add(grain, one->piece, NULL, &turn, world, error));
    }
    return SCREE_OK;
}

scree_status scree_scatter_add(scree_scatter *s, int64_t n,
                               const scree_grain *grain, scree_world *world,
                               scree_error *error) {
    scree_status status = hand_over(s, n);
    if (status == SCREE_OK) status = order_keys(s, &s->placed);
    if (status == SCREE_OK)
        status = scree_bodies_reserve(&world->state.bodies,
                                      world->state.bodies.n + s->placed.n);
    TRY(scree_world_agree_on(world, status, NULL));
    scree_batch batch;
    scree_world_open_batch(world, &batch, n);
    status =
        scree_world_agree_on(world, add_mine(s, grain, world, error), error);
    scree_world_close_batch(world, status);
    return status;
}

void scree_scatter_free(scree_scatter *s) {
    forget_places(s);
    free(s->placed.list);
    free(s->counts);
    scree_mail_free(&s->mail);
    *s = (scree_scatter){0};
}

scree_status scree_scatter_end(scree_scatter *s, scree_status status,
                               const char *what, int64_t n,
                               scree_error *error) {
    scree_scatter_free(s);
    return scree_pieces_end(status, what, n, error);
}
