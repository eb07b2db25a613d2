#include "engine/base/sort.h"

#include <string.h>

enum { DIGIT = 8, VALUES = 1 << DIGIT };

static void sort_by_digit(const scree_key *from, scree_key *to, int64_t n,
                          int shift) {
    int64_t start[VALUES + 1] = {0};
    for (int64_t i = 0; i < n; ++i)
        ++start[((from[i].key >> shift) & (VALUES - 1)) + 1];
    for (int v = 0; v < VALUES; ++v) start[v + 1] += start[v];
    for (int64_t i = 0; i < n; ++i)
        to[start[(from[i].key >> shift) & (VALUES - 1)]++] = from[i];
}

void scree_sort_keys(scree_key *keys, scree_key *scratch, int64_t n) {
    uint64_t differ = 0;
    for (int64_t i = 1; i < n; ++i) differ |= keys[i].key ^ keys[0].key;
    scree_key *from = keys, *to = scratch;
    for (int shift = 0; shift < 64; shift += DIGIT) {
        if (!((differ >> shift) & (VALUES - 1))) continue;
        sort_by_digit(from, to, n, shift);
        scree_key *swap = from;
        from = to;
        to = swap;
    }
    if (from != keys) memcpy(keys, from, (size_t)n * sizeof *keys);
}
