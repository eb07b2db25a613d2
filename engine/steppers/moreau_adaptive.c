/* moreau_adaptive.c: step-size adjustment of models, 002 sections 5 and 9.3. That of worlds
 * is in engine/adaptive.
 *
 * Where no law changes its mode the step is large, up to dt_max = options->dt,
 * and of the order options->order by extrapolation; a change of mode (a
 * switching point) is searched with smaller and smaller steps and passed with
 * one of size dt_min. Global error O(dt_max^p) + O(dt_min), (49).
 *
 * A step m + 1 in another mode than step m says that one of the two holds the
 * switching point (36): a contact may be open at the midpoint of m and closed
 * at its end. So a step is final only when its successor has been seen:
 *
 *                accepted          previous          actual
 *        ----|---------------|-----------------|- - - - - - - -|
 *             final, what the    done, may yet     being tried
 *             user sees in s     be refused
 *
 *   smooth      accepted = previous, previous = actual; the step doubles once
 *               the accepted step begins after t_no_increase        (Table IV)
 *   inaccurate  the actual step is tried again with half its size; but where
 *               dt_min kept the order low it counts as smooth, see below
 *   detected    previous and actual are refused, half the step from the end of
 *               accepted; t_no_increase = end of the refused step    (Table V)
 *   resolved    the actual step, of size dt_min, is final as well: its mode is
 *               the new accepted one, the step 3 dt_min             (Table VI)
 *
 * A step in (dt_min, 3 dt_min) has no use, since extrapolation begins with
 * three substeps: it becomes dt_min on the way down and 3 dt_min on the way up.
 *
 * Section 9.3 leaves open whether a smooth step that misses the accuracy is
 * refused. Refusing all above dt_min lets the run crawl at dt_min after the
 * first switching point if atol < C (3 dt_min)^2, or C 3 dt_min where a contact
 * slides along a curve: 3 dt_min allows no order above 2, and halving it leaves
 * order 1. So a step is refused only if it has used the whole order it was
 * given; one that dt_min has cut short is kept, which is better than what it
 * would be replaced by, and the next, larger one may use more.
 *
 * A call tries steps until one becomes final and returns that one: s->t grows
 * with every call, although time goes back inside. The previous step waits in
 * s->history; a resolved step behind it waits there too and is returned, at no
 * cost, by the next call. s->dt, order, mode, P and exit_flag belong to the
 * returned step; P is the sum over its finest substeps. Iterations and residual
 * count all inner solves, also those of refused steps. Never returned:
 * SCREE_SWITCH_DETECTED. After an error s holds the last final step.
 *
 * A caller that must meet a time lowers options->dt for the call that would
 * pass it. A waiting step that is too long for it is dropped and tried again;
 * the step size that the algorithm had in mind is kept. Switching times that
 * the model knows are step ends. A state that the user has changed is a new
 * start. */

#include <math.h>
#include <string.h>

#include "engine/adaptive/adaptive.h"
#include "engine/steppers/extrapolation.h"
#include "engine/system/stepper.h"

/* ---- what is kept from call to call -------------------------------------- */

/* One main step, all doubles: this, y at its end, P, mode. */
typedef struct record {
    double t_begin, t, dt; /* t: its end */
    double order, flag;
} record;

enum { WAITS_NONE, WAITS_PREVIOUS, WAITS_FINAL };

typedef struct controller {
    double started;       /* 0 in new, zeroed memory */
    double waits;         /* what the record `previous` holds */
    double dt_next;       /* of the next actual step, before any clipping */
    double t_no_increase; /* end of the last step with a change of mode */
    double dt_option;     /* options->dt of the last call */
    double dt_largest;    /* ... and the largest of all, for dt_min's default */
} controller;

enum {
    N_RECORD = sizeof(record) / sizeof(double),
    N_CONTROLLER = sizeof(controller) / sizeof(double),
    HISTORY_PER_DOF = 6, /* two records of y, the rest is room for P and mode */
};

typedef struct adaptive {
    scree_dense *s;
    const scree_dense_options *options;
    controller *c;
    record *accepted, *previous; /* in s->history */
    record *actual;              /* scratch */
    double dt_min;
    double dt_max; /* a call with a lowered options->dt does not change it */
} adaptive;

static int record_size(const scree_dense *s) {
    return N_RECORD + s->ops->n_q + s->ops->n_u + 2 * s->ops->n_row;
}
static double *end_of(const record *r) {
    return (double *)(r + 1);
}
static double *percussions_of(const scree_dense *s, const record *r) {
    return end_of(r) + s->ops->n_q + s->ops->n_u;
}
static double *modes_of(const scree_dense *s, const record *r) {
    return percussions_of(s, r) + s->ops->n_row;
}

static void copy_record(const adaptive *a, record *to, const record *from) {
    memcpy(to, from, (size_t)record_size(a->s) * sizeof(double));
}

/* The step that s has just done. */
static void store_record(const scree_dense *s, record *r) {
    const size_t n_q = (size_t)s->ops->n_q, n_u = (size_t)s->ops->n_u;
    double *y = end_of(r);
    memcpy(y, s->q, n_q * sizeof *y);
    memcpy(y + n_q, s->u, n_u * sizeof *y);
    memcpy(percussions_of(s, r), s->P, (size_t)s->ops->n_row * sizeof *y);
    for (int i = 0; i < s->ops->n_row; ++i) modes_of(s, r)[i] = s->mode[i];
}

static void show_record(scree_dense *s, const record *r) {
    const size_t n_q = (size_t)s->ops->n_q, n_u = (size_t)s->ops->n_u;
    const double *y = end_of(r);
    memcpy(s->q, y, n_q * sizeof *y);
    memcpy(s->u, y + n_q, n_u * sizeof *y);
    memcpy(s->P, percussions_of(s, r), (size_t)s->ops->n_row * sizeof *y);
    for (int i = 0; i < s->ops->n_row; ++i) s->mode[i] = (int)modes_of(s, r)[i];
    s->t = r->t;
    s->dt = r->dt;
    s->order = (int)r->order;
    s->exit_flag = (int)r->flag;
    scree_dense_gaps(s, s->t, s->q, s->g);
}

/* ---- begin of a call ----------------------------------------------------- */

static bool is_at(const scree_dense *s, const record *r) {
    const size_t n_q = (size_t)s->ops->n_q, n_u = (size_t)s->ops->n_u;
    const double *y = end_of(r);
    return s->t == r->t && !memcmp(s->q, y, n_q * sizeof *y) &&
           !memcmp(s->u, y + n_q, n_u * sizeof *y);
}

/* The first step is one of dt_min in whatever mode there is. */
static void start_history(adaptive *a) {
    *a->c =
        (controller){.dt_option = a->options->dt, .dt_largest = a->options->dt};
    *a->accepted = (record){.t = a->s->t};
    store_record(a->s, a->accepted);
}

static void set_limits(adaptive *a) {
    controller *c = a->c;
    const scree_dense_options *options = a->options;
    c->dt_largest = fmax(c->dt_largest, options->dt);
    a->dt_max = fmax(options->dt, c->dt_option);
    a->dt_min = options->dt_min > 0 ? options->dt_min : 0.01 * c->dt_largest;
    c->dt_option = options->dt;
}

static scree_status attach_history(adaptive *a, scree_error *error) {
    scree_dense *s = a->s;
    const int n = record_size(s);
    if (s->n_history < N_CONTROLLER + 2 * n)
        return scree_fail(error, SCREE_UNSUPPORTED,
                          "moreau-adaptive: model '%s' has too many rows (%d)",
                          s->ops->name, s->ops->n_row);
    a->c = (controller *)s->history;
    a->accepted = (record *)(s->history + N_CONTROLLER);
    a->previous = (record *)(s->history + N_CONTROLLER + n);
    a->actual = (record *)scree_dense_push(s, n);
    if (!a->actual) return SCREE_OUT_OF_MEMORY;
    if (a->c->started == 0 || !is_at(s, a->accepted)) start_history(a);
    set_limits(a);
    if (a->c->started == 0) a->c->dt_next = a->dt_min;
    return SCREE_OK;
}

/* A step that waits but passes the end that this call may reach is tried again
 * from the accepted one; a resolved one as a search that has come to dt_min. */
static void drop_if_too_long(adaptive *a) {
    controller *c = a->c;
    if (a->previous->dt <= (1 + 1e-9) * a->options->dt) return;
    if (c->waits == WAITS_FINAL) c->dt_next = a->dt_min;
    c->waits = WAITS_NONE;
}

/* ---- the actual step ----------------------------------------------------- */

static const record *last_done(const adaptive *a) {
    return a->c->waits == WAITS_NONE ? a->accepted : a->previous;
}

/* Ends at a switching time that the model knows, without a rest too small. */
static double clip_to_switch(const adaptive *a, double t, double dt) {
    const scree_model_ops *ops = a->s->ops;
    if (!ops->next_switch) return dt;
    const double left = ops->next_switch(a->s->p, t) - t;
    return left <= dt + 1e-6 * a->dt_min ? left : dt;
}

/* What the user will see next may not be longer than options->dt; the step
 * after it, which is only a look ahead, may. */
static double actual_size(const adaptive *a) {
    const double room = a->c->waits == WAITS_NONE ? a->options->dt : a->dt_max;
    return clip_to_switch(a, last_done(a)->t, fmin(a->c->dt_next, room));
}

static double end_time(const adaptive *a, double t, double dt) {
    const scree_model_ops *ops = a->s->ops;
    const double known =
        ops->next_switch ? ops->next_switch(a->s->p, t) : INFINITY;
    return dt >= known - t ? known : t + dt;
}

static scree_status try_step(adaptive *a, scree_error *error) {
    const record *from = last_done(a);
    const double dt = actual_size(a);
    const bool started = a->c->started != 0;
    scree_extrapolation x = {
        .step = {.t = from->t,
                 .dt = dt,
                 .y = end_of(from),
                 .sigma = started ? modes_of(a->s, a->accepted) : NULL},
        .dt_min = a->dt_min};
    TRY(scree_extrapolate(a->s, a->options, &x, error));
    *a->actual = (record){.t_begin = from->t,
                          .t = end_time(a, from->t, dt),
                          .dt = dt,
                          .order = x.order,
                          .flag = started ? x.flag : SCREE_SWITCH_RESOLVED};
    store_record(a->s, a->actual);
    return SCREE_OK;
}

/* ---- Tables IV to VI ----------------------------------------------------- */

static void diminish_step(adaptive *a) {
    const double half = 0.5 * a->actual->dt;
    a->c->dt_next = half < 3 * a->dt_min ? a->dt_min : half;
}

static void increase_step(adaptive *a) {
    const double larger = fmax(2 * a->actual->dt, 3 * a->dt_min);
    a->c->dt_next = fmin(larger, a->dt_max);
}

/* The previous step becomes final: what this call returns. */
static void accept_previous(adaptive *a) {
    copy_record(a, a->accepted, a->previous);
    show_record(a->s, a->accepted);
    a->c->waits = WAITS_NONE;
}

/* All four return whether a step has become final. A step that was clipped says
 * nothing against the size in mind: no increase from it. */
static bool on_smooth(adaptive *a) {
    controller *c = a->c;
    const bool final = c->waits != WAITS_NONE;
    if (final) accept_previous(a);
    copy_record(a, a->previous, a->actual);
    c->waits = WAITS_PREVIOUS;
    if (a->accepted->t_begin > c->t_no_increase && a->actual->dt >= c->dt_next)
        increase_step(a);
    return final;
}

static bool on_inaccurate(adaptive *a) {
    if (a->actual->order < a->options->order) return on_smooth(a);
    diminish_step(a);
    return false;
}

static bool on_detected(adaptive *a) {
    a->c->waits = WAITS_NONE;
    a->c->t_no_increase = a->actual->t;
    diminish_step(a);
    return false;
}

static bool on_resolved(adaptive *a) {
    const bool behind = a->c->waits != WAITS_NONE;
    if (behind) accept_previous(a);
    copy_record(a, a->previous, a->actual);
    if (behind)
        a->c->waits = WAITS_FINAL;
    else
        accept_previous(a);
    a->c->t_no_increase = a->actual->t;
    a->c->started = 1;
    increase_step(a);
    return true;
}

static bool adjust_step(adaptive *a) {
    switch ((scree_extrapolation_flag)a->actual->flag) {
    case SCREE_SMOOTH:
        return on_smooth(a);
    case SCREE_SMOOTH_INACCURATE:
        return on_inaccurate(a);
    case SCREE_SWITCH_DETECTED:
        return on_detected(a);
    case SCREE_SWITCH_RESOLVED:
        break;
    }
    return on_resolved(a);
}

/* ---- one call ------------------------------------------------------------ */

/* Ends: each refusal halves the step, and one of dt_min, whose order is 1, is
 * never refused. */
static scree_status advance_once(adaptive *a, scree_error *error) {
    TRY(attach_history(a, error));
    if (a->c->waits != WAITS_NONE) drop_if_too_long(a);
    if (a->c->waits == WAITS_FINAL) {
        accept_previous(a);
        return SCREE_OK;
    }
    do TRY(try_step(a, error));
    while (!adjust_step(a));
    return SCREE_OK;
}

static scree_status dense_step(scree_dense *s,
                               const scree_dense_options *options,
                               scree_error *error) {
    adaptive a = {.s = s, .options = options};
    const size_t mark = scree_arena_mark(&s->scratch);
    const scree_status status = advance_once(&a, error);
    if (status != SCREE_OK && a.accepted) show_record(s, a.accepted);
    scree_arena_pop(&s->scratch, mark);
    return status;
}

const scree_stepper_ops scree_stepper_moreau_adaptive = {
    .name = "moreau-adaptive",
    .about = "Moreau's midpoint rule with switching-point search and "
             "extrapolation to higher order",
    .dense_step = dense_step,
    .world_step = scree_world_adapt,
    .adaptive = true,
    .history_per_dof = HISTORY_PER_DOF,
};
