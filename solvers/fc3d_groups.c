/* fc3d_groups.c: each group takes the first contact that is left, and the next
 * ones that touch nothing in it, out of the WINDOW that follow: the order of the
 * sweep stays close to that of the contacts. */
#include "solvers/fc3d_groups.h"

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

scree_status scree_fc3d_group(scree_fc3d_groups *g, const scree_fc3d *p,
                              scree_arena *scratch) {
    const size_t nc = (size_t)p->nc;
    queue q = {.first = p->nc ? 0 : -1};
    *g = (scree_fc3d_groups){0};
    g->slot = scree_arena_push(scratch, nc * sizeof *g->slot);
    g->contact = scree_arena_push(scratch, 4 * nc * sizeof *g->contact);
    q.next = scree_arena_push(scratch, nc * sizeof *q.next);
    q.touched = scree_arena_push(scratch, nc * sizeof *q.touched);
    if (!g->slot || !g->contact || !q.next || !q.touched)
        return SCREE_OUT_OF_MEMORY;
    for (int i = 0; i < p->nc; i++) {
        q.next[i] = i + 1 < p->nc ? i + 1 : -1;
        q.touched[i] = -1;
    }
    while (q.first >= 0) fill_group(g, &q, p);
    return SCREE_OK;
}
