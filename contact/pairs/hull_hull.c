/* Two polyhedra, by separating axes (hull_axes.h).
 *
 * The features that touched before come first: that they still do can be shown
 * without a search. Where the hulls are apart and no face or crossing of edges
 * tells their distance, GJK does. */
#include "contact/pair.h"
#include "contact/pairs/hull_axes.h"

/* ---- touches ------------------------------------------------------------- */

static double face_area(const scree_hull *h, int f) {
    const int32_t *c = h->corner + h->loop[f];
    const scree_vec3 o = h->vertex[c[0]];
    scree_vec3 sum = vec(0, 0, 0);
    for (int k = 2; k < h->loop[f + 1] - h->loop[f]; ++k)
        sum = add(sum,
                  cross(sub(h->vertex[c[k - 1]], o), sub(h->vertex[c[k]], o)));
    return dot(sum, h->normal[f]);
}

static bool reference_is_a(const scree_placed *a, const scree_placed *b,
                           face_axis fa, face_axis fb) {
    const double bias = scree_face_bias(a, b, fmax(fa.s, fb.s));
    if (fa.s > fb.s + bias) return true;
    if (fb.s > fa.s + bias) return false;
    const scree_hull *ha = a->solid->hull, *hb = b->solid->hull;
    const scree_vec3 n = sub(mat3_mul(&b->R, hb->normal[fb.face]),
                             mat3_mul(&a->R, ha->normal[fa.face]));
    return scree_prefer_a(face_area(ha, fa.face), face_area(hb, fb.face), n);
}

/* Touches over the reference face; none if what it separates by is not what
 * they show, that is, the lowest point hangs beside the face. */
static int by_face(const scree_placed *a, const scree_placed *b, bool is_a,
                   face_axis f, double reach, scree_touch *touches) {
    const scree_placed *ref = is_a ? a : b, *other = is_a ? b : a;
    scree_patch face, incident;
    scree_face_patch(ref, f.face, vec(0, 0, 0), &face);
    scree_hull_patch_at(other, f.low, scale(-1, face.normal), &incident);
    const int n = scree_clip(a, b, &face, &incident, is_a, reach, touches);
    const double g = f.s - a->solid->radius - b->solid->radius;
    const double slack = 2 * scree_face_bias(a, b, f.s);
    return scree_deepest(touches, n) <= g + slack ? n : 0;
}

/* Where on the line (p, p + e) it is nearest to the line (q, q + f), in parts
 * of e; m = e x f. */
static double nearest_at(scree_vec3 p, scree_vec3 q, scree_vec3 f,
                         scree_vec3 m) {
    return dot(cross(sub(q, p), f), m) / dot(m, m);
}

static bool within(double t) {
    return t >= 0 && t <= 1;
}

/* Two edges that cross. */
typedef struct crossing {
    scree_closest c; /* on both, kept between their ends */
    bool inside;     /* without that: what they are apart the hulls are too */
    bool parallel;   /* nearly */
} crossing;

static crossing crossing_of(const scree_placed *a, const scree_placed *b,
                            const edge_axis *x) {
    const scree_hull *ha = a->solid->hull, *hb = b->solid->hull;
    const int32_t *va = ha->edge[x->a].v, *vb = hb->edge[x->b].v;
    const scree_vec3 p = scree_placed_point(a, ha->vertex[va[0]]);
    const scree_vec3 q = scree_placed_point(b, hb->vertex[vb[0]]);
    const scree_vec3 e = sub(scree_placed_point(a, ha->vertex[va[1]]), p);
    const scree_vec3 f = sub(scree_placed_point(b, hb->vertex[vb[1]]), q);
    const scree_vec3 m = cross(e, f);
    const double t = nearest_at(p, q, f, m);
    const double u = nearest_at(q, p, e, scale(-1, m));
    const double sine2 = dot(m, m) / (dot(e, e) * dot(f, f));
    return (crossing){
        .c = {.n = scale(-1, mat3_mul(&a->R, x->out)),
              .s = x->s,
              .on_a = add_scaled(p, fmin(fmax(t, 0), 1), e),
              .on_b = add_scaled(q, fmin(fmax(u, 0), 1), f),
              .key = scree_touch_key(scree_feature(SCREE_EDGE, x->a),
                                     scree_feature(SCREE_EDGE, x->b))},
        .inside = within(t) && within(u),
        .parallel = sine2 <= SCREE_PARALLEL * SCREE_PARALLEL};
}

/* One point below the face: for hulls whose clipped face shows nothing. */
static int by_support(const scree_placed *a, const scree_placed *b,
                      face_axis fa, face_axis fb, scree_touch *touches) {
    const bool is_a = fa.s >= fb.s;
    const scree_placed *ref = is_a ? a : b, *other = is_a ? b : a;
    const face_axis f = is_a ? fa : fb;
    const scree_vec3 m = mat3_mul(&ref->R, ref->solid->hull->normal[f.face]);
    uint32_t low;
    const scree_vec3 p = scree_core_support(other, scale(-1, m), &low);
    const scree_vec3 foot = add_scaled(p, -f.s, m);
    const uint32_t face = scree_feature(SCREE_FACE, f.face);
    touches[0] = is_a ? scree_touch_between(a, b, foot, p, scale(-1, m), f.s,
                                            scree_touch_key(face, low))
                      : scree_touch_between(a, b, p, foot, m, f.s,
                                            scree_touch_key(low, face));
    return 1;
}

/* Without touches `apart` becomes a direction that separates, from b into a. */
static int search(const scree_placed *a, const scree_placed *b, relative *r,
                  double reach, scree_vec3 *apart, scree_touch *touches) {
    const double most = scree_core_reach(a, b, reach);
    relative back;
    const face_axis fa = best_face(r);
    if (fa.s > most) {
        *apart = mat3_mul(&a->R, scale(-1, r->a->normal[fa.face]));
        return 0;
    }
    see_back(r, &back);
    const face_axis fb = best_face(&back);
    if (fb.s > most) {
        *apart = mat3_mul(&b->R, r->b->normal[fb.face]);
        return 0;
    }
    const double s = fmax(fa.s, fb.s);

    edge_axis edges = {.s = s, .a = -1};
    if (s <= 0) edges = best_edges(r, &back, s + scree_face_bias(a, b, s));
    if (edges.a >= 0 && edges.s > most) {
        *apart = mat3_mul(&a->R, scale(-1, edges.out));
        return 0;
    }
    if (edges.a < 0) {
        const bool is_a = reference_is_a(a, b, fa, fb);
        const int n = by_face(a, b, is_a, is_a ? fa : fb, reach, touches);
        if (n > 0) return n;
    }
    crossing x = {.inside = false};
    if (edges.a >= 0) x = crossing_of(a, b, &edges);
    scree_closest c;
    if (edges.s > 0 && (!x.inside || x.parallel) && scree_gjk(a, b, most, &c)) {
        *apart = c.n;
        if (c.s > most) return 0;
        return scree_manifold_beside(a, b, &c, true, reach, touches);
    }
    return edges.a >= 0
               ? scree_manifold_beside(a, b, &x.c, x.parallel, reach, touches)
               : by_support(a, b, fa, fb, touches);
}

/* ---- the features that touched before ---------------------------------------
 *
 * Bodies at rest touch where they did, and that they still do can be shown
 * without a search. Let D be the points of b seen from those of a, and F a face
 * of D: a face of one hull and a vertex of the other, or an edge of each. Let F
 * have the normal m, the distance s from the origin, and around the foot of the
 * origin a disc of radius rho. Then a direction at the angle t to m separates
 * the hulls by no more than
 *
 *     s cos t - rho sin t <= s - (rho - |s|) sin t         (t <= 90 degrees):
 *
 * less than m does, and with |s| <= rho / 16 by more than the bias less, unless
 * it is nearly m, where only a face of the other hull may be, which is looked
 * for. Beyond 90 degrees the same holds where sin t >= (2 |s| + bias) / rho <=
 * 0.14, and the rest lies around -m, which does not separate the balls in the
 * hulls. So the search would find the same features, and the same bits. */

/* rho and the most that |s| may be, in parts of the lesser bound. */
static const double ROOM = 0.01, SHALLOW = 0.01 / 16;
/* A face of the other hull that looks so nearly along m (its cosine) may
 * separate as well as a face within the bias. */
static const double FLUSH = 0.9999;

/* The same beside edges, where faces must not separate at all, and by more than
 * the bias less than the edges: (rho - |s|) sin t >= |s| + bias. */
static double cosine_beside(double s, double size) {
    const double sine = (fabs(s) + 2e-4 * size) / (ROOM * size - fabs(s));
    return sqrt(1 - sine * sine);
}

static bool nothing_behind(const relative *r, scree_vec3 m, double size) {
    const double inside = r->a->inside + r->b->inside;
    return r->a->inside > 0 && r->b->inside > 0 &&
           0.99 * dot(m, r->x) - 0.14 * norm(r->x) + inside >
               2 * SHALLOW * size;
}

SCREE_INLINE bool faces_along(const scree_hull *h, scree_vec3 d,
                              double cosine) {
    double most;
    wide_farthest(h->plane4, 4 * SCREE_LANES, h->n_face, d, &most);
    return most > cosine;
}

/* Is x over face f, and no nearer to its rim than rho? */
static bool lies_over(const scree_hull *h, int f, scree_vec3 x, double rho) {
    const scree_vec3 m = h->normal[f];
    scree_vec3 p = h->vertex[h->corner[h->loop[f + 1] - 1]];
    for (int c = h->loop[f]; c < h->loop[f + 1]; ++c) {
        const scree_vec3 q = h->vertex[h->corner[c]], e = sub(q, p);
        const double in = dot(cross(m, e), sub(x, p)); /* times |e| */
        if (!(in > 0 && in * in >= rho * rho * dot(e, e))) return false;
        p = q;
    }
    return true;
}

/* Does face f of a still separate best, and a vertex of b lie over it? */
SCREE_INLINE bool face_holds(const relative *r, int f, double size,
                             face_axis *axis) {
    if (f >= r->a->n_face) return false;
    const scree_vec3 m = r->a->normal[f];
    *axis = face_axis_of(r, f, height_over(r->a, f, r->x));
    if (fabs(axis->s) > SHALLOW * size) return false;
    const scree_vec3 low = add(r->x, mat3_mul(&r->R, r->b->vertex[axis->low]));
    return lies_over(r->a, f, low, ROOM * size) &&
           !faces_along(r->b, scale(-1, transposed(r, m)), FLUSH) &&
           nothing_behind(r, m, size);
}

/* In a parallelogram, is a point at the share t of one side at least rho from
 * both ends of it? With the squares of the area and of the other side. */
static bool has_room(double t, double area2, double other2, double rho) {
    const double end = fmin(t, 1 - t);
    return end > 0 && end * end * area2 >= rho * rho * other2;
}

/* Do these edges still cross, and separate best? */
SCREE_INLINE bool edges_hold(const relative *r, int ea, int eb, double size,
                             edge_axis *axis) {
    if (ea >= r->a->n_edge || eb >= r->b->n_edge) return false;
    const arc a = arc_of(r->a, ea), b = arc_from_b(r, eb);
    *axis = (edge_axis){.s = -INFINITY, .a = -1};
    try_edges(&a, &b, axis);
    if (axis->a < 0 || fabs(axis->s) > SHALLOW * size) return false;
    const scree_vec3 m = cross(a.e, b.e);
    const double m2 = dot(m, m), a2 = dot(a.e, a.e), b2 = dot(b.e, b.e);
    if (m2 <= SCREE_PARALLEL * SCREE_PARALLEL * a2 * b2) return false;
    const double beside = cosine_beside(axis->s, size);
    const double t = nearest_at(a.p, b.p, b.e, m);
    const double u = nearest_at(b.p, a.p, a.e, scale(-1, m));
    return has_room(t, m2, b2, ROOM * size) &&
           has_room(u, m2, a2, ROOM * size) &&
           !faces_along(r->a, axis->out, beside) &&
           !faces_along(r->b, scale(-1, transposed(r, axis->out)), beside) &&
           nothing_behind(r, axis->out, size);
}

/* Is the lowest vertex all that b has below `most` over the face, but for
 * points so near to it that they are over the face too? Then it is what
 * clipping leaves. */
static bool stands_alone(const relative *r, face_axis f, double most,
                         double rho) {
    const scree_hull *h = r->b;
    const scree_vec3 up = transposed(r, r->a->normal[f.face]);
    const double room = most - f.s;
    for (int k = h->ring[f.low]; k < h->ring[f.low + 1]; ++k) {
        const scree_vec3 e = sub(h->vertex[h->neighbour[k]], h->vertex[f.low]);
        const double rise = dot(up, e);
        if (!(rise > room &&
              room * room * dot(e, e) < 0.98 * rho * rho * rise * rise))
            return false;
    }
    return true;
}

/* The vertex alone over the face, as clipping would have it. */
static int by_vertex(const scree_placed *a, const scree_placed *b, bool is_a,
                     face_axis f, double reach, scree_touch *touches) {
    const scree_placed *ref = is_a ? a : b, *other = is_a ? b : a;
    const scree_hull *h = ref->solid->hull;
    const scree_vec3 m = mat3_mul(&ref->R, h->normal[f.face]);
    const scree_vec3 o =
        scree_placed_point(ref, h->vertex[h->corner[h->loop[f.face]]]);
    const scree_vec3 p =
        scree_placed_point(other, other->solid->hull->vertex[f.low]);
    const double over = dot(m, p) - dot(m, o);
    if (over > scree_core_reach(a, b, reach)) return 0;
    touches[0] = scree_touch_over(a, b, is_a, m, p, over,
                                  scree_feature(SCREE_FACE, f.face),
                                  scree_feature(SCREE_VERTEX, f.low));
    return 1;
}

/* Touches over face f of the one that r is seen from, if it holds. */
SCREE_INLINE int over_same_face(const scree_placed *a, const scree_placed *b,
                                const relative *r, bool is_a, int f,
                                double reach, scree_touch *touches) {
    const double size = scree_least_bound(a, b);
    const double most = scree_core_reach(a, b, reach);
    face_axis face;
    if (!face_holds(r, f, size, &face) || face.s > most) return 0;
    return stands_alone(r, face, most, ROOM * size)
               ? by_vertex(a, b, is_a, face, reach, touches)
               : by_face(a, b, is_a, face, reach, touches);
}

SCREE_INLINE int across_same_edges(const scree_placed *a, const scree_placed *b,
                                   const relative *r, int ea, int eb,
                                   double reach, scree_touch *touches) {
    edge_axis edges;
    if (!edges_hold(r, ea, eb, scree_least_bound(a, b), &edges) ||
        edges.s > scree_core_reach(a, b, reach))
        return 0;
    const crossing x = crossing_of(a, b, &edges);
    return scree_manifold_beside(a, b, &x.c, false, reach, touches);
}

static bool is_kind(uint32_t feature, uint32_t kind) {
    return (feature & (SCREE_FACE | SCREE_EDGE)) == kind;
}

/* The edge that a feature names: itself, or as the side after a corner; -1:
 * none. */
static int edge_of(const scree_hull *h, uint32_t feature) {
    const int k = (int)(feature & SCREE_INDEX);
    if (!is_kind(feature, SCREE_EDGE)) return -1;
    if (k & SCREE_NEAREST) return k & ~SCREE_NEAREST;
    return k < 2 * h->n_edge ? h->side[k] : -1;
}

static int face_of(uint32_t feature) {
    return is_kind(feature, SCREE_FACE) ? (int)(feature & SCREE_INDEX) : -1;
}

/* Touches of the features that `key` names, 0 if those may not be the ones. */
SCREE_INLINE int touch_as_before(const scree_placed *a, const scree_placed *b,
                                 const relative *r, uint32_t key, double reach,
                                 scree_touch *touches) {
    const uint32_t of_a = key >> 16, of_b = key & 0xffff;
    if (face_of(of_a) >= 0)
        return over_same_face(a, b, r, true, face_of(of_a), reach, touches);
    if (face_of(of_b) >= 0) {
        relative back;
        see_back(r, &back);
        return over_same_face(a, b, &back, false, face_of(of_b), reach,
                              touches);
    }
    const int ea = edge_of(r->a, of_a), eb = edge_of(r->b, of_b);
    return ea >= 0 && eb >= 0
               ? across_same_edges(a, b, r, ea, eb, reach, touches)
               : 0;
}

static int find(const scree_placed *a, const scree_placed *b, double reach,
                const uint32_t before[2], scree_vec3 *apart,
                scree_touch *touches) {
    relative r;
    see_from(a, b, &r);
    for (int k = 0; k < 2 && before[k]; ++k) {
        const int n = touch_as_before(a, b, &r, before[k], reach, touches);
        if (n > 0) return n;
    }
    return search(a, b, &r, reach, apart, touches);
}

static double extent(const scree_placed *p, scree_vec3 d) {
    const scree_vec3 local = mat3_mul_back(&p->R, d);
    double most;
    support(p->solid->hull, local, &most);
    return dot(p->x, d) + most;
}

/* All that is not another file's comes into this one function, because that is
 * compiled wide. */
SCREE_WIDE __attribute__((flatten)) int
scree_hull_hull_again(const scree_placed *a, const scree_placed *b,
                      double reach, scree_separation *apart,
                      scree_touch *touches) {
    const scree_vec3 n = apart->n;
    const double length = norm(n);
    if (length > 0) {
        const double s = (-extent(a, scale(-1, n)) - extent(b, n)) / length;
        if (s > scree_core_reach(a, b, reach)) {
            apart->gap = s - a->solid->radius - b->solid->radius;
            return 0;
        }
    }
    const uint32_t before[2] = {apart->before[0], apart->before[1]};
    *apart = (scree_separation){.gap = 0};
    return find(a, b, reach, before, &apart->n, touches);
}

int scree_hull_hull(const scree_placed *a, const scree_placed *b, double reach,
                    scree_touch *touches) {
    scree_separation apart = {0};
    return scree_hull_hull_again(a, b, reach, &apart, touches);
}
