/* crowd_witness.h: how deep convex bodies overlap, from their corners alone.
 *
 * Two convex polyhedra that overlap are separated with the least effort along the
 * normal of a face of one of them, or along the common normal of an edge of each. So
 * the depth is the least over all of these directions, found by trying them all: slow,
 * exact, and nothing of the engine takes part. */
#ifndef SCREE_TESTS_CROWD_WITNESS_H
#define SCREE_TESTS_CROWD_WITNESS_H

#include "tests/analytic/shapes_fixture.h"

enum { CORNERS = 16, NORMALS = 64, EDGES = 64 };

/* A ball if it has no corners. */
typedef struct solid {
    int n, faces, edges;
    scree_vec3 corner[CORNERS], normal[NORMALS], edge[EDGES];
    double outer, inner; /* radii about the centre [m] */
} solid;

static inline void note_line(scree_vec3 *list, int *n, int most, scree_vec3 d) {
    d = scale(1 / norm(d), d);
    for (int i = 0; i < *n; ++i)
        if (fabs(dot(list[i], d)) > 1 - 1e-12) return;
    assert_true(*n < most);
    list[(*n)++] = d;
}

/* Corners of the solid on its far side along n, and how far that is. */
static inline int far_side(const solid *s, scree_vec3 n, double *far,
                           bool *on) {
    int count = 0;
    *far = -INFINITY;
    for (int i = 0; i < s->n; ++i) *far = fmax(*far, dot(n, s->corner[i]));
    for (int i = 0; i < s->n; ++i) {
        on[i] = dot(n, s->corner[i]) > *far - 1e-9 * s->outer;
        count += on[i];
    }
    return count;
}

static inline void note_face(solid *s, scree_vec3 a, scree_vec3 b, scree_vec3 c,
                             bool shared[CORNERS][CORNERS]) {
    const scree_vec3 across = cross(sub(b, a), sub(c, a));
    bool on[CORNERS];
    double far;
    if (norm(across) < 1e-9 * s->outer * s->outer) return;
    for (int sign = -1; sign < 2; sign += 2) {
        const scree_vec3 n = scale(sign / norm(across), across);
        far_side(s, n, &far, on);
        if (dot(n, a) < far - 1e-9 * s->outer) continue;
        note_line(s->normal, &s->faces, NORMALS, n);
        s->inner = fmin(s->inner, far);
        for (int i = 0; i < s->n; ++i)
            for (int j = 0; j < s->n; ++j) shared[i][j] |= on[i] && on[j];
    }
}

/* All lines between corners of a face are taken for edges: more than needed. */
static inline void finish_solid(solid *s) {
    bool shared[CORNERS][CORNERS] = {{false}};
    s->outer = s->faces = s->edges = 0;
    s->inner = INFINITY;
    for (int i = 0; i < s->n; ++i)
        s->outer = fmax(s->outer, norm(s->corner[i]));
    for (int i = 0; i < s->n; ++i)
        for (int j = i + 1; j < s->n; ++j)
            for (int k = j + 1; k < s->n; ++k)
                note_face(s, s->corner[i], s->corner[j], s->corner[k], shared);
    for (int i = 0; i < s->n; ++i)
        for (int j = i + 1; j < s->n; ++j)
            if (shared[i][j])
                note_line(s->edge, &s->edges, EDGES,
                          sub(s->corner[i], s->corner[j]));
}

/* Of a polygon, whose corners go round. */
static inline void finish_polygon(solid *s) {
    s->outer = s->faces = s->edges = 0;
    s->inner = INFINITY;
    for (int i = 0; i < s->n; ++i) {
        const scree_vec3 a = s->corner[i];
        const scree_vec3 e = sub(s->corner[(i + 1) % s->n], a);
        const scree_vec3 n = scale(1 / norm(e), vec(e.y, -e.x, 0));
        note_line(s->normal, &s->faces, NORMALS, n);
        s->inner = fmin(s->inner, dot(n, a));
        s->outer = fmax(s->outer, norm(a));
    }
}

/* A solid in its place. */
typedef struct placed_solid {
    const solid *s;
    scree_vec3 x;
    double r; /* of the ball around it [m] */
    scree_mat3 R;
    scree_vec3 at[CORNERS];
} placed_solid;

static inline placed_solid place_solid(const solid *s, scree_vec3 x,
                                       scree_quat q, double r) {
    placed_solid p = {.s = s, .x = x, .r = r, .R = quat_matrix(q)};
    for (int i = 0; i < s->n; ++i)
        p.at[i] = add(x, mat3_mul(&p.R, s->corner[i]));
    return p;
}

/* How far a lies beyond b along n, or b beyond a. */
static inline double apart_along(const placed_solid *a, const placed_solid *b,
                                 scree_vec3 n) {
    double lo[2] = {INFINITY, INFINITY}, hi[2] = {-INFINITY, -INFINITY};
    const placed_solid *both[2] = {a, b};
    for (int k = 0; k < 2; ++k)
        for (int i = 0; i < both[k]->s->n; ++i) {
            const double h = dot(n, both[k]->at[i]);
            lo[k] = fmin(lo[k], h), hi[k] = fmax(hi[k], h);
        }
    return fmax(lo[0] - hi[1], lo[1] - hi[0]);
}

static inline double apart_by_faces(const placed_solid *a,
                                    const placed_solid *b, double best) {
    for (int f = 0; f < a->s->faces && best < 0; ++f)
        best = fmax(best, apart_along(a, b, mat3_mul(&a->R, a->s->normal[f])));
    return best;
}

static inline double apart_by_edges(const placed_solid *a,
                                    const placed_solid *b, double best) {
    for (int i = 0; i < a->s->edges && best < 0; ++i)
        for (int j = 0; j < b->s->edges && best < 0; ++j) {
            const scree_vec3 n = cross(mat3_mul(&a->R, a->s->edge[i]),
                                       mat3_mul(&b->R, b->s->edge[j]));
            if (norm(n) < 1e-6) continue;
            best = fmax(best, apart_along(a, b, scale(1 / norm(n), n)));
        }
    return best;
}

/* 0 if they are apart. */
static inline double overlap_of(const placed_solid *a, const placed_solid *b) {
    const scree_vec3 d = sub(a->x, b->x);
    if (a->s->n == 0 || norm(d) > a->r + b->r)
        return fmax(0, a->r + b->r - norm(d));
    double best = apart_along(a, b, scale(1 / norm(d), d));
    best = apart_by_faces(a, b, best);
    best = apart_by_faces(b, a, best);
    best = apart_by_edges(a, b, best);
    return fmax(0, -best);
}

#endif
