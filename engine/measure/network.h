/* network.h: numbers of the network of contacts that bear load.
 *
 *     Z    = sum z_i / N                z_i: bodies and walls that body i touches
 *     Z_m  = sum z_i / N_m, over the N_m bodies with z_i >= 2 (Thornton 2000): bodies
 *            that touch one other or none bear nothing
 *     F    = sum n (x) n / N_c          fabric tensor, trace 1
 *     f/f0 = P_n over its mean          histogram
 *     P_t / (mu P_n)                    histogram; 1: it slides or is about to; without
 *                                       contacts that attract
 *
 * Sums are exact: the same bits for any ranks. */
#ifndef SCREE_MEASURE_NETWORK_H
#define SCREE_MEASURE_NETWORK_H

#include "engine/world/view.h"

enum { SCREE_NETWORK_LARGEST = 100 }; /* at most */

typedef struct scree_network {
    int bins;      /* of each histogram, >= 1 */
    double most;   /* upper end of that of f/f0; more is in its last bin */
    int n_largest; /* largest forces that are looked for */
    int64_t *normal, *friction; /* (bins) contacts, the caller's */

    int64_t bodies, contacts; /* contacts: those that bear load */
    int64_t idle;             /* bodies that touch none */
    int64_t rattlers;         /* that touch one or none */
    double Z, Z_m;            /* NAN without bodies */
    double fabric[6];         /* xx, yy, zz, xy, yz, xz */
    double mean_force;        /* of the normal forces [N] */
    int64_t sliding,
        with_friction; /* P_t >= 0.999 mu P_n, of those with mu > 0 */
    int found;         /* of the largest forces, the first is the most */
    struct scree_large_force {
        double force; /* [N] */
        int64_t a, b; /* ids; b < 0 is wall -1 - b */
    } largest[SCREE_NETWORK_LARGEST];
} scree_network;

/* Fills in what follows `friction`. Collective. */
scree_status scree_network_measure(const scree_world *world,
                                   scree_network *network);

#endif
