/* pyramid.c: bodies placed by rule: single ones, and stacks. */
#include "engine/generate/check.h"
#include "engine/generate/place.h"

/* Bodies of the layer that has n along a side. */
static int64_t layer_count(const scree_pyramid *pyramid, int n) {
    return pyramid->planar ? n : (int64_t)n * n;
}

int64_t scree_pyramid_count(const scree_pyramid *pyramid) {
    int64_t sum = 0;
    for (int n = pyramid->base; n > 0; n--) sum += layer_count(pyramid, n);
    return sum;
}

/* Body k of the layer that has n along a side. */
static scree_vec3 layer_point(const scree_pyramid *pyramid, int n, int64_t k) {
    const int up = pyramid->planar ? 1 : 2;
    const double *size = pyramid->size;
    double x[3];
    for (int i = 0; i < 3; i++) {
        x[i] = pyramid->origin[i];
        if (i == up) x[i] += (pyramid->base - n + 0.5) * size[i];
        if (i >= up) continue;
        const double index = (double)(k % n) - 0.5 * (n - 1);
        x[i] += index * pyramid->spacing * size[i];
        k /= n;
    }
    return vec_from(x);
}

typedef struct stack {
    const scree_pyramid *pyramid;
    uint64_t seed;
} stack;

/* Layers come from the base upwards. */
static scree_piece stacked_piece(const void *of, int64_t k,
                                 scree_random *turn) {
    const stack *s = of;
    int n = s->pyramid->base;
    *turn = scree_random_stream(s->seed, (uint64_t)k);
    scree_piece piece = scree_piece_draw(&s->pyramid->grain, turn);
    for (; k >= layer_count(s->pyramid, n); n--)
        k -= layer_count(s->pyramid, n);
    piece.ball.x = layer_point(s->pyramid, n, k);
    return piece;
}

scree_status scree_pyramid_make(const scree_pyramid *pyramid, scree_random rng,
                                scree_world *world, scree_error *error) {
    TRY(scree_pyramid_check(pyramid, world, error));
    const stack s = {pyramid, rng.state};
    const int64_t n = scree_pyramid_count(pyramid);
    const scree_status status =
        scree_pieces_add(&pyramid->grain, n, stacked_piece, &s, world, error);
    return scree_pieces_end(status, "pyramid", n, error);
}

scree_status scree_single_make(const scree_single *single, scree_random rng,
                               scree_world *world, scree_error *error) {
    TRY(scree_single_check(single, world, error));
    scree_piece piece = scree_piece_draw(&single->grain, &rng);
    piece.ball.x = vec_from(single->position);
    return scree_piece_add(&single->grain, piece, single->orientation, &rng,
                           world, error);
}
