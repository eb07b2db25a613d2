#include "engine/adaptive/main_step.h"

#include <stdlib.h>
#include <string.h>

#include "engine/step/step.h"

enum { PER_BODY = 13, PER_WALL = 3, MOST_ROWS = 9 };

/* The accounts that are sums over the run. */
#define SUMS(X)                                                                \
    X(taken_normal)                                                            \
    X(taken_friction)                                                          \
    X(taken_turning)                                                           \
    X(wall_work)                                                               \
    X(recovery_work)
#define X(name) +1
enum { N_SUM = 0 SUMS(X) };
#undef X

typedef struct tableau {
    scree_world *world;
    scree_listing *listing;
    scree_main_trial *trial;
    int n_y;
    int rows;         /* that there are */
    int n[MOST_ROWS]; /* substeps of each row */
    double *T, *last;
} tableau;

/* ---- y ------------------------------------------------------------------------ */

static int size_of(const scree_world *world) {
    return PER_BODY * world->state.bodies.n + N_SUM +
           PER_WALL * world->scene.n_wall;
}

static double *walls_of(const tableau *t, double *y) {
    return y + t->n_y - PER_WALL * t->world->scene.n_wall;
}

static void read_bodies(const scree_world *world, double *y) {
    const scree_bodies *b = &world->state.bodies;
    for (int32_t i = 0; i < b->n; ++i) {
        double *to = &y[PER_BODY * scree_bodies_row(b, b->id[i])];
        vec_to(b->x[i].x, to);
        to[3] = b->q[i].w, to[4] = b->q[i].x;
        to[5] = b->q[i].y, to[6] = b->q[i].z;
        vec_to(b->u[i].v, to + 7);
        vec_to(b->u[i].w, to + 10);
    }
}

static void write_bodies(const double *y, scree_world *world) {
    const scree_bodies *b = &world->state.bodies;
    for (int32_t i = 0; i < b->n; ++i) {
        const double *from = &y[PER_BODY * scree_bodies_row(b, b->id[i])];
        b->x[i].x = vec_from(from);
        b->q[i] = quat_unit((scree_quat){from[3], from[4], from[5], from[6]});
        b->u[i].v = vec_from(from + 7);
        b->u[i].w = vec_from(from + 10);
    }
}

/* Walls have been added up already. */
static void read_result(const scree_world *world, double *y) {
    double *sum = y + PER_BODY * world->state.bodies.n;
    read_bodies(world, y);
#define X(name) *sum++ = world->accounts.name;
    SUMS(X)
#undef X
}

static void write_result(const tableau *t) {
    scree_world *world = t->world;
    double *sum = t->T + PER_BODY * world->state.bodies.n;
    const double *walls = walls_of(t, t->T);
    write_bodies(t->T, world);
#define X(name) world->accounts.name = *sum++;
    SUMS(X)
#undef X
    for (int k = 0; k < world->scene.n_wall; ++k)
        world->scene.walls[k].percussion = vec_from(&walls[PER_WALL * k]);
}

static double state_distance(const double *a, const double *b, int n) {
    double sum = 0;
    for (int k = 0; k < n; ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
    return sqrt(sum);
}

static bool is_accurate(const tableau *t) {
    static const double zero[4] = {0};
    static const int first[] = {0, 3, 7, 10}, width[] = {3, 4, 3, 3};
    const scree_bodies *b = &t->world->state.bodies;
    double error = 0, size = 0;
    for (int32_t i = 0; i < b->n; ++i)
        for (int k = 0; k < 4; ++k) {
            const int64_t at =
                PER_BODY * scree_bodies_row(b, b->id[i]) + first[k];
            const double arm = k == 1 ? 2 * b->x[i].r : k == 3 ? b->x[i].r : 1;
            const double *y = &t->T[at];
            error =
                fmax(error, arm * state_distance(y, &t->last[at], width[k]));
            size = fmax(size, arm * state_distance(y, zero, width[k]));
        }
    const scree_world_def *def = &t->world->def;
    return error <= def->atol + def->rtol * size;
}

/* ---- a row --------------------------------------------------------------------- */

static void add_walls(const tableau *t, double *y) {
    double *to = walls_of(t, y);
    for (int k = 0; k < t->world->scene.n_wall; ++k) {
        const scree_vec3 P = t->world->scene.walls[k].percussion;
        vec_to(add(vec_from(&to[PER_WALL * k]), P), &to[PER_WALL * k]);
    }
}

/* The time-stepping module (engine/steppers/moreau.c). */
extern const scree_stepper_ops scree_stepper_moreau;

static scree_status take_substep(scree_world *world, double t, double h) {
    scree_world_scale_percussions(world, h / world->state.dt);
    world->state.t = t;
    world->state.dt = world->step.dt = world->step.reach = h;
    world->step.seen = 0.5 * h;
    return scree_world_step_by(world, &scree_stepper_moreau);
}

/* n substeps from the beginning of the step. The first one in other modes ends the row
 * early: what lies behind a switching point is of no use to the extrapolation. */
static scree_status take_row(const tableau *t, int n, double *y, bool *same) {
    scree_world *world = t->world;
    scree_main_trial *trial = t->trial;
    const double begin = trial->from->numbers.t, h = trial->dt / n;
    scree_snapshot_restore(trial->from, t->listing, world);
    world->step.smooth =
        world->def.order > 1 && !scree_is_minimal(trial->dt, trial->dt_min);
    memset(y, 0, (size_t)t->n_y * sizeof *y);
    *same = true;
    for (int k = 0; k < n && *same; ++k) {
        TRY(take_substep(world, begin + k * h, h));
        ++world->accounts.cost.substeps;
        add_walls(t, y);
        trial->converged = trial->converged && world->state.report.converged;
        *same = trial->any_modes || world->step.modes == trial->modes;
    }
    read_result(world, y);
    scree_world_scale_percussions(world, n);
    world->state.dt = trial->dt;
    return SCREE_OK;
}

/* ---- rows until the accuracy, the order, dt_min or a switching point ends them -- */

/* What contacts cost (main_step.h). */
static int rows_beyond(const tableau *t) {
    return t->world->def.order > 1 && t->trial->modes != 0;
}

static bool row_allowed(const tableau *t, int i) {
    const scree_main_trial *trial = t->trial;
    const int most = t->world->def.order + rows_beyond(t);
    return i == 0 || (i < most && trial->dt / t->n[i] >= 0.999 * trial->dt_min);
}

static scree_extrapolation_flag switched_flag(const scree_main_trial *trial) {
    return scree_is_minimal(trial->dt, trial->dt_min) ? SCREE_SWITCH_RESOLVED
                                                      : SCREE_SWITCH_DETECTED;
}

static scree_status build_rows(tableau *t) {
    scree_main_trial *trial = t->trial;
    const scree_world_def *def = &t->world->def;
    const bool control = def->order > 1 && (def->atol > 0 || def->rtol > 0);
    trial->flag = control ? SCREE_SMOOTH_INACCURATE : SCREE_SMOOTH;
    for (int i = 0; row_allowed(t, i); ++i) {
        bool same;
        if (i > 0) memcpy(t->last, t->T, (size_t)t->n_y * sizeof *t->T);
        TRY(take_row(t, t->n[i], &t->T[i * t->n_y], &same));
        t->rows = i + 1;
        trial->order = i > 0 ? i + 1 - rows_beyond(t) : 1;
        if (!same) {
            trial->flag = switched_flag(trial);
            return SCREE_OK;
        }
        scree_aitken_neville(t->T, t->n_y, t->n, i);
        if (control && i > 0 && is_accurate(t)) {
            trial->flag = SCREE_SMOOTH;
            return SCREE_OK;
        }
    }
    return SCREE_OK;
}

/* Overlap deeper than this share of the least radius is worked off when a step is done
 * that left it alone. */
static const double DEEP = 1e-4;

/* With contacts as they are where the extrapolation has put the bodies. */
static scree_status work_off(const tableau *t) {
    scree_world *world = t->world;
    const double deep = DEEP * world->scene.r_min;
    if (!world->def.gap_control || !(world->accounts.penetration_max > deep))
        return SCREE_OK;
    const scree_reach reach = {.slack = SCREE_SLACK * world->scene.r_min};
    world->step.smooth = false;
    TRY(scree_world_find_contacts(world, 0, &reach));
    TRY(scree_world_place_again(world));
    return scree_world_recover(world, scree_world_recovery_velocity(world),
                               t->trial->dt);
}

static bool is_done(const tableau *t) {
    return t->trial->flag != SCREE_SWITCH_DETECTED;
}

scree_status scree_world_main_step(scree_world *world, scree_listing *listing,
                                   scree_tableau_room *room,
                                   scree_main_trial *trial) {
    tableau t = {.world = world,
                 .listing = listing,
                 .trial = trial,
                 .n_y = size_of(world)};
    TRY(scree_reserve_anew(&room->T, &room->capacity,
                           (int64_t)MOST_ROWS * t.n_y, sizeof *room->T));
    TRY(scree_reserve_anew(&room->last, &room->last_capacity, t.n_y,
                           sizeof *room->last));
    t.T = room->T, t.last = room->last;
    for (int i = 0; i < MOST_ROWS; ++i)
        t.n[i] = scree_substep_count(world->def.substeps, i);
    trial->converged = true;
    if (world->def.substeps == SCREE_SUBSTEPS_FADING)
        world->step.fading = trial->dt / trial->dt_min;
    const scree_status status = build_rows(&t);
    world->step.fading = 0;
    TRY(status);
    if (is_done(&t) && t.rows > 1) write_result(&t);
    if (is_done(&t) && world->step.smooth) TRY(work_off(&t));
    world->state.t = trial->from->numbers.t + trial->dt;
    return SCREE_OK;
}

void scree_tableau_room_free(scree_tableau_room *room) {
    free(room->T);
    free(room->last);
}
