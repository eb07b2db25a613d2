/* audit_spread.c: copies of the bodies, dealt out by place.
 *
 * Before its first step a spread world has its bodies on any rank, by their ids.
 * To see which of them overlap, ranks need those that are near each other. Space
 * is cut across its longest axis into one slab for each rank, with about as many
 * bodies in each: a histogram of the centres, summed over ranks, tells where. A
 * body goes to all slabs that its ball reaches into, so that two bodies that touch
 * have a slab in common, whichever point of both tells whose the pair is.
 *
 * Cost: linear in bodies; each is sent once, and again where it crosses a cut. */
#include <math.h>
#include <string.h>

#include "engine/audit/audit_parts.h"
#include "engine/world/view.h"

/* Balls are grown by so much: the point in which two meet is rounded too. */
static const double ROOM = 1e-9;

static double coordinate_along(scree_vec3 x, int axis) {
    return axis == 0 ? x.x : axis == 1 ? x.y : x.z;
}

static int bin_of(const scree_slabs *slabs, double x) {
    const double bin = (x - slabs->lo) * slabs->scale;
    if (!(bin > 0)) return 0;
    return bin < SCREE_SLAB_BINS - 1 ? (int)bin : SCREE_SLAB_BINS - 1;
}

int scree_slabs_rank(const scree_slabs *slabs, scree_vec3 x) {
    return slabs->owner[bin_of(slabs, coordinate_along(x, slabs->axis))];
}

/* ---- cuts ------------------------------------------------------------------ */

static scree_extent extent_of_centres(const scree_auditor *by) {
    const scree_world *world = by->world;
    scree_extent extent = scree_extent_none();
    for (int32_t i = 0; i < world->state.bodies.n; ++i)
        if (scree_world_owns(world, i))
            scree_extent_add(&extent, world->state.bodies.x[i].x, 0);
    scree_extent_join(by->comm, &extent);
    return extent;
}

static void choose_axis(const scree_extent *extent, scree_slabs *slabs) {
    slabs->axis = 0;
    for (int k = 1; k < 3; ++k)
        if (extent->hi[k] - extent->lo[k] >
            extent->hi[slabs->axis] - extent->lo[slabs->axis])
            slabs->axis = k;
    const double length = extent->hi[slabs->axis] - extent->lo[slabs->axis];
    slabs->lo = extent->lo[slabs->axis];
    slabs->scale = length > 0 ? SCREE_SLAB_BINS / length : 0;
}

/* Bins go to ranks in turn, to each until it has its share. */
static void cut_slabs(const scree_auditor *by, scree_slabs *slabs) {
    const scree_world *world = by->world;
    int64_t count[SCREE_SLAB_BINS] = {0}, total = 0, before = 0;
    for (int32_t i = 0; i < world->state.bodies.n; ++i)
        if (scree_world_owns(world, i))
            ++count[bin_of(slabs, coordinate_along(world->state.bodies.x[i].x,
                                                   slabs->axis))];
    scree_comm_sum_counts(by->comm, count, SCREE_SLAB_BINS);
    for (int b = 0; b < SCREE_SLAB_BINS; ++b) total += count[b];
    for (int b = 0; b < SCREE_SLAB_BINS; ++b) {
        slabs->owner[b] =
            total ? (int32_t)(before * by->comm->size / total) : 0;
        if (slabs->owner[b] >= by->comm->size)
            slabs->owner[b] = by->comm->size - 1;
        before += count[b];
    }
}

/* ---- copies ---------------------------------------------------------------- */

typedef struct copy {
    scree_ball x;
    scree_quat q;
    int64_t id;
    int32_t form, owner;
} copy;

static copy copy_of(const scree_world *world, int32_t i, int owner) {
    const scree_bodies *b = &world->state.bodies;
    return (copy){.x = b->x[i],
                  .q = b->q[i],
                  .id = b->id[i],
                  .form = b->form[i],
                  .owner = owner};
}

static void put_copy(scree_bodies *bodies, const copy *c) {
    const int32_t i = bodies->n++;
    bodies->x[i] = c->x;
    bodies->q[i] = c->q;
    bodies->id[i] = c->id;
    bodies->form[i] = c->form;
    bodies->owner[i] = c->owner;
}

static scree_status copy_own(const scree_world *world, scree_bodies *bodies) {
    TRY(scree_bodies_reserve(bodies, world->state.bodies.n));
    for (int32_t i = 0; i < world->state.bodies.n; ++i) {
        const copy c = copy_of(world, i, 0);
        put_copy(bodies, &c);
    }
    return SCREE_OK;
}

static scree_status post_body(const scree_world *world, int32_t i,
                              const scree_slabs *slabs, scree_mail *mail) {
    const scree_ball *x = &world->state.bodies.x[i];
    const double at = coordinate_along(x->x, slabs->axis),
                 r = x->r * (1 + ROOM);
    const copy c = copy_of(world, i, scree_slabs_rank(slabs, x->x));
    const int first = slabs->owner[bin_of(slabs, at - r)],
              last = slabs->owner[bin_of(slabs, at + r)];
    for (int rank = first; rank <= last; ++rank) {
        void *to = scree_mail_put(mail, rank, sizeof c);
        if (!to) return SCREE_OUT_OF_MEMORY;
        memcpy(to, &c, sizeof c);
    }
    return SCREE_OK;
}

static scree_status post_bodies(const scree_auditor *by,
                                const scree_slabs *slabs, scree_mail *mail) {
    TRY(scree_mail_clear(mail, by->comm));
    for (int32_t i = 0; i < by->world->state.bodies.n; ++i)
        if (scree_world_owns(by->world, i))
            TRY(post_body(by->world, i, slabs, mail));
    return SCREE_OK;
}

static scree_status take_mail(const scree_mail *mail, scree_bodies *bodies) {
    int64_t n = 0;
    for (int64_t k = 0; k < mail->n_in; ++k)
        n += (int64_t)(mail->in[k].n / sizeof(copy));
    TRY(scree_bodies_reserve(bodies, n));
    for (int64_t k = 0; k < mail->n_in; ++k)
        for (size_t at = 0; at < mail->in[k].n; at += sizeof(copy)) {
            copy c;
            memcpy(&c, mail->in[k].data + at, sizeof c);
            put_copy(bodies, &c);
        }
    return SCREE_OK;
}

scree_status scree_audit_spread(const scree_auditor *by, scree_bodies *bodies,
                                scree_slabs *slabs) {
    *bodies = (scree_bodies){.spread = true};
    if (by->comm->size == 1) return copy_own(by->world, bodies);
    scree_mail mail = {0};
    const scree_extent extent = extent_of_centres(by);
    slabs->rank = by->comm->rank;
    choose_axis(&extent, slabs);
    cut_slabs(by, slabs);
    scree_status status =
        scree_comm_agree(by->comm, post_bodies(by, slabs, &mail), NULL);
    if (status == SCREE_OK) status = scree_mail_send(&mail, by->comm);
    if (status == SCREE_OK) status = take_mail(&mail, bodies);
    scree_mail_free(&mail);
    return scree_comm_agree(by->comm, status, NULL);
}
