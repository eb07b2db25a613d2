/* output_flux.c: flux.csv, what went through gates (engine/measure/flux.h): totals since
 * the first time of the schedule, and means over the time since the last row. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "engine/measure/flux.h"
#include "io/output/csv_file.h"
#include "io/output/output.h"

typedef struct flux {
    scree_csv csv;
    const scree_comm *comm;
    scree_flux *sums;
    scree_gate *gates; /* (n_gate) */
    scree_flux_def def;
    int n;              /* numbers of a row */
    double *now, *last; /* (n) totals, and those of the row before */
    double last_time;   /* of that row [s] */
} flux;

/* ---- the gates --------------------------------------------------------------- */

static scree_gate gate_of(const scree_case_gate *g) {
    const scree_vec3 p = vec_from(g->point);
    if (g->kind == SCREE_GATE_PLANE)
        return scree_gate_plane(p, vec_from(g->normal));
    if (g->kind == SCREE_GATE_DISC)
        return scree_gate_disc(p, vec_from(g->normal), g->radius);
    return scree_gate_rectangle(p, vec_from(g->sides[0]),
                                vec_from(g->sides[1]));
}

static scree_status make_sums(flux *f, const scree_output_context *context) {
    const scree_case_flux *wanted = &context->output->flux;
    const size_t n = (size_t)wanted->n_gate;
    f->gates = calloc(n + 1, sizeof *f->gates);
    if (!f->gates) return SCREE_OUT_OF_MEMORY;
    for (size_t i = 0; i < n; i++) f->gates[i] = gate_of(&wanted->gates[i]);
    f->def = (scree_flux_def){
        .n_gate = wanted->n_gate,
        .n_material = wanted->materials ? context->source->n_material : 0,
        .n_size = wanted->n_size,
        .gates = f->gates,
        .sizes = wanted->sizes};
    f->n = f->def.n_gate * scree_flux_channels(&f->def) * SCREE_FLUX_WIDTH;
    f->now = calloc((size_t)f->n + 1, sizeof *f->now);
    f->last = calloc((size_t)f->n + 1, sizeof *f->last);
    if (!f->now || !f->last) return SCREE_OUT_OF_MEMORY;
    return scree_flux_create(&f->def, &f->sums);
}

/* ---- the table --------------------------------------------------------------- */

static const char *const names[SCREE_FLUX_WIDTH] = {
    "number", "mass", "momentum_x", "momentum_y", "momentum_z", "energy"};

static void add_column(scree_csv *csv, const char *gate, const char *what,
                       const char *behind) {
    scree_csv_name(csv, ",", gate, "_");
    scree_csv_add(csv, "%s%s", what, behind);
}

/* Number and mass of a channel. */
static void add_class(scree_csv *csv, const char *gate, const char *name) {
    for (int k = 0; k <= SCREE_FLUX_MASS; k++) {
        add_column(csv, gate, names[k], "_");
        scree_csv_name(csv, "", name, "");
    }
}

static void add_classes(const flux *f, scree_csv *csv, const scree_case *c,
                        const char *gate) {
    for (int i = 0; i < f->def.n_material; i++)
        add_class(csv, gate, c->materials[i].name);
    for (int i = 0; i <= f->def.n_size && f->def.n_size; i++) {
        char name[20];
        snprintf(name, sizeof name, "size%d", i);
        add_class(csv, gate, name);
    }
}

static void add_head(flux *f, const scree_output_context *context) {
    const scree_case_flux *wanted = &context->output->flux;
    scree_csv_add(&f->csv, "step,time");
    for (int g = 0; g < wanted->n_gate; g++) {
        const char *gate = wanted->gates[g].name;
        for (int k = 0; k < SCREE_FLUX_WIDTH; k++)
            add_column(&f->csv, gate, names[k], "");
        for (int k = 0; k < SCREE_FLUX_WIDTH; k++)
            add_column(&f->csv, gate, names[k], "_rate");
        add_classes(f, &f->csv, context->source, gate);
    }
}

/* Counts are whole numbers, and zeros have no sign. */
static void add_totals(scree_csv *csv, const double *x, int n) {
    for (int k = 0; k < n; k++)
        scree_csv_add(csv, k == SCREE_FLUX_NUMBER ? ",%.0f" : ",%.17g",
                      x[k] + 0.0);
}

static void add_gate(flux *f, int gate, double seconds) {
    const int each = scree_flux_channels(&f->def);
    const int at = gate * each * SCREE_FLUX_WIDTH;
    add_totals(&f->csv, f->now + at, SCREE_FLUX_WIDTH);
    for (int k = at; k < at + SCREE_FLUX_WIDTH; k++) {
        const double rate =
            seconds > 0 ? (f->now[k] - f->last[k]) / seconds : 0;
        scree_csv_numbers(&f->csv, &rate, 1);
    }
    for (int c = 1; c < each; c++)
        add_totals(&f->csv, f->now + at + c * SCREE_FLUX_WIDTH,
                   SCREE_FLUX_MASS + 1);
}

static scree_status write_flux(void *self, const scree_output_context *context,
                               scree_error *error) {
    flux *f = self;
    const double time = scree_world_time(context->world);
    const double seconds = f->last_time >= 0 ? time - f->last_time : 0;
    scree_flux_read(f->sums, f->comm, f->now);
    scree_csv_add(&f->csv, "%" PRId64 ",%.17g",
                  scree_world_steps(context->world), time);
    for (int g = 0; g < f->def.n_gate; g++) add_gate(f, g, seconds);
    memcpy(f->last, f->now, (size_t)f->n * sizeof *f->now);
    f->last_time = time;
    return scree_csv_end_row(&f->csv, error);
}

static scree_status watch_flux(void *self, const scree_output_context *context,
                               scree_error *error) {
    (void)error;
    flux *f = self;
    scree_flux_count(f->sums, context->world);
    return SCREE_OK;
}

/* ---- the sink ---------------------------------------------------------------- */

static scree_status close_flux(void *self, scree_error *error) {
    flux *f = self;
    const scree_status status = scree_csv_close(&f->csv, error);
    scree_flux_destroy(f->sums);
    free(f->gates);
    free(f->now);
    free(f->last);
    free(f);
    return status;
}

static scree_status start_flux(flux *f, const scree_output_context *context,
                               scree_error *error) {
    if (make_sums(f, context) != SCREE_OK)
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "flux: out of memory");
    TRY(scree_csv_start(&f->csv, context, "flux.csv", error));
    if (context->resumes) return SCREE_OK;
    add_head(f, context);
    return scree_csv_end_row(&f->csv, error);
}

static scree_status open_flux(const scree_output_context *context, void **self,
                              scree_error *error) {
    flux *f = calloc(1, sizeof *f);
    if (!f)
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "flux: out of memory");
    f->csv.fd = -1;
    f->comm = scree_output_comm(context);
    f->last_time = -1;
    const scree_status status = start_flux(f, context, error);
    if (status == SCREE_OK)
        *self = f;
    else
        close_flux(f, NULL);
    return status;
}

static void archive_flux(void *self, scree_archive *a) {
    flux *f = self;
    scree_csv_archive_part(&f->csv, a);
    scree_archive_array(a, "row_time", SCREE_F64, 1, 1, &f->last_time);
    scree_archive_array(a, "row", SCREE_F64, f->n, 1, f->last);
    scree_flux_archive(f->sums, f->comm, a);
}

const scree_output_ops scree_output_flux = {
    .name = "flux",
    .about = "what goes through planes, discs, rectangles: flux.csv",
    .paths = true,
    .counts = true,
    .open = open_flux,
    .write = write_flux,
    .watch = watch_flux,
    .close = close_flux,
    .archive = archive_flux};
