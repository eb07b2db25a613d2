/* hull_axes.h: the directions in which two polyhedra can be least overlapped.
 *
 * Normals of faces and cross products of edges are all there are. Most are
 * ruled out early by single vertices, and by balls inside the hulls, around
 * their origins:
 *   - a face separates no better than it does from the other's ball, or from
 *     any of its vertices;
 *   - an edge pair counts only if its directions on the sphere of normals cross
 *     (Gauss map), and if the other's ball and its lowest vertex over the best
 *     face are far enough from both edges.
 *
 * All is done in the frame of a: x is the origin of b, R its axes there. For
 * functions that are compiled wide (SCREE_WIDE). */
#ifndef SCREE_CONTACT_PAIRS_HULL_AXES_H
#define SCREE_CONTACT_PAIRS_HULL_AXES_H

#include "contact/narrow/clip.h"
#include "contact/solid/hull_wide.h"

enum { HEIGHTS = SCREE_ABOVE };

typedef struct relative {
    const scree_hull *a, *b;
    scree_vec3 x;
    scree_mat3 R;
    double height[HEIGHTS]; /* of x over the first faces of a */
    int highest;            /* the face among them that it is highest over */
    int low;                /* a low vertex of b, */
    scree_vec3 low_at;      /* where it is, */
    double low_height[HEIGHTS]; /* and its heights */
} relative;

static double height_over(const scree_hull *h, int f, scree_vec3 x) {
    return dot(h->normal[f], x) - h->offset[f];
}

static double centre_height(const relative *r, int f) {
    return f < HEIGHTS ? r->height[f] : height_over(r->a, f, r->x);
}

static double low_height(const relative *r, int f) {
    return f < HEIGHTS ? r->low_height[f] : height_over(r->a, f, r->low_at);
}

/* Faces whose heights are known. */
static int known_faces(const scree_hull *h) {
    return h->n_face < HEIGHTS ? h->n_face : HEIGHTS;
}

/* Most hulls are small: then all vertices are looked at, here and now. */
SCREE_INLINE int support_along(const scree_hull *h, scree_vec3 d,
                               double *most) {
    if (h->n_vertex <= SCREE_LOOK_MOST) return wide_support(h, d, most);
    const int v = scree_hull_support(h, d);
    *most = dot(h->vertex[v], d);
    return v;
}

/* The lowest face of a set, which it leaves. */
static int take_face(uint64_t *faces) {
    const int f = __builtin_ctzll(*faces);
    *faces &= *faces - 1;
    return f;
}

static void see_from(const scree_placed *a, const scree_placed *b,
                     relative *r) {
    r->a = a->solid->hull, r->b = b->solid->hull;
    r->x = mat3_mul_back(&a->R, sub(b->x, a->x));
    r->R =
        (scree_mat3){mat3_mul_back(&a->R, b->R.x), mat3_mul_back(&a->R, b->R.y),
                     mat3_mul_back(&a->R, b->R.z)};
}

/* The same seen from b. */
static void see_back(const relative *r, relative *back) {
    back->a = r->b, back->b = r->a;
    back->x = scale(-1, mat3_mul_back(&r->R, r->x));
    back->R = (scree_mat3){vec(r->R.x.x, r->R.y.x, r->R.z.x),
                           vec(r->R.x.y, r->R.y.y, r->R.z.y),
                           vec(r->R.x.z, r->R.y.z, r->R.z.z)};
}

/* Takes a low vertex of b. Returns the known faces of a that it is over by more
 * than `least`, and the origin of b by more than `enough`. */
SCREE_INLINE uint64_t set_low(relative *r, int vertex, double least,
                              double enough) {
    r->low = vertex;
    r->low_at = add(r->x, mat3_mul(&r->R, r->b->vertex[vertex]));
    return wide_heights_above(r->a, known_faces(r->a), r->low_at, least,
                              r->height, enough, r->low_height);
}

static scree_vec3 turned_back(const relative *r, scree_vec3 v) {
    return mat3_mul_back(&r->R, v);
}

/* ---- faces --------------------------------------------------------------- */

typedef struct face_axis {
    double s;
    int face;
    int low; /* the other's lowest vertex over it */
} face_axis;

/* Which of the vertices of b is lowest over face f; `over`: how high x is. */
SCREE_INLINE face_axis face_axis_of(const relative *r, int f, double over) {
    const scree_vec3 down = scale(-1, turned_back(r, r->a->normal[f]));
    double depth;
    const int v = support_along(r->b, down, &depth);
    return (face_axis){over - depth, f, v};
}

SCREE_INLINE void try_face(const relative *r, int f, face_axis *best) {
    const face_axis axis = face_axis_of(r, f, centre_height(r, f));
    if (axis.s > best->s) *best = axis;
}

/* The face below the origin of b is a good first guess. Leaves the lowest
 * vertex over the best face as the low one. */
SCREE_INLINE face_axis best_face(relative *r) {
    const int n = r->a->n_face, known = known_faces(r->a);
    r->highest = wide_heights(r->a, known, r->x, r->height);
    face_axis best = face_axis_of(r, r->highest, r->height[r->highest]);
    const double ball = r->b->inside > 0 ? r->b->inside : -INFINITY;
    uint64_t faces = set_low(r, best.low, best.s, best.s + ball);
    faces &= ~((uint64_t)1 << r->highest);
    while (faces) {
        const int f = take_face(&faces);
        if (r->low_height[f] > best.s && r->height[f] - ball > best.s)
            try_face(r, f, &best);
    }
    for (int f = known; f < n; ++f)
        if (centre_height(r, f) - ball > best.s) try_face(r, f, &best);
    if (best.low != r->low) set_low(r, best.low, 0, 0);
    return best;
}

/* ---- edges --------------------------------------------------------------- */

typedef struct edge_axis {
    double s;
    scree_vec3 out; /* from a into b, frame of a */
    int a, b;       /* edges; -1: none separates better than wanted */
} edge_axis;

/* An edge in the frame of a: its arc on the sphere of normals, and itself. */
typedef struct arc {
    int edge;
    scree_vec3 p, e, n0, n1;
} arc;

enum { ARCS = 64 };

/* What edges of a must come near, if their normals are to separate: the centre
 * of a ball in b, and the low vertex of b. A point below both faces of an edge
 * is below all normals between them (see normals_reach()), so that only edges of
 * faces that the low vertex is over count; it is over few. */
typedef struct lookout {
    const relative *r;
    double ball;    /* separation wanted from the centre; <= 0: any */
    double vertex;  /* from the vertex, */
    double over;    /* and how high it is at least over one face of the edge */
    uint64_t faces; /* of the first ones, those that it is over */
    uint64_t left;  /* of these to be looked at, */
    int face;       /* and the last of all the rest that was */
    int32_t corner, end;
} lookout;

static void look_again(lookout *l) {
    l->left = l->faces;
    l->corner = l->end = 0;
    l->face = HEIGHTS - 1;
}

static void look_out(lookout *l, const relative *r, double least) {
    const bool balls = r->a->inside > 0 && r->b->inside > 0;
    l->r = r;
    l->ball = balls ? least + r->b->inside : 0;
    l->vertex = least;
    l->over = least < 0 ? least : 0;
    l->faces = wide_above(r->low_height, known_faces(r->a), l->over);
    look_again(l);
}

static bool low_is_over(const lookout *l, int f) {
    return low_height(l->r, f) >= l->over;
}

/* Does m . (x - p) reach `wanted` for a normal m between two faces whose
 * normals have the cosine c, where x has the heights h0, h1 over them? The most
 * that it reaches is the distance from the edge's line, if the direction to x
 * is on the arc, else the larger height; on the arc one of the heights is not
 * negative. The sign of `wanted` is the same for all edges; the rest has no
 * branch, because it cannot be foreseen. */
static bool normals_reach(double h0, double h1, double c, double wanted) {
    const bool high = (h0 >= wanted) | (h1 >= wanted);
    const bool on_arc = (h0 >= c * h1) & (h1 >= c * h0);
    if (wanted <= 0) return high | on_arc;
    const bool far =
        h0 * h0 + h1 * h1 - 2 * c * h0 * h1 >= wanted * wanted * (1 - c * c);
    return high | (on_arc & far);
}

static bool comes_near(const lookout *l, int edge) {
    const scree_hull *h = l->r->a;
    const int f = h->edge[edge].f[0], g = h->edge[edge].f[1];
    const double c = h->bend[edge];
    return normals_reach(low_height(l->r, f), low_height(l->r, g), c,
                         l->vertex) &&
           (l->ball <= 0 || normals_reach(centre_height(l->r, f),
                                          centre_height(l->r, g), c, l->ball));
}

/* To the next face that the low vertex is over; -1: there is no more. */
static int next_face(lookout *l) {
    if (l->left) return take_face(&l->left);
    while (l->face + 1 < l->r->a->n_face)
        if (low_is_over(l, ++l->face)) return l->face;
    return -1;
}

/* The next edge of a that comes near, or -1. One between two faces that count
 * is seen from its first. */
static int next_edge(lookout *l) {
    const scree_hull *h = l->r->a;
    for (;;) {
        if (l->corner == l->end) {
            const int f = next_face(l);
            if (f < 0) return -1;
            l->corner = h->loop[f], l->end = h->loop[f + 1];
        }
        const int32_t c = l->corner++;
        const int edge = h->side[c], f = h->edge[edge].f[0];
        const bool first = h->corner[c] == h->edge[edge].v[0];
        if ((first || !low_is_over(l, f)) && comes_near(l, edge)) return edge;
    }
}

static arc arc_of(const scree_hull *h, int edge) {
    const scree_edge *e = &h->edge[edge];
    const scree_vec3 p = h->vertex[e->v[0]];
    return (arc){edge, p, sub(h->vertex[e->v[1]], p), h->normal[e->f[0]],
                 h->normal[e->f[1]]};
}

/* The same of b. */
static arc arc_from_b(const relative *r, int edge) {
    const arc own = arc_of(r->b, edge);
    return (arc){edge, add(r->x, mat3_mul(&r->R, own.p)),
                 mat3_mul(&r->R, own.e), mat3_mul(&r->R, own.n0),
                 mat3_mul(&r->R, own.n1)};
}

/* The next edges of b, as many as there is room for. */
static int near_arcs(const relative *r, lookout *from_b, arc *arcs) {
    int n = 0;
    for (int edge; n < ARCS && (edge = next_edge(from_b)) >= 0; ++n)
        arcs[n] = arc_from_b(r, edge);
    return n;
}

/* The arc of a and the opposite of that of b cross on the sphere: the edges
 * make a face of the difference of the hulls. Along its loop an edge runs as
 * n0 x n1. */
static bool arcs_cross(const arc *a, const arc *b) {
    const double b0 = dot(b->n0, a->e), b1 = dot(b->n1, a->e);
    if (b0 * b1 >= 0) return false;
    const double a0 = dot(a->n0, b->e), a1 = dot(a->n1, b->e);
    return a0 * a1 < 0 && b0 * a1 < 0;
}

static void try_edges(const arc *a, const arc *b, edge_axis *best) {
    if (!arcs_cross(a, b)) return;
    const scree_vec3 m = cross(a->e, b->e);
    const double m2 = dot(m, m);
    if (m2 <= 1e-12 * dot(a->e, a->e) * dot(b->e, b->e)) return;
    const double sign = dot(m, add(a->n0, a->n1)) > 0 ? 1 : -1;
    const scree_vec3 out = scale(sign / sqrt(m2), m);
    const double s = dot(out, sub(b->p, a->p));
    if (s > best->s) *best = (edge_axis){s, out, a->edge, b->edge};
}

/* The edge pair that separates best, if by more than `least`. */
static edge_axis best_edges(const relative *r, const relative *back,
                            double least) {
    edge_axis best = {.s = least, .a = -1};
    lookout from_a, from_b;
    look_out(&from_a, r, least);
    look_out(&from_b, back, least);
    arc arcs[ARCS];
    for (int n; (n = near_arcs(r, &from_b, arcs)) > 0; look_again(&from_a))
        for (int edge; (edge = next_edge(&from_a)) >= 0;) {
            const arc a = arc_of(r->a, edge);
            for (int i = 0; i < n; ++i) try_edges(&a, &arcs[i], &best);
        }
    return best;
}

#endif
