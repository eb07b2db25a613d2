/* case_bodies.c: an entry of `bodies`, which has a place for each kind, and what the
 * case keeps of it, which is one kind and a fifth of the size. */
#include "io/case/case_check.h"

#include <string.h>

_Static_assert(sizeof(scree_body_entry) <= SCREE_ENTRY_BYTES, "it is printed");

void scree_pack_body(const void *from, void *to) {
    const scree_body_entry *entry = from;
    scree_case_body body = {.kind = entry->kind, .line = entry->line};
    switch (entry->kind) {
    case SCREE_CASE_SPHERE:
        body.as.sphere = entry->sphere;
        body.as.sphere.radius = entry->grain.radius.value;
        body.as.sphere.material = entry->grain.material;
        memcpy(body.as.sphere.velocity, entry->grain.velocity,
               sizeof entry->grain.velocity);
        memcpy(body.as.sphere.angular_velocity, entry->grain.angular_velocity,
               sizeof entry->grain.angular_velocity);
        break;
    case SCREE_CASE_LATTICE:
        body.as.lattice = entry->lattice;
        body.as.lattice.grain = entry->grain;
        break;
    case SCREE_CASE_FILL:
        body.as.fill = entry->fill;
        body.as.fill.grain = entry->grain;
        break;
    case SCREE_CASE_POUR:
        body.as.pour = entry->pour;
        body.as.pour.grain = entry->grain;
        break;
    case SCREE_CASE_SINGLE:
        body.as.single = entry->single;
        body.as.single.grain = entry->grain;
        break;
    case SCREE_CASE_PYRAMID:
        body.as.pyramid = entry->pyramid;
        body.as.pyramid.grain = entry->grain;
        break;
    case SCREE_CASE_RELEASE:
        body.as.release = entry->release;
        body.as.release.it.grain = entry->grain;
        break;
    }
    *(scree_case_body *)to = body;
}

static scree_grain sphere_grain(const scree_sphere_def *sphere) {
    scree_grain grain = {.radius.value = sphere->radius,
                         .shapes.name = -1,
                         .turn = SCREE_TURN_NONE,
                         .material = sphere->material};
    memcpy(grain.velocity, sphere->velocity, sizeof grain.velocity);
    memcpy(grain.angular_velocity, sphere->angular_velocity,
           sizeof grain.angular_velocity);
    return grain;
}

void scree_unpack_body(const void *from, void *to) {
    const scree_case_body *body = from;
    scree_body_entry entry = {.kind = body->kind};
    switch (body->kind) {
    case SCREE_CASE_SPHERE:
        entry.sphere = body->as.sphere;
        entry.grain = sphere_grain(&body->as.sphere);
        break;
    case SCREE_CASE_LATTICE:
        entry.lattice = body->as.lattice;
        entry.grain = body->as.lattice.grain;
        break;
    case SCREE_CASE_FILL:
        entry.fill = body->as.fill;
        entry.grain = body->as.fill.grain;
        break;
    case SCREE_CASE_POUR:
        entry.pour = body->as.pour;
        entry.grain = body->as.pour.grain;
        break;
    case SCREE_CASE_SINGLE:
        entry.single = body->as.single;
        entry.grain = body->as.single.grain;
        break;
    case SCREE_CASE_PYRAMID:
        entry.pyramid = body->as.pyramid;
        entry.grain = body->as.pyramid.grain;
        break;
    case SCREE_CASE_RELEASE:
        entry.release = body->as.release;
        entry.grain = body->as.release.it.grain;
        break;
    }
    *(scree_body_entry *)to = entry;
}
