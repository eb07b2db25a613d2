#include "engine/system/dense_impact.h"

#include <math.h>
#include <string.h>

typedef struct impact {
    scree_dense *s;
    const scree_dense_inclusion *in;
    double *push;  /* (n_row) e_N P_C of normal rows that give back */
    double *shift; /* (n_row) */
    double *P;     /* (n_row) of decompression; normal rows: beyond the push */
    scree_set *sets;
} impact;

static double inner_product(const double *a, const double *b, int n) {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
}

static double own_block(const impact *m, int i) {
    const int n = m->s->ops->n_u;
    return inner_product(&m->in->Jt[i * n], &m->in->X[i * n], n);
}

/* What normal rows give back. Is there anything? */
static bool find_pushes(impact *m, const double *fall, const double *before) {
    const scree_dense *s = m->s;
    bool any = false;
    memset(m->push, 0, (size_t)s->ops->n_row * sizeof *m->push);
    for (int k = 0; k < s->ops->n_law; ++k) {
        const scree_law *law = &s->laws[k];
        const int i = law->row;
        if (law->kind != SCREE_LAW_CONTACT || m->in->P[i] <= 0) continue;
        const double G = own_block(m, i);
        const double weight = fmax(before[i], G > 0 ? -fall[i] / G : 0);
        m->push[i] = law->e_n * fmax(0, m->in->P[i] - weight);
        any |= m->push[i] > 0;
    }
    return any;
}

/* Friction's own share of the push of its contact. */
static double stored_friction(const impact *m, const scree_law *law, int i) {
    const double P_n = m->in->P[law->row];
    return P_n > 0 ? law->e_f * m->push[law->row] * m->in->P[i] / P_n : 0;
}

/* s along the friction of compression: where the slip ends that is left if the contact gives
 * back what it stored. */
static void shift_friction(impact *m, const scree_law *law) {
    const int n = m->s->ops->n_u;
    double along = 0, size = 0;
    for (int i = law->row + 1; i <= law->row + law->n_f; ++i) {
        const double stored = stored_friction(m, law, i);
        const double left = m->in->shift[i] +
                            inner_product(&m->in->Jt[i * n], m->in->u, n) +
                            own_block(m, i) * stored;
        along += left * stored;
        size += stored * stored;
    }
    for (int i = law->row + 1; i <= law->row + law->n_f; ++i)
        if (along > 0 && size > 0)
            m->shift[i] -= along / size * stored_friction(m, law, i);
}

/* Discs wider by what the pushes allow; rows of laws without impact hold what they held. */
static void widen_sets(impact *m) {
    const int n_set = m->in->n_set;
    memcpy(m->sets, m->in->sets, (size_t)n_set * sizeof *m->sets);
    for (int k = 0; k < n_set; ++k) {
        scree_set *set = &m->sets[k];
        if (set->kind == SCREE_SET_BALL && set->normal >= 0)
            set->radius += set->mu * m->push[set->normal];
        if (set->kind == SCREE_SET_BALL && set->normal < 0) set->radius = 0;
        if (set->kind == SCREE_SET_INTERVAL) set->lo = set->hi = 0;
    }
}

static scree_status solve_decompression(impact *m,
                                        const scree_dense_options *options,
                                        scree_report *report,
                                        scree_error *error) {
    scree_dense *s = m->s;
    const int n = s->ops->n_u, n_row = s->ops->n_row;
    for (int k = 0; k < s->ops->n_law; ++k)
        if (m->push[s->laws[k].row] > 0 && s->laws[k].e_f > 0)
            shift_friction(m, &s->laws[k]);
    for (int i = 0; i < n_row; ++i)
        for (int c = 0; c < n; ++c)
            m->in->u[c] += m->push[i] * m->in->X[i * n + c];
    widen_sets(m);
    scree_dense_inclusion next = *m->in;
    next.shift = m->shift, next.sets = m->sets, next.P = m->P;
    scree_report second;
    TRY(scree_dense_solve(s, &next, options, &second, error));
    for (int i = 0; i < n_row; ++i) m->in->P[i] += m->push[i] + m->P[i];
    report->iterations += second.iterations;
    report->converged &= second.converged;
    report->singular |= second.singular;
    report->residual = fmax(report->residual, second.residual);
    return SCREE_OK;
}

scree_status scree_dense_decompress(scree_dense *s,
                                    const scree_dense_inclusion *compression,
                                    const double *fall, const double *before,
                                    const scree_dense_options *options,
                                    scree_report *report, scree_error *error) {
    const int n_row = s->ops->n_row;
    const size_t mark = scree_arena_mark(&s->scratch);
    impact m = {.s = s, .in = compression};
    m.push = scree_dense_push(s, n_row);
    m.shift = scree_dense_push(s, n_row);
    m.P = scree_dense_push(s, n_row);
    if (!m.push || !m.shift || !m.P || !SCREE_PUSH(&s->scratch, m.sets, n_row))
        return SCREE_OUT_OF_MEMORY;
    memcpy(m.shift, compression->shift, (size_t)n_row * sizeof *m.shift);
    memset(m.P, 0, (size_t)n_row * sizeof *m.P);
    if (find_pushes(&m, fall, before))
        TRY(solve_decompression(&m, options, report, error));
    scree_arena_pop(&s->scratch, mark);
    return SCREE_OK;
}
