/* clusters_apart.c: clusters that reach over several ranks, and those of ordered
 * problems, where nothing may depend on who has what.
 *
 *     a cluster has the least id of its bodies for a label: ranks tell each other the
 *         labels of the bodies that they share, until none changes any more
 *     contacts and bodies of a cluster go to the owner of that body
 *     who puts them in the order of ids, and solves the cluster if it is small
 *     percussions and velocities go back
 *
 * Sums and directions are then those of a small problem of its own, with the same bits
 * wherever its parts come from. Parts of more contacts than a cluster may have are left
 * out from the beginning. */
#include <stdlib.h>
#include <string.h>

#include "engine/base/error.h"
#include "solvers/direct/cluster.h"
#include "solvers/direct/clusters_parts.h"
#include "solvers/problem/percussions.h"

/* A part of a cluster on its way: a contact, or a body. It goes back with what became of
 * it. */
typedef struct letter {
    int64_t label;
    int64_t a, b;     /* ids, b = -1: no body that moves */
    int32_t at, from; /* its place, on which rank */
    bool is_body;
    scree_row row;    /* of a contact */
    scree_twist u;    /* of a body */
    scree_sym3 inv_I; /* the same */
} letter;

static const scree_comm *comm_of(const scree_problem *p) {
    return p->coupling ? p->coupling->comm : scree_comm_alone();
}

/* ---- labels --------------------------------------------------------------------- */

/* Of a body: an id, and the rank that has this body. */
typedef struct label {
    double id, home;
} label;
static const label NO_LABEL = {-1, 0};

typedef struct labels {
    label *of; /* (n_body) */
    label *at; /* (n_body) at the root */
} labels;

static void begin_labels(const scree_problem *p, label *of) {
    for (int32_t i = 0; i < p->n_body; ++i)
        of[i] = (label){(double)p->id[i], comm_of(p)->rank};
    for (int s = 0; p->coupling && s < p->coupling->n_share; ++s) {
        const scree_share *share = &p->coupling->shares[s];
        for (int32_t k = 0; k < share->n_theirs; ++k)
            of[share->theirs[k]].home = share->rank;
    }
}

/* Bodies that are connected here get the least label of them. */
static bool join_labels(const scree_problem *p, const scree_parted *c,
                        const labels *l) {
    bool changed = false;
    for (int32_t i = 0; i < p->n_body; ++i)
        l->at[i] = c->wanted[i] ? l->of[i] : NO_LABEL;
    for (int32_t i = 0; i < p->n_body; ++i)
        if (l->of[i].id < l->at[c->root[i]].id) l->at[c->root[i]] = l->of[i];
    for (int32_t i = 0; i < p->n_body; ++i) {
        changed |= l->of[i].id != l->at[c->root[i]].id;
        l->of[i] = l->at[c->root[i]];
    }
    return changed;
}

static scree_status spread_labels(scree_problem *p, const scree_parted *c,
                                  const labels *l) {
    begin_labels(p, l->of);
    while (scree_problem_any(p, join_labels(p, c, l)))
        if (p->coupling)
            TRY(scree_coupling_share_least(p->coupling, &l->of[0].id, 2));
    return SCREE_OK;
}

/* ---- letters -------------------------------------------------------------------- */

static scree_status send_letter(scree_mail *mail, int rank, const letter *one) {
    void *to = scree_mail_put(mail, rank, sizeof *one);
    if (!to) return SCREE_OUT_OF_MEMORY;
    memcpy(to, one, sizeof *one);
    return SCREE_OK;
}

/* The whole body, if it is split among ranks. */
static void write_body(const scree_problem *p, int32_t i, letter *one) {
    const scree_coupling *c = p->coupling;
    one->u = p->u[i];
    if (p->inv_I) one->inv_I = p->inv_I[i];
    if (!c || !c->is_split || !scree_coupling_shares(c, i)) return;
    const scree_shared *whole = &c->shared[c->slot[i]];
    one->u.inv_m = whole->inv_m, one->u.inv_theta = whole->inv_theta;
    if (p->inv_I) one->inv_I = whole->inv_I;
}

static letter begin_letter(const scree_problem *p, const label *l, int64_t at) {
    letter one;
    memset(&one, 0, sizeof one);
    one.label = (int64_t)l->id;
    one.at = (int32_t)at, one.from = comm_of(p)->rank;
    one.b = -1;
    return one;
}

static scree_status send_bodies(scree_problem *p, const scree_parted *c,
                                const label *of) {
    for (int32_t i = 0; i < p->n_body; ++i) {
        const bool shared =
            p->coupling && scree_coupling_shares(p->coupling, i);
        if (of[i].id < 0 || (c->count[c->root[i]] == 0 && !shared)) continue;
        letter one = begin_letter(p, &of[i], i);
        one.is_body = true;
        one.a = p->id[i];
        write_body(p, i, &one);
        TRY(send_letter(&p->letters, (int)of[i].home, &one));
    }
    return SCREE_OK;
}

static int64_t id_of(const scree_problem *p, int32_t body) {
    return body < p->n_body ? p->id[body] : -1;
}

static scree_status send_contacts(scree_problem *p, const label *of) {
    for (int64_t i = 0; i < p->n_contact; ++i) {
        const scree_row row = scree_problem_row(p, i);
        const label *l = &of[row.a < p->n_body ? row.a : row.b];
        if (l->id < 0) continue;
        letter one = begin_letter(p, l, i);
        one.a = id_of(p, row.a), one.b = id_of(p, row.b);
        one.row = row;
        TRY(send_letter(&p->letters, (int)l->home, &one));
    }
    return SCREE_OK;
}

/* ---- at the owner of the first body ---------------------------------------------- */

static int compare_ids(int64_t x, int64_t y) {
    return (x > y) - (x < y);
}

static int compare_vectors(scree_vec3 x, scree_vec3 y) {
    const double a[3] = {x.x, x.y, x.z}, b[3] = {y.x, y.y, y.z};
    for (int k = 0; k < 3; ++k)
        if (a[k] != b[k]) return a[k] < b[k] ? -1 : 1;
    return 0;
}

/* Bodies by id, then contacts by ids. Contacts of one pair keep the order that they
 * have where they come from; those of one body with several walls differ by where they
 * are. */
static int by_order(const void *p, const void *q) {
    const letter *x = *(const letter *const *)p, *y = *(const letter *const *)q;
    int order = compare_ids(x->label, y->label);
    if (!order) order = y->is_body - x->is_body;
    if (!order) order = compare_ids(x->a, y->a);
    if (!order) order = compare_ids(x->b, y->b);
    if (!order && x->b < 0) order = compare_vectors(x->row.n, y->row.n);
    if (!order && x->b < 0) order = compare_vectors(x->row.r_a, y->row.r_a);
    if (!order) order = x->from - y->from;
    return order ? order : compare_ids(x->at, y->at);
}

/* A cluster as it has arrived. */
typedef struct arrival {
    const letter *const *list; /* bodies, then contacts */
    int64_t n_letter, n_body, n_contact;
    scree_problem small; /* its bodies */
    int64_t *id;         /* (small.n_body) */
    scree_row *rows;     /* (n_contact) */
    double mass;         /* [kg] */
} arrival;

static int32_t place_of(const arrival *a, int64_t id) {
    int32_t low = 0, high = a->small.n_body;
    if (id < 0) return a->small.n_body;
    while (low < high) {
        const int32_t middle = (low + high) / 2;
        if (a->id[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Copies of a body are the same, and follow each other. */
static void seat_bodies(arrival *a, scree_twist *u, scree_sym3 *inv_I) {
    int32_t n = 0;
    for (int64_t k = 0; k < a->n_body; ++k) {
        const letter *one = a->list[k];
        if (n > 0 && a->id[n - 1] == one->a) continue;
        u[n] = one->u, inv_I[n] = one->inv_I, a->id[n++] = one->a;
        if (one->u.inv_m > 0) a->mass += 1 / one->u.inv_m;
    }
    u[n] = (scree_twist){0}, inv_I[n] = (scree_sym3){0};
    a->small = (scree_problem){.n_body = n, .u = u, .inv_I = inv_I};
}

static bool seat_all(arrival *a, scree_arena *scratch) {
    const size_t n = (size_t)a->n_body + 1;
    scree_twist *u;
    scree_sym3 *inv_I;
    if (!SCREE_PUSH(scratch, u, n) || !SCREE_PUSH(scratch, inv_I, n) ||
        !SCREE_PUSH(scratch, a->id, n) ||
        !SCREE_PUSH(scratch, a->rows, a->n_contact))
        return false;
    seat_bodies(a, u, inv_I);
    for (int64_t k = 0; k < a->n_contact; ++k) {
        const letter *one = a->list[a->n_body + k];
        a->rows[k] = one->row;
        a->rows[k].a = place_of(a, one->a), a->rows[k].b = place_of(a, one->b);
    }
    return true;
}

static scree_status answer_all(scree_problem *p, const arrival *a) {
    for (int64_t k = 0; k < a->n_letter; ++k) {
        letter one = *a->list[k];
        if (one.is_body)
            one.u = a->small.u[place_of(a, one.a)];
        else
            one.row = a->rows[k - a->n_body];
        TRY(send_letter(&p->answers, one.from, &one));
    }
    return SCREE_OK;
}

static scree_status solve_arrival(scree_problem *p, arrival *a,
                                  const scree_cluster_goal *goal,
                                  scree_arena *scratch, int64_t *solved) {
    const size_t mark = scree_arena_mark(scratch);
    const int32_t n = (int32_t)a->n_contact;
    bool better = false;
    if (!seat_all(a, scratch)) return SCREE_OUT_OF_MEMORY;
    if (scree_rows_miss(a->rows, n, a->small.u, a->mass, goal))
        TRY(scree_cluster_solve_rows(&a->small, a->rows, n, goal->speed,
                                     SCREE_WHOLE_EFFORT, scratch, &better));
    if (better) TRY(answer_all(p, a));
    *solved += better;
    scree_arena_pop(scratch, mark);
    return SCREE_OK;
}

static arrival next_arrival(const letter *const *list, int64_t n) {
    arrival a = {.list = list};
    while (a.n_letter < n && list[a.n_letter]->label == list[0]->label)
        a.n_body += list[a.n_letter++]->is_body;
    a.n_contact = a.n_letter - a.n_body;
    return a;
}

static scree_status solve_arrivals(scree_problem *p,
                                   const scree_cluster_goal *goal,
                                   const letter **list, int64_t n,
                                   scree_arena *scratch, int64_t *solved) {
    if (n) qsort(list, (size_t)n, sizeof *list, by_order);
    for (int64_t k = 0; k < n;) {
        arrival a = next_arrival(&list[k], n - k);
        if (a.n_contact > 0 && a.n_contact <= goal->most)
            TRY(solve_arrival(p, &a, goal, scratch, solved));
        k += a.n_letter;
    }
    return SCREE_OK;
}

static scree_status read_letters(scree_problem *p,
                                 const scree_cluster_goal *goal,
                                 scree_arena *scratch, int64_t *solved) {
    const scree_mail *mail = &p->letters;
    int64_t n = 0, k = 0;
    for (int64_t i = 0; i < mail->n_in; ++i)
        n += (int64_t)(mail->in[i].n / sizeof(letter));
    const letter **list;
    if (!SCREE_PUSH(scratch, list, n)) return SCREE_OUT_OF_MEMORY;
    for (int64_t i = 0; i < mail->n_in; ++i)
        for (size_t at = 0; at < mail->in[i].n; at += sizeof(letter))
            list[k++] = (const letter *)(const void *)(mail->in[i].data + at);
    return solve_arrivals(p, goal, list, n, scratch, solved);
}

/* ---- back ------------------------------------------------------------------------ */

static void read_answers(scree_problem *p) {
    for (int64_t i = 0; i < p->answers.n_in; ++i)
        for (size_t at = 0; at < p->answers.in[i].n; at += sizeof(letter)) {
            letter one;
            memcpy(&one, p->answers.in[i].data + at, sizeof one);
            if (one.is_body)
                p->u[one.at].v = one.u.v, p->u[one.at].w = one.u.w;
            else
                scree_problem_set_step(p, one.at, scree_row_step(&one.row));
        }
}

static scree_status exchange_clusters(scree_problem *p, const scree_parted *c,
                                      const labels *l,
                                      const scree_cluster_goal *goal,
                                      scree_arena *scratch, int64_t *solved) {
    const scree_comm *comm = comm_of(p);
    TRY(scree_mail_clear(&p->letters, comm));
    TRY(scree_mail_clear(&p->answers, comm));
    TRY(send_bodies(p, c, l->of));
    TRY(send_contacts(p, l->of));
    const bool crosses = scree_problem_any(p, p->letters.n_out > 0);
    if (crosses) TRY(scree_mail_send(&p->letters, comm));
    TRY(read_letters(p, goal, scratch, solved));
    if (crosses) TRY(scree_mail_send(&p->answers, comm));
    read_answers(p);
    return SCREE_OK;
}

static bool any_wanted(const scree_problem *p, const scree_parted *c) {
    bool any = false;
    for (int32_t i = 0; i < p->n_body; ++i)
        any |= c->count[i] > 0 && c->wanted[i];
    return scree_problem_any(p, any);
}

scree_status scree_clusters_solve_apart(scree_problem *p, const scree_parted *c,
                                        const scree_cluster_goal *goal,
                                        scree_arena *scratch, int64_t *solved) {
    const size_t mark = scree_arena_mark(scratch);
    labels l;
    if (!SCREE_PUSH(scratch, l.of, p->n_body) ||
        !SCREE_PUSH(scratch, l.at, p->n_body))
        return SCREE_OUT_OF_MEMORY;
    if (any_wanted(p, c)) {
        TRY(spread_labels(p, c, &l));
        TRY(exchange_clusters(p, c, &l, goal, scratch, solved));
    }
    scree_arena_pop(scratch, mark);
    return SCREE_OK;
}
