/* output_network.c: the network of contacts (engine/measure/network.h): network.csv, a
 * line each time; forces.csv, its histograms, a line for each bin; largest.csv, its
 * largest forces. */
#include <inttypes.h>
#include <stdlib.h>

#include "engine/measure/network.h"
#include "io/output/csv_file.h"
#include "io/output/output.h"

typedef struct network {
    scree_csv numbers, forces, largest;
    scree_network now;
} network;

/* ---- lines ------------------------------------------------------------------- */

static const char numbers_head[] =
    "step,time,bodies,contacts,idle,rattlers,coordination,"
    "coordination_without_rattlers,fabric_xx,fabric_yy,fabric_zz,fabric_xy,"
    "fabric_yz,fabric_xz,mean_force,largest_force,sliding_share";

static void begin_line(scree_csv *csv, const scree_world *world, bool first) {
    scree_csv_add(csv, "%s%" PRId64 ",%.17g", first ? "" : "\n",
                  scree_world_steps(world), scree_world_time(world));
}

static scree_status write_numbers(network *s, const scree_world *world,
                                  scree_error *error) {
    const scree_network *w = &s->now;
    scree_csv *csv = &s->numbers;
    const double Z[] = {w->Z, w->Z_m};
    const double rest[] = {
        w->mean_force, w->found ? w->largest[0].force : 0,
        w->with_friction ? (double)w->sliding / (double)w->with_friction : 0};
    begin_line(csv, world, true);
    scree_csv_add(csv, ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64,
                  w->bodies, w->contacts, w->idle, w->rattlers);
    scree_csv_numbers(csv, Z, 2);
    scree_csv_numbers(csv, w->fabric, 6);
    scree_csv_numbers(csv, rest, 3);
    return scree_csv_end_row(csv, error);
}

/* A bin's number over all and over its width: the area below is 1. */
static void add_bin(scree_csv *csv, int k, double width, int64_t n,
                    int64_t all) {
    scree_csv_add(csv, ",%.17g,%" PRId64 ",%.17g", (k + 0.5) * width, n,
                  all ? (double)n / ((double)all * width) : 0);
}

static scree_status write_forces(network *s, const scree_world *world,
                                 scree_error *error) {
    const scree_network *w = &s->now;
    for (int k = 0; k < w->bins; k++) {
        begin_line(&s->forces, world, k == 0);
        add_bin(&s->forces, k, w->most / w->bins, w->normal[k], w->contacts);
        add_bin(&s->forces, k, 1.0 / w->bins, w->friction[k], w->with_friction);
    }
    return scree_csv_end_row(&s->forces, error);
}

static scree_status write_largest(network *s, const scree_world *world,
                                  scree_error *error) {
    const scree_network *w = &s->now;
    if (w->found == 0) return SCREE_OK;
    for (int k = 0; k < w->found; k++) {
        begin_line(&s->largest, world, k == 0);
        scree_csv_add(&s->largest, ",%.17g,%" PRId64 ",%" PRId64,
                      w->largest[k].force, w->largest[k].a, w->largest[k].b);
    }
    return scree_csv_end_row(&s->largest, error);
}

static scree_status write_network(void *self,
                                  const scree_output_context *context,
                                  scree_error *error) {
    network *s = self;
    const scree_status status = scree_network_measure(context->world, &s->now);
    if (status != SCREE_OK)
        return scree_fail(error, status, "network: out of memory");
    TRY(write_numbers(s, context->world, error));
    TRY(write_forces(s, context->world, error));
    return write_largest(s, context->world, error);
}

/* ---- the sink ---------------------------------------------------------------- */

static scree_status close_network(void *self, scree_error *error) {
    network *s = self;
    scree_csv *const all[] = {&s->numbers, &s->forces, &s->largest};
    scree_status first = SCREE_OK;
    for (int i = 0; i < 3; i++) {
        const scree_status status =
            scree_csv_close(all[i], first == SCREE_OK ? error : NULL);
        if (first == SCREE_OK) first = status;
    }
    free(s->now.normal);
    free(s->now.friction);
    free(s);
    return first;
}

static scree_status start_table(scree_csv *csv, const char *name,
                                const char *head,
                                const scree_output_context *context,
                                scree_error *error) {
    TRY(scree_csv_start(csv, context, name, error));
    if (context->resumes) return SCREE_OK;
    scree_csv_add(csv, "%s", head);
    return scree_csv_end_row(csv, error);
}

static scree_status start_network(network *s,
                                  const scree_output_context *context,
                                  scree_error *error) {
    const scree_case_network *wanted = &context->output->network;
    const size_t bins = (size_t)wanted->bins;
    s->now.bins = wanted->bins;
    s->now.most = wanted->most;
    s->now.n_largest = wanted->largest;
    s->now.normal = calloc(bins, sizeof *s->now.normal);
    s->now.friction = calloc(bins, sizeof *s->now.friction);
    if (!s->now.normal || !s->now.friction)
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "network: out of memory");
    TRY(start_table(&s->numbers, "network.csv", numbers_head, context, error));
    TRY(start_table(&s->forces, "forces.csv",
                    "step,time,normal_over_mean,normal_contacts,normal_density,"
                    "friction_over_bound,friction_contacts,friction_density",
                    context, error));
    return start_table(&s->largest, "largest.csv", "step,time,force,a,b",
                       context, error);
}

static scree_status open_network(const scree_output_context *context,
                                 void **self, scree_error *error) {
    network *s = calloc(1, sizeof *s);
    if (!s)
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "network: out of memory");
    s->numbers.fd = s->forces.fd = s->largest.fd = -1;
    const scree_status status = start_network(s, context, error);
    if (status == SCREE_OK)
        *self = s;
    else
        close_network(s, NULL);
    return status;
}

static void archive_network(void *self, scree_archive *a) {
    network *s = self;
    scree_csv_archive_named(&s->numbers, "numbers_length", a);
    scree_csv_archive_named(&s->forces, "forces_length", a);
    scree_csv_archive_named(&s->largest, "largest_length", a);
}

const scree_output_ops scree_output_network = {
    .name = "network",
    .about = "coordination, forces and fabric of contacts: network.csv, "
             "forces.csv, largest.csv",
    .counts = true,
    .open = open_network,
    .write = write_network,
    .close = close_network,
    .archive = archive_network};
