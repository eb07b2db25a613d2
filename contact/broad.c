#include "contact/broad.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/error.h"

enum { LOOKAHEAD = 8, WALL_STEPS = 10 };

void scree_broad_free(scree_broad *broad) {
    free(broad->pairs);
    free(broad->built);
    *broad = (scree_broad){0};
}

/* ---- when ----------------------------------------------------------------- */

static bool any_wall_moves(const scree_scene *scene) {
    for (int w = 0; w < scene->n_wall; ++w)
        if (scree_plane_moves(&scene->walls[w])) return true;
    return false;
}

bool scree_broad_stale(scree_broad *broad, const scree_scene *scene) {
    if (!broad->valid || broad->n_built != scene->n) return true;
    if (++broad->steps >= WALL_STEPS && any_wall_moves(scene)) return true;
    for (int32_t i = 0; i < scene->n; ++i) {
        const double moved = norm(sub(scene->x[i].x, broad->built[i].x));
        const double ahead = norm(scene->u[i].v) * scene->dt + scene->fall;
        if (moved + ahead + 0.5 * scene->slack > broad->built[i].r) return true;
    }
    return false;
}

/* ---- order ---------------------------------------------------------------- */

static double margin_of(const scree_scene *scene, int32_t i, double skin) {
    return 0.5 * (skin + scene->slack) + scene->fall +
           LOOKAHEAD * norm(scene->u[i].v) * scene->dt;
}

/* The balls that the grid searches with: each body grown by its margin. */
static scree_ball *grown_balls(const scree_scene *scene, double skin,
                               scree_arena *scratch) {
    scree_ball *balls =
        scree_arena_push(scratch, (size_t)scene->n * sizeof *balls);
    for (int32_t i = 0; balls && i < scene->n; ++i) {
        balls[i] = scene->x[i];
        balls[i].r += margin_of(scene, i, skin);
    }
    return balls;
}

scree_status scree_broad_order(const scree_scene *scene, double skin,
                               scree_key *order, scree_arena *scratch) {
    const size_t mark = scree_arena_mark(scratch);
    const scree_ball *balls = grown_balls(scene, skin, scratch);
    scree_key *spare =
        scree_arena_push(scratch, (size_t)scene->n * sizeof *spare);
    if (!balls || !spare) return SCREE_OUT_OF_MEMORY;
    const scree_grid grid = scree_grid_fit(balls, scene->n);
    for (int32_t i = 0; i < scene->n; ++i)
        order[i] = (scree_key){scree_grid_key(&grid, &balls[i]), i};
    scree_sort_keys(order, spare, scene->n);
    scree_arena_pop(scratch, mark);
    return SCREE_OK;
}

/* ---- carrying percussions over -------------------------------------------- */

/* The pairs that bore load, by their first body in the new order. */
typedef struct loaded {
    int64_t *start; /* (n + 1) */
    scree_pair *pairs;
} loaded;

/* A pair renamed to the new order, with a < b for two bodies. */
static scree_pair renamed(const scree_pair *p, const int32_t *place) {
    scree_pair q = *p;
    q.a = place[p->a];
    if (p->b < 0) return q;
    q.b = place[p->b];
    if (q.a < q.b) return q;
    return (scree_pair){q.b, q.a, scale(-1.0, q.P)};
}

static scree_status keep_loaded(loaded *old, const scree_broad *broad,
                                const scree_key *order, int32_t n,
                                scree_arena *scratch) {
    int32_t *place = scree_arena_push(scratch, (size_t)n * sizeof *place);
    old->start =
        scree_arena_push(scratch, ((size_t)n + 2) * sizeof *old->start);
    old->pairs = scree_arena_push(scratch, (size_t)broad->n_pair *
                                               sizeof *old->pairs);
    if (!place || !old->start || !old->pairs) return SCREE_OUT_OF_MEMORY;
    for (int32_t k = 0; k < n; ++k) place[order[k].item] = k;

    memset(old->start, 0, ((size_t)n + 2) * sizeof *old->start);
    for (int64_t p = 0; p < broad->n_pair; ++p)
        if (scree_pair_bears_load(&broad->pairs[p]))
            ++old->start[renamed(&broad->pairs[p], place).a + 2];
    for (int32_t k = 0; k < n; ++k) old->start[k + 2] += old->start[k + 1];
    for (int64_t p = 0; p < broad->n_pair; ++p) {
        if (!scree_pair_bears_load(&broad->pairs[p])) continue;
        const scree_pair q = renamed(&broad->pairs[p], place);
        old->pairs[old->start[q.a + 1]++] = q;
    }
    return SCREE_OK;
}

/* A body touches few others: a scan beats a search. */
static scree_vec3 last_percussion(const loaded *old, int32_t a, int32_t b) {
    for (int64_t p = old->start[a]; p < old->start[a + 1]; ++p)
        if (old->pairs[p].b == b) return old->pairs[p].P;
    return vec(0, 0, 0);
}

/* ---- the list -------------------------------------------------------------- */

typedef struct listing {
    scree_broad *broad;
    loaded old;
} listing;

static scree_status list_pair(void *context, int32_t a, int32_t b) {
    listing *l = context;
    scree_broad *broad = l->broad;
    TRY(scree_reserve(&broad->pairs, &broad->pair_capacity, broad->n_pair + 1,
                      sizeof *broad->pairs));
    broad->pairs[broad->n_pair++] =
        (scree_pair){a, b, last_percussion(&l->old, a, b)};
    return SCREE_OK;
}

static scree_status list_walls(listing *l, const scree_scene *scene,
                               const scree_ball *balls) {
    for (int w = 0; w < scene->n_wall; ++w) {
        const scree_plane *plane = &scene->walls[w];
        for (int32_t i = 0; i < scene->n; ++i) {
            const double reach = norm(sub(balls[i].x, plane->o));
            const double approach = (plane->v_max + fabs(plane->rate) * reach) *
                                    (WALL_STEPS + 2) * scene->dt;
            if (dot(plane->n, balls[i].x) - plane->d <= balls[i].r + approach)
                TRY(list_pair(l, i, -1 - w));
        }
    }
    return SCREE_OK;
}

static scree_status remember(scree_broad *broad, const scree_scene *scene,
                             double skin) {
    TRY(scree_reserve(&broad->built, &broad->built_capacity, scene->n,
                      sizeof *broad->built));
    for (int32_t i = 0; i < scene->n; ++i)
        broad->built[i] =
            (scree_ball){scene->x[i].x, margin_of(scene, i, skin)};
    broad->n_built = scene->n;
    broad->steps = 0;
    broad->valid = true;
    return SCREE_OK;
}

static scree_status build(scree_broad *broad, const scree_scene *scene,
                          double skin, const scree_key *order,
                          scree_arena *scratch) {
    listing l = {.broad = broad};
    const scree_ball *balls = grown_balls(scene, skin, scratch);
    uint64_t *key = scree_arena_push(scratch, (size_t)scene->n * sizeof *key);
    if (!balls || !key) return SCREE_OUT_OF_MEMORY;
    for (int32_t k = 0; k < scene->n; ++k) key[k] = order[k].key;
    const scree_grid grid = scree_grid_fit(balls, scene->n);

    TRY(keep_loaded(&l.old, broad, order, scene->n, scratch));
    broad->n_pair = 0;
    TRY(scree_grid_pairs(&grid, balls, key, scene->n, scratch, list_pair, &l));
    TRY(list_walls(&l, scene, balls));
    return remember(broad, scene, skin);
}

scree_status scree_broad_build(scree_broad *broad, const scree_scene *scene,
                               double skin, const scree_key *order,
                               scree_arena *scratch) {
    const size_t mark = scree_arena_mark(scratch);
    const scree_status status = build(broad, scene, skin, order, scratch);
    scree_arena_pop(scratch, mark);
    return status;
}
