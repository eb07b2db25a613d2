/* row.h: one contact by value, as assembling, tests and scalar code see it. The fields
 * that a law has are zero in rows that do not obey it. */
#ifndef SCREE_SOLVERS_ROW_H
#define SCREE_SOLVERS_ROW_H

#include "solvers/law/law.h"

/* Directions of force and moment of a joint (solvers/law/joint.h). */
typedef struct scree_bars scree_bars;

struct scree_row {
    int32_t a, b;
    bool general;
    uint8_t laws; /* bits (law.h); 0: Coulomb's disc */
    scree_vec3 n;
    double arm_a, arm_b; /* round */
    scree_vec3 r_a, r_b; /* general */
    double mu;           /* >= 0 */
    scree_vec3 c;
    double P_n;
    scree_vec3 P_t;
    double rho_n, rho_t; /* read only: they follow from the bodies' inertia */
    /* SCREE_ROLLING, SCREE_CONTENSOU */
    double roll, drill; /* > 0 */
    scree_vec3 c_m;
    scree_vec3 M;
    double rho_m; /* read only */
    /* SCREE_ELLIPSE */
    double ratio;      /* > 0, friction across over along */
    scree_vec3 across; /* of unit length, perpendicular to n */
    /* SCREE_TIED */
    scree_vec3 tie; /* d: friction is -mu P_N d, whatever the slip */
    /* SCREE_JOINT */
    scree_bars *bars; /* of the problem, which they stay in */
};

/* A percussion by its parts. */
typedef struct row_step {
    double P_n;
    scree_vec3 P_t;
    scree_vec3 M; /* of contacts that resist turning */
} row_step;

/* Is it no contact, but a joint? */
static inline bool scree_row_is_joint(const scree_row *row) {
    return row->laws & SCREE_JOINT;
}
/* Has it a moment: does the contact resist rolling or drilling, or is it a joint? */
static inline bool scree_row_turns(const scree_row *row) {
    return row->laws & SCREE_TURNING;
}
static inline bool scree_row_drills(const scree_row *row) {
    return row->laws & SCREE_CONTENSOU;
}
/* Is the set of its friction an ellipse? */
static inline bool scree_row_is_oval(const scree_row *row) {
    return row->laws & SCREE_ELLIPSE;
}
static inline bool scree_row_is_tied(const scree_row *row) {
    return row->laws & SCREE_TIED;
}
/* Has it friction against its slip? */
static inline bool scree_row_rubs(const scree_row *row) {
    return row->mu > 0 && !scree_row_is_tied(row);
}

/* The contact with its normal law alone. */
static inline void scree_row_make_smooth(scree_row *row) {
    row->laws = 0;
    row->mu = row->roll = row->drill = row->ratio = 0;
}

/* From a body's centre to the contact point. */
static inline scree_vec3 scree_row_arm(const scree_row *row, bool of_a) {
    if (row->general) return of_a ? row->r_a : row->r_b;
    return scale(of_a ? -row->arm_a : row->arm_b, row->n);
}

#endif
