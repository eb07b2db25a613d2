#include "engine/steppers/substeps.h"

#include <string.h>

static void restore_begin(scree_dense *s, const scree_main_step *step) {
    const size_t n_q = (size_t)s->ops->n_q, n_u = (size_t)s->ops->n_u;
    s->t = step->t;
    memcpy(s->q, step->y, n_q * sizeof *s->q);
    memcpy(s->u, step->y + n_q, n_u * sizeof *s->u);
}

static bool has_state(const scree_dense *s, const double *sigma) {
    for (int i = 0; sigma && i < s->ops->n_row; ++i)
        if (s->mode[i] != (int)sigma[i]) return false;
    return true;
}

/* The dispatcher counts what the user calls a step; a substep is not one. */
static scree_status substep_moreau(scree_dense *s,
                                   const scree_dense_options *options,
                                   scree_error *error) {
    const int64_t steps = s->steps;
    TRY(scree_dense_step(s, "moreau", options, error));
    s->steps = steps;
    return SCREE_OK;
}

/* s->P is left alone between substeps: it is the first guess of the next. */
static scree_status repeat_substeps(scree_dense *s,
                                    const scree_dense_options *options,
                                    const scree_main_step *step, int n,
                                    bool *same, double *sum,
                                    scree_error *error) {
    *same = true;
    for (int k = 0; k < n && *same; ++k) {
        s->t = step->t + k * options->dt;
        TRY(substep_moreau(s, options, error));
        *same = has_state(s, step->sigma);
        for (int i = 0; i < s->ops->n_row; ++i) sum[i] += s->P[i];
    }
    return SCREE_OK;
}

scree_status scree_substeps(scree_dense *s, const scree_dense_options *options,
                            const scree_main_step *step, int n, bool *same,
                            scree_error *error) {
    const size_t bytes = (size_t)s->ops->n_row * sizeof *s->P;
    const size_t mark = scree_arena_mark(&s->scratch);
    double *sum = scree_arena_push(&s->scratch, bytes);
    if (!sum) return SCREE_OUT_OF_MEMORY;
    memset(sum, 0, bytes);
    scree_dense_options sub = *options;
    sub.dt = step->dt / n;
    restore_begin(s, step);
    TRY(repeat_substeps(s, &sub, step, n, same, sum, error));
    memcpy(s->P, sum, bytes);
    s->t = step->t + step->dt;
    scree_arena_pop(&s->scratch, mark);
    return SCREE_OK;
}
