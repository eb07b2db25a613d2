/* chain_touch.c: discs and polygons against a chain of segments.
 *
 * A body sees one face of the chain. Where it is near several segments that hang
 * together, the face is the one that the chain's nearest point to the body's
 * centre shows: so a body beside a corner does not take the back of the next
 * segment for a wall. Seen from there a vertex is a ridge, a valley or a free end.
 *
 *     disc     every local minimum of the distance of its centre: over a segment
 *              along the segment's normal, at ridges and ends along the
 *              connection. Over a valley both segments are touched.
 *     polygon, core vertices v and edges f, segments A, ridges and ends p:
 *       v - A  the vertex deepest along A's normal n, and those of the edge that
 *              looks most against n, over A. Over means: between its ends; beyond
 *              a valley if it sank a little into the other side; behind a ridge
 *              or an end only if the way out along n is not the longer one.
 *       f - p  along -n_f, if that is in the normal cone of p (or misses it by
 *              SLOPE, so that manifolds do not flicker); if p is inside the core,
 *              the edge that it is least deep in.
 *       v - p  apart, and v the core's nearest point to p: along the connection,
 *              if it is in the cone of p.
 *
 * Where a segment goes through the core and nothing of this overlaps, the body is
 * moved out along a normal of the segment or of a core edge. */
#include "contact/narrow/core.h"
#include "contact/surface/chain.h"

/* Sines of angles by which normals may miss a cone (2 deg), and cosines above
 * which they are of one manifold (2.5 deg) or the same. */
#define SLOPE 0.035
#define COS_GROUP 0.999
#define COS_SAME (1 - 1e-6)
/* Parts of the inradius: how deep a vertex may have sunk into the other side of
 * a valley, and how deep an overlap is that needs a rescue. */
#define SINK 0.02
#define SKIN 1e-3

enum { ROOM = 64, MOST = 16 };

typedef struct probe {
    const scree_chain *chain;
    const scree_placed *body;
    double reach, radius; /* of the cores [m] */
    double inside, tiny, same;
    double way_out; /* the longest of the segments that go through, > 0: none */
    scree_touch rescue;
    int n;
    scree_touch touch[ROOM];
} probe;

static double turn_between(scree_vec3 a, scree_vec3 b) {
    return a.x * b.y - a.y * b.x;
}
static scree_vec3 left_of(scree_vec3 e) {
    return vec(-e.y, e.x, 0);
}

/* ---- the few that are handed on ----------------------------------------------- */

static bool comes_before(const scree_touch *a, const scree_touch *b) {
    return a->g < b->g || (a->g == b->g && a->key < b->key);
}

static void swap_touches(scree_touch *a, scree_touch *b) {
    const scree_touch t = *a;
    *a = *b;
    *b = t;
}

/* Brings the deepest of t[0 .. n) and all that share its normal to the front. */
static int gather_deepest(scree_touch *t, int n) {
    int deepest = 0;
    for (int i = 1; i < n; ++i)
        if (comes_before(&t[i], &t[deepest])) deepest = i;
    swap_touches(&t[0], &t[deepest]);
    int group = 1;
    for (int i = 1; i < n; ++i)
        if (dot(t[i].n, t[0].n) >= COS_GROUP) swap_touches(&t[group++], &t[i]);
    return group;
}

/* Brings the outermost two to the front, and a third one if its gap is less than
 * theirs are at its place. */
static int spread_outermost(scree_touch *t, int n, double hair) {
    if (n <= 2) return n;
    const scree_vec3 along = left_of(t[0].n);
    int lo = 0, hi = 0;
    for (int i = 1; i < n; ++i) {
        const double x = dot(along, t[i].x);
        if (x < dot(along, t[lo].x)) lo = i;
        if (x > dot(along, t[hi].x)) hi = i;
    }
    if (lo == hi) return 1;
    swap_touches(&t[0], &t[lo]);
    swap_touches(&t[1], &t[hi == 0 ? lo : hi]);
    const double a = dot(along, t[0].x), b = dot(along, t[1].x);
    double most = hair;
    int third = -1;
    for (int i = 2; i < n; ++i) {
        const double share = (dot(along, t[i].x) - a) / (b - a);
        const double below = (1 - share) * t[0].g + share * t[1].g - t[i].g;
        if (below > most) most = below, third = i;
    }
    if (third >= 0) swap_touches(&t[2], &t[third]);
    return third >= 0 ? 3 : 2;
}

static void reduce_touches(probe *w) {
    scree_touch *t = w->touch;
    int kept = 0, left_over = w->n;
    while (left_over && kept < MOST) {
        const int group = gather_deepest(t + kept, left_over);
        int take = spread_outermost(t + kept, group, w->tiny);
        if (take > MOST - kept) take = MOST - kept;
        left_over -= group;
        for (int i = 0; i < left_over; ++i)
            t[kept + take + i] = t[kept + group + i];
        kept += take;
    }
    w->n = kept;
}

static bool same_touch(const probe *w, const scree_touch *a,
                       const scree_touch *b) {
    if (a->key == b->key) return true;
    const scree_vec3 d = sub(a->x, b->x);
    return dot(d, d) <= w->same * w->same && dot(a->n, b->n) >= COS_SAME;
}

static void add_touch(probe *w, scree_touch touch) {
    for (int i = 0; i < w->n; ++i)
        if (same_touch(w, &w->touch[i], &touch)) {
            if (comes_before(&touch, &w->touch[i])) w->touch[i] = touch;
            return;
        }
    if (w->n == ROOM) reduce_touches(w);
    w->touch[w->n++] = touch;
}

/* A touch at point p of the chain, with gap g of the cores. */
static scree_touch touch_at(const probe *w, scree_vec3 p, scree_vec3 n,
                            double g, uint32_t of_body, uint32_t of_chain) {
    const double gap = g - w->radius;
    return (scree_touch){.x = add_scaled(p, w->chain->radius + gap / 2, n),
                         .n = n,
                         .g = gap,
                         .key = scree_touch_key(of_body, of_chain)};
}

/* The body's inscribed disc must reach in front. */
static void report_touch(probe *w, scree_vec3 p, scree_vec3 n, double g,
                         uint32_t of_body, uint32_t of_chain) {
    if (g > w->reach || dot(n, sub(w->body->x, p)) < -w->inside) return;
    add_touch(w, touch_at(w, p, n, g, of_body, of_chain));
}

/* ---- which face of the chain the body sees -------------------------------------- */

/* 1: that on the left of the sides, -1: on the right. Goes from side i towards
 * the point c until it comes no nearer. */
static int face_seen(const scree_chain *c, int32_t i, scree_vec3 x) {
    for (int32_t k = 0; k <= c->n_side; ++k) {
        const int32_t from = i, to = scree_chain_to(c, i);
        const bool back = dot(c->e[i], sub(x, c->vertex[from])) < 0;
        const bool on = dot(c->e[i], sub(x, c->vertex[to])) > 0;
        const scree_vec3 d = sub(x, c->vertex[back ? from : to]);
        const int32_t j = back ? scree_chain_before(c, from)
                          : on ? scree_chain_after(c, to)
                               : -1;
        if (j < 0) return turn_between(c->e[i], d) < 0 ? -1 : 1;
        if (back ? dot(c->e[j], d) > 0 : dot(c->e[j], d) < 0)
            return turn_between(add(c->e[i], c->e[j]), d) < 0 ? -1 : 1;
        i = j;
    }
    return 1;
}

/* A vertex as the body sees it. */
typedef struct corner {
    scree_vec3 p;
    int32_t name;
    int32_t side[2]; /* that end and begin here, -1: none */
    bool sticks_out; /* ridge or end */
    scree_vec3 up;   /* sum of the normals of the sides */
} corner;

static corner corner_at(const scree_chain *c, int32_t v, int face) {
    corner k = {.p = c->vertex[v],
                .name = v,
                .side = {scree_chain_before(c, v), scree_chain_after(c, v)},
                .sticks_out = true};
    for (int i = 0; i < 2; ++i)
        if (k.side[i] >= 0)
            k.up = add(k.up, scale(face, left_of(c->e[k.side[i]])));
    if (k.side[0] >= 0 && k.side[1] >= 0) {
        const scree_vec3 a = c->e[k.side[0]], b = c->e[k.side[1]];
        const double bend = face * turn_between(a, b);
        k.sticks_out = bend < 0 || (bend == 0 && dot(a, b) < 0);
    }
    return k;
}

/* Is d in the normal cone of the corner: does no side leave it uphill? */
static bool in_cone(const scree_chain *c, const corner *k, scree_vec3 d,
                    double slope) {
    const double most = slope * norm(d);
    if (k->side[0] >= 0 && dot(c->e[k->side[0]], d) < -most) return false;
    if (k->side[1] >= 0 && dot(c->e[k->side[1]], d) > most) return false;
    return k->side[0] < 0 || k->side[1] < 0 || dot(k->up, d) >= 0;
}

/* ---- discs ------------------------------------------------------------------------ */

static void disc_corner(probe *w, int32_t v) {
    const scree_chain *c = w->chain;
    const scree_vec3 d = sub(w->body->x, c->vertex[v]);
    const int32_t a = scree_chain_before(c, v), b = scree_chain_after(c, v);
    const double s = norm(d);
    if ((a >= 0 && dot(c->e[a], d) <= 0) || (b >= 0 && dot(c->e[b], d) >= 0) ||
        s == 0)
        return;
    report_touch(w, c->vertex[v], scale(1 / s, d), s,
                 scree_feature(SCREE_VERTEX, 0),
                 scree_feature(SCREE_VERTEX, v));
}

static void disc_side(probe *w, int32_t i) {
    const scree_chain *c = w->chain;
    const int32_t to = scree_chain_to(c, i);
    const scree_vec3 p = c->vertex[i], x = w->body->x, e = c->e[i];
    disc_corner(w, i);
    if (scree_chain_after(c, to) < 0) disc_corner(w, to);
    if (dot(e, sub(x, p)) < 0 || dot(e, sub(x, c->vertex[to])) > 0) return;
    const double s = turn_between(e, sub(x, p));
    const scree_vec3 n = scale(s < 0 ? -1 : 1, left_of(e));
    report_touch(w, add_scaled(x, -fabs(s), n), n, fabs(s),
                 scree_feature(SCREE_VERTEX, 0), scree_feature(SCREE_EDGE, i));
}

/* ---- polygons: v - A ---------------------------------------------------------------- */

static scree_vec3 core_vertex(const probe *w, int k) {
    return scree_placed_point(w->body, w->body->solid->hull->vertex[k]);
}
static scree_vec3 core_normal(const probe *w, int f) {
    return mat3_mul(&w->body->R, w->body->solid->hull->normal[f]);
}

typedef struct side {
    int32_t name;
    int face;
    scree_vec3 e, n;
    corner end[2]; /* in the order of the chain */
} side;

static side side_at(const scree_chain *c, int32_t i, scree_vec3 x) {
    side s = {.name = i, .face = face_seen(c, i, x), .e = c->e[i]};
    s.n = scale(s.face, left_of(s.e));
    s.end[0] = corner_at(c, i, s.face);
    s.end[1] = corner_at(c, scree_chain_to(c, i), s.face);
    return s;
}

/* How high v is over what lies beyond end k: the next side, or the end's own
 * wall, which nobody touches. */
static double over_next(const probe *w, const side *s, int k, scree_vec3 v) {
    const int32_t next = s->end[k].side[k];
    const scree_vec3 d = sub(v, s->end[k].p);
    if (next < 0) return k ? dot(s->e, d) : -dot(s->e, d);
    return s->face * turn_between(w->chain->e[next], d);
}

/* h: height of v over the side. */
static bool over_end(const probe *w, const side *s, int k, scree_vec3 v,
                     double h) {
    const scree_vec3 d = sub(v, s->end[k].p);
    const double out = k ? dot(s->e, d) : -dot(s->e, d);
    const double next = over_next(w, s, k, v);
    if (s->end[k].sticks_out)
        return out <= w->tiny && (h >= 0 || next <= h + w->tiny);
    return out <= w->tiny || (next <= 0 && out <= SINK * w->inside);
}

static void vertex_on_side(probe *w, const side *s, int k) {
    const scree_vec3 v = core_vertex(w, k);
    const double h = dot(s->n, sub(v, s->end[0].p));
    if (h > w->reach || !over_end(w, s, 0, v, h) || !over_end(w, s, 1, v, h))
        return;
    report_touch(w, add_scaled(v, -h, s->n), s->n, h,
                 scree_feature(SCREE_VERTEX, k),
                 scree_feature(SCREE_EDGE, s->name));
}

static int deepest_vertex(const probe *w, scree_vec3 n) {
    const scree_hull *hull = w->body->solid->hull;
    int best = 0;
    double least = INFINITY;
    for (int k = 0; k < hull->n_vertex; ++k) {
        const double h = dot(n, core_vertex(w, k));
        if (h < least) least = h, best = k;
    }
    return best;
}

/* The other vertex of the edge that looks most against n completes the touch of
 * the deepest one; not if that is well behind the side, which then does not carry
 * the body, unless it is about as deep. */
static void vertices_on_side(probe *w, const side *s) {
    const int count = w->body->solid->hull->n_vertex;
    const int low = deepest_vertex(w, s->n), last = (low + count - 1) % count;
    const bool after =
        dot(core_normal(w, low), s->n) < dot(core_normal(w, last), s->n);
    const int other = after ? (low + 1) % count : last;
    const double deepest = dot(s->n, sub(core_vertex(w, low), s->end[0].p));
    const double h = dot(s->n, sub(core_vertex(w, other), s->end[0].p));
    vertex_on_side(w, s, low);
    if (deepest >= -SINK * w->inside || h <= deepest / 2)
        vertex_on_side(w, s, other);
}

/* ---- polygons: f - p, v - p ------------------------------------------------------- */

static void report_edge(probe *w, const corner *c, int f, double h) {
    report_touch(w, c->p, scale(-1, core_normal(w, f)), h,
                 scree_feature(SCREE_EDGE, f),
                 scree_feature(SCREE_VERTEX, c->name));
}

/* Reports the shortest way out along a normal of the sides at the corner, if it
 * is shorter than that of depth `most`. */
static bool leaves_sides(probe *w, const corner *c, double most) {
    scree_vec3 way = vec(0, 0, 0);
    int vertex = 0, best = -1;
    for (int i = 0; i < 2; ++i) {
        if (c->side[i] < 0) continue;
        const scree_vec3 across = left_of(w->chain->e[c->side[i]]);
        const scree_vec3 n = scale(dot(across, c->up) < 0 ? -1 : 1, across);
        const int low = deepest_vertex(w, n);
        const double h = dot(n, sub(core_vertex(w, low), c->p));
        if (h > most + w->tiny) most = h, way = n, vertex = low, best = i;
    }
    if (best < 0) return false;
    report_touch(w, c->p, way, most, scree_feature(SCREE_VERTEX, vertex),
                 scree_feature(SCREE_FACE, c->name));
    return true;
}

/* The corner is inside the core, or on it. Out of an edge that it came in by, or,
 * where the chain goes through the core, along a normal of the sides. */
static void corner_inside(probe *w, const corner *c) {
    const scree_hull *hull = w->body->solid->hull;
    double most = -INFINITY;
    int best = -1;
    for (int f = 0; f < hull->n_face; ++f) {
        const scree_vec3 n = core_normal(w, f);
        const double h = dot(n, sub(c->p, core_vertex(w, f)));
        if (h > most && in_cone(w->chain, c, scale(-1, n), SLOPE))
            most = h, best = f;
    }
    if (!leaves_sides(w, c, most) && best >= 0) report_edge(w, c, best, most);
}

/* The core's nearest point to the corner is on edge f, or its vertex k. */
static void corner_outside(probe *w, const corner *c) {
    const scree_hull *hull = w->body->solid->hull;
    double nearest = INFINITY;
    int k = 0;
    for (int f = 0; f < hull->n_face; ++f) {
        const scree_vec3 v = core_vertex(w, f), n = core_normal(w, f);
        const scree_vec3 d = sub(c->p, v);
        const int next = f + 1 < hull->n_vertex ? f + 1 : 0;
        const scree_vec3 to = sub(core_vertex(w, next), v);
        const double h = dot(n, d), along = dot(d, to);
        if (h >= 0 && along >= 0 && along <= dot(to, to)) {
            if (in_cone(w->chain, c, scale(-1, n), SLOPE))
                report_edge(w, c, f, h);
            return;
        }
        if (dot(d, d) < nearest) nearest = dot(d, d), k = f;
    }
    const scree_vec3 d = sub(core_vertex(w, k), c->p);
    const double s = norm(d);
    if (s > w->reach || s == 0 || !in_cone(w->chain, c, d, 0)) return;
    report_touch(w, c->p, scale(1 / s, d), s, scree_feature(SCREE_VERTEX, k),
                 scree_feature(SCREE_VERTEX, c->name));
}

static void polygon_corner(probe *w, const corner *c) {
    const scree_hull *hull = w->body->solid->hull;
    if (!c->sticks_out) return;
    double most = -INFINITY;
    for (int f = 0; f < hull->n_face; ++f)
        most = fmax(most, dot(core_normal(w, f), sub(c->p, core_vertex(w, f))));
    if (most > w->reach) return;
    if (most <= 0)
        corner_inside(w, c);
    else
        corner_outside(w, c);
}

/* ---- polygons: rescue --------------------------------------------------------------- */

/* The part of a side inside the core, without its skin: from a to b. */
static bool goes_through(const probe *w, const side *s, scree_vec3 *a,
                         scree_vec3 *b) {
    const scree_hull *hull = w->body->solid->hull;
    double t0 = 0, t1 = dot(s->e, sub(s->end[1].p, s->end[0].p));
    for (int f = 0; f < hull->n_face && t0 < t1; ++f) {
        const scree_vec3 n = core_normal(w, f);
        const double h =
            dot(n, sub(s->end[0].p, core_vertex(w, f))) + SKIN * w->inside;
        const double slope = dot(n, s->e);
        if (slope > 0) t1 = fmin(t1, -h / slope);
        if (slope < 0) t0 = fmax(t0, -h / slope);
        if (slope == 0 && h > 0) return false;
    }
    *a = add_scaled(s->end[0].p, t0, s->e);
    *b = add_scaled(s->end[0].p, t1, s->e);
    return t0 < t1;
}

/* The way out for one side is along its normal, or out of a core edge that faces
 * it, whichever is shorter; for the body it is the longest of those. */
static void rescue_from(probe *w, const side *s) {
    const scree_hull *hull = w->body->solid->hull;
    scree_vec3 a, b, way = s->n;
    if (dot(s->n, sub(w->body->x, s->end[0].p)) < -w->inside ||
        !goes_through(w, s, &a, &b))
        return;
    const int low = deepest_vertex(w, s->n);
    double most = dot(s->n, sub(core_vertex(w, low), s->end[0].p));
    for (int f = 0; f < hull->n_face; ++f) {
        const scree_vec3 n = core_normal(w, f), v = core_vertex(w, f);
        const double h = fmin(dot(n, sub(a, v)), dot(n, sub(b, v)));
        if (dot(n, s->n) < 0 && h > most) most = h, way = scale(-1, n);
    }
    if (most >= w->way_out) return;
    w->way_out = most;
    w->rescue = touch_at(w, scale(0.5, add(a, b)), way, most,
                         scree_feature(SCREE_VERTEX, low),
                         scree_feature(SCREE_FACE, s->name));
}

static bool any_overlap(const probe *w) {
    for (int i = 0; i < w->n; ++i)
        if (w->touch[i].g <= 0) return true;
    return false;
}

/* ---- all of it ----------------------------------------------------------------------- */

static void polygon_side(probe *w, int32_t i) {
    const side s = side_at(w->chain, i, w->body->x);
    vertices_on_side(w, &s);
    polygon_corner(w, &s.end[0]);
    if (s.end[1].side[1] < 0) polygon_corner(w, &s.end[1]);
    rescue_from(w, &s);
}

static void meet_segment(void *context, int32_t i) {
    probe *w = context;
    if (w->body->solid->core == SCREE_CORE_POINT)
        disc_side(w, i);
    else
        polygon_side(w, i);
}

int scree_chain_touch(const scree_chain *chain, const scree_placed *a,
                      double reach, scree_touch *touches) {
    const scree_solid *s = a->solid;
    const bool polygon = s->core == SCREE_CORE_POLYGON;
    probe w = {.chain = chain,
               .body = a,
               .reach = reach + s->radius + chain->radius,
               .radius = s->radius + chain->radius,
               .inside = s->radius + (polygon ? s->hull->inside : 0),
               .tiny = 1e-10 * s->bound,
               .same = 1e-6 * s->bound,
               .way_out = 1};
    const double around = s->bound + reach + chain->radius + w.tiny;
    const scree_vec3 r = vec(around, around, 0);
    const scree_box box = {sub(a->x, r), add(a->x, r)};
    scree_bvh_query(&chain->bvh, &box, meet_segment, &w);
    if (w.way_out <= 0 && !any_overlap(&w)) add_touch(&w, w.rescue);
    reduce_touches(&w);
    for (int i = 0; i < w.n; ++i) touches[i] = w.touch[i];
    return w.n;
}
