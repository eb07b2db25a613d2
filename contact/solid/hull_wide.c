/* hull_wide.c: one point against all faces, one direction against all vertices,
 * four at a time. The values are those of one at a time, bit by bit. */
#include "contact/solid/hull_wide.h"

enum { L = SCREE_LANES };

/* ---- layout -------------------------------------------------------------- */

static int at_most(int k, int n) {
    return k < n ? k : n - 1;
}

void scree_hull_pack(scree_hull *h) {
    for (int e = 0; e < h->n_edge; e++) {
        const int32_t *v = h->edge[e].v, *f = h->edge[e].f;
        h->bend[e] = dot(h->normal[f[0]], h->normal[f[1]]);
        for (int k = 0; k < 2; k++)
            h->side[scree_hull_corner(h, f[k], v[k])] = e;
    }
    for (int k = 0; k < (h->n_vertex + L - 1) / L * L; k++) {
        const scree_vec3 p = h->vertex[at_most(k, h->n_vertex)];
        double *to = h->vertex4 + k / L * 3 * L + k % L;
        to[0] = p.x, to[L] = p.y, to[2 * L] = p.z;
    }
    for (int k = 0; k < (h->n_face + L - 1) / L * L; k++) {
        const int f = at_most(k, h->n_face);
        const scree_vec3 n = h->normal[f];
        double *to = h->plane4 + k / L * 4 * L + k % L;
        to[0] = n.x, to[L] = n.y, to[2 * L] = n.z, to[3 * L] = h->offset[f];
    }
}

/* ---- all at once ---------------------------------------------------------- */

SCREE_WIDE
int scree_hull_farthest(const scree_hull *h, scree_vec3 d) {
    double most;
    return wide_support(h, d, &most);
}

SCREE_WIDE
int scree_hull_facing(const scree_hull *h, scree_vec3 d, double *most) {
    return wide_farthest(h->plane4, 4 * L, h->n_face, d, most);
}
