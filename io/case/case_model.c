/* case_model.c: what a case takes from its model. The parameters become a table
 * of rows like those of case_schema.c, so reading, printing and messages need
 * nothing of their own. */
#include "io/case/case_reader.h"

#include <string.h>

const char *scree_model_name(int i, const char **about) {
    const scree_model_ops *model = scree_model_get(i);
    if (model && about) *about = model->about;
    return model ? model->name : NULL;
}

static scree_field parameter_row(const scree_parameter *parameter, int i) {
    const char *unit = parameter->unit;
    const bool plain = !unit || !unit[0] || strcmp(unit, "1") == 0;
    return (scree_field){.key = parameter->name,
                         .type = SCREE_FIELD_NUMBER,
                         .offset = (size_t)i * sizeof(double),
                         .range = parameter->range,
                         .unit = plain ? NULL : unit,
                         .about = parameter->about};
}

scree_table *scree_parameter_table(const scree_model_ops *model,
                                   scree_pool *pool) {
    const int n = model->n_parameter;
    scree_table *table = scree_pool_take(pool, 1, sizeof *table);
    scree_field *rows = scree_pool_take(pool, (size_t)n, sizeof *rows);
    if (!table || !rows) return NULL;
    for (int i = 0; i < n; i++)
        rows[i] = parameter_row(&model->parameters[i], i);
    *table = (scree_table){.fields = rows, .n = n};
    return table;
}

scree_status scree_reader_model(scree_reader *r, const scree_model_ops *model) {
    const int n = model->n_parameter;
    double *p = scree_pool_take(r->pool, (size_t)n, sizeof *p);
    scree_table *table = scree_parameter_table(model, r->pool);
    if (!p || !table) return scree_reader_no_memory(r);
    for (int i = 0; i < n; i++) p[i] = model->parameters[i].value;
    r->draft.c.model = model;
    r->draft.c.parameters = p;
    r->draft.parameters = table;
    return SCREE_OK;
}
