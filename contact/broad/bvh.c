#include "contact/broad/bvh.h"

#include <stdlib.h>

enum {
    LEAF = 4, /* items per leaf at most */
    BINS = 8,
    PATIENCE = 40, /* below this depth halve the items, whatever it costs */
    STACK = 80,    /* PATIENCE + log2 of the most items + room */
};

static scree_box join_boxes(scree_box a, scree_box b) {
    const scree_vec3 p[4] = {a.lo, a.hi, b.lo, b.hi};
    return scree_box_of_points(p, 4);
}

static scree_vec3 middle_of(const scree_box *b) {
    return scale(0.5, add(b->lo, b->hi));
}

static double half_area(scree_box b) {
    const scree_vec3 d = sub(b.hi, b.lo);
    return d.x * d.y + d.y * d.z + d.z * d.x;
}

static double coordinate_along(scree_vec3 v, int axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static int longest_axis(scree_box b) {
    const scree_vec3 d = sub(b.hi, b.lo);
    return d.x >= d.y && d.x >= d.z ? 0 : d.y >= d.z ? 1 : 2;
}

/* ---- building ----------------------------------------------------------- */

typedef struct builder {
    const scree_box *boxes;
    scree_bvh *bvh;
    int32_t *scratch;
} builder;

typedef struct bin {
    scree_box box;
    int32_t n;
} bin;

typedef struct cut {
    int axis;
    double lo, scale; /* bin of c: (c - lo) scale */
    int bin;          /* items of lower bins go left */
} cut;

static int bin_of(const cut *c, const scree_box *box) {
    const int b =
        (int)((coordinate_along(middle_of(box), c->axis) - c->lo) * c->scale);
    return b < BINS ? b : BINS - 1;
}

static void put_box(bin *b, scree_box box, int32_t n) {
    if (!n) return;
    b->box = b->n ? join_boxes(b->box, box) : box;
    b->n += n;
}

/* The border between bins where area times items, summed over both sides, is
 * least. 0: all middles coincide. */
static int cheapest_border(const bin *bins) {
    double right[BINS];
    bin side = {0};
    for (int b = BINS - 1; b > 0; --b) {
        put_box(&side, bins[b].box, bins[b].n);
        right[b] = side.n ? half_area(side.box) * side.n : INFINITY;
    }
    int best = 0;
    double cost = INFINITY;
    side = (bin){0};
    for (int b = 1; b < BINS; ++b) {
        put_box(&side, bins[b - 1].box, bins[b - 1].n);
        if (!side.n) continue;
        const double c = half_area(side.box) * side.n + right[b];
        if (c < cost) cost = c, best = b;
    }
    return best;
}

static cut choose_cut(const builder *w, const int32_t *item, int32_t n) {
    const scree_vec3 m0 = middle_of(&w->boxes[item[0]]);
    scree_box middles = {m0, m0};
    for (int32_t i = 1; i < n; ++i) {
        const scree_vec3 m = middle_of(&w->boxes[item[i]]);
        middles = join_boxes(middles, (scree_box){m, m});
    }
    cut c = {.axis = longest_axis(middles)};
    c.lo = coordinate_along(middles.lo, c.axis);
    const double length = coordinate_along(middles.hi, c.axis) - c.lo;
    if (!(length > 0)) return c;
    c.scale = BINS / length;
    bin bins[BINS] = {0};
    for (int32_t i = 0; i < n; ++i)
        put_box(&bins[bin_of(&c, &w->boxes[item[i]])], w->boxes[item[i]], 1);
    c.bin = cheapest_border(bins);
    return c;
}

/* Items left of the cut first, order kept on both sides. Returns their number. */
static int32_t split_items(const builder *w, int32_t *item, int32_t n,
                           const cut *c) {
    int32_t left = 0, right = 0;
    for (int32_t i = 0; i < n; ++i)
        if (bin_of(c, &w->boxes[item[i]]) < c->bin)
            item[left++] = item[i];
        else
            w->scratch[right++] = item[i];
    for (int32_t i = 0; i < right; ++i) item[left + i] = w->scratch[i];
    return left;
}

static void build_node(builder *w, int32_t at, int32_t first, int32_t n,
                       int depth) {
    int32_t *item = w->bvh->item + first;
    scree_box box = w->boxes[item[0]];
    for (int32_t i = 1; i < n; ++i) box = join_boxes(box, w->boxes[item[i]]);
    w->bvh->node[at] = (scree_bvh_node){box, first, n};
    if (n <= LEAF) return;
    const cut c = choose_cut(w, item, n);
    const bool halve = depth > PATIENCE || c.bin == 0;
    const int32_t left = halve ? n / 2 : split_items(w, item, n, &c);
    const int32_t child = w->bvh->n_node;
    w->bvh->n_node += 2;
    w->bvh->node[at].first = child;
    w->bvh->node[at].count = 0;
    build_node(w, child, first, left, depth + 1);
    build_node(w, child + 1, first + left, n - left, depth + 1);
}

scree_status scree_bvh_build(scree_bvh *bvh, const scree_box *boxes,
                             int32_t n) {
    *bvh = (scree_bvh){.n_node = 1};
    bvh->node = malloc(2 * (size_t)n * sizeof *bvh->node);
    bvh->item = malloc((size_t)n * sizeof *bvh->item);
    builder w = {boxes, bvh, malloc((size_t)n * sizeof *w.scratch)};
    const bool ok = bvh->node && bvh->item && w.scratch;
    if (ok) {
        for (int32_t i = 0; i < n; ++i) bvh->item[i] = i;
        build_node(&w, 0, 0, n, 0);
    } else {
        scree_bvh_free(bvh);
    }
    free(w.scratch);
    return ok ? SCREE_OK : SCREE_OUT_OF_MEMORY;
}

void scree_bvh_free(scree_bvh *bvh) {
    free(bvh->node);
    free(bvh->item);
    *bvh = (scree_bvh){0};
}

/* ---- asking ------------------------------------------------------------- */

static bool boxes_meet(const scree_box *a, const scree_box *b) {
    return a->lo.x <= b->hi.x && b->lo.x <= a->hi.x && a->lo.y <= b->hi.y &&
           b->lo.y <= a->hi.y && a->lo.z <= b->hi.z && b->lo.z <= a->hi.z;
}

void scree_bvh_query(const scree_bvh *bvh, const scree_box *box,
                     scree_bvh_found *found, void *context) {
    int32_t stack[STACK];
    int top = 0;
    stack[top++] = 0;
    while (top) {
        const scree_bvh_node *node = &bvh->node[stack[--top]];
        if (!boxes_meet(&node->box, box)) continue;
        for (int32_t i = 0; i < node->count; ++i)
            found(context, bvh->item[node->first + i]);
        if (!node->count) {
            stack[top++] = node->first + 1;
            stack[top++] = node->first;
        }
    }
}

/* When lo - r <= x + t d <= hi + r holds in one direction. */
static void slab_times(double x, double d, double lo, double hi, double *t0,
                       double *t1) {
    if (d == 0) {
        if (x < lo || x > hi) *t1 = -1;
        return;
    }
    const double a = (lo - x) / d, b = (hi - x) / d;
    *t0 = fmax(*t0, fmin(a, b));
    *t1 = fmin(*t1, fmax(a, b));
}

bool scree_box_near_path(const scree_box *box, scree_ball ball, scree_vec3 d,
                         double *t0, double *t1) {
    const double r = ball.r;
    slab_times(ball.x.x, d.x, box->lo.x - r, box->hi.x + r, t0, t1);
    slab_times(ball.x.y, d.y, box->lo.y - r, box->hi.y + r, t0, t1);
    slab_times(ball.x.z, d.z, box->lo.z - r, box->hi.z + r, t0, t1);
    return *t0 <= *t1;
}

/* Time at which the ball comes to the box, INFINITY if not before `limit`. */
static double arrival_time(const scree_box *box, scree_ball ball, scree_vec3 d,
                           double limit) {
    double t0 = 0, t1 = limit;
    return scree_box_near_path(box, ball, d, &t0, &t1) ? t0 : INFINITY;
}

void scree_bvh_sweep(const scree_bvh *bvh, scree_ball ball, scree_vec3 d,
                     scree_bvh_hit *hit, void *context) {
    int32_t stack[STACK];
    int top = 0;
    double limit = 1;
    stack[top++] = 0;
    ball.r *= 1 + 1e-12; /* a box that is only just met must not be lost */
    while (top) {
        const scree_bvh_node *node = &bvh->node[stack[--top]];
        if (arrival_time(&node->box, ball, d, limit) > limit) continue;
        for (int32_t i = 0; i < node->count; ++i)
            limit = hit(context, bvh->item[node->first + i]);
        if (node->count) continue;
        const int32_t l = node->first, r = l + 1;
        const bool left_first =
            arrival_time(&bvh->node[l].box, ball, d, limit) <=
            arrival_time(&bvh->node[r].box, ball, d, limit);
        stack[top++] = left_first ? r : l;
        stack[top++] = left_first ? l : r;
    }
}
