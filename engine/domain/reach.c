#include "engine/domain/reach.h"

#include <string.h>

#include "engine/world/view.h"

void scree_domain_see_all(scree_world *world, const scree_scene *scene,
                          double skin) {
    scree_domain *d = world->ranks.domain;
    const scree_bodies *b = &world->state.bodies;
    double ends[6] = {-INFINITY, -INFINITY, -INFINITY,
                      -INFINITY, -INFINITY, -INFINITY};
    if (!scene->cell) return;
    for (int32_t i = 0; i < b->n; ++i) {
        const scree_ball grown = {
            b->x[i].x, b->x[i].r + scree_broad_margin(scene, i, skin)};
        if (!scree_world_owns(world, i)) continue;
        const scree_box box = scree_box_around(&grown, 1);
        const double one[] = {-box.lo.x, -box.lo.y, -box.lo.z,
                              box.hi.x,  box.hi.y,  box.hi.z};
        for (int k = 0; k < 6; ++k) ends[k] = fmax(ends[k], one[k]);
    }
    scree_comm_max(d->comm, ends, 6);
    d->all = (scree_box){vec(-ends[0], -ends[1], -ends[2]),
                         vec(ends[3], ends[4], ends[5])};
}

typedef struct search {
    const scree_domain *domain;
    const scree_period *cell;
    const scree_ball *ball;
    int n;
} search;

/* Places the rank among those that are there already. */
static void note_rank(search *s, int rank) {
    int *ranks = s->domain->ranks, at = 0;
    while (at < s->n && ranks[at] < rank) ++at;
    if (at < s->n && ranks[at] == rank) return;
    memmove(&ranks[at + 1], &ranks[at], (size_t)(s->n - at) * sizeof *ranks);
    ranks[at] = rank;
    ++s->n;
}

static void note_image(void *context, scree_image image) {
    search *s = context;
    const scree_domain *d = s->domain;
    const scree_ball ball = {
        add(s->ball->x, scree_period_shift(s->cell, image)), s->ball->r};
    if (scree_partition_has(d->partition, &ball)) {
        note_rank(s, d->comm->rank);
        return;
    }
    const int n = scree_partition_ranks_near(d->partition, &ball, d->near);
    for (int k = 0; k < n; ++k) note_rank(s, d->near[k]);
}

int scree_domain_reached(const scree_domain *d, const scree_period *cell,
                         const scree_ball *grown) {
    search s = {.domain = d, .cell = cell, .ball = grown};
    if (cell)
        scree_images_near(cell, grown, &d->all, note_image, &s);
    else
        note_image(&s, 0);
    return s.n;
}
