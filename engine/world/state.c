#include "engine/world/state.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "contact/broad/contact_state.h"
#include "contact/narrow/valid.h"
#include "engine/adaptive/adaptive.h"
#include "engine/domain/domain.h"
#include "engine/domain/rows.h"
#include "engine/domain/save.h"
#include "engine/forces/forces.h"
#include "engine/joints/joints.h"
#include "engine/steppers/generalized_alpha_world.h"
#include "engine/world/make.h"
#include "engine/world/ranks.h"
#include "engine/world/state_bodies.h"
#include "engine/world/view.h"

#define AT(type, member) offsetof(type, member)

/* ---- time ------------------------------------------------------------------ */

/* From the count, so that the time does not collect rounding. A world that goes
 * on with another step size counts from there. */
void scree_world_count_step(scree_world *world) {
    const double dt = world->state.dt;
    scree_cost *cost = &world->accounts.cost;
    cost->step_least = cost->step_most > 0 ? fmin(cost->step_least, dt) : dt;
    cost->step_most = fmax(cost->step_most, dt);
    ++world->state.steps;
    world->state.ticks += SCREE_WHOLE >> world->state.level;
    world->state.t =
        world->state.epoch_t +
        ldexp((double)world->state.ticks, -SCREE_FINEST) * world->def.dt;
}

void scree_world_begin_epoch(scree_world *world, double t) {
    world->state.t = world->state.epoch_t = t;
    world->state.ticks = 0;
}

/* ---- the world's own numbers ------------------------------------------------ */

static const scree_archive_field world_fields[] = {
    {"time", SCREE_F64, 1, AT(scree_world, state.t)},
    {"steps", SCREE_I64, 1, AT(scree_world, state.steps)},
    {"epoch_time", SCREE_F64, 1, AT(scree_world, state.epoch_t)},
    {"ticks", SCREE_I64, 1, AT(scree_world, state.ticks)},
    {"level", SCREE_I32, 1, AT(scree_world, state.level)},
    {"radius_sum", SCREE_F64, 1, AT(scree_world, scene.r_sum)},
    {"radius_min", SCREE_F64, 1, AT(scree_world, scene.r_min)},
    {"radius_max", SCREE_F64, 1, AT(scree_world, scene.r_max)},
    {"general", SCREE_U8, 1, AT(scree_world, scene.general)},
    {"seen", SCREE_F64, 1, AT(scree_world, step.seen)},
    {"fresh", SCREE_I64, 1, AT(scree_world, state.fresh)},
    {"gaps_hold", SCREE_U8, 1, AT(scree_world, step.gaps_hold)},
    {"penetration_sum", SCREE_F64, 1,
     AT(scree_world, accounts.penetration_sum)},
    {"penetration_max", SCREE_F64, 1,
     AT(scree_world, accounts.penetration_max)},
    {"penetrating", SCREE_I64, 1, AT(scree_world, accounts.penetrating)},
    {"taken_normal", SCREE_F64, 1, AT(scree_world, accounts.taken_normal)},
    {"taken_friction", SCREE_F64, 1, AT(scree_world, accounts.taken_friction)},
    {"taken_turning", SCREE_F64, 1, AT(scree_world, accounts.taken_turning)},
    {"wall_work", SCREE_F64, 1, AT(scree_world, accounts.wall_work)},
    {"recovery_work", SCREE_F64, 1, AT(scree_world, accounts.recovery_work)},
    {"inserted", SCREE_F64, 1, AT(scree_world, accounts.inserted)},
};

static const scree_archive_field report_fields[] = {
    {"iterations", SCREE_I32, 1, AT(scree_report, iterations)},
    {"residual", SCREE_F64, 1, AT(scree_report, residual)},
    {"balance", SCREE_F64, 1, AT(scree_report, balance)},
    {"normal", SCREE_F64, 1, AT(scree_report, normal)},
    {"cone", SCREE_F64, 1, AT(scree_report, cone)},
    {"scale", SCREE_F64, 1, AT(scree_report, scale)},
    {"converged", SCREE_U8, 1, AT(scree_report, converged)},
    {"stop", SCREE_I32, 1, AT(scree_report, stop)},
    {"by", SCREE_U8, 8, AT(scree_report, by)},
};
_Static_assert(sizeof(scree_report) == 64,
               "a new member of scree_report must be saved as well");

static const scree_archive_field cost_fields[] = {
    {"seconds", SCREE_F64, SCREE_PHASE_COUNT, AT(scree_cost, seconds)},
    {"sweep_seconds", SCREE_F64, 1, AT(scree_cost, sweep_seconds)},
    {"colour_seconds", SCREE_F64, 1, AT(scree_cost, colour_seconds)},
    {"contact_iterations", SCREE_I64, 1, AT(scree_cost, contact_iterations)},
    {"iterations", SCREE_I64, 1, AT(scree_cost, iterations)},
    {"contacts", SCREE_I64, 1, AT(scree_cost, contacts)},
    {"chosen", SCREE_I64, 1, AT(scree_cost, chosen)},
    {"rebuilds", SCREE_I64, 1, AT(scree_cost, rebuilds)},
    {"unconverged", SCREE_I64, 1, AT(scree_cost, unconverged)},
    {"rounds", SCREE_I64, 1, AT(scree_cost, rounds)},
    {"incomplete", SCREE_I64, 1, AT(scree_cost, incomplete)},
    {"parts", SCREE_I64, 1, AT(scree_cost, parts)},
    {"step_least", SCREE_F64, 1, AT(scree_cost, step_least)},
    {"step_most", SCREE_F64, 1, AT(scree_cost, step_most)},
};

/* The step size and gravity that the numbers belong to. */
typedef struct setting {
    double dt, motion, gravity[3];
} setting;

static const scree_archive_field setting_fields[] = {
    {"step_size", SCREE_F64, 1, AT(setting, dt)},
    {"motion", SCREE_F64, 1, AT(setting, motion)},
    {"gravity", SCREE_F64, 3, AT(setting, gravity)},
};

static setting setting_of(const scree_world *world) {
    setting s = {.dt = world->def.dt, .motion = world->def.motion};
    memcpy(s.gravity, world->def.gravity, sizeof s.gravity);
    return s;
}

static void archive_numbers(scree_world *world, setting *was,
                            scree_archive *a) {
    scree_archive_group(a, "world");
    scree_archive_struct(a, world, SCREE_FIELDS(world_fields));
    scree_archive_struct(a, was, SCREE_FIELDS(setting_fields));
    scree_archive_group(a, "world/report");
    scree_archive_struct(a, &world->state.report, SCREE_FIELDS(report_fields));
    scree_archive_group(a, "world/cost");
    scree_archive_struct(a, &world->accounts.cost, SCREE_FIELDS(cost_fields));
}

/* Times that no run could have come to would not even count its steps. */
static const double LATEST = 2e11; /* steps */

/* Runs begin at 0. */
static bool is_time(double t, double most) {
    return t >= 0 && t <= most;
}

static void refuse_time(scree_archive *a) {
    scree_archive_fail(a, SCREE_BAD_INPUT,
                       "its time or its number of steps cannot be");
}

/* A larger count would overflow when the run goes on; no run comes so far. */
static void check_counts(const int64_t *counts, size_t n, scree_archive *a) {
    static const int64_t MOST = INT64_C(1) << 60;
    for (size_t k = 0; k < n; ++k)
        if (counts[k] < 0 || counts[k] > MOST)
            scree_archive_fail(a, SCREE_BAD_INPUT,
                               "its counts of contacts and iterations cannot "
                               "be");
}

static void check_cost(const scree_cost *cost, scree_archive *a) {
    const int64_t counts[] = {cost->contact_iterations,
                              cost->iterations,
                              cost->contacts,
                              cost->rebuilds,
                              cost->unconverged,
                              cost->chosen,
                              cost->rounds,
                              cost->incomplete,
                              cost->parts};
    check_counts(counts, sizeof counts / sizeof *counts, a);
}

static void check_numbers(const scree_world *world, scree_archive *a) {
    const scree_report *r = &world->state.report;
    scree_archive_check_truth(a, "general", &world->scene.general);
    scree_archive_check_truth(a, "gaps_hold", &world->step.gaps_hold);
    scree_archive_check_truth(a, "converged", &r->converged);
    if ((int)r->stop < 0 || (int)r->stop >= (int)SCREE_STOPS ||
        !memchr(r->by, 0, sizeof r->by))
        scree_archive_fail(a, SCREE_BAD_INPUT,
                           "why its last solve stopped cannot be");
    const double most = LATEST * world->def.dt;
    if (!is_time(world->state.t, most) ||
        !is_time(world->state.epoch_t, most) || world->state.ticks < 0 ||
        (double)world->state.ticks > LATEST * (double)SCREE_WHOLE ||
        world->state.level < 0 || world->state.level > SCREE_FINEST ||
        world->state.ticks % (SCREE_WHOLE >> world->state.level) != 0 ||
        !(world->state.steps >= 0 && (double)world->state.steps <= LATEST))
        refuse_time(a);
    const scree_cost *cost = &world->accounts.cost;
    if (!is_time(world->step.seen, most) || !is_time(cost->step_least, most) ||
        !is_time(cost->step_most, most))
        refuse_time(a);
    check_cost(&world->accounts.cost, a);
}

/* Steps that choose themselves go on in the grid of multiples of def.dt, if the time is
 * one of its places, so that those multiples are met. */
static bool is_on_grid(scree_world *world) {
    const double dt = world->def.dt, t = world->state.t;
    const double ticks = nearbyint(ldexp(t / dt, SCREE_FINEST));
    if (fabs(ldexp(ticks, -SCREE_FINEST) * dt - t) > 1e-9 * dt) return false;
    world->state.epoch_t = 0;
    world->state.ticks = (int64_t)ticks;
    while (world->state.ticks % (SCREE_WHOLE >> world->state.level) != 0)
        ++world->state.level;
    return true;
}

static void adapt_time(scree_world *world, const setting *was) {
    const double motion = world->def.motion;
    const bool alike = motion == 0 && !world->adaptive;
    if (was->dt != world->def.dt || was->motion != motion ||
        (alike && world->state.level > 0)) {
        world->state.level = 0;
        if (motion == 0 || !is_on_grid(world))
            scree_world_begin_epoch(world, world->state.t);
    }
    world->state.dt = ldexp(world->def.dt, -world->state.level);
}

static scree_vec3 gravity_change(const scree_world *world, const setting *was) {
    return sub(vec_from(world->def.gravity), vec_from(was->gravity));
}

/* Another gravity gives the same bodies another potential energy: that is
 * energy put in by whoever changed it. Summed exactly, so that the number of
 * ranks leaves no trace. */
void scree_world_insert_gravity(scree_world *world, scree_vec3 change) {
    const scree_bodies *b = &world->state.bodies;
    scree_exact_sum sum = {0};
    double total;
    if (dot(change, change) == 0) return;
    for (int32_t i = 0; i < b->n; ++i)
        if (scree_world_owns(world, i) && !scree_is_kinematic(&b->u[i]))
            scree_exact_add(&sum, dot(change, scree_world_unwrapped(world, i)) /
                                      b->u[i].inv_m);
    scree_world_exact_totals(world, &sum, 1, &total);
    world->accounts.inserted -= total;
}

/* That a program has set, the case does not know. */
static void keep_gravity(scree_world *world, const setting *was,
                         scree_archive *a) {
    const scree_vec3 g = vec_from(was->gravity);
    if (!world->forces.own_gravity) return;
    if (isfinite(norm(g)) && !(world->def.planar && g.z != 0))
        scree_world_define_gravity(world, was->gravity);
    else
        scree_archive_fail(a, SCREE_BAD_INPUT, "its gravity cannot be");
}

static void adapt_gravity(scree_world *world, const setting *was) {
    scree_world_insert_gravity(world, gravity_change(world, was));
}

/* ---- the world ---------------------------------------------------------------- */

/* Where walls are follows from the time, and of those that forces drive from these. */
static const scree_archive_field wall_fields[] = {
    {"percussion", SCREE_F64, 3, AT(scree_wall, percussion)},
};
static const scree_archive_field drive_fields[] = {
    {"way", SCREE_F64, 1, AT(scree_wall, drive.s)},
    {"velocity", SCREE_F64, 1, AT(scree_wall, drive.v)},
    {"listed", SCREE_F64, 1, AT(scree_wall, drive.listed)},
    {"allowed", SCREE_F64, 1, AT(scree_wall, drive.allowed)},
};

static scree_items items_of_walls(const scree_world *world) {
    return (scree_items){world->scene.walls, sizeof *world->scene.walls,
                         world->scene.n_wall, NULL};
}

/* All ranks have them alike. A wall may be driven now that was not before: it begins where
 * it is. */
static void archive_drives(scree_world *world, scree_archive *a) {
    const scree_items walls = items_of_walls(world);
    if (world->scene.n_driven == 0) return;
    scree_archive_group(a, "drives");
    if (a->loads && !scree_archive_has(a, "way")) return;
    scree_archive_items(a, &walls, SCREE_FIELDS(drive_fields));
    for (int w = 0; w < world->scene.n_wall && a->loads; ++w) {
        const scree_drive *d = &world->scene.walls[w].drive;
        if (!isfinite(d->s) || !isfinite(d->v) || !isfinite(d->listed) ||
            !isfinite(d->allowed))
            scree_archive_fail(a, SCREE_BAD_INPUT,
                               "where its driven walls are is not finite");
    }
}

static void archive_walls(scree_world *world, scree_archive *a) {
    const scree_items walls = items_of_walls(world);
    scree_archive_group(a, "walls");
    scree_archive_items(a, &walls, SCREE_FIELDS(wall_fields));
    archive_drives(world, a);
}

static const scree_archive_field outlet_fields[] = {
    {"bodies", SCREE_I64, 1, AT(scree_outlet, bodies)},
    {"mass", SCREE_F64, 1, AT(scree_outlet, mass)},
};

/* What left so far; the case may have other outlets now: they begin at none. */
static void archive_outlets(scree_world *world, scree_archive *a) {
    const scree_items outlets = {world->state.outlets,
                                 sizeof *world->state.outlets,
                                 world->state.n_outlet, NULL};
    if (outlets.n == 0) return;
    scree_archive_group(a, "outlets");
    if (a->loads && (!scree_archive_has(a, "bodies") ||
                     scree_archive_count(a, "bodies", 0) != outlets.n))
        return;
    scree_archive_items(a, &outlets, SCREE_FIELDS(outlet_fields));
}

/* How often the edges of a sheared cell were reduced; they follow from the time else. */
static const scree_archive_field cell_fields[] = {
    {"slid", SCREE_I64, 1, AT(scree_cell_state, slid)},
};

/* And those of one that holds a pressure, which follow from nothing else. */
static const scree_archive_field held_fields[] = {
    {"length", SCREE_F64, 3, AT(scree_cell_state, length)},
    {"offset", SCREE_F64, 1, AT(scree_cell_state, offset)},
    {"speed", SCREE_F64, 9, AT(scree_cell_state, now.speed)},
};

static void archive_cell(scree_world *world, scree_archive *a) {
    if (!world->scene.cell) return;
    scree_archive_group(a, "cell");
    if (!a->loads || scree_archive_has(a, "slid"))
        scree_archive_struct(a, &world->state.cell, SCREE_FIELDS(cell_fields));
    if (world->state.cell.held && (!a->loads || scree_archive_has(a, "length")))
        scree_archive_struct(a, &world->state.cell, SCREE_FIELDS(held_fields));
    if (a->loads && a->status == SCREE_OK) scree_world_place_cell(world);
}

/* ---- the part of a rank -------------------------------------------------- */

static scree_status save_rows(scree_world *world, scree_archive *a) {
    const scree_block_of_ids block = scree_world_block(world);
    scree_body_row *rows = malloc(((size_t)block.n + 1) * sizeof *rows);
    scree_status status =
        scree_world_agree(world, rows ? SCREE_OK : SCREE_OUT_OF_MEMORY);
    if (status == SCREE_OK)
        status = scree_world_agree(world, scree_domain_body_rows(world, rows));
    if (status == SCREE_OK) {
        scree_archive_parts(a, true);
        scree_state_rows(world, rows, block.n, a);
        scree_archive_parts(a, false);
        scree_state_removed(&world->state.bodies.removed, world->ranks.n_body,
                            a);
    }
    free(rows);
    return status;
}

static scree_status save_walls(scree_world *world, scree_archive *a) {
    const size_t size = sizeof(scree_vec3);
    scree_vec3 *percussions = malloc(((size_t)world->scene.n_wall + 1) * size);
    TRY(scree_world_agree(world, percussions ? SCREE_OK : SCREE_OUT_OF_MEMORY));
    scree_domain_wall_percussions(world, percussions);
    scree_archive_group(a, "walls");
    scree_archive_array(a, "percussion", SCREE_F64, world->scene.n_wall, 3,
                        percussions);
    free(percussions);
    archive_drives(world, a);
    return SCREE_OK;
}

static scree_status save_contacts(scree_world *world, scree_archive *a) {
    scree_contact_part part;
    const scree_status status = scree_domain_contact_part(world, &part);
    const scree_state_fields fields = scree_world_state_fields(NULL);
    if (status == SCREE_OK) scree_contact_archive_part(a, &part, &fields);
    scree_contact_part_free(&part);
    return status;
}

/* As one rank saves a world whose Verlet list must be built anew. */
static void save_part(scree_world *world, scree_archive *a) {
    setting now = setting_of(world);
    scree_world sums = scree_domain_sums(world);
    if (world->ranks.n_body >= INT32_MAX - 1 ||
        world->ranks.n_contact >= INT32_MAX - 1) {
        scree_archive_fail(a, SCREE_UNSUPPORTED,
                           "too many bodies or contacts for one checkpoint");
        return;
    }
    archive_numbers(&sums, &now, a);
    scree_forces_archive(&sums, a);
    archive_outlets(world, a);
    archive_cell(world, a);
    scree_status status = save_rows(world, a);
    if (status == SCREE_OK) status = scree_forces_save_part(world, a);
    if (status == SCREE_OK) status = save_walls(world, a);
    if (status == SCREE_OK) status = save_contacts(world, a);
    if (status != SCREE_OK)
        scree_archive_fail(a, status, "no memory for a checkpoint");
}

/* ---- colours ------------------------------------------------------------- */

/* Contacts keep the colours of a file (solvers/problem/colours.h): a body with one of them
 * twice would be pushed by two threads at once. */
static void check_colours(const scree_world *world, scree_archive *a) {
    uint64_t *used = calloc((size_t)world->state.bodies.n + 1, sizeof *used);
    if (!used)
        scree_archive_fail(a, SCREE_OUT_OF_MEMORY, "out of memory");
    else if (!scree_colours_is_valid(&world->state.contacts,
                                     UINT64_C(1) << SCREE_OVERFLOW, used) ||
             !scree_joints_take_colours(world, used))
        scree_archive_fail(a, SCREE_BAD_INPUT,
                           "a body has two contacts of one colour");
    free(used);
}

/* ---- all ----------------------------------------------------------------- */

/* In files bodies are named by their rows. */
static int64_t *list_rows(const scree_bodies *b) {
    int64_t *rows = malloc(((size_t)b->n + 1) * sizeof *rows);
    for (int32_t i = 0; rows && i < b->n; ++i)
        rows[i] = scree_bodies_row(b, b->id[i]);
    return rows;
}

static void archive_contacts(scree_world *world, scree_archive *a) {
    const scree_bodies *b = &world->state.bodies;
    const scree_state_fields fields = scree_world_state_fields(NULL);
    int64_t *rows = list_rows(b);
    if (!rows) {
        scree_archive_fail(a, SCREE_OUT_OF_MEMORY, "out of memory");
        return;
    }
    const scree_places places = {b->n, rows, b->place, world->scene.n_wall};
    scree_contact_archive(a, &world->state.broad, &world->state.contacts,
                          &places, &fields);
    free(rows);
}

scree_status scree_world_archive(scree_world *world, scree_archive *a) {
    if (world->ranks.domain) {
        save_part(world, a);
        return a->status;
    }
    setting was = setting_of(world);
    archive_numbers(world, &was, a);
    if (a->loads && a->status == SCREE_OK) check_numbers(world, a);
    scree_forces_archive(world, a);
    scree_state_bodies(world, a);
    archive_walls(world, a);
    archive_outlets(world, a);
    archive_cell(world, a);
    scree_joints_archive(world, a);
    if (a->status != SCREE_OK) return a->status;
    archive_contacts(world, a);
    if (a->loads && a->status == SCREE_OK) check_colours(world, a);
    if (a->loads) world->ranks.n_contact = world->state.contacts.n;
    if (a->loads && a->status == SCREE_OK) {
        adapt_time(world, &was);
        keep_gravity(world, &was, a);
        adapt_gravity(world, &was);
    }
    const bool same_step = was.dt == world->def.dt;
    const scree_vec3 change = gravity_change(world, &was);
    if (a->status == SCREE_OK) scree_adaptive_archive(world, a, same_step);
    if (a->status == SCREE_OK)
        scree_alpha_archive(world, a, same_step && dot(change, change) == 0);
    return a->status;
}

scree_status scree_world_load_numbers(scree_world *world, scree_archive *a) {
    setting was = setting_of(world);
    archive_numbers(world, &was, a);
    if (a->status == SCREE_OK) check_numbers(world, a);
    scree_forces_archive(world, a);
    archive_outlets(world, a);
    archive_cell(world, a);
    archive_walls(world, a);
    scree_archive_group(a, "bodies");
    world->ranks.n_body = scree_archive_count(a, "radius", 0);
    scree_state_removed(&world->state.bodies.removed, world->ranks.n_body, a);
    scree_archive_group(a, "contacts");
    world->ranks.n_contact = scree_archive_count(a, "a", 0);
    if (world->ranks.n_body >= INT32_MAX - 1 ||
        world->ranks.n_contact >= INT32_MAX - 1)
        scree_archive_fail(a, SCREE_BAD_INPUT, "too many bodies or contacts");
    scree_archive_group(a, "joints");
    if (a->status == SCREE_OK && scree_archive_has(a, "a"))
        scree_archive_fail(a, SCREE_BAD_INPUT,
                           "it has joints, which do not run on several ranks "
                           "yet: resume on one");
    if (a->status == SCREE_OK) adapt_time(world, &was);
    if (a->status == SCREE_OK) keep_gravity(world, &was, a);
    return a->status;
}

static void load_rows(scree_world *world, scree_body_row *rows,
                      scree_archive *a) {
    const scree_block_of_ids block = scree_world_block(world);
    scree_archive_group(a, "bodies");
    scree_forces_make_room(world, a);
    scree_archive_block(a, block.first);
    scree_state_rows(world, rows, block.n, a);
    scree_archive_block(a, -1);
    for (int64_t k = 0; k < block.n; ++k)
        rows[k].id =
            scree_removed_id(&world->state.bodies.removed, block.first + k);
}

scree_status scree_world_load_part(scree_world *world, scree_archive *a) {
    const int64_t n = scree_world_block(world).n;
    scree_body_row *rows = malloc(((size_t)n + 1) * sizeof *rows);
    setting was = setting_of(world);
    scree_archive_group(a, "world");
    scree_archive_struct(a, &was, SCREE_FIELDS(setting_fields));
    if (rows)
        load_rows(world, rows, a);
    else
        scree_archive_fail(a, SCREE_OUT_OF_MEMORY, "out of memory");
    a->status = scree_world_agree_on(world, a->status, a->error);
    if (a->status == SCREE_OK) {
        const scree_status status = scree_domain_load(world, rows, a);
        if (status != SCREE_OK)
            scree_archive_fail(a, status, "no memory for a checkpoint");
    }
    if (a->status == SCREE_OK) scree_forces_load_part(world, a);
    if (a->status == SCREE_OK) scree_state_check_bodies(world, a);
    a->status = scree_world_agree_on(world, a->status, a->error);
    if (a->status == SCREE_OK) adapt_gravity(world, &was);
    free(rows);
    return a->status;
}

static const scree_archive_field pour_fields[] = {
    {"inserted", SCREE_I64, 1, AT(scree_pour_state, inserted)},
    {"seed", SCREE_I64, 1, AT(scree_pour_state, seed)},
    {"calls", SCREE_I64, 1, AT(scree_pour_state, calls)},
};
_Static_assert(sizeof(scree_pour_state) == 24,
               "a new member of scree_pour_state must be saved as well");

void scree_pours_archive(scree_pour_state *pours, int n, scree_archive *a) {
    scree_archive_group(a, "pours");
    scree_archive_items(a, &(scree_items){pours, sizeof *pours, n, NULL},
                        SCREE_FIELDS(pour_fields));
    for (int i = 0; i < n && a->loads && a->status == SCREE_OK; ++i)
        if (pours[i].inserted < 0)
            scree_archive_fail(a, SCREE_BAD_INPUT,
                               "its number of poured bodies cannot be");
}

/* ---- models --------------------------------------------------------------------- */

static const scree_archive_field dense_fields[] = {
    {"time", SCREE_F64, 1, AT(scree_dense, t)},
    {"step_size", SCREE_F64, 1, AT(scree_dense, dt)},
    {"order", SCREE_I32, 1, AT(scree_dense, order)},
    {"exit_flag", SCREE_I32, 1, AT(scree_dense, exit_flag)},
    {"iterations", SCREE_I32, 2, AT(scree_dense, iterations)},
    {"most_iterations", SCREE_I32, 2, AT(scree_dense, most_iterations)},
    {"sum_iterations", SCREE_I64, 2, AT(scree_dense, sum_iterations)},
    {"steps", SCREE_I64, 1, AT(scree_dense, steps)},
    {"unconverged", SCREE_I64, 1, AT(scree_dense, unconverged)},
    {"singular", SCREE_I64, 1, AT(scree_dense, singular)},
    {"residual", SCREE_F64, 1, AT(scree_dense, residual)},
};

void scree_dense_archive(scree_dense *s, scree_archive *a) {
    scree_archive_group(a, "model");
    scree_archive_struct(a, s, SCREE_FIELDS(dense_fields));
    if (!is_time(s->t, DBL_MAX) || s->steps < 0) refuse_time(a);
    const int64_t counts[] = {s->steps, s->unconverged, s->singular,
                              s->sum_iterations[0], s->sum_iterations[1]};
    check_counts(counts, sizeof counts / sizeof *counts, a);
    scree_archive_array(a, "q", SCREE_F64, s->ops->n_q, 1, s->q);
    scree_archive_array(a, "u", SCREE_F64, s->ops->n_u, 1, s->u);
    scree_archive_array(a, "P", SCREE_F64, s->ops->n_row, 1, s->P);
    scree_archive_array(a, "P_first", SCREE_F64, s->ops->n_row, 1, s->P_first);
    scree_archive_array(a, "g", SCREE_F64, s->ops->n_law, 1, s->g);
    scree_archive_array(a, "mode", SCREE_I32, s->ops->n_row, 1, s->mode);
    scree_archive_array(a, "history", SCREE_F64, s->n_history, 1, s->history);
}
