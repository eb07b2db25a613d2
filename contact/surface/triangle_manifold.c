#include "contact/surface/triangle_manifold.h"

#include <stdbool.h>

/* Cosines above which normals are the same, or belong to one manifold (2.5 deg). */
#define COS_SAME (1 - 1e-6)
#define COS_GROUP 0.999

static bool comes_before(const scree_raw_touch *a, const scree_raw_touch *b) {
    return a->g < b->g || (a->g == b->g && a->id < b->id);
}

static bool same_touch(const scree_raw_touch *a, const scree_raw_touch *b,
                       double distance) {
    if (a->id == b->id) return true;
    const scree_vec3 d = sub(a->x, b->x);
    return dot(d, d) <= distance * distance && dot(a->n, b->n) >= COS_SAME;
}

void scree_manifold_add(scree_manifold *m, scree_raw_touch touch) {
    for (int i = 0; i < m->n; ++i)
        if (same_touch(&m->touch[i], &touch, m->same)) {
            if (comes_before(&touch, &m->touch[i])) m->touch[i] = touch;
            return;
        }
    if (m->n == SCREE_MANIFOLD_ROOM) scree_manifold_reduce(m);
    m->touch[m->n++] = touch;
}

static void swap_touches(scree_raw_touch *a, scree_raw_touch *b) {
    const scree_raw_touch t = *a;
    *a = *b;
    *b = t;
}

static void sort_by_id(scree_raw_touch *t, int n) {
    for (int i = 1; i < n; ++i)
        for (int j = i; j > 0 && t[j].id < t[j - 1].id; --j)
            swap_touches(&t[j], &t[j - 1]);
}

/* Twice the signed area of a triangle, seen along n. */
static double signed_area(scree_vec3 a, scree_vec3 b, scree_vec3 c,
                          scree_vec3 n) {
    return dot(n, cross(sub(b, a), sub(c, a)));
}

/* What the next point adds to the kept ones: distance from the first, area with
 * the first two, area beyond the triangle's sides. */
static double gain_of(const scree_raw_touch *t, int kept, scree_vec3 x) {
    const scree_vec3 n = t[0].n, a = t[0].x, b = t[1].x, c = t[2].x;
    if (kept == 1) return norm(sub(x, a));
    if (kept == 2) return fabs(signed_area(a, b, x, n));
    const double turn = signed_area(a, b, c, n) >= 0 ? -1 : 1;
    return fmax(
        turn * signed_area(a, b, x, n),
        fmax(turn * signed_area(b, c, x, n), turn * signed_area(c, a, x, n)));
}

/* Brings up to 4 of t[0 .. n) to the front; t[0] stays there. */
static int spread_touches(scree_raw_touch *t, int n) {
    if (n <= 4) return n;
    for (int kept = 1; kept < 4; ++kept) {
        int best = kept;
        for (int i = kept + 1; i < n; ++i)
            if (gain_of(t, kept, t[i].x) > gain_of(t, kept, t[best].x))
                best = i;
        swap_touches(&t[kept], &t[best]);
    }
    return 4;
}

/* Brings the deepest of t[0 .. n) and all that share its normal to the front. */
static int gather_deepest(scree_raw_touch *t, int n) {
    int deepest = 0;
    for (int i = 1; i < n; ++i)
        if (comes_before(&t[i], &t[deepest])) deepest = i;
    swap_touches(&t[0], &t[deepest]);
    int group = 1;
    for (int i = 1; i < n; ++i)
        if (dot(t[i].n, t[0].n) >= COS_GROUP) swap_touches(&t[group++], &t[i]);
    return group;
}

void scree_manifold_reduce(scree_manifold *m) {
    scree_raw_touch *t = m->touch;
    int kept = 0,
        left = m->n; /* t[kept .. kept + left) is still to be judged */
    sort_by_id(t, left);
    while (left && kept < SCREE_SURFACE_TOUCHES) {
        const int group = gather_deepest(t + kept, left);
        int take = spread_touches(t + kept, group);
        if (take > SCREE_SURFACE_TOUCHES - kept)
            take = SCREE_SURFACE_TOUCHES - kept;
        left -= group;
        for (int i = 0; i < left; ++i) t[kept + take + i] = t[kept + group + i];
        kept += take;
        sort_by_id(t + kept, left);
    }
    m->n = kept;
    sort_by_id(t, kept);
}
