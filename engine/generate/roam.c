/* roam.c: bodies that look for places at random (roam.h). */
#include "engine/generate/roam.h"

/* Streams of a body: its size, its turn, two for each visit. */
enum { OF_SIZE, OF_TURN, OF_VISITS };

static scree_random random_stream(const scree_roam *roam, uint64_t seed,
                                  int64_t k, int number) {
    const scree_random body =
        scree_random_stream(seed, roam->first + (uint64_t)k);
    return scree_random_stream(body.state, (uint64_t)number);
}

scree_random scree_roam_size(const scree_roam *roam, int64_t k) {
    return random_stream(roam, roam->bodies, k, OF_SIZE);
}

static scree_random turn_stream(const void *of, int64_t k) {
    const scree_roam *roam = of;
    return random_stream(roam, roam->bodies, k, OF_TURN);
}

static scree_vec3 home_of(const void *of, const scree_seedling *s, int visit) {
    const scree_roam *roam = of;
    scree_random rng =
        random_stream(roam, roam->visits, s->k, OF_VISITS + 2 * visit);
    return scree_region_sample(roam->region, s->piece.ball.r, &rng);
}

/* The first visits are the shortest: most bodies need a few tries. */
static int tries_of(int visit) {
    enum { SHORTEST = 2, LONGEST = 6 };
    const int power = SHORTEST + visit / 2;
    return 1 << (power < LONGEST ? power : LONGEST);
}

static bool find_place(const void *of, const scree_place *place,
                       const scree_cells *cells, int visit, scree_seedling *s,
                       int64_t *tries) {
    const scree_roam *roam = of;
    scree_ball *ball = &s->piece.ball;
    const scree_cell cell = scree_cells_at(cells, ball->x);
    scree_random rng =
        random_stream(roam, roam->visits, s->k, OF_VISITS + 2 * visit + 1);
    ++*tries;
    if (scree_place_is_free(place, *ball)) return true;
    for (int t = 1; t < tries_of(visit); t++) {
        ++*tries;
        if (scree_cells_sample(cells, roam->region, cell, ball->r, &rng,
                               &ball->x) &&
            scree_place_is_free(place, *ball))
            return true;
    }
    return false;
}

scree_sower scree_roam_sower(const scree_roam *roam, scree_sower_piece *piece,
                             int visits, int64_t patience) {
    return (scree_sower){.of = roam,
                         .region = roam->region,
                         .visits = visits,
                         .patience = patience,
                         .piece = piece,
                         .home = home_of,
                         .find = find_place,
                         .turn = turn_stream};
}
