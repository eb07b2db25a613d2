#include "contact/surface/triangle.h"

scree_vec3 scree_triangle_normal(const scree_vec3 p[3]) {
    const scree_vec3 n = cross(sub(p[1], p[0]), sub(p[2], p[0]));
    const double size = norm(n);
    return size > 0 && isfinite(size) ? scale(1 / size, n) : vec(0, 0, 0);
}

/* m lies in the first facet and points across the edge. A sheet folded back on
 * itself is a ridge. */
scree_fold scree_fold_between(scree_vec3 e, scree_vec3 n, scree_vec3 beyond) {
    const scree_vec3 m = cross(e, n);
    const double sine = dot(m, beyond) / norm(m);
    if (sine < -SCREE_FLAT_ANGLE) return SCREE_VALLEY;
    if (sine > SCREE_FLAT_ANGLE || dot(n, beyond) < 0) return SCREE_RIDGE;
    return SCREE_FLAT;
}

static scree_fold fold_from_behind(scree_fold fold) {
    return fold == SCREE_RIDGE    ? SCREE_VALLEY
           : fold == SCREE_VALLEY ? SCREE_RIDGE
                                  : fold;
}

scree_facet scree_facet_back(const scree_facet *f) {
    static const int corner[3] = {0, 2, 1}, edge[3] = {2, 1, 0};
    scree_facet b = *f;
    b.n = scale(-1, f->n);
    b.patch = ~f->patch;
    for (int k = 0; k < 3; ++k) {
        const int e = edge[k];
        b.p[k] = f->p[corner[k]];
        b.peak[k] = f->peak[corner[k]];
        b.vertex[k] = f->vertex[corner[k]];
        b.edge[k] = f->edge[e];
        b.fold[k] = fold_from_behind(f->fold[e]);
        b.beyond[k] = scale(f->fold[e] == SCREE_BORDER ? 1 : -1, f->beyond[e]);
    }
    return b;
}

/* ---- a moving ball ------------------------------------------------------ */

/* First t in [0, limit] with |a + t b| = r while it shrinks; 0 if it is smaller
 * already; -1: none. */
static double meets_sphere(scree_vec3 a, scree_vec3 b, double r, double limit) {
    const double ab = dot(a, b), bb = dot(b, b), c = dot(a, a) - r * r;
    if (ab >= 0) return -1;
    if (c <= 0) return 0;
    const scree_vec3 miss = add_scaled(a, -ab / bb, b);
    const double root = r * r - dot(miss, miss);
    if (root < 0) return -1;
    const double t = c / (-ab + sqrt(root * bb));
    return t <= limit ? t : -1;
}

/* Takes a hit of the ball at t with direction a from the surface to the centre,
 * if it comes from the front. */
static bool take_hit(scree_hit *hit, double t, scree_vec3 a, scree_vec3 n,
                     scree_vec3 d) {
    const double length = norm(a);
    if (t == hit->t && length >= hit->distance) return false;
    const scree_vec3 m = length > 0 ? scale(1 / length, a) : n;
    if (dot(m, n) < -1e-12 || dot(m, d) >= 0) return false;
    *hit = (scree_hit){t, m, length};
    return true;
}

static bool hits_corner(scree_vec3 p, scree_vec3 n, scree_ball ball,
                        scree_vec3 d, scree_hit *hit) {
    const scree_vec3 a = sub(ball.x, p);
    const double t = meets_sphere(a, d, ball.r, hit->t);
    return t >= 0 && take_hit(hit, t, add_scaled(a, t, d), n, d);
}

bool scree_corner_sweep(scree_vec3 p, scree_ball ball, scree_vec3 d,
                        scree_hit *hit) {
    const double length = norm(d);
    return length > 0 && hits_corner(p, scale(-1 / length, d), ball, d, hit);
}

/* Seen along the edge the ball is a disc that meets a point. */
static bool hits_edge(scree_vec3 p, scree_vec3 q, scree_vec3 n, scree_ball ball,
                      scree_vec3 d, scree_hit *hit) {
    const scree_vec3 e = sub(q, p), a = sub(ball.x, p);
    const double ee = dot(e, e);
    const scree_vec3 across = add_scaled(a, -dot(a, e) / ee, e);
    const scree_vec3 speed = add_scaled(d, -dot(d, e) / ee, e);
    const double t = meets_sphere(across, speed, ball.r, hit->t);
    if (t < 0) return false;
    const double along = dot(add_scaled(a, t, d), e);
    if (along < 0 || along > ee) return false;
    return take_hit(hit, t, add_scaled(across, t, speed), n, d);
}

/* Inside, up to rounding: a ball of no size finds no gap between triangles. */
static bool is_inside(const scree_vec3 p[3], scree_vec3 n, scree_vec3 x) {
    for (int k = 0; k < 3; ++k) {
        const scree_vec3 e = sub(p[scree_next(k)], p[k]);
        if (dot(cross(e, n), sub(x, p[k])) > 1e-12 * dot(e, e)) return false;
    }
    return true;
}

/* A centre that starts behind the plane is no concern of the front. */
static bool hits_face(const scree_vec3 p[3], scree_vec3 n, scree_ball ball,
                      scree_vec3 d, scree_hit *hit) {
    const double s = dot(n, sub(ball.x, p[0])), fall = -dot(n, d);
    if (s < 0 || fall <= 0) return false;
    const double t = s <= ball.r ? 0 : (s - ball.r) / fall;
    const double distance = fmin(s, ball.r);
    if (t > hit->t || (t == hit->t && distance >= hit->distance) ||
        !is_inside(p, n, add_scaled(ball.x, t, d)))
        return false;
    *hit = (scree_hit){t, n, distance};
    return true;
}

bool scree_triangle_sweep(const scree_vec3 p[3], scree_vec3 n, scree_ball ball,
                          scree_vec3 d, scree_hit *hit) {
    if (hits_face(p, n, ball, d, hit)) return true;
    bool found = false;
    for (int k = 0; k < 3; ++k) {
        found |= hits_edge(p[k], p[scree_next(k)], n, ball, d, hit);
        found |= hits_corner(p[k], n, ball, d, hit);
    }
    return found;
}
