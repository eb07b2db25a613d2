/* scree_ranks.h: a world over several processes.
 *
 *     const scree_comm *comm = scree_comm_begin(&argc, &argv);
 *     ... every rank makes the same world: materials, walls ...
 *     scree_world_distribute(world, comm);
 *     ... all ranks add the same bodies, step, and read their block ...
 *     scree_comm_end();
 *
 * With MPI a rank is a process; without it, or when nobody started several, there is
 * one rank, and all of this is free of cost. Functions on a world that is spread are
 * collective: all ranks call them in the same order. MPI is called by the main thread
 * only; an error inside MPI ends the run on all ranks. */
#ifndef SCREE_RANKS_H
#define SCREE_RANKS_H

#include <scree.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct scree_comm {
    int rank, size;
} scree_comm;

/* The one rank of a run that has no others. */
const scree_comm *scree_comm_alone(void);

/* All ranks that mpirun (or srun) started, or the one above if there is no sign
 * of such a start. scree_comm_end ends what this began. */
const scree_comm *scree_comm_begin(int *argc, char ***argv);
void scree_comm_end(void);
/* What scree_comm_begin returned; the one rank before it and after the end. */
const scree_comm *scree_comm_all(void);
/* Spreads the world over the ranks, all of which have made the same one, and from
 * then on add the same bodies. What it has is all rank 0's until the first step;
 * of bodies that are added before that step each rank keeps about its share, of
 * later ones those in its box. A second call does nothing. */
scree_status scree_world_distribute(scree_world *world, const scree_comm *comm);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
