#include "engine/base/sort.h"

#include <string.h>

#include "engine/base/parallel.h"

/* Each digit is a counting sort in pieces, one per thread: count the digits of
 * a piece, add up over values and, within a value, over pieces, move the
 * piece's keys to their places. The result is the stable one for any number of
 * pieces. */
enum { DIGIT = 8, VALUES = 1 << DIGIT, MOST_PIECES = 64 };

typedef struct sorting {
    scree_key *keys, *scratch;
    int64_t n;
    uint64_t differ; /* bits in which keys differ */
    int pieces;
    int64_t (*place)[VALUES]; /* (pieces) */
} sorting;

static int digit_of(const scree_key *k, int shift) {
    return (int)(k->key >> shift) & (VALUES - 1);
}

static void count_digits(sorting *s, int piece, const scree_key *from,
                         int shift) {
    const int64_t first = s->n * piece / s->pieces;
    const int64_t last = s->n * (piece + 1) / s->pieces;
    int64_t *count = s->place[piece];
    memset(count, 0, sizeof s->place[piece]);
    for (int64_t i = first; i < last; ++i) ++count[digit_of(&from[i], shift)];
}

static void find_places(sorting *s) {
    int64_t sum = 0;
    for (int v = 0; v < VALUES; ++v)
        for (int piece = 0; piece < s->pieces; ++piece) {
            const int64_t count = s->place[piece][v];
            s->place[piece][v] = sum;
            sum += count;
        }
}

static void move_keys(sorting *s, int piece, const scree_key *from,
                      scree_key *to, int shift) {
    const int64_t first = s->n * piece / s->pieces;
    const int64_t last = s->n * (piece + 1) / s->pieces;
    int64_t *place = s->place[piece];
    for (int64_t i = first; i < last; ++i)
        to[place[digit_of(&from[i], shift)]++] = from[i];
}

/* A member's part of one digit. Fewer members may have come than pieces. */
static void sort_by_digit(sorting *s, const scree_team *team,
                          const scree_key *from, scree_key *to, int shift) {
    for (int p = team->rank; p < s->pieces; p += team->size)
        count_digits(s, p, from, shift);
    scree_team_wait(team);
    if (team->rank == 0) find_places(s);
    scree_team_wait(team);
    for (int p = team->rank; p < s->pieces; p += team->size)
        move_keys(s, p, from, to, shift);
    scree_team_wait(team);
}

static void sort_share(void *context, const scree_team *team) {
    sorting *s = context;
    scree_key *from = s->keys, *to = s->scratch;
    for (int shift = 0; shift < 64; shift += DIGIT) {
        if (!((s->differ >> shift) & (VALUES - 1))) continue;
        sort_by_digit(s, team, from, to, shift);
        scree_key *swap = from;
        from = to;
        to = swap;
    }
    int64_t first = 0, last = s->n;
    scree_team_share(team, &first, &last);
    if (from != s->keys && first < last)
        memcpy(&s->keys[first], &from[first],
               (size_t)(last - first) * sizeof *from);
}

void scree_sort_keys(scree_key *keys, scree_key *scratch, int64_t n,
                     int threads) {
    const int wanted = scree_threads_for(n, threads);
    int64_t place[MOST_PIECES][VALUES];
    sorting s = {.keys = keys, .scratch = scratch, .n = n, .place = place};
    s.pieces = wanted < MOST_PIECES ? wanted : MOST_PIECES;
    for (int64_t i = 1; i < n; ++i) s.differ |= keys[i].key ^ keys[0].key;
    scree_team_run(s.pieces, sort_share, &s);
}
