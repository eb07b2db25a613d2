/* write.c: the state of the bodies, set by others. */
#include <stdlib.h>
#include <string.h>

#include "engine/step/step.h"
#include "engine/world/make.h"
#include "engine/world/ranks.h"

/* What the body is, with what the view says of it. */
static scree_body_def told_state(const scree_world *world, int64_t k,
                                 const scree_state_view *view) {
    const scree_bodies *b = &world->state.bodies;
    const int32_t i = b->place[k];
    const scree_quat q = b->q[i];
    scree_body_def def = {.orientation = {q.w, q.x, q.y, q.z},
                          .material = b->material[i]};
    vec_to(b->x[i].x, def.position);
    vec_to(b->u[i].v, def.velocity);
    vec_to(b->u[i].w, def.angular_velocity);
#define TAKE(member, n)                                                        \
    if (view->member)                                                          \
    memcpy(def.member, &view->member[(n)*k], sizeof def.member)
    TAKE(position, 3);
    TAKE(orientation, 4);
    TAKE(velocity, 3);
    TAKE(angular_velocity, 3);
#undef TAKE
    return def;
}

/* A quaternion that is not told keeps its bits. */
static void set_body(scree_world *world, int64_t k, const scree_body_def *def,
                     bool turned) {
    scree_bodies *b = &world->state.bodies;
    const int32_t i = b->place[k];
    const double *q = def->orientation;
    b->x[i].x = vec_from(def->position);
    if (turned) b->q[i] = quat_unit((scree_quat){q[0], q[1], q[2], q[3]});
    b->u[i].v = vec_from(def->velocity);
    b->u[i].w = vec_from(def->angular_velocity);
    if (b->id[i] < world->state.fresh &&
        scree_world_is_fresh(world, b->u[i].v, b->x[i].r))
        world->state.fresh = b->id[i];
}

static scree_status check_view(const scree_world *world,
                               const scree_state_view *view,
                               scree_error *error) {
    REQUIRE(view, "view is NULL");
    REQUIRE(!view->id && !view->radius && !view->mass && !view->material &&
                !view->shape && !view->kept && !view->unwrapped,
            "view: id, radius, mass, material, shape, kept and unwrapped "
            "cannot be set "
            "and must be NULL");
    for (int64_t k = 0; k < world->ranks.n_body; ++k) {
        const scree_body_def def = told_state(world, k, view);
        scree_error why = {0};
        if (scree_body_state_check(world, &def, &why) != SCREE_OK)
            return scree_fail(
                error, why.status, "view, body %lld: %s",
                (long long)scree_removed_id(&world->state.bodies.removed, k),
                why.text);
    }
    return SCREE_OK;
}

scree_status scree_world_write_state(scree_world *world,
                                     const scree_state_view *view) {
    scree_error *error = &world->error;
    if (world->ranks.domain && scree_world_ranks(world) > 1)
        return scree_fail(error, SCREE_UNSUPPORTED,
                          "the state of a world that is spread over ranks "
                          "cannot be set");
    TRY(check_view(world, view, error));
    const double before = scree_world_mechanical_energy(world);
    for (int64_t k = 0; k < world->ranks.n_body; ++k) {
        const scree_body_def def = told_state(world, k, view);
        set_body(world, k, &def, view->orientation != NULL);
    }
    world->accounts.inserted += scree_world_mechanical_energy(world) - before;
    return SCREE_OK;
}
