/* scree_results.h: results in files, written and read.
 *
 * Frames are VTKHDF files, which ParaView and h5py open as well. */
#ifndef SCREE_RESULTS_H
#define SCREE_RESULTS_H

#include <scree.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- reading ---------------------------------------------------------------- */

/* What a path names: a run's folder with its series, one series, one frame, or a
 * packed file. Only lists are held; numbers are read when they are asked for. */
typedef struct scree_results scree_results;

scree_status scree_results_open(const char *path, scree_results **out,
                                scree_error *error);
void scree_results_close(scree_results *results);

/* The name of series i, NULL past the last one. */
const char *scree_results_series(const scree_results *results, int i);

/* Of a series: bodies, contacts, surfaces, walls ...; NULL: the first one. How many
 * frames it has, -1: there is no such series; and the time of one, NaN: there is no
 * such frame [s]. */
int scree_results_count(const scree_results *results, const char *series);
double scree_results_time(const scree_results *results, const char *series,
                          int frame);

/* The names of the fields of a frame, a line each, as a text that the caller frees. */
scree_status scree_results_fields(const scree_results *results,
                                  const char *series, int frame, char **names,
                                  scree_error *error);
/* Rows and columns of a field of a frame; "position" are its points. */
scree_status scree_results_size(const scree_results *results,
                                const char *series, int frame,
                                const char *field, int64_t *rows, int *columns,
                                scree_error *error);
/* Its values, for which the caller has room. */
scree_status scree_results_read(const scree_results *results,
                                const char *series, int frame,
                                const char *field, double *values,
                                scree_error *error);

/* ---- writing: worlds of one's own ------------------------------------------- */

/* The bodies as they are, in one file. Collective, as are the next two. */
scree_status scree_world_write_frame(const scree_world *world, const char *path,
                                     scree_error *error);

/* All that the future of the world depends on, whole or not at all. */
scree_status scree_world_save(scree_world *world, const char *path,
                              scree_error *error);
/* Into a new world with the same materials, shapes and walls and without bodies,
 * which then goes on with the same bits. One that fails is to be destroyed. */
scree_status scree_world_load(scree_world *world, const char *path,
                              scree_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
