/* chain.c: making chains, and balls that fly at them. */
#include "contact/surface/chain.h"

#include <stdlib.h>

/* ---- making ------------------------------------------------------------- */

static scree_status check_points(const scree_vec3 *p, int n, bool closed,
                                 scree_error *error) {
    for (int i = 0; i < n; ++i)
        if (!isfinite(p[i].x) || !isfinite(p[i].y))
            return scree_fail(error, SCREE_BAD_ARGUMENT,
                              "point %d of the segments is not finite", i);
    for (int i = closed ? 0 : 1; i < n; ++i) {
        const int last = i ? i - 1 : n - 1;
        const double length =
            scree_hypot(p[i].x - p[last].x, p[i].y - p[last].y);
        if (!(length > 0) || !isfinite(length))
            return scree_fail(error, SCREE_BAD_ARGUMENT,
                              "the segment between points %d and %d has %s",
                              last, i,
                              length > 0 ? "no finite length" : "no length");
    }
    return SCREE_OK;
}

static scree_status check_chain(const scree_vec3 *p, int n, bool closed,
                                double thickness, scree_error *error) {
    if (n < (closed ? 3 : 2))
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "%s segments need %d points at least, not %d",
                          closed ? "closed" : "open", closed ? 3 : 2, n);
    if (!(thickness >= 0) || !isfinite(thickness))
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "segments cannot have thickness %g", thickness);
    return check_points(p, n, closed, error);
}

static scree_vec3 direction_to(scree_vec3 p, scree_vec3 q) {
    const scree_vec3 d = vec(q.x - p.x, q.y - p.y, 0);
    return scale(1 / norm(d), d);
}

/* Does the way from p over q to r run straight on at q? */
static bool is_straight(scree_vec3 p, scree_vec3 q, scree_vec3 r) {
    const scree_vec3 a = direction_to(p, q), b = direction_to(q, r);
    return dot(a, b) > 0 && fabs(a.x * b.y - a.y * b.x) <= SCREE_STRAIGHT;
}

/* A vertex is compared with the last one that was kept: a fine arc does not
 * become a chord. */
static void take_corners(scree_chain *c, const scree_vec3 *p, int n) {
    scree_vec3 *v = c->vertex;
    int kept = 0;
    for (int i = 0; i < n; ++i) {
        const bool inner = kept > 0 && (i + 1 < n || c->closed);
        const scree_vec3 next = p[(i + 1) % n];
        if (inner && is_straight(v[kept - 1], p[i], next)) continue;
        v[kept++] = vec(p[i].x, p[i].y, 0);
    }
    if (c->closed && kept > 3 && is_straight(v[kept - 1], v[0], v[1])) {
        for (int i = 1; i < kept; ++i) v[i - 1] = v[i];
        --kept;
    }
    c->n_vertex = kept;
    c->n_side = c->closed ? kept : kept - 1;
}

/* There are no more sides than vertices. */
static scree_status build_tree(scree_chain *c) {
    scree_box *boxes = malloc((size_t)c->n_vertex * sizeof *boxes);
    if (!boxes) return SCREE_OUT_OF_MEMORY;
    for (int32_t i = 0; i < c->n_side; ++i) {
        const scree_vec3 ends[2] = {c->vertex[i],
                                    c->vertex[scree_chain_to(c, i)]};
        c->e[i] = direction_to(ends[0], ends[1]);
        boxes[i] = scree_box_of_points(ends, 2);
    }
    const scree_status status = scree_bvh_build(&c->bvh, boxes, c->n_side);
    free(boxes);
    return status;
}

scree_status scree_chain_make(scree_chain *c, const scree_vec3 *points, int n,
                              bool closed, double thickness,
                              scree_error *error) {
    *c = (scree_chain){.closed = closed, .radius = thickness / 2};
    TRY(check_chain(points, n, closed, thickness, error));
    c->vertex = malloc((size_t)n * sizeof *c->vertex);
    c->e = malloc((size_t)n * sizeof *c->e);
    scree_status status = SCREE_OUT_OF_MEMORY;
    if (c->vertex && c->e) {
        take_corners(c, points, n);
        status = build_tree(c);
    }
    if (status != SCREE_OK) scree_chain_free(c);
    return status;
}

void scree_chain_free(scree_chain *c) {
    free(c->vertex);
    free(c->e);
    scree_bvh_free(&c->bvh);
    *c = (scree_chain){0};
}

/* ---- sweeps ------------------------------------------------------------- */

typedef struct sweep {
    const scree_chain *chain;
    scree_ball ball; /* grown by the chain's radius */
    scree_vec3 d;
    scree_hit hit;
    bool found;
} sweep;

/* From the side on which the centre starts; on the line itself from where it
 * comes. */
static void sweep_face(sweep *w, int32_t i) {
    const scree_chain *c = w->chain;
    const scree_vec3 p = c->vertex[i], q = c->vertex[scree_chain_to(c, i)];
    scree_vec3 n = vec(-c->e[i].y, c->e[i].x, 0);
    double s = dot(n, sub(w->ball.x, p));
    if (s < 0 || (s == 0 && dot(n, w->d) > 0)) n = scale(-1, n), s = -s;
    const double fall = -dot(n, w->d), r = w->ball.r;
    if (fall <= 0) return;
    const double t = s <= r ? 0 : (s - r) / fall, distance = fmin(s, r);
    if (t > w->hit.t || (t == w->hit.t && distance >= w->hit.distance)) return;
    const scree_vec3 x = add_scaled(w->ball.x, t, w->d);
    const double hair = 1e-12 * norm(sub(q, p));
    if (dot(c->e[i], sub(x, p)) < -hair || dot(c->e[i], sub(x, q)) > hair)
        return;
    w->hit = (scree_hit){t, n, distance};
    w->found = true;
}

static double sweep_side(void *context, int32_t i) {
    sweep *w = context;
    const scree_chain *c = w->chain;
    sweep_face(w, i);
    w->found |= scree_corner_sweep(c->vertex[i], w->ball, w->d, &w->hit);
    w->found |= scree_corner_sweep(c->vertex[scree_chain_to(c, i)], w->ball,
                                   w->d, &w->hit);
    return w->hit.t;
}

bool scree_chain_sweep(const scree_chain *chain, scree_ball ball, scree_vec3 d,
                       scree_hit *hit) {
    ball.r += chain->radius;
    sweep w = {chain, ball, d, scree_no_hit(), false};
    scree_bvh_sweep(&chain->bvh, ball, d, sweep_side, &w);
    if (!w.found) return false;
    w.hit.distance -= chain->radius;
    *hit = w.hit;
    return true;
}
