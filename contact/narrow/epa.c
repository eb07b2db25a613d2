/* epa.c: the nearest piece of the boundary of D.
 *
 * A polytope with corners on the boundary of D grows where a face of it is
 * nearest to the origin, until the face lies on the boundary. Distances carry a
 * sign (negative: the origin is outside), so that the start need not contain
 * the origin and cores that barely touch are no special case. */
#include "contact/narrow/gjk.h"

enum { POINT_MOST = 100, FACE_MOST = 2 * POINT_MOST, HORIZON_MOST = 128 };

typedef struct facet {
    int v[3];     /* counter-clockwise from outside */
    scree_vec3 n; /* unit, outward */
    double h;     /* n . x on the facet; INFINITY: too thin to tell */
} facet;

typedef struct polytope {
    int n_point, n_face;
    scree_minkowski point[POINT_MOST];
    facet face[FACE_MOST];
    double size;
} polytope;

static facet facet_of(const polytope *p, int i, int j, int k) {
    const scree_vec3 o = p->point[i].w;
    const scree_vec3 e = sub(p->point[j].w, o), f = sub(p->point[k].w, o);
    const scree_vec3 n = cross(e, f);
    const double length = norm(n);
    if (length <= 1e-9 * p->size * (norm(e) + norm(f)))
        return (facet){{i, j, k}, vec(0, 0, 0), INFINITY};
    const scree_vec3 unit = scale(1 / length, n);
    return (facet){{i, j, k}, unit, dot(unit, o)};
}

/* ---- a tetrahedron to start from ----------------------------------------- */

static double extent_along(const polytope *p, scree_vec3 d, scree_vec3 w) {
    return fabs(dot(d, sub(w, p->point[0].w)));
}

/* The farther of the two extremes along +-d. */
static double add_extreme(polytope *p, const scree_placed *a,
                          const scree_placed *b, scree_vec3 d) {
    const scree_minkowski up = scree_minkowski_support(a, b, d);
    const scree_minkowski down = scree_minkowski_support(a, b, scale(-1, d));
    const double hu = extent_along(p, d, up.w), hd = extent_along(p, d, down.w);
    p->point[p->n_point++] = hu >= hd ? up : down;
    return fmax(hu, hd);
}

/* A triangle's normal, or some direction off the line of two points. */
static scree_vec3 off_span(const polytope *p) {
    if (p->n_point == 1) return vec(0, 1, 0);
    const scree_vec3 e = sub(p->point[1].w, p->point[0].w);
    if (p->n_point == 2) {
        const double length = norm(e);
        return length > 0 ? perpendicular(scale(1 / length, e)) : vec(0, 0, 1);
    }
    const scree_vec3 n = cross(e, sub(p->point[2].w, p->point[0].w));
    const double length = norm(n);
    return length > 0 ? scale(1 / length, n) : vec(0, 0, 1);
}

/* False if D is flat: its overlap in that direction is none. */
static bool start_polytope(polytope *p, const scree_placed *a,
                           const scree_placed *b, scree_vec3 *flat) {
    const scree_vec3 axes[3] = {vec(1, 0, 0), vec(0, 1, 0), vec(0, 0, 1)};
    p->n_face = 0;
    p->n_point = 1;
    p->size = a->solid->bound + b->solid->bound;
    const double thin = 1e-10 * p->size;
    p->point[0] = scree_minkowski_support(a, b, axes[0]);
    for (int k = 0; k < 3 && p->n_point == 1; ++k)
        if (add_extreme(p, a, b, axes[k]) <= thin) --p->n_point;
    for (int n = p->n_point; n < 4; ++n) {
        *flat = off_span(p);
        const double h = add_extreme(p, a, b, *flat);
        if (h > thin) continue;
        if (n == 3) return false;
        /* a line may be wide in the other perpendicular direction */
        --p->n_point;
        const scree_vec3 e = sub(p->point[1].w, p->point[0].w);
        *flat = cross(scale(1 / fmax(norm(e), thin), e), *flat);
        if (add_extreme(p, a, b, *flat) <= thin) return false;
    }
    return true;
}

static void close_tetrahedron(polytope *p) {
    const scree_vec3 o = p->point[0].w;
    const double volume =
        dot(cross(sub(p->point[1].w, o), sub(p->point[2].w, o)),
            sub(p->point[3].w, o));
    if (volume > 0) { /* the base must look away from the fourth */
        const scree_minkowski m = p->point[1];
        p->point[1] = p->point[2], p->point[2] = m;
    }
    static const int base[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    for (int f = 0; f < 4; ++f)
        p->face[p->n_face++] = facet_of(p, base[f][0], base[f][1], base[f][2]);
}

/* ---- growth -------------------------------------------------------------- */

typedef struct horizon {
    int n;
    int edge[HORIZON_MOST][2];
} horizon;

/* An edge between two faces that both go is met from both sides. */
static bool toggle_edge(horizon *rim, int i, int j) {
    for (int k = 0; k < rim->n; ++k)
        if (rim->edge[k][0] == j && rim->edge[k][1] == i) {
            --rim->n;
            rim->edge[k][0] = rim->edge[rim->n][0];
            rim->edge[k][1] = rim->edge[rim->n][1];
            return true;
        }
    if (rim->n == HORIZON_MOST) return false;
    rim->edge[rim->n][0] = i;
    rim->edge[rim->n++][1] = j;
    return true;
}

static bool sees_point(const facet *f, scree_vec3 w, double hair) {
    return dot(f->n, w) > f->h + hair;
}

static bool borders_horizon(const horizon *rim, const facet *f) {
    for (int k = 0; k < rim->n; ++k)
        for (int i = 0; i < 3; ++i)
            if (rim->edge[k][0] == f->v[(i + 1) % 3] &&
                rim->edge[k][1] == f->v[i])
                return true;
    return false;
}

/* Takes facet f out; the rest closes ranks. */
static bool drop_facet(polytope *p, int f, horizon *rim) {
    const facet gone = p->face[f];
    p->face[f] = p->face[--p->n_face];
    for (int k = 0; k < 3; ++k)
        if (!toggle_edge(rim, gone.v[k], gone.v[(k + 1) % 3])) return false;
    return true;
}

/* What the new point sees goes. A facet too thin to have a normal goes with
 * any neighbour: left behind it would be seen from its back. */
static bool open_up(polytope *p, scree_vec3 w, horizon *rim) {
    for (int f = p->n_face - 1; f >= 0; --f)
        if (sees_point(&p->face[f], w, 1e-12 * p->size) &&
            !drop_facet(p, f, rim))
            return false;
    for (int f = p->n_face - 1; f >= 0; --f)
        if (p->face[f].h == INFINITY && borders_horizon(rim, &p->face[f])) {
            if (!drop_facet(p, f, rim)) return false;
            f = p->n_face; /* another may border now */
        }
    return rim->n > 0 && p->n_face + rim->n <= FACE_MOST;
}

/* A cone from the new point over all that it sees. False if the polytope is
 * spoilt: no room, or rounding tore it (Euler's count of triangles fails). */
static bool grow_polytope(polytope *p, const scree_minkowski *m) {
    horizon rim = {0};
    if (p->n_point == POINT_MOST || !open_up(p, m->w, &rim)) return false;
    const int tip = p->n_point++;
    p->point[tip] = *m;
    for (int k = 0; k < rim.n; ++k)
        p->face[p->n_face++] = facet_of(p, rim.edge[k][0], rim.edge[k][1], tip);
    return p->n_face == 2 * p->n_point - 4;
}

static const facet *nearest_facet(const polytope *p) {
    const facet *best = &p->face[0];
    for (int f = 1; f < p->n_face; ++f)
        if (p->face[f].h < best->h) best = &p->face[f];
    return best;
}

/* ---- the answer ---------------------------------------------------------- */

/* Weights of the facet's corners at the foot of the origin; the least of them
 * is negative if the foot is beside the facet. */
static double foot_weights(const polytope *p, const facet *f, double u[3]) {
    const scree_vec3 foot = scale(f->h, f->n);
    scree_vec3 to[3];
    for (int k = 0; k < 3; ++k) to[k] = sub(p->point[f->v[k]].w, foot);
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
        u[k] = dot(f->n, cross(to[(k + 1) % 3], to[(k + 2) % 3]));
        sum += u[k];
    }
    for (int k = 0; k < 3; ++k) u[k] /= sum;
    return fmin(u[0], fmin(u[1], u[2]));
}

/* Of the facets near the plane n . x = h the one with the foot on it; `best`
 * if there is none such. */
static facet around_foot(const polytope *p, const facet *best, double h) {
    facet found = *best;
    double u[3], most = foot_weights(p, best, u);
    for (int k = 0; k < p->n_face && most < 0; ++k) {
        const facet *x = &p->face[k];
        if (fabs(x->h - h) > 1e-6 * p->size || dot(x->n, best->n) < 1 - 1e-4)
            continue;
        const double least = foot_weights(p, x, u);
        if (least > most) most = least, found = *x;
    }
    return found;
}

static void read_off(const polytope *p, const facet *f, scree_closest *c) {
    double u[3], sum = 0;
    foot_weights(p, f, u);
    for (int k = 0; k < 3; ++k) sum += u[k] = fmax(u[k], 0);
    const scree_minkowski *borne[3];
    int n = 0;
    c->on_a = c->on_b = vec(0, 0, 0);
    for (int k = 0; k < 3; ++k) {
        const scree_minkowski *m = &p->point[f->v[k]];
        c->on_a = add_scaled(c->on_a, u[k] / sum, m->on_a);
        c->on_b = add_scaled(c->on_b, u[k] / sum, m->on_b);
        if (u[k] > 1e-6 * sum) borne[n++] = m;
    }
    c->key = scree_minkowski_key(borne, n);
}

/* n points from b into a, against the way a is shortest out of D. */
static void write_answer(const scree_placed *a, const scree_placed *b,
                         scree_vec3 out, scree_closest *c) {
    const scree_minkowski m = scree_minkowski_support(a, b, out);
    c->n = scale(-1, out);
    c->s = -dot(out, m.w);
    c->on_a = m.on_a, c->on_b = m.on_b;
    c->key = scree_touch_key(m.of_a, m.of_b);
}

void scree_epa(const scree_placed *a, const scree_placed *b, scree_closest *c) {
    polytope p;
    scree_vec3 flat;
    if (!start_polytope(&p, a, b, &flat)) {
        write_answer(
            a, b, dot(flat, sub(a->x, b->x)) > 0 ? scale(-1, flat) : flat, c);
        return;
    }
    close_tetrahedron(&p);
    const double hair =
        scree_is_curved(a, b)
            ? fmax(1e-5 * scree_least_bound(a, b), 1e-8 * p.size)
            : 1e-8 * p.size;
    facet best = p.face[0];
    double least = INFINITY; /* how far D reaches along the best normal */
    bool grows = true;
    while (grows) {
        const facet f = *nearest_facet(&p);
        const scree_minkowski m = scree_minkowski_support(a, b, f.n);
        const double top = dot(f.n, m.w);
        if (top < least) least = top, best = f;
        if (least - f.h <= hair) break;
        grows = grow_polytope(&p, &m);
    }
    write_answer(a, b, best.n, c);
    const facet foot = around_foot(&p, &best, least);
    read_off(&p, &foot, c);
}
