/* ledger.h: exact sums over steps, of all ranks: the same bits for any ranks, and after a
 * restart. Each rank adds what it sees; nobody talks before the sums are read. */
#ifndef SCREE_MEASURE_LEDGER_H
#define SCREE_MEASURE_LEDGER_H

#include "engine/base/archive.h"
#include "engine/base/exact_sum.h"

typedef struct scree_ledger {
    int n;                 /* sums */
    scree_exact_sum *here; /* (n) by this rank since `all` was made */
    scree_exact_sum *all;  /* (n) by all ranks up to then, the same on each */
} scree_ledger;

scree_status scree_ledger_open(scree_ledger *ledger, int n);
void scree_ledger_free(scree_ledger *ledger);

static inline void scree_ledger_add(scree_ledger *ledger, int k, double x) {
    scree_exact_add(&ledger->here[k], x);
}
/* The sums, (n). Collective. */
void scree_ledger_read(scree_ledger *ledger, const scree_comm *comm,
                       double *sums);
void scree_ledger_clear(scree_ledger *ledger);
/* Saves and loads. Collective when it saves. */
void scree_ledger_archive(scree_ledger *ledger, const scree_comm *comm,
                          scree_archive *a);

#endif
