/* law_state.h: numbers that laws keep of a contact, and of a body, from step to step. Who
 * carries them (contact/, engine/domain, checkpoints) need not know what they mean; the
 * laws do (solvers/law/law.h). */
#ifndef SCREE_BASE_LAW_STATE_H
#define SCREE_BASE_LAW_STATE_H

#include <stdint.h>

enum { SCREE_STATE_WIDTH = 6 };

typedef struct scree_contact_state {
    double x[SCREE_STATE_WIDTH];
} scree_contact_state;

/* The two bodies change places: numbers with a bit in `odd` change sign. */
static inline void scree_state_swap(unsigned odd, double *x) {
    for (int k = 0; k < SCREE_STATE_WIDTH; ++k)
        if (odd & 1u << k) x[k] = -x[k];
}

enum { SCREE_BODY_STATE_WIDTH = 2 };

/* All zeros for a body that has touched no wall. */
typedef struct scree_body_state {
    double x[SCREE_BODY_STATE_WIDTH];
    int32_t ground; /* 1 + material of the wall that bore it last; 0: none */
    int32_t bearer; /* in a step, 1 + the contact that bears most; 0: none */
    int32_t borne;  /* 1: a wall bore it in the last step; 0: none did */
    int32_t unused;
} scree_body_state;

#endif
