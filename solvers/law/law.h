/* law.h: what a law of contacts is (solvers/laws.def).
 *
 * A law says how a contact resists slip and turning: its set C of percussions, beside
 * the half line of the normal one. Each has a file, solvers/law/<name>.h, with its
 * fields of a row, its prox and its natural map, for the kernels to inline; and
 * <name>.c with what the engine asks of it, here.
 *
 * A row says by bits which laws it obeys. Without bits it is Coulomb's: a disc of
 * radius mu P_N. Laws go together as they do in nature: an ellipse may roll and
 * drill, a tied contact may roll. law/resist.h has the order in which they act.
 *
 * State. A law may keep up to SCREE_STATE_WIDTH numbers of a contact from step to step:
 * the engine carries them as long as the contact acts, over new lists of pairs, to
 * other ranks, into checkpoints and frames. Which of the numbers are whose is said by
 * `state` below. Two laws may name the same ones: rolling and drilling have one moment.
 *
 *     detection            found contacts get the state of those that they were before
 *     enter(terms, state)  the law's fields of the row, before a solve
 *     advance(step, state) the state after the step
 *
 * Of bodies a law may keep SCREE_BODY_STATE_WIDTH numbers, named by `body`: what a rock
 * has ploughed, say. They act where a body touches a wall, which is its own rank's
 * matter: enter has them in terms->body there. After a step advance_body tells what the
 * contact with a wall that bears most did, or that none bears; then the terms are those
 * of the wall that bore it last, and nobody asks of a body that has touched none yet.
 *
 * A new law is its file and its line in laws.def. If it has a set of its own, it needs
 * a place in resist.h too. tests/laws has an example: friction that weakens. */
#ifndef SCREE_SOLVERS_LAW_H
#define SCREE_SOLVERS_LAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/law_state.h"
#include "engine/base/vec.h"

typedef struct scree_row scree_row;

enum {
#define SCREE_LAW(name, NAME) SCREE_ID_##NAME,
#include "solvers/laws.def"
#undef SCREE_LAW
    SCREE_ROW_LAWS
};
enum {
#define SCREE_LAW(name, NAME) SCREE_##NAME = 1 << SCREE_ID_##NAME,
#include "solvers/laws.def"
#undef SCREE_LAW
    /* Those with a moment percussion. */
    SCREE_TURNING = SCREE_CONTENSOU | SCREE_ROLLING | SCREE_JOINT
};
_Static_assert(SCREE_ROW_LAWS <= 8, "the laws of a row are bits of a byte");

/* Parameters of laws that have others than scree_law_terms names. */
enum { SCREE_OWN_TERMS = 4 };

/* What the materials of a contact say. */
typedef struct scree_law_terms {
    double friction;             /* mu [-] */
    double rolling;              /* [m] */
    double drilling;             /* radius of the patch [m] */
    double ratio;                /* of an ellipse; 0: a disc [-] */
    scree_vec3 along;            /* its direction, where the contact is */
    double least, growth, decay; /* of slippage [-], [1/m], [1/s] */
    double tension, shear;       /* limits of a bond [N]; 0: there is none */
    double moment;               /* the same [N m]; 0: it resists no turning */
    const double *own;           /* (SCREE_OWN_TERMS) of other laws */
    /* (SCREE_BODY_STATE_WIDTH) of the body on a wall; NULL: a contact of two bodies */
    const double *body;
} scree_law_terms;

/* A step of a contact, for the state. */
typedef struct scree_law_step {
    double dt;          /* [s] */
    scree_vec3 n, P, M; /* percussions of the step [N s], [N m s] */
    scree_vec3 slip;    /* tangential way of a over b in the step [m] */
} scree_law_step;

/* A step of a body, for the state. */
typedef struct scree_body_step {
    double dt;     /* [s] */
    bool bears;    /* did a wall bear it? */
    double way;    /* of its slip there [m] */
    double travel; /* of its centre of mass [m] */
} scree_body_step;

/* Some numbers of a state. */
typedef struct scree_law_numbers {
    const char *name; /* in files; NULL: none */
    int first, n;
    bool odd; /* they change sign if the two bodies change places */
} scree_law_numbers;

typedef struct scree_row_law {
    const char *name, *about;
    bool general; /* its rows are general (problem.h) */
    /* Do the materials ask for it? NULL: no materials do. */
    bool (*acts)(const scree_law_terms *terms);
    void (*enter)(const scree_law_terms *terms, const double *state,
                  scree_row *row);
    scree_law_numbers state, body; /* of contacts, of bodies */
    /* NULL: percussions alone are kept. */
    void (*advance)(const scree_law_terms *terms, const scree_law_step *step,
                    double *state);
    void (*advance_body)(const scree_law_terms *terms,
                         const scree_body_step *step, double *state);
} scree_row_law;

/* All laws, by id; NULL ends them. */
extern const scree_row_law *const scree_row_laws[];

#endif
