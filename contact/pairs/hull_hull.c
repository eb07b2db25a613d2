/* Two polyhedra, by separating axes (hull_axes.h).
 *
 * The features that touched before come first: that they still do can be shown
 * without a search. Where the hulls are apart and no face or crossing of edges
 * tells their distance, GJK does.
 *
 *     the direction that separated them last still does, beyond reach?    apart
 *     the face or the edges of the touches before still hold?             touches
 *     faces that lay on each other before still do?                       touches
 *     search:
 *         fa, fb <- faces of a and b that separate best; one beyond reach?  apart
 *         neither separates?  edges <- crossing that separates by more than both
 *         edges beyond reach?                                               apart
 *         no edges:  clip the other's face over the better of fa, fb;
 *                    does it show what the face separates by?             touches
 *         apart, and no edges cross within their ends:  GJK;
 *                    beyond reach? apart, else                            touches
 *         edges:     the point where they cross, with faces along them    touches
 *         else:      the lowest point below the better face                 touch
 *
 * Each answer "still holds" is a proof that the search would find the same. */
#include "contact/narrow/pair.h"
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

static bool is_within(double t) {
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
        .inside = is_within(t) && is_within(u),
        .parallel = sine2 <= SCREE_PARALLEL * SCREE_PARALLEL};
}

/* The face that looks most along a direction, and the cosine. */
typedef struct facing {
    int face;
    double along;
} facing;

SCREE_INLINE facing facing_of(const scree_hull *h, scree_vec3 d) {
    facing f;
    f.face = wide_farthest(h->plane4, 4 * SCREE_LANES, h->n_face, d, &f.along);
    return f;
}

/* Of b, along a direction in the frame of a. */
SCREE_INLINE facing facing_of_b(const relative *r, scree_vec3 d) {
    return facing_of(r->b, turned_back(r, d));
}

static scree_face_axis axis_of(const scree_placed *p, facing f) {
    const bool looks = f.along > SCREE_FACE_COSINE;
    return (scree_face_axis){looks ? f.face : -1,
                             mat3_mul(&p->R, p->solid->hull->normal[f.face]),
                             -INFINITY};
}

/* Touches where edges cross; with the faces of both that look along it most. */
static int by_edges(const scree_placed *a, const scree_placed *b,
                    const crossing *x, facing of_a, facing of_b, double reach,
                    scree_touch *touches) {
    const scree_face_axis fa = axis_of(a, of_a), fb = axis_of(b, of_b);
    return scree_manifold_beside_faces(a, b, &x->c, x->parallel, &fa, &fb,
                                       reach, touches);
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

/* No touches: n, from b into a, separates the cores by s. */
static int tell_apart(const scree_placed *a, const scree_placed *b,
                      scree_vec3 n, double s, scree_separation *apart) {
    *apart = (scree_separation){.n = n,
                                .gap = s - a->solid->radius - b->solid->radius};
    return 0;
}

static int search_axes(const scree_placed *a, const scree_placed *b,
                       relative *r, double reach, scree_separation *apart,
                       scree_touch *touches) {
    const double most = scree_core_reach(a, b, reach);
    relative back;
    const face_axis fa = best_face(r);
    if (fa.s > most)
        return tell_apart(a, b,
                          mat3_mul(&a->R, scale(-1, r->a->normal[fa.face])),
                          fa.s, apart);
    see_back(r, &back);
    const face_axis fb = best_face(&back);
    if (fb.s > most)
        return tell_apart(a, b, mat3_mul(&b->R, r->b->normal[fb.face]), fb.s,
                          apart);
    const double s = fmax(fa.s, fb.s);

    edge_axis edges = {.s = s, .a = -1};
    if (s <= 0) edges = best_edges(r, &back, s + scree_face_bias(a, b, s));
    if (edges.a >= 0 && edges.s > most)
        return tell_apart(a, b, mat3_mul(&a->R, scale(-1, edges.out)), edges.s,
                          apart);
    if (edges.a < 0) {
        const bool is_a = reference_is_a(a, b, fa, fb);
        const int n = by_face(a, b, is_a, is_a ? fa : fb, reach, touches);
        if (n > 0) return n;
    }
    crossing x = {.inside = false};
    if (edges.a >= 0) x = crossing_of(a, b, &edges);
    scree_closest c;
    if (edges.s > 0 && (!x.inside || x.parallel) && scree_gjk(a, b, most, &c)) {
        if (c.s > most) return tell_apart(a, b, c.n, most, apart);
        return scree_manifold_beside(a, b, &c, true, reach, touches);
    }
    return edges.a >= 0
               ? by_edges(a, b, &x, facing_of(r->a, edges.out),
                          facing_of_b(r, scale(-1, edges.out)), reach, touches)
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
 * less than m does, and by more than the bias less, unless it is nearly m, where
 * only a face of the other hull may be, which is looked for. Beyond 90 degrees
 * the same holds where rho sin t >= 2 |s| + bias, and the rest, if that is
 * little, lies around -m, which does not separate the balls in the hulls. So the
 * search would find the same features, and the same bits. */

/* Such a face of D. */
typedef struct ground {
    double s, rho;
    double hair; /* more than the bias, for what is_wide() */
} ground;

/* The sine of the rest: it must be within this of -m. */
static const double BEHIND = 0.14;

static ground ground_of(double s, double rho2, double size) {
    return (ground){fabs(s), sqrt(rho2), 2e-4 * size};
}

static bool is_wide(const ground *g) {
    return 2 * g->s + g->hair <= BEHIND * g->rho;
}

/* Directions at more than this (its cosine) to m separate by `less` less. */
static double cosine_beside(const ground *g, double less) {
    const double sine = less / (g->rho - g->s);
    return sqrt(1 - sine * sine);
}

static bool nothing_behind(const relative *r, scree_vec3 m, const ground *g) {
    const double inside = r->a->inside + r->b->inside;
    return r->a->inside > 0 && r->b->inside > 0 &&
           0.99 * dot(m, r->x) - BEHIND * norm(r->x) + inside > g->s + g->hair;
}

/* How far x, over face f, is from its rim, squared; 0 if it is beside it. */
static double room_over(const scree_hull *h, int f, scree_vec3 x) {
    const scree_vec3 m = h->normal[f];
    scree_vec3 p = h->vertex[h->corner[h->loop[f + 1] - 1]];
    double room = INFINITY;
    for (int c = h->loop[f]; c < h->loop[f + 1]; ++c) {
        const scree_vec3 q = h->vertex[h->corner[c]], e = sub(q, p);
        const double in = dot(cross(m, e), sub(x, p)); /* times |e| */
        if (!(in > 0)) return 0;
        room = fmin(room, in * in / dot(e, e));
        p = q;
    }
    return room;
}

/* Does face f of a still separate best, and a vertex of b lie over it? */
SCREE_INLINE bool face_holds(const relative *r, int f, double size,
                             face_axis *axis, ground *g) {
    if (f >= r->a->n_face) return false;
    const scree_vec3 m = r->a->normal[f];
    *axis = face_axis_of(r, f, height_over(r->a, f, r->x));
    const scree_vec3 low = add(r->x, mat3_mul(&r->R, r->b->vertex[axis->low]));
    *g = ground_of(axis->s, room_over(r->a, f, low), size);
    return is_wide(g) &&
           facing_of_b(r, scale(-1, m)).along <= cosine_beside(g, g->hair) &&
           nothing_behind(r, m, g);
}

/* In a parallelogram, how far a point at the share t of one side is from both
 * ends of it, squared; 0 if it is beyond. With the squares of the area and of
 * the other side. */
static double room_along(double t, double area2, double other2) {
    const double end = fmax(fmin(t, 1 - t), 0);
    return end * end * area2 / other2;
}

/* Do these edges still cross, and separate best? Faces must not separate at all,
 * and by more than the bias less than the edges. */
SCREE_INLINE bool edges_hold(const relative *r, int ea, int eb, double size,
                             edge_axis *axis, facing *of_a, facing *of_b) {
    if (ea >= r->a->n_edge || eb >= r->b->n_edge) return false;
    const arc a = arc_of(r->a, ea), b = arc_from_b(r, eb);
    *axis = (edge_axis){.s = -INFINITY, .a = -1};
    try_edges(&a, &b, axis);
    if (axis->a < 0) return false;
    const scree_vec3 m = cross(a.e, b.e);
    const double m2 = dot(m, m), a2 = dot(a.e, a.e), b2 = dot(b.e, b.e);
    if (m2 <= SCREE_PARALLEL * SCREE_PARALLEL * a2 * b2) return false;
    const double t = nearest_at(a.p, b.p, b.e, m);
    const double u = nearest_at(b.p, a.p, a.e, scale(-1, m));
    const ground g = ground_of(
        axis->s, fmin(room_along(t, m2, b2), room_along(u, m2, a2)), size);
    if (!is_wide(&g)) return false;
    const double beside = cosine_beside(&g, g.s + g.hair);
    *of_a = facing_of(r->a, axis->out);
    *of_b = facing_of_b(r, scale(-1, axis->out));
    return of_a->along <= beside && of_b->along <= beside &&
           nothing_behind(r, axis->out, &g);
}

/* Is the lowest vertex all that b has below `most` over the face, but for
 * points so near to it that they are over the face too? Then it is what
 * clipping leaves. */
static bool stands_alone(const relative *r, face_axis f, double most,
                         double rho) {
    const scree_hull *h = r->b;
    const scree_vec3 up = turned_back(r, r->a->normal[f.face]);
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
    ground g;
    if (!face_holds(r, f, size, &face, &g) || face.s > most) return 0;
    return stands_alone(r, face, most, g.rho)
               ? by_vertex(a, b, is_a, face, reach, touches)
               : by_face(a, b, is_a, face, reach, touches);
}

SCREE_INLINE int across_same_edges(const scree_placed *a, const scree_placed *b,
                                   const relative *r, int ea, int eb,
                                   double reach, scree_touch *touches) {
    edge_axis edges;
    facing of_a, of_b;
    if (!edges_hold(r, ea, eb, scree_least_bound(a, b), &edges, &of_a, &of_b) ||
        edges.s > scree_core_reach(a, b, reach))
        return 0;
    const crossing x = crossing_of(a, b, &edges);
    return by_edges(a, b, &x, of_a, of_b, reach, touches);
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

/* ---- the faces that touched before -------------------------------------------
 *
 * Where faces lie on each other no vertex need be over one. But any point of the
 * other hull, h over the face with room around it, says the same as the lowest
 * vertex, if h is above s by less than the bias: only faces nearly along m may
 * separate as well. The middle of the touches is such a point. */

/* Does no face but f look along d? */
SCREE_INLINE bool none_along_but(const scree_hull *h, int f, scree_vec3 d,
                                 double cosine) {
    if (h->n_face > SCREE_ABOVE) return false;
    const scree_v4x3 along = v4_spread(d);
    scree_faces_above a = above_none();
    for (int k = 0; k < h->n_face; k += SCREE_LANES)
        above_take(&a,
                   v4_dot(v4_load3(h->plane4 + 4 * k), along) > v4_set(cosine));
    return (above_bits(&a, h->n_face) & ~((uint64_t)1 << f)) == 0;
}

/* The middle of those touches that are `hair` higher than the deepest at most,
 * and its height: a point of b over the face. */
static scree_vec3 middle_of(const scree_touch *t, int n, double hair,
                            double *height) {
    const double most = scree_deepest(t, n) + hair;
    scree_vec3 x = vec(0, 0, 0);
    double g = 0;
    int count = 0;
    for (int k = 0; k < n; ++k)
        if (t[k].g <= most) x = add(x, t[k].x), g += t[k].g, ++count;
    *height = g / count;
    return scale(1. / count, x);
}

/* Do the touches over face f show that it separates best, beside face `other`
 * of the other hull? In the frame that r is seen from x is their middle, at h;
 * s: the most that the two separate by. */
SCREE_INLINE bool faces_hold(const relative *r, int f, int other, scree_vec3 x,
                             double h, double s, double size) {
    const scree_vec3 m = r->a->normal[f];
    const ground g = ground_of(h, room_over(r->a, f, x), size);
    if (h - s > 0.25 * g.hair || !is_wide(&g)) return false;
    const double beside = cosine_beside(&g, g.hair + (h - s));
    return none_along_but(r->a, f, m, beside) &&
           none_along_but(r->b, other, scale(-1, turned_back(r, m)), beside) &&
           nothing_behind(r, m, &g);
}

/* Touches over face f of the one that r is seen from, or over the other's face
 * that looks at it most; 0 if those may not be the ones. */
SCREE_INLINE int over_facing(const scree_placed *a, const scree_placed *b,
                             const relative *r, bool f_of_a, int f,
                             double reach, scree_touch *touches) {
    if (f >= r->a->n_face) return 0;
    const double size = scree_least_bound(a, b);
    const int o = facing_of_b(r, scale(-1, r->a->normal[f])).face;
    double h;
    relative back;
    see_back(r, &back);
    const face_axis own = face_axis_of(r, f, height_over(r->a, f, r->x));
    const face_axis its =
        face_axis_of(&back, o, height_over(back.a, o, back.x));
    const double s = fmax(own.s, its.s);
    if (s > scree_core_reach(a, b, reach)) return 0;
    const bool is_a = f_of_a ? reference_is_a(a, b, own, its)
                             : reference_is_a(a, b, its, own);
    const bool is_own = is_a == f_of_a;
    const int n = by_face(a, b, is_a, is_own ? own : its, reach, touches);
    if (n == 0) return 0;
    const scree_placed *ref = is_a ? a : b;
    const scree_vec3 middle = middle_of(touches, n, 2e-5 * size, &h);
    const scree_vec3 x = mat3_mul_back(&ref->R, sub(middle, ref->x));
    h += a->solid->radius + b->solid->radius;
    return faces_hold(is_own ? r : &back, is_own ? f : o, is_own ? o : f, x, h,
                      s, size)
               ? n
               : 0;
}

/* The face that a feature names: itself, or by the corner that its side comes
 * after; -1: none. */
static int face_with(const scree_hull *h, uint32_t feature) {
    const int c = (int)(feature & SCREE_INDEX);
    if (!is_kind(feature, SCREE_EDGE)) return face_of(feature);
    if (c >= 2 * h->n_edge) return -1;
    const scree_edge *e = &h->edge[h->side[c]];
    return e->f[h->corner[c] != e->v[0]];
}

SCREE_INLINE int touch_by_faces(const scree_placed *a, const scree_placed *b,
                                const relative *r, uint32_t key, double reach,
                                scree_touch *touches) {
    const int fa = face_with(r->a, key >> 16);
    if (fa >= 0) return over_facing(a, b, r, true, fa, reach, touches);
    const int fb = face_with(r->b, key & 0xffff);
    if (fb < 0) return 0;
    relative back;
    see_back(r, &back);
    return over_facing(a, b, &back, false, fb, reach, touches);
}

static int find_touches(const scree_placed *a, const scree_placed *b,
                        double reach, const uint32_t before[2],
                        scree_separation *apart, scree_touch *touches) {
    relative r;
    see_from(a, b, &r);
    for (int k = 0; k < 2 && before[k]; ++k) {
        const int n = touch_as_before(a, b, &r, before[k], reach, touches);
        if (n > 0) return n;
    }
    const uint32_t last = before[1] ? before[1] : before[0];
    const int n = last ? touch_by_faces(a, b, &r, last, reach, touches) : 0;
    if (n > 0) return n;
    return search_axes(a, b, &r, reach, apart, touches);
}

static double extent_along(const scree_placed *p, scree_vec3 d) {
    const scree_vec3 local = mat3_mul_back(&p->R, d);
    double most;
    support_along(p->solid->hull, local, &most);
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
        const double s =
            (-extent_along(a, scale(-1, n)) - extent_along(b, n)) / length;
        if (s > scree_core_reach(a, b, reach)) {
            apart->gap = s - a->solid->radius - b->solid->radius;
            return 0;
        }
    }
    const uint32_t before[2] = {apart->before[0], apart->before[1]};
    *apart = (scree_separation){.gap = 0};
    return find_touches(a, b, reach, before, apart, touches);
}

int scree_hull_hull(const scree_placed *a, const scree_placed *b, double reach,
                    scree_touch *touches) {
    scree_separation apart = {0};
    return scree_hull_hull_again(a, b, reach, &apart, touches);
}
