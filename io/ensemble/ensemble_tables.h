/* ensemble_tables.h: deposits.csv, a row for each trajectory, and trajectories.csv, rows
 * of its way. Coordinates are those of the case. Rows are in the order of trajectories,
 * whoever ran them. */
#ifndef SCREE_IO_ENSEMBLE_TABLES_H
#define SCREE_IO_ENSEMBLE_TABLES_H

#include "io/ensemble/ensemble_make.h"
#include "io/output/csv_file.h"

typedef struct scree_ensemble_tables {
    bool open;
    const double *origin;        /* (2) [m] */
    scree_csv deposits, samples; /* samples.path NULL: nobody wants them */
    int64_t lengths[2];          /* at the checkpoint that is gone on from */
} scree_ensemble_tables;

/* `resumes`: they go on behind those lengths. Must be closed, also after a failure. */
scree_status scree_ensemble_tables_open(scree_ensemble_tables *tables,
                                        const char *folder, bool samples,
                                        bool resumes, scree_error *error);
scree_status scree_ensemble_tables_add(scree_ensemble_tables *tables,
                                       const scree_track *track,
                                       scree_error *error);
scree_status scree_ensemble_tables_close(scree_ensemble_tables *tables,
                                         scree_error *error);
/* Lengths of what is on disk. */
void scree_ensemble_tables_archive(scree_ensemble_tables *tables,
                                   scree_archive *a);

#endif
