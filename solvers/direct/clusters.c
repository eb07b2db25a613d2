/* clusters.c: finds clusters by union-find, measures them, and solves those that
 * fail: clusters.h. Those of several ranks, or in the order of ids: clusters_apart.c. */
#include "solvers/direct/clusters_parts.h"

#include <string.h>

#include "engine/base/error.h"
#include "solvers/direct/cluster.h"
#include "solvers/problem/percussions.h"
#include "solvers/problem/round.h"

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
    const size_t n = (size_t)p->n_body;
    return SCREE_PUSH(scratch, c->parent, n) &&
           SCREE_PUSH(scratch, c->count, n) &&
           SCREE_PUSH(scratch, c->first, n + 1) &&
           SCREE_PUSH(scratch, c->list, p->slot_capacity) &&
           SCREE_PUSH(scratch, c->mass, n) &&
           SCREE_PUSH(scratch, c->out_of_hand, n);
}

/* Halves the path on its way. */
static int32_t find_root(int32_t *parent, int32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

/* A body of contact i that moves. */
static int32_t body_of(const scree_problem *p, int64_t i, int32_t *other) {
    int32_t a, b;
    scree_problem_bodies(p, i, &a, &b);
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

/* Percussions are left out of what errors are compared with: those of heavy bodies are
 * large beside all that light ones do. */
bool scree_rows_miss(const scree_row *rows, int32_t n, const scree_twist *u,
                     double mass, const scree_cluster_goal *goal) {
    const double v2 = goal->speed * goal->speed;
    const double tolerance2 = goal->tolerance * goal->tolerance;
    scree_measure m = {0};
    for (int32_t k = 0; k < n; ++k) scree_row_measure(&rows[k], u, &m);
    return m.F2 > tolerance2 * fmax(m.xi2, n * v2) ||
           m.normal > goal->approach || m.power > goal->balance * mass * v2;
}

/* One that is all here. */
static scree_status solve_here(scree_problem *p, const clusters *c,
                               int32_t root, const scree_cluster_goal *goal,
                               scree_arena *scratch, int64_t *solved) {
    const size_t mark = scree_arena_mark(scratch);
    const int32_t *list = &c->list[c->first[root]], n = c->count[root];
    scree_row *rows = scree_arena_push(scratch, (size_t)n * sizeof *rows);
    bool better = false;
    if (!rows) return SCREE_OUT_OF_MEMORY;
    for (int32_t k = 0; k < n; ++k) rows[k] = scree_problem_row(p, list[k]);
    if (scree_rows_miss(rows, n, p->u, c->mass[root], goal))
        TRY(scree_cluster_solve_rows(p, rows, n, goal->speed,
                                     SCREE_WHOLE_EFFORT, scratch, &better));
    for (int32_t k = 0; k < n && better; ++k)
        scree_problem_set_step(p, list[k], scree_row_step(&rows[k]));
    *solved += better;
    scree_arena_pop(scratch, mark);
    return SCREE_OK;
}

static scree_status solve_all_here(scree_problem *p, const clusters *c,
                                   const scree_cluster_goal *goal,
                                   scree_arena *scratch, int64_t *solved) {
    for (int32_t k = 0; k < p->n_body; ++k)
        if (c->count[k] > 0 && c->count[k] <= goal->most && !c->out_of_hand[k])
            TRY(solve_here(p, c, k, goal, scratch, solved));
    return SCREE_OK;
}

/* Bodies without contacts stand in nobody's way. */
static scree_status solve_apart(scree_problem *p, clusters *c,
                                const scree_cluster_goal *goal,
                                scree_arena *scratch, int64_t *solved) {
    const scree_parted parted = {c->parent, c->count, c->out_of_hand};
    for (int32_t k = 0; k < p->n_body; ++k) {
        c->parent[k] = find_root(c->parent, k);
        c->out_of_hand[k] =
            c->count[k] == 0 || ((c->out_of_hand[k] || p->ordering.on) &&
                                 c->count[k] <= goal->most);
    }
    return scree_clusters_solve_apart(p, &parted, goal, scratch, solved);
}

scree_status scree_problem_solve_clusters(scree_problem *p,
                                          const scree_cluster_goal *goal,
                                          scree_arena *scratch,
                                          int64_t *solved) {
    const size_t mark = scree_arena_mark(scratch);
    clusters c;
    *solved = 0;
    if (p->ordering.on && !p->id) return SCREE_OK;
    if (!make_room(p, scratch, &c)) return SCREE_OUT_OF_MEMORY;
    join_bodies(p, c.parent);
    list_contacts(p, &c);
    add_masses(p, &c);
    mark_borders(p, &c);
    if (!p->ordering.on) TRY(solve_all_here(p, &c, goal, scratch, solved));
    if (p->ordering.on || (p->coupling && p->id))
        TRY(solve_apart(p, &c, goal, scratch, solved));
    scree_arena_pop(scratch, mark);
    return SCREE_OK;
}
