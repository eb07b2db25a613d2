/* fc3d_groups.c: each group takes the first contact that is left, and the next
 * ones that touch nothing in it, out of the WINDOW that follow: the order of the
 * sweep stays close to that of the contacts. */
#include "solvers/blocks/fc3d_groups.h"

enum { WINDOW = 64 };

/* Contacts that are left, as a list. */
typedef struct queue {
    int32_t first, *next; /* -1: no more */
    int32_t *touched;     /* (nc) the last group that touches the contact */
} queue;

static void touch_all(queue *q, const scree_fc3d *p, int i, int group) {
    for (int64_t k = p->row[i]; k < p->row[i + 1]; k++)
        q->touched[p->column[k]] = group;
}

static void fill_group(scree_fc3d_groups *g, queue *q, const scree_fc3d *p) {
    int32_t *link = &q->first, *slots = &g->contact[4 * g->n];
    int taken = 0;
    for (int n = 0; n < WINDOW && taken < 4 && *link >= 0; n++) {
        const int32_t i = *link;
        if (q->touched[i] == g->n) {
            link = &q->next[i];
            continue;
        }
        *link = q->next[i];
        touch_all(q, p, i, g->n);
        g->slot[i] = 4 * g->n + taken;
        slots[taken++] = i;
    }
    while (taken < 4) slots[taken++] = -1;
    g->n++;
}

/* Breadth first from one contact on, then from the first that is left; line
 * (nc) gets the contacts in that order. */
static void walk_contacts(const scree_fc3d *p, int start, int32_t *seen,
                          int32_t *line) {
    int n = 0;
    for (int i = -1, at = 0; i < p->nc; i++) {
        const int from = i < 0 ? start : i;
        if (seen[from] == -1) continue;
        seen[from] = -1;
        for (line[n++] = from; at < n; at++)
            for (int64_t k = p->row[line[at]]; k < p->row[line[at] + 1]; k++) {
                const int32_t j = p->column[k];
                if (seen[j] == -1) continue;
                seen[j] = -1;
                line[n++] = j;
            }
    }
}

/* The list from the contacts as given, or from one of many walks. */
static bool make_queue(queue *q, const scree_fc3d *p, int order,
                       scree_arena *scratch) {
    int32_t *line;
    if (!SCREE_PUSH(scratch, line, p->nc) ||
        !SCREE_PUSH(scratch, q->next, p->nc) ||
        !SCREE_PUSH(scratch, q->touched, p->nc))
        return false;
    for (int i = 0; i < p->nc; i++) q->touched[i] = order ? 0 : -1, line[i] = i;
    const uint64_t hash = (uint64_t)order * 2654435761u;
    if (order && p->nc)
        walk_contacts(p, (int)(hash % (uint64_t)p->nc), q->touched, line);
    q->first = -1;
    for (int i = p->nc - 1; i >= 0; i--) {
        q->next[line[i]] = q->first;
        q->first = line[i];
    }
    return true;
}

scree_status scree_fc3d_group(scree_fc3d_groups *g, const scree_fc3d *p,
                              int order, scree_arena *scratch) {
    queue q;
    *g = (scree_fc3d_groups){0};
    if (!SCREE_PUSH(scratch, g->slot, p->nc) ||
        !SCREE_PUSH(scratch, g->contact, 4 * (size_t)p->nc) ||
        !make_queue(&q, p, order, scratch))
        return SCREE_OUT_OF_MEMORY;
    while (q.first >= 0) fill_group(g, &q, p);
    return SCREE_OK;
}
