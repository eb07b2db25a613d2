#include "engine/ensemble/maps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/arena.h"
#include "engine/ensemble/trace.h"

static const double QUANTILE = 0.95;

const char *scree_map_name(scree_map map) {
#define X(id, name, about) [SCREE_MAP_##id] = name,
    static const char *const names[] = {SCREE_MAP_LIST(X)};
#undef X
    return names[map];
}

const char *scree_map_about(scree_map map) {
#define X(id, name, about) [SCREE_MAP_##id] = about,
    static const char *const texts[] = {SCREE_MAP_LIST(X)};
#undef X
    return texts[map];
}

static size_t cells_of(const scree_maps *maps) {
    return (size_t)maps->raster.nx * (size_t)maps->raster.ny;
}

/* ---- gathering ------------------------------------------------------------- */

scree_status scree_maps_open(scree_maps *maps, const scree_raster *grid) {
    *maps = (scree_maps){.raster = *grid};
    maps->deposits = calloc(cells_of(maps) + 1, sizeof *maps->deposits);
    return maps->deposits ? SCREE_OK : SCREE_OUT_OF_MEMORY;
}

void scree_maps_close(scree_maps *maps) {
    free(maps->visits);
    free(maps->deposits);
    free(maps->begin);
    *maps = (scree_maps){0};
}

static bool is_deposit(const scree_trajectory *it) {
    return it->end == SCREE_END_REST || it->end == SCREE_END_TIME;
}

scree_status scree_maps_add(scree_maps *maps, const scree_track *track) {
    const int64_t n = maps->n + track->n_visit;
    const int32_t cell =
        scree_raster_cell(&maps->raster, track->it.stop[0], track->it.stop[1]);
    TRY(scree_reserve(&maps->visits, &maps->room, n, sizeof *maps->visits));
    if (track->n_visit)
        memcpy(maps->visits + maps->n, track->visits,
               (size_t)track->n_visit * sizeof *maps->visits);
    maps->n = n;
    ++maps->trajectories;
    if (cell >= 0 && is_deposit(&track->it)) ++maps->deposits[cell];
    return SCREE_OK;
}

/* A file may name cells that are none. */
static void check_visits(const scree_maps *maps, scree_archive *a) {
    const int32_t cells = (int32_t)cells_of(maps);
    bool ok = true;
    for (int64_t i = 0; i < maps->n && ok; ++i)
        ok = maps->visits[i].cell >= 0 && maps->visits[i].cell < cells;
    if (!ok)
        scree_archive_fail(a, SCREE_BAD_INPUT,
                           "visits of cells that are not on the map");
}

void scree_maps_archive(scree_maps *maps, scree_archive *a) {
    static const scree_archive_field fields[] = {
        {"cell", SCREE_I32, 1, offsetof(scree_visit, cell)},
        {"speed", SCREE_F32, 1, offsetof(scree_visit, speed)},
        {"kinetic", SCREE_F32, 1, offsetof(scree_visit, kinetic)},
        {"height", SCREE_F32, 1, offsetof(scree_visit, height)}};
    scree_archive_group(a, "maps");
    scree_archive_array(a, "deposits", SCREE_I32, (int64_t)cells_of(maps), 1,
                        maps->deposits);
    const int64_t n = scree_archive_count(a, "cell", maps->n);
    if (a->status != SCREE_OK) return;
    if (a->loads && scree_reserve(&maps->visits, &maps->room, n,
                                  sizeof *maps->visits) != SCREE_OK) {
        scree_archive_fail(a, SCREE_OUT_OF_MEMORY, "no memory for its maps");
        return;
    }
    maps->n = n;
    const scree_items items = {maps->visits, sizeof *maps->visits, n, NULL};
    scree_archive_items(a, &items, SCREE_FIELDS(fields));
    if (a->loads && a->status == SCREE_OK) check_visits(maps, a);
}

/* ---- drawing --------------------------------------------------------------- */

scree_status scree_maps_sort(scree_maps *maps) {
    const size_t cells = cells_of(maps);
    int64_t *at = calloc(cells + 1, sizeof *at);
    scree_visit *sorted = malloc(((size_t)maps->n + 1) * sizeof *sorted);
    if (!at || !sorted) {
        free(at);
        free(sorted);
        return SCREE_OUT_OF_MEMORY;
    }
    for (int64_t i = 0; i < maps->n; ++i) ++at[maps->visits[i].cell + 1];
    for (size_t c = 0; c < cells; ++c) at[c + 1] += at[c];
    for (int64_t i = 0; i < maps->n; ++i)
        sorted[at[maps->visits[i].cell]++] = maps->visits[i];
    /* Each begin has moved to its end, the next one's begin. */
    memmove(at + 1, at, cells * sizeof *at);
    at[0] = 0;
    free(maps->visits);
    free(maps->begin);
    maps->visits = sorted, maps->begin = at, maps->room = maps->n + 1;
    return SCREE_OK;
}

typedef enum quantity { SPEED, KINETIC, HEIGHT } quantity;
typedef enum statistic { MAX, MEAN, P95 } statistic;

static double value_of(const scree_visit *v, quantity q) {
    return q == SPEED ? v->speed : q == KINETIC ? v->kinetic : v->height;
}

static int by_size(const void *p, const void *q) {
    const double a = *(const double *)p, b = *(const double *)q;
    return (a > b) - (a < b);
}

static double statistic_of(const scree_visit *v, int64_t n, quantity q,
                           statistic which, double *room) {
    double sum = 0;
    for (int64_t i = 0; i < n; ++i) sum += room[i] = value_of(&v[i], q);
    if (which == MEAN) return sum / (double)n;
    qsort(room, (size_t)n, sizeof *room, by_size);
    if (which == MAX) return room[n - 1];
    return room[(int64_t)ceil(QUANTILE * (double)n - 1e-9) - 1];
}

static double count_of(const scree_maps *maps, scree_map map, size_t cell,
                       int64_t n) {
    if (map == SCREE_MAP_DEPOSITS) return maps->deposits[cell];
    return map == SCREE_MAP_PASSAGES ? (double)n
                                     : (double)n / (double)maps->trajectories;
}

static int64_t most_visits(const scree_maps *maps) {
    int64_t most = 0;
    for (size_t c = 0; c < cells_of(maps); ++c)
        if (maps->begin[c + 1] - maps->begin[c] > most)
            most = maps->begin[c + 1] - maps->begin[c];
    return most;
}

scree_status scree_maps_draw(const scree_maps *maps, scree_map map,
                             double *values) {
    double *room = malloc((size_t)(most_visits(maps) + 1) * sizeof *room);
    if (!room) return SCREE_OUT_OF_MEMORY;
    const int k = (int)map - SCREE_MAP_SPEED_MAX;
    for (size_t c = 0; c < cells_of(maps); ++c) {
        const int64_t n = maps->begin[c + 1] - maps->begin[c];
        values[c] =
            n == 0  ? NAN
            : k < 0 ? count_of(maps, map, c, n)
                    : statistic_of(maps->visits + maps->begin[c], n,
                                   (quantity)(k / 3), (statistic)(k % 3), room);
    }
    free(room);
    return SCREE_OK;
}
