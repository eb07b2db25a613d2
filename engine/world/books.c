#include "engine/world/books.h"

#include <stdlib.h>
#include <string.h>

#include "engine/domain/domain.h"
#include "engine/step/step.h"

void scree_books_free(scree_books *books) {
    if (books) free(books->walls);
    free(books);
}

scree_status scree_world_clear_walls(scree_world *world) {
    scree_books *books = world->accounts.books;
    const size_t n = (size_t)world->scene.n_wall;
    for (int w = 0; w < world->scene.n_wall; ++w)
        world->scene.walls[w].percussion = vec(0, 0, 0);
    if (!books || !n) return SCREE_OK;
    TRY(scree_reserve(&books->walls, &books->wall_capacity, world->scene.n_wall,
                      sizeof *books->walls));
    memset(books->walls, 0, n * sizeof *books->walls);
    return SCREE_OK;
}

void scree_world_load_wall(scree_world *world, int w, scree_vec3 P) {
    scree_wall *wall = &world->scene.walls[w];
    if (!world->accounts.books) {
        wall->percussion = sub(wall->percussion, P);
        return;
    }
    scree_exact_sum *sums = world->accounts.books->walls[w];
    scree_exact_add(&sums[0], -P.x);
    scree_exact_add(&sums[1], -P.y);
    scree_exact_add(&sums[2], -P.z);
}

void scree_world_exact_totals(const scree_world *world, scree_exact_sum *sums,
                              int n, double *totals) {
    if (world->ranks.domain)
        scree_exact_reduce(world->ranks.domain->comm, sums, n);
    for (int k = 0; k < n; ++k)
        totals[k] =
            scree_world_rank(world) == 0 ? scree_exact_value(&sums[k]) : 0;
}

double scree_sum_total(const scree_world *world, scree_sum *sum) {
    if (!world->accounts.books) return scree_world_total(world, sum->plain);
    double total; /* on the first rank */
    scree_world_exact_totals(world, &sum->exact, 1, &total);
    return scree_world_total(world, total);
}

static void settle_accounts(scree_world *world) {
    scree_books *books = world->accounts.books;
#define X(name) books->name,
    scree_exact_sum sums[] = {SCREE_ACCOUNTS(X)};
#undef X
    enum { ALL = sizeof sums / sizeof *sums };
    double totals[ALL];
    scree_world_exact_totals(world, sums, ALL, totals);
    world->accounts.penetration_sum = 0;
    int k = 0;
#define X(name)                                                                \
    world->accounts.name += totals[k++];                                       \
    books->name = (scree_exact_sum){0};
    SCREE_ACCOUNTS(X)
#undef X
}

static void settle_walls(scree_world *world) {
    scree_exact_sum(*sums)[3] = world->accounts.books->walls;
    if (world->ranks.domain && world->scene.n_wall)
        scree_exact_reduce(world->ranks.domain->comm, sums[0],
                           3 * world->scene.n_wall);
    for (int w = 0; w < world->scene.n_wall && scree_world_rank(world) == 0;
         ++w)
        world->scene.walls[w].percussion =
            vec(scree_exact_value(&sums[w][0]), scree_exact_value(&sums[w][1]),
                scree_exact_value(&sums[w][2]));
}

void scree_world_settle_wall_work(scree_world *world) {
    scree_books *books = world->accounts.books;
    double total;
    if (!books) return;
    scree_world_exact_totals(world, &books->wall_work, 1, &total);
    world->accounts.wall_work += total;
    books->wall_work = (scree_exact_sum){0};
}

void scree_world_settle(scree_world *world) {
    if (!world->accounts.books) return;
    settle_accounts(world);
    settle_walls(world);
}
