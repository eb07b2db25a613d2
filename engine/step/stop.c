/* stop.c: bodies that would pass through a wall before anyone looks again.
 *
 * Contacts are looked for once in a step, and a body is seen in front of a mesh,
 * of terrain or of segments as long as its centre is. One that goes further than
 * that between two looks is stopped where it is in touch: its way is cut short by
 * dx, its velocity stays. The next look then finds the contact closed and the law
 * acts as it should, with all of the restitution. The body is late by less than a
 * step; what dx costs or gains in the field of gravity is booked as recovery_work
 * like any other move of positions alone (recovery.c).
 *
 * RATTLE looks again in every round of its stage 1, and each end of a way that it
 * looks at is held back like this, by meshes, terrain and segments: half spaces
 * find bodies however deep they are. What a body is held back by is kept over the
 * rounds, seen from where it was truly, so that the rounds go on as if it had
 * started late. There a body that was in front stops where it touches: contacts that
 * are closed without a push of stage 1 make no energy (world_rattle_pairs.c).
 *
 * Seen from a wall that moves the body stops on it and is carried along. Without
 * gap control Moreau's scheme does nothing of this: it is that to the letter. */
#include "contact/narrow/touch.h"
#include "engine/forces/forces.h"
#include "engine/step/step.h"

/* Corners of the box around all centres. */
typedef struct extent {
    scree_vec3 lo, hi;
} extent;

static extent extent_of(const scree_bodies *b) {
    extent e = {b->x[0].x, b->x[0].x};
    for (int32_t i = 1; i < b->n; ++i) {
        const scree_vec3 x = b->x[i].x;
        e.lo = vec(fmin(e.lo.x, x.x), fmin(e.lo.y, x.y), fmin(e.lo.z, x.z));
        e.hi = vec(fmax(e.hi.x, x.x), fmax(e.hi.y, x.y), fmax(e.hi.z, x.z));
    }
    return e;
}

static double farthest_from(const extent *e, scree_vec3 o) {
    return norm(vec(fmax(o.x - e->lo.x, e->hi.x - o.x),
                    fmax(o.y - e->lo.y, e->hi.y - o.y),
                    fmax(o.z - e->lo.z, e->hi.z - o.z)));
}

void scree_world_place_walls(scree_world *world) {
    bool known = false, moves = false;
    extent e;
    world->scene.wall_speed = 0;
    for (int w = 0; w < world->scene.n_wall; ++w) {
        scree_wall *wall = &world->scene.walls[w];
        scree_wall_move(wall, &wall->before, world->state.t);
        if (!scree_plane_moves(&wall->before)) continue;
        moves = true;
        if (world->state.bodies.n == 0) continue;
        if (!known) e = extent_of(&world->state.bodies), known = true;
        world->scene.wall_speed =
            fmax(world->scene.wall_speed,
                 wall->before.v_max + fabs(wall->before.rate) *
                                          farthest_from(&e, wall->before.o));
    }
    if (moves)
        world->scene.wall_speed =
            scree_world_most(world, world->scene.wall_speed);
}

typedef double way_rule(const scree_scene *scene, const scree_pair *pair,
                        scree_vec3 d);

/* The part of the way v dt of body i that is too much for the wall. */
static scree_vec3 too_far(const scree_scene *bodies, int32_t i,
                          const scree_wall *wall, scree_vec3 v, double dt,
                          way_rule *rule) {
    scree_scene scene = *bodies;
    scene.walls = &wall->before;
    const scree_vec3 d = scale(
        dt, sub(v, scree_wall_velocity(wall, &wall->before, scene.x[i].x)));
    const double share = rule(&scene, &(scree_pair){i, -1, 0, 0}, d);
    return scale(1 - share, d);
}

void scree_world_shift(scree_world *world, int32_t i, scree_vec3 way) {
    scree_bodies *b = &world->state.bodies;
    way = scree_world_way(world, way);
    b->x[i].x = add(b->x[i].x, way);
    if (scree_world_owns(world, i))
        SCREE_BOOK(world, recovery_work,
                   -dot(world->state.gravity, way) / b->u[i].inv_m);
}

/* Moves the body back by what would be too much of the way v dt to come. */
static void hold_back(scree_world *world, const scree_scene *bodies, int32_t i,
                      scree_vec3 v, double dt) {
    scree_vec3 most = vec(0, 0, 0);
    for (int w = 0; w < world->scene.n_wall; ++w) {
        if (!scree_world_meets_wall(world, &world->state.bodies, i, w))
            continue;
        const scree_vec3 back =
            too_far(bodies, i, &world->scene.walls[w], v, dt, scree_pair_way);
        if (dot(back, back) > dot(most, most)) most = back;
    }
    if (dot(most, most) == 0) return;
    scree_world_shift(world, i, scale(-1, most));
}

void scree_world_stop(scree_world *world, double dt, bool from_begin) {
    if (!world->def.gap_control) return;
    scree_world_place_walls(world);
    const scree_bodies *b = &world->state.bodies;
    const scree_scene bodies = {.n = b->n,
                                .x = b->x,
                                .q = b->q,
                                .form = b->form,
                                .forms = world->scene.forms,
                                .general = world->scene.general,
                                .n_wall = 1};
    for (int32_t i = 0; i < b->n; ++i) {
        const scree_vec3 v = from_begin ? b->u_b[i].v : b->u[i].v;
        if (scree_body_is_fast(&bodies, i,
                               dt * (norm(v) + world->scene.wall_speed)))
            hold_back(world, &bodies, i, v, dt);
    }
}

scree_vec3 scree_world_too_far(const scree_world *world, int32_t i,
                               scree_vec3 x, scree_vec3 way, double dt) {
    const scree_bodies *b = &world->state.bodies;
    const scree_ball from = {x, b->x[i].r};
    const scree_scene body = {.n = 1,
                              .x = &from,
                              .q = b->q + i,
                              .form = b->form + i,
                              .forms = world->scene.forms,
                              .general = world->scene.general,
                              .n_wall = 1};
    scree_vec3 most = vec(0, 0, 0);
    if (!scree_body_is_fast(&body, 0, norm(way) + dt * world->scene.wall_speed))
        return most;
    for (int w = 0; w < world->scene.n_wall; ++w) {
        const scree_wall *wall = &world->scene.walls[w];
        if (!scree_plane_is_surface(&wall->before) ||
            !scree_world_meets_wall(world, b, i, w))
            continue;
        const scree_vec3 back = too_far(&body, 0, wall, scale(1 / dt, way), dt,
                                        scree_pair_way_to_touch);
        if (dot(back, back) > dot(most, most)) most = back;
    }
    return most;
}
