/* contact_state.h: numbers that laws keep of a contact from step to step. Who carries
 * them (contact/, engine/domain, checkpoints) need not know what they mean; the laws
 * do (solvers/law/law.h). */
#ifndef SCREE_BASE_CONTACT_STATE_H
#define SCREE_BASE_CONTACT_STATE_H

enum { SCREE_STATE_WIDTH = 6 };

typedef struct scree_contact_state {
    double x[SCREE_STATE_WIDTH];
} scree_contact_state;

/* The two bodies change places: numbers with a bit in `odd` change sign. */
static inline void scree_state_swap(unsigned odd, double *x) {
    for (int k = 0; k < SCREE_STATE_WIDTH; ++k)
        if (odd & 1u << k) x[k] = -x[k];
}

#endif
