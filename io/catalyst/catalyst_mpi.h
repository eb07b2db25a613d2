/* catalyst_mpi.h: MPI for a backend: the program's, or begun here if the
 * program has none under way. */
#ifndef SCREE_IO_CATALYST_MPI_H
#define SCREE_IO_CATALYST_MPI_H

#include <mpi.h>
#include <stdbool.h>

typedef struct scree_catalyst_mpi {
    bool began;
    MPI_Comm comm;
} scree_catalyst_mpi;

static inline void scree_catalyst_begin_mpi(scree_catalyst_mpi *mpi) {
    int running = 0;
    MPI_Initialized(&running);
    mpi->began = !running && MPI_Init(NULL, NULL) == MPI_SUCCESS;
    MPI_Comm_dup(MPI_COMM_WORLD, &mpi->comm);
}

static inline void scree_catalyst_end_mpi(scree_catalyst_mpi *mpi) {
    int ended = 0;
    MPI_Finalized(&ended);
    if (ended) return;
    MPI_Comm_free(&mpi->comm);
    if (mpi->began) MPI_Finalize();
}

#endif
