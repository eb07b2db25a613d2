/* output_scalars.c: scalars.csv, one row of sums and reports per writing. */
#include <inttypes.h>
#include <stdlib.h>

#include "engine/system/stepper.h"
#include "engine/world/view.h"
#include "io/output/csv_file.h"
#include "io/output/output.h"

/* ---- the table ----------------------------------------------------------- */

/* Groups of columns that a case can choose; the first four are always there. */
enum { ENERGY, MOMENTUM, SOLVE, PENETRATION, WALLS, OUTLETS, CELL, GROUPS };
static const char *const groups[GROUPS + 1] = {
    "energy", "momentum", "solve", "penetration", "walls", "outlets", "cell"};
static const char *const columns[WALLS] = {
    ",kinetic,potential,dissipated,dissipated_normal,dissipated_friction,"
    "dissipated_turning,wall_work,recovery_work,inserted,scheme_error",
    ",momentum_x,momentum_y,momentum_z,angular_momentum_x,angular_momentum_y,"
    "angular_momentum_z",
    ",iterations,residual,balance,normal,cone,stop,by,step_size",
    ",penetration_mean,penetration_max"};

/* Of moreau-adaptive, beside the size of its step. */
static bool shows_choice(const scree_output_context *context) {
    const char *stepper = scree_world_view_of(context->world).def->stepper;
    return scree_stepper_find(stepper)->adaptive &&
           scree_output_wants(context, SOLVE);
}

/* Of worlds that have some. */
static bool shows_joints(const scree_output_context *context) {
    return context->source->n_joint + context->source->n_net > 0 &&
           scree_output_wants(context, ENERGY);
}

static bool shows_forces(const scree_output_context *context) {
    return context->source->n_force > 0 && scree_output_wants(context, ENERGY);
}

/* Of a cell that is sheared, stretches or holds a pressure. */
static bool shows_cell(const scree_output_context *context) {
    const scree_cell_def *def = &context->source->cell.def;
    bool moves = def->shear_rate != 0;
    for (int k = 0; k < 3; k++)
        moves |= def->stretch[k] != 0 || def->pressure[k] != 0;
    return context->source->cell.periodic && moves &&
           scree_output_wants(context, CELL);
}

static void name_walls(scree_csv *csv, const scree_case *c) {
    for (int i = 0; i < c->n_wall; i++) {
        const char *name = c->walls[i].name;
        scree_csv_name(csv, ",force_", name, "_x");
        scree_csv_name(csv, ",force_", name, "_y");
        scree_csv_name(csv, ",force_", name, "_z");
    }
}

/* The outside of the domain is the last outlet. */
static void name_outlets(scree_csv *csv, const scree_output_context *context) {
    const scree_case *c = context->source;
    for (int i = 0; i < scree_world_outlet_count(context->world); i++) {
        const char *name = i < c->n_outlet ? c->outlets[i].name : "domain";
        scree_csv_name(csv, ",bodies_left_", name, "");
        scree_csv_name(csv, ",mass_left_", name, "");
    }
}

static void add_head(scree_csv *csv, const scree_output_context *context) {
    scree_csv_add(csv, "step,time,bodies,contacts");
    for (int i = 0; i < WALLS; i++)
        if (scree_output_wants(context, i))
            scree_csv_add(csv, "%s", columns[i]);
    if (shows_joints(context))
        scree_csv_add(csv, ",dissipated_joints,stored,motor_work");
    if (shows_forces(context))
        scree_csv_add(csv, ",dissipated_drag,force_work");
    if (shows_choice(context)) scree_csv_add(csv, ",order,exit_flag");
    if (scree_output_wants(context, WALLS)) name_walls(csv, context->source);
    if (scree_output_wants(context, OUTLETS)) name_outlets(csv, context);
    if (shows_cell(context))
        scree_csv_add(csv,
                      ",edge_x,edge_y,edge_z,stress_xx,stress_yy,stress_zz,"
                      "stress_xy,stress_xz,stress_yz");
}

static void add_group(scree_csv *csv, int group, const scree_scalars *now) {
    const double energy[] = {now->kinetic,
                             now->potential,
                             now->dissipated,
                             now->dissipated_normal,
                             now->dissipated_friction,
                             now->dissipated_turning,
                             now->wall_work,
                             now->recovery_work,
                             now->inserted,
                             now->scheme_error};
    enum { ENERGIES = sizeof energy / sizeof *energy };
    const double solve[] = {now->solve.residual, now->solve.balance,
                            now->solve.normal, now->solve.cone};
    const double depth[] = {now->penetration_mean, now->penetration_max};
    switch (group) {
    case ENERGY:
        scree_csv_numbers(csv, energy, ENERGIES);
        break;
    case MOMENTUM:
        scree_csv_numbers(csv, now->momentum, 3);
        scree_csv_numbers(csv, now->angular_momentum, 3);
        break;
    case SOLVE:
        scree_csv_add(csv, ",%d", now->solve.iterations);
        scree_csv_numbers(csv, solve, 4);
        scree_csv_add(csv, ",%s,%s", /* empty before the first solve */
                      now->solve.by[0] ? scree_stop_word(now->solve.stop) : "",
                      now->solve.by);
        scree_csv_numbers(csv, &now->step_size, 1);
        break;
    case PENETRATION:
        scree_csv_numbers(csv, depth, 2);
        break;
    }
}

/* Reading is collective, also where nothing is written. */
static void add_walls(scree_csv *csv, const scree_world *world) {
    for (int wall = 0; wall < scree_world_wall_count(world); wall++) {
        double force[3];
        scree_world_read_wall_force(world, wall, force);
        scree_csv_numbers(csv, force, 3);
    }
}

static void add_outlets(scree_csv *csv, const scree_world *world) {
    for (int i = 0; i < scree_world_outlet_count(world); i++) {
        int64_t bodies;
        double mass;
        scree_world_read_outlet(world, i, &bodies, &mass);
        scree_csv_add(csv, ",%" PRId64, bodies);
        scree_csv_numbers(csv, &mass, 1);
    }
}

static void add_cell(scree_csv *csv, const scree_world *world) {
    scree_cell_view cell;
    scree_world_read_cell(world, &cell);
    const double(*s)[3] = (const double(*)[3])cell.stress;
    scree_csv_numbers(
        csv, (double[]){cell.edge[0][0], cell.edge[1][1], cell.edge[2][2]}, 3);
    scree_csv_numbers(csv, (double[]){s[0][0], s[1][1], s[2][2]}, 3);
    scree_csv_numbers(csv, (double[]){s[0][1], s[0][2], s[1][2]}, 3);
}

static void add_row(scree_csv *csv, const scree_output_context *context) {
    const scree_world *world = context->world;
    scree_scalars now;
    scree_world_read_scalars(world, &now);
    scree_csv_add(csv, "%" PRId64 ",%.17g,%" PRId64 ",%" PRId64,
                  scree_world_steps(world), now.time, now.bodies, now.contacts);
    for (int i = 0; i < WALLS; i++)
        if (scree_output_wants(context, i)) add_group(csv, i, &now);
    if (shows_joints(context))
        scree_csv_numbers(
            csv, (double[]){now.dissipated_joints, now.stored, now.motor_work},
            3);
    if (shows_forces(context))
        scree_csv_numbers(csv, (double[]){now.dissipated_drag, now.force_work},
                          2);
    if (shows_choice(context))
        scree_csv_add(csv, ",%d,%d", now.order, now.exit_flag);
    if (scree_output_wants(context, WALLS)) add_walls(csv, world);
    if (scree_output_wants(context, OUTLETS)) add_outlets(csv, world);
    if (shows_cell(context)) add_cell(csv, world);
}

/* ---- the sink ------------------------------------------------------------ */

typedef struct scalars {
    scree_csv csv;
} scalars;

static scree_status close_scalars(void *self, scree_error *error) {
    scalars *s = self;
    const scree_status status = scree_csv_close(&s->csv, error);
    free(s);
    return status;
}

static scree_status start_file(scalars *s, const scree_output_context *context,
                               scree_error *error) {
    TRY(scree_csv_start(&s->csv, context, "scalars.csv", error));
    if (context->resumes) return SCREE_OK;
    add_head(&s->csv, context);
    return scree_csv_end_row(&s->csv, error);
}

static scree_status open_scalars(const scree_output_context *context,
                                 void **self, scree_error *error) {
    scalars *s = calloc(1, sizeof *s);
    if (!s)
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "scalars: out of memory");
    s->csv.fd = -1;
    const scree_status status = start_file(s, context, error);
    if (status == SCREE_OK)
        *self = s;
    else
        close_scalars(s, NULL);
    return status;
}

static scree_status write_scalars(void *self,
                                  const scree_output_context *context,
                                  scree_error *error) {
    scalars *s = self;
    add_row(&s->csv, context);
    return scree_csv_end_row(&s->csv, error);
}

static void archive_scalars(void *self, scree_archive *a) {
    scree_csv_archive_part(&((scalars *)self)->csv, a);
}

const scree_output_ops scree_output_scalars = {
    .name = "scalars",
    .about = "energies, momenta, solver report, forces of walls, stress of a "
             "cell: scalars.csv",
    .fields = groups,
    .open = open_scalars,
    .write = write_scalars,
    .close = close_scalars,
    .archive = archive_scalars};
