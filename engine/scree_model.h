/* scree_model.h: a small mechanical system in generalised coordinates, by formula.
 *
 *     qdot = B(t, q) u + beta(t, q)             or any function of (t, q, u)
 *     M(t, q) du = h(t, q, u) dt + W(t, q) dP
 *     gamma = W^T u + chi                       one row of W^T per component
 *
 * A model is a table of formulas (one file in cases/models, one line in
 * cases/models/models.def) and a set of parameters with defaults. Its laws are a
 * fixed list; each owns consecutive rows of W^T.
 *
 * A model of one's own is stepped by a program (cases/examples/model.c), or is a shared
 * library that the program scree loads (cases/examples/pendulum):
 *
 *     SCREE_MODELS(&pendulum)                       at the end of pendulum.c
 *     cc -shared -fPIC pendulum.c $(pkg-config --cflags scree) -o pendulum.so -lm
 *     scree run --model pendulum.so case.yaml       with `model: pendulum` in it */
#ifndef SCREE_MODEL_H
#define SCREE_MODEL_H

#include <scree.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef enum scree_law_kind {
    SCREE_LAW_CONTACT,      /* gap g(t, q) >= 0: row N, then n_f friction rows;
                               C_N = R0+, C_F = ball of radius mu P_N */
    SCREE_LAW_HOLONOMIC,    /* g(t, q) = 0, one row */
    SCREE_LAW_NONHOLONOMIC, /* gamma = 0, one row, no gap */
    SCREE_LAW_FRICTION,     /* n_f rows, C = ball of fixed radius a [N] */
    SCREE_LAW_FORCE, /* one row, force in [lo, hi] [N]: prestressed spring */
} scree_law_kind;

/* Friction in one, two or three components (Coulomb-Contensou: the third row is
 * the drilling velocity times its lever). Anisotropic friction is a ball in
 * scaled components: the model multiplies each friction row by its semi-axis
 * over mu. */
typedef struct scree_law {
    const char *name;
    scree_law_kind kind;
    int row; /* first row */
    int n_f; /* friction rows: 0..3 */
    double mu, e_n, e_f;
    double a;      /* [N] */
    double lo, hi; /* [N] */
} scree_law;

static inline int scree_law_rows(const scree_law *law) {
    switch (law->kind) {
    case SCREE_LAW_CONTACT:
        return 1 + law->n_f;
    case SCREE_LAW_FRICTION:
        return law->n_f;
    default:
        return 1;
    }
}
static inline bool scree_law_has_gap(const scree_law *law) {
    return law->kind == SCREE_LAW_CONTACT || law->kind == SCREE_LAW_HOLONOMIC;
}

/* Numbers from lo to hi; an open end does not belong to them. */
typedef struct scree_range {
    double lo, hi;
    bool lo_open, hi_open;
} scree_range;

typedef struct scree_parameter {
    const char *name;
    double value; /* default */
    const char *unit, *about;
    const scree_range *range; /* of values that a case may give; NULL: any */
} scree_parameter;

/* p: the parameters in the order of `parameters`. Matrices are row-major. */
typedef struct scree_model_ops {
    const char *name, *about;
    int n_q, n_u, n_law, n_row, n_parameter;
    const scree_parameter *parameters; /* (n_parameter) */
    const char *const *q_names;        /* (n_q) columns of the output */
    const char *const *u_names;        /* (n_u) */
    void (*laws)(const double *p, scree_law *laws);       /* (n_law) */
    void (*start)(const double *p, double *q, double *u); /* at t = 0 */
    void (*mass)(const double *p, double t, const double *q,
                 double *M); /* (n_u x n_u) */
    void (*force)(const double *p, double t, const double *q, const double *u,
                  double *h); /* (n_u) */
    /* NULL: qdot = u */
    void (*kinematics)(const double *p, double t, const double *q,
                       const double *u, double *qdot); /* (n_q) */
    /* g of laws with a gap, 0 elsewhere; NULL: no law has one */
    void (*gaps)(const double *p, double t, const double *q,
                 double *g); /* (n_law) */
    void (*rows)(const double *p, double t, const double *q, double *Wt,
                 double *chi); /* Wt (n_row x n_u), chi (n_row) */
    /* Brings q back to its manifold (unit quaternions); NULL: nothing to do. */
    void (*normalise)(const double *p, double *q);
    /* Kinetic plus potential energy; NULL where it means nothing. */
    double (*energy)(const double *p, double t, const double *q,
                     const double *u);
    /* Times at which a force is switched: step ends for adaptive steppers.
     * Returns the first one after t, INFINITY if none; NULL: none. */
    double (*next_switch)(const double *p, double t);
} scree_model_ops;

/* The models of the program, cases/models/models.def, and behind them those that were
 * loaded. NULL past the end. */
const scree_model_ops *scree_model_get(int i);
const scree_model_ops *scree_model_find(const char *name);

/* ---- models in libraries -------------------------------------------------- */

/* Counts up whenever a table of this header changes its layout or meaning. */
#define SCREE_MODEL_VERSION 1

/* What a library of models shows, under the name `scree_model_library_entry`. */
typedef struct scree_model_library {
    int32_t version;  /* SCREE_MODEL_VERSION it was compiled with */
    int32_t ops_size; /* sizeof(scree_model_ops), likewise */
    int32_t law_size; /* sizeof(scree_law), likewise */
    int32_t n;
    const scree_model_ops *const *models; /* (n) */
} scree_model_library;

/* At the end of a file: its models, as pointers to their tables. */
#define SCREE_MODELS(...)                                                      \
    static const scree_model_ops *const scree_models_shown_[] = {__VA_ARGS__}; \
    SCREE_MODELS_EXTERN_                                                       \
    __attribute__((visibility("default")))                                     \
    const scree_model_library scree_model_library_entry = {                    \
        SCREE_MODEL_VERSION, (int32_t)sizeof(scree_model_ops),                 \
        (int32_t)sizeof(scree_law),                                            \
        (int32_t)(sizeof scree_models_shown_ / sizeof *scree_models_shown_),   \
        scree_models_shown_};
#ifdef __cplusplus
#define SCREE_MODELS_EXTERN_ extern "C"
#else
#define SCREE_MODELS_EXTERN_
#endif
extern const scree_model_library scree_model_library_entry;

/* Loads a shared library, which executes what is in it, and adds its models to those
 * of the program. All of them are checked first (scree_model_check with their defaults,
 * names, columns); if one is wrong none is added. The library stays loaded. Not while
 * other threads look for models. */
scree_status scree_model_load(const char *path, scree_error *error);
/* The file that a model was loaded from, NULL for one of the program. */
const char *scree_model_file(const scree_model_ops *ops);

/* ---- stepping ------------------------------------------------------------ */

typedef struct scree_dense_options {
    double dt;          /* step; the largest step of adaptive steppers [s] */
    double dt_min;      /* adaptive: the least step, which resolves switching */
    double tolerance;   /* of the inner solves */
    int iterations;     /* most of an inner solve */
    const char *solver; /* "newton", "prox", "lemke" */
    scree_friction_law friction;
    scree_hits hits;
    scree_impact impact; /* of all contacts; poisson: moreau alone */
    int stages;          /* lobatto: s = 2..5 */
    int order;           /* moreau-adaptive: p of the extrapolation, >= 1 */
    double atol, rtol;   /* moreau-adaptive: error control; 0: none */
    scree_substeps_rule substeps; /* moreau-adaptive */
    double rho_inf; /* generalized-alpha: spectral radius, 0 .. 1 */
    double r;       /* prox parameter of activation conditions */
    scree_unconverged unconverged; /* as in scree_solver_options */
    double unconverged_share;
} scree_dense_options;

scree_dense_options scree_dense_options_default(void);

/* A model under time stepping. */
typedef struct scree_dense scree_dense;

/* Why no system can be made of the table: counts, formulas that are missing, rows of
 * laws that overlap or are not there. */
scree_status scree_model_check(const scree_model_ops *ops,
                               const double *parameters, scree_error *error);

/* Parameters: NULL, or n_parameter values. Starts at the model's start. */
scree_status scree_dense_create(const scree_model_ops *ops,
                                const double *parameters, scree_dense **out);
void scree_dense_destroy(scree_dense *s);

/* One step of the named stepper. Not reaching the tolerance is counted, not an
 * error; a state that is not finite is SCREE_NOT_FINITE. */
scree_status scree_dense_step(scree_dense *s, const char *stepper,
                              const scree_dense_options *options,
                              scree_error *error);

/* Where it is; pointers stay good until it is destroyed. */
typedef struct scree_dense_view {
    double t, dt;        /* time, and the size of the last step [s] */
    const double *q, *u; /* (n_q), (n_u) */
    const double *P;     /* (n_row) percussions of the last step [N s] */
    const double *g;     /* (n_law) gaps at its end */
    double residual;     /* worst of its inner solves */
    int64_t steps, unconverged;
} scree_dense_view;

scree_dense_view scree_dense_view_of(const scree_dense *system);

/* Goes on from there; what a multi-step or adaptive method keeps is forgotten. */
scree_status scree_dense_write_state(scree_dense *system, double t,
                                     const double *q, const double *u,
                                     scree_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
