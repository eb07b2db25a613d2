#include "contact/narrow/gjk.h"

scree_minkowski scree_minkowski_support(const scree_placed *a,
                                        const scree_placed *b, scree_vec3 d) {
    scree_minkowski m;
    m.on_a = scree_core_support(a, d, &m.of_a);
    m.on_b = scree_core_support(b, scale(-1, d), &m.of_b);
    m.w = sub(m.on_a, m.on_b);
    return m;
}

/* ---- the simplex's point nearest to the origin --------------------------- */

typedef struct simplex {
    int n;
    scree_minkowski p[4];
    double weight[4]; /* of the nearest point */
} simplex;

/* The corners of a simplex that its nearest point lies between. */
typedef struct span {
    int n, of[3];
    double weight[3];
    scree_vec3 v; /* that point */
} span;

static span span_of(const simplex *s, int n, const int *of,
                    const double *weight) {
    span k = {.n = n, .v = vec(0, 0, 0)};
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += weight[i];
    for (int i = 0; i < n; ++i) {
        k.of[i] = of[i];
        k.weight[i] = weight[i] / sum;
        k.v = add_scaled(k.v, k.weight[i], s->p[of[i]].w);
    }
    return k;
}

static span on_segment(const simplex *s, int i, int j) {
    const scree_vec3 p = s->p[i].w, q = s->p[j].w, e = sub(q, p);
    const double u = -dot(p, e), v = dot(q, e);
    if (u <= 0) return span_of(s, 1, (int[]){i}, (double[]){1});
    if (v <= 0) return span_of(s, 1, (int[]){j}, (double[]){1});
    return span_of(s, 2, (int[]){i, j}, (double[]){v, u});
}

static const span *nearer_span(const span *a, const span *b) {
    return dot(b->v, b->v) < dot(a->v, a->v) ? b : a;
}

/* Inside if all sub-triangles turn like the whole; else the best of its edges. */
static span on_triangle(const simplex *s, int i, int j, int k) {
    const scree_vec3 p = s->p[i].w, q = s->p[j].w, r = s->p[k].w;
    const scree_vec3 n = cross(sub(q, p), sub(r, p));
    const double u = dot(n, cross(q, r)), v = dot(n, cross(r, p)),
                 w = dot(n, cross(p, q));
    if (u > 0 && v > 0 && w > 0)
        return span_of(s, 3, (int[]){i, j, k}, (double[]){u, v, w});
    const span a = on_segment(s, i, j), b = on_segment(s, j, k),
               c = on_segment(s, k, i);
    return *nearer_span(nearer_span(&a, &b), &c);
}

/* Is the origin beyond the face (p, q, r), seen from the fourth corner? A flat
 * tetrahedron has no inside. */
static bool is_beyond(scree_vec3 p, scree_vec3 q, scree_vec3 r,
                      scree_vec3 fourth) {
    const scree_vec3 n = cross(sub(q, p), sub(r, p));
    const scree_vec3 up = sub(fourth, p);
    const double h = dot(n, up), o = -dot(n, p);
    const bool flat = h * h <= 1e-16 * dot(n, n) * dot(up, up);
    return flat || o * h < 0;
}

/* False if the origin is inside. */
static bool on_tetrahedron(const simplex *s, span *best) {
    static const int face[4][4] = {
        {0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}};
    bool outside = false;
    for (int f = 0; f < 4; ++f) {
        const int *i = face[f];
        if (!is_beyond(s->p[i[0]].w, s->p[i[1]].w, s->p[i[2]].w, s->p[i[3]].w))
            continue;
        const span side = on_triangle(s, i[0], i[1], i[2]);
        *best = outside ? *nearer_span(best, &side) : side;
        outside = true;
    }
    return outside;
}

static bool reduce_simplex(const simplex *s, span *best) {
    if (s->n == 4) return on_tetrahedron(s, best);
    *best = s->n == 3 ? on_triangle(s, 0, 1, 2) : on_segment(s, 0, 1);
    return true;
}

static void keep_span(simplex *s, const span *k) {
    const simplex all = *s;
    s->n = k->n;
    for (int i = 0; i < k->n; ++i) {
        s->p[i] = all.p[k->of[i]];
        s->weight[i] = k->weight[i];
    }
}

/* ---- the descent --------------------------------------------------------- */

static bool has_point(const simplex *s, const scree_minkowski *m) {
    for (int k = 0; k < s->n; ++k) {
        const scree_vec3 d = sub(s->p[k].w, m->w);
        if (d.x == 0 && d.y == 0 && d.z == 0) return true;
    }
    return false;
}

uint32_t scree_minkowski_key(const scree_minkowski *const *m, int n) {
    uint32_t low_a = m[0]->of_a, low_b = m[0]->of_b;
    bool one_a = true, one_b = true;
    for (int k = 1; k < n; ++k) {
        one_a = one_a && m[k]->of_a == m[0]->of_a;
        one_b = one_b && m[k]->of_b == m[0]->of_b;
        if (m[k]->of_a < low_a) low_a = m[k]->of_a;
        if (m[k]->of_b < low_b) low_b = m[k]->of_b;
    }
    return scree_touch_key(one_a ? low_a : low_a | SCREE_EDGE,
                           one_b ? low_b : low_b | SCREE_EDGE);
}

static void read_off(const simplex *s, scree_vec3 v, scree_closest *c) {
    c->s = norm(v);
    c->n = scale(1 / c->s, v);
    c->on_a = c->on_b = vec(0, 0, 0);
    const scree_minkowski *m[4];
    for (int k = 0; k < s->n; ++k) {
        m[k] = &s->p[k];
        c->on_a = add_scaled(c->on_a, s->weight[k], s->p[k].on_a);
        c->on_b = add_scaled(c->on_b, s->weight[k], s->p[k].on_b);
    }
    c->key = scree_minkowski_key(m, s->n);
}

enum { GJK_MOST = 100 };

/* Stops when the support plane is as far as the point: no part of D is nearer
 * by more than one part in 1e10, of curved cores in 1e6. */
bool scree_gjk(const scree_placed *a, const scree_placed *b, double most,
               scree_closest *c) {
    const scree_vec3 d = sub(a->x, b->x);
    const double size = a->solid->bound + b->solid->bound;
    const double touching = 1e-7 * scree_least_bound(a, b) + 1e-9 * size;
    const double parts = scree_is_curved(a, b) ? 1e-6 : 1e-10;
    simplex s;
    s.n = 1;
    s.p[0] = scree_minkowski_support(
        a, b, dot(d, d) > 0 ? scale(-1, d) : vec(-1, 0, 0));
    s.weight[0] = 1;
    scree_vec3 v = s.p[0].w;
    for (int i = 0; i < GJK_MOST; ++i) {
        const double v2 = dot(v, v);
        if (v2 <= touching * touching) return false;
        const scree_minkowski m = scree_minkowski_support(a, b, scale(-1, v));
        const double vw = dot(v, m.w);
        if (vw > 0 && vw * vw > most * most * v2) {
            c->s = INFINITY;
            c->n = scale(1 / sqrt(v2), v);
            return true;
        }
        if (v2 - vw <= parts * v2 || has_point(&s, &m)) break;
        span next;
        s.p[s.n++] = m;
        if (!reduce_simplex(&s, &next)) return false;
        if (dot(next.v, next.v) >= v2) { /* rounding has the last word */
            --s.n;
            break;
        }
        keep_span(&s, &next);
        v = next.v;
    }
    read_off(&s, v, c);
    return true;
}

void scree_closest_cores(const scree_placed *a, const scree_placed *b,
                         double most, scree_closest *c) {
    if (!scree_gjk(a, b, most, c)) scree_epa(a, b, c);
}
