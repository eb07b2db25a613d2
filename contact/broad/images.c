#include "contact/broad/images.h"

#include <stdlib.h>

#include "engine/base/assert.h"
#include "engine/base/error.h"

scree_box scree_box_around(const scree_ball *balls, int32_t n) {
    scree_box b = {vec(INFINITY, INFINITY, INFINITY),
                   vec(-INFINITY, -INFINITY, -INFINITY)};
    for (int32_t i = 0; i < n; ++i) {
        const scree_vec3 x = balls[i].x;
        const double r = balls[i].r;
        b.lo = vec(fmin(b.lo.x, x.x - r), fmin(b.lo.y, x.y - r),
                   fmin(b.lo.z, x.z - r));
        b.hi = vec(fmax(b.hi.x, x.x + r), fmax(b.hi.y, x.y + r),
                   fmax(b.hi.z, x.z + r));
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

void scree_images_near(const scree_period *p, const scree_ball *ball,
                       const scree_box *box, scree_image_visit *visit,
                       void *context) {
    const double r = ball->r;
    const range z =
        range_of(p->along[2], p->edge[2].z, ball->x.z, r, box->lo.z, box->hi.z);
    const range y =
        range_of(p->along[1], p->edge[1].y, ball->x.y, r, box->lo.y, box->hi.y);
    for (int k = z.first; k <= z.last; ++k)
        for (int j = y.first; j <= y.last; ++j) {
            const range x =
                range_of(p->along[0], p->edge[0].x,
                         ball->x.x + j * p->edge[1].x, r, box->lo.x, box->hi.x);
            for (int i = x.first; i <= x.last; ++i)
                visit(context, scree_image_of(i, j, k));
        }
}

/* What is done with the images of a body: counted, or kept. */
typedef struct making {
    const scree_period *period;
    scree_box all;
    int32_t n;
    int most;
    scree_ball *balls; /* NULL: they are counted */
    int32_t *body;
    scree_image *image;
    const scree_ball *ball; /* whose images they are, and its place */
    int32_t of;
} making;

/* Of the two that are s and -s away from a body. */
static bool is_first_of_two(scree_image image) {
    const int x = scree_image_along(image, 0), y = scree_image_along(image, 1),
              z = scree_image_along(image, 2);
    return z > 0 || (z == 0 && (y > 0 || (y == 0 && x > 0)));
}

static void take_image(void *context, scree_image image) {
    making *m = context;
    if (!is_first_of_two(image)) return;
    if (m->balls) {
        const scree_vec3 shift = scree_period_shift(m->period, image);
        m->balls[m->n] = (scree_ball){add(m->ball->x, shift), m->ball->r};
        m->body[m->n] = m->of;
        m->image[m->n] = image;
    }
    for (int k = 0; k < 3; ++k) {
        const int away = abs(scree_image_along(image, k));
        if (away > m->most) m->most = away;
    }
    ++m->n;
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
    for (int32_t i = 0; i < n; ++i) {
        m->ball = &balls[i], m->of = i;
        scree_images_near(m->period, &balls[i], &m->all, take_image, m);
    }
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
    making m = {.period = period, .all = scree_box_around(balls, n)};
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
