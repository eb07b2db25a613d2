/* model_output.c: what the outputs of models share. */
#include "io/output/model/model_output.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/hash.h"

extern const scree_output_ops scree_model_csv, scree_model_hdf5;

const scree_output_ops *scree_model_output_find(const char *name) {
    const scree_output_ops *const table[] = {&scree_model_csv,
                                             &scree_model_hdf5};
    for (int i = 0; i < 2; i++)
        if (strcmp(table[i]->name, name) == 0) return table[i];
    return NULL;
}

/* ---- the state ----------------------------------------------------------- */

double scree_model_energy(const scree_dense *s) {
    return s->ops->energy ? s->ops->energy(s->p, s->t, s->q, s->u) : NAN;
}

static uint64_t hash_numbers(uint64_t hash, const double *x, int n) {
    return scree_hash_bytes(hash, x, (size_t)n * sizeof *x);
}

uint64_t scree_model_hash(const scree_dense *s) {
    uint64_t hash = hash_numbers(SCREE_HASH_START, &s->t, 1);
    hash = hash_numbers(hash, s->q, s->ops->n_q);
    return hash_numbers(hash, s->u, s->ops->n_u);
}

/* ---- columns ------------------------------------------------------------- */

/* "_N", "_F1", ...; a law with one row that is no friction needs no mark. */
static void mark_of(const scree_law *law, int k, char mark[16]) {
    const bool contact = law->kind == SCREE_LAW_CONTACT;
    mark[0] = '\0';
    if (contact && k == 0)
        strcpy(mark, "_N");
    else if (contact || law->kind == SCREE_LAW_FRICTION)
        snprintf(mark, 16, "_F%d", contact ? k : k + 1);
}

static const char *row_name(const scree_law *law, int k, scree_pool *pool) {
    char mark[16], name[100];
    mark_of(law, k, mark);
    snprintf(name, sizeof name, "%s%s", law->name, mark);
    return scree_pool_text(pool, name, strlen(name));
}

static bool name_rows(const scree_dense *s, scree_pool *pool,
                      const char **rows) {
    for (int i = 0; i < s->ops->n_law; i++) {
        const scree_law *law = &s->laws[i];
        for (int k = 0; k < scree_law_rows(law); k++)
            if (!(rows[law->row + k] = row_name(law, k, pool))) return false;
    }
    return true;
}

bool scree_columns_make(const scree_dense *s, scree_pool *pool,
                        scree_columns *columns) {
    const size_t n_law = (size_t)s->ops->n_law, n_row = (size_t)s->ops->n_row;
    int *laws = scree_pool_take(pool, n_law, sizeof *laws);
    const char **gaps = scree_pool_take(pool, n_law, sizeof *gaps);
    const char **rows = scree_pool_take(pool, n_row, sizeof *rows);
    if (!laws || !gaps || !rows || !name_rows(s, pool, rows)) return false;
    *columns = (scree_columns){.laws = laws, .gaps = gaps, .rows = rows};
    for (int i = 0; i < s->ops->n_law; i++) {
        if (!scree_law_has_gap(&s->laws[i])) continue;
        laws[columns->n_gap] = i;
        gaps[columns->n_gap++] = s->laws[i].name;
    }
    return true;
}
