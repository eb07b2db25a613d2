#include "engine/adaptive/adaptive.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "engine/adaptive/main_step.h"
#include "engine/step/step.h"

/* One main step. */
typedef struct record {
    int64_t begin, end; /* [ticks] */
    uint64_t modes;
    int64_t contacts; /* at its end */
    int32_t order, flag;
    bool converged;
} record;

/* What the record `previous` holds. */
enum { WAITS_NONE, WAITS_PREVIOUS, WAITS_FINAL };

struct scree_adaptive {
    scree_snapshot store[2];
    scree_snapshot *accepted, *previous; /* of them */
    scree_listing listing;
    scree_tableau_room room;
    /* What a checkpoint holds, beside the world at the end of the accepted step. */
    record last;  /* the accepted step */
    int64_t next; /* size of the next actual step, before clipping [ticks] */
    int64_t
        no_increase; /* end of the last step with a change of modes [ticks] */
    int64_t waiting; /* size of the step that waits [ticks] */
    int32_t waits;
    int32_t patience,
        idle; /* steps of dt_min from one look for a longer one to the next;
                               those since the last one */
    uint8_t started,
        begun; /* a step has been accepted; ... in this state of mind */
    bool loaded;
    /* Of a call. */
    record before, actual; /* the step that waits; the one that is tried */
    int64_t least;         /* dt_min [ticks] */
};

enum { MOST_PATIENCE = 64 };

scree_adaptive *scree_adaptive_create(void) {
    scree_adaptive *a = calloc(1, sizeof *a);
    if (!a) return NULL;
    a->accepted = &a->store[0];
    a->previous = &a->store[1];
    return a;
}

void scree_adaptive_free(scree_adaptive *a) {
    if (!a) return;
    scree_snapshot_free(&a->store[0]);
    scree_snapshot_free(&a->store[1]);
    scree_tableau_room_free(&a->room);
    free(a);
}

size_t scree_adaptive_bytes(const scree_adaptive *a) {
    if (!a) return 0;
    return sizeof *a + scree_snapshot_bytes(&a->store[0]) +
           scree_snapshot_bytes(&a->store[1]) +
           (size_t)(a->room.capacity + a->room.last_capacity) * sizeof(double);
}

int scree_adaptive_order(const scree_adaptive *a) {
    return a ? a->last.order : 0;
}

int scree_adaptive_flag(const scree_adaptive *a) {
    return a ? a->last.flag : 0;
}

/* ---- times ------------------------------------------------------------------- */

/* The largest def.dt / 2^k that is not above what is asked for. */
static int64_t least_ticks(const scree_world *world) {
    const double share = world->def.dt_min / world->def.dt;
    int64_t ticks = SCREE_WHOLE;
    while (ticks > 1 && (double)ticks > share * (1 + 1e-9) * SCREE_WHOLE)
        ticks /= 2;
    return ticks;
}

static double seconds_of(const scree_world *world, int64_t ticks) {
    return ldexp((double)ticks, -SCREE_FINEST) * world->def.dt;
}

/* ---- begin of a call ----------------------------------------------------------- */

/* The first step is one of dt_min in whatever modes there are. */
static scree_status start_anew(scree_adaptive *a, scree_world *world) {
    world->state.level = SCREE_FINEST;
    a->waits = WAITS_NONE;
    a->started = 0;
    a->next = a->least;
    a->no_increase = INT64_MIN;
    a->patience = a->idle = 0;
    a->last = (record){.begin = world->state.ticks, .end = world->state.ticks};
    return scree_snapshot_save(a->accepted, &a->listing, world);
}

static scree_status try_step(scree_adaptive *a, scree_world *world,
                             int64_t size);
static scree_status keep_actual(scree_adaptive *a, const scree_world *world);

/* The step that waited when the checkpoint was written. */
static scree_status make_again(scree_adaptive *a, scree_world *world) {
    const int32_t waits = a->waits;
    a->loaded = false;
    a->waits = WAITS_NONE;
    TRY(scree_snapshot_save(a->accepted, &a->listing, world));
    if (waits == WAITS_NONE) return SCREE_OK;
    TRY(try_step(a, world, a->waiting));
    TRY(keep_actual(a, world));
    a->waits = waits;
    return SCREE_OK;
}

static scree_status attach_world(scree_adaptive *a, scree_world *world) {
    a->least = least_ticks(world);
    if (a->loaded) return make_again(a, world);
    if (a->begun && scree_snapshot_is_of(a->accepted, world)) return SCREE_OK;
    a->begun = 1;
    return start_anew(a, world);
}

/* ---- the actual step -------------------------------------------------------------- */

static const record *last_done(const scree_adaptive *a) {
    return a->waits == WAITS_NONE ? &a->last : &a->before;
}

/* Ends at a multiple of def.dt at the latest. Two times dt_min allow no higher order
 * than one. */
static int64_t actual_size(const scree_adaptive *a) {
    const int64_t begin = last_done(a)->end;
    const int64_t room = SCREE_WHOLE - begin % SCREE_WHOLE;
    const int64_t size = a->next < room ? a->next : room;
    return size < 3 * a->least ? a->least : size;
}

static scree_status try_step(scree_adaptive *a, scree_world *world,
                             int64_t size) {
    const record *done = last_done(a);
    const scree_snapshot *from =
        a->waits == WAITS_NONE ? a->accepted : a->previous;
    scree_cost *cost = &world->accounts.cost;
    const int64_t unconverged = cost->unconverged, contacts = cost->contacts;
    scree_main_trial trial = {.from = from,
                              .dt = seconds_of(world, size),
                              .dt_min = seconds_of(world, a->least),
                              .any_modes = !a->started,
                              .modes = a->last.modes};
    TRY(scree_world_main_step(world, &a->listing, &a->room, &trial));
    cost->unconverged = unconverged, cost->contacts = contacts;
    a->actual = (record){.begin = done->end,
                         .end = done->end + size,
                         .modes = world->step.modes,
                         .contacts = world->ranks.n_contact,
                         .order = trial.order,
                         .flag = a->started ? (int32_t)trial.flag
                                            : SCREE_SWITCH_RESOLVED,
                         .converged = trial.converged};
    world->state.steps = from->numbers.steps + 1;
    world->state.ticks = a->actual.end;
    world->state.t = world->state.epoch_t + seconds_of(world, a->actual.end);
    world->state.report.converged = trial.converged;
    return SCREE_OK;
}

/* ---- Tables IV to VI ---------------------------------------------------------------- */

static int64_t size_of(const record *r) {
    return r->end - r->begin;
}

static void diminish_step(scree_adaptive *a) {
    const int64_t half = size_of(&a->actual) / 2;
    a->next = half < 3 * a->least ? a->least : half;
}

static int64_t larger_of(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static void increase_step(scree_adaptive *a) {
    const int64_t larger = larger_of(2 * size_of(&a->actual), 3 * a->least);
    a->next = larger < SCREE_WHOLE ? larger : SCREE_WHOLE;
}

/* The world is at the end of the actual step, which waits from now on. */
static scree_status keep_actual(scree_adaptive *a, const scree_world *world) {
    TRY(scree_snapshot_save(a->previous, &a->listing, world));
    a->before = a->actual;
    a->waiting = size_of(&a->actual);
    return SCREE_OK;
}

/* The step that waits becomes final. */
static void accept_previous(scree_adaptive *a, scree_world *world) {
    scree_snapshot *accepted = a->previous;
    scree_cost *cost = &world->accounts.cost;
    a->previous = a->accepted;
    a->accepted = accepted;
    a->last = a->before;
    a->waits = WAITS_NONE;
    a->started = 1;
    cost->contacts += a->last.contacts;
    cost->unconverged += !a->last.converged;
    const double dt = seconds_of(world, size_of(&a->last));
    cost->step_least = cost->step_most > 0 ? fmin(cost->step_least, dt) : dt;
    cost->step_most = fmax(cost->step_most, dt);
}

/* A step that was clipped says nothing against the size in mind: no increase from it. */
static scree_status on_smooth(scree_adaptive *a, scree_world *world,
                              bool *final) {
    *final = a->waits != WAITS_NONE;
    if (*final) accept_previous(a, world);
    TRY(keep_actual(a, world));
    a->waits = WAITS_PREVIOUS;
    if (size_of(&a->actual) > a->least) a->patience = 0;
    if (a->last.begin > a->no_increase && size_of(&a->actual) >= a->next)
        increase_step(a);
    return SCREE_OK;
}

/* One that dt_min has cut short is kept (moreau_adaptive.c). */
static scree_status on_inaccurate(scree_adaptive *a, scree_world *world,
                                  bool *final) {
    if (a->actual.order < world->def.order) return on_smooth(a, world, final);
    ++world->accounts.cost.refused;
    diminish_step(a);
    return SCREE_OK;
}

static void on_detected(scree_adaptive *a, scree_world *world) {
    world->accounts.cost.refused += 1 + (a->waits != WAITS_NONE);
    a->waits = WAITS_NONE;
    a->no_increase = a->actual.end;
    diminish_step(a);
}

/* After a switching point a longer step is looked for, unless that has failed lately. */
static void look_further(scree_adaptive *a) {
    const bool failed = a->no_increase == a->actual.begin + 3 * a->least;
    if (failed) {
        a->patience = a->patience ? 2 * a->patience : 1;
        if (a->patience > MOST_PATIENCE) a->patience = MOST_PATIENCE;
        a->idle = 0;
    }
    if (++a->idle <= a->patience)
        a->next = a->least;
    else
        increase_step(a);
}

static scree_status on_resolved(scree_adaptive *a, scree_world *world) {
    const bool behind = a->waits != WAITS_NONE;
    if (behind) accept_previous(a, world);
    TRY(keep_actual(a, world));
    a->waits = WAITS_FINAL;
    look_further(a);
    a->no_increase = a->actual.end;
    if (!behind) accept_previous(a, world);
    return SCREE_OK;
}

/* What became of the actual step; *final: a step has been accepted. */
static scree_status adjust_step(scree_adaptive *a, scree_world *world,
                                bool *final) {
    *final = false;
    switch ((scree_extrapolation_flag)a->actual.flag) {
    case SCREE_SMOOTH:
        return on_smooth(a, world, final);
    case SCREE_SMOOTH_INACCURATE:
        return on_inaccurate(a, world, final);
    case SCREE_SWITCH_DETECTED:
        on_detected(a, world);
        return SCREE_OK;
    case SCREE_SWITCH_RESOLVED:
        break;
    }
    *final = true;
    return on_resolved(a, world);
}

/* ---- one call ------------------------------------------------------------------------- */

/* Ends: each refusal halves the step, and one of dt_min is never refused. */
static scree_status advance_once(scree_adaptive *a, scree_world *world) {
    bool final = a->waits == WAITS_FINAL;
    if (final) accept_previous(a, world);
    while (!final) {
        TRY(try_step(a, world, actual_size(a)));
        TRY(adjust_step(a, world, &final));
    }
    return SCREE_OK;
}

scree_status scree_world_adapt(scree_world *world) {
    scree_adaptive *a = world->adaptive;
    scree_status status = attach_world(a, world);
    const bool begun = status == SCREE_OK;
    if (begun) status = advance_once(a, world);
    if (begun) scree_snapshot_restore(a->accepted, &a->listing, world);
    return status;
}

/* ---- checkpoints ------------------------------------------------------------------------- */

#define AT(member) offsetof(scree_adaptive, member)

static const scree_archive_field fields[] = {
    {"adaptive_begin", SCREE_I64, 1, AT(last.begin)},
    {"adaptive_end", SCREE_I64, 1, AT(last.end)},
    {"adaptive_modes", SCREE_I64, 1, AT(last.modes)},
    {"adaptive_order", SCREE_I32, 1, AT(last.order)},
    {"adaptive_flag", SCREE_I32, 1, AT(last.flag)},
    {"adaptive_next", SCREE_I64, 1, AT(next)},
    {"adaptive_no_increase", SCREE_I64, 1, AT(no_increase)},
    {"adaptive_waiting", SCREE_I64, 1, AT(waiting)},
    {"adaptive_waits", SCREE_I32, 1, AT(waits)},
    {"adaptive_patience", SCREE_I32, 1, AT(patience)},
    {"adaptive_idle", SCREE_I32, 1, AT(idle)},
    {"adaptive_started", SCREE_U8, 1, AT(started)},
    {"adaptive_begun", SCREE_U8, 1, AT(begun)},
};

static const scree_archive_field cost_fields[] = {
    {"adaptive_substeps", SCREE_I64, 1, offsetof(scree_cost, substeps)},
    {"adaptive_refused", SCREE_I64, 1, offsetof(scree_cost, refused)},
};

static bool is_size(int64_t size, int64_t least) {
    return size >= least && size <= SCREE_WHOLE && size % least == 0;
}

static bool is_count(int64_t n) {
    return n >= 0 && n < INT64_C(1) << 60;
}

/* Any numbers that pass make steps; others would make none, or none that end. */
static bool can_be(const scree_adaptive *a, const scree_world *world) {
    const int64_t least = least_ticks(world);
    return a->begun <= 1 && a->started <= 1 &&
           (!a->begun || is_size(a->next, least)) && a->waits >= WAITS_NONE &&
           a->waits <= WAITS_FINAL &&
           (a->waits == WAITS_NONE || is_size(a->waiting, least)) &&
           is_count(world->accounts.cost.substeps) &&
           is_count(world->accounts.cost.refused) &&
           a->last.end == world->state.ticks && a->last.end % least == 0 &&
           a->last.begin >= 0 && a->last.begin <= a->last.end &&
           size_of(&a->last) <= SCREE_WHOLE && a->last.flag >= 0 &&
           a->last.flag <= SCREE_SWITCH_RESOLVED && a->last.order >= 0 &&
           a->last.order <= world->def.order && a->patience >= 0 &&
           a->patience <= MOST_PATIENCE && a->idle >= 0 &&
           a->idle <= MOST_PATIENCE + 1;
}

/* A world that goes on with another step, or from a run of another stepper, starts anew:
 * its ticks are not those of the file. */
static void take_up(scree_adaptive *a, scree_world *world,
                    scree_archive *archive, bool same) {
    if (!same || archive->status != SCREE_OK || !a->begun) {
        a->begun = 0;
        return;
    }
    if (!can_be(a, world)) {
        scree_archive_fail(archive, SCREE_BAD_INPUT,
                           "the steps that it chooses itself cannot be");
        return;
    }
    if (size_of(&a->last) > 0)
        world->state.dt = seconds_of(world, size_of(&a->last));
    a->last.contacts = world->ranks.n_contact;
    a->last.converged = world->state.report.converged;
    a->loaded = true;
}

void scree_adaptive_archive(scree_world *world, scree_archive *archive,
                            bool same) {
    scree_adaptive *a = world->adaptive;
    if (!a) return;
    scree_archive_group(archive, "world");
    if (archive->loads && !scree_archive_has(archive, "adaptive_begin")) {
        a->begun = 0;
        return;
    }
    scree_archive_struct(archive, a, SCREE_FIELDS(fields));
    scree_archive_struct(archive, &world->accounts.cost,
                         SCREE_FIELDS(cost_fields));
    if (archive->loads) take_up(a, world, archive, same);
}
