/* rows.h: contacts of a problem in lanes, written out as a dense one.
 *
 * Each law becomes rows of a scree_delassus: a direction f of force and one m of moment
 * on body a, of which body b gets the opposite, and the velocity
 *     xi = f . (v_a + w_a x r_a - v_b - w_b x r_b) + m . (w_a - w_b) + ...
 *
 *     normal      f = n                          half line
 *     friction    f = t1, t2                     ball of radius mu P_N
 *     ellipse     f = e, ratio f                 the same ball, stretched (ellipse.h)
 *     drilling    m = drill n, in that ball
 *     rolling     m = t1, t2                     ball of radius roll P_N
 *     joint       a row of its own for each bar (law/joint.h)
 *     tied        the normal row alone, whose percussion acts along n - mu d: G is not
 *                 symmetric then
 *
 * G comes from the definition of the contact point's velocity, and shares no operator
 * with the sweeps over lanes. */
#ifndef SCREE_SOLVERS_DENSE_ROWS_H
#define SCREE_SOLVERS_DENSE_ROWS_H

#include "solvers/dense/delassus.h"
#include "solvers/problem/problem.h"

/* One row: what it measures, and what its percussion does. They differ for tied
 * contacts alone. */
typedef struct scree_line {
    int32_t contact; /* among those written out */
    scree_vec3 f, m; /* directions on a */
    scree_vec3 push; /* direction of the force */
    double length2;  /* of the direction that is not zero */
    double c, soft;  /* of a bar (solvers/law/joint.h) */
} scree_line;

typedef struct scree_written {
    const scree_problem *p; /* of which its bodies alone are used */
    int32_t n;              /* contacts */
    scree_row *rows;        /* (n) */
    int32_t *first;         /* (n + 1) line of each contact */
    scree_line *lines;      /* (d.n) */
    scree_delassus d;
} scree_written;

/* t1 and t2 of a contact, those of an ellipse along its axes and stretched. */
scree_vec3 scree_row_tangent(const scree_row *row, int k);

/* What a force f at the contact and a moment m, on a, are for one of its bodies; and what
 * these do to the body's velocity. */
scree_velocity scree_row_wrench(const scree_row *row, scree_vec3 f,
                                scree_vec3 m, int32_t body);
scree_velocity scree_row_response(const scree_problem *p, const scree_row *row,
                                  int32_t body, scree_velocity wrench);

/* Writes G, P, the sets, and in b the xi of the velocities that are now in p->u, whether
 * P is in them or not. w->p, n and rows are set; all arrays live in `scratch`. */
scree_status scree_rows_write(scree_written *w, scree_arena *scratch);

/* The percussion of contact k, read back. */
row_step scree_written_step(const scree_written *w, int32_t k);

#endif
