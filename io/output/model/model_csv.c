/* model_csv.c: model.csv, one row per writing. The columns are the same for
 * every stepper, so that runs of two steppers can be compared column by column;
 * what a stepper does not know (order, P1) stays 0. */
#include <inttypes.h>
#include <stdlib.h>

#include "io/output/csv_file.h"
#include "io/output/model/model_output.h"

static void add_names(scree_csv *csv, const char *before, int n,
                      const char *const *names) {
    for (int i = 0; i < n; i++) scree_csv_name(csv, before, names[i], "");
}

static void add_head(scree_csv *csv, const scree_output_context *context) {
    const scree_model_ops *model = context->source->model;
    const scree_columns *columns = context->columns;
    scree_csv_add(csv, "step,t,dt,order");
    add_names(csv, ",", model->n_q, model->q_names);
    add_names(csv, ",", model->n_u, model->u_names);
    add_names(csv, ",g_", columns->n_gap, columns->gaps);
    add_names(csv, ",P_", model->n_row, columns->rows);
    add_names(csv, ",P1_", model->n_row, columns->rows);
    add_names(csv, ",mode_", model->n_row, columns->rows);
    if (model->energy) scree_csv_add(csv, ",energy");
    scree_csv_add(csv, ",iterations_1,iterations_2,residual");
}

static void add_row(scree_csv *csv, const scree_output_context *context) {
    const scree_dense *s = context->system;
    const scree_model_ops *model = s->ops;
    const double energy = scree_model_energy(s);
    scree_csv_add(csv, "%" PRId64 ",%.17g,%.17g,%d", s->steps, s->t, s->dt,
                  s->order);
    scree_csv_numbers(csv, s->q, model->n_q);
    scree_csv_numbers(csv, s->u, model->n_u);
    for (int i = 0; i < context->columns->n_gap; i++)
        scree_csv_numbers(csv, &s->g[context->columns->laws[i]], 1);
    scree_csv_numbers(csv, s->P, model->n_row);
    scree_csv_numbers(csv, s->P_first, model->n_row);
    for (int i = 0; i < model->n_row; i++)
        scree_csv_add(csv, ",%d", s->mode[i]);
    if (model->energy) scree_csv_numbers(csv, &energy, 1);
    scree_csv_add(csv, ",%d,%d,%.17g", s->iterations[0], s->iterations[1],
                  s->residual);
}

/* ---- the output ---------------------------------------------------------- */

static const char file_name[] = "model.csv";

static scree_status close_csv(void *self, scree_error *error) {
    const scree_status status = scree_csv_close(self, error);
    free(self);
    return status;
}

static scree_status start_file(scree_csv *csv,
                               const scree_output_context *context,
                               scree_error *error) {
    if (context->resumes)
        return scree_csv_reopen(csv, context->folder, file_name, error);
    TRY(scree_csv_open(csv, context->folder, file_name, error));
    add_head(csv, context);
    return scree_csv_write(csv, error);
}

static scree_status open_csv(const scree_output_context *context, void **self,
                             scree_error *error) {
    scree_csv *csv = calloc(1, sizeof *csv);
    if (!csv)
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "scalars: out of memory");
    const scree_status status = start_file(csv, context, error);
    if (status == SCREE_OK)
        *self = csv;
    else
        close_csv(csv, NULL);
    return status;
}

static scree_status write_csv(void *self, const scree_output_context *context,
                              scree_error *error) {
    add_row(self, context);
    return scree_csv_write(self, error);
}

static void archive_csv(void *self, scree_archive *a) {
    scree_csv_archive(self, a);
}

const scree_output_ops scree_model_csv = {.name = "scalars",
                                          .file = file_name,
                                          .open = open_csv,
                                          .write = write_csv,
                                          .close = close_csv,
                                          .archive = archive_csv};
