#include "engine/measure/ledger.h"

#include <stdlib.h>
#include <string.h>

scree_status scree_ledger_open(scree_ledger *l, int n) {
    l->n = n;
    l->here = calloc((size_t)n + 1, sizeof *l->here);
    l->all = calloc((size_t)n + 1, sizeof *l->all);
    return l->here && l->all ? SCREE_OK : SCREE_OUT_OF_MEMORY;
}

void scree_ledger_free(scree_ledger *l) {
    free(l->here);
    free(l->all);
    *l = (scree_ledger){0};
}

static void clear_sums(scree_exact_sum *sums, int n) {
    memset(sums, 0, (size_t)n * sizeof *sums);
}

/* What ranks have added goes to `all`. */
static void gather_sums(scree_ledger *l, const scree_comm *comm) {
    scree_exact_reduce(comm, l->here, l->n);
    for (int k = 0; k < l->n; ++k) scree_exact_merge(&l->all[k], &l->here[k]);
    clear_sums(l->here, l->n);
}

void scree_ledger_read(scree_ledger *l, const scree_comm *comm, double *sums) {
    gather_sums(l, comm);
    for (int k = 0; k < l->n; ++k) sums[k] = scree_exact_value(&l->all[k]);
}

void scree_ledger_clear(scree_ledger *l) {
    clear_sums(l->here, l->n);
    clear_sums(l->all, l->n);
}

void scree_ledger_archive(scree_ledger *l, const scree_comm *comm,
                          scree_archive *a) {
    enum { WORDS = sizeof *l->all / sizeof(int64_t) };
    if (!a->loads) gather_sums(l, comm);
    scree_archive_array(a, "ledger", SCREE_I64, l->n, WORDS, l->all);
}
