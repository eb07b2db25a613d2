/* clusters.c: finds clusters by union-find, measures them, and solves those that
 * fail: clusters.h. */
#include "solvers/clusters.h"

#include <string.h>

#include "engine/base/error.h"
#include "solvers/cluster.h"
#include "solvers/kernel.h"
#include "solvers/round.h"

/* ---- who is connected ---------------------------------------------------------- */

typedef struct clusters {
    int32_t *parent;   /* (n_body) of union-find */
    int32_t *count;    /* (n_body) contacts, at the root */
    int64_t *first;    /* (n_body + 1) of a root's contacts in `list` */
    int32_t *list;     /* (n_contact) contacts by root */
    double *mass;      /* (n_body) at the root [kg] */
    bool *out_of_hand; /* (n_body) at the root: other ranks have a part */
} clusters;

static bool make_room(const scree_problem *p, scree_arena *scratch,
                      clusters *c) {
    const size_t n = (size_t)p->n_body + 1, contacts = (size_t)p->slot_capacity;
    c->parent = scree_arena_push(scratch, n * sizeof *c->parent);
    c->count = scree_arena_push(scratch, n * sizeof *c->count);
    c->first = scree_arena_push(scratch, (n + 1) * sizeof *c->first);
    c->list = scree_arena_push(scratch, (contacts + 1) * sizeof *c->list);
    c->mass = scree_arena_push(scratch, n * sizeof *c->mass);
    c->out_of_hand = scree_arena_push(scratch, n * sizeof *c->out_of_hand);
    return c->parent && c->count && c->first && c->list && c->mass &&
           c->out_of_hand;
}

/* Halves the path on its way. */
static int32_t find_root(int32_t *parent, int32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

/* A body of contact i that moves. */
static int32_t body_of(const scree_problem *p, int64_t i, int32_t *other) {
    int lane;
    int32_t a, b;
    if (scree_problem_is_general(p, i)) {
        const scree_general *k = scree_problem_general(p, i, &lane);
        a = k->a[lane], b = k->b[lane];
    } else {
        const scree_block *k = scree_problem_block(p, i, &lane);
        a = k->a[lane], b = k->b[lane];
    }
    *other = a < p->n_body ? b : a;
    return a < p->n_body ? a : b;
}

static void join_bodies(const scree_problem *p, int32_t *parent) {
    for (int32_t i = 0; i < p->n_body; ++i) parent[i] = i;
    for (int64_t i = 0; i < p->n_contact; ++i) {
        int32_t other;
        const int32_t body = body_of(p, i, &other);
        if (other >= p->n_body) continue;
        const int32_t x = find_root(parent, body), y = find_root(parent, other);
        parent[x > y ? x : y] = x > y ? y : x;
    }
}

static int32_t root_of(const scree_problem *p, int64_t i, clusters *c) {
    int32_t other;
    return find_root(c->parent, body_of(p, i, &other));
}

/* Contacts of a root keep their order. */
static void list_contacts(const scree_problem *p, clusters *c) {
    memset(c->count, 0, (size_t)p->n_body * sizeof *c->count);
    for (int64_t i = 0; i < p->n_contact; ++i) ++c->count[root_of(p, i, c)];
    c->first[0] = 0;
    for (int32_t k = 0; k < p->n_body; ++k)
        c->first[k + 1] = c->first[k] + c->count[k];
    memset(c->count, 0, (size_t)p->n_body * sizeof *c->count);
    for (int64_t i = 0; i < p->n_contact; ++i) {
        const int32_t root = root_of(p, i, c);
        c->list[c->first[root] + c->count[root]++] = (int32_t)i;
    }
}

static void add_masses(const scree_problem *p, clusters *c) {
    memset(c->mass, 0, (size_t)p->n_body * sizeof *c->mass);
    for (int32_t i = 0; i < p->n_body; ++i)
        if (p->u[i].inv_m > 0)
            c->mass[find_root(c->parent, i)] += 1 / p->u[i].inv_m;
}

static void mark_borders(const scree_problem *p, clusters *c) {
    memset(c->out_of_hand, 0, (size_t)p->n_body * sizeof *c->out_of_hand);
    for (int64_t k = 0; p->coupling && k < p->coupling->n_shared; ++k)
        c->out_of_hand[find_root(c->parent, p->coupling->shared[k].place)] =
            true;
}

/* ---- which fail ------------------------------------------------------------------ */

/* Of `mass` [kg]. Percussions are left out of what errors are compared with: those of
 * heavy bodies are large beside all that light ones do. */
static bool misses(const scree_problem *p, const int32_t *list, int32_t n,
                   double mass, const scree_cluster_goal *goal) {
    const double v2 = goal->speed * goal->speed;
    const double tolerance2 = goal->tolerance * goal->tolerance;
    scree_measure m = {0};
    for (int32_t k = 0; k < n; ++k) {
        const scree_row row = scree_problem_row(p, list[k]);
        scree_row_measure(&row, p->u, &m);
    }
    return m.F2 > tolerance2 * fmax(m.xi2, n * v2) ||
           m.normal > goal->approach || m.power > goal->balance * mass * v2;
}

scree_status scree_problem_solve_clusters(scree_problem *p,
                                          const scree_cluster_goal *goal,
                                          scree_arena *scratch,
                                          int64_t *solved) {
    const size_t mark = scree_arena_mark(scratch);
    clusters c;
    *solved = 0;
    if (p->ordering.on) return SCREE_OK;
    if (!make_room(p, scratch, &c)) return SCREE_OUT_OF_MEMORY;
    join_bodies(p, c.parent);
    list_contacts(p, &c);
    add_masses(p, &c);
    mark_borders(p, &c);
    scree_status status = SCREE_OK;
    for (int32_t k = 0; k < p->n_body && status == SCREE_OK; ++k) {
        const int32_t *list = &c.list[c.first[k]], n = c.count[k];
        if (n == 0 || n > goal->most || c.out_of_hand[k]) continue;
        if (!misses(p, list, n, c.mass[k], goal)) continue;
        bool better;
        status = scree_cluster_solve(p, list, n, goal->speed, scratch, &better);
        *solved += better;
    }
    scree_arena_pop(scratch, mark);
    return status;
}
