#include "contact/narrow/clip.h"

/* ---- the incident patch over the reference face -----------------------------
 *
 * Each corner knows its own feature pair and the edge that follows it, so that
 * a new corner is named by the edge that was cut and the side that cut it. Two
 * sides of the reference meet in a vertex of the reference. */

enum { CLIP_MOST = 2 * SCREE_PATCH_MOST };

typedef struct corner {
    scree_vec3 p;
    uint16_t reference, incident; /* features */
    int side;                     /* the edge that follows: side of the
                                     reference, or -1 - edge of the incident */
} corner;

typedef struct ring {
    int n;
    corner at[CLIP_MOST];
} ring;

static void push_corner(ring *r, corner c) {
    if (r->n < CLIP_MOST) r->at[r->n++] = c;
}

/* The plane through an edge of the reference, looking outward; n is as long as
 * the edge. */
typedef struct side_plane {
    int side;
    scree_vec3 n, o;
    double hair; /* corners this near, times |n|, lie on it, and are not cut */
} side_plane;

/* Where the edge after c crosses a side. */
static corner crossing_at(const scree_patch *reference,
                          const scree_patch *incident, const corner *c,
                          const side_plane *plane, scree_vec3 p, bool leaving) {
    corner x = {.p = p, .side = leaving ? plane->side : c->side};
    if (c->side < 0) {
        x.incident = incident->edge[-1 - c->side];
        x.reference = reference->edge[plane->side];
    } else { /* along another side: they meet where the later one begins */
        const int n = reference->n, s = plane->side;
        const bool follows = (c->side + 1) % n == s;
        x.incident = incident->face;
        x.reference = reference->vertex[follows ? s : (s + 1) % n];
    }
    return x;
}

/* False if nothing is to be cut: `out` is left alone. */
static bool cut_ring(const scree_patch *reference, const scree_patch *incident,
                     const side_plane *plane, const ring *in, ring *out) {
    double h[CLIP_MOST];
    bool all = true;
    for (int i = 0; i < in->n; ++i) {
        h[i] = dot(plane->n, sub(in->at[i].p, plane->o));
        all &= h[i] <= plane->hair;
    }
    if (all) return false;
    out->n = 0;
    for (int i = 0; i < in->n; ++i) {
        const int j = i + 1 < in->n ? i + 1 : 0;
        const corner *c = &in->at[i], *d = &in->at[j];
        const bool inside = h[i] <= plane->hair;
        if (inside) push_corner(out, *c);
        if (inside == (h[j] <= plane->hair)) continue;
        if (fabs(h[i]) <= plane->hair || fabs(h[j]) <= plane->hair) {
            if (inside) out->at[out->n - 1].side = plane->side;
            continue;
        }
        const scree_vec3 p =
            add_scaled(c->p, h[i] / (h[i] - h[j]), sub(d->p, c->p));
        push_corner(out, crossing_at(reference, incident, c, plane, p, inside));
    }
    return true;
}

/* A line has two ends, not a ring: cut at both without coming back. */
static void cut_line(const scree_patch *reference, const scree_patch *incident,
                     const side_plane *plane, ring *line) {
    if (line->n < 2) return;
    double h[2];
    for (int i = 0; i < 2; ++i)
        h[i] = dot(plane->n, sub(line->at[i].p, plane->o));
    if (h[0] > plane->hair && h[1] > plane->hair) line->n = 0;
    if (line->n == 0 || (h[0] <= plane->hair && h[1] <= plane->hair)) return;
    const int outer = h[1] > h[0];
    if (fabs(h[!outer]) <= plane->hair) { /* it leaves from its end */
        line->at[0] = line->at[!outer];
        line->n = 1;
        return;
    }
    const scree_vec3 p = add_scaled(line->at[0].p, h[0] / (h[0] - h[1]),
                                    sub(line->at[1].p, line->at[0].p));
    line->at[outer] =
        crossing_at(reference, incident, &line->at[0], plane, p, false);
}

/* A corner this near to a side (times its length) counts as on it: boxes of
 * the same size that rest on each other keep their corners. */
static const double on_side = 1e-4;

static side_plane plane_of(const scree_patch *reference, int k) {
    const scree_vec3 o = reference->p[k];
    const scree_vec3 e = sub(reference->p[(k + 1) % reference->n], o);
    return (side_plane){k, cross(e, reference->normal), o, on_side * dot(e, e)};
}

/* A cap is a disc, of which the reference is only a polygon: what lies in the disc
 * is not cut. */
static bool cap_covers(const scree_placed *p, const scree_patch *reference,
                       const scree_patch *incident) {
    if (p->solid->core != SCREE_CORE_CYLINDER) return false;
    const double R = (1 + on_side) * p->solid->disc;
    for (int k = 0; k < incident->n; ++k) {
        const scree_vec3 d = sub(incident->p[k], p->x);
        const double h = dot(reference->normal, d);
        if (dot(d, d) - h * h > R * R) return false;
    }
    return true;
}

/* p: the solid that the reference is a face of. */
static const ring *clipped_ring(const scree_placed *p,
                                const scree_patch *reference,
                                const scree_patch *incident, ring r[2]) {
    r[0].n = 0;
    for (int k = 0; k < incident->n; ++k)
        push_corner(&r[0], (corner){incident->p[k], reference->face,
                                    incident->vertex[k], -1 - k});
    const int sides = cap_covers(p, reference, incident) ? 0 : reference->n;
    int now = 0;
    for (int k = 0; k < sides && r[now].n; ++k) {
        const side_plane plane = plane_of(reference, k);
        if (incident->n == 2) {
            cut_line(reference, incident, &plane, &r[now]);
        } else {
            now ^= cut_ring(reference, incident, &plane, &r[now], &r[!now]);
        }
    }
    return &r[now];
}

int scree_clip(const scree_placed *a, const scree_placed *b,
               const scree_patch *reference, const scree_patch *incident,
               bool reference_is_a, double reach, scree_touch *touches) {
    ring buffer[2];
    scree_touch all[CLIP_MOST];
    const ring *r =
        clipped_ring(reference_is_a ? a : b, reference, incident, buffer);
    const scree_vec3 m = reference->normal;
    const double offset = dot(m, reference->p[0]);
    const double most = scree_core_reach(a, b, reach);
    int n = 0;
    for (int k = 0; k < r->n; ++k) {
        const corner *c = &r->at[k];
        const double h = dot(m, c->p) - offset;
        if (h > most) continue;
        all[n++] = scree_touch_over(a, b, reference_is_a, m, c->p, h,
                                    c->reference, c->incident);
    }
    n = scree_thin(all, n, 4, 1e-5 * scree_least_bound(a, b));
    for (int k = 0; k < n; ++k) touches[k] = all[k];
    return n;
}

bool scree_prefer_a(double area_a, double area_b, scree_vec3 n) {
    if (area_a > 1.01 * area_b) return true;
    if (area_b > 1.01 * area_a) return false;
    return dot(n, vec(0.3419, 0.5271, 0.7779)) < 0;
}

/* ---- few touches out of many --------------------------------------------- */

static void swap_touches(scree_touch *p, scree_touch *q) {
    const scree_touch t = *p;
    *p = *q, *q = t;
}

/* Later ones must be better by a hair, so that ties fall the same way. */
static bool is_better(double value, double than) {
    return value > than * (1 + 1e-3);
}

static int deepest_of(const scree_touch *t, int n, double hair) {
    int best = 0;
    for (int k = 1; k < n; ++k)
        if (t[k].g < t[best].g - hair) best = k;
    return best;
}

static int farthest_from(const scree_touch *t, int n, scree_vec3 from) {
    int best = -1;
    double most = 0;
    for (int k = 0; k < n; ++k) {
        const scree_vec3 d = sub(t[k].x, from);
        const double r2 = dot(d, d);
        if (is_better(r2, most)) most = r2, best = k;
    }
    return best;
}

/* Twice the area of (p, q, x), signed by n. */
static double signed_area(scree_vec3 p, scree_vec3 q, scree_vec3 x,
                          scree_vec3 n) {
    return dot(cross(sub(q, p), sub(x, p)), n);
}

static int widest_with(const scree_touch *t, int n, scree_vec3 p,
                       scree_vec3 q) {
    int best = -1;
    double most = 0;
    for (int k = 0; k < n; ++k) {
        const double w = fabs(signed_area(p, q, t[k].x, t[k].n));
        if (is_better(w, most)) most = w, best = k;
    }
    return best;
}

/* The point that adds most to the triangle c[0..2]. */
static int opposite_to(const scree_touch *t, int n, const scree_touch *c) {
    const double turn =
        signed_area(c[0].x, c[1].x, c[2].x, c[0].n) > 0 ? 1 : -1;
    int best = -1;
    double most = 0;
    for (int k = 0; k < n; ++k)
        for (int e = 0; e < 3; ++e) {
            const double gain =
                -turn * signed_area(c[e].x, c[(e + 1) % 3].x, t[k].x, c[0].n);
            if (is_better(gain, most)) most = gain, best = k;
        }
    return best;
}

int scree_thin_after(scree_touch *t, int kept, int n, int most) {
    if (n <= most) return n;
    while (kept < most) {
        scree_touch *rest = t + kept;
        const int left = n - kept;
        const int k = kept == 1   ? farthest_from(rest, left, t[0].x)
                      : kept == 2 ? widest_with(rest, left, t[0].x, t[1].x)
                                  : opposite_to(rest, left, t);
        if (k < 0) break;
        swap_touches(rest, rest + k);
        ++kept;
    }
    return kept;
}

int scree_thin(scree_touch *t, int n, int most, double hair) {
    if (n <= most) return n;
    swap_touches(&t[0], &t[deepest_of(t, n, hair)]);
    return scree_thin_after(t, 1, n, most);
}
