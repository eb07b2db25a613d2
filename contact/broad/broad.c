#include "contact/broad/broad.h"

#include <stdlib.h>
#include <string.h>

#include "contact/narrow/touch.h"
#include "contact/narrow/valid.h"
#include "engine/base/assert.h"
#include "engine/base/error.h"
#include "engine/base/parallel.h"

enum { LOOKAHEAD = 8, LEAST_AHEAD = 2, WALL_STEPS = 10 };
/* Skins that looking ahead may reach. In a falling bed of 100 000 spheres twice as
 * many make steps a quarter slower, half as many save no time. */
static const double FARTHEST = 10;

void scree_broad_free(scree_broad *broad) {
    free(broad->pairs);
    free(broad->apart);
    free(broad->built_q);
    free(broad->moved);
    free(broad->kept);
    free(broad->states);
    free(broad->colours);
    free(broad->built);
    *broad = (scree_broad){0};
}

/* ---- when ---------------------------------------------------------------- */

static bool any_wall_moves(const scree_scene *scene) {
    for (int w = 0; w < scene->n_wall; ++w)
        if (scree_plane_moves(&scene->walls[w])) return true;
    return false;
}

typedef struct check {
    const scree_broad *broad;
    const scree_scene *scene;
    double drift, drifted; /* [m/s], [m] */
    atomic_bool stale;
} check;

/* A turn by t moves a point by 2 r sin(t / 2) at most; |q - p| = 2 sin(t / 4). */
static double turned_by(scree_quat p, scree_quat q, double r) {
    const double w = p.w - q.w, x = p.x - q.x, y = p.y - q.y, z = p.z - q.z;
    return 2 * r * sqrt(w * w + x * x + y * y + z * z);
}

/* Half of how fast images move against their bodies, at most. */
static double drift_of(const scree_scene *scene, int most) {
    if (!scene->cell) return 0;
    double sum = 0;
    for (int k = 0; k < 3; ++k) sum += norm(scene->cell->speed[k]);
    return 0.5 * most * sum;
}

/* The same of how far they have moved since the list was built. */
static double drifted_since(const scree_broad *broad,
                            const scree_scene *scene) {
    double sum = 0;
    for (int k = 0; k < 3 && scene->cell; ++k)
        sum += norm(sub(scene->cell->edge[k], broad->built_edge[k]));
    return 0.5 * broad->built_most * sum;
}

/* The speed of a body, by the faster of its velocities. */
static double speed_of(const scree_scene *scene, int64_t i) {
    const double speed = norm(scene->u[i].v);
    return scene->also ? fmax(speed, norm(scene->also[i].v)) : speed;
}

static void check_chunk(void *context, int64_t first, int64_t last) {
    check *c = context;
    const scree_scene *scene = c->scene;
    const scree_ball *built = c->broad->built;
    if (atomic_load_explicit(&c->stale, memory_order_relaxed)) return;
    for (int64_t i = first; i < last; ++i) {
        const double moved = norm(sub(scene->x[i].x, built[i].x)) + c->drifted;
        if (scene->general)
            c->broad->moved[i] = moved + turned_by(c->broad->built_q[i],
                                                   scene->q[i], scene->x[i].r);
        const double ahead =
            (speed_of(scene, i) + c->drift) * scene->dt + scene->fall;
        if (moved + ahead + 0.5 * scene->slack <= built[i].r) continue;
        atomic_store_explicit(&c->stale, true, memory_order_relaxed);
        return;
    }
}

bool scree_broad_stale(scree_broad *broad, const scree_scene *scene) {
    if (!broad->valid || broad->n_built != scene->n) return true;
    if (scene->general && !broad->built_q) return true; /* none was loaded */
    if (broad->steps < WALL_STEPS) ++broad->steps; /* a bed may rest for ever */
    if (broad->steps >= WALL_STEPS && any_wall_moves(scene)) return true;
    check c = {.broad = broad,
               .scene = scene,
               .drift = drift_of(scene, broad->built_most),
               .drifted = drifted_since(broad, scene)};
    scree_parallel_for(scene->n, scene->threads, check_chunk, &c);
    return atomic_load(&c.stale);
}

/* ---- order --------------------------------------------------------------- */

double scree_broad_margin(const scree_scene *scene, int32_t i, double skin) {
    const double way = (speed_of(scene, i) + drift_of(scene, 1)) * scene->dt;
    const double farthest = fmax(LEAST_AHEAD * way, FARTHEST * skin);
    return 0.5 * (skin + scene->slack) + scene->fall +
           fmin(LOOKAHEAD * way, farthest);
}

typedef struct ordering {
    const scree_scene *scene;
    double skin;
    scree_ball *balls;
    const scree_grid *grid;
    scree_key *order;
} ordering;

static void grow_chunk(void *context, int64_t first, int64_t last) {
    const ordering *o = context;
    for (int64_t i = first; i < last; ++i) {
        o->balls[i] = o->scene->x[i];
        o->balls[i].r += scree_broad_margin(o->scene, (int32_t)i, o->skin);
    }
}

/* The balls that the grid searches with: each body grown by its margin. */
static scree_ball *grown_balls(const scree_scene *scene, double skin,
                               scree_arena *scratch) {
    ordering o = {
        .scene = scene,
        .skin = skin,
        .balls = scree_arena_push(scratch, (size_t)scene->n * sizeof *o.balls)};
    if (o.balls) scree_parallel_for(scene->n, scene->threads, grow_chunk, &o);
    return o.balls;
}

static void key_chunk(void *context, int64_t first, int64_t last) {
    const ordering *o = context;
    for (int64_t i = first; i < last; ++i)
        o->order[i] =
            (scree_key){scree_grid_key(o->grid, &o->balls[i]), (int32_t)i};
}

scree_status scree_broad_order(scree_broad *broad, const scree_scene *scene,
                               double skin, scree_key *order,
                               scree_arena *scratch) {
    const size_t mark = scree_arena_mark(scratch);
    const int32_t n = scene->n;
    ordering o = {.balls = grown_balls(scene, skin, scratch),
                  .grid = &broad->grid,
                  .order = order};
    scree_key *spare = scree_arena_push(scratch, (size_t)n * sizeof *spare);
    if (!o.balls || !spare) return SCREE_OUT_OF_MEMORY;
    TRY(scree_grid_fit(&broad->grid, o.balls, n, scene->threads, scratch));
    scree_parallel_for(n, scene->threads, key_chunk, &o);
    scree_sort_keys(order, spare, n, scene->threads);
    scree_arena_pop(scratch, mark);
    return SCREE_OK;
}

/* ---- carrying percussions over ------------------------------------------- */

/* A pair with percussions, in the list of its first body. */
typedef struct loaded_pair {
    int32_t b;
    scree_image image;
    int32_t next;  /* -1: the last one */
    int32_t count; /* of percussions */
    bool turned;   /* the order of its bodies changes */
} loaded_pair;

/* The old pairs with percussions, by their first body in the new order; each at
 * the place of its first percussion, so that room is for contacts, not for all
 * that was listed. Threads may link them in any order: each is there once, so the
 * same one is found. */
typedef struct loaded {
    const scree_broad *broad;
    const scree_key *order;
    const int64_t *id;  /* (n) in the new order, or NULL: see scree_scene */
    int32_t *place;     /* (n) of a body in the new order */
    atomic_int *head;   /* (n) first pair of a body, -1: none */
    loaded_pair *pairs; /* (n_kept) */
} loaded;

static void place_chunk(void *context, int64_t first, int64_t last) {
    const loaded *old = context;
    for (int64_t k = first; k < last; ++k) {
        old->place[old->order[k].item] = (int32_t)k;
        atomic_init(&old->head[k], -1);
    }
}

/* Is the pair of two bodies (b, a), not (a, b)? */
static bool is_swapped(const int64_t *id, int32_t a, int32_t b) {
    return id ? id[a] > id[b] : a > b;
}

/* The pair whose percussions begin at place i of those kept, or NULL. */
static const scree_pair *pair_from(const scree_broad *broad, int64_t i) {
    const int32_t k = broad->kept[i].pair;
    const scree_pair *p = k < broad->n_pair ? &broad->pairs[k] : NULL;
    return p && p->first == i && p->count > 0 ? p : NULL;
}

static void link_chunk(void *context, int64_t first, int64_t last) {
    const loaded *old = context;
    for (int64_t i = first; i < last; ++i) {
        const scree_pair *p = pair_from(old->broad, i);
        if (!p) continue;
        int32_t a = old->place[p->a], b = p->b < 0 ? p->b : old->place[p->b];
        const bool turned = p->b >= 0 && is_swapped(old->id, a, b);
        if (turned) {
            const int32_t swap = a;
            a = b, b = swap;
        }
        const int next = atomic_exchange_explicit(&old->head[a], (int)i,
                                                  memory_order_relaxed);
        const scree_image image =
            turned ? scree_image_turned(p->image) : p->image;
        old->pairs[i] = (loaded_pair){b, image, next, p->count, turned};
    }
}

/* Room for all percussions that can be kept: the same from rebuild to rebuild. */
static scree_status find_loaded(loaded *old, const scree_broad *broad,
                                const scree_key *order,
                                const scree_scene *scene,
                                scree_arena *scratch) {
    const int32_t n = scene->n;
    const int threads = scene->threads;
    const size_t bodies = (size_t)n, room = (size_t)broad->kept_capacity;
    *old = (loaded){
        .broad = broad,
        .order = order,
        .id = scene->id,
        .place = scree_arena_push(scratch, bodies * sizeof *old->place),
        .head = scree_arena_push(scratch, bodies * sizeof *old->head),
        .pairs = scree_arena_push(scratch, room * sizeof *old->pairs)};
    if (!old->place || !old->head || !old->pairs) return SCREE_OUT_OF_MEMORY;
    scree_parallel_for(n, threads, place_chunk, old);
    scree_parallel_for(broad->n_kept, threads, link_chunk, old);
    return SCREE_OK;
}

/* Where the percussions of (a, b) begin, -1: it has none. A body touches few
 * others: a scan beats a search. */
static int first_kept(const loaded *old, int32_t a, int32_t b,
                      scree_image image) {
    int p = atomic_load_explicit(&old->head[a], memory_order_relaxed);
    while (p >= 0 && (old->pairs[p].b != b || old->pairs[p].image != image))
        p = old->pairs[p].next;
    return p;
}

/* ---- the list ------------------------------------------------------------ */

typedef struct listing {
    scree_broad *broad;
    const scree_scene *scene;
    const scree_ball *balls; /* of bodies alone */
    scree_imaged seen;       /* what the grid searches */
    loaded old;
    int64_t bodies; /* pairs of bodies; those with walls follow */
    int64_t *next,
        *end; /* (n + 1) places of a body's pairs when they are sorted */
    scree_queue walls;
} listing;

/* The bodies of a link, of which one at most is an image: that is b, unless the order of
 * the two asks for the other one. */
static scree_pair pair_of_link(const listing *l, const scree_link *link) {
    scree_pair p = {.a = link->a, .b = link->b};
    if (p.b < 0) return p;
    const scree_imaged *seen = &l->seen;
    if (seen->image) {
        const scree_image a = seen->image[link->a], b = seen->image[link->b];
        p.a = seen->body[link->a], p.b = seen->body[link->b];
        p.image = a ? scree_image_turned(a) : b;
    }
    if (!is_swapped(l->scene->id, p.a, p.b)) return p;
    return (scree_pair){
        .a = p.b, .b = p.a, .image = scree_image_turned(p.image)};
}

/* Beyond the room of the list they are only counted. */
static void list_pairs(void *context, int64_t at, const scree_link *links,
                       int64_t n) {
    const listing *l = context;
    if (n == 0 || at + n > l->broad->pair_capacity) return;
    scree_pair *to = &l->broad->pairs[at];
    for (int64_t k = 0; k < n; ++k) {
        to[k] = pair_of_link(l, &links[k]);
        to[k].first = first_kept(&l->old, to[k].a, to[k].b, to[k].image);
    }
}

static int32_t lower_body(const scree_pair *p) {
    return p->b >= 0 && p->b < p->a ? p->b : p->a;
}

/* Pairs in the order of their lower bodies, those with walls among them: the bodies that
 * contacts begin with then rise all through the list, and threads who cut it have few
 * bodies in common (solvers/problem/parts.h). In place: each pair is swapped to the next free
 * place of its body until all places of a body are taken by its own. */
static void sort_pairs(const listing *l) {
    scree_broad *broad = l->broad;
    int64_t *next = l->next, *end = l->end;
    const int32_t n = l->scene->n;
    const size_t size = ((size_t)n + 1) * sizeof *next;
    memset(next, 0, size);
    for (int64_t k = 0; k < broad->n_pair; ++k)
        ++next[lower_body(&broad->pairs[k])];
    scree_prefix_sums(next, n + 1);
    memcpy(end, next + 1, size - sizeof *next);
    for (int32_t i = 0; i < n; ++i)
        while (next[i] < end[i]) {
            scree_pair *here = &broad->pairs[next[i]];
            scree_pair *there = &broad->pairs[next[lower_body(here)]++];
            const scree_pair swap = *here;
            *here = *there, *there = swap;
        }
}

/* The percussions that a pair has found become its own. */
static void take_chunk(void *context, int64_t first, int64_t last) {
    const listing *l = context;
    for (int64_t k = first; k < last; ++k) {
        scree_pair *p = &l->broad->pairs[k];
        if (p->first < 0) continue;
        const loaded_pair *from = &l->old.pairs[p->first];
        p->count = (int16_t)from->count;
        for (int32_t i = p->first; i < p->first + p->count; ++i) {
            scree_kept *kept = &l->broad->kept[i];
            kept->pair = (int32_t)k;
            if (!from->turned) continue;
            kept->P = scale(-1.0, kept->P);
            if (i < l->broad->n_state)
                scree_state_swap(l->scene->odd, l->broad->states[i].x);
            kept->key = scree_key_swapped(kept->key);
        }
    }
}

scree_vec3 scree_meeting_point(const scree_ball *x, int64_t id_x,
                               const scree_ball *y, int64_t id_y) {
    const scree_ball *a = id_x < id_y ? x : y, *b = id_x < id_y ? y : x;
    const scree_vec3 d = sub(b->x, a->x);
    const double length = norm(d);
    if (length == 0) return a->x;
    const double from = fmax(0, length - b->r), to = fmin(length, a->r);
    return add_scaled(a->x, 0.5 * (from + to) / length, d);
}

/* Two bodies that other ranks have as well. */
static bool claims_pair(const listing *l, int32_t a, int32_t b) {
    const scree_claim *claim = l->scene->claim;
    if (!claim->border[a] || !claim->border[b]) return true;
    return claim->owns(claim->context,
                       scree_meeting_point(&l->balls[a], claim->id[a],
                                           &l->balls[b], claim->id[b]));
}

/* The same if one may be an image: where the body of lesser id is itself. */
static bool claims_image(const listing *l, int32_t i, int32_t j) {
    const scree_claim *claim = l->scene->claim;
    const int32_t a = l->seen.body[i], b = l->seen.body[j];
    if (!claim->border[a] || !claim->border[b]) return true;
    const bool lesser = claim->id[a] < claim->id[b];
    const scree_image away =
        lesser ? l->seen.image[i] : l->seen.image[j]; /* of the lesser */
    const scree_vec3 back =
        scree_period_shift(l->scene->cell, scree_image_turned(away));
    scree_ball x = l->seen.balls[i], y = l->seen.balls[j];
    x.x = add(x.x, back), y.x = add(y.x, back);
    return claim->owns(claim->context,
                       scree_meeting_point(&x, claim->id[a], &y, claim->id[b]));
}

static bool passes_by(const listing *l, int32_t i, int32_t j) {
    const scree_passing *p = l->scene->passing;
    const int32_t *body = l->seen.image ? l->seen.body : NULL;
    if (!p) return false;
    return p->pass(p->context, body ? body[i] : i, body ? body[j] : j);
}

/* Images meet each other as their bodies do, and no body meets its own. */
static bool wants_link(const void *context, int32_t i, int32_t j) {
    const listing *l = context;
    const scree_imaged *seen = &l->seen;
    if (passes_by(l, i, j)) return false;
    if (!seen->image) return !l->scene->claim || claims_pair(l, i, j);
    if ((seen->image[i] && seen->image[j]) || seen->body[i] == seen->body[j])
        return false;
    return !l->scene->claim || claims_image(l, i, j);
}

static bool passes_wall(const scree_scene *scene, int64_t i, int wall) {
    const scree_passing *p = scene->passing;
    return p && p->pass_wall(p->context, (int32_t)i, wall);
}

/* A pair with a wall is its owner's. */
static bool claims_walls(const scree_scene *scene, int64_t i) {
    return !scene->claim || scene->claim->owner[i] == scene->claim->rank;
}

static bool near_wall(const scree_plane *plane, const scree_ball *ball,
                      double dt) {
    const double reach = norm(sub(ball->x, plane->o));
    const double approach =
        (plane->v_max + fabs(plane->rate) * reach) * (WALL_STEPS + 2) * dt;
    if (scree_plane_is_surface(plane))
        return scree_wall_near(plane, ball, approach);
    return dot(plane->n, ball->x) - plane->d <= ball->r + approach;
}

/* Wall after wall, in chunks of bodies. */
static void search_walls(void *context, const scree_team *team) {
    (void)team;
    listing *l = context;
    const int64_t chunks = scree_chunk_count(l->scene->n);
    scree_link links[SCREE_CHUNK];
    for (int64_t c; (c = scree_queue_take(&l->walls)) >= 0;) {
        const int w = (int)(c / chunks);
        const int64_t first = c % chunks * SCREE_CHUNK;
        const int64_t last = scree_chunk_end(first, l->scene->n);
        int64_t n = 0;
        for (int64_t i = first; i < last; ++i)
            if (claims_walls(l->scene, i) &&
                near_wall(&l->scene->walls[w], &l->balls[i], l->scene->dt) &&
                !passes_wall(l->scene, i, w))
                links[n++] = (scree_link){(int32_t)i, -1 - w};
        list_pairs(l, l->bodies + scree_queue_pass(&l->walls, c, n), links, n);
    }
}

static scree_status list_all(listing *l, scree_arena *scratch) {
    const scree_scene *scene = l->scene;
    const bool choosy = scene->claim || scene->cell || scene->passing;
    TRY(scree_grid_pairs(&l->broad->grid, l->seen.balls, l->seen.key, l->seen.n,
                         scene->threads, scratch, list_pairs,
                         choosy ? wants_link : NULL, l, &l->bodies));
    scree_queue_open(&l->walls, scene->n_wall * scree_chunk_count(scene->n));
    scree_team_run(scree_threads_for(scene->n, scene->threads), search_walls,
                   l);
    l->broad->n_pair = l->bodies + l->walls.claimed;
    return SCREE_OK;
}

typedef struct memory {
    scree_broad *broad;
    const scree_scene *scene;
    double skin;
} memory;

static void remember_chunk(void *context, int64_t first, int64_t last) {
    const memory *m = context;
    for (int64_t i = first; i < last; ++i)
        m->broad->built[i] =
            (scree_ball){m->scene->x[i].x,
                         scree_broad_margin(m->scene, (int32_t)i, m->skin)};
}

static scree_status remember_scene(scree_broad *broad, const scree_scene *scene,
                                   double skin) {
    memory m = {broad, scene, skin};
    TRY(scree_reserve(&broad->built, &broad->built_capacity, scene->n,
                      sizeof *broad->built));
    scree_parallel_for(scene->n, scene->threads, remember_chunk, &m);
    broad->n_built = scene->n;
    broad->steps = 0;
    broad->valid = true;
    return SCREE_OK;
}

/* New pairs have been separated by nothing yet. */
static scree_status forget_apart(scree_broad *broad, const scree_scene *scene) {
    const size_t n = (size_t)scene->n;
    if (!scene->general) return SCREE_OK;
    TRY(scree_reserve(&broad->built_q, &broad->built_q_capacity, scene->n,
                      sizeof *broad->built_q));
    TRY(scree_reserve(&broad->moved, &broad->moved_capacity, scene->n,
                      sizeof *broad->moved));
    if (n) memcpy(broad->built_q, scene->q, n * sizeof *broad->built_q);
    if (n) memset(broad->moved, 0, n * sizeof *broad->moved);
    TRY(scree_reserve_anew(&broad->apart, &broad->apart_capacity,
                           broad->pair_capacity, sizeof *broad->apart));
    if (broad->n_pair)
        memset(broad->apart, 0, (size_t)broad->n_pair * sizeof *broad->apart);
    return SCREE_OK;
}

/* Bodies as they are, or with their images. */
static scree_status see_images(listing *l, const uint64_t *key,
                               scree_arena *scratch) {
    const scree_scene *scene = l->scene;
    l->seen = (scree_imaged){scene->n, l->balls, key, NULL, NULL};
    l->broad->built_most = 0;
    if (!scene->cell) return SCREE_OK;
    for (int k = 0; k < 3; ++k) l->broad->built_edge[k] = scene->cell->edge[k];
    int most;
    TRY(scree_imaged_make(scene->cell, &l->broad->grid, l->balls, scene->n,
                          scene->threads, scratch, &l->seen, &most));
    l->broad->built_most = most > 1 ? most : 1;
    return SCREE_OK;
}

static scree_status build_pairs(scree_broad *broad, const scree_scene *scene,
                                double skin, const scree_key *order,
                                scree_arena *scratch) {
    listing l = {.broad = broad, .scene = scene};
    l.balls = grown_balls(scene, skin, scratch);
    uint64_t *key = scree_arena_push(scratch, (size_t)scene->n * sizeof *key);
    l.next = scree_arena_push(scratch, ((size_t)scene->n + 1) * sizeof *l.next);
    l.end = scree_arena_push(scratch, ((size_t)scene->n + 1) * sizeof *l.end);
    if (!l.balls || !key || !l.next || !l.end) return SCREE_OUT_OF_MEMORY;
    for (int32_t k = 0; k < scene->n; ++k) key[k] = order[k].key;
    TRY(see_images(&l, key, scratch));

    TRY(find_loaded(&l.old, broad, order, scene, scratch));
    TRY(list_all(&l, scratch));
    if (broad->n_pair > broad->pair_capacity) {
        TRY(scree_reserve_anew(&broad->pairs, &broad->pair_capacity,
                               broad->n_pair, sizeof *broad->pairs));
        TRY(list_all(&l, scratch));
    }
    broad->n_colour = 0; /* all choose anew */
    sort_pairs(&l);
    scree_assert(scree_pairs_is_valid(broad, scene));
    scree_parallel_for(broad->n_pair, scene->threads, take_chunk, &l);
    TRY(forget_apart(broad, scene));
    return remember_scene(broad, scene, skin);
}

scree_status scree_broad_build(scree_broad *broad, const scree_scene *scene,
                               double skin, const scree_key *order,
                               scree_arena *scratch) {
    const size_t mark = scree_arena_mark(scratch);
    const scree_status status = build_pairs(broad, scene, skin, order, scratch);
    scree_arena_pop(scratch, mark);
    if (status !=
        SCREE_OK) { /* bodies have other places than in the old list */
        broad->n_pair = 0;
        broad->valid = false;
    }
    return status;
}
