/* case_step.c: the largest step of `time: {step: auto}`. Every time at which something
 * is written, a wall comes or goes or a pour begins is a multiple of it, and the end is, so
 * that all of them are met whatever steps are chosen (engine/step/choose.c): the greatest
 * common divisor of those times. */
#include <math.h>

#include "engine/system/stepper.h"
#include "io/case/case_check.h"
#include "io/case/case_reader.h"
#include "io/case/yaml/case_message.h"

/* Times are decimal numbers, and multiples of each other only up to rounding. */
static const double SAME = 1e-9;
/* Times that have no larger divisor than this share of the least of them have none. */
static const double LEAST = 1e-3;

/* Euclid's; 0 is a multiple of everything. */
static double common_divisor(double a, double b) {
    const double least = SAME * fmax(a, b);
    while (b > least) {
        const double rest = a - b * floor(a / b + SAME);
        a = b;
        b = fabs(rest);
    }
    return a;
}

/* What has been seen of the times. */
typedef struct times {
    double end, divisor, least;
} times;

static void add_time(times *t, double time) {
    if (!(time > 0 && time < t->end)) return;
    t->divisor = common_divisor(t->divisor, time);
    t->least = fmin(t->least, time);
}

static void add_schedule(times *t, const scree_schedule *s) {
    for (int i = 0; i < s->n_time; i++) add_time(t, s->times[i]);
    if (!s->times) add_time(t, s->every);
    add_time(t, s->from);
}

static times times_of(const scree_draft *draft) {
    const scree_case *c = &draft->c;
    times t = {c->end, c->end, c->end};
    add_time(&t, c->checkpoint.every);
    for (int i = 0; i < draft->n_output; i++)
        add_schedule(&t, &draft->outputs[i].output.schedule);
    for (int i = 0; i < draft->n_wall; i++) {
        add_time(&t, draft->walls[i].plane.from);
        add_time(&t, draft->walls[i].plane.until);
    }
    for (int i = 0; i < c->n_body; i++)
        if (c->bodies[i].kind == SCREE_CASE_POUR)
            add_time(&t, c->bodies[i].as.pour.start);
    return t;
}

/* A stepper that chooses its steps up to the one that is given meets all multiples of
 * that: those times among them, if there is a divisor. The step becomes a whole part of
 * it. */
static void meet_times(scree_draft *draft, const times *t) {
    scree_world_def *def = &draft->c.world;
    if (!scree_stepper_find(def->stepper)->adaptive) return;
    if (t->divisor < LEAST * t->least) return;
    const double parts = ceil(t->divisor / def->dt * (1 - SAME));
    def->dt = draft->c.end / nearbyint(draft->c.end / t->divisor * parts);
}

scree_status scree_check_step(scree_reader *r, const scree_node *map,
                              scree_draft *draft) {
    const times t = times_of(draft);
    if (draft->c.step > 0) {
        meet_times(draft, &t);
        return SCREE_OK;
    }
    /* As the end has it, without the roundings on the way. */
    draft->c.world.dt = draft->c.end / nearbyint(draft->c.end / t.divisor);
    if (t.divisor >= LEAST * t.least) return SCREE_OK;
    scree_reader_enter(r, "time");
    scree_reader_refuse(r, scree_node_value(map, "time"), "step",
                        "auto finds no step that time.end and all times at "
                        "which something is written, a wall comes or goes or "
                        "a pour begins are multiples of");
    scree_hint(r->error,
               "let them be multiples of one another, such as end: 2 and "
               "every: 0.05, or give a step in seconds");
    return SCREE_BAD_INPUT;
}
