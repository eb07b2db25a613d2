#include "contact/broad/images.h"

#include <stdlib.h>

#include "engine/base/assert.h"
#include "engine/base/error.h"

typedef struct box {
    scree_vec3 low, high;
} box;

static box box_around(const scree_ball *balls, int32_t n) {
    box b = {vec(INFINITY, INFINITY, INFINITY),
             vec(-INFINITY, -INFINITY, -INFINITY)};
    for (int32_t i = 0; i < n; ++i) {
        const scree_vec3 x = balls[i].x;
        const double r = balls[i].r;
        b.low = vec(fmin(b.low.x, x.x - r), fmin(b.low.y, x.y - r),
                    fmin(b.low.z, x.z - r));
        b.high = vec(fmax(b.high.x, x.x + r), fmax(b.high.y, x.y + r),
                     fmax(b.high.z, x.z + r));
    }
    return b;
}

/* Numbers of edges of a length that bring [x - r, x + r] to [low, high]. */
typedef struct range {
    int first, last;
} range;

static int clamp_count(double n) {
    return (int)fmax(-SCREE_IMAGE_MOST, fmin(n, SCREE_IMAGE_MOST));
}

static range range_of(bool along, double edge, double x, double r, double low,
                      double high) {
    if (!along) return (range){0, 0};
    return (range){clamp_count(ceil((low - r - x) / edge)),
                   clamp_count(floor((high + r - x) / edge))};
}

/* What is done with the images of a body: counted, or kept. */
typedef struct making {
    const scree_period *period;
    box all;
    int32_t n;
    int most;
    scree_ball *balls; /* NULL: they are counted */
    int32_t *body;
    scree_image *image;
} making;

static void take_image(making *m, const scree_ball *ball, int32_t body,
                       scree_image image) {
    if (m->balls) {
        const scree_vec3 shift = scree_period_shift(m->period, image);
        m->balls[m->n] = (scree_ball){add(ball->x, shift), ball->r};
        m->body[m->n] = body;
        m->image[m->n] = image;
    }
    for (int k = 0; k < 3; ++k) {
        const int away = abs(scree_image_along(image, k));
        if (away > m->most) m->most = away;
    }
    ++m->n;
}

/* Images z edges on along the last one and y along the second. */
static void take_row(making *m, const scree_ball *ball, int32_t body, int y,
                     int z) {
    const scree_period *p = m->period;
    const range x =
        range_of(p->along[0], p->edge[0].x, ball->x.x + y * p->edge[1].x,
                 ball->r, m->all.low.x, m->all.high.x);
    for (int k = x.first; k <= x.last; ++k)
        if (z > 0 || (z == 0 && (y > 0 || (y == 0 && k > 0))))
            take_image(m, ball, body, scree_image_of(k, y, z));
}

static void take_images(making *m, const scree_ball *ball, int32_t body) {
    const scree_period *p = m->period;
    const range z = range_of(p->along[2], p->edge[2].z, ball->x.z, ball->r,
                             m->all.low.z, m->all.high.z);
    const range y = range_of(p->along[1], p->edge[1].y, ball->x.y, ball->r,
                             m->all.low.y, m->all.high.y);
    for (int k = z.first > 0 ? z.first : 0; k <= z.last; ++k)
        for (int j = y.first; j <= y.last; ++j) take_row(m, ball, body, j, k);
}

static void take_all(making *m, const scree_ball *balls, int32_t n) {
    m->n = 0;
    for (int32_t i = 0; i < n; ++i) {
        if (m->balls) {
            m->balls[m->n] = balls[i];
            m->body[m->n] = i;
            m->image[m->n] = 0;
        }
        ++m->n;
    }
    for (int32_t i = 0; i < n; ++i) take_images(m, &balls[i], i);
}

/* The order of their keys; what lies in one cell stays in the order in which it was
 * made. */
static scree_status sort_imaged(const making *m, const scree_grid *grid,
                                int threads, scree_arena *scratch,
                                scree_imaged *imaged) {
    const size_t n = (size_t)m->n;
    scree_ball *balls = scree_arena_push(scratch, n * sizeof *balls);
    uint64_t *key = scree_arena_push(scratch, n * sizeof *key);
    int32_t *body = scree_arena_push(scratch, n * sizeof *body);
    scree_image *image = scree_arena_push(scratch, n * sizeof *image);
    scree_key *order = scree_arena_push(scratch, n * sizeof *order);
    scree_key *spare = scree_arena_push(scratch, n * sizeof *spare);
    if (!balls || !key || !body || !image || !order || !spare)
        return SCREE_OUT_OF_MEMORY;
    for (int32_t i = 0; i < m->n; ++i)
        order[i] = (scree_key){scree_grid_key(grid, &m->balls[i]), i};
    scree_sort_keys(order, spare, m->n, threads);
    for (int32_t i = 0; i < m->n; ++i) {
        const int32_t from = order[i].item;
        key[i] = order[i].key;
        balls[i] = m->balls[from];
        body[i] = m->body[from], image[i] = m->image[from];
    }
    *imaged = (scree_imaged){m->n, balls, key, body, image};
    return SCREE_OK;
}

scree_status scree_imaged_make(const scree_period *period,
                               const scree_grid *grid, const scree_ball *balls,
                               int32_t n, int threads, scree_arena *scratch,
                               scree_imaged *imaged, int *most) {
    making m = {.period = period, .all = box_around(balls, n)};
    take_all(&m, balls, n);
    const size_t room = (size_t)m.n;
    m.balls = scree_arena_push(scratch, room * sizeof *m.balls);
    m.body = scree_arena_push(scratch, room * sizeof *m.body);
    m.image = scree_arena_push(scratch, room * sizeof *m.image);
    if (!m.balls || !m.body || !m.image) return SCREE_OUT_OF_MEMORY;
    take_all(&m, balls, n);
    *most = m.most;
    return sort_imaged(&m, grid, threads, scratch, imaged);
}
