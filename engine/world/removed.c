#include "engine/world/removed.h"

#include <stdlib.h>

#include "engine/base/arena.h"

/* How many of the list come before `id`. */
static int64_t count_before(const scree_removed *r, int64_t id) {
    int64_t low = 0, high = r->n;
    while (low < high) {
        const int64_t mid = low + (high - low) / 2;
        if (r->ids[mid] < id)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

int64_t scree_removed_row(const scree_removed *r, int64_t id) {
    return r->n ? id - count_before(r, id) : id;
}

int64_t scree_removed_id(const scree_removed *r, int64_t row) {
    int64_t low = 0, high = r->n;
    while (low < high) { /* r_i - i is the number of bodies left before r_i */
        const int64_t mid = low + (high - low) / 2;
        if (r->ids[mid] - mid <= row)
            low = mid + 1;
        else
            high = mid;
    }
    return row + low;
}

bool scree_removed_has(const scree_removed *r, int64_t id) {
    const int64_t at = count_before(r, id);
    return at < r->n && r->ids[at] == id;
}

static int by_number(const void *p, const void *q) {
    const int64_t a = *(const int64_t *)p, b = *(const int64_t *)q;
    return (a > b) - (a < b);
}

/* From the back, so that each old id moves once at most. */
static void merge_ids(scree_removed *r, const int64_t *sorted, int64_t n) {
    int64_t old = r->n, at = r->n + n;
    while (n > 0)
        r->ids[--at] = old > 0 && r->ids[old - 1] > sorted[n - 1]
                           ? r->ids[--old]
                           : sorted[--n];
}

scree_status scree_removed_add(scree_removed *r, int64_t *ids, int64_t n) {
    if (n == 0) return SCREE_OK;
    TRY(scree_reserve(&r->ids, &r->capacity, r->n + n, sizeof *r->ids));
    qsort(ids, (size_t)n, sizeof *ids, by_number);
    merge_ids(r, ids, n);
    r->n += n;
    return SCREE_OK;
}

bool scree_removed_is_valid(const scree_removed *r, int64_t ids) {
    for (int64_t k = 0; k < r->n; ++k)
        if (r->ids[k] < 0 || r->ids[k] >= ids ||
            (k > 0 && r->ids[k] <= r->ids[k - 1]))
            return false;
    return true;
}
