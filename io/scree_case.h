/* scree_case.h: case files.
 *
 * A case is read and checked as a whole. It is then run as the program `scree` runs it,
 * with its outputs and checkpoints,
 *
 *     scree_run_def def = scree_run_def_default();
 *     scree_case_run(c, &def, &error);
 *
 * or step by step, without outputs:
 *
 *     scree_simulation_open(c, NULL, NULL, &s, &error);
 *     while (!scree_simulation_is_over(s)) scree_simulation_step(s, &error);
 *     scree_simulation_close(s);
 *
 * Both give the same bits. On several ranks all calls are collective. */
#ifndef SCREE_CASE_H
#define SCREE_CASE_H

#include <scree.h>
#include <scree_model.h>
#include <scree_ranks.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- reading --------------------------------------------------------------- */

typedef struct scree_case scree_case;

/* Reads and checks `path` with `sets` ("key.path=value", n_set of them) on top.
 * On failure *out is NULL and error holds the whole message: file, line, key and
 * what is allowed. */
scree_status scree_case_read(const char *path, int n_set,
                             const char *const *sets, scree_case **out,
                             scree_error *error);
/* The same for a text that is there already; `path` is for messages, and where
 * files that the case names are looked up. */
scree_status scree_case_read_text(const char *text, const char *path, int n_set,
                                  const char *const *sets, scree_case **out,
                                  scree_error *error);
void scree_case_free(scree_case *c);

const char *scree_case_name(const scree_case *c);
double scree_case_end(const scree_case *c); /* [s] */
/* The resolved case as YAML, with every key, as a text that the caller frees; NULL
 * if it fails. */
scree_status scree_case_print_text(const scree_case *c, char **text);

/* ---- running ---------------------------------------------------------------- */

/* Where a run is. */
typedef struct scree_run_state {
    double time, end;    /* [s] simulated */
    int64_t step, steps; /* taken, to take; steps = 0: only the time tells */
    const scree_world *world; /* NULL: the case has a model, */
    const scree_dense
        *model; /* which is this one; both NULL: it has an ensemble,
                                 whose steps are trajectories */
} scree_run_state;

/* Told of every step, after its outputs; false: the run ends there as planned, with
 * a checkpoint. On several ranks one that says so is enough. */
typedef bool scree_run_each(void *context, const scree_run_state *at);

typedef struct scree_run_def {
    const char *out;     /* folder of the results; NULL: out/<case name> */
    const char *restart; /* checkpoint to begin with; NULL: as the case says */
    bool force;          /* replace the results of a finished run there */
    bool no_scripts;     /* refuse a case that has scripts to run */
    bool print;          /* progress and tables on stdout */
    double max_walltime; /* [s] end before the run has taken longer; 0: any */
    const scree_comm *comm; /* ranks that share the run; NULL: only one */
    scree_run_each *each;   /* NULL: nobody */
    void *context;          /* of each */
    uint32_t cookie;
} scree_run_def;

scree_run_def scree_run_def_default(void);

/* The whole run. SCREE_NOT_CONVERGED: it is whole, but too many of its steps did not
 * converge. */
scree_status scree_case_run(const scree_case *c, const scree_run_def *def,
                            scree_error *error);
/* Goes on in `folder`, where a run stopped, from its newest whole checkpoint, with
 * `sets` on top of what its case was; def.out and def.restart must be NULL. */
scree_status scree_folder_resume(const char *folder, int n_set,
                                 const char *const *sets,
                                 const scree_run_def *def, scree_error *error);

/* ---- stepping --------------------------------------------------------------- */

/* A case under way. */
typedef struct scree_simulation scree_simulation;

/* The case must outlive it. comm: NULL: one rank. from: a checkpoint to begin with,
 * of a run or of scree_simulation_save; NULL: as the case says. Ensembles have no common
 * steps and are refused: scree_case_run runs them. */
scree_status scree_simulation_open(const scree_case *c, const scree_comm *comm,
                                   const char *from, scree_simulation **out,
                                   scree_error *error);
void scree_simulation_close(scree_simulation *s);

/* Pours what is due, and steps; does nothing when the end of the case is reached. */
scree_status scree_simulation_step(scree_simulation *s, scree_error *error);
bool scree_simulation_is_over(const scree_simulation *s);
scree_run_state scree_simulation_state(const scree_simulation *s);

/* The world, for reading and scree_world_write_state; NULL: the case has a model. Who
 * adds to it, or steps it, leaves what the case describes. */
scree_world *scree_simulation_world(scree_simulation *s);
scree_dense *scree_simulation_model(scree_simulation *s);

/* A checkpoint, for `scree run --restart` and scree_simulation_open. */
scree_status scree_simulation_save(scree_simulation *s, const char *path,
                                   scree_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
