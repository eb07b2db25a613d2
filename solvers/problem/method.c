#include "solvers/problem/method.h"

#include <stdio.h>
#include <string.h>

#include "engine/base/assert.h"
#include "solvers/problem/problem_valid.h"

/* ---- the table ----------------------------------------------------------- */

enum {
    TIED = SCREE_NEED_TIED,
    MOMENTS = SCREE_NEED_MOMENTS,
    SPACE = SCREE_NEED_SPACE,
    RANKS = SCREE_NEED_RANKS,
    ORDER = SCREE_NEED_ORDER,
    JOINTS = SCREE_NEED_JOINTS,
    STRAIN = SCREE_NEED_STRAIN,
    SWEEPS = SCREE_TRAIT_SWEEPS,
    COOLS = SCREE_TRAIT_COOLS,
    SPLITS = SCREE_TRAIT_SPLITS,
    WHOLE = SCREE_TRAIT_WHOLE
};

#define OWN(layout, name) scree_##layout##_##name
#define WRITTEN(layout, name) NULL
#define NONE(layout, name) NULL
#define RUNS_OWN true
#define RUNS_WRITTEN true
#define RUNS_NONE false
#define SCREE_METHOD(name, in_lanes, in_blocks, in_dense, lacks, traits, rows, \
                     about)                                                    \
    {#name,                                                                    \
     about,                                                                    \
     in_lanes(lanes, name),                                                    \
     in_blocks(blocks, name),                                                  \
     in_dense(dense, name),                                                    \
     {RUNS_##in_lanes, RUNS_##in_blocks, RUNS_##in_dense},                     \
     lacks,                                                                    \
     traits,                                                                   \
     rows},
static const scree_method methods[] = {
#include "solvers/methods.def"
};

const scree_method *scree_method_get(int i) {
    const int n = sizeof methods / sizeof *methods;
    return i >= 0 && i < n ? &methods[i] : NULL;
}

const scree_method *scree_method_find(const char *name) {
    const scree_method *m;
    for (int i = 0; (m = scree_method_get(i)); ++i)
        if (!strcmp(m->name, name)) return m;
    return NULL;
}

const scree_method *scree_method_on(scree_layout layout, int i) {
    const scree_method *m;
    for (int k = 0; (m = scree_method_get(k)); ++k)
        if (m->runs[layout] && i-- == 0) return m;
    return NULL;
}

const char *scree_solver_name(int i, const char **about) {
    const scree_method *m = scree_method_on(SCREE_LAYOUT_LANES, i);
    if (m && about) *about = m->about;
    return m ? m->name : NULL;
}

/* ---- refusals ------------------------------------------------------------ */

typedef struct sentence {
    char *text;
    size_t size, used;
} sentence;

static void say_word(sentence *s, const char *before, const char *word) {
    if (s->used >= s->size) return;
    s->used += (size_t)snprintf(s->text + s->used, s->size - s->used, "%s%s",
                                before, word);
}

/* "one, another and a third" of those that take it. */
static void name_others(sentence *s, const scree_method *m, scree_layout layout,
                        unsigned needs, bool any_size) {
    const scree_method *other, *last = NULL;
    int named = 0;
    for (int i = 0; (other = scree_method_on(layout, i)); ++i) {
        if (other == m || !scree_method_takes(other, layout, needs)) continue;
        if (any_size && other->rows > 0) continue;
        if (last) say_word(s, named++ ? ", " : "", last->name);
        last = other;
    }
    if (last) say_word(s, named ? " and " : "", last->name);
}

static const char *what_lacks(unsigned missing) {
    return missing & SCREE_NEED_TIED      ? " with rattle's midslip friction"
           : missing & SCREE_NEED_MOMENTS ? " with rolling or drilling"
           : missing & SCREE_NEED_JOINTS  ? " with joints"
           : missing & SCREE_NEED_SPACE   ? " with friction in space"
           : missing & SCREE_NEED_RANKS   ? " on several ranks"
           : missing & SCREE_NEED_ORDER   ? " with 'reproducible: on'"
           : missing & SCREE_NEED_STRAIN  ? " with a cell that holds a pressure"
                                          : "";
}

void scree_method_refuse(const scree_method *m, scree_layout layout,
                         unsigned needs, char *text, size_t size) {
    static const char *const words[] = {"worlds", "problems from files",
                                        "models"};
    const bool large = scree_method_takes(m, layout, needs);
    char rows[40];
    sentence s = {text, size, 0};
    say_word(&s, m->name, " does not run on ");
    say_word(&s, words[layout],
             m->runs[layout] ? what_lacks(m->lacks & needs) : "");
    snprintf(rows, sizeof rows, " with more than %d rows", m->rows);
    if (large) say_word(&s, rows, "");
    say_word(&s, ", which ", "");
    name_others(&s, m, layout, needs, large);
    say_word(&s, " do", "");
}

/* ---- needs --------------------------------------------------------------- */

static unsigned needs_of_row(const scree_problem *p, const scree_row *row) {
    return (scree_row_is_tied(row) ? SCREE_NEED_TIED : 0u) |
           (scree_row_rubs(row) && !p->planar ? SCREE_NEED_SPACE : 0u) |
           (scree_row_is_joint(row) ? SCREE_NEED_JOINTS
            : scree_row_turns(row)  ? SCREE_NEED_MOMENTS
                                    : 0u);
}

static unsigned needs_of_lanes(const scree_problem *p) {
    unsigned needs = 0, all = 0;
    for (int64_t i = 0; i < p->n_contact; ++i) {
        const scree_row row = scree_problem_row(p, i);
        needs |= needs_of_row(p, &row);
    }
    if (p->strain.on) all |= SCREE_NEED_STRAIN;
    for (unsigned bit = 1; bit <= SCREE_NEED_JOINTS; bit *= 2)
        if (scree_problem_any(p, needs & bit)) all |= bit;
    return all;
}

static unsigned needs_of_blocks(const scree_fc3d *p) {
    for (int i = 0; i < p->nc; i++)
        if (p->dim == 3 && p->mu[i] > 0) return SCREE_NEED_SPACE;
    return 0;
}

static unsigned needs_of_dense(const scree_delassus *d) {
    for (int k = 0; k < d->n_set; ++k)
        if (d->sets[k].kind == SCREE_SET_BALL && d->sets[k].n > 1)
            return SCREE_NEED_SPACE;
    return 0;
}

unsigned scree_inclusion_needs(scree_inclusion p) {
    return p.layout == SCREE_LAYOUT_LANES    ? needs_of_lanes(p.lanes)
           : p.layout == SCREE_LAYOUT_BLOCKS ? needs_of_blocks(p.blocks)
                                             : needs_of_dense(p.dense);
}

/* ---- solving ------------------------------------------------------------- */

scree_status scree_lanes_run(const scree_method *m, scree_problem *p,
                             const scree_solver_options *options,
                             scree_arena *scratch, scree_report *report) {
    return m->lanes ? m->lanes(p, options, scratch, report)
                    : scree_lanes_write(m, p, options, scratch, report);
}

scree_status scree_blocks_run(const scree_method *m, scree_fc3d *p,
                              const scree_solver_options *options,
                              scree_arena *scratch, scree_report *report) {
    return m->blocks ? scree_blocks_call(m->blocks, p, options, scratch, report)
                     : scree_blocks_write(m, p, options, scratch, report);
}

static scree_status solve_by(const scree_method *m, scree_inclusion p,
                             const scree_solver_options *options,
                             scree_arena *scratch, scree_report *report) {
    switch (p.layout) {
    case SCREE_LAYOUT_LANES:
        if (m->lanes && m->rows > 0 && 3 * p.lanes->n_contact > m->rows)
            return SCREE_UNSUPPORTED;
        return scree_lanes_solve(m, p.lanes, options, scratch, report);
    case SCREE_LAYOUT_BLOCKS:
        scree_assert(scree_fc3d_is_valid(p.blocks));
        return scree_blocks_run(m, p.blocks, options, scratch, report);
    case SCREE_LAYOUT_DENSE:
        break;
    }
    scree_assert(scree_delassus_is_valid(p.dense));
    return m->dense(p.dense, options, scratch, report);
}

scree_status scree_inclusion_solve(scree_inclusion p, const scree_method *m,
                                   const scree_solver_options *options,
                                   scree_arena *scratch, scree_report *report,
                                   scree_error *error) {
    const unsigned laws = SCREE_NEED_TIED | SCREE_NEED_MOMENTS |
                          SCREE_NEED_SPACE | SCREE_NEED_JOINTS;
    const unsigned needs = m->lacks & laws ? scree_inclusion_needs(p) : 0;
    const scree_status status = scree_method_takes(m, p.layout, needs)
                                    ? solve_by(m, p, options, scratch, report)
                                    : SCREE_UNSUPPORTED;
    if (status != SCREE_UNSUPPORTED) return status;
    char text[SCREE_REFUSAL];
    scree_method_refuse(m, p.layout, scree_inclusion_needs(p), text,
                        sizeof text);
    return scree_fail(error, status, "%s", text);
}
