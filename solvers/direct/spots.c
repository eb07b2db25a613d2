/* spots.c: finds the contacts with the largest errors and what is around them, and
 * solves them: spots.h. */
#include "solvers/direct/spots.h"

#include <string.h>

#include "engine/base/error.h"
#include "solvers/direct/cluster.h"
#include "solvers/problem/incidence.h"
#include "solvers/problem/percussions.h"
#include "solvers/problem/round.h"

/* Spots at most, and contacts of each. */
enum { MOST_SPOTS = 8, MOST_IN_SPOT = 24 };
/* One that has no solution near where it is would take all steps there are, each time
 * it is looked at: those that succeed take few. */
static const scree_cluster_effort SPOT_EFFORT = {1, 15};
/* Share of |F|^2 that they must have: an error that is everywhere is for sweeps. */
static const double MOST_OF_IT = 0.25;

typedef struct spots {
    scree_problem *p;
    double *F2; /* (n_contact) |F|^2; 0: in a spot already */
    scree_incidence at;
    uint8_t *in_spot;  /* (n_contact) */
    double sum, taken; /* |F|^2 of all contacts, and of those in spots */
    int n;
    struct spot {
        int32_t list[MOST_IN_SPOT], n;
    } spot[MOST_SPOTS];
} spots;

static scree_status make_room(spots *s, scree_arena *scratch) {
    if (!SCREE_PUSH(scratch, s->F2, s->p->slot_capacity) ||
        !SCREE_PUSH(scratch, s->in_spot, s->p->slot_capacity))
        return SCREE_OUT_OF_MEMORY;
    return scree_problem_find_incidence(s->p, scratch, &s->at);
}

static void find_errors(spots *s) {
    const scree_problem *p = s->p;
    memset(s->in_spot, 0, (size_t)p->n_contact * sizeof *s->in_spot);
    for (int64_t i = 0; i < p->n_contact; ++i) {
        const scree_row row = scree_problem_row(p, i);
        scree_measure m = {0};
        scree_row_measure(&row, p->u, &m);
        s->F2[i] = m.F2;
        s->sum += m.F2;
    }
}

static void add_contact(spots *s, struct spot *spot, int32_t i) {
    if (s->in_spot[i] || spot->n == MOST_IN_SPOT) return;
    s->in_spot[i] = 1;
    s->taken += s->F2[i];
    s->F2[i] = 0;
    spot->list[spot->n++] = i;
}

static void add_body(spots *s, struct spot *spot, int32_t body) {
    if (body >= s->p->n_body) return;
    for (int64_t k = s->at.first[body]; k < s->at.first[body + 1]; ++k)
        add_contact(s, spot, s->at.list[k]);
}

/* From the worst contact outwards. */
static void gather_spot(spots *s, struct spot *spot, int32_t worst) {
    add_contact(s, spot, worst);
    for (int32_t k = 0; k < spot->n; ++k) {
        const scree_row row = scree_problem_row(s->p, spot->list[k]);
        add_body(s, spot, row.a);
        add_body(s, spot, row.b);
    }
}

static int32_t find_worst(const spots *s) {
    int32_t worst = 0;
    for (int32_t i = 1; i < s->p->n_contact; ++i)
        if (s->F2[i] > s->F2[worst]) worst = i;
    return worst;
}

static void find_spots(spots *s, double error) {
    find_errors(s);
    while (s->n < MOST_SPOTS) {
        const int32_t worst = find_worst(s);
        if (!(s->F2[worst] > error * error)) return;
        gather_spot(s, &s->spot[s->n++], worst);
    }
}

static scree_status solve_spot(scree_problem *p, const int32_t *list, int32_t n,
                               double speed, scree_arena *scratch,
                               bool *better) {
    scree_row rows[MOST_IN_SPOT];
    for (int32_t k = 0; k < n; ++k) rows[k] = scree_problem_row(p, list[k]);
    TRY(scree_cluster_solve_rows(p, rows, n, speed, SPOT_EFFORT, scratch,
                                 better));
    for (int32_t k = 0; k < n && *better; ++k)
        scree_problem_set_step(p, list[k], scree_row_step(&rows[k]));
    return SCREE_OK;
}

scree_status scree_problem_solve_spots(scree_problem *p, double error,
                                       double speed, scree_arena *scratch,
                                       int *solved) {
    const size_t mark = scree_arena_mark(scratch);
    scree_status status = SCREE_OK;
    spots s = {.p = p};
    *solved = 0;
    if (p->n_contact == 0) return SCREE_OK;
    TRY(make_room(&s, scratch));
    find_spots(&s, error);
    if (s.taken < MOST_OF_IT * s.sum) s.n = 0;
    for (int k = 0; k < s.n && status == SCREE_OK; ++k) {
        bool better;
        status =
            solve_spot(p, s.spot[k].list, s.spot[k].n, speed, scratch, &better);
        *solved += better;
    }
    scree_arena_pop(scratch, mark);
    return status;
}
