/* output_history.c: history.csv, the course of chosen bodies: a line for each of them
 * that is in the world, each time. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "engine/measure/bodies.h"
#include "io/output/csv_file.h"
#include "io/output/output.h"

enum {
    PLACE = 3,
    TURN = PLACE + 4,
    SPEED = TURN + 3,
    SPIN = SPEED + 3,
    OF_BODY = SPIN + SCREE_BODY_WIDTH
};

typedef struct history {
    scree_csv csv;
    const scree_comm *comm;
    int n;
    double *rows; /* (n x OF_BODY) of the chosen, of all ranks */
    int64_t room;
    double *block; /* (room) what this rank reads */
} history;

static const char head[] =
    "step,time,id,x,y,z,orientation_w,orientation_x,orientation_y,"
    "orientation_z,velocity_x,velocity_y,velocity_z,angular_velocity_x,"
    "angular_velocity_y,angular_velocity_z,kinetic_energy,rotational_energy,"
    "potential_energy,coordination,stress_xx,stress_xy,stress_xz,stress_yx,"
    "stress_yy,stress_yz,stress_zx,stress_zy,stress_zz";

static scree_status no_memory(scree_error *error) {
    return scree_fail(error, SCREE_OUT_OF_MEMORY, "history: out of memory");
}

static scree_status read_block(history *h, const scree_world *world,
                               int64_t n) {
    double *x = h->block;
    const scree_state_view view = {.position = x,
                                   .orientation = x + PLACE * n,
                                   .velocity = x + TURN * n,
                                   .angular_velocity = x + SPEED * n};
    TRY(scree_world_read_state(world, &view));
    return scree_measure_bodies(world, x + SPIN * n);
}

/* Row i of the block, of n. */
static void take_row(const history *h, int64_t i, int64_t n, double *row) {
    const double *x = h->block;
    memcpy(row, x + 3 * i, 3 * sizeof *x);
    memcpy(row + PLACE, x + PLACE * n + 4 * i, 4 * sizeof *x);
    memcpy(row + TURN, x + TURN * n + 3 * i, 3 * sizeof *x);
    memcpy(row + SPEED, x + SPEED * n + 3 * i, 3 * sizeof *x);
    memcpy(row + SPIN, x + SPIN * n + SCREE_BODY_WIDTH * i,
           SCREE_BODY_WIDTH * sizeof *x);
    for (int k = 0; k < OF_BODY; k++) row[k] += 0.0; /* no -0, as in sums */
}

/* Bodies come, and leave. */
static bool is_there(const scree_world *world, int64_t id) {
    const scree_bodies *bodies = scree_world_view_of(world).bodies;
    return id < scree_world_id_count(world) &&
           !scree_removed_has(&bodies->removed, id);
}

/* Each row is one rank's; to the sum the others add 0. */
static scree_status gather_rows(history *h, const scree_output_context *context,
                                scree_error *error) {
    const scree_block_of_ids block = scree_world_block(context->world);
    const scree_bodies *bodies = scree_world_view_of(context->world).bodies;
    const double *ids = context->output->ids;
    const size_t n = (size_t)block.n * OF_BODY + 1;
    if ((int64_t)n > h->room) {
        free(h->block);
        h->block = malloc(2 * n * sizeof *h->block);
        h->room = h->block ? (int64_t)(2 * n) : 0;
    }
    TRY(scree_comm_agree(h->comm, h->block ? SCREE_OK : no_memory(error),
                         error));
    const scree_status status = read_block(h, context->world, block.n);
    TRY(scree_comm_agree(
        h->comm, status == SCREE_OK ? status : no_memory(error), error));
    memset(h->rows, 0, (size_t)h->n * OF_BODY * sizeof *h->rows);
    for (int k = 0; k < h->n; k++) {
        if (!is_there(context->world, (int64_t)ids[k])) continue;
        const int64_t i =
            scree_bodies_row(bodies, (int64_t)ids[k]) - block.first;
        if (i >= 0 && i < block.n)
            take_row(h, i, block.n, h->rows + k * OF_BODY);
    }
    scree_comm_sum(h->comm, h->rows, h->n * OF_BODY);
    return SCREE_OK;
}

static scree_status write_history(void *self,
                                  const scree_output_context *context,
                                  scree_error *error) {
    history *h = self;
    const scree_world *world = context->world;
    const double *ids = context->output->ids;
    TRY(gather_rows(h, context, error));
    int n = 0;
    for (int k = 0; k < h->n; k++) {
        if (!is_there(world, (int64_t)ids[k])) continue;
        scree_csv_add(&h->csv, "%s%" PRId64 ",%.17g,%.0f", n++ ? "\n" : "",
                      scree_world_steps(world), scree_world_time(world),
                      ids[k]);
        scree_csv_numbers(&h->csv, h->rows + k * OF_BODY, OF_BODY);
    }
    return n ? scree_csv_end_row(&h->csv, error) : SCREE_OK;
}

/* ---- the sink ---------------------------------------------------------------- */

static scree_status close_history(void *self, scree_error *error) {
    history *h = self;
    const scree_status status = scree_csv_close(&h->csv, error);
    free(h->rows);
    free(h->block);
    free(h);
    return status;
}

static scree_status start_history(history *h,
                                  const scree_output_context *context,
                                  scree_error *error) {
    h->comm = scree_output_comm(context);
    h->n = context->output->n_id;
    h->rows = calloc((size_t)h->n * OF_BODY + 1, sizeof *h->rows);
    if (!h->rows) return no_memory(error);
    TRY(scree_csv_start(&h->csv, context, "history.csv", error));
    if (context->resumes) return SCREE_OK;
    scree_csv_add(&h->csv, "%s", head);
    return scree_csv_end_row(&h->csv, error);
}

static scree_status open_history(const scree_output_context *context,
                                 void **self, scree_error *error) {
    history *h = calloc(1, sizeof *h);
    if (!h) return no_memory(error);
    h->csv.fd = -1;
    const scree_status status = start_history(h, context, error);
    if (status == SCREE_OK)
        *self = h;
    else
        close_history(h, NULL);
    return status;
}

static void archive_history(void *self, scree_archive *a) {
    scree_csv_archive_part(&((history *)self)->csv, a);
}

const scree_output_ops scree_output_history = {
    .name = "history",
    .about = "the course of chosen bodies: history.csv",
    .counts = true,
    .open = open_history,
    .write = write_history,
    .close = close_history,
    .archive = archive_history};
