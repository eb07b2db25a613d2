/* callbacks.c: programs that are told of steps, and the contacts of a body. */
#include "engine/base/error.h"
#include "engine/forces/forces.h"
#include "engine/step/contact_rows.h"

scree_status scree_world_set_callbacks(scree_world *world,
                                       const scree_callbacks *callbacks) {
    world->forces.callbacks =
        callbacks ? *callbacks : (scree_callbacks){.context = NULL};
    return SCREE_OK;
}

/* A program that says no says why, or that it did. */
static scree_status answer_for(scree_world *world, scree_status status,
                               const char *which) {
    scree_error *error = &world->error;
    if (status != SCREE_OK && error->status != status)
        scree_fail(error, status, "%s ended step %lld: %s", which,
                   (long long)world->state.steps, scree_status_text(status));
    return scree_world_agree(world, status);
}

scree_status scree_world_call_before(scree_world *world) {
    const scree_callbacks *call = &world->forces.callbacks;
    if (!call->before_step) return SCREE_OK;
    world->error.status = SCREE_OK;
    return answer_for(world, call->before_step(call->context, world),
                      "before_step");
}

static scree_status call_contacts(scree_world *world) {
    scree_forces *f = &world->forces;
    const int64_t n = world->state.contacts.n;
    TRY(scree_world_agree(world, scree_reserve(&f->views, &f->view_capacity,
                                               n + 1, sizeof *f->views)));
    scree_world_read_contacts(world, f->views);
    return answer_for(
        world, f->callbacks.contacts(f->callbacks.context, world, f->views, n),
        "contacts");
}

scree_status scree_world_call_after(scree_world *world) {
    const scree_callbacks *call = &world->forces.callbacks;
    world->error.status = SCREE_OK;
    if (call->contacts) TRY(call_contacts(world));
    if (!call->after_step) return SCREE_OK;
    return answer_for(world, call->after_step(call->context, world),
                      "after_step");
}

/* ---- contacts ------------------------------------------------------------------------- */

void scree_world_contact_force(const scree_world *world,
                               const scree_contact_view *contact,
                               double force[3]) {
    vec_to(scale(1 / world->state.dt, vec_from(contact->percussion)), force);
}
