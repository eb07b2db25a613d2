#include "solvers/problem/pass.h"

#include "engine/base/assert.h"

/* ---- one rank ------------------------------------------------------------------- */

/* A member's share of one colour: what touches common bodies (parts.h), or
 * the rest. */
static void work_on(scree_problem *p, const scree_team *team, int colour,
                    bool inner, const scree_pass *pass, const void *context) {
    for (int k = team->rank; k < p->parts.n; k += team->size) {
        const int64_t at = (int64_t)colour * p->parts.n + k;
        const scree_part_run *r = &p->round.run[at], *g = &p->general.run[at];
        pass->round(p, p->round.list, inner ? r->inner : r->first,
                    inner ? r->last : r->inner, context);
        pass->general(p, p->general.list, inner ? g->inner : g->first,
                      inner ? g->last : g->inner, context);
    }
}

static bool is_empty(const scree_problem *p, int colour) {
    return p->round.first[colour] == p->round.first[colour + 1] &&
           p->general.first[colour] == p->general.first[colour + 1];
}

static void pass_colours(scree_problem *p, const scree_team *team,
                         const scree_pass *pass, const void *context, int first,
                         int end) {
    for (int c = first; c < end; ++c) {
        if (is_empty(p, c)) continue;
        scree_team_meet(team);
        work_on(p, team, c, false, pass, context);
        scree_team_arrive(team);
        work_on(p, team, c, true, pass, context);
    }
}

static void pass_overflow(scree_problem *p, const scree_team *team,
                          const scree_pass *pass, const void *context,
                          int colour) {
    const int64_t *round = &p->round.first[colour];
    const int64_t *general = &p->general.first[colour];
    if (is_empty(p, colour)) return;
    scree_team_wait(team);
    if (team->rank == 0) {
        pass->round_overflow(p, p->round.order, round[0], round[1], context);
        pass->general_overflow(p, p->general.order, general[0], general[1],
                               context);
    }
    scree_team_wait(team);
}

/* ---- several ranks ---------------------------------------------------------------- */

/* The colour before which about half of the contacts without shared bodies come. */
static int middle_colour(const scree_problem *p) {
    const int64_t *round = p->round.first, *general = p->general.first;
    const int64_t first =
        round[SCREE_AT_BORDER + 1] + general[SCREE_AT_BORDER + 1];
    const int64_t half = (first + scree_problem_blocks(p)) / 2;
    int c = SCREE_AT_BORDER + 1;
    while (c < SCREE_COLOURS && round[c] + general[c] < half) ++c;
    return c;
}

/* Messages travel while contacts without shared bodies are worked on. */
static void pass_coupled(scree_problem *p, const scree_team *team,
                         const scree_pass *pass, const void *context) {
    const bool leads = team->rank == 0;
    const int middle = middle_colour(p);
    scree_team_wait(team);
    if (leads) scree_coupling_mark(p->coupling, p->u);
    scree_team_wait(team);
    pass_colours(p, team, pass, context, 0, SCREE_AT_BORDER);
    pass_overflow(p, team, pass, context, SCREE_AT_BORDER);
    scree_team_wait(team);
    if (leads) scree_coupling_begin(p->coupling, p->u);
    pass_colours(p, team, pass, context, SCREE_AT_BORDER + 1, middle);
    if (leads) scree_coupling_turn(p->coupling, p->u);
    pass_colours(p, team, pass, context, middle, SCREE_COLOURS);
    pass_overflow(p, team, pass, context, SCREE_OVERFLOW);
    if (leads) scree_coupling_end(p->coupling, p->u);
    scree_team_wait(team);
}

/* All ranks go through the same colours. A body is pushed by one contact of a colour
 * at most, and what this rank did to a copy reaches the others before the next. */
static void pass_ordered(scree_problem *p, const scree_team *team,
                         const scree_pass *pass, const void *context) {
    const bool leads = team->rank == 0;
    if (p->coupling) {
        scree_team_wait(team);
        if (leads) scree_problem_mark(p);
        scree_team_wait(team);
    }
    for (int c = 0; c < p->ordering.n_colour; ++c) {
        pass_colours(p, team, pass, context, c, c + 1);
        if (!p->coupling || !p->ordering.crosses[c]) continue;
        scree_team_wait(team);
        if (leads) {
            scree_problem_couple(p);
            scree_problem_mark(p);
        }
        scree_team_wait(team);
    }
}

void scree_problem_pass(scree_problem *p, const scree_team *team,
                        const scree_pass *pass, const void *context) {
    scree_assert(p->sorted);
    if (p->ordering.on) {
        pass_ordered(p, team, pass, context);
    } else if (p->coupling) {
        pass_coupled(p, team, pass, context);
    } else {
        pass_colours(p, team, pass, context, 0, SCREE_COLOURS);
        pass_overflow(p, team, pass, context, SCREE_OVERFLOW);
    }
}

/* ---- bodies ----------------------------------------------------------------------- */

static void work_on_bodies(scree_problem *p, const scree_team *team, bool inner,
                           scree_body_work *work, const void *context) {
    for (int k = team->rank; k < p->parts.n; k += team->size) {
        const scree_part_run *r = &p->parts.run[k];
        work(p, p->parts.bodies, inner ? r->inner : r->first,
             inner ? r->last : r->inner, context);
    }
}

void scree_problem_pass_bodies(scree_problem *p, const scree_team *team,
                               scree_body_work *work, const void *context) {
    scree_team_meet(team);
    work_on_bodies(p, team, false, work, context);
    scree_team_arrive(team);
    work_on_bodies(p, team, true, work, context);
}
