/* audit_overlap.c: bodies that overlap at the start, and bodies in or behind walls.
 *
 * The broad and the narrow phase of a step, on copies of the bodies at rest, list
 * all touches with a gap g <= 0. A pair counts by its deepest touch, over the inner
 * radius r of the smaller body (a wall: of the body):
 *
 *     -g > 1e-3 r   warning: recovery will have to push them apart
 *     -g > r / 2    error, of two bodies: no generator and no step leaves them so
 *     -g > r        error, of a body and a wall: the centre of a ball is behind it
 *
 * A body behind a one-sided mesh touches nothing: that is audit_mesh.c's. */
#include <math.h>
#include <stdlib.h>

#include "contact/broad/broad.h"
#include "contact/narrow/narrow.h"
#include "engine/audit/audit_parts.h"
#include "engine/forces/forces.h"

static const double SEEN = 1e-3, DEEP = 0.5, BEHIND = 1.0;

typedef struct detection {
    const scree_auditor *by;
    scree_bodies bodies;
    scree_slabs slabs;
    scree_broad broad;
    scree_contacts contacts;
    scree_arena scratch;
    scree_worst pairs;
    scree_worst *walls; /* (n_wall) */
} detection;

/* ---- finding --------------------------------------------------------------- */

static bool slab_owns(const void *context, scree_vec3 x) {
    const scree_slabs *slabs = context;
    return scree_slabs_rank(slabs, x) == slabs->rank;
}

static scree_scene scene_of(const detection *d) {
    const scree_world *world = d->by->world;
    const scree_bodies *b = &d->bodies;
    return (scree_scene){.n = b->n,
                         .x = b->x,
                         .u = b->u,
                         .cell = world->scene.cell,
                         .q = b->q,
                         .form = b->form,
                         .forms = world->scene.forms,
                         .general = world->scene.general,
                         .n_wall = world->scene.n_wall,
                         .walls = world->scene.planes,
                         .threads = world->def.threads};
}

static scree_status list_pairs(detection *d) {
    scree_scene scene = scene_of(d);
    const size_t n = (size_t)scene.n;
    scree_key *order = scree_arena_push(&d->scratch, n * sizeof *order);
    uint8_t *border = scree_arena_push(&d->scratch, n + 1);
    if (!order || !border) return SCREE_OUT_OF_MEMORY;
    TRY(scree_broad_order(&d->broad, &scene, 0, order, &d->scratch));
    TRY(scree_bodies_permute(&d->bodies, order, scene.threads, &d->scratch));
    scene = scene_of(d);
    for (size_t i = 0; i < n; ++i) border[i] = 1;
    const scree_claim claim = {.rank = d->slabs.rank,
                               .owner = d->bodies.owner,
                               .id = d->bodies.id,
                               .border = border,
                               .owns = slab_owns,
                               .context = &d->slabs};
    scree_passages passages;
    if (d->by->comm->size > 1) scene.claim = &claim;
    scene.passing = scree_world_passing(d->by->world, &d->bodies, &passages);
    return scree_broad_build(&d->broad, &scene, 0, order, &d->scratch);
}

static scree_status find_touches(detection *d) {
    TRY(list_pairs(d));
    const scree_scene scene = scene_of(d);
    return scree_narrow(&d->broad, &scene, &d->contacts);
}

/* ---- counting -------------------------------------------------------------- */

static double inner_of(const detection *d, int32_t i) {
    return scree_audit_inner(d->by->world, &d->bodies.x[i], d->bodies.form[i]);
}

static void count_pair(detection *d, const scree_contact *c, double depth) {
    const double r = fmin(inner_of(d, c->a), inner_of(d, c->b));
    const int64_t a = d->bodies.id[c->a], b = d->bodies.id[c->b];
    const scree_scene scene = scene_of(d);
    const scree_vec3 apart =
        scree_scene_apart(&scene, &d->broad.pairs[c->pair]);
    if (depth <= SEEN * r) return;
    scree_worst_add(&d->pairs, &(scree_worst){.n = 1,
                                              .deep = depth > DEEP * r,
                                              .worst = depth / r,
                                              .figure = {depth, norm(apart)},
                                              .a = a < b ? a : b,
                                              .b = a < b ? b : a});
}

static void count_wall(detection *d, const scree_contact *c, double depth) {
    const double r = inner_of(d, c->a);
    if (depth <= SEEN * r) return;
    scree_worst_add(&d->walls[-1 - c->b],
                    &(scree_worst){.n = 1,
                                   .deep = depth > BEHIND * r,
                                   .worst = depth / r,
                                   .figure = {depth, r},
                                   .a = d->bodies.id[c->a],
                                   .b = -1});
}

/* The touches of a pair follow each other. */
static void count_touches(detection *d) {
    const scree_contact *c = d->contacts.list;
    for (int64_t i = 0, next; i < d->contacts.n; i = next) {
        double depth = -c[i].g;
        for (next = i + 1; next < d->contacts.n && c[next].pair == c[i].pair;
             ++next)
            depth = fmax(depth, -c[next].g);
        if (c[i].b >= 0)
            count_pair(d, &c[i], depth);
        else
            count_wall(d, &c[i], depth);
    }
}

/* ---- telling --------------------------------------------------------------- */

static void tell_pairs(const scree_auditor *by, const scree_worst *t) {
    if (t->n == 0) return;
    const bool same = t->figure[1] == 0;
    scree_audit_add(
        by->audit, t->deep ? SCREE_ERROR : SCREE_WARNING, SCREE_FINDING_OVERLAP,
        "%lld pair%s of bodies overlap%s at the start%s: bodies %lld and %lld "
        "worst, by %.3g m, %.3g of the smaller one's inner radius%s; move them "
        "apart, or let fill or lattice find places",
        (long long)t->n, t->n == 1 ? "" : "s", t->n == 1 ? "s" : "",
        t->deep ? "" : " a little", (long long)t->a, (long long)t->b,
        t->figure[0], t->worst, same ? " (they are at the same place)" : "");
}

static void tell_wall(const scree_auditor *by, int wall, const scree_worst *t) {
    if (t->n == 0) return;
    const scree_wall_label name = scree_audit_wall(by, wall);
    const bool plane = !scree_plane_is_surface(&by->world->scene.planes[wall]);
    scree_audit_add(
        by->audit, t->deep ? SCREE_ERROR : SCREE_WARNING, SCREE_FINDING_WALL,
        "%lld bod%s %s wall %s at the start: body %lld worst, by %.3g m, %.3g "
        "of its inner radius; move %s to the free side%s",
        (long long)t->n, t->n == 1 ? "y is" : "ies are",
        t->deep ? "behind" : "partly in", name.text, (long long)t->a,
        t->figure[0], t->worst, t->n == 1 ? "it" : "them",
        t->deep && plane ? ", or turn the wall's normal round" : "");
}

static scree_status tell_all(detection *d) {
    const scree_auditor *by = d->by;
    TRY(scree_worst_join(by->comm, &d->pairs));
    tell_pairs(by, &d->pairs);
    for (int w = 0; w < by->world->scene.n_wall; ++w) {
        TRY(scree_worst_join(by->comm, &d->walls[w]));
        tell_wall(by, w, &d->walls[w]);
    }
    return SCREE_OK;
}

static scree_status run_detection(detection *d) {
    const scree_auditor *by = d->by;
    TRY(scree_audit_spread(by, &d->bodies, &d->slabs));
    d->walls = calloc((size_t)by->world->scene.n_wall + 1, sizeof *d->walls);
    TRY(scree_comm_agree(
        by->comm, d->walls ? find_touches(d) : SCREE_OUT_OF_MEMORY, NULL));
    count_touches(d);
    return tell_all(d);
}

scree_status scree_audit_overlaps(const scree_auditor *by) {
    detection *d = calloc(1, sizeof *d);
    scree_status status =
        scree_comm_agree(by->comm, d ? SCREE_OK : SCREE_OUT_OF_MEMORY, NULL);
    if (!d) return status;
    d->by = by;
    if (status == SCREE_OK) status = run_detection(d);
    scree_bodies_free(&d->bodies);
    scree_broad_free(&d->broad);
    scree_contacts_free(&d->contacts);
    scree_arena_free(&d->scratch);
    free(d->walls);
    free(d);
    return status;
}
