/* model.h: a small mechanical system in generalised coordinates, by formula.
 *
 *     qdot = B(t, q) u + beta(t, q)
 *     M(t, q) du = h(t, q, u) dt + W(t, q) dP
 *     gamma = W^T u + chi                       one row of W^T per component
 *
 * A model is a table of formulas (one file in cases/models, one line in
 * cases/models/models.def) and a set of parameters with defaults. Its laws are a
 * fixed list; each owns consecutive rows of W^T. */
#ifndef SCREE_MODEL_H
#define SCREE_MODEL_H

#include <stdbool.h>

#include "engine/scree.h"

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

/* The models of the program, cases/models/models.def. NULL past the end. */
const scree_model_ops *scree_model_get(int i);
const scree_model_ops *scree_model_find(const char *name);

#endif
